//! The forger's generator of SCALAR_MUL and VERIFY blocks.
//!
//! A [`Plan`] says what an honest prover would do for an event; a forger changes one of its decisions, or one cell of
//! one row by a [`Choice`], and [`Plan::prove`] fills everything downstream honestly. The code shares nothing with
//! the trace generator: affine arithmetic row by row, carries from the rows' own equations.

use core::marker::PhantomData;
use std::collections::BTreeMap;

use septic_chips::columns::ColumnSet;
use septic_chips::ladder::{
    CORRECTION_ROW, DIGITS, ORDER_LIMBS, OUTPUT_ROW, ROWS, SIGNED_WRAP_LIMBS, UNSIGNED_WRAP_LIMBS,
    limb_on_row,
};
use septic_chips::relations::evaluate;
use septic_chips::verify::VerifyCols;
use septic_chips::{Chip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use septic_curve::{Fp7, KoalaBear, Scalar256};

use crate::curves::{Curve, coordinates};
use crate::integer::{Digits, Limbs, ZERO, limb_row, limbs, to_scalar};
use crate::support::{Coordinates, element};

/// A chip of the ladder over some curve.
pub(crate) trait LadderChip: Chip {
    type Curve: Curve;

    /// Whether ±H is added on every digit row.
    const WITH_GENERATOR: bool;

    /// C_0, C_1.
    fn corrections() -> [Coordinates; 2];
}

impl<C: Curve> LadderChip for ScalarMulChip<C> {
    type Curve = C;

    const WITH_GENERATOR: bool = false;

    fn corrections() -> [Coordinates; 2] {
        C::SCALAR_MUL_CORRECTIONS.map(coordinates)
    }
}

impl<C: Curve> LadderChip for VerifyChip<C> {
    type Curve = C;

    const WITH_GENERATOR: bool = true;

    fn corrections() -> [Coordinates; 2] {
        C::VERIFY_CORRECTIONS.map(coordinates)
    }
}

/// A row of either chip: SCALAR_MUL's columns are VERIFY's first ones.
pub(crate) type Row = VerifyCols<KoalaBear>;

/// What a forger fixes on one row. `None` is what an honest prover does there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    pub(crate) base: Option<Coordinates>,
    pub(crate) digit: Option<KoalaBear>,
    pub(crate) digit_g: Option<KoalaBear>,
    pub(crate) identity: Option<KoalaBear>,
    pub(crate) lambda_1: Option<Fp7>,
    pub(crate) lambda_2: Option<Fp7>,
    pub(crate) lambda_3: Option<Fp7>,
    /// The accumulator of the next row.
    pub(crate) next: Option<Coordinates>,
}

/// How a number is put into its two columns `low + 3·high`, if it is not in 0..=5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spill {
    /// All of it in the low column.
    Low,
    /// All of it in the high column.
    High,
}

/// One scalar of a plan.
#[derive(Clone, Debug)]
pub(crate) struct ScalarPlan {
    /// The limbs shown.
    pub(crate) shown: Limbs,
    /// The digits used.
    pub(crate) digits: Digits,
    /// The limbs from which the carries are computed, if not those shown.
    pub(crate) carried: Option<Limbs>,
    /// The digits that `horner` accumulates, if not those used.
    pub(crate) horner: Option<[i64; DIGITS]>,
}

impl ScalarPlan {
    fn new(shown: Limbs, digits: Digits) -> Self {
        Self { shown, digits, carried: None, horner: None }
    }

    /// Uses the digits of another integer, as if it were the one shown.
    pub(crate) fn substitute(&mut self, digits: Digits, integer: Limbs) {
        self.digits = digits;
        self.carried = Some(integer);
    }
}

/// How a block is to be filled.
#[derive(Clone, Debug)]
pub(crate) struct Plan<C> {
    /// The base on rows 0..254.
    pub(crate) base: Coordinates,
    /// The identity flag on rows 0..254.
    pub(crate) identity: KoalaBear,
    /// The scalar of the base.
    pub(crate) e: ScalarPlan,
    /// The scalar of the generator.
    pub(crate) s: ScalarPlan,
    /// The cells of `offset`.
    pub(crate) offset: [KoalaBear; ROWS],
    /// The first accumulator, if not the offset.
    pub(crate) start: Option<Coordinates>,
    pub(crate) spill: Spill,
    /// VERIFY's parameter t.
    pub(crate) evaluation_point: KoalaBear,
    pub(crate) choices: BTreeMap<usize, Choice>,
    chip: PhantomData<C>,
}

