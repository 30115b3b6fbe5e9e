//! What each law that takes no time promises, over random collisions: planar and spatial, eigenvalue ratios 1e-6 to 1, friction 0 to 100,
//! incidence from head-on to grazing. `CAROM_CASES=10000000 cargo test --release --test properties` runs more.
#![allow(clippy::unwrap_used)]

mod support;

use carom::audit::{Finding, audit_collision};
use carom::laws::{self, Bilinear, Inapplicable, Law, Newton, Promise, Routh, Termination};
use carom::{Collision, ContactOutcome};
use nalgebra::Vector3;
use rand::RngExt;
use support::{bind, cases, collision, friction, instantaneous, random};

const SEED: u64 = 20_260_101;

/// The largest relative difference that rounding explains for ratios of inverse mass up to 1e6.
const ROUNDING: f64 = 1e-9;

fn close(a: &Vector3<f64>, b: &Vector3<f64>, scale: f64) -> bool {
    (a - b).norm() <= ROUNDING * scale
}

/// Every law on every random collision.
fn for_each(default_cases: u64, mut check: impl FnMut(&'static Law, &Collision, f64, laws::BoundLaw, u64)) {
    for case in 0..cases(default_cases) {
        let mut random = random(SEED, case);
        let collision = collision(&mut random);
        let friction = friction(&mut random);
        for law in instantaneous() {
            check(law, &collision, friction, bind(law, friction, &mut random), case);
        }
    }
}

#[test]
fn laws_keep_their_promises() {
    let (mut resolved, mut gains) = (0_u64, 0_u64);
    for_each(100_000, |law, collision, friction, bound, case| {
        let outcome = match bound.resolve_collision(collision) {
            Ok(outcome) => outcome,
            Err(Inapplicable::NotPlanar | Inapplicable::Coupled { .. }) => return,
            Err(Inapplicable::NoSolution) if law.id == "brach" => return,
            Err(why) => panic!("case {case}: {} has no answer: {why}\n{collision:?} {:?}", law.id, bound.values(0)),
        };
        resolved += 1;
        let numbers = outcome.impulse.iter().chain(outcome.velocity_after.iter());
        assert!(numbers.into_iter().all(|x| x.is_finite()), "case {case}: {} is not finite", law.id);
        let audit = audit_collision(collision, &outcome, friction);
        let context = || format!("case {case}: {} {audit:?}\n{collision:?} {:?}\n{outcome:?}", law.id, bound.values(0));
        let promised = |promise| match promise {
            Promise::Yes => true,
            Promise::If(_) => law.id == "pfeiffer-glocker",
            Promise::No => false,
        };
        if promised(law.guarantees.energy) {
            assert_eq!(audit.energy, Finding::Ok, "{}", context());
        }
        if promised(law.guarantees.friction) {
            assert_eq!(audit.contacts[0].friction, Finding::Ok, "{}", context());
        }
        if promised(law.guarantees.penetration) {
            assert_eq!(audit.contacts[0].penetration, Finding::Ok, "{}", context());
        }
        gains += u64::from(law.guarantees.energy == Promise::No && audit.energy != Finding::Ok);
    });
    assert!(resolved > 0 && gains > 0, "laws that can create energy were seen to do so: {gains} of {resolved}");
}

#[test]
fn impulse_scales_with_mass_and_velocity() {
    // Powers of four scale exactly, square roots included, so that even a law's branches are the same.
    let (mass, speed) = (16.0, 0.25);
    for_each(20_000, |law, collision, _, bound, case| {
        let scaled = Collision::new(&(collision.inverse_mass() / mass), &(collision.velocity() * speed)).unwrap();
        match (bound.resolve_collision(collision), bound.resolve_collision(&scaled)) {
            (Ok(a), Ok(b)) => assert!(
                close(&(a.impulse * mass * speed), &b.impulse, b.impulse.norm()),
                "case {case}: {}\n{a:?}\n{b:?}",
                law.id
            ),
            (Err(a), Err(b)) => assert_eq!(std::mem::discriminant(&a), std::mem::discriminant(&b)),
            (a, b) => panic!("case {case}: {} {a:?} {b:?}", law.id),
        }
    });
}

#[test]
fn mirror_image_gives_the_mirror_image() {
    let mirror = nalgebra::Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 1.0));
    for_each(20_000, |law, collision, _, bound, case| {
        // The lateral ratio and the azimuth turn around with the mirror.
        let values = bound.values(0);
        let reflected = law
            .bind_from(|key| {
                let place = law.parameters.iter().position(|p| p.key == key)?;
                let turns = matches!(key, "lateral_impulse_ratio" | "azimuth");
                Some(if turns { -values[place] } else { values[place] })
            })
            .unwrap();
        let image =
            Collision::new(&(mirror * collision.inverse_mass() * mirror), &(mirror * collision.velocity())).unwrap();
        let slipless = collision.velocity().yz().norm() == 0.0;
        if slipless && matches!(law.id, "brach" | "accessible") {
            // Without slip these laws measure directions from t1, which a mirror does not respect.
            return;
        }
        if let (Ok(a), Ok(b)) = (bound.resolve_collision(collision), reflected.resolve_collision(&image)) {
            assert!(
                close(&(mirror * a.impulse), &b.impulse, condition_scale(collision, &a)),
                "case {case}: {}\n{collision:?}\n{a:?}\n{b:?}",
                law.id
            );
        }
    });
}

