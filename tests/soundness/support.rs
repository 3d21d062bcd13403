//! Small helpers: numbers from a seed, field elements, coordinates that need not be a point's.

use core::ops::Neg;

use septic_chips::Chip;
use septic_chips::columns::{ColumnSet, column};
use septic_chips::ladder::DIGITS;
use septic_chips::relations::evaluate;
use septic_chips::sink::Label;
use septic_chips::verify::VerifyCols;
use septic_curve::p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use septic_curve::params::HALF_GENERATOR;
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar, Scalar256};
use septic_trace::{Trace, TraceChip};

/// Numbers from a seed (SplitMix64). Tests are the same on every run.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap();
        usize::try_from(self.number() % bound).unwrap()
    }

    pub(crate) fn element(&mut self) -> KoalaBear {
        let residue = self.number() % u64::from(KoalaBear::ORDER_U32);
        KoalaBear::from_u32(u32::try_from(residue).unwrap())
    }

    pub(crate) fn septic(&mut self) -> Fp7 {
        Fp7::from_fn(|_| self.element())
    }

    pub(crate) fn scalar(&mut self) -> Scalar256 {
        Scalar256::from_le_limbs(core::array::from_fn(|_| u32::try_from(self.number() >> 32).unwrap()))
    }

    pub(crate) fn point(&mut self) -> AffinePoint {
        affine(Point::GENERATOR.mul_vartime(&self.scalar()))
    }
}

/// A small integer as a field element.
pub(crate) fn element(x: i64) -> KoalaBear {
    KoalaBear::from_i64(x)
}

/// A small integer as a septic element.
pub(crate) fn septic(x: i64) -> Fp7 {
    Fp7::from_base(element(x))
}

/// c·z^i.
pub(crate) fn monomial(c: KoalaBear, i: usize) -> Fp7 {
    let mut out = Fp7::ZERO;
    out.0[i] = c;
    out
}

/// The affine coordinates of a finite point.
pub(crate) fn affine(point: Point) -> AffinePoint {
    point.to_affine().unwrap()
}

/// k·G.
pub(crate) fn multiple(k: i64) -> Point {
    let point = Point::GENERATOR.mul_vartime(&Scalar256::from(k.unsigned_abs()));
    if k < 0 { -point } else { point }
}

/// s·P for an s modulo the order.
pub(crate) fn times(s: Scalar, point: impl Into<Point>) -> Point {
    point.into().mul_vartime(&s.into())
}

/// An integer modulo the order.
pub(crate) fn scalar(x: i64) -> Scalar {
    let magnitude = Scalar::from(x.unsigned_abs());
    if x < 0 { -magnitude } else { magnitude }
}

/// A pair (x, y) that may or may not be on a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coordinates {
    pub(crate) x: Fp7,
    pub(crate) y: Fp7,
}

impl Coordinates {
    pub(crate) const ZERO: Self = Self { x: Fp7::ZERO, y: Fp7::ZERO };

    pub(crate) fn new(x: Fp7, y: Fp7) -> Self {
        Self { x, y }
    }
}

impl From<AffinePoint> for Coordinates {
    fn from(point: AffinePoint) -> Self {
        Self { x: point.x(), y: point.y() }
    }
}

impl From<Point> for Coordinates {
    /// (0, 0) for the identity, as in ADD and DOUBLE.
    fn from(point: Point) -> Self {
        point.to_affine().map_or(Self::ZERO, Self::from)
    }
}

impl Neg for Coordinates {
    type Output = Self;

    fn neg(self) -> Self {
        Self { x: self.x, y: -self.y }
    }
}

/// The trace with another evaluation point: witnesses made anew, all else as it is. Chips without one are unchanged.
pub(crate) fn at_point<C: TraceChip>(mut trace: Trace<C>, t: KoalaBear) -> Trace<C> {
    if C::NUM_PARAMETERS == 0 {
        return trace;
    }
    let witness = column_of::<C>("witness");
    for block in trace.main.values.chunks_exact_mut(C::ROWS_PER_EVENT * C::WIDTH) {
        for row in block.chunks_exact_mut(C::WIDTH).take(DIGITS) {
            let cols = VerifyCols::from_fn(|i| row[i]);
            let x_2 = cols.lambda_2 * cols.lambda_2 - cols.lambda_1 * cols.lambda_1 + cols.x_t;
            row[witness] = evaluate(&(x_2 - HALF_GENERATOR.x()), &t).try_inverse().unwrap_or(KoalaBear::ZERO);
        }
    }
    trace.parameters = vec![t];
    trace
}

/// The name of a constraint without chip and number: `step_x` in `verify.C32.step_x`.
pub(crate) fn name_of(label: Label) -> &'static str {
    label.0.rsplit('.').next().unwrap()
}

/// The first column of a field.
pub(crate) fn column_of<C: Chip>(field: &str) -> usize {
    column(<C::Cols<u32> as ColumnSet<u32>>::FIELDS, field)
}
