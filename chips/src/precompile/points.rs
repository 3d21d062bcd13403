//! Constants as polynomials in the bits that choose one of them.
//!
//! A function of n bits is a polynomial that is linear in each bit. With the products of some bits in columns, those of 4 or 5
//! bits have degree 2: the monomials are products of one from each of two groups.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::array;

use once_cell::race::OnceBox;
use septic_curve::{AffinePoint, DEGREE, Point, ProjectivePoint, Ring, Septic, offset, params};

use super::{START_BITS, START_PRODUCTS};
use crate::half::STEPS;
use crate::params::PointResidues;
use crate::relations::assert_bool_below;
use crate::sink::{ConstraintSink, Label};

/// Offsets.
pub const STARTS: usize = 1 << START_BITS;

/// Windows of the scalar of G, of 5 bits: a sign and 4 bits of a magnitude.
pub const WINDOWS: usize = 44;

/// Bits of a window's magnitude.
pub const MAGNITUDE_BITS: usize = 4;

/// Entries of a window, without sign.
pub const ENTRIES: usize = 1 << MAGNITUDE_BITS;

/// The points that the constraints choose from.
#[derive(Clone, Debug)]
pub struct Points {
    /// B_j.
    pub starts: [AffinePoint; STARTS],
    /// C_j = 2^109·B_j.
    pub ends: [AffinePoint; STARTS],
    /// Q_j = B_j − (2^220 − 1)·H: what the windows of the scalar 0 sum up to from B_j.
    pub totals: [AffinePoint; STARTS],
    /// (2m + 1)·2^(5w)·H in window w, at index m.
    pub windows: Vec<[AffinePoint; ENTRIES]>,
    /// Coefficients of `starts`, `ends`, `totals` and `windows`, in the order of the subsets of bits.
    coefficients: Coefficients,
}

#[derive(Clone, Debug)]
struct Coefficients {
    starts: [PointResidues; STARTS],
    ends: [PointResidues; STARTS],
    totals: [PointResidues; STARTS],
    windows: Vec<[PointResidues; ENTRIES]>,
}

/// p.
const P: u64 = 0x7f00_0001;

/// The coefficients of the polynomial with these values: at a subset of bits, the signed sum of the values of its subsets.
fn coefficients<const N: usize>(values: &[AffinePoint; N]) -> [PointResidues; N] {
    let mut out = values.map(|point| {
        let (x, y) = point.to_canonical();
        [x, y]
    });
    let mut bit = 1;
    while bit < N {
        for subset in (0..N).filter(|subset| subset & bit != 0) {
            let without = out[subset ^ bit];
            for (coordinate, without) in out[subset].iter_mut().flatten().zip(without.iter().flatten()) {
                let difference = (u64::from(*coordinate) + P - u64::from(*without)) % P;
                *coordinate = u32::try_from(difference).unwrap_or_default();
            }
        }
        bit <<= 1;
    }
    out
}

/// The affine form of points that are not the identity.
fn affine(points: &[ProjectivePoint]) -> Vec<AffinePoint> {
    ProjectivePoint::batch_to_points(points).iter().filter_map(Point::to_affine).collect()
}

/// The first N of a list that has as many.
fn array<const N: usize>(points: &[AffinePoint]) -> [AffinePoint; N] {
    array::from_fn(|i| points[i])
}

