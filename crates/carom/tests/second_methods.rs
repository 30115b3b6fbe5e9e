//! Each law that takes some solving, against its own equations or a slow and plain second method.
#![allow(clippy::unwrap_used)]

mod support;

use carom::laws::{Routh, Smith, Termination, Whittaker};
use carom::{Collision, ContactNote};
use nalgebra::{Vector2, Vector3};
use rand::RngExt;
use support::{cases, random};

/// Collisions that are not extreme, so that a slow method with small steps can follow them.
fn mild(random: &mut support::Random, planar: bool) -> Collision {
    let turn = if planar {
        nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), random.random_range(0.0..6.3))
    } else {
        support::rotation(random)
    };
    let eigenvalues = Vector3::from_fn(|_, _| random.random_range(0.2..2.0));
    let w = turn * nalgebra::Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
    let slip = Vector2::new(random.random_range(-1.0..1.0), if planar { 0.0 } else { random.random_range(-1.0..1.0) });
    let v = Vector3::new(-random.random_range(0.1..1.0), slip.x, slip.y);
    Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap()
}

#[test]
fn routh_follows_coulomb_friction_in_small_steps() {
    const STEP: f64 = 2e-5;
    for case in 0..cases(60).min(2000) {
        let mut random = random(11, case);
        let collision = mild(&mut random, true);
        let (restitution, friction): (f64, f64) = (random.random(), random.random_range(0.0..1.5));
        let w = collision.inverse_mass();
        // Friction opposes the slip that would be there after the step, so that sticking needs no special case.
        let (mut v, mut p) = (*collision.velocity(), Vector3::zeros());
        let mut compressed = None;
        let (mut compression_work, mut restitution_work) = (0.0, 0.0);
        let mut ends = [None; 3];
        while ends.iter().any(Option::is_none) && p.x < 100.0 {
            let stop = -(v.y + w[(0, 1)] * STEP) / w[(1, 1)];
            let step = Vector3::new(STEP, stop.clamp(-friction * STEP, friction * STEP), 0.0);
            let before = v.x;
            v += w * step;
            p += step;
            let work = 0.5 * (before + v.x) * STEP;
            if compressed.is_none() {
                compression_work += work;
                if v.x >= 0.0 {
                    compressed = Some(p);
                }
            } else {
                restitution_work += work;
            }
            if let Some(compressed) = compressed {
                let e = restitution;
                let done = [
                    p.x >= (1.0 + e) * compressed.x,
                    v.x >= -e * collision.velocity().x,
                    restitution_work >= -e * e * compression_work,
                ];
                for (end, _) in ends.iter_mut().zip(done).filter(|(end, done)| end.is_none() && *done) {
                    *end = Some(p);
                }
            }
        }
        for (end, termination) in ends.iter().zip([Termination::Poisson, Termination::Newton, Termination::Stronge]) {
            let outcome = Routh { restitution, friction, termination }.resolve(&collision).unwrap();
            let difference = (outcome.impulse - end.unwrap()).norm();
            assert!(difference < 50.0 * STEP, "case {case} {termination:?}: {difference} {outcome:?}");
        }
    }
}

/// Number of slip solutions of Whittaker's law counted on a fine grid of slip angles.
fn slip_solutions_on_a_grid(collision: &Collision, restitution: f64, friction: f64) -> usize {
    const NODES: usize = 40_000;
    let (w, v) = (collision.inverse_mass(), collision.velocity());
    let state = |node: usize| {
        let angle = std::f64::consts::TAU * (node as f64 + 0.37) / NODES as f64;
        let u = Vector2::new(angle.cos(), angle.sin());
        let rate = w[(0, 0)] - friction * (w[(0, 1)] * u.x + w[(0, 2)] * u.y);
        let normal = -(1.0 + restitution) * v.x / rate;
        let after =
            collision.velocity_after(&Vector3::new(normal, -friction * normal * u.x, -friction * normal * u.y)).yz();
        (rate > 0.0 && after.dot(&u) > 0.0, u.x * after.y - u.y * after.x)
    };
    (0..NODES)
        .filter(|&node| {
            let (a, b) = (state(node), state(node + 1));
            a.0 && b.0 && (a.1 < 0.0) != (b.1 < 0.0)
        })
        .count()
}

