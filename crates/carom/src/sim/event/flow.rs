//! Bodies that are integrated, one step after the other.

use super::EventEngine;
use super::chart::{self, Chart};
use super::flight::Flight;
use super::impact::Meet;
use super::mode::{self, Ending, Held, Hold, Mode};
use crate::ode::Integrator;
use crate::sim::constrained::{Unheld, rank};
use crate::sim::load::Load;
use crate::sim::loads::Wrench;
use crate::sim::spot::Spot;
use crate::sim::state::State;
use nalgebra::DVector;

/// Bodies that are integrated, and how far they have come.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) integrator: Integrator<DVector<f64>>,
    pub(super) start: f64,
    /// What the numbers of the last step mean.
    pub(super) chart: Chart,
    pub(super) redundant: bool,
    /// Contacts that begin to slip and can do so along one line only.
    pub(super) guided: Vec<usize>,
    /// What slip leaves of the inverse mass at the start, with its sign; 0 where rows are there twice.
    pub(super) left: f64,
    pub(super) ended: Option<Ended>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Ended {
    Mode(Ending),
    Touch,
    Stuck,
}

/// Steps in a row through slip too slow to turn with ease after which its direction is taken from its acceleration.
pub(super) const MOST_SLOW_STEPS: usize = 200;
/// How much of a turn of a body or of a force is followed in one step, rad.
const PART_OF_A_TURN: f64 = 0.8;
/// Steps in place of one where only single instants are looked at: crests that exceed a limit by 2e-5 of it are still seen.
const INSTANTS: f64 = 8.0;
/// Drift of joints and contacts that is taken back, in tolerances of a step.
const DRIFT: f64 = 10.0;

/// More steps than this to where one is going would take hours; after so many of them it is known.
const MOST_STEPS: f64 = 1e9;
const STEPS_SEEN: usize = 1000;

/// Steps since a time, one more of which ends now: whether they are so short that they never come to another time. Who waits for the
/// next event, however late, is not told.
pub(super) fn goes_on_for_ever((since, count): &mut (f64, usize), now: f64, until: f64) -> bool {
    *count += 1;
    let left = (until - now) / (now - *since) * *count as f64;
    *count > STEPS_SEEN && left > MOST_STEPS && until.is_finite()
}

impl Flow {
    /// Where the last step began.
    pub(super) fn since(&self) -> f64 {
        self.start + self.chart.since
    }

    /// The column at a time in the last step, and that time on the integrator's clock.
    fn at(&self, time: f64) -> (f64, DVector<f64>) {
        let (since, end) = (self.since(), self.start + self.integrator.t);
        if time >= end || end <= since {
            return (self.integrator.t, self.integrator.y.clone());
        }
        let part = (time - since) / (end - since);
        (self.chart.since + part * (self.integrator.t - self.chart.since), self.integrator.along(part))
    }

    /// Puts the states of its bodies at a time in the last step among those of all.
    pub(super) fn unpack(&self, time: f64, states: &mut [State]) {
        let (t, y) = self.at(time);
        self.chart.unpack(t, &y, states);
    }

    /// The state of one of its bodies.
    pub(super) fn state(&self, time: f64, place: usize) -> State {
        let (t, y) = self.at(time);
        self.chart.state(t, &y, place)
    }

    /// Energies supplied and rubbed away at a time.
    pub(super) fn energies(&self, time: f64) -> [f64; 2] {
        let (_, y) = self.at(time);
        [y[y.len() - 2], y[y.len() - 1]]
    }

    /// Writes the column anew, for these states.
    fn rewrite(&mut self, states: &[State]) {
        let [.., supplied, friction] = *self.integrator.y.as_slice() else { return };
        self.integrator.y = self.chart.pack(self.integrator.t, states, [supplied, friction]);
    }
}

impl EventEngine {
    /// Lets the integrated bodies fly from where they are now.
    pub(super) fn land(&mut self) {
        let Some(mut flow) = self.flow.take() else { return };
        if self.time < flow.start + flow.integrator.t {
            let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
            self.with_mode(&flow.clone(), &joints, |mode| flow.integrator.cut(mode, self.time - flow.start));
        }
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        flow.unpack(self.time, &mut states);
        [self.supplied, self.friction] = flow.energies(self.time);
        for body in flow.chart.bodies {
            self.launch(body, states[body]);
        }
        self.stale = true;
    }

    pub(super) fn launch(&mut self, body: usize, state: State) {
        self.flights[body] = Flight { since: self.time, state, acceleration: self.scene.gravity };
    }

