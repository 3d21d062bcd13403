//! The four operations as precompiles: one chip and one row per syscall.
//!
//! ## Statement
//! On every row with `is_real = 1` whose pages allow the access, the words at the pointers hold canonical points of the
//! curve or the identity (and any scalars), and the result of the operation is written over the first point, at the
//! time and under the syscall's id that the row receives from the CPU.
//!
//! ## Not proved here
//! - That memory holds what the row says: SP1's memory argument.
//! - That a syscall that should be there is there: the `Syscall` message has to be sent by another table.
//!
//! ## Columns
//! | columns | content |
//! | --- | --- |
//! | 3 | `is_real`, `clk_high`, `clk_low` |
//! | 6 per pointer | the pointer: a multiple of 8, at least 2^16, its buffer ends below 2^48 |
//! | 12 per word | its address (3), its previous value (4) and time (5) |
//! | 4 per word written | the result |
//! | 1 per limb of a point | it is below p |
//! | 24 per pointer, user mode only | permissions of the buffer's pages |
//! | the rest | the columns of the operation's table that are not coordinates, scalars or `is_real` |
//!
//! Coordinates are no columns: each is limb₀ + 2^16·limb₁ of a word in memory. The relations are those of
//! [`septic_chips`], unchanged.
//!
//! ## Access to memory
//! With two pointers the second buffer is read at `clk`, then the point at the first one is read and written at
//! `clk + 1`, so both may be the same. With one pointer all accesses are at `clk`.
//!
//! ## Traps
//! In user mode a page may forbid the access. Then the row receives the syscall with the trap's code, touches no memory
//! and proves nothing: the relations are those of a padding row, all zero.
//!
//! ## Padding
//! The all-zero row satisfies every constraint and sends nothing.

use std::borrow::{Borrow, BorrowMut};
use std::fmt;
use std::marker::PhantomData;
use std::mem::{MaybeUninit, size_of};

use hashbrown::HashMap;
use septic_chips::bus::Count;
use septic_chips::check::row_messages;
use septic_chips::columns::ColumnSet;
use septic_chips::table::{Place, Table};
use septic_curve::KoalaBear;
use septic_curve::p3_field::PrimeField32 as _;
use septic_trace::TraceError;
use slop_air::{Air, BaseAir};
use slop_algebra::{AbstractField, PrimeField32};
use slop_matrix::Matrix;
use slop_maybe_rayon::prelude::{
    IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator, ParallelSliceMut,
};
use sp1_core_executor::events::{
    ByteLookupEvent, ByteRecord, MemoryReadRecord, MemoryRecordEnum, MemoryWriteRecord, PageProtRecord,
};
use sp1_core_machine::air::SP1CoreAirBuilder;
use sp1_core_machine::memory::MemoryAccessCols;
use sp1_core_machine::operations::{
    AddrAddOperation, AddressSlicePageProtOperation, SP1FieldWordRangeChecker, SyscallAddrOperation,
};
use sp1_core_machine::{SupervisorMode, TrustMode, UserMode};
use sp1_derive::AlignedBorrow;
use sp1_hypercube::Word;
use sp1_hypercube::air::{InteractionScope, MachineAir};
use sp1_primitives::consts::{PROT_READ, PROT_WRITE};

mod add;
mod double;
mod host;
mod scalar_mul;
mod verify;

use super::sink::{Sink, byte_lookup};
use host::{Program, Record};

pub use add::{Add, SepticAddChip, SepticAddCols};
pub use double::{Double, SepticDoubleChip, SepticDoubleCols};
pub use host::{SEPTIC_ADD_ID, SEPTIC_DOUBLE_ID, SEPTIC_SCALAR_MUL_ID, SEPTIC_VERIFY_ID};
pub use scalar_mul::{ScalarMul, SepticScalarMulChip, SepticScalarMulCols};
pub use verify::{SepticVerifyChip, SepticVerifyCols, Verify};

