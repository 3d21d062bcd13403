//! Forgeries of the constraints that VERIFY has for itself, and of its offset's.

use septic_chips::params::Septic;
use septic_chips::{Operation, VerifyChip};
use septic_curve::p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use septic_curve::{Fp7, KoalaBear, Scalar256};

use super::Outcome::{FalseStatement, Freedom};
use super::ladder::{negated_after, random_plan};
use super::{Forgery, Verdict};
use crate::block::{Block, Plan, Spill, sign};
use crate::curves::{Curve, Subfield, add};
use crate::integer::{Digits, ZERO, combine, limb_row, limbs, power_of_two};
use crate::judge::{judge, judge_trace};
use crate::polynomial::Polynomial;
use crate::support::{Coordinates, Random, element, septic};

type Chip = VerifyChip;

pub(super) fn forgeries() -> Vec<Forgery> {
    let forgery = |constraint, outcome, what, forge| Forgery {
        chip: Operation::Verify,
        constraint,
        outcome,
        what,
        forge,
    };
    let falsehood = |constraint, what, forge| forgery(constraint, FalseStatement, what, forge);
    let freedom = |constraint, what, forge| forgery(constraint, Freedom, what, forge);
    vec![
        falsehood("offset", "the third point of the line through both offsets", offset),
        falsehood("line", "the line through −(2·acc + σT) and τH", line),
        falsehood("distinct", "2·acc + σT = τH and a free slope", distinct),
        falsehood("step_x", "−(2·acc + σT) for 2·acc + σT + τH", step_x),
        falsehood("step_y", "−(2·acc + σT + τH) for 2·acc + σT + τH", step_y),
        falsehood("step_y", "the same on the last digit row", step_y_last),
        falsehood("digit_g", "τ = 3 on row 0, so that (x_H, 3y_H) is added", digit_g),
        falsehood("horner_g", "an accumulator of other digits", horner_g),
        falsehood("horner_g", "row 0 of an accumulator that starts from 1", horner_g_start),
        freedom("wraps_g_0", "q′ added once", wraps_g_0),
        freedom("wraps_g_1", "q′ added once", wraps_g_1),
        falsehood("wraps_g_0_held", "q′ taken off limb 3 once more or less", wraps_g_0_held),
        falsehood("wraps_g_1_held", "q′ taken off limb 3 three times more or less", wraps_g_1_held),
        falsehood("carry_g_0", "a carry that takes off p", carry_g_0),
        falsehood("carry_g_1", "a carry that takes off p", carry_g_1),
        falsehood("carry_g_0_held", "a carry that grows by 1 on its way", carry_g_0_held),
        falsehood("carry_g_1_held", "a carry that grows by 3 on its way", carry_g_1_held),
        falsehood("limb_tie_g", "another scalar", limb_tie_g),
    ]
}

fn finish(plan: &Plan<Chip>) -> Verdict {
    judge_trace(&plan.prove())
}

/// B_j = −B_0 − B_1, and C_j is the third point of the corrections' line, which is not what B_j has become.
fn offset() -> Verdict {
    let [p, q] = Subfield::offsets();
    let third = -add::<Subfield>(Some(p), Some(q)).unwrap();
    let j = (third.x - p.x).dot_mul(&(q.x - p.x).inverse());
    assert_eq!(j, Fp7::from_base(j.0[0]));
    let (e, s) = (Scalar256::from(0x1234_5678_9abc_def1_u64), Scalar256::from(0xfedc_ba98_7654_3210_u64));
    let plan = Plan::<VerifyChip<Subfield>>::new(Some(Subfield::sample()), &e, &s);
    judge(&plan.with_offset(j.0[0]).prove())
}

fn line() -> Verdict {
    let mut plan = random_plan::<Chip>(&mut Random::new(1));
    let (h, honest) = (Septic::half_generator(), plan.prove());
    let (doubled, tau) = (honest.doubled(20), sign(honest.rows[20].digit_g));
    let rise = -doubled.y - h.y.scale(&tau);
    plan.on(20).lambda_3 = Some(rise.dot_mul(&(doubled.x - h.x).inverse()));
    finish(&plan)
}

