//! A prime field of at most 127 elements.

use std::ops::{Add, Mul, Neg, Sub};

use septic_chips::check::CheckField;
use septic_chips::septic_curve::Septic;

/// An element of the field of `P` elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct F<const P: u32>(u8);

const fn low_byte(x: u32) -> u8 {
    x.to_le_bytes()[0]
}

impl<const P: u32> F<P> {
    const MODULUS: u8 = {
        assert!(P < 128, "the sum of two elements must fit in a byte");
        low_byte(P)
    };

    pub(crate) const ZERO: Self = Self(0);

    /// The residue class of `c`.
    pub(crate) const fn new(c: u32) -> Self {
        Self(low_byte(c % P))
    }

    /// The canonical residue.
    pub(crate) fn residue(self) -> u32 {
        self.0.into()
    }
}

impl<const P: u32> Add for F<P> {
    type Output = Self;

    #[inline]
    fn add(self, rhs: Self) -> Self {
        let sum = self.0 + rhs.0;
        Self(sum.min(sum.wrapping_sub(Self::MODULUS)))
    }
}

impl<const P: u32> Sub for F<P> {
    type Output = Self;

    #[inline]
    fn sub(self, rhs: Self) -> Self {
        let difference = self.0.wrapping_sub(rhs.0);
        Self(difference.min(difference.wrapping_add(Self::MODULUS)))
    }
}

impl<const P: u32> Mul for F<P> {
    type Output = Self;

    #[inline]
    fn mul(self, rhs: Self) -> Self {
        Self::new(self.residue() * rhs.residue())
    }
}

impl<const P: u32> Neg for F<P> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl<const P: u32> CheckField for F<P> {
    #[inline]
    fn from_residue(c: u32) -> Self {
        Self::new(c)
    }

    /// The product of two elements that use the coefficient of degree 0 alone.
    #[inline]
    fn septic_mul(a: &Septic<Self>, b: &Septic<Self>) -> Septic<Self> {
        let zero = Self::ZERO;
        Septic([a.0[0] * b.0[0], zero, zero, zero, zero, zero, zero])
    }
}

#[test]
fn arithmetic_is_that_of_integers() {
    const P: u32 = 31;
    for a in 0..P {
        for b in 0..P {
            let (x, y) = (F::<P>::new(a), F::<P>::new(b));
            let results = [x + y, x - y, x * y, -x].map(F::residue);
            assert_eq!(results, [(a + b) % P, (a + P - b) % P, a * b % P, (P - a) % P]);
        }
    }
}
