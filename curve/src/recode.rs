//! Scalars as sums of few signed digits, in variable time.

use crate::Scalar256;

/// Digits of a non-adjacent form of up to 224 bits; each is 0 or odd.
pub(crate) const NAF_DIGITS: usize = 224;

/// The bits of `k` from `from` on, `count` ≤ 16 of them; beyond the 256th they are 0.
fn bits(k: &[u32; 8], from: usize, count: u32) -> u32 {
    let limb = |i: usize| u64::from(k.get(i).copied().unwrap_or(0));
    let wide = limb(from / 32) | limb(from / 32 + 1) << 32;
    let mask = (1 << count) - 1;
    #[allow(clippy::cast_possible_truncation, reason = "masked to at most 16 bits")]
    let bits = (wide >> (from % 32) & mask) as u32;
    bits
}

/// The non-adjacent form of width w ≤ 8 of a number below 2^223: k = Σ digit(i)·2^i, every digit 0 or odd and below
/// 2^(w − 1) in absolute value, at most one of w digits in a row not 0.
///
/// Solinas, "Efficient arithmetic on Koblitz curves" (2000), algorithm for width-w NAF.
pub(crate) fn wnaf(k: &Scalar256, width: u32) -> [i8; NAF_DIGITS] {
    debug_assert!((2..=8).contains(&width), "digits are bytes");
    let limbs = k.to_le_limbs();
    let mut digits = [0; NAF_DIGITS];
    let (mut position, mut carry) = (0, 0);
    while position < NAF_DIGITS {
        let window = carry + bits(&limbs, position, width);
        if window & 1 == 0 {
            position += 1;
            continue;
        }
        carry = window >> (width - 1);
        #[allow(clippy::cast_possible_truncation, reason = "|digit| < 2^(w − 1) ≤ 128")]
        let digit = (window.cast_signed() - (carry << width).cast_signed()) as i8;
        digits[position] = digit;
        position += width as usize;
    }
    debug_assert_eq!(carry, 0, "k is below 2^223");
    digits
}

/// `count` signed digits of `width` ≤ 14 bits: k = Σ digit(i)·2^(width·i), each in [−2^(width−1), 2^(width−1)].
///
/// The number must be at most 2^(width·count − 1).
pub(crate) fn signed_windows(k: &Scalar256, width: u32, count: usize) -> impl Iterator<Item = i16> {
    let limbs = k.to_le_limbs();
    let half = 1 << (width - 1);
    let mut carry = 0;
    (0..count).map(move |i| {
        let window = carry + bits(&limbs, i * width as usize, width);
        // The last window keeps its value, so that nothing is carried out of it.
        carry = u32::from(window > half && i + 1 < count);
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^13 in absolute value")]
        let digit = (window.cast_signed() - (carry << width).cast_signed()) as i16;
        digit
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crypto_bigint::U256;
    use proptest::prelude::*;

    use super::*;
    use crate::Scalar;
    use crate::params::ORDER;

    /// Σ digit(i)·2^(step·i) modulo r.
    fn value(digits: impl DoubleEndedIterator<Item = i64>, step: u32) -> Scalar {
        let digit = |d: i64| {
            let magnitude = Scalar::from(d.unsigned_abs());
            if d < 0 { -magnitude } else { magnitude }
        };
        digits.rev().fold(Scalar::ZERO, |sum, d| sum * Scalar::from(1 << step) + digit(d))
    }

    fn check(k: U256) {
        let scalar = Scalar256::from(k);
        for width in 2..=8 {
            let digits = wnaf(&scalar, width);
            assert_eq!(value(digits.iter().map(|&d| d.into()), 1), Scalar::reduce(&k), "width {width}");
            for window in digits.windows(width as usize) {
                assert!(window.iter().filter(|&&d| d != 0).count() <= 1, "width {width}");
            }
            for d in digits {
                assert!(d == 0 || (d & 1 == 1 && u32::from(d.unsigned_abs()) < 1 << (width - 1)));
            }
        }
        for width in 2..=14 {
            let count = 218_usize.div_ceil(width as usize);
            let digits: Vec<i16> = signed_windows(&scalar, width, count).collect();
            assert!(digits.iter().all(|d| u32::from(d.unsigned_abs()) <= 1 << (width - 1)), "width {width}");
            assert_eq!(value(digits.iter().map(|&d| d.into()), width), Scalar::reduce(&k), "width {width}");
        }
    }

    #[test]
    fn extreme_numbers() {
        let top = U256::ONE.shl_vartime(217);
        for k in
            [U256::ZERO, U256::ONE, ORDER, ORDER.wrapping_sub(&U256::ONE), top, top.wrapping_sub(&U256::ONE)]
        {
            check(k);
        }
    }

    proptest! {
        #[test]
        fn digits_add_up(limbs in any::<[u32; 8]>(), shift in 39_u32..256) {
            check(Scalar256::from_le_limbs(limbs).to_uint().shr_vartime(shift));
        }
    }
}