/// (p₀ + j·(p₁ − p₀)), coordinate by coordinate.
fn select(points: [Coordinates; 2], j: KoalaBear) -> Coordinates {
    let [zero, one] = points;
    let between = |zero: Fp7, one: Fp7| zero + (one - zero).scale(&j);
    Coordinates::new(between(zero.x, one.x), between(zero.y, one.y))
}

/// 2·digit − 1.
pub(crate) fn sign(digit: KoalaBear) -> KoalaBear {
    digit.double() - KoalaBear::ONE
}

impl<C: LadderChip> Plan<C> {
    /// What an honest prover does for e·P (+ s·G), from the first offset.
    pub(crate) fn new(base: Option<Coordinates>, e: &Scalar256, s: &Scalar256) -> Self {
        let (shown, shown_g) = (limbs(e), limbs(s));
        let effective = if base.is_some() { shown } else { ZERO };
        Self {
            base: base.unwrap_or_else(C::Curve::generator),
            identity: KoalaBear::from_bool(base.is_none()),
            e: ScalarPlan::new(shown, Digits::signed(&[(1, &effective)])),
            s: ScalarPlan::new(shown_g, Digits::unsigned(&shown_g)),
            offset: [KoalaBear::ZERO; ROWS],
            start: None,
            spill: Spill::Low,
            evaluation_point: KoalaBear::TWO,
            choices: BTreeMap::new(),
            chip: PhantomData,
        }
    }

    /// Starts from another offset.
    #[must_use]
    pub(crate) fn with_offset(mut self, j: KoalaBear) -> Self {
        self.offset = [j; ROWS];
        self
    }

    /// The choices of one row, to be changed.
    pub(crate) fn on(&mut self, row: usize) -> &mut Choice {
        self.choices.entry(row).or_default()
    }

    /// Fills the block.
    pub(crate) fn prove(&self) -> Block<C> {
        let mut rows: Vec<Row> = Vec::with_capacity(ROWS);
        let mut exceptional = false;
        let mut acc = self.start.unwrap_or_else(|| select(C::Curve::offsets(), self.offset[0]));
        for row in 0..ROWS {
            let filled = self.fill(row, acc, rows.last());
            exceptional |= filled.exceptional;
            acc = filled.next;
            rows.push(filled.cols);
        }
        self.fill_carries(&mut rows);
        Block { rows, evaluation_point: self.evaluation_point, exceptional, chip: PhantomData }
    }