impl Points {
    /// The points of the septic curve, computed once.
    #[must_use]
    pub fn get() -> &'static Self {
        static POINTS: OnceBox<Points> = OnceBox::new();
        POINTS.get_or_init(|| Box::new(Self::compute()))
    }

    fn compute() -> Self {
        let starts: [AffinePoint; STARTS] = array::from_fn(|j| offset(u32::try_from(j).unwrap_or_default()));
        let moved = starts.map(|start| (0..STEPS).fold(ProjectivePoint::from(start), |acc, _| acc.double()));
        let ends = array(&affine(&moved));

        let mut windows = Vec::with_capacity(WINDOWS);
        let mut power = ProjectivePoint::from(params::HALF_GENERATOR);
        for _ in 0..WINDOWS {
            let twice = power.double();
            let mut multiple = power;
            let multiples: [ProjectivePoint; ENTRIES] = array::from_fn(|_| {
                let entry = multiple;
                multiple += twice;
                entry
            });
            windows.push(array(&affine(&multiples)));
            // The multiple is 33 times the power.
            power = multiple - power;
        }
        // 2^220·H − H
        let all = power - ProjectivePoint::from(params::HALF_GENERATOR);
        let totals = array(&affine(&starts.map(|start| ProjectivePoint::from(start) - all)));

        let coefficients = Coefficients {
            starts: coefficients(&starts),
            ends: coefficients(&ends),
            totals: coefficients(&totals),
            windows: windows.iter().map(coefficients).collect(),
        };
        Self { starts, ends, totals, windows, coefficients }
    }
}

/// Σ coefficient·monomial, coordinate by coordinate: the point that the bits choose.
fn combine<S: ConstraintSink>(
    sink: &S,
    coefficients: &[PointResidues],
    monomials: &[S::Expr],
) -> [Septic<S::Expr>; 2] {
    array::from_fn(|k| {
        Septic::from_fn(|i| {
            let mut sum = sink.constant(0);
            for (coefficient, monomial) in coefficients.iter().zip(monomials) {
                sum = sum + sink.constant(coefficient[k][i]) * monomial.clone();
            }
            sum
        })
    })
}

/// Products of one of `low` and one of `high`, the first of which stand for `gate`: `low` varies first.
fn products<E: Ring>(gate: &E, low: &[&E], high: &[&E]) -> Vec<E> {
    let mut out = Vec::with_capacity((low.len() + 1) * (high.len() + 1));
    for high in core::iter::once(None).chain(high.iter().map(Some)) {
        for low in core::iter::once(None).chain(low.iter().map(Some)) {
            out.push(match (low, high) {
                (None, None) => gate.clone(),
                (Some(&one), None) | (None, Some(&one)) => one.clone(),
                (Some(&low), Some(&high)) => low.clone() * high.clone(),
            });
        }
    }
    out
}

/// The choice of one of the 32 offsets.
#[derive(Clone, Debug)]
pub struct Start<E> {
    /// Degree 2, 32 of them; multiples of the gate.
    monomials: Vec<E>,
}

impl<E: Ring> Start<E> {
    /// Asserts that the bits are 0 or the gate and that the products are theirs. Degree 2.
    #[inline]
    pub fn assert<S: ConstraintSink<Expr = E>>(
        sink: &mut S,
        [bits_label, products_label]: [Label; 2],
        gate: &E,
        bits: &[E; START_BITS],
        products_of_bits: &[E; START_PRODUCTS],
    ) -> Self {
        for bit in bits {
            assert_bool_below(sink, bits_label, bit, gate);
        }
        let [b0, b1, b2, b3, b4] = bits;
        let [b01, b02, b12, b012, b34] = products_of_bits;
        for (product, left, right) in
            [(b01, b0, b1), (b02, b0, b2), (b12, b1, b2), (b012, b01, b2), (b34, b3, b4)]
        {
            sink.assert_zero(products_label, product.clone() - left.clone() * right.clone());
        }
        let monomials = products(gate, &[b0, b1, b01, b2, b02, b12, b012], &[b3, b4, b34]);
        Self { monomials }
    }

    /// B_j times the gate. Degree 2.
    pub fn start<S: ConstraintSink<Expr = E>>(&self, sink: &S) -> [Septic<E>; 2] {
        combine(sink, &Points::get().coefficients.starts, &self.monomials)
    }

    /// C_j times the gate. Degree 2.
    pub fn end<S: ConstraintSink<Expr = E>>(&self, sink: &S) -> [Septic<E>; 2] {
        combine(sink, &Points::get().coefficients.ends, &self.monomials)
    }

    /// Q_j times the gate. Degree 2.
    pub fn total<S: ConstraintSink<Expr = E>>(&self, sink: &S) -> [Septic<E>; 2] {
        combine(sink, &Points::get().coefficients.totals, &self.monomials)
    }
}

