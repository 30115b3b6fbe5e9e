//! Forces and torques that act all the time, their energy and their power.

use super::in_time::SceneInTime;
use super::load::{Anchor, Load};
use super::state::State;
use nalgebra::Vector3;

/// Force at the centre of mass and torque about it.
pub(crate) type Wrench = (Vector3<f64>, Vector3<f64>);

/// The state of a body, or of the world.
pub(crate) fn state_of(states: &[State], body: Option<usize>) -> State {
    body.map_or_else(State::world, |body| states[body])
}

fn push(wrenches: &mut [Wrench], states: &[State], body: Option<usize>, point: &Vector3<f64>, force: &Vector3<f64>) {
    if let Some(body) = body {
        wrenches[body].0 += force;
        wrenches[body].1 += (point - states[body].pose.position).cross(force);
    }
}

/// Adds the loads at a time to the wrenches of the bodies. Tells the power of those that have no potential energy.
pub(crate) fn apply(scene: &SceneInTime, time: f64, states: &[State], wrenches: &mut [Wrench]) -> f64 {
    let mut power = 0.0;
    for load in &scene.loads {
        match load {
            Load::Spring { a, b, stiffness, damping, rest_length } => {
                let ([p, q], [v, w]) = ends(states, a, b);
                let apart = p - q;
                let length = apart.norm();
                if length == 0.0 {
                    continue;
                }
                let along = apart / length;
                let rate = along.dot(&(v - w));
                let force = along * -(stiffness * (length - rest_length) + damping * rate);
                push(wrenches, states, a.index(), &p, &force);
                push(wrenches, states, b.index(), &q, &-force);
                power -= damping * rate * rate;
            }
            Load::TorsionSpring { joint, stiffness, damping, rest_angle } => {
                let (place, joint) = (joint.index(), &scene.joints[joint.index()]);
                let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
                let rate = joint.rate(&a, &b);
                let effort = -(stiffness * (scene.displacement(place, &a, &b) - rest_angle) + damping * rate);
                drive(states, wrenches, joint, effort);
                power -= damping * rate * rate;
            }
            Load::Motor { joint, effort } => {
                let joint = &scene.joints[joint.index()];
                let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
                let effort = effort.at(time);
                drive(states, wrenches, joint, effort);
                power += effort * joint.rate(&a, &b);
            }
            Load::Force { at, force, signal } => {
                let state = state_of(states, at.index());
                let (point, force) = (state.pose.point(&at.point), force * signal.at(time));
                push(wrenches, states, at.index(), &point, &force);
                power += force.dot(&state.point_velocity(&point));
            }
            Load::Torque { body, torque, signal } => {
                let torque = torque * signal.at(time);
                wrenches[body.index()].1 += torque;
                power += torque.dot(&states[body.index()].angular_velocity);
            }
        }
    }
    power
}

/// A torque about the axis of a joint, or a force along that of a prismatic one: on A, and its opposite on B.
fn drive(states: &[State], wrenches: &mut [Wrench], joint: &super::MovingJoint, effort: f64) {
    let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
    let along = joint.axis(&b) * effort;
    if joint.kind == super::JointKind::Prismatic {
        let point = a.pose.point(&joint.a.point);
        push(wrenches, states, joint.a.index(), &point, &along);
        push(wrenches, states, joint.b.index(), &point, &-along);
        return;
    }
    for (body, sign) in [(joint.a.index(), 1.0), (joint.b.index(), -1.0)] {
        if let Some(body) = body {
            wrenches[body].1 += along * sign;
        }
    }
}

/// Energy of gravity and springs, J.
pub(crate) fn potential(scene: &SceneInTime, states: &[State]) -> f64 {
    let heights = scene.bodies.iter().zip(states).map(|(body, s)| -body.mass * scene.gravity.dot(&s.pose.position));
    let springs = scene.loads.iter().map(|load| match load {
        Load::Spring { a, b, stiffness, rest_length, .. } => {
            let ([p, q], _) = ends(states, a, b);
            0.5 * stiffness * ((p - q).norm() - rest_length).powi(2)
        }
        Load::TorsionSpring { joint, stiffness, rest_angle, .. } => {
            let (place, joint) = (joint.index(), &scene.joints[joint.index()]);
            let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
            let angle = scene.displacement(place, &a, &b);
            0.5 * stiffness * (angle - rest_angle).powi(2)
        }
        _ => 0.0,
    });
    heights.sum::<f64>() + springs.sum::<f64>()
}

/// Bodies that a load acts on.
pub(crate) fn bodies_of(scene: &SceneInTime, load: &Load) -> [Option<usize>; 2] {
    match load {
        Load::Spring { a, b, .. } => [a.index(), b.index()],
        Load::TorsionSpring { joint, .. } | Load::Motor { joint, .. } => {
            let joint = &scene.joints[joint.index()];
            [joint.a.index(), joint.b.index()]
        }
        Load::Force { at, .. } => [at.index(), None],
        Load::Torque { body, .. } => [Some(body.index()), None],
    }
}

/// Places of two anchors in the world, and their velocities.
pub(crate) fn ends(states: &[State], a: &Anchor, b: &Anchor) -> ([Vector3<f64>; 2], [Vector3<f64>; 2]) {
    let place = |anchor: &Anchor| {
        let state = state_of(states, anchor.index());
        let point = state.pose.point(&anchor.point);
        (point, state.point_velocity(&point))
    };
    let ((p, v), (q, w)) = (place(a), place(b));
    ([p, q], [v, w])
}
