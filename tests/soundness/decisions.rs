//! Decisions and cells in all combinations where a forger has a choice: the last two rows, the case flags of ADD, and
//! every column on every kind of row.

use std::sync::LazyLock;

use septic_chips::columns::ColumnSet;
use septic_chips::ladder::{CORRECTION_ROW, DIGITS, OUTPUT_ROW};
use septic_chips::params::Septic;
use septic_chips::{ScalarMulChip, VerifyChip};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{KoalaBear, Point, Scalar, Scalar256, params};

use crate::block::{Block, LadderChip, Plan, Row};
use crate::curves::Curve;
use crate::forgeries::RealChip;
use crate::judge::{failures, trace_of};
use crate::rows::{AddPlan, add_statement_holds, cells};
use crate::support::{Coordinates, Random, affine, element, multiple, scalar, times};

/// What was tried: how many traces, and how many of them passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) traces: usize,
    pub(crate) accepted: usize,
}

impl Tried {
    fn count(&mut self, accepted: bool) {
        self.traces += 1;
        self.accepted += usize::from(accepted);
    }
}

/// A base for which the result is `target`.
fn base_for<C: LadderChip>(target: Point, e: &Scalar256, s: &Scalar256) -> Coordinates {
    let inverse = Scalar::from(*e).invert().unwrap();
    let generator_part = if C::WITH_GENERATOR { Point::GENERATOR.mul_vartime(s) } else { Point::Identity };
    affine(times(inverse, target - generator_part)).into()
}

/// Plans whose results are finite, 𝒪, and such that acc and C_j are related on row 254.
fn plans<C: LadderChip<Curve = Septic>>(j: usize, random: &mut Random) -> Vec<Plan<C>> {
    let correction = C::corrections()[j];
    let c = Point::from(septic_curve::AffinePoint::new(correction.x, correction.y).unwrap());
    let half = scalar(2).invert().unwrap();
    // acc = C_j + R is then any point, 2C_j, −C_j and C_j/2.
    let targets = [random.point().into(), c, -c.double(), -times(half, c)];
    let mut plans: Vec<Plan<C>> = targets
        .into_iter()
        .map(|target| {
            let (e, s) = (random.scalar(), random.scalar());
            Plan::new(Some(base_for::<C>(target, &e, &s)), &e, &s)
        })
        .collect();
    // R = 𝒪: r·P, and s·G + (−s)·G.
    let order = Scalar256::from(params::ORDER);
    plans.push(if C::WITH_GENERATOR {
        let s = Scalar::from(random.scalar());
        Plan::new(Some(params::GENERATOR.into()), &(-s).into(), &s.into())
    } else {
        Plan::new(Some(random.point().into()), &order, &Scalar256::ZERO)
    });
    plans.into_iter().map(|plan| plan.with_offset(KoalaBear::from_usize(j))).collect()
}

/// Every combination of digits, identity flags, generator's digits and shown points on rows 254 and 255.
fn last_rows<C: RealChip>() -> Tried {
    let mut random = Random::new(1);
    let mut tried = Tried::default();
    let bit = |number: usize, i: usize| KoalaBear::from_usize(number >> i & 1);
    for j in 0..2 {
        for plan in plans::<C>(j, &mut random) {
            let other = random.point();
            let before = tried.accepted;
            for bits in 0..if C::WITH_GENERATOR { 64 } else { 16 } {
                let mut plan = plan.clone();
                for (row, first) in [(CORRECTION_ROW, 0), (OUTPUT_ROW, 1)] {
                    let choice = plan.on(row);
                    choice.digit = Some(bit(bits, first));
                    choice.identity = Some(bit(bits, first + 2));
                    choice.digit_g = C::WITH_GENERATOR.then(|| bit(bits, first + 4));
                }
                let acc = plan.prove().rows[OUTPUT_ROW].x;
                let with_acc = Septic::right_hand_side(acc).try_sqrt().map(|y| Coordinates::new(acc, y));
                let shown = [None, with_acc, with_acc.map(|c| -c), Some(other.into()), Some(plan.base)];
                for base in shown {
                    plan.on(OUTPUT_ROW).base = base;
                    let block = plan.prove();
                    let parameters = vec![block.evaluation_point; C::NUM_PARAMETERS];
                    let accepted = failures::<C>(&block.cells(), &parameters).is_empty();
                    assert!(!accepted || block.statement_holds());
                    tried.count(accepted);
                }
            }
            // The honest combination is among them; acc = C_j/2 needs the other offset.
            assert_eq!(tried.accepted > before, !plan.prove().exceptional);
        }
    }
    tried
}

/// Every combination of flags in {−1, 0, 1, 2} and of results in ADD, for points in every relation to each other.
fn add_flags() -> Tried {
    let mut tried = Tried::default();
    let (p, q) = (multiple(7), multiple(9));
    let points = [Point::Identity, p, -p, q];
    for (p, q) in points.iter().flat_map(|&p| points.iter().map(move |&q| (p, q))) {
        for flags in 0..4_i64.pow(4) {
            let flag = |i: u32| element(flags / 4_i64.pow(i) % 4 - 1);
            let results = [None, Some(p), Some(q), Some(p + q), Some(Point::Identity), Some(multiple(11))];
            for result in results {
                let mut plan = AddPlan::generic(p.into(), q.into());
                (plan.is_real, plan.p_identity) = (flag(0), flag(1));
                (plan.q_identity, plan.opposite) = (flag(2), flag(3));
                let result = result.map(Coordinates::from);
                (plan.x_r, plan.y_r) = (result.map(|r| r.x), result.map(|r| r.y));
                let row = plan.row();
                let accepted = failures::<septic_chips::AddChip>(&cells(&row), &[]).is_empty();
                assert!(!accepted || add_statement_holds(&row), "{plan:?}");
                tried.count(accepted);
            }
        }
    }
    tried
}

