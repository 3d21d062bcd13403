//! Signs orders, checks them in software, proves all checks in one proof and verifies it.
//!
//! `cargo run --release --example verify_signatures`

#![allow(clippy::print_stdout, reason = "an example that shows what it does")]

use septic_air::curve::schnorr::{SigningKey, verify_batch};
use septic_air::curve::{Point, Scalar};
use septic_air::{ConfigName, Event, Machine, MachineProof, Record, VerifyEvent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys: Vec<SigningKey> =
        (1..=8).map(|secret| SigningKey::from_scalar(Scalar::from(secret))).collect::<Result<_, _>>()?;
    let orders: Vec<_> = (0..100)
        .map(|i| {
            let key = &keys[i % keys.len()];
            let message = format!("BUY {i} @ 3400");
            let signature = key.sign(message.as_bytes());
            (key.verifying_key(), message, signature)
        })
        .collect();

    // In software, all at once.
    verify_batch(&orders)?;

    // In a proof. A signature (R, s) is valid if s·G + e·A = R, where e is a hash of it: one event each.
    let events: Vec<Event> = orders
        .iter()
        .map(|(key, message, signature)| {
            let (s, e) = key.statement(message.as_bytes(), signature)?;
            Ok(VerifyEvent { a: key.0.into(), s, e }.into())
        })
        .collect::<Result<_, septic_air::curve::schnorr::SignatureError>>()?;
    let machine = Machine::new(ConfigName::Secure);
    let (proof, claims) = machine.prove(&Record::new(&events))?;
    let bytes = proof.to_bytes()?;
    println!("proved {} checks in {} kB", claims.len(), bytes.len() / 1000);

    // Whoever verifies knows the orders, computes s and e from them, and expects R as the result.
    for (claim, (_, _, signature)) in claims.iter().zip(&orders) {
        assert_eq!(claim.out, Point::from(signature.r));
    }
    machine.verify(&claims, &MachineProof::from_bytes(&bytes)?)?;
    println!("accepted");
    Ok(())
}
