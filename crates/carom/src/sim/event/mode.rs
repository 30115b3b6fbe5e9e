//! Smooth motion while the same contacts stick, slip and hang on: the equations of motion, and what ends them.

use super::chart::{Chart, WIDTH};
use super::forces::JAMMED;
use crate::ode::System;
use crate::sim::constrained::Unheld;
use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::loads::state_of;
use crate::sim::row::Row;
use crate::sim::spot::Spot;
use crate::sim::state::State;
use nalgebra::{DVector, UnitQuaternion, Vector3};

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

impl Held {
    /// A contact that persists along its normal, whatever it does across.
    pub(super) fn firm(spot: &Spot) -> Held {
        Held { spot: *spot, hold: Hold::Slip(Vector3::zeros()), starting: false }
    }
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
    /// Slip is about to leave no forces that keep bodies apart.
    Jams,
    /// So it is, but this contact lets go before.
    LetsGo(usize),
    /// A contact no longer slips in the same direction.
    Turns(usize),
    /// Slip that began is fast enough to have a direction of its own.
    Begun(usize),
    /// Slip stays so slow that its direction takes ever shorter steps to follow.
    Lingers,
    /// A contact that carried nothing closes.
    Sinks(usize),
    /// A contact leaves its feature.
    Leaves(usize),
    /// A string goes taut, or a joint comes to its limit.
    Taut(usize),
}

/// Equations of motion of the bodies that do not fly freely.
pub(super) struct Mode<'a> {
    pub(super) scene: &'a SceneInTime,
    pub(super) inertias: &'a [Inertia],
    /// What the numbers of the column mean.
    pub(super) chart: &'a Chart,
    /// Bodies of which nothing tells how they are turned.
    pub(super) round: &'a [bool],
    /// States of all bodies; those of the others do not matter.
    pub(super) frame: &'a [State],
    pub(super) joints: &'a [usize],
    pub(super) held: &'a [Held],
    /// Strings and limits that do not act.
    pub(super) slack: &'a [Spot],
    /// Whether rows are there twice.
    pub(super) redundant: bool,
    /// Contacts that begin to slip and can do so along one line only.
    pub(super) guided: &'a [usize],
    /// The sign of what slip leaves of the inverse mass; 0 where rows are there twice.
    pub(super) sense: f64,
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

/// Slip in space ends at this fraction of the speed that is none.
const STOPPED: f64 = 1e-3;
/// Slip that begins has a direction of its own from so many times the speed that is none.
pub(super) const BEGINNING: f64 = 1e3;
/// Corrections of the angles of slip that begins, how well they are met at best and at least, and the angle that tells the slope, rad.
const MOST_TURNS: usize = 12;
const ALIGNED: f64 = 1e-13;
const ROUNDED: f64 = 1e-6;
const PROBE: f64 = 1e-5;
/// The time that makes a length of the rate of a gap, s: none that counts.
const GLANCE: f64 = 1e-12;
/// A margin within so many depths that go unnoticed is near zero.
const NEAR: f64 = 100.0;
/// The most that a body may turn in a step, rad. Two that a joint holds then turn by less than half a turn against each other, which
/// tells them from those that turned the other way.
const MOST_TURN: f64 = 1.5;
/// Changes of an acceleration whose directions make a smaller sine than this are along one line.
const ON_A_LINE: f64 = 1e-6;

/// The motion of the bodies at an instant.
pub(super) struct Solved {
    pub(super) moved: Unheld,
    /// Along the columns.
    pub(super) forces: DVector<f64>,
    pub(super) rows: Rows,
    /// Directions of slip.
    pub(super) slips: Vec<Vector3<f64>>,
}

/// Rows that stay at zero, and the columns along which forces see to it.
pub(super) struct Rows {
    pub(super) held: Vec<Row>,
    pub(super) columns: Vec<Row>,
    /// Where the rows of each held contact start, and how many there are.
    pub(super) places: Vec<(usize, usize)>,
}