/// A base for which 2·B_0 + σA on row 0 is `target`.
pub(crate) fn base_hitting(plan: &Plan<Chip>, target: Coordinates) -> Coordinates {
    let offset = Some(Septic::offsets()[0]);
    let twice = add::<Septic>(offset, offset).unwrap();
    let base = add::<Septic>(Some(target), Some(-twice)).unwrap();
    if plan.e.digits.digits[0] == 1 { base } else { -base }
}

/// With λ₃² = 3x_H the line through τH meets the curve there again: the next acc is −τH.
fn distinct() -> Verdict {
    let mut plan = random_plan::<Chip>(&mut Random::new(2));
    let h = Septic::half_generator();
    let signed = if plan.s.digits.digits[0] == 1 { h } else { -h };
    plan.base = base_hitting(&plan, signed);
    plan.on(0).lambda_3 = Some(h.x.tripled().try_sqrt().unwrap());
    finish(&plan)
}

/// y′ = −τy_H − λ₃(x′ − x_H) is −y₂ at x′ = x₂.
fn step_x() -> Verdict {
    let mut plan = random_plan::<Chip>(&mut Random::new(3));
    plan.on(20).next = Some(-plan.prove().doubled(20));
    finish(&plan)
}

fn step_y() -> Verdict {
    negated_after::<Chip>(20)
}

fn step_y_last() -> Verdict {
    negated_after::<Chip>(253)
}

/// The line through 2·acc + σA = (x₂, y₂) and (x_H, 3y_H), which is not on the curve, meets the curve in x₂ twice if
/// λ₃² = 2x₂ + x_H. Then the next acc is −(x₂, y₂), on the curve as it must be.
fn digit_g() -> Verdict {
    let mut random = Random::new(4);
    let (h, tau) = (Septic::half_generator(), element(3));
    let y_h = h.y.scale(&tau);
    // In λ: x₂ = (λ² − x_H)/2, y₂ = 3y_H + λ(x₂ − x_H), y₂² = x₂³ + ax₂ + b.
    let half = septic(2).inverse();
    let constant = |c: Fp7| Polynomial::new([c]);
    let lambda = Polynomial::new([Fp7::ZERO, Fp7::ONE]);
    let x_2 = lambda.times(&lambda).minus(&constant(h.x)).times(&constant(half));
    let y_2 = constant(y_h).plus(&lambda.times(&x_2.minus(&constant(h.x))));
    let cubic = x_2.times(&x_2).plus(&constant(Septic::a())).times(&x_2).plus(&constant(Septic::b()));
    let roots = y_2.times(&y_2).minus(&cubic).roots(&mut random);
    let slope = roots.first().unwrap();
    let target = Coordinates::new(x_2.at(*slope), y_2.at(*slope));
    loop {
        let mut plan = random_plan::<Chip>(&mut random);
        // Digit 2 instead of 1 on row 0: 2^253 more.
        let Some(claimed) = combine(&[(1, &plan.s.shown), (1, &power_of_two(253))]) else { continue };
        if plan.s.digits.digits[0] == 1 {
            plan.base = base_hitting(&plan, target);
            plan.s.shown = claimed;
            plan.on(0).digit_g = Some(KoalaBear::TWO);
            return finish(&plan);
        }
    }
}

fn horner_g() -> Verdict {
    let mut random = Random::new(5);
    let mut plan = random_plan::<Chip>(&mut random);
    let honest = plan.s.digits.clone();
    plan.s.digits.digits = Digits::unsigned(&limbs(&random.scalar())).digits;
    plan.s.horner = Some(honest.digits);
    finish(&plan)
}

/// Row 0 is reached from the row before it alone: the last row of the event before, or of the trace.
pub(crate) fn horner_g_start_block() -> Block<Chip> {
    let mut random = Random::new(6);
    loop {
        let plan = random_plan::<Chip>(&mut random);
        let Some(claimed) = combine(&[(1, &plan.s.shown), (1, &power_of_two(253))]) else { continue };
        let mut block = plan.prove();
        let mut weight = KoalaBear::ONE;
        for row in 0..=limb_row(15) {
            block.rows[row].horner_g += weight;
            weight = weight.double();
        }
        block.rows[limb_row(15) + 1].limb = element(claimed[15]);
        return block;
    }
}

