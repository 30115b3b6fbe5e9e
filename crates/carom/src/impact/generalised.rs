//! Contacts of a system that is given by its mass matrix.

use super::{BodyMotion, INPUT_ROUNDING, Impact, RANK_TOLERANCE};
use crate::error::{Error, finite};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn, SymmetricEigen, Vector3};

/// Contacts of a system in generalised coordinates: `M (q̇_after − q̇) = Jᵀ P` and `V = J q̇`, hence `W = J M⁻¹ Jᵀ`.
///
/// The rows of J are (n, t1, t2) of every contact, or (n, t) in the plane. A joint or a constraint that is no coordinate is not
/// seen.
#[derive(Clone, Debug)]
pub struct Generalised {
    mass: DMatrix<f64>,
    factor: Cholesky<f64, Dyn>,
    jacobian: DMatrix<f64>,
    velocity: DVector<f64>,
    planar: bool,
}

impl Generalised {
    /// From the mass matrix, the Jacobian of the contacts, and the generalised velocities.
    ///
    /// ```
    /// # use carom::impact::Generalised;
    /// # use nalgebra::{DMatrix, DVector, Vector3};
    /// // A puck in the plane, (x, y, angle), hits the ground below it at its rim.
    /// let mass = DMatrix::from_diagonal(&DVector::from_vec(vec![2.0, 2.0, 0.5]));
    /// let jacobian = DMatrix::from_row_slice(2, 3, &[0.0, 1.0, 0.0, 1.0, 0.0, 0.5]);
    /// let puck = Generalised::new(&mass, &jacobian, &DVector::from_vec(vec![1.0, -3.0, 0.0]), true).unwrap();
    /// let impact = puck.impact().unwrap();
    /// assert_eq!(impact.velocity(), [Vector3::new(-3.0, 1.0, 0.0)]);
    /// let after = puck.velocity_after(&[Vector3::new(6.0, 0.0, 0.0)]).unwrap();
    /// assert!((after[1] - 0.0).abs() < 1e-15);
    /// ```
    pub fn new(
        mass: &DMatrix<f64>,
        jacobian: &DMatrix<f64>,
        velocity: &DVector<f64>,
        planar: bool,
    ) -> Result<Generalised, Error> {
        finite("mass matrix", mass.as_slice())?;
        finite("Jacobian", jacobian.as_slice())?;
        finite("generalised velocity", velocity.as_slice())?;
        let coordinates = velocity.len();
        if coordinates == 0 || mass.shape() != (coordinates, coordinates) {
            return Err(Error::WrongSize { what: "mass matrix and generalised velocity" });
        }
        let components = if planar { 2 } else { 3 };
        let rows = jacobian.nrows();
        if jacobian.ncols() != coordinates || rows == 0 || !rows.is_multiple_of(components) {
            return Err(Error::WrongSize { what: "Jacobian and generalised velocity" });
        }
        let mass = positive_definite(mass)?;
        let Some(factor) = Cholesky::new(mass.clone()) else {
            let eigenvalue = SymmetricEigen::new(mass).eigenvalues.min();
            return Err(Error::NotPositive { what: "mass matrix", eigenvalue });
        };
        Ok(Generalised { mass, factor, jacobian: jacobian.clone(), velocity: velocity.clone(), planar })
    }

    /// The impact at the contacts.
    pub fn impact(&self) -> Result<Impact, Error> {
        let reduced = self.reduced();
        Impact::new(&(reduced.transpose() * &reduced), &(&self.jacobian * &self.velocity), self.planar)
    }

    /// L⁻¹ Jᵀ, with M = L Lᵀ.
    fn reduced(&self) -> DMatrix<f64> {
        let mut reduced = self.jacobian.transpose();
        // The diagonal of the factor has no zero.
        self.factor.l_dirty().solve_lower_triangular_mut(&mut reduced);
        reduced
    }

    /// The generalised velocities after impulses (n, t1, t2), one for each contact.
    pub fn velocity_after(&self, impulses: &[Vector3<f64>]) -> Result<DVector<f64>, Error> {
        let components = self.components();
        if impulses.len() * components != self.jacobian.nrows() {
            return Err(Error::WrongSize { what: "impulses and contacts of an impact" });
        }
        let stacked = DVector::from_fn(self.jacobian.nrows(), |row, _| impulses[row / components][row % components]);
        Ok(&self.velocity + self.factor.solve(&(self.jacobian.transpose() * stacked)))
    }

    /// How the system moves with generalised velocities after an impact, for the audit.
    pub fn motion(&self, after: &DVector<f64>) -> Result<BodyMotion, Error> {
        if after.len() != self.velocity.len() {
            return Err(Error::WrongSize { what: "generalised velocities before and after" });
        }
        let components = self.components();
        let in_contacts = |rows: &DVector<f64>| -> Vec<Vector3<f64>> {
            let contact =
                |k: usize| Vector3::from_fn(|i, _| if i < components { rows[components * k + i] } else { 0.0 });
            (0..rows.len() / components).map(contact).collect()
        };
        // Terms of J q̇, which cancel where two bodies move together.
        let terms = self.jacobian.abs() * self.velocity.abs();
        let energy = |velocity: &DVector<f64>| 0.5 * velocity.dot(&(&self.mass * velocity));
        Ok(BodyMotion {
            velocities: in_contacts(&(&self.jacobian * after)),
            speeds: in_contacts(&terms).iter().map(Vector3::norm).collect(),
            energy: [energy(&self.velocity), energy(after)],
        })
    }

    fn components(&self) -> usize {
        if self.planar { 2 } else { 3 }
    }
}

/// The symmetric part of a mass matrix, if the matrix is one. Coordinates may have different units: asymmetry and rank are judged
/// relative to the diagonal.
fn positive_definite(mass: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
    let not_positive = |mass: DMatrix<f64>| {
        let eigenvalue = SymmetricEigen::new(mass).eigenvalues.min();
        Error::NotPositive { what: "mass matrix", eigenvalue }
    };
    let symmetric = (mass + mass.transpose()) * 0.5;
    if mass.diagonal().iter().any(|entry| *entry <= 0.0) {
        return Err(not_positive(symmetric));
    }
    let scale = mass.diagonal().map(f64::sqrt);
    for i in 0..mass.nrows() {
        for j in 0..i {
            let values = (mass[(i, j)], mass[(j, i)]);
            if (values.0 - values.1).abs() > INPUT_ROUNDING * scale[i] * scale[j] {
                return Err(Error::NotSymmetric { what: "mass matrix", entry: (i, j), values });
            }
        }
    }
    let scaled = DMatrix::from_fn(mass.nrows(), mass.ncols(), |i, j| symmetric[(i, j)] / scale[i] / scale[j]);
    if SymmetricEigen::new(scaled).eigenvalues.min() > RANK_TOLERANCE {
        Ok(symmetric)
    } else {
        Err(not_positive(symmetric))
    }
}
