//! Septic equations are seven equations each: no coordinate is left out and none shares an equation with another.
//!
//! For every septic constraint a row is built whose residue (what should vanish) is a given element: d in one
//! coordinate, or d in one and −d in another. Exactly these coordinates of the constraint must be violated, and where
//! the residue can be had without breaking anything else, nothing else.

use std::sync::LazyLock;

use septic_chips::ladder::{CORRECTION_ROW, OUTPUT_ROW};
use septic_chips::params::Septic;
use septic_chips::sink::Label;
use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{DEGREE, Fp7, KoalaBear, Point, Scalar, Scalar256, lift_x};

use crate::block::{Block, LadderChip, Plan};
use crate::curves::Curve;
use crate::forgeries::constraints;
use crate::judge::{Found, failures};
use crate::polynomial::Polynomial;
use crate::rows::{AddPlan, DoublePlan, cells};
use crate::support::{Coordinates, Random, affine, element, monomial, multiple, name_of, septic, times};

/// Rows with a given residue of one constraint.
struct Case<'a> {
    /// The constraint's name.
    constraint: &'static str,
    /// Whether nothing but the constraint is violated.
    exact: bool,
    /// What a trace with this residue violates; `None` if there is none with this residue.
    found: Box<dyn Fn(Fp7) -> Option<Vec<Found>> + 'a>,
}

/// Runs a case with every coordinate and every pair of coordinates; returns how many traces were tried.
fn run(case: &Case<'_>) -> usize {
    let all: Vec<(usize, Option<usize>)> = (0..DEGREE)
        .flat_map(|i| core::iter::once((i, None)).chain((i + 1..DEGREE).map(move |j| (i, Some(j)))))
        .collect();
    for &(i, j) in &all {
        let residue = |d: KoalaBear| {
            let second = j.map_or(Fp7::ZERO, |j| monomial(-d, j));
            monomial(d, i) + second
        };
        let mut found = (1..).find_map(|d| (case.found)(residue(element(d)))).unwrap();
        if !case.exact {
            found.retain(|(_, label, _)| name_of(*label) == case.constraint);
            // Held columns differ from both neighbours.
            let first = found.first().map(|(row, _, _)| *row);
            found.retain(|(row, _, _)| Some(*row) == first);
        }
        let violated: Vec<(&str, Option<usize>)> =
            found.iter().map(|(_, label, coordinate)| (name_of(*label), *coordinate)).collect();
        let expected: Vec<_> =
            core::iter::once(i).chain(j).map(|coordinate| (case.constraint, Some(coordinate))).collect();
        assert_eq!(violated, expected);
    }
    all.len()
}

/// Runs the cases and compares their constraints with the septic ones among `labels`.
fn run_all(cases: &[Case<'_>], labels: &[(Label, usize)]) -> usize {
    let mut covered: Vec<&str> = cases.iter().map(|case| case.constraint).collect();
    covered.sort_unstable();
    let mut septic: Vec<&str> = labels
        .iter()
        .flat_map(|(label, equations)| core::iter::repeat_n(name_of(*label), equations / DEGREE))
        .collect();
    septic.sort_unstable();
    assert_eq!(covered, septic, "one case for each septic equation");
    cases.iter().map(run).sum()
}

fn labels_of(chip: septic_chips::Operation) -> Vec<(Label, usize)> {
    constraints().into_iter().find(|(other, _)| *other == chip).unwrap().1
}

fn add_case<'a>(constraint: &'static str, plan: impl Fn(Fp7) -> Option<AddPlan> + 'a) -> Case<'a> {
    let found = move |residue| plan(residue).map(|plan| failures::<AddChip>(&cells(&plan.row()), &[]));
    Case { constraint, exact: true, found: Box::new(found) }
}

fn double_case<'a>(constraint: &'static str, plan: impl Fn(Fp7) -> Option<DoublePlan> + 'a) -> Case<'a> {
    let found = move |residue| plan(residue).map(|plan| failures::<DoubleChip>(&cells(&plan.row()), &[]));
    Case { constraint, exact: true, found: Box::new(found) }
}

/// Both coordinates of a wrong result, as two cases.
fn wrong_results<'a>(constraint: &'static str, plan: &AddPlan) -> [Case<'a>; 2] {
    let (x_plan, y_plan, row) = (plan.clone(), plan.clone(), plan.row());
    [
        add_case(constraint, move |d| {
            Some(AddPlan { x_r: Some(row.x_r + d), y_r: Some(row.y_r), ..x_plan.clone() })
        }),
        add_case(constraint, move |d| Some(AddPlan { y_r: Some(row.y_r + d), ..y_plan.clone() })),
    ]
}

