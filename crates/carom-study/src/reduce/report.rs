//! Reduced collisions as a table for `carom fit`, and as text.

use super::place::{Place, listed};
use super::{Collided, LeftOut, Reduction, Settings, Uncertain};
use crate::ColumnValues;
use crate::terminal::fit_lines;
use crate::terminal::table::{align_numbers, fitted, ruled, tighten};
use std::fmt::Write;

/// Trials left out and notes that are listed one by one on a terminal.
const LISTED: usize = 20;
/// What the summary shows of each collision: column and heading.
const SHOWN: [(&str, &str, bool); 4] = [
    ("restitution", "e", false),
    ("incidence", "incidence °", true),
    ("rebound", "rebound °", true),
    ("impulse_ratio", "P_t/P_n", false),
];

impl Reduction {
    /// What the header of the table says of its origin.
    pub fn source(frames: &str, setup: &str, settings: &Settings) -> String {
        let Settings { draws, seed } = settings;
        let version = env!("CARGO_PKG_VERSION");
        format!("Reduced by carom {version} from {frames} with {setup}, {draws} draws, seed {seed}. SI units, rad.")
    }

    /// The table: a row for each collision. `source` names the files in its header.
    pub fn csv(&self, source: &str) -> String {
        let mut text = String::new();
        for line in source.lines() {
            let _ = writeln!(text, "# {line}");
        }
        for LeftOut { trial, place, reason } in &self.left_out {
            let _ = writeln!(text, "# Left out: trial {trial}, {place}: {reason}");
        }
        let columns = self.columns();
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        let _ = writeln!(text, "{}", names.join(","));
        for row in 0..self.collisions.len() {
            let fields = columns.iter().map(|(_, values)| match values {
                ColumnValues::Numbers(values) => shown(values[row]),
                ColumnValues::Words(values) => field(&values[row]),
            });
            let _ = writeln!(text, "{}", fields.collect::<Vec<_>>().join(","));
        }
        text
    }

    /// The columns of the table, with names. A number is NaN where there is none.
    pub fn columns(&self) -> Vec<(String, ColumnValues)> {
        let all = &self.collisions;
        let words = |name: &str, of: &dyn Fn(&Collided) -> String| {
            (name.to_owned(), ColumnValues::Words(all.iter().map(of).collect()))
        };
        let numbers =
            |name: String, of: &dyn Fn(&Collided) -> f64| (name, ColumnValues::Numbers(all.iter().map(of).collect()));
        let mut columns = vec![
            words("trial", &|collided| collided.trial.clone()),
            words("group", &|collided| collided.group.clone()),
        ];
        let drawn = all.iter().any(|c| c.quantities.iter().any(|quantity| quantity.drawn.is_some()));
        // A trial may lack what another has: collisions with a wall beside those of two bodies.
        let mut names: Vec<&str> = Vec::new();
        for uncertain in all.iter().flat_map(|collided| &collided.quantities) {
            if !names.contains(&uncertain.quantity.name) {
                names.push(uncertain.quantity.name);
            }
        }
        for name in names {
            let of = |collided: &Collided, part: &dyn Fn(&Uncertain) -> f64| {
                collided.quantities.iter().find(|uncertain| uncertain.quantity.name == name).map_or(f64::NAN, part)
            };
            columns.push(numbers(name.to_owned(), &|collided| of(collided, &|found| found.quantity.value)));
            columns.push(numbers(format!("{name}_sd"), &|collided| of(collided, &|found| found.deviation)));
            columns.push(numbers(format!("{name}_bound"), &|collided| of(collided, &|found| found.bound)));
            if drawn {
                let part = |found: &Uncertain| found.drawn.unwrap_or(f64::NAN);
                columns.push(numbers(format!("{name}_mc"), &|collided| of(collided, &part)));
            }
        }
        let velocities: Vec<&str> = all.first().map_or_else(Vec::new, |first| first.velocities().collect());
        for (i, j) in pairs(velocities.len()) {
            let name = format!("cov_{}_{}", velocities[i], velocities[j]);
            columns.push(numbers(name, &|collided| collided.covariance[(i, j)]));
        }
        columns.push(numbers("frames_before".to_owned(), &|collided| collided.frames[0] as f64));
        columns.push(numbers("frames_after".to_owned(), &|collided| collided.frames[1] as f64));
        columns.push(numbers("spin_limit".to_owned(), &|collided| collided.spin_limit));
        columns.push(words("rejected_lines", &|collided| {
            let numbers: Vec<String> = collided.rejected.iter().map(|place| place.number.to_string()).collect();
            numbers.join(" ")
        }));
        columns.push(words("notes", &|collided| collided.notes.join("; ")));
        columns
    }

