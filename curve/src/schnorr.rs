//! Schnorr signatures over E.
//!
//! A signature of a message by the secret a, A = a·G, is a pair (R, s) with R = k·G, e = challenge(R, A, message)
//! and s = k − e·a mod r. It is valid if s·G + e·A = R. The challenge is SHA-256 by default; the functions ending in
//! `_with` take another [`ChallengeHash`]. [`VerifyingKey::verify`] checks one signature with half-size multipliers (109
//! doublings); [`verify_batch`] checks many at once.
//!
//! # Security notes
//!
//! - The SHA-256 challenge binds only the x of R and A, so whoever sees a valid (R, s) under A has the valid signature
//!   (−R, r − s) of the same message under −A. Treat A and −A as one identity where that matters. The Poseidon2
//!   challenge binds the whole points.
//! - s is unique: a verifier accepts s < r only.
//! - Nonces are derived from the secret, the message and (for [`SigningKey::sign_hedged`]) extra randomness; two
//!   messages or two challenge functions share no nonce. [`SigningKey::sign_with_nonce`] is for test vectors. The inputs are
//!   those of RFC 6979: the secret, the hash of the message and optionally more (its section 3.6). The function is RFC 8032's:
//!   one SHA-512 over them, reduced modulo r, whose bias is below 2⁻²⁹⁵. RFC 6979's HMAC_DRBG draws numbers of the length
//!   of r until one is below it, with a loop that this does not need.
//! - Signing and key generation run in constant time in the secrets (see [`crate::multiply::mul_constant_time`]);
//!   keys and nonces are erased from memory after use, temporaries on the stack are not. Verification is in variable
//!   time: everything about it is public.

use core::fmt;

use crypto_bigint::{U256, U512};
use sha2::{Digest, Sha256, Sha512};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::multiply::mul_generator_constant_time;
use crate::params::ORDER;
use crate::straus::is_relation;
use crate::{AffinePoint, Point, Scalar, Scalar256};

pub use crate::challenge::ChallengeHash;
pub use batch::{BatchError, verify_batch, verify_batch_with};
pub use bytes::{BytesError, SIGNATURE_BYTES};

pub mod batch;
mod bytes;
#[cfg(feature = "signature")]
mod signature_traits;

/// Separates the hash that derives nonces from every other use of a secret.
const NONCE_DOMAIN: &[u8] = b"septic-curve schnorr nonce v1";

/// Why a signature is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// s ≥ r: another encoding of a valid signature must not be valid too.
    #[error("s is not below the order of the curve")]
    ScalarNotReduced,
    /// The public key or R was made without a check and is not on the curve.
    #[error("the public key or R is not on the curve")]
    NotOnCurve,
    /// s·G + e·A ≠ R.
    #[error("the signature does not belong to this message and key")]
    Mismatch,
}

/// Why a number is not a secret key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretKeyError {
    /// 0 has no public key: 0·G is the identity.
    #[error("a secret key is not zero")]
    Zero,
    /// The number is not below r.
    #[error("a secret key is below the order of the curve")]
    NotReduced,
}

/// A signature: the point R and the number s. Both are public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signature {
    /// The commitment R = k·G.
    #[cfg_attr(feature = "serde", serde(rename = "R"))]
    pub r: AffinePoint,
    /// s = k − e·a mod r. A number not below r makes the signature invalid.
    pub s: Scalar256,
}

/// A public key: a point other than the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct VerifyingKey(pub AffinePoint);

/// A secret key: a number in [1, r). Erased when dropped, never printed.
#[derive(Clone, ZeroizeOnDrop)]
pub struct SigningKey {
    secret: Scalar,
    #[zeroize(skip)]
    public: VerifyingKey,
}

/// The SHA-256 challenge e of a signature with commitment `r` of `message` under the public key `a`.
#[must_use]
pub fn challenge(r: &AffinePoint, a: &AffinePoint, message: &[u8]) -> Scalar {
    ChallengeHash::Sha256.challenge(r, a, message)
}

impl SigningKey {
    /// The key with this secret.
    ///
    /// # Errors
    /// [`SecretKeyError::Zero`].
    pub fn from_scalar(secret: Scalar) -> Result<Self, SecretKeyError> {
        // Only zero times the generator is the identity.
        match mul_generator_constant_time(&secret).to_point() {
            Point::Identity => Err(SecretKeyError::Zero),
            Point::Affine(public) => Ok(Self { secret, public: VerifyingKey(public) }),
        }
    }

    /// The key whose secret is these 32 bytes, most significant first.
    ///
    /// # Errors
    /// [`SecretKeyError::NotReduced`], [`SecretKeyError::Zero`].
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, SecretKeyError> {
        let number = Zeroizing::new(U256::from_be_slice(bytes));
        let secret = Zeroizing::new(Scalar::from_canonical(*number).ok_or(SecretKeyError::NotReduced)?);
        Self::from_scalar(*secret)
    }

    /// A new key from 64 uniformly random bytes.
    ///
    /// # Errors
    /// [`SecretKeyError::Zero`], with probability 1/r.
    pub fn from_uniform_bytes(bytes: &[u8; 64]) -> Result<Self, SecretKeyError> {
        let number = Zeroizing::new(U512::from_be_slice(bytes));
        let secret = Zeroizing::new(Scalar::reduce_wide(&number));
        Self::from_scalar(*secret)
    }

