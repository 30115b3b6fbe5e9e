//! `nonlinear-dashpot`: a linear spring with a dashpot that grows with the compression.
//!
//! Chatterjee 1997, 8.2 (a case of Walton's F = −k xᵖ − c x^q dx/dt); with compression x,
//!
//! ```text
//! F_n = k x + c x^m dx/dt
//! ```
//!
//! No force at first touch and at the end. F = x (k + c x^(m−1) dx/dt) with m ≥ 1 falls to zero with x only, since the
//! bracket cannot: at m = 1 its rate is proportional to itself. With strong damping (m = 1) it soon is less than rounding
//! leaves of it; the bodies then part at the speed k/c, and the time to x = 0 follows without integration. With m < 1 the
//! dashpot, which is the stronger where x is small, takes F to zero at some x > 0, and contact ends there. The force then
//! starts with an infinite slope, so that the contact sticks at first whatever the slip. Head-on with m = 1 restitution depends on
//! a = c |V_n|/k only and not on the mass:
//!
//! ```text
//! −e − ln(1 − a e)/a = 1 − ln(1 + a)/a                                              (8.3)
//! ```
//!
//! so faster collisions lose more: the law is of degree 0 in mass and not of degree 1 in V.

use super::compliant::{Aligned, Element, Friction, Normal, Tangent};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory};
use crate::law::parameter::{
    Fallback, KINETIC_FRICTION, Parameter, STATIC_FRICTION, STIFFNESS, STIFFNESS_RATIO, number,
};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use std::cmp::Ordering;

/// A linear spring with damping c x^m dx/dt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NonlinearDashpot {
    /// Normal stiffness k, N/m.
    pub stiffness: f64,
    /// Damping c, N s/m^(m+1).
    pub damping: f64,
    /// Exponent m > 0.
    pub exponent: f64,
    /// Tangential over normal stiffness.
    pub stiffness_ratio: f64,
    /// Coefficient of friction while sticking.
    pub static_friction: f64,
    /// Coefficient of friction while slipping.
    pub kinetic_friction: f64,
}

#[derive(Clone, Copy)]
struct Growing {
    stiffness: f64,
    damping: f64,
    exponent: f64,
}

impl Element for Growing {
    fn normal(&self, compression: f64, rate: f64) -> Normal {
        // Odd beyond the end of contact, where a step may look: smooth there for the exponent 1.
        let x = compression.abs();
        let power = self.damping * x.powf(self.exponent - 1.0);
        let (damping, growth) = if x > 0.0 {
            (power * compression, self.exponent * power)
        } else {
            let growth = match self.exponent.total_cmp(&1.0) {
                Ordering::Less if self.damping > 0.0 => f64::INFINITY,
                Ordering::Greater => 0.0,
                _ => self.damping,
            };
            (0.0, growth)
        };
        Normal {
            force: self.stiffness * compression + damping * rate,
            by_compression: self.stiffness + growth * rate,
            by_rate: damping,
        }
    }

    fn left(&self, compression: f64, force: f64) -> f64 {
        let spring = self.stiffness * compression;
        match self.exponent.total_cmp(&1.0) {
            Ordering::Less => force,
            // Below zero by rounding only, where the force has become nothing: the rest of contact is its tail.
            Ordering::Equal => force.min(spring),
            Ordering::Greater => spring,
        }
    }

    fn tail(&self, compression: f64, speed: f64) -> f64 {
        if self.exponent < 1.0 || compression <= 0.0 || speed <= 0.0 {
            return 0.0;
        }
        // With m = 1 the bodies part at k/c at most; the computed speed errs by what rounding leaves of the approach.
        let fastest = if self.exponent == 1.0 { self.stiffness / self.damping } else { f64::INFINITY };
        compression / speed.min(fastest)
    }
}

impl NonlinearDashpot {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(
            &[
                self.stiffness,
                self.damping,
                self.exponent,
                self.stiffness_ratio,
                self.static_friction,
                self.kinetic_friction,
            ],
            collision,
        )
    }

    fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let (w_nn, v_n) = (collision.inverse_mass()[(0, 0)], -collision.velocity().x);
        let element = Growing { stiffness: self.stiffness, damping: self.damping, exponent: self.exponent };
        let tangent = Tangent { stiffness: self.stiffness * self.stiffness_ratio, damping: 0.0 };
        let friction = Friction { sticking: self.static_friction, slipping: self.kinetic_friction };
        // The spring alone would stop the mass in t; so long the dashpot at the depth of the spring would take.
        let t = 1.0 / (self.stiffness * w_nn).sqrt();
        let damped = self.damping * (v_n * t).powf(self.exponent) * w_nn;
        Aligned::new(collision, element, tangent, friction, t / (1.0 + damped * t)).follow(history)
    }
}

const DAMPING_GROWTH: Parameter = number(
    "damping_growth",
    "c",
    "coefficient of the normal dashpot, N s/m per metre of compression to the power `exponent`",
    (0.0, 1e30),
    Fallback::Required,
);

const EXPONENT: Parameter =
    number("exponent", "m", "power of the compression in the damping", (0.1, 4.0), Fallback::Value(1.0));

pub(super) const LAW: Law = Law {
    id: "nonlinear-dashpot",
    name: "Linear spring with a dashpot that grows with compression",
    source: "A. Chatterjee, Rigid Body Collisions, PhD thesis, Cornell, 1997, 8.2",
    summary: "Restitution that falls with the speed of approach, without jumps of force.",
    equations: "F_n = k x + c x^m dx/dt, x: compression\n\
                tangential spring k_t, Coulomb friction at the massless contact point\n\
                contact ends where x = 0 (m ≥ 1) or F_n = 0 (m < 1)\n\
                head-on, m = 1: −e − ln(1 − a e)/a = 1 − ln(1 + a)/a, a = c |V_n|/k",
    caveats: "Not homogeneous in V: k/c is a velocity (m = 1) that the rebound never exceeds.",
    parameters: &[STIFFNESS, DAMPING_GROWTH, EXPONENT, STIFFNESS_RATIO, STATIC_FRICTION, KINETIC_FRICTION],
    guarantees: Guarantees::ALL,
    consistency: None,
    method: Method::OneContact(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl OneContact for Entry {
    fn resolve(
        &self,
        collision: &Collision,
        p: &[f64],
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        NonlinearDashpot {
            stiffness: p[0],
            damping: p[1],
            exponent: p[2],
            stiffness_ratio: p[3],
            static_friction: p[4],
            kinetic_friction: p[5],
        }
        .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
