//! The proof of a list: all segments in one file.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use super::{
    CHECKSUM, FormatError, Job, JoinError, ListDigest, MAX_PROOF, Part, SegmentsError, VERSION,
    check_segment_size, number_of_segments,
};
use crate::bundle::MixedClaim;
use crate::config::{ConfigName, SecurityBits};
use crate::machine::{Machine, MachineProof};

/// First bytes of the proof of a list.
const MAGIC: [u8; 8] = *b"SEPTICSG";

/// Writes the proof of a list from its parts, which come one after the other.
#[derive(Debug)]
pub struct Assembler<W> {
    writer: W,
    hash: Sha256,
    job: Job,
    /// Index of the next segment.
    next: u64,
    list: ListDigest,
}

impl<W: Write> Assembler<W> {
    /// Begins the proof of a job.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(writer: W, job: Job) -> io::Result<Self> {
        let mut assembler = Self { writer, hash: Sha256::new(), job, next: 0, list: ListDigest::default() };
        assembler.write(&MAGIC)?;
        assembler.write(&VERSION.to_le_bytes())?;
        assembler.write(&job.list().events().to_le_bytes())?;
        assembler.write(&job.segment_size().to_le_bytes())?;
        Ok(assembler)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.writer.write_all(bytes)
    }

    /// Adds the next segment.
    ///
    /// # Errors
    /// If the part is of another job or another segment, or cannot be written.
    pub fn push(&mut self, part: &Part) -> Result<(), JoinError> {
        if let Some(difference) = self.job.difference(part.job()) {
            return Err(JoinError::Foreign { difference });
        }
        if part.index() != self.next {
            return Err(JoinError::Order { expected: self.next, got: part.index() });
        }
        let length = u32::try_from(part.proof().len()).map_err(io::Error::other)?;
        self.write(&length.to_le_bytes())?;
        self.write(part.proof())?;
        part.claims().iter().for_each(|claim| self.list.push(&claim.event));
        self.next += 1;
        Ok(())
    }

    /// Ends the proof. Nothing must be made of what was written if this fails.
    ///
    /// # Errors
    /// If segments are missing, the claims are not those of the job's list, or writing fails.
    pub fn finish(mut self) -> Result<W, JoinError> {
        let missing = self.job.segments() - self.next;
        if missing > 0 {
            return Err(JoinError::Missing { missing, first: self.next });
        }
        if self.list.finish() != self.job.list() {
            return Err(JoinError::List);
        }
        self.writer.write_all(&self.hash.finalize())?;
        Ok(self.writer)
    }
}

/// What was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Number of claims.
    pub claims: u64,
    /// Number of segments.
    pub segments: u64,
    /// Size of the proof.
    pub bytes: u64,
    /// The least security of a segment, `None` if there are no claims.
    pub security: Option<SecurityBits>,
}

/// A reader that hashes and counts what it reads.
#[derive(Debug)]
struct Hashing<R> {
    reader: R,
    hash: Sha256,
    bytes: u64,
}

impl<R: Read> Hashing<R> {
    /// Reads exactly so many bytes, and never reserves more memory than there are bytes, up to a factor of two.
    fn take(&mut self, length: usize) -> Result<Vec<u8>, SegmentsError> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(FormatError::Truncated.into());
        }
        self.hash.update(&bytes);
        self.bytes += length as u64;
        Ok(bytes)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], SegmentsError> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| FormatError::Truncated.into())
    }
}

/// Verifies the proof of a list against claims that come one by one.
///
/// Nothing is accepted before [`Self::finish`] returns without an error.
#[derive(Debug)]
pub struct Verifier<R> {
    machine: Machine,
    reader: Hashing<R>,
    /// Length of the list, as the proof states it.
    events: u64,
    segment: usize,
    /// Index of the segment whose claims are collected.
    index: u64,
    /// Claims before that segment.
    before: u64,
    claims: Vec<MixedClaim>,
    security: Option<SecurityBits>,
    /// Something was not accepted: nothing is from now on.
    failed: bool,
}

impl Verifier<io::Empty> {
    /// Whether bytes begin like the proof of a list.
    #[must_use]
    pub fn is_encoded(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }
}

