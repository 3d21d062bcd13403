//! What the septic extension K can do because it is a field: inverse, Frobenius, square root, canonical limbs.
//!
//! K* has order p⁷ − 1 and N(x) = x^(1 + p + … + p⁶) is the norm to F_p. Since x^(p^k) is a linear map on the
//! coefficients (z ↦ z^(p^k)), inverses and square roots in K cost a few products and one inverse or root in F_p.

use alloc::vec::Vec;
use core::fmt;

use p3_field::{Algebra, Field, PackedField, PackedValue, PrimeCharacteristicRing, PrimeField32};
use p3_koala_bear::KoalaBear;
use subtle::{Choice, ConditionallySelectable};

use crate::{DEGREE, Septic};

/// An element of K: seven KoalaBear coefficients, low degree first.
///
/// ```
/// use septic_curve::Fp7;
///
/// let z = Fp7::from_u32s([0, 1, 0, 0, 0, 0, 0]);
/// assert_eq!(z.power(7), Fp7::from_u32s([5, 3, 0, 0, 0, 0, 0]), "z⁷ = 3z + 5");
///
/// let x = Fp7::from_canonical([7, 6, 5, 4, 3, 2, 1])?;
/// assert_eq!(x * x.inverse(), Fp7::ONE);
/// assert_eq!((x * x).try_sqrt(), Some(x));
/// assert_eq!((x + z).frobenius(1), x.frobenius(1) + z.frobenius(1));
/// assert!(Fp7::from_canonical([0x7f00_0001, 0, 0, 0, 0, 0, 0]).is_err(), "p is not canonical");
/// # Ok::<(), septic_curve::LimbError>(())
/// ```
pub type Fp7 = Septic<KoalaBear>;

/// The characteristic p = 2³¹ − 2²⁴ + 1.
pub(crate) const P: u32 = KoalaBear::ORDER_U32;

/// A coefficient that is not the canonical representative of a residue modulo p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("coefficient {index} is {value}, not below p = {P}")]
#[non_exhaustive]
pub struct LimbError {
    /// Which coefficient, 0..7, low degree first.
    pub index: usize,
    /// Its value, at least p.
    pub value: u32,
}

/// Residues modulo p as integers, for tables that are computed by the compiler.
pub(crate) mod table {
    use super::{DEGREE, P};

    /// Canonical coefficients, low degree first.
    pub(crate) type Limbs = [u32; DEGREE];

    /// Product in K of canonical coefficients.
    pub(crate) const fn mul(a: &Limbs, b: &Limbs) -> Limbs {
        let p = P as u64;
        let mut wide = [0_u64; 2 * DEGREE - 1];
        let mut i = 0;
        while i < DEGREE {
            let mut j = 0;
            while j < DEGREE {
                wide[i + j] = (wide[i + j] + a[i] as u64 * b[j] as u64) % p;
                j += 1;
            }
            i += 1;
        }
        // z^k = 3z^(k−6) + 5z^(k−7).
        let mut k = 2 * DEGREE - 2;
        while k >= DEGREE {
            wide[k - 6] = (wide[k - 6] + 3 * wide[k]) % p;
            wide[k - 7] = (wide[k - 7] + 5 * wide[k]) % p;
            k -= 1;
        }
        let mut out = [0; DEGREE];
        let mut i = 0;
        while i < DEGREE {
            #[allow(clippy::cast_possible_truncation, reason = "reduced modulo p < 2³¹")]
            let limb = wide[i] as u32;
            out[i] = limb;
            i += 1;
        }
        out
    }

    /// z^(p^power).
    const fn frobenius_of_z(power: usize) -> Limbs {
        let mut out = [0, 1, 0, 0, 0, 0, 0];
        let mut round = 0;
        while round < power {
            let base = out;
            // Square and multiply by the bits of p below its leading one.
            let mut bit = P.ilog2();
            while bit > 0 {
                bit -= 1;
                out = mul(&out, &out);
                if P >> bit & 1 == 1 {
                    out = mul(&out, &base);
                }
            }
            round += 1;
        }
        out
    }

