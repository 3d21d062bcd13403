//! VERIFY.

use septic_chips::half::{VerifyControl, VerifySteps};
use septic_chips::params::Septic as SepticParams;

use super::machine::Part;
use super::*;
use crate::VerifyEvent;
use crate::half::integers::{HalfPair, ProductWitness};

type Vf = HalfVerify;

fn multiple(k: u64) -> Point {
    times(Scalar::from(k), Point::GENERATOR)
}

/// Events s·G + e·A with R + kG ± A = ±B_0 for the k that is chosen, 1: the first step is exceptional.
fn colliding_events() -> Vec<VerifyEvent> {
    let [b_0, b_1] = params::OFFSETS.map(Point::from);
    let mut events = std::vec![];
    // e = 5: u = 1, w = −5, the first step adds S − A = (s + 1)·G + 4·A, and before it F.
    for b in [b_0, -b_0, b_1] {
        let s = 9u64;
        let a = times(Scalar::from(4).invert().unwrap(), b - multiple(s + 1));
        events.push(VerifyEvent { a, s: s.into(), e: 5u64.into() });
    }
    events
}

#[test]
fn tables_are_as_documented() {
    assert_eq!(shape::<VerifyControl>(), [347, 190, 3, 72]);
    assert_eq!(shape::<VerifyControl<SepticParams, 14>>(), [368, 190, 3, 79]);
    assert_eq!(shape::<VerifySteps>(), [598, 554, 3, 3]);
    assert_eq!(shape::<VerifySteps<SepticParams, 8>>(), [326, 282, 3, 3]);
    assert_eq!(Vf::ROWS * <VerifySteps>::WIDTH + <VerifyControl>::WIDTH, 4533);
    let control = include_str!("../../../../chips/src/half/verify_control.rs");
    documented::<VerifyControl>(control, "verify_control", &[("L", 7)]);
    let steps = include_str!("../../../../chips/src/half/verify_steps.rs");
    documented::<VerifySteps>(steps, "verify_steps", &[("K", 16)]);
}

#[test]
fn vectors() {
    let cases = cases("verify");
    let events: Vec<_> = cases
        .iter()
        .map(|c| VerifyEvent { a: point(&c["a"]), s: scalar(&c["s"]), e: scalar(&c["e"]) })
        .collect();
    assert_eq!(events.len(), 158);
    let outputs: Vec<_> = cases.iter().map(|c| point(&c["out"])).collect();
    let machine = Machine::<Vf>::honest(&events);
    assert_eq!(machine.trace.outputs, outputs);
    let machine = Machine::<HalfVerify<8, 14>>::honest(&events);
    assert_eq!(machine.trace.outputs, outputs);
}

/// Edge points with edge scalars, R = 𝒪, R = ±kG, R + kG = ±A.
fn hostile_events() -> Vec<VerifyEvent> {
    let scalars = edge_scalars();
    let mut events = std::vec![];
    for a in edge_points() {
        for &s in &scalars {
            events.extend(scalars.iter().map(|&e| VerifyEvent { a, s, e }));
        }
    }
    let secret = Scalar::from(0xdead_beef_1234_5678);
    let a = times(secret, Point::GENERATOR);
    let e = Scalar::from(987_654_321);
    // R = mG for small m.
    for m in [0u64, 1, 2, 3, 4, 5] {
        for m in [Scalar::from(m), -Scalar::from(m)] {
            events.push(VerifyEvent { a, s: (m - e * secret).into(), e: e.into() });
        }
    }
    // R + kG = ±A.
    for k in 1..=4 {
        for sign in [secret, -secret] {
            let s = sign - Scalar::from(k) - e * secret;
            events.push(VerifyEvent { a, s: s.into(), e: e.into() });
        }
    }
    // A = mG and R = nG: up to three of four k are exceptional.
    for m in 1..=5 {
        for n in 0..=5 {
            for (m, n) in [(Scalar::from(m), Scalar::from(n)), (Scalar::from(m), -Scalar::from(n))] {
                let a = times(m, Point::GENERATOR);
                events.push(VerifyEvent { a, s: (n - m).into(), e: Scalar256::ONE });
            }
        }
    }
    events
}

#[test]
fn edges() {
    let events = hostile_events();
    assert_eq!(events.len(), 1100 + 12 + 8 + 60);
    let mut machine = Machine::<Vf>::honest(&events);
    let mut chosen = [0; 4];
    for row in 0..events.len() {
        let k = (0..4).find(|&k| *machine.cell(Part::Control, row, "multiple", k) == KoalaBear::ONE);
        chosen[k.unwrap()] += 1;
    }
    assert!(chosen.iter().all(|&n| n > 0), "every k is used: {chosen:?}");
}

#[test]
fn second_offset() {
    let mut machine = Machine::<Vf>::honest(&colliding_events());
    let second = [0, 1, 2].map(|row| *machine.cell(Part::Control, row, "offset", 0) == KoalaBear::ONE);
    assert_eq!(second, [true, true, false]);
}