/// Words of a point.
pub const POINT_WORDS: usize = 7;
/// Limbs of 32 bits of a point, which are the coordinates x₀, …, x₆, y₀, …, y₆.
pub const POINT_LIMBS: usize = 2 * POINT_WORDS;

/// What a syscall touched.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The clock cycle.
    pub clk: u64,
    /// The pointers; the second one is 0 if there is one only.
    pub pointers: [u64; 2],
    /// The words of the point that is written, 7, or none if the syscall trapped.
    pub point: &'a [MemoryWriteRecord],
    /// The words that are read, or none if the syscall trapped.
    pub reads: &'a [MemoryReadRecord],
    /// The permissions of the buffers' pages, of one buffer per pointer.
    pub pages: [&'a [PageProtRecord]; 2],
}

/// The values of an operation as they stand in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Io<E> {
    /// 1 if the operation takes place.
    pub is_real: E,
    /// The coordinates of the point before the syscall.
    pub point: [E; POINT_LIMBS],
    /// The coordinates of the point after the syscall.
    pub result: [E; POINT_LIMBS],
    /// The words read, as 4 limbs of 16 bits each, low limb first.
    pub reads: Vec<[E; 4]>,
    /// The coordinates of the point read; empty if no point is read.
    pub read_point: Vec<E>,
}

/// What tells one operation from another.
pub trait Operation: Send + Sync + 'static {
    /// The relations: a table that reads one row at a time, without flags and parameters.
    type Table: Table;
    /// What the executor records.
    type Event: Sync;
    /// Input and result of the operation, natively.
    type Claim;

    /// The chip's names in supervisor mode and in user mode.
    const NAMES: [&'static str; 2];
    /// The syscall's id: the low byte of its code.
    const SYSCALL_ID: u32;
    /// The columns of the table that [`Self::io`] gives, in its order, which is increasing.
    const IO_COLUMNS: &'static [usize];

    /// The events of the shard.
    fn events(record: &Record) -> Vec<&Self::Event>;

    /// What the event touched.
    fn call(event: &Self::Event) -> Call<'_>;

    /// The table's input and output columns.
    fn io<E: Clone>(io: &Io<E>) -> Vec<E>;

    /// The claim that words make: of the point before, of those read, and of the result.
    ///
    /// # Errors
    /// If words are no canonical point.
    fn claim(
        point: &[u64; POINT_WORDS],
        reads: &[u64],
        result: &[u64; POINT_WORDS],
    ) -> Result<Self::Claim, septic_curve::PointError>;

    /// The table's rows, `Table::WIDTH` cells each: row i is that of claim i. There may be more rows.
    ///
    /// # Errors
    /// As the trace generator.
    fn trace(claims: &[Self::Claim]) -> Result<Vec<KoalaBear>, TraceError>;
}

/// A word in memory: its address, previous value and time. 12 columns.
#[derive(AlignedBorrow, Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct WordCols<T> {
    /// The address.
    pub address: AddrAddOperation<T>,
    /// The access.
    pub access: MemoryAccessCols<T>,
}

/// A row of a precompile with `POINTERS` pointers, `READS` words and `READ_LIMBS` coordinates that are read, and
/// `WITNESS` columns of the operation's own.
#[derive(AlignedBorrow, Debug)]
#[repr(C)]
pub struct SepticCols<
    T: Copy,
    M: TrustMode,
    const POINTERS: usize,
    const READS: usize,
    const READ_LIMBS: usize,
    const WITNESS: usize,
