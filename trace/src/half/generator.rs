//! The generator table: [`septic_chips::generator`].

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use p3_field::PrimeCharacteristicRing;
use septic_chips::columns::ColumnSet;
use septic_chips::generator::{ENTRIES, GeneratorCols, LOG_HEIGHT, SECOND_START, WINDOW_BITS, WINDOWS};
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, ProjectivePoint, params};

/// The entries of the generator table, by row: computed at the first call.
#[must_use]
pub fn entries() -> &'static [AffinePoint] {
    static ENTRIES: OnceBox<Vec<AffinePoint>> = OnceBox::new();
    ENTRIES.get_or_init(|| Box::new(compute()))
}

fn compute() -> Vec<AffinePoint> {
    let mut points: Vec<ProjectivePoint> = Vec::with_capacity(ENTRIES);
    let generator = ProjectivePoint::from(params::GENERATOR);
    let window = 1 << WINDOW_BITS;
    let mut run = |first: ProjectivePoint, step: ProjectivePoint, entries: usize| {
        let mut entry = first;
        for _ in 0..entries {
            points.push(entry);
            entry += step;
        }
    };
    let [first, second] = params::OFFSETS.map(ProjectivePoint::from);
    run(first, generator, window);
    let mut unit = generator;
    for w in 1..WINDOWS {
        for _ in 0..WINDOW_BITS {
            unit = unit.double();
        }
        run(unit, unit, if w + 1 == WINDOWS { 2 * window } else { window });
    }
    run(second, generator, window);
    let points = ProjectivePoint::batch_to_points(&points);
    points.into_iter().filter_map(|point| Point::to_affine(&point)).collect()
}

/// The row of the entry for window `w` of a scalar with the digit `digit` there.
pub(crate) fn entry(w: usize, digit: u16, second: bool) -> usize {
    usize::from(digit) + (w << WINDOW_BITS) + if w == 0 && second { SECOND_START } else { 0 }
}

/// The generator table's columns but `times`: index, x, y, 2^13 cells each.
#[must_use]
pub fn columns() -> Vec<Vec<KoalaBear>> {
    let mut columns =
        vec![vec![KoalaBear::ZERO; 1 << LOG_HEIGHT]; <GeneratorCols<u32> as ColumnSet<u32>>::WIDTH - 1];
    for (row, cell) in columns[0].iter_mut().enumerate() {
        *cell = KoalaBear::from_usize(row);
    }
    let coordinates = |point: &AffinePoint| -> [Fp7; 2] { [point.x(), point.y()] };
    for (row, entry) in entries().iter().enumerate() {
        let cells = coordinates(entry).into_iter().flat_map(|c| c.0);
        for (column, cell) in columns[1..].iter_mut().zip(cells) {
            column[row] = cell;
        }
    }
    columns
}
