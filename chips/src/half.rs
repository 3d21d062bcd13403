//! SCALAR_MUL and VERIFY with half-size scalars: a control table, one row an operation, and a step table.
//!
//! R = s·P is equivalent to u·R + w·P = 𝒪 for one pair (u, w) with u·s + w ≡ 0 modulo r and u ≢ 0. Pairs with u and |w|
//! below √r < 2^109 exist for every s, so a chain of 112 doubling steps serves where the full scalar takes 254, and R is
//! an input of the chain instead of its end.
//!
//! ```text
//! control row:  claim, (u, w), N = R + P, M = R − P      steps: K a row, 112/K rows an operation
//!    (id, 0, B_j, N, M)            ── state ──▶  row 0  ── state ──▶  row 1  ──▶ … ──▶  row 112/K − 1
//!    (id, 112/K, E, N, M), E + N = C_j  ◀────────────────────── state ──────────────────────────┘
//!    (id, i, bytes of u, limb of w)  ◀── digits ──  every row i
//! ```
//!
//! A step is acc ↦ 2·acc ± N or 2·acc ± M. With digits ±1, the chain is E = 2^112·B_j + (2u − 1)·R + (2w − 1)·P, where the
//! bits of u and w are those of U = u + 2^111 − 1 and W = w + 2^111 − 1. So E + N = C_j + 2(uR + wP), C_j = 2^112·B_j.
//!
//! | module | holds |
//! |--------|-------|
//! | [`step`] | the doubling step that both step tables share |
//! | [`product`] | u·s + w = q·r over the integers |
//! | [`scalar_mul_control`], [`scalar_mul_steps`] | SCALAR_MUL |
//! | [`verify_control`], [`verify_steps`] | VERIFY: R + kG in the place of R, and ±G ± 2^112·G on every step besides |
//!
//! Nothing is gated by flags that repeat: the all-zero row is valid in every table, but for the control table's counter.
//!
//! ## What the machine guarantees
//! Each table's proof uses these; a machine that breaks one has no soundness.
//!
//! - G1. On every bus but [`Bus::BytePair`] the multisets of sent and received messages are equal, and no other table uses
//!   the operation's buses: one control and one step table, of the same K.
//! - G2. A message on [`Bus::BytePair`] has two fields in [0, 256).
//! - G3. A table has fewer than p/2 rows.
//! - G4. The instance columns are those of the claims, so bytes of scalars are in [0, 256).
//!
//! ## Lemma (chain)
//! Let a control row with counter value id have act = 1, and let G1 and G3 hold. Then for every i < 112/K there is exactly
//! one step row with real = 1 and this id and index i; its (N, M) are the control row's; row 0 starts from B_j, row i + 1
//! from where row i ends, the last one ends in E; and the digits that the control row receives are those of these rows. If
//! act = 0, or if no control row has the id, no step row with it has real = 1.
//!
//! *Proof.* Ids of control rows are distinct: the counter grows by 1 a row and a table has fewer than p rows. Let n_i be the
//! number of step rows with real = 1, this id and index i, for i in F_p. Messages with second field i: the step rows with
//! index i receive one each, those with index i − 1 send one each, the control row sends one for i = 0 and receives one for
//! i = 112/K. So n_{i−1} = n_i for all other i, and n_0 = n_{−1} + act, n_{112/K} = n_{112/K − 1} − act. The p − 112/K numbers
//! n_{112/K} = … = n_{p−1} are equal, hence 0 by G3; the others are act. All messages with second field i are then one
//! message, so their fields agree. The digits messages of the rows are one for each i, and so are the control row's. ∎

pub mod product;
pub mod scalar_mul_control;
pub mod scalar_mul_steps;
pub mod step;
#[cfg(test)]
mod tests;
pub mod verify_control;
pub mod verify_steps;

use alloc::vec::Vec;
use core::array;

use septic_curve::{Ring, Septic};

use crate::bus::{Bus, Count, MessageSink};
use crate::params::{CurveParams, PointResidues};
use crate::sink::{ConstraintSink, Label};
use product::{CARRIES, QUOTIENT_BYTES};

pub use scalar_mul_control::ScalarMulControl;
pub use scalar_mul_steps::ScalarMulSteps;
pub use verify_control::VerifyControl;
pub use verify_steps::VerifySteps;

/// Steps of a chain.
pub const STEPS: usize = 112;

