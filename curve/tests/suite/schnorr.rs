//! Signatures: known answers of the public signer, rejections, determinism.

use proptest::prelude::*;
use septic_curve::params::{GENERATOR, ORDER};
use septic_curve::schnorr::{
    BatchError, ChallengeHash, SecretKeyError, Signature, SignatureError, SigningKey, VerifyingKey,
    challenge, verify_batch, verify_batch_with,
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

/// Nonces by the documented formula, computed with another language's SHA-512 and integers.
#[test]
fn known_nonces() {
    use ChallengeHash::{Poseidon2, Sha256};

    let plain = [
        (Sha256, "0x0000000001c347dc36aaaec17be9b25a722c3079920dd951b58307e5a0db91b3"),
        (Poseidon2, "0x0000000000ae7ac020fa1ba98b465fdd306cc3ae4e97da5d0ce1b932b367be93"),
    ];
    let key = SigningKey::from_scalar(Scalar::from(42)).unwrap();
    for (hash, nonce) in plain {
        let nonce = Scalar::from(Scalar256::from_hex(nonce).unwrap());
        let commitment = Point::mul_generator_vartime(&nonce.into());
        assert_eq!(Point::from(key.sign_with(hash, b"SELL 3 ETH", None).r), commitment);
    }
    let key = SigningKey::from_scalar(-Scalar::ONE).unwrap();
    let nonce = "0x00000000017c0b16fd7c1e42f056be3aa021dad6f140b03fdf74cfa52205f1f6";
    let nonce = Scalar::from(Scalar256::from_hex(nonce).unwrap());
    assert_eq!(Some(key.sign_hedged(b"", &[7; 32])), key.sign_with_nonce(b"", &nonce));
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
    let signature = key.sign(b"message");
    let bytes = signature::SignatureEncoding::to_bytes(&signature);
    assert_eq!(Signature::try_from(&bytes[..]), Ok(signature));
}

/// Randomness: keys differ, hedged signatures too, and a source that fails is an error.
#[cfg(all(feature = "signature", feature = "rand_core"))]
#[test]
fn sources_of_random_numbers() {
    use rand_core::{TryCryptoRng, TryRng};
    use signature::RandomizedSigner;

    /// Counts, and fails from a number on.
    struct Source(u8);

    impl TryRng for Source {
        type Error = core::fmt::Error;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            unreachable!()
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            unreachable!()
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            self.0 += 1;
            if self.0 > 4 {
                return Err(core::fmt::Error);
            }
            bytes.fill(self.0);
            Ok(())
        }
    }

    impl TryCryptoRng for Source {}

    // A source that begins with zeros, which make no key.
    struct ZerosFirst(bool);

    impl TryRng for ZerosFirst {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            unreachable!()
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            unreachable!()
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            bytes.fill(u8::from(self.0));
            self.0 = true;
            Ok(())
        }
    }

    impl TryCryptoRng for ZerosFirst {}

    let mut source = Source(0);
    let (one, two) = (SigningKey::random(&mut source).unwrap(), SigningKey::random(&mut source).unwrap());
    assert_ne!(one, two);
    assert_eq!(one, SigningKey::from_uniform_bytes(&[1; 64]).unwrap());
    let hedged: Signature = one.try_sign_with_rng(&mut source, b"message").unwrap();
    assert_eq!(hedged, one.sign_hedged(b"message", &[3; 32]));
    let other: Signature = one.try_sign_with_rng(&mut source, b"message").unwrap();
    assert_ne!(hedged, other);
    assert!(one.try_sign_with_rng(&mut source, b"message").is_err());
    assert!(SigningKey::random(&mut source).is_err());
    let Ok(key) = SigningKey::random(&mut ZerosFirst(false));
    assert_eq!(key, SigningKey::from_uniform_bytes(&[1; 64]).unwrap());
}

