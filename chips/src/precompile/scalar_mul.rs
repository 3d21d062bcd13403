//! # SCALAR_MUL — s·P for every s and P, one row
//!
//! ## Statement
//! On every row with `real = 1`: let s = Σ `s[l]`·2^(16l). Then P = (x_p, y_p) is a point of E or the identity, written (0, 0),
//! and R = (x_r, y_r) is s·P, the identity written (0, 0) again.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The guarantees G1 and G2 of [`super`]: messages are true; `s[l]` ∈ [0, 2^16).
//! - A2. #E = r is an odd prime above 2^109; (0, 0) is not on E.           holds for E
//!
//! ## Not proved here
//! - Which calls are on the rows: memory and pointers are the integrator's.
//!
//! ## Columns  (2,029)
//! | columns    | name                       | width | role        | honest value                           | constrained by |
//! |------------|----------------------------|-------|-------------|----------------------------------------|----------------|
//! | 0          | `real`                     | 1     | bookkeeping | 1 on calls                             | C1, input |
//! | 1..15      | `x_p`, `y_p`               | 14    | state       | P, (0, 0) for 𝒪                        | C2, C3, input |
//! | 15..29     | `x_r`, `y_r`               | 14    | state       | R, (0, 0) for 𝒪                        | C5–C7, input |
//! | 29..45     | `s`                        | 16    | bit         | 16-bit limbs of s, low first           | C8, input |
//! | 45         | `p_identity`               | 1     | bookkeeping | 1 iff P = 𝒪                            | C2–C4 |
//! | 46..49     | `zero`, `one`, `minus_one` | 3     | bookkeeping | 1 iff s ≡ 0, 1, −1                     | C4, product |
//! | 49..65     | `low`                      | 16    | bit         | low byte of each limb                  | product, M1 |
//! | 65..84     | `quotient`                 | 19    | witness     | bytes of q = (u·s + w)/r               | product, M2 |
//! | 84..106    | `carry`                    | 22    | witness     | carries, 2^13 added                    | product, M3 |
//! | 106..111   | `start`                    | 5     | bookkeeping | bits of j                              | start |
//! | 111..116   | `start_products`           | 5     | bookkeeping | products of those bits                 | start |
//! | 116..130   | `lambda_n`, `lambda_m`     | 14    | slope       | chords D, P and D, −P                  | sums |
//! | 130..144   | `x_n`, `y_n`               | 14    | base        | N = D + P                              | sums |
//! | 144..158   | `x_m`, `y_m`               | 14    | base        | M = D − P                              | sums |
//! | 158..267   | `sign`                     | 109   | bit         | bits of u − 1, most significant first  | sign, product |
//! | 267..377   | `swap`                     | 110   | bit         | 1 where the digits of u and w differ   | sign, product |
//! | 377..384   | `lambda_0`                 | 7     | slope       | chord B_j, T                           | chain |
//! | 384..1147  | `lambda_1`                 | 763   | slope       | chord acc, T                           | chain |
//! | 1147..1910 | `lambda_2`                 | 763   | slope       | chord acc, acc + T                     | chain |
//! | 1910..2020 | `product`                  | 110   | witness     | running product of (x_t − x)_0         | distinct |
//! | 2020       | `product_end`              | 1     | witness     | the last with (x(C_j) − x_n)_0         | distinct |
//! | 2021       | `inverse`                  | 1     | witness     | 1/`product_end`                        | inverse |
//! | 2022..2029 | `lambda_e`                 | 7     | slope       | chord C_j, −N                          | end |
//!
//! The first 45 columns are inputs: the integrator may put affine expressions in their place. D is R.
//!
//! ## Constraints
//! live = real − p_identity; active = live − zero − one − minus_one.
//!
//! | id  | label (`scalar_mul_precompile.`…) | formula                                    | count | degree | means |
//! |-----|---------------------|----------------------------------------------------------|-------|--------|-------|
//! | C1  | `C1.real`     | real·(real − 1) = 0                                            | 1   | 2 | boolean |
//! | C2  | `C2.p_curve`  | y_p² = x_p³ + a·x_p + b·(real − p_identity)                    | 7   | 3 | P is on E or (0, 0) |
//! | C3  | `C3.p_zero`   | p_identity·x_p = 0                                             | 7   | 2 | |
//! | C4  | `C4.flags`    | f·(f − 1) = 0 for p_identity, zero, one, minus_one, active     | 5   | 2 | one case |
//! | C5  | `C5.r_curve`  | y_r² = x_r³ + a·x_r + b·(live − zero)                          | 7   | 3 | R is on E or (0, 0) |
//! | C6  | `C6.r_zero`   | (p_identity + zero)·x_r = 0                                    | 7   | 2 | |
//! | C7  | `C7.unit_x`   | (one + minus_one)·(x_r − x_p) = 0                              | 7   | 2 | R = ±P |
//! |     | `C7.unit_y`   | (one + minus_one)·y_r = (one − minus_one)·y_p                  | 7   | 2 | |
//! | C8  | `C8.product`  | u·s + w = q·r: [`super::integers`]                             | 23  | 2 | |
//! | C9  | `C9.start`    | b(b − active) = 0                                              | 5   | 2 | bits of j |
//! |     | `C9.products` | products of bits of j                                          | 5   | 2 | |
//! | C10  | `C10.line`     | active·(λ(x_p − x_d) − (±y_p − y_d)) = 0                       | 14  | 3 | N = D + P, M = D − P |
//! |     | `C10.x`        | active·(x − λ² + x_p + x_d) = 0                                | 14  | 3 | |
//! |     | `C10.y`        | active·(y − λ(x_d − x) + y_d) = 0                              | 14  | 3 | |
//! | C11 | `C11.sign`    | sign·(sign − active) = 0                                       | 109 | 2 | boolean |
//! |     | `C11.swap`    | swap·(swap − active) = 0                                       | 110 | 2 | boolean |
//! | C12 | `C12.first`   | λ_0(x_t − x(B_j)) = y_t − y(B_j)                               | 7   | 3 | acc = B_j + T |
//! | C13 | `C13.slope_1` | λ₁(x_t − x) = y_t − y                                          | 763 | 3 | acc + T |
//! | C14 | `C14.slope_2` | (λ₁ + λ₂)(2x + x_t − λ₁²) = 2y                                 | 763 | 3 | 2·acc + T |
//! | C15 | `C15.distinct`| product_i = product_(i−1)·(x_t − x)_0; then (x(C_j) − x_n)_0   | 111 | 3 | no chord meets x = x_t |
//! | C16 | `C16.inverse` | inverse·product_end = active                                   | 1   | 2 | no factor is 0 |
//! | C17 | `C17.end_line`| λ_e(x(C_j) − x_n) = y(C_j) + y_n                               | 7   | 3 | acc = C_j − N |
//! |     | `C17.end_x`   | λ_e² = x + x(C_j) + x_n                                        | 7   | 2 | |
//! |     | `C17.end_y`   | y = λ_e(x(C_j) − x) − y(C_j)                                   | 7   | 3 | |
//!
//! (x, y) is acc before the digit and T = (x_t, y_t) = ±N, ±M: expressions, see [`crate::half::chain`]. B_j and C_j are
//! polynomials in the bits of j times `active`: [`super::points`].
//!
//! ## Messages  (48)
//! | id | label           | bus         | count     | times | fields |
//! |----|-----------------|-------------|-----------|-------|--------|
//! | M1 | `M1.scalar`     | `Bytes`     | send real | 16    | low byte, high byte = (limb − low)/256 |
//! | M2 | `M2.quotient`   | `Bytes`     | send real | 10    | q_2a, q_2a+1; at last q_18, 0 |
//! | M3 | `M3.carry`      | `Range`     | send real | 22    | carry, 14 |
//!
//! ## Links, boundaries
//! None: every constraint reads one row.
//!
//! ## Soundness
//! Let real = 1. If p_identity = 1, C3 and C2 make P = (0, 0), `live` is 0 and so are the other flags (C4: active is boolean);
//! C6 and C5 make R = (0, 0). Otherwise P is on E and `live` = 1. If zero = 1, R = (0, 0) likewise, and s ≡ 0 by the lemma of
//! [`super::multiple`]. Otherwise R is on E (C5); if one or minus_one is 1, R = ±P (C7) and s ≡ ±1; if active = 1, R = s·P
//! by the lemma. ∎
//!
//! ## Completeness
//! Every P, every s; see [`super`] for the offsets and [`super::multiple`] for the rest.
//! Don't-care cells: with `active` = 0, columns of the chain and its sums in several combinations; none on active rows.
//! Free choices that take several cells: j, (u, w) with everything that follows.
//!
//! ## Padding
//! Zeros.
//!
//! ## References
//! As for [`crate::half::scalar_mul`].

