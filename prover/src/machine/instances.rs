//! Which tables a list needs, their traces, and their instance columns.

use p3_field::PrimeCharacteristicRing;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use septic_trace::half::{HalfOperation, HalfScalarMul, HalfTrace, HalfVerify, Lookups};
use septic_trace::row_per_bit::{RowPerBit, RowPerBitChip};
use septic_trace::septic_chips::columns::ColumnSet;
use septic_trace::septic_chips::generator::{self, GeneratorTable};
use septic_trace::septic_chips::ladder::ROWS;
use septic_trace::septic_chips::range::{self, RangeCols, RangeTable};
use septic_trace::septic_chips::table::Table;
use septic_trace::septic_chips::{AddChip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::Point;
use septic_trace::{Claim, Execute, MIN_TABLE_LOG_HEIGHT, TraceChip, TraceError, check_points, height};

use super::record::Statement;
use super::{Layout, Progress, Record, TableKind};
use crate::ProveError;
use crate::bundle::in_whole_list_by;
use crate::config::Val;

/// A table with its trace.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub(crate) kind: TableKind,
    pub(crate) trace: RowMajorMatrix<Val>,
    pub(crate) parameters: Vec<Val>,
}

/// log2 of the height of a table of `rows` rows an event.
fn log_height(events: usize, rows: usize) -> Result<usize, TraceError> {
    height(events, rows, MIN_TABLE_LOG_HEIGHT).map(|height| height.ilog2() as usize)
}

/// The tables of a list with these numbers of distinct events, with log2 of their heights.
pub(crate) fn tables(counts: [usize; 4], layout: Layout) -> Result<Vec<(TableKind, usize)>, TraceError> {
    use TableKind as Kind;
    let [add, double, scalar_mul, verify] = counts;
    let mut tables = Vec::new();
    if add > 0 {
        tables.push((Kind::Add, log_height(add, 1)?));
    }
    if double > 0 {
        tables.push((Kind::Double, log_height(double, 1)?));
    }
    for (events, row_per_bit, half) in [
        (scalar_mul, [Kind::ScalarMulBits, Kind::ScalarMulClaims], Kind::ScalarMulHalf),
        (verify, [Kind::VerifyBits, Kind::VerifyClaims], Kind::VerifyHalf),
    ] {
        match layout {
            _ if events == 0 => {}
            Layout::RowPerBit => {
                tables.push((row_per_bit[0], log_height(events, ROWS)?));
                tables.push((row_per_bit[1], log_height(events, 1)?));
            }
            Layout::HalfScalar => tables.push((half, log_height(events, 1)?)),
        }
    }
    if layout == Layout::HalfScalar && verify > 0 {
        tables.push((Kind::Generator, generator::LOG_HEIGHT));
    }
    if layout == Layout::HalfScalar && scalar_mul + verify > 0 {
        tables.push((Kind::Range, range::LOG_HEIGHT));
    }
    Ok(tables)
}

/// The traces of all tables of a list, and the results of the distinct events of each operation.
pub(crate) fn fill(
    record: &Record,
    layout: Layout,
    progress: &mut impl Progress,
) -> Result<(Vec<Filled>, [Vec<Point>; 4]), ProveError> {
    use TableKind as Kind;
    let Record { add, double, scalar_mul, verify, .. } = record;
    let mut run = Run { record, progress, filled: Vec::new(), lookups: None };
    let add = run.rows::<AddChip>(Kind::Add, add)?;
    let double = run.rows::<DoubleChip>(Kind::Double, double)?;
    let [scalar_mul, verify] = match layout {
        Layout::RowPerBit => [
            run.row_per_bit::<ScalarMulChip>([Kind::ScalarMulBits, Kind::ScalarMulClaims], scalar_mul)?,
            run.row_per_bit::<VerifyChip>([Kind::VerifyBits, Kind::VerifyClaims], verify)?,
        ],
        Layout::HalfScalar => [
            run.half_scalar::<HalfScalarMul>(Kind::ScalarMulHalf, scalar_mul)?,
            run.half_scalar::<HalfVerify>(Kind::VerifyHalf, verify)?,
        ],
    };
    run.looked_up();
    Ok((run.filled, [add, double, scalar_mul, verify]))
}

struct Run<'a, P> {
    record: &'a Record,
    progress: &'a mut P,
    filled: Vec<Filled>,
    /// What was looked up, once something could be.
    lookups: Option<Lookups>,
}

