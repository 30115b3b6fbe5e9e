//! Follows springs at the contacts through an impact, from one change of mode to the next.
//!
//! The state of every such process starts alike: the impulse of each contact (three numbers), its compression, and the
//! work of all normal forces; what follows is the process's own.

use crate::course::Clock;
use crate::course::{IslandHistory, IslandSample};
use crate::impact::Impact;
use crate::law::Inapplicable;
use crate::ode::{Integrator, System};
use crate::outcome::{Effort, Note, Solution};
use nalgebra::{DVector, Matrix3, Vector3};

/// A process that can be followed. Its one event function is the least of all its margins.
pub(super) trait Process: System<DVector<f64>, 1> {
    /// Shows every mode's number, and how far the state is from ending it: below zero, it ended.
    fn margins(&self, y: &DVector<f64>, see: &mut dyn FnMut(usize, f64));
    /// That mode ended.
    fn switch(&mut self, ending: usize, y: &mut DVector<f64>);
    /// Whether no force is left and no contact will touch again.
    fn is_over(&self, y: &DVector<f64>) -> bool;
    /// The greatest velocity at contacts that press, but for slip without friction, and of contacts that close.
    fn pace(&self, y: &DVector<f64>) -> f64;
    /// The greatest normal force, relative to its size.
    fn press(&self, y: &DVector<f64>) -> f64;
    /// Takes back what the errors of a step did to conditions of the present mode.
    fn tidy(&self, _y: &mut DVector<f64>) {}
    /// Which contacts stick.
    fn sticking(&self) -> Vec<bool>;
}

/// The mode whose margin is the least, and that margin.
pub(super) fn least_margin(process: &impl Process, y: &DVector<f64>) -> (usize, f64) {
    let mut least = (0, f64::INFINITY);
    process.margins(y, &mut |number, margin| {
        if margin < least.1 {
            least = (number, margin);
        }
    });
    least
}

/// Local error of a step, relative to the scales of the problem. It leaves 1e-10 for a chain of Hertzian contacts, whose
/// forces δ^η have no smooth start.
const TOLERANCE: f64 = 1e-13;
/// First step, as a fraction of the shortest time of a contact.
const FIRST_STEP: f64 = 0.02;
/// Far more steps than an impact takes, at all and for each contact: a stiff contact beside one a million times softer
/// rebounds a thousand times.
const MOST_STEPS: usize = 10_000;
const MOST_STEPS_PER_CONTACT: usize = 1_000;
/// So many changes of mode per contact at one instant are a quarrel without end.
const MOST_CHANGES: usize = 24;
/// Samples a step is drawn by.
const SAMPLES: usize = 6;
/// Contacts that press and move slower than this fraction of the first speeds, for several steps, have come to rest.
const AT_REST: f64 = 3e-10;
const STEPS_AT_REST: usize = 8;
/// A force above this fraction of its size holds bodies at rest; what moves so slowly would press far less.
const WEDGED: f64 = 1e3 * AT_REST;

/// Sizes of a contact: what a mass 1/W_nn does that hits its spring with the greatest speed of the impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Along the normal, kg m/s.
    pub impulse: f64,
    /// Along the tangents, kg m/s: less where a tangential impulse moves more.
    pub tangential_impulse: f64,
    /// m.
    pub compression: f64,
    /// N.
    pub force: f64,
    /// s.
    pub time: f64,
}

impl Scale {
    /// The sizes at a spring F = k δ^η: ½ m v² = k δ^(η+1)/(η+1). `block` is W of the contact.
    pub(super) fn of(block: &Matrix3<f64>, speed: f64, stiffness: f64, exponent: f64) -> Scale {
        let mass = block[(0, 0)].recip();
        let tangential_impulse = speed / block[(0, 0)].max(block[(1, 1)] + block[(2, 2)]);
        let compression = (0.5 * (exponent + 1.0) * mass * speed * speed / stiffness).powf(1.0 / (exponent + 1.0));
        let force = stiffness * compression.powf(exponent);
        Scale { impulse: mass * speed, tangential_impulse, compression, force, time: compression / speed }
    }
}

impl Scale {
    fn impulses(&self) -> [f64; 3] {
        [self.impulse, self.tangential_impulse, self.tangential_impulse]
    }
}

/// The greatest speed of an impact.
pub(super) fn speed(impact: &Impact) -> f64 {
    impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max)
}

/// The impulse so far at every contact.
pub(super) fn impulses(y: &DVector<f64>, contacts: usize) -> Vec<Vector3<f64>> {
    y.as_slice()[..3 * contacts].chunks_exact(3).map(Vector3::from_column_slice).collect()
}

