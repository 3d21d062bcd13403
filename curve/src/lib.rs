//! The septic curve.
#![no_std]
extern crate alloc;
mod ring;
mod septic;
pub use p3_koala_bear::KoalaBear;
pub use ring::Ring;
pub use septic::{DEGREE, Septic};
