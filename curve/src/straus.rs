//! Sums of a few products of points, in variable time, with shared doublings.
//!
//! Straus's interleaving of non-adjacent forms: width 5 for points without a table (eight odd multiples, made here) and
//! width 8 for the generator ([`crate::generator`]). With M products and S squares in K, a doubling is about 4M + 4S
//! and an addition 8M + 3S:
//!
//! | function | doublings | additions (about) | table |
//! | --- | --- | --- | --- |
//! | [`mul`] | 217 | 36 | 1 × 8 |
//! | [`mul_add`] | 217 | 36 + 24 | 1 × 8 |
//! | [`mul_generator`] | 55 | 24 | none |
//! | [`is_relation`] | 109 | 18 + 18 + 24 | 2 × 8 |

use core::array;

use crypto_bigint::U256;

use crate::comb::SPACING;
use crate::generator::{self, ODD_MULTIPLES};
use crate::half::{HalfPair, scalar256};
use crate::jacobian::{A, Jacobian};
use crate::recode::{NAF_DIGITS, wnaf};
use crate::signed::{Element, SignedPoint};
use crate::{AffinePoint, Scalar, Scalar256};

/// Width of the non-adjacent forms of multipliers of points without a table.
const WIDTH: u32 = 5;

/// Number of odd multiples of such a point.
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Odd multiples P, 3P, …, 15P.
type Table = [SignedPoint; MULTIPLES];

/// One product of the sum.
struct Term<'a> {
    digits: [i8; NAF_DIGITS],
    table: &'a [SignedPoint],
    negative: bool,
}

impl<'a> Term<'a> {
    /// ±k times the point with this table.
    fn new(k: &Scalar256, negative: bool, table: &'a Table) -> Self {
        Self { digits: wnaf(k, WIDTH), table, negative }
    }

    /// k times the base of table `t` of the generator's.
    fn of_generator(k: &Scalar256, t: usize) -> Self {
        Self { digits: wnaf(k, generator::WIDTH), table: &ODD_MULTIPLES[t], negative: false }
    }

    /// The multiple that position i adds.
    fn entry(&self, i: usize) -> Option<SignedPoint> {
        let digit = self.digits[i];
        if digit == 0 {
            return None;
        }
        let point = self.table[usize::from(digit.unsigned_abs() / 2)];
        Some(if (digit < 0) == self.negative { point } else { -point })
    }
}

