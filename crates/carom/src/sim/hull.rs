//! Convex hulls of points: their corners, edges and faces in body axes.

use super::body::in_plane;
use super::convex::convex_hull;
use crate::collision::{bounded, sensible};
use crate::dimension::Dimension;
use crate::error::{Error, finite};
use nalgebra::Vector3;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

/// A convex polytope: a point, a segment, a polygon in the plane, or a polyhedron.
///
/// In the plane its faces are its sides, with two corners each; a segment has two sides and, at either end, a face of one corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    pub(crate) vertices: Vec<Vector3<f64>>,
    /// Pairs of corners; none in the plane, where no edge crosses another.
    pub(crate) edges: Vec<[usize; 2]>,
    /// The faces on both sides of each edge; none of a segment.
    pub(crate) sides: Vec<[usize; 2]>,
    pub(crate) faces: Vec<Face>,
}

/// A width below this fraction of the reach is rounding of 0.
const NO_WIDTH: f64 = 1e-15;

/// A flat side of a hull.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// Outward.
    pub(crate) normal: Vector3<f64>,
    /// Corners, counter-clockwise seen from outside in space.
    pub(crate) corners: Vec<usize>,
}

impl Hull {
    /// A point.
    pub fn point(at: Vector3<f64>) -> Hull {
        Hull { vertices: vec![at], edges: Vec::new(), sides: Vec::new(), faces: Vec::new() }
    }

    /// A segment of some length along x, centred on the origin.
    pub fn segment(length: f64, dimension: Dimension) -> Hull {
        let half = Vector3::x() * (0.5 * length);
        let vertices = vec![-half, half];
        if !dimension.is_planar() {
            return Hull { vertices, edges: vec![[0, 1]], sides: Vec::new(), faces: Vec::new() };
        }
        let face = |normal: Vector3<f64>, corners: &[usize]| Face { normal, corners: corners.to_vec() };
        let faces = vec![
            face(Vector3::y(), &[1, 0]),
            face(-Vector3::y(), &[0, 1]),
            face(Vector3::x(), &[1]),
            face(-Vector3::x(), &[0]),
        ];
        Hull { vertices, edges: Vec::new(), sides: Vec::new(), faces }
    }

    /// The convex polygon with these corners, in any order; those inside are left out.
    pub fn polygon(points: &[[f64; 2]]) -> Result<Hull, Error> {
        for point in points {
            finite("vertices", point)?;
        }
        let vertices: Vec<Vector3<f64>> =
            convex_order(points).into_iter().map(|[x, y]| Vector3::new(x, y, 0.0)).collect();
        if vertices.len() < 3 {
            return Err(Error::NoSolid { what: "a polygon", expected: "at least three corners that are not in a row" });
        }
        let n = vertices.len();
        let faces = (0..n).map(|k| {
            let along = vertices[(k + 1) % n] - vertices[k];
            Face { normal: Vector3::new(along.y, -along.x, 0.0).normalize(), corners: vec![k, (k + 1) % n] }
        });
        let faces = faces.collect();
        Ok(Hull { vertices, edges: Vec::new(), sides: Vec::new(), faces })
    }

    /// The convex polyhedron around these points, in any order; those inside are left out.
    pub fn polyhedron(points: &[[f64; 3]]) -> Result<Hull, Error> {
        for point in points {
            finite("vertices", point)?;
        }
        let points: Vec<Vector3<f64>> = points.iter().map(|point| Vector3::from(*point)).collect();
        let expected = "at least four corners that are not in a plane";
        let polygons = convex_hull(&points).ok_or(Error::NoSolid { what: "a polyhedron", expected })?;
        let used: BTreeSet<usize> = polygons.iter().flatten().copied().collect();
        let places: BTreeMap<usize, usize> = used.iter().enumerate().map(|(place, corner)| (*corner, place)).collect();
        let vertices: Vec<Vector3<f64>> = used.iter().map(|corner| points[*corner]).collect();
        let mut faces = Vec::with_capacity(polygons.len());
        for polygon in polygons {
            let corners: Vec<usize> = polygon.iter().map(|corner| places[corner]).collect();
            let normal = area_vector(&vertices, &corners).try_normalize(0.0);
            faces.push(Face { normal: normal.ok_or(Error::NoSolid { what: "a polyhedron", expected })?, corners });
        }
        Ok(Hull::solid(vertices, faces))
    }