    pub(super) fn start_flow(&self, bodies: Vec<usize>, states: &[State]) -> Flow {
        let chart = Chart::new(0.0, bodies, states);
        let bodies = &chart.bodies;
        let y = chart.pack(0.0, states, [self.supplied, self.friction]);
        let scale = self.scales(bodies, states, y.len());
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        let integrator = Integrator::new(y, scale, self.settings.tolerance, self.step);
        let mut flow =
            Flow { integrator, start: self.time, chart, redundant: false, guided: Vec::new(), left: 0.0, ended: None };
        let redundant = self.with_mode(&flow, &joints, |mode| {
            mode.rows(states).is_some_and(|rows| {
                let unheld = Unheld::new(&self.scene, &self.inertias, &flow.chart.bodies, self.time, states);
                let matrix = unheld.response(&rows.held, &rows.columns);
                !rows.held.is_empty() && rank(&matrix) < rows.held.len()
            })
        });
        flow.redundant = redundant;
        if !redundant {
            flow.left = self.with_mode(&flow, &joints, |mode| mode.left(self.time, states)).unwrap_or_default();
        }
        flow.guided = self.with_mode(&flow, &joints, |mode| mode.find_guided(self.time, states)).unwrap_or_default();
        flow
    }

    /// Linear and angular accelerations of all bodies as these begin to move.
    pub(super) fn accelerations(&self, bodies: Vec<usize>, states: &[State]) -> Option<Vec<Wrench>> {
        let flow = self.start_flow(bodies, states);
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        self.with_mode(&flow, &joints, |mode| mode.solve(self.time, states).map(|solved| solved.moved.acceleration))
    }

    /// Sizes that errors of integration are measured by.
    fn scales(&self, bodies: &[usize], states: &[State], length: usize) -> DVector<f64> {
        let mut scale = DVector::zeros(length);
        let mut energy = 0.0;
        for (k, &body) in bodies.iter().enumerate() {
            let reach = self.scene.bodies[body].reach();
            let reach = if reach > 0.0 { reach } else { self.size };
            let speed = self.speed.max(states[body].velocity.norm());
            let spin = (speed / reach).max(states[body].angular_velocity.norm());
            let sizes = [[self.size; 3].as_slice(), &[1.0; 3], &[speed; 3], &[spin; 3]].concat();
            scale.as_mut_slice()[chart::WIDTH * k..chart::WIDTH * (k + 1)].copy_from_slice(&sizes);
            energy += self.inertias[body].mass * speed * speed;
        }
        scale.as_mut_slice()[length - 2..].fill(energy.max(f64::MIN_POSITIVE));
        scale
    }

