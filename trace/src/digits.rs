//! Digits of scalars for the ladder: which multiples of the order are added, which bits remain, which carries occur.

use septic_chips::ladder::{ORDER_LIMBS, SIGNED_WRAP_LIMBS, UNSIGNED_WRAP_LIMBS};
use septic_curve::Scalar256;

/// 16-bit limbs of a 256-bit integer, low first.
type Limbs = [u16; 16];

/// The limbs of 2^254 − 1.
const MINUS_ONE_254: Limbs = {
    let mut limbs = [0xffff; 16];
    limbs[15] = 0x3fff;
    limbs
};

fn limbs(s: &Scalar256) -> Limbs {
    core::array::from_fn(|l| s.limb16(l))
}

/// Σ coefficient·limbs over the integers, if it is in [0, 2^256).
fn combine(terms: &[(i64, &Limbs)]) -> Option<Limbs> {
    let mut carry = 0i64;
    let sum = core::array::from_fn(|l| {
        let total = carry + terms.iter().map(|(c, limbs)| c * i64::from(limbs[l])).sum::<i64>();
        carry = total >> 16;
        low_limb(total)
    });
    (carry == 0).then_some(sum)
}

/// The low 16 bits.
fn low_limb(x: i64) -> u16 {
    u16::try_from(x & 0xffff).unwrap_or_default()
}

/// Carries out of each limb position: `total(l)` plus the carry that comes in, divided by 2^16.
fn carries(total: impl Fn(usize) -> i64) -> [u8; 16] {
    let mut carry = 0i64;
    core::array::from_fn(|l| {
        carry = (total(l) + carry) >> 16;
        // The highest position carries nothing out; its remainder is the constant on the right-hand side.
        if l == 15 { 0 } else { u8::try_from(carry).unwrap_or_default() }
    })
}

/// The digits of one scalar on the 254 digit rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    /// How often r is added: 0 or 1; 0 for unsigned digits.
    pub(crate) parity: u8,
    /// How often q (signed) or q′ (unsigned) is added.
    pub(crate) wraps: u8,
    /// B, below 2^254: bit 253 − i is the digit of row i.
    bits: Limbs,
    /// Carry out of each limb.
    pub(crate) carries: [u8; 16],
}

impl Digits {
    /// s = 2B + 1 − 2^254 + parity·r + wraps·q.
    pub(crate) fn signed(s: &Scalar256) -> Self {
        let s = limbs(s);
        let (parity, wraps, twice) = [0u8, 1, 2]
            .into_iter()
            .flat_map(|wraps| [(0u8, wraps), (1, wraps)])
            .find_map(|(parity, wraps)| {
                let terms = [
                    (1, &s),
                    (1, &MINUS_ONE_254),
                    (-i64::from(parity), &ORDER_LIMBS),
                    (-i64::from(wraps), &SIGNED_WRAP_LIMBS),
                ];
                let twice = combine(&terms)?;
                (twice[0] & 1 == 0 && twice[15] >> 15 == 0).then_some((parity, wraps, twice))
            })
            .expect(
                "the three intervals of length 2^255 around 0, q and 2q cover [0, 2^256) in both parities",
            );
        let bits: Limbs = core::array::from_fn(|l| {
            let above = if l == 15 { 0 } else { twice[l + 1] };
            (twice[l] >> 1) | (above << 15)
        });
        let carries = carries(|l| {
            2 * i64::from(bits[l])
                + i64::from(parity) * i64::from(ORDER_LIMBS[l])
                + i64::from(wraps) * i64::from(SIGNED_WRAP_LIMBS[l])
                + i64::from(l == 0)
                - i64::from(s[l])
        });
        Self { parity, wraps, bits, carries }
    }

    /// s = B + wraps·q′.
    pub(crate) fn unsigned(s: &Scalar256) -> Self {
        let s = limbs(s);
        let (wraps, bits) = (0u8..=4)
            .find_map(|wraps| {
                let bits = combine(&[(1, &s), (-i64::from(wraps), &UNSIGNED_WRAP_LIMBS)])?;
                (bits[15] >> 14 == 0).then_some((wraps, bits))
            })
            .expect("four times q' leave less than 2^254 of any 256-bit integer");
        let carries = carries(|l| {
            i64::from(bits[l]) + i64::from(wraps) * i64::from(UNSIGNED_WRAP_LIMBS[l]) - i64::from(s[l])
        });
        Self { parity: 0, wraps, bits, carries }
    }

    /// The digit of row `row`, `0 ≤ row < 254`.
    pub(crate) fn on_row(&self, row: usize) -> bool {
        let bit = 253 - row;
        self.bits[bit / 16] >> (bit % 16) & 1 == 1
    }

    /// The carry out of the limb whose digits stand on row `row`; 0 on the last two rows.
    pub(crate) fn carry_on_row(&self, row: usize) -> u8 {
        if row < 254 { self.carries[15 - (row + 2) / 16] } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ coefficient·limbs in wide limbs, to compare both sides of the digit identities.
    fn wide(terms: &[(i64, &Limbs)]) -> [i64; 17] {
        let mut carry = 0;
        core::array::from_fn(|l| {
            let total =
                carry + if l < 16 { terms.iter().map(|(c, x)| c * i64::from(x[l])).sum::<i64>() } else { 0 };
            carry = total >> 16;
            total & 0xffff
        })
    }

    fn scalars() -> alloc::vec::Vec<Scalar256> {
        let order = Scalar256::from(septic_curve::params::ORDER);
        let top = |hex: &str| Scalar256::from_hex(hex).unwrap();
        alloc::vec![
            Scalar256::ZERO,
            Scalar256::ONE,
            Scalar256::from(2u64),
            order,
            Scalar256::MAX,
            top("0x4000000000000000000000000000000000000000000000000000000000000000"),
            top("0x3fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
            top("0x8000000000000000000000000000000000000000000000000000000000000000"),
            top("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
            top("0xc000000000000000000000000000000000000000000000000000000000000001"),
            top("0xfedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"),
        ]
    }

    #[test]
    fn digits_are_the_scalar() {
        for s in scalars() {
            let d = Digits::signed(&s);
            let one: Limbs = core::array::from_fn(|l| u16::from(l == 0));
            let left = wide(&[
                (2, &d.bits),
                (1, &one),
                (d.parity.into(), &ORDER_LIMBS),
                (d.wraps.into(), &SIGNED_WRAP_LIMBS),
            ]);
            assert_eq!(left, wide(&[(1, &limbs(&s)), (1, &MINUS_ONE_254), (1, &one)]), "{s:?}");
            let d = Digits::unsigned(&s);
            let left = wide(&[(1, &d.bits), (d.wraps.into(), &UNSIGNED_WRAP_LIMBS)]);
            assert_eq!(left, wide(&[(1, &limbs(&s))]), "{s:?}");
        }
    }

    #[test]
    fn carries_fit_their_columns() {
        for s in scalars() {
            for d in [Digits::signed(&s), Digits::unsigned(&s)] {
                assert!(d.carries.iter().all(|&c| c <= 5), "{s:?}: {:?}", d.carries);
            }
        }
    }
}
