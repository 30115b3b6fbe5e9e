//! Reading figures and tables: from a plan, or from `KEY=VALUE,…` of the command line.

use super::quantity::Quantity;
use super::{Data, Figure, FigureKind, Figures, Filter, Listing, Source, Wanted};
use crate::scenario::{Fault, ScenarioError, shown};
use crate::sweep::plan::Plan;
use crate::sweep::value::{array, count, in_order, number, numbers, string, unknown, word, wrong};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const FIGURE: [&str; 16] = [
    "title",
    "kind",
    "x",
    "y",
    "color",
    "facet",
    "share",
    "log",
    "x_range",
    "y_range",
    "equal",
    "quantiles",
    "labels",
    "names",
    "where",
    "data",
];
const LABELS: [&str; 4] = ["x", "y", "color", "facet"];
const DATA: [&str; 8] = ["file", "x", "y", "where", "points", "label", "line", "facet"];
const TABLE: [&str; 6] = ["columns", "titles", "digits", "decimals", "names", "where"];
const LOGS: [&str; 4] = ["x", "y", "xy", "none"];

/// What the command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// `--plot x=…,y=…`.
    Figure,
    /// `--table columns=…`.
    Table,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl Figures {
    /// Reads `[[figure]]` and `[table]` of a plan.
    pub(in crate::sweep) fn of(
        top: &DeTable<'_>,
        name: &str,
        text: &str,
        folder: Option<&Path>,
        [title, subtitle]: [String; 2],
    ) -> Result<Figures, Fault> {
        let charts = match top.get("figure") {
            None => Vec::new(),
            Some(value) => array(value, "figure")
                .map_err(|fault| fault.help("expected tables under `[[figure]]`"))?
                .iter()
                .map(figure)
                .collect::<Result<_, _>>()?,
        };
        let table = top.get("table").map(listing).transpose()?;
        let (name, text) = (name.to_owned(), text.to_owned());
        Ok(Figures { name, text, folder: folder.map(Path::to_owned), title, subtitle, charts, table })
    }

    /// Reads what the command line asks for, such as `x=contact.friction,y=energy.change,color=law.id`, for a plan.
    pub fn parse(text: &str, spec: Spec, plan: &Plan) -> Result<Figures, ScenarioError> {
        let (name, list, head) = match spec {
            Spec::Figure => ("--plot", "y", "[[figure]]"),
            Spec::Table => ("--table", "columns", "[table]"),
        };
        let mut keys: Vec<(&str, Vec<&str>)> = Vec::new();
        for item in text.split(',').map(str::trim) {
            match (item.split_once('='), keys.last_mut()) {
                (Some((key, value)), _) => keys.push((key.trim(), vec![value.trim()])),
                // A column more for a key with several.
                (None, Some((_, values))) => values.push(item),
                (None, None) => {
                    let fault = Fault::at(0..text.len(), format!("{} has no key", shown(item)));
                    return Err(ScenarioError::new(
                        name,
                        text,
                        fault.label("expected KEY=VALUE, for instance x=contact.friction"),
                    ));
                }
            }
        }
        let mut toml = format!("{head}\n");
        let mut filters: Vec<String> = Vec::new();
        for (key, values) in keys {
            let quoted: Vec<String> = values.iter().map(|value| toml_string(value)).collect();
            let is_number = |value: &str| value.parse::<f64>().is_ok();
            if let Some(column) = key.strip_prefix("where.") {
                let wanted = values.iter().zip(&quoted);
                let wanted: Vec<&str> =
                    wanted.map(|(value, quoted)| if is_number(value) { value } else { quoted.as_str() }).collect();
                filters.push(format!("{} = [{}]", toml_string(column), wanted.join(", ")));
                continue;
            }
            let plain = |value: &str| is_number(value) || matches!(value, "true" | "false");
            let line = match (quoted.as_slice(), key) {
                ([one], _) if key != list => {
                    let plain = plain(values[0]) && ["digits", "decimals", "equal", "share"].contains(&key);
                    format!("{key} = {}\n", if plain { values[0] } else { one })
                }
                _ if key.ends_with("range") || key == "quantiles" => format!("{key} = [{}]\n", values.join(", ")),
                _ => format!("{key} = [{}]\n", quoted.join(", ")),
            };
            toml.push_str(&line);
        }
        if !filters.is_empty() {
            toml.extend(["where = { ", &filters.join(", "), " }\n"]);
        }
        let document = crate::scenario::parse_toml(&toml, "expected KEY=VALUE,…")
            .map_err(|fault| ScenarioError::new(name, &toml, fault))?;
        let titles = [plan.title.clone(), plan.figures.subtitle.clone()];
        Figures::of(document.get_ref(), name, &toml, plan.figures.folder.as_deref(), titles)
            .map_err(|fault| ScenarioError::new(name, &toml, fault))
    }
}

fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn table_of<'a>(value: &'a Value<'a>, key: &str, known: &[&str]) -> Result<&'a DeTable<'a>, Fault> {
    let DeValue::Table(table) = value.get_ref() else { return Err(wrong(value, key, "a table")) };
    for (key_of_it, _) in in_order(table) {
        if !known.contains(&&**key_of_it.get_ref()) {
            return Err(unknown(key_of_it, &format!("`{key}`"), known));
        }
    }
    Ok(table)
}

fn figure(value: &Value<'_>) -> Result<Figure, Fault> {
    let table = table_of(value, "figure", &FIGURE)?;
    let labels = table.get("labels").map(|labels| table_of(labels, "labels", &LABELS)).transpose()?;
    let label = |key: &str| {
        let given = labels.and_then(|labels| labels.get(key));
        given.map(|given| string(given, key).map(str::to_owned)).transpose()
    };
    let labelled = |key: &str| {
        table.get(key).map(|given| Ok(Quantity { label: label(key)?, ..quantity(given, key)? })).transpose()
    };
    let missing = |key: &str| {
        Fault::at(value.span(), format!("the figure has no `{key}`")).label("expected a column or a formula")
    };
    let kind = table.get("kind").map_or(Ok(0), |given| word(given, "kind", &FigureKind::WORDS))?;
    let kind = FigureKind::ALL[kind];
    let mut y = match table.get("y") {
        None => return Err(missing("y")),
        Some(given) => match given.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| quantity(item, "y")).collect::<Result<Vec<_>, _>>()?,
            _ => vec![quantity(given, "y")?],
        },
    };
    if let Some(label) = label("y")? {
        for quantity in &mut y {
            quantity.label = Some(label.clone());
        }
    }
    let (x, color) = (labelled("x")?.ok_or_else(|| missing("x"))?, labelled("color")?);
    if y.is_empty() || (kind == FigureKind::Map && y.len() > 1) {
        return Err(Fault::at(value.span(), format!("the figure has {} columns `y`", y.len())).label("expected one"));
    }
    if kind == FigureKind::Map && color.is_none() {
        return Err(missing("color").help("a map shows words or numbers, `color`, over x and y"));
    }
    let log = match table.get("log") {
        None => [false; 2],
        Some(given) => {
            let word = LOGS[word(given, "log", &LOGS)?];
            ["x", "y"].map(|axis| word != "none" && word.contains(axis))
        }
    };
    let pair = |key: &str, what: &str| {
        let read = |given| {
            let pair = numbers(given, key, 2, what)?;
            if pair[0] < pair[1] {
                Ok([pair[0], pair[1]])
            } else {
                Err(Fault::at(given.span(), format!("`{key}` is empty")).label(format!("expected {what}")))
            }
        };
        table.get(key).map(read).transpose()
    };
    let range = |key: &str, log: bool| {
        let range = pair(key, "the least value, then a greater one")?;
        match (range, table.get(key)) {
            (Some([least, _]), Some(given)) if log && least <= 0.0 => {
                Err(Fault::at(given.span(), format!("`{key}` begins at {least}"))
                    .label("expected numbers above 0 of a logarithmic axis"))
            }
            _ => Ok(range),
        }
    };
    let quantiles = pair("quantiles", "two shares from 0 to 1")?.unwrap_or([0.0, 1.0]);
    if quantiles[0] < 0.0 || quantiles[1] > 1.0 {
        let span = table.get("quantiles").map_or(value.span(), Spanned::span);
        return Err(Fault::at(span, "a share is from 0 to 1").label("expected two shares from 0 to 1"));
    }
    Ok(Figure {
        title: table.get("title").map_or(Ok(""), |given| string(given, "title"))?.to_owned(),
        kind,
        x,
        y,
        color,
        facet: labelled("facet")?,
        log,
        ranges: [range("x_range", log[0])?, range("y_range", log[1])?],
        equal: truth(table, "equal", false)?,
        share: truth(table, "share", true)?,
        quantiles,
        names: names(table)?,
        filters: filters(table)?,
        data: match table.get("data") {
            None => Vec::new(),
            Some(given) => array(given, "data")?.iter().map(data).collect::<Result<_, _>>()?,
        },
        span: value.span(),
    })
}

fn quantity(value: &Value<'_>, key: &str) -> Result<Quantity, Fault> {
    let text = string(value, key)?.to_owned();
    Ok(Quantity { text, label: None, span: value.span() })
}

