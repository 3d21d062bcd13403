//! Points in homogeneous coordinates and formulas that are complete without a branch.
//!
//! (X : Y : Z) stands for (X/Z, Y/Z); the identity is (0 : 1 : 0). The formulas are those of Renes, Costello and
//! Batina, "Complete addition formulas for prime order elliptic curves" (ePrint 2015/1060), algorithms 1 and 3 for
//! any coefficient a. They hold for every pair of points of a curve of odd order, so they need no case distinction:
//! the same code runs on values, on packed lanes (a different point in each lane) and on secrets.

#![allow(non_snake_case, reason = "upper-case coordinates are projective, lower-case ones affine")]

use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use p3_field::Algebra;
use p3_koala_bear::KoalaBear;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::params::CURVE_A;
use crate::{AffinePoint, DEGREE, Fp7, Point, Septic, batch_inverse};

/// A point, or one point in each lane of `T`.
///
/// Many values stand for the same point; `==` compares points.
#[derive(Clone, Copy, Debug)]
pub struct Projective<T> {
    X: Septic<T>,
    Y: Septic<T>,
    Z: Septic<T>,
}

/// A point of E in homogeneous coordinates.
///
/// ```
/// use septic_curve::{Point, ProjectivePoint};
///
/// let g = ProjectivePoint::from(Point::GENERATOR);
/// // Complete: equal, opposite and neutral operands are like any other.
/// assert_eq!(g + g, g.double());
/// assert_eq!(g - g, ProjectivePoint::IDENTITY);
/// assert_eq!((g.double() + g).to_point(), Point::GENERATOR.double() + Point::GENERATOR);
/// ```
pub type ProjectivePoint = Projective<KoalaBear>;

/// a·x for the coefficient a = 45 of the curve.
#[inline]
fn mul_a<T: Algebra<KoalaBear>>(x: &Septic<T>) -> Septic<T> {
    x.scale_const(KoalaBear::new(CURVE_A))
}

/// 3b·x for the coefficient b = 41z³ of the curve.
#[inline]
fn mul_b3<T: Algebra<KoalaBear>>(x: &Septic<T>) -> Septic<T> {
    let [c0, c1, c2, c3, c4, c5, c6] = x.scale_const(KoalaBear::new(3 * 41)).0;
    // z³·c = c₀z³ + c₁z⁴ + c₂z⁵ + c₃z⁶ + (c₄ + c₅z + c₆z²)(3z + 5).
    let high = [c4, c5, c6];
    let [t4, t5, t6] = high.each_ref().map(|c| c.double() + c.dup());
    let [q4, q5, q6] = high.each_ref().map(|c| c.double().double() + c.dup());
    Septic([q4, t4 + q5, t5 + q6, c0 + t6, c1, c2, c3])
}

impl<T: Algebra<KoalaBear>> Projective<T> {
    /// The neutral element (0 : 1 : 0).
    #[must_use]
    pub fn identity() -> Self {
        Self { X: Septic::ZERO, Y: Septic::ONE, Z: Septic::ZERO }
    }

    /// self + rhs, complete. 12 products in K.
    fn sum(&self, rhs: &Self) -> Self {
        let Self { X: X1, Y: Y1, Z: Z1 } = self.clone();
        let Self { X: X2, Y: Y2, Z: Z2 } = rhs.clone();
        let xx = X1.dot_mul(&X2);
        let yy = Y1.dot_mul(&Y2);
        let zz = Z1.dot_mul(&Z2);
        // X₁Y₂ + X₂Y₁ and so on.
        let xy = (X1.clone() + Y1.clone()).dot_mul(&(X2.clone() + Y2.clone())) - xx.clone() - yy.clone();
        let xz = (X1 + Z1.clone()).dot_mul(&(X2 + Z2.clone())) - xx.clone() - zz.clone();
        let yz = (Y1 + Z1).dot_mul(&(Y2 + Z2)) - yy.clone() - zz.clone();
        let Terms { plus, minus, v, w } = Terms::new(&xx, &yy, &zz, &xz);
        Self {
            X: xy.dot_mul(&minus) - yz.dot_mul(&v),
            Y: w.dot_mul(&v) + plus.dot_mul(&minus),
            Z: yz.dot_mul(&plus) + xy.dot_mul(&w),
        }
    }

    /// 2·self, complete. 11 products in K.
    #[must_use]
    pub fn double(&self) -> Self {
        let Self { X, Y, Z } = self;
        let xy = X.dot_mul(Y).doubled();
        let xz = X.dot_mul(Z).doubled();
        let yz = Y.dot_mul(Z).doubled();
        let yy = Y.dot_square();
        let Terms { plus, minus, v, w } = Terms::new(&X.dot_square(), &yy, &Z.dot_square(), &xz);
        Self {
            X: xy.dot_mul(&minus) - yz.dot_mul(&v),
            Y: w.dot_mul(&v) + plus.dot_mul(&minus),
            // The sum's Z of two equal points is 8Y³Z.
            Z: yz.dot_mul(&yy).doubled().doubled(),
        }
    }

    /// The affine coordinates (X/Z, Y/Z) in every lane, both zero in the lanes of the identity.
    ///
    /// Without a branch; the inverse is a power.
    #[must_use]
    pub fn to_affine_or_zero(&self) -> (Septic<T>, Septic<T>) {
        let inverse = self.Z.inv0_packed();
        (self.X.dot_mul(&inverse), self.Y.dot_mul(&inverse))
    }

