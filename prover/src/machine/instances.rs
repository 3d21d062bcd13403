//! Which tables a list needs, their traces, and their instance columns.

use p3_matrix::dense::RowMajorMatrix;
use septic_trace::row_per_bit::{RowPerBit, RowPerBitChip};
use septic_trace::septic_chips::{AddChip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::Point;
use septic_trace::{MAX_LOG_HEIGHT, MIN_LOG_HEIGHT, TraceChip, TraceError};

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

/// log2 of the height of a table of one row an event.
fn log_rows(events: usize) -> Result<usize, TraceError> {
    let height = events.checked_next_power_of_two().ok_or(too_many(events))?;
    let log = (height.ilog2() as usize).max(MIN_LOG_HEIGHT);
    if log > MAX_LOG_HEIGHT { Err(too_many(events)) } else { Ok(log) }
}

const fn too_many(events: usize) -> TraceError {
    TraceError::TooManyEvents { events, max_log_height: MAX_LOG_HEIGHT }
}

/// The tables of a list with these numbers of distinct events, with log2 of their heights.
pub(crate) fn tables(counts: [usize; 4], layout: Layout) -> Result<Vec<(TableKind, usize)>, TraceError> {
    let [add, double, scalar_mul, verify] = counts;
    let mut tables = Vec::new();
    if add > 0 {
        tables.push((TableKind::Add, log_rows(add)?));
    }
    if double > 0 {
        tables.push((TableKind::Double, log_rows(double)?));
    }
    match layout {
        Layout::RowPerBit => {
            if scalar_mul > 0 {
                let height = ScalarMulChip::height(scalar_mul)?;
                tables.push((TableKind::ScalarMulBits, height.ilog2() as usize));
                tables.push((TableKind::ScalarMulClaims, log_rows(scalar_mul)?));
            }
            if verify > 0 {
                let height = VerifyChip::height(verify)?;
                tables.push((TableKind::VerifyBits, height.ilog2() as usize));
                tables.push((TableKind::VerifyClaims, log_rows(verify)?));
            }
        }
    }
    Ok(tables)
}

/// The traces of all tables of a list, and the results of the distinct events of each operation.
pub(crate) fn fill(
    record: &Record,
    layout: Layout,
    progress: &mut impl Progress,
) -> Result<(Vec<Filled>, [Vec<Point>; 4]), ProveError> {
    let mut run = Run { record, progress, filled: Vec::new() };
    let outputs = [
        run.rows::<AddChip>(TableKind::Add, &record.add)?,
        run.rows::<DoubleChip>(TableKind::Double, &record.double)?,
        match layout {
            Layout::RowPerBit => run.row_per_bit::<ScalarMulChip>(
                [TableKind::ScalarMulBits, TableKind::ScalarMulClaims],
                &record.scalar_mul,
            )?,
        },
        match layout {
            Layout::RowPerBit => run.row_per_bit::<VerifyChip>(
                [TableKind::VerifyBits, TableKind::VerifyClaims],
                &record.verify,
            )?,
        },
    ];
    Ok((run.filled, outputs))
}

struct Run<'a, P> {
    record: &'a Record,
    progress: &'a mut P,
    filled: Vec<Filled>,
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
        let trace = C::generate_trace(events).map_err(|e| self.error(C::OPERATION, e))?;
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
        let height = 1 << log_rows(events.len()).map_err(error)?;
        let RowPerBit { bits, claims, parameters, outputs } =
            C::row_per_bit(events, height).map_err(error)?;
        self.push(bits_kind, bits, parameters);
        self.push(claims_kind, claims, Vec::new());
        Ok(outputs)
    }
}

/// Number of rows of a table that hold claims in instance columns.
pub(crate) fn claimed_rows(statement: &Statement, kind: TableKind) -> usize {
    match kind {
        TableKind::Add => statement.add.len(),
        TableKind::Double => statement.double.len(),
        TableKind::ScalarMulClaims => statement.scalar_mul.len(),
        TableKind::VerifyClaims => statement.verify.len(),
        TableKind::ScalarMulBits | TableKind::VerifyBits | TableKind::Range => 0,
    }
}

/// The instance columns of a table.
pub(crate) fn instance_columns(statement: &Statement, kind: TableKind, height: usize) -> Vec<Vec<Val>> {
    match kind {
        TableKind::Add => AddChip::instance_columns(&statement.add, &[], height),
        TableKind::Double => DoubleChip::instance_columns(&statement.double, &[], height),
        TableKind::ScalarMulClaims => ScalarMulChip::claim_columns(&statement.scalar_mul, height),
        TableKind::VerifyClaims => VerifyChip::claim_columns(&statement.verify, height),
        TableKind::ScalarMulBits | TableKind::VerifyBits | TableKind::Range => Vec::new(),
    }
}
