//! Slip in one direction, in closed form.
//!
//! While the contact slips, s = ±C r² and the force has a fixed direction, f = K r³ (1, ∓μ). With g the normal impulse
//! since the phase began and w = W (1, ∓μ), both velocities are linear in g, and so is the excess h of slip:
//!
//! ```text
//! v = v₀ + w g,   h = ±v_t + C v_n,   r⁵ = r₀⁵ − 5/(4K) g (v_n₀ + v_n)
//! ```
//!
//! The phase ends at h = 0, where the contact sticks, or at r = 0, where it ends. If w_n > 0 the normal motion is that of
//! Hertz's impact, with the phase φ = atan2(√(4 w_n K/5) r^(5/2), −v_n); if not, friction jams the contact, and the time
//! it takes has to be integrated.

use super::springs::Contact;
use super::state::State;
use crate::elastic::elapsed;
use crate::ode::{Integrator, Stuck, System};
use nalgebra::{Matrix2, Vector2, Vector4};

/// A phase of slip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip {
    /// 1 if the contact slips along t, −1 if against it.
    pub sign: f64,
    /// The normal impulse of the phase.
    pub impulse: f64,
    /// Whether it ends because contact ends.
    pub separates: bool,
    start: State,
    /// W (1, ∓μ).
    rate: Vector2<f64>,
    contact: Contact,
}

/// Errors of the time, relative to its size.
const TOLERANCE: f64 = 1e-12;

impl Slip {
    /// The phase that begins at a state; `None` if it never ends, because W is singular along the force.
    pub fn from(start: &State, sign: f64, contact: &Contact, inverse_mass: &Matrix2<f64>) -> Option<Slip> {
        let rate = inverse_mass * Vector2::new(1.0, -sign * contact.friction);
        let slip = Slip { sign, impulse: 0.0, separates: false, start: *start, rate, contact: *contact };
        let (sticking, separation) = (slip.until_sticking(), slip.until_separation());
        let (impulse, separates) = if sticking < separation { (sticking, false) } else { (separation, true) };
        impulse.is_finite().then_some(Slip { impulse, separates, ..slip })
    }

    /// h = ±v_t + C v_n: the contact slips while it is positive.
    pub fn excess(sign: f64, contact: &Contact, velocity: &Vector2<f64>) -> f64 {
        sign * velocity.y + contact.slip_ratio * velocity.x
    }

    fn until_sticking(&self) -> f64 {
        // Without friction there is nothing to stick by.
        let excess = |vector: &Vector2<f64>| Slip::excess(self.sign, &self.contact, vector);
        let fall = -excess(&self.rate);
        if self.contact.friction > 0.0 && fall > 0.0 {
            excess(&self.start.velocity).max(0.0) / fall
        } else {
            f64::INFINITY
        }
    }

    fn until_separation(&self) -> f64 {
        // w g² + 2 v g = 4/5 K r⁵, its first positive root, without differences of like numbers.
        let (v, w) = (self.start.velocity.x, self.rate.x);
        let depth = 0.8 * self.contact.slipping_stiffness * self.start.root.powi(5);
        let discriminant = v * v + w * depth;
        if v > 0.0 && discriminant >= 0.0 {
            depth / (v + discriminant.sqrt())
        } else if w > 0.0 {
            (discriminant.sqrt() - v) / w
        } else {
            f64::INFINITY
        }
    }

    /// The state after a normal impulse of the phase, with time and travel still those of its start.
    fn after(&self, impulse: f64) -> State {
        let velocity = self.start.velocity + self.rate * impulse;
        let sum = self.start.velocity.x + velocity.x;
        let fifth = self.start.root.powi(5) - 1.25 / self.contact.slipping_stiffness * impulse * sum;
        self.at(fifth.max(0.0).powf(0.2), impulse)
    }

    fn at(&self, root: f64, impulse: f64) -> State {
        let velocity = self.start.velocity + self.rate * impulse;
        State {
            root,
            extension: self.sign * self.contact.slip_ratio * root * root,
            velocity,
            impulse: self.start.impulse + Vector2::new(1.0, -self.sign * self.contact.friction) * impulse,
            normal_work: self.start.normal_work + 0.5 * impulse * (self.start.velocity.x + velocity.x),
            ..self.start
        }
    }

    /// Where the normal velocity changes sign within the phase, if it does.
    pub fn turn(&self) -> Option<State> {
        let turn = -self.start.velocity.x / self.rate.x;
        (turn > 0.0 && turn < self.impulse).then(|| {
            let mut state = self.after(turn);
            state.velocity.x = 0.0;
            state
        })
    }

