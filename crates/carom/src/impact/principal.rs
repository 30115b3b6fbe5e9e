//! Eigenvalues and eigenvectors of W or M.

use crate::error::{Error, finite};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// An eigenvalue with its direction, a unit vector whose largest component is positive.
#[derive(Clone, Debug, PartialEq)]
pub struct Principal {
    /// The eigenvalue.
    pub value: f64,
    /// The eigenvector.
    pub direction: DVector<f64>,
}

impl Principal {
    /// The eigenvalues of a symmetric matrix with their directions, the smallest first.
    ///
    /// ```
    /// use nalgebra::DMatrix;
    /// let rod = DMatrix::from_row_slice(2, 2, &[2.5, -1.5, -1.5, 2.5]);
    /// let axes = carom::problem::Principal::of(&rod).unwrap();
    /// assert!((axes[0].value - 1.0).abs() < 1e-14 && (axes[1].value - 4.0).abs() < 1e-14);
    /// ```
    pub fn of(matrix: &DMatrix<f64>) -> Result<Vec<Principal>, Error> {
        finite("matrix", matrix.as_slice())?;
        if !matrix.is_square() || matrix.is_empty() {
            return Err(Error::WrongSize { what: "rows and columns of a matrix" });
        }
        Ok(principal_axes(matrix))
    }
}

/// The same of a matrix that is known to be square.
pub(super) fn principal_axes(matrix: &DMatrix<f64>) -> Vec<Principal> {
    let eigen = SymmetricEigen::new(matrix.clone());
    let pairs = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
    let mut axes: Vec<Principal> = pairs
        .map(|(value, column)| {
            let sign = column[column.iamax()].signum();
            Principal { value: *value, direction: column * sign }
        })
        .collect();
    axes.sort_by(|a, b| a.value.total_cmp(&b.value));
    axes
}
