//! # VERIFY — s·G + e·A for any 256-bit s and e, one row a pair of digits
//!
//! ## Statement
//! In every block of 256 rows: let A be the point shown on row 0 and R the point shown on row 255, where a row with
//! `identity = 1` shows the identity and any other row shows (`x_t`, `y_t`); let e = Σ `limb`(13 + 16m)·2^(16(15 − m)) and
//! s = Σ `limb`(14 + 16m)·2^(16(15 − m)) over the integers. Then A is a point of E or the identity, and R = s·G + e·A.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The values of `limb` on the limb rows of e and s are in [0, 2^16).   used in: Soundness (i)
//! - A2. #E = r is prime, so no point of E has y = 0 and r·T = 𝒪.              holds for E
//! - A3. The flags are those of [`VerifyFlags`] on every row.                  periodic columns in Plonky3
//! - A4. The successor of the last row is the first row and no constraint is switched off there; or else the first row
//!   has horner = digit and horner_g = digit_g besides.                         used in: Soundness (i)
//! - A5 (completeness only). Nobody knows a non-trivial relation α·B_0 + β·B_1 + γ·G = 𝒪.
//!
//! ## Not proved here
//! - Which events are in the blocks: the proof system binds them (`septic-prover` compares the instance columns).
//! - That s, e are reduced, or that e is the hash of anything: s, e are any integers, the result is exact.
//!
//! ## Columns  (58)
//! Columns 0..44 are those of [SCALAR_MUL](crate::scalar_mul), for the scalar e and P = A.
//!
//! | columns | name        | width | role        | honest value                                     | constrained by |
//! |---------|-------------|-------|-------------|--------------------------------------------------|----------------|
//! | 0..7    | `x`         | 7     | state       | x of acc                                         | C3, C8, C32    |
//! | 7..14   | `lambda_1`  | 7     | slope       | slope through acc and σT                         | C1, C4, C9, C33 |
//! | 14..21  | `lambda_2`  | 7     | slope       | slope through acc and acc + σT                   | C2             |
//! | 21..28  | `x_t`       | 7     | base        | x of A (rows 0..254), of C_j (254), of R (255)   | C1, C5, C6, C11 |
//! | 28..35  | `y_t`       | 7     | base        | y of the same                                    | C1, C5, C6     |
//! | 35      | `digit`     | 1     | bit         | 1 for +T, 0 for −T; row 254: R = 𝒪; row 255: R ≠ 𝒪 | C1, C4, C7, C9–C13, C27 |
//! | 36      | `horner`    | 1     | bookkeeping | digits of e since the last limb row              | C27, C28       |
//! | 37      | `limb`      | 1     | bit         | limb of e on limb rows, of s on the rows after them, else 0 | C28, C29, C44 |
//! | 38      | `carry_0`   | 1     | witness     | carry out of the limb of e, modulo 3             | C18, C25, C28  |
//! | 39      | `carry_1`   | 1     | witness     | the same, divided by 3                           | C19, C26, C28  |
//! | 40      | `parity`    | 1     | bookkeeping | how often r is added (0 or 1)                    | C15, C21, C28  |
//! | 41      | `wraps`     | 1     | bookkeeping | how often q is added (0, 1 or 2)                 | C17, C22, C28  |
//! | 42      | `offset`    | 1     | bookkeeping | j: acc starts at B_j                             | C14, C20       |
//! | 43      | `identity`  | 1     | bookkeeping | rows 0..254: A = 𝒪; row 254: 0; row 255: R = 𝒪   | C12, C16, C23, C24 |
//! | 44..51  | `lambda_3`  | 7     | slope       | slope through 2·acc + σA and τH                  | C30, C32, C33  |
//! | 51      | `witness`   | 1     | witness     | 1/f(x₂ − x_H) on digit rows, else 0              | C31            |
//! | 52      | `digit_g`   | 1     | bit         | 1 for +H, 0 for −H                               | C34, C35       |
//! | 53      | `horner_g`  | 1     | bookkeeping | digits of s since the last limb row              | C35            |
//! | 54      | `wraps_g_0` | 1     | bookkeeping | how often q′ is taken off s, modulo 3            | C36, C38, C44  |
//! | 55      | `wraps_g_1` | 1     | bookkeeping | the same, divided by 3                           | C37, C39, C44  |
//! | 56      | `carry_g_0` | 1     | witness     | carry out of the limb of s, modulo 3             | C40, C42, C44  |
//! | 57      | `carry_g_1` | 1     | witness     | the same, divided by 3                           | C41, C43, C44  |
//!
//! The column `limb` holds limbs of e on rows 13 + 16m and limbs of s one row later; elsewhere 0. H = G/2.
//! The trace has one parameter t, any element of F_p: f(u) = Σ t^k·u_k.
//!
//! ## Rows
//! As in SCALAR_MUL: 256 rows an event.
//!
//! ## Constraints  (136; σ = 2·digit − 1, τ = 2·digit_g − 1, x₂ = λ₂² − λ₁² + x_t, a prime marks the next row)
//! C1–C28 are those of SCALAR_MUL with the labels `verify.C1.slope_1` to `verify.C28.limb_tie` (102 constraints), with
//! C_j = 2^254·B_j − (2^254 − 1)·H. Then:
//!
//! | id  | label (`verify.`…)      | formula                                              | count | degree | means |
//! |-----|-------------------------|------------------------------------------------------|---|---|-------|
//! | C29 | `C29.limb_idle`         | (1 − limb_row − limb_g_row)·limb = 0                 | 1 | 2 | no free cell off limb rows |
//! | C30 | `C30.line`              | λ₂(x − x₂) − y − τy_H = λ₃(x₂ − x_H)                 | 7 | 3 | 2·acc + σT and τH are on one line of slope λ₃ |
//! | C31 | `C31.distinct`          | witness·f(x₂ − x_H) = step                           | 1 | 3 | x₂ ≠ x_H on digit rows |
//! | C32 | `C32.step_x`            | step·(x′ − λ₃² + x₂ + x_H) = 0                       | 7 | 3 | next acc = 2·acc + σT + τH |
//! | C33 | `C33.step_y`            | step·(y′ + τy_H + λ₃(x′ − x_H)) = 0                  | 7 | 3 | |
//! | C34 | `C34.digit_g`           | digit_g·(digit_g − 1) = 0                            | 1 | 2 | |
//! | C35 | `C35.horner_g`          | horner_g′ = 2·grow·horner_g + digit_g′               | 1 | 2 | ungated, wrap row included |
//! | C36 | `C36.wraps_g_0`         | wraps_g_0 ∈ {0, 1, 2}                                | 1 | 3 | |
//! | C37 | `C37.wraps_g_1`         | wraps_g_1·(wraps_g_1 − 1) = 0                        | 1 | 2 | wraps_g = wraps_g_0 + 3·wraps_g_1 |
//! | C38 | `C38.wraps_g_0_held`    | inner·(wraps_g_0′ − wraps_g_0) = 0                   | 1 | 2 | |
//! | C39 | `C39.wraps_g_1_held`    | inner·(wraps_g_1′ − wraps_g_1) = 0                   | 1 | 2 | |
//! | C40 | `C40.carry_g_0`         | carry_g_0 ∈ {0, 1, 2}                                | 1 | 3 | |
//! | C41 | `C41.carry_g_1`         | carry_g_1·(carry_g_1 − 1) = 0                        | 1 | 2 | carry_g = carry_g_0 + 3·carry_g_1 |
//! | C42 | `C42.carry_g_0_held`    | grow·(carry_g_0′ − carry_g_0) = 0                    | 1 | 2 | |
//! | C43 | `C43.carry_g_1_held`    | grow·(carry_g_1′ − carry_g_1) = 0                    | 1 | 2 | |
//! | C44 | `C44.limb_tie_g`        | limb_row·horner_g + q′_l·wraps_g + carry_in·carry_g′ = limb_row·limb′ + carry_out·carry_g | 1 | 2 | digits of G are the scalar's |
//!
//! ## Links
//! As in SCALAR_MUL. C44 reads the limb of s on the row after the limb row.
//!
//! ## Boundaries
//! None beyond the flags.
//!
//! ## Soundness
//! The lemma of SCALAR_MUL gives 2·acc + σT = (x₂, λ₂(x − x₂) − y) on every row.
//! (i) *Digits.* e as in SCALAR_MUL. C35 makes `horner_g` on a limb row the number formed by the digits of s in the limb,
//! and C44 over the 16 limb rows is Σ digit_g·2^(253 − i) + wraps_g·q′ = s limb by limb; both sides are below 2^20, so over
//! the integers. With B = Σ digit_g·2^(253 − i): Σ τ_i·2^(253 − i)·H = (2B − (2^254 − 1))·H = B·G − (2^254 − 1)·H, and
//! q′·G = 𝒪, so B·G = s·G.
//! (ii) *Steps.* On digit rows C31 makes f(x₂ − x_H) ≠ 0, hence x₂ ≠ x_H, whatever t is. Then C30 makes λ₃ the slope of the
//! chord through 2·acc + σT and τH, and C32, C33 make the next acc their sum. So on row 254
//! acc = 2^254·B_j + e·A + s·G − (2^254 − 1)·H = C_j + e·A + s·G.
//! (iii), (iv) Correction and output as in SCALAR_MUL. C30 and C31 ask nothing that a result depends on there. ∎
//!
//! ## Completeness
//! | case                | satisfiable? | by |
//! |---------------------|--------------|----|
//! | any e, s in [0, 2^256) | yes       | as in SCALAR_MUL; wraps_g ≤ 4 and B < 2^254 reach every s |
//! | A = ±G, ±2G, ±H, …  | yes          | acc starts at B_j, unrelated to G and A |
//! | x₂ = x_H on a digit row | not with this j | the other offset (A5) |
//! | f(x₂ − x_H) = 0, x₂ ≠ x_H | not with this t | another t: each row forbids at most 6, and the generator takes t from a hash of all events |
//! | acc = −σT or 2·acc + σT = 𝒪 | not with this j | the other offset (A5) |
//! | x₂ = x_H on row 254 or 255 | yes   | digit_g takes the sign for which C30 reads 0 = 0 |
//! | A = 𝒪, R = 𝒪        | yes          | as in SCALAR_MUL |
//!
//! Don't-care cells, one by one: `carry_0`, `carry_1`, `carry_g_0`, `carry_g_1` on rows 254 and 255; on these rows also
//! `witness` if f(x₂ − x_H) = 0 and `lambda_3` if x₂ = x_H; if A = 𝒪, the limbs of e. Free choices that take several
//! cells: those of SCALAR_MUL, the same for s, and `digit_g` with `horner_g` and `lambda_3` on rows 254 and 255.
//!
//! ## Padding
//! Unused blocks hold the event 0·G + 0·G = 𝒪, a valid event like any other; the claims fix how many blocks count.
//!
//! ## Cost
//! 256 rows, 58 columns, 136 constraints, degree 3: 14,848 cells. Pinned in `tests/layout.rs`.
//!
//! ## References
//! As for SCALAR_MUL. Straus interleaving ("Shamir's trick") shares the doublings. Adding ±G/2 on every row is the signed
//! digit form of s over {0, G}.

