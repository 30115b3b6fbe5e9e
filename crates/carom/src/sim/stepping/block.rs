//! A contact of shapes other than balls: its 3×3 problem (2×2 in the plane) and the exact solution.

use super::body::Body;
use nalgebra::{Matrix3, Vector2, Vector3};

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

/// Rounds in which the slip of a contact in space is looked for, and how far its impulse may be off the cone at the end, relative to it.
const SLIP_ROUNDS: usize = 60;
const SLIP_SETTLED: f64 = 1e-12;
/// How far a solution may be off its conditions, relative to impulses and velocities: the accuracy of the methods for many contacts.
const HOLDS: f64 = 1e-9;
/// Solutions whose velocities differ by more than this fraction of the terms they are made of are not the same.
const ANOTHER: f64 = 1e-6;

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
        if change == Vector3::zeros() || self.can_jam() && self.holds(&free, &change) {
            return 0.0;
        }
        self.impulse = impulse;
        self.push(&change, bodies, inverses);
        change.component_mul(&self.give.diagonal()).norm_squared()
    }

    /// Whether friction can press the contact as much as it slows it. Then it may have several solutions: one apart, and one that holds.
    fn can_jam(&self) -> bool {
        let w = &self.give;
        self.friction * w[(0, 1)].hypot(w[(0, 2)]) >= w[(0, 0)]
    }

    /// Whether the impulse that it has is a solution already, and not the one that a change leads to. That would undo an answer for all
    /// contacts together.
    fn holds(&self, free: &Vector3<f64>, change: &Vector3<f64>) -> bool {
        let (impulse, moving) = (&self.impulse, self.give * self.impulse);
        let size = free.amax() + moving.amax();
        if (self.give * change).amax() <= ANOTHER * size {
            return false;
        }
        let after = free + moving;
        let slack = HOLDS * size;
        let (limit, pressed) = (self.friction * impulse.x, impulse.yz().norm());
        let slides = after.yz() * limit + impulse.yz() * after.yz().norm();
        let sticks = after.yz().norm() <= slack && pressed <= limit * (1.0 + HOLDS);
        let slips = (pressed - limit).abs() <= HOLDS * limit && slides.norm() <= slack * limit;
        impulse.x > 0.0 && after.x.abs() <= slack && (sticks || slips)
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
        if stick.x > 0.0 && stick.yz().norm() <= mu * stick.x {
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
        self.slip(free)
    }

    /// The impulse of a contact that slips in space, where u_t = −s P_t with some s > 0. With the normal impulse eliminated (u_n = 0)
    ///
    /// ```text
    /// (W' + s) P_t = −f',    W' = W_tt − W_tn W_nt / W_nn,    f' = f_t − W_tn f_n / W_nn
    /// ```
    ///
    /// and s is where |P_t| = μ P_n. Where it sticks (s = 0) that is too long, at s → ∞ too short: Newton's method for the inverse
    /// lengths, which are nearly straight in s, kept between such bounds.
    fn slip(&self, free: &Vector3<f64>) -> Vector3<f64> {
        let (w, mu) = (&self.give, self.friction);
        let coupling = Vector2::new(w[(1, 0)], w[(2, 0)]) / w[(0, 0)];
        let [yy, yz, zz] = [(1, 1), (1, 2), (2, 2)].map(|at| w[at] - w[(at.0, 0)] * w[(0, at.1)] / w[(0, 0)]);
        let push = coupling * free.x - Vector2::new(free.y, free.z);
        let answer = |s: f64, to: &Vector2<f64>| {
            let determinant = (yy + s) * (zz + s) - yz * yz;
            Vector2::new((zz + s) * to.x - yz * to.y, (yy + s) * to.y - yz * to.x) / determinant
        };
        let (mut low, mut high) = (0.0, f64::INFINITY);
        // As it slipped before, or as wide as its own give.
        let moving = self.give * self.impulse + free;
        let (before, width) = (moving.yz().norm() / self.impulse.yz().norm(), yy + zz);
        // `clamp` panics where the bounds are NaN.
        let mut s = if before.is_nan() { width } else { before.max(0.01 * width).min(100.0 * width) };
        let mut found = Vector3::zeros();
        for _ in 0..SLIP_ROUNDS {
            let across = answer(s, &push);
            let length = across.norm();
            let normal = -free.x / w[(0, 0)] - coupling.dot(&across);
            let limit = mu * normal;
            if length > 0.0 && limit > 0.0 {
                let onto = across * (limit / length);
                found = Vector3::new(normal, onto.x, onto.y);
            }
            if (length - limit).abs() <= SLIP_SETTLED * length {
                break;
            }
            if length > limit {
                low = s;
            } else {
                high = s;
            }
            // Derivatives with respect to s.
            let change = -answer(s, &across);
            let (lengthens, widens) = (across.dot(&change) / length, -mu * coupling.dot(&change));
            let slope = lengthens / (length * length) - widens / (limit * limit);
            let next = s - (limit.recip() - length.recip()) / slope;
            s = if limit > 0.0 && next > low && next < high {
                next
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                4.0 * s
            };
        }
        found
    }
}