#[test]
fn whittaker_finds_every_slip_solution() {
    let mut several = 0;
    for case in 0..cases(400).min(5_000) {
        let mut random = random(12, case);
        // Strong coupling and slow approach, where several solutions are not rare.
        let turn = support::rotation(&mut random);
        let eigenvalues = Vector3::from_fn(|_, _| support::log_uniform(&mut random, -1.5, 0.0));
        let w = turn * nalgebra::Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
        let v = Vector3::new(-support::log_uniform(&mut random, -2.0, 0.0), 1.0, 0.0);
        let collision = Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap();
        let (e, mu): (f64, f64) = (random.random(), random.random_range(0.05..4.0));
        let law = Whittaker { restitution: e, static_friction: mu, kinetic_friction: mu };
        let outcome = law.resolve(&collision).unwrap();
        let others = outcome.notes.iter().filter(|note| matches!(note, ContactNote::OtherSolution { .. })).count();
        let slips = others + usize::from(outcome.mode.name() != "sticking");
        assert_eq!(slips, slip_solutions_on_a_grid(&collision, e, mu), "case {case} {outcome:?}");
        several += usize::from(others > 0);
        if outcome.mode.name() != "sticking" {
            let slip = outcome.velocity_after.yz().normalize();
            let friction = outcome.impulse.yz() + slip * (mu * outcome.impulse.x);
            assert!(friction.norm() < 1e-9 * outcome.impulse.norm(), "case {case}: friction opposes the final slip");
        }
        assert!((outcome.velocity_after.x + e * collision.velocity().x).abs() < 1e-11, "case {case}");
    }
    assert!(several > 0, "collisions with several solutions occur");
}

#[test]
fn smith_satisfies_its_own_equation() {
    for case in 0..cases(20_000) {
        let mut random = random(13, case);
        let planar = random.random::<bool>();
        let collision = mild(&mut random, planar);
        let (restitution, friction): (f64, f64) = (random.random(), support::friction(&mut random));
        let outcome = Smith { restitution, friction }.resolve(&collision).unwrap();
        let (before, after) = (collision.velocity().yz(), outcome.velocity_after.yz());
        let g = (before * before.norm() + after * after.norm()) / (before.norm_squared() + after.norm_squared());
        let residual = outcome.impulse.yz() + g * (friction * outcome.impulse.x);
        let scale = (1.0 + friction) * outcome.impulse.norm();
        assert!(residual.norm() < 1e-11 * scale, "case {case}: {} {outcome:?}", residual.norm() / scale);
        assert!((outcome.velocity_after.x + restitution * collision.velocity().x).abs() < 1e-12, "case {case}");
    }
}

/// With ever more friction Smith's slip reverses, V_t after → −V_t, and stays there to any friction that is accepted.
#[test]
fn smith_bears_any_friction() {
    let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    let w = nalgebra::Matrix3::new(2.5, -1.5, 0.3, -1.5, 2.5, 0.4, 0.3, 0.4, 2.0);
    let tilted = Collision::new(&w, rod.velocity()).unwrap();
    for collision in [rod, tilted] {
        for exponent in [3, 8, 12, 16, 30, 100] {
            let friction = 10_f64.powi(exponent);
            let outcome = Smith { restitution: 0.5, friction }.resolve(&collision).unwrap();
            let reversed = (outcome.velocity_after.yz() + collision.velocity().yz()).norm();
            assert!(reversed < 2.0 / friction + 1e-12, "μ = {friction}: {outcome:?}");
            assert!(carom::audit::audit_collision(&collision, &outcome, friction).is_ok(), "μ = {friction}");
        }
    }
}

/// Inside the bounds that Brach's law reports the audit is content, outside it is not.
#[test]
fn the_bounds_of_brach_are_where_the_audit_changes_its_mind() {
    use carom::laws::Brach;
    for case in 0..cases(5_000) {
        let mut random = random(16, case);
        let mut collision = mild(&mut random, true);
        let friction = random.random_range(0.05..2.0);
        let restitution = if case % 7 == 0 { 1.0 } else { random.random() };
        if case % 14 == 0 {
            let w = nalgebra::Matrix3::from_diagonal(&collision.inverse_mass().diagonal());
            collision = Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        }
        let ask = |impulse_ratio: f64| {
            Brach { restitution, impulse_ratio, lateral_impulse_ratio: 0.0, friction }.resolve(&collision)
        };
        for start in [0.0, -0.01, 0.01] {
            let Some(&ContactNote::RatioBounds { least, greatest }) = ask(start).unwrap().notes.iter().next() else {
                panic!("case {case}: no bounds");
            };
            assert!(least <= 0.0 && greatest >= 0.0, "case {case}: {least} {greatest}");
            let admissible =
                |ratio: f64| ask(ratio).is_ok_and(|o| carom::audit::audit_collision(&collision, &o, friction).is_ok());
            let margin = 1e-4;
            for (bound, outward) in [(least, -1.0), (greatest, 1.0)] {
                assert!(bound.abs() < margin || admissible(bound - outward * margin), "case {case}: {bound} inside");
                assert!(!admissible(bound + outward * margin), "case {case}: {bound} outside");
            }
        }
    }
}

