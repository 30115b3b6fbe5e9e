//! Smooth motion while the same contacts stick, slip and hang on: the equations of motion, and what ends them.

use super::spot::Spot;
use crate::ode::System;
use crate::sim::constrained::{Unheld, shortest_solution};
use crate::sim::inertia::Inertia;
use crate::sim::loads::state_of;
use crate::sim::row::Row;
use crate::sim::scene::Scene;
use crate::sim::state::{Pose, State};
use nalgebra::{DVector, Quaternion, UnitQuaternion, Vector3};

/// What a contact that persists does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    /// It carries nothing: others do.
    Idle,
    /// It does not slip, and may roll.
    Stick,
    /// It slips; the direction in which it did when the mode began.
    Slip(Vector3<f64>),
}

/// A contact that persists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    pub(super) spot: Spot,
    pub(super) hold: Hold,
    /// Whether it only begins to slip: its velocity has no direction yet.
    pub(super) starting: bool,
}

/// What ended a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// A contact no longer presses.
    Unloaded(usize),
    /// Some contact no longer does what it did.
    Changes,
    /// A contact no longer sticks.
    Slips(usize),
    /// A contact no longer slips in the same direction.
    Turns(usize),
    /// A contact that carried nothing closes.
    Sinks(usize),
    /// A contact leaves its feature.
    Leaves(usize),
    /// A string goes taut, or a joint comes to its limit.
    Taut(usize),
}

/// Equations of motion of the bodies that do not fly freely.
pub(super) struct Mode<'a> {
    pub(super) scene: &'a Scene,
    pub(super) inertias: &'a [Inertia],
    /// The bodies that are integrated; the state holds thirteen numbers of each, then the energies supplied and rubbed away.
    pub(super) bodies: &'a [usize],
    /// States of all bodies; those of the others do not matter.
    pub(super) frame: &'a [State],
    pub(super) joints: &'a [usize],
    pub(super) held: &'a [Held],
    /// Strings and limits that do not act.
    pub(super) slack: &'a [Spot],
    /// Whether rows are there twice.
    pub(super) redundant: bool,
    /// Whether forces exist that keep everything in this mode; asked where they are not unique.
    pub(super) possible: &'a dyn Fn(f64, &[State]) -> bool,
    /// Time at which the integrator's clock is zero.
    pub(super) start: f64,
    /// How deep a contact that carries nothing may sink, m.
    pub(super) depth: f64,
    /// Slip below this speed is none, m/s.
    pub(super) slip_noise: f64,
    /// How far a contact is inside its feature: corner on a face, edge on an edge.
    pub(super) margin: &'a dyn Fn(&Spot, &[State], &crate::sim::touch::meeting::Kinematics) -> f64,
}

/// Numbers of the state for each body.
pub(super) const WIDTH: usize = 13;

/// Puts the states of some bodies into a column.
pub(super) fn pack(states: &[State], bodies: &[usize], energies: [f64; 2]) -> DVector<f64> {
    let mut y = DVector::zeros(WIDTH * bodies.len() + 2);
    for (k, &body) in bodies.iter().enumerate() {
        let State { pose, velocity, angular_velocity } = &states[body];
        let q = pose.orientation.quaternion();
        let numbers =
            [pose.position.as_slice(), &[q.w, q.i, q.j, q.k], velocity.as_slice(), angular_velocity.as_slice()];
        y.as_mut_slice()[WIDTH * k..WIDTH * (k + 1)].copy_from_slice(&numbers.concat());
    }
    let n = y.len();
    y.as_mut_slice()[n - 2..].copy_from_slice(&energies);
    y
}

/// Takes them out again.
pub(super) fn unpack(y: &DVector<f64>, bodies: &[usize], states: &mut [State]) {
    for (place, &body) in bodies.iter().enumerate() {
        states[body] = state_in(y, place);
    }
}

