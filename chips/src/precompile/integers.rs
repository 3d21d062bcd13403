//! u·s + w = q·r for scalars of 256 bits, and their reduction modulo r; both over the integers, 16 bits at a time.
//!
//! ## Product
//! | number | shape | is |
//! |--------|-------|----|
//! | u | 14 bytes u_i | bytes of the number with the signs as bits, `live` added to u_0 |
//! | s | 16 limbs of 16 bits | as memory holds it; `low` are the low bytes of the limbs |
//! | w | 7 limbs w_k of 16 bits | limbs of W = Σ W_i·2^(109 − i), `active + unit` added to w_0, 2^13·`active` taken off w_6 |
//! | q | 19 bytes q_a | Σ q_a·256^a |
//! | c_k, 0 ≤ k < 22 | a number of 14 bits | carry_k − 8192·real |
//!
//! With bytes s_j of s, p_j = s_j + 256·s_{j+1} (bytes outside the number are 0; p_{2l} is limb l) and ρ_{a,k} the 16 bits of
//! r·256^a from 16k on, position k < 23 asks t_k + c_{k−1} = 2^16·c_k, with
//! t_k = Σ_i u_i·p_{2k−i} + w_k − Σ_a q_a·ρ_{a,k} and c_{−1} = c_22 = 0. The t_k·2^(16k) sum up to u·s + w − q·r, so the
//! equations over the integers are equivalent to u·s + w = q·r.
//!
//! *No wrap modulo p.* Σ u_i ≤ 256 + 13·255, so t_k ≤ 2.35·10^8; q_a·ρ_{a,k} sum up to at most 19·255·65535 < 3.18·10^8, and
//! w_k ≥ −2^13 − 1; carries are in [−8192, 8191]: |t_k + c_{k−1} − 2^16·c_k| < 3.18·10^8 + 5.37·10^8 + 10^5 < p.
//! *Every honest carry fits*: |c_k| ≤ (|t_k| + |c_{k−1}|)/2^16 < 4900.
//!
//! ## Reduction
//! n + k·r = s + δ + r·real: n = Σ D_w·2^(5w) with 44 windows D_w in [0, 32), k of 5 bytes, δ a small number, carries of 12
//! bits with 2048 taken off. Position k < 16 holds D_w·2^(5w − 16k) for the windows that start in it. The sums are below
//! 2^21 + 5·255·65535 < 8.6·10^7 in absolute value, 2^16·c below 1.35·10^8: no wrap; honest carries are in [−890, 1].
//! For every s below 2^256 and −2 ≤ δ ≤ 1 there is a solution with 0 ≤ n < r: k = ⌊(s + δ + r)/r⌋ ≤ 2^39.1.

use core::array;

use septic_curve::Ring;

use super::SCALAR_LIMBS;
use super::points::WINDOWS;
use crate::bus::{Bus, Count, MessageSink};
use crate::half::product::{U_BYTES, W_LIMBS, assert_carries, shifted_order_limb};
use crate::half::{DIGITS, STEPS, limbs};
use crate::sink::{ConstraintSink, Label};

/// Bytes of the quotient q.
pub const QUOTIENT_BYTES: usize = 19;
/// Positions of the product.
pub const POSITIONS: usize = CARRIES + 1;
/// Carries of the product.
pub const CARRIES: usize = 22;
/// Bits of a carry of the product.
pub const CARRY_BITS: u32 = 14;
/// What is taken off a carry of the product.
pub const CARRY_OFFSET: u32 = 1 << (CARRY_BITS - 1);

/// Bytes of the quotient of a reduction.
pub const REDUCTION_BYTES: usize = 5;
/// Carries of a reduction.
pub const REDUCTION_CARRIES: usize = SCALAR_LIMBS - 1;
/// Bits of a carry of a reduction.
pub const REDUCTION_CARRY_BITS: u32 = 12;
/// What is taken off a carry of a reduction.
pub const REDUCTION_CARRY_OFFSET: u32 = 1 << (REDUCTION_CARRY_BITS - 1);

