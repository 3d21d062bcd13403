//! # SCALAR_MUL — s·P with half-size scalars, one row an operation
//!
//! ## Statement
//! On every row with `real = 1`: let s = Σ `s[j]`·256^j. Then P = (x_p, y_p) and R = (x_r, y_r) are points of E and R = s·P.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The claimed rows have `real = 1`, and `s[j]` ∈ [0, 256) there.    the instance columns
//! - A2. #E = r is an odd prime above 2^109; (0, 0) is not on E.           holds for E
//! - A3. The guarantees G1 and G2 of [`crate::half`].
//! - A4 (completeness only). s < r, and s is neither 0 nor ±1.             claims as they are shown
//! - A5 (completeness only). Nobody knows a relation between B_0, B_1 and the points of the events.
//!
//! ## Not proved here
//! - Which events are on the rows: the instance columns bind them.
//! - What a shown claim says about the claimed one: `septic_trace`'s `half::Shown`.
//!
//! ## Columns  (1,993)
//! | columns    | name         | width | role        | honest value                        | constrained by |
//! |------------|--------------|-------|-------------|-------------------------------------|----------------|
//! | 0          | `real`       | 1     | bookkeeping | 1 on events                         | C1, instance   |
//! | 1..15      | `x_p`, `y_p` | 14    | state       | P                                   | C2, instance   |
//! | 15..29     | `x_r`, `y_r` | 14    | state       | R                                   | C3, instance   |
//! | 29..57     | `s`          | 28    | bit         | bytes of s, low first               | C6, instance   |
//! | 57         | `offset`     | 1     | bookkeeping | j: the chain starts at B_j          | C4             |
//! | 58..72     | `x_n`, `y_n` | 14    | base        | N = R + P                           | C5             |
//! | 72..86     | `x_m`, `y_m` | 14    | base        | M = R − P                           | C5             |
//! | 86..103    | `quotient`   | 17    | witness     | limbs of q = (u·s + w)/r            | C6, M1         |
//! | 103..123   | `carry`      | 20    | witness     | carries of C6, 2^12 added           | C6, M2         |
//! | 123..232   | `sign`       | 109   | bit         | bits of u − 1, most significant first | C7, C6       |
//! | 232..342   | `swap`       | 110   | bit         | 1 where the digits of u and w differ  | C7, C6       |
//! | 342..349   | `lambda_0`   | 7     | slope       | chord B_j, T                        | C8             |
//! | 349..1112  | `lambda_1`   | 763   | slope       | chord acc, T                        | C9             |
//! | 1112..1875 | `lambda_2`   | 763   | slope       | chord acc, acc + T                  | C10            |
//! | 1875..1985 | `product`    | 110   | witness     | running product of h(x_t − x)       | C11            |
//! | 1985       | `inverse`    | 1     | witness     | 1/(the last product)                | C12            |
//! | 1986..1993 | `lambda_e`   | 7     | slope       | chord C_j, −N                       | C13            |
//!
//! The trace has one parameter t: h(d) = Σ t^k·d_k. C_j = 2^109·B_j.
//!
//! ## Rows
//! One row an operation, padding rows after them.
//!
//! ## Constraints
//! | id  | label (`scalar_mul_half.`…) | formula                                          | count | degree | means |
//! |-----|-----------------------------|--------------------------------------------------|-------|--------|-------|
//! | C1  | `C1.real`     | real·(real − 1) = 0                                            | 1   | 2 | boolean |
//! | C2  | `C2.p_curve`  | y_p² = x_p³ + a·x_p + b·real                                   | 7   | 3 | P is on E |
//! | C3  | `C3.r_curve`  | y_r² = x_r³ + a·x_r + b·real                                   | 7   | 3 | R is on E |
//! | C4  | `C4.offset`   | offset·(offset − real) = 0                                     | 1   | 2 | boolean, 0 on padding |
//! | C5  | `C5.sums_x`   | (x_n + x_p + x_r)(x_p − x_r)² = (y_p − y_r)²; M with −y_p      | 14  | 3 | N = R + P, M = R − P |
//! |     | `C5.sums_y`   | (y_n + y_r)(x_p − x_r) = (y_p − y_r)(x_r − x_n); M with −y_p   | 14  | 2 | |
//! | C6  | `C6.product`  | u·s + w = q·r: see [`super::product`]                          | 21  | 2 | |
//! | C7  | `C7.sign`     | sign·(sign − 1) = 0                                            | 109 | 2 | boolean |
//! |     | `C7.swap`     | swap·(swap − 1) = 0                                            | 110 | 2 | boolean |
//! | C8  | `C8.first`    | λ_0(x_t − x(B_j)) = y_t − y(B_j)                               | 7   | 3 | acc = B_j + T |
//! | C9  | `C9.slope_1`  | λ₁(x_t − x) = y_t − y                                          | 763 | 3 | acc + T |
//! | C10 | `C10.slope_2` | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y                                 | 763 | 3 | 2·acc + T |
//! | C11 | `C11.distinct`| product_i = product_{i−1}·h(x_t − x), product_{−1} = 1          | 110 | 3 | no chord meets x = x_t |
//! | C12 | `C12.inverse` | inverse·product_109·h(x(C_j) − x_n) = real                     | 1   | 3 | no factor is 0 |
//! | C13 | `C13.end_line`| λ_e(x(C_j) − x_n) = y(C_j) + y_n                               | 7   | 2 | acc = C_j − N |
//! |     | `C13.end_x`   | λ_e² = x + x(C_j) + x_n                                        | 7   | 2 | |
//! |     | `C13.end_y`   | y = λ_e(x(C_j) − x) − y(C_j)                                   | 7   | 3 | |
//!
//! In C8 to C13, (x, y) is acc before the digit and T = (x_t, y_t) = ±N, ±M: expressions, see [`super::chain`]. Points B_j and
//! C_j are real·B_0 + offset·(B_1 − B_0), coordinate by coordinate: (0, 0) on padding.
//!
//! ## Messages  (29)
//! | id | label           | bus         | count     | times | fields |
//! |----|-----------------|-------------|-----------|-------|--------|
//! | M1 | `M1.quotient`   | `LimbPair`  | send real | 9     | q_2a, q_2a+1; at last q_16, 0 |
//! | M2 | `M2.carry`      | `Limb`      | send real | 20    | carry |
//!
//! ## Links, boundaries
//! None: every constraint reads one row.
//!
//! ## Soundness
//! Let real = 1. P and R are on E (C2, C3), and C5 makes N = R + P, M = R − P ([`crate::half`]'s function of that name says
//! why R = ±P has no solution). Signs and swaps are boolean (C7), q and carries in their ranges by M1, M2, s by A1. So C6 is
//! u·s + w = q·r over the integers ([`super::product`]), with u in [1, 2^109]. By C12 no factor of the product is 0, and by the
//! lemma *chain* of [`super::chain`], u·R + w·P = 𝒪. So u·R = −w·P = u·s·P, and u is invertible modulo r > 2^109: R = s·P. ∎
//!
//! ## Completeness
//! | case                      | satisfiable? | by |
//! |---------------------------|--------------|----|
//! | s ≢ 0, ±1                 | yes          | R ≠ 𝒪, ±P, so N, M ≠ 𝒪; 0 < u, \|w\| < 2^109 by the Euclidean algorithm, 0 ≤ q < 2^109 |
//! | s ≡ 0, ±1; P = 𝒪; s ≥ r   | as another claim | `half::Shown` |
//! | an addition's exceptional case, x_n = x(C_j) | not with this j | the other offset (A5) |
//! | h(…) = 0 of another difference | not with this t | another t: each factor forbids at most 6 |
//!
//! Don't-care cells: none on events; on padding rows `lambda_1`, `lambda_2`, `sign`, `swap` and others have solutions besides 0.
//! Free choices that take several cells: t, offset, (u, w) with everything that follows.
//!
//! ## Padding
//! Zeros.
//!
//! ## References
//! Antipa, Brown, Gallant, Lambert, Struik, Vanstone: "Accelerated verification of ECDSA signatures" (half-size scalars).

