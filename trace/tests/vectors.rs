//! The oracle's cases through trace generation and the row checker.
#![allow(clippy::unwrap_used)]

use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::{Point, Scalar256};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, TraceChip, VerifyEvent};
use serde_json::Value;

fn cases(op: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().iter().filter(|c| c["op"] == op).cloned().collect()
}

fn point(v: &Value) -> Point {
    let limbs =
        |v: &Value| -> [u32; 7] { core::array::from_fn(|i| u32::try_from(v[i].as_u64().unwrap()).unwrap()) };
    Point::from_canonical((!v.is_null()).then(|| (limbs(&v["x"]), limbs(&v["y"])))).unwrap()
}

fn scalar(v: &Value) -> Scalar256 {
    Scalar256::from_hex(v.as_str().unwrap()).unwrap()
}

fn run<C: TraceChip>(claims: &[Claim<C::Event>]) {
    let events: Vec<_> = claims.iter().map(|c| c.event).collect();
    let trace = C::generate_trace(&events).unwrap();
    for (i, (out, claim)) in trace.outputs.iter().zip(claims).enumerate() {
        assert_eq!(*out, claim.out, "event {i}: {:?}", claim.event);
    }
    let violations = trace.violations();
    assert!(violations.is_empty(), "{} violations, first {}", violations.len(), violations[0]);
    let violations = trace.instance_violations(claims);
    assert!(violations.is_empty(), "{} violations, first {}", violations.len(), violations[0]);
}

#[test]
fn add() {
    let claims: Vec<_> = cases("add")
        .iter()
        .map(|c| Claim { event: AddEvent { p: point(&c["p"]), q: point(&c["q"]) }, out: point(&c["out"]) })
        .collect();
    assert_eq!(claims.len(), 48);
    run::<AddChip>(&claims);
}

#[test]
fn double() {
    let claims: Vec<_> = cases("double")
        .iter()
        .map(|c| Claim { event: DoubleEvent { p: point(&c["p"]) }, out: point(&c["out"]) })
        .collect();
    assert_eq!(claims.len(), 28);
    run::<DoubleChip>(&claims);
}

#[test]
fn scalar_mul() {
    let claims: Vec<_> = cases("scalar_mul")
        .iter()
        .map(|c| Claim {
            event: ScalarMulEvent { p: point(&c["p"]), s: scalar(&c["s"]) },
            out: point(&c["out"]),
        })
        .collect();
    assert_eq!(claims.len(), 93);
    run::<ScalarMulChip>(&claims);
}

#[test]
fn verify() {
    let claims: Vec<_> = cases("verify")
        .iter()
        .map(|c| Claim {
            event: VerifyEvent { a: point(&c["a"]), s: scalar(&c["s"]), e: scalar(&c["e"]) },
            out: point(&c["out"]),
        })
        .collect();
    assert_eq!(claims.len(), 158);
    run::<VerifyChip>(&claims);
}