    /// With the edges between its faces.
    fn solid(vertices: Vec<Vector3<f64>>, faces: Vec<Face>) -> Hull {
        let mut between: BTreeMap<[usize; 2], [usize; 2]> = BTreeMap::new();
        for (face, Face { corners, .. }) in faces.iter().enumerate() {
            for (k, &a) in corners.iter().enumerate() {
                let b = corners[(k + 1) % corners.len()];
                between.entry([a.min(b), a.max(b)]).or_insert([face; 2])[1] = face;
            }
        }
        let (edges, sides) = between.into_iter().unzip();
        Hull { vertices, edges, sides, faces }
    }

    /// A hull whose faces are known: the direction out of each, and the places of its corners in order, as [`faces`](Hull::faces) gives
    /// them. It keeps every bit of a hull that was turned and moved, which [`polygon`](Hull::polygon) and
    /// [`polyhedron`](Hull::polyhedron) do not.
    ///
    /// ```
    /// # use carom::Dimension;
    /// # use carom::sim::Hull;
    /// let block = Hull::block([1.0, 2.0, 3.0]);
    /// let faces: Vec<_> = block.faces().map(|(normal, corners)| (*normal, corners.to_vec())).collect();
    /// assert_eq!(Hull::of_faces(block.vertices().to_vec(), faces.clone(), Dimension::Spatial).unwrap(), block);
    /// assert!(Hull::of_faces(block.vertices().to_vec(), faces[1..].to_vec(), Dimension::Spatial).is_err());
    /// ```
    pub fn of_faces(
        vertices: Vec<Vector3<f64>>,
        faces: Vec<(Vector3<f64>, Vec<usize>)>,
        dimension: Dimension,
    ) -> Result<Hull, Error> {
        for vertex in &vertices {
            finite("vertices", vertex.as_slice())?;
        }
        let faces: Vec<Face> = faces.into_iter().map(|(normal, corners)| Face { normal, corners }).collect();
        check_faces(&vertices, &faces)?;
        let hull = match (vertices.len(), dimension.is_planar()) {
            (0, _) => return Err(Error::NoSolid { what: "a hull", expected: "at least one corner" }),
            (1, _) if faces.is_empty() => Hull::point(vertices[0]),
            (2, false) if faces.is_empty() => {
                Hull { vertices, edges: vec![[0, 1]], sides: Vec::new(), faces: Vec::new() }
            }
            (_, true) => {
                check_outline(vertices.len(), &faces)?;
                Hull { vertices, edges: Vec::new(), sides: Vec::new(), faces }
            }
            (_, false) => {
                check_closed(&faces)?;
                Hull::solid(vertices, faces)
            }
        };
        Ok(hull)
    }

    /// A prism along z with so many sides around the circle of this radius, centred on the origin.
    pub fn prism(radius: f64, length: f64, sides: usize) -> Hull {
        let n = sides.max(3);
        let turn = |k: f64| Vector3::new((k * TAU / n as f64).cos(), (k * TAU / n as f64).sin(), 0.0);
        let up = Vector3::z() * (0.5 * length);
        let ring = |z: Vector3<f64>| (0..n).map(move |k| turn(k as f64) * radius + z);
        let vertices = ring(-up).chain(ring(up)).collect();
        let after = |k: usize| (k + 1) % n;
        let side = |k: usize| Face { normal: turn(k as f64 + 0.5), corners: vec![k, after(k), after(k) + n, k + n] };
        let bottom = Face { normal: -Vector3::z(), corners: (0..n).rev().collect() };
        let top = Face { normal: Vector3::z(), corners: (n..2 * n).collect() };
        Hull::solid(vertices, (0..n).map(side).chain([bottom, top]).collect())
    }

    /// The least distance between a face and the corner farthest from it; 0 without faces.
    pub(crate) fn least_width(&self) -> f64 {
        let width = |face: &Face| {
            let along = self.vertices.iter().map(|vertex| vertex.dot(&face.normal));
            let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        let least = self.faces.iter().map(width).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 0.0 }
    }

    /// A rectangle of these edges, centred on the origin.
    pub fn rectangle(size: [f64; 2]) -> Hull {
        let [x, y] = size.map(|edge| 0.5 * edge);
        let vertices = [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| Vector3::new(x, y, 0.0)).to_vec();
        let normals = [-Vector3::y(), Vector3::x(), Vector3::y(), -Vector3::x()];
        let faces = (0..4).map(|k| Face { normal: normals[k], corners: vec![k, (k + 1) % 4] }).collect();
        Hull { vertices, edges: Vec::new(), sides: Vec::new(), faces }
    }

