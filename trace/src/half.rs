//! Traces of the tables with half-size scalars: [`septic_chips::half`].
//!
//! [`HalfOperation::generate`] makes the control and the step table of a list of events: event i on row i of the control
//! table and on rows i·112/K, … of the step table, zeros after the last. An event without a chain leaves its step rows 0.
//! Chains of a chunk of events go in lockstep with batched inversions; with the feature `parallel` chunks are spread over
//! threads, with the same traces as result. Generation takes variable time: it is not for secrets.

mod chain;
mod integers;
mod layout;
mod scalar_mul;
#[cfg(test)]
mod tests;
mod verify;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::half::product::{CARRIES, QUOTIENT_BYTES};
use septic_chips::half::{SHIFT_BYTES, STEPS, U_BYTES};
use septic_chips::relations::evaluate;
use septic_chips::table::Table;
use septic_curve::{AffinePoint, DEGREE, Fp7, KoalaBear, Point, Scalar256, params};
use sha2::{Digest, Sha256};

use crate::ladder::{CHUNK, EvaluationPoints, MAX_EVALUATION_POINTS};
use crate::trace::{check_points, height};
use crate::{Claim, Execute, MIN_TABLE_LOG_HEIGHT, TraceError};
use chain::{ChainInput, Scratch, count};
use layout::{ControlLayout, StepLayout};

pub use scalar_mul::HalfScalarMul;
pub use verify::HalfVerify;

/// The traces of the two tables of one operation.
#[derive(Clone, Debug)]
pub struct HalfTrace {
    /// The control table: a power of two of rows × columns.
    pub control: RowMajorMatrix<KoalaBear>,
    /// The step table: a power of two of rows × columns.
    pub steps: RowMajorMatrix<KoalaBear>,
    /// The parameter t of both tables.
    pub parameter: KoalaBear,
    /// The result of each event.
    pub outputs: Vec<Point>,
}

/// How often rows look something up in the range table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeCounts {
    /// Index low + 256·high: messages (low, high) on the bus of byte pairs. 65,536 entries.
    pub pairs: Vec<u32>,
}

/// An operation as a control and a step table.
pub trait HalfOperation: Copy + fmt::Debug + Send + Sync + 'static {
    /// The events it executes.
    type Event: Execute;
    /// The control table.
    type Control: Table;
    /// The step table.
    type Steps: Table;

    /// Rows of the step table for one event: 112/K.
    const ROWS: usize;

    /// The traces of a list of events. They depend on the events alone, not on the number of threads.
    ///
    /// # Errors
    /// If a point is off the curve, the list is too long, or an event collides with both offsets.
    fn generate(events: &[Self::Event]) -> Result<HalfTrace, TraceError>;

    /// The instance columns of the control table that `claims` determine, `height` cells each, in the order of
    /// [`Table::INSTANCE_COLUMNS`].
    ///
    /// # Panics
    /// If there are more claims than rows.
    fn instance_columns(claims: &[Claim<Self::Event>], height: usize) -> Vec<Vec<KoalaBear>>;

    /// What the rows of a control table look up in the range table. Step tables look up nothing.
    ///
    /// # Panics
    /// If a cell that is looked up is not a byte.
    fn range_counts(control: &RowMajorMatrix<KoalaBear>) -> RangeCounts;

    /// Heights of the control and of the step table for `events` events: powers of two, at least 2^[`MIN_TABLE_LOG_HEIGHT`].
    ///
    /// # Errors
    /// If one exceeds 2^[`MAX_LOG_HEIGHT`].
    fn heights(events: usize) -> Result<[usize; 2], TraceError> {
        let height = |rows| height(events, rows, MIN_TABLE_LOG_HEIGHT);
        Ok([height(1)?, height(Self::ROWS)?])
    }
}

/// What the generator needs to know of an operation.
trait Fill: HalfOperation {
    const STEP: StepLayout;
    const CONTROL: ControlLayout;

    /// What an event asks of the tables.
    type Plan: Copy + Send + Sync;

    /// The results of events.
    fn outputs(events: &[Self::Event]) -> Vec<Point>;
    /// The plan of an event with its result.
    fn plan(event: &Self::Event, out: Point) -> Self::Plan;
    /// The chain of a plan.
    fn chain(plan: &Self::Plan, id: usize) -> Option<ChainInput>;
    /// Writes a control row: all cells but witnesses. `end` is where the chain ends.
    fn write(plan: &Self::Plan, id: usize, end: &ChainEnd, cells: &mut [KoalaBear]);
    /// Feeds an event to a hash.
    fn hash(event: &Self::Event, hash: &mut Sha256);
}

