//! The machine: honest lists of all kinds, and everything about a list that a proof binds.
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

mod buses;
mod bytes;
#[path = "../support/cases.rs"]
#[allow(dead_code, reason = "shared with the tests of single chips")]
mod cases;
mod timing;

use cases::{ChipCase, multiple, order_minus, vectors};
use septic_prover::machine::{Layout, Machine, MachineProof, Record, TableKind, cells};
use septic_prover::septic_trace::septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_prover::{ConfigName, MixedClaim, VerifyError};
use septic_trace::septic_curve::{AffinePoint, Fp7, Point, Scalar256, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, ScalarMulEvent, TraceError, VerifyEvent};

const CONFIG: ConfigName = ConfigName::Testing;

fn machine(layout: Layout) -> Machine {
    Machine::new(CONFIG).with_layout(layout)
}

/// An event of each operation in turn.
fn event(i: usize) -> Event {
    match i % 4 {
        0 => VerifyChip::event(i).into(),
        1 => AddChip::event(i).into(),
        2 => ScalarMulChip::event(i).into(),
        _ => DoubleChip::event(i).into(),
    }
}

fn proven(layout: Layout, events: &[Event]) -> (MachineProof, Vec<MixedClaim>) {
    machine(layout).prove(&Record::new(events)).unwrap()
}

fn events_of(claims: &[MixedClaim]) -> Vec<Event> {
    claims.iter().map(|claim| claim.event).collect()
}

/// A verifier of any layout accepts or not.
fn accepts(claims: &[MixedClaim], proof: &MachineProof) -> bool {
    Machine::new(CONFIG).verify(claims, proof).is_ok()
}

