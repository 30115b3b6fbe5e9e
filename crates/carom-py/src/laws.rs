//! The catalogue of laws.

use crate::errors::{self, InputError};
use crate::own::{Own, Signature};
use crate::parameters::bind_given;
use crate::properties;
use crate::watch;
use carom::Clock;
use carom::laws::{Fallback, Kind, Promise, every, find};
use carom::properties::Properties;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt::Write as _;
use std::sync::Arc;

/// No measurement takes more collisions.
const MOST_COLLISIONS: usize = 1_000_000;

/// A collision law: one of the catalogue, or of your own by :func:`law`.
///
/// Attributes
/// ----------
/// id : str
///     The id by which functions take it, for instance ``"routh-poisson"``.
/// name, source, summary, equations, caveats : str
///     Its name in the literature, where it comes from, a summary, its equations, and where it fails.
/// several : bool
///     Whether it is for several contacts at once.
/// parameters : tuple of Parameter
///     Its parameters, in their order.
/// guarantees : dict of str to str
///     Each promise with ``"yes"``, ``"no"`` or the condition under which it holds.
/// function : callable or None
///     The function of a law of your own.
///
/// Examples
/// --------
/// >>> import carom
/// >>> smith = carom.law("smith")
/// >>> [parameter.key for parameter in smith.parameters]
/// ['restitution', 'friction']
/// >>> smith.guarantees["energy"]
/// 'yes'
#[pyclass(module = "carom", frozen, eq, hash, from_py_object)]
#[derive(Clone)]
pub(crate) struct Law {
    pub(crate) law: &'static carom::Law,
    /// Of a law of one's own, what keeps it.
    own: Option<Arc<Own>>,
}

impl PartialEq for Law {
    fn eq(&self, other: &Law) -> bool {
        std::ptr::eq(self.law, other.law)
    }
}

impl std::hash::Hash for Law {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.law.id.hash(state);
    }
}

#[pymethods]
impl Law {
    #[getter]
    fn id(&self) -> &'static str {
        self.law.id
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.law.name
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.law.source
    }

    #[getter]
    fn summary(&self) -> &'static str {
        self.law.summary
    }

    #[getter]
    fn equations(&self) -> &'static str {
        self.law.equations
    }

    #[getter]
    fn caveats(&self) -> &'static str {
        self.law.caveats
    }

    #[getter]
    fn function(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.own.as_ref()?.function(py)
    }

    #[getter]
    fn several(&self) -> bool {
        self.law.is_simultaneous()
    }

    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.law.parameters.iter().map(|parameter| Parameter { parameter }))
    }

    #[getter]
    fn guarantees<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let guarantees = PyDict::new(py);
        for (name, promise) in self.promises() {
            guarantees.set_item(name, promise.to_string())?;
        }
        Ok(guarantees)
    }

    /// What the law does over the first of a fixed sequence of sampled collisions, planar and spatial by turns.
    ///
    /// Parameters
    /// ----------
    /// collisions : int, optional
    ///     The number of collisions, at most a million. The default is 4096, for laws that are followed in time 48, and for your own laws
    ///     512. Rare failures need many collisions.
    /// **parameters : float or str
    ///     Parameters of the law; restitution is 0.8 and friction 0.3 where they are not given.
    ///
    /// Returns
    /// -------
    /// dict
    ///     How many collisions it ``"resolved"`` and ``"refused"``; ``"degree_in_velocity"`` of the impulse and ``"degree_in_mass"`` of
    ///     the velocity after, ``None`` if there is no one degree; the largest ``"energy_gain"``, ``"friction_excess"``,
    ///     ``"penetration"`` and ``"frame_variance"``, relative, 0 if there is no such thing; and ``"counterexamples"``, the W and V
    ///     where each was found, or ``None``.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> measured = carom.law("whittaker").properties(restitution=0.95, friction=0.3)
    /// >>> measured["degree_in_velocity"], measured["energy_gain"] > 0.0
    /// (1.0, True)
    #[pyo3(signature = (*, collisions=None, **parameters))]
    fn properties<'py>(
        &self,
        py: Python<'py>,
        collisions: Option<i64>,
        parameters: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let bound = bind_given(self.law, parameters)?;
        let collisions = match collisions {
            None if self.own.is_some() => 512,
            None if self.law.clock() == Some(Clock::Time) => Properties::COLLISIONS,
            None => 4096,
            Some(given) => {
                usize::try_from(given).ok().filter(|given| (1..=MOST_COLLISIONS).contains(given)).ok_or_else(|| {
                    InputError::new_err(format!("collisions is {given}; expected 1 to {MOST_COLLISIONS}"))
                })?
            }
        };
        watch::call(|| properties::measured(py, &bound, collisions))
    }

    fn __repr__(&self) -> String {
        format!("<carom.Law '{}'>", self.law.id)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, law) = (slf.py(), slf.get());
        if law.own.is_some() {
            return py.import("carom._law")?.call_method1("_reduced", (slf,));
        }
        Ok((py.import("carom")?.getattr("law")?, (law.law.id,)).into_pyobject(py)?.into_any())
    }

    fn _repr_html_(&self) -> String {
        let mut html = format!(
            "<b>{}</b> <code>{}</code><br>{}<br><i>{}</i><table><tr><th>parameter</th><th>meaning</th><th>range</th>\
             <th>default</th></tr>",
            escaped(self.law.name),
            self.law.id,
            escaped(self.law.summary),
            escaped(self.law.source)
        );
        for parameter in self.law.parameters.iter().map(|parameter| Parameter { parameter }) {
            // Writing to a string cannot fail.
            let _ = write!(
                html,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
                parameter.key(),
                escaped(parameter.meaning()),
                escaped(&parameter.range()),
                escaped(&parameter.fallback())
            );
        }
        html.push_str("</table><table><tr><th>guarantee</th><th></th></tr>");
        for (name, promise) in self.promises() {
            let _ =
                write!(html, "<tr><td>{}</td><td>{}</td></tr>", name.replace('_', " "), escaped(&promise.to_string()));
        }
        html + "</table>"
    }
}

