//! Outputs are complete or not there; nothing else is left behind.

use serde_json::json;

use crate::support::{Dir, few_events, g};

#[test]
fn failures_leave_no_file_and_no_change() {
    let dir = Dir::new();
    dir.write("bad", format!("[{}, 5]", json!({ "op": "double", "p": g() })));
    dir.write_json("wrong", &json!([{ "op": "double", "p": g(), "out": g() }]));
    dir.write("old", "precious");
    let names = dir.names();
    for (line, code) in [
        ("execute bad -o old", 2),
        ("execute bad -o new", 2),
        ("prove bad -o old --claims old2 --config testing", 2),
        ("prove wrong -o old --config testing", 1),
        ("prove wrong -o new --claims new2 --config testing", 1),
        ("prove wrong -o new --claims no/such/folder --config testing", 2),
        ("prove --signatures bad -o old", 2),
        ("schnorr sign --key bad hello -o old", 2),
        ("schnorr keygen -o old", 2),
        ("schnorr keygen -o old --seed 5", 2),
        ("verify old --claims bad", 2),
    ] {
        dir.run(line).expect(code);
        assert_eq!(dir.names(), names, "{line}");
        assert_eq!(dir.read("old"), b"precious", "{line}");
    }
}

#[test]
fn success_leaves_the_outputs_alone() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    dir.write("proof", "old");
    dir.run("prove events -o proof --claims claims --config testing").expect(0);
    dir.run("execute events -o events").expect(0);
    assert_eq!(dir.read("events"), dir.read("claims"));
    dir.run("cost --svg chart.svg").expect(0);
    let names: Vec<_> = dir.names().into_iter().collect();
    assert_eq!(names, ["chart.svg", "claims", "events", "proof"]);
    assert!(dir.read("chart.svg").starts_with(b"<svg"));
}

#[test]
fn output_is_quiet_off_terminals() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    for line in [
        "execute events -o claims",
        "prove events -o proof --config testing",
        "verify proof --claims claims --config testing --quiet",
        "check events --quiet",
        "schnorr keygen -o key",
        "schnorr sign --key key hello -o signed",
        "schnorr check signed --quiet",
        "demo --count 1 --config testing --quiet",
    ] {
        let run = dir.run(line).expect(0);
        assert!(run.stderr.is_empty() && run.stdout.is_empty(), "{line}: {run:?}");
    }
    let run = dir.run("verify proof --claims claims --config testing").expect(0);
    assert!(run.text().starts_with("accepted: 5 claims, configuration testing"), "{run:?}");
    assert!(run.stderr.is_empty());
}

#[test]
fn outputs_do_not_collide() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    for line in [
        "execute events --json",
        "execute events -o - --json",
        "prove events -o - --json",
        "prove events -o proof --claims - --json",
        "prove events -o - --claims -",
        "prove events -o same --claims same",
        "prove events -o same --claims ./same",
        "schnorr keygen --json",
        "cost --svg - --format csv",
        "cost --svg - --json",
        "cost --json --format csv",
        "verify - --claims -",
        "schnorr sign --key - --messages -",
    ] {
        let run = dir.run(line).says(2, &["error: "]);
        assert!(run.stdout.is_empty(), "{line}");
    }
    assert_eq!(dir.names().len(), 1);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::{Command, Stdio};

    use super::*;

    fn mode(dir: &Dir, name: &str) -> u32 {
        dir.path(name).metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn access_rights() {
        let dir = Dir::new();
        dir.write("plain", "");
        dir.write_json("events", &few_events());
        dir.run("schnorr keygen -o key").expect(0);
        assert_eq!(mode(&dir, "key"), 0o600);
        dir.run("execute events -o claims").expect(0);
        assert_eq!(mode(&dir, "claims"), mode(&dir, "plain"));
        // A file that is replaced keeps its rights, a key never has more than its owner's.
        std::fs::set_permissions(dir.path("claims"), PermissionsExt::from_mode(0o640)).unwrap();
        dir.run("execute events -o claims").expect(0);
        assert_eq!(mode(&dir, "claims"), 0o640);
        std::fs::set_permissions(dir.path("key"), PermissionsExt::from_mode(0o644)).unwrap();
        dir.run("schnorr keygen -o key --force").expect(0);
        assert_eq!(mode(&dir, "key"), 0o600);
        std::fs::set_permissions(dir.path("claims"), PermissionsExt::from_mode(0o444)).unwrap();
        dir.run("execute events -o claims").says(2, &["claims: permission denied"]);
    }

    #[test]
    fn links_and_devices() {
        let dir = Dir::new();
        dir.write_json("events", &few_events());
        dir.write("real", "old");
        symlink("real", dir.path("link")).unwrap();
        dir.run("execute events -o link").expect(0);
        assert!(dir.path("link").symlink_metadata().unwrap().file_type().is_symlink());
        assert_eq!(dir.read("real"), dir.run("execute events").expect(0).stdout);

        dir.run("prove events -o /dev/null --claims /dev/null --config testing").expect(0);
        assert!(!std::path::Path::new("/dev/null").is_file());
        if std::path::Path::new("/dev/full").exists() {
            dir.run("execute events -o /dev/full").says(2, &["/dev/full: No space left"]);
        }
        dir.run("schnorr keygen -o /dev/null").expect(0);
        assert_eq!(dir.names().len(), 3);
    }

    /// Runs the binary with these streams already closed at the other end.
    fn with_closed(dir: &Dir, line: &str) -> i32 {
        let closed = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            Stdio::from(writer)
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_septic"));
        command.args(line.split_whitespace()).current_dir(dir.path("")).stdin(Stdio::null());
        command.stdout(closed()).stderr(closed()).status().unwrap().code().unwrap()
    }

    #[test]
    fn closed_streams() {
        let dir = Dir::new();
        dir.write_json("events", &few_events());
        dir.run("prove events -o proof --claims claims --config testing").expect(0);
        for (line, code) in [
            ("cost", 0),
            ("cost --json", 0),
            ("--help", 0),
            ("--version", 0),
            ("execute events", 0),
            ("demo --count 1 --config testing", 0),
            ("verify proof --claims claims --config testing", 0),
            // Verdicts and errors keep their exit codes.
            ("verify proof --claims claims", 1),
            ("verify proof --claims claims --json", 1),
            ("execute missing", 2),
            ("nonsense", 2),
        ] {
            assert_eq!(with_closed(&dir, line), code, "{line}");
        }
    }

    #[test]
    fn full_standard_output() {
        let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
        let dir = Dir::new();
        let output = Command::new(env!("CARGO_BIN_EXE_septic"))
            .arg("cost")
            .current_dir(dir.path(""))
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stderr.starts_with(b"standard output: No space left"), "{output:?}");
    }
}
