//! One collision: the inverse mass and the relative velocity at the contact.

mod local_mass;

pub(crate) use local_mass::LocalMass;

use crate::body::{Body, symmetric};
use crate::contact::ContactFrame;
use crate::error::{Error, finite};
use nalgebra::{Const, DMatrix, Matrix2, Matrix3, SymmetricEigen, Vector2, Vector3};

/// The whole problem of one contact: `V_after = V_before + W P`.
///
/// W is the symmetric positive (semi)definite inverse mass seen at the contact (1/kg), V the velocity of A's contact
/// point relative to B's (m/s; V_n < 0 is approach), P the impulse on A (kg m/s); all in the contact frame (n, t1, t2).
/// A planar collision couples nothing to t2 and has no velocity there.
///
/// W may be singular (a pendulum against a wall: M = W⁻¹ has an infinite eigenvalue); the velocity must then be one
/// that the constraint allows. Which directions are immovable is part of the collision, [`Mobility`]: joints tell, and
/// where W is given by its numbers an eigenvalue below 10⁻¹⁴ of the largest counts as zero. W is then made exactly
/// singular, so that nothing computed from it depends on the rounding of its entries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    inverse_mass: Matrix3<f64>,
    velocity: Vector3<f64>,
    mobility: Mobility,
}

/// The directions in which an impulse can move the contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mobility {
    /// All of them: W is regular.
    Full,
    /// All that are perpendicular to one: W has rank two.
    Plane {
        /// The direction in which nothing moves, a unit vector.
        immovable: Vector3<f64>,
    },
    /// One: W has rank one.
    Line {
        /// The direction in which alone something moves, a unit vector with a positive normal component.
        movable: Vector3<f64>,
    },
}

impl Mobility {
    /// The directions that a factor L of W = L Lᵀ moves, one row for each of (n, t1, t2). In the plane t2 is left out: it
    /// counts as movable, and nothing happens there.
    pub(crate) fn of_factor(factor: &DMatrix<f64>, planar: bool) -> Mobility {
        if factor.ncols() == 0 {
            return Mobility::Full;
        }
        let used = if planar { 2 } else { 3 };
        let (axes, sizes) = principal_rows(factor, used);
        let moved: Vec<usize> = (0..used).filter(|k| sizes[*k] > RANK_TOLERANCE.sqrt() * sizes.max()).collect();
        let axis = |k: usize| Vector3::from(axes.column(k));
        match (planar, &moved[..]) {
            (true, [k]) => Mobility::Plane { immovable: Vector3::new(-axes[(1, *k)], axes[(0, *k)], 0.0) },
            (false, [k]) => Mobility::Line { movable: axis(*k) * 1.0_f64.copysign(axes[(0, *k)]) },
            (false, [j, k]) => Mobility::Plane { immovable: axis(*j).cross(&axis(*k)).normalize() },
            _ => Mobility::Full,
        }
    }

    /// The same without components along the normal, or across it, that are rounding.
    fn snapped(self) -> Mobility {
        let snap = |v: Vector3<f64>| {
            let (normal, tangential) = (v.x.abs(), v.yz().norm());
            if normal <= SNAP * tangential {
                Vector3::new(0.0, v.y, v.z).normalize()
            } else if tangential <= SNAP * normal {
                Vector3::new(v.x.signum(), 0.0, 0.0)
            } else {
                v
            }
        };
        match self {
            Mobility::Full => Mobility::Full,
            Mobility::Plane { immovable } => Mobility::Plane { immovable: snap(immovable) },
            Mobility::Line { movable } => Mobility::Line { movable: snap(movable) },
        }
    }

    /// The projector onto the immovable directions.
    fn immovable(&self) -> Matrix3<f64> {
        match self {
            Mobility::Full => Matrix3::zeros(),
            Mobility::Plane { immovable } => immovable * immovable.transpose(),
            Mobility::Line { movable } => Matrix3::identity() - movable * movable.transpose(),
        }
    }

    /// The same directions in turned axes.
    fn turned(&self, turn: &Matrix3<f64>) -> Mobility {
        match self {
            Mobility::Full => Mobility::Full,
            Mobility::Plane { immovable } => Mobility::Plane { immovable: turn.tr_mul(immovable) },
            Mobility::Line { movable } => Mobility::Line { movable: turn.tr_mul(movable) },
        }
    }

