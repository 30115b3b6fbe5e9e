//! The laws for several contacts that are solved with friction cones: `newton-lcp`, `poisson-lcp`, `rakshit-chatterjee`.
//! Fixtures 6.1 to 6.8 were computed by three independent solvers from the model as reconstructed.
#![allow(clippy::unwrap_used, clippy::unreadable_literal, reason = "numbers as the note prints them")]

use carom::Note;
use carom::impact::{Contact, Impact, Network};
use carom::laws::find;
use carom::{Body, ContactFrame};
use carom::{BoundLaw, Outcome};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// Half a unit of the sixth printed decimal.
const PRINTED: f64 = 0.6e-6;

type Given<'a> = &'a [(&'a str, &'a [f64])];

fn bound(law: &str, contacts: usize, given: Given) -> BoundLaw {
    let lookup = |contact: usize, key: &str| {
        let (_, values) = given.iter().find(|(k, _)| *k == key)?;
        values.get(contact).or(values.last()).copied()
    };
    find(law).unwrap().bind_contacts(contacts, lookup).unwrap()
}

fn resolve(law: &str, impact: &Impact, given: Given) -> Outcome {
    let outcome = bound(law, impact.contacts(), given).resolve(impact).unwrap();
    assert!(outcome.effort.residual <= 1e-10, "{law}: {:e}", outcome.effort.residual);
    outcome
}

/// Balls in a row along x, or up along y; speeds along the row; a floor below the first if it stands.
fn row(masses: &[f64], speeds: &[f64], floor: bool) -> (Vec<Body>, Vec<Contact>) {
    let along = if floor { Vector3::y() } else { Vector3::x() };
    let ball = |(k, (mass, speed)): (usize, (&f64, &f64))| {
        Body::planar(*mass, 1.0).unwrap().at(along * (2.0 * k as f64)).moving(along * *speed, Vector3::zeros())
    };
    let bodies: Vec<Body> = masses.iter().zip(speeds).enumerate().map(ball).collect();
    let frame = ContactFrame::planar([along.x, along.y]).unwrap();
    let touch = |a: usize, b: Option<usize>| Contact { a: Some(a), b, point: along * (2.0 * a as f64 - 1.0), frame };
    let mut contacts: Vec<Contact> = (1..masses.len()).map(|k| touch(k, Some(k - 1))).collect();
    if floor {
        contacts.insert(0, touch(0, None));
    }
    (bodies, contacts)
}

fn check_row(masses: &[f64], speeds: &[f64], floor: bool, e: &[f64], after: &[f64], impulses: &[f64], energy: f64) {
    for law in ["plain", "capped"] {
        let variant = f64::from(u8::from(law == "capped"));
        let (bodies, contacts) = row(masses, speeds, floor);
        let network = Network::new(bodies, contacts, &[], true).unwrap();
        let impact = network.impact().unwrap();
        let given: Given = &[("restitution", e), ("friction", &[0.0]), ("variant", &[variant])];
        let outcome = resolve("rakshit-chatterjee", &impact, given);
        for (body, expected) in network.after(&outcome.impulses()).unwrap().0.iter().zip(after) {
            let speed = body.velocity.x + body.velocity.y;
            assert!((speed - expected).abs() < PRINTED, "{masses:?} {speeds:?} {e:?}: {speed} {expected}");
        }
        for (impulse, expected) in outcome.impulses().iter().zip(impulses) {
            assert!((impulse.x - expected).abs() < PRINTED, "{masses:?} {speeds:?} {e:?}: {impulse}");
        }
        assert!((impact.energy_change(&outcome.impulses()).unwrap() - energy).abs() < PRINTED);
    }
}

