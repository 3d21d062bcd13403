//! SCALAR_MUL.

use septic_chips::half::{ScalarMulControl, ScalarMulSteps};
use septic_chips::params::Septic as SepticParams;

use super::machine::Part;
use super::*;
use crate::half::integers::HalfPair;

type Sm = HalfScalarMul;

fn multiple(k: u64) -> Point {
    times(Scalar::from(k), Point::GENERATOR)
}

/// P with R ± P = B_0, −B_0 or B_1. The first step adds R − P if w < 0 and R + P if w > 0; it is exceptional for ±B_0.
fn colliding_events() -> Vec<ScalarMulEvent> {
    let [b_0, b_1] = params::OFFSETS.map(Point::from);
    let mut events = std::vec![];
    for s in [Scalar::from(5), -Scalar::from(5)] {
        for sign in [Scalar::ONE, -Scalar::ONE] {
            let inverse = (s + sign).invert().unwrap();
            events.extend([b_0, -b_0, b_1].map(|b| ScalarMulEvent { p: times(inverse, b), s: s.into() }));
        }
    }
    events
}

#[test]
fn tables_are_as_documented() {
    assert_eq!(shape::<ScalarMulControl>(), [214, 176, 3, 41]);
    assert_eq!(shape::<ScalarMulControl<SepticParams, 14>>(), [221, 183, 3, 48]);
    assert_eq!(shape::<ScalarMulSteps>(), [437, 393, 3, 3]);
    assert_eq!(shape::<ScalarMulSteps<8>>(), [245, 201, 3, 3]);
    assert_eq!(Sm::ROWS * ScalarMulSteps::<16>::WIDTH + <ScalarMulControl>::WIDTH, 3273);
    let control = include_str!("../../../../chips/src/half/scalar_mul_control.rs");
    documented::<ScalarMulControl>(control, "scalar_mul_control", &[("L", 7)]);
    let steps = include_str!("../../../../chips/src/half/scalar_mul_steps.rs");
    documented::<ScalarMulSteps>(steps, "scalar_mul_steps", &[("K", 16)]);
}

#[test]
fn vectors() {
    let cases = cases("scalar_mul");
    let events: Vec<_> =
        cases.iter().map(|c| ScalarMulEvent { p: point(&c["p"]), s: scalar(&c["s"]) }).collect();
    assert_eq!(events.len(), 93);
    let machine = Machine::<Sm>::honest(&events);
    let outputs: Vec<_> = cases.iter().map(|c| point(&c["out"])).collect();
    assert_eq!(machine.trace.outputs, outputs);
    let machine = Machine::<HalfScalarMul<8, 14>>::honest(&events);
    assert_eq!(machine.trace.outputs, outputs);
}

#[test]
fn edges() {
    let mut events = std::vec![];
    for p in edge_points() {
        events.extend(edge_scalars().into_iter().map(|s| ScalarMulEvent { p, s }));
    }
    assert_eq!(events.len(), 110);
    Machine::<Sm>::honest(&events);
    Machine::<HalfScalarMul<8, 14>>::honest(&events[..20]);
}

#[test]
fn second_offset() {
    let events = colliding_events();
    let mut machine = Machine::<Sm>::honest(&events);
    let second: Vec<bool> = (0..events.len())
        .map(|row| *machine.cell(Part::Control, row, "offset", 0) == KoalaBear::ONE)
        .collect();
    // u = 1 and w = −5 or 5.
    let (minus, plus) = ([false, false, false, true, true, false], [true, true, false, false, false, false]);
    assert_eq!(second, [minus, plus].concat());
}

#[test]
fn lists_of_any_length() {
    for n in [0, 1, 2, 15, 16, 17, 65] {
        let events: Vec<_> = (0..n).map(|k| ScalarMulEvent { p: multiple(k), s: (k * k).into() }).collect();
        let machine = Machine::<Sm>::honest(&events);
        let [control, steps] = Sm::heights(events.len()).unwrap();
        assert_eq!(machine.trace.control.values.len(), control * <ScalarMulControl>::WIDTH);
        assert_eq!(machine.trace.steps.values.len(), steps * <ScalarMulSteps>::WIDTH);
    }
    assert!(Sm::heights(1 << 23).is_err());
    let off = AffinePoint::new_unchecked(params::GENERATOR.x(), params::GENERATOR.x());
    let error = Sm::generate(&[ScalarMulEvent { p: off.into(), s: Scalar256::ONE }]).unwrap_err();
    assert_eq!(error, TraceError::NotOnCurve { event: 0, field: "p" });
}

