//! `carom simulate`: a scene through time.

use crate::failure::Failure;
use crate::folder::Folder;
use crate::input::{law, read_simulation};
use crate::output::{self, PlotFile, Written};
use crate::watch::Watch;
use carom_study::plot::{animation, energy_sheet, stack, strobe};
use carom_study::scenario::{Engine, SimulationScenario};
use carom_study::simulation::{
    CannotStart, Identity, Run, Runner, Status, Step, failure_text, overlap_text, simulation_csv, simulation_json,
    simulation_text,
};
use clap::{Args, ValueEnum};
use std::num::NonZero;
use std::path::PathBuf;

/// What the stepping engine takes.
const MOST_THREADS: usize = 1024;

/// Simulate a scene: every impact, resting contact, and where the energy went
///
/// Reads a scenario with `[simulation]` (bodies, walls, joints, loads) and follows it through time. With --output DIR it
/// writes trajectory and events as Parquet and CSV, a summary, and pictures of motion, energy, gaps and velocities.
#[derive(Args)]
#[command(after_help = "Examples:
  carom simulate scenarios/bouncing-ball.toml
  carom simulate scenarios/bouncing-ball.toml -o ball --animate ball.html
  carom simulate scenarios/tumbling-block.toml --law poisson-lcp \\
      --plot block.svg
  carom simulate scenarios/billiard-break.toml -o break \\
      --checkpoint-every 0.5 --watch
  carom simulate scenarios/billiard-break.toml -o break --resume")]
pub struct Simulate {
    /// The scenario, a TOML file; a robot, a URDF file; `-` for standard input
    file: PathBuf,
    /// Put another value at a place of the scenario, for instance contact.friction=0.4 or law.id=smith; may be given several times
    #[arg(long, value_name = "PLACE=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// Write trajectory, events, summary and pictures into this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// How long, in seconds, instead of the file's `duration`
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seconds)]
    duration: Option<f64>,
    /// The engine, instead of the file's
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    /// The law of impacts, as published, instead of the file's. Without any, newton-lcp, with restitution lowered where an impact
    /// would create energy
    #[arg(long, value_name = "ID")]
    law: Option<String>,
    /// Show progress from the start (default: after 2 s), on a terminal only. Slow runs report on stderr in any case
    #[arg(long)]
    watch: bool,
    /// Write a page that plays the motion (.html); it needs nothing else
    #[arg(long, value_name = "FILE")]
    animate: Option<PathBuf>,
    /// Draw the motion and the energy into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Keep a checkpoint in DIR at every such time of the simulation, in seconds
    #[arg(long, value_name = "S", requires = "output", allow_hyphen_values = true, value_parser = seconds)]
    checkpoint_every: Option<f64>,
    /// Resume from the checkpoint in DIR; the result is bit-identical to that of an uninterrupted run
    #[arg(long, requires = "output", conflicts_with = "checkpoint_every")]
    resume: bool,
    /// Threads that share the work of steps in large piles, instead of one for each core; the motion is the same for any number
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = thread_count)]
    threads: Option<usize>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Formats of a result.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object: summary, states at the end, events
    Json,
    /// One line per contact of each event
    Csv,
}

fn thread_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_THREADS).contains(count));
    count.ok_or_else(|| format!("expected 1 to {MOST_THREADS}"))
}

/// A time that passes.
fn seconds(text: &str) -> Result<f64, String> {
    let expected = "expected a number of seconds more than 0, without a unit, for instance 2.5";
    match text.parse::<f64>() {
        Ok(time) if time.is_finite() && time > 0.0 => Ok(time),
        _ => Err(expected.to_owned()),
    }
}

/// Engines.
#[derive(Clone, Copy, ValueEnum)]
enum EngineName {
    /// Every impact is located in time
    Event,
    /// Time goes on in equal steps
    Stepping,
}

