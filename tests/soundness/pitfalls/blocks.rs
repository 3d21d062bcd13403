//! Blocks, their ends and padding: classes 7 to 11.

use std::collections::BTreeSet;

use septic_chips::ladder::{CORRECTION_ROW, DIGITS, OUTPUT_ROW, ROWS, limb_on_row};
use septic_chips::params::Septic;
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{Field, PrimeCharacteristicRing};
use septic_curve::{KoalaBear, Point, Scalar256};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, TraceChip, VerifyEvent};

use crate::block::{Block, Plan};
use crate::forgeries::{RealChip, random_plan};
use crate::integer::{combine, power_of_two};
use crate::judge::{failures, found_in, names_in};
use crate::rows::{AddPlan, cells};
use crate::support::{Random, at_point, column_of, multiple, name_of};

use super::{Flag, joined, only, parameters};

#[test]
fn pitfall_07_padding_claimed_as_an_event() {
    fn run<C: TraceChip>(events: [C::Event; 2]) {
        let claims = events.map(Claim::of);
        let empty = C::generate_trace(&[]).unwrap();
        assert!(!empty.instance_violations(&claims[..1]).is_empty());
        // One event's trace of the height that two need.
        let mut short = C::generate_trace(&events[..1]).unwrap();
        let empty = at_point(empty, short.parameters.first().copied().unwrap_or_default());
        let full = C::generate_trace(&events).unwrap();
        let padding = &empty.main.values[..C::ROWS_PER_EVENT * C::WIDTH];
        while short.main.values.len() < full.main.values.len() {
            short.main.values.extend(padding);
        }
        assert_eq!(short.violations(), []);
        assert!(!short.instance_violations(&claims).is_empty());
        // And a claim fewer than rows.
        assert!(!full.instance_violations(&claims[..1]).is_empty());
    }
    let [p, q] = [multiple(3), multiple(4)];
    run::<AddChip>([AddEvent { p, q }, AddEvent { p: q, q: p }]);
    run::<DoubleChip>([p, q].map(|p| DoubleEvent { p }));
    run::<ScalarMulChip>([p, q].map(|p| ScalarMulEvent { p, s: Scalar256::MAX }));
    run::<VerifyChip>([p, q].map(|a| VerifyEvent { a, s: Scalar256::MAX, e: Scalar256::ONE }));
}

#[test]
fn pitfall_08_padding_with_contents() {
    // One-row chips: whatever stands on a padding row, the instance of the claims says zero.
    let event = AddEvent { p: multiple(3), q: multiple(4) };
    let claims = [Claim::of(event)];
    let width = AddChip::<Septic>::WIDTH;
    for plan in [AddPlan::new(multiple(5), multiple(6)), AddPlan::new(Point::Identity, multiple(6))] {
        let mut trace = AddChip::generate_trace(&[event]).unwrap();
        trace.main.values[5 * width..6 * width].copy_from_slice(&cells(&plan.row()));
        assert_eq!(trace.violations(), []);
        assert!(trace.instance_violations(&claims).iter().all(|violation| violation.row == 5));
        assert!(!trace.instance_violations(&claims).is_empty());
    }
    // On padding only the slope is free, and nothing reads it.
    let mut trace = AddChip::generate_trace(&[event]).unwrap();
    trace.main.values[5 * width + column_of::<AddChip>("lambda")] = KoalaBear::ONE;
    assert_eq!([trace.violations(), trace.instance_violations(&claims)].concat(), []);

    // A ladder's padding is an event: another one there is accepted by the chip, and not by the claims.
    fn run<C: RealChip>(events: [C::Event; 3]) {
        let mut trace = at_point(C::generate_trace(&events).unwrap(), KoalaBear::TWO);
        let claims = events.map(Claim::of);
        assert_eq!(trace.instance_violations(&claims), []);
        let other: Block<C> = random_plan(&mut Random::new(8)).prove();
        trace.main.values[3 * ROWS * C::WIDTH..].copy_from_slice(&other.cells());
        assert_eq!(trace.violations(), []);
        let found = trace.instance_violations(&claims);
        assert!(!found.is_empty() && found.iter().all(|violation| violation.event.is_none()));
    }
    let points = [3, 4, 5].map(multiple);
    run::<ScalarMulChip>(points.map(|p| ScalarMulEvent { p, s: Scalar256::MAX }));
    run::<VerifyChip>(points.map(|a| VerifyEvent { a, s: Scalar256::MAX, e: Scalar256::MAX }));
}

