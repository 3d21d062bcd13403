//! `septic verify`.

use std::time::Instant;

use septic_air::files::read_claims;
use septic_air::{Bundle, ConfigName, VerifyError};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{check_inputs, open, read_up_to};
use crate::measure::{Bits, expected_verification, milliseconds};

/// No proof is larger: real ones take less than a megabyte. Decoding takes up to about 50 bytes of memory for each.
const MAX_PROOF_BYTES: u64 = 1 << 24;

pub(crate) fn run(args: &VerifyArgs, config: ConfigName, console: &Console) -> Result<Outcome, Failure> {
    check_inputs(&[&args.proof, &args.claims])?;
    let claims = read_claims(&args.claims.to_string(), open(&args.claims)?)?;
    let bytes = read_up_to(&args.proof, MAX_PROOF_BYTES)?;

    console.start_timed("verify", claims.len(), expected_verification(claims.len()));
    let clock = Instant::now();
    let proof_bytes = bytes.as_ref().map_or(MAX_PROOF_BYTES, |bytes| bytes.len() as u64);
    let verdict = match bytes {
        None => Err(format!("more than {MAX_PROOF_BYTES} bytes are no proof")),
        Some(bytes) => Bundle::from_bytes(&bytes).map_err(|error| error.to_string()).and_then(|bundle| {
            bundle.verify(config, &claims).map_err(|error: VerifyError| error.to_string())
        }),
    };
    let verify_ms = milliseconds(clock.elapsed());
    console.finish();

    let security_bits = Bits::of_claims(config, &claims);
    console.summary(&json!({
        "accepted": verdict.is_ok(),
        "reason": verdict.as_ref().err(),
        "config": config,
        "events": claims.len(),
        "verify_ms": verify_ms,
        "proof_bytes": proof_bytes,
        "security_bits": security_bits,
    }))?;
    match verdict {
        Ok(()) => {
            console.result(format_args!(
                "accepted: {} claims, configuration {config}, {security_bits}, {verify_ms:.1} ms",
                claims.len()
            ))?;
            Ok(Outcome::Done)
        }
        Err(reason) => Err(Failure::rejected(format!("rejected: {}: {reason}", args.proof))),
    }
}
