//! Networks of contacts, and the laws for several contacts at once.
#![allow(clippy::unwrap_used)]

use carom::BoundLaw;
use carom::impact::{Contact, Impact, Joint, Network};
use carom::laws::{Inapplicable, find};
use carom::{Body, Collision, ContactFrame, Error};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// Balls in a row, each touching the next; speeds along the row.
fn chain(masses: &[f64], speeds: &[f64]) -> (Vec<Body>, Vec<Contact>) {
    let ball = |(k, (mass, speed)): (usize, (&f64, &f64))| {
        let body = Body::planar(*mass, 1.0).unwrap();
        body.at(Vector3::x() * (2.0 * k as f64)).moving(Vector3::x() * *speed, Vector3::zeros())
    };
    let bodies: Vec<Body> = masses.iter().zip(speeds).enumerate().map(ball).collect();
    let frame = ContactFrame::planar([1.0, 0.0]).unwrap();
    let touch = |k: usize| Contact { a: Some(k + 1), b: Some(k), point: Vector3::x() * (2.0 * k as f64 + 1.0), frame };
    let contacts = (0..masses.len() - 1).map(touch).collect();
    (bodies, contacts)
}

fn speeds_after(law: &str, bodies: &[Body], contacts: &[Contact], given: &[(&str, f64)]) -> Vec<f64> {
    let network = Network::new(bodies.to_vec(), contacts.to_vec(), &[], true).unwrap();
    let impact = network.impact().unwrap();
    let lookup = |_: usize, key: &str| given.iter().find(|(k, _)| *k == key).map(|(_, value)| *value);
    let bound = find(law).unwrap().bind_contacts(contacts.len(), lookup).unwrap();
    let outcome = bound.resolve(&impact).unwrap();
    network.after(&outcome.impulses()).unwrap().0.iter().map(|body| body.velocity.x).collect()
}

#[test]
fn one_after_the_other_a_cradle_passes_everything_on() {
    let (bodies, contacts) = chain(&[1.0; 5], &[1.0, 0.0, 0.0, 0.0, 0.0]);
    let after = speeds_after("sequential", &bodies, &contacts, &[("restitution", 1.0), ("friction", 0.0)]);
    for (speed, expected) in after.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0]) {
        assert!((speed - expected).abs() < 1e-15, "{after:?}");
    }
}

#[test]
fn bodies_that_share_nothing_are_islands() {
    let (mut bodies, mut contacts) = chain(&[1.0; 3], &[1.0, 0.0, 0.0]);
    let (more, others) = chain(&[2.0; 2], &[0.0, -1.0]);
    let count = bodies.len();
    bodies.extend(more);
    contacts.extend(others.into_iter().map(|c| Contact { a: c.a.map(|k| k + count), b: c.b.map(|k| k + count), ..c }));
    let impact = Network::new(bodies, contacts, &[], true).unwrap().impact().unwrap();
    assert_eq!(impact.islands(), vec![vec![0, 1], vec![2]]);
}

#[test]
fn a_wall_connects_nothing() {
    let bodies = [Body::planar(1.0, 0.1).unwrap(); 2].map(|body| body.moving(-Vector3::y(), Vector3::zeros()));
    let frame = ContactFrame::planar([0.0, 1.0]).unwrap();
    let contacts = [0, 1].map(|k| Contact { a: Some(k), b: None, point: Vector3::new(0.1, -0.3, 0.0), frame });
    let impact = Network::new(bodies.to_vec(), contacts.to_vec(), &[], true).unwrap().impact().unwrap();
    assert_eq!(impact.islands().len(), 2);
}

#[test]
fn one_contact_is_the_collision_of_two_bodies() {
    let a = Body::new(2.0, &Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.25))).unwrap();
    let a = a.at(Vector3::new(0.1, 0.3, 0.5)).moving(Vector3::new(0.2, 0.1, -1.0), Vector3::new(1.0, -2.0, 0.5));
    let b = Body::new(1.0, &(Matrix3::identity() * 0.05)).unwrap().at(Vector3::new(0.0, 0.1, -0.4));
    let frame = ContactFrame::spatial(&Vector3::new(0.1, -0.2, 1.0), None).unwrap();
    let point = Vector3::new(0.05, 0.2, 0.1);
    let expected = Collision::between(&a, &b, &point, &frame).unwrap();
    let (bodies, contacts) = ([a, b], [Contact { a: Some(0), b: Some(1), point, frame }]);
    let impact = Network::new(bodies.to_vec(), contacts.to_vec(), &[], false).unwrap().impact().unwrap();
    assert!((impact.inverse_mass().block(0, 0) - expected.inverse_mass()).amax() < 1e-14);
    assert!((impact.velocity()[0] - expected.velocity()).amax() < 1e-15);
}

