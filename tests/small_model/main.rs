//! The chips over fields of a few elements, where everything can be tried.
//!
//! The relations are generic over the curve and the ring. Here they run over toy curves of prime order, whose elements
//! use the coefficient of degree 0 of the septic extension alone. All cells range over the whole field; what the
//! constraints accept is compared with the textbook group law, in both directions: it is true, and all that is true and
//! meets no exceptional case is accepted.
//!
//! | module | shows |
//! |--------|-------|
//! | [`one_row`] | all rows of ADD and DOUBLE: every input has one result, the right one |
//! | [`ladder_row`] | all digit rows and last rows of SCALAR_MUL and VERIFY: the same; exceptional inputs have none |
//! | [`operation`] | all events of SCALAR_MUL and VERIFY with 5 digits: every claim that is accepted is true |
//! | [`needed`] | each constraint left out: how many false claims it alone stops |
//! | [`search`] | the search: cells one after the other, constraints as soon as their cells are assigned |
//! | [`short`] | the ladder with 5 digits: flags, limbs, multiples of the order |
//! | [`chain`] | the search over the rows of an event |
//! | [`blocks`] | the events that there should be, by the group law |
//! | [`field`], [`curve`] | prime fields of at most 127 elements, toy curves |
//!
//! Flags and multiples of the order are the short ladder's own: `tests/soundness` shows the schedule of 256 rows, and that
//! a septic equation is seven equations.
//!
//! A state is a partial assignment of cells for which constraints were evaluated. `cargo test --test small_model summary
//! -- --nocapture` prints how many there are; the numbers are pinned, so nothing is skipped in silence.

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]
#![allow(clippy::print_stdout, reason = "the counts are for readers")]

mod blocks;
mod chain;
mod curve;
mod field;
mod ladder_row;
mod needed;
mod one_row;
mod operation;
mod search;
mod short;

use std::sync::LazyLock;

/// What a model enumerates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Enumerated {
    /// Partial assignments for which constraints were evaluated.
    pub(crate) states: u64,
    /// Complete assignments that satisfy the constraints. Events count once for all that have the same shown points,
    /// scalars, offset and digits.
    pub(crate) accepted: u64,
    /// Different statements that these make. All are true.
    pub(crate) statements: u64,
}

/// A chip, or a part of it, over one curve. It is enumerated once, whoever asks.
#[derive(Debug)]
pub(crate) struct Model {
    name: &'static str,
    found: LazyLock<Enumerated>,
    expected: Enumerated,
}

impl Model {
    /// `enumerate` panics if a false statement is accepted or a true one is missing.
    pub(crate) const fn new(
        name: &'static str,
        enumerate: fn() -> Enumerated,
        [states, accepted, statements]: [u64; 3],
    ) -> Self {
        let expected = Enumerated { states, accepted, statements };
        Self { name, found: LazyLock::new(enumerate), expected }
    }

    /// Enumerates the model and compares the counts with the pinned ones.
    pub(crate) fn check(&self) {
        assert_eq!(*self.found, self.expected, "{}", self.name);
    }
}

/// Prints the counts of all models and compares them with the pinned ones.
#[test]
fn summary() {
    let models = [
        &one_row::ADD[..],
        &one_row::DOUBLE,
        &ladder_row::DIGIT_ROWS,
        &ladder_row::LAST_ROWS,
        &operation::SCALAR_MUL,
        &operation::VERIFY,
    ];
    println!("{:<40}{:>12}{:>12}{:>12}", "model", "states", "accepted", "statements");
    let mut total = 0;
    for model in models.into_iter().flatten() {
        let Enumerated { states, accepted, statements } = *model.found;
        println!("{:<40}{states:>12}{accepted:>12}{statements:>12}", model.name);
        total += states;
    }
    println!("{:<40}{total:>12}", "all");
    models.into_iter().flatten().for_each(Model::check);
}
