//! All places where two parts touch.

use super::meeting::{Feature, Kinematics, Meeting};
use super::separation::{World, margin};
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

/// Places where two parts touch: gaps up to `reach`, in a fixed order.
pub(crate) fn touches(a: (&Part, &State), b: (&Part, &State), reach: f64) -> Vec<Touch> {
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
    for (k, vertex) in a.vertices.iter().enumerate() {
        let own = a.corner(k);
        for face in faces_b.iter().copied().filter(|face| on_face(b, *face, vertex, rounding, reach)) {
            add([Label::Vertex(k), Label::Face(face)], own, b.plane(face), 1.0);
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
        // Corners that meet a face of each other are found above.
        for face in faces_a.iter().copied().filter(|face| inside_face(a, *face, vertex, rounding, reach)) {
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

/// As [`on_face`], without the rim: a corner there meets a corner or an edge that is counted already.
fn inside_face(world: &World<'_>, face: usize, point: &Vector3<f64>, rounding: f64, reach: f64) -> bool {
    on_face(world, face, point, rounding, reach) && margin(world, face, point) > reach
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
