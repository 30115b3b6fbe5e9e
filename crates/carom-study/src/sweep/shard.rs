//! A shard: the rows from one number to another, in a Parquet file that says which plan they are of.

use super::cells::{Cell, Cells, NO_WORD, Tally};
use super::output::{Column, Kind};
use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The key of the footer under which a shard says what it is.
const KEY: &str = "carom.sweep";

/// What a shard is, and what became of its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Label {
    /// The fingerprint of plan and scenario.
    pub(super) plan: String,
    pub(super) version: String,
    pub(super) seed: u64,
    /// The rows, and how many the plan has.
    pub(super) rows: Range<u64>,
    pub(super) of: u64,
    /// How its rows ended.
    pub(super) tally: Tally,
}

/// The seal of a shard: a mark and the CRC-32 of the whole file, in which the sum itself is 0. It stands before the first column, where
/// nobody who reads Parquet looks.
const MARK: &[u8; 8] = b"caromsum";
/// Where the seal begins: after the mark of Parquet.
const SEAL: u64 = 4;
/// Where its sum is.
const SUM: Range<usize> = 12..16;

/// A file whose bytes are summed up on their way.
struct Summed<W> {
    inner: W,
    crc: crc32fast::Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.crc.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Columns of a Parquet file.
pub(super) fn schema(columns: &[Column]) -> Result<Arc<Type>, ParquetError> {
    let field = |column: &Column| {
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let builder = match column.kind {
            Kind::Numbers => Type::primitive_type_builder(&column.name, PhysicalType::DOUBLE),
            Kind::Words => Type::primitive_type_builder(&column.name, PhysicalType::BYTE_ARRAY)
                .with_converted_type(ConvertedType::UTF8)
                .with_logical_type(Some(LogicalType::String)),
        };
        builder.with_repetition(repetition).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("table").with_fields(fields).build()?))
}

/// How columns are written: numbers byte by byte, words by a dictionary, all compressed.
pub(super) fn properties(columns: &[Column], title: &str, plan: &str, scenario: &str) -> WriterProperties {
    let units: serde_json::Map<String, serde_json::Value> = columns
        .iter()
        .filter(|column| !column.unit.is_empty())
        .map(|column| (column.name.clone(), column.unit.clone().into()))
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let about = [
        ("title", title.to_owned()),
        ("units", serde_json::Value::from(units).to_string()),
        ("plan", plan.to_owned()),
        ("scenario", scenario.to_owned()),
        ("version", version.to_owned()),
    ];
    let about = about.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_data_page_row_count_limit(1 << 15)
        .set_offset_index_disabled(true)
        .set_created_by(format!("carom version {version}"))
        .set_key_value_metadata(Some(about));
    for column in columns {
        let path = ColumnPath::new(vec![column.name.clone()]);
        properties = match column.kind {
            Kind::Numbers => properties.set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT),
            Kind::Words => properties.set_column_dictionary_enabled(path, true),
        };
    }
    properties.build()
}

/// Memory of a thread that writes shards one after the other.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Whether a row has a number, and the numbers that there are.
    levels: Vec<i16>,
    present: Vec<f64>,
}

/// Writes a shard.
pub(super) fn write(
    file: &File,
    schema: &Arc<Type>,
    properties: &Arc<WriterProperties>,
    columns: &[Column],
    cells: &Cells,
    label: &Label,
    memory: &mut Memory,
) -> Result<(), ParquetError> {
    let buffered = BufWriter::with_capacity(1 << 20, file);
    let summed = Summed { inner: buffered, crc: crc32fast::Hasher::new() };
    let mut writer = SerializedFileWriter::new(summed, schema.clone(), properties.clone())?;
    let mut seal = MARK.to_vec();
    seal.resize(SUM.end - SEAL as usize, 0);
    writer.write_all(&seal)?;
    writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), serde_json::json!(label).to_string()));
    let mut group = writer.next_row_group()?;
    for (column, cell) in columns.iter().zip(&cells.columns) {
        write_column(&mut group, column, cell, memory)?;
    }
    group.close()?;
    let summed = writer.into_inner()?;
    let sum = summed.crc.finalize();
    let mut file = summed.inner.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.seek(SeekFrom::Start(SUM.start as u64))?;
    file.write_all(&sum.to_le_bytes())?;
    Ok(())
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
    cell: &Cell,
    memory: &mut Memory,
) -> Result<(), ParquetError> {
    let Memory { levels, present } = memory;
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    match cell {
        Cell::Numbers(values) if !column.optional => {
            writer.typed::<DoubleType>().write_batch(values, None, None)?;
        }
        Cell::Numbers(values) => {
            levels.clear();
            levels.extend(values.iter().map(|value| i16::from(!value.is_nan())));
            let values = if levels.contains(&0) {
                present.clear();
                present.extend(values.iter().copied().filter(|value| !value.is_nan()));
                present
            } else {
                values
            };
            writer.typed::<DoubleType>().write_batch(values, Some(levels), None)?;
        }
        Cell::Words(words) => {
            let known: Vec<ByteArray> = words.known.iter().map(|word| ByteArray::from(word.as_str())).collect();
            let present: Vec<ByteArray> = words
                .of_row
                .iter()
                .filter(|place| **place != NO_WORD)
                .map(|place| known[*place as usize].clone())
                .collect();
            let levels: Option<Vec<i16>> =
                column.optional.then(|| words.of_row.iter().map(|place| i16::from(*place != NO_WORD)).collect());
            writer.typed::<ByteArrayType>().write_batch(&present, levels.as_deref(), None)?;
        }
    }
    writer.close()
}

/// A shard that was found.
pub(super) enum Found {
    /// A whole shard.
    Whole(Label),
    /// A file that is no shard, or a damaged one, and why.
    Damaged(String),
}

/// Looks at a file. All of its bytes are summed up again only if `thorough`.
pub(super) fn look(path: &Path, thorough: bool) -> io::Result<Found> {
    let file = File::open(path)?;
    let damaged = |why: &str| Ok(Found::Damaged(why.to_owned()));
    // What a damaged footer says is not to be trusted, and not to be reported as another plan.
    if thorough && !is_sealed(&file)? {
        return damaged("its bytes are not those that were written");
    }
    let Ok(reader) = SerializedFileReader::new(file) else {
        return damaged("it is no whole Parquet file");
    };
    let about = reader.metadata().file_metadata().key_value_metadata();
    let text = about.and_then(|about| about.iter().find(|pair| pair.key == KEY)).and_then(|pair| pair.value.as_deref());
    let Some(label) = text.and_then(|text| serde_json::from_str::<Label>(text).ok()) else {
        return damaged("it is no shard of a sweep");
    };
    if reader.metadata().file_metadata().num_rows() as u64 != label.rows.end.saturating_sub(label.rows.start) {
        return damaged("it has another number of rows than it says");
    }
    Ok(Found::Whole(label))
}

/// Whether a file has the sum that its seal says.
fn is_sealed(mut file: &File) -> io::Result<bool> {
    let mut crc = crc32fast::Hasher::new();
    let mut head = [0; SUM.end];
    if let Err(error) = file.read_exact(&mut head) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(false) } else { Err(error) };
    }
    let sum = head[SUM].to_owned();
    head[SUM].fill(0);
    crc.update(&head);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => crc.update(&buffer[..read]),
        }
    }
    Ok(crc.finalize().to_le_bytes()[..] == sum[..])
}

/// An error of writing as one of the system, which most are.
pub(super) fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other.to_string()),
    }
}
