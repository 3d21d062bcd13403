//! Points in Jacobian coordinates, for public inputs: fewer products than [`crate::projective`], but with branches.
//!
//! (X : Y : Z) stands for (X/Z², Y/Z³); Z = 0 is the identity. The formulas are classical (EFD, "short Weierstrass,
//! Jacobian coordinates"): doubling is Cohen, Miyaji and Ono's "modified" one (ASIACRYPT 1998, with W = aZ⁴ carried
//! from one doubling to the next), addition is the mixed one of 8 products and 3 squares. An addition fails where both
//! points have the same x; that is told from H = 0 and answered with a doubling or the identity. A doubling never
//! fails: no point of E has y = 0, and Z = 0 gives Z = 0.

#![allow(non_snake_case, reason = "upper-case coordinates are projective, lower-case ones affine")]

use p3_koala_bear::KoalaBear;

use crate::params::CURVE_A;
use crate::{AffinePoint, Fp7, Point, Septic};

/// A point of E in Jacobian coordinates. Time depends on the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jacobian {
    X: Fp7,
    Y: Fp7,
    Z: Fp7,
}

impl Jacobian {
    /// The neutral element.
    pub(crate) const IDENTITY: Self = Self { X: Septic::ONE, Y: Septic::ONE, Z: Septic::ZERO };

    /// Whether this is the neutral element.
    pub(crate) fn is_identity(&self) -> bool {
        self.Z.is_zero()
    }

    /// 2^times·self: per doubling 4 products and 4 squares; one product less for the last, two squares more in all.
    pub(crate) fn double_times(&self, times: usize) -> Self {
        if times == 0 || self.is_identity() {
            return *self;
        }
        let Self { mut X, mut Y, mut Z } = *self;
        // W = aZ⁴.
        let mut W = Z.dot_square().dot_square().scale_const(KoalaBear::new(CURVE_A));
        for left in (0..times).rev() {
            let yy = Y.dot_square();
            // 8Y⁴ and 4XY².
            let y4 = yy.doubled().dot_square().doubled();
            let s = X.dot_mul(&yy).doubled().doubled();
            let m = X.dot_square().tripled() + W;
            X = m.dot_square() - s.doubled();
            Z = Y.dot_mul(&Z).doubled();
            Y = m.dot_mul(&(s - X)) - y4;
            if left > 0 {
                W = y4.dot_mul(&W).doubled();
            }
        }
        Self { X, Y, Z }
    }

    /// self + q for every q: 8 products and 3 squares.
    pub(crate) fn add_affine(&self, q: &AffinePoint) -> Self {
        let Self { X, Y, Z } = self;
        if self.is_identity() {
            return (*q).into();
        }
        let zz = Z.dot_square();
        let H = q.x().dot_mul(&zz) - *X;
        let R = q.y().dot_mul(&zz.dot_mul(Z)) - *Y;
        if H.is_zero() {
            return if R.is_zero() { self.double_times(1) } else { Self::IDENTITY };
        }
        let hh = H.dot_square();
        let hhh = H.dot_mul(&hh);
        let v = X.dot_mul(&hh);
        let X3 = R.dot_square() - hhh - v.doubled();
        Self { X: X3, Y: R.dot_mul(&(v - X3)) - Y.dot_mul(&hhh), Z: Z.dot_mul(&H) }
    }

    /// The point in affine coordinates.
    pub(crate) fn to_point(self) -> Point {
        let Some(inverse) = self.Z.try_inverse() else {
            return Point::Identity;
        };
        let square = inverse.dot_square();
        Point::Affine(AffinePoint::new_unchecked(
            self.X.dot_mul(&square),
            self.Y.dot_mul(&square.dot_mul(&inverse)),
        ))
    }
}

impl From<AffinePoint> for Jacobian {
    fn from(point: AffinePoint) -> Self {
        Self { X: point.x(), Y: point.y(), Z: Septic::ONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar256;
    use crate::params::ORDER;

    /// Every pair of small multiples of G, equal, opposite and neutral ones included, with Z ≠ 1 on the left.
    #[test]
    fn sums_and_doubles_are_those_of_the_affine_law() {
        let multiple = |k: i32| {
            let point = Point::GENERATOR;
            let sum = (0..k.abs()).fold(Point::Identity, |sum, _| sum + point);
            if k < 0 { -sum } else { sum }
        };
        let points: alloc::vec::Vec<Point> = (-4..=4).map(multiple).collect();
        for p in &points {
            let start = p.to_affine().map_or(Jacobian::IDENTITY, Jacobian::from);
            assert_eq!(start.double_times(0).to_point(), *p);
            assert_eq!(start.double_times(1).to_point(), p.double());
            assert_eq!(start.double_times(3).to_point(), p.double().double().double());
            // The same point with another Z: p − G + G.
            let scaled = start.add_affine(&-crate::params::GENERATOR).add_affine(&crate::params::GENERATOR);
            for q in points.iter().filter_map(Point::to_affine) {
                assert_eq!(start.add_affine(&q).to_point(), *p + q.into());
                assert_eq!(scaled.add_affine(&q).to_point(), *p + q.into());
            }
        }
    }

    #[test]
    fn the_order_times_the_generator_is_the_identity() {
        let order = Scalar256::from(ORDER);
        let mut acc = Jacobian::IDENTITY;
        for bit in (0..217).rev() {
            acc = acc.double_times(1);
            if order.bit(bit) {
                acc = acc.add_affine(&crate::params::GENERATOR);
            }
        }
        assert!(acc.is_identity());
    }
}
