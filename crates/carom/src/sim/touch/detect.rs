//! All places where two parts touch.

use super::meeting::{Feature, Kinematics, Meeting};
use super::separation::{Separation, World, hulls, margin};
use crate::sim::part::{Core, Part};
use crate::sim::state::State;
use nalgebra::Vector3;

/// Which features of A and B meet, by their places in the hulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    Whole,
    Vertex(usize),
    Edge(usize),
    Face(usize),
}

/// A place where two parts touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    pub(crate) labels: [Label; 2],
    pub(crate) meeting: Meeting,
    pub(crate) now: Kinematics,
}

/// Parts that have sunk into each other deeper than they are looked for, up to so many times that, still touch there.
pub(crate) const SUNK: f64 = 1e4;

/// Places where two parts touch, those included that have sunk in by more than `reach`.
pub(crate) fn all_touches(a: (&Part, &State), b: (&Part, &State), reach: f64) -> Vec<Touch> {
    let depth = Separation::of((a.0, &a.1.pose), (b.0, &b.1.pose)).map_or(0.0, |apart| -apart.gap);
    let sunk = depth > reach && depth <= SUNK * reach;
    touches(a, b, if sunk { 2.0 * depth } else { reach })
}

/// Places where two parts touch: gaps up to `reach`, in a fixed order.
fn touches(a: (&Part, &State), b: (&Part, &State), reach: f64) -> Vec<Touch> {
    let mut found = Vec::new();
    let radius = [a.0.radius, b.0.radius];
    let mut add = |labels: [Label; 2], of_a: Feature, of_b: Feature, side: f64| {
        let meeting = Meeting { a: of_a, b: of_b, radius, side };
        if let Some(now) = meeting.at(a.1, b.1)
            && now.gap.abs() <= reach
        {
            found.push(Touch { labels, meeting, now });
        }
    };
    match (&a.0.core, &b.0.core) {
        (Core::Hull(hull), Core::HalfSpace { normal, offset }) => {
            let plane = Feature::Plane(normal * *offset, *normal);
            for (k, vertex) in hull.vertices.iter().enumerate() {
                add([Label::Vertex(k), Label::Whole], Feature::Point(*vertex), plane, 1.0);
            }
        }
        (Core::Hull(hull_a), Core::Hull(hull_b)) => {
            let (world_a, world_b) = (World::new(hull_a, &a.1.pose), World::new(hull_b, &b.1.pose));
            between(&world_a, &world_b, radius, reach, &mut add);
            if found.is_empty() && radius == [0.0; 2] {
                found.extend(by_the_way_apart((a.1, &world_a), (b.1, &world_b), reach));
            }
        }
        (Core::HalfSpace { .. }, _) => {}
        (own, Core::Hull(hull)) => {
            let world = World::new(hull, &b.1.pose);
            if let Some(own) = own.round() {
                world.features().for_each(|(label, feature)| add([Label::Whole, label], own, feature, 1.0));
            }
            found.retain(|touch| world.is_met(touch.labels[1], &touch.now, &touch.now.normal, reach));
        }
        (Core::Hull(hull), other) => {
            let world = World::new(hull, &a.1.pose);
            if let Some(other) = other.round() {
                world.features().for_each(|(label, feature)| add([label, Label::Whole], feature, other, 1.0));
            }
            found.retain(|touch| world.is_met(touch.labels[0], &touch.now, &-touch.now.normal, reach));
        }
        (own, other) => {
            let whole = match other {
                Core::HalfSpace { normal, offset } => Some(Feature::Plane(normal * *offset, *normal)),
                other => other.round(),
            };
            if let (Some(own), Some(whole)) = (own.round(), whole) {
                add([Label::Whole; 2], own, whole, 1.0);
            }
        }
    }
    found
}

/// Where sharp corners meet corners or edges, no feature lies clearly inside another: those count along which the hulls are apart.
fn by_the_way_apart(a: (&State, &World<'_>), b: (&State, &World<'_>), reach: f64) -> Option<Touch> {
    let apart = hulls(a.1, b.1, 0.0);
    let named = |world: &World<'_>, feature: Feature, up: Vector3<f64>| match feature {
        Feature::Line(..) => (0..world.hull.edges.len()).find(|k| world.line(*k) == feature).map(Label::Edge),
        Feature::Plane(..) => (0..world.hull.faces.len()).find(|k| world.plane(*k) == feature).map(Label::Face),
        _ => {
            let higher = |p: &Vector3<f64>, q: &Vector3<f64>| p.dot(&up).total_cmp(&q.dot(&up));
            world.vertices.iter().enumerate().max_by(|(_, p), (_, q)| higher(p, q)).map(|(k, _)| Label::Vertex(k))
        }
    };
    let labels = [named(a.1, apart.features[0], -apart.normal)?, named(b.1, apart.features[1], apart.normal)?];
    let [of_a, of_b] = [(a.1, labels[0], apart.features[0]), (b.1, labels[1], apart.features[1])]
        .map(|(world, label, feature)| if let Label::Vertex(k) = label { world.corner(k) } else { feature });
    [1.0, -1.0].into_iter().find_map(|side| {
        let meeting = Meeting { a: of_a, b: of_b, radius: [0.0; 2], side };
        let now = meeting.at(a.0, b.0).filter(|now| now.gap.abs() <= reach && now.normal.dot(&apart.normal) > 0.0)?;
        Some(Touch { labels, meeting, now })
    })
}