> {
    /// 1 on syscalls, 0 on padding.
    pub is_real: T,
    /// Bits 24.. of the clock.
    pub clk_high: T,
    /// The low 24 bits of the clock.
    pub clk_low: T,
    /// The pointers.
    pub pointers: [SyscallAddrOperation<T>; POINTERS],
    /// The words of the point that is written.
    pub point: [WordCols<T>; POINT_WORDS],
    /// The result.
    pub result: [Word<T>; POINT_WORDS],
    /// The words that are read.
    pub reads: [WordCols<T>; READS],
    /// The coordinates of the point before are canonical.
    pub point_canonical: [SP1FieldWordRangeChecker<T>; POINT_LIMBS],
    /// The coordinates of the result are canonical.
    pub result_canonical: [SP1FieldWordRangeChecker<T>; POINT_LIMBS],
    /// The coordinates of the point read are canonical.
    pub read_canonical: [SP1FieldWordRangeChecker<T>; READ_LIMBS],
    /// The columns of the operation's table that are neither input nor output.
    pub witness: [T; WITNESS],
    /// The permissions of the buffers' pages.
    pub pages: [M::SliceProtCols<T>; POINTERS],
}

/// The chip of operation `O`; the numbers are those of [`SepticCols`].
pub struct SepticChip<
    O,
    M,
    const POINTERS: usize,
    const READS: usize,
    const READ_LIMBS: usize,
    const WITNESS: usize,
>(PhantomData<(O, M)>);

/// Bytes of a word.
const WORD_BYTES: u64 = 8;

/// The 16-bit limbs of each 32-bit half of `word`, as words of SP1 with upper limbs `zero`.
fn halves<E: Clone>(word: &[E; 4], zero: &E) -> [Word<E>; 2] {
    let half = |i: usize| Word([word[i].clone(), word[i + 1].clone(), zero.clone(), zero.clone()]);
    [half(0), half(2)]
}

/// The coordinates in `words`: limb₀ + 2^16·limb₁ of each half.
fn coordinates<E: AbstractField>(words: &[[E; 4]]) -> Vec<E> {
    let radix = E::from_canonical_u32(1 << 16);
    let value = |half: &Word<E>| half.0[0].clone() + half.0[1].clone() * radix.clone();
    words.iter().flat_map(|word| halves(word, &E::zero())).map(|half| value(&half)).collect()
}

/// As [`coordinates`], of a point.
fn point_coordinates<E: AbstractField>(words: &[[E; 4]]) -> [E; POINT_LIMBS] {
    let all = coordinates(words);
    std::array::from_fn(|i| all[i].clone())
}

/// A row of the table from its input and output columns and the others, in order.
fn assemble<O: Operation, E: Clone>(io: &[E], witness: &[E]) -> <O::Table as Table>::Cols<E> {
    let mut io_columns = O::IO_COLUMNS.iter().zip(io).peekable();
    let mut rest = witness.iter();
    ColumnSet::from_fn(|column| {
        let cell = match io_columns.next_if(|(io_column, _)| **io_column == column) {
            Some((_, cell)) => Some(cell),
            None => rest.next(),
        };
        cell.expect("as many columns as the table asks").clone()
    })
}

/// The cells of a row of the table that are neither input nor output.
fn witness_of<O: Operation>(row: &[KoalaBear]) -> impl Iterator<Item = &KoalaBear> {
    let mut io_columns = O::IO_COLUMNS.iter().peekable();
    let rest = move |&(column, _): &(usize, _)| io_columns.next_if_eq(&&column).is_none();
    row.iter().enumerate().filter(rest).map(|(_, cell)| cell)
}

