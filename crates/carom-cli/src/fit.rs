//! `carom fit`: laws fitted to measured collisions.

use crate::failure::Failure;
use crate::input::law;
use crate::output::{self, Line, PlotFile, Written};
use carom_study::fit::{self, Errors, FitError, Measurements, Model, Settings};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::PathBuf;

/// Fit the parameters of a law to measured collisions, or compare laws
///
/// The file has a row for each collision: w_nn, w_nt, w_tt (1/kg), vn_before, vt_before, vn_after, vt_after (m/s), or pn, pt (kg m/s)
/// for the last two; in space w_nn, w_n1, w_n2, w_11, w_12, w_22, vn_…, v1_…, v2_…. With standard deviations (vn_before_sd, …; covariances
/// cov_X_Y) fits are weighted by the errors of both velocities. A column `group` names what belongs together.
#[derive(Args)]
#[command(after_help = "Examples:
  carom fit data/pucks-synthetic.csv --law chatterjee-2
  carom fit data/pucks-synthetic.csv --law routh-poisson --free restitution@group,friction
  carom fit data/pucks-synthetic.csv --law routh-poisson --free restitution~approach,friction
  carom fit data/pucks-synthetic.csv --law all
  carom fit collisions.csv --law smith --errors energy --bootstrap 1000 --format json")]
pub struct Fit {
    /// Measured collisions, a CSV file
    file: PathBuf,
    /// The law, or `all` to compare the laws that take no time; may be given several times to compare some
    #[arg(long, value_name = "ID|all", required = true)]
    law: Vec<String>,
    /// The parameters to fit: KEY, KEY@group for a value in every group, or KEY~COLUMN+… linear in columns of the file or in `approach`,
    /// `slip` (m/s) and `incidence` (rad); without it those that have no default. Of several laws each fits those that it has, besides
    /// those without a default
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    free: Vec<String>,
    /// Hold a parameter at a value; may be given several times
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    fix: Vec<String>,
    /// Look for a free parameter between these values only; may be given several times
    #[arg(long, value_name = "KEY=LOW..HIGH", allow_hyphen_values = true)]
    bounds: Vec<String>,
    /// The errors of velocities: those of the file, equal ones, or equal ones in energy; measured if the file has them, else equal
    #[arg(long, value_name = "measured|equal|energy", value_parser = errors)]
    errors: Option<Errors>,
    /// The column that names groups, instead of `group`
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// First points of descents, spread over the bounds
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    starts: u32,
    /// The probability of intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = share)]
    confidence: f64,
    /// Repeat the fit N times on collisions drawn with replacement
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    bootstrap: Option<u32>,
    /// Also find how near the law comes to each collision with parameters of its own, and how near energy, friction and penetration allow
    #[arg(long)]
    reach: bool,
    /// The seed of what is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads, instead of one for each core; results do not depend on them
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u16,
    /// The form of the result
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Draw impulses, residuals, their quantiles and influence, or the best laws, into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write a page with tables, pictures, the method and this command into this file (.html)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write measured and predicted velocities and residuals into this file (.csv)
    #[arg(long, value_name = "FILE")]
    residuals: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

fn errors(word: &str) -> Result<Errors, String> {
    Errors::of_word(word).ok_or_else(|| format!("expected {}", Errors::WORDS.join(", ")))
}

fn share(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|share| (0.5..=0.999_999).contains(share));
    value.ok_or_else(|| "expected a share from 0.5 to 0.999999".to_owned())
}

