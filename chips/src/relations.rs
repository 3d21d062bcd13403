//! Relations of the curve, shared by the chips.
//!
//! Each function asserts or returns low-degree expressions in the columns it is given. Degrees are stated for
//! arguments that are columns (degree 1); F_p constants have degree 0.

use septic_curve::Septic;

use crate::params::{CurveParams, PointResidues, Residues};
use crate::sink::{ConstraintSink, Label};

/// The constant `c` as an extension element.
#[inline]
pub fn constant<S: ConstraintSink>(sink: &S, c: &Residues) -> Septic<S::Expr> {
    Septic::from_fn(|i| sink.constant(c[i]))
}

/// `x + c·by` for a constant `c`, touching only the coordinates where `c` is not zero.
#[inline]
pub fn add_scaled_constant<S: ConstraintSink>(
    sink: &S,
    x: Septic<S::Expr>,
    c: &Residues,
    by: &S::Expr,
) -> Septic<S::Expr> {
    let mut i = 0;
    x.map(|x| {
        let c = c[i];
        i += 1;
        if c == 0 { x } else { x + sink.constant(c) * by.clone() }
    })
}

/// `x + c` for a constant `c`.
#[inline]
pub fn add_constant<S: ConstraintSink>(sink: &S, x: Septic<S::Expr>, c: &Residues) -> Septic<S::Expr> {
    let mut i = 0;
    x.map(|x| {
        let c = c[i];
        i += 1;
        if c == 0 { x } else { x + sink.constant(c) }
    })
}

/// `x + c` for a constant `c` of the base field.
#[inline]
pub fn add_base_constant<S: ConstraintSink>(sink: &S, mut x: Septic<S::Expr>, c: u32) -> Septic<S::Expr> {
    x.0[0] = x.0[0].clone() + sink.constant(c);
    x
}

/// The constant `points[j]` for a boolean `j`: `(x, y)` affine in `j`. Degree 1.
#[inline]
pub fn select<E: septic_curve::Ring>(
    constant: impl Fn(u32) -> E,
    points: &[PointResidues; 2],
    j: &E,
) -> [Septic<E>; 2] {
    let [zero, one] = points;
    [0, 1].map(|k| {
        Septic::from_fn(|i| {
            let base = constant(zero[k][i]);
            base.clone() + (constant(one[k][i]) - base) * j.clone()
        })
    })
}

/// Asserts `flag·(flag − 1) = 0`. Degree 2.
#[inline]
pub fn assert_bool<S: ConstraintSink>(sink: &mut S, label: Label, flag: &S::Expr) {
    let one = sink.constant(1);
    sink.assert_zero(label, flag.clone() * (flag.clone() - one));
}

/// Asserts `flag·(flag − gate) = 0`: the flag is 0 or the gate. Degree 2.
#[inline]
pub fn assert_bool_below<S: ConstraintSink>(sink: &mut S, label: Label, flag: &S::Expr, gate: &S::Expr) {
    sink.assert_zero(label, flag.clone() * (flag.clone() - gate.clone()));
}

/// Asserts `x·(x − 1)·(x − 2) = 0`. Degree 3.
#[inline]
pub fn assert_ternary<S: ConstraintSink>(sink: &mut S, label: Label, x: &S::Expr) {
    let (one, two) = (sink.constant(1), sink.constant(2));
    sink.assert_zero(label, x.clone() * (x.clone() - one) * (x.clone() - two));
}

/// Asserts `y² = x·(x² + a) + b·finite`, given `x_squared = x²`. Degree 3.
///
/// With `finite = 1` the point is on the curve; with `finite = 0` the pair (0, 0) satisfies it.
#[inline]
pub fn assert_on_curve<C: CurveParams, S: ConstraintSink>(
    sink: &mut S,
    label: Label,
    x: &Septic<S::Expr>,
    y: &Septic<S::Expr>,
    x_squared: &Septic<S::Expr>,
    finite: &S::Expr,
) {
    let inner = add_base_constant(sink, x_squared.clone(), C::A);
    let cubic = sink.mul(x, &inner);
    let y_squared = sink.square(y);
    let right = add_scaled_constant(sink, cubic, &C::B, finite);
    sink.assert_septic(label, y_squared - right);
}

