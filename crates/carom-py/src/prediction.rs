//! Predictions of laws for the contacts of a scenario.

use crate::errors::InputError;
use crate::input::parsed;
use crate::laws::Law;
use crate::shown::{drawn, plane};
use carom_study::plot::{Diagram, overview};
use carom_study::prediction::Answer;
use carom_study::report;
use carom_study::scenario::Scenario as Contacts;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use std::sync::Arc;

/// The scenario, and the law if it is one.
type ByLaw<'a> = (&'a Py<PyAny>, Option<Law>);

/// The prediction of a law, or of every law, for the contacts of a scenario.
///
/// It is the JSON that the command ``carom collide`` prints: of one law a dict, of all a list of such. ``str()`` gives the table of the
/// command, and notebooks show the picture.
///
/// Attributes
/// ----------
/// data : dict or list of dict
///     Everything.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Prediction {
    pub(crate) of: Py<PyAny>,
    pub(crate) scenario: Arc<Contacts>,
    pub(crate) answers: Vec<Answer>,
    /// The law, if it is that of one.
    pub(crate) kept: Option<Law>,
}

#[pymethods]
impl Prediction {
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = match (&self.answers[..], &self.kept) {
            ([(_, Ok(prediction))], Some(_)) => report::json(&self.scenario, prediction),
            _ => report::json_all(&self.scenario, &self.answers),
        };
        parsed(py, &value.to_string())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.data(py)?.get_item(key)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.data(py)?.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.data(py)?.try_iter()?.into_bound_py_any(py)
    }

    fn __str__(&self) -> String {
        match (&self.answers[..], &self.kept) {
            ([(_, Ok(prediction))], Some(_)) => report::single(&self.scenario, prediction),
            _ => report::comparison(&self.scenario, &self.answers),
        }
    }

    fn __repr__(&self) -> String {
        let laws: Vec<&str> = self.answers.iter().map(|(law, _)| law.id).collect();
        format!("<carom.Prediction '{}' by {}>", self.scenario.title, laws.join(", "))
    }

    /// The impulse-space diagram, and the course of a law that follows the contact, as SVG.
    ///
    /// Returns
    /// -------
    /// str
    fn svg(&self) -> String {
        let chosen = self.answers.first().filter(|_| self.kept.is_some()).and_then(|(_, answer)| answer.as_ref().ok());
        overview(&self.scenario, &self.answers, chosen)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Draw the impulse-space diagram of one contact with matplotlib, which must be installed: the region that physics allows, and
    /// where the laws end.
    ///
    /// Parameters
    /// ----------
    /// ax : matplotlib.axes.Axes, optional
    ///     Where to draw; the current axes of ``matplotlib.pyplot`` by default.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    ///
    /// Raises
    /// ------
    /// InputError
    ///     If there are several contacts.
    #[pyo3(signature = (ax=None))]
    fn plot<'py>(&self, py: Python<'py>, ax: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let diagram = Diagram::of(&self.scenario, &self.answers).ok_or_else(|| {
            let contacts = self.scenario.impact.contacts();
            InputError::new_err(format!(
                "there are {contacts} contacts; expected one: impulse space has a diagram of one contact"
            ))
        })?;
        drawn(py, "impulse_plane", plane(py, &diagram)?, ax)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ByLaw<'_>)> {
        Ok((py.import("carom._carom")?.getattr("_restored_prediction")?, (&self.of, self.kept.clone())))
    }
}
