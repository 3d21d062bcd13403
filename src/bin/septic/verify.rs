//! `septic verify`.

use std::time::Instant;

use septic_air::files::{FileError, for_each_claim, read_claims};
use septic_air::prover::machine::segments::{MAX_PROOF, SegmentsError, Verified, Verifier};
use septic_air::{Bundle, ConfigName, Machine, MachineProof, MixedClaim};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{about, check_inputs, open, open_with_head, read_up_to};
use crate::measure::{Bits, expected_verification, milliseconds};

/// No proof is larger, of a list or of a segment: real ones take about two megabytes. Decoding takes up to about 50
/// bytes of memory for each.
const MAX_PROOF_BYTES: u64 = MAX_PROOF as u64;

/// Bytes by which the form of a proof is known.
const HEAD: u64 = 8;

/// What a proof was found to be.
#[derive(Debug)]
struct Verdict {
    /// Why it is rejected, if it is.
    reason: Option<String>,
    route: &'static str,
    events: u64,
    segments: Option<u64>,
    proof_bytes: u64,
    security_bits: Bits,
    verify_ms: f64,
}

pub(crate) fn run(args: &VerifyArgs, config: ConfigName, console: &Console) -> Result<Outcome, Failure> {
    check_inputs(&[&args.proof, &args.claims])?;
    // A proof that cannot be read is reported after claims that cannot.
    let verdict = match open_with_head(&args.proof, HEAD) {
        Ok((head, reader)) if Verifier::is_encoded(&head) => {
            segments(args, config, std::io::Read::chain(head.as_slice(), reader), console)?
        }
        opened => {
            let claims = read_claims(&args.claims.to_string(), open(&args.claims)?)?;
            let (head, reader) = opened?;
            whole(config, &claims, read_up_to(&args.proof, head, reader, MAX_PROOF_BYTES)?, console)
        }
    };
    let Verdict { reason, route, events, segments, proof_bytes, security_bits, verify_ms } = verdict;
    console.summary(&json!({
        "accepted": reason.is_none(),
        "reason": reason,
        "config": config,
        "route": route,
        "events": events,
        "segments": segments,
        "verify_ms": verify_ms,
        "proof_bytes": proof_bytes,
        "security_bits": security_bits,
    }))?;
    if let Some(reason) = reason {
        return Err(Failure::rejected(format!("rejected: {}: {reason}", args.proof)));
    }
    let segments = segments.map_or_else(String::new, |segments| format!(" in {segments} segments"));
    console.result(format_args!(
        "accepted: {events} claims{segments}, configuration {config}, {security_bits}, {verify_ms:.1} ms"
    ))?;
    Ok(Outcome::Done)
}

/// Verifies a proof that is one piece. `None` stands for more bytes than it can have.
fn whole(config: ConfigName, claims: &[MixedClaim], bytes: Option<Vec<u8>>, console: &Console) -> Verdict {
    console.start_timed("verify", claims.len(), expected_verification(claims.len()));
    let clock = Instant::now();
    let proof_bytes = bytes.as_ref().map_or(MAX_PROOF_BYTES, |bytes| bytes.len() as u64);
    let of_machine = bytes.as_deref().is_some_and(MachineProof::is_encoded);
    let verdict = match bytes {
        None => Err(format!("more than {MAX_PROOF_BYTES} bytes are no proof")),
        Some(bytes) if of_machine => machine(config, claims, &bytes),
        Some(bytes) => Bundle::from_bytes(&bytes)
            .map_err(|error| error.to_string())
            .and_then(|bundle| bundle.verify(config, claims).map_err(|error| error.to_string()))
            .map(|()| Bits::of_claims(config, claims)),
    };
    let verify_ms = milliseconds(clock.elapsed());
    console.finish();
    let (reason, security_bits) = match verdict {
        Ok(bits) => (None, bits),
        Err(reason) => (Some(reason), Bits::default()),
    };
    let route = if of_machine { "machine" } else { "single-chip" };
    let events = claims.len() as u64;
    Verdict { reason, route, events, segments: None, proof_bytes, security_bits, verify_ms }
}

fn machine(config: ConfigName, claims: &[MixedClaim], bytes: &[u8]) -> Result<Bits, String> {
    let machine = Machine::new(config);
    let proof = MachineProof::from_bytes(bytes).map_err(|error| error.to_string())?;
    machine.verify(claims, &proof).map_err(|error| error.to_string())?;
    let security = machine.with_layout(proof.layout()).security(claims).ok();
    Ok(security.filter(|_| !claims.is_empty()).into())
}

/// Why reading claims ends early.
enum Stop {
    Claims(FileError),
    Proof(SegmentsError),
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Self {
        Self::Claims(error)
    }
}

/// Verifies a proof in segments while its claims are read.
fn segments(
    args: &VerifyArgs,
    config: ConfigName,
    proof: impl std::io::Read,
    console: &Console,
) -> Result<Verdict, Failure> {
    let clock = Instant::now();
    let claims = open(&args.claims)?;
    let mut events = 0;
    let verify = || {
        let mut verifier = Verifier::new(config, proof).map_err(Stop::Proof)?;
        let bar = console.bar("verify", usize::try_from(verifier.events()).unwrap_or(usize::MAX));
        for_each_claim(&args.claims.to_string(), claims, |claim| {
            events += 1;
            verifier.push(claim).map_err(Stop::Proof)?;
            bar.set_position(verifier.accepted());
            Ok::<_, Stop>(())
        })?;
        verifier.finish().map_err(Stop::Proof)
    };
    let (reason, segments, proof_bytes, security) = match verify() {
        Ok(Verified { segments, bytes, security, .. }) => (None, Some(segments), bytes, security),
        Err(Stop::Claims(error)) => return Err(error.into()),
        Err(Stop::Proof(SegmentsError::Io(error))) => return Err(about(&args.proof, error)),
        Err(Stop::Proof(error)) => (Some(error.to_string()), None, 0, None),
    };
    Ok(Verdict {
        reason,
        route: "machine",
        events,
        segments,
        proof_bytes,
        security_bits: security.into(),
        verify_ms: milliseconds(clock.elapsed()),
    })
}
