//! The change to SP1 that the binary `port` writes: its text, and in a long test that the changed SP1 works.
//!
//! The long test builds SP1 and proves with it, which takes several gigabytes of disk and memory and a quarter of an
//! hour or more on two cores:
//!
//! ```text
//! cargo test -p septic-sp1 --test port -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]
#![allow(clippy::print_stdout, reason = "the long test shows what the driver says")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use septic_curve::Point;
use septic_curve::layout::encode_point;

/// A path for this test below cargo's directory for tests, with nothing there.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("port").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    path
}

/// Runs the binary.
fn port(into: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_port")).arg("--into").arg(into).output().unwrap()
}

/// Runs the binary, which must succeed.
fn ported(name: &str) -> PathBuf {
    let into = fresh(name);
    let output = port(&into);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    into
}

/// All files below `path`, relative to it.
fn files(path: &Path) -> Vec<PathBuf> {
    fn walk(root: &Path, path: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(path).unwrap() {
            let entry = entry.unwrap().path();
            if entry.is_dir() {
                walk(root, &entry, out);
            } else {
                out.push(entry.strip_prefix(root).unwrap().to_path_buf());
            }
        }
    }
    let mut out = Vec::new();
    walk(path, path, &mut out);
    out.sort();
    out
}

#[test]
fn the_change_applies_and_only_once() {
    let into = ported("text");
    let read = |file: &str| fs::read_to_string(into.join(file)).unwrap();
    let executor = "crates/core/executor/src";

    // New files, as they are here.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, template) in [
        ("crates/core/executor/src/minimal/precompiles/septic.rs", "port/executor/minimal.rs"),
        ("crates/core/executor/src/vm/syscall/precompiles/septic.rs", "port/executor/vm.rs"),
        ("crates/core/machine/src/syscall/precompiles/septic/host.rs", "port/machine/host.rs"),
        ("crates/zkvm/entrypoint/src/syscalls/septic.rs", "port/guest/syscalls.rs"),
        ("crates/zkvm/lib/src/septic.rs", "port/guest/lib.rs"),
        ("driver/src/guest.rs", "port/driver/guest.rs"),
        ("driver/src/main.rs", "port/driver/main.rs"),
    ] {
        assert_eq!(read(file), fs::read_to_string(here.join(template)).unwrap(), "{file}");
    }

    // Each code, table, event and chip is where it has to be, so often.
    for (file, text, times) in [
        ("syscall_code.rs", "SEPTIC_VERIFY", 7),
        ("syscall_code.rs", "0x00_00_01_39", 2),
        ("air.rs", "SepticVerify", 3),
        ("events/precompiles/mod.rs", "SepticVerify", 4),
        ("minimal/ecall.rs", "septic_verify", 2),
        ("vm/syscall.rs", "septic_verify", 1),
    ] {
        assert_eq!(read(&format!("{executor}/{file}")).matches(text).count(), times, "{text} in {file}");
    }
    let riscv = read("crates/core/machine/src/riscv/mod.rs");
    for name in ["SepticAdd", "SepticDouble", "SepticScalarMul", "SepticVerify"] {
        for name in [name.into(), format!("{name}User")] {
            assert_eq!(riscv.matches(&format!("RiscvAir::{name}(")).count(), 2, "{name}");
            assert_eq!(riscv.matches(&format!("[{name}].as_slice()")).count(), 1, "{name}");
            assert_eq!(riscv.matches(&format!("RiscvAirId::{name},")).count(), 1, "{name}");
        }
    }

    // Our text leaves nothing of our crate's paths.
    for file in files(&into.join("crates/core/machine/src/syscall/precompiles/septic")) {
        let text = read(&format!("crates/core/machine/src/syscall/precompiles/septic/{}", file.display()));
        for path in ["sp1_core_machine::", "crate::events", "septic_sp1", "super::sink", "crate::record"] {
            assert!(!text.contains(path), "{path} in {}", file.display());
        }
    }

    // What is there stays.
    let before = files(&into);
    let output = port(&into);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not empty"));
    assert_eq!(files(&into), before);
}

#[test]
fn costs_are_filed_for_both_modes() {
    let into = ported("costs");
    let list = |name: &str| -> serde_json::Value {
        let file = into.join("crates/core/executor/src/artifacts").join(name);
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    };
    let [columns, plain, permissions] =
        ["rv64im_costs.json", "rv64im_complexity.json", "rv64im_complexity_mprotect.json"].map(list);
    for name in ["SepticAdd", "SepticDouble", "SepticScalarMul", "SepticVerify"] {
        let user = format!("{name}User");
        for list in [&columns, &plain, &permissions] {
            assert!(list[name].as_u64().unwrap() < list[&user].as_u64().unwrap(), "{name}");
        }
        // With permissions, supervisor chips must be told from those of user mode.
        assert_eq!(plain[name].as_u64().unwrap() + 1, permissions[name].as_u64().unwrap());
        assert_eq!(plain[&user], permissions[&user]);
    }
}

#[test]
fn the_generator_of_the_guest_is_that_of_the_curve() {
    let text = include_str!("../port/guest/lib.rs");
    let (_, words) = text.split_once("const GENERATOR: Self = Self([").unwrap();
    let (words, _) = words.split_once("]);").unwrap();
    let words: Vec<u64> = words
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| u64::from_str_radix(word.strip_prefix("0x").unwrap(), 16).unwrap())
        .collect();
    assert_eq!(words, encode_point(&Point::GENERATOR));
}

/// Runs cargo or the driver in the changed copy.
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    println!("{command:?}\n{}", String::from_utf8_lossy(&output.stdout));
    output
}

/// As [`run`], and it must succeed.
fn succeed(command: &mut Command) -> Output {
    let output = run(command);
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
#[ignore = "builds SP1 and proves with it, a quarter of an hour or more"]
fn the_changed_sp1_executes_and_proves() {
    let into = ported("build");
    // Not below the copy: a second run compiles less.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("port").join("target");
    let cargo = || {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&into).env("CARGO_TARGET_DIR", &target).args(["build", "--release"]);
        cargo
    };
    let binary = |name: &str| target.join("release").join(name);

    // The minimal executor runs in a process of its own. A configuration file above the copy may name another
    // executable for it, so this one is named here.
    let runner = "sp1-core-executor-runner-binary";
    succeed(cargo().args(["-p", runner]));
    let override_with = ("SP1_CORE_RUNNER_OVERRIDE_BINARY", binary(runner));
    succeed(cargo().args(["-p", "sp1-zkvm", "-p", "sp1-lib"]).env(override_with.0, &override_with.1));
    succeed(cargo().args(["-p", "driver"]).env(override_with.0, &override_with.1));

    let driver = || Command::new(binary("driver"));
    succeed(driver().arg("costs"));
    let rejected = String::from_utf8(succeed(driver().arg("list-rejected")).stdout).unwrap();
    assert!(rejected.lines().count() > 0);
    for line in rejected.lines() {
        let (name, reason) = line.split_once('\t').unwrap();
        let output = run(driver().args(["reject", name]));
        assert!(!output.status.success(), "{name}");
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("refused"), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{name}");
    }
    succeed(driver().arg("guest"));
    succeed(driver().arg("prove"));
}