/// Bytes of U, the shifted half-size scalar.
pub const U_BYTES: usize = STEPS / 8;

/// 16-bit limbs of U or W.
pub const HALF_LIMBS: usize = STEPS / 16;

/// Bytes of a scalar.
pub const SCALAR_BYTES: usize = 32;

/// Bytes of 2^111 − 1, which is U for u = 0 and W for w = 0; low first.
pub const SHIFT_BYTES: [u32; U_BYTES] = {
    let mut bytes = [255; U_BYTES];
    bytes[U_BYTES - 1] = 127;
    bytes
};

/// A point as a pair of borrowed coordinates.
type PointRef<'a, E> = (&'a Septic<E>, &'a Septic<E>);

/// `gate·points[0] + j·(points[1] − points[0])`: x and y. Degree 1.
#[inline]
fn select_gated<S: ConstraintSink>(
    sink: &S,
    points: &[PointResidues; 2],
    gate: &S::Expr,
    j: &S::Expr,
) -> [Septic<S::Expr>; 2] {
    select_by(points, &[gate.clone() - j.clone(), j.clone()], |c| sink.constant(c))
}

/// `Σ weights[k]·points[k]`: x and y. Degree 1.
#[inline]
fn select_by<E: Ring, const N: usize>(
    points: &[PointResidues; N],
    weights: &[E; N],
    constant: impl Fn(u32) -> E,
) -> [Septic<E>; 2] {
    array::from_fn(|coordinate| {
        Septic::from_fn(|i| {
            let term =
                |(point, weight): (&PointResidues, &E)| constant(point[coordinate][i]) * weight.clone();
            points.iter().zip(weights).map(term).reduce(|sum, term| sum + term).unwrap_or_else(|| constant(0))
        })
    })
}

/// What vanishes if λ is the slope of the line through P and Q, and S is its third point, negated: line, x, y. Degree 2.
#[inline]
fn chord<S: ConstraintSink>(
    sink: &S,
    (x_p, y_p): PointRef<'_, S::Expr>,
    (x_q, y_q): PointRef<'_, S::Expr>,
    lambda: &Septic<S::Expr>,
    (x_s, y_s): PointRef<'_, S::Expr>,
) -> [Septic<S::Expr>; 3] {
    [
        sink.mul(lambda, &(x_p.clone() - x_q.clone())) - (y_p.clone() - y_q.clone()),
        sink.square(lambda) - (x_p.clone() + x_q.clone() + x_s.clone()),
        sink.mul(lambda, &(x_q.clone() - x_s.clone())) - (y_q.clone() + y_s.clone()),
    ]
}

/// Σ 2^(bits·i)·`limbs[i]` in 16-bit limbs: merges 16/bits limbs into one. Degree 1.
#[inline]
fn merge<S: ConstraintSink, const N: usize>(sink: &S, limbs: &[S::Expr], bits: usize) -> [S::Expr; N] {
    let each = 16 / bits;
    array::from_fn(|k| {
        let mut sum = limbs[each * k].clone();
        for i in 1..each {
            sum = sum + sink.constant(1 << (bits * i)) * limbs[each * k + i].clone();
        }
        sum
    })
}

/// The number whose binary digits are `bits`, most significant first. Degree 1.
///
/// A sum of multiples, not Horner's rule: symbolic expressions are trees in some stacks, and doubling a tree by adding it
/// to itself doubles its size with each digit.
#[inline]
fn number<E: Ring, I: IntoIterator<Item = E, IntoIter: ExactSizeIterator>>(
    constant: impl Fn(u32) -> E,
    bits: I,
) -> E {
    let bits = bits.into_iter();
    let len = bits.len();
    bits.enumerate().fold(constant(0), |sum, (i, bit)| sum + constant(1 << (len - 1 - i)) * bit)
}

/// The bytes of the digits of a row, low byte first. Degree 1.
#[inline]
fn digit_bytes<E: Ring>(constant: impl Fn(u32) -> E + Copy, bits: &[E]) -> Vec<E> {
    bits.rchunks_exact(8).map(|bits| number(constant, bits.iter().cloned())).collect()
}

/// Fields of a state message: id, index, acc, N, M.
#[inline]
fn state<E: Clone>(id: &E, index: E, acc: PointRef<'_, E>, n: PointRef<'_, E>, m: PointRef<'_, E>) -> Vec<E> {
    let mut fields = Vec::with_capacity(44);
    fields.push(id.clone());
    fields.push(index);
    for (x, y) in [acc, n, m] {
        fields.extend_from_slice(&x.0);
        fields.extend_from_slice(&y.0);
    }
    fields
}

