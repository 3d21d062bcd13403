//! # VERIFY steps — 112 doubling steps with two digits of the generator each, K a row
//!
//! ## Statement
//! On every row with `real = 1`: let acc = (x_in, y_in), N = (x_n, y_n), M = (x_m, y_m) be points of E. Then K steps
//! acc ↦ 2·acc + T_a + F_a, a = 0, …, K − 1, T_a = σ_a·(`swap[a]` ? M : N), F_a = τ_a·(`swap_g[a]` ? G − G′ : G + G′), meet no
//! exceptional case and end in (`x_out[K − 1]`, y_out); σ_a = 2·`sign[a]` − 1, τ_a = 2·`sign_g[a]` − 1, G′ = 2^112·G. The row
//! sends the numbers with the binary digits `sign`, `sign` xor `swap`, `sign_g` and `sign_g` xor `swap_g`.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. acc, N, M are on E.                             from the chain's start: see [`crate::half`] and the control table
//! - A2. No point of E has y = 0.                        holds for E
//! - A3. The guarantees G1, G3 of [`crate::half`].
//!
//! ## Not proved here
//! - That the rows of an operation follow each other: the state bus proves it (lemma *chain* of [`crate::half`]).
//!
//! ## Columns  (54 + 34·K; 598 for K = 16, 326 for K = 8)
//! | columns       | name          | width | role        | honest value                            | constrained by |
//! |---------------|---------------|-------|-------------|-----------------------------------------|----------------|
//! | 0             | `id`          | 1     | bookkeeping | the control row's counter               | M1–M3          |
//! | 1             | `index`       | 1     | bookkeeping | 0, …, 112/K − 1                         | M1–M3          |
//! | 2             | `real`        | 1     | bookkeeping | 1 on rows of a chain                    | C1             |
//! | 3..17         | `x_n`, `y_n`  | 14    | base        | N                                       | M1, M2         |
//! | 17..31        | `x_m`, `y_m`  | 14    | base        | M                                       | M1, M2         |
//! | 31..45        | `x_in`, `y_in`| 14    | state       | acc before the row                      | M1             |
//! | 45..52        | `y_out`       | 7     | state       | y of acc after the row                  | C10, M2        |
//! | 52            | `w`           | 1     | bit         | number of the digits `sign` xor `swap`  | C11, M3        |
//! | 53            | `g_high`      | 1     | bit         | number of the digits `sign_g` xor `swap_g` | C12, M3     |
//! | 54..          | `sign`        | K     | bit         | 1 for +, 0 for −: a bit of U            | C2, C5, M3     |
//! |               | `swap`        | K     | bit         | 1 for M, 0 for N                        | C2, C6, C11    |
//! |               | `sign_g`      | K     | bit         | 1 for +, 0 for −: a low bit of g        | C7, C13, M3    |
//! |               | `swap_g`      | K     | bit         | 1 for G − G′, 0 for G + G′              | C7, C12, C14   |
//! |               | `x_out`       | 7·K   | state       | x of acc after each step                | C9             |
//! |               | `lambda_1`    | 7·K   | slope       | slope through acc and T                 | C2             |
//! |               | `lambda_2`    | 7·K   | slope       | slope through acc and acc + T           | C3             |
//! |               | `lambda_3`    | 7·K   | slope       | slope through 2·acc + T and F           | C7             |
//! |               | `witness`     | K     | witness     | 1/f(x_t − x)                            | C4             |
//! |               | `witness_g`   | K     | witness     | 1/f(x₂ − x_f)                           | C8             |
//!
//! The trace has one parameter t: f(d) = Σ t^k·d_k.
//!
//! ## Rows
//! 112/K rows an operation; the rows of an operation may stand anywhere and in any order.
//!
//! ## Constraints  (10 + 34·K; a prime marks what a step leaves behind)
//! | id  | label (`verify_steps.`…) | formula                                    | count | degree | means |
//! |-----|--------------------------|--------------------------------------------|-------|--------|-------|
//! | C1  | `C1.real`       | real·(real − 1) = 0                                 | 1     | 2      | boolean |
//! | C2  | `C2.slope_1`    | λ₁(x_t − x) = y_t − y                               | 7·K   | 3      | chord through acc and T |
//! | C3  | `C3.slope_2`    | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y                      | 7·K   | 3      | chord through acc and acc + T |
//! | C4  | `C4.distinct`   | witness·f(x_t − x) = real                           | K     | 3      | x_t ≠ x |
//! | C5  | `C5.sign`       | sign·(sign − 1) = 0                                 | K     | 2      | boolean |
//! | C6  | `C6.swap`       | swap·(swap − 1) = 0                                 | K     | 2      | boolean |
//! | C7  | `C7.line`       | λ₃(x₂ − x_f) = λ₂(x − x₂) − y − y_f                 | 7·K   | 3      | line through 2·acc + T and F |
//! | C8  | `C8.distinct_g` | witness_g·f(x₂ − x_f) = real                        | K     | 3      | x₂ ≠ x_f |
//! | C9  | `C9.x_out`      | x′ = λ₃² − x₂ − x_f                                 | 7·K   | 2      | x of 2·acc + T + F |
//! | C10 | `C10.y_out`     | y_out = y after the last step                       | 7     | 2      | |
//! | C11 | `C11.w`         | w = Σ (sign xor swap)\[a\]·2^(K − 1 − a)            | 1     | 2      | digits of the second base |
//! | C12 | `C12.g_high`    | g_high = Σ (sign_g xor swap_g)\[a\]·2^(K − 1 − a)   | 1     | 2      | digits of G′ |
//! | C13 | `C13.sign_g`    | sign_g·(sign_g − 1) = 0                             | K     | 2      | boolean |
//! | C14 | `C14.swap_g`    | swap_g·(swap_g − 1) = 0                             | K     | 2      | boolean |
//!
//! x_t = x_n + swap·(x_m − x_n), y_t = (2·sign − 1)(y_n + swap·(y_m − y_n)); x₂ = λ₂² − λ₁² + x_t;
//! x_f = real·x(G + G′) + swap_g·(x(G − G′) − x(G + G′)),
//! y_f = (2·sign_g − real)·y(G + G′) + swap_g·(2·sign_g − 1)·(y(G − G′) − y(G + G′));
//! x, y is acc before the step, from x_in, y_in and then y′ = −y_f − λ₃(x′ − x_f). Next-row columns: none.
//!
//! ## Messages  (3)
//! | id | label                | bus            | count        | fields |
//! |----|----------------------|----------------|--------------|--------|
//! | M1 | `M1.state_in`        | `VerifyState`  | receive real | id, index, x_in, y_in, N, M |
//! | M2 | `M2.state_out`       | `VerifyState`  | send real    | id, index + 1, x_out\[K − 1\], y_out, N, M |
//! | M3 | `M3.digits`          | `VerifyDigits` | send real    | id, index, K/8 bytes of the digits `sign`, low first, w, number of the digits `sign_g`, g_high |
//!
//! ## Links, Boundaries
//! None: links are messages.
//!
//! ## Soundness
//! Let real = 1. C13 and C14 make (x_f, y_f) the point F. The lemma of [`crate::half::step`] gives 2·acc + T =
//! (x₂, λ₂(x − x₂) − y) on E. By C8 x₂ ≠ x_f, whatever t is, so C7 makes λ₃ the slope of the chord through 2·acc + T and F,
//! and C9 with y′, read off the same line at F, is their sum. So acc stays on E from step to step. C5, C6, C13, C14 make the
//! digits bits, so each byte of M3 is in [0, 256), and w and both limbs of g in [0, 2^K). ∎
//!
//! ## Completeness
//! | case | satisfiable? | by |
//! |------|--------------|----|
//! | acc ≠ ±T, 2·acc + T ≠ 𝒪, ±F  | yes | |
//! | acc = ±T or 2·acc + T = 𝒪, ±F | no  | the control row's other offset |
//! | f(…) = 0 of a difference ≠ 0   | not with this t | another t: a step forbids at most 12 |
//!
//! Don't-care cells: on rows with real = 0 `id`, `index`, `x_m`, `y_m`, `x_in`, `witness`, `witness_g`, each alone.
//!
//! ## Padding
//! The all-zero row satisfies every constraint and sends nothing.
//!
//! ## Cost
//! 112/K rows of 54 + 34·K columns, 3 messages a row, 10 + 34·K constraints, degree 3. Pinned in `trace/src/half/tests`.
//!
//! ## References
//! As for [SCALAR_MUL's steps](super::scalar_mul_steps).

