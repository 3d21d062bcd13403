//! Formulas, digits and flags: classes 1 to 6.

use std::collections::BTreeSet;

use septic_chips::check::{check_row, field_flags};
use septic_chips::ladder::{DIGITS, ROWS};
use septic_chips::params::Septic;
use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, lift_x, params};
use septic_trace::{AddEvent, DoubleEvent, ScalarMulEvent, TraceChip, TraceError, VerifyEvent};

use crate::block::{Block, Plan, Row};
use crate::curves::Curve;
use crate::forgeries::{RealChip, base_hitting, free_slope_block, random_plan};
use crate::integer::{combine, limbs, order, power_of_two, to_scalar};
use crate::judge::{failures, found_in, names_in};
use crate::rows::{AddPlan, DoublePlan, add_statement_holds, cells, double_statement_holds};
use crate::support::{Coordinates, Random, element, monomial, multiple, name_of};

use super::{Flag, add_names, double_names, only, parameters, provable};

#[test]
fn pitfall_01_equal_points_with_the_formula_for_distinct_ones() {
    let p = multiple(11);
    let mut random = Random::new(1);
    // In ADD the chord reads 0 = 0 for P = Q.
    for _ in 0..8 {
        let plan = AddPlan { lambda: Some(random.septic()), ..AddPlan::new(p, p) };
        assert_eq!(add_names(&plan), only("tangent"));
        assert!(!add_statement_holds(&plan.row()));
    }
    // In the ladder the line through acc and σT is any line for acc = σT.
    fn in_the_ladder<C: RealChip>() {
        let block = free_slope_block::<C>();
        assert_eq!(block.accumulator(0).x, block.rows[0].x_t);
        assert_eq!(names_in(&block), only("slope_1"));
        assert!(!block.statement_holds());
    }
    in_the_ladder::<ScalarMulChip>();
    in_the_ladder::<VerifyChip>();
    // All of it is provable: P = Q, acc = σT on row 0 from either offset.
    provable::<AddChip>(&[AddEvent { p, q: p }]);
    for offset in params::OFFSETS {
        for base in [offset, -offset].map(Point::from) {
            let events = [1_u64, 2].map(|s| ScalarMulEvent { p: base, s: s.into() });
            provable::<ScalarMulChip>(&events);
            provable::<VerifyChip>(&events.map(|event| VerifyEvent { a: base, s: event.s, e: event.s }));
        }
    }
}

#[test]
fn pitfall_02_differences_with_one_coordinate() {
    let mut random = Random::new(2);
    for i in 0..7 {
        let difference = |d: i64| monomial(element(d), i);
        // ADD: x_q − x_p = d·z^i.
        let (p, q) = (1..)
            .find_map(|d| {
                let p = random.point();
                Some((p, lift_x(p.x() + difference(d))?))
            })
            .unwrap();
        provable::<AddChip>(&[AddEvent { p: p.into(), q: q.into() }]);
        // The slope is pinned in every coordinate.
        for j in 0..7 {
            let honest = AddPlan::new(p.into(), q.into());
            let lambda = honest.row().lambda + monomial(KoalaBear::ONE, j);
            let names = add_names(&AddPlan { lambda: Some(lambda), ..honest });
            assert_eq!(names, BTreeSet::from(["chord", "tangent"]));
        }
        // The ladder, row 0: x_t − x = d·z^i, and x₂ − x_H = d·z^i.
        let plan = random_plan::<VerifyChip>(&mut random);
        let (e, s) = (to_scalar(&plan.e.shown), to_scalar(&plan.s.shown));
        let near_offset = (1..).find_map(|d| lift_x(params::OFFSETS[0].x() + difference(d))).unwrap();
        provable::<ScalarMulChip>(&[ScalarMulEvent { p: near_offset.into(), s: e }]);
        let target = (1..).find_map(|d| lift_x(params::HALF_GENERATOR.x() + difference(d))).unwrap();
        let base = base_hitting(&plan, target.into());
        let a = AffinePoint::new(base.x, base.y).unwrap().into();
        provable::<VerifyChip>(&[VerifyEvent { a, s, e }]);
        let honest = Block::<VerifyChip>::honest(Some(base), &e, &s);
        for j in 0..7 {
            let mut forged = Plan::<VerifyChip>::new(Some(base), &e, &s);
            forged.on(0).lambda_3 = Some(honest.rows[0].lambda_3 + monomial(KoalaBear::ONE, j));
            let found = found_in(&forged.prove());
            assert!(found.iter().any(|(row, label, _)| (*row, name_of(*label)) == (0, "line")));
        }
    }
}

