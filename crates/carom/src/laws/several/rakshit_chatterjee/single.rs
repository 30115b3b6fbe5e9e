//! Rakshit and Chatterjee's program for one contact, in closed form where it sticks and in the plane, else by Newton's method for
//! the angle of friction.
//!
//! On the plane V_n after = −e V_n the least energy is at P = −M V − (e V_n/W_nn) n. If that is outside the cone, the impulse is on its
//! rim, P = a d(θ) with d = (1, μ cos θ, μ sin θ): a = −(1 + e) V_n/(n·W d) on the plane, or a = −(d·V)/(d·W d) beyond it, where
//! restitution asks for less.
//!
//! Singular W: impulses along immovable directions cost nothing, so the impulse of least energy is not unique. The limit of
//! W + ε N for ε → 0 is given, N the projector onto those directions. ε adds ½ ε |N P|² to the energy and shifts the plane of
//! restitution, whose multiplier is −e V_n/W_nn, by ε n·N P; together they are least at N P = −(e V_n/W_nn) N n. That is
//! P = −W⁺V − (e V_n/W_nn) n as for a regular W. If it is outside the cone, it moves along the immovable directions to the
//! nearest point inside, if there is one, and is on the rim as before otherwise. With one movable direction, W = σ w wᵀ and
//! V = ν w, there always is one: the point of the rim next to w with w·P = −(1 + e) ν/σ.

use crate::collision::Mobility;
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
    pub(super) mobility: Mobility,
}

/// Steps of Newton's method for the angle.
const MOST_STEPS: usize = 20;
/// A step of the angle that is rounding, rad.
const STILL: f64 = 1e-15;
/// Steps after the optimality conditions hold: they hardly see an angle at which large impulses move little.
const POLISH: usize = 2;
/// How well the optimality conditions must hold, relative to the impulse; the general method takes over otherwise.
const OPTIMAL: f64 = 1e-12;
/// The largest step of the angle, rad.
const LONGEST: f64 = 0.5;

impl Single<'_> {
    /// The impulse; nothing where the angle is not found.
    pub(super) fn impulse(&self) -> Option<Vector3<f64>> {
        let (w, v, mu) = (self.w, self.v, self.friction);
        if mu == 0.0 {
            return Some(Vector3::x() * (-(1.0 + self.restitution) * v.x / w[(0, 0)]));
        }
        let stopping = match self.mobility {
            Mobility::Line { movable } => return Some(self.along_movable(&movable)),
            Mobility::Plane { immovable } if self.planar && immovable.z == 0.0 => {
                return Some(self.along_movable(&Vector3::new(
                    immovable.y.abs(),
                    -immovable.x * immovable.y.signum(),
                    0.0,
                )));
            }
            _ if self.planar => {
                let plane = Matrix2::new(w[(0, 0)], w[(0, 1)], w[(1, 0)], w[(1, 1)]);
                let stop = plane.try_inverse()? * Vector2::new(v.x, v.y);
                Vector3::new(stop.x, stop.y, 0.0)
            }
            Mobility::Plane { immovable } => {
                if let Some(stick) = self.singular_stick(&immovable) {
                    return Some(stick);
                }
                (w + immovable * immovable.transpose() * w.trace()).cholesky()?.solve(v)
            }
            Mobility::Full => w.cholesky()?.solve(v),
        };
        let stick = -stopping - Vector3::x() * (self.restitution * v.x / w[(0, 0)]);
        let slip = stick.yz().norm();
        if slip <= mu * stick.x {
            // The energy is convex, and its slope on the plane of restitution is zero here.
            return Some(stick);
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

    /// The impulse where the contact moves along the unit vector `w` only, w_n > 0.
    fn along_movable(&self, w: &Vector3<f64>) -> Vector3<f64> {
        let stiffness = w.dot(&(self.w * w));
        let amount = -(1.0 + self.restitution) * self.v.dot(w) / stiffness;
        let tangential = w.yz().norm();
        let stop = -self.v.dot(w) / stiffness;
        let stick = (w + Vector3::x() * (self.restitution / w.x)) * stop;
        if stick.yz().norm() <= self.friction * stick.x {
            return stick;
        }
        let rim = w.yz() * (self.friction / tangential);
        Vector3::new(1.0, rim.x, rim.y) * (amount / (w.x + self.friction * tangential))
    }

    /// The impulse of least energy on the plane of restitution, if one is in the cone; `b` is immovable.
    fn singular_stick(&self, b: &Vector3<f64>) -> Option<Vector3<f64>> {
        let held = self.w + b * b.transpose() * self.w.trace();
        let stop = held.cholesky()?.solve(self.v);
        let base = -(stop - b * b.dot(&stop)) - Vector3::x() * (self.restitution * self.v.x / self.w[(0, 0)]);
        let mu2 = self.friction * self.friction;
        let in_cone = |p: &Vector3<f64>| p.yz().norm() <= self.friction * p.x;
        if in_cone(&base) {
            return Some(base);
        }
        // The least |s| with base + s b on the rim: a s² + 2 h s + c = 0.
        let a = b.yz().norm_squared() - mu2 * b.x * b.x;
        let h = base.yz().dot(&b.yz()) - mu2 * base.x * b.x;
        let c = base.yz().norm_squared() - mu2 * base.x * base.x;
        let discriminant = h * h - a * c;
        if discriminant < 0.0 {
            return None;
        }
        let q = -(h + discriminant.sqrt().copysign(h));
        let roots = [q / a, c / q].into_iter().filter(|s| s.is_finite());
        let least = roots.filter(|s| base.x + b.x * s > 0.0).min_by(|a, b| a.abs().total_cmp(&b.abs()))?;
        let point = base + b * least;
        // Exactly in the cone.
        let slip = point.yz();
        let height = point.x.max(slip.norm() / self.friction);
        Some(Vector3::new(height, slip.x, slip.y))
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
        let (mut found, mut last) = (None, MOST_STEPS);
        for step in 0..MOST_STEPS {
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
            let turn = if curvature > 0.0 { -slope / curvature } else { -LONGEST.copysign(slope) };
            if turn.abs() <= STILL.sqrt() && self.optimal(&p) {
                found = Some(p);
                last = last.min(step + POLISH);
            }
            if turn.abs() <= STILL || step >= last {
                break;
            }
            angle += turn.clamp(-LONGEST, LONGEST);
        }
        found
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