/// The state of the body at a place of the column.
pub(super) fn state_in(y: &DVector<f64>, place: usize) -> State {
    let numbers = &y.as_slice()[WIDTH * place..WIDTH * (place + 1)];
    let vector = |k: usize| Vector3::new(numbers[k], numbers[k + 1], numbers[k + 2]);
    let orientation = Quaternion::new(numbers[3], numbers[4], numbers[5], numbers[6]);
    let pose = Pose { position: vector(0), orientation: UnitQuaternion::from_quaternion(orientation) };
    State { pose, velocity: vector(7), angular_velocity: vector(10) }
}

/// Rows that stay at zero, and the columns along which forces see to it.
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) columns: Vec<Row>,
    /// Where the rows of each held contact start, and how many there are.
    pub(super) places: Vec<(usize, usize)>,
}

impl Mode<'_> {
    pub(super) fn states(&self, y: &DVector<f64>) -> Vec<State> {
        let mut states = self.frame.to_vec();
        unpack(y, self.bodies, &mut states);
        states
    }

    /// What is held: joints first, then the contacts that press.
    pub(super) fn rows(&self, states: &[State]) -> Option<Rows> {
        let mut rows: Vec<Row> = Vec::new();
        for joint in self.joints {
            let joint = &self.scene.joints[*joint];
            rows.extend(joint.rows(state_of(states, joint.a.body), state_of(states, joint.b.body)));
        }
        let mut columns = rows.clone();
        let mut places = Vec::with_capacity(self.held.len());
        for Held { spot, hold, .. } in self.held {
            let start = rows.len();
            if *hold == Hold::Idle {
                places.push((start, 0));
                continue;
            }
            let k = spot.at(self.scene, states)?;
            let frame = Spot::frame(self.scene, &k.normal)?;
            let still = Vector3::zeros();
            let normal = spot.row(states, &k, &k.normal, &k.normal_rate);
            rows.push(normal);
            match hold {
                Hold::Slip(direction) => {
                    let slip = self.slip(spot, states, &k, direction);
                    let push = k.normal - slip * spot.friction[1];
                    columns.push(spot.row(states, &k, &push, &still));
                }
                _ => {
                    columns.push(normal);
                    if spot.friction[0] > 0.0 {
                        let count = if self.scene.planar { 1 } else { 2 };
                        for local in [Vector3::y(), Vector3::z()].iter().take(count) {
                            let tangent = frame.to_world(local);
                            rows.push(spot.row(states, &k, &tangent, &still));
                            columns.push(rows[rows.len() - 1]);
                        }
                    }
                }
            }
            places.push((start, rows.len() - start));
        }
        Some(Rows { rows, columns, places })
    }

    /// The unit direction of slip. In the plane it is the one the mode began with; in space it follows the velocity.
    fn slip(
        &self,
        spot: &Spot,
        states: &[State],
        k: &crate::sim::touch::meeting::Kinematics,
        start: &Vector3<f64>,
    ) -> Vector3<f64> {
        let across = |v: Vector3<f64>| v - k.normal * k.normal.dot(&v);
        let began = across(*start).try_normalize(0.0).unwrap_or(*start);
        if self.scene.planar {
            return began;
        }
        let velocity = across(spot.velocity(states, k));
        // Slip that has only just begun has no direction of its own yet.
        (velocity + began * (1e-12 * (1.0 + velocity.norm()))).try_normalize(0.0).unwrap_or(began)
    }

    /// Accelerations of the bodies, and the forces along the columns.
    pub(super) fn solve(&self, time: f64, states: &[State]) -> Option<(Unheld, DVector<f64>, Rows)> {
        let mut unheld = Unheld::new(self.scene, self.inertias, self.bodies, time, states);
        let rows = self.rows(states)?;
        if rows.rows.is_empty() {
            return Some((unheld, DVector::zeros(0), rows));
        }
        let matrix = unheld.response(&rows.rows, &rows.columns);
        let wanted = -unheld.rates(&rows.rows);
        let forces = if self.redundant { shortest_solution(matrix, &wanted) } else { matrix.lu().solve(&wanted)? };
        unheld.push(&rows.columns, &forces);
        Some((unheld, forces, rows))
    }

    /// Margins of the mode: each is positive while it holds.
    pub(super) fn margins(&self, time: f64, states: &[State]) -> Vec<(Ending, f64)> {
        let Some((_, forces, rows)) = self.solve(time, states) else { return Vec::new() };
        let mut margins = Vec::new();
        if self.redundant {
            margins.push((Ending::Changes, if (self.possible)(time, states) { 1.0 } else { -1.0 }));
        }
        for (k, (held, (start, count))) in self.held.iter().zip(&rows.places).enumerate() {
            let Some(now) = held.spot.at(self.scene, states) else { continue };
            match held.hold {
                Hold::Idle => {
                    margins.push((Ending::Sinks(k), self.depth + now.gap));
                    continue;
                }
                Hold::Stick => {
                    if *count > 1 && !self.redundant {
                        let friction = forces.rows(start + 1, count - 1).norm();
                        margins.push((Ending::Slips(k), held.spot.friction[0] * forces[*start] - friction));
                    }
                }
                Hold::Slip(direction) => {
                    let velocity = held.spot.velocity(states, &now);
                    let across = velocity - now.normal * now.normal.dot(&velocity);
                    let noise = if held.starting { self.slip_noise } else { 0.0 };
                    margins.push((Ending::Turns(k), across.dot(&direction) - 0.5 * across.norm() + noise));
                }
            }
            if !self.redundant {
                margins.push((Ending::Unloaded(k), forces[*start]));
            }
            margins.push((Ending::Leaves(k), (self.margin)(&held.spot, states, &now)));
        }
        for (k, spot) in self.slack.iter().enumerate() {
            if let Some(now) = spot.at(self.scene, states) {
                margins.push((Ending::Taut(k), now.gap));
            }
        }
        margins
    }

    /// The margin that is least, each in its own unit.
    pub(super) fn ending(&self, time: f64, states: &[State]) -> Option<Ending> {
        self.margins(time, states).into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(ending, _)| ending)
    }
}

