//! Assumptions that soundness of the tables with half-size scalars rests on, each with its forgery. The numbers are those
//! of `tests/soundness/assumptions.rs`, where the same is done for the row-per-bit chips.
//!
//! | no. | assumption | here |
//! |-----|------------|------|
//! | 1 | half-size scalars: s ≡ ±1 needs its own relations | test |
//! | 2 | operation ids on a bus are unique | test |
//! | 3 | messages of different kinds on a bus differ | test |
//! | 4 | digit accumulators of the first row are pinned | not applicable: a row holds the digits of its limbs |
//! | 5 | the end flag is boolean, rows that are not real send nothing | test: there is no end flag, `real` counts messages |
//! | 6 | bytes at the interface are bytes | test |
//! | 7 | rows with `real = 0` prove nothing; claimed rows have `real = 1` | test |
//! | 8 | the non-zero tests are complete although t is one number | test |
//! | 9 | the last rows may meet an exceptional case | not applicable: no row is excepted, the other offset serves |

use septic_curve::lift_x;

use super::machine::Part;
use super::scalar_mul::point_without_b;
use super::*;
use crate::half::integers::{HalfPair, ProductWitness};
use crate::{MIN_TABLE_LOG_HEIGHT, VerifyEvent};

type Sm = HalfScalarMul;
type Vf = HalfVerify;

fn multiple(k: u64) -> Point {
    times(Scalar::from(k), Point::GENERATOR)
}

fn event() -> ScalarMulEvent {
    ScalarMulEvent { p: multiple(11), s: Scalar256::from(0x1234_5678_9abc_def0) }
}

fn verify_event() -> VerifyEvent {
    VerifyEvent { a: multiple(11), s: Scalar256::MAX, e: Scalar256::from(0x1234_5678_9abc_def0) }
}

