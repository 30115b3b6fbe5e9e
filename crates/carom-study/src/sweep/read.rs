//! Reading a plan; every fault has its place.

use super::axes::{Axes, zip_group};
use super::figure::Figures;
use super::output::Request;
use super::plan::{Command, LawParameters, Plan};
use super::sample::{SOBOL_VARIABLES, Sampling};
use super::value::{Entry, array, count, in_order, number, read_seed, string, unknown, unknown_word, word, wrong};
use super::variable::Draw;
use crate::scenario::{Changeable, Fault, ScenarioError, read_text_of, shown};
use carom::laws::{self, Kind};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

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

pub(super) fn read(path: &Path) -> Result<Plan, ScenarioError> {
    let name = path.display().to_string();
    let text = read_text_of(path, "plan").map_err(|fault| ScenarioError::new(&name, "", fault))?;
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
        let seed = self.get("seed").map_or(Ok(0), read_seed)?;
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

fn stem(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
