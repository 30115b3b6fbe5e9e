//! The result of `collide`.

use crate::input::{numpy, shape_text};
use crate::laws::{self as catalogue, escaped};
use carom::Mode;
use carom::batch::{Derivative, MODES, Status};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::fmt::Write as _;

/// The outputs of :func:`collide` besides the status.
pub(crate) const OUTPUTS: [&str; 8] =
    ["impulse", "velocity_after", "energy_change", "mode", "restitution", "audit", "jacobian", "derivative"];
/// How many of them it works out by default.
pub(crate) const DEFAULTS: usize = 6;
/// What is known of the derivatives of a row.
pub(crate) const DERIVATIVES: [(&str, Derivative); 3] =
    [("smooth", Derivative::Smooth), ("kink", Derivative::Kink), ("unknown", Derivative::Unknown)];

/// The outcome of :func:`collide`: of one problem numbers and names, of a batch arrays.
///
/// An output that was not asked for raises an ``AttributeError``.
///
/// Attributes
/// ----------
/// law : Law
///     The law that answered.
/// shape : tuple of int
///     The shape of the batch; ``()`` for one problem.
/// impulse, velocity_after : ndarray
///     P in kg m/s and V after in m/s, (..., 2) or (..., 3). Of rows without an answer the impulse is zero and the velocity that
///     before, with zero for numbers that are not finite.
/// energy_change : float or ndarray
///     Change of the kinetic energy, J.
/// mode : str or ndarray of uint8
///     The mode of the contact; of a batch its place in ``carom.MODES``, 255 for rows without an answer.
/// status : str or ndarray of uint8
///     ``"resolved"``, ``"separating"`` or why there is no answer; of a batch its place in ``carom.STATUSES``.
/// restitution : dict of str to float or None, or ndarray
///     The coefficients of ``carom.RESTITUTIONS`` that the outcome has; of a batch (..., 4), NaN where it does not define one.
/// audit : dict of str to str, or ndarray of uint8
///     ``"ok"`` or a sentence for energy, friction, penetration and consistency; of a batch a sum of flags of
///     ``carom.AUDIT_FLAGS``, 0 for nothing found.
/// jacobian : ndarray
///     Derivatives of impulse and velocity after, in this order, by the `inputs`: (..., 4, n) in the plane, (..., 6, n) in space.
/// derivative : str or ndarray of uint8
///     ``"smooth"``; ``"kink"`` on an edge between two formulas of the law, where the derivatives hold on one side; ``"unknown"``, with zeros,
///     where the row has none. Of a batch its place in ``carom.DERIVATIVES``.
/// inputs : tuple of str
///     The numbers by which derivatives are taken: components of V, entries of W in the upper triangle by rows, of which each stands for
///     both places, and the law's parameters.
#[pyclass(module = "carom", frozen)]
pub(crate) struct CollideResult {
    pub(crate) law: catalogue::Law,
    pub(crate) shape: Vec<usize>,
    pub(crate) status: Py<PyAny>,
    /// In the order of [`OUTPUTS`]; those that were asked for.
    pub(crate) outputs: [Option<Py<PyAny>>; OUTPUTS.len()],
}

#[pymethods]
impl CollideResult {
    #[getter]
    fn law(&self) -> catalogue::Law {
        self.law.clone()
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    #[getter]
    fn impulse(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "impulse")
    }

