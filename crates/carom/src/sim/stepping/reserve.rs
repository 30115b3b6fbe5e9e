//! Whether the motion has more energy than anything in the scene can have given it.
//!
//! With T and U the kinetic energy and that of the springs, and |f| the size of gravity, forces, torques and motors in the metric of the
//! inverse masses, d/dt √(2 (T + U)) ≤ |f|: dampers, joints and contacts only take energy. So √(2 T) never exceeds its start with U,
//! plus |f| t. Steps miss this by their length; where they exceed it a thousandfold, springs or dampers are unstable in them.

use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::load::{Anchor, Load, Signal};
use crate::sim::loads::{ends, state_of};

/// √(2 T) that a scene has at its start, and what it may gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reserve {
    /// √J.
    start: f64,
    /// √J/s.
    thrust: f64,
}

/// Speeds beyond the reserve by this factor are no motion of the scene. A spring at 1 − 10⁻⁶ of its limit of stability raises speeds
/// by this factor, and what is unstable exceeds any factor in a few more steps.
const RUNAWAY: f64 = 1e3;

impl Reserve {
    /// That of a scene at its start. Springs count as if they were drawn out by their length, or by a radian: then rounding of a spring
    /// at rest is no motion.
    pub(super) fn of(scene: &SceneInTime, inertias: &[Inertia]) -> Reserve {
        let states = scene.initial_states();
        let kinetic: f64 = inertias.iter().zip(&states).map(|(inertia, state)| inertia.kinetic(state)).sum();
        let spring = |load: &Load| match load {
            Load::Spring { a, b, stiffness, rest_length, .. } => {
                let ([p, q], _) = ends(&states, a, b);
                0.5 * stiffness * ((p - q).norm() + rest_length).powi(2)
            }
            Load::TorsionSpring { joint, stiffness, rest_angle, .. } => {
                let (place, joint) = (joint.index(), &scene.joints[joint.index()]);
                let [a, b] = [joint.a.index(), joint.b.index()].map(|body| state_of(&states, body));
                let angle = scene.displacement(place, &a, &b);
                0.5 * stiffness * (angle.abs() + rest_angle.abs() + 1.0).powi(2)
            }
            Load::Motor { .. } | Load::Force { .. } | Load::Torque { .. } => 0.0,
        };
        let stored: f64 = scene.loads.iter().map(spring).sum();
        let turning = |body: usize| inertias[body].in_world(&states[body])[1].norm().sqrt();
        let pushing = |at: &Anchor| {
            at.index().map_or(0.0, |body| inertias[body].mass.recip().sqrt() + at.point.norm() * turning(body))
        };
        let driving = |load: &Load| match load {
            Load::Spring { .. } | Load::TorsionSpring { .. } => 0.0,
            Load::Motor { joint, effort } => {
                let joint = &scene.joints[joint.index()];
                let sides = [&joint.a, &joint.b];
                let turn = |at: &Anchor| at.index().map_or(0.0, turning);
                peak(effort) * sides.map(|at| pushing(at) + turn(at)).iter().sum::<f64>()
            }
            Load::Force { at, force, signal } => peak(signal) * force.norm() * pushing(at),
            Load::Torque { body, torque, signal } => peak(signal) * torque.norm() * turning(body.index()),
        };
        let weight = scene.gravity.norm() * inertias.iter().map(|inertia| inertia.mass).sum::<f64>().sqrt();
        Reserve {
            start: (2.0 * (kinetic + stored)).sqrt(),
            thrust: weight + scene.loads.iter().map(driving).sum::<f64>(),
        }
    }

    /// Whether this much kinetic energy (J) at a time (s) can be. NaN cannot.
    pub(super) fn allows(&self, kinetic: f64, time: f64) -> bool {
        (2.0 * kinetic).sqrt() <= RUNAWAY * (self.start + self.thrust * time)
    }
}

fn peak(signal: &Signal) -> f64 {
    signal.offset.abs() + signal.amplitude.abs()
}
