//! u·s + w = q·r over the integers, checked 16 bits at a time.
//!
//! | number | shape | is |
//! |--------|-------|----|
//! | u | 14 bytes u_i | Σ u_i·256^i: bytes of u − 1 from the digits of the chain, 1 added to u_0 |
//! | s | 28 bytes s_j | Σ s_j·256^j |
//! | w | 7 limbs w_k of 16 bits | Σ w_k·2^(16k): limbs of W = w + 2^109 − 1, 1 added to w_0, 2^13 taken off w_6 |
//! | q | 17 limbs q_a of 7 or 6 bits | Σ q_a·2^(e_a), e_a = 13·⌊a/2⌋ + 7·(a mod 2) |
//! | r | constant | the order |
//! | c_k, 0 ≤ k < 20 | a limb of 13 bits | carry_k − 4096·real |
//!
//! With p_j = s_j + 256·s_{j+1} (bytes outside their number are 0) and ρ_{a,k} the 16 bits of r·2^(e_a) from 16k on, position
//! k < 21 asks
//!
//! t_k + c_{k−1} = 2^16·c_k,   t_k = Σ_i u_i·p_{2k−i} + w_k − Σ_a q_a·ρ_{a,k},   c_{−1} = c_20 = 0.
//!
//! Σ_k t_k·2^(16k) = u·s + w − q·r, since byte positions 2k and 2k + 1 of u·s have merged into position k and every
//! r·2^(e_a) < 2^336 is the number of its 21 limbs. So the 21 equations over the integers are equivalent to u·s + w = q·r.
//!
//! ## Equations modulo p are equations over the integers
//! If real = 1 and all numbers are in their ranges: Σ u_i ≤ 256 + 13·255 = 3571, p_j ≤ 65535, −2^13 ≤ w_k ≤ 2^16,
//! Σ q_a·ρ ≤ (9·127 + 8·63)·65535, so −1.09·10^8 < t_k < 2.35·10^8. Carries are in [−4096, 4095]. So
//! |t_k + c_{k−1} − 2^16·c_k| < 2.35·10^8 + 4.1·10^3 + 2.69·10^8 < 5.1·10^8 < p: what vanishes modulo p vanishes.
//!
//! A 16-bit range would be too wide: 2^16 values of c_k let 2^16·c_k run over more than 2p, and t_k + c_{k−1} = 2^16·c_k ± p
//! has solutions.
//!
//! ## Every honest carry fits
//! By induction |c_k| ≤ (|t_k| + |c_{k−1}|)/2^16 < 3590 < 4095.

use core::array;

use super::{DIGITS, SCALAR_BYTES, STEPS, limbs};
use crate::ladder::ORDER_LIMBS;
use crate::sink::{ConstraintSink, Label};

/// Limbs of the quotient q, of 7 and 6 bits in turn.
pub const QUOTIENT_LIMBS: usize = 17;
/// Positions of 16 bits.
pub const POSITIONS: usize = 21;
/// Carries between positions.
pub const CARRIES: usize = POSITIONS - 1;
/// What is taken off a carry's limb.
pub const CARRY_OFFSET: u32 = 1 << 12;
/// Bytes of u.
pub const U_BYTES: usize = STEPS.div_ceil(8);
/// 16-bit limbs of w.
pub const W_LIMBS: usize = DIGITS.div_ceil(16);

/// e_a: the exponent of the weight of limb a of the quotient.
#[must_use]
pub const fn quotient_exponent(a: usize) -> usize {
    13 * (a / 2) + 7 * (a % 2)
}

/// Number of bits of limb a of the quotient.
#[must_use]
pub const fn quotient_bits(a: usize) -> usize {
    7 - a % 2
}

/// ρ_{a,k}: the 16 bits from 16·k on of r·2^(e_a).
#[must_use]
pub const fn order_limb(a: usize, k: usize) -> u32 {
    shifted_order_limb(quotient_exponent(a), k)
}

/// The 16 bits from 16·k on of r·2^exponent.
#[must_use]
pub const fn shifted_order_limb(exponent: usize, k: usize) -> u32 {
    let (limbs, bits) = (exponent / 16, exponent % 16);
    let low = match k.checked_sub(limbs) {
        Some(i) if i < ORDER_LIMBS.len() => ORDER_LIMBS[i] as u32,
        _ => 0,
    };
    let below = match k.checked_sub(limbs + 1) {
        Some(i) if i < ORDER_LIMBS.len() => ORDER_LIMBS[i] as u32,
        _ => 0,
    };
    (low << bits | below >> (16 - bits)) & 0xffff
}

/// The columns of one relation u·s + w = q·r.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a, E> {
    /// The bits of u − 1, most significant first.
    pub u_bits: &'a [E; STEPS],
    /// The bits of w + 2^109 − 1, most significant first.
    pub w_bits: &'a [E; DIGITS],
    /// s_j.
    pub scalar: &'a [E; SCALAR_BYTES],
    /// q_a.
    pub quotient: &'a [E; QUOTIENT_LIMBS],
    /// carry_k.
    pub carry: &'a [E; CARRIES],
    /// 1 on rows with an operation, else 0.
    pub real: &'a E,
}

