//! Proof files that are not what they should be, and claims that are not what was proven.

use serde_json::{Value, json};

use crate::support::{Dir, few_events, g, h};

/// Options for the two forms of proofs.
const ROUTES: [&str; 2] = ["", "--single-chip"];

/// A directory with a proof of a few events and its claims.
fn proven(events: &Value, route: &str) -> Dir {
    let dir = Dir::new();
    dir.write_json("events", events);
    // With one thread a proof is the same every time, and so is what is done to it.
    dir.run(&format!("prove events -o proof --claims claims --config testing --threads 1 {route}")).expect(0);
    dir
}

const VERIFY: [&str; 8] = ["verify", "bad", "--claims", "claims", "--config", "testing", "--threads", "1"];

/// Runs the verifier on a proof file that must not be accepted.
fn rejects(dir: &Dir, proof: &[u8]) -> String {
    dir.write("bad", proof);
    let run = dir.run_with(&VERIFY, b"").expect(1);
    assert!(run.stderr.starts_with("rejected: bad: "), "{run:?}");
    assert!(run.stdout.is_empty());
    run.stderr
}

/// A fixed sequence of numbers that look random.
fn numbers() -> impl FnMut() -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 16).unwrap()
    }
}

#[test]
fn flipped_bits() {
    // One chip of few rows, so that the sample is a large part of the file; then one of every chip.
    let small = json!([{ "op": "add", "p": g(), "q": h() }]);
    let lists = [(small, 250), (few_events(), 100)];
    for (route, (events, sample)) in
        ROUTES.iter().flat_map(|route| lists.iter().map(move |list| (route, list)))
    {
        let dir = proven(events, route);
        let proof = dir.read("proof");
        let mut number = numbers();
        // The whole head, where lengths and options are, and positions anywhere.
        let anywhere = (0..*sample).map(|_| number() % (8 * proof.len())).collect::<Vec<_>>();
        for bit in (0..8 * 24).step_by(3).chain(anywhere) {
            let mut bad = proof.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            rejects(&dir, &bad);
        }
    }
}

#[test]
fn truncated_extended_and_strange() {
    ROUTES.into_iter().for_each(truncated_extended_and_strange_on);
}

fn truncated_extended_and_strange_on(route: &str) {
    let dir = proven(&few_events(), route);
    let proof = dir.read("proof");
    let step = proof.len() / 40;
    for length in (0..30).chain((30..proof.len()).step_by(step)).chain([proof.len() - 1]) {
        rejects(&dir, &proof[..length]);
    }
    let longer = |more: &[u8]| [proof.as_slice(), more].concat();
    assert!(rejects(&dir, &longer(b"\0")).contains("1 bytes after the end of the proof"));
    rejects(&dir, &longer(&proof));
    rejects(&dir, &longer(&[0; 1 << 20]));

    assert!(rejects(&dir, b"").contains("not a proof file"));
    rejects(&dir, b"hello");
    rejects(&dir, few_events().to_string().as_bytes());
    let mut number = numbers();
    for length in [1, 12, 13, 100, 10_000] {
        let noise: Vec<u8> = (0..length).map(|_| number().to_le_bytes()[0]).collect();
        rejects(&dir, &noise);
        // The same behind a head that is right.
        rejects(&dir, &[&proof[..12], &noise].concat());
    }
    // Lengths beyond all memory.
    for byte in [0x7f, 0x80, 0xff] {
        rejects(&dir, &[&proof[..13], &[byte; 64]].concat());
        rejects(&dir, &[&proof[..16], &[byte; 64]].concat());
        rejects(&dir, &[&proof[..40], &[byte; 64]].concat());
    }
    // Another version.
    let mut other = proof.clone();
    other[8] ^= 2;
    assert!(rejects(&dir, &other).contains("version 3"));
}

