//! Both backends against plain points. The system calls are a mock's: an executor that checks its operands, written with
//! nothing but additions of points.
#![allow(unsafe_code, reason = "the mock defines the functions that the system calls' backend links to")]
#![allow(clippy::unwrap_used, clippy::missing_panics_doc)]
#![cfg(feature = "external-syscalls")]

use std::sync::atomic::{AtomicUsize, Ordering};

use septic_curve::layout::{decode_point, decode_scalar, encode_point};
use septic_curve::schnorr::{ChallengeHash, Signature, SignatureError, SigningKey, VerifyingKey};
use septic_curve::{Fp7, Point, PointError, Scalar, Scalar256, lift_x, params};
use septic_guest::{Backend, Native, SepticPoint, Syscalls, verify_with};

/// Calls of each kind.
static CALLS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

fn count(kind: usize) {
    CALLS[kind].fetch_add(1, Ordering::Relaxed);
}

fn read(words: &[u64]) -> Point {
    decode_point(words.try_into().unwrap()).expect("the executor refuses what is no point")
}

fn times(s: &[u64], point: Point) -> Point {
    let s = decode_scalar(s.try_into().unwrap());
    (0..256).rev().fold(Point::Identity, |acc, i| acc + acc + if s.bit(i) { point } else { Point::Identity })
}

#[unsafe(no_mangle)]
extern "C" fn syscall_septic_add(p: &mut [u64; 7], q: &[u64; 7]) {
    count(0);
    *p = encode_point(&(read(p) + read(q)));
}

#[unsafe(no_mangle)]
extern "C" fn syscall_septic_double(p: &mut [u64; 7]) {
    count(1);
    *p = encode_point(&(read(p) + read(p)));
}

#[unsafe(no_mangle)]
extern "C" fn syscall_septic_scalar_mul(p: &mut [u64; 7], s: &[u64; 4]) {
    count(2);
    *p = encode_point(&times(s, read(p)));
}

#[unsafe(no_mangle)]
extern "C" fn syscall_septic_verify(buffer: &mut [u64; 15]) {
    count(3);
    let (a, scalars) = buffer.split_at_mut(7);
    let result = times(&scalars[..4], Point::GENERATOR) + times(&scalars[4..], read(a));
    a.copy_from_slice(&encode_point(&result));
}

fn points() -> Vec<Point> {
    let zero = Point::from(lift_x(Fp7::ZERO).unwrap());
    let g = Point::GENERATOR;
    vec![Point::Identity, g, -g, g.double(), zero, -zero, params::DUMMY.into(), params::DIGEST_START.into()]
}

fn scalars() -> Vec<Scalar256> {
    let order = Scalar256::from(params::ORDER);
    let mut scalars = vec![Scalar256::ZERO, Scalar256::ONE, 2.into(), order, Scalar256::MAX];
    scalars.push((-Scalar::ONE).into());
    scalars.push(Scalar256::from_le_limbs([0x9e37_79b9; 8]));
    scalars
}

fn all_operations<B: Backend>() {
    type Words<B> = SepticPoint<B>;
    for p in points() {
        let wp = Words::<B>::from(p);
        assert_eq!(wp.to_point(), Ok(p));
        assert_eq!(wp.is_identity(), p.is_identity());
        assert_eq!(wp.double(), p.double().into());
        assert_eq!(-wp, (-p).into());
        for q in points() {
            let wq = Words::<B>::from(q);
            assert_eq!(wp + wq, (p + q).into());
            assert_eq!(wp - wq, (p - q).into());
            let mut sum = wp;
            sum += wq;
            sum -= wq;
            assert_eq!(sum, wp);
        }
        for s in scalars() {
            assert_eq!(wp * s, p.mul_vartime(&s).into());
            for e in scalars() {
                assert_eq!(Words::<B>::mul_add(&s, &e, &wp), Point::mul_add_vartime(&s, &e, &p).into());
            }
        }
        assert_eq!(wp * Scalar::from(7), p.mul_vartime(&7.into()).into());
    }
    assert_eq!(Words::<B>::GENERATOR, Point::GENERATOR.into());
    assert_eq!(Words::<B>::default(), Words::<B>::IDENTITY);
}

#[test]
fn native_operations() {
    all_operations::<Native>();
}

#[test]
fn system_calls() {
    all_operations::<Syscalls>();
    assert!(CALLS.iter().all(|calls| calls.load(Ordering::Relaxed) > 0));
}

