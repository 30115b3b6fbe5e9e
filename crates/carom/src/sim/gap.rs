//! How far parts are apart, for pictures and tables.

use super::id::BodyId;
use super::part::Part;
use super::scene::Scene;
use super::state::{Pose, State};
use super::touch::separation::Separation;

impl Part {
    /// The gap to another part, each at its pose, m: zero where they touch, negative where they overlap, and never more than their
    /// distance. Nothing where this one is a half-space.
    ///
    /// ```
    /// use carom::sim::{MaterialId, Part, Pose};
    /// use nalgebra::Vector3;
    ///
    /// let floor = Part::half_space(Vector3::y(), 0.0, MaterialId::default());
    /// let pose = Pose { position: Vector3::y(), ..Pose::identity() };
    /// let ball = Part::ball(0.25, MaterialId::default());
    /// assert_eq!(ball.gap(&pose, (&floor, &Pose::identity())), Some(0.75));
    /// ```
    pub fn gap(&self, pose: &Pose, other: (&Part, &Pose)) -> Option<f64> {
        Separation::of((self, pose), other).map(|found| found.gap)
    }
}

impl Scene {
    /// The parts of a body; those of the world for `None`.
    pub(crate) fn parts_of(&self, body: Option<usize>) -> &[Part] {
        body.map_or(&self.world, |body| &self.bodies[body].parts)
    }

    /// The two parts of bodies A and B that are nearest to each other, by their places, and their gap. Nothing where a body or its state
    /// is not there, or A is B.
    pub fn nearest_parts(&self, states: &[State], [a, b]: [Option<BodyId>; 2]) -> Option<([usize; 2], f64)> {
        if a == b {
            return None;
        }
        let [a, b] = [a, b].map(|body| body.map(BodyId::index));
        let pose = |body: Option<usize>| match body {
            Some(body) => (body < self.bodies.len()).then(|| states.get(body).map(|state| state.pose))?,
            None => Some(Pose::identity()),
        };
        let (pose_a, pose_b) = (pose(a)?, pose(b)?);
        let mut best: Option<([usize; 2], f64)> = None;
        for (i, part) in self.parts_of(a).iter().enumerate() {
            for (j, other) in self.parts_of(b).iter().enumerate() {
                if let Some(found) = part.gap(&pose_a, (other, &pose_b))
                    && best.is_none_or(|(_, least)| found < least)
                {
                    best = Some(([i, j], found));
                }
            }
        }
        best
    }
}
