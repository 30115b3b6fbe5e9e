//! Singular inverse mass: a pendulum against a wall (Chatterjee 1997, 7.5). Every law whose outcome exists in the limit
//! of an infinite eigenvalue gives that limit; the others say that they have none.
#![allow(clippy::unwrap_used)]

mod support;

use carom::laws::{self, BoundLaw, Inapplicable};
use carom::{Collision, Error};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use support::instantaneous;

const RESTITUTION: f64 = 0.8;

fn pendulum(angle: f64, lambda: f64) -> Collision {
    let (s, c) = angle.sin_cos();
    let along = 1.0 / lambda;
    let coupling = s * c * (1.0 - along);
    Collision::planar([[s * s + along * c * c, coupling], [coupling, c * c + along * s * s]], [-s, -c]).unwrap()
}

fn bound(id: &str, tangential_restitution: f64, friction: f64) -> BoundLaw {
    laws::find(id)
        .unwrap()
        .bind_from(|key| match key {
            "restitution" => Some(RESTITUTION),
            "tangential_restitution" => Some(tangential_restitution),
            "friction" => Some(friction),
            "impulse_ratio" => Some(0.2),
            "fraction" => Some(0.7),
            "polar" => Some(0.9),
            _ => None,
        })
        .unwrap()
}

#[test]
fn laws_converge_to_their_limit() {
    let angle = std::f64::consts::PI / 10.0;
    for id in [
        "newton",
        "smith",
        "brach",
        "routh-poisson",
        "pfeiffer-glocker",
        "chatterjee-1",
        "chatterjee-2",
        "chatterjee-3",
        "chatterjee-combined",
        "ivanov",
        "accessible",
    ] {
        for tangential_restitution in [RESTITUTION, 0.9] {
            let law = bound(id, tangential_restitution, 0.5);
            let limit = law.resolve_collision(&pendulum(angle, f64::INFINITY)).unwrap();
            let distances: Vec<f64> = [10.0, 100.0, 1000.0, 1e6, 1e12]
                .iter()
                .map(|&lambda| {
                    let outcome = law.resolve_collision(&pendulum(angle, lambda)).unwrap();
                    (outcome.impulse - limit.impulse).norm() + (outcome.velocity_after - limit.velocity_after).norm()
                })
                .collect();
            // Law III approaches like λ^-½ where it scales the velocity down, the others like λ^-1.
            assert!(distances[3] < 2e-2 && distances[4] < 2e-5, "{id}: {distances:?}");
            assert!(distances[4] <= distances[1], "{id}: {distances:?}");
        }
    }
}

