//! Integers modulo r, the order of the curve.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crypto_bigint::modular::ConstMontyForm;
use crypto_bigint::{U256, U512};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::DefaultIsZeroes;

use crate::Scalar256;
use crate::params::ORDER;

/// The modulus, in a module of its own because the macro makes a public type.
mod modulus {
    crypto_bigint::const_monty_params!(
        Order,
        crypto_bigint::U256,
        "0000000001e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7",
        "The order r of the curve, a prime of 217 bits."
    );
}

type Residue = ConstMontyForm<modulus::Order, { U256::LIMBS }>;

/// An integer modulo the order r of the curve: a discrete logarithm.
///
/// Made for secrets: arithmetic takes the same time for every value (functions ending in `_vartime` excepted),
/// `Debug` does not print the value, and it can be zeroized. Being `Copy` it must be zeroized in each place it was
/// copied to.
///
/// ```
/// use septic_curve::Scalar;
///
/// let a = Scalar::from(1 << 40);
/// let b = a.invert().expect("not zero");
/// assert_eq!(a * b, Scalar::ONE);
/// assert_eq!(a.square().try_sqrt(), Some(a));
/// assert_eq!(Scalar::from_bytes(&a.to_bytes()), Some(a));
///
/// // One encoding a number: r − 1 is the last that decodes.
/// let mut bytes = (-Scalar::ONE).to_bytes();
/// bytes[31] += 1;
/// assert_eq!(Scalar::from_bytes(&bytes), None);
///
/// let mut many = [a, b, Scalar::ZERO];
/// Scalar::batch_invert(&mut many);
/// assert_eq!(many, [b, a, Scalar::ZERO]);
/// assert_eq!(format!("{a:?}"), "Scalar(..)", "it may be a secret");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Scalar(Residue);

impl Scalar {
    /// 0.
    pub const ZERO: Self = Self(Residue::ZERO);

    /// 1.
    pub const ONE: Self = Self(Residue::ONE);

    /// The scalar with this representative, or `None` if it is not below r.
    #[must_use]
    pub fn from_canonical(value: U256) -> Option<Self> {
        (value < ORDER).then(|| Self::reduce(&value))
    }

    /// value mod r.
    #[must_use]
    pub const fn reduce(value: &U256) -> Self {
        Self(Residue::new(value))
    }

    /// The 512-bit integer `value` mod r, for uniform scalars from 64 uniform bytes.
    #[must_use]
    pub fn reduce_wide(value: &U512) -> Self {
        /// 2²⁵⁶ mod r = (2²⁵⁶ − 1) + 1.
        const SHIFT: Scalar = Scalar(Residue::add(&Residue::new(&U256::MAX), &Residue::ONE));
        let (low, high) = value.split();
        Self::reduce(&low) + Self::reduce(&high) * SHIFT
    }

