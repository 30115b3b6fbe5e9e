//! Fits and comparisons as text for a terminal, as JSON and as a table of residuals.

use super::{Bootstrap, Comparison, Estimate, Fit, Impossible, Interval, Measurements, Reach};
use crate::table::{full, lines};
use crate::terminal::fit_lines;
use crate::terminal::table::{align_numbers, fitted, ruled, tighten};
use serde_json::{Value, json};
use std::fmt::Write;

/// Significant digits of numbers, of their errors, and of numbers in a row with others.
const DIGITS: i32 = 4;
const ERROR_DIGITS: i32 = 2;
const COMPARED_DIGITS: i32 = 3;
/// Impossible collisions and rows left out that are listed one by one.
const LISTED: usize = 10;

pub(super) fn short(value: f64) -> String {
    rounded(value, DIGITS)
}

/// The error of a number.
pub(super) fn short_error(value: f64) -> String {
    rounded(value, ERROR_DIGITS)
}

fn rounded(value: f64, digits: i32) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&value.abs()) {
        let decimals = (digits - 1 - value.abs().log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    } else if value.is_finite() {
        format!("{value:.0$e}", digits.unsigned_abs() as usize - 1)
    } else {
        if value > 0.0 { "∞" } else { "−∞" }.to_owned()
    }
}

pub(super) fn interval_text(interval: &Interval) -> String {
    let end = |value: f64, open: bool| if open { format!("({})", short(value)) } else { short(value) };
    format!("{} to {}", end(interval.low, interval.open[0]), end(interval.high, interval.open[1]))
}

impl Fit {
    /// The fit for a terminal of 80 columns.
    pub fn summary(&self, data: &Measurements, bootstrap: Option<&Bootstrap>, confidence: f64) -> String {
        let mut text = format!("{}: {} collisions", self.model.law.id, self.rows);
        if data.group_names.len() > 1 {
            let _ = write!(text, " in {} groups", data.group_names.len());
        }
        let _ = writeln!(text, ", {} errors", self.errors.word());
        for (key, value) in &self.model.fixed {
            let _ = writeln!(text, "fixed: {key} = {value}");
        }
        let percent = format!("{} %", 100.0 * confidence);
        let mut table = ruled();
        let mut header = vec!["parameter".to_owned(), "value".to_owned(), "error".to_owned()];
        if self.estimates.iter().any(|estimate| estimate.interval.is_some()) {
            header.push(format!("{percent} (profile)"));
        }
        if bootstrap.is_some() {
            header.push(format!("{percent} (bootstrap)"));
        }
        table.set_header(header);
        for (k, estimate) in self.estimates.iter().enumerate() {
            let error = match (estimate.standard_error, estimate.at_bound) {
                (Some(error), _) => short_error(error),
                (None, true) => "at bound".to_owned(),
                (None, false) => "unknown".to_owned(),
            };
            let mut row = vec![estimate.name.clone(), short(estimate.value), error];
            row.extend(estimate.interval.as_ref().map(interval_text));
            row.extend(bootstrap.map(|bootstrap| {
                let [low, high] = bootstrap.interval(k, confidence);
                format!("{} to {}", short(low), short(high))
            }));
            table.add_row(row);
        }
        tighten(&mut table);
        align_numbers(&mut table, 1..=2);
        let _ = writeln!(text, "{}", fitted(&table, &[]));
        if self.estimates.iter().filter_map(|estimate| estimate.interval).any(|interval| interval.open != [false; 2]) {
            text.push_str("(…): the data allow every value up to this bound\n");
        }
        let size = match self.errors {
            super::Errors::Measured => format!(
                "χ² = {} for {} degrees of freedom, probability {}",
                short(self.squares),
                self.freedom,
                short(self.probability())
            ),
            super::Errors::Equal => format!("error of a velocity after: {} m/s", short(self.scale)),
            super::Errors::Energy => format!("error relative to the speed before: {}", short(self.scale)),
        };
        let _ = writeln!(text, "{size}");
        let _ = writeln!(text, "mean error √(Δv·M Δv / V·M V): {}", short(self.mean_error));
        let _ =
            writeln!(text, "log-likelihood {:.2}, AICc {:.2}, BIC {:.2}", self.log_likelihood, self.aicc(), self.bic());
        for (i, first) in self.estimates.iter().enumerate() {
            for (j, second) in self.estimates.iter().enumerate().skip(i + 1) {
                let correlation = self.correlation[(i, j)];
                if correlation.abs() > 0.5 {
                    let _ = writeln!(text, "correlation of {} and {}: {correlation:.2}", first.name, second.name);
                }
            }
        }
        for column in self.model.columns() {
            if let Ok(column) = data.column(column) {
                let _ = writeln!(text, "slopes ~{} are about its mean, {}", column.name, short(column.mean));
            }
        }
        for name in self.undetermined() {
            let _ = writeln!(text, "note: these collisions do not determine {name}");
        }
        for (name, side) in self.one_sided() {
            let _ = writeln!(text, "note: these collisions give only a {side} limit of {name}");
        }
        let decisive: Vec<usize> = (0..self.rows).filter(|row| self.influence[*row] == f64::INFINITY).collect();
        for row in decisive.iter().take(LISTED) {
            let _ = writeln!(text, "note: {} {} alone determines a parameter", data.place, data.lines[*row]);
        }
        if self.refused > 0 {
            let _ = writeln!(text, "note: the law refuses {} of the collisions at these values", self.refused);
        }
        fit_lines(&text)
    }

