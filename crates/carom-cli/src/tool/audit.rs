//! `carom tool audit`: a measured impulse.

use super::{Show, bad_input, numbers};
use crate::failure::Failure;
use crate::input::{only_collision, read_scenario};
use carom::Dimension;
use carom_study::tool::measured_facts;
use clap::Args;
use nalgebra::Vector3;
use std::path::PathBuf;

/// Audit an impulse that was measured: is it possible, and which possible one is nearest (Chatterjee 1997, 3.4)
#[derive(Args)]
#[command(after_help = "Example:
  carom tool audit scenarios/falling-rod.toml --impulse 0.8,0.3")]
pub struct Audit {
    /// The scenario with one contact, a TOML file; `-` for standard input
    file: PathBuf,
    /// The impulse on the first body of the contact, N s
    #[arg(long, value_name = "PN,PT1[,PT2]", allow_hyphen_values = true)]
    impulse: String,
    #[command(flatten)]
    show: Show,
}

/// Energies and distances of larger impulses overflow; inverse masses and velocities have the same bound.
const LARGEST: f64 = 1e60;

impl Audit {
    pub fn run(&self) -> Result<(), Failure> {
        let impulse = numbers::list("--impulse", &self.impulse, &[2, 3])?;
        let scenario = read_scenario(&self.file, &[])?;
        let collision = only_collision(&scenario, &self.file)?;
        if impulse.len() == 3 && scenario.dimension() == Dimension::Planar {
            return Err(Failure::Usage(format!(
                "`--impulse {}`: expected 2 numbers in a planar scenario",
                self.impulse
            )));
        }
        if !impulse.iter().all(|p| p.abs() <= LARGEST) {
            return Err(Failure::Usage(format!(
                "`--impulse {}`: expected numbers of at most {LARGEST:e}; choose other units",
                self.impulse
            )));
        }
        let Some(friction) = scenario.friction(0) else {
            return Err(Failure::Usage(format!("{}: expected `friction` of the contact", self.file.display())));
        };
        let impulse = Vector3::from_fn(|i, _| impulse.get(i).copied().unwrap_or(0.0));
        let facts =
            measured_facts(collision, scenario.dimension(), &impulse, friction).map_err(|error| bad_input(&error))?;
        self.show.facts(&scenario.title, &facts)
    }
}