/// Numbers of the state that all processes have.
pub(super) fn header(contacts: usize) -> usize {
    4 * contacts + 1
}

/// Where the compression of a contact stands.
pub(super) fn compression(contacts: usize, contact: usize) -> usize {
    3 * contacts + contact
}

/// Puts the rates of impulse, compression and work together; what the process adds to the state is left at rest.
pub(super) fn rates(
    y: &DVector<f64>,
    forces: &[Vector3<f64>],
    velocities: &[Vector3<f64>],
    compressing: impl Fn(usize) -> f64,
) -> DVector<f64> {
    let contacts = forces.len();
    let mut rates = DVector::zeros(y.len());
    for (contact, (force, velocity)) in forces.iter().zip(velocities).enumerate() {
        rates.as_mut_slice()[3 * contact..3 * contact + 3].copy_from_slice(force.as_slice());
        rates[compression(contacts, contact)] = compressing(contact);
        rates[4 * contacts] += force.x * velocity.x;
    }
    rates
}

/// Follows a process to its end. `y` is where it starts, `own` the sizes of its own part of the state.
pub(super) fn follow(
    impact: &Impact,
    mut process: impl Process,
    scales: &[Scale],
    mut y: DVector<f64>,
    own: &[f64],
    mut history: Option<&mut IslandHistory>,
) -> Result<Solution, Inapplicable> {
    let (n, speed) = (impact.contacts(), speed(impact));
    let mut sizes: Vec<f64> = scales.iter().flat_map(Scale::impulses).collect();
    sizes.extend(scales.iter().enumerate().map(|(k, s)| s.compression.max(y[compression(n, k)].abs())));
    sizes.push(scales.iter().map(|scale| scale.impulse * speed).sum());
    sizes.extend(own);
    let shortest = scales.iter().map(|scale| scale.time).fold(f64::INFINITY, f64::min);
    y.as_mut_slice()[..3 * n].fill(0.0);
    let mut integrator = Integrator::new(y, DVector::from_vec(sizes), TOLERANCE, FIRST_STEP * shortest);
    let record = |process: &_, history: &mut IslandHistory, at, y: &_| {
        let sample = sample(impact, process, history.clock, at, y);
        history.samples.push(sample);
    };
    if let Some(history) = history.as_deref_mut() {
        record(&process, history, 0.0, &integrator.y);
    }
    let (mut changes, mut resting) = (0, 0);
    for _ in 0..MOST_STEPS + MOST_STEPS_PER_CONTACT * n {
        if process.is_over(&integrator.y) || resting >= STEPS_AT_REST {
            let p = impulses(&integrator.y, n);
            let approach = impact.after(&p).iter().map(|v| -v.x).fold(0.0, f64::max);
            let effort = Effort { iterations: integrator.evaluations, residual: approach / speed };
            let outcome = Solution::of(impact, p, effort);
            let wedged = process.press(&integrator.y) > WEDGED;
            return Ok(if wedged { outcome.with_note(Note::Wedged) } else { outcome });
        }
        let before = integrator.t;
        let event = integrator.advance(&process).map_err(|_| Inapplicable::NoConvergence)?;
        if let Some(history) = history.as_deref_mut() {
            for (t, y) in integrator.trace(SAMPLES) {
                record(&process, history, t, &y);
            }
        }
        let moved = integrator.t - before > 1e-14 * shortest;
        resting = if process.pace(&integrator.y) > AT_REST * speed { 0 } else { resting + 1 };
        process.tidy(&mut integrator.y);
        if event.is_none() {
            changes = 0;
            continue;
        }
        changes = if moved { 1 } else { changes + 1 };
        if changes > MOST_CHANGES * n {
            return Err(Inapplicable::NoConvergence);
        }
        let (ending, _) = least_margin(&process, &integrator.y);
        process.switch(ending, &mut integrator.y);
        if let Some(history) = history.as_deref_mut() {
            record(&process, history, integrator.t, &integrator.y);
        }
    }
    Err(Inapplicable::NoConvergence)
}

fn sample(impact: &Impact, process: &impl Process, clock: Clock, t: f64, y: &DVector<f64>) -> IslandSample {
    let n = impact.contacts();
    let impulses = impulses(y, n);
    let at = match clock {
        Clock::Time => t,
        Clock::NormalImpulse => impulses.iter().map(|p| p.x).sum(),
    };
    let velocities = impact.after(&impulses);
    IslandSample { at, velocities, impulses, normal_work: y[4 * n], sticking: process.sticking(), event: 1 }
}
