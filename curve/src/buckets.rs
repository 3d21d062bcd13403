//! The sum of many products of points, in variable time.
//!
//! Pippenger's method ("On the evaluation of powers and related problems", 1976; Bernstein, Doumen, Lange and Oosterwijk,
//! ePrint 2012/549, §4) on signed digits of c bits. In each window of c bits a point goes into the bucket of its digit's
//! absolute value; a window's sum is Σ k·(bucket k). Buckets are summed in affine coordinates, pair by pair as a tree, so
//! that one inversion serves all sums of a level ([`crate::affine_sums`]). The windows' sums come from running sums, one
//! window in each packed lane, with the complete projective formulas.
//!
//! For n points with b-bit multipliers that is n·b/c affine additions (5M + 1S each) and 2^c·b/c projective ones (12M
//! each).

use alloc::vec::Vec;
use core::array;

use p3_field::PackedValue;

use crate::affine_sums::{Flat, Scratch, add_neighbours};
use crate::jacobian::Jacobian;
use crate::lockstep::Lanes;
use crate::projective::Projective;
use crate::recode::signed_windows;
use crate::{AffinePoint, Point, ProjectivePoint, Scalar256};

/// One product: a multiplier below 2^217 and its point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    /// The multiplier.
    pub(crate) scalar: Scalar256,
    /// Bound on the multiplier: it is at most 2^bits.
    pub(crate) bits: usize,
    /// Whether to subtract the product.
    pub(crate) negative: bool,
    /// The point.
    pub(crate) point: AffinePoint,
}

/// Bits of a window: the width with the least number of additions, a projective one counted as two affine ones.
fn window_width(products: &[Product]) -> u32 {
    let bits: usize = products.iter().map(|product| product.bits).sum();
    let cost = |&width: &u32| (bits + 2 * (1 << width) * 217) / width as usize;
    (4..=12).min_by_key(cost).unwrap_or(4)
}

/// Number of windows of a multiplier that is at most 2^bits, with one more bit for signed digits.
fn windows(bits: usize, width: u32) -> usize {
    (bits + 1).div_ceil(width as usize)
}

/// Σ ± scalar·point.
pub(crate) fn sum_of_products(products: &[Product]) -> Point {
    let width = window_width(products);
    let count = products.iter().map(|product| windows(product.bits, width)).max().unwrap_or(0);
    let points: Vec<Flat> = products
        .iter()
        .map(|product| {
            let point = Flat::from(product.point);
            if product.negative { -point } else { point }
        })
        .collect();
    // The digits of each window, product by product.
    let mut digits = alloc::vec![0; count * products.len()];
    for (i, product) in products.iter().enumerate() {
        let of_product = signed_windows(&product.scalar, width, windows(product.bits, width));
        for (window, digit) in of_product.enumerate() {
            digits[window * products.len() + i] = digit;
        }
    }

    let mut scratch = Scratch::default();
    let buckets: Vec<Vec<Flat>> = digits
        .chunks(products.len().max(1))
        .map(|digits| Buckets::sort(digits, &points, 1 << (width - 1)).sums(&mut scratch))
        .collect();

    let mut sum = Jacobian::IDENTITY;
    for window in ProjectivePoint::batch_to_points(&weighted_sums(&buckets)).iter().rev() {
        sum = sum.double_times(width as usize);
        if let Point::Affine(window) = window {
            sum = sum.add_affine(&(*window).into());
        }
    }
    sum.to_point()
}

/// Points in the order of their buckets.
struct Buckets {
    points: Vec<Flat>,
    lengths: Vec<usize>,
}

impl Buckets {
    /// Sorts the points by their digits, counting: d·P goes into bucket |d| − 1 with the sign of d.
    fn sort(digits: &[i16], points: &[Flat], buckets: usize) -> Self {
        let bucket = |digit: i16| usize::from(digit.unsigned_abs()).checked_sub(1);
        let mut lengths = alloc::vec![0; buckets];
        for bucket in digits.iter().copied().filter_map(bucket) {
            lengths[bucket] += 1;
        }
        let mut total = 0;
        let mut next: Vec<usize> = lengths
            .iter()
            .map(|length| {
                total += length;
                total - length
            })
            .collect();
        let mut sorted = alloc::vec![Flat::IDENTITY; total];
        for (&digit, &point) in digits.iter().zip(points) {
            if let Some(bucket) = bucket(digit) {
                sorted[next[bucket]] = if digit < 0 { -point } else { point };
                next[bucket] += 1;
            }
        }
        Self { points: sorted, lengths }
    }

