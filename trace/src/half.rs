//! Traces of the tables with half-size scalars: [`septic_chips::half`].
//!
//! [`HalfOperation::generate`] makes the table of a list of events: event i on row i, zeros after the last; with the results at
//! hand, [`HalfOperation::generate_claims`] saves the execution, which takes about as long again. Events go in
//! groups, one in each lane of the packed field, and the groups of a chunk in lockstep, so that an addition or a doubling step
//! costs one batched inversion for the chunk. Rows are written in place. With the feature `parallel` chunks are spread over
//! threads, with the same trace as result. Generation takes variable time: it is not for secrets.

pub(crate) mod chain;
pub mod generator;
pub(crate) mod integers;
pub(crate) mod rows;
mod scalar_mul;
mod shown;
#[cfg(test)]
mod tests;
mod verify;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use p3_field::{PrimeCharacteristicRing, PrimeField32};
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::columns::{Field, column};
use septic_chips::generator::LOG_HEIGHT as GENERATOR_LOG_HEIGHT;
use septic_chips::half::product::{CARRIES, CARRY_OFFSET, QUOTIENT_LIMBS};
use septic_chips::half::{DIGITS, STEPS};
use septic_chips::range::{LOG_HEIGHT as RANGE_LOG_HEIGHT, LOW_BITS};
use septic_chips::table::Table;
use septic_curve::lockstep::{Inverter, LANES, LaneMask};
use septic_curve::{AffinePoint, KoalaBear, Point, Scalar, Scalar256};
use sha2::{Digest, Sha256};

use crate::ladder::{EvaluationPoints, MAX_EVALUATION_POINTS};
use crate::trace::{check_points, height};
use crate::{Claim, Execute, MIN_TABLE_LOG_HEIGHT, TraceError};
use chain::Group;
use integers::{HalfPair, ProductWitness};
use rows::Rows;

pub use scalar_mul::HalfScalarMul;
pub use verify::HalfVerify;

/// Events whose rows are filled in lockstep: the more, the smaller is an inversion's share.
pub(crate) const CHUNK: usize = if LANES > 16 { 16 * LANES } else { 256 };

/// The trace of a table with half-size scalars.
#[derive(Clone, Debug)]
pub struct HalfTrace {
    /// The cells: a power of two of rows × columns.
    pub main: RowMajorMatrix<KoalaBear>,
    /// The parameter t.
    pub parameter: KoalaBear,
    /// The result of each event.
    pub outputs: Vec<Point>,
}

/// How often rows look something up, by the row of the table they look it up in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookups {
    /// Limbs, in the range table.
    pub limbs: Vec<u32>,
    /// Pairs of limbs, in the range table.
    pub pairs: Vec<u32>,
    /// Entries of the generator table.
    pub entries: Vec<u32>,
}

impl Default for Lookups {
    /// None.
    fn default() -> Self {
        Self {
            limbs: vec![0; 1 << RANGE_LOG_HEIGHT],
            pairs: vec![0; 1 << RANGE_LOG_HEIGHT],
            entries: vec![0; 1 << GENERATOR_LOG_HEIGHT],
        }
    }
}

/// An operation as a table with half-size scalars.
pub trait HalfOperation: Copy + fmt::Debug + Send + Sync + 'static {
    /// The events it executes.
    type Event: Execute;
    /// The table.
    type Table: Table;

    /// The results of a list of events, on all threads: what an executor does. Points are not checked.
    fn execute(events: &[Self::Event]) -> Vec<Point>;

    /// The trace of a list of events with their results. It depends on the claims alone, not on the number of threads.
    ///
    /// # Errors
    /// If a point is off the curve, a result is wrong, the list is too long, or an event collides with both offsets.
    fn generate_claims(claims: &[Claim<Self::Event>]) -> Result<HalfTrace, TraceError>;

    /// [`Self::execute`] and [`Self::generate_claims`].
    ///
    /// # Errors
    /// As [`Self::generate_claims`].
    fn generate(events: &[Self::Event]) -> Result<HalfTrace, TraceError> {
        check_points(events)?;
        let outputs = Self::execute(events);
        let claims: Vec<_> = events.iter().zip(outputs).map(|(&event, out)| Claim { event, out }).collect();
        Self::generate_claims(&claims)
    }

    /// The instance columns that `claims` determine, `height` cells each, in the order of [`Table::INSTANCE_COLUMNS`].
    ///
    /// # Panics
    /// If there are more claims than rows.
    fn instance_columns(claims: &[Claim<Self::Event>], height: usize) -> Vec<Vec<KoalaBear>>;

    /// Adds what the rows of a trace look up.
    ///
    /// # Panics
    /// If a cell that is looked up is out of range.
    fn count_lookups(main: &RowMajorMatrix<KoalaBear>, lookups: &mut Lookups);

    /// Height of the table for `events` events: a power of two, at least 2^[`MIN_TABLE_LOG_HEIGHT`].
    ///
    /// # Errors
    /// If it exceeds 2^[`crate::MAX_LOG_HEIGHT`].
    fn height(events: usize) -> Result<usize, TraceError> {
        height(events, 1, MIN_TABLE_LOG_HEIGHT)
    }
}