fn labels(names: &[&'static str]) -> BTreeSet<&'static str> {
    names.iter().copied().collect()
}

fn order_plus(k: u64) -> Scalar256 {
    Scalar256::from(params::ORDER.wrapping_add(&k.into()))
}

/// A number below 2^112 modulo the order.
fn residue(x: u128) -> Scalar {
    Scalar::from(Scalar256::from(crypto_bigint::U256::from(x)))
}

/// The buses on which sent and received messages differ, counted modulo p. Messages on `renamed` buses are taken for those
/// of another, short ones end in zeros.
fn unbalanced(messages: &[Message<KoalaBear>], renamed: impl Fn(Bus) -> Bus) -> BTreeSet<Bus> {
    let mut balance: BTreeMap<(Bus, Vec<u32>), KoalaBear> = BTreeMap::new();
    for message in messages.iter().filter(|message| message.bus != Bus::BytePair) {
        let mut fields: Vec<u32> = message.fields.iter().map(|x| x.as_canonical_u32()).collect();
        fields.resize(44, 0);
        let count = match message.count {
            Count::Send(n) => n,
            Count::Receive(n) => -n,
            Count::Provide(_) => panic!("these tables provide nothing"),
        };
        *balance.entry((renamed(message.bus), fields)).or_default() += count;
    }
    balance.into_iter().filter(|(_, sum)| *sum != KoalaBear::ZERO).map(|((bus, _), _)| bus).collect()
}

/// SCALAR_MUL's buses and VERIFY's as one of each kind.
fn merged(bus: Bus) -> Bus {
    match bus {
        Bus::ScalarMulState => Bus::VerifyState,
        Bus::ScalarMulDigits => Bus::VerifyDigits,
        bus => bus,
    }
}

/// s ≡ 0, ±1 for s below and above the order.
#[test]
fn assumption_1_flagged_results_are_proved() {
    let minus_one = Scalar256::from(params::ORDER.wrapping_sub(&crypto_bigint::U256::ONE));
    let mut events = std::vec![];
    for p in [multiple(7), multiple(1), -multiple(1)] {
        let flagged = [Scalar256::ZERO, Scalar256::ONE, minus_one, order_plus(0), order_plus(1)];
        events.extend(flagged.map(|s| ScalarMulEvent { p, s }));
    }
    let mut machine = Machine::<Sm>::honest(&events);
    for row in 0..events.len() {
        let flags =
            ["r_identity", "r_base", "r_minus"].map(|name| *machine.cell(Part::Control, row, name, 0));
        assert_eq!(flags.into_iter().sum::<KoalaBear>(), KoalaBear::ONE);
    }
    assert!(machine.messages().iter().all(|message| message.bus == Bus::BytePair));
}

/// Another result where the result is a flag: 𝒪, P, −P.
#[test]
fn assumption_1_flagged_results_have_their_relations() {
    let order_minus_one = Scalar256::from(params::ORDER.wrapping_sub(&crypto_bigint::U256::ONE));
    let cases = [
        (Scalar256::ZERO, &["scalar_mul_control.C2.r_curve", "scalar_mul_control.C3.r_identity"][..]),
        (Scalar256::ONE, &["scalar_mul_control.C4.r_base"]),
        (order_minus_one, &["scalar_mul_control.C5.r_minus"]),
    ];
    for (s, expected) in cases {
        let event = ScalarMulEvent { p: multiple(7), s };
        for wrong in [multiple(12), event.p + event.execute() + multiple(1)] {
            let mut machine = Machine::<Sm>::honest(&[event]);
            machine.set_point(0, "x_r", wrong);
            assert_eq!(machine.failures(), labels(expected));
            assert_eq!(machine.unbalanced(), BTreeSet::new());
        }
        // A flag of another case: u and w say otherwise.
        for flag in ["r_identity", "r_base", "r_minus"] {
            let mut machine = Machine::<Sm>::honest(&[event]);
            let cell = machine.cell(Part::Control, 0, flag, 0);
            *cell = KoalaBear::ONE - *cell;
            assert!(!machine.failures().is_empty());
        }
    }
    // R = −P declared for s = 1, coordinate by coordinate: x alone agrees.
    let event = ScalarMulEvent { p: multiple(7), s: Scalar256::ONE };
    let mut machine = Machine::<Sm>::honest(&[event]);
    machine.set_point(0, "x_r", -event.p);
    assert_eq!(machine.failures(), labels(&["scalar_mul_control.C4.r_base"]));
    // A chain cannot serve s = 1, not even for R = P: M has no coordinates.
    let mut machine = Machine::<Sm>::honest(&[event]);
    *machine.cell(Part::Control, 0, "r_base", 0) = KoalaBear::ZERO;
    assert!(machine.failures().contains("scalar_mul_control.C15.m_line"));
}

/// VERIFY has no such flags: another k serves R = ±kG. With this k R = kG has no witness, and without C12 no line through kG
/// and R would be wrong: S would be free.
#[test]
fn assumption_1_exceptional_multiples_have_no_witness() {
    let event = VerifyEvent { a: multiple(7), s: (-Scalar::from(6)).into(), e: Scalar256::ONE };
    let mut machine = Machine::<Vf>::honest(&[event]);
    assert_eq!(event.execute(), multiple(1));
    assert_eq!(*machine.cell(Part::Control, 0, "multiple", 1), KoalaBear::ONE);
    *machine.cell(Part::Control, 0, "multiple", 1) = KoalaBear::ZERO;
    *machine.cell(Part::Control, 0, "multiple", 0) = KoalaBear::ONE;
    let lambda = Fp7::from_u32s([3, 1, 4, 1, 5, 9, 2]);
    let r = params::GENERATOR;
    let x = lambda.dot_square() - r.x().doubled();
    let y = lambda.dot_mul(&(r.x() - x)) - r.y();
    machine.set_element(Part::Control, 0, "lambda_s", 0, lambda);
    machine.set_element(Part::Control, 0, "x_s", 0, x);
    machine.set_element(Part::Control, 0, "y_s", 0, y);
    let failures = machine.failures();
    assert!(failures.contains("verify_control.C12.s_distinct"));
    assert!(
        ["C8.s_identity", "C9.s_line", "C10.s_x", "C11.s_y"]
            .iter()
            .all(|label| !failures.contains(std::format!("verify_control.{label}").as_str()))
    );
}

/// Two operations of one id: messages balance, the counter does not.
#[test]
fn assumption_2_ids_are_a_counter() {
    let events = [event(), ScalarMulEvent { p: multiple(3), s: 12345u64.into() }];
    let mut machine = Machine::<Sm>::honest(&events);
    *machine.cell(Part::Control, 1, "id", 0) = KoalaBear::ZERO;
    (7..14).for_each(|row| *machine.cell(Part::Steps, row, "id", 0) = KoalaBear::ZERO);
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["scalar_mul_control.C24.id_step"]));
    // All ids shifted.
    let mut machine = Machine::<Sm>::honest(&events);
    let rows = 1 << MIN_TABLE_LOG_HEIGHT;
    (0..rows).for_each(|row| *machine.cell(Part::Control, row, "id", 0) += KoalaBear::ONE);
    (0..14).for_each(|row| *machine.cell(Part::Steps, row, "id", 0) += KoalaBear::ONE);
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["scalar_mul_control.C23.id_start"]));
}

