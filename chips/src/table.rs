//! Tables: what a machine is made of.
//!
//! A [`Table`] is an AIR that may put messages on buses. A one-row [`Chip`] is a table without messages
//! ([`ChipTable`]).

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::bus::MessageSink;
use crate::chip::Chip;
use crate::columns::ColumnSet;
use crate::sink::{ConstraintSink, Label};

/// Where in the table a row stands, as expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<E> {
    /// Not zero on the first row only.
    pub is_first: E,
    /// Zero on the last row only.
    pub is_transition: E,
}

/// An AIR of a machine: columns, flags, constraints, messages.
///
/// Constraints read one row and its successor; the successor of the last row is the first row.
pub trait Table: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// Columns of a row.
    type Cols<T>: ColumnSet<T>;
    /// Flags that repeat with [`Self::PERIOD`].
    type Flags<T>: ColumnSet<T>;

    /// The name in reports, unique in a machine: `verify.steps`.
    const NAME: &'static str;
    /// Rows after which flags repeat; a power of two.
    const PERIOD: usize;
    /// Columns whose next-row value some constraint reads.
    const NEXT_ROW_COLUMNS: &'static [usize];
    /// Columns whose every cell follows from the claims: a verifier compares them with its own.
    const INSTANCE_COLUMNS: &'static [usize];
    /// Number of parameters of the whole trace that the prover picks and the verifier reads.
    const NUM_PARAMETERS: usize;

    /// Number of columns.
    const WIDTH: usize = <Self::Cols<u32> as ColumnSet<u32>>::WIDTH;
    /// Number of flags.
    const NUM_FLAGS: usize = <Self::Flags<u32> as ColumnSet<u32>>::WIDTH;

    /// The flags of row `row < PERIOD` as canonical residues.
    fn flags(row: usize) -> Self::Flags<u32>;

    /// Asserts the constraints of one row. `parameters` has `NUM_PARAMETERS` entries.
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &Self::Cols<S::Expr>,
        next: &Self::Cols<S::Expr>,
        flags: &Self::Flags<S::Expr>,
        place: &Place<S::Expr>,
        parameters: &[S::Expr],
    );

    /// The messages of one row.
    fn messages<S: MessageSink>(sink: &mut S, local: &Self::Cols<S::Expr>);
}

/// A chip as a table that sends nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChipTable<C>(PhantomData<C>);

impl<C: Chip> Table for ChipTable<C> {
    type Cols<T> = C::Cols<T>;
    type Flags<T> = C::Flags<T>;

    const NAME: &'static str = C::OPERATION.name();
    const PERIOD: usize = C::ROWS_PER_EVENT;
    const NEXT_ROW_COLUMNS: &'static [usize] = C::NEXT_ROW_COLUMNS;
    const INSTANCE_COLUMNS: &'static [usize] = C::INSTANCE_COLUMNS;
    const NUM_PARAMETERS: usize = C::NUM_PARAMETERS;

    fn flags(row: usize) -> C::Flags<u32> {
        C::flags(row)
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &C::Cols<S::Expr>,
        next: &C::Cols<S::Expr>,
        flags: &C::Flags<S::Expr>,
        _: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        C::eval(sink, local, next, flags, parameters);
    }

    #[inline]
    fn messages<S: MessageSink>(_: &mut S, _: &C::Cols<S::Expr>) {}
}

/// The flags of one period of a table, one vector of `PERIOD` residues per flag.
#[must_use]
pub fn flag_columns<T: Table>() -> Vec<Vec<u32>> {
    let mut columns = alloc::vec![Vec::with_capacity(T::PERIOD); T::NUM_FLAGS];
    let mut cells = alloc::vec![0; T::NUM_FLAGS];
    for row in 0..T::PERIOD {
        T::flags(row).write_to(&mut cells);
        for (column, &cell) in columns.iter_mut().zip(&cells) {
            column.push(cell);
        }
    }
    columns
}

/// Asserts `is_first·counter = 0` and `is_transition·(counter′ − counter − step) = 0`.
#[inline]
pub fn assert_counter<S: ConstraintSink>(
    sink: &mut S,
    [start, step_label]: [Label; 2],
    place: &Place<S::Expr>,
    (now, next): (&S::Expr, &S::Expr),
    step: S::Expr,
) {
    sink.assert_zero(start, place.is_first.clone() * now.clone());
    sink.assert_zero(step_label, place.is_transition.clone() * (next.clone() - now.clone() - step));
}
