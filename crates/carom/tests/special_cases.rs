//! Local mass matrices the literature knows in closed form (Chatterjee 1997, 2.3.1).
// Helpers of tests say what they expect by unwrapping it, as tests do.
#![allow(clippy::unwrap_used)]

use carom::{Body, Collision, ContactFrame};
use nalgebra::{Matrix2, Matrix3, Rotation3, SymmetricEigen, Unit, Vector3};

#[path = "../src/random.rs"]
mod random;
use random::Random;

/// The mass matrix of two bodies touching at the origin, contact frame (x, y, z).
fn mass(a: &Body, b: &Body) -> Matrix3<f64> {
    let frame = ContactFrame::spatial(&Vector3::x(), Some(&Vector3::y())).unwrap();
    Collision::between(a, b, &Vector3::zeros(), &frame).unwrap().mass().unwrap()
}

fn planar_mass(a: &Body, b: &Body) -> Matrix2<f64> {
    mass(a, b).fixed_view::<2, 2>(0, 0).into_owned()
}

fn assert_close(got: &Matrix3<f64>, expected: &Matrix3<f64>, tolerance: f64) {
    assert!((got - expected).amax() <= tolerance * expected.amax(), "{got} is not {expected}");
}

fn diagonal(a: f64, b: f64, c: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(a, b, c))
}

/// Smallest over largest eigenvalue of a planar mass matrix.
fn ratio(mass: &Matrix2<f64>) -> f64 {
    let eigenvalues = SymmetricEigen::new(*mass).eigenvalues;
    eigenvalues.min() / eigenvalues.max()
}

#[test]
fn two_spheres_have_7_to_2_to_2_whatever_their_radii_and_masses() {
    let mut random = Random(61);
    for _ in 0..200 {
        let [m1, m2, r1, r2] = [(); 4].map(|()| random.log_between(0.1, 10.0));
        let ball = |m: f64, r: f64| Body::new(m, &(Matrix3::identity() * (0.4 * m * r * r))).unwrap();
        let reduced = m1 * m2 / (m1 + m2);
        let expected = diagonal(1.0, 2.0 / 7.0, 2.0 / 7.0) * reduced;
        let (a, b) = (ball(m1, r1).at(Vector3::x() * r1), ball(m2, r2).at(Vector3::x() * -r2));
        assert_close(&mass(&a, &b), &expected, 1e-14);
        assert_close(&mass(&a, &Body::immovable()), &(expected * (m1 / reduced)), 1e-14);
    }
}

#[test]
fn disks_have_3_to_1_and_hoops_2_to_1() {
    for (shape, expected) in [(0.5, 3.0), (1.0, 2.0)] {
        let wheel = |m: f64, r: f64| Body::planar(m, shape * m * r * r).unwrap();
        let (a, b) = (wheel(2.0, 0.3).at(Vector3::x() * 0.3), wheel(5.0, 0.7).at(Vector3::x() * -0.7));
        let mass = planar_mass(&a, &b);
        assert!((mass[(0, 0)] - 10.0 / 7.0).abs() < 1e-14);
        assert!((mass[(0, 0)] / mass[(1, 1)] - expected).abs() < 1e-13);
        assert!(mass[(0, 1)].abs() < 1e-15);
    }
}

/// A uniform rod of mass 1 and length 2 with its tip at the origin, at an angle to n.
fn rod(angle: f64) -> Body {
    Body::planar(1.0, 1.0 / 3.0).unwrap().at(Vector3::new(angle.cos(), angle.sin(), 0.0))
}

#[test]
fn a_thin_rod_has_1_to_4_at_any_angle() {
    for k in 0..32 {
        let mass = planar_mass(&rod(0.2 * f64::from(k)), &Body::immovable());
        assert!((ratio(&mass) - 0.25).abs() < 1e-14);
    }
    for (degrees, expected) in [
        (30.0_f64, Matrix2::new(0.8125, 0.324_760, 0.324_760, 0.4375)),
        (45.0, Matrix2::new(0.625, 0.375, 0.375, 0.625)),
    ] {
        let mass = planar_mass(&rod(degrees.to_radians()), &Body::immovable());
        assert!((mass - expected).amax() < 5e-7, "{mass}");
    }
}

#[test]
fn against_an_immovable_body_the_arm_is_an_eigenvector_with_the_mass_as_eigenvalue() {
    let mut random = Random(62);
    for _ in 0..500 {
        let arm = random.direction() * random.log_between(0.1, 10.0);
        // Moments 2 to 3 always satisfy the triangle inequality.
        let axes = random.rotation();
        let inertia = axes * Matrix3::from_fn(|i, j| if i == j { 2.0 + random.unit() } else { 0.0 }) * axes.transpose();
        let m = random.log_between(0.1, 10.0);
        let body = Body::new(m, &inertia).unwrap().at(-arm);
        let mass = mass(&body, &Body::immovable());
        assert!((mass * arm - arm * m).norm() < 1e-11 * m * arm.norm());
        // In the plane the other eigenvalue is I/(I + m r²) of it.
        let (i, r2) = (2.5, arm.xy().norm_squared());
        let flat = Body::planar(m, i).unwrap().at(-Vector3::new(arm.x, arm.y, 0.0));
        assert!((ratio(&planar_mass(&flat, &Body::immovable())) / (i / (i + m * r2)) - 1.0).abs() < 1e-11);
    }
}

