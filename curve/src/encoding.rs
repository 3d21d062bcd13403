//! Points as bytes, strict: every point has one encoding of each length, and nothing else decodes.
//!
//! | form | bytes | first byte | then |
//! | --- | --- | --- | --- |
//! | compressed | 29 | 2, or 3 if y is the negative of the root that [`lift_x`] takes; 0 for the identity | x |
//! | uncompressed | 57 | 4; 0 for the identity | x, y |
//!
//! A coordinate is its seven canonical coefficients, low degree first, 32 bits each, little-endian. The identity is all zeros.
//! The first bytes are those of SEC 1.
//!
//! ```
//! use septic_curve::Point;
//! use septic_curve::encoding::{COMPRESSED_BYTES, DecodingError};
//!
//! let point = Point::GENERATOR.double();
//! let mut bytes = point.to_compressed();
//! assert_eq!(Point::decode(&bytes)?, point);
//! assert_eq!(Point::decode(&point.to_uncompressed())?, point);
//!
//! // The other tag is the other point of the same x; no other is known.
//! bytes[0] ^= 1;
//! assert_eq!(Point::decode(&bytes)?, -point);
//! bytes[0] = 5;
//! assert_eq!(Point::decode(&bytes), Err(DecodingError::Tag(5)));
//! assert_eq!(Point::decode(&[0; COMPRESSED_BYTES])?, Point::Identity);
//! # Ok::<(), DecodingError>(())
//! ```

use crate::{AffinePoint, DEGREE, Fp7, Point, PointError, lift_x};

/// Bytes of a coordinate.
pub const COORDINATE_BYTES: usize = 4 * DEGREE;

/// Bytes of a compressed point.
pub const COMPRESSED_BYTES: usize = 1 + COORDINATE_BYTES;

/// Bytes of an uncompressed point.
pub const UNCOMPRESSED_BYTES: usize = 1 + 2 * COORDINATE_BYTES;

/// Why bytes are not a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodingError {
    /// There are neither 29 nor 57 bytes.
    #[error("a point has 29 or 57 bytes, not {0}")]
    Length(usize),
    /// The first byte is none of this length.
    #[error("the first byte is {0}")]
    Tag(u8),
    /// The first byte says identity, and another byte is not zero.
    #[error("the identity is all zeros")]
    Identity,
    /// The coordinates are not canonical, or those of no point.
    #[error(transparent)]
    Point(#[from] PointError),
}

/// First byte of the identity.
const IDENTITY: u8 = 0;
/// First byte of a compressed point whose y is the root of [`lift_x`].
const ROOT: u8 = 2;
/// First byte of a compressed point whose y is the other root.
const NEGATIVE: u8 = 3;
/// First byte of an uncompressed point.
const UNCOMPRESSED: u8 = 4;

/// The bytes of a coordinate.
pub(crate) fn coordinate_bytes(x: &Fp7) -> [u8; COORDINATE_BYTES] {
    let mut out = [0; COORDINATE_BYTES];
    for (chunk, limb) in out.chunks_exact_mut(4).zip(x.to_canonical()) {
        chunk.copy_from_slice(&limb.to_le_bytes());
    }
    out
}

/// The coefficients in the bytes of a coordinate.
fn limbs(bytes: &[u8]) -> [u32; DEGREE] {
    let mut out = [0; DEGREE];
    for (limb, chunk) in out.iter_mut().zip(bytes.chunks_exact(4)) {
        *limb = chunk.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    }
    out
}

/// The coordinate in bytes, named `name` in errors.
fn coordinate(bytes: &[u8], name: char) -> Result<Fp7, PointError> {
    Fp7::from_canonical(limbs(bytes)).map_err(|error| PointError::Limb {
        coordinate: name,
        index: error.index,
        value: error.value,
    })
}

impl AffinePoint {
    /// The compressed form: 29 bytes.
    #[must_use]
    pub fn to_compressed(&self) -> [u8; COMPRESSED_BYTES] {
        let mut out = [0; COMPRESSED_BYTES];
        out[0] = if self.y().is_canonical_root() { ROOT } else { NEGATIVE };
        out[1..].copy_from_slice(&coordinate_bytes(&self.x()));
        out
    }

    /// The uncompressed form: 57 bytes.
    #[must_use]
    pub fn to_uncompressed(&self) -> [u8; UNCOMPRESSED_BYTES] {
        let mut out = [0; UNCOMPRESSED_BYTES];
        out[0] = UNCOMPRESSED;
        out[1..=COORDINATE_BYTES].copy_from_slice(&coordinate_bytes(&self.x()));
        out[1 + COORDINATE_BYTES..].copy_from_slice(&coordinate_bytes(&self.y()));
        out
    }
}

impl Point {
    /// The compressed form: 29 bytes, zeros for the identity.
    #[must_use]
    pub fn to_compressed(&self) -> [u8; COMPRESSED_BYTES] {
        self.to_affine().map_or([0; COMPRESSED_BYTES], |point| point.to_compressed())
    }

    /// The uncompressed form: 57 bytes, zeros for the identity.
    #[must_use]
    pub fn to_uncompressed(&self) -> [u8; UNCOMPRESSED_BYTES] {
        self.to_affine().map_or([0; UNCOMPRESSED_BYTES], |point| point.to_uncompressed())
    }

