//! Chains of doubling steps in lockstep, so that a step costs one inversion for a whole chunk (two in VERIFY).

use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use septic_chips::half::STEPS;
use septic_curve::{AffinePoint, DEGREE, Fp7, KoalaBear, batch_inverse_with_scratch, params};

use super::layout::StepLayout;

/// What a chain is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainInput {
    /// The operation's number.
    pub(crate) id: usize,
    pub(crate) n: AffinePoint,
    pub(crate) m: AffinePoint,
    /// U and W.
    pub(crate) u: u128,
    pub(crate) w: u128,
    /// Low and high 112 bits of g, in VERIFY.
    pub(crate) g: [u128; 2],
}

/// One chain on its way through the steps.
#[derive(Clone, Copy, Debug)]
struct Lane {
    x: Fp7,
    y: Fp7,
    /// An exceptional case was met: the lane's cells mean nothing.
    failed: bool,
    // Of the current step:
    x_t: Fp7,
    numerator: Fp7,
    denominator: Fp7,
    gap: Fp7,
    /// What VERIFY adds.
    x_f: Fp7,
    y_f: Fp7,
    y_2: Fp7,
}

/// Buffers of [`run`], to be reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    lanes: Vec<Lane>,
    inverses: Vec<Fp7>,
    inversion: Vec<Fp7>,
}

/// Bit `step` of a number of 112 bits, most significant first.
fn bit(x: u128, step: usize) -> bool {
    x >> (STEPS - 1 - step) & 1 == 1
}

/// The number of the `steps` bits that end with bit `step`, most significant first.
fn limb(x: u128, steps: usize, step: usize) -> KoalaBear {
    let limb = x >> (STEPS - 1 - step) & ((1 << steps) - 1);
    KoalaBear::from_u32(u32::try_from(limb).unwrap_or_default())
}

/// Runs a chain for each input from `start` and writes its rows into its block, all cells but the witnesses.
///
/// Calls `done` with the index and the end of each chain; `None` where this start does not work.
pub(crate) fn run(
    layout: &StepLayout,
    inputs: &[ChainInput],
    start: AffinePoint,
    blocks: &mut [&mut [KoalaBear]],
    scratch: &mut Scratch,
    mut done: impl FnMut(usize, Option<AffinePoint>),
) {
    let Scratch { lanes, inverses, inversion } = scratch;
    let zero = Fp7::ZERO;
    let lane = Lane {
        x: start.x(),
        y: start.y(),
        failed: false,
        x_t: zero,
        numerator: zero,
        denominator: zero,
        gap: zero,
        x_f: zero,
        y_f: zero,
        y_2: zero,
    };
    lanes.clear();
    lanes.resize(inputs.len(), lane);
    let sums = params::GENERATOR_SUMS;
    for step in 0..STEPS {
        let (row, a) = (step / layout.steps, step % layout.steps);
        inverses.clear();
        for (lane, input) in lanes.iter_mut().zip(inputs) {
            let sign = bit(input.u, step);
            let t = if sign == bit(input.w, step) { input.n } else { input.m };
            let y_t = if sign { t.y() } else { -t.y() };
            lane.x_t = t.x();
            lane.denominator = t.x() - lane.x;
            lane.numerator = y_t - lane.y;
            // x − x₁ is gap/denominator².
            lane.gap = (lane.x.doubled() + t.x()).dot_mul(&lane.denominator.dot_square())
                - lane.numerator.dot_square();
            let product = lane.denominator.dot_mul(&lane.gap);
            lane.failed |= product.is_zero();
            inverses.push(product);
        }
        batch_inverse_with_scratch(inverses, inversion);
        for (((lane, input), block), inverse) in
            lanes.iter_mut().zip(inputs).zip(blocks.iter_mut()).zip(inverses.iter_mut())
        {
            let cells = &mut block[row * layout.width..][..layout.width];
            if a == 0 {
                write_head(cells, input, row, lane);
            }
            let lambda_1 = lane.numerator.dot_mul(&lane.gap.dot_mul(inverse));
            let cube = lane.denominator.dot_square().dot_mul(&lane.denominator);
            let lambda_2 = lane.y.doubled().dot_mul(&cube.dot_mul(inverse)) - lambda_1;
            let x_2 = lambda_2.dot_square() - lambda_1.dot_square() + lane.x_t;
            lane.y_2 = lambda_2.dot_mul(&(lane.x - x_2)) - lane.y;
            lane.x = x_2;
            put(cells, layout.lambda_1 + DEGREE * a, &lambda_1);
            put(cells, layout.lambda_2 + DEGREE * a, &lambda_2);
            let (sign, other) = (bit(input.u, step), bit(input.w, step));
            cells[layout.sign + a] = KoalaBear::from_bool(sign);
            cells[layout.swap + a] = KoalaBear::from_bool(sign != other);
            if a == layout.steps - 1 {
                cells[layout.w] = limb(input.w, layout.steps, step);
            }
            if let Some(generator) = &layout.generator {
                let [g_low, g_high] = input.g.map(|g| bit(g, step));
                let f = sums[usize::from(g_low != g_high)];
                lane.x_f = f.x();
                lane.y_f = if g_low { f.y() } else { -f.y() };
                *inverse = x_2 - lane.x_f;
                lane.failed |= inverse.is_zero();
                cells[generator.sign_g + a] = KoalaBear::from_bool(g_low);
                cells[generator.swap_g + a] = KoalaBear::from_bool(g_low != g_high);
                if a == layout.steps - 1 {
                    cells[generator.g_high] = limb(input.g[1], layout.steps, step);
                }
            } else {
                lane.y = lane.y_2;
            }
        }
        if let Some(generator) = &layout.generator {
            batch_inverse_with_scratch(inverses, inversion);
            for ((lane, block), inverse) in lanes.iter_mut().zip(blocks.iter_mut()).zip(&*inverses) {
                let cells = &mut block[row * layout.width..][..layout.width];
                let lambda_3 = (lane.y_2 - lane.y_f).dot_mul(inverse);
                let x_3 = lambda_3.dot_square() - lane.x - lane.x_f;
                lane.y = -lane.y_f - lambda_3.dot_mul(&(x_3 - lane.x_f));
                lane.x = x_3;
                put(cells, generator.lambda_3 + DEGREE * a, &lambda_3);
            }
        }
        for (lane, block) in lanes.iter().zip(blocks.iter_mut()) {
            let cells = &mut block[row * layout.width..][..layout.width];
            put(cells, layout.x_out + DEGREE * a, &lane.x);
            if a == layout.steps - 1 {
                put(cells, layout.y_out, &lane.y);
            }
        }
    }
    for (i, lane) in lanes.iter().enumerate() {
        done(i, (!lane.failed).then(|| AffinePoint::new_unchecked(lane.x, lane.y)));
    }
}

fn put(cells: &mut [KoalaBear], at: usize, x: &Fp7) {
    cells[at..at + DEGREE].copy_from_slice(&x.0);
}

/// A number of an operation or a row as a cell.
pub(crate) fn count(n: usize) -> KoalaBear {
    KoalaBear::from_u32(u32::try_from(n).unwrap_or(u32::MAX))
}

fn write_head(cells: &mut [KoalaBear], input: &ChainInput, row: usize, lane: &Lane) {
    cells[..3].copy_from_slice(&[count(input.id), count(row), KoalaBear::ONE]);
    let points = [input.n.x(), input.n.y(), input.m.x(), input.m.y(), lane.x, lane.y];
    for (i, x) in points.iter().enumerate() {
        put(cells, 3 + DEGREE * i, x);
    }
}
