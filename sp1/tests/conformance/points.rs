//! Points: constants, the complete addition in every case, multiples, and SP1's sum checkers on our results.

use crate::support::{Affine, Complete, Element, Numbers, affine, complete, element};
use septic_curve::{AffinePoint, Fp7, Point, ProjectivePoint, Scalar256, lift_x, mul_add_batch, params};
use slop_algebra::AbstractField;
use sp1_hypercube::septic_curve::{CURVE_WITNESS_DUMMY_POINT_X, CURVE_WITNESS_DUMMY_POINT_Y};
use sp1_hypercube::septic_digest::{
    CURVE_CUMULATIVE_SUM_START_X, CURVE_CUMULATIVE_SUM_START_Y, DIGEST_SUM_START_X, DIGEST_SUM_START_Y,
    SepticDigest,
};

const RANDOM: usize = 10_000;

/// 0, ±G, …, ±8G, the other constants and their negatives.
fn edges() -> Vec<Point> {
    let mut edges = vec![Point::Identity];
    let multiples = (1..=8).map(|k| Point::GENERATOR.mul_vartime(&Scalar256::from(k)));
    let constants = [params::DIGEST_START, params::DUMMY, params::HALF_GENERATOR].map(Point::Affine);
    for point in multiples.chain(constants).chain(params::OFFSETS.map(Point::Affine)) {
        edges.extend([point, -point]);
    }
    edges
}

/// Points found by their x: their logarithms are unknown.
fn random_points(numbers: &mut Numbers) -> impl Iterator<Item = Point> {
    std::iter::repeat_with(|| numbers.element())
        .filter_map(lift_x)
        .enumerate()
        .map(|(i, point)| Point::Affine(if i % 2 == 0 { point } else { -point }))
}

#[test]
fn constants() {
    let ours = [params::GENERATOR, params::DIGEST_START, params::DUMMY].map(|p| p.to_canonical());
    let theirs = [
        (CURVE_CUMULATIVE_SUM_START_X, CURVE_CUMULATIVE_SUM_START_Y),
        (DIGEST_SUM_START_X, DIGEST_SUM_START_Y),
        (CURVE_WITNESS_DUMMY_POINT_X, CURVE_WITNESS_DUMMY_POINT_Y),
    ];
    assert_eq!(ours, theirs);
    let as_affine = |point: AffinePoint| affine(&point.into());
    assert_eq!(as_affine(params::DUMMY), Some(Affine::dummy()));
    assert_eq!(as_affine(params::GENERATOR), Some(SepticDigest::zero().0));
    assert_eq!(as_affine(params::DIGEST_START), Some(SepticDigest::starting_digest().0));
}

/// The curve's equation, on the curve and off it.
#[test]
fn equation() {
    let mut numbers = Numbers(3);
    let points: Vec<_> = random_points(&mut numbers.clone()).take(RANDOM).chain(edges()).collect();
    for point in points {
        let Some(p) = point.to_affine() else { continue };
        assert!(p.is_on_curve());
        assert!(affine(&point).expect("finite").check_on_point());
    }
    let mut on_curve = 0;
    for i in 0..RANDOM {
        let x = numbers.element();
        let value = Affine::curve_formula(element(&x));
        let root = value.sqrt();
        assert_eq!(lift_x(x).is_some(), root.is_some(), "{x}");
        if let (Some(point), Some(root)) = (lift_x(x), root) {
            on_curve += 1;
            assert!(element(&point.y()) == root || element(&-point.y()) == root, "{x}");
            let mut limbs = point.y().to_canonical();
            limbs[i % 7] ^= 1;
            if let Ok(y) = Fp7::from_canonical(limbs) {
                assert!(AffinePoint::new(x, y).is_err());
                assert!(!Affine { x: element(&x), y: element(&y) }.check_on_point());
            }
        }
    }
    assert!((RANDOM * 4 / 10..RANDOM * 6 / 10).contains(&on_curve), "{on_curve}");
}

/// P + Q in all ways that septic-curve has, against SP1's complete addition, and SP1's checkers where they speak of
/// the sum: for finite points of different x.
fn compare_sum(p: Point, q: Point) -> bool {
    let sum = p + q;
    assert_eq!(complete(&sum), complete(&p) + complete(&q), "{p:?} + {q:?}");
    let projective = ProjectivePoint::from(p) + ProjectivePoint::from(q);
    assert_eq!(Point::from(projective), sum, "{p:?} + {q:?}");
    let difference = p - q;
    assert_eq!(complete(&difference), complete(&p) + complete(&-q), "{p:?} - {q:?}");
    if let (Some(p), Some(q), Some(sum)) = (affine(&p), affine(&q), affine(&sum))
        && p.x != q.x
    {
        assert_eq!(Affine::sum_checker_x(p, q, sum), Element::zero());
        assert_eq!(Affine::sum_checker_y(p, q, sum), Element::zero());
        // The checkers tell the sum from its negative.
        assert_ne!(Affine::sum_checker_y(p, q, sum.neg()), Element::zero());
        return true;
    }
    false
}

