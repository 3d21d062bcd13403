//! The double-and-add ladder that SCALAR_MUL and VERIFY share: one signed digit a row, 256 rows an event.
//!
//! A scalar e is written as e = Σ σ_i·2^(253 − i) + parity·r + wraps·q over the integers, σ_i = ±1, r the order of the
//! curve and q a multiple of r. 254 rows compute acc ↦ 2·acc + σ_i·T (with more in VERIFY), starting at a point B_j of
//! unknown discrete logarithm. Row 254 takes off what B_j has become, row 255 shows the result:
//!
//! ```text
//! row       0 ………………………………… 253      254             255            0 of the next event
//! acc       B_j → … → 2^254·B_j + e·T   → acc − C_j     → free
//! (x_t,y_t) T  T  T  …  T               C_j             result
//! digit     σ_0  …          σ_253       result = 𝒪 ?    result ≠ 𝒪 ?
//! limb rows 13, 29, 45, …, 253: limb 15, 14, …, 0 of the scalar
//! ```
//!
//! Every row, also 254 and 255, is a doubling step on legal operands, so the relations that define slopes are not
//! gated and reach degree 3 on their own. They also put T on the curve, since acc is. What is gated is listed with its flag.

use septic_curve::Septic;

use crate::columns::columns;
use crate::params::{CurveParams, PointResidues};
use crate::relations::{
    DoubleAddInput, DoubleAddStep, assert_bool, assert_double_add, assert_ternary, select, y_on_line,
};
use crate::sink::{ConstraintSink, Label};

/// Rows of one event.
pub const ROWS: usize = 256;
/// Rows that hold a digit.
pub const DIGITS: usize = 254;
/// The row that takes off the offset.
pub const CORRECTION_ROW: usize = 254;
/// The row that shows the result.
pub const OUTPUT_ROW: usize = 255;

/// 16-bit limbs of the order r, low first.
pub const ORDER_LIMBS: [u16; 16] = [
    0xd1f7, 0x4e94, 0xafa3, 0x8aee, 0x61f1, 0xc62a, 0x547e, 0x89b4, 0x0bb6, 0xcc91, 0xfd9a, 0x7579, 0xa5d4,
    0x01e4, 0x0000, 0x0000,
];

/// 16-bit limbs of q = 217793461814·r, low first: the least even multiple of r that is at least 1.5·2^254.
///
/// V = 2B + 1 − 2^254 is any odd number below 2^254 in absolute value: V, V + q and V + 2q cover the odd numbers of
/// [0, 2^256), and with r added the even ones.
pub const SIGNED_WRAP_LIMBS: [u16; 16] = [
    0xdc1a, 0x713b, 0xf23a, 0x6a12, 0x12c0, 0x8bc4, 0x65e4, 0x6366, 0x2af2, 0x5a36, 0xcecb, 0x06ea, 0x122c,
    0x02f7, 0x0000, 0x6000,
];

/// 16-bit limbs of q′ = 145195641208·r, low first: the largest multiple of r below 2^254.
pub const UNSIGNED_WRAP_LIMBS: [u16; 16] = [
    0x7ac8, 0x8d61, 0x0ca2, 0x8d79, 0x3493, 0xaa4a, 0xd344, 0x3553, 0xb7ae, 0x2b62, 0x37b9, 0xbd4f, 0xd9ac,
    0xff73, 0xffff, 0x3fff,
];

/// The limb that ends on row `row` of an event, if one does: 15 on row 13, 14 on row 29, …, 0 on row 253.
#[must_use]
pub const fn limb_on_row(row: usize) -> Option<usize> {
    if row < DIGITS && row % 16 == 13 { Some(15 - (row - 13) / 16) } else { None }
}

columns! {
    /// Flags of the ladder's row kinds, 13: on row i of an event, with limb l = 15 − (i − 13)/16 on limb rows.
    pub struct LadderFlags {
        /// i = 0.
        start: Cell Bookkeeping,
        /// i < 254: a digit row.
        step: Cell Bookkeeping,
        /// i < 253: the next row has the same base.
        hold: Cell Bookkeeping,
        /// i = 254.
        correction: Cell Bookkeeping,
        /// i = 255.
        output: Cell Bookkeeping,
        /// i < 255: the next row belongs to the same event.
        inner: Cell Bookkeeping,
        /// i < 253 and not a limb row: the next row continues the limb.
        grow: Cell Bookkeeping,
        /// i = 13, 29, …, 253: a limb ends here.
        limb: Cell Bookkeeping,
        /// Limb l of r on limb rows.
        order_limb: Cell Bookkeeping,
        /// Limb l of q on limb rows.
        wrap_limb: Cell Bookkeeping,
        /// 1 on row 253, −2^14 on row 13: the constant 1 − 2^254 in 2B + 1 − 2^254.
        unit: Cell Bookkeeping,
        /// Limb rows but the lowest limb's: the carry of the limb below comes in.
        carry_in: Cell Bookkeeping,
        /// 2^16 on limb rows but the highest limb's.
        carry_out: Cell Bookkeeping,
    }
}

