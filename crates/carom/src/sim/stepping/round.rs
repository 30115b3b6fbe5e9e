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

use super::body::{Body, cross, dot, minus};

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
    ///
    /// In the plane z has no part in it, but for turning.
    #[inline]
    pub(super) fn relax<const PLANAR: bool>(&mut self, bodies: &mut [Body]) -> f64 {
        let (i, j) = (self.a as usize, self.b as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let n = &self.n;
        let apart = minus(&a.v, &b.v);
        let along = if PLANAR { n[0] * apart[0] + n[1] * apart[1] } else { dot(n, &apart) };
        let normal = (self.normal - (along - self.bound) * self.mass[0]).max(0.0);
        let change = normal - self.normal;
        if normal == 0.0 && change == 0.0 {
            return 0.0;
        }
        self.normal = normal;
        let residual = (change * self.give[0]).powi(2);
        if self.friction == 0.0 {
            let [by_a, by_b] = [change * a.inverse_mass, change * b.inverse_mass];
            for k in 0..if PLANAR { 2 } else { 3 } {
                bodies[i].v[k] += n[k] * by_a;
                bodies[j].v[k] -= n[k] * by_b;
            }
            return residual;
        }
        let limit = self.friction * normal;
        if PLANAR {
            // t = (n_y, −n_x): the first entry of `across` is the impulse along it.
            let slip = n[1] * apart[0] - n[0] * apart[1] + self.arm[0] * a.w[2] + self.arm[1] * b.w[2];
            let across = (self.across[0] - slip * self.mass[1]).clamp(-limit, limit);
            let turned = across - self.across[0];
            self.across[0] = across;
            let push = [n[0] * change + n[1] * turned, n[1] * change - n[0] * turned];
            let (x, y) = (a.inverse_mass, b.inverse_mass);
            let spin = [turned * self.arm[0] * a.inverse_inertia, turned * self.arm[1] * b.inverse_inertia];
            for k in 0..2 {
                bodies[i].v[k] += push[k] * x;
                bodies[j].v[k] -= push[k] * y;
            }
            bodies[i].w[2] += spin[0];
            bodies[j].w[2] += spin[1];
            return residual.max((turned * self.give[1]).powi(2));
        }
        let [r, s] = self.arm;
        let rolled = [r * a.w[0] + s * b.w[0], r * a.w[1] + s * b.w[1], r * a.w[2] + s * b.w[2]];
        let swept = cross(n, &rolled);
        let mut across = [0.0; 3];
        for k in 0..3 {
            across[k] = self.across[k] - (apart[k] - n[k] * along + swept[k]) * self.mass[1];
        }
        let length = dot(&across, &across);
        if length > limit * limit {
            let scale = limit / length.sqrt();
            across = across.map(|x| x * scale);
        }
        let turned = minus(&across, &self.across);
        self.across = across;
        let torque = cross(n, &turned);
        let (x, y) = (a.inverse_mass, b.inverse_mass);
        let (spin_a, spin_b) = (r * a.inverse_inertia, s * b.inverse_inertia);
        let push = [n[0] * change + turned[0], n[1] * change + turned[1], n[2] * change + turned[2]];
        let a = &mut bodies[i];
        for k in 0..3 {
            a.v[k] += push[k] * x;
            a.w[k] -= torque[k] * spin_a;
        }
        let b = &mut bodies[j];
        for k in 0..3 {
            b.v[k] -= push[k] * y;
            b.w[k] -= torque[k] * spin_b;
        }
        residual.max(dot(&turned, &turned) * self.give[1] * self.give[1])
    }

    /// Gives the bodies the impulse it starts with.
    pub(super) fn apply<const PLANAR: bool>(&self, bodies: &mut [Body]) {
        let push = self.impulse::<PLANAR>();
        for (body, arm, sign) in [(self.a, self.arm[0], 1.0), (self.b, self.arm[1], -1.0)] {
            let body = &mut bodies[body as usize];
            for k in 0..3 {
                body.v[k] += sign * push[k] * body.inverse_mass;
            }
            let spin = arm * body.inverse_inertia;
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
        let mut u = minus(&a.v, &b.v);
        let [r, s] = self.arm;
        let rolled = [r * a.w[0] + s * b.w[0], r * a.w[1] + s * b.w[1], r * a.w[2] + s * b.w[2]];
        let swept = cross(&self.n, &rolled);
        for k in 0..3 {
            u[k] += swept[k];
        }
        u
    }
}