/// What the generator needs to know of an operation.
trait Fill: HalfOperation {
    /// A claim as the table shows it.
    type Shown: for<'a> From<&'a Claim<Self::Event>> + Copy + Send + Sync;

    /// Where the columns stand that both operations have.
    const LAYOUT: Layout;

    /// The results of events.
    fn outputs(events: &[Self::Event]) -> Vec<Point>;

    /// The scalar of the variable point.
    fn scalar(shown: &Self::Shown) -> Scalar;

    /// Writes the instance cells of a row.
    fn write_instance(shown: &Self::Shown, row: &mut [KoalaBear]);

    /// Fills points, slopes and products of the groups; lane k of group g is `shown[g·LANES + k]`, or the last one. Returns
    /// `false` if the parameter does not fit.
    fn fill(
        groups: &mut [Group<'_>],
        shown: &[Self::Shown],
        pairs: &[HalfPair],
        inverter: &mut Inverter,
    ) -> bool;

    /// Feeds an event to a hash.
    fn hash(event: &Self::Event, hash: &mut Sha256);
}

/// Offsets of the columns that both operations have and that are not the chain's.
#[derive(Clone, Copy, Debug)]
struct Layout {
    offset: usize,
    quotient: usize,
    carry: usize,
    sign: usize,
    swap: usize,
}

impl Layout {
    const fn new(fields: &[Field]) -> Self {
        Self {
            offset: column(fields, "offset"),
            quotient: column(fields, "quotient"),
            carry: column(fields, "carry"),
            sign: column(fields, "sign"),
            swap: column(fields, "swap"),
        }
    }

