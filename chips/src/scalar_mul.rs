//! # SCALAR_MUL — s·P for any 256-bit s, one row a digit
//!
//! ## Statement
//! In every block of 256 rows: let P be the point shown on row 0 and R the point shown on row 255, where a row with
//! `identity = 1` shows the identity and any other row shows (`x_t`, `y_t`); let s = Σ `limb`(13 + 16m)·2^(16(15 − m))
//! over the integers. Then P is a point of E or the identity, and R = s·P.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The values of `limb` on limb rows are in [0, 2^16).             used in: Soundness (i)
//! - A2. #E = r is prime, so no point of E has y = 0 and r·T = 𝒪.         holds for E
//! - A3. The flags are those of `LadderFlags` on every row.               periodic columns in Plonky3
//! - A4. The successor of the last row is the first row and no constraint is switched off there; or else the first row
//!   has horner = digit besides.                                           used in: Soundness (i)
//! - A5 (completeness only). Nobody knows a non-trivial relation α·B_0 + β·B_1 + γ·G = 𝒪 (G only for bases that are
//!   multiples of it).
//!
//! ## Not proved here
//! - Which events are in the blocks: the proof system binds them (`septic-prover` compares the instance columns).
//! - That s is reduced: s is any integer, the result is exact.
//!
//! ## Columns  (44)
//! | columns | name       | width | role        | honest value                                        | constrained by |
//! |---------|------------|-------|-------------|-----------------------------------------------------|----------------|
//! | 0..7    | `x`        | 7     | state       | x of acc                                            | C3, C8, C30    |
//! | 7..14   | `lambda_1` | 7     | slope       | slope through acc and σT                            | C1, C4, C9, C31 |
//! | 14..21  | `lambda_2` | 7     | slope       | slope through acc and acc + σT                      | C2             |
//! | 21..28  | `x_t`      | 7     | base        | x of P (rows 0..254), of C_j (254), of R (255)      | C1, C5, C6, C11 |
//! | 28..35  | `y_t`      | 7     | base        | y of the same                                       | C1, C5, C6     |
//! | 35      | `digit`    | 1     | bit         | 1 for +T, 0 for −T; row 254: R = 𝒪; row 255: R ≠ 𝒪  | C1, C4, C7, C9–C13, C27 |
//! | 36      | `horner`   | 1     | bookkeeping | digits since the last limb row                      | C27, C28       |
//! | 37      | `limb`     | 1     | bit         | limb of s on limb rows, else 0                      | C28, C29       |
//! | 38      | `carry_0`  | 1     | witness     | carry out of the limb, modulo 3                     | C18, C25, C28  |
//! | 39      | `carry_1`  | 1     | witness     | carry out of the limb, divided by 3                 | C19, C26, C28  |
//! | 40      | `parity`   | 1     | bookkeeping | how often r is added (0 or 1)                       | C15, C21, C28  |
//! | 41      | `wraps`    | 1     | bookkeeping | how often q is added (0, 1 or 2)                    | C17, C22, C28  |
//! | 42      | `offset`   | 1     | bookkeeping | j: acc starts at B_j                                | C14, C20       |
//! | 43      | `identity` | 1     | bookkeeping | rows 0..254: P = 𝒪; row 254: 0; row 255: R = 𝒪      | C12, C16, C23, C24 |
//!
//! If P = 𝒪, the rows run with any finite T and the digits of a multiple of r; the generator takes T = G.
//! If R = 𝒪, row 255 holds any finite T; the generator takes B_0.
//!
//! ## Rows
//! 256 rows an event, kinds: digit row (0..254; row 0 starts, rows 13 + 16m end limb 15 − m), correction (254),
//! output (255). See the picture in [`crate::ladder`]. The height is a power of two of at least 256, so blocks fill it.
//!
//! ## Constraints  (117; σ = 2·digit − 1, y = σy_t − λ₁(x_t − x), a prime marks the next row)
//! | id  | label (`scalar_mul.`…)    | formula                                               | count | degree | means |
//! |-----|---------------------------|-------------------------------------------------------|----|---|-------|
//! | C1  | `C1.slope_1`              | λ₁(σy_t + y) = x² + x·x_t + x_t² + a                  | 7  | 3 | λ₁ is chord or tangent |
//! | C2  | `C2.slope_2`              | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y                        | 7  | 3 | λ₂ joins acc and acc + σT |
//! | C3  | `C3.start_x`              | start·(x − x(B_j)) = 0                                | 7  | 2 | acc = B_j |
//! | C4  | `C4.start_y`              | start·(y − y(B_j)) = 0                                | 7  | 3 | |
//! | C5  | `C5.base_held`            | hold·(T′ − T) = 0                                     | 14 | 2 | one base an event |
//! | C6  | `C6.correction_base`      | correction·(T − C_j) = 0                              | 14 | 2 | |
//! | C7  | `C7.correction_identity`  | correction·digit·(x − x_t) = 0                        | 7  | 3 | digit = 1 only if acc = C_j |
//! | C8  | `C8.correction_x`         | correction·(x′ − λ₁² + x + x_t) = 0                   | 7  | 3 | next acc = acc + σC_j |
//! | C9  | `C9.correction_y`         | correction·(y′ + y − λ₁(x − x′)) = 0                  | 7  | 3 | |
//! | C10 | `C10.correction_digit`    | correction·(digit′ + digit − 1) = 0                   | 1  | 2 | R is finite or the identity |
//! | C11 | `C11.output_point`        | output·digit·(x − x_t) = 0                            | 7  | 3 | finite R is acc |
//! | C12 | `C12.output_flag`         | output·(identity + digit − 1) = 0                     | 1  | 2 | |
//! | C13 | `C13.digit`               | digit·(digit − 1) = 0                                 | 1  | 2 | |
//! | C14 | `C14.offset`              | offset·(offset − 1) = 0                               | 1  | 2 | |
//! | C15 | `C15.parity`              | parity·(parity − 1) = 0                               | 1  | 2 | |
//! | C16 | `C16.identity`            | identity·(identity − 1) = 0                           | 1  | 2 | |
//! | C17 | `C17.wraps`               | wraps ∈ {0, 1, 2}                                     | 1  | 3 | |
//! | C18 | `C18.carry_0`             | carry_0 ∈ {0, 1, 2}                                   | 1  | 3 | |
//! | C19 | `C19.carry_1`             | carry_1·(carry_1 − 1) = 0                             | 1  | 2 | carry = carry_0 + 3·carry_1 ≤ 5 |
//! | C20 | `C20.offset_held`         | inner·(offset′ − offset) = 0                          | 1  | 2 | one j an event |
//! | C21 | `C21.parity_held`         | inner·(parity′ − parity) = 0                          | 1  | 2 | |
//! | C22 | `C22.wraps_held`          | inner·(wraps′ − wraps) = 0                            | 1  | 2 | |
//! | C23 | `C23.identity_held`       | hold·(identity′ − identity) = 0                       | 1  | 2 | |
//! | C24 | `C24.correction_flag`     | correction·identity = 0                               | 1  | 2 | no free cell on row 254 |
//! | C25 | `C25.carry_0_held`        | grow·(carry_0′ − carry_0) = 0                         | 1  | 2 | one carry a limb |
//! | C26 | `C26.carry_1_held`        | grow·(carry_1′ − carry_1) = 0                         | 1  | 2 | |
//! | C27 | `C27.horner`              | horner′ = 2·grow·horner + digit′                      | 1  | 2 | ungated, wrap row included |
//! | C28 | `C28.limb_tie`            | limb_row·2·horner + r_l·parity + q_l·wraps + unit + carry_in·carry′ = limb_row·(1 − identity)·limb + carry_out·carry | 1 | 3 | digits are the scalar's |
//! | C29 | `C29.limb_idle`           | (1 − limb_row)·limb = 0                               | 1  | 2 | no free cell off limb rows |
//! | C30 | `C30.step_x`              | step·(x′ − λ₂² + λ₁² − x_t) = 0                       | 7  | 3 | next acc = 2·acc + σT |
//! | C31 | `C31.step_y`              | step·(y′ + y − λ₂(x − x′)) = 0                        | 7  | 3 | |
//!
//! ## Links
//! C3–C12, C20–C31 read the row's flags or the next row. The only relations across the end of an event are C27
//! (horner of row 0 is its digit) and the ungated relations of each row by itself; the next event starts from C3, C4.
//!
//! ## Boundaries
//! None beyond the flags: row 0 of the trace is row 0 of an event, and the last row is row 255 of one.
//!
//! ## Soundness
//! **Lemma.** Let acc = (x, y) be on E, with y given by the formula above, and σ = ±1. C1 and C2 have a solution λ₁, λ₂
//! iff T is on E, acc ≠ −σT and 2·acc + σT ≠ 𝒪. It is unique, x₁ = λ₁² − x − x_t is the x of acc + σT, and the chord sum
//! with slope λ₂ is 2·acc + σT.
//! *Proof.* Let f(x) = x³ + ax + b. If x ≠ x_t, the formula for y makes λ₁ the slope of the line through acc and σT, and
//! C1 times x_t − x is (σy_t)² − y² = f(x_t) − f(x). As y² = f(x) and σ² = 1, it holds iff y_t² = f(x_t). If x = x_t, the
//! formula says y = σy_t, so T is on E and acc = σT (−σT would need y = −y, A2); then C1 reads 2λ₁y = 3x² + a: the
//! tangent. Either way x₁ = x(acc + σT). C2 reads (λ₁ + λ₂)(x − x₁) = 2y ≠ 0: so x ≠ x₁
//! and λ₂ = 2y/(x − x₁) − λ₁ is the slope of the chord through acc and acc + σT, and exists unless acc + σT = ±acc, that
//! is T = 𝒪 (no) or 2·acc + σT = 𝒪. ∎
//!
//! (i) *Digits.* C27 makes `horner` on a limb row the number formed by the limb's digits (on row 0 it is the digit,
//! since row 255 has grow = 0: A4). With B = Σ digit_i·2^(253 − i) and e = Σ limb·2^(16l) if identity = 0, else e = 0, C28
//! on the 16 limb rows is 2B + parity·r + wraps·q + 1 − 2^254 = e limb by limb. Both sides of each are below 2^20 in
//! absolute value by A1, C13, C15, C17–C19, so no equation wraps modulo p, and e is that number over the integers. Since
//! V = 2B − (2^254 − 1) = Σ σ_i·2^(253 − i) and r·T = q·T = 𝒪: V·T = e·T.
//! (ii) *Steps.* By C3, C4, C14 acc on row 0 is B_j, j = 0 or 1. T is the same on rows 0..254 (C5), and on E by the lemma
//! with C13. C30 and C31 carry acc to 2·acc + σT, where y′ is the next row's y, so acc stays on E. On row 254 acc = 2^254·B_j + V·T = C_j + e·T.
//! (iii) *Correction.* C6: T = C_j. If digit = 0 the lemma's first half makes row 255's acc = acc − C_j = e·T by C8, C9;
//! if acc were C_j, acc = −σT has no solution. If digit = 1, C7 makes x = x(C_j), and the formula for y makes acc = +C_j:
//! e·T = 𝒪.
//! (iv) *Output.* By C10 digit on row 255 is 1 iff e·T was finite; then C11 makes x = x_t and the formula for y makes
//! acc = T, so the row shows e·T, and C12 makes identity = 0. Otherwise C12 makes identity = 1 and the row shows 𝒪.
//! If P = 𝒪, e = 0 and 𝒪 is shown. ∎ No condition on j, parity, wraps beyond their ranges is used.
//!
//! ## Completeness
//! | case                | satisfiable? | by |
//! |---------------------|--------------|----|
//! | any s in [0, 2^256) | yes          | V odd covers (−2^254, 2^254); wraps ∈ {0, 1, 2} and parity reach every s |
//! | acc = σT on a row   | yes          | λ₁ is the tangent's slope |
//! | acc = −σT or 2·acc + σT = 𝒪 on a row | not with this j | the other offset; for both to fail gives a relation among B_0, B_1 (A5) |
//! | P = 𝒪               | yes          | identity = 1, digits of −r |
//! | R = 𝒪               | yes          | digit = 1 on row 254 |
//!
//! Don't-care cells, one by one: `carry_0`, `carry_1` on rows 254 and 255 (no limb ends there); if P = 𝒪, `limb` on limb
//! rows (s·𝒪 = 𝒪 for every s, so each value makes a true statement). Free choices that take several cells: the carry of
//! the top limb, rows 0..14 (nothing is above it); parity, wraps and digits where two forms of s exist; j; T on rows 0..254
//! if P = 𝒪, on row 255 (any point of E) if R = 𝒪.
//!
//! ## Padding
//! Unused blocks hold the event 0·G = 𝒪, a valid event like any other; the claims fix how many blocks count.
//!
//! ## Cost
//! 256 rows, 44 columns, 117 constraints, degree 3: 11,264 cells. Pinned in `tests/layout.rs`.
//!
//! ## References
//! Signed digits ±1 with a parity correction are folklore. The chord identities are SP1's `sum_checker_x` and
//! `sum_checker_y` with the slope taken out. Offsets of unknown logarithm: halo2 book, variable-base multiplication.

