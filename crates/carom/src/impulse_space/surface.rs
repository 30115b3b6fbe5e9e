//! The boundary of the accessible region as triangles, for pictures and volumes.

use super::region::{AccessibleRegion, Extent};
use nalgebra::Vector3;
use std::collections::HashMap;

/// A closed surface of triangles around the accessible region.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundarySurface {
    /// Points of the boundary, contact frame (n, t1, t2), kg m/s.
    pub vertices: Vec<Vector3<f64>>,
    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
}

/// Finer surfaces would have more than 10⁶ triangles.
const FINEST_LEVEL: u8 = 8;

impl AccessibleRegion<'_> {
    /// The boundary as 20·4^level triangles (levels above 8 count as 8), all vertices on the boundary. `None` unless the
    /// [extent](AccessibleRegion::extent) is a solid.
    ///
    /// The region is convex, so rays from an interior point along the corners of a subdivided icosahedron meet the
    /// boundary once each. The icosahedron is first stretched to the proportions of the region, so that a flat or
    /// pointed region gets its share of triangles everywhere. Edges of the region are cut off between vertices: the
    /// surface encloses a little less than the region.
    pub fn surface(&self, level: u8) -> Option<BoundarySurface> {
        if self.extent() != Extent::Solid {
            return None;
        }
        let inside = self.interior_point()?;
        let extents = Vector3::from_fn(|i, _| {
            let axis = Vector3::ith(i, 1.0);
            0.5 * (self.exit_distance(&inside, &axis) + self.exit_distance(&inside, &-axis))
        });
        let (directions, triangles) = icosphere(level.min(FINEST_LEVEL));
        let vertices =
            directions.iter().map(|u| self.exit(&inside, &u.component_mul(&extents))).collect::<Option<_>>()?;
        Some(BoundarySurface { vertices, triangles })
    }
}

impl BoundarySurface {
    /// The enclosed volume, (kg m/s)³.
    pub fn volume(&self) -> f64 {
        // Tetrahedra from a vertex rather than the origin: a small surface far away loses no digits.
        let Some(apex) = self.vertices.first() else { return 0.0 };
        self.corners().map(|[a, b, c]| (a - apex).dot(&(b - apex).cross(&(c - apex)))).sum::<f64>() / 6.0
    }

    /// The surface's area, (kg m/s)².
    pub fn area(&self) -> f64 {
        self.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm()).sum::<f64>() / 2.0
    }

    fn corners(&self) -> impl Iterator<Item = [Vector3<f64>; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|index| self.vertices[index]))
    }
}

