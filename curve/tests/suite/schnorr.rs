//! Signatures: known answers of the public signer, rejections, determinism.

use proptest::prelude::*;
use septic_curve::params::{GENERATOR, ORDER};
use septic_curve::schnorr::{
    ChallengeHash, SecretKeyError, Signature, SignatureError, SigningKey, VerifyingKey, challenge,
};
use septic_curve::{AffinePoint, Fp7, Point, Scalar, Scalar256, mul_add_batch};
use serde_json::Value;

use crate::support::{any_scalar, data, point, scalar};

struct Order {
    message: String,
    key: VerifyingKey,
    signature: Signature,
    challenge: Scalar256,
    secret: SigningKey,
    nonce: Scalar,
}

fn order(value: &Value) -> Order {
    let modular = |field: &str| Scalar::from_canonical(scalar(&value[field]).to_uint()).unwrap();
    let affine = |field: &str| point(&value[field]).to_affine().unwrap();
    Order {
        message: value["message"].as_str().unwrap().to_owned(),
        key: VerifyingKey(affine("public_key")),
        signature: Signature { r: affine("R"), s: scalar(&value["s"]) },
        challenge: scalar(&value["e"]),
        secret: SigningKey::from_scalar(modular("secret_key")).unwrap(),
        nonce: modular("nonce"),
    }
}

fn orders() -> Vec<Order> {
    let orders: Vec<Order> =
        data("schnorr_orders.json")["signatures"].as_array().unwrap().iter().map(order).collect();
    assert_eq!(orders.len(), 64);
    orders
}

#[test]
fn known_signatures() {
    for Order { message, key, signature, challenge: e, secret, nonce } in orders() {
        let message = message.as_bytes();
        assert_eq!(secret.verifying_key(), key);
        assert_eq!(VerifyingKey::from(&secret), key);
        assert_eq!(Scalar256::from(challenge(&signature.r, &key.0, message)), e);
        assert_eq!(secret.sign_with_nonce(message, &nonce), Some(signature));
        assert_eq!(key.statement(message, &signature), Ok((signature.s, e)));
        assert_eq!(key.verify(message, &signature), Ok(()));
    }
}

#[test]
fn statements_in_a_batch() {
    let orders = orders();
    let statements: Vec<_> = orders
        .iter()
        .map(|order| {
            let (s, e) = order.key.statement(order.message.as_bytes(), &order.signature).unwrap();
            (s, e, Point::from(order.key.0))
        })
        .collect();
    let commitments: Vec<_> = orders.iter().map(|order| Point::from(order.signature.r)).collect();
    assert_eq!(mul_add_batch(&statements), commitments);
}

#[test]
fn tampering_is_rejected() {
    let orders = orders();
    for (order, other) in orders.iter().zip(orders.iter().cycle().skip(1)) {
        let Order { message, key, signature, .. } = order;
        let bytes = message.as_bytes();
        let rejected = |key: VerifyingKey, message: &[u8], signature: Signature| {
            assert_eq!(key.verify(message, &signature), Err(SignatureError::Mismatch));
        };
        let mut longer = message.clone();
        longer.push(' ');
        rejected(*key, longer.as_bytes(), *signature);
        rejected(*key, &bytes[1..], *signature);
        rejected(*key, b"", *signature);
        for i in 0..bytes.len() {
            let mut changed = bytes.to_vec();
            changed[i] ^= 1;
            rejected(*key, &changed, *signature);
        }
        rejected(other.key, bytes, *signature);
        rejected(VerifyingKey(-key.0), bytes, *signature);
        rejected(*key, bytes, Signature { r: other.signature.r, ..*signature });
        rejected(*key, bytes, Signature { r: -signature.r, ..*signature });
        rejected(*key, bytes, Signature { s: other.signature.s, ..*signature });
        rejected(*key, bytes, Signature { s: Scalar256::ZERO, ..*signature });
        let negated = Scalar256::from(-Scalar::from(signature.s));
        rejected(*key, bytes, Signature { s: negated, ..*signature });
    }
}

