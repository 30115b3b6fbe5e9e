//! Arrays of the caller's: which numbers they hold, where these lie in memory, and how arrays broadcast.

use crate::errors::{InputError, ShapeError};
use carom::batch::Column;
use numpy::{
    PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyList, PyTuple};

/// The bytes of a number.
const ENTRY: usize = size_of::<f64>();

/// Real numbers of the caller's, where they lie: entry (i, j, …) is at `offset + i strides[0] + j strides[1] + …` of the array that
/// holds them.
pub(crate) struct Numbers<'a, 'py> {
    pub(crate) name: &'a str,
    array: Bound<'py, PyArrayDyn<f64>>,
    holder: PyReadonlyArrayDyn<'py, f64>,
    offset: usize,
    strides: Vec<usize>,
}

impl<'a, 'py> Numbers<'a, 'py> {
    /// Reads anything that NumPy takes for an array. Numbers of another type than float64, and arrays whose layout no column can have, are copied.
    pub(crate) fn of(name: &'a str, given: &Bound<'py, PyAny>) -> PyResult<Numbers<'a, 'py>> {
        let array = match given.cast::<PyArrayDyn<f64>>() {
            Ok(array) if array.is_aligned() && !is_masked(given)? => array.clone(),
            _ => converted(name, given)?,
        };
        match Numbers::in_place(name, &array)? {
            Some(numbers) => Ok(numbers),
            None => Numbers::copied(name, &array),
        }
    }

    /// A contiguous copy.
    fn copied(name: &'a str, array: &Bound<'py, PyAny>) -> PyResult<Numbers<'a, 'py>> {
        let copy = numpy(array.py())?.call_method1("ascontiguousarray", (array,))?;
        Numbers::in_place(name, copy.cast()?)?.ok_or_else(|| unreadable(name))
    }

    /// The numbers where they lie, if they are part of a contiguous array.
    fn in_place(name: &'a str, array: &Bound<'py, PyArrayDyn<f64>>) -> PyResult<Option<Numbers<'a, 'py>>> {
        if array.is_empty() {
            // It may lie anywhere, with any strides.
            let (holder, strides) = (array.try_readonly()?, vec![0; array.ndim()]);
            return Ok(Some(Numbers { name, array: array.clone(), holder, offset: 0, strides }));
        }
        let (holder, offset) = if array.is_contiguous() {
            (array.clone(), 0)
        } else {
            let base = array.getattr("base")?;
            let Ok(base) = base.cast::<PyArrayDyn<f64>>() else { return Ok(None) };
            let bytes = (array.data() as usize).wrapping_sub(base.data() as usize);
            if !base.is_contiguous() || !base.is_aligned() || !bytes.is_multiple_of(ENTRY) {
                return Ok(None);
            }
            (base.clone(), bytes / ENTRY)
        };
        let mut strides = Vec::with_capacity(array.ndim());
        let mut last = offset;
        for (n, stride) in array.shape().iter().zip(array.strides()) {
            // The stride of an axis with one place has no meaning.
            let stride = if *n < 2 { 0 } else { *stride };
            let Ok(stride) = usize::try_from(stride) else { return Ok(None) };
            if !stride.is_multiple_of(ENTRY) {
                return Ok(None);
            }
            strides.push(stride / ENTRY);
            last = last.saturating_add(n.saturating_sub(1).saturating_mul(stride / ENTRY));
        }
        if last >= holder.len() {
            return Ok(None);
        }
        Ok(Some(Numbers { name, array: array.clone(), holder: holder.try_readonly()?, offset, strides }))
    }

    pub(crate) fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    /// The axes before the last `tail` ones.
    pub(crate) fn leading(&self, tail: usize) -> &[usize] {
        &self.shape()[..self.shape().len() - tail]
    }

    /// The numbers as rows of a batch that follow each other by one stride; copied where they do not.
    pub(crate) fn in_rows(self, tail: usize, batch: &[usize]) -> PyResult<Rows<'a, 'py>> {
        if let Some(stride) = self.row_stride(tail, batch) {
            return Ok(Rows { numbers: self, stride });
        }
        let py = self.array.py();
        let last = &self.shape()[self.shape().len() - tail..];
        let shape = PyTuple::new(py, [batch, last].concat())?;
        let numbers = Numbers::copied(self.name, &numpy(py)?.call_method1("broadcast_to", (&self.array, shape))?)?;
        let stride = numbers.row_stride(tail, batch).ok_or_else(|| unreadable(self.name))?;
        Ok(Rows { numbers, stride })
    }

    /// The stride from row to row of a batch, if there is one: 0 for numbers that are the same for all rows.
    fn row_stride(&self, tail: usize, batch: &[usize]) -> Option<usize> {
        let leading = self.leading(tail).len();
        if leading == 0 {
            return Some(0);
        }
        if batch.contains(&0) {
            return Some(1);
        }
        let (mut first, mut expected) = (None, None);
        for (axis, n) in batch.iter().enumerate().rev().filter(|(_, n)| **n != 1) {
            let own = (axis + leading).checked_sub(batch.len());
            let stride = own.map_or(0, |own| self.strides[own]);
            if expected.is_some_and(|expected: usize| expected != stride) {
                return None;
            }
            first.get_or_insert(stride);
            expected = Some(stride * n);
        }
        // Where there is one row, any stride will do; 0 would say that it is the same for all.
        Some(first.unwrap_or(1))
    }

