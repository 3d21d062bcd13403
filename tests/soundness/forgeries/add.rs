//! Forgeries of ADD rows.

use septic_chips::Operation;
use septic_chips::params::Septic;
use septic_curve::p3_field::{Field, PrimeCharacteristicRing};
use septic_curve::{Fp7, KoalaBear, Point};

use super::Outcome::FalseStatement;
use super::{Forgery, Verdict};
use crate::curves::Curve;
use crate::rows::{AddPlan, judge_add};
use crate::support::{Coordinates, Random, element, multiple, septic};

pub(super) fn forgeries() -> Vec<Forgery> {
    let forgery = |constraint, what, forge| Forgery {
        chip: Operation::Add,
        constraint,
        outcome: FalseStatement,
        what,
        forge,
    };
    vec![
        forgery("is_real", "is_real = 2 for points of y² = x³ + ax + 2b", is_real),
        forgery("p_identity", "both flags 1/2 for P = Q = R with x = 0, y² = b/2", half_identities),
        forgery("q_identity", "both flags 1/2 for P = Q = R with x = 0, y² = b/2", half_identities),
        forgery("p_curve", "a point with x = 0 as the identity P", p_curve),
        forgery("q_curve", "a point with x = 0 as the identity Q", q_curve),
        forgery("p_zero", "a point of y² = x³ + ax as the identity P", p_zero),
        forgery("q_zero", "a point of y² = x³ + ax as the identity Q", q_zero),
        forgery("r_is_q", "𝒪 + Q = another point", r_is_q),
        forgery("r_is_p", "P + 𝒪 = another point", r_is_p),
        forgery("r_zero", "P + (−P) = a finite point", r_zero),
        forgery("x_equal", "P + Q = 𝒪 for y_q = −y_p and another x", x_equal),
        forgery("y_opposed", "P + P = 𝒪", y_opposed),
        forgery("chord", "a free slope for y_q = −y_p and another x", chord),
        forgery("tangent", "a free slope for P = Q", tangent),
        forgery("x_r", "another x on the line", x_r),
        forgery("y_r", "the third point, not negated", y_r),
    ]
}

/// A point (x, y) of y² = x³ + ax + b.
pub(crate) fn point_of(b: Fp7, random: &mut Random) -> Coordinates {
    loop {
        let x = random.septic();
        if let Some(y) = (Septic::right_hand_side(x) - Septic::b() + b).try_sqrt() {
            return Coordinates::new(x, y);
        }
    }
}

/// Points (x, y) and (x', −y) of E with x' ≠ x.
pub(crate) fn opposed_pair(random: &mut Random) -> (Coordinates, Coordinates) {
    loop {
        let p = random.point();
        // (x³ + ax − x'³ − ax')/(x − x') as a polynomial in x'.
        let discriminant = -p.x().dot_square().tripled() - Septic::a().doubled().doubled();
        if let Some(root) = discriminant.try_sqrt() {
            let x = (root - p.x()).dot_mul(&septic(2).inverse());
            return (p.into(), Coordinates::new(x, -p.y()));
        }
    }
}

fn is_real() -> Verdict {
    let mut random = Random::new(1);
    let b = Septic::b().doubled();
    let mut plan = AddPlan::generic(point_of(b, &mut random), point_of(b, &mut random));
    plan.is_real = KoalaBear::TWO;
    judge_add(&plan)
}

/// All conditions that a flag of the identity brings hold, and those of a generic sum are off.
fn half_identities() -> Verdict {
    let half = element(2).inverse();
    let y = Septic::b().scale(&half).try_sqrt().unwrap();
    let point = Coordinates::new(Fp7::ZERO, y);
    let mut plan = AddPlan::generic(point, point);
    (plan.p_identity, plan.q_identity) = (half, half);
    judge_add(&plan)
}

fn p_curve() -> Verdict {
    let mut plan = AddPlan::new(Point::Identity, multiple(7));
    plan.p.y = Septic::b().try_sqrt().unwrap();
    judge_add(&plan)
}

fn q_curve() -> Verdict {
    let mut plan = AddPlan::new(multiple(7), Point::Identity);
    plan.q.y = Septic::b().try_sqrt().unwrap();
    judge_add(&plan)
}

fn p_zero() -> Verdict {
    let mut plan = AddPlan::new(Point::Identity, multiple(7));
    plan.p = point_of(Fp7::ZERO, &mut Random::new(2));
    judge_add(&plan)
}

fn q_zero() -> Verdict {
    let mut plan = AddPlan::new(multiple(7), Point::Identity);
    plan.q = point_of(Fp7::ZERO, &mut Random::new(3));
    judge_add(&plan)
}

/// Claims another result.
fn with_result(mut plan: AddPlan, r: Point) -> Verdict {
    let r = Coordinates::from(r);
    (plan.x_r, plan.y_r) = (Some(r.x), Some(r.y));
    judge_add(&plan)
}

fn r_is_q() -> Verdict {
    with_result(AddPlan::new(Point::Identity, multiple(7)), multiple(8))
}

fn r_is_p() -> Verdict {
    with_result(AddPlan::new(multiple(7), Point::Identity), multiple(8))
}

fn r_zero() -> Verdict {
    with_result(AddPlan::new(multiple(7), multiple(-7)), multiple(8))
}

fn x_equal() -> Verdict {
    let (p, q) = opposed_pair(&mut Random::new(4));
    let mut plan = AddPlan::generic(p, q);
    plan.opposite = KoalaBear::ONE;
    judge_add(&plan)
}

fn y_opposed() -> Verdict {
    let mut plan = AddPlan::new(multiple(7), multiple(7));
    plan.opposite = KoalaBear::ONE;
    judge_add(&plan)
}

/// The tangent's equation reads 0 = 0 here.
fn chord() -> Verdict {
    let mut random = Random::new(5);
    let (p, q) = opposed_pair(&mut random);
    let mut plan = AddPlan::generic(p, q);
    plan.lambda = Some(random.septic());
    judge_add(&plan)
}

/// The chord's equation reads 0 = 0 here.
fn tangent() -> Verdict {
    let mut plan = AddPlan::new(multiple(7), multiple(7));
    plan.lambda = Some(Random::new(6).septic());
    judge_add(&plan)
}

fn x_r() -> Verdict {
    let mut plan = AddPlan::new(multiple(7), multiple(8));
    // x of P: y is then −y_p, so the row shows −P.
    plan.x_r = Some(plan.p.x);
    judge_add(&plan)
}

fn y_r() -> Verdict {
    with_result(AddPlan::new(multiple(7), multiple(8)), multiple(-15))
}
