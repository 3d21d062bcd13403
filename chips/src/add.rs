//! # ADD — complete affine addition, one row
//!
//! ## Statement
//! On every row with `is_real = 1`: each of P, Q is a point of E or the identity, written (0, 0), and R = P + Q, the
//! identity written (0, 0) again.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The claimed rows have `is_real = 1`: rows with `is_real = 0` prove nothing.   used in: Statement
//! - A2. #E is odd, so no point of E has y = 0.                                       holds for E
//! - A3. (0, 0) is not on E.                                                          holds for E (b ≠ 0)
//! - A4. The characteristic is neither 2 nor 3.                                       holds for KoalaBear
//!
//! ## Not proved here
//! - Which events are on the rows: the proof system binds them (`septic-prover` compares the instance columns).
//!
//! ## Columns  (53)
//! | columns | name         | width | role        | honest value                           | constrained by |
//! |---------|--------------|-------|-------------|----------------------------------------|----------------|
//! | 0..7    | `x_p`        | 7     | state       | x of P, 0 for the identity             | C4, C6         |
//! | 7..14   | `y_p`        | 7     | state       | y of P, 0 for the identity             | C4             |
//! | 14..21  | `x_q`        | 7     | state       | x of Q                                 | C5, C7         |
//! | 21..28  | `y_q`        | 7     | state       | y of Q                                 | C5             |
//! | 28..35  | `x_r`        | 7     | state       | x of P + Q                             | C8–C10, C15    |
//! | 35..42  | `y_r`        | 7     | state       | y of P + Q                             | C8–C10, C16    |
//! | 42..49  | `lambda`     | 7     | slope       | chord or tangent slope, 0 if unused    | C13, C14       |
//! | 49      | `is_real`    | 1     | bookkeeping | 1 on events                            | C1             |
//! | 50      | `p_identity` | 1     | bookkeeping | 1 iff P is the identity                | C2, C4, C6     |
//! | 51      | `q_identity` | 1     | bookkeeping | 1 iff Q is the identity                | C3, C5, C7     |
//! | 52      | `opposite`   | 1     | bookkeeping | 1 iff P = −Q is finite, −1 if P = Q = 𝒪, else 0 | C10–C14 |
//!
//! ## Constraints  (115; generic = `is_real − p_identity − q_identity − opposite`)
//! | id  | label                | formula                                        | count | degree | means |
//! |-----|----------------------|------------------------------------------------|-------|--------|-------|
//! | C1  | `add.C1.is_real`     | is_real·(is_real − 1) = 0                      | 1     | 2      | boolean |
//! | C2  | `add.C2.p_identity`  | p_identity·(p_identity − 1) = 0                | 1     | 2      | boolean |
//! | C3  | `add.C3.q_identity`  | q_identity·(q_identity − 1) = 0                | 1     | 2      | boolean |
//! | C4  | `add.C4.p_curve`     | y_p² = x_p³ + a·x_p + b·(is_real − p_identity) | 7     | 3      | P is on E or (0, 0) |
//! | C5  | `add.C5.q_curve`     | y_q² = x_q³ + a·x_q + b·(is_real − q_identity) | 7     | 3      | Q likewise |
//! | C6  | `add.C6.p_zero`      | p_identity·x_p = 0                             | 7     | 2      | the identity is (0, 0) |
//! | C7  | `add.C7.q_zero`      | q_identity·x_q = 0                             | 7     | 2      | |
//! | C8  | `add.C8.r_is_q`      | p_identity·(R − Q) = 0                         | 14    | 2      | 𝒪 + Q = Q |
//! | C9  | `add.C9.r_is_p`      | q_identity·(R − P) = 0                         | 14    | 2      | P + 𝒪 = P |
//! | C10 | `add.C10.r_zero`     | opposite·R = 0                                 | 14    | 2      | P + (−P) = 𝒪 |
//! | C11 | `add.C11.x_equal`    | opposite·(x_p − x_q) = 0                       | 7     | 2      | |
//! | C12 | `add.C12.y_opposed`  | opposite·(y_p + y_q) = 0                       | 7     | 2      | |
//! | C13 | `add.C13.chord`      | generic·(λ(x_q − x_p) − (y_q − y_p)) = 0       | 7     | 3      | λ joins P and Q |
//! | C14 | `add.C14.tangent`    | generic·(λ(y_p + y_q) − x_p² − x_p·x_q − x_q² − a) = 0 | 7 | 3  | λ is the tangent's slope if P = Q |
//! | C15 | `add.C15.x_r`        | generic·(x_r − λ² + x_p + x_q) = 0             | 7     | 3      | |
//! | C16 | `add.C16.y_r`        | generic·(y_r − λ(x_p − x_r) + y_p) = 0         | 7     | 3      | |
//!
//! Equations between points or septic elements are one equation a coordinate. Next-row columns: none.
//!
//! ## Soundness
//! Let `is_real = 1`.
//! (i) Points. If p_identity = 1, C6 makes x_p = 0 and C4 reads y_p² = 0, so P = (0, 0). Otherwise p_identity = 0 (C2) and
//! C4 puts P on E. Likewise Q by C3, C7, C5.
//! (ii) If P = 𝒪, C8 gives R = Q. If Q = 𝒪, C9 gives R = P. Let both be finite from here on.
//! (iii) If opposite ≠ 0, C11 and C12 give Q = −P, and C10 gives R = 𝒪.
//! (iv) If opposite = 0, then generic = 1. If x_p ≠ x_q, C13 has one λ, the chord's slope. If P = Q, C14 reads
//! 2λy_p = 3x_p² + a and y_p ≠ 0 (A2), so λ is the tangent's slope. If P = −Q, C13 reads 0 = −2y_p ≠ 0: no solution.
//! C15 and C16 are the third point of the line, negated. ∎ In no case can a flag lie: each that is set proves its case.
//! C2 and C3 each follow from the other and the rest; without both, two flags of 1/2 let a point off E pass. `opposite`
//! needs no equation of its own.
//!
//! ## Completeness
//! | case             | flags set               | λ                         |
//! |------------------|-------------------------|---------------------------|
//! | P = Q = 𝒪        | p_identity, q_identity, opposite = −1 (generic = 0) | free, 0 |
//! | P = 𝒪, Q ≠ 𝒪     | p_identity              | free, 0                   |
//! | Q = 𝒪, P ≠ 𝒪     | q_identity              | free, 0                   |
//! | P = −Q ≠ 𝒪       | opposite                | free, 0                   |
//! | P = Q ≠ 𝒪        | none                    | tangent; C13 reads 0 = 0  |
//! | otherwise        | none                    | chord; C14 is C13·(y_p + y_q)/(x_q − x_p) by both curve equations |
//!
//! Don't-care cells: `lambda` on rows that are not generic (no constraint reads it there).
//!
//! ## Padding
//! The all-zero row satisfies every constraint.
//!
//! ## Cost
//! 1 row, 53 columns, 115 constraints, degree 3. Pinned in `tests/layout.rs`.
//!
//! ## References
//! The complete law by cases is textbook. C14 is the quotient (f(x_q) − f(x_p))/(x_q − x_p) of f(x) = x³ + ax + b; it
//! replaces an inverse witness. C13, C15 and C16 are the identities `sum_checker_x` and `sum_checker_y` of SP1 with
//! the slope taken out.