    /// The coefficient at a position from 0 to 20: those of X, then Y, then Z.
    #[inline]
    pub(crate) fn coefficient(&self, position: usize) -> T {
        let coordinate = match position / DEGREE {
            0 => &self.X,
            1 => &self.Y,
            _ => &self.Z,
        };
        coordinate.0[position % DEGREE].dup()
    }

    /// Builds points from their coefficients by position.
    #[inline]
    pub(crate) fn from_coefficients(coefficient: impl Fn(usize) -> T) -> Self {
        let coordinate = |c: usize| Septic::from_fn(|i| coefficient(DEGREE * c + i));
        Self { X: coordinate(0), Y: coordinate(1), Z: coordinate(2) }
    }
}

/// What the formulas make of the products xx = X₁X₂, yy = Y₁Y₂, zz = Z₁Z₂ and xz = X₁Z₂ + X₂Z₁.
///
/// With t = a·xz + 3b·zz: plus = yy + t, minus = yy − t, v = a·xx + 3b·xz − a²·zz, w = 3·xx + a·zz.
struct Terms<T> {
    plus: Septic<T>,
    minus: Septic<T>,
    v: Septic<T>,
    w: Septic<T>,
}

impl<T: Algebra<KoalaBear>> Terms<T> {
    #[inline]
    fn new(xx: &Septic<T>, yy: &Septic<T>, zz: &Septic<T>, xz: &Septic<T>) -> Self {
        let t = mul_a(xz) + mul_b3(zz);
        let azz = mul_a(zz);
        Self {
            plus: yy.clone() + t.clone(),
            minus: yy.clone() - t,
            v: mul_a(&(xx.clone() - azz.clone())) + mul_b3(xz),
            w: xx.tripled() + azz,
        }
    }
}

impl<T: Algebra<KoalaBear>> Add for Projective<T> {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        self.sum(&rhs)
    }
}

impl<T: Algebra<KoalaBear>> Sub for Projective<T> {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        self.sum(&-rhs)
    }
}

impl<T: Algebra<KoalaBear>> Neg for Projective<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { X: self.X, Y: -self.Y, Z: self.Z }
    }
}

impl<T: Algebra<KoalaBear>> AddAssign for Projective<T> {
    fn add_assign(&mut self, rhs: Self) {
        *self = self.sum(&rhs);
    }
}

impl<T: Algebra<KoalaBear>> SubAssign for Projective<T> {
    fn sub_assign(&mut self, rhs: Self) {
        *self = self.sum(&-rhs);
    }
}

impl<T: Algebra<KoalaBear>> Default for Projective<T> {
    fn default() -> Self {
        Self::identity()
    }
}

impl ProjectivePoint {
    /// The neutral element (0 : 1 : 0).
    pub const IDENTITY: Self = Self { X: Septic::ZERO, Y: Septic::ONE, Z: Septic::ZERO };

    /// Whether this is the neutral element.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.Z.is_zero()
    }

    /// X, Y and Z.
    pub(crate) const fn coordinates(&self) -> [Fp7; 3] {
        [self.X, self.Y, self.Z]
    }

    /// The point (X : Y : Z).
    pub(crate) const fn from_coordinates([X, Y, Z]: [Fp7; 3]) -> Self {
        Self { X, Y, Z }
    }

    /// The point in affine coordinates. Takes the same time for every point but the identity.
    #[must_use]
    pub fn to_point(&self) -> Point {
        let (x, y) = self.to_affine_or_zero();
        if self.is_identity() { Point::Identity } else { Point::Affine(AffinePoint::new_unchecked(x, y)) }
    }

    /// The points in affine coordinates, with one inversion for all.
    #[must_use]
    pub fn batch_to_points(points: &[Self]) -> Vec<Point> {
        let mut inverses: Vec<Fp7> = points.iter().map(|point| point.Z).collect();
        batch_inverse(&mut inverses);
        let affine = |(point, inverse): (&Self, &Fp7)| {
            if point.is_identity() {
                Point::Identity
            } else {
                Point::Affine(AffinePoint::new_unchecked(point.X.dot_mul(inverse), point.Y.dot_mul(inverse)))
            }
        };
        points.iter().zip(&inverses).map(affine).collect()
    }
}

impl ConstantTimeEq for ProjectivePoint {
    /// Whether both are the same point: X₁Z₂ = X₂Z₁ and Y₁Z₂ = Y₂Z₁, which for valid points says so also if one of them is the
    /// identity.
    fn ct_eq(&self, other: &Self) -> Choice {
        let equal = |a: Fp7, b: Fp7| (a - b).to_canonical()[..].ct_eq(&[0; DEGREE][..]);
        equal(self.X.dot_mul(&other.Z), other.X.dot_mul(&self.Z))
            & equal(self.Y.dot_mul(&other.Z), other.Y.dot_mul(&self.Z))
    }
}

impl PartialEq for ProjectivePoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for ProjectivePoint {}

impl From<Point> for ProjectivePoint {
    fn from(point: Point) -> Self {
        match point {
            Point::Identity => Self::IDENTITY,
            Point::Affine(point) => point.into(),
        }
    }
}

impl From<AffinePoint> for ProjectivePoint {
    fn from(point: AffinePoint) -> Self {
        Self { X: point.x(), Y: point.y(), Z: Septic::ONE }
    }
}

impl From<ProjectivePoint> for Point {
    fn from(point: ProjectivePoint) -> Self {
        point.to_point()
    }
}

impl ConditionallySelectable for ProjectivePoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            X: Fp7::conditional_select(&a.X, &b.X, choice),
            Y: Fp7::conditional_select(&a.Y, &b.Y, choice),
            Z: Fp7::conditional_select(&a.Z, &b.Z, choice),
        }
    }
}
