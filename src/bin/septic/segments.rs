//! `septic prove --segment`: long lists, segment by segment.

use indicatif::ProgressBar;
use septic_air::files::StatedEvent;
use septic_air::prover::machine::segments::{Job, List, ListDigest, Part};
use septic_air::{ConfigName, Event, Record};

use crate::args::{Place, ProveArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{about, check_outputs};
use crate::machine::{Prover, too_many};
use crate::measure::{Cut, aligned};
use crate::parts::{Directory, assemble, check_new, directory_of};
use crate::source::Source;

pub(crate) fn run(
    args: &ProveArgs,
    size: usize,
    config: ConfigName,
    console: &Console,
) -> Result<Outcome, Failure> {
    let source = Source::of(args)?;
    if *source.place() == Place::Standard {
        let error = "error: --segment reads the list twice: it needs a file, not standard input";
        return Err(Failure::unusable(error));
    }
    let Place::File(output) = &args.output else {
        let error = "error: --segment keeps its parts beside the proof: it needs a file, not standard output";
        return Err(Failure::unusable(error));
    };
    if args.shard.is_none() {
        let outputs: Vec<&Place> = [Some(&args.output), args.claims.as_ref()].into_iter().flatten().collect();
        check_outputs(&outputs, console)?;
    }
    let path = directory_of(output, args.shard);
    check_new(&path, args.resume)?;

    let mut prover = Prover::new(config, args.route.layout, console).for_segments();
    let ours = |segment: u64| args.shard.is_none_or(|shard| shard.has(segment));
    let list = inspect(source, size, ours, &prover, console)?;
    let job =
        Job::new(list, size, config, args.route.layout).map_err(|error| about(source.place(), error))?;
    let mut directory = Directory::open(path, job, console)?;
    let proven = prove_missing(source, size, ours, &mut prover, &mut directory, console)?;

    let cut = Cut { size, count: job.segments(), proven, kept: directory.kept, damaged: directory.damaged };
    if args.shard.is_none() {
        assemble(job, directory.files(), &args.output, args.claims.as_ref(), console)?;
        directory.remove();
    }
    let summary = prover.summary(Some(cut));
    console.summary(&summary)?;
    console.message(aligned(&summary.lines()));
    Ok(Outcome::Done)
}

/// Gives the events of a file to `each`, a segment at a time with its index. An empty list has one segment. Of
/// segments that are not wanted, nothing is kept.
fn for_each_segment(
    source: Source<'_>,
    size: usize,
    wanted: impl Fn(u64) -> bool,
    mut see: impl FnMut(&Event),
    mut each: impl FnMut(u64, &[StatedEvent]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (mut segment, mut filled) = (0, 0);
    let mut events = Vec::new();
    source.for_each(|stated| {
        see(&stated.event);
        if wanted(segment) {
            events.push(stated);
        }
        filled += 1;
        if filled == size {
            if wanted(segment) {
                each(segment, &events)?;
            }
            events.clear();
            (segment, filled) = (segment + 1, 0);
        }
        Ok(())
    })?;
    if (filled > 0 || segment == 0) && wanted(segment) {
        each(segment, &events)?;
    }
    Ok(())
}

/// Reads the whole list: what is wrong with it is said before anything is proven.
fn inspect(
    source: Source<'_>,
    size: usize,
    ours: impl Fn(u64) -> bool,
    prover: &Prover<'_>,
    console: &Console,
) -> Result<List, Failure> {
    let machine = prover.machine();
    let mut digest = ListDigest::default();
    let bar = console.spinner("read the list");
    for_each_segment(
        source,
        size,
        ours,
        |event| {
            digest.push(event);
            bar.inc(1);
        },
        |segment, stated| {
            let first = segment * size as u64;
            source.check(first, stated, &ProgressBar::hidden())?;
            let events: Vec<Event> = stated.iter().map(|stated| stated.event).collect();
            machine.check_size(&Record::new(&events)).map_err(|error| {
                let what = format!("{}: events from {first}", source.place());
                too_many(&what, &format_args!("{error}: {size} are too many"))
            })
        },
    )?;
    bar.finish_and_clear();
    Ok(digest.finish())
}

/// Proves the segments whose parts are not there. Returns their number.
fn prove_missing(
    source: Source<'_>,
    size: usize,
    ours: impl Fn(u64) -> bool,
    prover: &mut Prover<'_>,
    directory: &mut Directory,
    console: &Console,
) -> Result<u64, Failure> {
    let job = *directory.job();
    let missing = (0..job.segments()).filter(|&segment| ours(segment) && !directory.has(segment));
    let (segments, events) = missing.fold((0, 0), |(segments, events), segment| {
        let range = job.range(segment);
        (segments + 1, events + (range.end - range.start))
    });
    if segments == 0 {
        return Ok(0);
    }
    let bar = console.bar(format!("segment 1/{segments}"), usize::try_from(events).unwrap_or(usize::MAX));
    let file = source.place().to_string();
    let finished: Vec<bool> = (0..job.segments()).map(|segment| directory.has(segment)).collect();
    let wanted = |segment: u64| {
        let finished = usize::try_from(segment).ok().and_then(|segment| finished.get(segment));
        ours(segment) && finished != Some(&true)
    };
    let mut done = 0;
    for_each_segment(
        source,
        size,
        wanted,
        |_| {},
        |segment, stated| {
            bar.set_prefix(format!("segment {}/{segments}", done + 1));
            let events: Vec<Event> = stated.iter().map(|stated| stated.event).collect();
            let (claims, bytes) = prover.prove(&file, segment * size as u64, &events, |i| stated[i].out)?;
            // Fails if the file has become longer meanwhile; other changes are found when the parts are joined.
            let part = Part::new(job, segment, claims, bytes)
                .map_err(|error| Failure::unusable(format!("{file}: changed while it was read: {error}")))?;
            directory.store(&part)?;
            done += 1;
            bar.inc(events.len() as u64);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    if done < segments {
        return Err(Failure::unusable(format!("{file}: changed while it was read: it has become shorter")));
    }
    Ok(done)
}
