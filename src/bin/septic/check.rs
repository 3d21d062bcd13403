//! `septic check`.

use septic_air::chips::columns::ColumnSet;
use septic_air::files::{StatedEvent, read_events};
use septic_air::trace::check::{INSTANCE, Violation};
use septic_air::{
    AddChip, Claim, DoubleChip, Event, Operation, ScalarMulChip, TraceChip, TraceError, VerifyChip,
};
use serde::Serialize;
use serde_json::json;

use crate::args::CheckArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{about, open};

/// The greatest number of violations that are shown to people.
const SHOWN: usize = 100;

/// A violated constraint, as it is reported.
#[derive(Clone, Debug, Serialize)]
struct Reported {
    /// `None` on padding.
    event: Option<usize>,
    operation: &'static str,
    row: usize,
    label: &'static str,
    coordinate: Option<usize>,
    /// The column's name, where the claims determine a column.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
}

impl Reported {
    fn line(&self, file: &str) -> String {
        let event = self.event.map_or_else(|| "padding".to_owned(), |event| format!("event {event}"));
        let coordinate = self.coordinate.map_or_else(String::new, |i| format!("[{i}]"));
        let column = self.column.as_ref().map_or_else(String::new, |name| format!(" (column {name})"));
        let Self { operation, row, label, .. } = self;
        format!("{file}: {event}: row {row} of {operation}: {label}{coordinate}{column}")
    }
}

pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<Outcome, Failure> {
    let file = args.events.to_string();
    let stated = read_events(&file, open(&args.events)?)?;
    let mut violations = Vec::new();
    for operation in Operation::ALL {
        let found = match operation {
            Operation::Add => check::<AddChip>(console, &stated, |event| match event {
                Event::Add(event) => Some(event),
                _ => None,
            }),
            Operation::Double => check::<DoubleChip>(console, &stated, |event| match event {
                Event::Double(event) => Some(event),
                _ => None,
            }),
            Operation::ScalarMul => check::<ScalarMulChip>(console, &stated, |event| match event {
                Event::ScalarMul(event) => Some(event),
                _ => None,
            }),
            Operation::Verify => check::<VerifyChip>(console, &stated, |event| match event {
                Event::Verify(event) => Some(event),
                _ => None,
            }),
        };
        violations.extend(found.map_err(|error| about(&args.events, error))?);
    }

    console.summary(&json!({
        "events": stated.len(),
        "satisfied": violations.is_empty(),
        "violations": violations,
    }))?;
    if violations.is_empty() {
        console.result(format_args!("{} events satisfy every constraint", stated.len()))?;
        return Ok(Outcome::Done);
    }
    let mut lines: Vec<_> = violations.iter().take(SHOWN).map(|violation| violation.line(&file)).collect();
    if violations.len() > SHOWN {
        lines.push(format!("and {} more", violations.len() - SHOWN));
    }
    console.result(lines.join("\n"))?;
    console.error(&format!("rejected: {file}: {} violated constraints", violations.len()));
    Ok(Outcome::Rejected)
}

/// Checks the events of one operation.
fn check<C: TraceChip>(
    console: &Console,
    stated: &[StatedEvent],
    pick: impl Fn(Event) -> Option<C::Event>,
) -> Result<Vec<Reported>, TraceError> {
    let mut indices = Vec::new();
    let mut events = Vec::new();
    for (i, stated) in stated.iter().enumerate() {
        if let Some(event) = pick(stated.event) {
            indices.push(i);
            events.push(event);
        }
    }
    if events.is_empty() {
        return Ok(Vec::new());
    }
    console.start_trace(format!("trace {}", C::OPERATION), events.len());
    let trace = C::generate_trace(&events)?;
    console.finish();
    let _spinner = console.spinner(format!("check {}", C::OPERATION));
    let claims: Vec<Claim<C::Event>> = indices
        .iter()
        .zip(&events)
        .map(|(&i, &event)| match stated[i].out {
            Some(out) => Claim { event, out },
            None => Claim::of(event),
        })
        .collect();
    let mut violations = trace.violations();
    violations.extend(trace.instance_violations(&claims));
    Ok(violations.into_iter().map(|violation| reported::<C>(violation, &indices)).collect())
}

fn reported<C: TraceChip>(violation: Violation, indices: &[usize]) -> Reported {
    let Violation { event, row, label, coordinate } = violation;
    let column = coordinate.filter(|_| label == INSTANCE).and_then(column_name::<C>);
    let event = event.and_then(|event| indices.get(event).copied());
    Reported { event, operation: C::OPERATION.name(), row, label: label.0, coordinate, column }
}

/// The name of a column: its field, and its place in the field if that has several.
fn column_name<C: TraceChip>(column: usize) -> Option<String> {
    let fields = <C::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let field = fields.iter().find(|field| (field.offset..field.offset + field.width).contains(&column))?;
    Some(match field.width {
        1 => field.name.to_owned(),
        _ => format!("{}[{}]", field.name, column - field.offset),
    })
}
