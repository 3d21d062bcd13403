//! Traces of the double-and-add ladder: SCALAR_MUL and VERIFY.
//!
//! Events of a chunk go through their 256 rows in lockstep, so that each row costs one inversion for the whole chunk
//! (two in VERIFY). Slopes come from a combined formula: with λ₁ = n/d and E = (2x + x_t)d² − n², the x-difference of
//! acc and acc + T is E/d², so 1/(d·E) gives both slopes.

use alloc::vec;
use alloc::vec::Vec;

use p3_field::{Field, PrimeCharacteristicRing};
use p3_maybe_rayon::prelude::*;
use septic_chips::columns::{ColumnSet, Field as Column, column};
use septic_chips::ladder::{CORRECTION_ROW, DIGITS, OUTPUT_ROW, ROWS, limb_on_row};
use septic_chips::relations::evaluate;
use septic_chips::scalar_mul::ScalarMulCols;
use septic_chips::verify::VerifyCols;
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Septic, batch_inverse_with_scratch, params};
use sha2::{Digest, Sha256};

use crate::digits::Digits;
use crate::instance::{IDENTITY_BASE, IDENTITY_OUTPUT, LadderInstance, write_limbs};

/// Events that go in lockstep, and the grain of parallel work.
pub(crate) const CHUNK: usize = 64;

/// How many evaluation points of the non-zero test are tried. Each row rules out at most six of 2^31, and the points
/// come from a hash of all events: that this many fail has probability below 2^-100 for every height and any effort
/// to choose events.
pub(crate) const MAX_EVALUATION_POINTS: u32 = 64;

const VERIFY_FIELDS: &[Column] = <VerifyCols<u32> as ColumnSet<u32>>::FIELDS;
const WITNESS: usize = column(VERIFY_FIELDS, "witness");

/// VERIFY's columns begin with SCALAR_MUL's: one writer serves both.
const LADDER_WIDTH: usize = {
    let ladder = <ScalarMulCols<u32> as ColumnSet<u32>>::FIELDS;
    let mut i = 0;
    while i < ladder.len() {
        assert!(ladder[i].offset == VERIFY_FIELDS[i].offset && ladder[i].width == VERIFY_FIELDS[i].width);
        i += 1;
    }
    <ScalarMulCols<u32> as ColumnSet<u32>>::WIDTH
};

/// What one event asks of the ladder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The scalar of the base: limbs on limb rows.
    scalar: Scalar,
    /// The generator's scalar, in VERIFY.
    scalar_g: Option<Scalar>,
    base: AffinePoint,
    identity: bool,
}

#[derive(Clone, Copy, Debug)]
struct Scalar {
    value: septic_curve::Scalar256,
    digits: Digits,
}

impl Plan {
    /// s·P, and s_g·G besides in VERIFY.
    pub(crate) fn new(
        base: Point,
        scalar: septic_curve::Scalar256,
        scalar_g: Option<septic_curve::Scalar256>,
    ) -> Self {
        // An identity base runs as another point with a multiple of r.
        let effective = if base.is_identity() { septic_curve::Scalar256::ZERO } else { scalar };
        Self {
            scalar: Scalar { value: scalar, digits: Digits::signed(&effective) },
            scalar_g: scalar_g.map(|value| Scalar { value, digits: Digits::unsigned(&value) }),
            base: base.to_affine().unwrap_or(IDENTITY_BASE),
            identity: base.is_identity(),
        }
    }
}

/// The offsets of a chip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    index: u8,
    start: AffinePoint,
    pub(crate) correction: AffinePoint,
}

impl Offset {
    /// Offset j of a chip with these corrections.
    pub(crate) fn new(second: bool, corrections: &[AffinePoint; 2]) -> Self {
        let j = usize::from(second);
        Self { index: u8::from(second), start: params::OFFSETS[j], correction: corrections[j] }
    }
}

