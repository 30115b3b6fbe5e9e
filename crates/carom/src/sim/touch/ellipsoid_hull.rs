//! An ellipsoid and a hull: how far they are apart, and which corners, edges and faces may be met.

use super::detect::Label;
use super::ellipsoid::{common_normal, thinnest};
use super::forms::Support;
use super::meeting::{Feature, Kinematics};
use super::separation::{Separation, World, margin};
use crate::sim::state::Pose;
use nalgebra::Vector3;

impl World<'_> {
    /// Its faces, edges and corners.
    pub(crate) fn features(&self) -> impl Iterator<Item = (Label, Feature)> + '_ {
        let faces = (0..self.hull.faces.len()).map(|k| (Label::Face(k), self.plane(k)));
        let edges = (0..self.hull.edges.len()).map(|k| (Label::Edge(k), self.line(k)));
        let corners = (0..self.vertices.len()).map(|k| (Label::Vertex(k), self.corner(k)));
        faces.chain(edges).chain(corners)
    }

    /// How far the rest of the hull is below an edge or a corner along a direction, m: negative where the direction is not one of
    /// those in which the feature sticks out.
    pub(crate) fn prominence(&self, label: Label, up: &Vector3<f64>) -> f64 {
        let own: &[usize] = match label {
            Label::Edge(k) => &self.hull.edges[k],
            Label::Vertex(k) => &[k],
            Label::Face(_) | Label::Whole => return f64::INFINITY,
        };
        let height = up.dot(&self.vertices[own[0]]);
        let others = self.vertices.iter().enumerate().filter(|(k, _)| !own.contains(k));
        others.map(|(_, vertex)| height - up.dot(vertex)).fold(f64::INFINITY, f64::min)
    }

    /// How far a point is inside the rim of a face or the ends of an edge, m.
    pub(crate) fn inset(&self, label: Label, point: &Vector3<f64>) -> f64 {
        match label {
            Label::Face(face) => margin(self, face, point),
            Label::Edge(edge) => {
                let [p, q] = self.edge(edge);
                let along = (q - p).normalize();
                along.dot(&(point - p)).min(along.dot(&(q - point)))
            }
            Label::Vertex(_) | Label::Whole => f64::INFINITY,
        }
    }

    /// Whether the nearest place of the hull to what it meets at a contact, `up` from there, is on this feature.
    pub(crate) fn is_met(&self, label: Label, now: &Kinematics, up: &Vector3<f64>, reach: f64) -> bool {
        self.inset(label, &now.point) >= -reach && self.prominence(label, up) >= 0.0
    }
}

