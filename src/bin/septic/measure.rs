//! Proving each chip on its own with a stopwatch, and the summary of every proof.

use std::fmt;
use std::time::{Duration, Instant};

use septic_air::chips::p3::ChipAir;
use septic_air::cost::ChipCost;
use septic_air::prover::claims::DIGEST_LEN;
use septic_air::prover::config::Val;
use septic_air::prover::{Observer, SecurityBits};
use septic_air::trace::Trace;
use septic_air::{
    AddChip, Bundle, Chip, ConfigName, DoubleChip, Event, Layout, MixedClaim, Operation, Point,
    ScalarMulChip, TraceChip, VerifyChip,
};
use serde::Serialize;

use crate::console::Console;
use crate::failure::Failure;

/// Milliseconds with microseconds.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    thousandths(duration.as_secs_f64() * 1e3)
}

/// A number with three decimals.
pub(crate) fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

/// What verifying a proof of so many events may take, for the progress that is shown.
pub(crate) fn expected_verification(events: usize) -> Duration {
    Duration::from_millis(10) + Duration::from_micros(50).mul_f64(events as f64)
}

/// Security of a proof: the least of its parts', `None` where nothing is proven.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Bits {
    pub(crate) conjectured: Option<u32>,
    pub(crate) proven: Option<u32>,
}

impl From<Option<SecurityBits>> for Bits {
    fn from(bits: Option<SecurityBits>) -> Self {
        Self { conjectured: bits.map(|bits| bits.conjectured), proven: bits.map(|bits| bits.proven) }
    }
}

impl Bits {
    /// The security of a proof of chip `C` over `rows` rows.
    fn of<C: Chip>(config: ConfigName, rows: usize) -> Self {
        let air = ChipAir::<C, Val>::for_prover(DIGEST_LEN);
        // Heights that the configuration does not support have no security; proving them fails.
        match config.security(&air, rows.max(1).ilog2() as usize) {
            Ok(bits) => Self { conjectured: Some(bits.conjectured), proven: Some(bits.proven) },
            Err(_) => Self::default(),
        }
    }

    pub(crate) fn least(all: impl Iterator<Item = Self> + Clone) -> Self {
        Self {
            conjectured: all.clone().filter_map(|bits| bits.conjectured).min(),
            proven: all.filter_map(|bits| bits.proven).min(),
        }
    }

    /// The security of proofs of each chip about a list of claims.
    pub(crate) fn of_claims(config: ConfigName, claims: &[MixedClaim]) -> Self {
        fn part<C: TraceChip>(config: ConfigName, events: usize) -> Bits {
            C::height(events).map_or_else(|_| Bits::default(), |rows| Bits::of::<C>(config, rows))
        }
        let parts = Operation::ALL.map(|operation| {
            match claims.iter().filter(|claim| claim.event.operation() == operation).count() {
                0 => Self::default(),
                events => match operation {
                    Operation::Add => part::<AddChip>(config, events),
                    Operation::Double => part::<DoubleChip>(config, events),
                    Operation::ScalarMul => part::<ScalarMulChip>(config, events),
                    Operation::Verify => part::<VerifyChip>(config, events),
                },
            }
        });
        Self::least(parts.into_iter())
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.proven, self.conjectured) {
            (Some(proven), Some(conjectured)) => {
                write!(f, "{proven} bits of security proven, {conjectured} conjectured")
            }
            _ => f.write_str("nothing proven"),
        }
    }
}

/// What the proof of one operation was like.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChipRun {
    pub(crate) name: String,
    pub(crate) layout: &'static str,
    pub(crate) events: usize,
    /// Different ones, where equal events are proven once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distinct: Option<usize>,
    /// Rows of the tallest table.
    pub(crate) rows: usize,
    /// Main columns of that table.
    pub(crate) columns: usize,
    /// Main cells of all tables of the operation.
    pub(crate) cells: usize,
    pub(crate) constraints: usize,
    pub(crate) max_degree: usize,
    pub(crate) trace_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prove_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) security_bits: Option<Bits>,
}

/// What a table of the machine was like; sums over all segments.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TableRun {
    pub(crate) name: &'static str,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) cells: usize,
    /// Columns in the challenge field, for the buses.
    pub(crate) permutation_columns: usize,
    pub(crate) constraints: usize,
    pub(crate) max_degree: usize,
    pub(crate) trace_ms: f64,
}

