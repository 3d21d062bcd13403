//! VERIFY: vectors, edges, inputs that meet an exceptional case, lists of any length.

use septic_chips::half::{HalfVerifyTable, STEPS};

use super::super::integers::HalfPair;
use super::prover::{Chain, Form, Twist};
use super::*;

type Vf = HalfVerify;

#[test]
fn table_is_as_documented() {
    assert_eq!(shape::<HalfVerifyTable>(), [2635, 2186, 3, 56]);
    let source = include_str!("../../../../chips/src/half/verify.rs");
    documented::<HalfVerifyTable>(source, "verify_half");
    counted::<HalfVerifyTable>(source);
}

#[test]
fn vectors() {
    let cases = cases("verify");
    let events: Vec<_> = cases
        .iter()
        .map(|c| VerifyEvent { a: point(&c["a"]), s: scalar(&c["s"]), e: scalar(&c["e"]) })
        .collect();
    assert_eq!(events.len(), 158);
    let rows = Row::<Vf>::all(&events);
    // The oracle's results, not ours: shown as they are.
    let claims: Vec<_> =
        events.iter().zip(&cases).map(|(&event, c)| Claim { event, out: point(&c["out"]) }).collect();
    let columns = Vf::instance_columns(&claims, rows.len());
    for (column, cells) in columns.iter().enumerate() {
        assert!(rows.iter().zip(cells).all(|(row, cell)| row.cells[column] == *cell));
    }
}

/// Edge points with edge scalars, R = ±mG, R = ±A, A = ±mG.
fn hostile_events() -> Vec<VerifyEvent> {
    let scalars = edge_scalars();
    let mut events = vec![];
    for a in edge_points() {
        for &s in &scalars {
            events.extend(scalars.iter().map(|&e| VerifyEvent { a, s, e }));
        }
    }
    let secret = Scalar::from(0xdead_beef_1234_5678);
    let a = times(secret, Point::GENERATOR);
    let e = Scalar::from(987_654_321);
    let mut results: Vec<Scalar> = (0..6).map(Scalar::from).collect();
    results.push(secret);
    for m in results.into_iter().flat_map(|m| [m, -m]) {
        events.push(VerifyEvent { a, s: (m - e * secret).into(), e: e.into() });
    }
    for m in 1..=5 {
        for n in (0..=5).map(Scalar::from).flat_map(|n| [n, -n]) {
            let a = times(Scalar::from(m), Point::GENERATOR);
            events.push(VerifyEvent { a, s: (n - Scalar::from(m)).into(), e: Scalar256::ONE });
        }
    }
    events
}

#[test]
fn edges() {
    let events = hostile_events();
    assert_eq!(events.len(), 1100 + 14 + 60);
    Row::<Vf>::all(&events);
}

/// Events that meet an exceptional case from B_0, and how.
fn colliding_events() -> Vec<(&'static str, VerifyEvent)> {
    let b = Point::from(params::OFFSETS[0]);
    let q = Point::from(params::GENERATOR_OFFSETS[0]);
    let mut random = Random(4);
    let mut events = vec![];
    for e in [Scalar::from(5), -Scalar::from(5), random.scalar(), random.scalar()] {
        let s = random.scalar();
        let chain = Chain::new(HalfPair::new(&e), Twist::None);
        let mut meet = |how, form: Form| {
            let form = form.with_d(e);
            if form.b != Scalar::ZERO && form.p != Scalar::ZERO {
                events.push((how, VerifyEvent { a: form.solve_p(b), s: s.into(), e: e.into() }));
            }
        };
        meet("B_0 = T", Form::B - chain.t(0));
        meet("B_0 = -T", Form::B + chain.t(0));
        for step in [0, 1, 54, STEPS - 1] {
            let (acc, t) = (chain.acc(step), chain.t(step + 1));
            meet("acc = T", acc - t);
            meet("acc = -T", acc + t);
            meet("2 acc = -T", acc + acc + t);
        }
        meet("N = C_0", chain.n - Form::c());
        meet("N = -C_0", chain.n + Form::c());
        let x = times(s, Point::GENERATOR);
        for (how, r) in [("R = Q_0", q), ("R = -Q_0", -q), ("X = -Y", -x - q - q)] {
            events.push((how, VerifyEvent { a: times(inverse(e), r - x), s: s.into(), e: e.into() }));
        }
    }
    events
}

#[test]
fn exceptional_cases_take_the_second_offset() {
    let events = colliding_events();
    assert_eq!(events.len(), 68);
    let list: Vec<_> = events.iter().map(|(_, event)| *event).collect();
    let rows = Row::<Vf>::all(&list);
    for (row, (how, event)) in rows.iter().zip(&events) {
        assert!(row.is_second(), "{how}: {event:?}");
    }
    // Another e: the first offset.
    let others: Vec<_> = list.iter().map(|event| VerifyEvent { e: 77u64.into(), ..*event }).collect();
    assert!(Row::<Vf>::all(&others).iter().all(|row| !row.is_second()));
}

#[test]
fn lists_of_any_length() {
    for n in [0, 1, 2, 16, 17, 129] {
        let events: Vec<_> =
            (0..n).map(|k| VerifyEvent { a: multiple(k), s: (k * k).into(), e: (k + 5).into() }).collect();
        Row::<Vf>::all(&events);
    }
    let off = AffinePoint::new_unchecked(params::GENERATOR.x(), params::GENERATOR.x());
    let event = VerifyEvent { a: off.into(), s: Scalar256::ONE, e: Scalar256::ONE };
    let error = Vf::generate(&[event]).unwrap_err();
    assert_eq!(error, TraceError::NotOnCurve { event: 0, field: "a" });
}

/// Cells of an event are the same wherever it stands, but for what depends on t: also beside one that takes the other offset.
#[test]
fn events_do_not_mix() {
    let mut events: Vec<_> =
        (0..140).map(|k| VerifyEvent { a: multiple(k), s: (k * k).into(), e: (k + 5).into() }).collect();
    for place in [100, 127, 128] {
        events[place] = colliding_events()[place % 50].1;
    }
    let all = Row::<Vf>::all(&events);
    let of = |name| column(Row::<Vf>::fields(), name);
    let depends =
        [of("product_g")..of("lambda_y"), of("product_d")..of("x_d"), of("product")..of("lambda_e")];
    for at in [0, 99, 100, 101, 127, 128, 129] {
        let one = Row::<Vf>::honest(events[at]);
        let compared = (0..one.cells.len()).filter(|i| !depends.iter().any(|range| range.contains(i)));
        assert!(compared.into_iter().all(|i| one.cells[i] == all[at].cells[i]), "{at}");
    }
}
