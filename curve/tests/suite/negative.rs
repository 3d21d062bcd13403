//! Encodings and signatures that must be refused, beside ones that must not: `tests/data/negative_vectors.json`, in the shape of
//! Wycheproof's files. `make_negative.py` beside it made it, a program that shares nothing with this crate.

use std::collections::BTreeMap;

use septic_curve::schnorr::{ChallengeHash, Signature, SignatureError, VerifyingKey, verify_batch};
use septic_curve::{Point, Scalar};
use serde_json::Value;

use crate::support::{data, point};

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The tests of all groups of a type: valid?, the test.
fn tests(kind: &str) -> Vec<(bool, Value)> {
    let file = data("negative_vectors.json");
    let groups = file["testGroups"].as_array().unwrap();
    let tests: Vec<(bool, Value)> = groups
        .iter()
        .filter(|group| group["type"] == kind)
        .flat_map(|group| group["tests"].as_array().unwrap().clone())
        .map(|test| match test["result"].as_str().unwrap() {
            "valid" => (true, test),
            "invalid" => (false, test),
            other => panic!("{other}"),
        })
        .collect();
    let (valid, invalid): (Vec<_>, Vec<_>) = tests.iter().partition(|(valid, _)| *valid);
    assert!(valid.len() >= 4 && invalid.len() >= 5, "{kind}: {} valid, {} not", valid.len(), invalid.len());
    tests
}

#[test]
fn the_file_is_whole() {
    let file = data("negative_vectors.json");
    let mut flags: BTreeMap<String, usize> = BTreeMap::new();
    let mut expected_id = 0;
    for group in file["testGroups"].as_array().unwrap() {
        for test in group["tests"].as_array().unwrap() {
            expected_id += 1;
            assert_eq!(test["tcId"], expected_id);
            for flag in test["flags"].as_array().unwrap() {
                *flags.entry(flag.as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    assert_eq!(file["numberOfTests"], expected_id);
    assert!(expected_id >= 800, "{expected_id} tests");
    for flag in flags.keys() {
        assert!(file["notes"][flag].is_string(), "no note on {flag}");
    }
}

#[test]
fn points() {
    for (valid, test) in tests("PointDecode") {
        let bytes = bytes(&test["encoding"]);
        let decoded = Point::decode(&bytes);
        assert_eq!(decoded.is_ok(), valid, "{test}: {decoded:?}");
        let by_length = if let Ok(bytes) = bytes[..].try_into() {
            Point::from_compressed(bytes).ok()
        } else if let Ok(bytes) = bytes[..].try_into() {
            Point::from_uncompressed(bytes).ok()
        } else {
            None
        };
        assert_eq!(by_length, decoded.ok(), "{test}");
        // A key is any point but the identity.
        let key = VerifyingKey::from_bytes(&bytes);
        assert_eq!(key.is_ok(), decoded.is_ok_and(|point| !point.is_identity()), "{test}: {key:?}");
        if let Ok(decoded) = decoded {
            assert_eq!(decoded, point(&test["point"]), "{test}");
            // There is one encoding of each length.
            let again: &[u8] = match bytes.len() {
                29 => &decoded.to_compressed(),
                _ => &decoded.to_uncompressed(),
            };
            assert_eq!(again, bytes, "{test}");
        }
        #[cfg(feature = "group")]
        if bytes.len() == 29 {
            use group::GroupEncoding;

            let repr = bytes[..].try_into().map(septic_curve_repr::<Point>).unwrap();
            assert_eq!(bool::from(Point::from_bytes(&repr).is_some()), valid, "{test}");
            let unchecked: Option<Point> = Point::from_bytes_unchecked(&repr).into();
            assert_eq!(unchecked, decoded.ok(), "{test}");
        }
    }
}

/// The representation of a group's element with these bytes.
#[cfg(feature = "group")]
fn septic_curve_repr<G: group::GroupEncoding>(bytes: [u8; 29]) -> G::Repr {
    let mut repr = G::Repr::default();
    repr.as_mut().copy_from_slice(&bytes);
    repr
}

#[test]
fn scalars() {
    for (valid, test) in tests("ScalarDecode") {
        let encoding: [u8; 32] = bytes(&test["encoding"]).try_into().unwrap();
        let scalar = Scalar::from_bytes(&encoding);
        assert_eq!(scalar.is_some(), valid, "{test}");
        assert!(scalar.is_none_or(|scalar| scalar.to_bytes() == encoding), "{test}");
        #[cfg(feature = "group")]
        {
            use ff::PrimeField;
            assert_eq!(bool::from(Scalar::from_repr(encoding).is_some()), valid, "{test}");
        }
    }
}

#[test]
fn signatures() {
    let mut batch = Vec::new();
    let mut verdicts = Vec::new();
    for (valid, test) in tests("SchnorrVerify") {
        let message = bytes(&test["message"]);
        let key = VerifyingKey::from_bytes(&bytes(&test["public_key"]));
        let signature = Signature::from_bytes(&bytes(&test["signature"]));
        let (Ok(key), Ok(signature)) = (key, signature) else {
            assert!(!valid, "{test}: {key:?} {signature:?}");
            continue;
        };
        let verdict = key.verify(&message, &signature);
        assert_eq!(verdict.is_ok(), valid, "{test}: {verdict:?}");
        // The equation itself, by other code.
        let (s, e) = key.statement(&message, &signature).unwrap();
        let sum = Point::GENERATOR.mul_vartime(&s) + Point::from(key.0).mul_vartime(&e);
        assert_eq!(sum == signature.r.into(), valid, "{test}");
        assert_eq!(
            key.verify_with(ChallengeHash::Poseidon2, &message, &signature),
            Err(SignatureError::Mismatch),
            "{test}"
        );
        batch.push((key, message, signature));
        verdicts.push(valid);
    }
    assert!(batch.len() > 30);
    // All at once: the same ones are named.
    let error = verify_batch(&batch).unwrap_err();
    let named: Vec<usize> = error.invalid().iter().map(|&(index, _)| index).collect();
    let expected: Vec<usize> = (0..verdicts.len()).filter(|&i| !verdicts[i]).collect();
    assert_eq!(named, expected);
    batch.retain({
        let mut verdicts = verdicts.into_iter();
        move |_| verdicts.next().unwrap()
    });
    assert_eq!(verify_batch(&batch), Ok(()));
}
