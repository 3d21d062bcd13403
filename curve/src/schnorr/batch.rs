//! Checking many signatures at once.
//!
//! All n equations s·G + e·A = R are one:
//!
//! > (Σ zᵢ·sᵢ)·G + Σ (zᵢ·eᵢ)·Aᵢ − Σ zᵢ·Rᵢ = 𝒪  with coefficients −2¹²⁷ ≤ zᵢ < 2¹²⁷
//!
//! (Naccache, M'Raïhi, Vaudenay and Raphaeli, EUROCRYPT 1994; Bellare, Garay and Rabin, EUROCRYPT 1998.) Valid
//! signatures always pass, and since a failing sum is searched by halves down to single checks, what is reported is
//! exactly the invalid ones. If a signature is invalid, at most one value of its coefficient in 2¹²⁸ hides that, the
//! order of the group being a prime above 2²¹⁶. The coefficients are a SHA-256 hash of all keys, signatures and
//! challenges, so the check needs no randomness, answers the same each time, and whoever wants to get an invalid
//! signature through must try about 2¹²⁸ batches.
//!
//! # Cost
//!
//! In products of K for each of n = 2,000 signatures (windows of 8 or, with few keys, 7 bits):
//!
//! | way | products |
//! | --- | --- |
//! | single check with half-size scalars | 109 doublings of 8, 60 additions of 11, tables: about 1,700, one at a time |
//! | s·G + e·A − R in a packed lane each | 220 doublings of 11, 110 additions of 12: about 3,900, in lanes |
//! | the sum above, keys all different | 42 affine additions of 6, ends of 44 windows: about 300, in lanes |
//! | the sum above, 200 keys | 22 affine additions of 6, ends of 51 windows: about 160, in lanes |

use alloc::vec::Vec;

use crypto_bigint::U256;
use sha2::{Digest, Sha256};

use super::{ChallengeHash, Signature, SignatureError, VerifyingKey};
use crate::buckets::{Product, sum_of_products};
use crate::params::{GENERATOR, ORDER_BITS};
use crate::straus::is_relation;
use crate::{AffinePoint, DEGREE, Scalar, Scalar256};

/// Separates the hash that makes coefficients from every other.
const DOMAIN: &[u8] = b"septic-curve schnorr batch v1";

/// A coefficient is at most 2^127 in absolute value.
const COEFFICIENT_BITS: usize = 127;

/// Up to this many signatures, single checks take less time than a sum.
const SINGLE: usize = 6;

/// Which signatures of a batch are not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("signature {} of the batch is not valid: {} ({} invalid in all)", .invalid[0].0, .invalid[0].1, .invalid.len())]
pub struct BatchError {
    /// Not empty.
    invalid: Vec<(usize, SignatureError)>,
}

impl BatchError {
    /// The invalid entries of the batch: index, counted from 0, and reason. Ascending, at least one.
    #[must_use]
    pub fn invalid(&self) -> &[(usize, SignatureError)] {
        &self.invalid
    }
}

/// What remains to be checked of an entry: s·G + e·A = R.
struct Equation {
    index: usize,
    s: Scalar,
    e: Scalar,
    a: AffinePoint,
    r: AffinePoint,
    /// Canonical coefficients of A, to find equal keys.
    key: ([u32; DEGREE], [u32; DEGREE]),
    /// z.
    coefficient: i128,
}

/// Checks signatures, each of its message under its key, in much less time than one by one. Variable time.
///
/// The answer is that of [`VerifyingKey::verify`] for every entry, except with a probability below 2⁻¹²⁷ (see
/// the text of [`crate::schnorr::batch`]); an entry that is reported is certainly invalid. Equal keys are cheaper than different ones. No entries are
/// valid.
///
/// # Errors
/// [`BatchError`] names every invalid entry.
///
/// ```
/// use septic_curve::Scalar;
/// use septic_curve::schnorr::{SignatureError, SigningKey, verify_batch};
///
/// let key = SigningKey::from_scalar(Scalar::from(42))?;
/// let sign = |message: &'static str| (key.verifying_key(), message, key.sign(message.as_bytes()));
/// let mut batch = ["one", "two", "three"].map(sign);
/// assert!(verify_batch(&batch).is_ok());
///
/// batch[1].1 = "too";
/// let error = verify_batch(&batch).expect_err("a wrong message");
/// assert_eq!(error.invalid(), [(1, SignatureError::Mismatch)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_batch<M: AsRef<[u8]>>(entries: &[(VerifyingKey, M, Signature)]) -> Result<(), BatchError> {
    verify_batch_with(ChallengeHash::Sha256, entries)
}

