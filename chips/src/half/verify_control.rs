//! # VERIFY control — s·G + e·A for any 256-bit s and e, one row an operation
//!
//! ## Statement
//! On every row with `real = 1`: let s = Σ `s[j]`·256^j and e = Σ `e[j]`·256^j. Then A = (x_a, y_a) is a point of E, and
//! R = s·G + e·A, where R is the identity if (x_r, y_r) = (0, 0) and otherwise the point (x_r, y_r) of E.
//!
//! A claim about s·G + e·𝒪 is shown as s·G + 0·G: see `septic_trace`'s instance columns. So an identity input needs no
//! column.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The claimed rows have `real = 1`, and `s[j]`, `e[j]` ∈ [0, 256) there.   the instance columns
//! - A2. #E = r is an odd prime above 2^112; (0, 0) is not on E.                  holds for E
//! - A3. The guarantees G1–G4 of [`crate::half`].
//! - A4. `is_first` is not 0 on the first row, `is_transition` is not 0 on any row but the last.
//! - A5 (completeness only). Nobody knows a relation between B_0, B_1, G and the points of the events.
//!
//! ## Not proved here
//! - Which events are on the rows: the instance columns bind them.
//! - That s, e are reduced, or that e is the hash of anything: s, e are any integers, the result is exact.
//!
//! ## Columns  (347 with L = 112/K = 7, 368 with L = 14)
//! | columns  | name         | width | role        | honest value                        | constrained by |
//! |----------|--------------|-------|-------------|-------------------------------------|----------------|
//! | 0        | `real`       | 1     | bookkeeping | 1 on events                         | C4, instance   |
//! | 1..15    | `x_a`, `y_a` | 14    | state       | A; G if the input is the identity   | C1, instance   |
//! | 15..29   | `x_r`, `y_r` | 14    | state       | R; (0, 0) for the identity          | C2, C3, instance |
//! | 29..61   | `s`          | 32    | bit         | bytes of s, low first               | C25, instance  |
//! | 61..93   | `e`          | 32    | bit         | bytes of e, low first; 0 if the input is the identity | C24, instance  |
//! | 93       | `id`         | 1     | bookkeeping | the row's number                    | C26, C27       |
//! | 94       | `offset`     | 1     | bookkeeping | j: the chain starts at B_j          | C5             |
//! | 95       | `r_identity` | 1     | bookkeeping | R = 𝒪                               | C2, C3         |
//! | 96..100  | `multiple`   | 4     | bookkeeping | one-hot k − 1                       | C6, C7         |
//! | 100..114 | `x_s`, `y_s` | 14    | base        | S = R + kG                          | C8, C10, C11   |
//! | 114..128 | `x_n`, `y_n` | 14    | base        | N = S + A                           | C14–C16        |
//! | 128..142 | `x_m`, `y_m` | 14    | base        | M = S − A                           | C17–C19        |
//! | 142..156 | `x_e`, `y_e` | 14    | state       | E: where the chain ends             | M2             |
//! | 156..163 | `lambda_s`   | 7     | slope       | chord kG, R                         | C9             |
//! | 163..170 | `lambda_n`   | 7     | slope       | chord A, S                          | C14            |
//! | 170..177 | `lambda_m`   | 7     | slope       | chord −A, S                         | C17            |
//! | 177..184 | `lambda_e`   | 7     | slope       | chord or tangent E, N               | C20, C21       |
//! | 184      | `witness_s`  | 1     | witness     | 1/f(x(kG) − x_r); 0 if R = 𝒪        | C12            |
//! | 185      | `witness`    | 1     | witness     | 1/h(u)                              | C13            |
//! | 186..200 | `u`          | 14    | bit         | bytes of U = u + 2^111 − 1          | M3             |
//! | 200..    | `w`          | L     | bit         | limbs of W = w + 2^111 − 1          | M3             |
//! |          | `g_low`      | L     | bit         | limbs of g mod 2^112                | M3             |
//! |          | `g_high`     | L     | bit         | limbs of ⌊g/2^112⌋                  | M3             |
//! |          | `quotient_e` | 19    | witness     | bytes of (u·e + w)/r                | C24, M4        |
//! |          | `carry_low_e`  | 22  | witness     | carries of C24                      | C24, M5        |
//! |          | `carry_high_e` | 22  | witness     | carries of C24                      | C24, M5        |
//! |          | `quotient_s` | 19    | witness     | bytes of (u·(s + k) + g)/r          | C25, M4        |
//! |          | `carry_low_s`  | 22  | witness     | carries of C25                      | C25, M5        |
//! |          | `carry_high_s` | 22  | witness     | carries of C25                      | C25, M5        |
//!
//! The trace has one parameter t: f(d) = Σ t^k·d_k, h(u) = Σ t^i·(u_i − real·K_i), K_i the bytes of 2^111 − 1.
//! C_j = 2^112·B_j − (2^112 − 1)·(G + 2^112·G). k = Σ i·multiple\[i − 1\], kG = Σ multiple\[i − 1\]·(x(iG), y(iG)).
//!
//! ## Rows
//! One row an operation, padding rows after them.
//!
//! ## Constraints  (190)
//! | id  | label (`verify_control.`…) | formula                                            | count | degree | means |
//! |-----|----------------------------|----------------------------------------------------|-------|--------|-------|
//! | C1  | `C1.a_curve`       | y_a² = x_a³ + a·x_a + b·real                                 | 7  | 3 | A is on E |
//! | C2  | `C2.r_curve`       | y_r² = x_r³ + a·x_r + b·(real − r_identity)                  | 7  | 3 | R is on E or (0, 0) |
//! | C3  | `C3.r_identity`    | r_identity·x_r = 0, r_identity·y_r = 0                       | 14 | 2 | the identity is (0, 0) |
//! | C4  | `C4.real`          | real·(real − 1) = 0                                          | 1  | 2 | boolean |
//! | C5  | `C5.offset`        | offset·(offset − real) = 0                                   | 1  | 2 | boolean, 0 on padding |
//! | C6  | `C6.multiple`      | multiple·(multiple − 1) = 0                                  | 4  | 2 | boolean |
//! | C7  | `C7.one_multiple`  | Σ multiple = real                                            | 1  | 1 | k is 1, 2, 3 or 4 |
//! | C8  | `C8.s_identity`    | r_identity·(S − kG) = 0                                      | 14 | 2 | R = 𝒪: S = kG |
//! | C9  | `C9.s_line`        | (real − r_identity)·(λ_s(x(kG) − x_r) − y(kG) + y_r) = 0     | 7  | 3 | else S = R + kG |
//! | C10 | `C10.s_x`          | (real − r_identity)·(λ_s² − x(kG) − x_r − x_s) = 0           | 7  | 3 | |
//! | C11 | `C11.s_y`          | (real − r_identity)·(λ_s(x_r − x_s) − y_r − y_s) = 0         | 7  | 3 | |
//! | C12 | `C12.s_distinct`   | witness_s·f(x(kG) − x_r) = real − r_identity                 | 1  | 2 | R ≠ ±kG |
//! | C13 | `C13.u_nonzero`    | witness·h(u) = real                                          | 1  | 2 | u ≠ 0 |
//! | C14 | `C14.n_line`       | λ_n(x_a − x_s) = y_a − y_s                                   | 7  | 2 | N = S + A |
//! | C15 | `C15.n_x`          | λ_n² = x_a + x_s + x_n                                       | 7  | 2 | |
//! | C16 | `C16.n_y`          | λ_n(x_s − x_n) = y_s + y_n                                   | 7  | 2 | |
//! | C17 | `C17.m_line`       | λ_m(x_a − x_s) = −y_a − y_s                                  | 7  | 2 | M = S − A |
//! | C18 | `C18.m_x`          | λ_m² = x_a + x_s + x_m                                       | 7  | 2 | |
//! | C19 | `C19.m_y`          | λ_m(x_s − x_m) = y_s + y_m                                   | 7  | 2 | |
//! | C20 | `C20.end_line`     | λ_e(x_e − x_n) = y_e − y_n                                   | 7  | 2 | E + N = C_j |
//! | C21 | `C21.end_tangent`  | λ_e(y_n + y_e) = x_n² + x_n·x_e + x_e² + a·real              | 7  | 2 | also if E = N |
//! | C22 | `C22.end_x`        | λ_e² − x_n − x_e = x(C_j)                                    | 7  | 2 | |
//! | C23 | `C23.end_y`        | λ_e(x_n − x(C_j)) − y_n = y(C_j)                             | 7  | 2 | |
//! | C24 | `C24.product_e`    | u·e + w = q·r: see [`crate::half::product`]                  | 23 | 2 | |
//! | C25 | `C25.product_s`    | u·(s + k) + g = q′·r                                         | 23 | 2 | |
//! | C26 | `C26.id_start`     | is_first·id = 0                                              | 1  | 2 | id is the row's number |
//! | C27 | `C27.id_step`      | is_transition·(id′ − id − 1) = 0                             | 1  | 2 | |
//!
//! In C22, C23 the point C_j is real·C_0 + offset·(C_1 − C_0), coordinate by coordinate: (0, 0) on padding.
//!
//! ## Messages  (65 + L)
//! | id | label           | bus            | count        | times | fields |
//! |----|-----------------|----------------|--------------|-------|--------|
//! | M1 | `M1.state_out`  | `VerifyState`  | send real    | 1     | id, 0, B_j, N, M |
//! | M2 | `M2.state_in`   | `VerifyState`  | receive real | 1     | id, L, E, N, M |
//! | M3 | `M3.digits`     | `VerifyDigits` | receive real | L     | id, i, bytes of U of row i, limbs L − 1 − i of W, of g's low and of g's high half |
//! | M4 | `M4.quotient`   | `BytePair`     | send real    | 19    | bytes of both quotients, two by two |
//! | M5 | `M5.carry`      | `BytePair`     | send real    | 44    | carry_low, carry_high |
//!
//! U, W and g need no range check of their own: they are numbers of bits of the steps (M3).
//!
//! ## Links
//! C27 reads the next row's id.
//!
//! ## Boundaries
//! C26: the first row's id is 0.
//!
//! ## Soundness
//! Let real = 1. A is on E (C1). If r_identity ≠ 0, R = (0, 0) by C3 and C2 reads 0 = b·(1 − r_identity): it is 1.
//! (i) *Relations.* C6, C7 make `multiple` one-hot. The bytes of U are bytes, limbs of W and g 16-bit numbers (M3); quotients
//! and carries are bytes by M4, M5, scalars by A1. So C24 and C25 are u·e + w = q·r and u·(s + k) + g = q′·r over the
//! integers ([`crate::half::product`]).
//! (ii) *S.* If r_identity = 1, R = (0, 0) is shown (C3) and S = kG (C8): S = R + kG for R = 𝒪. Otherwise R is on E (C2), C12
//! gives R ≠ ±kG, and C9–C11 are the chord: S = R + kG.
//! (iii) *Chain.* C13: h(u) ≠ 0, so u ≠ 0; u, w in (−2^111, 2^111]. If x_a = x_s, C14 and C17 would read y_a = y_s and
//! y_a = −y_s, but no point of E has y = 0: S ≠ ±A, and C14–C19 are the chords: N = S + A, M = S − A. By the lemma *chain* of
//! [`crate::half`] the steps start from B_j (C5) with these N, M, and E is where they end. The statement of
//! [`super::verify_steps`] gives, with σS + σ′A for T and τG + τ′G′, G′ = 2^112·G, for F,
//! E = 2^112·B_j + (2u − 1)·S + (2w − 1)·A + (2g_low − (2^112 − 1))·G + (2g_high − (2^112 − 1))·G′
//! = C_j − N + 2(uS + wA + gG).
//! E and N are on E. If x_e ≠ x_n, C20 is the chord; else C20 gives y_e = y_n and C21 the tangent at E = N. So C22, C23 say
//! E + N = C_j, and 2(uS + wA + gG) = 𝒪. r is odd: u(S − eA − (s + k)G) = 𝒪 by (i); 0 < |u| ≤ 2^111 < r, so
//! S = eA + (s + k)G and R = sG + eA. ∎
//!
//! ## Completeness
//! | case                 | satisfiable? | by |
//! |----------------------|--------------|----|
//! | any s, e             | yes          | 0 < u, \|w\| < 2^109 by the Euclidean algorithm, 0 ≤ g < r, 0 ≤ q, q′ < 2^148 |
//! | A = ±G, R = ±A, R = 𝒪, s = 0, e = 0, … | yes | k: R = ±kG excludes at most one k, S = A at most one, S = −A at most one |
//! | A = 𝒪                | yes          | shown as s·G + 0·G |
//! | a step's exceptional case | not with this j | the other offset (A5) |
//! | f(…) = 0, h(u) = 0   | not with this t | another t: a row forbids at most 6 + 13 |
//! | E = N                | yes          | C21; E = −N would be C_j = 𝒪 |
//!
//! Don't-care cells: `lambda_s` if R = 𝒪; on padding rows `u`, `lambda_s`, `witness_s`, `witness`, each alone. Free choices
//! that take several cells: t, offset, k, (u, w) with everything that follows, the two bytes of a carry.
//!
//! ## Padding
//! Zeros, but for `id`.
//!
//! ## Cost
//! With K = 16: 347 columns, 190 constraints, 72 messages; with the steps 347 + 7·598 = 4,533 main cells and 93 messages an
//! operation. Degree 3. Pinned in `trace/src/half/tests`.
//!
//! ## References
//! As for [SCALAR_MUL's control](super::scalar_mul_control). g in two halves over G and 2^112·G shares the doublings.