    /// The powers 1, …, 6 of z^(p^power).
    pub(super) const fn images(power: usize) -> [Limbs; DEGREE - 1] {
        let step = frobenius_of_z(power);
        let mut out = [step; DEGREE - 1];
        let mut i = 1;
        while i < DEGREE - 1 {
            out[i] = mul(&out[i - 1], &step);
            i += 1;
        }
        out
    }
}

/// Row j of the linear map x ↦ x^(p^power) without its first column: entry i is the coefficient of z^j in
/// (z^(i+1))^(p^power). The first column is (1, 0, …, 0).
type FrobeniusRows = [[KoalaBear; DEGREE - 1]; DEGREE];

const fn frobenius_rows(power: usize) -> FrobeniusRows {
    let images = table::images(power);
    let mut rows = [[KoalaBear::new(0); DEGREE - 1]; DEGREE];
    let mut j = 0;
    while j < DEGREE {
        let mut i = 0;
        while i < DEGREE - 1 {
            rows[j][i] = KoalaBear::new(images[i][j]);
            i += 1;
        }
        j += 1;
    }
    rows
}

/// The maps x ↦ x^(p^k) for k = 1..=6.
static FROBENIUS: [FrobeniusRows; DEGREE - 1] = [
    frobenius_rows(1),
    frobenius_rows(2),
    frobenius_rows(3),
    frobenius_rows(4),
    frobenius_rows(5),
    frobenius_rows(6),
];

impl<T: Algebra<KoalaBear>> Septic<T> {
    /// Broadcasts a constant of K: the same element in every lane.
    #[inline]
    #[must_use]
    pub fn from_const(constant: Fp7) -> Self {
        Self(constant.0.map(T::from))
    }

    /// self·constant, for a constant of K.
    #[inline]
    #[must_use]
    pub fn mul_const(&self, constant: &Fp7) -> Self {
        self.dot_mul(&Self::from_const(*constant))
    }

    /// self·c, for a constant c of F_p.
    #[inline]
    #[must_use]
    pub fn scale_const(&self, c: KoalaBear) -> Self {
        Self::from_fn(|i| self.0[i].dup() * c)
    }

    /// x ↦ x^(p^power), the Frobenius automorphism applied `power` times (taken modulo 7).
    #[must_use]
    pub fn frobenius(&self, power: usize) -> Self {
        let power = power % DEGREE;
        if power == 0 {
            return self.clone();
        }
        let [c0, rest @ ..] = &self.0;
        let rows = &FROBENIUS[power - 1];
        let mut out = Self::from_fn(|j| T::dot_product(rest, &rows[j].map(T::from)));
        out.0[0] += c0.dup();
        out
    }

    /// x^(p + p² + … + p⁶): the product of the six other conjugates, N(x)/x where x ≠ 0.
    #[must_use]
    fn conjugate_product(&self) -> Self {
        let c1 = self.frobenius(1);
        let c12 = c1.dot_mul(&c1.frobenius(1));
        let c1234 = c12.dot_mul(&c12.frobenius(2));
        c1234.dot_mul(&c12.frobenius(4))
    }

    /// The constant coefficient of self·rhs.
    #[inline]
    fn product_constant(&self, rhs: &Self) -> T {
        // z⁷ contributes 5 to the constant coefficient; z⁸, …, z¹² contribute nothing.
        let [_, high @ ..] = &self.0;
        let [_, reversed @ ..] = &rhs.0;
        let mut reversed = reversed.each_ref().map(|c| c.dup());
        reversed.reverse();
        let folded: T = T::dot_product(high, &reversed);
        self.0[0].dup() * rhs.0[0].dup() + folded.double().double() + folded
    }

    /// The norm N(x) = x^(1 + p + … + p⁶), an element of the base ring; zero exactly at zero when T is a field.
    #[must_use]
    pub fn norm(&self) -> T {
        self.product_constant(&self.conjugate_product())
    }

    /// 1/x in every lane, and 0 in lanes where x = 0.
    ///
    /// Works on packed lanes (and on single values) without a branch: the product of the conjugates, then the
    /// inverse of the norm as its power p − 2.
    #[must_use]
    pub fn inv0_packed(&self) -> Self {
        let others = self.conjugate_product();
        let norm = self.product_constant(&others);
        others.scale(&power_p_minus_2(norm))
    }
}

