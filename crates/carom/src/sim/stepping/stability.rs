//! The steps in which springs and dampers are stable.
//!
//! A step takes the force of a spring from the places in its middle, and that of a damper from the velocities at its start. With the
//! inverse mass W along the load, a free body oscillates with growing amplitude from h² k W + 2 h c W = 4 on: a damper alone from
//! h c/m = 2, a spring alone from h² k/m = 4.

use crate::error::Error;
use crate::sim::constrained::Unheld;
use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::load::Load;
use crate::sim::loads::{ends, state_of};
use crate::sim::row::Row;
use crate::sim::state::State;
use nalgebra::{Matrix3, Vector3};

/// A load that answers to the motion, and the velocity that it answers to.
struct Feedback {
    row: Row,
    stiffness: f64,
    damping: f64,
}

impl Feedback {
    /// Nothing for loads that do not answer to the motion, and for springs whose ends are at one place: they have no direction.
    fn of(scene: &SceneInTime, states: &[State], load: &Load) -> Option<Feedback> {
        match load {
            Load::Spring { a, b, stiffness, damping, .. } => {
                let ([p, q], _) = ends(states, a, b);
                let along = (p - q).try_normalize(0.0)?;
                let side = |body: Option<usize>, point: Vector3<f64>, force: Vector3<f64>| {
                    (body, force, (point - state_of(states, body).pose.position).cross(&force))
                };
                let row = Row::new([side(a.index(), p, along), side(b.index(), q, -along)], 0.0);
                Some(Feedback { row, stiffness: *stiffness, damping: *damping })
            }
            Load::TorsionSpring { joint, stiffness, damping, .. } => {
                let joint = &scene.joints[joint.index()];
                let (a, b) = (joint.a.index(), joint.b.index());
                let (still, axis) = (Vector3::zeros(), joint.axis(&state_of(states, b)));
                let row = Row::new([(a, still, axis), (b, still, -axis)], 0.0);
                Some(Feedback { row, stiffness: *stiffness, damping: *damping })
            }
            Load::Motor { .. } | Load::Force { .. } | Load::Torque { .. } => None,
        }
    }

    /// The step from which it is unstable, s, for this inverse mass.
    fn limit(&self, inverse_mass: f64) -> f64 {
        let (damping, stiffness) = (self.damping * inverse_mass, self.stiffness * inverse_mass);
        4.0 / (damping + (damping * damping + 4.0 * stiffness).sqrt())
    }
}

/// Refuses steps in which a spring or a damper is unstable by itself at the start. Joints count, since they make bodies harder to move;
/// contacts and strings do not, since they open.
pub(super) fn check(scene: &SceneInTime, inertias: &[Inertia], states: &[State], step: f64) -> Result<(), Error> {
    for (place, load) in scene.loads.iter().enumerate() {
        let Some(feedback) = Feedback::of(scene, states, load) else { continue };
        let is_stable = |inverse_mass: f64| step < feedback.limit(inverse_mass);
        // Joints only lower the inverse mass: most loads need no look at them.
        if is_stable(inverse_mass(scene, inertias, states, &feedback.row, &[])) {
            continue;
        }
        let held: Vec<Row> = scene
            .joints
            .iter()
            .flat_map(|joint| {
                let [a, b] = [joint.a.index(), joint.b.index()].map(|body| state_of(states, body));
                joint.rows(a, b).map(|row| Row::new(row.sides, 0.0)).collect::<Vec<_>>()
            })
            .collect();
        let inverse_mass = inverse_mass(scene, inertias, states, &feedback.row, &held);
        if !is_stable(inverse_mass) {
            return Err(Error::UnstableLoad { load: place, step, limit: feedback.limit(inverse_mass) });
        }
    }
    Ok(())
}

/// The velocity along a row per impulse along it, with these rows held.
fn inverse_mass(scene: &SceneInTime, inertias: &[Inertia], states: &[State], row: &Row, held: &[Row]) -> f64 {
    let still = (Vector3::zeros(), Vector3::zeros());
    let inverse: Vec<(f64, Matrix3<f64>)> = inertias
        .iter()
        .zip(states)
        .map(|(inertia, state)| (inertia.mass.recip(), inertia.in_world(state)[1]))
        .collect();
    let mut bodies = Unheld { inverse, acceleration: vec![still; scene.bodies.len()], power: 0.0 };
    bodies.push(&[*row], &nalgebra::DVector::from_element(1, 1.0));
    if !held.is_empty() {
        bodies.hold(held, held, true);
    }
    row.dot(|body| bodies.acceleration[body])
}
