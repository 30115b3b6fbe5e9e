//! Rigid bodies: mass, inertia, where they are and how they move.

use crate::error::{Error, finite, positive};
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

/// A rigid body, or the immovable world.
///
/// Everything is in world axes and SI units. A planar body lives in the x–y plane and turns about z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    inverse_mass: f64,
    inertia: Matrix3<f64>,
    inverse_inertia: Matrix3<f64>,
    /// Centre of mass, m.
    pub position: Vector3<f64>,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vector3<f64>,
}

/// Allowed asymmetry and excess over the triangle inequality of an inertia tensor, relative to its largest entry:
/// what a tensor written with twelve digits may show.
const INERTIA_TOLERANCE: f64 = 1e-11;

impl Body {
    /// A spatial body at rest at the origin: mass in kg and inertia tensor about the centre of mass in kg m².
    ///
    /// The tensor must be symmetric, positive definite and satisfy the triangle inequality of principal moments.
    ///
    /// ```
    /// # use carom::Body;
    /// # use nalgebra::Matrix3;
    /// let ball = Body::new(2.0, &(Matrix3::identity() * 0.8)).unwrap();
    /// assert_eq!(ball.kinetic_energy(), 0.0);
    /// ```
    pub fn new(mass: f64, inertia: &Matrix3<f64>) -> Result<Body, Error> {
        positive("mass", mass)?;
        let inertia = symmetric("inertia", inertia)?;
        let smallest = check_moments(&SymmetricEigen::new(inertia).eigenvalues)?;
        let inverse_inertia =
            inertia.try_inverse().ok_or(Error::NotPositive { what: "inertia", eigenvalue: smallest })?;
        Ok(Body { inverse_mass: mass.recip(), inertia, inverse_inertia, ..Body::immovable() })
    }

    /// A spatial body from its principal moments of inertia about the orthonormal columns of `axes`. Unlike
    /// [`Body::new`] it inverts no matrix, so very different moments keep all their digits.
    pub(crate) fn principal(mass: f64, moments: &Vector3<f64>, axes: &Matrix3<f64>) -> Result<Body, Error> {
        positive("mass", mass)?;
        let turned = |diagonal: Vector3<f64>| {
            let tensor = axes * Matrix3::from_diagonal(&diagonal) * axes.transpose();
            (tensor + tensor.transpose()) * 0.5
        };
        check_moments(moments)?;
        Ok(Body {
            inverse_mass: mass.recip(),
            inertia: turned(*moments),
            inverse_inertia: turned(moments.map(f64::recip)),
            ..Body::immovable()
        })
    }

    /// A body whose parts are known to be sound: inverse mass, and inertia with its inverse in world axes.
    pub(crate) fn of_parts(inverse_mass: f64, inertia: Matrix3<f64>, inverse_inertia: Matrix3<f64>) -> Body {
        Body { inverse_mass, inertia, inverse_inertia, ..Body::immovable() }
    }

    /// A body without thickness about one axis (an ideal rod): it has no moment of inertia about that axis, and no
    /// contact on it can turn it about it. `moment` is the one about any perpendicular axis through the centre.
    pub fn slender(mass: f64, moment: f64, axis: &Vector3<f64>) -> Result<Body, Error> {
        positive("mass", mass)?;
        positive("moment of inertia", moment)?;
        finite("axis", axis.as_slice())?;
        let axis = axis.try_normalize(0.0).ok_or(Error::ZeroDirection { what: "axis" })?;
        let across = Matrix3::identity() - axis * axis.transpose();
        Ok(Body {
            inverse_mass: mass.recip(),
            inertia: across * moment,
            inverse_inertia: across / moment,
            ..Body::immovable()
        })
    }

