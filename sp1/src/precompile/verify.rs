//! SEPTIC_VERIFY: s·G + e·A over A, of the buffer [A, s, e].

use septic_chips::precompile::PrecompileVerifyTable;
use septic_chips::table::Table;
use septic_curve::layout::{SCALAR_WORDS, decode_point, decode_scalar};
use septic_curve::{KoalaBear, PointError};
use septic_trace::precompile::{PrecompileOperation, PrecompileVerify};
use septic_trace::{Claim, TraceError, VerifyEvent};

use super::host::{self, Record, SepticVerifyEvent};
use super::{Call, Io, Operation, POINT_WORDS, SepticChip, SepticCols};

/// s·G + e·A: the pointer is that of the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Verify;

/// The columns that are neither coordinates nor scalars nor `real`.
const WITNESS: usize = VerifyTable::WIDTH - VerifyTable::INSTANCE_COLUMNS.len();

type VerifyTable = PrecompileVerifyTable;

/// A row of SEPTIC_VERIFY.
pub type SepticVerifyCols<T, M> = SepticCols<T, M, 1, { 2 * SCALAR_WORDS }, 0, WITNESS>;

/// The chip of SEPTIC_VERIFY.
pub type SepticVerifyChip<M> = SepticChip<Verify, M, 1, { 2 * SCALAR_WORDS }, 0, WITNESS>;

impl Operation for Verify {
    type Table = VerifyTable;
    type Event = SepticVerifyEvent;
    type Claim = Claim<VerifyEvent>;

    const NAMES: [&'static str; 2] = ["SepticVerify", "SepticVerifyUser"];
    const SYSCALL_ID: u32 = host::SEPTIC_VERIFY_ID;
    const IO_COLUMNS: &'static [usize] = VerifyTable::INSTANCE_COLUMNS;

    fn events(record: &Record) -> Vec<&SepticVerifyEvent> {
        host::verify_events(record)
    }

    fn call(event: &SepticVerifyEvent) -> Call<'_> {
        Call {
            clk: event.clk,
            pointers: [event.ptr, 0],
            point: &event.a_memory_records,
            reads: &event.scalar_memory_records,
            pages: [&event.page_prot_records, &[]],
        }
    }

    fn io<E: Clone>(io: &Io<E>) -> Vec<E> {
        [std::slice::from_ref(&io.is_real), &io.point, &io.result, io.reads.as_flattened()].concat()
    }

    fn claim(
        point: &[u64; POINT_WORDS],
        reads: &[u64],
        result: &[u64; POINT_WORDS],
    ) -> Result<Claim<VerifyEvent>, PointError> {
        let scalar = |from: usize| decode_scalar(&std::array::from_fn(|i| reads[from + i]));
        let event = VerifyEvent { a: decode_point(point)?, s: scalar(0), e: scalar(SCALAR_WORDS) };
        Ok(Claim { event, out: decode_point(result)? })
    }

    fn trace(claims: &[Claim<VerifyEvent>]) -> Result<Vec<KoalaBear>, TraceError> {
        Ok(PrecompileVerify::generate_claims(claims)?.values)
    }
}
