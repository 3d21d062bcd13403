//! Runs the binary in a directory of its own.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What a run of the binary left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// Standard output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Checks the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Checks that the run failed with this code and said each of `parts` on standard error.
    #[track_caller]
    pub(crate) fn says(self, code: i32, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing: {self:?}");
        }
        self.expect(code)
    }
}

/// A directory of files, with the binary run inside it.
pub(crate) struct Dir(TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn write_json(&self, name: &str, content: &Value) {
        self.write(name, content.to_string());
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn read_json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    /// Names of all files.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Runs `septic` with words separated by spaces.
    pub(crate) fn run(&self, line: &str) -> Run {
        self.run_with(&line.split_whitespace().collect::<Vec<_>>(), b"")
    }

    /// Runs `septic` with arguments and standard input.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_septic"))
            .args(args)
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let input = stdin.to_vec();
        // A program that does not read all of its input closes the pipe; that is its right.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let run = Run {
            code: output.status.code().expect("not killed by a signal"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!((0..=2).contains(&run.code), "{args:?}: {run:?}");
        for word in ["panicked", "internal error", "RUST_BACKTRACE", "\u{1b}"] {
            assert!(!run.stderr.contains(word), "{args:?}: {run:?}");
        }
        assert!(run.code == 0 || !run.stderr.is_empty(), "{args:?} failed without a word");
        run
    }
}

fn data(name: &str) -> Value {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The oracle's cases of the four operations: claims in the form of the files.
pub(crate) fn vectors() -> Vec<Value> {
    let operations = ["add", "double", "scalar_mul", "verify"];
    let cases = data("vectors.json")["cases"].as_array().unwrap().clone();
    cases.into_iter().filter(|case| operations.contains(&case["op"].as_str().unwrap())).collect()
}

/// The signatures of the public signer.
pub(crate) fn signatures() -> Value {
    data("schnorr_orders.json")
}

/// The claims without their results.
pub(crate) fn without_results(claims: &[Value]) -> Vec<Value> {
    let mut events = claims.to_vec();
    for event in &mut events {
        event.as_object_mut().unwrap().remove("out");
    }
    events
}

/// The generator.
pub(crate) fn g() -> Value {
    json!({
        "x": [0x1414213, 0x5623730, 0x9504880, 0x1688724, 0x2096980, 0x7856967, 0x1875376],
        "y": [2020310104, 1513506566, 1843922297, 2003644209, 805967281, 1882435203, 1623804682],
    })
}

/// Another point.
pub(crate) fn h() -> Value {
    json!({
        "x": [0x1732050, 0x8075688, 0x7729352, 0x7446341, 0x5058723, 0x6694280, 0x5253810],
        "y": [1095433104, 7540207, 1124564165, 2035506693_u32, 11121645, 102781365, 398772161],
    })
}

/// A few events of every operation.
pub(crate) fn few_events() -> Value {
    json!([
        { "op": "add", "p": g(), "q": h() },
        { "op": "verify", "a": h(), "s": "0x5", "e": "0x7" },
        { "op": "double", "p": h() },
        { "op": "scalar_mul", "p": g(), "s": "0xff" },
        { "op": "add", "p": g(), "q": g() },
    ])
}
