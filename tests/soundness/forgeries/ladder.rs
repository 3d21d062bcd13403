//! Forgeries of the constraints that SCALAR_MUL and VERIFY share.

use septic_chips::ladder::{CORRECTION_ROW, DIGITS, ORDER_LIMBS, OUTPUT_ROW, ROWS, limb_on_row};
use septic_chips::params::Septic;
use septic_chips::{ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use septic_curve::{Fp7, KoalaBear, Scalar256};
use septic_trace::TraceChip;

use super::Outcome::{FalseStatement, Freedom};
use super::{Forgery, Verdict};
use crate::block::{Block, LadderChip, Plan, Spill};
use crate::curves::{Curve, Twin};
use crate::integer::{Digits, Limbs, ZERO, combine, limb_row, limbs, power_of_two};
use crate::judge::{judge, judge_trace};
use crate::polynomial::Polynomial;
use crate::support::{Coordinates, Random, element, multiple};

/// A chip of the ladder with its real constants, and the same chip over other curves.
pub(crate) trait RealChip: LadderChip<Curve = Septic> + TraceChip {
    type Over<C: Curve>: LadderChip<Curve = C>;
}

impl RealChip for ScalarMulChip {
    type Over<C: Curve> = ScalarMulChip<C>;
}

impl RealChip for VerifyChip {
    type Over<C: Curve> = VerifyChip<C>;
}

pub(super) fn forgeries<C: RealChip>() -> Vec<Forgery> {
    let forgery =
        |constraint, outcome, what, forge| Forgery { chip: C::OPERATION, constraint, outcome, what, forge };
    let falsehood = |constraint, what, forge| forgery(constraint, FalseStatement, what, forge);
    let freedom = |constraint, what, forge| forgery(constraint, Freedom, what, forge);
    vec![
        falsehood("slope_1", "a base off the curve", slope_1::<C>),
        falsehood("slope_1", "acc = σT on row 0 and a slope that is not the tangent's", free_slope::<C>),
        falsehood("slope_2", "λ₂ = λ₁, so that acc becomes −σT", slope_2::<C>),
        falsehood("start_x", "a start at another point with the offset's y", start_x::<C>),
        falsehood("start_y", "a start at −B_0", start_y::<C>),
        falsehood("base_held", "another base on row 0", base_held_first::<C>),
        falsehood("base_held", "another base on row 253", base_held_last::<C>),
        falsehood("correction_base", "another point taken off", correction_base::<C>),
        falsehood("correction_identity", "a finite result declared 𝒪 on row 254", correction_identity::<C>),
        falsehood("correction_x", "the line's point with x of C_j for acc − C_j", correction_x::<C>),
        falsehood("correction_y", "−(acc − C_j) for acc − C_j", correction_y::<C>),
        falsehood("correction_digit", "a finite result declared 𝒪 on row 255", correction_digit::<C>),
        falsehood("output_point", "another point shown", output_point::<C>),
        falsehood("output_flag", "a finite result with the identity flag", output_flag::<C>),
        falsehood("output_flag", "the result 𝒪 without the identity flag", output_flag_missing::<C>),
        falsehood("digit", "digits 2 and −1, σ = ±3, for the base (x, y/3)", digit::<C>),
        freedom("parity", "r added twice, three times or −1 times", parity::<C>),
        falsehood("identity", "identity = 2, which turns e into −e", identity::<C>),
        freedom("wraps", "q added three times or −1 times", wraps::<C>),
        falsehood("carry_0", "a carry that takes off 2p", carry_0::<C>),
        falsehood("carry_1", "a carry that takes off 2p", carry_1::<C>),
        falsehood("offset_held", "a start at B_0, C_1 taken off", offset_held::<C>),
        falsehood("parity_held", "r added to the lowest limb alone", parity_held::<C>),
        falsehood("wraps_held", "q added once more to limb 3 alone", wraps_held::<C>),
        falsehood("identity_held", "the identity flag set from row 1 on", identity_held::<C>),
        freedom("correction_flag", "the identity flag on row 254", correction_flag::<C>),
        falsehood("carry_0_held", "a carry that grows by 2 on its way", carry_0_held::<C>),
        falsehood("carry_1_held", "a carry that grows by 3 on its way", carry_1_held::<C>),
        falsehood("horner", "an accumulator of other digits", horner::<C>),
        falsehood("horner", "row 0 of an accumulator that starts from 1", horner_start::<C>),
        falsehood("limb_tie", "another scalar", limb_tie::<C>),
        freedom("limb_idle", "a limb on a row between limbs", limb_idle::<C>),
    ]
}

/// An honest plan for a random event.
pub(crate) fn random_plan<C: LadderChip<Curve = Septic>>(random: &mut Random) -> Plan<C> {
    Plan::new(Some(random.point().into()), &random.scalar(), &random.scalar())
}

fn finish<C: RealChip>(plan: &Plan<C>) -> Verdict {
    judge_trace(&plan.prove())
}

fn slope_1<C: RealChip>() -> Verdict {
    let mut random = Random::new(1);
    let mut plan = random_plan::<C>(&mut random);
    plan.base = Coordinates::new(random.septic(), random.septic());
    finish(&plan)
}

/// P = ±B_1 and a start from B_1. With λ₂ = λ₁ = λ the second relation is λ³ − 3xλ + y = 0, and acc becomes −acc.
pub(crate) fn free_slope_block<C: RealChip>() -> Block<C> {
    let mut random = Random::new(26);
    let start = Septic::offsets()[1];
    let cubic = Polynomial::new([start.y, -start.x.tripled(), Fp7::ZERO, Fp7::ONE]);
    let lambda = *cubic.roots(&mut random).first().unwrap();
    loop {
        let mut plan = random_plan::<C>(&mut random).with_offset(KoalaBear::ONE);
        let digits = plan.e.digits.digits;
        // acc = −σT, so that the next sign has to be the other one.
        if digits[0] != digits[1] {
            plan.base = if digits[0] == 1 { start } else { -start };
            (plan.on(0).lambda_1, plan.on(0).lambda_2) = (Some(lambda), Some(lambda));
            return plan.prove();
        }
    }
}

fn free_slope<C: RealChip>() -> Verdict {
    judge_trace(&free_slope_block::<C>())
}

/// −σT is on the curve, as the next row asks, and is not −T with the next row's sign.
fn slope_2<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(2));
    let digits = plan.e.digits.digits;
    let row = (1..DIGITS - 1).find(|&row| digits[row] != digits[row + 1]).unwrap();
    plan.on(row).lambda_2 = Some(plan.prove().rows[row].lambda_1);
    finish(&plan)
}