/// The columns of u·s + w = q·r, and expressions in other columns.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a, E> {
    /// 1 on rows with an operation.
    pub real: &'a E,
    /// 1 if u is not 0.
    pub live: &'a E,
    /// 1 if the chain runs.
    pub active: &'a E,
    /// What w is besides: 1, 0 or −1.
    pub unit: &'a E,
    /// The bits of u − 1, most significant first.
    pub u_bits: &'a [E; STEPS],
    /// The bits W_i, most significant first.
    pub w_bits: &'a [E; DIGITS],
    /// s, 16 bits a limb, low first.
    pub scalar: &'a [E; SCALAR_LIMBS],
    /// The low byte of each limb of s.
    pub low: &'a [E; SCALAR_LIMBS],
    /// q_a.
    pub quotient: &'a [E; QUOTIENT_BYTES],
    /// carry_k.
    pub carry: &'a [E; CARRIES],
}

/// 1/256 modulo p.
const INVERSE_OF_256: u32 = {
    // p = 127·2^24 + 1
    let p = 0x7f00_0001_u32;
    p - (p - 1) / 256
};

/// The high bytes of limbs: (limb − low)/256, given 1/256. Degree 1.
#[inline]
fn high_bytes<E: Ring>(
    inverse_of_256: &E,
    scalar: &[E; SCALAR_LIMBS],
    low: &[E; SCALAR_LIMBS],
) -> [E; SCALAR_LIMBS] {
    array::from_fn(|l| inverse_of_256.clone() * (scalar[l].clone() - low[l].clone()))
}

/// Asserts the 23 equations of a product. Degree 2.
#[inline]
pub fn assert_product<S: ConstraintSink>(sink: &mut S, label: Label, columns: &Product<'_, S::Expr>) {
    let &Product { real, live, active, unit, u_bits, w_bits, scalar, low, quotient, carry } = columns;
    let mut u: [S::Expr; U_BYTES] = limbs::<S, 8, U_BYTES>(sink, u_bits);
    u[0] = u[0].clone() + live.clone();
    let mut w: [S::Expr; W_LIMBS] = limbs::<S, 16, W_LIMBS>(sink, w_bits);
    w[0] = w[0].clone() + active.clone() + unit.clone();
    w[W_LIMBS - 1] = w[W_LIMBS - 1].clone() - sink.constant(1 << 13) * active.clone();
    let high = high_bytes(&sink.constant(INVERSE_OF_256), scalar, low);
    let byte = sink.constant(256);
    // Index j holds p_{j−1}.
    let pairs: [S::Expr; 2 * SCALAR_LIMBS + 1] = array::from_fn(|j| match j {
        0 => byte.clone() * low[0].clone(),
        _ if j % 2 == 1 => scalar[j / 2].clone(),
        _ if j == 2 * SCALAR_LIMBS => high[SCALAR_LIMBS - 1].clone(),
        _ => high[j / 2 - 1].clone() + byte.clone() * low[j / 2].clone(),
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
        subtract_multiple(sink, total, quotient, k)
    });
    assert_carries(sink, label, totals, carry, CARRY_OFFSET, real);
}

/// `total` less position k of r times the number with bytes `quotient`.
#[inline]
fn subtract_multiple<S: ConstraintSink>(
    sink: &S,
    mut total: S::Expr,
    quotient: &[S::Expr],
    k: usize,
) -> S::Expr {
    for (a, q) in quotient.iter().enumerate() {
        let limb = shifted_order_limb(8 * a, k);
        if limb != 0 {
            total = total - sink.constant(limb) * q.clone();
        }
    }
    total
}

/// Labels of a product's messages.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // named as the messages in the tables' docs
pub struct ProductMessages {
    pub scalar: Label,
    pub quotient: Label,
    pub carry: Label,
}