impl Mode<'_> {
    /// The states of all bodies at a time on the integrator's clock.
    pub(super) fn states(&self, t: f64, y: &DVector<f64>) -> Vec<State> {
        let mut states = self.frame.to_vec();
        self.chart.unpack(t, y, &mut states);
        states
    }

    /// Whether a body has turned so far in this step that what happened on the way may go unnoticed.
    fn turned_too_far(&self, t: f64, y: &DVector<f64>) -> bool {
        let mut seen = self.chart.bodies.iter().enumerate().filter(|(_, body)| !self.round[**body]);
        seen.any(|(place, _)| self.chart.turned(t, y, place) > MOST_TURN)
    }

    /// What is held: joints first, then the contacts that press. `slips` are the directions in which contacts slip.
    fn rows_with(&self, states: &[State], slips: &[Vector3<f64>]) -> Option<Rows> {
        let mut rows: Vec<Row> = Vec::new();
        for joint in self.joints {
            let joint = &self.scene.joints[*joint];
            rows.extend(joint.rows(state_of(states, joint.a.index()), state_of(states, joint.b.index())));
        }
        let mut columns = rows.clone();
        let mut places = Vec::with_capacity(self.held.len());
        for (Held { spot, hold, .. }, slip) in self.held.iter().zip(slips) {
            let start = rows.len();
            if *hold == Hold::Idle {
                places.push((start, 0));
                continue;
            }
            let k = spot.at(self.scene, states)?;
            let still = Vector3::zeros();
            let normal = spot.row(states, &k, &k.normal, &k.normal_rate);
            rows.push(normal);
            if matches!(hold, Hold::Slip(_)) {
                let push = k.normal - slip * spot.friction[1];
                columns.push(spot.row(states, &k, &push, &still));
            } else {
                columns.push(normal);
                let count = match (spot.friction[0] > 0.0, self.scene.is_planar()) {
                    (false, _) => 0,
                    (true, true) => 1,
                    (true, false) => 2,
                };
                let frame = Spot::frame(self.scene, &k.normal)?;
                for local in [Vector3::y(), Vector3::z()].iter().take(count) {
                    let row = spot.row(states, &k, &frame.to_world(local), &still);
                    rows.push(row);
                    columns.push(row);
                }
            }
            places.push((start, rows.len() - start));
        }
        Some(Rows { held: rows, columns, places })
    }

    /// What is held at these states.
    pub(super) fn rows(&self, states: &[State]) -> Option<Rows> {
        self.rows_with(states, &self.slips(states).0)
    }

    /// The unit directions of slip, and which contacts have none of their own yet. In the plane it is the one the mode began with;
    /// in space it follows the velocity, but for slip that only begins.
    fn slips(&self, states: &[State]) -> (Vec<Vector3<f64>>, Vec<usize>) {
        let mut beginning = Vec::new();
        let slip = |(place, held): (usize, &Held)| {
            let (Hold::Slip(start), Some(k)) = (held.hold, held.spot.at(self.scene, states)) else {
                return Vector3::zeros();
            };
            let across = |v: Vector3<f64>| v - k.normal * k.normal.dot(&v);
            let began = across(start).try_normalize(0.0).unwrap_or(start);
            if self.scene.is_planar() {
                return began;
            }
            let velocity = across(held.spot.velocity(states, &k));
            if held.starting {
                beginning.push(place);
                return began;
            }
            velocity.try_normalize(0.0).unwrap_or(began)
        };
        let slips = self.held.iter().enumerate().map(slip).collect();
        (slips, beginning)
    }

    /// Accelerations of the bodies, and the forces along the columns.
    pub(super) fn solve(&self, time: f64, states: &[State]) -> Option<Solved> {
        let (mut slips, mut beginning) = self.slips(states);
        for &k in self.guided {
            let (line, _) = self.line(k, time, states, &slips)?;
            slips[k] = line * line.dot(&slips[k]).signum();
        }
        beginning.retain(|k| !self.guided.contains(k));
        self.align(time, states, &beginning, self.solve_with(time, states, &slips)?)
    }

    /// The contacts that begin to slip where others let them do so along one line only. They keep the sense they began with, as in
    /// the plane.
    pub(super) fn find_guided(&self, time: f64, states: &[State]) -> Option<Vec<usize>> {
        let (slips, beginning) = self.slips(states);
        let mut guided = Vec::new();
        for k in beginning {
            let (line, sine) = self.line(k, time, states, &slips)?;
            if sine <= ON_A_LINE {
                let mut slips = slips.clone();
                slips[k] = line * line.dot(&slips[k]).signum();
                let along = self.solve_with(time, states, &slips)?;
                let (_, size) = self.misalignment(k, states, &along, &slips[k])?;
                let begins = self.tangential_acceleration(k, states, &along)?.dot(&slips[k]) > -ROUNDED * size;
                if begins && along.forces[along.rows.places[k].0] > 0.0 {
                    guided.push(k);
                }
            }
        }
        Some(guided)
    }

    /// The line along which friction at a contact changes its acceleration, and the sine of the angle that it turns by as friction
    /// does: none where other contacts let this one slip along one line only.
    fn line(&self, k: usize, time: f64, states: &[State], slips: &[Vector3<f64>]) -> Option<(Vector3<f64>, f64)> {
        let side = self.held[k].spot.at(self.scene, states)?.normal.cross(&slips[k]);
        let accelerated = |slip: Vector3<f64>| {
            let mut slips = slips.to_vec();
            slips[k] = slip;
            self.tangential_acceleration(k, states, &self.solve_with(time, states, &slips)?)
        };
        let now = accelerated(slips[k])?;
        let (one, other) = (accelerated(side)? - now, accelerated(-side)? - now);
        let longer = if one.norm() > other.norm() { one } else { other };
        let sine = one.cross(&other).norm() / longer.norm_squared();
        Some((longer.try_normalize(0.0)?, sine))
    }

    /// Slip that begins is far slower to grow than to turn: it is along its acceleration. Its angle by the secant method.
    fn align(&self, time: f64, states: &[State], beginning: &[usize], mut solved: Solved) -> Option<Solved> {
        let mut slips = solved.slips.clone();
        let mut worst = f64::INFINITY;
        for _ in 0..MOST_TURNS {
            let before = std::mem::take(&mut worst);
            for &k in beginning {
                let (error, size) = self.misalignment(k, states, &solved, &slips[k])?;
                worst = worst.max(error.abs() / size);
                if error.abs() <= ALIGNED * size {
                    continue;
                }
                let normal = self.held[k].spot.at(self.scene, states)?.normal;
                let turned = |slip: &Vector3<f64>, angle: f64| UnitQuaternion::from_scaled_axis(normal * angle) * slip;
                let before = slips[k];
                slips[k] = turned(&before, PROBE);
                let probe = self.solve_with(time, states, &slips)?;
                let slope = (self.misalignment(k, states, &probe, &slips[k])?.0 - error) / PROBE;
                slips[k] = turned(&before, (-error / slope).clamp(-0.5, 0.5));
                solved = self.solve_with(time, states, &slips)?;
            }
            // Where rows depend on each other, rounding ends it sooner.
            if worst <= ALIGNED || worst <= ROUNDED && worst > 0.5 * before {
                break;
            }
        }
        Some(solved)
    }

    /// How a contact's material points accelerate along each other.
    fn tangential_acceleration(&self, k: usize, states: &[State], solved: &Solved) -> Option<Vector3<f64>> {
        let spot = &self.held[k].spot;
        let now = spot.at(self.scene, states)?;
        let frame = Spot::frame(self.scene, &now.normal)?;
        let sides = [Vector3::y(), Vector3::z()].map(|local| frame.to_world(&local));
        let rates = sides.map(|side| {
            let row = spot.row(states, &now, &side, &Vector3::zeros());
            side * (row.dot(|body| solved.moved.acceleration[body]) + row.bias)
        });
        Some(rates[0] + rates[1])
    }

    /// The part of a contact's acceleration across its slip, and the size of what makes it up.
    fn misalignment(&self, k: usize, states: &[State], solved: &Solved, slip: &Vector3<f64>) -> Option<(f64, f64)> {
        let spot = &self.held[k].spot;
        let across = spot.at(self.scene, states)?.normal.cross(slip);
        let rate = self.tangential_acceleration(k, states, solved)?.dot(&across);
        let press = spot.friction[1] * solved.forces[solved.rows.places[k].0].abs();
        let give: f64 = spot.bodies.iter().flatten().map(|body| solved.moved.inverse[*body].0).sum();
        Some((rate, press * give + f64::MIN_POSITIVE))
    }

    fn solve_with(&self, time: f64, states: &[State], slips: &[Vector3<f64>]) -> Option<Solved> {
        let mut moved = Unheld::new(self.scene, self.inertias, &self.chart.bodies, time, states);
        let rows = self.rows_with(states, slips)?;
        let slips = slips.to_vec();
        let forces = moved.hold(&rows.held, &rows.columns, self.redundant)?;
        Some(Solved { moved, forces, rows, slips })
    }

    /// What slip leaves of the inverse mass: where it comes to zero, forces grow without bound or cease to be determined.
    pub(super) fn left(&self, time: f64, states: &[State]) -> Option<f64> {
        self.solve(time, states).map(|solved| solved.moved.left(&solved.rows.held, &solved.rows.columns))
    }

    /// Where slip is about to jam, forces either rise, without bound or up to where none is determined, or fall and come to zero just
    /// before: which contact lets go then. `since` is some time before.
    pub(super) fn lets_go(&self, since: (f64, &[State]), now: (f64, &[State])) -> Option<usize> {
        let [before, after] = [self.solve(since.0, since.1)?, self.solve(now.0, now.1)?];
        let slips = (0..self.held.len()).filter(|k| matches!(self.held[*k].hold, Hold::Slip(_)));
        let rises = slips.map(|k| {
            let place = after.rows.places[k].0;
            (k, after.forces[place] - before.forces[place])
        });
        let rises: Vec<(usize, f64)> = rises.collect();
        let falling = rises.iter().map(|(_, rise)| rise).sum::<f64>() < 0.0;
        rises.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| falling).map(|(k, _)| k)
    }

    /// Margins of the mode: each is positive while it holds.
    pub(super) fn margins(&self, time: f64, states: &[State]) -> Vec<(Ending, f64)> {
        let Some(Solved { forces, rows, moved, .. }) = self.solve(time, states) else { return Vec::new() };
        let mut margins = Vec::new();
        if self.sense != 0.0 {
            margins.push((Ending::Jams, self.sense * moved.left(&rows.held, &rows.columns) - JAMMED));
        }
        let mut doubtful = false;
        for (k, (held, (start, count))) in self.held.iter().zip(&rows.places).enumerate() {
            let Some(now) = held.spot.at(self.scene, states) else { continue };
            match held.hold {
                Hold::Idle => {
                    margins.push((Ending::Sinks(k), self.depth + now.gap));
                    continue;
                }
                Hold::Stick => {
                    if *count > 1 {
                        let friction = forces.rows(start + 1, count - 1).norm();
                        let margin = held.spot.friction[0] * forces[*start] - friction;
                        if self.redundant {
                            doubtful |= margin <= 0.0;
                        } else {
                            margins.push((Ending::Slips(k), margin));
                        }
                    }
                }
                Hold::Slip(direction) => {
                    let velocity = held.spot.velocity(states, &now);
                    let across = velocity - now.normal * now.normal.dot(&velocity);
                    // In space slip does not pass through zero, but comes as near to it as friction lets it.
                    let noise = match (held.starting, self.scene.is_planar()) {
                        // What begins to slip may still move the other way by as much as is none.
                        (true, _) => 2.0 * self.slip_noise,
                        (false, true) => 0.0,
                        (false, false) => -STOPPED * self.slip_noise,
                    };
                    margins.push((Ending::Turns(k), across.dot(&direction) - 0.5 * across.norm() + noise));
                    if held.starting && !self.scene.is_planar() {
                        margins.push((Ending::Begun(k), BEGINNING * self.slip_noise - across.norm()));
                    }
                }
            }
            if self.redundant {
                doubtful |= forces[*start] <= 0.0;
            } else {
                margins.push((Ending::Unloaded(k), forces[*start]));
            }
            margins.push((Ending::Leaves(k), (self.margin)(&held.spot, states, &now)));
        }
        if self.redundant {
            let possible = !doubtful || (self.possible)(time, states);
            margins.push((Ending::Changes, if possible { 1.0 } else { -1.0 }));
        }
        for (k, spot) in self.slack.iter().enumerate() {
            if let Some(now) = spot.at(self.scene, states) {
                // A hop too low to be seen in the gap is seen in its rate, as long as that opens it.
                let opening = now.normal.dot(&spot.velocity(states, &now));
                let gap = if opening > 0.0 { now.gap.max(GLANCE * opening) } else { now.gap };
                margins.push((Ending::Taut(k), gap));
            }
        }
        margins
    }

    /// The margin that is least, each in its own unit, where one has come to zero. Whether forces exist changes by a jump, and may be
    /// looked at here just before it: where no other margin is near zero, it was that.
    pub(super) fn ending(&self, time: f64, states: &[State]) -> Option<Ending> {
        let margins = self.margins(time, states).into_iter().filter(|(ending, _)| *ending != Ending::Changes);
        let least = margins.min_by(|a, b| a.1.total_cmp(&b.1));
        match least {
            Some((ending, margin)) if !self.redundant || margin <= NEAR * self.depth => Some(ending),
            _ => self.redundant.then_some(Ending::Changes),
        }
    }
}

