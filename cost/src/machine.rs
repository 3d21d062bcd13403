//! The cost of the machine's tables.

use septic_chips::ladder::ROWS;
use septic_chips::{Operation, generator, range};
use septic_prover::machine::{Layout, TableKind};
use serde::Serialize;

use crate::sp1_gas;

/// Base-field cells of a permutation column's row.
const CHALLENGE: usize = 4;

/// What a table of the machine costs: one event of its operation, or all events of a proof if the table is shared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableCost {
    /// The table's name.
    pub name: &'static str,
    /// The operation in capitals, or `shared`: then rows and cells are the whole table's.
    pub operation: String,
    /// `row`, `half-scalar` or `row-per-bit`.
    pub layout: &'static str,
    /// Rows.
    pub rows: usize,
    /// Main columns.
    pub columns: usize,
    /// Permutation columns for the buses, of four cells a row.
    pub permutation_columns: usize,
    /// Main cells.
    pub cells: usize,
    /// Main and permutation cells.
    pub committed_cells: usize,
    /// Equations of one row, with those of the buses and of instance columns.
    pub constraints: usize,
    /// The largest degree of a constraint.
    pub max_degree: usize,
    /// Messages of one row.
    pub messages: usize,
    /// SP1's measure of proving work for the main columns: see [`sp1_gas`].
    pub sp1_gas: f64,
}

impl TableCost {
    /// The cost of a table.
    ///
    /// # Panics
    /// If the table is unknown here.
    #[must_use]
    pub fn of(table: TableKind) -> Self {
        let half = Layout::HalfScalar.as_str();
        let bits = Layout::RowPerBit.as_str();
        let (operation, layout, rows) = match table {
            TableKind::Add => (Some(Operation::Add), "row", 1),
            TableKind::Double => (Some(Operation::Double), "row", 1),
            TableKind::ScalarMulBits => (Some(Operation::ScalarMul), bits, ROWS),
            TableKind::ScalarMulClaims => (Some(Operation::ScalarMul), bits, 1),
            TableKind::VerifyBits => (Some(Operation::Verify), bits, ROWS),
            TableKind::VerifyClaims => (Some(Operation::Verify), bits, 1),
            TableKind::ScalarMulHalf => (Some(Operation::ScalarMul), half, 1),
            TableKind::VerifyHalf => (Some(Operation::Verify), half, 1),
            TableKind::Generator => (None, half, 1 << generator::LOG_HEIGHT),
            TableKind::Range => (None, half, 1 << range::LOG_HEIGHT),
            other => panic!("the cost of the table {other} is not known"),
        };
        let shape = table.shape();
        let cells = shape.width * rows;
        Self {
            name: table.name(),
            operation: operation.map_or_else(|| "shared".to_owned(), |o| o.name().to_uppercase()),
            layout,
            rows,
            columns: shape.width,
            permutation_columns: shape.permutation_columns,
            cells,
            committed_cells: cells + CHALLENGE * shape.permutation_columns * rows,
            constraints: shape.constraints,
            max_degree: shape.degree,
            messages: shape.messages,
            sp1_gas: sp1_gas(cells, shape.constraints * rows),
        }
    }

    /// The cost of all tables, in the machine's order.
    #[must_use]
    pub fn all() -> Vec<Self> {
        TableKind::ALL.iter().map(|&table| Self::of(table)).collect()
    }
}

/// Cells of one event of SCALAR_MUL or VERIFY, if its chain of doubling steps were spread over rows. Counted, not built.
///
/// With k steps a row, the rest of the one-row table stays a control row, and each row of the chain has
///
/// - 17 columns a step: two slopes, two digits, one running product;
/// - 63 columns around them: N and M (28), the accumulator before and after (28), bookkeeping (7);
/// - three messages: state in and out on one bus, digits on another. They take two permutation columns and the accumulator,
///   of four cells each. The control row takes one column for the ends of the state, and one for the digits of two rows.
///
/// A lower bound: columns of the control row for the digits' limbs are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SplitChain {
    /// Doubling steps a row.
    pub steps: usize,
    /// Rows of the chain.
    pub rows: usize,
    /// Main cells, control row included.
    pub cells: usize,
    /// Main and permutation cells.
    pub committed_cells: usize,
}

/// Columns of a step.
const STEP: usize = 2 * 7 + 2 + 1;
/// Columns of a row of a chain that are not a step's.
const OVERHEAD: usize = 28 + 28 + 7;
/// Permutation columns of a row of a chain.
const PERMUTATION: usize = 3;

impl SplitChain {
    /// The cells with `steps` doubling steps a row, given the one-row table. All steps in one row is the table as it is.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[must_use]
    pub fn new(table: TableKind, steps: usize) -> Self {
        let all = septic_chips::half::STEPS;
        let shape = table.shape();
        if steps >= all {
            return Self { steps: all, rows: 0, cells: shape.width, committed_cells: shape.cells() };
        }
        let rows = all.div_ceil(steps);
        let cells = shape.width - STEP * all + rows * (OVERHEAD + STEP * steps);
        let permutation = shape.permutation_columns + 1 + rows.div_ceil(2) + PERMUTATION * rows;
        Self { steps, rows, cells, committed_cells: cells + CHALLENGE * permutation }
    }

    /// The cells for 1, 2, 4, 8, 16 and all steps a row.
    #[must_use]
    pub fn sweep(table: TableKind) -> [Self; 6] {
        [1, 2, 4, 8, 16, usize::MAX].map(|steps| Self::new(table, steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_the_machine_s() {
        for (&kind, cost) in TableKind::ALL.iter().zip(TableCost::all()) {
            assert_eq!(cost.committed_cells, kind.shape().cells() * cost.rows, "{kind}");
            assert_eq!(cost.cells, cost.columns * cost.rows);
            let named = cost.operation.to_lowercase();
            assert!(cost.operation == "shared" || cost.name.starts_with(&named), "{kind}");
        }
    }

    #[test]
    fn steps_of_the_sweep_are_the_table_s() {
        use septic_chips::columns::ColumnSet;
        use septic_chips::half::STEPS;
        use septic_chips::half::verify::HalfVerifyCols;
        let steps: usize = <HalfVerifyCols<u32> as ColumnSet<u32>>::FIELDS
            .iter()
            .filter(|field| ["sign", "swap", "lambda_1", "lambda_2", "product"].contains(&field.name))
            .map(|field| field.width)
            .sum();
        // One digit and one product more, for the addition that the chain begins with.
        assert_eq!(steps, STEP * STEPS + 2);
    }

    #[test]
    fn fewer_rows_are_cheaper() {
        for table in [TableKind::ScalarMulHalf, TableKind::VerifyHalf] {
            let sweep = SplitChain::sweep(table);
            assert!(sweep.is_sorted_by(|a, b| a.rows > b.rows));
            assert_eq!(sweep[5].cells, table.width());
        }
    }
}
