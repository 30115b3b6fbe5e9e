//! Reading a plan; every fault has its place.

use super::figure::Figures;
use super::form::{Expression, Form, Operand, Polar};
use super::output::Request;
use super::plan::{Assignment, Command, LawParameters, Plan};
use super::sample::{SOBOL_VARIABLES, Sampling};
use super::variable::{Distribution, Draw, Values, Variable};
use crate::scenario::{Changeable, Fault, Place, ScenarioError, Setting, listed, nearest, read_text, shown};
use carom::laws::{self, Kind};
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Variables and dimensions of a plan, at most.
pub(super) const MOST_VARIABLES: usize = 64;
/// Numbers are whole, and counted without rounding, up to here.
const MOST_COUNT: f64 = 9e15;

const KEYS: [&str; 16] = [
    "title",
    "subtitle",
    "description",
    "scenario",
    "command",
    "seed",
    "samples",
    "sampling",
    "zip",
    "rows_per_shard",
    "variables",
    "axes",
    "law",
    "outputs",
    "figure",
    "table",
];
const GENERATORS: [&str; 8] = ["list", "linspace", "logspace", "uniform", "normal", "lognormal", "polar", "expression"];

/// Constants of formulas.
const RESERVED: [&str; 7] = ["e", "E", "PI", "π", "TAU", "τ", "Π"];
/// Keys of `polar`.
const PARTS: [&str; 3] = ["speed", "angle", "azimuth"];

type Entry<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

pub(super) fn read(path: &Path) -> Result<Plan, ScenarioError> {
    let name = path.display().to_string();
    let text = read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
    parse(&name, &text, Some(path.parent().unwrap_or(Path::new(""))), None)
}

/// Reads a plan; `scenario` is the text of its scenario, if that is not to be read from its file.
pub(super) fn parse(
    name: &str,
    text: &str,
    folder: Option<&Path>,
    scenario: Option<&str>,
) -> Result<Plan, ScenarioError> {
    let document = crate::scenario::parse_toml(text, "expected `scenario`, `[axes]` and `outputs`")
        .map_err(|fault| ScenarioError::new(name, text, fault))?;
    let top = document.get_ref();
    let reader = Reader { top };
    let given = scenario.map(|scenario| Changeable::parse("<scenario>", scenario)).transpose()?;
    let base = match given {
        Some(file) => Ok(Base { file, folder: folder.map(Path::to_owned) }),
        None => reader.base(text, folder),
    };
    let base = base.map_err(|problem| match problem {
        Problem::Plan(fault) => ScenarioError::new(name, text, fault),
        Problem::Scenario(error) => error,
    })?;
    reader.plan(name, text, base, folder).map_err(|fault| ScenarioError::new(name, text, fault))
}

enum Problem {
    Plan(Fault),
    Scenario(ScenarioError),
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        Problem::Plan(fault)
    }
}

/// The scenario of a plan, and where the files that it names are.
struct Base {
    file: Changeable,
    folder: Option<std::path::PathBuf>,
}

struct Reader<'a> {
    top: &'a DeTable<'a>,
}

/// What has been read of the variables and places.
#[derive(Default)]
struct Axes {
    variables: Vec<Variable>,
    assignments: Vec<Assignment>,
    spans: Vec<Range<usize>>,
    /// Places of the assignments in the plan.
    places: Vec<Range<usize>>,
    sampled: usize,
}

