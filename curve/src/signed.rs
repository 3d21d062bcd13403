//! K on signed Montgomery residues, for single computations.
//!
//! A product of [`Fp7`] values takes thirteen reductions in F_p, because the representation of its coefficients is not
//! accessible. Here the sums of products are folded by z⁷ = 3z + 5 before they are reduced, which leaves seven, and signed
//! residues leave room for seven products in 64 bits. All is integer arithmetic on `i64`: no branch, no intrinsic. Packed
//! lanes stay with the packed field, which is as fast a lane.
//!
//! A coefficient c stands for c/2³² modulo p = 2³¹ − 2²⁴ + 1. With β = 2³⁰ + 2²⁴, less than p:
//!
//! - B0. Every coefficient is at most β in absolute value. So a coefficient is 0 modulo p only if it is 0.
//! - B1. [`fold`] maps |c| < 2⁶³ to at most 2⁵⁶, without change modulo p: c = h·2³² + l with −2³¹ ≤ h < 2³¹ and
//!   0 ≤ l < 2³², 2³² ≡ 2²⁵ − 2, and |h·(2²⁵ − 2)| ≤ 2⁵⁶ − 2³².
//! - B2. [`montgomery`] maps |c| ≤ 2⁵⁶ to at most 2²⁴ + p/2 < β and divides by 2³² modulo p: the multiple of p that it
//!   subtracts is at most 2³¹·p.
//! - B3. In a product, sums of k products of coefficients are at most k·β² < k·1.04·2⁶⁰. Six fit for the high half
//!   (B1); the low half and the folded high one together are at most 7·1.04·2⁶⁰ + 8·2⁵⁶ < 7.8·2⁶⁰ < 2⁶³ (B1, B2).
//! - B4. [`centre`] maps |t| ≤ 4β to at most β without change modulo p: it subtracts q·p for the integer q nearest to
//!   t/2³¹. If |q| ≤ 1 the rest is at most 2³⁰ + 2²⁴ − 1; if |q| = 2, |t − q·2³¹| is at most 2³⁰ on the side of 0 and
//!   4β − 2³² = 2²⁶ on the other.
//! - B5. [`settle`], three times [`centre`], maps |t| ≤ 2⁴¹ to at most β: the rest is at most 2³⁰ + |q|·2²⁴, where |q| is at
//!   most 2¹⁰ + 1, then 9, then 1.
//!
//! (Montgomery, "Modular multiplication without trial division", 1985; Seiler, ePrint 2018/039, for signed residues.)

use core::ops::{Add, Mul, Neg, Sub};

use crate::field::table::Limbs;
use crate::params::CURVE_A;
use crate::{AffinePoint, DEGREE, Fp7};

/// p = 2³¹ − 2²⁴ + 1.
const P: i64 = 0x7f00_0001;

/// 1/p modulo 2³².
const P_INVERSE: i32 = 0x8100_0001_u32.cast_signed();

/// The coefficient a of the curve.
const A45: i64 = CURVE_A as i64;

/// The constant in 3b = 123z³.
const B123: i64 = 3 * 41;

/// β.
const BOUND: i64 = (1 << 30) + (1 << 24);

/// An element of K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element([i64; DEGREE]);

/// The product of the low 32 bits of each, as signed numbers: coefficients fit, and vector units have this product.
#[inline(always)]
const fn narrow_mul(a: i64, b: i64) -> i64 {
    low(a) * low(b)
}

/// The low 32 bits as a signed number.
#[allow(clippy::cast_possible_truncation, reason = "this is what it does")]
#[inline(always)]
const fn low(c: i64) -> i64 {
    c as i32 as i64
}

/// c modulo p, by 2³² ≡ 2²⁵ − 2 (B1).
#[inline(always)]
const fn fold(c: i64) -> i64 {
    (c >> 32) * ((1 << 25) - 2) + (c & 0xffff_ffff)
}

/// c/2³² modulo p (B2).
#[inline(always)]
const fn montgomery(c: i64) -> i64 {
    let multiple = narrow_mul(narrow_mul(c, P_INVERSE as i64), P);
    (c - multiple) >> 32
}

/// t modulo p (B4).
#[inline(always)]
const fn centre(t: i64) -> i64 {
    let q = (t + (1 << 30)) >> 31;
    t - q * P
}

/// t modulo p (B5).
#[inline(always)]
const fn settle(t: i64) -> i64 {
    centre(centre(centre(t)))
}

