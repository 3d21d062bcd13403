//! Claims as the half-size tables show them.
//!
//! The tables take finite points, scalars below r, and a scalar of the variable point that is neither 0 nor ±1 modulo r. Every
//! claim is equivalent to one of that kind, or to one that is as false. In this order:
//!
//! | claim | is equivalent to | because |
//! |-------|------------------|---------|
//! | s·𝒪 = R | 0·G = R | both say R = 𝒪 |
//! | s·P = R | (s mod r)·P = R | r·P = 𝒪 |
//! | s·P = 𝒪 | (s + 1)·P = P | adding P |
//! | ±1·P = R | ±½·(2P) = R | ½ = (r + 1)/2 |
//! | s·G + e·A = R with A = 𝒪 or e ≡ 0 | (s − 2)·G + 2·G = R | e·A = 𝒪 |
//! | s·G + e·A = 𝒪 | (s + 1)·G + e·A = G | adding G |
//! | s·G ± 1·A = R | s·G ± ½·(2A) = R | |
//!
//! A claim 0·P = R with R ≠ 𝒪 is false and stays what it is; no row can show it.

use septic_curve::{AffinePoint, Point, Scalar, params};

use crate::{Claim, ScalarMulEvent, VerifyEvent};

/// s·P = R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShownScalarMul {
    pub(crate) p: AffinePoint,
    pub(crate) s: Scalar,
    pub(crate) r: AffinePoint,
}

/// s·G + e·A = R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShownVerify {
    pub(crate) a: AffinePoint,
    pub(crate) s: Scalar,
    pub(crate) e: Scalar,
    pub(crate) r: AffinePoint,
}

/// ±1·P as ±½·(2P); any other multiple as it is.
fn without_unit(p: AffinePoint, s: Scalar) -> (AffinePoint, Scalar) {
    let one = Scalar::from(1);
    // ½ modulo r.
    let half = Scalar::reduce(&params::ORDER.shr_vartime(1)) + one;
    if s == one {
        (p.double(), half)
    } else if s == -one {
        (p.double(), -half)
    } else {
        (p, s)
    }
}

impl From<&Claim<ScalarMulEvent>> for ShownScalarMul {
    fn from(&Claim { event: ScalarMulEvent { p, s }, out }: &Claim<ScalarMulEvent>) -> Self {
        let (p, s) = match p {
            Point::Identity => (params::GENERATOR, Scalar::from(0)),
            Point::Affine(p) => (p, s.into()),
        };
        let (s, r) = match out {
            Point::Identity => (s + Scalar::from(1), p),
            Point::Affine(r) => (s, r),
        };
        let (p, s) = without_unit(p, s);
        Self { p, s, r }
    }
}

impl From<&Claim<VerifyEvent>> for ShownVerify {
    fn from(&Claim { event: VerifyEvent { a, s, e }, out }: &Claim<VerifyEvent>) -> Self {
        let (s, e) = (Scalar::from(s), Scalar::from(e));
        let (a, s, e) = match a {
            Point::Affine(a) if e != Scalar::from(0) => (a, s, e),
            _ => (params::GENERATOR, s - Scalar::from(2), Scalar::from(2)),
        };
        let (s, r) = match out {
            Point::Identity => (s + Scalar::from(1), params::GENERATOR),
            Point::Affine(r) => (s, r),
        };
        let (a, e) = without_unit(a, e);
        Self { a, s, e, r }
    }
}
