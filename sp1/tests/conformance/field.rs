//! The extension field: every operation on random and edge elements, and on all pairs of edge elements.

use crate::support::{Element, Numbers, P, back, edge_elements, element};
use septic_curve::{Fp7, batch_inverse};
use slop_algebra::{AbstractField, Field};

const RANDOM: usize = 10_000;

/// Pairs: all of edge elements, edge with random, random with random.
fn pairs() -> Vec<(Fp7, Fp7)> {
    let edges = edge_elements();
    let mut numbers = Numbers(1);
    let mut pairs: Vec<_> = edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b))).collect();
    for &edge in &edges {
        pairs.extend([(edge, numbers.element()), (numbers.element(), edge)]);
    }
    pairs.extend((0..RANDOM).map(|_| (numbers.element(), numbers.element())));
    pairs
}

fn elements() -> Vec<Fp7> {
    let mut numbers = Numbers(2);
    edge_elements().into_iter().chain((0..RANDOM).map(|_| numbers.element())).collect()
}

#[test]
fn translation_loses_nothing() {
    for x in elements() {
        assert_eq!(back(&element(&x)), x);
    }
}

#[test]
fn sums_differences_products() {
    let pairs = pairs();
    assert!(pairs.len() > RANDOM + 8_000);
    for (a, b) in pairs {
        let (x, y) = (element(&a), element(&b));
        assert_eq!(element(&(a + b)), x + y, "{a} + {b}");
        assert_eq!(element(&(a - b)), x - y, "{a} - {b}");
        assert_eq!(element(&-a), -x, "-{a}");
        let product = x * y;
        assert_eq!(element(&(a * b)), product, "{a} * {b}");
        assert_eq!(element(&a.dot_mul(&b)), product, "{a} dot {b}");
        assert_eq!(element(&a.mul_const(&b)), product, "{a} * constant {b}");
        assert_eq!(element(&a.scale(&b.0[3])), x * y.0[3], "{a} scaled");
        let (mut sum, mut difference, mut multiple) = (a, a, a);
        sum += b;
        difference -= b;
        multiple *= b;
        assert_eq!([sum, difference, multiple].map(|c| element(&c)), [x + y, x - y, product], "{a}, {b}");
    }
}

#[test]
fn squares_and_small_multiples() {
    for a in elements() {
        let x = element(&a);
        assert_eq!(element(&a.squared()), x.square(), "{a}");
        assert_eq!(element(&a.dot_square()), x.square(), "{a}");
        assert_eq!(element(&a.doubled()), x + x, "{a}");
        assert_eq!(element(&a.tripled()), x + x + x, "{a}");
        assert_eq!(element(&(a.squared() * a)), x.cube(), "{a}");
    }
}

#[test]
fn inverses_and_quotients() {
    let elements = elements();
    let mut batch = elements.clone();
    batch_inverse(&mut batch);
    for (a, inverse) in elements.iter().zip(batch) {
        let theirs = element(a).try_inverse();
        assert_eq!(a.try_inverse().map(|x| element(&x)), theirs, "{a}");
        assert_eq!(theirs.is_none(), a.is_zero(), "{a}");
        assert_eq!(element(&inverse), theirs.unwrap_or_default(), "{a}");
        assert_eq!(element(&a.inv0_packed()), theirs.unwrap_or_default(), "{a}");
    }
    for (a, b) in pairs().into_iter().filter(|(_, b)| !b.is_zero()).step_by(7) {
        assert_eq!(element(&(a * b.inverse())), element(&a) / element(&b), "{a} / {b}");
    }
}

/// SP1's Frobenius map is private; its p-th power is not.
#[test]
fn frobenius_maps() {
    for (i, a) in elements().into_iter().enumerate() {
        let mut power = element(&a);
        // All seven maps on the edges and some others, the first on all.
        let maps = if i < 500 { 7 } else { 1 };
        for k in 1..=maps {
            power = power.exp_u64(P.into());
            assert_eq!(element(&a.frobenius(k)), power, "{a}, {k}");
        }
    }
}

/// Norms: SP1 has none to call, but x^(1 + p + … + p⁶) by its own products lies in the base field.
#[test]
fn norms() {
    for a in elements().into_iter().step_by(17) {
        let (mut power, mut norm) = (element(&a), Element::one());
        for _ in 0..7 {
            norm *= power;
            power = power.exp_u64(P.into());
        }
        assert_eq!(element(&Fp7::from_base(a.norm())), norm, "{a}");
    }
}

/// Both find a root of the same elements, the same up to sign.
#[test]
fn square_roots() {
    let mut squares = 0;
    for a in elements() {
        for x in [a, a.squared()] {
            let (ours, theirs) = (x.try_sqrt(), element(&x).sqrt());
            assert_eq!(ours.is_some(), theirs.is_some(), "{x}");
            assert_eq!(x.is_square(), theirs.is_some(), "{x}");
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                assert_eq!(theirs.square(), element(&x), "{x}");
                assert!(element(&ours) == theirs || element(&-ours) == theirs, "{x}");
                squares += 1;
            }
        }
    }
    // Every square, and about half of the others.
    assert!((RANDOM + RANDOM * 4 / 10..2 * RANDOM).contains(&squares), "{squares}");
}
