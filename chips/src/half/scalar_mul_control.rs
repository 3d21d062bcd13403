//! # SCALAR_MUL control — s·P for any 256-bit s, one row an operation
//!
//! ## Statement
//! On every row with `real = 1`: let s = Σ `s[j]`·256^j. Then P = (x_p, y_p) is a point of E, and R = s·P, where R is the
//! identity if (x_r, y_r) = (0, 0) and otherwise the point (x_r, y_r) of E.
//!
//! A claim about s·𝒪 = 𝒪 is shown as 0·G = 𝒪: see `septic_trace`'s instance columns. So an identity input needs no column.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The claimed rows have `real = 1`, and `s[j]` ∈ [0, 256) there.    the instance columns
//! - A2. #E = r is an odd prime above 2^112; (0, 0) is not on E.           holds for E
//! - A3. The guarantees G1–G4 of [`crate::half`].
//! - A4. `is_first` is not 0 on the first row, `is_transition` is not 0 on any row but the last.
//! - A5 (completeness only). Nobody knows a relation between B_0, B_1 and the points of the events.
//!
//! ## Not proved here
//! - Which events are on the rows: the instance columns bind them.
//! - That s is reduced: s is any integer, the result is exact.
//!
//! ## Columns  (214 with L = 112/K = 7 limbs of w, 221 with L = 14)
//! | columns  | name         | width | role        | honest value                        | constrained by |
//! |----------|--------------|-------|-------------|-------------------------------------|----------------|
//! | 0        | `real`       | 1     | bookkeeping | 1 on events                         | C6, instance   |
//! | 1..15    | `x_p`, `y_p` | 14    | state       | P; G if the input is the identity   | C1, instance   |
//! | 15..29   | `x_r`, `y_r` | 14    | state       | R; (0, 0) for the identity          | C2, C3, instance |
//! | 29..61   | `s`          | 32    | bit         | bytes of s, low first; 0 if the input is the identity | C22, instance  |
//! | 61       | `id`         | 1     | bookkeeping | the row's number                    | C23, C24       |
//! | 62       | `offset`     | 1     | bookkeeping | j: the chain starts at B_j          | C8             |
//! | 63       | `r_identity` | 1     | bookkeeping | s ≡ 0                               | C2, C3, C7     |
//! | 64       | `r_base`     | 1     | bookkeeping | s ≡ 1                               | C4, C7         |
//! | 65       | `r_minus`    | 1     | bookkeeping | s ≡ −1                              | C5, C7         |
//! | 66..80   | `x_n`, `y_n` | 14    | base        | N = R + P                           | C12–C14        |
//! | 80..94   | `x_m`, `y_m` | 14    | base        | M = R − P                           | C15–C17        |
//! | 94..108  | `x_e`, `y_e` | 14    | state       | E: where the chain ends             | M2             |
//! | 108..115 | `lambda_n`   | 7     | slope       | chord P, R                          | C12            |
//! | 115..122 | `lambda_m`   | 7     | slope       | chord −P, R                         | C15            |
//! | 122..129 | `lambda_e`   | 7     | slope       | chord or tangent E, N               | C18, C19       |
//! | 129      | `witness`    | 1     | witness     | 1/h(u) with a chain, else 0          | C11            |
//! | 130..144 | `u`          | 14    | bit         | bytes of U = u + 2^111 − 1          | C9, M3         |
//! | 144..    | `w`          | L     | bit         | limbs of W = w + 2^111 − 1          | C10, M3        |
//! |          | `quotient`   | 19    | witness     | bytes of q = (u·s + w)/r            | C22, M4        |
//! |          | `carry_low`  | 22    | witness     | carries of C22                      | C22, M5        |
//! |          | `carry_high` | 22    | witness     | carries of C22                      | C22, M5        |
//!
//! act = real − r_identity − r_base − r_minus: 1 if the operation has a chain. The trace has one parameter t:
//! h(u) = Σ t^i·(u_i − real·K_i), K_i the bytes of 2^111 − 1. C_j = 2^112·B_j.
//!
//! ## Rows
//! One row an operation, padding rows after them.
//!
//! ## Constraints  (169 + L)
//! | id  | label (`scalar_mul_control.`…) | formula                                        | count | degree | means |
//! |-----|--------------------------------|------------------------------------------------|-------|--------|-------|
//! | C1  | `C1.p_curve`       | y_p² = x_p³ + a·x_p + b·real                                 | 7  | 3 | P is on E |
//! | C2  | `C2.r_curve`       | y_r² = x_r³ + a·x_r + b·(real − r_identity)                  | 7  | 3 | R is on E or (0, 0) |
//! | C3  | `C3.r_identity`    | r_identity·x_r = 0, r_identity·y_r = 0                       | 14 | 2 | the identity is (0, 0) |
//! | C4  | `C4.r_base`        | r_base·(x_r − x_p) = 0, r_base·(y_r − y_p) = 0               | 14 | 2 | R = P |
//! | C5  | `C5.r_minus`       | r_minus·(x_r − x_p) = 0, r_minus·(y_r + y_p) = 0             | 14 | 2 | R = −P |
//! | C6  | `C6.real`          | real·(real − 1) = 0                                          | 1  | 2 | boolean |
//! | C7  | `C7.flags`         | (real − act)·act = 0                                         | 1  | 2 | one flag or a chain |
//! | C8  | `C8.offset`        | offset·(offset − act) = 0                                    | 1  | 2 | boolean, 0 without a chain |
//! | C9  | `C9.idle_u`        | (real − act)·(u − bytes of 2^111) = 0                        | 14 | 2 | without a chain u = 1 |
//! | C10 | `C10.idle_w`       | (real − act)·w = r_identity·K + r_base·(K − 1) + r_minus·(K + 1) | L | 2 | and w = 0, −1, 1 |
//! | C11 | `C11.u_nonzero`    | witness·h(u) = act                                           | 1  | 2 | u ≠ 0 |
//! | C12 | `C12.n_line`       | act·(λ_n(x_p − x_r) − y_p + y_r) = 0                         | 7  | 3 | N = R + P |
//! | C13 | `C13.n_x`          | act·(λ_n² − x_p − x_r − x_n) = 0                             | 7  | 3 | |
//! | C14 | `C14.n_y`          | act·(λ_n(x_r − x_n) − y_r − y_n) = 0                         | 7  | 3 | |
//! | C15 | `C15.m_line`       | act·(λ_m(x_p − x_r) + y_p + y_r) = 0                         | 7  | 3 | M = R − P |
//! | C16 | `C16.m_x`          | act·(λ_m² − x_p − x_r − x_m) = 0                             | 7  | 3 | |
//! | C17 | `C17.m_y`          | act·(λ_m(x_r − x_m) − y_r − y_m) = 0                         | 7  | 3 | |
//! | C18 | `C18.end_line`     | λ_e(x_n − x_e) = y_n − y_e                                   | 7  | 2 | E + N = C_j |
//! | C19 | `C19.end_tangent`  | λ_e(y_n + y_e) = x_n² + x_n·x_e + x_e² + a·act               | 7  | 2 | also if E = N |
//! | C20 | `C20.end_x`        | λ_e² − x_n − x_e = x(C_j)                                    | 7  | 2 | |
//! | C21 | `C21.end_y`        | λ_e(x_n − x(C_j)) − y_n = y(C_j)                             | 7  | 2 | |
//! | C22 | `C22.product`      | u·s + w = q·r: see [`crate::half::product`]                  | 23 | 2 | |
//! | C23 | `C23.id_start`     | is_first·id = 0                                              | 1  | 2 | id is the row's number |
//! | C24 | `C24.id_step`      | is_transition·(id′ − id − 1) = 0                             | 1  | 2 | |
//!
//! In C20, C21 the point C_j is act·C_0 + offset·(C_1 − C_0), coordinate by coordinate: (0, 0) without a chain.
//!
//! ## Messages  (34 + L)
//! | id | label           | bus               | count       | times | fields |
//! |----|-----------------|-------------------|-------------|-------|--------|
//! | M1 | `M1.state_out`  | `ScalarMulState`  | send act    | 1     | id, 0, B_j, N, M |
//! | M2 | `M2.state_in`   | `ScalarMulState`  | receive act | 1     | id, L, E, N, M |
//! | M3 | `M3.digits`     | `ScalarMulDigits` | receive act | L     | id, i, bytes of U of row i, limb L − 1 − i of W |
//! | M4 | `M4.quotient`   | `BytePair`        | send real   | 10    | q_2a, q_2a+1; at last q_18, 0 |
//! | M5 | `M5.carry`      | `BytePair`        | send real   | 22    | carry_low, carry_high |
//!
//! U and W need no range check of their own: with a chain they are numbers of bits of the steps (M3), without one C9 and
//! C10 say what they are.
//!
//! ## Links
//! C24 reads the next row's id.
//!
//! ## Boundaries
//! C23: the first row's id is 0.
//!
//! ## Soundness
//! Let real = 1. P is on E (C1), so P ≠ (0, 0) and y_p ≠ 0. A flag that is not 0 says R = (0, 0), R = P or R = −P (C3–C5), and
//! these exclude each other: at most one flag is not 0, and C7 reads flag·(1 − flag) = 0. So one flag is 1 and act = 0, or
//! none and act = 1.
//! (i) *Relation.* The bytes of U are bytes and |w_k| ≤ 2^16, by M3 or by C9 and C10; q and carries by M4, M5; s by A1. So
//! C22 is u·s + w = q·r over the integers ([`crate::half::product`]).
//! (ii) *No chain.* u = 1 and w = 0, −1, 1: s ≡ 0, 1, −1 modulo r, and C3, C4, C5 say R = 𝒪, P, −P: R = s·P.
//! (iii) *Chain.* R is on E (C2). C11: h(u) ≠ 0, so U ≠ 2^111 − 1 and u ≠ 0; u, w in (−2^111, 2^111]. If x_p = x_r, C12 and
//! C15 would read y_p = y_r and y_p = −y_r, but no point of E has y = 0: R ≠ ±P, and C12–C17 are the chords: N = R + P,
//! M = R − P. By the lemma *chain* of [`crate::half`] the steps start from B_j (C8) with these N, M, and E is where they end.
//! T of a step is σR + σ′P with σ = ±1 by the bit of U and σ′ = ±1 by the bit of W:
//! sign = 1 and swap = 0 is R + P, swap = 1 changes σ′ alone. The lemma of [`crate::half::step`] gives
//! E = 2^112·B_j + (2U − (2^112 − 1))·R + (2W − (2^112 − 1))·P = C_j + (2u − 1)·R + (2w − 1)·P = C_j − N + 2(uR + wP).
//! E and N are on E. If x_e ≠ x_n, C18 is the chord; else C18 gives y_e = y_n and C19 the tangent at E = N. So C20, C21 say
//! E + N = C_j, and 2(uR + wP) = 𝒪. r is odd: uR = −wP = us·P by (i); 0 < |u| ≤ 2^111 < r, so R = s·P. ∎
//! Why flags are needed: for s ≡ ±1, R = ±P makes N or M the identity, which has no coordinates. Why C19 is needed: for
//! E = N = −C_j the constraints C18 and C21 read 0 = 0, and C20 asks for λ_e² = 3·x(C_j), which may have solutions.
//!
//! ## Completeness
//! | case                     | satisfiable? | by |
//! |--------------------------|--------------|----|
//! | s ≢ 0, ±1                | yes          | R ≠ 𝒪, ±P, so N, M ≠ 𝒪; 0 < u, \|w\| < 2^109 by the Euclidean algorithm, 0 ≤ q < 2^148 |
//! | s ≡ 0, ±1                | yes          | flags, no chain |
//! | P = 𝒪                    | yes          | shown as 0·G |
//! | a step's exceptional case| not with this j | the other offset (A5) |
//! | h(u) = 0                 | not with this t | another t: a row forbids at most 13 |
//! | E = N                    | yes          | C19; E = −N would be C_j = 𝒪 |
//!
//! Don't-care cells: without a chain `x_m`, `y_m`, `lambda_n`, `lambda_m`; on padding rows `u` and `witness` besides, each
//! alone. Free choices that take several cells: t, offset, (u, w) with everything that follows, the two bytes of a carry.
//!
//! ## Padding
//! Zeros, but for `id`.
//!
//! ## Cost
//! With K = 16: 214 columns, 176 constraints, 41 messages; with the steps 214 + 7·437 = 3,273 main cells and 62 messages an
//! operation. Degree 3. Pinned in `trace/src/half/tests`.
//!
//! ## References
//! Antipa, Brown, Gallant, Lambert, Struik, Vanstone: "Accelerated verification of ECDSA signatures" (half-size scalars).

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::product::{CARRIES, Product, QUOTIENT_BYTES, assert_product};
use super::{HALF_LIMBS, SHIFT_BYTES, STEPS, U_BYTES, chord, merge, select_gated, state};
use crate::bus::{Bus, Count, MessageSink};
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, Field, column, columns};
use crate::params::{HalfParams, Septic as SepticParams};
use crate::relations::{assert_bool, assert_on_curve};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table, assert_counter};

