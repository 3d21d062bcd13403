//! Points as they stand in memory.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use septic_curve::layout::{
    POINT_WORDS, SCALAR_WORDS, VERIFY_WORDS, decode_point, encode_point, encode_scalar,
};
use septic_curve::{AffinePoint, DEGREE, Point, PointError, Scalar, Scalar256, params};

use crate::{Backend, Platform};

/// A point of the curve or the identity, in words, with the operations of `B`.
pub struct SepticPoint<B = Platform> {
    words: [u64; POINT_WORDS],
    backend: PhantomData<B>,
}

/// p.
const P: u32 = 0x7f00_0001;

/// The words of a point.
const fn words([x, y]: [[u32; DEGREE]; 2]) -> [u64; POINT_WORDS] {
    let mut words = [0; POINT_WORDS];
    let mut i = 0;
    while i < 2 * DEGREE {
        let limb = if i < DEGREE { x[i] } else { y[i - DEGREE] };
        words[i / 2] |= (limb as u64) << (32 * (i % 2));
        i += 1;
    }
    words
}

impl<B> SepticPoint<B> {
    /// The identity: all words zero.
    pub const IDENTITY: Self = Self::new_unchecked([0; POINT_WORDS]);

    /// The generator G.
    pub const GENERATOR: Self = Self::new_unchecked(words(params::residues::GENERATOR));

    /// The point of these words.
    ///
    /// # Errors
    /// [`PointError`] if a limb is not below p, or the words are neither all zero nor a point of the curve.
    pub fn new(words: [u64; POINT_WORDS]) -> Result<Self, PointError> {
        decode_point(&words).map(|_| Self::new_unchecked(words))
    }

    /// The point of these words, without a look at them: the first operation with it ends the execution if they are none.
    #[must_use]
    pub const fn new_unchecked(words: [u64; POINT_WORDS]) -> Self {
        Self { words, backend: PhantomData }
    }

    /// The words.
    #[must_use]
    pub const fn words(&self) -> &[u64; POINT_WORDS] {
        &self.words
    }

    /// The point in coordinates.
    ///
    /// # Errors
    /// [`PointError`], for a point made by [`Self::new_unchecked`].
    pub fn to_point(&self) -> Result<Point, PointError> {
        decode_point(&self.words)
    }

    /// Whether this is the identity.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.words == [0; POINT_WORDS]
    }

    /// The limb at a position from 0 to 13.
    const fn limb(&self, i: usize) -> u32 {
        (self.words[i / 2] >> (32 * (i % 2))) as u32
    }
}

impl<B: Backend> SepticPoint<B> {
    /// 2·self.
    #[must_use]
    pub fn double(mut self) -> Self {
        B::double(&mut self.words);
        self
    }

    /// s·G + e·a in one operation.
    #[must_use]
    pub fn mul_add(s: &Scalar256, e: &Scalar256, a: &Self) -> Self {
        let mut buffer = [0; VERIFY_WORDS];
        buffer[..POINT_WORDS].copy_from_slice(&a.words);
        buffer[POINT_WORDS..][..SCALAR_WORDS].copy_from_slice(&encode_scalar(s));
        buffer[POINT_WORDS + SCALAR_WORDS..].copy_from_slice(&encode_scalar(e));
        B::verify(&mut buffer);
        let mut words = [0; POINT_WORDS];
        words.copy_from_slice(&buffer[..POINT_WORDS]);
        Self::new_unchecked(words)
    }
}

impl<B> Clone for SepticPoint<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for SepticPoint<B> {}

impl<B> fmt::Debug for SepticPoint<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SepticPoint").field(&self.words).finish()
    }
}

impl<B> Default for SepticPoint<B> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<B> PartialEq for SepticPoint<B> {
    /// Words are canonical, so they are compared.
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl<B> Eq for SepticPoint<B> {}

impl<B> Hash for SepticPoint<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words.hash(state);
    }
}

impl<B> From<&Point> for SepticPoint<B> {
    fn from(point: &Point) -> Self {
        Self::new_unchecked(encode_point(point))
    }
}

impl<B> From<Point> for SepticPoint<B> {
    fn from(point: Point) -> Self {
        Self::from(&point)
    }
}

impl<B> From<AffinePoint> for SepticPoint<B> {
    fn from(point: AffinePoint) -> Self {
        Self::from(Point::from(point))
    }
}

impl<B: Backend> AddAssign for SepticPoint<B> {
    fn add_assign(&mut self, rhs: Self) {
        B::add(&mut self.words, &rhs.words);
    }
}

impl<B: Backend> Add for SepticPoint<B> {
    type Output = Self;

    fn add(mut self, rhs: Self) -> Self {
        self += rhs;
        self
    }
}

impl<B> Neg for SepticPoint<B> {
    type Output = Self;

    /// p − y, limb by limb: no operation of the backend. Limbs that are not canonical stay so.
    fn neg(self) -> Self {
        let negative = |y: u32| if y == 0 || y >= P { y } else { P - y };
        let x = core::array::from_fn(|i| self.limb(i));
        let y = core::array::from_fn(|i| negative(self.limb(DEGREE + i)));
        Self::new_unchecked(words([x, y]))
    }
}

impl<B: Backend> Sub for SepticPoint<B> {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        self + -rhs
    }
}

impl<B: Backend> SubAssign for SepticPoint<B> {
    fn sub_assign(&mut self, rhs: Self) {
        *self += -rhs;
    }
}

impl<B: Backend> MulAssign<Scalar256> for SepticPoint<B> {
    fn mul_assign(&mut self, s: Scalar256) {
        B::scalar_mul(&mut self.words, &encode_scalar(&s));
    }
}

impl<B: Backend> Mul<Scalar256> for SepticPoint<B> {
    type Output = Self;

    fn mul(mut self, s: Scalar256) -> Self {
        self *= s;
        self
    }
}

impl<B: Backend> Mul<Scalar> for SepticPoint<B> {
    type Output = Self;

    /// Variable time: for numbers that are public.
    fn mul(self, s: Scalar) -> Self {
        self * Scalar256::from(s)
    }
}