impl Law {
    /// The laws of one's own that are in use.
    pub(crate) fn in_use() -> Vec<Law> {
        Own::in_use().into_iter().map(|own| Law { law: own.law, own: Some(own) }).collect()
    }

    /// A law as Python sees it.
    pub(crate) fn of(law: &'static carom::Law) -> Law {
        Law { law, own: Own::of(law) }
    }

    fn promises(&self) -> [(&'static str, Promise); 6] {
        let of = self.law.guarantees;
        [
            ("energy", of.energy),
            ("friction", of.friction),
            ("penetration", of.penetration),
            ("tangential_restitution", of.tangential_restitution),
            ("spatial", of.spatial),
            ("unique", of.unique),
        ]
    }
}

/// A parameter of a law.
///
/// Attributes
/// ----------
/// key, symbol, meaning : str
///     The keyword argument, the letter of the source, and its meaning.
/// least, greatest : float or None
///     Its bounds, both included; ``None`` for a choice.
/// choices : tuple of str or None
///     The words that a choice takes.
/// range : str
///     The values it takes, in words.
/// default : float, str or None
///     The library's value where it is not given, if there is one.
/// fallback : str
///     The value that holds where it is not given, in words.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Parameter {
    parameter: &'static carom::laws::Parameter,
}

#[pymethods]
impl Parameter {
    #[getter]
    fn key(&self) -> &'static str {
        self.parameter.key
    }

    #[getter]
    fn symbol(&self) -> &'static str {
        self.parameter.symbol
    }

    #[getter]
    fn meaning(&self) -> &'static str {
        self.parameter.meaning
    }

    #[getter]
    fn least(&self) -> Option<f64> {
        match self.parameter.kind {
            Kind::Number { least, .. } => Some(least),
            Kind::Choice(_) => None,
        }
    }

    #[getter]
    fn greatest(&self) -> Option<f64> {
        match self.parameter.kind {
            Kind::Number { greatest, .. } => Some(greatest),
            Kind::Choice(_) => None,
        }
    }

    #[getter]
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        match self.parameter.kind {
            Kind::Number { .. } => Ok(None),
            Kind::Choice(words) => PyTuple::new(py, words).map(Some),
        }
    }

    #[getter]
    fn range(&self) -> String {
        self.parameter.range()
    }

    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match (self.parameter.fallback, self.parameter.kind) {
            (Fallback::Value(place), Kind::Choice(words)) => {
                words.get(place as usize).map(|word| Ok(word.into_pyobject(py)?.into_any())).transpose()
            }
            (Fallback::Value(value), Kind::Number { .. }) => Ok(Some(value.into_pyobject(py)?.into_any())),
            (Fallback::Required | Fallback::SameAs(_) | Fallback::Derived(_), _) => Ok(None),
        }
    }

    #[getter]
    fn fallback(&self) -> String {
        match (self.parameter.fallback, self.parameter.kind) {
            (Fallback::Required, _) => "required".to_owned(),
            (Fallback::Value(place), Kind::Choice(words)) => {
                words.get(place as usize).map_or_else(String::new, |word| (*word).to_owned())
            }
            (Fallback::Value(value), Kind::Number { .. }) => value.to_string(),
            (Fallback::SameAs(key), _) => format!("as {key}"),
            (Fallback::Derived(words), _) => words.to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<carom.Parameter '{}': {}>", self.parameter.key, self.parameter.range())
    }
}

/// Every law of the catalogue: those for one contact, then those for several.
///
/// Returns
/// -------
/// tuple of Law
///
/// Examples
/// --------
/// >>> import carom
/// >>> [law.id for law in carom.laws()][:3]
/// ['newton', 'whittaker', 'smith']
#[pyfunction]
pub(crate) fn laws(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, every().map(Law::of).collect::<Vec<_>>())
}

/// The law with an id.
///
/// Parameters
/// ----------
/// id : str
///     For instance ``"routh-poisson"``; see :func:`laws`.
///
/// Returns
/// -------
/// Law
///
/// Raises
/// ------
/// InputError
///     If there is no such law.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.law("routh-poisson").name
/// "Routh's process with Poisson's hypothesis"
#[pyfunction]
pub(crate) fn law(id: &str) -> PyResult<Law> {
    find(id).map(Law::of).map_err(|error| errors::input(&error))
}

/// A law of one's own: function, id, key, bounds and default of each parameter, summary, and what the function takes.
#[pyfunction(name = "_define")]
pub(crate) fn define(
    function: Py<PyAny>,
    name: String,
    parameters: Vec<(String, f64, f64, Option<f64>)>,
    summary: String,
    vectorised: bool,
    planar: bool,
) -> PyResult<Law> {
    let own = Own::new(Signature { id: name, summary, parameters, vectorised, planar }, function)?;
    Ok(Law { law: own.law, own: Some(own) })
}

/// A law as an argument: its id, or the law itself.
pub(crate) fn argument(given: &Bound<PyAny>) -> PyResult<&'static carom::Law> {
    if let Ok(law) = given.cast::<Law>() {
        return Ok(law.get().law);
    }
    let Ok(id) = given.extract() else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("law is of the type {kind}; expected the id of a law, or a Law")));
    };
    find(id).map_err(|error| errors::input(&error))
}

/// Text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>")
}