/// The features of two hulls that may touch: corner and face, corner and edge, edge and edge, two corners. Sharp hulls touch with
/// corners on faces and with crossing edges only.
fn between(
    a: &World<'_>,
    b: &World<'_>,
    radius: [f64; 2],
    reach: f64,
    add: &mut impl FnMut([Label; 2], Feature, Feature, f64),
) {
    let rounding = radius[0] + radius[1];
    // Where a corner rests on a face, the whole body is above that face.
    let supporting = |world: &World<'_>, other: &World<'_>| -> Vec<usize> {
        let above = |face: &usize| other.vertices.iter().all(|v| height(world, *face, v) >= rounding - reach);
        (0..world.hull.faces.len()).filter(above).collect()
    };
    let (faces_a, faces_b) = (supporting(a, b), supporting(b, a));
    let mut met: Vec<&Vector3<f64>> = Vec::new();
    for (k, vertex) in a.vertices.iter().enumerate() {
        let own = a.corner(k);
        for face in faces_b.iter().copied().filter(|face| on_face(b, *face, vertex, rounding, reach)) {
            add([Label::Vertex(k), Label::Face(face)], own, b.plane(face), 1.0);
            met.push(vertex);
        }
        for edge in (0..b.hull.edges.len()).filter(|edge| rounding > 0.0 && beside(b, *edge, vertex)) {
            add([Label::Vertex(k), Label::Edge(edge)], own, b.line(edge), 1.0);
        }
        for other in (0..b.vertices.len()).filter(|_| rounding > 0.0) {
            if outside(b, other, vertex) && outside(a, k, &b.vertices[other]) {
                add([Label::Vertex(k), Label::Vertex(other)], own, b.corner(other), 1.0);
            }
        }
    }
    for (k, vertex) in b.vertices.iter().enumerate() {
        let own = b.corner(k);
        for face in faces_a.iter().copied().filter(|face| on_face(a, *face, vertex, rounding, reach)) {
            // Two corners that meet each other's faces at one place count once.
            if met.iter().any(|other| (*other - vertex).norm() <= rounding + 2.0 * reach) {
                continue;
            }
            add([Label::Face(face), Label::Vertex(k)], a.plane(face), own, 1.0);
        }
        for edge in (0..a.hull.edges.len()).filter(|edge| rounding > 0.0 && beside(a, *edge, vertex)) {
            add([Label::Edge(edge), Label::Vertex(k)], a.line(edge), own, 1.0);
        }
    }
    for i in 0..a.hull.edges.len() {
        for j in 0..b.hull.edges.len() {
            if let Some(side) = crossing_side(a, i, b, j, rounding, reach) {
                add([Label::Edge(i), Label::Edge(j)], a.line(i), b.line(j), side);
            }
        }
    }
}

fn height(world: &World<'_>, face: usize, point: &Vector3<f64>) -> f64 {
    world.face_normal(face).dot(&(point - world.vertices[world.hull.faces[face].corners[0]]))
}

fn on_face(world: &World<'_>, face: usize, point: &Vector3<f64>, rounding: f64, reach: f64) -> bool {
    world.hull.faces[face].corners.len() > 1
        && (height(world, face, point) - rounding).abs() <= reach
        && margin(world, face, point) >= -reach
}

/// Whether the nearest point of an edge is inside it.
fn beside(world: &World<'_>, edge: usize, point: &Vector3<f64>) -> bool {
    let [p, q] = world.hull.edges[edge].map(|k| world.vertices[k]);
    let (along, from) = (q - p, point - p);
    let inside = from.dot(&along) > 0.0 && from.dot(&along) < along.norm_squared();
    inside && faces_of_edge(world, edge).all(|face| margin(world, face, point) <= 0.0)
}

/// Whether the nearest point of a hull is this corner.
fn outside(world: &World<'_>, corner: usize, point: &Vector3<f64>) -> bool {
    let from = point - world.vertices[corner];
    world.vertices.iter().all(|other| (other - world.vertices[corner]).dot(&from) <= 0.0)
}

fn faces_of_edge<'a>(world: &'a World<'_>, edge: usize) -> impl Iterator<Item = usize> + 'a {
    let ends = world.hull.edges[edge];
    let faces = world.hull.faces.iter().enumerate();
    faces.filter(move |(_, face)| ends.iter().all(|end| face.corners.contains(end))).map(|(k, _)| k)
}

