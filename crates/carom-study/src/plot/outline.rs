//! Outlines of parts as a viewer far away sees them.

use super::svg::Point;
use carom::sim::{Core, Part, Pose};
use nalgebra::Vector3;

/// From where a scene is seen: two directions of the sheet, and one towards the viewer.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// To the right on the sheet.
    pub right: Vector3<f64>,
    /// Upwards on the sheet.
    pub upward: Vector3<f64>,
    /// Towards the viewer.
    pub toward: Vector3<f64>,
}

/// What is seen of a part, m.
#[derive(Clone, Debug)]
pub enum Outline {
    /// A ball: its centre and radius, and the point of its rim that turns with it.
    Circle(Point, f64, Point),
    /// Anything else: its rim, and the edges that face the viewer.
    Polygon(Vec<Point>, Vec<[Point; 2]>),
}

/// Corners of a rounded rim.
const ROUND: usize = 48;

impl View {
    /// The plane itself.
    pub fn planar() -> View {
        View { right: Vector3::x(), upward: Vector3::y(), toward: Vector3::z() }
    }

    /// From a little above, and from that one of four sides from which most walls, given by their normals, show their faces.
    pub fn spatial(up: &Vector3<f64>, walls: &[Vector3<f64>]) -> View {
        const AZIMUTH: f64 = -1.05;
        const ELEVATION: f64 = 0.32;
        let across = if up.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        let first = (across - up * up.dot(&across)).normalize();
        let second = up.cross(&first);
        let toward = |side: u8| {
            let azimuth = AZIMUTH + f64::from(side) * std::f64::consts::FRAC_PI_2;
            let flat = first * azimuth.cos() + second * azimuth.sin();
            flat * ELEVATION.cos() + up * ELEVATION.sin()
        };
        let faces = |side: &u8| walls.iter().filter(|normal| normal.dot(&toward(*side)) > 0.0).count();
        // Of equals the first.
        let toward = toward((0..4).rev().max_by_key(faces).unwrap_or(0));
        let right = up.cross(&toward).normalize();
        View { right, upward: toward.cross(&right), toward }
    }

    /// Where a point of the world is on the sheet, m.
    pub fn place(&self, p: &Vector3<f64>) -> Point {
        Point::new(self.right.dot(p), self.upward.dot(p))
    }

    /// What is seen of a part at a pose; nothing of a half-space.
    pub fn outline(&self, part: &Part, pose: &Pose) -> Option<Outline> {
        let around = || (0..ROUND).map(|k| std::f64::consts::TAU * k as f64 / ROUND as f64);
        match &part.core {
            Core::HalfSpace { .. } => None,
            Core::Ellipsoid { centre, axes, semi_axes } => {
                let turned = pose.orientation * axes;
                let middle = self.place(&pose.point(centre));
                let rim = around().map(|angle| {
                    let direction = self.right * angle.cos() + self.upward * angle.sin();
                    let own = turned.inverse_transform_vector(&direction).component_mul(semi_axes);
                    middle + self.place(&(turned * own.component_mul(semi_axes).unscale(own.norm())))
                });
                Some(Outline::Polygon(rim.collect(), Vec::new()))
            }
            Core::Hull(hull) => {
                let corners: Vec<Vector3<f64>> = hull.vertices().iter().map(|v| pose.point(v)).collect();
                if let [centre] = corners[..] {
                    let (middle, rim) = (self.place(&centre), centre + pose.direction(&Vector3::x()) * part.radius);
                    return Some(Outline::Circle(middle, part.radius, self.place(&rim)));
                }
                let places: Vec<Point> = corners.iter().map(|v| self.place(v)).collect();
                if part.radius > 0.0 {
                    let round = |p: &Point| {
                        let p = *p;
                        around().map(move |angle| p + Point::new(angle.cos(), angle.sin()) * part.radius)
                    };
                    return Some(Outline::Polygon(rim(places.iter().flat_map(round).collect()), Vec::new()));
                }
                let mut edges = Vec::new();
                for (normal, face) in hull.faces() {
                    if pose.direction(normal).dot(&self.toward) > 1e-9 {
                        edges.extend((0..face.len()).map(|k| [places[face[k]], places[face[(k + 1) % face.len()]]]));
                    }
                }
                Some(Outline::Polygon(rim(places), edges))
            }
        }
    }
}

impl Outline {
    /// The corners of the smallest rectangle around it.
    pub fn bounds(&self) -> [Point; 2] {
        match self {
            Outline::Circle(centre, radius, _) => [centre.add_scalar(-radius), centre.add_scalar(*radius)],
            Outline::Polygon(rim, _) => rim
                .iter()
                .fold([Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY)], |[least, greatest], p| {
                    [least.inf(p), greatest.sup(p)]
                }),
        }
    }
}

/// The convex hull of points (Andrew's monotone chain).
fn rim(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = &Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp(&(p - a)) <= 0.0
            {
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut points.iter());
    hull.extend(chain(&mut points.iter().rev()));
    hull
}
