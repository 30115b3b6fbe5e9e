//! Reading the file itself.

use super::fault::Fault;
use super::name::printable;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a scenario, at most: half a million bodies. Its tables take about 46 times as much memory while it is read, 3 GB at most.
pub const LARGEST_FILE: u64 = 64 << 20;

/// The text of a scenario.
pub(crate) fn read_text(path: &Path) -> Result<String, Fault> {
    read_text_of(path, "scenario")
}

/// The text of a file, which is a scenario or a plan.
pub(crate) fn read_text_of(path: &Path, noun: &str) -> Result<String, Fault> {
    String::from_utf8(read_bytes(path, noun)?).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Fault::of_the_file(format!("this is not a text file: the byte at offset {offset} is not UTF-8"))
            .help(format!("a {noun} is TOML text, saved as UTF-8"))
    })
}

fn read_bytes(path: &Path, noun: &str) -> Result<Vec<u8>, Fault> {
    let cannot_read = |error: &io::Error| Fault::of_the_file(format!("cannot read the {noun}: {}", reason(error)));
    let too_large = |size: &str| {
        Fault::of_the_file(format!("the file {size}; a {noun} may have at most {} MiB", LARGEST_FILE >> 20))
    };
    let metadata = std::fs::metadata(path).map_err(|error| cannot_read(&error))?;
    if metadata.is_dir() {
        return Err(Fault::of_the_file("this is a directory").help(format!("expected a {noun} file")));
    }
    if metadata.len() > LARGEST_FILE {
        return Err(too_large(&format!("has {} bytes", metadata.len())));
    }
    let mut bytes = Vec::new();
    // The size of a pipe is not known beforehand.
    File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| cannot_read(&error))?;
    if bytes.len() as u64 > LARGEST_FILE { Err(too_large("is larger")) } else { Ok(bytes) }
}

/// The bytes of a file beside the scenario; or why there are none, in words.
pub(super) fn read_limited(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| reason(&error))?;
    if !metadata.is_file() {
        return Err("this is no regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| reason(&error))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > most { Err(format!("it is larger than {most} bytes")) } else { Ok(bytes) }
}

/// The name of a file without its folder and ending: the title of a scenario that gives none.
pub(super) fn stem(name: &str) -> String {
    printable(Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name))
}

/// Why a file could not be read or written, in words, without the number of the system's error.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        _ => {
            let words = error.to_string();
            words.split(" (os error").next().unwrap_or(&words).to_lowercase()
        }
    }
}
