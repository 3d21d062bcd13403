//! Dual numbers a + b·ε with ε² = 0: a constraint evaluated on them is its value and its derivative along b.

use core::ops::{Add, Mul, Neg, Sub};

use septic_chips::sink::{ConstraintSink, Label};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{KoalaBear, Septic};

/// value + derivative·ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dual {
    pub(crate) value: KoalaBear,
    pub(crate) derivative: KoalaBear,
}

impl Dual {
    pub(crate) fn constant(value: KoalaBear) -> Self {
        Self { value, derivative: KoalaBear::ZERO }
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, derivative: self.derivative + other.derivative }
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, derivative: self.derivative - other.derivative }
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let derivative = self.value * other.derivative + self.derivative * other.value;
        Self { value: self.value * other.value, derivative }
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, derivative: -self.derivative }
    }
}

/// Keeps every equation, in the order in which the chip asserts them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector(pub(crate) Vec<(Label, Dual)>);

impl ConstraintSink for Collector {
    type Expr = Dual;

    fn constant(&self, c: u32) -> Dual {
        Dual::constant(KoalaBear::from_u32(c))
    }

    fn assert_zero(&mut self, label: Label, x: Dual) {
        self.0.push((label, x));
    }

    fn assert_septic(&mut self, label: Label, x: Septic<Dual>) {
        self.0.extend(x.0.map(|x| (label, x)));
    }
}
