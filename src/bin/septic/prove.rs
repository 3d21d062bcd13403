//! `septic prove`.

use septic_air::files::write_claims;
use septic_air::prover::machine::segments::MAX_SEGMENT;
use septic_air::{ConfigName, Event};

use crate::args::{Place, ProveArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{Access, Staged, check_outputs};
use crate::machine::{Prover, too_many};
use crate::measure::{Proven, aligned, prove};
use crate::segments;
use crate::source::Source;

/// The longest list of one proof: what is in memory is bounded by it.
const MAX_EVENTS: usize = MAX_SEGMENT;

pub(crate) fn run(args: &ProveArgs, config: ConfigName, console: &Console) -> Result<Outcome, Failure> {
    if let Some(size) = args.segment {
        return segments::run(args, size, config, console);
    }
    let outputs: Vec<&Place> = [Some(&args.output), args.claims.as_ref()].into_iter().flatten().collect();
    check_outputs(&outputs, console)?;
    let source = Source::of(args)?;
    let file = source.place().to_string();
    let mut stated = Vec::new();
    source.for_each(|event| {
        if stated.len() == MAX_EVENTS && !args.route.single_chip {
            return Err(too_many(
                &file,
                &format_args!("more than {MAX_EVENTS} events are too many for one proof"),
            ));
        }
        stated.push(event);
        Ok(())
    })?;
    let bar = match source {
        Source::Events(_) => "check results",
        Source::Signatures(..) => "check signatures",
    };
    source.check(0, &stated, &console.bar(bar, stated.len()))?;
    let events: Vec<Event> = stated.iter().map(|stated| stated.event).collect();
    let known = |i: usize| stated[i].out;
    let Proven { claims, bytes, summary } = if args.route.single_chip {
        prove(&file, config, &events, known, false, console)?
    } else {
        let mut prover = Prover::new(config, args.route.layout, console);
        let (claims, bytes) = prover.prove(&file, 0, &events, known)?;
        Proven { claims, bytes, summary: prover.summary(None) }
    };

    // Both outputs are complete before one is put in its place.
    let mut staged = vec![Staged::new(&args.output, Access::Usual, |writer| writer.write_all(&bytes))?];
    if let Some(place) = &args.claims {
        staged.push(Staged::new(place, Access::Usual, |writer| write_claims(writer, &claims))?);
    }
    staged.into_iter().try_for_each(|output| output.commit(console))?;
    console.summary(&summary)?;
    console.message(aligned(&summary.lines()));
    Ok(Outcome::Done)
}
