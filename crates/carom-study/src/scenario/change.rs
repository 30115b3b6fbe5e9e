//! Scenario files with other values: `--set contact.friction=0.4`, and the rows of a sweep.

use super::fault::{Fault, shown};
use super::place::{Place, Target};
use super::schema::MATERIAL_KEYS;
use super::write::{number as written, quoted};
use super::{ScenarioError, file};
use std::path::Path;
use toml_edit::{Array, DocumentMut, Value};

/// The text of a scenario file whose values can be changed.
#[derive(Clone, Debug)]
pub struct Changeable {
    name: String,
    text: String,
    document: DocumentMut,
}

/// One value that is set: `contact.friction=0.4`.
#[derive(Clone, Debug)]
pub struct Setting {
    place: Place,
    value: Value,
}

impl Setting {
    /// A value at a place.
    pub(crate) fn at(place: Place, value: Value) -> Setting {
        Setting { place, value }
    }

    /// Reads `PLACE=VALUE`; the value is TOML, or a word without quotation marks. An error says what is wrong.
    pub fn parse(text: &str) -> Result<Setting, String> {
        let Some((place, value)) = text.split_once('=') else {
            return Err("expected PLACE=VALUE, for instance contact.friction=0.4".to_owned());
        };
        let (place, value) = (Place::parse(place)?, value.trim());
        if value.is_empty() {
            return Err(format!("`{place}` is given no value"));
        }
        // A word such as `smith` stands for itself; a list or a string that is no TOML is a slip.
        let value = match value.parse::<Value>() {
            Ok(parsed) => parsed,
            Err(_) if value.starts_with(|c: char| c.is_alphabetic() || c == '_') => Value::from(value),
            Err(_) => return Err(format!("{} is no value; expected a number, a word or a list", shown(value))),
        };
        Ok(Setting { place, value })
    }
}

impl Changeable {
    /// Reads a scenario file.
    pub fn read(path: &Path) -> Result<Changeable, ScenarioError> {
        let name = path.display().to_string();
        let text = file::read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
        Changeable::parse(&name, &text)
    }

