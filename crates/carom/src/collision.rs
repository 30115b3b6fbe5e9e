//! One collision: the inverse mass and the relative velocity at the contact.

use crate::body::{Body, symmetric};
use crate::contact::ContactFrame;
use crate::error::{Error, finite};
use nalgebra::{Matrix2, Matrix3, SymmetricEigen, Vector2, Vector3};

/// The whole problem of one contact: `V_after = V_before + W P`.
///
/// W is the symmetric positive (semi)definite inverse mass seen at the contact (1/kg), V the velocity of A's contact
/// point relative to B's (m/s; V_n < 0 is approach), P the impulse on A (kg m/s); all in the contact frame (n, t1, t2).
/// A planar collision couples nothing to t2 and has no velocity there.
///
/// W may be singular (a pendulum against a wall: M = W⁻¹ has an infinite eigenvalue); the velocity must then be one
/// that the constraint allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    inverse_mass: Matrix3<f64>,
    velocity: Vector3<f64>,
    singular: bool,
}

/// An eigenvalue of W below this fraction of the largest is zero: rounding of the entries hides anything smaller.
const RANK_TOLERANCE: f64 = 1e-14;
/// A matrix with pivots above this fraction of its trace is definite, whatever rounding does.
const CLEAR: f64 = 1e-10;
/// A negative eigenvalue of W up to this fraction of the largest is rounding of the input, not an error.
const INDEFINITE_TOLERANCE: f64 = 1e-12;
/// Part of the velocity along an immovable direction that input rounding explains, relative to the whole.
const COMPATIBILITY_TOLERANCE: f64 = 1e-9;
/// Relative velocity below this fraction of the speeds it is the difference of is their rounding: the direction of
/// such a slip, or such an approach, means nothing.
const VELOCITY_ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Coupling out of a plane below this fraction of W's scale is rounding of a planar problem turned in space.
const PLANAR_TOLERANCE: f64 = 1e-12;

/// Numbers beyond these bounds leave double precision no room for the squares and products of the laws.
const SENSIBLE: std::ops::RangeInclusive<f64> = 1e-60..=1e60;
/// A component of the velocity below this fraction of the largest is zero: its square would vanish anyway.
pub(crate) const NEGLIGIBLE: f64 = 1e-100;

impl Collision {
    /// A collision from W and V in the contact frame (n, t1, t2).
    ///
    /// ```
    /// # use carom::Collision;
    /// # use nalgebra::{Matrix3, Vector3};
    /// let sphere = Matrix3::from_diagonal(&Vector3::new(1.0, 3.5, 3.5));
    /// let collision = Collision::new(&sphere, &Vector3::new(-1.0, 0.2, 0.0)).unwrap();
    /// assert!(collision.is_approaching());
    /// ```
    pub fn new(inverse_mass: &Matrix3<f64>, velocity: &Vector3<f64>) -> Result<Collision, Error> {
        let inverse_mass = symmetric("inverse mass", inverse_mass)?;
        sensible("trace of the inverse mass", inverse_mass.trace())?;
        let velocity = &checked_velocity(velocity)?;
        let mut collision = Collision { inverse_mass, velocity: *velocity, singular: false };
        if is_clearly_definite(&inverse_mass) {
            return Ok(collision);
        }
        let eigenvalues = SymmetricEigen::new(inverse_mass).eigenvalues;
        let (smallest, largest) = (eigenvalues.min(), eigenvalues.max());
        if smallest < -INDEFINITE_TOLERANCE * largest {
            return Err(Error::NotPositive { what: "inverse mass", eigenvalue: smallest });
        }
        if inverse_mass[(0, 0)] <= RANK_TOLERANCE * largest {
            return Err(Error::ImmovableAlongNormal);
        }
        collision.singular = smallest <= RANK_TOLERANCE * largest;
        let stuck = collision.immovable_part(velocity);
        let fraction = if stuck == Vector3::zeros() { 0.0 } else { stuck.norm() / velocity.norm() };
        if fraction > COMPATIBILITY_TOLERANCE {
            return Err(Error::IncompatibleVelocity { fraction });
        }
        collision.velocity -= stuck;
        Ok(collision)
    }

    /// A collision of a mass matrix that is known to be definite and well conditioned.
    pub(crate) fn of_definite_mass(mass: &Matrix3<f64>, velocity: &Vector3<f64>) -> Collision {
        let inverse_mass = mass.try_inverse().unwrap_or_else(Matrix3::zeros);
        Collision { inverse_mass, velocity: *velocity, singular: false }
    }