    /// A planar body at rest at the origin: mass in kg and moment of inertia about the centre of mass in kg m².
    pub fn planar(mass: f64, inertia: f64) -> Result<Body, Error> {
        positive("mass", mass)?;
        positive("moment of inertia", inertia)?;
        let about_z = |moment: f64| Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, moment));
        Ok(Body {
            inverse_mass: mass.recip(),
            inertia: about_z(inertia),
            inverse_inertia: about_z(inertia.recip()),
            ..Body::immovable()
        })
    }

    /// The world: no impulse moves it.
    pub fn immovable() -> Body {
        Body {
            inverse_mass: 0.0,
            inertia: Matrix3::zeros(),
            inverse_inertia: Matrix3::zeros(),
            position: Vector3::zeros(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }

    /// The same body with its centre of mass at `position`.
    #[must_use]
    pub fn at(mut self, position: Vector3<f64>) -> Body {
        self.position = position;
        self
    }

    /// The same body moving with `velocity` and turning with `angular_velocity`.
    #[must_use]
    pub fn moving(mut self, velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> Body {
        self.velocity = velocity;
        self.angular_velocity = angular_velocity;
        self
    }

    /// Whether no impulse moves this body.
    pub fn is_immovable(&self) -> bool {
        self.inverse_mass == 0.0
    }

    /// Mass in kg; infinite for the world.
    pub fn mass(&self) -> f64 {
        self.inverse_mass.recip()
    }

    /// Inertia tensor about the centre of mass in world axes, kg m²; zero for the world. A planar body has only its entry (z, z).
    pub fn inertia(&self) -> &Matrix3<f64> {
        &self.inertia
    }

    /// Velocity of the material point of the body at `point`, m/s.
    pub fn point_velocity(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.angular_velocity.cross(&(point - self.position))
    }

    /// Inverse mass of the material point at `point`: `dv = W p` for an impulse `p` there, 1/kg.
    ///
    /// `W = 1/m − [r]× I⁻¹ [r]×`, r from the centre of mass to the point (Chatterjee 1997, 2.3.1).
    pub fn inverse_mass_at(&self, point: &Vector3<f64>) -> Matrix3<f64> {
        let arm = (point - self.position).cross_matrix();
        Matrix3::identity() * self.inverse_mass - arm * self.inverse_inertia * arm
    }

    /// The moment about the centre of mass of a unit impulse at `point` along each column of `axes`, m; its transpose times the angular velocity
    /// is what turning adds to the velocity there.
    ///
    /// Everything at a contact is built from these. World axes, turned afterwards, would carry the rounding of the largest entry of W into the
    /// smallest: of a body that turns easily but moves hard, that along a normal through its centre of mass.
    fn levers(&self, point: &Vector3<f64>, axes: &Matrix3<f64>) -> Matrix3<f64> {
        (point - self.position).cross_matrix() * axes
    }

    /// How the material point at `to` answers along the columns of `axes` to impulses at `from` along those of `pushes`: `dv = W p`,
    /// 1/kg.
    pub(crate) fn response_between(
        &self,
        (to, axes): (&Vector3<f64>, &Matrix3<f64>),
        (from, pushes): (&Vector3<f64>, &Matrix3<f64>),
    ) -> Matrix3<f64> {
        let turning = self.levers(to, axes).tr_mul(&(self.inverse_inertia * self.levers(from, pushes)));
        axes.tr_mul(pushes) * self.inverse_mass + turning
    }

    /// Velocity of the material point at `point` along the columns of `axes`, m/s.
    pub(crate) fn velocity_along(&self, point: &Vector3<f64>, axes: &Matrix3<f64>) -> Vector3<f64> {
        axes.tr_mul(&self.velocity) + self.levers(point, axes).tr_mul(&self.angular_velocity)
    }

    /// The impulse and its moment about the centre of mass that an impulse at `point` along the columns of `axes` makes.
    pub(crate) fn push_along(
        &self,
        point: &Vector3<f64>,
        axes: &Matrix3<f64>,
        impulse: &Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        [axes * impulse, self.levers(point, axes) * impulse]
    }

    /// Changes the motion by an impulse and a moment about the centre of mass.
    pub(crate) fn apply(&mut self, [impulse, moment]: [Vector3<f64>; 2]) {
        self.velocity += impulse * self.inverse_mass;
        self.angular_velocity += self.inverse_inertia * moment;
    }

    /// Principal axes, each with the inverse of the moment of inertia about it, 1/(kg m²); zero about an axis about
    /// which no impulse turns the body.
    pub(crate) fn principal_turns(&self) -> [(f64, Vector3<f64>); 3] {
        let inverse = &self.inverse_inertia;
        if [(0, 1), (0, 2), (1, 2)].iter().all(|entry| inverse[*entry] == 0.0) {
            return [0, 1, 2].map(|k| (inverse[(k, k)], Vector3::ith(k, 1.0)));
        }
        let eigen = SymmetricEigen::new(*inverse);
        [0, 1, 2].map(|k| (eigen.eigenvalues[k], eigen.eigenvectors.column(k).into()))
    }

    /// Changes the motion by an impulse (kg m/s) at `point`.
    pub fn apply_impulse(&mut self, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        self.velocity += impulse * self.inverse_mass;
        self.angular_velocity += self.inverse_inertia * (point - self.position).cross(impulse);
    }

    /// Kinetic energy in J; zero for the world.
    pub fn kinetic_energy(&self) -> f64 {
        if self.is_immovable() {
            return 0.0;
        }
        let spin = self.angular_velocity.dot(&(self.inertia * self.angular_velocity));
        0.5 * (self.mass() * self.velocity.norm_squared() + spin)
    }

    /// Linear momentum in kg m/s; zero for the world.
    pub fn momentum(&self) -> Vector3<f64> {
        if self.is_immovable() { Vector3::zeros() } else { self.velocity * self.mass() }
    }

    /// Angular momentum about the world's origin in kg m²/s; zero for the world.
    pub fn angular_momentum(&self) -> Vector3<f64> {
        self.position.cross(&self.momentum()) + self.inertia * self.angular_velocity
    }
}

/// Checks that principal moments belong to a mass distribution, and returns the smallest.
fn check_moments(moments: &Vector3<f64>) -> Result<f64, Error> {
    finite("inertia", moments.as_slice())?;
    let mut moments: [f64; 3] = (*moments).into();
    moments.sort_by(f64::total_cmp);
    if moments[0] <= INERTIA_TOLERANCE * moments[2] {
        return Err(Error::NotPositive { what: "inertia", eigenvalue: moments[0] });
    }
    if moments[2] > (moments[0] + moments[1]) * (1.0 + INERTIA_TOLERANCE) {
        return Err(Error::TriangleInequality { moments });
    }
    Ok(moments[0])
}

/// Checks that a matrix is finite and symmetric within rounding, and returns its symmetric part.
pub(crate) fn symmetric(what: &'static str, matrix: &Matrix3<f64>) -> Result<Matrix3<f64>, Error> {
    finite(what, matrix.as_slice())?;
    let scale = matrix.amax();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let values = (matrix[(i, j)], matrix[(j, i)]);
        if (values.0 - values.1).abs() > INERTIA_TOLERANCE * scale {
            return Err(Error::NotSymmetric { what, entry: (i, j), values });
        }
    }
    Ok((matrix + matrix.transpose()) * 0.5)
}
