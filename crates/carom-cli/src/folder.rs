//! The folder of a simulation: its results, and its checkpoints while it runs.

use crate::copies;
use crate::failure::Failure;
use crate::hold::Hold;
use crate::output::{self, Written};
use carom::sim::Checkpoint;
use carom_study::plot::{self, energy_sheet, gap_sheet, strobe, velocity_sheet};
use carom_study::scenario::{SimulationScenario, reason};
use carom_study::simulation::{
    CheckpointFile, GrowingFingerprint, Identity, RecordPart, Run, Runner, event_line, events_table, frame_line,
    joints_table, law_label, read_record, summary, trajectory_table,
};
use carom_study::table::Table;
use serde_json::Value;
use std::fs::{DirEntry, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The record of a run that is complete, and of one on its way.
pub const RECORD: &str = "record.jsonl";
const PARTIAL: &str = "record.part.jsonl";
const CHECKPOINT: &str = "checkpoint.json";
/// What a run was and how it ended.
pub const SUMMARY: &str = "summary.json";
/// The pictures, each as SVG and PNG; not every scene has all.
const PICTURES: [&str; 4] = ["motion", "energy", "velocities", "gaps"];

/// The folder.
pub struct Folder {
    path: PathBuf,
    /// Lines of the record that wait for the next checkpoint.
    waiting: String,
    written: u64,
    /// Of the written part of the record.
    hash: GrowingFingerprint,
    hold: Option<Hold>,
}

impl Folder {
    /// A folder that is not there yet, is empty, or holds a run already: files of others are never mixed with ours.
    pub fn new(path: &Path) -> Result<Folder, Failure> {
        let (waiting, hash) = (String::new(), GrowingFingerprint::default());
        let folder = Folder { path: path.to_owned(), waiting, written: 0, hash, hold: None };
        let shown = path.display();
        if path.exists() && !path.is_dir() {
            return Err(Failure::Usage(format!("{shown} is a file; expected a folder, or a name that is free")));
        }
        // What is hidden, as `.gitignore`, is in nobody's way.
        let visible = |entry: std::io::Result<DirEntry>| {
            entry.is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        };
        let filled = std::fs::read_dir(path).is_ok_and(|mut entries| entries.any(visible));
        if filled && !folder.holds_run() {
            return Err(Failure::Usage(format!(
                "{shown} holds other files and no run of carom; expected a name that is free, an empty folder, or that of a run"
            )));
        }
        Ok(folder)
    }

    /// Whether carom wrote into it before: a summary, a checkpoint, or what comes before the first checkpoint.
    fn holds_run(&self) -> bool {
        let text = |name: &str| std::fs::read_to_string(self.at(name)).unwrap_or_default();
        self.former_summary().is_some() || CheckpointFile::is_one(&text(CHECKPOINT)) || self.at(PARTIAL).exists()
    }

    /// The summary of the run that the folder holds.
    fn former_summary(&self) -> Option<Value> {
        let value: Value = serde_json::from_str(&std::fs::read_to_string(self.at(SUMMARY)).ok()?).ok()?;
        value["scenario"]["sha256"].is_string().then_some(value)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn fault(&self, name: &str, error: &std::io::Error) -> Failure {
        Failure::Output(format!("cannot write {}: {}", self.at(name).display(), reason(error)))
    }

    /// Makes it, if it is not there.
    fn make(&self) -> Result<(), Failure> {
        let shown = self.path.display();
        std::fs::create_dir_all(&self.path)
            .map_err(|error| Failure::Output(format!("cannot make the folder {shown}: {}", reason(&error))))
    }

    /// Refuses a folder that cannot be made: before the run, because its results would be lost. The folder itself is made when there are
    /// results, so that an interrupted run leaves no empty folder.
    pub fn can_be_made(&self) -> Result<(), Failure> {
        let missing: Vec<&Path> = self.path.ancestors().take_while(|path| is_missing(path)).collect();
        self.make()?;
        for path in missing {
            let _ = std::fs::remove_dir(path);
        }
        Ok(())
    }

    /// Holds the folder until the run ends, so that no other run writes into it, and removes files that a killed run left half written.
    pub fn hold(&mut self) -> Result<(), Failure> {
        self.hold = Some(Hold::new(&self.path)?);
        for folder in [self.path.clone(), self.at(copies::FILES)] {
            output::remove_stale(&folder);
        }
        Ok(())
    }

    /// Refuses to throw away a run that can still go on.
    pub fn refuse_unfinished(&self) -> Result<(), Failure> {
        let text = std::fs::read_to_string(self.at(CHECKPOINT)).unwrap_or_default();
        let come = match CheckpointFile::parse(&text) {
            Ok(from) => format!("a run that came to {} s and has not ended; go on with --resume", from.checkpoint.time),
            Err(_) if CheckpointFile::is_one(&text) => "a run that has not ended; go on with --resume".to_owned(),
            Err(_) => return Ok(()),
        };
        let shown = self.path.display();
        Err(Failure::Usage(format!("{shown} holds {come}, or remove {CHECKPOINT} to start again")))
    }

    /// Starts a run with checkpoints.
    pub fn begin(&mut self) -> Result<(), Failure> {
        self.make()?;
        let _ = std::fs::remove_file(self.at(CHECKPOINT));
        File::create(self.at(PARTIAL)).map_err(|error| self.fault(PARTIAL, &error))?;
        Ok(())
    }

    /// Goes on from the checkpoint.
    pub fn resume(&mut self, scenario: &SimulationScenario, identity: &Identity) -> Result<Runner, Failure> {
        let place = self.at(CHECKPOINT).display().to_string();
        let text = std::fs::read_to_string(self.at(CHECKPOINT)).map_err(|error| {
            let why = reason(&error);
            Failure::Usage(format!("cannot go on from {place}: {why}; expected a run with --checkpoint-every there"))
        })?;
        let refused = |why: &str| Failure::Usage(format!("cannot go on from {place}: {why}"));
        let from = CheckpointFile::parse(&text).map_err(|why| refused(&why.to_string()))?;
        if from.scenario != identity.hash {
            return Err(refused("the scenario has changed since"));
        }
        // Each engine has its own laws.
        if from.engine != scenario.settings.engine.word() {
            return Err(refused(&format!("it was taken with --engine {}", from.engine)));
        }
        if from.law != law_label(scenario) {
            return Err(refused(&format!("it was taken with law {}", from.law)));
        }
        if from.checkpoint.time > scenario.settings.duration {
            return Err(refused(&format!("it is at {} s, after the end", from.checkpoint.time)));
        }
        let cannot_read = |error: &std::io::Error| refused(&format!("{PARTIAL}: {}", reason(error)));
        let mut file =
            OpenOptions::new().read(true).write(true).open(self.at(PARTIAL)).map_err(|error| cannot_read(&error))?;
        let mut record = Vec::new();
        let RecordPart { bytes, hash } = &from.record;
        Read::by_ref(&mut file).take(*bytes).read_to_end(&mut record).map_err(|error| cannot_read(&error))?;
        if (record.len() as u64) < *bytes {
            let length = record.len();
            return Err(refused(&format!(
                "{PARTIAL} holds {length} of the {bytes} bytes that it counts on; it was cut since"
            )));
        }
        self.hash.add(&record);
        if self.hash.digits() != *hash {
            return Err(refused(&format!(
                "the checksum of {PARTIAL} is wrong: it was altered or damaged after it was written; remove {CHECKPOINT} to start the run \
                 again"
            )));
        }
        let record = String::from_utf8(record).map_err(|_| refused(&format!("{PARTIAL} is not text")))?;
        let run = read_record(&record).map_err(|error| refused(&format!("{PARTIAL}: {error}")))?;
        let runner = Runner::resume(scenario, &from, run).map_err(|error| refused(&error.to_string()))?;
        // What came after the checkpoint is computed again; before all is known to fit, nothing is thrown away.
        file.set_len(*bytes).map_err(|error| cannot_read(&error))?;
        self.written = *bytes;
        Ok(runner)
    }

    pub fn keep_frame(&mut self, run: &Run) {
        self.waiting.extend(run.frames.last().map(frame_line));
    }

    pub fn keep_event(&mut self, run: &Run) {
        self.waiting.extend(run.events.last().map(event_line));
    }

    /// Writes what waits, then the checkpoint that counts on it.
    pub fn save(
        &mut self,
        scenario: &SimulationScenario,
        identity: &Identity,
        runner: &Runner,
        taken: &Checkpoint,
    ) -> Result<(), Failure> {
        let append = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().append(true).open(self.at(PARTIAL))?;
            file.write_all(self.waiting.as_bytes())?;
            file.sync_data()
        };
        append().map_err(|error| self.fault(PARTIAL, &error))?;
        self.written += self.waiting.len() as u64;
        self.hash.add(self.waiting.as_bytes());
        self.waiting.clear();
        let record = RecordPart { bytes: self.written, hash: self.hash.digits() };
        let checkpoint = CheckpointFile::new(scenario, &identity.hash, runner, record, taken.clone());
        output::write_quietly(&[Written::new(&self.at(CHECKPOINT), checkpoint.json().into_bytes())])
    }

    /// Files that a former run may have left: those of every run, and the copies that its summary lists.
    fn former_files(&self) -> Vec<String> {
        let Some(summary) = self.former_summary() else { return Vec::new() };
        let pictures = PICTURES.iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]);
        let joints = ["joints.csv", "joints.parquet"].map(str::to_owned);
        copies::listed(&summary).into_iter().chain(pictures).chain(joints).collect()
    }

    /// Writes all results at once, in place of those of a former run; checkpoints are not needed any more.
    pub fn finish(
        &mut self,
        scenario: &SimulationScenario,
        run: &Run,
        (bytes, identity): (&[u8], &Identity),
    ) -> Result<(), Failure> {
        let former = self.former_files();
        let mut summary = summary(scenario, run, identity);
        let mut files = copies::keep(&self.path, scenario, (bytes, identity), &mut summary);
        let mut add = |name: &str, bytes: Vec<u8>| files.push(Written::new(&self.path.join(name), bytes));
        let record: String = run.frames.iter().map(frame_line).chain(run.events.iter().map(event_line)).collect();
        add(RECORD, record.into_bytes());
        add(SUMMARY, format!("{summary:#}\n").into_bytes());
        let mut tables = vec![("trajectory", trajectory_table(scenario, run)), ("events", events_table(scenario, run))];
        if !scenario.scene.joints().is_empty() {
            tables.push(("joints", joints_table(scenario, run)));
        }
        for (name, table) in tables {
            add(&format!("{name}.csv"), table.csv().into_bytes());
            add(&format!("{name}.parquet"), parquet(&table)?);
        }
        let pictures = [
            Some(strobe(scenario, run)),
            Some(energy_sheet(scenario, run).svg()),
            Some(velocity_sheet(scenario, run).svg()),
            gap_sheet(scenario, run).map(|sheet| sheet.svg()),
        ];
        for (name, svg) in PICTURES.into_iter().zip(pictures) {
            let Some(svg) = svg else { continue };
            let pixels = plot::png(&svg, plot::SCALE).map_err(|error| Failure::Output(error.to_string()))?;
            add(&format!("{name}.svg"), svg.into_bytes());
            add(&format!("{name}.png"), pixels);
        }
        // Drawing takes time: the folder is made after it, so that an interruption leaves no empty folder.
        self.make()?;
        if !scenario.files.is_empty() {
            std::fs::create_dir_all(self.at(copies::FILES)).map_err(|error| self.fault(copies::FILES, &error))?;
        }
        output::write_quietly(&files)?;
        for name in former.iter().map(String::as_str).chain([CHECKPOINT, PARTIAL]) {
            let path = self.at(name);
            if !files.iter().any(|file| file.path() == path) {
                let _ = std::fs::remove_file(path);
            }
        }
        // It goes if nothing is left in it.
        let _ = std::fs::remove_dir(self.at(copies::FILES));
        output::notify(&format!("wrote {} files into {}", files.len(), self.path.display()));
        Ok(())
    }
}

/// Whether nothing is at a place; the end of a relative path is here.
fn is_missing(path: &Path) -> bool {
    path != Path::new("") && !path.exists()
}

/// Whether a folder holds checkpoints of a run and no results.
pub fn is_unfinished(path: &Path) -> bool {
    !path.join(SUMMARY).exists() && (path.join(CHECKPOINT).exists() || path.join(PARTIAL).exists())
}

fn parquet(table: &Table) -> Result<Vec<u8>, Failure> {
    table.parquet().map_err(|error| Failure::Output(error.to_string()))
}
