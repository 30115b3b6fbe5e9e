//! The contact frame: one normal, two tangents.

use crate::error::{Error, finite};
use nalgebra::{Matrix3, Vector3};

/// Right-handed orthonormal axes (n, t1, t2) at a contact; n points from body B into body A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Axes", into = "Axes"))]
pub struct ContactFrame {
    axes: Matrix3<f64>,
}

/// The serialised form of a frame: the two axes that fix it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Axes {
    normal: Vector3<f64>,
    tangent: Vector3<f64>,
}

#[cfg(feature = "serde")]
impl From<ContactFrame> for Axes {
    fn from(frame: ContactFrame) -> Axes {
        Axes { normal: frame.normal(), tangent: frame.tangent() }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Axes> for ContactFrame {
    type Error = Error;

    fn try_from(axes: Axes) -> Result<ContactFrame, Error> {
        ContactFrame::of_axes(axes.normal, axes.tangent)
    }
}

/// A tangent hint closer to the normal than this angle (rad) fixes no direction to double precision.
const PARALLEL: f64 = 1e-9;

impl ContactFrame {
    /// A planar frame: t1 = (n_y, −n_x), t2 = n × t1 = −z.
    ///
    /// ```
    /// # use carom::ContactFrame;
    /// let floor = ContactFrame::planar([0.0, 2.0]).unwrap();
    /// assert_eq!(floor.tangent().x, 1.0);
    /// ```
    pub fn planar(normal: [f64; 2]) -> Result<ContactFrame, Error> {
        let n = unit("normal", &Vector3::new(normal[0], normal[1], 0.0))?;
        Ok(ContactFrame::from_unit(n, Vector3::new(n.y, -n.x, 0.0)))
    }

    /// A spatial frame. `tangent` need not be perpendicular to the normal: its projection is t1. Without it, t1 is the
    /// projection of the world axis that is most nearly perpendicular to the normal (the first of equals).
    pub fn spatial(normal: &Vector3<f64>, tangent: Option<&Vector3<f64>>) -> Result<ContactFrame, Error> {
        let n = unit("normal", normal)?;
        let hint = match tangent {
            Some(tangent) => unit("tangent", tangent)?,
            None => Vector3::ith(n.abs().imin(), 1.0),
        };
        let across = hint - n * n.dot(&hint);
        let t1 = across.try_normalize(PARALLEL).ok_or(Error::TangentAlongNormal)?;
        // A hint close to the normal leaves a rounded part along it, which the normalisation has blown up.
        let t1 = (t1 - n * n.dot(&t1)).normalize();
        Ok(ContactFrame::from_unit(n, t1))
    }

    /// The frame of a normal and a first tangent that came from a frame: they are kept bit by bit.
    pub fn of_axes(normal: Vector3<f64>, tangent: Vector3<f64>) -> Result<ContactFrame, Error> {
        finite("normal", normal.as_slice())?;
        finite("tangent", tangent.as_slice())?;
        let off = [normal.norm() - 1.0, tangent.norm() - 1.0, normal.dot(&tangent)];
        match off.iter().find(|off| off.abs() > PARALLEL) {
            Some(off) => Err(Error::OutOfRange {
                what: "axes of a frame",
                value: *off,
                expected: "unit vectors at right angles",
            }),
            None => Ok(ContactFrame::from_unit(normal, tangent)),
        }
    }

    fn from_unit(n: Vector3<f64>, t1: Vector3<f64>) -> ContactFrame {
        ContactFrame { axes: Matrix3::from_columns(&[n, t1, n.cross(&t1)]) }
    }

    /// The unit normal, from B into A.
    pub fn normal(&self) -> Vector3<f64> {
        self.axes.column(0).into()
    }

    /// The first tangent, t1.
    pub fn tangent(&self) -> Vector3<f64> {
        self.axes.column(1).into()
    }

    /// World components of a vector given as (n, t1, t2).
    pub fn to_world(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.axes * local
    }

    /// Components (n, t1, t2) of a vector given in world axes.
    pub fn to_contact(&self, world: &Vector3<f64>) -> Vector3<f64> {
        self.axes.tr_mul(world)
    }

    /// A world-axes matrix such as an inverse mass, in contact axes.
    pub fn matrix_to_contact(&self, world: &Matrix3<f64>) -> Matrix3<f64> {
        self.axes.transpose() * world * self.axes
    }

    /// The axes as columns.
    pub(crate) fn axes(&self) -> &Matrix3<f64> {
        &self.axes
    }
}

fn unit(what: &'static str, vector: &Vector3<f64>) -> Result<Vector3<f64>, Error> {
    finite(what, vector.as_slice())?;
    // Dividing by the largest entry first keeps huge and tiny vectors from overflowing their own length.
    let scale = vector.amax();
    if scale == 0.0 {
        return Err(Error::ZeroDirection { what });
    }
    Ok((vector / scale).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn axes_are_orthonormal_however_close_the_hint_is_to_the_normal() {
        let mut random = Random(81);
        for _ in 0..1000 {
            let normal = random.direction();
            let across = normal.cross(&random.direction()).normalize();
            let hint = normal + across * random.log_between(1e-8, 1.0);
            let axes = ContactFrame::spatial(&normal, Some(&hint)).unwrap().axes;
            assert!((axes.transpose() * axes - Matrix3::identity()).amax() < 1e-15, "{axes}");
            assert!((axes.determinant() - 1.0).abs() < 1e-15);
        }
    }
}
