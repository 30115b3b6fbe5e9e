//! The part of a simplex that lies in a plane through the origin.

use nalgebra::Vector3;

/// A piece of a set in a section.
#[derive(Debug, PartialEq)]
pub enum Slice {
    Nothing,
    Point(Vector3<f64>),
    Segment([Vector3<f64>; 2]),
    /// Corners in order.
    Polygon(Vec<Vector3<f64>>),
}

/// A corner closer to the plane than this fraction of its distance from the origin lies in it.
const IN_PLANE: f64 = 1e-12;

impl Slice {
    /// All of a simplex of a planar set.
    pub fn whole(corners: Vec<Vector3<f64>>) -> Slice {
        match corners[..] {
            [] => Slice::Nothing,
            [point] => Slice::Point(point),
            [from, to] => Slice::Segment([from, to]),
            _ => Slice::Polygon(corners),
        }
    }
}

/// The part of a simplex in the plane through the origin with this unit normal.
pub fn slice(corners: &[Vector3<f64>], normal: &Vector3<f64>) -> Slice {
    let heights: Vec<f64> = corners
        .iter()
        .map(|corner| {
            let height = corner.dot(normal);
            if height.abs() <= IN_PLANE * corner.norm() { 0.0 } else { height }
        })
        .collect();
    let mut points: Vec<Vector3<f64>> = Vec::new();
    for (i, (a, height)) in corners.iter().zip(&heights).enumerate() {
        if *height == 0.0 {
            points.push(*a);
        }
        for (b, other) in corners.iter().zip(&heights).skip(i + 1) {
            if height * other < 0.0 {
                points.push(a + (b - a) * (height / (height - other)));
            }
        }
    }
    // A simplex that only touches the plane with a corner or an edge adds nothing to the section: its neighbours do.
    if points.len() + 1 < corners.len() {
        return Slice::Nothing;
    }
    if points.len() > 3 {
        let middle = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        let right = points[0] - middle;
        let up = normal.cross(&right);
        let angle = |p: &Vector3<f64>| (p - middle).dot(&up).atan2((p - middle).dot(&right));
        points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    }
    Slice::whole(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tetrahedron_is_cut_in_a_quadrilateral_whose_sides_do_not_cross() {
        let corners = [[0., 1., 0.], [2., 1., 0.], [0., -1., 1.], [0., -1., -1.]].map(Vector3::from);
        let Slice::Polygon(points) = slice(&corners, &Vector3::y()) else { panic!("no polygon") };
        assert_eq!(points.len(), 4);
        let area: f64 =
            (2..4).map(|k| 0.5 * (points[k - 1] - points[0]).cross(&(points[k] - points[0])).y).sum::<f64>().abs();
        assert!((area - 1.0).abs() < 1e-14, "{points:?}");
    }

    #[test]
    fn a_segment_meets_the_plane_in_a_point_lies_in_it_or_misses_it() {
        let cut = |a: [f64; 3], b: [f64; 3]| slice(&[a.into(), b.into()], &Vector3::z());
        assert_eq!(cut([1., 0., 1.], [3., 0., -1.]), Slice::Point(Vector3::new(2., 0., 0.)));
        assert!(matches!(cut([1., 0., 0.], [3., 1., 0.]), Slice::Segment(_)));
        assert_eq!(cut([1., 0., 1.], [3., 1., 2.]), Slice::Nothing);
        let triangle = [[1., 0., 0.], [3., 1., 2.], [2., 0., 1.]].map(Vector3::from);
        assert_eq!(slice(&triangle, &Vector3::z()), Slice::Nothing, "only a corner touches the plane");
    }
}