#[test]
fn words_are_checked() {
    let mut words = encode_point(&Point::GENERATOR);
    words[0] += 0x7f00_0001;
    let limb = SepticPoint::<Native>::new(words);
    assert!(matches!(limb, Err(PointError::Limb { coordinate: 'x', index: 0, .. })));
    let mut words = encode_point(&Point::GENERATOR);
    words[3] ^= 1;
    assert_eq!(SepticPoint::<Native>::new(words), Err(PointError::NotOnCurve));
    assert_eq!(SepticPoint::<Native>::new([0; 7]), Ok(SepticPoint::IDENTITY));
}

#[test]
#[should_panic(expected = "an operand is no point of the curve")]
fn a_point_off_the_curve_ends_the_execution() {
    let mut words = encode_point(&Point::GENERATOR);
    words[3] ^= 1;
    let _ = SepticPoint::<Native>::new_unchecked(words).double();
}

fn signatures<B: Backend>() {
    let key = SigningKey::from_scalar(Scalar::from(0x1234_5678)).unwrap();
    let public = key.verifying_key();
    for hash in [ChallengeHash::Sha256, ChallengeHash::Poseidon2] {
        let signature = key.sign_with(hash, b"order", None);
        assert_eq!(verify_with::<B>(hash, &public, b"order", &signature), Ok(()));
        assert_eq!(verify_with::<B>(hash, &public, b"other", &signature), Err(SignatureError::Mismatch));
        let mut long = signature;
        long.s = Scalar256::from(signature.s.to_uint().wrapping_add(&params::ORDER));
        assert_eq!(verify_with::<B>(hash, &public, b"order", &long), Err(SignatureError::ScalarNotReduced));
        let mut other = signature;
        other.r = -signature.r;
        assert_eq!(verify_with::<B>(hash, &public, b"order", &other), Err(SignatureError::Mismatch));
    }
}

#[test]
fn signatures_of_both_backends() {
    signatures::<Native>();
    signatures::<Syscalls>();
}

/// The public signer's signatures.
#[test]
fn signatures_of_the_public_signer() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/schnorr_orders.json");
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let limbs = |v: &serde_json::Value| -> [u32; 7] {
        std::array::from_fn(|i| u32::try_from(v[i].as_u64().unwrap()).unwrap())
    };
    let point = |v: &serde_json::Value| {
        Point::from_canonical(Some((limbs(&v["x"]), limbs(&v["y"])))).unwrap().to_affine().unwrap()
    };
    let mut checked = 0;
    for order in file["signatures"].as_array().unwrap() {
        let key = VerifyingKey(point(&order["public_key"]));
        let s = Scalar256::from_hex(order["s"].as_str().unwrap()).unwrap();
        let signature = Signature { r: point(&order["R"]), s };
        let message = order["message"].as_str().unwrap().as_bytes();
        for verify in [verify_with::<Native>, verify_with::<Syscalls>] {
            assert_eq!(verify(ChallengeHash::Sha256, &key, message, &signature), Ok(()));
        }
        checked += 1;
    }
    assert_eq!(checked, 64);
}

/// The signatures that must be refused and those that must not, of `tests/data/make_negative.py`.
#[test]
fn negative_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/negative_vectors.json");
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let bytes = |value: &serde_json::Value| -> Vec<u8> {
        let text = value.as_str().unwrap();
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
    };
    let groups = file["testGroups"].as_array().unwrap();
    let group = groups.iter().find(|group| group["type"] == "SchnorrVerify").unwrap();
    let mut verdicts = [0, 0];
    for test in group["tests"].as_array().unwrap() {
        let key = VerifyingKey::from_bytes(&bytes(&test["public_key"]));
        let signature = Signature::from_bytes(&bytes(&test["signature"]));
        let valid = test["result"] == "valid";
        let (Ok(key), Ok(signature)) = (key, signature) else {
            assert!(!valid, "{test}");
            continue;
        };
        for verify in [verify_with::<Native>, verify_with::<Syscalls>] {
            let verdict = verify(ChallengeHash::Sha256, &key, &bytes(&test["message"]), &signature);
            assert_eq!(verdict.is_ok(), valid, "{test}");
        }
        verdicts[usize::from(valid)] += 1;
    }
    assert!(verdicts.iter().all(|&count| count >= 20), "{verdicts:?}");
}
