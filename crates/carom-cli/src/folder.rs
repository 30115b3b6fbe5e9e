//! The folder of a simulation: its results, and its checkpoints while it runs.

use crate::failure::Failure;
use crate::output::{self, Written};
use carom::sim::Checkpoint;
use carom_study::plot::{self, energy_sheet, gap_sheet, strobe, velocity_sheet};
use carom_study::scenario::SimulationScenario;
use carom_study::simulation::{
    CheckpointFile, Identity, Run, Runner, applied_law, event_line, events_table, frame_line, joints_table,
    read_record, summary, trajectory_table,
};
use carom_study::table::Table;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The record of a run that is complete, and of one on its way.
pub const RECORD: &str = "record.jsonl";
const PARTIAL: &str = "record.part.jsonl";
const CHECKPOINT: &str = "checkpoint.json";

/// The folder.
pub struct Folder {
    path: PathBuf,
    /// Lines of the record that wait for the next checkpoint.
    waiting: String,
    written: u64,
}

impl Folder {
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned(), waiting: String::new(), written: 0 }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn fault(&self, name: &str, error: &std::io::Error) -> Failure {
        Failure::Output(format!("cannot write {}: {error}", self.at(name).display()))
    }

    fn make(&self) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.path).map_err(|error| self.fault("", &error))
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
            Failure::Usage(format!("cannot go on from {place}: {error}; expected a run with --checkpoint-every there"))
        })?;
        let refused = |why: &str| Failure::Usage(format!("cannot go on from {place}: {why}"));
        let from =
            CheckpointFile::parse(&text).ok_or_else(|| refused("it is no checkpoint of this version of carom"))?;
        if from.scenario != identity.hash {
            return Err(refused("the scenario has changed since"));
        }
        if from.law != applied_law(scenario) {
            return Err(refused(&format!("it was taken with --law {}", from.law)));
        }
        if from.engine != scenario.settings.engine.word() {
            return Err(refused(&format!("it was taken with --engine {}", from.engine)));
        }
        if from.checkpoint.time > scenario.settings.duration {
            return Err(refused(&format!("it is at {} s, after the end", from.checkpoint.time)));
        }
        let cannot_read = |error: &std::io::Error| refused(&format!("{PARTIAL}: {error}"));
        let mut file =
            OpenOptions::new().read(true).write(true).open(self.at(PARTIAL)).map_err(|error| cannot_read(&error))?;
        // What came after the checkpoint is computed again.
        file.set_len(from.bytes).map_err(|error| cannot_read(&error))?;
        let mut record = String::new();
        file.read_to_string(&mut record).map_err(|error| cannot_read(&error))?;
        let run = read_record(&record).map_err(|error| refused(&format!("{PARTIAL}: {error}")))?;
        self.written = from.bytes;
        Runner::resume(scenario, &from, run).map_err(|error| refused(&error.to_string()))
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
        self.waiting.clear();
        let checkpoint = CheckpointFile::new(scenario, &identity.hash, runner, self.written, taken.clone());
        output::write_quietly(&[Written::new(&self.at(CHECKPOINT), checkpoint.json().into_bytes())])
    }

    /// Writes all results at once; checkpoints are not needed any more.
    pub fn finish(
        &mut self,
        scenario: &SimulationScenario,
        run: &Run,
        identity: &Identity,
        (name, bytes): (&Path, &[u8]),
    ) -> Result<(), Failure> {
        self.make()?;
        let mut files = vec![Written::new(&self.path.join(name), bytes.to_vec())];
        let mut add = |name: &str, bytes: Vec<u8>| files.push(Written::new(&self.path.join(name), bytes));
        let record: String = run.frames.iter().map(frame_line).chain(run.events.iter().map(event_line)).collect();
        add(RECORD, record.into_bytes());
        add("summary.json", format!("{:#}\n", summary(scenario, run, identity)).into_bytes());
        let mut tables = vec![("trajectory", trajectory_table(scenario, run)), ("events", events_table(scenario, run))];
        if !scenario.scene.joints.is_empty() {
            tables.push(("joints", joints_table(scenario, run)));
        }
        for (name, table) in tables {
            add(&format!("{name}.csv"), table.csv().into_bytes());
            add(&format!("{name}.parquet"), parquet(&table)?);
        }
        let mut pictures = vec![
            ("motion", strobe(scenario, run)),
            ("energy", energy_sheet(scenario, run).svg()),
            ("velocities", velocity_sheet(scenario, run).svg()),
        ];
        pictures.extend(gap_sheet(scenario, run).map(|sheet| ("gaps", sheet.svg())));
        for (name, svg) in pictures {
            let pixels = plot::png(&svg, plot::SCALE).map_err(|error| Failure::Output(error.to_string()))?;
            add(&format!("{name}.svg"), svg.into_bytes());
            add(&format!("{name}.png"), pixels);
        }
        output::write_quietly(&files)?;
        for name in [CHECKPOINT, PARTIAL] {
            let _ = std::fs::remove_file(self.at(name));
        }
        output::tell(&format!("wrote {} files into {}", files.len(), self.path.display()));
        Ok(())
    }
}

fn parquet(table: &Table) -> Result<Vec<u8>, Failure> {
    table.parquet().map_err(|error| Failure::Output(error.to_string()))
}
