//! Sums of products for callers: s·G + e·A under the name that other libraries use, and many products at once.

use alloc::vec::Vec;

use crate::buckets::{Product, sum_of_products};
use crate::{Point, Scalar, Scalar256};

impl Point {
    /// s·G + e·a: [`Self::mul_add_vartime`]. Variable time.
    #[must_use]
    pub fn double_scalar_mul_basepoint_vartime(s: &Scalar256, e: &Scalar256, a: &Self) -> Self {
        Self::mul_add_vartime(s, e, a)
    }

    /// Σ sᵢ·Pᵢ, exact for all integers and points: Pippenger's buckets for many products, one by one for few. Variable time.
    ///
    /// ```
    /// use septic_curve::{Point, Scalar256};
    ///
    /// let g = Point::GENERATOR;
    /// let terms = [(Scalar256::from(2), g), (Scalar256::from(3), g.double()), (Scalar256::from(9), Point::Identity)];
    /// assert_eq!(Point::multi_scalar_mul_vartime(&terms), g.mul_vartime(&Scalar256::from(8)));
    /// ```
    #[must_use]
    pub fn multi_scalar_mul_vartime(terms: &[(Scalar256, Self)]) -> Self {
        /// From here on buckets are faster.
        const FEW: usize = 8;
        if terms.len() < FEW {
            return terms.iter().fold(Self::Identity, |sum, (s, point)| sum + point.mul_vartime(s));
        }
        let products: Vec<Product> = terms
            .iter()
            .filter_map(|(s, point)| {
                let scalar = Scalar256::from(Scalar::from(*s));
                Some(Product { scalar, bits: 217, negative: false, point: point.to_affine()? })
            })
            .collect();
        sum_of_products(&products)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;

    #[test]
    fn sums_are_those_of_single_products() {
        let order = Scalar256::from(params::ORDER);
        let minus_one = Scalar256::from(-Scalar::ONE);
        let mut point = Point::GENERATOR;
        let mut terms = Vec::new();
        let mut expected = Point::Identity;
        for k in 0..70_u64 {
            let scalar = match k % 7 {
                0 => Scalar256::ZERO,
                1 => order,
                2 => Scalar256::MAX,
                3 => minus_one,
                _ => Scalar256::from(k * k),
            };
            let base = match k % 5 {
                0 => Point::Identity,
                1 => Point::GENERATOR,
                2 => -point,
                _ => point,
            };
            terms.push((scalar, base));
            expected += base.mul_vartime(&scalar);
            assert_eq!(Point::multi_scalar_mul_vartime(&terms), expected, "{k}");
            point = point.double() + Point::GENERATOR;
        }
        assert_eq!(Point::multi_scalar_mul_vartime(&[]), Point::Identity);
        let same: Vec<_> =
            (0..20).map(|k| (Scalar256::from(3), if k % 2 == 0 { point } else { -point })).collect();
        assert_eq!(Point::multi_scalar_mul_vartime(&same), Point::Identity);
    }
}