use core::marker::PhantomData;

use crate::chip::{Chip, Operation};
use crate::columns::{ColumnSet, column, columns};
use crate::ladder::{LadderFlags, LadderLabels, LadderView, ROWS, assert_ladder, ladder_labels};
use crate::params::{CurveParams, Septic as SepticParams};
use crate::sink::{ConstraintSink, Label};

columns! {
    /// A row of the SCALAR_MUL chip, 44 columns.
    pub struct ScalarMulCols {
        /// x of the accumulator.
        x: Septic State,
        /// Slope of the line through acc and ±T.
        lambda_1: Septic Slope,
        /// Slope of the line through acc and acc ± T.
        lambda_2: Septic Slope,
        /// x of T.
        x_t: Septic Base,
        /// y of T.
        y_t: Septic Base,
        /// Sign of T.
        digit: Cell Bit,
        /// Digits since the last limb row.
        horner: Cell Bookkeeping,
        /// Limb of the scalar on limb rows.
        limb: Cell Bit,
        /// Carry out of the limb, modulo 3.
        carry_0: Cell Witness,
        /// Carry out of the limb, divided by 3.
        carry_1: Cell Witness,
        /// How often r is added.
        parity: Cell Bookkeeping,
        /// How often q is added.
        wraps: Cell Bookkeeping,
        /// Which offset the event starts from.
        offset: Cell Bookkeeping,
        /// The point shown on this row is the identity.
        identity: Cell Bookkeeping,
    }
}

