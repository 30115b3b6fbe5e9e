//! Joints that come to where they no longer determine the motion of their bodies.

use super::EventEngine;
use crate::sim::constrained::{REDUNDANT, Unheld};
use crate::sim::id::JointId;
use crate::sim::loads::state_of;
use crate::sim::record::Failure;
use crate::sim::row::Row;
use crate::sim::state::State;
use nalgebra::{DMatrix, UnitQuaternion, Vector3};

/// The least eigenvalue of the joints' response is a square: where it fell to this fraction of its value at the start, the joints hold
/// one motion a hundred times more weakly than they did.
const WEAK: f64 = 1e-4;
/// Joints with a smaller share than this in the motion that is no longer held do not take part in it.
const SHARE: f64 = 1e-2;

/// How far bodies are moved to see whether their joints still depend on each other, as a fraction of the size and of a radian. Joints at a
/// change point then hold a motion by the square of this; those that are redundant hold none, but for rounding.
const ASIDE: f64 = 1e-3;
/// Among motions of order one, slower ones are rounding errors of no motion.
const STILL: f64 = 1e-6;

impl EventEngine {
    /// Why steps became too short: joints in a singular configuration, or else motion that is too fast.
    pub(super) fn too_fast(&self, time: f64) -> Failure {
        match self.singular_joints() {
            Some(joints) => Failure::Singular { time, joints },
            None => Failure::TooFast { time },
        }
    }

    /// The joints that depend on each other now though they did not at the start.
    fn singular_joints(&self) -> Option<Vec<JointId>> {
        let mut now: Vec<State> = self.flights.iter().map(|flight| flight.at(self.time)).collect();
        if let Some(flow) = &self.flow {
            flow.unpack(flow.start + flow.integrator.t, &mut now);
        }
        let start: Vec<State> = self.scene.bodies.iter().map(|body| body.state).collect();
        let (then, _) = self.held_weakly(&start)?;
        let least = then.iter().position(|value| *value > REDUNDANT * then[then.len() - 1])?;
        let (values, vectors) = self.held_weakly(&now)?;
        if values[least] > WEAK * then[least] {
            return None;
        }
        Some(self.sharing(&now, vectors.column(least).iter()))
    }

    /// The joints that depend on each other at the start, but no longer a little way off along a motion that they allow: more ways than one
    /// lead on from there. Rows that are redundant everywhere, as those of linkages in a plane that move in space, stay so.
    pub(super) fn starts_singular(&self) -> Option<Vec<JointId>> {
        let start: Vec<State> = self.scene.bodies.iter().map(|body| body.state).collect();
        let (then, _) = self.held_weakly(&start)?;
        let redundant =
            |values: &[f64]| values.iter().filter(|value| **value <= REDUNDANT * then[then.len() - 1]).count();
        let count = redundant(&then);
        if count == 0 {
            return None;
        }
        let aside = self.aside(&start)?;
        let (values, vectors) = self.held_weakly(&aside)?;
        if redundant(&values) >= count {
            return None;
        }
        Some(self.sharing(&aside, vectors.column(count - 1).iter()))
    }

    /// Where the bodies are a little way along some motion that the joints allow; nothing if they allow none.
    fn aside(&self, start: &[State]) -> Option<Vec<State>> {
        let (bodies, joints): (Vec<usize>, Vec<usize>) =
            ((0..start.len()).collect(), (0..self.scene.joints.len()).collect());
        let settling = self.settling(&bodies, &joints, &[]);
        let mut states = start.to_vec();
        // Velocities without any order, so that they are along no special direction of the linkage.
        let some = |k: usize| (1.0 + k as f64).sin();
        for (k, state) in states.iter_mut().enumerate() {
            let planar = f64::from(u8::from(!self.scene.is_planar()));
            state.velocity = Vector3::new(some(6 * k), some(6 * k + 1), planar * some(6 * k + 2)) * self.size;
            state.angular_velocity = Vector3::new(planar * some(6 * k + 3), planar * some(6 * k + 4), some(6 * k + 5));
        }
        settling.settle(&mut states);
        let pace = |state: &State| state.velocity.norm() / self.size + state.angular_velocity.norm();
        let fastest = states.iter().map(pace).fold(0.0, f64::max);
        if fastest <= STILL {
            return None;
        }
        let time = ASIDE / fastest;
        for state in &mut states {
            state.pose.position += state.velocity * time;
            let turn = UnitQuaternion::from_scaled_axis(state.angular_velocity * time);
            state.pose.orientation = turn * state.pose.orientation;
        }
        settling.settle(&mut states);
        Some(states)
    }

    /// The joints with a share in a motion that their rows do not hold.
    fn sharing<'a>(&self, states: &[State], parts: impl Iterator<Item = &'a f64>) -> Vec<JointId> {
        let mut shares = vec![0.0; self.scene.joints.len()];
        for ((joint, _), part) in self.joint_rows(states).iter().zip(parts) {
            shares[*joint] += part * part;
        }
        (0..shares.len()).filter(|joint| shares[*joint] > SHARE).map(JointId::new).collect()
    }

    fn joint_rows(&self, states: &[State]) -> Vec<(usize, Row)> {
        let joints = self.scene.joints.iter().enumerate();
        let rows = joints.flat_map(|(place, joint)| {
            let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
            joint.rows(a, b).map(move |row| (place, row))
        });
        rows.collect()
    }

    /// How the rows of the joints answer to forces along themselves, each relative to its own answer: eigenvalues, ascending, and
    /// eigenvectors. Nothing without joints.
    fn held_weakly(&self, states: &[State]) -> Option<(Vec<f64>, DMatrix<f64>)> {
        let rows: Vec<Row> = self.joint_rows(states).into_iter().map(|(_, row)| row).collect();
        let all: Vec<usize> = (0..states.len()).collect();
        let response = Unheld::new(&self.scene, &self.inertias, &all, self.time, states).response(&rows, &rows);
        let own = response.diagonal();
        if own.is_empty() || !own.iter().all(|value| *value > 0.0 && value.is_finite()) {
            return None;
        }
        let scaled = DMatrix::from_fn(own.len(), own.len(), |i, j| response[(i, j)] / (own[i] * own[j]).sqrt());
        let eigen = scaled.symmetric_eigen();
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|i, j| eigen.eigenvalues[*i].total_cmp(&eigen.eigenvalues[*j]));
        let values = order.iter().map(|k| eigen.eigenvalues[*k]).collect();
        Some((values, eigen.eigenvectors.select_columns(&order)))
    }
}