/// The sum of the terms.
fn interleave(terms: &[Term<'_>]) -> Jacobian {
    let mut acc = Jacobian::IDENTITY;
    let mut doublings = 0;
    for i in (0..NAF_DIGITS).rev() {
        doublings += 1;
        for entry in terms.iter().filter_map(|term| term.entry(i)) {
            acc = acc.double_times(doublings).add_affine(&entry);
            doublings = 0;
        }
    }
    acc.double_times(doublings)
}

/// The sums of pairs of points none of which are opposite, with one inversion for all.
fn sums<const N: usize>(pairs: [(SignedPoint, SignedPoint); N]) -> [SignedPoint; N] {
    let gaps = pairs.map(|(p, q)| &q.x() - &p.x());
    let denominators: [Element; N] =
        array::from_fn(|i| if gaps[i].is_zero() { pairs[i].0.y().doubled() } else { gaps[i] });
    let mut product = Element::ONE;
    let before = denominators.map(|d| {
        let before = product;
        product = &product * &d;
        before
    });
    // Points of the curve that are not opposite have no zero among the denominators.
    let mut rest = product.inv0();
    let mut out = pairs.map(|(p, _)| p);
    for i in (0..N).rev() {
        let (p, q) = pairs[i];
        let numerator = if gaps[i].is_zero() { p.x().square().tripled_plus(&A) } else { &q.y() - &p.y() };
        let lambda = &numerator * &(&rest * &before[i]);
        let x = &lambda.square() - &(&p.x() + &q.x());
        let y = &(&lambda * &(&p.x() - &x)) - &p.y();
        out[i] = SignedPoint::new(&x, &y);
        rest = &rest * &denominators[i];
    }
    out
}

/// The odd multiples of a point. The order of the curve is a prime above 16, so no sum is an exception.
fn odd_multiples(p: AffinePoint) -> Table {
    let p = SignedPoint::from(p);
    let [p2] = sums([(p, p)]);
    let [p3, p4] = sums([(p, p2), (p2, p2)]);
    let [p5, p7, p8] = sums([(p, p4), (p3, p4), (p4, p4)]);
    let [p9, p11, p13, p15] = sums([p, p3, p5, p7].map(|q| (q, p8)));
    [p, p3, p5, p7, p9, p11, p13, p15]
}

/// The odd multiples of two points, with as many inversions as for one.
fn odd_multiples_of_two(p: AffinePoint, q: AffinePoint) -> [Table; 2] {
    let (p, q) = (SignedPoint::from(p), SignedPoint::from(q));
    let [p2, q2] = sums([(p, p), (q, q)]);
    let [p3, p4, q3, q4] = sums([(p, p2), (p2, p2), (q, q2), (q2, q2)]);
    let [p5, p7, p8, q5, q7, q8] = sums([(p, p4), (p3, p4), (p4, p4), (q, q4), (q3, q4), (q4, q4)]);
    let [p9, p11, p13, p15, q9, q11, q13, q15] =
        sums([(p, p8), (p3, p8), (p5, p8), (p7, p8), (q, q8), (q3, q8), (q5, q8), (q7, q8)]);
    [[p, p3, p5, p7, p9, p11, p13, p15], [q, q3, q5, q7, q9, q11, q13, q15]]
}

/// The bits of k from `from` on, `count` of them.
fn part(k: &Scalar, from: usize, count: usize) -> Scalar256 {
    let shift = |x: usize| u32::try_from(x).unwrap_or(u32::MAX);
    let mask = U256::MAX.shr_vartime(U256::BITS - shift(count));
    Scalar256::from(k.to_uint().shr_vartime(shift(from)) & mask)
}

/// k·P.
pub(crate) fn mul(k: &Scalar, p: &AffinePoint) -> Jacobian {
    interleave(&[Term::new(&(*k).into(), false, &odd_multiples(*p))])
}

/// s·G + e·A.
pub(crate) fn mul_add(s: &Scalar, e: &Scalar, a: &AffinePoint) -> Jacobian {
    let table = odd_multiples(*a);
    interleave(&[Term::new(&(*e).into(), false, &table), Term::of_generator(&(*s).into(), 0)])
}

/// s·G.
pub(crate) fn mul_generator(s: &Scalar) -> Jacobian {
    interleave(&array::from_fn::<_, { generator::TABLES }, _>(|t| {
        Term::of_generator(&part(s, SPACING * t, SPACING), t)
    }))
}

/// Whether s·G + e·A = R, with half-size multipliers of A and R (see [`crate::half`]).
pub(crate) fn is_relation(s: &Scalar, e: &Scalar, a: &AffinePoint, r: &AffinePoint) -> bool {
    let HalfPair { u, w, negative, .. } = HalfPair::new(e);
    let (u, w) = (scalar256(u), scalar256(w));
    let us = *s * Scalar::from(u);
    let [of_a, of_r] = odd_multiples_of_two(*a, *r);
    interleave(&[
        Term::new(&w, negative, &of_a),
        Term::new(&u, true, &of_r),
        Term::of_generator(&part(&us, 0, 2 * SPACING), 0),
        Term::of_generator(&part(&us, 2 * SPACING, 2 * SPACING), 2),
    ])
    .is_identity()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::Point;
    use crate::params::ORDER;

    /// Every relation between small and extreme multipliers and small multiples of G: points that coincide with each
    /// other, with entries of the tables, and with accumulators.
    #[test]
    fn relations_are_those_of_the_group() {
        let multiple = |k: i64| {
            let k = if k < 0 { -Scalar::from(k.unsigned_abs()) } else { Scalar::from(k.unsigned_abs()) };
            (k, mul_generator(&k).to_point().to_affine().expect("not the identity"))
        };
        let points: Vec<(Scalar, AffinePoint)> = [1, -1, 2, -2, 3, 5, 16].map(multiple).into();
        let half = Scalar::from(2).invert().expect("not 0");
        let root = Scalar::reduce(&ORDER.floor_sqrt_vartime());
        let multipliers = [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(2), half, root, -root];
        for e in multipliers {
            for s in multipliers {
                for (a, of_a) in &points {
                    let sum = s + e * *a;
                    let expected = mul_generator(&sum).to_point();
                    assert_eq!(mul_add(&s, &e, of_a).to_point(), expected);
                    for (r, of_r) in &points {
                        assert_eq!(is_relation(&s, &e, of_a, of_r), sum == *r);
                        assert!(is_relation(&(s + *r - sum), &e, of_a, of_r));
                    }
                    if let Point::Affine(of_sum) = expected {
                        assert!(is_relation(&s, &e, of_a, &of_sum));
                        assert!(!is_relation(&s, &e, of_a, &-of_sum));
                    }
                }
            }
        }
    }
}
