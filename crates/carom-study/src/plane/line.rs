//! A line or ray of the impulse plane.

use super::window::Window;
use nalgebra::Vector2;

/// A straight line of the impulse plane, (P_n, P_t), or the half of it ahead of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneLine {
    /// A point of the line; where a ray starts.
    pub point: Vector2<f64>,
    /// Direction, of length 1.
    pub direction: Vector2<f64>,
    /// Whether the line starts at its point instead of being infinite both ways.
    pub is_ray: bool,
}

impl PlaneLine {
    /// The line `row · P = value`; `None` when the row is zero.
    pub(super) fn of_equation(row: &Vector2<f64>, value: f64) -> Option<PlaneLine> {
        // The hypotenuse does not overflow where the sum of squares would.
        let length = row.x.hypot(row.y);
        if length == 0.0 {
            return None;
        }
        let normal = row / length;
        Some(PlaneLine {
            point: normal * (value / length),
            direction: Vector2::new(normal.y, -normal.x),
            is_ray: false,
        })
    }

    /// The ray from `point` along (1, ratio).
    pub(super) fn ray(point: Vector2<f64>, ratio: f64) -> PlaneLine {
        let length = 1.0_f64.hypot(ratio);
        PlaneLine { point, direction: Vector2::new(length.recip(), ratio / length), is_ray: true }
    }

    /// The ends of the part inside a window; a ray's first end is the one nearer its start. `None` when it misses.
    pub fn clip(&self, window: &Window) -> Option<[Vector2<f64>; 2]> {
        let (mut from, mut to) = (if self.is_ray { 0.0 } else { f64::NEG_INFINITY }, f64::INFINITY);
        for i in 0..2 {
            let (start, along) = (self.point[i], self.direction[i]);
            if along == 0.0 {
                if start < window.lower[i] || start > window.upper[i] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((window.lower[i] - start) / along, (window.upper[i] - start) / along);
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
        (from <= to).then(|| [self.point + self.direction * from, self.point + self.direction * to])
    }
}
