//! Half-size scalars, quotients and carries: the integers of the control tables. Variable time.

use crypto_bigint::{NonZero, U256, U512};
use septic_chips::half::product::{CARRIES, CARRY_OFFSET, CARRY_STEP, POSITIONS, QUOTIENT_BYTES, order_pair};
use septic_chips::half::{HALF_LIMBS, SCALAR_BYTES, U_BYTES};
use septic_curve::Scalar256;
use septic_curve::params::ORDER;

/// ⌊√r⌋.
const ORDER_ROOT: U256 =
    U256::from_be_hex("0000000000000000000000000000000000001603c481895267dffd5dddad78db");

/// K = 2^111 − 1: U = u + K, W = w + K.
const SHIFT: u128 = (1 << 111) - 1;

/// The low 128 bits.
fn low(x: &U256) -> u128 {
    let bytes = x.to_le_bytes();
    let mut word = [0; 16];
    word.copy_from_slice(&bytes.as_ref()[..16]);
    u128::from_le_bytes(word)
}

/// A pair with u·s + w ≡ 0 modulo r, 0 < u, both at most √r in absolute value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HalfPair {
    /// u.
    pub(crate) u: u128,
    /// |w|.
    magnitude: u128,
    /// w < 0.
    negative: bool,
}

impl HalfPair {
    /// The pair of s, by the Euclidean algorithm for r and s mod r, stopped at the first remainder below √r: then
    /// t·s ≡ remainder, and |t| ≤ r/(remainder before) < √r.
    pub(crate) fn new(s: &Scalar256) -> Self {
        let order = NonZero::new(ORDER).expect("the order is not 0");
        let (mut before, mut rest) = (ORDER, s.to_uint().rem_vartime(&order));
        let (mut t_before, mut t, mut positive) = (0u128, 1u128, true);
        while rest > ORDER_ROOT {
            let divisor = NonZero::new(rest).expect("greater than the root");
            let (quotient, remainder) = before.div_rem_vartime(&divisor);
            (before, rest) = (rest, remainder);
            // The signs of t alternate, so magnitudes add up.
            (t_before, t) = (t, t_before + low(&quotient) * t);
            positive = !positive;
        }
        let magnitude = low(&rest);
        Self { u: t, magnitude, negative: positive && magnitude != 0 }
    }

    /// u = w = 0: what a forger would like.
    #[cfg(test)]
    pub(crate) const fn trivial() -> Self {
        Self { u: 0, magnitude: 0, negative: false }
    }

    /// The pair of U and W, if u is not negative.
    #[cfg(test)]
    pub(crate) fn from_shifted(u: u128, w: u128) -> Self {
        Self { u: u.checked_sub(SHIFT).expect("u ≥ 0"), magnitude: w.abs_diff(SHIFT), negative: w < SHIFT }
    }

    /// U.
    pub(crate) const fn u_shifted(&self) -> u128 {
        self.u + SHIFT
    }

    /// W.
    pub(crate) const fn w_shifted(&self) -> u128 {
        if self.negative { SHIFT - self.magnitude } else { SHIFT + self.magnitude }
    }
}

/// Little-endian bytes of U or W.
pub(crate) fn half_bytes(x: u128) -> [u8; U_BYTES] {
    let mut bytes = [0; U_BYTES];
    bytes.copy_from_slice(&x.to_le_bytes()[..U_BYTES]);
    bytes
}

/// Little-endian bytes of a scalar.
pub(crate) fn scalar_bytes(s: &Scalar256) -> [u8; SCALAR_BYTES] {
    let mut bytes = [0; SCALAR_BYTES];
    for (chunk, limb) in bytes.chunks_exact_mut(4).zip(s.to_le_limbs()) {
        chunk.copy_from_slice(&limb.to_le_bytes());
    }
    bytes
}

/// The witness of u·(s + k) + w = q·r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProductWitness {
    pub(crate) quotient: [u8; QUOTIENT_BYTES],
    pub(crate) carry_low: [u8; CARRIES],
    pub(crate) carry_high: [u8; CARRIES],
}

