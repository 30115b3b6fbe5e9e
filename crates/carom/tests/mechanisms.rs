//! The inverse mass of one contact of a mechanism: its rank comes from the joints alone, for any masses.
#![allow(clippy::unwrap_used)]

mod support;

use carom::impact::{Contact, Impact, Joint, Network};
use carom::laws;
use carom::{Body, Collision, ContactFrame, ContactOutcome, Mobility};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use rand::RngExt;
use support::{Random, cases, log_uniform, rotation};

fn floor(point: Vector3<f64>, body: usize) -> Contact {
    Contact { a: Some(body), b: None, point, frame: ContactFrame::planar([0.0, 1.0]).unwrap() }
}

/// A bob on a massless rod of length 1, hinged so that the rod makes 18° with the normal (Chatterjee 1997, fig. 7.10).
fn pendulum(inertia: f64, spatial: bool) -> Impact {
    let hinge = Vector3::new(-0.309_016_994_374_947_4, 0.951_056_516_295_153_5, 0.0);
    let body = if spatial {
        Body::new(1.0, &(Matrix3::identity() * inertia)).unwrap()
    } else {
        Body::planar(1.0, inertia).unwrap()
    };
    let velocity = -Vector3::z().cross(&-hinge);
    let bob = body.moving(velocity, -Vector3::z());
    let joint = Joint::revolute(Some(0), None, hinge, &Vector3::z()).unwrap();
    Network::new([bob], [floor(Vector3::zeros(), 0)], &[joint], !spatial).unwrap().impact().unwrap()
}

fn answer(id: &str, collision: &Collision) -> Result<ContactOutcome, laws::Inapplicable> {
    let law = laws::find(id).unwrap();
    let bound = law.bind_from(|key| match key {
        "restitution" => Some(0.8),
        "tangential_restitution" => Some(0.6),
        "friction" => Some(0.5),
        "impulse_ratio" => Some(0.2),
        "fraction" => Some(0.7),
        "polar" => Some(0.9),
        _ => None,
    });
    bound.unwrap().resolve_collision(collision)
}

#[test]
fn a_pendulum_has_the_same_verdict_whatever_its_inertia() {
    let ids: Vec<&str> =
        support::instantaneous().map(|law| law.id).chain(["newton-lcp", "rakshit-chatterjee"]).collect();
    for spatial in [false, true] {
        let exact = pendulum(1e-30, spatial).collision(0).unwrap();
        for inertia in [0.1, 0.01, 0.001, 1e-4, 1e-6, 1e-9, 1e-12, 1e-20] {
            let collision = pendulum(inertia, spatial).collision(0).unwrap();
            assert!(collision.is_singular());
            // W of a point mass, divided by 1 + I/(m l²).
            let expected = exact.inverse_mass() / (1.0 + inertia);
            assert!((collision.inverse_mass() - expected).amax() < 1e-14, "{inertia}");
            for id in &ids {
                let (found, limit) = (answer(id, &collision), answer(id, &exact));
                match (&found, &limit) {
                    (Ok(found), Ok(limit)) => {
                        let expected = limit.impulse * (1.0 + inertia);
                        assert!(
                            (found.impulse - expected).norm() < 1e-12 * expected.norm(),
                            "{id} {inertia}: {found:?}"
                        );
                        assert!((found.velocity_after - limit.velocity_after).norm() < 1e-12, "{id} {inertia}");
                    }
                    (Err(found), Err(limit)) => {
                        let kinds = [found, limit].map(std::mem::discriminant);
                        assert_eq!(kinds[0], kinds[1], "{id} {inertia}: {found} {limit}");
                    }
                    _ => panic!("{id} {inertia}: {found:?} {limit:?}"),
                }
            }
        }
    }
}

/// A chain of links, each hinged to the one before and the first to the ground. In joint coordinates θ the velocity of a
/// point is J θ', the kinetic energy ½ θ'·A θ', and W = J A⁻¹ Jᵀ.
struct Chain {
    axes: Vec<Vector3<f64>>,
    hinges: Vec<Vector3<f64>>,
    bodies: Vec<Body>,
    tip: Vector3<f64>,
    reference: DMatrix<f64>,
    condition: f64,
    rates: DVector<f64>,
}