fn horner_g_start() -> Verdict {
    judge_trace(&horner_g_start_block())
}

/// s = (s + q′) − q′: a small s leaves room for it.
fn wraps_minus_one(spill: Spill) -> Verdict {
    let mut random = Random::new(7);
    let s = Scalar256::from(12_345_u64);
    let mut plan = Plan::<Chip>::new(Some(random.point().into()), &random.scalar(), &s);
    plan.s.digits = Digits::unsigned_with(&limbs(&s), &[-1; 16]).unwrap();
    plan.spill = spill;
    finish(&plan)
}

fn wraps_g_0() -> Verdict {
    wraps_minus_one(Spill::Low)
}

fn wraps_g_1() -> Verdict {
    wraps_minus_one(Spill::High)
}

/// Tries scalars until one has a form with the changed count in limb 3.
fn changed_wraps(change: impl Fn(i64) -> i64) -> Verdict {
    let mut random = Random::new(8);
    loop {
        let mut plan = random_plan::<Chip>(&mut random);
        let mut wraps = plan.s.digits.wraps;
        wraps[3] = change(wraps[3]);
        if let Some(digits) = Digits::unsigned_with(&plan.s.shown, &wraps) {
            plan.s.digits = digits;
            return finish(&plan);
        }
    }
}

fn wraps_g_0_held() -> Verdict {
    changed_wraps(|wraps| if wraps % 3 == 2 { wraps - 1 } else { wraps + 1 })
}

fn wraps_g_1_held() -> Verdict {
    changed_wraps(|wraps| if wraps >= 3 { wraps - 3 } else { wraps + 3 })
}

/// Uses the digits of s + p·2^48: the carry out of limb 3 makes its equation hold modulo p.
fn carry_modulo_p(spill: Spill) -> Verdict {
    let mut random = Random::new(9);
    let p = i64::from(KoalaBear::ORDER_U32);
    let mut excess = ZERO;
    (excess[3], excess[4]) = (p & 0xffff, p >> 16);
    loop {
        let mut plan = random_plan::<Chip>(&mut random);
        if let Some(sum) = combine(&[(1, &plan.s.shown), (1, &excess)]) {
            plan.s.digits = Digits::unsigned(&sum);
            plan.spill = spill;
            return finish(&plan);
        }
    }
}

fn carry_g_0() -> Verdict {
    carry_modulo_p(Spill::Low)
}

fn carry_g_1() -> Verdict {
    carry_modulo_p(Spill::High)
}

/// Shows s and uses s − `growth`·2^(16·l): the carry into limb l grows by `growth` on its way from the limb below.
fn carry_grows(growth: i64) -> Verdict {
    let mut random = Random::new(10);
    loop {
        let mut plan = random_plan::<Chip>(&mut random);
        for l in 5..15 {
            let mut excess = ZERO;
            excess[l] = growth;
            let Some(used) = combine(&[(1, &plan.s.shown), (-1, &excess)]) else { continue };
            plan.s.substitute(Digits::unsigned(&used), used);
            let mut block = plan.prove();
            let row = &mut block.rows[limb_row(l) + 1];
            let cell = if growth == 3 { &mut row.carry_g_1 } else { &mut row.carry_g_0 };
            if cell.is_zero() {
                *cell = KoalaBear::ONE;
                return judge_trace(&block);
            }
        }
    }
}

fn carry_g_0_held() -> Verdict {
    carry_grows(1)
}

fn carry_g_1_held() -> Verdict {
    carry_grows(3)
}

fn limb_tie_g() -> Verdict {
    let mut random = Random::new(11);
    let mut plan = random_plan::<Chip>(&mut random);
    let other = limbs(&random.scalar());
    plan.s.substitute(Digits::unsigned(&other), other);
    finish(&plan)
}