use core::marker::PhantomData;

use crate::chip::{Chip, Operation};
use crate::columns::{ColumnSet, Field, column, columns};
use crate::ladder::{
    DIGITS, LadderFlags, LadderLabels, LadderView, ROWS, UNSIGNED_WRAP_LIMBS, assert_held, assert_horner,
    assert_ladder, carry, ladder_labels, limb_on_row,
};
use crate::params::{CurveParams, Septic as SepticParams};
use crate::relations::{add_constant, assert_bool, assert_ternary, constant, evaluate};
use crate::sink::{ConstraintSink, Label};

columns! {
    /// A row of the VERIFY chip, 58 columns.
    pub struct VerifyCols {
        /// x of the accumulator.
        x: Septic State,
        /// Slope of the line through acc and ±A.
        lambda_1: Septic Slope,
        /// Slope of the line through acc and acc ± A.
        lambda_2: Septic Slope,
        /// x of T.
        x_t: Septic Base,
        /// y of T.
        y_t: Septic Base,
        /// Sign of T.
        digit: Cell Bit,
        /// Digits of e since the last limb row.
        horner: Cell Bookkeeping,
        /// Limb of e on limb rows, limb of s on the rows after them.
        limb: Cell Bit,
        /// Carry out of the limb of e, modulo 3.
        carry_0: Cell Witness,
        /// Carry out of the limb of e, divided by 3.
        carry_1: Cell Witness,
        /// How often r is added.
        parity: Cell Bookkeeping,
        /// How often q is added.
        wraps: Cell Bookkeeping,
        /// Which offset the event starts from.
        offset: Cell Bookkeeping,
        /// The point shown on this row is the identity.
        identity: Cell Bookkeeping,
        /// Slope of the line through 2·acc ± A and ±H.
        lambda_3: Septic Slope,
        /// Shows that x₂ ≠ x_H.
        witness: Cell Witness,
        /// Sign of H.
        digit_g: Cell Bit,
        /// Digits of s since the last limb row.
        horner_g: Cell Bookkeeping,
        /// How often q′ is taken off s, modulo 3.
        wraps_g_0: Cell Bookkeeping,
        /// How often q′ is taken off s, divided by 3.
        wraps_g_1: Cell Bookkeeping,
        /// Carry out of the limb of s, modulo 3.
        carry_g_0: Cell Witness,
        /// Carry out of the limb of s, divided by 3.
        carry_g_1: Cell Witness,
    }
}