use core::marker::PhantomData;

use crate::chip::{Chip, NoFlags, Operation};
use crate::columns::{ColumnSet, column, columns};
use crate::params::{CurveParams, Septic as SepticParams};
use crate::relations::{add_base_constant, assert_bool, assert_on_curve};
use crate::sink::{ConstraintSink, Label};

columns! {
    /// A row of the ADD chip, 53 columns.
    pub struct AddCols {
        /// x of P.
        x_p: Septic State,
        /// y of P.
        y_p: Septic State,
        /// x of Q.
        x_q: Septic State,
        /// y of Q.
        y_q: Septic State,
        /// x of R = P + Q.
        x_r: Septic State,
        /// y of R.
        y_r: Septic State,
        /// Slope of the line through P and Q.
        lambda: Septic Slope,
        /// 1 on events.
        is_real: Cell Bookkeeping,
        /// P is the identity.
        p_identity: Cell Bookkeeping,
        /// Q is the identity.
        q_identity: Cell Bookkeeping,
        /// 1 if P = −Q is finite, −1 if both are the identity.
        opposite: Cell Bookkeeping,
    }
}

/// The ADD chip over the curve `C`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AddChip<C = SepticParams>(PhantomData<C>);

const FIELDS: &[crate::columns::Field] = <AddCols<u32> as ColumnSet<u32>>::FIELDS;