/// Cells of an event are the same wherever it stands, but for its number and what depends on t.
#[test]
fn events_do_not_mix() {
    let mut events: Vec<_> = (0..130).map(|k| ScalarMulEvent { p: multiple(k), s: (k * k).into() }).collect();
    events[100] = colliding_events()[3];
    let all = Machine::<Sm>::honest(&events);
    for at in [0, 63, 64, 100, 129] {
        let one = Machine::<Sm>::honest(&events[at..=at]);
        assert_eq!(one.without_numbers(0), all.without_numbers(at));
    }
}

#[test]
fn zero_rows_are_valid() {
    let machine = Machine::<Sm>::honest(&[]);
    assert!(machine.trace.steps.values.iter().all(|&x| x == KoalaBear::ZERO));
    assert!(machine.messages().is_empty());
}

#[test]
fn changed_cells_are_noticed() {
    let order_minus_one = Scalar256::from(params::ORDER.wrapping_sub(&crypto_bigint::U256::ONE));
    let events = [
        ScalarMulEvent { p: multiple(5), s: Scalar256::MAX },
        colliding_events()[3],
        ScalarMulEvent { p: multiple(9), s: Scalar256::ZERO },
        ScalarMulEvent { p: multiple(9), s: Scalar256::ONE },
        ScalarMulEvent { p: multiple(9), s: order_minus_one },
        ScalarMulEvent { p: Point::Identity, s: 77u64.into() },
    ];
    let machine = Machine::<Sm>::honest(&events);
    let mut rows: Vec<_> = (0..8).map(|row| (Part::Control, row)).collect();
    rows.extend([0, 3, 6, 7, 13, 14, 42, 50].map(|row| (Part::Steps, row)));
    let (free, changes) = free_cells(&machine, &rows, &[1, 1_234_567_890]);
    assert_eq!(changes, 2 * (8 * 214 + 8 * 437));
    let mut expected = BTreeSet::new();
    // Without a chain M and its slopes mean nothing.
    for row in 2..8 {
        expected.extend(["x_m", "y_m", "lambda_n", "lambda_m"].map(|name| (Part::Control, row, name)));
    }
    // h(u) = 0.
    for row in [6, 7] {
        expected.extend(["u", "witness"].map(|name| (Part::Control, row, name)));
    }
    // Rows without a chain, and padding.
    for row in [14, 42, 50] {
        let names = ["id", "index", "x_m", "y_m", "x_in", "witness"];
        expected.extend(names.map(|name| (Part::Steps, row, name)));
    }
    assert_eq!(free, expected);
}

fn event() -> ScalarMulEvent {
    ScalarMulEvent { p: multiple(11), s: Scalar256::from(0x1234_5678_9abc_def0) }
}

fn labels(names: &[&'static str]) -> BTreeSet<&'static str> {
    names.iter().copied().collect()
}

/// A wrong result with an honest chain: it does not end where it should.
#[test]
fn forge_result() {
    let machine = Machine::<Sm>::forged(&[event()], |event, out| Sm::plan(event, out + multiple(1)));
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    let failures = machine.failures();
    assert_eq!(
        failures,
        labels(&[
            "scalar_mul_control.C19.end_tangent",
            "scalar_mul_control.C20.end_x",
            "scalar_mul_control.C21.end_y",
        ])
        .into_iter()
        .filter(|label| failures.contains(label))
        .collect()
    );
    assert!(failures.contains("scalar_mul_control.C20.end_x"));
}

/// u = 0, w = 0 is a relation for every R.
#[test]
fn forge_zero_relation() {
    let plan = |event: &ScalarMulEvent, out: Point| {
        let mut plan = Sm::plan(event, out + multiple(1));
        plan.pair = HalfPair::trivial();
        plan
    };
    let mut machine = Machine::<Sm>::forged(&[event()], plan);
    // No witness exists for h(u) = 0; those of the steps are made with another u.
    let t = machine.trace.parameter;
    assert!(!finish::<Sm>(&mut machine.trace, t));
    let u = *machine.cell(Part::Control, 0, "u", 0);
    *machine.cell(Part::Control, 0, "u", 0) = KoalaBear::ZERO;
    assert!(finish::<Sm>(&mut machine.trace, t));
    *machine.cell(Part::Control, 0, "u", 0) = u;
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["scalar_mul_control.C11.u_nonzero"]));
}

/// The point (x, y) of y² = x³ + ax, which C2 allows where it should be (0, 0).
pub(super) fn point_without_b() -> AffinePoint {
    (1..)
        .find_map(|c| {
            let x = Fp7::from_u32s([c, 1, 0, 0, 0, 0, 0]);
            let a = Fp7::from_base(KoalaBear::new(params::CURVE_A));
            let y = (x.dot_square() + a).dot_mul(&x).try_sqrt()?;
            Some(AffinePoint::new_unchecked(x, y))
        })
        .unwrap()
}

