//! The traits of `ff` and `group`, used as generic code uses them.

#![allow(clippy::eq_op, clippy::op_ref, reason = "laws and operators of references are what is tested")]

use core::convert::Infallible;

use crypto_bigint::U256;
use ff::{Field, PrimeField};
use group::prime::PrimeCurve;
use group::{CurveAffine, Group, GroupEncoding};
use rand_core::{TryCryptoRng, TryRng};
use septic_curve::params::ORDER;
use septic_curve::{Point, ProjectivePoint, Scalar, Scalar256};

/// splitmix64.
struct Numbers(u64);

impl TryRng for Numbers {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.try_next_u64()? >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ (z >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Numbers {}

fn field_laws<F: PrimeField>(rng: &mut Numbers) {
    for _ in 0..20 {
        let [a, b, c] = [0; 3].map(|_| F::random(rng));
        assert_eq!((a + b) * c, a * c + b * c);
        assert_eq!(a - a, F::ZERO);
        assert_eq!(a + &b, b + &a);
        assert_eq!(a.square(), a * a);
        assert_eq!(a.cube(), a * a * a);
        assert_eq!(a.double(), a + a);
        assert_eq!(a * a.invert().unwrap(), F::ONE);
        let root = a.square().sqrt().unwrap();
        assert!(root == a || root == -a);
        let (is_square, ratio) = F::sqrt_ratio(&a, &b);
        let expected = if bool::from(is_square) { a } else { a * F::ROOT_OF_UNITY };
        assert_eq!(ratio.square() * b, expected);
        assert_eq!(F::from_repr(a.to_repr()).unwrap(), a);
        assert_eq!([a, b, c].iter().sum::<F>(), a + b + c);
        assert_eq!([a, b, c].into_iter().product::<F>(), a * b * c);
        assert_eq!(bool::from(a.is_odd()), a.to_repr().as_ref()[31] & 1 == 1);
        assert_eq!(a.pow([5, 0]), a.pow_vartime([5]));
    }
    assert!(bool::from(F::ZERO.invert().is_none()));
    assert_eq!(F::ZERO.sqrt().unwrap(), F::ZERO);
    assert!(bool::from(F::MULTIPLICATIVE_GENERATOR.sqrt().is_none()));
    assert_eq!(F::TWO_INV.double(), F::ONE);
    assert_eq!(F::ROOT_OF_UNITY * F::ROOT_OF_UNITY_INV, F::ONE);
    assert_eq!(F::ROOT_OF_UNITY.pow([1 << F::S]), F::ONE);
    assert_eq!(F::DELTA, F::MULTIPLICATIVE_GENERATOR.pow([1 << F::S]));
    assert_eq!(
        F::from_str_vartime("12345678901234567890123").unwrap(),
        F::from_u128(12_345_678_901_234_567_890_123)
    );
}

#[test]
fn scalars_are_a_prime_field() {
    field_laws::<Scalar>(&mut Numbers(1));
    assert_eq!(Scalar::MODULUS, Scalar256::from(ORDER).to_hex());
    assert_eq!(Scalar::NUM_BITS, 217);
    // Not canonical: r, and the greatest number.
    let order: [u8; 32] = ORDER.to_be_bytes().as_ref().try_into().unwrap();
    assert!(bool::from(Scalar::from_repr(order).is_none()));
    assert!(bool::from(Scalar::from_repr([0xff; 32]).is_none()));
}

/// r − 1 and its prime factors: the generator has full order.
#[test]
fn multiplicative_generator() {
    let factors = [
        2_u128,
        3,
        3,
        3,
        43,
        1_668_561_757,
        1_869_561_274_662_472_904_866_723,
        27_524_606_262_830_861_217_425_312_309,
    ];
    let minus_one = ORDER.wrapping_sub(&U256::ONE);
    let product =
        factors.iter().fold(U256::ONE, |product, &factor| product.wrapping_mul(&U256::from(factor)));
    assert_eq!(product, minus_one);
    let order_divides = |x: u8, factor: u128| {
        let factor = crypto_bigint::NonZero::new(U256::from(factor)).unwrap();
        Scalar::from(u64::from(x)).pow_vartime(&minus_one.div_rem_vartime(&factor).0) == Scalar::ONE
    };
    let generates = |x: u8| factors.iter().all(|&factor| !order_divides(x, factor));
    assert_eq!((2..=6).find(|&x| generates(x)), Some(6));
    assert_eq!(Scalar::MULTIPLICATIVE_GENERATOR, Scalar::from(6));
}

fn group_laws<G: PrimeCurve>(rng: &mut Numbers)
where
    G::Affine: CurveAffine<Curve = G>,
{
    for _ in 0..8 {
        let [p, q] = [0; 2].map(|_| G::random(rng));
        let [a, b] = [0; 2].map(|_| G::Scalar::random(rng));
        assert_eq!(p + q, q + p);
        assert_eq!(p - p, G::identity());
        assert_eq!(p.double(), p + p);
        assert_eq!(p + q.to_affine(), p + q);
        assert_eq!(p - &q.to_affine(), p - q);
        assert_eq!((p + q) * a, p * a + q * a);
        assert_eq!(p * (a + b), p * a + p * b);
        assert_eq!(p * a * b, p * (a * b));
        assert_eq!(G::mul_by_generator(&a), G::generator() * a);
        assert_eq!(p.to_affine() * a, p * a);
        assert_eq!([p, q].iter().sum::<G>(), p + q);
        assert_eq!(G::from_bytes(&p.to_bytes()).unwrap(), p);
        assert_eq!(p.to_affine().to_curve(), p);
        let mut affine = [G::Affine::identity(); 2];
        G::batch_normalize(&[p, G::identity()], &mut affine);
        assert_eq!(affine, [p.to_affine(), G::Affine::identity()]);
        assert!(bool::from(affine[1].is_identity()) && !bool::from(affine[0].is_identity()));
    }
    let identity = G::identity();
    assert!(bool::from(identity.is_identity()) && !bool::from(G::generator().is_identity()));
    assert_eq!(identity + identity, identity);
    assert_eq!(identity * G::Scalar::from(7), identity);
    assert_eq!(G::generator() * G::Scalar::ZERO, identity);
    assert_eq!(G::generator() * -G::Scalar::ONE, -G::generator());
    assert_eq!(G::from_bytes(&identity.to_bytes()).unwrap(), identity);
    let mut bytes = G::generator().to_bytes();
    bytes.as_mut()[0] = 9;
    assert!(bool::from(G::from_bytes(&bytes).is_none()));
}

#[test]
fn points_are_a_prime_order_curve() {
    group_laws::<ProjectivePoint>(&mut Numbers(2));
}

#[test]
fn products_agree_with_plain_ones() {
    let mut rng = Numbers(3);
    for _ in 0..10 {
        let p = ProjectivePoint::random(&mut rng);
        let s = Scalar::random(&mut rng);
        assert_eq!((p * s).to_point(), p.to_point().mul_vartime(&s.into()));
        assert_eq!(<Point as GroupEncoding>::to_bytes(&p.to_point()).0, p.to_point().to_compressed());
    }
}