/// Two operations of one id: messages balance, the counter does not.
#[test]
fn assumption_2_ids_of_verify_are_a_counter() {
    let events = [verify_event(), VerifyEvent { a: multiple(3), s: 12345u64.into(), e: 999u64.into() }];
    let mut machine = Machine::<Vf>::honest(&events);
    *machine.cell(Part::Control, 1, "id", 0) = KoalaBear::ZERO;
    (7..14).for_each(|row| *machine.cell(Part::Steps, row, "id", 0) = KoalaBear::ZERO);
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["verify_control.C27.id_step"]));
    let mut machine = Machine::<Vf>::honest(&events);
    let rows = 1 << MIN_TABLE_LOG_HEIGHT;
    (0..rows).for_each(|row| *machine.cell(Part::Control, row, "id", 0) += KoalaBear::ONE);
    (0..14).for_each(|row| *machine.cell(Part::Steps, row, "id", 0) += KoalaBear::ONE);
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["verify_control.C26.id_start"]));
}

/// U and W, or the halves of g, with the lowest limbs of `other`.
fn low_limb_of(number: u128, other: u128) -> u128 {
    (number & !0xffff) | (other & 0xffff)
}

/// Cells of control rows replaced by those of `honest`, with a witness for u, and all operations numbered 0.
fn show_honest_scalars<O: Fill>(forged: &mut Machine<O>, honest: &Machine<O>, names: &[&str]) {
    let mut honest = honest.clone();
    let fields = <<O::Control as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let t = forged.trace.parameter;
    for row in 0..2 {
        for name in names {
            let width = fields.iter().find(|field| field.name == *name).unwrap().width;
            for i in 0..width {
                *forged.cell(Part::Control, row, name, i) = *honest.cell(Part::Control, row, name, i);
            }
        }
        let h = (0..U_BYTES).rev().fold(KoalaBear::ZERO, |sum, i| {
            sum * t + *forged.cell(Part::Control, row, "u", i) - KoalaBear::from_u32(SHIFT_BYTES[i])
        });
        *forged.cell(Part::Control, row, "witness", 0) = h.inverse();
    }
    *forged.cell(Part::Control, 1, "id", 0) = KoalaBear::ZERO;
    (O::ROWS..2 * O::ROWS).for_each(|row| *forged.cell(Part::Steps, row, "id", 0) = KoalaBear::ZERO);
}

/// Two SCALAR_MUL of one id with the digits of their last rows swapped: both results are wrong, and the counter alone
/// notices. With numbers of their own the digits do not balance.
#[test]
fn assumption_2_swapped_digits_prove_wrong_results() {
    let scalar = |k: u64| times(Scalar::from(k), Point::GENERATOR).to_affine().unwrap().x().0[0];
    let wide = |k: u64| {
        let limbs = core::array::from_fn(|i| scalar(k + i as u64).as_canonical_u32());
        Scalar256::from_le_limbs(limbs)
    };
    let events =
        [ScalarMulEvent { p: multiple(11), s: wide(100) }, ScalarMulEvent { p: multiple(3), s: wide(200) }];
    let honest = Machine::<Sm>::honest(&events);
    let mut forged = Machine::<Sm>::forged(&events, |event, _| {
        let other = if event.p == events[0].p { events[1] } else { events[0] };
        let [own, other] = [event.s, other.s].map(|s| HalfPair::new(&s));
        let u = low_limb_of(own.u_shifted(), other.u_shifted());
        let w = low_limb_of(own.w_shifted(), other.w_shifted());
        let pair = HalfPair::from_shifted(u, w);
        let w = residue(w) - residue((1 << 111) - 1);
        let s: Scalar256 = (-w * residue(pair.u).invert().unwrap()).into();
        let event = ScalarMulEvent { p: event.p, s };
        let mut plan = Sm::plan(&event, event.execute());
        plan.pair = pair;
        plan
    });
    assert_eq!(forged.failures(), BTreeSet::new());
    let names = ["s", "u", "w", "quotient", "carry_low", "carry_high"];
    show_honest_scalars(&mut forged, &honest, &names);
    assert_eq!(forged.unbalanced(), BTreeSet::new());
    assert_eq!(forged.failures(), labels(&["scalar_mul_control.C24.id_step"]));
    for (row, event) in events.iter().enumerate() {
        assert_ne!(Point::from(forged.point(Part::Control, row, "x_r")), event.execute());
    }
    *forged.cell(Part::Control, 1, "id", 0) = KoalaBear::ONE;
    (7..14).for_each(|row| *forged.cell(Part::Steps, row, "id", 0) = KoalaBear::ONE);
    assert_eq!(forged.failures(), BTreeSet::new());
    assert_eq!(forged.unbalanced(), [Bus::ScalarMulDigits].into());
}

