//! What the precompiles need of SP1.

use slop_algebra::PrimeField32;
use sp1_core_executor::{events::PrecompileEvent, SyscallCode};
use sp1_hypercube::{air::MachineAir, next_multiple_of_32};

pub(super) use sp1_core_executor::{
    events::{SepticAddEvent, SepticDoubleEvent, SepticScalarMulEvent, SepticVerifyEvent},
    ExecutionRecord as Record, Program,
};

/// The low byte of a syscall's code.
const fn id(code: SyscallCode) -> u32 {
    code as u32 & 0xff
}

/// The syscall id of SEPTIC_ADD.
pub const SEPTIC_ADD_ID: u32 = id(SyscallCode::SEPTIC_ADD);
/// The syscall id of SEPTIC_DOUBLE.
pub const SEPTIC_DOUBLE_ID: u32 = id(SyscallCode::SEPTIC_DOUBLE);
/// The syscall id of SEPTIC_SCALAR_MUL.
pub const SEPTIC_SCALAR_MUL_ID: u32 = id(SyscallCode::SEPTIC_SCALAR_MUL);
/// The syscall id of SEPTIC_VERIFY.
pub const SEPTIC_VERIFY_ID: u32 = id(SyscallCode::SEPTIC_VERIFY);

/// The shard's SEPTIC_ADD events.
pub(super) fn add_events(record: &Record) -> Vec<&SepticAddEvent> {
    let events = record.get_precompile_events(SyscallCode::SEPTIC_ADD).iter();
    events
        .map(|(_, event)| match event {
            PrecompileEvent::SepticAdd(event) => event,
            _ => unreachable!("events are sorted by syscall code"),
        })
        .collect()
}

/// The shard's SEPTIC_DOUBLE events.
pub(super) fn double_events(record: &Record) -> Vec<&SepticDoubleEvent> {
    let events = record.get_precompile_events(SyscallCode::SEPTIC_DOUBLE).iter();
    events
        .map(|(_, event)| match event {
            PrecompileEvent::SepticDouble(event) => event,
            _ => unreachable!("events are sorted by syscall code"),
        })
        .collect()
}

/// The shard's SEPTIC_SCALAR_MUL events.
pub(super) fn scalar_mul_events(record: &Record) -> Vec<&SepticScalarMulEvent> {
    let events = record.get_precompile_events(SyscallCode::SEPTIC_SCALAR_MUL).iter();
    events
        .map(|(_, event)| match event {
            PrecompileEvent::SepticScalarMul(event) => event,
            _ => unreachable!("events are sorted by syscall code"),
        })
        .collect()
}

/// The shard's SEPTIC_VERIFY events.
pub(super) fn verify_events(record: &Record) -> Vec<&SepticVerifyEvent> {
    let events = record.get_precompile_events(SyscallCode::SEPTIC_VERIFY).iter();
    events
        .map(|(_, event)| match event {
            PrecompileEvent::SepticVerify(event) => event,
            _ => unreachable!("events are sorted by syscall code"),
        })
        .collect()
}

/// Whether pages have permissions: then chips in user mode have rows, else those in supervisor mode.
pub(super) fn enable_untrusted_programs(record: &Record) -> bool {
    record.program.enable_untrusted_programs
}

/// The height of the trace of `chip` for so many events.
pub(super) fn num_rows<F: PrimeField32, A: MachineAir<F>>(
    record: &Record,
    chip: &A,
    events: usize,
) -> usize {
    next_multiple_of_32(events, record.fixed_log2_rows::<F, A>(chip))
}

/// Whether `chip` is part of the shard's proof.
pub(super) fn included<F: PrimeField32, A: MachineAir<F>>(
    record: &Record,
    chip: &A,
    has_events: bool,
) -> bool {
    record.shape.as_ref().map_or(has_events, |shape| shape.included::<F, A>(chip))
}
