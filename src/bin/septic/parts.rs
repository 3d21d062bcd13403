//! Directories of parts: the segments of a list that are finished.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use septic_air::files::ClaimsWriter;
use septic_air::prover::machine::segments::{Assembler, FormatError, Job, PART_PREFIX, Part};

use crate::args::{Place, Shard};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{Access, Staged, Staging, TEMPORARY, about, sync_directory, temporary};

/// How the names of parts end.
const SUFFIX: &str = ".part";

/// The file that a run locks, so that there is one at a time.
const LOCK: &str = "lock";

/// An error about a file or directory.
pub(crate) fn about_path(path: &Path, error: impl Display) -> Failure {
    Failure::unusable(format!("{}: {error}", path.display()))
}

/// The directory of parts of a proof.
pub(crate) fn directory_of(output: &Path, shard: Option<Shard>) -> PathBuf {
    let mut name = OsString::from(output);
    if let Some(Shard { index, count }) = shard {
        name.push(format!(".{index}-of-{count}"));
    }
    name.push(".parts");
    name.into()
}

/// All files in a directory whose names are those of parts, sorted by name.
pub(crate) fn files_of(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let list = || {
        let mut files = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().ends_with(SUFFIX.as_bytes()) {
                files.push(entry.path());
            }
        }
        files.sort();
        Ok(files)
    };
    list().map_err(|error: io::Error| about_path(directory, error))
}

/// Reads at most so many bytes of a file.
fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let read = || {
        let mut bytes = Vec::new();
        File::open(path)?.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error: io::Error| about_path(path, error))
}

/// The job and the index that a part states.
pub(crate) fn peek(path: &Path) -> Result<(Job, u64), Failure> {
    Part::peek(&read(path, PART_PREFIX)?).map_err(|error| about_path(path, error))
}

/// Reads a part.
fn load(path: &Path) -> Result<Result<Part, FormatError>, Failure> {
    Ok(Part::from_bytes(&read(path, Part::MAX_BYTES + 1)?))
}

/// A directory of parts that this run works in. Nobody else does.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    lock: File,
    job: Job,
    /// For each segment whether its part is there.
    finished: Vec<bool>,
    /// Number of parts that an earlier run has left.
    pub(crate) kept: u64,
    /// Number of files that are no whole parts.
    pub(crate) damaged: u64,
}

/// Checks that a new run does not meet the parts of an earlier one by accident.
pub(crate) fn check_new(path: &Path, resume: bool) -> Result<(), Failure> {
    if !resume && path.exists() {
        return Err(about_path(path, "there are parts of an earlier run: --resume goes on with them"));
    }
    Ok(())
}

impl Directory {
    /// Makes a directory, or takes over what an earlier run has left in it.
    pub(crate) fn open(path: PathBuf, job: Job, console: &Console) -> Result<Self, Failure> {
        let enter = || {
            fs::create_dir_all(&path)?;
            sync_directory(&path);
            let lock = File::options().create(true).write(true).truncate(false).open(path.join(LOCK))?;
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is at work here")),
                // Where there are no locks, the user has to see to it.
                Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
            }
        };
        let lock = enter().map_err(|error| about_path(&path, error))?;
        let segments = usize::try_from(job.segments()).map_err(|error| about_path(&path, error))?;
        let finished = vec![false; segments];
        let mut directory = Self { path, lock, job, finished, kept: 0, damaged: 0 };
        directory.take_over(console)?;
        Ok(directory)
    }

    fn take_over(&mut self, console: &Console) -> Result<(), Failure> {
        let files = files_of(&self.path)?;
        let bar = console.bar("look at parts", files.len());
        // Nothing is touched before it is clear that all of it belongs to this job.
        for file in &files {
            match load(file)? {
                Ok(part) => {
                    if let Some(difference) = self.job.difference(part.job()) {
                        let error = format!("a part of another {difference}: --resume needs the same");
                        return Err(about_path(file, error));
                    }
                    if *file != self.file(part.index()) {
                        return Err(about_path(file, format!("this is segment {}", part.index())));
                    }
                    septic_air::MachineProof::from_bytes(part.proof())
                        .map_err(|error| about_path(file, error))?;
                    self.finished[usize::try_from(part.index()).unwrap_or(usize::MAX)] = true;
                    self.kept += 1;
                }
                Err(FormatError::Version { expected, got }) => {
                    return Err(about_path(file, FormatError::Version { expected, got }));
                }
                Err(_) => self.damaged += 1,
            }
            bar.inc(1);
        }
        self.remove_temporary().map_err(|error| about_path(&self.path, error))
    }

    /// Removes what a run that was killed has left half written.
    fn remove_temporary(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            if name.starts_with(TEMPORARY.0.as_bytes()) && name.ends_with(TEMPORARY.1.as_bytes()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn file(&self, segment: u64) -> PathBuf {
        self.path.join(format!("segment-{segment:06}{SUFFIX}"))
    }

    /// The job that the parts belong to.
    pub(crate) const fn job(&self) -> &Job {
        &self.job
    }

    /// Whether a segment's part is there.
    pub(crate) fn has(&self, segment: u64) -> bool {
        usize::try_from(segment).is_ok_and(|segment| self.finished.get(segment) == Some(&true))
    }

    /// Writes a part: complete, or not at all.
    pub(crate) fn store(&mut self, part: &Part) -> Result<(), Failure> {
        let path = self.file(part.index());
        let bytes = part.to_bytes().map_err(|error| about_path(&path, error))?;
        let store = || {
            let mut file = temporary(&path, Access::Usual)?;
            file.write_all(&bytes)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            sync_directory(&path);
            Ok(())
        };
        store().map_err(|error: io::Error| about_path(&path, error))?;
        if let Some(finished) = usize::try_from(part.index()).ok().and_then(|i| self.finished.get_mut(i)) {
            *finished = true;
        }
        Ok(())
    }

    /// The files of all parts, in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        (0..self.job.segments()).map(|segment| self.file(segment))
    }

    /// Removes the directory. Files that are not of this program stay, and the directory with them.
    pub(crate) fn remove(self) {
        for file in self.files() {
            let _ = fs::remove_file(file);
        }
        let _ = fs::remove_file(self.path.join(LOCK));
        drop(self.lock);
        let _ = fs::remove_dir(&self.path);
    }
}

/// Writes the proof and the claims of a job from the files of its parts. Both outputs are complete before one is put in
/// its place.
pub(crate) fn assemble(
    job: Job,
    files: impl Iterator<Item = PathBuf>,
    output: &Place,
    claims: Option<&Place>,
    console: &Console,
) -> Result<(), Failure> {
    let mut proof =
        Assembler::new(Staging::new(output, Access::Usual)?, job).map_err(|error| about(output, error))?;
    let mut claims = match claims {
        Some(place) => Some((place, ClaimsWriter::new(Staging::new(place, Access::Usual)?))),
        None => None,
    };
    let bar = console.bar("join", usize::try_from(job.segments()).unwrap_or(usize::MAX));
    for file in files {
        let part = load(&file)?.map_err(|error| about_path(&file, error))?;
        proof.push(&part).map_err(|error| about_path(&file, error))?;
        if let Some((place, writer)) = &mut claims {
            writer.extend(part.claims()).map_err(|error| about(place, error))?;
        }
        bar.inc(1);
    }
    let mut staged: Vec<Staged> = vec![proof.finish().map_err(|error| about(output, error))?.finish()?];
    if let Some((place, writer)) = claims {
        staged.push(writer.finish().map_err(|error| about(place, error))?.finish()?);
    }
    staged.into_iter().try_for_each(|output| output.commit(console))
}
