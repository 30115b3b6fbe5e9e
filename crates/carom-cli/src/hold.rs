//! One run at a time in a folder.

use crate::failure::Failure;
use carom_study::scenario::reason;
use carom_study::simulation::fingerprint;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A folder that is held as long as this lives. The system lets go of it however the process ends.
///
/// The lock is a file in the system's folder for temporary files, named after the folder: so the folder itself need not exist before there are
/// results, and holds nothing but results.
pub struct Hold {
    _lock: File,
    place: PathBuf,
}

impl Hold {
    /// Holds a folder, which need not exist, or refuses if another process does.
    pub fn new(folder: &Path) -> Result<Hold, Failure> {
        let name = fingerprint(whole(folder).as_os_str().as_encoded_bytes());
        let place = std::env::temp_dir().join(format!("carom-{}.lock", &name[..32]));
        let failed = |error: &std::io::Error| {
            Failure::Output(format!("cannot lock {} by {}: {}", folder.display(), place.display(), reason(error)))
        };
        loop {
            let mut lock = open(&place).map_err(|error| failed(&error))?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(held(folder, &mut lock)),
                Err(TryLockError::Error(error)) => return Err(failed(&error)),
            }
            // Between opening and locking, the process that held the lock may have removed the file: this lock would then be on a file that no
            // other process can find.
            if is_same(&lock, &place) {
                // For the message to other processes. The file of another user cannot be written; the lock holds without it.
                let _ = lock.set_len(0).and_then(|()| write!(lock, "{}", std::process::id()));
                return Ok(Hold { _lock: lock, place });
            }
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.place);
    }
}

fn held(folder: &Path, lock: &mut File) -> Failure {
    let mut owner = String::new();
    let _ = lock.read_to_string(&mut owner);
    let who = if owner.is_empty() { "another process".to_owned() } else { format!("process {owner}") };
    let shown = folder.display();
    Failure::Usage(format!("{who} runs a simulation into {shown}; expected another folder, or wait until it ends"))
}

fn open(place: &Path) -> std::io::Result<File> {
    let wanted = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(place);
    wanted.or_else(|error| File::open(place).map_err(|_| error))
}

/// The whole path of a folder, of which the end may not exist yet.
fn whole(folder: &Path) -> PathBuf {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let known = absolute.ancestors().find_map(|path| Some((path, std::fs::canonicalize(path).ok()?)));
    // Collected, for joining nothing would leave a separator at the end.
    known.map_or_else(
        || absolute.clone(),
        |(path, real)| {
            real.components().chain(absolute.strip_prefix(path).into_iter().flat_map(Path::components)).collect()
        },
    )
}

#[cfg(unix)]
fn is_same(lock: &File, place: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    lock.metadata().ok().map(id) == std::fs::metadata(place).ok().map(id)
}

/// Elsewhere a file that is open cannot be removed.
#[cfg(not(unix))]
fn is_same(_: &File, _: &Path) -> bool {
    true
}
