//! Points in Jacobian coordinates, for public inputs: fewer products than [`crate::projective`], but with branches.
//!
//! (X : Y : Z) stands for (X/Z², Y/Z³); Z = 0 is the identity. The formulas are classical (EFD, "short Weierstrass,
//! Jacobian coordinates"): doubling is Cohen, Miyaji and Ono's "modified" one (ASIACRYPT 1998, with W = aZ⁴ carried
//! from one doubling to the next), addition is the mixed one of 8 products and 3 squares. An addition fails where both
//! points have the same x; that is told from H = 0 and answered with a doubling or the identity. A doubling never
//! fails: no point of E has y = 0, and Z = 0 gives Z = 0.

#![allow(non_snake_case, reason = "upper-case coordinates are projective, lower-case ones affine")]

use crate::params::CURVE_A;
use crate::signed::{Element, SignedPoint};
use crate::{AffinePoint, Point};

/// The coefficient a of the curve.
pub(crate) const A: Element = Element::from_canonical([CURVE_A, 0, 0, 0, 0, 0, 0]);

/// A point of E in Jacobian coordinates. Time depends on the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jacobian {
    X: Element,
    Y: Element,
    Z: Element,
}

impl Jacobian {
    /// The neutral element.
    pub(crate) const IDENTITY: Self = Self { X: Element::ONE, Y: Element::ONE, Z: Element::ZERO };

    /// Whether this is the neutral element.
    pub(crate) fn is_identity(&self) -> bool {
        self.Z.is_zero()
    }

    /// 2^times·self: per doubling 4 products and 4 squares; one product less for the last, 2 squares and a product by
    /// a more in all.
    pub(crate) fn double_times(&self, times: usize) -> Self {
        if times == 0 || self.is_identity() {
            return *self;
        }
        let Self { mut X, mut Y, mut Z } = *self;
        // W = aZ⁴.
        let mut W = &Z.square().square() * &A;
        for left in (0..times).rev() {
            let yy = Y.square();
            // 8Y⁴ and 4XY².
            let y4 = yy.doubled().square().doubled();
            let s = (&X * &yy).quadrupled();
            let m = X.square().tripled_plus(&W);
            X = m.square().minus_twice(&s);
            Z = (&Y * &Z).doubled();
            Y = &(&m * &(&s - &X)) - &y4;
            if left > 0 {
                W = (&y4 * &W).doubled();
            }
        }
        Self { X, Y, Z }
    }

    /// self + q for every q: 8 products and 3 squares.
    pub(crate) fn add_affine(&self, q: &SignedPoint) -> Self {
        let Self { X, Y, Z } = self;
        if self.is_identity() {
            return (*q).into();
        }
        let zz = Z.square();
        let H = &(&q.x() * &zz) - X;
        let R = &(&q.y() * &(&zz * Z)) - Y;
        if H.is_zero() {
            return if R.is_zero() { self.double_times(1) } else { Self::IDENTITY };
        }
        let hh = H.square();
        let hhh = &H * &hh;
        let v = X * &hh;
        let X3 = (&R.square() - &hhh).minus_twice(&v);
        Self { X: X3, Y: &(&R * &(&v - &X3)) - &(Y * &hhh), Z: Z * &H }
    }

    /// The point in affine coordinates.
    pub(crate) fn to_point(self) -> Point {
        if self.is_identity() {
            return Point::Identity;
        }
        let inverse = self.Z.inv0();
        let square = inverse.square();
        let (x, y) = (&self.X * &square, &self.Y * &(&square * &inverse));
        Point::Affine(AffinePoint::new_unchecked(x.into(), y.into()))
    }
}

impl From<SignedPoint> for Jacobian {
    fn from(point: SignedPoint) -> Self {
        Self { X: point.x(), Y: point.y(), Z: Element::ONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar256;
    use crate::params::{GENERATOR, ORDER};

    /// Every pair of small multiples of G, equal, opposite and neutral ones included, with Z ≠ 1 on the left.
    #[test]
    fn sums_and_doubles_are_those_of_the_affine_law() {
        let multiple = |k: i32| {
            let point = Point::GENERATOR;
            let sum = (0..k.abs()).fold(Point::Identity, |sum, _| sum + point);
            if k < 0 { -sum } else { sum }
        };
        let g = SignedPoint::from(GENERATOR);
        let points: alloc::vec::Vec<Point> = (-4..=4).map(multiple).collect();
        for p in &points {
            let start = p.to_affine().map_or(Jacobian::IDENTITY, |p| SignedPoint::from(p).into());
            assert_eq!(start.double_times(0).to_point(), *p);
            assert_eq!(start.double_times(1).to_point(), p.double());
            assert_eq!(start.double_times(3).to_point(), p.double().double().double());
            // The same point with another Z: p − G + G.
            let scaled = start.add_affine(&-g).add_affine(&g);
            for q in points.iter().filter_map(Point::to_affine) {
                assert_eq!(start.add_affine(&q.into()).to_point(), *p + q.into());
                assert_eq!(scaled.add_affine(&q.into()).to_point(), *p + q.into());
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
                acc = acc.add_affine(&GENERATOR.into());
            }
        }
        assert!(acc.is_identity());
    }
}