/// The element from sums of products: `low` of z⁰, …, z⁶ and `high` of z⁷, …, z¹² (B3).
#[inline(always)]
fn reduce(low: [i64; DEGREE], high: [i64; DEGREE - 1]) -> Element {
    let [l0, l1, l2, l3, l4, l5, l6] = low;
    let [h0, h1, h2, h3, h4, h5] = high.map(fold);
    let sums = [
        l0 + 5 * h0,
        l1 + 5 * h1 + 3 * h0,
        l2 + 5 * h2 + 3 * h1,
        l3 + 5 * h3 + 3 * h2,
        l4 + 5 * h4 + 3 * h3,
        l5 + 5 * h5 + 3 * h4,
        l6 + 3 * h5,
    ];
    Element(sums.map(|sum| montgomery(fold(sum))))
}

impl Element {
    /// 0.
    pub(crate) const ZERO: Self = Self([0; DEGREE]);

    /// 1.
    pub(crate) const ONE: Self = Self::from_canonical([1, 0, 0, 0, 0, 0, 0]);

    /// The element with these coefficients, each below p.
    pub(crate) const fn from_canonical(limbs: Limbs) -> Self {
        let mut out = [0; DEGREE];
        let mut i = 0;
        while i < DEGREE {
            out[i] = centre(((limbs[i] as i64) << 32) % P);
            i += 1;
        }
        Self(out)
    }

    /// Whether this is 0 (B0).
    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The element with the sums of `f`, at most 4β each (B4).
    #[inline(always)]
    fn centred(f: impl Fn(usize) -> i64) -> Self {
        Self(core::array::from_fn(|i| {
            let t = f(i);
            debug_assert!(t.abs() <= 4 * BOUND);
            centre(t)
        }))
    }

    /// 2·self.
    #[inline(always)]
    pub(crate) fn doubled(&self) -> Self {
        Self::centred(|i| 2 * self.0[i])
    }

    /// 4·self.
    #[inline(always)]
    pub(crate) fn quadrupled(&self) -> Self {
        Self::centred(|i| 4 * self.0[i])
    }

    /// 3·self + rhs.
    #[inline(always)]
    pub(crate) fn tripled_plus(&self, rhs: &Self) -> Self {
        Self::centred(|i| 3 * self.0[i] + rhs.0[i])
    }

    /// self − 2·b.
    #[inline(always)]
    pub(crate) fn minus_twice(&self, b: &Self) -> Self {
        Self::centred(|i| self.0[i] - 2 * b.0[i])
    }

    /// a·self + 3b·rhs for the coefficients a = 45 and b = 41z³ of the curve (B5: sums are at most 2·45·β + 123·8·β < 2⁴¹, also
    /// if self is a difference that was not centred).
    #[inline(always)]
    fn coefficients_times(this: [i64; DEGREE], rhs: &Self) -> Self {
        let [c0, c1, c2, c3, c4, c5, c6] = rhs.0;
        // z³·c, as in the formulas of `projective`.
        let z3 = [5 * c4, 3 * c4 + 5 * c5, 3 * c5 + 5 * c6, c0 + 3 * c6, c1, c2, c3];
        Self(core::array::from_fn(|i| settle(A45 * this[i] + B123 * z3[i])))
    }

    /// a·self + 3b·rhs.
    #[inline(always)]
    pub(crate) fn a_times_plus_3b_times(&self, rhs: &Self) -> Self {
        Self::coefficients_times(self.0, rhs)
    }

    /// a·(self − sub) + 3b·rhs.
    #[inline(always)]
    pub(crate) fn minus_a_times_plus_3b_times(&self, sub: &Self, rhs: &Self) -> Self {
        Self::coefficients_times(core::array::from_fn(|i| self.0[i] - sub.0[i]), rhs)
    }

    /// a·self.
    #[inline(always)]
    pub(crate) fn a_times(&self) -> Self {
        Self(self.0.map(|c| settle(A45 * c)))
    }

    /// The coefficients, which fit (B0).
    #[inline(always)]
    pub(crate) const fn narrow(&self) -> [i32; DEGREE] {
        short(self)
    }

    /// The element with these coefficients, at most β each.
    #[inline(always)]
    pub(crate) fn from_narrow(coefficients: &[i32; DEGREE]) -> Self {
        Self(coefficients.map(i64::from))
    }

