//! The rows of a folder of shards, as far as a figure needs them.

use super::quantity::no_column;
use super::{Filter, Wanted};
use crate::scenario::{Fault, shown};
use crate::sweep::folder::{FolderError, Status};
use crate::sweep::output::{Column, Kind};
use crate::sweep::shard::io_error;
use parquet::basic::{Repetition, Type};
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Columns of a sweep, of which those that are asked for are loaded.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) columns: Vec<RowColumn>,
    pub(super) count: usize,
    shards: Vec<PathBuf>,
}

#[derive(Debug)]
pub(super) struct RowColumn {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) is_words: bool,
    pub(super) values: Loaded,
}

#[derive(Debug, PartialEq)]
pub(super) enum Loaded {
    Not,
    Numbers(Vec<f64>),
    Words { known: Vec<String>, of_row: Vec<Option<u32>> },
}

/// Rows that are read for a figure, at most; about 100 bytes of memory each.
pub(super) const MOST_ROWS: u64 = 4_000_000;

impl Rows {
    /// The columns that a sweep will have, without rows.
    pub(super) fn to_come(columns: &[Column]) -> Rows {
        let column = |column: &Column| RowColumn {
            name: column.name.clone(),
            unit: column.unit.clone(),
            is_words: column.kind == Kind::Words,
            values: Loaded::Not,
        };
        Rows { columns: columns.iter().map(column).collect(), count: 0, shards: Vec::new() }
    }

    /// The columns of a folder, whose shards must all be there.
    pub(super) fn of(folder: &Path) -> Result<Rows, FolderError> {
        let status = Status::of(folder, false)?;
        if let Some((path, why)) = status.damaged.first() {
            return Err(FolderError::Incomplete(format!(
                "{}: {why}; compute it again with `--resume`",
                path.display()
            )));
        }
        if status.done < status.rows || status.rows == 0 {
            return Err(FolderError::Incomplete(format!(
                "{} of {} rows are there; compute the rest with `--resume` before they are drawn",
                status.done, status.rows
            )));
        }
        if status.rows > MOST_ROWS {
            return Err(FolderError::Mixed(too_many(status.rows)));
        }
        let shards: Vec<PathBuf> = status.labels.iter().map(|(path, _)| path.clone()).collect();
        let mut columns = Vec::new();
        if let Some(first) = shards.first() {
            let reader = open(first)?;
            let about = reader.metadata().file_metadata();
            let units = about.key_value_metadata().and_then(|pairs| pairs.iter().find(|pair| pair.key == "units"));
            let units: serde_json::Value = units
                .and_then(|pair| serde_json::from_str(pair.value.as_deref()?).ok())
                .unwrap_or(serde_json::Value::Null);
            for column in about.schema_descr().columns() {
                columns.push(RowColumn {
                    name: column.name().to_owned(),
                    unit: units[column.name()].as_str().unwrap_or("").to_owned(),
                    is_words: column.physical_type() == Type::BYTE_ARRAY,
                    values: Loaded::Not,
                });
            }
        }
        Ok(Rows { columns, count: status.rows as usize, shards })
    }

    /// The place of a column.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Loads columns that are not loaded yet.
    pub(super) fn load(&mut self, wanted: impl IntoIterator<Item = usize>) -> Result<(), FolderError> {
        let mut missing: Vec<usize> = wanted.into_iter().filter(|k| self.columns[*k].values == Loaded::Not).collect();
        missing.sort_unstable();
        missing.dedup();
        let mut words: HashMap<usize, HashMap<Vec<u8>, u32>> = HashMap::new();
        for k in &missing {
            self.columns[*k].values = if self.columns[*k].is_words {
                words.insert(*k, HashMap::new());
                Loaded::Words { known: Vec::new(), of_row: Vec::with_capacity(self.count) }
            } else {
                Loaded::Numbers(Vec::with_capacity(self.count))
            };
        }
        for shard in &self.shards {
            let reader = open(shard)?;
            for group in 0..reader.num_row_groups() {
                for k in &missing {
                    let places = words.get_mut(k);
                    read_column(&reader, group, *k, &mut self.columns[*k].values, places)
                        .map_err(|error| FolderError::Io(shard.clone(), io_error(error)))?;
                }
            }
        }
        Ok(())
    }