/// A rod hinged at its middle has the inverse mass r²/I at its tip, and a rod hinged to the world takes no linear momentum.
#[test]
fn a_hinge_leaves_only_the_turning() {
    let rod = Body::planar(3.0, 0.5).unwrap().moving(Vector3::zeros(), Vector3::z() * -2.0);
    let hinge = Joint::revolute(Some(0), None, Vector3::zeros(), &Vector3::z()).unwrap();
    let frame = ContactFrame::planar([0.0, 1.0]).unwrap();
    let (bodies, contacts) = ([rod], [Contact { a: Some(0), b: None, point: Vector3::new(0.4, 0.0, 0.0), frame }]);
    let network = Network::new(bodies.to_vec(), contacts.to_vec(), &[hinge], true).unwrap();
    let impact = network.impact().unwrap();
    let w = impact.inverse_mass().block(0, 0);
    assert!((w - Matrix3::from_diagonal(&Vector3::new(0.16 / 0.5, 0.0, 0.0))).amax() < 1e-15, "{w}");
    let (after, joints) = network.after(&[Vector3::new(2.5, 0.0, 0.0)]).unwrap();
    assert!(after[0].velocity.norm() < 1e-15 && (after[0].angular_velocity.z - 0.0).abs() < 1e-14, "{after:?}");
    assert!((joints[0].impulse - Vector3::new(0.0, -2.5, 0.0)).norm() < 1e-14, "{joints:?}");
}

/// Two rods hinged together answer like the free body they would be if the hinge were welded, when the weld is added.
#[test]
fn joints_of_several_bodies_conserve_momentum_and_hold() {
    let place = |x: f64| Vector3::new(x, 0.1 * x, 0.0);
    let rod = |x: f64| Body::planar(1.0 + x * x, 0.2).unwrap().at(place(x));
    let bodies = [rod(0.0), rod(1.0), rod(2.0)];
    let joint = |k: usize| Joint::spherical(Some(k), Some(k + 1), place(k as f64 + 0.5));
    let frame = ContactFrame::planar([0.3, 1.0]).unwrap();
    let contacts = [Contact { a: Some(0), b: None, point: Vector3::new(-0.4, 0.2, 0.0), frame }];
    let network = Network::new(bodies.to_vec(), contacts.to_vec(), &[joint(0), joint(1)], true).unwrap();
    let impulse = Vector3::new(1.0, -0.3, 0.0);
    let (after, _) = network.after(&[impulse]).unwrap();
    let momentum: Vector3<f64> = after.iter().map(Body::momentum).sum();
    assert!((momentum - frame.to_world(&impulse)).norm() < 1e-14);
    for k in 0..2 {
        let point = place(k as f64 + 0.5);
        assert!((after[k].point_velocity(&point) - after[k + 1].point_velocity(&point)).norm() < 1e-13);
    }
    let v = network.impact().unwrap().velocity_after(&[impulse]).unwrap()[0];
    assert!((v - frame.to_contact(&after[0].point_velocity(&contacts[0].point))).norm() < 1e-13);
    let energy: f64 = after.iter().map(Body::kinetic_energy).sum();
    assert!((energy - network.impact().unwrap().energy_change(&[impulse]).unwrap()).abs() < 1e-13);
}

#[test]
fn unsound_impacts_are_refused() {
    use nalgebra::{DMatrix, DVector};
    let refused = |w: &[f64], v: &[f64]| {
        Impact::new(&DMatrix::from_row_slice(v.len(), v.len(), w), &DVector::from_column_slice(v), true).unwrap_err()
    };
    let text = |w: &[f64], v: &[f64]| refused(w, v).to_string();
    assert!(text(&[1.0, 0.5, 0.0, 1.0], &[-1.0, 0.0]).contains("symmetric"));
    assert!(text(&[1.0, 2.0, 2.0, 1.0], &[-1.0, 0.0]).contains("eigenvalue"));
    assert!(text(&[1.0, 0.0, 0.0, f64::NAN], &[-1.0, 0.0]).contains("finite"));
    assert!(text(&[0.0, 0.0, 0.0, 1.0], &[0.0, 1.0]).contains("normal"));
    assert!(text(&[1.0, 0.0, 0.0, 0.0], &[-1.0, 1.0]).contains("no impulse can"));
}

fn bound(law: &str, contacts: usize, values: &[(&str, f64)]) -> BoundLaw {
    let lookup = |_: usize, key: &str| values.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
    find(law).unwrap().bind_contacts(contacts, lookup).unwrap()
}

