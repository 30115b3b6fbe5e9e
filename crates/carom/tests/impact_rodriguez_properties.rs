//! `rodriguez-bowling` over random networks: what the consistent mode promises, and what it is for one contact.
#![allow(clippy::unwrap_used)]

mod support;

use carom::impact::{BoundImpactLaw, Contact, Impact, ImpactOutcome, Network, audit};
use carom::laws::{Inapplicable, find};
use carom::{Body, ContactFrame};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use support::{Random, cases, collision, log_uniform, random};

/// One to three bodies, one of them perhaps immovable, with up to eight contacts among themselves and with the world.
fn network(random: &mut Random, planar: bool) -> (Vec<Body>, Vec<Contact>) {
    let vector = |random: &mut Random, size: f64| {
        let mut v = Vector3::from_fn(|_, _| random.random_range(-size..size));
        if planar {
            v.z = 0.0;
        }
        v
    };
    let bodies: Vec<Body> = (0..random.random_range(1..=3))
        .map(|_| {
            let mass = log_uniform(random, -1.0, 1.0);
            let body = if planar {
                Body::planar(mass, mass * random.random_range(0.05..0.5)).unwrap()
            } else {
                let moments = Vector3::from_fn(|_, _| mass * random.random_range(0.1..0.2));
                let turn = support::rotation(random);
                Body::new(mass, &(turn * Matrix3::from_diagonal(&moments) * turn.inverse())).unwrap()
            };
            let omega = if planar { Vector3::z() * random.random_range(-2.0..2.0) } else { vector(random, 2.0) };
            body.at(vector(random, 1.0)).moving(vector(random, 1.0), omega)
        })
        .collect();
    let flat = random.random_range(0..3) == 0;
    let contacts = (0..random.random_range(1..=8))
        .map(|_| {
            let a = random.random_range(0..bodies.len());
            let other = random.random_range(0..=bodies.len());
            let b = (other < bodies.len() && other != a).then_some(other);
            let normal = if flat { Vector3::new(0.0, 1.0, 0.0) } else { vector(random, 1.0) };
            let mut point = vector(random, 1.0);
            if flat {
                point.y = 0.0;
            }
            let frame = if planar {
                ContactFrame::planar([normal.x, normal.y]).unwrap()
            } else {
                ContactFrame::spatial(&normal, None).unwrap()
            };
            Contact { a: Some(a), b, point, frame }
        })
        .collect();
    (bodies, contacts)
}

fn law(random: &mut Random, contacts: usize, restitution: f64) -> (BoundImpactLaw, Vec<f64>) {
    let even = random.random_range(0..3) == 0;
    let kinetic: Vec<f64> = match random.random_range(0..8) {
        0 => vec![0.0; contacts],
        _ => (0..contacts).map(|_| log_uniform(random, -2.0, 0.5)).collect(),
    };
    let kinetic = if even { vec![kinetic[0]; contacts] } else { kinetic };
    let more = if random.random() { 1.0 } else { random.random_range(1.0..2.0) };
    let static_: Vec<f64> = kinetic.iter().map(|friction| friction * more).collect();
    let lookup = |contact: usize, key: &str| match key {
        "restitution" => Some(restitution),
        "static_friction" => Some(static_[contact]),
        "kinetic_friction" => Some(kinetic[contact]),
        _ => None,
    };
    (BoundImpactLaw::new(find("rodriguez-bowling").unwrap(), contacts, lookup).unwrap(), static_.clone())
}

fn check(impact: &Impact, outcome: &ImpactOutcome, friction: &[f64], at_stake: f64) -> Result<(), String> {
    let audit = audit(impact, outcome, friction, at_stake);
    let consistent = impact.velocity_after(&outcome.impulses);
    let size = consistent.iter().chain(impact.velocity()).map(Vector3::norm).fold(0.0, f64::max);
    let off = consistent.iter().zip(&outcome.velocities_after).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    if !audit.is_ok() || off > 1e-8 * size { Err(format!("{audit:?} off {off}")) } else { Ok(()) }
}

fn sweep(planar: bool, count: u64) {
    let (mut answered, mut refused) = (0, Vec::new());
    for case in 0..cases(count) {
        if std::env::var("ONLY").is_ok_and(|only| only.parse::<u64>().unwrap() != case) {
            continue;
        }
        let random = &mut random(4, 2 * case + u64::from(planar));
        let (bodies, contacts) = network(random, planar);
        let network = Network::new(&bodies, &contacts, &[], planar).unwrap();
        let Ok(impact) = network.impact() else { continue };
        let restitution = match random.random_range(0..6) {
            0 => 0.0,
            1 => 1.0,
            _ => random.random_range(0.0..1.0),
        };
        let (law, friction) = law(random, contacts.len(), restitution);
        let started = std::time::Instant::now();
        if std::env::var("TRACE").is_ok() {
            println!("case {case} n {} ", contacts.len());
        }
        match law.resolve(&impact) {
            Ok(outcome) => {
                answered += 1;
                if let Err(text) = check(&impact, &outcome, &friction, network.kinetic_energy()) {
                    println!("case {case}: n {} e {restitution}: {text}", contacts.len());
                }
            }
            Err(reason) => refused.push((case, reason)),
        }
        if started.elapsed().as_millis() > 300 {
            println!("case {case} took {:?} n {}", started.elapsed(), contacts.len());
        }
    }
    println!("answered {answered} refused {}: {:?}", refused.len(), &refused[..refused.len().min(20)]);
}

#[test]
fn planar_networks_lose_energy_and_stay_in_their_cones() {
    sweep(true, 2000);
}

#[test]
fn spatial_networks_lose_energy_and_stay_in_their_cones() {
    sweep(false, 200);
}

/// One contact is Routh's process with Stronge's ending.
#[test]
fn one_contact_is_routh_with_stronges_ending() {
    let (ours, routh) = (find("rodriguez-bowling").unwrap(), find("routh-stronge").unwrap());
    let mut worst = [0.0_f64; 2];
    for case in 0..cases(3000) {
        let random = &mut random(5, case);
        let collision = collision(random);
        let friction = support::friction(random);
        let given = [("restitution", random.random_range(0.0..1.0)), ("friction", friction)];
        let expected = routh.bind(&given).unwrap().resolve(&collision);
        let outcome = ours.bind(&given).unwrap().resolve(&collision);
        let (Ok(expected), Ok(outcome)) = (&expected, &outcome) else {
            println!(
                "case {case}: {:?} {:?} mu {friction} W {:?} V {:?}",
                expected.is_ok(),
                outcome.as_ref().err(),
                collision.inverse_mass(),
                collision.velocity()
            );
            continue;
        };
        let off = (outcome.impulse - expected.impulse).norm() / expected.impulse.norm();
        let planar = collision.planar_section().is_some();
        if off > if planar { 1e-12 } else { 1e-9 } {
            println!(
                "case {case} {planar}: off {off} mu {friction} W {:?} V {:?}",
                collision.inverse_mass(),
                collision.velocity()
            );
        }
        let worst = &mut worst[usize::from(planar)];
        *worst = worst.max(off);
    }
    println!("{worst:?}");
}