impl<E> ScalarMulCols<E> {
    /// The ladder's columns.
    #[must_use]
    pub const fn ladder(&self) -> LadderView<'_, E> {
        LadderView {
            x: &self.x,
            lambda_1: &self.lambda_1,
            lambda_2: &self.lambda_2,
            x_t: &self.x_t,
            y_t: &self.y_t,
            digit: &self.digit,
            horner: &self.horner,
            limb: &self.limb,
            carry_0: &self.carry_0,
            carry_1: &self.carry_1,
            parity: &self.parity,
            wraps: &self.wraps,
            offset: &self.offset,
            identity: &self.identity,
        }
    }
}

/// The SCALAR_MUL chip over the curve `C`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScalarMulChip<C = SepticParams>(PhantomData<C>);

const LABELS: LadderLabels = ladder_labels!("scalar_mul");
const FIELDS: &[crate::columns::Field] = <ScalarMulCols<u32> as ColumnSet<u32>>::FIELDS;

/// Columns that the claims determine: the shown point, its identity flag, the limbs.
const INSTANCE: [usize; 16] = {
    let mut columns = [0; 16];
    let base = column(FIELDS, "x_t");
    let mut i = 0;
    while i < 14 {
        columns[i] = base + i;
        i += 1;
    }
    columns[14] = column(FIELDS, "identity");
    columns[15] = column(FIELDS, "limb");
    columns
};

