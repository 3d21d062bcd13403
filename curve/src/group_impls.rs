//! The traits of the `ff` and `group` crates: [`Scalar`] is the field of r elements, [`ProjectivePoint`] the curve, [`Point`]
//! its affine form with the identity.
//!
//! Scalars are 32 bytes, most significant first, canonical. Points are compressed ([`crate::encoding`]). Products take the
//! same time for every scalar; decoding takes variable time.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crypto_bigint::{U256, U512};
use ff::{Field, PrimeField};
use group::{Curve, CurveAffine, Group, GroupEncoding, prime};
use rand_core::TryRng;
use subtle::{Choice, ConstantTimeEq, CtOption};

use crate::encoding::COMPRESSED_BYTES;
use crate::multiply::{mul_generator_constant_time, mul_projective_constant_time};
use crate::params::ORDER_BITS;
use crate::{Point, ProjectivePoint, Scalar};

macro_rules! reference_operators {
    ($type:ty, $rhs:ty: $($trait:ident $method:ident $assign:ident $assign_method:ident),+) => { $(
        impl $trait<&$rhs> for $type {
            type Output = $type;
            fn $method(self, rhs: &$rhs) -> $type {
                self.$method(*rhs)
            }
        }

        impl $assign<&$rhs> for $type {
            fn $assign_method(&mut self, rhs: &$rhs) {
                self.$assign_method(*rhs);
            }
        }
    )+ };
}

reference_operators!(Scalar, Scalar: Add add AddAssign add_assign, Sub sub SubAssign sub_assign, Mul mul MulAssign mul_assign);
reference_operators!(ProjectivePoint, ProjectivePoint: Add add AddAssign add_assign, Sub sub SubAssign sub_assign);
reference_operators!(ProjectivePoint, Point: Add add AddAssign add_assign, Sub sub SubAssign sub_assign);
reference_operators!(ProjectivePoint, Scalar: Mul mul MulAssign mul_assign);

macro_rules! sums {
    ($type:ty, $trait:ident $method:ident, $one:expr, $operator:ident) => {
        impl $trait for $type {
            fn $method<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold($one, |acc, x| acc.$operator(x))
            }
        }

        impl<'a> $trait<&'a $type> for $type {
            fn $method<I: Iterator<Item = &'a $type>>(iter: I) -> Self {
                iter.fold($one, |acc, x| acc.$operator(*x))
            }
        }
    };
}

sums!(Scalar, Sum sum, Scalar::ZERO, add);
sums!(Scalar, Product product, Scalar::ONE, mul);
sums!(ProjectivePoint, Sum sum, ProjectivePoint::IDENTITY, add);

impl Field for Scalar {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; 64];
        rng.try_fill_bytes(&mut bytes)?;
        Ok(Self::reduce_wide(&U512::from_be_slice(&bytes)))
    }

    fn square(&self) -> Self {
        self.square()
    }

    fn double(&self) -> Self {
        *self + *self
    }

    fn invert(&self) -> CtOption<Self> {
        self.invert_ct()
    }

    fn sqrt_ratio(num: &Self, div: &Self) -> (Choice, Self) {
        ff::helpers::sqrt_ratio_generic(num, div)
    }

    fn sqrt(&self) -> CtOption<Self> {
        let root = self.root_of_square();
        CtOption::new(root, root.square().ct_eq(self))
    }
}

impl PrimeField for Scalar {
    type Repr = [u8; 32];

    fn from_repr(bytes: [u8; 32]) -> CtOption<Self> {
        let number = U256::from_be_slice(&bytes);
        let scalar = Self::reduce(&number);
        CtOption::new(scalar, scalar.to_uint().ct_eq(&number))
    }

    fn to_repr(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        Choice::from(self.to_bytes()[31] & 1)
    }

    const MODULUS: &'static str = "0x0000000001e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7";
    const NUM_BITS: u32 = ORDER_BITS;
    const CAPACITY: u32 = ORDER_BITS - 1;
    const TWO_INV: Self = Self::reduce(&crate::params::ORDER.shr_vartime(1).wrapping_add(&U256::ONE));
    const MULTIPLICATIVE_GENERATOR: Self = Self::reduce(&U256::from_u8(GENERATOR));
    const S: u32 = 1;
    const ROOT_OF_UNITY: Self = MINUS_ONE;
    const ROOT_OF_UNITY_INV: Self = MINUS_ONE;
    const DELTA: Self = Self::reduce(&U256::from_u8(GENERATOR)).square();
}

/// The least generator of the multiplicative group modulo r.
const GENERATOR: u8 = 6;