    /// self².
    #[inline(always)]
    pub(crate) fn square(&self) -> Self {
        let m = |i: usize, j: usize| narrow_mul(self.0[i], self.0[j]);
        let low = [
            m(0, 0),
            2 * m(0, 1),
            2 * m(0, 2) + m(1, 1),
            2 * (m(0, 3) + m(1, 2)),
            2 * (m(0, 4) + m(1, 3)) + m(2, 2),
            2 * (m(0, 5) + m(1, 4) + m(2, 3)),
            2 * (m(0, 6) + m(1, 5) + m(2, 4)) + m(3, 3),
        ];
        let high = [
            2 * (m(1, 6) + m(2, 5) + m(3, 4)),
            2 * (m(2, 6) + m(3, 5)) + m(4, 4),
            2 * (m(3, 6) + m(4, 5)),
            2 * m(4, 6) + m(5, 5),
            2 * m(5, 6),
            m(6, 6),
        ];
        reduce(low, high)
    }

    /// 1/self, or 0 at 0.
    pub(crate) fn inv0(&self) -> Self {
        Fp7::from(*self).inv0().into()
    }
}

impl Mul for &Element {
    type Output = Element;

    #[inline(always)]
    fn mul(self, rhs: Self) -> Element {
        let m = |i: usize, j: usize| narrow_mul(self.0[i], rhs.0[j]);
        let low = [
            m(0, 0),
            m(0, 1) + m(1, 0),
            m(0, 2) + m(1, 1) + m(2, 0),
            m(0, 3) + m(1, 2) + m(2, 1) + m(3, 0),
            m(0, 4) + m(1, 3) + m(2, 2) + m(3, 1) + m(4, 0),
            m(0, 5) + m(1, 4) + m(2, 3) + m(3, 2) + m(4, 1) + m(5, 0),
            m(0, 6) + m(1, 5) + m(2, 4) + m(3, 3) + m(4, 2) + m(5, 1) + m(6, 0),
        ];
        let high = [
            m(1, 6) + m(2, 5) + m(3, 4) + m(4, 3) + m(5, 2) + m(6, 1),
            m(2, 6) + m(3, 5) + m(4, 4) + m(5, 3) + m(6, 2),
            m(3, 6) + m(4, 5) + m(5, 4) + m(6, 3),
            m(4, 6) + m(5, 5) + m(6, 4),
            m(5, 6) + m(6, 5),
            m(6, 6),
        ];
        reduce(low, high)
    }
}

impl Add for &Element {
    type Output = Element;

    #[inline(always)]
    fn add(self, rhs: Self) -> Element {
        Element::centred(|i| self.0[i] + rhs.0[i])
    }
}

impl Sub for &Element {
    type Output = Element;

    #[inline(always)]
    fn sub(self, rhs: Self) -> Element {
        Element::centred(|i| self.0[i] - rhs.0[i])
    }
}

impl Neg for &Element {
    type Output = Element;

    #[inline(always)]
    fn neg(self) -> Element {
        Element(self.0.map(|c| -c))
    }
}

impl From<Fp7> for Element {
    fn from(x: Fp7) -> Self {
        Self::from_canonical(x.to_canonical())
    }
}

impl From<Element> for Fp7 {
    fn from(x: Element) -> Self {
        // |c| < 2³¹, so the quotient is between −p and p.
        let canonical = x.0.map(|c| montgomery(c).rem_euclid(P));
        Self::from_u32s(canonical.map(|c| u32::try_from(c).unwrap_or_default()))
    }
}

/// A point other than the identity on [`Element`]s, in 56 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignedPoint {
    x: [i32; DEGREE],
    y: [i32; DEGREE],
}

impl SignedPoint {
    /// The point with these coordinates.
    pub(crate) const fn new(x: &Element, y: &Element) -> Self {
        Self { x: short(x), y: short(y) }
    }

    /// x.
    #[inline(always)]
    pub(crate) fn x(&self) -> Element {
        Element::from_narrow(&self.x)
    }

    /// y.
    #[inline(always)]
    pub(crate) fn y(&self) -> Element {
        Element::from_narrow(&self.y)
    }
}

impl SignedPoint {
    /// The coefficients of x, then of y.
    pub(crate) fn coefficients(&self) -> [i32; 2 * DEGREE] {
        core::array::from_fn(|i| if i < DEGREE { self.x[i] } else { self.y[i - DEGREE] })
    }

