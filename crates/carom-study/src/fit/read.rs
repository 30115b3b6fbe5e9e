//! Measured collisions from a CSV file.

use super::FitError;
use super::measurements::{LeftOut, Measurements, NumberColumn};
use crate::columns::{Cells, ColumnValues, RowOfColumns, count_rows};
use crate::scenario::nearest;
use carom::Dimension;
use nalgebra::DMatrix;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

const W_PLANAR: [&str; 3] = ["w_nn", "w_nt", "w_tt"];
const W_SPATIAL: [&str; 6] = ["w_nn", "w_n1", "w_n2", "w_11", "w_12", "w_22"];
const BEFORE: [[&str; 3]; 2] = [["vn_before", "vt_before", ""], ["vn_before", "v1_before", "v2_before"]];
const AFTER: [[&str; 3]; 2] = [["vn_after", "vt_after", ""], ["vn_after", "v1_after", "v2_after"]];
const IMPULSE: [[&str; 3]; 2] = [["pn", "pt", ""], ["pn", "p1", "p2"]];
/// No contact of a rigid body is faster, m/s, or has a greater entry of W, 1/kg: units must be wrong.
const FASTEST: f64 = 1e5;
const LIGHTEST: f64 = 1e9;
/// No velocity is known better, m/s.
const LEAST_DEVIATION: f64 = 1e-12;
/// Files are read whole; one that is larger is no table of measurements.
const LARGEST: u64 = 1 << 30;

impl Measurements {
    /// Reads a file with a header. Columns, in any order, others are ignored: `w_nn, w_nt, w_tt` (1/kg), `vn_before, vt_before` and
    /// `vn_after, vt_after` (m/s) or `pn, pt` (kg m/s) in their place; in space `w_nn, w_n1, w_n2, w_11, w_12, w_22`, `v1_…, v2_…`.
    /// Errors, if known: a standard deviation `X_sd` for every velocity X, and covariances `cov_X_Y`, zero if they are not given.
    pub fn read(path: &Path, group: Option<&str>) -> Result<Measurements, FitError> {
        let fault = |fault: String| FitError::Input(format!("{}: {fault}", path.display()));
        let file = std::fs::File::open(path).map_err(|error| fault(crate::scenario::reason(&error)))?;
        let length = file.metadata().map_err(|error| fault(crate::scenario::reason(&error)))?;
        if length.is_dir() {
            return Err(fault("is a folder; expected a CSV file".to_owned()));
        }
        let mut text = String::new();
        let read = file.take(LARGEST + 1).read_to_string(&mut text);
        read.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => fault("is no text in UTF-8; expected a CSV file".to_owned()),
            _ => fault(crate::scenario::reason(&error)),
        })?;
        if text.len() as u64 > LARGEST {
            return Err(fault("is larger than 1 GiB; expected a table of measured collisions".to_owned()));
        }
        Measurements::parse(&text, group).map_err(|error| match error {
            FitError::Input(message) => fault(message),
            other => other,
        })
    }

    /// The same from a text.
    pub fn parse(text: &str, group: Option<&str>) -> Result<Measurements, FitError> {
        let mut reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
        let header: Vec<String> = match reader.headers() {
            Ok(header) => header.iter().map(str::to_owned).collect(),
            Err(error) => return Err(FitError::Input(in_words(&error))),
        };
        if header.iter().all(String::is_empty) {
            return Err(FitError::Input("is empty; expected a CSV file with a header".to_owned()));
        }
        let mut table = Table::new("line", header, group)?;
        for record in reader.records() {
            let record = record.map_err(|error| FitError::Input(in_words(&error)))?;
            let line = record.position().map_or(0, |position| position.line() as usize);
            table.add(line, &record)?;
        }
        table.finish()
    }

    /// The same from columns with names, as programs hold them. Rows are counted from 0.
    pub fn of_columns(columns: &[(String, ColumnValues)], group: Option<&str>) -> Result<Measurements, FitError> {
        let rows = count_rows(columns).map_err(FitError::Input)?;
        let mut table = Table::new("row", columns.iter().map(|(name, _)| name.clone()).collect(), group)?;
        for row in 0..rows {
            table.add(row, &RowOfColumns { columns, row })?;
        }
        table.finish()
    }
}

/// Measurements that are read row by row.
struct Table {
    header: Vec<String>,
    layout: Layout,
    data: Measurements,
    groups: HashMap<String, usize>,
}

