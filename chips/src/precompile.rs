//! SCALAR_MUL and VERIFY for the prover of a virtual machine: every case in the row, one row an operation.
//!
//! The tables of [`crate::half`] leave special claims to whoever reads the claims, take entries of a table of G from a bus,
//! and share one parameter. A virtual machine such as SP1 offers none of the three: inputs come from memory, the chip reads
//! one row, and there are neither challenges nor parameters nor preprocessed columns. So here
//!
//! - scalars are any 256-bit integers, points any point or the identity, in 16-bit limbs as memory holds them;
//! - flags say that the variable point is the identity, or its scalar 0, 1 or −1 modulo r; the chain is then switched off;
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
//! A row fails for an offset B_j, taken for both of VERIFY's sums, only if some addition meets equal first coordinates, x_0 of
//! the sum so far and of the point added, or if a doubling step ends in 𝒪. The sum so far is k·B_j plus what the inputs
//! determine, k a power of 2; the point added is determined by the inputs alone, or in one case (X and Y of VERIFY) is the
//! sum plus such a point other than 𝒪. For a fixed input and random B_j each of the at most 158 equalities of coordinates
//! has a probability of about 1/p (the functions x_0(T) − c and x_0(T) − x_0(T + D) of a random T have poles of order 2: by
//! bounds on sums over curves the relative error is about p^-2.5), and the 109 equalities of points of about 1/r: together
//! below 2^-23.6. The 32 offsets are independent, so a fixed input fails for all of them with a probability below 2^-755.
//! Inputs are A, s and e modulo r, 3·217 bits. So the expected number of inputs that fail, over the choice of the offsets,
//! is below 2^(651 − 755) = 2^-104: but for that probability there is none, and no attacker can find one. This takes hashes
//! to the curve as random points; it needs no discrete logarithm.

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
