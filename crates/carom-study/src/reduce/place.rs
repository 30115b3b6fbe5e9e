//! Where something stands in a table of tracks.

use std::fmt;

/// A line of a file, or a row of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `line` or `row`.
    pub word: &'static str,
    /// Lines are counted from 1, rows from 0.
    pub number: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.word, self.number)
    }
}

/// Several places in words: `lines 3, 7, 8, …`.
pub(super) fn listed(places: &[Place], most: usize) -> String {
    let Some(first) = places.first() else { return String::new() };
    let plural = if places.len() == 1 { "" } else { "s" };
    let numbers: Vec<String> = places.iter().take(most).map(|place| place.number.to_string()).collect();
    let more = if places.len() > most { ", …" } else { "" };
    format!("{}{plural} {}{more}", first.word, numbers.join(", "))
}
