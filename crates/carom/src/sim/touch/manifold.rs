//! The places at which two hulls would press if they came closer along their least separation: corners of one face clipped to the other.

use super::meeting::{Feature, Meeting};
use super::separation::{Separation, World, nearest};
use crate::sim::part::{Core, Part};
use crate::sim::state::State;
use nalgebra::Vector3;

/// A place of a manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Tell it from the others, and know it again in the next step.
    pub(crate) labels: [u32; 2],
    pub(crate) point: Vector3<f64>,
    /// From B towards A.
    pub(crate) normal: Vector3<f64>,
    pub(crate) gap: f64,
}

/// A face whose normal is this close to the direction of separation (its cosine, 2.6°) bears the other body: features that tie with it
/// differ by rounding only.
const BEARS: f64 = 0.999;
/// Segments that lie along each other touch at two places: the cosine between them, and the sine to the direction across.
const ALONG: f64 = 0.999;
/// A corner this far beyond a side, as a fraction of the side, is not cut off: faces of one size would keep and lose it by turns.
const RIM: f64 = 1e-3;
/// Corners that clipping makes are numbered from here, by the side that cuts.
const CUT: u32 = 1 << 10;

/// A corner of a polygon while it is clipped.
type Corner = (u32, Vector3<f64>);

/// All places with gaps up to `reach`, in a fixed order; none if the hulls are farther apart.
pub(crate) fn manifold(a: (&Part, &State), b: (&Part, &State), reach: f64) -> Vec<Place> {
    let (Core::Hull(hull_a), Core::Hull(hull_b)) = (&a.0.core, &b.0.core) else { return Vec::new() };
    let Some(apart) = Separation::of((a.0, &a.1.pose), (b.0, &b.1.pose)).filter(|apart| apart.gap <= reach) else {
        return Vec::new();
    };
    let radius = [a.0.radius, b.0.radius];
    let worlds = [World::new(hull_a, &a.1.pose), World::new(hull_b, &b.1.pose)];
    // Sharp hulls that are apart meet where they are nearest, which need not be along the widest separation.
    let sharp = radius == [0.0; 2] && apart.gap > 0.0;
    let apart = if sharp { nearest(&worlds[0], &worlds[1]).unwrap_or(apart) } else { apart };
    if apart.gap > reach {
        return Vec::new();
    }
    let n = apart.normal;
    // Outward of each hull towards the other.
    let towards = [-n, n];
    let bearing = [0, 1].map(|side| worlds[side].facing(&towards[side]));
    // Of two faces that both bear always the same, so that a stack keeps its places.
    let best = usize::from(bearing[1].1 >= BEARS.min(bearing[0].1));
    let mut places = Vec::new();
    if bearing[best].1 >= BEARS {
        let (face, other) = (bearing[best].0, 1 - best);
        let world = &worlds[best];
        let normal = world.face_normal(face);
        let corners: Vec<Vector3<f64>> = world.hull.faces[face].corners.iter().map(|k| world.vertices[*k]).collect();
        let incident = worlds[other].bearing(bearing[other].0, &towards[other]);
        for (label, corner) in clipped(incident, &corners, &normal) {
            let gap = normal.dot(&(corner - corners[0])) - radius[0] - radius[1];
            let mut labels = [face as u32; 2];
            labels[other] = label;
            let point = corner + towards[other] * radius[other];
            places.push(Place { labels, point, normal: if best == 1 { normal } else { -normal }, gap });
        }
    } else if let (Some([p, q]), Some([r, s])) = (worlds[0].segment(), worlds[1].segment())
        && let (u, v) = ((q - p).normalize(), (s - r).normalize())
        && u.dot(&v).abs() >= ALONG
        && u.dot(&n).abs() <= (1.0 - ALONG * ALONG).sqrt()
    {
        for (label, corner) in between_ends(&[(0, p), (1, q)], &[r, s]) {
            let beside = r + v * v.dot(&(corner - r));
            let gap = n.dot(&(corner - beside)) - radius[0] - radius[1];
            places.push(Place { labels: [label, 0], point: corner - n * radius[0], normal: n, gap });
        }
    }
    places.retain(|place| place.gap <= reach);
    if places.is_empty() {
        // Two edges that cross, or round corners: one place. Faces that miss each other on their way past touch nowhere.
        // Of edges that are parallel the separation knows one; those that face each other are in the way.
        let edges = [0, 1].map(|side| worlds[side].farthest_edge(&towards[side]));
        let [x, y] = match edges {
            [Some(x), Some(y)] if apart.gap <= 0.0 => [x, y],
            _ => apart.features,
        };
        let meeting = Meeting { a: x, b: y, radius, side: 1.0 };
        let at = meeting.at(a.1, b.1).filter(|_| bearing[best].1 < BEARS).map(|now| now.point);
        let point = at.or_else(|| (apart.gap < 0.0).then(|| worlds[0].farthest(&towards[0]) - n * radius[0]));
        places.extend(point.map(|point| Place { labels: [u32::MAX; 2], point, normal: n, gap: apart.gap }));
    }
    places
}