fn add() -> usize {
    let (p, q) = (multiple(7), multiple(9));
    let a = Septic::a();
    let without_b = |x: Fp7| (x.dot_square() + a).dot_mul(&x).try_sqrt();
    // Points (x, y), (x + d, −y).
    let opposed = move |d: Fp7| {
        let discriminant = -(d.dot_square().tripled()) - a.doubled().doubled().tripled();
        let x = (discriminant.try_sqrt()? - d.tripled()).dot_mul(&septic(6).inverse());
        let p = Coordinates::from(lift_x(x)?);
        Some((p, Coordinates::new(x + d, -p.y)))
    };
    let (random_p, random_q) = crate::forgeries::opposed_pair(&mut Random::new(1));
    let mut cases = vec![
        add_case("p_curve", |d| {
            let mut plan = AddPlan::new(Point::Identity, q);
            plan.p.y = d.try_sqrt()?;
            Some(plan)
        }),
        add_case("q_curve", |d| {
            let mut plan = AddPlan::new(p, Point::Identity);
            plan.q.y = d.try_sqrt()?;
            Some(plan)
        }),
        add_case("p_zero", move |d| {
            let mut plan = AddPlan::new(Point::Identity, q);
            plan.p = Coordinates::new(d, without_b(d)?);
            Some(plan)
        }),
        add_case("q_zero", move |d| {
            let mut plan = AddPlan::new(p, Point::Identity);
            plan.q = Coordinates::new(d, without_b(d)?);
            Some(plan)
        }),
        add_case("x_equal", move |d| {
            let (p, q) = opposed(d)?;
            Some(AddPlan { opposite: KoalaBear::ONE, ..AddPlan::generic(p, q) })
        }),
        add_case("y_opposed", move |d| {
            let y = d.dot_mul(&septic(2).inverse());
            let cubic = [Septic::b() - y.dot_square(), a, Fp7::ZERO, Fp7::ONE];
            let x = *Polynomial::new(cubic).roots(&mut Random::new(2)).first()?;
            let p = Coordinates::new(x, y);
            Some(AddPlan { opposite: KoalaBear::ONE, ..AddPlan::generic(p, p) })
        }),
        add_case("chord", move |d| {
            let lambda = (d - random_p.y.doubled()).dot_mul(&(random_q.x - random_p.x).inverse());
            Some(AddPlan { lambda: Some(lambda), ..AddPlan::generic(random_p, random_q) })
        }),
        add_case("tangent", |d| {
            let honest = AddPlan::new(p, p);
            let error = d.dot_mul(&honest.p.y.doubled().inverse());
            Some(AddPlan { lambda: Some(honest.row().lambda + error), ..honest })
        }),
        add_case("x_r", |d| {
            let honest = AddPlan::new(p, q);
            Some(AddPlan { x_r: Some(honest.row().x_r + d), ..honest })
        }),
        add_case("y_r", |d| {
            let honest = AddPlan::new(p, q);
            Some(AddPlan { y_r: Some(honest.row().y_r + d), ..honest })
        }),
    ];
    cases.extend(wrong_results("r_is_q", &AddPlan::new(Point::Identity, q)));
    cases.extend(wrong_results("r_is_p", &AddPlan::new(p, Point::Identity)));
    cases.extend(wrong_results("r_zero", &AddPlan::new(p, -p)));
    run_all(&cases, &labels_of(septic_chips::Operation::Add))
}