    /// The fit as JSON.
    pub fn json(&self, data: &Measurements, bootstrap: Option<&Bootstrap>, confidence: f64) -> Value {
        let estimate = |(k, estimate): (usize, &Estimate)| {
            let ends = estimate.interval.map(
                |interval| json!({"low": finite(interval.low), "high": finite(interval.high), "open": interval.open}),
            );
            let drawn = bootstrap.map(|bootstrap| {
                let [low, high] = bootstrap.interval(k, confidence);
                json!({"low": low, "high": high, "standard_deviation": finite(bootstrap.deviation(k))})
            });
            json!({
                "name": estimate.name, "value": estimate.value, "standard_error": estimate.standard_error,
                "at_bound": estimate.at_bound, "profile": ends, "bootstrap": drawn,
            })
        };
        let matrix: Vec<Vec<Value>> =
            self.correlation.row_iter().map(|row| row.iter().map(|value| finite(*value)).collect()).collect();
        json!({
            "law": self.model.law.id,
            "fixed": self.model.fixed.iter().map(|(key, value)| (key.clone(), if value.is_finite() { json!(value) } else { json!("inf") })).collect::<serde_json::Map<_, _>>(),
            "errors": self.errors.word(),
            "confidence": confidence,
            "collisions": self.rows,
            "groups": data.group_names,
            "columns": self.model.columns().filter_map(|name| data.column(name).ok())
                .map(|column| (column.name.clone(), json!({"mean": column.mean}))).collect::<serde_json::Map<_, _>>(),
            "estimates": self.estimates.iter().enumerate().map(estimate).collect::<Vec<_>>(),
            "correlation": matrix,
            "squares": self.squares,
            "freedom": self.freedom,
            "scale": self.scale,
            "log_likelihood": finite(self.log_likelihood),
            "aicc": finite(self.aicc()),
            "bic": finite(self.bic()),
            "mean_error": finite(self.mean_error),
            "refused": self.refused,
            "undetermined": self.undetermined(),
            "one_sided": self.one_sided().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            "left_out": data.left_out.iter().map(|row| json!({"line": row.line, "reason": row.reason})).collect::<Vec<_>>(),
        })
    }

    /// For each collision its line, group, velocities after by measurement and by the law, and residuals of unit size; and how near the law
    /// and the accessible region come to it.
    pub fn residuals_csv(&self, data: &Measurements, reach: Option<&Reach>) -> String {
        let names: &[&str] = if data.components() == 2 { &["n", "t"] } else { &["n", "1", "2"] };
        let mut header = vec![data.place.to_owned(), "group".to_owned()];
        for part in ["v{}_after", "v{}_predicted", "residual_{}"] {
            header.extend(names.iter().map(|name| part.replace("{}", name)));
        }
        header.push("influence".to_owned());
        if reach.is_some() {
            header.extend(["error_by_law", "error_by_region"].map(str::to_owned));
        }
        let row = |row: usize| {
            let mut cells = vec![data.lines[row].to_string(), data.group_names[data.groups[row]].clone()];
            cells.extend((0..names.len()).map(|k| full(data.after[k][row])));
            cells.extend((0..names.len()).map(|k| full(self.predicted[k * self.rows + row])));
            cells.extend((0..names.len()).map(|k| full(self.residuals[row * names.len() + k] / self.unit())));
            cells.push(full(self.influence[row]));
            cells.extend(reach.iter().flat_map(|reach| [full(reach.law[row]), full(reach.region[row])]));
            cells
        };
        lines(std::iter::once(header).chain((0..self.rows).map(row)))
    }

    /// The size of residuals.
    pub(super) fn unit(&self) -> f64 {
        if self.errors.is_known() { 1.0 } else { self.scale }
    }
}

