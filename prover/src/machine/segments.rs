//! Long lists, in segments: one proof after another, each about so many claims of the list.
//!
//! A list of n claims in segments of N has ⌈n/N⌉ segments, and one if it is empty. Segment k proves the claims from k·N
//! to (k + 1)·N, in their order, by a [`MachineProof`](super::MachineProof); the last one those that remain. A proof
//! binds every claim of its segment and their order, and the verifier cuts the claims that it has into segments itself.
//! So if all segments are accepted one after the other, every claim is proven exactly once, in its place.
//!
//! | type | holds |
//! |------|-------|
//! | [`List`] | the digest and the length of a list of events |
//! | [`Job`] | a list, how it is cut, and how it is proven |
//! | [`Part`] | the claims and the proof of one segment, as the bytes of a file |
//! | [`Assembler`] | writes the proof of a list from its parts |
//! | [`Verifier`] | reads the proof of a list and verifies it, segment by segment |
//!
//! Memory is that of one segment, whatever the list's length: none of them holds more than one proof and the claims of
//! one segment. Lengths that are read are not believed: memory grows with the bytes that are there.
//!
//! # Files
//!
//! Numbers are little-endian. Both files end with the SHA-256 of everything before it, which finds accidents. It does
//! not make parts trustworthy: who does not trust a machine verifies the whole proof.
//!
//! | part | bytes |
//! |------|-------|
//! | magic | `SEPTICSP` |
//! | version | 4 |
//! | job and index | postcard: digest, length, segment size, configuration, layout, index |
//! | claims | one after the other: operation, points (0, or 1 and 14 numbers of 4 bytes), scalars (32 bytes), result |
//! | length of the proof | 4 |
//! | proof | an encoded `MachineProof` |
//! | SHA-256 | 32 |
//!
//! | proof of a list | bytes |
//! |-----------------|-------|
//! | magic | `SEPTICSG` |
//! | version | 4 |
//! | length of the list | 8 |
//! | segment size | 8 |
//! | for each segment: length of its proof | 4 |
//! | … and its proof | an encoded `MachineProof` |
//! | SHA-256 | 32 |

mod file;
mod list;
mod part;

use std::io;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use file::{Assembler, Verified, Verifier};
pub use list::{List, ListDigest};
pub use part::{PART_PREFIX, Part};

use super::{Layout, Machine, Record, TableKind};
use crate::bundle::DecodeError;
use crate::config::ConfigName;
use crate::{ProveError, VerifyError};

/// Version of both formats.
pub const VERSION: u32 = 1;

/// The largest segment: what a reader has to hold at a time is bounded by it.
pub const MAX_SEGMENT: usize = 1 << 20;

/// The largest proof of a segment in bytes. Real ones take about two megabytes.
pub const MAX_PROOF: usize = 1 << 24;

/// Length of a SHA-256 digest.
const CHECKSUM: usize = 32;

/// A list of events, how it is cut into segments, and how they are proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    list: List,
    segment: u64,
    config: ConfigName,
    /// `None` for the one with fewer cells, in each segment.
    layout: Option<Layout>,
}

impl Job {
    /// A job.
    ///
    /// # Errors
    /// [`FormatError::SegmentSize`] if `segment` is 0 or above [`MAX_SEGMENT`].
    pub fn new(
        list: List,
        segment: usize,
        config: ConfigName,
        layout: Option<Layout>,
    ) -> Result<Self, FormatError> {
        let job = Self { list, segment: segment as u64, config, layout };
        job.check()?;
        Ok(job)
    }

    /// Checks what a decoded job may have wrong.
    fn check(&self) -> Result<(), FormatError> {
        check_segment_size(self.segment).map(drop)
    }

    /// The list.
    #[must_use]
    pub const fn list(&self) -> List {
        self.list
    }

    /// Claims of every segment but the last.
    #[must_use]
    pub const fn segment_size(&self) -> u64 {
        self.segment
    }

    /// The configuration of all proofs.
    #[must_use]
    pub const fn config(&self) -> ConfigName {
        self.config
    }

    /// The layout of all proofs; `None` if each takes the one with fewer cells.
    #[must_use]
    pub const fn layout(&self) -> Option<Layout> {
        self.layout
    }

    /// Number of segments, at least 1.
    #[must_use]
    pub fn segments(&self) -> u64 {
        number_of_segments(self.list.events, self.segment)
    }

