//! Simple shapes and their mass properties.

use crate::body::Body;
use crate::error::{Error, finite, positive};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

/// A homogeneous body of simple shape, centred on its centre of mass, in its own axes (x, y, z). Lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A solid ball.
    Ball {
        /// Radius.
        radius: f64,
    },
    /// A flat disk without thickness in the x–y plane; its axis is z.
    Disk {
        /// Radius.
        radius: f64,
    },
    /// A thin straight rod along x; it has no moment of inertia about x.
    Rod {
        /// Length.
        length: f64,
    },
    /// A rectangular block with edges along the axes.
    Box {
        /// Edges along x, y and z.
        size: [f64; 3],
    },
    /// A solid cylinder with axis z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length along z.
        length: f64,
    },
    /// A solid ellipsoid.
    Ellipsoid {
        /// Half the diameters along x, y and z.
        semi_axes: [f64; 3],
    },
    /// A thin spherical shell (a ping-pong ball).
    Shell {
        /// Radius.
        radius: f64,
    },
    /// A thin circular ring in the x–y plane; its axis is z.
    Hoop {
        /// Radius.
        radius: f64,
    },
    /// A solid cylinder along x with a half ball on each end.
    Capsule {
        /// Radius of the cylinder and of the half balls.
        radius: f64,
        /// Length of the cylinder alone; 0 makes a ball.
        length: f64,
    },
}

/// How much matter a shape holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Mass, kg.
    Mass(f64),
    /// Density: kg/m³ for solids; kg/m² for the surfaces [`Shape::Disk`] and [`Shape::Shell`]; kg/m for the lines
    /// [`Shape::Rod`] and [`Shape::Hoop`].
    Density(f64),
}

/// Mass and principal moments of inertia of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Moments of inertia about the shape's own x, y and z through its centre of mass, kg m².
    pub moments: [f64; 3],
}

impl Shape {
    /// Mass and moments of inertia about the shape's own axes.
    ///
    /// Sizes and the amount must be positive and the results finite.
    ///
    /// ```
    /// # use carom::{Amount, Shape};
    /// let ball = Shape::Ball { radius: 0.5 }.mass_properties(Amount::Mass(2.0)).unwrap();
    /// assert_eq!(ball.moments, [0.2; 3]);
    /// ```
    pub fn mass_properties(&self, amount: Amount) -> Result<MassProperties, Error> {
        self.check_sizes()?;
        let mass = match amount {
            Amount::Mass(mass) => mass,
            Amount::Density(density) => {
                positive("density", density)?;
                density * self.content()
            }
        };
        positive("mass", mass)?;
        let moments = self.squared_radii_of_gyration().map(|squared| mass * squared);
        finite("moment of inertia", &moments)?;
        Ok(MassProperties { mass, moments })
    }

    /// A planar body at rest at the origin: the shape turns about its own z.
    ///
    /// ```
    /// # use carom::{Amount, Shape};
    /// let puck = Shape::Disk { radius: 0.038 }.planar_body(Amount::Mass(0.17)).unwrap();
    /// assert_eq!(puck.mass(), 0.17);
    /// ```
    pub fn planar_body(&self, amount: Amount) -> Result<Body, Error> {
        let MassProperties { mass, moments } = self.mass_properties(amount)?;
        Body::planar(mass, moments[2])
    }

    /// A spatial body at rest at the origin whose own axes are turned by `orientation` from the world's.
    ///
    /// ```
    /// # use carom::{Amount, Shape};
    /// # use nalgebra::UnitQuaternion;
    /// let ball = Shape::Ball { radius: 0.5 };
    /// assert!(ball.spatial_body(Amount::Density(1000.0), &UnitQuaternion::identity()).is_ok());
    /// ```
    pub fn spatial_body(&self, amount: Amount, orientation: &UnitQuaternion<f64>) -> Result<Body, Error> {
        let MassProperties { mass, moments } = self.mass_properties(amount)?;
        if let Shape::Rod { .. } = self {
            return Body::slender(mass, moments[2], &(orientation * Vector3::x()));
        }
        let turn = orientation.to_rotation_matrix().into_inner();
        Body::new(mass, &(turn * Matrix3::from_diagonal(&moments.into()) * turn.transpose()))
    }

