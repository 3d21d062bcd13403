//! Mixed lists: one proof per operation, in one file.

use septic_trace::septic_chips::{AddChip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::Point;
use septic_trace::{Claim, Event, Trace, TraceChip, TraceError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::claims::{Digest, PROTOCOL_VERSION, order};
use crate::config::ConfigName;
use crate::single::{ChipProof, ProvableChip, claims_of, prove_trace, verify_in_context};
use crate::{ProveError, VerifyError};

/// First bytes of an encoded bundle.
const MAGIC: [u8; 8] = *b"SEPTICPF";

/// Proofs of a mixed list of claims: one for each operation that occurs.
///
/// The order of all claims, also between operations, is part of what is proven.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    config: ConfigName,
    add: Option<ChipProof>,
    double: Option<ChipProof>,
    scalar_mul: Option<ChipProof>,
    verify: Option<ChipProof>,
}

/// Claims of a mixed list.
pub type MixedClaim = Claim<Event>;

/// A mixed list taken apart by operation, each part in the list's order.
#[derive(Clone, Debug, Default)]
struct Parts {
    add: Vec<Claim<septic_trace::AddEvent>>,
    double: Vec<Claim<septic_trace::DoubleEvent>>,
    scalar_mul: Vec<Claim<septic_trace::ScalarMulEvent>>,
    verify: Vec<Claim<septic_trace::VerifyEvent>>,
}

impl Parts {
    fn new(claims: &[MixedClaim]) -> Self {
        let mut parts = Self::default();
        for &Claim { event, out } in claims {
            match event {
                Event::Add(event) => parts.add.push(Claim { event, out }),
                Event::Double(event) => parts.double.push(Claim { event, out }),
                Event::ScalarMul(event) => parts.scalar_mul.push(Claim { event, out }),
                Event::Verify(event) => parts.verify.push(Claim { event, out }),
            }
        }
        parts
    }
}

/// Observes the work on a bundle. All methods do nothing by default.
pub trait Observer {
    /// A trace of `events` events of `operation` is about to be made.
    fn trace_starts(&mut self, operation: Operation, events: usize) {
        let _ = (operation, events);
    }
    /// A trace is finished. It can be looked at before it is proven.
    fn trace_done<C: TraceChip>(&mut self, trace: &Trace<C>) {
        let _ = trace;
    }
    /// The proof of an operation is finished.
    fn proof_done(&mut self, operation: Operation, proof: &ChipProof) {
        let _ = (operation, proof);
    }
}

impl Observer for () {}

impl Bundle {
    /// Proves a mixed list of events. Returns the claims in the list's order.
    ///
    /// # Errors
    /// If an event has no trace, or the configuration cannot prove that many events. Indices in errors count the
    /// whole list.
    pub fn prove(
        config: ConfigName,
        events: &[Event],
        observer: &mut impl Observer,
    ) -> Result<(Self, Vec<MixedClaim>), ProveError> {
        let unknown = events.iter().map(|&event| Claim { event, out: Point::Identity });
        let mut claims: Vec<MixedClaim> = unknown.collect();
        let parts = Parts::new(&claims);
        let context = order(events.iter().map(Event::operation));
        let mut run = Run { config, context, claims: &mut claims, observer };
        let bundle = Self {
            config,
            add: run.prove::<AddChip>(&parts.add)?,
            double: run.prove::<DoubleChip>(&parts.double)?,
            scalar_mul: run.prove::<ScalarMulChip>(&parts.scalar_mul)?,
            verify: run.prove::<VerifyChip>(&parts.verify)?,
        };
        Ok((bundle, claims))
    }

    /// Accepts iff the bundle proves `claims`, all of them and in this order, under `config`.
    ///
    /// # Errors
    /// The first reason not to accept.
    pub fn verify(&self, config: ConfigName, claims: &[MixedClaim]) -> Result<(), VerifyError> {
        if self.config != config {
            return Err(VerifyError::WrongConfig { expected: config, got: self.config });
        }
        let context = order(claims.iter().map(|c| c.event.operation()));
        let parts = Parts::new(claims);
        let verify = || {
            verify_part::<AddChip>(config, &context, &parts.add, self.add.as_ref())?;
            verify_part::<DoubleChip>(config, &context, &parts.double, self.double.as_ref())?;
            verify_part::<ScalarMulChip>(config, &context, &parts.scalar_mul, self.scalar_mul.as_ref())?;
            verify_part::<VerifyChip>(config, &context, &parts.verify, self.verify.as_ref())
        };
        verify().map_err(|(operation, error)| match error {
            VerifyError::Claims(error) => VerifyError::Claims(in_whole_list(error, operation, claims)),
            other => other,
        })
    }

    /// The configuration that the bundle says it was made with. A verifier brings its own.
    #[must_use]
    pub const fn config(&self) -> ConfigName {
        self.config
    }

    /// The bundle as bytes: magic, protocol version, postcard.
    ///
    /// # Errors
    /// If the encoder fails, which it does for no bundle that [`Self::prove`] made.
    pub fn to_bytes(&self) -> Result<Vec<u8>, DecodeError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(PROTOCOL_VERSION.to_le_bytes());
        postcard::to_extend(self, bytes).map_err(|e| DecodeError::Encoding { reason: e.to_string() })
    }

    /// The bundle from bytes, all of them. There is one encoding of a bundle: bytes that another would write are refused.
    ///
    /// Memory is bounded by a multiple of the number of bytes, below 50: bound the length before you read.
    ///
    /// # Errors
    /// If the bytes are not an encoded bundle of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let body = bytes.strip_prefix(&MAGIC).ok_or(DecodeError::Magic)?;
        let (version, body) = body.split_first_chunk().ok_or(DecodeError::Magic)?;
        let version = u32::from_le_bytes(*version);
        if version != PROTOCOL_VERSION {
            return Err(DecodeError::Version { expected: PROTOCOL_VERSION, got: version });
        }
        decode(body)
    }
}

