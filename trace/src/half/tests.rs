//! The tables' traces against their constraints.

use alloc::vec;
use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use septic_chips::check::{Failure, check_table_row};
use septic_chips::table::{Place, Table};
use septic_curve::{KoalaBear, Point, Scalar256, params};

use super::{HalfOperation, HalfScalarMul, HalfTrace, HalfVerify};
use crate::{Execute, ScalarMulEvent, VerifyEvent};

/// The violated constraints of all rows.
fn failures<O: HalfOperation>(trace: &HalfTrace) -> Vec<(usize, Failure)> {
    let place = Place { is_first: KoalaBear::ZERO, is_transition: KoalaBear::ONE };
    let none = vec![KoalaBear::ZERO; O::Table::WIDTH];
    let mut failures = Vec::new();
    for (row, cells) in trace.main.row_slices().enumerate() {
        let parameters = [trace.parameter];
        failures.extend(
            check_table_row::<O::Table, _>(cells, &none, &[], &place, &parameters)
                .into_iter()
                .map(|failure| (row, failure)),
        );
    }
    failures
}

fn run<O: HalfOperation>(events: &[O::Event]) {
    let trace = O::generate(events).unwrap();
    assert_eq!(trace.outputs, events.iter().map(Execute::execute).collect::<Vec<_>>());
    assert_eq!(failures::<O>(&trace), []);
}

#[test]
fn scalar_mul() {
    let points = [Point::GENERATOR, Point::Identity, params::OFFSETS[1].into()];
    let scalars = [0, 1, 2, 3, 99].map(Scalar256::from);
    let order = Scalar256::from(params::ORDER);
    let below = Scalar256::from(params::ORDER.wrapping_sub(&1u64.into()));
    let scalars = scalars.into_iter().chain([order, below, Scalar256::MAX]);
    let events: Vec<_> = scalars.flat_map(|s| points.map(|p| ScalarMulEvent { p, s })).collect();
    run::<HalfScalarMul>(&events);
}

#[test]
fn verify() {
    let points = [Point::GENERATOR, Point::Identity, params::OFFSETS[1].into()];
    let order = Scalar256::from(params::ORDER);
    let below = Scalar256::from(params::ORDER.wrapping_sub(&1u64.into()));
    let scalars: Vec<_> =
        [0, 1, 2, 3, 99].map(Scalar256::from).into_iter().chain([order, below, Scalar256::MAX]).collect();
    let events: Vec<_> = points
        .iter()
        .flat_map(|&a| scalars.iter().map(move |&s| (a, s)))
        .flat_map(|(a, s)| scalars.iter().map(move |&e| VerifyEvent { a, s, e }))
        .collect();
    run::<HalfVerify>(&events);
}
