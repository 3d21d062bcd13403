//! The generator table: [`septic_chips::generator`].

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use p3_field::PrimeCharacteristicRing;
use septic_chips::columns::ColumnSet;
use septic_chips::generator::{GeneratorCols, LOG_HEIGHT, SECOND_START, WINDOW_BITS, WINDOWS};
use septic_curve::lockstep::{LANES, Lockstep, WidePoint};
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, ProjectivePoint, Scalar, params};

use super::integers::windows;

/// The entries of the generator table, by row: computed at the first call.
#[must_use]
pub fn entries() -> &'static [AffinePoint] {
    static ENTRIES: OnceBox<Vec<AffinePoint>> = OnceBox::new();
    ENTRIES.get_or_init(|| Box::new(compute()))
}

/// Runs of entries in lockstep: each starts from its first entry and grows by its own step.
fn compute() -> Vec<AffinePoint> {
    let window = 1 << WINDOW_BITS;
    let mut units = vec![Point::GENERATOR];
    for w in 1..WINDOWS {
        units.push((0..WINDOW_BITS).fold(units[w - 1], |unit, _| unit.double()));
    }
    let [first, second] = params::OFFSETS.map(Point::from);
    // First entry and step of each run: window 0 from B_0, the other windows, window 0 from B_1.
    let windows = units[1..].iter().map(|&unit| (unit, unit));
    let runs: Vec<(Point, Point)> = core::iter::once((first, units[0]))
        .chain(windows)
        .chain(core::iter::once((second, units[0])))
        .collect();
    // No sum of them is the identity.
    let finite = |point: Point| point.to_affine().unwrap_or(params::GENERATOR);
    let groups = |of: &dyn Fn(&(Point, Point)) -> Point| -> Vec<WidePoint> {
        let point = |lane: usize| finite(of(&runs[lane.min(runs.len() - 1)]));
        (0..runs.len().div_ceil(LANES)).map(|g| WidePoint::gather(|lane| point(g * LANES + lane))).collect()
    };
    let steps = groups(&|&(_, step)| step);
    let mut sums = [groups(&|&(entry, _)| entry), groups(&|&(entry, step)| entry + step)].to_vec();
    let mut lockstep = Lockstep::new(steps.len());
    while sums.len() < 2 * window {
        let mut next = sums[sums.len() - 1].clone();
        lockstep.add(&mut next, &steps);
        sums.push(next);
    }
    let run = |run: usize, entries: usize| {
        sums[..entries].iter().map(move |sums| sums[run / LANES].lane(run % LANES))
    };
    (0..runs.len()).flat_map(|w| run(w, if w + 1 == WINDOWS { 2 * window } else { window })).collect()
}

/// The row of the entry for window `w` of a scalar with the digit `digit` there.
pub(crate) fn entry(w: usize, digit: u16, second: bool) -> usize {
    usize::from(digit) + (w << WINDOW_BITS) + if w == 0 && second { SECOND_START } else { 0 }
}

/// s·G for each s.
pub(crate) fn multiples(scalars: &[Scalar]) -> Vec<ProjectivePoint> {
    let Some(last) = scalars.last() else { return Vec::new() };
    let table = entries();
    let groups = scalars.len().div_ceil(LANES);
    let digits: Vec<[u16; WINDOWS]> = scalars.iter().map(windows).collect();
    let last = windows(last);
    let entries = |w: usize| -> Vec<WidePoint> {
        let digits = |g: usize, lane: usize| digits.get(g * LANES + lane).unwrap_or(&last);
        (0..groups).map(|g| WidePoint::gather(|lane| table[entry(w, digits(g, lane)[w], false)])).collect()
    };
    let mut lockstep = Lockstep::new(groups);
    let mut sums = entries(0);
    for w in 1..WINDOWS {
        lockstep.add(&mut sums, &entries(w));
    }
    // Nobody knows a scalar whose sums from B_0 meet an exceptional case.
    let start = ProjectivePoint::from(params::GENERATOR_OFFSETS[0]);
    let multiple = |(i, scalar): (usize, &Scalar)| {
        if lockstep.failed[i / LANES] >> (i % LANES) & 1 == 1 {
            Point::GENERATOR.mul_vartime(&(*scalar).into()).into()
        } else {
            ProjectivePoint::from(sums[i / LANES].lane(i % LANES)) - start
        }
    };
    scalars.iter().enumerate().map(multiple).collect()
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

#[cfg(test)]
mod tests {
    use septic_chips::generator::ENTRIES;
    use septic_curve::Scalar256;

    use super::*;

    /// Every entry is the multiple that the table's documentation says.
    #[test]
    fn entries_are_their_multiples() {
        assert_eq!(entries().len(), ENTRIES);
        let [first, second] = params::OFFSETS.map(Point::from);
        let mut unit = Point::GENERATOR;
        for w in 0..WINDOWS {
            let digits = if w + 1 == WINDOWS { 512 } else { 256 };
            let mut multiple = if w == 0 { Point::Identity } else { unit };
            for digit in 0..digits {
                let row = entry(w, digit, false);
                let found = Point::from(entries()[row]);
                if w == 0 {
                    assert_eq!(found, first + multiple);
                    assert_eq!(Point::from(entries()[entry(0, digit, true)]), second + multiple);
                } else {
                    assert_eq!(found, multiple, "window {w}, digit {digit}");
                }
                multiple += unit;
            }
            unit = unit.mul_vartime(&Scalar256::from(256u64));
        }
    }
}
