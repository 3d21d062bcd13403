//! What a trace violates, explained.

use std::ops::Range;

use serde::Serialize;

use super::shape::Row;
use super::trace::EventTrace;
use super::view::CellRun;
use crate::chips::bus::{Bus, Count};
use crate::chips::check::Message;
use crate::chips::range::{LOG_HEIGHT, LOW_BITS};
use crate::curve::KoalaBear;
use crate::curve::p3_field::{PrimeCharacteristicRing, PrimeField32};
use crate::trace::check::INSTANCE;
use crate::trace::half::generator::entries;

/// A violated assertion on a row, or a cell that is not what the claim says, or a message that no table takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// The row.
    pub row: usize,
    /// The constraint or message; `claims.instance` for a cell that is not what the claim says.
    pub label: &'static str,
    /// Index in [`Inspection::assertions`](super::Inspection::assertions), if it is a constraint.
    pub assertion: Option<usize>,
    /// The equations that do not hold; none of a message.
    pub equations: Vec<Equation>,
    /// The cells that it reads; the fields of a message.
    pub cells: Vec<CellRun>,
}

/// An equation that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Equation {
    /// Coordinate of a septic equation.
    pub coordinate: Option<usize>,
    /// What should be 0, canonical: left side minus right side, or the reverse.
    pub residue: u32,
}

/// The number as a canonical residue.
pub(super) fn canonical(x: KoalaBear) -> u32 {
    x.as_canonical_u32()
}

impl EventTrace {
    /// What is violated: constraints and messages in row order, then the claim's cells.
    pub(super) fn violations(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        for row in 0..self.rows() {
            self.constraint_violations(row, &mut found);
            let messages = (self.shape.messages)(self.row(row));
            found.extend(messages.into_iter().filter(|message| !is_taken(message)).map(|message| {
                Violation {
                    row,
                    label: message.label.0,
                    assertion: None,
                    equations: Vec::new(),
                    cells: vec![CellRun::of_message(row, &message)],
                }
            }));
        }
        self.instance_violations(&mut found);
        found
    }

    fn constraint_violations(&self, row: usize, found: &mut Vec<Violation>) {
        let flags = (self.shape.flags)(row);
        let [local, next] = [self.row(row), self.row(row + 1)];
        let residues =
            (self.shape.residues)(Row { local, next, flags: &flags, parameters: &self.parameters });
        for residue in residues {
            let equation = Equation { coordinate: residue.coordinate, residue: canonical(residue.value) };
            match found.last_mut() {
                Some(last) if last.row == row && last.assertion == Some(residue.assertion) => {
                    last.equations.push(equation);
                }
                _ => {
                    let assertion = &self.shape.assertions[residue.assertion];
                    let mut cells = self.runs(row, &assertion.reads.local);
                    cells.extend(self.runs((row + 1) % self.rows(), &assertion.reads.next));
                    found.push(Violation {
                        row,
                        label: assertion.label.0,
                        assertion: Some(residue.assertion),
                        equations: vec![equation],
                        cells,
                    });
                }
            }
        }
    }

    fn instance_violations(&self, found: &mut Vec<Violation>) {
        for (&column, expected) in self.shape.instance_columns.iter().zip(&self.instance) {
            for (row, &expected) in expected.iter().enumerate() {
                let difference = self.row(row)[column] - expected;
                if difference != KoalaBear::ZERO {
                    found.push(Violation {
                        row,
                        label: INSTANCE.0,
                        assertion: None,
                        equations: vec![Equation { coordinate: None, residue: canonical(difference) }],
                        cells: self.runs(row, std::slice::from_ref(&(column..column + 1))),
                    });
                }
            }
        }
    }

    /// The cells of a row in these ranges of columns, field by field.
    fn runs(&self, row: usize, ranges: &[Range<usize>]) -> Vec<CellRun> {
        let mut runs = Vec::new();
        for range in ranges {
            for field in self.shape.fields {
                let start = range.start.max(field.offset);
                let end = range.end.min(field.offset + field.width);
                if start < end {
                    runs.push(CellRun {
                        row,
                        field: field.name,
                        width: field.width,
                        start: start - field.offset,
                        values: self.row(row)[start..end].iter().copied().map(canonical).collect(),
                    });
                }
            }
        }
        runs
    }
}

/// Whether some table of the machine provides what the message asks for.
fn is_taken(message: &Message<KoalaBear>) -> bool {
    if matches!(message.count, Count::Send(n) if n == KoalaBear::ZERO) {
        return true;
    }
    let field = |i: usize| message.fields.get(i).copied().map_or(0, canonical) as usize;
    match message.bus {
        Bus::Limb => field(0) < 1 << LOG_HEIGHT,
        Bus::LimbPair => field(0) < 1 << LOW_BITS && field(1) < 1 << (LOG_HEIGHT - LOW_BITS),
        Bus::Generator => entries().get(field(0)).is_some_and(|entry| {
            let coordinates = entry.x().0.into_iter().chain(entry.y().0);
            coordinates.eq(message.fields[1..].iter().copied())
        }),
        // The inspected tables speak on no other bus.
        _ => false,
    }
}
