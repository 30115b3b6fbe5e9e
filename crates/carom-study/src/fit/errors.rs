//! The errors of measured velocities, and what they make of a difference between measured and predicted velocities.

use super::FitError;
use super::measurements::Measurements;
use super::model::Slopes;
use nalgebra::{DMatrix, DVector};

/// What is assumed of the errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// Those that the file gives, of V before as well as of V after.
    #[default]
    Measured,
    /// All velocities after have the same error, which the fit finds.
    Equal,
    /// Errors are the same in the metric of M, relative to the speed before: √(Δv·M Δv / V·M V). The fit finds their size.
    Energy,
}

impl Errors {
    /// Their words in the command.
    pub const WORDS: [&str; 3] = ["measured", "equal", "energy"];

    /// Those of a word.
    pub fn of_word(word: &str) -> Option<Errors> {
        let place = Errors::WORDS.iter().position(|known| *known == word)?;
        Some([Errors::Measured, Errors::Equal, Errors::Energy][place])
    }

    /// The word.
    pub fn word(self) -> &'static str {
        Errors::WORDS[self as usize]
    }

    /// Whether their size is known.
    pub fn is_known(self) -> bool {
        self == Errors::Measured
    }
}

/// For each row the matrix R that makes a difference Δv one of independent numbers of unit size, r = R Δv.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    components: usize,
    roots: Vec<f64>,
    /// Σ ln det R, the part of the log-likelihood that depends on the weights.
    pub(super) log_determinant: f64,
}

impl Weights {
    /// Weights of the errors of V after alone, or with those of V before as the law carries them on: Σ = Σ_a + A Σ_b Aᵀ − A Σ_ba − Σ_ab Aᵀ,
    /// A = ∂V after/∂V before.
    pub(super) fn of(data: &Measurements, errors: Errors, slopes: Option<&Slopes>) -> Result<Weights, FitError> {
        let n = data.components();
        let mut weights =
            Weights { components: n, roots: Vec::with_capacity(data.rows() * n * n), log_determinant: 0.0 };
        for row in 0..data.rows() {
            let root = match (errors, &data.covariance) {
                (Errors::Equal, _) => DMatrix::identity(n, n),
                (Errors::Energy, _) => {
                    // M = L Lᵀ, so that |Lᵀ Δv|² = Δv·M Δv.
                    let mass = data.inverse_mass_of(row).try_inverse().and_then(nalgebra::Matrix::cholesky);
                    let mass = mass.ok_or_else(|| impossible(data, row))?;
                    mass.l().transpose() / data.energy_speed(row)
                }
                (Errors::Measured, Some(covariance)) => {
                    let joint = &covariance[row];
                    let block = |i: usize, j: usize| joint.view((i * n, j * n), (n, n)).into_owned();
                    let mut own = block(1, 1);
                    if let Some(slopes) = slopes {
                        let a = DMatrix::from_row_slice(n, n, &slopes.by_velocity[row * n * n..][..n * n]);
                        let carried = &a * block(0, 1);
                        own += &a * block(0, 0) * a.transpose() - &carried - carried.transpose();
                    }
                    let factor = own.cholesky().ok_or_else(|| impossible(data, row))?;
                    factor.l().try_inverse().ok_or_else(|| impossible(data, row))?
                }
                (Errors::Measured, None) => {
                    return Err(FitError::Input(
                        "the file gives no errors (columns such as `vn_after_sd`); expected equal or energy errors"
                            .to_owned(),
                    ));
                }
            };
            weights.log_determinant += root.diagonal().iter().map(|entry| entry.abs().ln()).sum::<f64>();
            weights.roots.extend(root.transpose().iter());
        }
        Ok(weights)
    }

    /// Those of one row.
    pub(super) fn of_row(&self, row: usize) -> Weights {
        let size = self.components * self.components;
        Weights { components: self.components, roots: self.roots[row * size..][..size].to_vec(), log_determinant: 0.0 }
    }

    /// Residuals r = R (measured − predicted), row by row.
    pub(super) fn residuals(&self, data: &Measurements, predicted: &[f64]) -> Vec<f64> {
        let (n, rows) = (self.components, data.rows());
        let mut residuals = Vec::with_capacity(rows * n);
        for row in 0..rows {
            let root = &self.roots[row * n * n..][..n * n];
            for line in root.chunks_exact(n) {
                let terms = line.iter().enumerate();
                residuals.push(terms.map(|(k, r)| r * (data.after[k][row] - predicted[k * rows + row])).sum());
            }
        }
        residuals
    }

    /// The derivatives of the residuals by the numbers that are fitted: a matrix stored row by row, with a column for each number.
    pub(super) fn jacobian(&self, rows: usize, slopes: &Slopes) -> Vec<f64> {
        let (n, columns) = (self.components, slopes.by_parameter.ncols());
        let mut jacobian = vec![0.0; rows * n * columns];
        for row in 0..rows {
            for i in 0..n {
                let line = &self.roots[(row * n + i) * n..][..n];
                let slots = &mut jacobian[(row * n + i) * columns..][..columns];
                for (column, slot) in slots.iter_mut().enumerate() {
                    let terms = line.iter().enumerate();
                    *slot = -terms.map(|(k, r)| r * slopes.by_parameter[(k * rows + row, column)]).sum::<f64>();
                }
            }
        }
        jacobian
    }
}

fn impossible(data: &Measurements, row: usize) -> FitError {
    let (place, line) = (data.place, data.lines[row]);
    FitError::Input(format!("{place} {line}: the errors or W leave no weight for this collision"))
}

/// Half the sum of squares of residuals.
pub(super) fn cost(residuals: &[f64]) -> f64 {
    0.5 * DVector::from_column_slice(residuals).norm_squared()
}
