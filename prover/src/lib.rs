//! Proofs for the chips over the septic extension of KoalaBear.
//!
//! [`config`] names the proof configurations and computes their security in bits.

pub mod config;
