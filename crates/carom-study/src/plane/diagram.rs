//! The impulse plane of a planar collision: the lines, the energy ellipse and the accessible region, as geometry.
//!
//! Wang & Mason 1992, 3.2–3.4 (the impact process diagram and the names S, C, T, L, RF); Chatterjee 1997, 3.4 and
//! chapter 7. With W and V in (n, t):
//!
//! ```text
//! energy ellipse     P·(2V + W P) = 0, through the origin, centre −M V
//! level set α        (P + M V)·W (P + M V) = α V·M V: the fraction 1 − α of V's energy is lost
//! compression  C     W_nn P_n + W_nt P_t = −V_n
//! termination  T     W_nn P_n + W_nt P_t = −(1 + e) V_n
//! sticking     S     W_nt P_n + W_tt P_t = −V_t
//! limiting     L     P_t = −μ sign(V_t) P_n
//! reversed     RF    from where L meets S, along (1, μ sign(V_t))
//! ```
//!
//! Everything is computed where it is looked at: a nearly singular W puts the centre and the far end of the ellipse
//! very far away, and no point near the origin is found as a difference of such numbers.

use super::line::PlaneLine;
use super::polygon::{clip, hull};
use super::window::Window;
use carom::Section;
use nalgebra::{Matrix2, Vector2};
use std::f64::consts::PI;

/// The geometry of one section with friction; every point is (P_n, P_t) in kg m/s.
#[derive(Clone, Copy, Debug)]
pub struct PlaneDiagram {
    w: Matrix2<f64>,
    v: Vector2<f64>,
    friction: f64,
    determinant: f64,
    axes: Axes,
}

/// W's eigenvalues (the larger first), its unit eigenvectors and V along them.
#[derive(Clone, Copy, Debug)]
struct Axes {
    eigenvalues: [f64; 2],
    directions: [Vector2<f64>; 2],
    velocity: [f64; 2],
}

/// Rounding of an inequality, relative to the sum of the magnitudes of its terms.
const ROUNDING: f64 = 1e-13;
/// Friction above this draws no differently and would overflow.
const GREATEST_FRICTION: f64 = 1e100;

impl PlaneDiagram {
    /// The diagram of a section with this coefficient of friction.
    pub fn new(section: &Section, friction: f64) -> PlaneDiagram {
        let w = section.inverse_mass;
        let axes = Axes::of(&w, &section.velocity, section.movable.as_ref());
        let determinant = if axes.eigenvalues[1] == 0.0 { 0.0 } else { axes.eigenvalues[0] * axes.eigenvalues[1] };
        let friction = friction.clamp(0.0, GREATEST_FRICTION);
        PlaneDiagram { w, v: section.velocity, friction, determinant, axes }
    }

    /// The impulse of greatest loss, −M V, the centre of every level set; `None` when W is singular.
    pub fn centre(&self) -> Option<Vector2<f64>> {
        let (w, v) = (&self.w, &self.v);
        (self.determinant > 0.0).then(|| {
            Vector2::new(
                difference_of_products(w[(0, 1)], v.y, w[(1, 1)], v.x),
                difference_of_products(w[(0, 1)], v.x, w[(0, 0)], v.y),
            ) / self.determinant
        })
    }

    /// The smallest window around the energy ellipse; `None` when W is singular and there is no end to it.
    pub fn ellipse_extent(&self) -> Option<Window> {
        let centre = self.centre()?;
        let reach = self.axes.energy() / self.determinant;
        let half = Vector2::new((reach * self.w[(1, 1)]).sqrt(), (reach * self.w[(0, 0)]).sqrt());
        Some(Window { lower: centre - half, upper: centre + half })
    }

    /// The line of maximum compression C: V_n after = 0.
    pub fn compression(&self) -> Option<PlaneLine> {
        self.termination(0.0)
    }

    /// The line of termination T of Newton's restitution e: V_n after = −e V_n.
    pub fn termination(&self, restitution: f64) -> Option<PlaneLine> {
        PlaneLine::of_equation(&self.normal_row(), -(1.0 + restitution) * self.v.x)
    }

