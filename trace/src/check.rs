//! Checks a trace row by row and names what is violated. The same in every build.

use alloc::vec::Vec;
use core::fmt;

use p3_field::PrimeCharacteristicRing;
use p3_maybe_rayon::prelude::*;
use septic_chips::check::{check_row, field_flags};
use septic_chips::sink::Label;
use septic_curve::KoalaBear;

use crate::{Claim, Trace, TraceChip};

/// A violated constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violation {
    /// Index of the event, `None` on padding.
    pub event: Option<usize>,
    /// Row of the trace.
    pub row: usize,
    /// The constraint; [`INSTANCE`] if a cell is not what the claims say.
    pub label: Label,
    /// Coordinate of a septic equation; for [`INSTANCE`] the column.
    pub coordinate: Option<usize>,
}

/// Label of the comparison of a column with the claims.
pub const INSTANCE: Label = Label("claims.instance");

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            Some(event) => write!(f, "event {event}, ")?,
            None => f.write_str("padding, ")?,
        }
        write!(f, "row {}: {}", self.row, self.label)?;
        match self.coordinate {
            Some(i) => write!(f, "[{i}]"),
            None => Ok(()),
        }
    }
}

impl<C: TraceChip> Trace<C> {
    /// The event whose row this is; `None` on padding.
    fn event_of(&self, row: usize) -> Option<usize> {
        let event = row / C::ROWS_PER_EVENT;
        (event < self.outputs.len()).then_some(event)
    }

    /// The constraints that the trace violates, in row order.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        let height = self.main.values.len() / C::WIDTH;
        self.violations_on((0..height).collect::<Vec<_>>().as_slice())
    }

    /// The constraints that the trace violates on the given rows.
    ///
    /// # Panics
    /// If a row is beyond the trace.
    #[must_use]
    pub fn violations_on(&self, rows: &[usize]) -> Vec<Violation> {
        let height = self.main.values.len() / C::WIDTH;
        let flags: Vec<Vec<KoalaBear>> = (0..C::ROWS_PER_EVENT).map(field_flags::<C, KoalaBear>).collect();
        let cells = |row: usize| &self.main.values[row * C::WIDTH..][..C::WIDTH];
        let check = |row: usize| {
            let kind = row % C::ROWS_PER_EVENT;
            check_row::<C, KoalaBear>(cells(row), cells((row + 1) % height), &flags[kind], &self.parameters)
                .into_iter()
                .map(move |failure| Violation {
                    event: self.event_of(row),
                    row,
                    label: failure.label,
                    coordinate: failure.coordinate,
                })
                .collect::<Vec<_>>()
        };
        rows.par_iter().flat_map_iter(|&row| check(row)).collect()
    }

    /// The cells of instance columns that differ from what `claims` determine, in column order.
    #[must_use]
    pub fn instance_violations(&self, claims: &[Claim<C::Event>]) -> Vec<Violation> {
        let height = self.main.values.len() / C::WIDTH;
        let columns = C::instance_columns(claims, &self.second_offsets, height);
        let mut found = Vec::new();
        for (column, expected) in C::INSTANCE_COLUMNS.iter().zip(columns) {
            for (row, expected) in expected.into_iter().enumerate() {
                if self.main.values[row * C::WIDTH + column] - expected != KoalaBear::ZERO {
                    found.push(Violation {
                        event: self.event_of(row),
                        row,
                        label: INSTANCE,
                        coordinate: Some(*column),
                    });
                }
            }
        }
        found
    }
}
