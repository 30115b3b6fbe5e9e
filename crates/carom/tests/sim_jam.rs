//! Where the event engine cannot do as the law and Coulomb friction say: slip that jams, and impacts that a law refuses.
#![allow(clippy::unwrap_used)]

use carom::laws::find;
use carom::sim::{EventEngine, EventKind, EventSettings, Failure, Hull, Materials, Mover, Part, Pose, Scene};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_4;

const G: f64 = 9.81;

/// A rod of 1 kg and 1 m at 45°, its lower tip so high above the floor.
fn rod(law: &str, parameters: &[(&'static str, f64)], height: f64, velocity: Vector3<f64>) -> EventEngine {
    let up = 0.5 * FRAC_PI_4.sin();
    let pose = Pose {
        position: Vector3::new(up, up + height, 0.0),
        orientation: UnitQuaternion::from_scaled_axis(Vector3::z() * FRAC_PI_4),
    };
    let rod = Mover::new(1.0, Matrix3::identity() / 12.0, true).unwrap();
    let rod = rod.with_parts(vec![Part::sharp(Hull::segment(1.0, true), 0)]);
    let scene = Scene {
        gravity: -Vector3::y() * G,
        bodies: vec![rod.at(pose, velocity, Vector3::zeros())],
        world: vec![Part::half_space(Vector3::y(), 0.0, 0)],
        ..Scene::empty(true, Materials::uniform(parameters), find(law).unwrap())
    };
    EventEngine::new(scene, EventSettings::default()).unwrap()
}

/// Painlevé's rod slides on its tip at 0.2 m/s. Below a friction of 5/3 a finite force stops it, however great; above, an impulse does
/// (Wang & Mason 1992, case 4: 0.1125 N s, and 0.06 m/s after it). So does it where rounding cannot tell.
#[test]
fn a_rod_stops_or_jams_however_close_to_the_threshold_its_friction_is() {
    for below in [1e-2, 1e-4, 1e-6, 3e-7, 3e-8, 1e-9, 1e-12, 1e-15, 0.0, -1e-15, -1e-12, -1e-9, -1e-7, -1e-3] {
        let friction = 5.0 / 3.0 * (1.0 - below);
        let parameters = [("restitution", 0.5), ("friction", friction)];
        let mut engine = rod("routh-poisson", &parameters, 0.0, -0.2 * Vector3::x());
        let event = engine.advance(0.3).unwrap().unwrap();
        if below > 1e-7 {
            assert_eq!(event.kind, EventKind::StickStart, "{below}");
            // The tip slows down by (μ w_tt − w_nt) λ, where (w_nn − μ w_nt) λ = g.
            let slowing = (2.5 * friction - 1.5) * G / (2.5 - 1.5 * friction);
            assert!((event.time * slowing / 0.2 - 1.0).abs() < 1e-3, "{below}: {}", event.time);
        } else {
            assert_eq!((event.kind, event.time), (EventKind::Jam, 0.0), "{below}");
            let contact = &event.contacts[0];
            assert!((contact.impulse.x - 0.1125).abs() < 1e-6, "{below}: {}", contact.impulse);
            assert!((contact.velocity_after - Vector3::x() * 0.06).norm() < 1e-6, "{below}");
        }
        while engine.advance(0.3).unwrap().is_some() {}
        assert!(engine.ledger().residual().abs() < 1e-9, "{below}: {:?}", engine.ledger());
    }
}

/// `bilinear` refuses every impact of a rod at an angle. One that is slow among the speeds in the scene is completed without rebound,
/// and the tip slides on from there; a faster one ends the run.
#[test]
fn slow_impacts_that_a_law_refuses_are_completed_without_rebound() {
    let parameters = [("restitution", 0.5), ("tangential_restitution", 0.0), ("friction", 0.1)];
    let along = 100.0 * Vector3::x();
    let falls = |speed: f64| rod("bilinear", &parameters, 0.5 * speed * speed / G, along);
    let mut slow = falls(5e-3);
    let event = slow.advance(0.1).unwrap().unwrap();
    assert!(matches!(event.kind, EventKind::Accumulation { .. }), "{:?}", event.kind);
    let contact = &event.contacts[0];
    assert!((contact.velocity_before.x + 5e-3).abs() < 1e-6 && contact.velocity_after.x.abs() < 1e-12);
    assert!((contact.impulse.y.abs() - 0.1 * contact.impulse.x).abs() < 1e-12 && contact.impulse.x > 0.0);
    assert!(slow.advance(5.2e-4).unwrap().is_none());
    assert_eq!(slow.contacts().map(|(_, slips)| slips).collect::<Vec<_>>(), [true]);
    let fast = falls(5e-2).advance(0.1);
    assert!(matches!(fast, Err(Failure::Law { .. })), "{fast:?}");
}