impl<R: Read> Verifier<R> {
    /// Begins to read a proof.
    ///
    /// # Errors
    /// If it does not begin like the proof of a list.
    pub fn new(config: ConfigName, reader: R) -> Result<Self, SegmentsError> {
        let mut reader = Hashing { reader, hash: Sha256::new(), bytes: 0 };
        if reader.take_array()? != MAGIC {
            return Err(FormatError::Magic { expected: "a proof in segments" }.into());
        }
        let got = u32::from_le_bytes(reader.take_array()?);
        if got != VERSION {
            return Err(FormatError::Version { expected: VERSION, got }.into());
        }
        let events = u64::from_le_bytes(reader.take_array()?);
        let segment = check_segment_size(u64::from_le_bytes(reader.take_array()?))?;
        Ok(Self {
            machine: Machine::new(config),
            reader,
            events,
            segment,
            index: 0,
            before: 0,
            claims: Vec::new(),
            security: None,
            failed: false,
        })
    }

    /// Length of the list, as the proof states it.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Claims whose segments were accepted so far.
    #[must_use]
    pub const fn accepted(&self) -> u64 {
        self.before
    }

    /// The next claim. With the last claim of a segment, the segment is verified.
    ///
    /// # Errors
    /// The first reason not to accept. Then there is no going on.
    pub fn push(&mut self, claim: MixedClaim) -> Result<(), SegmentsError> {
        let done = self.push_claim(claim);
        self.failed |= done.is_err();
        done
    }

    fn push_claim(&mut self, claim: MixedClaim) -> Result<(), SegmentsError> {
        if self.failed {
            return Err(FormatError::Malformed { what: "what was refused before" }.into());
        }
        let got = self.before + self.claims.len() as u64 + 1;
        if got > self.events {
            return Err(SegmentsError::Claims { expected: self.events, got });
        }
        self.claims.push(claim);
        if self.claims.len() == self.segment { self.verify_segment() } else { Ok(()) }
    }

    fn verify_segment(&mut self) -> Result<(), SegmentsError> {
        let segment = self.index;
        let length = u32::from_le_bytes(self.reader.take_array()?) as usize;
        if length > MAX_PROOF {
            return Err(FormatError::Malformed { what: "the length of a proof" }.into());
        }
        let bytes = self.reader.take(length)?;
        let proof =
            MachineProof::from_bytes(&bytes).map_err(|source| SegmentsError::Decode { segment, source })?;
        drop(bytes);
        let end = self.before + self.claims.len() as u64;
        self.machine.verify(&self.claims, &proof).map_err(|source| SegmentsError::Verify {
            segment,
            claims: self.before..end,
            source,
        })?;
        let machine = self.machine.with_layout(proof.layout());
        // Nothing is proven about no claims.
        let security = if self.claims.is_empty() { None } else { machine.security(&self.claims).ok() };
        self.security = match (self.security, security) {
            (Some(least), Some(bits)) => Some(SecurityBits {
                conjectured: least.conjectured.min(bits.conjectured),
                ..if bits.proven < least.proven { bits } else { least }
            }),
            (least, bits) => least.or(bits),
        };
        self.claims.clear();
        self.index += 1;
        self.before = end;
        Ok(())
    }

    /// There are no more claims: verifies the last segment, and that nothing is left of the proof.
    ///
    /// # Errors
    /// The first reason not to accept.
    pub fn finish(mut self) -> Result<Verified, SegmentsError> {
        if self.failed {
            return Err(FormatError::Malformed { what: "what was refused before" }.into());
        }
        let got = self.before + self.claims.len() as u64;
        if got != self.events {
            return Err(SegmentsError::Claims { expected: self.events, got });
        }
        // The empty list has one segment, too.
        if self.index < number_of_segments(self.events, self.segment as u64) {
            self.verify_segment()?;
        }
        let expected: [u8; CHECKSUM] = self.reader.hash.clone().finalize().into();
        if self.reader.take_array()? != expected {
            return Err(FormatError::Checksum.into());
        }
        if self.reader.reader.take(1).read_to_end(&mut Vec::new())? > 0 {
            return Err(FormatError::TrailingBytes.into());
        }
        Ok(Verified {
            claims: self.events,
            segments: self.index,
            bytes: self.reader.bytes,
            security: self.security,
        })
    }
}
