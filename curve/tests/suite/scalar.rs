//! Scalars below 2²⁵⁶ and modulo r.

use crypto_bigint::{U256, U512};
use proptest::prelude::*;
use septic_curve::params::ORDER;
use septic_curve::{Scalar, Scalar256, ScalarParseError};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use crate::support::any_scalar;

fn any_modular() -> impl Strategy<Value = Scalar> {
    any_scalar().prop_map(Scalar::from)
}

proptest! {
    #[test]
    fn hexadecimal(limbs in prop::array::uniform8(any::<u32>())) {
        let scalar = Scalar256::from_le_limbs(limbs);
        let text = scalar.to_hex();
        prop_assert_eq!(text.len(), 66);
        prop_assert_eq!(Scalar256::from_hex(&text), Ok(scalar));
        let upper = format!("0x{}", text[2..].to_uppercase());
        prop_assert_eq!(upper.parse(), Ok(scalar));
        prop_assert_eq!(format!("{scalar}"), text.clone());
        prop_assert_eq!(format!("{scalar:?}"), text);
        prop_assert_eq!(scalar.to_le_limbs(), limbs);
        prop_assert_eq!(Scalar256::from(scalar.to_uint()), scalar);
    }

    #[test]
    fn bits_and_limbs(scalar in any_scalar()) {
        let sum = (0..256).rev().fold(U256::ZERO, |sum, i| {
            sum.shl_vartime(1).wrapping_add(&U256::from(u8::from(scalar.bit(i))))
        });
        prop_assert_eq!(sum, scalar.to_uint());
        let sum = (0..16).rev().fold(U256::ZERO, |sum, i| {
            sum.shl_vartime(16).wrapping_add(&U256::from(scalar.limb16(i)))
        });
        prop_assert_eq!(sum, scalar.to_uint());
    }

    #[test]
    fn small_numbers(value in any::<u64>()) {
        let scalar = Scalar256::from(value);
        prop_assert_eq!(scalar.to_hex(), format!("0x{value:064x}"));
        prop_assert_eq!(Scalar256::from_hex(&format!("{value:#x}")), Ok(scalar));
        prop_assert_eq!(Scalar256::from(Scalar::from(value)), scalar);
    }

    #[test]
    fn field_laws(a in any_modular(), b in any_modular(), c in any_modular()) {
        prop_assert_eq!((a + b) + c, a + (b + c));
        prop_assert_eq!((a * b) * c, a * (b * c));
        prop_assert_eq!(a * (b + c), a * b + a * c);
        prop_assert_eq!(a + b, b + a);
        prop_assert_eq!(a * b, b * a);
        prop_assert_eq!(a - b, a + (-b));
        prop_assert_eq!(a + Scalar::ZERO, a);
        prop_assert_eq!(a * Scalar::ONE, a);
        prop_assert_eq!(a.square(), a * a);
        prop_assert_eq!(a.pow(&U256::from(5_u8)), a * a * a * a * a);
        prop_assert_eq!(a.pow(&ORDER), a);
        match a.invert() {
            None => prop_assert_eq!(a, Scalar::ZERO),
            Some(inverse) => prop_assert_eq!(a * inverse, Scalar::ONE),
        }
    }

    #[test]
    fn powers(a in any_modular(), m in any_scalar(), n in any_scalar()) {
        let (m, n) = (m.to_uint(), n.to_uint());
        prop_assert_eq!(a.pow(&m), a.pow_vartime(&m));
        prop_assert_eq!(a.pow(&m).pow(&n), a.pow(&n).pow(&m));
        // Fermat: exponents count modulo r − 1.
        let order = ORDER.wrapping_sub(&U256::ONE).to_nz().unwrap();
        let sum = m.rem_vartime(&order).add_mod(&n.rem_vartime(&order), &order);
        prop_assume!(a != Scalar::ZERO);
        prop_assert_eq!(a.pow(&m) * a.pow(&n), a.pow(&sum));
        prop_assert_eq!(a.invert(), Some(a.pow(&ORDER.wrapping_sub(&U256::from(2_u8)))));
        prop_assert_eq!(a.invert_vartime(), a.invert());
        prop_assert_eq!(Option::from(a.invert_ct()), a.invert());
    }

    #[test]
    fn bytes_and_limbs(limbs in prop::array::uniform8(any::<u32>()), a in any_modular()) {
        prop_assert_eq!(Scalar::from_bytes(&a.to_bytes()), Some(a));
        prop_assert_eq!(Scalar::from_le_limbs(a.to_le_limbs()), Some(a));
        prop_assert_eq!(a.double(), a + a);
        let number = Scalar256::from_le_limbs(limbs).to_uint();
        let decoded = Scalar::from_le_limbs(limbs);
        prop_assert_eq!(decoded.is_some(), number < ORDER);
        prop_assert!(decoded.is_none_or(|decoded| decoded.to_uint() == number));
    }

    /// Against division of integers.
    #[test]
    fn wide_reduction(low in prop::array::uniform8(any::<u32>()), high in any_scalar()) {
        let wide: U512 = (Scalar256::from_le_limbs(low).to_uint(), high.to_uint()).into();
        let (remainder, _) = wide.rem_vartime(&U512::from(&ORDER).to_nz().unwrap()).split();
        prop_assert_eq!(Scalar::reduce_wide(&wide).to_uint(), remainder);
    }

    #[test]
    fn assigning_operators_agree(a in any_modular(), b in any_modular()) {
        let assigned = |f: fn(&mut Scalar, Scalar)| { let mut c = a; f(&mut c, b); c };
        prop_assert_eq!(assigned(|c, b| *c += b), a + b);
        prop_assert_eq!(assigned(|c, b| *c -= b), a - b);
        prop_assert_eq!(assigned(|c, b| *c *= b), a * b);
    }

    #[test]
    fn square_roots(a in any_modular()) {
        let root = a.square().try_sqrt().unwrap();
        prop_assert!(root == a || root == -a);
        prop_assert!(root.try_sqrt().is_some());
        // −1 is not a square modulo r ≡ 3 mod 4.
        prop_assert_eq!((-a.square()).try_sqrt().is_some(), a == Scalar::ZERO);
    }

    #[test]
    fn batch_inverses(mut values in prop::collection::vec(any_modular(), 0..30)) {
        let expected: Vec<Scalar> = values.iter().map(|a| a.invert().unwrap_or_default()).collect();
        Scalar::batch_invert(&mut values);
        prop_assert_eq!(values, expected);
    }

    #[test]
    fn reduction(value in any_scalar(), high in any_scalar()) {
        let reduced = Scalar::from(value);
        let remainder = value.to_uint().rem_vartime(&ORDER.to_nz().unwrap());
        prop_assert_eq!(reduced.to_uint(), remainder);
        prop_assert_eq!(Scalar::reduce(&value.to_uint()), reduced);
        let canonical = Scalar::from_canonical(value.to_uint());
        prop_assert_eq!(canonical.is_some(), value.to_uint() < ORDER);
        prop_assert!(canonical.is_none_or(|scalar| scalar == reduced));
        // high·2²⁵⁶ + value, bit by bit.
        let two = Scalar::from(2);
        let shifted = (0..256).fold(Scalar::from(high), |scalar, _| scalar * two);
        let wide: U512 = (value.to_uint(), high.to_uint()).into();
        prop_assert_eq!(Scalar::reduce_wide(&wide), shifted + reduced);
    }

    #[test]
    fn constant_time_traits(a in any_modular(), b in any_modular()) {
        prop_assert_eq!(bool::from(a.ct_eq(&b)), a == b);
        prop_assert!(bool::from(a.ct_eq(&a)));
        prop_assert_eq!(Scalar::conditional_select(&a, &b, Choice::from(0)), a);
        prop_assert_eq!(Scalar::conditional_select(&a, &b, Choice::from(1)), b);
        prop_assert_eq!(bool::from(a.is_zero()), a == Scalar::ZERO);
    }
}

