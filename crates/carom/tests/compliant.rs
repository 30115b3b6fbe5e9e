//! Compliant contacts against closed forms and the numbers of Chatterjee 1997, chapter 8.
#![allow(clippy::unwrap_used)]

use carom::design::{restitution_of_damping_ratio, restitution_of_speed_ratio};
use carom::laws::{BilinearSpring, Damping, NonlinearDashpot, SpringDashpot, StrongeCompliant, Unloading};
use carom::{Collision, Motion, Outcome};
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

fn newton(outcome: &Outcome, collision: &Collision) -> f64 {
    outcome.restitution(collision).newton.unwrap()
}

fn duration(outcome: &Outcome) -> f64 {
    outcome.course.unwrap().duration.unwrap()
}

#[test]
fn spring_and_dashpot_head_on_have_the_closed_form_s_restitution_and_duration() {
    for zeta in [0.0_f64, 0.05, 0.2, 0.7, 0.999, 1.0, 1.5, 5.0, 40.0] {
        let (mass, k) = (0.3, 2e5_f64);
        let c = 2.0 * zeta * (k * mass).sqrt();
        let collision = head_on(mass, 2.0);
        let outcome = spring_dashpot(k, Damping::Coefficient(c)).resolve(&collision).unwrap();
        let e = restitution_of_damping_ratio(zeta);
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
            assert!((e - restitution_of_speed_ratio(a)).abs() < 1e-11, "{a} {e}");
        }
    }
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
        let (_, history) = bound.follow(&collision).unwrap();
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
    let (outcome, history) = bound.follow(&collision).unwrap();
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
    assert_eq!(outcome.impulse, bound.resolve(&collision).unwrap().impulse);
}
