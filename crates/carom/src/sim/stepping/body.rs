//! A body as the solver sees it: one cache line.

use nalgebra::Vector3;

/// Velocities, and what answers to impulses. The world is one with zero inverses.
///
/// All that touches it in the solver goes over four numbers at once: loads of another width than the stores before them would wait.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Body {
    /// Velocity, and 1/mass.
    pub(super) v: [f64; 4],
    /// Angular velocity, and 1/inertia of a body that turns evenly about every axis; about z in the plane.
    pub(super) w: [f64; 4],
}

impl Body {
    pub(super) const WORLD: Body = Body { v: [0.0; 4], w: [0.0; 4] };

    pub(super) fn velocity(&self) -> Vector3<f64> {
        Vector3::new(self.v[0], self.v[1], self.v[2])
    }

    pub(super) fn turning(&self) -> Vector3<f64> {
        Vector3::new(self.w[0], self.w[1], self.w[2])
    }

    #[inline]
    pub(super) fn inverse_mass(&self) -> f64 {
        self.v[3]
    }

    #[inline]
    pub(super) fn inverse_inertia(&self) -> f64 {
        self.w[3]
    }

    pub(super) fn turn(&mut self, to: &Vector3<f64>) {
        self.w[..3].copy_from_slice(to.as_slice());
    }
}

#[inline]
pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(super) fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector and a zero.
#[inline]
pub(super) fn wide(a: &[f64; 3]) -> [f64; 4] {
    [a[0], a[1], a[2], 0.0]
}
