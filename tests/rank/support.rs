//! Numbers from a seed, points, scalars.

use septic_curve::p3_field::{PrimeCharacteristicRing, PrimeField32};
use septic_curve::{KoalaBear, Point, Scalar256};

/// Numbers from a seed (SplitMix64). Tests are the same on every run.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % u64::try_from(bound).unwrap()).unwrap()
    }

    pub(crate) fn element(&mut self) -> KoalaBear {
        let residue = self.number() % u64::from(KoalaBear::ORDER_U32);
        KoalaBear::from_u32(u32::try_from(residue).unwrap())
    }

    pub(crate) fn scalar(&mut self) -> Scalar256 {
        Scalar256::from_le_limbs(core::array::from_fn(|_| u32::try_from(self.number() >> 32).unwrap()))
    }

    pub(crate) fn point(&mut self) -> Point {
        Point::GENERATOR.mul_vartime(&self.scalar())
    }
}

/// k·P.
pub(crate) fn multiple(k: u64, p: impl Into<Point>) -> Point {
    p.into().mul_vartime(&Scalar256::from(k))
}