#[test]
fn centres_in_line_with_the_contact_make_that_line_an_eigenvector() {
    let mut random = Random(63);
    for _ in 0..200 {
        let line = random.direction();
        let body = |random: &mut Random| {
            let axes = random.rotation();
            let moments = Vector3::from_fn(|_, _| 2.0 + random.unit());
            Body::new(random.log_between(0.1, 10.0), &(axes * Matrix3::from_diagonal(&moments) * axes.transpose()))
                .unwrap()
        };
        let (a, b) = (body(&mut random).at(line * random.unit()), body(&mut random).at(line * -random.unit()));
        let pull = mass(&a, &b) * line;
        assert!((pull - line * line.dot(&pull)).norm() < 1e-12 * pull.norm());
    }
}

#[test]
fn mirror_images_with_perpendicular_arms_are_isotropic() {
    let (m, i, r) = (1.7, 0.6, 0.9_f64);
    let half = r * std::f64::consts::FRAC_1_SQRT_2;
    let body = Body::planar(m, i).unwrap();
    let (a, b) = (body.at(Vector3::new(half, half, 0.0)), body.at(Vector3::new(-half, half, 0.0)));
    let expected = Matrix2::identity() * (m * i / (2.0 * i + m * r * r));
    assert!((planar_mass(&a, &b) - expected).amax() < 1e-15);
}

/// A rod of mass 1 and length 1 along n with its tip at the origin, and a point mass on it.
fn loaded_rod(point_mass: f64, distance: f64) -> Body {
    let total = 1.0 + point_mass;
    let centre = (0.5 + point_mass * distance) / total;
    let inertia = 1.0 / 12.0 + (0.5 - centre).powi(2) + point_mass * (distance - centre).powi(2);
    Body::planar(total, inertia).unwrap().at(Vector3::x() * centre)
}

#[test]
fn a_rod_with_a_point_mass_has_the_ratios_of_the_notes() {
    let ratio_of = |point_mass, distance| ratio(&planar_mass(&loaded_rod(point_mass, distance), &Body::immovable()));
    let loads = [1.0, 10.0, 100.0, 1000.0];
    for (load, expected) in loads.into_iter().zip([0.15625, 0.030_059, 0.003_297_6, 0.000_332_97]) {
        assert!((ratio_of(load, 1.0) / expected - 1.0).abs() < 2e-5, "far end, {load}");
    }
    for (load, expected) in loads.into_iter().zip([0.595, 0.868, 0.834, 0.428]) {
        assert!((ratio_of(load, 0.02) - expected).abs() < 6e-4, "near the contact, {load}");
    }
    for load in loads {
        assert!((ratio_of(load, 0.0) - (1.0 - 0.75 / (1.0 + load))).abs() < 1e-12, "at the contact, {load}");
    }
}

#[test]
fn unit_forces_measure_the_same_matrix() {
    // Chatterjee's recipe 6.7.1: the columns of W are the responses to unit forces, of moving bodies too.
    let mut random = Random(64);
    for _ in 0..500 {
        let body = |random: &mut Random| {
            let axes = random.rotation();
            let moments = Vector3::from_fn(|_, _| 2.0 + random.unit());
            Body::new(random.log_between(0.1, 10.0), &(axes * Matrix3::from_diagonal(&moments) * axes.transpose()))
                .unwrap()
                .at(random.direction() * 2.0)
                .moving(random.direction(), random.direction() * 3.0)
        };
        let (a, b) = (body(&mut random), body(&mut random));
        let turn = Rotation3::from_axis_angle(&Unit::new_normalize(random.direction()), random.between(0.0, 3.0));
        let (normal, hint) = (turn * Vector3::x(), turn * Vector3::y());
        let frame = ContactFrame::spatial(&normal, Some(&hint)).unwrap();
        let point = random.direction();
        let collision = Collision::between(&a, &b, &point, &frame).unwrap();
        let columns = [0, 1, 2].map(|i| {
            let force = frame.to_world(&Vector3::ith(i, 1.0));
            let (mut pushed_a, mut pushed_b) = (a, b);
            pushed_a.apply_impulse(&point, &force);
            pushed_b.apply_impulse(&point, &-force);
            let after = pushed_a.point_velocity(&point) - pushed_b.point_velocity(&point);
            frame.to_contact(&after) - collision.velocity()
        });
        let measured = Matrix3::from_columns(&columns);
        assert_close(&measured, collision.inverse_mass(), 1e-12);
        assert_close(&measured.try_inverse().unwrap(), &collision.mass().unwrap(), 1e-10);
    }
}
