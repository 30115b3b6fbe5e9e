//! `carom laws`: the catalogue.

use crate::failure::Failure;
use crate::input::law;
use crate::output;
use carom::laws::{BoundLaw, Kind, Law};
use carom::properties::Properties;
use carom_study::{report, typical};
use clap::{Args, ValueEnum};

/// List every law, or show one in full: source, equations, parameters, guarantees
#[derive(Args)]
#[command(after_help = "Examples:
  carom laws
  carom laws chatterjee-2
  carom laws spring-dashpot --properties --set damping=500
  carom laws --format json")]
pub struct Laws {
    /// A law's id; without it, all laws are listed
    id: Option<String>,
    /// Measure the law on sampled collisions: homogeneity in velocity and mass, energy, friction, effort
    #[arg(long, requires = "id")]
    properties: bool,
    /// A parameter to measure with instead of a typical one; may be given several times
    #[arg(long, value_name = "KEY=VALUE", requires = "properties")]
    set: Vec<String>,
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
            (Format::Table, Some(law)) => match self.measured(law)? {
                Some((bound, properties)) => {
                    format!("{}\n{}", report::law_text(law), report::properties_text(&bound, &properties))
                }
                None => report::law_text(law),
            },
            (Format::Table, None) => report::law_list(),
            (Format::Json, Some(law)) => {
                let mut value = report::law_json(law);
                if let Some((bound, properties)) = self.measured(law)? {
                    value["properties"] = report::properties_json(&bound, &properties);
                }
                format!("{value:#}")
            }
            (Format::Json, None) => format!("{:#}", report::laws_json()),
        })
    }

    fn measured(&self, law: &'static Law) -> Result<Option<(BoundLaw, Properties)>, Failure> {
        if !self.properties {
            return Ok(None);
        }
        let given = self.set.iter().map(|text| setting(law, text)).collect::<Result<Vec<_>, _>>()?;
        let bound = typical::bind(law, &given).map_err(|error| Failure::Usage(error.to_string()))?;
        let properties = Properties::measure(&bound);
        Ok(Some((bound, properties)))
    }
}

/// A parameter and its value from `KEY=VALUE`, the value a number or one of the parameter's words.
pub fn setting<'a>(law: &Law, text: &'a str) -> Result<(&'a str, f64), Failure> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(Failure::Usage(format!("`--set {text}`: expected KEY=VALUE, for instance `restitution=0.5`")));
    };
    let words = law.parameters.iter().find(|p| p.key == key).and_then(|p| match p.kind {
        Kind::Choice(words) => Some(words),
        Kind::Number { .. } => None,
    });
    let (number, expected) = match words {
        Some(words) => (words.iter().position(|word| *word == value).map(|k| k as f64), words.join(" | ")),
        None => (value.parse().ok(), "a number".to_owned()),
    };
    let number = number.ok_or_else(|| Failure::Usage(format!("`--set {text}`: expected {expected} for `{key}`")))?;
    Ok((key, number))
}