    fn fill(&self, row: usize, acc: Coordinates, before: Option<&Row>) -> FilledRow {
        let choice = self.choices.get(&row).cloned().unwrap_or_default();
        let h = C::Curve::half_generator();

        // T and its sign.
        let correction = select(C::corrections(), self.offset[row]);
        let digit = choice.digit.unwrap_or_else(|| match (row, before) {
            (CORRECTION_ROW, _) => KoalaBear::from_bool(acc == correction),
            (OUTPUT_ROW, Some(before)) => KoalaBear::ONE - before.digit,
            _ => element(self.e.digits.digits[row]),
        });
        let t = choice.base.unwrap_or_else(|| match row {
            CORRECTION_ROW => correction,
            OUTPUT_ROW if digit.is_one() => acc,
            OUTPUT_ROW => C::Curve::offsets()[0],
            _ => self.base,
        });
        let y_t = t.y.scale(&sign(digit));

        // The step acc ↦ 2·acc ± T.
        let (rise, run) = if acc == Coordinates::new(t.x, y_t) {
            (acc.x.dot_square().tripled() + C::Curve::a(), acc.y.doubled())
        } else {
            (y_t - acc.y, t.x - acc.x)
        };
        let lambda_1 = choice.lambda_1.unwrap_or_else(|| rise.dot_mul(&run.inv0()));
        let x_1 = lambda_1.dot_square() - acc.x - t.x;
        let gap = acc.x - x_1;
        let lambda_2 = choice.lambda_2.unwrap_or_else(|| acc.y.doubled().dot_mul(&gap.inv0()) - lambda_1);
        let mut exceptional = run.is_zero() || gap.is_zero();
        let x_2 = lambda_2.dot_square() - lambda_1.dot_square() + t.x;
        let doubled = Coordinates::new(x_2, lambda_2.dot_mul(&(acc.x - x_2)) - acc.y);

        // The step to 2·acc ± T ± H.
        let mut digit_g = KoalaBear::ZERO;
        let (mut lambda_3, mut witness) = (Fp7::ZERO, KoalaBear::ZERO);
        let mut next = doubled;
        if C::WITH_GENERATOR {
            digit_g = choice.digit_g.unwrap_or_else(|| match row {
                CORRECTION_ROW | OUTPUT_ROW => KoalaBear::from_bool(doubled == h),
                _ => element(self.s.digits.digits[row]),
            });
            let y_h = h.y.scale(&sign(digit_g));
            let run = x_2 - h.x;
            lambda_3 = choice.lambda_3.unwrap_or_else(|| (doubled.y - y_h).dot_mul(&run.inv0()));
            if row < DIGITS {
                exceptional |= run.is_zero();
                witness = evaluate(&run, &self.evaluation_point).try_inverse().unwrap_or(KoalaBear::ZERO);
            }
            let x = lambda_3.dot_square() - x_2 - h.x;
            next = Coordinates::new(x, -y_h - lambda_3.dot_mul(&(x - h.x)));
        }
        if row >= DIGITS {
            next = Coordinates::new(x_1, lambda_1.dot_mul(&(acc.x - x_1)) - acc.y);
        }
        let next = choice.next.unwrap_or(next);

        // Bookkeeping.
        let limb = if row < DIGITS { 15 - (row + 2) / 16 } else { 0 };
        let (wraps_g_0, wraps_g_1) = self.two_digits(element(self.s.digits.wraps[limb]));
        let identity = choice.identity.unwrap_or_else(|| match row {
            CORRECTION_ROW => KoalaBear::ZERO,
            OUTPUT_ROW => KoalaBear::ONE - digit,
            _ => self.identity,
        });
        let counted = |plan: &ScalarPlan, used: KoalaBear| match &plan.horner {
            Some(digits) if row < DIGITS => element(digits[row]),
            _ => used,
        };
        let accumulate = |before: Option<KoalaBear>, digit: KoalaBear| match before {
            Some(before) if row < DIGITS && limb_on_row(row - 1).is_none() => before.double() + digit,
            _ => digit,
        };
        let cols = Row {
            x: acc.x,
            lambda_1,
            lambda_2,
            x_t: t.x,
            y_t: t.y,
            digit,
            horner: accumulate(before.map(|b| b.horner), counted(&self.e, digit)),
            limb: self.shown_on(row),
            carry_0: KoalaBear::ZERO,
            carry_1: KoalaBear::ZERO,
            parity: element(self.e.digits.parity[limb]),
            wraps: element(self.e.digits.wraps[limb]),
            offset: self.offset[row],
            identity,
            lambda_3,
            witness,
            digit_g,
            horner_g: accumulate(before.map(|b| b.horner_g), counted(&self.s, digit_g)),
            wraps_g_0,
            wraps_g_1,
            carry_g_0: KoalaBear::ZERO,
            carry_g_1: KoalaBear::ZERO,
        };
        FilledRow { cols, next, exceptional }
    }

    /// The limb shown on a row.
    fn shown_on(&self, row: usize) -> KoalaBear {
        if let Some(l) = limb_on_row(row) {
            return element(self.e.shown[l]);
        }
        match row.checked_sub(1).and_then(limb_on_row) {
            Some(l) if C::WITH_GENERATOR => element(self.s.shown[l]),
            _ => KoalaBear::ZERO,
        }
    }

    /// Fills the carries: what the equation of each limb leaves, divided by 2^16.
    fn fill_carries(&self, rows: &mut [Row]) {
        let shift = element(1 << 16).inverse();
        let (shown, shown_g) =
            (self.e.carried.unwrap_or(self.e.shown), self.s.carried.unwrap_or(self.s.shown));
        let of = |limbs: &[u16; 16], l: usize| KoalaBear::from_u16(limbs[l]);
        let (mut carry, mut carry_g) = (KoalaBear::ZERO, KoalaBear::ZERO);
        // The highest limb carries nothing out.
        for l in 0..15 {
            let last = limb_row(l);
            let row = rows[last];
            carry += row.horner.double()
                + of(&ORDER_LIMBS, l) * row.parity
                + of(&SIGNED_WRAP_LIMBS, l) * row.wraps
                + KoalaBear::from_bool(l == 0)
                - (KoalaBear::ONE - row.identity) * element(shown[l]);
            carry *= shift;
            let wraps_g = row.wraps_g_0 + row.wraps_g_1 * element(3);
            carry_g += row.horner_g + of(&UNSIGNED_WRAP_LIMBS, l) * wraps_g - element(shown_g[l]);
            carry_g *= shift;
            for row in &mut rows[last - 15..=last] {
                (row.carry_0, row.carry_1) = self.two_digits(carry);
                if C::WITH_GENERATOR {
                    (row.carry_g_0, row.carry_g_1) = self.two_digits(carry_g);
                }
            }
        }
    }

