//! SEPTIC_SCALAR_MUL: s·P over P.

use septic_chips::precompile::PrecompileScalarMulTable;
use septic_chips::table::Table;
use septic_curve::layout::{SCALAR_WORDS, decode_point, decode_scalar};
use septic_curve::{KoalaBear, PointError};
use septic_trace::precompile::{PrecompileOperation, PrecompileScalarMul};
use septic_trace::{Claim, ScalarMulEvent, TraceError};

use super::host::{self, Record, SepticScalarMulEvent};
use super::{Call, Io, Operation, POINT_WORDS, SepticChip, SepticCols};

/// s·P: the first pointer is that of P, the second one that of s.
#[derive(Clone, Copy, Debug)]
pub struct ScalarMul;

/// The columns that are neither coordinates nor scalar nor `real`.
const WITNESS: usize = ScalarMulTable::WIDTH - ScalarMulTable::INSTANCE_COLUMNS.len();

type ScalarMulTable = PrecompileScalarMulTable;

/// A row of SEPTIC_SCALAR_MUL.
pub type SepticScalarMulCols<T, M> = SepticCols<T, M, 2, SCALAR_WORDS, 0, WITNESS>;

/// The chip of SEPTIC_SCALAR_MUL.
pub type SepticScalarMulChip<M> = SepticChip<ScalarMul, M, 2, SCALAR_WORDS, 0, WITNESS>;

impl Operation for ScalarMul {
    type Table = ScalarMulTable;
    type Event = SepticScalarMulEvent;
    type Claim = Claim<ScalarMulEvent>;

    const NAMES: [&'static str; 2] = ["SepticScalarMul", "SepticScalarMulUser"];
    const SYSCALL_ID: u32 = host::SEPTIC_SCALAR_MUL_ID;
    const IO_COLUMNS: &'static [usize] = ScalarMulTable::INSTANCE_COLUMNS;

    fn events(record: &Record) -> Vec<&SepticScalarMulEvent> {
        host::scalar_mul_events(record)
    }

    fn call(event: &SepticScalarMulEvent) -> Call<'_> {
        Call {
            clk: event.clk,
            pointers: [event.p_ptr, event.s_ptr],
            point: &event.p_memory_records,
            reads: &event.s_memory_records,
            pages: [
                &event.page_prot_records.write_page_prot_records,
                &event.page_prot_records.read_page_prot_records,
            ],
        }
    }

    fn io<E: Clone>(io: &Io<E>) -> Vec<E> {
        [std::slice::from_ref(&io.is_real), &io.point, &io.result, io.reads.as_flattened()].concat()
    }

    fn claim(
        point: &[u64; POINT_WORDS],
        reads: &[u64],
        result: &[u64; POINT_WORDS],
    ) -> Result<Claim<ScalarMulEvent>, PointError> {
        let s = decode_scalar(&std::array::from_fn(|i| reads[i]));
        Ok(Claim { event: ScalarMulEvent { p: decode_point(point)?, s }, out: decode_point(result)? })
    }

    fn trace(claims: &[Claim<ScalarMulEvent>]) -> Result<Vec<KoalaBear>, TraceError> {
        Ok(PrecompileScalarMul::generate_claims(claims)?.values)
    }
}
