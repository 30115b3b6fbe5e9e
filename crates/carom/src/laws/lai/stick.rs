//! Sticking: a conservative motion without closed form.
//!
//! Time is stretched by dt = r dσ. In σ the equations are polynomials,
//!
//! ```text
//! dr/dσ = −v_n/2,   ds/dσ = r v_t,   dP/dσ = r f,   r f_n = 4/3 r⁴ + s²/(3κ),   r f_t = −4/(3κ) s r²
//! ```
//!
//! though in time the force has a root at both ends of the contact, and a pole where sticking springs let go.

use super::springs::Contact;
use super::state::State;
use crate::ode::System;
use nalgebra::{Matrix2, SVector, Vector2};

/// r, s, v_n, v_t, P_n, P_t, normal work, time.
pub(super) type Numbers = SVector<f64, 8>;

/// The equations of sticking, and what to look out for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stick {
    pub contact: Contact,
    pub inverse_mass: Matrix2<f64>,
    /// Whether the bodies approach now.
    pub approaching: bool,
    /// Whether the normal force grows now.
    pub growing: bool,
}

/// What ends a stretch of sticking, in the order of the event functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// Contact ends.
    Separation,
    /// The contact begins to slip along t (1) or against it (−1).
    Slip(f64),
    /// Approach ends or begins.
    Turn,
    /// The normal force stops growing or falling.
    Extreme,
}

impl Event {
    pub fn of(number: usize) -> Event {
        match number {
            0 => Event::Separation,
            1 => Event::Slip(1.0),
            2 => Event::Slip(-1.0),
            3 => Event::Turn,
            _ => Event::Extreme,
        }
    }
}

impl Stick {
    pub fn new(state: &State, contact: &Contact, inverse_mass: &Matrix2<f64>) -> Stick {
        let mut stick = Stick {
            contact: *contact,
            inverse_mass: *inverse_mass,
            approaching: state.velocity.x < 0.0,
            growing: true,
        };
        stick.growing = stick.force_slope(&numbers(state)) >= 0.0;
        stick
    }

    /// r² df_n/dσ.
    fn force_slope(&self, y: &Numbers) -> f64 {
        let (square, s) = (y[0] * y[0], y[1]);
        let coupling = self.contact.coupling;
        -0.5 * y[2] * (4.0 * square * square - coupling * s * s) + 2.0 * coupling * s * square * y[3]
    }

    /// The sizes that the numbers of the state will have, and the pace of the motion in σ.
    pub fn scale(&self, state: &State) -> (Numbers, f64) {
        let State { root, extension, velocity, .. } = state;
        let stored = 8.0 / 15.0 * root.powi(5) + 0.5 * self.contact.tangential * extension * extension * root;
        let normal = (velocity.x * velocity.x + 2.0 * stored).sqrt();
        let tangential = velocity.y.abs().max(self.inverse_mass[(1, 1)].sqrt() * normal).max(SMALL * normal);
        let ratio = self.contact.slip_ratio.min(tangential / normal);
        let stiffness = 8.0 / 15.0 * (1.0 + 0.75 * self.contact.coupling * ratio * ratio);
        let depth = root.max((0.5 * normal * normal / stiffness).powf(0.2));
        let pace = 2.0 * depth / normal;
        let stretch = extension.abs().max(ratio.max(SMALL) * depth * depth);
        let scale = [depth, stretch, normal, tangential, normal, normal, normal * normal, depth * pace];
        (Numbers::from(scale), pace / (1.0 + self.inverse_mass[(1, 1)].sqrt()))
    }
}

/// A tangential motion smaller than this part of the normal one need not be known relative to itself.
const SMALL: f64 = 1e-3;

pub(super) fn numbers(state: &State) -> Numbers {
    let State { time, root, extension, velocity, impulse, normal_work, .. } = *state;
    Numbers::from([root, extension, velocity.x, velocity.y, impulse.x, impulse.y, normal_work, time])
}

/// The state that numbers tell, in a phase of sticking that began at `start`.
pub(super) fn state(y: &Numbers, start: &State) -> State {
    State {
        time: y[7],
        root: y[0],
        extension: y[1],
        travel: start.travel + (y[1] - start.extension),
        velocity: Vector2::new(y[2], y[3]),
        impulse: Vector2::new(y[4], y[5]),
        normal_work: y[6],
    }
}

impl System<Numbers, 5> for Stick {
    fn derivative(&self, _: f64, y: &Numbers) -> Numbers {
        let (root, velocity) = (y[0], Vector2::new(y[2], y[3]));
        let push = Vector2::from(self.contact.push(root, y[1]));
        let change = self.inverse_mass * push;
        let work = velocity.x * push.x;
        Numbers::from([-0.5 * velocity.x, root * velocity.y, change.x, change.y, push.x, push.y, work, root])
    }

    fn events(&self, _: f64, y: &Numbers) -> [f64; 5] {
        let limit = self.contact.slip_ratio * y[0] * y[0];
        let [along, against] = if self.contact.always_sticks() { [1.0, 1.0] } else { [limit - y[1], limit + y[1]] };
        let turn = if self.approaching { -y[2] } else { y[2] };
        let slope = self.force_slope(y);
        [y[0], along, against, turn, if self.growing { slope } else { -slope }]
    }
}
