//! A body of a scene.

use super::id::MaterialId;
use super::part::Part;
use super::solid::Solid;
use super::state::{Pose, State};
use crate::body::Body;
use crate::collision::{bounded, sensible};
use crate::dimension::Dimension;
use crate::error::{Error, finite, positive};
use crate::shape::Amount;
use nalgebra::{Matrix3, SymmetricEigen, UnitQuaternion, Vector3};

/// A body that moves, as it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBody {
    /// kg.
    pub mass: f64,
    /// About the centre of mass in body axes, kg m². Only its entry (z, z) matters in the plane.
    pub inertia: Matrix3<f64>,
    /// The convex parts of its surface, about its centre of mass; a body without parts touches nothing.
    pub parts: Vec<Part>,
    /// Its initial state.
    pub state: State,
}

/// A quaternion may differ from length 1 by this much: the rounding of some thousand products.
const UNIT: f64 = 1e-9;
/// Moments of inertia below this fraction of the greatest are rounding of 0.
const NO_MOMENT: f64 = 1e-13;

impl SceneBody {
    /// A body with mass (kg) and inertia about its centre of mass (kg m²), at rest at the origin, that touches nothing.
    pub fn new(mass: f64, inertia: Matrix3<f64>) -> SceneBody {
        SceneBody { mass, inertia, parts: Vec::new(), state: State::world() }
    }

    /// A homogeneous solid of this mass or density, with its parts about its centre of mass.
    ///
    /// ```
    /// use carom::sim::{MaterialId, SceneBody, Solid};
    /// use carom::{Amount, Dimension, Shape};
    ///
    /// let ball = Solid::Shape(Shape::Ball { radius: 0.1 });
    /// let ball = SceneBody::of_solid(&ball, Amount::Mass(2.0), MaterialId::default(), Dimension::Spatial)?;
    /// assert!((ball.inertia[(0, 0)] - 0.4 * 2.0 * 0.01).abs() < 1e-15);
    /// assert_eq!(ball.reach(), 0.1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn of_solid(
        solid: &Solid,
        amount: Amount,
        material: MaterialId,
        dimension: Dimension,
    ) -> Result<SceneBody, Error> {
        let matter = solid.matter(amount)?;
        let to_centre = Pose { position: -matter.centre, ..Pose::identity() };
        let parts = solid.parts(dimension, material)?.into_iter().map(|part| part.moved(&to_centre)).collect();
        Ok(SceneBody::new(matter.mass, matter.inertia).with_parts(parts))
    }

    /// The same body with these parts.
    #[must_use]
    pub fn with_parts(mut self, parts: Vec<Part>) -> SceneBody {
        self.parts = parts;
        self
    }

    /// The same body with its centre of mass at a point.
    #[must_use]
    pub fn at_position(mut self, position: Vector3<f64>) -> SceneBody {
        self.state.pose.position = position;
        self
    }

    /// The same body in this state.
    #[must_use]
    pub fn at(mut self, pose: Pose, velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> SceneBody {
        self.state = State { pose, velocity, angular_velocity };
        self
    }

    /// The greatest distance of its surface from the centre of mass.
    pub fn reach(&self) -> f64 {
        self.parts.iter().map(Part::reach).fold(0.0, f64::max)
    }

    /// Refuses masses, inertias and states that no body has.
    pub fn check(&self, dimension: Dimension) -> Result<(), Error> {
        self.check_inertia(dimension)?;
        sensible("mass", self.mass)?;
        let moment = if dimension.is_planar() { self.inertia[(2, 2)] } else { self.inertia.amax() };
        sensible("inertia", moment)?;
        check_state(&self.state, dimension)
    }

    fn check_inertia(&self, dimension: Dimension) -> Result<(), Error> {
        if dimension.is_planar() {
            return Body::planar(self.mass, self.inertia[(2, 2)]).map(|_| ());
        }
        if self.inertia.determinant() > 0.0 {
            return Body::new(self.mass, &self.inertia).map(|_| ());
        }
        // A thin rod has no moment about its axis.
        positive("mass", self.mass)?;
        finite("inertia", self.inertia.as_slice())?;
        let moments = SymmetricEigen::new((self.inertia + self.inertia.transpose()) * 0.5).eigenvalues;
        let (least, greatest) = (moments.min(), moments.amax());
        if least < -NO_MOMENT * greatest || greatest == 0.0 {
            return Err(Error::NotPositive { what: "inertia", eigenvalue: least });
        }
        Ok(())
    }
}

/// Refuses states that no body has, or that leave the plane.
pub(super) fn check_state(state: &State, dimension: Dimension) -> Result<(), Error> {
    let State { pose, velocity, angular_velocity } = state;
    bounded("position", pose.position.as_slice())?;
    check_unit("orientation", &pose.orientation)?;
    bounded("velocity", velocity.as_slice())?;
    bounded("angular velocity", angular_velocity.as_slice())?;
    if dimension.is_planar() {
        in_plane("velocity along z", velocity.z)?;
        in_plane("angular velocity about x", angular_velocity.x)?;
        in_plane("angular velocity about y", angular_velocity.y)?;
    }
    Ok(())
}

/// Refuses a quaternion that is no rotation.
pub(super) fn check_unit(what: &'static str, turn: &UnitQuaternion<f64>) -> Result<(), Error> {
    finite(what, turn.coords.as_slice())?;
    let length = turn.coords.norm();
    if (length - 1.0).abs() <= UNIT {
        return Ok(());
    }
    Err(Error::OutOfRange { what, value: length, expected: "a quaternion of length 1" })
}

/// Refuses a component that leads out of the plane.
pub(super) fn in_plane(what: &'static str, value: f64) -> Result<(), Error> {
    if value == 0.0 { Ok(()) } else { Err(Error::OutOfRange { what, value, expected: "0 in a planar scene" }) }
}
