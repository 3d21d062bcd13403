//! The septic extension K = F_p[z]/(z⁷ − 3z − 5) over any ring that extends F_p.
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

/// `x + x`, `3x` and `5x` by additions: a constraint expression cannot be asked for constants.
#[inline]
fn double<T: Ring>(x: T) -> T {
    x.clone() + x
}

#[inline]
fn triple<T: Ring>(x: T) -> T {
    double(x.clone()) + x
}

#[inline]
fn quintuple<T: Ring>(x: T) -> T {
    double(double(x.clone())) + x
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
        Self::from_fn(|i| double(self.0[i].clone()))
    }

    /// 3·self.
    #[inline]
    #[must_use]
    pub fn tripled(&self) -> Self {
        Self::from_fn(|i| triple(self.0[i].clone()))
    }

    /// self², with 28 coefficient products instead of 49.
    #[inline]
    #[must_use]
    pub fn squared(&self) -> Self {
        let a = &self.0;
        reduce(|k| {
            let low = k.saturating_sub(DEGREE - 1);
            // a_i·a_{k−i} for i < k − i, twice, and the middle term once.
            let mut sum: Option<T> = None;
            for i in low..=k / 2 {
                let j = k - i;
                let term = a[i].clone() * a[j].clone();
                let term = if i == j { term } else { double(term) };
                sum = Some(match sum {
                    Some(s) => s + term,
                    None => term,
                });
            }
            sum.expect("every degree 0..=12 has a term")
        })
    }
}

/// Reduces a polynomial of degree at most 12, given by its coefficients, modulo z⁷ − 3z − 5.
#[inline]
fn reduce<T: Ring>(coefficient: impl Fn(usize) -> T) -> Septic<T> {
    // z^(7+k) = 3z^(k+1) + 5z^k for k = 0..=5.
    let high: [T; 6] = array::from_fn(|k| coefficient(DEGREE + k));
    Septic::from_fn(|k| {
        let mut c = coefficient(k);
        if k < 6 {
            c = c + quintuple(high[k].clone());
        }
        if k > 0 {
            c = c + triple(high[k - 1].clone());
        }
        c
    })
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

    /// self·rhs as seven dot products of length seven, for rings with a fused dot product (delayed reduction).
    ///
    /// Equal to the operator `*` in every ring; faster on field values and packed lanes.
    #[inline]
    #[must_use]
    pub fn dot_mul(&self, rhs: &Self) -> Self {
        // Row k of the matrix of "multiply by rhs": the coefficient of z^k in z^i·rhs, for i = 0..7.
        // For i > k the term z^(i + j), i + j = k + 7, contributes 5·b_{k+7−i}; for i ≥ k (and k > 0) the term
        // i + j = k + 6 contributes 3·b_{k+6−i}.
        let b = &rhs.0;
        let b3: [T; DEGREE] = array::from_fn(|i| triple(b[i].dup()));
        let b5: [T; DEGREE] = array::from_fn(|i| b3[i].dup() + b[i].double());
        // b35[j] = 5·b_{j+1} + 3·b_j: the two folded terms met together, for j + 1 ≤ 6.
        let b35: [T; DEGREE - 1] = array::from_fn(|j| b5[j + 1].dup() + b3[j].dup());
        Self::from_fn(|k| {
            let row: [T; DEGREE] = array::from_fn(|i| {
                if i < k {
                    b[k - i].dup()
                } else if i == k {
                    if k == 0 { b[0].dup() } else { b[0].dup() + b3[6].dup() }
                } else if k == 0 {
                    b5[7 - i].dup()
                } else {
                    b35[k + 6 - i].dup()
                }
            });
            T::dot_product(&self.0, &row)
        })
    }

    /// self², as [`Self::dot_mul`] would compute it.
    #[inline]
    #[must_use]
    pub fn dot_square(&self) -> Self {
        self.dot_mul(self)
    }
}

impl<T: Add<Output = T>> Add for Septic<T> {
    type Output = Self;

    #[inline]
    fn add(self, rhs: Self) -> Self {
        let mut rhs = rhs.0.into_iter();
        Self(self.0.map(|a| a + rhs.next().expect("seven coefficients")))
    }
}

impl<T: Sub<Output = T>> Sub for Septic<T> {
    type Output = Self;

    #[inline]
    fn sub(self, rhs: Self) -> Self {
        let mut rhs = rhs.0.into_iter();
        Self(self.0.map(|a| a - rhs.next().expect("seven coefficients")))
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
        reduce(|k| {
            let low = k.saturating_sub(DEGREE - 1);
            let mut sum = a[low].clone() * b[k - low].clone();
            for i in low + 1..=k.min(DEGREE - 1) {
                sum = sum + a[i].clone() * b[k - i].clone();
            }
            sum
        })
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