columns! {
    /// A row of SCALAR_MUL's control table with L limbs of W, 207 + L columns.
    pub struct ScalarMulControlCols<const L: usize> {
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
        s: Cells<32> Bit,
        /// The row's number.
        id: Cell Bookkeeping,
        /// Which offset the chain starts from.
        offset: Cell Bookkeeping,
        /// R = 𝒪.
        r_identity: Cell Bookkeeping,
        /// R = P.
        r_base: Cell Bookkeeping,
        /// R = −P.
        r_minus: Cell Bookkeeping,
        /// x of N = R + P.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M = R − P.
        x_m: Septic Base,
        /// y of M.
        y_m: Septic Base,
        /// x of E, the end of the chain.
        x_e: Septic State,
        /// y of E.
        y_e: Septic State,
        /// Slope of the chord P, R.
        lambda_n: Septic Slope,
        /// Slope of the chord −P, R.
        lambda_m: Septic Slope,
        /// Slope of the line through E and N.
        lambda_e: Septic Slope,
        /// Shows that u ≠ 0.
        witness: Cell Witness,
        /// Bytes of U, low first.
        u: Cells<14> Bit,
        /// Limbs of W, low first.
        w: Cells<L> Bit,
        /// Bytes of q, low first.
        quotient: Cells<19> Witness,
        /// Low bytes of the carries.
        carry_low: Cells<22> Witness,
        /// High bytes of the carries.
        carry_high: Cells<22> Witness,
    }
}