#[test]
fn pitfall_03_tangents_at_points_with_y_0() {
    // 3x² + a = 0 and y = 0: every slope is the tangent's.
    let x = (-Septic::a()).dot_mul(&Fp7::from_base(element(3)).inverse()).try_sqrt().unwrap();
    let p = Coordinates::new(x, Fp7::ZERO);
    let mut random = Random::new(3);
    for _ in 0..8 {
        let lambda = Some(random.septic());
        let double = DoublePlan { lambda, ..DoublePlan::generic(p) };
        assert_eq!(double_names(&double), only("p_curve"));
        assert!(!double_statement_holds(&double.row()));
        let add = AddPlan { lambda, ..AddPlan::generic(p, p) };
        assert_eq!(add_names(&add), BTreeSet::from(["p_curve", "q_curve"]));
    }
    let off = AffinePoint::new_unchecked(p.x, p.y).into();
    let error = TraceError::NotOnCurve { event: 0, field: "p" };
    assert_eq!(DoubleChip::generate_trace(&[DoubleEvent { p: off }]).unwrap_err(), error);
    // Other points with y = 0 have no tangent at all.
    let other = Coordinates::new(random.septic(), Fp7::ZERO);
    assert!(double_names(&DoublePlan::generic(other)).contains("tangent"));
}

#[test]
fn pitfall_04_errors_that_cancel() {
    let (p, q) = (multiple(7), multiple(9));
    let d = element(12_345);
    for i in 0..7 {
        for j in (0..7).filter(|&j| j != i) {
            let error = monomial(d, i) - monomial(d, j);
            let honest = AddPlan::new(p, q);
            let y_r = honest.row().y_r + error;
            let found = failures::<AddChip>(&cells(&AddPlan { y_r: Some(y_r), ..honest }.row()), &[]);
            let coordinates: BTreeSet<_> = found.iter().map(|(_, _, coordinate)| *coordinate).collect();
            assert_eq!(coordinates, BTreeSet::from([Some(i), Some(j)]));
            // An error in x and the opposite one in y.
            let row = AddPlan::new(p, -p).row();
            let plan = AddPlan {
                x_r: Some(row.x_r + monomial(d, i)),
                y_r: Some(row.y_r - monomial(d, j)),
                ..AddPlan::new(p, -p)
            };
            assert_eq!(failures::<AddChip>(&cells(&plan.row()), &[]).len(), 2);
        }
    }
}

