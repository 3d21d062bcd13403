//! Proving with the machine and a stopwatch.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use p3_maybe_rayon::prelude::current_num_threads;
use septic_air::prover::config::Val;
use septic_air::prover::machine::{Progress, TableKind};
use septic_air::prover::p3_matrix::dense::RowMajorMatrix;
use septic_air::{
    ConfigName, Event, Layout, Machine, MachineProof, MixedClaim, Operation, Point, ProveError, Record,
    TraceError,
};

use crate::console::Console;
use crate::failure::Failure;
use crate::measure::{
    Bits, ChipRun, Cut, Summary, TableRun, expected_verification, milliseconds, peak_rss_mb, thousandths,
};

/// Proves lists, one or many, and sums up what it took.
#[derive(Debug)]
pub(crate) struct Prover<'a> {
    config: ConfigName,
    /// The layout that is asked for.
    layout: Option<Layout>,
    /// The layout of the first proof.
    taken: Option<Layout>,
    console: &'a Console,
    /// Whether one commitment to each trace is timed too.
    commits: bool,
    /// Whether the list is one segment of many: the progress is shown elsewhere, errors count the whole list.
    segmented: bool,
    events: [usize; 4],
    distinct: [usize; 4],
    tables: BTreeMap<TableKind, TableRun>,
    execute: Duration,
    trace: Duration,
    prove: Duration,
    verify: Duration,
    commit: Duration,
    proof_bytes: usize,
    security: Bits,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(config: ConfigName, layout: Option<Layout>, console: &'a Console) -> Self {
        Self {
            config,
            layout,
            taken: None,
            console,
            commits: false,
            segmented: false,
            events: [0; 4],
            distinct: [0; 4],
            tables: BTreeMap::new(),
            execute: Duration::ZERO,
            trace: Duration::ZERO,
            prove: Duration::ZERO,
            verify: Duration::ZERO,
            commit: Duration::ZERO,
            proof_bytes: 0,
            security: Bits::default(),
        }
    }

    /// The same prover, timing one commitment to each trace too.
    pub(crate) fn with_commits(self) -> Self {
        Self { commits: true, ..self }
    }

    /// The same prover, for the segments of a list.
    pub(crate) fn for_segments(self) -> Self {
        Self { segmented: true, ..self }
    }

    pub(crate) fn machine(&self) -> Machine {
        let machine = Machine::new(self.config);
        self.layout.map_or(machine, |layout| machine.with_layout(layout))
    }

    /// Proves events and verifies the proof. `known` are results that are known already: a proof of others is an
    /// internal error. `first` is the index of the first event in the file.
    pub(crate) fn prove(
        &mut self,
        file: &str,
        first: u64,
        events: &[Event],
        known: impl Fn(usize) -> Option<Point>,
    ) -> Result<(Vec<MixedClaim>, Vec<u8>), Failure> {
        let machine = self.machine();
        let record = Record::new(events).with_results(&known);
        let mut watch = Watch {
            console: (!self.segmented).then_some(self.console),
            events: events.len(),
            config: self.commits.then_some(self.config),
            tables: Vec::new(),
            clock: Instant::now(),
            executes: false,
            execute: Duration::ZERO,
            trace: Duration::ZERO,
            commit: Duration::ZERO,
        };
        let proven = machine.prove_with(&record, &mut watch);
        self.prove += watch.lap();
        self.console.finish();
        let Watch { tables, execute, trace, commit, .. } = watch;
        let (proof, claims) = proven.map_err(|error| failure(file, first, error))?;
        if let Some(i) = (0..claims.len()).find(|&i| known(i).is_some_and(|out| out != claims[i].out)) {
            let event = first + i as u64;
            return Err(Failure::unusable(format!(
                "internal error: the trace's result of event {event} is wrong"
            )));
        }
        let internal = |error: &dyn std::fmt::Display| Failure::unusable(format!("internal error: {error}"));
        let bytes = proof.to_bytes().map_err(|error| internal(&error))?;
        self.taken.get_or_insert(proof.layout());
        drop(proof);

        if !self.segmented {
            self.console.start_timed("verify", events.len(), expected_verification(events.len()));
        }
        let clock = Instant::now();
        // What is written is what is verified.
        let proof = MachineProof::from_bytes(&bytes).map_err(|error| internal(&error))?;
        machine
            .verify(&claims, &proof)
            .map_err(|error| internal(&format_args!("the proof does not verify: {error}")))?;
        self.verify += clock.elapsed();
        self.console.finish();

        let counts = record.counts();
        self.execute += execute;
        self.trace += trace;
        self.commit += commit;
        self.proof_bytes += bytes.len();
        for event in events {
            self.events[event.operation() as usize] += 1;
        }
        for (sum, count) in self.distinct.iter_mut().zip(counts) {
            *sum += count;
        }
        let security = machine.security_of_counts(counts).ok();
        let security = Bits::from(security.filter(|_| !events.is_empty()));
        self.security = Bits::least([self.security, security].into_iter());
        for (kind, run) in tables {
            self.tables
                .entry(kind)
                .and_modify(|sum| {
                    sum.rows += run.rows;
                    sum.cells += run.cells;
                    sum.trace_ms = thousandths(sum.trace_ms + run.trace_ms);
                })
                .or_insert(run);
        }
        Ok((claims, bytes))
    }

    /// What it took.
    pub(crate) fn summary(self, segments: Option<Cut>) -> Summary {
        let commit_ms = (self.commits && !self.tables.is_empty()).then(|| milliseconds(self.commit));
        let prove_ms = milliseconds(self.prove);
        Summary {
            config: self.config,
            route: "machine",
            layout: self.taken,
            threads: current_num_threads(),
            events: self.events.iter().sum(),
            segments,
            chips: Operation::ALL.into_iter().filter_map(|operation| self.chip(operation)).collect(),
            execute_ms: (!self.execute.is_zero()).then(|| milliseconds(self.execute)),
            trace_ms: milliseconds(self.trace),
            prove_ms,
            verify_ms: milliseconds(self.verify),
            proof_bytes: self.proof_bytes,
            security_bits: self.security,
            peak_rss_mb: peak_rss_mb(),
            commit_ms,
            prove_over_commit: commit_ms.map(|commit| thousandths(prove_ms / commit)),
            tables: self.tables.into_values().collect(),
        }
    }

    /// The tables of an operation, as far as they are its own.
    fn chip(&self, operation: Operation) -> Option<ChipRun> {
        let own = |(kind, _): &(&TableKind, _)| operation_of(**kind) == Some(operation);
        let tables: Vec<&TableRun> = self.tables.iter().filter(own).map(|(_, run)| run).collect();
        let tallest = tables.iter().max_by_key(|table| table.rows)?;
        Some(ChipRun {
            name: operation.name().to_uppercase(),
            layout: match operation {
                Operation::Add | Operation::Double => "row",
                Operation::ScalarMul | Operation::Verify => self.taken.map_or("", Layout::as_str),
            },
            events: self.events[operation as usize],
            distinct: Some(self.distinct[operation as usize]),
            rows: tallest.rows,
            columns: tallest.columns,
            cells: tables.iter().map(|table| table.cells).sum(),
            constraints: tables.iter().map(|table| table.constraints).sum(),
            max_degree: tables.iter().map(|table| table.max_degree).max().unwrap_or(0),
            trace_ms: thousandths(tables.iter().map(|table| table.trace_ms).sum()),
            prove_ms: None,
            commit_ms: None,
            security_bits: None,
        })
    }
}

