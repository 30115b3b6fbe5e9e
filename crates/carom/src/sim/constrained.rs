//! Accelerations of bodies that rows of velocities hold: M a = f + Σ λ column, row·a + bias = 0.

use super::inertia::Inertia;
use super::loads::{self, Wrench};
use super::row::Row;
use super::scene::Scene;
use super::state::State;
use nalgebra::{DMatrix, DVector, Matrix3, SVD, Vector3};

/// The bodies without what holds them.
pub(crate) struct Unheld {
    /// 1/m and I⁻¹ in world axes, for every body.
    pub(crate) inverse: Vec<(f64, Matrix3<f64>)>,
    /// Linear and angular acceleration.
    pub(crate) acceleration: Vec<Wrench>,
    /// Of loads without potential energy, W.
    pub(crate) power: f64,
}

/// Singular values below this fraction of the greatest are those of rows that are there twice.
pub(crate) const REDUNDANT: f64 = 1e-10;

impl Unheld {
    /// At a time, for the bodies that are listed; the others stay at zero.
    pub(crate) fn new(scene: &Scene, inertias: &[Inertia], bodies: &[usize], time: f64, states: &[State]) -> Unheld {
        let zero = (Vector3::zeros(), Vector3::zeros());
        let mut wrenches = vec![zero; states.len()];
        let power = loads::apply(scene, time, states, &mut wrenches);
        let mut inverse = vec![(0.0, Matrix3::zeros()); states.len()];
        let mut acceleration = vec![zero; states.len()];
        for &body in bodies {
            let (inertia, omega) = (&inertias[body], &states[body].angular_velocity);
            let [tensor, back] = inertia.in_world(&states[body]);
            let (force, torque) = wrenches[body];
            let gyroscopic = if inertia.even { Vector3::zeros() } else { omega.cross(&(tensor * omega)) };
            inverse[body] = (inertia.mass.recip(), back);
            acceleration[body] = (scene.gravity + force / inertia.mass, back * (torque - gyroscopic));
        }
        Unheld { inverse, acceleration, power }
    }

    /// How the rows answer to unit forces along the columns.
    pub(crate) fn response(&self, rows: &[Row], columns: &[Row]) -> DMatrix<f64> {
        let moved: Vec<_> = columns.iter().map(|column| self.moved(column)).collect();
        DMatrix::from_fn(rows.len(), columns.len(), |i, j| {
            let mut sum = 0.0;
            for (body, linear, angular) in &rows[i].sides {
                for (other, v, omega) in &moved[j] {
                    if body.is_some() && body == other {
                        sum += linear.dot(v) + angular.dot(omega);
                    }
                }
            }
            sum
        })
    }

    fn moved(&self, column: &Row) -> [(Option<usize>, Vector3<f64>, Vector3<f64>); 2] {
        column.sides.map(|(body, linear, angular)| match body {
            Some(k) => (body, linear * self.inverse[k].0, self.inverse[k].1 * angular),
            None => (None, Vector3::zeros(), Vector3::zeros()),
        })
    }

    /// Rates of the rows as the bodies accelerate now.
    pub(crate) fn rates(&self, rows: &[Row]) -> DVector<f64> {
        DVector::from_iterator(rows.len(), rows.iter().map(|row| row.dot(|body| self.acceleration[body]) + row.bias))
    }

    /// Adds forces along columns.
    pub(crate) fn push(&mut self, columns: &[Row], forces: &DVector<f64>) {
        for (column, force) in columns.iter().zip(forces.iter()) {
            for (body, v, omega) in self.moved(column) {
                if let Some(body) = body {
                    self.acceleration[body].0 += v * *force;
                    self.acceleration[body].1 += omega * *force;
                }
            }
        }
    }
}

/// The shortest x with A x = b as nearly as can be.
pub(crate) fn shortest_solution(a: DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let svd = SVD::new(a, true, true);
    let least = REDUNDANT * svd.singular_values.amax();
    svd.solve(b, least).unwrap_or_else(|_| DVector::zeros(b.len()))
}

/// The number of rows that are not combinations of others.
pub(crate) fn rank(a: &DMatrix<f64>) -> usize {
    let values = a.singular_values();
    let least = REDUNDANT * values.amax();
    values.iter().filter(|value| **value > least).count()
}
