//! Quotients and carries of the products and reductions in [`septic_chips::precompile::integers`]. Variable time.

use core::array;

use crypto_bigint::{NonZero, U256};
use septic_chips::half::STEPS;
use septic_chips::half::product::{U_BYTES, W_LIMBS, shifted_order_limb};
use septic_chips::precompile::SCALAR_LIMBS;
use septic_chips::precompile::integers::{
    CARRIES, CARRY_OFFSET, POSITIONS, QUOTIENT_BYTES, REDUCTION_BYTES, REDUCTION_CARRIES,
    REDUCTION_CARRY_OFFSET,
};
use septic_chips::precompile::points::WINDOWS;
use septic_curve::Scalar256;
use septic_curve::params::ORDER;

use super::Case;
use crate::half::integers::{HalfPair, limb};

/// The witness of u·s + w = q·r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProductWitness {
    /// The low byte of each limb of s.
    pub(crate) low: [u8; SCALAR_LIMBS],
    pub(crate) quotient: [u8; QUOTIENT_BYTES],
    /// Carries with [`CARRY_OFFSET`] added.
    pub(crate) carry: [u16; CARRIES],
}

/// ⌊s/r⌋ and s modulo r.
fn divide(s: &Scalar256) -> (U256, U256) {
    let order = NonZero::new(ORDER).expect("r is not 0");
    s.to_uint().div_rem_vartime(&order)
}

/// The low bytes of a number.
fn bytes<const N: usize>(x: &U256) -> [u8; N] {
    let bytes = x.to_le_bytes();
    array::from_fn(|i| bytes.as_ref()[i])
}

impl ProductWitness {
    /// The pair is one of s modulo r if `case` is [`Case::Chain`], and not used otherwise.
    pub(crate) fn new(case: Case, pair: &HalfPair, s: &Scalar256) -> Self {
        let (whole, _) = divide(s);
        let limbs: [i64; SCALAR_LIMBS] = array::from_fn(|l| s.limb16(l).into());
        let mut u = [0_i64; U_BYTES];
        let mut w = [0_i64; W_LIMBS];
        // s = whole·r + rest, and u·rest + w = (pair's quotient)·r.
        let quotient = match case {
            Case::Identity => U256::ZERO,
            Case::Zero | Case::One => whole,
            Case::MinusOne => whole.wrapping_add(&U256::ONE),
            Case::Chain => whole.wrapping_mul(&U256::from(pair.u)).wrapping_add(&U256::from(pair.quotient)),
        };
        if case == Case::Chain {
            u = bytes::<U_BYTES>(&U256::from(pair.u_digits())).map(i64::from);
            w = array::from_fn(|k| i64::from(limb(pair.w_digits(), 16 * k, 16)));
            w[0] += 1;
            w[W_LIMBS - 1] -= 1 << (STEPS % 16);
        }
        if case != Case::Identity {
            u[0] += 1;
        }
        w[0] += i64::from(case == Case::MinusOne) - i64::from(case == Case::One);

        let low: [u8; SCALAR_LIMBS] = array::from_fn(|l| s.limb16(l).to_le_bytes()[0]);
        let quotient = bytes::<QUOTIENT_BYTES>(&quotient);
        let byte = |j: usize| if j < 2 * SCALAR_LIMBS { limbs[j / 2] >> (8 * (j % 2)) & 0xff } else { 0 };
        // p_{j−1}
        let pair_before = |j: usize| if j == 0 { 256 * byte(0) } else { byte(j - 1) + 256 * byte(j) };
        let totals: [i64; POSITIONS] = array::from_fn(|k| {
            let products = u.iter().enumerate().filter_map(|(i, u)| {
                let j = (2 * k + 1).checked_sub(i)?;
                (j <= 2 * SCALAR_LIMBS).then(|| u * pair_before(j))
            });
            products.sum::<i64>() + w.get(k).copied().unwrap_or(0) - multiple_of_order(&quotient, k)
        });
        Self { low, quotient, carry: carries(&totals, CARRY_OFFSET) }
    }
}

/// Position k of r times the number with these bytes.
fn multiple_of_order(quotient: &[u8], k: usize) -> i64 {
    quotient.iter().enumerate().map(|(a, &q)| i64::from(q) * i64::from(shifted_order_limb(8 * a, k))).sum()
}

/// Carries of a number that is 0, with `offset` added.
fn carries<const N: usize>(totals: &[i64], offset: u32) -> [u16; N] {
    let mut carry = 0;
    let out = array::from_fn(|k| {
        let total = totals[k] + carry;
        debug_assert_eq!(total & 0xffff, 0, "position {k}");
        carry = total >> 16;
        u16::try_from(carry + i64::from(offset)).unwrap_or_default()
    });
    debug_assert!(totals.len() == N + 1 && totals[N] + carry == 0, "the highest position carries nothing");
    out
}

/// The witness of n + k·r = s + δ + r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReductionWitness {
    /// Signs of the windows of n.
    pub(crate) negative: [bool; WINDOWS],
    /// Magnitudes of the windows of n, of 4 bits.
    pub(crate) magnitude: [u8; WINDOWS],
    pub(crate) quotient: [u8; REDUCTION_BYTES],
    /// Carries with [`REDUCTION_CARRY_OFFSET`] added.
    pub(crate) carry: [u16; REDUCTION_CARRIES],
}

impl ReductionWitness {
    /// For −2 ≤ δ ≤ 1.
    pub(crate) fn new(s: &Scalar256, shift: i8) -> Self {
        let (whole, rest) = divide(s);
        let step = U256::from(shift.unsigned_abs());
        let (k, n) = if shift < 0 && rest < step {
            (whole, rest.wrapping_add(&ORDER).wrapping_sub(&step))
        } else if shift < 0 {
            (whole.wrapping_add(&U256::ONE), rest.wrapping_sub(&step))
        } else if rest.wrapping_add(&step) >= ORDER {
            (whole.wrapping_add(&U256::from(2_u8)), rest.wrapping_add(&step).wrapping_sub(&ORDER))
        } else {
            (whole.wrapping_add(&U256::ONE), rest.wrapping_add(&step))
        };
        let quotient = bytes::<REDUCTION_BYTES>(&k);
        let windows: [u8; WINDOWS] = array::from_fn(|w| {
            let shifted = n.shr_vartime(5 * u32::try_from(w).unwrap_or_default());
            bytes::<1>(&shifted)[0] & 31
        });
        let totals: [i64; SCALAR_LIMBS] = array::from_fn(|position| {
            let windows: i64 = windows
                .iter()
                .enumerate()
                .filter(|(w, _)| 5 * w / 16 == position)
                .map(|(w, &window)| i64::from(window) << (5 * w % 16))
                .sum();
            i64::from(s.limb16(position))
                + i64::from(shifted_order_limb(0, position))
                + if position == 0 { shift.into() } else { 0 }
                - windows
                - multiple_of_order(&quotient, position)
        });
        Self {
            negative: windows.map(|window| window < 16),
            magnitude: windows.map(|window| if window < 16 { 15 - window } else { window - 16 }),
            quotient,
            carry: carries(&totals, REDUCTION_CARRY_OFFSET),
        }
    }
}
