//! Sums of points by slopes alone: coordinates are expressions, not columns.
//!
//! ## Lemma (addition)
//! Let (x, y) and (x_t, y_t) be points of E with x ≠ x_t, and λ(x_t − x) = y_t − y. Then their sum is (x₁, y₁) with
//! x₁ = λ² − x − x_t and y₁ = λ(x_t − x₁) − y_t. *Proof.* λ is the slope of the chord. ∎
//!
//! ## Lemma (step)
//! Let acc = (x, y) and T = (x_t, y_t) be points of E, x ≠ x_t, and
//!
//! - (a) λ₁(x_t − x) = y_t − y,
//! - (b) (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y.
//!
//! Then 2·acc + T ≠ 𝒪, and 2·acc + T = (x₂, λ₂(x − x₂) − y) with x₂ = λ₂² − λ₁² + x_t.
//!
//! *Proof.* (a) makes λ₁ the slope of the chord through acc and T, so x₁ = λ₁² − x − x_t is x of acc + T. (b) reads
//! (λ₁ + λ₂)(x − x₁) = 2y, and no point of E has y = 0, so x ≠ x₁ and λ₂ = 2y/(x − x₁) − λ₁. The chord through
//! acc + T = (x₁, λ₁(x − x₁) − y) and acc has the slope (2y − λ₁(x − x₁))/(x − x₁) = λ₂, and its third point is
//! (λ₂² − x − x₁, …) = (x₂, λ₂(x − x₂) − y). ∎
//!
//! Conversely, if x ≠ x_t and acc + T ≠ −acc, there are λ₁, λ₂.
//!
//! ## Lemma (chain)
//! Let D and P be points of E, N = D + P, M = D − P, and B_j, C_j = 2^109·B_j the constants. If [`assert_chain`] holds with
//! real = 1, then u·D + w·P = 𝒪, where u = 1 + Σ sign_i·2^(108 − i) in [1, 2^109]
//! and w = Σ W_i·2^(109 − i) − 2^109 + 1 in (−2^109, 2^109], W_0 = 1 − swap_0 and W_i = sign_{i−1} xor swap_i.
//!
//! *Proof.* `inverse` shows that no factor of the product is 0. T of digit i is σ_i·D + σ′_i·P with σ_0 = 1, σ_i = 2·sign_{i−1} − 1, and σ′_i = σ_i for N, −σ_i for M: σ′_i is
//! 2·W_i − 1. The factors are values of h at differences of x: no addition meets an equal x. By the lemmas
//! *addition* and *step* acc is B_j + T_0, and in the end E = 2^109·B_j + Σ 2^(109 − i)(σ_i·D + σ′_i·P). The sums are odd:
//! Σ σ_i·2^(109 − i) = 2(2^109 + Σ sign_i·2^(108 − i)) − (2^110 − 1) = 2u − 1, and likewise 2w − 1. So
//! E = C_j − N + 2(uD + wP). The last constraints are the lemma *addition* for C_j and −N (x(C_j) ≠ x_n is a factor of the
//! product): E = C_j − N. r is odd, so uD + wP = 𝒪. ∎
//!
//! ## Degrees
//! With columns for slopes, digits, N, M and the product: x of any acc has degree 2, its y degree 3, x_t degree 2, y_t degree
//! 3, each constraint at most 3. y stands in no other product than by constants.

use septic_curve::{Ring, Septic};

use super::{DIGITS, Point, STEPS, select_gated};
use crate::params::HalfParams;
use crate::relations::{assert_bool, evaluate};
use crate::sink::{ConstraintSink, Label};

/// A running product of values of h at differences: if it is not 0, none of the differences is 0.
///
/// A column holds the product so far, so that a factor of degree 2 can follow.
#[derive(Clone, Debug)]
pub struct Product<'a, E> {
    /// The parameter t of h; `None` is 0, so that h(d) is the coordinate of degree 0.
    t: Option<&'a E>,
    /// The product; `None` is 1.
    value: Option<E>,
}

impl<'a, E: Ring> Product<'a, E> {
    /// The empty product, for the parameter t.
    #[inline]
    pub const fn new(t: &'a E) -> Self {
        Self { t: Some(t), value: None }
    }

    /// The empty product of coordinates of degree 0.
    #[inline]
    #[must_use]
    pub const fn of_first_coordinates() -> Self {
        Self { t: None, value: None }
    }

    /// Multiplies h(d).
    #[inline]
    pub fn multiply(&mut self, d: &Septic<E>) {
        let factor = self.t.map_or_else(|| d.0[0].clone(), |t| evaluate(d, t));
        self.value = Some(match self.value.take() {
            None => factor,
            Some(value) => value * factor,
        });
    }

    /// Multiplies h(d), asserts that `column` holds the product, and goes on with the column.
    #[inline]
    pub fn store<S: ConstraintSink<Expr = E>>(
        &mut self,
        sink: &mut S,
        label: Label,
        d: &Septic<E>,
        column: &E,
    ) {
        self.multiply(d);
        if let Some(value) = self.value.replace(column.clone()) {
            sink.assert_zero(label, column.clone() - value);
        }
    }