impl World<'_> {
    /// The face that looks most along a direction, and the cosine between them; less than any if there is none with a side.
    fn facing(&self, direction: &Vector3<f64>) -> (usize, f64) {
        let faces = (0..self.hull.faces.len()).filter(|face| self.hull.faces[*face].corners.len() > 1);
        let cosine = |face: usize| self.face_normal(face).dot(direction);
        faces.map(|face| (face, cosine(face))).fold((0, -2.0), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// What a hull bears on along a direction: a face, a segment or a corner.
    fn bearing(&self, face: usize, direction: &Vector3<f64>) -> Vec<Corner> {
        let all = |corners: &[usize]| corners.iter().map(|k| (*k as u32, self.vertices[*k])).collect();
        match self.hull.faces.get(face).filter(|face| face.corners.len() > 1) {
            Some(found) => all(&found.corners),
            None if self.vertices.len() <= 2 => all(&[0, 1][..self.vertices.len()]),
            None => vec![(0, self.farthest(direction))],
        }
    }

    fn farthest(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        let first = self.vertices[0];
        self.vertices.iter().fold(first, |best, v| if v.dot(direction) > best.dot(direction) { *v } else { best })
    }

    /// The line of the edge that reaches farthest along a direction.
    fn farthest_edge(&self, direction: &Vector3<f64>) -> Option<Feature> {
        let height =
            |edge: &usize| self.hull.edges[*edge].iter().map(|k| self.vertices[*k].dot(direction)).sum::<f64>();
        let edge = (0..self.hull.edges.len()).max_by(|x, y| height(x).total_cmp(&height(y)))?;
        Some(self.line(edge))
    }

    /// The segment that a hull is, if it is one.
    fn segment(&self) -> Option<[Vector3<f64>; 2]> {
        if let [p, q] = self.vertices[..] { Some([p, q]) } else { None }
    }
}

/// What of a polygon lies above or below a face.
fn clipped(mut polygon: Vec<Corner>, face: &[Vector3<f64>], normal: &Vector3<f64>) -> Vec<Corner> {
    if let [p, q] = face {
        return between_ends(&polygon, &[*p, *q]);
    }
    for k in 0..face.len() {
        let side = face[(k + 1) % face.len()] - face[k];
        let inward = normal.cross(&side).normalize();
        polygon = cut(&polygon, &(face[k] - inward * (RIM * side.norm())), &inward, k as u32);
    }
    polygon
}

/// What of a polygon lies beside a segment.
fn between_ends(polygon: &[Corner], [p, q]: &[Vector3<f64>; 2]) -> Vec<Corner> {
    let along = (q - p).normalize();
    let rim = (q - p) * RIM;
    cut(&cut(polygon, &(p - rim), &along, 0), &(q + rim), &-along, 1)
}

/// What of a polygon, a segment or a point lies inside of a plane. Where the plane cuts an edge there is a new corner.
fn cut(polygon: &[Corner], point: &Vector3<f64>, inward: &Vector3<f64>, side: u32) -> Vec<Corner> {
    let depth = |corner: &Corner| inward.dot(&(corner.1 - point));
    // The sides of a segment are one.
    let edges = if polygon.len() > 2 { polygon.len() } else { polygon.len().saturating_sub(1) };
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, corner) in polygon.iter().enumerate() {
        let here = depth(corner);
        if here >= 0.0 {
            kept.push(*corner);
        }
        if k < edges {
            let next = &polygon[(k + 1) % polygon.len()];
            let there = depth(next);
            if (here < 0.0) != (there < 0.0) {
                let share = here / (here - there);
                let label = CUT + 64 * side + corner.0.min(next.0) % CUT;
                kept.push((label, corner.1 + (next.1 - corner.1) * share));
            }
        }
    }
    kept
}