impl Table {
    fn new(place: &'static str, header: Vec<String>, group: Option<&str>) -> Result<Table, FitError> {
        let layout = Layout::of(&header, group)?;
        let n = layout.before.len();
        let data = Measurements {
            dimension: if n == 2 { Dimension::Planar } else { Dimension::Spatial },
            inverse_mass: vec![Vec::new(); layout.inverse_mass.len()],
            before: vec![Vec::new(); n],
            after: vec![Vec::new(); n],
            covariance: layout.covariance.is_some().then(Vec::new),
            groups: Vec::new(),
            group_names: Vec::new(),
            columns: header
                .iter()
                .map(|name| NumberColumn { name: name.clone(), values: Vec::new(), mean: 0.0 })
                .collect(),
            place,
            lines: Vec::new(),
            left_out: Vec::new(),
        };
        Ok(Table { header, layout, data, groups: HashMap::new() })
    }

    fn add(&mut self, line: usize, cells: &dyn Cells) -> Result<(), FitError> {
        let row = Row { place: self.data.place, line, cells, header: &self.header };
        self.layout.add(&mut self.data, &mut self.groups, &row)
    }

    fn finish(self) -> Result<Measurements, FitError> {
        let mut data = self.data;
        if data.rows() == 0 {
            return Err(FitError::Input(match data.left_out.first() {
                None => "has no rows; expected measured collisions below the header".to_owned(),
                Some(LeftOut { line, reason }) => {
                    format!("no row can be used; {} {line}: {reason}", data.place)
                }
            }));
        }
        data.columns = data
            .columns
            .into_iter()
            .filter(|column| column.values.iter().all(|value| value.is_finite()))
            .map(|column| NumberColumn::new(&column.name, column.values))
            .collect();
        data.add_derived_columns();
        Ok(data)
    }
}

struct Row<'a> {
    place: &'static str,
    line: usize,
    cells: &'a dyn Cells,
    header: &'a [String],
}

impl Row<'_> {
    fn number(&self, column: usize) -> Result<f64, FitError> {
        let shown = match self.cells.number(column) {
            Ok(value) if value.is_finite() => return Ok(value),
            Ok(value) => value.to_string(),
            Err(word) => word,
        };
        let name = &self.header[column];
        Err(self.fault(&format!("`{name}` is `{}`; expected a finite number", shortened(&shown))))
    }

    fn fault(&self, fault: &str) -> FitError {
        FitError::Input(format!("{} {}: {fault}", self.place, self.line))
    }
}

/// A word as far as a message has room for it.
fn shortened(text: &str) -> String {
    const MOST: usize = 30;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain(['…']).collect() }
}

fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: has {len} fields; expected {expected_len}, as the header has")
        }
        csv::ErrorKind::Utf8 { pos, .. } => {
            format!("line {}: is no text in UTF-8", pos.as_ref().map_or(0, csv::Position::line))
        }
        _ => format!("cannot be read: {error}"),
    }
}

/// Where the columns stand.
struct Layout {
    inverse_mass: Vec<usize>,
    before: Vec<usize>,
    after: Vec<usize>,
    /// The columns named after are impulses.
    by_impulse: bool,
    covariance: Option<CovarianceColumns>,
    group: Option<usize>,
}

/// Where the columns of errors stand.
struct CovarianceColumns {
    /// Of the velocities before, then after.
    deviations: Vec<usize>,
    /// A column and the two velocities it is about.
    pairs: Vec<(usize, usize, usize)>,
}

impl Layout {
    fn of(header: &[String], group: Option<&str>) -> Result<Layout, FitError> {
        for (place, name) in header.iter().enumerate() {
            if header[..place].contains(name) && !name.is_empty() {
                return Err(FitError::Input(format!("the column `{}` comes twice", shortened(name))));
            }
        }
        let find = |name: &str| header.iter().position(|known| known == name);
        let need = |name: &str| {
            find(name).ok_or_else(|| {
                let near = nearest(name, header.iter().map(String::as_str));
                let near = near.map_or_else(String::new, |near| format!("; there is `{near}`"));
                FitError::Input(format!("there is no column `{name}`{near}"))
            })
        };
        let spatial = usize::from(find("w_11").is_some() || find("v1_before").is_some());
        let n = 2 + spatial;
        let all = |names: &[&str]| names.iter().map(|name| need(name)).collect::<Result<Vec<_>, _>>();
        let inverse_mass = all(if spatial == 1 { &W_SPATIAL } else { &W_PLANAR })?;
        let before = all(&BEFORE[spatial][..n])?;
        let by_impulse = find(AFTER[spatial][0]).is_none() && find(IMPULSE[spatial][0]).is_some();
        let after = all(&if by_impulse { IMPULSE } else { AFTER }[spatial][..n])?;
        let names: Vec<&str> = BEFORE[spatial][..n].iter().chain(&AFTER[spatial][..n]).copied().collect();
        let has_errors = names.iter().any(|name| find(&format!("{name}_sd")).is_some());
        let covariance = if has_errors {
            let deviations = names.iter().map(|name| need(&format!("{name}_sd"))).collect::<Result<Vec<_>, _>>()?;
            let pairs = (0..2 * n).flat_map(|i| (0..2 * n).map(move |j| (i, j)));
            let given = pairs.filter_map(|(i, j)| Some((find(&format!("cov_{}_{}", names[i], names[j]))?, i, j)));
            Some(CovarianceColumns { deviations, pairs: given.collect() })
        } else {
            None
        };
        // A column of errors that is misspelt would be missed without a word.
        for name in header {
            let is_known = names.iter().any(|of| {
                *name == format!("{of}_sd") || names.iter().any(|other| *name == format!("cov_{of}_{other}"))
            });
            let about = name.strip_suffix("_sd").or_else(|| name.strip_suffix("_std"));
            let is_error = about.is_some_and(|about| names.contains(&about)) || name.starts_with("cov_v");
            if is_error && !is_known {
                let fault = format!(
                    "the column `{}` is of no use; expected X_sd or cov_X_Y with X, Y of {}",
                    shortened(name),
                    names.join(", ")
                );
                return Err(FitError::Input(fault));
            }
        }
        let group = match group {
            Some(name) => Some(need(name)?),
            None => find("group"),
        };
        Ok(Layout { inverse_mass, before, after, by_impulse, covariance, group })
    }

