//! Forged traces are proven, as a malicious prover would, and the verifier rejects them.
//!
//! Plonky3's prover checks constraints in builds with debug assertions and panics there; these tests are about the
//! verifier, so they exist only in builds without (`cargo test --profile soundness`).
#![allow(clippy::unwrap_used)]
#![cfg(not(debug_assertions))]

use p3_field::PrimeCharacteristicRing;
use septic_prover::claims::Digest;
use septic_prover::single::{ProvableChip, claims_of, prove_trace, verify};
use septic_prover::{ConfigName, VerifyError};
use septic_trace::septic_chips::columns::{ColumnSet, column};
use septic_trace::septic_chips::params::Septic as SepticParams;
use septic_trace::septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::{KoalaBear, Point, Scalar256};
use septic_trace::{AddEvent, DoubleEvent, ScalarMulEvent, Trace, TraceChip, TraceError, VerifyEvent};

const CONFIG: ConfigName = ConfigName::Testing;

fn multiple(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k))
}

/// Whether a proof of this trace for the honest trace's claims is accepted.
fn accepted<C: ProvableChip>(forged: Trace<C>, events: &[C::Event]) -> bool {
    let claims = claims_of(&forged, events);
    let proof = prove_trace::<C>(CONFIG, forged, &claims, &Digest::default()).unwrap();
    match verify::<C>(CONFIG, &claims, &proof) {
        Ok(()) => true,
        // A forged result may lie off the curve, which is refused before the proof is looked at.
        Err(VerifyError::Invalid { .. } | VerifyError::Claims(TraceError::NotOnCurve { .. })) => false,
        Err(other) => panic!("{other}"),
    }
}

/// Changes each column on each of `rows` and proves; returns the (column, row) that the verifier accepts.
fn accepted_changes<C: ProvableChip>(events: &[C::Event], rows: &[usize]) -> Vec<(usize, usize)> {
    let honest = C::generate_trace(events).unwrap();
    assert!(accepted(honest.clone(), events));
    let mut found = Vec::new();
    for &row in rows {
        for column in 0..C::WIDTH {
            let mut forged = honest.clone();
            forged.main.values[row * C::WIDTH + column] += KoalaBear::ONE;
            if accepted(forged, events) {
                found.push((column, row));
            }
        }
    }
    found
}

#[test]
fn add() {
    let (p, q) = (multiple(3), multiple(8));
    let events =
        [AddEvent { p, q }, AddEvent { p, q: p }, AddEvent { p, q: -p }, AddEvent { p: Point::Identity, q }];
    let found = accepted_changes::<AddChip>(&events, &[0, 1, 2, 3, 4, 15]);
    // The slope, 42..49, is free where none is used.
    let free: Vec<_> = [2, 3, 4, 15].into_iter().flat_map(|row| (42..49).map(move |c| (c, row))).collect();
    assert_eq!(found, free);
}

#[test]
fn double() {
    let events = [DoubleEvent { p: multiple(3) }, DoubleEvent { p: Point::Identity }];
    assert_eq!(accepted_changes::<DoubleChip>(&events, &[0, 1, 2, 15]), []);
}

#[test]
fn scalar_mul() {
    // Two events fill the trace exactly: the second ends on its last row.
    let events = [
        ScalarMulEvent { p: multiple(3), s: Scalar256::MAX },
        ScalarMulEvent { p: multiple(5), s: Scalar256::from(77u64) },
    ];
    let rows = [0, 1, 13, 14, 253, 256, 356, 509];
    assert_eq!(accepted_changes::<ScalarMulChip>(&events, &rows), []);
    let fields = <<ScalarMulChip as Chip>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let (carry_0, carry_1) = (column(fields, "carry_0"), column(fields, "carry_1"));
    let free: Vec<_> = [254, 255, 511].into_iter().flat_map(|row| [(carry_0, row), (carry_1, row)]).collect();
    assert_eq!(accepted_changes::<ScalarMulChip>(&events, &[254, 255, 511]), free);
}

#[test]
fn verify_chip() {
    let events = [
        VerifyEvent { a: multiple(3), s: Scalar256::MAX, e: Scalar256::from(5u64) },
        VerifyEvent { a: -multiple(1), s: Scalar256::from(9u64), e: Scalar256::MAX },
    ];
    assert_eq!(accepted_changes::<VerifyChip>(&events, &[0, 13, 14, 253, 256, 509]), []);
    let fields = <<VerifyChip as Chip>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let carries = ["carry_0", "carry_1", "carry_g_0", "carry_g_1"].map(|name| column(fields, name));
    let free: Vec<_> = [254, 511].into_iter().flat_map(|row| carries.map(|c| (c, row))).collect();
    assert_eq!(accepted_changes::<VerifyChip>(&events, &[254, 511]), free);
}

/// The evaluation point is the prover's choice, but the witnesses have to fit it.
#[test]
fn wrong_evaluation_point() {
    let events = [VerifyEvent { a: multiple(3), s: Scalar256::MAX, e: Scalar256::from(5u64) }];
    let mut forged = VerifyChip::generate_trace(&events).unwrap();
    forged.parameters[0] += KoalaBear::ONE;
    assert!(!accepted(forged, &events));
}

/// ADD with P = Q as a generic chord: 0 = 0 leaves the slope free but for the tangent's equation.
#[test]
fn equal_points_with_a_free_slope() {
    let p = multiple(11);
    let events = [AddEvent { p, q: p }];
    let honest = AddChip::<SepticParams>::generate_trace(&events).unwrap();
    let mut row = septic_trace::septic_chips::add::AddCols::from_fn(|i| honest.main.values[i]);
    row.lambda.0[0] += KoalaBear::ONE;
    row.x_r = row.lambda.dot_square() - row.x_p - row.x_q;
    row.y_r = row.lambda.dot_mul(&(row.x_p - row.x_r)) - row.y_p;
    let mut forged = honest.clone();
    row.write_to(&mut forged.main.values[..AddChip::<SepticParams>::WIDTH]);
    // The forger claims what the forged line gives.
    forged.outputs[0] = septic_trace::septic_curve::AffinePoint::new_unchecked(row.x_r, row.y_r).into();
    let labels: Vec<_> = forged.violations().into_iter().map(|v| v.label.0).collect();
    assert!(labels.iter().all(|label| *label == "add.C14.tangent") && !labels.is_empty(), "{labels:?}");
    assert!(!accepted(forged, &events));
}
