//! Memory that hostile files can make the readers and the verifier take: a small multiple of the file's size.
//!
//! The only test of its binary, since it counts the allocations of the whole process.
#![cfg(feature = "files")]
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]
#![allow(clippy::print_stdout, reason = "counts, shown with --nocapture")]

use peak_alloc::PeakAlloc;
use septic_air::files::{MAX_KEY_FILE, read_claims, read_events, read_key, read_signatures};
use septic_air::prover::machine::segments::{Assembler, Job, ListDigest, Part, Verifier};
use septic_air::{Bundle, ConfigName, DoubleEvent, Machine, MixedClaim, Point, Record};
use sha2::{Digest, Sha256};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes that decoding may take for each byte of a proof file: an empty list in a list is one byte and takes 24, while
/// the list grows up to twice that.
const PER_PROOF_BYTE: usize = 48;

/// Bytes that a reader may take for each byte of a JSON file: the list it returns. What is ignored, blanks and lists that
/// are longer than any of the formats' take none.
const PER_TEXT_BYTE: usize = 16;

/// Bytes that decoding may take for each byte of a part: a claim about identities is three bytes and takes less than 200,
/// while the list grows up to three times that.
const PER_PART_BYTE: usize = 200;

/// Bytes that may be taken whatever the size: buffers, messages.
const CONSTANT: usize = 1 << 16;

/// Bytes that the verifier may take for the claims of `fuzz/corpus-seed`: instance columns of 256 rows and the like.
const VERIFIER: usize = 1 << 21;

/// The greatest ratio of memory to size that was seen.
#[derive(Default)]
struct Worst(f64);

/// Runs `f`; returns its result and the memory that it takes at its peak, beyond what is taken now.
fn measure<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let out = f();
    (out, ALLOCATOR.peak_usage().saturating_sub(before))
}

impl Worst {
    /// Runs `f` and checks its memory.
    fn check<T>(&mut self, size: usize, per_byte: usize, what: &str, f: impl FnOnce() -> T) -> T {
        let (out, peak) = measure(f);
        assert!(peak <= per_byte * size + CONSTANT, "{what}: {peak} bytes for {size}");
        if size >= CONSTANT {
            self.0 = self.0.max(peak as f64 / size as f64);
        }
        out
    }
}

