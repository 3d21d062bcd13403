//! The septic chips in SP1's prover.
//!
//! [`precompile`] has one chip per operation, written as those of SP1 are: a row per syscall, memory accesses, addresses,
//! page permissions. Constraints are those of [`septic_chips`], through [`sink`]. [`machine`] is a machine around them that
//! SP1's CPU prover proves, without a change to SP1: a driver ([`driver`]) stands for the CPU, and [`memory`] executes
//! operations and writes the [`record`].

#![forbid(unsafe_code)]

pub mod driver;
pub mod events;
pub mod machine;
pub mod memory;
pub mod precompile;
pub mod record;
pub mod sink;

pub use machine::{Parameters, Prover, SepticAir};
pub use memory::{Memory, MemoryError};
pub use record::Record;
