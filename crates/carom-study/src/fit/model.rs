//! The velocities after that a law predicts, and their derivatives by the free parameters.

use super::FitError;
use super::measurements::Measurements;
use crate::scenario::nearest;
use carom::batch::{Batch, BoundBatch, Column, Derivative, Outputs, Status};
use carom::laws::{Fallback, Kind, Law};
use nalgebra::DMatrix;

/// A parameter that is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// Its key.
    pub key: String,
    /// On what its value depends.
    pub form: Form,
    /// The values it may take.
    pub bounds: [f64; 2],
}

/// On what the value of a parameter depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// One value for all collisions.
    Constant,
    /// Every group has a value of its own.
    ByGroup,
    /// A value at the means of columns and a slope for each of them; beyond the bounds the value is that of the bound.
    Linear(Vec<String>),
}

/// A law with its fixed and its free parameters.
#[derive(Clone, Debug)]
pub struct Model {
    /// The law.
    pub law: &'static Law,
    /// Parameters that are given.
    pub fixed: Vec<(String, f64)>,
    /// Those that are fitted.
    pub free: Vec<Free>,
}

/// A parameter of a fit without an upper bound starts between 0 and this.
const USUAL: f64 = 1.0;
/// Steps of differences, relative to the width of the bounds or the size of the value.
const STEP: f64 = 1e-6;

impl Model {
    /// A law with the free parameters named: `KEY`, `KEY@group` with a value for every group, or `KEY~COLUMN+COLUMN` linear in columns of
    /// the data. Bounds are those of the law, or narrower ones.
    pub fn new(
        law: &'static Law,
        free: &[&str],
        fixed: &[(String, f64)],
        bounds: &[(String, [f64; 2])],
    ) -> Result<Model, FitError> {
        if law.is_simultaneous() {
            return Err(FitError::Input(format!("`{}` is a law for several contacts; expected one for one", law.id)));
        }
        let known: Vec<&str> = keys(law);
        let check = |key: &str| {
            if known.contains(&key) {
                return Ok(());
            }
            let near = nearest(key, known.iter().copied());
            let near = near.map_or_else(|| ".".to_owned(), |near| format!("; did you mean `{near}`?"));
            Err(FitError::Input(format!("`{}` has no parameter `{key}`{near} It has {}", law.id, known.join(", "))))
        };
        let mut chosen: Vec<Free> = Vec::new();
        for name in free {
            let key = key_of(name);
            let form = form_of(name)?;
            check(key)?;
            if chosen.iter().any(|other| other.key == key) {
                return Err(FitError::Input(format!("`{key}` is named twice among the free parameters")));
            }
            if fixed.iter().any(|(other, _)| other == key) {
                return Err(FitError::Input(format!("`{key}` is both free and fixed")));
            }
            let Some(widest) = range(law, key) else {
                return Err(FitError::Input(format!("`{key}` is a choice of words; expected a number to fit")));
            };
            let [least, greatest] = bounds.iter().find(|(other, _)| other == key).map_or(widest, |(_, own)| *own);
            if !(least < greatest && least >= widest[0] && greatest <= widest[1]) {
                let [from, to] = widest;
                let fault =
                    format!("bounds of `{key}` are {least} to {greatest}; expected rising ones in {from} to {to}");
                return Err(FitError::Input(fault));
            }
            chosen.push(Free { key: key.to_owned(), form, bounds: [least, greatest] });
        }
        for (key, _) in bounds {
            if !chosen.iter().any(|free| free.key == *key) {
                return Err(FitError::Input(format!("there are bounds of `{key}`, which is not free")));
            }
        }
        for (place, (key, _)) in fixed.iter().enumerate() {
            check(key)?;
            if fixed[..place].iter().any(|(other, _)| other == key) {
                return Err(FitError::Input(format!("`{key}` is fixed twice")));
            }
        }
        if chosen.is_empty() {
            return Err(FitError::Input(format!("expected a free parameter of {}", known.join(", "))));
        }
        Ok(Model { law, fixed: fixed.to_vec(), free: chosen })
    }