/// Traces, constraints, buses and instance cells of the oracle's cases.
#[test]
fn oracle_cases_have_traces() {
    let claims = vectors();
    assert_eq!(claims.len(), 48 + 28 + 93 + 158);
    for &layout in Layout::ALL {
        let (traces, made) = machine(layout).traces(&Record::new(&events_of(&claims)), &mut ()).unwrap();
        assert_eq!(made, claims);
        assert_eq!(traces.faults(&claims), [], "{layout}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: Plonky3 checks every row as well")]
fn every_oracle_case_in_one_proof() {
    let claims = vectors();
    for &layout in Layout::ALL {
        let (proof, made) = proven(layout, &events_of(&claims));
        assert_eq!(made, claims);
        let proof = MachineProof::from_bytes(&proof.to_bytes().unwrap()).unwrap();
        Machine::new(CONFIG).verify(&claims, &proof).unwrap();
    }
}

#[test]
fn lists_of_any_length() {
    for &layout in Layout::ALL {
        for n in [0, 1, 2, 3, 4, 5, 9, 17] {
            let (proof, claims) = proven(layout, &(0..n).map(event).collect::<Vec<_>>());
            Machine::new(CONFIG).verify(&claims, &proof).unwrap();
            let more: Vec<_> =
                claims.iter().copied().chain([Claim { event: event(n), out: event(n).execute() }]).collect();
            assert!(!accepts(&more, &proof), "{n} claims and one more");
            if let Some((_, fewer)) = claims.split_last() {
                assert!(!accepts(fewer, &proof), "{n} claims but the last");
            }
        }
    }
}

/// Lists of one operation: the tables of the others are not there.
#[test]
fn lists_of_one_operation() {
    for &layout in Layout::ALL {
        for operation in 0..4 {
            let events: Vec<Event> = (0..3).map(|i| event(4 * i + operation)).collect();
            let (proof, claims) = proven(layout, &events);
            Machine::new(CONFIG).verify(&claims, &proof).unwrap();
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: Plonky3 checks every row as well")]
fn a_thousand_mixed_events() {
    for &layout in Layout::ALL {
        let (proof, claims) = proven(layout, &(0..1000).map(event).collect::<Vec<_>>());
        Machine::new(CONFIG).verify(&claims, &proof).unwrap();
        assert!(!accepts(&claims[..999], &proof));
    }
}

/// Every element of every claim is bound, and so are its place, its number of times and its neighbours.
#[test]
fn no_other_list_verifies() {
    fn changes<C: ChipCase>(claim: MixedClaim, event: Option<C::Event>) -> Vec<MixedClaim>
    where
        Event: From<C::Event>,
    {
        let Some(event) = event else { return Vec::new() };
        let claim = Claim { event, out: claim.out };
        C::changes(&claim).into_iter().map(|c| Claim { event: c.event.into(), out: c.out }).collect()
    }
    for &layout in Layout::ALL {
        let events: Vec<Event> = (4..12).map(event).collect();
        let (proof, claims) = proven(layout, &events);
        Machine::new(CONFIG).verify(&claims, &proof).unwrap();
        let mut tried = 0;
        for (i, &claim) in claims.iter().enumerate() {
            let changed = match claim.event {
                Event::Add(event) => changes::<AddChip>(claim, Some(event)),
                Event::Double(event) => changes::<DoubleChip>(claim, Some(event)),
                Event::ScalarMul(event) => changes::<ScalarMulChip>(claim, Some(event)),
                Event::Verify(event) => changes::<VerifyChip>(claim, Some(event)),
            };
            for changed in changed {
                let mut others = claims.clone();
                others[i] = changed;
                assert!(!accepts(&others, &proof), "{layout}, claim {i}: {changed:?}");
                tried += 1;
            }
            let mut dropped = claims.clone();
            dropped.remove(i);
            assert!(!accepts(&dropped, &proof), "claim {i} dropped");
            let mut twice = claims.clone();
            twice.insert(i, claim);
            assert!(!accepts(&twice, &proof), "claim {i} twice");
            for j in 0..i {
                let mut swapped = claims.clone();
                swapped.swap(i, j);
                assert!(!accepts(&swapped, &proof), "claims {i} and {j} swapped");
            }
        }
        // Two claims of each operation.
        assert_eq!(tried, 2 * (3 * 15 + 2 * 15 + (2 * 15 + 16) + (2 * 15 + 32)));
    }
}

/// A prover that states changed claims from the start: only the instance columns stand in its way.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: Plonky3 checks every row as well")]
fn honest_traces_prove_no_changed_claim() {
    fn run<C: ChipCase>(layout: Layout)
    where
        Event: From<C::Event>,
    {
        let event = C::event(5);
        let (traces, _) = machine(layout).traces(&Record::new(&[event.into()]), &mut ()).unwrap();
        for changed in C::changes(&Claim::of(event)) {
            let changed = [Claim { event: changed.event.into(), out: changed.out }];
            let proof = machine(layout).prove_traces(&traces, &changed, &mut ()).unwrap();
            let error = Machine::new(CONFIG).verify(&changed, &proof).unwrap_err();
            let stopped = match &error {
                VerifyError::Claims(TraceError::NotOnCurve { event: 0, .. }) => true,
                VerifyError::Invalid { reason } => reason.contains("out-of-domain"),
                _ => false,
            };
            assert!(stopped, "{layout}: {error}");
        }
    }
    for &layout in Layout::ALL {
        run::<AddChip>(layout);
        run::<DoubleChip>(layout);
        run::<ScalarMulChip>(layout);
        run::<VerifyChip>(layout);
    }
}

/// Equal events are proven once, and the list still counts them.
#[test]
fn repeated_claims() {
    for &layout in Layout::ALL {
        let distinct: Vec<Event> = (0..4).map(event).collect();
        let events: Vec<Event> = distinct.iter().cycle().take(40).copied().collect();
        let record = Record::new(&events);
        assert_eq!(record.len(), 40);
        let (proof, claims) = machine(layout).prove(&record).unwrap();
        Machine::new(CONFIG).verify(&claims, &proof).unwrap();
        // The tables are those of four events.
        let once = machine(layout).tables(&claims[..4]).unwrap();
        assert_eq!(machine(layout).tables(&claims).unwrap(), once);
        for other in [&claims[..36], &claims[..4]] {
            assert!(!accepts(other, &proof));
        }
        let one_more: Vec<_> = claims.iter().copied().chain([claims[0]]).collect();
        assert!(!accepts(&one_more, &proof));
        // One event with two results: at most one of them is right.
        let mut two_results = claims;
        two_results[39].out += Point::GENERATOR;
        assert!(!accepts(&two_results, &proof));
    }
}

/// What hostile callers try: all of it is provable, and the results are right.
#[test]
fn hostile_events() {
    let o = Point::Identity;
    let mut events: Vec<Event> = Vec::new();
    let half = Point::Affine(params::HALF_GENERATOR);
    let mut points: Vec<Point> = (0..5).flat_map(|k| [multiple(k), -multiple(k)]).collect();
    points.extend([half, -half, params::OFFSETS[0].into(), (-params::OFFSETS[1]).into()]);
    let scalars = [
        Scalar256::ZERO,
        Scalar256::ONE,
        Scalar256::from(2u64),
        order_minus(0),
        order_minus(1),
        Scalar256::MAX,
    ];
    for &p in &points {
        for q in [o, p, -p, multiple(3)] {
            events.push(AddEvent { p, q }.into());
        }
        events.push(DoubleEvent { p }.into());
        for (i, &s) in scalars.iter().enumerate() {
            events.push(ScalarMulEvent { p, s }.into());
            for e in [scalars[(i + 1) % 6], s, order_minus(2)] {
                events.push(VerifyEvent { a: p, s, e }.into());
            }
        }
    }
    for &layout in Layout::ALL {
        let (traces, claims) = machine(layout).traces(&Record::new(&events), &mut ()).unwrap();
        for claim in &claims {
            assert_eq!(claim.out, claim.event.execute(), "{:?}", claim.event);
        }
        assert_eq!(traces.faults(&claims), [], "{layout}");
    }
}

/// Results that are known need no execution; a wrong one is named by its place in the list.
#[test]
fn known_results() {
    let events: Vec<Event> = (0..8).map(event).collect();
    let claims: Vec<MixedClaim> = events.iter().map(|&event| Claim { event, out: event.execute() }).collect();
    let machine = machine(Layout::HalfScalar);
    let known = |i: usize| claims.get(i).map(|claim| claim.out);
    let (traces, made) = machine.traces(&Record::new(&events).with_results(known), &mut ()).unwrap();
    assert_eq!(made, claims);
    assert_eq!(traces.faults(&claims), []);
    for i in (0..8).filter(|i| i % 2 == 0) {
        let wrong = |j: usize| known(j).map(|out| if i == j { out + Point::GENERATOR } else { out });
        let error = machine.traces(&Record::new(&events).with_results(wrong), &mut ()).unwrap_err();
        assert_eq!(error.to_string(), format!("event {i}: the result is wrong"));
        // Unless all results of an operation are known, its events are executed.
        let some = |j: usize| if j == i { None } else { wrong(j) };
        assert!(machine.traces(&Record::new(&events).with_results(some), &mut ()).is_ok());
    }
}

/// An error names the event by its place in the list.
#[test]
fn errors_count_the_list() {
    let off = Point::Affine(AffinePoint::new_unchecked(Fp7::ONE, Fp7::ONE));
    let events =
        [event(1), event(1), event(2), DoubleEvent { p: off }.into(), DoubleEvent { p: multiple(2) }.into()];
    let error = Machine::new(CONFIG).prove(&Record::new(&events)).unwrap_err();
    assert_eq!(error.to_string(), "event 3: p: the point is not on the curve");
    let claims = [
        Claim { event: event(1), out: event(1).execute() },
        Claim { event: DoubleEvent { p: multiple(1) }.into(), out: off },
    ];
    let (proof, _) = Machine::new(CONFIG).prove(&Record::new(&[event(1)])).unwrap();
    let error = Machine::new(CONFIG).verify(&claims, &proof).unwrap_err();
    assert_eq!(error.to_string(), "event 1: out: the point is not on the curve");
}

/// A proof is of one configuration, and the layout that it states.
#[test]
fn configurations() {
    let events: Vec<Event> = (0..4).map(event).collect();
    for config in ConfigName::ALL {
        for &layout in Layout::ALL {
            let made = Machine::new(config).with_layout(layout).prove(&Record::new(&events));
            let (proof, claims) = made.unwrap();
            assert_eq!((proof.config(), proof.layout()), (config, layout));
            for other in ConfigName::ALL {
                assert_eq!(Machine::new(other).verify(&claims, &proof).is_ok(), other == config);
            }
        }
    }
}

/// At least 100 proven bits under the default configuration, for lists of all sizes that fit.
#[test]
fn security() {
    for &layout in Layout::ALL {
        for log in [0, 1, 4, 8, 11, 13] {
            let claims: Vec<MixedClaim> = (0..1usize << log)
                .map(|i| Claim { event: DoubleEvent { p: multiple(i as u64 % 7) }.into(), out: multiple(1) })
                .collect();
            let bits = Machine::new(ConfigName::Secure).with_layout(layout).security(&claims).unwrap();
            assert!(bits.proven >= 100, "{layout}, 2^{log}: {bits:?}");
        }
        // Short tables beside tall ones: each theorem at its worst height.
        let counts = |n| Machine::new(ConfigName::Secure).with_layout(layout).security_of_counts(n);
        for counts in [
            counts([1; 4]),
            counts([1 << 15; 4]),
            counts([0, 0, 0, 1 << 15]),
            counts([1 << 20, 1 << 20, 0, 0]),
            counts([1 << 20, 1, 0, 0]),
            counts([1, 0, 0, 1 << 14]),
            counts([1 << 23, 1 << 23, 1 << 15, 1 << 15]),
        ] {
            let bits = counts.unwrap();
            assert!(bits.proven >= 100, "{layout}: {bits:?}");
        }
    }
}

/// Each table's numbers, as the documentation states them.
#[test]
fn shapes() {
    for &kind in TableKind::ALL {
        let shape = kind.shape();
        assert!(shape.degree <= 3, "{kind}");
        assert!(shape.permutation_columns * 2 + 2 >= shape.messages, "{kind}");
    }
    let of = |kind: TableKind| {
        let shape = kind.shape();
        (shape.width, shape.messages, shape.permutation_columns)
    };
    assert_eq!(of(TableKind::Add), (53, 0, 0));
    assert_eq!(of(TableKind::Double), (37, 0, 0));
    assert_eq!(of(TableKind::ScalarMulBits), (46, 1, 2));
    assert_eq!(of(TableKind::ScalarMulClaims), (65, 17, 10));
    assert_eq!(of(TableKind::VerifyBits), (60, 1, 2));
    assert_eq!(of(TableKind::VerifyClaims), (65, 33, 18));
    assert_eq!(of(TableKind::ScalarMulHalf), (1_993, 29, 16));
    assert_eq!(of(TableKind::VerifyHalf), (2_635, 56, 30));
    assert_eq!(of(TableKind::Generator), (16, 1, 2));
    assert_eq!(of(TableKind::Range), (4, 2, 3));
    // With permutation columns.
    assert_eq!(TableKind::ScalarMulHalf.shape().cells(), 2_057);
    assert_eq!(TableKind::VerifyHalf.shape().cells(), 2_755);
}

/// The layout with fewer cells is taken: one row a bit for a few ladder events, half-size scalars for more.
#[test]
fn the_cheaper_layout_is_taken() {
    let machine = Machine::new(CONFIG);
    let mut last = Layout::RowPerBit;
    for n in 1..200 {
        let layout = machine.layout_for([0, 0, 0, n]);
        let cells = |layout| cells([0, 0, 0, n], layout).unwrap();
        assert_eq!(layout == Layout::HalfScalar, cells(Layout::HalfScalar) <= cells(Layout::RowPerBit));
        // There is one switch.
        assert!(last == Layout::RowPerBit || layout == Layout::HalfScalar, "{n}");
        last = layout;
    }
    assert_eq!(machine.layout_for([0, 0, 0, 16]), Layout::RowPerBit);
    assert_eq!(machine.layout_for([0, 0, 0, 2000]), Layout::HalfScalar);
    assert_eq!(machine.layout_for([0, 0, 2000, 0]), Layout::HalfScalar);
    // Where one row a bit does not fit at all.
    assert_eq!(machine.layout_for([0, 0, 0, 40_000]), Layout::HalfScalar);
}
