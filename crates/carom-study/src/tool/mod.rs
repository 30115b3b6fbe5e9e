//! Small calculations that belong to no law: bodies for a mass matrix, contacts under load, laws near the sphere, and the audit of a
//! measured impulse. Each gives facts, which are text for people and JSON for programs.

mod disk;
mod hertz;
mod measured;
mod mindlin;
mod near_sphere;
mod realise;

pub use disk::{disk_facts, disk_sheet};
pub use hertz::hertz_facts;
pub use measured::measured_facts;
pub use mindlin::{mindlin_facts, mindlin_sheet};
pub use near_sphere::near_sphere_facts;
pub use realise::{Pair, Pairing, pair_facts, pair_scenario};

use crate::terminal::{WIDTH, broken, number, wrapped};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A result: its key in JSON, its name and unit in text, and its value.
#[derive(Clone, Debug)]
pub struct Fact {
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    value: Value,
}

impl Fact {
    /// A quantity; one that is not defined is `null`.
    fn number(key: &'static str, name: &'static str, value: impl Into<Option<f64>>, unit: &'static str) -> Fact {
        Fact { key, name, unit, value: json!(value.into().map(|value| value + 0.0)) }
    }

    /// Several numbers.
    fn list<'a>(
        key: &'static str,
        name: &'static str,
        values: impl IntoIterator<Item = &'a f64>,
        unit: &'static str,
    ) -> Fact {
        Fact { key, name, unit, value: values.into_iter().map(|value| value + 0.0).collect() }
    }

    /// A sentence.
    fn words(key: &'static str, name: &'static str, words: impl Into<String>) -> Fact {
        Fact { key, name, unit: "", value: Value::String(words.into()) }
    }

    /// Yes or no.
    fn verdict(key: &'static str, name: &'static str, holds: bool) -> Fact {
        Fact { key, name, unit: "", value: Value::Bool(holds) }
    }

    /// Yes, no, or not defined.
    fn maybe(key: &'static str, name: &'static str, holds: Option<bool>) -> Fact {
        Fact { key, name, unit: "", value: json!(holds) }
    }

    fn shown(&self) -> String {
        match &self.value {
            Value::Null => "–".to_owned(),
            Value::Bool(holds) => if *holds { "yes" } else { "no" }.to_owned(),
            Value::String(words) => words.clone(),
            Value::Array(values) => {
                let numbers: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
                let scale = numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                let entries: Vec<String> = numbers.iter().map(|x| number(*x, scale)).collect();
                format!("({}) {}", entries.join(", "), self.unit)
            }
            value => format!("{} {}", number(value.as_f64().unwrap_or(f64::NAN), 0.0), self.unit),
        }
    }
}

/// Facts as text, a line each.
pub fn facts_text(title: &str, facts: &[Fact]) -> String {
    let width = facts.iter().map(|fact| fact.name.chars().count()).max().unwrap_or(0) + 2;
    let mut text = format!("{}\n", broken(title, WIDTH));
    for fact in facts {
        let line = format!("  {:width$}{}", fact.name, fact.shown());
        let _ = writeln!(text, "{}", wrapped(line.trim_end(), width + 2));
    }
    text
}

/// Facts as one JSON object.
pub fn facts_json(facts: &[Fact]) -> Value {
    Value::Object(facts.iter().map(|fact| (fact.key.to_owned(), fact.value.clone())).collect::<Map<_, _>>())
}