use core::marker::PhantomData;

use super::integers::{ProductMessages, product_messages};
use super::multiple::{Multiple, MultipleLabels, assert_multiple};
use crate::bus::MessageSink;
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, column, columns};
use crate::half::chain::{ChainLabels, StepLabels, Walk};
use crate::half::indices;
use crate::params::{CurveParams, Septic as SepticParams};
use crate::relations::{assert_bool, assert_on_curve};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

columns! {
    /// A row of [`PrecompileScalarMulTable`].
    pub struct PrecompileScalarMulCols {
        /// 1 on calls.
        real: Cell Bookkeeping,
        /// x of P.
        x_p: Septic State,
        /// y of P.
        y_p: Septic State,
        /// x of R.
        x_r: Septic State,
        /// y of R.
        y_r: Septic State,
        /// 16-bit limbs of s, low first.
        s: Cells<16> Bit,
        /// P is the identity.
        p_identity: Cell Bookkeeping,
        /// s ≡ 0 modulo r.
        zero: Cell Bookkeeping,
        /// s ≡ 1.
        one: Cell Bookkeeping,
        /// s ≡ −1.
        minus_one: Cell Bookkeeping,
        /// The low byte of each limb of s.
        low: Cells<16> Bit,
        /// Bytes of q, low first.
        quotient: Cells<19> Witness,
        /// Carries, 2^13 added.
        carry: Cells<22> Witness,
        /// Bits of the offset's number.
        start: Cells<5> Bookkeeping,
        /// Products of those bits.
        start_products: Cells<5> Bookkeeping,
        /// Slope of the chord D, P.
        lambda_n: Septic Slope,
        /// Slope of the chord D, −P.
        lambda_m: Septic Slope,
        /// x of N = D + P.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M = D − P.
        x_m: Septic Base,
        /// y of M.
        y_m: Septic Base,
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
        /// Running product of first coordinates of x_t − x.
        product: Cells<110> Witness,
        /// The last product with (x(C_j) − x_n)_0.
        product_end: Cell Witness,
        /// 1 over that.
        inverse: Cell Witness,
        /// Slope of the line through C_j and −N.
        lambda_e: Septic Slope,
    }
}

