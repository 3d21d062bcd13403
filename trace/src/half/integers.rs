//! Half-size scalars, quotients and carries. Variable time.

use core::array;

use septic_chips::generator::WINDOWS;
use septic_chips::half::product::{
    CARRIES, CARRY_OFFSET, POSITIONS, QUOTIENT_LIMBS, U_BYTES, W_LIMBS, order_limb, quotient_bits,
    quotient_exponent,
};
use septic_chips::half::{DIGITS, SCALAR_BYTES, STEPS};
use septic_curve::{Scalar, half};

/// u·s + w = q·r with 0 < u, and u and w at most √r in absolute value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HalfPair {
    /// u.
    pub(crate) u: u128,
    /// |w|.
    magnitude: u128,
    /// w < 0.
    negative: bool,
    /// q.
    pub(crate) quotient: u128,
}

impl HalfPair {
    /// The pair of s.
    pub(crate) fn new(s: &Scalar) -> Self {
        // There w is on the other side.
        let half::HalfPair { u, w, negative, quotient } = half::HalfPair::new(s);
        Self { u, magnitude: w, negative: !negative && w != 0, quotient }
    }

    /// u − 1, whose bits are the signs of the steps. `u` is not 0.
    pub(crate) const fn u_digits(&self) -> u128 {
        self.u.wrapping_sub(1)
    }

    /// w + 2^109 − 1, whose bits are the signs of the second base.
    pub(crate) const fn w_digits(&self) -> u128 {
        const SHIFT: u128 = (1 << STEPS) - 1;
        if self.negative { SHIFT.wrapping_sub(self.magnitude) } else { SHIFT.wrapping_add(self.magnitude) }
    }

    /// Whether step `i` adds: its sign. Most significant first.
    pub(crate) const fn sign(&self, i: usize) -> bool {
        self.u_digits() >> (STEPS - 1 - i) & 1 == 1
    }

    /// Whether digit `i` of u differs from that of w.
    pub(crate) const fn swap(&self, i: usize) -> bool {
        let sign = i == 0 || self.sign(i - 1);
        sign != (self.w_digits() >> (DIGITS - 1 - i) & 1 == 1)
    }
}

/// Little-endian bytes of a scalar.
pub(crate) fn scalar_bytes(s: &Scalar) -> [u8; SCALAR_BYTES] {
    let mut bytes = [0; SCALAR_BYTES];
    bytes.copy_from_slice(&s.to_uint().to_le_bytes().as_ref()[..SCALAR_BYTES]);
    bytes
}

/// The windows of a scalar: 26 bytes, and a last one of 9 bits.
pub(crate) fn windows(s: &Scalar) -> [u16; WINDOWS] {
    let bytes = scalar_bytes(s);
    array::from_fn(|w| u16::from(bytes[w]) + if w + 1 == WINDOWS { u16::from(bytes[w + 1]) << 8 } else { 0 })
}

/// The witness of u·s + w = q·r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProductWitness {
    pub(crate) quotient: [u8; QUOTIENT_LIMBS],
    /// Carries with [`CARRY_OFFSET`] added.
    pub(crate) carry: [u16; CARRIES],
}

impl ProductWitness {
    /// u·s + w = q·r for a pair of s.
    pub(crate) fn new(pair: &HalfPair, s: &Scalar) -> Self {
        let mut u: [i64; U_BYTES] = bytes(pair.u_digits()).map(i64::from);
        u[0] += 1;
        let w_digits = pair.w_digits();
        let mut w: [i64; W_LIMBS] = array::from_fn(|k| i64::from(limb(w_digits, 16 * k, 16)));
        w[0] += 1;
        w[W_LIMBS - 1] -= 1 << 13;
        let scalar = scalar_bytes(s).map(i64::from);
        let quotient: [u8; QUOTIENT_LIMBS] = array::from_fn(|a| {
            u8::try_from(limb(pair.quotient, quotient_exponent(a), quotient_bits(a))).unwrap_or(u8::MAX)
        });

        // Index j holds p_{j−1}.
        let pairs: [i64; SCALAR_BYTES + 1] = array::from_fn(|j| {
            j.checked_sub(1).map_or(0, |j| scalar[j]) + 256 * scalar.get(j).copied().unwrap_or(0)
        });
        let mut carry = [0; CARRIES];
        let mut carry_in = 0;
        for position in 0..POSITIONS {
            let mut total = w.get(position).copied().unwrap_or(0) + carry_in;
            for (i, u) in u.iter().enumerate() {
                let pair = (2 * position + 1).checked_sub(i).and_then(|j| pairs.get(j));
                total += u * pair.copied().unwrap_or(0);
            }
            for (a, &q) in quotient.iter().enumerate() {
                total -= i64::from(q) * i64::from(order_limb(a, position));
            }
            debug_assert_eq!(total & 0xffff, 0, "position {position}");
            carry_in = total >> 16;
            if let Some(carry) = carry.get_mut(position) {
                *carry = u16::try_from(carry_in + i64::from(CARRY_OFFSET)).unwrap_or_default();
            }
        }
        debug_assert_eq!(carry_in, 0, "the highest position carries nothing");
        Self { quotient, carry }
    }
}

/// Little-endian bytes of the low end of a number.
fn bytes<const N: usize>(x: u128) -> [u8; N] {
    let bytes = x.to_le_bytes();
    array::from_fn(|i| bytes[i])
}

/// The `bits` bits of a number from bit `from` on.
pub(crate) fn limb(x: u128, from: usize, bits: usize) -> u32 {
    u32::try_from(x >> from & ((1 << bits) - 1)).unwrap_or_default()
}
