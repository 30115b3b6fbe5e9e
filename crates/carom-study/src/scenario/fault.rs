//! One thing wrong with a scenario, at its place in the text.

use std::ops::Range;

/// What is wrong, where, and what would be right. It knows no file; a [`ScenarioError`](super::ScenarioError) adds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    /// Bytes of the offending text; none when the file as a whole is at fault.
    pub span: Option<Range<usize>>,
    /// What is wrong, in one line.
    pub message: String,
    /// What would be right, beside the offending text.
    pub label: String,
    /// How to repair it.
    pub help: Option<String>,
    /// Other places that matter, and why.
    pub context: Vec<(Range<usize>, String)>,
}

impl Fault {
    /// Something wrong at a place.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault { span: Some(span), ..Fault::of_the_file(message) }
    }

    /// Something wrong with the file as a whole.
    pub fn of_the_file(message: impl Into<String>) -> Fault {
        Fault { span: None, message: message.into(), label: String::new(), help: None, context: Vec::new() }
    }

    pub fn label(mut self, label: impl Into<String>) -> Fault {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }

    /// The same at a place.
    pub fn placed(self, span: Range<usize>) -> Fault {
        Fault { span: Some(span), ..self }
    }

    /// All it says, in one sentence.
    pub fn sentence(&self) -> String {
        let parts = [Some(&self.message), Some(&self.label), self.help.as_ref()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().map(String::as_str).filter(|part| !part.is_empty()).collect();
        parts.join("; ")
    }

    pub fn context(mut self, span: Range<usize>, label: impl Into<String>) -> Fault {
        self.context.push((span, label.into()));
        self
    }
}

/// Text from a file as it may stand in a message: one short line, control characters made visible.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Words in backticks, separated by commas.
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}
