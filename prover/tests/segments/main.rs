//! Segments: parts, the proof of a list, and everything that a verifier must refuse.
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

use septic_prover::machine::segments::{
    Assembler, FormatError, Job, JoinError, ListDigest, MAX_SEGMENT, PART_PREFIX, Part, SegmentsError,
    Verified, Verifier,
};
use septic_prover::machine::{Layout, Machine, Record};
use septic_prover::{ConfigName, MixedClaim};
use septic_trace::septic_curve::{Point, Scalar256};
use septic_trace::{AddEvent, DoubleEvent, Event, ScalarMulEvent, VerifyEvent};

const CONFIG: ConfigName = ConfigName::Testing;

fn multiple(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k))
}

/// Events of all operations, mostly of the quick ones.
fn events(n: u64) -> Vec<Event> {
    (0..n)
        .map(|i| match i % 6 {
            3 => VerifyEvent { a: multiple(i), s: Scalar256::MAX, e: Scalar256::from(i) }.into(),
            5 => ScalarMulEvent { p: multiple(i), s: Scalar256::from(7 * i) }.into(),
            i if i % 2 == 0 => DoubleEvent { p: multiple(i) }.into(),
            _ => AddEvent { p: multiple(i), q: Point::Identity }.into(),
        })
        .collect()
}

fn job(events: &[Event], segment: usize) -> Job {
    let mut list = ListDigest::default();
    events.iter().for_each(|event| list.push(event));
    Job::new(list.finish(), segment, CONFIG, None).unwrap()
}

