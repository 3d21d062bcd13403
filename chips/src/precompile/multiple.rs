//! D = s·P for every s, by cases and a chain.
//!
//! ## Lemma
//! Let P be a point of E where `live` = 1, `live` in {0, 1}, s = Σ `scalar[l]`·2^(16l) with limbs of 16 bits, and D a point of
//! E where `active` = live − `zero` − `one` − `minus_one` is 1. If [`assert_multiple`] holds and its messages are true, the
//! flags and `active` are boolean, and
//!
//! - `zero` = 1: s ≡ 0; `one` = 1: s ≡ 1; `minus_one` = 1: s ≡ −1, modulo r;
//! - `active` = 1: D = s·P.
//!
//! *Proof.* The flags are boolean and so is `active`, so with live = 1 exactly one of the four is 1, with live = 0 none. By
//! [`super::integers`], u·s + w = q·r over the integers. If `active` = 0, signs and swaps are 0, so u = live and
//! w = `minus_one` − `one`: s ≡ −w modulo r, and that is what the flags say. If `active` = 1, u is in [1, 2^109] and w
//! that of the lemma *chain* ([`crate::half::chain`]). N = D + P and M = D − P: their slopes are λ_n(x_p − x_d) = y_p − y_d and
//! λ_m(x_p − x_d) = −y_p − y_d; if x_p = x_d, both right sides are 0, so y_p = 0, which no point has. The chain starts from
//! B_j and ends at C_j − N for the j of its bits, and no factor of the product, a first coordinate of a difference, is 0. By the
//! lemma *chain*, u·D + w·P = 𝒪, so u·D = u·s·P, and u is invertible modulo r. ∎
//!
//! With `active` = 0 the columns of the chain prove nothing: zeros satisfy all constraints.
//!
//! ## Completeness
//! s ≢ 0, ±1: D ≠ 𝒪, ±P, so N, M ≠ 𝒪; the Euclidean algorithm gives 0 < u, |w| < 2^109, and q < 2^109·2^39.1 + 1 has 19 bytes.
//! The offset: [`super`].

use septic_curve::Septic;

use super::integers::{CARRIES, Product, QUOTIENT_BYTES, assert_product};
use super::points::Start;
use super::{SCALAR_LIMBS, START_BITS, START_PRODUCTS};
use crate::half::chain::{ChainLabels, Product as RunningProduct, Walk, assert_walk, second_digits};
use crate::half::{DIGITS, Point, STEPS};
use crate::relations::{assert_bool, assert_bool_below};
use crate::sink::{ConstraintSink, Label};

/// Labels of a multiple's constraints.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the constraints in the tables' docs
pub struct MultipleLabels {
    pub flags: Label,
    pub product: Label,
    pub start: Label,
    pub start_products: Label,
    pub sum_line: Label,
    pub sum_x: Label,
    pub sum_y: Label,
    pub chain: ChainLabels,
}

/// The columns of D = s·P.
#[derive(Clone, Copy, Debug)]
pub struct Multiple<'a, E> {
    /// s ≡ 0, s ≡ 1, s ≡ −1 modulo r.
    pub flags: [&'a E; 3],
    /// s, 16 bits a limb, low first.
    pub scalar: &'a [E; SCALAR_LIMBS],
    /// The low byte of each limb.
    pub low: &'a [E; SCALAR_LIMBS],
    /// Bytes of q, low first.
    pub quotient: &'a [E; QUOTIENT_BYTES],
    /// Carries, 2^13 added.
    pub carry: &'a [E; CARRIES],
    /// Bits of j: the chain starts from B_j.
    pub start: &'a [E; START_BITS],
    /// Products of those bits.
    pub start_products: &'a [E; START_PRODUCTS],
    /// Slope of the chord D, P.
    pub lambda_n: &'a Septic<E>,
    /// Slope of the chord D, −P.
    pub lambda_m: &'a Septic<E>,
    /// N, M, digits and slopes.
    pub walk: Walk<'a, E>,
    /// The last product with (x(C_j) − x_n)_0.
    pub product_end: &'a E,
    /// 1 over that.
    pub inverse: &'a E,
}

/// Asserts D = s·P by cases: the lemma of this module. `live` has degree 1, D and P too. Constraints have degree at most 3.
#[inline]
pub fn assert_multiple<S: ConstraintSink>(
    sink: &mut S,
    labels: &MultipleLabels,
    columns: &Multiple<'_, S::Expr>,
    [real, live]: [&S::Expr; 2],
    [x_d, y_d]: [&Septic<S::Expr>; 2],
    [x_p, y_p]: [&Septic<S::Expr>; 2],
) {
    let &Multiple {
        flags,
        scalar,
        low,
        quotient,
        carry,
        start,
        start_products,
        lambda_n,
        lambda_m,
        ref walk,
        ..
    } = columns;
    let [zero, one, minus_one] = flags;
    let active = live.clone() - zero.clone() - one.clone() - minus_one.clone();
    for flag in [zero, one, minus_one, &active] {
        assert_bool(sink, labels.flags, flag);
    }
    for bit in walk.sign {
        assert_bool_below(sink, labels.chain.sign, bit, &active);
    }
    for bit in walk.swap {
        assert_bool_below(sink, labels.chain.swap, bit, &active);
    }
    let w_bits: [S::Expr; DIGITS] = second_digits(&active, walk.sign, walk.swap);
    let u_bits: &[S::Expr; STEPS] = walk.sign;
    let unit = minus_one.clone() - one.clone();
    let relation = Product {
        real,
        live,
        active: &active,
        unit: &unit,
        u_bits,
        w_bits: &w_bits,
        scalar,
        low,
        quotient,
        carry,
    };
    assert_product(sink, labels.product, &relation);

    // N = D + P, M = D − P
    let run = x_p.clone() - x_d.clone();
    for (lambda, y_p, [x, y]) in [(lambda_n, y_p.clone(), walk.n), (lambda_m, -y_p.clone(), walk.m)] {
        let line = sink.mul(lambda, &run) - (y_p - y_d.clone());
        sink.assert_septic(labels.sum_line, line.scale(&active));
        let x_sum = sink.square(lambda) - (x_p.clone() + x_d.clone());
        sink.assert_septic(labels.sum_x, (x.clone() - x_sum).scale(&active));
        let y_sum = sink.mul(lambda, &(x_d.clone() - x.clone())) - y_d.clone();
        sink.assert_septic(labels.sum_y, (y.clone() - y_sum).scale(&active));
    }

    let start = Start::assert(sink, [labels.start, labels.start_products], &active, start, start_products);
    let ends: [Point<S::Expr>; 2] = [start.start(sink), start.end(sink)];
    let product = RunningProduct::of_first_coordinates();
    assert_walk(sink, &labels.chain, walk, [&ends[0], &ends[1]], product, |sink, mut product, run| {
        product.store(sink, labels.chain.distinct, run, columns.product_end);
        product.assert_inverse(sink, labels.chain.inverse, columns.inverse, &active);
    });
}
