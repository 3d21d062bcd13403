//! The septic curve in the splicing, estimating and tracing machines.
//!
//! Page checks, reads and writes are those of the minimal executor, in its order.

use septic_curve::layout::{POINT_WORDS, SCALAR_WORDS, VERIFY_WORDS};

use crate::{
    events::{
        EllipticCurvePageProtRecords, MemoryReadRecord, MemoryWriteRecord, PageProtRecord,
        PrecompileEvent, SepticAddEvent, SepticDoubleEvent, SepticScalarMulEvent,
        SepticVerifyEvent,
    },
    vm::syscall::SyscallRuntime,
    ExecutionMode, SyscallCode, TrapError,
};

/// The accesses of a syscall with two pointers.
struct TwoSlices {
    page_prot_records: EllipticCurvePageProtRecords,
    trap: Option<TrapError>,
    reads: Vec<MemoryReadRecord>,
    writes: Vec<MemoryWriteRecord>,
}

/// Reads `read_words` words of the operand at `clk`, then writes the point at `clk + 1`; nothing of both after a trap.
fn read_then_write<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    point_ptr: u64,
    read_ptr: u64,
    read_words: usize,
) -> TwoSlices {
    assert!(point_ptr.is_multiple_of(8) && read_ptr.is_multiple_of(8));
    let clk = rt.core().clk();

    let (read_page_prot_records, mut trap) = rt.read_slice_check(read_ptr, read_words);
    let mut write_page_prot_records = Vec::new();
    if trap.is_none() {
        rt.increment_clk();
        (write_page_prot_records, trap) = rt.read_write_slice_check(point_ptr, POINT_WORDS);
    }
    rt.reset_clk(clk);

    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    if trap.is_none() {
        // The point as the minimal executor read it; the records of the writes have it, too.
        rt.mr_slice_unsafe(POINT_WORDS);
        reads = rt.mr_slice_without_prot(read_ptr, read_words);
        rt.increment_clk();
        writes = rt.mw_slice_without_prot(point_ptr, POINT_WORDS);
    }

    let page_prot_records =
        EllipticCurvePageProtRecords { read_page_prot_records, write_page_prot_records };
    TwoSlices { page_prot_records, trap, reads, writes }
}

/// The accesses of a syscall with one pointer: the point at `ptr`, then read-only words. All are at `clk`.
struct OneSlice {
    page_prot_records: Vec<PageProtRecord>,
    trap: Option<TrapError>,
    writes: Vec<MemoryWriteRecord>,
    reads: Vec<MemoryReadRecord>,
}

/// Reads the `words` words at `ptr` and writes the point over the first of them; nothing of both after a trap.
fn read_and_write<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    ptr: u64,
    arg2: u64,
    words: usize,
) -> OneSlice {
    assert!(ptr.is_multiple_of(8));
    assert_eq!(arg2, 0, "the second argument must be 0");

    let (page_prot_records, trap) = rt.read_write_slice_check(ptr, words);
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    if trap.is_none() {
        rt.mr_slice_unsafe(POINT_WORDS);
        if words > POINT_WORDS {
            let rest = ptr + 8 * POINT_WORDS as u64;
            reads = rt.mr_slice_without_prot(rest, words - POINT_WORDS);
        }
        writes = rt.mw_slice_without_prot(ptr, POINT_WORDS);
    }
    OneSlice { page_prot_records, trap, writes, reads }
}

/// Adds the event to the record and hands the trap on.
#[allow(clippy::large_types_passed_by_value)]
fn finish<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    clk: u64,
    code: SyscallCode,
    args: [u64; 2],
    trap: Option<TrapError>,
    event: Option<PrecompileEvent>,
) -> Result<Option<u64>, TrapError> {
    if let Some(event) = event {
        let (next_pc, exit_code) = (rt.core().next_pc(), rt.core().exit_code());
        let [arg1, arg2] = args;
        let syscall_event =
            rt.syscall_event(clk, code, arg1, arg2, next_pc, exit_code, None, None, trap);
        rt.add_precompile_event(code, syscall_event, event);
    }
    trap.map_or(Ok(None), Err)
}

/// P + Q over P.
pub(crate) fn septic_add<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    code: SyscallCode,
    p_ptr: u64,
    q_ptr: u64,
) -> Result<Option<u64>, TrapError> {
    let clk = rt.core().clk();
    let TwoSlices { page_prot_records, trap, reads, writes } =
        read_then_write(rt, p_ptr, q_ptr, POINT_WORDS);
    let event = RT::TRACING.then(|| {
        let (local_mem_access, local_page_prot_access) = rt.postprocess_precompile();
        PrecompileEvent::SepticAdd(SepticAddEvent {
            clk,
            p_ptr,
            q_ptr,
            p_memory_records: writes,
            q_memory_records: reads,
            local_mem_access,
            page_prot_records,
            local_page_prot_access,
        })
    });
    finish(rt, clk, code, [p_ptr, q_ptr], trap, event)
}

/// 2P over P.
pub(crate) fn septic_double<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    code: SyscallCode,
    p_ptr: u64,
    arg2: u64,
) -> Result<Option<u64>, TrapError> {
    let clk = rt.core().clk();
    let OneSlice { page_prot_records, trap, writes, .. } =
        read_and_write(rt, p_ptr, arg2, POINT_WORDS);
    let event = RT::TRACING.then(|| {
        let (local_mem_access, local_page_prot_access) = rt.postprocess_precompile();
        PrecompileEvent::SepticDouble(SepticDoubleEvent {
            clk,
            p_ptr,
            p_memory_records: writes,
            local_mem_access,
            page_prot_records,
            local_page_prot_access,
        })
    });
    finish(rt, clk, code, [p_ptr, arg2], trap, event)
}

/// s·P over P.
pub(crate) fn septic_scalar_mul<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    code: SyscallCode,
    p_ptr: u64,
    s_ptr: u64,
) -> Result<Option<u64>, TrapError> {
    let clk = rt.core().clk();
    let TwoSlices { page_prot_records, trap, reads, writes } =
        read_then_write(rt, p_ptr, s_ptr, SCALAR_WORDS);
    let event = RT::TRACING.then(|| {
        let (local_mem_access, local_page_prot_access) = rt.postprocess_precompile();
        PrecompileEvent::SepticScalarMul(SepticScalarMulEvent {
            clk,
            p_ptr,
            s_ptr,
            p_memory_records: writes,
            s_memory_records: reads,
            local_mem_access,
            page_prot_records,
            local_page_prot_access,
        })
    });
    finish(rt, clk, code, [p_ptr, s_ptr], trap, event)
}

/// s·G + e·A over A.
pub(crate) fn septic_verify<'a, M: ExecutionMode, RT: SyscallRuntime<'a, M>>(
    rt: &mut RT,
    code: SyscallCode,
    ptr: u64,
    arg2: u64,
) -> Result<Option<u64>, TrapError> {
    let clk = rt.core().clk();
    let OneSlice { page_prot_records, trap, writes, reads } =
        read_and_write(rt, ptr, arg2, VERIFY_WORDS);
    let event = RT::TRACING.then(|| {
        let (local_mem_access, local_page_prot_access) = rt.postprocess_precompile();
        PrecompileEvent::SepticVerify(SepticVerifyEvent {
            clk,
            ptr,
            a_memory_records: writes,
            scalar_memory_records: reads,
            local_mem_access,
            page_prot_records,
            local_page_prot_access,
        })
    });
    finish(rt, clk, code, [ptr, arg2], trap, event)
}
