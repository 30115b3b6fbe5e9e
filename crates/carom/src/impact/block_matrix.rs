//! Square matrices of 3×3 blocks, most of them zero.

use crate::error::Error;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// A square matrix of 3×3 blocks, one row and column of blocks for each contact; blocks that are not stored are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockMatrix {
    /// Where each row starts in `columns` and `blocks`, and one past the last.
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<Matrix3<f64>>,
}

impl BlockMatrix {
    /// A matrix from its rows: column and block, in the order of the columns, the diagonal included.
    pub(crate) fn from_rows(rows: impl IntoIterator<Item = Vec<(usize, Matrix3<f64>)>>) -> BlockMatrix {
        let mut matrix = BlockMatrix { starts: vec![0], columns: Vec::new(), blocks: Vec::new() };
        for row in rows {
            debug_assert!(row.is_sorted_by_key(|(column, _)| *column));
            for (column, block) in row {
                matrix.columns.push(column);
                matrix.blocks.push(block);
            }
            matrix.starts.push(matrix.columns.len());
        }
        matrix
    }

    /// Rows of blocks.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// The stored blocks of a row with their columns, in order; none outside the matrix.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &Matrix3<f64>)> {
        let range = if row < self.size() { self.starts[row]..self.starts[row + 1] } else { 0..0 };
        self.columns[range.clone()].iter().copied().zip(&self.blocks[range])
    }

    /// One block; zero if it is not stored, or outside the matrix.
    pub fn block(&self, row: usize, column: usize) -> Matrix3<f64> {
        if row >= self.size() {
            return Matrix3::zeros();
        }
        let range = self.starts[row]..self.starts[row + 1];
        let place = self.columns[range.clone()].binary_search(&column);
        place.map_or_else(|_| Matrix3::zeros(), |place| self.blocks[range.start + place])
    }

    /// One row of the product with a vector.
    pub(crate) fn row_times(&self, row: usize, vector: &[Vector3<f64>]) -> Vector3<f64> {
        self.row(row).fold(Vector3::zeros(), |sum, (column, block)| sum + block * vector[column])
    }

    /// The product with a vector of as many blocks.
    pub fn times(&self, vector: &[Vector3<f64>]) -> Result<Vec<Vector3<f64>>, Error> {
        if vector.len() == self.size() {
            Ok(self.product(vector))
        } else {
            Err(Error::WrongSize { what: "matrix and vector" })
        }
    }

    /// The same with a vector of the right size.
    pub(crate) fn product(&self, vector: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        (0..self.size()).map(|row| self.row_times(row, vector)).collect()
    }

    /// The rows and columns of some contacts, in the order given.
    #[must_use]
    pub(crate) fn restricted(&self, keep: &[usize]) -> BlockMatrix {
        let mut place = vec![usize::MAX; self.size()];
        for (new, old) in keep.iter().enumerate() {
            place[*old] = new;
        }
        BlockMatrix::from_rows(keep.iter().map(|old| {
            let kept = self.row(*old).filter(|(column, _)| place[*column] != usize::MAX);
            let mut row: Vec<_> = kept.map(|(column, block)| (place[column], *block)).collect();
            row.sort_by_key(|(column, _)| *column);
            row
        }))
    }

    /// All entries, with the first `components` (2 or 3) of each contact.
    pub fn dense(&self, components: usize) -> DMatrix<f64> {
        let components = components.min(3);
        let mut dense = DMatrix::zeros(components * self.size(), components * self.size());
        for row in 0..self.size() {
            for (column, block) in self.row(row) {
                for i in 0..components {
                    for j in 0..components {
                        dense[(components * row + i, components * column + j)] = block[(i, j)];
                    }
                }
            }
        }
        dense
    }
}
