//! The text of a scenario, and the other files that it names.

use crate::errors::InputError;
use crate::laws::Law;
use crate::parcel::{Parcel, damaged};
use carom_study::scenario::{NamedFile, OwnLaws, ScenarioError};
use carom_study::simulation::fingerprint;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A scenario as text.
#[derive(Default)]
pub(crate) struct Source {
    /// Where it was; nothing if a program made it.
    pub(crate) path: Option<PathBuf>,
    pub(crate) text: String,
    /// The other files that it names.
    pub(crate) files: Vec<NamedFile>,
    /// The lines, from 1, at which the items of a scene begin that a program made, and their names in messages.
    pub(crate) items: Vec<(usize, String)>,
    /// The law of the scene, if it is one of one's own.
    pub(crate) law: Option<Law>,
    /// Other laws of one's own whose parameters the text gives.
    pub(crate) others: Vec<Law>,
}

/// The name, in messages, of the text of a scene that a program made.
const NAME: &str = "scene";

impl Source {
    pub(crate) fn name(&self) -> PathBuf {
        self.path.clone().unwrap_or_else(|| PathBuf::from(NAME))
    }

    /// Whether it is a robot's file.
    pub(crate) fn is_robot(&self) -> bool {
        self.path.as_deref().and_then(Path::extension).is_some_and(|ending| ending.eq_ignore_ascii_case("urdf"))
    }

    pub(crate) fn hash(&self) -> String {
        fingerprint(self.text.as_bytes())
    }

    /// What the reader has to know of laws of one's own.
    pub(crate) fn own_laws(&self) -> OwnLaws {
        OwnLaws::new(self.law.as_ref().map(|law| law.law), self.others.iter().map(|law| law.law))
    }

    /// A law of one's own without which the text says nothing, if there is one.
    pub(crate) fn needs(&self) -> Option<&Law> {
        self.law.as_ref().or(self.others.first())
    }

    /// The exception for an error of the reader: of a file with its lines, of a scene with the item.
    pub(crate) fn refused(&self, error: &ScenarioError) -> PyErr {
        if self.path.is_some() {
            return InputError::new_err(error.to_string());
        }
        let line = error.line_and_column().map_or(0, |(line, _)| line);
        let item = self.items.iter().rev().find(|(start, _)| *start <= line);
        InputError::new_err(sentence(error, item.map(|(_, item)| item.as_str())))
    }

    /// The text and the files, for a parcel.
    pub(crate) fn pieces(&self) -> (Value, Vec<Vec<u8>>) {
        let names: Vec<_> = self.files.iter().map(|file| (&file.robot, &file.name)).collect();
        let about = json!({"path": self.path, "files": names, "items": self.items});
        let texts = std::iter::once(self.text.as_bytes().to_vec());
        (about, texts.chain(self.files.iter().map(|file| file.bytes.to_vec())).collect())
    }

    /// From the first pieces of a parcel, which are taken out of it.
    pub(crate) fn of_pieces(about: &Value, parcel: &mut Parcel) -> PyResult<Source> {
        Source::read(about, parcel).ok_or_else(|| damaged("scenario"))
    }

    fn read(about: &Value, parcel: &mut Parcel) -> Option<Source> {
        let names: Vec<(Option<String>, String)> = serde_json::from_value(about["files"].clone()).ok()?;
        let items = serde_json::from_value(about["items"].clone()).ok()?;
        let path = serde_json::from_value(about["path"].clone()).ok()?;
        if parcel.pieces.len() < 1 + names.len() {
            return None;
        }
        let mut pieces = parcel.pieces.drain(..=names.len());
        let text = String::from_utf8(pieces.next()?).ok()?;
        let files = names.into_iter().zip(pieces);
        let files = files.map(|((robot, name), bytes)| NamedFile { robot, name, bytes: bytes.into() }).collect();
        Some(Source { path, text, files, items, ..Source::default() })
    }
}

/// An error of the reader without its place in a text: what is wrong with which item, and what would be right.
pub(crate) fn sentence(error: &ScenarioError, item: Option<&str>) -> String {
    let item = item.map_or_else(String::new, |item| format!("{item}: "));
    let mut words = format!("{item}{}", error.message());
    for more in [Some(error.label()), error.help()].into_iter().flatten().filter(|more| !more.is_empty()) {
        words = words + "; " + more;
    }
    words
}
