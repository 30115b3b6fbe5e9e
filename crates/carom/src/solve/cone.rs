//! Friction cones |x_t| ≤ μ x_n and half-lines x ≥ 0, each over a few neighbouring unknowns.

/// A cone over `size` unknowns from `start`: |x_t| ≤ μ x_n, the normal first; of size 1, the half-line x ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone {
    pub(crate) start: usize,
    /// 1, 2 or 3.
    pub(crate) size: usize,
    /// Above 0 unless the size is 1: a contact without friction has one unknown. Infinite: no bounds at all.
    pub(crate) friction: f64,
}

/// A point of a cone's space; unused components are zero.
pub(crate) type Point = [f64; 3];

/// The nearest point of a cone, and how it moves with the point that is projected: along each axis of an orthonormal frame by
/// a share between 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    pub(crate) point: Point,
    pub(crate) axes: [Point; 3],
    pub(crate) shares: [f64; 3],
}

const IDENTITY: [Point; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Cone {
    /// The unknowns of the cone.
    pub(crate) fn of(&self, x: &[f64]) -> Point {
        let x = &x[self.start..self.start + self.size];
        std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))
    }

    pub(crate) fn contains(&self, x: &Point) -> bool {
        if self.size == 1 { x[0] >= 0.0 } else { x[1].hypot(x[2]) <= self.friction * x[0] }
    }

    /// The nearest point of the cone.
    pub(crate) fn project(&self, z: &Point) -> Projection {
        if self.friction.is_infinite() {
            return Projection { point: *z, axes: IDENTITY, shares: [1.0; 3] };
        }
        if self.size == 1 {
            let inside = z[0] > 0.0;
            let share = f64::from(u8::from(inside));
            return Projection { point: [z[0].max(0.0), 0.0, 0.0], axes: IDENTITY, shares: [share, 0.0, 0.0] };
        }
        let (n, slip, mu) = (z[0], (z[1] * z[1] + z[2] * z[2]).sqrt(), self.friction);
        let all = |share: f64| [share, share, if self.size == 3 { share } else { 0.0 }];
        if slip <= mu * n {
            return Projection { point: *z, axes: IDENTITY, shares: all(1.0) };
        }
        if mu * slip <= -n {
            return Projection { point: [0.0; 3], axes: IDENTITY, shares: all(0.0) };
        }
        // Onto the ray (1, μ u), u along the tangential part of z.
        let u = [z[1] / slip, z[2] / slip];
        let along = (n + mu * slip) / (1.0 + mu * mu);
        let length = (1.0 + mu * mu).sqrt();
        let ray = [1.0 / length, mu * u[0] / length, mu * u[1] / length];
        let out = [-mu / length, u[0] / length, u[1] / length];
        let across = [0.0, -u[1], u[0]];
        let turn = if self.size == 3 { along * mu / slip } else { 0.0 };
        let point = [along, along * mu * u[0], along * mu * u[1]];
        Projection { point, axes: [ray, out, across], shares: [1.0, 0.0, turn] }
    }
}

pub(crate) fn dot(a: &Point, b: &Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Moreau: z is the sum of its projections on the cone and on the polar cone, and they are perpendicular.
    #[test]
    fn what_the_projection_leaves_is_in_the_polar_cone() {
        let mut random = Random(1);
        for _ in 0..10_000 {
            let friction = random.log_between(1e-6, 1e6);
            let size = if random.unit() < 0.5 { 2 } else { 3 };
            let cone = Cone { start: 0, size, friction };
            let mut z = [0.0; 3];
            z[..size].fill_with(|| random.between(-1.0, 1.0));
            let Projection { point: p, .. } = cone.project(&z);
            let rest = [z[0] - p[0], z[1] - p[1], z[2] - p[2]];
            assert!(p[1].hypot(p[2]) <= friction * p[0] + 1e-15);
            assert!(friction * rest[1].hypot(rest[2]) <= -rest[0] + 1e-13 * (1.0 + friction), "{z:?} {friction}");
            assert!(dot(&p, &rest).abs() < 1e-15);
        }
    }

    #[test]
    fn the_projection_moves_by_its_shares() {
        let mut random = Random(2);
        for _ in 0..10_000 {
            let cone = Cone { start: 0, size: 3, friction: random.log_between(0.1, 10.0) };
            let z: Point = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let step: Point = std::array::from_fn(|_| random.between(-1e-7, 1e-7));
            let moved: Point = std::array::from_fn(|i| z[i] + step[i]);
            let (before, after) = (cone.project(&z), cone.project(&moved));
            let mut predicted = before.point;
            for (axis, share) in before.axes.iter().zip(before.shares) {
                let along = share * dot(axis, &step);
                for i in 0..3 {
                    predicted[i] += along * axis[i];
                }
            }
            // Points near an edge of the regions move by either side's shares; the curvature is of second order elsewhere.
            let error = (0..3).map(|i| (predicted[i] - after.point[i]).abs()).fold(0.0, f64::max);
            let changed = before.shares[1] != after.shares[1] || (z[1].hypot(z[2]) < 1e-3);
            assert!(changed || error < 1e-10, "{z:?} {error:e}");
        }
    }
}