/// Asserts the 21 equations. Degree 2.
#[inline]
pub fn assert_product<S: ConstraintSink>(sink: &mut S, label: Label, columns: &Product<'_, S::Expr>) {
    let &Product { u_bits, w_bits, scalar, quotient, carry, real } = columns;
    let mut u: [S::Expr; U_BYTES] = limbs::<S, 8, U_BYTES>(sink, u_bits);
    u[0] = u[0].clone() + real.clone();
    let mut w: [S::Expr; W_LIMBS] = limbs::<S, 16, W_LIMBS>(sink, w_bits);
    w[0] = w[0].clone() + real.clone();
    w[W_LIMBS - 1] = w[W_LIMBS - 1].clone() - sink.constant(1 << 13) * real.clone();
    // Index j holds p_{j−1}.
    let byte = sink.constant(256);
    let pairs: [S::Expr; SCALAR_BYTES + 1] = array::from_fn(|j| match j {
        0 => byte.clone() * scalar[0].clone(),
        SCALAR_BYTES => scalar[SCALAR_BYTES - 1].clone(),
        _ => scalar[j - 1].clone() + byte.clone() * scalar[j].clone(),
    });
    let totals: [S::Expr; POSITIONS] = array::from_fn(|k| {
        let mut total = w.get(k).cloned().unwrap_or_else(|| sink.constant(0));
        for (i, u) in u.iter().enumerate() {
            if let Some(j) = (2 * k + 1).checked_sub(i)
                && let Some(pair) = pairs.get(j)
            {
                total = total + u.clone() * pair.clone();
            }
        }
        for (a, q) in quotient.iter().enumerate() {
            let limb = order_limb(a, k);
            if limb != 0 {
                total = total - sink.constant(limb) * q.clone();
            }
        }
        total
    });
    assert_carries(sink, label, totals, carry, CARRY_OFFSET, real);
}

/// Asserts that the number with these digits in base 2^16 is 0, given the carries with `offset` added. Degree of the digits.
#[inline]
pub(crate) fn assert_carries<S: ConstraintSink, const N: usize>(
    sink: &mut S,
    label: Label,
    totals: [S::Expr; N],
    carry: &[S::Expr],
    offset: u32,
    real: &S::Expr,
) {
    let radix = sink.constant(1 << 16);
    let offset = sink.constant(offset) * real.clone();
    let mut carry_in = None;
    for (k, mut total) in totals.into_iter().enumerate() {
        if let Some(carry_in) = carry_in {
            total = total + carry_in;
        }
        carry_in = carry.get(k).map(|carry| carry.clone() - offset.clone());
        if let Some(carry) = &carry_in {
            total = total - radix.clone() * carry.clone();
        }
        sink.assert_zero(label, total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: i64 = (1 << 31) - (1 << 24) + 1;

    /// Least and greatest t_k for all numbers in their ranges.
    fn bounds(position: usize) -> (i64, i64) {
        let pair = |j: usize| match j {
            0 => 256 * 255,
            SCALAR_BYTES => 255,
            1..SCALAR_BYTES => 255 + 256 * 255,
            _ => 0,
        };
        let u = |i: usize| if i == 0 { 256 } else { 255 };
        let greatest =
            (0..U_BYTES).filter_map(|i| Some(u(i) * pair((2 * position + 1).checked_sub(i)?))).sum::<i64>()
                + (1 << 16);
        let least = (0..QUOTIENT_LIMBS)
            .map(|a| ((1 << quotient_bits(a)) - 1) * i64::from(order_limb(a, position)))
            .sum::<i64>();
        (-least - (1 << 13), greatest)
    }

    #[test]
    fn equations_cannot_wrap() {
        let offset = i64::from(CARRY_OFFSET);
        for position in 0..POSITIONS {
            let (least, greatest) = bounds(position);
            assert!(-109_000_000 < least && greatest < 235_000_000, "{position}: {least} {greatest}");
            let low = least - offset - ((offset - 1) << 16);
            let high = greatest + offset - 1 + (offset << 16);
            assert!(-510_000_000 < low && high < 510_000_000 && 510_000_000 < P);
        }
        // With carries of 16 bits, c = 2^15 − 2^8 would pass for a position that sums up to −1.
        assert_eq!(((1 << 15) - (1 << 8)) << 16, -1 + P);
    }

    #[test]
    fn honest_carries_fit() {
        let (mut least, mut greatest) = (0, 0);
        for position in 0..POSITIONS {
            let (low, high) = bounds(position);
            (least, greatest) = ((low + least) >> 16, (high + greatest) >> 16);
            assert!(-3590 < least && greatest < 3590, "{position}: {least} {greatest}");
        }
    }

    /// Bit by bit, the limbs are those of r·2^(e_a), and the positions hold all of them.
    #[test]
    fn order_limbs_are_the_shifted_order() {
        let order_bit = |i: usize| i < 256 && ORDER_LIMBS[i / 16] >> (i % 16) & 1 == 1;
        for a in 0..QUOTIENT_LIMBS {
            let e = quotient_exponent(a);
            for bit in 0..16 * POSITIONS {
                let expected = bit.checked_sub(e).is_some_and(order_bit);
                assert_eq!(order_limb(a, bit / 16) >> (bit % 16) & 1 == 1, expected, "{a} {bit}");
            }
            assert!((16 * POSITIONS..16 * POSITIONS + 256).all(|bit| !order_bit(bit - e)));
        }
        // The weights of the limbs are those of their bits.
        assert!(
            (1..QUOTIENT_LIMBS)
                .all(|a| quotient_exponent(a) == quotient_exponent(a - 1) + quotient_bits(a - 1))
        );
    }
}
