//! Random collisions and parameters for the property tests.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses its own part")]

use carom::laws::{BoundLaw, Fallback, Kind, Law};
use carom::{Clock, Collision};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub type Random = Xoshiro256PlusPlus;

/// A generator that belongs to one case: the same whatever the order or number of cases.
pub fn random(seed: u64, case: u64) -> Random {
    Random::seed_from_u64(seed ^ case.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// How many cases to run: `CAROM_CASES` or the default.
pub fn cases(default: u64) -> u64 {
    std::env::var("CAROM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// 10^u, u uniform.
pub fn log_uniform(random: &mut Random, least: f64, greatest: f64) -> f64 {
    10_f64.powf(random.random_range(least..greatest))
}

fn normal(random: &mut Random) -> f64 {
    // Irwin–Hall: smooth enough for random directions and orientations.
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

pub fn rotation(random: &mut Random) -> Rotation3<f64> {
    let q = Quaternion::new(normal(random), normal(random), normal(random), normal(random));
    UnitQuaternion::from_quaternion(q).to_rotation_matrix()
}

/// Inverse mass with eigenvalue ratios down to 1e-6, any orientation.
pub fn inverse_mass(random: &mut Random, planar: bool) -> Matrix3<f64> {
    let scale = log_uniform(random, -3.0, 3.0);
    let eigenvalues = Vector3::new(1.0, log_uniform(random, -6.0, 0.0), log_uniform(random, -6.0, 0.0)) * scale;
    let turn = if planar {
        Rotation3::from_axis_angle(&Vector3::z_axis(), random.random_range(0.0..std::f64::consts::TAU))
    } else {
        rotation(random)
    };
    let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
    (w + w.transpose()) * 0.5
}

/// Approach from head-on to grazing.
pub fn velocity(random: &mut Random, planar: bool) -> Vector3<f64> {
    let speed = log_uniform(random, -3.0, 3.0);
    let (normal, slip) = match random.random_range(0..10) {
        0 => (1.0, 0.0),
        1 => (log_uniform(random, -9.0, 0.0), 1.0),
        2 => (1.0, log_uniform(random, -9.0, 0.0)),
        _ => {
            let angle: f64 = random.random_range(0.0..std::f64::consts::FRAC_PI_2);
            (angle.cos().max(1e-12), angle.sin())
        }
    };
    let about: f64 = random.random_range(0.0..std::f64::consts::TAU);
    let (t1, t2) = if planar { (about.cos().signum(), 0.0) } else { (about.cos(), about.sin()) };
    Vector3::new(-normal, slip * t1, slip * t2) * speed
}

pub fn collision(random: &mut Random) -> Collision {
    let planar = random.random::<bool>();
    let w = inverse_mass(random, planar);
    Collision::new(&w, &velocity(random, planar)).unwrap()
}

pub fn friction(random: &mut Random) -> f64 {
    match random.random_range(0..12) {
        0 => 0.0,
        1 => 100.0,
        _ => log_uniform(random, -3.0, 2.0),
    }
}

/// The laws that take no time; those followed in time have parameters that must fit the collision, and tests of their own.
pub fn instantaneous() -> impl Iterator<Item = &'static Law> {
    carom::laws::ALL.iter().filter(|law| law.clock() != Some(Clock::Time))
}

/// A value of every parameter within its bounds; bounds themselves are hit often.
pub fn bind(law: &'static Law, friction: f64, random: &mut Random) -> BoundLaw {
    let mut values: Vec<(&str, f64)> = vec![("friction", friction)];
    for parameter in law.parameters {
        let value = match (parameter.key, parameter.kind, parameter.fallback) {
            (_, _, Fallback::SameAs("friction")) | ("friction", ..) => friction,
            (_, Kind::Choice(words), _) => random.random_range(0..words.len()) as f64,
            (_, Kind::Number { least, greatest }, _) => {
                let (least, greatest) = (least.max(-2.0), greatest.min(2.0));
                match random.random_range(0..8) {
                    0 => least,
                    1 => greatest,
                    _ => random.random_range(least..greatest),
                }
            }
        };
        values.push((parameter.key, value));
    }
    if law.id == "chatterjee-combined" {
        let share: f64 = random.random();
        for (key, value) in &mut values {
            match *key {
                "share_1" => *value = share * 0.5,
                "share_2" => *value = (1.0 - share) * 0.9,
                _ => {}
            }
        }
    }
    let pick = |key: &str| values.iter().rev().find(|(k, _)| *k == key).map(|(_, v)| *v);
    law.bind_from(pick).unwrap()
}
