//! The group law and scalar multiplication.

use proptest::prelude::*;
use septic_curve::multiply::{mul_constant_time, mul_generator_constant_time, mul_projective_constant_time};
use septic_curve::params::{CURVE_B, GENERATOR, ORDER};
use septic_curve::{
    AffinePoint, Fp7, Point, PointError, ProjectivePoint, Scalar, Scalar256, lift_x, mul_add_batch, mul_batch,
};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::support::{P, any_element, any_point, any_scalar};

/// Another representation of the same projective point: every coordinate is scaled.
fn rescaled(point: Point) -> ProjectivePoint {
    let p = ProjectivePoint::from(point);
    (p + ProjectivePoint::from(Point::GENERATOR)) - ProjectivePoint::from(Point::GENERATOR)
}

proptest! {
    #[test]
    fn group_laws(p in any_point(), q in any_point(), r in any_point()) {
        prop_assert_eq!((p + q) + r, p + (q + r));
        prop_assert_eq!(p + q, q + p);
        prop_assert_eq!(p + Point::Identity, p);
        prop_assert_eq!(p - p, Point::Identity);
        prop_assert_eq!(p.double(), p + p);
        prop_assert_eq!(p - q, p + (-q));
        prop_assert_eq!(-(-p), p);
        prop_assert_eq!((p + q) - q, p);
    }

    #[test]
    fn results_are_on_the_curve(p in any_point(), q in any_point()) {
        for point in [p, p + q, p - q, p.double()] {
            prop_assert!(point.to_affine().is_none_or(|point| point.is_on_curve()));
            prop_assert_eq!(Point::from_canonical(point.to_canonical()), Ok(point));
        }
    }

    #[test]
    fn assigning_operators_agree(p in any_point(), q in any_point()) {
        let (mut sum, mut difference) = (p, p);
        sum += q;
        difference -= q;
        prop_assert_eq!(sum, p + q);
        prop_assert_eq!(difference, p - q);
        let (mut sum, mut difference) = (rescaled(p), rescaled(p));
        sum += rescaled(q);
        difference -= rescaled(q);
        prop_assert_eq!(sum.to_point(), p + q);
        prop_assert_eq!(difference.to_point(), p - q);
    }

    #[test]
    fn projective_formulas_are_complete(p in any_point(), q in any_point()) {
        for (p_, q_) in [(ProjectivePoint::from(p), ProjectivePoint::from(q)), (rescaled(p), rescaled(q))] {
            prop_assert_eq!((p_ + q_).to_point(), p + q);
            prop_assert_eq!((p_ - q_).to_point(), p - q);
            prop_assert_eq!((p_ + p_).to_point(), p.double());
            prop_assert_eq!((p_ - p_).to_point(), Point::Identity);
            prop_assert_eq!(p_.double().to_point(), p.double());
            prop_assert_eq!((-p_).to_point(), -p);
            prop_assert_eq!(p_.is_identity(), p.is_identity());
            prop_assert_eq!(Point::from(p_), p);
        }
    }

    #[test]
    fn conversions_in_batches(points in prop::collection::vec(any_point(), 0..40)) {
        let projective: Vec<_> = points.iter().copied().map(rescaled).collect();
        prop_assert_eq!(ProjectivePoint::batch_to_points(&projective), points);
    }

    #[test]
    fn selection(p in any_point(), q in any_point()) {
        let (p_, q_) = (rescaled(p), rescaled(q));
        let select = |choice| ProjectivePoint::conditional_select(&p_, &q_, Choice::from(choice)).to_point();
        prop_assert_eq!(select(0), p);
        prop_assert_eq!(select(1), q);
    }

    #[test]
    fn multiplication_is_linear(p in any_point(), q in any_point(), s in any_scalar(), t in any_scalar()) {
        prop_assert_eq!((p + q).mul_vartime(&s), p.mul_vartime(&s) + q.mul_vartime(&s));
        let sum = Scalar256::from(Scalar::from(s) + Scalar::from(t));
        prop_assert_eq!(p.mul_vartime(&sum), p.mul_vartime(&s) + p.mul_vartime(&t));
        let product = Scalar256::from(Scalar::from(s) * Scalar::from(t));
        prop_assert_eq!(p.mul_vartime(&product), p.mul_vartime(&s).mul_vartime(&t));
    }

    #[test]
    fn multiplications_agree(p in any_point(), s in any_scalar(), e in any_scalar()) {
        let sp = p.mul_vartime(&s);
        prop_assert_eq!(mul_constant_time(&s.into(), &p).to_point(), sp);
        let sg = Point::GENERATOR.mul_vartime(&s);
        prop_assert_eq!(mul_generator_constant_time(&s.into()).to_point(), sg);
        prop_assert_eq!(Point::mul_add_vartime(&s, &e, &p), sg + p.mul_vartime(&e));
    }

    /// Variable time, with exceptional cases told apart, against complete formulas.
    #[test]
    fn vartime_products_are_those_of_complete_formulas(p in any_point(), s in any_scalar(), e in any_scalar()) {
        let complete = |s: Scalar256, p: &Point| mul_constant_time(&s.into(), p).to_point();
        let of_generator = complete(s, &Point::GENERATOR);
        prop_assert_eq!(p.mul_vartime(&s), complete(s, &p));
        prop_assert_eq!(Point::mul_generator_vartime(&s), of_generator);
        prop_assert_eq!(Point::mul_add_vartime(&s, &e, &p), of_generator + complete(e, &p));
    }

    /// In any representation of a point; equality compares points.
    #[test]
    fn representations_do_not_matter(p in any_point(), q in any_point(), s in any_scalar()) {
        let product = mul_projective_constant_time(&s.into(), &rescaled(p));
        prop_assert_eq!(product, ProjectivePoint::from(p.mul_vartime(&s)));
        prop_assert_eq!(rescaled(p), ProjectivePoint::from(p));
        prop_assert_eq!(rescaled(p) == rescaled(q), p == q);
        prop_assert_eq!(bool::from(rescaled(p).ct_eq(&rescaled(q))), p == q);
    }

    #[test]
    fn sums_of_products(
        terms in prop::collection::vec((any_scalar(), any_point()), 0..30),
        more in prop::collection::vec((any_scalar(), any_point()), 0..30),
    ) {
        let sum = |terms: &[(Scalar256, Point)]| Point::multi_scalar_mul_vartime(terms);
        let expected = terms.iter().fold(Point::Identity, |sum, (s, p)| sum + p.mul_vartime(s));
        prop_assert_eq!(sum(&terms), expected);
        let all: Vec<_> = terms.iter().chain(&more).copied().collect();
        prop_assert_eq!(sum(&all), sum(&terms) + sum(&more));
    }

    #[test]
    fn encodings(p in any_point(), q in any_point(), changed in 0_usize..57, by in 1_u8..=255) {
        let (short, long) = (p.to_compressed(), p.to_uncompressed());
        prop_assert_eq!(Point::decode(&short), Ok(p));
        prop_assert_eq!(Point::decode(&long), Ok(p));
        prop_assert_eq!(short == q.to_compressed(), p == q);
        // Other bytes are another point or none.
        let mut other = long;
        other[changed] ^= by;
        prop_assert!(Point::decode(&other) != Ok(p));
        let mut other = short;
        other[changed % 29] ^= by;
        prop_assert!(Point::decode(&other) != Ok(p));
    }

    #[test]
    fn batches_agree(operations in prop::collection::vec((any_scalar(), any_scalar(), any_point()), 0..40)) {
        let expected: Vec<_> =
            operations.iter().map(|(s, e, a)| Point::mul_add_vartime(s, e, a)).collect();
        prop_assert_eq!(mul_add_batch(&operations), expected);
        let products: Vec<_> = operations.iter().map(|&(s, _, p)| (s, p)).collect();
        let expected: Vec<_> = products.iter().map(|(s, p)| p.mul_vartime(s)).collect();
        prop_assert_eq!(mul_batch(&products), expected);
    }

    #[test]
    fn lifting(x in any_element()) {
        if let Some(point) = lift_x(x) {
            prop_assert!(point.is_on_curve());
            prop_assert_eq!(point.x(), x);
            prop_assert!(!point.y().is_zero(), "the order is odd");
            prop_assert_eq!(lift_x(x), Some(point));
            // A point of the curve is in the group.
            prop_assert_eq!(Point::from(point).mul_vartime(&ORDER.into()), Point::Identity);
            let last = Scalar256::from(ORDER.wrapping_sub(&1_u32.into()));
            prop_assert_eq!(Point::from(point).mul_vartime(&last), Point::from(-point));
        }
    }

    #[test]
    fn random_coordinates_are_rejected(x in any_element(), y in any_element()) {
        let on_curve = AffinePoint::new_unchecked(x, y).is_on_curve();
        prop_assert_eq!(AffinePoint::new(x, y).is_ok(), on_curve);
        if let Some(point) = lift_x(x) {
            prop_assert_eq!(on_curve, y == point.y() || y == -point.y());
        } else {
            prop_assert!(!on_curve);
        }
    }
}

