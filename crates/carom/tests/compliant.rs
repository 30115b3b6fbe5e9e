//! Compliant contacts against closed forms and the numbers of Chatterjee 1997, chapter 8.
#![allow(clippy::unwrap_used)]

use carom::design::{GrowingDashpot, LinearDashpot};
use carom::laws::{
    BilinearSpring, Damping, DeadCollision, IvanovPotential, NonlinearDashpot, SplitMass, SpringDashpot,
    StrongeCompliant, Unloading,
};
use carom::{Collision, ContactOutcome, Motion};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::FRAC_PI_2;

fn head_on(mass: f64, speed: f64) -> Collision {
    Collision::planar([[1.0 / mass, 0.0], [0.0, 3.5 / mass]], [-speed, 0.0]).unwrap()
}

fn spring_dashpot(stiffness: f64, damping: Damping) -> SpringDashpot {
    SpringDashpot {
        stiffness,
        damping,
        stiffness_ratio: 1.0,
        tangential_damping: None,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        along_eigenvectors: false,
    }
}

fn bilinear(restitution: f64, unloading: Unloading) -> BilinearSpring {
    BilinearSpring {
        restitution,
        stiffness: 3e4,
        stiffness_ratio: 0.7,
        static_friction: 0.4,
        kinetic_friction: 0.4,
        unloading,
    }
}

fn newton(outcome: &ContactOutcome, collision: &Collision) -> f64 {
    outcome.restitution(collision).newton.unwrap()
}

fn duration(outcome: &ContactOutcome) -> f64 {
    outcome.course.unwrap().duration.unwrap()
}

#[test]
fn spring_and_dashpot_head_on_have_the_closed_form_s_restitution_and_duration() {
    for zeta in [0.0_f64, 0.05, 0.2, 0.7, 0.999, 1.0, 1.5, 5.0, 40.0] {
        let (mass, k) = (0.3, 2e5_f64);
        let c = 2.0 * zeta * (k * mass).sqrt();
        let collision = head_on(mass, 2.0);
        let outcome = spring_dashpot(k, Damping::Coefficient(c)).resolve(&collision).unwrap();
        let e = LinearDashpot::restitution(zeta).unwrap();
        assert!((newton(&outcome, &collision) - e).abs() < 1e-11, "{zeta}: {} {e}", newton(&outcome, &collision));
        if zeta < 1.0 {
            let exact = (2.0 * zeta * zeta - 1.0).acos() / (1.0 - zeta * zeta).sqrt() * (mass / k).sqrt();
            assert!((duration(&outcome) / exact - 1.0).abs() < 1e-10, "{zeta}");
        }
    }
    // Undamped: F = v √(k m).
    let outcome = spring_dashpot(2e5, Damping::Coefficient(0.0)).resolve(&head_on(0.3, 2.0)).unwrap();
    assert!((outcome.course.unwrap().peak_force.unwrap() / (2.0 * 6e4_f64.sqrt()) - 1.0).abs() < 1e-6);
}

#[test]
fn a_dashpot_tuned_to_a_restitution_has_it() {
    for e in [1e-3, 0.01, 0.1, 0.5, 0.9, 1.0] {
        let collision = head_on(2.0, 0.7);
        let outcome = spring_dashpot(1e3, Damping::Restitution(e)).resolve(&collision).unwrap();
        assert!((newton(&outcome, &collision) - e).abs() < 1e-11, "{e}");
    }
}

#[test]
fn a_growing_dashpot_head_on_follows_equation_8_3_at_any_mass() {
    for a in [0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0] {
        for mass in [0.2, 7.0] {
            let (k, v) = (4e4, 1.7);
            let law = NonlinearDashpot {
                stiffness: k,
                damping: a * k / v,
                exponent: 1.0,
                stiffness_ratio: 1.0,
                static_friction: 0.2,
                kinetic_friction: 0.2,
            };
            let collision = head_on(mass, v);
            let e = newton(&law.resolve(&collision).unwrap(), &collision);
            assert!((e - GrowingDashpot::restitution(a).unwrap()).abs() < 1e-11, "{a} {e}");
        }
    }
}