fn seed(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/fuzz/corpus-seed/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// `number` as postcard writes it.
fn varint(number: usize) -> Vec<u8> {
    postcard::to_allocvec(&number).unwrap()
}

/// Decodes, and verifies what decodes.
fn offer(worst: &mut Worst, bytes: &[u8], claims: &[MixedClaim], what: &str) {
    if let Ok(bundle) = worst.check(bytes.len(), PER_PROOF_BYTE, what, || Bundle::from_bytes(bytes)) {
        let (_, peak) = measure(|| bundle.verify(ConfigName::Testing, claims).is_ok());
        assert!(peak <= VERIFIER + PER_PROOF_BYTE * bytes.len(), "{what}: the verifier took {peak} bytes");
    }
}

/// Every position of a proof file as the place of a length that is not true, and as its end.
fn lengths(worst: &mut Worst) {
    let claims = read_claims("claims", seed("claims/array").as_slice()).unwrap();
    for name in ["proof/rows", "proof/all"] {
        let honest = seed(name);
        for at in 0..honest.len() {
            offer(worst, &honest[..at], &claims, "the beginning");
            let rest = honest.len() - at;
            for length in [rest, rest - 1, rest / 2, 1 << 16, 1 << 20, u32::MAX as usize, 1 << 40, usize::MAX]
            {
                let forged = [&honest[..at], &varint(length), &honest[at + 1..]].concat();
                offer(worst, &forged, &claims, "a length");
            }
        }
        // A long file behind a true beginning: as many empty lists, options and zeros as there are bytes.
        let step = honest.len().div_ceil(400);
        for at in (0..300).chain((300..honest.len()).step_by(step)) {
            for filler in [0, 1] {
                let length = 1 << 18;
                let forged = [&honest[..at], &varint(length), &vec![filler; length]].concat();
                offer(worst, &forged, &claims, "a long list");
            }
        }
    }
}

fn texts(worst: &mut Worst) {
    const SIZE: usize = 1 << 20;
    let repeated = |start: &str, piece: &str, end: &str| {
        [start, &piece.repeat(SIZE / piece.len()), end].concat().into_bytes()
    };
    let texts = [
        repeated("", "[", ""),
        repeated("[", "{\"op\":", ""),
        repeated("", " ", ""),
        repeated("[", "0,", "0]"),
        repeated("\"", "x", "\""),
        repeated("\"", "\\u0000", "\""),
        repeated("{\"op\":\"add\",\"", "p", "\":0}"),
        repeated("{\"op\":\"double\",\"p\":null,\"case\":[", "0,", "0]}"),
        repeated("{\"op\":\"double\",\"p\":null,\"case\":[", "[],", "0]}"),
        repeated("{\"op\":\"double\",\"p\":{\"x\":[", "0,", "0],\"y\":[]}}"),
        repeated("{\"op\":\"double\",\"p\":null,\"case\":{", "\"\":0,", "\"\":0}}"),
        repeated("{\"op\":\"scalar_mul\",\"p\":null,\"s\":\"0x", "0", "\"}"),
        repeated("{\"signatures\":[", "{},", "{}]}"),
        repeated("{\"signatures\":[{\"message\":\"", "x", "\"}]}"),
        repeated("{\"signatures\":[],\"other\":[", "[],", "0]}"),
        repeated("[", "{\"op\":\"double\",\"p\":null,\"out\":null},", "{\"op\":\"double\",\"p\":null}]"),
        repeated("", "{\"op\":\"double\",\"p\":null,\"out\":null}", ""),
        repeated("", "9", ""),
    ];
    for text in &texts {
        let what = String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned();
        drop(worst.check(text.len(), PER_TEXT_BYTE, &what, || read_events("file", text.as_slice())));
        drop(worst.check(text.len(), PER_TEXT_BYTE, &what, || read_claims("file", text.as_slice())));
        drop(worst.check(text.len(), PER_TEXT_BYTE, &what, || read_signatures("file", text.as_slice())));
        // A key file is not read beyond its greatest size.
        let size = usize::try_from(MAX_KEY_FILE).unwrap();
        drop(worst.check(size, PER_TEXT_BYTE, &what, || read_key("file", text.as_slice())));
        drop(worst.check(size, PER_TEXT_BYTE, &what, || read_key("file", &text[..size])));
    }
}

/// Parts and proofs in segments whose lengths are not true.
fn segments(worst: &mut Worst) {
    let job = |events: usize, segment: usize| {
        let mut list = ListDigest::default();
        (0..events).for_each(|_| list.push(&DoubleEvent { p: Point::Identity }.into()));
        Job::new(list.finish(), segment, ConfigName::Testing, None).unwrap()
    };
    let machine = Machine::new(ConfigName::Testing);
    let prove = |events: usize| {
        let events = vec![DoubleEvent { p: Point::Identity }.into(); events];
        let (proof, claims) = machine.prove(&Record::new(&events)).unwrap();
        (proof.to_bytes().unwrap(), claims)
    };
    let offer = |worst: &mut Worst, content: &[u8]| {
        let part = [content, &Sha256::digest(content)].concat();
        drop(worst.check(part.len(), PER_PART_BYTE, "a part", || Part::from_bytes(&part)));
    };
    for (events, segment) in [(3, 3), (30_000, 30_000), (2, 1)] {
        let job = job(events, segment);
        let (proof, claims) = prove(segment);
        let part = Part::new(job, 0, claims.clone(), proof).unwrap();
        let bytes = part.to_bytes().unwrap();
        let content = &bytes[..bytes.len() - 32];
        offer(worst, content);
        // The lengths of the list and of a segment are behind the digest.
        for at in 0..60 {
            for length in [1, 1 << 16, 1 << 20, 1 << 40, usize::MAX] {
                offer(worst, &[&content[..at], &varint(length), &content[at + 1..]].concat());
            }
            offer(worst, &content[..at]);
        }
        // The proof of the list, with other lengths.
        let mut assembler = Assembler::new(Vec::new(), job).unwrap();
        for index in 0..job.segments() {
            let part = Part::new(job, index, claims.clone(), part.proof().to_vec()).unwrap();
            assembler.push(&part).unwrap();
        }
        let proof = assembler.finish().unwrap();
        let verify = |bytes: &[u8]| {
            let mut verifier = Verifier::new(ConfigName::Testing, bytes).ok()?;
            (0..job.segments())
                .try_for_each(|_| claims.iter().try_for_each(|claim| verifier.push(*claim)).ok())?;
            verifier.finish().ok()
        };
        let ((), honest) = measure(|| assert!(verify(&proof).is_some()));
        for at in [12, 20, 28] {
            for length in [[0xff; 4], [0, 0, 0, 1], [0, 0, 0, 0x80], [0xff, 0xff, 0, 0]] {
                let mut other = proof.clone();
                other[at..at + 4].copy_from_slice(&length);
                let (accepted, peak) = measure(|| verify(&other).is_some());
                assert!(!accepted);
                assert!(peak <= honest + CONSTANT, "{peak} bytes, an honest proof takes {honest}");
            }
        }
    }
}

#[test]
fn hostile_files_take_memory_in_proportion_to_their_size() {
    let (mut proofs, mut others) = (Worst::default(), Worst::default());
    lengths(&mut proofs);
    texts(&mut others);
    let mut parts = Worst::default();
    segments(&mut parts);
    println!("at most {:.1} bytes for a byte of a part", parts.0);
    println!("at most {:.1} bytes for a byte of a proof, {:.1} for a byte of text", proofs.0, others.0);
}
