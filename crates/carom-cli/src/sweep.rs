//! `carom sweep`: a scenario with other values from row to row.

use crate::failure::Failure;
use crate::output::{self, Line};
use crate::views::Views;
use carom_study::scenario::reason;
use carom_study::sweep::{self, Done, FolderError, Part, Plan, Progress, Status, Stopped, Tally};
use clap::{Args, Subcommand};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Compute a plan: a scenario whose values change from row to row, into Parquet files
///
/// A plan names a scenario, axes over its values, and outputs of the results. Its rows are written shard by shard; a shard is done when its
/// file is there, so that a run that was stopped goes on with --resume, and parts can be computed on other machines with --shard.
/// --plot and --table show the rows, with -o or without.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  carom sweep plans/energy-over-restitution.toml -o energy
  carom sweep plans/energy-over-restitution.toml -o energy --resume
  carom sweep plan.toml -o out --shard 3/8
  carom sweep plans/mode-regions.toml --plot modes.svg
  carom sweep plan.toml --plot x=contact.friction,y=energy.change,color=law.id --to e.svg
  carom sweep plan.toml -o out --resume --table columns=law.id,energy.change --to e.tex
  carom sweep status out
  carom sweep merge out -o all.parquet"
)]
pub struct Sweep {
    #[command(subcommand)]
    command: Option<Command>,
    /// The plan, a TOML file
    #[arg(required = true)]
    plan: Option<PathBuf>,
    /// Write the shards into this folder
    #[arg(short, long, value_name = "DIR", required_unless_present_any = ["plot", "table"])]
    output: Option<PathBuf>,
    /// Draw the figure of the plan into FILE (.svg or .png), or with KEY=VALUE,… one that the plan does not have: x, y, color, facet,
    /// kind, log, where.COLUMN and others, see the book; into the file of --to
    #[arg(long, value_name = "FILE|KEY=VALUE,…")]
    plot: Option<String>,
    /// Write the table of the plan into FILE (.md or .tex; - for stdout), or with columns=A,B,digits=4 one that the plan does not have
    #[arg(long, value_name = "FILE|KEY=VALUE,…")]
    table: Option<String>,
    /// The file of a figure or table that is given by KEY=VALUE,…; twice if both are
    #[arg(long, value_name = "FILE")]
    to: Vec<PathBuf>,
    /// Compute the shards that are missing or damaged; those that are whole stay as they are
    #[arg(long)]
    resume: bool,
    /// Compute one of N parts of the plan, from 1/N to N/N; all parts together are the same files
    #[arg(long, value_name = "I/N", value_parser = part)]
    shard: Option<Part>,
    /// Threads, instead of one for each core; results do not depend on them
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
}