    /// The line of sticking S: V_t after = 0; `None` when nothing can move along t.
    pub fn sticking(&self) -> Option<PlaneLine> {
        PlaneLine::of_equation(&Vector2::new(self.w[(0, 1)], self.w[(1, 1)]), -self.v.y)
    }

    /// The line of limiting friction L, a ray from the origin; `None` without slip.
    pub fn limiting_friction(&self) -> Option<PlaneLine> {
        (self.v.y != 0.0).then(|| PlaneLine::ray(Vector2::zeros(), -self.friction * self.v.y.signum()))
    }

    /// The line of reversed limiting friction RF, a ray from where L meets S; `None` when friction never stops the slip.
    pub fn reversed_limiting_friction(&self) -> Option<PlaneLine> {
        let slip = self.v.y;
        let ratio = -self.friction * slip.signum();
        let rate = self.w[(0, 1)] + self.w[(1, 1)] * ratio;
        if rate * slip >= 0.0 {
            return None;
        }
        let stop = -slip / rate;
        stop.is_finite().then(|| PlaneLine::ray(Vector2::new(stop, ratio * stop), -ratio))
    }

    /// The two edges of the friction cone, rays from the origin: P_t = μ P_n, then P_t = −μ P_n.
    pub fn cone(&self) -> [PlaneLine; 2] {
        [self.friction, -self.friction].map(|ratio| PlaneLine::ray(Vector2::zeros(), ratio))
    }

    /// The frictionless impulse with restitution e; the origin when the bodies do not approach.
    pub fn frictionless(&self, restitution: f64) -> Vector2<f64> {
        Vector2::new((1.0 + restitution) * (-self.v.x).max(0.0) / self.w[(0, 0)], 0.0)
    }

    /// The boundary of the level set α, 0 < α ≤ 1, inside a window: a convex polygon with `samples` points on either
    /// side of the ellipse. α = 1 is the energy ellipse itself. Empty when the window misses it.
    pub fn level_set(&self, alpha: f64, window: &Window, samples: usize) -> Vec<Vector2<f64>> {
        let [l1, _] = self.axes.eigenvalues;
        let [r1, r2] = self.axes.directions;
        let middle = -self.axes.velocity[0] / l1;
        if self.axes.energy() == 0.0 {
            return vec![Vector2::zeros()];
        }
        let (least, greatest) = self.axes.long_extent(alpha);
        let seen = window.corners().map(|corner| r2.dot(&corner));
        let from = seen.into_iter().fold(f64::INFINITY, f64::min).max(least);
        let to = seen.into_iter().fold(f64::NEG_INFINITY, f64::max).min(greatest);
        if from >= to {
            return Vec::new();
        }
        // Cosine spacing: the half width grows as a square root from either end.
        let steps = samples.max(8);
        let sides = (0..=steps).map(|k| {
            let along = from + (to - from) * (0.5 - 0.5 * (PI * k as f64 / steps as f64).cos());
            (along, self.axes.half_width(alpha, (least, greatest), along))
        });
        let point = |across: f64, along: f64| r1 * across + r2 * along;
        let mut boundary: Vec<_> = sides.clone().map(|(along, half)| point(middle + half, along)).collect();
        boundary.extend(sides.rev().map(|(along, half)| point(middle - half, along)));
        if alpha == 1.0 {
            for p in &mut boundary {
                self.put_on_ellipse(p);
            }
        }
        for i in 0..2 {
            let row = Vector2::ith(i, 1.0);
            boundary = clip(&clip(&boundary, &row, window.lower[i]), &-row, -window.upper[i]);
        }
        boundary
    }

