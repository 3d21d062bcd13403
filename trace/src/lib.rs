//! Traces of the septic chips, from lists of events of any length.
//!
//! [`TraceChip::generate_trace`] makes the trace of a list of events, [`Trace::violations`] checks it and names what
//! is violated, [`TraceChip::instance_columns`] says which cells the claims determine. Inversions are batched over
//! events; with the feature `parallel` chunks of events are spread over threads, with the same trace as result.
//! Witness generation takes variable time: it is not for secrets.
//!
//! Generators emit a `tracing` event at trace level with the target `septic_trace::progress` and the field `events` for
//! each finished chunk.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod add;
pub mod check;
mod digits;
mod double;
mod error;
mod event;
pub mod half;
mod instance;
mod ladder;
mod multi_row;
mod one_row;
pub mod precompile;
pub mod row_per_bit;
mod scalar_mul;
mod trace;
mod verify;

pub use check::Violation;
pub use error::TraceError;
pub use event::{AddEvent, Claim, DoubleEvent, Event, Execute, ScalarMulEvent, VerifyEvent};
pub use septic_chips;
pub use septic_chips::septic_curve;
pub use trace::{
    MAX_LOG_HEIGHT, MIN_LOG_HEIGHT, MIN_TABLE_LOG_HEIGHT, Trace, TraceChip, check_points, height,
};
