//! Keys and signatures as bytes: one encoding each, and nothing else is read.
//!
//! | value | bytes |
//! | --- | --- |
//! | [`SigningKey`] | 32, most significant first |
//! | [`VerifyingKey`] | 29, a compressed point; 57, an uncompressed one, is read too |
//! | [`Signature`] | 61: R compressed (29), s most significant first (32) |
//!
//! Points as in [`crate::encoding`], the identity refused.

use crypto_bigint::U256;

use super::{Signature, VerifyingKey};
#[cfg(doc)]
use super::{SignatureError, SigningKey};
use crate::encoding::{COMPRESSED_BYTES, DecodingError};
use crate::params::ORDER;
use crate::{AffinePoint, Point};

/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = COMPRESSED_BYTES + 32;

/// Why bytes are not a key or a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BytesError {
    /// A signature of another length.
    #[error("a signature has 61 bytes, not {0}")]
    Length(usize),
    /// The public key or R is no point.
    #[error("the public key or R: {0}")]
    Point(#[from] DecodingError),
    /// The public key or R is the identity.
    #[error("the identity is no public key and no part of a signature")]
    Identity,
    /// s ≥ r.
    #[error("s is not below the order of the curve")]
    ScalarNotReduced,
}

/// The point that these bytes are an encoding of.
fn affine(bytes: &[u8]) -> Result<AffinePoint, BytesError> {
    Point::decode(bytes)?.to_affine().ok_or(BytesError::Identity)
}

impl VerifyingKey {
    /// The compressed form: 29 bytes.
    ///
    /// ```
    /// use septic_curve::Scalar;
    /// use septic_curve::schnorr::{BytesError, SigningKey, VerifyingKey};
    ///
    /// let key = SigningKey::from_scalar(Scalar::from(42))?.verifying_key();
    /// assert_eq!(VerifyingKey::from_bytes(&key.to_bytes())?, key);
    /// assert_eq!(VerifyingKey::from_bytes(&[0; 29]), Err(BytesError::Identity));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> [u8; COMPRESSED_BYTES] {
        self.0.to_compressed()
    }

    /// The key of 29 bytes (compressed) or 57 (uncompressed). Variable time.
    ///
    /// # Errors
    /// [`BytesError::Point`], [`BytesError::Identity`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        affine(bytes).map(Self)
    }
}

impl Signature {
    /// R compressed, then s, most significant byte first. What [`SignatureError::ScalarNotReduced`] refuses, an s that is not
    /// below r, has bytes too, which [`Self::from_bytes`] refuses.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; SIGNATURE_BYTES] {
        let mut out = [0; SIGNATURE_BYTES];
        let (r, s) = out.split_at_mut(COMPRESSED_BYTES);
        r.copy_from_slice(&self.r.to_compressed());
        s.copy_from_slice(self.s.to_uint().to_be_bytes().as_ref());
        out
    }

    /// The signature of 61 bytes. Variable time.
    ///
    /// ```
    /// use septic_curve::Scalar;
    /// use septic_curve::schnorr::{BytesError, Signature, SigningKey};
    ///
    /// let signature = SigningKey::from_scalar(Scalar::from(42))?.sign(b"SELL 3 ETH");
    /// let mut bytes = signature.to_bytes();
    /// assert_eq!(Signature::from_bytes(&bytes)?, signature);
    /// bytes[29..].fill(0xff);
    /// assert_eq!(Signature::from_bytes(&bytes), Err(BytesError::ScalarNotReduced));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        let bytes: &[u8; SIGNATURE_BYTES] = bytes.try_into().map_err(|_| BytesError::Length(bytes.len()))?;
        let (r, s) = bytes.split_at(COMPRESSED_BYTES);
        let s = U256::from_be_slice(s);
        if s >= ORDER {
            return Err(BytesError::ScalarNotReduced);
        }
        Ok(Self { r: affine(r)?, s: s.into() })
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = BytesError;

    fn try_from(bytes: &[u8]) -> Result<Self, BytesError> {
        Self::from_bytes(bytes)
    }
}

impl TryFrom<&[u8]> for Signature {
    type Error = BytesError;

    fn try_from(bytes: &[u8]) -> Result<Self, BytesError> {
        Self::from_bytes(bytes)
    }
}

impl From<VerifyingKey> for [u8; COMPRESSED_BYTES] {
    fn from(key: VerifyingKey) -> Self {
        key.to_bytes()
    }
}

impl From<Signature> for [u8; SIGNATURE_BYTES] {
    fn from(signature: Signature) -> Self {
        signature.to_bytes()
    }
}
