//! Whose folder it is while runs write into it: runs of one plan share it, those of another are refused.

use super::folder::FolderError;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file with a name of its own that is locked as long as a run writes into the folder. The kernel lifts the lock however the run ends.
#[derive(Debug)]
pub(super) struct Claim {
    path: PathBuf,
    file: Option<File>,
}

/// How files of claims begin.
const START: &str = ".run-";

/// Runs of this process, so that no two of them have a file of one name.
static RUNS: AtomicU64 = AtomicU64::new(0);

impl Claim {
    /// Claims a folder for a plan; an error if a run of another plan writes into it.
    pub(super) fn of(folder: &Path, plan: &str) -> Result<Claim, FolderError> {
        // One after the other, where folders can be locked: else both of two plans that start at once may see each other and be refused.
        let door = File::open(folder).ok();
        let _ = door.as_ref().map(File::lock);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let name = format!("{START}{plan}-{}-{number}", std::process::id());
        let path = folder.join(name);
        let failed = |error| FolderError::Io(path.clone(), error);
        let file = File::create(&path).map_err(failed)?;
        // Where nothing can be locked, claims do not hold.
        let _ = file.lock();
        let claim = Claim { path: path.clone(), file: Some(file) };
        for other in std::fs::read_dir(folder).map_err(failed)?.flatten().map(|entry| entry.path()) {
            let name = other.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let Some(of) = name.strip_prefix(START).filter(|_| other != path) else { continue };
            // A claim that nobody holds was left by a run that was killed.
            if File::open(&other).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = std::fs::remove_file(&other);
            } else if !of.starts_with(plan) && other.exists() {
                return Err(FolderError::Mixed(format!(
                    "another plan is being computed into {}; expected another folder",
                    folder.display()
                )));
            }
        }
        Ok(claim)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // The file is closed before it is removed, as Windows asks for.
        self.file = None;
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn runs_of_one_plan_share_a_folder_and_those_of_another_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".run-dead-1"), "").unwrap();
        let first = Claim::of(folder.path(), "aaaa").unwrap();
        let second = Claim::of(folder.path(), "aaaa").unwrap();
        assert!(matches!(Claim::of(folder.path(), "bbbb"), Err(FolderError::Mixed(_))));
        drop((first, second));
        drop(Claim::of(folder.path(), "bbbb").unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
