//! A contact of shapes other than balls: its 3×3 problem (2×2 in the plane) and the exact solution.

use super::body::Body;
use nalgebra::{Matrix3, Vector3};

/// What a contact is recognised by in the next step: bodies, parts and features.
pub(super) type Key = [u32; 6];

/// A contact between any shapes, in axes (n, t1, t2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) key: Key,
    pub(super) a: usize,
    pub(super) b: usize,
    /// From the axes of the contact to those of the world.
    pub(super) axes: Matrix3<f64>,
    /// From the centres to the contact.
    pub(super) arms: [Vector3<f64>; 2],
    /// Velocity per impulse, and its inverse.
    pub(super) give: Matrix3<f64>,
    pub(super) mass: Matrix3<f64>,
    pub(super) friction: f64,
    /// Least normal velocity after the step.
    pub(super) bound: f64,
    pub(super) impulse: Vector3<f64>,
}

/// Rounds of the tangential impulse of a contact that slips in space, and the change that ends them, relative to the impulse.
const SLIP_ROUNDS: usize = 30;
const SLIP_SETTLED: f64 = 1e-12;

impl Block {
    /// Prepares the matrices for these inverse inertias.
    pub(super) fn prepare(&mut self, bodies: &[Body], inverses: &[Matrix3<f64>], planar: bool) {
        let mut give = Matrix3::zeros();
        for (body, arm) in [(self.a, self.arms[0]), (self.b, self.arms[1])] {
            let inverse_mass = bodies[body].inverse_mass();
            if inverse_mass > 0.0 {
                let lever = arm.cross_matrix();
                give += Matrix3::identity() * inverse_mass - lever * inverses[body] * lever;
            }
        }
        let mut give = self.axes.transpose() * give * self.axes;
        if planar {
            for k in 0..2 {
                (give[(2, k)], give[(k, 2)]) = (0.0, 0.0);
            }
        }
        self.give = give;
        self.mass = give.try_inverse().unwrap_or_else(Matrix3::zeros);
    }

    /// Its bodies.
    pub(super) fn sides(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    /// Relative velocity in the axes of the contact.
    pub(super) fn velocity(&self, bodies: &[Body]) -> Vector3<f64> {
        let (a, b) = (&bodies[self.a], &bodies[self.b]);
        let u = a.velocity() + a.turning().cross(&self.arms[0]) - b.velocity() - b.turning().cross(&self.arms[1]);
        self.axes.tr_mul(&u)
    }

    /// Gives the bodies an impulse in the axes of the contact.
    pub(super) fn push(&self, impulse: &Vector3<f64>, bodies: &mut [Body], inverses: &[Matrix3<f64>]) {
        let world = self.axes * impulse;
        for (body, arm, sign) in [(self.a, &self.arms[0], 1.0), (self.b, &self.arms[1], -1.0)] {
            let inverse_mass = bodies[body].inverse_mass();
            if inverse_mass > 0.0 {
                let turn = inverses[body] * arm.cross(&world);
                let body = &mut bodies[body];
                for k in 0..3 {
                    body.v[k] += sign * inverse_mass * world[k];
                    body.w[k] += sign * turn[k];
                }
            }
        }
    }

    /// Solves the contact with all others as they are. Tells the square of the natural-map residual before, (m/s)².
    pub(super) fn relax(&mut self, bodies: &mut [Body], inverses: &[Matrix3<f64>], planar: bool) -> f64 {
        let mut free = self.velocity(bodies) - self.give * self.impulse;
        free.x -= self.bound;
        if planar {
            free.z = 0.0;
        }
        let impulse = self.solve(&free, planar);
        let change = impulse - self.impulse;
        if change == Vector3::zeros() {
            return 0.0;
        }
        self.impulse = impulse;
        self.push(&change, bodies, inverses);
        change.component_mul(&self.give.diagonal()).norm_squared()
    }

    /// The impulse at which the contact, that would move with `free` without it, obeys Signorini's and Coulomb's conditions.
    fn solve(&self, free: &Vector3<f64>, planar: bool) -> Vector3<f64> {
        let (w, mu) = (&self.give, self.friction);
        if free.x >= 0.0 {
            return Vector3::zeros();
        }
        if mu == 0.0 {
            return Vector3::new(-free.x / w[(0, 0)], 0.0, 0.0);
        }
        let stick = -(self.mass * free);
        if stick.x > 0.0 && f64::hypot(stick.y, stick.z) <= mu * stick.x {
            return stick;
        }
        if planar {
            for side in [1.0, -1.0] {
                let give = w[(0, 0)] + side * mu * w[(0, 1)];
                let normal = -free.x / give;
                let slip = free.y + (w[(1, 0)] + side * mu * w[(1, 1)]) * normal;
                if give > 0.0 && slip * side <= 0.0 {
                    return Vector3::new(normal, side * mu * normal, 0.0);
                }
            }
        }
        // Alternately the normal impulse for this tangential one, and a step of the latter down its slope, onto the disk.
        let step = (w[(1, 1)] + w[(2, 2)]).recip();
        let mut p = self.impulse;
        for _ in 0..SLIP_ROUNDS {
            let normal = (-(free.x + w[(0, 1)] * p.y + w[(0, 2)] * p.z) / w[(0, 0)]).max(0.0);
            let slope = |row: usize| free[row] + w[(row, 0)] * normal + w[(row, 1)] * p.y + w[(row, 2)] * p.z;
            let (y, z) = (p.y - 1.5 * step * slope(1), p.z - 1.5 * step * slope(2));
            let length = f64::hypot(y, z);
            let scale = if length > mu * normal { mu * normal / length } else { 1.0 };
            let next = Vector3::new(normal, y * scale, z * scale);
            let settled = (next - p).amax() <= SLIP_SETTLED * next.amax();
            p = next;
            if settled {
                break;
            }
        }
        p
    }
}
