//! SEPTIC_DOUBLE: 2P over P.

use septic_chips::DoubleChip;
use septic_chips::table::{ChipTable, Table};
use septic_curve::layout::decode_point;
use septic_curve::{KoalaBear, PointError};
use septic_trace::{DoubleEvent, TraceChip, TraceError};

use super::host::{self, Record, SepticDoubleEvent};
use super::{Call, Io, Operation, POINT_WORDS, SepticChip, SepticCols};

/// 2P: the pointer is that of P.
#[derive(Clone, Copy, Debug)]
pub struct Double;

/// The columns that are neither coordinates nor `is_real`.
const WITNESS: usize = DoubleTable::WIDTH - DoubleTable::INSTANCE_COLUMNS.len();

type DoubleTable = ChipTable<DoubleChip>;

/// A row of SEPTIC_DOUBLE.
pub type SepticDoubleCols<T, M> = SepticCols<T, M, 1, 0, 0, WITNESS>;

/// The chip of SEPTIC_DOUBLE.
pub type SepticDoubleChip<M> = SepticChip<Double, M, 1, 0, 0, WITNESS>;

impl Operation for Double {
    type Table = DoubleTable;
    type Event = SepticDoubleEvent;
    type Claim = DoubleEvent;

    const NAMES: [&'static str; 2] = ["SepticDouble", "SepticDoubleUser"];
    const SYSCALL_ID: u32 = host::SEPTIC_DOUBLE_ID;
    const IO_COLUMNS: &'static [usize] = DoubleTable::INSTANCE_COLUMNS;

    fn events(record: &Record) -> Vec<&SepticDoubleEvent> {
        host::double_events(record)
    }

    fn call(event: &SepticDoubleEvent) -> Call<'_> {
        Call {
            clk: event.clk,
            pointers: [event.p_ptr, 0],
            point: &event.p_memory_records,
            reads: &[],
            pages: [&event.page_prot_records, &[]],
        }
    }

    fn io<E: Clone>(io: &Io<E>) -> Vec<E> {
        [&io.point[..], &io.result, std::slice::from_ref(&io.is_real)].concat()
    }

    fn claim(
        point: &[u64; POINT_WORDS],
        _: &[u64],
        _: &[u64; POINT_WORDS],
    ) -> Result<DoubleEvent, PointError> {
        Ok(DoubleEvent { p: decode_point(point)? })
    }

    fn trace(claims: &[DoubleEvent]) -> Result<Vec<KoalaBear>, TraceError> {
        Ok(DoubleChip::generate_trace(claims)?.main.values)
    }
}
