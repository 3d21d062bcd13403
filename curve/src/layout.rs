//! Memory layouts of points, scalars and the buffer of VERIFY, in 64-bit words.
//!
//! | value | words | content |
//! | --- | --- | --- |
//! | point | 7 | the 14 limbs x₀, …, x₆, y₀, …, y₆, two per word, the first one in the low half; the identity is all zeros |
//! | scalar | 4 | the 8 limbs of a [`Scalar256`], low limb first, two per word, the first one in the low half |
//! | VERIFY buffer | 15 | A (7 words), s (4 words), e (4 words) |
//!
//! Words are numbers; in memory they are little-endian. Decoding is strict: each point has one encoding only.

use crate::{DEGREE, Point, PointError, Scalar256};

/// Number of 64-bit words of a point.
pub const POINT_WORDS: usize = 7;

/// Number of 64-bit words of a scalar.
pub const SCALAR_WORDS: usize = 4;

/// Number of 64-bit words of the buffer [A, s, e] of VERIFY.
pub const VERIFY_WORDS: usize = POINT_WORDS + 2 * SCALAR_WORDS;

/// The inputs of s·G + e·A as they stand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VerifyInput {
    /// The point A.
    pub a: Point,
    /// The multiplier of the generator.
    pub s: Scalar256,
    /// The multiplier of A.
    pub e: Scalar256,
}

/// The two halves of a word, the low one first.
const fn halves(word: u64) -> [u32; 2] {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = word.to_le_bytes();
    [u32::from_le_bytes([b0, b1, b2, b3]), u32::from_le_bytes([b4, b5, b6, b7])]
}

/// The word with these halves, the low one first.
fn word([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The words of a point.
#[must_use]
pub fn encode_point(point: &Point) -> [u64; POINT_WORDS] {
    let (x, y) = point.to_canonical().unwrap_or_default();
    let limb = |i: usize| if i < DEGREE { x[i] } else { y[i - DEGREE] };
    core::array::from_fn(|i| word([limb(2 * i), limb(2 * i + 1)]))
}

/// The point with these words.
///
/// # Errors
/// [`PointError::Limb`] for a limb that is not below p, [`PointError::NotOnCurve`] for words that are neither all
/// zero nor a point of the curve.
pub fn decode_point(words: &[u64; POINT_WORDS]) -> Result<Point, PointError> {
    if words.iter().all(|&word| word == 0) {
        return Ok(Point::Identity);
    }
    let limb = |i: usize| halves(words[i / 2])[i % 2];
    let x = core::array::from_fn(limb);
    let y = core::array::from_fn(|i| limb(DEGREE + i));
    Point::from_canonical(Some((x, y)))
}

/// The words of a scalar.
#[must_use]
pub fn encode_scalar(scalar: &Scalar256) -> [u64; SCALAR_WORDS] {
    let limbs = scalar.to_le_limbs();
    core::array::from_fn(|i| word([limbs[2 * i], limbs[2 * i + 1]]))
}

/// The scalar with these words; all words are scalars.
#[must_use]
pub fn decode_scalar(words: &[u64; SCALAR_WORDS]) -> Scalar256 {
    Scalar256::from_le_limbs(core::array::from_fn(|i| halves(words[i / 2])[i % 2]))
}

/// The words of the buffer [A, s, e].
#[must_use]
pub fn encode_verify(input: &VerifyInput) -> [u64; VERIFY_WORDS] {
    let mut out = [0; VERIFY_WORDS];
    let (a, scalars) = out.split_at_mut(POINT_WORDS);
    let (s, e) = scalars.split_at_mut(SCALAR_WORDS);
    a.copy_from_slice(&encode_point(&input.a));
    s.copy_from_slice(&encode_scalar(&input.s));
    e.copy_from_slice(&encode_scalar(&input.e));
    out
}

/// The inputs in the buffer [A, s, e].
///
/// # Errors
/// As [`decode_point`], about A.
pub fn decode_verify(words: &[u64; VERIFY_WORDS]) -> Result<VerifyInput, PointError> {
    let scalar = |from: usize| decode_scalar(&core::array::from_fn(|i| words[from + i]));
    Ok(VerifyInput {
        a: decode_point(&core::array::from_fn(|i| words[i]))?,
        s: scalar(POINT_WORDS),
        e: scalar(POINT_WORDS + SCALAR_WORDS),
    })
}