    #[getter]
    fn velocity_after(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "velocity_after")
    }

    #[getter]
    fn energy_change(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "energy_change")
    }

    #[getter]
    fn mode(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "mode")
    }

    #[getter]
    fn status(&self, py: Python<'_>) -> Py<PyAny> {
        self.status.clone_ref(py)
    }

    #[getter]
    fn restitution(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "restitution")
    }

    #[getter]
    fn audit(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "audit")
    }

    #[getter]
    fn jacobian(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "jacobian")
    }

    #[getter]
    fn derivative(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.output(py, "derivative")
    }

    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let matrix = self.output(py, "jacobian")?;
        let shape: Vec<usize> = matrix.bind(py).getattr("shape")?.extract()?;
        let of_problem: &[&str] = if shape.get(shape.len() - 2) == Some(&4) {
            &["V_n", "V_t", "W_nn", "W_nt", "W_tt"]
        } else {
            &["V_n", "V_t1", "V_t2", "W_nn", "W_nt1", "W_nt2", "W_t1t1", "W_t1t2", "W_t2t2"]
        };
        let names: Vec<&str> =
            of_problem.iter().copied().chain(self.law.law.parameters.iter().map(|parameter| parameter.key)).collect();
        PyTuple::new(py, names)
    }

    /// The modes in words; ``""`` for rows without an answer.
    ///
    /// Returns
    /// -------
    /// str or ndarray of str
    fn mode_names(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.names(py, self.mode(py)?, &MODES.map(Mode::name))
    }

    /// The statuses in words.
    ///
    /// Returns
    /// -------
    /// str or ndarray of str
    fn status_names(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.names(py, self.status(py), &Status::ALL.map(Status::name))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("CollideResult(law='{}'", self.law.law.id);
        for (name, value) in self.shown(py)? {
            text = text + ", " + name + "=" + &value;
        }
        Ok(text + ")")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut html = format!("<table><tr><th>law</th><td><code>{}</code></td></tr>", self.law.law.id);
        for (name, value) in self.shown(py)? {
            let _ = write!(html, "<tr><th>{}</th><td>{}</td></tr>", name.replace('_', " "), escaped(&value));
        }
        Ok(html + "</table>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let outputs = PyTuple::new(py, &self.outputs)?;
        let shape = PyTuple::new(py, &self.shape)?;
        let arguments = (self.law.clone(), shape, &self.status, outputs).into_pyobject(py)?;
        Ok((py.import("carom._carom")?.getattr("_restored")?, arguments))
    }
}

/// A result that was pickled.
#[pyfunction(name = "_restored")]
pub(crate) fn restored(
    law: &Bound<'_, PyAny>,
    shape: Vec<usize>,
    status: Py<PyAny>,
    outputs: [Option<Py<PyAny>>; OUTPUTS.len()],
) -> PyResult<CollideResult> {
    let law = catalogue::Law::of(catalogue::argument(law)?);
    Ok(CollideResult { law, shape, status, outputs })
}

impl CollideResult {
    /// Names of codes, or of the one problem as they are.
    fn names(&self, py: Python<'_>, codes: Py<PyAny>, names: &[&str]) -> PyResult<Py<PyAny>> {
        if self.shape.is_empty() {
            return Ok(codes);
        }
        // Codes without a name are those of rows without an answer.
        let table: Vec<&str> = (0..=usize::from(u8::MAX)).map(|code| names.get(code).copied().unwrap_or("")).collect();
        let table = numpy(py)?.call_method1("array", (table,))?;
        Ok(table.call_method1("take", (codes,))?.unbind())
    }

    /// The contents in words: of one problem its numbers, of a batch how many rows have each status.
    fn shown(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, String)>> {
        if !self.shape.is_empty() {
            let mut shown = vec![("shape", shape_text(&self.shape))];
            let status = self.status(py);
            let status = status.bind(py).cast::<PyArrayDyn<u8>>()?.try_readonly()?;
            for (code, name) in Status::ALL.map(Status::name).into_iter().enumerate() {
                let rows = status.as_array().iter().filter(|status| usize::from(**status) == code).count();
                if rows > 0 {
                    shown.push((name, rows.to_string()));
                }
            }
            return Ok(shown);
        }
        let mut shown = Vec::new();
        for (name, value) in
            OUTPUTS.into_iter().chain(["status"]).zip(self.outputs.iter().chain([&Some(self.status(py))]))
        {
            if let Some(value) = value.as_ref().filter(|_| name != "jacobian") {
                let value = value.bind(py);
                let plain = if value.hasattr("tolist")? { value.call_method0("tolist")? } else { value.clone() };
                shown.push((name, plain.repr()?.to_string()));
            }
        }
        Ok(shown)
    }

    /// An output by its name, if it is there.
    pub(crate) fn array<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
        if name == "status" {
            return Some(self.status.bind(py).clone());
        }
        let place = OUTPUTS.iter().position(|known| *known == name)?;
        self.outputs[place].as_ref().map(|output| output.bind(py).clone())
    }

    /// An output that was asked for.
    fn output(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let missing = || PyAttributeError::new_err(format!("\"{name}\" is not among the outputs that were asked for"));
        self.array(py, name).map(Bound::unbind).ok_or_else(missing)
    }
}