/// Whether no column comes before an earlier one.
const fn is_increasing(columns: &[usize]) -> bool {
    let mut i = 1;
    while i < columns.len() {
        if columns[i - 1] >= columns[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl<O, M, const P: usize, const R: usize, const L: usize, const W: usize> SepticChip<O, M, P, R, L, W>
where
    O: Operation,
    M: TrustMode,
{
    /// The chip.
    ///
    /// # Panics
    /// If the numbers do not fit the operation.
    #[must_use]
    pub const fn new() -> Self {
        assert!(P == 1 || P == 2, "one or two pointers");
        assert!(L == 0 || L == 2 * R, "all words read are a point, or none");
        assert!(W + O::IO_COLUMNS.len() == O::Table::WIDTH, "all columns of the table");
        assert!(is_increasing(O::IO_COLUMNS), "columns in order");
        assert!(
            O::Table::NUM_FLAGS == 0
                && O::Table::NUM_PARAMETERS == 0
                && O::Table::NEXT_ROW_COLUMNS.is_empty(),
            "a precompile's table reads one row at a time"
        );
        Self(PhantomData)
    }

    /// The bytes of the buffer of a pointer.
    const fn buffer_bytes(pointer: usize) -> u64 {
        let words = match (P, pointer) {
            (1, _) => POINT_WORDS + R,
            (_, 0) => POINT_WORDS,
            _ => R,
        };
        words as u64 * WORD_BYTES
    }

    /// The pointer that a word belongs to and its distance from there; words that are read come after the point.
    const fn place(word: usize) -> (usize, u64) {
        let (pointer, index) = if word < POINT_WORDS || P == 1 { (0, word) } else { (1, word - POINT_WORDS) };
        (pointer, index as u64 * WORD_BYTES)
    }

    /// The buffers in the order of their access: pointer, permissions, clock cycles after the syscall's.
    const fn buffers() -> &'static [(usize, u8, u32)] {
        if P == 1 {
            &[(0, PROT_READ | PROT_WRITE, 0)]
        } else {
            &[(1, PROT_READ, 0), (0, PROT_READ | PROT_WRITE, 1)]
        }
    }

    /// Whether the chip has rows in this record.
    fn is_active(record: &Record) -> bool {
        host::enable_untrusted_programs(record) != M::IS_TRUSTED
    }

    /// The rows of the table for the events that took place, one of `Table::WIDTH` cells for each.
    ///
    /// # Panics
    /// If an event is none of the operation: the executor has checked all points.
    fn table_rows(events: &[&O::Event]) -> Vec<Option<Vec<KoalaBear>>> {
        let claims = events.iter().filter_map(|event| {
            let Call { point, reads, .. } = O::call(event);
            if point.is_empty() {
                return None;
            }
            let reads: Vec<u64> = reads.iter().map(|read| read.value).collect();
            let claim = O::claim(
                &std::array::from_fn(|i| point[i].prev_value),
                &reads,
                &std::array::from_fn(|i| point[i].value),
            );
            Some(claim.expect("the executor refuses what is no point"))
        });
        let claims: Vec<_> = claims.collect();
        if claims.is_empty() {
            return vec![None; events.len()];
        }
        let cells = O::trace(&claims).expect("an event of the executor has a trace");
        let mut rows = cells.chunks_exact(O::Table::WIDTH);
        let taken = |event: &&O::Event| !O::call(event).point.is_empty();
        events
            .iter()
            .map(|event| if taken(event) { rows.next().map(<[KoalaBear]>::to_vec) } else { None })
            .collect()
    }

    /// Fills the row of an event, given the table's row unless the syscall trapped, and notes its lookups.
    fn populate_row<F: PrimeField32>(
        event: &O::Event,
        table_row: Option<&[KoalaBear]>,
        row: &mut [F],
        lookups: &mut impl ByteRecord,
    ) {
        let call = O::call(event);
        let cols: &mut SepticCols<F, M, P, R, L, W> = row.borrow_mut();
        cols.is_real = F::one();
        cols.clk_high = F::from_canonical_u64(call.clk >> 24);
        cols.clk_low = F::from_canonical_u64(call.clk & 0xff_ffff);
        for (pointer, cols) in cols.pointers.iter_mut().enumerate() {
            cols.populate(lookups, call.pointers[pointer], Self::buffer_bytes(pointer));
        }
        for (word, cols) in cols.point.iter_mut().chain(&mut cols.reads).enumerate() {
            let (pointer, offset) = Self::place(word);
            cols.address.populate(lookups, call.pointers[pointer], offset);
        }
        if !M::IS_TRUSTED {
            let cols: &mut SepticCols<F, UserMode, P, R, L, W> = row.borrow_mut();
            let (mut is_not_trap, mut trap_code) = (true, 0);
            for &(pointer, permissions, delay) in Self::buffers() {
                let start = call.pointers[pointer];
                cols.pages[pointer].populate(
                    lookups,
                    start,
                    start + Self::buffer_bytes(pointer) - WORD_BYTES,
                    call.clk + u64::from(delay),
                    permissions,
                    call.pages[pointer],
                    &mut is_not_trap,
                    &mut trap_code,
                );
            }
            assert_eq!(is_not_trap, table_row.is_some(), "a syscall that traps touches no memory");
        }
        let Some(table_row) = table_row else { return };

        let cols: &mut SepticCols<F, M, P, R, L, W> = row.borrow_mut();
        for (cols, &record) in cols.point.iter_mut().zip(call.point) {
            cols.access.populate(MemoryRecordEnum::Write(record), lookups);
        }
        for (result, record) in cols.result.iter_mut().zip(call.point) {
            *result = Word::from(record.value);
            lookups.add_u16_range_checks_field(&result.0);
        }
        for (cols, &record) in cols.reads.iter_mut().zip(call.reads) {
            cols.access.populate(MemoryRecordEnum::Read(record), lookups);
        }
        let point = cols.point.each_ref().map(|word| word.access.prev_value.0);
        let reads = cols.reads.each_ref().map(|word| word.access.prev_value.0);
        for word in point.iter().chain(&reads) {
            lookups.add_u16_range_checks_field(word);
        }
        let results = cols.result.each_ref().map(|word| word.0);
        let checks = [
            (&point[..], &mut cols.point_canonical[..]),
            (&results[..], &mut cols.result_canonical[..]),
            (&reads[..], &mut cols.read_canonical[..]),
        ];
        for (words, checks) in checks {
            let halves = words.iter().flat_map(|word| halves(word, &F::zero()));
            for (check, half) in checks.iter_mut().zip(halves) {
                check.populate(half, lookups);
            }
        }
        for (cell, value) in cols.witness.iter_mut().zip(witness_of::<O>(table_row)) {
            *cell = F::from_canonical_u32(value.as_canonical_u32());
        }
        for message in row_messages::<O::Table, KoalaBear>(table_row) {
            if message.count == Count::Send(KoalaBear::new(0)) {
                continue;
            }
            let (opcode, [a, b, c]) =
                byte_lookup(message.label, message.bus, &message.fields, KoalaBear::new(0));
            lookups.add_byte_lookup_event(ByteLookupEvent {
                opcode,
                a: narrow(a),
                b: narrow(b),
                c: narrow(c),
            });
        }
    }
}

/// The residue as an operand of a lookup.
///
/// # Panics
/// If it does not fit: no table holds it.
fn narrow<T: TryFrom<u32>>(x: KoalaBear) -> T {
    T::try_from(x.as_canonical_u32()).ok().expect("an operand of a lookup")
}

impl<O, M, const P: usize, const R: usize, const L: usize, const W: usize> Default
    for SepticChip<O, M, P, R, L, W>
where
    O: Operation,
    M: TrustMode,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Operation, M: TrustMode, const P: usize, const R: usize, const L: usize, const W: usize> fmt::Debug
    for SepticChip<O, M, P, R, L, W>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(O::NAMES[usize::from(!M::IS_TRUSTED)])
    }
}

