//! What is proven: a file of events, or of signatures.

use septic_air::curve::schnorr::{ChallengeHash, SignatureError};
use septic_air::files::{Fault, Item, StatedEvent, for_each_event, for_each_signature};
use septic_air::{Claim, Event};

use crate::args::{Place, ProveArgs};
use crate::execute::execute;
use crate::failure::Failure;
use crate::files::open;

/// A file of events or signatures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Events(&'a Place),
    Signatures(&'a Place, ChallengeHash),
}

impl<'a> Source<'a> {
    /// The file that the arguments name.
    pub(crate) fn of(args: &'a ProveArgs) -> Result<Self, Failure> {
        match (&args.signatures, &args.events) {
            (Some(place), _) => Ok(Self::Signatures(place, args.challenge.into())),
            (None, Some(place)) => Ok(Self::Events(place)),
            (None, None) => Err(Failure::unusable("error: there is nothing to prove")),
        }
    }

    /// The file.
    pub(crate) const fn place(&self) -> &'a Place {
        match self {
            Self::Events(place) | Self::Signatures(place, _) => place,
        }
    }

    const fn item(&self) -> Item {
        match self {
            Self::Events(_) => Item::Event,
            Self::Signatures(..) => Item::Signature,
        }
    }

    /// Reads the file and gives its events one by one to `each`, with the results that it states. They are not checked
    /// yet: see [`Self::check`].
    pub(crate) fn for_each(
        &self,
        mut each: impl FnMut(StatedEvent) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let file = self.place().to_string();
        let reader = open(self.place())?;
        match *self {
            Self::Events(_) => for_each_event(&file, reader, each),
            Self::Signatures(_, hash) => {
                let mut index = 0;
                for_each_signature(&file, reader, |message| {
                    let Claim { event, out } =
                        message.claim(hash).map_err(|fault| fault.at(&file, Item::Signature, index))?;
                    index += 1;
                    each(StatedEvent { event, out: Some(out) })
                })
            }
        }
    }

    /// Checks the results that the file states of some of its events, the first of which has the index `first`.
    pub(crate) fn check(
        &self,
        first: u64,
        stated: &[StatedEvent],
        bar: &indicatif::ProgressBar,
    ) -> Result<(), Failure> {
        let with_result: Vec<usize> = (0..stated.len()).filter(|&i| stated[i].out.is_some()).collect();
        let events: Vec<Event> = with_result.iter().map(|&i| stated[i].event).collect();
        for (i, result) in with_result.into_iter().zip(execute(&events, bar)) {
            stated[i].check(result).map_err(|fault| {
                let fault = match self {
                    Self::Events(_) => fault,
                    Self::Signatures(..) => Fault::new("s", SignatureError::Mismatch.into()),
                };
                let index = usize::try_from(first).unwrap_or(usize::MAX).saturating_add(i);
                fault.at(&self.place().to_string(), self.item(), index)
            })?;
        }
        Ok(())
    }
}