impl From<FitError> for Failure {
    fn from(error: FitError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl Fit {
    pub fn run(&self) -> Result<(), Failure> {
        let written = [self.residuals.as_deref(), self.plot.as_deref(), self.report.as_deref()];
        output::are_apart(&[&self.file], &written)?;
        output::ends_in(self.residuals.as_deref(), "csv")?;
        output::ends_in(self.report.as_deref(), "html")?;
        let plot = self.plot.as_deref().map(PlotFile::new).transpose()?;
        let data = Measurements::read(&self.file, self.group.as_deref())?;
        let measured = if data.covariance.is_some() { Errors::Measured } else { Errors::Equal };
        let settings = Settings {
            errors: self.errors.unwrap_or(measured),
            starts: self.starts as usize,
            confidence: self.confidence,
            profiles: true,
        };
        if self.law.len() > 1 || self.law[0] == "all" {
            self.compare(&data, &settings, plot.as_ref())
        } else {
            self.fit(&data, &settings, plot.as_ref())
        }
    }

    fn fit(&self, data: &Measurements, settings: &Settings, plot: Option<&PlotFile>) -> Result<(), Failure> {
        let law = law(&self.law[0])?;
        let free: Vec<&str> =
            if self.free.is_empty() { Model::usual(law) } else { self.free.iter().map(String::as_str).collect() };
        let fixed = self.fix.iter().map(|text| assignment(text)).collect::<Result<Vec<_>, _>>()?;
        let free: Vec<&str> = free.into_iter().filter(|key| !self.free.is_empty() || !is_among(&fixed, key)).collect();
        let bounds = self.bounds.iter().map(|text| range(text)).collect::<Result<Vec<_>, _>>()?;
        let model = Model::new(law, &free, &fixed, &bounds)?;
        let found = fit::fit(data, &model, settings)?;
        let mut line = Line::new();
        let bootstrap = match self.bootstrap {
            None => None,
            Some(count) => Some(fit::bootstrap(
                data,
                &found,
                settings,
                count as usize,
                self.seed,
                self.threads.into(),
                &mut |done| {
                    line.show(&format!("bootstrap {done}/{count}"));
                    true
                },
            )?),
        };
        let mut shown = |row: usize| {
            if row.is_multiple_of(100) {
                line.show(&format!("reach {row}/{}", data.rows()));
            }
            true
        };
        let reach = self.reach.then(|| fit::reach(data, &found, &mut shown)).transpose()?;
        line.wipe();
        let impossible = fit::impossible(data);
        let (command, file) = (command_line(), self.file.display().to_string());
        let mut files = Vec::new();
        if let Some(path) = &self.residuals {
            files.push(Written::new(path, found.residuals_csv(data, reach.as_ref()).into_bytes()));
        }
        if let Some(plot) = plot {
            files.push(plot.draw(&found.sheet(data).svg())?);
        }
        if let Some(path) = &self.report {
            let page = self.page(&command, &file, &impossible).of_fit(data, &found, bootstrap.as_ref(), reach.as_ref());
            files.push(Written::new(path, page.into_bytes()));
        }
        output::write_whole(&files)?;
        match self.format {
            Format::Table => {
                let summary = found.summary(data, bootstrap.as_ref(), self.confidence);
                let parts = [Some(summary), reach.map(|reach| reach.summary(data)), Some(data.remarks(&impossible))];
                let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
                output::show(&parts.join("\n"))
            }
            Format::Json => {
                let mut result = found.json(data, bootstrap.as_ref(), self.confidence);
                let list = impossible.iter().map(|fault| {
                    json!({
                        "line": fault.line, "fault": fault.fault.words(), "amount": fault.amount,
                        "standard_deviations": fault.deviations,
                    })
                });
                result["impossible"] = list.collect();
                result["reach"] = reach.map_or(serde_json::Value::Null, |reach| reach.json(data));
                output::show(&format!("{result:#}"))
            }
        }
    }

    fn page<'a>(&self, command: &'a str, file: &'a str, impossible: &'a [fit::Impossible]) -> fit::Page<'a> {
        fit::Page { command, file, confidence: self.confidence, impossible }
    }

    fn compare(&self, data: &Measurements, settings: &Settings, plot: Option<&PlotFile>) -> Result<(), Failure> {
        let given = [
            (self.fix.is_empty(), "--fix"),
            (self.bounds.is_empty(), "--bounds"),
            (self.bootstrap.is_none(), "--bootstrap"),
            (self.residuals.is_none(), "--residuals"),
            (!self.reach, "--reach"),
        ];
        if let Some((_, option)) = given.iter().find(|(absent, _)| !absent) {
            return Err(Failure::Usage(format!("{option} belongs to one law; expected a single --law")));
        }
        let chosen = if self.law.iter().any(|id| id == "all") {
            fit::algebraic()
        } else {
            self.law.iter().map(|id| law(id)).collect::<Result<_, _>>()?
        };
        let more: Vec<&str> = self.free.iter().map(String::as_str).collect();
        for key in &more {
            if !chosen.iter().any(|law| Model::takes(law, key)) {
                return Err(Failure::Usage(format!("--free {key}: none of these laws has that parameter")));
            }
        }
        let mut line = Line::new();
        let comparison = fit::compare(data, &chosen, &more, settings, &mut |done| {
            line.show(&format!("{done} of {} laws", chosen.len()));
            true
        })?;
        line.wipe();
        let impossible = fit::impossible(data);
        let mut files = Vec::new();
        if let Some(plot) = plot {
            files.push(plot.draw(&comparison.sheet(data).svg())?);
        }
        if let Some(path) = &self.report {
            let (command, file) = (command_line(), self.file.display().to_string());
            let page = self.page(&command, &file, &impossible).of_comparison(data, &comparison, settings.errors);
            files.push(Written::new(path, page.into_bytes()));
        }
        output::write_whole(&files)?;
        match self.format {
            Format::Table => {
                let remarks = data.remarks(&impossible);
                let gap = if remarks.is_empty() { "" } else { "\n" };
                output::show(&format!("{}{gap}{remarks}", comparison.summary()))
            }
            Format::Json => output::show(&format!("{:#}", comparison.json())),
        }
    }
}

/// The command with its arguments, as one types it.
fn command_line() -> String {
    let quoted = |argument: std::ffi::OsString| {
        let text = argument.to_string_lossy().into_owned();
        let plain = |letter: char| letter.is_alphanumeric() || "-_./=,~@+:".contains(letter);
        if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
    };
    let arguments = std::env::args_os().skip(1).map(quoted);
    std::iter::once("carom".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn is_among(fixed: &[(String, f64)], key: &str) -> bool {
    fixed.iter().any(|(other, _)| other == key)
}

fn assignment(text: &str) -> Result<(String, f64), Failure> {
    let parsed =
        text.split_once('=').and_then(|(key, value)| Some((key.trim().to_owned(), value.trim().parse().ok()?)));
    parsed.ok_or_else(|| Failure::Usage(format!("--fix {text}: expected KEY=VALUE, for instance friction=0.2")))
}

fn range(text: &str) -> Result<(String, [f64; 2]), Failure> {
    let parsed = text.split_once('=').and_then(|(key, range)| {
        let (low, high) = range.split_once("..")?;
        Some((key.trim().to_owned(), [low.trim().parse().ok()?, high.trim().parse().ok()?]))
    });
    parsed
        .ok_or_else(|| Failure::Usage(format!("--bounds {text}: expected KEY=LOW..HIGH, for instance friction=0..0.5")))
}
