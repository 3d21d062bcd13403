//! A proof is of one chip, one list of claims, one configuration, one protocol version and one place in one list.
//!
//! Everything here is a valid proof, or valid proofs put together, offered for something else.
#![allow(clippy::unwrap_used)]

#[path = "../support/wire.rs"]
#[allow(dead_code, reason = "shared with the fuzz targets")]
mod wire;

use p3_field::PrimeCharacteristicRing;
use septic_prover::claims::{Digest, PROTOCOL_VERSION};
use septic_prover::config::Val;
use septic_prover::single::{ClaimsOf, ProvableChip, verify_in_context};
use septic_prover::{Bundle, ChipProof, ConfigName, DecodeError, MixedClaim, VerifyError, prove, verify};
use septic_trace::septic_chips::{AddChip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::{Point, Scalar256, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, Execute, ScalarMulEvent, VerifyEvent};
use wire::{HEADER, WireBundle, WireProof};

const CONFIG: ConfigName = ConfigName::Testing;

/// Events of a row chip that fill as many rows as one event of a ladder, with some padding.
const ROW_EVENTS: usize = 200;

fn multiple(k: usize) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k as u64))
}

/// A chip with events, and what the statement of an event of another chip would be here.
trait Case: ProvableChip {
    /// How many events make a trace of 256 rows.
    const COUNT: usize;
    fn event(i: usize) -> Self::Event;
    /// The event that computes 2·P of the point P of the other chips' event `i`, or the nearest to it.
    fn twice(i: usize) -> Self::Event;
}

impl Case for AddChip {
    const COUNT: usize = ROW_EVENTS;
    fn event(i: usize) -> AddEvent {
        AddEvent { p: multiple(i), q: multiple(2 * i + 1) }
    }
    fn twice(i: usize) -> AddEvent {
        AddEvent { p: multiple(i), q: multiple(i) }
    }
}

impl Case for DoubleChip {
    const COUNT: usize = ROW_EVENTS;
    fn event(i: usize) -> DoubleEvent {
        DoubleEvent { p: multiple(3 * i) }
    }
    fn twice(i: usize) -> DoubleEvent {
        DoubleEvent { p: multiple(i) }
    }
}

impl Case for ScalarMulChip {
    const COUNT: usize = 1;
    fn event(i: usize) -> ScalarMulEvent {
        ScalarMulEvent { p: multiple(i + 5), s: Scalar256::MAX }
    }
    fn twice(i: usize) -> ScalarMulEvent {
        ScalarMulEvent { p: multiple(i), s: Scalar256::from(2) }
    }
}

impl Case for VerifyChip {
    const COUNT: usize = 1;
    fn event(i: usize) -> VerifyEvent {
        VerifyEvent { a: multiple(i + 7), s: Scalar256::MAX, e: Scalar256::from(9) }
    }
    fn twice(i: usize) -> VerifyEvent {
        VerifyEvent { a: multiple(i), s: Scalar256::ZERO, e: Scalar256::from(2) }
    }
}

fn events<C: Case>(event: fn(usize) -> C::Event) -> Vec<C::Event> {
    (1..=C::COUNT).map(event).collect()
}

fn claims<C: Case>(event: fn(usize) -> C::Event) -> ClaimsOf<C> {
    events::<C>(event).into_iter().map(Claim::of).collect()
}

/// `proof` with as many parameters as chip `C` has, so that their number does not give the forgery away.
fn with_parameters<C: Case>(proof: &WireProof) -> ChipProof {
    let mut proof = proof.copy();
    proof.parameters.resize(C::NUM_PARAMETERS, Val::TWO);
    proof.proof()
}

