//! `carom collide`: what a law, or every law, says about a scenario.

use crate::failure::Failure;
use crate::input::{law, read_scenario};
use crate::output::{self, PlotFile, TableFile, Written};
use crate::region::draw_regions;
use carom::laws::Law;
use carom_study::ambiguity::Ambiguity;
use carom_study::plot::{NoCourse, ambiguity_sheet, course_sheet, overview};
use carom_study::prediction::{Answer, Detail, PATIENCE, Prediction, Refusal, predict_all, predict_within, size_for};
use carom_study::reach::laws_without_duration;
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
  carom collide scenarios/falling-rod.toml --set contact.friction=0.4 \\
      --set law.id=smith
  carom collide scenarios/cradle-three.toml --ambiguity --plot cradle.svg")]
pub struct Collide {
    /// The scenario, a TOML file; `-` for standard input
    file: PathBuf,
    /// A law's id, or `all` to compare every law; without it, the file's own law, else all
    #[arg(long, value_name = "ID|all")]
    law: Option<String>,
    /// Put another value at a place of the scenario, for instance contact.friction=0.4 or law.id=smith; may be given several times
    #[arg(long, value_name = "PLACE=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
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
        let files = Files::new(self)?;
        let scenario = read_scenario(&self.file, &self.set)?;
        let chosen = self.chosen(scenario.law)?;
        let alone = scenario.impact.contacts() == 1;
        if self.ambiguity && alone {
            return Err(usage("--ambiguity is about several contacts, but this is a collision of one"));
        }
        if self.region.is_some() && !alone {
            return Err(usage("--region draws one contact, but this is an impact of several"));
        }
        if self.course.is_some() && (chosen.is_none() || self.ambiguity) {
            return Err(usage("--course draws one law; choose it with --law ID"));
        }
        if self.ambiguity {
            return self.run_ambiguity(&scenario, &files);
        }
        let answers = self.answers(&scenario, chosen)?;
        if answers.iter().all(|(_, answer)| answer.is_err()) {
            output::show(&self.text(&scenario, None, &answers))?;
            return Err(self.no_law(&answers));
        }
        let text = self.text(&scenario, chosen, &answers);
        // Files first: a reader of stdout that stops early must not cost the plot.
        output::write_whole(&files.fill(&scenario, chosen, &answers)?)?;
        output::show(&text)
    }

    /// The one law asked for; `None` for all.
    fn chosen(&self, in_file: Option<&'static Law>) -> Result<Option<&'static Law>, Failure> {
        match self.law.as_deref() {
            Some("all") => Ok(None),
            Some(id) => law(id).map(Some),
            None => Ok(in_file),
        }
    }

    /// The answer of the chosen law, or those of all.
    fn answers(&self, scenario: &Scenario, chosen: Option<&'static Law>) -> Result<Vec<Answer>, Failure> {
        let drawn = self.plot.is_some() && chosen.is_some();
        let followed = scenario.impact.contacts() == 1 || drawn || self.course.is_some() || self.history.is_some();
        let detail = if followed { Detail::Course } else { Detail::Outcome };
        let Some(law) = chosen else {
            return Ok(predict_all(scenario, scenario.laws(), detail));
        };
        let (contacts, most) = size_for(scenario, law);
        if contacts > most && contacts <= most.saturating_mul(PATIENCE) {
            output::notify(&format!("{}: {contacts} contacts act on each other; this may take minutes", law.id));
        }
        match predict_within(scenario, law, detail, PATIENCE) {
            Ok(prediction) => Ok(vec![(law, Ok(prediction))]),
            Err(refusal) => Err(self.refused(law, &refusal)),
        }
    }

    fn text(&self, scenario: &Scenario, chosen: Option<&'static Law>, answers: &[Answer]) -> String {
        let one = answers.first().filter(|_| chosen.is_some()).and_then(|(_, answer)| answer.as_ref().ok());
        let text = match (self.format, one) {
            (Format::Table, Some(prediction)) => report::single(scenario, prediction),
            (Format::Table, None) => report::comparison(scenario, answers),
            (Format::Json, Some(prediction)) => pretty(&report::json(scenario, prediction)),
            (Format::Json, None) => pretty(&report::json_all(scenario, answers)),
            (Format::Csv, _) => report::csv(scenario, answers),
        };
        match self.format {
            Format::Table if self.details => {
                format!("{}\n\n{}", text.trim_end(), report::details(scenario, answers))
            }
            _ => text,
        }
    }

    /// What may happen, and how far apart the answers lie.
    fn run_ambiguity(&self, scenario: &Scenario, files: &Files) -> Result<(), Failure> {
        let contacts = scenario.impact.contacts();
        if contacts > MOST_EXPLORED {
            return Err(Failure::Usage(format!(
                "--ambiguity explores at most {MOST_EXPLORED} contacts, not {contacts}"
            )));
        }
        let found = Ambiguity::explore_with(scenario, &mut |done, total| {
            output::show_progress(done, total, "outcomes");
        });
        if found.variants.is_empty() {
            let answers = predict_all(scenario, scenario.laws(), Detail::Outcome);
            output::show(&report::comparison(scenario, &answers))?;
            return Err(self.no_law(&answers));
        }
        let text = match self.format {
            Format::Table => report::ambiguity(scenario, &found),
            Format::Json => pretty(&report::ambiguity_json(scenario, &found)),
            Format::Csv => return Err(usage("--ambiguity prints a table or JSON")),
        };
        if let Some(file) = &files.plot {
            output::write_whole(&[file.draw(&ambiguity_sheet(scenario, &found).svg())?])?;
        }
        output::show(&text)
    }

    /// No law has an answer: the input is at fault if no law can take the parameters, else the physics has no answer.
    fn no_law(&self, answers: &[Answer]) -> Failure {
        let mut refusals = answers.iter().filter_map(|(_, answer)| answer.as_ref().err());
        if refusals.clone().all(|refusal| matches!(refusal, Refusal::Parameters(_))) {
            let place = self.file.display();
            return Failure::Usage(format!("{place}: no law can take the parameters of this scenario"));
        }
        let too_large = refusals.any(|refusal| matches!(refusal, Refusal::TooLarge { .. }));
        let hint = if too_large { "; a law that is chosen with --law ID may have more contacts" } else { "" };
        Failure::NoAnswer(format!("no law applies to this scenario{hint}"))
    }

    fn refused(&self, law: &Law, refusal: &Refusal) -> Failure {
        let place = self.file.display();
        match refusal {
            Refusal::Parameters(_) => Failure::Usage(format!("{place}: law `{}`: {refusal}", law.id)),
            Refusal::Inapplicable(_) | Refusal::TooLarge { .. } => Failure::NoAnswer(format!("{}: {refusal}", law.id)),
        }
    }
}