/// Digits of either scalar that are not boolean, on each row, with all accumulators as they follow; and digits that are
/// boolean but not those of the scalar shown, on each row.
#[test]
fn pitfall_05_digits_and_limbs() {
    fn run<C: RealChip>() {
        let mut random = Random::new(5);
        // In the middle of [0, 2^256): a digit changed leaves the scalar in it.
        let middle = combine(&[(1, &limbs(&random.scalar())), (0, &order())]).unwrap();
        let middle = core::array::from_fn(|l| if l == 15 { 0x8000 } else { middle[l] });
        let base = Some(Coordinates::from(random.point()));
        let honest = Plan::<C>::new(base, &to_scalar(&middle), &to_scalar(&middle));
        for row in 0..ROWS {
            for digit in [element(2), element(-1), element(2).inverse(), random.element()] {
                let mut forged = honest.clone();
                forged.on(row).digit = Some(digit);
                let found = found_in(&forged.prove());
                assert!(found.iter().any(|(at, label, _)| (*at, name_of(*label)) == (row, "digit")));
                if C::WITH_GENERATOR {
                    let mut forged = honest.clone();
                    forged.on(row).digit_g = Some(digit);
                    let found = found_in(&forged.prove());
                    assert!(found.iter().any(|(at, label, _)| (*at, name_of(*label)) == (row, "digit_g")));
                }
            }
        }
        for row in 0..DIGITS {
            let mut forged = honest.clone();
            let digit = &mut forged.e.digits.digits[row];
            *digit = 1 - *digit;
            // A digit of row i counts 2·2^(253 − i).
            let used = combine(&[(1, &middle), (2 * *digit - 1, &power_of_two(254 - row))]).unwrap();
            forged.e.carried = Some(used);
            let block = forged.prove();
            assert_eq!(names_in(&block), only("limb_tie"), "row {row}");
            assert!(!block.statement_holds());
            if C::WITH_GENERATOR {
                let mut forged = honest.clone();
                let digit = &mut forged.s.digits.digits[row];
                *digit = 1 - *digit;
                let used = combine(&[(1, &middle), (2 * *digit - 1, &power_of_two(253 - row))]).unwrap();
                forged.s.carried = Some(used);
                let block = forged.prove();
                assert_eq!(names_in(&block), only("limb_tie_g"), "row {row}");
                assert!(!block.statement_holds());
            }
        }
    }
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

#[test]
fn pitfall_06_flags_that_are_no_flags() {
    let weird = element(1234);
    // Every flag and every small number on every row: out of range iff its constraint says so.
    fn run<C: RealChip>(flags: &[Flag], weird: KoalaBear) {
        let honest: Block<C> = random_plan(&mut Random::new(6)).prove();
        let numbers: Vec<KoalaBear> = (-1..=6).map(element).chain([element(2).inverse(), weird]).collect();
        for row in 0..ROWS {
            let field_flags = field_flags::<C, KoalaBear>(row);
            let cells_of = |row: &Row| cells(row)[..C::WIDTH].to_vec();
            let next = cells_of(&honest.rows[(row + 1) % ROWS]);
            for (name, flag) in flags {
                let largest = if TERNARY.contains(name) { 2 } else { 1 };
                for number in &numbers {
                    let mut forged = honest.rows[row];
                    *flag(&mut forged) = *number;
                    let found =
                        check_row::<C, _>(&cells_of(&forged), &next, &field_flags, &parameters::<C>());
                    let rejected = found.iter().any(|failure| name_of(failure.label) == *name);
                    assert_eq!(rejected, number.as_canonical_u32() > largest, "{name} = {number}");
                }
            }
        }
    }
    run::<ScalarMulChip>(&LADDER_FLAGS, weird);
    run::<VerifyChip>(&LADDER_FLAGS, weird);
    run::<VerifyChip>(&GENERATOR_FLAGS, weird);

    let (p, q) = (multiple(3), multiple(4));
    for (p, q) in [(p, q), (p, p), (p, -p), (p, Point::Identity), (Point::Identity, Point::Identity)] {
        let honest = AddPlan::new(p, q);
        assert!(add_names(&AddPlan { is_real: weird, ..honest.clone() }).contains("is_real"));
        // Each of the other flags is left no second value, by its own constraint or by the rest.
        assert!(!add_names(&AddPlan { p_identity: weird, ..honest.clone() }).is_empty());
        assert!(!add_names(&AddPlan { q_identity: weird, ..honest.clone() }).is_empty());
        assert!(!add_names(&AddPlan { opposite: weird, ..honest.clone() }).is_empty());
        // Two flags on together.
        for (first, second, third) in [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)] {
            let flags = [first, second, third].map(element);
            let forged =
                AddPlan { p_identity: flags[0], q_identity: flags[1], opposite: flags[2], ..honest.clone() };
            assert!(add_names(&forged).is_empty() <= add_statement_holds(&forged.row()));
        }
        let double = DoublePlan::new(p);
        assert!(double_names(&DoublePlan { is_real: weird, ..double.clone() }).contains("is_real"));
        assert!(double_names(&DoublePlan { p_identity: weird, ..double }).contains("p_identity"));
    }
}

/// The small numbers that may be 2.
const TERNARY: [&str; 4] = ["wraps", "carry_0", "wraps_g_0", "carry_g_0"];

const LADDER_FLAGS: [Flag; 7] = [
    ("digit", |row| &mut row.digit),
    ("offset", |row| &mut row.offset),
    ("parity", |row| &mut row.parity),
    ("identity", |row| &mut row.identity),
    ("wraps", |row| &mut row.wraps),
    ("carry_0", |row| &mut row.carry_0),
    ("carry_1", |row| &mut row.carry_1),
];

const GENERATOR_FLAGS: [Flag; 5] = [
    ("digit_g", |row| &mut row.digit_g),
    ("wraps_g_0", |row| &mut row.wraps_g_0),
    ("wraps_g_1", |row| &mut row.wraps_g_1),
    ("carry_g_0", |row| &mut row.carry_g_0),
    ("carry_g_1", |row| &mut row.carry_g_1),
];
