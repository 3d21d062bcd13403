//! `septic execute`, and native execution for the other commands.

use std::time::Instant;

use indicatif::ProgressBar;
use p3_maybe_rayon::prelude::*;
use septic_air::curve::{mul_add_batch, mul_batch};
use septic_air::files::{read_events, write_claims};
use septic_air::{Claim, Event, Operation, Point, ScalarMulEvent, VerifyEvent};
use serde_json::json;

use crate::args::ExecuteArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{Access, Staged, check_outputs, open};
use crate::measure::milliseconds;

/// Number of events that are executed at a time.
const CHUNK: usize = 64;

pub(crate) fn run(args: &ExecuteArgs, console: &Console) -> Result<Outcome, Failure> {
    check_outputs(&[&args.output], console)?;
    let stated = read_events(&args.events.to_string(), open(&args.events)?)?;
    let events: Vec<Event> = stated.iter().map(|stated| stated.event).collect();

    let clock = Instant::now();
    let results = execute(&events, &console.bar("execute", events.len()));
    let execute_ms = milliseconds(clock.elapsed());
    let replaced = stated.iter().zip(&results).filter(|(stated, out)| stated.check(**out).is_err()).count();
    let claims: Vec<_> = events.iter().zip(results).map(|(&event, out)| Claim { event, out }).collect();

    Staged::new(&args.output, Access::Usual, |writer| write_claims(writer, &claims))?.commit(console)?;
    let operations: serde_json::Map<_, _> = Operation::ALL
        .iter()
        .map(|operation| {
            let count = events.iter().filter(|event| event.operation() == *operation).count();
            (operation.name().to_owned(), count.into())
        })
        .collect();
    console.summary(&json!({
        "events": events.len(),
        "operations": operations,
        "replaced": replaced,
        "execute_ms": execute_ms,
    }))?;
    console.message(format_args!("executed {} events in {execute_ms:.1} ms", events.len()));
    if replaced > 0 {
        console.message(format_args!("replaced {replaced} stated results that were wrong"));
    }
    Ok(Outcome::Done)
}

/// The results of events, computed natively.
pub(crate) fn execute(events: &[Event], bar: &ProgressBar) -> Vec<Point> {
    let chunks: Vec<Vec<Point>> = events
        .par_chunks(CHUNK)
        .map(|events| {
            let results = execute_chunk(events);
            bar.inc(events.len() as u64);
            results
        })
        .collect();
    bar.finish_and_clear();
    chunks.concat()
}

/// The results of some events. Multiplications share packed lanes and an inversion.
fn execute_chunk(events: &[Event]) -> Vec<Point> {
    let products: Vec<_> = events
        .iter()
        .filter_map(|event| match *event {
            Event::ScalarMul(ScalarMulEvent { p, s }) => Some((s, p)),
            _ => None,
        })
        .collect();
    let sums: Vec<_> = events
        .iter()
        .filter_map(|event| match *event {
            Event::Verify(VerifyEvent { a, s, e }) => Some((s, e, a)),
            _ => None,
        })
        .collect();
    let (mut products, mut sums) = (mul_batch(&products).into_iter(), mul_add_batch(&sums).into_iter());
    events
        .iter()
        .map(|event| {
            let batched = match event {
                Event::Add(_) | Event::Double(_) => None,
                Event::ScalarMul(_) => products.next(),
                Event::Verify(_) => sums.next(),
            };
            batched.unwrap_or_else(|| event.execute())
        })
        .collect()
}
