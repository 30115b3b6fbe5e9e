//! The impulses that a law reaches as its parameters vary.

use crate::errors::{self, InputError, NoAnswerError};
use crate::impulse_space::one_problem;
use crate::input::shaped;
use crate::laws::{Law, argument};
use crate::own::Own;
use crate::parameters::single_values;
use crate::watch;
use carom::laws::Kind;
use carom::{BoundLaw, Error};
use carom_study::plot::Regions;
use carom_study::prediction::Refusal;
use carom_study::reach::{Question, Reach, Sample, Set, reach_of};
use nalgebra::Vector2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Points on the arc of an outline.
const ARC: usize = 200;

/// The impulses that a law reaches, from :func:`region`.
///
/// Attributes
/// ----------
/// law : Law
///     The law.
/// friction : float
///     The coefficient of friction, which is held.
/// parameters : tuple of str
///     The parameters that vary, in the order of `values`.
/// extent : str
///     Which kind of set it is: ``"point"``, ``"curve"``, ``"surface"`` or ``"part"`` of the accessible region; ``"unbounded"`` or
///     ``"flat"`` if that is the accessible region, which then has no shares.
/// share : float or None
///     The share of the accessible region that is reached, by area in the plane and by volume in space, right to about 0.002 in the plane
///     and 0.02 in space.
/// values : ndarray
///     Samples of the parameters, (samples, parameters).
/// impulse, velocity_after : ndarray
///     P in kg m/s and V after in m/s of each sample, (samples, 2) or (samples, 3).
/// energy_change : ndarray
///     Change of the kinetic energy of each sample, J.
/// cells : list of ndarray
///     Convex polygons (k, 2) of (P_n, P_t) that together fill the set and may overlap; in space, in the section through the slip.
/// curves, points : list of ndarray
///     Lines (k, 2) and points (2,) of a set without area, in the same plane.
/// outline : ndarray
///     The accessible region in the same plane, (k, 2); empty if it is unbounded.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Region {
    law: Law,
    components: usize,
    #[pyo3(get)]
    friction: f64,
    reach: Reach,
    regions: Regions,
}

/// The impulses that a law reaches for one collision as its parameters vary over their ranges, friction held.
///
/// Parameters
/// ----------
/// inverse_mass, velocity : array_like
///     W and V of one problem, as :func:`collide` takes them.
/// law : str or Law
///     A law for one contact.
/// friction : float
///     The coefficient of friction.
/// **parameters : float or str
///     Parameters of the law that do not vary: rules, parameters without bounds, and any other.
///
/// Returns
/// -------
/// Region
///
/// Raises
/// ------
/// InputError
///     If a number, the law or a parameter is one that no problem can have, or a parameter without bounds has no value.
/// NoAnswerError
///     If the law has no answer, whatever its parameters.
///
/// Examples
/// --------
/// >>> import carom
/// >>> region = carom.region([[1.0, 0.2], [0.2, 3.0]], [-1.0, 0.6], "chatterjee-2")
/// >>> region.parameters, region.extent
/// (('restitution', 'tangential_restitution'), 'part')
/// >>> round(region.share, 2)
/// 0.6
#[pyfunction]
#[pyo3(signature = (inverse_mass, velocity, law, friction=0.3, **parameters))]
pub(crate) fn region<'py>(
    py: Python<'py>,
    inverse_mass: &Bound<'py, PyAny>,
    velocity: &Bound<'py, PyAny>,
    law: &Bound<'py, PyAny>,
    friction: f64,
    parameters: Option<&Bound<'py, PyDict>>,
) -> PyResult<Region> {
    let law = argument(law)?;
    if law.is_simultaneous() {
        return Err(InputError::new_err(format!(
            "law `{}` is for several contacts; expected one for one contact",
            law.id
        )));
    }
    let (collision, components) = one_problem(inverse_mass, velocity)?;
    if friction.is_nan() || friction < 0.0 {
        return Err(InputError::new_err(format!("friction is {friction}; expected a number of at least 0, or inf")));
    }
    let given = single_values(law, parameters)?;
    if let Some((key, _)) = given.iter().find(|(key, _)| !law.takes(key)) {
        return Err(errors::input(&Error::UnknownParameter { law: law.id, key: key.clone() }));
    }
    let fixed: Vec<&str> = given.iter().map(|(key, _)| key.as_str()).collect();
    let endless = law.parameters.iter().find(|parameter| {
        let known = ["restitution", "friction", "static_friction", "kinetic_friction"].contains(&parameter.key);
        let bounded =
            !matches!(parameter.kind, Kind::Number { least, greatest } if least.is_infinite() || greatest.is_infinite());
        Own::of(law).is_some() && !known && !bounded && !fixed.contains(&parameter.key)
    });
    if let Some(parameter) = endless {
        let key = parameter.key;
        return Err(InputError::new_err(format!("`{key}` of law `{}` has no bounds; expected a value for it", law.id)));
    }
    let bind = |varied: &dyn Fn(&str) -> Option<f64>| -> Result<BoundLaw, Error> {
        law.bind_from(|key| {
            let held = given.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
            varied(key).or(held).or((key == "friction").then_some(friction))
        })
    };
    let question = Question { collision: &collision, friction, fixed: &fixed, bind: &bind };
    let reach = watch::call(|| {
        py.detach(|| reach_of(&question, law, &mut |_| {})).map_err(|refusal| match refusal {
            Refusal::Parameters(error) => errors::input(&error),
            other => NoAnswerError::new_err(other.to_string()),
        })
    })?;
    let regions = Regions::of_collision(law.name, &collision, friction, std::slice::from_ref(&reach));
    Ok(Region { law: Law::of(law), components, friction, reach, regions })
}

