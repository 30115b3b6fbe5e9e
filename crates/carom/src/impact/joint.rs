//! Ideal joints: what they lock stays locked through an impact.

use crate::error::{Error, finite};
use nalgebra::{UnitQuaternion, Vector3};

/// An ideal joint between two bodies, or a body and the world: relative motions that it locks. It takes whatever impulse
/// that needs and no energy.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Place of body A; `None` is the world.
    pub a: Option<usize>,
    /// Place of body B; `None` is the world.
    pub b: Option<usize>,
    /// Where it is, m.
    pub point: Vector3<f64>,
    /// Directions along which A's point must move as B's does.
    pub(crate) translations: Vec<Vector3<f64>>,
    /// Axes about which A must turn as B does.
    pub(crate) rotations: Vec<Vector3<f64>>,
}

impl Joint {
    /// A joint that locks nothing yet.
    pub(crate) fn free(a: Option<usize>, b: Option<usize>, point: Vector3<f64>) -> Joint {
        Joint { a, b, point, translations: Vec::new(), rotations: Vec::new() }
    }

    /// The point of A stays at the point of B; both turn freely.
    pub fn spherical(a: Option<usize>, b: Option<usize>, point: Vector3<f64>) -> Joint {
        Joint { a, b, point, translations: axes(), rotations: Vec::new() }
    }

    /// As spherical, but they turn about one axis only. In the plane the axis is z.
    pub fn revolute(
        a: Option<usize>,
        b: Option<usize>,
        point: Vector3<f64>,
        axis: &Vector3<f64>,
    ) -> Result<Joint, Error> {
        Ok(Joint { a, b, point, translations: axes(), rotations: across(axis)?.to_vec() })
    }

    /// A slides along one axis against B and does not turn.
    pub fn prismatic(
        a: Option<usize>,
        b: Option<usize>,
        point: Vector3<f64>,
        axis: &Vector3<f64>,
    ) -> Result<Joint, Error> {
        Ok(Joint { a, b, point, translations: across(axis)?.to_vec(), rotations: axes() })
    }

    /// A turns against B about the axis and about one perpendicular to it, a fixed function of the axis.
    pub fn universal(
        a: Option<usize>,
        b: Option<usize>,
        point: Vector3<f64>,
        axis: &Vector3<f64>,
    ) -> Result<Joint, Error> {
        finite("axis", axis.as_slice())?;
        let axis = axis.try_normalize(0.0).ok_or(Error::ZeroDirection { what: "axis" })?;
        // The same rotation as that of the joint of a simulation, which leads x to the axis.
        let frame = UnitQuaternion::rotation_between(&Vector3::x(), &axis)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI));
        Ok(Joint { a, b, point, translations: axes(), rotations: vec![frame * Vector3::z()] })
    }

    /// A slides across one axis against B and turns about it.
    pub fn planar(
        a: Option<usize>,
        b: Option<usize>,
        point: Vector3<f64>,
        axis: &Vector3<f64>,
    ) -> Result<Joint, Error> {
        let across = across(axis)?;
        let along = axis.normalize();
        Ok(Joint { a, b, point, translations: vec![along], rotations: across.to_vec() })
    }

    /// The point of A slides across one axis against B and turns freely: a pin in a slot.
    pub fn slot(a: Option<usize>, b: Option<usize>, point: Vector3<f64>, axis: &Vector3<f64>) -> Result<Joint, Error> {
        finite("axis", axis.as_slice())?;
        let axis = axis.try_normalize(0.0).ok_or(Error::ZeroDirection { what: "axis" })?;
        Ok(Joint { a, b, point, translations: vec![axis], rotations: Vec::new() })
    }

    /// A and B move as one body.
    pub fn fixed(a: Option<usize>, b: Option<usize>, point: Vector3<f64>) -> Joint {
        Joint { a, b, point, translations: axes(), rotations: axes() }
    }
}

fn axes() -> Vec<Vector3<f64>> {
    vec![Vector3::x(), Vector3::y(), Vector3::z()]
}

/// Two directions perpendicular to an axis and to each other.
fn across(axis: &Vector3<f64>) -> Result<[Vector3<f64>; 2], Error> {
    finite("axis", axis.as_slice())?;
    let axis = axis.try_normalize(0.0).ok_or(Error::ZeroDirection { what: "axis" })?;
    let first = axis.cross(&Vector3::ith(axis.abs().imin(), 1.0)).normalize();
    Ok([first, axis.cross(&first)])
}
