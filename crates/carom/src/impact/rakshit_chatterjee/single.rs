//! Rakshit and Chatterjee's program for one contact, in closed form where it sticks and in the plane, else by Newton's method for
//! the angle of friction.
//!
//! On the plane V_n after = −e V_n the least energy is at P = −M V − (e V_n/W_nn) n. If that is outside the cone, the impulse is on its
//! rim, P = a d(θ) with d = (1, μ cos θ, μ sin θ): a = −(1 + e) V_n/(n·W d) on the plane, or a = −(d·V)/(d·W d) beyond it, where
//! restitution asks for less.

use crate::solve::cone::Cone;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// One contact.
pub(super) struct Single<'a> {
    pub(super) w: &'a Matrix3<f64>,
    pub(super) v: &'a Vector3<f64>,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    pub(super) capped: bool,
    pub(super) planar: bool,
}

/// Steps of Newton's method for the angle.
const MOST_STEPS: usize = 20;
/// A step of the angle that is rounding, rad.
const STILL: f64 = 1e-15;
/// How well the optimality conditions must hold, relative to the impulse; the general method takes over otherwise.
const OPTIMAL: f64 = 1e-12;
/// The largest step of the angle, rad.
const LONGEST: f64 = 0.5;

impl Single<'_> {
    /// The impulse; nothing where W is singular or the angle is not found.
    pub(super) fn impulse(&self) -> Option<Vector3<f64>> {
        let (w, v, mu) = (self.w, self.v, self.friction);
        if mu == 0.0 {
            return Some(Vector3::x() * (-(1.0 + self.restitution) * v.x / w[(0, 0)]));
        }
        let stopping = if self.planar {
            let stop = Matrix2::new(w[(0, 0)], w[(0, 1)], w[(1, 0)], w[(1, 1)]).try_inverse()? * Vector2::new(v.x, v.y);
            Vector3::new(stop.x, stop.y, 0.0)
        } else {
            w.cholesky()?.solve(v)
        };
        let stick = -stopping - Vector3::x() * (self.restitution * v.x / w[(0, 0)]);
        let slip = stick.yz().norm();
        if slip <= mu * stick.x {
            return self.optimal(&stick).then_some(stick);
        }
        if self.planar {
            let rays = [mu, -mu].map(|mu| self.along(&Vector3::new(1.0, mu, 0.0)));
            let energy = |p: &Vector3<f64>| p.dot(&(w * p * 0.5 + v));
            return rays.into_iter().flatten().min_by(|a, b| energy(a).total_cmp(&energy(b)));
        }
        let first = stick.z.atan2(stick.y);
        let bound = self.turned(first, true);
        let free = || if self.capped { None } else { self.turned(first, false) };
        bound.or_else(free)
    }

    /// The least energy along a ray.
    fn along(&self, d: &Vector3<f64>) -> Option<Vector3<f64>> {
        let image = self.w * d;
        let asked = -(1.0 + self.restitution) * self.v.x / image.x;
        let free = -d.dot(self.v) / d.dot(&image);
        (image.x > 0.0).then(|| d * if self.capped { asked } else { asked.max(free) })
    }

    /// The least energy on the rim, on the plane of restitution or free of it.
    fn turned(&self, first: f64, bound: bool) -> Option<Vector3<f64>> {
        let (w, v, mu) = (self.w, self.v, self.friction);
        let mut angle = first;
        for _ in 0..MOST_STEPS {
            let (sin, cos) = angle.sin_cos();
            let (d, d1) = (Vector3::new(1.0, mu * cos, mu * sin), Vector3::new(0.0, -mu * sin, mu * cos));
            let d2 = Vector3::new(0.0, -d.y, -d.z);
            let (image, image1) = (w * d, w * d1);
            // a and its first two derivatives, P likewise; slope and curvature of the energy.
            let (p, slope, curvature);
            if bound {
                let (reach, reach1, reach2) = (image.x, image1.x, w.row(0).transpose().dot(&d2));
                let a = -(1.0 + self.restitution) * v.x / reach;
                let a1 = -a * reach1 / reach;
                let a2 = -2.0 * a1 * reach1 / reach - a * reach2 / reach;
                p = d * a;
                let after = image * a + v;
                let p1 = d * a1 + d1 * a;
                slope = after.dot(&p1);
                curvature = p1.dot(&(image * a1 + image1 * a)) + after.dot(&(d * a2 + d1 * (2.0 * a1) + d2 * a));
            } else {
                let (n, n1) = (d.dot(v), d1.dot(v));
                let (q, q1) = (d.dot(&image), 2.0 * d1.dot(&image));
                let a = -n / q;
                let a1 = (n * q1 / q - n1) / q;
                p = d * a;
                let after = image * a + v;
                slope = a * after.dot(&d1);
                curvature = a1 * after.dot(&d1) + a * ((image * a1 + image1 * a).dot(&d1) + after.dot(&d2));
            }
            let step = if curvature > 0.0 { -slope / curvature } else { -LONGEST.copysign(slope) };
            if step.abs() <= STILL || (step.abs() <= STILL.sqrt() && self.optimal(&p)) {
                return self.optimal(&p).then_some(p);
            }
            angle += step.clamp(-LONGEST, LONGEST);
        }
        None
    }

    /// Whether the optimality conditions hold.
    fn optimal(&self, p: &Vector3<f64>) -> bool {
        let after = self.w * p + self.v;
        let reach = (self.w * p).x;
        let excess = after.x + self.restitution * self.v.x;
        let bound = self.capped || excess <= OPTIMAL * self.v.norm();
        // The multiplier of restitution from the balance along P.
        let multiplier = if bound && reach > 0.0 { after.dot(p) / reach } else { 0.0 };
        if excess < -OPTIMAL * self.v.norm() || (multiplier < 0.0 && !self.capped) {
            return false;
        }
        let slope = after - self.w.column(0) * multiplier;
        let step = 3.0 / self.w.trace();
        let cone = Cone { start: 0, size: if self.planar { 2 } else { 3 }, friction: self.friction };
        let moved = p - slope * step;
        let nearest = Vector3::from(cone.project(&moved.into()).point);
        (p - nearest).norm() <= OPTIMAL * p.norm()
    }
}
