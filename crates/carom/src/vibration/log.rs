//! What is written down while a collision of bodies that vibrate goes on.

use super::dynamics::{Dynamics, State};
use super::flexible::FlexibleCollision;
use super::flight::{Flight, Next};
use super::mode::Mode;
use super::outcome::{Ending, EnergyBalance, FlexibleOutcome, Touch};
use super::rigidity::Rigidity;
use crate::course::{Clock, ContactHistory, ContactSample, Course, Motion};
use crate::outcome::{ContactOutcome, Path};
use nalgebra::{Vector2, Vector3};

/// A collision under way: its state and what happened so far.
pub(super) struct Log<'a> {
    collision: &'a FlexibleCollision,
    dynamics: &'a Dynamics<'a>,
    /// Time since first touch, s.
    pub(super) time: f64,
    /// The state now.
    pub(super) state: State,
    /// How often the equations of motion were evaluated.
    pub(super) evaluations: usize,
    /// Steps in contact that are left before the collision is given up.
    pub(super) budget: usize,
    /// Steps of the search for contacts that are left.
    search: usize,
    touches: Vec<Touch>,
    /// Impulse when the present touch began.
    before_touch: Vector3<f64>,
    /// The last two instants of the present touch and their normal forces.
    recent: [(f64, f64); 2],
    /// Greatest speed of vibration along the normal.
    fastest: f64,
    /// Greatest indentation.
    deepest: Option<f64>,
    path: Path,
    history: Option<ContactHistory>,
}

/// The contact at an instant, beside what the state says.
pub(super) struct Seen {
    pub(super) force: Vector3<f64>,
    pub(super) slip: Vector2<f64>,
    pub(super) motion: Motion,
    /// How deep the surfaces overlap, m, in a contact that gives way.
    pub(super) indentation: Option<f64>,
}

/// Steps in contact, far more than any collision takes that is worth waiting for.
const STEPS: usize = 50_000;
/// Steps of the search for contacts; each is at least a share of the fastest period unless a contact is near.
const SEARCH: usize = 200_000;
/// Samples of a flight.
const FLIGHT_SAMPLES: usize = 24;