/// 6.1, and the formula of 3.5 for chains of equal balls.
#[test]
fn equal_balls_in_a_row() {
    let first = |n: usize| {
        let mut speeds = vec![0.0; n];
        speeds[0] = 1.0;
        speeds
    };
    let ones = [1.0; 5];
    let check = |n: usize, e: f64, after: &[f64], p: &[f64], energy: f64| {
        check_row(&ones[..n], &first(n), false, &[e], after, p, energy);
    };
    check(2, 0.5, &[0.25, 0.75], &[0.75], -0.1875);
    check(3, 1.0, &[-1.0 / 6.0, 1.0 / 3.0, 5.0 / 6.0], &[7.0 / 6.0, 5.0 / 6.0], -0.083333);
    check(3, 0.85, &[-0.091667, 0.333333, 0.758333], &[1.091667, 0.758333], -0.152708);
    check(3, 0.5, &[0.083333, 0.333333, 0.583333], &[0.916667, 0.583333], -0.270833);
    check(3, 0.0, &[1.0 / 3.0; 3], &[2.0 / 3.0, 1.0 / 3.0], -0.333333);
    check(4, 1.0, &[-0.25, 0.25, 0.25, 0.75], &[1.25, 1.0, 0.75], -0.125);
    check(5, 1.0, &[-0.3, 0.2, 0.2, 0.2, 0.7], &[1.3, 1.1, 0.9, 0.7], -0.15);
    check(5, 0.5, &[-0.05, 0.2, 0.2, 0.2, 0.45], &[1.05, 0.85, 0.65, 0.45], -0.3375);
    let both = [1.0 / 6.0, 2.0 / 3.0, 7.0 / 6.0];
    check_row(&ones[..3], &[1.0, 1.0, 0.0], false, &[1.0], &both, &[0.833333, 1.166667], -0.083333);
    for n in 2..=12 {
        let e = 0.7;
        let share = 1.0 / n as f64;
        let mut after = vec![share; n];
        after[0] -= e / 2.0;
        after[n - 1] += e / 2.0;
        let energy = 0.5 * (share + e * e / 2.0 - 1.0);
        check_row(&vec![1.0; n], &first(n), false, &[e], &after, &[], energy);
    }
}

/// 6.2 and 6.3.
#[test]
fn unequal_balls_in_a_row_and_balls_on_a_floor() {
    let m = [1.0, 2.0, 3.0];
    let v = [1.0, 0.0, 0.0];
    check_row(&m, &v, false, &[1.0], &[-0.25, 0.0, 0.416667], &[1.25, 1.25], -0.208333);
    let after = [-0.208333, 0.016667, 0.391667];
    check_row(&m, &v, false, &[0.9, 0.3], &after, &[1.208333, 1.175], -0.247917);
    let both = |m: [f64; 2], v: [f64; 2], e: [f64; 2], after: f64, p: [f64; 2], energy: f64| {
        check_row(&m, &v, true, &e, &[after, after], &p, energy);
    };
    both([1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], 1.0, [4.0, 2.0], 0.0);
    both([1.0, 1.0], [-1.0, -1.0], [0.8, 0.5], 0.8, [3.6, 1.8], -0.36);
    both([3.0, 1.0], [-1.0, -1.0], [1.0, 1.0], 1.0, [8.0, 2.0], 0.0);
    both([1.0, 3.0], [-1.0, -1.0], [1.0, 1.0], 1.0, [8.0, 6.0], 0.0);
    both([1.0, 1.0], [0.0, -1.0], [1.0, 1.0], 0.5, [2.0, 1.5], -0.25);
    both([3.0, 1.0], [0.0, -1.0], [1.0, 1.0], 0.25, [2.0, 1.25], -0.375);
    both([1.0, 3.0], [0.0, -1.0], [1.0, 1.0], 0.75, [6.0, 5.25], -0.375);
    both([1.0, 1.0], [0.0, -1.0], [0.8, 0.5], 0.25, [1.5, 1.25], -0.4375);
}

/// A disk of mass 1 and radius ½ that touches the ground and a wall to its right.
fn corner(spin: f64) -> (Body, [Contact; 2]) {
    let disk = Body::planar(1.0, 0.125).unwrap().moving(Vector3::new(8.0, -4.43, 0.0), Vector3::z() * spin);
    let contact = |point: Vector3<f64>, n: [f64; 2]| Contact {
        a: Some(0),
        b: None,
        point,
        frame: ContactFrame::planar(n).unwrap(),
    };
    (disk, [contact(Vector3::y() * -0.5, [0.0, 1.0]), contact(Vector3::x() * 0.5, [-1.0, 0.0])])
}

fn check_corner(spin: f64, contacts: usize, mu: f64, e: &[f64], after: [f64; 3], energy: f64) -> Outcome {
    let (disk, both) = corner(spin);
    let bodies = [disk];
    let network = Network::new(bodies.to_vec(), both[..contacts].to_vec(), &[], true).unwrap();
    let impact = network.impact().unwrap();
    let outcome = resolve("rakshit-chatterjee", &impact, &[("restitution", e), ("friction", &[mu])]);
    let body = network.after(&outcome.impulses()).unwrap().0[0];
    let found = [body.velocity.x, body.velocity.y, body.angular_velocity.z];
    for (found, expected) in found.iter().zip(after) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert!((impact.energy_change(&outcome.impulses()).unwrap() - energy).abs() < PRINTED * 2.0);
    outcome
}