/// All angles and frictions: where a law answers for the singular inverse mass, ever heavier pendulums tend to that
/// answer; where it refuses, their impulses grow without bound.
#[test]
fn the_singular_answer_is_the_limit_for_every_angle_and_friction() {
    let (mut answers, mut refusals) = (0, 0);
    for step in 1..60 {
        let angle = 0.026 * f64::from(step);
        for mirrored in [false, true] {
            for friction in [0.05, 0.2, 0.5, 1.1, 3.0, 20.0] {
                let at = |lambda: f64| {
                    let collision = pendulum(angle, lambda);
                    let (mut w, mut v) = (*collision.inverse_mass(), *collision.velocity());
                    if mirrored {
                        (w[(0, 1)], w[(1, 0)], v.y) = (-w[(0, 1)], -w[(1, 0)], -v.y);
                    }
                    Collision::new(&w, &v).unwrap()
                };
                for law in instantaneous().filter(|law| !matches!(law.id, "brach" | "bilinear" | "accessible")) {
                    let law = bound(law.id, 0.3, friction);
                    let near = |lambda: f64| law.resolve_collision(&at(lambda)).unwrap().impulse;
                    let context = format!("{} at {angle}, μ = {friction}, mirrored {mirrored}", law.law().id);
                    match law.resolve_collision(&at(f64::INFINITY)) {
                        Ok(limit) => {
                            // Law III approaches like λ^-½, slowly where its cone is nearly parallel to the rod; at 1e12 rounding shows.
                            let distance = |lambda: f64| (near(lambda) - limit.impulse).norm() / limit.impulse.norm();
                            let (far, near) = (distance(1e8), distance(1e12));
                            assert!(far.min(near) < 1e-4 || near < 0.02 * far, "{context}: {far} {near} {limit:?}");
                            answers += 1;
                        }
                        Err(why) => {
                            assert_eq!(why, Inapplicable::UnboundedImpulse, "{context}");
                            assert!(near(1e9).norm() > 5.0 * near(1e7).norm(), "{context}: {:?}", near(1e9));
                            refusals += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(answers > 1000 && refusals > 100, "{answers} {refusals}");
}

/// The same in space: one direction immovable, any orientation.
#[test]
fn the_singular_answer_is_the_limit_in_space() {
    let (mut answers, mut refusals) = (0, 0);
    for case in 0..400 {
        let mut random = support::random(51, case);
        let axes = support::rotation(&mut random);
        let movable = Vector3::new(random.random_range(0.3..2.0), random.random_range(0.3..2.0), 0.0);
        let v = axes * Vector3::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0), 0.0);
        let v = if v.x > 0.0 { -v } else { v };
        let at = |softness: f64| {
            let w = axes * Matrix3::from_diagonal(&(movable + Vector3::z() * softness)) * axes.inverse();
            Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap()
        };
        let friction = support::log_uniform(&mut random, -1.5, 1.0);
        assert!(at(0.0).is_singular());
        for id in ["newton", "smith", "routh-poisson", "chatterjee-1", "chatterjee-2", "chatterjee-3", "ivanov"] {
            let law = bound(id, 0.3, friction);
            let near = |softness: f64| law.resolve_collision(&at(softness)).unwrap().impulse;
            let context = format!("case {case}: {id}, μ = {friction}");
            match law.resolve_collision(&at(0.0)) {
                Ok(limit) => {
                    let distance = |softness: f64| (near(softness) - limit.impulse).norm() / limit.impulse.norm();
                    let (far, near) = (distance(1e-7), distance(1e-10));
                    assert!(far.min(near) < 1e-4 || near < 0.1 * far, "{context}: {far} {near} {limit:?}");
                    answers += 1;
                }
                Err(why) => {
                    assert_eq!(why, Inapplicable::UnboundedImpulse, "{context}");
                    assert!(near(1e-10).norm() > 3.0 * near(1e-8).norm(), "{context}: {:?}", near(1e-10));
                    refusals += 1;
                }
            }
        }
    }
    assert!(answers > 1000 && refusals > 10, "{answers} {refusals}");
}

#[test]
fn laws_without_a_limit_say_so() {
    let wall = pendulum(std::f64::consts::PI / 10.0, f64::INFINITY);
    assert!(wall.is_singular());
    for (id, tangential_restitution) in
        [("whittaker", 0.0), ("routh-newton", 0.0), ("routh-stronge", 0.0), ("chatterjee-3", 0.6)]
    {
        let answer = bound(id, tangential_restitution, 0.5).resolve_collision(&wall);
        assert_eq!(answer.unwrap_err(), Inapplicable::UnboundedImpulse, "{id}");
    }
}

#[test]
fn slipping_outcomes_exist_in_the_limit_even_for_whittaker() {
    // Friction too small to hold the tip: Whittaker's law slips, with a finite impulse at every λ.
    let angle = 1.2;
    let limit = bound("whittaker", 0.0, 0.1).resolve_collision(&pendulum(angle, f64::INFINITY)).unwrap();
    let near = bound("whittaker", 0.0, 0.1).resolve_collision(&pendulum(angle, 1e9)).unwrap();
    assert!((limit.impulse - near.impulse).norm() < 1e-6, "{limit:?} {near:?}");
}

#[test]
fn a_velocity_that_the_constraint_forbids_is_refused() {
    let w = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let error = Collision::new(&w, &Vector3::new(-1.0, 0.5, 0.0)).unwrap_err();
    assert!(matches!(error, Error::IncompatibleVelocity { .. }), "{error}");
    assert!(Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.5)).is_ok());
}

#[test]
fn nothing_movable_along_the_normal_is_refused() {
    let w = Matrix3::from_diagonal(&Vector3::new(0.0, 1.0, 1.0));
    assert_eq!(Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.0)).unwrap_err(), Error::ImmovableAlongNormal);
}

/// A direction in which nothing happens may be immovable without touching the plane's problem.
#[test]
fn an_immovable_direction_across_the_plane_changes_nothing() {
    let velocity = Vector3::new(-1.0, 0.1, 0.0);
    let free = Collision::new(&Matrix3::from_diagonal(&Vector3::new(1.0, 3.5, 3.5)), &velocity).unwrap();
    let held = Collision::new(&Matrix3::from_diagonal(&Vector3::new(1.0, 3.5, 0.0)), &velocity).unwrap();
    for law in instantaneous() {
        let law = bound(law.id, 0.3, 0.5);
        let (free, held) = (law.resolve_collision(&free).unwrap(), law.resolve_collision(&held).unwrap());
        assert!((free.impulse - held.impulse).norm() < 1e-12, "{}: {free:?} {held:?}", law.law().id);
    }
}

#[test]
fn shares_that_leave_nothing_to_law_three_do_not_ask_it() {
    let wall = Collision::planar([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0]).unwrap();
    let law =
        laws::ChatterjeeCombined { restitution: 0.5, tangential_restitution: -0.5, friction: 2.0, shares: [0.7, 0.3] };
    assert!(law.resolve(&wall).is_ok());
}
