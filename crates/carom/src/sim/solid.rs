//! Solids: what a shape weighs and what it touches with.

use super::hull::Hull;
use super::id::MaterialId;
use super::matter::Matter;
use super::part::{Core, Part};
use super::state::Pose;
use crate::dimension::Dimension;
use crate::error::{Error, finite, positive};
use crate::shape::{Amount, MassProperties, Shape};
use nalgebra::{Matrix3, Vector3};

/// A homogeneous body in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A simple shape about the origin.
    Shape(Shape),
    /// A convex polygon in the x–y plane.
    Polygon(Hull),
    /// A convex polyhedron.
    Polyhedron(Hull),
    /// Several, each turned and moved; where two overlap, both count.
    Compound(Vec<(Solid, Pose)>),
}

/// What density refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// kg/m.
    Length,
    /// kg/m².
    Area,
    /// kg/m³.
    Volume,
}

impl Solid {
    /// Sides of the prism that stands for a cylinder where it touches.
    pub const CYLINDER_SIDES: usize = 32;

    /// What a density of this solid refers to; `None` for a compound of different ones.
    pub fn extent(&self) -> Option<Extent> {
        match self {
            Solid::Shape(Shape::Rod { .. } | Shape::Hoop { .. }) => Some(Extent::Length),
            Solid::Shape(Shape::Disk { .. } | Shape::Shell { .. }) | Solid::Polygon(_) => Some(Extent::Area),
            Solid::Shape(_) | Solid::Polyhedron(_) => Some(Extent::Volume),
            Solid::Compound(pieces) => {
                let mut extents = pieces.iter().map(|(piece, _)| piece.extent());
                let first = extents.next().flatten()?;
                extents.all(|extent| extent == Some(first)).then_some(first)
            }
        }
    }

    /// Mass, centre of mass and inertia of the solid with so much matter in it, in its own axes.
    ///
    /// ```
    /// # use carom::Amount;
    /// # use carom::sim::{Hull, Solid};
    /// let triangle = Solid::Polygon(Hull::polygon(&[[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]]).unwrap());
    /// let matter = triangle.matter(Amount::Density(2.0)).unwrap();
    /// assert!((matter.mass - 9.0).abs() < 1e-14 && (matter.centre.x - 1.0).abs() < 1e-14);
    /// ```
    pub fn matter(&self, amount: Amount) -> Result<Matter, Error> {
        let matter = match self {
            Solid::Shape(shape) => {
                let MassProperties { mass, moments } = shape.mass_properties(amount)?;
                Matter { mass, centre: Vector3::zeros(), inertia: Matrix3::from_diagonal(&moments.into()) }
            }
            Solid::Polygon(hull) => filled(&Matter::of_polygon(hull), amount)?,
            Solid::Polyhedron(hull) => filled(&Matter::of_polyhedron(hull), amount)?,
            Solid::Compound(pieces) => {
                let at = |density: f64| {
                    let of = |(piece, pose): &(Solid, Pose)| Ok(piece.matter(Amount::Density(density))?.moved(pose));
                    let all: Vec<Matter> = pieces.iter().map(of).collect::<Result<_, Error>>()?;
                    Matter::sum(&all).ok_or(Error::NoSolid { what: "a compound", expected: "at least one piece" })
                };
                match amount {
                    Amount::Density(density) => at(density)?,
                    Amount::Mass(_) => filled(&at(1.0)?, amount)?,
                }
            }
        };
        positive("mass", matter.mass)?;
        finite("centre of mass", matter.centre.as_slice())?;
        finite("moment of inertia", matter.inertia.as_slice())?;
        Ok(matter)
    }

