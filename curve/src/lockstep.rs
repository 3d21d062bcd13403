//! Many operations in lockstep: one in each lane of the packed field, and groups of lanes that share their inversions.
//!
//! Affine formulas cost one inversion an addition, which is dear for one point and cheap for many: Montgomery's trick makes it
//! three products. So doubling and adding affine points takes about 7 products in K a lane, where complete projective formulas
//! take 11 to 13. Exceptional cases are rare; lanes that meet one are reported, and the caller treats them by themselves.

use alloc::vec::Vec;

use p3_field::{Field, PackedField, PackedValue, PrimeCharacteristicRing};
use p3_koala_bear::KoalaBear;

use crate::params::{CURVE_A, ORDER};
use crate::{AffinePoint, Fp7, Point, Scalar, Scalar256, Septic};

/// A packed vector of KoalaBear elements that fits the machine: 16 with AVX-512, 8 with AVX2, 1 without.
pub type Lanes = <KoalaBear as Field>::Packing;

/// Operations in a group.
pub const LANES: usize = Lanes::WIDTH;

/// Lanes of a group in which something went wrong, one bit a lane.
pub type LaneMask = u64;

const _: () = assert!(LANES <= LaneMask::BITS as usize);

/// A field element a lane.
pub type Wide = Septic<Lanes>;

/// A finite point a lane.
#[derive(Clone, Copy, Debug)]
pub struct WidePoint {
    /// x of each lane's point.
    pub x: Wide,
    /// y of each lane's point.
    pub y: Wide,
}

/// The elements `of(lane)`.
#[inline]
pub fn gather<P: PackedField<Scalar = KoalaBear>>(of: impl Fn(usize) -> Fp7) -> Septic<P> {
    let mut out = Septic::<P>::ZERO;
    for lane in 0..P::WIDTH {
        let value = of(lane);
        for (out, value) in out.0.iter_mut().zip(value.0) {
            out.as_slice_mut()[lane] = value;
        }
    }
    out
}

/// A bit a lane, as 0 or 1.
#[inline]
pub fn bits(of: impl Fn(usize) -> bool) -> Lanes {
    Lanes::from_fn(|lane| KoalaBear::from_bool(of(lane)))
}

impl WidePoint {
    /// The points `of(lane)`.
    #[inline]
    pub fn gather(of: impl Fn(usize) -> AffinePoint) -> Self {
        Self { x: gather(|lane| of(lane).x()), y: gather(|lane| of(lane).y()) }
    }

    /// The point of a lane.
    #[inline]
    #[must_use]
    pub fn lane(&self, lane: usize) -> AffinePoint {
        let of = |value: &Wide| Fp7::from_fn(|i| value.0[i].as_slice()[lane]);
        AffinePoint::new_unchecked(of(&self.x), of(&self.y))
    }

    /// self + `rhs`, given the slope of their chord (self doubled, given that of the tangent); y read off the line at `rhs`.
    #[inline]
    #[must_use]
    pub fn sum(&self, rhs: &Self, lambda: &Wide) -> Self {
        let x = lambda.dot_square() - self.x - rhs.x;
        Self { x, y: lambda.dot_mul(&(rhs.x - x)) - rhs.y }
    }
}

/// Inverts many elements at once. Its buffers are kept from call to call.
#[derive(Debug, Default)]
pub struct Inverter {
    /// What is to be inverted; after [`Self::invert`] the inverses.
    pub values: Vec<Wide>,
    before: Vec<Wide>,
}

impl Inverter {
    /// Replaces the values by their inverses: Montgomery's trick, three products a value. `zero` is called with the
    /// index of each value with zeros, and the lanes they are in; such a lane is taken for 1.
    pub fn invert(&mut self, mut zero: impl FnMut(usize, LaneMask)) {
        let mut product = self.multiply();
        let norm = product.norm();
        if norm.as_slice().iter().any(KoalaBear::is_zero) {
            for (index, value) in self.values.iter_mut().enumerate() {
                let mut mask = 0;
                for lane in 0..LANES {
                    if value.0.iter().all(|c| c.as_slice()[lane].is_zero()) {
                        mask |= 1 << lane;
                        value.0[0].as_slice_mut()[lane] = KoalaBear::ONE;
                    }
                }
                if mask != 0 {
                    zero(index, mask);
                }
            }
            product = self.multiply();
        }
        let mut inverse = product.inv0_packed();
        for (value, before) in self.values.iter_mut().zip(&self.before).rev() {
            let old = *value;
            *value = inverse.dot_mul(before);
            inverse = inverse.dot_mul(&old);
        }
    }

