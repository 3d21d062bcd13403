//! Measures the machine and writes `docs/benchmarks.md` and `docs/plots`:
//!
//! ```sh
//! cargo run --release -p septic-cost --example report
//! ```
//!
//! Run it at the root, on an otherwise idle machine: it takes about a minute. The prose of the document is its own; what is
//! between the marks is replaced. Medians of `cargo bench` are taken from `target/criterion`, if they are there.

mod criterion;
mod document;
mod measure;
mod plots;

use std::error::Error;
use std::path::Path;
use std::process::Command;

use measure::Run;
use septic_prover::machine::Layout;

/// Lists of VERIFYs that are measured.
const HALF: [usize; 6] = [250, 500, 1000, 2000, 4000, 8000];
const BITS: [usize; 4] = [250, 500, 1000, 2000];

/// A list in a process of its own, so that its peak memory is its own.
fn run(layout: Layout, events: usize) -> Result<Run, Box<dyn Error>> {
    eprintln!("{layout}: {events} events");
    let output = Command::new(std::env::current_exe()?)
        .args(["--measure", layout.as_str(), &events.to_string()])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the measurement failed: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--measure", layout, events] => {
            let run = measure::run(layout.parse()?, events.parse()?)?;
            serde_json::to_writer(std::io::stdout(), &run)?;
            Ok(())
        }
        [] => {
            let docs = Path::new("docs");
            let of = |layout: Layout, counts: &[usize]| -> Result<Vec<Run>, Box<dyn Error>> {
                counts.iter().map(|&count| run(layout, count)).collect()
            };
            let half = of(Layout::HalfScalar, &HALF)?;
            let bits = of(Layout::RowPerBit, &BITS)?;
            let plots = docs.join("plots");
            std::fs::create_dir_all(&plots)?;
            std::fs::write(plots.join("cells.svg"), plots::cells()?)?;
            std::fs::write(plots.join("prove.svg"), plots::prove(&half, &bits)?)?;
            std::fs::write(plots.join("shares.svg"), plots::shares(&half, &bits)?)?;
            let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
            let medians = criterion::medians(&Path::new(&target).join("criterion"))?;
            document::write(&docs.join("benchmarks.md"), &half, &bits, &medians)
        }
        _ => Err("usage: report".into()),
    }
}