/// 6.4.
#[test]
fn ball_in_a_corner() {
    for mu in [0.0, 0.35, 2.0] {
        let outcome = check_corner(0.0, 2, mu, &[0.715], [-4.443725, 4.443725, 0.0], -22.065758);
        // P = (8.873725, 0, 12.443725, 0) + s (1, 1, 1, −1) is the same motion; the shortest has no part along (1, 1, 1, −1).
        let freedom = outcome.notes.iter().find_map(|note| match note {
            Note::Indeterminate { freedom } => Some(*freedom),
            _ => None,
        });
        let tangents = |k: usize| outcome.contacts[k].impulse.y.abs();
        if mu == 0.0 {
            assert_eq!(freedom, None);
            assert!(tangents(0).max(tangents(1)) == 0.0);
        } else {
            assert_eq!(freedom, Some(1));
            let s = outcome.contacts[0].impulse.y;
            let along = outcome.contacts[0].impulse.x + outcome.contacts[0].impulse.y + outcome.contacts[1].impulse.x
                - outcome.contacts[1].impulse.y;
            let nearest = -(8.873725 + 12.443725) / 4.0;
            // Friction lets s go no further than −2.300595 for μ = 0.35.
            let expected: f64 = if mu == 0.35 { -2.300595 } else { nearest };
            assert!((s - expected).abs() < 1e-6, "{s} {expected}");
            assert!(mu == 0.35 || along.abs() < 1e-9, "{along}");
        }
    }
    check_corner(0.0, 2, 0.35, &[0.0], [0.0, 0.0, 0.0], -41.81245);
    check_corner(0.0, 2, 0.35, &[0.5], [-3.1075, 3.1075, 0.0], -32.155894);
    check_corner(0.0, 2, 0.35, &[1.0], [-6.215, 6.215, 0.0], -3.186225);
    check_corner(0.0, 2, 0.35, &[0.9, 0.3], [-3.1935, 3.1935, 0.0], -31.614008);
    let spinning = check_corner(30.0, 2, 0.35, &[0.715], [-4.540297, 4.347153, 1.769826], -78.110664);
    for (found, expected) in spinning.impulses().iter().zip([[11.729405, -4.105292], [8.435005, -2.952252]]) {
        assert!((found.x - expected[0]).abs() < 1e-6 && (found.y - expected[1]).abs() < 1e-6, "{found}");
    }
    let ground = check_corner(0.0, 1, 0.35, &[0.715], [5.340893, 3.16745, -10.63643], -15.462661);
    assert!((ground.contacts[0].impulse - Vector3::new(7.59745, -2.659108, 0.0)).amax() < 1e-6);
}

fn check_single(w: &[f64], v: &[f64], given: Given, p: &[f64], after: &[f64], energy: f64) -> Outcome {
    let n = v.len();
    let impact = Impact::new(&DMatrix::from_row_slice(n, n, w), &DVector::from_column_slice(v), n == 2).unwrap();
    let outcome = resolve("rakshit-chatterjee", &impact, given);
    for i in 0..n {
        assert!(
            (outcome.contacts[0].impulse[i] - p[i]).abs() < PRINTED,
            "{v:?} {given:?}: {} {p:?}",
            outcome.contacts[0].impulse
        );
        assert!((outcome.contacts[0].velocity_after[i] - after[i]).abs() < PRINTED, "{v:?} {given:?}");
    }
    assert!((impact.energy_change(&outcome.impulses()).unwrap() - energy).abs() < PRINTED);
    outcome
}

fn exceeds(outcome: &Outcome) -> bool {
    outcome.notes.iter().any(|note| matches!(note, Note::ReboundExceeds { .. }))
}

