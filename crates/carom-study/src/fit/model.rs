//! The velocities after that a law predicts, and their derivatives by the free parameters.

use super::FitError;
use super::measurements::Measurements;
use crate::scenario::nearest;
use carom::batch::{Batch, BoundBatch, Column, Outputs, Status};
use carom::laws::{Fallback, Kind, Law};
use nalgebra::DMatrix;

/// A parameter that is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// Its key.
    pub key: String,
    /// Whether every group has a value of its own.
    pub by_group: bool,
    /// The values it may take.
    pub bounds: [f64; 2],
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
    /// A law with the free parameters named; `KEY@group` has a value for every group. Bounds are those of the law, or narrower ones.
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
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Err(FitError::Input(format!("`{}` has no parameter `{key}`{near} It has {}", law.id, known.join(", "))))
        };
        let mut chosen: Vec<Free> = Vec::new();
        for name in free {
            let (key, by_group) = name.strip_suffix("@group").map_or((*name, false), |key| (key, true));
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
            chosen.push(Free { key: key.to_owned(), by_group, bounds: [least, greatest] });
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

    /// Whether a law has a number that can be fitted by this name, `KEY` or `KEY@group`.
    pub fn takes(law: &Law, name: &str) -> bool {
        range(law, name.strip_suffix("@group").unwrap_or(name)).is_some()
    }

    /// The names of all numbers that are fitted, group by group.
    pub fn names(&self, data: &Measurements) -> Vec<String> {
        let of = |free: &Free| -> Vec<String> {
            if free.by_group {
                data.group_names.iter().map(|group| format!("{}@{group}", free.key)).collect()
            } else {
                vec![free.key.clone()]
            }
        };
        self.free.iter().flat_map(of).collect()
    }

    /// The bounds of all numbers that are fitted.
    pub fn bounds(&self, data: &Measurements) -> Vec<[f64; 2]> {
        self.free.iter().flat_map(|free| vec![free.bounds; free.numbers(data)]).collect()
    }

    /// The places of the numbers of a free parameter.
    fn offset(&self, data: &Measurements, place: usize) -> usize {
        self.free[..place].iter().map(|free| free.numbers(data)).sum()
    }

    /// V after of all rows, component by component, and how many rows the law refuses.
    pub fn predict(&self, data: &Measurements, theta: &[f64]) -> Result<Prediction, FitError> {
        self.with_batch(data, theta, |batch| {
            let mut after = vec![0.0; data.rows() * data.components()];
            let mut status = vec![0; data.rows()];
            let mut outputs =
                Outputs { velocity_after: Some(&mut after), status: Some(&mut status), ..Outputs::default() };
            batch.resolve(&mut outputs, 1)?;
            let refused = status.iter().filter(|status| **status > Status::Separating as u8).count();
            Ok(Prediction { after, refused })
        })
    }

    /// Derivatives of V after: for each row a matrix by V before, and one by the numbers that are fitted.
    pub fn slopes(&self, data: &Measurements, theta: &[f64]) -> Result<Slopes, FitError> {
        let exact = self.with_batch(data, theta, |batch| {
            let (inputs, n) = (batch.inputs(), data.components());
            let mut matrices = vec![0.0; data.rows() * 2 * n * inputs];
            let mut kinds = vec![0; data.rows()];
            batch.differentiate(&mut matrices, &mut kinds, 1)?;
            Ok((inputs, matrices))
        });
        match exact {
            Ok((inputs, matrices)) => Ok(self.of_matrices(data, inputs, &matrices)),
            Err(FitError::Law(carom::Error::NoDerivative { .. })) => self.differences(data, theta),
            Err(error) => Err(error),
        }
    }

    fn of_matrices(&self, data: &Measurements, inputs: usize, matrices: &[f64]) -> Slopes {
        let n = data.components();
        let first = n + n * (n + 1) / 2;
        let sources = self.sources();
        let size = self.bounds(data).len();
        let mut slopes = Slopes::zeros(data.rows(), n, size);
        let places: Vec<(usize, usize, bool)> = sources
            .iter()
            .enumerate()
            .filter_map(|(place, source)| {
                let free = (*source)?;
                Some((first + place, self.offset(data, free), self.free[free].by_group))
            })
            .collect();
        for (row, matrix) in matrices.chunks_exact(2 * n * inputs).enumerate() {
            for component in 0..n {
                let line = &matrix[(n + component) * inputs..][..inputs];
                for (k, slope) in line[..n].iter().enumerate() {
                    slopes.by_velocity[(row * n + component) * n + k] = *slope;
                }
                for (input, offset, by_group) in &places {
                    let column = offset + if *by_group { data.groups[row] } else { 0 };
                    slopes.by_parameter[(component * data.rows() + row, column)] += line[*input];
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
        let mut of_groups: Vec<Option<Vec<f64>>> = Vec::with_capacity(self.free.len());
        for (place, free) in self.free.iter().enumerate() {
            let offset = self.offset(data, place);
            let own = || data.groups.iter().map(|group| theta[offset + group]).collect();
            of_groups.push(free.by_group.then(own));
        }
        let mut parameters: Vec<(&str, Column)> =
            self.fixed.iter().map(|(key, value)| (key.as_str(), Column::same(value))).collect();
        for (place, (free, own)) in self.free.iter().zip(&of_groups).enumerate() {
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
        if self.by_group { data.group_names.len() } else { 1 }
    }
}

/// V after by a law.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// Component by component, each with all rows, m/s.
    pub after: Vec<f64>,
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
