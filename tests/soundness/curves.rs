//! Curves that chips are instantiated with, and what forgers and judges need to know of them.
//!
//! Some constraints are implied by the others for the constants that the chips use, and only for these: no other
//! point of E has the y of an offset, and no third point of the line through both offsets is B_0 + j·(B_1 − B_0) for
//! a j in F_p. With other constants, which fit the chips' statements as well, the constraints are needed. [`Twin`] and
//! [`Subfield`] are such constants.

use septic_chips::params::{CurveParams, PointResidues, Residues, Septic};
use septic_curve::{AffinePoint, Fp7, Point, Scalar256};

use crate::support::{Coordinates, element};

/// The constants of a curve as field values, and its group law.
pub(crate) trait Curve: CurveParams {
    /// s·2H + e·P, with no first term if there is no s.
    fn combine(s: Option<&Scalar256>, e: &Scalar256, base: Option<Coordinates>) -> Option<Coordinates>;

    fn a() -> Fp7 {
        Fp7::from_base(element(Self::A.into()))
    }

    fn b() -> Fp7 {
        Fp7::from_u32s(Self::B)
    }

    /// x³ + ax + b.
    fn right_hand_side(x: Fp7) -> Fp7 {
        (x.dot_square() + Self::a()).dot_mul(&x) + Self::b()
    }

    fn contains(point: Coordinates) -> bool {
        point.y.dot_square() == Self::right_hand_side(point.x)
    }

    fn offsets() -> [Coordinates; 2] {
        Self::OFFSETS.map(coordinates)
    }

    fn half_generator() -> Coordinates {
        coordinates(Self::HALF_GENERATOR)
    }

    /// A base for honest events.
    fn sample() -> Coordinates {
        Self::generator()
    }

    /// The finite point on the rows of an event whose base is the identity: 2H.
    fn generator() -> Coordinates {
        let h = Self::half_generator();
        add::<Self>(Some(h), Some(h)).unwrap()
    }
}

pub(crate) fn coordinates([x, y]: PointResidues) -> Coordinates {
    Coordinates { x: Fp7::from_u32s(x), y: Fp7::from_u32s(y) }
}

fn to_point(point: Option<Coordinates>) -> Point {
    point.map(|c| AffinePoint::new_unchecked(c.x, c.y)).into()
}

/// s·G + e·P with the arithmetic of `septic_curve`.
fn combine_natively(s: Option<&Scalar256>, e: &Scalar256, base: Option<Coordinates>) -> Option<Coordinates> {
    let base = to_point(base);
    let sum = s.map_or_else(|| base.mul_vartime(e), |s| Point::mul_add_vartime(s, e, &base));
    sum.to_affine().map(Coordinates::from)
}

/// The group law of y² = x³ + ax + b for any b; `None` is the identity.
pub(crate) fn add<C: Curve>(p: Option<Coordinates>, q: Option<Coordinates>) -> Option<Coordinates> {
    let (p, q) = match (p, q) {
        (None, other) | (other, None) => return other,
        (Some(p), Some(q)) => (p, q),
    };
    let lambda = if p.x != q.x {
        (q.y - p.y).dot_mul(&(q.x - p.x).inverse())
    } else if p.y == q.y && !p.y.is_zero() {
        (p.x.dot_square().tripled() + C::a()).dot_mul(&p.y.doubled().inverse())
    } else {
        return None;
    };
    let x = lambda.dot_square() - p.x - q.x;
    Some(Coordinates { x, y: lambda.dot_mul(&(p.x - x)) - p.y })
}

/// s·P by doubling and adding.
pub(crate) fn multiply<C: Curve>(s: &Scalar256, point: Option<Coordinates>) -> Option<Coordinates> {
    let mut sum = None;
    for i in (0..Scalar256::BITS).rev() {
        sum = add::<C>(sum, sum);
        if s.bit(i) {
            sum = add::<C>(sum, point);
        }
    }
    sum
}

impl Curve for Septic {
    fn combine(s: Option<&Scalar256>, e: &Scalar256, base: Option<Coordinates>) -> Option<Coordinates> {
        combine_natively(s, e, base)
    }
}

/// E with offsets that share their y with another point: B_0 has x = 3, and x = 1592646874 has the same y.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Twin;

const TWIN_Y: Residues = [959715026, 1481947325, 1367429290, 747099394, 1176974574, 1244112675, 601594297];

impl CurveParams for Twin {
    const A: u32 = Septic::A;
    const B: Residues = Septic::B;
    const OFFSETS: [PointResidues; 2] = [[[3, 0, 0, 0, 0, 0, 0], TWIN_Y], Septic::OFFSETS[1]];
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = [
        [
            [1945881242, 1874509877, 1810179146, 2034673636, 1937675840, 814479123, 1091095570],
            [658485467, 1518796021, 1409777995, 1997139396, 2000604506, 866764021, 1306742960],
        ],
        Septic::SCALAR_MUL_CORRECTIONS[1],
    ];
    const VERIFY_CORRECTIONS: [PointResidues; 2] = [
        [
            [1820343731, 72313552, 776578027, 656923835, 1897241932, 109702208, 567806603],
            [1942166095, 1478796083, 151854965, 2020216479, 46138404, 1936657702, 1086509195],
        ],
        Septic::VERIFY_CORRECTIONS[1],
    ];
    const HALF_GENERATOR: PointResidues = Septic::HALF_GENERATOR;
}

