//! The tables around the precompiles: those that stand for the rest of SP1, and SP1's own byte tables.
//!
//! [`SyscallChip`] sends what the CPU would send. [`MemoryChip`] gives each word its value before the shard and takes the one
//! after it, as SP1's table of local memory does. Their cells are bound to nothing: a proof of this machine says that
//! the precompiles' rows are right, not which syscalls a program made.

use std::borrow::{Borrow, BorrowMut};
use std::mem::{MaybeUninit, size_of};

use slop_air::{Air, BaseAir, PairBuilder};
use slop_algebra::{AbstractField, PrimeField32};
use slop_matrix::Matrix;
use sp1_core_executor::{ExecutionRecord, Program};
use sp1_core_machine::bytes::ByteChip;
use sp1_core_machine::range::RangeChip;
use sp1_derive::AlignedBorrow;
use sp1_hypercube::air::{AirInteraction, InteractionScope, MachineAir, SP1AirBuilder};
use sp1_hypercube::{InteractionKind, Word, addr_to_limbs, next_multiple_of_32};

use crate::record::Record;

/// One of SP1's byte tables over our record. Only the precompiles' lookups count: those that the table adds for the
/// public values of a program are not sent here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lookups<A>(A);

/// The table of byte operations.
pub type ByteTable<F> = Lookups<ByteChip<F>>;

/// The table of numbers below 2^bits, bits ≤ 16.
pub type RangeTable<F> = Lookups<RangeChip<F>>;

impl<F, A: BaseAir<F>> BaseAir<F> for Lookups<A> {
    fn width(&self) -> usize {
        self.0.width()
    }
}

impl<F, A> MachineAir<F> for Lookups<A>
where
    F: PrimeField32,
    A: MachineAir<F, Record = ExecutionRecord, Program = Program>,
{
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn column_names(&self) -> Vec<String> {
        self.0.column_names()
    }

    fn num_rows(&self, input: &Record) -> Option<usize> {
        self.0.num_rows(&input.execution)
    }

    fn generate_trace_into(&self, input: &Record, output: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        self.0.generate_trace_into(&input.execution, &mut output.execution, buffer);
    }

    fn generate_dependencies(&self, _: &Record, _: &mut Record) {}

    fn included(&self, shard: &Record) -> bool {
        self.0.included(&shard.execution)
    }

    fn preprocessed_width(&self) -> usize {
        self.0.preprocessed_width()
    }

    fn preprocessed_num_rows(&self, program: &Program) -> Option<usize> {
        self.0.preprocessed_num_rows(program)
    }

    fn generate_preprocessed_trace_into(&self, program: &Program, buffer: &mut [MaybeUninit<F>]) {
        self.0.generate_preprocessed_trace_into(program, buffer);
    }
}

impl<AB: SP1AirBuilder + PairBuilder, A: Air<AB>> Air<AB> for Lookups<A> {
    fn eval(&self, builder: &mut AB) {
        self.0.eval(builder);
    }
}

/// Splits a clock into its bits 24.. and its low 24 bits.
fn clock<F: PrimeField32>(clk: u64) -> [F; 2] {
    [F::from_canonical_u64(clk >> 24), F::from_canonical_u64(clk & 0xff_ffff)]
}

/// Writes rows, and zero rows below them.
fn write_rows<F: PrimeField32>(rows: impl Iterator<Item = Vec<F>>, buffer: &mut [MaybeUninit<F>]) {
    let cells = rows.flatten().chain(std::iter::repeat(F::zero()));
    for (out, cell) in buffer.iter_mut().zip(cells) {
        out.write(cell);
    }
}

/// A row of [`SyscallChip`].
#[derive(AlignedBorrow, Clone, Copy, Debug)]
#[repr(C)]
pub struct SyscallCols<T> {
    /// Bits 24.. of the clock.
    pub clk_high: T,
    /// The low 24 bits of the clock.
    pub clk_low: T,
    /// The syscall's id.
    pub id: T,
    /// The first argument.
    pub first: [T; 3],
    /// The second argument.
    pub second: [T; 3],
    /// 1 on syscalls, 0 on padding.
    pub is_real: T,
}

/// Sends the syscalls.
#[derive(Clone, Copy, Debug, Default)]
pub struct SyscallChip;

