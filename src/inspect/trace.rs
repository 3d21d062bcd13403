//! The trace of one event.

use std::ops::Range;

use super::cell::{CellError, NewCell, column_name};
use super::points::Names;
use super::shape::Shape;
use super::view::{Change, Inspection};
use crate::chips::table::{ChipTable, Table};
use crate::curve::KoalaBear;
use crate::curve::p3_field::PrimeField32;
use crate::files::StatedEvent;
use crate::trace::half::{HalfOperation, HalfScalarMul, HalfTrace, HalfVerify};
use crate::{
    AddChip, Claim, DoubleChip, Event, Layout, MixedClaim, Point, ScalarMulChip, TraceChip, TraceError,
    VerifyChip,
};

/// The trace of one event, with changes.
///
/// It has the rows of the event, and one row of padding if the event takes a single row: there all rows of padding are alike.
#[derive(Clone, Debug)]
pub struct EventTrace {
    pub(super) claim: MixedClaim,
    pub(super) shape: Shape,
    /// Name of the layout.
    pub(super) layout: &'static str,
    /// Rows of the generated trace, padding included.
    pub(super) height: usize,
    /// The cells, by rows.
    pub(super) cells: Vec<KoalaBear>,
    pub(super) parameters: Vec<KoalaBear>,
    /// The instance columns that the claim determines, with as many rows as `cells`.
    pub(super) instance: Vec<Vec<KoalaBear>>,
    pub(super) changes: Vec<Change>,
    pub(super) names: Names,
}

/// A generated trace, without its type.
struct Generated {
    shape: Shape,
    layout: &'static str,
    height: usize,
    cells: Vec<KoalaBear>,
    parameters: Vec<KoalaBear>,
    instance: Vec<Vec<KoalaBear>>,
}

fn of_chip<C: TraceChip>(event: C::Event, out: Point) -> Result<Generated, TraceError> {
    let claim = Claim { event, out };
    claim.check(0)?;
    let trace = C::generate_trace(&[event])?;
    let height = trace.main.values.len() / C::WIDTH;
    Ok(Generated {
        shape: Shape::of::<ChipTable<C>>(),
        layout: C::LAYOUT,
        height,
        instance: C::instance_columns(&[claim], &trace.second_offsets, height),
        cells: trace.main.values,
        parameters: trace.parameters,
    })
}

fn of_half<O: HalfOperation>(event: O::Event, out: Point) -> Result<Generated, TraceError> {
    let claim = Claim { event, out };
    claim.check(0)?;
    let HalfTrace { main, parameter, .. } = O::generate(&[event])?;
    let height = main.values.len() / O::Table::WIDTH;
    Ok(Generated {
        shape: Shape::of::<O::Table>(),
        layout: Layout::HalfScalar.as_str(),
        height,
        instance: O::instance_columns(&[claim], height),
        cells: main.values,
        parameters: vec![parameter],
    })
}

impl EventTrace {
    /// The trace of an event. `layout` is that of SCALAR_MUL and VERIFY: the chip with one row a bit, or the machine's table with
    /// half-size scalars. The result that the event states, if it does, is what the claims say; the trace is that of the true
    /// result.
    ///
    /// # Errors
    /// If a point is off the curve, or the event collides with both offsets.
    pub fn new(stated: &StatedEvent, layout: Layout) -> Result<Self, TraceError> {
        let event = stated.event;
        let out = stated.out.unwrap_or_else(|| event.execute());
        let generated = match (event, layout) {
            (Event::Add(event), _) => of_chip::<AddChip>(event, out),
            (Event::Double(event), _) => of_chip::<DoubleChip>(event, out),
            (Event::ScalarMul(event), Layout::HalfScalar) => of_half::<HalfScalarMul>(event, out),
            (Event::ScalarMul(event), _) => of_chip::<ScalarMulChip>(event, out),
            (Event::Verify(event), Layout::HalfScalar) => of_half::<HalfVerify>(event, out),
            (Event::Verify(event), _) => of_chip::<VerifyChip>(event, out),
        }?;
        let Generated { shape, layout, height, mut cells, parameters, mut instance } = generated;
        let rows = height.min(shape.period.max(2));
        cells.truncate(rows * shape.width);
        instance.iter_mut().for_each(|column| column.truncate(rows));
        let claim = Claim { event, out };
        let names = Names::new(&claim, shape.name);
        Ok(Self { claim, shape, layout, height, cells, parameters, instance, changes: Vec::new(), names })
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells.len() / self.shape.width
    }

    /// Number of rows of the event; those after them are padding.
    #[must_use]
    pub const fn event_rows(&self) -> usize {
        self.shape.period
    }

    /// Changes a cell.
    ///
    /// # Errors
    /// If there is no such column or row.
    pub fn set(&mut self, new: &NewCell) -> Result<(), CellError> {
        let column = new.column(self.shape.fields)?;
        let rows = self.rows();
        if new.row >= rows {
            return Err(CellError::Row { row: new.row, rows });
        }
        let cell = &mut self.cells[new.row * self.shape.width + column];
        let old = std::mem::replace(cell, KoalaBear::new(new.value));
        self.changes.push(Change {
            column,
            name: column_name(self.shape.fields, column),
            row: new.row,
            old: old.as_canonical_u32(),
            new: new.value,
        });
        Ok(())
    }

    /// Checks the trace and shows it, with the cells of the rows in `rows`; rows that there are not are left out.
    #[must_use]
    pub fn inspect(&self, rows: Range<usize>) -> Inspection {
        Inspection::of(self, rows)
    }

    /// The cells of a row; the successor of the last row is the first.
    pub(super) fn row(&self, row: usize) -> &[KoalaBear] {
        &self.cells[row % self.rows() * self.shape.width..][..self.shape.width]
    }
}