#[test]
#[cfg(unix)]
fn endless_files() {
    let dir = proven(&json!([]), "");
    dir.run("verify /dev/zero --claims claims --config testing")
        .says(1, &["rejected: /dev/zero: more than 16777216 bytes are no proof\n"]);
    dir.run("verify proof --claims /dev/zero").says(2, &["/dev/zero: event 0: json: "]);
    dir.run("execute /dev/zero").says(2, &["/dev/zero: event 0: json: "]);
    dir.run("schnorr sign --key /dev/zero hello").says(2, &["/dev/zero: json: "]);
}

#[test]
fn other_claims() {
    ROUTES.into_iter().for_each(other_claims_on);
}

fn other_claims_on(route: &str) {
    let dir = proven(&few_events(), route);
    let claims = dir.read_json("claims");
    let try_claims = |wrong: &Value| {
        dir.write_json("wrong", wrong);
        dir.run("verify proof --claims wrong --config testing").says(1, &["rejected: proof: "])
    };
    // Each point and scalar of each claim.
    for i in 0..5 {
        for field in ["p", "q", "a", "out", "s", "e"] {
            let mut wrong = claims.clone();
            match (wrong[i].get(field), field) {
                (None, _) => continue,
                (Some(_), "s" | "e") => wrong[i][field] = json!("0x6"),
                (Some(point), _) => {
                    let other = if *point == g() { h() } else { g() };
                    wrong[i][field] = other;
                    try_claims(&wrong);
                    wrong[i][field] = Value::Null;
                }
            }
            try_claims(&wrong);
        }
    }
    // A scalar that is equal modulo the order is another claim.
    let mut wrong = claims.clone();
    assert!(wrong[3]["s"].as_str().unwrap().ends_with("ff"));
    wrong[3]["s"] = json!("0x1e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d2f6");
    dir.write_json("wrong", &json!([wrong[3]]));
    try_claims(&wrong);
    // Order, number.
    let list = claims.as_array().unwrap();
    for (i, j) in [(0, 4), (0, 1), (2, 3)] {
        let mut swapped = list.clone();
        swapped.swap(i, j);
        try_claims(&swapped.into());
    }
    for i in 0..5 {
        let mut fewer = list.clone();
        let removed = fewer.remove(i);
        try_claims(&fewer.clone().into());
        fewer.extend([removed.clone(), removed]);
        try_claims(&fewer.into());
    }
    try_claims(&json!([]));
    // The real ones, still.
    dir.run("verify proof --claims claims --config testing").expect(0);
}

#[test]
fn other_configurations() {
    let dir = Dir::new();
    dir.write_json("events", &json!([{ "op": "double", "p": g() }]));
    for config in ["secure", "benchmark", "testing"] {
        dir.run(&format!("prove events -o {config} --claims claims --config {config}")).expect(0);
    }
    // Without a name it is `secure`.
    dir.run("prove events -o default --claims default-claims").expect(0);
    assert_eq!(dir.read("default-claims"), dir.read("claims"));
    dir.run("verify default --claims claims --config secure").expect(0);
    for made in ["secure", "benchmark", "testing"] {
        for config in ["secure", "benchmark", "testing"] {
            let run = dir.run(&format!("verify {made} --claims claims --config {config}"));
            if made == config {
                run.expect(0);
            } else {
                run.says(1, &[&format!("rejected: {made}: "), config]);
            }
        }
    }
    dir.run("verify secure --claims claims").expect(0);
    let verdict = dir.run("verify testing --claims claims --json").says(1, &["rejected: testing: "]).json();
    assert_eq!(verdict["accepted"], false);
    assert!(verdict["reason"].as_str().unwrap().contains("testing"));
    let verdict = dir.run("verify secure --claims claims --json").expect(0).json();
    assert_eq!((&verdict["accepted"], &verdict["reason"]), (&json!(true), &Value::Null));
    assert!(verdict["security_bits"]["proven"].as_u64().unwrap() >= 100);
    assert_eq!(verdict["events"], 1);
}