    /// The sum of each bucket: neighbours are added until every bucket has one point or none.
    fn sums(mut self, scratch: &mut Scratch) -> Vec<Flat> {
        let (mut firsts, mut sums) = (Vec::new(), Vec::new());
        while self.lengths.iter().any(|&length| length > 1) {
            firsts.clear();
            let mut start = 0;
            for &length in &self.lengths {
                firsts.extend((0..length / 2).map(|k| start + 2 * k));
                start += length;
            }
            add_neighbours(&self.points, &firsts, &mut sums, scratch);

            let (mut read, mut write) = (0, 0);
            let mut sums = sums.iter();
            for length in &mut self.lengths {
                let left_over = (*length % 2 == 1).then(|| self.points[read + *length - 1]);
                read += *length;
                *length /= 2;
                for sum in sums.by_ref().take(*length) {
                    self.points[write] = *sum;
                    write += 1;
                }
                if let Some(point) = left_over {
                    self.points[write] = point;
                    write += 1;
                    *length += 1;
                }
            }
            self.points.truncate(write);
        }
        let mut points = self.points.into_iter();
        let one = |&length: &usize| {
            if length == 0 { Flat::IDENTITY } else { points.next().unwrap_or(Flat::IDENTITY) }
        };
        self.lengths.iter().map(one).collect()
    }
}

/// Σ k·(bucket k) of each window, k counted from 1: one window in each lane.
fn weighted_sums(windows: &[Vec<Flat>]) -> Vec<ProjectivePoint> {
    let mut out = Vec::with_capacity(windows.len());
    for chunk in windows.chunks(Lanes::WIDTH) {
        let mut running = Projective::<Lanes>::identity();
        let mut sum = running;
        for k in (0..chunk[0].len()).rev() {
            let column: [ProjectivePoint; Lanes::WIDTH] = array::from_fn(|lane| {
                chunk.get(lane).map_or(ProjectivePoint::IDENTITY, |buckets| buckets[k].to_point().into())
            });
            running += Projective::from_coefficients(|c| Lanes::from_fn(|lane| column[lane].coefficient(c)));
            sum += running;
        }
        let lane = |l: usize| ProjectivePoint::from_coefficients(|c| sum.coefficient(c).as_slice()[l]);
        out.extend((0..chunk.len()).map(lane));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;

    /// The sum for some numbers of products, with repeated and opposite points and multipliers of both sizes.
    #[test]
    fn sums_are_those_of_single_products() {
        let g = Point::GENERATOR;
        for n in [0, 1, 2, 3, 7, 15, 16, 17, 40, 300] {
            let mut state = Scalar::from(n);
            let mut expected = Point::Identity;
            let mut products = Vec::new();
            for i in 0..n {
                state = state.square() + Scalar::from(i + 3);
                let full = Scalar256::from(state);
                let limbs = full.to_le_limbs();
                let short = Scalar256::from_le_limbs([limbs[0], limbs[1], limbs[2], 0, 0, 0, 0, 0]);
                let (scalar, bits) = if i % 3 == 0 { (short, 96) } else { (full, 217) };
                let point = if i % 5 == 1 { g } else { g.mul_vartime(&Scalar256::from(i * i + 1)) };
                let negative = i % 2 == 0;
                let product = point.mul_vartime(&scalar);
                expected += if negative { -product } else { product };
                let point = point.to_affine().expect("not the identity");
                products.push(Product { scalar, bits, negative, point });
            }
            assert_eq!(sum_of_products(&products), expected, "{n}");
        }
    }

    #[test]
    fn extreme_multipliers() {
        let largest = Scalar256::from(-Scalar::ONE);
        let point = crate::params::GENERATOR;
        let product = |scalar, negative| Product { scalar, bits: 217, negative, point };
        assert_eq!(sum_of_products(&[product(largest, true)]), Point::GENERATOR);
        assert_eq!(
            sum_of_products(&[product(largest, false), product(Scalar256::ONE, false)]),
            Point::Identity
        );
        assert_eq!(sum_of_products(&[product(Scalar256::ZERO, false)]), Point::Identity);
    }
}
