//! Forgeries of DOUBLE rows.

use septic_chips::Operation;
use septic_chips::params::Septic;
use septic_curve::p3_field::{Field, PrimeCharacteristicRing};
use septic_curve::{Fp7, KoalaBear, Point};

use super::Outcome::FalseStatement;
use super::add::point_of;
use super::{Forgery, Verdict};
use crate::curves::Curve;
use crate::rows::{DoublePlan, judge_double};
use crate::support::{Coordinates, Random, element, multiple};

pub(super) fn forgeries() -> Vec<Forgery> {
    let forgery = |constraint, what, forge| Forgery {
        chip: Operation::Double,
        constraint,
        outcome: FalseStatement,
        what,
        forge,
    };
    vec![
        forgery("is_real", "is_real = 2 for a point of y² = x³ + ax + 2b", is_real),
        forgery("p_identity", "an identity flag c with x² = a(c − 1)/3, y² = x³ + ax + b(1 − c)", p_identity),
        forgery("p_curve", "a point of another curve", p_curve),
        forgery("lambda_zero", "a point of y² = x³ + ax as the identity", lambda_zero),
        forgery("lambda_zero", "2𝒪 = (λ², −λ³)", double_of_identity),
        forgery("tangent", "a free slope", tangent),
        forgery("x_r", "another x on the tangent", x_r),
        forgery("y_r", "the third point, not negated", y_r),
    ]
}

/// The tangent's slope is that of y² = x³ + 2ax: the row's equations know a and b times `is_real`.
fn is_real() -> Verdict {
    let mut plan = DoublePlan::generic(point_of(Septic::b().doubled(), &mut Random::new(1)));
    plan.is_real = KoalaBear::TWO;
    judge_double(&plan)
}

/// With slope 0 the tangent's equation leaves x² = −a(1 − c)/3.
fn p_identity() -> Verdict {
    let third = element(3).inverse();
    let plan = (2..)
        .find_map(|c| {
            let finite = KoalaBear::ONE - element(c);
            let x = (-Septic::a()).scale(&(finite * third)).try_sqrt()?;
            let y = (Septic::right_hand_side(x) - Septic::b() + Septic::b().scale(&finite)).try_sqrt()?;
            let mut plan = DoublePlan::generic(Coordinates::new(x, y));
            plan.p_identity = element(c);
            plan.lambda = Some(Fp7::ZERO);
            Some(plan)
        })
        .unwrap();
    judge_double(&plan)
}

fn p_curve() -> Verdict {
    let mut random = Random::new(2);
    judge_double(&DoublePlan::generic(Coordinates::new(random.septic(), random.septic())))
}

fn lambda_zero() -> Verdict {
    let mut plan = DoublePlan::generic(point_of(Fp7::ZERO, &mut Random::new(3)));
    plan.p_identity = KoalaBear::ONE;
    judge_double(&plan)
}

/// (0, 0) satisfies the curve's and the tangent's equations with the flag set, whatever the slope.
fn double_of_identity() -> Verdict {
    let mut plan = DoublePlan::new(Point::Identity);
    plan.lambda = Some(Random::new(5).septic());
    judge_double(&plan)
}

fn tangent() -> Verdict {
    let mut plan = DoublePlan::new(multiple(7));
    plan.lambda = Some(Random::new(4).septic());
    judge_double(&plan)
}

fn x_r() -> Verdict {
    let mut plan = DoublePlan::new(multiple(7));
    // x of P: y is then −y_p, so the row shows −P.
    plan.x_r = Some(plan.p.x);
    judge_double(&plan)
}

fn y_r() -> Verdict {
    let mut plan = DoublePlan::new(multiple(7));
    plan.y_r = Some(Coordinates::from(multiple(-14)).y);
    judge_double(&plan)
}
