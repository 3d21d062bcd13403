//! Progress of traces and proofs, from the tracing events and spans of those who make them.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Steps of a proof: the spans that open one, what it is called, and the typical share of the time that has passed
/// when it begins, in thousandths. One of a single chip and one of the machine have different spans.
const STEPS: [(&[&str], &str, u64); 7] = [
    (&["commit to trace data"], "commit to the trace", 0),
    (&["generate lookup permutation"], "commit to the buses", 400),
    (&["quotient_values", "compute quotient"], "compute the quotient", 490),
    (&["commit to quotient poly chunks"], "commit to the quotient", 645),
    (&["open", "FRI prover"], "open", 765),
    (&["commit phase"], "fold", 935),
    (&["query phase"], "answer queries", 990),
];

/// Target of the tracing events by which trace generators say how many `events` more are done.
const TRACE_PROGRESS: &str = "septic_trace::progress";

/// Width of a gauge in characters.
const GAUGE: u64 = 20;

/// The trace, proof or verification under way, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Stages(Mutex<Option<Stage>>);

#[derive(Debug)]
struct Stage {
    bar: ProgressBar,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A trace, whose events are counted.
    Counted {
        /// Number of events that are not done.
        left: u64,
    },
    /// A proof or its verification, whose end is estimated.
    Timed(Timed),
}

#[derive(Debug)]
struct Timed {
    events: u64,
    started: Instant,
    /// What the whole is expected to take.
    expected: Duration,
    /// Index of the current step of a proof, if it has begun.
    step: Option<usize>,
}

impl Timed {
    /// How much is done, in thousandths: by the clock, within the bounds of the current step.
    fn done(&self, elapsed: Duration) -> u64 {
        let clock = elapsed.as_millis() * 1000 / self.expected.as_millis().max(1);
        let clock = u64::try_from(clock).unwrap_or(u64::MAX);
        let share = |step: usize| STEPS.get(step).map_or(1000, |&(.., share)| share);
        let (from, to) = self.step.map_or((0, 1000), |step| (share(step), share(step + 1)));
        clock.clamp(from, to)
    }

    /// Writes how much is done, how fast, and how much longer it will take.
    fn write(&self, elapsed: Duration, text: &mut dyn Write) -> fmt::Result {
        let done = self.done(elapsed);
        let left = self.expected.saturating_sub(elapsed).as_secs() + 1;
        let rate = self.events as f64 * done as f64 / 1e3 / elapsed.as_secs_f64().max(1e-3);
        text.write_char('[')?;
        let full = done * GAUGE / 1000;
        (0..GAUGE).try_for_each(|i| text.write_char(if i < full { '=' } else { ' ' }))?;
        // No longer than a terminal is wide.
        match self.step {
            None => {
                write!(text, "] {} events, {rate:.0}/s, {} s, {left} s left", self.events, elapsed.as_secs())
            }
            Some(step) => write!(text, "] {rate:.0}/s, {left} s left: {}", STEPS[step].1),
        }
    }
}

impl Stages {
    fn stage(&self) -> MutexGuard<'_, Option<Stage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, bar: ProgressBar, kind: Kind) {
        self.finish();
        *self.stage() = Some(Stage { bar, kind });
    }

    /// A trace of so many events begins.
    pub(crate) fn start_trace(&self, bar: ProgressBar, events: usize) {
        self.start(bar, Kind::Counted { left: events as u64 });
    }

    /// A proof of so many events, or its verification, begins and is expected to take so long.
    pub(crate) fn start_timed(&self, bar: ProgressBar, events: usize, expected: Duration) {
        let (events, started) = (events as u64, Instant::now());
        self.start(bar, Kind::Timed(Timed { events, started, expected, step: None }));
    }

    /// Nothing is under way any more.
    pub(crate) fn finish(&self) {
        let stage = self.stage().take();
        if let Some(Stage { bar, .. }) = stage {
            bar.finish_and_clear();
        }
    }

    /// More events of the trace are done.
    fn advance(&self, events: u64) {
        // The lock is given back before the bar is touched: drawing a bar may ask for the state.
        let advanced = self.stage().as_mut().and_then(|Stage { bar, kind }| match kind {
            Kind::Counted { left } => {
                let events = events.min(*left);
                *left -= events;
                Some((bar.clone(), events))
            }
            Kind::Timed(_) => None,
        });
        if let Some((bar, events)) = advanced {
            bar.inc(events);
        }
    }

    /// A step of the proof begins.
    fn step(&self, step: usize) {
        if let Some(Stage { kind: Kind::Timed(timed), .. }) = self.stage().as_mut() {
            // The machine opens a span for each table.
            if timed.step.is_some_and(|now| now >= step) {
                return;
            }
            timed.step = Some(step);
            if let (.., share @ 1..) = STEPS[step] {
                timed.expected = timed.started.elapsed().mul_f64(1000.0 / share as f64);
            }
        }
    }

    /// Writes the state of a proof or verification.
    fn write(&self, text: &mut dyn Write) -> fmt::Result {
        match &*self.stage() {
            Some(Stage { kind: Kind::Timed(timed), .. }) => timed.write(timed.started.elapsed(), text),
            _ => Ok(()),
        }
    }
}