fn start_x<C: RealChip>() -> Verdict {
    let mut plan = random_twin_plan::<C>();
    plan.start = Some(Twin::twin());
    judge(&plan.prove())
}

fn random_twin_plan<C: RealChip>() -> Plan<C::Over<Twin>> {
    let mut random = Random::new(3);
    Plan::new(Some(random.point().into()), &random.scalar(), &random.scalar())
}

fn start_y<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(4));
    plan.start = Some(-Septic::offsets()[0]);
    finish(&plan)
}

fn other_base<C: RealChip>(row: usize) -> Verdict {
    let mut random = Random::new(5);
    let mut plan = random_plan::<C>(&mut random);
    plan.on(row).base = Some(random.point().into());
    finish(&plan)
}

fn base_held_first<C: RealChip>() -> Verdict {
    other_base::<C>(0)
}

fn base_held_last<C: RealChip>() -> Verdict {
    other_base::<C>(DIGITS - 1)
}

fn correction_base<C: RealChip>() -> Verdict {
    other_base::<C>(CORRECTION_ROW)
}

fn output_point<C: RealChip>() -> Verdict {
    other_base::<C>(OUTPUT_ROW)
}

fn correction_identity<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(6));
    plan.on(CORRECTION_ROW).digit = Some(KoalaBear::ONE);
    finish(&plan)
}

fn correction_x<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(7));
    let honest = plan.prove();
    let (acc, lambda_1) = (honest.accumulator(CORRECTION_ROW), honest.rows[CORRECTION_ROW].lambda_1);
    let x = C::corrections()[0].x;
    plan.on(CORRECTION_ROW).next = Some(Coordinates::new(x, lambda_1.dot_mul(&(acc.x - x)) - acc.y));
    finish(&plan)
}

/// Replaces the accumulator after `row` by its negative.
pub(super) fn negated_after<C: RealChip>(row: usize) -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(8));
    plan.on(row).next = Some(-plan.prove().accumulator(row + 1));
    finish(&plan)
}

fn correction_y<C: RealChip>() -> Verdict {
    negated_after::<C>(CORRECTION_ROW)
}

fn correction_digit<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(9));
    plan.on(OUTPUT_ROW).digit = Some(KoalaBear::ZERO);
    finish(&plan)
}

fn output_flag<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(10));
    plan.on(OUTPUT_ROW).identity = Some(KoalaBear::ONE);
    finish(&plan)
}

