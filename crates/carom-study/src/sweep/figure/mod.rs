//! Figures and tables of a sweep: described in its plan or on the command line, drawn from the rows of its shards.

mod data;
mod draw;
mod grid;
mod listing;
mod quantity;
mod read;
mod rows;

use super::folder::FolderError;
use crate::scenario::{Fault, ScenarioError};
use quantity::Quantity;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

pub use listing::TableFormat;
pub use read::Spec;

/// The figures of a plan, which are the charts of one sheet, and its table.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// What errors call the text that they are described in.
    name: String,
    text: String,
    /// Where data files are looked for.
    folder: Option<PathBuf>,
    title: String,
    subtitle: String,
    charts: Vec<Figure>,
    table: Option<Listing>,
}

/// One figure; with facets, several charts.
#[derive(Clone, Debug)]
struct Figure {
    title: String,
    kind: FigureKind,
    x: Quantity,
    y: Vec<Quantity>,
    color: Option<Quantity>,
    facet: Option<Quantity>,
    log: [bool; 2],
    ranges: [Option<[f64; 2]>; 2],
    /// Whether charts of a facet have the same axes.
    share: bool,
    /// Whether a unit is equally long on both axes.
    equal: bool,
    /// The shares of samples between which a band lies.
    quantiles: [f64; 2],
    /// Names of words and numbers in the picture.
    names: Vec<(String, String)>,
    filters: Vec<Filter>,
    data: Vec<Data>,
    span: Range<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FigureKind {
    /// Lines by colour, from the least x to the greatest.
    #[default]
    Curves,
    /// Lines by colour, in the order of the rows.
    Paths,
    Points,
    /// The range of y at each x.
    Bands,
    /// Regions of words, or levels of a number, over x and y.
    Map,
}

impl FigureKind {
    const WORDS: [&str; 5] = ["curves", "paths", "points", "bands", "map"];
    const ALL: [FigureKind; 5] =
        [FigureKind::Curves, FigureKind::Paths, FigureKind::Points, FigureKind::Bands, FigureKind::Map];
}

/// Rows that a figure shows: those in which a column has one of some values.
#[derive(Clone, Debug)]
struct Filter {
    column: String,
    wanted: Vec<Wanted>,
    span: Range<usize>,
}

#[derive(Clone, Debug)]
enum Wanted {
    Number(f64),
    Word(String),
}

/// Points from elsewhere, beside those of the sweep.
#[derive(Clone, Debug)]
struct Data {
    source: Source,
    label: String,
    /// Drawn as a line.
    line: bool,
    /// The chart that shows them, by its value of the facet; all of them otherwise.
    facet: Option<Wanted>,
    span: Range<usize>,
}

#[derive(Clone, Debug)]
enum Source {
    Points(Vec<[f64; 2]>),
    File { file: String, x: String, y: String, filters: Vec<Filter> },
}

/// A table.
#[derive(Clone, Debug)]
struct Listing {
    columns: Vec<Quantity>,
    /// Digits of numbers that count.
    digits: i32,
    /// Decimals at most; smaller numbers are zero.
    decimals: Option<i32>,
    names: Vec<(String, String)>,
    filters: Vec<Filter>,
    span: Range<usize>,
}

/// Why there is no picture or table.
#[derive(Debug)]
pub enum Undrawn {
    /// What the plan or the command asks for is not possible.
    Plan(ScenarioError),
    /// The rows cannot be read.
    Folder(FolderError),
}

impl fmt::Display for Undrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undrawn::Plan(error) => error.fmt(f),
            Undrawn::Folder(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Undrawn {}

impl From<FolderError> for Undrawn {
    fn from(error: FolderError) -> Undrawn {
        Undrawn::Folder(error)
    }
}

impl Figures {
    /// Whether there is something to draw.
    pub fn has_figure(&self) -> bool {
        !self.charts.is_empty()
    }

    /// Whether there is a table.
    pub fn has_table(&self) -> bool {
        self.table.is_some()
    }

    fn refuse(&self, fault: Fault) -> Undrawn {
        Undrawn::Plan(ScenarioError::new(&self.name, &self.text, fault))
    }
}

/// The name of a word or number in a picture.
fn name_of<'a>(names: &'a [(String, String)], word: &'a str) -> &'a str {
    names.iter().find(|(known, _)| known == word).map_or(word, |(_, name)| name)
}