    fn add(&self, data: &mut Measurements, groups: &mut HashMap<String, usize>, row: &Row) -> Result<(), FitError> {
        let n = self.before.len();
        let numbers = |columns: &[usize]| columns.iter().map(|c| row.number(*c)).collect::<Result<Vec<f64>, _>>();
        let (w, before) = (numbers(&self.inverse_mass)?, numbers(&self.before)?);
        let mut after = numbers(&self.after)?;
        let name = |columns: &[usize], place: usize| &row.header[columns[place]];
        if let Some(place) = w.iter().position(|entry| entry.abs() > LIGHTEST) {
            let fault = format!("`{}` is {:e}; expected 1/kg, at most 1e9", name(&self.inverse_mass, place), w[place]);
            return Err(row.fault(&fault));
        }
        let matrix = DMatrix::from_fn(n, n, |i, j| w[super::measurements::place(n, i.min(j), i.max(j))]);
        if matrix.clone().cholesky().is_none() {
            return Err(row.fault("W is not positive definite; expected an inverse mass matrix in 1/kg"));
        }
        if self.by_impulse {
            let p = nalgebra::DVector::from_vec(after);
            after = (matrix * p).iter().zip(&before).map(|(change, before)| before + change).collect();
        }
        for (columns, values) in [(&self.before, &before), (&self.after, &after)] {
            if let Some(place) = values.iter().position(|speed| speed.abs() > FASTEST) {
                let fault = format!("`{}` gives {:e} m/s; expected at most 1e5", name(columns, place), values[place]);
                return Err(row.fault(&fault));
            }
        }
        let covariance = self.covariance_of(row)?;
        if before[0] >= 0.0 {
            let reason = format!("the bodies do not approach: vn_before is {}", before[0]);
            data.left_out.push(LeftOut { line: row.line, reason });
            return Ok(());
        }
        for (columns, values) in [(&mut data.inverse_mass, w), (&mut data.before, before), (&mut data.after, after)] {
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        if let (Some(all), Some(own)) = (&mut data.covariance, covariance) {
            all.push(own);
        }
        let group = self.group.map(|column| row.cells.word(column)).unwrap_or_default();
        let group = group.replace(char::is_control, " ");
        data.groups.push(*groups.entry(group).or_insert_with_key(|name| {
            data.group_names.push(name.clone());
            data.group_names.len() - 1
        }));
        for (place, column) in data.columns.iter_mut().enumerate() {
            column.values.push(row.cells.number(place).unwrap_or(f64::NAN));
        }
        data.lines.push(row.line);
        Ok(())
    }

    fn covariance_of(&self, row: &Row) -> Result<Option<DMatrix<f64>>, FitError> {
        let Some(CovarianceColumns { deviations, pairs }) = &self.covariance else { return Ok(None) };
        let mut matrix = DMatrix::zeros(deviations.len(), deviations.len());
        for (place, column) in deviations.iter().enumerate() {
            let deviation = row.number(*column)?;
            if deviation <= 0.0 {
                return Err(row.fault(&format!("`{}` is {deviation}; expected above 0", row.header[*column])));
            }
            if !(LEAST_DEVIATION..=FASTEST).contains(&deviation) {
                let fault = format!("`{}` is {deviation:e} m/s; expected 1e-12 to 1e5", row.header[*column]);
                return Err(row.fault(&fault));
            }
            matrix[(place, place)] = deviation * deviation;
        }
        for (column, i, j) in pairs {
            let value = row.number(*column)?;
            (matrix[(*i, *j)], matrix[(*j, *i)]) = (value, value);
        }
        if matrix.clone().cholesky().is_none() {
            return Err(row.fault("the covariances are larger than the standard deviations allow"));
        }
        Ok(Some(matrix))
    }
}