    /// A new key from random numbers, for example the operating system's. This crate draws none by itself.
    ///
    /// # Errors
    /// What the source of random numbers says.
    #[cfg(feature = "rand_core")]
    pub fn random<R: rand_core::TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = Zeroizing::new([0; 64]);
        loop {
            rng.try_fill_bytes(bytes.as_mut_slice())?;
            if let Ok(key) = Self::from_uniform_bytes(&bytes) {
                return Ok(key);
            }
        }
    }

    /// The secret's 32 bytes, most significant first, for storing it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        let mut number = self.secret.to_uint();
        let mut bytes = Zeroizing::new([0; 32]);
        bytes.copy_from_slice(number.to_be_bytes().as_ref());
        number.zeroize();
        bytes
    }

    /// The public key A = a·G.
    #[must_use]
    pub const fn verifying_key(&self) -> VerifyingKey {
        self.public
    }

    /// Signs a message; the same message has the same signature each time.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.sign_with(ChallengeHash::Sha256, message, None)
    }

    /// Signs a message with a nonce that also depends on 32 random bytes, which protects against fault attacks.
    ///
    /// Randomness of low quality does no harm: it never makes the signature weaker than [`Self::sign`].
    #[must_use]
    pub fn sign_hedged(&self, message: &[u8], randomness: &[u8; 32]) -> Signature {
        self.sign_with(ChallengeHash::Sha256, message, Some(randomness))
    }

    /// [`Self::sign`] or, given randomness, [`Self::sign_hedged`], with a challenge function of choice.
    #[must_use]
    pub fn sign_with(&self, hash: ChallengeHash, message: &[u8], randomness: Option<&[u8; 32]>) -> Signature {
        let mut counter = 0;
        loop {
            let nonce = self.nonce(hash, message, randomness, counter);
            if let Some(signature) = self.sign_with_nonce_and(hash, message, &nonce) {
                return signature;
            }
            counter += 1;
        }
    }

    /// SHA-512(domain ‖ challenge function ‖ secret ‖ SHA-256(message) ‖ hedged? ‖ randomness ‖ counter), read
    /// big-endian, modulo r.
    ///
    /// Every part but the optional randomness has a fixed length, and the byte before it says whether it is there.
    fn nonce(
        &self,
        hash: ChallengeHash,
        message: &[u8],
        randomness: Option<&[u8; 32]>,
        counter: u32,
    ) -> Zeroizing<Scalar> {
        let mut state = Sha512::new()
            .chain_update(NONCE_DOMAIN)
            .chain_update([hash.tag()])
            .chain_update(*self.to_bytes())
            .chain_update(Sha256::digest(message))
            .chain_update([u8::from(randomness.is_some())]);
        if let Some(randomness) = randomness {
            state.update(randomness);
        }
        let mut digest = Zeroizing::new([0_u8; 64]);
        digest.copy_from_slice(&state.chain_update(counter.to_be_bytes()).finalize());
        let wide = Zeroizing::new(U512::from_be_slice(digest.as_slice()));
        Zeroizing::new(Scalar::reduce_wide(&wide))
    }

    /// Signs a message with a given nonce, or `None` if the nonce is zero. For test vectors.
    ///
    /// Hazard: two signatures with one nonce, or one with a nonce that another party can guess, reveal the secret.
    #[must_use]
    pub fn sign_with_nonce(&self, message: &[u8], nonce: &Scalar) -> Option<Signature> {
        self.sign_with_nonce_and(ChallengeHash::Sha256, message, nonce)
    }

    fn sign_with_nonce_and(&self, hash: ChallengeHash, message: &[u8], nonce: &Scalar) -> Option<Signature> {
        let r = mul_generator_constant_time(nonce).to_point().to_affine()?;
        let e = hash.challenge(&r, &self.public.0, message);
        let s = *nonce - e * self.secret;
        Some(Signature { r, s: s.into() })
    }
}

impl ConstantTimeEq for SigningKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.secret.ct_eq(&other.secret)
    }
}

impl PartialEq for SigningKey {
    /// In constant time.
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for SigningKey {}

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.public
    }
}

impl fmt::Debug for SigningKey {
    /// The public key; the secret is not printed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl VerifyingKey {
    /// Checks a signature of a message. Variable time. For many signatures there is [`verify_batch`].
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verify_with(ChallengeHash::Sha256, message, signature)
    }

    /// [`Self::verify`] with a challenge function of choice.
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn verify_with(
        &self,
        hash: ChallengeHash,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let (s, e) = self.statement_with(hash, message, signature)?;
        if is_relation(&s.into(), &e.into(), &self.0, &signature.r) {
            Ok(())
        } else {
            Err(SignatureError::Mismatch)
        }
    }

    /// The numbers (s, e) for which a valid signature satisfies s·G + e·A = R, both below r: what remains to be
    /// checked (or proved) is that equation.
    ///
    /// # Errors
    /// [`SignatureError::ScalarNotReduced`], [`SignatureError::NotOnCurve`].
    pub fn statement(
        &self,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(Scalar256, Scalar256), SignatureError> {
        self.statement_with(ChallengeHash::Sha256, message, signature)
    }

    /// [`Self::statement`] with a challenge function of choice.
    ///
    /// # Errors
    /// As [`Self::statement`].
    pub fn statement_with(
        &self,
        hash: ChallengeHash,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(Scalar256, Scalar256), SignatureError> {
        if signature.s.to_uint() >= ORDER {
            return Err(SignatureError::ScalarNotReduced);
        }
        if !self.0.is_on_curve() || !signature.r.is_on_curve() {
            return Err(SignatureError::NotOnCurve);
        }
        Ok((signature.s, hash.challenge(&signature.r, &self.0, message).into()))
    }
}

impl From<&SigningKey> for VerifyingKey {
    fn from(key: &SigningKey) -> Self {
        key.verifying_key()
    }
}