impl LadderFlags<u32> {
    /// The flags of row `row`, `0 ≤ row < 256`, as canonical residues modulo p.
    #[must_use]
    pub fn on_row(row: usize) -> Self {
        const MINUS_2_14: u32 = 0x7f00_0001 - (1 << 14);
        let limb = limb_on_row(row);
        let of = |limbs: &[u16; 16]| limb.map_or(0, |l| u32::from(limbs[l]));
        Self {
            start: u32::from(row == 0),
            step: u32::from(row < DIGITS),
            hold: u32::from(row + 1 < DIGITS),
            correction: u32::from(row == CORRECTION_ROW),
            output: u32::from(row == OUTPUT_ROW),
            inner: u32::from(row < OUTPUT_ROW),
            grow: u32::from(row + 1 < DIGITS && limb.is_none()),
            limb: u32::from(limb.is_some()),
            order_limb: of(&ORDER_LIMBS),
            wrap_limb: of(&SIGNED_WRAP_LIMBS),
            unit: match limb {
                Some(0) => 1,
                Some(15) => MINUS_2_14,
                _ => 0,
            },
            carry_in: u32::from(limb.is_some_and(|l| l != 0)),
            carry_out: if limb.is_some_and(|l| l != 15) { 1 << 16 } else { 0 },
        }
    }
}

/// The ladder's columns of one row, wherever they stand in a chip.
#[derive(Clone, Copy, Debug)]
pub struct LadderView<'a, E> {
    /// x of the accumulator.
    pub x: &'a Septic<E>,
    /// Slope of the line through acc and ±T.
    pub lambda_1: &'a Septic<E>,
    /// Slope of the line through acc and acc ± T.
    pub lambda_2: &'a Septic<E>,
    /// x of T.
    pub x_t: &'a Septic<E>,
    /// y of T.
    pub y_t: &'a Septic<E>,
    /// Sign of T: 1 adds T, 0 adds −T.
    pub digit: &'a E,
    /// Digits since the last limb row, most significant first.
    pub horner: &'a E,
    /// Limb of the scalar on limb rows.
    pub limb: &'a E,
    /// Carry into the limb above: carry_0 + 3·carry_1.
    pub carry_0: &'a E,
    /// See `carry_0`.
    pub carry_1: &'a E,
    /// How often r is added.
    pub parity: &'a E,
    /// How often q is added.
    pub wraps: &'a E,
    /// Which offset B_j the event starts from.
    pub offset: &'a E,
    /// The point this row shows is the identity.
    pub identity: &'a E,
}

/// Labels of the ladder's constraints in one chip.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the constraints in the chip's table
pub struct LadderLabels {
    pub slope_1: Label,
    pub slope_2: Label,
    pub start_x: Label,
    pub start_y: Label,
    pub base_held: Label,
    pub correction_base: Label,
    pub correction_identity: Label,
    pub correction_x: Label,
    pub correction_y: Label,
    pub correction_digit: Label,
    pub output_point: Label,
    pub output_flag: Label,
    pub digit: Label,
    pub offset: Label,
    pub parity: Label,
    pub identity: Label,
    pub wraps: Label,
    pub carry_0: Label,
    pub carry_1: Label,
    pub offset_held: Label,
    pub parity_held: Label,
    pub wraps_held: Label,
    pub identity_held: Label,
    pub correction_flag: Label,
    pub carry_0_held: Label,
    pub carry_1_held: Label,
    pub horner: Label,
    pub limb_tie: Label,
}

