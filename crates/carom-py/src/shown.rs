//! Pictures as data, which the Python sources draw with matplotlib.

use crate::input::shaped;
use carom_study::plot::{Chart, Diagram, ShownMotion};
use nalgebra::Vector2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Draws a picture by a function of `carom._plot`.
pub(crate) fn drawn<'py>(
    py: Python<'py>,
    function: &str,
    shown: Bound<'py, PyDict>,
    ax: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("carom._plot")?.call_method1(function, (shown, ax))
}

/// Points as an array, (n, 2).
fn points<'py>(py: Python<'py>, points: &[Vector2<f64>]) -> PyResult<Bound<'py, PyAny>> {
    shaped(py, &[points.len(), 2], points.iter().flat_map(|p| [p.x, p.y]).collect())
}

fn curves<'py>(py: Python<'py>, curves: &[Vec<Vector2<f64>>]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, curves.iter().map(|curve| points(py, curve)).collect::<PyResult<Vec<_>>>()?)
}

/// The impulse plane of a diagram.
pub(crate) fn plane<'py>(py: Python<'py>, diagram: &Diagram) -> PyResult<Bound<'py, PyDict>> {
    let plane = diagram.shown();
    let shown = PyDict::new(py);
    shown.set_item("title", &diagram.title)?;
    shown.set_item("spatial", diagram.collision.planar_section().is_none())?;
    shown.set_item("window", points(py, &plane.window)?)?;
    shown.set_item("region", points(py, &plane.region)?)?;
    shown.set_item("ellipse", points(py, &plane.ellipse)?)?;
    let levels = plane.levels.iter().map(|(lost, curve)| Ok((*lost, points(py, curve)?)));
    shown.set_item("levels", levels.collect::<PyResult<Vec<_>>>()?)?;
    shown.set_item("cone", plane.cone.iter().map(|ends| points(py, ends)).collect::<PyResult<Vec<_>>>()?)?;
    let lines = plane.lines.iter().map(|line| Ok((line.name, points(py, &line.ends)?)));
    shown.set_item("lines", lines.collect::<PyResult<Vec<_>>>()?)?;
    shown.set_item("centre", plane.centre.map(|centre| (centre.x, centre.y)))?;
    let marks = plane.marks.into_iter().map(|mark| ((mark.at.x, mark.at.y), mark.laws, mark.admissible));
    shown.set_item("marks", marks.collect::<Vec<_>>())?;
    shown.set_item("paths", curves(py, &plane.paths)?)?;
    Ok(shown)
}

/// A chart of curves.
pub(crate) fn chart<'py>(py: Python<'py>, title: &str, chart: &Chart) -> PyResult<Bound<'py, PyDict>> {
    let shown = PyDict::new(py);
    let more = if chart.title.is_empty() { String::new() } else { format!(": {}", chart.title) };
    shown.set_item("title", format!("{title}{more}"))?;
    let drawn = chart.curves.iter().map(|curve| {
        let label: String = curve.label.spans().iter().map(|span| span.content.as_str()).collect();
        Ok((label, curve.colour(), points(py, &curve.points)?))
    });
    shown.set_item("curves", drawn.collect::<PyResult<Vec<_>>>()?)?;
    Ok(shown)
}

/// The motion of a run.
pub(crate) fn motion<'py>(
    py: Python<'py>,
    title: &str,
    planar: bool,
    names: &[String],
    motion: &ShownMotion,
) -> PyResult<Bound<'py, PyDict>> {
    let shown = PyDict::new(py);
    shown.set_item("title", title)?;
    shown.set_item("planar", planar)?;
    shown.set_item("names", names)?;
    shown.set_item("colours", &motion.colours)?;
    shown.set_item("paths", curves(py, &motion.paths)?)?;
    let flashes = motion.flashes.iter().map(|flash| {
        let bodies = flash.outlines.iter().map(|outlines| curves(py, outlines)).collect::<PyResult<Vec<_>>>()?;
        Ok((flash.time, bodies))
    });
    shown.set_item("flashes", flashes.collect::<PyResult<Vec<_>>>()?)?;
    shown.set_item("walls", motion.walls.iter().map(|wall| points(py, wall)).collect::<PyResult<Vec<_>>>()?)?;
    shown.set_item("obstacles", curves(py, &motion.obstacles)?)?;
    shown.set_item("impacts", points(py, &motion.impacts)?)?;
    Ok(shown)
}
