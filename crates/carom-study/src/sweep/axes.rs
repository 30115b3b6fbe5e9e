//! The axes and variables of a plan.

use super::form::{Expression, Form, Operand, Polar};
use super::plan::Assignment;
use super::value::{MOST_COUNT, array, in_order, number, numbers, string, unknown, unknown_word, wrong};
use super::variable::{Distribution, Values, Variable};
use crate::scenario::{Changeable, Fault, Place, Setting, Target, listed, shown};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Variables and dimensions of a plan, at most.
pub(super) const MOST_VARIABLES: usize = 64;
const GENERATORS: [&str; 8] = ["list", "linspace", "logspace", "uniform", "normal", "lognormal", "polar", "expression"];
/// Constants of formulas.
const RESERVED: [&str; 7] = ["e", "E", "PI", "π", "TAU", "τ", "Π"];
/// Keys of `polar`.
const PARTS: [&str; 3] = ["speed", "angle", "azimuth"];

/// What has been read of the variables and places.
#[derive(Default)]
pub(super) struct Axes {
    pub(super) variables: Vec<Variable>,
    pub(super) assignments: Vec<Assignment>,
    pub(super) spans: Vec<Range<usize>>,
    /// Places of the assignments in the plan.
    places: Vec<Range<usize>>,
    pub(super) sampled: usize,
}

impl Axes {
    fn names(&self) -> Vec<&str> {
        self.variables.iter().map(|variable| variable.name.as_str()).collect()
    }

    /// Adds a variable and gives its number.
    fn add(&mut self, name: &str, unit: &str, values: Values, span: Range<usize>) -> Result<usize, Fault> {
        if self.variables.len() == MOST_VARIABLES {
            return Err(Fault::at(span, format!("the plan has more than {MOST_VARIABLES} variables")));
        }
        if name == "status" {
            return Err(
                Fault::at(span, "a variable is called `status`").label("expected another name: a column has it")
            );
        }
        if let Some(other) = self.variables.iter().position(|variable| variable.name == name) {
            return Err(Fault::at(span, format!("there are two variables called {}", shown(name)))
                .context(self.spans[other].clone(), "the first"));
        }
        self.variables.push(Variable { name: name.to_owned(), unit: unit.to_owned(), values, dimension: usize::MAX });
        self.spans.push(span);
        Ok(self.variables.len() - 1)
    }

