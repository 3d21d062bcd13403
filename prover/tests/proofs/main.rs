//! Proofs of each chip: honest ones verify, for all cases of the oracle; no other claim does.
#![allow(clippy::unwrap_used)]

#[path = "../support/cases.rs"]
mod support;

use p3_field::PrimeCharacteristicRing;
use septic_prover::claims::{DIGEST_LEN, Digest};
use septic_prover::single::{claims_of, prove_trace};
use septic_prover::{Bundle, ConfigName, VerifyError, check, prove, verify};
use septic_trace::septic_chips::p3::ChipAir;
use septic_trace::septic_chips::params::Septic as SepticParams;
use septic_trace::septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar256, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, ScalarMulEvent, TraceChip, TraceError, VerifyEvent};
use support::{ChipCase, multiple, order_minus, vectors};

const CONFIG: ConfigName = ConfigName::Testing;

#[test]
fn every_oracle_case_in_one_bundle() {
    let claims = vectors();
    assert_eq!(claims.len(), 48 + 28 + 93 + 158);
    let events: Vec<Event> = claims.iter().map(|c| c.event).collect();
    let (bundle, proven) = Bundle::prove(CONFIG, &events, &mut ()).unwrap();
    assert_eq!(proven, claims);
    let bundle = Bundle::from_bytes(&bundle.to_bytes().unwrap()).unwrap();
    bundle.verify(CONFIG, &claims).unwrap();
}

/// Lists of every length around a power of two, the empty one included; the proof is of no other list.
#[test]
fn lists_of_any_length() {
    fn run<C: ChipCase>(lengths: &[usize]) {
        for &n in lengths {
            let events: Vec<C::Event> = (0..n).map(C::event).collect();
            let (proof, claims) = prove::<C>(CONFIG, &events).unwrap();
            verify::<C>(CONFIG, &claims, &proof).unwrap();
            let more: Vec<_> = claims.iter().copied().chain([Claim::of(C::event(n))]).collect();
            assert!(verify::<C>(CONFIG, &more, &proof).is_err(), "{n} claims and one more");
            if let Some((_, fewer)) = claims.split_last() {
                assert!(verify::<C>(CONFIG, fewer, &proof).is_err(), "{n} claims but the last");
            }
        }
    }
    run::<AddChip>(&[0, 1, 2, 3, 15, 16, 17, 32]);
    run::<DoubleChip>(&[0, 1, 2, 3, 15, 16, 17, 32]);
    run::<ScalarMulChip>(&[0, 1, 2, 3, 4]);
    run::<VerifyChip>(&[0, 1, 2, 3, 4]);
}

