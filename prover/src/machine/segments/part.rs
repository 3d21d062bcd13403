//! Parts: what is kept of one finished segment.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::list::{MAX_CLAIM, put_claim, take_claim};
use super::{CHECKSUM, FormatError, Job, MAX_PROOF, MAX_SEGMENT, VERSION};
use crate::bundle::MixedClaim;

/// First bytes of a part.
const MAGIC: [u8; 8] = *b"SEPTICSP";

/// So many bytes of a part are enough for [`Part::peek`].
pub const PART_PREFIX: usize = 128;

/// The claims and the proof of one segment of a [`Job`].
#[derive(Clone, PartialEq, Eq)]
pub struct Part {
    job: Job,
    index: u64,
    claims: Vec<MixedClaim>,
    proof: Vec<u8>,
}

impl core::fmt::Debug for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Part")
            .field("job", &self.job)
            .field("index", &self.index)
            .field("claims", &self.claims.len())
            .field("proof", &self.proof.len())
            .finish()
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    job: Job,
    index: u64,
}

impl Header {
    /// The header of a part, and what follows it.
    fn take(bytes: &[u8]) -> Result<(Self, &[u8]), FormatError> {
        let body = bytes.strip_prefix(&MAGIC).ok_or(FormatError::Magic { expected: "a part" })?;
        let (version, body) = body.split_first_chunk().ok_or(FormatError::Truncated)?;
        let got = u32::from_le_bytes(*version);
        if got != VERSION {
            return Err(FormatError::Version { expected: VERSION, got });
        }
        let (header, rest): (Self, _) =
            postcard::take_from_bytes(body).map_err(|_| FormatError::Malformed { what: "the header" })?;
        header.job.check()?;
        if header.index >= header.job.segments() {
            return Err(FormatError::Malformed { what: "an index beyond the list" });
        }
        Ok((header, rest))
    }
}

impl Part {
    /// The most bytes of a part.
    pub const MAX_BYTES: usize = PART_PREFIX + MAX_SEGMENT * MAX_CLAIM + 4 + MAX_PROOF + CHECKSUM;

    /// A part.
    ///
    /// # Errors
    /// If there is no such segment, or not as many claims as it has, or the proof is too large.
    pub fn new(job: Job, index: u64, claims: Vec<MixedClaim>, proof: Vec<u8>) -> Result<Self, FormatError> {
        let range = job.range(index);
        if index >= job.segments() || claims.len() as u64 != range.end - range.start {
            return Err(FormatError::Malformed { what: "number of claims" });
        }
        if proof.len() > MAX_PROOF {
            return Err(FormatError::Malformed { what: "the proof's length" });
        }
        Ok(Self { job, index, claims, proof })
    }

    /// The job that the part belongs to.
    #[must_use]
    pub const fn job(&self) -> &Job {
        &self.job
    }

    /// Index of the segment.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// The segment's claims.
    #[must_use]
    pub fn claims(&self) -> &[MixedClaim] {
        &self.claims
    }

    /// The segment's proof, encoded. It has not been verified.
    #[must_use]
    pub fn proof(&self) -> &[u8] {
        &self.proof
    }

    /// The part as bytes.
    ///
    /// # Errors
    /// If the encoder fails, which it does not for what [`Self::new`] accepts.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let header = Header { job: self.job, index: self.index };
        let mut bytes =
            postcard::to_extend(&header, bytes).map_err(|_| FormatError::Malformed { what: "the header" })?;
        for claim in &self.claims {
            put_claim(claim, &mut bytes);
        }
        let length = u32::try_from(self.proof.len())
            .map_err(|_| FormatError::Malformed { what: "the proof's length" })?;
        bytes.extend(length.to_le_bytes());
        bytes.extend(&self.proof);
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        Ok(bytes)
    }

    /// The job and the index that a part states, from its first [`PART_PREFIX`] bytes. The rest may be damaged.
    ///
    /// # Errors
    /// If the bytes do not begin like a part.
    pub fn peek(bytes: &[u8]) -> Result<(Job, u64), FormatError> {
        Header::take(bytes).map(|(Header { job, index }, _)| (job, index))
    }

    /// The part from bytes, all of them.
    ///
    /// # Errors
    /// If the bytes are not a whole part.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(FormatError::Magic { expected: "a part" });
        }
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(FormatError::Truncated)?;
        if Sha256::digest(content)[..] != checksum[..] {
            return Err(FormatError::Checksum);
        }
        let (Header { job, index }, mut rest) = Header::take(content)?;
        let range = job.range(index);
        // At most `MAX_SEGMENT`; the list grows with the bytes that are there.
        let mut claims = Vec::new();
        for _ in range {
            claims.push(take_claim(&mut rest).ok_or(FormatError::Malformed { what: "a claim" })?);
        }
        let (length, proof) = rest.split_first_chunk().ok_or(FormatError::Truncated)?;
        if u32::from_le_bytes(*length) as usize != proof.len() {
            return Err(FormatError::Malformed { what: "the proof's length" });
        }
        Self::new(job, index, claims, proof.to_vec())
    }
}
