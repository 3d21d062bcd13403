//! The septic curve E: y² = x³ + 45x + 41z³ over K = `F_p[z]/(z⁷ − 3z − 5)`, p = 2³¹ − 2²⁴ + 1 (KoalaBear).
//!
//! E has a prime number r of points (217 bits, cofactor 1), so every point on the curve is in the group, and no
//! point has y = 0. The identity is not an affine point; memory layouts write it as all zeros.
//!
//! | module | holds |
//! | --- | --- |
//! | [`septic`] | [`Septic`]: the extension over any ring (values, packed lanes, constraint expressions) |
//! | [`field`] | [`Fp7`]: inverse, Frobenius, square root, canonical limbs |
//! | [`affine`] | [`AffinePoint`], [`Point`]: the complete group law |
//! | [`projective`] | [`ProjectivePoint`]: complete projective formulas without branches |
//! | [`lockstep`] | many points at once: lanes of the packed field, shared inversions |
//! | [`half`] | half-size scalars: u·e = w + q·r |
//! | [`multiply`] | scalar multiplication: variable time, batched over packed lanes, constant time |
//! | [`scalar256`] | [`Scalar256`]: an integer below 2²⁵⁶, not reduced |
//! | [`scalar`] | [`Scalar`]: an integer modulo r |
//! | [`layout`] | memory layouts in 64-bit words |
//! | [`encoding`] | points as bytes, compressed and not |
//! | [`schnorr`] | Schnorr signatures, checked one by one or in batches |
//! | [`params`] | every constant of the curve |
//!
//! Names: lower-case coordinates are affine, upper-case ones projective. Functions whose time depends on their
//! inputs and that could be given secrets end in `_vartime`; only [`schnorr`] and
//! [`multiply::mul_constant_time`] are meant for secrets.
//!
//! | feature | adds |
//! | --- | --- |
//! | `serde` | points as `{"x": […], "y": […]}` or `null`, scalars as hexadecimal strings, strict on decoding |
//! | `group` | the traits of the `ff` and `group` crates: [`Scalar`] is a prime field, [`ProjectivePoint`] a prime-order curve |
//! | `rand_core` | keys and hedged signatures from a source of random numbers; none comes with this crate |
//! | `signature` | the traits of the `signature` crate for [`schnorr`] |
//!
//! ```
//! use septic_curve::schnorr::SigningKey;
//! use septic_curve::{Point, Scalar, Scalar256};
//!
//! let g = Point::GENERATOR;
//! let five = Scalar256::from(5);
//! assert_eq!(g.mul_vartime(&five), g.double().double() + g);
//!
//! let key = SigningKey::from_scalar(Scalar::from(42))?;
//! let signature = key.sign(b"ETH/USDC:BUY:100:1");
//! key.verifying_key().verify(b"ETH/USDC:BUY:100:1", &signature)?;
//!
//! // The statement behind a signature: s·G + e·A = R.
//! let (s, e) = key.verifying_key().statement(b"ETH/USDC:BUY:100:1", &signature)?;
//! assert_eq!(Point::mul_add_vartime(&s, &e, &key.verifying_key().0.into()), signature.r.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    feature = "group",
    doc = r#"
Code over any group of prime order, with the feature `group`:

```
use group::Group;
use group::ff::Field;
use septic_curve::ProjectivePoint;

/// A Pedersen commitment v·G + b·H.
fn commit<G: Group>(h: G, value: G::Scalar, blinding: G::Scalar) -> G {
    G::mul_by_generator(&value) + h * blinding
}

let h = ProjectivePoint::from(septic_curve::Point::hash_to_curve(b"H", b"pedersen-v1-septic_XMD:SHA-256_SSWU_RO_"));
let (v, b) = (septic_curve::Scalar::from(5), septic_curve::Scalar::ONE.double());
assert_eq!(commit(h, v, b) + commit(h, v, b), commit(h, v.double(), b.double()));
```
"#
)]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod affine;
mod affine_sums;
mod buckets;
mod challenge;
mod comb;
pub mod encoding;
pub mod field;
mod generator;
#[cfg(feature = "group")]
mod group_impls;
pub mod half;
mod hash_to_curve;
mod jacobian;
pub mod layout;
pub mod lockstep;
mod msm;
pub mod multiply;
mod offset;
pub mod params;
pub mod projective;
mod recode;
mod ring;
pub mod scalar;
pub mod scalar256;
pub mod schnorr;
mod secret;
pub mod septic;
#[cfg(feature = "serde")]
mod serde_impls;
mod signed;
mod straus;

pub use affine::{AffinePoint, Point, PointError, lift_x};
pub use field::{Fp7, LimbError, batch_inverse, batch_inverse_with_scratch};
pub use multiply::{mul_add_batch, mul_batch};
pub use offset::offset;
pub use p3_field;
pub use p3_koala_bear::KoalaBear;
pub use projective::ProjectivePoint;
pub use ring::Ring;
pub use scalar::Scalar;
pub use scalar256::{Scalar256, ScalarParseError};
pub use septic::{DEGREE, Septic};
