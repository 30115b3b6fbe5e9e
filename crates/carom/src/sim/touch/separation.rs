//! How far two convex parts are apart, and along which direction.

use super::ellipsoid::{common_normal, thinnest};
use super::ellipsoid_hull::separation;
use super::meeting::{Feature, Meeting};
use crate::sim::hull::Hull;
use crate::sim::part::{Core, Part};
use crate::sim::state::{Pose, State};
use nalgebra::Vector3;

/// The gap of two parts. It is zero where they touch, negative where they overlap, and never more than their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Separation {
    /// m.
    pub(crate) gap: f64,
    /// From B towards A: along it the parts are apart by the gap.
    pub(crate) normal: Vector3<f64>,
    /// Features that the normal belongs to, and turns with.
    pub(crate) features: [Feature; 2],
}

/// Above a face all that matters is the face.
const CENTRE: Feature = Feature::Point(Vector3::new(0.0, 0.0, 0.0));
/// An edge pair whose directions make a smaller sine than this gives no direction of its own.
const PARALLEL: f64 = 1e-9;

impl Separation {
    /// The gap of two parts at these poses; nothing where A is a half-space.
    pub(crate) fn of(a: (&Part, &Pose), b: (&Part, &Pose)) -> Option<Separation> {
        let rounding = a.0.radius + b.0.radius;
        match (&a.0.core, &b.0.core) {
            (_, Core::HalfSpace { normal, offset }) => {
                // Of the world: its axes are the world's.
                Some(Separation {
                    gap: -a.0.support(a.1, &-normal) - offset - b.0.radius,
                    normal: *normal,
                    features: [a.0.core.round().unwrap_or(CENTRE), Feature::Plane(normal * *offset, *normal)],
                })
            }
            (Core::HalfSpace { .. }, _) => None,
            (Core::Hull(hull_a), Core::Hull(hull_b)) => {
                Some(hulls(&World::new(hull_a, a.1), &World::new(hull_b, b.1), rounding))
            }
            (_, Core::Hull(hull)) => {
                let apart = separation((&a.0.core.round()?, a.1), &World::new(hull, b.1));
                Some(Separation { gap: apart.gap - rounding, ..apart })
            }
            (Core::Hull(_), _) => Some(Separation::of(b, a)?.mirrored()),
            _ => {
                let features = [a.0.core.round()?, b.0.core.round()?];
                let (own, other) = ((&features[0], a.1), (&features[1], b.1));
                let normal = common_normal(own, other).unwrap_or_else(|| thinnest(own, other));
                let gap = -a.0.support(a.1, &-normal) - b.0.support(b.1, &normal);
                Some(Separation { gap, normal, features })
            }
        }
    }

    /// Seen from the other part.
    fn mirrored(self) -> Separation {
        let [a, b] = self.features;
        Separation { gap: self.gap, normal: -self.normal, features: [b, a] }
    }
}

/// A hull at a pose.
pub(crate) struct World<'a> {
    pub(crate) hull: &'a Hull,
    pub(crate) pose: &'a Pose,
    pub(crate) vertices: Vec<Vector3<f64>>,
}

