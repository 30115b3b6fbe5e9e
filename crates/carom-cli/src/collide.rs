//! `carom collide`: what a law, or every law, says about a scenario.

use crate::failure::Failure;
use crate::input::{law, read_scenario};
use crate::output::{self, PlotFile, TableFile, Written};
use crate::region::{draw_regions, laws_without_duration};
use carom::laws::Law;
use carom_study::ambiguity::Ambiguity;
use carom_study::impact_prediction::{
    Detail, ImpactPrediction, PATIENCE, predict_impact_all, predict_within, size_for,
};
use carom_study::plot::{Course, Diagram, ambiguity_sheet, impact_course, impact_outcomes, stack};
use carom_study::prediction::{Prediction, Refusal, predict, predict_all};
use carom_study::report;
use carom_study::scenario::Scenario;
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
  carom collide scenarios/falling-rod.toml --law routh-stronge \\
      --plot rod.svg --history rod.csv
  carom collide scenarios/falling-rod.toml --details
  carom collide scenarios/cradle-three.toml --ambiguity --plot cradle.svg")]
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
    /// Show how ambiguous an impact of several contacts is: every law, every order, other stiffnesses and tiny gaps
    #[arg(long)]
    ambiguity: bool,
    /// Add the quantities of the problem to the table: W, M and their principal axes, critical frictions, coupling, rank and
    /// whether contacts can jam; JSON and CSV always have them
    #[arg(long)]
    details: bool,
    /// Draw what each law can reach into this file (.svg or .png), as `carom region` does
    #[arg(long, value_name = "FILE")]
    region: Option<PathBuf>,
}

/// With more contacts the tables and pictures of an ambiguity are too large to read, and take minutes.
const MOST_EXPLORED: usize = 40;