use alloc::vec::Vec;
use core::array;
use core::marker::PhantomData;

use super::product::{Product, assert_product};
use super::{HALF_LIMBS, STEPS, chord, merge, select_gated, state};
use crate::bus::{Bus, Count, MessageSink};
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, Field, column, columns};
use crate::params::{HalfParams, Septic as SepticParams};
use crate::relations::{assert_bool, assert_on_curve, evaluate};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table, assert_counter};

columns! {
    /// A row of VERIFY's control table with L limbs of W, 326 + 3·L columns.
    pub struct VerifyControlCols<const L: usize> {
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
        /// Bytes of s, low first.
        s: Cells<32> Bit,
        /// Bytes of e, low first.
        e: Cells<32> Bit,
        /// The row's number.
        id: Cell Bookkeeping,
        /// Which offset the chain starts from.
        offset: Cell Bookkeeping,
        /// R = 𝒪.
        r_identity: Cell Bookkeeping,
        /// One-hot k − 1.
        multiple: Cells<4> Bookkeeping,
        /// x of S = R + kG.
        x_s: Septic Base,
        /// y of S.
        y_s: Septic Base,
        /// x of N = S + A.
        x_n: Septic Base,
        /// y of N.
        y_n: Septic Base,
        /// x of M = S − A.
        x_m: Septic Base,
        /// y of M.
        y_m: Septic Base,
        /// x of E, the end of the chain.
        x_e: Septic State,
        /// y of E.
        y_e: Septic State,
        /// Slope of the chord kG, R.
        lambda_s: Septic Slope,
        /// Slope of the chord A, S.
        lambda_n: Septic Slope,
        /// Slope of the chord −A, S.
        lambda_m: Septic Slope,
        /// Slope of the line through E and N.
        lambda_e: Septic Slope,
        /// Shows that R ≠ ±kG.
        witness_s: Cell Witness,
        /// Shows that u ≠ 0.
        witness: Cell Witness,
        /// Bytes of U, low first.
        u: Cells<14> Bit,
        /// Limbs of W, low first.
        w: Cells<L> Bit,
        /// Limbs of g mod 2^112, low first.
        g_low: Cells<L> Bit,
        /// Limbs of ⌊g/2^112⌋, low first.
        g_high: Cells<L> Bit,
        /// Bytes of (u·e + w)/r, low first.
        quotient_e: Cells<19> Witness,
        /// Low bytes of the carries of u·e + w.
        carry_low_e: Cells<22> Witness,
        /// High bytes of the carries of u·e + w.
        carry_high_e: Cells<22> Witness,
        /// Bytes of (u·(s + k) + g)/r, low first.
        quotient_s: Cells<19> Witness,
        /// Low bytes of the carries of u·(s + k) + g.
        carry_low_s: Cells<22> Witness,
        /// High bytes of the carries of u·(s + k) + g.
        carry_high_s: Cells<22> Witness,
    }
}

