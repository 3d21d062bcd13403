//! The rows of a group of operations, one in each lane of the packed field.

use p3_field::PackedValue;
use septic_curve::lockstep::{Lanes, Wide};
use septic_curve::{DEGREE, KoalaBear};

/// The rows of a group: `width` cells for each operation, at most one a lane.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    width: usize,
    cells: &'a mut [KoalaBear],
}

impl<'a> Rows<'a> {
    /// Rows of `width` cells each.
    pub(crate) const fn new(width: usize, cells: &'a mut [KoalaBear]) -> Self {
        Self { width, cells }
    }

    /// The row of each lane that has one.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [KoalaBear]> {
        self.cells.chunks_exact_mut(self.width)
    }

    /// Writes an element into the seven columns from `column` on.
    #[inline]
    pub(crate) fn write(&mut self, column: usize, value: &Wide) {
        for (lane, row) in self.cells.chunks_exact_mut(self.width).enumerate() {
            for (cell, value) in row[column..column + DEGREE].iter_mut().zip(&value.0) {
                *cell = value.as_slice()[lane];
            }
        }
    }

    /// Writes a number into one column.
    #[inline]
    pub(crate) fn write_cell(&mut self, column: usize, value: &Lanes) {
        for (lane, row) in self.cells.chunks_exact_mut(self.width).enumerate() {
            row[column] = value.as_slice()[lane];
        }
    }
}
