//! One chip, one proof: a list of events of one operation, proven with p3-uni-stark and bound to its claims.

use core::fmt;

use p3_matrix::Matrix;
use p3_uni_stark::{prove as stark_prove, verify as stark_verify};
use septic_trace::septic_chips::p3::ChipAir;
use septic_trace::septic_chips::sink::Label;
use septic_trace::{Claim, Trace, TraceChip, TraceError, Violation};
use serde::{Deserialize, Serialize};

use crate::claims::{DIGEST_LEN, Digest, EncodeEvent, statement};
use crate::config::{self, ConfigName, Val};
use crate::{ProveError, VerifyError};

/// A chip that can be proven on its own.
pub trait ProvableChip: TraceChip<Event: EncodeEvent> {}

impl<C: TraceChip<Event: EncodeEvent>> ProvableChip for C {}

/// A proof that the results of a list of events of one operation are right.
///
/// It does not contain the claims, the operation or the configuration: the verifier brings them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipProof {
    /// The chip's parameters: any value is sound.
    parameters: Vec<Val>,
    /// Which events start from the second offset, increasing.
    second_offsets: Vec<usize>,
    stark: config::Proof,
}

impl fmt::Debug for ChipProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChipProof")
            .field("log_height", &self.log_height())
            .field("second_offsets", &self.second_offsets)
            .finish_non_exhaustive()
    }
}

impl ChipProof {
    /// log2 of the height of the trace.
    #[must_use]
    pub const fn log_height(&self) -> usize {
        self.stark.degree_bits
    }
}

fn public_values(digest: Digest, parameters: &[Val]) -> Vec<Val> {
    digest.into_iter().chain(parameters.iter().copied()).collect()
}

/// Claims of chip `C`.
pub type ClaimsOf<C> = Vec<Claim<<C as TraceChip>::Event>>;

/// Proves `events` and returns the claims that the proof is about.
///
/// # Errors
/// If an event has no trace, or the configuration cannot prove a trace of this height.
pub fn prove<C: ProvableChip>(
    config: ConfigName,
    events: &[C::Event],
) -> Result<(ChipProof, ClaimsOf<C>), ProveError> {
    let trace = C::generate_trace(events)?;
    let claims = claims_of(&trace, events);
    let proof = prove_trace(config, trace, &claims, &Digest::default())?;
    Ok((proof, claims))
}

/// The claims that a trace of `events` makes.
#[must_use]
pub fn claims_of<C: TraceChip>(trace: &Trace<C>, events: &[C::Event]) -> ClaimsOf<C> {
    events.iter().zip(&trace.outputs).map(|(&event, &out)| Claim { event, out }).collect()
}

/// Proves that `trace` is a trace of `claims`, in a `context` that the verifier knows (zeros for none).
///
/// The trace is not checked: a wrong one gives a proof that does not verify. [`check`] says what is wrong with it.
///
/// # Errors
/// If the configuration cannot prove a trace of this height.
///
/// # Panics
/// If the trace has no rows, and in builds with debug assertions if it violates a constraint.
#[tracing::instrument(skip_all, fields(chip = %C::OPERATION))]
pub fn prove_trace<C: ProvableChip>(
    config: ConfigName,
    trace: Trace<C>,
    claims: &[Claim<C::Event>],
    context: &Digest,
) -> Result<ChipProof, ProveError> {
    let Trace { main, parameters, second_offsets, .. } = trace;
    let air = ChipAir::<C, Val>::for_prover(DIGEST_LEN);
    config.check(&air, main.height().ilog2() as usize)?;
    let digest = statement(config, C::OPERATION, context, claims, &second_offsets);
    let stark = stark_prove(&config.build(), &air, main, &public_values(digest, &parameters))
        .map_err(|e| ProveError::Prover { reason: e.to_string() })?;
    Ok(ChipProof { parameters, second_offsets, stark })
}

/// Accepts iff `proof` proves `claims`, all of them and in this order.
///
/// # Errors
/// The first reason not to accept.
pub fn verify<C: ProvableChip>(
    config: ConfigName,
    claims: &[Claim<C::Event>],
    proof: &ChipProof,
) -> Result<(), VerifyError> {
    verify_in_context::<C>(config, claims, proof, &Digest::default())
}

/// [`verify`] in the `context` that the proof was made in.
///
/// # Errors
/// The first reason not to accept.
#[tracing::instrument(skip_all, fields(chip = %C::OPERATION))]
pub fn verify_in_context<C: ProvableChip>(
    config: ConfigName,
    claims: &[Claim<C::Event>],
    proof: &ChipProof,
    context: &Digest,
) -> Result<(), VerifyError> {
    for (index, claim) in claims.iter().enumerate() {
        claim.check(index)?;
    }
    let height = C::height(claims.len())?;
    let expected = height.ilog2() as usize;
    if proof.log_height() != expected {
        return Err(VerifyError::Height { expected, got: proof.log_height() });
    }
    if proof.parameters.len() != C::NUM_PARAMETERS {
        return Err(VerifyError::Malformed { what: "number of parameters" });
    }
    let second = &proof.second_offsets;
    if second.windows(2).any(|pair| pair[0] >= pair[1]) || second.last().is_some_and(|&i| i >= claims.len()) {
        return Err(VerifyError::Malformed { what: "list of second offsets" });
    }
    if !C::HAS_OFFSETS && !second.is_empty() {
        return Err(VerifyError::Malformed { what: "second offsets of a chip without offsets" });
    }
    let columns = C::instance_columns(claims, second, height);
    let air = ChipAir::<C, Val>::for_verifier(columns, DIGEST_LEN);
    config.check(&air, expected)?;
    let digest = statement(config, C::OPERATION, context, claims, second);
    stark_verify(&config.build(), &air, &proof.stark, &public_values(digest, &proof.parameters))
        .map_err(|e| VerifyError::Invalid { reason: e.to_string() })
}

/// Executes `events` as a trace and checks every constraint on every row.
///
/// An event that has no trace is reported like a violated constraint, under the label `trace.…`. The same in every
/// build: nothing relies on debug assertions.
///
/// # Errors
/// All violations, in row order.
pub fn check<C: TraceChip>(events: &[C::Event]) -> Result<(), Vec<Violation>> {
    let trace = C::generate_trace(events).map_err(|error| vec![no_trace::<C>(error)])?;
    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    let mut violations = trace.violations();
    violations.extend(trace.instance_violations(&claims));
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

/// A trace error as a violation.
fn no_trace<C: TraceChip>(error: TraceError) -> Violation {
    let (event, label) = match error {
        TraceError::NotOnCurve { event, .. } => (Some(event), "trace.not_on_curve"),
        TraceError::NoOffset { event } => (Some(event), "trace.no_offset"),
        TraceError::WrongResult { event } => (Some(event), "trace.wrong_result"),
        TraceError::TooManyEvents { .. } => (None, "trace.too_many_events"),
        TraceError::NoEvaluationPoint => (None, "trace.no_evaluation_point"),
        _ => (None, "trace.error"),
    };
    Violation {
        event,
        row: event.unwrap_or_default().saturating_mul(C::ROWS_PER_EVENT),
        label: Label(label),
        coordinate: None,
    }
}
