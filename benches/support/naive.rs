//! A baseline: what a first proof of concept would do.
//!
//! Schoolbook products with a remainder after each step, inverses as powers, affine formulas with one inversion for
//! every addition and doubling, double-and-add for each of the two products. Shares no code with the library.

use septic_air::curve::{Point, Scalar256};

const P: u64 = 0x7f00_0001;

/// An element of K, low degree first.
pub(crate) type Element = [u64; 7];

/// A point, `None` for the identity.
pub(crate) type NaivePoint = Option<(Element, Element)>;

/// The library's point in this representation.
pub(crate) fn from_point(point: &Point) -> NaivePoint {
    point.to_canonical().map(|(x, y)| (x.map(u64::from), y.map(u64::from)))
}

fn combine(a: &Element, b: &Element, by: u64) -> Element {
    core::array::from_fn(|i| (a[i] + by * b[i]) % P)
}

fn sub(a: &Element, b: &Element) -> Element {
    combine(a, b, P - 1)
}

/// a·b: 49 products.
pub(crate) fn mul(a: &Element, b: &Element) -> Element {
    let mut wide = [0; 13];
    for i in 0..7 {
        for j in 0..7 {
            wide[i + j] = (wide[i + j] + a[i] * b[j]) % P;
        }
    }
    for k in (7..13).rev() {
        wide[k - 6] = (wide[k - 6] + 3 * wide[k]) % P;
        wide[k - 7] = (wide[k - 7] + 5 * wide[k]) % P;
    }
    core::array::from_fn(|i| wide[i])
}

fn power(x: &Element, exponent: u64) -> Element {
    let mut out = [1, 0, 0, 0, 0, 0, 0];
    for bit in (0..31).rev() {
        out = mul(&out, &out);
        if exponent >> bit & 1 == 1 {
            out = mul(&out, x);
        }
    }
    out
}

/// 1/x as x^(p⁷ − 2), p⁷ − 2 in base p having the digits p − 2 and six times p − 1.
fn inverse(x: &Element) -> Element {
    let mut out = power(x, P - 2);
    let mut conjugate = power(x, P - 1);
    for _ in 0..6 {
        conjugate = power(&conjugate, P);
        out = mul(&out, &conjugate);
    }
    out
}

fn add(p: &NaivePoint, q: &NaivePoint) -> NaivePoint {
    let (Some((x_p, y_p)), Some((x_q, y_q))) = (p, q) else {
        return p.or(*q);
    };
    let (numerator, denominator) = if x_p != x_q {
        (sub(y_q, y_p), sub(x_q, x_p))
    } else if y_p == y_q {
        (combine(&[45, 0, 0, 0, 0, 0, 0], &mul(x_p, x_p), 3), combine(y_p, y_p, 1))
    } else {
        return None;
    };
    let lambda = mul(&numerator, &inverse(&denominator));
    let x = sub(&sub(&mul(&lambda, &lambda), x_p), x_q);
    Some((x, sub(&mul(&lambda, &sub(x_p, &x)), y_p)))
}

fn multiply(s: &Scalar256, p: &NaivePoint) -> NaivePoint {
    let mut acc = None;
    for bit in (0..217).rev() {
        acc = add(&acc, &acc);
        if s.bit(bit) {
            acc = add(&acc, p);
        }
    }
    acc
}

/// s·G + e·A for reduced scalars.
pub(crate) fn mul_add(s: &Scalar256, e: &Scalar256, a: &NaivePoint) -> NaivePoint {
    add(&multiply(s, &from_point(&Point::GENERATOR)), &multiply(e, a))
}
