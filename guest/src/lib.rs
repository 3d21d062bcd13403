//! Points and signatures of the septic curve for programs that run in a zkVM and outside of it.
//!
//! [`SepticPoint`] holds a point as it stands in memory. Its operations are those of a [`Backend`]: [`Platform`] makes the four
//! system calls of SP1's precompiles where the program is built for `target_os = "zkvm"`, and is plain software everywhere
//! else. A program says nothing about it; built for another target, it runs there.
//!
//! | operation | system call | buffers, in 64-bit words |
//! | --- | --- | --- |
//! | P + Q | `syscall_septic_add` | P (7), over which the sum is written; Q (7) |
//! | 2P | `syscall_septic_double` | P (7) |
//! | s·P | `syscall_septic_scalar_mul` | P (7); s (4) |
//! | s·G + e·A | `syscall_septic_verify` | A (7), s (4), e (4), the result over A |
//!
//! Points are 14 limbs x₀, …, x₆, y₀, …, y₆ of 32 bits, two per word, the first in the low half; the identity is all zeros; see
//! [`septic_curve::layout`]. Operations are complete. A point that is not on the curve cannot be made ([`SepticPoint::new`]
//! checks), but by [`SepticPoint::new_unchecked`]: then the first operation with it ends the execution, in a zkVM by the system
//! call itself, so that no proof with it exists.
//!
//! ```
//! use septic_curve::schnorr::SigningKey;
//! use septic_curve::{Scalar, Scalar256};
//! use septic_guest::{ChallengeHash, SepticPoint, verify};
//!
//! let g: SepticPoint = SepticPoint::GENERATOR;
//! assert_eq!(g.double() + g, g * Scalar256::from(3));
//!
//! let key = SigningKey::from_scalar(Scalar::from(42))?;
//! let signature = key.sign(b"SELL 3 ETH");
//! verify(ChallengeHash::Sha256, &key.verifying_key(), b"SELL 3 ETH", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]

mod backend;
mod point;
mod schnorr;
#[cfg(any(target_os = "zkvm", feature = "external-syscalls"))]
mod zkvm;

pub use backend::{Backend, Native, Platform};
pub use point::SepticPoint;
pub use schnorr::{verify, verify_with};
pub use septic_curve;
pub use septic_curve::schnorr::ChallengeHash;
#[cfg(any(target_os = "zkvm", feature = "external-syscalls"))]
pub use zkvm::Syscalls;
