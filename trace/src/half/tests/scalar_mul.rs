//! SCALAR_MUL: vectors, edges, inputs that meet an exceptional case, lists of any length.

use septic_chips::half::{HalfScalarMulTable, STEPS};

use super::super::integers::HalfPair;
use super::prover::{Chain, Form, Twist};
use super::*;

type Sm = HalfScalarMul;

#[test]
fn table_is_as_documented() {
    assert_eq!(shape::<HalfScalarMulTable>(), [1993, 1949, 3, 29]);
    let source = include_str!("../../../../chips/src/half/scalar_mul.rs");
    documented::<HalfScalarMulTable>(source, "scalar_mul_half");
    counted::<HalfScalarMulTable>(source);
}

#[test]
fn vectors() {
    let cases = cases("scalar_mul");
    let events: Vec<_> =
        cases.iter().map(|c| ScalarMulEvent { p: point(&c["p"]), s: scalar(&c["s"]) }).collect();
    assert_eq!(events.len(), 93);
    let rows = Row::<Sm>::all(&events);
    // The oracle's results, not ours: shown as they are.
    let claims: Vec<_> =
        events.iter().zip(&cases).map(|(&event, c)| Claim { event, out: point(&c["out"]) }).collect();
    let columns = Sm::instance_columns(&claims, rows.len());
    for (column, cells) in columns.iter().enumerate() {
        assert!(rows.iter().zip(cells).all(|(row, cell)| row.cells[column] == *cell));
    }
}

#[test]
fn edges() {
    let mut events = vec![];
    for p in edge_points() {
        events.extend(edge_scalars().into_iter().map(|s| ScalarMulEvent { p, s }));
    }
    assert_eq!(events.len(), 110);
    Row::<Sm>::all(&events);
}

/// Events s·P that meet an exceptional case from B_0, and how: P is a multiple of B_0.
pub(super) fn colliding_events() -> Vec<(&'static str, ScalarMulEvent)> {
    let b = Point::from(params::OFFSETS[0]);
    let mut events = vec![];
    let mut random = Random(3);
    for s in [Scalar::from(5), -Scalar::from(5), random.scalar(), random.scalar()] {
        let chain = Chain::new(HalfPair::new(&s), Twist::None);
        let mut meet = |how, form: Form| {
            // With R = s·P some of these say nothing about B_0.
            let form = form.with_d(s);
            if form.b != Scalar::ZERO && form.p != Scalar::ZERO {
                events.push((how, ScalarMulEvent { p: form.solve_p(b), s: s.into() }));
            }
        };
        meet("B_0 = T", Form::B - chain.t(0));
        meet("B_0 = -T", Form::B + chain.t(0));
        for step in [0, 1, 2, 54, STEPS - 2, STEPS - 1] {
            let (acc, t) = (chain.acc(step), chain.t(step + 1));
            meet("acc = T", acc - t);
            meet("acc = -T", acc + t);
            meet("2 acc = -T", acc + acc + t);
        }
        let n = chain.n;
        meet("N = C_0", n - Form::c());
        meet("N = -C_0", n + Form::c());
    }
    events
}

#[test]
fn exceptional_cases_take_the_second_offset() {
    let events = colliding_events();
    assert_eq!(events.len(), 77);
    let list: Vec<_> = events.iter().map(|(_, event)| *event).collect();
    let rows = Row::<Sm>::all(&list);
    for (row, (how, event)) in rows.iter().zip(&events) {
        assert!(row.is_second(), "{how}: {event:?}");
    }
    // The same with B_1, or other scalars: the first offset.
    let others: Vec<_> = list.iter().map(|event| ScalarMulEvent { p: event.p, s: 77u64.into() }).collect();
    assert!(Row::<Sm>::all(&others).iter().all(|row| !row.is_second()));
}

#[test]
fn lists_of_any_length() {
    for n in [0, 1, 2, 15, 16, 17, 129, 512, 513] {
        let events: Vec<_> = (0..n).map(|k| ScalarMulEvent { p: multiple(k), s: (k * k).into() }).collect();
        Row::<Sm>::all(&events);
    }
    assert_eq!(Sm::height(513), Ok(1024));
    assert!(Sm::height((1 << 23) + 1).is_err());
    let off = AffinePoint::new_unchecked(params::GENERATOR.x(), params::GENERATOR.x());
    let error = Sm::generate(&[ScalarMulEvent { p: off.into(), s: Scalar256::ONE }]).unwrap_err();
    assert_eq!(error, TraceError::NotOnCurve { event: 0, field: "p" });
}

/// Cells of an event are the same wherever it stands, but for what depends on t: also beside one that takes the other offset.
#[test]
fn events_do_not_mix() {
    let mut events: Vec<_> = (0..300).map(|k| ScalarMulEvent { p: multiple(k), s: (k * k).into() }).collect();
    for place in [100, 127, 128, 299] {
        events[place] = colliding_events()[place % 50].1;
    }
    let all = Row::<Sm>::all(&events);
    let products = column(Row::<Sm>::fields(), "product")..column(Row::<Sm>::fields(), "lambda_e");
    for at in [0, 99, 100, 101, 127, 128, 129, 299] {
        let one = Row::<Sm>::honest(events[at]);
        let same = |i: &usize| one.cells[*i] == all[at].cells[*i];
        assert!((0..one.cells.len()).filter(|i| !products.contains(i)).all(|i| same(&i)), "{at}");
    }
}
