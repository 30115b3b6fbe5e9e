//! What is written of each row: paths in the JSON of a result.

use crate::scenario::{Fault, shown};
use serde_json::Value;
use std::ops::Range;

/// An output that a plan asks for.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Its column, or the beginning of its columns' names.
    pub(super) name: String,
    pub(super) path: Vec<Step>,
    /// The path as the JSON has it.
    pub(super) text: String,
    /// Where it stands in the plan.
    pub(super) span: Range<usize>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    /// An element; negative ones count from the end.
    Element(i64),
}

/// Short names of outputs of one contact.
const SHORT: [(&str, &str); 6] = [
    ("mode", "contacts[0].mode"),
    ("impulse", "contacts[0].local.impulse"),
    ("velocity_before", "contacts[0].local.velocity_before"),
    ("velocity_after", "contacts[0].local.velocity_after"),
    ("W", "problem.inverse_mass"),
    ("work", "contacts[0].work"),
];

impl Request {
    /// Reads a path; `name` is that of the column, if it has one of its own.
    pub(super) fn parse(text: &str, name: Option<&str>, span: Range<usize>) -> Result<Request, Fault> {
        let malformed = || {
            Fault::at(span.clone(), format!("{} is no path in a result", shown(text)))
                .label("expected keys and elements, for instance `contacts[0].local.impulse`")
        };
        let head = text.find(['.', '[']).unwrap_or(text.len());
        let long = SHORT.iter().find(|(short, _)| *short == &text[..head]);
        let full = long.map_or_else(|| text.to_owned(), |(_, long)| format!("{long}{}", &text[head..]));
        let mut path = Vec::new();
        for part in full.split('.') {
            let (key, elements) = part.split_at(part.find('[').unwrap_or(part.len()));
            if key.is_empty() {
                return Err(malformed());
            }
            path.push(Step::Key(key.to_owned()));
            let mut rest = elements;
            while let Some((number, after)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
                path.push(Step::Element(number.parse().map_err(|_| malformed())?));
                rest = after;
            }
            if !rest.is_empty() {
                return Err(malformed());
            }
        }
        Ok(Request { name: name.unwrap_or(text).to_owned(), path, text: full, span })
    }

    /// The part of a result that it asks for; `audit` is in one word what the audit finds.
    pub(super) fn find(&self, result: &Value) -> Option<Value> {
        if self.text == "audit" {
            return audit_word(&result["audit"]);
        }
        let mut value = result;
        for step in &self.path {
            value = match (step, value) {
                (Step::Key(key), Value::Object(object)) => object.get(key)?,
                // Of bodies and other things with names, the one that is called so.
                (Step::Key(key), Value::Array(items)) => items.iter().find(|item| item["name"] == key.as_str())?,
                (Step::Element(k), Value::Array(items)) => {
                    let place = if *k < 0 { items.len().checked_sub(k.unsigned_abs() as usize)? } else { *k as usize };
                    items.get(place)?
                }
                _ => return None,
            };
        }
        Some(value.clone())
    }

    /// Its column, if nothing is known of its values.
    pub(super) fn column(&self) -> Column {
        let (name, unit) = (self.name.clone(), unit_of(&self.text).to_owned());
        Column { name, unit, kind: Kind::Numbers, optional: true }
    }

    /// The key of the result below which it is.
    pub(super) fn first_key(&self) -> Option<&str> {
        match self.path.first() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Whether it may be the angle of a body at the end of a run, which counts whole turns.
    pub(super) fn asks_for_turns(&self) -> bool {
        let vector = |key: &str| ["position", "velocity", "angular_velocity"].contains(&key);
        let body = self.path.get(2..).unwrap_or_default();
        self.first_key() == Some("end") && !body.iter().any(|step| matches!(step, Step::Key(key) if vector(key)))
    }
}

/// The findings of an audit, joined by `+`; `ok` without any.
fn audit_word(audit: &Value) -> Option<Value> {
    let findings: Vec<&str> =
        audit.as_object()?.iter().filter(|(_, finding)| *finding != "ok").map(|(key, _)| key.as_str()).collect();
    Some(if findings.is_empty() { "ok".into() } else { findings.join("+").into() })
}

/// A column of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) kind: Kind,
    /// Whether rows may have no value.
    pub(super) optional: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Numbers,
    Words,
}

/// The leaves of an output in some results: their names, and what they hold as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves(Vec<(String, Option<Kind>)>);

