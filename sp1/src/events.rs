//! What the executor records of each syscall: the memory it read and wrote.
//!
//! Points are 7 words, scalars 4, the buffer of VERIFY [A, s, e] is 15; see `septic_curve::layout`. All results go over the
//! point. Where a syscall has two pointers, it reads at `clk` and writes the point at `clk + 1`; where it has one, all
//! accesses are at `clk`, and the write of a word also reads it.

use deepsize2::DeepSizeOf;
use serde::{Deserialize, Serialize};

use sp1_core_executor::events::{
    EllipticCurvePageProtRecords, MemoryLocalEvent, MemoryReadRecord, MemoryWriteRecord, PageProtLocalEvent,
    PageProtRecord,
};

/// SEPTIC_ADD: P + Q over P. The first argument is the pointer to P, the second that to Q.
#[derive(Default, Debug, Clone, Serialize, Deserialize, DeepSizeOf, PartialEq, Eq)]
pub struct SepticAddEvent {
    /// The clock cycle.
    pub clk: u64,
    /// The pointer to P.
    pub p_ptr: u64,
    /// The pointer to Q.
    pub q_ptr: u64,
    /// The words of P and of P + Q, written at `clk + 1`: 7.
    pub p_memory_records: Vec<MemoryWriteRecord>,
    /// The words of Q, read at `clk`: 7.
    pub q_memory_records: Vec<MemoryReadRecord>,
    /// The local memory accesses.
    pub local_mem_access: Vec<MemoryLocalEvent>,
    /// The page permission records.
    pub page_prot_records: EllipticCurvePageProtRecords,
    /// The local page permission accesses.
    pub local_page_prot_access: Vec<PageProtLocalEvent>,
}

/// SEPTIC_DOUBLE: 2P over P. The argument is the pointer to P.
#[derive(Default, Debug, Clone, Serialize, Deserialize, DeepSizeOf, PartialEq, Eq)]
pub struct SepticDoubleEvent {
    /// The clock cycle.
    pub clk: u64,
    /// The pointer to P.
    pub p_ptr: u64,
    /// The words of P and of 2P, written at `clk`: 7.
    pub p_memory_records: Vec<MemoryWriteRecord>,
    /// The local memory accesses.
    pub local_mem_access: Vec<MemoryLocalEvent>,
    /// The page permission records.
    pub page_prot_records: Vec<PageProtRecord>,
    /// The local page permission accesses.
    pub local_page_prot_access: Vec<PageProtLocalEvent>,
}

/// SEPTIC_SCALAR_MUL: s·P over P. The first argument is the pointer to P, the second that to s.
#[derive(Default, Debug, Clone, Serialize, Deserialize, DeepSizeOf, PartialEq, Eq)]
pub struct SepticScalarMulEvent {
    /// The clock cycle.
    pub clk: u64,
    /// The pointer to P.
    pub p_ptr: u64,
    /// The pointer to s.
    pub s_ptr: u64,
    /// The words of P and of s·P, written at `clk + 1`: 7.
    pub p_memory_records: Vec<MemoryWriteRecord>,
    /// The words of s, read at `clk`: 4.
    pub s_memory_records: Vec<MemoryReadRecord>,
    /// The local memory accesses.
    pub local_mem_access: Vec<MemoryLocalEvent>,
    /// The page permission records.
    pub page_prot_records: EllipticCurvePageProtRecords,
    /// The local page permission accesses.
    pub local_page_prot_access: Vec<PageProtLocalEvent>,
}

/// SEPTIC_VERIFY: s·G + e·A over A. The argument is the pointer to [A, s, e].
#[derive(Default, Debug, Clone, Serialize, Deserialize, DeepSizeOf, PartialEq, Eq)]
pub struct SepticVerifyEvent {
    /// The clock cycle.
    pub clk: u64,
    /// The pointer to the buffer.
    pub ptr: u64,
    /// The words of A and of the result, written at `clk`: 7.
    pub a_memory_records: Vec<MemoryWriteRecord>,
    /// The words of s and e, read at `clk`: 8.
    pub scalar_memory_records: Vec<MemoryReadRecord>,
    /// The local memory accesses.
    pub local_mem_access: Vec<MemoryLocalEvent>,
    /// The page permission records, of the whole buffer.
    pub page_prot_records: Vec<PageProtRecord>,
    /// The local page permission accesses.
    pub local_page_prot_access: Vec<PageProtLocalEvent>,
}