impl Simulate {
    pub fn run(&self) -> Result<(), Failure> {
        let plot = self.plot.as_deref().map(PlotFile::new).transpose()?;
        if let Some(path) = &self.animate
            && !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
        {
            let path = path.display();
            return Err(Failure::Usage(format!("cannot write a page to `{path}`; expected a name ending in .html")));
        }
        // Checked before the run, which may take long.
        for path in [&self.plot, &self.animate].into_iter().flatten() {
            output::has_place(path)?;
        }
        let mut folder = self.output.as_deref().map(Folder::new).transpose()?;
        if let Some(folder) = &mut folder {
            folder.hold()?;
            if !self.resume {
                folder.refuse_unfinished()?;
            }
        }
        let (mut scenario, bytes, identity) = read_simulation(&self.file, &self.set)?;
        self.change(&mut scenario)?;
        let runner = match (&mut folder, self.resume) {
            (Some(folder), true) => folder.resume(&scenario, &identity)?,
            (folder, _) => {
                let runner =
                    Runner::new(&scenario, self.checkpoint_every).map_err(|error| self.refused(&error, &bytes))?;
                match folder {
                    Some(folder) if self.checkpoint_every.is_some() => folder.begin()?,
                    Some(folder) => folder.can_be_made()?,
                    None => {}
                }
                runner
            }
        };
        let run = self.follow(&scenario, runner, &mut folder, &identity)?;
        self.write(&scenario, &run, plot.as_ref(), folder.as_mut(), (&bytes, &identity))?;
        output::show(&match self.format {
            Format::Table => simulation_text(&scenario, &run),
            Format::Json => simulation_json(&scenario, &run, &identity),
            Format::Csv => simulation_csv(&scenario, &run),
        })?;
        match (run.status(&scenario), run.failure) {
            (Status::Failed, Some(failure)) => Err(Failure::NoAnswer(failure_text(&scenario, &failure))),
            (Status::Overlapping, _) => {
                let words = run.overlap.map(|overlap| overlap_text(&scenario, &overlap));
                Err(Failure::NoAnswer(format!("bodies overlap: {}", words.unwrap_or_default())))
            }
            _ => Ok(()),
        }
    }

    /// What the command line says instead of the file.
    fn change(&self, scenario: &mut SimulationScenario) -> Result<(), Failure> {
        if let Some(id) = &self.law {
            // As published, even if it creates energy.
            (scenario.law, scenario.lowers_restitution) = (law(id)?, false);
        }
        if let Some(duration) = self.duration {
            scenario.settings.duration = duration;
        }
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        scenario.settings.threads = self.threads.unwrap_or_else(cores).min(MOST_THREADS);
        match self.engine {
            Some(EngineName::Event) => scenario.settings.engine = Engine::Event,
            Some(EngineName::Stepping) => scenario.settings.engine = Engine::Stepping,
            None => {}
        }
        Ok(())
    }

    fn refused(&self, error: &CannotStart, bytes: &[u8]) -> Failure {
        let file = self.file.display().to_string();
        match error.in_file(&file, &String::from_utf8_lossy(bytes)) {
            Some(error) => error.into(),
            None => Failure::Usage(format!("{file}: {error}")),
        }
    }

    /// Runs to the end, with checkpoints on the way.
    fn follow(
        &self,
        scenario: &SimulationScenario,
        mut runner: Runner,
        folder: &mut Option<Folder>,
        identity: &Identity,
    ) -> Result<Run, Failure> {
        let keeps = runner.checkpoint_every.is_some();
        let mut watch = Watch::new(&runner, self.watch);
        loop {
            let step = runner.step();
            match (&step, folder.as_mut().filter(|_| keeps)) {
                (Step::Done, _) => break,
                (Step::Frame, Some(folder)) => folder.keep_frame(&runner.run),
                (Step::Event, Some(folder)) => folder.keep_event(&runner.run),
                (Step::Checkpoint(taken), Some(folder)) => folder.save(scenario, identity, &runner, taken)?,
                _ => {}
            }
            watch.look(scenario, &runner);
        }
        watch.end();
        Ok(runner.run)
    }

    fn write(
        &self,
        scenario: &SimulationScenario,
        run: &Run,
        plot: Option<&PlotFile>,
        folder: Option<&mut Folder>,
        source: (&[u8], &Identity),
    ) -> Result<(), Failure> {
        let mut files = Vec::new();
        if let Some(file) = plot {
            files.push(file.draw(&stack(&strobe(scenario, run), &energy_sheet(scenario, run).svg()))?);
        }
        if let Some(path) = &self.animate {
            files.push(Written::new(path, animation(scenario, run).into_bytes()));
        }
        output::write_whole(&files)?;
        folder.map_or(Ok(()), |folder| folder.finish(scenario, run, source))
    }
}
