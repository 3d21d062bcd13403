//! The precompiles in a machine that SP1's CPU prover proves and its verifier checks.

mod honest;
mod layout;
mod support;