#[derive(Subcommand)]
enum Command {
    /// Say which rows of a folder are done, and how they ended
    Status {
        /// The folder of a sweep
        folder: PathBuf,
    },
    /// Write all shards of a folder as one Parquet file
    Merge {
        /// The folder of a sweep
        folder: PathBuf,
        /// The file
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

fn part(text: &str) -> Result<Part, String> {
    let parsed = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match parsed {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
        _ => Err("expected I/N with I from 1 to N, for instance 3/8".to_owned()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    text.parse().ok().filter(|count| (1..=MOST).contains(count)).ok_or_else(|| format!("expected 1 to {MOST}"))
}

impl Sweep {
    pub fn run(&self) -> Result<(), Failure> {
        match (&self.command, &self.plan) {
            (Some(Command::Status { folder }), _) => status(folder),
            (Some(Command::Merge { folder, output }), _) => merge(folder, output),
            (None, Some(path)) => {
                let plan = Plan::read(path)?;
                let views = Views::new(&plan, self.plot.as_deref(), self.table.as_deref(), &self.to)?;
                if self.shard.is_some() && !views.is_empty() {
                    return Err(Failure::Usage("--plot and --table show all rows; expected no --shard".to_owned()));
                }
                if let Some(folder) = &self.output {
                    self.compute(&plan, path, folder, &views)?;
                    return views.write(folder);
                }
                let folder = tempfile::tempdir()?;
                self.compute(&plan, path, folder.path(), &views)?;
                views.write(folder.path())
            }
            (None, None) => Err(Failure::Usage("expected a plan, and a folder with -o".to_owned())),
        }
    }

    fn compute(&self, plan: &Plan, path: &Path, folder: &Path, views: &Views<'_>) -> Result<(), Failure> {
        let sweep = sweep::Sweep::new(plan)?;
        views.check(&sweep)?;
        let part = self.shard.unwrap_or(Part::WHOLE);
        let rows = sweep.rows_of(part);
        let count = rows.end - rows.start;
        let size = bytes(sweep.bytes(count));
        let shards = sweep.shards_of(part);
        let planned =
            format!("{} in {}, about {size}", plural(count, "row"), plural(shards.end - shards.start, "shard"));
        if sweep.is_too_large(part) {
            return Err(Failure::Usage(format!(
                "{}: the plan has {planned}; expected at most 1e11 rows in one run, or a part with --shard",
                path.display()
            )));
        }
        if self.output.is_none() && count > MOST_KEPT_NOWHERE {
            return Err(Failure::Usage(format!(
                "{}: the plan has {planned}; expected at most {MOST_KEPT_NOWHERE} rows without a folder, -o DIR",
                path.display()
            )));
        }
        self.check_folder(&sweep, folder, part)?;
        output::notify(&format!("{}: {planned}", plan.title));
        for note in plan.notes() {
            output::notify(&format!("note: {note}"));
        }
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::Output(format!("cannot make {}: {}", folder.display(), reason(&error))))?;
        let mut bar = Bar::new();
        let done = sweep.run(folder, part, self.threads.unwrap_or(0), &mut |progress| {
            bar.show(progress);
            true
        });
        bar.end();
        let done = done.map_err(|stopped| match stopped {
            Stopped::Folder(error) => refused(&error),
            Stopped::Write(path, error) => Failure::Output(format!(
                "cannot write {}: {}; whole shards stay, and --resume computes the rest",
                path.display(),
                reason(&error)
            )),
        })?;
        let summary = summary(&done, bar.start.elapsed(), plan);
        if self.output.is_some() && self.table.as_deref() != Some("-") {
            output::show(&summary)
        } else {
            output::notify(&summary);
            Ok(())
        }
    }

    /// Refuses a folder with other files, and one with shards unless the run is to go on.
    fn check_folder(&self, sweep: &sweep::Sweep<'_>, folder: &Path, part: Part) -> Result<(), Failure> {
        let shown = folder.display();
        if folder.exists() && !folder.is_dir() {
            return Err(Failure::Usage(format!("{shown} is a file; expected a folder, or a name that is free")));
        }
        if !folder.exists() {
            return Ok(());
        }
        let foreign = std::fs::read_dir(folder)?.flatten().map(|entry| entry.file_name()).find(|name| {
            let name = name.to_string_lossy();
            !(name.starts_with('.') || name.starts_with("shard-"))
        });
        if let Some(name) = foreign {
            return Err(Failure::Usage(format!(
                "{shown} holds other files ({}); expected an empty folder, or that of this plan",
                name.to_string_lossy()
            )));
        }
        let status = sweep.status(folder, true).map_err(|error| refused(&error))?;
        if self.resume {
            for (path, why) in &status.damaged {
                output::notify(&format!("{}: {why}; it is computed again", path.display()));
            }
            return Ok(());
        }
        let mine = sweep.rows_of(part);
        let there = status.ranges().filter(|rows| rows.start < mine.end && mine.start < rows.end).count();
        if there + status.damaged.len() > 0 {
            return Err(Failure::Usage(format!(
                "{shown} has {} of this plan already; compute the rest with --resume, or choose another folder",
                plural((there + status.damaged.len()) as u64, "shard")
            )));
        }
        Ok(())
    }
}

fn status(folder: &Path) -> Result<(), Failure> {
    let status = Status::of(folder, true).map_err(|error| refused(&error))?;
    if status.shards == 0 && status.damaged.is_empty() {
        return Err(Failure::Usage(format!("{} has no shards", folder.display())));
    }
    let mut text = format!(
        "{} of {} done, in {} of {}\n",
        status.done,
        plural(status.rows, "row"),
        plural(status.shards as u64, "shard"),
        bytes(status.bytes as f64)
    );
    for missing in status.missing.iter().take(LISTED) {
        let _ = writeln!(text, "missing: rows {} to {}", missing.start, missing.end - 1);
    }
    if status.missing.len() > LISTED {
        let _ = writeln!(text, "missing: {} more ranges", status.missing.len() - LISTED);
    }
    for (path, why) in &status.damaged {
        let _ = writeln!(text, "damaged: {}: {why}", path.display());
    }
    if status.unfinished > 0 {
        let _ = writeln!(
            text,
            "{} being written, or left by a run that was killed",
            plural(status.unfinished as u64, "file")
        );
    }
    text += &tally(&status.tally, None);
    output::show(&text)
}

/// Rows that are computed without a folder that keeps them, at most.
const MOST_KEPT_NOWHERE: u64 = 4_000_000;

/// Ranges of rows that a report lists.
const LISTED: usize = 10;

fn merge(folder: &Path, path: &Path) -> Result<(), Failure> {
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
        return Err(Failure::Usage(format!("cannot write {}; expected a name ending in .parquet", path.display())));
    }
    output::has_place(path)?;
    let inside = path.parent().map(|place| if place == Path::new("") { Path::new(".") } else { place });
    if inside.is_some_and(|place| {
        place.canonicalize().is_ok_and(|place| folder.canonicalize().is_ok_and(|own| own == place))
    }) {
        return Err(Failure::Usage(format!(
            "{} is in the folder of the sweep, which holds shards only; expected another folder",
            path.display()
        )));
    }
    let place = path.parent().filter(|place| *place != Path::new("")).unwrap_or(Path::new("."));
    let cannot =
        |error: &std::io::Error| Failure::Output(format!("cannot write {}: {}", path.display(), reason(error)));
    let file = output::temporary(place).map_err(|error| cannot(&error))?;
    let status = sweep::merge(folder, file.as_file(), path).map_err(|error| refused(&error))?;
    file.as_file().sync_all().map_err(|error| cannot(&error))?;
    file.persist(path).map_err(|error| cannot(&error.error))?;
    output::notify(&format!("wrote {} ({})", path.display(), plural(status.rows, "row")));
    Ok(())
}

fn refused(error: &FolderError) -> Failure {
    match error {
        FolderError::Incomplete(why) => Failure::NoAnswer(why.clone()),
        other => Failure::Usage(other.to_string()),
    }
}

fn summary(done: &Done, elapsed: Duration, plan: &Plan) -> String {
    let seconds = elapsed.as_secs_f64();
    let mut text = format!(
        "{} in {} of {}, {:.1} s, {} rows/s\n",
        plural(done.rows, "row"),
        plural(done.shards, "shard"),
        bytes(done.bytes as f64),
        seconds,
        rounded(done.rows as f64 / seconds.max(1e-9))
    );
    if done.kept > 0 {
        let _ = writeln!(text, "{} were there already", plural(done.kept, "shard"));
    }
    text + &tally(&done.tally, Some(plan))
}

/// How rows ended, with an example of those that have a reason, and its values if the plan is known.
fn tally(tally: &Tally, plan: Option<&Plan>) -> String {
    let mut text = String::new();
    for count in &tally.statuses {
        let _ = write!(text, "{}: {}", count.status, plural(count.rows, "row"));
        if let Some((row, reason)) = &count.reason {
            let values = plan.map_or_else(String::new, |plan| format!(" ({})", plan.row_text(*row)));
            let _ = write!(text, ", for instance row {row}{values}: {reason}");
        }
        text.push('\n');
    }
    carom_study::terminal::fit_lines(&text)
}

fn plural(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn bytes(size: f64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let (mut size, mut unit) = (size, 0);
    while size >= 999.5 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    format!("{} {}", rounded(size), UNITS[unit])
}

/// A number in about three digits.
fn rounded(value: f64) -> String {
    match value {
        v if v >= 1e5 => format!("{v:.2e}"),
        v if v >= 100.0 => format!("{v:.0}"),
        v => format!("{v:.3}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// A time in one unit.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 999.0 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0e} h", s / 3600.0),
    }
}

/// A bar of progress on a terminal.
struct Bar {
    line: Line,
    start: Instant,
    shown: Instant,
}

impl Bar {
    const PAUSE: Duration = Duration::from_millis(100);
    /// The whole line fits 40 columns.
    const WIDTH: usize = 8;

    fn new() -> Bar {
        let now = Instant::now();
        Bar { line: Line::new(), start: now, shown: now }
    }

    fn show(&mut self, progress: Progress) {
        let now = Instant::now();
        if now - self.shown < Bar::PAUSE || progress.of == 0 {
            return;
        }
        self.shown = now;
        let share = progress.rows as f64 / progress.of as f64;
        let filled = (share * Bar::WIDTH as f64) as usize;
        let rate = progress.rows as f64 / (now - self.start).as_secs_f64();
        let left = if rate > 0.0 { (progress.of - progress.rows) as f64 / rate } else { f64::INFINITY };
        let left = if left.is_finite() { format!("{} left", duration(left)) } else { String::new() };
        self.line.show(&format!(
            "{}{} {:3.0} % {} rows/s {left}",
            "█".repeat(filled),
            "░".repeat(Bar::WIDTH - filled),
            100.0 * share,
            rounded(rate)
        ));
    }

    fn end(&mut self) {
        self.line.wipe();
    }
}
