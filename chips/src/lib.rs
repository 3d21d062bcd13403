//! AIR chips for the septic curve.
//!
//! Four chips, one for each operation: [`add`], [`double`], [`scalar_mul`] and [`verify`]. The documentation of each
//! module states what is proven, lists the columns and the numbered constraints, and argues soundness and
//! completeness case by case; the code mirrors it.
//!
//! [`half`] holds SCALAR_MUL and VERIFY once more, as tables of a machine, one row an operation.
//!
//! Relations are written over [`sink::ConstraintSink`] and depend on no proving stack. `p3` makes a chip a Plonky3
//! AIR; [`check`] evaluates the same constraints on field values and names those that fail. [`reads`] and [`docs`] are for tools
//! that explain them.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod add;
pub mod bus;
pub mod check;
pub mod chip;
pub mod columns;
pub mod docs;
pub mod double;
pub mod generator;
pub mod half;
pub mod ladder;
#[cfg(feature = "p3")]
pub mod p3;
pub mod params;
pub mod precompile;
pub mod range;
pub mod reads;
pub mod relations;
pub mod row_per_bit;
pub mod scalar_mul;
pub mod sink;
pub mod table;
pub mod verify;

#[cfg(feature = "p3")]
pub use {p3_air, p3_field};

pub use add::AddChip;
pub use chip::{Chip, Operation};
pub use double::DoubleChip;
pub use scalar_mul::ScalarMulChip;
pub use septic_curve;
pub use verify::VerifyChip;