/// The same residue written as another integer: s + m·r below 2²⁵⁶ satisfies the equation and is rejected.
#[test]
fn malleable_scalars_are_rejected() {
    for Order { message, key, signature, .. } in orders() {
        let mut s = signature.s.to_uint();
        for _ in 0..3 {
            s = s.wrapping_add(&ORDER);
            let other = Signature { s: s.into(), ..signature };
            let e = Scalar256::from(challenge(&signature.r, &key.0, message.as_bytes()));
            assert_eq!(Point::mul_add_vartime(&other.s, &e, &key.0.into()), signature.r.into());
            let error = Err(SignatureError::ScalarNotReduced);
            assert_eq!(key.verify(message.as_bytes(), &other), error);
            assert!(key.statement(message.as_bytes(), &other).is_err());
        }
        let largest = Signature { s: Scalar256::MAX, ..signature };
        assert_eq!(key.verify(message.as_bytes(), &largest), Err(SignatureError::ScalarNotReduced));
    }
}

#[test]
fn points_off_the_curve_are_rejected() {
    let Order { message, key, signature, .. } = orders().remove(0);
    for off in [
        AffinePoint::new_unchecked(Fp7::ZERO, Fp7::ZERO),
        AffinePoint::new_unchecked(key.0.x(), key.0.y() + Fp7::ONE),
    ] {
        let error = Err(SignatureError::NotOnCurve);
        assert_eq!(VerifyingKey(off).verify(message.as_bytes(), &signature), error);
        assert_eq!(key.verify(message.as_bytes(), &Signature { r: off, ..signature }), error);
    }
}

/// The challenge sees x only: what the documentation says about negated keys.
#[test]
fn negated_signatures_belong_to_the_negated_key() {
    let Order { message, key, signature, .. } = orders().remove(0);
    let negated = Signature { r: -signature.r, s: (-Scalar::from(signature.s)).into() };
    assert_eq!(VerifyingKey(-key.0).verify(message.as_bytes(), &negated), Ok(()));
}

#[test]
fn signing_is_deterministic_and_separates_inputs() {
    let key = SigningKey::from_scalar(Scalar::from(12_345)).unwrap();
    let other = SigningKey::from_scalar(Scalar::from(12_346)).unwrap();
    let signatures = [
        key.sign(b"a"),
        key.sign(b"b"),
        key.sign(b""),
        key.sign_hedged(b"a", &[0; 32]),
        key.sign_hedged(b"a", &[1; 32]),
        other.sign(b"a"),
    ];
    assert_eq!(key.sign(b"a"), signatures[0]);
    assert_eq!(key.sign_hedged(b"a", &[1; 32]), signatures[4]);
    for (i, a) in signatures.iter().enumerate() {
        for b in &signatures[i + 1..] {
            // Different nonces, up to sign.
            assert_ne!(a.r.x(), b.r.x());
        }
    }
    for (message, signature) in [&b"a"[..], b"b", b"", b"a", b"a"].iter().zip(&signatures) {
        assert_eq!(key.verifying_key().verify(message, signature), Ok(()));
    }
}

/// The Poseidon2 challenge: a value of its own for every input, independent of the SHA-256 one.
#[test]
fn poseidon2_challenge() {
    let hash = ChallengeHash::Poseidon2;
    let (g, h) = (GENERATOR, GENERATOR.double());
    let challenges = [
        hash.challenge(&g, &h, b"a"),
        hash.challenge(&g, &h, b"b"),
        hash.challenge(&h, &g, b"a"),
        hash.challenge(&-g, &h, b"a"),
        hash.challenge(&g, &-h, b"a"),
        challenge(&g, &h, b"a"),
    ];
    for (i, a) in challenges.iter().enumerate() {
        assert!(challenges[i + 1..].iter().all(|b| a != b));
    }
    // Pinned: another value here is another signature scheme.
    assert_eq!(
        Scalar256::from(challenges[0]).to_hex(),
        "0x00000000003d568b095d93adf640cb65d8bb33d79f115a0327279fdd848d3976"
    );
}

