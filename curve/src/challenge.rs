//! The hash functions that a Schnorr challenge can come from.

use alloc::boxed::Box;

use crypto_bigint::U256;
use once_cell::race::OnceBox;
use p3_field::{PrimeCharacteristicRing, PrimeField32};
use p3_koala_bear::{KoalaBear, Poseidon2KoalaBear, default_koalabear_poseidon2_16};
use p3_symmetric::Permutation;
use sha2::{Digest, Sha256};

use crate::encoding::coordinate_bytes;
use crate::{AffinePoint, DEGREE, Scalar};

/// Which function makes the challenge of a signature. Signatures under one are not valid under the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChallengeHash {
    /// SHA-256(R.x ‖ A.x ‖ SHA-256(message)), read big-endian, modulo r; coordinates as seven 32-bit little-endian
    /// canonical coefficients, low degree first.
    #[default]
    Sha256,
    /// A sponge over KoalaBear, cheap in a circuit: Poseidon2 of width 16 with Plonky3's default constants, rate 8.
    ///
    /// Input: R.x, R.y, A.x, A.y (28 elements) and the sixteen 16-bit little-endian limbs of SHA-256(message), added
    /// to the rate in blocks of 8, the last one filled with zeros. The capacity starts as the text
    /// `septic schnorr v1`, three bytes an element, little-endian. Output: the first seven elements of the state,
    /// read as an integer in base p, modulo r. Since |p⁷ − r| < 2¹¹⁰, this is uniform up to 2⁻¹⁰⁶.
    Poseidon2,
}

/// Number of elements that one call of the permutation absorbs.
const RATE: usize = 8;

/// Width of the permutation.
const WIDTH: usize = 16;

/// What the capacity of the Poseidon2 sponge starts from.
const DOMAIN: &[u8] = b"septic schnorr v1";

impl ChallengeHash {
    /// The challenge e of a signature with commitment `r` of `message` under the public key `a`.
    #[must_use]
    pub fn challenge(self, r: &AffinePoint, a: &AffinePoint, message: &[u8]) -> Scalar {
        let message = Sha256::digest(message).into();
        match self {
            Self::Sha256 => sha256(r, a, &message),
            Self::Poseidon2 => poseidon2(r, a, &message),
        }
    }

    /// A byte that tells the hash functions apart where nonces are derived: one nonce must not serve two challenges.
    pub(crate) const fn tag(self) -> u8 {
        match self {
            Self::Sha256 => 0,
            Self::Poseidon2 => 1,
        }
    }
}

fn sha256(r: &AffinePoint, a: &AffinePoint, message: &[u8; 32]) -> Scalar {
    let digest = Sha256::new()
        .chain_update(coordinate_bytes(&r.x()))
        .chain_update(coordinate_bytes(&a.x()))
        .chain_update(message)
        .finalize();
    Scalar::reduce(&U256::from_be_slice(&digest))
}

fn poseidon2(r: &AffinePoint, a: &AffinePoint, message: &[u8; 32]) -> Scalar {
    /// Made once: its constants are on the heap.
    static PERMUTATION: OnceBox<Poseidon2KoalaBear<WIDTH>> = OnceBox::new();
    let permutation = PERMUTATION.get_or_init(|| Box::new(default_koalabear_poseidon2_16()));
    let little_endian = |bytes: &[u8]| {
        KoalaBear::new(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
    };

    let mut state = [KoalaBear::ZERO; WIDTH];
    for (element, bytes) in state[RATE..].iter_mut().zip(DOMAIN.chunks(3)) {
        *element = little_endian(bytes);
    }
    let coordinates = [r.x(), r.y(), a.x(), a.y()];
    let mut input =
        coordinates.iter().flat_map(|x| x.0).chain(message.chunks(2).map(little_endian)).peekable();
    while input.peek().is_some() {
        for (element, absorbed) in state[..RATE].iter_mut().zip(&mut input) {
            *element += absorbed;
        }
        permutation.permute_mut(&mut state);
    }

    let p = Scalar::from(u64::from(KoalaBear::ORDER_U32));
    let digits = state[..DEGREE].iter().rev();
    digits.fold(Scalar::ZERO, |value, digit| value * p + Scalar::from(u64::from(digit.as_canonical_u32())))
}
