//! Convex polygons of the impulse plane.

use nalgebra::Vector2;

/// The part of a convex polygon where `row · P ≥ least` (Sutherland & Hodgman 1974).
pub(super) fn clip(polygon: &[Vector2<f64>], row: &Vector2<f64>, least: f64) -> Vec<Vector2<f64>> {
    let height = |p: &Vector2<f64>| row.dot(p) - least;
    let mut inside = Vec::with_capacity(polygon.len() + 2);
    for (i, here) in polygon.iter().enumerate() {
        let next = &polygon[(i + 1) % polygon.len()];
        let (a, b) = (height(here), height(next));
        if a >= 0.0 {
            inside.push(*here);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            inside.push(here + (next - here) * (a / (a - b)));
        }
    }
    inside
}

/// The convex hull, counterclockwise when the first coordinate is drawn to the right and the second upwards; points on
/// an edge are left out (Andrew 1979).
pub(super) fn hull(mut points: Vec<Vector2<f64>>) -> Vec<Vector2<f64>> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Vector2<f64>> = Vec::with_capacity(points.len() + 1);
    let mut half = |points: &mut dyn Iterator<Item = &Vector2<f64>>| {
        let start = hull.len();
        for p in points {
            while hull.len() >= start + 2 && !turns_left(&hull[hull.len() - 2], &hull[hull.len() - 1], p) {
                hull.pop();
            }
            hull.push(*p);
        }
        hull.pop();
    };
    half(&mut points.iter());
    half(&mut points.iter().rev());
    hull
}

/// Whether the way a → b → c turns left by more than rounding.
fn turns_left(a: &Vector2<f64>, b: &Vector2<f64>, c: &Vector2<f64>) -> bool {
    /// Rounding of the coordinates, relative to the products compared.
    const STRAIGHT: f64 = 1e-14;
    let (u, v) = (b - a, c - b);
    let (left, right) = (u.x * v.y, u.y * v.x);
    left - right > STRAIGHT * (left.abs() + right.abs())
}