    /// The parameters that have no default: those one fits.
    pub fn usual(law: &Law) -> Vec<&'static str> {
        let given = |key: &str| law.parameters.iter().any(|parameter| parameter.key == key);
        let mut found = Vec::new();
        for parameter in law.parameters {
            let key = match parameter.fallback {
                Fallback::Required => parameter.key,
                Fallback::SameAs(other) if !given(other) => other,
                _ => continue,
            };
            if matches!(parameter.kind, Kind::Number { .. }) && !found.contains(&key) {
                found.push(key);
            }
        }
        found
    }

    /// Whether a law has a number that can be fitted by this name: `KEY`, `KEY@group` or `KEY~COLUMN`.
    pub fn takes(law: &Law, name: &str) -> bool {
        range(law, key_of(name)).is_some()
    }

    /// The columns that parameters depend on.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = Vec::new();
        for free in &self.free {
            if let Form::Linear(columns) = &free.form {
                names.extend(columns.iter().map(String::as_str));
            }
        }
        names.sort_unstable();
        names.dedup();
        names.into_iter()
    }

    /// Whether the data have the columns that parameters depend on.
    pub fn check(&self, data: &Measurements) -> Result<(), FitError> {
        for name in self.columns() {
            let column = data.column(name)?;
            if column.values.iter().all(|value| *value == column.values[0]) {
                return Err(FitError::Input(format!(
                    "`{name}` is the same in all rows; a slope needs values that differ"
                )));
            }
        }
        Ok(())
    }

    /// Whether a parameter has a value for every group.
    pub fn is_by_group(&self) -> bool {
        self.free.iter().any(|free| free.form == Form::ByGroup)
    }

    /// The names of all numbers that are fitted, group by group.
    pub fn names(&self, data: &Measurements) -> Vec<String> {
        let of = |free: &Free| -> Vec<String> {
            let key = &free.key;
            match &free.form {
                Form::Constant => vec![key.clone()],
                Form::ByGroup => data.group_names.iter().map(|group| format!("{key}@{group}")).collect(),
                Form::Linear(columns) => {
                    let slopes = columns.iter().map(|column| format!("{key}~{column}"));
                    std::iter::once(key.clone()).chain(slopes).collect()
                }
            }
        };
        self.free.iter().flat_map(of).collect()
    }

    /// The bounds of all numbers that are fitted.
    pub fn bounds(&self, data: &Measurements) -> Vec<[f64; 2]> {
        let of = |free: &Free| {
            let slopes = matches!(free.form, Form::Linear(_));
            let bounds = |k: usize| if slopes && k > 0 { [f64::NEG_INFINITY, f64::INFINITY] } else { free.bounds };
            (0..free.numbers(data)).map(bounds).collect::<Vec<_>>()
        };
        self.free.iter().flat_map(of).collect()
    }

    /// The places of the numbers of a free parameter.
    fn offset(&self, data: &Measurements, place: usize) -> usize {
        self.free[..place].iter().map(|free| free.numbers(data)).sum()
    }

    /// V after of all rows, component by component, and how many rows the law refuses.
    pub fn predict(&self, data: &Measurements, theta: &[f64]) -> Result<Prediction, FitError> {
        self.with_batch(data, theta, |batch| {
            let mut after = vec![0.0; data.rows() * data.components()];
            let (mut status, mut modes) = (vec![0; data.rows()], vec![0; data.rows()]);
            let mut outputs = Outputs {
                velocity_after: Some(&mut after),
                status: Some(&mut status),
                mode: Some(&mut modes),
                ..Outputs::default()
            };
            batch.resolve(&mut outputs, 1)?;
            let refused = status.iter().filter(|status| **status > Status::Separating as u8).count();
            Ok(Prediction { after, modes, refused })
        })
    }

    /// Derivatives of V after: for each row a matrix by V before, and one by the numbers that are fitted. By differences where the law has none,
    /// as at infinite friction.
    pub fn slopes(&self, data: &Measurements, theta: &[f64]) -> Result<Slopes, FitError> {
        let exact = self.with_batch(data, theta, |batch| {
            let (inputs, n) = (batch.inputs(), data.components());
            let mut matrices = vec![0.0; data.rows() * 2 * n * inputs];
            let mut kinds = vec![0; data.rows()];
            batch.differentiate(&mut matrices, &mut kinds, 1)?;
            Ok((inputs, matrices, kinds))
        });
        match exact {
            Ok((inputs, matrices, kinds)) => {
                let mut slopes = self.of_matrices(data, theta, inputs, &matrices);
                let is_unknown = |row: &usize| kinds[*row] == Derivative::Unknown as u8;
                let unknown: Vec<usize> = (0..data.rows()).filter(is_unknown).collect();
                if !unknown.is_empty() {
                    let found = self.differences(&data.select(&unknown), theta)?;
                    slopes.replace(data.rows(), &unknown, &found);
                }
                Ok(slopes)
            }
            Err(FitError::Law(carom::Error::NoDerivative { .. })) => self.differences(data, theta),
            Err(error) => Err(error),
        }
    }

    fn of_matrices(&self, data: &Measurements, theta: &[f64], inputs: usize, matrices: &[f64]) -> Slopes {
        let n = data.components();
        let first = n + n * (n + 1) / 2;
        let mut slopes = Slopes::zeros(data.rows(), n, theta.len());
        let ways: Vec<Way> = self
            .sources()
            .iter()
            .enumerate()
            .filter_map(|(place, source)| {
                let free = (*source)?;
                let offset = self.offset(data, free);
                Some(Way { input: first + place, offset, share: Share::of(&self.free[free], data, &theta[offset..]) })
            })
            .collect();
        for (row, matrix) in matrices.chunks_exact(2 * n * inputs).enumerate() {
            for component in 0..n {
                let line = &matrix[(n + component) * inputs..][..inputs];
                for (k, slope) in line[..n].iter().enumerate() {
                    slopes.by_velocity[(row * n + component) * n + k] = *slope;
                }
                for Way { input, offset, share } in &ways {
                    let mut add = |column: usize, part: f64| {
                        slopes.by_parameter[(component * data.rows() + row, offset + column)] += line[*input] * part;
                    };
                    match share {
                        Share::Whole => add(0, 1.0),
                        Share::OfGroup => add(data.groups[row], 1.0),
                        Share::Linear { distances, inside } if inside[row] => {
                            add(0, 1.0);
                            for (k, distance) in distances.iter().enumerate() {
                                add(k + 1, distance[row]);
                            }
                        }
                        Share::Linear { .. } => {}
                    }
                }
            }
        }
        slopes
    }

    /// For each of the law's parameters the free one that gives its value.
    fn sources(&self) -> Vec<Option<usize>> {
        let free = |key: &str| self.free.iter().position(|free| free.key == key);
        let fixed = |key: &str| self.fixed.iter().any(|(other, _)| other == key);
        let source = |parameter: &carom::laws::Parameter| match (free(parameter.key), parameter.fallback) {
            (Some(place), _) => Some(place),
            (None, Fallback::SameAs(other)) if !fixed(parameter.key) => free(other),
            _ => None,
        };
        self.law.parameters.iter().map(source).collect()
    }

    /// Differences, for laws that are followed in time.
    fn differences(&self, data: &Measurements, theta: &[f64]) -> Result<Slopes, FitError> {
        let n = data.components();
        let mut slopes = Slopes::zeros(data.rows(), n, theta.len());
        for (k, bounds) in self.bounds(data).into_iter().enumerate() {
            let width = bounds[1] - bounds[0];
            let step = STEP * if width < 1e9 { width.max(theta[k].abs()) } else { theta[k].abs().max(USUAL) };
            let at = |value: f64| {
                let mut moved = theta.to_vec();
                moved[k] = value.clamp(bounds[0], bounds[1]);
                Ok::<_, FitError>((moved[k], self.predict(data, &moved)?))
            };
            let ((low, below), (high, above)) = (at(theta[k] - step)?, at(theta[k] + step)?);
            for (row, (below, above)) in below.after.iter().zip(&above.after).enumerate() {
                slopes.by_parameter[(row, k)] = (above - below) / (high - low);
            }
        }
        for k in 0..n {
            let step = STEP * data.before[k].iter().fold(0.0_f64, |most, v| most.max(v.abs())).max(f64::MIN_POSITIVE);
            let at = |side: f64| {
                let mut moved = data.clone();
                moved.before[k].iter_mut().for_each(|v| *v += side * step);
                self.predict(&moved, theta)
            };
            let (below, above) = (at(-1.0)?, at(1.0)?);
            for component in 0..n {
                for row in 0..data.rows() {
                    let place = component * data.rows() + row;
                    slopes.by_velocity[(row * n + component) * n + k] =
                        (above.after[place] - below.after[place]) / (2.0 * step);
                }
            }
        }
        Ok(slopes)
    }

    fn with_batch<T>(
        &self,
        data: &Measurements,
        theta: &[f64],
        run: impl FnOnce(&BoundBatch) -> Result<T, carom::Error>,
    ) -> Result<T, FitError> {
        let offsets = (0..self.free.len()).map(|place| self.offset(data, place));
        let by_row: Vec<Option<Vec<f64>>> =
            self.free.iter().zip(offsets).map(|(free, offset)| free.by_row(data, &theta[offset..])).collect();
        let mut parameters: Vec<(&str, Column)> =
            self.fixed.iter().map(|(key, value)| (key.as_str(), Column::same(value))).collect();
        for (place, (free, own)) in self.free.iter().zip(&by_row).enumerate() {
            let column = match own {
                Some(own) => Column::contiguous(own),
                None => Column::same(&theta[self.offset(data, place)]),
            };
            parameters.push((&free.key, column));
        }
        let w = |k: usize| Column::contiguous(&data.inverse_mass[k]);
        let v = |k: usize| Column::contiguous(&data.before[k]);
        let batch = if data.dimension.is_planar() {
            Batch::planar(data.rows(), [[w(0), w(1)], [w(1), w(2)]], [v(0), v(1)])?
        } else {
            let rows = [[w(0), w(1), w(2)], [w(1), w(3), w(4)], [w(2), w(4), w(5)]];
            Batch::spatial(data.rows(), rows, [v(0), v(1), v(2)])?
        };
        Ok(run(&batch.bind(self.law, &parameters)?)?)
    }
}

