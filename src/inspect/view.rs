//! Everything there is to show, as data.

use std::ops::Range;

use serde::Serialize;

use super::decode;
use super::trace::EventTrace;
use super::violations::{Violation, canonical};
use crate::chips::check::Message;
use crate::chips::reads::Assertion;
use crate::curve::{DEGREE, KoalaBear};
use crate::trace::check::INSTANCE;

/// A trace, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// The operation: `verify`.
    pub operation: &'static str,
    /// `row`, `row-per-bit` or `half-scalar`.
    pub layout: &'static str,
    /// Name of the table.
    pub table: &'static str,
    /// Rows of the trace in a proof of this event alone, padding included.
    pub height: usize,
    /// Rows that are shown and checked; the rest is padding that looks like the last of these.
    pub checked_rows: usize,
    /// Rows of the event.
    pub rows_per_event: usize,
    /// Number of columns.
    pub width: usize,
    /// Whether nothing is violated.
    pub satisfied: bool,
    /// The event's points and its result.
    pub points: Vec<PointView>,
    /// The event's scalars.
    pub scalars: Vec<Decoded>,
    /// Cells that were changed.
    pub changes: Vec<Change>,
    /// Parameters of the trace, canonical.
    pub parameters: Vec<u32>,
    /// Fields of a row, in row order.
    pub fields: Vec<FieldView>,
    /// Names of the row's flags.
    pub flags: Vec<&'static str>,
    /// The constraints, in the order in which they are asserted.
    pub constraints: Vec<ConstraintView>,
    /// The assertions, which violations refer to.
    pub assertions: Vec<AssertionView>,
    /// The messages that a row sends.
    pub messages: Vec<MessageView>,
    /// The rows that were asked for.
    pub rows: Vec<RowView>,
    /// What is violated.
    pub violations: Vec<Violation>,
}

/// A run of columns with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldView {
    /// Its name.
    pub name: &'static str,
    /// Its first column.
    pub offset: usize,
    /// Number of columns.
    pub width: usize,
    /// Name of the role.
    pub role: &'static str,
    /// The value that an honest prover writes.
    pub honest: String,
    /// Numbers of the constraints that fix it.
    pub constrained_by: String,
    /// Whether the claims determine it.
    pub instance: bool,
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConstraintView {
    /// Its label: `verify.C4.start_y`.
    pub label: &'static str,
    /// Its number: `C4`.
    pub id: &'static str,
    /// The formula.
    pub formula: String,
    /// What it means; may be empty.
    pub means: String,
    /// Equations of the base field.
    pub equations: usize,
    /// Degree, gates included.
    pub degree: usize,
}

/// One assertion of a constraint, with what it reads: ranges `[first, end)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AssertionView {
    /// Index of the constraint.
    pub constraint: usize,
    /// Equations: 1 or 7.
    pub equations: usize,
    /// Columns of the row.
    pub local: Vec<[usize; 2]>,
    /// Columns of the next row.
    pub next: Vec<[usize; 2]>,
    /// Flags.
    pub flags: Vec<[usize; 2]>,
    /// Parameters of the trace.
    pub parameters: Vec<[usize; 2]>,
}

/// A kind of message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MessageView {
    /// Its label.
    pub label: &'static str,
    /// The bus.
    pub bus: &'static str,
    /// How many a row sends.
    pub times: usize,
    /// The fields.
    pub fields: String,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RowView {
    /// Its number.
    pub row: usize,
    /// What kind of row it is.
    pub kind: String,
    /// Its flags, canonical.
    pub flags: Vec<u32>,
    /// Its cells, canonical.
    pub cells: Vec<u32>,
    /// What the cells mean.
    pub points: Vec<PointView>,
    /// The same of bits and numbers.
    pub numbers: Vec<Decoded>,
}

/// A point that a row holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PointView {
    /// What it is called on the row.
    pub name: String,
    /// The points that it is, if it is recognised: `A = −G`.
    pub is: Option<String>,
    /// Whether it is on the curve, or the identity.
    pub on_curve: bool,
    /// Six hexadecimal digits that change with the point.
    pub fingerprint: String,
    /// x, canonical, low degree first; zeros for the identity.
    pub x: [u32; DEGREE],
    /// y, likewise.
    pub y: [u32; DEGREE],
    /// Whether both coordinates are cells; otherwise constraints compute one.
    pub in_cells: bool,
}

/// A number that a row holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Decoded {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What that means; may be empty.
    pub means: String,
}

/// Cells of a field, or fields of a message, that a violation reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CellRun {
    /// The row.
    pub row: usize,
    /// Name of the field.
    pub field: &'static str,
    /// Width of the field.
    #[serde(skip)]
    pub width: usize,
    /// The first cell's place in the field.
    pub start: usize,
    /// The values, canonical.
    pub values: Vec<u32>,
}

impl CellRun {
    pub(super) fn of_message(row: usize, message: &Message<KoalaBear>) -> Self {
        let values: Vec<u32> = message.fields.iter().copied().map(canonical).collect();
        Self { row, field: message.bus.name(), width: values.len(), start: 0, values }
    }