    /// `low + 3·high`.
    fn two_digits(&self, number: KoalaBear) -> (KoalaBear, KoalaBear) {
        let residue = number.as_canonical_u32();
        match (residue, self.spill) {
            (0..=5, _) => (KoalaBear::from_u32(residue % 3), KoalaBear::from_u32(residue / 3)),
            (_, Spill::Low) => (number, KoalaBear::ZERO),
            (_, Spill::High) => (KoalaBear::ZERO, number * element(3).inverse()),
        }
    }
}

struct FilledRow {
    cols: Row,
    next: Coordinates,
    /// No slopes satisfy the relations for these operands.
    exceptional: bool,
}

/// The rows of one event.
#[derive(Clone, Debug)]
pub(crate) struct Block<C> {
    pub(crate) rows: Vec<Row>,
    pub(crate) evaluation_point: KoalaBear,
    /// An honest prover would take the other offset.
    pub(crate) exceptional: bool,
    chip: PhantomData<C>,
}

/// What a block's instance cells say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) base: Option<Coordinates>,
    pub(crate) e: Scalar256,
    pub(crate) s: Scalar256,
    pub(crate) out: Option<Coordinates>,
}

impl<C: LadderChip> Block<C> {
    /// An honest prover's block, from whichever offset works.
    pub(crate) fn honest(base: Option<Coordinates>, e: &Scalar256, s: &Scalar256) -> Self {
        let plan = Plan::new(base, e, s);
        let block = plan.prove();
        if block.exceptional { plan.with_offset(KoalaBear::ONE).prove() } else { block }
    }

    /// The accumulator at the start of a row.
    pub(crate) fn accumulator(&self, row: usize) -> Coordinates {
        let row = &self.rows[row];
        let y_t = row.y_t.scale(&sign(row.digit));
        Coordinates::new(row.x, y_t - row.lambda_1.dot_mul(&(row.x_t - row.x)))
    }

    /// 2·acc ± T of a row.
    pub(crate) fn doubled(&self, row: usize) -> Coordinates {
        let (acc, row) = (self.accumulator(row), &self.rows[row]);
        let x = row.lambda_2.dot_square() - row.lambda_1.dot_square() + row.x_t;
        Coordinates::new(x, row.lambda_2.dot_mul(&(acc.x - x)) - acc.y)
    }

    /// The cells of the chip's columns.
    pub(crate) fn cells(&self) -> Vec<KoalaBear> {
        let mut cells = Vec::with_capacity(ROWS * C::WIDTH);
        let mut buffer = [KoalaBear::ZERO; <Row as ColumnSet<KoalaBear>>::WIDTH];
        for row in &self.rows {
            row.write_to(&mut buffer);
            cells.extend(&buffer[..C::WIDTH]);
        }
        cells
    }

    /// What the instance cells say; `None` if a shown point is not on the curve or a limb is not below 2^16.
    pub(crate) fn shown(&self) -> Option<Shown> {
        let point = |row: &Row| {
            let shown = Coordinates::new(row.x_t, row.y_t);
            if row.identity.is_one() { Some(None) } else { C::Curve::contains(shown).then_some(Some(shown)) }
        };
        let scalar = |offset: usize| {
            let limbs: Limbs =
                core::array::from_fn(|l| self.rows[limb_row(l) + offset].limb.as_canonical_u32().into());
            limbs.iter().all(|l| l >> 16 == 0).then(|| to_scalar(&limbs))
        };
        Some(Shown {
            base: point(&self.rows[0])?,
            e: scalar(0)?,
            s: if C::WITH_GENERATOR { scalar(1)? } else { Scalar256::ZERO },
            out: point(&self.rows[OUTPUT_ROW])?,
        })
    }

    /// Whether the instance cells say something true: points of the curve, and the right result.
    pub(crate) fn statement_holds(&self) -> bool {
        self.shown().is_some_and(|Shown { base, e, s, out }| {
            C::Curve::combine(C::WITH_GENERATOR.then_some(&s), &e, base) == out
        })
    }
}