/// The entry of window w that the bits of a magnitude choose, its y times `sign`. x of degree 2, y of degree 3.
///
/// `products_of_bits` are m_0·m_1 and m_2·m_3.
#[inline]
pub fn entry<S: ConstraintSink>(
    sink: &S,
    w: usize,
    gate: &S::Expr,
    magnitude: &[S::Expr],
    products_of_bits: &[S::Expr],
    sign: &S::Expr,
) -> [Septic<S::Expr>; 2] {
    let low = [&magnitude[0], &magnitude[1], &products_of_bits[0]];
    let high = [&magnitude[2], &magnitude[3], &products_of_bits[1]];
    let [x, y] = combine(sink, &Points::get().coefficients.windows[w], &products(gate, &low, &high));
    [x, y.scale(sign)]
}

const _: () = assert!(DEGREE == 7 && START_BITS == 5 && MAGNITUDE_BITS == 4);

#[cfg(test)]
mod tests {
    use septic_curve::{KoalaBear, Scalar256};

    use super::*;
    use crate::check::{CheckField, CheckSink};

    fn times(point: AffinePoint, bits: u32) -> Point {
        (0..bits).fold(Point::from(point), |point, _| point.double())
    }

    #[test]
    fn points_are_what_they_should_be() {
        let points = Points::get();
        let half = Point::from(params::HALF_GENERATOR);
        let all = times(params::HALF_GENERATOR, 220) - half;
        for j in 0..STARTS {
            assert_eq!(Point::from(points.ends[j]), times(points.starts[j], 109));
            assert_eq!(Point::from(points.totals[j]), Point::from(points.starts[j]) - all);
        }
        for (w, window) in (0..).zip(&points.windows) {
            for (m, &entry) in (0_u64..).zip(window) {
                let odd =
                    half.mul_vartime(&Scalar256::from(2 * m + 1)).to_affine().expect("not the identity");
                assert_eq!(Point::from(entry), times(odd, 5 * w));
            }
        }
        assert_eq!(points.windows.len(), WINDOWS);
    }

    fn bits<const N: usize>(x: usize) -> [KoalaBear; N] {
        array::from_fn(|i| KoalaBear::from_residue(u32::try_from(x >> i & 1).expect("a bit")))
    }

    fn coordinates(point: AffinePoint) -> [Septic<KoalaBear>; 2] {
        [point.x(), point.y()]
    }

    /// Every choice of bits chooses its point, and gates of 0 choose (0, 0).
    #[test]
    fn bits_choose_points() {
        let points = Points::get();
        let [zero, one] = [0, 1].map(KoalaBear::from_residue);
        let labels = [Label("bits"), Label("products")];
        for j in 0..STARTS {
            let [b0, b1, b2, b3, b4] = bits::<5>(j);
            let products = [b0 * b1, b0 * b2, b1 * b2, b0 * b1 * b2, b3 * b4];
            let mut sink = CheckSink::new();
            let start = Start::assert(&mut sink, labels, &one, &bits(j), &products);
            assert_eq!(sink.failures, []);
            assert_eq!(start.start(&sink), coordinates(points.starts[j]));
            assert_eq!(start.end(&sink), coordinates(points.ends[j]));
            assert_eq!(start.total(&sink), coordinates(points.totals[j]));
        }
        let sink = CheckSink::new();
        for w in 0..WINDOWS {
            for m in 0..ENTRIES {
                let magnitude = bits::<4>(m);
                let products = [magnitude[0] * magnitude[1], magnitude[2] * magnitude[3]];
                for (sign, negative) in [(one, false), (-one, true)] {
                    let point = points.windows[w][m];
                    let expected = coordinates(if negative { -point } else { point });
                    assert_eq!(entry(&sink, w, &one, &magnitude, &products, &sign), expected);
                }
            }
            let none = entry(&sink, w, &zero, &[zero; 4], &[zero; 2], &zero);
            assert!(none.iter().flat_map(|x| x.0).all(|x| x == zero));
        }
    }
}
