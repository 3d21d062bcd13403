//! The ladder with five digits instead of 254: rows 0..5 hold a digit, row 5 is the correction, row 6 the output.
//!
//! Scalars have three limbs of two bits; limb rows are 0, 2 and 4. The relations are the chips' own, with these flags.
//! A field of 29 elements is large enough: both sides of the equations of limbs are integers in −2..=23.

use septic_chips::Chip;
use septic_chips::ladder::LadderFlags;
use septic_chips::params::{CurveParams, PointResidues};
use septic_chips::scalar_mul::ScalarMulChip;
use septic_chips::verify::{VerifyChip, VerifyFlags};

use crate::curve::{DIGITS, Point, ToyCurve, Weierstrass, point};

/// Rows of one event.
pub(crate) const ROWS: usize = DIGITS + 2;
/// Limbs are below this.
pub(crate) const LIMB: u32 = 4;
/// Scalars are below this.
pub(crate) const SCALARS: u32 = LIMB * LIMB * LIMB;
/// The highest limb.
const TOP: usize = 2;

/// The limb that ends on a row, if one does.
pub(crate) fn limb_on_row(row: usize) -> Option<usize> {
    (row < DIGITS && row.is_multiple_of(2)).then(|| TOP - row / 2)
}

/// Limb `l` of `x`.
fn limb(x: u32, l: usize) -> u32 {
    [x % LIMB, x / LIMB % LIMB, x / LIMB / LIMB][l]
}

/// q: with V odd and below 2^5 in absolute value, V, V + q and both with r added reach every scalar.
pub(crate) fn signed_wrap(e: &Weierstrass) -> u32 {
    2 * e.order
}

/// q′: the largest multiple of the order below 2^5.
pub(crate) fn unsigned_wrap(e: &Weierstrass) -> u32 {
    (1 << DIGITS) / e.order * e.order
}

fn ladder_flags(e: &Weierstrass, row: usize) -> LadderFlags<u32> {
    let ends = limb_on_row(row);
    let of = |x: u32| ends.map_or(0, |l| limb(x, l));
    LadderFlags {
        start: u32::from(row == 0),
        step: u32::from(row < DIGITS),
        hold: u32::from(row + 1 < DIGITS),
        correction: u32::from(row == DIGITS),
        output: u32::from(row == DIGITS + 1),
        inner: u32::from(row < DIGITS + 1),
        grow: u32::from(row + 1 < DIGITS && ends.is_none()),
        limb: u32::from(ends.is_some()),
        order_limb: of(e.order),
        wrap_limb: of(signed_wrap(e)),
        // 1 − 2^5 = 1 − 2·4².
        unit: match ends {
            Some(0) => 1,
            Some(TOP) => e.p - 2,
            _ => 0,
        },
        carry_in: u32::from(ends.is_some_and(|l| l != 0)),
        carry_out: if ends.is_some_and(|l| l != TOP) { LIMB } else { 0 },
    }
}

/// A chip whose events go down the ladder.
pub(crate) trait Ladder<const P: u32>: Chip {
    type Curve: ToyCurve<P>;
    const IS_VERIFY: bool;
    /// The columns beyond the ladder's that have to do with points.
    const MORE_POINTS: &'static [&'static str];
    const CORRECTIONS: [PointResidues; 2];
    /// The point that is added on every row with the sign of `digit_g`.
    const H: Point;

    fn short_flags(row: usize) -> Self::Flags<u32>;

    /// C_j.
    fn correction(j: usize) -> Point {
        point(Self::CORRECTIONS[j])
    }
}

impl<const P: u32, T: ToyCurve<P>> Ladder<P> for ScalarMulChip<T> {
    type Curve = T;
    const IS_VERIFY: bool = false;
    const MORE_POINTS: &'static [&'static str] = &[];
    const CORRECTIONS: [PointResidues; 2] = <T as CurveParams>::SCALAR_MUL_CORRECTIONS;
    const H: Point = None;

    fn short_flags(row: usize) -> LadderFlags<u32> {
        ladder_flags(&T::E, row)
    }
}

impl<const P: u32, T: ToyCurve<P>> Ladder<P> for VerifyChip<T> {
    type Curve = T;
    const IS_VERIFY: bool = true;
    const MORE_POINTS: &'static [&'static str] = &["digit_g", "lambda_3", "witness"];
    const CORRECTIONS: [PointResidues; 2] = <T as CurveParams>::VERIFY_CORRECTIONS;
    const H: Point = T::H;

    fn short_flags(row: usize) -> VerifyFlags<u32> {
        VerifyFlags {
            ladder: ladder_flags(&T::E, row),
            limb_g: u32::from(row > 0 && limb_on_row(row - 1).is_some()),
            wrap_limb_g: limb_on_row(row).map_or(0, |l| limb(unsigned_wrap(&T::E), l)),
        }
    }
}