#[test]
fn lists_of_any_length() {
    for n in [0, 1, 2, 16, 17, 65] {
        let events: Vec<_> =
            (0..n).map(|k| VerifyEvent { a: multiple(k), s: (k * k).into(), e: (k + 5).into() }).collect();
        let machine = Machine::<Vf>::honest(&events);
        let [control, steps] = Vf::heights(events.len()).unwrap();
        assert_eq!(machine.trace.control.values.len(), control * <VerifyControl>::WIDTH);
        assert_eq!(machine.trace.steps.values.len(), steps * <VerifySteps>::WIDTH);
    }
}

/// Cells of an event are the same wherever it stands, but for its number and what depends on t.
#[test]
fn events_do_not_mix() {
    let mut events: Vec<_> =
        (0..130).map(|k| VerifyEvent { a: multiple(k), s: (k * k).into(), e: (k + 5).into() }).collect();
    events[100] = colliding_events()[0];
    let all = Machine::<Vf>::honest(&events);
    for at in [0, 63, 64, 100, 129] {
        let one = Machine::<Vf>::honest(&events[at..=at]);
        assert_eq!(one.without_numbers(0), all.without_numbers(at));
    }
}

fn labels(names: &[&'static str]) -> BTreeSet<&'static str> {
    names.iter().copied().collect()
}

fn event() -> VerifyEvent {
    VerifyEvent { a: multiple(11), s: Scalar256::MAX, e: Scalar256::from(0x1234_5678_9abc_def0) }
}

#[test]
fn changed_cells_are_noticed() {
    let minus = |k: u64| Scalar256::from(-Scalar::from(k));
    let events = [
        event(),
        colliding_events()[0],
        VerifyEvent { a: multiple(77), s: minus(77), e: Scalar256::ONE },
        VerifyEvent { a: Point::Identity, s: 3u64.into(), e: 4u64.into() },
        VerifyEvent { a: multiple(1), s: Scalar256::ZERO, e: Scalar256::ZERO },
    ];
    let machine = Machine::<Vf>::honest(&events);
    let mut rows: Vec<_> = (0..7).map(|row| (Part::Control, row)).collect();
    rows.extend([0, 3, 6, 7, 20, 30, 36, 50].map(|row| (Part::Steps, row)));
    let (free, changes) = free_cells(&machine, &rows, &[1, 1_234_567_890]);
    assert_eq!(changes, 2 * (7 * 347 + 8 * 598));
    let mut expected = BTreeSet::new();
    for row in [2, 4] {
        expected.insert((Part::Control, row, "lambda_s"));
    }
    for row in [5, 6] {
        let names = ["u", "lambda_s", "witness", "witness_s"];
        expected.extend(names.map(|name| (Part::Control, row, name)));
    }
    for row in [36, 50] {
        let names = ["id", "index", "x_m", "y_m", "x_in", "witness", "witness_g"];
        expected.extend(names.map(|name| (Part::Steps, row, name)));
    }
    assert_eq!(free, expected);
}

/// A wrong result with an honest chain: it does not end where it should.
#[test]
fn forge_result() {
    for wrong in [multiple(1), multiple(2), -multiple(1)] {
        let machine = Machine::<Vf>::forged(&[event()], |event, out| Vf::plan(event, out + wrong));
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        let failures = machine.failures();
        assert!(failures.contains("verify_control.C22.end_x"), "{failures:?}");
        let end = ["C21.end_tangent", "C22.end_x", "C23.end_y"].map(|c| std::format!("verify_control.{c}"));
        assert!(failures.iter().all(|label| end.iter().any(|known| known == label)), "{failures:?}");
    }
}

/// u = w = g = 0 is a relation for every R.
#[test]
fn forge_zero_relation() {
    let plan = |event: &VerifyEvent, out: Point| {
        let mut plan = Vf::plan(event, out + multiple(1));
        plan.pair = HalfPair::trivial();
        let k = u8::try_from(plan.multiple + 1).unwrap();
        plan.product_s = ProductWitness::of_sum(&plan.pair, &event.s, k);
        plan
    };
    let mut machine = Machine::<Vf>::forged(&[event()], plan);
    let u = *machine.cell(Part::Control, 0, "u", 0);
    *machine.cell(Part::Control, 0, "u", 0) = KoalaBear::ZERO;
    let t = machine.trace.parameter;
    assert!(finish::<Vf>(&mut machine.trace, t));
    *machine.cell(Part::Control, 0, "u", 0) = u;
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["verify_control.C13.u_nonzero"]));
}

/// A finite result declared the identity, and the identity declared finite.
#[test]
fn forge_identity() {
    let machine = Machine::<Vf>::forged(&[event()], |event, _| Vf::plan(event, Point::Identity));
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert!(machine.failures().contains("verify_control.C22.end_x"));

    // R = 𝒪 shown as another point: the chain is right, S = kG is not R + kG.
    let honest = VerifyEvent { a: multiple(5), s: (-Scalar::from(5)).into(), e: Scalar256::ONE };
    let mut machine = Machine::<Vf>::honest(&[honest]);
    machine.set_point(0, "x_r", multiple(8));
    assert_eq!(machine.failures(), labels(&["verify_control.C2.r_curve", "verify_control.C3.r_identity"]));
    *machine.cell(Part::Control, 0, "r_identity", 0) = KoalaBear::ZERO;
    let failures = machine.failures();
    assert!(
        failures.contains("verify_control.C9.s_line") && failures.contains("verify_control.C12.s_distinct")
    );
}