/// Offers a proof of 256 rows of chip `X` as one of chip `Y`; returns the number of attempts.
fn offer<X: Case, Y: Case>() -> usize {
    let mut tried = 0;
    for (mine, theirs) in [(X::event as fn(usize) -> _, Y::event as fn(usize) -> _), (X::twice, Y::twice)] {
        let (proof, own) = prove::<X>(CONFIG, &events::<X>(mine)).unwrap();
        verify::<X>(CONFIG, &own, &proof).unwrap();
        assert_eq!(proof.log_height(), 8);
        let claims = claims::<Y>(theirs);
        for forged in [WireProof::of(&proof).proof(), with_parameters::<Y>(&WireProof::of(&proof))] {
            assert!(verify::<Y>(CONFIG, &claims, &forged).is_err(), "{} as {}", X::OPERATION, Y::OPERATION);
            tried += 1;
        }
    }
    tried
}

#[test]
fn no_proof_of_one_chip_is_one_of_another() {
    let tried = [
        offer::<AddChip, DoubleChip>(),
        offer::<AddChip, ScalarMulChip>(),
        offer::<AddChip, VerifyChip>(),
        offer::<DoubleChip, AddChip>(),
        offer::<DoubleChip, ScalarMulChip>(),
        offer::<DoubleChip, VerifyChip>(),
        offer::<ScalarMulChip, AddChip>(),
        offer::<ScalarMulChip, DoubleChip>(),
        offer::<ScalarMulChip, VerifyChip>(),
        offer::<VerifyChip, AddChip>(),
        offer::<VerifyChip, DoubleChip>(),
        offer::<VerifyChip, ScalarMulChip>(),
    ];
    assert_eq!(tried, [4; 12]);
}