/// The same for VERIFY, where the digits of g are swapped with the others.
#[test]
fn assumption_2_swapped_digits_prove_wrong_signatures() {
    let events = [
        VerifyEvent { a: multiple(11), s: Scalar256::MAX, e: order_plus(123_456_789_123) },
        VerifyEvent { a: multiple(3), s: order_plus(987_654_321_987), e: Scalar256::MAX },
    ];
    let honest = Machine::<Vf>::honest(&events);
    let mut forged = Machine::<Vf>::forged(&events, |event, out| {
        let other = if event.a == events[0].a { events[1] } else { events[0] };
        let [own, other] = [*event, other].map(|event| Vf::plan(&event, event.execute()));
        assert_eq!((own.multiple, Vf::plan(event, out).multiple), (0, 0));
        let u = low_limb_of(own.pair.u_shifted(), other.pair.u_shifted());
        let w = low_limb_of(own.pair.w_shifted(), other.pair.w_shifted());
        let [low, high] = [0, 1].map(|i| low_limb_of(own.product_s.1[i], other.product_s.1[i]));
        let pair = HalfPair::from_shifted(u, w);
        let w = residue(w) - residue((1 << 111) - 1);
        let g = residue(low) + residue(high) * (residue(1 << 111) + residue(1 << 111));
        let inverse = residue(pair.u).invert().unwrap();
        let (s, e) = ((-g * inverse - Scalar::from(1)).into(), (-w * inverse).into());
        let event = VerifyEvent { a: event.a, s, e };
        let mut plan = Vf::plan(&event, event.execute());
        assert_eq!(plan.multiple, 0);
        plan.pair = pair;
        plan.product_s = ProductWitness::of_sum(&pair, &s, 1);
        assert_eq!(plan.product_s.1, [low, high]);
        plan
    });
    assert_eq!(forged.failures(), BTreeSet::new());
    let mut names = std::vec!["s", "e", "u", "w", "g_low", "g_high"];
    names.extend(["quotient_e", "carry_low_e", "carry_high_e", "quotient_s", "carry_low_s", "carry_high_s"]);
    show_honest_scalars(&mut forged, &honest, &names);
    assert_eq!(forged.unbalanced(), BTreeSet::new());
    assert_eq!(forged.failures(), labels(&["verify_control.C27.id_step"]));
    for (row, event) in events.iter().enumerate() {
        assert_ne!(Point::from(forged.point(Part::Control, row, "x_r")), event.execute());
    }
    *forged.cell(Part::Control, 1, "id", 0) = KoalaBear::ONE;
    (7..14).for_each(|row| *forged.cell(Part::Steps, row, "id", 0) = KoalaBear::ONE);
    assert_eq!(forged.failures(), BTreeSet::new());
    assert_eq!(forged.unbalanced(), [Bus::VerifyDigits].into());
}

/// The digits of two operations swapped between their chains: noticed as digits messages.
#[test]
fn assumption_2_digits_of_another_operation() {
    let events = [event(), ScalarMulEvent { p: multiple(3), s: 12345u64.into() }];
    let mut machine = Machine::<Sm>::forged(&events, |event, out| {
        let mut plan = Sm::plan(event, out);
        plan.scalar = if event.p == events[0].p { events[1].s } else { events[0].s };
        plan.pair = HalfPair::new(&plan.scalar);
        plan
    });
    // The chains ran with the wrong digits; the control rows show the right ones.
    let honest = Machine::<Sm>::honest(&events);
    machine.trace.control = honest.trace.control;
    assert!(machine.unbalanced().contains(&Bus::ScalarMulDigits));
    assert!(machine.unbalanced().contains(&Bus::ScalarMulState));
}

