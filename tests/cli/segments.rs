//! Long lists: segments, interrupted runs, parts of many machines.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Dir, g, h, signatures};

/// A list of `n` quick events that differ.
fn list(n: usize) -> Value {
    let event = |i: usize| match i % 3 {
        0 => json!({ "op": "add", "p": g(), "q": h(), "case": i }),
        1 => json!({ "op": "double", "p": h() }),
        _ => json!({ "op": "scalar_mul", "p": g(), "s": format!("{:#x}", i * i + 1) }),
    };
    (0..n).map(event).collect()
}

/// Names of the files in a directory of parts.
fn parts(dir: &Dir, name: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(dir.path(name)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn verify(dir: &Dir, proof: &str, claims: &str) {
    dir.run(&format!("verify {proof} --claims {claims} --config testing")).expect(0);
}

#[test]
fn sizes() {
    let dir = Dir::new();
    dir.write_json("events", &list(7));
    dir.run("execute events -o expected").expect(0);
    for (size, count) in [(1, 7), (3, 3), (7, 1), (1000, 1), (1 << 20, 1)] {
        let line = format!("prove events -o proof --claims claims --segment {size} --config testing --json");
        let summary = dir.run(&line).expect(0).json();
        assert_eq!(
            summary["segments"],
            json!({ "size": size, "count": count, "proven": count, "kept": 0, "damaged": 0 })
        );
        assert_eq!(summary["events"], 7);
        assert_eq!(dir.read("claims"), dir.read("expected"), "segments of {size}");
        let verdict = dir.run("verify proof --claims claims --config testing --json").expect(0).json();
        assert_eq!((&verdict["segments"], &verdict["events"]), (&json!(count), &json!(7)));
        assert_eq!(verdict["proof_bytes"], dir.read("proof").len());
        assert!(verdict["security_bits"]["proven"].is_u64());
        let text = dir.run("verify proof --claims claims --config testing").expect(0);
        assert!(text.text().starts_with(&format!("accepted: 7 claims in {count} segments, ")), "{text:?}");
    }
    assert_eq!(dir.names(), ["claims", "events", "expected", "proof"].map(String::from).into());
    // Another configuration is another proof.
    dir.run("verify proof --claims claims").says(1, &["rejected: proof: segment 0", "testing"]);
}

#[test]
fn forms_of_lists() {
    let dir = Dir::new();
    for (name, text) in [("a", ""), ("b", "[]"), ("c", " \n")] {
        dir.write(name, text);
        dir.run(&format!("prove {name} -o proof --claims claims --segment 2 --config testing")).expect(0);
        assert_eq!(dir.read("claims"), b"[]\n");
        verify(&dir, "proof", "claims");
    }
    dir.write_json("one", &json!([{ "op": "double", "p": null, "out": null }]));
    dir.run("verify proof --claims one --config testing").says(1, &["the proof is of 0 claims, there are 1"]);
    dir.run("verify proof --claims a").says(1, &["rejected: proof: segment 0"]);

    let lines: String = list(5).as_array().unwrap().iter().map(|event| format!("{event}\n")).collect();
    dir.write("lines", lines);
    dir.run("prove lines -o proof --claims claims --segment 2 --config testing").expect(0);
    verify(&dir, "proof", "claims");
    let proof = dir.read("proof");
    dir.run_with(&["verify", "-", "--claims", "claims", "--config", "testing"], &proof).expect(0);
    let claims = dir.read("claims");
    dir.run_with(&["verify", "proof", "--claims", "-", "--config", "testing"], &claims).expect(0);
    // The claims may go to standard output.
    let run = dir.run("prove lines -o proof --claims - --segment 2 --config testing").expect(0);
    assert_eq!(run.stdout, claims);

    let mut signed = signatures();
    signed["signatures"].as_array_mut().unwrap().truncate(5);
    dir.write_json("signed", &signed);
    dir.run("prove --signatures signed -o proof --claims claims --segment 2 --config testing").expect(0);
    verify(&dir, "proof", "claims");
    dir.run("prove --signatures signed -o whole --claims same --config testing").expect(0);
    assert_eq!(dir.read("claims"), dir.read("same"));
}

#[test]
fn wrong_lists_are_named_before_anything_is_proven() {
    let dir = Dir::new();
    let mut events = list(7);
    events[5]["out"] = g();
    dir.write_json("wrong", &events);
    dir.write("bad", format!("[{}, 5]", json!({ "op": "double", "p": g() })));
    let mut signed = signatures();
    signed["signatures"].as_array_mut().unwrap().truncate(4);
    signed["signatures"][3]["message"] = json!("another");
    signed["signatures"][3].as_object_mut().unwrap().remove("e");
    dir.write_json("signed", &signed);
    let names = dir.names();
    for (line, code, message) in [
        ("wrong", 1, "wrong: event 5: out: not the result of this scalar_mul\n"),
        ("bad", 2, "bad: event 1: json: expected an object, found 5\n"),
        ("missing", 2, "missing: No such file"),
        ("--signatures signed", 1, "signed: signature 3: s: "),
        ("--signatures wrong", 2, "wrong: json: invalid type"),
    ] {
        let run = dir.run(&format!("prove {line} -o proof --claims claims --segment 2 --config testing"));
        assert!(run.stderr.starts_with(message), "{run:?}");
        run.expect(code);
        assert_eq!(dir.names(), names);
    }
    // Other segments than those of a shard are only read.
    dir.run("prove wrong -o proof --segment 2 --config testing --shard 2/2").expect(0);
    dir.run("prove wrong -o other --segment 3 --config testing --shard 2/2")
        .says(1, &["wrong: event 5: out: "]);
}

/// Starts a run in segments, waits until there are parts, and kills it.
fn killed(dir: &Dir, line: &str, directory: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_septic"))
        .args(line.split_whitespace())
        .current_dir(dir.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !dir.path(&format!("{directory}/segment-000001.part")).exists() {
        assert!(started.elapsed() < Duration::from_secs(120), "no part after two minutes");
        assert!(child.try_wait().unwrap().is_none(), "the run was too quick to be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL where there are signals.
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_run_goes_on() {
    const LINE: &str = "prove events -o proof --claims claims --segment 2 --config testing";
    let dir = Dir::new();
    dir.write_json("events", &list(200));
    dir.run("execute events -o expected").expect(0);
    dir.write("proof", "precious");
    killed(&dir, LINE, "proof.parts");
    // No output yet, and no change of an old one.
    assert_eq!(dir.read("proof"), b"precious");
    assert!(!dir.path("claims").exists());
    let left = parts(&dir, "proof.parts").iter().filter(|name| name.ends_with(".part")).count();
    assert!((2..100).contains(&left), "{left}");

    // A new run does not mix with it.
    dir.run(LINE).says(2, &["proof.parts: there are parts of an earlier run: --resume goes on with them\n"]);
    // Nor does a run of something else.
    dir.write_json("others", &list(199));
    for (line, difference) in [
        ("prove others -o proof --segment 2 --config testing --resume", "list"),
        ("prove events -o proof --segment 2 --config benchmark --resume", "configuration"),
        ("prove events -o proof --segment 3 --config testing --resume", "segment size"),
    ] {
        let expected = format!("segment-000000.part: a part of another {difference}: ");
        dir.run(line).says(2, &["proof.parts/", &expected]);
    }
    for layout in septic_air::Layout::ALL {
        dir.run(&format!("{LINE} --layout {layout} --resume")).says(2, &["a part of another layout: "]);
    }

    // Half a part, and a file that was being written.
    let half = dir.read("proof.parts/segment-000001.part");
    dir.write("proof.parts/segment-000001.part", &half[..half.len() / 2]);
    dir.write("proof.parts/.septic-abc.tmp", &half[..100]);
    let summary = dir.run(&format!("{LINE} --resume --json")).expect(0).json();
    let cut = &summary["segments"];
    assert_eq!(cut["count"], 100);
    assert_eq!(cut["kept"], left - 1);
    assert_eq!(cut["proven"], 100 - (left - 1));
    assert_eq!(cut["damaged"], 1);
    assert_eq!(dir.read("claims"), dir.read("expected"));
    verify(&dir, "proof", "claims");
    assert_eq!(dir.names(), ["claims", "events", "expected", "others", "proof"].map(String::from).into());
    // With nothing to go on with, --resume begins.
    dir.run(&format!("{LINE} --resume")).expect(0);
    verify(&dir, "proof", "claims");
}

#[test]
fn finished_parts_are_enough() {
    const LINE: &str = "prove events -o proof --segment 2 --config testing --shard 1/1 --json";
    let dir = Dir::new();
    dir.write_json("events", &list(5));
    dir.run(LINE).expect(0);
    assert!(!dir.path("proof").exists());
    let summary = dir.run(&format!("{LINE} --resume")).expect(0).json();
    assert_eq!((&summary["segments"]["kept"], &summary["segments"]["proven"]), (&json!(3), &json!(0)));
    // Every bit of a part counts.
    let name = "proof.1-of-1.parts/segment-000001.part";
    let part = dir.read(name);
    for at in (0..part.len()).step_by(part.len() / 5) {
        let mut damaged = part.clone();
        damaged[at] ^= 4;
        dir.write(name, &damaged);
        let summary = dir.run(&format!("{LINE} --resume")).expect(0).json();
        assert_eq!((&summary["segments"]["kept"], &summary["segments"]["proven"]), (&json!(2), &json!(1)));
    }
    // One run at a time.
    let lock = fs::File::open(dir.path("proof.1-of-1.parts/lock")).unwrap();
    if lock.try_lock().is_ok() {
        dir.run(&format!("{LINE} --resume")).says(2, &["proof.1-of-1.parts: another run is at work here\n"]);
        lock.unlock().unwrap();
    }
    // A part of another version of the format.
    let mut other = part.clone();
    other[8] = 9;
    let content = other.len() - 32;
    let checksum = <sha2::Sha256 as sha2::Digest>::digest(&other[..content]);
    other[content..].copy_from_slice(&checksum);
    dir.write(name, &other);
    dir.run(&format!("{LINE} --resume")).says(2, &["segment-000001.part: of version 9, this is version 1\n"]);
    // A part in another's place.
    dir.write(name, dir.read("proof.1-of-1.parts/segment-000000.part"));
    dir.run(&format!("{LINE} --resume")).says(2, &["segment-000001.part: this is segment 0\n"]);
}

/// A directory with the parts of three machines.
fn shards() -> Dir {
    let dir = Dir::new();
    dir.write_json("events", &list(13));
    for i in 1..=3 {
        let line = format!("prove events -o proof --segment 2 --config testing --shard {i}/3 --json");
        let summary = dir.run(&line).expect(0).json();
        assert_eq!(summary["segments"]["proven"], [3, 2, 2][i - 1]);
        assert_eq!(summary["segments"]["count"], 7);
    }
    assert!(!dir.path("proof").exists());
    dir
}

const JOIN: &str = "join proof.1-of-3.parts proof.2-of-3.parts proof.3-of-3.parts -o proof --claims claims";

#[test]
fn shards_are_joined() {
    let dir = shards();
    dir.run("execute events -o expected").expect(0);
    let summary = dir.run(&format!("{JOIN} --json")).expect(0).json();
    assert_eq!(summary["events"], 13);
    assert_eq!(summary["segments"], 7);
    assert_eq!(dir.read("claims"), dir.read("expected"));
    verify(&dir, "proof", "claims");
    // In any order; the parts are still there.
    dir.run("join proof.3-of-3.parts proof.1-of-3.parts proof.2-of-3.parts -o again").expect(0);
    assert_eq!(dir.read("proof"), dir.read("again"));
    // From one directory, as from a shared disk.
    fs::create_dir(dir.path("all")).unwrap();
    for i in 1..=3 {
        for name in parts(&dir, &format!("proof.{i}-of-3.parts")) {
            let content = dir.read(&format!("proof.{i}-of-3.parts/{name}"));
            dir.write(&format!("all/{name}"), content);
        }
    }
    dir.run("join all -o again").expect(0);
    assert_eq!(dir.read("proof"), dir.read("again"));
    // More machines than segments.
    dir.run("prove events -o few --segment 10 --config testing --shard 3/3").expect(0);
    assert_eq!(parts(&dir, "few.3-of-3.parts").iter().filter(|name| name.ends_with(".part")).count(), 0);
}

#[test]
fn join_refuses_what_does_not_fit() {
    let dir = shards();
    let refused = |parts: &[&str]| {
        dir.run(JOIN).says(2, parts);
        assert!(!dir.path("proof").exists() && !dir.path("claims").exists());
    };
    // Missing.
    dir.run("join proof.1-of-3.parts proof.3-of-3.parts -o proof")
        .says(2, &["error: 2 segments are missing, the first is segment 1\n"]);
    let last = "proof.1-of-3.parts/segment-000006.part";
    let part = dir.read(last);
    fs::remove_file(dir.path(last)).unwrap();
    refused(&["error: 1 segments are missing, the first is segment 6\n"]);
    // Damaged: found when it is read, whatever its beginning says.
    for at in [0, 10, 60, part.len() / 2, part.len() - 1] {
        let mut damaged = part.clone();
        damaged[at] ^= 1;
        dir.write(last, damaged);
        refused(&["segment-000006.part: "]);
    }
    dir.write(last, &part[..part.len() - 1]);
    refused(&["segment-000006.part: damaged"]);
    dir.write(last, b"");
    refused(&["segment-000006.part: not a part"]);
    dir.write(last, &part);
    // Repeated.
    dir.write("proof.2-of-3.parts/again.part", &part);
    refused(&["segment-000006.part", "segment 6 is there twice", "again.part"]);
    fs::remove_file(dir.path("proof.2-of-3.parts/again.part")).unwrap();
    // Foreign.
    dir.write_json("others", &list(14));
    for (line, difference) in [
        ("prove others -o other --segment 2 --config testing --shard 1/3", "list"),
        ("prove events -o other --segment 2 --config benchmark --shard 1/3", "configuration"),
        ("prove events -o other --segment 3 --config testing --shard 1/3", "segment size"),
    ] {
        dir.run(line).expect(0);
        let line =
            "join proof.1-of-3.parts proof.2-of-3.parts proof.3-of-3.parts other.1-of-3.parts -o proof";
        dir.run(line).says(
            2,
            &["other.1-of-3.parts/segment-000000.part: a part of another ", difference, " than proof.1-of-3"],
        );
        fs::remove_dir_all(dir.path("other.1-of-3.parts")).unwrap();
    }
    dir.run("join missing -o proof").says(2, &["missing: No such file"]);
    fs::create_dir(dir.path("empty")).unwrap();
    dir.run("join empty -o proof").says(2, &["error: there are no parts"]);
    assert!(!dir.path("proof").exists());
    dir.run(JOIN).expect(0);
    verify(&dir, "proof", "claims");
}

#[test]
fn other_claims_are_rejected() {
    let dir = Dir::new();
    dir.write_json("events", &list(7));
    dir.run("prove events -o proof --claims claims --segment 3 --config testing").expect(0);
    let claims = dir.read_json("claims");
    let claims = claims.as_array().unwrap();
    let rejected = |other: Vec<Value>| {
        dir.write_json("other", &other.into());
        dir.run("verify proof --claims other --config testing").says(1, &["rejected: proof: "])
    };
    for i in 0..claims.len() {
        let mut other = claims.clone();
        let one = other.remove(i);
        rejected(other.clone());
        other.insert(i, one.clone());
        other.insert(i, one);
        rejected(other);
        let mut other = claims.clone();
        other[i]["out"] = Value::Null;
        rejected(other);
    }
    let mut other = claims.clone();
    other.swap(0, 5);
    rejected(other).says(1, &["segment 0, claims 0 to 3: "]);
    let mut other = claims.clone();
    other.swap(5, 6);
    rejected(other).says(1, &["segment 1, claims 3 to 6: "]);
    rejected(Vec::new()).says(1, &["the proof is of 7 claims, there are 0"]);
    rejected([claims.as_slice(), claims].concat()).says(1, &["the proof is of 7 claims, there are 8"]);
    // Claims that cannot be read are another matter.
    dir.write("other", "[5]");
    dir.run("verify proof --claims other --config testing").says(2, &["other: event 0: json: "]);
    verify(&dir, "proof", "claims");
}

#[test]
fn damaged_proofs_are_rejected() {
    let dir = Dir::new();
    dir.write_json("events", &list(5));
    dir.run("prove events -o proof --claims claims --segment 2 --config testing").expect(0);
    let proof = dir.read("proof");
    let rejected = |bytes: &[u8]| {
        dir.write("bad", bytes);
        let run = dir.run("verify bad --claims claims --config testing").expect(1);
        assert!(run.stderr.starts_with("rejected: bad: ") && run.stdout.is_empty(), "{run:?}");
    };
    for i in 0..64 {
        rejected(&proof[..i * proof.len() / 64]);
        let mut bad = proof.clone();
        bad[i * proof.len() / 64] ^= 0x10;
        rejected(&bad);
    }
    for at in 0..32 {
        let mut bad = proof.clone();
        bad[at] ^= 0xff;
        rejected(&bad);
    }
    rejected(&[proof.as_slice(), b"\n"].concat());
    rejected(&[proof.as_slice(), &proof].concat());
}

#[test]
fn a_list_that_is_too_long_names_the_option() {
    let dir = Dir::new();
    // One more than one proof may have, all equal and cheap to read.
    let line = "{\"op\":\"double\",\"p\":null}\n";
    dir.write("events", line.repeat((1 << 20) + 1));
    let run = dir.run("prove events -o proof --config testing");
    run.says(2, &["events: more than 1048576 events are too many for one proof: --segment N "]);
    assert_eq!(dir.names().len(), 1);
}

/// Memory does not grow with the list, only with its segments.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_that_of_one_segment() {
    let dir = Dir::new();
    let events = |n: usize| -> Value {
        let event = |i| json!({ "op": "verify", "a": h(), "s": format!("{i:#x}"), "e": "0xffff" });
        (0..n).map(event).collect()
    };
    dir.write_json("one", &events(96));
    dir.write_json("four", &events(4 * 96));
    let peak = |command: &str| {
        // One layout, so that tables grow with the list.
        let line = format!("{command} --layout row-per-bit --config testing --json --threads 1");
        dir.run(&line).expect(0).json()["peak_rss_mb"].as_f64().unwrap()
    };
    let one = peak("prove one -o proof --segment 96");
    let four = peak("prove four -o proof --claims claims --segment 96");
    let whole = peak("prove four -o whole");
    assert!(four <= 1.3 * one, "{four} MB for four segments, {one} MB for one");
    // The measure would show it.
    assert!(whole > 2.0 * one, "{whole} MB for all at once, {one} MB for one segment");
}
