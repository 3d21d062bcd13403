//! A memory that executes the four syscalls natively and records them.

use std::collections::BTreeMap;

use septic_curve::layout::{
    POINT_WORDS, SCALAR_WORDS, VERIFY_WORDS, decode_point, decode_scalar, encode_point,
};
use septic_curve::{Point, PointError};
use sp1_core_executor::events::{MemoryLocalEvent, MemoryReadRecord, MemoryRecord, MemoryWriteRecord};
use thiserror::Error;

use crate::events::{SepticAddEvent, SepticDoubleEvent, SepticScalarMulEvent, SepticVerifyEvent};
use crate::precompile::{SEPTIC_ADD_ID, SEPTIC_DOUBLE_ID, SEPTIC_SCALAR_MUL_ID, SEPTIC_VERIFY_ID};
use crate::record::{Record, Syscall};

/// The lowest address that a syscall may touch: below are the registers.
pub const LOWEST_ADDRESS: u64 = 1 << 16;

/// The end of the address space.
pub const ADDRESS_END: u64 = 1 << 48;

/// Cycles from one syscall to the next, as in SP1.
pub const SYSCALL_CYCLES: u64 = 264;

/// Why a syscall is refused. Memory is then as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// A pointer is not a multiple of 8.
    #[error("pointer {pointer:#x} is not a multiple of 8")]
    Alignment {
        /// The pointer.
        pointer: u64,
    },
    /// A buffer is not within [`LOWEST_ADDRESS`] and [`ADDRESS_END`].
    #[error("the buffer of {words} words at {pointer:#x} is out of range")]
    Range {
        /// The pointer.
        pointer: u64,
        /// The buffer's length.
        words: usize,
    },
    /// Words are no canonical point.
    #[error("at {pointer:#x}: {error}")]
    Point {
        /// The pointer.
        pointer: u64,
        /// What is wrong with them.
        error: PointError,
    },
}

/// A word and the clock of its last access.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    value: u64,
    timestamp: u64,
}

/// Memory of 64-bit words, a clock, and the record of the shard under way.
#[derive(Clone, Debug)]
pub struct Memory {
    cells: BTreeMap<u64, Cell>,
    before_shard: BTreeMap<u64, Cell>,
    clk: u64,
    next_free: u64,
    record: Record,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Empty memory; the clock starts at 1.
    #[must_use]
    pub fn new() -> Self {
        Self {
            cells: BTreeMap::new(),
            before_shard: BTreeMap::new(),
            clk: 1,
            next_free: LOWEST_ADDRESS,
            record: Record::default(),
        }
    }

    /// The clock of the next syscall.
    #[must_use]
    pub fn clk(&self) -> u64 {
        self.clk
    }

    /// Sets the clock of the next syscall.
    ///
    /// # Panics
    /// If it goes backwards or past 48 bits, or is not 1 modulo 8 as SP1's is: `clk + 1` must not carry out of the low
    /// 24 bits.
    pub fn set_clk(&mut self, clk: u64) {
        assert!((self.clk..1 << 48).contains(&clk), "the clock runs forwards, in 48 bits");
        assert_eq!(clk % 8, 1, "the clock is 1 modulo 8");
        self.clk = clk;
    }

    /// Puts words into memory nobody has touched and returns their address.
    pub fn store(&mut self, words: &[u64]) -> u64 {
        let pointer = self.next_free;
        self.store_at(pointer, words);
        pointer
    }

    /// Puts words at `pointer`, as an input of the program: before the first syscall that touches them.
    ///
    /// # Panics
    /// If a syscall has touched a word.
    pub fn store_at(&mut self, pointer: u64, words: &[u64]) {
        for (address, &value) in (pointer..).step_by(8).zip(words) {
            let cell = self.cells.entry(address).or_default();
            assert_eq!(cell.timestamp, 0, "a syscall has touched {address:#x}");
            cell.value = value;
            self.next_free = self.next_free.max(address + 8);
        }
    }

    /// Puts a point into memory nobody has touched and returns its address.
    pub fn store_point(&mut self, point: &Point) -> u64 {
        self.store(&encode_point(point))
    }

    /// The words at `pointer`; 0 where nothing was stored.
    #[must_use]
    pub fn load<const N: usize>(&self, pointer: u64) -> [u64; N] {
        std::array::from_fn(|i| self.cells.get(&(pointer + 8 * i as u64)).map_or(0, |cell| cell.value))
    }

    /// The point at `pointer`.
    ///
    /// # Errors
    /// If there is none.
    pub fn load_point(&self, pointer: u64) -> Result<Point, MemoryError> {
        decode_point(&self.load::<POINT_WORDS>(pointer))
            .map_err(|error| MemoryError::Point { pointer, error })
    }

    /// SEPTIC_ADD: P + Q over P.
    ///
    /// # Errors
    /// If a pointer is not allowed, or points to no point.
    pub fn add(&mut self, p_ptr: u64, q_ptr: u64) -> Result<(), MemoryError> {
        check_buffer(p_ptr, POINT_WORDS)?;
        check_buffer(q_ptr, POINT_WORDS)?;
        let sum = self.load_point(p_ptr)? + self.load_point(q_ptr)?;
        let clk = self.begin(SEPTIC_ADD_ID, [p_ptr, q_ptr]);
        let event = SepticAddEvent {
            clk,
            p_ptr,
            q_ptr,
            q_memory_records: self.read(q_ptr, POINT_WORDS, clk),
            p_memory_records: self.write(p_ptr, &encode_point(&sum), clk + 1),
            ..Default::default()
        };
        self.record.add.push(event);
        Ok(())
    }