impl<E> VerifyCols<E> {
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

/// Flags of VERIFY's row kinds: the ladder's and two more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyFlags<T> {
    /// The ladder's flags.
    pub ladder: LadderFlags<T>,
    /// The row after a limb row.
    pub limb_g: T,
    /// Limb l of q′ on limb rows.
    pub wrap_limb_g: T,
}

const NUM_LADDER_FLAGS: usize = <LadderFlags<u32> as ColumnSet<u32>>::WIDTH;

impl<T> ColumnSet<T> for VerifyFlags<T> {
    const WIDTH: usize = NUM_LADDER_FLAGS + 2;
    const FIELDS: &'static [Field] = {
        const FIELDS: [Field; NUM_LADDER_FLAGS + 2] = {
            let ladder = <LadderFlags<u32> as ColumnSet<u32>>::FIELDS;
            let mut fields = [ladder[0]; NUM_LADDER_FLAGS + 2];
            let mut i = 0;
            while i < NUM_LADDER_FLAGS {
                fields[i] = ladder[i];
                i += 1;
            }
            fields[i].name = "limb_g";
            fields[i].offset = i;
            fields[i + 1].name = "wrap_limb_g";
            fields[i + 1].offset = i + 1;
            fields
        };
        &FIELDS
    };

    #[inline]
    fn from_fn(mut f: impl FnMut(usize) -> T) -> Self {
        let ladder = LadderFlags::from_fn(&mut f);
        let limb_g = f(NUM_LADDER_FLAGS);
        let wrap_limb_g = f(NUM_LADDER_FLAGS + 1);
        Self { ladder, limb_g, wrap_limb_g }
    }

    fn write_to(&self, row: &mut [T])
    where
        T: Clone,
    {
        self.ladder.write_to(row);
        row[NUM_LADDER_FLAGS] = self.limb_g.clone();
        row[NUM_LADDER_FLAGS + 1] = self.wrap_limb_g.clone();
    }
}