use core::marker::PhantomData;

use super::chain::{Chain, ChainLabels, Product, StepLabels, assert_chain, u_bits, w_bits};
use super::product::{Product as Relation, assert_product};
use super::{assert_sum_and_difference, indices, product_messages};
use crate::bus::MessageSink;
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, Field, column, columns};
use crate::params::{HalfParams, Septic as SepticParams};
use crate::relations::{assert_bool, assert_on_curve};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

columns! {
    /// A row of [`HalfScalarMulTable`].
    pub struct HalfScalarMulCols {
        /// 1 on events.
        real: Cell Bookkeeping,
        /// x of P.
        x_p: Septic State,
        /// y of P.
        y_p: Septic State,
        /// x of R.
        x_r: Septic State,
        /// y of R.
        y_r: Septic State,
        /// Bytes of s, low first.
        s: Cells<28> Bit,
        /// Which offset the chain starts from.
        offset: Cell Bookkeeping,
        /// x of N = R + P.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M = R − P.
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

/// SCALAR_MUL with half-size scalars over the curve `C`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfScalarMulTable<C = SepticParams>(PhantomData<C>);

const FIELDS: &[Field] = <HalfScalarMulCols<u32> as ColumnSet<u32>>::FIELDS;

/// The columns before `offset`.
const INSTANCE: [usize; 57] = {
    assert!(column(FIELDS, "offset") == 57);
    indices()
};

const CHAIN_LABELS: ChainLabels = ChainLabels {
    sign: Label("scalar_mul_half.C7.sign"),
    swap: Label("scalar_mul_half.C7.swap"),
    first: Label("scalar_mul_half.C8.first"),
    step: StepLabels {
        slope_1: Label("scalar_mul_half.C9.slope_1"),
        slope_2: Label("scalar_mul_half.C10.slope_2"),
    },
    distinct: Label("scalar_mul_half.C11.distinct"),
    inverse: Label("scalar_mul_half.C12.inverse"),
    end_line: Label("scalar_mul_half.C13.end_line"),
    end_x: Label("scalar_mul_half.C13.end_x"),
    end_y: Label("scalar_mul_half.C13.end_y"),
};

impl<C: HalfParams> Table for HalfScalarMulTable<C> {
    type Cols<T> = HalfScalarMulCols<T>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "scalar_mul.half";
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
        local: &HalfScalarMulCols<S::Expr>,
        _: &HalfScalarMulCols<S::Expr>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        let HalfScalarMulCols { real, x_p, y_p, x_r, y_r, offset, x_n, y_n, x_m, y_m, .. } = local;
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
        assert_bool(sink, Label("scalar_mul_half.C1.real"), real);
        // C2, C3
        let points = [("scalar_mul_half.C2.p_curve", x_p, y_p), ("scalar_mul_half.C3.r_curve", x_r, y_r)];
        for (label, x, y) in points {
            let x_squared = sink.square(x);
            assert_on_curve::<C, S>(sink, Label(label), x, y, &x_squared, real);
        }
        // C4: offset·(offset − real) = 0
        let label = Label("scalar_mul_half.C4.offset");
        sink.assert_zero(label, offset.clone() * (offset.clone() - real.clone()));
        // C5
        let labels = [Label("scalar_mul_half.C5.sums_x"), Label("scalar_mul_half.C5.sums_y")];
        assert_sum_and_difference(sink, labels, [x_r, y_r], [x_p, y_p], [chain.n, chain.m]);
        // C6
        let relation = Relation {
            u_bits: u_bits(&chain),
            w_bits: &w_bits(&chain),
            scalar: &local.s,
            quotient: &local.quotient,
            carry: &local.carry,
            real,
        };
        assert_product(sink, Label("scalar_mul_half.C6.product"), &relation);
        // C7–C13
        assert_chain::<C, S>(sink, &CHAIN_LABELS, &chain, Product::new(&parameters[0]));
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &HalfScalarMulCols<S::Expr>) {
        // M1, M2
        let labels = [Label("scalar_mul_half.M1.quotient"), Label("scalar_mul_half.M2.carry")];
        product_messages(sink, labels, &local.real, &local.quotient, &local.carry);
    }
}
