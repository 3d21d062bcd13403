//! Laws of the septic extension, on values and on packed lanes.

use core::array;

use proptest::prelude::*;
use septic_curve::p3_field::{Field, PackedValue, PrimeCharacteristicRing};
use septic_curve::{Fp7, KoalaBear, LimbError, Septic, batch_inverse, batch_inverse_with_scratch};

use crate::support::{P, any_element};

type Lanes = <KoalaBear as Field>::Packing;

/// The product by its definition: polynomials with integer coefficients, then z⁷ = 3z + 5 from the top down.
fn product_by_definition(a: &Fp7, b: &Fp7) -> Fp7 {
    let p = u64::from(P);
    let mut wide = [0_u64; 13];
    for (i, x) in a.to_canonical().into_iter().enumerate() {
        for (j, y) in b.to_canonical().into_iter().enumerate() {
            wide[i + j] = (wide[i + j] + u64::from(x) * u64::from(y)) % p;
        }
    }
    for k in (7..13).rev() {
        wide[k - 6] = (wide[k - 6] + 3 * wide[k]) % p;
        wide[k - 7] = (wide[k - 7] + 5 * wide[k]) % p;
    }
    Fp7::from_u32s(array::from_fn(|i| u32::try_from(wide[i]).unwrap()))
}

/// Different elements in the lanes.
fn lanes(seed: &[Fp7]) -> (Vec<Fp7>, Septic<Lanes>) {
    let shift = |i: usize| Fp7::from_u32s(array::from_fn(|k| u32::try_from(i * (k + 1)).unwrap()));
    let values: Vec<Fp7> = (0..Lanes::WIDTH).map(|i| seed[i % seed.len()] + shift(i / seed.len())).collect();
    let packed = Septic::from_fn(|k| Lanes::from_fn(|i| values[i].0[k]));
    (values, packed)
}

fn unpack(packed: &Septic<Lanes>) -> Vec<Fp7> {
    (0..Lanes::WIDTH).map(|i| Fp7::from_fn(|k| packed.0[k].as_slice()[i])).collect()
}

