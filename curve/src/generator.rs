//! Tables of multiples of the generator, computed by the compiler.
//!
//! | table | entries | used by |
//! | --- | --- | --- |
//! | [`ODD_MULTIPLES`] | (2i + 1)·2^(55·t)·G for t = 0, …, 3 and i = 0, …, 63: what digits of a non-adjacent form of width 8 select, with the scalar cut into four parts of 55 bits, two of 110 or one; 256 points, 14 kB | products in variable time |
//! | [`SIGNED_COMB`] | 2^(11·q)·(2¹⁷⁶ ± 2¹³² ± 2⁸⁸ ± 2⁴⁴ ± 1)·G for q = 0, …, 3: what five bits of a scalar, 44 apart, select if each bit is a sign; 64 points, 4 kB | products with secrets |
//!
//! They are made from G alone by the complete addition of [`crate::projective`] on integers and one inversion each; tests compare
//! them with the group law.

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

/// Bits of a scalar that select an entry of [`SIGNED_COMB`].
pub(crate) const TEETH: usize = 5;

/// Distance of these bits: 5·44 = 220 bits cover a scalar modulo r.
pub(crate) const TOOTH_SPACING: usize = 44;

/// Number of tables of [`SIGNED_COMB`]: each serves every fourth part of the positions between two teeth.
pub(crate) const BLOCKS: usize = 4;

/// Distance of the blocks.
pub(crate) const BLOCK_SPACING: usize = TOOTH_SPACING / BLOCKS;

/// Number of entries of a block: one for every choice of the lower signs.
pub(crate) const SIGNS: usize = 1 << (TEETH - 1);

/// At [q][m]: the sum of 2^(11·q + 44·t)·G over the teeth t = 0, …, 4, with the sign + for t = 4 and where bit t of m is 1.
pub(crate) static SIGNED_COMB: [[SignedPoint; SIGNS]; BLOCKS] = signed_comb();

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

/// −P.
const fn negative([x, y, z]: &Point) -> Point {
    [*x, sub(&[0; DEGREE], y), *z]
}

/// 2^times·P.
const fn double_times(mut point: Point, times: usize) -> Point {
    let mut i = 0;
    while i < times {
        point = sum(&point, &point);
        i += 1;
    }
    point
}

#[allow(long_running_const_eval, reason = "about 400 additions of points")]
const fn signed_comb() -> [[SignedPoint; SIGNS]; BLOCKS] {
    let [x, y] = params::residues::GENERATOR;
    let mut teeth: [Point; TEETH] = [[x, y, ONE]; TEETH];
    let mut t = 1;
    while t < TEETH {
        teeth[t] = double_times(teeth[t - 1], TOOTH_SPACING);
        t += 1;
    }
    let mut points: [Point; SIGNS * BLOCKS] = [[ONE, ONE, ONE]; SIGNS * BLOCKS];
    let mut q = 0;
    while q < BLOCKS {
        // All signs but the last negative; then one more positive each time.
        let mut first = teeth[TEETH - 1];
        t = 0;
        while t < TEETH - 1 {
            first = sum(&first, &negative(&teeth[t]));
            t += 1;
        }
        points[q * SIGNS] = first;
        let mut m = 1;
        while m < SIGNS {
            let tooth = m.trailing_zeros() as usize;
            let twice = sum(&teeth[tooth], &teeth[tooth]);
            points[q * SIGNS + m] = sum(&points[q * SIGNS + (m & (m - 1))], &twice);
            m += 1;
        }
        t = 0;
        while t < TEETH {
            teeth[t] = double_times(teeth[t], BLOCK_SPACING);
            t += 1;
        }
        q += 1;
    }
    to_affine(&points)
}

/// The points in affine coordinates, M to a table: Montgomery's trick.
const fn to_affine<const N: usize, const M: usize, const T: usize>(
    points: &[Point; N],
) -> [[SignedPoint; M]; T] {
    // At k, the product of the Z before k.
    let mut before = [ONE; N];
    let mut product = ONE;
    let mut k = 0;
    while k < N {
        before[k] = product;
        product = mul(&product, &points[k][2]);
        k += 1;
    }
    let mut rest = inverse(&product);
    let mut out = [[SignedPoint::new(&Element::ONE, &Element::ONE); M]; T];
    while k > 0 {
        k -= 1;
        let [x, y, z] = &points[k];
        let inverse = mul(&rest, &before[k]);
        rest = mul(&rest, z);
        let (x, y) = (mul(x, &inverse), mul(y, &inverse));
        out[k / M][k % M] = SignedPoint::new(&Element::from_canonical(x), &Element::from_canonical(y));
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

    #[test]
    fn entries_are_signed_sums() {
        let power = |i: usize| (0..i).fold(Point::GENERATOR, |point, _| point.double());
        for (q, table) in SIGNED_COMB.iter().enumerate() {
            for (m, entry) in table.iter().enumerate() {
                let sum = (0..TEETH).fold(Point::Identity, |sum, t| {
                    let tooth = power(BLOCK_SPACING * q + TOOTH_SPACING * t);
                    sum + if t == TEETH - 1 || m >> t & 1 == 1 { tooth } else { -tooth }
                });
                assert_eq!(sum.to_affine().map(SignedPoint::from), Some(*entry), "{q} {m}");
            }
        }
    }
}