fn truth(table: &DeTable<'_>, key: &str, usual: bool) -> Result<bool, Fault> {
    match table.get(key).map(|value| (value, value.get_ref())) {
        None => Ok(usual),
        Some((_, DeValue::Boolean(truth))) => Ok(*truth),
        Some((value, _)) => Err(wrong(value, key, "true or false")),
    }
}

/// `names = { "routh-poisson" = "Routh" }`.
fn names(table: &DeTable<'_>) -> Result<Vec<(String, String)>, Fault> {
    let Some(value) = table.get("names") else { return Ok(Vec::new()) };
    let DeValue::Table(names) = value.get_ref() else {
        return Err(wrong(value, "names", "a table of words and their names"));
    };
    let pairs = in_order(names).into_iter();
    pairs.map(|(key, value)| Ok((key.get_ref().to_string(), string(value, key.get_ref())?.to_owned()))).collect()
}

/// `where = { "law.id" = ["smith", "routh-poisson"], "contact.friction" = 0.5 }`.
fn filters(table: &DeTable<'_>) -> Result<Vec<Filter>, Fault> {
    let Some(value) = table.get("where") else { return Ok(Vec::new()) };
    let DeValue::Table(filters) = value.get_ref() else {
        return Err(wrong(value, "where", "a table of columns and their values"));
    };
    let read = |(column, value): (&Spanned<std::borrow::Cow<'_, str>>, &Value<'_>)| {
        let wanted = match value.get_ref() {
            DeValue::Array(items) => items.iter().map(wanted).collect::<Result<_, _>>()?,
            _ => vec![wanted(value)?],
        };
        Ok(Filter { column: column.get_ref().to_string(), wanted, span: column.span() })
    };
    in_order(filters).into_iter().map(read).collect()
}

fn wanted(value: &Value<'_>) -> Result<Wanted, Fault> {
    match value.get_ref() {
        DeValue::String(word) => Ok(Wanted::Word(word.to_string())),
        _ => number(value, "where").map(Wanted::Number),
    }
}

fn data(value: &Value<'_>) -> Result<Data, Fault> {
    let table = table_of(value, "data", &DATA)?;
    let text = |key: &str| {
        let missing = || {
            Fault::at(value.span(), format!("the data have no `{key}`"))
                .label("expected `points`, or `file`, `x` and `y`")
        };
        table.get(key).ok_or_else(missing).and_then(|given| string(given, key).map(str::to_owned))
    };
    let source = match table.get("points") {
        Some(given) => {
            let point = |item| numbers(item, "points", 2, "x and y").map(|pair| [pair[0], pair[1]]);
            Source::Points(array(given, "points")?.iter().map(point).collect::<Result<_, _>>()?)
        }
        None => Source::File { file: text("file")?, x: text("x")?, y: text("y")?, filters: filters(table)? },
    };
    Ok(Data {
        source,
        label: table.get("label").map_or(Ok(""), |given| string(given, "label"))?.to_owned(),
        line: truth(table, "line", false)?,
        facet: table.get("facet").map(wanted).transpose()?,
        span: value.span(),
    })
}

fn listing(value: &Value<'_>) -> Result<Listing, Fault> {
    let table = table_of(value, "table", &TABLE)?;
    let Some(given) = table.get("columns") else {
        return Err(
            Fault::at(value.span(), "the table has no `columns`").label("expected a list of columns or formulas")
        );
    };
    let mut columns: Vec<Quantity> =
        array(given, "columns")?.iter().map(|item| quantity(item, "columns")).collect::<Result<_, _>>()?;
    if columns.is_empty() {
        return Err(Fault::at(given.span(), "`columns` is empty").label("expected at least one column"));
    }
    if let Some(titles) = table.get("titles") {
        let list = array(titles, "titles")?;
        if list.len() != columns.len() {
            return Err(Fault::at(titles.span(), format!("there are {} titles", list.len()))
                .label(format!("expected {}, one for each column", columns.len())));
        }
        for (column, title) in columns.iter_mut().zip(list) {
            column.label = Some(string(title, "titles")?.to_owned());
        }
    }
    let digits = table.get("digits").map_or(Ok(6), |given| count(given, "digits", 1))?;
    let decimals = table
        .get("decimals")
        .map(|given| count(given, "decimals", 0))
        .transpose()?
        .map(|decimals| decimals.min(17) as i32);
    Ok(Listing {
        columns,
        decimals,
        digits: digits.min(17) as i32,
        names: names(table)?,
        filters: filters(table)?,
        span: value.span(),
    })
}
