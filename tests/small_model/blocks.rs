//! What is remembered of a block of the shortened ladder, and which blocks there should be.

use std::collections::BTreeSet;

use septic_chips::params::CurveParams;

use crate::chain::Group;
use crate::curve::{DIGITS, Point, ToyCurve, Weierstrass, point};
use crate::search::{Row, cell};
use crate::short::{LIMB, Ladder, ROWS, SCALARS, limb_on_row, signed_wrap, unsigned_wrap};

/// Digits of a block as a number, first row first: those of the digit rows and of the last two.
pub(crate) type Digits = u32;

/// Numbers that the digit rows can show.
const STRINGS: u32 = 1 << DIGITS;

/// The scalar columns of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScalarBlock {
    pub(crate) digits: Digits,
    pub(crate) scalar: u32,
    /// The identity cell of the first row.
    pub(crate) identity: u32,
    /// The identity cell of the last row.
    pub(crate) result_identity: u32,
}

impl ScalarBlock {
    /// The block with one more row.
    pub(crate) fn with<C: Ladder<P>, const P: u32>(mut self, group: Group, at: usize, row: &Row<P>) -> Self {
        let get = |name| cell::<C, P>(row, name).residue();
        let (digit, limb_row) = match group {
            Group::GeneratorScalar => ("digit_g", at.checked_sub(1)),
            _ => ("digit", Some(at)),
        };
        self.digits = 2 * self.digits + get(digit);
        if limb_row.and_then(limb_on_row).is_some() {
            self.scalar = LIMB * self.scalar + get("limb");
        }
        // The generator's blocks leave both at 0.
        if at == 0 {
            self.identity = get("identity");
        }
        self.result_identity = if at == ROWS - 1 { get("identity") } else { 0 };
        self
    }
}

/// V = Σ ±2^i over the digit rows.
fn signed_sum(digits: Digits) -> i64 {
    2 * i64::from(digits) + 1 - i64::from(STRINGS)
}

/// The digits of the last two rows: 1, 0 if the result is the identity, else 0, 1.
const fn last_digits(result_identity: bool) -> Digits {
    if result_identity { 2 } else { 1 }
}

/// The blocks of the base's scalar that there should be.
pub(crate) fn expected_scalars(e: &Weierstrass) -> BTreeSet<ScalarBlock> {
    let mut blocks = BTreeSet::new();
    for digits in 0..STRINGS {
        for (parity, wraps) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
            let value = signed_sum(digits) + i64::from(parity * e.order + wraps * signed_wrap(e));
            for result_identity in [false, true] {
                let digits = 4 * digits + last_digits(result_identity);
                let result_identity = u32::from(result_identity);
                for scalar in 0..SCALARS {
                    let block = ScalarBlock { digits, scalar, identity: 0, result_identity };
                    if value == i64::from(scalar) {
                        blocks.insert(block);
                    }
                    // s·𝒪 = 𝒪: the digits are those of 0 and the limbs are free.
                    if value == 0 {
                        blocks.insert(ScalarBlock { identity: 1, ..block });
                    }
                }
            }
        }
    }
    blocks
}

/// The blocks of the generator's scalar that there should be.
pub(crate) fn expected_generator_scalars(e: &Weierstrass) -> BTreeSet<ScalarBlock> {
    let scalar = |digits: Digits, wraps: u32| digits / 4 + wraps * unsigned_wrap(e);
    (0..4 * STRINGS)
        .flat_map(|digits| (0..=5).map(move |wraps| (digits, scalar(digits, wraps))))
        .filter(|&(_, scalar)| scalar < SCALARS)
        .map(|(digits, scalar)| ScalarBlock { digits, scalar, ..ScalarBlock::default() })
        .collect()
}

/// The point columns of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PointBlock {
    /// Shown on the first row.
    pub(crate) base: [u32; 2],
    pub(crate) offset: u32,
    pub(crate) digits: Digits,
    /// 0 without a generator.
    pub(crate) digits_g: Digits,
    /// Shown on the last row.
    pub(crate) result: [u32; 2],
}

impl PointBlock {
    /// The block with one more row.
    pub(crate) fn with<C: Ladder<P>, const P: u32>(mut self, at: usize, row: &Row<P>) -> Self {
        let get = |name| cell::<C, P>(row, name).residue();
        self.result = [get("x_t"), get("y_t")];
        if at == 0 {
            (self.base, self.offset) = (self.result, get("offset"));
        }
        self.digits = 2 * self.digits + get("digit");
        if C::IS_VERIFY {
            self.digits_g = 2 * self.digits_g + get("digit_g");
        }
        self
    }
}

/// The points of a curve by their logarithm.
struct Logarithms {
    points: Vec<Point>,
    order: u32,
}