/// Every column that the claims determine: P, Q, R and `is_real`.
const INSTANCE: [usize; 43] = {
    let mut columns = [0; 43];
    let mut i = 0;
    while i < 42 {
        columns[i] = i;
        i += 1;
    }
    columns[42] = column(FIELDS, "is_real");
    columns
};

impl<C: CurveParams> Chip for AddChip<C> {
    type Cols<T> = AddCols<T>;
    type Flags<T> = NoFlags;

    const OPERATION: Operation = Operation::Add;
    const LAYOUT: &'static str = "row";
    const ROWS_PER_EVENT: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 0;

    fn flags(_: usize) -> NoFlags {
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &AddCols<S::Expr>,
        _next: &AddCols<S::Expr>,
        _flags: &NoFlags,
        _parameters: &[S::Expr],
    ) {
        let AddCols { x_p, y_p, x_q, y_q, x_r, y_r, lambda, is_real, p_identity, q_identity, opposite } =
            local;

        // C1–C3: flags are 0 or 1
        assert_bool(sink, Label("add.C1.is_real"), is_real);
        assert_bool(sink, Label("add.C2.p_identity"), p_identity);
        assert_bool(sink, Label("add.C3.q_identity"), q_identity);

        let x_p_squared = sink.square(x_p);
        let x_q_squared = sink.square(x_q);
        // C4: y_p² = x_p³ + a·x_p + b·(is_real − p_identity)
        let p_finite = is_real.clone() - p_identity.clone();
        assert_on_curve::<C, S>(sink, Label("add.C4.p_curve"), x_p, y_p, &x_p_squared, &p_finite);
        // C5: y_q² = x_q³ + a·x_q + b·(is_real − q_identity)
        let q_finite = is_real.clone() - q_identity.clone();
        assert_on_curve::<C, S>(sink, Label("add.C5.q_curve"), x_q, y_q, &x_q_squared, &q_finite);
        // C6: p_identity·x_p = 0;  C7: q_identity·x_q = 0
        sink.assert_septic(Label("add.C6.p_zero"), x_p.scale(p_identity));
        sink.assert_septic(Label("add.C7.q_zero"), x_q.scale(q_identity));

        for (p, q, r) in [(x_p, x_q, x_r), (y_p, y_q, y_r)] {
            // C8: p_identity·(R − Q) = 0
            sink.assert_septic(Label("add.C8.r_is_q"), (r.clone() - q.clone()).scale(p_identity));
            // C9: q_identity·(R − P) = 0
            sink.assert_septic(Label("add.C9.r_is_p"), (r.clone() - p.clone()).scale(q_identity));
            // C10: opposite·R = 0
            sink.assert_septic(Label("add.C10.r_zero"), r.scale(opposite));
        }
        let dx = x_q.clone() - x_p.clone();
        let y_sum = y_p.clone() + y_q.clone();
        // C11: opposite·(x_p − x_q) = 0
        sink.assert_septic(Label("add.C11.x_equal"), dx.scale(opposite));
        // C12: opposite·(y_p + y_q) = 0
        sink.assert_septic(Label("add.C12.y_opposed"), y_sum.scale(opposite));

        let generic = p_finite - q_identity.clone() - opposite.clone();
        // C13: generic·(λ(x_q − x_p) − (y_q − y_p)) = 0
        let chord = sink.mul(lambda, &dx) - y_q.clone() + y_p.clone();
        sink.assert_septic(Label("add.C13.chord"), chord.scale(&generic));
        // C14: generic·(λ(y_p + y_q) − x_p² − x_p·x_q − x_q² − a) = 0
        let x_p_x_q = sink.mul(x_p, x_q);
        let quadratic = add_base_constant(sink, x_p_squared + x_p_x_q + x_q_squared, C::A);
        let tangent = sink.mul(lambda, &y_sum) - quadratic;
        sink.assert_septic(Label("add.C14.tangent"), tangent.scale(&generic));
        // C15: generic·(x_r − λ² + x_p + x_q) = 0
        let x_third = sink.square(lambda) - x_p.clone() - x_q.clone();
        sink.assert_septic(Label("add.C15.x_r"), (x_r.clone() - x_third).scale(&generic));
        // C16: generic·(y_r − λ(x_p − x_r) + y_p) = 0
        let y_third = sink.mul(lambda, &(x_p.clone() - x_r.clone())) - y_p.clone();
        sink.assert_septic(Label("add.C16.y_r"), (y_r.clone() - y_third).scale(&generic));
    }
}