/// The instance of an event's block.
pub(crate) fn instance(plan: &Plan, out: Point, correction: AffinePoint) -> LadderInstance {
    LadderInstance {
        base: if plan.identity { Point::Identity } else { plan.base.into() },
        out,
        scalar: plan.scalar.value,
        scalar_g: plan.scalar_g.map(|s| s.value),
        correction,
    }
}

/// A finished ladder: results and the events that needed the second offset.
#[derive(Debug, Default)]
pub(crate) struct Filled {
    pub(crate) outputs: Vec<Point>,
    pub(crate) second_offsets: Vec<usize>,
    /// Indices of events that collide with both offsets.
    pub(crate) stuck: Vec<usize>,
}

/// Fills the blocks of `plans` in `cells`, one block of 256 rows a plan. Rows have `width` columns, the chip's first.
pub(crate) fn fill(
    plans: &[Plan],
    corrections: &[AffinePoint; 2],
    width: usize,
    t: KoalaBear,
    cells: &mut [KoalaBear],
) -> Filled {
    let chunks: Vec<Filled> = cells
        .par_chunks_mut(CHUNK * ROWS * width)
        .zip(plans.par_chunks(CHUNK))
        .map(|(cells, plans)| fill_chunk(plans, corrections, width, t, cells))
        .collect();
    let mut all = Filled::default();
    for (k, chunk) in chunks.into_iter().enumerate() {
        all.outputs.extend(chunk.outputs);
        all.second_offsets.extend(chunk.second_offsets.into_iter().map(|i| i + k * CHUNK));
        all.stuck.extend(chunk.stuck.into_iter().map(|i| i + k * CHUNK));
    }
    all
}

/// Fills one chunk: all events from the first offset, those that collide again from the second.
fn fill_chunk(
    plans: &[Plan],
    corrections: &[AffinePoint; 2],
    width: usize,
    t: KoalaBear,
    cells: &mut [KoalaBear],
) -> Filled {
    let mut blocks: Vec<&mut [KoalaBear]> = cells.chunks_exact_mut(ROWS * width).collect();
    let first = Offset::new(false, corrections);
    let mut outputs = Vec::new();
    let mut again = Vec::new();
    for (i, out) in Lockstep::run(plans, first, width, t, &mut blocks).into_iter().enumerate() {
        outputs.push(out.unwrap_or_default());
        if out.is_none() {
            again.push(i);
        }
    }
    let second = Offset::new(true, corrections);
    let plans_again: Vec<Plan> = again.iter().map(|&i| plans[i]).collect();
    let mut blocks_again: Vec<&mut [KoalaBear]> = blocks
        .into_iter()
        .enumerate()
        .filter_map(|(i, block)| again.binary_search(&i).is_ok().then_some(block))
        .collect();
    let mut stuck = Vec::new();
    for (&i, out) in again.iter().zip(Lockstep::run(&plans_again, second, width, t, &mut blocks_again)) {
        match out {
            Some(out) => outputs[i] = out,
            None => stuck.push(i),
        }
    }
    tracing::trace!(target: "septic_trace::progress", events = plans.len());
    Filled { outputs, second_offsets: again, stuck }
}

/// One event on its way through the rows.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// The accumulator at the start of the row.
    x: Fp7,
    y: Fp7,
    /// An exceptional case was met: the lane's cells mean nothing.
    failed: bool,
    horner: u32,
    horner_g: u32,
    /// The result, known on row 255.
    out: Point,
    // Of the current row:
    t: AffinePoint,
    digit: bool,
    digit_g: bool,
    /// Numerator and denominator of λ₁, and E.
    numerator: Fp7,
    denominator: Fp7,
    gap: Fp7,
    lambda_1: Fp7,
    lambda_2: Fp7,
    /// 2·acc ± T.
    x_2: Fp7,
    y_2: Fp7,
}

/// A chunk of events in lockstep.
struct Lockstep<'a> {
    plans: &'a [Plan],
    offset: Offset,
    width: usize,
    evaluation_point: KoalaBear,
    lanes: Vec<Lane>,
    /// What is inverted on a row, one value a lane.
    inverses: Vec<Fp7>,
    scratch: Vec<Fp7>,
}