    /// A collision of balls, whose inverse mass couples nothing. `speeds` is the size of what the velocity is the difference of.
    pub(crate) fn of_balls(
        inverse_mass: &Vector3<f64>,
        velocity: &Vector3<f64>,
        speeds: f64,
    ) -> Result<Collision, Error> {
        let velocity = &without_noise(velocity, VELOCITY_ROUNDING * speeds);
        let full = Matrix3::from_diagonal(inverse_mass);
        let trace = inverse_mass.sum();
        if inverse_mass.min() <= CLEAR * trace {
            return Collision::new(&full, velocity);
        }
        sensible("trace of the inverse mass", trace)?;
        Ok(Collision { inverse_mass: full, velocity: checked_velocity(velocity)?, singular: false })
    }

    /// A planar collision from rows of W and components of V, both ordered (n, t).
    pub fn planar(inverse_mass: [[f64; 2]; 2], velocity: [f64; 2]) -> Result<Collision, Error> {
        let [[nn, nt], [tn, tt]] = inverse_mass;
        // Nothing happens along t2; any positive entry there leaves the plane's problem as it is.
        let across = 0.5 * (nn + tt);
        Collision::new(
            &Matrix3::new(nn, nt, 0.0, tn, tt, 0.0, 0.0, 0.0, across),
            &Vector3::new(velocity[0], velocity[1], 0.0),
        )
    }

    /// The collision of body A with body B at `point` (world axes).
    ///
    /// ```
    /// # use carom::{Body, Collision, ContactFrame};
    /// # use nalgebra::Vector3;
    /// let rod = Body::planar(1.0, 1.0 / 12.0).unwrap()
    ///     .at(Vector3::new(0.125_f64.sqrt(), 0.125_f64.sqrt(), 0.0))
    ///     .moving(Vector3::new(0.6, -1.0, 0.0), Vector3::zeros());
    /// let floor = ContactFrame::planar([0.0, 1.0]).unwrap();
    /// let collision = Collision::between(&rod, &Body::immovable(), &Vector3::zeros(), &floor).unwrap();
    /// assert!((collision.inverse_mass()[(0, 1)] + 1.5).abs() < 1e-15);
    /// ```
    pub fn between(a: &Body, b: &Body, point: &Vector3<f64>, frame: &ContactFrame) -> Result<Collision, Error> {
        if a.is_immovable() && b.is_immovable() {
            return Err(Error::ImmovableAlongNormal);
        }
        let inverse_mass = a.inverse_mass_at(point) + b.inverse_mass_at(point);
        let velocity = frame.to_contact(&(a.point_velocity(point) - b.point_velocity(point)));
        let rounding = VELOCITY_ROUNDING * (speed_scale(a, point) + speed_scale(b, point));
        Collision::new(&frame.matrix_to_contact(&inverse_mass), &without_noise(&velocity, rounding))
    }

    /// W, 1/kg.
    pub fn inverse_mass(&self) -> &Matrix3<f64> {
        &self.inverse_mass
    }

    /// V before the collision, m/s.
    pub fn velocity(&self) -> &Vector3<f64> {
        &self.velocity
    }

    /// Whether W is singular to working precision, so that some direction can never move.
    pub fn is_singular(&self) -> bool {
        self.singular
    }

    /// Whether the contact points approach each other.
    pub fn is_approaching(&self) -> bool {
        self.velocity.x < 0.0
    }

    /// V after the impulse P.
    pub fn velocity_after(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.inverse_mass * impulse
    }

    /// Change of the true kinetic energy by the impulse P: `½ P·(V_before + V_after)`, J.
    pub fn energy_change(&self, impulse: &Vector3<f64>) -> f64 {
        0.5 * impulse.dot(&(self.velocity + self.velocity_after(impulse)))
    }

    /// `½ Vᵀ M V` before the collision: all the energy a collision at this contact could take away, J.
    pub fn local_energy(&self) -> f64 {
        0.5 * self.velocity.dot(&self.mass_times(&self.velocity))
    }

    /// `M v` for a velocity v that the constraint allows; along an immovable direction the result is zero, which is
    /// the limit of an ever larger mass there for ever smaller velocity.
    pub fn mass_times(&self, v: &Vector3<f64>) -> Vector3<f64> {
        if !self.singular
            && let Some(factor) = self.inverse_mass.cholesky()
        {
            return factor.solve(v);
        }
        self.spectral(|eigenvalue| if eigenvalue == 0.0 { 0.0 } else { eigenvalue.recip() }) * v
    }