#[test]
fn parse_errors() {
    use ScalarParseError::{Empty, InvalidDigit, MissingPrefix, TooLong};
    let invalid = |index, found| InvalidDigit { index, found };
    for (text, error) in [
        ("", MissingPrefix),
        ("12", MissingPrefix),
        ("0X12", MissingPrefix),
        (" 0x12", MissingPrefix),
        ("-0x12", MissingPrefix),
        ("0x", Empty),
        ("0xg", invalid(0, 'g')),
        ("0x1 ", invalid(1, ' ')),
        ("0x+1", invalid(0, '+')),
        ("0x1_0", invalid(1, '_')),
        ("0x12é", invalid(2, 'é')),
        ("0x٣", invalid(0, '٣')),
    ] {
        assert_eq!(Scalar256::from_hex(text), Err(error), "{text:?}");
    }
    let long = format!("0x{}", "0".repeat(65));
    assert_eq!(Scalar256::from_hex(&long), Err(TooLong { digits: 65 }));
    assert_eq!(TooLong { digits: 65 }.to_string(), "a scalar has at most 64 hexadecimal digits, not 65");
    assert_eq!(invalid(2, 'é').to_string(), "'é' at digit 2 is not a hexadecimal digit");
}

#[test]
fn extremes() {
    assert_eq!(Scalar256::from_hex("0x0"), Ok(Scalar256::ZERO));
    assert_eq!(Scalar256::from_hex("0x1"), Ok(Scalar256::ONE));
    assert_eq!(Scalar256::from_hex(&format!("0x{}", "f".repeat(64))), Ok(Scalar256::MAX));
    assert_eq!(Scalar256::MAX.to_uint(), U256::MAX);
    assert!(Scalar256::ZERO.is_zero() && Scalar256::default().is_zero() && !Scalar256::ONE.is_zero());
    assert!((0..256).all(|i| Scalar256::MAX.bit(i)));
    assert_eq!(Scalar::from_canonical(ORDER), None);
    assert_eq!(Scalar::from_canonical(U256::MAX), None);
    assert_eq!(Scalar::from_canonical(ORDER.wrapping_sub(&U256::ONE)), Some(-Scalar::ONE));
    assert_eq!(Scalar::reduce_wide(&U512::ZERO), Scalar::ZERO);
    assert_eq!(Scalar::ZERO.invert(), None);
    assert_eq!(Scalar::ZERO.pow(&U256::ZERO), Scalar::ONE);
    // Different integers with the same residue stay different.
    assert_ne!(Scalar256::from(ORDER), Scalar256::ZERO);
    assert_eq!(Scalar::from(Scalar256::from(ORDER)), Scalar::ZERO);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn bit_256() {
    let _ = Scalar256::MAX.bit(256);
}

#[test]
fn secrets_are_not_printed_and_can_be_erased() {
    let mut scalar = Scalar::from(0x1234_5678);
    assert_eq!(format!("{scalar:?}"), "Scalar(..)");
    scalar.zeroize();
    assert_eq!(scalar, Scalar::ZERO);
}