use core::marker::PhantomData;

use septic_curve::Septic;

use super::step::{
    AdditionColumns, AdditionLabels, Bases, StepColumns, StepLabels, assert_addition, assert_step, xor,
    y_after,
};
use super::{STEPS, digit_bytes, number, state};
use crate::bus::{Bus, Count, MessageSink};
use crate::chip::NoFlags;
use crate::columns::columns;
use crate::params::{HalfParams, Residues, Septic as SepticParams};
use crate::relations::assert_bool;
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

columns! {
    /// A row of K steps of VERIFY, 54 + 34·K columns.
    pub struct VerifyStepsCols<const K: usize> {
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
        /// Limb of g's high half.
        g_high: Cell Bit,
        /// Signs: bits of U, most significant first.
        sign: Cells<K> Bit,
        /// 1 for M, 0 for N.
        swap: Cells<K> Bit,
        /// Signs of F: bits of g's low half, most significant first.
        sign_g: Cells<K> Bit,
        /// 1 for G − 2^112·G, 0 for G + 2^112·G.
        swap_g: Cells<K> Bit,
        /// x of acc after each step.
        x_out: Septics<K> State,
        /// Slopes through acc and T.
        lambda_1: Septics<K> Slope,
        /// Slopes through acc and acc + T.
        lambda_2: Septics<K> Slope,
        /// Slopes through 2·acc + T and F.
        lambda_3: Septics<K> Slope,
        /// Show that x_t ≠ x.
        witness: Cells<K> Witness,
        /// Show that x₂ ≠ x_f.
        witness_g: Cells<K> Witness,
    }
}

