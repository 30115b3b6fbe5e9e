//! Computing shards: each by one thread, written under a name of its own and renamed when it is whole and on the disk.

use super::cells::{Cells, Tally};
use super::claim::Claim;
use super::folder::{FolderError, Status, UNFINISHED, file_name};
use super::general::General;
use super::kernel::Scratch;
use super::layout::Layout;
use super::method::Method;
use super::output::{Column, Kind};
use super::plan::Plan;
use super::shard::{self, Label, io_error, properties, schema, write};
use crate::scenario::ScenarioError;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::Type;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;

/// Rows of one run, at most.
const MOST_ROWS: u64 = 100_000_000_000;
/// Bytes of a compressed number or word, for estimates before the run.
const BYTES: [f64; 2] = [7.0, 0.5];

/// Rows of columns that are computed between two looks at whether the run is to stop.
const KERNEL_ROWS: u64 = 1 << 16;

/// A plan that is ready to be computed.
#[derive(Debug)]
pub struct Sweep<'p> {
    plan: &'p Plan,
    method: Method<'p>,
    layout: Layout,
    rows_per_shard: u64,
    fingerprint: String,
    schema: Arc<Type>,
    properties: Arc<WriterProperties>,
}

/// One of n parts of a sweep, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part.
    pub number: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { number: 1, of: 1 };
}

/// Why a sweep stopped.
#[derive(Debug)]
pub enum Stopped {
    /// The folder cannot be used as it is.
    Folder(FolderError),
    /// A shard could not be written.
    Write(PathBuf, io::Error),
}

/// What a run has done.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Rows computed now.
    pub rows: u64,
    /// Shards written now.
    pub shards: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Shards that were there before.
    pub kept: u64,
    /// How the rows of all shards of this part ended.
    pub tally: Tally,
}

/// How far a run is, for whoever shows it.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Rows computed now.
    pub rows: u64,
    /// Rows to compute.
    pub of: u64,
}