impl<F, O, M, const P: usize, const R: usize, const L: usize, const W: usize> BaseAir<F>
    for SepticChip<O, M, P, R, L, W>
where
    O: Operation,
    M: TrustMode,
{
    fn width(&self) -> usize {
        if M::IS_TRUSTED {
            size_of::<SepticCols<u8, SupervisorMode, P, R, L, W>>()
        } else {
            size_of::<SepticCols<u8, UserMode, P, R, L, W>>()
        }
    }
}

impl<F, O, M, const P: usize, const R: usize, const L: usize, const W: usize> MachineAir<F>
    for SepticChip<O, M, P, R, L, W>
where
    F: PrimeField32,
    O: Operation,
    M: TrustMode,
{
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        O::NAMES[usize::from(!M::IS_TRUSTED)]
    }

    fn num_rows(&self, input: &Record) -> Option<usize> {
        let events = if Self::is_active(input) { O::events(input).len() } else { return Some(0) };
        Some(host::num_rows::<F, Self>(input, self, events))
    }

    fn generate_trace_into(&self, input: &Record, _: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        if !Self::is_active(input) {
            return;
        }
        let width = BaseAir::<F>::width(self);
        let events = O::events(input);
        let table_rows = Self::table_rows(&events);
        buffer.par_chunks_mut(width).enumerate().for_each(|(i, cells)| {
            let mut row = vec![F::zero(); width];
            if let Some(event) = events.get(i) {
                Self::populate_row(event, table_rows[i].as_deref(), &mut row, &mut Discard);
            }
            for (cell, value) in cells.iter_mut().zip(row) {
                cell.write(value);
            }
        });
    }

    fn generate_dependencies(&self, input: &Record, output: &mut Record) {
        if !Self::is_active(input) {
            return;
        }
        let width = BaseAir::<F>::width(self);
        let events = O::events(input);
        let table_rows = Self::table_rows(&events);
        let indices: Vec<usize> = (0..events.len()).collect();
        let lookups: Vec<HashMap<ByteLookupEvent, usize>> = indices
            .par_iter()
            .map(|&i| {
                let mut lookups = HashMap::new();
                let mut row = vec![F::zero(); width];
                Self::populate_row(events[i], table_rows[i].as_deref(), &mut row, &mut lookups);
                lookups
            })
            .collect();
        output.add_byte_lookup_events_from_maps(lookups.iter().collect());
    }

    fn included(&self, shard: &Record) -> bool {
        Self::is_active(shard) && host::included::<F, Self>(shard, self, !O::events(shard).is_empty())
    }
}

