//! What is wrong with a scenario file, shown at its place.

use super::fault::Fault;
use crate::terminal::{WIDTH, broken};
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

/// More characters of a line are not underlined: a label has place beside them.
const LONGEST_UNDERLINE: usize = 40;

/// Where the sentences about places stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Beside the underlined text.
    Beside,
    /// Below the excerpt, where sentences can have several lines.
    Below,
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
    pub(crate) fn new(file: &str, text: &str, fault: Fault) -> ScenarioError {
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
        Some((self.line(self.fault.span.as_ref()?), before[line_start..].chars().count() + 1))
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

    /// The error as text for a terminal: the message, the place with the offending text underlined, the repair. Lines fit 80 columns,
    /// except the file's name.
    pub fn render(&self, colour: bool) -> String {
        let too_wide = self.shown(Renderer::plain(), Place::Beside).lines().any(|line| {
            let is_name = line.trim_start().starts_with("-->");
            !is_name && line.chars().count() > WIDTH
        });
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        self.shown(renderer, if too_wide { Place::Below } else { Place::Beside })
    }

    fn shown(&self, renderer: Renderer, labels: Place) -> String {
        // In front of a sentence below the text stand the columns of the line numbers, ` = ` and `help: `.
        let columns = WIDTH - "   help: ".len() - self.text.lines().count().to_string().len();
        let title = Group::with_title(Level::ERROR.primary_title(broken(self.message(), WIDTH - "error: ".len())));
        let mut report = match &self.fault.span {
            Some(span) => title.element(self.snippet(span, labels)),
            None => title.element(Origin::path(self.file())),
        };
        if labels == Place::Below {
            let context = self.fault.context.iter().map(|(span, label)| format!("line {}: {label}", self.line(span)));
            for label in std::iter::once(self.label().to_owned()).chain(context).filter(|label| !label.is_empty()) {
                report = report.element(Level::NOTE.message(broken(&label, columns)));
            }
        }
        if let Some(help) = self.help() {
            report = report.element(Level::HELP.message(broken(help, columns)));
        }
        renderer.term_width(WIDTH).render(&[report])
    }

    fn snippet(&self, span: &Range<usize>, labels: Place) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let beside = |label| Some(label).filter(|label: &&str| labels == Place::Beside && !label.is_empty());
        let primary = AnnotationKind::Primary.span(self.underlined(span)).label(beside(self.label()));
        let context = self
            .fault
            .context
            .iter()
            .map(move |(span, label)| AnnotationKind::Context.span(self.underlined(span)).label(beside(label)));
        Snippet::source(&*self.text).path(self.file()).annotation(primary).annotations(context)
    }

    /// The line of a place, counted from 1.
    fn line(&self, span: &Range<usize>) -> usize {
        self.text[..self.within_text(span).start].matches('\n').count() + 1
    }

    /// The part of a place that is underlined: of a long place on one line, its beginning.
    fn underlined(&self, span: &Range<usize>) -> Range<usize> {
        let span = self.within_text(span);
        let text = &self.text[span.clone()];
        match text.char_indices().nth(LONGEST_UNDERLINE) {
            Some((end, _)) if !text.contains('\n') => span.start..span.start + end,
            _ => span,
        }
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