impl Logarithms {
    fn new(e: &Weierstrass) -> Self {
        let points = (0..e.order).map(|k| e.multiple(k, e.generator())).collect();
        Self { points, order: e.order }
    }

    fn of(&self, point: Point) -> u32 {
        (0..).zip(&self.points).find(|&(_, known)| *known == point).unwrap().0
    }

    /// The coordinates of a finite point.
    fn coordinates(&self, log: u32) -> [u32; 2] {
        self.points[usize::try_from(log % self.order).unwrap()].unwrap()
    }

    /// ±log by a digit.
    const fn signed(&self, digit: u32, log: u32) -> u32 {
        if digit == 1 { log } else { self.order - log }
    }

    /// acc + T and 2·acc + T; `None` in an exceptional case.
    fn double_add(&self, acc: u32, t: u32) -> Option<[u32; 2]> {
        let sums = [acc + t, 2 * acc + t].map(|log| log % self.order);
        (!sums.contains(&0)).then_some(sums)
    }
}

/// The blocks of points that there should be: for each base, offset and digits one result, unless a row meets an
/// exceptional case.
pub(crate) fn expected_points<C: Ladder<P>, const P: u32>() -> BTreeSet<PointBlock> {
    let logs = Logarithms::new(&C::Curve::E);
    let h = C::IS_VERIFY.then(|| logs.of(C::H));
    let strings_g = if C::IS_VERIFY { STRINGS } else { 1 };
    let mut blocks = BTreeSet::new();
    for base in 1..logs.order {
        for offset in 0..2 {
            let j = usize::try_from(offset).unwrap();
            let way = Way {
                logs: &logs,
                h,
                start: logs.of(point(C::Curve::OFFSETS[j])),
                correction: logs.of(C::correction(j)),
                base,
            };
            for (digits, digits_g) in (0..STRINGS).flat_map(|d| (0..strings_g).map(move |d_g| (d, d_g))) {
                for (digits, digits_g, result) in way.blocks(digits, digits_g) {
                    let [base, result] = [base, result].map(|log| logs.coordinates(log));
                    blocks.insert(PointBlock { base, offset, digits, digits_g, result });
                }
            }
        }
    }
    blocks
}

/// A way down the ladder, in logarithms.
struct Way<'a> {
    logs: &'a Logarithms,
    h: Option<u32>,
    start: u32,
    correction: u32,
    base: u32,
}

impl Way<'_> {
    /// For these digits of the digit rows: all digits, all digits of the generator and the point on the last row, of each
    /// block there should be.
    fn blocks(&self, digits: Digits, digits_g: Digits) -> Vec<(Digits, Digits, u32)> {
        let order = self.logs.order;
        let Some(acc) = self.digit_rows(digits, digits_g) else { return Vec::new() };
        let result = (acc + order - self.correction) % order;
        let is_identity = result == 0;
        // The correction row adds C_j if the result is the identity, else −C_j.
        let correction = self.logs.signed(is_identity.into(), self.correction);
        let Some([next, twice]) = self.logs.double_add(acc, correction) else { return Vec::new() };
        // The output row shows the result and adds it; or if that is the identity, shows any point and subtracts it.
        let shown = if is_identity { 1..order } else { result..result + 1 };
        let digits = 4 * digits + last_digits(is_identity);
        let mut blocks = Vec::new();
        for shown in shown {
            let t = self.logs.signed((!is_identity).into(), shown);
            let Some([_, last_twice]) = self.logs.double_add(next, t) else { continue };
            for first in self.idle_digits(twice) {
                for second in self.idle_digits(last_twice) {
                    blocks.push((digits, 4 * digits_g + 2 * first + second, shown));
                }
            }
        }
        blocks
    }

    /// The accumulator after the digit rows, unless they meet an exceptional case.
    fn digit_rows(&self, digits: Digits, digits_g: Digits) -> Option<u32> {
        let mut acc = self.start;
        for bit in (0..DIGITS).rev() {
            let [_, twice] = self.logs.double_add(acc, self.logs.signed(digits >> bit & 1, self.base))?;
            acc = twice;
            if let Some(h) = self.h {
                if [0, 1].iter().any(|&digit| twice == self.logs.signed(digit, h)) {
                    return None;
                }
                acc = (twice + self.logs.signed(digits_g >> bit & 1, h)) % self.logs.order;
            }
        }
        Some(acc)
    }

    /// The generator's digits on a row that does not add H: both, but where 2·acc + σT = ±H only the sign of H there.
    fn idle_digits(&self, twice: u32) -> Vec<u32> {
        match self.h {
            None => vec![0],
            Some(h) => [0, 1].into_iter().filter(|&d| twice != self.logs.signed(1 - d, h)).collect(),
        }
    }
}
