//! The traits of the `signature` crate, with the SHA-256 challenge. Errors are opaque there.

use signature::{Error, Keypair, SignatureEncoding, Signer, Verifier};

use super::{SIGNATURE_BYTES, Signature, SigningKey, VerifyingKey};

impl SignatureEncoding for Signature {
    type Repr = [u8; SIGNATURE_BYTES];

    fn to_bytes(&self) -> Self::Repr {
        self.to_bytes()
    }
}

impl Signer<Signature> for SigningKey {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, Error> {
        Ok(self.sign(message))
    }
}

/// [`SigningKey::sign_hedged`] with 32 bytes of the source.
#[cfg(feature = "rand_core")]
impl signature::RandomizedSigner<Signature> for SigningKey {
    fn try_sign_with_rng<R: rand_core::TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        let mut randomness = zeroize::Zeroizing::new([0; 32]);
        rng.try_fill_bytes(randomness.as_mut_slice()).map_err(|_| Error::new())?;
        Ok(self.sign_hedged(message, &randomness))
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        self.verifying_key()
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify(message, signature).map_err(|_| Error::new())
    }
}
