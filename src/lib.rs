//! AIR chips for the septic curve, provable with Plonky3: point addition, doubling, scalar multiplication and the
//! verification of Schnorr signatures.
//!
//! This crate puts the members of the workspace under one roof:
//!
//! | module | crate | holds |
//! | --- | --- | --- |
//! | [`curve`] | `septic-curve` | the extension field, points, scalars, Schnorr signatures |
//! | [`chips`] | `septic-chips` | columns and constraints of the four chips, the Plonky3 adapter |
//! | [`trace`] | `septic-trace` | events, claims, trace generators, the row checker |
//! | [`prover`] | `septic-prover` | configurations with their security in bits, proofs bound to claims |
//! | [`cost`] | `septic-cost` | what each chip costs |
#![cfg_attr(feature = "files", doc = "| [`files`] | here | event, claim, signature and key files |")]
#![cfg_attr(feature = "files", doc = "| [`inspect`] | here | one event's trace, explained |")]
//!
//! # Example
//!
//! Prove one addition and one s·G + e·A, and verify both claims. [`ConfigName::Testing`] is quick and offers no
//! security; [`ConfigName::Secure`] is the default.
//!
//! ```
//! use septic_air::curve::{Point, Scalar256};
//! use septic_air::{AddEvent, ConfigName, Event, Machine, MachineProof, Record, VerifyEvent};
//!
//! let g = Point::GENERATOR;
//! let events: [Event; 2] = [
//!     AddEvent { p: g, q: g.double() }.into(),
//!     VerifyEvent { a: g, s: Scalar256::from(5), e: Scalar256::from(7) }.into(),
//! ];
//!
//! let machine = Machine::new(ConfigName::Testing);
//! let (proof, claims) = machine.prove(&Record::new(&events))?;
//! assert_eq!(claims[0].out, g.mul_vartime(&Scalar256::from(3)));
//! assert_eq!(claims[1].out, g.mul_vartime(&Scalar256::from(12)));
//!
//! // The proof travels as bytes; the verifier brings the claims and the configuration.
//! let bytes = proof.to_bytes()?;
//! machine.verify(&claims, &MachineProof::from_bytes(&bytes)?)?;
//!
//! // A wrong claim is rejected.
//! let mut wrong = claims.clone();
//! wrong[0].out = g;
//! assert!(machine.verify(&wrong, &proof).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Bundle`] proves each chip on its own, with p3-uni-stark; long lists are proven in
//! [segments](prover::machine::segments).

#![forbid(unsafe_code)]

pub use septic_chips as chips;
pub use septic_cost as cost;
pub use septic_curve as curve;
pub use septic_prover as prover;
pub use septic_trace as trace;

#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "files")]
pub mod inspect;

pub use chips::{AddChip, Chip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
pub use curve::{Point, Scalar256};
pub use prover::machine::{Layout, Machine, MachineProof, Record};
pub use prover::{Bundle, ConfigName, MixedClaim, ProveError, SecurityBits, VerifyError};
pub use trace::{AddEvent, Claim, DoubleEvent, Event, ScalarMulEvent, TraceChip, TraceError, VerifyEvent};

/// The examples of README.md, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
