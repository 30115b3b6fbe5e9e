//! Which bodies pass through each other: those that a joint connects, and those that the scene lists.

use super::id::BodyId;
use super::scene::Scene;
use std::collections::HashSet;

/// Two things that never touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Two bodies.
    Bodies([BodyId; 2]),
    /// A body and one part of the world: the base of a robot that is part of the world, and the links that joints
    /// connect to it.
    Part {
        /// The body.
        body: BodyId,
        /// Place among the parts of the world.
        part: usize,
    },
}

/// All pairs of a scene that never touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    /// The higher place first.
    bodies: HashSet<[usize; 2]>,
    /// Place of the body, then of the part of the world.
    parts: HashSet<[usize; 2]>,
}

impl Filter {
    pub(super) fn of(scene: &Scene) -> Filter {
        let mut filter = Filter::default();
        for joint in scene.joints.iter().filter(|joint| !joint.collide) {
            if let (Some(a), Some(b)) = (joint.a.index(), joint.b.index()) {
                filter.bodies.insert([a.max(b), a.min(b)]);
            }
        }
        for passing in &scene.passing {
            match *passing {
                Passing::Bodies([a, b]) => filter.bodies.insert([a.max(b).index(), a.min(b).index()]),
                Passing::Part { body, part } => filter.parts.insert([body.index(), part]),
            };
        }
        filter
    }

    /// Whether two bodies may touch.
    pub(super) fn lets_touch(&self, a: usize, b: usize) -> bool {
        !self.bodies.contains(&[a.max(b), a.min(b)])
    }

    /// Whether a body may touch a part of the world.
    pub(super) fn lets_touch_world(&self, body: usize, part: usize) -> bool {
        !self.parts.contains(&[body, part])
    }
}