const ONE_LAW: &str = "--course draws one law; choose it with --law ID";

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
        let asked = Asked::new(self)?;
        let scenario = read_scenario(&self.file)?;
        let alone = scenario.impact.contacts() == 1;
        if self.ambiguity && alone {
            return Err(Failure::Usage(
                "--ambiguity is about several contacts, but this is a collision of one".to_owned(),
            ));
        }
        let chosen = self.chosen(scenario.law)?;
        if !alone || chosen.is_some_and(Law::is_simultaneous) {
            return self.run_impact(&scenario);
        }
        if asked.course.is_some() && chosen.is_none() {
            return Err(Failure::Usage(ONE_LAW.to_owned()));
        }
        let answers = match chosen {
            Some(law) => vec![(law, Ok(self.single(&scenario, law)?))],
            None => predict_all(&scenario),
        };
        if answers.iter().all(|(_, answer)| answer.is_err()) {
            output::show(&report::comparison(&scenario, &answers))?;
            return Err(self.no_law(answers.iter().filter_map(|(_, answer)| answer.as_ref().err())));
        }
        let one = chosen.is_some();
        let text = match (self.format, answers.first()) {
            (Format::Table, Some((_, Ok(prediction)))) if one => report::single(&scenario, prediction),
            (Format::Table, _) => report::comparison(&scenario, &answers),
            (Format::Json, Some((_, Ok(prediction)))) if one => pretty(&report::json(&scenario, prediction)),
            (Format::Json, _) => pretty(&report::json_all(&scenario, &answers)),
            (Format::Csv, _) => report::csv(&scenario, &answers),
        };
        let text = self.with_details(text, || report::details(&scenario, &answers));
        let files = asked.fill(&scenario, chosen, &answers)?;
        // Files first: a reader of stdout that stops early must not cost the plot.
        output::write_whole(&files)?;
        output::show(&text)
    }

    /// A table with the quantities of the problem at its end, if they are asked for.
    fn with_details(&self, text: String, details: impl Fn() -> String) -> String {
        match self.format {
            Format::Table if self.details => format!("{}\n\n{}", text.trim_end(), details()),
            _ => text,
        }
    }

    /// The one law asked for; `None` for all.
    fn chosen(&self, in_file: Option<&'static Law>) -> Result<Option<&'static Law>, Failure> {
        match self.law.as_deref() {
            Some("all") => Ok(None),
            Some(id) => law(id).map(Some),
            None => Ok(in_file),
        }
    }

    /// Several contacts at once.
    fn run_impact(&self, scenario: &Scenario) -> Result<(), Failure> {
        if self.region.is_some() {
            return Err(Failure::Usage("--region draws one contact, but this is an impact of several".to_owned()));
        }
        let chosen = self.chosen(scenario.law)?;
        let asked = Asked::new(self)?;
        if asked.course.is_some() && (chosen.is_none() || self.ambiguity) {
            return Err(Failure::Usage(ONE_LAW.to_owned()));
        }
        if self.ambiguity {
            return self.run_ambiguity(scenario, &asked);
        }
        let followed = asked.plot.is_some() && chosen.is_some() || asked.course.is_some() || asked.history.is_some();
        let detail = if followed { Detail::Course } else { Detail::Outcome };
        let answers = match chosen {
            Some(law) => vec![(law, Ok(self.single_impact(scenario, law, detail)?))],
            None => predict_impact_all(scenario, detail),
        };
        if answers.iter().all(|(_, answer)| answer.is_err()) {
            output::show(&report::impact_comparison(scenario, &answers))?;
            return Err(self.no_law(answers.iter().filter_map(|(_, answer)| answer.as_ref().err())));
        }
        let text = match (self.format, chosen, answers.first()) {
            (Format::Table, Some(_), Some((_, Ok(prediction)))) => report::impact_single(scenario, prediction),
            (Format::Table, ..) => report::impact_comparison(scenario, &answers),
            (Format::Json, Some(_), Some((_, Ok(prediction)))) => pretty(&report::impact_json(scenario, prediction)),
            (Format::Json, ..) => pretty(&report::impact_json_all(scenario, &answers)),
            (Format::Csv, ..) => report::impact_csv(scenario, &answers),
        };
        let text = self.with_details(text, || report::impact_details(scenario));
        let predictions: Vec<&ImpactPrediction> =
            answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
        let no_course = || Failure::NoAnswer("no law follows this impact, so there is no course".to_owned());
        let course = match predictions[..] {
            [one] if chosen.is_some() => one.histories.first().map(|history| impact_course(scenario, one, history)),
            _ => None,
        };
        let mut files = Vec::new();
        if let Some(file) = &asked.course {
            files.push(file.draw(&course.as_ref().ok_or_else(no_course)?.svg())?);
        }
        if let Some(file) = &asked.plot {
            let sheet = course.unwrap_or_else(|| impact_outcomes(scenario, &predictions));
            files.push(file.draw(&sheet.svg())?);
        }
        if let Some(file) = &asked.history {
            let table = report::impact_history(scenario, &predictions);
            if table.rows() == 0 {
                return Err(no_course());
            }
            files.push(file.fill(&table)?);
        }
        output::write_whole(&files)?;
        output::show(&text)
    }

    /// What may happen, and how far apart the answers lie.
    fn run_ambiguity(&self, scenario: &Scenario, asked: &Asked) -> Result<(), Failure> {
        if scenario.impact.contacts() > MOST_EXPLORED {
            let contacts = scenario.impact.contacts();
            return Err(Failure::Usage(format!(
                "--ambiguity explores at most {MOST_EXPLORED} contacts, not {contacts}"
            )));
        }
        let found = Ambiguity::explore_with(scenario, &mut |done, total| {
            output::show_progress(done, total, "outcomes");
        });
        if found.variants.is_empty() {
            let answers = predict_impact_all(scenario, Detail::Outcome);
            output::show(&report::impact_comparison(scenario, &answers))?;
            return Err(self.no_law(answers.iter().filter_map(|(_, answer)| answer.as_ref().err())));
        }
        let text = match self.format {
            Format::Table => report::ambiguity(scenario, &found),
            Format::Json => pretty(&report::ambiguity_json(scenario, &found)),
            Format::Csv => return Err(Failure::Usage("--ambiguity prints a table or JSON".to_owned())),
        };
        if let Some(file) = &asked.plot {
            output::write_whole(&[file.draw(&ambiguity_sheet(scenario, &found).svg())?])?;
        }
        output::show(&text)
    }
}

impl Collide {
    fn single_impact(
        &self,
        scenario: &Scenario,
        law: &'static Law,
        detail: Detail,
    ) -> Result<ImpactPrediction, Failure> {
        let (contacts, most) = size_for(scenario, law);
        if contacts > most && contacts <= most.saturating_mul(PATIENCE) {
            output::notify(&format!("{}: {contacts} contacts act on each other; this may take minutes", law.id));
        }
        predict_within(scenario, law, detail, PATIENCE).map_err(|refusal| self.failure(law, &refusal))
    }

