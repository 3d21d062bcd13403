//! Files by name, `-` for the standard streams. An output is complete or not there at all.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::args::Place;
use crate::console::Console;
use crate::failure::Failure;

/// Opens a file for reading.
pub(crate) fn open(place: &Place) -> Result<Box<dyn BufRead>, Failure> {
    match place {
        Place::Standard => Ok(Box::new(io::stdin().lock())),
        Place::File(path) => match File::open(path) {
            Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
            Err(error) => Err(about(place, error)),
        },
    }
}

/// Opens a file for reading without a buffer, so that a secret leaves no copy in one. Standard input has a buffer always.
pub(crate) fn open_unbuffered(place: &Place) -> Result<Box<dyn Read>, Failure> {
    match place {
        Place::Standard => Ok(Box::new(io::stdin().lock())),
        Place::File(path) => match File::open(path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(about(place, error)),
        },
    }
}

/// Opens a file for reading and reads its first bytes, fewer if there are not so many.
pub(crate) fn open_with_head(place: &Place, length: u64) -> Result<(Vec<u8>, Box<dyn BufRead>), Failure> {
    let mut reader = open(place)?;
    let mut head = Vec::new();
    reader.by_ref().take(length).read_to_end(&mut head).map_err(|error| about(place, error))?;
    Ok((head, reader))
}

/// Reads the rest of a file of at most `limit` bytes behind the `bytes` that were read. `None` if it has more.
pub(crate) fn read_up_to(
    place: &Place,
    mut bytes: Vec<u8>,
    reader: impl Read,
    limit: u64,
) -> Result<Option<Vec<u8>>, Failure> {
    let more = (limit + 1).saturating_sub(bytes.len() as u64);
    reader.take(more).read_to_end(&mut bytes).map_err(|error| about(place, error))?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// An error about a file.
pub(crate) fn about(place: &Place, error: impl std::fmt::Display) -> Failure {
    Failure::unusable(format!("{place}: {error}"))
}

/// Checks that standard input is read once at most.
pub(crate) fn check_inputs(places: &[&Place]) -> Result<(), Failure> {
    if places.iter().filter(|&&place| *place == Place::Standard).count() > 1 {
        return Err(Failure::unusable("error: standard input can stand for one file only"));
    }
    Ok(())
}

/// Checks that outputs go to different places, that the summary has standard output for itself, and that each output
/// can be written, before work begins.
pub(crate) fn check_outputs(places: &[&Place], console: &Console) -> Result<(), Failure> {
    if console.json() && places.contains(&&Place::Standard) {
        return Err(Failure::unusable(
            "error: --json needs standard output for the summary: write the output to a file",
        ));
    }
    let mut files = Vec::new();
    let mut standard = 0;
    for place in places {
        match probe(place)? {
            Some(file) if files.contains(&file) => {
                return Err(Failure::unusable(format!("error: two outputs go to {place}")));
            }
            Some(file) => files.push(file),
            None if **place == Place::Standard => standard += 1,
            None => {}
        }
    }
    if standard > 1 {
        return Err(Failure::unusable("error: two outputs go to standard output"));
    }
    Ok(())
}

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever the user's settings allow.
    Usual,
    /// The owner alone.
    Owner,
}

/// Where the bytes of an output go.
#[derive(Debug)]
enum Target {
    /// Standard output.
    Stream,
    /// A device or pipe: written in place.
    Special(PathBuf),
    /// A file: written beside it, then renamed. With the access rights of the file that it replaces, if there is one.
    File(PathBuf, Option<fs::Permissions>),
}

