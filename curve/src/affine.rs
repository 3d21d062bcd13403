//! Points of E in affine coordinates and the complete group law.

use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use p3_koala_bear::KoalaBear;

use crate::params::{CURVE_A, CURVE_B, GENERATOR};
use crate::{DEGREE, Fp7, LimbError};

/// Why coordinates are not a point of E.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// A coefficient of a coordinate is not below p.
    #[error("{coordinate}[{index}] = {value} is not below p = 2130706433")]
    Limb {
        /// `'x'` or `'y'`.
        coordinate: char,
        /// Which coefficient, 0..7, low degree first.
        index: usize,
        /// Its value, at least p.
        value: u32,
    },
    /// The coordinates do not satisfy y² = x³ + 45x + 41z³.
    #[error("the point is not on the curve")]
    NotOnCurve,
}

/// The right-hand side x³ + 45x + 41z³ of the curve's equation.
fn right_hand_side(x: &Fp7) -> Fp7 {
    (x.dot_square() + Fp7::from_base(KoalaBear::new(CURVE_A))).dot_mul(x) + CURVE_B
}

/// A point of E other than the identity.
///
/// Every value made without [`AffinePoint::new_unchecked`] is on the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AffinePoint {
    x: Fp7,
    y: Fp7,
}

impl AffinePoint {
    /// Builds a point from its coordinates.
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`].
    pub fn new(x: Fp7, y: Fp7) -> Result<Self, PointError> {
        let point = Self { x, y };
        if point.is_on_curve() { Ok(point) } else { Err(PointError::NotOnCurve) }
    }

    /// Builds a point without the check.
    ///
    /// Hazard: off the curve every operation of this crate still returns, but what it returns has no meaning (it
    /// may lie on another curve, which is how invalid-curve attacks work). For constants and for coordinates that
    /// were checked before.
    #[must_use]
    pub const fn new_unchecked(x: Fp7, y: Fp7) -> Self {
        Self { x, y }
    }

    /// Builds a point from canonical coefficients, low degree first.
    ///
    /// # Errors
    /// [`PointError::Limb`] for a coefficient that is not below p, [`PointError::NotOnCurve`].
    pub fn from_canonical(x: [u32; DEGREE], y: [u32; DEGREE]) -> Result<Self, PointError> {
        let limb = |coordinate: char| {
            move |LimbError { index, value }: LimbError| PointError::Limb { coordinate, index, value }
        };
        Self::new(Fp7::from_canonical(x).map_err(limb('x'))?, Fp7::from_canonical(y).map_err(limb('y'))?)
    }

    /// The coordinate x.
    #[inline]
    #[must_use]
    pub const fn x(&self) -> Fp7 {
        self.x
    }

    /// The coordinate y.
    #[inline]
    #[must_use]
    pub const fn y(&self) -> Fp7 {
        self.y
    }

    /// The canonical coefficients of x and y, low degree first.
    #[must_use]
    pub fn to_canonical(&self) -> ([u32; DEGREE], [u32; DEGREE]) {
        (self.x.to_canonical(), self.y.to_canonical())
    }

    /// Whether y² = x³ + 45x + 41z³.
    #[must_use]
    pub fn is_on_curve(&self) -> bool {
        self.y.dot_square() == right_hand_side(&self.x)
    }

    /// The slope of the tangent, (3x² + a)/(2y).
    ///
    /// No point of E has y = 0; off the curve 1/0 counts as 0.
    fn tangent(&self) -> Fp7 {
        let numerator = self.x.dot_square().tripled() + Fp7::from_base(KoalaBear::new(CURVE_A));
        numerator.dot_mul(&self.y.doubled().inv0())
    }

    /// The third point of the line of slope `lambda` through self and a point with coordinate `x_q`, negated.
    fn third(&self, lambda: &Fp7, x_q: Fp7) -> Self {
        let x = lambda.dot_square() - self.x - x_q;
        Self { x, y: lambda.dot_mul(&(self.x - x)) - self.y }
    }

    /// 2·self, never the identity: the order is odd.
    #[must_use]
    pub fn double(&self) -> Self {
        self.third(&self.tangent(), self.x)
    }
}

impl Neg for AffinePoint {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { x: self.x, y: -self.y }
    }
}

/// The point with this x whose y is the root that [`Fp7::try_sqrt`] returns, or `None` if no point of E has this x.
/// The other point is its negative.
#[must_use]
pub fn lift_x(x: Fp7) -> Option<AffinePoint> {
    let y = right_hand_side(&x).try_sqrt()?;
    Some(AffinePoint { x, y })
}

/// A point of E: an element of a group of prime order r.
///
/// `+`, `-` and [`Point::double`] are complete: every pair of points has its sum. Each costs one inversion in K;
/// long computations belong in [`crate::ProjectivePoint`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Point {
    /// The neutral element.
    #[default]
    Identity,
    /// Any other point.
    Affine(AffinePoint),
}

impl Point {
    /// The neutral element.
    pub const IDENTITY: Self = Self::Identity;

    /// The generator G.
    pub const GENERATOR: Self = Self::Affine(GENERATOR);

    /// Builds a point from canonical coefficients of (x, y), low degree first, or `None` for the identity.
    ///
    /// # Errors
    /// [`PointError::Limb`] for a coefficient that is not below p, [`PointError::NotOnCurve`] (also for (0, 0):
    /// the identity is `None`).
    pub fn from_canonical(point: Option<([u32; DEGREE], [u32; DEGREE])>) -> Result<Self, PointError> {
        match point {
            None => Ok(Self::Identity),
            Some((x, y)) => AffinePoint::from_canonical(x, y).map(Self::Affine),
        }
    }

    /// The canonical coefficients of (x, y), or `None` for the identity.
    #[must_use]
    pub fn to_canonical(&self) -> Option<([u32; DEGREE], [u32; DEGREE])> {
        self.to_affine().map(|point| point.to_canonical())
    }

    /// The affine point, or `None` for the identity.
    #[inline]
    #[must_use]
    pub const fn to_affine(&self) -> Option<AffinePoint> {
        match *self {
            Self::Identity => None,
            Self::Affine(point) => Some(point),
        }
    }

    /// Whether this is the neutral element.
    #[inline]
    #[must_use]
    pub const fn is_identity(&self) -> bool {
        matches!(self, Self::Identity)
    }

    /// 2·self.
    #[must_use]
    pub fn double(&self) -> Self {
        match self {
            Self::Identity => Self::Identity,
            Self::Affine(point) => Self::Affine(point.double()),
        }
    }
}

impl From<AffinePoint> for Point {
    fn from(point: AffinePoint) -> Self {
        Self::Affine(point)
    }
}

impl From<Option<AffinePoint>> for Point {
    fn from(point: Option<AffinePoint>) -> Self {
        point.map_or(Self::Identity, Self::Affine)
    }
}

impl Neg for Point {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Identity => Self::Identity,
            Self::Affine(point) => Self::Affine(-point),
        }
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        let (p, q) = match (self, rhs) {
            (Self::Identity, other) | (other, Self::Identity) => return other,
            (Self::Affine(p), Self::Affine(q)) => (p, q),
        };
        if p.x != q.x {
            let lambda = (q.y - p.y).dot_mul(&(q.x - p.x).inv0());
            Self::Affine(p.third(&lambda, q.x))
        } else if p.y == q.y {
            Self::Affine(p.double())
        } else {
            // On E the same x leaves only y_q = −y_p.
            Self::Identity
        }
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        self + -rhs
    }
}

impl AddAssign for Point {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl SubAssign for Point {
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}
