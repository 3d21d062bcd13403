//! A multiplier of a point: any integer below 2²⁵⁶.

use alloc::string::String;
use core::fmt;

use crypto_bigint::U256;
use zeroize::DefaultIsZeroes;

use crate::Scalar;

/// Number of 32-bit limbs.
const LIMBS: usize = 8;

/// An integer in [0, 2²⁵⁶), not reduced modulo the order of the curve.
///
/// Shape: eight 32-bit limbs, low limb first. Two values that are equal modulo r are different scalars, although
/// they multiply every point alike. Not for secrets: it prints, compares and multiplies in variable time. ([`Scalar`]
/// is for secrets.)
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Scalar256([u32; LIMBS]);

/// Why a text is not a [`Scalar256`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScalarParseError {
    /// The text does not start with `0x`.
    #[error("a scalar starts with 0x")]
    MissingPrefix,
    /// No digit follows the prefix.
    #[error("a scalar has at least one hexadecimal digit")]
    Empty,
    /// More than 64 characters follow the prefix.
    #[error("a scalar has at most 64 hexadecimal digits, not {digits}")]
    TooLong {
        /// How many.
        digits: usize,
    },
    /// A character after the prefix is not a hexadecimal digit.
    #[error("{found:?} at digit {index} is not a hexadecimal digit")]
    InvalidDigit {
        /// Which character after the prefix, counted from 0.
        index: usize,
        /// The character.
        found: char,
    },
}

impl Scalar256 {
    /// 0.
    pub const ZERO: Self = Self([0; LIMBS]);

    /// 1.
    pub const ONE: Self = Self([1, 0, 0, 0, 0, 0, 0, 0]);

    /// 2²⁵⁶ − 1.
    pub const MAX: Self = Self([u32::MAX; LIMBS]);

    /// Number of bits.
    pub const BITS: usize = 256;

    /// Builds a scalar from 32-bit limbs, low limb first.
    #[must_use]
    pub const fn from_le_limbs(limbs: [u32; LIMBS]) -> Self {
        Self(limbs)
    }

    /// The 32-bit limbs, low limb first.
    #[must_use]
    pub const fn to_le_limbs(&self) -> [u32; LIMBS] {
        self.0
    }

    /// Whether this is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The bit of weight 2^i.
    ///
    /// # Panics
    /// If i ≥ 256.
    #[inline]
    #[must_use]
    pub const fn bit(&self, i: usize) -> bool {
        self.0[i / 32] >> (i % 32) & 1 == 1
    }

    /// The 16-bit limb of weight 2^(16·i).
    ///
    /// # Panics
    /// If i ≥ 16.
    #[inline]
    #[must_use]
    pub const fn limb16(&self, i: usize) -> u16 {
        let [b0, b1, b2, b3] = self.0[i / 2].to_le_bytes();
        u16::from_le_bytes(if i.is_multiple_of(2) { [b0, b1] } else { [b2, b3] })
    }

    /// Parses `0x` and 1 to 64 hexadecimal digits of either case, most significant first.
    ///
    /// # Errors
    /// [`ScalarParseError`] for anything else; signs, spaces and separators included.
    pub fn from_hex(text: &str) -> Result<Self, ScalarParseError> {
        let digits = text.strip_prefix("0x").ok_or(ScalarParseError::MissingPrefix)?;
        let count = digits.chars().count();
        if count == 0 {
            return Err(ScalarParseError::Empty);
        }
        if count > Self::BITS / 4 {
            return Err(ScalarParseError::TooLong { digits: count });
        }
        let mut limbs = [0; LIMBS];
        for (index, found) in digits.chars().enumerate() {
            let digit = found.to_digit(16).ok_or(ScalarParseError::InvalidDigit { index, found })?;
            let place = count - 1 - index;
            limbs[place / 8] |= digit << (4 * (place % 8));
        }
        Ok(Self(limbs))
    }

    /// `0x` and 64 lower-case hexadecimal digits, most significant first.
    #[must_use]
    pub fn to_hex(&self) -> String {
        alloc::format!("{self}")
    }

    /// The integer as a `crypto_bigint` number.
    #[must_use]
    pub fn to_uint(&self) -> U256 {
        let mut bytes = [0; 32];
        for (chunk, limb) in bytes.chunks_exact_mut(4).zip(self.0) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        U256::from_le_slice(&bytes)
    }
}

impl DefaultIsZeroes for Scalar256 {}

impl fmt::Display for Scalar256 {
    /// `0x` and 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().rev().try_for_each(|limb| write!(f, "{limb:08x}"))
    }
}

impl fmt::Debug for Scalar256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::str::FromStr for Scalar256 {
    type Err = ScalarParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_hex(text)
    }
}

impl From<u64> for Scalar256 {
    fn from(value: u64) -> Self {
        Self::from(U256::from(value))
    }
}

impl From<U256> for Scalar256 {
    fn from(value: U256) -> Self {
        let bytes = value.to_le_bytes();
        let (chunks, _) = bytes.as_ref().as_chunks::<4>();
        let mut limbs = [0; LIMBS];
        for (limb, chunk) in limbs.iter_mut().zip(chunks) {
            *limb = u32::from_le_bytes(*chunk);
        }
        Self(limbs)
    }
}

impl From<Scalar> for Scalar256 {
    /// The representative in [0, r).
    fn from(value: Scalar) -> Self {
        Self::from(value.to_uint())
    }
}