    /// Work of the friction between the surfaces.
    pub fn friction_work(&self) -> f64 {
        let excess = |velocity: &Vector2<f64>| Slip::excess(self.sign, &self.contact, velocity);
        let end = self.start.velocity + self.rate * self.impulse;
        -0.5 * self.contact.friction * self.impulse * (excess(&self.start.velocity) + excess(&end))
    }

    /// Runs through the phase, showing states on the way if they are wanted; tells its end and how often the equations
    /// were evaluated.
    pub fn run(&self, wanted: bool, show: impl FnMut(&State)) -> Result<(State, usize), Stuck> {
        let mut end = self.after(self.impulse);
        if self.separates {
            (end.root, end.extension) = (0.0, 0.0);
        }
        if self.impulse == 0.0 {
            return Ok((end, 0));
        }
        if self.rate.x > 0.0 { Ok((self.rise_and_fall(end, wanted, show), 0)) } else { self.jam(end, wanted, show) }
    }

    /// The end of the phase and states on the way, with their times, if the force slows the approach down.
    fn rise_and_fall(&self, end: State, wanted: bool, mut show: impl FnMut(&State)) -> State {
        let stiffness = 0.8 * self.rate.x * self.contact.slipping_stiffness;
        let phase = |state: &State| (stiffness * state.root.powi(5)).sqrt().atan2(-state.velocity.x);
        let (first, last) = (phase(&self.start), phase(&end));
        // Speed at no depth and greatest depth of the whole motion, of which the phase is a part.
        let speed = (self.start.velocity.x.powi(2) + stiffness * self.start.root.powi(5)).sqrt();
        let depth = (speed * speed / stiffness).powf(0.4);
        let begun = elapsed(first);
        let timed = |mut state: State, phase: f64| {
            let time = 0.8 * depth / speed * (elapsed(phase) - begun);
            // ∫ v_n dt is the change of −r².
            let sunk = self.start.root.powi(2) - state.root.powi(2) - self.start.velocity.x * time;
            state.time += time;
            state.travel += self.start.velocity.y * time + self.rate.y / self.rate.x * sunk;
            state
        };
        let end = timed(end, last);
        if wanted {
            for k in 1..SAMPLES {
                let phase = first + (last - first) * f64::from(k) / f64::from(SAMPLES);
                let impulse = (-speed * phase.cos() - self.start.velocity.x) / self.rate.x;
                show(&timed(self.at((depth * phase.sin().powf(0.8)).sqrt(), impulse), phase));
            }
            show(&end);
        }
        end
    }

    /// The same if friction drives the bodies together.
    fn jam(&self, mut end: State, wanted: bool, mut show: impl FnMut(&State)) -> Result<(State, usize), Stuck> {
        let deepest = self.turn().map_or(0.0, |turn| turn.root).max(end.root).max(self.start.root);
        // The contact lasts at least as long as under the greatest force.
        let pace = self.impulse / (self.contact.slipping_stiffness * deepest.powi(4));
        let travel = self.start.velocity.y.abs().max(end.velocity.y.abs()) * pace * deepest;
        let start = Vector4::new(self.start.root, 0.0, self.start.time, self.start.travel);
        let scale = Vector4::new(deepest, self.impulse, pace * deepest, travel.max(pace * deepest));
        let mut integrator = Integrator::new(start, scale, TOLERANCE, 0.5 * pace);
        for _ in 0..MOST_STEPS {
            let over = integrator.advance(self)?.is_some();
            for (_, y) in integrator.trace(if wanted { POINTS } else { 0 }) {
                let state = State { time: y[2], travel: y[3], ..self.at(y[0].max(0.0), y[1].min(self.impulse)) };
                show(&state);
            }
            if over {
                (end.time, end.travel) = (integrator.y[2], integrator.y[3]);
                return Ok((end, integrator.evaluations));
            }
        }
        Err(Stuck)
    }
}

/// A smooth phase needs a dozen.
const MOST_STEPS: usize = 10_000;
/// Instants of a phase that a history shows, or of a step where it is integrated.
const SAMPLES: u32 = 48;
const POINTS: usize = 6;

/// r, g, time and travel, by the stretched time of [`super::stick`].
impl System<Vector4<f64>, 1> for Slip {
    fn derivative(&self, _: f64, y: &Vector4<f64>) -> Vector4<f64> {
        let (root, velocity) = (y[0], self.start.velocity + self.rate * y[1]);
        let force = self.contact.slipping_stiffness * (root * root) * (root * root);
        Vector4::new(-0.5 * velocity.x, force, root, root * velocity.y)
    }

    fn events(&self, _: f64, y: &Vector4<f64>) -> [f64; 1] {
        [if self.separates { y[0] } else { self.impulse - y[1] }]
    }
}
