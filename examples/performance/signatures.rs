//! Keys and signatures.

use std::hint::black_box;

use k256::ecdsa::signature::{Signer, Verifier};
use septic_air::curve::Scalar;
use septic_air::curve::schnorr::{ChallengeHash, SigningKey, verify_batch, verify_batch_with};

use crate::bench::{Cell, Table, cell, row};

const MESSAGE: &[u8] = b"BUY 12 @ 3400";

/// Checks signatures of different messages under different keys, all at once.
fn batch(hash: ChallengeHash, count: usize) -> Option<Cell> {
    let entries: Vec<_> = (1..=count as u64)
        .map(|i| {
            let key = SigningKey::from_scalar(Scalar::from(i)).expect("not zero");
            let message = i.to_le_bytes();
            (key.verifying_key(), message, key.sign_with(hash, &message, None))
        })
        .collect();
    cell(move || verify_batch_with(hash, black_box(&entries)).expect("valid")).map(|cell| cell.each_of(count))
}

/// The same with ed25519-dalek.
fn ed25519_batch(count: usize) -> Option<Cell> {
    let messages: Vec<[u8; 8]> = (1..=count as u64).map(u64::to_le_bytes).collect();
    let keys: Vec<ed25519_dalek::SigningKey> =
        messages.iter().map(|message| ed25519_dalek::SigningKey::from_bytes(&array_of(message))).collect();
    let signatures: Vec<ed25519_dalek::Signature> =
        keys.iter().zip(&messages).map(|(key, message)| key.sign(message)).collect();
    let publics: Vec<_> = keys.iter().map(ed25519_dalek::SigningKey::verifying_key).collect();
    let run = move || {
        let messages: Vec<&[u8]> = messages.iter().map(<[u8; 8]>::as_slice).collect();
        ed25519_dalek::verify_batch(&messages, black_box(&signatures), &publics).expect("valid");
    };
    cell(run).map(|cell| cell.each_of(count))
}

fn array_of(message: &[u8; 8]) -> [u8; 32] {
    std::array::from_fn(|i| message[i % 8] ^ 0x5a)
}

pub(crate) fn table() -> Table {
    let hashes = [ChallengeHash::Sha256, ChallengeHash::Poseidon2];
    let key = SigningKey::from_uniform_bytes(&[7; 64]).expect("not zero");
    let public = key.verifying_key();
    let [sha, poseidon] = hashes.map(|hash| key.sign_with(hash, MESSAGE, None));

    let bip340 = k256::schnorr::SigningKey::from_slice(&[7; 32]).expect("a secret key");
    let bip340_signature = bip340.sign_raw(MESSAGE, &[1; 32]).expect("a signature");
    let bip340_public = *bip340.verifying_key();
    let ecdsa = k256::ecdsa::SigningKey::from_slice(&[7; 32]).expect("a secret key");
    let ecdsa_signature: k256::ecdsa::Signature = ecdsa.sign(MESSAGE);
    let ecdsa_public = *ecdsa.verifying_key();
    let ed = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let ed_signature = ed.sign(MESSAGE);
    let ed_public = ed.verifying_key();

    let rows = vec![
        row(
            "key from bytes",
            [
                cell(|| SigningKey::from_uniform_bytes(black_box(&[7; 64]))),
                None,
                cell(|| k256::schnorr::SigningKey::from_slice(black_box(&[7; 32]))),
                cell(|| k256::ecdsa::SigningKey::from_slice(black_box(&[7; 32]))),
                cell(|| ed25519_dalek::SigningKey::from_bytes(black_box(&[7; 32]))),
            ],
        ),
        row(
            "sign",
            [
                cell({
                    let key = key.clone();
                    move || key.sign(black_box(MESSAGE))
                }),
                cell(move || key.sign_with(ChallengeHash::Poseidon2, black_box(MESSAGE), None)),
                cell(move || bip340.sign_raw(black_box(MESSAGE), &[1; 32])),
                cell(move || Signer::<k256::ecdsa::Signature>::sign(&ecdsa, black_box(MESSAGE))),
                cell(move || ed.sign(black_box(MESSAGE))),
            ],
        ),
        row(
            "verify",
            [
                cell(move || public.verify(black_box(MESSAGE), &sha).expect("valid")),
                cell(move || {
                    public
                        .verify_with(ChallengeHash::Poseidon2, black_box(MESSAGE), &poseidon)
                        .expect("valid");
                }),
                cell(move || bip340_public.verify_raw(black_box(MESSAGE), &bip340_signature).expect("valid")),
                cell(move || {
                    Verifier::verify(&ecdsa_public, black_box(MESSAGE), &ecdsa_signature).expect("valid")
                }),
                cell(move || Verifier::verify(&ed_public, black_box(MESSAGE), &ed_signature).expect("valid")),
            ],
        ),
        row(
            "verify a batch, each of 64",
            [batch(hashes[0], 64), batch(hashes[1], 64), None, None, ed25519_batch(64)],
        ),
        row(
            "verify a batch, each of 1,000",
            [batch(hashes[0], 1000), batch(hashes[1], 1000), None, None, ed25519_batch(1000)],
        ),
        row(
            "the same under one key",
            [
                {
                    let key = SigningKey::from_scalar(Scalar::from(9)).expect("not zero");
                    let entries: Vec<_> = (0..1000_u64)
                        .map(|i| (key.verifying_key(), i.to_le_bytes(), key.sign(&i.to_le_bytes())))
                        .collect();
                    cell(move || verify_batch(black_box(&entries)).expect("valid"))
                        .map(|cell| cell.each_of(1000))
                },
                None,
                None,
                None,
                None,
            ],
        ),
    ];
    let columns = vec!["septic-curve", "with Poseidon2", "k256, BIP 340", "k256, ECDSA", "ed25519-dalek"];
    Table { columns, rows, ratios: false }
}