impl Free {
    fn numbers(&self, data: &Measurements) -> usize {
        match &self.form {
            Form::Constant => 1,
            Form::ByGroup => data.group_names.len(),
            Form::Linear(columns) => 1 + columns.len(),
        }
    }

    /// The value for every row from the parameter's numbers; nothing if it is the same for all.
    fn by_row(&self, data: &Measurements, theta: &[f64]) -> Option<Vec<f64>> {
        match &self.form {
            Form::Constant => None,
            Form::ByGroup => Some(data.groups.iter().map(|group| theta[*group]).collect()),
            Form::Linear(columns) => {
                let mut values = linear(columns, data, theta);
                for value in &mut values {
                    *value = value.clamp(self.bounds[0], self.bounds[1]);
                }
                Some(values)
            }
        }
    }
}

/// Values linear in columns, not yet limited by bounds.
fn linear(columns: &[String], data: &Measurements, theta: &[f64]) -> Vec<f64> {
    let mut values = vec![theta[0]; data.rows()];
    for (column, slope) in columns.iter().filter_map(|name| data.column(name).ok()).zip(&theta[1..]) {
        for (value, distance) in values.iter_mut().zip(column.distances()) {
            *value += slope * distance;
        }
    }
    values
}

/// How the numbers of a free parameter enter one of the law's parameters.
struct Way {
    /// The column of a derivative matrix.
    input: usize,
    /// The first number.
    offset: usize,
    share: Share,
}

