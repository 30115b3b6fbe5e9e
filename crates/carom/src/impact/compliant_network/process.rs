//! The network under way: which contacts press, slip and stick.

use super::element::Element;
use super::tangent::Tangent;
use crate::impact::Impact;
use crate::impact::follow::{Process, compression, header, impulses, rates, speed};
use crate::ode::System;
use nalgebra::{DVector, Vector2, Vector3};

/// The mode of all contacts.
pub(super) struct Springs<'a> {
    impact: &'a Impact,
    elements: Vec<Element>,
    closed: Vec<bool>,
    tangent: Vec<Tangent>,
    speed: f64,
}

/// What forces, compressions and velocities may be beyond zero, relative to their sizes, before a mode ends. The errors of
/// steps are smaller, so that contacts the impact has not reached yet do not flicker.
const BEYOND: f64 = 1e-11;
/// An open contact closes on this side of where it opened.
const CLOSES: f64 = 0.5 * BEYOND;
/// More slip than any: what the margin of a slip is cut to where the force of a dashpot starts with a vertical slope.
const MOST_SLIP: f64 = 1e3;

/// What can end at a contact.
const NORMAL: usize = 0;
const TANGENT: usize = 1;
const KINDS: usize = 2;

/// Forces at all contacts, and what the state moves by.
struct Instant {
    velocities: Vec<Vector3<f64>>,
    forces: Vec<Vector3<f64>>,
    /// Directions of the springs that slip; with the rate of turning where they only lag.
    directions: Vec<(Vector2<f64>, Option<f64>)>,
}

impl<'a> Springs<'a> {
    pub(super) fn new(impact: &'a Impact, elements: Vec<Element>, y: &DVector<f64>) -> Springs<'a> {
        let n = elements.len();
        // A contact that parts from the start has nothing to press with.
        let closed = (0..n).map(|k| y[compression(n, k)] == 0.0 && impact.velocity()[k].x <= 0.0).collect();
        let speed = speed(impact);
        let touch = |(element, v)| Tangent::at_first_touch(element, v, speed, impact.is_planar());
        let tangent = elements.iter().zip(impact.velocity()).map(touch).collect();
        Springs { impact, elements, closed, tangent, speed }
    }

    fn count(&self) -> usize {
        self.elements.len()
    }

    fn stretch(&self, k: usize, y: &DVector<f64>) -> Vector2<f64> {
        let place = header(self.count()) + 2 * k;
        Vector2::new(y[place], y[place + 1])
    }

    fn put_stretch(&self, k: usize, y: &mut DVector<f64>, x: &Vector2<f64>) {
        let place = header(self.count()) + 2 * k;
        (y[place], y[place + 1]) = (x.x, x.y);
    }

    fn velocities(&self, y: &DVector<f64>) -> Vec<Vector3<f64>> {
        self.impact.velocity_after(&impulses(y, self.count()))
    }

    /// The normal force of a contact if it is closed.
    fn normal(&self, k: usize, v: &Vector3<f64>, y: &DVector<f64>) -> f64 {
        self.elements[k].force(y[compression(self.count(), k)], -v.x)
    }

    fn instant(&self, y: &DVector<f64>) -> Instant {
        let velocities = self.velocities(y);
        let n = self.count();
        let mut forces = vec![Vector3::zeros(); n];
        let mut directions = vec![(Vector2::zeros(), None); n];
        let mut lagging = Vec::new();
        for k in (0..n).filter(|k| self.closed[*k]) {
            let (element, v, x) = (&self.elements[k], &velocities[k], self.stretch(k, y));
            let normal = self.normal(k, v, y);
            let (d, lags) = self.tangent[k].direction(element, normal, v, &x);
            let force = match self.tangent[k] {
                Tangent::Sticking => x * -element.tangential_stiffness,
                _ => d * (-element.friction * normal),
            };
            forces[k] = Vector3::new(normal, force.x, force.y);
            directions[k].0 = d;
            if lags {
                lagging.push(k);
            }
        }
        if !lagging.is_empty() {
            self.lag(&lagging, &velocities, &mut forces, &mut directions);
        }
        Instant { velocities, forces, directions }
    }

    /// Turns directions that equal those of the slip back by their lag.
    fn lag(
        &self,
        lagging: &[usize],
        velocities: &[Vector3<f64>],
        forces: &mut [Vector3<f64>],
        directions: &mut [(Vector2<f64>, Option<f64>)],
    ) {
        let turns: Vec<(usize, f64)> = lagging
            .iter()
            .map(|k| {
                let acceleration = self.impact.inverse_mass().row_times(*k, forces).yz();
                let speed = velocities[*k].yz().norm();
                (*k, if speed > 0.0 { directions[*k].0.perp(&acceleration) / speed } else { 0.0 })
            })
            .collect();
        for (k, turning) in turns {
            let (element, d) = (&self.elements[k], directions[k].0);
            let limit = element.friction * forces[k].x;
            let lag = turning * limit / (element.tangential_stiffness * velocities[k].yz().norm());
            let d = (d - Vector2::new(-d.y, d.x) * lag).try_normalize(0.0).unwrap_or(d);
            directions[k] = (d, Some(turning));
            forces[k] = Vector3::new(forces[k].x, -d.x * limit, -d.y * limit);
        }
    }

    /// The speed at which the massless point of a slipping contact moves.
    fn slip(&self, k: usize, now: &Instant, y: &DVector<f64>) -> f64 {
        let (element, v) = (&self.elements[k], &now.velocities[k]);
        let acceleration = self.impact.inverse_mass().row_times(k, &now.forces).x;
        let growth = element.force_rate(y[compression(self.count(), k)], -v.x, -acceleration);
        now.directions[k].0.dot(&v.yz()) - element.friction * growth / element.tangential_stiffness
    }

    /// Every margin with its number: contact by contact, [`KINDS`] each.
    fn margins(&self, y: &DVector<f64>, mut see: impl FnMut(usize, f64)) {
        let now = self.instant(y);
        for (k, element) in self.elements.iter().enumerate() {
            let force = now.forces[k];
            if !self.closed[k] {
                let pressing = self.normal(k, &now.velocities[k], y) / element.scale.force;
                let compression = y[compression(self.count(), k)] / element.scale.compression;
                see(KINDS * k + NORMAL, -CLOSES - pressing.min(compression));
                continue;
            }
            see(KINDS * k + NORMAL, force.x / element.scale.force + BEYOND);
            match self.tangent[k] {
                Tangent::Frictionless => {}
                Tangent::Sticking => {
                    let left = element.friction * force.x - force.yz().norm();
                    see(KINDS * k + TANGENT, left / element.scale.force + BEYOND);
                }
                Tangent::Straight(_) | Tangent::Turning => {
                    let slip = self.slip(k, &now, y) / self.speed;
                    see(KINDS * k + TANGENT, slip.clamp(-MOST_SLIP, MOST_SLIP) + BEYOND);
                }
            }
        }
    }
}

impl System<DVector<f64>, 1> for Springs<'_> {
    fn derivative(&self, _: f64, y: &DVector<f64>) -> DVector<f64> {
        let now = self.instant(y);
        let mut rates = rates(y, &now.forces, &now.velocities, |k| -now.velocities[k].x);
        for k in (0..self.count()).filter(|k| self.closed[*k]) {
            let (v, x, element) = (now.velocities[k].yz(), self.stretch(k, y), &self.elements[k]);
            let rate = match self.tangent[k] {
                Tangent::Sticking => v,
                Tangent::Turning => {
                    let d = now.directions[k].0;
                    let across = Vector2::new(-d.y, d.x);
                    let limit = element.friction * now.forces[k].x;
                    let turning =
                        now.directions[k].1.unwrap_or_else(|| across.dot(&v) * element.tangential_stiffness / limit);
                    across * (turning * x.norm())
                }
                Tangent::Straight(_) | Tangent::Frictionless => Vector2::zeros(),
            };
            self.put_stretch(k, &mut rates, &rate);
        }
        rates
    }