/// The part of a bar's template that shows the state of a proof or verification.
pub(crate) fn gauge(
    stages: &Arc<Stages>,
) -> impl Fn(&ProgressState, &mut dyn Write) + Clone + Send + Sync + 'static {
    let stages = Arc::clone(stages);
    move |_, text| {
        // Writing to a bar's buffer does not fail.
        let _ = stages.write(text);
    }
}

/// The part of a bar's template that shows the rate.
pub(crate) fn rate(state: &ProgressState, text: &mut dyn Write) {
    let _ = write!(text, "{:.0}/s", state.per_sec());
}

/// The part of a bar's template that shows the time left, as far as it can be known.
pub(crate) fn left(state: &ProgressState, text: &mut dyn Write) {
    let _ = match state.pos() {
        0 => text.write_char('?'),
        _ => write!(text, "{:#}", HumanDuration(state.eta())),
    };
}

/// Follows trace generators and the prover from now on.
pub(crate) fn install(stages: &Arc<Stages>) {
    let subscriber = tracing_subscriber::registry().with(Follower(Arc::clone(stages)));
    // Fails only if there is a subscriber already; then there is no progress to see, nothing else.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

/// Tells the stage under way what has been done.
#[derive(Debug)]
struct Follower(Arc<Stages>);

impl Follower {
    fn step(metadata: &Metadata<'_>) -> Option<usize> {
        STEPS.iter().position(|(spans, ..)| metadata.is_span() && spans.contains(&metadata.name()))
    }

    fn counts(metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target() == TRACE_PROGRESS
    }
}

/// The sum of the fields `events`.
#[derive(Debug, Default)]
struct Count(u64);

impl Visit for Count {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "events" {
            self.0 += value;
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

impl<S: Subscriber> Layer<S> for Follower {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if Self::step(metadata).is_some() || Self::counts(metadata) {
            Interest::always()
        } else {
            Interest::never()
        }
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        if let Some(step) = Self::step(attributes.metadata()) {
            self.0.step(step);
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if Self::counts(event.metadata()) {
            let mut count = Count::default();
            event.record(&mut count);
            self.0.advance(count.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::util::SubscriberInitExt;

    use super::*;

    fn followed(stages: &Arc<Stages>, run: impl FnOnce()) {
        let subscriber = tracing_subscriber::registry().with(Follower(Arc::clone(stages)));
        let _guard = subscriber.set_default();
        run();
    }

    #[test]
    fn events_of_a_trace_are_counted() {
        let stages: Arc<Stages> = Arc::default();
        let bar = ProgressBar::hidden();
        followed(&stages, || {
            let report = |events: usize| tracing::trace!(target: TRACE_PROGRESS, events);
            report(7);
            stages.start_trace(bar.clone(), 100);
            report(64);
            assert_eq!(bar.position(), 64);
            tracing::trace!(target: "another", events = 5_usize);
            tracing::trace!(target: TRACE_PROGRESS, others = 5_usize);
            assert_eq!(bar.position(), 64);
            // Never more than there are.
            report(30);
            report(10);
            assert_eq!(bar.position(), 100);
            // The next trace is another one.
            let next = ProgressBar::hidden();
            stages.start_trace(next.clone(), 3);
            report(2);
            assert_eq!((bar.position(), next.position()), (100, 2));
            stages.finish();
            report(1);
            assert!(bar.is_finished() && next.is_finished());
        });
    }

    #[test]
    fn steps_of_a_proof_are_followed() {
        let stages: Arc<Stages> = Arc::default();
        let text = || {
            let mut text = String::new();
            stages.write(&mut text).unwrap();
            text
        };
        assert_eq!(text(), "");
        stages.start_timed(ProgressBar::hidden(), 2000, Duration::from_secs(1000));
        assert!(text().ends_with("] 2000 events, 0/s, 0 s, 1000 s left"), "{}", text());
        followed(&stages, || {
            tracing::info_span!("commit to trace data").in_scope(|| {});
            assert!(text().ends_with(" left: commit to the trace"), "{}", text());
            tracing::info_span!("another").in_scope(|| {});
            tracing::debug_span!("open").in_scope(|| {});
            assert!(text().ends_with(" left: open"), "{}", text());
            assert!(text().starts_with(&format!("[{}", "=".repeat(15))), "{}", text());
        });
    }

    #[test]
    fn estimates() {
        let expected = Duration::from_secs(8);
        let mut timed = Timed { events: 800, started: Instant::now(), expected, step: None };
        let written = |timed: &Timed, seconds| {
            let mut text = String::new();
            timed.write(Duration::from_secs(seconds), &mut text).unwrap();
            text
        };
        let half = format!("[{}{}]", "=".repeat(10), " ".repeat(10));
        assert_eq!(written(&timed, 4), format!("{half} 800 events, 100/s, 4 s, 5 s left"));
        let full = "=".repeat(20);
        assert_eq!(written(&timed, 10), format!("[{full}] 800 events, 80/s, 10 s, 1 s left"));
        // The clock does not run ahead of the step.
        timed.step = Some(0);
        assert!(written(&timed, 8).starts_with(&format!("[{} ", "=".repeat(8))));
    }
}
