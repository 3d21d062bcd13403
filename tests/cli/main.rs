//! The binary `septic`, run as a user runs it: files in, files out, exit codes, messages.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

mod commands;
mod inspect;
mod library;
mod malformed;
mod outputs;
mod proofs;
mod roundtrip;
mod schnorr;
mod segments;
mod support;
