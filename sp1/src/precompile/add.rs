//! SEPTIC_ADD: P + Q over P.

use septic_chips::AddChip;
use septic_chips::table::{ChipTable, Table};
use septic_curve::layout::decode_point;
use septic_curve::{KoalaBear, PointError};
use septic_trace::{AddEvent, TraceChip, TraceError};

use super::host::{self, Record, SepticAddEvent};
use super::{Call, Io, Operation, POINT_LIMBS, POINT_WORDS, SepticChip, SepticCols};

/// P + Q: the first pointer is that of P, the second one that of Q.
#[derive(Clone, Copy, Debug)]
pub struct Add;

/// The columns that are neither coordinates nor `is_real`.
const WITNESS: usize = AddTable::WIDTH - AddTable::INSTANCE_COLUMNS.len();

type AddTable = ChipTable<AddChip>;

/// A row of SEPTIC_ADD.
pub type SepticAddCols<T, M> = SepticCols<T, M, 2, POINT_WORDS, POINT_LIMBS, WITNESS>;

/// The chip of SEPTIC_ADD.
pub type SepticAddChip<M> = SepticChip<Add, M, 2, POINT_WORDS, POINT_LIMBS, WITNESS>;

impl Operation for Add {
    type Table = AddTable;
    type Event = SepticAddEvent;
    type Claim = AddEvent;

    const NAMES: [&'static str; 2] = ["SepticAdd", "SepticAddUser"];
    const SYSCALL_ID: u32 = host::SEPTIC_ADD_ID;
    const IO_COLUMNS: &'static [usize] = AddTable::INSTANCE_COLUMNS;

    fn events(record: &Record) -> Vec<&SepticAddEvent> {
        host::add_events(record)
    }

    fn call(event: &SepticAddEvent) -> Call<'_> {
        Call {
            clk: event.clk,
            pointers: [event.p_ptr, event.q_ptr],
            point: &event.p_memory_records,
            reads: &event.q_memory_records,
            pages: [
                &event.page_prot_records.write_page_prot_records,
                &event.page_prot_records.read_page_prot_records,
            ],
        }
    }

    fn io<E: Clone>(io: &Io<E>) -> Vec<E> {
        [&io.point[..], &io.read_point, &io.result, std::slice::from_ref(&io.is_real)].concat()
    }

    fn claim(
        point: &[u64; POINT_WORDS],
        reads: &[u64],
        _: &[u64; POINT_WORDS],
    ) -> Result<AddEvent, PointError> {
        let q = std::array::from_fn(|i| reads[i]);
        Ok(AddEvent { p: decode_point(point)?, q: decode_point(&q)? })
    }

    fn trace(claims: &[AddEvent]) -> Result<Vec<KoalaBear>, TraceError> {
        Ok(AddChip::generate_trace(claims)?.main.values)
    }
}