/// VERIFY's step table over the curve `C`, K steps a row; K is 8 or 16.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifySteps<C = SepticParams, const K: usize = 16>(PhantomData<C>);

const LABELS: StepLabels = StepLabels {
    slope_1: Label("verify_steps.C2.slope_1"),
    slope_2: Label("verify_steps.C3.slope_2"),
    distinct: Label("verify_steps.C4.distinct"),
    sign: Label("verify_steps.C5.sign"),
    swap: Label("verify_steps.C6.swap"),
};

const ADDITION_LABELS: AdditionLabels = AdditionLabels {
    line: Label("verify_steps.C7.line"),
    distinct: Label("verify_steps.C8.distinct_g"),
    x_out: Label("verify_steps.C9.x_out"),
};

/// F: x of degree 1 and y of degree 2.
#[inline]
fn generator_point<C: HalfParams, S: ConstraintSink>(
    sink: &S,
    real: &S::Expr,
    sign: &S::Expr,
    swap: &S::Expr,
) -> [Septic<S::Expr>; 2] {
    let [sum, difference] = C::GENERATOR_SUMS;
    // sum·by + (difference − sum)·swapped
    let combine = |sum: Residues, difference: Residues, by: &S::Expr, swapped: &S::Expr| {
        Septic::from_fn(|i| {
            let base = sink.constant(sum[i]);
            base.clone() * by.clone() + (sink.constant(difference[i]) - base) * swapped.clone()
        })
    };
    let twice = sign.clone() + sign.clone();
    let signed = twice.clone() - real.clone();
    let signed_swap = swap.clone() * (twice - sink.constant(1));
    [combine(sum[0], difference[0], real, swap), combine(sum[1], difference[1], &signed, &signed_swap)]
}

