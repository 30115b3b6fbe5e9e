//! Bodies that vibrate, through a contact of small extent that gives way.

use super::contact::Contact;
use super::contact_force::ContactForce;
use super::dynamics::{Dynamics, State};
use super::flexible::FlexibleCollision;
use super::log::{Log, Seen, no_contact};
use super::outcome::FlexibleOutcome;
use super::pressing::{Grip, PRESSED, Pressing, SECOND};
use crate::laws::Inapplicable;
use crate::ode::Integrator;

/// Local error of a step, relative to the scales of the problem.
const TOLERANCE: f64 = 1e-12;
/// So many changes of grip at one instant are a quarrel without end.
const MOST_CHANGES: usize = 12;
/// Contacts within one collision.
pub(super) const MOST_TOUCHES: usize = 10_000;
/// Samples a step is drawn by.
const SAMPLES: usize = 6;
/// An overlap below this share of the greatest is rounding: the surfaces have parted.
const PARTED: f64 = 1e-11;

impl FlexibleCollision {
    /// Follows the collision through a contact of small extent: every contact the vibrations lead to, until they cannot
    /// lead to another one. With `record` the outcome has a history.
    ///
    /// ```
    /// # use carom::vibration::{Chain, Contact, SpringDashpot};
    /// # use nalgebra::Vector3;
    /// let chain = Chain::uniform(5, 0.2, 30.0).unwrap().body(0.0).unwrap();
    /// let collision = chain.against_wall(&Vector3::new(-1.0, 0.0, 0.0)).unwrap();
    /// let spring = SpringDashpot::new(5000.0, 0.0).unwrap();
    /// let result = collision.through(&Contact::smooth(&spring), false).unwrap();
    /// assert_eq!(result.touches.len(), 4);
    /// assert!((result.outcome.velocity_after.x - 0.79516947).abs() < 1e-8);
    /// ```
    pub fn through(&self, contact: &Contact, record: bool) -> Result<FlexibleOutcome, Inapplicable> {
        if !self.collision().is_approaching() {
            return Ok(no_contact(self));
        }
        let dynamics = Dynamics::of(self);
        let mut log = Log::new(self, &dynamics, record);
        let length = indentation_scale(contact.normal, &dynamics)?;
        let friction = contact.friction.map_or(0.0, |friction| friction.coefficient());
        loop {
            press(&mut log, &dynamics, contact, length)?;
            dynamics.part(&mut log.state);
            if let Err(ending) = log.fly(MOST_TOUCHES) {
                return Ok(log.finish(ending, friction));
            }
        }
    }
}

/// Follows the contact from the state in the log until the surfaces have parted.
fn press<'a>(
    log: &mut Log<'a>,
    dynamics: &'a Dynamics<'a>,
    contact: &Contact<'a>,
    length: f64,
) -> Result<(), Inapplicable> {
    let mut pressing = Pressing::begin(dynamics, *contact, &mut log.state);
    let start = log.time;
    let fastest = dynamics.modes.iter().map(|mode| mode.frequency).fold(dynamics.before.norm() / length, f64::max);
    let mut integrator = Integrator::new(log.state.clone(), dynamics.sizes(length), TOLERANCE, 0.1 / fastest);
    let seen = |pressing: &Pressing, y: &State| {
        let now = pressing.now(y);
        let indentation = Some(pressing.indentation(y).0);
        Seen { force: now.force, slip: now.slip, motion: pressing.motion(), indentation }
    };
    log.begin_touch();
    log.see(start, &integrator.y, &seen(&pressing, &integrator.y));
    let mut changes = 0;
    while log.budget > 0 {
        log.budget -= 1;
        let before = integrator.t;
        let event = integrator.advance(&pressing).map_err(|_| Inapplicable::NoConvergence)?;
        for (t, y) in integrator.trace(SAMPLES) {
            log.see(start + t, &y, &seen(&pressing, &y));
        }
        changes = match event {
            Some(_) if integrator.t - before <= 1e-14 * length / dynamics.before.norm() => changes + 1,
            _ => 0,
        };
        if changes > MOST_CHANGES {
            return Err(Inapplicable::NoConvergence);
        }
        let Some(event) = event else { continue };
        log.time = start + integrator.t;
        log.state = integrator.y.clone();
        match (event, pressing.grip) {
            (PRESSED, Grip::Open) => {
                pressing = Pressing::begin(dynamics, *contact, &mut integrator.y);
                log.begin_touch();
            }
            (PRESSED, _) => {
                log.end_touch();
                if pressing.indentation(&integrator.y).0 <= PARTED * length {
                    log.evaluations += integrator.evaluations;
                    return Ok(());
                }
                pressing.grip = Grip::Open;
            }
            (SECOND, Grip::Open) => {
                log.evaluations += integrator.evaluations;
                return Ok(());
            }
            _ => pressing.change_grip(&mut integrator.y),
        }
        log.see(log.time, &integrator.y, &seen(&pressing, &integrator.y));
    }
    Err(Inapplicable::NoConvergence)
}

/// The indentation at which the contact alone would have taken the energy of approach, δ F(δ, 0) = V²/W.
fn indentation_scale(normal: &dyn ContactForce, dynamics: &Dynamics) -> Result<f64, Inapplicable> {
    let energy = dynamics.before.norm_squared() / dynamics.rigid[(0, 0)];
    let excess = |exponent: f64| {
        let indentation = exponent.exp2();
        indentation * normal.force(indentation, 0.0) - energy
    };
    // The exponents of two that double precision can square.
    let (mut below, mut above) = (-500.0, 500.0);
    if !(excess(below) < 0.0 && excess(above) > 0.0) {
        return Err(Inapplicable::NoConvergence);
    }
    for _ in 0..20 {
        let middle = f64::midpoint(below, above);
        if excess(middle) < 0.0 { below = middle } else { above = middle }
    }
    Ok(above.exp2())
}
