//! Each constraint carries part of the rank: without it some kernel is larger.
//!
//! Some constraints decide between finitely many possibilities and so add nothing to the rank by themselves. The
//! Jacobian sees each of them once its companions are gone:
//!
//! - a flag is boolean (C14) or tied to flags that are (C10, C12, C20–C26, in VERIFY also C38, C39, C42, C43): 0 or 1 is a
//!   choice, not a direction;
//! - one coordinate of a point of E follows from the other, or both from a line through the point, up to finitely many
//!   choices: C3 and C4, C30 and C31 of SCALAR_MUL, C32 and C33 of VERIFY, ADD's C11 and C12. C30 and C32 add rank by
//!   themselves where the line is tangent, and there only;
//! - at (0, 0) the curve equation alone makes dx = 0 (C4 beside C6, C5 beside C7 of ADD);
//! - DOUBLE's C2 beside C4: with λ ≠ 0 the flag is 0.
//!
//! That they are needed is shown by forgeries, in the forge suite.

use std::thread;

use septic_chips::check::labels;
use septic_chips::sink::Label;
use septic_chips::{AddChip, DoubleChip, Operation, ScalarMulChip, VerifyChip};

use crate::cases::{self, Fixed};

use Fixed::{Claims, Inputs, Nothing};

/// Number of a constraint, its companions, the case, what is fixed, and by how much the kernel grows when the constraint is
/// removed after its companions.
type Removal = (u8, &'static [u8], &'static str, Fixed, usize);

const ADD: &[Removal] = &[
    (1, &[], "generic", Nothing, 1),
    (2, &[], "padding", Nothing, 1),
    (3, &[], "padding", Nothing, 1),
    (4, &[], "Q = O", Nothing, 7),
    (5, &[], "P = O", Nothing, 7),
    (6, &[4], "P = O", Nothing, 7),
    (7, &[5], "Q = O", Nothing, 7),
    (8, &[], "P = O", Inputs, 14),
    (9, &[], "Q = O", Inputs, 14),
    (10, &[], "P = -Q", Inputs, 14),
    (11, &[12], "P = -Q", Nothing, 7),
    (12, &[11], "P = -Q", Nothing, 7),
    (13, &[], "y_q = -y_p", Inputs, 7),
    (14, &[], "P = Q", Inputs, 7),
    (14, &[], "P = Q = O", Claims, 1),
    (15, &[], "generic", Inputs, 7),
    (16, &[], "generic", Inputs, 7),
];

const DOUBLE: &[Removal] = &[
    (1, &[], "generic", Nothing, 1),
    (2, &[4], "generic", Nothing, 1),
    (3, &[], "generic", Nothing, 7),
    (4, &[], "P = O", Claims, 7),
    (5, &[], "generic", Inputs, 7),
    (6, &[], "generic", Inputs, 7),
    (7, &[], "generic", Inputs, 7),
];

/// C1–C28 but for C7.
///
/// C1 puts T on the curve (7) besides giving row 255's slope (7). Without its range a carry is free where no C28 reads it:
/// on rows 254 and 255, the don't-care cells of the chips, and in the top limb. A flag that is neither ranged nor held is
/// free on all rows but those whose C28 reads it: parity on 256 − 14 rows and wraps on 256 − 15 (limbs of r and q that are
/// not 0), a carry on 256 − 16 (three of them count for its range).
const LADDER: &[Removal] = &[
    (1, &[], "generic", Claims, 7),
    (1, &[], "generic", Nothing, 14),
    (2, &[], "generic", Claims, 14),
    (3, &[4], "generic", Inputs, 7),
    (4, &[3], "generic", Inputs, 7),
    (5, &[], "generic", Inputs, 253 * 7),
    (6, &[], "generic", Inputs, 7),
    (8, &[], "generic", Inputs, 7),
    (9, &[], "generic", Inputs, 7),
    (10, &[13, 16], "generic", Inputs, 1),
    (11, &[], "generic", Inputs, 7),
    (12, &[16], "generic", Inputs, 1),
    (13, &[], "generic", Nothing, 1),
    (14, &[20], "generic", Claims, 254),
    (15, &[], "generic", Nothing, 1),
    (16, &[], "generic", Nothing, 1),
    (17, &[], "generic", Nothing, 1),
    (18, &[], "generic", Claims, 3),
    (19, &[], "generic", Claims, 3),
    (20, &[14], "generic", Claims, 254),
    (21, &[15], "generic", Claims, 242),
    (22, &[17], "generic", Claims, 241),
    (23, &[16], "generic", Inputs, 237),
    (24, &[16], "generic", Inputs, 1),
    (25, &[18], "generic", Claims, 237),
    (26, &[19], "generic", Claims, 237),
    (27, &[], "generic", Claims, 240),
    (28, &[], "generic", Nothing, 16),
];

const SCALAR_MUL: &[Removal] = &[
    (7, &[], "s = 0", Nothing, 7),
    (29, &[], "generic", Inputs, 240),
    (30, &[], "3B_0 = -+P", Inputs, 7),
    (30, &[31], "generic", Inputs, 254 * 7),
    (31, &[30], "generic", Inputs, 254 * 7),
];

