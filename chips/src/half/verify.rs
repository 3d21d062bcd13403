//! # VERIFY — s·G + e·A with half-size scalars, one row an operation
//!
//! ## Statement
//! On every row with `real = 1`: let s = Σ `s[w]`·256^w and e = Σ `e[j]`·256^j. Then A = (x_a, y_a) and R = (x_r, y_r) are
//! points of E and R = s·G + e·A.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The claimed rows have `real = 1`, and there `e[j]` ∈ [0, 256), `s[w]` ∈ [0, 256) for w < 26, `s[26]` ∈ [0, 512).
//!   the instance columns
//! - A2. #E = r is an odd prime above 2^109; (0, 0) is not on E.           holds for E
//! - A3. The guarantees G1 and G2 of [`crate::half`].
//! - A4 (completeness only). s, e < r, and e is neither 0 nor ±1.          claims as they are shown
//! - A5 (completeness only). Nobody knows a relation between B_0, B_1, G and the points of the events.
//!
//! ## Not proved here
//! - Which events are on the rows: the instance columns bind them.
//! - What a shown claim says about the claimed one: `septic_trace`'s `half::Shown`.
//! - That e is the hash of anything.
//!
//! ## Columns  (2,635)
//! | columns    | name         | width | role        | honest value                        | constrained by |
//! |------------|--------------|-------|-------------|-------------------------------------|----------------|
//! | 0          | `real`       | 1     | bookkeeping | 1 on events                         | C1, instance   |
//! | 1..15      | `x_a`, `y_a` | 14    | state       | A                                   | C2, instance   |
//! | 15..29     | `x_r`, `y_r` | 14    | state       | R                                   | C3, instance   |
//! | 29..56     | `s`          | 27    | bit         | windows of s, low first             | M3, instance   |
//! | 56..84     | `e`          | 28    | bit         | bytes of e, low first               | C12, instance  |
//! | 84         | `offset`     | 1     | bookkeeping | j: which start                      | C4             |
//! | 85..274    | `x_g`        | 189   | base        | x of the entries of [`crate::generator`] | M3        |
//! | 274..463   | `y_g`        | 189   | base        | y of the entries                    | M3             |
//! | 463..645   | `lambda_g`   | 182   | slope       | chord of the sum so far and the next entry | C5      |
//! | 645..671   | `product_g`  | 26    | witness     | running product of h                | C6             |
//! | 671..678   | `lambda_y`   | 7     | slope       | chord R, Q_j                        | C7             |
//! | 678..685   | `lambda_d`   | 7     | slope       | chord X, −Y                         | C8             |
//! | 685        | `product_d`  | 1     | witness     | running product of h                | C9             |
//! | 686..700   | `x_d`, `y_d` | 14    | base        | D = Y − X = R − s·G                 | C10            |
//! | 700..714   | `x_n`, `y_n` | 14    | base        | N = D + A                           | C11            |
//! | 714..728   | `x_m`, `y_m` | 14    | base        | M = D − A                           | C11            |
//! | 728..745   | `quotient`   | 17    | witness     | limbs of q = (u·e + w)/r            | C12, M1        |
//! | 745..765   | `carry`      | 20    | witness     | carries of C12, 2^12 added          | C12, M2        |
//! | 765..874   | `sign`       | 109   | bit         | bits of u − 1, most significant first | C13, C12     |
//! | 874..984   | `swap`       | 110   | bit         | 1 where the digits of u and w differ  | C13, C12     |
//! | 984..991   | `lambda_0`   | 7     | slope       | chord B_j, T                        | C14            |
//! | 991..1754  | `lambda_1`   | 763   | slope       | chord acc, T                        | C15            |
//! | 1754..2517 | `lambda_2`   | 763   | slope       | chord acc, acc + T                  | C16            |
//! | 2517..2627 | `product`    | 110   | witness     | running product of h(x_t − x)       | C17            |
//! | 2627       | `inverse`    | 1     | witness     | 1/(the last product)                | C18            |
//! | 2628..2635 | `lambda_e`   | 7     | slope       | chord C_j, −N                       | C19            |
//!
//! The trace has one parameter t: h(d) = Σ t^k·d_k. C_j = 2^109·B_j; Q_j is what the generator's entries of 0 sum up to.
//!
//! ## Rows
//! One row an operation, padding rows after them.
//!
//! ## Constraints
//! | id  | label (`verify_half.`…) | formula                                              | count | degree | means |
//! |-----|-------------------------|------------------------------------------------------|-------|--------|-------|
//! | C1  | `C1.real`     | real·(real − 1) = 0                                            | 1   | 2 | boolean |
//! | C2  | `C2.a_curve`  | y_a² = x_a³ + a·x_a + b·real                                   | 7   | 3 | A is on E |
//! | C3  | `C3.r_curve`  | y_r² = x_r³ + a·x_r + b·real                                   | 7   | 3 | R is on E |
//! | C4  | `C4.offset`   | offset·(offset − real) = 0                                     | 1   | 2 | boolean, 0 on padding |
//! | C5  | `C5.sum_g`    | λ_g(x_g − x) = y_g − y                                         | 182 | 3 | (x, y) is the sum so far |
//! | C6  | `C6.distinct_g` | product_g = (the one before)·h(x_g − x), before the first h(x(Q_j) − x_r) | 26 | 3 | no chord meets x = x_g |
//! | C7  | `C7.y`        | λ_y(x(Q_j) − x_r) = y(Q_j) − y_r                               | 7   | 2 | Y = R + Q_j |
//! | C8  | `C8.d_line`   | λ_d(x_X − x_Y) = y_X + y_Y                                     | 7   | 3 | D = Y − X |
//! | C9  | `C9.distinct_d` | product_d = product_g,25·h(x_X − x_Y)                        | 1   | 3 | X ≠ ±Y |
//! | C10 | `C10.d_x`     | x_d = λ_d² − x_X − x_Y                                         | 7   | 2 | |
//! |     | `C10.d_y`     | y_d = y_X + λ_d(x_d − x_X)                                     | 7   | 3 | |
//! | C11 | `C11.sums_x`  | (x_n + x_a + x_d)(x_a − x_d)² = (y_a − y_d)²; M with −y_a      | 14  | 3 | N = D + A, M = D − A |
//! |     | `C11.sums_y`  | (y_n + y_d)(x_a − x_d) = (y_a − y_d)(x_d − x_n); M with −y_a   | 14  | 2 | |
//! | C12 | `C12.product` | u·e + w = q·r: see [`super::product`]                          | 21  | 2 | |
//! | C13 | `C13.sign`    | sign·(sign − 1) = 0                                            | 109 | 2 | boolean |
//! |     | `C13.swap`    | swap·(swap − 1) = 0                                            | 110 | 2 | boolean |
//! | C14 | `C14.first`   | λ_0(x_t − x(B_j)) = y_t − y(B_j)                               | 7   | 3 | acc = B_j + T |
//! | C15 | `C15.slope_1` | λ₁(x_t − x) = y_t − y                                          | 763 | 3 | acc + T |
//! | C16 | `C16.slope_2` | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y                                 | 763 | 3 | 2·acc + T |
//! | C17 | `C17.distinct`| product_i = product_{i−1}·h(x_t − x), product_{−1} = product_d | 110 | 3 | no chord meets x = x_t |
//! | C18 | `C18.inverse` | inverse·product_109·h(x(C_j) − x_n) = real                     | 1   | 3 | no factor is 0 |
//! | C19 | `C19.end_line`| λ_e(x(C_j) − x_n) = y(C_j) + y_n                               | 7   | 2 | acc = C_j − N |
//! |     | `C19.end_x`   | λ_e² = x + x(C_j) + x_n                                        | 7   | 2 | |
//! |     | `C19.end_y`   | y = λ_e(x(C_j) − x) − y(C_j)                                   | 7   | 3 | |
//!
//! Coordinates of X, Y and all partial sums are expressions in the slopes, see [`super::chain`]. Points B_j, C_j and Q_j are
//! real·B_0 + offset·(B_1 − B_0), coordinate by coordinate: (0, 0) on padding.
//!
//! ## Messages  (56)
//! | id | label           | bus         | count     | times | fields |
//! |----|-----------------|-------------|-----------|-------|--------|
//! | M1 | `M1.quotient`   | `LimbPair`  | send real | 9     | q_2a, q_2a+1; at last q_16, 0 |
//! | M2 | `M2.carry`      | `Limb`      | send real | 20    | carry |
//! | M3 | `M3.entry`      | `Generator` | send real | 27    | 256·w + s\[w\] (and 7168·offset for w = 0), x_g, y_g |
//!
//! ## Links, boundaries
//! None: every constraint reads one row.
//!
//! ## Soundness
//! Let real = 1. A and R are on E (C2, C3). By C18 no factor of the product is 0.
//! (i) *X.* By A1 an index of M3 is that of window w and digit `s[w]`, for w = 0 with the start B_j (C4), so the entries are
//! B_j + `s[0]`·G and (`s[w]` + 1)·2^(8w)·G. C5 and C6 are the lemma *addition* of [`super::chain`]: X = s·G + Q_j.
//! (ii) *D.* C7 is Y = R + Q_j, since x(Q_j) − x_r is a factor of the product. C8 and C9 make λ_d the slope of the chord
//! through X and −Y; C10 is its third point, so D is on E and D + X − Y = 𝒪: D = R − s·G.
//! (iii) *Chain.* C11 makes N = D + A, M = D − A. C12 is u·e + w = q·r over the integers, with u in [1, 2^109], and by the
//! lemma *chain* u·D + w·A = 𝒪. So u·D = u·e·A, and u is invertible modulo r > 2^109: D = e·A and R = s·G + e·A. ∎
//!
//! ## Completeness
//! | case                      | satisfiable? | by |
//! |---------------------------|--------------|----|
//! | e ≢ 0, ±1, R ≠ 𝒪          | yes          | D ≠ 𝒪, ±A, so N, M ≠ 𝒪; 0 < u, \|w\| < 2^109 by the Euclidean algorithm, 0 ≤ q < 2^109 |
//! | e ≡ 0, ±1; A = 𝒪; R = 𝒪; s, e ≥ r | as another claim | `half::Shown` |
//! | an addition's exceptional case, R = ±Q_j, X = −Y, x_n = x(C_j) | not with this j | the other offset (A5) |
//! | h(…) = 0 of another difference | not with this t | another t: each factor forbids at most 6 |
//!
//! Don't-care cells: none on events. Free choices that take several cells: t, offset, (u, w) with everything that follows.
//!
//! ## Padding
//! Zeros.
//!
//! ## References
//! As for [SCALAR_MUL](super::scalar_mul). Sums of entries of a fixed table: the fixed-base windows of Brickell, Gordon,
//! McCurley, Wilson: "Fast exponentiation with precomputation".

