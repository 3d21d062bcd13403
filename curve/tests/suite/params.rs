//! Every constant follows from its definition.

use crypto_bigint::{NonZero, U256};
use septic_curve::params::{
    CORRECTION_STEPS, CURVE_A, CURVE_B, DIGEST_START, DUMMY, GENERATOR, GENERATOR_OFFSETS, HALF_CORRECTIONS,
    HALF_GENERATOR, HALF_STEPS, OFFSETS, ORDER, ORDER_BITS, SCALAR_MUL_CORRECTIONS, VERIFY_CORRECTIONS,
};
use septic_curve::{AffinePoint, Fp7, Point, Scalar, Scalar256, lift_x, multiply};
use sha2::{Digest, Sha256};

use crate::support::P;

fn times(point: AffinePoint, scalar: U256) -> Point {
    Point::from(point).mul_vartime(&scalar.into())
}

/// s·P by double-and-add with the affine group law over all 256 bits: nothing shared with the fast code.
fn times_plainly(point: AffinePoint, scalar: &Scalar256) -> Point {
    (0..256).rev().fold(Point::Identity, |acc, i| {
        let acc = acc.double();
        if scalar.bit(i) { acc + point.into() } else { acc }
    })
}

#[test]
fn curve() {
    assert_eq!(CURVE_A, 45);
    assert_eq!(CURVE_B.to_canonical(), [0, 0, 0, 41, 0, 0, 0]);
    let x = GENERATOR.x();
    let a = Fp7::from_u32s([CURVE_A, 0, 0, 0, 0, 0, 0]);
    assert_eq!(GENERATOR.y() * GENERATOR.y(), x * x * x + a * x + CURVE_B);
}

#[test]
fn order() {
    let decimal = "199372529839252601278447397890876471698671718266839763841250021879";
    let value = decimal.bytes().fold(U256::ZERO, |value, digit| {
        value.wrapping_mul(&U256::from(10_u8)).wrapping_add(&U256::from(digit - b'0'))
    });
    assert_eq!(value, ORDER);
    assert_eq!(ORDER.bit_width(), ORDER_BITS);
    // The modulus of Scalar is the same number.
    assert_eq!(Scalar::reduce(&ORDER), Scalar::ZERO);
    assert_eq!((-Scalar::ONE).to_uint(), ORDER.wrapping_sub(&U256::ONE));
    // Hasse: |r − (p⁷ + 1)| ≤ 2·p^(7/2), squared on both sides.
    let p7 = (0..7).fold(U256::ONE, |product, _| product.wrapping_mul(&U256::from(P)));
    let count = p7.wrapping_add(&U256::ONE);
    let trace = if count > ORDER { count.wrapping_sub(&ORDER) } else { ORDER.wrapping_sub(&count) };
    assert!(trace.bit_width() <= 110, "the trace of Frobenius has at most 110 bits");
    // r·P is the identity for points of all kinds; r is prime, so this is their order.
    for point in [GENERATOR, DIGEST_START, DUMMY, OFFSETS[0], OFFSETS[1]] {
        assert_eq!(times_plainly(point, &ORDER.into()), Point::Identity);
        assert_ne!(times_plainly(point, &Scalar256::ONE), Point::Identity);
    }
}

#[test]
fn known_points() {
    let digits = |hex: [u32; 7], plus: u32| {
        let mut limbs = hex;
        limbs[0] += plus;
        limbs
    };
    let sqrt2 = [0x141_4213, 0x562_3730, 0x950_4880, 0x168_8724, 0x209_6980, 0x785_6967, 0x187_5376];
    let sqrt3 = [0x173_2050, 0x807_5688, 0x772_9352, 0x744_6341, 0x505_8723, 0x669_4280, 0x525_3810];
    let e = [0x271_8281, 0x828_4590, 0x452_3536, 0x028_7471, 0x352_6624, 0x977_5724, 0x709_3699];
    assert_eq!(GENERATOR.x().to_canonical(), digits(sqrt2, 0));
    assert_eq!(DIGEST_START.x().to_canonical(), digits(sqrt3, 0));
    assert_eq!(DUMMY.x().to_canonical(), digits(e, 1 << 24));
    for point in [GENERATOR, DIGEST_START, DUMMY] {
        assert!(point.is_on_curve());
    }
}

#[test]
fn half_generator() {
    let half = ORDER.wrapping_add(&U256::ONE).shr(1);
    assert_eq!(times_plainly(GENERATOR, &half.into()), HALF_GENERATOR.into());
    assert_eq!(HALF_GENERATOR.double(), GENERATOR);
}

/// The first x on E from the hashes of `tag/i/k`, with the canonical root as y.
fn hash_to_point(tag: &str) -> AffinePoint {
    let p = NonZero::new(U256::from(P)).unwrap();
    (0..)
        .find_map(|i| {
            let x = core::array::from_fn(|k| {
                let digest = Sha256::digest(format!("{tag}/{i}/{k}"));
                let residue = U256::from_be_slice(&digest).rem_vartime(&p);
                Scalar256::from(residue).to_le_limbs()[0]
            });
            lift_x(Fp7::from_u32s(x))
        })
        .unwrap()
}

#[test]
fn offsets() {
    for (j, offset) in OFFSETS.iter().enumerate() {
        assert_eq!(hash_to_point(&format!("septic-offset-{j}")), *offset);
        assert!(offset.is_on_curve());
    }
}

#[test]
fn corrections() {
    let shift = U256::ONE.shl(CORRECTION_STEPS);
    let ones = shift.wrapping_sub(&U256::ONE);
    for j in 0..2 {
        let moved = (0..CORRECTION_STEPS).fold(Point::from(OFFSETS[j]), |point, _| point.double());
        assert_eq!(moved, times(OFFSETS[j], shift));
        assert_eq!(moved, SCALAR_MUL_CORRECTIONS[j].into());
        let halves = times_plainly(HALF_GENERATOR, &ones.into());
        assert_eq!(moved - halves, VERIFY_CORRECTIONS[j].into());
    }
}

#[test]
fn half_size_corrections() {
    for j in 0..2 {
        let moved = (0..HALF_STEPS).fold(Point::from(OFFSETS[j]), |point, _| point.double());
        assert_eq!(Point::from(HALF_CORRECTIONS[j]), moved);
    }
}

#[test]
fn generator_offsets() {
    let mut drift = Point::Identity;
    for w in 1..27 {
        drift += times_plainly(GENERATOR, &U256::ONE.shl(8 * w).into());
    }
    for j in 0..2 {
        assert_eq!(Point::from(GENERATOR_OFFSETS[j]), Point::from(OFFSETS[j]) + drift);
    }
}

/// The constants as other code uses them: multiplication by the generator's table and by the generator agree.
#[test]
fn generator_table() {
    for scalar in [U256::ZERO, U256::ONE, ORDER.wrapping_sub(&U256::ONE), U256::MAX, U256::ONE.shl(216)] {
        let scalar = Scalar256::from(scalar);
        assert_eq!(
            multiply::mul_generator_constant_time(&scalar.into()).to_point(),
            times_plainly(GENERATOR, &scalar),
        );
    }
}
