//! u·s + w = q·r over the integers, in bytes, checked 16 bits at a time.
//!
//! | number | shape | is |
//! |--------|-------|----|
//! | u | 14 bytes U_i | Σ U_i·256^i − (2^111 − 1): u′_0 = U_0 + 1, u′_13 = U_13 − 128, the others u′_i = U_i |
//! | s | 32 bytes s_j | Σ s_j·256^j; VERIFY adds k ≤ 4 to s_0 |
//! | w | at most 14 limbs w_k | Σ w_k·2^(16k), each w_k an integer of absolute value at most 2^16 |
//! | q | 19 bytes q_a | Σ q_a·256^a |
//! | r | 28 bytes, constant | the order |
//! | c_k, 0 ≤ k < 22 | 2 bytes low_k, high_k | low_k + 64·high_k − 8192·real |
//!
//! With p_j = s_j + 256·s_{j+1} and ρ_j = r_j + 256·r_{j+1} (bytes outside their number are 0), position k < 23 asks
//!
//! t_k + c_{k−1} = 2^16·c_k,   t_k = Σ_i u′_i·p_{2k−i} + w_k − Σ_a q_a·ρ_{2k−a},   c_{−1} = c_22 = 0.
//!
//! Σ_k t_k·2^(16k) = u·s + w − q·r, since byte positions 2k and 2k + 1 have merged into position k, so the 23 equations
//! over the integers are equivalent to u·s + w = q·r.
//!
//! ## Equations modulo p are equations over the integers
//! If real = 1 and all bytes are bytes: |p_j| ≤ 259·257 < 66564, Σ|u′_i| ≤ 256 + 12·255 + 128 = 3444, Σ q_a·ρ_j ≤ 19·255·65535,
//! so −3.27·10^8 < t_k < 2.30·10^8. Carries are in [−8192, 255 + 64·255 − 8192] = [−8192, 8383]. So
//! |t_k + c_{k−1} − 2^16·c_k| < 3.27·10^8 + 8.4·10^3 + 5.5·10^8 < 8.8·10^8 < p: what vanishes modulo p vanishes.
//!
//! A 16-bit range would be too wide: 2^16 values of c_k let 2^16·c_k run over more than 2p, and t_k + c_{k−1} = 2^16·c_k ± p
//! has solutions. Two bytes with weights 1 and 64 are as cheap as one 16-bit number and its message, and narrow enough.
//!
//! ## Every honest carry fits
//! By induction |c_k| ≤ (|t_k| + |c_{k−1}|)/2^16 < 5000 < 8192, and every integer in [−8192, 8383] is low + 64·high − 8192
//! for two bytes.

use core::array;

use super::{SCALAR_BYTES, U_BYTES};
use crate::ladder::ORDER_LIMBS;
use crate::sink::{ConstraintSink, Label};

/// Bytes of the quotient q.
pub const QUOTIENT_BYTES: usize = 19;
/// Positions of 16 bits.
pub const POSITIONS: usize = 23;
/// Carries between positions.
pub const CARRIES: usize = POSITIONS - 1;
/// Weight of a carry's high byte.
pub const CARRY_STEP: u32 = 64;
/// What is taken off a carry's bytes.
pub const CARRY_OFFSET: u32 = 1 << 13;

/// Bytes of the order.
pub const ORDER_BYTES: usize = 28;

/// ρ_{j−1} at index j: bytes j − 1 and j of the order as one 16-bit number.
const ORDER_PAIRS: [u32; ORDER_BYTES + 1] = {
    const fn byte(i: usize) -> u32 {
        (ORDER_LIMBS[i / 2] >> (8 * (i % 2)) & 255) as u32
    }
    let mut pairs = [0; ORDER_BYTES + 1];
    let mut j = 0;
    while j <= ORDER_BYTES {
        pairs[j] = if j == 0 { 0 } else { byte(j - 1) } + 256 * byte(j);
        j += 1;
    }
    assert!(ORDER_LIMBS[14] == 0 && ORDER_LIMBS[15] == 0);
    pairs
};

/// ρ_{2k−a}, where it is not 0.
#[must_use]
pub const fn order_pair(k: usize, a: usize) -> Option<u32> {
    match (2 * k + 1).checked_sub(a) {
        Some(j) if j <= ORDER_BYTES => Some(ORDER_PAIRS[j]),
        _ => None,
    }
}

/// The columns of one relation u·s + w = q·r.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a, E> {
    /// U_i.
    pub u: &'a [E; U_BYTES],
    /// s_j.
    pub scalar: &'a [E; SCALAR_BYTES],
    /// w_k, low first.
    pub addend: &'a [E],
    /// q_a.
    pub quotient: &'a [E; QUOTIENT_BYTES],
    /// low_k.
    pub carry_low: &'a [E; CARRIES],
    /// high_k.
    pub carry_high: &'a [E; CARRIES],
    /// 1 on rows with an operation, else 0.
    pub real: &'a E,
}

