//! The precompiles in a machine that SP1's CPU prover proves and its verifier checks.
#![allow(clippy::unwrap_used)]

mod forge;
mod forgeries;
mod honest;
mod layout;
mod stacks;
mod support;
