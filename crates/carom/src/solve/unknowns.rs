//! The components of impulse that a law solves for, as dense matrices of order one.

use crate::impact::Impact;
use crate::solve::cone::Cone;
use nalgebra::{DMatrix, DVector, Vector3};

/// W and V on the unknowns: a contact without friction has only its normal impulse. Velocities are in units of the fastest, W in
/// units of its mean normal entry.
#[derive(Clone, Debug)]
pub(crate) struct Unknowns {
    pub(crate) w: DMatrix<f64>,
    pub(crate) v: DVector<f64>,
    /// One for each contact.
    pub(crate) cones: Vec<Cone>,
    /// kg m/s.
    impulse_unit: f64,
}

impl Unknowns {
    pub(crate) fn new(impact: &Impact, friction: &[f64]) -> Unknowns {
        let matrix = impact.inverse_mass();
        let mut size = 0;
        let mut cones = Vec::with_capacity(friction.len());
        for mu in friction {
            let own = if *mu > 0.0 { impact.components() } else { 1 };
            cones.push(Cone { start: size, size: own, friction: *mu });
            size += own;
        }
        let speed = impact.velocity().iter().map(Vector3::amax).fold(f64::MIN_POSITIVE, f64::max);
        let mut w = DMatrix::zeros(size, size);
        let mut give = 0.0;
        for (k, cone) in cones.iter().enumerate() {
            for (l, block) in matrix.row(k) {
                let columns = w.as_mut_slice()[cones[l].start * size..].chunks_exact_mut(size);
                for (column, entries) in columns.take(cones[l].size).zip(block.column_iter()) {
                    for (entry, value) in column[cone.start..][..cone.size].iter_mut().zip(&entries) {
                        *entry = *value;
                    }
                }
            }
            give += w[(cone.start, cone.start)];
        }
        give /= cones.len() as f64;
        w /= give;
        let mut v = DVector::zeros(size);
        for (cone, velocity) in cones.iter().zip(impact.velocity()) {
            for i in 0..cone.size {
                v[cone.start + i] = velocity[i] / speed;
            }
        }
        Unknowns { w, v, cones, impulse_unit: speed / give }
    }

    /// Impulses at the contacts, kg m/s.
    pub(crate) fn impulses(&self, x: &DVector<f64>) -> Vec<Vector3<f64>> {
        self.cones.iter().map(|cone| Vector3::from(cone.of(x.as_slice())) * self.impulse_unit).collect()
    }

    /// The same, with the rounding of a solution outside of the cones cut off.
    pub(crate) fn admissible(&self, x: &DVector<f64>) -> Vec<Vector3<f64>> {
        let mut impulses = self.impulses(x);
        for (impulse, cone) in impulses.iter_mut().zip(&self.cones) {
            impulse.x = impulse.x.max(0.0);
            let (most, length) = (cone.friction * impulse.x, impulse.yz().norm());
            if length > most {
                impulse.y *= most / length;
                impulse.z *= most / length;
            }
        }
        impulses
    }

    /// The velocities of the unknowns by impulses.
    pub(crate) fn velocity_after(&self, x: &DVector<f64>) -> DVector<f64> {
        &self.w * x + &self.v
    }
}
