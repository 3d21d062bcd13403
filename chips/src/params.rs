//! Constants of the curve that constraints mention, as canonical residues.

use septic_curve::params;
pub use septic_curve::params::residues::PointResidues;

/// A septic element as seven canonical residues, low degree first.
pub type Residues = [u32; 7];

/// The constants of a curve y² = x³ + A·x + B and of the fixed points that the chips use.
///
/// The chips are instantiated with [`Septic`]; tests instantiate them with toy curves whose elements use the
/// coefficient of degree 0 alone.
pub trait CurveParams: Copy + core::fmt::Debug + Default + Send + Sync + 'static {
    /// The coefficient of x, an element of the base field.
    const A: u32;
    /// The constant coefficient.
    const B: Residues;
    /// B_0, B_1: where an accumulator starts. Nobody knows their discrete logarithms.
    const OFFSETS: [PointResidues; 2];
    /// What an offset has become at the end of SCALAR_MUL: 2^254·B_j.
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2];
    /// What an offset has become at the end of VERIFY: 2^254·B_j − (2^254 − 1)·H.
    const VERIFY_CORRECTIONS: [PointResidues; 2];
    /// H = G/2, the point that VERIFY adds on every row.
    const HALF_GENERATOR: PointResidues;
}

/// The septic curve y² = x³ + 45x + 41z³.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Septic;

impl CurveParams for Septic {
    const A: u32 = params::CURVE_A;
    const B: Residues = params::residues::CURVE_B;
    const OFFSETS: [PointResidues; 2] = params::residues::OFFSETS;
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = params::residues::SCALAR_MUL_CORRECTIONS;
    const VERIFY_CORRECTIONS: [PointResidues; 2] = params::residues::VERIFY_CORRECTIONS;
    const HALF_GENERATOR: PointResidues = params::residues::HALF_GENERATOR;
}

/// Further constants for the tables with half-size scalars ([`crate::half`]).
pub trait HalfParams: CurveParams {
    /// C_j = 2^109·B_j.
    const HALF_CORRECTIONS: [PointResidues; 2];
    /// Q_j: what the entries of [`crate::generator`] sum up to for the scalar 0.
    const GENERATOR_OFFSETS: [PointResidues; 2];
}

impl HalfParams for Septic {
    const HALF_CORRECTIONS: [PointResidues; 2] = params::residues::HALF_CORRECTIONS;
    const GENERATOR_OFFSETS: [PointResidues; 2] = params::residues::GENERATOR_OFFSETS;
}