/// Events of both operations with the same numbers: their messages balance, on one bus or two.
#[test]
fn assumption_3_operations_side_by_side() {
    let mut messages = Machine::<Sm>::honest(&[event(), event()]).messages();
    messages.extend(Machine::<Vf>::honest(&[verify_event(), verify_event()]).messages());
    assert_eq!(unbalanced(&messages, |bus| bus), BTreeSet::new());
    assert_eq!(unbalanced(&messages, merged), BTreeSet::new());
}

/// (2^224 − 1)/(2u): with digits 0 of g, VERIFY's steps add −(2^224 − 1)·G to the chain.
fn shift_of_zero_digits(pair: &HalfPair) -> Scalar {
    let two_112 = residue(1 << 111) + residue(1 << 111);
    (two_112 * two_112 - Scalar::from(1)) * (residue(pair.u) + residue(pair.u)).invert().unwrap()
}

/// A control row of SCALAR_MUL served by VERIFY's steps, a result off by a multiple of G: with one bus for both operations
/// nothing notices; with a bus each, nobody takes what the control row sends.
#[test]
fn assumption_3_scalar_mul_served_by_steps_of_verify() {
    let event = event();
    let pair = HalfPair::new(&event.s);
    let wrong = event.execute() + times(shift_of_zero_digits(&pair), Point::GENERATOR);
    assert_ne!(wrong, event.execute());
    let mut control = Machine::<Sm>::forged(&[event], |event, _| Sm::plan(event, wrong));
    control.set_end(0, params::HALF_SCALAR_MUL_CORRECTIONS[0].into());
    let sums = Sm::plan(&event, wrong).sums.unwrap();
    let mut steps =
        Machine::<Vf>::forged(&[VerifyEvent { a: event.p, s: event.s, e: event.s }], |event, out| {
            let mut plan = Vf::plan(event, out);
            plan.sums = sums;
            plan.product_s.1 = [0; 2];
            plan
        });
    assert_eq!(control.failures_on(Part::Control, 0), [""; 0]);
    assert!((0..7).all(|row| steps.failures_on(Part::Steps, row).is_empty()));
    assert_eq!(*steps.cell(Part::Control, 0, "offset", 0), KoalaBear::ZERO);

    let mut messages = control.messages_of(Part::Control);
    messages.extend(steps.messages_of(Part::Steps));
    assert_eq!(unbalanced(&messages, merged), BTreeSet::new());
    let separated = unbalanced(&messages, |bus| bus);
    let all = [Bus::ScalarMulState, Bus::ScalarMulDigits, Bus::VerifyState, Bus::VerifyDigits];
    assert_eq!(separated, all.into());
}

/// The other way round: s ≡ −1 and k = 1 leave g = 0, and SCALAR_MUL's steps add nothing for it.
#[test]
fn assumption_3_verify_served_by_steps_of_scalar_mul() {
    let s = Scalar256::from(-Scalar::from(1));
    let event = VerifyEvent { s, ..verify_event() };
    let pair = HalfPair::new(&event.e);
    let wrong = event.execute() - times(shift_of_zero_digits(&pair), Point::GENERATOR);
    let mut control = Machine::<Vf>::forged(&[event], |event, _| {
        let plan = Vf::plan(event, wrong);
        assert_eq!((plan.multiple, plan.product_s.1), (0, [0; 2]));
        plan
    });
    control.set_end(0, params::HALF_VERIFY_CORRECTIONS[0].into());
    let sum = wrong + Point::GENERATOR;
    let steps =
        Machine::<Sm>::forged(&[ScalarMulEvent { p: event.a, s: event.e }], |event, _| Sm::plan(event, sum));
    assert_eq!(control.failures_on(Part::Control, 0), [""; 0]);
    assert!((0..7).all(|row| steps.failures_on(Part::Steps, row).is_empty()));

    let mut messages = control.messages_of(Part::Control);
    messages.extend(steps.messages_of(Part::Steps));
    assert_eq!(unbalanced(&messages, merged), BTreeSet::new());
    let separated = unbalanced(&messages, |bus| bus);
    let all = [Bus::ScalarMulState, Bus::ScalarMulDigits, Bus::VerifyState, Bus::VerifyDigits];
    assert_eq!(separated, all.into());
}