const VERIFY: &[Removal] = &[
    (7, &[], "R = O", Nothing, 7),
    (29, &[], "generic", Inputs, 224),
    (30, &[], "generic", Claims, 14),
    (31, &[], "generic", Claims, 256),
    (32, &[], "acc = -+H on row 1", Inputs, 7),
    (32, &[33], "generic", Inputs, 254 * 7),
    (33, &[32], "generic", Inputs, 254 * 7),
    (34, &[], "generic", Claims, 2),
    (35, &[], "generic", Claims, 240),
    (36, &[], "generic", Nothing, 1),
    (37, &[], "generic", Nothing, 1),
    (38, &[36], "generic", Claims, 240),
    (39, &[37], "generic", Claims, 240),
    (40, &[], "generic", Claims, 3),
    (41, &[], "generic", Claims, 3),
    (42, &[40], "generic", Claims, 237),
    (43, &[41], "generic", Claims, 237),
    (44, &[], "generic", Nothing, 16),
];

/// The labels of an operation's chip.
pub(crate) fn labels_of(operation: Operation) -> Vec<Label> {
    let labels = match operation {
        Operation::Add => labels::<AddChip>(),
        Operation::Double => labels::<DoubleChip>(),
        Operation::ScalarMul => labels::<ScalarMulChip>(),
        Operation::Verify => labels::<VerifyChip>(),
    };
    labels.into_iter().map(|(label, _)| label).collect()
}

/// The removals of an operation.
pub(crate) fn removals(operation: Operation) -> Vec<Removal> {
    match operation {
        Operation::Add => ADD.to_vec(),
        Operation::Double => DOUBLE.to_vec(),
        Operation::ScalarMul => [LADDER, SCALAR_MUL].concat(),
        Operation::Verify => [LADDER, VERIFY].concat(),
    }
}

/// Calls `check` with every item, on two threads.
fn on_threads<T: Copy + Sync>(items: &[T], check: impl Fn(T) -> Option<String> + Sync) {
    let half = |start: usize| -> Vec<String> {
        items.iter().skip(start).step_by(2).filter_map(|&item| check(item)).collect()
    };
    let wrong = thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        let mut wrong = half(0);
        wrong.extend(odd.join().unwrap());
        wrong
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn each_constraint_carries_rank(operation: Operation) {
    let labels = labels_of(operation);
    let removals = removals(operation);
    let named = |number: u8| {
        let id = format!("C{number}");
        *labels.iter().find(|label| label.id() == id).unwrap()
    };
    for label in &labels {
        assert!(removals.iter().any(|(number, ..)| named(*number) == *label), "{label} is missing");
    }
    on_threads(&removals, |(number, companions, name, fixed, expected)| {
        let case = cases::case(operation, name);
        let known = case.known(fixed);
        let mut without: Vec<Label> = companions.iter().map(|&number| named(number)).collect();
        let before = if without.is_empty() {
            case.found(fixed).freedom()
        } else {
            case.jacobian.freedom(&known, &without)
        };
        without.push(named(number));
        let grown = case.jacobian.freedom(&known, &without) - before;
        (grown != expected).then(|| format!("{operation} C{number} after {companions:?}: {grown}"))
    });
}

/// Where only the removal of companions too makes a difference, the constraint alone makes none, in any case.
fn companions_are_needed(operation: Operation) {
    let removals = removals(operation);
    let labels = labels_of(operation);
    let alone = |id: &str| removals.iter().any(|r| r.1.is_empty() && format!("C{}", r.0) == id);
    let silent: Vec<Label> = labels.into_iter().filter(|label| !alone(label.id())).collect();
    let cases: Vec<&cases::Case> = cases::of(operation).iter().collect();
    on_threads(&cases, |case| {
        let mut wrong = Vec::new();
        for fixed in [Inputs, Nothing] {
            if fixed == Nothing && case.jacobian.height > 1 && case.name != "generic" {
                continue;
            }
            let known = case.known(fixed);
            let freedom = case.found(fixed).freedom();
            let grows = |label: &Label| case.jacobian.freedom(&known, &[*label]) != freedom;
            wrong.extend(silent.iter().filter(|label| grows(label)).copied());
        }
        (!wrong.is_empty()).then(|| format!("{operation} {}: {wrong:?}", case.name))
    });
}

#[test]
fn add() {
    each_constraint_carries_rank(Operation::Add);
    companions_are_needed(Operation::Add);
}

#[test]
fn double() {
    each_constraint_carries_rank(Operation::Double);
    companions_are_needed(Operation::Double);
}

#[test]
fn scalar_mul() {
    each_constraint_carries_rank(Operation::ScalarMul);
    companions_are_needed(Operation::ScalarMul);
}

#[test]
fn verify() {
    each_constraint_carries_rank(Operation::Verify);
    companions_are_needed(Operation::Verify);
}
