//! # SCALAR_MUL steps — 112 doubling steps, K a row
//!
//! ## Statement
//! On every row with `real = 1`: let acc = (x_in, y_in), N = (x_n, y_n), M = (x_m, y_m) be points of E. Then K steps
//! acc ↦ 2·acc + T_a, a = 0, …, K − 1, T_a = σ_a·(`swap[a]` ? M : N), σ_a = 2·`sign[a]` − 1, meet no exceptional case and end in
//! (`x_out[K − 1]`, y_out); and the row sends the numbers with the binary digits `sign[a]` and `sign[a]` xor `swap[a]`.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. acc, N, M are on E.                             from the chain's start: see [`crate::half`] and the control table
//! - A2. No point of E has y = 0.                        holds for E
//! - A3. The guarantees G1, G3 of [`crate::half`].
//!
//! ## Not proved here
//! - That the rows of an operation follow each other: the state bus proves it (lemma *chain* of [`crate::half`]).
//!
//! ## Columns  (53 + 24·K; 437 for K = 16, 245 for K = 8)
//! | columns       | name          | width | role        | honest value                            | constrained by |
//! |---------------|---------------|-------|-------------|-----------------------------------------|----------------|
//! | 0             | `id`          | 1     | bookkeeping | the control row's counter               | M1–M3          |
//! | 1             | `index`       | 1     | bookkeeping | 0, …, 112/K − 1                         | M1–M3          |
//! | 2             | `real`        | 1     | bookkeeping | 1 on rows of a chain                    | C1             |
//! | 3..17         | `x_n`, `y_n`  | 14    | base        | N                                       | M1, M2         |
//! | 17..31        | `x_m`, `y_m`  | 14    | base        | M                                       | M1, M2         |
//! | 31..45        | `x_in`, `y_in`| 14    | state       | acc before the row                      | M1             |
//! | 45..52        | `y_out`       | 7     | state       | y of acc after the row                  | C8, M2         |
//! | 52            | `w`           | 1     | bit         | number of the digits `sign` xor `swap`  | C9, M3         |
//! | 53..          | `sign`        | K     | bit         | 1 for +, 0 for −: a bit of U            | C2, C5, M3     |
//! |               | `swap`        | K     | bit         | 1 for M, 0 for N                        | C2, C6, C9     |
//! |               | `x_out`       | 7·K   | state       | x of acc after each step                | C7             |
//! |               | `lambda_1`    | 7·K   | slope       | slope through acc and T                 | C2             |
//! |               | `lambda_2`    | 7·K   | slope       | slope through acc and acc + T           | C3             |
//! |               | `witness`     | K     | witness     | 1/f(x_t − x)                            | C4             |
//!
//! The trace has one parameter t: f(d) = Σ t^k·d_k.
//!
//! ## Rows
//! 112/K rows an operation that has a chain; the rows of an operation may stand anywhere and in any order.
//!
//! ## Constraints  (9 + 24·K; a prime marks what a step leaves behind)
//! | id | label (`scalar_mul_steps.`…) | formula                                | count | degree | means |
//! |----|------------------------------|----------------------------------------|-------|--------|-------|
//! | C1 | `C1.real`                    | real·(real − 1) = 0                    | 1     | 2      | boolean |
//! | C2 | `C2.slope_1`                 | λ₁(x_t − x) = y_t − y                  | 7·K   | 3      | chord through acc and T |
//! | C3 | `C3.slope_2`                 | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y         | 7·K   | 3      | chord through acc and acc + T |
//! | C4 | `C4.distinct`                | witness·f(x_t − x) = real              | K     | 3      | x_t ≠ x |
//! | C5 | `C5.sign`                    | sign·(sign − 1) = 0                    | K     | 2      | boolean |
//! | C6 | `C6.swap`                    | swap·(swap − 1) = 0                    | K     | 2      | boolean |
//! | C7 | `C7.x_out`                   | x′ = λ₂² − λ₁² + x_t                   | 7·K   | 2      | x of 2·acc + T |
//! | C8 | `C8.y_out`                   | y_out = y after the last step          | 7     | 2      | |
//! | C9 | `C9.w`                       | w = Σ (sign xor swap)\[a\]·2^(K − 1 − a) | 1     | 2      | digits of the second base |
//!
//! x_t = x_n + swap·(x_m − x_n), y_t = (2·sign − 1)(y_n + swap·(y_m − y_n)); x, y is acc before the step, from x_in, y_in and
//! then y′ = λ₂(x − x′) − y. Next-row columns: none.
//!
//! ## Messages  (3)
//! | id | label                | bus              | count        | fields |
//! |----|----------------------|------------------|--------------|--------|
//! | M1 | `M1.state_in`        | `ScalarMulState`  | receive real | id, index, x_in, y_in, N, M |
//! | M2 | `M2.state_out`       | `ScalarMulState`  | send real    | id, index + 1, x_out\[K − 1\], y_out, N, M |
//! | M3 | `M3.digits`          | `ScalarMulDigits` | send real    | id, index, K/8 bytes of the digits `sign`, low first, w |
//!
//! ## Links, Boundaries
//! None: links are messages.
//!
//! ## Soundness
//! The lemma of [`crate::half::step`], applied to each step: acc stays on E, y is the running y, and C7, C8 are the lemma's
//! point. C5 and C6 make the digits bits, so each byte of M3 is in [0, 256) and w in [0, 2^K). ∎
//!
//! ## Completeness
//! | case | satisfiable? | by |
//! |------|--------------|----|
//! | acc ≠ ±T, 2·acc + T ≠ 𝒪 | yes | |
//! | acc = ±T or 2·acc + T = 𝒪 | no  | the control row's other offset |
//! | f(x_t − x) = 0, x_t ≠ x   | not with this t | another t: a step forbids at most 6 |
//!
//! Don't-care cells: on rows with real = 0 `id`, `index`, `x_m`, `y_m`, `x_in` and `witness`, each alone.
//!
//! ## Padding
//! The all-zero row satisfies every constraint and sends nothing.
//!
//! ## Cost
//! 112/K rows of 53 + 24·K columns, 3 messages a row, 9 + 24·K constraints, degree 3. Pinned in `trace/src/half/tests`.
//!
//! ## References
//! Steps acc + T + acc with two slopes: Eisenträger, Lauter, Montgomery. Half-size scalars: Antipa et al., "Accelerated
//! verification of ECDSA signatures".