/// The derivative of a parameter's value in a row by the numbers that give it.
enum Share {
    /// 1.
    Whole,
    /// 1 by the number of the row's group.
    OfGroup,
    /// 1 and the distances of columns from their means, in rows whose value is inside the bounds.
    Linear { distances: Vec<Vec<f64>>, inside: Vec<bool> },
}

impl Share {
    fn of(free: &Free, data: &Measurements, theta: &[f64]) -> Share {
        match &free.form {
            Form::Constant => Share::Whole,
            Form::ByGroup => Share::OfGroup,
            Form::Linear(columns) => {
                let found = columns.iter().filter_map(|name| data.column(name).ok());
                let [least, greatest] = free.bounds;
                Share::Linear {
                    distances: found.map(|column| column.distances().collect()).collect(),
                    inside: linear(columns, data, theta)
                        .iter()
                        .map(|value| (least..=greatest).contains(value))
                        .collect(),
                }
            }
        }
    }
}

/// V after by a law.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// Component by component, each with all rows, m/s.
    pub after: Vec<f64>,
    /// The mode of each row, as batches number them.
    pub modes: Vec<u8>,
    /// Rows that the law refuses; V before stands for V after there.
    pub refused: usize,
}

/// Derivatives of V after.
#[derive(Clone, Debug)]
pub struct Slopes {
    /// A row for each row of each component, a column for each number that is fitted.
    pub by_parameter: DMatrix<f64>,
    /// Matrix after matrix, row by row.
    pub by_velocity: Vec<f64>,
}

