//! Points of the septic curve y² = x³ + 45x + 41z³ over F_p[z]/(z⁷ − 3z − 5), p = 2³¹ − 2²⁴ + 1.
//!
//! The group has prime order of 217 bits. Operations are complete: equal, opposite and identity operands need no care
//! of the caller. A point that is not on the curve ends the execution at the first operation with it, so that no proof
//! with it exists.

use crate::{
    syscall_septic_add, syscall_septic_double, syscall_septic_scalar_mul, syscall_septic_verify,
};

/// Number of words of a point: 14 limbs x₀, …, x₆, y₀, …, y₆, two per word, the first in the low half.
pub const POINT_WORDS: usize = 7;

/// Number of words of a scalar, low word first.
pub const SCALAR_WORDS: usize = 4;

/// A point of the septic curve, or the identity, as it stands in memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(8))]
pub struct SepticPoint(pub [u64; POINT_WORDS]);

impl SepticPoint {
    /// The identity: all words zero. (0, 0) is not on the curve.
    pub const IDENTITY: Self = Self([0; POINT_WORDS]);

    /// The generator G that Schnorr signatures use.
    pub const GENERATOR: Self = Self([
        0x0562373001414213,
        0x0168872409504880,
        0x0785696702096980,
        0x786b7c5801875376,
        0x6de805795a364706,
        0x300a15b1776d2f31,
        0x60c94b0a7033ae83,
    ]);

    /// The point with these coordinates, low degree first. It is checked by the first operation with it.
    #[must_use]
    pub const fn from_limbs(x: [u32; 7], y: [u32; 7]) -> Self {
        let mut words = [0; POINT_WORDS];
        let mut i = 0;
        while i < 14 {
            let limb = if i < 7 { x[i] } else { y[i - 7] };
            words[i / 2] |= (limb as u64) << (32 * (i % 2));
            i += 1;
        }
        Self(words)
    }

    /// The coordinates x and y, low degree first.
    #[must_use]
    pub const fn to_limbs(&self) -> ([u32; 7], [u32; 7]) {
        let (mut x, mut y) = ([0; 7], [0; 7]);
        let mut i = 0;
        while i < 14 {
            let limb = (self.0[i / 2] >> (32 * (i % 2))) as u32;
            if i < 7 {
                x[i] = limb;
            } else {
                y[i - 7] = limb;
            }
            i += 1;
        }
        (x, y)
    }

    /// Whether this is the identity.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        *self == Self::IDENTITY
    }

    /// P + Q.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let mut sum = *self;
        // SAFETY: Both pointers are valid, aligned and disjoint.
        unsafe { syscall_septic_add(&mut sum.0, &other.0) };
        sum
    }

    /// 2P.
    #[must_use]
    pub fn double(&self) -> Self {
        let mut twice = *self;
        // SAFETY: The pointer is valid and aligned.
        unsafe { syscall_septic_double(&mut twice.0) };
        twice
    }

    /// s·P, for any 256-bit s.
    #[must_use]
    pub fn mul(&self, scalar: &[u64; SCALAR_WORDS]) -> Self {
        let mut product = *self;
        // SAFETY: Both pointers are valid, aligned and disjoint.
        unsafe { syscall_septic_scalar_mul(&mut product.0, scalar) };
        product
    }
}

/// s·G + e·A, the point that the verifier of a Schnorr signature compares with R. The caller computes e from R, A and the
/// message, and decides what to do with s ≥ r and with identity A or R.
#[must_use]
pub fn schnorr_compute(
    a: &SepticPoint,
    s: &[u64; SCALAR_WORDS],
    e: &[u64; SCALAR_WORDS],
) -> SepticPoint {
    let mut buffer = [0; POINT_WORDS + 2 * SCALAR_WORDS];
    buffer[..POINT_WORDS].copy_from_slice(&a.0);
    buffer[POINT_WORDS..POINT_WORDS + SCALAR_WORDS].copy_from_slice(s);
    buffer[POINT_WORDS + SCALAR_WORDS..].copy_from_slice(e);
    // SAFETY: The pointer is valid and aligned.
    unsafe { syscall_septic_verify(&mut buffer) };
    let mut point = SepticPoint::IDENTITY;
    point.0.copy_from_slice(&buffer[..POINT_WORDS]);
    point
}
