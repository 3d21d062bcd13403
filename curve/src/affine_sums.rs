//! Many sums of two affine points at once: packed lanes, one inversion for all.
//!
//! A chord costs one inversion, two products and one square; Montgomery's trick replaces the inversion by three
//! products. In all 5M + 1S a sum, against 12M of the complete projective formulas, and the packed field does as many
//! sums at a time as it has lanes.
//!
//! A pair for which the chord does not exist (a neutral operand, equal or opposite points) takes part with a dummy
//! denominator and gets its sum from [`Point`]'s addition afterwards. So every input has the right sum; inputs made
//! to meet such pairs only cost time.

use alloc::vec::Vec;

use p3_field::{Field, PackedField, PackedValue, PrimeCharacteristicRing};
use p3_koala_bear::KoalaBear;

use crate::lockstep::{Lanes, gather};
use crate::{AffinePoint, Fp7, Point, Septic};

/// A point in 56 bytes: the identity is the point with y = 0, which no point of E has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flat {
    x: Fp7,
    y: Fp7,
}

impl Flat {
    /// The neutral element.
    pub(crate) const IDENTITY: Self = Self { x: Septic::ZERO, y: Septic::ZERO };

    /// Whether this is the neutral element.
    pub(crate) fn is_identity(&self) -> bool {
        self.y.is_zero()
    }

    /// The point as one of the group.
    pub(crate) fn to_point(self) -> Point {
        if self.is_identity() {
            Point::Identity
        } else {
            Point::Affine(AffinePoint::new_unchecked(self.x, self.y))
        }
    }
}

impl From<AffinePoint> for Flat {
    fn from(point: AffinePoint) -> Self {
        Self { x: point.x(), y: point.y() }
    }
}

impl From<Point> for Flat {
    fn from(point: Point) -> Self {
        point.to_affine().map_or(Self::IDENTITY, Self::from)
    }
}

impl core::ops::Neg for Flat {
    type Output = Self;

    fn neg(self) -> Self {
        Self { x: self.x, y: -self.y }
    }
}

/// Neighbours in a list of points, to be added.
#[derive(Clone, Copy, Debug)]
struct Pairs<'a> {
    points: &'a [Flat],
    /// Index of the first point of each pair.
    firsts: &'a [usize],
}

impl<'a> Pairs<'a> {
    /// Pair k: two points. None beyond the last pair.
    #[inline]
    fn get(&self, k: usize) -> Option<&'a [Flat; 2]> {
        self.points[*self.firsts.get(k)?..].first_chunk()
    }
}

/// What the pass that multiplies the denominators leaves for the one that adds.
#[derive(Clone, Copy, Debug)]
struct Chunk<P> {
    x_p: Septic<P>,
    /// x_q − x_p, or 1 in lanes without a chord.
    denominator: Septic<P>,
    /// The product of the denominators of the chunks before.
    before: Septic<P>,
}

/// Buffers of [`add_neighbours`]; their contents do not matter.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    packed: Vec<Chunk<Lanes>>,
    single: Vec<Chunk<KoalaBear>>,
}

/// Replaces the contents of `out` by points\[i\] + points\[i + 1\] for each i of `firsts`, in order.
///
/// # Panics
/// If i + 1 is not an index of `points`.
pub(crate) fn add_neighbours(points: &[Flat], firsts: &[usize], out: &mut Vec<Flat>, scratch: &mut Scratch) {
    let pairs = Pairs { points, firsts };
    out.clear();
    out.resize(firsts.len(), Flat::IDENTITY);
    // A packed inversion costs as much as several single sums.
    if firsts.len() >= Lanes::WIDTH / 2 {
        chords::<Lanes>(pairs, out, &mut scratch.packed);
    } else {
        chords::<KoalaBear>(pairs, out, &mut scratch.single);
    }
    for (sum, &first) in out.iter_mut().zip(firsts) {
        let (p, q) = (&points[first], &points[first + 1]);
        if p.x == q.x || p.is_identity() || q.is_identity() {
            *sum = (p.to_point() + q.to_point()).into();
        }
    }
}

/// The sums of the pairs that have a chord; what the others get has no meaning.
fn chords<P>(pairs: Pairs<'_>, out: &mut [Flat], scratch: &mut Vec<Chunk<P>>)
where
    P: PackedField<Scalar = KoalaBear>,
{
    // Lanes without a pair have 0 − 0; those, and pairs with one x, get the denominator 1.
    let coordinate = |chunk: usize, get: fn(&[Flat; 2]) -> Fp7| {
        gather::<P>(|lane| pairs.get(P::WIDTH * chunk + lane).map_or(Septic::ZERO, get))
    };
    scratch.clear();
    let mut product = Septic::<P>::ONE;
    for chunk in 0..out.len().div_ceil(P::WIDTH) {
        let x_p = coordinate(chunk, |[p, _]| p.x);
        let mut denominator = coordinate(chunk, |[_, q]| q.x) - x_p;
        for lane in 0..P::WIDTH {
            if denominator.0.iter().all(|c| c.as_slice()[lane].is_zero()) {
                denominator.0[0].as_slice_mut()[lane] = KoalaBear::ONE;
            }
        }
        scratch.push(Chunk { x_p, denominator, before: product });
        product = product.dot_mul(&denominator);
    }
    let mut rest = product.inv0_packed();
    for ((chunk, out), Chunk { x_p, denominator, before }) in
        out.chunks_mut(P::WIDTH).enumerate().zip(&*scratch).rev()
    {
        let (y_p, y_q) = (coordinate(chunk, |[p, _]| p.y), coordinate(chunk, |[_, q]| q.y));
        let lambda = (y_q - y_p).dot_mul(&rest.dot_mul(before));
        rest = rest.dot_mul(denominator);
        // x_p + x_q = 2x_p + denominator.
        let x = lambda.dot_square() - x_p.doubled() - *denominator;
        let y = lambda.dot_mul(&(*x_p - x)) - y_p;
        for (lane, sum) in out.iter_mut().enumerate() {
            sum.x = Fp7::from_fn(|i| x.0[i].as_slice()[lane]);
            sum.y = Fp7::from_fn(|i| y.0[i].as_slice()[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of every length around the number of lanes, with all kinds of exceptional pairs among them.
    #[test]
    fn sums_are_those_of_the_group() {
        let g = Point::GENERATOR;
        let mut multiples = alloc::vec![Point::Identity];
        for _ in 0..9 {
            multiples.push(multiples[multiples.len() - 1] + g);
            multiples.push(-multiples[multiples.len() - 1]);
        }
        let all: Vec<(Point, Point)> =
            multiples.iter().flat_map(|&p| multiples.iter().map(move |&q| (p, q))).collect();
        let lengths =
            [0, 1, 2, Lanes::WIDTH - 1, Lanes::WIDTH, Lanes::WIDTH + 1, 5 * Lanes::WIDTH - 1, all.len()];
        let mut scratch = Scratch::default();
        for length in lengths {
            for pairs in all.chunks_exact(length.max(1)) {
                let pairs = &pairs[..length];
                let points: Vec<Flat> = pairs.iter().flat_map(|&(p, q)| [p.into(), q.into()]).collect();
                let firsts: Vec<usize> = (0..length).map(|k| 2 * k).collect();
                let mut out = alloc::vec![Flat::from(g)];
                add_neighbours(&points, &firsts, &mut out, &mut scratch);
                assert_eq!(out.len(), length);
                for (sum, (p, q)) in out.iter().zip(pairs) {
                    assert_eq!(sum.to_point(), *p + *q);
                }
            }
        }
    }
}
