//! The course of Routh's process: what the samples of a history must satisfy, in the plane and in space.
#![allow(clippy::unwrap_used)]

mod support;

use carom::laws::{BoundLaw, find};
use carom::{Clock, Collision, ContactHistory, ContactOutcome, Motion};
use nalgebra::Vector3;
use rand::RngExt;
use support::{cases, log_uniform, random};

const LAWS: [&str; 3] = ["routh-poisson", "routh-newton", "routh-stronge"];

fn for_each(check: impl Fn(&Collision, f64, &BoundLaw, &ContactOutcome, &ContactHistory, &str)) {
    for case in 0..cases(2_000).min(100_000) {
        let mut random = random(61, case);
        let planar = random.random::<bool>();
        let mut w = support::inverse_mass(&mut random, planar);
        w /= w.trace();
        let about: f64 = random.random_range(0.0..6.3);
        let slip = if case % 20 == 0 { 0.0 } else { log_uniform(&mut random, -3.0, 1.0) };
        let direction = if planar { Vector3::x() } else { Vector3::new(about.cos(), about.sin(), 0.0) };
        let normal = -log_uniform(&mut random, -2.0, 0.0);
        let collision = Collision::new(&w, &Vector3::new(normal, slip * direction.x, slip * direction.y)).unwrap();
        let friction = if case % 31 == 0 { 0.0 } else { log_uniform(&mut random, -2.0, 1.0) };
        for id in LAWS {
            let law = find(id).unwrap();
            let bound = law.bind(&[("restitution", random.random()), ("friction", friction)]).unwrap();
            let (outcome, history) = bound.follow_collision(&collision).unwrap();
            check(&collision, friction, &bound, &outcome, &history.unwrap(), &format!("case {case} {id}"));
        }
    }
}

#[test]
fn following_does_not_change_the_outcome() {
    for_each(|collision, _, bound, outcome, history, context| {
        assert_eq!(bound.resolve_collision(collision).unwrap(), *outcome, "{context}");
        assert_eq!(history.clock, Clock::NormalImpulse);
        assert_eq!(outcome.course.unwrap().clock, Clock::NormalImpulse);
    });
}

#[test]
fn a_history_leads_from_first_touch_to_the_outcome() {
    for_each(|collision, _, _, outcome, history, context| {
        let (first, last) = (history.samples.first().unwrap(), history.samples.last().unwrap());
        assert_eq!((first.at, first.impulse, first.velocity), (0.0, Vector3::zeros(), *collision.velocity()));
        let size = outcome.impulse.norm();
        assert!((last.impulse - outcome.impulse).norm() <= 1e-13 * size, "{context}: {last:?}\n{outcome:?}");
        assert_eq!(last.at, last.impulse.x);
        let rounding = 1e-13 * (collision.velocity().norm() + size * collision.inverse_mass().trace());
        assert!((last.velocity - outcome.velocity_after).norm() <= rounding, "{context}: {last:?}\n{outcome:?}");
        let works = outcome.compression.unwrap().works.unwrap();
        let energy = rounding * size;
        assert!((last.normal_work - works.compression - works.restitution).abs() <= energy, "{context}");
        assert!((last.tangential_work - works.tangential).abs() <= energy, "{context}");
        assert!(works.compression <= 0.0 && works.restitution >= 0.0 && works.tangential <= energy, "{context}");
    });
}

#[test]
fn samples_are_in_order_and_changes_of_motion_have_two() {
    for_each(|_, friction, _, outcome, history, context| {
        for (a, b) in history.samples.iter().zip(&history.samples[1..]) {
            assert!(b.at >= a.at, "{context}");
            assert!(a.motion == b.motion || a.impulse == b.impulse, "{context}: {a:?}\n{b:?}");
        }
        let motions: Vec<Motion> = history.phases().iter().map(|phase| phase.motion).collect();
        match motions[..] {
            [Motion::Frictionless] => assert_eq!(friction, 0.0),
            [Motion::Slipping] => assert!(!outcome.mode.name().ends_with("-sticking"), "{context}"),
            [Motion::Sticking] | [Motion::Slipping, Motion::Sticking] => {
                assert!(outcome.mode.name().ends_with("-sticking"), "{context}");
            }
            _ => panic!("{context}: {motions:?}"),
        }
    });
}

#[test]
fn friction_opposes_the_slip_and_only_takes_energy() {
    for_each(|collision, friction, _, outcome, history, context| {
        // The work of friction is what the change of energy leaves, ½ P·(V before + V after).
        let size = outcome.impulse.norm();
        let rounding = 1e-14 * size * (collision.velocity().norm() + size * collision.inverse_mass().trace());
        for (a, b) in history.samples.iter().zip(&history.samples[1..]) {
            assert!(b.tangential_work <= a.tangential_work + rounding, "{context}: {a:?}\n{b:?}");
            let step = b.impulse - a.impulse;
            let limit = friction * step.x + 1e-13 * (1.0 + friction) * size;
            assert!(step.yz().norm() <= limit, "{context}: {a:?}\n{b:?}");
            if b.motion == Motion::Sticking {
                assert_eq!(b.slip.norm(), 0.0);
            } else {
                assert_eq!(b.slip, b.velocity.yz());
            }
        }
    });
}

/// The normal work of samples joined by straight lines is the work of the process: the samples are dense enough.
#[test]
fn samples_are_close_enough_for_smooth_curves() {
    for_each(|collision, _, _, outcome, history, context| {
        let works = outcome.compression.unwrap().works.unwrap();
        let trapezoid: f64 = history
            .samples
            .iter()
            .zip(&history.samples[1..])
            .map(|(a, b)| 0.5 * (a.velocity.x + b.velocity.x) * (b.at - a.at))
            .sum();
        let size = works.restitution - works.compression;
        assert!((trapezoid - works.compression - works.restitution).abs() < 2e-3 * size, "{context}");
        let speed = collision.velocity().norm();
        for (a, b) in history.samples.iter().zip(&history.samples[1..]) {
            // Where slip is fast enough to be seen its direction turns little from sample to sample.
            let seen = a.slip.norm().min(b.slip.norm()) > 0.05 * speed;
            if seen && a.motion == Motion::Slipping && b.motion == Motion::Slipping {
                assert!(a.slip.angle(&b.slip) < 0.3, "{context}: {a:?}\n{b:?}");
            }
        }
    });
}