/// One constraint stands between each of these and a false statement.
#[test]
fn forge_one_constraint() {
    let alone = |machine: &Machine<Sm>, label: &'static str| {
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        assert_eq!(machine.failures(), labels(&[label]));
    };
    let p = multiple(7);
    // 0·P = 𝒪 for a P off the curve.
    let mut machine = Machine::<Sm>::honest(&[ScalarMulEvent { p, s: Scalar256::ZERO }]);
    machine.set_point(0, "x_p", AffinePoint::new_unchecked(params::GENERATOR.x(), params::DUMMY.y()).into());
    alone(&machine, "scalar_mul_control.C1.p_curve");
    // 0·P is a point that is neither on E nor (0, 0).
    let mut machine = Machine::<Sm>::honest(&[ScalarMulEvent { p, s: Scalar256::ZERO }]);
    machine.set_point(0, "x_r", point_without_b().into());
    alone(&machine, "scalar_mul_control.C3.r_identity");
    // 5·P = P: u = 1, w = −5.
    let without_chain = |s: Scalar| {
        let event = ScalarMulEvent { p, s: s.into() };
        Machine::<Sm>::forged(&[event], |event, _| {
            let mut plan = Sm::plan(event, event.p);
            assert!(plan.sums.take().is_none());
            plan
        })
    };
    alone(&without_chain(Scalar::from(5)), "scalar_mul_control.C10.idle_w");
    // (1/3)·P = P: u = 3, w = −1.
    alone(&without_chain(Scalar::from(3).invert().unwrap()), "scalar_mul_control.C9.idle_u");
    // 4·P = −C − P for P = C/10, C = C_0: then N = E = −C, and any line through N with λ² = 3·x(C) is accepted as E + N = C.
    let c = Point::from(params::HALF_SCALAR_MUL_CORRECTIONS[0]);
    let event = ScalarMulEvent { p: times(Scalar::from(10).invert().unwrap(), c), s: 4u64.into() };
    assert_ne!(event.execute(), -c - event.p);
    let mut machine = Machine::<Sm>::forged(&[event], |event, _| Sm::plan(event, -c - event.p));
    let lambda = c.to_affine().unwrap().x().tripled().try_sqrt().unwrap();
    for (i, c) in lambda.0.into_iter().enumerate() {
        *machine.cell(Part::Control, 0, "lambda_e", i) = c;
    }
    alone(&machine, "scalar_mul_control.C19.end_tangent");
    // The result of s for s + 1.
    let mut machine = Machine::<Sm>::honest(&[self::event()]);
    *machine.cell(Part::Control, 0, "s", 0) += KoalaBear::ONE;
    alone(&machine, "scalar_mul_control.C22.product");
}

/// Rows of a chain left out, repeated, or sent several times.
#[test]
fn forge_chain_rows() {
    let honest = Machine::<Sm>::honest(&[event()]);
    // The last row dropped.
    let mut machine = honest.clone();
    let width = <ScalarMulSteps>::WIDTH;
    machine.cells(Part::Steps)[6 * width..7 * width].fill(KoalaBear::ZERO);
    assert_eq!(machine.failures(), BTreeSet::new());
    assert_eq!(machine.unbalanced(), [Bus::ScalarMulState, Bus::ScalarMulDigits].into());
    // A row repeated.
    let mut machine = honest.clone();
    let row = machine.cells(Part::Steps)[..width].to_vec();
    machine.cells(Part::Steps)[7 * width..8 * width].copy_from_slice(&row);
    assert_eq!(machine.failures(), BTreeSet::new());
    assert_eq!(machine.unbalanced(), [Bus::ScalarMulState, Bus::ScalarMulDigits].into());
    // A row that counts twice.
    let mut machine = honest.clone();
    *machine.cell(Part::Steps, 0, "real", 0) = KoalaBear::TWO;
    let witnesses = (0..16).map(|a| (a, *machine.cell(Part::Steps, 0, "witness", a))).collect::<Vec<_>>();
    witnesses.into_iter().for_each(|(a, w)| *machine.cell(Part::Steps, 0, "witness", a) = w.double());
    assert_eq!(machine.failures(), labels(&["scalar_mul_steps.C1.real"]));
}

#[test]
fn one_operation_one_bus_of_each_kind() {
    let machine = Machine::<Sm>::honest(&[event()]);
    assert_eq!(buses(&machine), [Bus::ScalarMulState, Bus::ScalarMulDigits].into());
}