/// Each event's first row is reset: none goes on from where the one before ended.
#[test]
fn pitfall_09_every_event_starts_anew() {
    fn run<C: RealChip>() {
        let mut random = Random::new(9);
        let honest: Vec<Block<C>> = (0..3).map(|_| random_plan(&mut random).prove()).collect();
        for place in 0..3 {
            let before = (place + 2) % 3;
            // The accumulator that the output row of the event before leaves, and the one it shows.
            let last = &honest[before];
            let shown = last.accumulator(OUTPUT_ROW);
            for start in [last.doubled(OUTPUT_ROW), shown] {
                let mut plan: Plan<C> = random_plan(&mut random);
                plan.start = Some(start);
                let forged = plan.prove();
                let mut blocks: Vec<&Block<C>> = honest.iter().collect();
                blocks[place] = &forged;
                blocks.push(&honest[0]);
                let found = failures::<C>(&joined(&blocks), &parameters::<C>());
                let names: BTreeSet<_> = found.iter().map(|(_, label, _)| name_of(*label)).collect();
                assert_eq!(names, BTreeSet::from(["start_x", "start_y"]));
                assert!(found.iter().all(|(row, _, _)| *row == place * ROWS));
                assert!(!forged.statement_holds());
            }
        }
        for events in 1..=3 {
            let count = [&honest[..events], &honest[..if events == 3 { 1 } else { 0 }]].concat();
            assert_eq!(failures::<C>(&joined(&count.iter().collect::<Vec<_>>()), &parameters::<C>()), []);
        }
    }
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// Traces filled to the last row: the last event is checked as the others are, and does not leak into the first.
#[test]
fn pitfall_10_events_that_end_on_the_last_row() {
    fn run<C: RealChip>() {
        let mut random = Random::new(10);
        for count in [1, 2, 4] {
            let honest: Vec<Block<C>> = (0..count).map(|_| random_plan(&mut random).prove()).collect();
            let all: Vec<&Block<C>> = honest.iter().collect();
            assert_eq!(failures::<C>(&joined(&all), &parameters::<C>()), []);
            // The last row shows another point; the last but one takes off another.
            let mut shown: Plan<C> = random_plan(&mut random);
            shown.on(OUTPUT_ROW).base = Some(random.point().into());
            let mut taken_off: Plan<C> = random_plan(&mut random);
            taken_off.on(CORRECTION_ROW).base = Some(random.point().into());
            for (forged, row, name) in
                [(shown, OUTPUT_ROW, "output_point"), (taken_off, CORRECTION_ROW, "correction_base")]
            {
                let forged = forged.prove();
                let mut blocks = all.clone();
                blocks[count - 1] = &forged;
                let found = failures::<C>(&joined(&blocks), &parameters::<C>());
                let rows: BTreeSet<_> = found.iter().map(|(row, _, _)| *row).collect();
                assert_eq!(rows, BTreeSet::from([(count - 1) * ROWS + row]));
                assert!(found.iter().all(|(_, label, _)| name_of(*label) == name));
            }
        }
    }
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// A copied cell that changes on an inner row; and a base that turns into −P on one row while the digit turns too, so
/// that the state stays right.
#[test]
fn pitfall_11_copies_that_change() {
    fn run<C: RealChip>(held: &[Flag]) {
        let mut random = Random::new(11);
        let plan: Plan<C> = random_plan(&mut random);
        let honest = plan.prove();
        for row in [1, 14, 100, 253] {
            for (name, cell) in held {
                let mut forged = honest.clone();
                let cell = cell(&mut forged.rows[row]);
                *cell = if cell.is_zero() { KoalaBear::ONE } else { KoalaBear::ZERO };
                let found = found_in(&forged);
                assert!(
                    found
                        .iter()
                        .any(|(at, label, _)| (*at + 1 == row || *at == row) && name_of(*label) == *name)
                );
            }
            for (i, column) in (0..14).map(|i| (i, column_of::<C>("x_t") + i)) {
                let mut cells = honest.cells();
                cells[row * C::WIDTH + column] += KoalaBear::ONE;
                let found = failures::<C>(&cells, &parameters::<C>());
                let held = (row - 1, "base_held", Some(i % 7));
                assert!(found.iter().any(|(at, label, i)| (*at, name_of(*label), *i) == held));
            }
            // The scalar whose digit on this row is the other one, with the results of the right scalar.
            let digit = plan.e.digits.digits[row];
            let weight = power_of_two(254 - row);
            let Some(claimed) = combine(&[(1, &plan.e.shown), (1 - 2 * digit, &weight)]) else { continue };
            let mut forged = plan.clone();
            forged.e.digits.digits[row] = 1 - digit;
            forged.e.shown = claimed;
            forged.on(row).base = Some(-plan.base);
            let forged = forged.prove();
            assert_eq!(forged.accumulator(CORRECTION_ROW), honest.accumulator(CORRECTION_ROW));
            assert_eq!(names_in(&forged), only("base_held"));
            assert!(!forged.statement_holds());
        }
    }
    let held: [Flag; 5] = [
        ("offset_held", |row| &mut row.offset),
        ("parity_held", |row| &mut row.parity),
        ("wraps_held", |row| &mut row.wraps),
        ("identity_held", |row| &mut row.identity),
        ("carry_0_held", |row| &mut row.carry_0),
    ];
    let held_g: [Flag; 3] = [
        ("wraps_g_0_held", |row| &mut row.wraps_g_0),
        ("wraps_g_1_held", |row| &mut row.wraps_g_1),
        ("carry_g_0_held", |row| &mut row.carry_g_0),
    ];
    run::<ScalarMulChip>(&held[..4]);
    run::<VerifyChip>(&[&held[..4], &held_g[..2]].concat());
    // Carries are held inside a limb, rows 14 and 254 begin anew.
    let plan: Plan<VerifyChip> = random_plan(&mut Random::new(12));
    for (name, cell) in [held[4], held_g[2]] {
        for row in (1..DIGITS).filter(|row| limb_on_row(row - 1).is_none()) {
            let mut forged = plan.prove();
            let cell = cell(&mut forged.rows[row]);
            *cell = if cell.is_zero() { KoalaBear::ONE } else { KoalaBear::ZERO };
            assert!(found_in(&forged).iter().any(|(at, label, _)| (at + 1, name_of(*label)) == (row, name)));
        }
    }
}