/// The labels of a chip: the ladder's constraints have the same numbers in each.
macro_rules! ladder_labels {
    ($chip:literal) => {{
        use $crate::sink::Label;
        $crate::ladder::LadderLabels {
            slope_1: Label(concat!($chip, ".C1.slope_1")),
            slope_2: Label(concat!($chip, ".C2.slope_2")),
            start_x: Label(concat!($chip, ".C3.start_x")),
            start_y: Label(concat!($chip, ".C4.start_y")),
            base_held: Label(concat!($chip, ".C5.base_held")),
            correction_base: Label(concat!($chip, ".C6.correction_base")),
            correction_identity: Label(concat!($chip, ".C7.correction_identity")),
            correction_x: Label(concat!($chip, ".C8.correction_x")),
            correction_y: Label(concat!($chip, ".C9.correction_y")),
            correction_digit: Label(concat!($chip, ".C10.correction_digit")),
            output_point: Label(concat!($chip, ".C11.output_point")),
            output_flag: Label(concat!($chip, ".C12.output_flag")),
            digit: Label(concat!($chip, ".C13.digit")),
            offset: Label(concat!($chip, ".C14.offset")),
            parity: Label(concat!($chip, ".C15.parity")),
            identity: Label(concat!($chip, ".C16.identity")),
            wraps: Label(concat!($chip, ".C17.wraps")),
            carry_0: Label(concat!($chip, ".C18.carry_0")),
            carry_1: Label(concat!($chip, ".C19.carry_1")),
            offset_held: Label(concat!($chip, ".C20.offset_held")),
            parity_held: Label(concat!($chip, ".C21.parity_held")),
            wraps_held: Label(concat!($chip, ".C22.wraps_held")),
            identity_held: Label(concat!($chip, ".C23.identity_held")),
            correction_flag: Label(concat!($chip, ".C24.correction_flag")),
            carry_0_held: Label(concat!($chip, ".C25.carry_0_held")),
            carry_1_held: Label(concat!($chip, ".C26.carry_1_held")),
            horner: Label(concat!($chip, ".C27.horner")),
            limb_tie: Label(concat!($chip, ".C28.limb_tie")),
        }
    }};
}

pub(crate) use ladder_labels;

/// What the step of a row gives to the chip's own transitions.
#[derive(Clone, Debug)]
pub struct LadderStep<E> {
    /// The step acc ↦ 2·acc ± T of this row.
    pub step: DoubleAddStep<E>,
    /// y of the next row's accumulator, as the next row's line through its T gives it.
    pub y_next: Septic<E>,
}

/// ±T: `(2·digit − 1)·y_t`. Degree 2.
#[inline]
fn signed_y<S: ConstraintSink>(sink: &S, row: &LadderView<'_, S::Expr>) -> Septic<S::Expr> {
    let sign = row.digit.clone() + row.digit.clone() - sink.constant(1);
    row.y_t.scale(&sign)
}