/// Rows of every kind: first, inside a limb, limb row, the row after it, last digit row, correction, output.
const KINDS: [usize; 10] = [0, 1, 12, 13, 14, 100, 252, DIGITS - 1, CORRECTION_ROW, OUTPUT_ROW];

/// Cells that no constraint pins: carries where no limb ends.
fn is_free(column: usize, row: usize) -> bool {
    let fields = <Row as ColumnSet<KoalaBear>>::FIELDS;
    let field = fields.iter().find(|field| (field.offset..field.offset + field.width).contains(&column));
    row >= DIGITS && field.unwrap().name.starts_with("carry")
}

/// Changes every column on every kind of row, in the first and in the last event of a full trace.
fn every_column<C: RealChip>() -> Tried {
    let mut random = Random::new(2);
    let blocks: Vec<Block<C>> = (0..2)
        .map(|_| Block::honest(Some(random.point().into()), &random.scalar(), &random.scalar()))
        .collect();
    let event = C::padding().unwrap().event;
    let parameters = vec![KoalaBear::TWO; C::NUM_PARAMETERS];
    let honest: Vec<KoalaBear> = blocks.iter().flat_map(Block::cells).collect();
    let mut trace = trace_of::<C>(honest, &[event; 2], &parameters);
    assert_eq!(trace.violations(), []);
    let height = trace.main.values.len() / C::WIDTH;
    let mut tried = Tried::default();
    for block in 0..blocks.len() {
        for kind in KINDS {
            let row = block * C::ROWS_PER_EVENT + kind;
            for column in 0..C::WIDTH {
                let at = row * C::WIDTH + column;
                let cell = trace.main.values[at];
                let changes = [
                    cell + KoalaBear::ONE,
                    cell - KoalaBear::ONE,
                    KoalaBear::ONE - cell,
                    -cell,
                    random.element(),
                ];
                for changed in changes.into_iter().filter(|&changed| changed != cell) {
                    trace.main.values[at] = changed;
                    // A cell is read by its own row and by the row before.
                    let readers = [(row + height - 1) % height, row];
                    let accepted = trace.violations_on(&readers).is_empty();
                    assert!(!accepted || is_free(column, kind), "column {column}, row {kind}: {changed}");
                    tried.count(accepted);
                }
                trace.main.values[at] = cell;
            }
        }
    }
    tried
}

/// A row replaced by a neighbour, by the same row of the next limb, or by zeros.
fn rows_replaced<C: RealChip>() -> Tried {
    let mut random = Random::new(3);
    let block = Block::<C>::honest(Some(random.point().into()), &random.scalar(), &random.scalar());
    let honest = block.cells();
    let parameters = vec![KoalaBear::TWO; C::NUM_PARAMETERS];
    let mut tried = Tried::default();
    for row in KINDS {
        let zeros = vec![KoalaBear::ZERO; C::WIDTH];
        let neighbours = [(row + 1) % 256, (row + 255) % 256, (row + 16) % 256];
        let replacements = neighbours.map(|other| honest[other * C::WIDTH..][..C::WIDTH].to_vec());
        for replacement in replacements.into_iter().chain([zeros]) {
            let mut forged = honest.clone();
            forged[row * C::WIDTH..][..C::WIDTH].copy_from_slice(&replacement);
            let accepted = failures::<C>(&forged, &parameters).is_empty();
            assert!(!accepted, "row {row}");
            tried.count(accepted);
        }
    }
    tried
}

static LAST_ROWS: LazyLock<[Tried; 2]> =
    LazyLock::new(|| [last_rows::<ScalarMulChip>(), last_rows::<VerifyChip>()]);
static FLAGS: LazyLock<Tried> = LazyLock::new(add_flags);
static COLUMNS: LazyLock<[Tried; 2]> =
    LazyLock::new(|| [every_column::<ScalarMulChip>(), every_column::<VerifyChip>()]);
static ROWS_REPLACED: LazyLock<[Tried; 2]> =
    LazyLock::new(|| [rows_replaced::<ScalarMulChip>(), rows_replaced::<VerifyChip>()]);

/// How many traces were tried, each kind run once in a process.
pub(crate) fn mutations() -> usize {
    let all = LAST_ROWS.iter().chain([&*FLAGS]).chain(&*COLUMNS).chain(&*ROWS_REPLACED);
    all.map(|tried| tried.traces).sum()
}

#[test]
fn last_rows_of_a_block() {
    let [scalar_mul, verify] = *LAST_ROWS;
    assert_eq!(scalar_mul.traces, 2 * 5 * 16 * 5);
    assert_eq!(verify.traces, 2 * 5 * 64 * 5);
    assert!(scalar_mul.accepted >= 2 * 4 && verify.accepted >= 2 * 4);
}

#[test]
fn flags_of_add() {
    assert_eq!(FLAGS.traces, 16 * 256 * 6);
    assert!(FLAGS.accepted >= 16);
}

#[test]
fn columns_on_every_kind_of_row() {
    let [scalar_mul, verify] = *COLUMNS;
    assert!(scalar_mul.traces > 2 * KINDS.len() * 44 * 2);
    assert!(verify.traces > 2 * KINDS.len() * 58 * 2);
}

#[test]
fn replaced_rows() {
    let replaced = 4 * KINDS.len();
    assert_eq!(*ROWS_REPLACED, [Tried { traces: replaced, accepted: 0 }; 2]);
}
