//! Products of points with secret scalars: the same operations and the same memory accesses for every scalar.
//!
//! # Digits
//!
//! With n = 220 and B = (k + 2ⁿ − 1)/2 mod r, an integer below 2ⁿ with bits bᵢ,
//!
//! > k ≡ 2B − (2ⁿ − 1) = Σ (2bᵢ − 1)·2^i  modulo r.
//!
//! So every bit of B is a sign, and no digit is zero. Five bits, next to each other or 44 apart, select one of 16 tabulated sums,
//! in which the highest of the five is positive, and a sign for it (Hamburg, "Fast and compact elliptic-curve cryptography",
//! ePrint 2012/309; Lim and Lee, CRYPTO 1994, for combs). All 16 entries are read and masked.
//!
//! # Additions
//!
//! The complete formulas of [`crate::projective`] on the branch-free integer arithmetic of [`crate::signed`]: no scalar and no
//! point is an exception.
//!
//! | product | doublings of 11 | additions | table |
//! | --- | --- | --- | --- |
//! | s·G | 10 | 43 of 11 | 4 × 16, fixed |
//! | s·P | 215 + 1 | 43 + 15 of 12 | 16, made for P |
//!
//! in products of K, squares included.

#![allow(non_snake_case, reason = "upper-case coordinates are projective, lower-case ones affine")]

use core::array;

use crypto_bigint::U256;
use subtle::ConstantTimeEq;
use zeroize::ZeroizeOnDrop;

use crate::generator::{BLOCK_SPACING, BLOCKS, SIGNED_COMB, SIGNS, TEETH, TOOTH_SPACING};
use crate::params::ORDER;
use crate::signed::{Element, SignedPoint};
use crate::{DEGREE, Point, ProjectivePoint, Scalar, Scalar256};

/// n: bits of B, all of which are read.
const BITS: u32 = 220;

const _: () = assert!(BITS as usize == TEETH * TOOTH_SPACING, "teeth read every bit");

/// 1/2 modulo r.
const HALF: Scalar = Scalar::reduce(&ORDER.wrapping_add(&U256::ONE).shr_vartime(1));

/// (2ⁿ − 1)/2 modulo r: half of the even number 2ⁿ − 1 + r.
const SHIFT: Scalar =
    Scalar::reduce(&U256::ONE.shl_vartime(BITS).wrapping_sub(&U256::ONE).wrapping_add(&ORDER).shr_vartime(1));

/// B; erased when dropped.
#[derive(ZeroizeOnDrop)]
struct Signs(Scalar256);

/// Number of windows of a scalar.
const WINDOWS: usize = TOOTH_SPACING;

/// An entry of a table of 16 and a sign: all ones for minus, zero for plus.
#[derive(Clone, Copy)]
struct Selection {
    index: usize,
    minus: i32,
}

impl Signs {
    fn new(k: &Scalar) -> Self {
        Self((*k * HALF + SHIFT).into())
    }

    /// What the bits at `first`, `first` + `spacing`, …, five in all, select.
    fn selection(&self, first: usize, spacing: usize) -> Selection {
        let bit = |t: usize| usize::from(self.0.bit(first + t * spacing));
        let positive = self.0.bit(first + (TEETH - 1) * spacing);
        let lower = (0..TEETH - 1).fold(0, |bits, t| bits | bit(t) << t);
        // −(16 + Σ ±2^t) has the opposite signs.
        let opposite = usize::from(positive).wrapping_sub(1);
        Selection { index: (lower ^ opposite) % SIGNS, minus: i32::from(positive) - 1 }
    }
}

/// The entry with this index, reading all.
fn scan<const N: usize>(table: impl IntoIterator<Item = [i32; N]>, index: usize) -> [i32; N] {
    let mut out = [0; N];
    for (i, entry) in (0_usize..).zip(table) {
        let mask = -i32::from(i.ct_eq(&index).unwrap_u8());
        for (out, coefficient) in out.iter_mut().zip(entry) {
            *out |= coefficient & mask;
        }
    }
    out
}

/// A point in homogeneous coordinates.
#[derive(Clone, Copy)]
struct Complete {
    X: Element,
    Y: Element,
    Z: Element,
}