impl Leaves {
    /// Adds those of a result.
    pub(super) fn add(&mut self, request: &Request, value: &Value) {
        spread(&request.name, value, &mut |name, leaf| {
            let kind = match leaf {
                Value::Null => None,
                Value::Number(_) => Some(Kind::Numbers),
                Value::String(word) if word == "inf" => Some(Kind::Numbers),
                _ => Some(Kind::Words),
            };
            match self.0.iter_mut().find(|(known, _)| known == name) {
                // What holds words once holds words.
                Some((_, known)) => {
                    *known = if kind == Some(Kind::Words) { kind } else { known.or(kind) };
                }
                None => self.0.push((name.to_owned(), kind)),
            }
        });
    }

    /// The columns, one for each leaf; a leaf without a value in all results is a number.
    pub(super) fn columns(self, request: &Request) -> Vec<Column> {
        let unit = unit_of(&request.text);
        let column = |(name, kind): (String, Option<Kind>)| Column {
            name,
            unit: unit.to_owned(),
            kind: kind.unwrap_or(Kind::Numbers),
            optional: true,
        };
        self.0.into_iter().map(column).collect()
    }
}

/// Calls a function with every leaf of a value, lists and objects element by element.
pub(super) fn spread(name: &str, value: &Value, leaf: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Array(items) => {
            for (k, item) in items.iter().enumerate() {
                spread(&format!("{name}[{k}]"), item, leaf);
            }
        }
        Value::Object(object) => {
            for (key, item) in object {
                spread(&format!("{name}.{key}"), item, leaf);
            }
        }
        value => leaf(name, value),
    }
}

/// The unit of an output, by the last key of its path that has one.
pub(super) fn unit_of(path: &str) -> &'static str {
    const UNITS: [(&str, &str); 22] = [
        ("velocity_before", "m/s"),
        ("velocity_after", "m/s"),
        ("angular_velocity", "rad/s"),
        ("velocity", "m/s"),
        ("impulse", "N s"),
        ("moment", "N m s"),
        ("position", "m"),
        ("angle", "rad"),
        ("time", "s"),
        ("duration", "s"),
        ("energy", "J"),
        ("energy_created", "J"),
        ("work", "J"),
        ("works", "J"),
        ("peak_force", "N"),
        ("peak_indentation", "m"),
        ("inverse_mass", "1/kg"),
        ("mass", "kg"),
        ("overlap", "m"),
        ("worst_energy_residual", "J"),
        ("impulse_n", "N s"),
        ("impulse_t1", "N s"),
    ];
    let keys = path.split(['.', '[', ']']).rev().filter(|key| !key.is_empty() && key.parse::<i64>().is_err());
    keys.into_iter().find_map(|key| UNITS.iter().find(|(known, _)| *known == key)).map_or("", |(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use serde_json::json;

    fn request(text: &str) -> Request {
        Request::parse(text, None, 0..0).unwrap()
    }

    #[test]
    fn paths_find_keys_elements_and_names() {
        let result = json!({
            "contacts": [{"mode": "sticking", "local": {"impulse": [1.0, 2.0, 0.0]}}],
            "bodies": [{"name": "rod", "velocity": [3.0, 4.0]}],
            "audit": {"energy": "creates 1 J", "friction": "ok"},
        });
        assert_eq!(request("impulse[1]").find(&result), Some(json!(2.0)));
        assert_eq!(request("contacts[-1].mode").find(&result), Some(json!("sticking")));
        assert_eq!(request("bodies.rod.velocity").find(&result), Some(json!([3.0, 4.0])));
        assert_eq!(request("audit").find(&result), Some(json!("energy")));
        assert_eq!(request("bodies.ball").find(&result), None);
        assert_eq!(request("contacts[3].mode").find(&result), None);
        let mut leaves = Leaves::default();
        leaves.add(&request("impulse"), &json!([1.0, null]));
        leaves.add(&request("impulse"), &json!([1.0, "inf", 0.0]));
        let columns = leaves.columns(&request("impulse"));
        assert_eq!(columns.len(), 3);
        assert_eq!(columns[1].kind, Kind::Numbers);
        assert_eq!((columns[1].name.as_str(), columns[1].unit.as_str()), ("impulse[1]", "N s"));
        assert!(Request::parse("a..b", None, 0..0).is_err() && Request::parse("a[x]", None, 0..0).is_err());
    }
}