    /// Writes the offset, the digits and the product's witness of a row.
    fn write(&self, second: bool, pair: &HalfPair, s: &Scalar, row: &mut [KoalaBear]) {
        row[self.offset] = KoalaBear::from_bool(second);
        for (i, cell) in row[self.sign..][..STEPS].iter_mut().enumerate() {
            *cell = KoalaBear::from_bool(pair.sign(i));
        }
        for (i, cell) in row[self.swap..][..DIGITS].iter_mut().enumerate() {
            *cell = KoalaBear::from_bool(pair.swap(i));
        }
        let ProductWitness { quotient, carry } = ProductWitness::new(pair, s);
        for (cell, limb) in row[self.quotient..].iter_mut().zip(quotient) {
            *cell = KoalaBear::from_u8(limb);
        }
        for (cell, limb) in row[self.carry..].iter_mut().zip(carry) {
            *cell = KoalaBear::from_u16(limb);
        }
    }
}

/// The item of lane `lane` of group `group`; lanes without one repeat the last.
pub(crate) fn of_lane<T>(items: &[T], group: usize, lane: usize) -> &T {
    &items[(group * LANES + lane).min(items.len() - 1)]
}

/// The results of events, chunks of them on all threads.
fn execute<O: Fill>(events: &[O::Event]) -> Vec<Point> {
    let chunks: Vec<Vec<Point>> = events.par_chunks(CHUNK).map(O::outputs).collect();
    chunks.concat()
}

/// The trace of `claims`.
fn generate<O: Fill>(claims: &[Claim<O::Event>]) -> Result<HalfTrace, TraceError> {
    let mut hash = Sha256::new();
    claims.iter().for_each(|claim| O::hash(&claim.event, &mut hash));
    let points = EvaluationPoints::from_seed(hash.finalize().into());
    let height = O::height(claims.len())?;
    let mut main = RowMajorMatrix::new(vec![KoalaBear::ZERO; height * O::Table::WIDTH], O::Table::WIDTH);
    for index in 0..MAX_EVALUATION_POINTS {
        let parameter = points.get(index);
        if fill::<O>(claims, parameter, &mut main)? {
            let outputs = claims.iter().map(|claim| claim.out).collect();
            return Ok(HalfTrace { main, parameter, outputs });
        }
    }
    Err(TraceError::NoEvaluationPoint)
}

/// Fills the rows of `claims` for the parameter `t`; `false` if `t` does not fit.
fn fill<O: Fill>(
    claims: &[Claim<O::Event>],
    t: KoalaBear,
    main: &mut RowMajorMatrix<KoalaBear>,
) -> Result<bool, TraceError> {
    let width = main.width();
    let chunks: Vec<Result<bool, TraceError>> = main.values[..claims.len() * width]
        .par_chunks_mut(CHUNK * width)
        .zip(claims.par_chunks(CHUNK))
        .enumerate()
        .map(|(k, (cells, claims))| fill_chunk::<O>(k * CHUNK, claims, t, width, cells))
        .collect();
    chunks.into_iter().try_fold(true, |fits, chunk| Ok(fits && chunk?))
}

/// [`fill`] for the claims of a chunk, the first of which is number `first`.
fn fill_chunk<O: Fill>(
    first: usize,
    claims: &[Claim<O::Event>],
    t: KoalaBear,
    width: usize,
    cells: &mut [KoalaBear],
) -> Result<bool, TraceError> {
    for (i, claim) in claims.iter().enumerate() {
        claim.check(first + i)?;
    }
    let shown: Vec<O::Shown> = claims.iter().map(Into::into).collect();
    let pairs: Vec<HalfPair> = shown.iter().map(|shown| HalfPair::new(&O::scalar(shown))).collect();

    let mut second = vec![false; claims.len()];
    let mut inverter = Inverter::default();
    // Almost always one round is enough.
    let fits = loop {
        let mut groups: Vec<Group<'_>> = cells
            .chunks_mut(LANES * width)
            .enumerate()
            .map(|(g, cells)| {
                let offset = core::array::from_fn(|lane| u8::from(*of_lane(&second, g, lane)));
                Group::new(Rows::new(width, cells), offset, Some(t))
            })
            .collect();
        let fits = O::fill(&mut groups, &shown, &pairs, &mut inverter);
        let lanes = |mask: fn(&Group<'_>) -> LaneMask| {
            let groups = &groups;
            (0..claims.len()).filter(move |i| mask(&groups[i / LANES]) >> (i % LANES) & 1 == 1)
        };
        let failed: Vec<usize> = lanes(|group| group.failed).collect();
        if failed.is_empty() {
            if let Some(i) = lanes(|group| group.wrong).next() {
                return Err(TraceError::WrongResult { event: first + i });
            }
            break fits;
        }
        for i in failed {
            if second[i] {
                let Claim { event, out } = claims[i];
                let event_number = first + i;
                return Err(if event.execute() == out {
                    TraceError::NoOffset { event: event_number }
                } else {
                    TraceError::WrongResult { event: event_number }
                });
            }
            second[i] = true;
        }
    };
    for (i, row) in cells.chunks_exact_mut(width).enumerate() {
        O::write_instance(&shown[i], row);
        O::LAYOUT.write(second[i], &pairs[i], &O::scalar(&shown[i]), row);
    }
    tracing::trace!(target: "septic_trace::progress", events = claims.len());
    Ok(fits)
}

/// The instance columns of a table: the cells of each claim's row, by columns.
fn instance_columns<O: Fill>(claims: &[Claim<O::Event>], height: usize) -> Vec<Vec<KoalaBear>> {
    assert!(claims.len() <= height, "more claims than rows");
    let mut columns = vec![vec![KoalaBear::ZERO; height]; O::Table::INSTANCE_COLUMNS.len()];
    let mut cells = vec![KoalaBear::ZERO; columns.len()];
    for (row, claim) in claims.iter().enumerate() {
        O::write_instance(&claim.into(), &mut cells);
        for (column, cell) in columns.iter_mut().zip(&cells) {
            column[row] = *cell;
        }
    }
    columns
}

/// Adds the limbs that rows look up; calls `entries` with each row of an event.
fn count_lookups<O: Fill>(
    main: &RowMajorMatrix<KoalaBear>,
    lookups: &mut Lookups,
    mut entries: impl FnMut(&[KoalaBear], &mut [u32]),
) {
    let number = |cell: KoalaBear| cell.as_canonical_u32() as usize;
    for row in main.values.chunks_exact(main.width()).take_while(|row| row[0] == KoalaBear::ONE) {
        for pair in row[O::LAYOUT.quotient..][..QUOTIENT_LIMBS].chunks(2) {
            let high = pair.get(1).map_or(0, |&high| number(high));
            lookups.pairs[number(pair[0]) + (high << LOW_BITS)] += 1;
        }
        for &carry in &row[O::LAYOUT.carry..][..CARRIES] {
            lookups.limbs[number(carry)] += 1;
        }
        entries(row, &mut lookups.entries);
    }
}

const _: () = assert!((CARRY_OFFSET as usize) << 1 == 1 << RANGE_LOG_HEIGHT);

/// Writes a point's coordinates from `column` on.
fn write_point(point: AffinePoint, row: &mut [KoalaBear]) {
    let cells = point.x().0.into_iter().chain(point.y().0);
    row.iter_mut().zip(cells).for_each(|(cell, value)| *cell = value);
}

/// Feeds a point and scalars to a hash.
fn hash_event(hash: &mut Sha256, point: Point, scalars: &[Scalar256]) {
    let (x, y) = point.to_canonical().unwrap_or_default();
    x.into_iter().chain(y).for_each(|c| hash.update(c.to_le_bytes()));
    for scalar in scalars {
        scalar.to_le_limbs().into_iter().for_each(|c| hash.update(c.to_le_bytes()));
    }
}