/// Rounding of an impulse is relative to what the rounding of W and of the small approach in a large n·W P can hide.
fn condition_scale(collision: &Collision, outcome: &ContactOutcome) -> f64 {
    let eigenvalues = collision.inverse_mass().symmetric_eigenvalues();
    outcome.impulse.norm().max(collision.velocity().norm() / eigenvalues.max())
        * (eigenvalues.max() / eigenvalues.min() + normal_cancellation(collision, outcome))
}

/// How much larger the terms of V_n after are than V_n before.
fn normal_cancellation(collision: &Collision, outcome: &ContactOutcome) -> f64 {
    let terms = collision.inverse_mass().row(0).abs().transpose().dot(&outcome.impulse.abs());
    1.0 + terms / collision.velocity().x.abs()
}

#[test]
fn without_friction_every_law_is_newtons() {
    for case in 0..cases(20_000) {
        let mut random = random(SEED + 1, case);
        let collision = collision(&mut random);
        let restitution = random.random::<f64>();
        let expected = Newton { restitution }.resolve(&collision).unwrap();
        for law in instantaneous().filter(|law| !matches!(law.id, "brach" | "accessible" | "bilinear")) {
            let bound = law
                .bind_from(|key| match key {
                    "restitution" | "ivanov_restitution" => Some(restitution),
                    "friction" => Some(0.0),
                    _ => None,
                })
                .unwrap();
            match bound.resolve_collision(&collision) {
                Ok(outcome) => assert!(
                    close(&outcome.impulse, &expected.impulse, expected.impulse.norm()),
                    "case {case}: {} {outcome:?} {expected:?}",
                    law.id
                ),
                Err(why) => assert_eq!(why, Inapplicable::NotPlanar, "{}", law.id),
            }
        }
    }
}

#[test]
fn diagonal_inverse_mass_gives_the_bilinear_law() {
    for case in 0..cases(20_000) {
        let mut random = random(SEED + 2, case);
        let friction = friction(&mut random);
        let w = Vector3::new(
            1.0,
            support::log_uniform(&mut random, -3.0, 3.0),
            support::log_uniform(&mut random, -3.0, 3.0),
        );
        let v = support::velocity(&mut random, true);
        let collision = Collision::new(&nalgebra::Matrix3::from_diagonal(&w), &v).unwrap();
        let (restitution, tangential_restitution) = (random.random(), random.random_range(-1.0..1.0));
        let expected = Bilinear { restitution, tangential_restitution, friction }.resolve(&collision).unwrap();
        for id in ["chatterjee-1", "chatterjee-2", "chatterjee-3", "chatterjee-combined"] {
            let bound = laws::find(id)
                .unwrap()
                .bind_from(|key| match key {
                    "restitution" => Some(restitution),
                    "tangential_restitution" => Some(tangential_restitution),
                    "friction" => Some(friction),
                    _ => None,
                })
                .unwrap();
            let outcome = bound.resolve_collision(&collision).unwrap();
            assert!(
                close(&outcome.impulse, &expected.impulse, expected.impulse.norm()),
                "case {case}: {id} {outcome:?} {expected:?}"
            );
        }
    }
}

/// Wang & Mason 1992, section 5: direct, central, frictionless, plastic, and sliding collisions.
#[test]
fn poisson_equals_newton_in_the_five_cases_of_wang_and_mason() {
    let mut seen = [0_u64; 5];
    for case in 0..cases(40_000) {
        let mut random = random(SEED + 3, case);
        let mut w = support::inverse_mass(&mut random, true);
        let mut v = support::velocity(&mut random, true);
        let (mut restitution, mut friction): (f64, f64) = (random.random(), friction(&mut random));
        match case % 5 {
            0 => v.y = 0.0,
            1 => (w[(0, 1)], w[(1, 0)]) = (0.0, 0.0),
            2 => friction = 0.0,
            3 => restitution = 0.0,
            _ => {}
        }
        let collision = Collision::new(&w, &v).unwrap();
        let resolve = |termination| Routh { restitution, friction, termination }.resolve(&collision).unwrap();
        let (poisson, newton) = (resolve(Termination::Poisson), resolve(Termination::Newton));
        if case % 5 == 4 && poisson.mode.name() != "sliding" {
            continue;
        }
        seen[(case % 5) as usize] += 1;
        assert!(
            close(&poisson.impulse, &newton.impulse, condition_scale(&collision, &poisson)),
            "case {case}:\n{collision:?}\n{poisson:?}\n{newton:?}"
        );
        let stronge = resolve(Termination::Stronge);
        assert!(close(&poisson.impulse, &stronge.impulse, condition_scale(&collision, &poisson)), "case {case}");
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

#[test]
fn restitution_coefficients_of_routh_are_what_was_asked() {
    for case in 0..cases(20_000) {
        let mut random = random(SEED + 4, case);
        let w = support::inverse_mass(&mut random, true);
        let v = support::velocity(&mut random, true);
        let collision = Collision::new(&w, &v).unwrap();
        let (restitution, friction): (f64, f64) = (random.random(), friction(&mut random));
        for termination in [Termination::Poisson, Termination::Newton, Termination::Stronge] {
            let outcome = Routh { restitution, friction, termination }.resolve(&collision).unwrap();
            let found = outcome.restitution(&collision);
            let found = match termination {
                Termination::Poisson => found.poisson,
                Termination::Newton => found.newton,
                Termination::Stronge => found.stronge,
            };
            let rounding = 1e-13 * normal_cancellation(&collision, &outcome).powi(2);
            assert!(
                (found.unwrap() - restitution).abs() <= rounding,
                "case {case}: {termination:?} {found:?} {restitution} {rounding}"
            );
        }
    }
}
