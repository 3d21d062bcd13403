//! One list of VERIFYs, three times: what it takes, and where the time of a proof goes.

use std::error::Error;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use septic_chips::Operation;
use septic_chips::septic_curve::{Point, Scalar256};
use septic_prover::ConfigName;
use septic_prover::machine::{Layout, Machine, MachineProof, Progress, Record, TableKind};
use septic_trace::{Event, VerifyEvent};
use serde::{Deserialize, Serialize};
use tracing::{Id, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

const CONFIG: ConfigName = ConfigName::Benchmark;
const ROUNDS: usize = 3;

/// Names of the phases that add up to execution, traces and proof.
pub(crate) const PHASES: [&str; 8] =
    ["execute", "trace", "set up", "commit", "buses", "quotient", "commit quotient", "open"];

/// Medians of a list's rounds. Times in milliseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) layout: Layout,
    pub(crate) events: usize,
    pub(crate) execute: f64,
    pub(crate) trace: f64,
    pub(crate) commit: f64,
    pub(crate) prove: f64,
    pub(crate) verify: f64,
    pub(crate) proof_bytes: usize,
    /// In 10⁶ bytes, after the first proof. Known on Linux only.
    pub(crate) peak_memory: Option<f64>,
    pub(crate) main_cells: usize,
    pub(crate) cells: usize,
    /// Times of [`PHASES`].
    pub(crate) phases: [f64; PHASES.len()],
}

/// Where spans begin and end.
static SPANS: Mutex<Vec<(&'static str, bool, Instant)>> = Mutex::new(Vec::new());

/// Notes when spans of Plonky3 are entered and left.
struct Spans;

impl Spans {
    fn note<S: Subscriber + for<'a> LookupSpan<'a>>(id: &Id, enters: bool, context: &Context<'_, S>) {
        let now = Instant::now();
        if let (Some(span), Ok(mut spans)) = (context.span(id), SPANS.lock()) {
            spans.push((span.name(), enters, now));
        }
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        Self::note(id, true, &context);
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        Self::note(id, false, &context);
    }
}

/// The phases of a proof that began at `start` from the spans of p3-batch-stark and p3-merkle-tree. They follow one
/// another, though each may use all threads.
fn phases(
    start: Instant,
    spans: &[(&'static str, bool, Instant)],
) -> Result<[f64; PHASES.len() - 2], Box<dyn Error>> {
    let find = |what: &'static str, enters: bool, from: Instant| {
        spans
            .iter()
            .filter(move |&&(name, e, at)| name == what && e == enters && at >= from)
            .map(|&(_, _, at)| at)
            .min()
            .ok_or_else(|| format!("no span {what:?}"))
    };
    let last = |what: &'static str| {
        spans.iter().filter(|(name, enters, _)| *name == what && !enters).map(|&(_, _, at)| at).max()
    };
    // Each table's degree is inferred from its constraints before anything is committed to.
    let inferred =
        last("infer log of constraint degree").map_or_else(|| find("prove_batch", true, start), Ok)?;
    let end = find("prove_batch", false, start)?;
    let buses = find("generate lookup permutation", true, start)?;
    let quotient = find("compute quotient", true, start)?;
    // Tables' quotients overlap.
    let quotient_end = last("compute quotient").ok_or("no quotient")?;
    let open = find("build merkle tree", false, quotient_end)?;
    let bounds = [start, inferred, buses, quotient, quotient_end, open, end];
    Ok(core::array::from_fn(|i| milliseconds(bounds[i + 1] - bounds[i])))
}

/// The time of execution.
#[derive(Default)]
struct Watch {
    started: Option<Instant>,
    execute: Duration,
}

impl Progress for Watch {
    fn execution_starts(&mut self, _: Operation, _: usize) {
        self.started = Some(Instant::now());
    }

    fn trace_starts(&mut self, _: TableKind, _: usize) {
        self.execute += self.started.take().map(|start| start.elapsed()).unwrap_or_default();
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The most memory that this process has had.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}

/// Distinct points and full-size scalars, the same on every run (splitmix64).
fn events(count: usize) -> Vec<Event> {
    let mut state = 1_u64;
    let mut limb = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    };
    let mut scalar = || Scalar256::from_le_limbs([0; 8].map(|_| limb()));
    (0..count)
        .map(|_| VerifyEvent { a: Point::GENERATOR.mul_vartime(&scalar()), s: scalar(), e: scalar() }.into())
        .collect()
}

/// Measures a list.
pub(crate) fn run(layout: Layout, count: usize) -> Result<Run, Box<dyn Error>> {
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(Spans))?;
    let machine = Machine::new(CONFIG).with_layout(layout);
    let events = events(count);
    let mut peak = None;
    let (mut proof_bytes, mut main_cells, mut cells) = (0, 0, 0);
    let mut rounds: Vec<([f64; 3], [f64; PHASES.len()])> = Vec::new();
    for _ in 0..ROUNDS {
        let record = Record::new(&events);
        let mut watch = Watch::default();
        let clock = Instant::now();
        let (traces, claims) = machine.traces(&record, &mut watch)?;
        let trace = clock.elapsed() - watch.execute;

        SPANS.lock().map_err(|e| e.to_string())?.clear();
        let clock = Instant::now();
        let proof = machine.prove_traces(&traces, &claims, &mut ())?;
        let prove = clock.elapsed();
        let parts = phases(clock, &SPANS.lock().map_err(|e| e.to_string())?)?;

        let bytes = proof.to_bytes()?;
        proof_bytes = bytes.len();
        let clock = Instant::now();
        machine.verify(&claims, &MachineProof::from_bytes(&bytes)?)?;
        let verify = clock.elapsed();
        peak = peak.or_else(peak_memory);

        let mut commit = Duration::ZERO;
        for (_, trace) in traces.tables() {
            commit += CONFIG.commit_time(trace.clone())?;
        }
        main_cells = traces.tables().map(|(_, trace)| trace.values.len()).sum();
        cells = traces
            .tables()
            .map(|(kind, trace)| trace.values.len() / trace.width * kind.shape().cells())
            .sum();
        let [a, b, c, d, e, f] = parts;
        let (execute, trace) = (milliseconds(watch.execute), milliseconds(trace));
        rounds.push((
            [milliseconds(commit), milliseconds(prove), milliseconds(verify)],
            [execute, trace, a, b, c, d, e, f],
        ));
    }
    let [commit, prove, verify] =
        core::array::from_fn(|i| median(rounds.iter().map(|(times, _)| times[i]).collect()));
    let phases: [f64; PHASES.len()] =
        core::array::from_fn(|i| median(rounds.iter().map(|(_, phases)| phases[i]).collect()));
    Ok(Run {
        layout,
        events: count,
        execute: phases[0],
        trace: phases[1],
        commit,
        prove,
        verify,
        proof_bytes,
        peak_memory: peak,
        main_cells,
        cells,
        phases,
    })
}
