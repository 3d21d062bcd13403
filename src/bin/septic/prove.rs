//! `septic prove`.

use p3_maybe_rayon::prelude::*;
use septic_air::files::{Fault, Item, StatedEvent, read_events, read_signatures, write_claims};
use septic_air::{Claim, ConfigName, Event};

use crate::args::{Place, ProveArgs};
use crate::console::Console;
use crate::execute::execute;
use crate::failure::{Failure, Outcome};
use crate::files::{Access, Staged, check_outputs, open};
use crate::measure::{Proven, aligned, prove};

pub(crate) fn run(args: &ProveArgs, config: ConfigName, console: &Console) -> Result<Outcome, Failure> {
    let outputs: Vec<&Place> = [Some(&args.output), args.claims.as_ref()].into_iter().flatten().collect();
    check_outputs(&outputs, console)?;
    let (file, stated) = match (&args.signatures, &args.events) {
        (Some(place), _) => (place.to_string(), signatures(args, place, console)?),
        (None, Some(place)) => (place.to_string(), events(place, console)?),
        (None, None) => return Err(Failure::unusable("error: there is nothing to prove")),
    };
    let events: Vec<Event> = stated.iter().map(|stated| stated.event).collect();
    let Proven { claims, bytes, summary } = prove(&file, config, &events, |i| stated[i].out, false, console)?;

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

/// The events of a file, after a check of the results that it states.
fn events(place: &Place, console: &Console) -> Result<Vec<StatedEvent>, Failure> {
    let file = place.to_string();
    let stated = read_events(&file, open(place)?)?;
    let with_result: Vec<usize> = (0..stated.len()).filter(|&i| stated[i].out.is_some()).collect();
    let events: Vec<Event> = with_result.iter().map(|&i| stated[i].event).collect();
    let results = execute(&events, &console.bar("check results", events.len()));
    for (i, result) in with_result.into_iter().zip(results) {
        stated[i].check(result).map_err(|fault| fault.at(&file, Item::Event, i))?;
    }
    Ok(stated)
}

/// The claims of a file of signatures, after a check of each.
fn signatures(args: &ProveArgs, place: &Place, console: &Console) -> Result<Vec<StatedEvent>, Failure> {
    let file = place.to_string();
    let messages = read_signatures(&file, open(place)?)?;
    let bar = console.bar("check signatures", messages.len());
    let claims: Vec<Result<StatedEvent, Fault>> = messages
        .par_iter()
        .map(|message| {
            let Claim { event, out } = message.check(args.challenge.into())?;
            bar.inc(1);
            Ok(StatedEvent { event, out: Some(out) })
        })
        .collect();
    let claims = claims.into_iter().enumerate();
    Ok(claims
        .map(|(i, claim)| claim.map_err(|fault| fault.at(&file, Item::Signature, i)))
        .collect::<Result<_, _>>()?)
}