    /// The scalar whose 32 bytes, most significant first, these are; `None` if they are not those of a number below r.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        Self::from_canonical(U256::from_be_slice(bytes))
    }

    /// The representative's 32 bytes, most significant first.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.to_uint().to_be_bytes().as_ref());
        bytes
    }

    /// The scalar with these 32-bit limbs, low limb first; `None` if they are not those of a number below r.
    #[must_use]
    pub fn from_le_limbs(limbs: [u32; 8]) -> Option<Self> {
        Self::from_canonical(Scalar256::from_le_limbs(limbs).to_uint())
    }

    /// The representative's 32-bit limbs, low limb first.
    #[must_use]
    pub fn to_le_limbs(&self) -> [u32; 8] {
        Scalar256::from(*self).to_le_limbs()
    }

    /// The representative in [0, r).
    #[must_use]
    pub const fn to_uint(&self) -> U256 {
        self.0.retrieve()
    }

    /// Whether this is 0, as a secret.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        self.ct_eq(&Self::ZERO)
    }

    /// self².
    #[must_use]
    pub const fn square(&self) -> Self {
        Self(self.0.square())
    }

    /// 1/self, or `None` at 0. Constant time but for the case of 0.
    #[must_use]
    pub fn invert(&self) -> Option<Self> {
        Option::from(self.0.invert()).map(Self)
    }

    /// 1/self, or `None` at 0, in constant time: also whether there is an inverse is a secret.
    #[must_use]
    pub fn invert_ct(&self) -> CtOption<Self> {
        let inverse = self.0.invert();
        let is_unit = !self.is_zero();
        let inverse = Option::<Residue>::from(inverse).unwrap_or(Residue::ZERO);
        CtOption::new(Self(inverse), is_unit)
    }

    /// 1/self, or `None` at 0. Variable time: for numbers that are public.
    #[must_use]
    pub fn invert_vartime(&self) -> Option<Self> {
        Option::from(self.0.invert_vartime()).map(Self)
    }

    /// self^exponent, in time that depends on the exponent and not on self. 0⁰ = 1.
    ///
    /// Windows of four bits: as many squares as the exponent has bits, a product for every four of them and 14 before.
    #[must_use]
    pub const fn pow_vartime(&self, exponent: &U256) -> Self {
        /// Bits of a window; one divides those of a word.
        const WINDOW: u32 = 4;
        let mut powers = [Self::ONE; 1 << WINDOW];
        let mut i = 1;
        while i < powers.len() {
            powers[i] = Self(Residue::mul(&powers[i - 1].0, &self.0));
            i += 1;
        }
        let mut out = Self::ONE;
        let mut window = exponent.bit_width_vartime().div_ceil(WINDOW);
        while window > 0 {
            window -= 1;
            let mut square = 0;
            while square < WINDOW {
                out = out.square();
                square += 1;
            }
            let bits = exponent.shr_vartime(WINDOW * window).as_words()[0] % (1 << WINDOW);
            if bits != 0 {
                out = Self(Residue::mul(&out.0, &powers[bits as usize].0));
            }
        }
        out
    }

    /// 2·self.
    #[must_use]
    pub fn double(&self) -> Self {
        *self + *self
    }

    /// self^exponent, in the same time for every base and exponent. 0⁰ = 1.
    #[must_use]
    pub const fn pow(&self, exponent: &U256) -> Self {
        Self(self.0.pow(exponent))
    }

    /// A square root, or `None` where there is none. Of the two roots w and r − w it returns the one that is itself
    /// a square. Constant time but for whether there is a root.
    #[must_use]
    pub fn try_sqrt(&self) -> Option<Self> {
        let root = self.root_of_square();
        (root.square() == *self).then_some(root)
    }

    /// A root if self is a square: self^((r + 1)/4), since r ≡ 3 modulo 4.
    pub(crate) const fn root_of_square(&self) -> Self {
        const EXPONENT: U256 = ORDER.shr_vartime(2).wrapping_add(&U256::ONE);
        self.pow_vartime(&EXPONENT)
    }

    /// Replaces every scalar by its inverse; zeros stay zero. One inversion and three products a value.
    ///
    /// Constant time but for which values are zero. The buffer of partial products is zeroized.
    pub fn batch_invert(values: &mut [Self]) {
        let mut product = Self::ONE;
        let mut before = zeroize::Zeroizing::new(Vec::with_capacity(values.len()));
        for value in values.iter() {
            before.push(product);
            product *= Self::conditional_select(value, &Self::ONE, value.is_zero());
        }
        // A product of units is a unit.
        let mut inverse = product.invert().unwrap_or(Self::ZERO);
        for (value, before) in values.iter_mut().zip(before.iter()).rev() {
            let zero = value.is_zero();
            let factor = Self::conditional_select(value, &Self::ONE, zero);
            *value = Self::conditional_select(&(inverse * *before), &Self::ZERO, zero);
            inverse *= factor;
        }
    }
}

impl fmt::Debug for Scalar {
    /// A placeholder: a scalar may be a secret. [`Scalar256`] prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar(..)")
    }
}

impl fmt::Display for Scalar {
    /// As `Debug`: a scalar may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl From<u64> for Scalar {
    fn from(value: u64) -> Self {
        Self::reduce(&U256::from(value))
    }
}

impl From<Scalar256> for Scalar {
    /// value mod r.
    fn from(value: Scalar256) -> Self {
        Self::reduce(&value.to_uint())
    }
}

impl ConstantTimeEq for Scalar {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl ConditionallySelectable for Scalar {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(Residue::conditional_select(&a.0, &b.0, choice))
    }
}

impl DefaultIsZeroes for Scalar {}

impl Add for Scalar {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Self(self.0 + rhs.0)
    }
}

impl Sub for Scalar {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        Self(self.0 - rhs.0)
    }
}

impl Mul for Scalar {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        Self(self.0 * rhs.0)
    }
}

impl Neg for Scalar {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Scalar {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl SubAssign for Scalar {
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}

impl MulAssign for Scalar {
    fn mul_assign(&mut self, rhs: Self) {
        *self = *self * rhs;
    }
}