/// s·P by adding P s times.
#[test]
fn small_multiples() {
    let mut sum = Point::Identity;
    for s in 0_u64..300 {
        let scalar = Scalar256::from(s);
        assert_eq!(Point::GENERATOR.mul_vartime(&scalar), sum);
        assert_eq!(mul_generator_constant_time(&s.into()).to_point(), sum);
        assert_eq!(Point::mul_add_vartime(&scalar, &Scalar256::ONE, &-sum), Point::Identity);
        sum += Point::GENERATOR;
    }
}

/// A = ±G, ±2G, ±3G and scalars that make partial sums meet.
#[test]
fn related_keys() {
    let g = Point::GENERATOR;
    let keys = [g, g.double(), g.double() + g].into_iter().flat_map(|a| [a, -a]).chain([Point::Identity]);
    for a in keys {
        let operations: Vec<_> =
            (0_u64..16).flat_map(|s| (0_u64..16).map(move |e| (s.into(), e.into(), a))).collect();
        for (&(s, e, a), sum) in operations.iter().zip(mul_add_batch(&operations)) {
            assert_eq!(sum, g.mul_vartime(&s) + a.mul_vartime(&e));
            assert_eq!(sum, Point::mul_add_vartime(&s, &e, &a));
            assert_eq!(sum, Point::mul_generator_vartime(&s) + a.mul_vartime(&e));
        }
    }
}

