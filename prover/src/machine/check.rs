//! Checks the traces of a machine without a proof: every constraint, every instance cell, every bus. The same in every
//! build: nothing relies on debug assertions.

use std::collections::HashMap;

use p3_field::{PrimeCharacteristicRing, PrimeField32};
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_trace::septic_chips::bus::{Bus, Count};
use septic_trace::septic_chips::sink::Label;
use thiserror::Error;

use super::TableKind;
use super::air::RowToCheck;
use super::instances::{self, Filled};
use super::record::Statement;
use crate::bundle::MixedClaim;
use crate::config::Val;

/// Something that is wrong with the traces of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// A constraint does not vanish.
    #[error("{table}, row {row}: {label}{}", coordinate.map(|i| format!("[{i}]")).unwrap_or_default())]
    Constraint {
        /// The table.
        table: TableKind,
        /// The row.
        row: usize,
        /// The constraint.
        label: Label,
        /// Coordinate of a septic equation.
        coordinate: Option<usize>,
    },
    /// A cell is not what the claims say.
    #[error("{table}, row {row}: column {column} is not what the claims say")]
    Instance {
        /// The table.
        table: TableKind,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// A message was not taken as often as it was sent.
    #[error("{bus}: {label} of {table}, row {row}: sent {surplus} times more than taken")]
    Bus {
        /// The bus.
        bus: Bus,
        /// The first row that sends or takes the message: its table.
        table: TableKind,
        /// Its row.
        row: usize,
        /// Its label.
        label: Label,
        /// How often it was sent less how often it was taken, modulo p.
        surplus: u32,
    },
    /// The tables are not those that the claims need.
    #[error("the tables are not those of the claims")]
    Tables,
}

/// The traces of a list, one for each table it needs: what [`super::Machine::prove`] makes and then proves.
#[derive(Clone, Debug)]
pub struct Traces {
    pub(crate) layout: super::Layout,
    pub(crate) tables: Vec<Filled>,
}

impl Traces {
    /// The tables with their traces.
    pub fn tables(&self) -> impl Iterator<Item = (TableKind, &RowMajorMatrix<Val>)> {
        self.tables.iter().map(|table| (table.kind, &table.trace))
    }

    /// The trace of a table, to be changed.
    pub fn table_mut(&mut self, kind: TableKind) -> Option<&mut RowMajorMatrix<Val>> {
        self.tables.iter_mut().find(|table| table.kind == kind).map(|table| &mut table.trace)
    }

    /// Leaves a table out. Returns whether it was there.
    pub fn remove(&mut self, kind: TableKind) -> bool {
        let before = self.tables.len();
        self.tables.retain(|table| table.kind != kind);
        before != self.tables.len()
    }

    /// What is wrong with the traces as traces of `claims`: constraints and instance cells in row order, then messages.
    #[must_use]
    pub fn faults(&self, claims: &[MixedClaim]) -> Vec<Fault> {
        let statement = Statement::new(claims);
        let needed = instances::tables(statement.counts(), self.layout).unwrap_or_default();
        // Rows of a table of another height have other places, and constraints of their places would mean nothing.
        let fits = |table: &Filled, &(kind, log_height): &(TableKind, usize)| {
            table.kind == kind && table.trace.values.len() == kind.width() << log_height
        };
        let mut faults = Vec::new();
        let same = self.tables.len() == needed.len();
        if !(same && self.tables.iter().zip(&needed).all(|(table, needed)| fits(table, needed))) {
            faults.push(Fault::Tables);
        }
        if !self.tables.iter().all(|table| needed.iter().any(|needed| fits(table, needed))) {
            return faults;
        }
        for table in &self.tables {
            faults.extend(constraint_faults(table));
            faults.extend(instance_faults(table, &statement));
        }
        faults.extend(self.bus_faults());
        faults
    }

    fn bus_faults(&self) -> Vec<Fault> {
        struct Seen {
            balance: Val,
            first: (TableKind, usize, Label),
        }
        let mut seen: HashMap<(Bus, Vec<u32>), Seen> = HashMap::new();
        for table in &self.tables {
            for (row, cells) in table.trace.row_slices().enumerate() {
                for message in table.kind.messages(cells) {
                    let count = match message.count {
                        Count::Send(n) => n,
                        Count::Receive(n) | Count::Provide(n) => -n,
                    };
                    if count == Val::ZERO {
                        continue;
                    }
                    let fields = message.fields.iter().map(PrimeField32::as_canonical_u32).collect();
                    seen.entry((message.bus, fields))
                        .or_insert(Seen { balance: Val::ZERO, first: (table.kind, row, message.label) })
                        .balance += count;
                }
            }
        }
        let mut faults: Vec<Fault> = seen
            .into_iter()
            .filter(|(_, seen)| seen.balance != Val::ZERO)
            .map(|((bus, _), Seen { balance, first: (table, row, label) })| Fault::Bus {
                bus,
                table,
                row,
                label,
                surplus: balance.as_canonical_u32(),
            })
            .collect();
        faults.sort_by_key(|fault| match fault {
            Fault::Bus { bus, table, row, label, .. } => (*bus, *table, *row, *label),
            _ => unreachable!("only messages are here"),
        });
        faults
    }
}

fn constraint_faults(table: &Filled) -> Vec<Fault> {
    let Filled { kind, trace, parameters } = table;
    let (height, width) = (trace.height(), trace.width);
    let cells = |row: usize| &trace.values[row * width..][..width];
    let check = |row: usize| {
        let next = cells((row + 1) % height);
        kind.check_row(&RowToCheck { number: row, height, local: cells(row), next, parameters })
            .into_iter()
            .map(move |failure| Fault::Constraint {
                table: *kind,
                row,
                label: failure.label,
                coordinate: failure.coordinate,
            })
            .collect::<Vec<_>>()
    };
    (0..height).into_par_iter().flat_map_iter(check).collect()
}

fn instance_faults(table: &Filled, statement: &Statement) -> Vec<Fault> {
    let height = table.trace.height();
    let mut faults = Vec::new();
    let columns = instances::instance_columns(statement, table.kind, height);
    for (&column, expected) in table.kind.instance_columns().iter().zip(columns) {
        for (row, expected) in expected.into_iter().enumerate() {
            if table.trace.values[row * table.trace.width + column] != expected {
                faults.push(Fault::Instance { table: table.kind, row, column });
            }
        }
    }
    faults
}
