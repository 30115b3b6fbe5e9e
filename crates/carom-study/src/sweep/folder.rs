//! The folder of a sweep: which shards it has, what is missing, and one file of all of them.

use super::cells::Tally;
use super::shard::{Found, Label, io_error, look};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file of a shard.
pub fn file_name(shard: u64, shards: u64) -> String {
    let digits = shards.to_string().len().max(4);
    format!("shard-{:0digits$}-of-{shards:0digits$}.parquet", shard + 1)
}

/// Files that are being written have this ending.
pub(super) const UNFINISHED: &str = "part";

/// What is in a folder.
#[derive(Debug, Default)]
pub struct Status {
    /// Rows of the plan.
    pub rows: u64,
    /// Rows in whole shards.
    pub done: u64,
    /// Whole shards.
    pub shards: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Rows that no shard has.
    pub missing: Vec<Range<u64>>,
    /// Files that are damaged, and why.
    pub damaged: Vec<(PathBuf, String)>,
    /// Files that runs are writing, or left behind when they were killed.
    pub unfinished: usize,
    /// How many rows ended how.
    pub tally: Tally,
    pub(super) labels: Vec<(PathBuf, Label)>,
}

/// Why a folder cannot be used.
#[derive(Debug)]
pub enum FolderError {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// Its files are of two plans, or of none.
    Mixed(String),
    /// Rows are missing or damaged.
    Incomplete(String),
}

impl std::fmt::Display for FolderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FolderError::Io(path, error) => write!(f, "{}: {}", path.display(), crate::scenario::reason(error)),
            FolderError::Mixed(why) | FolderError::Incomplete(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FolderError {}

impl Status {
    /// The rows of each whole shard, in their order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.labels.iter().map(|(_, label)| label.rows.clone())
    }

    /// Looks at a folder; the bytes of shards are read only if `thorough`.
    pub fn of(folder: &Path, thorough: bool) -> Result<Status, FolderError> {
        let io_error = |error| FolderError::Io(folder.to_owned(), error);
        let mut status = Status::default();
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(io_error)? {
            let path = entry.map_err(io_error)?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name.starts_with("shard-") && name.ends_with(".parquet") {
                paths.push(path);
            } else if name.starts_with(".shard-") && name.ends_with(UNFINISHED) {
                status.unfinished += 1;
            }
        }
        paths.sort();
        for path in paths {
            match look(&path, thorough).map_err(|error| FolderError::Io(path.clone(), error))? {
                Found::Damaged(why) => status.damaged.push((path, why)),
                Found::Whole(label) => status.labels.push((path, label)),
            }
        }
        status.labels.sort_by_key(|(_, label)| label.rows.start);
        if let Some((first, label)) = status.labels.first() {
            let is_of_another = |other: &Label| other.plan != label.plan || other.of != label.of;
            if let Some((path, _)) = status.labels.iter().find(|(_, other)| is_of_another(other)) {
                return Err(FolderError::Mixed(format!(
                    "{} and {} are shards of different plans",
                    first.display(),
                    path.display()
                )));
            }
            status.rows = label.of;
        }
        let mut next = 0;
        for (path, label) in &status.labels {
            if label.rows.start < next {
                let why = format!("{} holds rows that another shard holds as well", path.display());
                return Err(FolderError::Mixed(why));
            }
            if label.rows.start > next {
                status.missing.push(next..label.rows.start);
            }
            next = label.rows.end;
            status.done += label.rows.end - label.rows.start;
            status.bytes += std::fs::metadata(path).map_or(0, |about| about.len());
            status.tally.merge(&label.tally);
        }
        if next < status.rows {
            status.missing.push(next..status.rows);
        }
        status.shards = status.labels.len();
        Ok(status)
    }
}

/// Writes all shards of a folder as one file, row group by row group as they are.
pub fn merge(folder: &Path, into: impl Write + Send, name: &Path) -> Result<Status, FolderError> {
    let status = Status::of(folder, true)?;
    if let Some((path, why)) = status.damaged.first() {
        let count = status.damaged.len();
        let others = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        return Err(FolderError::Incomplete(format!(
            "{}{others}: {why}; compute it again with `carom sweep PLAN -o {} --resume`",
            path.display(),
            folder.display()
        )));
    }
    if status.labels.is_empty() {
        return Err(FolderError::Incomplete(format!("{} has no shards", folder.display())));
    }
    if let Some(missing) = status.missing.first() {
        let (from, to) = (missing.start, missing.end - 1);
        return Err(FolderError::Incomplete(format!(
            "rows {from} to {to} are missing ({} of {} rows are there); compute them with `--resume`",
            status.done, status.rows
        )));
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| FolderError::Io(path, io_error(error))
    };
    let (mut writer, mut into) = (None, Some(into));
    for (path, label) in &status.labels {
        let file = File::open(path).map_err(|error| FolderError::Io(path.clone(), error))?;
        let reader = SerializedFileReader::new(file.try_clone().map_err(|error| FolderError::Io(path.clone(), error))?)
            .map_err(failed(path))?;
        let metadata = reader.metadata();
        if let Some(into) = into.take() {
            let about = metadata.file_metadata().key_value_metadata().cloned().unwrap_or_default();
            // The label is that of one shard.
            let about = about.into_iter().filter(|pair| !pair.key.starts_with("carom.")).collect();
            let properties = WriterProperties::builder()
                .set_created_by(format!("carom version {}", label.version))
                .set_key_value_metadata(Some(about))
                .build();
            let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
            writer = Some(SerializedFileWriter::new(into, schema, Arc::new(properties)).map_err(failed(name))?);
        }
        let Some(writer) = &mut writer else { continue };
        for k in 0..metadata.num_row_groups() {
            let mut group = writer.next_row_group().map_err(failed(name))?;
            for column in metadata.row_group(k).columns() {
                let closed = ColumnCloseResult {
                    bytes_written: column.compressed_size() as u64,
                    rows_written: metadata.row_group(k).num_rows() as u64,
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: None,
                    offset_index: None,
                };
                group.append_column(&file, closed).map_err(failed(path))?;
            }
            group.close().map_err(failed(name))?;
        }
    }
    if let Some(writer) = writer {
        writer.close().map_err(failed(name))?;
    }
    Ok(status)
}