    /// The local mass matrix M = W⁻¹; `None` when W is singular.
    pub fn mass(&self) -> Option<Matrix3<f64>> {
        if self.singular { None } else { Some(self.inverse_mass.cholesky()?.inverse()) }
    }

    /// The part of `v` along directions in which nothing can move; zero unless W is singular.
    pub(crate) fn immovable_part(&self, v: &Vector3<f64>) -> Vector3<f64> {
        if self.singular {
            self.spectral(|eigenvalue| if eigenvalue == 0.0 { 1.0 } else { 0.0 }) * v
        } else {
            Vector3::zeros()
        }
    }

    /// M_22/M_11. Immovable directions are the limit of ever heavier ones, which dominate both entries or neither.
    pub(crate) fn tangential_mass_ratio(&self) -> f64 {
        let ratio = |m: &Matrix3<f64>| m[(1, 1)] / m[(0, 0)];
        if let Some(mass) = self.mass() {
            return ratio(&mass);
        }
        let immovable = self.spectral(|eigenvalue| if eigenvalue == 0.0 { 1.0 } else { 0.0 });
        if immovable[(0, 0)].max(immovable[(1, 1)]) > COMPATIBILITY_TOLERANCE {
            ratio(&immovable)
        } else {
            ratio(&self.spectral(|eigenvalue| if eigenvalue == 0.0 { 0.0 } else { eigenvalue.recip() }))
        }
    }

    /// f(W) in the sense of the spectral theorem, eigenvalues below the rank tolerance counted as exactly zero.
    fn spectral(&self, f: impl Fn(f64) -> f64) -> Matrix3<f64> {
        let mut eigen = SymmetricEigen::new(self.inverse_mass);
        let zero = RANK_TOLERANCE * eigen.eigenvalues.max();
        eigen.eigenvalues.apply(|e| *e = f(if *e <= zero { 0.0 } else { *e }));
        eigen.recompose()
    }

    /// The same collision seen in a frame whose tangents are turned about n; `(cos, sin)` is the new t1 in the old
    /// tangents.
    fn turned(&self, t: &Vector2<f64>) -> Collision {
        let turn = tangent_turn(t);
        Collision {
            inverse_mass: turn.transpose() * self.inverse_mass * turn,
            velocity: turn.tr_mul(&self.velocity),
            singular: self.singular,
        }
    }

    /// Chatterjee's frame (1997, 3.4): t1 opposes the slip, so that V = (−v_n, −v_t, 0) with v_t ≥ 0. Without slip
    /// the frame stays. The second value turns vectors back.
    pub(crate) fn opposing_slip(&self) -> (Collision, Matrix3<f64>) {
        let slip = self.velocity.yz();
        let speed = slip.norm();
        let t = if speed > 0.0 { -slip / speed } else { Vector2::x() };
        let mut collision = self.turned(&t);
        collision.velocity = Vector3::new(self.velocity.x, -speed, 0.0);
        (collision, tangent_turn(&t))
    }

    /// What a plane through the normal cuts out of the collision: W and V restricted to (n, t), t a unit vector in the
    /// tangents (t1, t2). Unlike [`Collision::planar_section`], the motion need not stay in it.
    pub fn section(&self, tangent: &Vector2<f64>) -> Section {
        let turned = self.turned(tangent);
        Section {
            inverse_mass: turned.inverse_mass.fixed_view::<2, 2>(0, 0).into_owned(),
            velocity: turned.velocity.xy(),
            tangent: *tangent,
        }
    }

    /// The plane (n, t) the collision stays in, if it has one: V lies in it and W couples nothing out of it.
    pub fn planar_section(&self) -> Option<Section> {
        let slip = self.velocity.yz();
        let coupling = self.inverse_mass.fixed_view::<2, 1>(1, 0).into_owned();
        let scale = self.inverse_mass.trace();
        let speed = self.velocity.norm();
        let t = if slip.y == 0.0 && coupling.y.abs() <= PLANAR_TOLERANCE * scale {
            Vector2::x()
        } else if slip != Vector2::zeros() && slip.norm() * scale >= coupling.norm() * speed {
            // Whichever of the two stands out more has the direction that rounding disturbs least.
            slip.normalize()
        } else {
            coupling.normalize()
        };
        let turned = self.turned(&t);
        let w = &turned.inverse_mass;
        if turned.velocity.z.abs() > PLANAR_TOLERANCE * speed {
            return None;
        }
        let out_of_plane = w[(0, 2)].abs().max(w[(1, 2)].abs());
        // A head-on central collision never leaves the normal: any plane will do.
        let head_on = slip == Vector2::zeros() && coupling.norm() <= PLANAR_TOLERANCE * scale;
        if !head_on && out_of_plane > PLANAR_TOLERANCE * scale {
            return None;
        }
        Some(self.section(&t))
    }
}

