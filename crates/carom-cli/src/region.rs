//! `carom region`: what each law can reach in impulse space.

use crate::collide::law;
use crate::failure::Failure;
use crate::output::{self, PlotFile};
use carom::laws::{self, Law};
use carom_study::reach::{Reach, reach, regions};
use carom_study::report;
use carom_study::scenario::Scenario;
use clap::Args;
use std::path::{Path, PathBuf};

/// Show what each law can reach in impulse space as its parameters run over their ranges
///
/// Friction is held at the scenario's value. Draws one panel per law and tells what share of the accessible region the
/// law covers (planar collisions); writes every sampled impulse as data.
#[derive(Args)]
#[command(after_help = "Examples:
  carom region scenarios/chatterjee-generic.toml --plot regions.svg
  carom region scenarios/chatterjee-generic.toml --law chatterjee-1 --data law1.csv")]
pub struct Region {
    /// The scenario, a TOML file
    file: PathBuf,
    /// Only this law; may be given several times
    #[arg(long, value_name = "ID")]
    law: Vec<String>,
    /// Draw the regions into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write every sampled impulse into this file (.csv)
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Region {
    pub fn run(&self) -> Result<(), Failure> {
        let outputs = [&self.plot, &self.data]
            .into_iter()
            .flatten()
            .map(|path| RegionOutput::new(path))
            .collect::<Result<Vec<_>, _>>()?;
        let chosen: Vec<&'static Law> = if self.law.is_empty() {
            laws::ALL.iter().collect()
        } else {
            self.law.iter().map(|id| law(id)).collect::<Result<_, _>>()?
        };
        let scenario = Scenario::read(&self.file)?;
        let reaches = reaches(&scenario, &chosen)?;
        for output in &outputs {
            output.write(&scenario, &reaches)?;
        }
        output::show(&report::reach_summary(&scenario, &chosen, &reaches))
    }
}

/// A file that regions go to, as a picture or as data.
pub enum RegionOutput {
    /// Panels.
    Plot(PlotFile),
    /// Samples as CSV.
    Data(PathBuf),
}

impl RegionOutput {
    /// Tells by the name's ending.
    pub fn new(path: &Path) -> Result<RegionOutput, Failure> {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
            Ok(RegionOutput::Data(path.to_owned()))
        } else {
            PlotFile::new(path).map(RegionOutput::Plot)
        }
    }

    fn write(&self, scenario: &Scenario, reaches: &[Reach]) -> Result<(), Failure> {
        match self {
            RegionOutput::Plot(file) => file.write(&regions(scenario, reaches).svg()),
            RegionOutput::Data(path) => output::write_whole(path, report::reach_csv(reaches).as_bytes()),
        }
    }
}

/// Computes and writes the regions of some laws.
pub fn write_regions(scenario: &Scenario, laws: &[&'static Law], output: &RegionOutput) -> Result<(), Failure> {
    output.write(scenario, &reaches(scenario, laws)?)
}

fn reaches(scenario: &Scenario, laws: &[&'static Law]) -> Result<Vec<Reach>, Failure> {
    let mut reaches = Vec::new();
    for law in laws {
        reaches.extend(reach(scenario, law).map_err(|error| Failure::Usage(error.to_string()))?);
    }
    if reaches.is_empty() {
        return Err(Failure::NoAnswer("none of the laws has an answer for this collision".to_owned()));
    }
    Ok(reaches)
}
