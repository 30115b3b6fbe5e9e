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

/// Where many small steps lead: friction opposes the slip after each, the cone projected. A plain, slow second method.
struct SmallSteps {
    /// The impulse at the ends of Poisson, Newton and Stronge.
    ends: [Vector3<f64>; 3],
    /// Whether the contact jams at first.
    jams: bool,
    /// How often the bodies approach again before the last of the three ends.
    recompressions: usize,
    /// V_n at its first top, above its value before; zero if it has none.
    first_top: f64,
}

fn small_steps(collision: &Collision, e: f64, friction: f64, step: f64) -> SmallSteps {
    let w = collision.inverse_mass();
    let a = Vector2::new(w[(1, 0)], w[(2, 0)]);
    let inverse = w.fixed_view::<2, 2>(1, 1).into_owned().try_inverse().unwrap();
    let (mut v, mut p) = (*collision.velocity(), Vector3::zeros());
    // Normal impulse at the last end of compression, works of compression and restitution.
    let (mut compressed, mut taken, mut given) = (0.0, 0.0, 0.0);
    let (mut ends, mut jams, mut recompressions, mut first_top) = ([None; 3], None, 0, None);
    while ends.iter().any(Option::is_none) && p.x < 1e3 {
        let stop = -(inverse * (v.yz() + a * step));
        let along = if stop.norm() <= friction * step { stop } else { -v.yz().normalize() * (friction * step) };
        let impulse = Vector3::new(step, along.x, along.y);
        let before = v.x;
        v += w * impulse;
        p += impulse;
        let jammed = *jams.get_or_insert(v.x < before);
        if v.x < before && !jammed {
            first_top.get_or_insert(before - collision.velocity().x);
        }
        let work = 0.5 * (before + v.x) * step;
        if v.x < 0.0 {
            recompressions += usize::from(before >= 0.0 && p.x > step);
            (compressed, taken) = (p.x, taken + work);
            continue;
        }
        given += work;
        let done = [p.x >= (1.0 + e) * compressed, v.x >= -e * collision.velocity().x, given >= -e * e * taken];
        for (end, _) in ends.iter_mut().zip(done).filter(|(end, done)| end.is_none() && *done) {
            *end = Some(p);
        }
    }
    let (ends, jams, first_top) = (ends.map(Option::unwrap), jams.unwrap(), first_top.unwrap_or(0.0));
    SmallSteps { ends, jams, recompressions, first_top }
}

#[test]
fn small_steps_lead_to_the_same_end() {
    let mut modes = std::collections::BTreeSet::new();
    for case in 0..cases(40).min(1_000) {
        let mut random = random(42, case);
        let collision = collision(&mut random);
        let (restitution, friction): (f64, f64) = (random.random(), random.random_range(0.05..1.2));
        let steps = small_steps(&collision, restitution, friction, 1e-5);
        for (end, termination) in steps.ends.iter().zip(ENDINGS) {
            let outcome = Routh { restitution, friction, termination }.resolve(&collision).unwrap();
            let difference = (outcome.impulse - end).norm();
            assert!(difference < 1e-3, "case {case} {termination:?}: {difference} {outcome:?}");
            modes.insert(outcome.mode.name());
        }
    }
    assert!(modes.len() >= 3, "{modes:?}");
}

/// Strong coupling and friction: contacts that jam at first, and bodies that approach again before restitution is over.
/// The slip does not depend on V_n, so an approach a little slower than what a slip can undo comes twice.
#[test]
fn small_steps_lead_to_the_same_end_through_jamming_and_second_compression() {
    const STEP: f64 = 1e-4;
    let (mut jams, mut twice) = (0, 0);
    for case in 0..cases(2_000).min(20_000) {
        let mut random = random(45, case);
        let turn = support::rotation(&mut random);
        let eigenvalues = Vector3::from_fn(|_, _| support::log_uniform(&mut random, -1.5, 0.0));
        let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
        let w = (w + w.transpose()) * 0.5;
        let about: f64 = random.random_range(0.0..6.3);
        let (restitution, friction): (f64, f64) = (random.random_range(0.3..1.0), random.random_range(0.5..3.0));
        let against = |normal: f64| Collision::new(&w, &Vector3::new(-normal, about.cos(), about.sin())).unwrap();
        // How far the turning slip drives V_n up before it drives it down again.
        let top = small_steps(&against(2.0), 0.0, friction, 1e-3).first_top;
        let normal = if top > 0.0 { top * random.random_range(0.8..0.99) } else { random.random_range(0.1..1.0) };
        let collision = against(normal);
        let coarse = small_steps(&collision, restitution, friction, 2.0 * STEP);
        if !coarse.jams && coarse.recompressions == 0 {
            continue;
        }
        let fine = small_steps(&collision, restitution, friction, STEP);
        for (k, termination) in ENDINGS.into_iter().enumerate() {
            let outcome = Routh { restitution, friction, termination }.resolve(&collision).unwrap();
            let difference = (outcome.impulse - fine.ends[k]).norm();
            let error = (coarse.ends[k] - fine.ends[k]).norm();
            assert!(difference < 3.0 * error + 10.0 * STEP, "case {case} {termination:?}: {difference} {outcome:?}");
        }
        jams += usize::from(fine.jams);
        twice += usize::from(fine.recompressions > 0);
    }
    assert!(jams > 100 && twice > 30, "{jams} {twice}");
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
