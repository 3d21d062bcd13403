//! The explained don't-cares: which cells can move to first order, and why.
//!
//! A [`Part`] is a set of directions. The cells of `at` are its coordinates: they can be chosen at will, and when they do not
//! move, neither does any cell of `along`.

use Rows::{All, Limbs, On};

/// Where cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// One row.
    On(usize),
    /// Every row.
    All,
    /// The rows where limbs of the base's scalar end: 13, 29, …, 253.
    Limbs,
}

/// Cells: fields on rows.
pub(crate) type Cells = &'static [(&'static str, Rows)];

/// Directions in which a trace can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The reason.
    pub(crate) why: &'static str,
    pub(crate) at: Cells,
    pub(crate) along: Cells,
}

/// ADD: no constraint reads λ where no line is needed. A don't-care cell of the chip.
const NO_LINE: Part = Part { why: "no line, so no slope", at: &[("lambda", On(0))], along: &[] };
/// Without `is_real` the result is free; the claims say 0.
const NO_RESULT: Part =
    Part { why: "a padding row claims nothing", at: &[("x_r", On(0)), ("y_r", On(0))], along: &[] };
/// P moves on E: 2y·dy = (3x² + a)·dx.
const P_ON_CURVE: Part = Part {
    why: "P moves on the curve",
    at: &[("x_p", On(0))],
    along: &[("y_p", On(0)), ("x_r", On(0)), ("y_r", On(0)), ("lambda", On(0))],
};
const Q_ON_CURVE: Part = Part {
    why: "Q moves on the curve",
    at: &[("x_q", On(0))],
    along: &[("y_q", On(0)), ("x_r", On(0)), ("y_r", On(0)), ("lambda", On(0))],
};
const OPPOSITE_ON_CURVE: Part = Part {
    why: "P moves on the curve, and Q = -P with it",
    at: &[("x_p", On(0))],
    along: &[("y_p", On(0)), ("x_q", On(0)), ("y_q", On(0))],
};
/// At the identity x is 0 and the curve equation reads y² = 0, a double point: y = 0 is its only solution in a field, but
/// its derivative 2y·dy vanishes.
const P_DOUBLE_POINT: Part = Part {
    why: "y_p^2 = 0 is a double point",
    at: &[("y_p", On(0))],
    along: &[("x_r", On(0)), ("y_r", On(0))],
};
const Q_DOUBLE_POINT: Part = Part {
    why: "y_q^2 = 0 is a double point",
    at: &[("y_q", On(0))],
    along: &[("x_r", On(0)), ("y_r", On(0))],
};

pub(crate) const ADD_FINITE: [&[Part]; 3] = [&[], &[], &[P_ON_CURVE, Q_ON_CURVE]];
pub(crate) const ADD_OPPOSITE: [&[Part]; 3] = [&[NO_LINE], &[NO_LINE], &[NO_LINE, OPPOSITE_ON_CURVE]];
pub(crate) const ADD_P_IDENTITY: [&[Part]; 3] =
    [&[NO_LINE], &[NO_LINE], &[NO_LINE, P_DOUBLE_POINT, Q_ON_CURVE]];
pub(crate) const ADD_Q_IDENTITY: [&[Part]; 3] =
    [&[NO_LINE], &[NO_LINE], &[NO_LINE, P_ON_CURVE, Q_DOUBLE_POINT]];
/// R = Q, R = P and P = −Q leave no double point.
pub(crate) const ADD_IDENTITIES: [&[Part]; 3] = [&[NO_LINE], &[NO_LINE], &[NO_LINE]];
pub(crate) const ADD_PADDING: [&[Part]; 3] =
    [&[NO_LINE], &[NO_LINE, NO_RESULT], &[NO_LINE, NO_RESULT, P_DOUBLE_POINT, Q_DOUBLE_POINT]];

/// DOUBLE on a padding row: λ is free and R = (λ², −λ³) follows it; R = 0 as the claims say makes λ² = 0, a double point.
const PADDING_SLOPE: Part =
    Part { why: "a padding row claims nothing: R = (λ², -λ³)", at: &[("lambda", On(0))], along: &[] };