fn finite(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

impl Reach {
    /// The reach for a terminal of 80 columns.
    pub fn summary(&self, data: &Measurements) -> String {
        let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
        let (worst, greatest) = greatest(&self.law);
        let mut text = format!(
            "with parameters of its own for each collision: mean error {}, greatest {} in {} {}\n",
            short(mean(&self.law)),
            short(greatest),
            data.place,
            data.lines[worst]
        );
        if let Some(deviations) = &self.deviations {
            let beyond = deviations.iter().filter(|deviation| **deviation > super::impossible::BEYOND).count();
            let _ = writeln!(text, "collisions that no parameters explain within 3 standard deviations: {beyond}");
        }
        let outside = self.region.iter().filter(|error| **error > 0.0).count();
        let friction =
            if self.friction.is_finite() { format!(", μ = {}", short(self.friction)) } else { String::new() };
        let _ = writeln!(
            text,
            "outside of the accessible region (energy, penetration{friction}): {outside}, mean error {}",
            short(mean(&self.region))
        );
        fit_lines(&text)
    }

    /// The reach as JSON, a value for each collision.
    pub fn json(&self, data: &Measurements) -> Value {
        json!({
            "line": data.lines, "law": self.law, "deviations": self.deviations, "region": self.region,
            "friction": finite(self.friction),
        })
    }
}

/// The place and value of the greatest of numbers.
fn greatest(values: &[f64]) -> (usize, f64) {
    values
        .iter()
        .copied()
        .enumerate()
        .fold((0, f64::NEG_INFINITY), |most, value| if value.1 > most.1 { value } else { most })
}

impl Comparison {
    /// The laws for a terminal of 80 columns.
    pub fn summary(&self) -> String {
        let mut table = ruled();
        table.set_header(["law", "k", "ΔAICc", "ΔBIC", "fitted", "left out", "parameters"]);
        let least = |of: fn(&Fit) -> f64| {
            let all = self.candidates.iter().filter_map(|candidate| candidate.result.as_ref().ok());
            all.map(|(fit, _)| of(fit)).fold(f64::INFINITY, f64::min)
        };
        let (aicc, bic) = (least(Fit::aicc), least(Fit::bic));
        let mut refused = String::new();
        for candidate in &self.candidates {
            match &candidate.result {
                Ok((fit, error)) => {
                    let value = |estimate: &Estimate| {
                        format!("{} {}", abbreviated(&estimate.name), rounded(estimate.value, COMPARED_DIGITS))
                    };
                    let values: Vec<String> = fit.estimates.iter().map(value).collect();
                    table.add_row([
                        candidate.law.id.to_owned(),
                        fit.numbers.to_string(),
                        format!("{:.1}", fit.aicc() - aicc),
                        format!("{:.1}", fit.bic() - bic),
                        format!("{:.4}", fit.mean_error),
                        format!("{error:.4}"),
                        values.join(", "),
                    ]);
                }
                Err(why) => {
                    let _ = writeln!(refused, "no fit: {}: {why}", candidate.law.id);
                }
            }
        }
        tighten(&mut table);
        align_numbers(&mut table, 1..=5);
        let parts = if self.by_group { "groups" } else { "parts" };
        let text = format!(
            "{}\nfitted: mean of √(Δv·M Δv / V·M V)\nleft out: the same for each of {} {parts}, predicted from the others\n\n{}\n{refused}",
            fitted(&table, &[6]),
            self.parts,
            self.sentence()
        );
        fit_lines(text.trim_end())
    }

    /// The laws as JSON, from the best to the worst.
    pub fn json(&self) -> Value {
        let candidate = |candidate: &super::Candidate| match &candidate.result {
            Ok((fit, error)) => json!({
                "law": candidate.law.id,
                "estimates": fit.estimates.iter().map(|e| (e.name.clone(), json!(e.value))).collect::<serde_json::Map<_, _>>(),
                "numbers": fit.numbers, "log_likelihood": finite(fit.log_likelihood),
                "aicc": finite(fit.aicc()), "bic": finite(fit.bic()),
                "mean_error": finite(fit.mean_error), "left_out_error": finite(*error), "refused": fit.refused,
            }),
            Err(why) => json!({"law": candidate.law.id, "refusal": why.to_string()}),
        };
        json!({
            "laws": self.candidates.iter().map(candidate).collect::<Vec<_>>(),
            "parts": self.parts, "by_group": self.by_group, "sentence": self.sentence(),
        })
    }
}

/// The letters of a key, for narrow tables.
fn abbreviated(name: &str) -> String {
    let (key, of) = name.split_at(name.find(['@', '~']).unwrap_or(name.len()));
    let short = match key {
        "restitution" => "e",
        "friction" => "μ",
        "tangential_restitution" => "r_t",
        other => other,
    };
    format!("{short}{of}")
}

impl Measurements {
    /// Rows left out and collisions that no law can have, as lines; nothing if there are none.
    pub fn remarks(&self, impossible: &[Impossible]) -> String {
        let mut text = String::new();
        for row in self.left_out.iter().take(LISTED) {
            let _ = writeln!(text, "left out: {} {}: {}", self.place, row.line, row.reason);
        }
        if self.left_out.len() > LISTED {
            let _ = writeln!(text, "left out: {} more", self.left_out.len() - LISTED);
        }
        for fault in impossible.iter().take(LISTED) {
            let size = match fault.deviations {
                Some(deviations) => format!("{deviations:.1} standard deviations"),
                None => format!("{:.2} %", 100.0 * fault.amount),
            };
            let _ = writeln!(text, "impossible: {} {}: {} by {size}", self.place, fault.line, fault.fault.words());
        }
        if impossible.len() > LISTED {
            let _ = writeln!(text, "impossible: {} more", impossible.len() - LISTED);
        }
        text
    }
}
