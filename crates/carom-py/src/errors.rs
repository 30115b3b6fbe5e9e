//! The exceptions of the package, and the errors of the library that become them.

use carom::batch::Unresolved;
use carom::{Error, Inapplicable};
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(carom, CaromError, PyValueError, "The base of all exceptions of Carom.");
create_exception!(carom, InputError, CaromError, "A number, a law or a parameter that no problem can have.");
create_exception!(carom, ShapeError, CaromError, "Arrays whose shapes do not fit each other.");
create_exception!(carom, NoAnswerError, CaromError, "A sound problem to which the law has no answer.");

/// Bad input.
pub(crate) fn input(error: &Error) -> PyErr {
    InputError::new_err(error.to_string())
}

/// A law without an answer.
pub(crate) fn no_answer(why: &Inapplicable) -> PyErr {
    NoAnswerError::new_err(why.to_string())
}

/// A row without an answer.
pub(crate) fn unresolved(why: &Unresolved) -> PyErr {
    match why {
        Unresolved::Input(error) => input(error),
        Unresolved::Law(why) => no_answer(why),
        other => CaromError::new_err(other.to_string()),
    }
}