/// A proof is of its own claims, not of another true list of the same length.
#[test]
fn no_proof_is_of_another_list_of_claims() {
    fn run<C: Case>() {
        let (first, first_claims) = prove::<C>(CONFIG, &events::<C>(C::event)).unwrap();
        let (second, second_claims) = prove::<C>(CONFIG, &events::<C>(C::twice)).unwrap();
        verify::<C>(CONFIG, &first_claims, &first).unwrap();
        verify::<C>(CONFIG, &second_claims, &second).unwrap();
        assert!(verify::<C>(CONFIG, &second_claims, &first).is_err());
        assert!(verify::<C>(CONFIG, &first_claims, &second).is_err());
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// Events of every operation, 256 rows each, interleaved.
fn mixed(shift: usize) -> Vec<Event> {
    let mut list =
        vec![Event::ScalarMul(ScalarMulChip::event(shift)), Event::Verify(VerifyChip::event(shift))];
    for i in 1..=ROW_EVENTS {
        list.push(AddChip::event(i + shift).into());
        list.push(DoubleChip::event(i + shift).into());
    }
    list
}

fn bundle(events: &[Event]) -> (WireBundle, Vec<MixedClaim>) {
    let (bundle, claims) = Bundle::prove(CONFIG, events, &mut ()).unwrap();
    bundle.verify(CONFIG, &claims).unwrap();
    (WireBundle::of(&bundle), claims)
}

fn header() -> Vec<u8> {
    let (empty, _) = Bundle::prove(CONFIG, &[], &mut ()).unwrap();
    empty.to_bytes().unwrap()[..HEADER].to_vec()
}

/// Whether a bundle that was put together from parts is accepted.
fn accepts(wire: &WireBundle, claims: &[MixedClaim]) -> bool {
    wire.bundle(&header()).unwrap().verify(CONFIG, claims).is_ok()
}

/// A valid bundle's four proofs in any other order, some left out, some in two places.
#[test]
fn parts_of_a_bundle_have_their_places() {
    let (honest, claims) = bundle(&mixed(0));
    let mut tried = 0;
    // Every map of the four places to the four proofs or to nothing: 5⁴.
    for map in 0..5_usize.pow(4) {
        let source = |place: u32| map / 5_usize.pow(place) % 5;
        let take = |place: u32| honest.parts.get(source(place)).and_then(Option::as_ref).map(WireProof::copy);
        let parts = [take(0), take(1), take(2), take(3)];
        let right = (0..4).all(|place| source(place) == place as usize);
        assert_eq!(accepts(&WireBundle { config: CONFIG, parts }, &claims), right, "{map}");
        tried += usize::from(!right);
    }
    assert_eq!(tried, 624);
}

/// A proof made in one bundle, put into another one whose claims of that operation are the same.
#[test]
fn proofs_belong_to_their_list() {
    let events = mixed(0);
    let mut reversed = events.clone();
    // Every operation's own claims keep their order.
    reversed.sort_by_key(|event| std::cmp::Reverse(event.operation()));
    let longer: Vec<Event> = events.iter().copied().chain([DoubleChip::event(0).into()]).collect();
    let lists = [events, reversed, longer];
    let bundles = lists.each_ref().map(|list| bundle(list));
    let of = |claims: &[MixedClaim], operation| -> Vec<MixedClaim> {
        claims.iter().filter(|c| c.event.operation() == operation).copied().collect()
    };
    let mut tried = 0;
    for (from, (taken, taken_claims)) in bundles.iter().enumerate() {
        for (to, (kept, claims)) in bundles.iter().enumerate() {
            for (place, operation) in Operation::ALL.into_iter().enumerate() {
                if from == to || of(claims, operation) != of(taken_claims, operation) {
                    continue;
                }
                let mut mixed = WireBundle::of(&kept.bundle(&header()).unwrap());
                mixed.parts[place] = taken.parts[place].as_ref().map(WireProof::copy);
                assert!(!accepts(&mixed, claims), "{operation} from {from} to {to}");
                tried += 1;
            }
        }
    }
    // Six ordered pairs; in four of them the doubles differ.
    assert_eq!(tried, 6 * 4 - 4);
}

/// A proof that stands alone is none in a bundle, even of one operation; nor the other way round.
#[test]
fn alone_is_another_context_than_a_list_of_one_operation() {
    fn run<C: Case<Event: Into<Event>>>(place: usize) {
        let events = events::<C>(C::event);
        let (alone, claims) = prove::<C>(CONFIG, &events).unwrap();
        let list: Vec<Event> = events.into_iter().map(Into::into).collect();
        let (in_list, list_claims) = bundle(&list);
        let mut forged = WireBundle { config: CONFIG, parts: [const { None }; 4] };
        forged.parts[place] = Some(WireProof::of(&alone));
        assert!(!accepts(&forged, &list_claims));
        let part = in_list.parts[place].as_ref().unwrap().proof();
        assert!(verify::<C>(CONFIG, &claims, &part).is_err());
        assert!(verify::<C>(CONFIG, &claims, &alone).is_ok());
        // Each element of the context counts.
        for i in 0..Digest::default().len() {
            let mut context = Digest::default();
            context[i] = Val::ONE;
            assert!(verify_in_context::<C>(CONFIG, &claims, &alone, &context).is_err());
        }
    }
    run::<AddChip>(0);
    run::<DoubleChip>(1);
    run::<ScalarMulChip>(2);
    run::<VerifyChip>(3);
}

/// Another true list of the same operations in the same order.
#[test]
fn no_bundle_is_of_another_list() {
    let (first, first_claims) = bundle(&mixed(0));
    let (second, second_claims) = bundle(&mixed(1));
    assert!(!accepts(&first, &second_claims));
    assert!(!accepts(&second, &first_claims));
    // One operation's proof and claims of the other list.
    for (place, operation) in Operation::ALL.into_iter().enumerate() {
        let mut theirs = second_claims.iter().filter(|c| c.event.operation() == operation);
        let claims: Vec<MixedClaim> = first_claims
            .iter()
            .map(|c| if c.event.operation() == operation { *theirs.next().unwrap() } else { *c })
            .collect();
        assert!(!accepts(&first, &claims), "{operation}: claims alone");
        let mut both = WireBundle::of(&first.bundle(&header()).unwrap());
        both.parts[place] = second.parts[place].as_ref().map(WireProof::copy);
        assert!(!accepts(&both, &first_claims), "{operation}: proof alone");
        // The order of operations is the same, so this is the honest proof of the mixed list: accepted.
        assert!(accepts(&both, &claims), "{operation}");
    }
}

/// A bundle says which configuration it is of; a verifier has its own. Neither the proof nor an edit of what it says
/// makes one configuration's proof another's.
#[test]
fn configurations() {
    let events = [
        Event::Add(AddChip::event(1)),
        Event::Double(DoubleChip::event(1)),
        Event::ScalarMul(ScalarMulChip::event(1)),
        Event::Verify(VerifyChip::event(1)),
    ];
    for made in ConfigName::ALL {
        let (bundle, claims) = Bundle::prove(made, &events, &mut ()).unwrap();
        let bytes = bundle.to_bytes().unwrap();
        assert_eq!(usize::from(bytes[HEADER]), made as usize);
        for stated in ConfigName::ALL {
            let mut edited = bytes.clone();
            edited[HEADER] = u8::try_from(stated as usize).unwrap();
            let edited = Bundle::from_bytes(&edited).unwrap();
            assert_eq!(edited.config(), stated);
            for config in ConfigName::ALL {
                let accepted = edited.verify(config, &claims).is_ok();
                assert_eq!(accepted, made == stated && stated == config, "{made}, {stated}, {config}");
            }
        }
        // No such configuration.
        for byte in [3, 4, 0x7f, 0xff] {
            let mut edited = bytes.clone();
            edited[HEADER] = byte;
            assert!(matches!(Bundle::from_bytes(&edited), Err(DecodeError::Encoding { .. })), "{byte}");
        }
    }
}

/// The same parameters under two names would still be two configurations: the name is in the statement.
#[test]
fn single_proofs_are_of_one_configuration() {
    fn run<C: Case>() {
        for made in ConfigName::ALL {
            let (proof, claims) = prove::<C>(made, &[C::event(1)]).unwrap();
            for config in ConfigName::ALL {
                assert_eq!(verify::<C>(config, &claims, &proof).is_ok(), made == config, "{made}, {config}");
            }
        }
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

#[test]
fn other_versions() {
    let (bundle, _) = Bundle::prove(CONFIG, &[AddChip::event(1).into()], &mut ()).unwrap();
    let bytes = bundle.to_bytes().unwrap();
    assert_eq!(bytes[8..HEADER], PROTOCOL_VERSION.to_le_bytes());
    for i in 0..HEADER {
        for bit in 0..8 {
            let mut edited = bytes.clone();
            edited[i] ^= 1 << bit;
            let error = Bundle::from_bytes(&edited).unwrap_err();
            if i < 8 {
                assert_eq!(error, DecodeError::Magic);
            } else {
                let got = PROTOCOL_VERSION ^ 1 << (8 * (i - 8) + bit);
                assert_eq!(error, DecodeError::Version { expected: PROTOCOL_VERSION, got });
            }
        }
    }
    for version in [0, PROTOCOL_VERSION + 1, u32::MAX] {
        let mut edited = bytes.clone();
        edited[8..HEADER].copy_from_slice(&version.to_le_bytes());
        assert!(matches!(Bundle::from_bytes(&edited), Err(DecodeError::Version { .. })), "{version}");
    }
}

/// A valid proof with other parameters, other second offsets, another height.
#[test]
fn what_a_proof_says_besides_is_bound() {
    fn run<C: Case>(events: &[C::Event]) -> usize {
        let (proof, claims) = prove::<C>(CONFIG, events).unwrap();
        let honest = WireProof::of(&proof);
        verify::<C>(CONFIG, &claims, &honest.proof()).unwrap();
        let mut tried = 0;
        let mut rejects = |change: &dyn Fn(&mut WireProof), malformed: Option<bool>| {
            let mut forged = honest.copy();
            change(&mut forged);
            let error = verify::<C>(CONFIG, &claims, &forged.proof()).unwrap_err();
            if let Some(malformed) = malformed {
                assert_eq!(matches!(error, VerifyError::Malformed { .. }), malformed, "{error}");
            }
            tried += 1;
        };

        // Parameters: one too many, many too many, none, another value.
        rejects(&|p| p.parameters.push(Val::ZERO), Some(true));
        rejects(&|p| p.parameters.extend(vec![Val::ONE; 1 << 16]), Some(true));
        if C::NUM_PARAMETERS > 0 {
            rejects(&|p| p.parameters.truncate(0), Some(true));
            for delta in [Val::ONE, Val::NEG_ONE, Val::TWO] {
                rejects(&|p| p.parameters[0] += delta, Some(false));
            }
            rejects(&|p| p.parameters[0] = Val::ZERO, Some(false));
        }

        // Second offsets: every other subset, then lists that are no subset.
        let n = events.len();
        let subset = |bits: usize| (0..n).filter(|i| bits >> i & 1 == 1).collect::<Vec<_>>();
        for bits in 0..1 << n {
            let second = subset(bits);
            if second != honest.second_offsets {
                rejects(&|p| p.second_offsets.clone_from(&second), None);
            }
        }
        for second in [vec![n], vec![0, n], vec![0, 0], vec![1, 0], vec![usize::MAX], vec![0; 1 << 16]] {
            rejects(&|p| p.second_offsets.clone_from(&second), Some(true));
        }

        // Height.
        for log_height in [0, 3, 4, 8, 9, 10, 11, 23, 24, 31, 32, 63, 64, usize::MAX] {
            if log_height != proof.log_height() {
                let mut forged = honest.copy();
                forged.stark.degree_bits = log_height;
                let error = verify::<C>(CONFIG, &claims, &forged.proof()).unwrap_err();
                assert!(matches!(error, VerifyError::Height { .. }), "{error}");
                tried += 1;
            }
        }
        tried
    }

    assert_eq!(run::<AddChip>(&[1, 2, 3].map(AddChip::event)), 2 + 7 + 6 + 13);
    assert_eq!(run::<DoubleChip>(&[1, 2, 3].map(DoubleChip::event)), 2 + 7 + 6 + 13);
    // The second event starts from the second offset.
    let colliding = ScalarMulEvent { p: params::OFFSETS[0].into(), s: Scalar256::ZERO };
    let list = [ScalarMulChip::event(1), colliding, ScalarMulChip::event(2)];
    assert_eq!(run::<ScalarMulChip>(&list), 2 + 7 + 6 + 13);
    assert_eq!(run::<VerifyChip>(&[1, 2, 3].map(VerifyChip::event)), 2 + 5 + 7 + 6 + 13);
}

/// Statements that are equal as mathematics are different claims.
#[test]
fn equal_statements_of_other_forms_are_other_claims() {
    let p = multiple(3);
    let order = Scalar256::from(params::ORDER);
    let one_more = Scalar256::from(params::ORDER.wrapping_add(&1_u64.into()));
    let same = [
        ScalarMulEvent { p, s: Scalar256::ONE },
        ScalarMulEvent { p, s: one_more },
        ScalarMulEvent { p: -p, s: Scalar256::from(params::ORDER.wrapping_sub(&1_u64.into())) },
    ];
    let zero = [
        ScalarMulEvent { p, s: Scalar256::ZERO },
        ScalarMulEvent { p, s: order },
        ScalarMulEvent { p: Point::Identity, s: Scalar256::ZERO },
        ScalarMulEvent { p: Point::Identity, s: order },
    ];
    for events in [same.as_slice(), &zero] {
        assert!(events.iter().all(|e| e.execute() == events[0].execute()));
        for (i, &event) in events.iter().enumerate() {
            let (proof, _) = prove::<ScalarMulChip>(CONFIG, &[event]).unwrap();
            for (j, &other) in events.iter().enumerate() {
                let accepted = verify::<ScalarMulChip>(CONFIG, &[Claim::of(other)], &proof).is_ok();
                assert_eq!(accepted, i == j, "{event:?} as {other:?}");
            }
        }
    }
    let (add, _) = prove::<AddChip>(CONFIG, &[AddEvent { p, q: p.double() }]).unwrap();
    assert!(verify::<AddChip>(CONFIG, &[Claim::of(AddEvent { p: p.double(), q: p })], &add).is_err());
}