impl<'a> Reader<'a> {
    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.top.get(key)
    }

    /// The scenario: a file beside the plan, or text of several lines.
    fn base(&self, text: &str, folder: Option<&Path>) -> Result<Base, Problem> {
        for (key, _) in in_order(self.top) {
            if !KEYS.contains(&&**key.get_ref()) {
                return Err(unknown(key, "a plan", &KEYS).into());
            }
        }
        let Some(value) = self.get("scenario") else {
            return Err(Fault::of_the_file("the plan has no `scenario`")
                .help("expected the file of a scenario, relative to the plan, or its text between \"\"\"")
                .into());
        };
        let given = string(value, "scenario")?;
        if given.contains('\n') {
            let file = Changeable::parse("<scenario of the plan>", given).map_err(|error| {
                // The place in the plan is that of the text within it.
                let start = value.span().start;
                let offset = text[start..].find(given).map_or(0, |offset| start + offset);
                let span = error.span().map_or(value.span(), |span| span.start + offset..span.end + offset);
                Problem::Plan(Fault::at(span, error.message().to_owned()).label(error.label().to_owned()))
            })?;
            return Ok(Base { file, folder: folder.map(Path::to_owned) });
        }
        let path = folder.map_or_else(|| Path::new(given).to_owned(), |folder| folder.join(given));
        if !path.is_file() {
            return Err(Fault::at(value.span(), format!("there is no file {}", path.display()))
                .label("expected a scenario, relative to the plan")
                .into());
        }
        let file = Changeable::read(&path).map_err(Problem::Scenario)?;
        Ok(Base { file, folder: path.parent().map(Path::to_owned) })
    }

    fn plan(&self, name: &str, text: &str, base: Base, place: Option<&Path>) -> Result<Plan, Fault> {
        let command = match self.get("command") {
            None => Command::default(),
            Some(value) => match word(value, "command", &Command::WORDS)? {
                0 => Command::Collide,
                _ => Command::Simulate,
            },
        };
        let Base { mut file, folder } = base;
        let scenario = file.text();
        let sampling = match self.get("sampling") {
            None => Sampling::default(),
            Some(value) => {
                let place = word(value, "sampling", &Sampling::WORDS)?;
                Sampling::of_word(Sampling::WORDS[place]).unwrap_or_default()
            }
        };
        let seed = self.get("seed").map_or(Ok(0), |value| count(value, "seed", 0))?;
        let samples = self.get("samples").map(|value| count(value, "samples", 1)).transpose()?;
        let mut axes = Axes::default();
        if let Some(table) = self.table("variables")? {
            for (key, value) in in_order(table) {
                axes.read_variable(key, value)?;
            }
        }
        if let Some(table) = self.table("axes")? {
            for (key, value) in in_order(table) {
                axes.read_axis(key, value, &mut file)?;
            }
        }
        axes.check_places()?;
        let dimensions = self.dimensions(&mut axes, samples)?;
        if sampling == Sampling::Sobol && axes.sampled > SOBOL_VARIABLES {
            let span = self.get("sampling").map_or(0..0, Spanned::span);
            return Err(Fault::at(span, format!("{} variables are sampled", axes.sampled))
                .label(format!("expected at most {SOBOL_VARIABLES} for \"sobol\"")));
        }
        let words = |key: &str| self.get(key).map(|value| string(value, key).map(str::to_owned)).transpose();
        let title = words("title")?.unwrap_or_else(|| stem(name));
        let titles = [title.clone(), words("subtitle")?.unwrap_or_default()];
        let plan = Plan {
            title,
            description: words("description")?,
            name: name.to_owned(),
            text: text.to_owned(),
            command,
            scenario,
            base: file,
            folder,
            draw: Draw { sampling, seed, samples: samples.unwrap_or(0) },
            variables: axes.variables,
            dimensions,
            assignments: axes.assignments,
            law_parameters: self.law_parameters()?,
            outputs: self.outputs()?,
            rows_per_shard: self.get("rows_per_shard").map(|value| count(value, "rows_per_shard", 1)).transpose()?,
            figures: Figures::of(self.top, name, text, place, titles)?,
        };
        for (k, request) in plan.outputs.iter().enumerate() {
            let taken = plan.variables.iter().any(|variable| variable.name == request.name);
            if taken || request.name == "status" || plan.outputs[..k].iter().any(|other| other.name == request.name) {
                return Err(Fault::at(
                    request.span.clone(),
                    format!("two columns are called {}", shown(&request.name)),
                )
                .label("expected a name of its own: NAME = PATH in `[outputs]`"));
            }
        }
        Ok(plan)
    }

    fn table(&self, key: &str) -> Result<Option<&'a DeTable<'a>>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.get_ref() {
                DeValue::Table(table) => Ok(Some(table)),
                _ => Err(wrong(value, key, "a table")),
            },
        }
    }

    /// The dimensions of the rows: variables that are zipped share one, so do those that are sampled.
    fn dimensions(&self, axes: &mut Axes, samples: Option<u64>) -> Result<Vec<u64>, Fault> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        if let Some(value) = self.get("zip") {
            for group in array(value, "zip")? {
                groups.push(zip_group(group, axes)?);
            }
        }
        for (k, group) in groups.iter().enumerate() {
            if let Some(twice) = group.iter().find(|v| groups[..k].iter().any(|other| other.contains(v))) {
                let name = shown(&axes.variables[*twice].name);
                return Err(Fault::at(self.get("zip").map_or(0..0, Spanned::span), format!("{name} is in two groups")));
            }
        }
        let mut dimensions: Vec<u64> = Vec::new();
        let mut of_group: Vec<Option<usize>> = vec![None; groups.len()];
        for k in 0..axes.variables.len() {
            let Some(count) = axes.variables[k].values.count() else { continue };
            // The components of a list of vectors share the dimension of the first.
            if axes.variables[k].dimension != usize::MAX {
                let first = axes.variables[k].dimension;
                axes.variables[k].dimension = axes.variables[first].dimension;
                continue;
            }
            let group = groups.iter().position(|group| group.contains(&k));
            let known = group.and_then(|group| of_group[group]);
            axes.variables[k].dimension = known.unwrap_or(dimensions.len());
            if known.is_none() {
                dimensions.push(count);
                if let Some(group) = group {
                    of_group[group] = Some(dimensions.len() - 1);
                }
            }
        }
        let sampled = axes.variables.iter().position(|variable| variable.values.count().is_none());
        match (sampled, samples) {
            (Some(_), Some(samples)) => {
                for variable in axes.variables.iter_mut().filter(|variable| variable.values.count().is_none()) {
                    variable.dimension = dimensions.len();
                }
                dimensions.push(samples);
            }
            (Some(first), None) => {
                return Err(Fault::at(axes.spans[first].clone(), "the plan does not say how many samples to draw")
                    .label("expected `samples = 1000` or another number at the top of the plan"));
            }
            (None, Some(_)) => {
                return Err(Fault::at(self.get("samples").map_or(0..0, Spanned::span), "nothing is sampled")
                    .label("expected `uniform`, `normal` or `lognormal` in an axis"));
            }
            (None, None) => {}
        }
        if dimensions.iter().try_fold(1_u64, |rows, length| rows.checked_mul(*length)).is_none() {
            return Err(
                Fault::of_the_file("the plan has more than 1.8e19 rows").help("expected fewer values of its axes")
            );
        }
        Ok(dimensions)
    }

    /// `[law.ID]`: parameters of a law.
    fn law_parameters(&self) -> Result<Vec<LawParameters>, Fault> {
        let Some(table) = self.table("law")? else { return Ok(Vec::new()) };
        let read_law = |(id, value): Entry<'a>| {
            let law = laws::find(id.get_ref()).map_err(|_| {
                let ids: Vec<&str> = laws::every().map(|law| law.id).collect();
                unknown_word(id.span(), "law", id.get_ref(), &ids)
            })?;
            let DeValue::Table(parameters) = value.get_ref() else {
                return Err(wrong(value, id.get_ref(), "a table of parameters"));
            };
            let keys: Vec<&str> = law.parameters.iter().map(|parameter| parameter.key).collect();
            let read_parameter = |(key, value): Entry<'a>| {
                let Some(parameter) = law.parameters.iter().find(|parameter| parameter.key == key.get_ref()) else {
                    return Err(unknown(key, &format!("law `{}`", law.id), &keys));
                };
                let given = match parameter.kind {
                    Kind::Choice(words) => word(value, parameter.key, words)? as f64,
                    Kind::Number { .. } => number(value, parameter.key)?,
                };
                if !parameter.accepts(given) {
                    return Err(Fault::at(value.span(), format!("`{}` is {given}", parameter.key))
                        .label(format!("expected {}", parameter.range())));
                }
                Ok((parameter.key, given))
            };
            let parameters = in_order(parameters).into_iter().map(read_parameter).collect::<Result<_, _>>()?;
            Ok(LawParameters { law, values: parameters })
        };
        in_order(table).into_iter().map(read_law).collect()
    }

    /// `outputs`: a list of paths, or a table of names and paths.
    fn outputs(&self) -> Result<Vec<Request>, Fault> {
        let Some(value) = self.get("outputs") else {
            return Err(Fault::of_the_file("the plan has no `outputs`")
                .help("expected a list of paths in the JSON of a result, for instance [\"energy.change\", \"mode\"]"));
        };
        let requests: Vec<Request> = match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .map(|item| Request::parse(string(item, "outputs")?, None, item.span()))
                .collect::<Result<_, _>>()?,
            DeValue::Table(table) => in_order(table)
                .into_iter()
                .map(|(key, path)| Request::parse(string(path, key.get_ref())?, Some(key.get_ref()), path.span()))
                .collect::<Result<_, _>>()?,
            _ => return Err(wrong(value, "outputs", "a list of paths, or a table of names and paths")),
        };
        if requests.is_empty() {
            return Err(Fault::at(value.span(), "`outputs` is empty").label("expected at least one path"));
        }
        Ok(requests)
    }
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

    fn read_variable(
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
        let values = self.values(value)?.ok_or_else(|| {
            Fault::at(value.span(), format!("`{name}` has no values of its own"))
                .label(format!("expected a list, or a table with one of {}", listed(GENERATORS[..6].iter().copied())))
        })?;
        self.add(name, "", values, key.span()).map(|_| ())
    }

    /// The values that a list, or a table with the key of a generator, gives; `None` for another value.
    fn values(&mut self, value: &Spanned<DeValue<'_>>) -> Result<Option<Values>, Fault> {
        let table = match value.get_ref() {
            DeValue::Array(items) => return list(value, items).map(Some),
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
            "list" => return list(given, array(given, "list")?).map(Some),
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

    fn read_axis(
        &mut self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        base: &mut Changeable,
    ) -> Result<(), Fault> {
        let name: &str = key.get_ref();
        let place = Place::parse(name).map_err(|problem| Fault::at(key.span(), problem))?;
        let targets = base.targets(&place).map_err(|fault| fault.placed(key.span()))?;
        let words = targets.iter().any(crate::scenario::Target::takes_words);
        let unit = targets.first().map_or("", |target| target.field.unit).to_owned();
        let unit = if targets[0].is_parameter() { String::new() } else { unit };
        let form = match (self.vectors(name, &unit, value, key.span())?, value.get_ref()) {
            (Some(form), _) => form,
            (None, DeValue::Float(_) | DeValue::Integer(_)) => Form::Single(Operand::Constant(number(value, name)?)),
            (None, DeValue::String(text)) => {
                let setting = Setting::at(place, toml_edit::Value::from(&**text));
                return base.set(&setting).map_err(|problem| Fault::at(key.span(), problem));
            }
            (None, _) => match self.values(value)? {
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
            .map(|item| numbers(item, name, length, "as many as in the first"))
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
            _ => match self.values(value)? {
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
    fn check_places(&self) -> Result<(), Fault> {
        for (k, assignment) in self.assignments.iter().enumerate() {
            for (other, span) in self.assignments[..k].iter().zip(&self.places) {
                let meet = |target: &crate::scenario::Target| other.targets.iter().any(|known| known.overlaps(target));
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
fn zip_group(group: &Spanned<DeValue<'_>>, axes: &Axes) -> Result<Vec<usize>, Fault> {
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
fn check_words(
    targets: &[crate::scenario::Target],
    values: &Values,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    let (Some(words), Some(known)) = (values.words(), targets.first().and_then(crate::scenario::Target::words)) else {
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

fn list(value: &Spanned<DeValue<'_>>, items: &[Spanned<DeValue<'_>>]) -> Result<Values, Fault> {
    match items.first().map(Spanned::get_ref) {
        None => Err(Fault::at(value.span(), "the list is empty").label("expected at least one value")),
        Some(DeValue::String(_)) => items
            .iter()
            .map(|item| string(item, "list").map(str::to_owned))
            .collect::<Result<_, _>>()
            .map(Values::Words),
        Some(_) => items.iter().map(|item| number(item, "list")).collect::<Result<_, _>>().map(Values::Numbers),
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

pub(super) fn in_order<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

pub(super) fn wrong(value: &Spanned<DeValue<'_>>, key: &str, expected: &str) -> Fault {
    let found = crate::scenario::described(value.get_ref());
    Fault::at(value.span(), format!("{} is {found}", shown(key))).label(format!("expected {expected}"))
}

pub(super) fn string<'a>(value: &'a Spanned<DeValue<'a>>, key: &str) -> Result<&'a str, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err(wrong(value, key, "a string")),
    }
}

pub(super) fn array<'a>(value: &'a Spanned<DeValue<'a>>, key: &str) -> Result<&'a [Spanned<DeValue<'a>>], Fault> {
    match value.get_ref() {
        DeValue::Array(items) => Ok(items),
        _ => Err(wrong(value, key, "a list")),
    }
}

pub(super) fn number(value: &Spanned<DeValue<'_>>, key: &str) -> Result<f64, Fault> {
    let number: Option<f64> = match value.get_ref() {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
        _ => return Err(wrong(value, key, "a number")),
    };
    match number {
        Some(number) if !number.is_nan() => Ok(number),
        _ => Err(Fault::at(value.span(), format!("{} is not a number", shown(key))).label("expected a number")),
    }
}

/// A list of numbers; all are finite.
pub(super) fn numbers(value: &Spanned<DeValue<'_>>, key: &str, length: usize, what: &str) -> Result<Vec<f64>, Fault> {
    let items = array(value, key)?;
    if items.len() != length {
        return Err(Fault::at(value.span(), format!("{} has {} numbers", shown(key), items.len()))
            .label(format!("expected {length}: {what}")));
    }
    let finite = |item: &Spanned<DeValue<'_>>| {
        let given = number(item, key)?;
        if given.is_finite() { Ok(given) } else { Err(Fault::at(item.span(), format!("{} is infinite", shown(key)))) }
    };
    items.iter().map(finite).collect()
}

pub(super) fn count(value: &Spanned<DeValue<'_>>, key: &str, least: u64) -> Result<u64, Fault> {
    let given = number(value, key)?;
    if given < least as f64 || given.fract() != 0.0 || given > MOST_COUNT {
        return Err(Fault::at(value.span(), format!("`{key}` is {given}"))
            .label(format!("expected a whole number of at least {least}")));
    }
    Ok(given as u64)
}

pub(super) fn word(value: &Spanned<DeValue<'_>>, key: &str, words: &[&str]) -> Result<usize, Fault> {
    let text = string(value, key)?;
    words
        .iter()
        .position(|word| *word == text)
        .ok_or_else(|| unknown_word(value.span(), &format!("`{key}`"), text, words))
}

fn unknown_word(span: Range<usize>, what: &str, text: &str, words: &[&str]) -> Fault {
    let fault = Fault::at(span, format!("there is no {what} {}", shown(text)));
    match nearest(text, words.iter().copied()) {
        Some(near) => fault.label(format!("did you mean {}?", shown(near))),
        None => fault.label(format!("expected one of {}", listed(words.iter().copied().take(12)))),
    }
}

pub(super) fn unknown(key: &Spanned<std::borrow::Cow<'_, str>>, place: &str, known: &[&str]) -> Fault {
    let fault = Fault::at(key.span(), format!("unknown key {} in {place}", shown(key.get_ref())));
    match nearest(key.get_ref(), known.iter().copied()) {
        Some(near) => fault.label(format!("did you mean `{near}`?")),
        None => fault.label("not a key of it").help(format!("known keys: {}", listed(known.iter().copied()))),
    }
}

fn stem(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