    fn single(&self, scenario: &Scenario, law: &'static Law) -> Result<Prediction, Failure> {
        predict(scenario, law).map_err(|refusal| self.failure(law, &refusal))
    }

    /// No law has an answer: the input is at fault if no law can take the parameters, else the physics has no answer.
    fn no_law<'a>(&self, mut refusals: impl Iterator<Item = &'a Refusal> + Clone) -> Failure {
        if refusals.clone().all(|refusal| matches!(refusal, Refusal::Parameters(_))) {
            let place = self.file.display();
            return Failure::Usage(format!("{place}: no law can take the parameters of this scenario"));
        }
        let too_large = refusals.any(|refusal| matches!(refusal, Refusal::TooLarge { .. }));
        let hint = if too_large { "; a law that is chosen with --law ID may have more contacts" } else { "" };
        Failure::NoAnswer(format!("no law applies to this scenario{hint}"))
    }

    fn failure(&self, law: &Law, refusal: &Refusal) -> Failure {
        let place = self.file.display();
        match refusal {
            Refusal::Parameters(_) => Failure::Usage(format!("{place}: law `{}`: {refusal}", law.id)),
            Refusal::Inapplicable(_) | Refusal::TooLarge { .. } => Failure::NoAnswer(format!("{}: {refusal}", law.id)),
        }
    }
}

/// What a law, or every law, answered.
type Answers = [(&'static Law, Result<Prediction, Refusal>)];

/// The files asked for; their names are checked before anything is computed.
struct Asked {
    plot: Option<PlotFile>,
    region: Option<PlotFile>,
    course: Option<PlotFile>,
    history: Option<TableFile>,
}

impl Asked {
    fn new(command: &Collide) -> Result<Asked, Failure> {
        let picture = |path: &Option<PathBuf>| path.as_deref().map(PlotFile::new).transpose();
        Ok(Asked {
            plot: picture(&command.plot)?,
            region: picture(&command.region)?,
            course: picture(&command.course)?,
            history: command.history.as_deref().map(TableFile::new).transpose()?,
        })
    }

    /// Their contents, for one law or all of them.
    fn fill(
        &self,
        scenario: &Scenario,
        chosen: Option<&'static Law>,
        answers: &Answers,
    ) -> Result<Vec<Written>, Failure> {
        let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
        let single = predictions.first().filter(|_| chosen.is_some());
        let sheet = |title: &str| {
            let prediction = single?;
            Some(Course::of(scenario, prediction)?.sheet(title.to_owned(), subtitle(prediction)).svg())
        };
        let mut files = Vec::new();
        if let Some(file) = &self.plot {
            let diagram = Diagram::of(scenario, answers).map(|diagram| diagram.svg()).unwrap_or_default();
            let picture = match sheet("Course of the collision") {
                Some(course) => stack(&diagram, &course),
                None => diagram,
            };
            files.push(file.draw(&picture)?);
        }
        if let Some(file) = &self.region {
            let laws: Vec<&'static Law> = chosen.map_or_else(laws_without_duration, |law| vec![law]);
            files.push(draw_regions(scenario, &laws, file)?);
        }
        if let Some(file) = &self.course {
            let course = sheet(&scenario.title).ok_or_else(|| no_course(&predictions))?;
            files.push(file.draw(&course)?);
        }
        if let Some(file) = &self.history {
            let table = report::history(scenario, &predictions, chosen.is_none());
            if table.rows() == 0 {
                return Err(no_course(&predictions));
            }
            files.push(file.fill(&table)?);
        }
        Ok(files)
    }
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}

/// The law and its parameters.
fn subtitle(prediction: &Prediction) -> String {
    format!("{}: {}", prediction.law.law().id, report::parameters(prediction))
}

/// Why there is no course to show of these predictions.
fn no_course(predictions: &[&Prediction]) -> Failure {
    Failure::NoAnswer(match predictions {
        [one] if one.history.is_some() => {
            format!("{}: the bodies do not collide, so there is no course", one.law.law().id)
        }
        [one] => format!("{}: the law jumps from before to after, so there is no course", one.law.law().id),
        _ => "no law follows the contact through this collision, so there is no course".to_owned(),
    })
}
