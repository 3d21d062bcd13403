//! What the precompiles need of the machine around them. In SP1 itself another file stands here.

use slop_algebra::PrimeField32;
use sp1_hypercube::air::MachineAir;
use sp1_hypercube::next_multiple_of_32;

pub(super) use crate::events::{SepticAddEvent, SepticDoubleEvent, SepticScalarMulEvent, SepticVerifyEvent};
pub(super) use crate::record::Record;
pub(super) use sp1_core_executor::Program;

/// The syscall id of SEPTIC_ADD, the low byte of 0x136.
pub const SEPTIC_ADD_ID: u32 = 0x36;
/// The syscall id of SEPTIC_DOUBLE, the low byte of 0x137.
pub const SEPTIC_DOUBLE_ID: u32 = 0x37;
/// The syscall id of SEPTIC_SCALAR_MUL, the low byte of 0x138.
pub const SEPTIC_SCALAR_MUL_ID: u32 = 0x38;
/// The syscall id of SEPTIC_VERIFY, the low byte of 0x139.
pub const SEPTIC_VERIFY_ID: u32 = 0x39;

/// The shard's SEPTIC_ADD events.
pub(super) fn add_events(record: &Record) -> Vec<&SepticAddEvent> {
    record.add.iter().collect()
}

/// The shard's SEPTIC_DOUBLE events.
pub(super) fn double_events(record: &Record) -> Vec<&SepticDoubleEvent> {
    record.double.iter().collect()
}

/// The shard's SEPTIC_SCALAR_MUL events.
pub(super) fn scalar_mul_events(record: &Record) -> Vec<&SepticScalarMulEvent> {
    record.scalar_mul.iter().collect()
}

/// The shard's SEPTIC_VERIFY events.
pub(super) fn verify_events(record: &Record) -> Vec<&SepticVerifyEvent> {
    record.verify.iter().collect()
}

/// Whether pages have permissions: then chips in user mode have rows, else those in supervisor mode.
pub(super) fn enable_untrusted_programs(record: &Record) -> bool {
    record.execution.program.enable_untrusted_programs
}

/// The height of the trace of `chip` for so many events.
pub(super) fn num_rows<F: PrimeField32, A: MachineAir<F>>(record: &Record, chip: &A, events: usize) -> usize {
    next_multiple_of_32(events, record.execution.fixed_log2_rows::<F, A>(chip))
}

/// Whether `chip` is part of the shard's proof.
pub(super) fn included<F: PrimeField32, A: MachineAir<F>>(
    record: &Record,
    chip: &A,
    has_events: bool,
) -> bool {
    record.execution.shape.as_ref().map_or(has_events, |shape| shape.included::<F, A>(chip))
}