/// Balls in a row whose first one moves at 5·10⁻³²⁴ m/s kept `liu-zhao-brogliato` and `compliant-network` busy for ever: numbers that
/// leave no room for squares are refused for several contacts as for one.
#[test]
fn velocities_and_masses_out_of_range_are_refused() {
    let w = DMatrix::from_row_slice(
        4,
        4,
        &[2.0, 0.0, -1.0, 0.0, 0.0, 2.0, 0.0, 0.0, -1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0],
    );
    let refused = |w: &DMatrix<f64>, v: [f64; 4]| {
        matches!(Impact::new(w, &DVector::from_row_slice(&v), true), Err(Error::OutOfRange { .. }))
    };
    assert!(refused(&w, [-5e-324, 0.0, 0.0, 0.0]));
    assert!(refused(&w, [-1e80, 0.0, 0.0, 0.0]));
    assert!(refused(&(&w * 1e-80), [-1.0, 0.0, 0.0, 0.0]));
    // Beside others such a velocity is zero.
    let impact = Impact::new(&w, &DVector::from_row_slice(&[-1.0, 0.0, -5e-324, 5e-324]), true).unwrap();
    assert_eq!(impact.velocity()[1], Vector3::zeros());
    for law in carom::laws::SEVERAL.iter().filter(|law| law.id != "sequential") {
        let values = [("restitution", 0.5), ("friction", 0.1), ("stiffness", 1e4), ("damping", 1.0)];
        assert!(bound(law.id, 2, &values).resolve(&impact).is_ok(), "{}", law.id);
    }
}

/// An approach of 10⁻¹⁶ of the slip is an impact still: one contact of `poisson-lcp` once gave no impulse there.
#[test]
fn an_approach_far_below_the_slip_gets_its_impulse() {
    let w = DMatrix::from_row_slice(2, 2, &[1.0, 0.2, 0.2, 3.0]);
    for approach in [1e-9, 1e-13, 1e-16, 1e-30] {
        let impact = Impact::new(&w, &DVector::from_row_slice(&[-approach, 1.0]), true).unwrap();
        for law in ["newton-lcp", "poisson-lcp"] {
            let outcome = bound(law, 1, &[("restitution", 0.5), ("friction", 0.3)]).resolve(&impact).unwrap();
            // It slips: P = p (1, −μ), V_n after = −approach + p (1 − 0.2 μ).
            let after = outcome.contacts[0].impulse.x * (1.0 - 0.06) / approach - 1.0;
            // A diagonal term of 10⁻⁹ keeps the matrix of Newton's method regular, and one step is all that is left to do.
            assert!((after - 0.5).abs() < 1e-8, "{law} {approach:e}: {after}");
        }
    }
}

/// `sequential` was said to be a law for one contact when it was given one.
#[test]
fn sequential_on_one_contact_asks_for_the_single_law() {
    let collision = Collision::planar([[1.0, 0.0], [0.0, 3.0]], [-1.0, 0.0]).unwrap();
    let law = find("sequential").unwrap().bind_from(|_| None).unwrap();
    assert_eq!(law.resolve_collision(&collision).unwrap_err(), Inapplicable::OneContact);
}

/// A ball flies into a wedge-shaped gap: it hits one side, leaves the other, and must not enter it. Contacts that separate before were
/// once left out altogether.
#[test]
fn rakshit_chatterjee_keeps_contacts_open_that_separated_before() {
    // Unit mass, normals at 80° to each other's opposite: V = (−1, 0.3) at normals (1, 0) and (cos 100°, sin 100°).
    let (sin, cos) = 100_f64.to_radians().sin_cos();
    let velocity = Vector3::new(-1.0, 0.13, 0.0);
    let normals = [Vector3::x(), Vector3::new(cos, sin, 0.0)];
    let w = DMatrix::from_fn(4, 4, |i, j| if i % 2 + j % 2 == 0 { normals[i / 2].dot(&normals[j / 2]) } else { 0.0 });
    let v = DVector::from_fn(4, |i, _| if i % 2 == 0 { velocity.dot(&normals[i / 2]) } else { 0.0 });
    assert!(v[0] < 0.0 && v[2] > 0.0);
    let impact = Impact::new(&w, &v, true).unwrap();
    for variant in [0.0, 1.0] {
        let law = bound("rakshit-chatterjee", 2, &[("restitution", 0.8), ("friction", 0.0), ("variant", variant)]);
        let outcome = law.resolve(&impact).unwrap();
        let after: Vec<f64> = outcome.velocities_after().iter().map(|v| v.x).collect();
        assert!((after[0] - 0.8).abs() < 1e-9 && after[1].abs() < 1e-9, "{after:?}");
        assert!(outcome.contacts[1].impulse.x > 0.0);
    }
    // Between parallel walls no rebound is possible.
    let w = DMatrix::from_row_slice(
        4,
        4,
        &[1.0, 0.0, -1.0, 0.0, 0.0, 3.0, 0.0, 3.0, -1.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 3.0],
    );
    let slot = Impact::new(&w, &DVector::from_row_slice(&[-1.0, 0.5, 1.0, 0.5]), true).unwrap();
    let law = bound("rakshit-chatterjee", 2, &[("restitution", 0.5), ("friction", 0.3)]);
    assert_eq!(law.resolve(&slot).unwrap_err(), Inapplicable::Infeasible);
}
