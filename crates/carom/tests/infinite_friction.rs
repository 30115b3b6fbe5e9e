//! μ = ∞: every law that takes it gives the limit of ever larger friction, and the others refuse it by name.
#![allow(clippy::unwrap_used)]

use carom::laws::{Law, every};
use carom::{Clock, Collision, ContactOutcome, Error};
use nalgebra::{Matrix3, Vector3};

#[path = "../src/random.rs"]
mod random;
use random::Random;

fn material(key: &str) -> Option<f64> {
    Some(match key {
        "restitution" => 0.6,
        "impulse_ratio" => 0.1,
        "fraction" => 0.7,
        "polar" => 0.9,
        "stiffness" | "damping_growth" => 1e6,
        "youngs_modulus" => 7e10,
        "tangential_restitution" | "poisson_ratio" => 0.3,
        "radius" => 0.02,
        "elements" => 20.0,
        _ => return None,
    })
}

fn has_friction(law: &Law) -> bool {
    law.parameters.iter().any(|parameter| parameter.key.ends_with("friction") && parameter.key != "stored_friction")
}

fn with_friction(law: &'static Law, friction: f64, collision: &Collision) -> Option<ContactOutcome> {
    let bound = law.bind_from(|key| if key == "friction" { Some(friction) } else { material(key) }).unwrap();
    bound.resolve_collision(collision).ok()
}

fn takes_infinity(law: &'static Law) -> bool {
    match law.bind_from(|key| if key == "friction" { Some(f64::INFINITY) } else { material(key) }) {
        Ok(_) => true,
        Err(Error::OutOfRange { value, expected, .. }) => {
            assert!(value == f64::INFINITY && !expected.ends_with("or inf"), "{}: {expected}", law.id);
            false
        }
        Err(other) => panic!("{}: {other}", law.id),
    }
}

fn random_collision(random: &mut Random, planar: bool) -> Collision {
    let velocity = random.direction();
    if planar {
        let (nn, tt) = (random.log_between(0.2, 5.0), random.log_between(0.2, 5.0));
        let nt = random.between(-0.9, 0.9) * (nn * tt).sqrt();
        return Collision::planar([[nn, nt], [nt, tt]], [-velocity.x.abs() - 0.01, velocity.y]).unwrap();
    }
    let w: Matrix3<f64> = random.definite(0.05);
    Collision::new(&w, &Vector3::new(-velocity.x.abs() - 0.01, velocity.y, velocity.z)).unwrap()
}

/// Collisions tried: fewer where each takes milliseconds.
fn cases(law: &Law) -> usize {
    match (law.id, law.clock()) {
        ("hertz-mindlin", _) => 16,
        (_, Some(Clock::Time)) => 60,
        _ => 600,
    }
}

#[test]
fn infinite_friction_is_the_limit_of_large_friction() {
    for law in every().filter(|law| has_friction(law) && law.id != "sequential" && takes_infinity(law)) {
        let mut random = Random(91);
        let mut answers = 0;
        for k in 0..cases(law) {
            let collision = random_collision(&mut random, k % 2 == 0);
            let [rough, rougher, limit] = [1e8, 1e10, f64::INFINITY].map(|mu| with_friction(law, mu, &collision));
            let (Some(rough), Some(rougher)) = (rough, rougher) else { continue };
            let limit = limit.unwrap_or_else(|| panic!("{}: no answer for {collision:?}", law.id));
            answers += 1;
            // Outcomes approach the limit like 1/μ or its root; laws that integrate do so to about 1e-8 of their impulses.
            let rounding = if law.clock().is_some() { 1e-7 } else { 1e-9 };
            let [before, after] = [(rough.impulse - rougher.impulse).norm(), (rougher.impulse - limit.impulse).norm()];
            assert!(after <= 0.3 * before + rounding * rougher.impulse.norm(), "{}: {before:e}, {after:e}", law.id);
        }
        assert!(law.id == "bilinear" || 3 * answers >= cases(law), "{}: {answers} answers", law.id);
    }
}

#[test]
fn laws_without_a_limit_refuse_infinite_friction() {
    let refusing: Vec<&str> = every()
        .filter(|law| has_friction(law) && law.id != "sequential" && !takes_infinity(law))
        .map(|law| law.id)
        .collect();
    assert_eq!(refusing, ["pfeiffer-glocker", "spring-dashpot", "split-mass", "poisson-lcp"]);
}

#[test]
fn a_diagonal_mass_sticks_by_the_bilinear_law() {
    let sphere = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, 2.0]).unwrap();
    let outcome = with_friction(carom::laws::find("bilinear").unwrap(), f64::INFINITY, &sphere).unwrap();
    // e_t = 0.3 gives back that share of the slip.
    assert!((outcome.velocity_after.y + 0.6).abs() < 1e-14, "{}", outcome.velocity_after);
}

#[test]
fn nothing_that_separates_is_outside_an_infinite_cone() {
    let parting = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [1.0, 2.0]).unwrap();
    let outcome = ContactOutcome::jump(&parting, Vector3::zeros(), f64::INFINITY);
    assert!(carom::audit::audit_collision(&parting, &outcome, f64::INFINITY).is_ok());
}
