//! Arithmetic in the septic extension K, one by one and in packed lanes.

use std::array;
use std::hint::black_box;

use septic_air::curve::p3_field::{Field, PackedValue};
use septic_air::curve::{Fp7, KoalaBear, Septic, batch_inverse, params};

use crate::bench::{Table, cell, row};

type Lanes = <KoalaBear as Field>::Packing;

/// A cell for a function of two elements, in each lane or of one pair.
macro_rules! two {
    ($operands:expr, $function:expr) => {{
        let (a, b) = $operands;
        cell(move || $function(black_box(&a), black_box(&b)))
    }};
}

/// A cell for a function of one element.
macro_rules! one {
    ($operand:expr, $function:expr) => {{
        let operand = $operand;
        cell(move || $function(black_box(&operand)))
    }};
}

/// Different elements.
fn elements() -> Vec<Fp7> {
    let mut x = params::GENERATOR.x();
    (0..1024)
        .map(|_| {
            x = x.dot_mul(&params::GENERATOR.y());
            x
        })
        .collect()
}

fn pack(elements: &[Fp7]) -> Septic<Lanes> {
    Septic(array::from_fn(|i| Lanes::from_fn(|lane| elements[lane].0[i])))
}

pub(crate) fn table() -> Table {
    let width = Lanes::WIDTH;
    let elements = elements();
    let (a, b) = (elements[0], elements[1]);
    let (pa, pb) = (pack(&elements), pack(&elements[width..]));
    let single = (a, b);
    let packed = (pa, pb);
    let square = a.dot_square();
    let rows = vec![
        row(
            "add",
            [
                two!(single, |a: &Fp7, b: &Fp7| *a + *b),
                two!(packed, |a: &Septic<Lanes>, b: &Septic<Lanes>| *a + *b).map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "sub",
            [
                two!(single, |a: &Fp7, b: &Fp7| *a - *b),
                two!(packed, |a: &Septic<Lanes>, b: &Septic<Lanes>| *a - *b).map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "mul",
            [
                two!(single, |a: &Fp7, b: &Fp7| a.dot_mul(b)),
                two!(packed, |a: &Septic<Lanes>, b: &Septic<Lanes>| a.dot_mul(b))
                    .map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "mul, by the schoolbook",
            [
                two!(single, |a: &Fp7, b: &Fp7| *a * *b),
                two!(packed, |a: &Septic<Lanes>, b: &Septic<Lanes>| *a * *b).map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "square",
            [
                one!(a, |a: &Fp7| a.dot_square()),
                one!(pa, |a: &Septic<Lanes>| a.dot_square()).map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "Frobenius",
            [
                one!(a, |a: &Fp7| a.frobenius(1)),
                one!(pa, |a: &Septic<Lanes>| a.frobenius(1)).map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "invert",
            [
                one!(a, Fp7::try_inverse),
                one!(pa, |a: &Septic<Lanes>| a.inv0_packed()).map(|cell| cell.each_of(width)),
            ],
        ),
        row(
            "batch inversion, each of 1,024",
            [
                cell({
                    let mut values = elements.clone();
                    move || {
                        // One lane: Montgomery's trick by hand.
                        let mut product = Fp7::ONE;
                        let before: Vec<Fp7> = values
                            .iter()
                            .map(|x| {
                                let next = product.dot_mul(x);
                                std::mem::replace(&mut product, next)
                            })
                            .collect();
                        let mut rest = product.inverse();
                        for (x, before) in values.iter_mut().zip(before).rev() {
                            let inverse = rest.dot_mul(&before);
                            rest = rest.dot_mul(x);
                            *x = inverse;
                        }
                    }
                })
                .map(|cell| cell.each_of(1024)),
                cell({
                    let mut values = elements;
                    move || batch_inverse(black_box(&mut values))
                })
                .map(|cell| cell.each_of(1024)),
            ],
        ),
        row("pow, 31-bit exponent", [one!(a, |a: &Fp7| a.power(0x7f00_0000)), None]),
        row("sqrt", [one!(square, Fp7::try_sqrt), None]),
        row("is_square", [one!(square, Fp7::is_square), None]),
    ];
    Table { columns: vec!["one by one", "a lane"], rows, ratios: true }
}