/// One constraint stands between each of these and a false statement.
#[test]
fn forge_one_constraint() {
    let alone = |machine: &Machine<Vf>, label: &'static str| {
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        assert_eq!(machine.failures(), labels(&[label]));
    };
    // A finite result shown as the identity, with the chain of the true one.
    let mut machine = Machine::<Vf>::honest(&[event()]);
    machine.set_point(0, "x_r", Point::Identity);
    *machine.cell(Part::Control, 0, "r_identity", 0) = KoalaBear::ONE;
    *machine.cell(Part::Control, 0, "witness_s", 0) = KoalaBear::ZERO;
    alone(&machine, "verify_control.C8.s_identity");
    // R + 2kG for R: the line through −S and R + 2kG meets −kG, not kG.
    let mut machine = Machine::<Vf>::honest(&[event()]);
    let r = event().execute();
    let k = (0..4).find(|&k| *machine.cell(Part::Control, 0, "multiple", k) == KoalaBear::ONE).unwrap();
    let k = params::GENERATOR_MULTIPLES[k];
    let (s, wrong) = (r + k.into(), r + k.double().into());
    machine.set_point(0, "x_r", wrong);
    let (s, wrong) = ((-s).to_affine().unwrap(), wrong.to_affine().unwrap());
    for (i, c) in slope(s, wrong).0.into_iter().enumerate() {
        *machine.cell(Part::Control, 0, "lambda_s", i) = c;
    }
    let f = evaluate(&(k.x() - wrong.x()), &machine.trace.parameter);
    *machine.cell(Part::Control, 0, "witness_s", 0) = f.inverse();
    alone(&machine, "verify_control.C9.s_line");
    // The result of e, s for e + 1, s and for e, s + 1.
    for (name, label) in [("e", "verify_control.C24.product_e"), ("s", "verify_control.C25.product_s")] {
        let mut machine = Machine::<Vf>::honest(&[event()]);
        *machine.cell(Part::Control, 0, name, 1) -= KoalaBear::ONE;
        alone(&machine, label);
    }
}

/// Digits of g moved from the low to the high half: the relation of s notices.
#[test]
fn forge_generator_digits() {
    let plan = |event: &VerifyEvent, out: Point| {
        let mut plan = Vf::plan(event, out);
        plan.product_s.1.reverse();
        plan
    };
    let machine = Machine::<Vf>::forged(&[event()], plan);
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    let failures = machine.failures();
    assert!(
        failures.contains("verify_control.C25.product_s") && failures.contains("verify_control.C22.end_x")
    );
}

/// Another k in the relation of s than in S.
#[test]
fn forge_multiple() {
    let plan = |event: &VerifyEvent, out: Point| {
        let mut plan = Vf::plan(event, out);
        plan.product_s = ProductWitness::of_sum(&plan.pair, &event.s, 4);
        plan
    };
    let machine = Machine::<Vf>::forged(&[event()], plan);
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    let failures = machine.failures();
    assert!(
        failures.contains("verify_control.C25.product_s") && failures.contains("verify_control.C22.end_x")
    );
    // Two k at once, and none.
    for value in [KoalaBear::ONE, KoalaBear::ZERO] {
        let mut machine = Machine::<Vf>::honest(&[event()]);
        *machine.cell(Part::Control, 0, "multiple", 0) = value;
        *machine.cell(Part::Control, 0, "multiple", 1) = value;
        assert!(machine.failures().contains("verify_control.C7.one_multiple"));
    }
}

#[test]
fn operations_share_no_bus() {
    let verify = buses(&Machine::<Vf>::honest(&[event()]));
    assert_eq!(verify, [Bus::VerifyState, Bus::VerifyDigits].into());
    let scalar_mul = ScalarMulEvent { p: multiple(11), s: Scalar256::from(99u64) };
    let scalar_mul = buses(&Machine::<HalfScalarMul>::honest(&[scalar_mul]));
    assert!(verify.is_disjoint(&scalar_mul));
}

/// The signatures of the public signer.
#[test]
fn signatures() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/schnorr_orders.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let signatures = file["signatures"].as_array().unwrap();
    let events: Vec<_> = signatures
        .iter()
        .map(|c| VerifyEvent { a: point(&c["public_key"]), s: scalar(&c["s"]), e: scalar(&c["e"]) })
        .collect();
    assert_eq!(events.len(), 64);
    let machine = Machine::<Vf>::honest(&events);
    for (out, signature) in machine.trace.outputs.iter().zip(signatures) {
        assert_eq!(*out, point(&signature["R"]));
    }
}
