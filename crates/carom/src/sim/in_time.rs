//! A scene with the turns of its joints.

use super::loads::state_of;
use super::scene::Scene;
use super::state::State;
use std::ops::Deref;

/// A scene that an engine moves, and the part of its state that poses alone do not say: whole turns of revolute joints.
#[derive(Clone, Debug)]
pub(crate) struct SceneInTime {
    scene: Scene,
    /// The displacement of each joint when it was last followed, rad; 0 for prismatic ones.
    turned: Vec<f64>,
}

impl SceneInTime {
    /// At its start.
    pub(crate) fn new(scene: &Scene) -> SceneInTime {
        SceneInTime { scene: scene.clone(), turned: vec![0.0; scene.joints.len()] }
    }

    /// The displacement of a joint at these states, rad or m.
    pub(crate) fn displacement(&self, joint: usize, a: &State, b: &State) -> f64 {
        self.scene.joints[joint].displacement(a, b, self.turned[joint])
    }

    /// Counts the turns of revolute joints on.
    pub(crate) fn follow_joints(&mut self, states: &[State]) {
        for (joint, turned) in self.scene.joints.iter().zip(&mut self.turned) {
            let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
            if joint.counts_turns() {
                *turned = joint.displacement(&a, &b, *turned);
            }
        }
    }

    /// How far revolute joints are turned, for a checkpoint.
    pub(crate) fn turned(&self) -> &[f64] {
        &self.turned
    }

    /// Takes them back, one for each joint.
    pub(crate) fn turn_joints(&mut self, turned: &[f64]) {
        self.turned.copy_from_slice(turned);
    }
}

impl Deref for SceneInTime {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.scene
    }
}
