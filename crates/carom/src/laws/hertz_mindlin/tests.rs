//! The beds against the closed forms of Cattaneo, Mindlin and Deresiewicz, without any motion.

use super::*;
use crate::course::Motion;
use nalgebra::{Vector2, Vector3};
use scaled::Pose;

const FRICTION: f64 = 0.4;

fn scaled() -> Scaled {
    let collision = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, 0.3]).unwrap();
    Scaled::of(&collision, 1.0, 1.0, FRICTION, 0.82)
}

/// A bed that has been brought somewhere in small steps.
struct Held<B> {
    bed: B,
    pose: Pose,
    force: Vector3<f64>,
}

impl<B: Bed> Held<B> {
    fn new(bed: B) -> Held<B> {
        Held { bed, pose: Pose::default(), force: Vector3::zeros() }
    }

    fn bring(&mut self, indentation: f64, shift: f64) {
        const STEPS: i32 = 2000;
        let from = self.pose;
        for k in 1..=STEPS {
            let part = f64::from(k) / f64::from(STEPS);
            let shift = Vector2::new(shift, 0.0);
            let to = Pose {
                indentation: from.indentation + part * (indentation - from.indentation),
                shift: from.shift + (shift - from.shift) * part,
            };
            self.force = self.bed.reach(&self.pose, &to);
            self.pose = to;
        }
    }
}

/// F_t of a contact under constant pressure d = 1 whose shift has grown from zero: μ F_n (1 − c³/a³), c² = a² − u/λ
/// (Cattaneo 1938, Mindlin 1949; Lai 1999, 4.95 and 4.96).
fn mindlin(shift: f64) -> f64 {
    let c = (1.0 - shift / scaled().limit()).max(0.0).sqrt();
    FRICTION * 4.0 / 3.0 * (1.0 - c.powi(3))
}

fn under_constant_pressure(bed: impl Bed, tolerance: f64) {
    let mut held = Held::new(bed);
    held.bring(1.0, 0.0);
    assert!((held.force.x / (4.0 / 3.0) - 1.0).abs() < tolerance, "{}", held.force.x);
    let close = |force: &Vector3<f64>, expected: f64| (force.y + expected).abs() < tolerance;
    let most = scaled().limit();
    for part in [0.2, 0.5, 0.8] {
        held.bring(1.0, part * most);
        assert!(close(&held.force, mindlin(part * most)), "{part}: {} {}", held.force.y, mindlin(part * most));
        assert_eq!(held.bed.edge().unwrap().motion, Motion::PartlySlipping);
    }
    // Back again: twice as far for twice as much (Mindlin & Deresiewicz 1953).
    let turn = 0.8 * most;
    for part in [0.6, 0.3, 0.0, -0.4, -0.8] {
        held.bring(1.0, part * most);
        let expected = mindlin(turn) - 2.0 * mindlin(0.5 * (turn - part * most));
        assert!(close(&held.force, expected), "{part}: {} {expected}", held.force.y);
    }
    // The loop closes, and beyond it the contact slips all over.
    held.bring(1.0, 0.8 * most);
    assert!(close(&held.force, mindlin(0.8 * most)), "{}", held.force.y);
    held.bring(1.0, 1.1 * most);
    assert!(close(&held.force, mindlin(most)));
    assert_eq!(held.bed.edge().unwrap().motion, Motion::Slipping);
}

/// Pressed and shifted together below the limit nothing slips, and F_t = κ u/d F_n; above it all of it does.
fn along_a_line(bed: impl Fn() -> Springs) {
    for (part, share, motion) in [(0.9, 0.9, Motion::Sticking), (1.1, 1.0, Motion::Slipping)] {
        let mut held = Held::new(bed());
        held.bring(1.0, part * scaled().limit());
        assert!((-held.force.y / (FRICTION * held.force.x) - share).abs() < 1e-12, "{}", held.force);
        assert_eq!(held.bed.edge().unwrap().motion, motion);
    }
}

#[test]
fn springs_obey_cattaneo_mindlin_and_deresiewicz() {
    under_constant_pressure(Springs::new(&scaled(), 100, 1.0), 2e-4);
    along_a_line(|| Springs::new(&scaled(), 100, 1.0));
}

#[test]
fn annuli_obey_cattaneo_mindlin_and_deresiewicz() {
    under_constant_pressure(Annuli::new(&scaled(), 100, 1.0), 2e-3);
    let mut held = Held::new(Annuli::new(&scaled(), 100, 1.0));
    held.bring(1.0, 0.9 * scaled().limit());
    assert!((-held.force.y / (FRICTION * held.force.x) - 0.9).abs() < 0.01, "{}", held.force);
}
