//! Tests of the public interface: known answers, laws, edge cases and strictness.

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

mod field;
mod group;
mod layout;
mod negative;
mod params;
mod scalar;
mod schnorr;
#[cfg(feature = "serde")]
mod serde_forms;
mod support;
#[cfg(feature = "group")]
mod traits;
mod vectors;