/// How a list was cut.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cut {
    /// Events of a segment.
    pub(crate) size: usize,
    /// Number of segments of the list.
    pub(crate) count: u64,
    /// Segments that this run has proven.
    pub(crate) proven: u64,
    /// Segments that an earlier run had proven.
    pub(crate) kept: u64,
    /// Files of parts that were of no use, and were proven again.
    pub(crate) damaged: u64,
}

impl fmt::Display for ChipRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} events, {} rows × {} columns, {} cells, {} constraints of degree {}",
            grouped(self.events),
            grouped(self.rows),
            self.columns,
            grouped(self.cells),
            self.constraints,
            self.max_degree,
        )
    }
}

/// A proof and the claims that it is about.
#[derive(Debug)]
pub(crate) struct Proven {
    pub(crate) claims: Vec<MixedClaim>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) summary: Summary,
}

/// What proving and verifying was like.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) config: ConfigName,
    /// `machine` or `single-chip`.
    pub(crate) route: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layout: Option<Layout>,
    pub(crate) threads: usize,
    /// Events that were proven by this run.
    pub(crate) events: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) segments: Option<Cut>,
    pub(crate) chips: Vec<ChipRun>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tables: Vec<TableRun>,
    /// Time of executing the events, where that is not part of making the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) execute_ms: Option<f64>,
    pub(crate) trace_ms: f64,
    pub(crate) prove_ms: f64,
    pub(crate) verify_ms: f64,
    /// Size of all proofs that were made.
    pub(crate) proof_bytes: usize,
    pub(crate) security_bits: Bits,
    pub(crate) peak_rss_mb: Option<f64>,
    /// One commitment to each of the traces, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prove_over_commit: Option<f64>,
}

impl Summary {
    /// Lines of a name and what is to be said.
    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        let mut lines =
            vec![("configuration".to_owned(), format!("{}: {}", self.config, self.security_bits))];
        if let Some(Cut { size, count, proven, kept, damaged }) = self.segments {
            let damaged = if damaged == 0 { String::new() } else { format!(", {damaged} damaged") };
            let text = format!("{count} of {} events: {proven} proven, {kept} kept{damaged}", grouped(size));
            lines.push(("segments".to_owned(), text));
        }
        lines.extend(self.chips.iter().map(|chip| (chip.name.clone(), chip.to_string())));
        let over = self.prove_over_commit.zip(self.commit_ms).map_or_else(String::new, |(over, commit)| {
            format!(", {over:.2} times one commitment to the trace ({})", seconds(commit))
        });
        let each = if self.events == 0 { 0.0 } else { 1e3 * self.prove_ms / self.events as f64 };
        lines.extend(self.execute_ms.map(|time| ("execute".to_owned(), seconds(time))));
        lines.extend([
            ("trace".to_owned(), seconds(self.trace_ms)),
            ("prove".to_owned(), format!("{} ({each:.0} µs an event{over})", seconds(self.prove_ms))),
            ("verify".to_owned(), seconds(self.verify_ms)),
            ("proof".to_owned(), format!("{} bytes", grouped(self.proof_bytes))),
        ]);
        if let Some(peak) = self.peak_rss_mb {
            lines.push(("memory".to_owned(), format!("{peak:.0} MB at most")));
        }
        lines
    }
}

/// Lines of a name and a text, aligned.
pub(crate) fn aligned(lines: &[(String, String)]) -> String {
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines: Vec<_> = lines.iter().map(|(name, text)| format!("{name:width$}  {text}")).collect();
    lines.join("\n")
}