#[pymethods]
impl Region {
    #[getter]
    fn law(&self) -> Law {
        self.law.clone()
    }

    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.reach.free)
    }

    #[getter]
    fn extent(&self) -> &'static str {
        match self.reach.set {
            Set::Point => "point",
            Set::Curve => "curve",
            Set::Surface => "surface",
            Set::Part => "part",
            Set::Unbounded => "unbounded",
            Set::Flat => "flat",
        }
    }

    #[getter]
    fn share(&self) -> Option<f64> {
        self.reach.coverage
    }

    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, self.reach.free.len(), |sample| &sample.values)
    }

    #[getter]
    fn impulse<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, self.components, |sample| &sample.impulse.as_slice()[..self.components])
    }

    #[getter]
    fn velocity_after<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py, self.components, |sample| &sample.velocity_after.as_slice()[..self.components])
    }

    #[getter]
    fn energy_change<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let changes: Vec<f64> = self.reach.samples.iter().map(|sample| sample.energy_change).collect();
        shaped(py, &[changes.len()], changes)
    }

    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        outlines(py, self.regions.reaches.iter().flat_map(|panel| &panel.cells))
    }

    #[getter]
    fn curves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        outlines(py, self.regions.reaches.iter().flat_map(|panel| &panel.curves))
    }

    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let points = self.regions.reaches.iter().flat_map(|panel| &panel.points);
        let arrays = points.map(|point| shaped(py, &[2], vec![point.x, point.y])).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, arrays)
    }

    #[getter]
    fn outline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let outline = self.regions.outline(ARC);
        shaped(py, &[outline.len(), 2], outline.iter().flat_map(|point| [point.x, point.y]).collect())
    }

    /// Draw the set in the plane of tangential and normal impulse, over the accessible region.
    ///
    /// Parameters
    /// ----------
    /// ax : matplotlib.axes.Axes, optional
    ///     Where to draw; the current axes by default.
    /// **style
    ///     Keyword arguments of the patches, for instance ``color`` and ``alpha``.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    #[pyo3(signature = (ax=None, **style))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        ax: Option<Bound<'py, PyAny>>,
        style: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let style = style.map_or_else(|| PyDict::new(slf.py()), Clone::clone);
        slf.py().import("carom._region")?.call_method1("plotted", (slf, ax, style))
    }

    /// The set over the accessible region, as SVG.
    ///
    /// Returns
    /// -------
    /// str
    fn svg(&self) -> String {
        self.regions.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        let share = self.reach.coverage.map_or_else(String::new, |share| format!(", {:.1} %", 100.0 * share));
        format!("<carom.Region of '{}': {}{share}>", self.law.law.id, self.extent())
    }
}

impl Region {
    fn table<'py>(
        &self,
        py: Python<'py>,
        columns: usize,
        row: impl for<'a> Fn(&'a Sample) -> &'a [f64],
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbers: Vec<f64> = self.reach.samples.iter().flat_map(|sample| row(sample).to_vec()).collect();
        shaped(py, &[self.reach.samples.len(), columns], numbers)
    }
}

/// Lines as arrays.
fn outlines<'a, 'py>(
    py: Python<'py>,
    lines: impl Iterator<Item = &'a Vec<Vector2<f64>>>,
) -> PyResult<Bound<'py, PyList>> {
    let arrays = lines.map(|line| {
        let numbers: Vec<f64> = line.iter().flat_map(|point| [point.x, point.y]).collect();
        shaped(py, &[line.len(), 2], numbers)
    });
    PyList::new(py, arrays.collect::<PyResult<Vec<_>>>()?)
}