impl Slopes {
    fn zeros(rows: usize, components: usize, numbers: usize) -> Slopes {
        Slopes {
            by_parameter: DMatrix::zeros(rows * components, numbers),
            by_velocity: vec![0.0; rows * components * components],
        }
    }

    /// Puts the derivatives of some rows in the place of those of all.
    fn replace(&mut self, all: usize, rows: &[usize], own: &Slopes) {
        let size = own.by_velocity.len() / rows.len();
        for (place, row) in rows.iter().enumerate() {
            self.by_velocity[row * size..][..size].copy_from_slice(&own.by_velocity[place * size..][..size]);
            for component in 0..own.by_parameter.nrows() / rows.len() {
                let line = own.by_parameter.row(component * rows.len() + place);
                self.by_parameter.row_mut(component * all + row).copy_from(&line);
            }
        }
    }
}

/// The key of a name such as `KEY@group` or `KEY~COLUMN`.
pub(super) fn key_of(name: &str) -> &str {
    name.split(['@', '~']).next().unwrap_or(name).trim()
}

fn form_of(name: &str) -> Result<Form, FitError> {
    let Some(place) = name.find(['@', '~']) else { return Ok(Form::Constant) };
    let after = &name[place + 1..];
    if name[place..].starts_with('@') {
        if after != "group" {
            let fault = format!("`{name}`: expected KEY@group; `--group COLUMN` says which column names the groups");
            return Err(FitError::Input(fault));
        }
        return Ok(Form::ByGroup);
    }
    let columns: Vec<String> = after.split('+').map(|column| column.trim().to_owned()).collect();
    for (place, column) in columns.iter().enumerate() {
        if column.is_empty() || columns[..place].contains(column) {
            let fault = format!("`{name}`: expected KEY~COLUMN or KEY~COLUMN+COLUMN with columns that differ");
            return Err(FitError::Input(fault));
        }
    }
    Ok(Form::Linear(columns))
}

/// The keys that a law takes: its parameters and those they fall back to.
fn keys(law: &Law) -> Vec<&'static str> {
    let mut found = Vec::new();
    for parameter in law.parameters {
        let other = if let Fallback::SameAs(other) = parameter.fallback { Some(other) } else { None };
        for key in [Some(parameter.key), other].into_iter().flatten() {
            if !found.contains(&key) {
                found.push(key);
            }
        }
    }
    found
}

/// The values that a key may take; nothing for a choice of words.
fn range(law: &Law, key: &str) -> Option<[f64; 2]> {
    let falls_back =
        |parameter: &&carom::laws::Parameter| matches!(parameter.fallback, Fallback::SameAs(other) if other == key);
    let own = law.parameters.iter().find(|parameter| parameter.key == key);
    match own.or_else(|| law.parameters.iter().find(falls_back))?.kind {
        Kind::Number { least, greatest } => Some([least, greatest]),
        Kind::Choice(_) => None,
    }
}