/// Takes lookups and keeps none.
#[derive(Debug)]
struct Discard;

impl ByteRecord for Discard {
    fn add_byte_lookup_event(&mut self, _: ByteLookupEvent) {}

    fn add_byte_lookup_events_from_maps(&mut self, _: Vec<&HashMap<ByteLookupEvent, usize>>) {}
}

impl<AB, O, M, const P: usize, const R: usize, const L: usize, const W: usize> Air<AB>
    for SepticChip<O, M, P, R, L, W>
where
    AB: SP1CoreAirBuilder,
    O: Operation,
    M: TrustMode,
{
    fn eval(&self, builder: &mut AB) {
        let main = builder.main();
        let row = main.row_slice(0);
        let local: &SepticCols<AB::Var, M, P, R, L, W> = (*row).borrow();
        let is_real: AB::Expr = local.is_real.into();
        let clk_high: AB::Expr = local.clk_high.into();
        let clk_low: AB::Expr = local.clk_low.into();
        builder.assert_bool(local.is_real);

        // Pointers and addresses.
        let mut pointers = Vec::with_capacity(P);
        for (i, &pointer) in local.pointers.iter().enumerate() {
            let bytes = u32::try_from(Self::buffer_bytes(i)).expect("a short buffer");
            let limbs = SyscallAddrOperation::<AB::F>::eval(builder, bytes, pointer, is_real.clone());
            pointers.push(limbs.map(Into::<AB::Expr>::into));
        }
        let mut addresses = Vec::with_capacity(POINT_WORDS + R);
        for (word, cols) in local.point.iter().chain(&local.reads).enumerate() {
            let (pointer, offset) = Self::place(word);
            let [low, middle, high] = pointers[pointer].clone();
            AddrAddOperation::<AB::F>::eval(
                builder,
                Word([low, middle, high, AB::Expr::zero()]),
                Word::from(offset),
                cols.address,
                is_real.clone(),
            );
            addresses.push(cols.address.value.map(Into::<AB::Expr>::into));
        }

        // Permissions of pages.
        let mut is_not_trap = is_real.clone();
        let mut trap_code = AB::Expr::zero();
        if !M::IS_TRUSTED {
            let local: &SepticCols<AB::Var, UserMode, P, R, L, W> = (*row).borrow();

            #[cfg(not(feature = "mprotect"))]
            builder.assert_zero(local.is_real);

            for &(pointer, permissions, delay) in Self::buffers() {
                let last = (0..addresses.len()).rfind(|&word| Self::place(word).0 == pointer);
                AddressSlicePageProtOperation::<AB::F>::eval(
                    builder,
                    clk_high.clone(),
                    clk_low.clone() + AB::Expr::from_canonical_u32(delay),
                    &pointers[pointer],
                    &addresses[last.expect("a buffer has words")],
                    permissions,
                    &local.pages[pointer],
                    &mut is_not_trap,
                    &mut trap_code,
                );
            }
        }
        #[cfg(feature = "mprotect")]
        builder.assert_eq(
            builder.extract_public_values().is_untrusted_programs_enabled,
            AB::Expr::from_bool(!M::IS_TRUSTED),
        );

        // Memory.
        let (point_addresses, read_addresses) = addresses.split_at(POINT_WORDS);
        let point_access = local.point.each_ref().map(|word| word.access);
        let read_access = local.reads.each_ref().map(|word| word.access);
        let write_delay = AB::Expr::from_canonical_usize(P - 1);
        builder.eval_memory_access_slice_read(
            clk_high.clone(),
            clk_low.clone(),
            read_addresses,
            &read_access,
            is_not_trap.clone(),
        );
        builder.eval_memory_access_slice_write(
            clk_high.clone(),
            clk_low.clone() + write_delay,
            point_addresses,
            &point_access,
            local.result.to_vec(),
            is_not_trap.clone(),
        );

        // All limbs are below 2^16, and those of coordinates canonical.
        let point = point_access.map(|access| access.prev_value.0);
        let reads = read_access.map(|access| access.prev_value.0);
        let result = local.result.each_ref().map(|word| word.0);
        let checks = [
            (&point[..], &local.point_canonical[..]),
            (&result[..], &local.result_canonical[..]),
            (&reads[..], &local.read_canonical[..]),
        ];
        for (words, checks) in checks {
            let words: Vec<[AB::Expr; 4]> = words.iter().map(|word| word.map(Into::into)).collect();
            for word in &words {
                builder.slice_range_check_u16(word, is_not_trap.clone());
            }
            let halves = words.iter().flat_map(|word| halves(word, &AB::Expr::zero()));
            for (half, &check) in halves.zip(checks) {
                SP1FieldWordRangeChecker::<AB::F>::range_check(builder, half, check, is_not_trap.clone());
            }
        }

        // The operation.
        let exprs = |words: &[[AB::Var; 4]]| -> Vec<[AB::Expr; 4]> {
            words.iter().map(|word| word.map(Into::into)).collect()
        };
        let reads = exprs(&reads);
        let io = O::io(&Io {
            is_real: is_not_trap,
            point: point_coordinates(&exprs(&point)),
            result: point_coordinates(&exprs(&result)),
            read_point: if L == 0 { Vec::new() } else { coordinates(&reads) },
            reads,
        });
        let witness = local.witness.each_ref().map(|&cell| Into::<AB::Expr>::into(cell));
        let cols = assemble::<O, AB::Expr>(&io, &witness);
        let place = Place { is_first: AB::Expr::zero(), is_transition: AB::Expr::zero() };
        let no_flags = ColumnSet::from_fn(|_| AB::Expr::zero());
        let mut sink = Sink(builder);
        O::Table::eval(&mut sink, &cols, &cols, &no_flags, &place, &[]);
        O::Table::messages(&mut sink, &cols);

        // The syscall.
        let zero = [AB::Expr::zero(), AB::Expr::zero(), AB::Expr::zero()];
        builder.receive_syscall(
            clk_high,
            clk_low,
            AB::F::from_canonical_u32(O::SYSCALL_ID),
            trap_code,
            pointers[0].clone(),
            pointers.get(1).cloned().unwrap_or(zero),
            local.is_real,
            InteractionScope::Local,
        );
    }
}
