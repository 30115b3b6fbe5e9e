//! A contact that stays closed: after an impulse without rebound the bodies press against each other until they would have
//! to pull.
//!
//! The normal force keeps r̈_n = 0. With a the acceleration of the contact without force and W the inverse mass
//! for an impulse that takes no time,
//!
//! ```text
//! smooth      F_n = −a_n/W_nn
//! slipping    F_n = −a_n/(W_nn − μ W_nt·u),  F_t = −μ F_n u,  u = V_t/|V_t|
//! sticking    F = −W⁻¹ a,  |F_t| ≤ μ F_n
//! ```
//!
//! Where W_nn ≤ μ W_nt·u no force keeps a slipping contact closed (Painlevé): it jams, by an impulse.

use super::dynamics::{Dynamics, State};
use super::flight::Flight;
use super::pressing::Grip;
use crate::collision::Collision;
use crate::course::Motion;
use crate::ode::System;
use nalgebra::{Vector2, Vector3};
use std::f64::consts::PI;

/// Equations of motion of a closed contact.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    dynamics: &'a Dynamics<'a>,
    instantaneous: &'a Collision,
    friction: f64,
    grip: Grip,
    /// Where the slip goes, or starts to go.
    slip: Vector2<f64>,
    /// Whether that slip started from rest.
    from_rest: bool,
}

/// Numbers of the events: the contact would have to pull; friction changes its ways; the contact jams.
pub(super) const PULLS: usize = 0;
/// See [`PULLS`].
pub(super) const GRIP: usize = 1;

/// A slip below this share of the speed of the collision has stopped; friction takes the rest of it at once.
const STOPPED: f64 = 1e-6;
/// A slip from rest keeps its direction up to this share of the speed of the collision. Friction turns a slow slip fast
/// towards this direction, so that it would stay near it anyway.
const LAUNCHED: f64 = 1e-4;
/// Share of the speed of the collision that rounding may take from a slip that starts from rest.
const ROUNDING: f64 = 1e-9;

