//! `septic join`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use septic_air::prover::machine::segments::{Job, JoinError};
use serde_json::json;

use crate::args::{JoinArgs, Place};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::check_outputs;
use crate::parts::{about_path, assemble, files_of, peek};

pub(crate) fn run(args: &JoinArgs, console: &Console) -> Result<Outcome, Failure> {
    let outputs: Vec<&Place> = [Some(&args.output), args.claims.as_ref()].into_iter().flatten().collect();
    check_outputs(&outputs, console)?;
    let (job, parts) = collect(&args.directories)?;
    let claims = job.list().events();
    assemble(job, parts.into_values(), &args.output, args.claims.as_ref(), console)?;
    console.summary(&json!({
        "events": claims,
        "segments": job.segments(),
        "segment_size": job.segment_size(),
        "config": job.config(),
        "layout": job.layout(),
    }))?;
    console.message(format_args!("joined {} segments of {claims} claims", job.segments()));
    Ok(Outcome::Done)
}

/// The parts in some directories: all of one job, each segment once, none missing.
fn collect(directories: &[PathBuf]) -> Result<(Job, BTreeMap<u64, PathBuf>), Failure> {
    let mut first: Option<(Job, PathBuf)> = None;
    let mut parts: BTreeMap<u64, PathBuf> = BTreeMap::new();
    for directory in directories {
        for file in files_of(directory)? {
            let (job, index) = peek(&file)?;
            let (of, other) = first.get_or_insert_with(|| (job, file.clone()));
            if let Some(difference) = of.difference(&job) {
                return Err(about_path(
                    &file,
                    format!("{} than {}", JoinError::Foreign { difference }, other.display()),
                ));
            }
            if let Some(other) = parts.insert(index, file.clone()) {
                return Err(about_path(
                    &file,
                    format!("segment {index} is there twice, also as {}", other.display()),
                ));
            }
        }
    }
    let Some((job, _)) = first else {
        return Err(Failure::unusable("error: there are no parts in these directories"));
    };
    // Each index is below the number of segments, so as many of them are all of them.
    let missing = job.segments().saturating_sub(parts.len() as u64);
    if missing > 0 {
        let absent = (0_u64..).zip(parts.keys()).find(|(i, index)| i != *index);
        let first = absent.map_or(parts.len() as u64, |(i, _)| i);
        return Err(Failure::unusable(format!("error: {}", JoinError::Missing { missing, first })));
    }
    Ok((job, parts))
}