impl Chain {
    fn draw(random: &mut Random, links: usize, planar: bool, stretched: bool) -> Chain {
        let mut hinges = Vec::new();
        let mut place = Vector3::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0), 0.0);
        let along = direction(random, planar);
        let mut chain = Chain {
            axes: Vec::new(),
            hinges: Vec::new(),
            bodies: Vec::new(),
            tip: Vector3::zeros(),
            reference: DMatrix::zeros(3, links),
            condition: 1.0,
            rates: DVector::from_fn(links, |_, _| random.random_range(-1.0..1.0)),
        };
        let mut parts = Vec::new();
        for _ in 0..links {
            hinges.push(place);
            chain.axes.push(if planar { Vector3::z() } else { direction(random, false) });
            let link = if stretched { along } else { direction(random, planar) } * log_uniform(random, -1.0, 1.0);
            let centre = place + link * random.random_range(0.2..0.8);
            let mass = log_uniform(random, -2.0, 2.0);
            let inertia = mass * link.norm_squared() * log_uniform(random, -9.0, 0.0);
            parts.push((centre, mass, inertia));
            place += link;
        }
        chain.tip = place;
        let moves = |k: usize, point: &Vector3<f64>| chain.axes[k].cross(&(point - hinges[k]));
        let mut a: DMatrix<f64> = DMatrix::zeros(links, links);
        for (body, (centre, mass, inertia)) in parts.iter().enumerate() {
            for i in 0..=body {
                for j in 0..=body {
                    a[(i, j)] +=
                        mass * moves(i, centre).dot(&moves(j, centre)) + inertia * chain.axes[i].dot(&chain.axes[j]);
                }
            }
        }
        let jacobian = DMatrix::from_fn(3, links, |i, k| moves(k, &place)[i]);
        // Scaled by the masses of the joints, which differ by many orders.
        let scale = a.diagonal().map(|entry| entry.sqrt().recip());
        let scaled = DMatrix::from_fn(links, links, |i, j| a[(i, j)] * scale[i] * scale[j]);
        let values = scaled.clone().symmetric_eigenvalues();
        chain.condition = values.max() / values.min();
        let lower = scaled.cholesky().unwrap().l();
        let columns = DMatrix::from_fn(3, links, |i, k| jacobian[(i, k)] * scale[k]);
        chain.reference = lower.solve_lower_triangular(&columns.transpose()).unwrap().transpose();
        let speeds: Vec<Vector3<f64>> =
            (0..links).map(|body| (0..=body).map(|k| chain.axes[k] * chain.rates[k]).sum()).collect();
        let velocities: Vec<Vector3<f64>> = parts
            .iter()
            .enumerate()
            .map(|(body, (centre, ..))| (0..=body).map(|k| moves(k, centre) * chain.rates[k]).sum())
            .collect();
        for (body, (centre, mass, inertia)) in parts.iter().enumerate() {
            let solid = if planar {
                Body::planar(*mass, *inertia)
            } else {
                Body::new(*mass, &(Matrix3::identity() * *inertia))
            };
            chain.bodies.push(solid.unwrap().at(*centre).moving(velocities[body], speeds[body]));
        }
        chain.hinges = hinges;
        chain
    }

    fn network(&self, frame: &ContactFrame, planar: bool) -> Network {
        let joints: Vec<Joint> = (0..self.bodies.len())
            .map(|k| Joint::revolute(Some(k), k.checked_sub(1), self.hinges[k], &self.axes[k]).unwrap())
            .collect();
        let contact = Contact { a: Some(self.bodies.len() - 1), b: None, point: self.tip, frame: *frame };
        Network::new(self.bodies.clone(), [contact], &joints, planar).unwrap()
    }
}

fn direction(random: &mut Random, planar: bool) -> Vector3<f64> {
    if planar {
        let angle: f64 = random.random_range(0.0..std::f64::consts::TAU);
        Vector3::new(angle.cos(), angle.sin(), 0.0)
    } else {
        rotation(random) * Vector3::x()
    }
}

