//! Parameters of a law as keyword arguments.

use crate::errors;
use crate::errors::{InputError, ShapeError};
use crate::input::{Numbers, Rows, numpy};
use carom::batch::Column;
use carom::laws::{Kind, Law};
use carom::{BoundLaw, Error};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};

/// More threads than any machine can use; as many as the command takes.
const MOST_THREADS: usize = 1024;

/// A number of threads; 0 for as many as there are cores.
pub(crate) fn threads(given: i64) -> PyResult<usize> {
    let threads = usize::try_from(given).ok().filter(|threads| *threads <= MOST_THREADS);
    threads.ok_or_else(|| InputError::new_err(format!("threads is {given}; expected 0 to {MOST_THREADS}")))
}

/// The same, as a number of at least 1.
pub(crate) fn cores(given: i64) -> PyResult<usize> {
    Ok(match threads(given)? {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    })
}

/// The values of a parameter.
pub(crate) enum Values<'a, 'py> {
    /// One for all.
    One(f64),
    /// Several.
    Several(Numbers<'a, 'py>),
}

/// A parameter by its key.
pub(crate) type Parameter<'a, 'py> = (&'a str, Values<'a, 'py>);

/// The keyword arguments that a function does not name itself.
pub(crate) fn others<'py>(given: Option<&Bound<'py, PyDict>>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    given.iter().map(|(key, value)| Ok((key.extract()?, value))).collect()
}

/// The parameters that a call gives.
pub(crate) fn read<'a, 'py>(
    law: &'static Law,
    restitution: Option<&Bound<'py, PyAny>>,
    friction: Option<&Bound<'py, PyAny>>,
    others: &'a [(String, Bound<'py, PyAny>)],
) -> PyResult<Vec<Parameter<'a, 'py>>> {
    let named = [("restitution", restitution), ("friction", friction)];
    let named = named.into_iter().filter_map(|(key, given)| Some((key, given?)));
    let others = others.iter().map(|(key, given)| (key.as_str(), given));
    named.chain(others).map(|(key, given)| Ok((key, values(law, key, given)?))).collect()
}

/// The value where a call gives none.
pub(crate) fn default(key: &str) -> Option<f64> {
    match key {
        "restitution" => Some(0.8),
        "friction" => Some(0.3),
        _ => None,
    }
}

fn values<'a, 'py>(law: &'static Law, key: &'a str, given: &Bound<'py, PyAny>) -> PyResult<Values<'a, 'py>> {
    if let Ok(number) = given.cast::<PyFloat>() {
        return Ok(Values::One(number.value()));
    }
    if given.is_exact_instance_of::<PyInt>() {
        let beyond = |_| InputError::new_err(format!("{key} is a whole number beyond the range of floats"));
        return given.extract().map(Values::One).map_err(beyond);
    }
    if let Ok(word) = given.cast::<PyString>() {
        return choice(law, key, word.to_str()?).map(Values::One);
    }
    let numbers = match choices(law, key, given)? {
        Some(places) => Numbers::of(key, &places)?,
        None => Numbers::of(key, given)?,
    };
    if numbers.shape().is_empty() {
        return Ok(Values::One(numbers.to_vec()?.into_iter().sum()));
    }
    Ok(Values::Several(numbers))
}

/// The places of words, if an array of words is given.
fn choices<'py>(law: &'static Law, key: &str, given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !law.parameters.iter().any(|parameter| parameter.key == key && matches!(parameter.kind, Kind::Choice(_))) {
        return Ok(None);
    }
    let words = numpy(given.py())?.call_method1("asarray", (given,))?;
    if words.getattr("dtype")?.getattr("kind")?.extract::<&str>()? != "U" {
        return Ok(None);
    }
    let places = words.call_method0("ravel")?.call_method0("tolist")?.extract::<Vec<String>>()?;
    let places = places.iter().map(|word| choice(law, key, word)).collect::<PyResult<Vec<f64>>>()?;
    let places = PyArray1::from_vec(given.py(), places);
    Ok(Some(places.call_method1("reshape", (words.getattr("shape")?,))?))
}

/// The place of a word among the choices of a parameter.
fn choice(law: &'static Law, key: &str, word: &str) -> PyResult<f64> {
    let Some(parameter) = law.parameters.iter().find(|parameter| parameter.key == key) else {
        return Err(errors::input(&Error::UnknownParameter { law: law.id, key: key.to_owned() }));
    };
    let place = match parameter.kind {
        Kind::Choice(words) => words.iter().position(|choice| *choice == word),
        Kind::Number { .. } => None,
    };
    place.map(|place| place as f64).ok_or_else(|| {
        InputError::new_err(format!("{key} is \"{word}\"; expected {}", parameter.range().replace(" | ", ", ")))
    })
}

/// The values of a parameter, row by row.
pub(crate) enum ValueRows<'a, 'py> {
    /// The same for all.
    One(f64),
    /// Several.
    Several(Rows<'a, 'py>),
}

impl<'a, 'py> Values<'a, 'py> {
    /// The values in the rows of a batch.
    pub(crate) fn in_rows(self, batch: &[usize]) -> PyResult<ValueRows<'a, 'py>> {
        match self {
            Values::One(value) => Ok(ValueRows::One(value)),
            Values::Several(numbers) => numbers.in_rows(0, batch).map(ValueRows::Several),
        }
    }
}

impl ValueRows<'_, '_> {
    /// The column of the values.
    pub(crate) fn column(&self) -> PyResult<Column<'_>> {
        match self {
            ValueRows::One(value) => Ok(Column::same(value)),
            ValueRows::Several(rows) => rows.column(&[]),
        }
    }
}

/// The law with values for one contact.
pub(crate) fn bind_one(law: &'static Law, parameters: &[(&str, ValueRows)]) -> PyResult<BoundLaw> {
    let given: Vec<(&str, f64)> = parameters
        .iter()
        .filter_map(|(key, values)| match values {
            ValueRows::One(value) => Some((*key, *value)),
            ValueRows::Several(_) => None,
        })
        .collect();
    law.bind(&given).map_err(|error| errors::input(&error))
}

/// Parameters with one value each.
pub(crate) fn single_values(law: &'static Law, given: Option<&Bound<PyDict>>) -> PyResult<Vec<(String, f64)>> {
    let given = others(given)?;
    let one = |(key, value): Parameter| match value {
        Values::One(value) => Ok((key.to_owned(), value)),
        Values::Several(_) => Err(ShapeError::new_err(format!("{key} is an array; expected one value"))),
    };
    read(law, None, None, &given)?.into_iter().map(one).collect()
}

/// The law with one value for each parameter.
pub(crate) fn bind_given(law: &'static Law, given: Option<&Bound<PyDict>>) -> PyResult<BoundLaw> {
    let given = single_values(law, given)?;
    let mut values: Vec<(&str, f64)> = given.iter().map(|(key, value)| (key.as_str(), *value)).collect();
    for key in ["restitution", "friction"] {
        if law.takes(key) && values.iter().all(|(given, _)| *given != key) {
            values.extend(default(key).map(|value| (key, value)));
        }
    }
    law.bind(&values).map_err(|error| errors::input(&error))
}