#[test]
fn scalars_around_the_order() {
    let g = Point::GENERATOR;
    let near = |delta: i32| {
        let value = Scalar256::from(ORDER).to_uint();
        let delta_uint = delta.unsigned_abs().into();
        Scalar256::from(if delta < 0 {
            value.wrapping_sub(&delta_uint)
        } else {
            value.wrapping_add(&delta_uint)
        })
    };
    for delta in -3..=3_i32 {
        let small = Scalar256::from(u64::from(delta.unsigned_abs()));
        let expected = if delta < 0 { -g.mul_vartime(&small) } else { g.mul_vartime(&small) };
        assert_eq!(g.mul_vartime(&near(delta)), expected);
        assert_eq!(Point::mul_generator_vartime(&near(delta)), expected);
        assert_eq!(Point::mul_add_vartime(&near(delta), &near(-delta), &g), Point::Identity);
    }
    // 2²⁵⁶ − 1 by 256 doublings.
    let power = (0..256).fold(g, |point, _| point.double());
    assert_eq!(g.mul_vartime(&Scalar256::MAX), power - g);
    assert_eq!(Point::mul_generator_vartime(&Scalar256::MAX), power - g);
    assert_eq!(Point::mul_add_vartime(&Scalar256::MAX, &Scalar256::MAX, &-g), Point::Identity);
}

