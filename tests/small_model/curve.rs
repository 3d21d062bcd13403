//! Curves of small prime order over small prime fields, with the textbook group law.

use septic_chips::params::{CurveParams, PointResidues, Residues};

use crate::field::F;

/// A point, `None` the identity.
pub(crate) type Point = Option<[u32; 2]>;

/// The curve y² = x³ + ax + b over the field of p elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weierstrass {
    pub(crate) p: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Number of points, a prime.
    pub(crate) order: u32,
}

impl Weierstrass {
    pub(crate) const fn contains(&self, x: u32, y: u32) -> bool {
        (x * x % self.p * x + self.a * x + self.b) % self.p == y * y % self.p
    }

    /// 1/x, for x not 0.
    const fn inverse(&self, x: u32) -> u32 {
        let mut inverse = 1;
        while inverse * x % self.p != 1 {
            inverse += 1;
        }
        inverse
    }

    /// P + Q by chord and tangent.
    pub(crate) const fn add(&self, p: Point, q: Point) -> Point {
        let ([x_p, y_p], [x_q, y_q]) = match (p, q) {
            (Some(p), Some(q)) => (p, q),
            (None, point) | (point, None) => return point,
        };
        let m = self.p;
        let slope = if x_p != x_q {
            (y_q + m - y_p) * self.inverse((x_q + m - x_p) % m) % m
        } else if y_p == y_q && y_p != 0 {
            (3 * x_p * x_p + self.a) % m * self.inverse(2 * y_p % m) % m
        } else {
            return None;
        };
        let x = (slope * slope + 2 * m - x_p - x_q) % m;
        let y = (slope * (x_p + m - x) + m - y_p) % m;
        Some([x, y])
    }

    pub(crate) const fn negate(&self, p: Point) -> Point {
        match p {
            Some([x, y]) => Some([x, (self.p - y) % self.p]),
            None => None,
        }
    }

    /// k·P.
    pub(crate) const fn multiple(&self, k: u32, p: Point) -> Point {
        let mut sum = None;
        let mut left = k % self.order;
        while left > 0 {
            sum = self.add(sum, p);
            left -= 1;
        }
        sum
    }

    /// The point with the least x, and of the two the least y.
    pub(crate) const fn generator(&self) -> Point {
        let mut at = 0;
        while !self.contains(at / self.p, at % self.p) {
            at += 1;
        }
        Some([at / self.p, at % self.p])
    }

    /// The finite points.
    pub(crate) fn finite_points(&self) -> impl Iterator<Item = [u32; 2]> {
        let pairs = (0..self.p).flat_map(|x| (0..self.p).map(move |y| [x, y]));
        pairs.filter(|&[x, y]| self.contains(x, y))
    }

    /// The finite points and the identity.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> {
        self.finite_points().map(Some).chain([None])
    }
}

/// Digit rows of the shortened ladder: three limbs of two bits, but for the highest bit.
pub(crate) const DIGITS: usize = 5;

/// The toy curve y² = x³ + `A`x + `B` over the field of `P` elements, of order `R`, with all that the chips ask of a
/// curve, for a ladder of [`DIGITS`] digits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Toy<const P: u32, const A: u32, const B: u32, const R: u32>;

/// A toy curve over the field of `P` elements.
pub(crate) trait ToyCurve<const P: u32>: CurveParams {
    const E: Weierstrass;
    /// H as a point.
    const H: Point;

    /// The point with these coordinates; `Err` if they are neither a point of the curve nor (0, 0).
    fn decode([x, y]: [F<P>; 2]) -> Result<Point, NotAPoint> {
        match [x.residue(), y.residue()] {
            [0, 0] => Ok(None),
            [x, y] if Self::E.contains(x, y) => Ok(Some([x, y])),
            _ => Err(NotAPoint),
        }
    }

    /// The finite point with these coordinates.
    fn finite(xy: [F<P>; 2]) -> Point {
        Self::decode(xy).ok().flatten()
    }
}