impl<'p> Sweep<'p> {
    /// Looks at the first rows of a plan, and chooses how to compute it.
    pub fn new(plan: &'p Plan) -> Result<Sweep<'p>, ScenarioError> {
        let (method, layout) = Method::of(plan)?;
        let rows_per_shard = plan.rows_per_shard.unwrap_or_else(|| method.rows_per_shard(plan.rows()));
        let scenario = plan.scenario_text();
        let mut hash = Sha256::new();
        for text in [plan.essence().as_str(), scenario, env!("CARGO_PKG_VERSION")] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        // Meshes and robots are part of the scenario.
        for (name, bytes) in General::new(plan).named_files() {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        let fingerprint = hash.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let schema = schema(&layout.columns).map_err(|error| unwritable(plan, &error))?;
        let properties = Arc::new(properties(&layout.columns, &plan.title, &plan.text, scenario));
        Ok(Sweep { plan, method, layout, rows_per_shard, fingerprint, schema, properties })
    }

    /// The rows of the plan.
    pub fn rows(&self) -> u64 {
        self.plan.rows()
    }

    /// The columns of its rows.
    pub(super) fn described_columns(&self) -> &[Column] {
        &self.layout.columns
    }

    /// The number of shards.
    pub fn shards(&self) -> u64 {
        self.rows().div_ceil(self.rows_per_shard)
    }

    /// The shards of a part.
    pub fn shards_of(&self, part: Part) -> Range<u64> {
        let cut = |k: u64| (u128::from(self.shards()) * u128::from(k) / u128::from(part.of)) as u64;
        cut(part.number - 1)..cut(part.number)
    }

    /// The rows of a part.
    pub fn rows_of(&self, part: Part) -> Range<u64> {
        let shards = self.shards_of(part);
        let cut = |shard: u64| shard.saturating_mul(self.rows_per_shard).min(self.rows());
        cut(shards.start)..cut(shards.end)
    }

    /// About how many bytes a number of rows takes.
    pub fn bytes(&self, rows: u64) -> f64 {
        let of = |kind: Kind| BYTES[usize::from(kind == Kind::Words)];
        rows as f64 * self.layout.columns.iter().map(|column| of(column.kind)).sum::<f64>()
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.layout.columns.iter().map(|column| column.name.as_str())
    }

    /// Whether a part has more rows than one run computes.
    pub fn is_too_large(&self, part: Part) -> bool {
        let rows = self.rows_of(part);
        rows.end - rows.start > MOST_ROWS
    }

    /// What is in a folder of this plan; a folder of another one is an error.
    pub fn status(&self, folder: &Path, thorough: bool) -> Result<Status, FolderError> {
        let status = Status::of(folder, thorough)?;
        match status.labels.first() {
            Some((path, label)) if label.plan != self.fingerprint => Err(FolderError::Mixed(format!(
                "{} is a shard of another plan, scenario or version of Carom; expected an empty folder",
                path.display()
            ))),
            _ => Ok(status),
        }
    }

    /// Computes the shards of a part that a folder does not have, by several threads (0 for as many as there are cores). `watch` is called
    /// now and then; it stops the run by returning `false`.
    pub fn run(
        &self,
        folder: &Path,
        part: Part,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Done, Stopped> {
        // Whoever else writes into the folder has the same plan.
        let _claim = Claim::of(folder, &self.fingerprint).map_err(Stopped::Folder)?;
        let found = self.status(folder, true).map_err(Stopped::Folder)?;
        sweep_up(folder);
        let is_there = |shard: u64| {
            let rows = self.rows_of_shard(shard);
            found.labels.iter().find(|(_, label)| label.rows == rows)
        };
        let shards = self.shards_of(part);
        let mut done = Done::default();
        let mut missing = Vec::new();
        for shard in shards {
            match is_there(shard) {
                Some((_, label)) => {
                    done.kept += 1;
                    done.tally.merge(&label.tally);
                }
                None => missing.push(shard),
            }
        }
        let of = missing.iter().map(|shard| self.rows_of_shard(*shard)).map(|rows| rows.end - rows.start).sum();
        let workers = if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads };
        let workers = workers.min(missing.len());
        let (next, rows, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        // Threads go on to the next shard while a written one makes its way to the disk; not many of them wait for it.
        let (send, written) = std::sync::mpsc::sync_channel::<Result<Written, Stopped>>(workers);
        let work = |send: SyncSender<Result<Written, Stopped>>| {
            let mut memory = Memory::default();
            while !stop.load(Ordering::Relaxed) {
                let Some(shard) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { break };
                let Some(outcome) = self.compute(folder, *shard, &mut memory, &rows, &stop).transpose() else { break };
                if send.send(outcome).is_err() {
                    break;
                }
            }
        };
        let finish = || {
            let mut first = None;
            for outcome in written {
                match outcome.and_then(Written::finish) {
                    Ok(shard) => {
                        done.shards += 1;
                        done.rows += shard.rows;
                        done.bytes += shard.bytes;
                        done.tally.merge(&shard.tally);
                    }
                    Err(stopped) => {
                        stop.store(true, Ordering::Relaxed);
                        first.get_or_insert(stopped);
                    }
                }
            }
            (done, first)
        };
        let watcher = std::thread::current();
        let (done, stopped) = std::thread::scope(|scope| {
            let finisher = scope.spawn(|| {
                let ended = finish();
                watcher.unpark();
                ended
            });
            for _ in 0..workers {
                let send = send.clone();
                scope.spawn(|| work(send));
            }
            drop(send);
            while !finisher.is_finished() {
                if !watch(Progress { rows: rows.load(Ordering::Relaxed), of }) {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::park_timeout(std::time::Duration::from_millis(20));
            }
            match finisher.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        // New names are on the disk once the folder is.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        match stopped {
            Some(stopped) => Err(stopped),
            None => Ok(done),
        }
    }

    fn rows_of_shard(&self, shard: u64) -> Range<u64> {
        let from = shard * self.rows_per_shard;
        from..(from.saturating_add(self.rows_per_shard)).min(self.rows())
    }

    /// Computes and writes a shard under another name; nothing if the run is to stop.
    fn compute(
        &self,
        folder: &Path,
        shard: u64,
        memory: &mut Memory,
        rows_done: &AtomicU64,
        stop: &AtomicBool,
    ) -> Result<Option<Written>, Stopped> {
        let rows = self.rows_of_shard(shard);
        let cells = memory.cells.get_or_insert_with(|| Cells::new(&self.layout.columns, 0));
        cells.clear();
        match &self.method {
            Method::Kernel(kernel) => {
                let mut from = rows.start;
                while from < rows.end {
                    if stop.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                    let count = KERNEL_ROWS.min(rows.end - from);
                    kernel.fill(&self.layout, from, count as usize, cells, &mut memory.scratch);
                    from += count;
                    rows_done.fetch_add(count, Ordering::Relaxed);
                }
            }
            Method::General(general) => {
                general.fill(&self.layout, rows.clone(), cells, &mut || {
                    rows_done.fetch_add(1, Ordering::Relaxed);
                    !stop.load(Ordering::Relaxed)
                });
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
            }
        }
        let label = Label {
            plan: self.fingerprint.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: self.plan.draw.seed,
            rows: rows.clone(),
            of: self.rows(),
            tally: cells.tally.clone(),
        };
        let name = file_name(shard, self.shards());
        let unfinished = folder.join(format!(".{name}.{}.{UNFINISHED}", std::process::id()));
        let path = folder.join(name);
        let done = Done { rows: rows.end - rows.start, shards: 1, bytes: 0, kept: 0, tally: cells.tally.clone() };
        let mut write = || -> io::Result<File> {
            let file = File::create(&unfinished)?;
            // Whoever finds it knows by the lock that it is being written.
            let _ = file.lock();
            write(&file, &self.schema, &self.properties, &self.layout.columns, cells, &label, &mut memory.shard)
                .map_err(io_error)?;
            Ok(file)
        };
        match write() {
            Ok(file) => Ok(Some(Written { file, unfinished, path, done })),
            Err(error) => {
                let _ = std::fs::remove_file(&unfinished);
                Err(Stopped::Write(path, error))
            }
        }
    }
}

/// A shard that is written, but perhaps not yet on the disk, under another name.
struct Written {
    file: File,
    unfinished: PathBuf,
    path: PathBuf,
    done: Done,
}

impl Written {
    /// Makes sure that it is on the disk, and gives it its name.
    fn finish(self) -> Result<Done, Stopped> {
        let Written { file, unfinished, path, done } = self;
        let finish = || -> io::Result<u64> {
            file.sync_all()?;
            let bytes = file.metadata()?.len();
            std::fs::rename(&unfinished, &path)?;
            Ok(bytes)
        };
        match finish() {
            Ok(bytes) => Ok(Done { bytes, ..done }),
            Err(error) => {
                let _ = std::fs::remove_file(&unfinished);
                Err(Stopped::Write(path, error))
            }
        }
    }
}

/// Memory of a thread.
#[derive(Default)]
struct Memory {
    cells: Option<Cells>,
    scratch: Scratch,
    shard: shard::Memory,
}

/// Removes what killed runs left behind: unfinished files that nobody writes.
fn sweep_up(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_unfinished = name.starts_with(".shard-") && name.ends_with(UNFINISHED);
        if is_unfinished && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = std::fs::remove_file(&path);
        }
    }
}

fn unwritable(plan: &Plan, error: &ParquetError) -> ScenarioError {
    let fault = crate::scenario::Fault::of_the_file(format!("the results cannot be written as Parquet: {error}"));
    ScenarioError::new(&plan.name, &plan.text, fault)
}
