//! Instance columns: the columns that claims determine.

use alloc::vec;
use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use p3_maybe_rayon::prelude::*;
use septic_chips::ladder::{CORRECTION_ROW, OUTPUT_ROW, ROWS, limb_on_row};
use septic_curve::{AffinePoint, DEGREE, Fp7, KoalaBear, Point, Scalar256, params};

/// The point (x, y), or the identity for (0, 0), which is not on the curve.
pub(crate) fn point_or_identity(x: Fp7, y: Fp7) -> Point {
    if x.is_zero() && y.is_zero() { Point::Identity } else { AffinePoint::new_unchecked(x, y).into() }
}

/// The coordinates of a point, (0, 0) for the identity.
pub(crate) fn coordinates(point: Point) -> (Fp7, Fp7) {
    point.to_affine().map_or((Fp7::ZERO, Fp7::ZERO), |p| (p.x(), p.y()))
}

/// Fourteen columns of `height` cells: the coordinates of one point a row, zeros after the last.
pub(crate) fn point_columns(points: impl Iterator<Item = Point>, height: usize) -> Vec<Vec<KoalaBear>> {
    let mut columns = vec![vec![KoalaBear::ZERO; height]; 2 * DEGREE];
    for (row, point) in points.enumerate() {
        let (x, y) = coordinates(point);
        for (column, cell) in columns.iter_mut().zip(x.0.into_iter().chain(y.0)) {
            column[row] = cell;
        }
    }
    columns
}

/// A column of `height` cells: 1 on the first `ones` rows.
pub(crate) fn flag_column(ones: usize, height: usize) -> Vec<KoalaBear> {
    let mut column = vec![KoalaBear::ONE; ones];
    column.resize(height, KoalaBear::ZERO);
    column
}

/// The finite point on the rows of an identity base.
pub(crate) const IDENTITY_BASE: AffinePoint = params::GENERATOR;

/// The finite point on the output row of an identity result.
pub(crate) const IDENTITY_OUTPUT: AffinePoint = params::OFFSETS[0];

/// What a ladder's block shows: its instance cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LadderInstance {
    /// The base on rows 0..254.
    pub(crate) base: Point,
    /// The result on row 255.
    pub(crate) out: Point,
    /// The scalar whose limbs stand on limb rows.
    pub(crate) scalar: Scalar256,
    /// The scalar whose limbs stand on the rows after limb rows.
    pub(crate) scalar_g: Option<Scalar256>,
    /// The point on row 254.
    pub(crate) correction: AffinePoint,
}

/// The instance columns of a ladder: x_t, y_t, identity, limb.
///
/// # Panics
/// If there are fewer rows than blocks.
pub(crate) fn ladder_columns(
    blocks: impl Iterator<Item = LadderInstance>,
    padding: LadderInstance,
    height: usize,
) -> Vec<Vec<KoalaBear>> {
    let mut blocks: Vec<LadderInstance> = blocks.collect();
    assert!(blocks.len() * ROWS <= height, "more blocks than rows");
    blocks.resize(height / ROWS, padding);
    let shown = |point: Point, identity: AffinePoint| point.to_affine().unwrap_or(identity);
    let mut columns: Vec<Vec<KoalaBear>> = (0..2 * DEGREE)
        .into_par_iter()
        .map(|column| {
            let coordinate = |point: AffinePoint| {
                if column < DEGREE { point.x().0[column] } else { point.y().0[column - DEGREE] }
            };
            let mut cells = vec![KoalaBear::ZERO; height];
            for (cells, block) in cells.chunks_exact_mut(ROWS).zip(&blocks) {
                cells[..CORRECTION_ROW].fill(coordinate(shown(block.base, IDENTITY_BASE)));
                cells[CORRECTION_ROW] = coordinate(block.correction);
                cells[OUTPUT_ROW] = coordinate(shown(block.out, IDENTITY_OUTPUT));
            }
            cells
        })
        .collect();
    let mut identity = vec![KoalaBear::ZERO; height];
    let mut limb = vec![KoalaBear::ZERO; height];
    for ((identity, limb), block) in
        identity.chunks_exact_mut(ROWS).zip(limb.chunks_exact_mut(ROWS)).zip(&blocks)
    {
        identity[..CORRECTION_ROW].fill(KoalaBear::from_bool(block.base.is_identity()));
        identity[OUTPUT_ROW] = KoalaBear::from_bool(block.out.is_identity());
        write_limbs(block, |row, value| limb[row] = value);
    }
    columns.extend([identity, limb]);
    columns
}

/// Calls `write` with each limb row's cell, and the cell of the row after it if there is a second scalar.
pub(crate) fn write_limbs(block: &LadderInstance, mut write: impl FnMut(usize, KoalaBear)) {
    for row in 0..CORRECTION_ROW {
        if let Some(l) = limb_on_row(row) {
            write(row, KoalaBear::from_u16(block.scalar.limb16(l)));
            if let Some(scalar) = block.scalar_g {
                write(row + 1, KoalaBear::from_u16(scalar.limb16(l)));
            }
        }
    }
}