impl Complete {
    /// What the formulas make of the products xx = X₁X₂, yy = Y₁Y₂, zz = Z₁Z₂, xy = X₁Y₂ + X₂Y₁ and so on.
    #[inline(always)]
    fn from_products(
        xx: &Element,
        yy: &Element,
        zz: &Element,
        xy: &Element,
        xz: &Element,
        yz: &Element,
    ) -> Self {
        let azz = zz.a_times();
        let t = xz.a_times_plus_3b_times(zz);
        let v = xx.minus_a_times_plus_3b_times(&azz, xz);
        let w = xx.tripled_plus(&azz);
        let (plus, minus) = (yy + &t, yy - &t);
        Self {
            X: &(xy * &minus) - &(yz * &v),
            Y: &(&w * &v) + &(&plus * &minus),
            Z: &(yz * &plus) + &(xy * &w),
        }
    }

    /// self + q: 12 products.
    #[inline(never)]
    fn add(&self, q: &Self) -> Self {
        let (xx, yy, zz) = (&self.X * &q.X, &self.Y * &q.Y, &self.Z * &q.Z);
        let cross = |a: &Element, b: &Element, c: &Element, d: &Element, ac: &Element, bd: &Element| {
            &(&(&(a + b) * &(c + d)) - ac) - bd
        };
        let xy = cross(&self.X, &self.Y, &q.X, &q.Y, &xx, &yy);
        let xz = cross(&self.X, &self.Z, &q.X, &q.Z, &xx, &zz);
        let yz = cross(&self.Y, &self.Z, &q.Y, &q.Z, &yy, &zz);
        Self::from_products(&xx, &yy, &zz, &xy, &xz, &yz)
    }

    /// self + q: 11 products.
    #[inline(never)]
    fn add_affine(&self, q: &SignedPoint) -> Self {
        let (x, y) = (q.x(), q.y());
        let (xx, yy) = (&self.X * &x, &self.Y * &y);
        let xy = &(&(&(&self.X + &self.Y) * &(&x + &y)) - &xx) - &yy;
        let xz = &self.X + &(&x * &self.Z);
        let yz = &self.Y + &(&y * &self.Z);
        Self::from_products(&xx, &yy, &self.Z, &xy, &xz, &yz)
    }

    /// 2·self: 8 products and 3 squares.
    #[inline(never)]
    fn double(&self) -> Self {
        let Self { X, Y, Z } = self;
        let yy = Y.square();
        let yz = (Y * Z).doubled();
        let doubled =
            Self::from_products(&X.square(), &yy, &Z.square(), &(X * Y).doubled(), &(X * Z).doubled(), &yz);
        Self { Z: (&yz * &yy).quadrupled(), ..doubled }
    }

    /// The coefficients: those of X, then Y, then Z.
    fn coefficients(&self) -> [i32; 3 * DEGREE] {
        let coordinates = [&self.X, &self.Y, &self.Z].map(Element::narrow);
        array::from_fn(|i| coordinates[i / DEGREE][i % DEGREE])
    }

    /// ±the point with these coefficients.
    fn select(table: &[[i32; 3 * DEGREE]; SIGNS], selection: Selection) -> Self {
        let entry = scan(table.iter().copied(), selection.index);
        let coordinate = |c: usize| Element::from_narrow(&array::from_fn(|i| entry[DEGREE * c + i]));
        let minus = selection.minus;
        let y = array::from_fn(|i| (entry[DEGREE + i] ^ minus) - minus);
        Self { X: coordinate(0), Y: Element::from_narrow(&y), Z: coordinate(2) }
    }
}

impl From<&ProjectivePoint> for Complete {
    fn from(point: &ProjectivePoint) -> Self {
        let [X, Y, Z] = point.coordinates().map(Element::from);
        Self { X, Y, Z }
    }
}

impl From<Complete> for ProjectivePoint {
    fn from(point: Complete) -> Self {
        Self::from_coordinates([point.X, point.Y, point.Z].map(Into::into))
    }
}

/// s·P for a secret s: the same operations and the same memory accesses for every s.
///
/// The time may depend on P. That the compiled code keeps to it is shown by a command, see `docs/constant-time.md`.
#[must_use]
pub fn mul_constant_time(s: &Scalar, point: &Point) -> ProjectivePoint {
    mul_projective_constant_time(s, &ProjectivePoint::from(*point))
}