/// Range checks of a product: 16 + 10 messages of bytes, 22 of carries.
#[inline]
pub fn product_messages<S: MessageSink>(
    sink: &mut S,
    labels: ProductMessages,
    real: &S::Expr,
    [scalar, low]: [&[S::Expr; SCALAR_LIMBS]; 2],
    quotient: &[S::Expr; QUOTIENT_BYTES],
    carry: &[S::Expr; CARRIES],
) {
    let high = high_bytes(&sink.constant(INVERSE_OF_256), scalar, low);
    for (low, high) in low.iter().zip(high) {
        let fields = alloc::vec![low.clone(), high];
        sink.message(labels.scalar, Bus::Bytes, Count::Send(real.clone()), fields);
    }
    byte_messages(sink, labels.quotient, real, quotient);
    range_messages(sink, labels.carry, real, carry, CARRY_BITS);
}

/// Numbers that are bytes, two a message.
#[inline]
fn byte_messages<S: MessageSink>(sink: &mut S, label: Label, real: &S::Expr, bytes: &[S::Expr]) {
    for pair in bytes.chunks(2) {
        let second = pair.get(1).cloned().unwrap_or_else(|| sink.constant(0));
        let fields = alloc::vec![pair[0].clone(), second];
        sink.message(label, Bus::Bytes, Count::Send(real.clone()), fields);
    }
}

/// Numbers of `bits` bits, one a message.
#[inline]
fn range_messages<S: MessageSink>(
    sink: &mut S,
    label: Label,
    real: &S::Expr,
    numbers: &[S::Expr],
    bits: u32,
) {
    for number in numbers {
        let fields = alloc::vec![number.clone(), sink.constant(bits)];
        sink.message(label, Bus::Range, Count::Send(real.clone()), fields);
    }
}

/// The columns of a reduction, and expressions in other columns.
#[derive(Clone, Copy, Debug)]
pub struct Reduction<'a, E> {
    /// 1 on rows with an operation.
    pub real: &'a E,
    /// s, 16 bits a limb, low first.
    pub scalar: &'a [E; SCALAR_LIMBS],
    /// δ.
    pub shift: &'a E,
    /// D_w.
    pub windows: &'a [E; WINDOWS],
    /// Bytes of k.
    pub quotient: &'a [E; REDUCTION_BYTES],
    /// Carries.
    pub carry: &'a [E; REDUCTION_CARRIES],
}

/// Asserts the 16 equations of a reduction. Degree of the windows, at least 1.
#[inline]
pub fn assert_reduction<S: ConstraintSink>(sink: &mut S, label: Label, columns: &Reduction<'_, S::Expr>) {
    let &Reduction { real, scalar, shift, windows, quotient, carry } = columns;
    let totals: [S::Expr; SCALAR_LIMBS] = array::from_fn(|k| {
        // s + δ + r·real − n − k·r
        let mut total = scalar[k].clone() + sink.constant(shifted_order_limb(0, k)) * real.clone();
        if k == 0 {
            total = total + shift.clone();
        }
        for (w, window) in windows.iter().enumerate().filter(|(w, _)| 5 * w / 16 == k) {
            total = total - sink.constant(1 << (5 * w % 16)) * window.clone();
        }
        subtract_multiple(sink, total, quotient, k)
    });
    assert_carries(sink, label, totals, carry, REDUCTION_CARRY_OFFSET, real);
}

