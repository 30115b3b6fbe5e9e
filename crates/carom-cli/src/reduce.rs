//! `carom reduce`: tracks of bodies before and after a collision become measured collisions.

use crate::failure::Failure;
use crate::output::{self, Line, Written};
use carom_study::reduce::{self, ReduceError, Reduction, Settings, Setup};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Reduce tracked positions to collisions with errors
///
/// The file has a row for each frame and body: `trial`, `body`, `time` (s) or `frame`, `phase` (before or after; found if it is not
/// given), and x1, y1, x2, y2, … of marks, or x, y of the centre of mass, with `angle` (rad) or `angle_deg` if the marks do not show it;
/// in space also z, and qw, qx, qy, qz. The setup says what the bodies are, where the marks are on them, and what they hit.
/// The result has the columns that `carom fit` reads, and e, angles, impulses, energy and more, each with its standard deviation (_sd),
/// largest error (_bound) and standard deviation by Monte Carlo (_mc).
#[derive(Args)]
#[command(after_help = "Examples:
  carom reduce data/half-puck-frames.csv --setup data/half-puck.toml \\
    -o collisions.csv
  carom fit collisions.csv --law routh-poisson")]
pub struct Reduce {
    /// Tracks, a CSV file
    frames: PathBuf,
    /// The setup, a TOML file
    #[arg(long, value_name = "FILE")]
    setup: PathBuf,
    /// Write the collisions into this file (.csv)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draws of the Monte Carlo errors of each collision; 0 for none
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    draws: u32,
    /// The seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// What to print: a summary, or the collisions themselves
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Csv,
}

impl From<ReduceError> for Failure {
    fn from(error: ReduceError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl Reduce {
    pub fn run(&self) -> Result<(), Failure> {
        output::are_apart(&[&self.frames, &self.setup], &[self.output.as_deref()])?;
        output::ends_in(self.output.as_deref(), "csv")?;
        let setup = Setup::read(&self.setup)?;
        let trials = reduce::read(&self.frames, &setup)?;
        let settings = Settings { draws: self.draws as usize, seed: self.seed };
        let mut line = Line::new();
        let reduction = reduce::reduce(&trials, &setup, &settings, &mut |done| {
            line.show(&format!("{done} of {} trials", trials.len()));
            true
        });
        line.wipe();
        let reduction = reduction.map_err(|error| ReduceError(format!("{}: {error}", self.frames.display())))?;
        let frames = self.frames.display().to_string();
        let source = Reduction::source(&frames, &self.setup.display().to_string(), &settings);
        let table = reduction.csv(&source);
        let shown = match self.format {
            Format::Table => reduction.summary(),
            Format::Csv => table.clone(),
        };
        if let Some(path) = &self.output {
            output::write_whole(&[Written::new(path, table.into_bytes())])?;
        }
        output::show(&shown)
    }
}