/// [`verify_batch`] with a challenge function of choice.
///
/// # Errors
/// As [`verify_batch`].
pub fn verify_batch_with<M: AsRef<[u8]>>(
    hash: ChallengeHash,
    entries: &[(VerifyingKey, M, Signature)],
) -> Result<(), BatchError> {
    let mut invalid = Vec::new();
    let mut equations = Vec::with_capacity(entries.len());
    for (index, (key, message, signature)) in entries.iter().enumerate() {
        match key.statement_with(hash, message.as_ref(), signature) {
            Ok((s, e)) => equations.push(Equation {
                index,
                s: s.into(),
                e: e.into(),
                a: key.0,
                r: signature.r,
                key: key.0.to_canonical(),
                coefficient: 0,
            }),
            Err(error) => invalid.push((index, error)),
        }
    }
    choose_coefficients(&mut equations);
    search(&equations, &mut |index| invalid.push((index, SignatureError::Mismatch)));
    invalid.sort_unstable_by_key(|&(index, _)| index);
    if invalid.is_empty() { Ok(()) } else { Err(BatchError { invalid }) }
}

/// Calls `report` with the index of each equation that does not hold.
fn search(equations: &[Equation], report: &mut impl FnMut(usize)) {
    if equations.len() <= SINGLE {
        for Equation { index, s, e, a, r, .. } in equations {
            if !is_relation(s, e, a, r) {
                report(*index);
            }
        }
    } else if !all_hold(equations) {
        let (left, right) = equations.split_at(equations.len() / 2);
        search(left, report);
        search(right, report);
    }
}

/// Sets the coefficients: two from SHA-256(seed ‖ number) each, the seed being the hash of all equations.
fn choose_coefficients(equations: &mut [Equation]) {
    let coordinate = |limbs: [u32; DEGREE]| {
        let mut bytes = [0; 4 * DEGREE];
        for (chunk, limb) in bytes.chunks_exact_mut(4).zip(limbs) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        bytes
    };
    // Every equation has the same length, so their bytes tell their number too.
    let mut state = Sha256::new_with_prefix(DOMAIN);
    for Equation { s, e, r, key, .. } in &*equations {
        let (x, y) = r.to_canonical();
        for limbs in [key.0, key.1, x, y] {
            state.update(coordinate(limbs));
        }
        for scalar in [s, e] {
            state.update(scalar.to_uint().to_le_bytes());
        }
    }
    let seed = state.finalize();
    for (number, pair) in (0_u64..).zip(equations.chunks_mut(2)) {
        let digest = Sha256::new_with_prefix(seed).chain_update(number.to_le_bytes()).finalize();
        let (halves, _) = digest.as_chunks::<16>();
        for (equation, half) in pair.iter_mut().zip(halves) {
            equation.coefficient = i128::from_le_bytes(*half);
        }
    }
}

/// Whether the sum of the equations with their coefficients is the identity.
fn all_hold(equations: &[Equation]) -> bool {
    let signed = |z: i128| {
        let magnitude = Scalar::from(Scalar256::from(U256::from(z.unsigned_abs())));
        if z < 0 { -magnitude } else { magnitude }
    };
    let full = |scalar: Scalar, point| Product {
        scalar: scalar.into(),
        bits: ORDER_BITS as usize,
        negative: false,
        point,
    };

    let mut products = Vec::with_capacity(2 * equations.len() + 1);
    let mut of_generator = Scalar::ZERO;
    for Equation { s, r, coefficient, .. } in equations {
        of_generator += signed(*coefficient) * *s;
        products.push(Product {
            scalar: U256::from(coefficient.unsigned_abs()).into(),
            bits: COEFFICIENT_BITS,
            negative: *coefficient >= 0,
            point: *r,
        });
    }
    products.push(full(of_generator, GENERATOR));

    // One product for all signatures under the same key.
    let mut order: Vec<&Equation> = equations.iter().collect();
    order.sort_unstable_by_key(|equation| equation.key);
    for group in order.chunk_by(|left, right| left.key == right.key) {
        let sum = group
            .iter()
            .fold(Scalar::ZERO, |sum, Equation { e, coefficient, .. }| sum + signed(*coefficient) * *e);
        products.push(full(sum, group[0].a));
    }
    sum_of_products(&products).is_identity()
}