impl System<DVector<f64>, 1> for Mode<'_> {
    fn derivative(&self, t: f64, y: &DVector<f64>) -> DVector<f64> {
        let states = self.states(t, y);
        let mut rates = DVector::zeros(y.len());
        let solved = if self.turned_too_far(t, y) { None } else { self.solve(self.start + t, &states) };
        let Some(Solved { moved, forces, rows, slips }) = solved else {
            // What is no number ends the step.
            rates.fill(f64::NAN);
            return rates;
        };
        for (place, &body) in self.chart.bodies.iter().enumerate() {
            let (a, alpha) = moved.acceleration[body];
            let numbers = [states[body].velocity, self.chart.turning(y, place), a, alpha].map(<[f64; 3]>::from);
            rates.as_mut_slice()[WIDTH * place..WIDTH * (place + 1)].copy_from_slice(numbers.as_flattened());
        }
        let n = rates.len();
        rates[n - 2] = moved.power;
        for ((held, (start, _)), slip) in self.held.iter().zip(&rows.places).zip(&slips) {
            if let (Hold::Slip(_), Some(k)) = (held.hold, held.spot.at(self.scene, &states)) {
                let speed = held.spot.velocity(&states, &k).dot(slip);
                rates[n - 1] += held.spot.friction[1] * forces[*start] * speed;
            }
        }
        rates
    }

    fn events(&self, t: f64, y: &DVector<f64>) -> [f64; 1] {
        let margins = self.margins(self.start + t, &self.states(t, y));
        [margins.into_iter().map(|(_, margin)| margin).fold(1.0, f64::min)]
    }
}
