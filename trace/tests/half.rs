//! The tables with half-size scalars through the public interface; the tests beside the generator look inside.
#![allow(clippy::unwrap_used)]

use p3_field::PrimeCharacteristicRing;
use septic_chips::columns::{ColumnSet, column};
use septic_chips::table::Table;
use septic_curve::{KoalaBear, Point, Scalar256, params};
use septic_trace::half::{HalfOperation, HalfScalarMul, HalfTrace, HalfVerify, Lookups};
use septic_trace::{Claim, Execute, ScalarMulEvent, VerifyEvent};

/// The table of `events` with the shape, results and lookups that the interface promises: limbs, pairs and entries of an
/// event.
fn run<O: HalfOperation>(events: &[O::Event], looked_up: [usize; 3]) {
    let HalfTrace { main, outputs, .. } = O::generate(events).unwrap();
    assert_eq!(outputs, events.iter().map(Execute::execute).collect::<Vec<_>>());
    let height = O::height(events.len()).unwrap();
    assert!(height >= events.len() && height.is_power_of_two());
    assert_eq!(main.values.len(), height * O::Table::WIDTH);

    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    let columns = O::instance_columns(&claims, height);
    assert_eq!(columns.len(), O::Table::INSTANCE_COLUMNS.len());
    for (column, cells) in O::Table::INSTANCE_COLUMNS.iter().zip(&columns) {
        let found = main.values.chunks_exact(O::Table::WIDTH).map(|row| row[*column]);
        assert!(found.eq(cells.iter().copied()));
        assert!(cells[events.len()..].iter().all(|&x| x == KoalaBear::ZERO));
    }
    // Lookups add up over tables.
    let mut lookups = Lookups::default();
    for rounds in 1..=2 {
        O::count_lookups(&main, &mut lookups);
        let Lookups { limbs, pairs, entries } = &lookups;
        let total = |counts: &[u32]| counts.iter().map(|&n| n as usize).sum::<usize>();
        assert_eq!(
            [limbs, pairs, entries].map(|counts| total(counts)),
            looked_up.map(|n| rounds * n * events.len())
        );
    }
}

fn points() -> [Point; 3] {
    [Point::GENERATOR, Point::Identity, params::OFFSETS[1].into()]
}

fn scalars() -> [Scalar256; 4] {
    [Scalar256::ZERO, Scalar256::ONE, Scalar256::from(99), Scalar256::MAX]
}

fn scalar_mul_events() -> Vec<ScalarMulEvent> {
    points().iter().flat_map(|&p| scalars().map(|s| ScalarMulEvent { p, s })).collect()
}

#[test]
fn scalar_mul() {
    run::<HalfScalarMul>(&scalar_mul_events(), [20, 9, 0]);
}

#[test]
fn verify() {
    let events: Vec<_> = points()
        .iter()
        .flat_map(|&a| scalars().map(|s| (a, s)))
        .flat_map(|(a, s)| scalars().map(|e| VerifyEvent { a, s, e }))
        .collect();
    run::<HalfVerify>(&events, [20, 9, 27]);
}

/// The trace depends on the events alone; another list has another t.
#[test]
fn traces_depend_on_the_events_alone() {
    let events = scalar_mul_events();
    let [first, second] = [(), ()].map(|()| HalfScalarMul::generate(&events).unwrap());
    assert_eq!((first.parameter, first.main.values), (second.parameter, second.main.values));
    let other = HalfScalarMul::generate(&events[1..]).unwrap();
    assert_ne!(first.parameter, other.parameter);
}

#[test]
#[should_panic(expected = "more claims than rows")]
fn more_claims_than_rows_have_no_columns() {
    let claim = Claim::of(ScalarMulEvent { p: Point::GENERATOR, s: Scalar256::ONE });
    let _ = HalfScalarMul::instance_columns(&[claim; 3], 2);
}

/// A limb out of range is no lookup.
#[test]
#[should_panic(expected = "index out of bounds")]
fn limbs_out_of_range_are_not_counted() {
    let mut main = HalfScalarMul::generate(&scalar_mul_events()).unwrap().main;
    let fields = <<<HalfScalarMul as HalfOperation>::Table as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    main.values[column(fields, "carry")] = KoalaBear::from_u32(1 << 13);
    HalfScalarMul::count_lookups(&main, &mut Lookups::default());
}
