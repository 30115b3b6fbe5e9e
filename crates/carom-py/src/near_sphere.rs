//! Laws for slightly aspherical bodies.

use crate::errors::{self, InputError};
use crate::input::shaped;
use crate::laws::argument;
use crate::parameters::bind_given;
use crate::watch;
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
    let bound = bind_given(law, Some(given))?;
    let linearised: SphereLinearisation = watch::call(|| {
        carom::tools::linearise_about_sphere(|collision| bound.resolve_collision(collision), incidence)
            .map_err(|why| errors::no_answer(&why))
    })?;
    let rows = linearised.jacobian.transpose();
    let FiveFunctions { j14, j21, j24, j35, j36 } = linearised.five_functions();
    let jacobian = shaped(py, &[3, 6], rows.as_slice().to_vec())?;
    Ok((jacobian, linearised.uncertainty, [j14, j21, j24, j35, j36], linearised.defect()))
}