use core::marker::PhantomData;

use super::chain::{Chain, ChainLabels, Product, StepLabels, assert_addition, assert_chain, u_bits, w_bits};
use super::product::{Product as Relation, assert_product};
use super::{assert_sum_and_difference, indices, product_messages, select_gated};
use crate::bus::{Bus, Count, MessageSink};
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, Field, column, columns};
use crate::generator::{SECOND_START, WINDOW_BITS, WINDOWS};
use crate::params::{HalfParams, Septic as SepticParams};
use crate::relations::{assert_bool, assert_on_curve};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

columns! {
    /// A row of [`HalfVerifyTable`].
    pub struct HalfVerifyCols {
        /// 1 on events.
        real: Cell Bookkeeping,
        /// x of A.
        x_a: Septic State,
        /// y of A.
        y_a: Septic State,
        /// x of R.
        x_r: Septic State,
        /// y of R.
        y_r: Septic State,
        /// Windows of s, low first.
        s: Cells<27> Bit,
        /// Bytes of e, low first.
        e: Cells<28> Bit,
        /// Which offset sums start from.
        offset: Cell Bookkeeping,
        /// x of the generator's entries.
        x_g: Septics<27> Base,
        /// y of the generator's entries.
        y_g: Septics<27> Base,
        /// Slopes through the sum so far and the next entry.
        lambda_g: Septics<26> Slope,
        /// Running product of h over the entries.
        product_g: Cells<26> Witness,
        /// Slope of the chord R, Q_j.
        lambda_y: Septic Slope,
        /// Slope of the chord X, −Y.
        lambda_d: Septic Slope,
        /// Running product with h(x_X − x_Y).
        product_d: Cell Witness,
        /// x of D = R − s·G.
        x_d: Septic Base,
        /// y of D.
        y_d: Septic Base,
        /// x of N = D + A.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M = D − A.
        x_m: Septic Base,
        /// y of M.
        y_m: Septic Base,
        /// Limbs of q, low first.
        quotient: Cells<17> Witness,
        /// Carries, 2^12 added.
        carry: Cells<20> Witness,
        /// Signs of the steps' T.
        sign: Cells<109> Bit,
        /// 1 for M, 0 for N.
        swap: Cells<110> Bit,
        /// Slope of the first addition.
        lambda_0: Septic Slope,
        /// Slopes through acc and T.
        lambda_1: Septics<109> Slope,
        /// Slopes through acc and acc + T.
        lambda_2: Septics<109> Slope,
        /// Running product of h(x_t − x).
        product: Cells<110> Witness,
        /// 1 over the last product.
        inverse: Cell Witness,
        /// Slope of the line through C_j and −N.
        lambda_e: Septic Slope,
    }
}

