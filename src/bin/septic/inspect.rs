//! `septic inspect`.

mod args;
mod page;

use std::io::Write;
use std::ops::Range;

use septic_air::files::read_events;
use septic_air::inspect::{EventTrace, Inspection, Text};
use serde::Serialize;

use crate::args::Place;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{Access, Staged, about, check_outputs, open};

pub(crate) use args::InspectArgs;

/// The rows that are shown unless others are asked for, and of those that violate something.
const SHOWN: usize = 4;

/// The summary: the inspection and what was inspected.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    event: usize,
    #[serde(flatten)]
    inspection: &'a Inspection,
}

pub(crate) fn run(args: &InspectArgs, console: &Console) -> Result<Outcome, Failure> {
    let outputs: Vec<_> = args.html.iter().collect();
    check_outputs(&outputs, console)?;
    let trace = trace(args)?;
    let all = trace.inspect(0..trace.rows());
    let shown = shown(args, &trace, &all)?;
    if let Some(place) = &args.html {
        let page = page::page(&args.events.to_string(), args.event, &all)?;
        let write = |out: &mut dyn Write| out.write_all(page.as_bytes());
        Staged::new(place, Access::Usual, write)?.commit(console)?;
    }
    console.summary(&Summary { event: args.event, inspection: &shown })?;
    if args.html.as_ref().is_none_or(|place| *place != Place::Standard) {
        console.result(format_args!("{}: event {}: {}", args.events, args.event, Text(&shown)))?;
    }
    if shown.satisfied {
        return Ok(Outcome::Done);
    }
    let count: usize = shown.violations.iter().map(|violation| violation.equations.len().max(1)).sum();
    let equations = if count == 1 { "equation" } else { "equations" };
    console.error(&format!("rejected: {}: event {}: {count} violated {equations}", args.events, args.event));
    Ok(Outcome::Rejected)
}

/// The trace of the event, changed.
fn trace(args: &InspectArgs) -> Result<EventTrace, Failure> {
    let events = read_events(&args.events.to_string(), open(&args.events)?)?;
    let Some(stated) = events.get(args.event) else {
        let count = events.len();
        return Err(Failure::unusable(format!("--event {}: {} has {count} events", args.event, args.events)));
    };
    let mut trace = EventTrace::new(stated, args.layout).map_err(|error| {
        about(&args.events, format_args!("event {}, as a list of its own: {error}", args.event))
    })?;
    for new in &args.set {
        trace.set(new).map_err(|error| Failure::unusable(format!("--set {new}: {error}")))?;
    }
    Ok(trace)
}

/// The inspection with the rows that are asked for.
fn shown(args: &InspectArgs, trace: &EventTrace, all: &Inspection) -> Result<Inspection, Failure> {
    let rows = trace.rows();
    match &args.rows {
        Some(Range { start, end }) if *end > rows => {
            Err(Failure::unusable(format!("--rows {start}..{end}: the trace has rows 0..{rows}")))
        }
        Some(range) => Ok(trace.inspect(range.clone())),
        None if args.all => Ok(all.clone()),
        None => {
            let mut violated: Vec<usize> = all.violations.iter().map(|violation| violation.row).collect();
            violated.dedup();
            violated.truncate(SHOWN);
            let first = SHOWN.min(trace.event_rows());
            let mut shown = all.clone();
            shown.rows.retain(|row| row.row < first || violated.contains(&row.row));
            Ok(shown)
        }
    }
}