impl<'a> Lockstep<'a> {
    /// Fills one block a plan; returns each result, `None` where this offset does not work.
    fn run(
        plans: &'a [Plan],
        offset: Offset,
        width: usize,
        evaluation_point: KoalaBear,
        blocks: &mut [&mut [KoalaBear]],
    ) -> Vec<Option<Point>> {
        let start = Lane {
            x: offset.start.x(),
            y: offset.start.y(),
            failed: false,
            horner: 0,
            horner_g: 0,
            out: Point::Identity,
            t: offset.start,
            digit: false,
            digit_g: false,
            numerator: Fp7::ZERO,
            denominator: Fp7::ZERO,
            gap: Fp7::ZERO,
            lambda_1: Fp7::ZERO,
            lambda_2: Fp7::ZERO,
            x_2: Fp7::ZERO,
            y_2: Fp7::ZERO,
        };
        let mut this = Self {
            plans,
            offset,
            width,
            evaluation_point,
            lanes: vec![start; plans.len()],
            inverses: Vec::with_capacity(plans.len()),
            scratch: Vec::with_capacity(plans.len()),
        };
        // All events of a chunk are of one operation.
        let with_generator = plans.iter().any(|plan| plan.scalar_g.is_some());
        for row in 0..ROWS {
            this.choose(row);
            this.double_add();
            for (block, (lane, plan)) in blocks.iter_mut().zip(this.lanes.iter_mut().zip(plans)) {
                write_ladder(lane, plan, &offset, row, &mut block[row * width..][..LADDER_WIDTH]);
            }
            if with_generator {
                this.add_generator(row, blocks);
            } else {
                this.advance(row);
            }
        }
        for (block, (lane, plan)) in blocks.iter_mut().zip(this.lanes.iter().zip(plans)) {
            const LIMB: usize = column(VERIFY_FIELDS, "limb");
            let instance = instance(plan, lane.out, offset.correction);
            write_limbs(&instance, |row, value| block[row * width + LIMB] = value);
        }
        this.lanes.iter().map(|lane| (!lane.failed).then_some(lane.out)).collect()
    }

    /// Sets T, the digits and the digit accumulators of row `row`.
    fn choose(&mut self, row: usize) {
        let grows = row > 0 && row < DIGITS && limb_on_row(row - 1).is_none();
        for (lane, plan) in self.lanes.iter_mut().zip(self.plans) {
            match row {
                CORRECTION_ROW => {
                    let c = self.offset.correction;
                    lane.t = c;
                    lane.digit = lane.x == c.x() && lane.y == c.y();
                    lane.digit_g = false;
                }
                OUTPUT_ROW => {
                    // `digit` is still row 254's: the result is the identity.
                    let acc = AffinePoint::new_unchecked(lane.x, lane.y);
                    lane.out = if lane.digit { Point::Identity } else { acc.into() };
                    lane.t = if lane.digit { IDENTITY_OUTPUT } else { acc };
                    lane.digit = !lane.digit;
                    // `add_generator` takes the other sign where x₂ = x_H, on row 254 too.
                    lane.digit_g = false;
                }
                _ => {
                    lane.t = plan.base;
                    lane.digit = plan.scalar.digits.on_row(row);
                    lane.digit_g = plan.scalar_g.is_some_and(|s| s.digits.on_row(row));
                }
            }
            lane.horner = if grows { 2 * lane.horner } else { 0 } + u32::from(lane.digit);
            lane.horner_g = if grows { 2 * lane.horner_g } else { 0 } + u32::from(lane.digit_g);
        }
    }