/// How a chain ended, if there is one.
#[derive(Clone, Copy, Debug, Default)]
struct ChainEnd {
    /// It started from the second offset.
    second: bool,
    /// x and y of E, and the slope of the line through E and N.
    x: Fp7,
    y: Fp7,
    lambda: Fp7,
}

impl ChainEnd {
    fn new(second: bool, e: AffinePoint, n: AffinePoint) -> Self {
        let lambda = if e == n {
            (e.x().dot_square().tripled() + Fp7::from_base(KoalaBear::new(params::CURVE_A)))
                .dot_mul(&e.y().doubled().inv0())
        } else {
            slope(e, n)
        };
        Self { second, x: e.x(), y: e.y(), lambda }
    }
}

/// The slope of the chord through two points with distinct x.
fn slope(p: AffinePoint, q: AffinePoint) -> Fp7 {
    (p.y() - q.y()).dot_mul(&(p.x() - q.x()).inv0())
}

/// Sum and difference of two points with distinct x, with the slopes of their chords.
#[derive(Clone, Copy, Debug)]
struct Sums {
    n: AffinePoint,
    m: AffinePoint,
    lambda_n: Fp7,
    lambda_m: Fp7,
}

impl Sums {
    /// S + P and S − P, if S ≠ ±P.
    fn new(s: AffinePoint, p: AffinePoint) -> Option<Self> {
        let inverse = (p.x() - s.x()).try_inverse()?;
        let third = |lambda: Fp7| {
            let x = lambda.dot_square() - p.x() - s.x();
            AffinePoint::new_unchecked(x, lambda.dot_mul(&(s.x() - x)) - s.y())
        };
        let lambda_n = (p.y() - s.y()).dot_mul(&inverse);
        let lambda_m = (-p.y() - s.y()).dot_mul(&inverse);
        Some(Self { n: third(lambda_n), m: third(lambda_m), lambda_n, lambda_m })
    }
}

/// The traces of `events`.
fn generate<O: Fill>(events: &[O::Event]) -> Result<HalfTrace, TraceError> {
    let mut trace = fill::<O>(events, O::plan)?;
    let mut hash = Sha256::new();
    events.iter().for_each(|event| O::hash(event, &mut hash));
    let points = EvaluationPoints::from_seed(hash.finalize().into());
    trace.parameter = (0..MAX_EVALUATION_POINTS)
        .map(|index| points.get(index))
        .find(|&t| finish::<O>(&mut trace, t))
        .ok_or(TraceError::NoEvaluationPoint)?;
    Ok(trace)
}

/// Writes the witnesses for the evaluation point `t`; `false` if `t` does not fit.
fn finish<O: Fill>(trace: &mut HalfTrace, t: KoalaBear) -> bool {
    let (width, block, events) = (O::CONTROL.width, O::ROWS * O::STEP.width, trace.outputs.len());
    let control = trace.control.values[..events * width].par_chunks_exact_mut(width);
    let steps = trace.steps.values[..events * block].par_chunks_exact_mut(block);
    control.zip(steps).all(|(control, steps)| fill_witnesses(&O::CONTROL, &O::STEP, t, control, steps))
}

/// The traces of `events` without witnesses and parameter.
fn fill<O: Fill>(
    events: &[O::Event],
    plan: impl Fn(&O::Event, Point) -> O::Plan + Sync,
) -> Result<HalfTrace, TraceError> {
    check_points(events)?;
    let [control_height, step_height] = O::heights(events.len())?;
    let (width, block) = (O::CONTROL.width, O::ROWS * O::STEP.width);
    let mut control = vec![KoalaBear::ZERO; control_height * width];
    let mut steps = vec![KoalaBear::ZERO; step_height * O::STEP.width];
    let (control_used, control_unused) = control.split_at_mut(events.len() * width);
    let steps_used = &mut steps[..events.len() * block];

    let chunks: Vec<Result<Vec<Point>, usize>> = control_used
        .par_chunks_mut(CHUNK * width)
        .zip(steps_used.par_chunks_mut(CHUNK * block))
        .zip(events.par_chunks(CHUNK))
        .enumerate()
        .map(|(k, ((control, steps), events))| fill_chunk::<O>(&plan, k * CHUNK, events, control, steps))
        .collect();
    let mut outputs = Vec::with_capacity(events.len());
    for chunk in chunks {
        outputs.extend(chunk.map_err(|event| TraceError::NoOffset { event })?);
    }
    for (i, row) in control_unused.chunks_exact_mut(width).enumerate() {
        row[O::CONTROL.id] = count(events.len() + i);
    }

    Ok(HalfTrace {
        control: RowMajorMatrix::new(control, width),
        steps: RowMajorMatrix::new(steps, O::STEP.width),
        parameter: KoalaBear::ZERO,
        outputs,
    })
}

