//! Points with unknown discrete logarithms.

use alloc::format;
use core::array;

use p3_field::PrimeField32;
use sha2::{Digest, Sha256};

use crate::{AffinePoint, Fp7, KoalaBear, lift_x};

/// The offset B_j: a point whose discrete logarithm with respect to G and to the other offsets nobody knows.
///
/// For i = 0, 1, …, coefficient k of x is SHA-256 of the text `septic-offset-j/i/k`, read big-endian and reduced modulo p; the
/// first x that lies on E counts, and y is the root that [`Fp7::try_sqrt`] returns. Variable time; some hashes and square
/// roots.
#[must_use]
pub fn offset(j: u32) -> AffinePoint {
    let mut i = 0_u32;
    loop {
        let x: [u32; 7] = array::from_fn(|k| {
            let digest = Sha256::digest(format!("septic-offset-{j}/{i}/{k}"));
            let residue = digest.iter().fold(0, |sum, &byte| (sum * 256 + u64::from(byte)) % P);
            u32::try_from(residue).unwrap_or_default()
        });
        if let Some(point) = lift_x(Fp7::from_u32s(x)) {
            return point;
        }
        i += 1;
    }
}

/// p.
const P: u64 = KoalaBear::ORDER_U32 as u64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::OFFSETS;

    #[test]
    fn the_first_two_are_listed() {
        assert_eq!([0, 1].map(offset), OFFSETS);
        assert!((2..32).all(|j| offset(j).is_on_curve()));
    }
}
