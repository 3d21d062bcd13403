//! The septic extension K = `F_p[z]/(z⁷ − 3z − 5)` over any ring that extends F_p.
//!
//! [`Septic`] holds seven coefficients, low degree first. Its operators use only `+`, `−` and `×` of the
//! coefficients, so the same code multiplies field values, packed lanes and constraint expressions. What needs a
//! field (inverse, Frobenius, square root) lives in [`crate::field`].

use core::array;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use p3_field::PrimeCharacteristicRing;

use crate::Ring;

/// Degree of the extension: the number of coefficients of an element.
pub const DEGREE: usize = 7;

/// An element c₀ + c₁z + … + c₆z⁶ of the septic extension, z⁷ = 3z + 5.
///
/// Shape: 7 coefficients, low degree first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Septic<T>(pub [T; DEGREE]);

impl<T> Septic<T> {
    /// Builds an element from a function of the coefficient's index.
    #[inline]
    pub fn from_fn(f: impl FnMut(usize) -> T) -> Self {
        Self(array::from_fn(f))
    }

    /// Applies `f` to each coefficient.
    #[inline]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Septic<U> {
        Septic(self.0.map(f))
    }

    /// Borrows each coefficient.
    #[inline]
    pub fn each_ref(&self) -> Septic<&T> {
        Septic(self.0.each_ref())
    }
}

/// x + x: a constraint expression cannot be asked for constants.
#[inline]
fn double<T: Ring>(x: &T) -> T {
    x.clone() + x.clone()
}

/// Reduces c₀ + c₁z + … + c₁₂z¹² modulo z⁷ − 3z − 5, given `low` = c₀, …, c₆ and `high` = c₇, …, c₁₂.
#[inline]
fn reduce<T: Ring>(low: [T; DEGREE], high: &[T; DEGREE - 1]) -> Septic<T> {
    // z^(7+k) = 3z^(k+1) + 5z^k for k = 0..=5, with 3x and 5x by additions.
    let mut out = low;
    for (k, c) in high.iter().enumerate() {
        let c2 = double(c);
        let c3 = c2.clone() + c.clone();
        out[k] = out[k].clone() + (c3.clone() + c2);
        out[k + 1] = out[k + 1].clone() + c3;
    }
    Septic(out)
}

impl<T: Ring> Septic<T> {
    /// Multiplies every coefficient by one ring element.
    #[inline]
    #[must_use]
    pub fn scale(&self, by: &T) -> Self {
        Self::from_fn(|i| self.0[i].clone() * by.clone())
    }

    /// 2·self.
    #[inline]
    #[must_use]
    pub fn doubled(&self) -> Self {
        Self::from_fn(|i| double(&self.0[i]))
    }

    /// 3·self.
    #[inline]
    #[must_use]
    pub fn tripled(&self) -> Self {
        Self::from_fn(|i| double(&self.0[i]) + self.0[i].clone())
    }

    /// self², with 28 coefficient products instead of 49.
    #[inline]
    #[must_use]
    pub fn squared(&self) -> Self {
        let a = &self.0;
        let coefficient = |k: usize| {
            // a_i·a_{k−i} for i < k − i, twice, and the middle term once.
            let low = k.saturating_sub(DEGREE - 1);
            let term = |i: usize| a[i].clone() * a[k - i].clone();
            let cross = (low..k.div_ceil(2)).map(term).reduce(|sum, term| sum + term);
            match (cross, k % 2) {
                (Some(cross), 0) => double(&cross) + term(k / 2),
                (Some(cross), _) => double(&cross),
                (None, _) => term(k / 2),
            }
        };
        reduce(array::from_fn(coefficient), &array::from_fn(|k| coefficient(DEGREE + k)))
    }
}

/// The sum of products `a * b, c * d, …` of borrowed coefficients as one fused dot product.
macro_rules! dot {
    ($($a:ident * $b:ident),+) => {
        T::dot_product(&[$($a.dup()),+], &[$($b.dup()),+])
    };
}

impl<T: PrimeCharacteristicRing> Septic<T> {
    /// 0.
    pub const ZERO: Self = Self([const { T::ZERO }; DEGREE]);

    /// 1.
    pub const ONE: Self = Self([T::ONE, T::ZERO, T::ZERO, T::ZERO, T::ZERO, T::ZERO, T::ZERO]);

    /// Embeds a coefficient: c + 0·z + ….
    #[inline]
    pub fn from_base(c: T) -> Self {
        let mut out = Self::ZERO;
        out.0[0] = c;
        out
    }