fn double() -> usize {
    let p = multiple(7);
    let cases = [
        double_case("p_curve", |d| {
            let x = Random::new(3).septic();
            let y = (Septic::right_hand_side(x) + d).try_sqrt()?;
            Some(DoublePlan::generic(Coordinates::new(x, y)))
        }),
        double_case("lambda_zero", |d| {
            Some(DoublePlan { lambda: Some(d), ..DoublePlan::new(Point::Identity) })
        }),
        double_case("tangent", |d| {
            let honest = DoublePlan::new(p);
            let error = d.dot_mul(&honest.p.y.doubled().inverse());
            Some(DoublePlan { lambda: Some(honest.row().lambda + error), ..honest })
        }),
        double_case("x_r", |d| {
            let honest = DoublePlan::new(p);
            Some(DoublePlan { x_r: Some(honest.row().x_r + d), ..honest })
        }),
        double_case("y_r", |d| {
            let honest = DoublePlan::new(p);
            Some(DoublePlan { y_r: Some(honest.row().y_r + d), ..honest })
        }),
    ];
    run_all(&cases, &labels_of(septic_chips::Operation::Double))
}

fn plan<C: LadderChip<Curve = Septic>>() -> Plan<C> {
    let mut random = Random::new(4);
    Plan::new(Some(random.point().into()), &random.scalar(), &random.scalar())
}

fn found<C: LadderChip>(block: &Block<C>) -> Vec<Found> {
    failures::<C>(&block.cells(), &vec![block.evaluation_point; C::NUM_PARAMETERS])
}

/// A case that fills a block from a changed plan: nothing but the constraint is violated.
fn planned<'a, C: LadderChip<Curve = Septic>>(
    constraint: &'static str,
    change: impl Fn(Fp7, &Block<C>, &mut Plan<C>) -> Option<()> + 'a,
) -> Case<'a> {
    let honest = plan::<C>().prove();
    let found = move |residue| {
        let mut plan = plan::<C>();
        change(residue, &honest, &mut plan)?;
        Some(found(&plan.prove()))
    };
    Case { constraint, exact: true, found: Box::new(found) }
}

/// A case that changes cells of an honest block: other constraints may be violated too.
fn edited<'a, C: LadderChip<Curve = Septic>>(
    constraint: &'static str,
    edit: impl Fn(Fp7, &mut Block<C>) + 'a,
) -> Case<'a> {
    let honest = plan::<C>().prove();
    let found = move |residue| {
        let mut block = honest.clone();
        edit(residue, &mut block);
        Some(found(&block))
    };
    Case { constraint, exact: false, found: Box::new(found) }
}

/// Changes λ₁ of a row so that its y grows by d.
fn raise_y<C: LadderChip>(block: &mut Block<C>, row: usize, d: Fp7) {
    let row = &mut block.rows[row];
    row.lambda_1 -= d.dot_mul(&(row.x_t - row.x).inverse());
}