/// The operation that a table is of; `None` if several share it. Tables are named after their operation.
fn operation_of(table: TableKind) -> Option<Operation> {
    Operation::ALL.into_iter().find(|operation| {
        let rest = table.name().strip_prefix(operation.name());
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

/// What to say about a list that cannot be proven.
fn failure(file: &str, first: u64, error: ProveError) -> Failure {
    let whole = |event: usize| usize::try_from(first).unwrap_or(usize::MAX).saturating_add(event);
    match error {
        ProveError::Trace(error @ TraceError::TooManyEvents { .. }) => too_many(file, &error),
        ProveError::Trace(TraceError::NotOnCurve { event, field }) => {
            Failure::unusable(format!("{file}: {}", TraceError::NotOnCurve { event: whole(event), field }))
        }
        ProveError::Trace(TraceError::NoOffset { event }) => {
            Failure::unusable(format!("{file}: {}", TraceError::NoOffset { event: whole(event) }))
        }
        error => Failure::unusable(format!("{file}: {error}")),
    }
}

/// What to say about a list that is too long for one proof.
pub(crate) fn too_many(what: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::unusable(format!("{what}: {error}: --segment N proves each N events on their own"))
}

/// Times the parts of a proof and shows where it is.
struct Watch<'a> {
    /// Where the progress is shown, if it is.
    console: Option<&'a Console>,
    events: usize,
    /// The configuration, if commitments are timed.
    config: Option<ConfigName>,
    tables: Vec<(TableKind, TableRun)>,
    clock: Instant,
    /// Events are being executed.
    executes: bool,
    execute: Duration,
    trace: Duration,
    /// Time of all commitments that were measured.
    commit: Duration,
}

impl Watch<'_> {
    /// The time since the last call.
    fn lap(&mut self) -> Duration {
        core::mem::replace(&mut self.clock, Instant::now()).elapsed()
    }
}

impl Progress for Watch<'_> {
    fn execution_starts(&mut self, _: Operation, _: usize) {
        self.clock = Instant::now();
        self.executes = true;
    }

    fn trace_starts(&mut self, table: TableKind, events: usize) {
        if core::mem::take(&mut self.executes) {
            let time = self.lap();
            self.execute += time;
        }
        if let Some(console) = self.console {
            let name = operation_of(table).map_or(table.name(), Operation::name);
            console.start_trace(format!("trace {name}"), events);
        }
        self.clock = Instant::now();
    }

    fn trace_done(&mut self, table: TableKind, trace: &RowMajorMatrix<Val>) {
        let time = self.lap();
        self.trace += time;
        if let Some(console) = self.console {
            console.finish();
        }
        if let Some(config) = self.config {
            let _spinner = self.console.map(|console| console.spinner("commit"));
            self.commit += config.commit_time(trace.clone()).unwrap_or_default();
        }
        let shape = table.shape();
        self.tables.push((
            table,
            TableRun {
                name: table.name(),
                rows: trace.values.len() / shape.width,
                columns: shape.width,
                cells: trace.values.len(),
                permutation_columns: shape.permutation_columns,
                constraints: shape.constraints,
                max_degree: shape.degree,
                trace_ms: milliseconds(time),
            },
        ));
        self.clock = Instant::now();
    }

    fn proof_starts(&mut self) {
        if let Some(console) = self.console {
            // A proof takes about three commitments, or ten times as long as the trace.
            let expected = if self.config.is_some() { 3 * self.commit } else { 10 * self.trace };
            console.start_timed("prove", self.events, expected);
        }
        self.clock = Instant::now();
    }
}
