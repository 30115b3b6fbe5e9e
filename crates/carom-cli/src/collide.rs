//! `carom collide`: what a law, or every law, says about a scenario.

use crate::failure::Failure;
use crate::input::read_scenario;
use crate::output::{self, PlotFile, TableFile};
use crate::region::{draw_regions, laws_without_duration};
use carom::Digits;
use carom::laws::{self, Law};
use carom_study::plot::{Diagram, Entry, stack};
use carom_study::prediction::{Prediction, Refusal, predict, predict_all};
use carom_study::report;
use carom_study::scenario::{Dimension, Scenario, nearest};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Predict a collision: velocities after, impulse, energy, restitution, audit
///
/// Reads a scenario (bodies and a contact, or the inverse mass and velocity at the contact) and says what a law
/// predicts, or what all of them do.
#[derive(Args)]
#[command(after_help = "Examples:
  carom collide scenarios/falling-rod.toml
  carom collide scenarios/falling-rod.toml --law all --plot rod.svg
  carom collide scenarios/superball.toml --law chatterjee-2 --format json
  carom collide scenarios/falling-rod.toml --law routh-stronge --plot rod.svg --history rod.csv")]
pub struct Collide {
    /// The scenario, a TOML file; `-` for standard input
    file: PathBuf,
    /// A law's id, or `all` to compare every law; without it, the file's own law, else all
    #[arg(long, value_name = "ID|all")]
    law: Option<String>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Draw the impulse-space diagram into this file (.svg or .png); for one law that follows the contact, its course
    /// below
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw only the course by one law that follows the contact (.svg or .png): forces, displacements, slip, velocities
    /// and works while the bodies touch
    #[arg(long, value_name = "FILE")]
    course: Option<PathBuf>,
    /// Write the course instant by instant into this file (.csv or .parquet); of several laws, one after the other
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Draw what each law can reach into this file (.svg or .png), as `carom region` does
    #[arg(long, value_name = "FILE")]
    region: Option<PathBuf>,
}

/// Formats of a result.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object, or an array of them for `--law all`
    Json,
    /// One line per law
    Csv,
}

impl Collide {
    pub fn run(&self) -> Result<(), Failure> {
        let plot = self.plot.as_deref().map(PlotFile::new).transpose()?;
        let region = self.region.as_deref().map(PlotFile::new).transpose()?;
        let course = self.course.as_deref().map(PlotFile::new).transpose()?;
        let history = self.history.as_deref().map(TableFile::new).transpose()?;
        let scenario = read_scenario(&self.file)?;
        let chosen = self.chosen(&scenario)?;
        if course.is_some() && chosen.is_none() {
            return Err(Failure::Usage("--course draws one law; choose it with --law ID".to_owned()));
        }
        let answers = match chosen {
            Some(law) => vec![(law, Ok(self.single(&scenario, law)?))],
            None => predict_all(&scenario),
        };
        if answers.iter().all(|(_, answer)| answer.is_err()) {
            output::show(&report::comparison(&scenario, &answers))?;
            return Err(Failure::NoAnswer("no law applies to this scenario".to_owned()));
        }
        let one = chosen.is_some();
        let text = match (self.format, answers.first()) {
            (Format::Table, Some((_, Ok(prediction)))) if one => report::single(&scenario, prediction),
            (Format::Table, _) => report::comparison(&scenario, &answers),
            (Format::Json, Some((_, Ok(prediction)))) if one => pretty(&report::json(&scenario, prediction)),
            (Format::Json, _) => pretty(&report::json_all(&scenario, &answers)),
            (Format::Csv, _) => report::csv(&scenario, &answers),
        };
        let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
        let followed = chosen.and_then(|_| Some((predictions[0], predictions[0].course(&scenario)?)));
        let mut files = Vec::new();
        if let Some(plot) = plot {
            let diagram = diagram(&scenario, &answers).svg();
            files.push(match &followed {
                Some((prediction, course)) => {
                    let sheet = course.sheet("Course of the collision".to_owned(), subtitle(prediction));
                    plot.draw(&stack(&diagram, &sheet.svg()))?
                }
                None => plot.draw(&diagram)?,
            });
        }
        if let Some(file) = course {
            let Some((prediction, course)) = &followed else { return Err(no_course(&answers)) };
            files.push(file.draw(&course.sheet(scenario.title.clone(), subtitle(prediction)).svg())?);
        }
        if let Some(file) = history {
            let table = report::history(&scenario, &predictions, chosen.is_none());
            if table.rows() == 0 {
                return Err(no_course(&answers));
            }
            files.push(file.fill(&table)?);
        }
        if let Some(region) = region {
            let laws: Vec<&'static Law> = chosen.map_or_else(laws_without_duration, |law| vec![law]);
            files.push(draw_regions(&scenario, &laws, &region)?);
        }
        // Files first: a reader of stdout that stops early must not cost the plot.
        output::write_whole(&files)?;
        output::show(&text)
    }

