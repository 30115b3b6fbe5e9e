//! What is written down while a collision is followed.

use super::scaled::{Pose, Scaled};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, ContactSample, Course, Motion};
use crate::outcome::{Compression, ContactOutcome, Mode, Path, Works};
use nalgebra::{Vector2, Vector3};

/// The contact at one instant, in the units of the scaled collision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instant {
    pub(super) time: f64,
    pub(super) pose: Pose,
    pub(super) impulse: Vector3<f64>,
    pub(super) force: Vector3<f64>,
    /// Work of the normal force so far.
    pub(super) normal_work: f64,
    /// Velocity of the part that slips.
    pub(super) slip: Vector2<f64>,
    pub(super) motion: Motion,
}

/// Collects what an outcome tells beyond the impulse.
#[derive(Debug)]
pub(super) struct Log<'a> {
    pub(super) scaled: Scaled,
    history: Option<&'a mut ContactHistory>,
    path: Path,
    peak_force: f64,
    peak_indentation: f64,
    /// Impulse at the last end of approach.
    compressed: Option<Vector3<f64>>,
    /// Work of the normal force in approach and in parting.
    works: [f64; 2],
    /// Whether the whole contact has slipped all the time.
    slips: bool,
    /// How often the bed was evaluated.
    pub(super) evaluations: usize,
}

impl<'a> Log<'a> {
    pub(super) fn new(scaled: &Scaled, history: Option<&'a mut ContactHistory>) -> Log<'a> {
        let mut path = Path::default();
        path.push(Vector3::zeros());
        Log {
            scaled: *scaled,
            history,
            path,
            peak_force: 0.0,
            peak_indentation: 0.0,
            compressed: None,
            works: [0.0; 2],
            slips: true,
            evaluations: 0,
        }
    }

    /// Whether somebody wants to see every instant.
    pub(super) fn is_watched(&self) -> bool {
        self.history.is_some()
    }

    /// The approach ends here, perhaps not for the last time.
    pub(super) fn compressed(&mut self, impulse: Vector3<f64>) {
        self.compressed = Some(impulse);
    }

    /// The normal force does some work: against the approach, or for the parting.
    pub(super) fn worked(&mut self, work: f64) {
        self.works[usize::from(work > 0.0)] += work;
    }

    /// Something new begins here.
    pub(super) fn enter(&mut self, instant: &Instant) {
        self.note(instant);
        self.record(instant);
    }

    /// Takes an instant into account.
    pub(super) fn note(&mut self, instant: &Instant) {
        self.peak_force = self.peak_force.max(instant.force.x);
        self.peak_indentation = self.peak_indentation.max(instant.pose.indentation);
        self.slips &= instant.motion == Motion::Slipping;
        self.path.thread(self.scaled.in_contact_frame(&(instant.impulse * self.scaled.units.impulse())));
    }

    /// Puts an instant into the history, if there is one.
    pub(super) fn record(&mut self, instant: &Instant) {
        let Some(history) = &mut self.history else { return };
        let (scaled, units) = (&self.scaled, &self.scaled.units);
        let velocity = scaled.velocity(&instant.impulse);
        let energy = 0.5 * instant.impulse.dot(&(scaled.v + velocity));
        let displacement = Vector3::new(-instant.pose.indentation, instant.pose.shift.x, instant.pose.shift.y);
        let slip = Vector3::new(0.0, instant.slip.x, instant.slip.y);
        let sample = ContactSample {
            at: instant.time * units.time(),
            force: Some(scaled.in_contact_frame(&instant.force) * units.force()),
            displacement: Some(scaled.in_contact_frame(&displacement) * units.length),
            velocity: scaled.in_contact_frame(&velocity) * units.velocity,
            slip: scaled.in_contact_frame(&slip).yz() * units.velocity,
            impulse: scaled.in_contact_frame(&instant.impulse) * units.impulse(),
            normal_work: instant.normal_work * units.work(),
            tangential_work: (energy - instant.normal_work) * units.work(),
            motion: if scaled.friction == 0.0 { Motion::Frictionless } else { instant.motion },
        };
        history.clock = Clock::Time;
        if let Some(last) = history.samples.last()
            && last.motion != sample.motion
            && last.at < sample.at
        {
            history.samples.push(ContactSample { motion: last.motion, ..sample });
        }
        history.samples.push(sample);
    }

    /// The outcome of a collision that ended here.
    pub(super) fn finish(mut self, collision: &Collision, end: &Instant) -> ContactOutcome {
        let (scaled, units) = (self.scaled, self.scaled.units);
        let impulse = scaled.in_contact_frame(&end.impulse) * (units.impulse() * self.correction(&end.impulse));
        let mut outcome = ContactOutcome::jump(collision, impulse, scaled.friction);
        if scaled.friction == 0.0 {
            outcome.mode = Mode::Frictionless;
        } else if self.slips {
            // What slips here are the touching points; the bodies may have reversed all the same.
            let onwards = scaled.v.yz().dot(&end.slip) >= 0.0;
            outcome.mode = if onwards { Mode::Sliding } else { Mode::ReversedSliding };
        }
        if let Some(compressed) = self.compressed {
            let works = self.works.map(|work| work * units.work());
            outcome.compression = Some(Compression {
                impulse: scaled.in_contact_frame(&compressed) * units.impulse(),
                works: Some(Works::of(collision, &impulse, works[0], works[1])),
            });
        }
        self.path.finish(impulse);
        outcome.path = self.path;
        outcome.course = Some(Course {
            clock: Clock::Time,
            duration: Some(end.time * units.time()),
            peak_force: Some(self.peak_force * units.force()),
            peak_indentation: Some(self.peak_indentation * units.length),
            evaluations: self.evaluations,
        });
        outcome
    }
    /// The error of the integration that is known, as a factor of the impulse.
    fn correction(&self, impulse: &Vector3<f64>) -> f64 {
        let scaled = &self.scaled;
        if scaled.is_central() || scaled.friction == 0.0 {
            // Without coupling the bodies part as fast as they met, whatever friction does.
            return 2.0 / impulse.x;
        }
        // Energy cannot have been gained; the change by a multiple f of the impulse is f P·V + ½ f² P·W P.
        let (first, second) = (impulse.dot(&scaled.v), 0.5 * impulse.dot(&(scaled.w * impulse)));
        if first + second > 0.0 { -first / second } else { 1.0 }
    }
}
