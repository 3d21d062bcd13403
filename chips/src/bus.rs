//! Buses: how tables of one machine speak to each other.
//!
//! A table's row puts messages on a bus or takes them off. A proof shows that on every bus everything put was taken:
//! as multisets, over all rows of all tables. Each kind of message has a bus of its own, so that no message can be
//! taken for one of another kind. A table that others look something up in provides its entries any number of times; a lookup
//! is a message sent.

use alloc::vec::Vec;
use core::fmt;

use septic_curve::Ring;

use crate::sink::Label;

/// A bus. Every message on it has the same number of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Bus {
    /// Cells of SCALAR_MUL's row-per-bit blocks, to its claims table.
    ScalarMulClaims,
    /// Cells of VERIFY's row-per-bit blocks, to its claims table.
    VerifyClaims,
    /// Entries of the generator table.
    Generator,
    /// Numbers of 13 bits, checked by the range table.
    Limb,
    /// Pairs of numbers of 7 and 6 bits, checked by the range table.
    LimbPair,
    /// A number and b: the number has b bits. Checked by a virtual machine's range table.
    Range,
    /// Pairs of bytes, checked by a virtual machine's byte table.
    Bytes,
}

impl Bus {
    /// All buses.
    pub const ALL: [Self; 7] = [
        Self::ScalarMulClaims,
        Self::VerifyClaims,
        Self::Generator,
        Self::Limb,
        Self::LimbPair,
        Self::Range,
        Self::Bytes,
    ];

    /// The name, unique among buses: part of the transcript.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ScalarMulClaims => "scalar_mul.claims",
            Self::VerifyClaims => "verify.claims",
            Self::Generator => "generator",
            Self::Limb => "limb",
            Self::LimbPair => "limb_pair",
            Self::Range => "range",
            Self::Bytes => "bytes",
        }
    }
}

impl fmt::Display for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How often a row puts a message on a bus or takes it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count<E> {
    /// Puts it `n` times; constraints make n 0 or 1.
    Send(E),
    /// Takes it `n` times; constraints make n 0 or 1.
    Receive(E),
    /// An entry of a lookup table, taken `n` times for any n.
    Provide(E),
}

/// Receives the messages of one row.
///
/// Fields and counts are expressions in the columns of that row alone, of degree 1: neither flags nor the next row.
pub trait MessageSink {
    /// A number of the constraint system.
    type Expr: Ring;

    /// The constant `c`, a canonical residue.
    fn constant(&self, c: u32) -> Self::Expr;

    /// A message of this row.
    fn message(&mut self, label: Label, bus: Bus, count: Count<Self::Expr>, fields: Vec<Self::Expr>);
}
