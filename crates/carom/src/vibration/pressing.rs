//! The bodies while a contact of small extent presses, and while they overlap without pressing.

use super::contact::Contact;
use super::dynamics::{Dynamics, State};
use crate::course::Motion;
use crate::ode::System;
use nalgebra::{Vector2, Vector3};

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grip {
    /// Presses without friction.
    Smooth,
    /// Presses and sticks.
    Sticking,
    /// Presses and slips.
    Slipping,
    /// The surfaces overlap, but the formula gives tension: nothing is transmitted.
    Open,
}

/// Equations of motion in contact.
#[derive(Clone, Copy)]
pub(super) struct Pressing<'a> {
    pub(super) dynamics: &'a Dynamics<'a>,
    pub(super) contact: Contact<'a>,
    pub(super) grip: Grip,
}

/// Numbers of the events: the contact stops pressing (or an open one presses again); friction changes its ways (or an
/// open contact's surfaces part).
pub(super) const PRESSED: usize = 0;
/// See [`PRESSED`].
pub(super) const SECOND: usize = 1;

/// The contact at one instant.
pub(super) struct Now {
    /// Force on A.
    pub(super) force: Vector3<f64>,
    stretch_rate: Vector2<f64>,
    /// Slip of the contact point.
    pub(super) slip: Vector2<f64>,
    /// Positive while friction goes on as it does.
    friction: f64,
}

impl<'a> Pressing<'a> {
    /// A contact that begins in this state, with its tangential spring unstretched.
    pub(super) fn begin(dynamics: &'a Dynamics<'a>, contact: Contact<'a>, y: &mut State) -> Pressing<'a> {
        Dynamics::set_stretch(y, &Vector2::zeros());
        let mut pressing = Pressing { dynamics, contact, grip: Grip::Smooth };
        if let Some(friction) = contact.friction
            && friction.coefficient() > 0.0
        {
            let (indentation, velocity) = pressing.indentation(y);
            let force = contact.normal.force(indentation, -velocity.x).max(0.0);
            let rate = pressing.force_rate(y, &Vector3::new(force, 0.0, 0.0));
            let sticks = friction.sticks_at_first(&velocity.yz(), force, rate);
            pressing.grip = if sticks { Grip::Sticking } else { Grip::Slipping };
        }
        pressing
    }

    /// Friction has reached its limit, or the slip has stopped.
    pub(super) fn change_grip(&mut self, y: &mut State) {
        self.grip = match self.grip {
            Grip::Sticking => {
                let (indentation, velocity) = self.indentation(y);
                let normal = self.contact.normal.force(indentation, -velocity.x).max(0.0);
                if let Some(friction) = self.contact.friction {
                    let stretch = friction.slipping_stretch(&Dynamics::stretch(y), normal);
                    Dynamics::set_stretch(y, &stretch);
                }
                Grip::Slipping
            }
            Grip::Slipping => Grip::Sticking,
            other => other,
        };
    }

    /// How deep the surfaces overlap, and the relative velocity.
    pub(super) fn indentation(&self, y: &State) -> (f64, Vector3<f64>) {
        (-self.dynamics.displacement(y).x, self.dynamics.velocity(y))
    }

    /// Rate of the normal force under this force.
    fn force_rate(&self, y: &State, force: &Vector3<f64>) -> f64 {
        let (indentation, velocity) = self.indentation(y);
        let [by_indentation, by_rate] = self.contact.normal.slopes(indentation, -velocity.x);
        let acceleration = (self.dynamics.free_acceleration(y) + self.dynamics.instantaneous * force).x;
        -(by_indentation * velocity.x + by_rate * acceleration)
    }

    /// The contact now.
    pub(super) fn now(&self, y: &State) -> Now {
        let (indentation, velocity) = self.indentation(y);
        let normal = self.contact.normal.force(indentation, -velocity.x);
        let (v, stretch) = (velocity.yz(), Dynamics::stretch(y));
        let with = |tangential: Vector2<f64>, stretch_rate, friction| Now {
            force: Vector3::new(normal, tangential.x, tangential.y),
            stretch_rate,
            slip: v - stretch_rate,
            friction,
        };
        match (self.grip, self.contact.friction) {
            (Grip::Open, _) => Now { force: Vector3::zeros(), ..with(Vector2::zeros(), Vector2::zeros(), 1.0) },
            (Grip::Smooth, _) | (_, None) => with(Vector2::zeros(), Vector2::zeros(), 1.0),
            (Grip::Sticking, Some(friction)) => {
                let force = friction.sticking(&stretch, &v);
                with(force, v, friction.coefficient() * normal - force.norm())
            }
            (Grip::Slipping, Some(friction)) => {
                let rate = |t: &Vector2<f64>| self.force_rate(y, &Vector3::new(normal, t.x, t.y));
                let slip = friction.slipping(&stretch, &v, normal, rate);
                with(slip.force, slip.stretch_rate, slip.speed)
            }
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

impl System<State, 2> for Pressing<'_> {
    fn derivative(&self, _: f64, y: &State) -> State {
        let now = self.now(y);
        self.dynamics.derivative(y, &now.force, &now.stretch_rate)
    }

    fn events(&self, _: f64, y: &State) -> [f64; 2] {
        let (indentation, velocity) = self.indentation(y);
        let pressed = self.contact.normal.pressed(indentation, -velocity.x);
        if self.grip == Grip::Open { [-pressed, indentation] } else { [pressed, self.now(y).friction] }
    }
}
