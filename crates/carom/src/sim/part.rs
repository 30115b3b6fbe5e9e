//! What bodies touch with: convex parts in body axes.

use super::body::{check_unit, in_plane};
use super::hull::Hull;
use super::id::MaterialId;
use super::state::Pose;
use super::touch::meeting::Feature;
use crate::collision::{bounded, sensible};
use crate::dimension::Dimension;
use crate::error::{Error, finite, positive};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// A convex part of a body: a core, and all points within `radius` of it.
///
/// A ball is a point with a radius, a capsule a segment with one.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// In the axes of the body, about its centre of mass; for the world, in world axes.
    pub core: Core,
    /// Rounding, m.
    pub radius: f64,
    /// Its material.
    pub material: MaterialId,
}

/// A normal may differ from length 1 by this much: the rounding of some products of directions.
const UNIT: f64 = 1e-9;

/// The core of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Core {
    /// All points x with normal·x ≤ offset; only the world has this one.
    HalfSpace {
        /// Unit vector out of the solid.
        normal: Vector3<f64>,
        /// m.
        offset: f64,
    },
    /// A convex polytope, down to a single point.
    Hull(Hull),
    /// An ellipsoid.
    Ellipsoid {
        /// Its centre.
        centre: Vector3<f64>,
        /// From its own axes to those of the body.
        axes: UnitQuaternion<f64>,
        /// Half the diameters along its own axes, m.
        semi_axes: Vector3<f64>,
    },
}

impl Core {
    /// What an ellipsoid touches with.
    pub(crate) fn round(&self) -> Option<Feature> {
        let Core::Ellipsoid { centre, axes, semi_axes } = self else { return None };
        let axes: Rotation3<f64> = (*axes).into();
        Some(Feature::Ellipsoid(*centre, axes.matrix() * Matrix3::from_diagonal(semi_axes)))
    }
}

impl Part {
    /// A ball (a disk in the plane) about the centre of mass.
    pub fn ball(radius: f64, material: MaterialId) -> Part {
        Part { core: Core::Hull(Hull::point(Vector3::zeros())), radius, material }
    }

    /// An ellipsoid about the centre of mass, with half its diameters along the body's axes, m. In the plane the third one should
    /// be the largest, so that the shortest way out of the ellipse is never out of the plane.
    pub fn ellipsoid(semi_axes: [f64; 3], material: MaterialId) -> Part {
        let (centre, axes) = (Vector3::zeros(), UnitQuaternion::identity());
        Part { core: Core::Ellipsoid { centre, axes, semi_axes: semi_axes.into() }, radius: 0.0, material }
    }

    /// The solid below a plane.
    pub fn half_space(normal: Vector3<f64>, offset: f64, material: MaterialId) -> Part {
        Part { core: Core::HalfSpace { normal, offset }, radius: 0.0, material }
    }

    /// A polytope without rounding.
    pub fn sharp(hull: Hull, material: MaterialId) -> Part {
        Part { core: Core::Hull(hull), radius: 0.0, material }
    }

    /// The same part turned about the origin, then moved.
    #[must_use]
    pub fn moved(mut self, pose: &Pose) -> Part {
        self.core = match self.core {
            Core::HalfSpace { normal, offset } => {
                let normal = pose.direction(&normal);
                Core::HalfSpace { normal, offset: offset + normal.dot(&pose.position) }
            }
            Core::Hull(hull) => Core::Hull(hull.turned(&pose.orientation).moved(&pose.position)),
            Core::Ellipsoid { centre, axes, semi_axes } => {
                Core::Ellipsoid { centre: pose.point(&centre), axes: pose.orientation * axes, semi_axes }
            }
        };
        self
    }

