//! `carom figure`: figures that belong to no scenario.

use crate::failure::Failure;
use crate::output::{self, PlotFile};
use carom_study::plot::{ReboundCurves, SlenderRods, measured_impacts};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Draw a figure of the book that belongs to no scenario
#[derive(Args)]
#[command(after_help = "Example:
  carom figure rebound --plot rebound.svg")]
pub struct Figure {
    /// Which figure
    #[arg(value_enum)]
    name: Name,
    /// Draw it into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: PathBuf,
}

/// The figures.
#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Rebound against incidence of round elastic bodies (ψ₂ over ψ₁), by contact area, spring and rigid laws
    Rebound,
    /// Restitution of slender rods dropped on an anvil, against their angle
    SlenderRods,
    /// Speeds after two measured impacts of several contacts, by every law
    MeasuredImpacts,
}

impl Figure {
    pub fn run(&self) -> Result<(), Failure> {
        let file = PlotFile::new(&self.plot)?;
        let sheet = match self.name {
            Name::Rebound => ReboundCurves::default().sheet().map_err(|error| Failure::NoAnswer(error.to_string()))?,
            Name::SlenderRods => SlenderRods::default().sheet(),
            Name::MeasuredImpacts => measured_impacts().map_err(|error| Failure::NoAnswer(error.to_string()))?,
        };
        output::write_whole(&[file.draw(&sheet.svg())?])
    }
}
