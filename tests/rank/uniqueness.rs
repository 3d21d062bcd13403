//! Whole operations: the kernel of the Jacobian is spanned by the explained directions, exactly.

use std::collections::BTreeSet;

use septic_chips::Operation;

use crate::cases::{self, Case, Fixed};

/// The kernel has the dimension of the explained directions, moves their cells only, and vanishes with their coordinates.
fn check(case: &Case, fixed: Fixed) {
    let parts = case.expected(fixed);
    let known = case.known(fixed);
    let at: BTreeSet<usize> = parts.iter().flat_map(|part| case.cells_of(part.at)).collect();
    let along: BTreeSet<usize> = parts.iter().flat_map(|part| case.cells_of(part.along)).collect();
    assert_eq!(at.len(), parts.iter().map(|part| case.cells_of(part.at).len()).sum::<usize>());
    let context = || format!("{} {}, {fixed:?} fixed", case.operation, case.name);

    let dimension = case.found(fixed).freedom();
    assert_eq!(dimension, at.len(), "{}", context());
    let with = |fix: &dyn Fn(usize) -> bool| {
        let known: Vec<bool> = known.iter().enumerate().map(|(cell, &known)| known || fix(cell)).collect();
        case.jacobian.freedom(&known, &[])
    };
    assert_eq!(with(&|cell| !at.contains(&cell) && !along.contains(&cell)), dimension, "{}", context());
    assert_eq!(with(&|cell| at.contains(&cell)), 0, "{}", context());
}

/// `unknowns` as in [`Fixed::ALL`]. The rank is what is left of them after the free cells of each case.
fn check_all(operation: Operation, rows: usize, equations: usize, unknowns: [usize; 3]) {
    for case in cases::of(operation) {
        assert_eq!((case.jacobian.height, case.jacobian.equations.len()), (rows, equations));
        assert_eq!(Fixed::ALL.map(|fixed| case.found(fixed).unknowns), unknowns);
        for fixed in Fixed::ALL {
            check(case, fixed);
        }
    }
}

#[test]
fn add() {
    check_all(Operation::Add, 1, 115, [10, 24, 53]);
}

#[test]
fn double() {
    check_all(Operation::Double, 1, 37, [8, 22, 37]);
}

#[test]
fn scalar_mul() {
    check_all(Operation::ScalarMul, 256, 256 * 117, [256 * 28, 256 * 44 - 31, 256 * 44]);
}

#[test]
fn verify() {
    check_all(Operation::Verify, 256, 256 * 136, [256 * 42, 256 * 58 - 47, 256 * 58]);
}