/// Range checks of a reduction: 3 messages of bytes, 15 of carries.
#[inline]
pub fn reduction_messages<S: MessageSink>(
    sink: &mut S,
    [quotient_label, carry_label]: [Label; 2],
    real: &S::Expr,
    quotient: &[S::Expr; REDUCTION_BYTES],
    carry: &[S::Expr; REDUCTION_CARRIES],
) {
    byte_messages(sink, quotient_label, real, quotient);
    range_messages(sink, carry_label, real, carry, REDUCTION_CARRY_BITS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::ORDER_LIMBS;

    const P: i64 = 0x7f00_0001;

    /// Least and greatest sum of a position, for numbers in their ranges.
    type Bounds = (i64, i64);

    fn order_multiple(bytes: usize, k: usize) -> i64 {
        (0..bytes).map(|a| 255 * i64::from(shifted_order_limb(8 * a, k))).sum()
    }

    fn product_bounds(k: usize) -> Bounds {
        let pair = |j: i64| match j {
            -1 => 255 * 256,
            0..31 => 65_535,
            31 => 255,
            _ => 0,
        };
        // Bytes of u − 1 < 2^109, 1 added to the lowest.
        let byte = |i: usize| match i {
            0 => 256,
            13 => 31,
            _ => 255,
        };
        let position = i64::try_from(2 * k).expect("few");
        let u: i64 = (0..14).map(|i| byte(i) * pair(position - i64::try_from(i).expect("few"))).sum();
        let (least, greatest) = match k {
            0 => (-1, 65_537),
            1..6 => (0, 65_535),
            6 => (-(1 << 13), (1 << 14) - 1),
            _ => (0, 0),
        };
        (least - order_multiple(QUOTIENT_BYTES, k), u + greatest)
    }

    fn reduction_bounds(k: usize) -> Bounds {
        let order = i64::from(shifted_order_limb(0, k));
        let (least, greatest) = if k == 0 { (-2, 1) } else { (0, 0) };
        let windows: i64 = (0..WINDOWS).filter(|w| 5 * w / 16 == k).map(|w| 31 << (5 * w % 16)).sum();
        (order + least - windows - order_multiple(REDUCTION_BYTES, k), 65_535 + order + greatest)
    }

    /// No equation wraps modulo p, and honest carries are in the range; their least and greatest.
    fn check(positions: usize, offset: u32, bounds: impl Fn(usize) -> Bounds) -> Bounds {
        let offset = i64::from(offset);
        let (mut carries, mut all) = ((0, 0), (0, 0));
        for k in 0..positions {
            let (least, greatest) = bounds(k);
            let (first, last) = (k == 0, k + 1 == positions);
            let carry_in = if first { (0, 0) } else { (-offset, offset - 1) };
            let carry_out = if last { (0, 0) } else { (-offset, offset - 1) };
            let low = least + carry_in.0 - (carry_out.1 << 16);
            let high = greatest + carry_in.1 - (carry_out.0 << 16);
            assert!(-P < low && high < P, "position {k}: {low} {high}");
            carries = ((least + carries.0) >> 16, (greatest + carries.1) >> 16);
            assert!(-offset <= carries.0 && carries.1 < offset, "position {k}: {carries:?}");
            all = (all.0.min(carries.0), all.1.max(carries.1));
        }
        all
    }

    #[test]
    fn equations_cannot_wrap_and_honest_carries_fit() {
        let (least, greatest) = check(POSITIONS, CARRY_OFFSET, product_bounds);
        assert!(-4900 < least && greatest < 4900);
        assert_eq!(check(SCALAR_LIMBS, REDUCTION_CARRY_OFFSET, reduction_bounds), (-890, 1));
    }

    /// The positions hold all of r·256^a and all windows.
    #[test]
    fn positions_are_enough() {
        for a in 0..QUOTIENT_BYTES {
            assert!((POSITIONS..POSITIONS + 16).all(|k| shifted_order_limb(8 * a, k) == 0));
            assert!((0..ORDER_LIMBS.len()).any(|k| shifted_order_limb(8 * a, k + a / 2) != 0));
        }
        for a in 0..REDUCTION_BYTES {
            assert!((SCALAR_LIMBS..SCALAR_LIMBS + 16).all(|k| shifted_order_limb(8 * a, k) == 0));
        }
        const { assert!(5 * (WINDOWS - 1) / 16 < SCALAR_LIMBS) };
    }

    #[test]
    fn inverse_of_256() {
        assert_eq!(u64::from(INVERSE_OF_256) * 256 % 0x7f00_0001, 1);
    }
}