/// VERIFY with half-size scalars over the curve `C`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfVerifyTable<C = SepticParams>(PhantomData<C>);

const FIELDS: &[Field] = <HalfVerifyCols<u32> as ColumnSet<u32>>::FIELDS;

/// The columns before `offset`.
const INSTANCE: [usize; 84] = {
    assert!(column(FIELDS, "offset") == 84);
    indices()
};

const CHAIN_LABELS: ChainLabels = ChainLabels {
    sign: Label("verify_half.C13.sign"),
    swap: Label("verify_half.C13.swap"),
    first: Label("verify_half.C14.first"),
    step: StepLabels { slope_1: Label("verify_half.C15.slope_1"), slope_2: Label("verify_half.C16.slope_2") },
    distinct: Label("verify_half.C17.distinct"),
    inverse: Label("verify_half.C18.inverse"),
    end_line: Label("verify_half.C19.end_line"),
    end_x: Label("verify_half.C19.end_x"),
    end_y: Label("verify_half.C19.end_y"),
};

impl<C: HalfParams> Table for HalfVerifyTable<C> {
    type Cols<T> = HalfVerifyCols<T>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "verify.half";
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 1;

    fn flags(_: usize) -> NoFlags {
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &HalfVerifyCols<S::Expr>,
        _: &HalfVerifyCols<S::Expr>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        let HalfVerifyCols { real, x_a, y_a, x_r, y_r, offset, x_d, y_d, x_n, y_n, x_m, y_m, .. } = local;
        let chain = Chain {
            real,
            offset,
            n: [x_n, y_n],
            m: [x_m, y_m],
            sign: &local.sign,
            swap: &local.swap,
            lambda_0: &local.lambda_0,
            lambda_1: &local.lambda_1,
            lambda_2: &local.lambda_2,
            product: &local.product,
            inverse: &local.inverse,
            lambda_e: &local.lambda_e,
        };

        // C1
        assert_bool(sink, Label("verify_half.C1.real"), real);
        // C2, C3
        for (label, x, y) in [("verify_half.C2.a_curve", x_a, y_a), ("verify_half.C3.r_curve", x_r, y_r)] {
            let x_squared = sink.square(x);
            assert_on_curve::<C, S>(sink, Label(label), x, y, &x_squared, real);
        }
        // C4: offset·(offset − real) = 0
        let label = Label("verify_half.C4.offset");
        sink.assert_zero(label, offset.clone() * (offset.clone() - real.clone()));

        let q = select_gated(sink, &C::GENERATOR_OFFSETS, real, offset);
        let mut product = Product::new(&parameters[0]);
        product.multiply(&(q[0].clone() - x_r.clone()));
        // C5, C6: X
        let entry = |w: usize| [local.x_g[w].clone(), local.y_g[w].clone()];
        let mut sum = entry(0);
        for w in 1..WINDOWS {
            let (entry, lambda) = (entry(w), &local.lambda_g[w - 1]);
            let run = entry[0].clone() - sum[0].clone();
            product.store(sink, Label("verify_half.C6.distinct_g"), &run, &local.product_g[w - 1]);
            sum = assert_addition(sink, Label("verify_half.C5.sum_g"), &sum, &entry, lambda);
        }
        let [x_x, y_x] = sum;
        // C7: Y, read off the line at Q_j
        let r = [x_r.clone(), y_r.clone()];
        let [x_y, y_y] = assert_addition(sink, Label("verify_half.C7.y"), &r, &q, &local.lambda_y);
        // C8: λ_d(x_X − x_Y) = y_X + y_Y
        let run = x_x.clone() - x_y.clone();
        let line = sink.mul(&local.lambda_d, &run) - (y_x.clone() + y_y);
        sink.assert_septic(Label("verify_half.C8.d_line"), line);
        // C9
        product.store(sink, Label("verify_half.C9.distinct_d"), &run, &local.product_d);
        // C10: D
        let x = sink.square(&local.lambda_d) - (x_x.clone() + x_y);
        sink.assert_septic(Label("verify_half.C10.d_x"), x_d.clone() - x);
        let y = y_x + sink.mul(&local.lambda_d, &(x_d.clone() - x_x));
        sink.assert_septic(Label("verify_half.C10.d_y"), y_d.clone() - y);
        // C11
        let labels = [Label("verify_half.C11.sums_x"), Label("verify_half.C11.sums_y")];
        assert_sum_and_difference(sink, labels, [x_d, y_d], [x_a, y_a], [chain.n, chain.m]);
        // C12
        let relation = Relation {
            u_bits: u_bits(&chain),
            w_bits: &w_bits(&chain),
            scalar: &local.e,
            quotient: &local.quotient,
            carry: &local.carry,
            real,
        };
        assert_product(sink, Label("verify_half.C12.product"), &relation);
        // C13–C19
        assert_chain::<C, S>(sink, &CHAIN_LABELS, &chain, product);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &HalfVerifyCols<S::Expr>) {
        // M1, M2
        let labels = [Label("verify_half.M1.quotient"), Label("verify_half.M2.carry")];
        product_messages(sink, labels, &local.real, &local.quotient, &local.carry);
        // M3
        for (w, window) in (0_u32..).zip(&local.s) {
            let mut index = window.clone();
            if w == 0 {
                index = index + sink.constant(SECOND_START_RESIDUE) * local.offset.clone();
            } else {
                index = index + sink.constant(w << WINDOW_BITS) * local.real.clone();
            }
            let mut fields = alloc::vec![index];
            fields.extend_from_slice(&local.x_g[w as usize].0);
            fields.extend_from_slice(&local.y_g[w as usize].0);
            let label = Label("verify_half.M3.entry");
            sink.message(label, Bus::Generator, Count::Send(local.real.clone()), fields);
        }
    }
}

/// [`SECOND_START`] as a residue.
#[allow(clippy::cast_possible_truncation, reason = "7168")]
const SECOND_START_RESIDUE: u32 = SECOND_START as u32;