/// A control row for 16 steps a row served by rows of 8 steps: 7 rows of 8 digits of both kinds are 7 rows of 16 digits of
/// U, and W = 0. Nothing but G1, one K for both tables, or the length of digits messages, stands against it.
#[test]
fn assumption_3_steps_of_another_size() {
    let [a, b] = [(1 << 55) + 0x0012_3456_789a_bcde, (1 << 55) + 0x0076_5432_10fe_dcba_u128];
    let shift = (1 << 56) - 1;
    let p = multiple(11);
    // E = 2^56·B + (2a − shift)·R + (2b − shift)·P, E + R + P = 2^112·B.
    let of = |digits: u128| residue(2 * digits + 1 - shift);
    let (two_56, b_0) = (residue(1 << 56), Point::from(params::OFFSETS[0]));
    let right = times(two_56 * two_56 - two_56, b_0) - times(of(b), p);
    let wrong = times(of(a).invert().unwrap(), right);
    let interleaved =
        (0..7).fold(0, |sum, i| sum | (((b >> (8 * i)) & 255) << 8 | ((a >> (8 * i)) & 255)) << (16 * i));
    let scalar = |pair: &HalfPair| -> Scalar256 {
        let w = residue(pair.w_shifted()) - residue((1 << 111) - 1);
        (-w * residue(pair.u).invert().unwrap()).into()
    };
    let plan = |pair: HalfPair| {
        let event = ScalarMulEvent { p, s: scalar(&pair) };
        let mut plan = Sm::plan(&event, wrong);
        plan.pair = pair;
        (event, plan)
    };
    let (event, forged) = plan(HalfPair::from_shifted(interleaved, 0));
    assert_ne!(event.execute(), wrong);
    let mut control = Machine::<Sm>::forged(&[event], |_, _| forged);
    control.set_end(0, params::HALF_SCALAR_MUL_CORRECTIONS[0].into());
    assert_eq!(control.failures_on(Part::Control, 0), [""; 0]);
    let (event, forged) = plan(HalfPair::from_shifted(a << 56, b << 56));
    let steps = Machine::<HalfScalarMul<8, 14>>::forged(&[event], |_, _| forged);
    assert!((0..7).all(|row| steps.failures_on(Part::Steps, row).is_empty()));

    let mut messages = control.messages_of(Part::Control);
    messages.extend((0..7).flat_map(|row| steps.messages_on(Part::Steps, row)));
    assert_eq!(unbalanced(&messages, |bus| bus), BTreeSet::new());
    let lengths: BTreeSet<usize> = messages
        .iter()
        .filter(|message| message.bus == Bus::ScalarMulDigits)
        .map(|message| message.fields.len())
        .collect();
    assert_eq!(lengths, [4, 5].into());
}

/// Whatever stands on a row with `real = 0`, it sends and receives nothing. SCALAR_MUL's flags are 0 there by C10.
#[test]
fn assumption_5_rows_that_are_not_real_send_nothing() {
    fn run<O: Fill>(machine: &Machine<O>) {
        let mut machine = machine.clone();
        for (part, width) in [(Part::Control, O::Control::WIDTH), (Part::Steps, O::Steps::WIDTH)] {
            for (i, cell) in machine.cells(part)[..width].iter_mut().enumerate() {
                *cell = count(1_000_003 * (i + 1));
            }
            *machine.cell(part, 0, "real", 0) = KoalaBear::ZERO;
        }
        let fields = <<O::Control as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS;
        for name in ["r_identity", "r_base", "r_minus"] {
            if fields.iter().any(|field| field.name == name) {
                *machine.cell(Part::Control, 0, name, 0) = KoalaBear::ZERO;
            }
        }
        assert_eq!(machine.messages_on(Part::Control, 0), []);
        assert_eq!(machine.messages_on(Part::Steps, 0), []);
    }
    run(&Machine::<Sm>::honest(&[event()]));
    run(&Machine::<Vf>::honest(&[verify_event()]));
    // Control rows without a chain and padding, as they are made.
    let machine = Machine::<Sm>::honest(&[ScalarMulEvent { p: multiple(5), s: Scalar256::ONE }]);
    assert!(machine.messages_of(Part::Steps).is_empty());
    assert!((1..16).all(|row| machine.messages_on(Part::Control, row).is_empty()));
}

/// A row of a chain with `real = 0` satisfies its constraints; its digits and states are missing then.
#[test]
fn assumption_5_a_chain_needs_its_rows() {
    let honest = Machine::<Sm>::honest(&[event()]);
    for row in 0..7 {
        let mut machine = honest.clone();
        *machine.cell(Part::Steps, row, "real", 0) = KoalaBear::ZERO;
        (0..16).for_each(|a| *machine.cell(Part::Steps, row, "witness", a) = KoalaBear::ZERO);
        assert_eq!(machine.failures(), BTreeSet::new());
        assert_eq!(machine.unbalanced(), [Bus::ScalarMulState, Bus::ScalarMulDigits].into());
    }
}