/// Asserts the 23 equations. Degree 2.
#[inline]
pub fn assert_product<S: ConstraintSink>(sink: &mut S, label: Label, columns: &Product<'_, S::Expr>) {
    let &Product { u, scalar, addend, quotient, carry_low, carry_high, real } = columns;
    let byte = sink.constant(256);
    let u: [S::Expr; U_BYTES] = array::from_fn(|i| match i {
        0 => u[i].clone() + sink.constant(1),
        13 => u[i].clone() - sink.constant(128),
        _ => u[i].clone(),
    });
    // Index j holds p_{j−1}.
    let pairs: [S::Expr; SCALAR_BYTES + 1] = array::from_fn(|j| match j {
        0 => byte.clone() * scalar[0].clone(),
        SCALAR_BYTES => scalar[SCALAR_BYTES - 1].clone(),
        _ => scalar[j - 1].clone() + byte.clone() * scalar[j].clone(),
    });
    let radix = sink.constant(1 << 16);
    let offset = sink.constant(CARRY_OFFSET) * real.clone();
    let mut carry_in = None;
    for k in 0..POSITIONS {
        let mut total = addend.get(k).cloned().unwrap_or_else(|| sink.constant(0));
        for (i, u) in u.iter().enumerate() {
            if let Some(j) = (2 * k + 1).checked_sub(i)
                && let Some(pair) = pairs.get(j)
            {
                total = total + u.clone() * pair.clone();
            }
        }
        for (a, q) in quotient.iter().enumerate() {
            if let Some(pair) = order_pair(k, a) {
                total = total - sink.constant(pair) * q.clone();
            }
        }
        if let Some(carry_in) = carry_in {
            total = total + carry_in;
        }
        carry_in = (k < CARRIES).then(|| {
            carry_low[k].clone() + sink.constant(CARRY_STEP) * carry_high[k].clone() - offset.clone()
        });
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

    /// Least and greatest t_k for any bytes, any k in VERIFY's s_0 + k, and |w_k| ≤ 2^16.
    fn bounds(position: usize) -> (i64, i64) {
        let pair = |j: usize| match j {
            0 => 256 * 259,
            1 => 259 + 256 * 255,
            2..SCALAR_BYTES => 255 + 256 * 255,
            SCALAR_BYTES => 255,
            _ => 0,
        };
        let u = |i: usize| match i {
            0 => (1, 256),
            13 => (-128, 127),
            _ => (0, 255),
        };
        let (mut least, mut greatest) = (-(1 << 16), 1 << 16);
        for i in 0..U_BYTES {
            if let Some(j) = (2 * position + 1).checked_sub(i) {
                let (low, high) = u(i);
                least += low.min(0) * pair(j);
                greatest += high * pair(j);
            }
        }
        let rho = |a: usize| i64::from(order_pair(position, a).unwrap_or(0));
        least -= (0..QUOTIENT_BYTES).map(|a| 255 * rho(a)).sum::<i64>();
        (least, greatest)
    }

    #[test]
    fn equations_cannot_wrap() {
        let (carry_least, carry_greatest) =
            (-i64::from(CARRY_OFFSET), 255 + 255 * i64::from(CARRY_STEP) - i64::from(CARRY_OFFSET));
        assert_eq!((carry_least, carry_greatest), (-8192, 8383));
        for position in 0..POSITIONS {
            let (least, greatest) = bounds(position);
            assert!(-327_000_000 < least && greatest < 230_000_000, "{position}: {least} {greatest}");
            let low = least + carry_least - (carry_greatest << 16);
            let high = greatest + carry_greatest - (carry_least << 16);
            assert!(-880_000_000 < low && high < 880_000_000 && 880_000_000 < P);
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
            assert!(-5000 < least && greatest < 5000, "{position}: {least} {greatest}");
        }
        // Every carry in range has two bytes.
        let mut reached = [false; 8192 + 8384];
        for high in 0..256 {
            for low in 0..256 {
                reached[low + 64 * high] = true;
            }
        }
        assert!(reached.iter().all(|&reached| reached));
    }

    #[test]
    fn order_pairs_are_the_order() {
        let byte = |j: usize| u32::from(ORDER_LIMBS[j / 2] >> (8 * (j % 2)) & 255);
        for k in 0..POSITIONS {
            for a in 0..QUOTIENT_BYTES {
                let at = |j: Option<usize>| j.filter(|&j| j < ORDER_BYTES).map_or(0, byte);
                let pair = at((2 * k).checked_sub(a)) + 256 * at((2 * k + 1).checked_sub(a));
                assert_eq!(order_pair(k, a).unwrap_or(0), pair);
            }
        }
    }
}
