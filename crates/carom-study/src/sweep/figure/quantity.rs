//! What a figure shows: a column, or a formula of columns.

use super::rows::{Loaded, Rows};
use crate::scenario::{Fault, nearest, shown};
use crate::sweep::form::Expression;
use std::ops::Range;

/// A column or a formula of columns, with what it is called in a picture.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    pub(super) text: String,
    pub(super) label: Option<String>,
    pub(super) span: Range<usize>,
}

/// How the values of a quantity are found.
#[derive(Debug)]
pub(super) enum Bound {
    Column(usize),
    Formula(Box<Expression>),
}

impl Quantity {
    /// Finds its columns.
    pub(super) fn bind(&self, rows: &Rows) -> Result<Bound, Fault> {
        if let Some(column) = rows.place(&self.text) {
            return Ok(Bound::Column(column));
        }
        let names: Vec<&str> = rows.columns.iter().map(|column| column.name.as_str()).collect();
        let is_formula = self.text.contains(['+', '-', '*', '/', '^', '(', '{', ' ']);
        if !is_formula {
            return Err(no_column(&self.text, &self.span, &names));
        }
        let formula = Expression::parse(&braced(&self.text, &names), &names).map_err(|problem| {
            Fault::at(self.span.clone(), problem).label("expected a column or a formula of columns")
        })?;
        if let Some(word) = formula.variables().iter().find(|column| rows.columns[**column].is_words) {
            let problem = format!("{} is a column of words", shown(names[*word]));
            return Err(Fault::at(self.span.clone(), problem).label("expected numbers in a formula"));
        }
        Ok(Bound::Formula(Box::new(formula)))
    }

    /// What an axis or a heading says of it.
    pub(super) fn title(&self, rows: &Rows) -> String {
        let unit = rows.place(&self.text).map_or("", |column| rows.columns[column].unit.as_str());
        let name = self.label.clone().unwrap_or_else(|| escaped(&self.text));
        if unit.is_empty() || name.ends_with(')') { name } else { format!("{name} ({unit})") }
    }

    /// The same without a unit.
    pub(super) fn name(&self) -> String {
        self.label.clone().unwrap_or_else(|| escaped(&self.text))
    }
}

pub(super) fn no_column(name: &str, span: &Range<usize>, names: &[&str]) -> Fault {
    let fault = Fault::at(span.clone(), format!("there is no column {}", shown(name)));
    match nearest(name, names.iter().copied()) {
        Some(near) => fault.label(format!("did you mean {}?", shown(near))),
        None => {
            fault.label("expected a variable or an output of the plan").help(format!("columns: {}", names.join(", ")))
        }
    }
}

/// A name whose characters are no marks.
pub(super) fn escaped(name: &str) -> String {
    name.chars().flat_map(|c| matches!(c, '*' | '_' | '^' | '\\').then_some('\\').into_iter().chain([c])).collect()
}

/// A formula with the names of columns in braces, as the parser wants names with dots and brackets.
fn braced(text: &str, names: &[&str]) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back().is_some_and(|c| is_name(c) || c == '.');
        let found = names
            .iter()
            .filter(|name| {
                rest.starts_with(**name) && !rest[name.len()..].starts_with(|c| is_name(c) || c == '[' || c == '.')
            })
            .max_by_key(|name| name.len());
        match found {
            Some(name) if !inside && !before => {
                out.extend(["{", name, "}"]);
                rest = &rest[name.len()..];
            }
            _ => {
                inside = (inside || c == '{') && c != '}';
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

impl Bound {
    /// The columns that it needs.
    pub(super) fn columns(&self) -> Vec<usize> {
        match self {
            Bound::Column(column) => vec![*column],
            Bound::Formula(formula) => formula.variables().to_vec(),
        }
    }

    /// Whether its values are words.
    pub(super) fn is_words(&self, rows: &Rows) -> bool {
        matches!(self, Bound::Column(column) if rows.columns[*column].is_words)
    }

    /// The number in each row; NaN where there is none.
    pub(super) fn numbers(&self, rows: &Rows) -> Vec<f64> {
        match self {
            Bound::Column(column) => match &rows.columns[*column].values {
                Loaded::Numbers(values) => values.clone(),
                _ => vec![f64::NAN; rows.count],
            },
            Bound::Formula(formula) => {
                let mut row = vec![f64::NAN; rows.columns.len()];
                let mut values = Vec::with_capacity(rows.count);
                for k in 0..rows.count {
                    for column in formula.variables() {
                        if let Loaded::Numbers(numbers) = &rows.columns[*column].values {
                            row[*column] = numbers[k];
                        }
                    }
                    values.push(formula.value(&row));
                }
                values
            }
        }
    }

    /// The words, and for each row the place of its own; numbers become words.
    pub(super) fn groups(&self, rows: &Rows) -> (Vec<String>, Vec<Option<u32>>) {
        if let Bound::Column(column) = self
            && let Loaded::Words { known, of_row } = &rows.columns[*column].values
        {
            return (known.clone(), of_row.clone());
        }
        let mut places: std::collections::HashMap<u64, u32> = std::collections::HashMap::new();
        let mut known = Vec::new();
        let values = self.numbers(rows);
        let of_row = values
            .iter()
            .map(|value| {
                // Rounding does not part a group.
                let rounded: f64 = format!("{value:.10e}").parse().unwrap_or(*value);
                (!value.is_nan()).then(|| {
                    *places.entry(rounded.to_bits()).or_insert_with(|| {
                        known.push(super::listing::plain_number(rounded, 6));
                        known.len() as u32 - 1
                    })
                })
            })
            .collect();
        (known, of_row)
    }
}

#[cfg(test)]
mod tests {
    use super::{braced, escaped};

    #[test]
    fn columns_in_formulas_are_put_in_braces() {
        let names = ["impulse[0]", "impulse[1]", "e", "energy.change"];
        assert_eq!(braced("-impulse[1]/impulse[0]", &names), "-{impulse[1]}/{impulse[0]}");
        assert_eq!(braced("e*exp(e) + {energy.change}", &names), "{e}*exp({e}) + {energy.change}");
        assert_eq!(escaped("velocity_after[0]"), "velocity\\_after[0]");
    }
}