impl System<DVector<f64>, 1> for Mode<'_> {
    fn derivative(&self, t: f64, y: &DVector<f64>) -> DVector<f64> {
        let states = self.states(y);
        let mut rates = DVector::zeros(y.len());
        let Some((moved, forces, rows)) = self.solve(self.start + t, &states) else {
            // What is no number ends the step.
            rates.fill(f64::NAN);
            return rates;
        };
        for (k, &body) in self.bodies.iter().enumerate() {
            let state = &states[body];
            let omega = &state.angular_velocity;
            let q = Quaternion::from_parts(0.0, *omega) * state.pose.orientation.quaternion() * 0.5;
            let (a, alpha) = &moved.acceleration[body];
            let numbers = [state.velocity.as_slice(), &[q.w, q.i, q.j, q.k], a.as_slice(), alpha.as_slice()].concat();
            rates.as_mut_slice()[WIDTH * k..WIDTH * (k + 1)].copy_from_slice(&numbers);
        }
        let n = rates.len();
        rates[n - 2] = moved.power;
        for (held, (start, _)) in self.held.iter().zip(&rows.places) {
            if let Hold::Slip(direction) = held.hold
                && let Some(k) = held.spot.at(self.scene, &states)
            {
                let slip = self.slip(&held.spot, &states, &k, &direction);
                let speed = held.spot.velocity(&states, &k).dot(&slip);
                rates[n - 1] += held.spot.friction[1] * forces[*start] * speed;
            }
        }
        rates
    }

    fn events(&self, t: f64, y: &DVector<f64>) -> [f64; 1] {
        let margins = self.margins(self.start + t, &self.states(y));
        [margins.into_iter().map(|(_, margin)| margin).fold(1.0, f64::min)]
    }
}
