//! Tables as Parquet: numbers bit by bit, with their units and what the table is about beside them.

use super::{Column, Table, Values};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use std::fmt;
use std::sync::Arc;

/// Why a table could not be written as Parquet.
#[derive(Debug)]
pub struct NotWritable(ParquetError);

impl fmt::Display for NotWritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the table cannot be written as Parquet: {}", self.0)
    }
}

impl std::error::Error for NotWritable {}

impl Table {
    /// The table as a Parquet file: one row group, numbers as they are in memory, compressed by Snappy. The metadata
    /// of the file hold `units`, an object of the columns' units, then what the table is about, then the version.
    ///
    /// ```
    /// use carom_study::table::{Column, Table};
    /// let table = Table { columns: vec![Column::numbers("time", "s", [Some(0.0), Some(0.1)])], about: Vec::new() };
    /// assert!(table.parquet().unwrap().starts_with(b"PAR1"));
    /// ```
    pub fn parquet(&self) -> Result<Vec<u8>, NotWritable> {
        self.file().map_err(NotWritable)
    }

    fn file(&self) -> Result<Vec<u8>, ParquetError> {
        let fields = self.columns.iter().map(|column| Ok(Arc::new(column.field()?)));
        let schema = Type::group_type_builder("table").with_fields(fields.collect::<Result<_, ParquetError>>()?);
        let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema.build()?), Arc::new(self.properties()))?;
        let mut group = file.next_row_group()?;
        for column in &self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            match &column.values {
                Values::Numbers(values) => {
                    let present: Vec<f64> = values.iter().flatten().copied().collect();
                    writer.typed::<DoubleType>().write_batch(&present, levels(values).as_deref(), None)?;
                }
                Values::Counts(values) => {
                    let present: Vec<i64> = values.iter().flatten().map(|count| i64::from(*count)).collect();
                    writer.typed::<Int64Type>().write_batch(&present, levels(values).as_deref(), None)?;
                }
                Values::Words(values) => {
                    let words: Vec<ByteArray> = values.iter().map(|word| ByteArray::from(word.as_str())).collect();
                    writer.typed::<ByteArrayType>().write_batch(&words, None, None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        file.into_inner()
    }

    fn properties(&self) -> WriterProperties {
        let units = self.columns.iter().filter(|column| !column.unit.is_empty());
        let units: serde_json::Map<String, serde_json::Value> =
            units.map(|column| (column.name.to_owned(), column.unit.into())).collect();
        let version = env!("CARGO_PKG_VERSION");
        let mut about = vec![KeyValue::new("units".to_owned(), serde_json::Value::from(units).to_string())];
        about.extend(self.about.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())));
        about.push(KeyValue::new("version".to_owned(), version.to_owned()));
        // Few words come again and again, numbers hardly ever.
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            .set_created_by(format!("carom version {version}"))
            .set_key_value_metadata(Some(about));
        for column in self.columns.iter().filter(|column| matches!(column.values, Values::Words(_))) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column.name), true);
        }
        properties.build()
    }
}

/// Which values are there; nothing if all are.
fn levels<T>(values: &[Option<T>]) -> Option<Vec<i16>> {
    let missing = values.iter().any(Option::is_none);
    missing.then(|| values.iter().map(|value| i16::from(value.is_some())).collect())
}

fn repetition<T>(values: &[Option<T>]) -> Repetition {
    if values.iter().all(Option::is_some) { Repetition::REQUIRED } else { Repetition::OPTIONAL }
}

impl Column {
    fn field(&self) -> Result<Type, ParquetError> {
        match &self.values {
            Values::Numbers(values) => Type::primitive_type_builder(self.name, PhysicalType::DOUBLE)
                .with_repetition(repetition(values))
                .build(),
            Values::Counts(values) => {
                Type::primitive_type_builder(self.name, PhysicalType::INT64).with_repetition(repetition(values)).build()
            }
            Values::Words(_) => Type::primitive_type_builder(self.name, PhysicalType::BYTE_ARRAY)
                .with_repetition(Repetition::REQUIRED)
                .with_converted_type(ConvertedType::UTF8)
                .with_logical_type(Some(LogicalType::String))
                .build(),
        }
    }
}
