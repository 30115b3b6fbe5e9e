//! The `shape` of a body whose parts have the very bits of one.

use super::toml::{number, numbers, table};
use carom::sim::{Core, Hull, Part, Pose, SceneBody, Solid};
use carom::{Amount, Dimension, Shape};
use nalgebra::Vector3;

/// A shape as it stands in a file.
pub(super) struct Written {
    pub text: String,
    /// Whether mass and shape give the body's inertia.
    pub gives_inertia: bool,
    /// Whether it has corners of its own choice, and with them a centre of mass that is 0 up to rounding only.
    pub is_cornered: bool,
}

/// The shape from which the reader makes the parts of a body, if one part has the bits of a simple one.
pub(super) fn of_body(body: &SceneBody, dimension: Dimension) -> Option<Written> {
    let [part] = &body.parts[..] else { return None };
    let candidates = candidates(part, dimension);
    let fits = |(solid, _): &&(Solid, String)| touches_with(solid, Vector3::zeros(), part, dimension);
    let gives_inertia = |(solid, _): &&(Solid, String)| {
        solid.matter(Amount::Mass(body.mass)).is_ok_and(|matter| {
            let inertia = if dimension.is_planar() {
                matter.inertia[(2, 2)] == body.inertia[(2, 2)]
            } else {
                matter.inertia == body.inertia
            };
            inertia && matter.mass == body.mass && touches_with(solid, matter.centre, part, dimension)
        })
    };
    let homogeneous = candidates.iter().find(gives_inertia);
    let (solid, text) = homogeneous.or_else(|| candidates.iter().find(fits))?;
    let is_cornered = matches!(solid, Solid::Polygon(_) | Solid::Polyhedron(_));
    Some(Written { text: text.clone(), gives_inertia: homogeneous.is_some(), is_cornered })
}

/// Whether the reader makes this part of a solid with its centre of mass there.
fn touches_with(solid: &Solid, centre: Vector3<f64>, part: &Part, dimension: Dimension) -> bool {
    let to_centre = Pose { position: -centre, ..Pose::identity() };
    solid.parts(dimension, part.material).is_ok_and(|parts| match parts.into_iter().next() {
        Some(read) => read.moved(&to_centre) == *part,
        None => false,
    })
}

/// Shapes of the size of a part, the likeliest first.
fn candidates(part: &Part, dimension: Dimension) -> Vec<(Solid, String)> {
    let simple =
        |word: &str, keys: &[(&str, String)], shape: Shape| (Solid::Shape(shape), table(&[(word, table(keys))]));
    let radius = part.radius;
    match &part.core {
        Core::HalfSpace { .. } => Vec::new(),
        Core::Ellipsoid { semi_axes, .. } => {
            let semi_axes: [f64; 3] = (*semi_axes).into();
            vec![simple("ellipsoid", &[("semi_axes", numbers(&semi_axes))], Shape::Ellipsoid { semi_axes })]
        }
        Core::Hull(hull) => match hull.vertices() {
            [_] => {
                let size = [("radius", number(radius))];
                let ball = simple("ball", &size, Shape::Ball { radius });
                let disk = simple("disk", &size, Shape::Disk { radius });
                let shell = simple("shell", &size, Shape::Shell { radius });
                let hoop = simple("hoop", &size, Shape::Hoop { radius });
                if dimension.is_planar() { vec![disk, ball, hoop, shell] } else { vec![ball, shell] }
            }
            [_, end] if radius == 0.0 => {
                let length = 2.0 * end.x;
                vec![simple("rod", &[("length", number(length))], Shape::Rod { length })]
            }
            [_, end] => {
                let length = 2.0 * end.x;
                let size = [("radius", number(radius)), ("length", number(length))];
                vec![simple("capsule", &size, Shape::Capsule { radius, length })]
            }
            _ if radius != 0.0 => Vec::new(),
            corners if dimension.is_planar() => flat(corners),
            corners => solid(corners),
        },
    }
}

fn flat(corners: &[Vector3<f64>]) -> Vec<(Solid, String)> {
    let mut all = Vec::new();
    if let [_, _, corner, _] = corners {
        let size = [2.0 * corner.x, 2.0 * corner.y];
        all.push((Solid::Polygon(Hull::rectangle(size)), table(&[("box", table(&[("size", numbers(&size))]))])));
    }
    let points: Vec<[f64; 2]> = corners.iter().map(|corner| [corner.x, corner.y]).collect();
    if let Ok(hull) = Hull::polygon(&points) {
        let vertices: Vec<String> = points.iter().map(|point| numbers(point)).collect();
        let text = table(&[("polygon", table(&[("vertices", format!("[{}]", vertices.join(", ")))]))]);
        all.push((Solid::Polygon(hull), text));
    }
    all
}

fn solid(corners: &[Vector3<f64>]) -> Vec<(Solid, String)> {
    let mut all = Vec::new();
    if let [.., corner] = corners
        && corners.len() == 8
    {
        let size: [f64; 3] = (corner * 2.0).into();
        all.push((Solid::Shape(Shape::Box { size }), table(&[("box", table(&[("size", numbers(&size))]))])));
    }
    if let [corner, ..] = corners
        && corners.len() == 2 * Solid::CYLINDER_SIDES
    {
        let (radius, length) = (corner.x, -2.0 * corner.z);
        let size = table(&[("radius", number(radius)), ("length", number(length))]);
        all.push((Solid::Shape(Shape::Cylinder { radius, length }), table(&[("cylinder", size)])));
    }
    let points: Vec<[f64; 3]> = corners.iter().map(|corner| (*corner).into()).collect();
    if let Ok(hull) = Hull::polyhedron(&points) {
        let vertices: Vec<String> = points.iter().map(|point| numbers(point)).collect();
        let text = table(&[("polyhedron", table(&[("vertices", format!("[{}]", vertices.join(", ")))]))]);
        all.push((Solid::Polyhedron(hull), text));
    }
    all
}
