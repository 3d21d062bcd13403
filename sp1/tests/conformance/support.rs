//! `septic-curve` beside SP1's own code for the same field and curve: translations between the two, and inputs.
//!
//! SP1's types are those of `sp1-hypercube` over `SP1Field`, which is KoalaBear in an older Plonky3. Values cross as
//! canonical coefficients. The comparisons are in `tests/`.

use septic_curve::{DEGREE, Fp7, Point, params};
use slop_algebra::{AbstractField, PrimeField32};
use sp1_hypercube::septic_curve::{SepticCurve, SepticCurveComplete};
use sp1_hypercube::septic_extension::SepticExtension;
use sp1_primitives::SP1Field;

/// SP1's element of the extension field.
pub(crate) type Element = SepticExtension<SP1Field>;

/// SP1's affine point.
pub(crate) type Affine = SepticCurve<SP1Field>;

/// SP1's point with the identity.
pub(crate) type Complete = SepticCurveComplete<SP1Field>;

/// The characteristic.
pub(crate) const P: u32 = SP1Field::ORDER_U32;

/// An element as SP1's.
#[must_use]
pub(crate) fn element(x: &Fp7) -> Element {
    SepticExtension(x.to_canonical().map(SP1Field::from_canonical_u32))
}

/// SP1's element as ours.
///
/// # Panics
/// If a coefficient is not canonical.
#[must_use]
pub(crate) fn back(x: &Element) -> Fp7 {
    Fp7::from_u32s(x.0.map(|c| c.as_canonical_u32()))
}

/// A point as SP1's, `None` for the identity.
#[must_use]
pub(crate) fn affine(point: &Point) -> Option<Affine> {
    point.to_affine().map(|p| SepticCurve { x: element(&p.x()), y: element(&p.y()) })
}

/// A point as SP1's, with the identity.
#[must_use]
pub(crate) fn complete(point: &Point) -> Complete {
    affine(point).map_or(Complete::Infinity, Complete::Affine)
}

/// A fixed sequence of numbers that look random (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// The next 64 bits.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A residue, uniform up to 2^-33.
    pub(crate) fn residue(&mut self) -> u32 {
        u32::try_from(self.next_u64() % u64::from(P)).expect("below p")
    }

    /// An element of the extension.
    pub(crate) fn element(&mut self) -> Fp7 {
        Fp7::from_u32s([(); DEGREE].map(|()| self.residue()))
    }

    /// A 256-bit integer in 32-bit limbs.
    pub(crate) fn limbs(&mut self) -> [u32; 8] {
        [(); 8].map(|()| u32::try_from(self.next_u64() >> 32).expect("32 bits"))
    }
}

/// Elements on which formulas go wrong first: 0, ±1, single powers of z with small and large coefficients, elements
/// of the base field, all coefficients equal, coordinates of the curve's constants.
#[must_use]
pub(crate) fn edge_elements() -> Vec<Fp7> {
    let mut edges = vec![Fp7::ZERO];
    for c in [1, 2, P - 1, P - 2, P / 2, P / 2 + 1, 45, 41, (1 << 24) - 1, 1 << 24] {
        for i in 0..DEGREE {
            let mut limbs = [0; DEGREE];
            limbs[i] = c;
            edges.push(Fp7::from_u32s(limbs));
        }
        edges.push(Fp7::from_u32s([c; DEGREE]));
    }
    let points = [params::GENERATOR, params::DIGEST_START, params::DUMMY, params::HALF_GENERATOR];
    for point in points.into_iter().chain(params::OFFSETS) {
        edges.extend([point.x(), point.y()]);
    }
    edges.push(params::CURVE_B);
    edges
}
