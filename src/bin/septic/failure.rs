//! How commands end.

use std::fmt::Display;

use septic_air::files::FileError;

/// How a command ends that did what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit code 0.
    Done,
    /// Something is not valid, and the command has said what. Exit code 1.
    Rejected,
}

/// Why a command could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A proof, claim or signature is not valid. Exit code 1.
    Rejected(String),
    /// The input or the usage is wrong. Exit code 2.
    Unusable(String),
}

impl Failure {
    /// A failure with exit code 1.
    pub(crate) fn rejected(reason: impl Display) -> Self {
        Self::Rejected(reason.to_string())
    }

    /// A failure with exit code 2.
    pub(crate) fn unusable(reason: impl Display) -> Self {
        Self::Unusable(reason.to_string())
    }

    /// What to tell.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Rejected(message) | Self::Unusable(message) => message,
        }
    }

    /// The exit code.
    pub(crate) const fn code(&self) -> u8 {
        match self {
            Self::Rejected(_) => 1,
            Self::Unusable(_) => 2,
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        if error.is_rejection() { Self::rejected(error) } else { Self::unusable(error) }
    }
}