/// VERIFY's control table over the curve `C`, for step tables with `L` rows an operation: 7 or 14.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyControl<C = SepticParams, const L: usize = 7>(PhantomData<C>);

const FIELDS: &[Field] = <VerifyControlCols<u32, 7> as ColumnSet<u32>>::FIELDS;

/// The columns before `id`.
const INSTANCE: [usize; 93] = {
    assert!(column(FIELDS, "id") == 93);
    super::indices()
};

impl<C: HalfParams, const L: usize> Table for VerifyControl<C, L> {
    type Cols<T> = VerifyControlCols<T, L>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "verify.control";
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
        local: &VerifyControlCols<S::Expr, L>,
        next: &VerifyControlCols<S::Expr, L>,
        _: &NoFlags,
        place: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        let VerifyControlCols { real, x_a, y_a, x_r, y_r, r_identity, x_s, y_s, .. } = local;
        let t = &parameters[0];

        // C1: y_a² = x_a³ + a·x_a + b·real
        let square = sink.square(x_a);
        assert_on_curve::<C, S>(sink, Label("verify_control.C1.a_curve"), x_a, y_a, &square, real);
        // C2: y_r² = x_r³ + a·x_r + b·(real − r_identity)
        let square = sink.square(x_r);
        let finite = real.clone() - r_identity.clone();
        assert_on_curve::<C, S>(sink, Label("verify_control.C2.r_curve"), x_r, y_r, &square, &finite);
        // C3: r_identity·R = 0
        sink.assert_septic(Label("verify_control.C3.r_identity"), x_r.scale(r_identity));
        sink.assert_septic(Label("verify_control.C3.r_identity"), y_r.scale(r_identity));
        // C4–C7: flags
        assert_bool(sink, Label("verify_control.C4.real"), real);
        let offset = local.offset.clone() * (local.offset.clone() - real.clone());
        sink.assert_zero(Label("verify_control.C5.offset"), offset);
        let mut sum = -real.clone();
        for multiple in &local.multiple {
            assert_bool(sink, Label("verify_control.C6.multiple"), multiple);
            sum = sum + multiple.clone();
        }
        sink.assert_zero(Label("verify_control.C7.one_multiple"), sum);