impl<'a> Held<'a> {
    /// A contact that is closed in this state; `None` if it opens by itself.
    pub(super) fn begin(
        dynamics: &'a Dynamics<'a>,
        instantaneous: &'a Collision,
        friction: f64,
        y: &mut State,
    ) -> Option<Held<'a>> {
        if Flight::from(dynamics, y).opens() {
            return None;
        }
        let slip = Vector2::zeros();
        let mut held = Held { dynamics, instantaneous, friction, grip: Grip::Smooth, slip, from_rest: false };
        if friction > 0.0 {
            held.choose_grip(y);
        }
        Some(held)
    }

    /// The slip has stopped, or friction has reached its limit.
    pub(super) fn change_grip(&mut self, y: &mut State) {
        if self.grip == Grip::Sticking {
            self.break_loose(y);
        } else {
            self.choose_grip(y);
        }
    }

    /// Slips on, sticks if friction suffices, or starts to slip where friction does not suffice.
    pub(super) fn choose_grip(&mut self, y: &mut State) {
        let slip = self.dynamics.velocity(y).yz();
        if slip.norm() > self.share(STOPPED) {
            (self.grip, self.slip, self.from_rest) = (Grip::Slipping, slip.normalize(), false);
            return;
        }
        self.dynamics.kick(y, &-self.instantaneous.mass_times(&self.dynamics.velocity(y)));
        let sticking = self.sticking(y);
        if sticking.yz().norm() <= self.friction * sticking.x {
            self.grip = Grip::Sticking;
        } else {
            self.break_loose(y);
        }
    }

    fn break_loose(&mut self, y: &State) {
        (self.grip, self.slip, self.from_rest) = (Grip::Slipping, self.way_loose(y), true);
    }

    /// This share of the speed of the collision, m/s.
    fn share(&self, share: f64) -> f64 {
        share * self.dynamics.before.norm()
    }

    /// Where a contact slips to from rest: the direction u in which friction against u lets the slip grow along u.
    fn way_loose(&self, y: &State) -> Vector2<f64> {
        const LOOKS: u32 = 64;
        let a = self.dynamics.free_acceleration(y);
        // How the slip grows if friction acts against the direction of this angle from the first guess.
        let guess = -self.sticking(y).yz();
        let first = guess.y.atan2(guess.x);
        let growth = |angle: f64| {
            let u = Vector2::new((first + angle).cos(), (first + angle).sin());
            let force = Vector3::new(1.0, -self.friction * u.x, -self.friction * u.y) * (-a.x / self.denominator(&u));
            let slip = (a + self.dynamics.instantaneous * force).yz();
            (u, u.perp(&slip), u.dot(&slip))
        };
        // Away from the guess on both sides in turn.
        let at = |look: u32| f64::from(look) * PI / f64::from(LOOKS);
        for look in 0..LOOKS {
            for side in [1.0, -1.0] {
                let (mut near, mut far) = (side * at(look), side * at(look + 1));
                let sign = growth(near).1.signum();
                if growth(far).1.signum() == sign {
                    continue;
                }
                for _ in 0..60 {
                    let middle = f64::midpoint(near, far);
                    if growth(middle).1.signum() == sign { near = middle } else { far = middle }
                }
                if growth(far).2 > 0.0 {
                    return growth(far).0;
                }
            }
        }
        growth(0.0).0
    }

    /// W_nn − μ W_nt·u; 1 where nothing slips.
    pub(super) fn grows(&self, y: &State) -> f64 {
        if self.grip == Grip::Slipping { self.denominator(&self.heading(y)) } else { 1.0 }
    }

    fn denominator(&self, heading: &Vector2<f64>) -> f64 {
        let w = &self.dynamics.instantaneous;
        w[(0, 0)] - self.friction * (w[(0, 1)] * heading.x + w[(0, 2)] * heading.y)
    }

    /// Direction of the slip; a slip that has just started, or is just about to stop, goes on where it went.
    fn heading(&self, y: &State) -> Vector2<f64> {
        let slip = self.dynamics.velocity(y).yz();
        let least = self.share(if self.from_rest { LAUNCHED } else { ROUNDING });
        if slip.dot(&self.slip) > least { slip.normalize() } else { self.slip }
    }

    fn sticking(&self, y: &State) -> Vector3<f64> {
        -self.instantaneous.mass_times(&self.dynamics.free_acceleration(y))
    }

    /// The force on A that keeps the contact closed.
    pub(super) fn force(&self, y: &State) -> Vector3<f64> {
        let a = self.dynamics.free_acceleration(y).x;
        match self.grip {
            Grip::Sticking => self.sticking(y),
            Grip::Slipping => {
                let heading = self.heading(y);
                let normal = -a / self.denominator(&heading);
                let friction = -heading * (self.friction * normal);
                Vector3::new(normal, friction.x, friction.y)
            }
            Grip::Smooth | Grip::Open => Vector3::x() * (-a / self.dynamics.instantaneous[(0, 0)]),
        }
    }

    /// What the contact does, for the history.
    pub(super) fn motion(&self) -> Motion {
        match self.grip {
            Grip::Smooth => Motion::Frictionless,
            Grip::Sticking => Motion::Sticking,
            Grip::Slipping => Motion::Slipping,
            Grip::Open => Motion::Apart,
        }
    }
}

impl System<State, 3> for Held<'_> {
    fn derivative(&self, _: f64, y: &State) -> State {
        self.dynamics.derivative(y, &self.force(y), &Vector2::zeros())
    }

    fn events(&self, _: f64, y: &State) -> [f64; 3] {
        let force = self.force(y);
        let grip = match self.grip {
            Grip::Sticking => self.friction * force.x - force.yz().norm(),
            Grip::Slipping => {
                self.dynamics.velocity(y).yz().dot(&self.slip) + if self.from_rest { self.share(ROUNDING) } else { 0.0 }
            }
            Grip::Smooth | Grip::Open => 1.0,
        };
        [force.x, grip, self.grows(y)]
    }
}