/// The files asked for; their names are checked before anything is computed.
struct Files {
    plot: Option<PlotFile>,
    region: Option<PlotFile>,
    course: Option<PlotFile>,
    history: Option<TableFile>,
}

impl Files {
    fn new(command: &Collide) -> Result<Files, Failure> {
        let picture = |path: &Option<PathBuf>| path.as_deref().map(PlotFile::new).transpose();
        Ok(Files {
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
        answers: &[Answer],
    ) -> Result<Vec<Written>, Failure> {
        let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
        let one = predictions.first().copied().filter(|_| chosen.is_some());
        let no_course = |why: NoCourse| Failure::NoAnswer(why.to_string());
        let mut files = Vec::new();
        if let Some(file) = &self.plot {
            files.push(file.draw(&overview(scenario, answers, one))?);
        }
        if let Some(file) = &self.region {
            let laws: Vec<&'static Law> = chosen.map_or_else(laws_without_duration, |law| vec![law]);
            files.extend(draw_regions(scenario, &laws, file)?);
        }
        if let (Some(file), Some(prediction)) = (&self.course, one) {
            files.push(file.draw(&course_sheet(scenario, prediction).map_err(no_course)?.svg())?);
        }
        if let Some(file) = &self.history {
            let table = report::history(scenario, &predictions, chosen.is_none());
            if table.rows() == 0 {
                return Err(no_course(NoCourse::of(scenario, &predictions)));
            }
            files.push(file.fill(&table)?);
        }
        Ok(files)
    }
}

fn usage(message: &str) -> Failure {
    Failure::Usage(message.to_owned())
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}