    /// The corners of the accessible region that lie at a finite place: where C, the cone's edges and the ellipse
    /// meet. The origin alone when the bodies separate.
    pub fn corners(&self) -> Vec<Vector2<f64>> {
        if self.v.x > 0.0 || self.axes.energy() == 0.0 {
            return vec![Vector2::zeros()];
        }
        let mut corners = Vec::with_capacity(4);
        if self.v.x == 0.0 {
            // C passes through the origin and only impulses against the slip lose energy.
            corners.push(Vector2::zeros());
            let side = -self.v.y.signum();
            let edge = self.edge(side);
            let last = if self.normal_row().dot(&edge) > 0.0 { edge } else { self.along_compression() * side };
            corners.extend(self.ellipse_along(&last));
            return corners;
        }
        for side in [1.0, -1.0] {
            let edge = self.edge(side);
            let rate = self.normal_row().dot(&edge);
            let on_ellipse = self.compression_in_ellipse(side);
            let on_edge = if rate > 0.0 { edge * (-self.v.x / rate) } else { Vector2::repeat(f64::INFINITY) };
            if on_edge.y.abs() <= on_ellipse.y.abs() && on_edge.x.is_finite() {
                corners.push(on_edge);
                corners.extend(self.ellipse_along(&edge));
            } else if on_ellipse.iter().all(|x| x.is_finite()) {
                corners.push(on_ellipse);
            }
        }
        corners
    }

    /// The accessible region inside a window, as a convex polygon: its corners are exact, its arc is sampled with
    /// `samples` points on either side of the ellipse. A segment without friction, the origin when the bodies separate.
    pub fn region(&self, window: &Window, samples: usize) -> Vec<Vector2<f64>> {
        let mut boundary = self.corners();
        if self.v.x <= 0.0 {
            boundary.extend(self.level_set(1.0, window, samples));
            let [left, right] = self.cone();
            let straight = [self.compression(), Some(left), Some(right)];
            boundary.extend(straight.iter().flatten().filter_map(|line| line.clip(window)).flatten());
        }
        // All of these lie on the boundary of a convex set, or else outside of it.
        // Points where a line meets the window's edge may miss it by rounding.
        let reach = window.grown(ROUNDING * window.size().amax());
        boundary.retain(|p| reach.contains(p) && self.admits(p));
        hull(boundary)
    }

    /// Whether energy, non-penetration and friction allow an impulse, to rounding.
    fn admits(&self, p: &Vector2<f64>) -> bool {
        let response = self.w * p;
        let scale = self.w.abs() * p.abs();
        let energy = p.dot(&(self.v * 2.0 + response)) <= ROUNDING * p.abs().dot(&(self.v.abs() * 2.0 + scale));
        let penetration = self.v.x + response.x >= -ROUNDING * (self.v.x.abs() + scale.x);
        let edge = self.edge(1.0);
        let friction = p.y.abs() * edge.x <= p.x * edge.y + ROUNDING * p.norm();
        energy && penetration && friction
    }

    fn normal_row(&self) -> Vector2<f64> {
        Vector2::new(self.w[(0, 0)], self.w[(0, 1)])
    }

    /// Unit vector of the cone's edge on the side of positive or negative P_t.
    fn edge(&self, side: f64) -> Vector2<f64> {
        PlaneLine::ray(Vector2::zeros(), side * self.friction).direction
    }

    /// Direction of C, towards positive P_t.
    fn along_compression(&self) -> Vector2<f64> {
        Vector2::new(-self.w[(0, 1)], self.w[(0, 0)])
    }

    /// Where the ray along `u` leaves the ellipse: s with `2 u·V + s u·W u = 0`.
    fn ellipse_along(&self, u: &Vector2<f64>) -> Option<Vector2<f64>> {
        let exit = u * (-2.0 * u.dot(&self.v) / u.dot(&(self.w * u)));
        exit.iter().all(|x| x.is_finite()).then_some(exit)
    }