impl Target {
    fn of(place: &Place) -> io::Result<Self> {
        let path = match place {
            Place::Standard => return Ok(Self::Stream),
            Place::File(path) => path,
        };
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if metadata.is_file() => {
                let permissions = metadata.permissions();
                if permissions.readonly() {
                    return Err(io::ErrorKind::PermissionDenied.into());
                }
                // Through symbolic links, so that the link stays one.
                Ok(Self::File(fs::canonicalize(path)?, Some(permissions)))
            }
            Ok(_) => Ok(Self::Special(path.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match path.file_name() {
                Some(_) => Ok(Self::File(path.clone(), None)),
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }
}

/// The directory that a file is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// How the names of temporary files begin and end.
pub(crate) const TEMPORARY: (&str, &str) = (".septic-", ".tmp");

/// A new file beside `path`.
pub(crate) fn temporary(path: &Path, access: Access) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    if access == Access::Usual {
        use std::os::unix::fs::PermissionsExt;
        // Less what the umask takes away. Without this line: the owner alone.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory(path))
}

/// Checks that an output can be written. Returns its full name if it is a file.
fn probe(place: &Place) -> Result<Option<PathBuf>, Failure> {
    let probe = || match Target::of(place)? {
        Target::Stream | Target::Special(_) => Ok(None),
        Target::File(path, _) => {
            drop(temporary(&path, Access::Owner)?);
            Ok(Some(fs::canonicalize(directory(&path))?.join(path.file_name().unwrap_or_default())))
        }
    };
    probe().map_err(|error: io::Error| about(place, error))
}

/// An output that is being written, piece by piece. Dropped, it leaves no trace.
#[derive(Debug)]
pub(crate) struct Staging {
    place: Place,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Beside its place.
    File(BufWriter<NamedTempFile>, PathBuf, Option<fs::Permissions>),
    /// In a file without a name, until all of it is there.
    Spool(BufWriter<File>, Target),
}

impl Staging {
    /// Begins an output of any length.
    pub(crate) fn new(place: &Place, access: Access) -> Result<Self, Failure> {
        let begin = || match Target::of(place)? {
            Target::File(path, permissions) => Sink::beside(path, permissions, access),
            target => Ok(Sink::Spool(BufWriter::new(tempfile::tempfile()?), target)),
        };
        let sink = begin().map_err(|error| about(place, error))?;
        Ok(Self { place: place.clone(), sink })
    }

    /// The output is complete.
    pub(crate) fn finish(self) -> Result<Staged, Failure> {
        let content = self.sink.finish().map_err(|error| about(&self.place, error))?;
        Ok(Staged { place: self.place, content })
    }
}

impl Write for Staging {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.writer().flush()
    }
}

impl Sink {
    fn beside(path: PathBuf, permissions: Option<fs::Permissions>, access: Access) -> io::Result<Self> {
        let file = temporary(&path, access)?;
        let permissions = permissions.filter(|_| access == Access::Usual);
        Ok(Self::File(BufWriter::with_capacity(1 << 16, file), path, permissions))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::File(writer, ..) => writer,
            Self::Spool(writer, _) => writer,
        }
    }

    fn finish(self) -> io::Result<Content> {
        match self {
            Self::File(buffer, path, permissions) => {
                let file = buffer.into_inner()?;
                if let Some(permissions) = permissions {
                    file.as_file().set_permissions(permissions)?;
                }
                file.as_file().sync_all()?;
                Ok(Content::File(file, path))
            }
            Self::Spool(buffer, target) => Ok(Content::Spool(buffer.into_inner()?, target)),
        }
    }
}

/// An output that is complete but not yet in its place. Dropped, it leaves no trace.
#[derive(Debug)]
pub(crate) struct Staged {
    place: Place,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Bytes(Vec<u8>, Target),
    Spool(File, Target),
    File(NamedTempFile, PathBuf),
}

impl Staged {
    /// Writes an output beside its place.
    pub(crate) fn new(
        place: &Place,
        access: Access,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self, Failure> {
        let stage = || match Target::of(place)? {
            Target::File(path, permissions) => {
                let mut sink = Sink::beside(path, permissions, access)?;
                write(sink.writer())?;
                sink.finish()
            }
            target => {
                let mut bytes = Vec::new();
                write(&mut bytes)?;
                Ok(Content::Bytes(bytes, target))
            }
        };
        let content = stage().map_err(|error: io::Error| about(place, error))?;
        Ok(Self { place: place.clone(), content })
    }

    /// Puts the output in its place.
    pub(crate) fn commit(self, console: &Console) -> Result<(), Failure> {
        self.put(console, true)
    }

    /// Puts the output in its place unless there is a file already.
    pub(crate) fn commit_new(self, console: &Console) -> Result<(), Failure> {
        self.put(console, false)
    }

    fn put(self, console: &Console, replace: bool) -> Result<(), Failure> {
        let result = match self.content {
            Content::Bytes(bytes, Target::Special(path)) => {
                File::options().write(true).open(path).and_then(|mut file| file.write_all(&bytes))
            }
            Content::Bytes(bytes, _) => return console.data(&bytes),
            Content::Spool(file, target) => {
                let copied = copy_spool(file, &target, console);
                return copied.map_err(|error| about(&self.place, error))?;
            }
            Content::File(file, path) => {
                let persisted = if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
                persisted.map(|_| sync_directory(&path)).map_err(|error| error.error)
            }
        };
        result.map_err(|error| about(&self.place, error))
    }
}

/// Copies what was spooled to where it goes.
fn copy_spool(mut file: File, target: &Target, console: &Console) -> io::Result<Result<(), Failure>> {
    file.rewind()?;
    if let Target::Special(path) = target {
        let mut special = File::options().write(true).open(path)?;
        io::copy(&mut file, &mut special)?;
        return Ok(Ok(()));
    }
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(Ok(()));
        }
        if let Err(failure) = console.data(&buffer[..read]) {
            return Ok(Err(failure));
        }
    }
}

/// Makes a rename last. What cannot be done about a directory is not done.
pub(crate) fn sync_directory(path: &Path) {
    if let Ok(directory) = File::open(directory(path)) {
        let _ = directory.sync_all();
    }
}