    /// The one law asked for; `None` for all.
    fn chosen(&self, scenario: &Scenario) -> Result<Option<&'static Law>, Failure> {
        match self.law.as_deref() {
            Some("all") => Ok(None),
            Some(id) => law(id).map(Some),
            None => Ok(scenario.law),
        }
    }
}

impl Collide {
    fn single(&self, scenario: &Scenario, law: &'static Law) -> Result<Prediction, Failure> {
        predict(scenario, law).map_err(|refusal| {
            let place = self.file.display();
            match refusal {
                Refusal::Parameters(_) => Failure::Usage(format!("{place}: law `{}`: {refusal}", law.id)),
                Refusal::Inapplicable(why) => Failure::NoAnswer(format!("{}: {why}", law.id)),
            }
        })
    }
}

/// The law with this id, or an error that suggests one.
pub fn law(id: &str) -> Result<&'static Law, Failure> {
    laws::find(id).map_err(|error| {
        let hint = nearest(id, laws::ALL.iter().map(|law| law.id))
            .map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
        Failure::Usage(format!("{error}{hint} (`carom laws` lists all)"))
    })
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}

/// The law and its parameters.
fn subtitle(prediction: &Prediction) -> String {
    format!("{}: {}", prediction.law.law().id, report::parameters(prediction))
}

/// Why there is no course to show.
fn no_course(answers: &[(&'static Law, Result<Prediction, Refusal>)]) -> Failure {
    Failure::NoAnswer(match answers {
        [(law, _)] if law.clock().is_some() => format!("{}: the bodies do not collide, so there is no course", law.id),
        [(law, _)] => format!("{}: the law jumps from before to after, so there is no course", law.id),
        _ => "no law follows the contact through this collision, so there is no course".to_owned(),
    })
}

fn diagram<'a>(scenario: &'a Scenario, answers: &[(&'static Law, Result<Prediction, Refusal>)]) -> Diagram<'a> {
    let friction = scenario.friction().unwrap_or(0.0);
    let restitution = scenario.parameter("restitution");
    let v = scenario.collision.velocity();
    let velocity = match scenario.dimension() {
        Dimension::Planar => format!("V = ({}, {}) m/s", Digits(v.x), Digits(v.y)),
        Dimension::Spatial => format!("V = ({}, {}, {}) m/s", Digits(v.x), Digits(v.y), Digits(v.z)),
    };
    let given = restitution.map_or_else(String::new, |e| format!(", e = {}", Digits(e)));
    let entries = answers
        .iter()
        .filter_map(|(law, answer)| Some((law, answer.as_ref().ok()?)))
        .map(|(law, prediction)| Entry {
            label: law.id.to_owned(),
            impulse: prediction.outcome.impulse,
            path: prediction.outcome.path.corners().to_vec(),
            admissible: prediction.audit.is_ok(),
        })
        .collect();
    Diagram {
        title: scenario.title.clone(),
        subtitle: format!("{velocity}, μ = {}{given}", Digits(friction)).replace('-', "−"),
        collision: &scenario.collision,
        friction,
        restitution,
        entries,
    }
}
