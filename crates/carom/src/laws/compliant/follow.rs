//! Follows a contact model through a collision and sums up what happened.

use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, ContactSample, Course, Motion};
use crate::law::Inapplicable;
use crate::ode::{Integrator, System, Turning};
use crate::outcome::{Compression, ContactOutcome, Mode, Path, Works};
use nalgebra::{SVector, Vector2, Vector3};

/// A contact that can be followed in time. The state starts with the [`Header`]; the rest is the model's own.
pub(in crate::laws) trait Model<const N: usize, const EVENTS: usize> {
    /// The force on A, N; fills in how the model's own part of the state moves.
    fn force(&self, velocity: &Vector3<f64>, state: &SVector<f64, N>, rates: &mut SVector<f64, N>) -> Vector3<f64>;
    /// Functions that are positive while the present mode holds. The first belongs to [`follow`]: leave it.
    fn limits(&self, velocity: &Vector3<f64>, state: &SVector<f64, N>) -> [f64; EVENTS];
    /// The limit of this number was reached.
    fn switch(&mut self, limit: usize, velocity: &Vector3<f64>, state: &mut SVector<f64, N>) -> Next;
    /// The bodies began to part, or to approach again.
    fn turn(&mut self, _parting: bool, _velocity: &Vector3<f64>, _state: &mut SVector<f64, N>) -> Next {
        Next::GoesOn
    }
    /// Whether the bodies rest against each other along the normal, neither parting nor approaching.
    fn holds(&self) -> bool {
        false
    }
    /// How long the bodies still touch without a force that counts, s: they move on as they are.
    fn tail(&self, _velocity: &Vector3<f64>, _state: &SVector<f64, N>) -> f64 {
        0.0
    }
    /// What the contact does now.
    fn motion(&self) -> Motion;
    /// Slip of the contact point.
    fn slip(&self, velocity: &Vector3<f64>, state: &SVector<f64, N>) -> Vector2<f64>;
    /// The number of the state that is the angle of a slip that may turn, in the modes that have one.
    fn angle(&self) -> Option<usize> {
        None
    }
    /// How that angle turns.
    fn turning(&self, _velocity: &Vector3<f64>, _state: &SVector<f64, N>) -> Turning {
        Turning { inertia: 1.0, drive: 0.0, drive_by_angle: 0.0 }
    }
    /// A step was taken: a chance to remember something.
    fn watch(&mut self, _velocity: &Vector3<f64>, _state: &SVector<f64, N>) {}
}

/// How a collision goes on after a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::laws) enum Next {
    /// In another mode.
    GoesOn,
    /// Not at all: contact is lost.
    Ends,
}

/// The part of the state every model has.
pub(in crate::laws) struct Header;

impl Header {
    /// Its length: three numbers of impulse, the work of the normal force, three numbers of displacement.
    pub(in crate::laws) const LENGTH: usize = 7;

    /// Displacement of the bodies since first touch, m.
    pub(in crate::laws) fn displacement<const N: usize>(state: &SVector<f64, N>) -> Vector3<f64> {
        Vector3::new(state[4], state[5], state[6])
    }

    /// How far the bodies have moved into each other along the normal, m: positive in compression.
    pub(in crate::laws) fn compression<const N: usize>(state: &SVector<f64, N>) -> f64 {
        -state[4]
    }
}

/// Local error of a step, relative to the scales of the problem: leaves 1e-11 for a collision.
const TOLERANCE: f64 = 1e-12;
/// First step, as a fraction of the model's time.
const FIRST_STEP: f64 = 0.02;
/// Far more steps than any collision takes.
const MOST_STEPS: usize = 20_000;
/// So many changes of mode at one instant are a quarrel without end.
const MOST_CHANGES: usize = 12;
/// A tail shorter than this part of the contact is rounding.
const ROUNDING: f64 = 1e-12;
/// Samples a step is drawn by, and looked at for the greatest force.
const SAMPLES: usize = 12;

struct Following<'a, M> {
    collision: &'a Collision,
    model: M,
    parting: bool,
}

impl<M> Following<'_, M> {
    fn velocity<const N: usize>(&self, y: &SVector<f64, N>) -> Vector3<f64> {
        self.collision.velocity_after(&impulse(y))
    }
}

fn impulse<const N: usize>(y: &SVector<f64, N>) -> Vector3<f64> {
    Vector3::new(y[0], y[1], y[2])
}

