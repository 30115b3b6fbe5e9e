//! `carom region`: the impulses that each law can reach.

use crate::failure::Failure;
use crate::input::{law, only_collision, read_scenario};
use crate::output::{self, PlotFile, Written};
use carom::laws::Law;
use carom_study::plot::Regions;
use carom_study::prediction::Refusal;
use carom_study::reach::{Progress, Reach, laws_without_duration, reach_watched};
use carom_study::report;
use carom_study::scenario::Scenario;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Show the impulses that each law can reach as its parameters vary over their ranges
///
/// Friction is held at the scenario's value. Draws one panel per law and prints the share of the accessible region that the
/// law reaches, of its area in the plane and of its volume in space; writes every sampled impulse as data.
#[derive(Args)]
#[command(after_help = "Examples:
  carom region scenarios/chatterjee-generic.toml --plot regions.svg
  carom region scenarios/superball.toml --law chatterjee-1 --data law1.csv")]
pub struct Region {
    /// The scenario, a TOML file; `-` for standard input
    file: PathBuf,
    /// Only this law, or `all` that take no time; may be given several times
    #[arg(long, value_name = "ID|all")]
    law: Vec<String>,
    /// Put another value at a place of the scenario, for instance contact.friction=0.4 or law.id=smith; may be given several times
    #[arg(long, value_name = "PLACE=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// Draw the regions into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write every sampled impulse into this file (.csv)
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Region {
    pub fn run(&self) -> Result<(), Failure> {
        let plot = self.plot.as_deref().map(PlotFile::new).transpose()?;
        if let Some(data) = self.data.as_deref().filter(|path| !is_csv(path)) {
            return Err(Failure::Usage(format!("data go into a .csv file, not `{}`", data.display())));
        }
        let chosen: Vec<&'static Law> = if self.law.is_empty() || self.law.iter().any(|id| id == "all") {
            laws_without_duration()
        } else {
            self.law.iter().map(|id| law(id)).collect::<Result<_, _>>()?
        };
        let scenario = read_scenario(&self.file, &self.set)?;
        only_collision(&scenario, &self.file)?;
        let reaches = reaches(&scenario, &chosen)?;
        let mut files = Vec::new();
        if let Some(plot) = plot {
            files.extend(drawing(&scenario, &reaches, &plot)?);
        }
        if let Some(data) = &self.data {
            let found: Vec<Reach> = reaches.iter().filter_map(|(_, reach)| reach.as_ref().ok()).cloned().collect();
            files.push(Written::new(data, report::reach_csv(&found).into_bytes()));
        }
        output::write_whole(&files)?;
        output::show(&report::reach_summary(&scenario, &reaches))
    }
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

/// The panels of some laws.
pub fn draw_regions(scenario: &Scenario, laws: &[&'static Law], file: &PlotFile) -> Result<Option<Written>, Failure> {
    drawing(scenario, &reaches(scenario, laws)?, file)
}

type Answer = (&'static Law, Result<Reach, Refusal>);

/// Nothing for several contacts.
fn drawing(scenario: &Scenario, reaches: &[Answer], file: &PlotFile) -> Result<Option<Written>, Failure> {
    let found: Vec<Reach> = reaches.iter().filter_map(|(_, reach)| reach.as_ref().ok()).cloned().collect();
    Regions::of(scenario, &found).map(|regions| file.draw(&regions.svg())).transpose()
}

/// Seconds after which a slow search reports; then three times as many after each report.
const FIRST_REPORT: f64 = 3.0;

fn reach_in_sight(scenario: &Scenario, law: &'static Law) -> Result<Reach, Refusal> {
    let (begin, mut next) = (Instant::now(), FIRST_REPORT);
    reach_watched(scenario, law, &mut |Progress { done, most }| {
        let seconds = begin.elapsed().as_secs_f64();
        if seconds >= next {
            next *= 3.0;
            output::notify(&format!(
                "slow: {}: {done} impulses of at most about {most} after {seconds:.0} s\n",
                law.id
            ));
        }
    })
}

fn reaches(scenario: &Scenario, laws: &[&'static Law]) -> Result<Vec<Answer>, Failure> {
    let reaches: Vec<Answer> = laws.iter().map(|&law| (law, reach_in_sight(scenario, law))).collect();
    if reaches.iter().all(|(_, reach)| reach.is_err()) {
        let reasons: Vec<String> = reaches
            .iter()
            .filter_map(|(law, reach)| Some(format!("\n  {:20} {}", law.id, reach.as_ref().err()?)))
            .collect();
        let message = format!("no law reaches anything{}", reasons.concat());
        let is_input = reaches.iter().all(|(_, reach)| matches!(reach, Err(Refusal::Parameters(_))));
        return Err(if is_input { Failure::Usage(message) } else { Failure::NoAnswer(message) });
    }
    Ok(reaches)
}
