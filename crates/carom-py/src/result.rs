//! The result of `collide`.

use crate::errors::{self, ShapeError};
use crate::input::{numpy, shape_text};
use crate::laws::{self as catalogue, escaped};
use crate::shown::{drawn, plane};
use carom::batch::{Derivative, MODES, Status};
use carom::{Collision, Mode};
use carom_study::plot::{Diagram, Entry};
use nalgebra::{Matrix3, Vector3};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyTuple};
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
///     both places, and the law's parameters. A parameter that is a word, as the direction of ``"ivanov"``, has a column of zeros.
#[pyclass(module = "carom", frozen)]
pub(crate) struct CollideResult {
    pub(crate) law: catalogue::Law,
    pub(crate) shape: Vec<usize>,
    pub(crate) status: Py<PyAny>,
    /// In the order of [`OUTPUTS`]; those that were asked for.
    pub(crate) outputs: [Option<Py<PyAny>>; OUTPUTS.len()],
    /// Of one problem, for its diagram.
    pub(crate) problem: Option<Problem>,
}

/// The collision of one contact, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Problem {
    /// W by rows, with zeros out of the plane.
    pub(crate) inverse_mass: [f64; 9],
    pub(crate) velocity: [f64; 3],
    /// 2 in the plane, 3 in space.
    pub(crate) components: usize,
    pub(crate) friction: Option<f64>,
    pub(crate) restitution: Option<f64>,
}

impl Problem {
    /// The collision again.
    fn collision(&self) -> PyResult<Collision> {
        let (w, v) = (Matrix3::from_row_slice(&self.inverse_mass), Vector3::from(self.velocity));
        let collision = if self.components == 2 {
            Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]], [v.x, v.y])
        } else {
            Collision::new(&w, &v)
        };
        collision.map_err(|error| errors::input(&error))
    }
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
        html.push_str("</table>");
        Ok(if self.problem.is_some() { html + &self.svg(py)? } else { html })
    }

    /// The impulse-space diagram of one problem, with the impulse of the law, as SVG.
    ///
    /// Returns
    /// -------
    /// str
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        self.diagram(py, |diagram| Ok(diagram.svg()))
    }

    /// Draw the impulse-space diagram of one problem with matplotlib, which must be installed. A problem in space is shown in the section
    /// through the normal and the slip.
    ///
    /// Parameters
    /// ----------
    /// ax : matplotlib.axes.Axes, optional
    ///     Where to draw; the current axes of ``matplotlib.pyplot`` by default.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    #[pyo3(signature = (ax=None))]
    fn plot<'py>(&self, py: Python<'py>, ax: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        drawn(py, "impulse_plane", self.diagram(py, |diagram| plane(py, diagram))?, ax)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let outputs = PyTuple::new(py, &self.outputs)?;
        let shape = PyTuple::new(py, &self.shape)?;
        let arguments = (self.law.clone(), shape, &self.status, outputs, self.problem).into_pyobject(py)?;
        Ok((py.import("carom._carom")?.getattr("_restored")?, arguments))
    }
}

/// A result that was pickled.
#[pyfunction(name = "_restored")]
#[pyo3(signature = (law, shape, status, outputs, problem=None))]
pub(crate) fn restored(
    law: &Bound<'_, PyAny>,
    shape: Vec<usize>,
    status: Py<PyAny>,
    outputs: [Option<Py<PyAny>>; OUTPUTS.len()],
    problem: Option<Problem>,
) -> PyResult<CollideResult> {
    let law = catalogue::Law::of(catalogue::argument(law)?);
    Ok(CollideResult { law, shape, status, outputs, problem })
}

impl CollideResult {
    /// Makes something of the diagram of one problem.
    fn diagram<T>(&self, py: Python<'_>, make: impl FnOnce(&Diagram) -> PyResult<T>) -> PyResult<T> {
        let problem = self.problem.ok_or_else(|| {
            let shape = shape_text(&self.shape);
            ShapeError::new_err(format!(
                "the shape of the batch is {shape}; expected one problem: impulse space is of one"
            ))
        })?;
        let impulse = match &self.outputs[0] {
            Some(impulse) => Some(impulse.bind(py).extract::<Vec<f64>>()?),
            None => None,
        };
        let entry = |p: Vec<f64>| Entry {
            label: self.law.law.id.to_owned(),
            impulse: Vector3::from_fn(|i, _| p.get(i).copied().unwrap_or_default()),
            path: Vec::new(),
            admissible: self.is_admissible(py),
        };
        make(&Diagram {
            title: self.law.law.name.to_owned(),
            subtitle: String::new(),
            collision: &problem.collision()?,
            friction: problem.friction.unwrap_or_default().min(carom::laws::ROUGH),
            restitution: problem.restitution.filter(|e| (0.0..=1.0).contains(e)),
            entries: impulse.into_iter().map(entry).collect(),
        })
    }

    /// Whether the audit of one problem found nothing, as far as it was asked for.
    fn is_admissible(&self, py: Python<'_>) -> bool {
        let Some(findings) = self.array(py, "audit").and_then(|audit| audit.cast_into::<PyDict>().ok()) else {
            return true;
        };
        findings.values().iter().all(|finding| finding.extract::<&str>().is_ok_and(|finding| finding == "ok"))
    }

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
                let plain = match value.cast::<PyArrayDyn<f64>>() {
                    Ok(components) => without_noise(py, components)?,
                    Err(_) if name == "energy_change" && self.is_noise(py, value) => PyFloat::new(py, 0.0).into_any(),
                    Err(_) => value.clone(),
                };
                shown.push((name, plain.repr()?.to_string()));
            }
        }
        Ok(shown)
    }

    /// Whether a change of energy is rounding beside |P||V'|.
    fn is_noise(&self, py: Python<'_>, energy_change: &Bound<PyAny>) -> bool {
        let size = |name: &str| self.array(py, name)?.extract::<Vec<f64>>().ok().map(|v| v.iter().map(|x| x * x).sum());
        let product = size("impulse").zip(size("velocity_after")).map(|(p, v): (f64, f64)| (p * v).sqrt());
        product.zip(energy_change.extract::<f64>().ok()).is_some_and(|(size, change)| change.abs() <= NOISE * size)
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

/// Components below this share of the largest are rounding.
const NOISE: f64 = 1e-14;

/// The components of a vector as they are shown: zero where they are rounding beside the others.
fn without_noise<'py>(py: Python<'py>, components: &Bound<'py, PyArrayDyn<f64>>) -> PyResult<Bound<'py, PyAny>> {
    let components = components.try_readonly()?;
    let size = components.as_array().iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    let shown =
        components.as_array().iter().map(|x| if x.abs() <= NOISE * size { 0.0 } else { *x }).collect::<Vec<_>>();
    Ok(PyList::new(py, shown)?.into_any())
}
