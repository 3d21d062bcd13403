//! `septic`: executes, proves and verifies operations on the septic curve.
//!
//! Exit codes: 0 done or accepted, 1 rejected (a proof, claim or signature is not valid), 2 unusable input or usage.

#![forbid(unsafe_code)]

mod args;
mod check;
mod console;
mod cost;
mod demo;
mod execute;
mod failure;
mod files;
mod inspect;
mod join;
mod machine;
mod measure;
mod parts;
mod progress;
mod prove;
mod schnorr;
mod segments;
mod source;
mod verify;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Parser;

use args::{Args, Command};
use console::Console;
use failure::{Failure, Outcome};

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to standard output, usage errors to standard error; either may be closed.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let console = Console::new(&args.global);
    let outcome = without_panic(|| run(args, &console)).unwrap_or_else(|message| {
        Err(Failure::unusable(format!("internal error, please report it: {message}")))
    });
    console.finish();
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Rejected) => ExitCode::from(1),
        Err(failure) => {
            console.error(failure.message());
            ExitCode::from(failure.code())
        }
    }
}

fn run(args: Args, console: &Console) -> Result<Outcome, Failure> {
    set_threads(args.global.threads)?;
    let config = args.global.config.unwrap_or_default();
    match args.command {
        Command::Demo(args) => demo::run(&args, config, console),
        Command::Execute(args) => execute::run(&args, console),
        Command::Prove(args) => prove::run(&args, config, console),
        Command::Join(args) => join::run(&args, console),
        Command::Verify(args) => verify::run(&args, config, console),
        Command::Check(args) => check::run(&args, console),
        Command::Inspect(args) => inspect::run(&args, console),
        Command::Schnorr(args) => schnorr::run(&args, console),
        Command::Cost(args) => cost::run(&args, console),
    }
}

/// Sets the number of threads of everything that runs in parallel.
#[cfg(feature = "parallel")]
fn set_threads(threads: Option<usize>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| Failure::unusable(format!("--threads {threads}: {error}")))
}

/// This build has one thread: every number is as good.
#[cfg(not(feature = "parallel"))]
fn set_threads(_: Option<usize>) -> Result<(), Failure> {
    Ok(())
}

/// Runs `f`. The last resort against panics: the first one's message is returned, on one line.
fn without_panic<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    let first: Arc<Mutex<Option<String>>> = Arc::default();
    let hooks = Arc::clone(&first);
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or("unknown panic").replace('\n', " ");
        let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
        hooks.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text + &place);
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(f));
    let _ = panic::take_hook();
    result.map_err(|_| {
        first
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            .unwrap_or_else(|| "unknown panic".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_one_line() {
        assert_eq!(without_panic(|| 5), Ok(5));
        let message = without_panic(|| panic!("two\nlines")).unwrap_err();
        assert!(message.starts_with("two lines (src/bin/septic/main.rs:"), "{message}");
        let result = without_panic(|| std::thread::scope(|s| s.spawn(|| panic!("first")).join().unwrap()));
        assert!(result.unwrap_err().starts_with("first ("));
    }
}