/// x^(p−2) with 30 squarings and 7 products: 1/x, and 0 at 0.
fn power_p_minus_2<T: PrimeCharacteristicRing>(x: T) -> T {
    // p − 2 = 2³¹ − 2²⁴ − 1 in binary: six ones, a zero, four times six ones.
    let x2 = x.square() * x.dup();
    let x3 = x2.square() * x;
    let ones = x3.exp_power_of_2(3) * x3;
    let mut out = ones.exp_power_of_2(7) * ones.dup();
    for _ in 0..3 {
        out = out.exp_power_of_2(6) * ones.dup();
    }
    out
}

impl Fp7 {
    /// Builds an element from canonical coefficients, low degree first, at compile time.
    ///
    /// # Panics
    /// If a coefficient is not below p. For input that is not a literal see [`Self::from_canonical`].
    #[must_use]
    pub const fn from_u32s(limbs: [u32; DEGREE]) -> Self {
        let mut i = 0;
        while i < DEGREE {
            assert!(limbs[i] < P, "coefficient is not below p");
            i += 1;
        }
        Self(KoalaBear::new_array(limbs))
    }

    /// Builds an element from canonical coefficients, low degree first.
    ///
    /// # Errors
    /// [`LimbError`] names the first coefficient that is not below p.
    pub const fn from_canonical(limbs: [u32; DEGREE]) -> Result<Self, LimbError> {
        let mut index = 0;
        while index < DEGREE {
            let value = limbs[index];
            if value >= P {
                return Err(LimbError { index, value });
            }
            index += 1;
        }
        Ok(Self(KoalaBear::new_array(limbs)))
    }

    /// The canonical coefficients, low degree first, each below p.
    #[inline]
    #[must_use]
    pub fn to_canonical(&self) -> [u32; DEGREE] {
        self.0.map(|c| c.as_canonical_u32())
    }

    /// Whether this is 0.
    #[inline]
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// 1/x, or `None` at 0.
    #[must_use]
    pub fn try_inverse(&self) -> Option<Self> {
        let others = self.conjugate_product();
        let norm = self.product_constant(&others);
        Some(others.scale(&norm.try_inverse()?))
    }

    /// 1/x.
    ///
    /// # Panics
    /// At 0. See [`Self::try_inverse`] and [`Self::inv0`].
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.try_inverse().expect("zero has no inverse")
    }

    /// 1/x, or 0 at 0.
    #[must_use]
    pub fn inv0(&self) -> Self {
        self.try_inverse().unwrap_or(Self::ZERO)
    }

    /// Whether x = w² for some w. True at 0.
    #[must_use]
    pub fn is_square(&self) -> bool {
        // 1 + p + … + p⁶ is odd, so x is a square in K exactly when its norm is one in F_p.
        let norm = self.norm();
        norm.is_zero() || norm.exp_u64(u64::from(P >> 1)).is_one()
    }

    /// A square root of x, or `None` where there is none.
    ///
    /// Of the two roots w and −w it returns the one whose first non-zero coefficient, low degree first, is at most
    /// (p − 1)/2.
    #[must_use]
    pub fn try_sqrt(&self) -> Option<Self> {
        if self.is_zero() {
            return Some(Self::ZERO);
        }
        // With n = 1 + p + … + p⁶ (odd) and N = xⁿ in F_p: (x^((n+1)/2))² = N·x, so a root is x^((n+1)/2)/√N.
        // (n + 1)/2 = 1 + ((p + 1)/2)·p·(1 + p² + p⁴).
        let half = self.power(u64::from(P.div_ceil(2))).frobenius(1);
        let numerator = half.dot_mul(&half.frobenius(2)).dot_mul(&half.frobenius(4)).dot_mul(self);
        let root = self.norm().try_sqrt()?;
        let root = numerator.scale(&root.inverse());
        Some(root.with_sign_of_root())
    }

    /// x or −x: the one whose first non-zero coefficient is at most (p − 1)/2.
    fn with_sign_of_root(self) -> Self {
        if self.is_canonical_root() { self } else { -self }
    }

    /// Whether this is the root that [`Self::try_sqrt`] returns of its square: the first non-zero coefficient is at most
    /// (p − 1)/2.
    #[must_use]
    pub fn is_canonical_root(&self) -> bool {
        self.to_canonical().into_iter().find(|&c| c != 0).unwrap_or(0) <= P >> 1
    }

    /// x^exponent, in time that depends on the exponent.
    #[must_use]
    pub fn power(&self, exponent: u64) -> Self {
        let mut out = Self::ONE;
        for bit in (0..exponent.checked_ilog2().map_or(0, |top| top + 1)).rev() {
            out = out.dot_square();
            if exponent >> bit & 1 == 1 {
                out = out.dot_mul(self);
            }
        }
        out
    }
}