/// [`mul_constant_time`] of a point in any coordinates.
#[must_use]
pub fn mul_projective_constant_time(s: &Scalar, point: &ProjectivePoint) -> ProjectivePoint {
    let point = Complete::from(point);
    let twice = point.double();
    // P, 3P, …, 31P: the sums of 16, ±8, ±4, ±2, ±1.
    let mut table = [point.coefficients(); SIGNS];
    let mut multiple = point;
    for entry in table.iter_mut().skip(1) {
        multiple = multiple.add(&twice);
        *entry = multiple.coefficients();
    }

    let signs = Signs::new(s);
    let mut windows = (0..WINDOWS).rev().map(|i| Complete::select(&table, signs.selection(TEETH * i, 1)));
    let first = windows.next().unwrap_or(point);
    let product = windows.fold(first, |acc, window| (0..TEETH).fold(acc, |acc, _| acc.double()).add(&window));
    product.into()
}

/// s·G for a secret s, as [`mul_constant_time`] but several times faster: 10 doublings and 43 additions from a fixed table.
#[must_use]
pub fn mul_generator_constant_time(s: &Scalar) -> ProjectivePoint {
    let signs = Signs::new(s);
    let entry = |block: usize, position: usize| {
        let selection = signs.selection(BLOCK_SPACING * block + position, TOOTH_SPACING);
        let table = SIGNED_COMB[block].iter().map(SignedPoint::coefficients);
        SignedPoint::from_coefficients(&scan(table, selection.index)).negated_if(selection.minus)
    };
    let mut acc = Complete { X: Element::ZERO, Y: Element::ONE, Z: Element::ZERO };
    for position in (0..BLOCK_SPACING).rev() {
        acc = acc.double();
        for block in 0..BLOCKS {
            acc = acc.add_affine(&entry(block, position));
        }
    }
    acc.into()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::params::GENERATOR;

    /// The digits of a number add up to it, and every one selects the entry whose value it has.
    #[test]
    fn signs_are_those_of_the_number() {
        let two = Scalar::from(2);
        let order_near = |k: u64| [Scalar::from(k), -Scalar::from(k)];
        for k in (0..40).chain([1 << 31, u64::MAX]).flat_map(order_near) {
            let signs = Signs::new(&k);
            let mut windows = Scalar::ZERO;
            for i in (0..WINDOWS).rev() {
                let Selection { index, minus } = signs.selection(TEETH * i, 1);
                let digit = Scalar::from(2 * index as u64 + 1);
                windows =
                    windows * two.pow_vartime(&U256::from(5_u8)) + if minus == 0 { digit } else { -digit };
            }
            assert_eq!(windows, k);
        }
    }

    /// Every pair of small multiples of G, equal, opposite and neutral ones included.
    #[test]
    fn sums_are_those_of_the_group() {
        let multiple = |k: u64| Point::GENERATOR.mul_vartime(&k.into());
        let points: Vec<Point> = (0..4).flat_map(|k| [multiple(k), -multiple(k)]).collect();
        let complete = |point: Point| Complete::from(&ProjectivePoint::from(point));
        let affine = |point: Complete| ProjectivePoint::from(point).to_point();
        for p in &points {
            assert_eq!(affine(complete(*p)), *p);
            assert_eq!(affine(complete(*p).double()), p.double());
            for q in &points {
                assert_eq!(affine(complete(*p).add(&complete(*q))), *p + *q);
                assert_eq!(affine(complete(*p).double().add(&complete(*q).double())), (*p + *q).double());
                if let Some(q) = q.to_affine() {
                    assert_eq!(affine(complete(*p).add_affine(&q.into())), *p + q.into());
                }
            }
        }
    }

    #[test]
    fn selections_read_what_they_name() {
        let mut table = [[0; 3]; SIGNS];
        for (i, entry) in (0_i32..).zip(&mut table) {
            *entry = [i, -i - 1, i32::MIN + i];
        }
        for (i, entry) in (0..).zip(&table) {
            assert_eq!(scan(table, i), *entry);
        }
        let g = SignedPoint::from(GENERATOR);
        assert_eq!(SignedPoint::from_coefficients(&g.coefficients()), g);
        assert_eq!((g.negated_if(0), g.negated_if(-1)), (g, -g));
    }
}
