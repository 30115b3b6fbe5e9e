//! The process under way: which contacts press, part, slip and stick.

use super::contact::Contact;
use super::friction::{Hold, starts};
use crate::impact::Impact;
use crate::laws::several::follow::{Process, compression, header, impulses, least_margin, rates, speed};
use crate::ode::System;
use nalgebra::{DVector, Vector2, Vector3};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Normal {
    /// No energy stored.
    Open,
    /// Energy grows.
    Compressing,
    /// Energy is given back.
    Parting,
    /// No restitution: energy was given up at this velocity, which the others push back to approach.
    Released(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Tangent {
    Frictionless,
    /// Slip along a direction that does not turn: in the plane. Rounding may leave a contact that stuck with a slip against
    /// the direction it starts in: the second value, not above zero, relative to the speeds.
    Straight(Vector2<f64>, f64),
    /// In space, hardly any slip: its direction is a part of the state. The value is as above.
    Starting(f64),
    /// In space, slip enough to have a direction.
    Turning,
    Sticking,
}

/// The mode of all contacts.
pub(super) struct Accumulation<'a> {
    impact: &'a Impact,
    contacts: Vec<Contact>,
    normal: Vec<Normal>,
    tangent: Vec<Tangent>,
    hold: Option<Hold>,
    speed: f64,
}

/// Compression below zero, relative to its size, that ends a phase. The errors of steps are smaller, so that contacts the
/// impact has not reached yet do not flicker.
const BEYOND: f64 = 1e-11;
/// Velocity beyond zero, relative to the speeds, that ends a phase; it ends the release of a contact without restitution, too.
const TURNED: f64 = 1e-12;
/// Slip below this fraction of the speeds has stopped.
const STOPPED: f64 = 1e-11;
/// Slip below this fraction of the speeds is what rounding leaves of a contact that stuck.
const STUCK: f64 = 1e-10;
/// Slip above this fraction s of the speeds has a direction of its own. Slip that starts from sticking grows with the square
/// of time, and its direction relaxes within times of order s to where it grows along itself: below s it is given that
/// much time instead of ever less. What is lost is of order s √s.
const DIRECTED: f64 = 1e-6;
/// What can end at a contact.
const NORMAL: usize = 0;
const TURN: usize = 1;
const TANGENT: usize = 2;
const DIRECTION: usize = 3;
const KINDS: usize = 4;

impl<'a> Accumulation<'a> {
    /// The process at first touch; `y` gets the directions of slip that starts.
    pub(super) fn new(impact: &'a Impact, contacts: Vec<Contact>, y: &mut DVector<f64>) -> Accumulation<'a> {
        let normal = |v: &Vector3<f64>| if v.x > 0.0 { Normal::Open } else { Normal::Compressing };
        let normal: Vec<Normal> = impact.velocity().iter().map(normal).collect();
        let (tangent, speed) = (vec![Tangent::Frictionless; contacts.len()], speed(impact));
        let mut process = Accumulation { impact, contacts, normal, tangent, hold: None, speed };
        let v = impact.velocity();
        for (k, v) in v.iter().enumerate() {
            process.touch(k, v);
        }
        // At the start no spring presses yet: forces are in the ratios in which they grow.
        let growing = |(contact, v): (&Contact, &Vector3<f64>)| contact.force((-v.x).max(0.0));
        let forces: Vec<f64> = process.contacts.iter().zip(v).map(growing).collect();
        process.settle(v, &forces, y);
        process
    }

    fn is_open(&self, k: usize) -> bool {
        self.normal[k] == Normal::Open
    }

    /// How a contact that begins to press moves along its tangents. One without slip is left to [`Self::settle`].
    fn touch(&mut self, k: usize, v: &Vector3<f64>) {
        let slip = v.yz();
        self.tangent[k] = if self.contacts[k].friction == 0.0 {
            Tangent::Frictionless
        } else if slip.norm() <= STUCK * self.speed {
            Tangent::Sticking
        } else if self.impact.is_planar() {
            Tangent::Straight(slip.normalize(), 0.0)
        } else {
            Tangent::Turning
        };
    }

    /// Decides which of the contacts without slip stick under given normal forces.
    fn settle(&mut self, v: &[Vector3<f64>], normal_forces: &[f64], y: &mut DVector<f64>) {
        let mut forces: Vec<Vector3<f64>> = normal_forces.iter().map(|force| Vector3::x() * *force).collect();
        let mut stopped = Vec::new();
        for k in 0..v.len() {
            if self.is_open(k) {
                continue;
            }
            let rests = v[k].yz().norm() <= STUCK * self.speed;
            if self.tangent[k] == Tangent::Sticking || self.tangent[k] != Tangent::Frictionless && rests {
                stopped.push(k);
            } else {
                self.put_slip(k, &v[k], y, &mut forces[k]);
            }
        }
        let starts = starts(self.impact, &mut forces, &stopped, |k| self.contacts[k].friction);
        for (k, start) in stopped.into_iter().zip(starts) {
            self.tangent[k] = start.map_or(Tangent::Sticking, |d| self.starting(k, &d, &v[k], y));
        }
        self.hold_again();
    }

    /// Slip that starts along d.
    fn starting(&self, k: usize, d: &Vector2<f64>, v: &Vector3<f64>, y: &mut DVector<f64>) -> Tangent {
        let from = (v.yz().dot(d) / self.speed).min(0.0);
        if self.impact.is_planar() {
            return Tangent::Straight(*d, from);
        }
        let place = header(self.contacts.len()) + 2 * k;
        (y[place], y[place + 1]) = (d.x, d.y);
        Tangent::Starting(from)
    }

    fn direction(&self, k: usize, v: &Vector3<f64>, y: &DVector<f64>) -> Vector2<f64> {
        let direction = |v: Vector2<f64>| v.try_normalize(0.0).unwrap_or_else(Vector2::zeros);
        match self.tangent[k] {
            Tangent::Straight(d, _) => d,
            Tangent::Starting(_) => {
                let place = header(self.contacts.len()) + 2 * k;
                direction(Vector2::new(y[place], y[place + 1]))
            }
            Tangent::Turning => direction(v.yz()),
            Tangent::Frictionless | Tangent::Sticking => Vector2::zeros(),
        }
    }

    fn hold_again(&mut self) {
        let sticks = |k: &usize| !self.is_open(*k) && self.tangent[*k] == Tangent::Sticking;
        let held = (0..self.contacts.len()).filter(sticks).collect();
        self.hold = Hold::of(self.impact, held, |k| self.contacts[k].friction);
    }

    /// The friction of a contact that slips.
    fn put_slip(&self, k: usize, v: &Vector3<f64>, y: &DVector<f64>, force: &mut Vector3<f64>) {
        let friction = self.direction(k, v, y) * (-self.contacts[k].friction * force.x);
        force.y = friction.x;
        force.z = friction.y;
    }

    fn velocities(&self, y: &DVector<f64>) -> Vec<Vector3<f64>> {
        self.impact.after(&impulses(y, self.contacts.len()))
    }

    fn normal_force(&self, k: usize, y: &DVector<f64>) -> f64 {
        if self.is_open(k) { 0.0 } else { self.contacts[k].force(y[compression(self.contacts.len(), k)]) }
    }

    fn forces(&self, v: &[Vector3<f64>], y: &DVector<f64>) -> Vec<Vector3<f64>> {
        let mut forces: Vec<_> = (0..v.len()).map(|k| Vector3::x() * self.normal_force(k, y)).collect();
        for (k, force) in forces.iter_mut().enumerate() {
            self.put_slip(k, &v[k], y, force);
        }
        if let Some(hold) = &self.hold {
            hold.apply(self.impact, &mut forces);
        }
        forces
    }

    /// A contact without restitution has been stopped: how much compression the others leave it.
    fn release(&self, k: usize, v: &[Vector3<f64>], y: &DVector<f64>) -> f64 {
        let contact = &self.contacts[k];
        let place = compression(self.contacts.len(), k);
        let acceleration = |compression: f64| {
            let mut state = y.clone();
            state[place] = compression;
            self.impact.inverse_mass().row_times(k, &self.forces(v, &state)).x
        };
        contact.released(y[place], acceleration(0.0), acceleration(y[place]))
    }

    fn turn(&mut self, k: usize, v: &[Vector3<f64>], y: &mut DVector<f64>) {
        let returns = match self.normal[k] {
            Normal::Parting => true,
            Normal::Released(_) => v[k].x < 0.0,
            Normal::Compressing | Normal::Open => false,
        };
        if returns {
            self.normal[k] = Normal::Compressing;
        } else if !self.contacts[k].is_dead() {
            self.normal[k] = Normal::Parting;
        } else {
            let left = self.release(k, v, y);
            y[compression(v.len(), k)] = left;
            let at = v[k].x / self.speed;
            self.normal[k] = if left > 0.0 { Normal::Released(at) } else { Normal::Open };
            self.settle_now(v, y);
        }
    }

    fn settle_now(&mut self, v: &[Vector3<f64>], y: &mut DVector<f64>) {
        let forces: Vec<f64> = (0..v.len()).map(|k| self.normal_force(k, y)).collect();
        self.settle(v, &forces, y);
    }
}

impl System<DVector<f64>, 1> for Accumulation<'_> {
    fn derivative(&self, _: f64, y: &DVector<f64>) -> DVector<f64> {
        let v = self.velocities(y);
        let forces = self.forces(&v, y);
        let mut rates = rates(y, &forces, &v, |k| match self.normal[k] {
            Normal::Open | Normal::Released(_) => 0.0,
            Normal::Compressing => -v[k].x,
            Normal::Parting => -v[k].x / self.contacts[k].restitution.powi(2),
        });
        for k in (0..v.len()).filter(|k| matches!(self.tangent[*k], Tangent::Starting(_)) && !self.is_open(*k)) {
            let place = header(v.len()) + 2 * k;
            let d = Vector2::new(y[place], y[place + 1]);
            let growth = self.impact.inverse_mass().row_times(k, &forces).yz();
            let turning = d.perp(&growth) / (d.norm() * DIRECTED * self.speed);
            (rates[place], rates[place + 1]) = (-d.y * turning, d.x * turning);
        }
        rates
    }

    fn events(&self, _: f64, y: &DVector<f64>) -> [f64; 1] {
        [least_margin(self, y).1.min(1.0)]
    }
}

impl Process for Accumulation<'_> {
    fn margins(&self, y: &DVector<f64>, see: &mut dyn FnMut(usize, f64)) {
        let v = self.velocities(y);
        let forces = self.hold.as_ref().map(|_| self.forces(&v, y));
        for (k, contact) in self.contacts.iter().enumerate() {
            let (approach, slip) = (-v[k].x / self.speed, v[k].yz() / self.speed);
            if self.is_open(k) {
                see(KINDS * k + NORMAL, TURNED - approach);
                continue;
            }
            see(KINDS * k + NORMAL, y[compression(v.len(), k)] / contact.scale.compression + BEYOND);
            match self.normal[k] {
                Normal::Compressing if !contact.is_elastic() => see(KINDS * k + TURN, approach + TURNED),
                Normal::Parting => see(KINDS * k + TURN, TURNED - approach),
                Normal::Released(at) => see(KINDS * k + TURN, TURNED + (approach + at).min(-approach)),
                _ => {}
            }
            match self.tangent[k] {
                Tangent::Frictionless => {}
                Tangent::Straight(_, from) | Tangent::Starting(from) => {
                    let along = slip.dot(&self.direction(k, &v[k], y));
                    see(KINDS * k + TANGENT, along - from + STOPPED);
                    if !self.impact.is_planar() {
                        see(KINDS * k + DIRECTION, DIRECTED - slip.norm());
                    }
                }
                Tangent::Turning => see(KINDS * k + TANGENT, slip.norm() - STOPPED),
                Tangent::Sticking => {
                    let force = forces.as_ref().map_or_else(Vector3::zeros, |forces| forces[k]);
                    let left = contact.friction * force.x - force.yz().norm();
                    see(KINDS * k + TANGENT, left / contact.scale.force + BEYOND);
                }
            }
        }
    }

    fn switch(&mut self, ending: usize, y: &mut DVector<f64>) {
        let v = self.velocities(y);
        let k = ending / KINDS;
        match (ending % KINDS, self.tangent[k]) {
            (NORMAL, _) if self.is_open(k) => {
                self.normal[k] = Normal::Compressing;
                y[compression(v.len(), k)] = 0.0;
                self.touch(k, &v[k]);
                self.settle_now(&v, y);
            }
            (NORMAL, _) => {
                self.normal[k] = Normal::Open;
                y[compression(v.len(), k)] = 0.0;
                self.hold_again();
            }
            (TURN, _) => self.turn(k, &v, y),
            (DIRECTION, _) => self.tangent[k] = Tangent::Turning,
            (_, Tangent::Sticking) => {
                let force = self.forces(&v, y)[k].yz();
                let d = -force.try_normalize(0.0).unwrap_or_else(Vector2::zeros);
                self.tangent[k] = self.starting(k, &d, &v[k], y);
                self.hold_again();
            }
            _ => {
                self.tangent[k] = Tangent::Sticking;
                self.settle_now(&v, y);
            }
        }
    }

    fn is_over(&self, y: &DVector<f64>) -> bool {
        let v = self.velocities(y);
        let is_empty = |k: usize| y[compression(v.len(), k)] <= BEYOND * self.contacts[k].scale.compression;
        (0..v.len()).all(|k| is_empty(k) && v[k].x >= -TURNED * self.speed)
    }

    fn pace(&self, y: &DVector<f64>) -> f64 {
        let v = self.velocities(y);
        let pace = |k: usize| match (self.is_open(k), self.tangent[k]) {
            (true, _) => (-v[k].x).max(0.0),
            (false, Tangent::Frictionless) => v[k].x.abs(),
            (false, _) => v[k].norm(),
        };
        (0..v.len()).map(pace).fold(0.0, f64::max)
    }

    fn press(&self, y: &DVector<f64>) -> f64 {
        let press = |(k, contact): (usize, &Contact)| self.normal_force(k, y) / contact.scale.force;
        self.contacts.iter().enumerate().map(press).fold(0.0, f64::max)
    }

    fn tidy(&self, y: &mut DVector<f64>) {
        if let Some(hold) = &self.hold {
            // Impulses that take back the slip which the errors of steps leave at contacts that stick.
            let slip = self.velocities(y);
            hold.stop(&slip, |contact, component, impulse| y[3 * contact + component] += impulse);
        }
    }

    fn sticking(&self) -> Vec<bool> {
        (0..self.contacts.len()).map(|k| !self.is_open(k) && self.tangent[k] == Tangent::Sticking).collect()
    }
}
