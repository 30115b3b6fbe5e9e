//! The contact from first touch to last: phases of slip and of sticking.

use super::log::Log;
use super::scaled::Scaled;
use super::slip::Slip;
use super::springs::Contact;
use super::state::State;
use super::stick::{Event, Stick, numbers, state};
use crate::law::Inapplicable;
use crate::ode::Integrator;
use nalgebra::Vector2;

/// What the contact does in a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// It slips along t (1) or against it (−1).
    Slip(f64),
    /// It sticks.
    Stick,
}

/// What a collision came to, in its units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rebound {
    pub end: State,
    /// P where the bodies last stopped approaching.
    pub compressed: Vector2<f64>,
    /// Work of the normal force while the bodies approached, and while they parted.
    pub works: [f64; 2],
    /// Work of the friction between the surfaces.
    pub friction_work: f64,
    /// Greatest normal force; `None` where it has no bound.
    pub peak_force: Option<f64>,
    /// Greatest r.
    pub peak_root: f64,
    pub evaluations: usize,
}

/// Error of a step relative to the size of the motion.
const TOLERANCE: f64 = 1e-13;
/// Rounding of the force, as nearly singular W magnifies it: more than this many units times √(condition of W).
const NOISE: f64 = 20.0 * f64::EPSILON;
/// A collision of bodies that are not nearly constrained takes some tens of steps.
const MOST_STEPS: usize = 100_000;
/// Points of a step that a history shows.
const POINTS: usize = 6;

/// A collision under way.
struct Process<'a, 'b> {
    scaled: &'a Scaled<'a>,
    contact: Contact,
    log: &'a mut Log<'b>,
    rebound: Rebound,
    /// The normal work where approach last ended or began.
    work_at_turn: f64,
    steps: usize,
}

/// Follows a collision of bodies that approach.
pub(super) fn follow(scaled: &Scaled, contact: &Contact, log: &mut Log) -> Result<Rebound, Inapplicable> {
    let start = State::first_touch(scaled.velocity);
    let rebound = Rebound {
        end: start,
        compressed: Vector2::zeros(),
        works: [0.0; 2],
        friction_work: 0.0,
        peak_force: (!contact.always_sticks()).then_some(0.0),
        peak_root: 0.0,
        evaluations: 0,
    };
    let mut process = Process { scaled, contact: *contact, log, rebound, work_at_turn: 0.0, steps: 0 };
    let sign = if start.velocity.y < 0.0 { -1.0 } else { 1.0 };
    let mut phase = Some(process.at_the_limit(sign, &start.velocity));
    while let Some(now) = phase {
        process.log.sample(&process.rebound.end, now);
        phase = match now {
            Phase::Slip(sign) => process.slip(sign)?,
            Phase::Stick => process.stick()?,
        };
        process.steps += 1;
        if process.steps > MOST_STEPS {
            return Err(Inapplicable::NoConvergence);
        }
    }
    process.turn();
    Ok(process.rebound)
}

impl Process<'_, '_> {
    /// What a contact at its friction limit, or at first touch, does next.
    fn at_the_limit(&self, sign: f64, velocity: &Vector2<f64>) -> Phase {
        let excess = |velocity: &Vector2<f64>| Slip::excess(sign, &self.contact, velocity);
        // Where neither way is favoured, the force decides.
        let rate = self.scaled.inverse_mass * Vector2::new(1.0, -sign * self.contact.friction);
        let slips = match excess(velocity) {
            0.0 => excess(&rate) >= 0.0,
            excess => excess > 0.0,
        };
        let slips = !self.contact.always_sticks() && (slips || self.contact.friction == 0.0);
        if slips { Phase::Slip(sign) } else { Phase::Stick }
    }