/// A time in milliseconds as seconds.
pub(crate) fn seconds(milliseconds: f64) -> String {
    format!("{:.3} s", milliseconds / 1e3)
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Proves events chip by chip, verifies the proofs, and measures both. `known` are results that are known already: a proof of others
/// is an internal error. With `commits`, one commitment to each trace is timed too.
pub(crate) fn prove(
    file: &str,
    config: ConfigName,
    events: &[Event],
    known: impl Fn(usize) -> Option<Point>,
    commits: bool,
    console: &Console,
) -> Result<Proven, Failure> {
    let mut watch =
        Watch { console, config, commits, chips: Vec::new(), clock: Instant::now(), commit: Duration::ZERO };
    let proven = Bundle::prove(config, events, &mut watch);
    console.finish();
    let Watch { chips, commit, .. } = watch;
    let (bundle, claims) = proven.map_err(|error| Failure::unusable(format!("{file}: {error}")))?;
    if let Some(i) = (0..claims.len()).find(|&i| known(i).is_some_and(|out| out != claims[i].out)) {
        return Err(Failure::unusable(format!("internal error: the trace's result of event {i} is wrong")));
    }
    let bytes = bundle.to_bytes().map_err(|error| Failure::unusable(format!("internal error: {error}")))?;

    console.start_timed("verify", events.len(), expected_verification(events.len()));
    let clock = Instant::now();
    // What was written is what is verified.
    Bundle::from_bytes(&bytes)
        .map_err(|error| error.to_string())
        .and_then(|bundle| bundle.verify(config, &claims).map_err(|error| error.to_string()))
        .map_err(|error| Failure::unusable(format!("internal error: the proof does not verify: {error}")))?;
    let verify = clock.elapsed();
    console.finish();

    let sum = |part: fn(&ChipRun) -> f64| thousandths(chips.iter().map(part).sum());
    let (trace_ms, prove_ms) = (sum(|chip| chip.trace_ms), sum(|chip| chip.prove_ms.unwrap_or_default()));
    let commit_ms = (commits && !chips.is_empty()).then(|| milliseconds(commit));
    let summary = Summary {
        config,
        route: "single-chip",
        layout: None,
        segments: None,
        tables: Vec::new(),
        threads: p3_maybe_rayon::prelude::current_num_threads(),
        events: events.len(),
        execute_ms: None,
        trace_ms,
        prove_ms,
        verify_ms: milliseconds(verify),
        proof_bytes: bytes.len(),
        security_bits: Bits::least(chips.iter().filter_map(|chip| chip.security_bits)),
        peak_rss_mb: peak_rss_mb(),
        commit_ms,
        prove_over_commit: commit_ms.map(|commit| thousandths(prove_ms / commit)),
        chips,
    };
    Ok(Proven { claims, bytes, summary })
}

/// Times the parts of a proof and shows where it is.
struct Watch<'a> {
    console: &'a Console,
    config: ConfigName,
    commits: bool,
    chips: Vec<ChipRun>,
    clock: Instant,
    /// Time of all commitments that were measured.
    commit: Duration,
}

impl Watch<'_> {
    /// The time since the last call.
    fn lap(&mut self) -> f64 {
        milliseconds(core::mem::replace(&mut self.clock, Instant::now()).elapsed())
    }
}

impl Observer for Watch<'_> {
    fn trace_starts(&mut self, operation: Operation, events: usize) {
        self.console.start_trace(format!("trace {operation}"), events);
        self.clock = Instant::now();
    }

    fn trace_done<C: TraceChip>(&mut self, trace: &Trace<C>) {
        let trace_ms = self.lap();
        let cost = ChipCost::of::<C>();
        let rows = trace.main.values.len() / C::WIDTH;
        self.console.finish();
        let commit = if self.commits {
            let _spinner = self.console.spinner("commit");
            self.config.commit_time(trace.main.clone()).ok()
        } else {
            None
        };
        self.commit += commit.unwrap_or_default();
        self.chips.push(ChipRun {
            name: cost.name,
            layout: cost.layout,
            events: trace.outputs.len(),
            distinct: None,
            rows,
            columns: cost.columns,
            cells: rows * cost.columns,
            constraints: cost.constraints,
            max_degree: cost.max_degree,
            trace_ms,
            prove_ms: None,
            commit_ms: commit.map(milliseconds),
            security_bits: Some(Bits::of::<C>(self.config, rows)),
        });
        // A proof takes about two commitments, or ten times as long as the trace.
        let expected = commit.map_or(Duration::from_secs_f64(trace_ms / 1e2), |commit| 2 * commit);
        self.console.start_timed(format!("prove {}", C::OPERATION), trace.outputs.len(), expected);
        self.clock = Instant::now();
    }

    fn proof_done(&mut self, _: Operation, _: &septic_air::prover::ChipProof) {
        let prove_ms = self.lap();
        if let Some(chip) = self.chips.last_mut() {
            chip.prove_ms = Some(prove_ms);
        }
        self.console.finish();
    }
}

/// The most memory that this process has had, in 10⁶ bytes. Known on Linux only.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some((kibibytes * 1024.0 / 1e5).round() / 10.0)
}
