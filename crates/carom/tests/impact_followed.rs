//! `liu-zhao-brogliato` and `compliant-network` with friction, in space, and on random networks.
//! `CAROM_CASES=100000 cargo test --release --test impact_followed` runs more.
#![allow(clippy::unwrap_used)]

mod support;

use carom::BoundLaw;
use carom::Note;
use carom::audit::audit;
use carom::impact::{Contact, Network};
use carom::laws::find;
use carom::{Body, Collision, ContactFrame};
use nalgebra::{Matrix3, Vector3};
use support::cases;

#[path = "../src/random.rs"]
mod random;
use random::Random;

const LAWS: [&str; 2] = ["liu-zhao-brogliato", "compliant-network"];

/// A collision in the plane or in space, from steep to grazing.
fn collision(random: &mut Random, planar: bool) -> Collision {
    let w = random.definite(0.02);
    let v = Vector3::new(-random.log_between(0.01, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    if planar {
        Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(0, 1)], w[(1, 1)]]], [v.x, v.y]).unwrap()
    } else {
        Collision::new(&w, &v).unwrap()
    }
}

fn single(law: &str, restitution: f64, friction: f64, collision: &Collision) -> Option<Vector3<f64>> {
    let lookup = |key: &str| match key {
        "restitution" => Some(restitution),
        "friction" => Some(friction),
        "stiffness" => Some(1.0),
        _ => None,
    };
    find(law).unwrap().bind_from(lookup).unwrap().resolve_collision(collision).ok().map(|outcome| outcome.impulse)
}

/// Difference of the impulses of two laws, relative to the impulse; `None` if the second has no answer.
fn differ([law, other]: [&str; 2], restitution: f64, friction: f64, collision: &Collision) -> Option<f64> {
    let a = single(law, restitution, friction, collision).unwrap();
    let b = single(other, restitution, friction, collision)?;
    Some((a - b).norm() / b.norm())
}

#[test]
fn one_contact_is_stronges_hypothesis() {
    let mut random = Random(3);
    for case in 0..cases(3_000) {
        let collision = collision(&mut random, case % 2 == 0);
        let restitution = [0.0, 1.0, random.unit()][case as usize % 3];
        let friction = random.log_between(0.01, 5.0);
        let off = differ(["liu-zhao-brogliato", "routh-stronge"], restitution, friction, &collision).unwrap();
        assert!(off <= 1e-9, "case {case} e {restitution} μ {friction}: {off:e} {collision:?}");
    }
}