/// Columns read on the next row: all but `lambda_2`, `limb`.
const NEXT_ROW: [usize; 36] = {
    let mut columns = [0; 36];
    let mut at = 0;
    let mut i = 0;
    while i < <ScalarMulCols<u32> as ColumnSet<u32>>::WIDTH {
        let lambda_2 = column(FIELDS, "lambda_2");
        if !(lambda_2 <= i && i < lambda_2 + 7) && i != column(FIELDS, "limb") {
            columns[at] = i;
            at += 1;
        }
        i += 1;
    }
    columns
};

impl<C: CurveParams> Chip for ScalarMulChip<C> {
    type Cols<T> = ScalarMulCols<T>;
    type Flags<T> = LadderFlags<T>;

    const OPERATION: Operation = Operation::ScalarMul;
    const LAYOUT: &'static str = "row-per-bit";
    const ROWS_PER_EVENT: usize = ROWS;
    const NEXT_ROW_COLUMNS: &'static [usize] = &NEXT_ROW;
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 0;

    fn flags(row: usize) -> LadderFlags<u32> {
        LadderFlags::on_row(row)
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &ScalarMulCols<S::Expr>,
        next: &ScalarMulCols<S::Expr>,
        flags: &LadderFlags<S::Expr>,
        _parameters: &[S::Expr],
    ) {
        // C1–C28
        let ladder = assert_ladder::<C, S>(
            sink,
            &LABELS,
            &C::SCALAR_MUL_CORRECTIONS,
            &local.ladder(),
            &next.ladder(),
            flags,
        );
        // C29: (1 − limb_row)·limb = 0
        let idle = sink.constant(1) - flags.limb.clone();
        sink.assert_zero(Label("scalar_mul.C29.limb_idle"), idle * local.limb.clone());
        // C30: step·(x′ − x₂) = 0, x₂ = λ₂² − λ₁² + x_t
        let x_2 = ladder.step.x_2;
        sink.assert_septic(Label("scalar_mul.C30.step_x"), (next.x.clone() - x_2).scale(&flags.step));
        // C31: step·(y′ + y − λ₂(x − x′)) = 0
        let drop = sink.mul(&local.lambda_2, &(local.x.clone() - next.x.clone()));
        let step_y = ladder.y_next + ladder.step.y - drop;
        sink.assert_septic(Label("scalar_mul.C31.step_y"), step_y.scale(&flags.step));
    }
}