    /// acc ↦ 2·acc ± T in every lane, with one inversion.
    fn double_add(&mut self) {
        self.inverses.clear();
        for lane in &mut self.lanes {
            let (x_t, y_t) = (lane.t.x(), if lane.digit { lane.t.y() } else { -lane.t.y() });
            lane.denominator = x_t - lane.x;
            lane.numerator = y_t - lane.y;
            if lane.denominator.is_zero() && lane.numerator.is_zero() {
                // acc = ±T: the tangent. For acc = ∓T the denominator stays 0 and the lane fails.
                lane.denominator = lane.y.doubled();
                lane.numerator =
                    lane.x.dot_square().tripled() + Fp7::from_base(KoalaBear::new(params::CURVE_A));
            }
            let squared = lane.denominator.dot_square();
            lane.gap = (lane.x.doubled() + x_t).dot_mul(&squared) - lane.numerator.dot_square();
            let product = lane.denominator.dot_mul(&lane.gap);
            lane.failed |= product.is_zero();
            self.inverses.push(product);
        }
        batch_inverse_with_scratch(&mut self.inverses, &mut self.scratch);
        for (lane, inverse) in self.lanes.iter_mut().zip(&self.inverses) {
            let squared = lane.denominator.dot_square();
            lane.lambda_1 = lane.numerator.dot_mul(&lane.gap.dot_mul(inverse));
            // 2y/(x − x₁) = 2y·d²/E = 2y·d³/(d·E)
            let inverse_gap = squared.dot_mul(&lane.denominator.dot_mul(inverse));
            lane.lambda_2 = lane.y.doubled().dot_mul(&inverse_gap) - lane.lambda_1;
            lane.x_2 = lane.lambda_2.dot_square() - lane.lambda_1.dot_square() + lane.t.x();
            lane.y_2 = lane.lambda_2.dot_mul(&(lane.x - lane.x_2)) - lane.y;
        }
    }

    /// SCALAR_MUL: the accumulator of the next row.
    fn advance(&mut self, row: usize) {
        for lane in &mut self.lanes {
            if row < DIGITS {
                (lane.x, lane.y) = (lane.x_2, lane.y_2);
            } else {
                lane.correct();
            }
        }
    }

    /// VERIFY: adds ±H in every lane with one inversion, writes its columns, and the accumulator of the next row.
    fn add_generator(&mut self, row: usize, blocks: &mut [&mut [KoalaBear]]) {
        let (x_h, y_h) = (params::HALF_GENERATOR.x(), params::HALF_GENERATOR.y());
        self.inverses.clear();
        self.inverses.extend(self.lanes.iter().map(|lane| lane.x_2 - x_h));
        batch_inverse_with_scratch(&mut self.inverses, &mut self.scratch);
        for (block, ((lane, plan), inverse)) in
            blocks.iter_mut().zip(self.lanes.iter_mut().zip(self.plans).zip(&self.inverses))
        {
            let difference = lane.x_2 - x_h;
            if difference.is_zero() {
                if row < DIGITS {
                    lane.failed = true;
                } else if lane.y_2 == y_h {
                    // 2·acc ± T = H: the line is satisfied for the sign that makes both sides 0.
                    lane.horner_g += 1;
                    lane.digit_g = true;
                }
            }
            let y_f = if lane.digit_g { y_h } else { -y_h };
            let lambda_3 = (lane.y_2 - y_f).dot_mul(inverse);
            let witness =
                if row < DIGITS { evaluate(&difference, &self.evaluation_point) } else { KoalaBear::ZERO };
            write_generator(lane, plan, lambda_3, witness, row, &mut block[row * self.width..][..self.width]);
            if row < DIGITS {
                let x_3 = lambda_3.dot_square() - lane.x_2 - x_h;
                lane.y = -y_f - lambda_3.dot_mul(&(x_3 - x_h));
                lane.x = x_3;
            } else {
                lane.correct();
            }
        }
    }
}

impl Lane {
    /// acc ↦ acc ± T with slope λ₁: the transition of row 254.
    fn correct(&mut self) {
        let x_1 = self.lambda_1.dot_square() - self.x - self.t.x();
        self.y = self.lambda_1.dot_mul(&(self.x - x_1)) - self.y;
        self.x = x_1;
    }
}

/// A carry or count as its ternary and its high digit.
fn split(x: u8) -> (KoalaBear, KoalaBear) {
    (KoalaBear::from_u8(x % 3), KoalaBear::from_u8(x / 3))
}