    /// The name with the range of places, if it is not the whole field.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.width, self.values.len()) {
            (width, length) if width == length => self.field.to_owned(),
            (_, 1) => format!("{}[{}]", self.field, self.start),
            (_, length) => format!("{}[{}..{}]", self.field, self.start, self.start + length),
        }
    }
}

/// A changed cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The column.
    pub column: usize,
    /// Its name.
    pub name: String,
    /// The row.
    pub row: usize,
    /// The value that it had.
    pub old: u32,
    /// The value that it has.
    pub new: u32,
}

fn pairs(ranges: &[Range<usize>]) -> Vec<[usize; 2]> {
    ranges.iter().map(|range| [range.start, range.end]).collect()
}

impl Inspection {
    pub(super) fn of(trace: &EventTrace, rows: Range<usize>) -> Self {
        let shape = &trace.shape;
        let (constraints, assertions) = constraints(trace);
        let violations = trace.violations();
        let rows = rows.start..rows.end.min(trace.rows());
        Self {
            operation: trace.claim.event.operation().name(),
            layout: trace.layout,
            table: shape.name,
            height: trace.height,
            checked_rows: trace.rows(),
            rows_per_event: shape.period,
            width: shape.width,
            satisfied: violations.is_empty(),
            points: trace.names.event(),
            scalars: decode::event_scalars(&trace.claim.event),
            changes: trace.changes.clone(),
            parameters: trace.parameters.iter().copied().map(canonical).collect(),
            fields: fields(trace),
            flags: shape.flag_fields.iter().map(|field| field.name).collect(),
            constraints,
            assertions,
            messages: messages(trace),
            rows: rows.map(|row| decode::row(trace, row)).collect(),
            violations,
        }
    }

    /// The constraint with this label.
    #[must_use]
    pub fn constraint(&self, label: &str) -> Option<&ConstraintView> {
        self.constraints.iter().find(|constraint| constraint.label == label)
    }

    /// The formula and the meaning of what is violated.
    #[must_use]
    pub fn explain(&self, violation: &Violation) -> (String, String) {
        if let Some(constraint) = self.constraint(violation.label) {
            return (constraint.formula.clone(), constraint.means.clone());
        }
        match self.messages.iter().find(|message| message.label == violation.label) {
            Some(MessageView { bus, fields, .. }) => (
                format!("({fields}) is on the bus {bus}"),
                "no table provides what the row asks for".to_owned(),
            ),
            None if violation.label == INSTANCE.0 => {
                ("cell = what the claim says".to_owned(), "the verifier compares it with its own".to_owned())
            }
            None => Default::default(),
        }
    }
}

fn fields(trace: &EventTrace) -> Vec<FieldView> {
    let shape = &trace.shape;
    let view = |field: &crate::chips::columns::Field| {
        let doc = shape.documentation.column(field.name);
        FieldView {
            name: field.name,
            offset: field.offset,
            width: field.width,
            role: field.role.name(),
            honest: doc.map(|doc| doc.honest.clone()).unwrap_or_default(),
            constrained_by: doc.map(|doc| doc.constrained_by.clone()).unwrap_or_default(),
            instance: shape.instance_columns.contains(&field.offset),
        }
    };
    shape.fields.iter().map(view).collect()
}

fn constraints(trace: &EventTrace) -> (Vec<ConstraintView>, Vec<AssertionView>) {
    let mut constraints: Vec<ConstraintView> = Vec::new();
    let mut views = Vec::new();
    for Assertion { label, equations, reads } in &trace.shape.assertions {
        let known = constraints.iter().position(|constraint| constraint.label == label.0);
        let constraint = known.unwrap_or_else(|| {
            let doc = trace.shape.documentation.constraint(label.0);
            constraints.push(ConstraintView {
                label: label.0,
                // `C4` in `verify.C4.start_y`, and in `verify_half.C4.offset`.
                id: label.id(),
                formula: doc.map(|doc| doc.formula.clone()).unwrap_or_default(),
                means: doc.map(|doc| doc.means.clone()).unwrap_or_default(),
                equations: 0,
                degree: doc.map_or(0, |doc| doc.degree),
            });
            constraints.len() - 1
        });
        constraints[constraint].equations += equations;
        views.push(AssertionView {
            constraint,
            equations: *equations,
            local: pairs(&reads.local),
            next: pairs(&reads.next),
            flags: pairs(&reads.flags),
            parameters: pairs(&reads.parameters),
        });
    }
    (constraints, views)
}

fn messages(trace: &EventTrace) -> Vec<MessageView> {
    let mut views: Vec<MessageView> = Vec::new();
    for message in (trace.shape.messages)(trace.row(0)) {
        match views.iter_mut().find(|view| view.label == message.label.0) {
            Some(view) => view.times += 1,
            None => {
                let doc = trace.shape.documentation.message(message.label.0);
                let fields = doc.map(|doc| doc.fields.clone()).unwrap_or_default();
                views.push(MessageView { label: message.label.0, bus: message.bus.name(), times: 1, fields });
            }
        }
    }
    views
}