    /// Keeps the product of the values before each value; returns the product of all.
    fn multiply(&mut self) -> Wide {
        self.before.clear();
        let mut product = Wide::ONE;
        for value in &self.values {
            self.before.push(product);
            product = product.dot_mul(value);
        }
        product
    }
}

/// Groups in lockstep.
#[derive(Debug)]
pub struct Lockstep {
    inverter: Inverter,
    /// Lanes of each group that met an exceptional case: their points mean nothing.
    pub failed: Vec<LaneMask>,
}

impl Lockstep {
    /// That many groups.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self { inverter: Inverter::default(), failed: alloc::vec![0; groups] }
    }

    fn invert(&mut self) {
        let failed = &mut self.failed;
        self.inverter.invert(|group, lanes| failed[group] |= lanes);
    }

    /// Adds a summand to each group's accumulator. Lanes with equal x have failed.
    pub fn add(&mut self, acc: &mut [WidePoint], summands: &[WidePoint]) {
        self.inverter.values.clear();
        self.inverter.values.extend(acc.iter().zip(summands).map(|(acc, t)| t.x - acc.x));
        self.invert();
        for ((acc, t), inverse) in acc.iter_mut().zip(summands).zip(&self.inverter.values) {
            *acc = acc.sum(t, &(t.y - acc.y).dot_mul(inverse));
        }
    }

    /// Doubles each group's accumulator.
    pub fn double(&mut self, acc: &mut [WidePoint]) {
        self.inverter.values.clear();
        self.inverter.values.extend(acc.iter().map(|acc| acc.y.doubled()));
        self.invert();
        for (acc, inverse) in acc.iter_mut().zip(&self.inverter.values) {
            let mut numerator = acc.x.dot_square().tripled();
            numerator.0[0] += KoalaBear::new(CURVE_A);
            *acc = acc.sum(acc, &numerator.dot_mul(inverse));
        }
    }
}

/// Bits of a window.
const WINDOW: usize = 4;

/// Windows of an odd number below 2^218.
const WINDOWS: usize = 55;

/// Odd multiples in a table: P, 3P, …, 15P.
const TABLE: usize = 1 << (WINDOW - 1);

/// The digits of a scalar: Σ dᵢ·16^i is the scalar modulo r, and each dᵢ is odd and between −15 and 15.
fn odd_digits(scalar: &Scalar) -> [i8; WINDOWS] {
    let mut number = scalar.to_uint();
    if number.to_le_bytes().as_ref()[0] & 1 == 0 {
        number = number.wrapping_add(&ORDER);
    }
    let bytes = number.to_le_bytes();
    let bytes = bytes.as_ref();
    let nibble = |i: usize| (bytes[i / 2] >> (4 * (i % 2)) & 15).cast_signed();
    // A digit is its nibble with the lowest bit set, and 16 less where the next nibble is even, which then counts as one more.
    core::array::from_fn(|i| {
        let digit = nibble(i) | 1;
        if i + 1 < WINDOWS && nibble(i + 1) & 1 == 0 { digit - 16 } else { digit }
    })
}

/// Operations whose groups go in lockstep.
const CHUNK: usize = 16 * LANES;

/// s·P for each (s, P), in order. Variable time.
pub(crate) fn mul_batch(operations: &[(Scalar256, Point)]) -> Vec<Point> {
    operations.chunks(CHUNK).flat_map(mul_chunk).collect()
}