/// 6.5.
#[test]
fn falling_rod() {
    let check = |v: [f64; 2], mu: f64, e: f64, p: [f64; 2], after: [f64; 2], energy: f64| {
        let given: Given = &[("restitution", &[e]), ("friction", &[mu])];
        check_single(&[2.5, -1.5, -1.5, 2.5], &v, given, &p, &after, energy)
    };
    check([-1.0, 0.6], 0.8, 0.9, [0.76, 0.0], [0.9, -0.54], -0.038);
    check([-1.0, 0.6], 0.8, 1.0, [0.8, 0.0], [1.0, -0.6], 0.0);
    check([-1.0, 0.6], 0.8, 0.0, [0.4, 0.0], [0.0, 0.0], -0.2);
    check([-1.0, 0.0], 0.8, 0.9, [0.985, 0.375], [0.9, -0.54], -0.1505);
    check([-1.0, 0.0], 0.3, 0.9, [0.926829, 0.278049], [0.9, -0.695122], -0.142980);
    assert!(!exceeds(&check([-1.0, -1.0], 0.8, 0.9, [1.36, 1.0], [0.9, -0.54], -0.838)));
    assert!(exceeds(&check([-1.0, -1.0], 0.8, 0.0, [1.058824, 0.847059], [0.376471, -0.470588], -0.952941)));
}

/// 6.6.
#[test]
fn one_contact_in_space_with_cone_and_pyramids() {
    let mass = Matrix3::new(1.0, -0.3, 0.2, -0.3, 0.8, 0.1, 0.2, 0.1, 0.6);
    let w = mass.try_inverse().unwrap();
    let check = |mu: f64, facets: usize, p: [f64; 3], after: [f64; 3], energy: f64| {
        let cone = f64::from(u8::from(facets > 0));
        let given: Given = &[
            ("restitution", &[0.6]),
            ("friction", &[mu]),
            ("cone", &[cone]),
            ("facets", &[if facets > 0 { facets as f64 } else { 8.0 }]),
        ];
        check_single(w.as_slice(), &[-1.0, -0.7, 0.0], given, &p, &after, energy);
    };
    check(0.2, 0, [1.276731, 0.162668, 0.196827], [0.6, 0.146634, -0.346394], -0.334443);
    check(0.2, 4, [1.261017, 0.252203, 0.252203], [0.6, 0.249153, -0.271186], -0.343253);
    check(0.2, 8, [1.281258, 0.158625, 0.203769], [0.6, 0.139996, -0.333718], -0.334668);
    check(0.2, 16, [1.281258, 0.158625, 0.203769], [0.6, 0.139996, -0.333718], -0.334668);
    check(0.2, 64, [1.276554, 0.162878, 0.196611], [0.6, 0.146948, -0.346806], -0.334444);
    for facets in [0, 4, 8, 16, 64] {
        check(0.6, facets, [1.264894, 0.26, 0.27], [0.6, 0.255319, -0.242553], -0.343532);
    }
}

/// 6.7, two corners.
#[test]
fn block_on_two_corners() {
    let (b, h, m) = (0.1087, 0.0645, 2.5);
    let check = |v: [f64; 3], mu: f64, e: &[f64], after: [f64; 3], normal: [f64; 2], energy: f64| {
        let block = Body::planar(m, m * (b * b + h * h) / 12.0).unwrap();
        let bodies = [block.moving(Vector3::new(v[0], v[1], 0.0), Vector3::z() * v[2])];
        let frame = ContactFrame::planar([0.0, 1.0]).unwrap();
        let contacts =
            [-0.5, 0.5].map(|x| Contact { a: Some(0), b: None, point: Vector3::new(x * b, -h / 2.0, 0.0), frame });
        let network = Network::new(bodies.to_vec(), contacts.to_vec(), &[], true).unwrap();
        let impact = network.impact().unwrap();
        let outcome = resolve("rakshit-chatterjee", &impact, &[("restitution", e), ("friction", &[mu])]);
        let body = network.after(&outcome.impulses()).unwrap().0[0];
        for (found, expected) in [body.velocity.x, body.velocity.y, body.angular_velocity.z].iter().zip(after) {
            assert!((found - expected).abs() < 1e-6, "{v:?} {mu}: {found} {expected}");
        }
        for (found, expected) in outcome.impulses().iter().zip(normal) {
            assert!((found.x - expected).abs() < 1e-6, "{v:?} {mu}: {found} {expected}");
        }
        assert!((impact.energy_change(&outcome.impulses()).unwrap() - energy).abs() < PRINTED);
        outcome
    };
    let flat = [1.875, 1.875];
    check([0.0, -1.0, 0.0], 0.0, &[0.5], [0.0, 0.5, 0.0], flat, -0.9375);
    let rough = check([0.0, -1.0, 0.0], 0.35, &[0.5], [0.0, 0.5, 0.0], flat, -0.9375);
    assert!(rough.impulses().iter().all(|p| p.y.abs() < 1e-9), "the shortest impulses have no friction: {rough:?}");
    assert!(rough.notes.contains(&Note::Indeterminate { freedom: 1 }));
    check([0.0, -1.0, 0.0], 0.0, &[0.8, 0.2], [0.0, 0.5, 0.0], flat, -0.9375);
    check([0.6, -1.0, 0.0], 0.35, &[0.5], [0.075, 0.5, 0.0], [1.485597, 2.264403], -1.380469);
    let grazing = check([2.0, -1.0, 0.0], 0.35, &[0.5], [1.469933, 0.514477, 0.0], [1.499934, 2.286257], -3.218263);
    assert!(exceeds(&grazing));
    // About corner 1: the velocity of the corner is zero.
    let spin = -1.0 / b;
    let rocking = [-spin * h / 2.0, spin * b / 2.0, spin];
    assert!((rocking[0] - 0.296688).abs() < 1e-6);
    check(rocking, 0.0, &[0.5], [0.296688, 0.25, 0.0], [0.655813, 1.219187], -0.375218);
    check(rocking, 0.0, &[1.0], [0.296688, 0.5, 0.0], [0.968313, 1.531687], -0.140843);
    check(rocking, 0.35, &[0.5], [0.034188, 0.25, 0.0], [0.461112, 1.413888], -0.483787);
}