/// Padding is a claim of nothing: an empty list's proof proves no claim, not even the padding event's.
#[test]
fn padding_is_not_claimable() {
    fn run<C: ChipCase>() {
        let (proof, _) = prove::<C>(CONFIG, &[]).unwrap();
        let padding = C::padding().unwrap_or_else(|| Claim::of(C::event(0)));
        assert!(verify::<C>(CONFIG, &[padding], &proof).is_err());
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// Each element of each claim is changed, one at a time, and the honest proof does not verify.
#[test]
fn no_changed_claim_verifies() {
    fn run<C: ChipCase>() -> usize {
        let events: Vec<C::Event> = (0..3).map(C::event).collect();
        let (proof, claims) = prove::<C>(CONFIG, &events).unwrap();
        verify::<C>(CONFIG, &claims, &proof).unwrap();
        let mut tried = 0;
        for i in 0..claims.len() {
            for changed in C::changes(&claims[i]) {
                assert_ne!(changed, claims[i]);
                let mut others = claims.clone();
                others[i] = changed;
                assert!(verify::<C>(CONFIG, &others, &proof).is_err(), "event {i}: {changed:?}");
                tried += 1;
            }
        }
        // Order.
        for (i, j) in [(0, 1), (1, 2), (0, 2)] {
            let mut others = claims.clone();
            others.swap(i, j);
            assert!(verify::<C>(CONFIG, &others, &proof).is_err(), "{i} and {j} swapped");
            tried += 1;
        }
        tried
    }
    // Coordinates, identities and scalar limbs of three claims each, and three swaps.
    assert_eq!(run::<AddChip>(), 3 * 3 * 15 + 3);
    assert_eq!(run::<DoubleChip>(), 3 * 2 * 15 + 3);
    assert_eq!(run::<ScalarMulChip>(), 3 * (2 * 15 + 16) + 3);
    assert_eq!(run::<VerifyChip>(), 3 * (2 * 15 + 32) + 3);
}

/// A prover who hashes the changed claims too, so that only the comparison of instance columns stands in the way.
#[test]
fn no_changed_claim_can_be_proven_with_an_honest_trace() {
    fn run<C: ChipCase>() {
        let event = C::event(1);
        let honest = C::generate_trace(&[event]).unwrap();
        let claims = claims_of(&honest, &[event]);
        for changed in C::changes(&claims[0]) {
            let proof = prove_trace::<C>(CONFIG, honest.clone(), &[changed], &Digest::default()).unwrap();
            let error = verify::<C>(CONFIG, &[changed], &proof).unwrap_err();
            // A changed coordinate puts the point off the curve; every other change only the comparison stops.
            let stopped = match &error {
                VerifyError::Claims(TraceError::NotOnCurve { event: 0, .. }) => true,
                VerifyError::Invalid { reason } => reason.contains("out-of-domain"),
                _ => false,
            };
            assert!(stopped, "{error}");
        }
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// The AIR's comparison alone, cell by cell: a verifier whose instance column differs from the trace in one cell rejects.
#[test]
fn every_instance_column_is_compared() {
    fn run<C: ChipCase>() {
        let event = C::event(1);
        let trace = C::generate_trace(&[event]).unwrap();
        let claims = claims_of(&trace, &[event]);
        let height = trace.main.values.len() / C::WIDTH;
        let public: Vec<KoalaBear> =
            Digest::default().into_iter().chain(trace.parameters.iter().copied()).collect();
        let config = CONFIG.build();
        let air = ChipAir::<C, KoalaBear>::for_prover(DIGEST_LEN);
        let proof = p3_uni_stark::prove(&config, &air, trace.main, &public).unwrap();
        let columns = C::instance_columns(&claims, &[], height);
        let accepted = |columns| {
            let air = ChipAir::<C, KoalaBear>::for_verifier(columns, DIGEST_LEN);
            p3_uni_stark::verify(&config, &air, &proof, &public).is_ok()
        };
        assert!(accepted(columns.clone()));
        for column in 0..columns.len() {
            for row in [0, height / 2 + 5, height - 1] {
                let mut changed = columns.clone();
                changed[column][row] += KoalaBear::ONE;
                assert!(!accepted(changed), "column {column}, row {row}");
            }
        }
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// A row marked as padding cannot be claimed, a claimed row cannot be marked as padding.
#[test]
fn real_rows_are_those_claimed() {
    let events: Vec<AddEvent> = (0..2).map(AddChip::<SepticParams>::event).collect();
    let mut trace = AddChip::generate_trace(&events).unwrap();
    let claims = claims_of(&trace, &events);
    // The second row becomes the all-zero padding row: a valid trace of one event.
    let width = AddChip::<SepticParams>::WIDTH;
    trace.main.values[width..2 * width].fill(KoalaBear::ZERO);
    assert_eq!(trace.violations(), []);
    let zero = Claim { event: AddEvent { p: Point::Identity, q: Point::Identity }, out: Point::Identity };
    for claims in [vec![claims[0], claims[1]], vec![claims[0], zero]] {
        let proof = prove_trace::<AddChip>(CONFIG, trace.clone(), &claims, &Digest::default()).unwrap();
        assert!(verify::<AddChip>(CONFIG, &claims, &proof).is_err());
    }
}

/// (0, 0) is how instance columns write the identity, but a finite point with these coordinates is not on the curve: no
/// claim about it verifies, though the columns are those of an honest identity.
#[test]
fn the_sentinel_is_not_a_point() {
    fn run<C: ChipCase>(event: C::Event) {
        let zero = Point::Affine(AffinePoint::new_unchecked(Fp7::ZERO, Fp7::ZERO));
        let honest = C::generate_trace(&[event]).unwrap();
        let claim = claims_of(&honest, &[event])[0];
        let forged: Vec<_> = C::changes(&claim)
            .into_iter()
            .filter_map(|changed| C::with_sentinel(&claim, &changed, zero))
            .collect();
        assert!(!forged.is_empty());
        for claim in forged {
            let proof = prove_trace::<C>(CONFIG, honest.clone(), &[claim], &Digest::default()).unwrap();
            let error = verify::<C>(CONFIG, &[claim], &proof).unwrap_err();
            assert!(matches!(error, VerifyError::Claims(TraceError::NotOnCurve { event: 0, .. })), "{error}");
        }
    }
    let o = Point::Identity;
    run::<AddChip>(AddEvent { p: o, q: o });
    run::<DoubleChip>(DoubleEvent { p: o });
    run::<ScalarMulChip>(ScalarMulEvent { p: o, s: Scalar256::ONE });
    run::<VerifyChip>(VerifyEvent { a: o, s: Scalar256::ZERO, e: Scalar256::ONE });
}

/// The row checker as a library call: honest events satisfy everything, others are named.
#[test]
fn check_names_the_event() {
    let off = Point::Affine(AffinePoint::new_unchecked(Fp7::ONE, Fp7::ONE));
    check::<AddChip>(&[AddEvent { p: multiple(1), q: Point::Identity }]).unwrap();
    check::<VerifyChip>(&[VerifyEvent { a: multiple(1), s: Scalar256::MAX, e: Scalar256::MAX }]).unwrap();
    let events = [2, 3].map(|k| ScalarMulEvent { p: multiple(k), s: Scalar256::from(k) });
    let violations =
        check::<ScalarMulChip>(&[events[0], ScalarMulEvent { p: off, s: Scalar256::ONE }]).unwrap_err();
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].to_string(), "event 1, row 256: trace.not_on_curve");
    let mut trace = ScalarMulChip::generate_trace(&events).unwrap();
    trace.main.values[300 * ScalarMulChip::<SepticParams>::WIDTH] += KoalaBear::ONE;
    let labels: Vec<String> = trace.violations().iter().map(ToString::to_string).collect();
    assert!(labels.iter().all(|l| l.starts_with("event 1, row ")), "{labels:?}");
    assert!(labels.iter().any(|l| l.starts_with("event 1, row 300: scalar_mul.C")), "{labels:?}");
}

/// Every chip has at least 100 proven bits under the default configuration, at every height; the shape is the verifier's.
#[test]
fn security_of_every_chip() {
    fn run<C: ChipCase>() {
        let shapes = [
            ChipAir::<C, KoalaBear>::for_prover(DIGEST_LEN),
            ChipAir::for_verifier(vec![vec![KoalaBear::ZERO]; C::INSTANCE_COLUMNS.len()], DIGEST_LEN),
        ];
        let least = C::ROWS_PER_EVENT.ilog2().max(4) as usize;
        for log_height in least..=23 {
            let bits = shapes.each_ref().map(|air| ConfigName::Secure.security(air, log_height).unwrap());
            assert!(bits[0].proven >= 100, "2^{log_height}: {:?}", bits[0]);
            assert_eq!(bits[0], bits[1]);
        }
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// Events that start from the second offset prove and verify; the list of them is bound.
#[test]
fn second_offsets() {
    let colliding = ScalarMulEvent { p: params::OFFSETS[0].into(), s: Scalar256::ZERO };
    let plain = ScalarMulEvent { p: multiple(7), s: Scalar256::from(7u64) };
    let events = [plain, colliding, plain];
    let (proof, claims) = prove::<ScalarMulChip>(CONFIG, &events).unwrap();
    verify::<ScalarMulChip>(CONFIG, &claims, &proof).unwrap();
    let (plain_proof, plain_claims) = prove::<ScalarMulChip>(CONFIG, &[plain]).unwrap();
    verify::<ScalarMulChip>(CONFIG, &plain_claims, &plain_proof).unwrap();

    // Tampered lists of offsets, through the encoding.
    let bytes = postcard::to_allocvec(&proof).unwrap();
    assert_eq!(&bytes[..3], &[0, 1, 1], "no parameters; one second offset: event 1");
    for tampered in
        [vec![0, 0], vec![0, 1, 0], vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 1, 1], vec![0, 2, 2, 1]]
    {
        let mut forged = tampered.clone();
        forged.extend(&bytes[3..]);
        let forged = postcard::from_bytes(&forged).unwrap();
        assert!(verify::<ScalarMulChip>(CONFIG, &claims, &forged).is_err(), "{tampered:?}");
    }
}

/// A proof is of one chip, one configuration, one context.
#[test]
fn proofs_are_not_interchangeable() {
    let p = multiple(5);
    let (double, claims) = prove::<DoubleChip>(CONFIG, &[DoubleEvent { p }]).unwrap();
    let add_claims = [Claim::of(AddEvent { p, q: p })];
    assert!(verify::<AddChip>(CONFIG, &add_claims, &double).is_err());
    for other in [ConfigName::Secure, ConfigName::Benchmark] {
        assert!(verify::<DoubleChip>(other, &claims, &double).is_err());
    }
    let s = Scalar256::from(9u64);
    let (scalar_mul, _) = prove::<ScalarMulChip>(CONFIG, &[ScalarMulEvent { p, s }]).unwrap();
    let claims = [Claim::of(VerifyEvent { a: p, s: Scalar256::ZERO, e: s })];
    assert!(verify::<VerifyChip>(CONFIG, &claims, &scalar_mul).is_err());
}

/// Every configuration proves every chip.
#[test]
fn every_configuration() {
    let events = [
        Event::Add(AddEvent { p: multiple(2), q: multiple(3) }),
        Event::Verify(VerifyEvent { a: multiple(2), s: order_minus(1), e: Scalar256::MAX }),
        Event::Double(DoubleEvent { p: Point::Identity }),
        Event::ScalarMul(ScalarMulEvent { p: multiple(2), s: order_minus(0) }),
    ];
    for config in ConfigName::ALL {
        let (bundle, claims) = Bundle::prove(config, &events, &mut ()).unwrap();
        bundle.verify(config, &claims).unwrap();
        for other in ConfigName::ALL.into_iter().filter(|&other| other != config) {
            assert!(matches!(bundle.verify(other, &claims), Err(VerifyError::WrongConfig { .. })));
        }
    }
}

/// The order of a mixed list is bound, between operations too.
#[test]
fn mixed_lists_are_bound() {
    let add = Event::Add(AddEvent { p: multiple(2), q: multiple(3) });
    let double = Event::Double(DoubleEvent { p: multiple(4) });
    let (bundle, claims) = Bundle::prove(CONFIG, &[add, double], &mut ()).unwrap();
    bundle.verify(CONFIG, &claims).unwrap();
    assert!(bundle.verify(CONFIG, &[claims[1], claims[0]]).is_err());
    assert!(bundle.verify(CONFIG, &claims[..1]).is_err());
    assert!(bundle.verify(CONFIG, &claims[1..]).is_err());
    assert!(bundle.verify(CONFIG, &[]).is_err());
    assert!(bundle.verify(CONFIG, &[claims[0], claims[1], claims[1]]).is_err());

    let (empty, no_claims) = Bundle::prove(CONFIG, &[], &mut ()).unwrap();
    assert!(no_claims.is_empty());
    empty.verify(CONFIG, &[]).unwrap();
    assert!(empty.verify(CONFIG, &claims).is_err());
}
