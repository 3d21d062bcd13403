//! What every chip offers to adapters, trace generators and reports.

use alloc::vec::Vec;
use core::fmt;

use crate::columns::{ColumnSet, Field};
use crate::sink::ConstraintSink;

/// The four operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// P + Q.
    Add,
    /// 2P.
    Double,
    /// s·P.
    ScalarMul,
    /// s·G + e·A.
    Verify,
}

impl Operation {
    /// All operations, in report order.
    pub const ALL: [Self; 4] = [Self::Add, Self::Double, Self::ScalarMul, Self::Verify];

    /// The name in event files and reports: `add`, `double`, `scalar_mul`, `verify`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Double => "double",
            Self::ScalarMul => "scalar_mul",
            Self::Verify => "verify",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A chip without row kinds: no flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoFlags;

impl<T> ColumnSet<T> for NoFlags {
    const WIDTH: usize = 0;
    const FIELDS: &'static [Field] = &[];

    fn from_fn(_: impl FnMut(usize) -> T) -> Self {
        Self
    }

    fn write_to(&self, _: &mut [T])
    where
        T: Clone,
    {
    }
}

/// An AIR chip: columns, row schedule and constraints, without a proving stack.
///
/// A trace is a matrix of `WIDTH` columns; each event takes `ROWS_PER_EVENT` consecutive rows and the height is a
/// power of two. Constraints read one row and its successor; the successor of the last row is the first row, and no
/// constraint is switched off there.
pub trait Chip: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// Columns of a row.
    type Cols<T>: ColumnSet<T>;
    /// Flags that depend on the row's place in its event alone (row kinds). A stack with periodic columns takes them
    /// from there; another stack says where its own come from.
    type Flags<T>: ColumnSet<T>;

    /// The operation proven.
    const OPERATION: Operation;
    /// Name of the layout in reports: `row` or `row-per-bit`.
    const LAYOUT: &'static str;
    /// Rows of one event; a power of two.
    const ROWS_PER_EVENT: usize;
    /// Columns whose next-row value some constraint reads.
    const NEXT_ROW_COLUMNS: &'static [usize];
    /// Columns whose every cell follows from the claims: a verifier compares them with its own.
    const INSTANCE_COLUMNS: &'static [usize];
    /// Number of parameters of the whole trace that the prover picks and the verifier reads: 0, or 1 for the
    /// evaluation point of the non-zero test.
    const NUM_PARAMETERS: usize;

    /// Number of columns.
    const WIDTH: usize = <Self::Cols<u32> as ColumnSet<u32>>::WIDTH;
    /// Number of flags.
    const NUM_FLAGS: usize = <Self::Flags<u32> as ColumnSet<u32>>::WIDTH;

    /// The flags of row `row` of an event, `0 ≤ row < ROWS_PER_EVENT`, as canonical residues.
    fn flags(row: usize) -> Self::Flags<u32>;

    /// Asserts the constraints of one row.
    ///
    /// `parameters` has `NUM_PARAMETERS` entries.
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &Self::Cols<S::Expr>,
        next: &Self::Cols<S::Expr>,
        flags: &Self::Flags<S::Expr>,
        parameters: &[S::Expr],
    );

    /// The flags of one event, one vector of `ROWS_PER_EVENT` residues per flag.
    #[must_use]
    fn flag_columns() -> Vec<Vec<u32>> {
        crate::table::flag_columns::<crate::table::ChipTable<Self>>()
    }
}
