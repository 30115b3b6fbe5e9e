//! A body as the solver sees it: one cache line.

use nalgebra::Vector3;

/// Velocities, and what answers to impulses. The world is one with zero inverses.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Body {
    pub(super) v: [f64; 3],
    /// 1/kg.
    pub(super) inverse_mass: f64,
    pub(super) w: [f64; 3],
    /// 1/(kg m²) of a body that turns evenly about every axis; about z in the plane.
    pub(super) inverse_inertia: f64,
}

impl Body {
    pub(super) const WORLD: Body = Body { v: [0.0; 3], inverse_mass: 0.0, w: [0.0; 3], inverse_inertia: 0.0 };

    pub(super) fn velocity(&self) -> Vector3<f64> {
        Vector3::from(self.v)
    }

    pub(super) fn turning(&self) -> Vector3<f64> {
        Vector3::from(self.w)
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

#[inline]
pub(super) fn minus(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