    fn events(&self, _: f64, y: &DVector<f64>) -> [f64; 1] {
        let mut least = 1.0;
        self.margins(y, |_, margin| least = margin.min(least));
        [least]
    }
}

impl Process for Springs<'_> {
    fn ending(&self, y: &DVector<f64>) -> usize {
        let mut least = (0, f64::INFINITY);
        self.margins(y, |number, margin| {
            if margin < least.1 {
                least = (number, margin);
            }
        });
        least.0
    }

    fn switch(&mut self, ending: usize, y: &mut DVector<f64>) {
        let k = ending / KINDS;
        let now = self.instant(y);
        let (element, planar) = (self.elements[k], self.impact.is_planar());
        match (ending % KINDS, self.tangent[k]) {
            (NORMAL, _) => {
                self.closed[k] = !self.closed[k];
                let v = &now.velocities[k];
                self.tangent[k] = Tangent::at_first_touch(&element, v, self.speed, planar);
                // While it slips only the direction of the stretch counts.
                let d = v.yz().try_normalize(0.0).unwrap_or_else(Vector2::zeros);
                let sticks = self.tangent[k] == Tangent::Sticking;
                self.put_stretch(k, y, &(d * if sticks { 0.0 } else { element.scale.compression }));
            }
            (_, Tangent::Sticking) => {
                let x = self.stretch(k, y);
                self.tangent[k] = Tangent::slipping(&x, planar);
            }
            _ => {
                let stretch = element.friction * now.forces[k].x / element.tangential_stiffness;
                self.put_stretch(k, y, &(now.directions[k].0 * stretch));
                self.tangent[k] = Tangent::Sticking;
            }
        }
    }

    fn is_over(&self, y: &DVector<f64>) -> bool {
        let v = self.velocities(y);
        let is_slack = |k: usize| !self.closed[k] || self.normal(k, &v[k], y) <= BEYOND * self.elements[k].scale.force;
        (0..v.len()).all(|k| is_slack(k) && v[k].x >= -BEYOND * self.speed)
    }

    fn pace(&self, y: &DVector<f64>) -> f64 {
        let v = self.velocities(y);
        let pace = |k: usize| match (self.closed[k], self.tangent[k]) {
            (false, _) => (-v[k].x).max(0.0),
            (true, Tangent::Frictionless) => v[k].x.abs(),
            (true, _) => v[k].norm(),
        };
        (0..v.len()).map(pace).fold(0.0, f64::max)
    }

    fn sticking(&self) -> Vec<bool> {
        (0..self.count()).map(|k| self.closed[k] && self.tangent[k] == Tangent::Sticking).collect()
    }
}