/// Asserts C1–C28, the part of a row that SCALAR_MUL and VERIFY share. `corrections` are the chip's C_j.
#[inline]
pub fn assert_ladder<C: CurveParams, S: ConstraintSink>(
    sink: &mut S,
    labels: &LadderLabels,
    corrections: &[PointResidues; 2],
    local: &LadderView<'_, S::Expr>,
    next: &LadderView<'_, S::Expr>,
    flags: &LadderFlags<S::Expr>,
) -> LadderStep<S::Expr> {
    let one = sink.constant(1);

    let x_t_squared = sink.square(local.x_t);
    // C1: λ₁·(σy_t + y) = x² + x·x_t + x_t² + a;  C2: (λ₁ + λ₂)·(2x + x_t − λ₁²) = 2y
    let y_t = signed_y(sink, local);
    let step = assert_double_add::<C, S>(
        sink,
        labels.slope_1,
        labels.slope_2,
        &DoubleAddInput {
            x: local.x,
            x_t: local.x_t,
            y_t: &y_t,
            lambda_1: local.lambda_1,
            lambda_2: local.lambda_2,
            x_t_squared: &x_t_squared,
        },
    );
    let y_next = {
        let y_t = signed_y(sink, next);
        y_on_line(sink, next.x, next.x_t, &y_t, next.lambda_1)
    };

    // C3, C4: start·(acc − B_j) = 0
    let [x_start, y_start] = select(|c| sink.constant(c), &C::OFFSETS, local.offset);
    sink.assert_septic(labels.start_x, (local.x.clone() - x_start).scale(&flags.start));
    sink.assert_septic(labels.start_y, (step.y.clone() - y_start).scale(&flags.start));
    // C5: hold·(T′ − T) = 0;  C6: correction·(T − C_j) = 0
    let [x_correction, y_correction] = select(|c| sink.constant(c), corrections, local.offset);
    for (t, t_next, correction) in [(local.x_t, next.x_t, x_correction), (local.y_t, next.y_t, y_correction)]
    {
        sink.assert_septic(labels.base_held, (t_next.clone() - t.clone()).scale(&flags.hold));
        sink.assert_septic(labels.correction_base, (t.clone() - correction).scale(&flags.correction));
    }
    // C7: correction·digit·(x − x_t) = 0;  C11: output·digit·(x − x_t) = 0
    let difference = (local.x.clone() - local.x_t.clone()).scale(local.digit);
    sink.assert_septic(labels.correction_identity, difference.scale(&flags.correction));
    sink.assert_septic(labels.output_point, difference.scale(&flags.output));
    // C8: correction·(x′ − λ₁² + x + x_t) = 0
    sink.assert_septic(labels.correction_x, (next.x.clone() - step.x_1.clone()).scale(&flags.correction));
    // C9: correction·(y′ + y − λ₁(x − x′)) = 0
    let drop = sink.mul(local.lambda_1, &(local.x.clone() - next.x.clone()));
    let correction_y = y_next.clone() + step.y.clone() - drop;
    sink.assert_septic(labels.correction_y, correction_y.scale(&flags.correction));
    // C10: correction·(digit′ + digit − 1) = 0
    sink.assert_zero(
        labels.correction_digit,
        flags.correction.clone() * (next.digit.clone() + local.digit.clone() - one.clone()),
    );
    // C12: output·(identity + digit − 1) = 0
    sink.assert_zero(
        labels.output_flag,
        flags.output.clone() * (local.identity.clone() + local.digit.clone() - one.clone()),
    );

    // C13–C19: ranges
    assert_bool(sink, labels.digit, local.digit);
    assert_bool(sink, labels.offset, local.offset);
    assert_bool(sink, labels.parity, local.parity);
    assert_bool(sink, labels.identity, local.identity);
    assert_ternary(sink, labels.wraps, local.wraps);
    assert_ternary(sink, labels.carry_0, local.carry_0);
    assert_bool(sink, labels.carry_1, local.carry_1);

    // C20–C23, C25, C26: constants of the event and of the limb
    assert_held(sink, labels.offset_held, &flags.inner, local.offset, next.offset);
    assert_held(sink, labels.parity_held, &flags.inner, local.parity, next.parity);
    assert_held(sink, labels.wraps_held, &flags.inner, local.wraps, next.wraps);
    assert_held(sink, labels.identity_held, &flags.hold, local.identity, next.identity);
    // C24: correction·identity = 0
    sink.assert_zero(labels.correction_flag, flags.correction.clone() * local.identity.clone());
    assert_held(sink, labels.carry_0_held, &flags.grow, local.carry_0, next.carry_0);
    assert_held(sink, labels.carry_1_held, &flags.grow, local.carry_1, next.carry_1);

    // C27: horner′ = 2·grow·horner + digit′
    assert_horner(sink, labels.horner, &flags.grow, (local.horner, next.horner), next.digit);
    // C28: limb·(2·horner) + order_limb·parity + wrap_limb·wraps + unit + carry_in·carry′
    //      = limb·(1 − identity)·limb_value + carry_out·carry
    let left = flags.limb.clone() * (local.horner.clone() + local.horner.clone())
        + flags.order_limb.clone() * local.parity.clone()
        + flags.wrap_limb.clone() * local.wraps.clone()
        + flags.unit.clone()
        + flags.carry_in.clone() * carry(next.carry_0, next.carry_1);
    let shown = flags.limb.clone() * (one - local.identity.clone()) * local.limb.clone();
    let right = shown + flags.carry_out.clone() * carry(local.carry_0, local.carry_1);
    sink.assert_zero(labels.limb_tie, left - right);

    LadderStep { step, y_next }
}

/// `low + 3·high`: with a ternary and a boolean digit a number in 0..=5, written in one way.
#[inline]
pub(crate) fn carry<E: septic_curve::Ring>(low: &E, high: &E) -> E {
    low.clone() + high.clone() + high.clone() + high.clone()
}

/// Asserts `gate·(next − local) = 0`.
#[inline]
pub(crate) fn assert_held<S: ConstraintSink>(
    sink: &mut S,
    label: Label,
    gate: &S::Expr,
    local: &S::Expr,
    next: &S::Expr,
) {
    sink.assert_zero(label, gate.clone() * (next.clone() - local.clone()));
}

/// Asserts `horner′ = 2·grow·horner + digit′`, on every row, so that each run of digits starts from its first digit.
#[inline]
pub(crate) fn assert_horner<S: ConstraintSink>(
    sink: &mut S,
    label: Label,
    grow: &S::Expr,
    (horner, horner_next): (&S::Expr, &S::Expr),
    digit_next: &S::Expr,
) {
    let doubled = horner.clone() + horner.clone();
    sink.assert_zero(label, horner_next.clone() - grow.clone() * doubled - digit_next.clone());
}
