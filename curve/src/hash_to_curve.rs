//! Hashing to the curve: RFC 9380's `hash_to_curve`, suite `septic_XMD:SHA-256_SSWU_RO_`.
//!
//! | parameter | value |
//! | --- | --- |
//! | expansion | `expand_message_xmd` with SHA-256 |
//! | security k, length L | 128 bits, 20 bytes a coefficient |
//! | extension | m = 7: u = c₀ + … + c₆z⁶, each coefficient from L bytes, big-endian, modulo p |
//! | map | simplified SWU with A = 45, B = 41z³, Z = 5 |
//! | sign | the root of [`Fp7::try_sqrt`], negated where u is not one itself |
//! | cofactor | 1 |
//!
//! The result behaves like a random point, whose discrete logarithm nobody knows. Where RFC 9380 compares signs by `sgn0`, this
//! suite compares by whether an element is its square's canonical root, the sign that compressed points use. Variable time: the
//! message is public.

use core::array;

use sha2::{Digest, Sha256};

use crate::params::{CURVE_A, CURVE_B};
use crate::{AffinePoint, DEGREE, Fp7, KoalaBear, Point};

/// Bytes that a coefficient is made from.
const LENGTH: usize = 20;

/// Bytes of a digest of SHA-256.
const DIGEST: usize = 32;

/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;

/// Z of the map: not a square, and neither is −1; x³ + Ax + B − Z has no root; the right-hand side at B/(Z·A) is a square.
const Z: u32 = 5;

/// RFC 9380, 5.3.1: N bytes, at most 255·32, from a message and a domain separation tag. Tags of more than 255 bytes are hashed
/// first (5.3.3).
fn expand_message<const N: usize>(message: &[u8], tag: &[u8]) -> [u8; N] {
    const { assert!(N <= 255 * DIGEST, "at most 8,160 bytes") };
    let long;
    let tag = if tag.len() > 255 {
        long = Sha256::new().chain_update(b"H2C-OVERSIZE-DST-").chain_update(tag).finalize();
        &long[..]
    } else {
        tag
    };
    let with_tag = |hash: Sha256| hash.chain_update(tag).chain_update([low_byte(tag.len())]).finalize();
    let first = with_tag(Sha256::new().chain_update([0; BLOCK]).chain_update(message).chain_update([
        low_byte(N >> 8),
        low_byte(N),
        0,
    ]));
    let mut out = [0; N];
    let mut last = [0; DIGEST];
    for (i, chunk) in (1..).zip(out.chunks_mut(DIGEST)) {
        let mixed: [u8; DIGEST] = array::from_fn(|k| first[k] ^ last[k]);
        last = with_tag(Sha256::new().chain_update(mixed).chain_update([low_byte(i)])).into();
        chunk.copy_from_slice(&last[..chunk.len()]);
    }
    out
}

/// The lowest byte of a number.
fn low_byte(x: usize) -> u8 {
    x.to_le_bytes()[0]
}

/// RFC 9380, 5.2: two elements of K.
fn hash_to_field(message: &[u8], tag: &[u8]) -> [Fp7; 2] {
    let bytes: [u8; 2 * DEGREE * LENGTH] = expand_message(message, tag);
    let coefficient = |k: usize| {
        let bytes = &bytes[LENGTH * k..][..LENGTH];
        let p = u64::from(crate::field::P);
        bytes.iter().fold(0, |sum, &byte| (sum * 256 + u64::from(byte)) % p)
    };
    [0, 1].map(|i| {
        Fp7::from_fn(|k| KoalaBear::new(u32::try_from(coefficient(DEGREE * i + k)).unwrap_or_default()))
    })
}

/// RFC 9380, 6.6.2: the simplified SWU map.
fn map_to_curve(u: &Fp7) -> AffinePoint {
    let scale = |x: Fp7, c: u32| x.scale(&KoalaBear::new(c));
    let zuu = scale(u.dot_square(), Z);
    // tv1 = inv0(Z²u⁴ + Zu²);  x1 = (−B/A)(1 + tv1), or B/(ZA) if tv1 = 0
    let tv1 = (zuu.dot_square() + zuu).inv0();
    let b_over_a = CURVE_B.dot_mul(&scale(Fp7::ONE, CURVE_A).inv0());
    let x1 = if tv1.is_zero() {
        b_over_a.dot_mul(&scale(Fp7::ONE, Z).inv0())
    } else {
        -b_over_a.dot_mul(&(Fp7::ONE + tv1))
    };
    let point = crate::lift_x(x1).or_else(|| crate::lift_x(zuu.dot_mul(&x1)));
    // One of both is on the curve: the second right-hand side is (Zu²)³ times the first.
    let point = point.unwrap_or(crate::params::GENERATOR);
    if u.is_canonical_root() { point } else { -point }
}