fn output_flag_missing<C: RealChip>() -> Verdict {
    let base = Random::new(11).point().into();
    let mut plan = Plan::<C>::new(Some(base), &Scalar256::ZERO, &Scalar256::ZERO);
    plan.on(OUTPUT_ROW).identity = Some(KoalaBear::ZERO);
    finish(&plan)
}

/// Digits d ∈ {2, −1} have σ = 2d − 1 = ±3, and σ·(y/3) = ±y: the rows add ±(x, y), but (x, y/3) is shown.
fn digit<C: RealChip>() -> Verdict {
    let mut random = Random::new(12);
    let mut plan = random_plan::<C>(&mut random);
    plan.base.y = plan.base.y.scale(&element(3).inverse());
    // 2 at the top of each limb keeps the limb positive.
    let starts_limb = |row: usize| row.checked_sub(1).is_none_or(|before| limb_on_row(before).is_some());
    let digits = core::array::from_fn(|row| if starts_limb(row) || random.below(2) == 1 { 2 } else { -1 });
    let (parity, shown) = [0, 1]
        .into_iter()
        .find_map(|parity| {
            let mut carry = 0;
            let shown: Limbs = core::array::from_fn(|l| {
                let first = if l == 15 { 0 } else { limb_row(l + 1) + 1 };
                let number = digits[first..=limb_row(l)].iter().fold(0, |number, digit| 2 * number + digit);
                let unit = i64::from(l == 0) - (i64::from(l == 15) << 14);
                let total = 2 * number + parity * i64::from(ORDER_LIMBS[l]) + unit + carry;
                carry = total >> 16;
                total & 0xffff
            });
            (carry == 0).then_some((parity, shown))
        })
        .unwrap();
    plan.e.shown = shown;
    plan.e.digits = Digits { digits, parity: [parity; 16], wraps: ZERO };
    finish(&plan)
}

/// Other forms of the scalar, with one of `parities` and one of `wraps`.
fn other_form<C: RealChip>(parities: &[i64], wraps: &[i64]) -> Verdict {
    let mut random = Random::new(13);
    loop {
        let mut plan = random_plan::<C>(&mut random);
        let mut forms = parities.iter().flat_map(|&p| wraps.iter().map(move |&w| (p, w)));
        let shown = plan.e.shown;
        let digits = forms.find_map(|(p, w)| Digits::signed_with(&[(1, &shown)], &[p; 16], &[w; 16]));
        if let Some(digits) = digits {
            plan.e.digits = digits;
            return finish(&plan);
        }
    }
}

fn parity<C: RealChip>() -> Verdict {
    other_form::<C>(&[2, 3, -1], &[0, 1, 2])
}

fn wraps<C: RealChip>() -> Verdict {
    other_form::<C>(&[0, 1], &[3, -1])
}

/// (1 − identity)·e = −e.
fn identity<C: RealChip>() -> Verdict {
    let mut random = Random::new(14);
    let e = Scalar256::from(77_u64);
    let mut plan = Plan::<C>::new(Some(random.point().into()), &e, &random.scalar());
    plan.identity = KoalaBear::TWO;
    plan.e.digits = Digits::signed(&[(-1, &limbs(&e))]);
    finish(&plan)
}

/// Uses the digits of e + 2p·2^48: the carry out of limb 3 makes its equation hold modulo p.
fn carry_modulo_p<C: RealChip>(spill: Spill) -> Verdict {
    let mut random = Random::new(15);
    let twice_p = 2 * i64::from(KoalaBear::ORDER_U32);
    let mut excess = ZERO;
    (excess[3], excess[4], excess[5]) = (twice_p & 0xffff, twice_p >> 16 & 0xffff, twice_p >> 32);
    loop {
        let mut plan = random_plan::<C>(&mut random);
        if let Some(sum) = combine(&[(1, &plan.e.shown), (1, &excess)]) {
            plan.e.digits = Digits::signed(&[(1, &sum)]);
            plan.spill = spill;
            return finish(&plan);
        }
    }
}

fn carry_0<C: RealChip>() -> Verdict {
    carry_modulo_p::<C>(Spill::Low)
}

fn carry_1<C: RealChip>() -> Verdict {
    carry_modulo_p::<C>(Spill::High)
}

fn offset_held<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(16));
    plan.offset[CORRECTION_ROW..ROWS].fill(KoalaBear::ONE);
    finish(&plan)
}

/// Tries scalars until one has a form with the changed counts.
fn changed_counts<C: RealChip>(change: impl Fn(&mut Digits)) -> Verdict {
    let mut random = Random::new(17);
    loop {
        let mut plan = random_plan::<C>(&mut random);
        let mut wanted = plan.e.digits.clone();
        change(&mut wanted);
        let shown = plan.e.shown;
        if let Some(digits) = Digits::signed_with(&[(1, &shown)], &wanted.parity, &wanted.wraps) {
            plan.e.digits = digits;
            return finish(&plan);
        }
    }
}

