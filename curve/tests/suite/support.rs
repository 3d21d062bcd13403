//! Readers of the test data and generators of random values.

use proptest::prelude::*;
use septic_curve::{Fp7, Point, Scalar256, params};
use serde_json::Value;

pub(crate) const P: u32 = 2_130_706_433;

/// A file of the workspace's test data.
pub(crate) fn data(name: &str) -> Value {
    let path = format!("{}/../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

pub(crate) fn limbs(value: &Value) -> [u32; 7] {
    let limbs: Vec<u32> =
        value.as_array().unwrap().iter().map(|limb| limb.as_u64().unwrap().try_into().unwrap()).collect();
    limbs.try_into().unwrap()
}

pub(crate) fn element(value: &Value) -> Fp7 {
    Fp7::from_canonical(limbs(value)).unwrap()
}

pub(crate) fn point(value: &Value) -> Point {
    let coordinates = (!value.is_null()).then(|| (limbs(&value["x"]), limbs(&value["y"])));
    Point::from_canonical(coordinates).unwrap()
}

pub(crate) fn scalar(value: &Value) -> Scalar256 {
    Scalar256::from_hex(value.as_str().unwrap()).unwrap()
}

pub(crate) fn any_limb() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..P, 1 => Just(0), 1 => Just(1), 1 => Just(P - 1)]
}

pub(crate) fn any_element() -> impl Strategy<Value = Fp7> {
    prop_oneof![
        8 => prop::array::uniform7(any_limb()).prop_map(Fp7::from_u32s),
        1 => Just(Fp7::ZERO),
        1 => any_limb().prop_map(|c| Fp7::from_u32s([c, 0, 0, 0, 0, 0, 0])),
    ]
}

pub(crate) fn any_scalar() -> impl Strategy<Value = Scalar256> {
    let order = Scalar256::from(params::ORDER);
    prop_oneof![
        6 => prop::array::uniform8(any::<u32>()).prop_map(Scalar256::from_le_limbs),
        2 => any::<u64>().prop_map(Scalar256::from),
        1 => (0_u64..4).prop_map(Scalar256::from),
        1 => (0_u64..4).prop_map(move |d| Scalar256::from(order.to_uint().wrapping_add(&d.into()))),
        1 => (0_u64..4).prop_map(move |d| Scalar256::from(order.to_uint().wrapping_sub(&d.into()))),
        1 => (0_u64..4).prop_map(|d| Scalar256::from(Scalar256::MAX.to_uint().wrapping_sub(&d.into()))),
    ]
}

/// Random points, and often the identity and small multiples of the generator, so that equal and opposite points
/// meet.
pub(crate) fn any_point() -> impl Strategy<Value = Point> {
    prop_oneof![
        4 => any_scalar().prop_map(|s| Point::GENERATOR.mul_vartime(&s)),
        1 => Just(Point::Identity),
        2 => (1_u64..5).prop_map(|s| Point::GENERATOR.mul_vartime(&s.into())),
        2 => (1_u64..5).prop_map(|s| -Point::GENERATOR.mul_vartime(&s.into())),
    ]
}
