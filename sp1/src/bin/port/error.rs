//! What can go wrong.

use std::{io, path::PathBuf};

/// Why the change was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PortError {
    /// The directory has something in it.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// A file or directory could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// `cargo metadata` failed.
    #[error("cargo metadata: {0}")]
    Metadata(String),
    /// `cargo metadata` does not list a crate.
    #[error("cargo metadata: no {name} {version}")]
    Missing {
        /// The crate.
        name: &'static str,
        /// Its version.
        version: &'static str,
    },
    /// A new file exists in SP1 already.
    #[error("{0}: exists")]
    Exists(String),
    /// An item or a line of SP1 is not where the change expects it.
    #[error("{file}: {anchor:?} found {found} times in {scope}")]
    Anchor {
        /// The file, relative to the directory.
        file: String,
        /// The start of the line.
        anchor: String,
        /// The item it is looked for in.
        scope: String,
        /// How often it was found.
        found: usize,
    },
    /// An item of SP1 has no end.
    #[error("{file}: no end of {scope}")]
    Unclosed {
        /// The file, relative to the directory.
        file: String,
        /// The item.
        scope: String,
    },
    /// A text that is to be replaced in a copied file is not there.
    #[error("{file}: {text:?} not found")]
    Text {
        /// The file.
        file: String,
        /// The text.
        text: &'static str,
    },
    /// A file of costs is not what it should be.
    #[error("{file}: {reason}")]
    Costs {
        /// The file, relative to the directory.
        file: String,
        /// The reason.
        reason: String,
    },
}

impl PortError {
    /// An [`Io`](PortError::Io) error about `path`.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |source| Self::Io { path, source }
    }
}
