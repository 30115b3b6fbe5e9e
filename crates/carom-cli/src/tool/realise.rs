//! `carom tool realise`: bodies for a mass matrix.

use super::{bad_input, numbers};
use crate::failure::Failure;
use crate::output::{self, Written};
use carom_study::scenario::LARGEST;
use carom_study::tool::{Pair, Pairing, facts_json, facts_text, pair_facts, pair_scenario};
use clap::{Args, ValueEnum};
use nalgebra::Vector3;
use std::path::PathBuf;

/// Build two bodies whose mass matrix at their contact is the one asked for (Chatterjee 1997, 10.4)
#[derive(Args)]
#[command(after_help = "Examples:
  carom tool realise --mass '[[2, 0.5], [0.5, 1]]'
  carom tool realise --inverse-mass '[[1, 0, 0], [0, 3, 0], [0, 0, 2]]' \\
      --by points
  carom tool realise --mass '[[2, 0.5], [0.5, 1]]' --format toml |
      carom collide - --law all")]
pub struct Realise {
    /// M in (n, t) or (n, t1, t2), kg: rows in brackets
    #[arg(long, value_name = "ROWS", required_unless_present = "inverse_mass")]
    mass: Option<String>,
    /// W instead, 1/kg
    #[arg(long, value_name = "ROWS", conflicts_with = "mass")]
    inverse_mass: Option<String>,
    /// How the bodies are built
    #[arg(long, value_enum, default_value_t = By::Arms)]
    by: By,
    /// Relative velocity of the scenario, m/s, n first
    #[arg(long, value_name = "VN,VT1[,VT2]", default_value = "-1,0,0", allow_hyphen_values = true)]
    velocity: String,
    /// Write the scenario into this file
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Constructions.
#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// Two bodies with arms along principal axes: any mass matrix
    Arms,
    /// The thesis' cross and pendulum of point masses, eq. 10.7: eigenvalues must differ
    Points,
}

/// Formats of the result.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object, in SI units
    Json,
    /// The scenario itself, for `carom collide`
    Toml,
}

impl Realise {
    pub fn run(&self) -> Result<(), Failure> {
        let velocity = numbers::list("--velocity", &self.velocity, &[2, 3])?;
        let velocity = Vector3::from_fn(|i, _| velocity.get(i).copied().unwrap_or(0.0));
        if !velocity.iter().all(|v| v.abs() <= LARGEST) {
            return Err(Failure::Usage(format!(
                "`--velocity {}`: expected numbers of at most {LARGEST:e}",
                self.velocity
            )));
        }
        let mass = match (&self.mass, &self.inverse_mass) {
            (Some(mass), _) => numbers::matrix("--mass", mass)?,
            (None, Some(inverse)) => numbers::matrix("--inverse-mass", inverse)?.try_inverse().ok_or_else(|| {
                Failure::Usage("--inverse-mass is singular: no free bodies have an infinite mass".to_owned())
            })?,
            (None, None) => return Err(Failure::Usage("expected --mass or --inverse-mass".to_owned())),
        };
        let pairing = match self.by {
            By::Arms => Pairing::Arms,
            By::Points => Pairing::Points,
        };
        let pair = Pair::new(&mass, pairing).map_err(|error| bad_input(&error))?;
        let scenario = pair_scenario(&pair, &velocity);
        if let Some(path) = &self.output {
            output::write_whole(&[Written::new(path, scenario.clone().into_bytes())])?;
        }
        let facts = pair_facts(&pair);
        output::show(&match self.format {
            Format::Table => facts_text("Two bodies with this mass matrix at their contact", &facts),
            Format::Json => format!("{:#}", facts_json(&facts)),
            Format::Toml => scenario,
        })
    }
}
