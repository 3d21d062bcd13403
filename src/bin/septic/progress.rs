//! Progress of the prover, from its own tracing spans.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState};
use tracing::span::{Attributes, Id};
use tracing::subscriber::Interest;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Steps of a proof: the span that opens one, what it is called, and the typical share of the time that has passed
/// when it begins, in thousandths.
const STEPS: [(&str, &str, u64); 6] = [
    ("commit to trace data", "commit to the trace", 0),
    ("quotient_values", "compute the quotient", 490),
    ("commit to quotient poly chunks", "commit to the quotient", 645),
    ("open", "open", 765),
    ("commit phase", "fold", 935),
    ("query phase", "answer queries", 990),
];

/// Width of a gauge in characters.
const GAUGE: u64 = 30;

/// The proof under way, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Stages(Mutex<Option<Running>>);

#[derive(Debug)]
struct Running {
    bar: ProgressBar,
    started: Instant,
    /// What the whole proof is expected to take.
    expected: Duration,
    /// Index of the current step; the number of steps before the first one.
    step: usize,
}

impl Running {
    /// How much is done, in thousandths: by the clock, within the bounds of the current step.
    fn done(&self) -> u64 {
        let clock = self.started.elapsed().as_millis() * 1000 / self.expected.as_millis().max(1);
        let clock = u64::try_from(clock).unwrap_or(u64::MAX);
        let share = |step: usize, default| STEPS.get(step).map_or(default, |&(.., share)| share);
        clock.clamp(share(self.step, 0), share(self.step + 1, 1000))
    }
}

impl Stages {
    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A proof begins, and is expected to take so long.
    pub(crate) fn start(&self, bar: ProgressBar, expected: Duration) {
        *self.running() = Some(Running { bar, started: Instant::now(), expected, step: STEPS.len() });
    }

    /// No proof is under way any more.
    pub(crate) fn finish(&self) {
        let running = self.running().take();
        if let Some(Running { bar, .. }) = running {
            bar.finish_and_clear();
        }
    }

    /// A step begins.
    fn step(&self, step: usize) {
        let (_, name, share) = STEPS[step];
        // The lock is given back before the bar is touched: drawing it asks for the state.
        let bar = self.running().as_mut().map(|running| {
            running.step = step;
            if share > 0 {
                running.expected = running.started.elapsed().mul_f64(1000.0 / share as f64);
            }
            running.bar.clone()
        });
        if let Some(bar) = bar {
            bar.set_message(name);
        }
    }

    /// Draws how much is done, and how much longer it will take.
    fn draw(&self, text: &mut dyn Write) -> fmt::Result {
        let running = self.running();
        let Some(running) = running.as_ref() else { return Ok(()) };
        let elapsed = running.started.elapsed();
        let left = running.expected.saturating_sub(elapsed).as_secs() + 1;
        write!(text, "[")?;
        let full = running.done() * GAUGE / 1000;
        (0..GAUGE).try_for_each(|i| text.write_str(if i < full { "=" } else { " " }))?;
        write!(text, "] {} s, about {left} s left", elapsed.as_secs())
    }
}

/// The part of a bar's template that shows the state of a proof.
pub(crate) fn gauge(
    stages: &Arc<Stages>,
) -> impl Fn(&ProgressState, &mut dyn Write) + Clone + Send + Sync + 'static {
    let stages = Arc::clone(stages);
    move |_, text| {
        // Writing to a bar's buffer does not fail.
        let _ = stages.draw(text);
    }
}

/// The part of a bar's template that shows the rate.
pub(crate) fn rate(state: &ProgressState, text: &mut dyn Write) {
    let _ = write!(text, "{:.0}/s", state.per_sec());
}

/// Shows the prover's steps from now on.
pub(crate) fn install(stages: &Arc<Stages>) {
    let subscriber = tracing_subscriber::registry().with(Steps(Arc::clone(stages)));
    // Fails only if there is a subscriber already; then there are no steps to see, nothing else.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

/// Tells the bar which step begins.
#[derive(Debug)]
struct Steps(Arc<Stages>);

impl Steps {
    fn find(metadata: &Metadata<'_>) -> Option<usize> {
        STEPS.iter().position(|(span, ..)| metadata.is_span() && *span == metadata.name())
    }
}

impl<S: Subscriber> Layer<S> for Steps {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if Self::find(metadata).is_some() { Interest::always() } else { Interest::never() }
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        if let Some(step) = Self::find(attributes.metadata()) {
            self.0.step(step);
        }
    }
}
