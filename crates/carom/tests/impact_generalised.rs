//! Impacts of systems in generalised coordinates.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use carom::audit::audit;
use carom::impact::{Contact, Generalised, Network};
use carom::{Body, ContactFrame, Error, laws};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use rand::RngExt;

/// Two free bodies that touch each other and the ground, as a network and in generalised coordinates (velocity and angular velocity
/// of each body, world axes).
fn both(seed: u64) -> (Network, Generalised) {
    let mut random = support::random(seed, 1);
    let mut vector = |size: f64| Vector3::from_fn(|_, _| random.random_range(-size..size));
    let bodies: Vec<Body> = (0..2)
        .map(|k| {
            let inertia = Vector3::new(0.3, 0.35, 0.4) + vector(0.05);
            Body::new(1.0 + f64::from(k), &Matrix3::from_diagonal(&inertia))
                .unwrap()
                .at(vector(1.0))
                .moving(vector(1.0), vector(1.0))
        })
        .collect();
    let contact = |a, b, point, normal: Vector3<f64>| Contact {
        a,
        b,
        point,
        frame: ContactFrame::spatial(&normal, None).unwrap(),
    };
    let contacts = vec![
        contact(Some(0), Some(1), vector(1.0), vector(1.0)),
        contact(Some(0), None, vector(1.0), vector(1.0)),
        contact(None, Some(1), vector(1.0), vector(1.0)),
    ];
    let mut mass = DMatrix::zeros(12, 12);
    let mut velocity = DVector::zeros(12);
    for (k, body) in bodies.iter().enumerate() {
        let inertia = body.inertia();
        for i in 0..3 {
            mass[(6 * k + i, 6 * k + i)] = body.mass();
            velocity[6 * k + i] = body.velocity[i];
            velocity[6 * k + 3 + i] = body.angular_velocity[i];
            for j in 0..3 {
                mass[(6 * k + 3 + i, 6 * k + 3 + j)] = inertia[(i, j)];
            }
        }
    }
    let mut jacobian = DMatrix::zeros(9, 12);
    for (c, contact) in contacts.iter().enumerate() {
        for (side, sign) in [(contact.a, 1.0), (contact.b, -1.0)] {
            let Some(k) = side else { continue };
            let arm = contact.point - bodies[k].position;
            for axis in 0..3 {
                let direction = contact.frame.to_world(&Vector3::ith(axis, 1.0));
                let turned = arm.cross(&direction);
                for i in 0..3 {
                    jacobian[(3 * c + axis, 6 * k + i)] = sign * direction[i];
                    jacobian[(3 * c + axis, 6 * k + 3 + i)] = sign * turned[i];
                }
            }
        }
    }
    let generalised = Generalised::new(&mass, &jacobian, &velocity, false).unwrap();
    (Network::new(bodies, contacts, &[], false).unwrap(), generalised)
}

#[test]
fn bodies_and_coordinates_are_the_same_impact() {
    let law = laws::find("newton-lcp").unwrap();
    for seed in 0..50 {
        let (network, generalised) = both(seed);
        let (of_bodies, of_coordinates) = (network.impact().unwrap(), generalised.impact().unwrap());
        let (w, other) = (of_bodies.inverse_mass().dense(3), of_coordinates.inverse_mass().dense(3));
        assert!((&w - &other).amax() < 1e-12 * w.amax());
        for (v, other) in of_bodies.velocity().iter().zip(of_coordinates.velocity()) {
            assert!((v - other).amax() < 1e-12);
        }
        let bound = law.bind_contacts(3, |_, key| Some(if key == "friction" { 0.3 } else { 0.6 })).unwrap();
        let outcome = bound.resolve(&of_coordinates).unwrap();
        let after = generalised.velocity_after(&outcome.impulses()).unwrap();
        let motion = generalised.motion(&after).unwrap();
        assert!((motion.energy[0] - network.kinetic_energy()).abs() < 1e-12 * motion.energy[0]);
        let findings = audit(&of_coordinates, &outcome, &[0.3; 3], of_coordinates.local_energy(), Some(&motion));
        assert!(findings.is_ok(), "{findings:?}");
        // Another velocity is found.
        let astray = generalised.motion(&(after * 1.001)).unwrap();
        assert!(!audit(&of_coordinates, &outcome, &[0.3; 3], of_coordinates.local_energy(), Some(&astray)).is_ok());
    }
}

#[test]
fn what_is_no_mass_matrix_is_refused() {
    let jacobian = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 1.0]);
    let velocity = DVector::from_vec(vec![-1.0, 0.5]);
    let refused = |mass: [f64; 4]| {
        Generalised::new(&DMatrix::from_row_slice(2, 2, &mass), &jacobian, &velocity, true).unwrap_err()
    };
    assert!(
        matches!(refused([1.0, 2.0, 2.0, 1.0]), Error::NotPositive { eigenvalue, .. } if (eigenvalue + 1.0).abs() < 1e-12)
    );
    assert!(matches!(refused([1.0, 1.0, 1.0, 1.0]), Error::NotPositive { eigenvalue, .. } if eigenvalue.abs() < 1e-12));
    assert!(matches!(refused([1.0, 0.0, 0.0, 0.0]), Error::NotPositive { .. }));
    assert!(matches!(refused([1.0, 0.5, 0.0, 1.0]), Error::NotSymmetric { entry: (1, 0), .. }));
    assert!(matches!(refused([1.0, f64::NAN, 0.0, 1.0]), Error::NotFinite { .. }));
    // Units do not matter: grams beside tonnes are no singular matrix.
    let mass = DMatrix::from_row_slice(2, 2, &[1e-8, 0.0, 0.0, 1e8]);
    assert!(Generalised::new(&mass, &jacobian, &velocity, true).is_ok());
    for (rows, columns) in [(3, 2), (2, 3), (0, 2)] {
        let jacobian = DMatrix::from_element(rows, columns, 1.0);
        assert!(matches!(Generalised::new(&mass, &jacobian, &velocity, true), Err(Error::WrongSize { .. })));
    }
    let generalised = Generalised::new(&mass, &jacobian, &velocity, true).unwrap();
    assert!(matches!(generalised.velocity_after(&[]), Err(Error::WrongSize { .. })));
    assert!(matches!(generalised.motion(&DVector::zeros(3)), Err(Error::WrongSize { .. })));
}