    /// Asserts inverse·product = `gate`.
    #[inline]
    pub fn assert_inverse<S: ConstraintSink<Expr = E>>(
        self,
        sink: &mut S,
        label: Label,
        inverse: &E,
        gate: &E,
    ) {
        if let Some(product) = self.value {
            sink.assert_zero(label, inverse.clone() * product - gate.clone());
        }
    }
}

/// Asserts λ(x_t − x) = y_t − y and returns the sum, y read off the line at T. x of degree 2, y and y_t of degree 3 give degree 3.
#[inline]
pub fn assert_addition<S: ConstraintSink>(
    sink: &mut S,
    label: Label,
    acc: &Point<S::Expr>,
    t: &Point<S::Expr>,
    lambda: &Septic<S::Expr>,
) -> Point<S::Expr> {
    let [x, y] = acc;
    let [x_t, y_t] = t;
    let run = x_t.clone() - x.clone();
    sink.assert_septic(label, sink.mul(lambda, &run) - (y_t.clone() - y.clone()));
    let x_1 = sink.square(lambda) - (x.clone() + x_t.clone());
    let y_1 = sink.mul(lambda, &(x_t.clone() - x_1.clone())) - y_t.clone();
    [x_1, y_1]
}

/// Labels of a step's constraints.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the constraints in the tables' docs
pub struct StepLabels {
    pub slope_1: Label,
    pub slope_2: Label,
}

/// Asserts (a) and (b) and returns 2·acc + T and x_t − x.
#[inline]
pub fn assert_step<S: ConstraintSink>(
    sink: &mut S,
    labels: StepLabels,
    acc: &Point<S::Expr>,
    t: &Point<S::Expr>,
    [lambda_1, lambda_2]: [&Septic<S::Expr>; 2],
) -> (Point<S::Expr>, Septic<S::Expr>) {
    let [x, y_in] = acc;
    let [x_t, y_t] = t;
    // λ₁(x_t − x) = y_t − y. From here on y is what λ₁ makes it, so that expressions do not grow with the chain.
    let run = x_t.clone() - x.clone();
    let y = y_t.clone() - sink.mul(lambda_1, &run);
    sink.assert_septic(labels.slope_1, y.clone() - y_in.clone());
    // (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y
    let lambda_1_squared = sink.square(lambda_1);
    let gap = x.doubled() + x_t.clone() - lambda_1_squared.clone();
    let slopes = lambda_1.clone() + lambda_2.clone();
    sink.assert_septic(labels.slope_2, sink.mul(&slopes, &gap) - y.doubled());

    let x_2 = sink.square(lambda_2) - lambda_1_squared + x_t.clone();
    let y_2 = sink.mul(lambda_2, &(x.clone() - x_2.clone())) - y;
    ([x_2, y_2], run)
}

/// Labels of a chain's constraints.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the constraints in the tables' docs
pub struct ChainLabels {
    pub sign: Label,
    pub swap: Label,
    pub first: Label,
    pub step: StepLabels,
    pub distinct: Label,
    pub inverse: Label,
    pub end_line: Label,
    pub end_x: Label,
    pub end_y: Label,
}

