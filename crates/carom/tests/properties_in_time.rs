//! What each law that is followed in time promises, over random collisions. Contacts whose tangential and normal periods
//! differ by a factor of thousands are slow to follow and say nothing new: ratios of inverse mass go to 1e-2 here, and to
//! 1e-6 in a test that only asks for an answer or an honest refusal.
#![allow(clippy::unwrap_used)]

mod support;

use carom::audit::{Finding, audit_collision};
use carom::laws::{self, BoundLaw, Fallback, Inapplicable, Kind, Law, Promise};
use carom::{Clock, Collision, ContactOutcome};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use support::{Random, cases, log_uniform, random, rotation};

const SEED: u64 = 20_260_303;

/// What the error of integration leaves of an equality, relative to the impulse.
const ACCURACY: f64 = 1e-7;

/// How far two computations of one impulse may differ: by the integration, and by what the rounding of a large slip does
/// to a small approach.
fn accuracy(collision: &Collision, outcome: &ContactOutcome) -> f64 {
    let least = collision.inverse_mass().symmetric_eigenvalues().min();
    ACCURACY * outcome.impulse.norm() + 1e-14 * collision.velocity().norm() / least
}

fn collision(random: &mut Random, smallest: f64) -> Collision {
    let planar = random.random::<bool>();
    let eigenvalues =
        Vector3::new(1.0, log_uniform(random, smallest.log10(), 0.0), log_uniform(random, smallest.log10(), 0.0));
    let turn = if planar {
        nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), random.random_range(0.0..std::f64::consts::TAU))
    } else {
        rotation(random)
    };
    let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
    Collision::new(&((w + w.transpose()) * 0.5), &support::velocity(random, planar)).unwrap()
}

/// Every parameter of the law at a size that fits the collision: damping from slight to heavy, stiffness of any size.
fn bind(law: &'static Law, collision: &Collision, friction: f64, random: &mut Random) -> BoundLaw {
    let (mass, speed) = (collision.inverse_mass()[(0, 0)].recip(), -collision.velocity().x);
    loop {
        let stiffness = log_uniform(random, -2.0, 8.0);
        let values: Vec<(&str, Option<f64>)> = law
            .parameters
            .iter()
            .map(|parameter| {
                let derived = matches!(parameter.fallback, Fallback::Derived(_));
                let strength = log_uniform(random, -3.0, 1.0);
                let value = match (parameter.key, parameter.kind) {
                    (_, _) if derived && random.random::<bool>() => return (parameter.key, None),
                    ("friction" | "static_friction" | "kinetic_friction", _) => friction,
                    ("stiffness" | "youngs_modulus" | "potential_stiffness", _) => stiffness,
                    ("damping_growth", _) => strength * stiffness / speed,
                    ("damping" | "tangential_damping", _) => strength * 2.0 * (stiffness * mass).sqrt(),
                    ("exponent", _) => 1.0,
                    ("stiffness_ratio", _) => log_uniform(random, -2.0, 1.0),
                    ("radius", _) => log_uniform(random, -3.0, 1.0),
                    ("elements", _) => 20.0,
                    (_, Kind::Choice(words)) => random.random_range(0..words.len()) as f64,
                    (_, Kind::Number { least, greatest }) => match random.random_range(0..6) {
                        _ if !(greatest - least).is_finite() || greatest > 1e6 => log_uniform(random, 0.0, 6.0),
                        0 => least,
                        1 => greatest,
                        _ => random.random_range(least..greatest),
                    },
                };
                (parameter.key, Some(value))
            })
            .collect();
        if let Ok(bound) = law.bind_from(|key| values.iter().find(|(k, _)| *k == key).and_then(|(_, value)| *value)) {
            return bound;
        }
    }
}

fn in_time() -> impl Iterator<Item = &'static Law> {
    laws::ALL.iter().filter(|law| law.clock() == Some(Clock::Time))
}

