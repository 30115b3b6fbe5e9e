//! What is wrong with a scenario file, shown at its place.

use super::fault::Fault;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::fmt;
use std::ops::Range;

/// A scenario that cannot be used: what is wrong, in which file and where, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioError {
    file: Box<str>,
    text: Box<str>,
    fault: Box<Fault>,
}

/// What is wrong between two tables of a file, or a table and something that the file only names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    pub(crate) first: Range<usize>,
    /// The other table, and what it is.
    pub(crate) second: Option<(Range<usize>, String)>,
    pub(crate) message: String,
    pub(crate) expected: String,
}

impl ScenarioError {
    pub(super) fn new(file: &str, text: &str, fault: Fault) -> ScenarioError {
        ScenarioError { file: file.into(), text: text.into(), fault: Box::new(fault) }
    }

    /// Two tables of a file do not fit each other.
    pub(crate) fn of_tables(file: &str, text: &str, clash: &Clash) -> ScenarioError {
        let fault = Fault::at(clash.first.clone(), clash.message.clone()).label(clash.expected.clone());
        let fault = match &clash.second {
            Some((span, label)) => fault.context(span.clone(), label.clone()),
            None => fault,
        };
        ScenarioError::new(file, text, fault)
    }

    /// The file's name as it was given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The offending bytes of the file; `None` when the file as a whole is at fault.
    pub fn span(&self) -> Option<Range<usize>> {
        self.fault.span.clone()
    }

    /// Line and column of the offending text, both counted from 1, the column in characters.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let start = self.within_text(self.fault.span.as_ref()?).start;
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.fault.message
    }

    /// What would be right at the offending text; may be empty.
    pub fn label(&self) -> &str {
        &self.fault.label
    }

    /// How to repair it, if there is more to say.
    pub fn help(&self) -> Option<&str> {
        self.fault.help.as_deref()
    }

    /// The error as text for a terminal: the message, the place with the offending text underlined, the repair.
    pub fn render(&self, colour: bool) -> String {
        let title = Group::with_title(Level::ERROR.primary_title(self.message()));
        let mut report = match &self.fault.span {
            Some(span) => title.element(self.snippet(span)),
            None => title.element(Origin::path(self.file())),
        };
        if let Some(help) = self.help() {
            report = report.element(Level::HELP.message(help));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[report])
    }

    fn snippet(&self, span: &Range<usize>) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let label = Some(self.label()).filter(|label| !label.is_empty());
        let primary = AnnotationKind::Primary.span(self.within_text(span)).label(label);
        let context = self
            .fault
            .context
            .iter()
            .map(|(span, label)| AnnotationKind::Context.span(self.within_text(span)).label(label.as_str()));
        Snippet::source(&*self.text).path(self.file()).annotation(primary).annotations(context)
    }

    /// The nearest span that lies in the text and cuts no character.
    fn within_text(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.text.floor_char_boundary(span.start);
        start..self.text.ceil_char_boundary(span.end.max(start))
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for ScenarioError {}
