//! Proofs for the septic chips.
//!
//! | module | holds |
//! | --- | --- |
//! | [`config`] | named proof configurations and their security in bits |
//! | [`claims`] | what binds claims to proofs |
//! | [`single`] | one chip, one proof, with p3-uni-stark |
//! | [`bundle`] | mixed lists: one proof per operation, as bytes |
//! | [`machine`] | mixed lists: one proof of all operations, with p3-batch-stark |

#![forbid(unsafe_code)]

pub mod bundle;
pub mod claims;
pub mod config;
mod error;
pub mod machine;
pub mod single;

pub use bundle::{Bundle, DecodeError, MixedClaim, Observer};
pub use config::{ConfigError, ConfigName, SecurityBits};
pub use error::{ProveError, VerifyError};
pub use p3_matrix;
pub use septic_trace;
pub use single::{ChipProof, check, prove, verify};
