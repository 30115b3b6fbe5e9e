//! Results on stdout and in files.

use crate::failure::Failure;
use carom_study::plot;
use std::io::Write;
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

/// Says on stderr that a file was written.
pub fn tell_written(path: &Path) {
    let _ = writeln!(anstream::stderr(), "wrote {}", path.display());
}

/// Writes a file that appears whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Output(format!("cannot write {}: {error}", path.display()));
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    #[cfg(unix)]
    {
        // A temporary file is private; the result should be as readable as any file the user makes.
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644)).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    tell_written(path);
    Ok(())
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
    /// Tells the format by the name's ending.
    pub fn new(path: &Path) -> Result<PlotFile, Failure> {
        let format = match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => PlotFormat::Svg,
            Some("png") => PlotFormat::Png,
            _ => {
                return Err(Failure::Usage(format!(
                    "cannot tell the plot's format from `{}`; expected a name ending in .svg or .png",
                    path.display()
                )));
            }
        };
        Ok(PlotFile { path: path.to_owned(), format })
    }

    /// Writes the drawing.
    pub fn write(&self, svg: &str) -> Result<(), Failure> {
        match self.format {
            PlotFormat::Svg => write_whole(&self.path, svg.as_bytes()),
            PlotFormat::Png => {
                let png = plot::png(svg, plot::SCALE).map_err(|error| Failure::Output(error.to_string()))?;
                write_whole(&self.path, &png)
            }
        }
    }
}