impl<M: Model<N, E>, const N: usize, const E: usize> System<SVector<f64, N>, E> for Following<'_, M> {
    fn derivative(&self, _: f64, y: &SVector<f64, N>) -> SVector<f64, N> {
        let v = self.velocity(y);
        let mut rates = SVector::zeros();
        let force = self.model.force(&v, y, &mut rates);
        rates[0] = force.x;
        rates[1] = force.y;
        rates[2] = force.z;
        rates[3] = force.x * v.x;
        rates[4] = v.x;
        rates[5] = v.y;
        rates[6] = v.z;
        rates
    }

    fn events(&self, _: f64, y: &SVector<f64, N>) -> [f64; E] {
        let v = self.velocity(y);
        let mut limits = self.model.limits(&v, y);
        limits[0] = match (self.model.holds(), self.parting) {
            (true, _) => 1.0,
            (false, true) => v.x,
            (false, false) => -v.x,
        };
        limits
    }

    fn angle(&self) -> Option<usize> {
        self.model.angle()
    }

    fn turning(&self, _: f64, y: &SVector<f64, N>) -> Turning {
        self.model.turning(&self.velocity(y), y)
    }
}

/// Follows `model` from first touch until contact is lost. `state` is where it starts, `time` the time its motion takes by
/// order of magnitude, `scale` the sizes of the model's own part of the state; `friction` only tells a frictionless
/// outcome from others. The second value is the model as it was left.
pub(in crate::laws) fn follow<M: Model<N, E>, const N: usize, const E: usize>(
    collision: &Collision,
    model: M,
    state: SVector<f64, N>,
    (time, mut scale): (f64, SVector<f64, N>),
    friction: f64,
    mut history: Option<&mut ContactHistory>,
) -> Result<(ContactOutcome, M), Inapplicable> {
    let size = collision.velocity().norm();
    let impulse_size = size / collision.inverse_mass().trace();
    for i in 0..3 {
        scale[i] = impulse_size;
        scale[4 + i] = size * time;
    }
    scale[3] = impulse_size * size;
    let parting = collision.velocity_after(&impulse(&state)).x > 0.0;
    let mut system = Following { collision, model, parting };
    let mut integrator = Integrator::new(state, scale, TOLERANCE, FIRST_STEP * time);
    let mut tally = Tally::default();
    tally.path.push(Vector3::zeros());
    if let Some(history) = history.as_deref_mut() {
        history.clock = Clock::Time;
        history.samples.push(sample(&system, 0.0, &integrator.y));
    }
    tally.note_motion(&system.model);
    for _ in 0..MOST_STEPS {
        let before = integrator.t;
        let event = integrator.advance(&system).map_err(|_| Inapplicable::NoConvergence)?;
        tally.watch_force(&system, &integrator);
        tally.path.thread(impulse(&integrator.y));
        if let Some(history) = history.as_deref_mut() {
            history.samples.extend(integrator.trace(SAMPLES).map(|(t, y)| sample(&system, t, &y)));
        }
        let v = system.velocity(&integrator.y);
        system.model.watch(&v, &integrator.y);
        tally.changes = match event {
            None => 0,
            Some(_) if integrator.t - before > 1e-14 * time => 1,
            Some(_) => tally.changes + 1,
        };
        if tally.changes > MOST_CHANGES {
            return Err(Inapplicable::NoConvergence);
        }
        let Some(event) = event else { continue };
        let motion = system.model.motion();
        let next = if event == 0 {
            tally.turn(system.parting, &integrator.y);
            system.parting = !system.parting;
            system.model.turn(system.parting, &v, &mut integrator.y)
        } else {
            system.model.switch(event, &v, &mut integrator.y)
        };
        if next == Next::Ends {
            tally.end(system.parting, &integrator.y);
            let tail = system.model.tail(&v, &integrator.y);
            if tail > ROUNDING * integrator.t {
                integrator.t += tail;
                for i in 0..3 {
                    integrator.y[4 + i] += v[i] * tail;
                }
                if let Some(history) = history {
                    history.samples.push(sample(&system, integrator.t, &integrator.y));
                }
            }
            let outcome = tally.outcome(collision, &integrator, friction);
            return Ok((outcome, system.model));
        }
        tally.note_motion(&system.model);
        if let Some(history) = history.as_deref_mut()
            && system.model.motion() != motion
        {
            history.samples.push(sample(&system, integrator.t, &integrator.y));
        }
    }
    Err(Inapplicable::NoConvergence)
}

fn sample<M: Model<N, E>, const N: usize, const E: usize>(
    system: &Following<'_, M>,
    at: f64,
    y: &SVector<f64, N>,
) -> ContactSample {
    let (velocity, impulse) = (system.velocity(y), impulse(y));
    ContactSample {
        at,
        force: Some(system.model.force(&velocity, y, &mut SVector::zeros())),
        displacement: Some(Header::displacement(y)),
        velocity,
        slip: system.model.slip(&velocity, y),
        impulse,
        normal_work: y[3],
        tangential_work: system.collision.energy_change(&impulse) - y[3],
        motion: system.model.motion(),
    }
}

