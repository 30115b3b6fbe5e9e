//! Laws for slightly aspherical bodies.

use crate::errors::{self, InputError, ShapeError};
use crate::impulse_space::shaped;
use crate::laws::argument;
use crate::parameters::{self, Values};
use carom::tools::{FiveFunctions, SphereLinearisation};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::f64::consts::FRAC_PI_2;

/// Jacobian, uncertainty, the five functions and the defect.
type Linearised<'py> = (Bound<'py, PyAny>, f64, [f64; 5], f64);

#[pyfunction(name = "_linearise_about_sphere")]
pub(crate) fn linearise_about_sphere<'py>(
    py: Python<'py>,
    law: &Bound<'py, PyAny>,
    incidence: f64,
    given: &Bound<'py, PyDict>,
) -> PyResult<Linearised<'py>> {
    let law = argument(law)?;
    if !(0.0..=FRAC_PI_2).contains(&incidence) {
        return Err(InputError::new_err(format!("incidence is {incidence}; expected an angle from 0 to π/2")));
    }
    let given = parameters::others(Some(given))?;
    let mut values = Vec::with_capacity(given.len());
    for (key, value) in parameters::read(law, None, None, &given)? {
        match value {
            Values::One(value) => values.push((key, value)),
            Values::Several(_) => return Err(ShapeError::new_err(format!("{key} is an array; expected one value"))),
        }
    }
    for key in ["restitution", "friction"] {
        if law.takes(key) && values.iter().all(|(given, _)| *given != key) {
            values.extend(parameters::default(key).map(|value| (key, value)));
        }
    }
    let bound = law.bind(&values).map_err(|error| errors::input(&error))?;
    let linearised = carom::tools::linearise_about_sphere(|collision| bound.resolve_collision(collision), incidence);
    let linearised: SphereLinearisation = linearised.map_err(|why| errors::no_answer(&why))?;
    let rows = linearised.jacobian.transpose();
    let FiveFunctions { j14, j21, j24, j35, j36 } = linearised.five_functions();
    let jacobian = shaped(py, &[3, 6], rows.as_slice().to_vec())?;
    Ok((jacobian, linearised.uncertainty, [j14, j21, j24, j35, j36], linearised.defect()))
}
