//! Known answers computed by PARI/GP: tests/data/vectors.json.

use std::collections::BTreeMap;

use septic_curve::{
    Fp7, Point, ProjectivePoint, Scalar, Scalar256, batch_inverse, mul_add_batch, mul_batch, multiply,
};
use serde_json::Value;

use crate::support::{data, element, point, scalar};

fn modular(value: &Value) -> Scalar {
    Scalar::from_canonical(scalar(value).to_uint()).unwrap()
}

fn check_field(case: &Value) {
    let a = element(&case["a"]);
    match case["op"].as_str().unwrap() {
        "field_mul" => {
            let (b, out) = (element(&case["b"]), element(&case["out"]));
            assert_eq!(a * b, out);
            assert_eq!(a.dot_mul(&b), out);
            assert_eq!(a.mul_const(&b), out);
        }
        "field_inv" => {
            let out = element(&case["out"]);
            assert_eq!(a.try_inverse(), Some(out));
            assert_eq!((a.inverse(), a.inv0(), a.inv0_packed()), (out, out, out));
            let mut batch = [a];
            batch_inverse(&mut batch);
            assert_eq!(batch, [out]);
        }
        "field_frobenius" => {
            let out = element(&case["out"]);
            assert_eq!(a.frobenius(1), out);
            assert_eq!(a.power(crate::support::P.into()), out);
        }
        "field_sqrt" => {
            let roots: Option<Vec<Fp7>> =
                case["out"].as_array().map(|roots| roots.iter().map(element).collect());
            assert_eq!(a.is_square(), roots.is_some());
            match (a.try_sqrt(), roots) {
                (None, None) => {}
                (Some(root), Some(roots)) => assert!(roots.contains(&root)),
                (found, roots) => panic!("{a}: found {found:?}, roots are {roots:?}"),
            }
        }
        other => panic!("{other}"),
    }
}

fn check_point(case: &Value) {
    let out = point(&case["out"]);
    let projective = |field: &str| ProjectivePoint::from(point(&case[field]));
    match case["op"].as_str().unwrap() {
        "add" => {
            let (p, q) = (point(&case["p"]), point(&case["q"]));
            assert_eq!(p + q, out);
            assert_eq!(out - q, p);
            assert_eq!((projective("p") + projective("q")).to_point(), out);
        }
        "double" => {
            let p = point(&case["p"]);
            assert_eq!((p.double(), p + p), (out, out));
            assert_eq!(projective("p").double().to_point(), out);
        }
        "scalar_mul" => {
            let (p, s) = (point(&case["p"]), scalar(&case["s"]));
            assert_eq!(p.mul_vartime(&s), out);
            assert_eq!(mul_batch(&[(s, p)]), [out]);
            assert_eq!(multiply::mul_constant_time(&s.into(), &p).to_point(), out);
            if p == Point::GENERATOR {
                assert_eq!(multiply::mul_generator_constant_time(&s.into()).to_point(), out);
            }
        }
        "verify" => {
            let (a, s, e) = (point(&case["a"]), scalar(&case["s"]), scalar(&case["e"]));
            assert_eq!(Point::mul_add_vartime(&s, &e, &a), out);
            assert_eq!(mul_add_batch(&[(s, e, a)]), [out]);
        }
        other => panic!("{other}"),
    }
}

fn check_order(case: &Value) {
    match case["op"].as_str().unwrap() {
        "order_mul" => assert_eq!(modular(&case["a"]) * modular(&case["b"]), modular(&case["out"])),
        "order_add" => assert_eq!(modular(&case["a"]) + modular(&case["b"]), modular(&case["out"])),
        "order_inv" => assert_eq!(modular(&case["a"]).invert(), Some(modular(&case["out"]))),
        "order_reduce" => {
            let reduced = Scalar::from(scalar(&case["a"]));
            assert_eq!(Scalar256::from(reduced), scalar(&case["out"]));
        }
        "order_sqrt" => {
            let roots: Option<Vec<Scalar>> =
                case["out"].as_array().map(|roots| roots.iter().map(modular).collect());
            match (modular(&case["a"]).try_sqrt(), roots) {
                (None, None) => {}
                (Some(root), Some(roots)) => assert!(roots.contains(&root)),
                (found, roots) => panic!("{case}: found {found:?}, roots are {roots:?}"),
            }
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_known_answer() {
    let mut counts = BTreeMap::new();
    for case in data("vectors.json")["cases"].as_array().unwrap() {
        let op = case["op"].as_str().unwrap().to_owned();
        match op.as_str() {
            op if op.starts_with("field_") => check_field(case),
            op if op.starts_with("order_") => check_order(case),
            _ => check_point(case),
        }
        *counts.entry(op).or_insert(0) += 1;
    }
    let expected = [
        ("add", 48),
        ("double", 28),
        ("field_frobenius", 30),
        ("field_inv", 30),
        ("field_mul", 40),
        ("field_sqrt", 60),
        ("order_add", 40),
        ("order_inv", 39),
        ("order_mul", 40),
        ("order_reduce", 20),
        ("order_sqrt", 10),
        ("scalar_mul", 93),
        ("verify", 158),
    ];
    assert_eq!(counts, expected.map(|(op, count)| (op.to_owned(), count)).into());
}

/// All vectors of an operation in one batch, so that every lane of the packed code is used.
#[test]
fn batches_of_known_answers() {
    let file = data("vectors.json");
    let cases =
        |op: &'static str| file["cases"].as_array().unwrap().iter().filter(move |case| case["op"] == op);

    let products: Vec<_> = cases("scalar_mul").map(|case| (scalar(&case["s"]), point(&case["p"]))).collect();
    let expected: Vec<_> = cases("scalar_mul").map(|case| point(&case["out"])).collect();
    assert_eq!(mul_batch(&products), expected);

    let sums: Vec<_> =
        cases("verify").map(|case| (scalar(&case["s"]), scalar(&case["e"]), point(&case["a"]))).collect();
    let expected: Vec<_> = cases("verify").map(|case| point(&case["out"])).collect();
    assert_eq!(mul_add_batch(&sums), expected);
}

#[test]
fn header_agrees_with_the_constants() {
    let file = data("vectors.json");
    assert_eq!(file["p"], crate::support::P);
    assert_eq!(file["a"], septic_curve::params::CURVE_A);
    assert_eq!(file["cases"].as_array().unwrap().len(), 636);
}