    /// SEPTIC_DOUBLE: 2P over P.
    ///
    /// # Errors
    /// If the pointer is not allowed, or points to no point.
    pub fn double(&mut self, p_ptr: u64) -> Result<(), MemoryError> {
        check_buffer(p_ptr, POINT_WORDS)?;
        let double = self.load_point(p_ptr)?.double();
        let clk = self.begin(SEPTIC_DOUBLE_ID, [p_ptr, 0]);
        let event = SepticDoubleEvent {
            clk,
            p_ptr,
            p_memory_records: self.write(p_ptr, &encode_point(&double), clk),
            ..Default::default()
        };
        self.record.double.push(event);
        Ok(())
    }

    /// SEPTIC_SCALAR_MUL: s·P over P.
    ///
    /// # Errors
    /// If a pointer is not allowed, or P is no point.
    pub fn scalar_mul(&mut self, p_ptr: u64, s_ptr: u64) -> Result<(), MemoryError> {
        check_buffer(p_ptr, POINT_WORDS)?;
        check_buffer(s_ptr, SCALAR_WORDS)?;
        let product = self.load_point(p_ptr)?.mul_vartime(&decode_scalar(&self.load(s_ptr)));
        let clk = self.begin(SEPTIC_SCALAR_MUL_ID, [p_ptr, s_ptr]);
        let event = SepticScalarMulEvent {
            clk,
            p_ptr,
            s_ptr,
            s_memory_records: self.read(s_ptr, SCALAR_WORDS, clk),
            p_memory_records: self.write(p_ptr, &encode_point(&product), clk + 1),
            ..Default::default()
        };
        self.record.scalar_mul.push(event);
        Ok(())
    }

    /// SEPTIC_VERIFY: s·G + e·A over A, of the buffer [A, s, e].
    ///
    /// # Errors
    /// If the pointer is not allowed, or A is no point.
    pub fn verify(&mut self, ptr: u64) -> Result<(), MemoryError> {
        check_buffer(ptr, VERIFY_WORDS)?;
        let a = self.load_point(ptr)?;
        let s_ptr = ptr + 8 * POINT_WORDS as u64;
        let e_ptr = s_ptr + 8 * SCALAR_WORDS as u64;
        let [s, e] = [s_ptr, e_ptr].map(|pointer| decode_scalar(&self.load(pointer)));
        let result = Point::mul_add_vartime(&s, &e, &a);
        let clk = self.begin(SEPTIC_VERIFY_ID, [ptr, 0]);
        let event = SepticVerifyEvent {
            clk,
            ptr,
            a_memory_records: self.write(ptr, &encode_point(&result), clk),
            scalar_memory_records: self.read(s_ptr, 2 * SCALAR_WORDS, clk),
            ..Default::default()
        };
        self.record.verify.push(event);
        Ok(())
    }

    /// Ends the shard: the record of the syscalls since the last one.
    #[must_use]
    pub fn finish_shard(&mut self) -> Record {
        let mut record = std::mem::take(&mut self.record);
        let access = |cell: Cell| MemoryRecord { timestamp: cell.timestamp, value: cell.value };
        record.memory = std::mem::take(&mut self.before_shard)
            .into_iter()
            .map(|(addr, before)| MemoryLocalEvent {
                addr,
                initial_mem_access: access(before),
                final_mem_access: access(self.cells[&addr]),
            })
            .collect();
        record
    }

    /// Notes the syscall and advances the clock.
    fn begin(&mut self, id: u32, arguments: [u64; 2]) -> u64 {
        let clk = self.clk;
        self.clk += SYSCALL_CYCLES;
        self.record.syscalls.push(Syscall { clk, id, arguments });
        clk
    }

    /// The word at `address`, just before an access.
    fn touch(&mut self, address: u64) -> &mut Cell {
        let cell = self.cells.entry(address).or_default();
        self.before_shard.entry(address).or_insert(*cell);
        cell
    }

    fn read(&mut self, pointer: u64, words: usize, clk: u64) -> Vec<MemoryReadRecord> {
        let addresses = (pointer..).step_by(8).take(words);
        addresses
            .map(|address| {
                let cell = self.touch(address);
                let prev_timestamp = std::mem::replace(&mut cell.timestamp, clk);
                MemoryReadRecord {
                    value: cell.value,
                    timestamp: clk,
                    prev_timestamp,
                    prev_page_prot_record: None,
                }
            })
            .collect()
    }

    fn write(&mut self, pointer: u64, words: &[u64], clk: u64) -> Vec<MemoryWriteRecord> {
        let addresses = (pointer..).step_by(8).zip(words);
        addresses
            .map(|(address, &value)| {
                let cell = self.touch(address);
                let before = std::mem::replace(cell, Cell { value, timestamp: clk });
                MemoryWriteRecord {
                    prev_timestamp: before.timestamp,
                    prev_page_prot_record: None,
                    prev_value: before.value,
                    timestamp: clk,
                    value,
                }
            })
            .collect()
    }
}

/// Checks that a buffer is aligned and within the address space.
fn check_buffer(pointer: u64, words: usize) -> Result<(), MemoryError> {
    if !pointer.is_multiple_of(8) {
        return Err(MemoryError::Alignment { pointer });
    }
    let end = pointer.checked_add(8 * words as u64);
    if pointer < LOWEST_ADDRESS || end.is_none_or(|end| end >= ADDRESS_END) {
        return Err(MemoryError::Range { pointer, words });
    }
    Ok(())
}