/// SCALAR_MUL for a virtual machine. `C` gives the coefficients of the curve; the points are those of the septic curve.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrecompileScalarMulTable<C = SepticParams>(PhantomData<C>);

/// Columns that stand for inputs.
pub const INPUTS: usize = 45;

const INSTANCE: [usize; INPUTS] = {
    assert!(column(<PrecompileScalarMulCols<u32> as ColumnSet<u32>>::FIELDS, "p_identity") == INPUTS);
    indices()
};

const LABELS: MultipleLabels = MultipleLabels {
    flags: Label("scalar_mul_precompile.C4.flags"),
    product: Label("scalar_mul_precompile.C8.product"),
    start: Label("scalar_mul_precompile.C9.start"),
    start_products: Label("scalar_mul_precompile.C9.products"),
    sum_line: Label("scalar_mul_precompile.C10.line"),
    sum_x: Label("scalar_mul_precompile.C10.x"),
    sum_y: Label("scalar_mul_precompile.C10.y"),
    chain: ChainLabels {
        sign: Label("scalar_mul_precompile.C11.sign"),
        swap: Label("scalar_mul_precompile.C11.swap"),
        first: Label("scalar_mul_precompile.C12.first"),
        step: StepLabels {
            slope_1: Label("scalar_mul_precompile.C13.slope_1"),
            slope_2: Label("scalar_mul_precompile.C14.slope_2"),
        },
        distinct: Label("scalar_mul_precompile.C15.distinct"),
        inverse: Label("scalar_mul_precompile.C16.inverse"),
        end_line: Label("scalar_mul_precompile.C17.end_line"),
        end_x: Label("scalar_mul_precompile.C17.end_x"),
        end_y: Label("scalar_mul_precompile.C17.end_y"),
    },
};

