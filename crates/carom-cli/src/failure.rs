//! How the command ends when it does not end well.

use carom_study::scenario::{ScenarioError, reason};
use carom_study::terminal::fit_lines;
use std::io::ErrorKind;
use std::process::ExitCode;

/// Why the command stopped.
pub enum Failure {
    /// The scenario file is wrong: shown with its place.
    Scenario(Box<ScenarioError>),
    /// The request is wrong.
    Usage(String),
    /// The physics has no answer.
    NoAnswer(String),
    /// A result could not be written.
    Output(String),
    /// Whoever read our output has stopped reading, as `head` does.
    ReaderGone,
}

impl Failure {
    /// Says what happened on stderr: exit code 1 where the physics has no answer, 2 for bad input or usage.
    pub fn report(&self) -> ExitCode {
        let (message, code) = match self {
            Failure::Scenario(error) => (error.render(true), 2),
            Failure::Usage(message) | Failure::Output(message) => (fit_lines(&format!("error: {message}")), 2),
            Failure::NoAnswer(message) => (fit_lines(&format!("no answer: {message}")), 1),
            Failure::ReaderGone => return ExitCode::SUCCESS,
        };
        // Colours are dropped where stderr is no terminal or NO_COLOR is set. If stderr is gone, nobody listens.
        let _ = std::io::Write::write_all(&mut anstream::stderr(), format!("{}\n", message.trim_end()).as_bytes());
        ExitCode::from(code)
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Failure {
        Failure::Scenario(Box::new(error))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Output(format!("cannot write the result: {}", reason(&error))),
        }
    }
}
