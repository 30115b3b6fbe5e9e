//! Random networks of bodies and contacts.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses its own part")]

pub mod clarabel;
pub mod modes;

use crate::support::{Random, log_uniform, rotation};
use carom::impact::{Contact, Impact, Network};
use carom::{Body, ContactFrame};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;

/// Bodies and the contacts between them.
pub struct Scene {
    pub bodies: Vec<Body>,
    pub contacts: Vec<Contact>,
    pub planar: bool,
}

impl Scene {
    pub fn network(&self) -> Network {
        Network::new(self.bodies.clone(), self.contacts.clone(), &[], self.planar).unwrap()
    }

    pub fn impact(&self) -> Impact {
        self.network().impact().unwrap()
    }
}

fn vector(random: &mut Random, planar: bool, size: f64) -> Vector3<f64> {
    let mut number = || random.random_range(-size..size);
    Vector3::new(number(), number(), if planar { 0.0 } else { number() })
}

fn body(random: &mut Random, planar: bool) -> Body {
    let mass = log_uniform(random, -1.0, 1.0);
    let body = if planar {
        Body::planar(mass, mass * log_uniform(random, -1.5, 0.0)).unwrap()
    } else {
        // Second moments of any three positive spreads give an inertia that a body can have.
        let spread = Vector3::from_fn(|_, _| log_uniform(random, -1.5, 0.0));
        let moments = Vector3::new(spread.y + spread.z, spread.x + spread.z, spread.x + spread.y) * mass;
        let turn = rotation(random).into_inner();
        let inertia = turn * Matrix3::from_diagonal(&moments) * turn.transpose();
        Body::new(mass, &((inertia + inertia.transpose()) * 0.5)).unwrap()
    };
    let still = random.random_range(0..4) == 0;
    let speed = if still { 0.0 } else { 1.0 };
    let spin = if planar { Vector3::z() * random.random_range(-1.0..1.0) } else { vector(random, false, 1.0) };
    body.at(vector(random, planar, 2.0)).moving(vector(random, planar, 1.0) * speed, spin * speed)
}

fn frame(normal: &Vector3<f64>, planar: bool) -> ContactFrame {
    if planar {
        ContactFrame::planar([normal.x, normal.y]).unwrap()
    } else {
        ContactFrame::spatial(normal, None).unwrap()
    }
}

/// 1 to `most` contacts of a few bodies with each other and the world; some of them are the same twice, or `nearly`, m.
pub fn scene(random: &mut Random, most: usize, nearly: f64) -> Scene {
    let planar = random.random::<bool>();
    let count = random.random_range(1..=most);
    let bodies: Vec<Body> = (0..random.random_range(1..=count.min(5))).map(|_| body(random, planar)).collect();
    let mut contacts: Vec<Contact> = Vec::new();
    while contacts.len() < count {
        if let (1, Some(last)) = (random.random_range(0..6), contacts.last()) {
            let shift = if random.random() { 0.0 } else { nearly };
            let again = Contact { point: last.point + vector(random, planar, 1.0) * shift, ..last.clone() };
            contacts.push(again);
            continue;
        }
        let a = random.random_range(0..bodies.len());
        let b = random.random_range(0..=bodies.len());
        if a == b {
            continue;
        }
        let b = (b < bodies.len()).then_some(b);
        let middle = b.map_or_else(
            || bodies[a].position + vector(random, planar, 1.0),
            |b| (bodies[a].position + bodies[b].position) * 0.5,
        );
        let point = middle + vector(random, planar, 0.5);
        let mut normal = vector(random, planar, 1.0);
        let velocity = |k: usize| bodies[k].point_velocity(&point);
        let closing = (velocity(a) - b.map_or_else(Vector3::zeros, velocity)).dot(&normal);
        // Most contacts approach; some separate.
        if closing > 0.0 && random.random_range(0..4) > 0 {
            normal = -normal;
        }
        contacts.push(Contact { a: Some(a), b, point, frame: frame(&normal, planar) });
    }
    Scene { bodies, contacts, planar }
}

/// A pile in space: about three contacts for each body, every body with at least one other or the world.
pub fn pile(random: &mut Random, contacts: usize) -> Scene {
    let count = contacts.div_ceil(3);
    let bodies: Vec<Body> = (0..count).map(|_| body(random, false)).collect();
    let mut list = Vec::with_capacity(contacts);
    for k in 0..contacts {
        let a = k % count;
        let b = match random.random_range(0..=count) {
            b if b < count && b != a => Some(b),
            _ => None,
        };
        let point = b.map_or(bodies[a].position, |b| (bodies[a].position + bodies[b].position) * 0.5)
            + vector(random, false, 0.5);
        let normal = vector(random, false, 1.0);
        let velocity = |k: usize| bodies[k].point_velocity(&point);
        let closing = (velocity(a) - b.map_or_else(Vector3::zeros, velocity)).dot(&normal);
        list.push(Contact { a: Some(a), b, point, frame: frame(&if closing > 0.0 { -normal } else { normal }, false) });
    }
    Scene { bodies, contacts: list, planar: false }
}

/// Balls in a row in space, the first hits the others, with masses as given.
pub fn chain(masses: &[f64]) -> Scene {
    let bodies = masses.iter().enumerate().map(|(k, mass)| {
        let ball = Body::new(*mass, &(Matrix3::identity() * (0.4 * mass))).unwrap();
        ball.at(Vector3::x() * (2.0 * k as f64)).moving(Vector3::x() * if k == 0 { 1.0 } else { 0.0 }, Vector3::zeros())
    });
    let frame = ContactFrame::spatial(&Vector3::x(), None).unwrap();
    let touch = |k: usize| Contact { a: Some(k + 1), b: Some(k), point: Vector3::x() * (2.0 * k as f64 + 1.0), frame };
    Scene { bodies: bodies.collect(), contacts: (0..masses.len() - 1).map(touch).collect(), planar: false }
}