        // C8: r_identity·(S − kG) = 0
        let [x_k, y_k] = super::select_by(&C::GENERATOR_MULTIPLES, &local.multiple, |c| sink.constant(c));
        let dx = x_s.clone() - x_k.clone();
        sink.assert_septic(Label("verify_control.C8.s_identity"), dx.scale(r_identity));
        let dy = y_s.clone() - y_k.clone();
        sink.assert_septic(Label("verify_control.C8.s_identity"), dy.scale(r_identity));
        // C9–C11: (real − r_identity)·(S = R + kG)
        let (r, s) = ((x_r, y_r), (x_s, y_s));
        let [line, x, y] = chord(sink, (&x_k, &y_k), r, &local.lambda_s, s);
        sink.assert_septic(Label("verify_control.C9.s_line"), line.scale(&finite));
        sink.assert_septic(Label("verify_control.C10.s_x"), x.scale(&finite));
        sink.assert_septic(Label("verify_control.C11.s_y"), y.scale(&finite));
        // C12: witness_s·f(x(kG) − x_r) = real − r_identity
        let f = evaluate(&(x_k - x_r.clone()), t);
        let label = Label("verify_control.C12.s_distinct");
        sink.assert_zero(label, local.witness_s.clone() * f - finite);
        // C13: witness·h(u) = real
        let h = super::shift_difference(sink, &local.u, real, t);
        let label = Label("verify_control.C13.u_nonzero");
        sink.assert_zero(label, local.witness.clone() * h - real.clone());
        // C14–C19: N = S + A, M = S − A
        let minus_y_a = -y_a.clone();
        let [line, x, y] = chord(sink, (x_a, y_a), s, &local.lambda_n, (&local.x_n, &local.y_n));
        sink.assert_septic(Label("verify_control.C14.n_line"), line);
        sink.assert_septic(Label("verify_control.C15.n_x"), x);
        sink.assert_septic(Label("verify_control.C16.n_y"), y);
        let [line, x, y] = chord(sink, (x_a, &minus_y_a), s, &local.lambda_m, (&local.x_m, &local.y_m));
        sink.assert_septic(Label("verify_control.C17.m_line"), line);
        sink.assert_septic(Label("verify_control.C18.m_x"), x);
        sink.assert_septic(Label("verify_control.C19.m_y"), y);
        // C20–C23: E + N = C_j
        let [x_c, y_c] = select_gated(sink, &C::HALF_VERIFY_CORRECTIONS, real, &local.offset);
        let end = super::End {
            e: (&local.x_e, &local.y_e),
            n: (&local.x_n, &local.y_n),
            lambda: &local.lambda_e,
            sum: (&x_c, &y_c),
            act: real,
        };
        let [line, tangent, x, y] = super::end::<C, S>(sink, &end);
        sink.assert_septic(Label("verify_control.C20.end_line"), line);
        sink.assert_septic(Label("verify_control.C21.end_tangent"), tangent);
        sink.assert_septic(Label("verify_control.C22.end_x"), x);
        sink.assert_septic(Label("verify_control.C23.end_y"), y);