/// The VERIFY chip over the curve `C`.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyChip<C = SepticParams>(PhantomData<C>);

const LABELS: LadderLabels = ladder_labels!("verify");
const FIELDS: &[Field] = <VerifyCols<u32> as ColumnSet<u32>>::FIELDS;

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

/// Columns read on the next row: all but `lambda_2`, `lambda_3`, `witness`.
const NEXT_ROW: [usize; 43] = {
    let mut columns = [0; 43];
    let (lambda_2, lambda_3) = (column(FIELDS, "lambda_2"), column(FIELDS, "lambda_3"));
    let mut at = 0;
    let mut i = 0;
    while i < <VerifyCols<u32> as ColumnSet<u32>>::WIDTH {
        let in_lambda_2 = lambda_2 <= i && i < lambda_2 + 7;
        let in_lambda_3 = lambda_3 <= i && i < lambda_3 + 7;
        if !in_lambda_2 && !in_lambda_3 && i != column(FIELDS, "witness") {
            columns[at] = i;
            at += 1;
        }
        i += 1;
    }
    columns
};

impl<C: CurveParams> Chip for VerifyChip<C> {
    type Cols<T> = VerifyCols<T>;
    type Flags<T> = VerifyFlags<T>;

    const OPERATION: Operation = Operation::Verify;
    const LAYOUT: &'static str = "row-per-bit";
    const ROWS_PER_EVENT: usize = ROWS;
    const NEXT_ROW_COLUMNS: &'static [usize] = &NEXT_ROW;
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 1;

