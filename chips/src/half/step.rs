//! The doubling step acc ↦ 2·acc + T with T = ±N or ±M, as both step tables use it.
//!
//! ## Lemma (step)
//! Let acc = (x, y), N and M be points of E, T = σ(swap ? M : N) with σ = ±1, and let
//!
//! - (a) λ₁(x_t − x) = y_t − y,
//! - (b) (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y,
//! - (c) witness·f(x_t − x) = 1, where f(d) = Σ t^k·d_k.
//!
//! Then acc ≠ ±T, 2·acc + T ≠ 𝒪, and 2·acc + T = (x₂, λ₂(x − x₂) − y) with x₂ = λ₂² − λ₁² + x_t.
//!
//! *Proof.* By (c) f(x_t − x) ≠ 0, so x_t ≠ x, whatever t is. (a) makes λ₁ the slope of the chord through acc and T, so
//! x₁ = λ₁² − x − x_t is x of acc + T. (b) reads (λ₁ + λ₂)(x − x₁) = 2y, and no point of E has y = 0, so x ≠ x₁ and
//! λ₂ = 2y/(x − x₁) − λ₁. The chord through acc + T = (x₁, λ₁(x − x₁) − y) and acc has the slope
//! (2y − λ₁(x − x₁))/(x − x₁) = λ₂, and its third point is (λ₂² − x − x₁, …) = (x₂, λ₂(x − x₂) − y). ∎
//!
//! Conversely, if x_t ≠ x, acc + T ≠ −acc and f(x_t − x) ≠ 0, there are λ₁, λ₂ and a witness.

use septic_curve::Septic;

use super::PointRef;
use crate::relations::{assert_bool, evaluate};
use crate::sink::{ConstraintSink, Label};

/// Labels of a step's constraints.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the constraints in the tables' docs
pub struct StepLabels {
    pub slope_1: Label,
    pub slope_2: Label,
    pub distinct: Label,
    pub sign: Label,
    pub swap: Label,
}

/// What is the same for all steps of a row.
#[derive(Clone, Debug)]
pub struct Bases<'a, E> {
    n: PointRef<'a, E>,
    /// M − N, coordinate by coordinate.
    difference: [Septic<E>; 2],
    real: &'a E,
    t: &'a E,
}

impl<'a, E: septic_curve::Ring> Bases<'a, E> {
    /// N, M, whether the row is real, and the evaluation point.
    #[inline]
    pub fn new(n: PointRef<'a, E>, m: PointRef<'a, E>, real: &'a E, t: &'a E) -> Self {
        let difference = [m.0.clone() - n.0.clone(), m.1.clone() - n.1.clone()];
        Self { n, difference, real, t }
    }
}

/// The columns of one step.
#[derive(Clone, Copy, Debug)]
pub struct StepColumns<'a, E> {
    /// 1 for +, 0 for −.
    pub sign: &'a E,
    /// 1 for M, 0 for N.
    pub swap: &'a E,
    /// Slope of the chord through acc and T.
    pub lambda_1: &'a Septic<E>,
    /// Slope of the chord through acc and acc + T.
    pub lambda_2: &'a Septic<E>,
    /// 1/f(x_t − x).
    pub witness: &'a E,
}

