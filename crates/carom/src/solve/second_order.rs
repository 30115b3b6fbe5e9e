//! The algebra of second-order cones |s_t| ≤ s_0 of up to three components, and of half-lines as those of one: its product, the scaling
//! of Nesterov and Todd, and steps to the boundary.

use super::cone::Point;

/// Ω of one part: η (2 q qᵀ − J) with q of unit hyperbolic length; of a half-line, η.
#[derive(Clone, Copy)]
pub(super) struct Scaling {
    pub(super) eta: f64,
    q: Point,
}

impl Scaling {
    /// Ω = 1.
    pub(super) const UNIT: Scaling = Scaling { eta: 1.0, q: [1.0, 0.0, 0.0] };

    /// The scaling that takes s and z to the same point.
    pub(super) fn between(s: &Point, z: &Point, size: usize) -> Option<Scaling> {
        if size == 1 {
            let eta = (s[0] / z[0]).sqrt();
            return (eta.is_finite() && eta > 0.0).then_some(Scaling { eta, q: [1.0, 0.0, 0.0] });
        }
        let (ds, dz) = (hyperbolic(s), hyperbolic(z));
        if !(ds > 0.0 && dz > 0.0) {
            return None;
        }
        let (ls, lz) = (ds.sqrt(), dz.sqrt());
        let dot = (s[0] * z[0] + s[1] * z[1] + s[2] * z[2]) / (ls * lz);
        let gamma = (0.5 + 0.5 * dot).sqrt();
        let w = [
            (s[0] / ls + z[0] / lz) / (2.0 * gamma),
            (s[1] / ls - z[1] / lz) / (2.0 * gamma),
            (s[2] / ls - z[2] / lz) / (2.0 * gamma),
        ];
        Some(Scaling { eta: (ls / lz).sqrt(), q: w })
    }

    /// Ω v.
    pub(super) fn forward(&self, v: &Point, size: usize) -> Point {
        self.apply(v, size, self.eta, 1.0)
    }

    /// Ω⁻¹ v.
    pub(super) fn inverse(&self, v: &Point, size: usize) -> Point {
        self.apply(v, size, 1.0 / self.eta, -1.0)
    }

    fn apply(&self, v: &Point, size: usize, factor: f64, sign: f64) -> Point {
        if size == 1 {
            return [v[0] * factor, 0.0, 0.0];
        }
        let w = [self.q[0], sign * self.q[1], sign * self.q[2]];
        let along = w[1] * v[1] + w[2] * v[2];
        let share = v[0] + along / (1.0 + w[0]);
        [factor * (w[0] * v[0] + along), factor * (v[1] + share * w[1]), factor * (v[2] + share * w[2])]
    }
}

/// s_0² − |s_1|², as a product that does not cancel.
fn hyperbolic(s: &Point) -> f64 {
    let radius = s[1].hypot(s[2]);
    (s[0] - radius) * (s[0] + radius)
}

/// The product of the cone's algebra.
pub(super) fn product(a: &Point, b: &Point, size: usize) -> Point {
    if size == 1 {
        return [a[0] * b[0], 0.0, 0.0];
    }
    [a[0] * b[0] + a[1] * b[1] + a[2] * b[2], a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]]
}

/// The v with l ∘ v = r.
pub(super) fn inverse_product(l: &Point, r: &Point, size: usize) -> Point {
    if size == 1 {
        return [r[0] / l[0], 0.0, 0.0];
    }
    let first = (l[0] * r[0] - l[1] * r[1] - l[2] * r[2]) / hyperbolic(l);
    [first, (r[1] - first * l[1]) / l[0], (r[2] - first * l[2]) / l[0]]
}

/// The largest t with s + t d in the cone.
pub(super) fn reach(s: &Point, d: &Point) -> f64 {
    // (s0 + t d0)² = |s1 + t d1|²: a t² + 2 b t + c = 0.
    let a = hyperbolic(d);
    let b = s[0] * d[0] - s[1] * d[1] - s[2] * d[2];
    let c = hyperbolic(s);
    let mut least = f64::INFINITY;
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for root in [q / a, c / q] {
            if root > 0.0 && root < least {
                least = root;
            }
        }
    }
    if d[0] < 0.0 { least.min(-s[0] / d[0]) } else { least }
}