impl<'a> World<'a> {
    pub(crate) fn new(hull: &'a Hull, pose: &'a Pose) -> World<'a> {
        World { hull, pose, vertices: hull.vertices.iter().map(|v| pose.point(v)).collect() }
    }

    fn lowest(&self, direction: &Vector3<f64>) -> f64 {
        self.vertices.iter().map(|v| v.dot(direction)).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn highest(&self, direction: &Vector3<f64>) -> f64 {
        self.vertices.iter().map(|v| v.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    pub(crate) fn face_normal(&self, face: usize) -> Vector3<f64> {
        self.pose.direction(&self.hull.faces[face].normal)
    }

    pub(crate) fn edge(&self, edge: usize) -> [Vector3<f64>; 2] {
        self.hull.edges[edge].map(|k| self.vertices[k])
    }

    pub(crate) fn corner(&self, vertex: usize) -> Feature {
        Feature::Point(self.hull.vertices[vertex])
    }

    pub(crate) fn line(&self, edge: usize) -> Feature {
        let [p, q] = self.hull.edges[edge].map(|k| self.hull.vertices[k]);
        Feature::Line(p, (q - p).normalize())
    }

    pub(crate) fn plane(&self, face: usize) -> Feature {
        let face = &self.hull.faces[face];
        Feature::Plane(self.hull.vertices[face.corners[0]], face.normal)
    }
}

/// The gap of two hulls, along the normals of faces and across pairs of edges.
pub(super) fn hulls(a: &World<'_>, b: &World<'_>, rounding: f64) -> Separation {
    if let ([x], [y]) = (&a.vertices[..], &b.vertices[..]) {
        let apart = x - y;
        let gap = apart.norm();
        let normal = if gap > 0.0 { apart / gap } else { Vector3::y() };
        return Separation { gap: gap - rounding, normal, features: [a.corner(0), b.corner(0)] };
    }
    let mut best = Separation { gap: f64::NEG_INFINITY, normal: Vector3::y(), features: [CENTRE; 2] };
    let mut consider = |normal: Vector3<f64>, features: &dyn Fn() -> [Feature; 2]| {
        let gap = a.lowest(&normal) - b.highest(&normal);
        if gap > best.gap {
            best = Separation { gap, normal, features: features() };
        }
        best.gap
    };
    for face in 0..b.hull.faces.len() {
        consider(b.face_normal(face), &|| [CENTRE, b.plane(face)]);
    }
    let mut widest = f64::NEG_INFINITY;
    for face in 0..a.hull.faces.len() {
        widest = consider(-a.face_normal(face), &|| [a.plane(face), CENTRE]);
    }
    let normals = [a, b].map(|own| (0..own.hull.faces.len()).map(|face| own.face_normal(face)).collect::<Vec<_>>());
    let mut slopes = vec![0.0; normals[1].len()];
    for i in 0..a.hull.edges.len() {
        let [p, q] = a.edge(i);
        let along = q - p;
        let length = along.norm();
        for (slope, normal) in slopes.iter_mut().zip(&normals[1]) {
            *slope = normal.dot(&along);
        }
        for j in 0..b.hull.edges.len() {
            // Edges bound the difference of the hulls only where each passes between the faces of the other: others separate nothing
            // that faces do not.
            if b.hull.sides.get(j).is_some_and(|sides| same_side(sides.map(|face| slopes[face]), length)) {
                continue;
            }
            let [r, s] = b.edge(j);
            let across = s - r;
            let width = across.norm();
            let passes = |sides: &[usize; 2]| same_side(sides.map(|face| normals[0][face].dot(&across)), width);
            if a.hull.sides.get(i).is_some_and(passes) {
                continue;
            }
            let cross = along.cross(&across);
            let size = cross.norm();
            if size > PARALLEL * length * width {
                let normal = cross / size;
                // Along no direction are hulls farther apart than two of their corners: most pairs of edges need no more.
                let apart = p.dot(&normal) - r.dot(&normal);
                for (normal, most) in [(normal, apart), (-normal, -apart)] {
                    if most > widest {
                        widest = consider(normal, &|| [a.line(i), b.line(j)]);
                    }
                }
            }
        }
    }
    // The normals considered are those of all faces of the difference of the hulls if one of them has faces: then the gap has the right
    // sign. Points and parallel segments in space have no such normals, and their distance is never negative.
    let without_faces = a.hull.faces.is_empty() && b.hull.faces.is_empty();
    let without_normals = best.gap == f64::NEG_INFINITY;
    if without_normals || rounding > 0.0 && (best.gap > 0.0 || without_faces) {
        // Rounded corners: the true distance counts.
        if let Some(nearest) = nearest(a, b) {
            best = nearest;
        } else if without_normals {
            best = meeting_cores(a, b);
        }
    }
    Separation { gap: best.gap - rounding, ..best }
}

/// The gap of points and parallel segments that have a point in common: zero along any direction across.
fn meeting_cores(a: &World<'_>, b: &World<'_>) -> Separation {
    let mut edges = [a, b].into_iter().flat_map(|own| (0..own.hull.edges.len()).map(|edge| own.edge(edge)));
    let normal = edges.next().map_or_else(Vector3::y, |[p, q]| across(&(q - p)));
    Separation { gap: a.lowest(&normal) - b.highest(&normal), normal, features: [CENTRE; 2] }
}

/// A unit vector across another vector.
fn across(along: &Vector3<f64>) -> Vector3<f64> {
    along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize()
}

/// Whether an edge of some length leaves both faces of another on the same side, by more than rounding.
fn same_side([one, other]: [f64; 2], length: f64) -> bool {
    one * other > 0.0 && one.abs().min(other.abs()) > PARALLEL * length
}

/// Whether the plane of a face shows that two hulls are farther apart than this.
pub(super) fn parted(a: &World<'_>, b: &World<'_>, far: f64) -> bool {
    let beyond = |own: &World<'_>, other: &World<'_>| {
        (0..own.hull.faces.len()).any(|face| {
            let normal = own.face_normal(face);
            other.lowest(&normal) - own.highest(&normal) > far
        })
    };
    beyond(a, b) || beyond(b, a)
}

/// The distance of two hulls that do not overlap, over all pairs of their features.
pub(super) fn nearest(a: &World<'_>, b: &World<'_>) -> Option<Separation> {
    let mut least: Option<(f64, Vector3<f64>, [Feature; 2])> = None;
    let mut consider = |apart: Vector3<f64>, features: [Feature; 2]| {
        let distance = apart.norm();
        if least.is_none_or(|(known, ..)| distance < known) {
            least = Some((distance, apart, features));
        }
    };
    for (i, x) in a.vertices.iter().enumerate() {
        for (j, y) in b.vertices.iter().enumerate() {
            consider(x - y, [a.corner(i), b.corner(j)]);
        }
        sides(b, x).for_each(|(apart, side)| consider(apart, [a.corner(i), side]));
    }
    for (j, y) in b.vertices.iter().enumerate() {
        sides(a, y).for_each(|(apart, side)| consider(-apart, [side, b.corner(j)]));
    }
    for i in 0..a.hull.edges.len() {
        for j in 0..b.hull.edges.len() {
            if let Some(apart) = crossing(a.edge(i), b.edge(j)) {
                consider(apart, [a.line(i), b.line(j)]);
            }
        }
    }
    let (gap, apart, features) = least?;
    (gap > 0.0).then(|| Separation { gap, normal: apart / gap, features })
}

/// From the nearest points of the edges and faces of a hull to a point, where these are inside them; and these features.
fn sides<'a>(hull: &'a World<'_>, point: &'a Vector3<f64>) -> impl Iterator<Item = (Vector3<f64>, Feature)> + 'a {
    let edges = (0..hull.hull.edges.len()).filter_map(move |edge| {
        let [p, q] = hull.edge(edge);
        let along = q - p;
        let part = (point - p).dot(&along) / along.norm_squared();
        (0.0..=1.0).contains(&part).then(|| (point - (p + along * part), hull.line(edge)))
    });
    let faces = (0..hull.hull.faces.len()).filter_map(move |face| {
        let normal = hull.face_normal(face);
        let height = normal.dot(&(point - hull.vertices[hull.hull.faces[face].corners[0]]));
        (margin(hull, face, point) >= 0.0 && height > 0.0).then(|| (normal * height, hull.plane(face)))
    });
    edges.chain(faces)
}

