//! The places at which two hulls would press if they came closer along their least separation: corners of one face clipped to the other.

use super::meeting::{Feature, Meeting};
use super::separation::{World, hulls, nearest, parted};
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
/// A gap that is a smaller fraction of the smaller part's reach is none.
const TOUCHES: f64 = 1e-7;
/// How far from the origin of a body a place may be, in reaches of the part that is there.
const ON_HULL: f64 = 1.5;
/// Corners that clipping makes are numbered from here, by the side that cuts.
const CUT: u32 = 1 << 10;

/// A corner of a polygon while it is clipped.
type Corner = (u32, Vector3<f64>);

/// All places with gaps up to `reach`, in a fixed order; none if the hulls are farther apart.
pub(crate) fn manifold(a: (&Part, &State), b: (&Part, &State), reach: f64) -> Vec<Place> {
    let (Core::Hull(hull_a), Core::Hull(hull_b)) = (&a.0.core, &b.0.core) else { return Vec::new() };
    let radius = [a.0.radius, b.0.radius];
    let rounding = radius[0] + radius[1];
    let worlds = [World::new(hull_a, &a.1.pose), World::new(hull_b, &b.1.pose)];
    if parted(&worlds[0], &worlds[1], reach + rounding) {
        return Vec::new();
    }
    let apart = hulls(&worlds[0], &worlds[1], rounding);
    if apart.gap > reach {
        return Vec::new();
    }
    // Sharp hulls that are apart meet where they are nearest, which need not be along the widest separation. Those that touch but for rounding
    // are nearest along a direction that is rounding.
    let sharp = radius == [0.0; 2] && apart.gap > TOUCHES * a.0.reach().min(b.0.reach());
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
        // Of edges that are parallel the separation of what overlaps knows one; those that face each other are in the way.
        let edges = [0, 1].map(|side| worlds[side].farthest_edge(&towards[side]));
        let [x, y] = match edges {
            [Some(x), Some(y)] if apart.gap + radius[0] + radius[1] <= 0.0 => [x, y],
            _ => apart.features,
        };
        let meeting = Meeting { a: x, b: y, radius, side: 1.0 };
        let at = meeting.at(a.1, b.1).filter(|_| bearing[best].1 < BEARS).map(|now| now.point);
        // Lines of edges that are parallel but for rounding cross far away, or nowhere.
        let near = |point: &Vector3<f64>| (point - a.1.pose.position).norm() <= ON_HULL * a.0.reach();
        let at = at.filter(near);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimension::Dimension;
    use crate::sim::hull::Hull;
    use crate::sim::id::MaterialId;
    use crate::sim::part::Part;
    use nalgebra::UnitQuaternion;

    fn at(x: f64, y: f64, z: f64, turn: Vector3<f64>) -> State {
        let mut state = State::world();
        state.pose.position = Vector3::new(x, y, z);
        state.pose.orientation = UnitQuaternion::from_scaled_axis(turn);
        state
    }

    fn points(places: &[Place]) -> Vec<Vector3<f64>> {
        places.iter().map(|place| place.point).collect()
    }

    #[test]
    fn a_block_on_a_larger_one_bears_on_its_own_corners_whichever_comes_first() {
        let (small, large) = (
            Part::sharp(Hull::block([1.0; 3]), MaterialId::default()),
            Part::sharp(Hull::block([3.0, 3.0, 1.0]), MaterialId::default()),
        );
        let (upper, lower) = (at(0.2, 0.1, 0.99, Vector3::zeros()), at(0.0, 0.0, 0.0, Vector3::zeros()));
        let above = manifold((&small, &upper), (&large, &lower), 0.1);
        let below = manifold((&large, &lower), (&small, &upper), 0.1);
        assert_eq!([above.len(), below.len()], [4, 4]);
        for place in above.iter().chain(&below) {
            assert!((place.gap + 0.01).abs() < 1e-12 && (place.normal.z.abs() - 1.0).abs() < 1e-12, "{place:?}");
            let from = [place.point.x - 0.2, place.point.y - 0.1].map(f64::abs);
            assert!(from.iter().all(|side| (side - 0.5).abs() <= RIM + 1e-9), "{place:?}");
        }
        assert!(above[0].normal.z > 0.0 && below[0].normal.z < 0.0);
        assert!(manifold((&small, &at(0.0, 0.0, 1.2, Vector3::zeros())), (&large, &lower), 0.1).is_empty());
    }

    #[test]
    fn edges_that_cross_meet_at_one_place() {
        let block = Part::sharp(Hull::block([1.0; 3]), MaterialId::default());
        let quarter = std::f64::consts::FRAC_PI_4;
        // Ridges along x and along y, 1 cm deep in each other.
        let (upper, lower) =
            (at(0.1, 0.2, 2f64.sqrt() - 0.01, Vector3::x() * quarter), at(0.0, 0.0, 0.0, Vector3::y() * quarter));
        let places = manifold((&block, &upper), (&block, &lower), 0.1);
        assert_eq!(places.len(), 1, "{places:?}");
        assert!((places[0].gap + 0.01).abs() < 1e-9 && places[0].normal.z > 0.999, "{places:?}");
        assert!((places[0].point - Vector3::new(0.0, 0.2, 0.5f64.sqrt() - 0.01)).norm() < 0.02, "{places:?}");
    }

    /// Both lie on one floor, so the lines through them cross somewhere else.
    #[test]
    fn the_end_of_a_capsule_meets_the_side_of_another_where_they_are_nearest() {
        let capsule =
            Part { radius: 0.05, ..Part::sharp(Hull::segment(1.0, Dimension::Spatial), MaterialId::default()) };
        let lower = at(0.0, 0.0, 0.0, Vector3::zeros());
        for depth in [-0.01, 0.0, 0.02] {
            let turn = Vector3::z() * 0.3;
            // Its left end is above (0.2, 0).
            let upper = at(0.2 + 0.5 * f64::cos(0.3), 0.1 - depth + 0.5 * f64::sin(0.3), 0.0, turn);
            for swapped in [false, true] {
                let (a, b) = if swapped { (&lower, &upper) } else { (&upper, &lower) };
                let places = manifold((&capsule, a), (&capsule, b), 0.05);
                assert_eq!(places.len(), 1, "{places:?}");
                let sign = if swapped { -1.0 } else { 1.0 };
                assert!((places[0].normal - Vector3::y() * sign).norm() < 1e-9, "{places:?}");
                assert!((places[0].gap + depth).abs() < 1e-12, "{places:?}");
                assert!((points(&places)[0] - Vector3::new(0.2, 0.05, 0.0)).norm() < 0.03, "{places:?}");
            }
        }
    }

    #[test]
    fn capsules_side_by_side_meet_at_two_places() {
        let capsule =
            Part { radius: 0.05, ..Part::sharp(Hull::segment(1.0, Dimension::Spatial), MaterialId::default()) };
        let (a, b) = (at(0.4, 0.09, 0.0, Vector3::zeros()), at(0.0, 0.0, 0.0, Vector3::zeros()));
        let places = manifold((&capsule, &a), (&capsule, &b), 0.05);
        let mut along: Vec<f64> = points(&places).iter().map(|point| point.x).collect();
        along.sort_by(f64::total_cmp);
        assert_eq!(along.len(), 2);
        // One end of each, the rim included.
        assert!((along[0] + 0.1).abs() < 2e-3 && (along[1] - 0.5).abs() < 2e-3, "{along:?}");
    }
}