    /// What it touches with, in its own axes. In the plane a ball is a disk, a box a rectangle and an ellipsoid an ellipse; in space a
    /// cylinder is a prism of [`CYLINDER_SIDES`](Solid::CYLINDER_SIDES) sides, and flat shapes touch nothing and are refused.
    pub fn parts(&self, dimension: Dimension, material: MaterialId) -> Result<Vec<Part>, Error> {
        let planar = dimension.is_planar();
        let rounded = |hull: Hull, radius: f64| Part { core: Core::Hull(hull), radius, material };
        let part = match self {
            Solid::Compound(pieces) => {
                let mut parts = Vec::with_capacity(pieces.len());
                for (piece, pose) in pieces {
                    parts.extend(piece.parts(dimension, material)?.into_iter().map(|part| part.moved(pose)));
                }
                return Ok(parts);
            }
            Solid::Polygon(hull) if planar => Part::sharp(hull.clone(), material),
            Solid::Polyhedron(hull) if !planar => Part::sharp(hull.clone(), material),
            Solid::Polygon(_) => {
                return Err(Error::NoSolid { what: "a polygon in space", expected: "a polyhedron" });
            }
            Solid::Polyhedron(_) => {
                return Err(Error::NoSolid { what: "a polyhedron in the plane", expected: "a polygon" });
            }
            Solid::Shape(shape) => match *shape {
                Shape::Capsule { radius, length } if length > 0.0 => rounded(Hull::segment(length, dimension), radius),
                Shape::Ball { radius } | Shape::Shell { radius } | Shape::Capsule { radius, .. } => {
                    Part::ball(radius, material)
                }
                Shape::Disk { radius } | Shape::Hoop { radius } | Shape::Cylinder { radius, .. } if planar => {
                    Part::ball(radius, material)
                }
                Shape::Disk { .. } | Shape::Hoop { .. } => {
                    return Err(Error::NoSolid { what: "a disk or a hoop in space", expected: "a cylinder" });
                }
                Shape::Cylinder { radius, length } => {
                    Part::sharp(Hull::prism(radius, length, Solid::CYLINDER_SIDES), material)
                }
                Shape::Rod { length } => rounded(Hull::segment(length, dimension), 0.0),
                Shape::Box { size: [x, y, _] } if planar => Part::sharp(Hull::rectangle([x, y]), material),
                Shape::Box { size } => Part::sharp(Hull::block(size), material),
                Shape::Ellipsoid { semi_axes: [x, y, z] } => {
                    Part::ellipsoid([x, y, if planar { x.max(y) } else { z }], material)
                }
            },
        };
        Ok(vec![part])
    }
}