    /// Calls with the equations of motion of the present mode.
    fn with_mode<T>(&self, flow: &Flow, joints: &[usize], f: impl FnOnce(&Mode<'_>) -> T) -> T {
        let frame: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        let spots: Vec<Spot> = self.held.iter().map(|held| held.spot).collect();
        // Where forces are not unique, whether some satisfy the laws is asked anew at every look.
        let possible = |time: f64, states: &[State]| {
            let question = self.question(&flow.chart.bodies, joints, time, states);
            let goes_on = || {
                question.answer(&spots).is_ok_and(|answer| {
                    answer.holds.iter().zip(&self.held).all(|(next, held)| {
                        !matches!((held.hold, next), (_, None) | (Hold::Stick, Some(Hold::Slip(_))))
                    })
                })
            };
            // From the last forces it is found sooner; from nothing, as when the mode began.
            goes_on() || {
                self.guess.take();
                goes_on()
            }
        };
        let margin = |spot: &Spot, states: &[State], now: &_| {
            // So far beyond its rim that what it meets next is surely found.
            self.pairs.feature_margin(&self.scene, spot, states, now) + 2.0 * self.reach
        };
        f(&Mode {
            scene: &self.scene,
            inertias: &self.inertias,
            chart: &flow.chart,
            round: &self.round,
            frame: &frame,
            joints,
            held: &self.held,
            slack: &self.slack,
            redundant: flow.redundant,
            guided: &flow.guided,
            sense: if flow.left == 0.0 { 0.0 } else { flow.left.signum() },
            possible: &possible,
            start: flow.start,
            depth: self.slack_depth(),
            slip_noise: self.slip_noise(),
            margin: &margin,
        })
    }

    /// One more step of the integrated bodies, cut short by what happens in it.
    pub(super) fn extend(&mut self) {
        let Some(mut flow) = self.flow.take() else { return };
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        flow.chart.unpack(flow.integrator.t, &flow.integrator.y, &mut states);
        flow.chart = Chart::new(flow.integrator.t, std::mem::take(&mut flow.chart.bodies), &states);
        flow.rewrite(&states);
        flow.integrator.limit_step(self.longest_step(&flow, &states));
        let evaluations = flow.integrator.evaluations;
        let ended = self.with_mode(&flow.clone(), &joints, |mode| {
            let ended = match flow.integrator.advance(mode) {
                Err(_) => return Some(Ended::Stuck),
                Ok(None) => None,
                Ok(Some(_)) => {
                    let (time, states) =
                        (flow.start + flow.integrator.t, mode.states(flow.integrator.t, &flow.integrator.y));
                    let ending = mode.ending(time, &states);
                    let jams = ending == Some(Ending::Jams);
                    let lets_go = || {
                        let before = mode.states(flow.chart.since, &flow.integrator.along(0.0));
                        mode.lets_go((flow.since(), &before), (time, &states)).map(Ending::LetsGo)
                    };
                    jams.then(lets_go).flatten().or(ending).map(Ended::Mode)
                }
            };
            if ended.is_none() {
                self.take_back_drift(&mut flow, &joints);
            }
            flow.integrator.raise_scale();
            let touch = self.pairs.first_in_flow(&self.scene, &self.flights, &self.held, mode, &flow, self.care());
            match touch {
                Some(time) if time <= flow.start + flow.integrator.t => {
                    flow.integrator.cut(mode, time - flow.start);
                    Some(Ended::Touch)
                }
                _ => ended,
            }
        });
        self.report.steps += 1;
        self.report.evaluations += flow.integrator.evaluations - evaluations;
        flow.ended = ended;
        flow.chart.unpack(flow.integrator.t, &flow.integrator.y, &mut states);
        self.scene.follow_joints(&states);
        self.count_slow_steps(&mut flow, &states);
        self.step = flow.integrator.next_step();
        self.flow = Some(flow);
    }

    /// The longest step in which nothing goes unnoticed that comes and goes while the column hardly changes: what turns with a body, or
    /// a force that comes and goes.
    fn longest_step(&self, flow: &Flow, states: &[State]) -> f64 {
        let seen = flow.chart.bodies.iter().filter(|body| !self.round[**body]);
        let spin = seen.map(|body| states[*body].angular_velocity.norm()).fold(0.0, f64::max);
        let pace = self.scene.loads.iter().filter_map(Load::rate).fold(0.0, |most: f64, rate| most.max(rate.abs()));
        // Where forces are not unique, whether there are any is no more than yes or no, and seen at single instants only.
        PART_OF_A_TURN / spin.max(if flow.redundant { INSTANTS * pace } else { pace })
    }

    /// Slip in space that stays slow turns ever faster, and is then followed as if it began.
    fn count_slow_steps(&mut self, flow: &mut Flow, states: &[State]) {
        let slow = self.held.iter().any(|held| !held.starting && self.slips_slowly(held, states));
        self.slow_steps = if slow { self.slow_steps + 1 } else { 0 };
        if self.slow_steps > MOST_SLOW_STEPS && flow.ended.is_none() {
            flow.ended = Some(Ended::Mode(Ending::Lingers));
        }
    }

    /// Whether a contact slips in space, more slowly than its direction can be followed with ease.
    pub(super) fn slips_slowly(&self, held: &Held, states: &[State]) -> bool {
        let slow = |meet: Meet| meet.velocity(states).yz().norm() < mode::BEGINNING * self.slip_noise();
        !self.scene.is_planar()
            && matches!(held.hold, Hold::Slip(_))
            && held.spot.friction[0] > 0.0
            && Meet::new(&self.scene, states, &held.spot).is_some_and(slow)
    }

    /// Puts joints and contacts back where they belong, after a step that moved them off by more than its errors should.
    fn take_back_drift(&self, flow: &mut Flow, joints: &[usize]) {
        if joints.is_empty() && self.held.is_empty() {
            return;
        }
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        flow.chart.unpack(flow.integrator.t, &flow.integrator.y, &mut states);
        let settling = self.settling(&flow.chart.bodies, joints, &self.held);
        if settling.drift(&states) <= DRIFT * self.settings.tolerance * self.size {
            return;
        }
        settling.settle(&mut states);
        flow.rewrite(&states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_too_short_only_beside_a_time_that_is_asked_for() {
        let count = |until: f64| {
            let mut steps = (0.0, 0);
            (1..=2000).any(|k| goes_on_for_ever(&mut steps, 1e-9 * f64::from(k), until))
        };
        assert!(!count(1e-3) && !count(f64::INFINITY));
        assert!(count(10.0));
    }
}
