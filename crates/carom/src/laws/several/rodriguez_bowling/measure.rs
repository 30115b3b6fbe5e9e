//! What counts as the work of the normal forces.

use super::field::{Field, Rates};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// A definition of normal work.
#[derive(Clone, Debug)]
pub(super) enum Measure {
    /// (4.14): Σ ∫ V_n dP_n.
    Integral,
    /// (4.7): the change of V_tᵀ (W⁺)_tn V_n + ½ V_nᵀ (W⁺)_nn V_n, with W⁺ without its rows and columns tt, halved at nn.
    State(DMatrix<f64>),
}

/// An eigenvalue of W below this fraction of the largest belongs to impulses that cancel.
const CANCELS: f64 = 1e-10;

impl Measure {
    /// (4.7), where the contacts determine the motion and more; (4.14) otherwise, as for a single point.
    pub(super) fn of_state(field: &Field) -> Measure {
        let eigen = SymmetricEigen::new(field.w.clone());
        let zero = CANCELS * eigen.eigenvalues.amax();
        if eigen.eigenvalues.min() > zero {
            return Measure::Integral;
        }
        let inverse = eigen.eigenvalues.map(|value| if value > zero { value.recip() } else { 0.0 });
        let mut form = &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose();
        let is_normal = |at: usize| at.is_multiple_of(field.components);
        for i in 0..form.nrows() {
            for j in 0..form.ncols() {
                form[(i, j)] *= if is_normal(i) || is_normal(j) { 0.5 } else { 0.0 };
            }
        }
        Measure::State(form)
    }

    /// Work along a straight stretch as b P + a P²: (b, a).
    pub(super) fn quadratic(&self, field: &Field, rates: &Rates, velocity: &DVector<f64>) -> (f64, f64) {
        match self {
            Measure::Integral => (field.power(rates, velocity), 0.5 * field.power(rates, &rates.velocity)),
            Measure::State(form) => {
                let of_rates = form * &rates.velocity;
                (2.0 * of_rates.dot(velocity), of_rates.dot(&rates.velocity))
            }
        }
    }
}