/// The gap of the ellipsoid of A and a hull of B. One of the hull's features has the normal of the least distance, and no direction
/// shows a wider gap than that.
pub(super) fn separation(ellipsoid: (&Feature, &Pose), hull: &World<'_>) -> Separation {
    let (own, pose) = ellipsoid;
    let stretch = own.stretch(pose);
    let centre = pose.point(own.place());
    let mut best = Separation { gap: f64::NEG_INFINITY, normal: Vector3::y(), features: [*own, hull.corner(0)] };
    for (label, feature) in hull.features() {
        let other = (&feature, hull.pose);
        let normal = common_normal(ellipsoid, other).unwrap_or_else(|| thinnest(ellipsoid, other));
        let lowest = centre - Support::of(&stretch, &normal).place;
        let gap = normal.dot(&lowest) - hull.highest(&normal);
        if gap > best.gap {
            best = Separation { gap, normal, features: [*own, feature] };
        }
        if gap >= 0.0 && matches!(label, Label::Face(_)) && hull.inset(label, &lowest) >= 0.0 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::dimension::Dimension;
    use crate::random::Random;
    use crate::sim::hull::Hull;
    use crate::sim::id::MaterialId;
    use crate::sim::part::{Core, Part};
    use nalgebra::UnitQuaternion;

    /// The point of a part's core that reaches farthest along a direction.
    fn farthest(part: &Part, pose: &Pose, direction: &Vector3<f64>) -> Vector3<f64> {
        match &part.core {
            Core::Hull(hull) => {
                let corners = hull.vertices.iter().map(|v| pose.point(v));
                corners.max_by(|v, w| v.dot(direction).total_cmp(&w.dot(direction))).unwrap()
            }
            Core::Ellipsoid { semi_axes, .. } => {
                let own = pose.orientation.inverse_transform_vector(direction).component_mul(semi_axes);
                pose.point(&own.normalize().component_mul(semi_axes))
            }
            Core::HalfSpace { .. } => Vector3::zeros(),
        }
    }

    /// The distance of the cores from above: points of both that come together as far as they can (Frank & Wolfe).
    fn distance(a: (&Part, &Pose), b: (&Part, &Pose)) -> f64 {
        let towards = |apart: &Vector3<f64>| farthest(a.0, a.1, &-apart) - farthest(b.0, b.1, apart);
        let mut apart = towards(&(a.1.position - b.1.position));
        for _ in 0..4000 {
            let way = towards(&apart) - apart;
            if way == Vector3::zeros() || apart.norm() < 1e-9 {
                break;
            }
            apart += way * (-apart.dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
        }
        apart.norm()
    }

    /// The greatest value over all directions by trying out, nearer and nearer to the best one.
    fn widest(random: &mut Random, gap: impl Fn(&Vector3<f64>) -> f64) -> f64 {
        let mut best = (f64::NEG_INFINITY, Vector3::y());
        for k in 0..12_000 {
            let spread = 2.0 * 0.5_f64.powf(f64::from(k) / 500.0);
            let n = (best.1 + random.direction() * spread).normalize();
            let value = gap(&n);
            if value > best.0 {
                best = (value, n);
            }
        }
        best.0
    }

    #[test]
    fn the_gap_of_an_ellipsoid_is_its_distance_from_anything() {
        let mut random = Random(8);
        let mut met = 0;
        for case in 0..600 {
            let size = [0.0; 3].map(|_: f64| random.log_between(0.01, 1.0));
            let size_b = [0.0; 3].map(|_: f64| random.log_between(0.01, 1.0));
            let a = Part { radius: 0.1 * random.unit(), ..Part::ellipsoid(size, MaterialId::default()) };
            let corners: Vec<[f64; 3]> = (0..10).map(|_| random.direction().into()).collect();
            let core = match case % 6 {
                0 => Core::Hull(Hull::point(Vector3::zeros())),
                1 => Core::Hull(Hull::segment(1.0, Dimension::Spatial)),
                2 => Core::Hull(Hull::block(size_b)),
                3 => Core::Hull(Hull::polyhedron(&corners).unwrap()),
                4 => Core::Hull(Hull::prism(0.5, 0.3, 12)),
                _ => Part::ellipsoid(size_b, MaterialId::default()).core,
            };
            let b = Part { core, radius: 0.1 * random.unit(), material: MaterialId::default() };
            let mut pose = |far: f64| Pose {
                position: random.direction() * far,
                orientation: UnitQuaternion::from_scaled_axis(random.direction() * 3.0),
            };
            let (at_a, at_b) = (pose(0.9), pose(0.3));
            let rounding = a.radius + b.radius;
            let found = Separation::of((&a, &at_a), (&b, &at_b)).unwrap();
            // The parts lie on different sides of a plane: they are no nearer than that.
            let shown = -a.support(&at_a, &-found.normal) - b.support(&at_b, &found.normal);
            assert!((shown - found.gap).abs() < 1e-14, "{case} {found:?} {shown}");
            let above = distance((&a, &at_a), (&b, &at_b)) - rounding;
            assert!(found.gap <= above + 1e-12, "{case} {found:?} {above}");
            // And no other direction shows more, where there is but one maximum.
            let gap = |n: &Vector3<f64>| -a.support(&at_a, &-n) - b.support(&at_b, n);
            if found.gap + rounding > 0.0 {
                met += 1;
                let best = widest(&mut random, gap);
                assert!((found.gap - best).abs() < 1e-5 && best < found.gap + 1e-13, "{case} {found:?} {best}");
            }
            let mirrored = Separation::of((&b, &at_b), (&a, &at_a)).unwrap();
            assert!((mirrored.gap - found.gap).abs() < 1e-14 && (mirrored.normal + found.normal).norm() < 1e-6);
        }
        assert!((200..560).contains(&met), "{met}");
    }
}