#[test]
fn chains_have_the_rank_of_their_freedoms() {
    let mut ranks = [0; 4];
    for case in 0..cases(1_000) {
        let mut random = support::random(77, case);
        let planar = random.random::<bool>();
        let links = random.random_range(1..5);
        let stretched = planar && random.random_range(0..3) == 0;
        let chain = Chain::draw(&mut random, links, planar, stretched);
        let normal = direction(&mut random, planar);
        let frame = if planar {
            ContactFrame::planar([normal.x, normal.y]).unwrap()
        } else {
            ContactFrame::spatial(&normal, None).unwrap()
        };
        let network = chain.network(&frame, planar);
        let impact = network.impact().unwrap();
        let mut factor = chain.reference.clone();
        for mut column in factor.column_iter_mut() {
            let local = frame.to_contact(&Vector3::new(column[0], column[1], column[2]));
            column.copy_from(&local);
        }
        let expected = &factor * factor.transpose();
        let found = impact.inverse_mass().block(0, 0);
        let used = if planar { 2 } else { 3 };
        let scale = expected.amax();
        // Joint coordinates mix light and heavy links, so the reference is worth no more digits than this.
        let rounding = 1e-11 + 1e-15 * chain.condition;
        for i in 0..used {
            for j in 0..used {
                assert!((found[(i, j)] - expected[(i, j)]).abs() < rounding * scale, "case {case}: {found} {expected}");
            }
        }
        // Rank by the structure of the chain, and by singular values where freedoms suffice but some are very heavy.
        let most = if stretched { 1 } else { links.min(used) };
        let values = factor.rows(0, used).into_owned().singular_values();
        let rank = values.iter().filter(|value| **value > 1e-7 * values.max()).count().min(most);
        let decided = values.iter().all(|value| *value < 5e-8 * values.max() || *value > 2e-7 * values.max());
        let collision = impact.collision(0).unwrap();
        let moved = match (collision.mobility(), planar) {
            (Mobility::Full, _) => used,
            (Mobility::Plane { .. }, true) | (Mobility::Line { .. }, _) => 1,
            (Mobility::Plane { .. }, false) => 2,
        };
        assert!(!decided || moved == rank, "case {case}: rank {moved}, expected {rank} of {values:?}");
        ranks[moved] += 1;

        // The bodies after an impulse move as W says, stay in their hinges, and the energy is that of the impulse.
        let p = Vector3::new(
            1.0,
            random.random_range(-1.0..1.0),
            if planar { 0.0 } else { random.random_range(-1.0..1.0) },
        );
        let (after, _) = network.after(&[p]).unwrap();
        let moved = frame.to_contact(
            &(after[links - 1].point_velocity(&chain.tip) - chain.bodies[links - 1].point_velocity(&chain.tip)),
        );
        let predicted = found * p;
        assert!((moved - predicted).norm() < 1e-9 * scale * p.norm(), "case {case}: {moved} {predicted}");
        for k in 0..links {
            let before =
                k.checked_sub(1).map_or_else(Vector3::zeros, |k| after[k].point_velocity(&chain.hinges[k + 1]));
            let gap = after[k].point_velocity(&chain.hinges[k]) - before;
            let speed = after[k].velocity.norm() + after[k].angular_velocity.norm() * 20.0;
            assert!(gap.norm() < 1e-9 * speed, "case {case}: hinge {k} opens by {gap}");
        }
        let change = after.iter().zip(&chain.bodies).map(|(a, b)| a.kinetic_energy() - b.kinetic_energy()).sum::<f64>();
        let energy = after.iter().map(Body::kinetic_energy).sum::<f64>();
        assert!((change - impact.energy_change(&[p]).unwrap()).abs() < 1e-8 * energy, "case {case}");
    }
    assert!(ranks[1] > 200 && ranks[2] > 200 && ranks[3] > 50, "{ranks:?}");
}

#[test]
fn sliders_and_ball_joints_leave_what_they_leave() {
    let mut random = support::random(78, 0);
    for _ in 0..200 {
        let (moment, mass) = (log_uniform(&mut random, -9.0, 0.0), log_uniform(&mut random, -2.0, 2.0));
        let inertia = Matrix3::identity() * moment;
        let (axis, normal) = (direction(&mut random, false), direction(&mut random, false));
        let frame = ContactFrame::spatial(&normal, None).unwrap();
        let centre = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        let contact = Contact { a: Some(0), b: None, point: Vector3::zeros(), frame };
        let body = Body::new(mass, &inertia).unwrap().at(centre);
        let mobility = |joint: Joint| {
            let impact = Network::new([body], [contact.clone()], &[joint], false).unwrap().impact().unwrap();
            impact.collision(0).unwrap().mobility()
        };
        let place = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        let Mobility::Line { movable } = mobility(Joint::prismatic(Some(0), None, place, &axis).unwrap()) else {
            panic!("a slider moves along its axis only")
        };
        assert!(frame.to_world(&movable).cross(&axis).norm() < 1e-13);
        // Every point of a body on a ball joint moves across the line to the joint.
        let Mobility::Plane { immovable } = mobility(Joint::spherical(Some(0), None, place)) else {
            panic!("a ball joint leaves two directions")
        };
        // Turning about the line from the joint to the centre is lighter than the rest by this factor.
        let unequal = (mass / moment).sqrt().max(1.0) * (centre - place).norm().max(1.0) / place.norm().min(1.0);
        let error = frame.to_world(&immovable).cross(&place.normalize()).norm();
        assert!(error < 1e-14 * unequal, "{error:e} {unequal:e}");
    }
}