    /// self·rhs in dot products, for rings with a fused dot product (delayed reduction).
    ///
    /// Equal to the operator `*` in every ring; faster on field values and packed lanes.
    #[inline]
    #[must_use]
    pub fn dot_mul(&self, rhs: &Self) -> Self {
        let [a0, a1, a2, a3, a4, a5, a6] = &self.0;
        let [b0, b1, b2, b3, b4, b5, b6] = &rhs.0;
        let low = [
            dot!(a0 * b0),
            dot!(a0 * b1, a1 * b0),
            dot!(a0 * b2, a1 * b1, a2 * b0),
            dot!(a0 * b3, a1 * b2, a2 * b1, a3 * b0),
            dot!(a0 * b4, a1 * b3, a2 * b2, a3 * b1, a4 * b0),
            dot!(a0 * b5, a1 * b4, a2 * b3, a3 * b2, a4 * b1, a5 * b0),
            dot!(a0 * b6, a1 * b5, a2 * b4, a3 * b3, a4 * b2, a5 * b1, a6 * b0),
        ];
        let high = [
            dot!(a1 * b6, a2 * b5, a3 * b4, a4 * b3, a5 * b2, a6 * b1),
            dot!(a2 * b6, a3 * b5, a4 * b4, a5 * b3, a6 * b2),
            dot!(a3 * b6, a4 * b5, a5 * b4, a6 * b3),
            dot!(a4 * b6, a5 * b5, a6 * b4),
            dot!(a5 * b6, a6 * b5),
            dot!(a6 * b6),
        ];
        reduce(low, &high)
    }

    /// self² in dot products, with 28 coefficient products.
    ///
    /// Equal to [`Self::squared`] in every ring; faster on field values and packed lanes.
    #[inline]
    #[must_use]
    pub fn dot_square(&self) -> Self {
        let [a0, a1, a2, a3, a4, a5, a6] = &self.0;
        let [d1, d2, d3, d4, d5, d6] = &[a1, a2, a3, a4, a5, a6].map(|a| a.double());
        let low = [
            dot!(a0 * a0),
            dot!(a0 * d1),
            dot!(a0 * d2, a1 * a1),
            dot!(a0 * d3, a1 * d2),
            dot!(a0 * d4, a1 * d3, a2 * a2),
            dot!(a0 * d5, a1 * d4, a2 * d3),
            dot!(a0 * d6, a1 * d5, a2 * d4, a3 * a3),
        ];
        let high = [
            dot!(a1 * d6, a2 * d5, a3 * d4),
            dot!(a2 * d6, a3 * d5, a4 * a4),
            dot!(a3 * d6, a4 * d5),
            dot!(a4 * d6, a5 * a5),
            dot!(a5 * d6),
            dot!(a6 * a6),
        ];
        reduce(low, &high)
    }
}

impl<T: Add<Output = T>> Add for Septic<T> {
    type Output = Self;

    #[inline]
    fn add(self, rhs: Self) -> Self {
        let [a0, a1, a2, a3, a4, a5, a6] = self.0;
        let [b0, b1, b2, b3, b4, b5, b6] = rhs.0;
        Self([a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4, a5 + b5, a6 + b6])
    }
}

impl<T: Sub<Output = T>> Sub for Septic<T> {
    type Output = Self;

    #[inline]
    fn sub(self, rhs: Self) -> Self {
        let [a0, a1, a2, a3, a4, a5, a6] = self.0;
        let [b0, b1, b2, b3, b4, b5, b6] = rhs.0;
        Self([a0 - b0, a1 - b1, a2 - b2, a3 - b3, a4 - b4, a5 - b5, a6 - b6])
    }
}

impl<T: Neg<Output = T>> Neg for Septic<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl<T: Ring> Mul for Septic<T> {
    type Output = Self;

    /// Schoolbook product: 49 coefficient products, then the reduction by z⁷ = 3z + 5.
    #[inline]
    fn mul(self, rhs: Self) -> Self {
        let (a, b) = (&self.0, &rhs.0);
        let coefficient = |k: usize| {
            let low = k.saturating_sub(DEGREE - 1);
            let first = a[low].clone() * b[k - low].clone();
            (low + 1..=k.min(DEGREE - 1)).fold(first, |sum, i| sum + a[i].clone() * b[k - i].clone())
        };
        reduce(array::from_fn(coefficient), &array::from_fn(|k| coefficient(DEGREE + k)))
    }
}

impl<T: Clone + Add<Output = T>> AddAssign for Septic<T> {
    #[inline]
    fn add_assign(&mut self, rhs: Self) {
        *self = self.clone() + rhs;
    }
}

impl<T: Clone + Sub<Output = T>> SubAssign for Septic<T> {
    #[inline]
    fn sub_assign(&mut self, rhs: Self) {
        *self = self.clone() - rhs;
    }
}

impl<T: Ring> MulAssign for Septic<T> {
    #[inline]
    fn mul_assign(&mut self, rhs: Self) {
        *self = self.clone() * rhs;
    }
}