impl ConditionallySelectable for Fp7 {
    /// a + m·(b − a) with m = 0 or 1: without a branch, since the representation of a coefficient is not accessible.
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let m = KoalaBear::new(u32::from(choice.unwrap_u8()));
        Self::from_fn(|i| a.0[i] + m * (b.0[i] - a.0[i]))
    }
}

impl From<KoalaBear> for Fp7 {
    /// Embeds F_p in K.
    fn from(c: KoalaBear) -> Self {
        Self::from_base(c)
    }
}

impl fmt::Display for Fp7 {
    /// `[c0, …, c6]`, canonical coefficients.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Replaces every value by its inverse; zeros stay zero.
///
/// Montgomery's trick: three products a value, in packed lanes, and one inversion of a packed element. Allocates one
/// buffer of the slice's length; see [`batch_inverse_with_scratch`] to reuse it.
pub fn batch_inverse(values: &mut [Fp7]) {
    batch_inverse_with_scratch(values, &mut Vec::new());
}

/// [`batch_inverse`] with a buffer of the caller, whose contents before and after do not matter.
pub fn batch_inverse_with_scratch(values: &mut [Fp7], scratch: &mut Vec<Fp7>) {
    type Lanes = <KoalaBear as Field>::Packing;
    // A packed inversion costs as much as the products it saves on a few packed elements.
    let packed = if values.len() < 4 * Lanes::WIDTH { 0 } else { values.len() - values.len() % Lanes::WIDTH };
    let (packed, rest) = values.split_at_mut(packed);
    montgomery::<Lanes>(packed, scratch);
    montgomery::<KoalaBear>(rest, scratch);
}

/// Montgomery's trick on as many interleaved sequences as `P` has lanes. The length is a multiple of their number.
fn montgomery<P: PackedField<Scalar = KoalaBear>>(values: &mut [Fp7], scratch: &mut Vec<Fp7>) {
    if values.is_empty() {
        return;
    }
    let pack = |chunk: &[Fp7]| Septic::<P>::from_fn(|i| P::from_fn(|lane| chunk[lane].0[i]));
    let lane = |packed: &Septic<P>, lane: usize| Fp7::from_fn(|i| packed.0[i].as_slice()[lane]);
    let nonzero = |value: &Fp7| if value.is_zero() { Fp7::ONE } else { *value };
    let load = |chunk: &[Fp7]| {
        let chunk = chunk.iter().map(nonzero);
        let mut out = Septic::<P>::ZERO;
        for (lane, value) in chunk.enumerate() {
            for i in 0..DEGREE {
                out.0[i].as_slice_mut()[lane] = value.0[i];
            }
        }
        out
    };

    // The scratch holds, at each position, the product of the non-zero values of its lane before it.
    scratch.clear();
    scratch.reserve(values.len());
    let mut product = Septic::<P>::ONE;
    for chunk in values.chunks_exact(P::WIDTH) {
        scratch.extend((0..P::WIDTH).map(|l| lane(&product, l)));
        product = product.dot_mul(&load(chunk));
    }
    let mut inverse = product.inv0_packed();
    for (chunk, before) in values.chunks_exact_mut(P::WIDTH).zip(scratch.chunks_exact(P::WIDTH)).rev() {
        let inverses = inverse.dot_mul(&pack(before));
        inverse = inverse.dot_mul(&load(chunk));
        for (l, value) in chunk.iter_mut().enumerate() {
            if !value.is_zero() {
                *value = lane(&inverses, l);
            }
        }
    }
}
