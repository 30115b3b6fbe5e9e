//! Convex hulls of points: their corners, edges and faces in body axes.

use crate::error::{Error, finite};
use nalgebra::Vector3;

/// A convex polytope: a point, a segment, a polygon in the plane, or a polyhedron.
///
/// In the plane its faces are its sides, with two corners each; a segment has two sides and, at either end, a face of one corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    pub(crate) vertices: Vec<Vector3<f64>>,
    /// Pairs of corners; none in the plane, where no edge crosses another.
    pub(crate) edges: Vec<[usize; 2]>,
    pub(crate) faces: Vec<Face>,
}

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
        Hull { vertices: vec![at], edges: Vec::new(), faces: Vec::new() }
    }

    /// A segment of some length along x, centred on the origin.
    pub fn segment(length: f64, planar: bool) -> Hull {
        let half = Vector3::x() * (0.5 * length);
        let vertices = vec![-half, half];
        if !planar {
            return Hull { vertices, edges: vec![[0, 1]], faces: Vec::new() };
        }
        let face = |normal: Vector3<f64>, corners: &[usize]| Face { normal, corners: corners.to_vec() };
        let faces = vec![
            face(Vector3::y(), &[1, 0]),
            face(-Vector3::y(), &[0, 1]),
            face(Vector3::x(), &[1]),
            face(-Vector3::x(), &[0]),
        ];
        Hull { vertices, edges: Vec::new(), faces }
    }

    /// The convex polygon with these corners, in any order; those inside are left out.
    pub fn polygon(points: &[[f64; 2]]) -> Result<Hull, Error> {
        for point in points {
            finite("vertices", point)?;
        }
        let vertices: Vec<Vector3<f64>> =
            convex_order(points).into_iter().map(|[x, y]| Vector3::new(x, y, 0.0)).collect();
        if vertices.len() < 3 {
            return Err(Error::WrongSize { what: "corners of a polygon" });
        }
        let n = vertices.len();
        let faces = (0..n).map(|k| {
            let along = vertices[(k + 1) % n] - vertices[k];
            Face { normal: Vector3::new(along.y, -along.x, 0.0).normalize(), corners: vec![k, (k + 1) % n] }
        });
        let faces = faces.collect();
        Ok(Hull { vertices, edges: Vec::new(), faces })
    }

    /// A rectangle of these edges, centred on the origin.
    pub fn rectangle(size: [f64; 2]) -> Hull {
        let [x, y] = size.map(|edge| 0.5 * edge);
        let vertices = [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| Vector3::new(x, y, 0.0)).to_vec();
        let normals = [-Vector3::y(), Vector3::x(), Vector3::y(), -Vector3::x()];
        let faces = (0..4).map(|k| Face { normal: normals[k], corners: vec![k, (k + 1) % 4] }).collect();
        Hull { vertices, edges: Vec::new(), faces }
    }

    /// A block of these edges, centred on the origin.
    pub fn block(size: [f64; 3]) -> Hull {
        let half = Vector3::from(size) * 0.5;
        let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |k: usize| half.component_mul(&Vector3::new(sign(k & 1), sign(k & 2), sign(k & 4)));
        let vertices = (0..8).map(corner).collect();
        let edges =
            (0..8).flat_map(|k| [1, 2, 4].into_iter().filter(move |bit| k & bit == 0).map(move |bit| [k, k | bit]));
        let faces = (0..3).flat_map(|axis| {
            // Around the face of positive side, counter-clockwise: the other two axes in cyclic order.
            let (here, u, v) = (1 << axis, 1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let outer = Face { normal: Vector3::ith(axis, 1.0), corners: vec![here, here | u, here | u | v, here | v] };
            let inner = Face { normal: -Vector3::ith(axis, 1.0), corners: vec![0, v, u | v, u] };
            [outer, inner]
        });
        Hull { vertices, edges: edges.collect(), faces: faces.collect() }
    }

    /// The corners in body axes.
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
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

    /// The greatest distance of a corner from the origin.
    pub(crate) fn reach(&self) -> f64 {
        self.vertices.iter().map(Vector3::norm).fold(0.0, f64::max)
    }
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
        check(&Hull::segment(2.0, true));
    }

    #[test]
    fn a_polygon_forgets_points_inside_it_and_the_order_they_came_in() {
        let hull = Hull::polygon(&[[1.0, 1.0], [0.0, 0.0], [0.5, 0.4], [0.0, 1.0], [1.0, 0.0], [0.5, 0.0]]).unwrap();
        check(&hull);
        assert_eq!(hull.vertices.len(), 4);
        assert!(Hull::polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).is_err());
    }
}