    /// All numbers, in the order of their indices.
    pub(crate) fn to_vec(&self) -> PyResult<Vec<f64>> {
        let data = self.data()?;
        let shape = self.shape();
        let count = shape.iter().product();
        let mut index = vec![0; shape.len()];
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(data[index.iter().zip(&self.strides).map(|(i, stride)| i * stride).sum::<usize>()]);
            for (i, n) in index.iter_mut().zip(shape).rev() {
                *i += 1;
                if *i < *n {
                    break;
                }
                *i = 0;
            }
        }
        Ok(numbers)
    }

    /// The numbers from the first one on.
    fn data(&self) -> PyResult<&[f64]> {
        let all = self.holder.as_slice().map_err(|_| unreadable(self.name))?;
        all.get(self.offset..).ok_or_else(|| unreadable(self.name))
    }
}

/// Numbers of every row of a batch.
pub(crate) struct Rows<'a, 'py> {
    numbers: Numbers<'a, 'py>,
    stride: usize,
}

impl Rows<'_, '_> {
    /// One number of every row, by its index in the last axes.
    pub(crate) fn column(&self, index: &[usize]) -> PyResult<Column<'_>> {
        Ok(Column::strided(self.from(index)?, self.stride))
    }

    /// The same of the first row.
    pub(crate) fn first(&self, index: &[usize]) -> PyResult<f64> {
        self.from(index)?.first().copied().ok_or_else(|| unreadable(self.numbers.name))
    }

    fn from(&self, index: &[usize]) -> PyResult<&[f64]> {
        let strides = &self.numbers.strides[self.numbers.strides.len() - index.len()..];
        let place: usize = index.iter().zip(strides).map(|(i, stride)| i * stride).sum();
        Ok(self.numbers.data()?.get(place..).unwrap_or(&[]))
    }
}

/// The module `numpy`.
pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    numpy::get_array_module(py)?;
    py.import("numpy")
}

/// JSON as Python objects.
pub(crate) fn parsed<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

fn unreadable(name: &str) -> PyErr {
    InputError::new_err(format!("{name} cannot be read as an array of numbers"))
}

/// Whether an array has a mask, which NumPy drops without a word.
fn is_masked(given: &Bound<PyAny>) -> PyResult<bool> {
    Ok(!given.is_exact_instance_of::<PyArrayDyn<f64>>() && given.get_type().name()? == "MaskedArray")
}

/// An array of float64 from anything else.
fn converted<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    if let Some(array) = of_lists(given) {
        return Ok(array);
    }
    let numpy = numpy(given.py())?;
    if is_masked(given)? {
        return Err(InputError::new_err(format!("{name} is a masked array; expected numbers without a mask")));
    }
    let array = numpy.call_method1("asarray", (given,)).map_err(|error| {
        let why = error.value(given.py());
        InputError::new_err(format!("{name} is no array of numbers: {why}"))
    })?;
    let dtype = array.cast::<PyUntypedArray>()?.dtype();
    if !matches!(dtype.kind(), b'f' | b'i' | b'u') {
        return Err(InputError::new_err(format!("{name} holds {dtype}; expected real numbers")));
    }
    Ok(array.call_method1("astype", ("float64",))?.cast_into()?)
}

/// An array from a list of floats, or from a list of such lists of one length; NumPy reads everything else, more slowly.
fn of_lists<'py>(given: &Bound<'py, PyAny>) -> Option<Bound<'py, PyArrayDyn<f64>>> {
    let rows = given.cast_exact::<PyList>().ok()?;
    let mut numbers = Vec::new();
    if append(&mut numbers, rows).is_some() {
        return Some(PyArray1::from_vec(given.py(), numbers).to_dyn().clone());
    }
    numbers.clear();
    let mut columns = None;
    for row in rows {
        let row = row.cast_exact::<PyList>().ok()?;
        if *columns.get_or_insert(row.len()) != row.len() {
            return None;
        }
        append(&mut numbers, row)?;
    }
    let shape = [rows.len(), columns?];
    Some(PyArray1::from_vec(given.py(), numbers).reshape(shape).ok()?.to_dyn().clone())
}

/// Appends the numbers of a list, if it holds floats only.
fn append(numbers: &mut Vec<f64>, list: &Bound<PyList>) -> Option<()> {
    for entry in list {
        numbers.push(entry.cast_exact::<PyFloat>().ok()?.value());
    }
    Some(())
}

/// A shape as Python writes it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The shape to which leading axes broadcast, as NumPy has it.
pub(crate) fn broadcast(operands: &[(&Numbers, usize)]) -> PyResult<Vec<usize>> {
    let axes = operands.iter().map(|(numbers, tail)| numbers.leading(*tail).len()).max().unwrap_or(0);
    let mut shape = vec![1; axes];
    for (numbers, tail) in operands {
        let leading = numbers.leading(*tail);
        for (n, own) in shape[axes - leading.len()..].iter_mut().zip(leading) {
            if *n == 1 {
                *n = *own;
            } else if *own != 1 && *own != *n {
                return Err(mismatch(operands));
            }
        }
    }
    Ok(shape)
}

fn mismatch(operands: &[(&Numbers, usize)]) -> PyErr {
    let named = operands.iter().filter(|(numbers, tail)| !numbers.leading(*tail).is_empty());
    let named = named.map(|(numbers, _)| format!("{} {}", numbers.name, shape_text(numbers.shape())));
    let all = named.collect::<Vec<_>>().join(", ");
    ShapeError::new_err(format!("the leading axes of these shapes do not broadcast: {all}"))
}

/// Values in an array of a shape; a bare value if the shape has no axes.
pub(crate) fn shaped<'py, T>(py: Python<'py>, shape: &[usize], values: Vec<T>) -> PyResult<Bound<'py, PyAny>>
where
    T: numpy::Element + Copy + IntoPyObject<'py>,
{
    match (shape, &values[..]) {
        ([], [value]) => (*value).into_bound_py_any(py),
        _ => Ok(PyArray1::from_vec(py, values).reshape(shape.to_vec())?.into_any()),
    }
}