/// Coordinates of no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAPoint;

impl<const P: u32, const A: u32, const B: u32, const R: u32> ToyCurve<P> for Toy<P, A, B, R> {
    const E: Weierstrass = Weierstrass { p: P, a: A, b: B, order: R };
    const H: Point = Self::E.multiple(R.div_ceil(2), Self::E.generator());
}

impl<const P: u32, const A: u32, const B: u32, const R: u32> Toy<P, A, B, R> {
    const OFFSET_POINTS: [Point; 2] =
        [Self::E.multiple(2, Self::E.generator()), Self::E.multiple(5, Self::E.generator())];

    /// 2^n·B_j − (2^n − 1)·h.
    const fn corrections(h: Point) -> [PointResidues; 2] {
        let e = Self::E;
        let taken = e.negate(e.multiple((1 << DIGITS) - 1, h));
        let [zero, one] = Self::OFFSET_POINTS;
        [
            residues(e.add(e.multiple(1 << DIGITS, zero), taken)),
            residues(e.add(e.multiple(1 << DIGITS, one), taken)),
        ]
    }
}

impl<const P: u32, const A: u32, const B: u32, const R: u32> CurveParams for Toy<P, A, B, R> {
    const A: u32 = A;
    const B: Residues = embed(B);
    const OFFSETS: [PointResidues; 2] = [residues(Self::OFFSET_POINTS[0]), residues(Self::OFFSET_POINTS[1])];
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = Self::corrections(None);
    const VERIFY_CORRECTIONS: [PointResidues; 2] = Self::corrections(Self::H);
    const HALF_GENERATOR: PointResidues = residues(Self::H);
}

/// An element of the base field as one of the extension.
const fn embed(c: u32) -> Residues {
    [c, 0, 0, 0, 0, 0, 0]
}

/// The coordinates of a finite point.
const fn residues(p: Point) -> PointResidues {
    match p {
        Some([x, y]) => [embed(x), embed(y)],
        None => panic!("the constants of a chip are finite"),
    }
}

/// The finite point with these coordinates.
pub(crate) const fn point([x, y]: PointResidues) -> Point {
    Some([x[0], y[0]])
}

/// 11 points over 7 elements.
pub(crate) type Toy7 = Toy<7, 1, 6, 11>;
/// 19 points over 13 elements.
pub(crate) type Toy13 = Toy<13, 4, 1, 19>;
/// 13 points over 19 elements.
pub(crate) type Toy19 = Toy<19, 2, 18, 13>;
/// 23 points over 29 elements.
pub(crate) type Toy29 = Toy<29, 1, 12, 23>;
/// 29 points over 31 elements.
pub(crate) type Toy31 = Toy<31, 1, 23, 29>;

/// The textbook law is a group of the stated prime order, so it may serve as the oracle.
#[test]
fn toy_curves_are_groups_of_prime_order() {
    fn check<T: ToyCurve<P>, const P: u32>() {
        let e = T::E;
        let points: Vec<Point> = e.points().collect();
        assert_eq!(points.len(), usize::try_from(e.order).unwrap());
        assert!((2..e.order).all(|d| !e.order.is_multiple_of(d)), "{e:?}");
        assert!(e.a != 0 && e.b != 0 && !points.contains(&Some([0, 0])));
        for &p in &points {
            assert_eq!(e.add(p, e.negate(p)), None);
            assert_eq!(e.add(e.multiple(e.order - 1, p), p), None);
            for &q in &points {
                let sum = e.add(p, q);
                assert_eq!(sum, e.add(q, p));
                assert!(points.contains(&sum));
                for &r in &points {
                    assert_eq!(e.add(sum, r), e.add(p, e.add(q, r)));
                }
            }
        }
    }
    check::<Toy7, _>();
    check::<Toy13, _>();
    check::<Toy19, _>();
    check::<Toy29, _>();
    check::<Toy31, _>();
}
