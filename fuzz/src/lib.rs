//! The bodies of the fuzz targets. Integration tests of the root package run the same code.

#![forbid(unsafe_code)]

mod script;
pub mod seeds;
pub mod targets;
#[path = "../../prover/tests/support/wire.rs"]
#[allow(dead_code, reason = "shared with the prover's tests")]
mod wire;
