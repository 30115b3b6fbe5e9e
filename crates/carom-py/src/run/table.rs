//! Tables of runs: columns as arrays of NumPy, and all of them by the Arrow PyCapsule interface.

use super::simulation::{Done, Simulation};
use crate::errors::CaromError;
use crate::input::numpy;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, LargeStringArray, RecordBatch, RecordBatchIterator, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use carom_study::table::{self, Values};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList};
use std::collections::HashMap;
use std::sync::Arc;

/// A table of a simulation: columns by their names, as in a dict.
///
/// polars, pyarrow, DuckDB and ``pandas.DataFrame.from_arrow`` read it without copies by the Arrow PyCapsule interface; the units are in
/// the metadata of its fields. Columns are read-only arrays of NumPy, in which numbers that are missing are NaN.
///
/// Attributes
/// ----------
/// name : str
///     What it holds: ``"trajectory"``, ``"events"`` or ``"ledger"``.
/// shape : tuple of int
///     The numbers of rows and columns.
/// units : dict of str to str
///     The unit of each column; ``""`` for words and pure numbers.
///
/// Examples
/// --------
/// >>> import carom
/// >>> fall = carom.load("scenarios/bouncing-ball.toml").simulate(duration=0.25).trajectory
/// >>> fall.shape, fall.units["y"], fall["body"][0].item()
/// ((1001, 8), 'm', 'ball')
/// >>> float(fall["time"][-1])
/// 0.25
#[pyclass(module = "carom", frozen)]
pub(crate) struct Table {
    /// What a simulation calls it.
    #[pyo3(get)]
    name: &'static str,
    /// The run it belongs to.
    of: Arc<Done>,
    batch: RecordBatch,
    columns: PyOnceLock<Py<PyDict>>,
}

impl Table {
    pub(super) fn new(name: &'static str, of: Arc<Done>, table: &table::Table) -> PyResult<Table> {
        let batch = batch(table).map_err(|error| CaromError::new_err(error.to_string()))?;
        Ok(Table { name, of, batch, columns: PyOnceLock::new() })
    }

    fn columns<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let made = self.columns.get_or_try_init(py, || arrays(py, &self.batch).map(Bound::unbind))?;
        Ok(made.bind(py))
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.batch.num_rows(), self.batch.num_columns())
    }

    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        for field in self.batch.schema_ref().fields() {
            units.set_item(field.name(), unit(field))?;
        }
        Ok(units)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.columns(py)?.get_item(name)?.ok_or_else(|| {
            let known: Vec<&str> = self.batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
            PyKeyError::new_err(format!("there is no column {name}; expected one of {}", known.join(", ")))
        })
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>().is_ok_and(|name| self.batch.schema_ref().column_with_name(name).is_some())
    }

    fn __len__(&self) -> usize {
        self.batch.num_columns()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.columns(py)?.as_any().try_iter()
    }

    /// The names of the columns.
    ///
    /// Returns
    /// -------
    /// list of str
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.columns(py)?.keys())
    }

    /// The columns.
    ///
    /// Returns
    /// -------
    /// list of ndarray
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.columns(py)?.values())
    }

    /// The names and the columns.
    ///
    /// Returns
    /// -------
    /// list of tuple
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.columns(py)?.items())
    }

    /// The table as a data frame of pandas, which must be installed.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     Its ``attrs["units"]`` has the units.
    fn to_pandas<'py>(slf: &Bound<'py, Table>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._table")?.call_method1("to_pandas", (slf,))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol lets a producer ignore the request; the columns have one type each.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref());
        let schema = schema.map_err(|error| CaromError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Refuses to be one array; ``pandas.DataFrame(table)`` would otherwise hold the names of the columns.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__(&self, dtype: Option<&Bound<'_, PyAny>>, copy: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let _ = (dtype, copy);
        Err(PyTypeError::new_err(format!(
            "the table {} is no array; take a column, or table.to_pandas(), polars.DataFrame(table) or pyarrow.table(table)",
            self.name
        )))
    }

    fn __repr__(&self) -> String {
        let columns = self.batch.schema_ref().fields().iter().map(|field| match unit(field) {
            "" => field.name().clone(),
            unit => format!("{} ({unit})", field.name()),
        });
        let columns = columns.collect::<Vec<_>>().join(", ");
        format!("<carom.Table {}: {} rows of {columns}>", self.name, self.batch.num_rows())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Table>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._table")?.call_method1("html", (slf,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Simulation, &'static str))> {
        Ok((py.import("builtins")?.getattr("getattr")?, (Simulation::of(self.of.clone()), self.name)))
    }
}

/// The columns of a table as Arrow has them.
fn batch(table: &table::Table) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let mut fields = Vec::with_capacity(table.columns.len());
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        let (kind, array): (DataType, ArrayRef) = match &column.values {
            Values::Numbers(values) => (DataType::Float64, Arc::new(values.iter().copied().collect::<Float64Array>())),
            Values::Counts(values) => (DataType::UInt32, Arc::new(values.iter().copied().collect::<UInt32Array>())),
            Values::Words(words) => (DataType::LargeUtf8, Arc::new(LargeStringArray::from_iter_values(words))),
        };
        let unit = (!column.unit.is_empty()).then(|| ("unit".to_owned(), column.unit.to_owned()));
        fields.push(Field::new(column.name, kind, true).with_metadata(unit.into_iter().collect::<HashMap<_, _>>()));
        arrays.push(array);
    }
    let about: HashMap<String, String> = table.about.iter().cloned().collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields).with_metadata(about)), arrays)
}

fn unit(field: &Field) -> &str {
    field.metadata().get("unit").map_or("", String::as_str)
}

/// The same as arrays of NumPy.
fn arrays<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let array = if let Some(values) = column.as_any().downcast_ref::<Float64Array>() {
            PyArray1::from_iter(py, values.iter().map(|value| value.unwrap_or(f64::NAN))).into_any()
        } else if let Some(values) = column.as_any().downcast_ref::<UInt32Array>() {
            PyArray1::from_iter(py, values.iter().map(|value| value.map_or(f64::NAN, f64::from))).into_any()
        } else if let Some(words) = column.as_any().downcast_ref::<LargeStringArray>() {
            let words: Vec<&str> = words.iter().map(Option::unwrap_or_default).collect();
            numpy(py)?.call_method1("array", (words, "str"))?
        } else {
            continue;
        };
        array.call_method1("setflags", (false,))?;
        named.set_item(field.name(), array)?;
    }
    Ok(named)
}
