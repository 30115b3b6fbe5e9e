//! A table of the file, checked against its schema.

use super::fault::{Fault, listed, shown};
use super::law::is_parameter;
use super::name::check_name;
use super::numbers::{Numbers, about, described};
use super::own::OwnLaws;
use super::schema::{Field, Kind, Layout, Need, TOP, Table};
use super::suggest::nearest;
use carom::Dimension;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table whose keys are known and whose values have the form the schema asks for.
#[derive(Debug)]
pub(crate) struct TableReader<'a> {
    schema: &'static Table,
    /// The table's header, or its key when it is an inline table.
    pub span: Range<usize>,
    entries: Vec<Entry<'a>>,
}

/// A key that is given.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub field: &'static Field,
    /// Whether it is a parameter of a law.
    pub is_parameter: bool,
    pub key_span: Range<usize>,
    pub span: Range<usize>,
    value: Given<'a>,
}

#[derive(Debug)]
enum Given<'a> {
    Text(&'a str),
    Flag(bool),
    Word(usize),
    Words([usize; 2]),
    Pair([(&'a str, Range<usize>); 2]),
    Numbers(Numbers),
    Tables(Vec<TableReader<'a>>),
}

impl<'a> TableReader<'a> {
    /// Reads a table and all tables below it; the first fault in the order of the file is reported.
    pub fn read(schema: &'static Table, span: Range<usize>, table: &'a DeTable<'a>) -> Result<TableReader<'a>, Fault> {
        TableReader::read_with(schema, span, table, &OwnLaws::default())
    }

    /// The same with the keys of laws that are none of the catalogue.
    pub fn read_with(
        schema: &'static Table,
        span: Range<usize>,
        table: &'a DeTable<'a>,
        own: &OwnLaws,
    ) -> Result<TableReader<'a>, Fault> {
        let mut given: Vec<_> = table.iter().collect();
        given.sort_by_key(|(key, _)| key.span().start);
        let mut entries = Vec::with_capacity(given.len());
        for (key, value) in given {
            let Some(field) = own.field(schema, key.get_ref()).or_else(|| schema.field(key.get_ref())) else {
                return Err(unknown_key(schema, key.get_ref(), key.span(), own));
            };
            entries.push(Entry {
                field,
                is_parameter: is_parameter(field.key) || schema.field(field.key).is_none(),
                key_span: key.span(),
                span: value.span(),
                value: read(field, value, own)?,
            });
        }
        let reader = TableReader { schema, span, entries };
        reader.check_completeness()?;
        Ok(reader)
    }

    fn check_completeness(&self) -> Result<(), Fault> {
        if let Some(field) = self.schema.fields.iter().find(|f| f.need == Need::Required && self.entry(f.key).is_none())
        {
            return Err(self.missing(field));
        }
        let title = self.schema.title();
        match &self.entries[..] {
            [] if self.schema.exactly_one => Err(Fault::at(self.span.clone(), format!("{title} is empty"))
                .label("expected one key")
                .help(format!("known keys: {}", listed(self.schema.keys())))),
            [first, second, ..] if self.schema.exactly_one => {
                Err(Fault::at(second.key_span.clone(), format!("{title} has more than one key"))
                    .label("expected no second key")
                    .context(first.key_span.clone(), "the first"))
            }
            _ => Ok(()),
        }
    }

    /// The fault of a key that is not given.
    pub fn missing(&self, field: &Field) -> Fault {
        Fault::at(self.span.clone(), format!("{} has no `{}`", self.title(), field.key))
            .label(format!("expected `{}`: {}", field.key, field.kind.words()))
            .help(about(field))
    }

    /// How messages call this table: its header, with its name if it has one.
    pub fn title(&self) -> String {
        match self.text("name") {
            Some(name) => format!("{} {}", self.noun(), shown(name)),
            None => self.schema.title(),
        }
    }

    /// What the table describes, in one word: `body`.
    pub fn noun(&self) -> String {
        self.schema.header.trim_matches(['[', ']']).replace('_', " ")
    }

    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// Whether any of its numbers decides between planar and spatial.
    pub fn tells_dimension(&self) -> bool {
        self.entries.iter().any(|entry| entry.dimension().is_some())
    }

    /// The same, to put other numbers in their places.
    pub fn entries_mut(&mut self) -> &mut [Entry<'a>] {
        &mut self.entries
    }

    pub fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.field.key == key)
    }

    pub fn text(&self, key: &str) -> Option<&'a str> {
        match self.entry(key)?.value {
            Given::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a flag is set; nothing where it is not given.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.entry(key)?.value {
            Given::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub fn word(&self, key: &str) -> Option<usize> {
        match self.entry(key)?.value {
            Given::Word(place) => Some(place),
            _ => None,
        }
    }

    pub fn words(&self, key: &str) -> Option<[usize; 2]> {
        match self.entry(key)?.value {
            Given::Words(places) => Some(places),
            _ => None,
        }
    }

    pub fn pair(&self, key: &str) -> Option<&[(&'a str, Range<usize>); 2]> {
        match &self.entry(key)?.value {
            Given::Pair(pair) => Some(pair),
            _ => None,
        }
    }

    pub fn numbers(&self, key: &str) -> Option<&Numbers> {
        self.entry(key)?.numbers()
    }

    /// Numbers that other keys make necessary.
    pub fn require(&self, key: &str) -> Result<&Numbers, Fault> {
        self.numbers(key).ok_or_else(|| match self.schema.field(key) {
            Some(field) => self.missing(field),
            None => Fault::at(self.span.clone(), format!("{} has no `{key}`", self.title())),
        })
    }

    pub fn table(&self, key: &str) -> Option<&TableReader<'a>> {
        self.tables(key).first()
    }

    pub fn tables(&self, key: &str) -> &[TableReader<'a>] {
        self.entry(key).map_or(&[], Entry::tables)
    }

    /// Where a value stands, or the header if it is not given.
    pub fn span_of(&self, key: &str) -> Range<usize> {
        self.entry(key).map_or_else(|| self.span.clone(), |entry| entry.span.clone())
    }
}

impl<'a> Entry<'a> {
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.value {
            Given::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    pub fn numbers_mut(&mut self) -> Option<&mut Numbers> {
        match &mut self.value {
            Given::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The tables below the key.
    pub fn tables(&self) -> &[TableReader<'a>] {
        match &self.value {
            Given::Tables(tables) => tables,
            _ => &[],
        }
    }

    pub fn tables_mut(&mut self) -> &mut [TableReader<'a>] {
        match &mut self.value {
            Given::Tables(tables) => tables,
            _ => &mut [],
        }
    }

    /// The kind of scene this entry belongs to, if it decides it.
    pub fn dimension(&self) -> Option<Dimension> {
        self.numbers()?.dimension
    }

    /// The value as a parameter of a law: a single number, or the place of a word in its list.
    pub fn parameter(&self) -> Option<f64> {
        match &self.value {
            Given::Numbers(numbers) if numbers.layout == Layout::Number => Some(numbers.first()),
            Given::Word(place) => Some(*place as f64),
            _ => None,
        }
    }
}

fn read<'a>(field: &'static Field, value: &'a Spanned<DeValue<'a>>, own: &OwnLaws) -> Result<Given<'a>, Fault> {
    match (&field.kind, value.get_ref()) {
        (Kind::Text, DeValue::String(text)) => {
            if matches!(field.key, "name" | "title") {
                check_name(field.key, text, value.span())?;
            }
            Ok(Given::Text(text))
        }
        (Kind::Flag, DeValue::Boolean(flag)) => Ok(Given::Flag(*flag)),
        (Kind::Word(words), DeValue::String(text)) => Ok(Given::Word(place(field, words, text, value.span())?)),
        (Kind::Words(words), DeValue::Array(items)) => match &items[..] {
            [a, b] => match (a.get_ref(), b.get_ref()) {
                (DeValue::String(first), DeValue::String(second)) => {
                    Ok(Given::Words([place(field, words, first, a.span())?, place(field, words, second, b.span())?]))
                }
                _ => Err(wrong_kind(field, value)),
            },
            _ => Err(wrong_kind(field, value)),
        },
        (Kind::Pair, DeValue::Array(items)) => match &items[..] {
            [a, b] => match (a.get_ref(), b.get_ref()) {
                (DeValue::String(first), DeValue::String(second)) => {
                    Ok(Given::Pair([(first, a.span()), (second, b.span())]))
                }
                _ => Err(wrong_kind(field, value)),
            },
            _ => Err(wrong_kind(field, value)),
        },
        (Kind::Numbers(forms), _) => Numbers::read(field, forms, value).map(Given::Numbers),
        (Kind::Table(schema), DeValue::Table(table)) => {
            Ok(Given::Tables(vec![TableReader::read_with(schema, value.span(), table, own)?]))
        }
        (Kind::Tables(schema), DeValue::Array(items)) => {
            let tables = items.iter().map(|item| match item.get_ref() {
                DeValue::Table(table) => TableReader::read_with(schema, item.span(), table, own),
                _ => Err(wrong_kind(field, item)),
            });
            tables.collect::<Result<_, _>>().map(Given::Tables)
        }
        _ => Err(wrong_kind(field, value)),
    }
}

fn wrong_kind(field: &Field, value: &Spanned<DeValue<'_>>) -> Fault {
    let help = match field.kind {
        Kind::Tables(table) => format!("write `{}`, with double brackets, once for each", table.header),
        _ => about(field),
    };
    Fault::at(value.span(), format!("`{}` is {}", field.key, described(value.get_ref())))
        .label(format!("expected {}", field.kind.words()))
        .help(help)
}

/// The place of a word in the list of those a field knows.
fn place(field: &Field, words: &[&'static str], text: &str, span: Range<usize>) -> Result<usize, Fault> {
    words.iter().position(|word| *word == text).ok_or_else(|| unknown_word(field, words, text, span))
}

fn unknown_word(field: &Field, words: &[&'static str], text: &str, span: Range<usize>) -> Fault {
    let what = match field.key {
        "id" => "law".to_owned(),
        "materials" => "material".to_owned(),
        key => format!("`{key}`"),
    };
    let label = match nearest(text, words.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        // The help lists them.
        None => String::new(),
    };
    Fault::at(span, format!("there is no {what} {}", shown(text)))
        .label(label)
        .help(format!("expected one of {}", listed(words.iter().copied())))
}

fn unknown_key(schema: &Table, key: &str, span: Range<usize>, own: &OwnLaws) -> Fault {
    let fault = Fault::at(span, format!("unknown key {} in {}", shown(key), schema.title()));
    // A key that another table knows is more likely misplaced than misspelt.
    let scenario = TOP.with_descendants();
    let is_of_scenario = scenario.iter().any(|table| std::ptr::eq(*table, schema));
    let known =
        scenario.into_iter().filter(|table| table.field(key).is_some() || own.homes(key).contains(&table.header));
    let mut homes: Vec<_> = known.map(Table::title).collect();
    let keys = || schema.keys().chain(own.keys(schema));
    if is_of_scenario && !homes.is_empty() {
        homes.dedup();
        // A table of the same name further up knows it, as a compound its pieces.
        if homes == [schema.title()] {
            return fault.label("expected none here").help(format!("known keys: {}", listed(keys())));
        }
        return fault.label(format!("belongs in {}", homes.join(" or ")));
    }
    match nearest(key, keys()) {
        Some(near) => fault.label(format!("did you mean `{near}`?")),
        None => fault.label("not a key of this table").help(format!("known keys: {}", listed(keys()))),
    }
}