    /// The point with these coefficients of x, then of y.
    pub(crate) fn from_coefficients(coefficients: &[i32; 2 * DEGREE]) -> Self {
        let coordinate = |first: usize| core::array::from_fn(|i| coefficients[first + i]);
        Self { x: coordinate(0), y: coordinate(DEGREE) }
    }

    /// −self if `minus` is all ones, self if it is zero, without a branch.
    pub(crate) fn negated_if(&self, minus: i32) -> Self {
        Self { x: self.x, y: self.y.map(|c| (c ^ minus) - minus) }
    }
}

/// The coefficients, which fit (B0).
#[allow(clippy::cast_possible_truncation, reason = "at most β")]
const fn short(x: &Element) -> [i32; DEGREE] {
    let mut out = [0; DEGREE];
    let mut i = 0;
    while i < DEGREE {
        out[i] = x.0[i] as i32;
        i += 1;
    }
    out
}

impl From<AffinePoint> for SignedPoint {
    fn from(point: AffinePoint) -> Self {
        Self::new(&point.x().into(), &point.y().into())
    }
}

impl Neg for SignedPoint {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: self.x, y: self.y.map(|c| -c) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Coefficients at the ends of the range and around 0, and everything between.
    fn coefficient() -> impl Strategy<Value = i64> {
        prop_oneof![Just(BOUND), Just(-BOUND), Just(BOUND - 1), Just(0), Just(1), Just(-1), -BOUND..=BOUND,]
    }

    fn element() -> impl Strategy<Value = Element> {
        prop::array::uniform7(coefficient()).prop_map(Element)
    }

    /// B0, and the value.
    fn checked(x: Element) -> Fp7 {
        assert!(x.0.iter().all(|c| c.abs() <= BOUND), "{x:?}");
        x.into()
    }

    proptest! {
        #[test]
        fn operations_are_those_of_the_field(a in element(), b in element()) {
            let (x, y) = (checked(a), checked(b));
            prop_assert_eq!(checked(&a * &b), x * y);
            prop_assert_eq!(checked(a.square()), x * x);
            prop_assert_eq!(checked(&a + &b), x + y);
            prop_assert_eq!(checked(&a - &b), x - y);
            prop_assert_eq!(checked(-&a), -x);
            prop_assert_eq!(checked(a.doubled()), x.doubled());
            prop_assert_eq!(checked(a.quadrupled()), x.doubled().doubled());
            prop_assert_eq!(checked(a.tripled_plus(&b)), x.tripled() + y);
            prop_assert_eq!(checked(a.minus_twice(&b)), x - y.doubled());
            let curve_a = Fp7::from_u32s([CURVE_A, 0, 0, 0, 0, 0, 0]);
            let b3 = Fp7::from_u32s([0, 0, 0, 123, 0, 0, 0]);
            prop_assert_eq!(checked(a.a_times()), curve_a * x);
            prop_assert_eq!(checked(a.a_times_plus_3b_times(&b)), curve_a * x + b3 * y);
            prop_assert_eq!(checked(a.minus_a_times_plus_3b_times(&b, &b)), curve_a * (x - y) + b3 * y);
            prop_assert_eq!(Element::from_narrow(&a.narrow()), a);
            prop_assert_eq!(checked(a.inv0()), x.inv0());
            prop_assert_eq!(checked(x.into()), x);
            prop_assert_eq!(a.is_zero(), x.is_zero());
        }
    }

    /// All coefficients at an end of the range: the largest sums there are (debug builds would panic on overflow).
    #[test]
    fn extreme_coefficients() {
        for a in [BOUND, -BOUND] {
            for b in [BOUND, -BOUND] {
                let (a, b) = (Element([a; DEGREE]), Element([b; DEGREE]));
                assert_eq!(checked(&a * &b), checked(a) * checked(b));
                assert_eq!(checked(a.square()), checked(a) * checked(a));
                assert_eq!(checked(a.tripled_plus(&b)), checked(a).tripled() + checked(b));
                let (curve_a, b3) =
                    (Fp7::from_u32s([CURVE_A, 0, 0, 0, 0, 0, 0]), Fp7::from_u32s([0, 0, 0, 123, 0, 0, 0]));
                let expected = curve_a * (checked(a) - checked(b)) + b3 * checked(b);
                assert_eq!(checked(a.minus_a_times_plus_3b_times(&b, &b)), expected);
            }
        }
        assert_eq!(Fp7::from(Element::ONE), Fp7::ONE);
        assert_eq!(P.wrapping_mul(P_INVERSE.into()) & 0xffff_ffff, 1);
    }
}