    /// The point of this form. One square root in K, in variable time.
    ///
    /// # Errors
    /// [`DecodingError`], other than `Length`.
    pub fn from_compressed(bytes: &[u8; COMPRESSED_BYTES]) -> Result<Self, DecodingError> {
        let (tag, x) = (bytes[0], &bytes[1..]);
        match tag {
            IDENTITY => identity(x),
            ROOT | NEGATIVE => {
                let point = lift_x(coordinate(x, 'x')?).ok_or(PointError::NotOnCurve)?;
                Ok(Self::Affine(if tag == ROOT { point } else { -point }))
            }
            _ => Err(DecodingError::Tag(tag)),
        }
    }

    /// The point of this form.
    ///
    /// # Errors
    /// [`DecodingError`], other than `Length`.
    pub fn from_uncompressed(bytes: &[u8; UNCOMPRESSED_BYTES]) -> Result<Self, DecodingError> {
        let (tag, coordinates) = (bytes[0], &bytes[1..]);
        let (x, y) = coordinates.split_at(COORDINATE_BYTES);
        match tag {
            IDENTITY => identity(coordinates),
            UNCOMPRESSED => Ok(AffinePoint::new(coordinate(x, 'x')?, coordinate(y, 'y')?)?.into()),
            _ => Err(DecodingError::Tag(tag)),
        }
    }

    /// The point of either form, told by the length.
    ///
    /// # Errors
    /// [`DecodingError`].
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodingError> {
        if let Ok(bytes) = bytes.try_into() {
            Self::from_compressed(bytes)
        } else if let Ok(bytes) = bytes.try_into() {
            Self::from_uncompressed(bytes)
        } else {
            Err(DecodingError::Length(bytes.len()))
        }
    }
}

/// The identity, if all other bytes are zero.
fn identity(rest: &[u8]) -> Result<Point, DecodingError> {
    if rest.iter().all(|&byte| byte == 0) { Ok(Point::Identity) } else { Err(DecodingError::Identity) }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::params::{DIGEST_START, DUMMY, GENERATOR};

    const P: u32 = 0x7f00_0001;

    fn points() -> Vec<Point> {
        let zero = lift_x(Fp7::ZERO).expect("x = 0 is on the curve");
        let points = [GENERATOR, DIGEST_START, DUMMY, zero, GENERATOR.double()];
        points.into_iter().flat_map(|p| [Point::from(p), Point::from(-p)]).chain([Point::Identity]).collect()
    }

    #[test]
    fn both_forms_come_back() {
        for point in points() {
            let (compressed, uncompressed) = (point.to_compressed(), point.to_uncompressed());
            assert_eq!(Point::from_compressed(&compressed), Ok(point));
            assert_eq!(Point::from_uncompressed(&uncompressed), Ok(point));
            assert_eq!(Point::decode(&compressed), Ok(point));
            assert_eq!(Point::decode(&uncompressed), Ok(point));
            if !point.is_identity() {
                assert_eq!(compressed[1..], uncompressed[1..29]);
                let other = (-point).to_compressed();
                assert_eq!((compressed[0] ^ other[0], &compressed[1..]), (1, &other[1..]));
            }
        }
    }

    /// No other tag, length, coefficient or identity decodes; a decoded point encodes to the bytes it came from.
    #[test]
    fn nothing_else_decodes() {
        let g = Point::GENERATOR;
        for tag in (0..=255).filter(|tag| ![2, 3].contains(tag)) {
            let mut bytes = g.to_compressed();
            bytes[0] = tag;
            let expected = if tag == 0 { DecodingError::Identity } else { DecodingError::Tag(tag) };
            assert_eq!(Point::from_compressed(&bytes), Err(expected));
        }
        for tag in (0..=255).filter(|&tag| tag != 4) {
            let mut bytes = g.to_uncompressed();
            bytes[0] = tag;
            let expected = if tag == 0 { DecodingError::Identity } else { DecodingError::Tag(tag) };
            assert_eq!(Point::from_uncompressed(&bytes), Err(expected));
        }
        for length in (0..80).filter(|length| ![29, 57].contains(length)) {
            let bytes = alloc::vec![0; length];
            assert_eq!(Point::decode(&bytes), Err(DecodingError::Length(length)));
        }
        for i in 0..DEGREE {
            for (name, at) in [('x', 1 + 4 * i), ('y', 29 + 4 * i)] {
                let mut bytes = g.to_uncompressed();
                let value = u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[at + k])) + P;
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let error = DecodingError::Point(PointError::Limb { coordinate: name, index: i, value });
                assert_eq!(Point::from_uncompressed(&bytes), Err(error));
                if name == 'x' {
                    let mut compressed = g.to_compressed();
                    compressed[at..at + 4].copy_from_slice(&value.to_le_bytes());
                    assert_eq!(Point::from_compressed(&compressed), Err(error));
                }
            }
        }
        let off = DecodingError::Point(PointError::NotOnCurve);
        let mut bytes = g.to_uncompressed();
        bytes[1] ^= 1;
        assert_eq!(Point::from_uncompressed(&bytes), Err(off));
        // Half of all x are on no point.
        let mut refused = 0;
        for k in 0..64 {
            let mut bytes = [0; COMPRESSED_BYTES];
            (bytes[0], bytes[1]) = (2, k);
            match Point::from_compressed(&bytes) {
                Ok(point) => assert_eq!(point.to_compressed(), bytes),
                Err(error) => {
                    assert_eq!(error, off);
                    refused += 1;
                }
            }
        }
        assert!((16..48).contains(&refused), "{refused}");
    }
}
