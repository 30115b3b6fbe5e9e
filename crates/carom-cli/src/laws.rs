//! `carom laws`: the catalogue.

use crate::collide::law;
use crate::failure::Failure;
use crate::output;
use carom_study::report;
use clap::{Args, ValueEnum};

/// List every law, or show one in full: source, equations, parameters, guarantees
#[derive(Args)]
#[command(after_help = "Examples:
  carom laws
  carom laws chatterjee-2
  carom laws --format json")]
pub struct Laws {
    /// A law's id; without it, all laws are listed
    id: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Formats of the catalogue.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For programs
    Json,
}

impl Laws {
    pub fn run(&self) -> Result<(), Failure> {
        let chosen = self.id.as_deref().map(law).transpose()?;
        output::show(&match (self.format, chosen) {
            (Format::Table, Some(law)) => report::law_text(law),
            (Format::Table, None) => report::law_list(),
            (Format::Json, Some(law)) => format!("{:#}", report::law_json(law)),
            (Format::Json, None) => format!("{:#}", report::laws_json()),
        })
    }
}
