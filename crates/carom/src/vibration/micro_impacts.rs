//! Bodies that vibrate, with every contact an impulse that takes no time: the micro-impacts of one collision.
//!
//! Chatterjee 1997, 9.3.3: contacts that are short against the vibrations are impulses. A law of rigid bodies gives each,
//! for the velocity of the contact at that instant and the inverse mass W + Σ g gᵀ that an impulse feels before the
//! modes respond. After an impulse without rebound the contact stays closed as long as it presses (`held.rs`). Rebounds
//! that come faster and faster, as a ball's do, are cut off: a contact that follows a flight too short for the modes
//! kept is without rebound.

use super::compliant::MOST_TOUCHES;
use super::dynamics::Dynamics;
use super::flexible::FlexibleCollision;
use super::held::{GRIP, Held, PULLS};
use super::log::{Log, Seen, no_contact};
use super::mode::Mode;
use super::outcome::FlexibleOutcome;
use crate::collision::Collision;
use crate::laws::{BoundLaw, Inapplicable, Routh, Termination};
use crate::ode::Integrator;
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Local error of a step, relative to the scales of the problem.
const TOLERANCE: f64 = 1e-12;
/// Samples a step is drawn by.
const SAMPLES: usize = 6;
/// A flight shorter than this share of the fastest mode's period is beneath what the modes tell.
const SHORT_FLIGHT: f64 = 1e-3;
/// A normal velocity below this share of the speed of the collision is rest.
const AT_REST: f64 = 1e-10;
/// So many changes of grip at one instant are a quarrel without end.
const MOST_CHANGES: usize = 12;

impl FlexibleCollision {
    /// Follows the collision as a sequence of impulses by `law`, until the vibrations cannot lead to another one. With
    /// `record` the outcome has a history.
    ///
    /// The law's coefficient of friction holds for contacts that stay closed, too. A law that leaves bodies
    /// approaching has no answer here.
    ///
    /// ```
    /// # use carom::vibration::{Chain, FlexibleCollision};
    /// # use nalgebra::Vector3;
    /// // Chatterjee 1997, 8.1: a light mass that stops dead in front of a heavy one.
    /// let body = Chain::new(vec![0.3, 0.7], vec![1000.0]).unwrap().body(0.0).unwrap();
    /// let collision = body.against_wall(&Vector3::new(-1.0, 0.0, 0.0)).unwrap();
    /// let dead = carom::laws::find("newton").unwrap().bind(&[("restitution", 0.0)]).unwrap();
    /// let result = collision.micro_impacts(&dead, false).unwrap();
    /// assert!((result.outcome.velocity_after.x - 0.7).abs() < 1e-9);
    /// ```
    pub fn micro_impacts(&self, law: &BoundLaw, record: bool) -> Result<FlexibleOutcome, Inapplicable> {
        if !self.collision().is_approaching() {
            return Ok(no_contact(self));
        }
        let dynamics = Dynamics::of(self);
        let instantaneous = self.instantaneous().map_err(|_| Inapplicable::NoConvergence)?;
        let friction = friction_of(law);
        let dead = Routh { restitution: 0.0, friction, termination: Termination::Poisson };
        let fastest = dynamics.modes.iter().map(Mode::damped_frequency).fold(0.0, f64::max);
        let mut log = Log::new(self, &dynamics, record);
        let mut rebounds = true;
        loop {
            log.begin_touch();
            strike(&mut log, &dynamics, |now| {
                if rebounds { law.resolve_collision(now) } else { dead.follow(now, None) }.map(|o| o.impulse)
            })?;
            let normal = dynamics.velocity(&log.state).x;
            if normal < -AT_REST * dynamics.before.norm() {
                return Err(Inapplicable::NoSolution);
            }
            if normal <= AT_REST * dynamics.before.norm() {
                hold(&mut log, &dynamics, &instantaneous, &dead)?;
                dynamics.part(&mut log.state);
            }
            log.end_touch();
            match log.fly(MOST_TOUCHES) {
                Ok(time) => rebounds = time * fastest > SHORT_FLIGHT * TAU,
                Err(ending) => return Ok(log.finish(ending, friction)),
            }
        }
    }
}

/// The coefficient of friction of a law that slips; 0 for one that knows none.
fn friction_of(law: &BoundLaw) -> f64 {
    let mut parameters = law.law().parameters.iter().zip(law.values(0));
    parameters
        .find(|(parameter, _)| matches!(parameter.key, "friction" | "kinetic_friction"))
        .map_or(0.0, |(_, mu)| *mu)
}

/// An impulse that takes no time.
fn strike(
    log: &mut Log,
    dynamics: &Dynamics,
    resolve: impl FnOnce(&Collision) -> Result<Vector3<f64>, Inapplicable>,
) -> Result<(), Inapplicable> {
    let velocity = dynamics.velocity(&log.state);
    let now = Collision::new(&dynamics.instantaneous, &velocity).map_err(|_| Inapplicable::NoConvergence)?;
    let impulse = resolve(&now)?;
    log.see_kick();
    dynamics.kick(&mut log.state, &impulse);
    log.see_kick();
    Ok(())
}

/// Follows the contact while it stays closed.
fn hold<'a>(
    log: &mut Log<'a>,
    dynamics: &'a Dynamics<'a>,
    instantaneous: &'a Collision,
    dead: &Routh,
) -> Result<(), Inapplicable> {
    let Some(mut held) = Held::begin(dynamics, instantaneous, dead.friction, &mut log.state) else { return Ok(()) };
    let frequencies = || dynamics.modes.iter().map(|mode| mode.frequency);
    let (slowest, fastest) = (frequencies().fold(f64::INFINITY, f64::min), frequencies().fold(0.0, f64::max));
    let sizes = dynamics.sizes(dynamics.before.norm() / slowest);
    let start = log.time;
    let mut integrator = Integrator::new(log.state.clone(), sizes, TOLERANCE, 0.1 / fastest);
    let mut changes = 0;
    while log.budget > 0 {
        log.budget -= 1;
        if held.grows(&integrator.y) <= 0.0 {
            log.state = integrator.y.clone();
            strike(log, dynamics, |now| dead.follow(now, None).map(|outcome| outcome.impulse))?;
            integrator.y = log.state.clone();
            held.choose_grip(&mut integrator.y);
            changes += 1;
        }
        let before = integrator.t;
        let event = integrator.advance(&held).map_err(|_| Inapplicable::NoConvergence)?;
        for (t, y) in integrator.trace(SAMPLES) {
            let (force, slip) = (held.force(&y), dynamics.velocity(&y).yz());
            log.see(start + t, &y, &Seen { force, slip, motion: held.motion(), indentation: None });
        }
        changes = if integrator.t - before <= 1e-14 / slowest { changes + 1 } else { 0 };
        if changes > MOST_CHANGES {
            return Err(Inapplicable::NoConvergence);
        }
        log.time = start + integrator.t;
        log.state = integrator.y.clone();
        match event {
            Some(PULLS) => {
                log.evaluations += integrator.evaluations;
                return Ok(());
            }
            Some(GRIP) => held.change_grip(&mut integrator.y),
            _ => {}
        }
    }
    Err(Inapplicable::NoConvergence)
}