    /// Where C leaves the ellipse on one side; infinite when it never does.
    ///
    /// On `P = (−V_n/W_nn, 0) + s (−W_nt, W_nn)` the energy is `A s² + 2 B s − V_n²/W_nn` with `A = W_nn det W` and
    /// `B = W_nn V_t − W_nt V_n`: the frictionless plastic impulse s = 0 is always inside, and each root has a form
    /// without cancellation.
    fn compression_in_ellipse(&self, side: f64) -> Vector2<f64> {
        let (w_nn, w_nt) = (self.w[(0, 0)], self.w[(0, 1)]);
        let a = w_nn * self.determinant;
        let singular = self.determinant == 0.0;
        let b = if singular { 0.0 } else { side * difference_of_products(w_nn, self.v.y, w_nt, self.v.x) };
        let c = self.v.x * self.v.x / w_nn;
        let root = (b * b + a * c).sqrt();
        let s = if b > 0.0 {
            c / (b + root)
        } else if singular {
            f64::INFINITY
        } else {
            (root - b) / a
        };
        if s.is_finite() {
            Vector2::new(-self.v.x / w_nn, 0.0) + self.along_compression() * (side * s)
        } else {
            Vector2::repeat(f64::INFINITY)
        }
    }

    /// Moves a point along its ray from the origin so that it satisfies the ellipse's equation to rounding.
    fn put_on_ellipse(&self, p: &mut Vector2<f64>) {
        let stretch = -2.0 * p.dot(&self.v) / p.dot(&(self.w * *p));
        if stretch > 0.5 && stretch < 2.0 {
            *p *= stretch;
        }
    }
}

impl Axes {
    fn of(w: &Matrix2<f64>, v: &Vector2<f64>, movable: Option<&Vector2<f64>>) -> Axes {
        if let Some(along) = movable {
            let directions = [*along, Vector2::new(-along.y, along.x)];
            return Axes { eigenvalues: [w.trace(), 0.0], directions, velocity: [along.dot(v), 0.0] };
        }
        let (a, b, c) = (w[(0, 0)], w[(0, 1)], w[(1, 1)]);
        let larger = 0.5 * (a + c) + (0.5 * (a - c)).hypot(b);
        let smaller = (difference_of_products(a, c, b, b) / larger).max(0.0);
        let (sin, cos) = (0.5 * (2.0 * b).atan2(a - c)).sin_cos();
        let directions = [Vector2::new(cos, sin), Vector2::new(-sin, cos)];
        let velocity = directions.map(|direction| direction.dot(v));
        Axes { eigenvalues: [larger, smaller], directions, velocity }
    }

    /// V·M V, twice the energy at stake.
    fn energy(&self) -> f64 {
        let [l1, l2] = self.eigenvalues;
        let [v1, v2] = self.velocity;
        v1 * v1 / l1 + if l2 > 0.0 { v2 * v2 / l2 } else { 0.0 }
    }

    /// Ends of the level set along its long axis: roots of `λ₂ x² + 2 v₂ x − H = 0`, without cancellation.
    fn long_extent(&self, alpha: f64) -> (f64, f64) {
        let [l1, l2] = self.eigenvalues;
        let [v1, v2] = self.velocity;
        if l2 == 0.0 {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let height = alpha * v1 * v1 / l1 - (1.0 - alpha) * v2 * v2 / l2;
        let q = -(v2 + (alpha * l2 * self.energy()).sqrt().copysign(v2));
        let (a, b) = (q / l2, -height / q);
        (a.min(b), a.max(b))
    }

    /// Half the width of the level set across its long axis, `along` it.
    fn half_width(&self, alpha: f64, (least, greatest): (f64, f64), along: f64) -> f64 {
        let [l1, l2] = self.eigenvalues;
        if l2 == 0.0 {
            return alpha.sqrt() * (self.velocity[0] / l1).abs();
        }
        (l2 * (along - least).max(0.0) * (greatest - along).max(0.0) / l1).sqrt()
    }
}

/// `a b − c d` to within two units in the last place, however close the products are (Kahan).
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let product = c * d;
    let lost = (-c).mul_add(d, product);
    a.mul_add(b, -product) + lost
}

#[cfg(test)]
mod tests;
