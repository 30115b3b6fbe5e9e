//! The contact of two balls, or of a ball and a half-space, and its exact solution.
//!
//! The arms of the contact are along its normal, and balls turn evenly: the normal impulse changes only the normal velocity, and the
//! tangential one only the tangential velocity, by the same amount in every direction. So the contact's own problem
//!
//! ```text
//! 0 ≤ P_n ⊥ u_n − b ≥ 0,    |P_t| ≤ μ P_n,  −u_t along P_t where that is an equality
//! ```
//!
//! is solved in closed form: a cut-off at zero, then one projection onto the disk of radius μ P_n. No tangents are needed.

use super::body::{Body, cross, wide};
use nalgebra::{Matrix3, Vector3};

/// Two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Round {
    pub(super) a: u32,
    pub(super) b: u32,
    /// From B into A.
    pub(super) n: [f64; 3],
    /// Distances of the contact from the centres; 0 for the world.
    pub(super) arm: [f64; 2],
    /// Velocity per impulse, along the normal and across it, and the inverses.
    pub(super) give: [f64; 2],
    pub(super) mass: [f64; 2],
    pub(super) friction: f64,
    /// Least normal velocity after the step.
    pub(super) bound: f64,
    /// Impulse along the normal, and across it in world axes.
    pub(super) normal: f64,
    pub(super) across: [f64; 3],
}

impl Round {
    /// Solves the contact with all others as they are. Tells the square of the natural-map residual before, (m/s)².
    #[inline]
    pub(super) fn relax<const PLANAR: bool>(&mut self, bodies: &mut [Body]) -> f64 {
        if PLANAR { self.relax_in_plane(bodies) } else { self.relax_in_space(bodies) }
    }

