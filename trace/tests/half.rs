//! The tables with half-size scalars through the public interface; the tests beside the generator look inside.
#![allow(clippy::unwrap_used)]

use p3_field::PrimeCharacteristicRing;
use septic_chips::table::Table;
use septic_curve::{KoalaBear, Point, Scalar256, params};
use septic_trace::half::{HalfOperation, HalfScalarMul, HalfTrace, HalfVerify};
use septic_trace::{Claim, Execute, ScalarMulEvent, VerifyEvent};

/// Tables of `events` with the shapes, results and lookups that the interface promises.
fn run<O: HalfOperation>(events: &[O::Event], lookups: usize) {
    let HalfTrace { control, steps, outputs, .. } = O::generate(events).unwrap();
    assert_eq!(outputs, events.iter().map(Execute::execute).collect::<Vec<_>>());
    let [control_height, step_height] = O::heights(events.len()).unwrap();
    assert_eq!(control.values.len(), control_height * O::Control::WIDTH);
    assert_eq!(steps.values.len(), step_height * O::Steps::WIDTH);
    assert!(step_height >= events.len() * O::ROWS);

    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    let columns = O::instance_columns(&claims, control_height);
    assert_eq!(columns.len(), O::Control::INSTANCE_COLUMNS.len());
    for (column, cells) in O::Control::INSTANCE_COLUMNS.iter().zip(&columns) {
        let found = control.values.chunks_exact(O::Control::WIDTH).map(|row| row[*column]);
        assert!(found.eq(cells.iter().copied()));
        assert!(cells[events.len()..].iter().all(|&x| x == KoalaBear::ZERO));
    }
    let counts = O::range_counts(&control);
    assert_eq!(counts.pairs.iter().map(|&n| n as usize).sum::<usize>(), lookups * events.len());
}

#[test]
fn scalar_mul() {
    let points = [Point::GENERATOR, Point::Identity, params::OFFSETS[1].into()];
    let scalars = [Scalar256::ZERO, Scalar256::ONE, Scalar256::from(99), Scalar256::MAX];
    let events: Vec<_> = points.iter().flat_map(|&p| scalars.map(|s| ScalarMulEvent { p, s })).collect();
    run::<HalfScalarMul>(&events, 32);
    run::<HalfScalarMul<8, 14>>(&events, 32);
}

#[test]
fn verify() {
    let points = [Point::GENERATOR, Point::Identity, params::OFFSETS[1].into()];
    let scalars = [Scalar256::ZERO, Scalar256::ONE, Scalar256::from(99), Scalar256::MAX];
    let events: Vec<_> = points
        .iter()
        .flat_map(|&a| scalars.map(|s| (a, s)))
        .flat_map(|(a, s)| scalars.map(|e| VerifyEvent { a, s, e }))
        .collect();
    run::<HalfVerify>(&events, 63);
    run::<HalfVerify<8, 14>>(&events, 63);
}