    /// The collisions for a terminal of 80 columns.
    pub fn summary(&self) -> String {
        let mut table = ruled();
        let mut header = vec!["trial".to_owned(), "group".to_owned()];
        header.extend(SHOWN.iter().map(|(_, heading, _)| (*heading).to_owned()));
        table.set_header(header);
        for collided in &self.collisions {
            let mut row = vec![collided.trial.clone(), collided.group.clone()];
            for (name, _, in_degrees) in SHOWN {
                let scale = if in_degrees { 1.0_f64.to_degrees() } else { 1.0 };
                let found = collided.quantities.iter().find(|uncertain| uncertain.quantity.name == name);
                row.push(found.map_or_else(String::new, |uncertain| {
                    with_error(uncertain.quantity.value * scale, uncertain.deviation * scale)
                }));
            }
            table.add_row(row);
        }
        tighten(&mut table);
        align_numbers(&mut table, 2..=5);
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let title = self.title.as_ref().map_or_else(String::new, |title| format!("{title}\n\n"));
        let mut text = format!("{title}{}\n", fitted(&table, &[]));
        let trials = self.collisions.len() + self.left_out.len();
        let _ = writeln!(text, "{} of {}", count(self.collisions.len(), "collision"), count(trials, "trial"));
        let words = |given: bool| if given { "given" } else { "measured" };
        let _ = writeln!(
            text,
            "deviation of a coordinate: {:.3e} m ({})",
            self.deviations.coordinate,
            words(self.deviations_given[0])
        );
        if let Some(size) = self.residuals.filter(|size| !(0.5..=2.0).contains(size)) {
            let _ = writeln!(text, "residuals are {size:.2} times as large as the given deviation says");
        }
        let places: Vec<Place> = self.collisions.iter().flat_map(|collided| &collided.rejected).copied().collect();
        if !places.is_empty() {
            let _ = writeln!(text, "rejected as outliers: {}", listed(&places, LISTED));
        }
        let limit = self.collisions.iter().map(|collided| collided.spin_limit).fold(f64::INFINITY, f64::min);
        let _ = writeln!(text, "spins above {limit:.2} rad/s look slower than they are");
        let notes = self.collisions.iter().flat_map(|collided| collided.notes.iter().map(move |note| (collided, note)));
        for (collided, note) in notes.take(LISTED) {
            let _ = writeln!(text, "trial {}: {note}", collided.trial);
        }
        for LeftOut { trial, place, reason } in self.left_out.iter().take(LISTED) {
            let _ = writeln!(text, "left out: trial {trial} ({place}): {reason}");
        }
        if self.left_out.len() > LISTED {
            let _ = writeln!(text, "left out: {} more", self.left_out.len() - LISTED);
        }
        fit_lines(&text)
    }
}

impl Collided {
    /// The columns of relative velocities, in the order of the covariance.
    pub fn velocities(&self) -> impl Iterator<Item = &'static str> {
        let names = self.quantities.iter().map(|uncertain| uncertain.quantity.name);
        names.filter(|name| name.starts_with('v') && !name.starts_with("v_"))
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |j| (0..j).map(move |i| (i, j)))
}

/// A number that reads back to the same bits; nothing where there is none.
fn shown(number: f64) -> String {
    if number.is_finite() { format!("{number}") } else { String::new() }
}

/// A value, and in brackets the standard deviation in units of its last digits: `0.912(14)` is 0.912 ± 0.014.
fn with_error(value: f64, deviation: f64) -> String {
    if deviation <= 0.0 || !deviation.is_finite() {
        return format!("{value:.4}");
    }
    let digits = (1.0 - deviation.log10().floor()).clamp(0.0, 9.0) as usize;
    let error = if deviation < 1.0 {
        format!("{:.0}", deviation * 10.0_f64.powf(digits as f64))
    } else {
        format!("{deviation:.digits$}")
    };
    format!("{value:.digits$}({error})")
}

/// A text as a field of a CSV file.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r', '#']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
