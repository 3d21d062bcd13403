//! SCALAR_MUL and VERIFY with half-size scalars: one row an operation.
//!
//! D = s·P is equivalent to u·D + w·P = 𝒪 for one pair (u, w) with u·s + w ≡ 0 modulo r and u ≢ 0. Pairs with 0 < u and
//! |w| below √r < 2^109 exist for every s, so a chain of 110 digits serves where the full scalar takes 254, and D is an input
//! of the chain instead of its end.
//!
//! ```text
//! SCALAR_MUL   D = R ─────────────┐
//! VERIFY       X = sG + Q_j ──┐   ├─▶ N = D + P ─▶ acc = B_j, then acc + T, then 109 times 2·acc + T ─▶ E = C_j − N
//!              Y = R + Q_j ───┴─▶ D = Y − X        with T one of ±N, ±M by the digits of u and w
//! ```
//!
//! | module | holds |
//! |--------|-------|
//! | [`chain`] | sums of points by slopes alone: the addition, the doubling step, the chain |
//! | [`product`] | u·s + w = q·r over the integers |
//! | [`scalar_mul`] | SCALAR_MUL |
//! | [`verify`] | VERIFY: s·G by multiples from [`crate::generator`], then as SCALAR_MUL |
//!
//! ## Why the rows are short
//! - *No coordinates but slopes.* The x of a sum is λ² − x − x_t, and the x of 2·acc + T is λ₂² − λ₁² + x_t: each is a
//!   quadratic expression in the slopes of its own step, however long the chain is. Its y has degree 3 in them. So a step
//!   takes 14 columns of slopes, and all its constraints stay in one row and at degree 3.
//! - *One running product.* Every addition asks for x ≠ x_t. h(d) = Σ t^k·d_k ≠ 0 shows d ≠ 0 for any parameter t of the
//!   trace; the chain multiplies the h of its additions into one column each, and one inverse shows the last is not 0.
//! - *No special rows.* Tables show a claim as an equivalent one whose points are finite and whose scalar is neither 0 nor
//!   ±1 modulo r (`septic_trace`'s `half::Shown`): what would need flags is done to the claims by whoever reads them.
//!
//! The all-zero row is valid: constants are multiplied by `real`.
//!
//! ## What the machine guarantees
//! Each table's proof uses these; a machine that breaks one has no soundness.
//!
//! - G1. On every bus what rows send is provided: [`crate::range`] and [`crate::generator`] alone provide on theirs, have the
//!   heights that they state, and the sum of all counts over all rows is below p.
//! - G2. The instance columns are those of the claims as they are shown.

pub mod chain;
pub mod product;
pub mod scalar_mul;
#[cfg(test)]
mod tests;
pub mod verify;

use core::array;

use septic_curve::Septic;

use crate::bus::{Bus, Count, MessageSink};
use crate::params::PointResidues;
use crate::sink::{ConstraintSink, Label};
use product::{CARRIES, QUOTIENT_LIMBS};

pub use scalar_mul::HalfScalarMulTable;
pub use verify::HalfVerifyTable;

/// Digits of a chain: one for the addition, one for each doubling step.
pub const DIGITS: usize = STEPS + 1;

/// Doubling steps of a chain.
pub const STEPS: usize = 109;

/// Bytes of a scalar below r.
pub const SCALAR_BYTES: usize = 28;

/// A point as a pair of coordinates.
pub(crate) type Point<E> = [Septic<E>; 2];

/// `real·points[0] + j·(points[1] − points[0])`: x and y. Degree 1.
#[inline]
fn select_gated<S: ConstraintSink>(
    sink: &S,
    points: &[PointResidues; 2],
    real: &S::Expr,
    j: &S::Expr,
) -> Point<S::Expr> {
    let first = real.clone() - j.clone();
    array::from_fn(|k| {
        Septic::from_fn(|i| {
            sink.constant(points[0][k][i]) * first.clone() + sink.constant(points[1][k][i]) * j.clone()
        })
    })
}

/// The number whose binary digits are `bits`, most significant first. Degree of the bits.
///
/// A sum of multiples, not Horner's rule: symbolic expressions are trees in some stacks, and doubling a tree by adding it
/// to itself doubles its size with each digit.
#[inline]
fn number<S: ConstraintSink>(sink: &S, bits: &[S::Expr]) -> S::Expr {
    bits.iter()
        .rev()
        .enumerate()
        .fold(sink.constant(0), |sum, (i, bit)| sum + sink.constant(1 << i) * bit.clone())
}

/// The limbs of `BITS` bits of the number whose binary digits are `bits`, most significant first; low limb first.
#[inline]
pub(crate) fn limbs<S: ConstraintSink, const BITS: usize, const N: usize>(
    sink: &S,
    bits: &[S::Expr],
) -> [S::Expr; N] {
    let mut limbs = bits.rchunks(BITS);
    array::from_fn(|_| limbs.next().map_or_else(|| sink.constant(0), |bits| number(sink, bits)))
}

/// Asserts N = D + P and M = D − P for points D, P of the curve. Exact: N and M are finite, so D ≠ ±P. Degree 3.
///
/// For N: (x_n + x_p + x_d)(x_p − x_d)² = (y_p − y_d)² and (y_n + y_d)(x_p − x_d) = (y_p − y_d)(x_d − x_n); M with −P for P.
/// If x_p = x_d, the first equations of both read 0 = (y_p − y_d)² and 0 = (y_p + y_d)², but no point has y = 0. So
/// x_p ≠ x_d, and they are the chord's.
#[inline]
fn assert_sum_and_difference<S: ConstraintSink>(
    sink: &mut S,
    [x_label, y_label]: [Label; 2],
    [x_d, y_d]: [&Septic<S::Expr>; 2],
    [x_p, y_p]: [&Septic<S::Expr>; 2],
    sums: [[&Septic<S::Expr>; 2]; 2],
) {
    let run = x_p.clone() - x_d.clone();
    let run_squared = sink.square(&run);
    let rises = [y_p.clone() - y_d.clone(), -(y_p.clone() + y_d.clone())];
    for ([x, y], rise) in sums.into_iter().zip(rises) {
        let sum = x.clone() + x_p.clone() + x_d.clone();
        sink.assert_septic(x_label, sink.mul(&sum, &run_squared) - sink.square(&rise));
        let left = sink.mul(&(y.clone() + y_d.clone()), &run);
        sink.assert_septic(y_label, left - sink.mul(&rise, &(x_d.clone() - x.clone())));
    }
}

/// The limbs of the quotient, two a message, and the carries of a row.
#[inline]
fn product_messages<S: MessageSink>(
    sink: &mut S,
    [quotient_label, carry_label]: [Label; 2],
    real: &S::Expr,
    quotient: &[S::Expr; QUOTIENT_LIMBS],
    carry: &[S::Expr; CARRIES],
) {
    for pair in quotient.chunks(2) {
        let high = pair.get(1).cloned().unwrap_or_else(|| sink.constant(0));
        let fields = alloc::vec![pair[0].clone(), high];
        sink.message(quotient_label, Bus::LimbPair, Count::Send(real.clone()), fields);
    }
    for carry in carry {
        sink.message(carry_label, Bus::Limb, Count::Send(real.clone()), alloc::vec![carry.clone()]);
    }
}

/// The indices 0, …, N − 1.
pub(crate) const fn indices<const N: usize>() -> [usize; N] {
    let mut indices = [0; N];
    let mut i = 0;
    while i < N {
        indices[i] = i;
        i += 1;
    }
    indices
}