/// Writes the ladder's columns of a row, but for limbs.
fn write_ladder(lane: &Lane, plan: &Plan, offset: &Offset, row: usize, cells: &mut [KoalaBear]) {
    let (carry_0, carry_1) = split(plan.scalar.digits.carry_on_row(row));
    let identity = match row {
        CORRECTION_ROW => false,
        OUTPUT_ROW => lane.out.is_identity(),
        _ => plan.identity,
    };
    ScalarMulCols {
        x: lane.x,
        lambda_1: lane.lambda_1,
        lambda_2: lane.lambda_2,
        x_t: lane.t.x(),
        y_t: lane.t.y(),
        digit: KoalaBear::from_bool(lane.digit),
        horner: KoalaBear::from_u32(lane.horner),
        limb: KoalaBear::ZERO,
        carry_0,
        carry_1,
        parity: KoalaBear::from_u8(plan.scalar.digits.parity),
        wraps: KoalaBear::from_u8(plan.scalar.digits.wraps),
        offset: KoalaBear::from_u8(offset.index),
        identity: KoalaBear::from_bool(identity),
    }
    .write_to(cells);
}

/// Writes the columns that VERIFY adds to the ladder's. The witness cell gets the value to be inverted.
fn write_generator(
    lane: &Lane,
    plan: &Plan,
    lambda_3: Fp7,
    witness: KoalaBear,
    row: usize,
    cells: &mut [KoalaBear],
) {
    let digits = plan.scalar_g.map(|s| s.digits);
    let (wraps_0, wraps_1) = split(digits.map_or(0, |d| d.wraps));
    let (carry_0, carry_1) = split(digits.map_or(0, |d| d.carry_on_row(row)));
    let rest = [
        witness,
        KoalaBear::from_bool(lane.digit_g),
        KoalaBear::from_u32(lane.horner_g),
        wraps_0,
        wraps_1,
        carry_0,
        carry_1,
    ];
    const { assert!(column(VERIFY_FIELDS, "lambda_3") == LADDER_WIDTH && WITNESS == LADDER_WIDTH + 7) };
    cells[LADDER_WIDTH..WITNESS].copy_from_slice(&lambda_3.0);
    cells[WITNESS..][..rest.len()].copy_from_slice(&rest);
}

/// The evaluation points of the non-zero test that a list of events tries, in order.
#[derive(Clone, Debug)]
pub(crate) struct EvaluationPoints {
    /// Hash of all events.
    seed: [u8; 32],
}

impl EvaluationPoints {
    /// The points of a list of events. They depend on all of them, so that no event can be made to fit a point.
    pub(crate) fn new(plans: &[Plan]) -> Self {
        let mut hash = Sha256::new();
        for plan in plans {
            let (x, y) = plan.base.to_canonical();
            x.into_iter().chain(y).for_each(|c| hash.update(c.to_le_bytes()));
            hash.update([u8::from(plan.identity)]);
            for scalar in [Some(plan.scalar), plan.scalar_g].into_iter().flatten() {
                scalar.value.to_le_limbs().into_iter().for_each(|c| hash.update(c.to_le_bytes()));
            }
        }
        Self { seed: hash.finalize().into() }
    }

    /// The points of a list of events with this hash.
    pub(crate) const fn from_seed(seed: [u8; 32]) -> Self {
        Self { seed }
    }

    /// The point tried as number `index`.
    pub(crate) fn get(&self, index: u32) -> KoalaBear {
        let hash: [u8; 32] =
            Sha256::new().chain_update(self.seed).chain_update(index.to_le_bytes()).finalize().into();
        let [a, b, c, d, ..] = hash;
        KoalaBear::from_u32(u32::from_le_bytes([a, b, c, d]))
    }
}