fn parts(events: &[Event], segment: usize) -> Vec<Part> {
    let job = job(events, segment);
    (0..job.segments())
        .map(|index| {
            let range = job.range(index);
            let own = &events[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
            let (proof, claims) = Machine::new(CONFIG).prove(&Record::new(own)).unwrap();
            Part::new(job, index, claims, proof.to_bytes().unwrap()).unwrap()
        })
        .collect()
}

fn assemble(job: Job, parts: &[Part]) -> Result<Vec<u8>, JoinError> {
    let mut assembler = Assembler::new(Vec::new(), job)?;
    parts.iter().try_for_each(|part| assembler.push(part))?;
    assembler.finish()
}

fn verify(proof: &[u8], claims: &[MixedClaim]) -> Result<Verified, SegmentsError> {
    let mut verifier = Verifier::new(CONFIG, proof)?;
    claims.iter().try_for_each(|claim| verifier.push(*claim))?;
    verifier.finish()
}

/// A proof of a list in segments, its parts and its claims.
fn proven(events: &[Event], segment: usize) -> (Vec<u8>, Vec<Part>, Vec<MixedClaim>) {
    let parts = parts(events, segment);
    let proof = assemble(job(events, segment), &parts).unwrap();
    let claims = parts.iter().flat_map(|part| part.claims().to_vec()).collect();
    (proof, parts, claims)
}

#[test]
fn lists_of_all_lengths() {
    for (n, segment, segments) in
        [(0, 3, 1), (1, 1, 1), (3, 1, 3), (6, 3, 2), (7, 3, 3), (7, 7, 1), (7, 100, 1)]
    {
        let events = events(n);
        let (proof, parts, claims) = proven(&events, segment);
        let outs: Vec<Point> = claims.iter().map(|claim| claim.out).collect();
        assert_eq!(outs, events.iter().map(Event::execute).collect::<Vec<_>>());
        let verified = verify(&proof, &claims).unwrap();
        assert_eq!((verified.claims, verified.segments), (n, segments), "{n} in {segment}");
        assert_eq!(verified.bytes, proof.len() as u64);
        assert_eq!(verified.security.is_some(), n > 0);
        for part in &parts {
            let bytes = part.to_bytes().unwrap();
            assert_eq!(Part::from_bytes(&bytes).as_ref(), Ok(part));
            let prefix = &bytes[..bytes.len().min(PART_PREFIX)];
            assert_eq!(Part::peek(prefix), Ok((*part.job(), part.index())));
        }
        let other = Verifier::new(ConfigName::Secure, proof.as_slice()).and_then(|mut verifier| {
            claims.iter().try_for_each(|claim| verifier.push(*claim))?;
            verifier.finish()
        });
        assert!(matches!(other, Err(SegmentsError::Verify { segment: 0, .. })), "{other:?}");
    }
}

/// After a refusal there is no going on: a caller that ignores it gets no verdict.
#[test]
fn refusals_are_final() {
    let (proof, _, claims) = proven(&events(4), 2);
    let mut verifier = Verifier::new(CONFIG, proof.as_slice()).unwrap();
    let mut wrong = claims[1];
    wrong.out += Point::GENERATOR;
    verifier.push(claims[0]).unwrap();
    verifier.push(wrong).unwrap_err();
    for &claim in &claims[2..] {
        verifier.push(claim).unwrap_err();
    }
    verifier.finish().unwrap_err();
    let mut verifier = Verifier::new(CONFIG, proof.as_slice()).unwrap();
    claims.iter().for_each(|&claim| verifier.push(claim).unwrap());
    verifier.push(claims[0]).unwrap_err();
    verifier.finish().unwrap_err();
}

#[test]
fn the_digest_is_of_the_list() {
    let base = events(7);
    let mut swapped = base.clone();
    swapped.swap(1, 2);
    assert_eq!(job(&base, 3), job(&base, 3));
    assert_eq!(job(&base, 3).difference(&job(&base, 3)), None);
    for other in [&swapped[..], &base[..6], &[]] {
        assert_eq!(job(&base, 3).difference(&job(other, 3)), Some("list"));
    }
    assert_eq!(job(&base, 3).difference(&job(&base, 4)), Some("segment size"));
    let secure = Job::new(job(&base, 3).list(), 3, ConfigName::Secure, None).unwrap();
    assert_eq!(job(&base, 3).difference(&secure), Some("configuration"));
    for &layout in Layout::ALL {
        let other = Job::new(job(&base, 3).list(), 3, CONFIG, Some(layout)).unwrap();
        assert_eq!(job(&base, 3).difference(&other), Some("layout"));
    }
    for size in [0, MAX_SEGMENT + 1] {
        let job = Job::new(job(&base, 3).list(), size, CONFIG, None);
        assert!(matches!(job, Err(FormatError::SegmentSize { .. })));
    }
}

#[test]
fn parts_are_joined_once_each_and_in_order() {
    let events = events(7);
    let (_, own, _) = proven(&events, 3);
    let all = job(&events, 3);
    assert!(matches!(assemble(all, &own[..2]), Err(JoinError::Missing { missing: 1, first: 2 })));
    let again = [own[0].clone(), own[1].clone(), own[1].clone()];
    assert!(matches!(assemble(all, &again), Err(JoinError::Order { expected: 2, got: 1 })));
    let swapped = [own[1].clone(), own[0].clone(), own[2].clone()];
    assert!(matches!(assemble(all, &swapped), Err(JoinError::Order { expected: 0, got: 1 })));
    let foreign = parts(&events[1..], 3);
    let mixed = [own[0].clone(), foreign[1].clone()];
    assert!(matches!(assemble(all, &mixed), Err(JoinError::Foreign { difference: "list" })));
    // Parts that say that they are of a list and are not.
    let liar = Part::new(all, 1, foreign[1].claims().to_vec(), foreign[1].proof().to_vec()).unwrap();
    let lied = [own[0].clone(), liar, own[2].clone()];
    assert!(matches!(assemble(all, &lied), Err(JoinError::List)));
    // No part with another number of claims, or beyond the list.
    let few = Part::new(all, 1, own[1].claims()[1..].to_vec(), Vec::new());
    assert!(matches!(few, Err(FormatError::Malformed { .. })));
    assert!(matches!(Part::new(all, 3, Vec::new(), Vec::new()), Err(FormatError::Malformed { .. })));
}

/// The proof as its header, its segments and a new checksum, changed by `change`.
fn rebuilt(proof: &[u8], change: impl FnOnce(&mut Vec<u8>, &mut Vec<Vec<u8>>)) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let (head, mut rest) = proof[..proof.len() - 32].split_at(28);
    let (mut head, mut segments) = (head.to_vec(), Vec::new());
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let (own, more) = more.split_at(u32::from_le_bytes(*length) as usize);
        segments.push(own.to_vec());
        rest = more;
    }
    change(&mut head, &mut segments);
    let mut bytes = head;
    for segment in segments {
        bytes.extend(u32::try_from(segment.len()).unwrap().to_le_bytes());
        bytes.extend(segment);
    }
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

