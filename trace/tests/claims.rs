//! Traces of claims whose results are given: right ones save the execution, wrong ones are named.
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

use septic_curve::{AffinePoint, Fp7, Point, Scalar256, params};
use septic_trace::half::{HalfOperation, HalfScalarMul, HalfVerify};
use septic_trace::{Claim, ScalarMulEvent, TraceError, VerifyEvent};

fn scalar_mul(k: u64) -> ScalarMulEvent {
    ScalarMulEvent { p: params::DUMMY.into(), s: Scalar256::from(k) }
}

fn verify(k: u64) -> VerifyEvent {
    VerifyEvent { a: params::DUMMY.into(), s: Scalar256::from(3 * k), e: Scalar256::from(k) }
}

/// Given results make the same trace as executed ones; another result anywhere is an error that names the event.
fn results<O: HalfOperation>(event: impl Fn(u64) -> O::Event) {
    let events: Vec<O::Event> = (0..300).map(event).collect();
    let outputs = O::execute(&events);
    let claims: Vec<_> = events.iter().zip(&outputs).map(|(&event, &out)| Claim { event, out }).collect();
    assert_eq!(claims, events.iter().map(|&event| Claim::of(event)).collect::<Vec<_>>());
    let (given, executed) = (O::generate_claims(&claims).unwrap(), O::generate(&events).unwrap());
    assert_eq!((given.main, given.parameter), (executed.main, executed.parameter));

    let off = AffinePoint::new_unchecked(Fp7::ONE, Fp7::ONE);
    for i in [0, 1, 2, 127, 255, 256, 299] {
        let right = claims[i].out;
        for wrong in [-right, right + Point::GENERATOR, Point::Identity, params::DUMMY.into()] {
            if wrong != right {
                let mut claims = claims.clone();
                claims[i].out = wrong;
                let error = O::generate_claims(&claims).unwrap_err();
                assert_eq!(error, TraceError::WrongResult { event: i }, "{wrong:?}");
            }
        }
        let mut claims = claims.clone();
        claims[i].out = off.into();
        assert_eq!(
            O::generate_claims(&claims).unwrap_err(),
            TraceError::NotOnCurve { event: i, field: "out" }
        );
    }
}

#[test]
fn scalar_mul_results() {
    results::<HalfScalarMul>(scalar_mul);
}

#[test]
fn verify_results() {
    results::<HalfVerify>(verify);
}