pub(crate) const DOUBLE_FINITE: [&[Part]; 3] = [&[], &[], &[P_ON_CURVE]];
pub(crate) const DOUBLE_IDENTITY: [&[Part]; 3] = [&[], &[], &[P_DOUBLE_POINT]];
pub(crate) const DOUBLE_PADDING: [&[Part]; 3] =
    [&[PADDING_SLOPE], &[PADDING_SLOPE], &[PADDING_SLOPE, P_DOUBLE_POINT]];

/// The base moves on E, and with it everything but the constants B_j and C_j.
const BASE_ON_CURVE: Part = Part {
    why: "the base moves on the curve",
    at: &[("x_t", On(0))],
    along: &[
        ("x", All),
        ("lambda_1", All),
        ("lambda_2", All),
        ("x_t", All),
        ("y_t", All),
        ("lambda_3", All),
        ("witness", All),
    ],
};
/// If R = 𝒪, row 255 holds any finite T. The claims say B_0.
const OUTPUT_ON_CURVE: Part = Part {
    why: "R = O: row 255 holds any finite T",
    at: &[("x_t", On(255))],
    along: &[("y_t", On(255)), ("lambda_1", On(255)), ("lambda_2", On(255)), ("lambda_3", On(255))],
};
/// s·𝒪 = 𝒪 for every s. Don't-care cells of the chips.
const ANY_SCALAR: Part = Part { why: "the base is O: any scalar", at: &[("limb", Limbs)], along: &[] };
/// VERIFY: C30 and C31 read 0 = 0. Don't-care cells of the chip.
const NO_THIRD_LINE: Part =
    Part { why: "x_2 = x_H on row 255", at: &[("lambda_3", On(255)), ("witness", On(255))], along: &[] };

const NO_THIRD_LINE_254: Part =
    Part { why: "x_2 = x_H on row 254", at: &[("lambda_3", On(254)), ("witness", On(254))], along: &[] };
/// VERIFY: C31 reads witness·0 = 0 off the digit rows. A don't-care cell of the chip.
const NO_WITNESS: Part = Part { why: "f(x_2 - x_H) = 0 on row 255", at: &[("witness", On(255))], along: &[] };

pub(crate) const LADDER_FINITE: [&[Part]; 3] = [&[], &[], &[BASE_ON_CURVE]];
/// Here the base does not move to first order, though every base gives 𝒪: over dual numbers the group has p-torsion,
/// [n] is multiplication by n modulo p on tangent vectors, and C7 asks that [V] does not move acc, V ≢ 0 modulo p.
pub(crate) const LADDER_TO_IDENTITY: [&[Part]; 3] = [&[], &[OUTPUT_ON_CURVE], &[OUTPUT_ON_CURVE]];
/// The same, and the scalar is free.
pub(crate) const SCALAR_MUL_OF_IDENTITY: [&[Part]; 3] =
    [&[], &[OUTPUT_ON_CURVE], &[OUTPUT_ON_CURVE, ANY_SCALAR]];
/// The finite T in place of 𝒪 moves. R moves with it to first order only: V is a multiple of r, but not of p.
pub(crate) const VERIFY_OF_IDENTITY: [&[Part]; 3] = [&[], &[], &[BASE_ON_CURVE, ANY_SCALAR]];
/// With the honest λ₃ = 0, C30 holds a moving R back: dy₂ = λ₃·dx₂ = 0.
pub(crate) const VERIFY_LINE_FREE: [&[Part]; 3] = [&[NO_THIRD_LINE]; 3];
pub(crate) const VERIFY_LINE_FREE_254: [&[Part]; 3] = [&[NO_THIRD_LINE_254]; 3];
pub(crate) const VERIFY_WITNESS_FREE: [&[Part]; 3] =
    [&[NO_WITNESS], &[NO_WITNESS], &[NO_WITNESS, BASE_ON_CURVE]];
