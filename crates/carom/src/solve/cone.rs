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
    /// How many of the shares are above 0: they come first.
    pub(crate) free: usize,
}

const IDENTITY: [Point; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Cone {
    /// The unknowns of the cone.
    #[inline]
    pub(crate) fn of(&self, x: &[f64]) -> Point {
        match &x[self.start..self.start + self.size] {
            [n, t1, t2] => [*n, *t1, *t2],
            [n, t] => [*n, *t, 0.0],
            x => [x[0], 0.0, 0.0],
        }
    }

    pub(crate) fn contains(&self, x: &Point) -> bool {
        if self.size == 1 { x[0] >= 0.0 } else { x[1].hypot(x[2]) <= self.friction * x[0] }
    }

    /// The nearest point of the cone.
    pub(crate) fn project(&self, z: &Point) -> Projection {
        if self.friction.is_infinite() {
            return Projection { point: *z, axes: IDENTITY, shares: [1.0; 3], free: self.size };
        }
        if self.size == 1 {
            let free = u8::from(z[0] > 0.0);
            let (point, shares) = ([z[0].max(0.0), 0.0, 0.0], [f64::from(free), 0.0, 0.0]);
            return Projection { point, axes: IDENTITY, shares, free: free.into() };
        }
        let (n, slip, mu) = (z[0], (z[1] * z[1] + z[2] * z[2]).sqrt(), self.friction);
        if slip <= mu * n {
            return Projection { point: *z, axes: IDENTITY, shares: [1.0; 3], free: self.size };
        }
        if mu * slip <= -n {
            return Projection { point: [0.0; 3], axes: IDENTITY, shares: [0.0; 3], free: 0 };
        }
        // Onto the ray (1, μ u), u along the tangential part of z.
        let (per_slip, per_length) = (slip.recip(), (1.0 + mu * mu).sqrt().recip());
        let u = [z[1] * per_slip, z[2] * per_slip];
        let along = (n + mu * slip) * (per_length * per_length);
        let (rise, run) = (mu * per_length, [u[0] * per_length, u[1] * per_length]);
        let ray = [per_length, mu * run[0], mu * run[1]];
        let out = [-rise, run[0], run[1]];
        let across = [0.0, -u[1], u[0]];
        let point = [along, along * mu * u[0], along * mu * u[1]];
        if self.size == 2 {
            return Projection { point, axes: [ray, out, across], shares: [1.0, 0.0, 0.0], free: 1 };
        }
        let turn = along * mu * per_slip;
        let free = if turn > 0.0 { 2 } else { 1 };
        Projection { point, axes: [ray, across, out], shares: [1.0, turn, 0.0], free }
    }
}

impl Projection {
    /// What is left of a point.
    pub(crate) fn miss(&self, x: &Point) -> Point {
        std::array::from_fn(|i| x[i] - self.point[i])
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
            let changed = before.shares[2] != after.shares[2] || (z[1].hypot(z[2]) < 1e-3);
            assert!(changed || error < 1e-10, "{z:?} {error:e}");
        }
    }
}
