//! What a browser does with `septic-curve`: checks the public signatures, reproduces them, signs and verifies. A failed assertion
//! traps.
#![forbid(unsafe_code)]

use septic_curve::schnorr::{ChallengeHash, Signature, SigningKey, VerifyingKey, verify_batch};
use septic_curve::{Scalar, Scalar256};
use septic_guest::SepticPoint;

fn main() {
    let file = include_str!("../../../tests/data/schnorr_orders.json");
    let file: serde_json::Value = serde_json::from_str(file).expect("JSON");
    let orders = file["signatures"].as_array().expect("a list");
    let scalar = |value: &serde_json::Value| {
        Scalar256::from_hex(value.as_str().expect("a text")).expect("a number")
    };
    let mut batch = Vec::new();
    for order in orders {
        let message = order["message"].as_str().expect("a text").as_bytes();
        let key: VerifyingKey = serde_json::from_value(order["public_key"].clone()).expect("a point");
        let signature: Signature = serde_json::from_value(order.clone()).expect("a signature");
        key.verify(message, &signature).expect("valid");
        septic_guest::verify(ChallengeHash::Sha256, &key, message, &signature).expect("valid");
        key.verify(b"another", &signature).expect_err("not valid");

        let secret = SigningKey::from_scalar(scalar(&order["secret_key"]).into()).expect("a key");
        let nonce = Scalar::from(scalar(&order["nonce"]));
        assert_eq!(secret.sign_with_nonce(message, &nonce), Some(signature));
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
        key.verify(message, &secret.sign(message)).expect("valid");
        batch.push((key, message, signature));
    }
    assert_eq!(batch.len(), 64);
    verify_batch(&batch).expect("valid");
    let g: SepticPoint = SepticPoint::GENERATOR;
    assert_eq!(g.double() + g, g * Scalar256::from(3));
}
