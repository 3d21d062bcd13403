//! Odd multiples of the generator for multiplication in variable time, computed by the compiler.
//!
//! [`ODD_MULTIPLES`] holds (2i + 1)·2^(55·t)·G for t = 0, …, 3 and i = 0, …, 63: what digits of a non-adjacent form of
//! width 8 select, with the scalar cut into four parts of 55 bits, two of 110 or one. 256 points, 14 kB. They are made
//! from G alone by the complete addition of [`crate::projective`] on integers and one inversion; a test compares them
//! with the group law.

use crate::DEGREE;
use crate::comb::SPACING;
use crate::field::table::{Limbs, mul};
use crate::params::{self, CURVE_A};
use crate::signed::{Element, SignedPoint};

/// Width of the non-adjacent forms that select from the tables.
pub(crate) const WIDTH: u32 = 8;

/// Number of odd multiples of each point: those below 2^(width − 1).
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Number of points whose multiples are tabulated.
pub(crate) const TABLES: usize = 4;

/// Number of entries of all tables.
const ENTRIES: usize = TABLES * MULTIPLES;

/// (2i + 1)·2^(55·t)·G at [t][i].
pub(crate) static ODD_MULTIPLES: [[SignedPoint; MULTIPLES]; TABLES] = tables();

/// p.
const P: u64 = 0x7f00_0001;

const ONE: Limbs = [1, 0, 0, 0, 0, 0, 0];

/// 3b = 123z³.
const B3: Limbs = [0, 0, 0, 3 * 41, 0, 0, 0];

/// A point (X : Y : Z) in homogeneous coordinates, as integers.
type Point = [Limbs; 3];

/// a + c·b.
const fn add_scaled(a: &Limbs, c: u64, b: &Limbs) -> Limbs {
    let mut out = [0; DEGREE];
    let mut i = 0;
    while i < DEGREE {
        #[allow(clippy::cast_possible_truncation, reason = "reduced modulo p < 2³¹")]
        let limb = ((a[i] as u64 + c * b[i] as u64) % P) as u32;
        out[i] = limb;
        i += 1;
    }
    out
}

const fn add(a: &Limbs, b: &Limbs) -> Limbs {
    add_scaled(a, 1, b)
}

const fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    add_scaled(a, P - 1, b)
}

/// The sum of any two points: Renes, Costello and Batina (ePrint 2015/1060), algorithm 1.
const fn sum([x1, y1, z1]: &Point, [x2, y2, z2]: &Point) -> Point {
    const A: u64 = CURVE_A as u64;
    const ZERO: Limbs = [0; DEGREE];
    let (xx, yy, zz) = (mul(x1, x2), mul(y1, y2), mul(z1, z2));
    // X₁Y₂ + X₂Y₁ and so on.
    let xy = add(&mul(x1, y2), &mul(x2, y1));
    let xz = add(&mul(x1, z2), &mul(x2, z1));
    let yz = add(&mul(y1, z2), &mul(y2, z1));
    let t = add_scaled(&mul(&B3, &zz), A, &xz);
    let (plus, minus) = (add(&yy, &t), sub(&yy, &t));
    let azz = add_scaled(&ZERO, A, &zz);
    let v = add_scaled(&mul(&B3, &xz), A, &sub(&xx, &azz));
    let w = add_scaled(&azz, 3, &xx);
    [
        sub(&mul(&xy, &minus), &mul(&yz, &v)),
        add(&mul(&w, &v), &mul(&plus, &minus)),
        add(&mul(&yz, &plus), &mul(&xy, &w)),
    ]
}

/// x^exponent, for exponent > 0.
const fn power(x: &Limbs, exponent: u64) -> Limbs {
    let mut out = *x;
    let mut bit = exponent.ilog2();
    while bit > 0 {
        bit -= 1;
        out = mul(&out, &out);
        if exponent >> bit & 1 == 1 {
            out = mul(&out, x);
        }
    }
    out
}

/// 1/x = x^(p⁷ − 2), with p⁷ − 2 = (p − 2) + (p − 1)(p + p² + … + p⁶).
const fn inverse(x: &Limbs) -> Limbs {
    let mut out = power(x, P - 2);
    let mut conjugate = power(x, P - 1);
    let mut i = 1;
    while i < DEGREE {
        conjugate = power(&conjugate, P);
        out = mul(&out, &conjugate);
        i += 1;
    }
    out
}

#[allow(long_running_const_eval, reason = "about 400 additions of points")]
const fn tables() -> [[SignedPoint; MULTIPLES]; TABLES] {
    let mut points: [Point; ENTRIES] = [[ONE, ONE, ONE]; ENTRIES];
    let [x, y] = params::residues::GENERATOR;
    let mut base = [x, y, ONE];
    let mut t = 0;
    while t < TABLES {
        let twice = sum(&base, &base);
        points[t * MULTIPLES] = base;
        let mut i = 1;
        while i < MULTIPLES {
            points[t * MULTIPLES + i] = sum(&points[t * MULTIPLES + i - 1], &twice);
            i += 1;
        }
        let mut doubling = 0;
        while doubling < SPACING {
            base = sum(&base, &base);
            doubling += 1;
        }
        t += 1;
    }
    to_affine(&points)
}

/// The points in affine coordinates: Montgomery's trick.
const fn to_affine(points: &[Point; ENTRIES]) -> [[SignedPoint; MULTIPLES]; TABLES] {
    // At k, the product of the Z before k.
    let mut before = [ONE; ENTRIES];
    let mut product = ONE;
    let mut k = 0;
    while k < ENTRIES {
        before[k] = product;
        product = mul(&product, &points[k][2]);
        k += 1;
    }
    let mut rest = inverse(&product);
    let mut out = [[SignedPoint::new(&Element::ONE, &Element::ONE); MULTIPLES]; TABLES];
    while k > 0 {
        k -= 1;
        let [x, y, z] = &points[k];
        let inverse = mul(&rest, &before[k]);
        rest = mul(&rest, z);
        let (x, y) = (mul(x, &inverse), mul(y, &inverse));
        out[k / MULTIPLES][k % MULTIPLES] =
            SignedPoint::new(&Element::from_canonical(x), &Element::from_canonical(y));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn entries_are_odd_multiples() {
        let mut base = Point::GENERATOR;
        for table in &ODD_MULTIPLES {
            let mut expected = base;
            for entry in table {
                assert_eq!(expected.to_affine().map(SignedPoint::from), Some(*entry));
                expected += base.double();
            }
            (0..SPACING).for_each(|_| base = base.double());
        }
    }
}