/// What is summed up on the way.
#[derive(Default)]
struct Tally {
    path: Path,
    /// Impulse at the last end of approach.
    compressed: Option<Vector3<f64>>,
    /// Work of the normal force while approaching, and while parting.
    works: [f64; 2],
    /// Work of the normal force up to the last turn.
    work_before: f64,
    peak: f64,
    deepest: f64,
    stuck: bool,
    changes: usize,
}

impl Tally {
    fn note_motion<M: Model<N, E>, const N: usize, const E: usize>(&mut self, model: &M) {
        self.stuck |= model.motion() == Motion::Sticking;
    }

    /// The greatest normal force of the last step, its start included, where a dashpot may be strongest. A peak between
    /// the samples is read off two parabolas, the second through places close to the top of the first.
    fn watch_force<M: Model<N, E>, const N: usize, const E: usize>(
        &mut self,
        system: &Following<'_, M>,
        integrator: &Integrator<SVector<f64, N>>,
    ) {
        const SPACING: f64 = 1.0 / SAMPLES as f64;
        let force = |part: f64| {
            let y = integrator.along(part);
            system.model.force(&system.velocity(&y), &y, &mut SVector::zeros()).x
        };
        // Most steps only rise or fall: three looks tell.
        let [first, middle, last] = [0.0, 0.5, 1.0].map(force);
        self.peak = self.peak.max(first).max(last);
        match top(first, middle, last) {
            Some((place, height)) if place.abs() <= 2.0 && height > self.peak => {}
            _ if middle > self.peak => {}
            _ => return,
        }
        let samples: [f64; SAMPLES + 1] = std::array::from_fn(|k| force(k as f64 * SPACING));
        for (k, three) in samples.windows(3).enumerate() {
            let Some((place, _)) = top(three[0], three[1], three[2]) else { continue };
            let part = (k as f64 + 1.0 + place) * SPACING;
            if place.abs() > 1.0 || !(0.0..=1.0).contains(&part) {
                continue;
            }
            let near = SPACING / 16.0;
            let middle = force(part);
            let height = match top(force(part - near), middle, force(part + near)) {
                // Three values that differ by rounding only may have their top anywhere.
                Some((again, height)) if again.abs() <= 1.0 && (0.0..=1.0).contains(&(part + again * near)) => height,
                _ => middle,
            };
            self.peak = self.peak.max(height);
        }
        self.peak = samples.iter().fold(self.peak, |peak, f| peak.max(*f));
    }

    fn turn<const N: usize>(&mut self, was_parting: bool, y: &SVector<f64, N>) {
        self.end(was_parting, y);
        if !was_parting {
            self.compressed = Some(impulse(y));
            self.deepest = self.deepest.max(Header::compression(y));
        }
    }

    fn end<const N: usize>(&mut self, was_parting: bool, y: &SVector<f64, N>) {
        self.works[usize::from(was_parting)] += y[3] - self.work_before;
        self.work_before = y[3];
    }

    fn outcome<const N: usize>(
        self,
        collision: &Collision,
        integrator: &Integrator<SVector<f64, N>>,
        friction: f64,
    ) -> ContactOutcome {
        let impulse = impulse(&integrator.y);
        let mut outcome = ContactOutcome::jump(collision, impulse, friction);
        outcome.mode = if friction == 0.0 {
            Mode::Frictionless
        } else if self.stuck {
            Mode::InsideCone
        } else if outcome.velocity_after.yz().dot(&collision.velocity().yz()) < 0.0 {
            Mode::ReversedSliding
        } else {
            Mode::Sliding
        };
        outcome.path = self.path;
        outcome.path.finish(impulse);
        outcome.compression = self.compressed.map(|compressed| Compression {
            impulse: compressed,
            works: Some(Works::of(collision, &impulse, self.works[0], self.works[1])),
        });
        outcome.course = Some(Course {
            clock: Clock::Time,
            duration: Some(integrator.t),
            peak_force: Some(self.peak),
            peak_indentation: Some(self.deepest),
            evaluations: integrator.evaluations,
        });
        outcome
    }
}

/// Where the parabola through three evenly spaced values has its top, from the middle in units of the spacing, and how high
/// it is; `None` if it has none.
fn top(left: f64, middle: f64, right: f64) -> Option<(f64, f64)> {
    let (bend, lean) = (left - 2.0 * middle + right, 0.5 * (right - left));
    (bend < 0.0).then(|| (-lean / bend, middle - 0.5 * lean * lean / bend))
}
