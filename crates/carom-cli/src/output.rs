//! Results on stdout and in files.

use crate::failure::Failure;
use carom_study::plot;
use carom_study::table::Table;
use carom_study::terminal::fit_lines;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Writes a result to stdout.
pub fn show(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Writes a message to stderr, in lines that fit a terminal. A closed stderr is no failure.
pub fn notify(text: &str) {
    let _ = write!(anstream::stderr(), "{}", fit_lines(text));
}

/// Shows on a terminal how much of something is done; the line is wiped at the end.
pub fn show_progress(done: usize, total: usize, what: &str) {
    let mut err = std::io::stderr();
    if !err.is_terminal() {
        return;
    }
    let line = format!("{done} of {total} {what}");
    let text = if done < total { format!("\r{line}") } else { format!("\r{:1$}\r", "", line.len()) };
    let _ = err.write_all(text.as_bytes());
    let _ = err.flush();
}

/// A file to be written.
pub struct Written {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Written {
    /// These bytes at this place.
    pub fn new(path: &Path, bytes: Vec<u8>) -> Written {
        Written { path: path.to_owned(), bytes }
    }

    /// Where it is to be.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A line on a terminal's stderr that is written over again and again.
pub struct Line {
    live: bool,
    width: usize,
}

impl Line {
    /// Shows nothing unless stderr is a terminal.
    pub fn new() -> Line {
        Line { live: std::io::stderr().is_terminal(), width: 0 }
    }

    /// Writes over what was there.
    pub fn show(&mut self, text: &str) {
        if self.live {
            let width = text.chars().count();
            let _ = write!(std::io::stderr(), "\r{text}{:1$}", "", self.width.saturating_sub(width));
            self.width = width;
        }
    }

    /// Leaves nothing behind.
    pub fn wipe(&mut self) {
        if self.live && self.width > 0 {
            let _ = write!(std::io::stderr(), "\r{:1$}\r", "", self.width);
            self.width = 0;
        }
    }
}

/// Writes files that appear whole or not at all, and all of them or none.
pub fn write_whole(files: &[Written]) -> Result<(), Failure> {
    write_quietly(files)?;
    for file in files {
        notify(&format!("wrote {}", file.path.display()));
    }
    Ok(())
}

/// The same without a word.
pub fn write_quietly(files: &[Written]) -> Result<(), Failure> {
    let mut staged = Vec::new();
    for file in files {
        // What a link points to is replaced, not the link.
        let target = std::fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        staged.push((file, stage(&target, &file.bytes).map_err(|error| failure(&file.path, &error))?, target));
    }
    for (file, temporary, target) in staged {
        temporary.persist(target).map_err(|error| failure(&file.path, &error.error))?;
    }
    Ok(())
}

/// Refuses files to be written that have no folder, or are the same as another or as one that is read.
pub fn are_apart(read: &[&Path], written: &[Option<&Path>]) -> Result<(), Failure> {
    let identity = |path: &Path| {
        let folder = folder_of(path).canonicalize().unwrap_or_else(|_| folder_of(path).to_owned());
        let whole = folder.join(path.file_name().unwrap_or_default());
        whole.canonicalize().unwrap_or(whole)
    };
    let mut taken: Vec<PathBuf> = read.iter().map(|path| identity(path)).collect();
    for path in written.iter().copied().flatten() {
        has_place(path)?;
        let own = identity(path);
        if let Some(place) = taken.iter().position(|other| *other == own) {
            let other = if place < read.len() { "is read" } else { "is written twice" };
            return Err(Failure::Usage(format!("{} {other}; expected another name for the result", path.display())));
        }
        taken.push(own);
    }
    Ok(())
}

/// Refuses a file whose name has another ending.
pub fn ends_in(path: Option<&Path>, expected: &str) -> Result<(), Failure> {
    match path {
        Some(path) if ending(path).as_deref() != Some(expected) => {
            Err(Failure::Usage(format!("{}: expected a name that ends in .{expected}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Refuses a file whose folder is not there.
pub fn has_place(path: &Path) -> Result<(), Failure> {
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(Failure::Output(format!("cannot write {}: there is no folder {}", path.display(), folder.display())))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// How the names of temporary files begin and end.
const STALE: [&str; 2] = [".carom-", ".part"];

/// Removes temporary files from a folder that a process left there when it was killed. Nobody else must be writing into it.
pub fn remove_stale(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(STALE[0]) && name.ends_with(STALE[1]) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The bytes in a temporary file beside their target, as readable as any file the user makes.
fn stage(target: &Path, bytes: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    if target.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    let mut file = temporary(folder_of(target))?;
    file.write_all(bytes)?;
    Ok(file)
}

/// A temporary file in a folder, as readable as any file the user makes; it is removed unless it is given a name of its own.
pub fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.prefix(STALE[0]).suffix(STALE[1]).tempfile_in(folder)
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    let folder = folder_of(path);
    let why = match error.kind() {
        std::io::ErrorKind::NotFound if !folder.is_dir() => format!("there is no folder {}", folder.display()),
        kind => kind.to_string(),
    };
    Failure::Output(format!("cannot write {}: {why}", path.display()))
}

/// What a plot's file name asks for; checked before anything is computed.
pub enum PlotFormat {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
}

/// The file of a plot, `.svg` or `.png`.
pub struct PlotFile {
    path: PathBuf,
    format: PlotFormat,
}

impl PlotFile {
    /// Takes the format from the name's ending.
    pub fn new(path: &Path) -> Result<PlotFile, Failure> {
        let format = match ending(path).as_deref() {
            Some("svg") => PlotFormat::Svg,
            Some("png") => PlotFormat::Png,
            _ => {
                return Err(Failure::Usage(format!(
                    "unknown format of the plot `{}`; expected a name ending in .svg or .png",
                    path.display()
                )));
            }
        };
        Ok(PlotFile { path: path.to_owned(), format })
    }

    /// The drawing in the file's format.
    pub fn draw(&self, svg: &str) -> Result<Written, Failure> {
        let bytes = match self.format {
            PlotFormat::Svg => svg.as_bytes().to_vec(),
            PlotFormat::Png => plot::png(svg, plot::SCALE).map_err(|error| Failure::Output(error.to_string()))?,
        };
        Ok(Written::new(&self.path, bytes))
    }
}

/// The file of a table, `.csv` or `.parquet`.
pub struct TableFile {
    path: PathBuf,
    is_parquet: bool,
}

impl TableFile {
    /// Takes the format from the name's ending.
    pub fn new(path: &Path) -> Result<TableFile, Failure> {
        let is_parquet = match ending(path).as_deref() {
            Some("csv") => false,
            Some("parquet") => true,
            _ => {
                return Err(Failure::Usage(format!(
                    "unknown format of the table `{}`; expected a name ending in .csv or .parquet",
                    path.display()
                )));
            }
        };
        Ok(TableFile { path: path.to_owned(), is_parquet })
    }

    /// The table in the file's format.
    pub fn fill(&self, table: &Table) -> Result<Written, Failure> {
        let bytes = if self.is_parquet {
            table.parquet().map_err(|error| Failure::Output(error.to_string()))?
        } else {
            table.csv().into_bytes()
        };
        Ok(Written::new(&self.path, bytes))
    }
}

/// The ending of a file's name, in small letters.
fn ending(path: &Path) -> Option<String> {
    path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase)
}
