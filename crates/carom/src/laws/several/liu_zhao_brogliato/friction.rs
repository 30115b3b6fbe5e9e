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
use crate::solve::dense::{Cholesky, root};
use nalgebra::{DMatrix, DVector, Vector2, Vector3};

/// The tangential forces that keep some contacts from slipping, given all others: W_SS F_S = −(W F)_S.
///
/// Redundant contacts can share them in many ways, with the same motion. Each takes its part by its limit, those with the least
/// Σ F²/(μ N): a block that slides to a stop sticks at all its corners, and no corner gives way whose load others could take.
pub(super) struct Hold {
    contacts: Vec<usize>,
    /// μ of each.
    friction: Vec<f64>,
    /// Tangential components: 1 in the plane, else 2.
    components: usize,
    give: Give,
}

/// W_SS.
enum Give {
    Definite(Cholesky),
    /// Redundant contacts: L with L Lᵀ = W_SS, and Lᵀ L.
    Redundant {
        root: DMatrix<f64>,
        gram: Cholesky,
    },
}

impl Hold {
    pub(super) fn of(impact: &Impact, contacts: Vec<usize>, friction: impl Fn(usize) -> f64) -> Option<Hold> {
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
        let root = root(&matrix, RANK_TOLERANCE * size as f64);
        let give = if root.ncols() == size {
            Give::Definite(Cholesky::new(matrix)?)
        } else {
            let gram = Cholesky::new(root.tr_mul(&root))?;
            Give::Redundant { root, gram }
        };
        let friction = contacts.iter().map(|contact| friction(*contact)).collect();
        Some(Hold { contacts, friction, components, give })
    }

    /// Sets the forces at the held contacts; what they were does not matter.
    pub(super) fn apply(&self, impact: &Impact, forces: &mut [Vector3<f64>]) {
        for contact in &self.contacts {
            forces[*contact].y = 0.0;
            forces[*contact].z = 0.0;
        }
        let w = impact.inverse_mass();
        let rates: Vec<Vector3<f64>> = self.contacts.iter().map(|contact| w.row_times(*contact, forces)).collect();
        let limits = self.limits(forces);
        let tell = |contact: usize, component: usize, force: f64| forces[contact][component] = force;
        self.answer(&limits, |k, component| rates[k][component], tell);
    }

    /// Of friction, at given normal forces.
    pub(super) fn limits(&self, forces: &[Vector3<f64>]) -> Vec<f64> {
        self.contacts.iter().zip(&self.friction).map(|(contact, mu)| mu * forces[*contact].x.max(0.0)).collect()
    }

    /// Tells the impulses that stop the slip of the held contacts: contact, component and size.
    pub(super) fn stop(&self, velocities: &[Vector3<f64>], tell: impl FnMut(usize, usize, f64)) {
        let alike = vec![1.0; self.contacts.len()];
        self.answer(&alike, |k, component| velocities[self.contacts[k]][component], tell);
    }

    /// What takes back what `of` gives for the k-th held contact, shared by the weights, told by contact and component.
    fn answer(&self, weights: &[f64], of: impl Fn(usize, usize) -> f64, mut tell: impl FnMut(usize, usize, f64)) {
        let c = self.components;
        let push = DVector::from_fn(c * self.contacts.len(), |i, _| -of(i / c, 1 + i % c));
        let answer = match &self.give {
            Give::Definite(factor) => factor.solve(&push),
            Give::Redundant { root, gram } => {
                // W F = a means Lᵀ F = b; the least Σ F²/D is D L (Lᵀ D L)⁻¹ b.
                let mut weighted = root.clone();
                for (i, mut row) in weighted.row_iter_mut().enumerate() {
                    row *= weights[i / c];
                }
                let b = gram.solve(&root.tr_mul(&push));
                match Cholesky::new(root.tr_mul(&weighted)) {
                    Some(shared) => weighted * shared.solve(&b),
                    // Too few have a limit above zero.
                    None => root * gram.solve(&b),
                }
            }
        };
        for (i, value) in answer.iter().enumerate() {
            tell(self.contacts[i / c], 1 + i % c, *value);
        }
    }
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
    friction: impl Fn(usize) -> f64,
) -> Vec<Option<Vector2<f64>>> {
    let w = impact.inverse_mass();
    let Some(hold) = Hold::of(impact, stopped.to_vec(), friction) else { return Vec::new() };
    hold.apply(impact, forces);
    let limits = hold.limits(forces);
    if stopped.iter().zip(&limits).all(|(k, limit)| forces[*k].yz().norm() <= *limit) {
        return vec![None; stopped.len()];
    }
    for (k, limit) in stopped.iter().zip(&limits) {
        put_within(&mut forces[*k], *limit);
    }
    // Block by block: a step of gradient descent, kept within the limit. In the plane it is the exact minimum.
    for _ in 0..MOST_SWEEPS {
        let mut moved = 0.0_f64;
        let mut size = 0.0_f64;
        for (k, limit) in stopped.iter().zip(&limits) {
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