    /// The part of an inverse mass that moves nothing in immovable directions.
    fn of_inverse_mass(&self, w: &Matrix3<f64>) -> Matrix3<f64> {
        match self {
            Mobility::Full => *w,
            Mobility::Plane { immovable: b } if b.z == 0.0 && w[(0, 2)] == 0.0 && w[(1, 2)] == 0.0 => {
                // In the plane W = σ w wᵀ: every entry keeps its digits, however small it is.
                let along = Vector3::new(b.y, -b.x, 0.0);
                let mut inside = along * along.transpose() * (w[(0, 0)] + w[(1, 1)]);
                inside[(2, 2)] = w[(2, 2)];
                inside
            }
            Mobility::Plane { .. } => {
                let movable = Matrix3::identity() - self.immovable();
                let inside = movable * w * movable;
                (inside + inside.transpose()) * 0.5
            }
            Mobility::Line { movable } => movable * movable.transpose() * movable.dot(&(w * movable)),
        }
    }

    /// The part of a velocity that impulses can change.
    fn of_velocity(&self, v: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Mobility::Full => *v,
            Mobility::Plane { immovable } => {
                let (stuck, across) = (immovable.dot(v), immovable.yz().norm_squared());
                // Where possible the approach keeps every digit: none must not become a little.
                if across > 0.25 {
                    let slip = v.yz() - immovable.yz() * (stuck / across);
                    Vector3::new(v.x, slip.x, slip.y)
                } else {
                    v - immovable * stuck
                }
            }
            Mobility::Line { movable } => movable * movable.dot(v),
        }
    }
}

/// An eigenvalue of W below this fraction of the largest is zero: entries computed in double precision hide anything
/// smaller. It counts for a W that is given by its numbers, and for the squared singular values of a mechanism's factor.
const RANK_TOLERANCE: f64 = 1e-14;
/// Components of an immovable direction along the normal, or of a movable one across it, are rounding below this
/// fraction of the others. It matters because laws jump there: an impulse along the only movable direction needs friction
/// unless that direction is the normal.
const SNAP: f64 = 1e-13;
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

