//! Exceptions of functions that the library calls: they are kept until the call from Python is over, and raised there.

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use std::cell::RefCell;

/// Calls of the package inside each other, by laws that call it: each takes some 16 kB of a stack, which threads of some systems have
/// 512 kB of.
const DEEPEST: usize = 16;

thread_local! {
    /// The exceptions of the calls of this thread, the innermost last.
    static CALLS: RefCell<Vec<Option<PyErr>>> = const { RefCell::new(Vec::new()) };
}

/// One call from Python.
struct Call;

impl Drop for Call {
    fn drop(&mut self) {
        drop(CALLS.with_borrow_mut(Vec::pop));
    }
}

/// Does the work of a call from Python, in which laws may call Python. Their exception comes before any other error.
pub(crate) fn call<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let depth = CALLS.with_borrow_mut(|calls| {
        calls.push(None);
        calls.len()
    });
    let _call = Call;
    if depth > DEEPEST {
        return Err(PyRecursionError::new_err(format!("laws call carom inside each other more than {DEEPEST} times")));
    }
    let done = work();
    match CALLS.with_borrow_mut(|calls| calls.last_mut().and_then(Option::take)) {
        Some(exception) => Err(exception),
        None => done,
    }
}

/// Whether a function has raised in the call under way.
pub(crate) fn has_raised() -> bool {
    CALLS.with_borrow(|calls| calls.last().is_some_and(Option::is_some))
}

/// Runs a function of the caller's; `None` if it raises, or one has raised before in this call.
pub(crate) fn guarded<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
    if has_raised() {
        return None;
    }
    // Without an interpreter, when the program ends, there is nobody to answer.
    Python::try_attach(|py| match work(py) {
        Ok(found) => Some(found),
        Err(exception) => {
            let left = CALLS.with_borrow_mut(|calls| match calls.last_mut() {
                Some(slot) => {
                    *slot = Some(exception);
                    None
                }
                None => Some(exception),
            });
            if let Some(exception) = left {
                exception.write_unraisable(py, None);
            }
            None
        }
    })?
}