impl<E: septic_curve::Ring, const L: usize> ScalarMulControlCols<E, L> {
    /// 1 without a chain: one of the flags.
    fn idle(&self) -> E {
        self.r_identity.clone() + self.r_base.clone() + self.r_minus.clone()
    }
}

/// SCALAR_MUL's control table over the curve `C`, for step tables with `L` rows an operation: 7 or 14.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScalarMulControl<C = SepticParams, const L: usize = 7>(PhantomData<C>);

const FIELDS: &[Field] = <ScalarMulControlCols<u32, 7> as ColumnSet<u32>>::FIELDS;

/// The columns before `id`.
const INSTANCE: [usize; 61] = {
    assert!(column(FIELDS, "id") == 61);
    super::indices()
};

impl<C: HalfParams, const L: usize> Table for ScalarMulControl<C, L> {
    type Cols<T> = ScalarMulControlCols<T, L>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "scalar_mul.control";
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[column(FIELDS, "id")];
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 1;

    fn flags(_: usize) -> NoFlags {
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &ScalarMulControlCols<S::Expr, L>,
        next: &ScalarMulControlCols<S::Expr, L>,
        _: &NoFlags,
        place: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        let ScalarMulControlCols { real, x_p, y_p, x_r, y_r, r_identity, r_base, r_minus, .. } = local;
        let t = &parameters[0];
        let idle = local.idle();
        let act = real.clone() - idle.clone();

        // C1: y_p² = x_p³ + a·x_p + b·real
        let square = sink.square(x_p);
        assert_on_curve::<C, S>(sink, Label("scalar_mul_control.C1.p_curve"), x_p, y_p, &square, real);
        // C2: y_r² = x_r³ + a·x_r + b·(real − r_identity)
        let square = sink.square(x_r);
        let finite = real.clone() - r_identity.clone();
        assert_on_curve::<C, S>(sink, Label("scalar_mul_control.C2.r_curve"), x_r, y_r, &square, &finite);
        // C3: r_identity·R = 0
        sink.assert_septic(Label("scalar_mul_control.C3.r_identity"), x_r.scale(r_identity));
        sink.assert_septic(Label("scalar_mul_control.C3.r_identity"), y_r.scale(r_identity));
        // C4: r_base·(R − P) = 0;  C5: r_minus·(R + P) = 0
        let dx = x_r.clone() - x_p.clone();
        sink.assert_septic(Label("scalar_mul_control.C4.r_base"), dx.scale(r_base));
        let dy = y_r.clone() - y_p.clone();
        sink.assert_septic(Label("scalar_mul_control.C4.r_base"), dy.scale(r_base));
        sink.assert_septic(Label("scalar_mul_control.C5.r_minus"), dx.scale(r_minus));
        let sum = y_r.clone() + y_p.clone();
        sink.assert_septic(Label("scalar_mul_control.C5.r_minus"), sum.scale(r_minus));

        // C6: real·(real − 1) = 0
        assert_bool(sink, Label("scalar_mul_control.C6.real"), real);
        // C7: (real − act)·act = 0
        sink.assert_zero(Label("scalar_mul_control.C7.flags"), idle.clone() * act.clone());
        // C8: offset·(offset − act) = 0
        let offset = local.offset.clone() * (local.offset.clone() - act.clone());
        sink.assert_zero(Label("scalar_mul_control.C8.offset"), offset);
        // C9: (real − act)·(u − bytes of 2^111) = 0
        for (i, u) in local.u.iter().enumerate() {
            let u = if i == U_BYTES - 1 { u.clone() - sink.constant(128) } else { u.clone() };
            sink.assert_zero(Label("scalar_mul_control.C9.idle_u"), idle.clone() * u);
        }
        // C10: (real − act)·w = r_identity·K + r_base·(K − 1) + r_minus·(K + 1), K = 2^111 − 1
        let bits = STEPS / L;
        for (i, w) in local.w.iter().enumerate() {
            let (ones, top, low) = ((1 << bits) - 1, i == L - 1, u32::from(i == 0));
            let zero = if top { ones >> 1 } else { ones };
            let plus = if top { (ones >> 1) + 1 } else { 0 };
            let right = r_identity.clone() * sink.constant(zero)
                + r_base.clone() * sink.constant(zero - low)
                + r_minus.clone() * sink.constant(plus);
            sink.assert_zero(Label("scalar_mul_control.C10.idle_w"), idle.clone() * w.clone() - right);
        }

        // C11: witness·h(u) = act
        let h = super::shift_difference(sink, &local.u, real, t);
        let label = Label("scalar_mul_control.C11.u_nonzero");
        sink.assert_zero(label, local.witness.clone() * h - act.clone());
        // C12–C17: N = R + P, M = R − P
        let (p, r) = ((x_p, y_p), (x_r, y_r));
        let minus_y_p = -y_p.clone();
        let [line, x, y] = chord(sink, p, r, &local.lambda_n, (&local.x_n, &local.y_n));
        sink.assert_septic(Label("scalar_mul_control.C12.n_line"), line.scale(&act));
        sink.assert_septic(Label("scalar_mul_control.C13.n_x"), x.scale(&act));
        sink.assert_septic(Label("scalar_mul_control.C14.n_y"), y.scale(&act));
        let [line, x, y] = chord(sink, (x_p, &minus_y_p), r, &local.lambda_m, (&local.x_m, &local.y_m));
        sink.assert_septic(Label("scalar_mul_control.C15.m_line"), line.scale(&act));
        sink.assert_septic(Label("scalar_mul_control.C16.m_x"), x.scale(&act));
        sink.assert_septic(Label("scalar_mul_control.C17.m_y"), y.scale(&act));
        // C18–C21: E + N = C_j
        let [x_c, y_c] = select_gated(sink, &C::HALF_SCALAR_MUL_CORRECTIONS, &act, &local.offset);
        let end = super::End {
            e: (&local.x_e, &local.y_e),
            n: (&local.x_n, &local.y_n),
            lambda: &local.lambda_e,
            sum: (&x_c, &y_c),
            act: &act,
        };
        let [line, tangent, x, y] = super::end::<C, S>(sink, &end);
        sink.assert_septic(Label("scalar_mul_control.C18.end_line"), line);
        sink.assert_septic(Label("scalar_mul_control.C19.end_tangent"), tangent);
        sink.assert_septic(Label("scalar_mul_control.C20.end_x"), x);
        sink.assert_septic(Label("scalar_mul_control.C21.end_y"), y);

        // C22: u·s + w = q·r
        let w: [S::Expr; HALF_LIMBS] = super::unshift(sink, merge(sink, &local.w, bits), real);
        let product = Product {
            u: &local.u,
            scalar: &local.s,
            addend: &w,
            quotient: &local.quotient,
            carry_low: &local.carry_low,
            carry_high: &local.carry_high,
            real,
        };
        assert_product(sink, Label("scalar_mul_control.C22.product"), &product);

        // C23: is_first·id = 0;  C24: is_transition·(id′ − id − 1) = 0
        let one = sink.constant(1);
        let labels = [Label("scalar_mul_control.C23.id_start"), Label("scalar_mul_control.C24.id_step")];
        assert_counter(sink, labels, place, (&local.id, &next.id), one);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &ScalarMulControlCols<S::Expr, L>) {
        let ScalarMulControlCols { real, id, x_n, y_n, x_m, y_m, x_e, y_e, .. } = local;
        let act = real.clone() - local.idle();
        let (n, m) = ((x_n, y_n), (x_m, y_m));
        // M1: the chain starts at B_j
        let weights = [act.clone() - local.offset.clone(), local.offset.clone()];
        let [x_b, y_b] = super::select_by(&C::OFFSETS, &weights, |c| sink.constant(c));
        let start = state(id, sink.constant(0), (&x_b, &y_b), n, m);
        let label = Label("scalar_mul_control.M1.state_out");
        sink.message(label, Bus::ScalarMulState, Count::Send(act.clone()), start);
        // M2: it ends in E
        let end = state(id, sink.constant(super::index(L)), (x_e, y_e), n, m);
        let label = Label("scalar_mul_control.M2.state_in");
        sink.message(label, Bus::ScalarMulState, Count::Receive(act.clone()), end);
        // M3: digits of every row
        for i in 0..L {
            let mut fields: Vec<S::Expr> = alloc::vec![id.clone(), sink.constant(super::index(i))];
            fields.extend_from_slice(super::row_bytes::<_, L>(&local.u, i));
            fields.push(local.w[L - 1 - i].clone());
            let label = Label("scalar_mul_control.M3.digits");
            sink.message(label, Bus::ScalarMulDigits, Count::Receive(act.clone()), fields);
        }
        // M4, M5: bytes
        super::quotient_messages(sink, Label("scalar_mul_control.M4.quotient"), real, [&local.quotient]);
        let carries = (&local.carry_low, &local.carry_high);
        super::carry_messages(sink, Label("scalar_mul_control.M5.carry"), real, carries);
    }
}

const _: () = assert!(QUOTIENT_BYTES == 19 && CARRIES == 22 && SHIFT_BYTES[13] == 127);