/// Matter at density 1 with so much of it instead.
fn filled(matter: &Matter, amount: Amount) -> Result<Matter, Error> {
    positive("content", matter.mass)?;
    let mass = match amount {
        Amount::Mass(mass) => mass,
        Amount::Density(density) => {
            positive("density", density)?;
            density * matter.mass
        }
    };
    positive("mass", mass)?;
    Ok(matter.weighing(mass))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use nalgebra::UnitQuaternion;

    fn points(hull: &Hull) -> Vec<[f64; 3]> {
        hull.vertices().iter().map(|v| [v.x, v.y, v.z]).collect()
    }

    #[track_caller]
    fn assert_close(a: &Matter, b: &Matter) {
        assert!((a.mass - b.mass).abs() < 1e-12 * b.mass, "{a:?} is not {b:?}");
        assert!((a.centre - b.centre).norm() < 1e-12 * (1.0 + b.centre.norm()), "{a:?} is not {b:?}");
        assert!((a.inertia - b.inertia).amax() < 1e-11 * b.inertia.amax(), "{a:?} is not {b:?}");
    }

    #[test]
    fn a_block_of_corners_is_a_box_wherever_it_lies() {
        let size = [1.0, 2.0, 3.0];
        let pose = Pose {
            position: Vector3::new(10.0, -3.0, 0.5),
            orientation: UnitQuaternion::from_euler_angles(0.4, -1.0, 2.0),
        };
        let block = Hull::block(size).turned(&pose.orientation).moved(&pose.position);
        let corners = Solid::Polyhedron(Hull::polyhedron(&points(&block)).unwrap());
        let own = Solid::Shape(Shape::Box { size }).matter(Amount::Density(2.0)).unwrap();
        assert_close(&corners.matter(Amount::Density(2.0)).unwrap(), &own.moved(&pose));
        assert_close(&corners.matter(Amount::Mass(12.0)).unwrap(), &own.moved(&pose));
    }

    #[test]
    fn a_tetrahedron_has_the_moments_of_the_textbook() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let matter = Solid::Polyhedron(Hull::polyhedron(&corners).unwrap()).matter(Amount::Mass(1.0)).unwrap();
        assert!((matter.centre - Vector3::repeat(0.25)).norm() < 1e-15);
        // ∫x² = 1/10, ∫xy = 1/20 about the right-angled corner, at mass 1.
        let (square, product) = (0.1 - 1.0 / 16.0, 0.05 - 1.0 / 16.0);
        let expected = Matrix3::from_fn(|i, j| if i == j { 2.0 * square } else { -product });
        assert!((matter.inertia - expected).amax() < 1e-15);
    }

    #[test]
    fn polygons_of_many_sides_become_disks_and_prisms_cylinders() {
        let n = 20_000;
        let corner = |k: i32| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(n);
            [2.0 * angle.cos() + 5.0, 2.0 * angle.sin()]
        };
        let round: Vec<[f64; 2]> = (0..n).map(corner).collect();
        let polygon = Solid::Polygon(Hull::polygon(&round).unwrap()).matter(Amount::Mass(3.0)).unwrap();
        assert!((polygon.centre - Vector3::x() * 5.0).norm() < 1e-12);
        let disk = Shape::Disk { radius: 2.0 }.mass_properties(Amount::Mass(3.0)).unwrap();
        assert!((0..3).all(|k| (polygon.inertia[(k, k)] - disk.moments[k]).abs() < 1e-6));
        let prism = Solid::Polyhedron(Hull::prism(2.0, 6.0, 2000)).matter(Amount::Density(1.0)).unwrap();
        let cylinder = Shape::Cylinder { radius: 2.0, length: 6.0 }.mass_properties(Amount::Density(1.0)).unwrap();
        assert!((prism.mass - cylinder.mass).abs() < 1e-5 * cylinder.mass);
        assert!((0..3).all(|k| (prism.inertia[(k, k)] / cylinder.moments[k] - 1.0).abs() < 1e-5));
    }

    #[test]
    fn a_solid_cut_in_two_is_still_the_same() {
        let half = |sign: f64| {
            let pose = Pose { position: Vector3::x() * (0.5 * sign), ..Pose::identity() };
            (Solid::Shape(Shape::Box { size: [1.0, 2.0, 3.0] }), pose)
        };
        let cut = Solid::Compound(vec![half(-1.0), half(1.0)]);
        let whole = Solid::Shape(Shape::Box { size: [2.0, 2.0, 3.0] });
        for amount in [Amount::Mass(5.0), Amount::Density(5.0)] {
            assert_close(&cut.matter(amount).unwrap(), &whole.matter(amount).unwrap());
        }
        assert_eq!(cut.extent(), Some(Extent::Volume));
        let rod = (Solid::Shape(Shape::Rod { length: 1.0 }), Pose::identity());
        assert_eq!(Solid::Compound(vec![half(1.0), rod]).extent(), None);
        assert!(Solid::Compound(Vec::new()).matter(Amount::Mass(1.0)).is_err());
    }

    #[test]
    fn parts_reach_as_far_as_their_shapes() {
        let reach =
            |shape: Shape, dimension| Solid::Shape(shape).parts(dimension, MaterialId::default()).unwrap()[0].reach();
        assert_eq!(reach(Shape::Box { size: [6.0, 8.0, 2.0] }, Dimension::Planar), 5.0);
        assert!((reach(Shape::Box { size: [2.0, 4.0, 4.0] }, Dimension::Spatial) - 3.0).abs() < 1e-15);
        assert_eq!(reach(Shape::Capsule { radius: 1.0, length: 4.0 }, Dimension::Spatial), 3.0);
        assert_eq!(reach(Shape::Capsule { radius: 1.0, length: 0.0 }, Dimension::Planar), 1.0);
        assert_eq!(reach(Shape::Ellipsoid { semi_axes: [1.0, 2.0, 3.0] }, Dimension::Spatial), 3.0);
        assert_eq!(reach(Shape::Cylinder { radius: 3.0, length: 8.0 }, Dimension::Planar), 3.0);
        assert_eq!(reach(Shape::Cylinder { radius: 3.0, length: 8.0 }, Dimension::Spatial), 5.0);
        assert!(Solid::Shape(Shape::Disk { radius: 1.0 }).parts(Dimension::Spatial, MaterialId::default()).is_err());
    }
}
