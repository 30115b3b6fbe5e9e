//! The other files that a scenario names: meshes and robots.

use super::file::read_limited;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that a scenario names, as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The robot whose file names it; `None` for the scenario itself.
    pub robot: Option<String>,
    /// As the scenario or the robot writes it.
    pub name: String,
    /// What is in it.
    pub bytes: Arc<[u8]>,
}

impl NamedFile {
    fn is(&self, robot: Option<&str>, name: &str) -> bool {
        self.robot.as_deref() == robot && self.name == name
    }
}

/// Where the files of a scenario are, and those of them that have been read.
#[derive(Debug, Default)]
pub struct Files {
    place: Place,
    read: RefCell<Vec<NamedFile>>,
}

#[derive(Debug, Default)]
enum Place {
    /// Of text that came from no file.
    #[default]
    Nowhere,
    /// Beside the scenario.
    Folder(PathBuf),
    /// These and no others.
    Copies(Vec<NamedFile>),
}

impl Files {
    /// Those in a folder.
    pub fn beside(folder: Option<&Path>) -> Files {
        let place = folder.map_or(Place::Nowhere, |folder| Place::Folder(folder.to_owned()));
        Files { place, read: RefCell::default() }
    }

    /// These and no others.
    pub fn copies(copies: Vec<NamedFile>) -> Files {
        Files { place: Place::Copies(copies), read: RefCell::default() }
    }

    /// Whether there is any place to look for them.
    pub fn are_somewhere(&self) -> bool {
        !matches!(self.place, Place::Nowhere)
    }

    /// Provides the contents of a file that the scenario names, so that it is not read from disk.
    pub fn give(&self, name: &str, bytes: &[u8]) {
        self.read.borrow_mut().push(NamedFile { robot: None, name: name.to_owned(), bytes: bytes.into() });
    }

    /// A file that the scenario names; or why there is none, in words.
    pub fn read(&self, name: &str, most: u64) -> Result<Arc<[u8]>, String> {
        self.find(None, name, most, |folder| Some(folder.join(name)))
    }

    /// A file that a robot names: beside its description, or in a package that an enclosing folder holds.
    pub fn read_for(&self, robot: &str, name: &str, most: u64) -> Result<Arc<[u8]>, String> {
        self.find(Some(robot), name, most, |folder| {
            let path = folder.join(robot);
            let folder = path.parent().unwrap_or(folder);
            let Some(inside) = name.strip_prefix("package://") else {
                return Some(folder.join(name.strip_prefix("file://").unwrap_or(name)));
            };
            let within = inside.split_once('/').map_or(inside, |(_, within)| within);
            let mut places = folder.ancestors().take(6).flat_map(|up| [up.join(inside), up.join(within)]);
            places.find(|path| path.is_file())
        })
    }

    fn find(
        &self,
        robot: Option<&str>,
        name: &str,
        most: u64,
        locate: impl Fn(&Path) -> Option<PathBuf>,
    ) -> Result<Arc<[u8]>, String> {
        let among = |files: &[NamedFile]| files.iter().find(|file| file.is(robot, name)).map(|file| file.bytes.clone());
        if let Some(bytes) = among(&self.read.borrow()) {
            return Ok(bytes);
        }
        let missing = || "there is no such file".to_owned();
        let bytes = match &self.place {
            Place::Nowhere => return Err(missing()),
            Place::Copies(copies) => among(copies).ok_or_else(missing)?,
            Place::Folder(folder) => read_limited(&locate(folder).ok_or_else(missing)?, most)?.into(),
        };
        let file = NamedFile { robot: robot.map(str::to_owned), name: name.to_owned(), bytes: bytes.clone() };
        self.read.borrow_mut().push(file);
        Ok(bytes)
    }

    /// Those that were read, in the order in which they were.
    pub fn into_read(self) -> Vec<NamedFile> {
        self.read.into_inner()
    }
}
