//! Uniqueness by rank: the constraints leave no cell free, apart from the explained don't-cares.
//!
//! At an honest trace the constraints are linearised, exactly and modulo p: the Jacobian of all equations of one operation
//! with respect to all its cells. Its kernel is the set of directions in which the trace can move while every constraint
//! still holds to first order. If it is 0, no other solution is near: a column that no constraint pins, a forgotten row or a
//! gate that is off would show as a direction. The operations are taken in three ways:
//!
//! | fixed | unknown | kernel |
//! |-------|---------|--------|
//! | all cells that the claims determine | the witness | the don't-care cells |
//! | the inputs, each in one place | witness and outputs | the same, and the point on the output row if R = 𝒪 |
//! | nothing | every cell | the same, and 7 dimensions for each point that moves on E |
//!
//! What rank does not see: finitely many possibilities. A flag that may be 0 or 1 has no direction, and so the free flags
//! among the chips' don't-cares (the carries on rows 254 and 255) and their free choices (offset, parity, wraps, digits of a
//! second form of s) do not occur here. Conversely a double point, such as y² = 0 at the identity, has a direction though
//! its solution is unique; each is listed in [`freedom`].
//!
//! | module | shows |
//! |--------|-------|
//! | [`uniqueness`] | the kernel of whole operations is the explained one, in all cases |
//! | [`rows`] | row kind by row kind: given the row before, a row's own cells have full rank, without looking ahead |
//! | [`sharpness`] | each constraint carries part of the rank |
//! | [`half`] | the same for the tables with half-size scalars, one row an operation |
//! | [`cases`], [`freedom`] | honest traces of all cases; what is free in each and why |
//! | [`dual`], [`jacobian`], [`elimination`], [`support`] | tools |
//!
//! `cargo test --test rank summary -- --nocapture` prints the counts.

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

mod cases;
mod dual;
mod elimination;
mod freedom;
mod half;
mod jacobian;
mod precompile;
mod rows;
mod sharpness;
mod support;
mod uniqueness;

use std::fmt::{self, Display, Formatter};

use cases::Fixed;
use septic_chips::Operation;

/// The counts of all cases.
struct Summary;

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "unknowns and dimension of the kernel by what is fixed")?;
        writeln!(
            f,
            "{:<12}{:<22}{:>5}{:>11}{:>15}{:>15}{:>15}",
            "chip", "case", "rows", "equations", "claims", "inputs", "nothing"
        )?;
        for operation in Operation::ALL {
            for case in cases::of(operation) {
                let (rows, equations) = (case.jacobian.height, case.jacobian.equations.len());
                write!(f, "{:<12}{:<22}{rows:>5}{equations:>11}", operation.name(), case.name)?;
                for fixed in Fixed::ALL {
                    let found = case.found(fixed);
                    write!(f, "{:>15}", format!("{} - {}", found.unknowns, found.freedom()))?;
                }
                writeln!(f)?;
            }
        }
        writeln!(f, "\nranks of rows, given the inputs and the row before")?;
        writeln!(
            f,
            "{:<12}{:<12}{:>5}{:>10}{:>11}{:>6}",
            "chip", "row kind", "rows", "unknowns", "equations", "rank"
        )?;
        for operation in Operation::ALL {
            for (row, count) in rows::table(cases::case(operation, "generic")) {
                let rows::RowRank { kind, unknowns, equations, rank } = row;
                let chip = operation.name();
                writeln!(f, "{chip:<12}{kind:<12}{count:>5}{unknowns:>10}{equations:>11}{rank:>6}")?;
            }
        }
        writeln!(f, "\nfree cells")?;
        let mut seen = Vec::new();
        for operation in Operation::ALL {
            for part in cases::of(operation)
                .iter()
                .flat_map(|case| Fixed::ALL.map(|fixed| case.expected(fixed)))
                .flatten()
            {
                if !seen.contains(&(operation, part.why)) {
                    seen.push((operation, part.why));
                    let names: Vec<&str> = part.at.iter().map(|(name, _)| *name).collect();
                    writeln!(f, "{:<12}{:<20}{}", operation.name(), names.join(", "), part.why)?;
                }
            }
        }
        write!(f, "\nremovals of constraints")?;
        for operation in Operation::ALL {
            let removals = sharpness::removals(operation);
            let alone = |label: &septic_chips::sink::Label| {
                removals.iter().any(|r| r.1.is_empty() && format!("C{}", r.0) == label.id())
            };
            let labels = sharpness::labels_of(operation);
            let sharp = labels.iter().filter(|label| alone(label)).count();
            let rest = labels.len() - sharp;
            write!(f, "\n{:<12}{sharp} raise the kernel alone, {rest} with companions", operation.name())?;
        }
        half::summary(f)
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are for whoever reads the output")]
fn summary() {
    println!("{Summary}");
}
