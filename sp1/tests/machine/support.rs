//! Provers, inputs and the oracle's cases.

use std::sync::LazyLock;

use septic_curve::{Fp7, Point, Scalar256, lift_x, params};
use septic_sp1::{Parameters, Prover, Record};
use serde_json::Value;
use tokio::runtime::Runtime;

/// The threads of the prover.
pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// The machine with few queries.
pub(crate) static PROVER: LazyLock<Prover> =
    LazyLock::new(|| RUNTIME.block_on(Prover::new(Parameters::testing())));

/// Proves shards and verifies the proof.
pub(crate) fn prove_and_verify(records: impl IntoIterator<Item = Record>) {
    let proof = RUNTIME.block_on(PROVER.prove(records));
    PROVER.verify(&proof).unwrap();
}

/// The identity, multiples of G of both signs, the points with x = 0, and the constants of SP1's digests.
pub(crate) fn edge_points() -> Vec<Point> {
    let g = Point::Affine(params::GENERATOR);
    let zero = Point::Affine(lift_x(Fp7::ZERO).unwrap());
    let start = Point::Affine(params::DIGEST_START);
    let mut points = vec![Point::Identity];
    points.extend([g, g.double(), g.double() + g, zero, start].into_iter().flat_map(|p| [p, -p]));
    points
}

/// The oracle's cases of an operation.
pub(crate) fn cases(op: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().iter().filter(|case| case["op"] == op).cloned().collect()
}

/// A point of a case.
pub(crate) fn point(v: &Value) -> Point {
    let limbs =
        |v: &Value| -> [u32; 7] { std::array::from_fn(|i| u32::try_from(v[i].as_u64().unwrap()).unwrap()) };
    Point::from_canonical((!v.is_null()).then(|| (limbs(&v["x"]), limbs(&v["y"])))).unwrap()
}

/// A scalar of a case.
pub(crate) fn scalar(v: &Value) -> Scalar256 {
    Scalar256::from_hex(v.as_str().unwrap()).unwrap()
}
