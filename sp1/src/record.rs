//! What one shard of the machine proves: the events of the four operations and what the driver needs.

use hashbrown::HashMap;
use slop_algebra::AbstractField;
use sp1_core_executor::ExecutionRecord;
use sp1_core_executor::events::{ByteLookupEvent, ByteRecord, MemoryLocalEvent};
use sp1_hypercube::air::SP1AirBuilder;
use sp1_hypercube::{InteractionKind, MachineRecord};

use crate::events::{SepticAddEvent, SepticDoubleEvent, SepticScalarMulEvent, SepticVerifyEvent};

/// A syscall as the CPU sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syscall {
    /// The clock cycle.
    pub clk: u64,
    /// The syscall's id: the low byte of its code.
    pub id: u32,
    /// The two arguments; 0 if there is one only.
    pub arguments: [u64; 2],
}

/// The events of a shard.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// SP1's own record: the program, the lookups in the byte tables, the public values.
    pub execution: ExecutionRecord,
    /// The syscalls, of all operations.
    pub syscalls: Vec<Syscall>,
    /// For each word that is touched, its value before the shard and after it.
    pub memory: Vec<MemoryLocalEvent>,
    /// SEPTIC_ADD.
    pub add: Vec<SepticAddEvent>,
    /// SEPTIC_DOUBLE.
    pub double: Vec<SepticDoubleEvent>,
    /// SEPTIC_SCALAR_MUL.
    pub scalar_mul: Vec<SepticScalarMulEvent>,
    /// SEPTIC_VERIFY.
    pub verify: Vec<SepticVerifyEvent>,
}

impl ByteRecord for Record {
    fn add_byte_lookup_event(&mut self, lookup: ByteLookupEvent) {
        self.execution.add_byte_lookup_event(lookup);
    }

    fn add_byte_lookup_events_from_maps(&mut self, lookups: Vec<&HashMap<ByteLookupEvent, usize>>) {
        self.execution.add_byte_lookup_events_from_maps(lookups);
    }
}

impl MachineRecord for Record {
    fn stats(&self) -> HashMap<String, usize> {
        let counts = [
            ("septic_add_events", self.add.len()),
            ("septic_double_events", self.double.len()),
            ("septic_scalar_mul_events", self.scalar_mul.len()),
            ("septic_verify_events", self.verify.len()),
        ];
        counts.into_iter().filter(|&(_, n)| n != 0).map(|(name, n)| (name.to_string(), n)).collect()
    }

    fn append(&mut self, other: &mut Self) {
        self.execution.append(&mut other.execution);
        self.syscalls.append(&mut other.syscalls);
        self.memory.append(&mut other.memory);
        self.add.append(&mut other.add);
        self.double.append(&mut other.double);
        self.scalar_mul.append(&mut other.scalar_mul);
        self.verify.append(&mut other.verify);
    }

    fn public_values<F: AbstractField>(&self) -> Vec<F> {
        self.execution.public_values()
    }

    fn eval_public_values<AB: SP1AirBuilder>(_: &mut AB) {}

    fn interactions_in_public_values() -> Vec<InteractionKind> {
        Vec::new()
    }
}