/// `real` counts messages: a row that counts −1 hides a row that should not be there. C1 alone notices.
#[test]
fn assumption_5_real_is_boolean() {
    let mut machine = Machine::<Sm>::honest(&[event()]);
    let width = <<Sm as HalfOperation>::Steps as Table>::WIDTH;
    let row = machine.cells(Part::Steps)[..width].to_vec();
    // The row once more with other numbers, and the same taken back.
    for (place, real) in [(7, KoalaBear::ONE), (8, -KoalaBear::ONE)] {
        machine.cells(Part::Steps)[place * width..][..width].copy_from_slice(&row);
        *machine.cell(Part::Steps, place, "id", 0) = KoalaBear::from_u32(5);
        *machine.cell(Part::Steps, place, "real", 0) = real;
        for a in 0..16 {
            *machine.cell(Part::Steps, place, "witness", a) *= real;
        }
    }
    assert_eq!(unbalanced(&machine.messages(), |bus| bus), BTreeSet::new());
    assert_eq!(machine.failures(), labels(&["scalar_mul_steps.C1.real"]));
}

/// Bytes of s that are no bytes, for the same number: only the claims notice.
#[test]
fn assumption_6_bytes_of_the_scalar() {
    let event = ScalarMulEvent { p: multiple(11), s: Scalar256::from(5u64) };
    let mut machine = Machine::<Sm>::honest(&[event]);
    forge_low_bytes(&mut machine, ["s", "carry_low", "carry_high"]);
    assert_eq!(machine.failures(), BTreeSet::new());
    assert_eq!(machine.unbalanced(), BTreeSet::new());
    assert_eq!(machine.wrong_instance_columns(&[Claim::of(event)]), [29, 30].into());
}

/// Not bytes where bytes are looked up: a quotient byte and a carry.
#[test]
fn assumption_6_bytes_of_quotients_and_carries() {
    let mut machine = Machine::<Sm>::honest(&[event()]);
    *machine.cell(Part::Control, 0, "carry_low", 3) += KoalaBear::from_u32(256);
    *machine.cell(Part::Control, 0, "carry_high", 3) -= KoalaBear::from_u32(4);
    assert_eq!(machine.failures(), BTreeSet::new());
    assert!(machine.unbalanced().contains(&Bus::BytePair));
}

/// 256 taken from the low byte of a scalar and 1 added to the next: the same number, carries follow.
fn forge_low_bytes<O: Fill>(machine: &mut Machine<O>, [scalar, low, high]: [&str; 3]) {
    *machine.cell(Part::Control, 0, scalar, 0) -= KoalaBear::from_u32(256);
    *machine.cell(Part::Control, 0, scalar, 1) += KoalaBear::ONE;
    for k in 0..7 {
        // Position k had 256·u′_{2k+1}·s_0.
        let u = *machine.cell(Part::Control, 0, "u", 2 * k + 1);
        let u = if k == 6 { u - KoalaBear::from_u32(128) } else { u };
        let [a, b] = [low, high].map(|name| machine.cell(Part::Control, 0, name, k).as_canonical_u32());
        let carry = (KoalaBear::from_u32(a + 64 * b) - u).as_canonical_u32();
        *machine.cell(Part::Control, 0, low, k) = KoalaBear::from_u32(carry % 64);
        *machine.cell(Part::Control, 0, high, k) = KoalaBear::from_u32(carry / 64);
    }
}

/// The same for both scalars of VERIFY.
#[test]
fn assumption_6_bytes_of_verify() {
    let event = VerifyEvent { a: multiple(11), s: 5u64.into(), e: 7u64.into() };
    let cases =
        [(["s", "carry_low_s", "carry_high_s"], [29, 30]), (["e", "carry_low_e", "carry_high_e"], [61, 62])];
    for (names, columns) in cases {
        let mut machine = Machine::<Vf>::honest(&[event]);
        forge_low_bytes(&mut machine, names);
        assert_eq!(machine.failures(), BTreeSet::new());
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        assert_eq!(machine.wrong_instance_columns(&[Claim::of(event)]), columns.into());
        let [_, low, high] = names;
        let mut machine = Machine::<Vf>::honest(&[event]);
        *machine.cell(Part::Control, 0, low, 3) += KoalaBear::from_u32(256);
        *machine.cell(Part::Control, 0, high, 3) -= KoalaBear::from_u32(4);
        assert_eq!(machine.failures(), BTreeSet::new());
        assert_eq!(machine.unbalanced(), [Bus::BytePair].into());
    }
    // Whatever is claimed, cells are bytes.
    let claim = Claim::of(VerifyEvent { s: Scalar256::MAX, e: Scalar256::MAX, ..event });
    let columns = Vf::instance_columns(&[claim], 16);
    assert!(columns[29..].iter().flatten().all(|byte| byte.as_canonical_u32() < 256));
}