        // C24: u·e + w = q·r
        let bits = STEPS / L;
        let w: [S::Expr; HALF_LIMBS] = super::unshift(sink, merge(sink, &local.w, bits), real);
        let product = Product {
            u: &local.u,
            scalar: &local.e,
            addend: &w,
            quotient: &local.quotient_e,
            carry_low: &local.carry_low_e,
            carry_high: &local.carry_high_e,
            real,
        };
        assert_product(sink, Label("verify_control.C24.product_e"), &product);
        // C25: u·(s + k) + g = q′·r
        let mut sum = local.s.clone();
        for (multiple, k) in local.multiple.iter().zip(1..) {
            sum[0] = sum[0].clone() + sink.constant(k) * multiple.clone();
        }
        let [low, high]: [[S::Expr; HALF_LIMBS]; 2] =
            [&local.g_low, &local.g_high].map(|limbs| merge(sink, limbs, bits));
        let g: [S::Expr; 2 * HALF_LIMBS] =
            array::from_fn(|i| if i < HALF_LIMBS { low[i].clone() } else { high[i - HALF_LIMBS].clone() });
        let product = Product {
            u: &local.u,
            scalar: &sum,
            addend: &g,
            quotient: &local.quotient_s,
            carry_low: &local.carry_low_s,
            carry_high: &local.carry_high_s,
            real,
        };
        assert_product(sink, Label("verify_control.C25.product_s"), &product);

