//! The septic chips in SP1's prover.

pub mod events;