    fn slip(&mut self, sign: f64) -> Result<Option<Phase>, Inapplicable> {
        let start = self.rebound.end;
        let slip =
            Slip::from(&start, sign, &self.contact, &self.scaled.inverse_mass).ok_or(Inapplicable::UnboundedImpulse)?;
        let log = &mut *self.log;
        let wanted = log.is_wanted();
        let (end, evaluations) =
            slip.run(wanted, |state| log.sample(state, Phase::Slip(sign))).map_err(|_| Inapplicable::NoConvergence)?;
        self.rebound.evaluations += evaluations;
        self.rebound.friction_work += slip.friction_work();
        self.meet(&start);
        if let Some(turn) = slip.turn() {
            self.meet(&turn);
            self.rebound.end = turn;
            self.turn();
        }
        self.rebound.end = end;
        self.meet(&end);
        self.log.corner(&end);
        Ok((!slip.separates && end.root > 0.0).then_some(Phase::Stick))
    }

    fn stick(&mut self) -> Result<Option<Phase>, Inapplicable> {
        let start = self.rebound.end;
        self.meet(&start);
        let mut stick = Stick::new(&start, &self.contact, &self.scaled.inverse_mass);
        let (scale, pace) = stick.scale(&start);
        let tolerance = TOLERANCE.max(NOISE * self.stiffness().sqrt());
        let mut integrator = Integrator::new(numbers(&start), scale, tolerance, FIRST_STEP * pace);
        loop {
            let event = integrator.advance(&stick).map_err(|_| Inapplicable::NoConvergence)?.map(Event::of);
            integrator.raise_scale();
            if self.log.is_wanted() {
                for (_, y) in integrator.trace(POINTS) {
                    self.log.sample(&state(&y, &start), Phase::Stick);
                }
            }
            self.rebound.end = state(&integrator.y, &start);
            let end = self.rebound.end;
            self.log.thread(&end);
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(Inapplicable::NoConvergence);
            }
            let next = match event {
                None => continue,
                Some(Event::Turn) => {
                    self.meet(&end);
                    self.turn();
                    stick.approaching = !stick.approaching;
                    continue;
                }
                Some(Event::Extreme) => {
                    self.meet(&end);
                    stick.growing = !stick.growing;
                    continue;
                }
                Some(Event::Separation) => {
                    self.rebound.end.root = 0.0;
                    None
                }
                Some(Event::Slip(sign)) => {
                    // Exactly at the limit, so that slip starts without a jump.
                    self.rebound.end.extension = sign * self.contact.slip_ratio * end.root * end.root;
                    Some(self.at_the_limit(sign, &end.velocity))
                }
            };
            self.meet(&end);
            self.log.corner(&end);
            self.rebound.evaluations += integrator.evaluations;
            return Ok(next);
        }
    }

    /// Takes note of a state that may be the deepest or the one of greatest force.
    fn meet(&mut self, state: &State) {
        self.rebound.peak_root = self.rebound.peak_root.max(state.root);
        if let Some(peak) = &mut self.rebound.peak_force
            && state.root > 0.0
        {
            *peak = peak.max(self.contact.push(state.root, state.extension)[0] / state.root);
        }
    }

    /// Approach ends or begins at the present state, or contact ends.
    fn turn(&mut self) {
        let State { impulse, normal_work, .. } = self.rebound.end;
        let work = normal_work - self.work_at_turn;
        self.work_at_turn = normal_work;
        if work < 0.0 {
            self.rebound.works[0] += work;
            self.rebound.compressed = impulse;
        } else {
            self.rebound.works[1] += work;
        }
    }

    /// Largest over smallest eigenvalue of W, as far as both take part in the motion.
    fn stiffness(&self) -> f64 {
        let w = &self.scaled.inverse_mass;
        let (trace, determinant) = (w.trace(), w.determinant());
        // λ₁/λ₂ = λ₁²/det.
        let largest = 0.5 * (trace + (trace * trace - 4.0 * determinant).max(0.0).sqrt());
        let condition = largest * largest / determinant;
        if condition > 0.0 && condition < SINGULAR { condition } else { 1.0 }
    }
}

/// First step, in units of the pace.
const FIRST_STEP: f64 = 0.2;
/// A larger condition of W is that of a constraint, along which nothing moves.
const SINGULAR: f64 = 1e14;