impl<P: Progress> Run<'_, P> {
    fn push(&mut self, kind: TableKind, trace: RowMajorMatrix<Val>, parameters: Vec<Val>) {
        self.progress.trace_done(kind, &trace);
        self.filled.push(Filled { kind, trace, parameters });
    }

    /// An error about a distinct event, with its place in the list.
    fn error(&self, operation: Operation, error: TraceError) -> ProveError {
        in_whole_list_by(error, |index| self.record.place(operation, index)).into()
    }

    fn rows<C: TraceChip>(&mut self, kind: TableKind, events: &[C::Event]) -> Result<Vec<Point>, ProveError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        self.progress.trace_starts(kind, events.len());
        let mut trace = C::generate_trace(events).map_err(|e| self.error(C::OPERATION, e))?;
        // Rows of padding are zero.
        let height = trace.main.height().max(1 << MIN_TABLE_LOG_HEIGHT);
        trace.main.values.resize(height * C::WIDTH, Val::ZERO);
        self.push(kind, trace.main, trace.parameters);
        Ok(trace.outputs)
    }

    fn row_per_bit<C: RowPerBitChip>(
        &mut self,
        [bits_kind, claims_kind]: [TableKind; 2],
        events: &[C::Event],
    ) -> Result<Vec<Point>, ProveError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        self.progress.trace_starts(bits_kind, events.len());
        let error = |e| self.error(C::OPERATION, e);
        let height = 1 << log_height(events.len(), 1).map_err(error)?;
        let RowPerBit { bits, claims, parameters, outputs } =
            C::row_per_bit(events, height).map_err(error)?;
        self.push(bits_kind, bits, parameters);
        self.push(claims_kind, claims, Vec::new());
        Ok(outputs)
    }

    fn half_scalar<O: HalfOperation>(
        &mut self,
        kind: TableKind,
        events: &[O::Event],
    ) -> Result<Vec<Point>, ProveError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let operation = <O::Event as Execute>::OPERATION;
        let outputs = match self.record.results(operation) {
            Some(results) => results.to_vec(),
            None => {
                check_points(events).map_err(|e| self.error(operation, e))?;
                self.progress.execution_starts(operation, events.len());
                O::execute(events)
            }
        };
        let claims: Vec<_> = events.iter().zip(outputs).map(|(&event, out)| Claim { event, out }).collect();
        self.progress.trace_starts(kind, events.len());
        let HalfTrace { main, parameter, outputs } =
            O::generate_claims(&claims).map_err(|e| self.error(operation, e))?;
        O::count_lookups(&main, self.lookups.get_or_insert_default());
        self.push(kind, main, vec![parameter]);
        Ok(outputs)
    }

    /// The tables that others look something up in.
    fn looked_up(&mut self) {
        let Some(Lookups { limbs, pairs, entries }) = self.lookups.take() else { return };
        if entries.iter().any(|&count| count > 0) {
            self.push(TableKind::Generator, generator_trace(&entries), Vec::new());
        }
        self.push(TableKind::Range, range_trace(&limbs, &pairs), Vec::new());
    }
}

/// The range table's trace.
fn range_trace(limbs: &[u32], pairs: &[u32]) -> RowMajorMatrix<Val> {
    const WIDTH: usize = <RangeTable as Table>::WIDTH;
    let mut cells = vec![Val::ZERO; WIDTH << range::LOG_HEIGHT];
    for (value, (row, (&limbs, &pairs))) in
        cells.chunks_exact_mut(WIDTH).zip(limbs.iter().zip(pairs)).enumerate()
    {
        let cols = RangeCols {
            value: Val::from_usize(value),
            low: Val::from_usize(value % (1 << range::LOW_BITS)),
            limbs: Val::from_u32(limbs),
            pairs: Val::from_u32(pairs),
        };
        cols.write_to(row);
    }
    RowMajorMatrix::new(cells, WIDTH)
}

/// The generator table's trace.
fn generator_trace(entries: &[u32]) -> RowMajorMatrix<Val> {
    const WIDTH: usize = <GeneratorTable as Table>::WIDTH;
    let columns = septic_trace::half::generator::columns();
    let mut cells = vec![Val::ZERO; WIDTH << generator::LOG_HEIGHT];
    for (index, (row, &times)) in cells.chunks_exact_mut(WIDTH).zip(entries).enumerate() {
        for (cell, column) in row.iter_mut().zip(&columns) {
            *cell = column[index];
        }
        row[WIDTH - 1] = Val::from_u32(times);
    }
    RowMajorMatrix::new(cells, WIDTH)
}

/// The instance columns of a table.
pub(crate) fn instance_columns(statement: &Statement, kind: TableKind, height: usize) -> Vec<Vec<Val>> {
    match kind {
        TableKind::Add => AddChip::instance_columns(&statement.add, &[], height),
        TableKind::Double => DoubleChip::instance_columns(&statement.double, &[], height),
        TableKind::ScalarMulClaims => ScalarMulChip::claim_columns(&statement.scalar_mul, height),
        TableKind::VerifyClaims => VerifyChip::claim_columns(&statement.verify, height),
        TableKind::ScalarMulHalf => HalfScalarMul::instance_columns(&statement.scalar_mul, height),
        TableKind::VerifyHalf => HalfVerify::instance_columns(&statement.verify, height),
        TableKind::Generator => septic_trace::half::generator::columns(),
        TableKind::ScalarMulBits | TableKind::VerifyBits | TableKind::Range => Vec::new(),
    }
}
