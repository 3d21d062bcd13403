//! Signatures.

use septic_curve::schnorr::{ChallengeHash, Signature, SignatureError, VerifyingKey};

use crate::{Backend, Platform, SepticPoint};

/// Checks a signature of a message with one operation s·G + e·A of the platform. The same signatures are valid as for
/// [`VerifyingKey::verify_with`].
///
/// # Errors
/// [`SignatureError`].
pub fn verify(
    hash: ChallengeHash,
    key: &VerifyingKey,
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError> {
    verify_with::<Platform>(hash, key, message, signature)
}

/// [`verify`] with another backend.
///
/// # Errors
/// [`SignatureError`].
pub fn verify_with<B: Backend>(
    hash: ChallengeHash,
    key: &VerifyingKey,
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError> {
    let (s, e) = key.statement_with(hash, message, signature)?;
    let point = SepticPoint::<B>::mul_add(&s, &e, &key.0.into());
    if point == signature.r.into() { Ok(()) } else { Err(SignatureError::Mismatch) }
}