/// 6.7, four corners.
#[test]
fn block_on_four_corners() {
    let (b, h, m) = (0.1087, 0.0645, 2.5);
    let moments = Vector3::new(b * b + h * h, b * b + h * h, 2.0 * b * b) * (m / 12.0);
    let check = |v: [f64; 3], after: [f64; 3], energy: f64, normal: Option<f64>| {
        let bodies =
            [Body::new(m, &Matrix3::from_diagonal(&moments)).unwrap().moving(Vector3::from(v), Vector3::zeros())];
        let frame = ContactFrame::spatial(&Vector3::z(), None).unwrap();
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
        let contacts =
            corners.map(|(x, y)| Contact { a: Some(0), b: None, point: Vector3::new(x * b, y * b, -h / 2.0), frame });
        let network = Network::new(bodies.to_vec(), contacts.to_vec(), &[], false).unwrap();
        let impact = network.impact().unwrap();
        let outcome = resolve("rakshit-chatterjee", &impact, &[("restitution", &[0.5]), ("friction", &[0.35])]);
        let body = network.after(&outcome.impulses()).unwrap().0[0];
        assert!((body.velocity - Vector3::from(after)).amax() < 1e-6, "{v:?} {}", body.velocity);
        assert!(body.angular_velocity.amax() < 1e-6, "{v:?} {}", body.angular_velocity);
        assert!((impact.energy_change(&outcome.impulses()).unwrap() - energy).abs() < PRINTED);
        assert!(outcome.notes.iter().any(|note| matches!(note, Note::Indeterminate { .. })), "{:?}", outcome.notes);
        if let Some(normal) = normal {
            assert!((outcome.contacts.iter().map(|contact| contact.impulse.x).sum::<f64>() - normal).abs() < 1e-6);
            assert!(
                outcome.impulses().iter().all(|p| (p - Vector3::x() * (normal / 4.0)).amax() < 1e-9),
                "{outcome:?}"
            );
        }
    };
    check([0.0, 0.0, -1.0], [0.0, 0.0, 0.5], -0.9375, Some(3.75));
    check([0.6, 0.0, -1.0], [0.075, 0.0, 0.5], -1.380469, None);
    check([0.3, 0.4, -1.0], [0.0, 0.0, 0.5], -1.25, None);
}

