//! Forgeries of the constraints that SCALAR_MUL has for itself, and of its offset's.

use septic_chips::ladder::DIGITS;
use septic_chips::{Operation, ScalarMulChip};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{Fp7, KoalaBear, Scalar256};

use super::Outcome::FalseStatement;
use super::ladder::{negated_after, random_plan};
use super::{Forgery, Verdict};
use crate::block::{LadderChip, Plan};
use crate::curves::{Curve, Subfield};
use crate::judge::{judge, judge_trace};
use crate::support::{Coordinates, Random, septic};

type Chip = ScalarMulChip;

pub(super) fn forgeries() -> Vec<Forgery> {
    let forgery = |constraint, what, forge| Forgery {
        chip: Operation::ScalarMul,
        constraint,
        outcome: FalseStatement,
        what,
        forge,
    };
    vec![
        forgery("offset", "an offset that puts start and correction on another curve", offset),
        forgery("step_x", "−acc for 2·acc + σT", step_x),
        forgery("step_y", "−(2·acc + σT) for 2·acc + σT", step_y),
        forgery("step_y", "the same on the last digit row", step_y_last),
    ]
}

/// y² − x³ − ax of the point j·p₁ + (1 − j)·p₀.
fn constant_term<C: Curve>([p, q]: [Coordinates; 2], j: KoalaBear) -> Fp7 {
    let x = p.x + (q.x - p.x).scale(&j);
    let y = p.y + (q.y - p.y).scale(&j);
    y.dot_square() - C::right_hand_side(x) + C::b()
}

/// The j ≠ 0, 1 for which the points that start and correction select are on one curve y² = x³ + ax + b′, if there is
/// one in F_p.
///
/// Both constant terms are b at j = 0, 1, so their difference is j(j − 1)(αj + β).
fn common_curve<C: LadderChip>() -> Option<KoalaBear> {
    let (start, correction) = (C::Curve::offsets(), C::corrections());
    let quotient = |j: i64| {
        let j = KoalaBear::from_i64(j);
        let difference = constant_term::<C::Curve>(start, j) - constant_term::<C::Curve>(correction, j);
        difference.dot_mul(&Fp7::from_base(j * (j - KoalaBear::ONE)).inverse())
    };
    // αj + β at 2 and 3.
    let (at_two, at_three) = (quotient(2), quotient(3));
    let alpha = at_three - at_two;
    let root = septic(2) - at_two.dot_mul(&alpha.inverse());
    (root == Fp7::from_base(root.0[0])).then_some(root.0[0])
}

/// The whole event takes place on y² = x³ + ax + b′, with a base there.
fn offset() -> Verdict {
    type Chip = ScalarMulChip<Subfield>;
    let j = common_curve::<Chip>().unwrap();
    let b = constant_term::<Subfield>(Subfield::offsets(), j);
    assert_ne!(b, Subfield::b());
    let base = (5..)
        .find_map(|x| {
            let x = septic(x);
            let y = (Subfield::right_hand_side(x) - Subfield::b() + b).try_sqrt()?;
            Some(Coordinates::new(x, y))
        })
        .unwrap();
    // Odd and small: a form without multiples of r.
    let e = Scalar256::from(0x1234_5678_9abc_def1_u64);
    judge(&Plan::<Chip>::new(Some(base), &e, &Scalar256::ZERO).with_offset(j).prove())
}

/// y′ = λ₂(x − x′) − y is −y at x′ = x.
fn step_x() -> Verdict {
    let mut plan = random_plan::<Chip>(&mut Random::new(1));
    plan.on(20).next = Some(-plan.prove().accumulator(20));
    judge_trace(&plan.prove())
}

fn step_y() -> Verdict {
    negated_after::<Chip>(20)
}

fn step_y_last() -> Verdict {
    negated_after::<Chip>(DIGITS - 1)
}

/// With the chip's own constants no other j puts start and correction on one curve.
#[test]
fn the_real_offsets_share_no_other_curve() {
    assert_eq!(common_curve::<Chip>(), None);
}
