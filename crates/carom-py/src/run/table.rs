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
///     Its name: ``"trajectory"``, ``"events"`` or ``"ledger"``.
/// shape : tuple of int
///     The numbers of rows and columns.
/// units : dict of str to str
///     The unit of each column; ``""`` for words and pure numbers.
///
/// ``len`` is the number of rows, and iteration goes over the names of the columns, as of data frames.
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
    /// The attribute of the simulation.
    #[pyo3(get)]
    name: &'static str,
    /// The run it belongs to.
    of: Arc<Done>,
    batch: RecordBatch,
    /// In the order of the batch; made when they are asked for.
    columns: Vec<PyOnceLock<Py<PyAny>>>,
}

impl Table {
    pub(super) fn new(name: &'static str, of: Arc<Done>, table: &table::Table) -> PyResult<Table> {
        let batch = batch(table).map_err(|error| CaromError::new_err(error.to_string()))?;
        let columns = batch.columns().iter().map(|_| PyOnceLock::new()).collect();
        Ok(Table { name, of, batch, columns })
    }

    fn names(&self) -> Vec<&str> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn column<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        let make = || array(py, self.batch.column(place)).map(Bound::unbind);
        Ok(self.columns[place].get_or_try_init(py, make)?.bind(py).clone())
    }

    fn all<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (0..self.columns.len()).map(|place| self.column(py, place)).collect()
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
        let names = self.names();
        let missing =
            || PyKeyError::new_err(format!("there is no column {name}; expected one of {}", names.join(", ")));
        self.column(py, names.iter().position(|known| *known == name).ok_or_else(missing)?)
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>().is_ok_and(|name| self.names().contains(&name))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.names())?.as_any().try_iter()
    }

    /// The names of the columns.
    ///
    /// Returns
    /// -------
    /// list of str
    fn keys(&self) -> Vec<&str> {
        self.names()
    }

    /// The columns.
    ///
    /// Returns
    /// -------
    /// list of ndarray
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.all(py)
    }

    /// The names and the columns.
    ///
    /// Returns
    /// -------
    /// list of tuple
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&str, Bound<'py, PyAny>)>> {
        Ok(self.names().into_iter().zip(self.all(py)?).collect())
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

/// A column as an array of NumPy.
fn array<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let array = if let Some(values) = column.as_any().downcast_ref::<Float64Array>() {
        PyArray1::from_iter(py, values.iter().map(|value| value.unwrap_or(f64::NAN))).into_any()
    } else if let Some(values) = column.as_any().downcast_ref::<UInt32Array>() {
        PyArray1::from_iter(py, values.iter().map(|value| value.map_or(f64::NAN, f64::from))).into_any()
    } else {
        let words = column.as_any().downcast_ref::<LargeStringArray>();
        let words: Vec<&str> = words.into_iter().flatten().map(Option::unwrap_or_default).collect();
        numpy(py)?.call_method1("array", (words, "str"))?
    };
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
