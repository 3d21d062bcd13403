//! Half-size scalars: every check s·G + e·A = R with 217 doublings is one with 109.
//!
//! For e modulo r there are u and w with u·e ≡ w and 0 < u, |w| < √r. Since r is prime and u is not 0 modulo r,
//!
//! > s·G + e·A − R = 𝒪  exactly when  (u·s mod r)·G + w·A − u·R = 𝒪,
//!
//! where A and R, the points without a table, have multipliers of 109 bits. (Antipa, Brown, Gallant, Lambert, Struik
//! and Vanstone, "Accelerated verification of ECDSA signatures", SAC 2005; Pornin, ePrint 2020/454.)

use crypto_bigint::U256;

use crate::params::ORDER;
use crate::{Scalar, Scalar256};

/// ⌊√r⌋, of 109 bits.
const ORDER_ROOT: U256 =
    U256::from_be_hex("0000000000000000000000000000000000001603c481895267dffd5dddad78db");

/// u·e = w + q·r over the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfPair {
    /// u, in (0, √r).
    pub u: u128,
    /// |w|, at most √r.
    pub w: u128,
    /// Whether w is negative (or 0 would be).
    pub negative: bool,
    /// q, at most √r.
    pub quotient: u128,
}

/// A number below 2²⁵⁶ in two halves, the high one first, so that the order of the type is that of numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wide(u128, u128);

impl Wide {
    fn new(x: &U256) -> Self {
        let bytes = x.to_be_bytes();
        let half = |from: usize| {
            let mut out = [0; 16];
            out.copy_from_slice(&bytes.as_ref()[from..from + 16]);
            u128::from_be_bytes(out)
        };
        Self(half(0), half(16))
    }

    fn bits(self) -> u32 {
        if self.0 == 0 { 128 - self.1.leading_zeros() } else { 256 - self.0.leading_zeros() }
    }

    /// self·2^shift for shift < 128 and a result below 2²⁵⁶.
    fn shl(self, shift: u32) -> Self {
        if shift == 0 {
            return self;
        }
        Self(self.0 << shift | self.1 >> (128 - shift), self.1 << shift)
    }

    fn sub(self, rhs: Self) -> Self {
        let (low, borrow) = self.1.overflowing_sub(rhs.1);
        Self(self.0 - rhs.0 - u128::from(borrow), low)
    }
}

impl HalfPair {
    /// The pair of e: Euclid's algorithm for r and e, stopped at the first remainder that is at most √r.
    ///
    /// With remainders ρ and cofactors t, q: t·e − q·r = ±ρ and |t| ≤ r/(remainder before) < √r. Each division is a few
    /// subtractions of shifted divisors: quotients are small. Variable time.
    #[must_use]
    pub fn new(e: &Scalar) -> Self {
        let root = Wide::new(&ORDER_ROOT);
        let (mut before, mut rest) = (Wide::new(&ORDER), Wide::new(&e.to_uint()));
        let (mut t_before, mut t, mut negative) = (0_u128, 1_u128, false);
        let (mut q_before, mut q) = (1_u128, 0_u128);
        while rest > root {
            while before >= rest {
                let shift = before.bits() - rest.bits();
                let shifted = rest.shl(shift);
                let shift = if shifted > before { shift - 1 } else { shift };
                before = before.sub(rest.shl(shift));
                // The signs of t and q alternate, so magnitudes add up.
                t_before += t << shift;
                q_before += q << shift;
            }
            (before, rest) = (rest, before);
            (t_before, t) = (t, t_before);
            (q_before, q) = (q, q_before);
            negative = !negative;
        }
        Self { u: t, w: rest.1, negative, quotient: q }
    }
}

/// A number of one half as a scalar.
pub(crate) fn scalar256(half: u128) -> Scalar256 {
    Scalar256::from(U256::from(half))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(e: Scalar) {
        let HalfPair { u, w, negative, quotient } = HalfPair::new(&e);
        let multiple: U256 = U256::from(quotient).wrapping_mul(&ORDER);
        let wide = U256::from(w);
        let right = if negative { multiple.wrapping_sub(&wide) } else { multiple.wrapping_add(&wide) };
        // Both sides are below 2^328: equal modulo 2^256 and modulo r.
        assert_eq!(U256::from(u).wrapping_mul(&e.to_uint()), right);
        let root = ORDER_ROOT;
        assert!(u > 0 && U256::from(u) <= root && U256::from(w) <= root);
        let w = Scalar::from(scalar256(w));
        assert_eq!(Scalar::from(scalar256(u)) * e, if negative { -w } else { w });
    }

    #[test]
    fn extreme_numbers() {
        assert_eq!(ORDER_ROOT, ORDER.floor_sqrt_vartime());
        let root = Scalar::reduce(&ORDER_ROOT);
        let half = Scalar::from(2).invert().expect("2 is not 0");
        for e in [Scalar::ZERO, Scalar::ONE, Scalar::from(2), root, root + Scalar::ONE, half] {
            check(e);
            check(-e);
            check(e - Scalar::ONE);
        }
    }

    proptest! {
        #[test]
        fn pairs_are_half_size(limbs in any::<[u32; 8]>(), shift in 0_u32..256) {
            let e = Scalar::reduce(&Scalar256::from_le_limbs(limbs).to_uint().shr_vartime(shift));
            check(e);
            check(-e);
        }
    }
}
