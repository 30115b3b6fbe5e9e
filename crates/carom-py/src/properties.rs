//! What a law does, measured.

use crate::input::shaped;
use carom::properties::{Counterexamples, Properties};
use carom::{BoundLaw, Collision};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The properties of a law with its parameters, as a dict.
pub(crate) fn measured<'py>(py: Python<'py>, law: &BoundLaw, collisions: usize) -> PyResult<Bound<'py, PyDict>> {
    let found = py.detach(|| Properties::measure_over(law, collisions));
    let dict = PyDict::new(py);
    dict.set_item("resolved", found.resolved)?;
    dict.set_item("refused", found.refused)?;
    dict.set_item("degree_in_velocity", found.homogeneity.in_velocity)?;
    dict.set_item("degree_in_mass", found.homogeneity.in_mass)?;
    dict.set_item("energy_gain", found.energy_gain)?;
    dict.set_item("friction_excess", found.friction_excess)?;
    dict.set_item("penetration", found.penetration)?;
    dict.set_item("frame_variance", found.frame_variance)?;
    let Counterexamples { energy, friction, penetration, frame, in_velocity, in_mass } = found.counterexamples;
    let examples = PyDict::new(py);
    for (name, example) in [
        ("degree_in_velocity", in_velocity),
        ("degree_in_mass", in_mass),
        ("energy_gain", energy),
        ("friction_excess", friction),
        ("penetration", penetration),
        ("frame_variance", frame),
    ] {
        examples.set_item(name, example.map(|collision| problem(py, &collision)).transpose()?)?;
    }
    dict.set_item("counterexamples", examples)?;
    Ok(dict)
}

/// W and V of a collision in space.
fn problem<'py>(py: Python<'py>, collision: &Collision) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<f64>>)> {
    // W is symmetric: rows and columns are the same.
    let inverse_mass = shaped(py, &[3, 3], collision.inverse_mass().as_slice().to_vec())?;
    Ok((inverse_mass, PyArray1::from_slice(py, collision.velocity().as_slice())))
}
