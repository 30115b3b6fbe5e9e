//! The values of rows, column by column.

use super::output::{Column, Kind};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Rows that are being computed.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) columns: Vec<Cell>,
    /// Why rows have no answer: for each status the rows that have it, and the first of them with its reason.
    pub(super) tally: Tally,
}

/// The values of a column.
#[derive(Debug)]
pub(super) enum Cell {
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    Words(Words),
}

/// Words, each kept once. A place of `u32::MAX` is no word.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) known: Vec<String>,
    places: HashMap<String, u32>,
    pub(super) of_row: Vec<u32>,
}

/// No word.
pub(super) const NO_WORD: u32 = u32::MAX;

impl Words {
    /// The place of a word.
    pub(super) fn place(&mut self, word: &str) -> u32 {
        if let Some(place) = self.places.get(word) {
            return *place;
        }
        let place = self.known.len() as u32;
        self.known.push(word.to_owned());
        self.places.insert(word.to_owned(), place);
        place
    }

    pub(super) fn push(&mut self, word: Option<&str>) {
        let place = word.map_or(NO_WORD, |word| self.place(word));
        self.of_row.push(place);
    }
}

impl Cells {
    pub(super) fn new(columns: &[Column], rows: usize) -> Cells {
        let cell = |column: &Column| match column.kind {
            Kind::Numbers => Cell::Numbers(Vec::with_capacity(rows)),
            Kind::Words => Cell::Words(Words { of_row: Vec::with_capacity(rows), ..Words::default() }),
        };
        Cells { columns: columns.iter().map(cell).collect(), tally: Tally::default() }
    }

    /// Empties all columns; their memory stays.
    pub(super) fn clear(&mut self) {
        for cell in &mut self.columns {
            match cell {
                Cell::Numbers(values) => values.clear(),
                Cell::Words(words) => {
                    words.known.clear();
                    words.places.clear();
                    words.of_row.clear();
                }
            }
        }
        self.tally = Tally::default();
    }

    pub(super) fn push_number(&mut self, column: usize, value: f64) {
        match &mut self.columns[column] {
            Cell::Numbers(values) => values.push(value),
            Cell::Words(words) => words.push(None),
        }
    }

    pub(super) fn push_word(&mut self, column: usize, word: Option<&str>) {
        match &mut self.columns[column] {
            Cell::Words(words) => words.push(word),
            Cell::Numbers(values) => values.push(f64::NAN),
        }
    }
}

/// How many rows ended how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// In the order of the first row.
    pub statuses: Vec<Count>,
}

/// The rows with one status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Count {
    /// The status.
    pub status: String,
    /// How many rows have it.
    pub rows: u64,
    /// The first of them that has a reason, and the reason.
    pub reason: Option<(u64, String)>,
}

impl Tally {
    pub(super) fn add(&mut self, status: &str, rows: u64, reason: Option<(u64, String)>) {
        let known = self.statuses.iter().position(|count| count.status == status);
        let place = known.unwrap_or(self.statuses.len());
        if known.is_none() {
            self.statuses.push(Count { status: status.to_owned(), rows: 0, reason: None });
        }
        let count = &mut self.statuses[place];
        count.rows += rows;
        let earlier = |known: &(u64, String), new: &(u64, String)| new.0 < known.0;
        if let Some(new) = reason
            && count.reason.as_ref().is_none_or(|known| earlier(known, &new))
        {
            count.reason = Some(new);
        }
    }

    /// Whether a reason is known for a status, of a row before this one.
    pub(super) fn has_reason(&self, status: &str, row: u64) -> bool {
        let known = self.statuses.iter().find(|count| count.status == status).and_then(|count| count.reason.as_ref());
        known.is_some_and(|(known, _)| *known < row)
    }

    /// Adds the counts of other rows.
    pub(super) fn merge(&mut self, other: &Tally) {
        for count in &other.statuses {
            self.add(&count.status, count.rows, count.reason.clone());
        }
    }
}