/// Fills the rows of a chunk of events, the first of which is number `first`; returns the results, or the number of an
/// event that collides with both offsets.
fn fill_chunk<O: Fill>(
    plan: &impl Fn(&O::Event, Point) -> O::Plan,
    first: usize,
    events: &[O::Event],
    control: &mut [KoalaBear],
    steps: &mut [KoalaBear],
) -> Result<Vec<Point>, usize> {
    let outputs = O::outputs(events);
    let plans: Vec<O::Plan> = events.iter().zip(&outputs).map(|(event, &out)| plan(event, out)).collect();
    let mut inputs = Vec::with_capacity(plans.len());
    let mut blocks: Vec<&mut [KoalaBear]> = Vec::with_capacity(plans.len());
    for ((i, plan), block) in plans.iter().enumerate().zip(steps.chunks_exact_mut(O::ROWS * O::STEP.width)) {
        if let Some(input) = O::chain(plan, first + i) {
            inputs.push(input);
            blocks.push(block);
        }
    }
    let mut ends = vec![ChainEnd::default(); plans.len()];
    let mut scratch = Scratch::default();
    for (second, start) in [false, true].into_iter().zip(params::OFFSETS) {
        let mut failed = Vec::new();
        chain::run(&O::STEP, &inputs, start, &mut blocks, &mut scratch, |i, end| match end {
            Some(end) => ends[inputs[i].id - first] = ChainEnd::new(second, end, inputs[i].n),
            None => failed.push(i),
        });
        if failed.is_empty() {
            inputs.clear();
            break;
        }
        let again = |i: &usize| failed.binary_search(i).is_ok();
        inputs = inputs.iter().enumerate().filter(|(i, _)| again(i)).map(|(_, input)| *input).collect();
        blocks = blocks.into_iter().enumerate().filter(|(i, _)| again(i)).map(|(_, block)| block).collect();
    }
    if let Some(stuck) = inputs.first() {
        return Err(stuck.id);
    }
    for (i, ((plan, end), cells)) in
        plans.iter().zip(&ends).zip(control.chunks_exact_mut(O::CONTROL.width)).enumerate()
    {
        O::write(plan, first + i, end, cells);
    }
    tracing::trace!(target: "septic_trace::progress", events = events.len());
    Ok(outputs)
}

/// Witnesses of an event at most: two a step and two in the control row.
const MAX_WITNESSES: usize = 2 * STEPS + 2;

/// Values to be inverted and where the inverses go.
struct Witnesses {
    len: usize,
    values: [KoalaBear; MAX_WITNESSES],
    places: [usize; MAX_WITNESSES],
}

impl Witnesses {
    fn push(&mut self, place: usize, value: KoalaBear) {
        self.places[self.len] = place;
        self.values[self.len] = value;
        self.len += 1;
    }

    /// Replaces the values by their inverses, if none is 0.
    fn invert(&mut self) -> bool {
        let values = &mut self.values[..self.len];
        let mut products = [KoalaBear::ONE; MAX_WITNESSES];
        let mut product = KoalaBear::ONE;
        for (value, before) in values.iter().zip(&mut products) {
            *before = product;
            product *= *value;
        }
        let Some(mut inverse) = product.try_inverse() else { return false };
        for (value, before) in values.iter_mut().zip(products).rev() {
            let old = *value;
            *value = inverse * before;
            inverse *= old;
        }
        true
    }
}

fn element(cells: &[KoalaBear], at: usize) -> Fp7 {
    Fp7::from_fn(|i| cells[at + i])
}