fn parity_held<C: RealChip>() -> Verdict {
    changed_counts::<C>(|digits| {
        digits.parity = [0; 16];
        digits.parity[0] = 1;
    })
}

fn wraps_held<C: RealChip>() -> Verdict {
    changed_counts::<C>(|digits| digits.wraps[3] = (digits.wraps[3] + 1) % 3)
}

/// Row 0 shows a finite base; on the limb rows the scalar counts as 0.
fn identity_held<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(18));
    plan.e.digits = Digits::signed(&[(1, &ZERO)]);
    for row in 1..DIGITS {
        plan.on(row).identity = Some(KoalaBear::ONE);
    }
    finish(&plan)
}

fn correction_flag<C: RealChip>() -> Verdict {
    let mut plan = random_plan::<C>(&mut Random::new(19));
    plan.on(CORRECTION_ROW).identity = Some(KoalaBear::ONE);
    finish(&plan)
}

/// Shows e and uses e − `growth`·2^(16·l): the carry into limb l grows by `growth` on its way from the limb below.
fn carry_grows<C: RealChip>(growth: i64) -> Verdict {
    let mut random = Random::new(20);
    loop {
        let mut plan = random_plan::<C>(&mut random);
        for l in 5..15 {
            let mut excess = ZERO;
            excess[l] = growth;
            let Some(used) = combine(&[(1, &plan.e.shown), (-1, &excess)]) else { continue };
            plan.e.substitute(Digits::signed(&[(1, &used)]), used);
            let mut block = plan.prove();
            // Limb l reads the carry on the first row of limb l − 1; its own equation takes the last row's.
            let row = &mut block.rows[limb_row(l) + 1];
            let (cell, by) = if growth == 3 { (&mut row.carry_1, 1) } else { (&mut row.carry_0, growth) };
            if cell.is_zero() {
                *cell += element(by);
                return judge_trace(&block);
            }
        }
    }
}

fn carry_0_held<C: RealChip>() -> Verdict {
    carry_grows::<C>(2)
}

fn carry_1_held<C: RealChip>() -> Verdict {
    carry_grows::<C>(3)
}

fn horner<C: RealChip>() -> Verdict {
    let mut random = Random::new(21);
    let mut plan = random_plan::<C>(&mut random);
    let honest = plan.e.digits.clone();
    plan.e.digits.digits = Digits::signed(&[(1, &limbs(&random.scalar()))]).digits;
    plan.e.horner = Some(honest.digits);
    finish(&plan)
}

/// Row 0 is reached from the row before it alone: the last row of the event before, or of the trace.
pub(crate) fn horner_start_block<C: RealChip>() -> Block<C> {
    let mut random = Random::new(22);
    // 2·2^13 more in the top limb.
    let excess = power_of_two(254);
    loop {
        let plan = random_plan::<C>(&mut random);
        let Some(claimed) = combine(&[(1, &plan.e.shown), (1, &excess)]) else { continue };
        let mut block = plan.prove();
        let mut weight = KoalaBear::ONE;
        for row in 0..=limb_row(15) {
            block.rows[row].horner += weight;
            weight = weight.double();
        }
        block.rows[limb_row(15)].limb = element(claimed[15]);
        return block;
    }
}

fn horner_start<C: RealChip>() -> Verdict {
    judge_trace(&horner_start_block::<C>())
}

fn limb_tie<C: RealChip>() -> Verdict {
    let mut random = Random::new(23);
    let mut plan = random_plan::<C>(&mut random);
    let other = limbs(&random.scalar());
    plan.e.substitute(Digits::signed(&[(1, &other)]), other);
    finish(&plan)
}

fn limb_idle<C: RealChip>() -> Verdict {
    let mut block: Block<C> = random_plan(&mut Random::new(24)).prove();
    block.rows[100].limb = element(5);
    judge_trace(&block)
}

/// The plans that forgeries start from are honest.
#[test]
fn honest_plans_violate_nothing() {
    fn run<C: RealChip>() {
        let base = Some(Coordinates::from(multiple(2)));
        for plan in
            [random_plan::<C>(&mut Random::new(25)), Plan::new(base, &Scalar256::ONE, &Scalar256::ZERO)]
        {
            let verdict = finish(&plan);
            assert!(verdict.violated.iter().all(std::collections::BTreeSet::is_empty));
            assert!(verdict.statement_holds);
        }
    }
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}
