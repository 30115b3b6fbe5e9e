//! The format of a scenario file, declared once: the reader's checks, the reference page and the JSON Schema follow it.

mod bounds;
mod json;
mod reference;
mod shape;
mod simulation;
mod tables;
mod vibration;

pub(crate) use bounds::Bounds;
pub use json::json_schema;
pub use reference::reference_markdown;
pub(crate) use shape::SHAPE;
pub(super) use simulation::ENGINES;
pub use tables::MATERIAL_KEYS;
pub(super) use tables::{JOINT_KINDS, RIGID, TOP};
pub(crate) use tables::{NOT_NEGATIVE, POSITIVE, VECTOR, field, form, numbers};

use carom::Dimension;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A table of the file.
#[derive(Debug)]
pub(crate) struct Table {
    /// As it stands in the file: `[[body]]`, `[law]`, `shape`; empty for the file itself.
    pub header: &'static str,
    /// One sentence on what it describes.
    pub doc: &'static str,
    /// Its keys, in the order of the reference.
    pub fields: Vec<Field>,
    /// Whether exactly one of the keys must be given.
    pub exactly_one: bool,
}

/// Whether a table of the file, by its header, has this key.
pub(crate) fn takes(header: &str, key: &str) -> bool {
    TOP.with_descendants().into_iter().any(|table| table.header == header && table.field(key).is_some())
}

/// One key of a table.
#[derive(Debug)]
pub(crate) struct Field {
    pub key: &'static str,
    pub kind: Kind,
    /// Unit, empty for none.
    pub unit: &'static str,
    pub need: Need,
    /// One sentence on what it is.
    pub doc: Cow<'static, str>,
}

/// What holds when a key is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Need {
    /// It must be given.
    Required,
    /// It may be left out; the words say what that means.
    Optional(&'static str),
}

/// What a key's value looks like.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A string.
    Text,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(Vec<&'static str>),
    /// Two of these words.
    Words(Vec<&'static str>),
    /// Two strings.
    Pair,
    /// Numbers in one of these forms.
    Numbers(Cow<'static, [Form]>),
    /// A table.
    Table(&'static LazyLock<Table>),
    /// An array of tables.
    Tables(&'static LazyLock<Table>),
}

/// One way to write numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Form {
    pub layout: Layout,
    pub bounds: Bounds,
    /// The kind of scene this form belongs to, if not both.
    pub dimension: Option<Dimension>,
}

/// How numbers are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A single number.
    Number,
    /// A list of this many numbers.
    List(usize),
    /// A list of any number of numbers.
    Row,
    /// A square matrix of this size.
    Matrix(usize),
    /// A square matrix of any size.
    Square,
    /// Any number of rows of this many numbers.
    Rows(usize),
    /// Numbers of rows and columns. A file may contain it; no key expects it.
    Rectangle(usize, usize),
}

impl Layout {
    /// Whether a value arranged like `given` has this form.
    pub fn takes(self, given: Layout) -> bool {
        match (self, given) {
            (Layout::Row, Layout::List(length)) => length > 0,
            (Layout::Square, Layout::Matrix(size)) => size > 1,
            (Layout::Rows(columns), Layout::Matrix(given) | Layout::Rectangle(_, given)) => columns == given,
            _ => self == given,
        }
    }
}

impl Table {
    /// How messages call it.
    pub fn title(&self) -> String {
        if self.header.is_empty() { "the file".to_owned() } else { format!("`{}`", self.header) }
    }

    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.key)
    }

    /// This table and all tables below it, in the order of the reference.
    pub fn with_descendants(&'static self) -> Vec<&'static Table> {
        let below = self.fields.iter().filter_map(|field| match field.kind {
            Kind::Table(table) | Kind::Tables(table) => Some(table.with_descendants()),
            _ => None,
        });
        std::iter::once(self).chain(below.flatten()).collect()
    }
}

impl Kind {
    /// What is expected, in words.
    pub fn words(&self) -> String {
        match self {
            Kind::Text => "a string".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(words) => format!("one of {}", quoted(words)),
            Kind::Words(words) => format!("a list of two of {}", quoted(words)),
            Kind::Pair => "two names, for instance [\"rod\", \"ground\"]".to_owned(),
            Kind::Numbers(forms) => forms.iter().map(Form::words).collect::<Vec<_>>().join(" or "),
            Kind::Table(table) if table.exactly_one => format!("a table with one of the keys of `{}`", table.header),
            Kind::Table(table) => format!("the table `{}`", table.header),
            Kind::Tables(table) => format!("one or more tables `{}`", table.header),
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

impl Form {
    fn words(&self) -> String {
        let bounds = self.bounds.words();
        let numbers = match self.layout {
            Layout::Number => format!("a number{bounds}"),
            Layout::List(length) => format!("{length} numbers{bounds}"),
            Layout::Row => format!("a list of numbers{bounds}"),
            Layout::Matrix(size) => format!("{size} rows of {size} numbers{bounds}"),
            Layout::Square => format!("rows of as many numbers{bounds}"),
            Layout::Rows(columns) => format!("rows of {columns} numbers{bounds}"),
            Layout::Rectangle(rows, columns) => format!("{rows} rows of {columns} numbers{bounds}"),
        };
        match self.dimension {
            Some(dimension) => format!("{numbers} ({dimension})"),
            None => numbers,
        }
    }
}