fn ladder_cases<'a, C: LadderChip<Curve = Septic>>() -> Vec<Case<'a>> {
    vec![
        // On row 255 no transition reads the slopes.
        planned::<C>("slope_1", |d, honest, plan| {
            let row = &honest.rows[OUTPUT_ROW];
            plan.on(OUTPUT_ROW).lambda_1 = Some(row.lambda_1 + d.dot_mul(&row.y_t.doubled().inverse()));
            Some(())
        }),
        planned::<C>("slope_2", |d, honest, plan| {
            let row = &honest.rows[OUTPUT_ROW];
            let run = row.x.doubled() + row.x_t - row.lambda_1.dot_square();
            plan.on(OUTPUT_ROW).lambda_2 = Some(row.lambda_2 + d.dot_mul(&run.inverse()));
            Some(())
        }),
        edited::<C>("start_x", |d, block| block.rows[0].x += d),
        edited::<C>("start_y", |d, block| raise_y(block, 0, d)),
        edited::<C>("base_held", |d, block| block.rows[7].x_t += d),
        edited::<C>("base_held", |d, block| block.rows[7].y_t += d),
        edited::<C>("correction_base", |d, block| {
            let row = &mut block.rows[CORRECTION_ROW];
            row.x_t += d;
        }),
        edited::<C>("correction_base", |d, block| {
            let row = &mut block.rows[CORRECTION_ROW];
            row.y_t += d;
        }),
        // A base for which acc − C_0 has the x of C_0 + d, and the digit of an identity.
        planned::<C>("correction_identity", |d, _, plan| {
            let correction = C::corrections()[0];
            let acc = lift_x(correction.x + d)?;
            let correction = septic_curve::AffinePoint::new(correction.x, correction.y).unwrap();
            let mut product = Point::from(acc) - correction.into();
            if C::WITH_GENERATOR {
                product -= Point::GENERATOR.mul_vartime(&crate::integer::to_scalar(&plan.s.shown));
            }
            let e = Scalar::from(crate::integer::to_scalar(&plan.e.shown));
            plan.base = affine(times(e.invert()?, product)).into();
            plan.on(CORRECTION_ROW).digit = Some(KoalaBear::ONE);
            Some(())
        }),
        planned::<C>("correction_x", |d, honest, plan| {
            let (acc, row) = (honest.accumulator(CORRECTION_ROW), &honest.rows[CORRECTION_ROW]);
            let x = honest.rows[OUTPUT_ROW].x + d;
            let next = Coordinates::new(x, row.lambda_1.dot_mul(&(acc.x - x)) - acc.y);
            plan.on(CORRECTION_ROW).next = Some(next);
            Some(())
        }),
        planned::<C>("correction_y", |d, honest, plan| {
            let next = honest.accumulator(OUTPUT_ROW);
            plan.on(CORRECTION_ROW).next = Some(Coordinates::new(next.x, next.y + d));
            Some(())
        }),
        planned::<C>("output_point", |d, honest, plan| {
            plan.on(OUTPUT_ROW).base = Some(lift_x(honest.rows[OUTPUT_ROW].x - d)?.into());
            Some(())
        }),
        edited::<C>("step_x", |d, block| block.rows[21].x += d),
        edited::<C>("step_y", |d, block| raise_y(block, 21, d)),
    ]
}

fn scalar_mul() -> usize {
    run_all(&ladder_cases::<ScalarMulChip>(), &labels_of(septic_chips::Operation::ScalarMul))
}

fn verify() -> usize {
    let mut cases = ladder_cases::<VerifyChip>();
    cases.push(planned::<VerifyChip>("line", |d, honest, plan| {
        let run = honest.doubled(OUTPUT_ROW).x - Septic::half_generator().x;
        let honest = honest.rows[OUTPUT_ROW].lambda_3;
        plan.on(OUTPUT_ROW).lambda_3 = Some(honest + d.dot_mul(&run.inverse()));
        Some(())
    }));
    run_all(&cases, &labels_of(septic_chips::Operation::Verify))
}

static ADD: LazyLock<usize> = LazyLock::new(add);
static DOUBLE: LazyLock<usize> = LazyLock::new(double);
static SCALAR_MUL: LazyLock<usize> = LazyLock::new(scalar_mul);
static VERIFY: LazyLock<usize> = LazyLock::new(verify);

/// How many traces were tried, each kind run once in a process.
pub(crate) fn mutations() -> usize {
    *ADD + *DOUBLE + *SCALAR_MUL + *VERIFY
}

/// A result that is 𝒪 has no generic row 255: the cases above need an honest block with a finite one.
#[test]
fn the_honest_blocks_are_honest() {
    let shown = plan::<VerifyChip>().prove();
    assert_eq!(found(&shown), []);
    assert!(shown.statement_holds() && shown.shown().unwrap().out.is_some());
    assert_ne!(shown.shown().unwrap().s, Scalar256::ZERO);
}

#[test]
fn add_coordinates() {
    assert_eq!(*ADD, 16 * 28);
}

#[test]
fn double_coordinates() {
    assert_eq!(*DOUBLE, 5 * 28);
}

#[test]
fn scalar_mul_coordinates() {
    assert_eq!(*SCALAR_MUL, 14 * 28);
}

#[test]
fn verify_coordinates() {
    assert_eq!(*VERIFY, 15 * 28);
}
