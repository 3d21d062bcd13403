//! Errors of proving and verifying.

use septic_trace::TraceError;
use septic_trace::septic_chips::Operation;
use thiserror::Error;

use crate::config::ConfigError;

/// Why a list of events could not be proven.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The events have no trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The configuration cannot prove a trace of this shape.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The proof system failed.
    #[error("proving failed: {reason}")]
    Prover {
        /// What the proof system said.
        reason: String,
    },
}

/// Why a proof was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The claims need a trace that no proof can have.
    #[error(transparent)]
    Claims(#[from] TraceError),
    /// The configuration does not allow a trace of this shape.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The proof is of a trace of another height than the claims need.
    #[error("the proof is of 2^{got} rows, the claims need 2^{expected}")]
    Height {
        /// log2 of the height that the claims need.
        expected: usize,
        /// log2 of the height that the proof states.
        got: usize,
    },
    /// The proof's own data have the wrong form.
    #[error("malformed proof: {what}")]
    Malformed {
        /// What is wrong.
        what: &'static str,
    },
    /// A proof for an operation that has claims is missing, or there is one too many.
    #[error("the proofs are not those of the claimed operations: {operation} {problem}")]
    Operations {
        /// The operation concerned.
        operation: Operation,
        /// `is missing` or `is not claimed`.
        problem: &'static str,
    },
    /// The proof is of another configuration.
    #[error("the proof is of configuration {got}, not {expected}")]
    WrongConfig {
        /// The verifier's configuration.
        expected: crate::config::ConfigName,
        /// The proof's.
        got: crate::config::ConfigName,
    },
    /// The proof does not prove the claims.
    #[error("the proof does not prove these claims, or is damaged ({reason})")]
    Invalid {
        /// What the verifier said.
        reason: String,
    },
}