fn mul_chunk(operations: &[(Scalar256, Point)]) -> Vec<Point> {
    let groups = operations.len().div_ceil(LANES);
    let operation = |group: usize, lane: usize| operations[(group * LANES + lane).min(operations.len() - 1)];
    let mut lockstep = Lockstep::new(groups);
    let digits: Vec<[i8; WINDOWS]> =
        operations.iter().map(|(scalar, _)| odd_digits(&Scalar::from(*scalar))).collect();

    // P, 3P, …, 15P of each group
    let finite = |point: Point| point.to_affine().unwrap_or(crate::params::GENERATOR);
    let first: Vec<WidePoint> =
        (0..groups).map(|g| WidePoint::gather(|lane| finite(operation(g, lane).1))).collect();
    let mut twice = first.clone();
    lockstep.double(&mut twice);
    let mut multiples = alloc::vec![first];
    for i in 1..TABLE {
        let mut next = multiples[i - 1].clone();
        lockstep.add(&mut next, &twice);
        multiples.push(next);
    }
    let multiple = |group: usize, window: usize| {
        let of = |lane: usize| digits[(group * LANES + lane).min(operations.len() - 1)][window];
        let index = |lane: usize| usize::from(of(lane).unsigned_abs() / 2);
        let x =
            Wide::from_fn(|i| Lanes::from_fn(|lane| multiples[index(lane)][group].x.0[i].as_slice()[lane]));
        let y =
            Wide::from_fn(|i| Lanes::from_fn(|lane| multiples[index(lane)][group].y.0[i].as_slice()[lane]));
        let sign = Lanes::from_fn(|lane| if of(lane) < 0 { KoalaBear::NEG_ONE } else { KoalaBear::ONE });
        WidePoint { x, y: y.scale(&sign) }
    };

    let mut acc: Vec<WidePoint> = (0..groups).map(|g| multiple(g, WINDOWS - 1)).collect();
    for window in (0..WINDOWS - 1).rev() {
        for _ in 0..WINDOW {
            lockstep.double(&mut acc);
        }
        let summands: Vec<WidePoint> = (0..groups).map(|g| multiple(g, window)).collect();
        lockstep.add(&mut acc, &summands);
    }
    operations
        .iter()
        .enumerate()
        .map(|(i, (scalar, point))| {
            let (group, lane) = (i / LANES, i % LANES);
            if point.is_identity() {
                Point::Identity
            } else if lockstep.failed[group] >> lane & 1 == 1 {
                point.mul_vartime(scalar)
            } else {
                acc[group].lane(lane).into()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits are odd, small, and those of the scalar.
    #[test]
    fn digits_sum_up_to_the_scalar() {
        let mut scalar = Scalar::from(3);
        let sixteen = Scalar::from(16);
        for k in 0..200u64 {
            let tried = if k < 40 { Scalar::from(k) } else { scalar };
            let sum = odd_digits(&tried).iter().rev().fold(Scalar::from(0), |sum, &digit| {
                assert!(digit % 2 != 0 && digit.abs() <= 15);
                let magnitude = Scalar::from(u64::from(digit.unsigned_abs()));
                sum * sixteen + if digit < 0 { -magnitude } else { magnitude }
            });
            assert_eq!(sum, tried);
            scalar = scalar.square() - Scalar::from(k);
        }
    }

    /// Lanes that meet an exceptional case, and all others, agree with one product at a time.
    #[test]
    fn products_of_all_kinds() {
        let order = Scalar256::from(ORDER);
        let small = (0..40u64).map(Scalar256::from);
        let below = (1..40u64).map(|k| Scalar256::from(-Scalar::from(k)));
        let scalars: Vec<Scalar256> = small.chain(below).chain([order, Scalar256::MAX]).collect();
        let points = [Point::GENERATOR, Point::Identity, crate::params::DUMMY.into()];
        let operations: Vec<_> = scalars.iter().flat_map(|&s| points.map(|point| (s, point))).collect();
        for len in [1, 2, LANES, LANES + 1, operations.len()] {
            let operations = &operations[operations.len() - len..];
            let expected: Vec<Point> = operations.iter().map(|(s, point)| point.mul_vartime(s)).collect();
            assert_eq!(mul_batch(operations), expected);
        }
    }
}