/// 6.8, with the capped variant.
#[test]
fn sphere_on_a_wall_near_grazing() {
    let w = [1.0, 0.0, 0.0, 3.5];
    let given: Given = &[("restitution", &[0.9]), ("friction", &[0.3])];
    assert!(!exceeds(&check_single(&w, &[-1.0, -1.0], given, &[1.9, 0.285714], &[0.9, 0.0], -0.237857)));
    assert!(!exceeds(&check_single(&w, &[-1.0, -4.9], given, &[1.9, 0.57], &[0.9, -2.905], -2.319425)));
    assert!(exceeds(&check_single(&w, &[-1.0, -5.1], given, &[1.923954, 0.577186], &[0.923954, -3.079848], -2.433802)));
    assert!(exceeds(&check_single(
        &w,
        &[-1.0, -10.0],
        given,
        &[3.041825, 0.912548],
        &[2.041825, -6.806084],
        -6.083650
    )));
    let capped: Given = &[("restitution", &[0.9]), ("friction", &[0.3]), ("variant", &[1.0])];
    for v_t in [5.1, 10.0] {
        let after = [0.9, 3.5 * 0.57 - v_t];
        let energy = 0.5 * (1.9 * (0.9 - 1.0) + 0.57 * (after[1] - v_t));
        assert!(!exceeds(&check_single(&w, &[-1.0, -v_t], capped, &[1.9, 0.57], &after, energy)));
    }
}

/// Section 5: a separating contact is left out of the inequality, and carries nothing if the others leave it open.
#[test]
fn separating_contacts_are_left_alone() {
    for (speed, closed) in [(1.0, false), (0.1, true)] {
        let (mut bodies, contacts) = row(&[1.0; 3], &[1.0, 0.0, speed], false);
        bodies[1].velocity.y = 0.3;
        let impact = Network::new(bodies, contacts, &[], true).unwrap().impact().unwrap();
        let outcome = resolve("rakshit-chatterjee", &impact, &[("restitution", &[0.5]), ("friction", &[0.3])]);
        assert!(outcome.contacts[0].velocity_after.x >= 0.5 - 1e-9);
        if closed {
            // The ball in the middle reaches 0.75 m/s, faster than the last one.
            assert!(
                outcome.contacts[1].impulse.x > 0.1 && outcome.contacts[1].velocity_after.x >= -1e-9,
                "{outcome:?}"
            );
        } else {
            assert_eq!(outcome.contacts[1].impulse, Vector3::zeros());
        }
    }
}

/// The engines' cradle: with complementarity a contact that separates faster than its restitution carries no impulse.
#[test]
fn complementarity_keeps_a_cradle_together() {
    for law in ["newton-lcp", "poisson-lcp"] {
        let (bodies, contacts) = row(&[1.0; 3], &[1.0, 0.0, 0.0], false);
        let network = Network::new(bodies.clone(), contacts.clone(), &[], true).unwrap();
        let outcome = resolve(law, &network.impact().unwrap(), &[("restitution", &[1.0]), ("friction", &[0.0])]);
        let expected = [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
        for (body, expected) in network.after(&outcome.impulses()).unwrap().0.iter().zip(expected) {
            assert!((body.velocity.x - expected).abs() < 1e-14, "{law}: {}", body.velocity.x);
        }
    }
}

/// A ball that rolls on the floor grazes a wall. The floor carries nothing in compression, but for rounding of either sign, which once
/// gave its friction a direction that was no number.
#[test]
fn a_contact_that_carries_nothing_but_rounding_stores_nothing() {
    #[rustfmt::skip]
    let inverse_mass = DMatrix::from_row_slice(6, 6, &[
         1.0,  0.0,                 0.0,                 0.0,  0.0,                -1.0,
         0.0,  3.4999999999999996,  0.0,                -1.0,  0.0,                -2.4999999999999982,
         0.0,  0.0,                 3.4999999999999996,  0.0,  1.0,                 0.0,
         0.0, -1.0,                 0.0,                 1.0,  0.0,                 0.0,
         0.0,  0.0,                 1.0,                 0.0,  3.4999999999999973,  0.0,
        -1.0, -2.4999999999999987,  0.0,                 0.0,  0.0,                 3.4999999999999973,
    ]);
    let approach = 6.119012585189277e-8;
    let velocity = [-3.8774091213423167e-26, 0.0, 0.0, -approach, 0.7362386908888741, 6.119012585189274e-8];
    let impact = Impact::new(&inverse_mass, &DVector::from_row_slice(&velocity), false).unwrap();
    let e = 0.26396682878748573;
    let given: Given = &[("restitution", &[e]), ("friction", &[0.24235547529495777])];
    let outcome = resolve("poisson-lcp", &impact, given);
    assert!(outcome.contacts[0].impulse.norm() < 1e-13 && outcome.contacts[0].velocity_after.x > -1e-13);
    assert!((outcome.contacts[1].velocity_after.x - e * approach).abs() < 1e-5 * approach);
}