proptest! {
    #[test]
    fn products_agree(a in any_element(), b in any_element()) {
        let expected = product_by_definition(&a, &b);
        prop_assert_eq!(a * b, expected);
        prop_assert_eq!(a.dot_mul(&b), expected);
        prop_assert_eq!(b.dot_mul(&a), expected);
        prop_assert_eq!(a.mul_const(&b), expected);
        let square = product_by_definition(&a, &a);
        prop_assert_eq!(a.squared(), square);
        prop_assert_eq!(a.dot_square(), square);
        prop_assert_eq!(a.dot_mul(&a), square);
    }

    /// A helper that is wrong only in its assigning form has happened elsewhere: `-=` that changed one limb.
    #[test]
    fn assigning_operators_agree(a in any_element(), b in any_element()) {
        let assigned = |f: fn(&mut Fp7, Fp7)| { let mut c = a; f(&mut c, b); c };
        prop_assert_eq!(assigned(|c, b| *c += b), a + b);
        prop_assert_eq!(assigned(|c, b| *c -= b), a - b);
        prop_assert_eq!(assigned(|c, b| *c *= b), a * b);
        prop_assert_eq!(a - b, a + (-b));
        for k in 0..7 {
            prop_assert_eq!((a + b).0[k], a.0[k] + b.0[k]);
            prop_assert_eq!((a - b).0[k], a.0[k] - b.0[k]);
            prop_assert_eq!((-a).0[k], -a.0[k]);
        }
    }

    #[test]
    fn ring_laws(a in any_element(), b in any_element(), c in any_element()) {
        prop_assert_eq!((a + b) + c, a + (b + c));
        prop_assert_eq!((a * b) * c, a * (b * c));
        prop_assert_eq!(a * (b + c), a * b + a * c);
        prop_assert_eq!(a + b, b + a);
        prop_assert_eq!(a * b, b * a);
        prop_assert_eq!(a + Fp7::ZERO, a);
        prop_assert_eq!(a * Fp7::ONE, a);
        prop_assert_eq!(a - a, Fp7::ZERO);
        prop_assert_eq!(a.doubled(), a + a);
        prop_assert_eq!(a.tripled(), a + a + a);
        prop_assert_eq!(a.scale(&b.0[0]), a * Fp7::from(b.0[0]));
        prop_assert_eq!(a.scale_const(b.0[0]), a * Fp7::from_base(b.0[0]));
    }

    #[test]
    fn inverses(a in any_element(), b in any_element()) {
        match a.try_inverse() {
            None => prop_assert!(a.is_zero()),
            Some(inverse) => {
                prop_assert_eq!(a * inverse, Fp7::ONE);
                prop_assert_eq!(a.inverse(), inverse);
            }
        }
        prop_assert_eq!(a.inv0(), a.try_inverse().unwrap_or_default());
        prop_assert_eq!(a.inv0_packed(), a.inv0());
        prop_assert_eq!((a * b).inv0(), a.inv0() * b.inv0());
    }

    #[test]
    fn frobenius(a in any_element(), b in any_element(), power in 0_usize..15) {
        let expected = (0..power).fold(a, |a, _| a.power(P.into()));
        prop_assert_eq!(a.frobenius(power), expected);
        prop_assert_eq!((a + b).frobenius(power), a.frobenius(power) + b.frobenius(power));
        prop_assert_eq!((a * b).frobenius(power), a.frobenius(power) * b.frobenius(power));
        let norm = (0..7).map(|k| a.frobenius(k)).fold(Fp7::ONE, |product, c| product * c);
        prop_assert_eq!(Fp7::from_base(a.norm()), norm);
    }

    #[test]
    fn square_roots(a in any_element()) {
        let root = a.squared().try_sqrt().unwrap();
        prop_assert!(root == a || root == -a);
        let first = root.to_canonical().into_iter().find(|&c| c != 0).unwrap_or(0);
        prop_assert!(first <= P / 2);
        prop_assert_eq!((-a).squared().try_sqrt(), Some(root));
        // 3 is not a square modulo p, hence not in K, whose degree is odd.
        let other = a.squared().tripled();
        prop_assert_eq!(other.try_sqrt().is_some(), a.is_zero());
        prop_assert_eq!(other.is_square(), a.is_zero());
        prop_assert!(a.squared().is_square());
    }

    #[test]
    fn powers(a in any_element(), m in 0_u64..1000, n in 0_u64..1000) {
        prop_assert_eq!(a.power(m) * a.power(n), a.power(m + n));
        prop_assert_eq!(a.power(5), a * a * a * a * a);
    }

    #[test]
    fn packed_lanes_equal_values(
        a in prop::collection::vec(any_element(), 1..20), b in prop::collection::vec(any_element(), 1..20),
    ) {
        let ((a, pa), (b, pb)) = (lanes(&a), lanes(&b));
        let each = |f: fn(Fp7, Fp7) -> Fp7| -> Vec<Fp7> {
            a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect()
        };
        prop_assert_eq!(unpack(&(pa + pb)), each(|a, b| a + b));
        prop_assert_eq!(unpack(&(pa - pb)), each(|a, b| a - b));
        prop_assert_eq!(unpack(&(pa * pb)), each(|a, b| a * b));
        prop_assert_eq!(unpack(&-pa), each(|a, _| -a));
        prop_assert_eq!(unpack(&pa.dot_mul(&pb)), each(|a, b| a * b));
        prop_assert_eq!(unpack(&pa.squared()), each(|a, _| a * a));
        prop_assert_eq!(unpack(&pa.dot_square()), each(|a, _| a * a));
        prop_assert_eq!(unpack(&pa.inv0_packed()), each(|a, _| a.inv0()));
        for power in 0..7 {
            let expected: Vec<Fp7> = a.iter().map(|a| a.frobenius(power)).collect();
            prop_assert_eq!(unpack(&pa.frobenius(power)), expected);
        }
        let expected: Vec<Fp7> = a.iter().map(|&a| a * b[0]).collect();
        prop_assert_eq!(unpack(&pa.mul_const(&b[0])), expected.clone());
        prop_assert_eq!(unpack(&(pa * Septic::from_const(b[0]))), expected);
        let norms: Vec<KoalaBear> = a.iter().map(Fp7::norm).collect();
        let packed = pa.norm();
        prop_assert_eq!(packed.as_slice(), &norms[..]);
    }

    #[test]
    fn batch_inverses(mut values in prop::collection::vec(any_element(), 0..150)) {
        let expected: Vec<Fp7> = values.iter().map(Fp7::inv0).collect();
        let mut again = values.clone();
        batch_inverse(&mut values);
        prop_assert_eq!(&values, &expected);
        let mut scratch = vec![Fp7::ONE; 3];
        batch_inverse_with_scratch(&mut again, &mut scratch);
        prop_assert_eq!(&again, &expected);
    }
}