    /// The greatest distance of its points from the body's origin; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        let core = match &self.core {
            Core::HalfSpace { .. } => f64::INFINITY,
            Core::Hull(hull) => hull.reach(),
            Core::Ellipsoid { centre, semi_axes, .. } => centre.norm() + semi_axes.amax(),
        };
        core + self.radius
    }

    /// Half of its least width across a face; of a ball or a capsule, its radius; infinite for a half-space.
    pub(crate) fn half_thickness(&self) -> f64 {
        let core = match &self.core {
            Core::HalfSpace { .. } => f64::INFINITY,
            Core::Hull(hull) => 0.5 * hull.least_width(),
            Core::Ellipsoid { semi_axes, .. } => semi_axes.min(),
        };
        core + self.radius
    }

    /// Whether it is a ball about the body's origin.
    pub(crate) fn is_ball(&self) -> bool {
        matches!(&self.core, Core::Hull(hull) if matches!(hull.vertices[..], [at] if at == Vector3::zeros()))
    }

    /// Whether it is a half-space.
    pub(crate) fn is_half_space(&self) -> bool {
        matches!(self.core, Core::HalfSpace { .. })
    }

    /// Refuses numbers that no part has.
    pub(super) fn check(&self, dimension: Dimension) -> Result<(), Error> {
        finite("radius", &[self.radius])?;
        if self.radius < 0.0 {
            return Err(Error::OutOfRange { what: "radius", value: self.radius, expected: "a number of at least 0" });
        }
        if self.radius > 0.0 {
            sensible("radius", self.radius)?;
        }
        match &self.core {
            Core::HalfSpace { normal, offset } => {
                finite("normal", normal.as_slice())?;
                bounded("offset", &[*offset])?;
                let length = normal.norm();
                if (length - 1.0).abs() > UNIT {
                    return Err(Error::OutOfRange { what: "length of the normal", value: length, expected: "1" });
                }
                if dimension.is_planar() { in_plane("normal along z", normal.z) } else { Ok(()) }
            }
            Core::Hull(hull) => hull.check(dimension),
            Core::Ellipsoid { centre, axes, semi_axes } => {
                bounded("centre", centre.as_slice())?;
                check_unit("axes", axes)?;
                semi_axes
                    .iter()
                    .try_for_each(|half| positive("semi-axis", *half).and_then(|()| sensible("semi-axis", *half)))
            }
        }
    }

    /// The corners of the smallest box along the world's axes that holds the part at a pose.
    pub fn bounds(&self, pose: &Pose) -> [Vector3<f64>; 2] {
        if let Core::Hull(hull) = &self.core {
            let turn = pose.orientation.to_rotation_matrix();
            let corners = hull.vertices.iter().map(|vertex| turn * vertex);
            let [low, high] = [f64::INFINITY, f64::NEG_INFINITY].map(Vector3::repeat);
            let (low, high) = corners.fold((low, high), |(low, high), at| (low.inf(&at), high.sup(&at)));
            return [low.add_scalar(-self.radius), high.add_scalar(self.radius)].map(|corner| corner + pose.position);
        }
        let along = |axis: usize, sign: f64| sign * self.support(pose, &Vector3::ith(axis, sign));
        [-1.0, 1.0].map(|sign| Vector3::from_fn(|axis, _| along(axis, sign)))
    }

    /// How far the part reaches along a unit direction of the world.
    pub fn support(&self, pose: &Pose, direction: &Vector3<f64>) -> f64 {
        let own = pose.orientation.inverse_transform_vector(direction);
        let core = match &self.core {
            Core::HalfSpace { normal, offset } if (own - normal).norm() < 1e-15 => *offset,
            Core::HalfSpace { .. } => f64::INFINITY,
            Core::Hull(hull) => hull.vertices.iter().map(|v| v.dot(&own)).fold(f64::NEG_INFINITY, f64::max),
            Core::Ellipsoid { centre, axes, semi_axes } => {
                centre.dot(&own) + axes.inverse_transform_vector(&own).component_mul(semi_axes).norm()
            }
        };
        pose.position.dot(direction) + core + self.radius
    }
}