/// How far the projection of a point is inside a face, m; negative outside. A face of one corner has no inside.
pub(crate) fn margin(hull: &World<'_>, face: usize, point: &Vector3<f64>) -> f64 {
    let (corners, normal) = (&hull.hull.faces[face].corners, hull.face_normal(face));
    let at = |k: usize| hull.vertices[corners[k % corners.len()]];
    match corners.len() {
        1 => f64::NEG_INFINITY,
        2 => {
            let along = (at(1) - at(0)).normalize();
            along.dot(&(point - at(0))).min(along.dot(&(at(1) - point)))
        }
        count => {
            let inward = |k: usize| normal.cross(&(at(k + 1) - at(k)).normalize()).dot(&(point - at(k)));
            (0..count).map(inward).fold(f64::INFINITY, f64::min)
        }
    }
}

/// From the nearest point of the second segment to that of the first, if both are inside.
fn crossing([p, q]: [Vector3<f64>; 2], [r, s]: [Vector3<f64>; 2]) -> Option<Vector3<f64>> {
    let still = State::world();
    let (u, v) = ((q - p).normalize(), (s - r).normalize());
    let meeting = Meeting { a: Feature::Line(p, u), b: Feature::Line(r, v), radius: [0.0; 2], side: 1.0 };
    if u.cross(&v).norm() < PARALLEL {
        return None;
    }
    let contact = meeting.at(&still, &still)?;
    let on_b = contact.point - contact.normal * contact.gap;
    let inside = |from: Vector3<f64>, to: Vector3<f64>, point: Vector3<f64>| {
        (0.0..=(to - from).norm_squared()).contains(&(point - from).dot(&(to - from)))
    };
    (inside(p, q, contact.point) && inside(r, s, on_b)).then(|| contact.normal * contact.gap)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::dimension::Dimension;
    use crate::random::Random;
    use crate::sim::id::MaterialId;
    use nalgebra::UnitQuaternion;

    /// The distance of two hulls by projecting back and forth between dense samples of their surfaces is never less than the gap, and
    /// close to it for rounded ones.
    #[test]
    fn a_gap_is_the_distance_of_rounded_parts_and_never_more_than_that_of_sharp_ones() {
        let mut random = Random(5);
        let mut met = 0;
        for _ in 0..300 {
            let size = [0.5, 1.0, 1.5].map(|s| s * random.between(0.5, 1.5));
            let hulls = [Hull::block(size), Hull::segment(1.0, Dimension::Spatial), Hull::point(Vector3::zeros())];
            let pick = |random: &mut Random| hulls[(random.unit() * 3.0) as usize].clone();
            let (a, b) = (pick(&mut random), pick(&mut random));
            let pose = |random: &mut Random, far: f64| Pose {
                position: random.direction() * far,
                orientation: UnitQuaternion::from_scaled_axis(random.direction() * 3.0),
            };
            let (pose_a, pose_b) = (pose(&mut random, 1.6), pose(&mut random, 0.3));
            let (world_a, world_b) = (World::new(&a, &pose_a), World::new(&b, &pose_b));
            // Alternating projections of convex sets, as quadratic programs over weights of corners (Frank and Wolfe).
            let (mut x, mut y) = (world_a.vertices[0], world_b.vertices[0]);
            for k in 0..20_000 {
                let d = x - y;
                let low = |w: &World<'_>, n: Vector3<f64>| {
                    *w.vertices.iter().min_by(|p, q| p.dot(&n).total_cmp(&q.dot(&n))).unwrap()
                };
                let rate = 2.0 / (f64::from(k) + 2.0);
                x += (low(&world_a, d) - x) * rate;
                y += (low(&world_b, -d) - y) * rate;
            }
            let distance = (x - y).norm();
            if distance < 0.05 {
                continue;
            }
            met += 1;
            let part = |hull: &Hull, radius: f64| Part {
                core: Core::Hull(hull.clone()),
                radius,
                material: MaterialId::default(),
            };
            let rounded = Separation::of((&part(&a, 0.01), &pose_a), (&part(&b, 0.02), &pose_b)).unwrap();
            assert!((rounded.gap + 0.03 - distance).abs() < 2e-3, "{} {distance}", rounded.gap + 0.03);
            if !a.faces.is_empty() && !b.faces.is_empty() {
                let sharp = Separation::of((&part(&a, 0.0), &pose_a), (&part(&b, 0.0), &pose_b)).unwrap();
                assert!(sharp.gap > 0.0 && sharp.gap <= distance + 1e-9);
            }
        }
        assert!(met > 100, "{met}");
    }
}