/// Writes the witnesses of one event for the evaluation point `t`; `false` if `t` does not fit.
fn fill_witnesses(
    control: &ControlLayout,
    step: &StepLayout,
    t: KoalaBear,
    row: &mut [KoalaBear],
    block: &mut [KoalaBear],
) -> bool {
    if control.idle.iter().any(|&flag| row[flag] == KoalaBear::ONE) {
        return true;
    }
    let mut all = Witnesses { len: 0, values: [KoalaBear::ZERO; MAX_WITNESSES], places: [0; MAX_WITNESSES] };
    let sums = params::GENERATOR_SUMS;
    for (number, row) in block.chunks_exact(step.width).enumerate() {
        let at = |column: usize| number * step.width + column;
        // x of N, M, acc: see `layout::HEAD`.
        let [x_n, x_m, mut x] = [3, 17, 31].map(|at| element(row, at));
        for a in 0..step.steps {
            let x_t = if row[step.swap + a] == KoalaBear::ONE { x_m } else { x_n };
            all.push(at(step.witness + a), evaluate(&(x_t - x), &t));
            if let Some(generator) = &step.generator {
                let [lambda_1, lambda_2] =
                    [step.lambda_1, step.lambda_2].map(|at| element(row, at + DEGREE * a));
                let x_2 = lambda_2.dot_square() - lambda_1.dot_square() + x_t;
                let swapped = row[generator.swap_g + a] == KoalaBear::ONE;
                let difference = x_2 - sums[usize::from(swapped)].x();
                all.push(at(generator.witness_g + a), evaluate(&difference, &t));
            }
            x = element(row, step.x_out + DEGREE * a);
        }
    }
    let in_block = all.len;
    let h = (0..U_BYTES)
        .rev()
        .fold(KoalaBear::ZERO, |sum, i| sum * t + row[control.u + i] - KoalaBear::from_u32(SHIFT_BYTES[i]));
    all.push(control.witness, h);
    if let Some(multiple) = &control.multiple
        && row[multiple.r_identity] == KoalaBear::ZERO
    {
        let k = (0..4).find(|k| row[multiple.multiple + k] == KoalaBear::ONE).unwrap_or(0);
        let difference = params::GENERATOR_MULTIPLES[k].x() - element(row, multiple.x_r);
        all.push(multiple.witness, evaluate(&difference, &t));
    }
    if !all.invert() {
        return false;
    }
    for i in 0..all.len {
        let cells = if i < in_block { &mut *block } else { &mut *row };
        cells[all.places[i]] = all.values[i];
    }
    true
}

/// See [`HalfOperation::range_counts`].
fn range_counts(layout: &ControlLayout, control: &RowMajorMatrix<KoalaBear>) -> RangeCounts {
    let mut counts = RangeCounts { pairs: vec![0; 1 << 16] };
    let byte = |x: KoalaBear| usize::from(u8::try_from(x.as_canonical_u32()).expect("a byte is looked up"));
    for row in control.values.chunks_exact(layout.width).filter(|row| row[0] == KoalaBear::ONE) {
        let quotients = layout.products.iter().flat_map(|&[quotient, ..]| &row[quotient..][..QUOTIENT_BYTES]);
        let mut quotients = quotients.map(|&x| byte(x));
        while let Some(low) = quotients.next() {
            counts.pairs[low + 256 * quotients.next().unwrap_or(0)] += 1;
        }
        for &[_, low, high] in layout.products {
            for (&low, &high) in row[low..][..CARRIES].iter().zip(&row[high..][..CARRIES]) {
                counts.pairs[byte(low) + 256 * byte(high)] += 1;
            }
        }
    }
    counts
}

/// 32 columns of `height` cells: the bytes of one scalar a row.
fn byte_columns(scalars: impl Iterator<Item = Scalar256>, height: usize) -> Vec<Vec<KoalaBear>> {
    let mut columns = vec![vec![KoalaBear::ZERO; height]; 32];
    for (row, scalar) in scalars.enumerate() {
        for (column, byte) in columns.iter_mut().zip(integers::scalar_bytes(&scalar)) {
            column[row] = KoalaBear::from_u8(byte);
        }
    }
    columns
}

/// The point on the rows of an input, and the scalar they run with: 0·G for s·𝒪.
fn shown(point: Point, scalar: Scalar256) -> (AffinePoint, Scalar256) {
    match point {
        Point::Identity => (crate::instance::IDENTITY_BASE, Scalar256::ZERO),
        Point::Affine(point) => (point, scalar),
    }
}

/// Feeds a point and scalars to a hash.
fn hash_event(hash: &mut Sha256, point: Point, scalars: &[Scalar256]) {
    let (x, y) = point.to_canonical().unwrap_or_default();
    x.into_iter().chain(y).for_each(|c| hash.update(c.to_le_bytes()));
    for scalar in scalars {
        scalar.to_le_limbs().into_iter().for_each(|c| hash.update(c.to_le_bytes()));
    }
}

/// Bytes as cells.
fn cells<const N: usize>(bytes: [u8; N]) -> [KoalaBear; N] {
    bytes.map(KoalaBear::from_u8)
}

/// `L` limbs of `112/L` bits each, low first.
fn limbs<const L: usize>(x: u128) -> [KoalaBear; L] {
    let bits = STEPS / L;
    core::array::from_fn(|i| {
        let limb = x >> (bits * i) & ((1 << bits) - 1);
        KoalaBear::from_u32(u32::try_from(limb).unwrap_or_default())
    })
}
