//! Bodies for a mass matrix.

use crate::errors::{self, ShapeError};
use crate::input::{Numbers, shape_text, shaped};
use carom::Body;
use carom::tools::realise;
use nalgebra::Matrix3;
use numpy::PyArray1;
use pyo3::prelude::*;

/// Mass, inertia and position of a body.
type Parts<'py> = (f64, Bound<'py, PyAny>, Bound<'py, PyArray1<f64>>);

#[pyfunction(name = "_realise")]
pub(crate) fn bodies_for<'py>(
    py: Python<'py>,
    mass_matrix: &Bound<'py, PyAny>,
) -> PyResult<(Parts<'py>, Parts<'py>, f64)> {
    let numbers = Numbers::of("mass_matrix", mass_matrix)?;
    if numbers.shape() != [3, 3] {
        let shape = shape_text(numbers.shape());
        return Err(ShapeError::new_err(format!("mass_matrix has the shape {shape}; expected (3, 3)")));
    }
    let mass = Matrix3::from_row_slice(&numbers.to_vec()?);
    let pair = realise(&mass).map_err(|error| errors::input(&error))?;
    Ok((parts(py, &pair.a)?, parts(py, &pair.b)?, pair.error))
}

fn parts<'py>(py: Python<'py>, body: &Body) -> PyResult<Parts<'py>> {
    // The tensor is symmetric: rows and columns are the same.
    let inertia = shaped(py, &[3, 3], body.inertia().as_slice().to_vec())?;
    Ok((body.mass(), inertia, PyArray1::from_slice(py, body.position.as_slice())))
}
