//! Bodies move as the contacts say: light bodies and long levers, walls that are nearly parallel, grooves, and clamps in which impulses of any
//! length hold each other. Every answer of a law is audited together with the bodies that its impulses move.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "the campaign prints its figures")]

mod support;

use carom::audit::{Finding, audit};
use carom::impact::{Contact, Network};
use carom::laws::{self, Inapplicable};
use carom::{Body, ContactFrame};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use std::collections::BTreeMap;
use std::fmt::Write;
use support::{Random, log_uniform};

struct Case {
    network: Network,
    friction: Vec<f64>,
    restitution: Vec<f64>,
}

fn unit(random: &mut Random, planar: bool) -> Vector3<f64> {
    loop {
        let mut v = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0_f64));
        if planar {
            v.z = 0.0;
        }
        if (0.1..1.0).contains(&v.norm()) {
            return v.normalize();
        }
    }
}

/// One body between two to five contacts, some of which face each other, but for an angle.
fn case(random: &mut Random, planar: bool) -> Case {
    let mass = log_uniform(random, -1.0, 2.0);
    let inertia = mass * log_uniform(random, -9.0, 0.0);
    let body = if planar {
        Body::planar(mass, inertia).unwrap()
    } else {
        Body::new(mass, &(Matrix3::identity() * inertia)).unwrap()
    };
    let mut vector = |size: f64| {
        let mut v = Vector3::from_fn(|_, _| random.random_range(-size..size));
        if planar {
            v.z = 0.0;
        }
        v
    };
    let (position, velocity) = (vector(1.0), vector(3.0));
    let spin = if planar { Vector3::z() * vector(3.0).x } else { vector(3.0) };
    let body = body.at(position).moving(velocity, spin);
    let first = unit(random, planar);
    let open = log_uniform(random, -9.0, -0.5);
    let contacts = (0..random.random_range(2..=5)).map(|k| {
        let normal = match k {
            0 => first,
            // Opposite, exactly or nearly.
            1 if random.random_bool(0.3) => -first,
            1 | 2 => (unit(random, planar) * open - first).normalize(),
            _ => unit(random, planar),
        };
        // Through the centre of mass, or beside it.
        let beside = if random.random_bool(0.4) { 0.0 } else { log_uniform(random, -9.0, 0.0) };
        let point = position - normal * 0.5 + unit(random, planar) * beside;
        let frame = if planar {
            ContactFrame::planar([normal.x, normal.y]).unwrap()
        } else {
            ContactFrame::spatial(&normal, None).unwrap()
        };
        Contact { a: Some(0), b: None, point, frame }
    });
    let contacts: Vec<Contact> = contacts.collect();
    let n = contacts.len();
    let smooth = random.random_bool(0.5);
    let equal = random.random_range(0.0..=1.0);
    let friction = (0..n).map(|_| if smooth { 0.0 } else { log_uniform(random, -1.5, 0.5) }).collect();
    let restitution =
        if random.random_bool(0.7) { vec![equal; n] } else { (0..n).map(|_| random.random_range(0.0..1.0)).collect() };
    let network = Network::new([body], contacts, &[], planar).unwrap();
    Case { network, friction, restitution }
}

/// What an audit finds, but for energy where the law does not promise it.
fn check(law: &str, planar: bool, cases: u64) {
    let entry = laws::find(law).unwrap();
    let (mut answers, mut refused, mut wrong) =
        (0, BTreeMap::<String, u32>::new(), BTreeMap::<String, (u32, String)>::new());
    for number in 0..support::cases(cases) {
        let random = &mut support::random(160 + u64::from(planar), number);
        let Case { network, friction, restitution } = case(random, planar);
        let Ok(impact) = network.impact() else { continue };
        if !impact.is_approaching() {
            continue;
        }
        let value = |k: usize, key: &str| match key {
            "restitution" => Some(restitution[k]),
            "friction" | "static_friction" | "kinetic_friction" => Some(friction[k]),
            _ => None,
        };
        let bound = entry.bind_contacts(impact.contacts(), value).unwrap();
        let outcome = match bound.resolve(&impact) {
            Ok(outcome) => outcome,
            Err(why) => {
                let name = match why {
                    Inapplicable::Wedged { proven, .. } => format!("wedged, proven {proven}"),
                    other => other.to_string().split('(').next().unwrap().chars().take(50).collect(),
                };
                *refused.entry(name).or_default() += 1;
                continue;
            }
        };
        answers += 1;
        let (after, _) = network.after(&outcome.impulses()).unwrap();
        let motion = network.motion(&after).unwrap();
        let found = audit(&impact, &outcome, &friction, impact.local_energy(), Some(&motion));
        let dissipates = match law {
            "newton-lcp" => {
                friction.iter().all(|mu| *mu == 0.0)
                    && restitution.iter().all(|e| *e == restitution[0])
                    && impact.velocity().iter().all(|v| v.x <= 0.0)
            }
            "rakshit-chatterjee" => impact.velocity().iter().all(|v| v.x <= 0.0),
            "poisson-lcp" => restitution.iter().all(|e| *e == restitution[0]),
            _ => true,
        };
        for (name, finding) in found.findings() {
            if finding == Finding::Ok || name == "energy" && !dissipates {
                continue;
            }
            let most = outcome.impulses().iter().map(Vector3::norm).fold(0.0, f64::max);
            let own = impact.velocity()[0].norm().max(1.0) / impact.inverse_mass().block(0, 0)[(0, 0)];
            let kind = format!("{finding:?}").chars().take_while(|c| c.is_alphabetic()).collect::<String>();
            let entry = wrong.entry(kind).or_insert((0, String::new()));
            entry.0 += 1;
            if entry.0 <= 8 {
                let _ = write!(entry.1, "\n     {number}: {finding:?} of {:e}, P {:.1e}", motion.energy[0], most / own);
            }
        }
    }
    println!("{law}, planar {planar}: {answers} answers, refused {refused:?}");
    for (kind, (count, text)) in &wrong {
        println!("   {kind}: {count} {text}");
    }
    assert!(wrong.is_empty(), "{law}: {:?}", wrong.iter().map(|(kind, (count, _))| (kind, count)).collect::<Vec<_>>());
}

#[test]
fn newton_lcp_moves_bodies_as_contacts() {
    check("newton-lcp", true, 2_000);
    check("newton-lcp", false, 100);
}

#[test]
fn poisson_lcp_moves_bodies_as_contacts() {
    check("poisson-lcp", true, 2_000);
    check("poisson-lcp", false, 30);
}

#[test]
fn rakshit_chatterjee_moves_bodies_as_contacts() {
    check("rakshit-chatterjee", true, 2_000);
    check("rakshit-chatterjee", false, 100);
}

#[test]
fn rodriguez_bowling_moves_bodies_as_contacts() {
    check("rodriguez-bowling", true, 200);
    check("rodriguez-bowling", false, 10);
}