/// Every length of a batch: single loops, partly filled lanes, full lanes.
#[test]
fn batches_of_every_length() {
    let operations: Vec<_> = (0_u64..70)
        .map(|i| (Scalar256::from(i), Scalar256::from(i + 1), Point::GENERATOR.mul_vartime(&(i % 5).into())))
        .collect();
    let expected: Vec<_> = operations.iter().map(|(s, e, a)| Point::mul_add_vartime(s, e, a)).collect();
    for length in 0..=operations.len() {
        assert_eq!(mul_add_batch(&operations[..length]), expected[..length]);
    }
}

#[test]
fn empty_batches() {
    assert_eq!(mul_add_batch(&[]), []);
    assert_eq!(mul_batch(&[]), []);
    assert_eq!(ProjectivePoint::batch_to_points(&[]), []);
}

#[test]
fn identities() {
    assert_eq!(Point::default(), Point::Identity);
    assert_eq!(Point::IDENTITY, Point::Identity);
    assert!(Point::Identity.is_identity() && !Point::GENERATOR.is_identity());
    assert_eq!(Point::Identity.to_affine(), None);
    assert_eq!(Point::from(None), Point::Identity);
    assert_eq!(Point::from(Some(GENERATOR)), Point::GENERATOR);
    assert_eq!(Point::Identity.double(), Point::Identity);
    assert_eq!(-Point::Identity, Point::Identity);
    assert_eq!(ProjectivePoint::IDENTITY.to_point(), Point::Identity);
    assert_eq!(ProjectivePoint::default().to_point(), Point::Identity);
}

/// x = 0 lies on the curve, (0, 0) does not: only all-zero coordinates can mean the identity.
#[test]
fn zero_coordinates() {
    let point = lift_x(Fp7::ZERO).unwrap();
    assert_eq!(point.y() * point.y(), CURVE_B);
    assert!(AffinePoint::new(Fp7::ZERO, point.y()).is_ok());
    assert_eq!(AffinePoint::new(Fp7::ZERO, Fp7::ZERO), Err(PointError::NotOnCurve));
    assert_eq!(Point::from_canonical(Some(([0; 7], [0; 7]))), Err(PointError::NotOnCurve));
    assert_eq!(Point::from_canonical(None), Ok(Point::Identity));
    // It is a point like any other.
    assert_eq!(Point::from(point).mul_vartime(&2_u64.into()), Point::from(point.double()));
}

#[test]
fn coordinates_are_strict() {
    let (x, y) = GENERATOR.to_canonical();
    for index in 0..7 {
        for value in [P, u32::MAX] {
            let mut bad = x;
            bad[index] = value;
            let error = Point::from_canonical(Some((bad, y))).unwrap_err();
            assert_eq!(error, PointError::Limb { coordinate: 'x', index, value });
            let mut bad = y;
            bad[index] = value;
            let error = Point::from_canonical(Some((x, bad))).unwrap_err();
            assert_eq!(error, PointError::Limb { coordinate: 'y', index, value });
            assert_eq!(error.to_string(), format!("y[{index}] = {value} is not below p = {P}"));
        }
        // The canonical value plus p is the same residue and still wrong.
        if let Some(value) = x[index].checked_add(P) {
            let mut bad = x;
            bad[index] = value;
            assert!(matches!(Point::from_canonical(Some((bad, y))), Err(PointError::Limb { .. })));
        }
        let mut moved = y;
        moved[index] = (moved[index] + 1) % P;
        assert_eq!(Point::from_canonical(Some((x, moved))), Err(PointError::NotOnCurve));
    }
}

/// Operations on coordinates that were never checked return; they do not panic.
#[test]
fn unchecked_points_do_not_panic() {
    let off = Point::from(AffinePoint::new_unchecked(Fp7::ONE, Fp7::ZERO));
    let _ = (off.double(), off + off, off + Point::GENERATOR, off.mul_vartime(&Scalar256::MAX));
    let _ = Point::mul_add_vartime(&Scalar256::MAX, &Scalar256::MAX, &off);
}