    /// The places of the columns that filters look at.
    pub(super) fn of_filters(&self, filters: &[Filter]) -> Result<Vec<usize>, Fault> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let find = |filter: &Filter| {
            let place = self.place(&filter.column).ok_or_else(|| no_column(&filter.column, &filter.span, &names))?;
            let words = self.columns[place].is_words;
            if filter.wanted.iter().any(|wanted| matches!(wanted, Wanted::Word(_)) != words) {
                let expected = if words { "words" } else { "numbers" };
                return Err(Fault::at(filter.span.clone(), format!("{} has {expected}", shown(&filter.column)))
                    .label(format!("expected {expected}")));
            }
            Ok(place)
        };
        filters.iter().map(find).collect()
    }

    /// The rows that all filters let pass.
    pub(super) fn passing(&self, filters: &[Filter]) -> Vec<usize> {
        let passes = |row: usize, filter: &Filter| {
            let Some(place) = self.place(&filter.column) else { return false };
            filter.wanted.iter().any(|wanted| match (&self.columns[place].values, wanted) {
                (Loaded::Numbers(values), Wanted::Number(number)) => same(values[row], *number),
                (Loaded::Words { known, of_row }, Wanted::Word(word)) => {
                    of_row[row].is_some_and(|place| known[place as usize] == *word)
                }
                _ => false,
            })
        };
        (0..self.count).filter(|row| filters.iter().all(|filter| passes(*row, filter))).collect()
    }
}

/// Why a plan with this number of rows is not shown.
pub(super) fn too_many(rows: u64) -> String {
    format!(
        "{rows} rows are more than a figure or a table can show; expected at most {MOST_ROWS}: give the axes fewer values"
    )
}

/// Whether two numbers are the same up to rounding.
pub(super) fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn open(path: &Path) -> Result<SerializedFileReader<File>, FolderError> {
    let file = File::open(path).map_err(|error| FolderError::Io(path.to_owned(), error))?;
    SerializedFileReader::new(file).map_err(|error| FolderError::Io(path.to_owned(), io_error(error)))
}

fn read_column(
    reader: &SerializedFileReader<File>,
    group: usize,
    column: usize,
    into: &mut Loaded,
    places: Option<&mut HashMap<Vec<u8>, u32>>,
) -> Result<(), ParquetError> {
    let group = reader.get_row_group(group)?;
    let rows = group.metadata().num_rows() as usize;
    let optional = group.metadata().column(column).column_descr().self_type().get_basic_info().repetition();
    let optional = optional == Repetition::OPTIONAL;
    let mut levels: Vec<i16> = Vec::new();
    match (group.get_column_reader(column)?, into) {
        (ColumnReader::DoubleColumnReader(mut reader), Loaded::Numbers(numbers)) => {
            let mut values = Vec::new();
            reader.read_records(rows, optional.then_some(&mut levels), None, &mut values)?;
            let mut values = values.into_iter();
            let mut next = |present: bool| if present { values.next().unwrap_or(f64::NAN) } else { f64::NAN };
            numbers.extend((0..rows).map(|k| next(!optional || levels.get(k) == Some(&1))));
        }
        (ColumnReader::ByteArrayColumnReader(mut reader), Loaded::Words { known, of_row }) => {
            let mut values: Vec<ByteArray> = Vec::new();
            reader.read_records(rows, optional.then_some(&mut levels), None, &mut values)?;
            let Some(places) = places else { return Ok(()) };
            let mut values = values.into_iter();
            for k in 0..rows {
                let word = if !optional || levels.get(k) == Some(&1) { values.next() } else { None };
                of_row.push(word.map(|word| {
                    *places.entry(word.data().to_vec()).or_insert_with(|| {
                        known.push(String::from_utf8_lossy(word.data()).into_owned());
                        known.len() as u32 - 1
                    })
                }));
            }
        }
        _ => return Err(ParquetError::General("a column has neither numbers nor words".to_owned())),
    }
    Ok(())
}