/// r − 1, the element of order 2.
const MINUS_ONE: Scalar = Scalar::reduce(&crate::params::ORDER.wrapping_sub(&U256::ONE));

impl Mul<Scalar> for ProjectivePoint {
    type Output = Self;

    fn mul(self, s: Scalar) -> Self {
        mul_projective_constant_time(&s, &self)
    }
}

impl MulAssign<Scalar> for ProjectivePoint {
    fn mul_assign(&mut self, s: Scalar) {
        *self = *self * s;
    }
}

impl Add<Point> for ProjectivePoint {
    type Output = Self;

    fn add(self, rhs: Point) -> Self {
        self + Self::from(rhs)
    }
}

impl Sub<Point> for ProjectivePoint {
    type Output = Self;

    fn sub(self, rhs: Point) -> Self {
        self - Self::from(rhs)
    }
}

impl AddAssign<Point> for ProjectivePoint {
    fn add_assign(&mut self, rhs: Point) {
        *self = *self + rhs;
    }
}

impl SubAssign<Point> for ProjectivePoint {
    fn sub_assign(&mut self, rhs: Point) {
        *self = *self - rhs;
    }
}

impl Group for ProjectivePoint {
    type Scalar = Scalar;

    /// A random multiple of G: its discrete logarithm is drawn and forgotten.
    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Ok(mul_generator_constant_time(&Scalar::try_random(rng)?))
    }

    fn identity() -> Self {
        Self::IDENTITY
    }

    fn generator() -> Self {
        Point::GENERATOR.into()
    }

    fn is_identity(&self) -> Choice {
        self.ct_eq(&Self::IDENTITY)
    }

    fn double(&self) -> Self {
        self.double()
    }

    fn mul_by_generator(scalar: &Scalar) -> Self {
        mul_generator_constant_time(scalar)
    }
}

impl GroupEncoding for Point {
    type Repr = CompressedPoint;

    fn from_bytes(bytes: &CompressedPoint) -> CtOption<Self> {
        let point = Self::from_compressed(&bytes.0);
        CtOption::new(point.unwrap_or_default(), Choice::from(u8::from(point.is_ok())))
    }

    fn from_bytes_unchecked(bytes: &CompressedPoint) -> CtOption<Self> {
        <Self as GroupEncoding>::from_bytes(bytes)
    }

    fn to_bytes(&self) -> CompressedPoint {
        CompressedPoint(self.to_compressed())
    }
}

impl GroupEncoding for ProjectivePoint {
    type Repr = CompressedPoint;

    fn from_bytes(bytes: &CompressedPoint) -> CtOption<Self> {
        let point = Point::from_compressed(&bytes.0);
        CtOption::new(point.unwrap_or_default().into(), Choice::from(u8::from(point.is_ok())))
    }

    fn from_bytes_unchecked(bytes: &CompressedPoint) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> CompressedPoint {
        GroupEncoding::to_bytes(&self.to_point())
    }
}

/// The 29 bytes of a compressed point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompressedPoint(pub [u8; COMPRESSED_BYTES]);

impl Default for CompressedPoint {
    /// The identity.
    fn default() -> Self {
        Self([0; COMPRESSED_BYTES])
    }
}

impl AsRef<[u8]> for CompressedPoint {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for CompressedPoint {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Mul<Scalar> for Point {
    type Output = ProjectivePoint;

    fn mul(self, s: Scalar) -> ProjectivePoint {
        ProjectivePoint::from(self) * s
    }
}

impl Mul<&Scalar> for Point {
    type Output = ProjectivePoint;

    fn mul(self, s: &Scalar) -> ProjectivePoint {
        self * *s
    }
}

impl CurveAffine for Point {
    type Curve = ProjectivePoint;
    type Scalar = Scalar;

    fn identity() -> Self {
        Self::Identity
    }

    fn generator() -> Self {
        Self::GENERATOR
    }

    fn is_identity(&self) -> Choice {
        Choice::from(u8::from(Self::is_identity(self)))
    }

    fn to_curve(&self) -> ProjectivePoint {
        (*self).into()
    }
}

impl Curve for ProjectivePoint {
    type Affine = Point;

    fn batch_normalize(points: &[Self], out: &mut [Point]) {
        assert_eq!(points.len(), out.len(), "one place for each point");
        out.copy_from_slice(&Self::batch_to_points(points));
    }

    fn to_affine(&self) -> Point {
        self.to_point()
    }
}

impl prime::PrimeGroup for ProjectivePoint {}

impl prime::PrimeCurve for ProjectivePoint {}

impl Neg for &ProjectivePoint {
    type Output = ProjectivePoint;

    fn neg(self) -> ProjectivePoint {
        -*self
    }
}