impl ProductWitness {
    /// u·s + w = q·r for a pair of s.
    pub(crate) fn of_pair(pair: &HalfPair, s: &Scalar256) -> Self {
        let product: U512 = U256::from(pair.u).concatenating_mul(&s.to_uint());
        let w = U512::from(pair.magnitude);
        let sum = if pair.negative { product.wrapping_sub(&w) } else { product.wrapping_add(&w) };
        let (quotient, _) = sum.div_rem_vartime(&order());
        // w in limbs of 16 bits: those of W and 1 − 2^111.
        let w_shifted = pair.w_shifted();
        let addend = |k: usize| {
            let limb = if k < HALF_LIMBS { i64::from(limb16(w_shifted, k)) } else { 0 };
            limb + i64::from(k == 0) - if k == HALF_LIMBS - 1 { 1 << 15 } else { 0 }
        };
        Self::new(pair.u_shifted(), s, 0, addend, &quotient)
    }

    /// u·(s + k) + g = q·r with 0 ≤ g < r; returns g, low and high 112 bits.
    pub(crate) fn of_sum(pair: &HalfPair, s: &Scalar256, k: u8) -> (Self, [u128; 2]) {
        let u = U256::from(pair.u);
        let product: U512 = u.concatenating_mul(&s.to_uint());
        let extra: U512 = u.concatenating_mul(&U256::from(k));
        let (quotient, rest) = product.wrapping_add(&extra).div_rem_vartime(&order());
        let rest = rest.resize::<{ U256::LIMBS }>();
        let (quotient, g) = if rest == U256::ZERO {
            (quotient, U256::ZERO)
        } else {
            (quotient.wrapping_add(&U512::ONE), ORDER.wrapping_sub(&rest))
        };
        let halves = [low(&g) & ((1 << 112) - 1), low(&g.shr_vartime(112))];
        let limb = |k: usize| i64::from(limb16(halves[usize::from(k >= HALF_LIMBS)], k % HALF_LIMBS));
        let addend = |k: usize| if k < 2 * HALF_LIMBS { limb(k) } else { 0 };
        (Self::new(pair.u_shifted(), s, k, addend, &quotient), halves)
    }

    fn new(u_shifted: u128, s: &Scalar256, k: u8, addend: impl Fn(usize) -> i64, quotient: &U512) -> Self {
        let bytes = quotient.to_le_bytes();
        let (kept, rest) = bytes.as_ref().split_at(QUOTIENT_BYTES);
        debug_assert!(rest.iter().all(|&byte| byte == 0), "q is below 2^152");
        let mut quotient = [0; QUOTIENT_BYTES];
        quotient.copy_from_slice(kept);

        let mut u = half_bytes(u_shifted).map(i64::from);
        u[0] += 1;
        u[U_BYTES - 1] -= 128;
        let mut scalar = scalar_bytes(s).map(i64::from);
        scalar[0] += i64::from(k);
        // Index j holds p_{j−1}.
        let pairs: [i64; SCALAR_BYTES + 1] = core::array::from_fn(|j| {
            j.checked_sub(1).map_or(0, |j| scalar[j]) + 256 * scalar.get(j).copied().unwrap_or(0)
        });
        let (mut carry_low, mut carry_high) = ([0; CARRIES], [0; CARRIES]);
        let mut carry = 0;
        for position in 0..POSITIONS {
            let mut total = addend(position) + carry;
            for (i, u) in u.iter().enumerate() {
                let pair = (2 * position + 1).checked_sub(i).and_then(|j| pairs.get(j));
                total += u * pair.copied().unwrap_or(0);
            }
            for (a, &q) in quotient.iter().enumerate() {
                total -= i64::from(q) * i64::from(order_pair(position, a).unwrap_or(0));
            }
            debug_assert_eq!(total & 0xffff, 0, "position {position}");
            carry = total >> 16;
            if position < CARRIES {
                let shifted = u32::try_from(carry + i64::from(CARRY_OFFSET)).unwrap_or_default();
                let high = u8::try_from(shifted / CARRY_STEP).unwrap_or(u8::MAX);
                carry_high[position] = high;
                carry_low[position] = u8::try_from(shifted - CARRY_STEP * u32::from(high)).unwrap_or(u8::MAX);
            }
        }
        debug_assert_eq!(carry, 0, "the highest position carries nothing");
        Self { quotient, carry_low, carry_high }
    }
}

fn order() -> NonZero<U512> {
    NonZero::new(ORDER.resize()).expect("the order is not 0")
}

/// The 16-bit limb of weight 2^(16·k).
pub(crate) fn limb16(x: u128, k: usize) -> u16 {
    u16::try_from(x >> (16 * k) & 0xffff).unwrap_or_default()
}