#[test]
fn one_contact_of_the_network_is_the_single_spring() {
    let mut random = Random(4);
    let mut compared = 0;
    for case in 0..cases(400) {
        let collision = collision(&mut random, case % 2 == 0);
        assert!(differ(["compliant-network", "newton"], 1.0, 0.0, &collision).unwrap() <= 1e-9);
        let (restitution, friction) = (random.between(0.05, 1.0), random.log_between(0.01, 3.0));
        let laws = ["compliant-network", "spring-dashpot"];
        let Some(off) = differ(laws, restitution, friction, &collision) else { continue };
        assert!(off <= 1e-7, "case {case} e {restitution} μ {friction}: {off:e} {collision:?}");
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}

struct Case {
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    planar: bool,
    restitution: Vec<f64>,
    friction: Vec<f64>,
    stiffness: Vec<f64>,
    exponent: f64,
}

/// Bodies of any shape, contacts with each other and the world, some twice over or with equal normals.
fn case(random: &mut Random) -> Case {
    let planar = random.unit() < 0.5;
    let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
    let place = |random: &mut Random, size: f64| flat(Vector3::from_fn(|_, _| random.between(-size, size)));
    let count = 1 + (random.unit() * 4.0) as usize;
    let bodies: Vec<Body> = (0..count)
        .map(|_| {
            let mass = random.log_between(0.1, 10.0);
            let body = if planar {
                Body::planar(mass, mass * random.log_between(0.05, 1.0)).unwrap()
            } else {
                let [a, b] = [random.between(0.1, 1.0), random.between(0.1, 1.0)];
                let c = random.between((a - b).abs(), a + b);
                Body::new(mass, &Matrix3::from_diagonal(&(Vector3::new(a, b, c) * mass))).unwrap()
            };
            let spin = if planar { Vector3::z() * random.between(-1.0, 1.0) } else { place(random, 1.0) };
            body.at(place(random, 2.0)).moving(place(random, 1.0), spin)
        })
        .collect();
    let mut contacts: Vec<Contact> = Vec::new();
    for _ in 0..=(random.unit() * 8.0) as usize {
        let like = contacts.last().filter(|_| random.unit() < 0.3).cloned();
        let contact = match like {
            Some(last) if random.unit() < 0.3 => last,
            Some(last) => Contact { point: last.point + place(random, 1.0), ..last },
            None => {
                let a = (random.unit() * count as f64) as usize;
                let b = (random.unit() * (count + 1) as f64) as usize;
                let b = Some(b).filter(|b| *b < count && *b != a);
                let normal = place(random, 1.0);
                let frame = if planar {
                    ContactFrame::planar([normal.x, normal.y]).unwrap()
                } else {
                    ContactFrame::spatial(&normal, None).unwrap()
                };
                Contact { a: Some(a), b, point: bodies[a].position + place(random, 1.0), frame }
            }
        };
        contacts.push(contact);
    }
    let n = contacts.len();
    let restitution = (0..n).map(|_| [0.0, 1.0, random.unit(), random.unit()][(random.unit() * 4.0) as usize]);
    let restitution = restitution.collect();
    let friction = (0..n).map(|_| if random.unit() < 0.2 { 0.0 } else { random.log_between(0.05, 2.0) }).collect();
    let stiffness = (0..n).map(|_| random.log_between(0.1, 10.0)).collect();
    let exponent = if random.unit() < 0.5 { 1.0 } else { 1.5 };
    Case { bodies, contacts, planar, restitution, friction, stiffness, exponent }
}

fn bound(law: &str, case: &Case) -> BoundLaw {
    let lookup = |k: usize, key: &str| match key {
        "restitution" if law == "compliant-network" => Some(case.restitution[k].max(0.05)),
        "restitution" => Some(case.restitution[k]),
        "friction" => Some(case.friction[k]),
        "stiffness" => Some(case.stiffness[k]),
        "exponent" => Some(case.exponent),
        _ => None,
    };
    find(law).unwrap().bind_contacts(case.contacts.len(), lookup).unwrap()
}

/// Energy, friction and penetration over random networks. Bodies in a cage of immovable contacts may be wedged or rattle without
/// end where nothing damps them; these are told, and few.
fn check_random_networks(law: &str) {
    let (mut resolved, mut wedged, mut endless) = (0, 0, 0);
    for number in 0..cases(1_500) {
        let case = case(&mut Random(number));
        let network = Network::new(case.bodies.clone(), case.contacts.clone(), &[], case.planar).unwrap();
        let Ok(impact) = network.impact() else { continue };
        let Ok(outcome) = bound(law, &case).resolve(&impact) else {
            endless += 1;
            continue;
        };
        resolved += 1;
        wedged += usize::from(outcome.notes.contains(&Note::Wedged));
        let energy = |bodies: &[Body]| bodies.iter().map(Body::kinetic_energy).sum::<f64>();
        let audit = audit(&impact, &outcome, &case.friction, energy(&case.bodies), None);
        assert!(audit.is_ok(), "{law} case {number}: {audit:?} {:?}", outcome.notes);
        let change = energy(&network.after(&outcome.impulses()).unwrap().0) - energy(&case.bodies);
        assert!(change <= 1e-9 * energy(&case.bodies), "{law} case {number}: {change:e}");
    }
    assert!(50 * endless <= resolved && wedged > 0, "{endless} endless, {wedged} wedged of {resolved}");
}

#[test]
fn random_networks_by_liu_zhao_and_brogliato() {
    check_random_networks("liu-zhao-brogliato");
}

#[test]
fn random_networks_of_springs() {
    check_random_networks("compliant-network");
}

#[test]
fn histories_tell_the_course() {
    for law in LAWS {
        for number in 0..40 {
            let case = case(&mut Random(number));
            let Ok(impact) =
                Network::new(case.bodies.clone(), case.contacts.clone(), &[], case.planar).unwrap().impact()
            else {
                continue;
            };
            let Ok((outcome, histories)) = bound(law, &case).follow(&impact) else { continue };
            for history in histories.iter().filter_map(carom::History::island) {
                assert_eq!(Some(history.clock), find(law).unwrap().clock());
                // The sum of normal impulses only grows; by rounding it falls where a contact opens.
                let slack = 1e-9 * history.samples.last().unwrap().at;
                assert!(history.samples.windows(2).all(|pair| pair[1].at >= pair[0].at - slack));
                let (first, last) = (&history.samples[0], history.samples.last().unwrap());
                for (place, k) in history.contacts.iter().enumerate() {
                    assert_eq!(first.velocities[place], impact.velocity()[*k]);
                    let far = (last.impulses[place] - outcome.contacts[*k].impulse).norm();
                    assert!(far <= 1e-10 * (1.0 + outcome.contacts[*k].impulse.norm()), "{law} {number} {far:e}");
                }
            }
        }
    }
}

/// A spinning sphere hits two that rest beside each other. Stiff tangential springs are rigid ones: two independent
/// treatments of friction. With more contacts some part and return, and the laws differ even without friction.
#[test]
fn stiff_tangential_springs_tend_to_rigid_friction() {
    let ball = |x: f64, z: f64| Body::new(1.0, &(Matrix3::identity() * 0.4)).unwrap().at(Vector3::new(x, 0.0, z));
    let high = 1.0 + 3.0_f64.sqrt();
    let falling = ball(0.0, high).moving(Vector3::new(0.3, 0.2, -1.0), Vector3::new(0.1, 1.0, -0.5));
    let bodies = [ball(-1.0, 1.0), ball(1.0, 1.0), falling];
    let touch = |b: usize| {
        let normal = bodies[2].position - bodies[b].position;
        let point = bodies[b].position + normal * 0.5;
        Contact { a: Some(2), b: Some(b), point, frame: ContactFrame::spatial(&normal, None).unwrap() }
    };
    let contacts = [touch(0), touch(1)];
    let network = Network::new(bodies, contacts.clone(), &[], false).unwrap();
    let impact = network.impact().unwrap();
    for friction in [0.02, 0.1, 0.3, 1.0] {
        let after = |law: &str, ratio: f64| {
            let lookup = |_: usize, key: &str| match key {
                "restitution" => Some(1.0),
                "friction" => Some(friction),
                "stiffness_ratio" => Some(ratio),
                _ => None,
            };
            let bound = find(law).unwrap().bind_contacts(contacts.len(), lookup).unwrap();
            let impulses = bound.resolve(&impact).unwrap().impulses();
            impulses.iter().flat_map(|p| [p.x, p.y, p.z]).collect::<Vec<f64>>()
        };
        let rigid = after("liu-zhao-brogliato", 1.0);
        let far = |ratio: f64| {
            let springs = after("compliant-network", ratio);
            springs.iter().zip(&rigid).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let (soft, stiff) = (far(1e2), far(1e5));
        assert!(stiff < 1e-4 && stiff < 0.05 * soft, "μ {friction}: {soft:e} {stiff:e}");
    }
}

/// A cuboid that lands flat on its four corners: eight tangential components for three freedoms.
fn landing_block(velocity: Vector3<f64>, restitution: f64, friction: f64) -> (Network, BoundLaw) {
    let (mass, width, height) = (2.5, 0.1, 0.06);
    let (flat, upright) = (2.0 * width * width, width * width + height * height);
    let inertia = Matrix3::from_diagonal(&(Vector3::new(upright, upright, flat) * (mass / 12.0)));
    let block = Body::new(mass, &inertia).unwrap().at(Vector3::z() * (0.5 * height));
    let frame = ContactFrame::spatial(&Vector3::z(), Some(&Vector3::x())).unwrap();
    let corner = |x: f64, y: f64| Vector3::new(x, y, 0.0) * (0.5 * width);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let contacts = corners.map(|point| Contact { a: Some(0), b: None, point, frame });
    let network = Network::new([block.moving(velocity, Vector3::zeros())], contacts, &[], false).unwrap();
    let lookup = |_: usize, key: &str| match key {
        "restitution" => Some(restitution),
        "friction" => Some(friction),
        _ => None,
    };
    (network, find("liu-zhao-brogliato").unwrap().bind_contacts(4, lookup).unwrap())
}

#[test]
fn a_block_without_friction_rebounds_alike_at_all_corners() {
    for restitution in [0.0, 0.3, 0.5, 1.0] {
        let (network, law) = landing_block(Vector3::new(0.3, 0.4, -1.0), restitution, 0.0);
        let outcome = law.resolve(&network.impact().unwrap()).unwrap();
        for (p, v) in outcome.impulses().iter().zip(&outcome.velocities_after()) {
            assert!((p - Vector3::x() * (2.5 * (1.0 + restitution) / 4.0)).norm() < 1e-9, "e {restitution}: {p:?}");
            assert!((v.x - restitution).abs() < 1e-9, "e {restitution}: {v:?}");
        }
    }
}

/// A block that slides to a stop sticks at all corners at once, in whatever direction; exchanging x and y exchanges the outcome.
#[test]
fn a_block_that_stops_sliding_has_an_answer_and_its_mirror_image() {
    for step in 0..12 {
        let (sin, cos) = (0.13 + 0.11 * f64::from(step)).sin_cos();
        for speed in [0.05, 0.3, 0.5, 2.0] {
            let after = |x: f64, y: f64| {
                let (network, law) = landing_block(Vector3::new(x, y, -1.0), 0.5, 0.35);
                let impact = network.impact().unwrap();
                let outcome = law.resolve(&impact).unwrap_or_else(|error| panic!("({x}, {y}): {error}"));
                assert!(impact.energy_change(&outcome.impulses()).unwrap() < 0.0);
                for (p, v) in outcome.impulses().iter().zip(&outcome.velocities_after()) {
                    assert!(p.yz().norm() <= 0.35 * p.x * (1.0 + 1e-9) && v.x >= -1e-9, "({x}, {y}): {p:?} {v:?}");
                }
                outcome.velocities_after()
            };
            let (one, other) = (after(speed * cos, speed * sin), after(speed * sin, speed * cos));
            for (k, mirrored) in [(0, 0), (1, 3), (2, 2), (3, 1)] {
                let (v, w) = (one[k], other[mirrored]);
                let far = (v - Vector3::new(w.x, w.z, w.y)).norm();
                // Slip that starts from rest is given its direction to this precision.
                assert!(far < 1e-7, "speed {speed}, step {step}: {v:?} {w:?}");
            }
        }
    }
}
