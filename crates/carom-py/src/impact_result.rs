//! The result of `impact` and `impact_of`.

use crate::laws::{self as catalogue, escaped};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::fmt::Write as _;

/// The outcome of :func:`impact` or :func:`impact_of`.
///
/// Attributes
/// ----------
/// law : Law
///     The law that answered.
/// impulse, velocity_after : ndarray
///     P in kg m/s and V after in m/s of every contact, (n, 2) or (n, 3).
/// energy_change : float
///     Change of the kinetic energy, J.
/// mode : list of str
///     The mode of each contact.
/// audit : dict of str to str
///     ``"ok"`` or a sentence for energy, friction, penetration and consistency.
/// notes : list of str
///     Remarks on the prediction.
/// generalised_velocity_after : ndarray or None
///     q̇ after, of :func:`impact_of`.
#[pyclass(module = "carom", frozen)]
pub(crate) struct ImpactResult {
    pub(crate) law: catalogue::Law,
    #[pyo3(get)]
    pub(crate) impulse: Py<PyAny>,
    #[pyo3(get)]
    pub(crate) velocity_after: Py<PyAny>,
    #[pyo3(get)]
    pub(crate) energy_change: f64,
    #[pyo3(get)]
    pub(crate) mode: Vec<String>,
    #[pyo3(get)]
    pub(crate) audit: Py<PyAny>,
    #[pyo3(get)]
    pub(crate) notes: Vec<String>,
    #[pyo3(get)]
    pub(crate) generalised_velocity_after: Option<Py<PyAny>>,
}

#[pymethods]
impl ImpactResult {
    #[getter]
    fn law(&self) -> catalogue::Law {
        self.law.clone()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = self.shown(py)?.into_iter().map(|(name, value)| format!("{name}={value}"));
        Ok(format!("ImpactResult({})", shown.collect::<Vec<_>>().join(", ")))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut html = "<table>".to_owned();
        for (name, value) in self.shown(py)? {
            // Writing to a string cannot fail.
            let _ = write!(html, "<tr><th>{}</th><td>{}</td></tr>", name.replace('_', " "), escaped(&value));
        }
        Ok(html + "</table>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let arguments = (
            self.law.clone(),
            &self.impulse,
            &self.velocity_after,
            self.energy_change,
            &self.mode,
            &self.audit,
            &self.notes,
            &self.generalised_velocity_after,
        );
        Ok((py.import("carom._carom")?.getattr("_restored_impact")?, arguments.into_pyobject(py)?))
    }
}

/// A result that was pickled.
#[pyfunction(name = "_restored_impact")]
#[expect(clippy::too_many_arguments, reason = "one for each field")]
pub(crate) fn restored_impact(
    law: &Bound<'_, PyAny>,
    impulse: Py<PyAny>,
    velocity_after: Py<PyAny>,
    energy_change: f64,
    mode: Vec<String>,
    audit: Py<PyAny>,
    notes: Vec<String>,
    generalised_velocity_after: Option<Py<PyAny>>,
) -> PyResult<ImpactResult> {
    let law = catalogue::Law::of(catalogue::argument(law)?);
    Ok(ImpactResult { law, impulse, velocity_after, energy_change, mode, audit, notes, generalised_velocity_after })
}

impl ImpactResult {
    fn shown(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, String)>> {
        let list =
            |array: &Py<PyAny>| -> PyResult<String> { Ok(array.bind(py).call_method0("tolist")?.repr()?.to_string()) };
        let mut shown = vec![
            ("law", format!("'{}'", self.law.law.id)),
            ("impulse", list(&self.impulse)?),
            ("velocity_after", list(&self.velocity_after)?),
            ("energy_change", self.energy_change.into_pyobject(py)?.repr()?.to_string()),
            ("mode", self.mode.as_slice().into_pyobject(py)?.repr()?.to_string()),
            ("audit", self.audit.bind(py).repr()?.to_string()),
        ];
        if let Some(after) = &self.generalised_velocity_after {
            shown.push(("generalised_velocity_after", list(after)?));
        }
        Ok(shown)
    }
}
