//! Half-size scalars, quotients and carries against integers of 512 bits.

use crypto_bigint::{NonZero, U256, U512};
use septic_chips::generator::WINDOWS;
use septic_chips::half::product::{QUOTIENT_LIMBS, quotient_bits, quotient_exponent};
use septic_chips::half::{DIGITS, STEPS};

use super::super::integers::{HalfPair, ProductWitness, windows};
use super::*;

fn wide(x: &U256) -> U512 {
    U512::from((*x, U256::ZERO))
}

fn mul(a: &U256, b: &U256) -> U512 {
    let (low, high) = a.widening_mul(b);
    U512::from((low, high))
}

/// Scalars for which something is extreme: near 0, r, r/2, r/3, √r and powers of 2; with the shortest and the longest
/// expansions of r/s as a continued fraction; quotients of numbers near √r.
fn hostile_scalars() -> Vec<Scalar> {
    let order = params::ORDER;
    let mut centres = vec![U256::ZERO, order.wrapping_sub(&U256::from(10u32))];
    for k in 2u32..20 {
        centres.push(order.div_rem_vartime(&NonZero::new(U256::from(k)).unwrap()).0);
    }
    let root = order.floor_sqrt_vartime();
    centres.extend([root, root.shl_vartime(1), order.wrapping_sub(&root)]);
    centres.extend((1..217).map(|k| U256::ONE.shl_vartime(k)));
    // r/φ, by quotients of Fibonacci numbers up to 2^127: partial quotients of 1.
    let (mut a, mut b) = (1u128, 1u128);
    while b < 1 << 126 {
        (a, b) = (b, a + b);
        let golden =
            mul(&order, &U256::from(a)).div_rem_vartime(&NonZero::new(wide(&U256::from(b))).unwrap()).0;
        centres.push(golden.split().0);
    }
    let mut scalars = Vec::new();
    for centre in centres {
        let centre = Scalar::reduce(&centre);
        scalars.extend((0..4).map(Scalar::from).flat_map(|k| [centre + k, centre - k]));
    }
    let root = Scalar::reduce(&root);
    for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
        let quotient = (root - Scalar::from(i)) * inverse(root - Scalar::from(j));
        scalars.extend([quotient, -quotient]);
    }
    scalars
}

/// u·s + w = q·r with 0 < u, |w| ≤ √r, the digits are those of u and w, limbs and carries are in their ranges. Returns the
/// least and the greatest carry.
fn check(s: Scalar) -> [u16; 2] {
    let pair = HalfPair::new(&s);
    let root = params::ORDER.floor_sqrt_vartime();
    let number = |x: u128| U256::from(x);
    assert!(0 < pair.u && number(pair.u) <= root);
    let shift = (1u128 << STEPS) - 1;
    let (negative, magnitude) = (pair.w_digits() < shift, pair.w_digits().abs_diff(shift));
    assert!(number(magnitude) <= root);
    let left = mul(&number(pair.u), &s.to_uint());
    let right = mul(&number(pair.quotient), &params::ORDER);
    let magnitude = wide(&number(magnitude));
    let [left, right] = if negative {
        [left, right.wrapping_add(&magnitude)]
    } else {
        [left.wrapping_add(&magnitude), right]
    };
    assert_eq!(left, right);

    // Digits: σ_i of D and σ′_i of P, as the chain reads sign and swap.
    let signed = |x: bool| if x { 1i128 } else { -1 };
    let sign = |i: usize| i == 0 || pair.sign(i - 1);
    let sum = |digit: &dyn Fn(usize) -> bool| (0..DIGITS).fold(0, |sum, i| 2 * sum + signed(digit(i)));
    let w = i128::try_from(pair.w_digits()).unwrap() - i128::try_from(shift).unwrap();
    assert_eq!(sum(&sign), 2 * i128::try_from(pair.u).unwrap() - 1);
    assert_eq!(sum(&|i| sign(i) != pair.swap(i)), 2 * w - 1);

    let witness = ProductWitness::new(&pair, &s);
    let quotient = (0..QUOTIENT_LIMBS).map(|a| {
        assert!(witness.quotient[a] < 1 << quotient_bits(a));
        u128::from(witness.quotient[a]) << quotient_exponent(a)
    });
    assert_eq!(quotient.sum::<u128>(), pair.quotient);
    assert!(witness.carry.iter().all(|&carry| carry < 1 << 13));

    let windows = windows(&s);
    assert!(windows[..WINDOWS - 1].iter().all(|&w| w < 256) && windows[WINDOWS - 1] < 512);
    let sum =
        windows.iter().rev().fold(U256::ZERO, |sum, &w| sum.shl_vartime(8).wrapping_add(&U256::from(w)));
    assert_eq!(sum, s.to_uint());
    [witness.carry.iter().min(), witness.carry.iter().max()].map(|carry| *carry.unwrap())
}

fn extremes(scalars: impl IntoIterator<Item = Scalar>) -> [u16; 2] {
    scalars
        .into_iter()
        .map(check)
        .fold([u16::MAX, 0], |[least, most], [low, high]| [least.min(low), most.max(high)])
}

#[test]
fn random_scalars() {
    let mut random = Random(5);
    let [least, most] = extremes((0..2000).map(|_| random.scalar()));
    // 4096 is a carry of 0.
    assert_eq!([least, most], [3772, 5401]);
}

#[test]
fn hostile_scalars_fit() {
    let scalars = hostile_scalars();
    assert_eq!(scalars.len(), 3656);
    assert_eq!(extremes(scalars), [3502, 6399]);
}

/// The rows of hostile scalars, for both operations.
#[test]
fn hostile_scalars_have_rows() {
    let scalars: Vec<Scalar> = hostile_scalars().into_iter().step_by(9).collect();
    let p = multiple(7);
    let events: Vec<_> = scalars.iter().map(|&s| ScalarMulEvent { p, s: s.into() }).collect();
    Row::<HalfScalarMul>::all(&events);
    let events: Vec<_> = scalars.iter().map(|&s| VerifyEvent { a: p, s: (-s).into(), e: s.into() }).collect();
    Row::<HalfVerify>::all(&events);
}