impl<'a> Log<'a> {
    pub(super) fn new(collision: &'a FlexibleCollision, dynamics: &'a Dynamics<'a>, record: bool) -> Log<'a> {
        let mut path = Path::default();
        path.push(Vector3::zeros());
        Log {
            collision,
            dynamics,
            time: 0.0,
            state: dynamics.start(),
            evaluations: 0,
            budget: STEPS,
            search: SEARCH,
            touches: Vec::new(),
            before_touch: Vector3::zeros(),
            recent: [(0.0, 0.0); 2],
            fastest: 0.0,
            deepest: None,
            path,
            history: record.then(ContactHistory::default),
        }
    }

    /// A contact begins now.
    pub(super) fn begin_touch(&mut self) {
        self.before_touch = Dynamics::impulse(&self.state);
        self.recent = [(self.time, 0.0); 2];
        self.touches.push(Touch { from: self.time, to: self.time, impulse: Vector3::zeros(), peak_force: None });
    }

    /// The contact that began last ends now.
    pub(super) fn end_touch(&mut self) {
        let impulse = Dynamics::impulse(&self.state) - self.before_touch;
        if let Some(touch) = self.touches.last_mut() {
            touch.to = self.time;
            touch.impulse = impulse;
        }
    }

    /// An instant of contact. Forces are looked at for the greatest.
    pub(super) fn see(&mut self, at: f64, y: &State, seen: &Seen) {
        self.fastest = self.fastest.max(self.dynamics.vibration_velocity(y).x.abs());
        if seen.motion != Motion::Apart
            && let Some(touch) = self.touches.last_mut()
        {
            let [first, second] = self.recent;
            let greatest = summit(first, second, (at, seen.force.x));
            touch.peak_force = Some(touch.peak_force.map_or(greatest, |peak| peak.max(greatest)));
            self.recent = [second, (at, seen.force.x)];
            self.deepest = seen.indentation.map(|deep| self.deepest.map_or(deep, |deepest| deepest.max(deep)));
        }
        self.path.thread(Dynamics::impulse(y));
        self.write(at, y, Some(seen));
    }

    /// An instant of an impulse that takes no time.
    pub(super) fn see_kick(&mut self) {
        let state = self.state.clone();
        self.fastest = self.fastest.max(self.dynamics.vibration_velocity(&state).x.abs());
        self.path.thread(Dynamics::impulse(&state));
        self.write(self.time, &state, None);
    }

    fn write(&mut self, at: f64, y: &State, seen: Option<&Seen>) {
        let Some(history) = &mut self.history else { return };
        let velocity = self.dynamics.velocity(y);
        let [normal_work, tangential_work, _] = Dynamics::works(y);
        history.samples.push(ContactSample {
            at,
            force: Some(seen.map_or_else(Vector3::zeros, |seen| seen.force)),
            displacement: Some(self.dynamics.displacement(y)),
            velocity,
            slip: seen.map_or_else(|| velocity.yz(), |seen| seen.slip),
            impulse: Dynamics::impulse(y),
            normal_work,
            tangential_work,
            motion: seen.map_or(Motion::Apart, |seen| seen.motion),
        });
    }

    /// Flies to the next contact; tells the time it took, or how the collision ended.
    pub(super) fn fly(&mut self, most_touches: usize) -> Result<f64, Ending> {
        let time = match Flight::from(self.dynamics, &self.state).next(&mut self.search) {
            Next::Touch(time) => time,
            Next::Never => return Err(Ending::Apart),
            Next::Unknown => return Err(Ending::TooManyTouches),
        };
        if self.touches.len() >= most_touches {
            return Err(Ending::TooManyTouches);
        }
        if self.history.is_some() {
            for k in 0..=FLIGHT_SAMPLES {
                let part = time * k as f64 / FLIGHT_SAMPLES as f64;
                let mut y = self.state.clone();
                self.dynamics.coast(&mut y, part);
                self.write(self.time + part, &y, None);
            }
        }
        self.dynamics.coast(&mut self.state, time);
        self.time += time;
        Ok(time)
    }

    /// Sums up.
    pub(super) fn finish(mut self, ending: Ending, friction: f64) -> FlexibleOutcome {
        let rigid = self.collision.collision();
        let impulse = Dynamics::impulse(&self.state);
        let mut outcome = ContactOutcome::jump(rigid, impulse, friction);
        self.path.finish(impulse);
        outcome.path = self.path;
        let duration = self.touches.last().map_or(0.0, |touch| touch.to);
        let peaks = self.touches.iter().filter_map(|touch| touch.peak_force);
        outcome.course = Some(Course {
            clock: Clock::Time,
            duration: Some(duration),
            peak_force: peaks.reduce(f64::max),
            peak_indentation: self.deepest,
            evaluations: self.evaluations,
        });
        let [normal_work, tangential_work, damped] = Dynamics::works(&self.state);
        let vibration = self.dynamics.vibration_energy(&self.state);
        let approach = rigid.velocity().x;
        let slowest = self.collision.modes().iter().map(Mode::damped_frequency).reduce(f64::min);
        FlexibleOutcome {
            outcome,
            ending,
            energy: EnergyBalance {
                rigid_change: rigid.energy_change(&impulse),
                vibration,
                damped,
                normal_work,
                tangential_work,
            },
            rigidity: Rigidity {
                response: self.fastest / approach.abs(),
                energy_share: vibration * 2.0 * rigid.inverse_mass()[(0, 0)] / (approach * approach),
                periods: slowest.map(|frequency| duration * frequency / std::f64::consts::TAU),
                touches: self.touches.len(),
            },
            touches: self.touches,
            history: self.history,
        }
    }
}

/// The greatest of three values of a function: the top of the parabola through them if the middle one is the greatest.
fn summit((t0, f0): (f64, f64), (t1, f1): (f64, f64), (t2, f2): (f64, f64)) -> f64 {
    let greatest = f0.max(f1).max(f2);
    let (before, after) = ((f1 - f0) / (t1 - t0), (f2 - f1) / (t2 - t1));
    let bend = (after - before) / (t2 - t0);
    let lean = (before * (t2 - t1) + after * (t1 - t0)) / (t2 - t0);
    let top = f1 - 0.25 * lean * lean / bend;
    // Two samples at one instant make no parabola.
    if f1 == greatest && t0 < t1 && t1 < t2 && bend < 0.0 { top } else { greatest }
}

/// A collision that does not happen.
pub(super) fn no_contact(collision: &FlexibleCollision) -> FlexibleOutcome {
    FlexibleOutcome {
        outcome: ContactOutcome::none(collision.collision()),
        touches: Vec::new(),
        ending: Ending::Apart,
        energy: EnergyBalance {
            rigid_change: 0.0,
            vibration: 0.0,
            damped: 0.0,
            normal_work: 0.0,
            tangential_work: 0.0,
        },
        rigidity: Rigidity { response: 0.0, energy_share: 0.0, periods: None, touches: 0 },
        history: None,
    }
}