/// A value from its postcard encoding: all bytes, and no others that decode to the same.
pub(crate) fn decode<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let malformed = |e: postcard::Error| DecodeError::Encoding { reason: e.to_string() };
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(malformed)?;
    if !rest.is_empty() {
        return Err(DecodeError::TrailingBytes { count: rest.len() });
    }
    if postcard::to_allocvec(&value).map_err(malformed)? != bytes {
        return Err(DecodeError::NotCanonical);
    }
    Ok(value)
}

/// Why bytes are not a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes do not begin like a bundle.
    #[error("not a proof file")]
    Magic,
    /// The bundle is of another version.
    #[error("proof file of version {got}, this is version {expected}")]
    Version {
        /// The version of this crate.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// The bytes do not decode.
    #[error("malformed proof file: {reason}")]
    Encoding {
        /// What the decoder said.
        reason: String,
    },
    /// The proof is of other circuits, or of another version of them.
    #[error("a proof of other circuits: {got}")]
    Circuits {
        /// The file's header.
        got: String,
    },
    /// The bytes decode, but are not what the encoder writes.
    #[error("malformed proof file: not the canonical encoding")]
    NotCanonical,
    /// There are bytes after the bundle.
    #[error("{count} bytes after the end of the proof")]
    TrailingBytes {
        /// How many.
        count: usize,
    },
}

/// One run of [`Bundle::prove`].
struct Run<'a, O> {
    config: ConfigName,
    context: Digest,
    claims: &'a mut [MixedClaim],
    observer: &'a mut O,
}

impl<O: Observer> Run<'_, O> {
    /// Proves one operation's part and writes its results into the claims.
    fn prove<C: ProvableChip>(&mut self, part: &[Claim<C::Event>]) -> Result<Option<ChipProof>, ProveError> {
        if part.is_empty() {
            return Ok(None);
        }
        self.observer.trace_starts(C::OPERATION, part.len());
        let events: Vec<C::Event> = part.iter().map(|claim| claim.event).collect();
        let trace = C::generate_trace(&events).map_err(|e| in_whole_list(e, C::OPERATION, self.claims))?;
        self.observer.trace_done(&trace);
        let claims = claims_of(&trace, &events);
        let whole = self.claims.iter_mut().filter(|c| c.event.operation() == C::OPERATION);
        for (whole, claim) in whole.zip(&claims) {
            whole.out = claim.out;
        }
        let proof = prove_trace(self.config, trace, &claims, &self.context)?;
        self.observer.proof_done(C::OPERATION, &proof);
        Ok(Some(proof))
    }
}

/// An error about an event of operation `operation`, with the event's index in the whole list.
fn in_whole_list(error: TraceError, operation: Operation, whole: &[MixedClaim]) -> TraceError {
    let index = |event| {
        let mut of_chip = whole.iter().enumerate().filter(|(_, c)| c.event.operation() == operation);
        of_chip.nth(event).map_or(event, |(i, _)| i)
    };
    in_whole_list_by(error, index)
}

/// An error about an event of a part of a list, with the event's index in the whole list.
pub(crate) fn in_whole_list_by(error: TraceError, index: impl Fn(usize) -> usize) -> TraceError {
    match error {
        TraceError::NotOnCurve { event, field } => TraceError::NotOnCurve { event: index(event), field },
        TraceError::NoOffset { event } => TraceError::NoOffset { event: index(event) },
        TraceError::WrongResult { event } => TraceError::WrongResult { event: index(event) },
        other => other,
    }
}

/// Verifies one operation's part; an error comes with the operation.
fn verify_part<C: ProvableChip>(
    config: ConfigName,
    context: &Digest,
    claims: &[Claim<C::Event>],
    proof: Option<&ChipProof>,
) -> Result<(), (Operation, VerifyError)> {
    let operation = C::OPERATION;
    match (claims.is_empty(), proof) {
        (true, None) => Ok(()),
        (true, Some(_)) => Err(VerifyError::Operations { operation, problem: "is not claimed" }),
        (false, None) => Err(VerifyError::Operations { operation, problem: "is missing" }),
        (false, Some(proof)) => verify_in_context::<C>(config, claims, proof, context),
    }
    .map_err(|error| (operation, error))
}