    fn check_sizes(&self) -> Result<(), Error> {
        match *self {
            Shape::Ball { radius } | Shape::Disk { radius } | Shape::Shell { radius } | Shape::Hoop { radius } => {
                positive("radius", radius)
            }
            Shape::Rod { length } => positive("length", length),
            Shape::Cylinder { radius, length } => positive("radius", radius).and(positive("length", length)),
            Shape::Capsule { radius, length } => {
                positive("radius", radius)?;
                finite("length", &[length])?;
                if length < 0.0 {
                    let expected = "a number of at least 0";
                    return Err(Error::OutOfRange { what: "length", value: length, expected });
                }
                Ok(())
            }
            Shape::Box { size } => size.into_iter().try_for_each(|edge| positive("size", edge)),
            Shape::Ellipsoid { semi_axes } => semi_axes.into_iter().try_for_each(|axis| positive("semi-axis", axis)),
        }
    }

    /// Volume, area or length, whichever the density of this shape refers to.
    fn content(&self) -> f64 {
        match *self {
            Shape::Ball { radius } => ball_volume(radius),
            Shape::Disk { radius } => PI * radius * radius,
            Shape::Rod { length } => length,
            Shape::Box { size: [a, b, c] } => a * b * c,
            Shape::Cylinder { radius, length } => PI * radius * radius * length,
            Shape::Ellipsoid { semi_axes: [a, b, c] } => 4.0 / 3.0 * PI * a * b * c,
            Shape::Shell { radius } => 4.0 * PI * radius * radius,
            Shape::Hoop { radius } => 2.0 * PI * radius,
            Shape::Capsule { radius, length } => PI * radius * radius * length + ball_volume(radius),
        }
    }

    /// Moments of inertia divided by the mass, m².
    fn squared_radii_of_gyration(&self) -> [f64; 3] {
        match *self {
            Shape::Ball { radius } => [0.4 * radius * radius; 3],
            Shape::Disk { radius } => {
                let across = 0.25 * radius * radius;
                [across, across, 2.0 * across]
            }
            Shape::Rod { length } => {
                let across = length * length / 12.0;
                [0.0, across, across]
            }
            Shape::Box { size } => sums_of_other_squares(size).map(|sum| sum / 12.0),
            Shape::Cylinder { radius, length } => {
                let across = 0.25 * radius * radius + length * length / 12.0;
                [across, across, 0.5 * radius * radius]
            }
            Shape::Ellipsoid { semi_axes } => sums_of_other_squares(semi_axes).map(|sum| sum / 5.0),
            Shape::Shell { radius } => [2.0 / 3.0 * radius * radius; 3],
            Shape::Hoop { radius } => {
                let across = 0.5 * radius * radius;
                [across, across, 2.0 * across]
            }
            Shape::Capsule { radius, length } => capsule(radius, length),
        }
    }
}

fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

fn sums_of_other_squares([a, b, c]: [f64; 3]) -> [f64; 3] {
    [b * b + c * c, c * c + a * a, a * a + b * b]
}