impl<C: HalfParams, const K: usize> Table for VerifySteps<C, K> {
    type Cols<T> = VerifyStepsCols<T, K>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "verify.steps";
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
        local: &VerifyStepsCols<S::Expr, K>,
        _: &VerifyStepsCols<S::Expr, K>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        const { assert!(STEPS.is_multiple_of(K)) };
        let (real, t) = (&local.real, &parameters[0]);
        // C1: real·(real − 1) = 0
        assert_bool(sink, Label("verify_steps.C1.real"), real);
        let bases = Bases::new((&local.x_n, &local.y_n), (&local.x_m, &local.y_m), real, t);
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
            let y_2 = y_after(sink, columns.lambda_2, x, &x_2, &y);
            let generator = generator_point::<C, S>(sink, real, &local.sign_g[a], &local.swap_g[a]);
            // C7–C9
            let columns = AdditionColumns {
                lambda: &local.lambda_3[a],
                witness: &local.witness_g[a],
                x_out: &local.x_out[a],
                real,
            };
            y = assert_addition(sink, &ADDITION_LABELS, t, [x_2, y_2], generator, &columns);
            x = &local.x_out[a];
            // C13, C14
            assert_bool(sink, Label("verify_steps.C13.sign_g"), &local.sign_g[a]);
            assert_bool(sink, Label("verify_steps.C14.swap_g"), &local.swap_g[a]);
        }
        // C10: y_out = y after the last step
        sink.assert_septic(Label("verify_steps.C10.y_out"), local.y_out.clone() - y);
        // C11: w = Σ (sign xor swap)·2^(K − 1 − a);  C12: g_high = Σ (sign_g xor swap_g)·2^(K − 1 − a)
        let bits = local.sign.iter().zip(&local.swap).map(|(sign, swap)| xor(sign, swap));
        let w = number(|c| sink.constant(c), bits);
        sink.assert_zero(Label("verify_steps.C11.w"), local.w.clone() - w);
        let bits = local.sign_g.iter().zip(&local.swap_g).map(|(sign, swap)| xor(sign, swap));
        let g_high = number(|c| sink.constant(c), bits);
        sink.assert_zero(Label("verify_steps.C12.g_high"), local.g_high.clone() - g_high);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &VerifyStepsCols<S::Expr, K>) {
        let VerifyStepsCols { id, index, real, x_n, y_n, x_m, y_m, x_in, y_in, y_out, .. } = local;
        let (n, m) = ((x_n, y_n), (x_m, y_m));
        // M1: before the row
        let before = state(id, index.clone(), (x_in, y_in), n, m);
        let label = Label("verify_steps.M1.state_in");
        sink.message(label, Bus::VerifyState, Count::Receive(real.clone()), before);
        // M2: after the row
        let next = index.clone() + sink.constant(1);
        let after = state(id, next, (&local.x_out[K - 1], y_out), n, m);
        let label = Label("verify_steps.M2.state_out");
        sink.message(label, Bus::VerifyState, Count::Send(real.clone()), after);
        // M3: digits
        let constant = |c| sink.constant(c);
        let mut digits = alloc::vec![id.clone(), index.clone()];
        digits.extend(digit_bytes(constant, &local.sign));
        digits.push(local.w.clone());
        digits.push(number(constant, local.sign_g.iter().cloned()));
        digits.push(local.g_high.clone());
        let label = Label("verify_steps.M3.digits");
        sink.message(label, Bus::VerifyDigits, Count::Send(real.clone()), digits);
    }
}