impl Twin {
    /// The other point with the y of B_0.
    pub(crate) fn twin() -> Coordinates {
        coordinates([[1592646874, 0, 0, 0, 0, 0, 0], TWIN_Y])
    }
}

impl Curve for Twin {
    fn combine(s: Option<&Scalar256>, e: &Scalar256, base: Option<Coordinates>) -> Option<Coordinates> {
        combine_natively(s, e, base)
    }
}

/// y² = x³ + 4 with points over F_p: the third point of the line through both offsets is B_0 + j·(B_1 − B_0) for a j
/// in F_p.
///
/// B_1 = B_0 + (0, 2), where (0, 2) has order 3, and H = B_0: then 2^254·B_j − (2^254 − 1)·H = B_j, so offsets and
/// VERIFY's corrections are the same points. The order of the curve is not r, hence only scalars that are written
/// without multiples of r have their meaning.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Subfield;

const fn in_subfield([x, y]: [u32; 2]) -> PointResidues {
    [[x, 0, 0, 0, 0, 0, 0], [y, 0, 0, 0, 0, 0, 0]]
}

impl CurveParams for Subfield {
    const A: u32 = 0;
    const B: Residues = [4, 0, 0, 0, 0, 0, 0];
    const OFFSETS: [PointResidues; 2] =
        [in_subfield([3, 587_580_296]), in_subfield([1_159_324_158, 1_545_765_546])];
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] =
        [in_subfield([610_330_156, 266_887_018]), in_subfield([2_060_909_485, 62_637_930])];
    const VERIFY_CORRECTIONS: [PointResidues; 2] = Self::OFFSETS;
    const HALF_GENERATOR: PointResidues = Self::OFFSETS[0];
}

impl Curve for Subfield {
    /// Not a multiple of H by a small number, unlike 2H.
    fn sample() -> Coordinates {
        coordinates(in_subfield([4, 974_353_125]))
    }

    fn combine(s: Option<&Scalar256>, e: &Scalar256, base: Option<Coordinates>) -> Option<Coordinates> {
        let base = multiply::<Self>(e, base);
        s.map_or(base, |s| add::<Self>(base, multiply::<Self>(s, Some(Self::generator()))))
    }
}

/// Offsets, corrections and H are on the curve, and the corrections are what offsets become.
fn constants_fit<C: Curve>() {
    let double_254 = |mut point: Coordinates| {
        for _ in 0..254 {
            point = add::<C>(Some(point), Some(point)).unwrap();
        }
        point
    };
    let h = C::half_generator();
    let minus_h = add::<C>(Some(h), Some(-double_254(h)));
    for j in 0..2 {
        let offset = coordinates(C::OFFSETS[j]);
        let correction = double_254(offset);
        assert!(C::contains(offset) && C::contains(h));
        assert_eq!(correction, coordinates(C::SCALAR_MUL_CORRECTIONS[j]));
        assert_eq!(add::<C>(Some(correction), minus_h), Some(coordinates(C::VERIFY_CORRECTIONS[j])));
    }
}

#[test]
fn constants_are_what_they_claim() {
    constants_fit::<Septic>();
    constants_fit::<Twin>();
    constants_fit::<Subfield>();
    let (twin, offset) = (Twin::twin(), Twin::offsets()[0]);
    assert!(Twin::contains(twin) && twin.x != offset.x && twin.y == offset.y);
    let three = Some(Coordinates::new(Fp7::ZERO, Fp7::from_base(element(2))));
    assert_eq!(add::<Subfield>(add::<Subfield>(three, three), three), None);
    assert_eq!(add::<Subfield>(Some(Subfield::offsets()[0]), three), Some(Subfield::offsets()[1]));
}

/// For the chips' own constants there is no such second point.
#[test]
fn the_real_offsets_have_no_twins() {
    for offset in Septic::offsets() {
        // (x³ + ax) − (x_B³ + a·x_B) = (x − x_B)(x² + x·x_B + x_B² + a): the discriminant is no square.
        let four_a = Septic::a().doubled().doubled();
        assert!(!(-offset.x.dot_square().tripled() - four_a).is_square());
    }
    for points in [Septic::OFFSETS, Septic::SCALAR_MUL_CORRECTIONS, Septic::VERIFY_CORRECTIONS] {
        let [p, q] = points.map(coordinates);
        let third = add::<Septic>(Some(p), Some(q)).unwrap();
        let j = (third.x - p.x).dot_mul(&(q.x - p.x).inverse());
        assert_ne!(j, Fp7::from_base(j.0[0]));
    }
}

#[test]
fn both_group_laws_agree() {
    let base = Some(Septic::half_generator());
    let s = Scalar256::from(0x1234_5678_9abc_def0_u64);
    assert_eq!(multiply::<Septic>(&s, base), Septic::combine(None, &s, base));
    assert_eq!(Septic::generator(), septic_curve::params::GENERATOR.into());
    assert_eq!(multiply::<Septic>(&Scalar256::from(septic_curve::params::ORDER), base), None);
}