/// A half ball's centre of mass lies 3r/8 from its flat face. Shifting its moment 2/5 r² from the face's centre to the
/// centre of mass and from there to the capsule's centre, L/2 + 3r/8 away, gives 2/5 r² + L²/4 + 3rL/8.
fn capsule(radius: f64, length: f64) -> [f64; 3] {
    // Volumes of the cylinder and of both half balls are as L to 4r/3.
    let balls = 4.0 * radius / (3.0 * length + 4.0 * radius);
    let cylinder = 1.0 - balls;
    let squared_radius = radius * radius;
    let along = cylinder * 0.5 * squared_radius + balls * 0.4 * squared_radius;
    let across = cylinder * (0.25 * squared_radius + length * length / 12.0)
        + balls * (0.4 * squared_radius + 0.25 * length * length + 0.375 * radius * length);
    [along, across, across]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    fn moments(shape: Shape, mass: f64) -> [f64; 3] {
        shape.mass_properties(Amount::Mass(mass)).unwrap().moments
    }

    #[track_caller]
    fn assert_close(found: [f64; 3], expected: [f64; 3], relative: f64) {
        let scale = expected.iter().copied().fold(0.0, f64::max);
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= relative * scale, "{found:?} is not {expected:?}");
        }
    }

    /// Mass and moments of a solid of revolution about x, by Simpson's rule over thin slices.
    fn solid_of_revolution(half_length: f64, radius_at: impl Fn(f64) -> f64) -> (f64, [f64; 3]) {
        const SLICES: u32 = 200_000;
        let step = 2.0 * half_length / f64::from(SLICES);
        let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
        for i in 0..=SLICES {
            let x = f64::from(i) * step - half_length;
            let weight = step / 3.0 * [if i == 0 || i == SLICES { 1.0 } else { 2.0 }, 4.0][(i % 2) as usize];
            let squared = radius_at(x).powi(2);
            let area = weight * PI * squared;
            volume += area;
            along += area * squared / 2.0;
            across += area * (squared / 4.0 + x * x);
        }
        (volume, [along, across, across])
    }

    #[test]
    fn moments_are_those_of_the_textbook() {
        assert_close(moments(Shape::Ball { radius: 2.0 }, 5.0), [8.0; 3], 1e-15);
        assert_close(moments(Shape::Disk { radius: 2.0 }, 3.0), [3.0, 3.0, 6.0], 1e-15);
        assert_close(moments(Shape::Rod { length: 2.0 }, 3.0), [0.0, 1.0, 1.0], 1e-15);
        assert_close(moments(Shape::Box { size: [1.0, 2.0, 3.0] }, 12.0), [13.0, 10.0, 5.0], 1e-15);
        assert_close(moments(Shape::Cylinder { radius: 2.0, length: 6.0 }, 1.0), [4.0, 4.0, 2.0], 1e-15);
        assert_close(moments(Shape::Ellipsoid { semi_axes: [1.0, 2.0, 3.0] }, 5.0), [13.0, 10.0, 5.0], 1e-15);
        assert_close(moments(Shape::Shell { radius: 3.0 }, 1.0), [6.0; 3], 1e-15);
        assert_close(moments(Shape::Hoop { radius: 3.0 }, 2.0), [9.0, 9.0, 18.0], 1e-15);
    }

    #[test]
    fn density_refers_to_the_shape_s_own_content() {
        let mass = |shape: Shape| shape.mass_properties(Amount::Density(2.0)).unwrap().mass;
        assert!((mass(Shape::Ball { radius: 3.0 }) - 72.0 * PI).abs() < 1e-12);
        assert!((mass(Shape::Disk { radius: 3.0 }) - 18.0 * PI).abs() < 1e-12);
        assert_eq!(mass(Shape::Rod { length: 3.0 }), 6.0);
        assert_eq!(mass(Shape::Box { size: [1.0, 2.0, 3.0] }), 12.0);
        assert!((mass(Shape::Cylinder { radius: 1.0, length: 3.0 }) - 6.0 * PI).abs() < 1e-12);
        assert!((mass(Shape::Ellipsoid { semi_axes: [1.0, 2.0, 3.0] }) - 16.0 * PI).abs() < 1e-12);
        assert!((mass(Shape::Shell { radius: 3.0 }) - 72.0 * PI).abs() < 1e-12);
        assert!((mass(Shape::Hoop { radius: 3.0 }) - 12.0 * PI).abs() < 1e-12);
        assert!((mass(Shape::Capsule { radius: 3.0, length: 2.0 }) - 108.0 * PI).abs() < 1e-12);
    }

    #[test]
    fn capsule_agrees_with_numerical_integration() {
        for (radius, length) in [(0.3_f64, 1.1_f64), (1.0, 0.2), (0.05, 2.0)] {
            let half_length = 0.5 * length + radius;
            let (volume, expected) = solid_of_revolution(half_length, |x| {
                let beyond = (x.abs() - 0.5 * length).max(0.0);
                (radius * radius - beyond * beyond).max(0.0).sqrt()
            });
            let capsule = Shape::Capsule { radius, length }.mass_properties(Amount::Density(1.0)).unwrap();
            assert!((capsule.mass - volume).abs() < 1e-9 * volume);
            assert_close(capsule.moments, expected, 1e-8);
        }
    }

    #[test]
    fn shapes_meet_in_their_limits() {
        let ball = moments(Shape::Ball { radius: 0.7 }, 3.0);
        assert_close(moments(Shape::Capsule { radius: 0.7, length: 0.0 }, 3.0), ball, 1e-15);
        assert_close(moments(Shape::Ellipsoid { semi_axes: [0.7; 3] }, 3.0), ball, 1e-15);
        let rod = moments(Shape::Rod { length: 2.0 }, 3.0);
        assert_close(moments(Shape::Capsule { radius: 1e-9, length: 2.0 }, 3.0), rod, 1e-8);
        let disk = moments(Shape::Disk { radius: 0.7 }, 3.0);
        assert_close(moments(Shape::Cylinder { radius: 0.7, length: 1e-9 }, 3.0), disk, 1e-15);
    }

    #[test]
    fn a_turned_body_carries_its_tensor_along() {
        let quarter = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), PI / 2.0);
        let block = Shape::Box { size: [1.0, 2.0, 3.0] }.spatial_body(Amount::Mass(12.0), &quarter).unwrap();
        let momentum_about = |axis: Vector3<f64>| block.moving(Vector3::zeros(), axis).angular_momentum().dot(&axis);
        let found = [Vector3::x(), Vector3::y(), Vector3::z()].map(momentum_about);
        assert_close(found, [10.0, 13.0, 5.0], 1e-14);
    }

    #[test]
    fn a_rod_in_space_has_no_moment_about_its_axis() {
        let quarter = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), PI / 2.0);
        let rod = Shape::Rod { length: 2.0 }.spatial_body(Amount::Mass(3.0), &quarter).unwrap();
        let spin = rod.moving(Vector3::zeros(), Vector3::z()).kinetic_energy();
        let tumble = rod.moving(Vector3::zeros(), Vector3::x()).kinetic_energy();
        assert!(spin.abs() < 1e-15 && (tumble - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_planar_body_turns_about_z() {
        let rod = Shape::Rod { length: 2.0 }.planar_body(Amount::Mass(3.0)).unwrap();
        assert_eq!(rod.moving(Vector3::zeros(), Vector3::z() * 2.0).kinetic_energy(), 2.0);
    }

    #[test]
    fn sizes_and_amounts_no_body_has_are_refused() {
        let error = |shape: Shape, amount| shape.mass_properties(amount).unwrap_err();
        let ball = Shape::Ball { radius: 1.0 };
        assert!(matches!(error(ball, Amount::Mass(0.0)), Error::OutOfRange { what: "mass", .. }));
        assert!(matches!(error(ball, Amount::Density(-1.0)), Error::OutOfRange { what: "density", .. }));
        assert!(matches!(error(ball, Amount::Mass(f64::NAN)), Error::NotFinite { what: "mass" }));
        let huge = Shape::Ball { radius: 1e200 };
        assert!(matches!(error(huge, Amount::Density(1.0)), Error::NotFinite { what: "mass" }));
        assert!(matches!(error(huge, Amount::Mass(1.0)), Error::NotFinite { what: "moment of inertia" }));
        let tiny = Shape::Ball { radius: 1e-200 };
        assert!(matches!(error(tiny, Amount::Density(1.0)), Error::OutOfRange { what: "mass", .. }));
        let inside_out = Shape::Box { size: [1.0, -1.0, 1.0] };
        assert!(matches!(error(inside_out, Amount::Mass(1.0)), Error::OutOfRange { what: "size", .. }));
        let short = Shape::Capsule { radius: 1.0, length: -0.1 };
        assert!(matches!(error(short, Amount::Mass(1.0)), Error::OutOfRange { what: "length", .. }));
        // The mass is fine, but no moment of inertia is left.
        assert!(tiny.planar_body(Amount::Mass(1.0)).is_err());
        assert!(tiny.spatial_body(Amount::Mass(1.0), &UnitQuaternion::identity()).is_err());
    }
}
