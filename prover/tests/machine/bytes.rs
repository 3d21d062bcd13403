//! Proofs as bytes: one encoding, no panic on others, nothing accepted but the proof.

use septic_prover::DecodeError;
use septic_prover::machine::{Layout, Machine, MachineProof, Record};
use septic_prover::septic_trace::Event;

use crate::{CONFIG, event, machine};

fn sample(layout: Layout) -> (Vec<u8>, Vec<septic_prover::MixedClaim>) {
    let events: Vec<Event> = (0..2).map(event).collect();
    let (proof, claims) = machine(layout).prove(&Record::new(&events)).unwrap();
    (proof.to_bytes().unwrap(), claims)
}

#[test]
fn truncated_and_extended() {
    let (bytes, claims) = sample(Layout::RowPerBit);
    let proof = MachineProof::from_bytes(&bytes).unwrap();
    Machine::new(CONFIG).verify(&claims, &proof).unwrap();
    assert!(MachineProof::is_encoded(&bytes));
    for end in (0..bytes.len()).step_by(97).chain(bytes.len() - 9..bytes.len()) {
        assert!(MachineProof::from_bytes(&bytes[..end]).is_err(), "{end} bytes");
    }
    let mut more = bytes;
    more.push(0);
    assert!(matches!(MachineProof::from_bytes(&more), Err(DecodeError::TrailingBytes { count: 1 })));
}

/// A flipped bit gives bytes that do not decode or a proof that does not verify, with one exception that is no other
/// proof of anything: none is known, so none is allowed but in grinding witnesses.
#[test]
fn flipped_bits() {
    let (bytes, claims) = sample(Layout::RowPerBit);
    let mut accepted = Vec::new();
    for at in (0..bytes.len()).step_by(61) {
        for bit in [0, 6] {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            if let Ok(proof) = MachineProof::from_bytes(&flipped)
                && Machine::new(CONFIG).verify(&claims, &proof).is_ok()
            {
                accepted.push(at);
            }
        }
    }
    assert!(accepted.is_empty(), "{accepted:?}");
}

/// Over-long numbers are another encoding of the same proof, and refused.
#[test]
fn one_encoding() {
    let (bytes, _) = sample(Layout::RowPerBit);
    // The version, 1, follows the magic.
    assert_eq!(bytes[8], 1);
    let mut long = bytes[..8].to_vec();
    long.extend([0x81, 0x00]);
    long.extend(&bytes[9..]);
    assert!(matches!(MachineProof::from_bytes(&long), Err(DecodeError::NotCanonical)));
}

/// A long text in the header is not shown.
#[test]
fn long_headers() {
    let (bytes, _) = sample(Layout::RowPerBit);
    // After magic and version: the length of the crate's version.
    let mut long = bytes[..9].to_vec();
    long.push(120);
    long.extend([b'9'; 120]);
    long.extend(&bytes[10 + usize::from(bytes[9])..]);
    let error = MachineProof::from_bytes(&long).unwrap_err();
    assert!(error.to_string().len() < 100, "{error}");
}

/// Another version, or other circuits.
#[test]
fn headers() {
    let (bytes, _) = sample(Layout::RowPerBit);
    let mut other = bytes.clone();
    other[8] = 2;
    assert!(matches!(MachineProof::from_bytes(&other), Err(DecodeError::Version { expected: 1, got: 2 })));
    // A letter of the crate's version.
    let mut other = bytes.clone();
    other[10] ^= 1;
    assert!(matches!(MachineProof::from_bytes(&other), Err(DecodeError::Circuits { .. })));
    let mut other = bytes;
    other[0] ^= 1;
    assert!(matches!(MachineProof::from_bytes(&other), Err(DecodeError::Magic)));
}