use super::step::{Bases, StepColumns, StepLabels, assert_step, xor, y_after};
use super::{STEPS, digit_bytes, number, state};
use crate::bus::{Bus, Count, MessageSink};
use crate::chip::NoFlags;
use crate::columns::columns;
use crate::relations::assert_bool;
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

columns! {
    /// A row of K steps of SCALAR_MUL, 53 + 24·K columns.
    pub struct ScalarMulStepsCols<const K: usize> {
        /// The operation.
        id: Cell Bookkeeping,
        /// Which row of the operation.
        index: Cell Bookkeeping,
        /// 1 on rows of a chain.
        real: Cell Bookkeeping,
        /// x of N.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M.
        x_m: Septic Base,
        /// y of M.
        y_m: Septic Base,
        /// x of acc before the row.
        x_in: Septic State,
        /// y of acc before the row.
        y_in: Septic State,
        /// y of acc after the row.
        y_out: Septic State,
        /// Limb of W.
        w: Cell Bit,
        /// Signs: bits of U, most significant first.
        sign: Cells<K> Bit,
        /// 1 for M, 0 for N.
        swap: Cells<K> Bit,
        /// x of acc after each step.
        x_out: Septics<K> State,
        /// Slopes through acc and T.
        lambda_1: Septics<K> Slope,
        /// Slopes through acc and acc + T.
        lambda_2: Septics<K> Slope,
        /// Show that x_t ≠ x.
        witness: Cells<K> Witness,
    }
}

