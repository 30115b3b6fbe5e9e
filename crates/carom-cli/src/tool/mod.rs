//! `carom tool`: small calculations that belong to no law.

mod audit;
mod disk;
mod hertz;
mod mindlin;
mod near_sphere;
mod numbers;
mod realise;

use crate::failure::Failure;
use crate::output::{self, PlotFile};
use carom_study::plot::Sheet;
use carom_study::tool::{Fact, facts_json, facts_text};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Calculate what belongs to no law: bodies for a mass matrix, contacts under load, the audit of a measured impulse
#[derive(Args)]
#[command(after_help = "Examples:
  carom tool realise --mass '[[2, 0.5], [0.5, 1]]' --format toml
  carom tool audit scenarios/falling-rod.toml --impulse 0.8,0.3
  carom tool hertz --radii 0.0495,0.005 --modulus 2.97e9 --load 100
  carom tool mindlin --radius 0.05 --materials steel,steel --friction 0.2 \\
      --load 100 --force 12")]
pub struct Tool {
    #[command(subcommand)]
    tool: Name,
}

#[derive(Subcommand)]
enum Name {
    Realise(realise::Realise),
    Audit(audit::Audit),
    NearSphere(near_sphere::NearSphere),
    Hertz(hertz::Hertz),
    Disk(disk::Disk),
    Mindlin(mindlin::Mindlin),
}

impl Tool {
    pub fn run(&self) -> Result<(), Failure> {
        match &self.tool {
            Name::Realise(tool) => tool.run(),
            Name::Audit(tool) => tool.run(),
            Name::NearSphere(tool) => tool.run(),
            Name::Hertz(tool) => tool.run(),
            Name::Disk(tool) => tool.run(),
            Name::Mindlin(tool) => tool.run(),
        }
    }
}

/// How to print the facts of a tool.
#[derive(Args)]
struct Show {
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Formats of a tool's result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object, in SI units
    Json,
}

impl Show {
    fn facts(&self, title: &str, facts: &[Fact]) -> Result<(), Failure> {
        output::show(&match self.format {
            Format::Table => facts_text(title, facts),
            Format::Json => format!("{:#}", facts_json(facts)),
        })
    }
}

/// The picture of a tool.
#[derive(Args)]
struct Picture {
    /// Draw a picture into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Picture {
    /// The file asked for; its name is checked before anything is computed.
    fn file(&self) -> Result<Option<PlotFile>, Failure> {
        self.plot.as_deref().map(PlotFile::new).transpose()
    }
}

/// Draws a sheet, if a file is asked for.
fn draw(file: Option<&PlotFile>, sheet: impl FnOnce() -> Result<Sheet, Failure>) -> Result<(), Failure> {
    match file {
        Some(file) => output::write_whole(&[file.draw(&sheet()?.svg())?]),
        None => Ok(()),
    }
}

/// Numbers that no body or contact can have.
fn bad_input(error: &carom::Error) -> Failure {
    Failure::Usage(error.to_string())
}
