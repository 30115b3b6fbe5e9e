//! Figures and tables of a sweep, and the files that they go into.

use crate::failure::Failure;
use crate::output::{self, PlotFile, Written};
use carom_study::sweep::{Figures, Plan, Spec, Sweep, TableFormat, Undrawn};
use std::path::{Path, PathBuf};

/// What is shown of a sweep.
pub struct Views<'p> {
    plot: Option<(Shown<'p>, PlotFile)>,
    table: Option<(Shown<'p>, TableFormat, Option<PathBuf>)>,
}

/// Figures of the plan, or of the command line.
enum Shown<'p> {
    OfPlan(&'p Figures),
    Given(Box<Figures>),
}

impl Shown<'_> {
    fn figures(&self) -> &Figures {
        match self {
            Shown::OfPlan(figures) => figures,
            Shown::Given(figures) => figures,
        }
    }
}

impl<'p> Views<'p> {
    /// Reads what the options ask for, before anything is computed.
    pub fn new(plan: &'p Plan, plot: Option<&str>, table: Option<&str>, to: &[PathBuf]) -> Result<Views<'p>, Failure> {
        let mut files = to.iter();
        let mut shown = |option: &str, text: &str, spec: Spec| -> Result<(Shown<'p>, PathBuf), Failure> {
            if !text.contains('=') {
                return Ok((Shown::OfPlan(&plan.figures), PathBuf::from(text)));
            }
            let figures = Figures::parse(text, spec, plan)?;
            let file =
                files.next().ok_or_else(|| Failure::Usage(format!("--{option} has no file; expected --to FILE")))?;
            Ok((Shown::Given(Box::new(figures)), file.clone()))
        };
        let plot = plot.map(|text| shown("plot", text, Spec::Figure)).transpose()?;
        let table = table.map(|text| shown("table", text, Spec::Table)).transpose()?;
        if files.next().is_some() {
            return Err(Failure::Usage(
                "--to names a file that nothing goes into; expected it after --plot KEY=VALUE,… or --table KEY=VALUE,…"
                    .to_owned(),
            ));
        }
        let lacks = |what: &str, example: &str| {
            Failure::Usage(format!("{} has no {what}; expected one in the plan, or {example}", plan.name))
        };
        if plot.as_ref().is_some_and(|(shown, _)| !shown.figures().has_figure()) {
            return Err(lacks("`[[figure]]`", "--plot x=COLUMN,y=COLUMN --to FILE"));
        }
        if table.as_ref().is_some_and(|(shown, _)| !shown.figures().has_table()) {
            return Err(lacks("`[table]`", "--table columns=COLUMN,COLUMN --to FILE"));
        }
        let plot = match plot {
            None => None,
            Some((shown, file)) => {
                output::has_place(&file)?;
                Some((shown, PlotFile::new(&file)?))
            }
        };
        let table = match table {
            None => None,
            Some((shown, file)) => {
                let format = format_of(&file)?;
                let file = (file != Path::new("-")).then_some(file);
                file.as_deref().map_or(Ok(()), output::has_place)?;
                Some((shown, format, file))
            }
        };
        Ok(Views { plot, table })
    }

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.plot.is_none() && self.table.is_none()
    }

    /// Refuses what the rows of a sweep will not show.
    pub fn check(&self, sweep: &Sweep<'_>) -> Result<(), Failure> {
        let plot = self.plot.iter().map(|(shown, _)| shown);
        let table = self.table.iter().map(|(shown, ..)| shown);
        for shown in plot.chain(table) {
            shown.figures().check(sweep)?;
        }
        Ok(())
    }

    /// Draws and writes everything from the shards of a folder.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let mut files: Vec<Written> = Vec::new();
        if let Some((shown, file)) = &self.plot {
            let sheet = shown.figures().sheet(folder).map_err(failure)?;
            files.push(file.draw(&sheet.svg())?);
        }
        if let Some((shown, format, file)) = &self.table {
            let text = shown.figures().table(folder, *format).map_err(failure)?;
            match file {
                Some(file) => files.push(Written::new(file, text.into_bytes())),
                None => output::show(&text)?,
            }
        }
        output::write_whole(&files)
    }
}

fn format_of(file: &Path) -> Result<TableFormat, Failure> {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("md") => Ok(TableFormat::Markdown),
        Some("tex") => Ok(TableFormat::Latex),
        None if file == Path::new("-") => Ok(TableFormat::Markdown),
        _ => Err(Failure::Usage(format!(
            "unknown format of the table `{}`; expected a name ending in .md or .tex, or -",
            file.display()
        ))),
    }
}

fn failure(error: Undrawn) -> Failure {
    match error {
        Undrawn::Plan(error) => error.into(),
        Undrawn::Folder(error) => Failure::NoAnswer(error.to_string()),
    }
}
