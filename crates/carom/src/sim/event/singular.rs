//! Joints that come to where they no longer determine the motion of their bodies.

use super::EventEngine;
use crate::sim::constrained::{REDUNDANT, Unheld};
use crate::sim::loads::state_of;
use crate::sim::record::Failure;
use crate::sim::row::Row;
use crate::sim::state::State;
use nalgebra::DMatrix;

/// The least eigenvalue of the joints' response is a square: where it fell to this fraction of its value at the start, the joints hold
/// one motion a hundred times more weakly than they did.
const WEAK: f64 = 1e-4;
/// Joints with a smaller share than this in the motion that is no longer held do not take part in it.
const SHARE: f64 = 1e-2;

impl EventEngine {
    /// Why steps became too short: joints in a singular configuration, or else motion that is too fast.
    pub(super) fn too_fast(&self, time: f64) -> Failure {
        match self.singular_joints() {
            Some(joints) => Failure::Singular { time, joints },
            None => Failure::TooFast { time },
        }
    }

    /// The joints that depend on each other now though they did not at the start.
    fn singular_joints(&self) -> Option<Vec<usize>> {
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
        let mut shares = vec![0.0; self.scene.joints.len()];
        for ((joint, _), part) in self.joint_rows(&now).iter().zip(vectors.column(least).iter()) {
            shares[*joint] += part * part;
        }
        Some((0..shares.len()).filter(|joint| shares[*joint] > SHARE).collect())
    }

    fn joint_rows(&self, states: &[State]) -> Vec<(usize, Row)> {
        let joints = self.scene.joints.iter().enumerate();
        let rows = joints.flat_map(|(place, joint)| {
            let (a, b) = (state_of(states, joint.a.body), state_of(states, joint.b.body));
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
