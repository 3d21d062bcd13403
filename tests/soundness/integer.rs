//! Integers as sixteen limbs of 16 bits, and the forms in which the ladder writes scalars.

use septic_chips::ladder::{DIGITS, ORDER_LIMBS, SIGNED_WRAP_LIMBS, UNSIGNED_WRAP_LIMBS};
use septic_curve::Scalar256;

/// Limbs of weight 2^(16·l), low first. Those of an integer below 2^256 are in [0, 2^16).
pub(crate) type Limbs = [i64; 16];

pub(crate) const ZERO: Limbs = [0; 16];

pub(crate) fn limbs(s: &Scalar256) -> Limbs {
    core::array::from_fn(|l| s.limb16(l).into())
}

fn constant(limbs: &[u16; 16]) -> Limbs {
    limbs.map(i64::from)
}

/// The order r.
pub(crate) fn order() -> Limbs {
    constant(&ORDER_LIMBS)
}

/// q, what `wraps` counts.
pub(crate) fn signed_wrap() -> Limbs {
    constant(&SIGNED_WRAP_LIMBS)
}

/// q′, what `wraps_g` counts.
pub(crate) fn unsigned_wrap() -> Limbs {
    constant(&UNSIGNED_WRAP_LIMBS)
}

/// 2^k.
pub(crate) fn power_of_two(k: usize) -> Limbs {
    let mut limbs = ZERO;
    limbs[k / 16] = 1 << (k % 16);
    limbs
}

/// 2^254 − 1.
pub(crate) fn all_ones() -> Limbs {
    combine(&[(1, &power_of_two(254)), (-1, &power_of_two(0))]).unwrap()
}

/// Σ factor·integer, if it is in [0, 2^256).
pub(crate) fn combine(terms: &[(i64, &Limbs)]) -> Option<Limbs> {
    let mut carry = 0;
    let sum = core::array::from_fn(|l| {
        let total = carry + terms.iter().map(|(factor, limbs)| factor * limbs[l]).sum::<i64>();
        carry = total >> 16;
        total & 0xffff
    });
    (carry == 0).then_some(sum)
}

pub(crate) fn to_scalar(limbs: &Limbs) -> Scalar256 {
    Scalar256::from_le_limbs(core::array::from_fn(|i| {
        u32::try_from(limbs[2 * i] | limbs[2 * i + 1] << 16).unwrap()
    }))
}

/// Limb by limb.
fn product(a: &Limbs, b: &Limbs) -> Limbs {
    core::array::from_fn(|l| a[l] * b[l])
}

/// The row on which limb l ends.
pub(crate) fn limb_row(l: usize) -> usize {
    13 + 16 * (15 - l)
}

/// A scalar's digits, and how often a multiple of the order is added. Each limb has its own counts, so that a forger
/// can change them in mid-event; honest ones are all equal.
#[derive(Clone, Debug)]
pub(crate) struct Digits {
    /// Digits of rows 0, …, 253, most significant first; honest ones are 0 or 1.
    pub(crate) digits: [i64; DIGITS],
    /// How often r is added, per limb; 0 in the unsigned form.
    pub(crate) parity: Limbs,
    /// How often q (signed form) or q′ (unsigned) is added, per limb.
    pub(crate) wraps: Limbs,
}

impl Digits {
    /// s = 2B + 1 − 2^254 + Σ parity·r + Σ wraps·q for the integer s = Σ factor·integer, if B fits its digits.
    pub(crate) fn signed_with(s: &[(i64, &Limbs)], parity: &Limbs, wraps: &Limbs) -> Option<Self> {
        let (ones, order) = (all_ones(), product(parity, &order()));
        let wrap = product(wraps, &signed_wrap());
        let terms = [s, &[(1, &ones), (-1, &order), (-1, &wrap)]].concat();
        let twice = combine(&terms)?;
        let fits = twice[0] & 1 == 0 && twice[15] >> 15 == 0;
        fits.then(|| Self { digits: bits(&twice, 1), parity: *parity, wraps: *wraps })
    }

    /// The signed form that the generator takes.
    pub(crate) fn signed(s: &[(i64, &Limbs)]) -> Self {
        (0..3)
            .flat_map(|wraps| [(0, wraps), (1, wraps)])
            .find_map(|(parity, wraps)| Self::signed_with(s, &[parity; 16], &[wraps; 16]))
            .expect("every integer in [0, 2^256) has a signed form")
    }

    /// s = B + Σ wraps·q′, if B fits its digits.
    pub(crate) fn unsigned_with(s: &Limbs, wraps: &Limbs) -> Option<Self> {
        let bits_of = combine(&[(1, s), (-1, &product(wraps, &unsigned_wrap()))])?;
        (bits_of[15] >> 14 == 0).then(|| Self { digits: bits(&bits_of, 0), parity: ZERO, wraps: *wraps })
    }

    /// The unsigned form that the generator takes.
    pub(crate) fn unsigned(s: &Limbs) -> Self {
        (0..5)
            .find_map(|wraps| Self::unsigned_with(s, &[wraps; 16]))
            .expect("every integer in [0, 2^256) has an unsigned form")
    }
}

/// Bits 253 + shift, …, shift.
fn bits(limbs: &Limbs, shift: usize) -> [i64; DIGITS] {
    core::array::from_fn(|row| {
        let bit = DIGITS - 1 - row + shift;
        limbs[bit / 16] >> (bit % 16) & 1
    })
}