#[test]
fn poseidon2_signatures() {
    let hash = ChallengeHash::Poseidon2;
    for Order { message, key, secret, .. } in orders() {
        let message = message.as_bytes();
        let signature = secret.sign_with(hash, message, None);
        assert_eq!(key.verify_with(hash, message, &signature), Ok(()));
        // Neither the signature nor its nonce is that of the other challenge.
        assert_eq!(key.verify(message, &signature), Err(SignatureError::Mismatch));
        assert_ne!(secret.sign(message).r.x(), signature.r.x());
        assert_eq!(key.verify_with(hash, message, &secret.sign(message)), Err(SignatureError::Mismatch));
        assert_eq!(key.verify_with(hash, b"other", &signature), Err(SignatureError::Mismatch));
        let (s, e) = key.statement_with(hash, message, &signature).unwrap();
        assert_eq!(Point::mul_add_vartime(&s, &e, &key.0.into()), signature.r.into());
        // This challenge binds whole points.
        let negated = Signature { r: -signature.r, s: (-Scalar::from(signature.s)).into() };
        assert_eq!(VerifyingKey(-key.0).verify_with(hash, message, &negated), Err(SignatureError::Mismatch));
        let hedged = secret.sign_with(hash, message, Some(&[3; 32]));
        assert_ne!(hedged.r.x(), signature.r.x());
        assert_eq!(key.verify_with(hash, message, &hedged), Ok(()));
    }
}

#[cfg(feature = "signature")]
#[test]
fn traits_of_the_signature_crate() {
    use signature::{Keypair, Signer, Verifier};

    fn check<K>(key: &K, message: &[u8]) -> Signature
    where
        K: Signer<Signature> + Keypair<VerifyingKey: Verifier<Signature>>,
    {
        let signature = key.sign(message);
        assert!(key.verifying_key().verify(message, &signature).is_ok());
        assert!(key.verifying_key().verify(b"other", &signature).is_err());
        signature
    }
    let key = SigningKey::from_scalar(Scalar::from(99)).unwrap();
    assert_eq!(check(&key, b"message"), key.sign(b"message"));
}

/// Secrets near 0 and r, −2 among them: the signer whose key is −2·G.
#[test]
fn extreme_secrets() {
    for delta in 1_u64..6 {
        for secret in [Scalar::from(delta), -Scalar::from(delta)] {
            let key = SigningKey::from_scalar(secret).unwrap();
            for i in 0_u32..50 {
                let message = i.to_le_bytes();
                assert_eq!(key.verifying_key().verify(&message, &key.sign(&message)), Ok(()));
            }
        }
    }
}

#[test]
fn secret_keys() {
    assert_eq!(SigningKey::from_scalar(Scalar::ZERO).unwrap_err(), SecretKeyError::Zero);
    assert_eq!(SigningKey::from_bytes(&[0; 32]).unwrap_err(), SecretKeyError::Zero);
    assert_eq!(SigningKey::from_bytes(&[255; 32]).unwrap_err(), SecretKeyError::NotReduced);
    let order: [u8; 32] = ORDER.to_be_bytes().into();
    assert_eq!(SigningKey::from_bytes(&order).unwrap_err(), SecretKeyError::NotReduced);
    assert_eq!(SigningKey::from_uniform_bytes(&[0; 64]).unwrap_err(), SecretKeyError::Zero);

    let mut bytes = [0; 32];
    bytes[31] = 1;
    let key = SigningKey::from_bytes(&bytes).unwrap();
    assert_eq!(key.verifying_key().0, GENERATOR);
    assert_eq!(*key.to_bytes(), bytes);

    let uniform = SigningKey::from_uniform_bytes(&[7; 64]).unwrap();
    assert_eq!(SigningKey::from_bytes(&uniform.to_bytes()).unwrap().verifying_key(), uniform.verifying_key());
    assert_eq!(uniform.sign_with_nonce(b"a", &Scalar::ZERO), None);
}

#[test]
fn secrets_are_not_printed() {
    let key = SigningKey::from_scalar(Scalar::from(0xdead_beef)).unwrap();
    let text = format!("{key:?}");
    assert!(text.starts_with("SigningKey") && text.contains("public"));
    for secret in ["deadbeef", "3735928559", "secret"] {
        assert!(!text.to_lowercase().contains(secret), "{text}");
    }
}

proptest! {
    #[test]
    fn signatures_verify(secret in any_scalar(), message in prop::collection::vec(any::<u8>(), 0..100)) {
        let Ok(key) = SigningKey::from_scalar(secret.into()) else { return Ok(()) };
        let signature = key.sign(&message);
        prop_assert!(signature.s.to_uint() < ORDER);
        prop_assert_eq!(key.verifying_key().verify(&message, &signature), Ok(()));
        let hedged = key.sign_hedged(&message, &[9; 32]);
        prop_assert_eq!(key.verifying_key().verify(&message, &hedged), Ok(()));
    }
}