/// Asserts (a), (b), (c) and that sign and swap are boolean; returns x₂ and y₂ before x₂ is replaced by a column.
///
/// `x` and `y` are acc, `y` of degree at most 2. Constraints have degree 3, x₂ has degree 2.
#[inline]
pub fn assert_step<S: ConstraintSink>(
    sink: &mut S,
    labels: &StepLabels,
    bases: &Bases<'_, S::Expr>,
    x: &Septic<S::Expr>,
    y: &Septic<S::Expr>,
    columns: &StepColumns<'_, S::Expr>,
) -> Septic<S::Expr> {
    let &StepColumns { sign, swap, lambda_1, lambda_2, witness } = columns;
    let [dx, dy] = &bases.difference;
    let sigma = sign.clone() + sign.clone() - sink.constant(1);
    let x_t = bases.n.0.clone() + dx.scale(swap);
    let y_t = (bases.n.1.clone() + dy.scale(swap)).scale(&sigma);

    // λ₁(x_t − x) = y_t − y
    let run = x_t.clone() - x.clone();
    let rise = y_t - y.clone();
    sink.assert_septic(labels.slope_1, sink.mul(lambda_1, &run) - rise);
    // (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y
    let lambda_1_squared = sink.square(lambda_1);
    let gap = x.doubled() + x_t.clone() - lambda_1_squared.clone();
    let slopes = lambda_1.clone() + lambda_2.clone();
    sink.assert_septic(labels.slope_2, sink.mul(&slopes, &gap) - y.doubled());
    // witness·f(x_t − x) = real
    let f = evaluate(&run, bases.t);
    sink.assert_zero(labels.distinct, witness.clone() * f - bases.real.clone());
    assert_bool(sink, labels.sign, sign);
    assert_bool(sink, labels.swap, swap);

    sink.square(lambda_2) - lambda_1_squared + x_t
}

/// `λ₂(x − x₂) − y`: y of 2·acc + T. Degree 2 if x₂ is a column.
#[inline]
pub fn y_after<S: ConstraintSink>(
    sink: &S,
    lambda_2: &Septic<S::Expr>,
    x: &Septic<S::Expr>,
    x_2: &Septic<S::Expr>,
    y: &Septic<S::Expr>,
) -> Septic<S::Expr> {
    sink.mul(lambda_2, &(x.clone() - x_2.clone())) - y.clone()
}

/// Labels of the constraints of VERIFY's addition of F.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the constraints in the tables' docs
pub struct AdditionLabels {
    pub line: Label,
    pub distinct: Label,
    pub x_out: Label,
}

/// The columns of VERIFY's addition of F.
#[derive(Clone, Copy, Debug)]
pub struct AdditionColumns<'a, E> {
    /// Slope of the chord through 2·acc + T and F.
    pub lambda: &'a Septic<E>,
    /// 1/f(x₂ − x_f).
    pub witness: &'a E,
    /// x of the sum.
    pub x_out: &'a Septic<E>,
    /// 1 on rows of a chain.
    pub real: &'a E,
}

/// Asserts that `x_out` is x of (x₂, y₂) + F and that x₂ ≠ x_f; returns y of the sum, read off the line at F.
///
/// x₂, y₂ and y of F have degree at most 2, x of F has degree 1. Constraints have degree 3, y has degree 2.
#[inline]
pub fn assert_addition<S: ConstraintSink>(
    sink: &mut S,
    labels: &AdditionLabels,
    t: &S::Expr,
    [x_2, y_2]: [Septic<S::Expr>; 2],
    [x_f, y_f]: [Septic<S::Expr>; 2],
    columns: &AdditionColumns<'_, S::Expr>,
) -> Septic<S::Expr> {
    let &AdditionColumns { lambda, witness, x_out, real } = columns;
    // λ₃(x₂ − x_f) = y₂ − y_f
    let run = x_2.clone() - x_f.clone();
    let line = sink.mul(lambda, &run) - (y_2 - y_f.clone());
    sink.assert_septic(labels.line, line);
    // witness_g·f(x₂ − x_f) = real
    let f = evaluate(&run, t);
    sink.assert_zero(labels.distinct, witness.clone() * f - real.clone());
    // x′ = λ₃² − x₂ − x_f
    let x_3 = sink.square(lambda) - (x_2 + x_f.clone());
    sink.assert_septic(labels.x_out, x_out.clone() - x_3);
    // y′ = −y_f − λ₃(x′ − x_f)
    -(y_f + sink.mul(lambda, &(x_out.clone() - x_f)))
}

/// `sign xor swap`: the digit bit of the second base. Degree 2.
#[inline]
pub fn xor<E: septic_curve::Ring>(a: &E, b: &E) -> E {
    let product = a.clone() * b.clone();
    a.clone() + b.clone() - product.clone() - product
}
