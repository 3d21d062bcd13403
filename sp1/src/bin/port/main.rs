//! Writes the septic precompiles into a copy of SP1's published crates.
//!
//! The copy is a workspace of its own: SP1's crates with the change, the septic crates, and a driver that executes and
//! proves a program with the new syscalls. SP1's sources are those that cargo fetched.

mod change;
mod chips;
mod edit;
mod error;
mod sources;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser;

use crate::{
    edit::Edit,
    error::PortError,
    sources::{CRATES, VERSION, copy, entries, read, write},
};

/// Writes the septic precompiles into a copy of SP1's published crates.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// The directory to write to. It must be empty or not exist.
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
}

fn main() -> ExitCode {
    match port(&Options::parse().into) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("port: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes everything.
fn port(into: &Path) -> Result<(), PortError> {
    fs::create_dir_all(into).map_err(PortError::io(into))?;
    if !entries(into)?.is_empty() {
        return Err(PortError::NotEmpty(into.into()));
    }
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");

    let scratch = into.join(".sources");
    let found = sources::find(&scratch, &ours.join("Cargo.lock"))?;
    for &(name, to) in CRATES {
        copy(&found[name], &into.join(to))?;
    }
    fs::remove_dir_all(&scratch).map_err(PortError::io(&scratch))?;

    for folder in ["curve", "guest", "chips", "trace"] {
        copy(&ours.join(folder), &into.join("septic").join(folder))?;
    }
    write(&into.join("septic/Cargo.toml"), septic_manifest(&read(&ours.join("Cargo.toml"))?))?;
    write(&into.join("Cargo.toml"), manifest())?;
    write(&into.join("Cargo.lock"), read(&ours.join("Cargo.lock"))?)?;
    write(&into.join("rust-toolchain.toml"), read(&ours.join("rust-toolchain.toml"))?)?;

    for &(file, text) in change::FILES {
        create(into, file, text)?;
    }
    let events = read(&ours.join("sp1/src/events.rs"))?.replace("sp1_core_executor::", "crate::");
    create(into, "crates/core/executor/src/events/precompiles/septic.rs", &events)?;
    apply(into, change::EDITS)?;

    chips::copy_chips(&ours.join("sp1/src"), into)?;
    apply(into, &change::table_edits(chips::OPERATIONS))?;
    apply(into, &change::machine_edits(chips::OPERATIONS))?;
    chips::file_costs(into)
}

/// Writes a new file.
fn create(into: &Path, file: &str, text: &str) -> Result<(), PortError> {
    let path = into.join(file);
    if path.exists() {
        return Err(PortError::Exists(file.into()));
    }
    write(&path, text)
}

/// Makes insertions.
fn apply(into: &Path, edits: &[Edit]) -> Result<(), PortError> {
    edits.iter().try_for_each(|edit| {
        let path = into.join(edit.file);
        write(&path, edit.apply(&read(&path)?)?)
    })
}

/// The manifest of the workspace of SP1's crates and the driver.
fn manifest() -> String {
    let list = |line: fn(&str, &str) -> String| -> String {
        CRATES.iter().map(|&(name, path)| line(name, path)).collect()
    };
    let members = list(|_, path| format!("    \"{path}\",\n"));
    let patches = list(|name, path| format!("{name} = {{ path = \"{path}\" }}\n"));
    format!(
        "# SP1 {VERSION} with the septic precompiles.\n\n\
         [workspace]\nmembers = [\n{members}    \"driver\",\n]\nexclude = [\"septic\"]\nresolver = \"2\"\n\n\
         [patch.crates-io]\n{patches}\n\
         [profile.release]\ndebug = false\n"
    )
}

/// The manifest of the workspace of the septic crates: the tables of `ours` that their manifests inherit from.
fn septic_manifest(ours: &str) -> String {
    let mut out = String::from(
        "[workspace]\nmembers = [\"curve\", \"guest\", \"chips\", \"trace\"]\nresolver = \"3\"\n",
    );
    let mut inherited = false;
    for line in ours.lines() {
        if line.starts_with('[') {
            inherited = line.starts_with("[workspace.");
        }
        if inherited {
            out.push_str(if line.starts_with('[') { "\n" } else { "" });
            if !line.trim().is_empty() {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}