impl<F> BaseAir<F> for SyscallChip {
    fn width(&self) -> usize {
        size_of::<SyscallCols<u8>>()
    }
}

impl<F: PrimeField32> MachineAir<F> for SyscallChip {
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        "SyscallDriver"
    }

    fn num_rows(&self, input: &Record) -> Option<usize> {
        Some(next_multiple_of_32(input.syscalls.len(), None))
    }

    fn generate_trace_into(&self, input: &Record, _: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        let rows = input.syscalls.iter().map(|syscall| {
            let mut row = vec![F::zero(); BaseAir::<F>::width(self)];
            let cols: &mut SyscallCols<F> = row.as_mut_slice().borrow_mut();
            [cols.clk_high, cols.clk_low] = clock(syscall.clk);
            cols.id = F::from_canonical_u32(syscall.id);
            [cols.first, cols.second] = syscall.arguments.map(addr_to_limbs);
            cols.is_real = F::one();
            row
        });
        write_rows(rows, buffer);
    }

    fn generate_dependencies(&self, _: &Record, _: &mut Record) {}

    fn included(&self, shard: &Record) -> bool {
        !shard.syscalls.is_empty()
    }
}

impl<AB: SP1AirBuilder> Air<AB> for SyscallChip {
    fn eval(&self, builder: &mut AB) {
        let main = builder.main();
        let row = main.row_slice(0);
        let local: &SyscallCols<AB::Var> = (*row).borrow();
        builder.assert_bool(local.is_real);
        builder.send_syscall(
            local.clk_high,
            local.clk_low,
            local.id,
            AB::Expr::zero(),
            local.first,
            local.second,
            local.is_real,
            InteractionScope::Local,
        );
    }
}

/// A row of [`MemoryChip`].
#[derive(AlignedBorrow, Clone, Copy, Debug)]
#[repr(C)]
pub struct MemoryCols<T> {
    /// The address.
    pub address: [T; 3],
    /// The clock of the last access before the shard: bits 24.., low 24 bits.
    pub initial_clock: [T; 2],
    /// The value before the shard.
    pub initial_value: Word<T>,
    /// The clock of the shard's last access.
    pub final_clock: [T; 2],
    /// The value after the shard.
    pub final_value: Word<T>,
    /// 1 on words, 0 on padding.
    pub is_real: T,
}

/// Gives each word its value before the shard and takes the one after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryChip;

impl<F> BaseAir<F> for MemoryChip {
    fn width(&self) -> usize {
        size_of::<MemoryCols<u8>>()
    }
}

impl<F: PrimeField32> MachineAir<F> for MemoryChip {
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        "MemoryDriver"
    }

    fn num_rows(&self, input: &Record) -> Option<usize> {
        Some(next_multiple_of_32(input.memory.len(), None))
    }

    fn generate_trace_into(&self, input: &Record, _: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        let rows = input.memory.iter().map(|word| {
            let mut row = vec![F::zero(); BaseAir::<F>::width(self)];
            let cols: &mut MemoryCols<F> = row.as_mut_slice().borrow_mut();
            cols.address = addr_to_limbs(word.addr);
            cols.initial_clock = clock(word.initial_mem_access.timestamp);
            cols.initial_value = Word::from(word.initial_mem_access.value);
            cols.final_clock = clock(word.final_mem_access.timestamp);
            cols.final_value = Word::from(word.final_mem_access.value);
            cols.is_real = F::one();
            row
        });
        write_rows(rows, buffer);
    }

    fn generate_dependencies(&self, _: &Record, _: &mut Record) {}

    fn included(&self, shard: &Record) -> bool {
        !shard.memory.is_empty()
    }
}

impl<AB: SP1AirBuilder> Air<AB> for MemoryChip {
    fn eval(&self, builder: &mut AB) {
        let main = builder.main();
        let row = main.row_slice(0);
        let local: &MemoryCols<AB::Var> = (*row).borrow();
        builder.assert_bool(local.is_real);
        let message = |clock: [AB::Var; 2], value: Word<AB::Var>| {
            let values = clock.into_iter().chain(local.address).chain(value).map(Into::into).collect();
            AirInteraction::new(values, local.is_real.into(), InteractionKind::Memory)
        };
        builder.receive(message(local.initial_clock, local.initial_value), InteractionScope::Local);
        builder.send(message(local.final_clock, local.final_value), InteractionScope::Local);
    }
}
