//! The place of a value in a scenario file: `contact[0].friction`, `body.rod.velocity[1]`, `law.id`.

use super::fault::{Fault, listed, shown};
use super::schema::{Field, Kind, TOP, Table};
use super::suggest::nearest;
use carom::laws;
use std::fmt;
use toml_edit::{Array, InlineTable, Item, TableLike, Value};

/// A place as it is written: keys separated by dots, elements by their number from 0. Of several tables of one kind, as `[[contact]]`,
/// a number or the name of a body chooses one; without either all are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    text: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Element(usize),
}

/// One value of a document that a place means.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The tables that lead to it.
    tables: Vec<Room>,
    /// Its key.
    pub(crate) field: &'static Field,
    /// Its row and column in a list or matrix, as far as they are given.
    pub(crate) element: Vec<usize>,
}

/// A table on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// The table below a key.
    Table(&'static str),
    /// One of the tables below a key.
    Entry(&'static str, usize),
}

impl Place {
    /// Reads a place; an error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Place, String> {
        let malformed = |what: &str| Err(format!("{} is not a place in a scenario: {what}", shown(text)));
        let mut steps = Vec::new();
        let mut rest = text.trim();
        if rest.is_empty() {
            return malformed("expected a key, for instance `contact.friction`");
        }
        loop {
            let (key, after) = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => match rest[1..].split_once(quote) {
                    Some(pair) => pair,
                    None => return malformed("a quotation mark is not closed"),
                },
                _ => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
            };
            if key.is_empty() {
                return malformed("a key is missing");
            }
            steps.push(Step::Key(key.to_owned()));
            rest = after;
            while let Some(inside) = rest.strip_prefix('[') {
                let Some((number, after)) = inside.split_once(']') else {
                    return malformed("a bracket is not closed");
                };
                let Ok(number) = number.trim().parse() else {
                    return malformed("expected a number from 0 between brackets");
                };
                steps.push(Step::Element(number));
                rest = after;
            }
            if rest.is_empty() {
                return Ok(Place { text: text.trim().to_owned(), steps });
            }
            let Some(after) = rest.strip_prefix('.') else {
                return malformed("expected a dot between keys");
            };
            rest = after;
        }
    }

    /// The values of a document that this place means; at least one. The fault has no place in any text.
    pub(crate) fn targets(&self, document: &dyn TableLike) -> Result<Vec<Target>, Fault> {
        let mut found = Vec::new();
        self.collect(&self.steps, Level { schema: &TOP, table: Some(document) }, &mut Vec::new(), &mut found)?;
        Ok(found)
    }

    fn collect(
        &self,
        steps: &[Step],
        level: Level<'_>,
        tables: &mut Vec<Room>,
        found: &mut Vec<Target>,
    ) -> Result<(), Fault> {
        let Some((Step::Key(key), rest)) = steps.split_first() else {
            return Err(fault(format!("{} is a table", shown(&self.text))).help(known_keys(level.schema)));
        };
        let field = level.schema.field(key).ok_or_else(|| self.unknown(key, level.schema))?;
        let item = level.table.and_then(|table| table.get(field.key));
        match field.kind {
            Kind::Table(inner) => {
                tables.push(Room::Table(field.key));
                let table = item.and_then(Item::as_table_like);
                self.collect(rest, Level { schema: inner, table }, tables, found)?;
                tables.pop();
                Ok(())
            }
            Kind::Tables(inner) => {
                let entries = entries(item);
                let (chosen, rest) = self.chosen(field, &entries, rest)?;
                for k in chosen {
                    tables.push(Room::Entry(field.key, k));
                    self.collect(rest, Level { schema: inner, table: Some(entries[k]) }, tables, found)?;
                    tables.pop();
                }
                Ok(())
            }
            _ => {
                let element: Option<Vec<usize>> = rest
                    .iter()
                    .map(|step| match step {
                        Step::Element(k) => Some(*k),
                        Step::Key(_) => None,
                    })
                    .collect();
                let element =
                    element.ok_or_else(|| fault(format!("`{}` in {} is no table", field.key, shown(&self.text))))?;
                if !element.is_empty() {
                    self.check_element(field, item, &element)?;
                }
                found.push(Target { tables: tables.clone(), field, element });
                Ok(())
            }
        }
    }

    /// Which of several tables are meant, and the steps after those that choose them.
    fn chosen<'s>(
        &self,
        field: &'static Field,
        entries: &[&dyn TableLike],
        rest: &'s [Step],
    ) -> Result<(Vec<usize>, &'s [Step]), Fault> {
        let named = |name: &str| entries.iter().position(|entry| name_of(*entry) == Some(name));
        if entries.is_empty() {
            return Err(fault(format!("the scenario has no `[[{}]]`", field.key)));
        }
        match rest.split_first() {
            Some((Step::Element(k), rest)) if *k < entries.len() => Ok((vec![*k], rest)),
            Some((Step::Element(_), _)) => {
                let last = entries.len() - 1;
                Err(fault(format!("{}: there is no such `[[{}]]`", shown(&self.text), field.key)).label(if last == 0 {
                    "expected number 0".to_owned()
                } else {
                    format!("expected a number from 0 to {last}")
                }))
            }
            Some((Step::Key(name), rest)) if named(name).is_some() => Ok((named(name).into_iter().collect(), rest)),
            Some((Step::Key(key), [_, ..])) if field_of(field, key).is_none() => {
                let names: Vec<&str> = entries.iter().filter_map(|entry| name_of(*entry)).collect();
                let fault = fault(format!("there is no `[[{}]]` called {}", field.key, shown(key)));
                Err(match nearest(key, names.iter().copied()) {
                    Some(near) => fault.label(format!("did you mean {}?", shown(near))),
                    None => fault.label(format!("expected one of {}", listed(names.into_iter().take(10)))),
                })
            }
            _ => Ok(((0..entries.len()).collect(), rest)),
        }
    }

    /// Refuses an element of a list that is not there.
    fn check_element(&self, field: &Field, item: Option<&Item>, element: &[usize]) -> Result<(), Fault> {
        let Some(Item::Value(value)) = item else {
            return Err(fault(format!("{}: the scenario has no `{}`", shown(&self.text), field.key))
                .label("expected the whole list"));
        };
        let mut value = value;
        for k in element {
            value = value.as_array().and_then(|list| list.get(*k)).ok_or_else(|| {
                let length = value.as_array().map_or(0, Array::len);
                let fault = fault(format!("{}: `{}` has no element {k}", shown(&self.text), field.key));
                match length {
                    0 => fault.label("it is no list"),
                    length => fault.label(format!("expected a number from 0 to {}", length - 1)),
                }
            })?;
        }
        Ok(())
    }

    fn unknown(&self, key: &str, schema: &Table) -> Fault {
        let fault = fault(format!("{}: unknown key {} in {}", shown(&self.text), shown(key), schema.title()));
        match nearest(key, schema.keys()) {
            Some(near) => fault.label(format!("did you mean `{near}`?")),
            None => fault.label("not a key of this table").help(known_keys(schema)),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Target {
    /// The tables that lead to the value.
    pub(crate) fn tables(&self) -> &[Room] {
        &self.tables
    }

    /// Whether the value is a word.
    pub(crate) fn takes_words(&self) -> bool {
        matches!(self.field.kind, Kind::Word(_) | Kind::Text | Kind::Flag)
    }

    /// The words that it can be.
    pub(crate) fn words(&self) -> Option<&[&'static str]> {
        match &self.field.kind {
            Kind::Word(words) => Some(words),
            _ => None,
        }
    }

    /// Whether it is a parameter of a law.
    pub(crate) fn is_parameter(&self) -> bool {
        laws::every().flat_map(|law| law.parameters).any(|parameter| parameter.key == self.field.key)
    }

    /// Whether both set the same value, or one a part of the other.
    pub(crate) fn overlaps(&self, other: &Target) -> bool {
        let same = self.tables == other.tables && std::ptr::eq(self.field, other.field);
        same && self.element.iter().zip(&other.element).all(|(one, two)| one == two)
    }

    /// Whether the document has a value there.
    pub(super) fn is_given(&self, document: &dyn TableLike) -> bool {
        let mut table = document;
        for room in &self.tables {
            let inner = match room {
                Room::Table(key) => table.get(key).and_then(Item::as_table_like),
                Room::Entry(key, k) => entries(table.get(key)).get(*k).copied(),
            };
            match inner {
                Some(inner) => table = inner,
                None => return false,
            }
        }
        table.contains_key(self.field.key)
    }

    /// Puts a value at this place; tables that are not there yet are made.
    pub(super) fn set(&self, document: &mut dyn TableLike, value: &Value) {
        let mut table = document;
        for (depth, room) in self.tables.iter().enumerate() {
            match enter(table, room, depth == 0) {
                Some(inner) => table = inner,
                None => return,
            }
        }
        match &self.element[..] {
            [] => put(table, self.field.key, value.clone()),
            element => {
                let matrix = table.get_mut(self.field.key).and_then(Item::as_array_mut);
                if let Some(matrix) = matrix {
                    put_element(matrix, element, value);
                    // Of a symmetric matrix both entries are one number.
                    if let ([row, column], true) = (element, SYMMETRIC.contains(&self.field.key))
                        && row != column
                    {
                        put_element(matrix, &[*column, *row], value);
                    }
                }
            }
        }
    }
}

/// Keys whose matrices are symmetric.
const SYMMETRIC: [&str; 2] = ["inverse_mass", "inertia"];

fn fault(message: String) -> Fault {
    Fault::of_the_file(message)
}

/// A table that is being searched, as far as the document has it.
#[derive(Clone, Copy)]
struct Level<'a> {
    schema: &'static Table,
    table: Option<&'a dyn TableLike>,
}

/// The tables below a key.
fn entries(item: Option<&Item>) -> Vec<&dyn TableLike> {
    match item {
        Some(Item::ArrayOfTables(list)) => list.iter().map(|table| table as &dyn TableLike).collect(),
        Some(Item::Value(Value::Array(list))) => {
            list.iter().filter_map(|value| value.as_inline_table().map(|table| table as &dyn TableLike)).collect()
        }
        _ => Vec::new(),
    }
}

/// A table below another one. It is made where it is missing: with a header of its own at the top of the document, else inline.
fn enter<'t>(table: &'t mut dyn TableLike, room: &Room, top: bool) -> Option<&'t mut dyn TableLike> {
    match room {
        Room::Table(key) => {
            let missing = || if top { toml_edit::table() } else { toml_edit::value(InlineTable::new()) };
            table.entry(key).or_insert_with(missing).as_table_like_mut()
        }
        Room::Entry(key, k) => match table.get_mut(key)? {
            Item::ArrayOfTables(list) => list.get_mut(*k).map(|table| table as &mut dyn TableLike),
            Item::Value(Value::Array(list)) => {
                let inline = list.get_mut(*k).and_then(Value::as_inline_table_mut);
                inline.map(|table| table as &mut dyn TableLike)
            }
            _ => None,
        },
    }
}

/// Puts a value below a key, between the spaces and comments of the one that was there.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    if let Some(Item::Value(old)) = table.get(key) {
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(key, Item::Value(value));
}

fn put_element(list: &mut Array, element: &[usize], value: &Value) {
    match element {
        [k] => {
            if let Some(slot) = list.get_mut(*k) {
                let decor = slot.decor().clone();
                *slot = value.clone();
                *slot.decor_mut() = decor;
            }
        }
        [k, rest @ ..] => {
            if let Some(inner) = list.get_mut(*k).and_then(Value::as_array_mut) {
                put_element(inner, rest, value);
            }
        }
        [] => {}
    }
}

fn name_of(table: &dyn TableLike) -> Option<&str> {
    table.get("name")?.as_str()
}

/// A key of the tables of an array.
fn field_of(field: &'static Field, key: &str) -> Option<&'static Field> {
    match field.kind {
        Kind::Tables(inner) => inner.field(key),
        _ => None,
    }
}

fn known_keys(schema: &Table) -> String {
    format!("known keys: {}", listed(schema.keys()))
}