/// The indices 0, …, N − 1.
const fn indices<const N: usize>() -> [usize; N] {
    let mut indices = [0; N];
    let mut i = 0;
    while i < N {
        indices[i] = i;
        i += 1;
    }
    indices
}

/// A row's index as a residue.
#[allow(clippy::cast_possible_truncation, reason = "at most 14")]
const fn index(i: usize) -> u32 {
    i as u32
}

/// h(u) = Σ t^i·(u_i − real·K_i), K_i the bytes of 2^111 − 1: if it is not 0, u ≠ 0. Degree 1.
#[inline]
fn shift_difference<S: ConstraintSink>(
    sink: &S,
    u: &[S::Expr; U_BYTES],
    real: &S::Expr,
    t: &S::Expr,
) -> S::Expr {
    let difference = |i: usize| u[i].clone() - sink.constant(SHIFT_BYTES[i]) * real.clone();
    (0..U_BYTES - 1).rev().fold(difference(U_BYTES - 1), |sum, i| sum * t.clone() + difference(i))
}

/// The limbs of w = W − (2^111 − 1) from those of W: 1 is added to the lowest, 2^15 taken off the highest. Degree 1.
#[inline]
fn unshift<S: ConstraintSink>(
    sink: &S,
    mut limbs: [S::Expr; HALF_LIMBS],
    real: &S::Expr,
) -> [S::Expr; HALF_LIMBS] {
    limbs[0] = limbs[0].clone() + real.clone();
    let top = HALF_LIMBS - 1;
    limbs[top] = limbs[top].clone() - sink.constant(1 << 15) * real.clone();
    limbs
}

/// The columns of E + N = C.
struct End<'a, E> {
    e: PointRef<'a, E>,
    n: PointRef<'a, E>,
    lambda: &'a Septic<E>,
    sum: PointRef<'a, E>,
    act: &'a E,
}

/// What vanishes if C = E + N for points E, N of E: line, tangent, x, y. Exact: E = N is no exception. Degree 2.
///
/// line: λ(x_n − x_e) = y_n − y_e; tangent: λ(y_n + y_e) = x_n² + x_n·x_e + x_e² + a·act.
#[inline]
fn end<C: CurveParams, S: ConstraintSink>(sink: &S, columns: &End<'_, S::Expr>) -> [Septic<S::Expr>; 4] {
    let &End { e: (x_e, y_e), n: (x_n, y_n), lambda, sum, act } = columns;
    let [line, x, y] = chord(sink, (x_e, y_e), (x_n, y_n), lambda, sum);
    let quadratic = sink.mul(x_n, &(x_n.clone() + x_e.clone())) + sink.square(x_e);
    let mut tangent = sink.mul(lambda, &(y_n.clone() + y_e.clone())) - quadratic;
    tangent.0[0] = tangent.0[0].clone() - sink.constant(C::A) * act.clone();
    [line, tangent, x, y]
}

/// The bytes of U whose bits are the signs of row i of L, low first.
#[inline]
fn row_bytes<E, const L: usize>(u: &[E; U_BYTES], i: usize) -> &[E] {
    let each = U_BYTES / L;
    &u[each * (L - 1 - i)..][..each]
}

/// Bytes of quotients, two a message; an odd last one with 0.
#[inline]
fn quotient_messages<S: MessageSink, const N: usize>(
    sink: &mut S,
    label: Label,
    real: &S::Expr,
    quotients: [&[S::Expr; QUOTIENT_BYTES]; N],
) {
    let mut bytes = quotients.into_iter().flatten().cloned();
    while let Some(low) = bytes.next() {
        let high = bytes.next().unwrap_or_else(|| sink.constant(0));
        sink.message(label, Bus::BytePair, Count::Send(real.clone()), alloc::vec![low, high]);
    }
}

/// The two bytes of each carry.
#[inline]
fn carry_messages<S: MessageSink>(
    sink: &mut S,
    label: Label,
    real: &S::Expr,
    (low, high): (&[S::Expr; CARRIES], &[S::Expr; CARRIES]),
) {
    for (low, high) in low.iter().zip(high) {
        let fields = alloc::vec![low.clone(), high.clone()];
        sink.message(label, Bus::BytePair, Count::Send(real.clone()), fields);
    }
}