/// A planar collision cut out of space: W and V in (n, t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// W in (n, t), 1/kg.
    pub inverse_mass: Matrix2<f64>,
    /// V in (n, t), m/s.
    pub velocity: Vector2<f64>,
    /// The section's t in the contact's tangents (t1, t2).
    pub tangent: Vector2<f64>,
}

impl Section {
    /// A vector of the section in the contact frame (n, t1, t2).
    pub fn to_contact(&self, normal: f64, tangential: f64) -> Vector3<f64> {
        Vector3::new(normal, tangential * self.tangent.x, tangential * self.tangent.y)
    }
}

/// Size of the terms that make up the velocity of a body's point.
fn speed_scale(body: &Body, point: &Vector3<f64>) -> f64 {
    body.velocity.norm() + body.angular_velocity.norm() * (point.norm() + body.position.norm())
}

/// A velocity without components that are as good as none.
fn checked_velocity(velocity: &Vector3<f64>) -> Result<Vector3<f64>, Error> {
    finite("velocity", velocity.as_slice())?;
    let fastest = velocity.amax();
    if fastest > 0.0 {
        sensible("velocity", fastest)?;
    }
    Ok(velocity.map(|v| if v.abs() < NEGLIGIBLE * fastest { 0.0 } else { v }))
}

/// A velocity (n, t1, t2) whose normal or tangential part is exactly zero if it is no more than rounding.
fn without_noise(velocity: &Vector3<f64>, rounding: f64) -> Vector3<f64> {
    let mut velocity = *velocity;
    if velocity.x.abs() <= rounding {
        velocity.x = 0.0;
    }
    if velocity.yz().norm() <= rounding {
        velocity.y = 0.0;
        velocity.z = 0.0;
    }
    velocity
}

pub(crate) fn sensible(what: &'static str, value: f64) -> Result<(), Error> {
    if SENSIBLE.contains(&value) {
        Ok(())
    } else {
        Err(Error::OutOfRange { what, value, expected: "a number from 1e-60 to 1e60; choose other units" })
    }
}

fn tangent_turn(t: &Vector2<f64>) -> Matrix3<f64> {
    Matrix3::new(1.0, 0.0, 0.0, 0.0, t.x, -t.y, 0.0, t.y, t.x)
}

/// Cheap sufficient test: every pivot of LDLᵀ is far above rounding, so W is definite and well conditioned.
fn is_clearly_definite(w: &Matrix3<f64>) -> bool {
    let floor = CLEAR * w.trace();
    let d0 = w[(0, 0)];
    if d0 <= floor {
        return false;
    }
    let (l1, l2) = (w[(1, 0)] / d0, w[(2, 0)] / d0);
    let d1 = w[(1, 1)] - l1 * w[(1, 0)];
    if d1 <= floor {
        return false;
    }
    let coupling = w[(2, 1)] - l2 * w[(1, 0)];
    let d2 = w[(2, 2)] - l2 * w[(2, 0)] - coupling * coupling / d1;
    d2 > floor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_head_on_collision_turned_in_space_has_no_slip_at_all() {
        // The rounding of a turned velocity once was a slip of 1e-17 m/s in a random direction, which made planar laws
        // refuse a planar collision.
        let mut random = Random(91);
        for _ in 0..500 {
            let normal = random.direction();
            let ball = Body::new(1.0, &(Matrix3::identity() * 0.4)).unwrap();
            let a = ball.at(normal).moving(normal * -random.unit(), normal * random.unit());
            let frame = ContactFrame::spatial(&normal, Some(&random.direction())).unwrap();
            let collision = Collision::between(&a, &Body::immovable(), &Vector3::zeros(), &frame).unwrap();
            assert_eq!(collision.velocity().yz(), Vector2::zeros());
            assert!(collision.is_approaching());
        }
    }
}
