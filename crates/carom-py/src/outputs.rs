//! Arrays that a batch fills.

use crate::errors::{InputError, ShapeError};
use crate::input::{numpy, shape_text};
use crate::result::CollideResult;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Makes the outputs of one call.
pub(crate) struct Make<'a, 'py> {
    pub(crate) py: Python<'py>,
    /// The shape of the batch.
    pub(crate) shape: &'a [usize],
    /// A result whose arrays are to be overwritten.
    pub(crate) out: Option<&'a CollideResult>,
}

impl<'py> Make<'_, 'py> {
    /// An array of one number, or of several components, for every row; nothing if it is not asked for.
    pub(crate) fn output<T: Element>(
        &self,
        name: &'static str,
        wanted: bool,
        components: Option<usize>,
    ) -> PyResult<Output<'py, T>> {
        let shape = [components.as_slice(), self.shape].concat();
        let old = self.out.and_then(|out| out.array(self.py, name));
        let array = match (wanted, old) {
            (false, _) => None,
            (true, Some(old)) => Some(self.reused(name, &old, components.is_some(), &shape)?),
            (true, None) => {
                // NumPy asks for large pages, which zeros of Rust's or NumPy's do not get.
                let arguments = (PyTuple::new(self.py, shape)?, numpy::dtype::<T>(self.py));
                Some(numpy(self.py)?.call_method1("empty", arguments)?.cast_into()?)
            }
        };
        Ok(Output { name, array, components: components.is_some() })
    }

    /// The array of a former result, with its components first.
    fn reused<T: Element>(
        &self,
        name: &str,
        old: &Bound<'py, PyAny>,
        components: bool,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
        if let Ok(array) = old.cast::<PyArrayDyn<T>>() {
            let axes = array.shape().len();
            let array = match axes.checked_sub(1) {
                Some(last) if components => array.permute(Some([vec![last], (0..last).collect()].concat()))?,
                _ => array.clone(),
            };
            if array.shape() == shape && array.is_c_contiguous() {
                return Ok(array);
            }
        }
        let expected = shape_text(self.shape);
        Err(ShapeError::new_err(format!(
            "{name} of out does not fit; expected the result of a batch of the shape {expected}"
        )))
    }
}

/// An array that a batch fills, if it is asked for.
pub(crate) struct Output<'py, T: Element> {
    name: &'static str,
    array: Option<Bound<'py, PyArrayDyn<T>>>,
    /// Whether components stand one after the other, each with all its rows.
    components: bool,
}

impl<'py, T: Element> Output<'py, T> {
    /// The array, for this call alone to write.
    pub(crate) fn lock(&self) -> PyResult<Option<PyReadwriteArrayDyn<'py, T>>> {
        let Some(array) = &self.array else { return Ok(None) };
        array.try_readwrite().map(Some).map_err(|_| {
            let name = self.name;
            InputError::new_err(format!(
                "{name} of out is read-only, or an argument of this call, or another call writes it"
            ))
        })
    }

    /// The array as callers see it: components last.
    pub(crate) fn finish(self) -> PyResult<Option<Py<PyAny>>> {
        let Some(array) = self.array else { return Ok(None) };
        if !self.components {
            return Ok(Some(array.into_any().unbind()));
        }
        let axes: Vec<usize> = (1..array.shape().len()).chain([0]).collect();
        Ok(Some(array.permute(Some(axes))?.into_any().unbind()))
    }
}

/// The numbers of an output.
pub(crate) fn numbers<'a, T: Element>(
    array: &'a mut Option<PyReadwriteArrayDyn<'_, T>>,
) -> PyResult<Option<&'a mut [T]>> {
    Ok(array.as_mut().map(PyReadwriteArrayDyn::as_slice_mut).transpose()?)
}