    /// A block of these edges, centred on the origin.
    pub fn block(size: [f64; 3]) -> Hull {
        let half = Vector3::from(size) * 0.5;
        let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |k: usize| half.component_mul(&Vector3::new(sign(k & 1), sign(k & 2), sign(k & 4)));
        let vertices = (0..8).map(corner).collect();
        let faces = (0..3).flat_map(|axis| {
            // Around the face of positive side, counter-clockwise: the other two axes in cyclic order.
            let (here, u, v) = (1 << axis, 1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let outer = Face { normal: Vector3::ith(axis, 1.0), corners: vec![here, here | u, here | u | v, here | v] };
            let inner = Face { normal: -Vector3::ith(axis, 1.0), corners: vec![0, v, u | v, u] };
            [outer, inner]
        });
        Hull::solid(vertices, faces.collect())
    }

    /// The corners in body axes.
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// Its edges, by the places of their ends.
    pub fn edges(&self) -> &[[usize; 2]] {
        &self.edges
    }

    /// Its faces: the direction out of each, and the places of its corners in order.
    pub fn faces(&self) -> impl Iterator<Item = (&Vector3<f64>, &[usize])> {
        self.faces.iter().map(|face| (&face.normal, &face.corners[..]))
    }

    /// The same hull moved by `shift`.
    #[must_use]
    pub fn moved(mut self, shift: &Vector3<f64>) -> Hull {
        for vertex in &mut self.vertices {
            *vertex += shift;
        }
        self
    }

    /// The same hull turned about the origin.
    #[must_use]
    pub fn turned(mut self, by: &nalgebra::UnitQuaternion<f64>) -> Hull {
        for vertex in &mut self.vertices {
            *vertex = by * *vertex;
        }
        for face in &mut self.faces {
            face.normal = by * face.normal;
        }
        self
    }

    /// Refuses corners that are no numbers, and faces that look inward or enclose nothing.
    pub(super) fn check(&self, dimension: Dimension) -> Result<(), Error> {
        for vertex in &self.vertices {
            bounded("vertices", vertex.as_slice())?;
            if dimension.is_planar() {
                in_plane("a corner along z", vertex.z)?;
            }
        }
        if self.vertices.len() > 1 {
            sensible("distance of the farthest vertex", self.reach())?;
        }
        check_faces(&self.vertices, &self.faces)?;
        let flat = match &self.vertices[..] {
            // In the plane a segment has two faces without any width between them.
            [a, b] => a == b,
            vertices => vertices.len() > 2 && self.least_width() <= NO_WIDTH * self.reach(),
        };
        if flat { Err(Error::NoSolid { what: "a hull", expected: "edges of a length above 0" }) } else { Ok(()) }
    }

    /// The greatest distance of a corner from the origin.
    pub(crate) fn reach(&self) -> f64 {
        self.vertices.iter().map(Vector3::norm).fold(0.0, f64::max)
    }
}

/// How far a corner may be outside a face, or a normal's length from 1, relative to the size of the hull: what rounding leaves of a hull
/// that was turned and moved many times.
const ROUNDING: f64 = 1e-9;

/// Whether every face has a unit normal, known corners that lie in its plane, and all other corners behind it.
fn check_faces(vertices: &[Vector3<f64>], faces: &[Face]) -> Result<(), Error> {
    let wrong = |expected| Err(Error::NoSolid { what: "a hull", expected });
    let size = vertices.iter().map(|vertex| (vertex - vertices[0]).amax()).fold(0.0, f64::max);
    let offset = vertices.iter().map(Vector3::amax).fold(0.0, f64::max);
    for Face { normal, corners } in faces {
        finite("normal", normal.as_slice())?;
        if (normal.norm() - 1.0).abs() > ROUNDING {
            return wrong("faces with normals of length 1");
        }
        let Some(plane) = corners.first().and_then(|corner| vertices.get(*corner)) else {
            return wrong("faces with corners");
        };
        // Rounding of the place of the hull is more than that of its size where it is far from the origin.
        let allowed = ROUNDING * size + 4.0 * f64::EPSILON * offset;
        if vertices.iter().any(|vertex| (vertex - plane).dot(normal) > allowed) {
            return wrong("all corners behind each face");
        }
        for corner in corners {
            let Some(vertex) = vertices.get(*corner) else {
                return wrong("corners of faces that are among the vertices, counted from 0");
            };
            if (vertex - plane).dot(normal).abs() > allowed {
                return wrong("the corners of a face in one plane");
            }
        }
    }
    Ok(())
}

/// Whether faces in the plane are sides with two corners each, each corner the start of one and the end of one; a segment has two more
/// with one corner.
fn check_outline(corners: usize, faces: &[Face]) -> Result<(), Error> {
    let sides: Vec<&[usize]> = faces.iter().map(|face| &face.corners[..]).collect();
    let is_outline = if corners == 2 {
        sides == [&[1, 0][..], &[0, 1], &[1], &[0]]
    } else {
        let each_once = |end: usize| {
            let places: BTreeSet<usize> = sides.iter().filter_map(|side| side.get(end).copied()).collect();
            places.len() == corners
        };
        corners > 2
            && sides.len() == corners
            && sides.iter().all(|side| side.len() == 2)
            && each_once(0)
            && each_once(1)
    };
    let expected = "in the plane one side from each corner to the next";
    if is_outline { Ok(()) } else { Err(Error::NoSolid { what: "a hull", expected }) }
}

/// Whether each edge belongs to two faces, once in each direction.
fn check_closed(faces: &[Face]) -> Result<(), Error> {
    let mut directed = BTreeSet::new();
    let mut twice = false;
    for Face { corners, .. } in faces {
        twice |= corners.len() < 3;
        for (k, a) in corners.iter().enumerate() {
            twice |= !directed.insert((*a, corners[(k + 1) % corners.len()]));
        }
    }
    let closed = !twice && faces.len() > 3 && directed.iter().all(|(a, b)| directed.contains(&(*b, *a)));
    let expected = "faces that close: each edge in two of them, once in each direction";
    if closed { Ok(()) } else { Err(Error::NoSolid { what: "a hull", expected }) }
}

/// Twice the area of a polygon, along its normal.
fn area_vector(vertices: &[Vector3<f64>], corners: &[usize]) -> Vector3<f64> {
    let arm = |k: usize| vertices[corners[k]] - vertices[corners[0]];
    (2..corners.len()).map(|k| arm(k - 1).cross(&arm(k))).sum()
}

/// Corners of the convex hull, counter-clockwise (Andrew's monotone chain).
fn convex_order(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0.0 {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut sorted.iter().copied());
    hull.extend(chain(&mut sorted.iter().rev().copied()));
    hull
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Every corner lies behind every face, and a face's own corners lie on it, counter-clockwise.
    fn check(hull: &Hull) {
        for face in &hull.faces {
            let plane = hull.vertices[face.corners[0]].dot(&face.normal);
            for (k, vertex) in hull.vertices.iter().enumerate() {
                let height = vertex.dot(&face.normal) - plane;
                assert!(height < 1e-12, "corner {k} is {height} outside");
                assert_eq!(face.corners.contains(&k), height.abs() < 1e-12);
            }
            for k in 2..face.corners.len() {
                let [a, b, c] = [0, k - 1, k].map(|i| hull.vertices[face.corners[i]]);
                assert!((b - a).cross(&(c - a)).dot(&face.normal) > 0.0);
            }
        }
    }

    #[test]
    fn a_block_has_twelve_edges_and_six_faces_that_look_outward() {
        let block = Hull::block([1.0, 2.0, 3.0]);
        check(&block);
        assert_eq!((block.vertices.len(), block.edges.len(), block.faces.len()), (8, 12, 6));
        assert!(block.edges.iter().all(|[a, b]| {
            let along = (block.vertices[*a] - block.vertices[*b]).abs();
            along.iter().filter(|part| **part > 0.0).count() == 1
        }));
        check(&Hull::rectangle([1.0, 2.0]));
        check(&Hull::segment(2.0, Dimension::Planar));
    }

    #[test]
    fn a_polygon_forgets_points_inside_it_and_the_order_they_came_in() {
        let hull = Hull::polygon(&[[1.0, 1.0], [0.0, 0.0], [0.5, 0.4], [0.0, 1.0], [1.0, 0.0], [0.5, 0.0]]).unwrap();
        check(&hull);
        assert_eq!(hull.vertices.len(), 4);
        assert!(Hull::polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).is_err());
    }