    #[inline]
    fn relax_in_plane(&mut self, bodies: &mut [Body]) -> f64 {
        let (i, j) = (self.a as usize, self.b as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let [n_x, n_y, _] = self.n;
        let (apart_x, apart_y) = (a.v[0] - b.v[0], a.v[1] - b.v[1]);
        let along = n_x * apart_x + n_y * apart_y;
        let normal = (self.normal - (along - self.bound) * self.mass[0]).max(0.0);
        let change = normal - self.normal;
        if normal == 0.0 && change == 0.0 {
            return 0.0;
        }
        self.normal = normal;
        // t = (n_y, −n_x): the first entry of `across` is the impulse along it.
        let slip = n_y * apart_x - n_x * apart_y + self.arm[0] * a.w[2] + self.arm[1] * b.w[2];
        let limit = self.friction * normal;
        let across = (self.across[0] - slip * self.mass[1]).clamp(-limit, limit);
        let turned = across - self.across[0];
        self.across[0] = across;
        let (push_x, push_y) = (n_x * change + n_y * turned, n_y * change - n_x * turned);
        let (x, y) = (a.inverse_mass(), b.inverse_mass());
        let (turn_a, turn_b) = (self.arm[0] * a.inverse_inertia(), self.arm[1] * b.inverse_inertia());
        let a = &mut bodies[i];
        a.v[0] += push_x * x;
        a.v[1] += push_y * x;
        a.w[2] += turned * turn_a;
        // Contacts with the world would wait for each other there.
        if y > 0.0 {
            let b = &mut bodies[j];
            b.v[0] -= push_x * y;
            b.v[1] -= push_y * y;
            b.w[2] += turned * turn_b;
        }
        (change * self.give[0]).powi(2).max((turned * self.give[1]).powi(2))
    }

    #[inline]
    fn relax_in_space(&mut self, bodies: &mut [Body]) -> f64 {
        let (i, j) = (self.a as usize, self.b as usize);
        let (a, b) = (bodies[i], bodies[j]);
        let n = wide(&self.n);
        let apart: [f64; 4] = std::array::from_fn(|k| a.v[k] - b.v[k]);
        let along = (n[0] * apart[0] + n[2] * apart[2]) + n[1] * apart[1];
        let normal = (self.normal - (along - self.bound) * self.mass[0]).max(0.0);
        let change = normal - self.normal;
        if normal == 0.0 && change == 0.0 {
            return 0.0;
        }
        self.normal = normal;
        let mut residual = (change * self.give[0]).powi(2);
        let (mut push, mut spin): ([f64; 4], [f64; 4]) = (n.map(|n| n * change), [0.0; 4]);
        if self.friction > 0.0 {
            let limit = self.friction * normal;
            let rolled: [f64; 4] = std::array::from_fn(|k| self.arm[0] * a.w[k] + self.arm[1] * b.w[k]);
            let swept = wide(&cross(&self.n, &[rolled[0], rolled[1], rolled[2]]));
            let was = wide(&self.across);
            let mut across: [f64; 4] =
                std::array::from_fn(|k| was[k] - (apart[k] - n[k] * along + swept[k]) * self.mass[1]);
            across[3] = 0.0;
            let length = (across[0] * across[0] + across[2] * across[2]) + across[1] * across[1];
            if length > limit * limit {
                let scale = limit / length.sqrt();
                across = across.map(|x| x * scale);
            }
            let turned: [f64; 4] = std::array::from_fn(|k| across[k] - was[k]);
            self.across = [across[0], across[1], across[2]];
            spin = wide(&cross(&[turned[0], turned[1], turned[2]], &self.n));
            push = std::array::from_fn(|k| push[k] + turned[k]);
            let square = (turned[0] * turned[0] + turned[2] * turned[2]) + turned[1] * turned[1];
            residual = residual.max(square * self.give[1] * self.give[1]);
        }
        let (x, y) = (a.inverse_mass(), b.inverse_mass());
        let (turn_a, turn_b) = (self.arm[0] * a.inverse_inertia(), self.arm[1] * b.inverse_inertia());
        bodies[i] = Body {
            v: std::array::from_fn(|k| a.v[k] + push[k] * x),
            w: std::array::from_fn(|k| a.w[k] + spin[k] * turn_a),
        };
        // Contacts with the world would wait for each other there.
        if y > 0.0 {
            bodies[j] = Body {
                v: std::array::from_fn(|k| b.v[k] - push[k] * y),
                w: std::array::from_fn(|k| b.w[k] + spin[k] * turn_b),
            };
        }
        residual
    }

    /// Gives the bodies the impulse it starts with.
    pub(super) fn apply<const PLANAR: bool>(&self, bodies: &mut [Body]) {
        let push = self.impulse::<PLANAR>();
        for (body, arm, sign) in [(self.a, self.arm[0], 1.0), (self.b, self.arm[1], -1.0)] {
            let body = &mut bodies[body as usize];
            let scale = sign * body.inverse_mass();
            for (v, push) in body.v.iter_mut().zip(push) {
                *v += push * scale;
            }
            let spin = arm * body.inverse_inertia();
            if PLANAR {
                body.w[2] += self.across[0] * spin;
            } else {
                let torque = cross(&self.n, &self.across);
                for (w, torque) in body.w.iter_mut().zip(torque) {
                    *w -= torque * spin;
                }
            }
        }
    }

    /// Its axes (n, t1, t2) in world axes. In the plane t1 is the direction that `across` counts along.
    pub(super) fn axes<const PLANAR: bool>(&self) -> Matrix3<f64> {
        let n = Vector3::from(self.n);
        if PLANAR {
            return Matrix3::from_columns(&[n, Vector3::new(n.y, -n.x, 0.0), Vector3::z()]);
        }
        // Across the world's axis that is farthest from the normal.
        let t1 = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
        Matrix3::from_columns(&[n, t1, n.cross(&t1)])
    }

    /// Impulse on A in world axes.
    pub(super) fn impulse<const PLANAR: bool>(&self) -> [f64; 3] {
        let (n, p, q) = (&self.n, self.normal, &self.across);
        if PLANAR {
            [n[0] * p + n[1] * q[0], n[1] * p - n[0] * q[0], 0.0]
        } else {
            [n[0] * p + q[0], n[1] * p + q[1], n[2] * p + q[2]]
        }
    }

    /// Relative velocity of A against B at the contact, in world axes.
    #[inline]
    pub(super) fn velocity(&self, a: &Body, b: &Body) -> [f64; 3] {
        let mut u = [a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]];
        let [r, s] = self.arm;
        let rolled = [r * a.w[0] + s * b.w[0], r * a.w[1] + s * b.w[1], r * a.w[2] + s * b.w[2]];
        let swept = cross(&self.n, &rolled);
        for k in 0..3 {
            u[k] += swept[k];
        }
        u
    }
}
