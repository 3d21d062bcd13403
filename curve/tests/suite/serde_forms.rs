//! Feature `serde`: forms and strictness.

use proptest::prelude::*;
use septic_curve::params::GENERATOR;
use septic_curve::schnorr::{Signature, VerifyingKey};
use septic_curve::{AffinePoint, Fp7, Point, Scalar256, lift_x};
use serde_json::{from_value, json, to_value};

use crate::support::{P, any_point, any_scalar, data};

proptest! {
    #[test]
    fn round_trips(point in any_point(), scalar in any_scalar()) {
        prop_assert_eq!(from_value::<Point>(to_value(point).unwrap()).unwrap(), point);
        prop_assert_eq!(from_value::<Scalar256>(to_value(scalar).unwrap()).unwrap(), scalar);
        prop_assert_eq!(to_value(scalar).unwrap(), json!(scalar.to_hex()));
    }
}

#[test]
fn forms() {
    let (x, y) = GENERATOR.to_canonical();
    let form = json!({"x": x, "y": y});
    assert_eq!(to_value(Point::GENERATOR).unwrap(), form);
    assert_eq!(to_value(GENERATOR).unwrap(), form);
    assert_eq!(to_value(VerifyingKey(GENERATOR)).unwrap(), form);
    assert_eq!(to_value(Point::Identity).unwrap(), json!(null));
    assert_eq!(from_value::<Point>(json!(null)).unwrap(), Point::Identity);
    assert_eq!(from_value::<Scalar256>(json!("0x2A")).unwrap(), Scalar256::from(42));
    let x_is_zero = lift_x(Fp7::ZERO).unwrap();
    assert_eq!(from_value::<AffinePoint>(to_value(x_is_zero).unwrap()).unwrap(), x_is_zero);
}

#[test]
fn points_are_strict() {
    let (x, y) = GENERATOR.to_canonical();
    let message = |value: serde_json::Value| from_value::<Point>(value).unwrap_err().to_string();
    let mut bad = x;
    bad[3] = P;
    let zero = [0_u32; 7];
    assert_eq!(message(json!({"x": bad, "y": y})), format!("x[3] = {P} is not below p = {P}"));
    assert_eq!(message(json!({"x": x, "y": x})), "the point is not on the curve");
    assert_eq!(message(json!({"x": zero, "y": zero})), "the point is not on the curve");
    for value in [
        json!({"x": x}),
        json!({"x": x, "y": y, "z": 1}),
        json!({"x": x[..6], "y": y}),
        json!({"x": [0, 0, 0, 0, 0, 0, 0, 0], "y": y}),
        json!({"x": [-1, 0, 0, 0, 0, 0, 0], "y": y}),
        json!({"x": [4_294_967_296_u64, 0, 0, 0, 0, 0, 0], "y": y}),
        json!({"x": [1.5, 0, 0, 0, 0, 0, 0], "y": y}),
        json!("null"),
        json!(0),
        json!({}),
    ] {
        assert!(from_value::<Point>(value.clone()).is_err(), "{value}");
    }
    assert!(from_value::<AffinePoint>(json!(null)).is_err());
    assert!(from_value::<VerifyingKey>(json!(null)).is_err());
}

#[test]
fn scalars_are_strict() {
    for value in [json!(""), json!("0x"), json!("12"), json!("0xg"), json!(12), json!(null)] {
        assert!(from_value::<Scalar256>(value.clone()).is_err(), "{value}");
    }
    let error = from_value::<Scalar256>(json!("0xg")).unwrap_err();
    assert_eq!(error.to_string(), "'g' at digit 0 is not a hexadecimal digit");
}

#[test]
fn known_signatures() {
    let file = data("schnorr_orders.json");
    let signatures = file["signatures"].as_array().unwrap();
    for value in signatures {
        let signature: Signature = from_value(value.clone()).unwrap();
        let key: VerifyingKey = from_value(value["public_key"].clone()).unwrap();
        assert_eq!(key.verify(value["message"].as_str().unwrap().as_bytes(), &signature), Ok(()));
        let written = to_value(signature).unwrap();
        assert_eq!((&written["R"], &written["s"]), (&value["R"], &value["s"]));
    }
    assert_eq!(signatures.len(), 64);
}
