//! Arithmetic modulo the orders of the groups.

use std::hint::black_box;

use crypto_bigint::modular::ConstMontyForm;
use crypto_bigint::{U256, U512};
use k256::elliptic_curve::array::Array;
use k256::elliptic_curve::array::typenum::U64;
use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::{Field, PrimeField};
use septic_air::curve::Scalar;
use septic_air::curve::params::ORDER;

use crate::bench::{Table, cell, row};

mod modulus {
    crypto_bigint::const_monty_params!(
        Order,
        crypto_bigint::U256,
        "0000000001e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7",
        "r."
    );
}

type Raw = ConstMontyForm<modulus::Order, { U256::LIMBS }>;
type Dalek = curve25519_dalek::Scalar;

const BYTES: [u8; 64] = [0x3b; 64];

/// Numbers without a pattern in each type.
fn operands() -> (Scalar, Raw, k256::Scalar, Dalek) {
    let wide = U512::from_be_slice(&BYTES);
    let ours = Scalar::reduce_wide(&wide).square();
    let k256 = k256::Scalar::from(0x3b3b_3b3b_u64).square().square().square();
    (ours, Raw::new(&ours.to_uint()), k256, Dalek::from_bytes_mod_order_wide(&BYTES))
}

/// A cell for a function of one number.
macro_rules! one {
    ($operand:expr, $function:expr) => {{
        let operand = $operand;
        cell(move || $function(black_box(operand)))
    }};
}

/// A cell for a function of two numbers.
macro_rules! two {
    ($operand:expr, $function:expr) => {{
        let operand = $operand;
        cell(move || $function(black_box(operand), black_box(operand)))
    }};
}

pub(crate) fn table() -> Table {
    let (a, raw, k256, dalek) = operands();
    let exponent = a.to_uint();
    let square = a.square();
    let order = U512::from(&ORDER).to_nz().expect("not zero");
    let rows = vec![
        row(
            "add",
            [
                two!(a, |a, b| a + b),
                two!(raw, |a, b| a + b),
                two!(k256, |a, b| a + b),
                two!(dalek, |a, b| a + b),
            ],
        ),
        row(
            "sub",
            [
                two!(a, |a, b| a - b),
                two!(raw, |a, b| a - b),
                two!(k256, |a, b| a - b),
                two!(dalek, |a, b| a - b),
            ],
        ),
        row(
            "neg",
            [
                one!(a, |a: Scalar| -a),
                one!(raw, |a: Raw| -a),
                one!(k256, |a: k256::Scalar| -a),
                one!(dalek, |a: Dalek| -a),
            ],
        ),
        row(
            "mul",
            [
                two!(a, |a, b| a * b),
                two!(raw, |a, b| a * b),
                two!(k256, |a, b| a * b),
                two!(dalek, |a, b| a * b),
            ],
        ),
        row(
            "square",
            [
                one!(a, |a: Scalar| a.square()),
                one!(raw, |a: Raw| a.square()),
                one!(k256, |a: k256::Scalar| a.square()),
                one!(dalek, |a: Dalek| a * a),
            ],
        ),
        row(
            "invert",
            [
                one!(a, |a: Scalar| a.invert()),
                one!(raw, |a: Raw| a.invert()),
                one!(k256, |a: k256::Scalar| Field::invert(&a)),
                one!(dalek, |a: Dalek| a.invert()),
            ],
        ),
        row(
            "invert, variable time",
            [
                one!(a, |a: Scalar| a.invert_vartime()),
                one!(raw, |a: Raw| a.invert_vartime()),
                one!(k256, |a: k256::Scalar| k256::elliptic_curve::ops::Invert::invert_vartime(&a)),
                None,
            ],
        ),
        row(
            "pow, 217-bit exponent",
            [
                one!(a, move |a: Scalar| a.pow(&exponent)),
                one!(raw, move |a: Raw| a.pow(&exponent)),
                one!(k256, |a: k256::Scalar| a.pow([0x3b3b_3b3b_3b3b_3b3b; 4])),
                None,
            ],
        ),
        row(
            "pow, variable time in the exponent",
            [
                one!(a, move |a: Scalar| a.pow_vartime(&exponent)),
                one!(raw, move |a: Raw| a.pow_vartime(&exponent)),
                one!(k256, |a: k256::Scalar| a.pow_vartime([0x3b3b_3b3b_3b3b_3b3b; 4])),
                None,
            ],
        ),
        row(
            "sqrt",
            [
                one!(square, |a: Scalar| a.try_sqrt()),
                None,
                one!(k256.square(), |a: k256::Scalar| a.sqrt()),
                None,
            ],
        ),
        row(
            "from 32 bytes",
            [
                one!(a.to_bytes(), |bytes: [u8; 32]| Scalar::from_bytes(&bytes)),
                one!(a.to_bytes(), |bytes: [u8; 32]| Raw::new(&U256::from_be_slice(&bytes))),
                one!(k256.to_bytes(), k256::Scalar::from_repr),
                one!(dalek.to_bytes(), Dalek::from_canonical_bytes),
            ],
        ),
        row(
            "to 32 bytes",
            [
                one!(a, |a: Scalar| a.to_bytes()),
                one!(raw, |a: Raw| a.retrieve().to_be_bytes()),
                one!(k256, |a: k256::Scalar| a.to_bytes()),
                one!(dalek, |a: Dalek| a.to_bytes()),
            ],
        ),
        row(
            "reduce 512 bits",
            [
                one!(U512::from_be_slice(&BYTES), |wide: U512| Scalar::reduce_wide(&wide)),
                one!(U512::from_be_slice(&BYTES), move |wide: U512| wide.rem(&order)),
                one!(BYTES, |bytes: [u8; 64]| k256::Scalar::reduce(&Array::<u8, U64>::from(bytes))),
                one!(BYTES, |bytes: [u8; 64]| Dalek::from_bytes_mod_order_wide(&bytes)),
            ],
        ),
        row(
            "batch inversion, each of 1,000",
            [
                cell({
                    let mut values = vec![a; 1000];
                    move || Scalar::batch_invert(black_box(&mut values))
                })
                .map(|cell| cell.each_of(1000)),
                None,
                None,
                cell({
                    let mut values = vec![dalek; 1000];
                    move || Dalek::invert_batch_alloc(black_box(&mut values))
                })
                .map(|cell| cell.each_of(1000)),
            ],
        ),
    ];
    Table { columns: vec!["septic-curve", "crypto-bigint", "k256", "curve25519-dalek"], rows, ratios: false }
}