        // C26: is_first·id = 0;  C27: is_transition·(id′ − id − 1) = 0
        let one = sink.constant(1);
        let labels = [Label("verify_control.C26.id_start"), Label("verify_control.C27.id_step")];
        assert_counter(sink, labels, place, (&local.id, &next.id), one);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &VerifyControlCols<S::Expr, L>) {
        let VerifyControlCols { real, id, x_n, y_n, x_m, y_m, x_e, y_e, .. } = local;
        let (n, m) = ((x_n, y_n), (x_m, y_m));
        // M1: the chain starts at B_j
        let weights = [real.clone() - local.offset.clone(), local.offset.clone()];
        let [x_b, y_b] = super::select_by(&C::OFFSETS, &weights, |c| sink.constant(c));
        let start = state(id, sink.constant(0), (&x_b, &y_b), n, m);
        let label = Label("verify_control.M1.state_out");
        sink.message(label, Bus::VerifyState, Count::Send(real.clone()), start);
        // M2: it ends in E
        let end = state(id, sink.constant(super::index(L)), (x_e, y_e), n, m);
        let label = Label("verify_control.M2.state_in");
        sink.message(label, Bus::VerifyState, Count::Receive(real.clone()), end);
        // M3: digits of every row
        for i in 0..L {
            let mut fields: Vec<S::Expr> = alloc::vec![id.clone(), sink.constant(super::index(i))];
            fields.extend_from_slice(super::row_bytes::<_, L>(&local.u, i));
            fields.extend([&local.w, &local.g_low, &local.g_high].map(|limbs| limbs[L - 1 - i].clone()));
            let label = Label("verify_control.M3.digits");
            sink.message(label, Bus::VerifyDigits, Count::Receive(real.clone()), fields);
        }
        // M4, M5: bytes
        let quotients = [&local.quotient_e, &local.quotient_s];
        super::quotient_messages(sink, Label("verify_control.M4.quotient"), real, quotients);
        for carries in [(&local.carry_low_e, &local.carry_high_e), (&local.carry_low_s, &local.carry_high_s)]
        {
            super::carry_messages(sink, Label("verify_control.M5.carry"), real, carries);
        }
    }
}