    /// Which claims of the list segment `index` proves. Empty beyond the list.
    #[must_use]
    pub fn range(&self, index: u64) -> Range<u64> {
        let start = index.saturating_mul(self.segment).min(self.list.events);
        start..start.saturating_add(self.segment).min(self.list.events)
    }

    /// The first thing in which two jobs differ, in words.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let Self { list, segment, config, layout } = other;
        if self.list != *list {
            Some("list")
        } else if self.segment != *segment {
            Some("segment size")
        } else if self.config != *config {
            Some("configuration")
        } else if self.layout != *layout {
            Some("layout")
        } else {
            None
        }
    }
}

fn number_of_segments(events: u64, segment: u64) -> u64 {
    events.div_ceil(segment.max(1)).max(1)
}

/// A segment size that can be worked with.
fn check_segment_size(got: u64) -> Result<usize, FormatError> {
    match usize::try_from(got) {
        Ok(size @ 1..=MAX_SEGMENT) => Ok(size),
        _ => Err(FormatError::SegmentSize { got }),
    }
}

/// Why bytes are not the part or the proof that they should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The bytes do not begin like one.
    #[error("not {expected}")]
    Magic {
        /// What is expected.
        expected: &'static str,
    },
    /// Another version of the format.
    #[error("of version {got}, this is version {expected}")]
    Version {
        /// The version of this crate.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// The bytes end too early.
    #[error("incomplete: it ends too early")]
    Truncated,
    /// The checksum at the end is not that of the bytes.
    #[error("damaged: the checksum is not that of the content")]
    Checksum,
    /// Something that no writer writes.
    #[error("malformed: {what}")]
    Malformed {
        /// What is wrong.
        what: &'static str,
    },
    /// The segment size is zero or too large.
    #[error("a segment of {got} claims: expected 1 to {MAX_SEGMENT}")]
    SegmentSize {
        /// The size.
        got: u64,
    },
    /// There are bytes after the end.
    #[error("there are bytes after the end")]
    TrailingBytes,
}

/// Why parts do not make a proof.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The part belongs to another job.
    #[error("a part of another {difference}")]
    Foreign {
        /// The first difference.
        difference: &'static str,
    },
    /// The part is not the next one.
    #[error("segment {got} where segment {expected} is needed")]
    Order {
        /// The index of the next segment.
        expected: u64,
        /// The index of the part.
        got: u64,
    },
    /// Parts are missing.
    #[error("{missing} segments are missing, the first is segment {first}")]
    Missing {
        /// How many.
        missing: u64,
        /// The first of them.
        first: u64,
    },
    /// The claims are not those of the list that the parts name.
    #[error("the claims of the parts are not the list that the parts are said to prove")]
    List,
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Why the proof of a list was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SegmentsError {
    /// The proof cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The proof has the wrong form.
    #[error("the proof is {0}")]
    Format(#[from] FormatError),
    /// The proof is of a list of another length.
    #[error("the proof is of {expected} claims, there are {got}")]
    Claims {
        /// The length that the proof states.
        expected: u64,
        /// How many claims there are, or the first that is too much.
        got: u64,
    },
    /// A segment's proof does not decode.
    #[error("segment {segment}: {source}")]
    Decode {
        /// Index of the segment.
        segment: u64,
        /// What is wrong.
        source: DecodeError,
    },
    /// A segment's proof was not accepted.
    #[error("segment {segment}, claims {} to {}: {source}", claims.start, claims.end)]
    Verify {
        /// Index of the segment.
        segment: u64,
        /// Its claims.
        claims: Range<u64>,
        /// Why not.
        source: VerifyError,
    },
}

impl Machine {
    /// The tables of a list with so many distinct events of each operation, with log2 of their heights.
    ///
    /// # Errors
    /// If no proof holds that many.
    pub fn table_heights(&self, distinct: [usize; 4]) -> Result<Vec<(TableKind, usize)>, ProveError> {
        let tables = self.tables_for(distinct)?;
        for &(_, log_height) in &tables {
            self.config.check_log_height(log_height)?;
        }
        Ok(tables)
    }

    /// Checks that one proof holds the list.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_size(&self, record: &Record) -> Result<(), ProveError> {
        self.table_heights(record.counts()).map(drop)
    }
}