/// A contact of mass 1 and stiffness 1 that comes in at speed 1.
fn growing(damping: f64, exponent: f64) -> NonlinearDashpot {
    NonlinearDashpot {
        stiffness: 1.0,
        damping,
        exponent,
        stiffness_ratio: 1.0,
        static_friction: 0.0,
        kinetic_friction: 0.0,
    }
}

#[test]
fn a_strong_growing_dashpot_touches_until_the_compression_is_gone() {
    // The bodies creep out at the speed k/c long after the force has become less than rounding.
    let table =
        [(36.0, 8.769, 6e-4), (40.0, 9.213, 6e-4), (60.0, 11.174, 6e-4), (100.0, 14.311, 6e-4), (1000.0, 44.77, 6e-3)];
    for (a, expected, rounding) in table {
        let outcome = growing(a, 1.0).resolve(&head_on(1.0, 1.0)).unwrap();
        let exact = GrowingDashpot { stiffness: 1.0, damping: a }.impact(1.0, 1.0).unwrap();
        assert!((duration(&outcome) - expected).abs() < rounding, "{a}: {}", duration(&outcome));
        assert!((duration(&outcome) / exact.duration - 1.0).abs() < 1e-9, "{a}: {}", duration(&outcome));
    }
    for a in [1.0, 10.0, 34.0, 35.0, 1e4, 1e6] {
        let outcome = growing(a, 1.0).resolve(&head_on(1.0, 1.0)).unwrap();
        let exact = GrowingDashpot { stiffness: 1.0, damping: a }.impact(1.0, 1.0).unwrap();
        // The speed of parting is known to rounding of the approach, and the time follows from it.
        assert!((duration(&outcome) / exact.duration - 1.0).abs() < 1e-9 + 1e-13 * a, "{a}: {}", duration(&outcome));
        assert!((outcome.velocity_after.x - exact.restitution).abs() < 1e-11, "{a}: {}", outcome.velocity_after.x);
    }
}

#[test]
fn a_dashpot_that_grows_as_the_root_of_compression_ends_where_the_force_does() {
    // Velocities and duration by small steps of the same equations.
    let collision = Collision::planar([[1.3, -0.4], [-0.4, 3.1]], [-1.0, 0.8]).unwrap();
    let law = NonlinearDashpot {
        stiffness: 1000.0,
        stiffness_ratio: 0.7,
        static_friction: 0.25,
        kinetic_friction: 0.25,
        ..growing(9.0, 0.5)
    };
    let outcome = law.resolve(&collision).unwrap();
    let after = outcome.velocity_after;
    assert!((after - Vector3::new(0.921_319, -0.568_448, 0.0)).norm() < 2e-6, "{after}");
    assert!((duration(&outcome) - 0.084_445).abs() < 1e-6, "{}", duration(&outcome));
}

#[test]
fn bilinear_springs_return_the_square_of_e_and_last_as_long_as_8_4_says() {
    let (mass, k) = (0.5, 3e4_f64);
    let collision = head_on(mass, 1.3);
    for e in [0.0, 0.2, 0.5, 0.9, 1.0] {
        let quarter = FRAC_PI_2 * (mass / k).sqrt();
        let steep = bilinear(e, Unloading::Steep).resolve(&collision).unwrap();
        assert!((newton(&steep, &collision) - e).abs() < 1e-11, "{e}");
        assert!((steep.restitution(&collision).stronge.unwrap() - e).abs() < 1e-9, "{e}");
        assert!((duration(&steep) / (quarter * (1.0 + e)) - 1.0).abs() < 1e-10, "{e}");
        let shallow = bilinear(e, Unloading::Shallow).resolve(&collision).unwrap();
        assert!((newton(&shallow, &collision) - e).abs() < 1e-11, "{e}");
        let lasting = if e > 0.0 { 1.0 + 1.0 / e } else { 1.0 };
        assert!((duration(&shallow) / (quarter * lasting) - 1.0).abs() < 1e-10, "{e}");
    }
}