    /// A closed surface: Euler's formula, and every edge belongs to two faces.
    fn check_solid(hull: &Hull) {
        check(hull);
        assert_eq!(hull.vertices.len() + hull.faces.len(), hull.edges.len() + 2);
        let mut sides: Vec<[usize; 2]> = Vec::new();
        for face in &hull.faces {
            let n = face.corners.len();
            sides.extend((0..n).map(|k| [face.corners[k], face.corners[(k + 1) % n]]));
        }
        assert_eq!(sides.len(), 2 * hull.edges.len());
        for [a, b] in &hull.edges {
            assert!(a < b && sides.contains(&[*a, *b]) && sides.contains(&[*b, *a]));
        }
    }

    fn counts(hull: &Hull) -> [usize; 3] {
        [hull.vertices.len(), hull.edges.len(), hull.faces.len()]
    }

    #[test]
    fn regular_solids_have_their_corners_edges_and_faces() {
        let cube: Vec<[f64; 3]> = Hull::block([1.0, 1.0, 1.0]).vertices.iter().map(|v| [v.x, v.y, v.z]).collect();
        let cube = Hull::polyhedron(&cube).unwrap();
        check_solid(&cube);
        assert_eq!(counts(&cube), [8, 12, 6]);
        let tetra = Hull::polyhedron(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
        check_solid(&tetra);
        assert_eq!(counts(&tetra), [4, 6, 4]);
        let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
        let mut points = Vec::new();
        for a in [-1.0, 1.0] {
            for b in [-golden, golden] {
                points.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]);
            }
        }
        let icosahedron = Hull::polyhedron(&points).unwrap();
        check_solid(&icosahedron);
        assert_eq!(counts(&icosahedron), [12, 30, 20]);
        // The dodecahedron: the middles of the icosahedron's faces.
        let middle = |face: &Face| {
            let sum: Vector3<f64> = face.corners.iter().map(|k| icosahedron.vertices[*k]).sum();
            [sum.x, sum.y, sum.z]
        };
        let points: Vec<[f64; 3]> = icosahedron.faces.iter().map(middle).collect();
        assert_eq!(counts(&Hull::polyhedron(&points).unwrap()), [20, 30, 12]);
        let prism = Hull::prism(1.0, 2.0, 32);
        check_solid(&prism);
        let again: Vec<[f64; 3]> = prism.vertices.iter().map(|v| [v.x, v.y, v.z]).collect();
        assert_eq!(counts(&Hull::polyhedron(&again).unwrap()), counts(&prism));
    }

    #[test]
    fn points_inside_on_faces_and_on_edges_are_no_corners() {
        let steps = [0.0, 0.1, 0.3, 0.5, 0.7, 1.0];
        let mut points = Vec::new();
        for x in steps {
            for y in steps {
                points.extend(steps.map(|z| [3.0 * x + 100.0, y, 0.2 * z]));
            }
        }
        let grid = Hull::polyhedron(&points).unwrap();
        assert_eq!(counts(&grid), [8, 12, 6]);
        points.reverse();
        points.extend(points.clone());
        assert_eq!(counts(&Hull::polyhedron(&points).unwrap()), [8, 12, 6]);
        // Turned, so that no plane is exact.
        let turn = nalgebra::UnitQuaternion::from_euler_angles(0.3, 1.1, -0.7);
        let turned = |p: &[f64; 3]| {
            let v = turn * Vector3::from(*p);
            [v.x, v.y, v.z]
        };
        let turned: Vec<[f64; 3]> = points.iter().map(turned).collect();
        assert_eq!(counts(&Hull::polyhedron(&turned).unwrap()), [8, 12, 6]);
    }

    #[test]
    fn random_points_lie_within_their_hull() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for count in [4, 5, 8, 30, 200, 2000] {
            for on_sphere in [false, true] {
                let points: Vec<[f64; 3]> = (0..count)
                    .map(|_| {
                        let p = Vector3::new(random(), random(), random());
                        let p = if on_sphere { p.normalize() } else { p };
                        [p.x, p.y, p.z]
                    })
                    .collect();
                let hull = Hull::polyhedron(&points).unwrap();
                assert_eq!(hull.vertices.len() + hull.faces.len(), hull.edges.len() + 2);
                assert!(!on_sphere || hull.vertices.len() == count);
                for face in &hull.faces {
                    let plane = hull.vertices[face.corners[0]].dot(&face.normal);
                    assert!(points.iter().all(|p| Vector3::from(*p).dot(&face.normal) - plane < 1e-9));
                }
            }
        }
    }

    #[test]
    fn points_that_enclose_nothing_are_refused() {
        let flat: Vec<[f64; 3]> = (0..9).map(|k| [f64::from(k % 3), f64::from(k / 3), 0.5]).collect();
        for points in [&flat[..], &flat[..3], &[[1.0, 2.0, 3.0]; 5], &[]] {
            assert!(matches!(Hull::polyhedron(points), Err(Error::NoSolid { .. })));
        }
        assert!(Hull::polyhedron(&[[f64::NAN; 3]; 4]).is_err());
        assert!(Hull::polyhedron(&[[1e30, 0.0, 0.0], [0.0, 1e30, 0.0], [0.0, 0.0, 1e30], [0.0; 3]]).is_ok());
    }
}