/// A planar and a universal joint with the same axis let a body turn about it only. Contacts on the axis do not move; rounding of 10⁻²⁹ of
/// the free inverse mass once passed for one of full rank.
#[test]
fn contacts_that_joints_hold_are_refused() {
    let mut random = support::random(79, 0);
    for case in 0..200 {
        let axis = direction(&mut random, false);
        let moment = log_uniform(&mut random, -3.0, 0.0);
        let body = Body::new(log_uniform(&mut random, -2.0, 2.0), &(Matrix3::identity() * moment)).unwrap();
        let joints = [
            Joint::planar(Some(0), None, axis * 0.3, &axis).unwrap(),
            Joint::universal(Some(0), None, axis * -0.2, &axis).unwrap(),
        ];
        let across = axis.cross(&direction(&mut random, false)).normalize();
        let contact = |point: Vector3<f64>| {
            let frame = ContactFrame::spatial(&across, None).unwrap();
            Contact { a: Some(0), b: None, point, frame }
        };
        let on_axis = [contact(axis * 0.7), contact(axis * -0.9)];
        let held = Network::new([body], on_axis, &joints, false).unwrap().impact();
        assert_eq!(held.unwrap_err(), carom::Error::ImmovableAlongNormal, "case {case}");
        let beside = [contact(across.cross(&axis) * 0.5), contact(across.cross(&axis) * -0.4)];
        let turning = Network::new([body], beside, &joints, false).unwrap().impact().unwrap();
        let w = turning.inverse_mass().block(0, 0)[(0, 0)];
        assert!((w * moment - 0.25).abs() < 1e-12, "case {case}: {w}");
    }
}

/// A body that turns easily, hit along a normal through its centre of mass: W is 1/m there to the last digits, whatever W across the normal is.
#[test]
fn easy_turning_leaves_no_rounding_along_the_normal() {
    let mut random = support::random(80, 0);
    for case in 0..200 {
        let mass = log_uniform(&mut random, -1.0, 2.0);
        let body = Body::new(mass, &(Matrix3::identity() * mass * 1e-9)).unwrap();
        let normal = direction(&mut random, false);
        let side = |sign: f64| {
            let frame = ContactFrame::spatial(&(normal * sign), None).unwrap();
            Contact { a: Some(0), b: None, point: normal * (-0.5 * sign), frame }
        };
        let impact = Network::new([body], [side(1.0), side(-1.0)], &[], false).unwrap().impact().unwrap();
        for (row, column, expected) in [(0, 0, 1.0), (0, 1, -1.0), (1, 1, 1.0)] {
            let entry = impact.inverse_mass().block(row, column)[(0, 0)] * mass;
            assert!((entry - expected).abs() < 1e-14, "case {case}: {entry:e}");
        }
    }
}

/// The rank of W is that of the contacts' motions: eigenvalues may be as far apart as masses are.
#[test]
fn the_rank_of_several_contacts_is_that_of_their_motions() {
    let ball = |x: f64, mass: f64| Body::planar(mass, 0.5 * mass).unwrap().at(Vector3::new(x, 1.0, 0.0));
    let floor = |k: usize, x: f64| {
        let frame = ContactFrame::planar([0.0, 1.0]).unwrap();
        Contact { a: Some(k), b: None, point: Vector3::new(x, 0.0, 0.0), frame }
    };
    let network = Network::new([ball(0.0, 1.0), ball(3.0, 1e13)], [floor(0, 0.0), floor(1, 3.0)], &[], true).unwrap();
    assert_eq!(network.rank(), 4);
    assert_eq!(network.impact().unwrap().null_vectors().len(), 2, "by eigenvalues alone");
    // A bar on three supports: three freedoms, and one of sliding along.
    let bar = Body::planar(2.0, 0.3).unwrap().at(Vector3::new(0.0, 0.1, 0.0));
    let three = [floor(0, -1.0), floor(0, 0.3), floor(0, 1.0)];
    assert_eq!(Network::new([bar], three.clone(), &[], true).unwrap().rank(), 3);
    let hinge = Joint::revolute(Some(0), None, Vector3::new(-1.0, 0.5, 0.0), &Vector3::z()).unwrap();
    assert_eq!(Network::new([bar], three, &[hinge], true).unwrap().rank(), 1);
}