#[test]
fn elements_along_eigenvectors_do_not_add_up_to_their_own_restitution() {
    // Chatterjee 1997, 8.5: λ = (1, 1/4), elements tuned to e = 1/2, at π/4, frictionless; any incidence.
    let h = 0.5_f64.sqrt();
    let (d1, d2) = (Vector3::new(h, -h, 0.0), Vector3::new(h, h, 0.0));
    let across = Vector3::z();
    let w = d1 * d1.transpose() + d2 * d2.transpose() * 4.0 + across * across.transpose() * 2.0;
    for (ratio, expected, tolerance) in [(5.0, 0.357, 5e-4), (0.05, 0.4838, 5e-5), (0.25, 0.5, 1e-10)] {
        for slip in [0.0, 0.8, -3.0] {
            let collision = Collision::new(&w, &Vector3::new(-1.0, slip, 0.0)).unwrap();
            let mut law = spring_dashpot(100.0, Damping::Restitution(0.5));
            law.stiffness_ratio = ratio;
            law.along_eigenvectors = true;
            (law.static_friction, law.kinetic_friction) = (0.0, 0.0);
            // Both eigenvectors are as upright as each other: turn a little to make d1 the normal one.
            let tilt = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), 1e-9).into_inner();
            let tilted = Collision::new(&(tilt * w * tilt.transpose()), collision.velocity()).unwrap();
            let e = newton(&law.resolve(&tilted).unwrap(), &tilted);
            assert!((e - expected).abs() < tolerance, "{ratio} {slip}: {e}");
        }
    }
}

#[test]
fn a_contact_that_sticks_throughout_has_the_tangential_restitution_of_its_two_periods() {
    // Chatterjee 1997, 5.2.4: e_t = −cos((1 + e)(π/2)√(k_t M_nn/(k_n M_tt))) for a sphere, M = diag(7, 2, 2).
    let sphere = Matrix3::from_diagonal(&Vector3::new(1.0 / 7.0, 0.5, 0.5));
    for (e, ratio, exact) in [(1.0_f64, 2.0 / 7.0, true), (0.7, 2.0 / 7.0, false)] {
        let collision = Collision::new(&sphere, &Vector3::new(-1.0, 0.06, -0.08)).unwrap();
        let law = StrongeCompliant { restitution: e, stiffness: 1e4, stiffness_ratio: ratio, friction: 50.0 };
        let after = law.resolve(&collision).unwrap().velocity_after;
        let expected = -((1.0 + e) * FRAC_PI_2 * (ratio * 3.5).sqrt()).cos();
        let got = -after.yz().dot(&collision.velocity().yz()) / collision.velocity().yz().norm_squared();
        let tolerance = if exact { 1e-9 } else { 1e-3 };
        assert!((got - expected).abs() < tolerance, "{got} {expected}");
    }
}

#[test]
fn the_critical_angle_of_a_puck_on_springs_comes_out() {
    // Chatterjee 1997, 11.3 (k_n/k_t = 1.25, λ ratio 3, μ = 0.16, e = 1): all sliding beyond 37.23°.
    let at = |degrees: f64| {
        let theta = degrees.to_radians();
        let collision = Collision::planar([[1.0 / 3.0, 0.0], [0.0, 1.0]], [-theta.cos(), theta.sin()]).unwrap();
        let law = StrongeCompliant { restitution: 1.0, stiffness: 1e3, stiffness_ratio: 0.8, friction: 0.16 };
        let (_, slips_above) = law.regimes(&collision).unwrap();
        let outcome = law.resolve(&collision).unwrap();
        (-outcome.impulse.y / outcome.impulse.x, slips_above.atan().to_degrees())
    };
    assert!((at(35.0).0 - 0.15778).abs() < 5e-6, "{}", at(35.0).0);
    assert!((at(35.0).1 - 37.23).abs() < 5e-3, "{}", at(35.0).1);
    for degrees in [37.24, 40.0, 60.0, 89.0] {
        assert!((at(degrees).0 - 0.16).abs() < 1e-10, "{degrees}: {}", at(degrees).0);
    }
    assert!(at(37.22).0 < 0.16 - 1e-12);
}