/// The columns of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a, E> {
    /// 1 on rows with an operation, else 0.
    pub real: &'a E,
    /// j: the chain starts at B_j.
    pub offset: &'a E,
    /// N, x and y.
    pub n: [&'a Septic<E>; 2],
    /// M, x and y.
    pub m: [&'a Septic<E>; 2],
    /// Signs of the steps' T: 1 for +, 0 for −.
    pub sign: &'a [E; STEPS],
    /// Which point a digit's T is: 1 for M, 0 for N.
    pub swap: &'a [E; DIGITS],
    /// Slope of the addition.
    pub lambda_0: &'a Septic<E>,
    /// Slopes through acc and T.
    pub lambda_1: &'a [Septic<E>; STEPS],
    /// Slopes through acc and acc + T.
    pub lambda_2: &'a [Septic<E>; STEPS],
    /// The product after each digit.
    pub product: &'a [E; DIGITS],
    /// 1 over the last product.
    pub inverse: &'a E,
    /// Slope of the line through C_j and −N.
    pub lambda_e: &'a Septic<E>,
}

/// Asserts a chain from B_j to C_j − N. `product` is what the running product holds already, of degree at most 1; it goes on
/// with the chain's factors, and in the end is asserted to have an inverse. Constraints have degree at most 3.
#[inline]
pub fn assert_chain<C: HalfParams, S: ConstraintSink>(
    sink: &mut S,
    labels: &ChainLabels,
    columns: &Chain<'_, S::Expr>,
    product: Product<'_, S::Expr>,
) {
    let &Chain {
        real,
        offset,
        n,
        m,
        sign,
        swap,
        lambda_0,
        lambda_1,
        lambda_2,
        product: products,
        inverse,
        lambda_e,
    } = columns;
    for sign in sign {
        assert_bool(sink, labels.sign, sign);
    }
    for swap in swap {
        assert_bool(sink, labels.swap, swap);
    }
    let walk = Walk { n, m, sign, swap, lambda_0, lambda_1, lambda_2, product: products, lambda_e };
    let start = select_gated(sink, &C::OFFSETS, real, offset);
    let end = select_gated(sink, &C::HALF_CORRECTIONS, real, offset);
    assert_walk(sink, labels, &walk, [&start, &end], product, |sink, mut product, run| {
        product.multiply(run);
        product.assert_inverse(sink, labels.inverse, inverse, real);
    });
}

/// The columns of a chain that do not depend on where it starts.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a, E> {
    /// N, x and y.
    pub n: [&'a Septic<E>; 2],
    /// M, x and y.
    pub m: [&'a Septic<E>; 2],
    /// Signs of the steps' T: 1 for +, 0 for −.
    pub sign: &'a [E; STEPS],
    /// Which point a digit's T is: 1 for M, 0 for N.
    pub swap: &'a [E; DIGITS],
    /// Slope of the addition.
    pub lambda_0: &'a Septic<E>,
    /// Slopes through acc and T.
    pub lambda_1: &'a [Septic<E>; STEPS],
    /// Slopes through acc and acc + T.
    pub lambda_2: &'a [Septic<E>; STEPS],
    /// The product after each digit.
    pub product: &'a [E; DIGITS],
    /// Slope of the line through C and −N.
    pub lambda_e: &'a Septic<E>,
}

/// Asserts a chain from B to C − N, for points B and C of degree at most 2. Digits are taken as boolean. `settle` gets the
/// running product after the last digit and x(C) − x_n, which has to be its last factor.
#[inline]
pub fn assert_walk<'t, S: ConstraintSink>(
    sink: &mut S,
    labels: &ChainLabels,
    columns: &Walk<'_, S::Expr>,
    [start, end]: [&Point<S::Expr>; 2],
    mut product: Product<'t, S::Expr>,
    settle: impl FnOnce(&mut S, Product<'t, S::Expr>, &Septic<S::Expr>),
) {
    let &Walk { n: [x_n, y_n], m: [x_m, y_m], .. } = columns;
    let difference = [x_m.clone() - x_n.clone(), y_m.clone() - y_n.clone()];
    // N or M
    let base =
        |swap: &S::Expr| [x_n.clone() + difference[0].scale(swap), y_n.clone() + difference[1].scale(swap)];

    // acc = B + T
    let t = base(&columns.swap[0]);
    product.store(sink, labels.distinct, &(t[0].clone() - start[0].clone()), &columns.product[0]);
    let mut acc = assert_addition(sink, labels.first, start, &t, columns.lambda_0);

    for i in 0..STEPS {
        // acc = 2·acc + T
        let sigma = columns.sign[i].clone() + columns.sign[i].clone() - sink.constant(1);
        let [x_t, y] = base(&columns.swap[i + 1]);
        let t = [x_t, y.scale(&sigma)];
        let (next, run) =
            assert_step(sink, labels.step, &acc, &t, [&columns.lambda_1[i], &columns.lambda_2[i]]);
        product.store(sink, labels.distinct, &run, &columns.product[i + 1]);
        acc = next;
    }

    // acc = C − N: the line through C and −N, its third point, negated
    let run = end[0].clone() - x_n.clone();
    settle(sink, product, &run);
    let line = sink.mul(columns.lambda_e, &run) - (end[1].clone() + y_n.clone());
    sink.assert_septic(labels.end_line, line);
    let [x_e, y_e] = acc;
    let x_sum = x_e.clone() + end[0].clone() + x_n.clone();
    sink.assert_septic(labels.end_x, sink.square(columns.lambda_e) - x_sum);
    let y = sink.mul(columns.lambda_e, &(end[0].clone() - x_e)) - end[1].clone();
    sink.assert_septic(labels.end_y, y_e - y);
}

/// The bits of u − 1, most significant first: 109 of degree 1.
#[inline]
#[must_use]
pub const fn u_bits<'a, E>(columns: &Chain<'a, E>) -> &'a [E; STEPS] {
    columns.sign
}

/// The bits W_i of w + 2^109 − 1, most significant first: 110 of degree 2.
#[inline]
#[must_use]
pub fn w_bits<E: Ring>(columns: &Chain<'_, E>) -> [E; DIGITS] {
    second_digits(columns.real, columns.sign, columns.swap)
}

/// The bits W_i, from a gate, signs and swaps.
#[inline]
#[must_use]
pub fn second_digits<E: Ring>(gate: &E, sign: &[E; STEPS], swap: &[E; DIGITS]) -> [E; DIGITS] {
    core::array::from_fn(|i| {
        let swap = swap[i].clone();
        match i.checked_sub(1) {
            None => gate.clone() - swap,
            Some(i) => xor(&sign[i], &swap),
        }
    })
}

/// a xor b. Degree 2.
#[inline]
fn xor<E: Ring>(a: &E, b: &E) -> E {
    let product = a.clone() * b.clone();
    a.clone() + b.clone() - product.clone() - product
}
