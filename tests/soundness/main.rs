//! Forged traces: what the chips reject, and that they reject nothing else.
//!
//! An honest trace shows that constraints can be satisfied. Whether they say enough is shown by traces that no honest
//! prover would make. Here a forger has its own generators ([`block`] for SCALAR_MUL and VERIFY, [`rows`] for ADD and
//! DOUBLE): it changes one decision or one cell, everything downstream is filled honestly, and exactly one constraint
//! stands in the way.
//!
//! | module | shows |
//! |--------|-------|
//! | [`honest`] | used honestly, the forger's generators give the traces of the real ones, bit by bit |
//! | [`forgeries`] | for each constraint a trace that violates it alone, and what would pass without it |
//! | [`coordinates`] | a septic constraint is seven equations, each on its own |
//! | [`schedule`] | each constraint is on, on the rows that the documentation states |
//! | [`decisions`] | combinations of decisions and changes of cells: what passes says something true |
//! | [`assumptions`] | each assumption that soundness rests on, with its forgery |
//! | [`pitfalls`] | faults that other systems had, class by class |
//! | [`completeness`] | hostile inputs: all of them are provable |
//! | [`judge`], [`curves`], [`integer`], [`polynomial`], [`support`] | tools |
//!
//! Over small curves everything can be tried: see `tests/small_model`.
//!
//! `cargo test --test soundness summary -- --nocapture` prints the counts.

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

mod assumptions;
mod block;
mod completeness;
mod coordinates;
mod curves;
mod decisions;
mod forgeries;
mod honest;
mod integer;
mod judge;
mod pitfalls;
mod polynomial;
mod rows;
mod schedule;
mod support;

use std::fmt;

use forgeries::Outcome;

/// What the suite tries.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Summary {
    /// By chip: labelled constraints, their equations, forgeries.
    chips: Vec<(&'static str, usize, usize, usize)>,
    /// Forgeries of false statements.
    false_statements: usize,
    /// Forgeries of true ones.
    freedoms: usize,
    /// Traces with errors in chosen coordinates.
    coordinates: usize,
    /// Traces with changed decisions, cells and rows.
    decisions: usize,
    /// Honest events with hostile inputs.
    events: usize,
    /// How many of these started from the second offset.
    second_offsets: usize,
}

impl Summary {
    fn new() -> Self {
        let registry = forgeries::registry();
        let with = |outcome| registry.iter().filter(|forgery| forgery.outcome == outcome).count();
        let chips = forgeries::constraints()
            .into_iter()
            .map(|(chip, labels)| {
                let equations = labels.iter().map(|(_, equations)| equations).sum();
                let forgeries = registry.iter().filter(|forgery| forgery.chip == chip).count();
                (chip.name(), labels.len(), equations, forgeries)
            })
            .collect();
        let completeness::Count { events, second_offsets } = completeness::count();
        Self {
            chips,
            false_statements: with(Outcome::FalseStatement),
            freedoms: with(Outcome::Freedom),
            coordinates: coordinates::mutations(),
            decisions: decisions::mutations(),
            events,
            second_offsets,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<12}{:>12}{:>11}{:>11}", "chip", "constraints", "equations", "forgeries")?;
        let mut total = (0, 0, 0);
        for (chip, constraints, equations, forgeries) in &self.chips {
            total = (total.0 + constraints, total.1 + equations, total.2 + forgeries);
            writeln!(f, "{chip:<12}{constraints:>12}{equations:>11}{forgeries:>11}")?;
        }
        writeln!(f, "{:<12}{:>12}{:>11}{:>11}", "all", total.0, total.1, total.2)?;
        writeln!(
            f,
            "forgeries of false statements {}, of true ones {}",
            self.false_statements, self.freedoms
        )?;
        writeln!(f, "mutations: coordinates {}, decisions and cells {}", self.coordinates, self.decisions)?;
        write!(
            f,
            "hostile events proven {}, {} of them from the second offset",
            self.events, self.second_offsets
        )
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are for whoever reads the output")]
fn summary() {
    let summary = Summary::new();
    println!("{summary}");
    let forgeries: usize = summary.chips.iter().map(|(_, _, _, forgeries)| forgeries).sum();
    assert_eq!(forgeries, summary.false_statements + summary.freedoms);
    let constraints: usize = summary.chips.iter().map(|(_, constraints, _, _)| constraints).sum();
    assert!(forgeries >= constraints);
    assert!(summary.coordinates > 1000 && summary.decisions > 10_000 && summary.events > 10_000);
}