    /// Takes the text of a scenario file; `name` is what errors call it.
    pub fn parse(name: &str, text: &str) -> Result<Changeable, ScenarioError> {
        let document = text.parse::<DocumentMut>().map_err(|error| {
            let span = error.span().unwrap_or(text.len()..text.len());
            let fault = Fault::at(span, format!("this is not TOML: {}", error.message()));
            ScenarioError::new(name, text, fault)
        })?;
        Ok(Changeable { name: name.to_owned(), text: text.to_owned(), document })
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// The word at a place, if there is one.
    pub(crate) fn word(&self, place: &str) -> Option<String> {
        let (table, key) = place.split_once('.')?;
        self.document.get(table)?.get(key)?.as_str().map(str::to_owned)
    }

    /// Sets a value, which the reader of the scenario checks. An error says which place is wrong, and what would be right.
    ///
    /// ```
    /// use carom_study::scenario::{Changeable, Scenario, Setting};
    /// let text = "
    ///     [collision]
    ///     inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
    ///     velocity = [-1.0, 0.6]
    ///     friction = 0.8 # as measured
    /// ";
    /// let mut file = Changeable::parse("rod.toml", text).unwrap();
    /// for setting in ["collision.friction=0.4", "collision.velocity[1]=0.5", "law.id=smith", "collision.restitution=1"] {
    ///     file.set(&Setting::parse(setting).unwrap()).unwrap();
    /// }
    /// assert!(file.text().contains("friction = 0.4 # as measured"));
    /// let rod = Scenario::parse("rod.toml", &file.text()).unwrap();
    /// assert_eq!((rod.law.unwrap().id, rod.friction(0)), ("smith", Some(0.4)));
    ///
    /// let wrong = file.set(&Setting::parse("collision.fricton=1").unwrap()).unwrap_err();
    /// assert!(wrong.contains("did you mean `friction`?"));
    /// ```
    pub fn set(&mut self, setting: &Setting) -> Result<(), String> {
        let targets = self.targets(&setting.place).map_err(|fault| fault.sentence())?;
        for target in targets {
            target.set(self.document.as_table_mut(), &setting.value);
        }
        Ok(())
    }

    /// The places where a parameter of a law stands: at the contacts, if they have it or it belongs to their materials, else in `[law]`.
    pub(crate) fn place_of_parameter(&self, key: &str) -> Option<Place> {
        let of_material = MATERIAL_KEYS.contains(&key);
        let holds = |table: &&&str| {
            let targets = Place::parse(&format!("{table}.{key}")).map(|place| place.targets(self.document.as_table()));
            let given = |target: &Target| target.is_given(self.document.as_table());
            self.document.contains_key(table)
                && targets.is_ok_and(|targets| targets.is_ok_and(|targets| of_material || targets.iter().any(given)))
        };
        let table = ["contact", "collision", "impact", "material"].iter().find(holds).copied().unwrap_or("law");
        Place::parse(&format!("{table}.{key}")).ok()
    }

    /// The values that a place means.
    pub(crate) fn targets(&self, place: &Place) -> Result<Vec<Target>, Fault> {
        place.targets(self.document.as_table())
    }

    /// The text with gaps at these values, to be filled again and again, and with settings that come after them.
    pub(crate) fn template(&self, gaps: &[Gap], settings: &[Setting]) -> Template {
        let mut document = self.document.clone();
        let mut mark = "@".to_owned();
        while self.text.contains(&mark) {
            mark.push('@');
        }
        let name = |number: usize| Value::from(format!("{mark}{number}{mark}"));
        let mut next = 0;
        for gap in gaps {
            let value = match gap.length {
                None => name(next),
                Some(length) => (next..next + length).map(name).collect::<Array>().into(),
            };
            next += gap.length.unwrap_or(1);
            for target in &gap.targets {
                target.set(document.as_table_mut(), &value);
            }
        }
        for setting in settings {
            for target in setting.place.targets(document.as_table()).unwrap_or_default() {
                target.set(document.as_table_mut(), &setting.value);
            }
        }
        let text = document.to_string();
        let (opening, closing) = (format!("\"{mark}"), format!("{mark}\""));
        let mut parts = text.split(&opening);
        let mut template = Template { start: parts.next().unwrap_or_default().to_owned(), gaps: Vec::new() };
        for part in parts {
            if let Some((number, rest)) = part.split_once(&closing)
                && let Ok(number) = number.parse()
            {
                template.gaps.push((number, rest.to_owned()));
            }
        }
        template
    }
}

/// Values that are filled in: one, or the elements of a list.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    pub(crate) targets: Vec<Target>,
    /// The length of the list; `None` for a single value.
    pub(crate) length: Option<usize>,
}

/// A text with gaps.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    start: String,
    /// The number of the value, and the text after it.
    gaps: Vec<(usize, String)>,
}

/// A text whose gaps are filled.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub(crate) text: String,
    pub(crate) numbers: Vec<FilledNumber>,
}

/// A number that fills a gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilledNumber {
    /// Which of the values it is.
    pub(crate) value: usize,
    /// The byte of the text at which it starts.
    pub(crate) start: usize,
}

/// A value that fills a gap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filling<'a> {
    Number(f64),
    Word(&'a str),
}

impl Template {
    /// The text with these values, and where it has the numbers among them.
    pub(crate) fn fill<'a>(&self, value: impl Fn(usize) -> Filling<'a>) -> Filled {
        let mut filled = Filled { text: self.start.clone(), numbers: Vec::new() };
        for (number, rest) in &self.gaps {
            match value(*number) {
                // In the fewest digits that read back to the same bits.
                Filling::Number(x) => {
                    filled.numbers.push(FilledNumber { value: *number, start: filled.text.len() });
                    filled.text += &written(x);
                }
                Filling::Word(word) => filled.text.push_str(&quoted(word)),
            }
            filled.text.push_str(rest);
        }
        filled
    }
}
