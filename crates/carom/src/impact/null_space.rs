//! Rank and null vectors of W.

use super::principal::principal_axes;
use super::{Impact, Principal, RANK_TOLERANCE};

impl Impact {
    /// The eigenvalues of W with their directions, the smallest first; impulses ordered contact by contact, with
    /// [`Impact::components`] each. It costs a decomposition of W.
    pub fn principal_impulses(&self) -> Vec<Principal> {
        principal_axes(&self.inverse_mass.dense(self.components()))
    }

    /// Those of [`Impact::principal_impulses`] that change no velocity: eigenvalues below 1e-12 of the largest. The rank of W is
    /// the number of its rows without these.
    ///
    /// ```
    /// use carom::impact::Impact;
    /// use nalgebra::{DMatrix, DVector};
    /// // A disk in a corner has three freedoms and four components of impulse.
    /// let w = DMatrix::from_row_slice(4, 4, &[1., 0., 0., 1., 0., 3., -1., 2., 0., -1., 1., 0., 1., 2., 0., 3.]);
    /// let impact = Impact::new(&w, &DVector::from_vec(vec![-4.43, 8.0, -8.0, -4.43]), true).unwrap();
    /// let null = impact.null_vectors();
    /// assert!(null.len() == 1 && (w * &null[0].direction).norm() < 1e-14);
    /// ```
    pub fn null_vectors(&self) -> Vec<Principal> {
        let mut axes = self.principal_impulses();
        let largest = axes.last().map_or(0.0, |axis| axis.value);
        axes.retain(|axis| axis.value <= RANK_TOLERANCE * largest);
        axes
    }
}
