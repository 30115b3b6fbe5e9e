//! Takes back the rounding that integration left at joints and contacts, without adding energy.

use super::mode::{Held, Hold};
use crate::sim::constrained::{Unheld, shortest_solution};
use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::loads::{self, state_of};
use crate::sim::row::Row;
use crate::sim::spot::Spot;
use crate::sim::state::State;
use nalgebra::{DVector, UnitQuaternion, Vector3};

/// Corrections of the positions; each squares what is left.
const MOST_TURNS: usize = 4;
/// Errors below this fraction of the lengths involved are rounding that no correction improves.
const ROUNDING: f64 = 1e-15;

/// Bodies, and the joints and contacts that hold them.
#[derive(Clone, Copy)]
pub(super) struct Settling<'a> {
    pub(super) scene: &'a SceneInTime,
    pub(super) inertias: &'a [Inertia],
    pub(super) bodies: &'a [usize],
    pub(super) joints: &'a [usize],
    pub(super) held: &'a [Held],
}

impl Settling<'_> {
    /// Moves the bodies by least effort to where joints and contacts want them, and projects their velocities.
    pub(super) fn settle(&self, states: &mut [State]) {
        if self.joints.is_empty() && self.held.is_empty() {
            return;
        }
        self.without_gain(states, |states| {
            self.put(states);
            self.stop(states, &self.moving(states));
        });
    }

    /// Moves the bodies by least effort to where joints and contacts want them, and leaves them their velocities as far as joints do.
    pub(super) fn separate(&self, states: &mut [State]) {
        self.without_gain(states, |states| {
            self.put(states);
            self.stop(states, &self.joint_rows(states).0);
        });
    }

    /// Lets all contacts close by so much more speed, by least effort and as far as joints let them.
    pub(super) fn close(&self, states: &mut [State], speed: f64) {
        let (mut rows, _) = self.joint_rows(states);
        let joints = rows.len();
        let normals = self.pressing().filter_map(|held| Some((held.spot, held.spot.at(self.scene, states)?)));
        rows.extend(normals.map(|(spot, k)| spot.row(states, &k, &k.normal, &Vector3::zeros())));
        let wanted = DVector::from_fn(rows.len(), |k, _| if k < joints { 0.0 } else { -speed });
        self.kick(states, &rows, &wanted);
    }

    /// Takes the velocities along rows away by least effort.
    fn stop(&self, states: &mut [State], rows: &[Row]) {
        let velocities = DVector::from_iterator(rows.len(), rows.iter().map(|row| row.velocity(states)));
        self.kick(states, rows, &-velocities);
    }

    /// Changes velocities along rows by least effort.
    fn kick(&self, states: &mut [State], rows: &[Row], wanted: &DVector<f64>) {
        let kicks = self.response(states, rows, wanted);
        for (state, (kick, spin)) in states.iter_mut().zip(kicks) {
            state.velocity += kick;
            state.angular_velocity += spin;
        }
    }

    /// How far joints and contacts are off, at worst.
    pub(super) fn drift(&self, states: &[State]) -> f64 {
        self.misplaced(states).1.amax()
    }

    /// Velocities that are all smaller by one factor keep every joint and contact at rest: they make up for what a correction gained.
    fn without_gain(&self, states: &mut [State], correct: impl FnOnce(&mut [State])) {
        let energy = |states: &[State]| {
            let kinetic: f64 = self.bodies.iter().map(|body| self.inertias[*body].kinetic(&states[*body])).sum();
            (kinetic, loads::potential(self.scene, states))
        };
        let before = energy(states);
        correct(states);
        let after = energy(states);
        let gained = (after.0 + after.1) - (before.0 + before.1);
        if gained > 0.0 && gained < 1e-6 * after.0 {
            let factor = (1.0 - gained / after.0).sqrt();
            for &body in self.bodies {
                states[body].velocity *= factor;
                states[body].angular_velocity *= factor;
            }
        }
    }

    fn put(&self, states: &mut [State]) {
        for _ in 0..MOST_TURNS {
            let (rows, errors) = self.misplaced(states);
            let size = self.bodies.iter().map(|body| states[*body].pose.position.amax()).fold(1e-6, f64::max);
            if errors.amax() <= ROUNDING * size {
                break;
            }
            let moves = self.response(states, &rows, &-errors);
            for (state, (shift, turn)) in states.iter_mut().zip(moves) {
                state.pose.position += shift;
                if turn != Vector3::zeros() {
                    state.pose.orientation = UnitQuaternion::from_scaled_axis(turn) * state.pose.orientation;
                }
            }
        }
    }

    /// Changes of the bodies, by least effort, that change the rows so.
    fn response(&self, states: &[State], rows: &[Row], wanted: &DVector<f64>) -> Vec<loads::Wrench> {
        let mut unheld = Unheld::new(self.scene, self.inertias, self.bodies, 0.0, states);
        unheld.acceleration.fill((Vector3::zeros(), Vector3::zeros()));
        if !rows.is_empty() {
            let impulses = shortest_solution(unheld.response(rows, rows), wanted);
            unheld.push(rows, &impulses);
        }
        unheld.acceleration
    }

    fn joint_rows(&self, states: &[State]) -> (Vec<Row>, Vec<f64>) {
        let (mut rows, mut errors) = (Vec::new(), Vec::new());
        for joint in self.joints {
            let joint = &self.scene.joints[*joint];
            let (a, b) = (state_of(states, joint.a.index()), state_of(states, joint.b.index()));
            rows.extend(joint.rows(a, b));
            errors.extend(joint.errors(a, b));
        }
        (rows, errors)
    }

    fn pressing(&self) -> impl Iterator<Item = &Held> {
        self.held.iter().filter(|held| held.hold != Hold::Idle)
    }

    /// Rows of joints and normals of contacts, with how far each is off.
    fn misplaced(&self, states: &[State]) -> (Vec<Row>, DVector<f64>) {
        let (mut rows, mut errors) = self.joint_rows(states);
        for Held { spot, .. } in self.pressing() {
            if let Some(k) = spot.at(self.scene, states) {
                rows.push(spot.row(states, &k, &k.normal, &Vector3::zeros()));
                errors.push(k.gap);
            }
        }
        (rows, DVector::from_vec(errors))
    }

    /// Rows whose velocities vanish: joints, normals, and tangents where contacts stick.
    fn moving(&self, states: &[State]) -> Vec<Row> {
        let (mut rows, _) = self.joint_rows(states);
        for Held { spot, hold, .. } in self.pressing() {
            let Some(k) = spot.at(self.scene, states) else { continue };
            let Some(frame) = Spot::frame(self.scene, &k.normal) else { continue };
            rows.push(spot.row(states, &k, &k.normal, &Vector3::zeros()));
            if *hold == Hold::Stick && spot.friction[0] > 0.0 {
                let count = if self.scene.is_planar() { 1 } else { 2 };
                let tangents = [Vector3::y(), Vector3::z()];
                rows.extend(
                    tangents.iter().take(count).map(|t| spot.row(states, &k, &frame.to_world(t), &Vector3::zeros())),
                );
            }
        }
        rows
    }
}
