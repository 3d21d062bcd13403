//! What is said to the user: results on standard output, messages and progress on standard error.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::progress::{Stages, gauge, install, left, rate};

/// Where results, messages and progress go.
#[derive(Debug)]
pub(crate) struct Console {
    json: bool,
    quiet: bool,
    /// Whether messages and progress are shown.
    talks: bool,
    stages: Arc<Stages>,
}

impl Console {
    /// The console that the options ask for.
    pub(crate) fn new(options: &Global) -> Self {
        let talks = !options.quiet && io::stderr().is_terminal();
        let stages = Arc::default();
        if talks {
            install(&stages);
        }
        Self { json: options.json, quiet: options.quiet, talks, stages }
    }

    /// Whether a summary in JSON is asked for.
    pub(crate) const fn json(&self) -> bool {
        self.json
    }

    /// An error: one line on standard error, always.
    pub(crate) fn error(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// A message, if somebody is there to read it.
    pub(crate) fn message(&self, text: impl Display) {
        if self.talks {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// A result for people, unless a summary in JSON or silence is asked for.
    pub(crate) fn result(&self, text: impl Display) -> Result<(), Failure> {
        if self.json || self.quiet { Ok(()) } else { self.data(format!("{text}\n").as_bytes()) }
    }

    /// The summary in JSON, if it is asked for.
    pub(crate) fn summary(&self, summary: &impl Serialize) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let mut text = serde_json::to_vec_pretty(summary).map_err(Failure::unusable)?;
        text.push(b'\n');
        self.data(&text)
    }

    /// Data that was asked for, on standard output. It is no error if nobody reads all of them.
    pub(crate) fn data(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::unusable(format!("standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// A bar that counts to `length`, with rate and time left.
    pub(crate) fn bar(&self, name: impl Into<Cow<'static, str>>, length: usize) -> ProgressBar {
        self.styled(name, Some(length as u64), "[{bar:30}] {human_pos}/{human_len}, {rate}, {left} left")
    }

    /// Shows the progress of a trace of so many events, which its generator reports, until [`finish`](Self::finish).
    pub(crate) fn start_trace(&self, name: String, events: usize) {
        self.stages.start_trace(self.bar(name, events), events);
    }

    /// Shows the progress of a proof of so many events, or of its verification, until [`finish`](Self::finish).
    /// `expected` is what it may take.
    pub(crate) fn start_timed(&self, name: impl Into<Cow<'static, str>>, events: usize, expected: Duration) {
        self.stages.start_timed(self.styled(name, None, "{gauge}"), events, expected);
    }

    /// A sign of life for work of unknown length.
    pub(crate) fn spinner(&self, name: impl Into<Cow<'static, str>>) -> ProgressBar {
        self.styled(name, None, "{spinner} {elapsed}")
    }

    /// A bar, of unknown length if none is given, that vanishes when it is dropped.
    fn styled(&self, name: impl Into<Cow<'static, str>>, length: Option<u64>, template: &str) -> ProgressBar {
        if !self.talks {
            return ProgressBar::hidden();
        }
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        if let Ok(style) = ProgressStyle::with_template(&format!("{{prefix:>16}} {template}")) {
            let style =
                style.with_key("rate", rate).with_key("left", left).with_key("gauge", gauge(&self.stages));
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(name);
        bar.enable_steady_tick(Duration::from_millis(100));
        bar.with_finish(ProgressFinish::AndClear)
    }

    /// Ends what was started.
    pub(crate) fn finish(&self) {
        self.stages.finish();
    }
}