#[test]
fn sums_of_edge_points() {
    let edges = edges();
    let mut checked = 0;
    for &p in &edges {
        for &q in &edges {
            checked += usize::from(compare_sum(p, q));
        }
    }
    // 27 points: all pairs but those with the identity, equal and opposite ones.
    assert_eq!(edges.len(), 27);
    assert_eq!(checked, 26 * 24);
}

#[test]
fn sums_of_random_points() {
    let mut numbers = Numbers(4);
    let points: Vec<_> = random_points(&mut numbers).take(RANDOM + 1).collect();
    for (i, pair) in points.windows(2).enumerate() {
        assert!(compare_sum(pair[0], pair[1]));
        if i % 10 == 0 {
            // Identity, P = Q, P = −Q.
            assert!(!compare_sum(pair[0], Point::Identity));
            assert!(!compare_sum(Point::Identity, pair[0]));
            assert!(!compare_sum(pair[0], pair[0]));
            assert!(!compare_sum(pair[0], -pair[0]));
        }
    }
}

#[test]
fn doubles() {
    let mut numbers = Numbers(5);
    for point in random_points(&mut numbers).take(RANDOM).chain(edges()) {
        let double = point.double();
        assert_eq!(complete(&double), complete(&point) + complete(&point), "{point:?}");
        if let Some(p) = affine(&point) {
            assert_eq!(affine(&double), Some(p.double()), "{point:?}");
            assert_eq!(affine(&-point), Some(p.neg()), "{point:?}");
        }
    }
}

/// s·P by SP1's additions alone, most significant bit first.
fn multiple(s: &Scalar256, point: &Point) -> Complete {
    let point = complete(point);
    (0..Scalar256::BITS).rev().fold(Complete::Infinity, |sum, i| {
        let sum = sum + sum;
        if s.bit(i) { sum + point } else { sum }
    })
}

fn edge_scalars() -> Vec<Scalar256> {
    let order = Scalar256::from(params::ORDER);
    let near = |d: u64| {
        [params::ORDER.wrapping_add(&d.into()), params::ORDER.wrapping_sub(&d.into())].map(Scalar256::from)
    };
    let mut scalars = vec![Scalar256::ZERO, Scalar256::ONE, Scalar256::from(2), Scalar256::MAX, order];
    scalars.extend((1..3).flat_map(near));
    scalars
}

#[test]
fn multiples() {
    let mut numbers = Numbers(6);
    let random_points = random_points(&mut numbers.clone()).take(10).collect::<Vec<_>>();
    let points: Vec<_> = edges().into_iter().step_by(5).chain(random_points).collect();
    let random = std::iter::repeat_with(|| Scalar256::from_le_limbs(numbers.limbs())).take(10);
    for s in edge_scalars().into_iter().chain(random) {
        for point in &points {
            assert_eq!(complete(&point.mul_vartime(&s)), multiple(&s, point), "{s} {point:?}");
        }
    }
}

/// s·G + e·A: edge scalars with the points that collide with G, then random ones.
#[test]
fn combinations() {
    let mut numbers = Numbers(7);
    let edges = edge_scalars();
    let mut inputs = Vec::new();
    for a in [Point::Identity, Point::GENERATOR, -Point::GENERATOR, Point::GENERATOR.double()] {
        for &s in &edges {
            inputs.extend(edges.iter().map(|&e| (s, e, a)));
        }
    }
    let points: Vec<_> = random_points(&mut numbers.clone()).take(300).collect();
    for a in points {
        let mut scalar = || Scalar256::from_le_limbs(numbers.limbs());
        inputs.push((scalar(), scalar(), a));
    }
    let batch = mul_add_batch(&inputs);
    for ((s, e, a), in_batch) in inputs.iter().zip(batch) {
        let ours = Point::mul_add_vartime(s, e, a);
        let theirs = multiple(s, &Point::GENERATOR) + multiple(e, a);
        assert_eq!(complete(&ours), theirs, "{s}·G + {e}·{a:?}");
        assert_eq!(in_batch, ours);
    }
}