    fn flags(row: usize) -> VerifyFlags<u32> {
        VerifyFlags {
            ladder: LadderFlags::on_row(row),
            limb_g: u32::from(row > 0 && row <= DIGITS && limb_on_row(row - 1).is_some()),
            wrap_limb_g: limb_on_row(row).map_or(0, |l| u32::from(UNSIGNED_WRAP_LIMBS[l])),
        }
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &VerifyCols<S::Expr>,
        next: &VerifyCols<S::Expr>,
        flags: &VerifyFlags<S::Expr>,
        parameters: &[S::Expr],
    ) {
        let row = &flags.ladder;
        // C1–C28
        let ladder = assert_ladder::<C, S>(
            sink,
            &LABELS,
            &C::VERIFY_CORRECTIONS,
            &local.ladder(),
            &next.ladder(),
            row,
        );
        let (y, x_2) = (ladder.step.y, ladder.step.x_2);

        // C29: (1 − limb_row − limb_g_row)·limb = 0
        let idle = sink.constant(1) - row.limb.clone() - flags.limb_g.clone();
        sink.assert_zero(Label("verify.C29.limb_idle"), idle * local.limb.clone());

        // C30: λ₂(x − x₂) − y − τy_H = λ₃(x₂ − x_H)
        let [x_h, y_h] = C::HALF_GENERATOR;
        let minus_x_h = -constant(sink, &x_h);
        let tau = local.digit_g.clone() + local.digit_g.clone() - sink.constant(1);
        let tau_y_h = constant(sink, &y_h).scale(&tau);
        let y_2 = sink.mul(&local.lambda_2, &(local.x.clone() - x_2.clone())) - y;
        let dx = x_2.clone() + minus_x_h.clone();
        let rise = sink.mul(&local.lambda_3, &dx);
        sink.assert_septic(Label("verify.C30.line"), y_2 - tau_y_h.clone() - rise);
        // C31: witness·f(x₂ − x_H) = step
        let f = evaluate(&dx, &parameters[0]);
        sink.assert_zero(Label("verify.C31.distinct"), local.witness.clone() * f - row.step.clone());
        // C32: step·(x′ − λ₃² + x₂ + x_H) = 0
        let x_3 = sink.square(&local.lambda_3) - add_constant(sink, x_2, &x_h);
        sink.assert_septic(Label("verify.C32.step_x"), (next.x.clone() - x_3).scale(&row.step));
        // C33: step·(y′ + τy_H + λ₃(x′ − x_H)) = 0
        let rise = sink.mul(&local.lambda_3, &(next.x.clone() + minus_x_h));
        sink.assert_septic(Label("verify.C33.step_y"), (ladder.y_next + tau_y_h + rise).scale(&row.step));

        // C34–C44: the digits of s
        assert_bool(sink, Label("verify.C34.digit_g"), &local.digit_g);
        let horner = (&local.horner_g, &next.horner_g);
        assert_horner(sink, Label("verify.C35.horner_g"), &row.grow, horner, &next.digit_g);
        let (wraps_0, wraps_1) = (&local.wraps_g_0, &local.wraps_g_1);
        assert_ternary(sink, Label("verify.C36.wraps_g_0"), wraps_0);
        assert_bool(sink, Label("verify.C37.wraps_g_1"), wraps_1);
        assert_held(sink, Label("verify.C38.wraps_g_0_held"), &row.inner, wraps_0, &next.wraps_g_0);
        assert_held(sink, Label("verify.C39.wraps_g_1_held"), &row.inner, wraps_1, &next.wraps_g_1);
        let (carry_0, carry_1) = (&local.carry_g_0, &local.carry_g_1);
        assert_ternary(sink, Label("verify.C40.carry_g_0"), carry_0);
        assert_bool(sink, Label("verify.C41.carry_g_1"), carry_1);
        assert_held(sink, Label("verify.C42.carry_g_0_held"), &row.grow, carry_0, &next.carry_g_0);
        assert_held(sink, Label("verify.C43.carry_g_1_held"), &row.grow, carry_1, &next.carry_g_1);
        // C44: limb_row·horner_g + q′_l·wraps_g + carry_in·carry_g′ = limb_row·limb′ + carry_out·carry_g
        let left = row.limb.clone() * local.horner_g.clone()
            + flags.wrap_limb_g.clone() * carry(wraps_0, wraps_1)
            + row.carry_in.clone() * carry(&next.carry_g_0, &next.carry_g_1);
        let right = row.limb.clone() * next.limb.clone() + row.carry_out.clone() * carry(carry_0, carry_1);
        sink.assert_zero(Label("verify.C44.limb_tie_g"), left - right);
    }
}
