//! What allocates and what does not. Everything about one number, one point or one signature works on the stack.

use allocation_counter::measure;
use crypto_bigint::U512;
use septic_curve::multiply::{mul_constant_time, mul_generator_constant_time};
use septic_curve::params::GENERATOR;
use septic_curve::schnorr::{ChallengeHash, SigningKey, VerifyingKey, verify_batch};
use septic_curve::{Point, ProjectivePoint, Scalar, Scalar256, mul_add_batch};

/// Runs an operation, which must not allocate.
#[track_caller]
fn without<T>(name: &str, operation: impl FnOnce() -> T) -> T {
    let mut out = None;
    let info = measure(|| out = Some(operation()));
    assert_eq!(info.count_total, 0, "{name}: {info:?}");
    out.expect("it ran")
}

/// Number of allocations of an operation.
fn count<T>(operation: impl FnOnce() -> T) -> u64 {
    let mut out = None;
    let info = measure(|| out = Some(operation()));
    drop(out);
    info.count_total
}

#[test]
fn scalars_do_not_allocate() {
    let (a, b) = (Scalar::from(0x1234_5678_9abc), -Scalar::from(77));
    let _ = without("add, sub, neg, mul", || (a + b, a - b, -a, a * b, a.square(), a.double()));
    let wide = U512::from_be_slice(&[0xab; 64]);
    let _ = without("reduce", || (Scalar::reduce_wide(&wide), Scalar::from(Scalar256::MAX)));
    let _ = without("invert", || (a.invert(), a.invert_vartime(), Scalar::ZERO.invert()));
    let _ = without("pow", || (a.pow(&b.to_uint()), a.pow_vartime(&b.to_uint())));
    let _ = without("sqrt", || (a.square().try_sqrt(), (-a.square()).try_sqrt()));
    let _ = without("bytes", || {
        (
            Scalar::from_bytes(&a.to_bytes()),
            Scalar::from_le_limbs(b.to_le_limbs()),
            Scalar::from_bytes(&[255; 32]),
        )
    });
}

#[test]
fn elements_and_points_do_not_allocate() {
    let (x, y) = (GENERATOR.x(), GENERATOR.y());
    let _ =
        without("field", || (x + y, x - y, x * y, x.dot_mul(&y), x.dot_square(), x.frobenius(3), x.norm()));
    let _ = without("inverse and root", || (x.try_inverse(), x.inv0_packed(), x.try_sqrt(), y.is_square()));

    let p = Point::GENERATOR.double();
    let (s, e) = (Scalar256::MAX, Scalar256::from(-Scalar::from(5)));
    let _ = without("group law", || (p + Point::GENERATOR, p + p, p - p, p.double(), -p));
    let projective = ProjectivePoint::from(p);
    let _ = without("projective", || (projective + projective, projective.double(), projective.to_point()));
    let _ = without("products", || {
        (p.mul_vartime(&s), Point::mul_generator_vartime(&s), Point::mul_add_vartime(&s, &e, &p))
    });
    let secret = Scalar::from(e);
    let _ = without("products with secrets", || {
        (mul_constant_time(&secret, &p), mul_generator_constant_time(&secret))
    });
    let _ = without("encodings", || {
        let (short, long) = (p.to_compressed(), p.to_uncompressed());
        (Point::decode(&short), Point::decode(&long), Point::decode(&long[1..]))
    });
    without("hash to curve", || Point::hash_to_curve(b"message", b"tag"));
}

#[test]
fn one_signature_does_not_allocate() {
    let key = without("key", || SigningKey::from_uniform_bytes(&[7; 64])).expect("a key");
    let public: VerifyingKey = key.verifying_key();
    for hash in [ChallengeHash::Sha256, ChallengeHash::Poseidon2] {
        // The constants of the permutation are made once.
        let _ = key.sign_with(hash, b"first", None);
        let signature = without("sign", || key.sign_with(hash, b"an order", None));
        without("hedged", || key.sign_with(hash, b"an order", Some(&[3; 32])));
        without("verify", || public.verify_with(hash, b"an order", &signature)).expect("valid");
        without("reject", || public.verify_with(hash, b"another", &signature)).expect_err("not valid");
    }
}

/// Lists take memory for their tables, the number of allocations does not grow with their length.
#[test]
fn lists_allocate_a_few_times() {
    let key = SigningKey::from_scalar(Scalar::from(99)).expect("a key");
    let entries = |n: usize| -> Vec<_> {
        let message = |i: usize| i.to_le_bytes();
        (0..n).map(|i| (key.verifying_key(), message(i), key.sign(&message(i)))).collect()
    };
    let (some, many) = (entries(300), entries(3000));
    let of = |batch| count(|| verify_batch(batch).expect("valid"));
    let (of_some, of_many) = (of(&some[..]), of(&many[..]));
    assert!(0 < of_some && of_some < 400 && of_many < 400, "{of_some} and {of_many}");

    let mut scalars = vec![Scalar::from(3); 1000];
    assert_eq!(count(|| Scalar::batch_invert(&mut scalars)), 1);
    let terms = vec![(Scalar256::MAX, Scalar256::ONE, Point::GENERATOR); 512];
    let of_terms = count(|| mul_add_batch(&terms));
    assert!(of_terms < 10, "{of_terms}");
}
