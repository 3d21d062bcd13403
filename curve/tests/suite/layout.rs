//! Memory layouts.

use proptest::prelude::*;
use septic_curve::layout::{
    VerifyInput, decode_point, decode_scalar, decode_verify, encode_point, encode_scalar, encode_verify,
};
use septic_curve::params::GENERATOR;
use septic_curve::{Fp7, Point, PointError, Scalar256, lift_x};

use crate::support::{P, any_point, any_scalar};

proptest! {
    #[test]
    fn round_trips(a in any_point(), s in any_scalar(), e in any_scalar()) {
        prop_assert_eq!(decode_point(&encode_point(&a)), Ok(a));
        prop_assert_eq!(decode_scalar(&encode_scalar(&s)), s);
        let input = VerifyInput { a, s, e };
        let words = encode_verify(&input);
        prop_assert_eq!(decode_verify(&words), Ok(input));
        prop_assert_eq!(&words[..7], &encode_point(&a));
        prop_assert_eq!(&words[7..11], &encode_scalar(&s));
        prop_assert_eq!(&words[11..], &encode_scalar(&e));
    }

    #[test]
    fn scalars_are_all_words(words in prop::array::uniform4(any::<u64>())) {
        let scalar = decode_scalar(&words);
        prop_assert_eq!(encode_scalar(&scalar), words);
        for i in 0..256 {
            prop_assert_eq!(scalar.bit(i), words[i / 64] >> (i % 64) & 1 == 1);
        }
    }
}

/// The bytes of memory are the 14 limbs, each little-endian, in order.
#[test]
fn bytes_of_a_point() {
    let words = encode_point(&GENERATOR.into());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (x, y) = GENERATOR.to_canonical();
    let limbs: Vec<u8> = x.iter().chain(&y).flat_map(|limb| limb.to_le_bytes()).collect();
    assert_eq!(bytes, limbs);
}

#[test]
fn identity_is_all_zeros_and_nothing_else() {
    assert_eq!(encode_point(&Point::Identity), [0; 7]);
    assert_eq!(decode_point(&[0; 7]), Ok(Point::Identity));
    for i in 0..7 {
        for shift in [0, 32] {
            let mut words = [0; 7];
            words[i] = 1 << shift;
            assert_eq!(decode_point(&words), Err(PointError::NotOnCurve));
        }
    }
    // Seven zero limbs of x are a point, not the identity.
    let point = Point::from(lift_x(Fp7::ZERO).unwrap());
    let words = encode_point(&point);
    assert_eq!(&words[..3], [0; 3]);
    assert_eq!(decode_point(&words), Ok(point));
}

#[test]
fn decoding_is_strict() {
    let words = encode_point(&GENERATOR.into());
    for i in 0..14 {
        let shift = 32 * (i % 2);
        let (coordinate, index) = if i < 7 { ('x', i) } else { ('y', i - 7) };
        for value in [P, u32::MAX] {
            let mut bad = words;
            bad[i / 2] &= !(u64::from(u32::MAX) << shift);
            bad[i / 2] |= u64::from(value) << shift;
            let error = PointError::Limb { coordinate, index, value };
            assert_eq!(decode_point(&bad), Err(error));
            let mut buffer = [0; 15];
            buffer[..7].copy_from_slice(&bad);
            assert_eq!(decode_verify(&buffer), Err(error));
        }
        let mut moved = words;
        moved[i / 2] ^= 1 << shift;
        assert_eq!(decode_point(&moved), Err(PointError::NotOnCurve));
    }
    // p in a limb that is otherwise zero: congruent to the identity, and rejected.
    assert!(matches!(decode_point(&[P.into(), 0, 0, 0, 0, 0, 0]), Err(PointError::Limb { .. })));
}

#[test]
fn verify_buffer_of_zeros() {
    let input = VerifyInput { a: Point::Identity, s: Scalar256::ZERO, e: Scalar256::ZERO };
    assert_eq!(decode_verify(&[0; 15]), Ok(input));
    assert_eq!(encode_verify(&input), [0; 15]);
}
