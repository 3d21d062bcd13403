//! What can be wrong with a file.

use core::fmt;
use std::io;

use thiserror::Error;

use crate::Operation;
use crate::curve::ScalarParseError;
use crate::curve::schnorr::{SecretKeyError, SignatureError};

/// What a file lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Item {
    /// An event or a claim, which is an event with its result.
    Event,
    /// A signature.
    Signature,
    /// A message to be signed.
    Message,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Event => "event",
            Self::Signature => "signature",
            Self::Message => "message",
        })
    }
}

/// Why a file is not usable.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{file}: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file as a whole is wrong.
    #[error("{file}: {fault}")]
    Document {
        /// Name of the file.
        file: String,
        /// What is wrong.
        fault: Fault,
    },
    /// An item of the file's list is wrong.
    #[error("{file}: {item} {index}: {fault}")]
    Item {
        /// Name of the file.
        file: String,
        /// What the file lists.
        item: Item,
        /// Index of the item, from 0.
        index: usize,
        /// What is wrong.
        fault: Fault,
    },
}

impl FileError {
    /// Whether the file is well-formed and states something false: a wrong result, an invalid signature.
    #[must_use]
    pub const fn is_rejection(&self) -> bool {
        match self {
            Self::Io { .. } => false,
            Self::Document { fault, .. } => fault.reason.is_rejection(),
            Self::Item { item: Item::Signature, fault, .. } => {
                fault.reason.is_rejection() || matches!(fault.reason, Reason::NotOnCurve | Reason::Identity)
            }
            Self::Item { fault, .. } => fault.reason.is_rejection(),
        }
    }
}

/// A field and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {reason}")]
pub struct Fault {
    /// Path of the field: `p`, `p.x[3]`.
    pub field: String,
    /// What is wrong.
    pub reason: Reason,
}

impl Fault {
    /// A fault of a field.
    pub fn new(field: impl Into<String>, reason: Reason) -> Self {
        Self { field: field.into(), reason }
    }

    /// The fault as an error about an item of a file.
    #[must_use]
    pub fn at(self, file: &str, item: Item, index: usize) -> FileError {
        FileError::Item { file: file.to_owned(), item, index, fault: self }
    }

    /// The fault as an error about a file.
    #[must_use]
    pub fn of(self, file: &str) -> FileError {
        FileError::Document { file: file.to_owned(), fault: self }
    }
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Reason {
    /// The text is not JSON.
    #[error("{message}")]
    Syntax {
        /// What the parser said, with line and column.
        message: String,
    },
    /// A value of another kind is expected.
    #[error("expected {expected}, found {found}")]
    Kind {
        /// What is expected.
        expected: &'static str,
        /// What there is.
        found: String,
    },
    /// The field is not there.
    #[error("missing")]
    Missing,
    /// The field is there more than once.
    #[error("given more than once")]
    Duplicate,
    /// There is no such field.
    #[error("unknown field: expected {expected}")]
    Unknown {
        /// The fields that there are.
        expected: &'static str,
    },
    /// There is no such operation.
    #[error("unknown operation {found}: expected add, double, scalar_mul or verify")]
    Operation {
        /// The name, quoted.
        found: String,
    },
    /// A coordinate does not have seven coefficients.
    #[error("expected {expected} numbers, found {found}")]
    Length {
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A coefficient is not canonical.
    #[error("{value} is not below p = 2130706433")]
    Limb {
        /// Its value.
        value: u64,
    },
    /// The text is not a scalar.
    #[error(transparent)]
    Scalar(#[from] ScalarParseError),
    /// The coordinates are not those of a point.
    #[error("the point is not on the curve")]
    NotOnCurve,
    /// The coordinates are all zero.
    #[error("the point is not on the curve: the identity is written null")]
    AllZero,
    /// The identity cannot be used here.
    #[error("the identity is no public key and no part of a signature")]
    Identity,
    /// The stated result is wrong.
    #[error("not the result of this {operation}")]
    Result {
        /// The operation.
        operation: Operation,
    },
    /// The signature is not valid.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The stated challenge is not that of the signature.
    #[error("not the challenge of this signature")]
    Challenge,
    /// The number is not a secret key.
    #[error(transparent)]
    SecretKey(#[from] SecretKeyError),
    /// The public key is not that of the secret key.
    #[error("not the public key of this secret key")]
    PublicKey,
    /// There is a backslash in a file of a key.
    #[error("a key file has no escapes (\\)")]
    Escape,
    /// The text is not Unicode.
    #[error("not UTF-8")]
    Encoding,
    /// The file is larger than any of its kind.
    #[error("more than {limit} bytes")]
    TooLarge {
        /// The greatest size.
        limit: u64,
    },
}

impl Reason {
    /// Whether the field is well-formed and states something false.
    const fn is_rejection(&self) -> bool {
        matches!(self, Self::Result { .. } | Self::Signature(_) | Self::Challenge)
    }
}
