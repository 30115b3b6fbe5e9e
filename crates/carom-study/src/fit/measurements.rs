//! Measured collisions of one contact.

use super::FitError;
use crate::scenario::nearest;
use carom::{Collision, Dimension};
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Measured collisions of one contact, as columns: W and V before and after in the contact frame.
#[derive(Clone, Debug)]
pub struct Measurements {
    /// Whether the contact frame has one tangent or two.
    pub dimension: Dimension,
    /// W, 1/kg: in the plane nn, nt, tt; in space nn, n1, n2, 11, 12, 22.
    pub inverse_mass: Vec<Vec<f64>>,
    /// V before, m/s: in the plane n, t; in space n, t1, t2.
    pub before: Vec<Vec<f64>>,
    /// V after, m/s, in the same order.
    pub after: Vec<Vec<f64>>,
    /// The covariance of V before and V after of each row, if it was measured, (m/s)²: a matrix of as many rows and columns as both have
    /// components.
    pub covariance: Option<Vec<DMatrix<f64>>>,
    /// The group of each row, as its place in `group_names`.
    pub groups: Vec<usize>,
    /// The names of the groups; one that is empty if the rows have none.
    pub group_names: Vec<String>,
    /// The columns of the file that are numbers, and `approach`, `slip` and `incidence` if they are not among them.
    pub columns: Vec<NumberColumn>,
    /// What numbers the rows in messages: `line` or `row`.
    pub place: &'static str,
    /// Where each row stands: its line in the file, or its number from 0.
    pub lines: Vec<usize>,
    /// Rows that were left out.
    pub left_out: Vec<LeftOut>,
}

/// A column of numbers that a parameter may depend on.
#[derive(Clone, Debug)]
pub struct NumberColumn {
    /// Its name.
    pub name: String,
    /// A number for each row.
    pub values: Vec<f64>,
    /// The mean over the rows that were read; selections of rows keep it.
    pub mean: f64,
}

impl NumberColumn {
    /// A column and its mean.
    pub fn new(name: &str, values: Vec<f64>) -> NumberColumn {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        NumberColumn { name: name.to_owned(), values, mean }
    }

    /// The distances from the mean.
    pub fn distances(&self) -> impl Iterator<Item = f64> {
        self.values.iter().map(|value| value - self.mean)
    }
}

/// A row that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its line.
    pub line: usize,
    /// Why.
    pub reason: String,
}

impl Measurements {
    /// The number of collisions.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The components of a velocity: 2 in the plane, 3 in space.
    pub fn components(&self) -> usize {
        if self.dimension.is_planar() { 2 } else { 3 }
    }

    /// V before of a row.
    pub fn before_of(&self, row: usize) -> Vector3<f64> {
        vector(&self.before, row)
    }

    /// V after of a row.
    pub fn after_of(&self, row: usize) -> Vector3<f64> {
        vector(&self.after, row)
    }

    /// W of a row on as many components as a velocity has.
    pub fn inverse_mass_of(&self, row: usize) -> DMatrix<f64> {
        let n = self.components();
        DMatrix::from_fn(n, n, |i, j| self.inverse_mass[place(n, i.min(j), i.max(j))][row])
    }

    /// A column of numbers by its name.
    pub fn column(&self, name: &str) -> Result<&NumberColumn, FitError> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| {
            let near = nearest(name, self.columns.iter().map(|column| column.name.as_str()));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            FitError::Input(format!("there is no column of numbers `{name}`{near}"))
        })
    }

    /// Adds the speed of approach and of slip, m/s, and the angle of incidence from the normal, radians, unless the data have columns of
    /// these names.
    pub(super) fn add_derived_columns(&mut self) {
        let approach: Vec<f64> = (0..self.rows()).map(|row| -self.before_of(row).x).collect();
        let slip: Vec<f64> = (0..self.rows()).map(|row| self.before_of(row).yz().norm()).collect();
        let incidence = slip.iter().zip(&approach).map(|(slip, approach)| slip.atan2(*approach)).collect();
        for (name, values) in [("approach", approach), ("slip", slip), ("incidence", incidence)] {
            if self.columns.iter().all(|column| column.name != name) {
                self.columns.push(NumberColumn::new(name, values));
            }
        }
    }

    /// The collision of a row.
    pub fn collision(&self, row: usize) -> Result<Collision, carom::Error> {
        let (w, v) = (self.inverse_mass_of(row), self.before_of(row));
        if self.dimension.is_planar() {
            return Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]], [v.x, v.y]);
        }
        Collision::new(&Matrix3::from_fn(|i, j| w[(i, j)]), &v)
    }

    /// The speed in the metric of M of each row before, √(V·M V), √J up to a factor: the scale of its error in energy.
    pub fn energy_speed(&self, row: usize) -> f64 {
        self.energy_norm(row, &self.before_of(row))
    }

    /// √(u·M u) of a velocity at a row.
    pub fn energy_norm(&self, row: usize, u: &Vector3<f64>) -> f64 {
        let u = nalgebra::DVector::from_iterator(self.components(), u.iter().copied().take(self.components()));
        let factor = self.inverse_mass_of(row).cholesky();
        factor.map_or(f64::NAN, |factor| u.dot(&factor.solve(&u)).max(0.0).sqrt())
    }

    /// √(Δv·M Δv / V·M V) of a row, for velocities after of all rows, component by component.
    pub fn relative_error(&self, row: usize, predicted: &[f64]) -> f64 {
        let n = self.components();
        let difference =
            Vector3::from_fn(|k, _| if k < n { self.after[k][row] - predicted[k * self.rows() + row] } else { 0.0 });
        self.energy_norm(row, &difference) / self.energy_speed(row)
    }

    /// Some of the rows, one after the other; a row may come several times.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Measurements {
        let pick = |columns: &[Vec<f64>]| -> Vec<Vec<f64>> {
            columns.iter().map(|column| rows.iter().map(|row| column[*row]).collect()).collect()
        };
        Measurements {
            dimension: self.dimension,
            inverse_mass: pick(&self.inverse_mass),
            before: pick(&self.before),
            after: pick(&self.after),
            covariance: self.covariance.as_ref().map(|all| rows.iter().map(|row| all[*row].clone()).collect()),
            groups: rows.iter().map(|row| self.groups[*row]).collect(),
            group_names: self.group_names.clone(),
            columns: self
                .columns
                .iter()
                .map(|column| NumberColumn {
                    values: rows.iter().map(|row| column.values[*row]).collect(),
                    ..column.clone()
                })
                .collect(),
            place: self.place,
            lines: rows.iter().map(|row| self.lines[*row]).collect(),
            left_out: Vec::new(),
        }
    }
}

fn vector(columns: &[Vec<f64>], row: usize) -> Vector3<f64> {
    Vector3::from_fn(|k, _| columns.get(k).map_or(0.0, |column| column[row]))
}

/// The place of an entry of W above the diagonal among its columns.
pub(super) fn place(components: usize, row: usize, column: usize) -> usize {
    row * components - row * row.saturating_sub(1) / 2 + column - row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_above_the_diagonal_stand_row_by_row() {
        let places = |n: usize| -> Vec<usize> {
            (0..n).flat_map(|i| (i..n).map(move |j| (i, j))).map(|(i, j)| place(n, i, j)).collect()
        };
        assert_eq!(places(2), [0, 1, 2]);
        assert_eq!(places(3), [0, 1, 2, 3, 4, 5]);
    }
}
