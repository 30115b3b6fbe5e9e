//! Coulomb friction at contacts that do not slip, all at once.
//!
//! The normal forces N are given, so every contact has a known limit μ N. Of all tangential forces within the limits those
//! are sought that leave the contacts without slip the least accelerated:
//!
//! ```text
//! min ½ F·W F over |F_t,j| ≤ μ_j N_j,  j without slip
//! ```
//!
//! At the minimum the slip of j stays zero where the limit is not reached, and otherwise grows against the force.

use crate::impact::{Impact, RANK_TOLERANCE};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn, SymmetricEigen, Vector2, Vector3};

/// The tangential forces that keep some contacts from slipping, given all others: F_S = −W_SS⁺ (W F)_S.
pub(super) struct Hold {
    contacts: Vec<usize>,
    /// Tangential components: 1 in the plane, else 2.
    components: usize,
    give: Give,
}

enum Give {
    Definite(Cholesky<f64, Dyn>),
    /// Redundant contacts: the shortest forces.
    Inverse(DMatrix<f64>),
}

/// A factor whose squared pivots spread by more is taken for singular.
const PIVOTS: f64 = 1e-9;

impl Hold {
    pub(super) fn of(impact: &Impact, contacts: Vec<usize>) -> Option<Hold> {
        if contacts.is_empty() {
            return None;
        }
        let components = impact.components() - 1;
        let size = components * contacts.len();
        let w = impact.inverse_mass().restricted(&contacts);
        let mut matrix = DMatrix::zeros(size, size);
        for row in 0..contacts.len() {
            for (column, block) in w.row(row) {
                for i in 0..components {
                    for j in 0..components {
                        matrix[(components * row + i, components * column + j)] = block[(1 + i, 1 + j)];
                    }
                }
            }
        }
        let definite = matrix.clone().cholesky().filter(|factor| {
            let pivots = factor.l_dirty().diagonal();
            pivots.min().powi(2) > PIVOTS * pivots.max().powi(2)
        });
        let give = definite.map_or_else(|| Give::Inverse(pseudo_inverse(matrix)), Give::Definite);
        Some(Hold { contacts, components, give })
    }

    /// Sets the forces at the held contacts; what they were does not matter.
    pub(super) fn apply(&self, impact: &Impact, forces: &mut [Vector3<f64>]) {
        for contact in &self.contacts {
            forces[*contact].y = 0.0;
            forces[*contact].z = 0.0;
        }
        let w = impact.inverse_mass();
        let rates: Vec<Vector3<f64>> = self.contacts.iter().map(|contact| w.row_times(*contact, forces)).collect();
        self.answer(|k, component| rates[k][component], |contact, component, force| forces[contact][component] = force);
    }

    /// Tells the impulses that stop the slip of the held contacts: contact, component and size.
    pub(super) fn stop(&self, velocities: &[Vector3<f64>], tell: impl FnMut(usize, usize, f64)) {
        self.answer(|k, component| velocities[self.contacts[k]][component], tell);
    }

    /// −W_SS⁺ times what `of` gives for the k-th held contact, told by contact and component.
    fn answer(&self, of: impl Fn(usize, usize) -> f64, mut tell: impl FnMut(usize, usize, f64)) {
        let c = self.components;
        let push = DVector::from_fn(c * self.contacts.len(), |i, _| -of(i / c, 1 + i % c));
        let answer = match &self.give {
            Give::Definite(factor) => factor.solve(&push),
            Give::Inverse(inverse) => inverse * push,
        };
        for (i, value) in answer.iter().enumerate() {
            tell(self.contacts[i / c], 1 + i % c, *value);
        }
    }
}

fn pseudo_inverse(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let eigen = SymmetricEigen::new(matrix);
    let zero = RANK_TOLERANCE * eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|value| if value > zero { value.recip() } else { 0.0 });
    &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose()
}

/// A force within this fraction of its limit is taken to be on it, and an acceleration below this fraction of what the
/// forces could do is none: the sweeps converge no further where contacts are redundant.
const CONVERGED: f64 = 1e-10;
/// Sweeps: what is not sorted out by then is sorted out by the next event.
const MOST_SWEEPS: usize = 5_000;

/// For every contact without slip the direction in which it starts to slip, or `None` if it sticks. `forces` holds the normal
/// forces and those of the contacts that slip; limits are those of the `stopped` ones.
pub(super) fn starts(
    impact: &Impact,
    forces: &mut [Vector3<f64>],
    stopped: &[usize],
    limits: &[f64],
) -> Vec<Option<Vector2<f64>>> {
    let w = impact.inverse_mass();
    let Some(hold) = Hold::of(impact, stopped.to_vec()) else { return Vec::new() };
    hold.apply(impact, forces);
    if stopped.iter().zip(limits).all(|(k, limit)| forces[*k].yz().norm() <= *limit) {
        return vec![None; stopped.len()];
    }
    for (k, limit) in stopped.iter().zip(limits) {
        put_within(&mut forces[*k], *limit);
    }
    // Block by block: a step of gradient descent, kept within the limit. In the plane it is the exact minimum.
    for _ in 0..MOST_SWEEPS {
        let mut moved = 0.0_f64;
        let mut size = 0.0_f64;
        for (k, limit) in stopped.iter().zip(limits) {
            let block = w.block(*k, *k);
            let bend =
                0.5 * (block[(1, 1)] + block[(2, 2)]) + (0.5 * (block[(1, 1)] - block[(2, 2)])).hypot(block[(1, 2)]);
            if bend <= 0.0 {
                continue;
            }
            let rate = w.row_times(*k, forces);
            let before = forces[*k];
            forces[*k] -= Vector3::new(0.0, rate.y, rate.z) / bend;
            put_within(&mut forces[*k], *limit);
            moved = moved.max((forces[*k] - before).norm());
            size = size.max(forces[*k].norm());
        }
        if moved <= 1e-2 * CONVERGED * size {
            break;
        }
    }
    let reach = |k: usize| w.row(k).map(|(other, block)| (block * forces[other]).norm()).sum::<f64>();
    let start = |k: &usize| {
        let rate = w.row_times(*k, forces).yz();
        (rate.norm() > CONVERGED * reach(*k)).then(|| rate.normalize())
    };
    stopped.iter().map(start).collect()
}

fn put_within(force: &mut Vector3<f64>, limit: f64) {
    let size = force.yz().norm();
    if size > limit {
        let part = limit / size;
        force.y *= part;
        force.z *= part;
    }
}
