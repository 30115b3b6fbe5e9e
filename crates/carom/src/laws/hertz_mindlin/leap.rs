//! Equal steps through a collision on a bed that remembers: leapfrog.
//!
//! Half a step of the force's impulse, a step of the bodies, half a step of the new force's impulse. The scheme is of
//! second order and symplectic: it keeps an energy that differs from the true one by terms in F² and dF/dt, which vanish at
//! both ends of the contact, so that a collision without slip gives back what it took.

use super::log::{Instant, Log};
use super::scaled::{Pose, Scaled};
use crate::course::Motion;
use crate::law::Inapplicable;
use nalgebra::{Vector2, Vector3};

/// A discrete contact area.
pub(super) trait Bed {
    /// The force on A after the bodies moved on along a straight line.
    fn reach(&mut self, from: &Pose, to: &Pose) -> Vector3<f64>;

    /// What the contact did on the way; `None` if no element is touched.
    fn edge(&self) -> Option<Edge>;

    /// The indentation at which the first element is touched.
    fn first(&self) -> f64;

    /// Step times the fastest angular frequency. The phase of that oscillation then errs by 1/24 of the square of this per
    /// radian.
    fn step(&self) -> f64 {
        0.01
    }
}

/// What the contact did during a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) motion: Motion,
    /// How far the outermost part slid.
    pub(super) slid: Vector2<f64>,
}

impl Edge {
    /// The edge of a contact of which some elements touch and some of those slip.
    pub(super) fn of(touching: usize, slipping: usize, slid: Vector2<f64>) -> Option<Edge> {
        let motion = match slipping {
            0 => Motion::Sticking,
            _ if slipping == touching => Motion::Slipping,
            _ => Motion::PartlySlipping,
        };
        (touching > 0).then_some(Edge { motion, slid })
    }
}

/// Far more steps than any collision takes.
const MOST_STEPS: usize = 10_000_000;
/// Samples of a history, about.
const SAMPLES: f64 = 400.0;
/// A contact lasts about this many times as long as its indentation takes at the speed of approach.
const DURATION: f64 = 3.0;

/// Follows the collision on a bed that reaches as far as this indentation.
pub(super) fn leap(scaled: &Scaled, bed: &mut impl Bed, reach: f64, log: &mut Log) -> Result<Instant, Inapplicable> {
    let step = bed.step() / scaled.frequency(reach);
    let every = (DURATION * reach / (step * SAMPLES)) as usize + 1;
    let mut walk = Walk::new(scaled, step);
    log.enter(&walk.instant());
    walk.touch(scaled, bed.first());
    for count in 1..MOST_STEPS {
        let before = walk;
        walk.advance(scaled, bed);
        log.evaluations = count;
        log.worked(walk.work - before.work);
        if before.velocity.x < 0.0 && walk.velocity.x >= 0.0 {
            let share = before.velocity.x / (before.velocity.x - walk.velocity.x);
            log.compressed(before.impulse.lerp(&walk.impulse, share));
        }
        let instant = walk.instant();
        log.note(&instant);
        if walk.over || count % every == 0 || walk.edge.motion != before.edge.motion {
            log.record(&instant);
        }
        if walk.over {
            return Ok(instant);
        }
    }
    Err(Inapplicable::NoConvergence)
}

/// Where the collision stands.
#[derive(Clone, Copy, Debug)]
struct Walk {
    step: f64,
    time: f64,
    pose: Pose,
    impulse: Vector3<f64>,
    velocity: Vector3<f64>,
    force: Vector3<f64>,
    work: f64,
    edge: Edge,
    over: bool,
}

impl Walk {
    fn new(scaled: &Scaled, step: f64) -> Walk {
        let ratio = scaled.v.yz().norm();
        let motion = if ratio < scaled.limit() { Motion::Sticking } else { Motion::Slipping };
        Walk {
            step,
            time: 0.0,
            pose: Pose::default(),
            impulse: Vector3::zeros(),
            velocity: scaled.v,
            force: Vector3::zeros(),
            work: 0.0,
            edge: Edge { motion, slid: Vector2::zeros() },
            over: false,
        }
    }

    /// Nothing acts before the first element is touched.
    fn touch(&mut self, scaled: &Scaled, indentation: f64) {
        self.time = indentation;
        self.pose = Pose { indentation, shift: scaled.v.yz() * indentation };
    }

    fn advance(&mut self, scaled: &Scaled, bed: &mut impl Bed) {
        let (pose, force) = (self.pose, self.force);
        let rate = (scaled.w * force).x;
        let mut step = self.step;
        let after = |step: f64| pose.indentation - step * (self.velocity.x + 0.5 * step * rate);
        let free = force.x == 0.0 && self.velocity.x > 0.0;
        self.over = free || after(step) <= 0.0;
        if self.over {
            // The positive root of d − V_n h − ½ rate h² = 0.
            let root = (self.velocity.x.powi(2) + 2.0 * rate * pose.indentation).max(0.0).sqrt();
            step = 2.0 * pose.indentation / (self.velocity.x + root);
        }
        let half = self.impulse + force * (0.5 * step);
        let velocity = scaled.velocity(&half);
        self.pose =
            Pose { indentation: if self.over { 0.0 } else { after(step) }, shift: pose.shift + velocity.yz() * step };
        self.force = if self.over { Vector3::zeros() } else { bed.reach(&pose, &self.pose) };
        if let Some(edge) = bed.edge().filter(|_| !self.over) {
            self.edge = edge;
        }
        self.impulse = half + self.force * (0.5 * step);
        self.velocity = scaled.velocity(&self.impulse);
        self.work += 0.5 * step * (force.x + self.force.x) * velocity.x;
        self.time += step;
    }

    fn instant(&self) -> Instant {
        Instant {
            time: self.time,
            pose: self.pose,
            impulse: self.impulse,
            force: self.force,
            normal_work: self.work,
            slip: self.edge.slid / self.step,
            motion: self.edge.motion,
        }
    }
}