#[test]
fn other_segments_are_refused() {
    let (proof, _, claims) = proven(&events(8), 3);
    assert_eq!(rebuilt(&proof, |_, _| ()), proof);
    verify(&proof, &claims).unwrap();
    type Change = fn(&mut Vec<u8>, &mut Vec<Vec<u8>>);
    let changes: [(&str, Change); 12] = [
        ("swapped", |_, s| s.swap(0, 1)),
        ("swapped with the last", |_, s| s.swap(1, 2)),
        ("the first dropped", |_, s| drop(s.remove(0))),
        ("the last dropped", |_, s| drop(s.pop())),
        ("repeated", |_, s| s.insert(1, s[0].clone())),
        ("in another's place", |_, s| s[1] = s[0].clone()),
        ("one more", |_, s| s.push(s[0].clone())),
        ("an empty one", |_, s| s[1].clear()),
        ("one of nothing", |_, s| {
            s[2] = Machine::new(CONFIG).prove(&Record::new(&[])).unwrap().0.to_bytes().unwrap()
        }),
        ("a shorter list", |h, _| h[12] -= 1),
        ("longer segments", |h, _| h[20] += 1),
        ("segments without end", |h, _| h[20..28].fill(0xff)),
    ];
    for (what, change) in changes {
        let other = rebuilt(&proof, change);
        assert!(verify(&other, &claims).is_err(), "{what}");
    }
}

#[test]
fn other_claims_are_refused() {
    let (proof, _, claims) = proven(&events(8), 3);
    let refused = |claims: &[MixedClaim], what: &str| {
        assert!(verify(&proof, claims).is_err(), "{what}");
    };
    for i in 0..claims.len() {
        let mut other = claims.clone();
        let one = other.remove(i);
        refused(&other, "dropped");
        other.insert(i, one);
        other.insert(i, one);
        refused(&other, "repeated");
        let mut other = claims.clone();
        other[i].out += Point::GENERATOR;
        refused(&other, "another result");
        for j in i + 1..claims.len() {
            if claims[i] != claims[j] {
                let mut other = claims.clone();
                other.swap(i, j);
                refused(&other, "swapped");
            }
        }
    }
    refused(&[], "none");
    refused(&[claims.as_slice(), &claims].concat(), "twice");
}

#[test]
fn hostile_bytes_do_not_panic_and_are_refused() {
    let (proof, parts, claims) = proven(&events(5), 2);
    let part = parts[0].to_bytes().unwrap();
    let cuts = |length: usize| (0..64).map(move |i| i * length / 64).chain([length - 1]);
    for length in cuts(proof.len()) {
        assert!(verify(&proof[..length], &claims).is_err(), "{length}");
    }
    for length in cuts(part.len()) {
        assert!(Part::from_bytes(&part[..length]).is_err(), "{length}");
        let _ = Part::peek(&part[..length]);
    }
    for at in (0..80).chain((80..proof.len()).step_by(proof.len() / 100)) {
        for bits in [1, 0x80, 0xff] {
            let mut other = proof.clone();
            other[at] ^= bits;
            assert!(verify(&other, &claims).is_err(), "byte {at}");
        }
    }
    for at in (0..part.len()).step_by(1 + part.len() / 400).chain(0..120) {
        let mut other = part.clone();
        other[at] ^= 0xff;
        assert!(Part::from_bytes(&other).is_err(), "byte {at}");
        let _ = Part::peek(&other[..PART_PREFIX.min(other.len())]);
        // With a checksum that is right.
        use sha2::{Digest, Sha256};
        let content = other.len() - 32;
        let checksum = Sha256::digest(&other[..content]);
        other[content..].copy_from_slice(&checksum);
        let _ = Part::from_bytes(&other);
    }
    assert!(matches!(
        verify(&[proof.as_slice(), b"x"].concat(), &claims),
        Err(SegmentsError::Format(FormatError::TrailingBytes))
    ));
    assert!(verify(b"", &[]).is_err() && Part::from_bytes(b"").is_err());
    // Lists and segments of any length, and nothing behind.
    for (list, segment) in [(u64::MAX, 1), (u64::MAX, 1 << 20), (0, 1), (1, u64::MAX), (5, 0)] {
        let head = [&proof[..12], &u64::to_le_bytes(list), &u64::to_le_bytes(segment)].concat();
        assert!(verify(&head, &claims).is_err());
        assert!(verify(&head, &[]).is_err());
        let long = [head.as_slice(), &[0xff; 1000]].concat();
        assert!(verify(&long, &claims).is_err());
    }
}