fn for_each(default_cases: u64, mut check: impl FnMut(&'static Law, &Collision, f64, &BoundLaw, u64)) {
    for case in 0..cases(default_cases) {
        let mut random = random(SEED, case);
        let collision = collision(&mut random, 1e-2);
        let friction = [0.0, 0.1, 0.5, 1.0, 3.0][random.random_range(0..5)];
        for law in in_time() {
            check(law, &collision, friction, &bind(law, &collision, friction, &mut random), case);
        }
    }
}

#[test]
fn laws_in_time_keep_their_promises() {
    let (mut resolved, mut refused) = (0_u64, 0_u64);
    for_each(400, |law, collision, friction, bound, case| {
        let outcome = match bound.resolve_collision(collision) {
            Ok(outcome) => outcome,
            Err(Inapplicable::NotPlanar | Inapplicable::Coupled { .. } | Inapplicable::Undetermined { .. }) => return,
            // Refused honestly: time scales too far apart to follow, or a force that jumps and chatters against friction.
            Err(Inapplicable::NoConvergence) => {
                refused += 1;
                return;
            }
            Err(why) => panic!("case {case}: {} has no answer: {why}\n{collision:?} {:?}", law.id, bound.values(0)),
        };
        resolved += 1;
        let audit = audit_collision(collision, &outcome, friction);
        let context = || format!("case {case}: {} {audit:?}\n{collision:?} {:?}\n{outcome:?}", law.id, bound.values(0));
        if law.guarantees.energy == Promise::Yes {
            let gain = collision.energy_change(&outcome.impulse) / collision.local_energy();
            assert!(audit.energy == Finding::Ok || gain < 1e-9, "{}", context());
        }
        if law.guarantees.friction == Promise::Yes {
            let excess = outcome.impulse.yz().norm() - friction * outcome.impulse.x;
            assert!(
                audit.contacts[0].friction == Finding::Ok || excess < 1e-9 * outcome.impulse.norm(),
                "{}",
                context()
            );
        }
        if law.guarantees.penetration == Promise::Yes {
            let sinking = -outcome.velocity_after.x / collision.velocity().norm();
            assert!(audit.contacts[0].penetration == Finding::Ok || sinking < 1e-9, "{}", context());
        }
        let course = outcome.course.unwrap();
        assert!(course.duration.unwrap() >= 0.0 && course.peak_force.is_none_or(|force| force >= 0.0), "{}", context());
        let works = outcome.compression.and_then(|c| c.works);
        if let Some(works) = works {
            let scale = collision.local_energy();
            assert!(works.compression <= 1e-9 * scale && works.restitution >= -1e-9 * scale, "{}", context());
        }
    });
    assert!(refused * 50 <= resolved, "{refused} of {resolved}");
}

#[test]
fn the_mirror_image_gives_the_mirror_image() {
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 1.0));
    for_each(100, |law, collision, _, bound, case| {
        let image =
            Collision::new(&(mirror * collision.inverse_mass() * mirror), &(mirror * collision.velocity())).unwrap();
        if let (Ok(a), Ok(b)) = (bound.resolve_collision(collision), bound.resolve_collision(&image)) {
            assert!(
                (mirror * a.impulse - b.impulse).norm() <= accuracy(collision, &a),
                "case {case}: {}\n{collision:?} {:?}\n{a:?}\n{b:?}",
                law.id,
                bound.values(0)
            );
        }
    });
}

#[test]
fn turning_the_tangents_turns_the_impulse() {
    for_each(100, |law, collision, _, bound, case| {
        let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::x_axis(), 0.7);
        let w = turn * collision.inverse_mass() * turn.inverse();
        let turned = Collision::new(&((w + w.transpose()) * 0.5), &(turn * collision.velocity())).unwrap();
        if let (Ok(a), Ok(b)) = (bound.resolve_collision(collision), bound.resolve_collision(&turned)) {
            assert!(
                (turn * a.impulse - b.impulse).norm() <= accuracy(collision, &a),
                "case {case}: {}\n{collision:?} {:?}\n{a:?}\n{b:?}",
                law.id,
                bound.values(0)
            );
        }
    });
}

#[test]
fn extreme_collisions_get_an_answer_or_a_refusal() {
    let (mut answers, mut refusals) = (0_u64, 0_u64);
    for case in 0..cases(20) {
        let mut random = random(SEED + 1, case);
        let collision = collision(&mut random, 1e-6);
        let friction = support::friction(&mut random);
        for law in in_time() {
            match bind(law, &collision, friction, &mut random).resolve_collision(&collision) {
                Ok(outcome) => {
                    assert!(outcome.impulse.iter().all(|x| x.is_finite()), "case {case}: {}", law.id);
                    answers += 1;
                }
                Err(Inapplicable::NoConvergence) => refusals += 1,
                Err(_) => {}
            }
        }
    }
    assert!(refusals * 10 <= answers, "{refusals} refusals, {answers} answers");
}
