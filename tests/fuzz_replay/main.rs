//! The fuzz targets on their seeds and on a fixed number of random changes of them, without a fuzzer.
//!
//! The bodies are those of `fuzz/`; a panic in one of them fails the test.
#![cfg(feature = "files")]
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]
#![allow(clippy::print_stdout, reason = "counts, shown with --nocapture")]

#[path = "../../fuzz/src/script.rs"]
mod script;
#[path = "../../fuzz/src/seeds.rs"]
#[allow(unreachable_pub, reason = "public in the fuzz crate")]
mod seeds;
#[path = "../../fuzz/src/targets.rs"]
#[allow(unreachable_pub, reason = "public in the fuzz crate")]
mod targets;
#[path = "../../prover/tests/support/wire.rs"]
#[allow(dead_code, reason = "shared with the prover's tests")]
mod wire;

use std::path::PathBuf;

/// A fixed sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next()).unwrap() % bound.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// Pieces that parsers are sensitive to.
const TOKENS: [&[u8]; 24] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\u0000",
    b"null",
    b"-1",
    b"1.0",
    b"2130706433",
    b"0x",
    b"1e999",
    b"\"op\":\"add\"",
    b"\"x\":[",
    b"\n",
    b"\xff\xff",
    b"\0\0\0\0",
    b"\x01\0\0\x7f",
    b"\x80",
    b"\x80\0",
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
];

/// `seed` with one to four random changes.
fn changed(seed: &[u8], other: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(32)).min(bytes.len());
        match numbers.below(8) {
            0 | 1 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            2 if at < bytes.len() => bytes[at] = numbers.byte(),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            5 => {
                let from = numbers.below(other.len() + 1);
                let piece = &other[from..(from + numbers.below(64)).min(other.len())];
                drop(bytes.splice(at..end, piece.iter().copied()));
            }
            6 => drop(bytes.splice(at..end, TOKENS[numbers.below(TOKENS.len())].iter().copied())),
            7 if numbers.below(4) == 0 => bytes.truncate(at),
            _ => bytes.insert(at, numbers.byte()),
        }
    }
    bytes
}

fn folder(target: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "fuzz", "corpus-seed", target].iter().collect()
}

/// The seeds of a target by name.
fn committed(target: &str) -> Vec<(String, Vec<u8>)> {
    let mut seeds: Vec<_> = std::fs::read_dir(folder(target))
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        })
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty());
    seeds
}

/// Runs a target on its seeds and on `count` changes of them.
fn replay(target: &str, run: fn(&[u8]), count: usize) {
    let seeds = committed(target);
    for (_, seed) in &seeds {
        run(seed);
    }
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for i in 0..count {
        let (seed, other) = (&seeds[i % seeds.len()].1, &seeds[numbers.below(seeds.len())].1);
        run(&changed(seed, other, &mut numbers));
    }
}

#[test]
fn events() {
    replay("events", targets::events, 30_000);
}

#[test]
fn claims() {
    replay("claims", targets::claims, 30_000);
}

#[test]
fn signatures() {
    replay("signatures", targets::signatures, 10_000);
}

#[test]
fn keys() {
    replay("keys", targets::keys, 30_000);
}

#[test]
fn proof() {
    replay("proof", targets::proof, 5_000);
}

#[test]
fn chip_proof() {
    replay("chip_proof", targets::chip_proof, 5_000);
}

#[test]
fn machine_proof() {
    replay("machine_proof", targets::machine_proof, 3_000);
}

#[test]
fn segments() {
    replay("segments", targets::segments, 3_000);
}

/// Random scripts. Many changed proofs still decode, so that it is the verifier that rejects them.
#[test]
fn verify() {
    const SCRIPTS: usize = 5_000;
    replay("verify", targets::verify, 100);
    let mut numbers = Numbers(1);
    let (mut decoded, mut accepted) = (0, 0);
    for _ in 0..SCRIPTS {
        let mut script = vec![numbers.byte()];
        for _ in 0..=numbers.below(3) {
            script.extend([(); 12].map(|()| numbers.byte()));
        }
        let (decodes, accepts) = targets::verify_script(&script);
        decoded += usize::from(decodes);
        accepted += usize::from(accepts);
    }
    println!("{decoded} of {SCRIPTS} decode, {accepted} are still the same proof");
    assert!(decoded > SCRIPTS / 3);
}

/// The committed seeds are what `write_seeds` would write, but for proofs, which depend on the machine: they verify.
#[test]
fn seeds_are_current() {
    let mut total = 0;
    let wanted = seeds::seeds();
    for target in [
        "events",
        "claims",
        "signatures",
        "keys",
        "proof",
        "chip_proof",
        "machine_proof",
        "segments",
        "verify",
    ] {
        let files = committed(target);
        total += files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let mut wanted: Vec<_> = wanted.iter().filter(|(of, ..)| *of == target).collect();
        wanted.sort();
        assert!(files.iter().map(|(name, _)| name.as_str()).eq(wanted.iter().map(|(_, name, _)| *name)));
        for ((name, bytes), (.., new)) in files.iter().zip(wanted) {
            let current = match target {
                "proof" => seeds::proves_a_list(bytes),
                "chip_proof" => seeds::proves_an_event(bytes),
                "machine_proof" => seeds::machine_proves_a_list(bytes),
                "segments" => seeds::segments_prove_a_list(bytes),
                _ => bytes == new,
            };
            assert!(current, "{target}/{name}: run `cargo test --test fuzz_replay -- --ignored write_seeds`");
        }
    }
    assert!(total < 1 << 20, "{total} bytes");
}

/// Writes the seeds: `cargo test --test fuzz_replay -- --ignored write_seeds`.
#[test]
#[ignore = "writes files of the repository"]
fn write_seeds() {
    for (target, name, bytes) in seeds::seeds() {
        std::fs::create_dir_all(folder(target)).unwrap();
        std::fs::write(folder(target).join(name), bytes).unwrap();
    }
}
