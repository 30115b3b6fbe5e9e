//! Routh's process in space against the planar closed form, a slow second method, and what is known of it.
#![allow(clippy::unwrap_used)]

mod support;

use carom::laws::{Routh, Termination};
use carom::{Collision, Mode};
use nalgebra::{Matrix3, Vector2, Vector3};
use rand::RngExt;
use support::{cases, random};

const ENDINGS: [Termination; 3] = [Termination::Poisson, Termination::Newton, Termination::Stronge];

fn collision(random: &mut support::Random) -> Collision {
    let turn = support::rotation(random);
    let eigenvalues = Vector3::from_fn(|_, _| random.random_range(0.2..2.0));
    let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
    let slip = Vector2::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0));
    Collision::new(&((w + w.transpose()) * 0.5), &Vector3::new(-random.random_range(0.1..1.0), slip.x, slip.y)).unwrap()
}

/// Planar collisions with the faintest coupling out of the plane go through the spatial integrator.
#[test]
fn the_plane_is_the_special_case() {
    let mut modes = std::collections::BTreeSet::new();
    for case in 0..cases(3_000) {
        let mut random = random(41, case);
        let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), random.random_range(0.0..6.3));
        let eigenvalues = Vector3::from_fn(|_, _| random.random_range(0.1..2.0));
        let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
        let w = (w + w.transpose()) * 0.5;
        let v = Vector3::new(-random.random_range(0.1..1.0), random.random_range(-1.0..1.0), 0.0);
        let (restitution, friction): (f64, f64) = (random.random(), random.random_range(0.01..2.0));
        let plane = Collision::new(&w, &v).unwrap();
        let mut coupled = w;
        (coupled[(1, 2)], coupled[(2, 1)]) = (1e-11, 1e-11);
        let space = Collision::new(&coupled, &v).unwrap();
        assert!(space.planar_section().is_none());
        for termination in ENDINGS {
            let law = Routh { restitution, friction, termination };
            let (plane, space) = (law.resolve(&plane).unwrap(), law.resolve(&space).unwrap());
            let difference = (plane.impulse - space.impulse).norm() / plane.impulse.norm();
            assert!(difference < 2e-10, "case {case} {termination:?}: {difference}\n{plane:?}\n{space:?}");
            // Faintly coupled, the slip swerves round zero where it would stop and come back in the plane.
            let swerved = space.mode == Mode::ReversedSliding && plane.mode.name().ends_with("reversed-sliding");
            assert!(plane.mode == space.mode || swerved, "case {case} {termination:?}: {} {}", plane.mode, space.mode);
            modes.insert(plane.mode.name());
        }
    }
    assert_eq!(modes.len(), 5, "all five modes of Wang & Mason: {modes:?}");
}

/// Friction opposing the slip after each of many small steps, the cone projected: a plain, slow second method.
#[test]
fn small_steps_lead_to_the_same_end() {
    const STEP: f64 = 1e-5;
    for case in 0..cases(40).min(1_000) {
        let mut random = random(42, case);
        let collision = collision(&mut random);
        let (restitution, friction): (f64, f64) = (random.random(), random.random_range(0.05..1.2));
        let w = collision.inverse_mass();
        let t = w.fixed_view::<2, 2>(1, 1).into_owned();
        let inverse = t.try_inverse().unwrap();
        let (mut v, mut p) = (*collision.velocity(), Vector3::zeros());
        let (mut compressed, mut works) = (None, [0.0, 0.0]);
        let mut ends = [None; 3];
        while ends.iter().any(Option::is_none) && p.x < 100.0 {
            let a = Vector2::new(w[(1, 0)], w[(2, 0)]);
            let stop = -(inverse * (v.yz() + a * STEP));
            let along = if stop.norm() <= friction * STEP { stop } else { -v.yz().normalize() * (friction * STEP) };
            let step = Vector3::new(STEP, along.x, along.y);
            let before = v.x;
            v += w * step;
            p += step;
            works[usize::from(compressed.is_some())] += 0.5 * (before + v.x) * STEP;
            if compressed.is_none() && v.x >= 0.0 {
                compressed = Some(p);
            }
            if let Some(compressed) = compressed {
                let e = restitution;
                let done = [
                    p.x >= (1.0 + e) * compressed.x,
                    v.x >= -e * collision.velocity().x,
                    works[1] >= -e * e * works[0],
                ];
                for (end, _) in ends.iter_mut().zip(done).filter(|(end, done)| end.is_none() && *done) {
                    *end = Some(p);
                }
            }
        }
        for (end, termination) in ends.iter().zip(ENDINGS) {
            let outcome = Routh { restitution, friction, termination }.resolve(&collision).unwrap();
            let difference = (outcome.impulse - end.unwrap()).norm();
            assert!(difference < 100.0 * STEP, "case {case} {termination:?}: {difference} {outcome:?}");
        }
    }
}

/// The coefficient asked for comes out, and sticking means no slip.
#[test]
fn restitution_is_what_was_asked() {
    for case in 0..cases(3_000) {
        let mut random = random(43, case);
        let collision = collision(&mut random);
        let (restitution, friction): (f64, f64) = (random.random(), random.random_range(0.05..3.0));
        for termination in ENDINGS {
            let outcome = Routh { restitution, friction, termination }.resolve(&collision).unwrap();
            let found = outcome.restitution(&collision);
            let found = match termination {
                Termination::Poisson => found.poisson,
                Termination::Newton => found.newton,
                Termination::Stronge => found.stronge,
            };
            assert!(
                (found.unwrap() - restitution).abs() < 1e-9,
                "case {case} {termination:?}: {found:?} {restitution}"
            );
            let slip = collision.velocity_after(&outcome.impulse).yz().norm();
            if matches!(outcome.mode, Mode::CSticking | Mode::RSticking) {
                assert!(slip < 1e-11, "case {case}: {slip}");
            }
        }
    }
}

/// A direct impact with too little friction leaves along the one direction in which friction does not turn it.
#[test]
fn slip_from_rest_keeps_its_direction() {
    for case in 0..cases(3_000) {
        let mut random = random(44, case);
        let w = *collision(&mut random).inverse_mass();
        let collision = Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        let friction = random.random_range(0.0001..0.5);
        let law = Routh { restitution: 0.5, friction, termination: Termination::Poisson };
        let outcome = law.resolve(&collision).unwrap();
        if outcome.mode == Mode::Sliding {
            let slip = outcome.velocity_after.yz().normalize();
            let residual = outcome.impulse.yz() + slip * (friction * outcome.impulse.x);
            assert!(residual.norm() < 1e-10 * outcome.impulse.norm(), "case {case}: {outcome:?}");
        }
    }
}
