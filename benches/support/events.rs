//! Fixed events for the benchmarks: distinct points and full-size scalars, the same on every run.

use septic_air::curve::{Point, Scalar256};
use septic_air::{AddEvent, DoubleEvent, ScalarMulEvent, VerifyEvent};

/// Scalars and points derived from a counter (splitmix64).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixture(u64);

impl Fixture {
    /// A sequence of its own for each seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn limb(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    /// A 256-bit scalar.
    pub(crate) fn scalar(&mut self) -> Scalar256 {
        Scalar256::from_le_limbs([0; 8].map(|_| self.limb()))
    }

    /// A multiple of the generator.
    pub(crate) fn point(&mut self) -> Point {
        Point::GENERATOR.mul_vartime(&self.scalar())
    }
}

/// An event made from a fixture.
pub(crate) trait Sample {
    /// The next event.
    fn sample(fixture: &mut Fixture) -> Self;
}

impl Sample for AddEvent {
    fn sample(fixture: &mut Fixture) -> Self {
        Self { p: fixture.point(), q: fixture.point() }
    }
}

impl Sample for DoubleEvent {
    fn sample(fixture: &mut Fixture) -> Self {
        Self { p: fixture.point() }
    }
}

impl Sample for ScalarMulEvent {
    fn sample(fixture: &mut Fixture) -> Self {
        Self { p: fixture.point(), s: fixture.scalar() }
    }
}

impl Sample for VerifyEvent {
    fn sample(fixture: &mut Fixture) -> Self {
        Self { a: fixture.point(), s: fixture.scalar(), e: fixture.scalar() }
    }
}

/// `count` events.
pub(crate) fn events<E: Sample>(count: usize) -> Vec<E> {
    let mut fixture = Fixture::new(1);
    (0..count).map(|_| E::sample(&mut fixture)).collect()
}
