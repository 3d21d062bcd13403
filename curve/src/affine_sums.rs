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

use crate::{AffinePoint, Fp7, Point, Septic};

/// A packed vector of KoalaBear elements that fits the machine.
type Lanes = <KoalaBear as Field>::Packing;

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

/// Transposes: the value of `get` in each lane.
#[inline]
fn pack<P: PackedField<Scalar = KoalaBear>>(get: impl Fn(usize) -> Fp7) -> Septic<P> {
    let mut out = Septic::<P>::ZERO;
    for lane in 0..P::WIDTH {
        let value = get(lane);
        for (packed, c) in out.0.iter_mut().zip(value.0) {
            packed.as_slice_mut()[lane] = c;
        }
    }
    out
}

/// Appends the sums of the pairs to `out`, in order.
pub(crate) fn add_pairs(pairs: &[(Flat, Flat)], out: &mut Vec<Flat>, scratch: &mut Scratch) {
    let first = out.len();
    out.resize(first + pairs.len(), Flat::IDENTITY);
    let out = &mut out[first..];
    // A packed inversion costs as much as several single sums.
    if pairs.len() >= Lanes::WIDTH / 2 {
        chords::<Lanes>(pairs, out, &mut scratch.packed);
    } else {
        chords::<KoalaBear>(pairs, out, &mut scratch.single);
    }
    for (sum, (p, q)) in out.iter_mut().zip(pairs) {
        if is_special(p, q) {
            *sum = (p.to_point() + q.to_point()).into();
        }
    }
}

/// Buffers of [`add_pairs`]; their contents do not matter.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    packed: Vec<[Septic<Lanes>; 2]>,
    single: Vec<[Fp7; 2]>,
}

/// Whether there is no chord through the points.
#[inline]
fn is_special(p: &Flat, q: &Flat) -> bool {
    p.x == q.x || p.is_identity() || q.is_identity()
}

/// The sums of the pairs that have a chord; what the others get has no meaning.
fn chords<P>(pairs: &[(Flat, Flat)], out: &mut [Flat], scratch: &mut Vec<[Septic<P>; 2]>)
where
    P: PackedField<Scalar = KoalaBear>,
{
    // Lanes without a pair have 0 − 0; those, and pairs with one x, get the denominator 1.
    let coordinate = |chunk: &[(Flat, Flat)], get: fn(&(Flat, Flat)) -> Fp7| {
        pack::<P>(|lane| chunk.get(lane).map_or(Septic::ZERO, get))
    };
    scratch.clear();
    let mut product = Septic::<P>::ONE;
    for chunk in pairs.chunks(P::WIDTH) {
        let mut denominator = coordinate(chunk, |(_, q)| q.x) - coordinate(chunk, |(p, _)| p.x);
        for lane in 0..P::WIDTH {
            if chunk.get(lane).is_none_or(|(p, q)| p.x == q.x) {
                denominator.0[0].as_slice_mut()[lane] = KoalaBear::ONE;
            }
        }
        scratch.push([denominator, product]);
        product = product.dot_mul(&denominator);
    }
    let mut rest = product.inv0_packed();
    let chunks = pairs.chunks(P::WIDTH).zip(out.chunks_mut(P::WIDTH)).zip(&*scratch);
    for ((chunk, out), [denominator, before]) in chunks.rev() {
        let (x_p, x_q) = (coordinate(chunk, |(p, _)| p.x), coordinate(chunk, |(_, q)| q.x));
        let (y_p, y_q) = (coordinate(chunk, |(p, _)| p.y), coordinate(chunk, |(_, q)| q.y));
        let lambda = (y_q - y_p).dot_mul(&rest.dot_mul(before));
        rest = rest.dot_mul(denominator);
        let x = lambda.dot_square() - x_p - x_q;
        let y = lambda.dot_mul(&(x_p - x)) - y_p;
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
                let flat: Vec<(Flat, Flat)> = pairs.iter().map(|&(p, q)| (p.into(), q.into())).collect();
                let mut out = alloc::vec![Flat::from(g)];
                add_pairs(&flat, &mut out, &mut scratch);
                assert_eq!(out.len(), 1 + length);
                assert_eq!(out[0].to_point(), g);
                for (sum, (p, q)) in out[1..].iter().zip(pairs) {
                    assert_eq!(sum.to_point(), *p + *q);
                }
            }
        }
    }
}
