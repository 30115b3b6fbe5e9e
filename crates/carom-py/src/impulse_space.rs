//! Impulse space of one collision: the energy ellipsoid and the accessible region.

use crate::collide::{components, matrix_axes, one_collision};
use crate::errors::{self, InputError, ShapeError};
use crate::input::{Numbers, shape_text, shaped};
use crate::shown::{drawn, plane};
use carom::Collision;
use carom::impulse_space::{AccessibleRegion, Extent};
use carom::laws;
use carom_study::plot::Diagram;
use nalgebra::Vector3;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Bounds for the number of points around a region in the plane.
const POINTS: std::ops::RangeInclusive<i64> = 3..=1_000_000;
/// The finest surface around a region in space.
const FINEST: i64 = 8;

/// The impulse space of one collision, from :func:`impulse_space`.
///
/// Impulses are in the contact frame, kg m/s: (n, t) in the plane, (n, t1, t2) in space. The accessible region holds every impulse
/// that creates no energy, leaves no approach and lies in the friction cone.
///
/// Attributes
/// ----------
/// friction : float
///     The coefficient of friction of the cone.
/// centre : ndarray
///     The centre -M V of the energy ellipsoid: the impulse after which the contact sticks and all local energy is lost.
/// fastest_separation : ndarray
///     The impulse without gain of energy after which the bodies part fastest.
/// top : ndarray or None
///     The point of the ellipsoid with the largest normal impulse; ``None`` where W is singular.
/// largest_restitution : float or None
///     The largest kinematic restitution that energy allows; ``None`` unless the bodies approach.
/// extent : str
///     Which kind of set the accessible region is: ``"point"``, ``"segment"``, ``"solid"`` or ``"unbounded"``.
/// interior_point : ndarray or None
///     A point inside the region, if it has an inside.
#[pyclass(module = "carom", frozen)]
pub(crate) struct ImpulseSpace {
    collision: Collision,
    components: usize,
    #[pyo3(get)]
    friction: f64,
}

/// The impulse space of one collision: which impulses energy, friction and non-penetration allow.
///
/// Parameters
/// ----------
/// inverse_mass : array_like
///     W, 1/kg: (2, 2) or (3, 3), or its upper triangle by rows, (3,) or (6,).
/// velocity : array_like
///     V before, m/s: (2,) or (3,).
/// friction : float
///     The coefficient of friction, at least 0, or infinite.
///
/// Returns
/// -------
/// ImpulseSpace
///
/// Raises
/// ------
/// InputError
///     If a number is one that no problem can have.
/// ShapeError
///     If shapes do not fit each other.
///
/// Examples
/// --------
/// >>> import carom
/// >>> space = carom.impulse_space([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], friction=0.8)
/// >>> space.extent, space.frictionless(0.25).tolist()
/// ('solid', [0.5, 0.0])
/// >>> space.contains([[0.4, 0.0], [0.9, 0.0]]).tolist()
/// [True, False]
/// >>> space.nearest([0.5, 0.1]).tolist()
/// [0.5, 0.1]
/// >>> space.boundary(100).shape
/// (100, 2)
#[pyfunction]
#[pyo3(signature = (inverse_mass, velocity, friction=0.3))]
pub(crate) fn impulse_space(
    inverse_mass: &Bound<'_, PyAny>,
    velocity: &Bound<'_, PyAny>,
    friction: f64,
) -> PyResult<ImpulseSpace> {
    let (collision, components) = one_problem(inverse_mass, velocity)?;
    AccessibleRegion::new(&collision, friction).map_err(|error| errors::input(&error))?;
    Ok(ImpulseSpace { collision, components, friction })
}

/// One collision, and the number of its components.
pub(crate) fn one_problem(
    inverse_mass: &Bound<'_, PyAny>,
    velocity: &Bound<'_, PyAny>,
) -> PyResult<(Collision, usize)> {
    let velocity = Numbers::of("velocity", velocity)?;
    let components = components(&velocity)?;
    let inverse_mass = Numbers::of("inverse_mass", inverse_mass)?;
    let axes = matrix_axes(&inverse_mass, &velocity, components)?;
    for (numbers, tail) in [(&inverse_mass, axes), (&velocity, 1)] {
        if !numbers.leading(tail).is_empty() {
            let shape = shape_text(numbers.shape());
            return Err(ShapeError::new_err(format!("{} has the shape {shape}; expected one problem", numbers.name)));
        }
    }
    Ok((one_collision(inverse_mass, axes, velocity, components)?, components))
}

