//! SCALAR_MUL and VERIFY for the prover of a virtual machine: every case in the row, one row an operation.
//!
//! The tables of [`crate::half`] leave special claims to whoever reads the claims, take entries of a table of G from a bus,
//! and share one parameter. A virtual machine such as SP1 offers none of the three: inputs come from memory, the chip reads
//! one row, and there are neither challenges nor parameters nor preprocessed columns. So here
//!
//! - scalars are any 256-bit integers, points any point or the identity, in 16-bit limbs as memory holds them;
//! - a flag says that the scalar of the variable point is 0, 1 or −1 modulo r; the chain is then switched off;
//! - multiples of G come from constants: an entry of 16 is a polynomial of degree 2 in the bits that choose it;
//! - sums start from one of 32 offsets, and h(d) is the coordinate d_0 instead of an evaluation.
//!
//! | module | holds |
//! |--------|-------|
//! | [`points`] | the constants: offsets, corrections, multiples of G |
//! | [`integers`] | u·s + w = q·r for s of 256 bits; reduction modulo r |
//! | [`multiple`] | D = s·P for every s, by cases and a chain |
//! | [`scalar_mul`] | SCALAR_MUL |
//! | [`verify`] | VERIFY |
//!
//! ADD and DOUBLE need no tables of their own: [`crate::add`], [`crate::double`].
//!
//! ## What the machine guarantees
//! - G1. Every message sent on [`Bus::Range`](crate::bus::Bus::Range) and [`Bus::Bytes`](crate::bus::Bus::Bytes) is true.
//! - G2. `real`, the points and the scalars on a row are those of a call; rows with `real = 0` stand for none. A point is
//!   14 canonical residues, the identity (0, 0).
//!
//! ## Completeness: why 32 offsets are enough
//! A sum fails for an offset B_j only if some addition meets equal first coordinates, x_0 of the sum so far and of the point
//! added. One side is x of k·B_j + (what the inputs determine), the other is determined by the inputs. For a fixed input and
//! random B_j these are at most 112 events of probability about 1/p each: below 2^-24.1. The 32 offsets are independent, so a
//! fixed input fails for all of them with a probability below 2^-771. Inputs of a chain are D, P and the scalar, 3·217 bits
//! at most; those of the sum of entries R and s. So the expected number of inputs that fail, over the choice of the offsets,
//! is below 2^(651 − 771) = 2^-120: with that probability there is none, and no attacker can find one.

pub mod integers;
pub mod multiple;
pub mod points;
pub mod scalar_mul;
#[cfg(test)]
mod tests;
pub mod verify;

pub use scalar_mul::PrecompileScalarMulTable;
pub use verify::PrecompileVerifyTable;

/// Limbs of 16 bits of a scalar.
pub const SCALAR_LIMBS: usize = 16;

/// Bits that choose an offset.
pub const START_BITS: usize = 5;

/// Columns for products of those bits: b_0·b_1, b_0·b_2, b_1·b_2, b_0·b_1·b_2, b_3·b_4.
pub const START_PRODUCTS: usize = 5;