/// Sweeps of Jacobi's method; three rows take a handful.
const JACOBI_SWEEPS: usize = 40;

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
        within_range(inverse_mass)?;
        let inverse_mass = symmetric("inverse mass", inverse_mass)?;
        sensible("trace of the inverse mass", inverse_mass.trace())?;
        let velocity = checked_velocity(velocity)?;
        if is_clearly_definite(&inverse_mass) {
            return Ok(Collision { inverse_mass, velocity, mobility: Mobility::Full });
        }
        let eigen = SymmetricEigen::new(inverse_mass);
        let (smallest, largest) = (eigen.eigenvalues.min(), eigen.eigenvalues.max());
        if smallest < -INDEFINITE_TOLERANCE * largest {
            return Err(Error::NotPositive { what: "inverse mass", eigenvalue: smallest });
        }
        let zeros = eigen.eigenvalues.iter().filter(|value| **value <= RANK_TOLERANCE * largest).count();
        let axis = |k: usize| eigen.eigenvectors.column(k).normalize();
        let mobility = match zeros {
            0 => Mobility::Full,
            1 => Mobility::Plane { immovable: axis(eigen.eigenvalues.imin()) },
            _ => {
                // Every column of W = σ w wᵀ is along w; the largest has all digits of each component.
                let movable = inverse_mass.column(inverse_mass.diagonal().imax()).normalize();
                Mobility::Line { movable: movable * 1.0_f64.copysign(movable.x) }
            }
        };
        Collision::compatible(&inverse_mass, &velocity, mobility)
    }

    /// A collision in which only some directions can move. A velocity along the others that rounding does not explain is an
    /// error.
    fn compatible(w: &Matrix3<f64>, velocity: &Vector3<f64>, mobility: Mobility) -> Result<Collision, Error> {
        if w[(0, 0)] <= RANK_TOLERANCE * w.trace() {
            return Err(Error::ImmovableAlongNormal);
        }
        let stuck = mobility.immovable() * velocity;
        let fraction = if stuck == Vector3::zeros() { 0.0 } else { stuck.norm() / velocity.norm() };
        if fraction > COMPATIBILITY_TOLERANCE {
            return Err(Error::IncompatibleVelocity { fraction });
        }
        Collision::moving_as(w, velocity, mobility)
    }

    /// A collision in which only some directions can move; whatever W and V are in the others is taken away.
    pub(crate) fn moving_as(w: &Matrix3<f64>, v: &Vector3<f64>, mobility: Mobility) -> Result<Collision, Error> {
        let mobility = mobility.snapped();
        let inverse_mass = mobility.of_inverse_mass(w);
        sensible("trace of the inverse mass", inverse_mass.trace())?;
        if inverse_mass[(0, 0)] <= RANK_TOLERANCE * inverse_mass.trace() {
            return Err(Error::ImmovableAlongNormal);
        }
        Ok(Collision { inverse_mass, velocity: mobility.of_velocity(&checked_velocity(v)?), mobility })
    }

    /// A collision of a mass matrix that is known to be definite and well conditioned.
    pub(crate) fn of_definite_mass(mass: &Matrix3<f64>, velocity: &Vector3<f64>) -> Collision {
        let inverse_mass = mass.try_inverse().unwrap_or_else(Matrix3::zeros);
        Collision { inverse_mass, velocity: *velocity, mobility: Mobility::Full }
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
        Ok(Collision { inverse_mass: full, velocity: checked_velocity(velocity)?, mobility: Mobility::Full })
    }

    /// A planar collision from rows of W and components of V, both ordered (n, t).
    pub fn planar(inverse_mass: [[f64; 2]; 2], velocity: [f64; 2]) -> Result<Collision, Error> {
        let [[nn, nt], [tn, tt]] = inverse_mass;
        // Nothing happens along t2; any positive entry there leaves the plane's problem as it is.
        let across = 0.5 * (nn + tt);
        let w = Matrix3::new(nn, nt, 0.0, tn, tt, 0.0, 0.0, 0.0, across);
        let v = Vector3::new(velocity[0], velocity[1], 0.0);
        within_range(&w)?;
        let (larger, smaller) = planar_eigenvalues(nn, 0.5 * (nt + tn), tt);
        if smaller.abs() <= RANK_TOLERANCE * larger {
            // Within the plane, so that rounding cannot mix in t2.
            let w = symmetric("inverse mass", &w)?;
            sensible("trace of the inverse mass", w.trace())?;
            let velocity = checked_velocity(&v)?;
            let coupling = 0.5 * (nt + tn);
            // Both columns of W = σ w wᵀ are along w; the larger has all digits of both components.
            let column = if nn >= tt { Vector2::new(nn, coupling) } else { Vector2::new(coupling, tt) };
            let along = column.try_normalize(0.0).unwrap_or_else(Vector2::y);
            let immovable = Vector3::new(-along.y, along.x, 0.0);
            return Collision::compatible(&w, &velocity, Mobility::Plane { immovable });
        }
        Collision::new(&w, &v)
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
        let at = (point, frame.axes());
        let inverse_mass = a.response_between(at, at) + b.response_between(at, at);
        let velocity = a.velocity_along(point, frame.axes()) - b.velocity_along(point, frame.axes());
        let rounding = VELOCITY_ROUNDING * (speed_scale(a, point) + speed_scale(b, point));
        Collision::new(&inverse_mass, &without_noise(&velocity, rounding))
    }

    /// W, 1/kg.
    pub fn inverse_mass(&self) -> &Matrix3<f64> {
        &self.inverse_mass
    }

    /// V before the collision, m/s.
    pub fn velocity(&self) -> &Vector3<f64> {
        &self.velocity
    }

    /// Whether some direction can never move.
    pub fn is_singular(&self) -> bool {
        self.mobility != Mobility::Full
    }

    /// The directions in which an impulse can move the contact point.
    pub fn mobility(&self) -> Mobility {
        self.mobility
    }

    /// Whether the contact points approach each other.
    pub fn is_approaching(&self) -> bool {
        self.velocity.x < 0.0
    }

    /// V after the impulse P.
    pub fn velocity_after(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.inverse_mass * self.movable_part(impulse)
    }

    /// Change of the true kinetic energy by the impulse P: `½ P·(V_before + V_after)`, J. Of a large impulse that moves little
    /// only the part that moves counts: P·W P would square the rounding of the rest.
    pub fn energy_change(&self, impulse: &Vector3<f64>) -> f64 {
        let moving = self.movable_part(impulse);
        0.5 * moving.dot(&(self.velocity * 2.0 + self.inverse_mass * moving))
    }

    /// `½ Vᵀ M V` before the collision: all the energy a collision at this contact could take away, J.
    pub fn local_energy(&self) -> f64 {
        0.5 * self.velocity.dot(&self.mass_times(&self.velocity))
    }

    /// `M v` for a velocity v that the constraint allows; along an immovable direction the result is zero, which is
    /// the limit of an ever larger mass there for ever smaller velocity.
    pub fn mass_times(&self, v: &Vector3<f64>) -> Vector3<f64> {
        LocalMass::of(self).times(v)
    }

    /// The local mass matrix M = W⁻¹; `None` when W is singular.
    pub fn mass(&self) -> Option<Matrix3<f64>> {
        if self.is_singular() { None } else { Some(self.inverse_mass.cholesky()?.inverse()) }
    }

    /// The part of `v` along directions in which nothing can move; zero unless W is singular.
    pub(crate) fn immovable_part(&self, v: &Vector3<f64>) -> Vector3<f64> {
        match self.mobility {
            Mobility::Full => Vector3::zeros(),
            Mobility::Plane { immovable } => immovable * immovable.dot(v),
            Mobility::Line { movable } => v - movable * movable.dot(v),
        }
    }

    /// The part of `v` along directions that can move; zero if it is no more than rounding.
    pub(crate) fn movable_part(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let part = match self.mobility {
            Mobility::Full => return *v,
            Mobility::Plane { immovable } => v - immovable * immovable.dot(v),
            Mobility::Line { movable } => movable * movable.dot(v),
        };
        if part.norm() > VELOCITY_ROUNDING * v.norm() { part } else { Vector3::zeros() }
    }

    /// M_22/M_11. Immovable directions are the limit of ever heavier ones, which dominate both entries or neither.
    pub(crate) fn tangential_mass_ratio(&self) -> f64 {
        let ratio = |m: &Matrix3<f64>| m[(1, 1)] / m[(0, 0)];
        match self.mobility {
            Mobility::Line { movable: w } => (w.x * w.x + w.z * w.z) / w.yz().norm_squared(),
            Mobility::Plane { immovable } if immovable.xy().norm() > SNAP => (immovable.y / immovable.x).powi(2),
            _ => ratio(&self.mass().unwrap_or_else(|| self.pseudoinverse())),
        }
    }

    pub(crate) fn pseudoinverse(&self) -> Matrix3<f64> {
        let mut eigen = self.eigen();
        eigen.eigenvalues.apply(|value| *value = if *value > 0.0 { value.recip() } else { 0.0 });
        eigen.recompose()
    }

    /// Eigenvalues and eigenvectors of W, with zeros that are exact.
    pub(crate) fn eigen(&self) -> SymmetricEigen<f64, Const<3>> {
        // Immovable directions are told by eigenvalues above all others.
        let scale = self.inverse_mass.trace();
        let mut eigen = SymmetricEigen::new(self.inverse_mass + self.mobility.immovable() * (2.0 * scale));
        eigen.eigenvalues.apply(|value| *value = if *value > 1.5 * scale { 0.0 } else { *value });
        eigen
    }

    /// The same collision seen in a frame whose tangents are turned about n; `(cos, sin)` is the new t1 in the old
    /// tangents.
    fn turned(&self, t: &Vector2<f64>) -> Collision {
        let turn = tangent_turn(t);
        Collision {
            inverse_mass: turn.transpose() * self.inverse_mass * turn,
            velocity: turn.tr_mul(&self.velocity),
            mobility: self.mobility.turned(&turn),
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
        let inverse_mass = turned.inverse_mass.fixed_view::<2, 2>(0, 0).into_owned();
        let movable = match turned.mobility {
            Mobility::Plane { immovable } if immovable.z.abs() <= RANK_TOLERANCE.sqrt() => {
                Vector2::new(immovable.y, -immovable.x).try_normalize(0.0)
            }
            Mobility::Line { movable } => movable.xy().try_normalize(0.0),
            _ => None,
        };
        let movable = movable.map(|direction| if direction.x < 0.0 { -direction } else { direction });
        Section { inverse_mass, velocity: turned.velocity.xy(), tangent: *tangent, movable }
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
    /// The unit direction (n, t), n > 0, in which alone the section moves, if its W is singular.
    pub movable: Option<Vector2<f64>>,
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

/// Refuses entries whose squares overflow, before they are decomposed.
fn within_range(inverse_mass: &Matrix3<f64>) -> Result<(), Error> {
    let largest = inverse_mass.amax();
    if largest > *SENSIBLE.end() && largest.is_finite() { sensible("inverse mass", largest) } else { Ok(()) }
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

/// Refuses numbers of any sign beyond the same bounds; small ones leave room.
pub(crate) fn bounded(what: &'static str, values: &[f64]) -> Result<(), Error> {
    finite(what, values)?;
    match values.iter().find(|value| value.abs() > *SENSIBLE.end()) {
        Some(value) => {
            Err(Error::OutOfRange { what, value: *value, expected: "a number from -1e60 to 1e60; choose other units" })
        }
        None => Ok(()),
    }
}

fn tangent_turn(t: &Vector2<f64>) -> Matrix3<f64> {
    Matrix3::new(1.0, 0.0, 0.0, 0.0, t.x, -t.y, 0.0, t.y, t.x)
}

/// Left singular vectors, as columns, and singular values of the first rows of a factor, by Jacobi's rotations: unlike the
/// eigenvalues of the factor times its transpose they keep their digits however different they are.
fn principal_rows(factor: &DMatrix<f64>, used: usize) -> (Matrix3<f64>, Vector3<f64>) {
    let mut rows = factor.clone();
    let mut axes = Matrix3::identity();
    for _ in 0..JACOBI_SWEEPS {
        let mut turned = false;
        for (i, j) in [(0, 1), (0, 2), (1, 2)].into_iter().filter(|(_, j)| *j < used) {
            let (a, b, c) = (rows.row(i).norm_squared(), rows.row(i).dot(&rows.row(j)), rows.row(j).norm_squared());
            if b.abs() <= f64::EPSILON * (a * c).sqrt() {
                continue;
            }
            turned = true;
            let ratio = (c - a) / (2.0 * b);
            let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + ratio.hypot(1.0));
            let cos = tangent.hypot(1.0).recip();
            let sin = cos * tangent;
            for k in 0..rows.ncols() {
                let (x, y) = (rows[(i, k)], rows[(j, k)]);
                (rows[(i, k)], rows[(j, k)]) = (cos * x - sin * y, sin * x + cos * y);
            }
            for k in 0..3 {
                let (x, y) = (axes[(k, i)], axes[(k, j)]);
                (axes[(k, i)], axes[(k, j)]) = (cos * x - sin * y, sin * x + cos * y);
            }
        }
        if !turned {
            break;
        }
    }
    let sizes = Vector3::from_fn(|k, _| if k < used { rows.row(k).norm() } else { 0.0 });
    (axes, sizes)
}

/// The larger and the smaller eigenvalue of [[a, b], [b, c]], the smaller without cancellation.
fn planar_eigenvalues(a: f64, b: f64, c: f64) -> (f64, f64) {
    let larger = 0.5 * (a + c) + (0.5 * (a - c)).hypot(b);
    let product = b * b;
    let lost = (-b).mul_add(b, product);
    let determinant = a.mul_add(c, -product) + lost;
    (larger, determinant / larger)
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
    let l3 = coupling / d1;
    // Where the second pivot is small its rounding shows in the third.
    let d2 = w[(2, 2)] - l2 * w[(2, 0)] - coupling * l3;
    d2 > floor + 32.0 * f64::EPSILON * w.trace() * (l3 * l3)
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