impl<C: CurveParams> Table for PrecompileScalarMulTable<C> {
    type Cols<T> = PrecompileScalarMulCols<T>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "scalar_mul.precompile";
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 0;

    fn flags(_: usize) -> NoFlags {
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &PrecompileScalarMulCols<S::Expr>,
        _: &PrecompileScalarMulCols<S::Expr>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        _: &[S::Expr],
    ) {
        let PrecompileScalarMulCols { real, x_p, y_p, x_r, y_r, p_identity, zero, one, minus_one, .. } =
            local;
        let live = real.clone() - p_identity.clone();

        // C1
        assert_bool(sink, Label("scalar_mul_precompile.C1.real"), real);
        // C2, C3
        let x_p_squared = sink.square(x_p);
        assert_on_curve::<C, S>(
            sink,
            Label("scalar_mul_precompile.C2.p_curve"),
            x_p,
            y_p,
            &x_p_squared,
            &live,
        );
        sink.assert_septic(Label("scalar_mul_precompile.C3.p_zero"), x_p.scale(p_identity));
        // C4: the other flags below
        assert_bool(sink, Label("scalar_mul_precompile.C4.flags"), p_identity);
        // C5, C6
        let finite = live.clone() - zero.clone();
        let x_r_squared = sink.square(x_r);
        assert_on_curve::<C, S>(
            sink,
            Label("scalar_mul_precompile.C5.r_curve"),
            x_r,
            y_r,
            &x_r_squared,
            &finite,
        );
        let vanishes = p_identity.clone() + zero.clone();
        sink.assert_septic(Label("scalar_mul_precompile.C6.r_zero"), x_r.scale(&vanishes));
        // C7
        let unit = one.clone() + minus_one.clone();
        let difference = (x_r.clone() - x_p.clone()).scale(&unit);
        sink.assert_septic(Label("scalar_mul_precompile.C7.unit_x"), difference);
        let difference = y_r.scale(&unit) - y_p.scale(&(one.clone() - minus_one.clone()));
        sink.assert_septic(Label("scalar_mul_precompile.C7.unit_y"), difference);
        // C8–C17
        let multiple = Multiple {
            flags: [&local.zero, &local.one, &local.minus_one],
            scalar: &local.s,
            low: &local.low,
            quotient: &local.quotient,
            carry: &local.carry,
            start: &local.start,
            start_products: &local.start_products,
            lambda_n: &local.lambda_n,
            lambda_m: &local.lambda_m,
            walk: Walk {
                n: [&local.x_n, &local.y_n],
                m: [&local.x_m, &local.y_m],
                sign: &local.sign,
                swap: &local.swap,
                lambda_0: &local.lambda_0,
                lambda_1: &local.lambda_1,
                lambda_2: &local.lambda_2,
                product: &local.product,
                lambda_e: &local.lambda_e,
            },
            product_end: &local.product_end,
            inverse: &local.inverse,
        };
        assert_multiple(sink, &LABELS, &multiple, [real, &live], [x_r, y_r], [x_p, y_p]);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &PrecompileScalarMulCols<S::Expr>) {
        // M1–M3
        let labels = ProductMessages {
            scalar: Label("scalar_mul_precompile.M1.scalar"),
            quotient: Label("scalar_mul_precompile.M2.quotient"),
            carry: Label("scalar_mul_precompile.M3.carry"),
        };
        let PrecompileScalarMulCols { real, s, low, quotient, carry, .. } = local;
        product_messages(sink, labels, real, [s, low], quotient, carry);
    }
}
