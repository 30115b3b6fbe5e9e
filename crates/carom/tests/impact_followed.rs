//! `liu-zhao-brogliato` and `compliant-network` with friction, in space, and on random networks.
//! `CAROM_CASES=100000 cargo test --release --test impact_followed` runs more.
#![allow(clippy::unwrap_used)]

mod support;

use carom::impact::{BoundImpactLaw, Contact, Impact, ImpactNote, Network, audit};
use carom::laws::{Inapplicable, find};
use carom::{Body, Collision, ContactFrame};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use support::cases;

#[path = "../src/random.rs"]
mod random;
use random::Random;

const LAWS: [&str; 2] = ["liu-zhao-brogliato", "compliant-network"];

fn single(law: &str, restitution: f64, friction: f64, collision: &Collision) -> Option<Vector3<f64>> {
    let law = find(law).unwrap();
    let lookup = |key: &str| match key {
        "restitution" => Some(restitution),
        "friction" => Some(friction),
        "stiffness" => Some(1.0),
        _ => None,
    };
    law.bind_from(lookup).unwrap().resolve(collision).ok().map(|outcome| outcome.impulse)
}

/// Largest difference of the impulses of two laws, relative to the impulse.
fn differ([law, other]: [&str; 2], restitution: f64, friction: f64, collision: &Collision) -> f64 {
    let a = single(law, restitution, friction, collision).unwrap();
    let Some(b) = single(other, restitution, friction, collision) else {
        println!("{other} e {restitution} μ {friction} {collision:?}");
        return 0.0;
    };
    (a - b).norm() / b.norm()
}

#[test]
fn one_contact_is_stronges_hypothesis() {
    let mut random = Random(3);
    let mut worst = [0.0_f64; 2];
    for case in 0..cases(3_000) {
        let planar = case % 2 == 0;
        let w = random.definite(0.02);
        let v = Vector3::new(-random.log_between(0.01, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let collision = if planar {
            Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(0, 1)], w[(1, 1)]]], [v.x, v.y])
        } else {
            Collision::new(&w, &v)
        }
        .unwrap();
        let restitution = [0.0, 1.0, random.unit()][case as usize % 3];
        let friction = random.log_between(0.01, 5.0);
        let off = differ(["liu-zhao-brogliato", "routh-stronge"], restitution, friction, &collision);
        let worst = &mut worst[usize::from(planar)];
        if off > 1e-9 {
            println!("case {case} planar {planar} e {restitution} μ {friction} off {off:e} {collision:?}");
        }
        *worst = worst.max(off);
    }
    println!("worst in space {:e}, in the plane {:e}", worst[0], worst[1]);
    assert!(worst[0] <= 1e-9 && worst[1] <= 1e-9, "{worst:?}");
}

#[test]
fn one_contact_of_the_network_is_the_single_spring() {
    let mut random = Random(4);
    for case in 0..cases(300) {
        let w = random.definite(0.02);
        let v = Vector3::new(-random.log_between(0.01, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let collision = if case % 2 == 0 {
            Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(0, 1)], w[(1, 1)]]], [v.x, v.y])
        } else {
            Collision::new(&w, &v)
        }
        .unwrap();
        let off = differ(["compliant-network", "newton"], 1.0, 0.0, &collision);
        assert!(off <= 1e-9, "{off:e}");
        let (restitution, friction) = (random.between(0.05, 1.0), random.log_between(0.01, 3.0));
        let off = differ(["compliant-network", "spring-dashpot"], restitution, friction, &collision);
        assert!(off <= 1e-7, "case {case} e {restitution} μ {friction}: {off:e} {collision:?}");
    }
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

#[test]
fn energy_never_rises_on_random_networks() {
    for law in LAWS {
        let (mut resolved, mut wedged, mut endless, mut evaluations) = (0, 0, 0, 0);
        let start = std::time::Instant::now();
        for number in std::env::var("FROM").ok().map_or(0, |x| x.parse().unwrap())..cases(2_000) {
            let case = case(&mut Random(number));
            let network = Network::new(case.bodies.clone(), case.contacts.clone(), &[], case.planar).unwrap();
            let Ok(impact) = network.impact() else { continue };
            let lookup = |k: usize, key: &str| match key {
                "restitution" if law == "compliant-network" => Some(case.restitution[k].max(0.05)),
                "restitution" => Some(case.restitution[k]),
                "friction" => Some(case.friction[k]),
                "stiffness" => Some(case.stiffness[k]),
                "exponent" => Some(case.exponent),
                _ => None,
            };
            let bound = BoundImpactLaw::new(find(law).unwrap(), case.contacts.len(), lookup).unwrap();
            let clock = std::time::Instant::now();
            let outcome = match bound.resolve(&impact) {
                Ok(outcome) => outcome,
                Err(why) => {
                    println!(
                        "{law} case {number}: {why} after {:?} contacts {} planar {}",
                        clock.elapsed(),
                        case.contacts.len(),
                        case.planar
                    );
                    endless += 1;
                    continue;
                }
            };
            if clock.elapsed().as_secs_f64() > 0.3 {
                println!("{law} case {number}: {:?} {:?} {:?}", clock.elapsed(), outcome.effort, outcome.notes);
            }
            resolved += 1;
            evaluations += outcome.effort.iterations;
            wedged += usize::from(outcome.notes.contains(&ImpactNote::Wedged));
            let energy = |bodies: &[Body]| bodies.iter().map(Body::kinetic_energy).sum::<f64>();
            let audit = audit(&impact, &outcome, &case.friction, energy(&case.bodies));
            assert!(audit.is_ok(), "{law} case {number}: {audit:?} {:?}", outcome.notes);
            let after = energy(&network.after(&outcome.impulses).0) - energy(&case.bodies);
            let off = (after - impact.energy_change(&outcome.impulses)).abs() / energy(&case.bodies);
            if off > 1e-9 {
                println!("{law} case {number} off {off:e} {:?}", outcome.notes);
            }
        }
        println!(
            "{law}: {resolved} resolved, {wedged} wedged, {endless} endless, {evaluations} evaluations, {:?}",
            start.elapsed()
        );
    }
}
