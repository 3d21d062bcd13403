//! The least that a number must offer to stand in a constraint.

use core::ops::{Add, Mul, Neg, Sub};

/// A commutative ring, known only by its operators.
///
/// Field elements, packed lanes of field elements and symbolic constraint expressions of every proving stack
/// satisfy it without an implementation of their own, so one formula serves them all.
pub trait Ring:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
}

impl<T> Ring for T where T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Neg<Output = T> {}