#[test]
fn stronge_s_regimes_are_where_the_phases_change() {
    let law = StrongeCompliant { restitution: 0.6, stiffness: 2e4, stiffness_ratio: 0.8, friction: 0.3 };
    let phases = |slip: f64| {
        let collision = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, slip]).unwrap();
        let bound = carom::laws::find("stronge-compliant")
            .unwrap()
            .bind(&[("restitution", 0.6), ("stiffness", 2e4), ("stiffness_ratio", 0.8), ("friction", 0.3)])
            .unwrap();
        let (_, history) = bound.follow_collision(&collision).unwrap();
        history.unwrap().phases().iter().map(|phase| phase.motion).collect::<Vec<_>>()
    };
    let collision = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, 1.0]).unwrap();
    let (sticks_below, slips_above) = law.regimes(&collision).unwrap();
    assert_eq!(phases(0.999 * sticks_below)[0], Motion::Sticking);
    assert_eq!(phases(1.001 * sticks_below)[0], Motion::Slipping);
    assert!(phases(0.999 * slips_above).contains(&Motion::Sticking));
    assert_eq!(phases(1.001 * slips_above), [Motion::Slipping]);
}

#[test]
fn static_friction_above_kinetic_holds_longer_and_then_lets_go() {
    let collision = Collision::planar([[1.0, 0.2], [0.2, 3.0]], [-1.0, 0.35]).unwrap();
    let law = |static_friction: f64| BilinearSpring {
        static_friction,
        kinetic_friction: 0.2,
        ..bilinear(0.8, Unloading::Steep)
    };
    let (held, slipped) = (law(0.9).resolve(&collision).unwrap(), law(0.2).resolve(&collision).unwrap());
    assert!((held.velocity_after - slipped.velocity_after).norm() > 1e-3);
    assert!(collision.energy_change(&held.impulse) <= 0.0);
}

#[test]
fn the_history_ends_where_the_outcome_does_and_its_phases_join() {
    let collision =
        Collision::new(&Matrix3::new(1.0, 0.3, -0.1, 0.3, 2.0, 0.2, -0.1, 0.2, 2.5), &Vector3::new(-1.0, 0.4, -0.5))
            .unwrap();
    let bound = carom::laws::find("spring-dashpot")
        .unwrap()
        .bind(&[("restitution", 0.7), ("stiffness", 1e5), ("friction", 0.4)])
        .unwrap();
    let (outcome, history) = bound.follow_collision(&collision).unwrap();
    let history = history.unwrap();
    let last = history.samples.last().unwrap();
    assert!((last.impulse - outcome.impulse).norm() < 1e-12);
    assert!((last.at - duration(&outcome)).abs() < 1e-15);
    let phases = history.phases();
    assert_eq!(phases[0].from, 0.0);
    assert!(phases.windows(2).all(|pair| pair[0].to == pair[1].from));
    assert!(phases.len() > 1);
    for sample in &history.samples {
        let (force, slip) = (sample.force.unwrap(), sample.slip);
        assert!(force.yz().norm() <= 0.4 * force.x + 1e-8 * force.x.max(1.0), "{sample:?}");
        if sample.motion == Motion::Slipping && slip.norm() > 1e-6 {
            assert!(force.yz().dot(&slip) <= 0.0, "{sample:?}");
        }
    }
    assert_eq!(outcome.impulse, bound.resolve_collision(&collision).unwrap().impulse);
}

