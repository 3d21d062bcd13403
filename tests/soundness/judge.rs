//! What a forgery violates, and whether what it says is true.

use std::collections::BTreeSet;

use septic_chips::Chip;
use septic_chips::check::{Failure, check_row, field_flags};
use septic_chips::sink::Label;
use septic_curve::{KoalaBear, Scalar256};
use septic_trace::{Trace, TraceChip};

use crate::block::{Block, LadderChip};
use crate::curves::Curve;
use crate::support::{at_point, name_of};

/// A violated equation: the row of the trace, the constraint, the coordinate of a septic equation.
pub(crate) type Found = (usize, Label, Option<usize>);

/// The equations of any chip that rows violate. The successor of the last row is the first.
pub(crate) fn failures<C: Chip>(cells: &[KoalaBear], parameters: &[KoalaBear]) -> Vec<Found> {
    let rows: Vec<&[KoalaBear]> = cells.chunks_exact(C::WIDTH).collect();
    let flags: Vec<Vec<KoalaBear>> = (0..C::ROWS_PER_EVENT).map(field_flags::<C, KoalaBear>).collect();
    let mut found = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let next = rows[(i + 1) % rows.len()];
        let failed = check_row::<C, _>(row, next, &flags[i % C::ROWS_PER_EVENT], parameters);
        found.extend(failed.into_iter().map(|Failure { label, coordinate }| (i, label, coordinate)));
    }
    found
}

/// A trace of these cells, whatever they are.
pub(crate) fn trace_of<C: TraceChip>(
    cells: Vec<KoalaBear>,
    events: &[C::Event],
    parameters: &[KoalaBear],
) -> Trace<C> {
    let mut trace = C::generate_trace(events).unwrap();
    assert_eq!(trace.main.values.len(), cells.len());
    trace.main.values = cells;
    trace.parameters = parameters.to_vec();
    trace
}

/// What is found out about a forgery.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// The constraints violated: by the forgery alone, before an honest event, after one.
    pub(crate) violated: [BTreeSet<Label>; 3],
    /// Whether the instance cells say something true.
    pub(crate) statement_holds: bool,
}

/// The three places of a forgery: alone, before an honest event, after one.
pub(crate) fn placements(forged: &[KoalaBear], honest: &[KoalaBear]) -> [Vec<KoalaBear>; 3] {
    [forged.to_vec(), [forged, honest].concat(), [honest, forged].concat()]
}

pub(crate) fn labels_of(found: &[Found]) -> BTreeSet<Label> {
    found.iter().map(|(_, label, _)| *label).collect()
}

/// What a block that fills a trace violates.
pub(crate) fn found_in<C: LadderChip>(block: &Block<C>) -> Vec<Found> {
    failures::<C>(&block.cells(), &vec![block.evaluation_point; C::NUM_PARAMETERS])
}

/// The names of the constraints that a block violates, without chip and number.
pub(crate) fn names_in<C: LadderChip>(block: &Block<C>) -> BTreeSet<&'static str> {
    found_in(block).into_iter().map(|(_, label, _)| name_of(label)).collect()
}

/// Judges a block of a chip over any curve.
pub(crate) fn judge<C: LadderChip>(block: &Block<C>) -> Verdict {
    let parameters = vec![block.evaluation_point; C::NUM_PARAMETERS];
    let (e, s) = (Scalar256::from(5_u64), Scalar256::from(9_u64));
    let honest = Block::<C>::honest(Some(C::Curve::sample()), &e, &s);
    assert_eq!(honest.evaluation_point, block.evaluation_point);
    let placed = placements(&block.cells(), &honest.cells());
    let violated = placed.map(|cells| labels_of(&failures::<C>(&cells, &parameters)));
    Verdict { violated, statement_holds: block.statement_holds() }
}

/// Judges a block of a chip that has a trace generator, with the trace's own checker besides.
pub(crate) fn judge_trace<C: LadderChip + TraceChip>(block: &Block<C>) -> Verdict {
    let verdict = judge(block);
    let parameters = vec![block.evaluation_point; C::NUM_PARAMETERS];
    let event = C::padding().unwrap().event;
    let honest = at_point(C::generate_trace(&[event]).unwrap(), block.evaluation_point);
    let placed = placements(&block.cells(), &honest.main.values);
    for (cells, expected) in placed.into_iter().zip(&verdict.violated) {
        let events = vec![event; cells.len() / C::WIDTH / C::ROWS_PER_EVENT];
        let found = trace_of::<C>(cells, &events, &parameters).violations();
        let labels: BTreeSet<Label> = found.into_iter().map(|violation| violation.label).collect();
        assert_eq!(labels, *expected);
    }
    verdict
}
