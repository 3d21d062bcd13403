//! Events and claims as bytes, and what identifies a list.

use septic_trace::septic_chips::Operation;
use septic_trace::septic_curve::{Point, Scalar256};
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, ScalarMulEvent, VerifyEvent};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::bundle::MixedClaim;

// Numbers of 32 bits of a finite point, and of a scalar.
const POINT: usize = 14;
const SCALAR: usize = 8;

/// What identifies a list of events: a digest of the events in their order, and their number.
///
/// It does not depend on how the events were written down, nor on whether a result was stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    pub(super) digest: [u8; 32],
    pub(super) events: u64,
}

impl List {
    /// SHA-256 over the events.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Number of events.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }
}

/// Computes a [`List`] event by event.
#[derive(Clone, Debug)]
pub struct ListDigest {
    hash: Sha256,
    events: u64,
    buffer: Vec<u8>,
}

impl Default for ListDigest {
    fn default() -> Self {
        Self { hash: Sha256::new_with_prefix(b"septic-air list 1"), events: 0, buffer: Vec::new() }
    }
}

impl ListDigest {
    /// The next event.
    pub fn push(&mut self, event: &Event) {
        self.buffer.clear();
        put_event(event, &mut self.buffer);
        self.hash.update(&self.buffer);
        self.events += 1;
    }

    /// The list of all events so far.
    #[must_use]
    pub fn finish(self) -> List {
        List { digest: self.hash.finalize().into(), events: self.events }
    }
}

fn put_numbers(numbers: &[u32], bytes: &mut Vec<u8>) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn put_point(point: Point, bytes: &mut Vec<u8>) {
    match point.to_canonical() {
        None => bytes.push(0),
        Some((x, y)) => {
            bytes.push(1);
            put_numbers(&x, bytes);
            put_numbers(&y, bytes);
        }
    }
}

fn put_event(event: &Event, bytes: &mut Vec<u8>) {
    bytes.push(event.operation() as u8);
    match *event {
        Event::Add(AddEvent { p, q }) => {
            put_point(p, bytes);
            put_point(q, bytes);
        }
        Event::Double(DoubleEvent { p }) => put_point(p, bytes),
        Event::ScalarMul(ScalarMulEvent { p, s }) => {
            put_point(p, bytes);
            put_numbers(&s.to_le_limbs(), bytes);
        }
        Event::Verify(VerifyEvent { a, s, e }) => {
            put_point(a, bytes);
            put_numbers(&s.to_le_limbs(), bytes);
            put_numbers(&e.to_le_limbs(), bytes);
        }
    }
}

/// Appends a claim. No claim is the beginning of another.
pub(super) fn put_claim(claim: &MixedClaim, bytes: &mut Vec<u8>) {
    put_event(&claim.event, bytes);
    put_point(claim.out, bytes);
}

/// Takes numbers off the beginning of `bytes`.
fn take_numbers<const N: usize>(bytes: &mut &[u8]) -> Option<[u32; N]> {
    let (own, rest) = bytes.split_at_checked(4 * N)?;
    *bytes = rest;
    let mut numbers = [0; N];
    for (number, own) in numbers.iter_mut().zip(own.as_chunks().0) {
        *number = u32::from_le_bytes(*own);
    }
    Some(numbers)
}

fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (byte, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*byte)
}

fn take_point(bytes: &mut &[u8]) -> Option<Point> {
    match take_byte(bytes)? {
        0 => Some(Point::Identity),
        1 => {
            let (x, y) = (take_numbers(bytes)?, take_numbers(bytes)?);
            Point::from_canonical(Some((x, y))).ok()
        }
        _ => None,
    }
}

fn take_scalar(bytes: &mut &[u8]) -> Option<Scalar256> {
    take_numbers(bytes).map(Scalar256::from_le_limbs)
}

/// Takes a claim off the beginning of `bytes`; `None` if there is none. Its points are on the curve.
pub(super) fn take_claim(bytes: &mut &[u8]) -> Option<MixedClaim> {
    let tag = take_byte(bytes)?;
    let event = match Operation::ALL.into_iter().find(|&operation| operation as u8 == tag)? {
        Operation::Add => AddEvent { p: take_point(bytes)?, q: take_point(bytes)? }.into(),
        Operation::Double => DoubleEvent { p: take_point(bytes)? }.into(),
        Operation::ScalarMul => ScalarMulEvent { p: take_point(bytes)?, s: take_scalar(bytes)? }.into(),
        Operation::Verify => {
            VerifyEvent { a: take_point(bytes)?, s: take_scalar(bytes)?, e: take_scalar(bytes)? }.into()
        }
    };
    Some(Claim { event, out: take_point(bytes)? })
}

/// The most bytes of a claim.
pub(super) const MAX_CLAIM: usize = 1 + 3 * (1 + 4 * POINT) + 2 * 4 * SCALAR;