/// SCALAR_MUL's step table, K steps a row; K is 8 or 16.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScalarMulSteps<const K: usize = 16>;

const LABELS: StepLabels = StepLabels {
    slope_1: Label("scalar_mul_steps.C2.slope_1"),
    slope_2: Label("scalar_mul_steps.C3.slope_2"),
    distinct: Label("scalar_mul_steps.C4.distinct"),
    sign: Label("scalar_mul_steps.C5.sign"),
    swap: Label("scalar_mul_steps.C6.swap"),
};

impl<const K: usize> Table for ScalarMulSteps<K> {
    type Cols<T> = ScalarMulStepsCols<T, K>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "scalar_mul.steps";
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &[];
    const NUM_PARAMETERS: usize = 1;

    fn flags(_: usize) -> NoFlags {
        const { assert!(K == 8 || K == 16, "a row has 8 or 16 steps") };
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &ScalarMulStepsCols<S::Expr, K>,
        _: &ScalarMulStepsCols<S::Expr, K>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        const { assert!(STEPS.is_multiple_of(K)) };
        // C1: real·(real − 1) = 0
        assert_bool(sink, Label("scalar_mul_steps.C1.real"), &local.real);
        let bases =
            Bases::new((&local.x_n, &local.y_n), (&local.x_m, &local.y_m), &local.real, &parameters[0]);
        let mut x = &local.x_in;
        let mut y = local.y_in.clone();
        for a in 0..K {
            // C2–C6
            let columns = StepColumns {
                sign: &local.sign[a],
                swap: &local.swap[a],
                lambda_1: &local.lambda_1[a],
                lambda_2: &local.lambda_2[a],
                witness: &local.witness[a],
            };
            let x_2 = assert_step(sink, &LABELS, &bases, x, &y, &columns);
            // C7: x′ = λ₂² − λ₁² + x_t
            let x_out = &local.x_out[a];
            sink.assert_septic(Label("scalar_mul_steps.C7.x_out"), x_out.clone() - x_2);
            y = y_after(sink, columns.lambda_2, x, x_out, &y);
            x = x_out;
        }
        // C8: y_out = y after the last step
        sink.assert_septic(Label("scalar_mul_steps.C8.y_out"), local.y_out.clone() - y);
        // C9: w = Σ (sign xor swap)·2^(K − 1 − a)
        let bits = local.sign.iter().zip(&local.swap).map(|(sign, swap)| xor(sign, swap));
        let w = number(|c| sink.constant(c), bits);
        sink.assert_zero(Label("scalar_mul_steps.C9.w"), local.w.clone() - w);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &ScalarMulStepsCols<S::Expr, K>) {
        let ScalarMulStepsCols { id, index, real, x_n, y_n, x_m, y_m, x_in, y_in, y_out, .. } = local;
        let (n, m) = ((x_n, y_n), (x_m, y_m));
        // M1: before the row
        let before = state(id, index.clone(), (x_in, y_in), n, m);
        let label = Label("scalar_mul_steps.M1.state_in");
        sink.message(label, Bus::ScalarMulState, Count::Receive(real.clone()), before);
        // M2: after the row
        let next = index.clone() + sink.constant(1);
        let after = state(id, next, (&local.x_out[K - 1], y_out), n, m);
        let label = Label("scalar_mul_steps.M2.state_out");
        sink.message(label, Bus::ScalarMulState, Count::Send(real.clone()), after);
        // M3: digits
        let mut digits = alloc::vec![id.clone(), index.clone()];
        digits.extend(digit_bytes(|c| sink.constant(c), &local.sign));
        digits.push(local.w.clone());
        let label = Label("scalar_mul_steps.M3.digits");
        sink.message(label, Bus::ScalarMulDigits, Count::Send(real.clone()), digits);
    }
}