    pub(super) fn read_variable(
        &mut self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Fault> {
        let name = key.get_ref();
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Fault::at(key.span(), format!("{} is no name of a variable", shown(name)))
                .label("expected letters, digits and `_`"));
        }
        if RESERVED.contains(&&**name) {
            return Err(
                Fault::at(key.span(), format!("`{name}` is a constant in formulas")).label("expected another name")
            );
        }
        let values = self.values(name, value)?.ok_or_else(|| {
            Fault::at(value.span(), format!("`{name}` has no values of its own"))
                .label(format!("expected a list, or a table with one of {}", listed(GENERATORS[..6].iter().copied())))
        })?;
        self.add(name, "", values, key.span()).map(|_| ())
    }

    /// The values that a list, or a table with the key of a generator, gives; `None` for another value.
    fn values(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<Option<Values>, Fault> {
        let table = match value.get_ref() {
            DeValue::Array(items) => return list(name, value, items).map(Some),
            DeValue::Table(table) => table,
            _ => return Ok(None),
        };
        let mut entries = in_order(table).into_iter();
        let (Some((key, given)), None) = (entries.next(), entries.next()) else {
            return Err(Fault::at(value.span(), "an axis needs one key")
                .label(format!("expected one of {}", listed(GENERATORS.iter().copied()))));
        };
        let pair = |what: &str| numbers(given, key.get_ref(), 2, what).map(|pair| (pair[0], pair[1]));
        let distribution = match &**key.get_ref() {
            "list" => return list(name, given, array(given, "list")?).map(Some),
            "linspace" | "logspace" => return spaced(given, key.get_ref()).map(Some),
            "uniform" => {
                let (low, high) = pair("the least and the greatest value")?;
                if low >= high {
                    return Err(Fault::at(given.span(), "the range of `uniform` is empty")
                        .label("expected the least value, then a greater one"));
                }
                Distribution::Uniform { low, high }
            }
            word @ ("normal" | "lognormal") => {
                let (mean, deviation) = pair("mean and standard deviation")?;
                if deviation < 0.0 {
                    return Err(Fault::at(given.span(), format!("the standard deviation is {deviation}"))
                        .label("expected a number of at least 0"));
                }
                if word == "normal" {
                    Distribution::Normal { mean, deviation }
                } else {
                    Distribution::Lognormal { mean, deviation }
                }
            }
            "polar" | "expression" => return Ok(None),
            _ => return Err(unknown(key, "an axis", &GENERATORS)),
        };
        self.sampled += 1;
        Ok(Some(Values::Sampled(distribution, self.sampled - 1)))
    }

    pub(super) fn read_axis(
        &mut self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        base: &mut Changeable,
    ) -> Result<(), Fault> {
        let name: &str = key.get_ref();
        let place = Place::parse(name).map_err(|problem| Fault::at(key.span(), problem))?;
        let targets = base.targets(&place).map_err(|fault| fault.placed(key.span()))?;
        let words = targets.iter().any(Target::takes_words);
        let unit = targets.first().map_or("", |target| target.field.unit).to_owned();
        let unit = if targets[0].is_parameter() { String::new() } else { unit };
        let form = match (self.vectors(name, &unit, value, key.span())?, value.get_ref()) {
            (Some(form), _) => form,
            (None, DeValue::Float(_) | DeValue::Integer(_)) => Form::Single(Operand::Constant(number(value, name)?)),
            (None, DeValue::String(text)) => {
                let setting = Setting::at(place, toml_edit::Value::from(&**text));
                return base.set(&setting).map_err(|problem| Fault::at(key.span(), problem));
            }
            (None, _) => match self.values(name, value)? {
                Some(values) => {
                    if values.words().is_some() != words {
                        let expected = if words { "words" } else { "numbers" };
                        return Err(Fault::at(
                            value.span(),
                            format!("the values of {} are no {expected}", shown(name)),
                        )
                        .label(format!("expected {expected}")));
                    }
                    check_words(&targets, &values, value)?;
                    Form::Single(Operand::Variable(self.add(name, &unit, values, key.span())?))
                }
                None => self.formula(name, &unit, value)?,
            },
        };
        if words && form.length().is_some() {
            return Err(Fault::at(value.span(), format!("{} is a word", shown(name))).label("expected a list of words"));
        }
        self.assignments.push(Assignment { place: name.to_owned(), targets, form });
        self.places.push(key.span());
        Ok(())
    }

    /// A list of vectors: one variable for each component.
    fn vectors(
        &mut self,
        name: &str,
        unit: &str,
        value: &Spanned<DeValue<'_>>,
        span: Range<usize>,
    ) -> Result<Option<Form>, Fault> {
        let items = match value.get_ref() {
            DeValue::Array(items) => items,
            DeValue::Table(table) => match table.get("list").map(Spanned::get_ref) {
                Some(DeValue::Array(items)) => items,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(DeValue::Array(first)) = items.first().map(Spanned::get_ref) else { return Ok(None) };
        let length = first.len();
        let rows: Vec<Vec<f64>> = items
            .iter()
            .enumerate()
            .map(|(k, item)| numbers(item, &format!("{name}[{k}]"), length, "as many as in the first"))
            .collect::<Result<_, _>>()?;
        if length == 0 {
            return Err(Fault::at(value.span(), "a vector of the list is empty"));
        }
        let leader = self.variables.len();
        let components = (0..length).map(|k| {
            let column = Values::Numbers(rows.iter().map(|row| row[k]).collect());
            let variable = self.add(&format!("{name}[{k}]"), unit, column, span.clone())?;
            if k > 0 {
                self.variables[variable].dimension = leader;
            }
            Ok(Operand::Variable(variable))
        });
        components.collect::<Result<_, Fault>>().map(|list| Some(Form::List(list)))
    }

    /// `polar` and `expression`.
    fn formula(&mut self, name: &str, unit: &str, value: &Spanned<DeValue<'_>>) -> Result<Form, Fault> {
        let expected = || {
            wrong(value, name, "a number, a list, or a table with one of the keys")
                .help(listed(GENERATORS.iter().copied()))
        };
        let DeValue::Table(table) = value.get_ref() else { return Err(expected()) };
        if let Some(given) = table.get("expression") {
            return match given.get_ref() {
                DeValue::String(text) => self.expression(text, given.span()).map(Form::Single),
                DeValue::Array(items) => items
                    .iter()
                    .map(|item| match item.get_ref() {
                        DeValue::String(text) => self.expression(text, item.span()),
                        _ => Ok(Operand::Constant(number(item, "expression")?)),
                    })
                    .collect::<Result<_, _>>()
                    .map(Form::List),
                _ => Err(wrong(given, "expression", "a formula, or a list of formulas")),
            };
        }
        let Some(given) = table.get("polar") else { return Err(expected()) };
        let DeValue::Table(parts) = given.get_ref() else { return Err(wrong(given, "polar", "a table")) };
        for (key, _) in in_order(parts) {
            if !PARTS.contains(&&**key.get_ref()) {
                return Err(unknown(key, "`polar`", &PARTS));
            }
        }
        let mut part = |key: &str, unit: &str| match parts.get(key) {
            None => Ok(None),
            Some(value) => self.operand(&format!("{name}.{key}"), unit, value).map(Some),
        };
        let missing = |key: &str| Fault::at(given.span(), format!("`polar` has no `{key}`"));
        Ok(Form::Polar(Box::new(Polar {
            speed: part("speed", unit)?.ok_or_else(|| missing("speed"))?,
            angle: part("angle", "deg")?.ok_or_else(|| missing("angle"))?,
            azimuth: part("azimuth", "deg")?,
        })))
    }

    /// A number, a formula, or values of a variable of its own.
    fn operand(&mut self, name: &str, unit: &str, value: &Spanned<DeValue<'_>>) -> Result<Operand, Fault> {
        match value.get_ref() {
            DeValue::Float(_) | DeValue::Integer(_) => number(value, name).map(Operand::Constant),
            DeValue::String(text) => self.expression(text, value.span()),
            _ => match self.values(name, value)? {
                Some(values) if values.words().is_none() => {
                    self.add(name, unit, values, value.span()).map(Operand::Variable)
                }
                _ => Err(wrong(value, name, "a number, a formula, or numbers of an axis")),
            },
        }
    }

    fn expression(&self, text: &str, span: Range<usize>) -> Result<Operand, Fault> {
        // Words have no place in a formula.
        let name =
            |variable: &Variable| if variable.values.words().is_some() { String::new() } else { variable.name.clone() };
        let names: Vec<String> = self.variables.iter().map(name).collect();
        Expression::parse(text, &names.iter().map(String::as_str).collect::<Vec<_>>())
            .map(|expression| Operand::Expression(Box::new(expression)))
            .map_err(|problem| Fault::at(span, problem).label("expected a formula of the variables above it"))
    }

    /// Refuses two axes on one value.
    pub(super) fn check_places(&self) -> Result<(), Fault> {
        for (k, assignment) in self.assignments.iter().enumerate() {
            for (other, span) in self.assignments[..k].iter().zip(&self.places) {
                let meet = |target: &Target| other.targets.iter().any(|known| known.overlaps(target));
                if assignment.targets.iter().any(meet) {
                    let (one, two) = (shown(&assignment.place), shown(&other.place));
                    return Err(Fault::at(self.places[k].clone(), format!("{one} and {two} set the same value"))
                        .label("expected one axis for it")
                        .context(span.clone(), "the first"));
                }
            }
        }
        Ok(())
    }
}

/// The variables of a group of `zip`, which must have equally many values.
pub(super) fn zip_group(group: &Spanned<DeValue<'_>>, axes: &Axes) -> Result<Vec<usize>, Fault> {
    let names = array(group, "zip")?;
    let mut members: Vec<usize> = Vec::new();
    for name in names {
        let text = string(name, "zip")?;
        let known = axes.names();
        let variable = known.iter().position(|known| *known == text);
        let Some(variable) = variable else {
            return Err(unknown_word(name.span(), "variable", text, &known));
        };
        let Some(count) = axes.variables[variable].values.count() else {
            return Err(Fault::at(name.span(), format!("{} is sampled", shown(text)))
                .label("expected a list or a range: all samples go together as it is"));
        };
        if let Some(first) = members.first() {
            let expected = axes.variables[*first].values.count().unwrap_or(0);
            if count != expected {
                return Err(Fault::at(name.span(), format!("{} has {count} values", shown(text)))
                    .label(format!("expected {expected}, as many as {} has", shown(&axes.variables[*first].name)))
                    .context(axes.spans[variable].clone(), "here"));
            }
        }
        members.push(variable);
    }
    if members.len() < 2 {
        return Err(Fault::at(group.span(), "a group of `zip` needs two variables").label("expected two names or more"));
    }
    Ok(members)
}

/// Refuses words that the places do not know.
fn check_words(targets: &[Target], values: &Values, value: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
    let (Some(words), Some(known)) = (values.words(), targets.first().and_then(Target::words)) else {
        return Ok(());
    };
    let items = match value.get_ref() {
        DeValue::Array(items) => Some(items),
        DeValue::Table(table) => table.get("list").and_then(|list| list.get_ref().as_array()),
        _ => None,
    };
    for (k, given) in words.iter().enumerate() {
        if !known.contains(&given.as_str()) {
            let span = items.and_then(|items| items.get(k)).map_or(value.span(), Spanned::span);
            return Err(unknown_word(span, "word", given, known));
        }
    }
    Ok(())
}

/// The values of a list, which are all words or all numbers.
fn list(name: &str, value: &Spanned<DeValue<'_>>, items: &[Spanned<DeValue<'_>>]) -> Result<Values, Fault> {
    let named = |k: usize| format!("{name}[{k}]");
    match items.first().map(Spanned::get_ref) {
        None => Err(Fault::at(value.span(), "the list is empty").label("expected at least one value")),
        Some(DeValue::String(_)) => items
            .iter()
            .enumerate()
            .map(|(k, item)| string(item, &named(k)).map(str::to_owned))
            .collect::<Result<_, _>>()
            .map(Values::Words),
        Some(_) => items
            .iter()
            .enumerate()
            .map(|(k, item)| number(item, &named(k)))
            .collect::<Result<_, _>>()
            .map(Values::Numbers),
    }
}

fn spaced(value: &Spanned<DeValue<'_>>, key: &str) -> Result<Values, Fault> {
    let given = numbers(value, key, 3, "the first value, the last one and how many")?;
    let (first, last, count) = (given[0], given[1], given[2]);
    if count < 1.0 || count.fract() != 0.0 || count > MOST_COUNT {
        return Err(Fault::at(value.span(), format!("`{key}` has {count} values"))
            .label(format!("expected a whole number from 1 to {MOST_COUNT:e}, as the third")));
    }
    let count = count as u64;
    if key == "linspace" {
        return Ok(Values::Linspace { first, last, count });
    }
    if first <= 0.0 || last <= 0.0 {
        return Err(Fault::at(value.span(), "`logspace` goes from number to number by a factor")
            .label("expected two numbers above 0, then how many"));
    }
    Ok(Values::Logspace { first, last, count })
}
