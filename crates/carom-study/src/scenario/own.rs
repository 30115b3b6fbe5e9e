//! Laws that are none of the catalogue, and the keys that they add to a file.

use super::law::is_parameter;
use super::schema::{Bounds, Field, Form, Kind, Layout, Need, Table};
use carom::laws::{self, Law, Parameter};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Tables that take the parameters of laws, one value each.
const TABLES: [&str; 5] = ["[law]", "[[material]]", "[[pair]]", "[[contact]]", "[collision]"];

/// Laws of a program's own, whose parameters a scenario may give as it gives those of the catalogue. Parameters that are
/// choices are only those of the catalogue.
#[derive(Clone, Debug, Default)]
pub struct OwnLaws {
    law: Option<&'static Law>,
    others: Vec<&'static Law>,
}

impl OwnLaws {
    /// `law` is the scenario's law; keys that it shares with the catalogue have its bounds. Of the `others` only the keys
    /// count that no law of the catalogue has.
    pub fn new(law: Option<&'static Law>, others: impl IntoIterator<Item = &'static Law>) -> OwnLaws {
        OwnLaws { law, others: others.into_iter().collect() }
    }

    /// The law of the scenario, if it is none of the catalogue.
    pub(super) fn law(&self) -> Option<&'static Law> {
        self.law
    }

    /// Whether a law has a parameter of this name that no law of the catalogue has.
    pub fn adds(law: &Law, key: &str) -> bool {
        !is_parameter(key) && law.parameters.iter().any(|parameter| parameter.key == key && bounds(parameter).is_some())
    }

    /// The tables in which a key stands that these laws add; none for other keys.
    pub(super) fn homes(&self, key: &str) -> &'static [&'static str] {
        if self.laws().any(|law| OwnLaws::adds(law, key)) { &TABLES } else { &[] }
    }

    /// The keys that these laws add to a table.
    pub(super) fn keys(&self, table: &Table) -> Vec<&'static str> {
        let mut keys: Vec<&'static str> = Vec::new();
        for law in self.laws().filter(|_| TABLES.contains(&table.header)) {
            for key in law.parameters.iter().map(|parameter| parameter.key) {
                if OwnLaws::adds(law, key) && !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// What a table takes for a key, where it is not what the schema says.
    pub(super) fn field(&self, table: &Table, key: &str) -> Option<&'static Field> {
        if !TABLES.contains(&table.header) {
            return None;
        }
        // What moves has no limit of an infinite parameter.
        let is_finite = matches!(table.header, "[[material]]" | "[[pair]]");
        let declared = |law: &'static Law| {
            let parameter = law.parameters.iter().find(|parameter| parameter.key == key)?;
            let bounds = bounds(parameter)?;
            Some((parameter.key, if is_finite { bounds.finite() } else { bounds }))
        };
        let chosen = self.law.and_then(declared);
        match table.field(key).map(|field| &field.kind) {
            None if is_parameter(key) => None,
            None => {
                let hull = |(key, a): (&'static str, Bounds), (_, b): (_, Bounds)| (key, a.hull(&b));
                let of_any = || self.others.iter().copied().filter_map(declared).reduce(hull);
                chosen.or_else(of_any).map(|(key, bounds)| field_of(key, bounds))
            }
            // Two numbers, one for each body, keep the form of the catalogue.
            Some(Kind::Numbers(forms)) if is_parameter(key) && forms.len() == 1 => {
                chosen.map(|(key, bounds)| field_of(key, bounds))
            }
            Some(_) => None,
        }
    }

    /// The scenario's law first.
    fn laws(&self) -> impl Iterator<Item = &'static Law> {
        self.law.into_iter().chain(self.others.iter().copied())
    }
}

/// The bounds of a number; nothing for a choice.
fn bounds(parameter: &Parameter) -> Option<Bounds> {
    match parameter.kind {
        laws::Kind::Number { least, greatest } => Some(Bounds { least, greatest, above: false }),
        laws::Kind::Choice(_) => None,
    }
}

/// Fields by their key and the bits of their bounds.
type Fields = HashMap<(&'static str, [u64; 2]), &'static Field>;

/// A key with a number within bounds. Readers hold fields for as long as the program lives: each is made once.
fn field_of(key: &'static str, bounds: Bounds) -> &'static Field {
    static FIELDS: LazyLock<Mutex<Fields>> = LazyLock::new(Mutex::default);
    let mut fields = FIELDS.lock().unwrap_or_else(PoisonError::into_inner);
    fields.entry((key, [bounds.least.to_bits(), bounds.greatest.to_bits()])).or_insert_with(|| {
        let forms = vec![Form { layout: Layout::Number, bounds, dimension: None }];
        Box::leak(Box::new(Field {
            key,
            kind: Kind::Numbers(Cow::Owned(forms)),
            unit: "",
            need: Need::Optional("as the law says"),
            doc: Cow::Borrowed("A parameter of a law of your own."),
        }))
    })
}