/// A planar collision turned in space stays planar however small its slip is.
#[test]
fn a_turned_planar_collision_is_recognised() {
    for case in 0..cases(2_000) {
        let mut random = random(17, case);
        let collision = mild(&mut random, true);
        let mut v = *collision.velocity();
        v.y *= support::log_uniform(&mut random, -16.0, 0.0);
        let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::x_axis(), random.random_range(0.0..6.3));
        let w = turn * collision.inverse_mass() * turn.inverse();
        let turned = Collision::new(&((w + w.transpose()) * 0.5), &(turn * v)).unwrap();
        let law = Routh { restitution: 0.5, friction: 0.4, termination: Termination::Poisson };
        let plane = law.resolve(&Collision::new(collision.inverse_mass(), &v).unwrap()).unwrap();
        let space = law.resolve(&turned).unwrap_or_else(|why| panic!("case {case}: {why} {v:?}"));
        assert!((turn * plane.impulse - space.impulse).norm() < 1e-9 * plane.impulse.norm(), "case {case}");
    }
}

/// A planar collision is a spatial one that couples nothing out of its plane: Smith's spatial solver, reached through the
/// faintest coupling, must agree with the planar one.
#[test]
fn smith_in_space_tends_to_smith_in_the_plane() {
    for case in 0..cases(5_000) {
        let mut random = random(14, case);
        let collision = mild(&mut random, true);
        let (restitution, friction): (f64, f64) = (random.random(), random.random_range(0.01..5.0));
        let mut w = *collision.inverse_mass();
        (w[(1, 2)], w[(2, 1)]) = (1e-9, 1e-9);
        let faintly_coupled = Collision::new(&w, collision.velocity()).unwrap();
        assert!(faintly_coupled.planar_section().is_none());
        let law = Smith { restitution, friction };
        let (plane, space) = (law.resolve(&collision).unwrap(), law.resolve(&faintly_coupled).unwrap());
        assert!(
            (plane.impulse - space.impulse).norm() < 1e-6 * plane.impulse.norm(),
            "case {case}\n{plane:?}\n{space:?}"
        );
    }
}

/// A purely sliding contact is the limit of ever slower approach, for every law that knows tangential impact.
#[test]
fn tangential_impact_is_the_limit_of_slow_approach() {
    let mut impacts = 0;
    for case in 0..cases(4_000) {
        let mut random = random(15, case);
        let planar = random.random::<bool>();
        let collision = mild(&mut random, planar);
        let friction = random.random_range(0.5..6.0);
        let (mut sliding, mut slow) = (*collision.velocity(), *collision.velocity());
        (sliding.x, slow.x) = (0.0, -1e-12);
        let sliding = Collision::new(collision.inverse_mass(), &sliding).unwrap();
        let slow = Collision::new(collision.inverse_mass(), &slow).unwrap();
        for id in
            ["whittaker", "smith", "routh-poisson", "routh-newton", "chatterjee-1", "chatterjee-2", "chatterjee-3"]
        {
            let law = carom::laws::find(id).unwrap();
            let bound = law.bind_from(|key| Some(if key.ends_with("friction") { friction } else { 0.4 })).unwrap();
            if let (Ok(limit), Ok(near)) = (bound.resolve_collision(&sliding), bound.resolve_collision(&slow)) {
                let size = limit.impulse.norm().max(near.impulse.norm()).max(1e-3);
                assert!((limit.impulse - near.impulse).norm() < 1e-4 * size, "case {case}: {id}\n{limit:?}\n{near:?}");
                impacts += usize::from(limit.impulse.x > 0.0);
            }
        }
    }
    assert!(impacts > 100, "{impacts}");
}
