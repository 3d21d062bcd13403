//! Roots of polynomials over K, for forgeries that have to hit a curve.

use septic_curve::Fp7;
use septic_curve::p3_field::PrimeField32;

use crate::support::Random;

const P: u64 = septic_curve::KoalaBear::ORDER_U32 as u64;

/// A polynomial over K, low degree first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<Fp7>);

impl Polynomial {
    pub(crate) fn new(coefficients: impl Into<Vec<Fp7>>) -> Self {
        let mut coefficients = coefficients.into();
        while coefficients.last().is_some_and(Fp7::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    fn coefficient(&self, i: usize) -> Fp7 {
        self.0.get(i).copied().unwrap_or(Fp7::ZERO)
    }

    fn is_constant(&self) -> bool {
        self.0.len() < 2
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let len = self.0.len().max(other.0.len());
        Self::new((0..len).map(|i| self.coefficient(i) + other.coefficient(i)).collect::<Vec<_>>())
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&Self::new(other.0.iter().map(|c| -*c).collect::<Vec<_>>()))
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        if self.0.is_empty() || other.0.is_empty() {
            return Self::new([]);
        }
        let mut product = vec![Fp7::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a.dot_mul(b);
            }
        }
        Self::new(product)
    }

    pub(crate) fn at(&self, x: Fp7) -> Fp7 {
        self.0.iter().rev().fold(Fp7::ZERO, |sum, c| sum.dot_mul(&x) + *c)
    }

    /// Quotient and remainder.
    fn divided_by(&self, divisor: &Self) -> (Self, Self) {
        let mut rest = self.clone();
        let leading = divisor.0.last().expect("no division by zero").inverse();
        let mut quotient = vec![Fp7::ZERO; (self.0.len() + 1).saturating_sub(divisor.0.len())];
        while rest.0.len() >= divisor.0.len() {
            let shift = rest.0.len() - divisor.0.len();
            let factor = rest.0[rest.0.len() - 1].dot_mul(&leading);
            quotient[shift] = factor;
            for (i, c) in divisor.0.iter().enumerate() {
                rest.0[shift + i] -= factor.dot_mul(c);
            }
            rest = Self::new(rest.0);
        }
        (Self::new(quotient), rest)
    }

    fn modulo(&self, modulus: &Self) -> Self {
        self.divided_by(modulus).1
    }

    fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.0.is_empty() {
            (a, b) = (b.clone(), a.modulo(&b));
        }
        a
    }

    fn power(&self, exponent: u64, modulus: &Self) -> Self {
        let mut out = Self::new([Fp7::ONE]);
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            out = out.times(&out).modulo(modulus);
            if exponent >> bit & 1 == 1 {
                out = out.times(self).modulo(modulus);
            }
        }
        out
    }

    /// The roots in K, each once, in an order that depends on `random`.
    pub(crate) fn roots(&self, random: &mut Random) -> Vec<Fp7> {
        if self.is_constant() {
            return Vec::new();
        }
        let x = Self::new([Fp7::ZERO, Fp7::ONE]);
        // x^(p^7) − x is the product of all x − c with c in K.
        let mut power = x.modulo(self);
        for _ in 0..7 {
            power = power.power(P, self);
        }
        let mut roots = Vec::new();
        self.gcd(&power.minus(&x)).split(random, &mut roots);
        roots
    }

    /// The roots of a product of distinct linear factors.
    fn split(&self, random: &mut Random, roots: &mut Vec<Fp7>) {
        if self.is_constant() {
            return;
        }
        if let [constant, leading] = self.0[..] {
            roots.push(-constant.dot_mul(&leading.inverse()));
            return;
        }
        loop {
            // w^((p^7 − 1)/2) is 1 at about half of the roots; (p^7 − 1)/2 = (1 + p + … + p^6)·(p − 1)/2.
            let mut conjugate = Self::new([random.septic(), Fp7::ONE]).modulo(self);
            let mut norm = conjugate.clone();
            for _ in 0..6 {
                conjugate = conjugate.power(P, self);
                norm = norm.times(&conjugate).modulo(self);
            }
            let sign = norm.power((P - 1) / 2, self);
            let factor = self.gcd(&sign.minus(&Self::new([Fp7::ONE])));
            if !factor.is_constant() && factor.0.len() < self.0.len() {
                factor.split(random, roots);
                self.divided_by(&factor).0.split(random, roots);
                return;
            }
        }
    }
}

#[test]
fn roots_are_found() {
    let mut random = Random::new(1);
    let expected: Vec<Fp7> = (0..5).map(|_| random.septic()).collect();
    let mut polynomial = Polynomial::new([random.septic()]);
    for root in &expected {
        polynomial = polynomial.times(&Polynomial::new([-*root, Fp7::ONE]));
    }
    // A factor without roots: x² − n for a non-square n.
    let non_square = (0..).map(|_| random.septic()).find(|x| !x.is_square()).unwrap();
    polynomial = polynomial.times(&Polynomial::new([-non_square, Fp7::ZERO, Fp7::ONE]));
    let roots = polynomial.roots(&mut random);
    assert_eq!(roots.len(), expected.len());
    for root in expected {
        assert!(roots.contains(&root));
        assert!(polynomial.at(root).is_zero());
    }
}