impl Point {
    /// The point that a message hashes to under a domain separation tag, as a random one. It should name the application, its
    /// version and this suite.
    ///
    /// ```
    /// use septic_curve::Point;
    ///
    /// let tag = b"example-v1-septic_XMD:SHA-256_SSWU_RO_";
    /// assert_ne!(Point::hash_to_curve(b"one", tag), Point::hash_to_curve(b"two", tag));
    /// ```
    #[must_use]
    pub fn hash_to_curve(message: &[u8], tag: &[u8]) -> Self {
        let [first, second] = hash_to_field(message, tag).map(|u| Self::from(map_to_curve(&u)));
        first + second
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    /// RFC 9380, K.1: expand_message_xmd(SHA-256) for the tag of the RFC.
    #[test]
    fn expansion_is_that_of_the_rfc() {
        let tag = b"QUUX-V01-CS02-with-expander-SHA256-128";
        for (message, expected) in [
            ("", "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"),
            ("abc", "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"),
            ("abcdef0123456789", "eff31487c770a893cfb36f912fbfcbff40d5661771ca4b2cb4eafe524333f5c1"),
        ] {
            let hex: alloc::string::String = expand_message::<32>(message.as_bytes(), tag)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(hex, expected, "{message}");
        }
        // The length is hashed too, so a longer output is another one; its last block is cut.
        assert_ne!(expand_message::<280>(b"", tag)[..32], expand_message::<32>(b"", tag));
        assert_ne!(expand_message::<280>(b"", tag)[256..], [0; 24]);
        let long = [7; 300];
        assert_ne!(expand_message::<32>(b"", &long), expand_message::<32>(b"", &long[..255]));
    }

    /// RFC 9380, 6.6.2: the conditions on Z.
    fn is_allowed(z: u32) -> bool {
        let z = Fp7::from_base(KoalaBear::new(z));
        let at = |x: Fp7| x.dot_square().dot_mul(&x) + x.scale(&KoalaBear::new(CURVE_A)) + CURVE_B;
        let x = CURVE_B.dot_mul(&z.scale(&KoalaBear::new(CURVE_A)).inv0());
        !z.is_square() && z != -Fp7::ONE && at(x).is_square() && !has_root(&z)
    }

    /// Z is the first number that is allowed, in the order 1, −1, 2, −2, … (H.2).
    #[test]
    fn z_is_the_first_allowed_number() {
        let p = crate::field::P;
        let first = (1..p).flat_map(|k| [k, p - k]).find(|&z| is_allowed(z));
        assert_eq!(first, Some(Z));
    }

    /// Whether x³ + Ax + B − z has a root in K: whether gcd with x^(p⁷) − x is not 1.
    fn has_root(z: &Fp7) -> bool {
        let (a, b) = (Fp7::from_base(KoalaBear::new(CURVE_A)), CURVE_B - *z);
        // Polynomials of degree below 3, modulo x³ = −ax − b.
        let mul = |f: &[Fp7; 3], g: &[Fp7; 3]| {
            let mut wide = [Fp7::ZERO; 5];
            for i in 0..3 {
                for j in 0..3 {
                    wide[i + j] += f[i].dot_mul(&g[j]);
                }
            }
            for k in [4, 3] {
                let top = wide[k];
                wide[k - 2] -= a.dot_mul(&top);
                wide[k - 3] -= b.dot_mul(&top);
            }
            [wide[0], wide[1], wide[2]]
        };
        let x = [Fp7::ZERO, Fp7::ONE, Fp7::ZERO];
        let mut power = x;
        for _ in 0..7 {
            let base = power;
            let mut out = [Fp7::ONE, Fp7::ZERO, Fp7::ZERO];
            for bit in (0..31).rev() {
                out = mul(&out, &out);
                if crate::field::P >> bit & 1 == 1 {
                    out = mul(&out, &base);
                }
            }
            power = out;
        }
        let [c0, c1, c2] = [power[0], power[1] - Fp7::ONE, power[2]];
        // gcd(x³ + ax + b, c₂x² + c₁x + c₀) is 1 iff their resultant is not 0: no root in common.
        let roots = [c0, c1, c2];
        if roots.iter().all(Fp7::is_zero) {
            return true;
        }
        // The determinant of multiplication by the second polynomial modulo the first.
        let rows = [roots, mul(&roots, &x), mul(&mul(&roots, &x), &x)];
        let minor = |i: usize, j: usize| rows[1][i].dot_mul(&rows[2][j]) - rows[1][j].dot_mul(&rows[2][i]);
        let determinant = rows[0][0].dot_mul(&minor(1, 2)) - rows[0][1].dot_mul(&minor(0, 2))
            + rows[0][2].dot_mul(&minor(0, 1));
        determinant.is_zero()
    }

    #[test]
    fn points_are_on_the_curve_and_differ() {
        let mut seen = alloc::collections::BTreeSet::new();
        for k in 0..40_u8 {
            for tag in [&b"a"[..], b"b"] {
                let point = Point::hash_to_curve(&[k], tag);
                assert!(point.to_affine().is_some_and(|point| point.is_on_curve()));
                assert!(seen.insert(point.to_compressed()));
            }
        }
        // The exceptional inputs of the map: u = 0 and Zu² = −1 (which has no solution: −1 is a square, Z is not).
        assert!(map_to_curve(&Fp7::ZERO).is_on_curve());
        assert!((-Fp7::ONE).is_square());
        let u = Fp7::from_u32s([5, 4, 3, 2, 1, 9, 8]);
        assert_eq!(map_to_curve(&u), -map_to_curve(&-u));
    }
}