/// Turns the values in the witness column into their inverses, with an evaluation point for which none is 0.
///
/// `cells` hold whole blocks of VERIFY rows filled with the first of `points`. Returns the point that fits, `None` if
/// none of many fits.
pub(crate) fn finish_witnesses(
    points: &EvaluationPoints,
    width: usize,
    cells: &mut [KoalaBear],
) -> Option<KoalaBear> {
    for index in 0..MAX_EVALUATION_POINTS {
        let t = points.get(index);
        if index > 0 {
            cells.par_chunks_exact_mut(ROWS * width).for_each(|block| evaluate_witnesses(t, width, block));
        }
        let fits = cells
            .par_chunks_exact(ROWS * width)
            .all(|block| block.chunks_exact(width).take(DIGITS).all(|row| row[WITNESS] != KoalaBear::ZERO));
        if fits {
            cells.par_chunks_exact_mut(ROWS * width).for_each(|block| invert_witnesses(width, block));
            return Some(t);
        }
    }
    None
}

/// Replaces the witness cells of the digit rows of a block by their inverses.
fn invert_witnesses(width: usize, block: &mut [KoalaBear]) {
    let mut products = [KoalaBear::ONE; DIGITS];
    let mut product = KoalaBear::ONE;
    for (row, prefix) in block.chunks_exact(width).zip(&mut products) {
        *prefix = product;
        product *= row[WITNESS];
    }
    let mut inverse = product.inverse();
    for (row, prefix) in block.chunks_exact_mut(width).zip(products).take(DIGITS).rev() {
        let value = row[WITNESS];
        row[WITNESS] = inverse * prefix;
        inverse *= value;
    }
}

/// Writes f(x₂ − x_H) for evaluation point `t` into the witness cells of the digit rows of a block.
fn evaluate_witnesses(t: KoalaBear, width: usize, block: &mut [KoalaBear]) {
    for row in block.chunks_exact_mut(width).take(DIGITS) {
        let cols = VerifyCols::from_fn(|i| row[i]);
        let x_2 = cols.lambda_2.dot_square() - cols.lambda_1.dot_square() + cols.x_t;
        let difference: Septic<KoalaBear> = x_2 - params::HALF_GENERATOR.x();
        row[WITNESS] = evaluate(&difference, &t);
    }
}

#[cfg(test)]
mod tests {
    use septic_chips::{Chip, VerifyChip};
    use septic_curve::Scalar256;

    use super::*;

    const WIDTH: usize = <VerifyChip as Chip>::WIDTH;

    fn block(t: KoalaBear) -> Vec<KoalaBear> {
        let plan = Plan::new(Point::GENERATOR, Scalar256::from(5u64), Some(Scalar256::from(9u64)));
        let mut cells = vec![KoalaBear::ZERO; ROWS * WIDTH];
        let filled = fill(&[plan], &params::VERIFY_CORRECTIONS, WIDTH, t, &mut cells);
        assert!(filled.second_offsets.is_empty() && filled.stuck.is_empty());
        cells
    }

    /// A witness that is 0 for the first point makes the generator take the next point and evaluate anew.
    #[test]
    fn a_point_that_does_not_fit_is_replaced() {
        let points = EvaluationPoints { seed: [7; 32] };
        let mut expected = block(points.get(1));
        expected.chunks_exact(WIDTH).take(DIGITS).for_each(|row| assert_ne!(row[WITNESS], KoalaBear::ZERO));
        invert_witnesses(WIDTH, &mut expected);

        let mut cells = block(points.get(0));
        cells[100 * WIDTH + WITNESS] = KoalaBear::ZERO;
        assert_eq!(finish_witnesses(&points, WIDTH, &mut cells), Some(points.get(1)));
        assert_eq!(cells, expected);
    }

    /// Each event moves all points.
    #[test]
    fn points_depend_on_every_event() {
        let plan = |k: u64| Plan::new(Point::GENERATOR, Scalar256::from(k), Some(Scalar256::from(k + 1)));
        let points =
            |ks: &[u64]| EvaluationPoints::new(&ks.iter().map(|&k| plan(k)).collect::<Vec<_>>()).get(0);
        let base = points(&[1, 2, 3]);
        for other in [points(&[1, 2]), points(&[1, 2, 4]), points(&[0, 2, 3]), points(&[2, 1, 3])] {
            assert_ne!(base, other);
        }
    }
}