#[pymethods]
impl ImpulseSpace {
    #[getter]
    fn centre<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.vector(py, &self.region()?.ellipsoid().centre()))
    }

    #[getter]
    fn fastest_separation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.vector(py, &self.region()?.ellipsoid().fastest_separation()))
    }

    #[getter]
    fn top<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        Ok(self.region()?.ellipsoid().top().map(|top| self.vector(py, &top)))
    }

    #[getter]
    fn largest_restitution(&self) -> PyResult<Option<f64>> {
        Ok(self.region()?.ellipsoid().largest_restitution())
    }

    #[getter]
    fn extent(&self) -> PyResult<&'static str> {
        Ok(extent_name(self.region()?.extent()))
    }

    #[getter]
    fn interior_point<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        Ok(self.region()?.interior_point().map(|inside| self.vector(py, &inside)))
    }

    /// The impulse along the normal alone with a restitution; zero if the bodies do not approach.
    ///
    /// Parameters
    /// ----------
    /// restitution : float
    ///     0 to 1.
    ///
    /// Returns
    /// -------
    /// ndarray
    fn frictionless<'py>(&self, py: Python<'py>, restitution: f64) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let law = laws::find("newton").map_err(|error| errors::input(&error))?;
        let bound = law.bind(&[("restitution", restitution)]);
        let bound = bound.map_err(|error| errors::input(&error))?;
        let outcome = bound.resolve_collision(&self.collision).map_err(|why| errors::no_answer(&why))?;
        Ok(self.vector(py, &outcome.impulse))
    }

    /// Whether impulses are in the accessible region, its boundary included.
    ///
    /// Parameters
    /// ----------
    /// impulse : array_like
    ///     One impulse or an array of them, (..., 2) or (..., 3).
    ///
    /// Returns
    /// -------
    /// bool or ndarray of bool
    fn contains<'py>(&self, py: Python<'py>, impulse: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let region = self.region()?;
        let (shape, impulses) = self.impulses("impulse", impulse)?;
        shaped(py, &shape, impulses.iter().map(|p| region.contains(p)).collect())
    }

    /// The nearest accessible impulses: those given, where they are accessible.
    ///
    /// Parameters
    /// ----------
    /// impulse : array_like
    ///     One impulse or an array of them, (..., 2) or (..., 3).
    ///
    /// Returns
    /// -------
    /// ndarray
    ///     Of the same shape.
    fn nearest<'py>(&self, py: Python<'py>, impulse: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let region = self.region()?;
        let (mut shape, impulses) = self.impulses("impulse", impulse)?;
        shape.push(self.components);
        let nearest = impulses.iter().map(|p| region.nearest(p).map_err(|error| errors::input(&error)));
        self.vectors(py, &shape, &nearest.collect::<PyResult<Vec<_>>>()?)
    }

    /// Signed distances from the boundary of the accessible region, kg m/s: positive inside, negative outside.
    ///
    /// Parameters
    /// ----------
    /// impulse : array_like
    ///     One impulse or an array of them, (..., 2) or (..., 3).
    ///
    /// Returns
    /// -------
    /// float or ndarray
    fn distance<'py>(&self, py: Python<'py>, impulse: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let region = self.region()?;
        let (shape, impulses) = self.impulses("impulse", impulse)?;
        let distances = impulses.iter().map(|p| region.distance(p).map_err(|error| errors::input(&error)));
        shaped(py, &shape, distances.collect::<PyResult<Vec<_>>>()?)
    }

    /// The principal axes of the ellipsoid of impulses that leave a fraction of the local energy.
    ///
    /// Parameters
    /// ----------
    /// level : float
    ///     The fraction of the energy that is left, at least 0; 1 for the energy ellipsoid itself.
    ///
    /// Returns
    /// -------
    /// directions : ndarray
    ///     Unit vectors, one per column.
    /// half_lengths : ndarray
    ///     Half the length along each, kg m/s; infinite along a direction in which nothing moves.
    #[pyo3(signature = (level=1.0))]
    fn principal_axes<'py>(&self, py: Python<'py>, level: f64) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let axes = self.region()?.ellipsoid().principal_axes(level).map_err(|error| errors::input(&error))?;
        let mut kept = vec![0, 1, 2];
        if self.components == 2 {
            // The axis out of the plane is not part of the problem.
            kept.remove(axes.directions.row(2).transpose().iamax());
        }
        let entries = (0..self.components).flat_map(|i| kept.iter().map(move |j| (i, *j)));
        let directions = entries.map(|entry| axes.directions[entry]).collect();
        let half_lengths = kept.iter().map(|j| axes.half_lengths[*j]).collect();
        let n = self.components;
        Ok((shaped(py, &[n, n], directions)?, shaped(py, &[n], half_lengths)?))
    }

    /// Where a ray from an accessible impulse leaves the region.
    ///
    /// Parameters
    /// ----------
    /// start : array_like
    ///     The impulse, (2,) or (3,).
    /// direction : array_like
    ///     The direction, of any length.
    ///
    /// Returns
    /// -------
    /// ndarray or None
    ///     ``None`` if it never leaves, which happens where W is singular.
    fn exit_point<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let (start, direction) = (self.impulse("start", start)?, self.impulse("direction", direction)?);
        let exit = self.region()?.exit_point(&start, &direction).map_err(|error| errors::input(&error))?;
        Ok(exit.map(|exit| self.vector(py, &exit)))
    }

    /// Points around the accessible region of a problem in the plane, in the order in which they follow each other.
    ///
    /// Parameters
    /// ----------
    /// points : int
    ///     How many. All lie on the boundary; lines between them cut its corners.
    ///
    /// Returns
    /// -------
    /// ndarray
    ///     (points, 2)
    ///
    /// Raises
    /// ------
    /// InputError
    ///     If the problem is in space, or the region is no solid.
    #[pyo3(signature = (points=256))]
    fn boundary<'py>(&self, py: Python<'py>, points: i64) -> PyResult<Bound<'py, PyAny>> {
        if self.components != 2 {
            return Err(InputError::new_err("boundary is for problems in the plane; surface is for those in space"));
        }
        if !POINTS.contains(&points) {
            return Err(InputError::new_err(format!(
                "points is {points}; expected {} to {}",
                POINTS.start(),
                POINTS.end()
            )));
        }
        let region = self.region()?;
        let inside = region.interior_point().ok_or_else(|| no_solid(&region))?;
        let exit = |direction: &Vector3<f64>| {
            let exit = region.exit_point(&inside, direction).map_err(|error| errors::input(&error))?;
            exit.ok_or_else(|| no_solid(&region))
        };
        let mut proportions = [0.0; 2];
        for (i, proportion) in proportions.iter_mut().enumerate() {
            let axis = Vector3::ith(i, 1.0);
            *proportion = (exit(&axis)? - exit(&-axis)?).norm();
        }
        let around = (0..points).map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / points as f64).sin_cos();
            exit(&Vector3::new(proportions[0] * cos, proportions[1] * sin, 0.0))
        });
        let around = around.collect::<PyResult<Vec<_>>>()?;
        self.vectors(py, &[around.len(), 2], &around)
    }

    /// Triangles around the accessible region of a problem in space.
    ///
    /// Parameters
    /// ----------
    /// level : int
    ///     0 to 8; there are 20 * 4**level triangles.
    ///
    /// Returns
    /// -------
    /// vertices : ndarray
    ///     (n, 3), all on the boundary.
    /// triangles : ndarray of int
    ///     (m, 3), the vertices of each, counter-clockwise seen from outside.
    ///
    /// Raises
    /// ------
    /// InputError
    ///     If the problem is in the plane, or the region is no solid.
    #[pyo3(signature = (level=3))]
    fn surface<'py>(&self, py: Python<'py>, level: i64) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        if self.components != 3 {
            return Err(InputError::new_err("surface is for problems in space; boundary is for those in the plane"));
        }
        let fineness = u8::try_from(level).ok().filter(|_| level <= FINEST);
        let fineness =
            fineness.ok_or_else(|| InputError::new_err(format!("level is {level}; expected 0 to {FINEST}")))?;
        let region = self.region()?;
        let surface = py.detach(|| region.surface(fineness)).ok_or_else(|| no_solid(&region))?;
        let vertices = self.vectors(py, &[surface.vertices.len(), 3], &surface.vertices)?;
        let triangles =
            surface.triangles.iter().flatten().map(|vertex| i64::try_from(*vertex)).collect::<Result<_, _>>()?;
        Ok((vertices, shaped(py, &[surface.triangles.len(), 3], triangles)?))
    }

    /// The diagram of impulse space, as SVG.
    ///
    /// Parameters
    /// ----------
    /// restitution : float, optional
    ///     The kinematic restitution of the line of termination, if it is to be drawn.
    /// title : str
    ///     The heading.
    ///
    /// Returns
    /// -------
    /// str
    #[pyo3(signature = (restitution=None, title="Impulse space"))]
    fn svg(&self, restitution: Option<f64>, title: &str) -> PyResult<String> {
        Ok(self.diagram(restitution, title)?.svg())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, "Impulse space")
    }

    /// Draw the diagram with matplotlib, which must be installed. A problem in space is shown in the section through the normal and the
    /// slip.
    ///
    /// Parameters
    /// ----------
    /// restitution : float, optional
    ///     The kinematic restitution of the line of termination, if it is to be drawn.
    /// ax : matplotlib.axes.Axes, optional
    ///     Where to draw; the current axes of ``matplotlib.pyplot`` by default.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    #[pyo3(signature = (restitution=None, ax=None))]
    fn plot<'py>(
        &self,
        py: Python<'py>,
        restitution: Option<f64>,
        ax: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        drawn(py, "impulse_plane", plane(py, &self.diagram(restitution, "Impulse space")?)?, ax)
    }

    fn __repr__(&self) -> PyResult<String> {
        let place = if self.components == 2 { "in the plane" } else { "in space" };
        Ok(format!("<carom.ImpulseSpace {place}, friction {}, {}>", self.friction, self.extent()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (n, w) = (self.components, self.collision.inverse_mass());
        let entries = (0..n).flat_map(|i| (0..n).map(move |j| w[(i, j)])).collect();
        let velocity = self.vector(py, self.collision.velocity());
        let arguments = (shaped(py, &[n, n], entries)?, velocity, self.friction);
        Ok((py.import("carom")?.getattr("impulse_space")?, arguments.into_pyobject(py)?))
    }
}

impl ImpulseSpace {
    fn diagram(&self, restitution: Option<f64>, title: &str) -> PyResult<Diagram<'_>> {
        if let Some(restitution) = restitution.filter(|restitution| !(0.0..=1.0).contains(restitution)) {
            return Err(InputError::new_err(format!("restitution is {restitution}; expected a number from 0 to 1")));
        }
        Ok(Diagram {
            title: title.to_owned(),
            subtitle: String::new(),
            collision: &self.collision,
            friction: self.friction.min(laws::ROUGH),
            restitution,
            entries: Vec::new(),
        })
    }

    fn region(&self) -> PyResult<AccessibleRegion<'_>> {
        AccessibleRegion::new(&self.collision, self.friction).map_err(|error| errors::input(&error))
    }

    /// A vector with the components of the problem.
    fn vector<'py>(&self, py: Python<'py>, vector: &Vector3<f64>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &vector.as_slice()[..self.components])
    }

    fn vectors<'py>(&self, py: Python<'py>, shape: &[usize], vectors: &[Vector3<f64>]) -> PyResult<Bound<'py, PyAny>> {
        shaped(py, shape, vectors.iter().flat_map(|v| v.as_slice()[..self.components].to_vec()).collect())
    }

    /// Impulses, and the shape of the array of them.
    fn impulses(&self, name: &str, given: &Bound<PyAny>) -> PyResult<(Vec<usize>, Vec<Vector3<f64>>)> {
        let numbers = Numbers::of(name, given)?;
        if numbers.shape().last() != Some(&self.components) {
            return Err(ShapeError::new_err(format!(
                "{name} has the shape {}; expected (..., {})",
                shape_text(numbers.shape()),
                self.components
            )));
        }
        let entries = numbers.to_vec()?;
        let rows = entries.chunks_exact(self.components);
        let impulses = rows.map(|row| Vector3::new(row[0], row[1], row.get(2).copied().unwrap_or_default()));
        Ok((numbers.leading(1).to_vec(), impulses.collect()))
    }

    /// One impulse.
    fn impulse(&self, name: &str, given: &Bound<PyAny>) -> PyResult<Vector3<f64>> {
        match &self.impulses(name, given)?.1[..] {
            [impulse] => Ok(*impulse),
            several => Err(ShapeError::new_err(format!("{name} holds {} vectors; expected one", several.len()))),
        }
    }
}

fn extent_name(extent: Extent) -> &'static str {
    match extent {
        Extent::Point => "point",
        Extent::Segment => "segment",
        Extent::Solid => "solid",
        Extent::Unbounded => "unbounded",
    }
}

/// The error where only a solid has an answer.
fn no_solid(region: &AccessibleRegion) -> PyErr {
    let extent = extent_name(region.extent());
    InputError::new_err(format!("the extent of the accessible region is \"{extent}\"; expected \"solid\""))
}