/// Bytes of keys and signatures: round trips of the public signer's, and every byte changed.
#[test]
fn bytes_of_keys_and_signatures() {
    for Order { message, key, signature, .. } in orders() {
        let bytes = signature.to_bytes();
        assert_eq!(Signature::from_bytes(&bytes), Ok(signature));
        assert_eq!(<[u8; 61]>::from(signature), bytes);
        assert_eq!(VerifyingKey::from_bytes(&key.to_bytes()), Ok(key));
        assert_eq!(VerifyingKey::from_bytes(&key.0.to_uncompressed()), Ok(key));
        for i in 0..bytes.len() {
            let mut changed = bytes;
            changed[i] ^= 1;
            if let Ok(changed) = Signature::from_bytes(&changed) {
                let verdict = key.verify(message.as_bytes(), &changed);
                assert_eq!(verdict, Err(SignatureError::Mismatch), "byte {i}");
            }
        }
    }
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

/// Entries of a batch: n signatures under `keys` keys.
fn entries(hash: ChallengeHash, n: usize, keys: usize) -> Vec<(VerifyingKey, String, Signature)> {
    let entry = |i: usize| {
        let key = SigningKey::from_scalar(Scalar::from(1 + (i % keys) as u64)).unwrap();
        let message = format!("order {i}");
        let signature = key.sign_with(hash, message.as_bytes(), None);
        (key.verifying_key(), message, signature)
    };
    (0..n).map(entry).collect()
}

fn mismatches(indices: &[usize]) -> Vec<(usize, SignatureError)> {
    indices.iter().map(|&index| (index, SignatureError::Mismatch)).collect()
}

fn invalid(error: Result<(), BatchError>) -> Vec<(usize, SignatureError)> {
    error.map_or_else(|error| error.invalid().to_vec(), |()| Vec::new())
}

/// Lengths around those where the way of checking changes, one wrong signature at each of several positions.
#[test]
fn a_batch_names_the_wrong_signature() {
    for hash in [ChallengeHash::Sha256, ChallengeHash::Poseidon2] {
        for n in [0, 1, 2, 5, 6, 7, 8, 12, 13, 15, 16, 17, 31, 33, 100] {
            for keys in [n.max(1), 3] {
                let valid = entries(hash, n, keys);
                assert_eq!(verify_batch_with(hash, &valid), Ok(()), "{n} of {keys} keys");
                let positions: &[usize] =
                    if n < 10 { &[0, 1, 2, 3, 4] } else { &[0, 1, n / 2, n - 2, n - 1] };
                for &wrong in positions.iter().filter(|&&wrong| wrong < n) {
                    let mut batch = valid.clone();
                    batch[wrong].1.push('!');
                    let error = verify_batch_with(hash, &batch);
                    assert_eq!(invalid(error), mismatches(&[wrong]), "{n} of {keys} keys");
                }
            }
        }
    }
}

#[test]
fn a_batch_names_every_reason() {
    let mut batch = entries(ChallengeHash::Sha256, 40, 7);
    let off_curve = AffinePoint::new_unchecked(GENERATOR.x(), GENERATOR.x());
    batch[3].2.s = Scalar256::MAX;
    batch[11].0 = VerifyingKey(off_curve);
    batch[12].2.r = off_curve;
    batch[13].2.s = Scalar256::ZERO;
    batch[14].2.r = -batch[14].2.r;
    batch[39].0 = batch[38].0;
    let error = verify_batch(&batch).unwrap_err();
    let expected = [
        (3, SignatureError::ScalarNotReduced),
        (11, SignatureError::NotOnCurve),
        (12, SignatureError::NotOnCurve),
        (13, SignatureError::Mismatch),
        (14, SignatureError::Mismatch),
        (39, SignatureError::Mismatch),
    ];
    assert_eq!(error.invalid(), expected);
    assert_eq!(
        error.to_string(),
        "signature 3 of the batch is not valid: s is not below the order of the curve (6 invalid in all)"
    );
    // Each entry has the answer of its single check.
    for (index, (key, message, signature)) in batch.iter().enumerate() {
        let single = expected.iter().find(|(i, _)| *i == index).map_or(Ok(()), |(_, error)| Err(*error));
        assert_eq!(key.verify(message.as_bytes(), signature), single);
    }
    assert_eq!(verify_batch(&batch[15..39]), Ok(()));
}

/// Faults that add up to nothing are found: the coefficients differ.
#[test]
fn faults_that_cancel_are_found() {
    let mut batch = entries(ChallengeHash::Sha256, 20, 20);
    for (index, fault) in [(5, Scalar::ONE), (6, -Scalar::ONE)] {
        let s = Scalar::from(batch[index].2.s) + fault;
        batch[index].2.s = s.into();
    }
    assert_eq!(invalid(verify_batch(&batch)), mismatches(&[5, 6]));
}

/// Equal and opposite points meet in the sums: the same signature many times, and its negative under −A.
#[test]
fn repeated_and_negated_signatures() {
    let (key, message, signature) = entries(ChallengeHash::Sha256, 1, 1).remove(0);
    let negated = Signature { r: -signature.r, s: (-Scalar::from(signature.s)).into() };
    let mut batch: Vec<_> = (0..70)
        .map(|i| {
            if i % 2 == 0 {
                (key, message.as_str(), signature)
            } else {
                (VerifyingKey(-key.0), message.as_str(), negated)
            }
        })
        .collect();
    assert_eq!(verify_batch(&batch), Ok(()));
    for wrong in [0, 33, 69] {
        batch[wrong].1 = "another";
    }
    assert_eq!(invalid(verify_batch(&batch)), mismatches(&[0, 33, 69]));
    // None is right.
    batch.iter_mut().for_each(|entry| entry.1 = "another");
    assert_eq!(verify_batch(&batch).unwrap_err().invalid().len(), 70);
}

/// The half-size check against the group law, for signatures that are related to the generator in every way and for
/// challenges at the ends.
#[test]
fn single_checks_of_related_points() {
    let g = Point::GENERATOR;
    for secret in [1_u64, 2, 3, 4, 15, 16, 17] {
        for negative in [false, true] {
            let secret = if negative { -Scalar::from(secret) } else { Scalar::from(secret) };
            let key = SigningKey::from_scalar(secret).unwrap();
            for nonce in [1_u64, 2, 3, 5, 16] {
                for nonce in [Scalar::from(nonce), -Scalar::from(nonce), secret, -secret] {
                    let signature = key.sign_with_nonce(b"related", &nonce).unwrap();
                    let public = key.verifying_key();
                    assert_eq!(public.verify(b"related", &signature), Ok(()));
                    let (s, e) = public.statement(b"related", &signature).unwrap();
                    assert_eq!(g.mul_vartime(&s) + Point::from(public.0).mul_vartime(&e), signature.r.into());
                    for wrong in [Scalar::ZERO, Scalar::ONE, -nonce, Scalar::from(s) + Scalar::ONE] {
                        let wrong = Signature { s: wrong.into(), ..signature };
                        let holds = g.mul_vartime(&wrong.s) + Point::from(public.0).mul_vartime(&e);
                        assert_eq!(
                            public.verify(b"related", &wrong).is_ok(),
                            holds == Point::from(signature.r)
                        );
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Any set of damaged entries is named.
    #[test]
    fn batches_name_what_is_damaged(damaged in prop::collection::vec(prop::bool::weighted(0.1), 0..60), keys in 1_usize..60) {
        let mut batch = entries(ChallengeHash::Sha256, damaged.len(), keys);
        let mut expected = Vec::new();
        for (index, _) in damaged.iter().enumerate().filter(|(_, damaged)| **damaged) {
            batch[index].2.s = (Scalar::from(batch[index].2.s) + Scalar::from(index as u64 + 1)).into();
            expected.push(index);
        }
        prop_assert_eq!(invalid(verify_batch(&batch)), mismatches(&expected));
    }
}