/// A row with `real = 0` may show an R that is on no curve of ours. It cannot be claimed, and cannot stand where nothing is.
#[test]
fn assumption_7_rows_that_are_not_real_prove_nothing() {
    fn run<O: Fill>(event: O::Event) {
        let claims = [Claim::of(event)];
        let honest = Machine::<O>::honest(&[event]);
        assert_eq!(honest.wrong_instance_columns(&claims), BTreeSet::new());
        // In the claimed row's place, and in that of padding.
        let mut machine = Machine::<O>::honest(&[]);
        let real = septic_chips::columns::column(
            <<O::Control as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS,
            "real",
        );
        for row in [0, 1] {
            machine.set_point(row, "x_r", point_without_b().into());
        }
        assert_eq!(machine.failures(), BTreeSet::new());
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        assert!(machine.wrong_instance_columns(&claims).contains(&real));
        let mut machine = honest;
        machine.set_point(1, "x_r", point_without_b().into());
        assert_eq!(machine.failures(), BTreeSet::new());
        assert_eq!(machine.unbalanced(), BTreeSet::new());
        let wrong = machine.wrong_instance_columns(&claims);
        assert!(!wrong.is_empty() && wrong.iter().all(|column| (15..29).contains(column)));
    }
    run::<Sm>(event());
    run::<Vf>(verify_event());
}

/// Differences of x that the tests for distinct points see: each of the 7 coordinates alone, and one that vanishes at `t`.
fn distances(t: KoalaBear) -> Vec<Fp7> {
    let mut distances: Vec<Fp7> = (0..7)
        .map(|k| Fp7::from_fn(|i| if i == k { KoalaBear::from_u32(5) } else { KoalaBear::ZERO }))
        .collect();
    let mut root = Fp7::from_u32s([0, 1, 2, 3, 4, 5, 6]);
    root.0[0] = -evaluate(&root, &t);
    distances.push(root);
    distances
}

/// A point with x = `x` + k·`distance`, k = 1, 2, …
fn point_at(x: Fp7, distance: Fp7) -> Point {
    (1..).find_map(|k| lift_x(x + distance.scale_const(KoalaBear::from_u32(k)))).unwrap().into()
}

/// Events for which some f(…) is small: provable, though not with a t at which f vanishes.
fn non_zero_tests<O: Fill>(event: impl Fn(Fp7) -> O::Event) {
    let t = KoalaBear::from_u32(123_456_789);
    for (i, distance) in distances(t).into_iter().enumerate() {
        let mut machine = Machine::<O>::honest(&[event(distance)]);
        assert_eq!(finish::<O>(&mut machine.trace.clone(), t), i < 7);
        assert!(finish::<O>(&mut machine.trace, t + KoalaBear::ONE));
    }
}

/// The first step of the chain, and R near kG.
#[test]
fn assumption_8_the_non_zero_tests_are_complete() {
    let start = params::OFFSETS[0].x();
    let quarter = Scalar::from(4).invert().unwrap();
    // s = 5: u = 1, w = −5, and the first step adds R − P = 4·P.
    non_zero_tests::<Sm>(|distance| ScalarMulEvent {
        p: times(quarter, point_at(start, distance)),
        s: 5u64.into(),
    });
    // e = 5: the first step adds S − A = (s + 1)·G + 4·A.
    non_zero_tests::<Vf>(|distance| {
        let a = times(quarter, point_at(start, distance) - multiple(10));
        VerifyEvent { a, s: 9u64.into(), e: 5u64.into() }
    });
    // R has nearly the x of G.
    non_zero_tests::<Vf>(|distance| {
        let r = point_at(params::GENERATOR.x(), distance);
        let a = times(quarter, r - multiple(9));
        VerifyEvent { a, s: 9u64.into(), e: 4u64.into() }
    });
}
