//! The published sources of SP1 as cargo fetched them, and copies of directories.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::error::PortError;

/// The version of SP1 that the change is for.
pub(crate) const VERSION: &str = "6.10.0";

/// The crates that are copied, and where to: the places they have in SP1's repository.
pub(crate) const CRATES: &[(&str, &str)] = &[
    ("sp1-core-executor", "crates/core/executor"),
    ("sp1-core-executor-runner", "crates/core/executor-runner"),
    ("sp1-core-executor-runner-binary", "crates/core/executor-runner-binary"),
    ("sp1-core-machine", "crates/core/machine"),
    ("sp1-jit", "crates/core/jit"),
    ("sp1-lib", "crates/zkvm/lib"),
    ("sp1-zkvm", "crates/zkvm/entrypoint"),
];

/// Writes a file and the directories above it.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), PortError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(PortError::io(parent))?;
    }
    fs::write(path, text).map_err(PortError::io(path))
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<String, PortError> {
    fs::read_to_string(path).map_err(PortError::io(path))
}

/// The entries of a directory, sorted.
pub(crate) fn entries(path: &Path) -> Result<Vec<PathBuf>, PortError> {
    let list = fs::read_dir(path).and_then(|list| list.map(|entry| Ok(entry?.path())).collect());
    let mut list: Vec<PathBuf> = list.map_err(PortError::io(path))?;
    list.sort();
    Ok(list)
}

/// Copies a directory, without what cargo adds to published crates.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), PortError> {
    fs::create_dir_all(to).map_err(PortError::io(to))?;
    for entry in entries(from)? {
        let Some(name) = entry.file_name() else { continue };
        if ["Cargo.lock", "Cargo.toml.orig", ".cargo-ok", ".cargo_vcs_info.json", "target"]
            .iter()
            .any(|&x| x == name)
        {
            continue;
        }
        if entry.is_dir() {
            copy(&entry, &to.join(name))?;
        } else {
            // Not fs::copy: files of the registry may be read-only.
            write(&to.join(name), fs::read(&entry).map_err(PortError::io(&entry))?)?;
        }
    }
    Ok(())
}

/// The directories of the crates. `scratch` is a directory for a manifest that depends on them, `lock` the lock file to
/// take other versions from.
pub(crate) fn find(scratch: &Path, lock: &Path) -> Result<HashMap<&'static str, PathBuf>, PortError> {
    let dependencies: String = CRATES.iter().map(|(name, _)| format!("{name} = \"={VERSION}\"\n")).collect();
    let manifest = format!(
        "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\npath = \"lib.rs\"\n\n[dependencies]\n{dependencies}\n[workspace]\n"
    );
    write(&scratch.join("Cargo.toml"), manifest)?;
    write(&scratch.join("lib.rs"), "")?;
    write(&scratch.join("Cargo.lock"), read(lock)?)?;

    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1"])
        .current_dir(scratch)
        .output()
        .map_err(PortError::io("cargo"))?;
    if !output.status.success() {
        return Err(PortError::Metadata(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| PortError::Metadata(error.to_string()))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    CRATES
        .iter()
        .map(|&(name, _)| {
            packages
                .iter()
                .find(|package| package["name"] == name && package["version"] == VERSION)
                .and_then(|package| Path::new(package["manifest_path"].as_str()?).parent())
                .map(|path| (name, path.to_path_buf()))
                .ok_or(PortError::Missing { name, version: VERSION })
        })
        .collect()
}