/// Unit vectors and outward triangles of an icosahedron whose triangles are split in four `level` times.
fn icosphere(level: u8) -> (Vec<Vector3<f64>>, Vec<[usize; 3]>) {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let mut vertices: Vec<Vector3<f64>> = Vec::new();
    for (a, b) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        vertices.push(Vector3::new(0.0, a, b).normalize());
        vertices.push(Vector3::new(a, b, 0.0).normalize());
        vertices.push(Vector3::new(b, 0.0, a).normalize());
    }
    // The faces are the triples of mutual neighbours; neighbours enclose 63.4°, all others at least 116.6°.
    let near = |i: usize, j: usize| vertices[i].dot(&vertices[j]) > 0.4;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(i, k) {
                    let outward = vertices[i].dot(&vertices[j].cross(&vertices[k])) > 0.0;
                    triangles.push(if outward { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    for _ in 0..level {
        triangles = split(&mut vertices, &triangles);
    }
    (vertices, triangles)
}

fn split(vertices: &mut Vec<Vector3<f64>>, triangles: &[[usize; 3]]) -> Vec<[usize; 3]> {
    let mut midpoints = HashMap::new();
    let mut midpoint = |i: usize, j: usize| {
        *midpoints.entry((i.min(j), i.max(j))).or_insert_with(|| {
            vertices.push((vertices[i] + vertices[j]).normalize());
            vertices.len() - 1
        })
    };
    let mut finer = Vec::with_capacity(4 * triangles.len());
    for &[i, j, k] in triangles {
        let (ij, jk, ki) = (midpoint(i, j), midpoint(j, k), midpoint(k, i));
        finer.extend([[i, ij, ki], [ij, j, jk], [ki, jk, k], [ij, jk, ki]]);
    }
    finer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::random::Random;
    use nalgebra::Matrix3;
    use std::collections::HashMap;

    fn random_collision(random: &mut Random) -> Collision {
        let velocity = Vector3::new(-0.1 - random.unit(), random.between(-2.0, 2.0), random.between(-2.0, 2.0));
        Collision::new(&random.definite(1e-2), &velocity).unwrap()
    }

    #[test]
    fn vertices_are_on_the_boundary_and_triangles_close_it_facing_out() {
        let mut random = Random(31);
        for _ in 0..20 {
            let collision = random_collision(&mut random);
            let region = AccessibleRegion::of(&collision, random.log_between(0.05, 5.0));
            let inside = region.interior_point().unwrap();
            let surface = region.surface(3).unwrap();
            for vertex in &surface.vertices {
                assert!(region.contains(vertex));
                let distance = region.distance(vertex).unwrap();
                assert!(distance.abs() < 1e-10 * vertex.norm(), "{distance}");
            }
            let mut edges: HashMap<(usize, usize), usize> = HashMap::new();
            for &[i, j, k] in &surface.triangles {
                let [a, b, c] = [i, j, k].map(|v| surface.vertices[v] - inside);
                assert!(a.dot(&b.cross(&c)) > 0.0);
                for edge in [(i, j), (j, k), (k, i)] {
                    *edges.entry(edge).or_default() += 1;
                }
            }
            // Every edge once in each sense, and Euler's characteristic 2: a watertight sphere.
            assert!(edges.iter().all(|(&(i, j), &count)| count == 1 && edges.contains_key(&(j, i))));
            assert_eq!(surface.vertices.len() + surface.triangles.len() - edges.len() / 2, 2);
        }
    }

    #[test]
    fn the_volume_converges_from_below_to_that_of_random_sampling() {
        let mut random = Random(32);
        for _ in 0..4 {
            let collision = random_collision(&mut random);
            let region = AccessibleRegion::of(&collision, random.between(0.2, 1.0));
            let volumes: Vec<f64> = (2..=5).map(|level| region.surface(level).unwrap().volume()).collect();
            assert!(volumes.windows(2).all(|pair| pair[0] < pair[1]));
            let vertices = region.surface(5).unwrap().vertices;
            let low = vertices.iter().fold(vertices[0], |low, v| low.inf(v)) * 1.0;
            let high = vertices.iter().fold(vertices[0], |high, v| high.sup(v));
            let box_volume = (high - low).product();
            let samples = 100_000;
            let hits = (0..samples)
                .filter(|_| region.contains(&low.zip_map(&high, |low, high| random.between(low, high))))
                .count();
            let share = f64::from(u32::try_from(hits).unwrap()) / f64::from(samples);
            let spread = box_volume * (share * (1.0 - share) / f64::from(samples)).sqrt();
            assert!((volumes[3] - share * box_volume).abs() < 4.0 * spread + 3e-3 * volumes[3], "{volumes:?} {share}");
        }
    }

    #[test]
    fn a_ball_shaped_region_has_the_volume_and_area_of_its_cap() {
        // W = 1, head-on, huge friction: half the ball of radius 1 about (1, 0, 0), cut at P_n = 1.
        let collision = Collision::new(&Matrix3::identity(), &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        let surface = AccessibleRegion::of(&collision, 1e6).surface(6).unwrap();
        let pi = std::f64::consts::PI;
        assert!((surface.volume() / (2.0 / 3.0 * pi) - 1.0).abs() < 2e-3, "{}", surface.volume());
        assert!((surface.area() / (3.0 * pi) - 1.0).abs() < 5e-3, "{}", surface.area());
    }

    #[test]
    fn flat_and_unbounded_regions_are_refused() {
        let collision = Collision::planar([[2.0, -1.0], [-1.0, 3.0]], [-1.0, 0.5]).unwrap();
        assert_eq!(AccessibleRegion::of(&collision, 0.0).surface(1), None);
        let w = Matrix3::new(1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        let pendulum = Collision::new(&w, &Vector3::new(-1.0, 1.0, 0.0)).unwrap();
        assert_eq!(AccessibleRegion::of(&pendulum, 2.0).surface(1), None);
        assert!(AccessibleRegion::of(&pendulum, 0.5).surface(1).is_some());
    }
}