/// If two edges cross inside both and one body lies above the other there: the side of the normal.
fn crossing_side(a: &World<'_>, i: usize, b: &World<'_>, j: usize, rounding: f64, reach: f64) -> Option<f64> {
    let ([p, q], [r, s]) = (a.hull.edges[i].map(|k| a.vertices[k]), b.hull.edges[j].map(|k| b.vertices[k]));
    let (u, v) = (q - p, s - r);
    let cross = u.cross(&v);
    let sine = cross.norm() / (u.norm() * v.norm());
    if sine < 1e-6 {
        return None;
    }
    let n = cross.normalize();
    let distance = n.dot(&(p - r));
    if (distance.abs() - rounding).abs() > reach {
        return None;
    }
    // Parts of the edges where they come closest.
    let (along_a, along_b) = ((r - p).cross(&v).dot(&n) / cross.norm(), (r - p).cross(&u).dot(&n) / cross.norm());
    let inside = |part: f64, length: f64| part * length > reach && (1.0 - part) * length > reach;
    if !inside(along_a, u.norm()) || !inside(along_b, v.norm()) {
        return None;
    }
    if rounding > 0.0 {
        return Some(distance.signum());
    }
    // Sharp: the plane of both edges separates the hulls on one side or the other.
    [1.0, -1.0].into_iter().find(|side| {
        let n = n * *side;
        a.vertices.iter().all(|x| n.dot(&(x - p)) >= -reach) && b.vertices.iter().all(|y| n.dot(&(y - r)) <= reach)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::sim::hull::Hull;
    use crate::sim::id::MaterialId;
    use nalgebra::UnitQuaternion;
    use std::f64::consts::FRAC_PI_4;

    const REACH: f64 = 1e-9;

    fn sharp(hull: Hull) -> Part {
        Part::sharp(hull, MaterialId::default())
    }

    fn at(position: Vector3<f64>, turn: Vector3<f64>) -> State {
        let mut state = State::world();
        state.pose.position = position;
        state.pose.orientation = UnitQuaternion::from_scaled_axis(turn);
        state
    }

    /// Two blocks stand on one floor; an upright edge of one leans against a face of the other.
    #[test]
    fn an_edge_along_a_face_touches_it_with_both_ends_also_at_the_rim() {
        let (cube, tall) = (sharp(Hull::block([1.0; 3])), sharp(Hull::block([1.0, 1.0, 2.0])));
        let upright = at(Vector3::new(0.5 + 0.5f64.sqrt(), 0.0, 0.0), Vector3::z() * FRAC_PI_4);
        for (a, b) in [(&cube, &cube), (&tall, &cube), (&cube, &tall)] {
            // Feet at one height.
            let lift = |part: &Part| Vector3::z() * part.support(&State::world().pose, &Vector3::z());
            let (mut first, mut second) = (at(lift(a), Vector3::zeros()), upright);
            second.pose.position += lift(b);
            for _ in 0..2 {
                let found = touches((a, &first), (b, &second), REACH);
                let mut heights: Vec<f64> = found.iter().map(|touch| touch.now.point.z).collect();
                heights.sort_by(f64::total_cmp);
                let top = 2.0 * lift(a).z.min(lift(b).z);
                assert_eq!(heights.len(), 2, "{found:?}");
                assert!(heights[0].abs() < 1e-12 && (heights[1] - top).abs() < 1e-12, "{heights:?}");
                let back = touches((b, &second), (a, &first), REACH);
                assert_eq!(back.len(), 2, "{back:?}");
                first.pose.position += Vector3::y() * 0.3;
                second.pose.position += Vector3::y() * 0.3;
            }
        }
    }

    #[test]
    fn sharp_corners_touch_corners_and_ridges() {
        let cube = sharp(Hull::block([1.0; 3]));
        // A ridge upwards, and a corner downwards on it.
        let ridge = at(Vector3::zeros(), Vector3::x() * FRAC_PI_4);
        let tip = UnitQuaternion::rotation_between(&Vector3::new(1.0, 1.0, 1.0), &Vector3::z()).unwrap();
        let above = |height: f64| at(Vector3::new(0.1, 0.0, height + 0.75f64.sqrt()), tip.scaled_axis());
        let found = touches((&cube, &above(0.5f64.sqrt())), (&cube, &ridge), REACH);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].now.point - Vector3::new(0.1, 0.0, 0.5f64.sqrt())).norm() < 1e-12);
        assert!(touches((&cube, &above(0.5f64.sqrt() + 1e-6)), (&cube, &ridge), REACH).is_empty());
        // Two squares, corner on corner, one of them a little turned.
        let square = sharp(Hull::rectangle([1.0; 2]));
        let corner = Vector3::y() * 0.5f64.sqrt();
        let lower = at(Vector3::zeros(), Vector3::z() * FRAC_PI_4);
        let mut upper = at(Vector3::zeros(), Vector3::z() * (FRAC_PI_4 + 0.2));
        upper.pose.position = corner + upper.pose.direction(&Vector3::new(0.5, 0.5, 0.0));
        for (a, b) in [(&upper, &lower), (&lower, &upper)] {
            let found = touches((&square, a), (&square, b), REACH);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!((found[0].now.point - corner).norm() < 1e-12);
        }
    }
}
