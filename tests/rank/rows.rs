//! Row kind by row kind: given the inputs and the row before, the row's own cells have full rank, from the equations that
//! do not read the row after. So cells are fixed one row after the other, without looking ahead.

use std::collections::BTreeMap;

use septic_chips::Operation;
use septic_chips::ladder::{CORRECTION_ROW, OUTPUT_ROW, limb_on_row};

use crate::cases::{self, Case, Fixed};

/// What a row is for.
pub(crate) fn kind(operation: Operation, row: usize) -> &'static str {
    match (operation, row) {
        (Operation::Add | Operation::Double, _) => "only",
        (_, 0) => "start",
        (_, CORRECTION_ROW) => "correction",
        (_, OUTPUT_ROW) => "output",
        (_, 253) => "last limb",
        (_, row) if limb_on_row(row).is_some() => "limb",
        (_, row) if limb_on_row(row - 1).is_some() => "after limb",
        _ => "digit",
    }
}

/// A kind of row: its unknown cells, the equations on them, their rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowRank {
    pub(crate) kind: &'static str,
    pub(crate) unknowns: usize,
    pub(crate) equations: usize,
    pub(crate) rank: usize,
}

/// The row kinds of a case, with the number of rows of each.
pub(crate) fn table(case: &Case) -> BTreeMap<RowRank, usize> {
    let known = case.known(Fixed::Inputs);
    let mut table = BTreeMap::new();
    for row in 0..case.jacobian.height {
        let here = &known[row * case.jacobian.width..][..case.jacobian.width];
        let unknowns = here.iter().filter(|known| !**known).count();
        let (rank, equations) = case.jacobian.rank_of_row(row, &known);
        let row = RowRank { kind: kind(case.operation, row), unknowns, equations, rank };
        *table.entry(row).or_default() += 1;
    }
    table
}

/// Pinned: number of rows, kind, unknowns, equations. The rank is the number of unknowns, in every case but for the
/// explained cells.
const SCALAR_MUL: [(usize, &str, usize, usize); 7] = [
    (15, "after limb", 44, 56),
    (1, "correction", 44, 62),
    (222, "digit", 44, 57),
    (1, "last limb", 43, 57),
    (15, "limb", 43, 56),
    (1, "output", 44, 49),
    (1, "start", 29, 36),
];
const VERIFY: [(usize, &str, usize, usize); 7] = [
    (15, "after limb", 57, 72),
    (1, "correction", 57, 77),
    (222, "digit", 58, 75),
    (1, "last limb", 57, 75),
    (15, "limb", 57, 74),
    (1, "output", 58, 65),
    (1, "start", 43, 50),
];

#[test]
fn rows_have_full_rank() {
    for operation in Operation::ALL {
        for case in cases::of(operation) {
            let free: Vec<usize> =
                case.expected(Fixed::Inputs).iter().flat_map(|part| case.cells_of(part.at)).collect();
            for (row, count) in table(case) {
                // Only kinds of one row have explained cells.
                let on_kind = |cell: &&usize| kind(operation, **cell / case.jacobian.width) == row.kind;
                let free = free.iter().filter(on_kind).count();
                assert!(free == 0 || count == 1);
                assert_eq!(row.rank, row.unknowns - free, "{operation} {}: {row:?}", case.name);
            }
        }
    }
}

#[test]
fn row_kinds_are_as_pinned() {
    for (operation, pinned) in [(Operation::ScalarMul, SCALAR_MUL), (Operation::Verify, VERIFY)] {
        for case in cases::of(operation) {
            let found: Vec<_> = table(case)
                .into_iter()
                .map(|(row, count)| (count, row.kind, row.unknowns, row.equations))
                .collect();
            // Where C31 reads 0 = 0, it is no equation.
            let silent = match case.name {
                "x_2 = x_H on row 255" | "f = 0 on row 255" => "output",
                "x_2 = x_H on row 254" => "correction",
                _ => "none",
            };
            let pinned: Vec<_> = pinned
                .into_iter()
                .map(|(n, kind, unknowns, equations)| {
                    (n, kind, unknowns, equations - usize::from(kind == silent))
                })
                .collect();
            assert_eq!(found, pinned, "{operation} {}", case.name);
        }
    }
}
