//! # DOUBLE — complete doubling, one row
//!
//! ## Statement
//! On every row with `is_real = 1`: P is a point of E or the identity, written (0, 0), and R = 2P, the identity
//! written (0, 0) again.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. The claimed rows have `is_real = 1`: rows with `is_real = 0` prove nothing.   used in: Statement
//! - A2. #E is odd, so no point of E has y = 0.                                       holds for E
//! - A3. (0, 0) is not on E.                                                          holds for E (b ≠ 0)
//! - A4. The characteristic is neither 2 nor 3.                                       holds for KoalaBear
//!
//! ## Not proved here
//! - Which events are on the rows: the proof system binds them.
//!
//! ## Columns  (37)
//! | columns | name         | width | role        | honest value                 | constrained by |
//! |---------|--------------|-------|-------------|------------------------------|----------------|
//! | 0..7    | `x_p`        | 7     | state       | x of P, 0 for the identity   | C3, C5         |
//! | 7..14   | `y_p`        | 7     | state       | y of P, 0 for the identity   | C3             |
//! | 14..21  | `x_r`        | 7     | state       | x of 2P                      | C6             |
//! | 21..28  | `y_r`        | 7     | state       | y of 2P                      | C7             |
//! | 28..35  | `lambda`     | 7     | slope       | (3x_p² + a)/(2y_p), or 0     | C4, C5         |
//! | 35      | `is_real`    | 1     | bookkeeping | 1 on events                  | C1             |
//! | 36      | `p_identity` | 1     | bookkeeping | 1 iff P is the identity      | C2, C3, C5     |
//!
//! ## Constraints  (37)
//! | id | label                  | formula                                        | count | degree | means |
//! |----|------------------------|------------------------------------------------|-------|--------|-------|
//! | C1 | `double.C1.is_real`    | is_real·(is_real − 1) = 0                      | 1     | 2      | boolean |
//! | C2 | `double.C2.p_identity` | p_identity·(p_identity − 1) = 0                | 1     | 2      | boolean |
//! | C3 | `double.C3.p_curve`    | y_p² = x_p³ + a·x_p + b·(is_real − p_identity) | 7     | 3      | P is on E or (0, 0) |
//! | C4 | `double.C4.lambda_zero`| p_identity·λ = 0                               | 7     | 2      | the identity has slope 0 |
//! | C5 | `double.C5.tangent`    | 2λ·y_p = 3x_p² + a·(is_real − p_identity)      | 7     | 2      | λ is the tangent's slope |
//! | C6 | `double.C6.x_r`        | x_r = λ² − 2x_p                                | 7     | 2      | |
//! | C7 | `double.C7.y_r`        | y_r = λ(x_p − x_r) − y_p                       | 7     | 2      | |
//!
//! Each septic equation is one equation a coordinate. Next-row columns: none.
//!
//! ## Soundness
//! Let `is_real = 1`. If p_identity = 1, C4 makes λ = 0, C5 reads 0 = 3x_p² and C3 reads y_p² = x_p³ + a·x_p, so P = (0, 0),
//! and C6, C7 give R = (0, 0): 2𝒪 = 𝒪. Otherwise p_identity = 0 (C2) and C3 puts P on E, y_p ≠ 0 by A2, C5 has the one
//! solution λ = (3x_p² + a)/(2y_p), and C6, C7 are the tangent's third point, negated; 2P ≠ 𝒪 by A2. ∎
//!
//! ## Completeness
//! | case  | satisfiable? | by                        |
//! |-------|--------------|---------------------------|
//! | P ≠ 𝒪 | yes          | 2y_p is a unit            |
//! | P = 𝒪 | yes          | p_identity = 1, all else 0|
//!
//! Don't-care cells: none alone. On a padding row (`is_real` = 0) with P = (0, 0) and p_identity = 0, λ is free together
//! with R = (λ², −λ³): such a row proves nothing, and the claims' R = (0, 0) leaves λ = 0.
//!
//! ## Padding
//! The all-zero row satisfies every constraint.
//!
//! ## Cost
//! 1 row, 37 columns, 37 constraints, degree 3. Pinned in `tests/layout.rs`.
//!
//! ## References
//! The tangent rule is textbook; with the slope as a column its equations have degree 2.

use core::marker::PhantomData;

use crate::chip::{Chip, NoFlags, Operation};
use crate::columns::{ColumnSet, column, columns};
use crate::params::{CurveParams, Septic as SepticParams};
use crate::relations::{assert_bool, assert_on_curve};
use crate::sink::{ConstraintSink, Label};

columns! {
    /// A row of the DOUBLE chip, 37 columns.
    pub struct DoubleCols {
        /// x of P.
        x_p: Septic State,
        /// y of P.
        y_p: Septic State,
        /// x of R = 2P.
        x_r: Septic State,
        /// y of R.
        y_r: Septic State,
        /// Slope of the tangent at P.
        lambda: Septic Slope,
        /// 1 on events.
        is_real: Cell Bookkeeping,
        /// P is the identity.
        p_identity: Cell Bookkeeping,
    }
}

/// The DOUBLE chip over the curve `C`.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoubleChip<C = SepticParams>(PhantomData<C>);

const FIELDS: &[crate::columns::Field] = <DoubleCols<u32> as ColumnSet<u32>>::FIELDS;

/// Every column that the claims determine: P, R and `is_real`.
const INSTANCE: [usize; 29] = {
    let mut columns = [0; 29];
    let mut i = 0;
    while i < 28 {
        columns[i] = i;
        i += 1;
    }
    columns[28] = column(FIELDS, "is_real");
    columns
};

impl<C: CurveParams> Chip for DoubleChip<C> {
    type Cols<T> = DoubleCols<T>;
    type Flags<T> = NoFlags;

    const OPERATION: Operation = Operation::Double;
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
        local: &DoubleCols<S::Expr>,
        _next: &DoubleCols<S::Expr>,
        _flags: &NoFlags,
        _parameters: &[S::Expr],
    ) {
        let DoubleCols { x_p, y_p, x_r, y_r, lambda, is_real, p_identity } = local;

        // C1: is_real·(is_real − 1) = 0
        assert_bool(sink, Label("double.C1.is_real"), is_real);
        // C2: p_identity·(p_identity − 1) = 0
        assert_bool(sink, Label("double.C2.p_identity"), p_identity);

        let x_p_squared = sink.square(x_p);
        let p_finite = is_real.clone() - p_identity.clone();
        // C3: y_p² = x_p³ + a·x_p + b·(is_real − p_identity)
        assert_on_curve::<C, S>(sink, Label("double.C3.p_curve"), x_p, y_p, &x_p_squared, &p_finite);
        // C4: p_identity·λ = 0
        sink.assert_septic(Label("double.C4.lambda_zero"), lambda.scale(p_identity));
        // C5: 2λ·y_p = 3x_p² + a·(is_real − p_identity)
        let mut tangent = sink.mul(lambda, y_p).doubled() - x_p_squared.tripled();
        tangent.0[0] = tangent.0[0].clone() - sink.constant(C::A) * p_finite;
        sink.assert_septic(Label("double.C5.tangent"), tangent);
        // C6: x_r = λ² − 2x_p
        let x_third = sink.square(lambda) - x_p.doubled();
        sink.assert_septic(Label("double.C6.x_r"), x_r.clone() - x_third);
        // C7: y_r = λ(x_p − x_r) − y_p
        let y_third = sink.mul(lambda, &(x_p.clone() - x_r.clone())) - y_p.clone();
        sink.assert_septic(Label("double.C7.y_r"), y_r.clone() - y_third);
    }
}