#[test]
fn batch_inverse_of_zeros_only() {
    for length in [0, 1, 15, 16, 64, 65, 129] {
        let mut values = vec![Fp7::ZERO; length];
        batch_inverse(&mut values);
        assert_eq!(values, vec![Fp7::ZERO; length]);
    }
}

#[test]
#[should_panic(expected = "zero has no inverse")]
fn inverse_of_zero() {
    let _ = Fp7::ZERO.inverse();
}

#[test]
fn zero_is_special_where_documented() {
    assert_eq!(Fp7::ZERO.try_inverse(), None);
    assert_eq!(Fp7::ZERO.inv0(), Fp7::ZERO);
    assert_eq!(Fp7::ZERO.inv0_packed(), Fp7::ZERO);
    assert_eq!(Fp7::ZERO.try_sqrt(), Some(Fp7::ZERO));
    assert_eq!(Fp7::ZERO.norm(), KoalaBear::ZERO);
    assert_eq!(Fp7::ZERO.power(0), Fp7::ONE);
    assert!(Fp7::ZERO.is_zero() && Fp7::default().is_zero() && !Fp7::ONE.is_zero());
}

/// A single non-zero coefficient in each position: no coefficient is forgotten.
#[test]
fn monomials() {
    for i in 0..7 {
        let z_i = Fp7::from_fn(|k| KoalaBear::from_bool(k == i));
        assert!(!z_i.is_zero());
        assert_eq!(z_i * z_i.inverse(), Fp7::ONE);
        for j in 0..7 {
            let z_j = Fp7::from_fn(|k| KoalaBear::from_bool(k == j));
            let expected = product_by_definition(&z_i, &z_j);
            assert_eq!(z_i * z_j, expected);
            assert_eq!(z_i.dot_mul(&z_j), expected);
            assert_eq!((z_i + z_j).dot_square(), (z_i + z_j) * (z_i + z_j));
        }
    }
    let z = Fp7::from_u32s([0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(z.power(7).to_canonical(), [5, 3, 0, 0, 0, 0, 0]);
}

#[test]
fn canonical_limbs() {
    for index in 0..7 {
        for value in [P, P + 1, u32::MAX] {
            let mut limbs = [P - 1; 7];
            limbs[index] = value;
            let error = Fp7::from_canonical(limbs).unwrap_err();
            assert_eq!((error.index, error.value), (index, value));
            assert_eq!(error.to_string(), format!("coefficient {index} is {value}, not below p = {P}"));
        }
    }
    let LimbError { index, .. } = Fp7::from_canonical([0, P, P, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(index, 1, "the first wrong coefficient is reported");
    let limbs = [P - 1, 0, 1, 2, 3, P - 2, 5];
    assert_eq!(Fp7::from_canonical(limbs).unwrap().to_canonical(), limbs);
    assert_eq!(Fp7::from_u32s(limbs).to_string(), format!("{limbs:?}"));
}

#[test]
#[should_panic(expected = "coefficient is not below p")]
fn literal_out_of_range() {
    let _ = Fp7::from_u32s([0, 0, 0, 0, 0, 0, P]);
}