/// One doubling step acc ↦ 2·acc + T from the two slopes of acc + T and (acc + T) + acc.
///
/// All members are expressions: `y` and `x_2` have degree 2 in the columns `x`, `lambda_1`, `lambda_2`, `x_t` and
/// the signed `y_t` of degree at most 2.
#[derive(Clone, Debug)]
pub struct DoubleAddStep<E> {
    /// acc's y, read off the line through T: `y_t − λ₁(x_t − x)`.
    pub y: Septic<E>,
    /// λ₁².
    pub lambda_1_squared: Septic<E>,
    /// x of acc + T: `λ₁² − x − x_t`.
    pub x_1: Septic<E>,
    /// x of 2·acc + T: `λ₂² − λ₁² + x_t`.
    pub x_2: Septic<E>,
}

/// The columns that [`assert_double_add`] reads.
#[derive(Clone, Copy, Debug)]
pub struct DoubleAddInput<'a, E> {
    /// acc's x.
    pub x: &'a Septic<E>,
    /// T's x.
    pub x_t: &'a Septic<E>,
    /// T's y with its sign, degree at most 2.
    pub y_t: &'a Septic<E>,
    /// Slope of the line through acc and T.
    pub lambda_1: &'a Septic<E>,
    /// Slope of the line through acc and acc + T.
    pub lambda_2: &'a Septic<E>,
    /// x_t².
    pub x_t_squared: &'a Septic<E>,
}

/// acc's y as the line through T with slope λ₁ gives it at `x`: `y_t − λ₁(x_t − x)`. Degree 2.
#[inline]
pub fn y_on_line<S: ConstraintSink>(
    sink: &S,
    x: &Septic<S::Expr>,
    x_t: &Septic<S::Expr>,
    y_t: &Septic<S::Expr>,
    lambda_1: &Septic<S::Expr>,
) -> Septic<S::Expr> {
    y_t.clone() - sink.mul(lambda_1, &(x_t.clone() - x.clone()))
}

/// Asserts that λ₁ and λ₂ are the slopes of a doubling step, for acc and T on the curve:
///
/// - `first`: λ₁·(y_t + y) = x² + x·x_t + x_t² + a, the difference of both curve equations divided by x − x_t: for
///   acc ≠ T it holds on the chord, for acc = T it makes λ₁ the tangent's slope, for acc = −T it has no solution;
/// - `second`: (λ₁ + λ₂)·(2x + x_t − λ₁²) = 2y, which makes λ₂ the slope of the chord through acc and acc + T.
///
/// Both have degree 3.
#[inline]
pub fn assert_double_add<C: CurveParams, S: ConstraintSink>(
    sink: &mut S,
    first: Label,
    second: Label,
    input: &DoubleAddInput<'_, S::Expr>,
) -> DoubleAddStep<S::Expr> {
    let &DoubleAddInput { x, x_t, y_t, lambda_1, lambda_2, x_t_squared } = input;
    let y = y_on_line(sink, x, x_t, y_t, lambda_1);
    let lambda_1_squared = sink.square(lambda_1);
    let lambda_2_squared = sink.square(lambda_2);
    let x_sum = x.clone() + x_t.clone();

    let chord = sink.mul(lambda_1, &(y_t.clone() + y.clone()));
    let quadratic = add_base_constant(sink, sink.mul(x, &x_sum) + x_t_squared.clone(), C::A);
    sink.assert_septic(first, chord - quadratic);

    let x_1 = lambda_1_squared.clone() - x_sum;
    let slopes = lambda_1.clone() + lambda_2.clone();
    let chord_2 = sink.mul(&slopes, &(x.clone() - x_1.clone()));
    sink.assert_septic(second, chord_2 - y.doubled());

    let x_2 = lambda_2_squared - lambda_1_squared.clone() + x_t.clone();
    DoubleAddStep { y, lambda_1_squared, x_1, x_2 }
}

/// Σ t^k·u_k for the powers `t^0, …, t^6`: if it is not zero, u is not zero, whatever t is.
#[inline]
pub fn evaluate<E: septic_curve::Ring>(u: &Septic<E>, t: &E) -> E {
    let [u0, u1, u2, u3, u4, u5, u6] = u.0.clone();
    let mut sum = u6;
    for c in [u5, u4, u3, u2, u1, u0] {
        sum = sum * t.clone() + c;
    }
    sum
}