/// Chatterjee 1997, 8.1, in (n, t) with K = (1, k_t): numbers of an independent integrator, theory of chapter 8.
fn split(restitution: f64, tangential: f64, friction: f64) -> SplitMass {
    SplitMass {
        restitution,
        stiffness: 1.0,
        stiffness_ratio: tangential,
        friction,
        dead_collision: DeadCollision::Routh,
    }
}

#[test]
fn the_split_mass_has_the_numbers_of_8_1_at_any_scale() {
    for (mass, speed) in [(1.0, 1.0), (7.3, 1.0), (1.0, 3.1)] {
        let collision =
            Collision::planar([[1.0 / (3.0 * mass), 0.0], [0.0, 1.0 / mass]], [-speed, -1.5 * speed]).unwrap();
        for (k_t, tangential, ratio, loss) in [(0.3, 0.12, 0.3, -1.65780), (3.0, -0.100_922_34, 0.25909, -1.65991)] {
            for dead_collision in [DeadCollision::Routh, DeadCollision::Whittaker] {
                let outcome = SplitMass { dead_collision, ..split(0.8, k_t, 0.3) }.resolve(&collision).unwrap();
                let after = outcome.velocity_after / speed;
                assert!((after - Vector3::new(0.8, tangential, 0.0)).norm() < 6e-9, "{after}");
                assert!((outcome.impulse.y / outcome.impulse.x - ratio).abs() < 5e-6);
                let change = collision.energy_change(&outcome.impulse) / (mass * speed * speed);
                assert!((change - loss).abs() < 6e-6, "{change}");
                // With α = e = m_A/(m_A + m_B): the contact lasts half a period of m_A on its spring.
                let exact = std::f64::consts::PI * (0.8 * 3.0 * mass).sqrt();
                assert!((duration(&outcome) / exact - 1.0).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn the_split_mass_without_friction_has_restitution_alpha_only_for_springs_that_fit() {
    // M = R(1/2) diag(4, 1) R(1/2)ᵀ, α = 0.6: e_n = 0.6 (K = Id along n only), 0.463182 (K = Id), 0.544174 (K = diag(1, 0.2)).
    let (s, c) = 0.5_f64.sin_cos();
    let mass = nalgebra::Matrix2::new(4.0 * c * c + s * s, 3.0 * s * c, 3.0 * s * c, 4.0 * s * s + c * c);
    let w = mass.try_inverse().unwrap();
    let collision = Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]], [-1.0, 0.0]).unwrap();
    for (k_t, expected, tolerance) in [(1e-6, 0.6, 1e-5), (1.0, 0.463_182, 5e-7), (0.2, 0.544_174, 5e-7)] {
        let e = newton(&split(0.6, k_t, 0.0).resolve(&collision).unwrap(), &collision);
        assert!((e - expected).abs() < tolerance, "{k_t}: {e}");
    }
}

#[test]
fn the_split_mass_at_its_ends_is_a_dead_collision_and_a_spring() {
    let collision = Collision::planar([[1.0, 0.4], [0.4, 2.0]], [-1.0, 0.7]).unwrap();
    let dead = split(0.0, 0.5, 0.3).resolve(&collision).unwrap();
    let routh = carom::laws::find("routh-poisson").unwrap().bind(&[("restitution", 0.0), ("friction", 0.3)]).unwrap();
    assert!((dead.impulse - routh.resolve_collision(&collision).unwrap().impulse).norm() < 1e-14);
    let (almost, full) = (split(1.0 - 1e-4, 0.5, 0.3), split(1.0, 0.5, 0.3));
    let difference = almost.resolve(&collision).unwrap().impulse - full.resolve(&collision).unwrap().impulse;
    assert!(difference.norm() < 1e-3, "{difference}");
}

#[test]
fn a_rough_potential_keeps_all_energy_and_turns_the_slip() {
    let sphere = Matrix3::from_diagonal(&Vector3::new(1.0, 3.5, 3.5));
    let law = IvanovPotential { stiffness: 1e4, roughness: 0.4 };
    for slip in [0.0, 0.1, 0.5, 2.0] {
        let collision = Collision::new(&sphere, &Vector3::new(-1.0, 0.6 * slip, 0.8 * slip)).unwrap();
        let outcome = law.resolve(&collision).unwrap();
        assert!(collision.energy_change(&outcome.impulse).abs() < 1e-10 * collision.local_energy());
        assert!(outcome.impulse.yz().norm() <= 0.4 * outcome.impulse.x);
        // It stays in the plane of its motion.
        assert!((outcome.impulse.y * 0.8 - outcome.impulse.z * 0.6).abs() < 1e-12);
        assert!((duration(&outcome) > 0.0) && outcome.velocity_after.x > 0.0);
    }
    let head_on = head_on(2.0, 1.5);
    let outcome = law.resolve(&head_on).unwrap();
    assert!((newton(&outcome, &head_on) - 1.0).abs() < 1e-11);
    let half_period = std::f64::consts::PI * (2.0 / (1e4 * 1.8_f64)).sqrt();
    assert!((duration(&outcome) / half_period - 1.0).abs() < 1e-10);
}

#[test]
fn a_contact_that_could_go_on_in_several_ways_says_so() {
    // Chatterjee 1997, 8.5.1: elements at 45°, c = (2, 1), μ = 6.
    let collision = Collision::planar([[0.625, -0.375], [-0.375, 0.625]], [-1.0, 3.0]).unwrap();
    let mut most = 0;
    for slip in 0..40 {
        for stiffness in [1.0, 4.0, 16.0, 64.0] {
            let velocity = Vector3::new(-1.0, f64::from(slip) * 0.25 - 5.0, 0.0);
            let collision = Collision::new(collision.inverse_mass(), &velocity).unwrap();
            let law = SpringDashpot {
                stiffness,
                damping: Damping::Coefficient(2.0),
                stiffness_ratio: 1.0,
                tangential_damping: Some(1.0),
                static_friction: 6.0,
                kinetic_friction: 6.0,
                along_eigenvectors: true,
            };
            let outcome = law.resolve(&collision).unwrap();
            let ways = outcome.notes.iter().find_map(|note| match note {
                carom::ContactNote::AmbiguousContact { ways, ratio } if *ratio > 1.0 => Some(*ways),
                _ => None,
            });
            most = most.max(ways.unwrap());
        }
    }
    assert!(most > 1, "{most}");
}

#[test]
fn in_a_plane_only_its_own_tangent_decides_whether_the_motion_is_unique() {
    // Chatterjee 1997, 8.5.1: C_nt = 0.5 and C_tt = 1.5 in the plane, so that the ratio is μ/3; across it C is 1.
    for turn in [0.0_f64, 0.4, 2.0] {
        let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::x_axis(), turn);
        let w = Matrix3::new(1.5, -0.5, 0.0, -0.5, 1.5, 0.0, 0.0, 0.0, 1.5);
        let w = turn * w * turn.inverse();
        let collision = Collision::new(&((w + w.transpose()) * 0.5), &(turn * Vector3::new(-1.0, -2.0, 0.0))).unwrap();
        for (mu, expected) in [(6.0, Some(2.0)), (2.5, None)] {
            let law = SpringDashpot {
                stiffness: 1.0,
                damping: Damping::Coefficient(2.0),
                stiffness_ratio: 1.0,
                tangential_damping: Some(1.0),
                static_friction: mu,
                kinetic_friction: mu,
                along_eigenvectors: true,
            };
            let ratio = law.resolve(&collision).unwrap().notes.iter().find_map(|note| match note {
                carom::ContactNote::AmbiguousContact { ratio, .. } => Some(*ratio),
                _ => None,
            });
            match (ratio, expected) {
                (Some(ratio), Some(expected)) => assert!((ratio - expected).abs() < 1e-9, "{ratio}"),
                _ => assert_eq!(ratio, expected),
            }
        }
    }
}
