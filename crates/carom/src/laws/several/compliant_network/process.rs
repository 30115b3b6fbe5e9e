//! The network under way: which contacts press, slip and stick.

use super::element::Element;
use super::tangent::{Tangent, Turning};
use crate::impact::Impact;
use crate::laws::several::follow::{Process, compression, header, impulses, least_margin, rates, speed};
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
    /// Directions of the springs that slip.
    directions: Vec<Vector2<f64>>,
}

impl<'a> Springs<'a> {
    /// The network at first touch; `y` has the gaps, and gets the directions of the springs.
    pub(super) fn new(impact: &'a Impact, elements: Vec<Element>, y: &mut DVector<f64>) -> Springs<'a> {
        let n = elements.len();
        let tangent = vec![Tangent::Frictionless; n];
        let mut springs = Springs { impact, elements, closed: vec![false; n], tangent, speed: speed(impact) };
        for (k, v) in impact.velocity().iter().enumerate() {
            // A contact that parts from the start has nothing to press with.
            springs.closed[k] = y[compression(n, k)] == 0.0 && v.x <= 0.0;
            springs.touch(k, v, y);
        }
        springs
    }

    /// How a contact begins to move along its tangents. While it slips only the direction of the stretch counts.
    fn touch(&mut self, k: usize, v: &Vector3<f64>, y: &mut DVector<f64>) {
        let element = &self.elements[k];
        self.tangent[k] = Tangent::at_first_touch(element, v, self.speed, self.impact.is_planar());
        let length = if self.tangent[k] == Tangent::Sticking { 0.0 } else { element.scale.compression };
        let d = v.yz().try_normalize(0.0).unwrap_or_else(Vector2::zeros);
        self.put_stretch(k, y, &(d * length));
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
        self.impact.after(&impulses(y, self.count()))
    }

    /// The normal force of a contact if it is closed.
    fn normal(&self, k: usize, v: &Vector3<f64>, y: &DVector<f64>) -> f64 {
        self.elements[k].force(y[compression(self.count(), k)], -v.x)
    }

    fn instant(&self, y: &DVector<f64>) -> Instant {
        let velocities = self.velocities(y);
        let n = self.count();
        let mut forces = vec![Vector3::zeros(); n];
        let mut directions = vec![Vector2::zeros(); n];
        let mut late = Vec::new();
        for k in (0..n).filter(|k| self.closed[*k]) {
            let (element, v, x) = (&self.elements[k], &velocities[k], self.stretch(k, y));
            let normal = self.normal(k, v, y);
            let d = self.tangent[k].direction(&x);
            let force = match self.tangent[k] {
                Tangent::Sticking => x * -element.tangential_stiffness,
                _ => d * (-element.friction * normal),
            };
            forces[k] = Vector3::new(normal, force.x, force.y);
            directions[k] = d;
            if self.tangent[k] == Tangent::Turning {
                let turning = Turning::of(element, normal, v.yz().norm());
                if turning.excess > 0.0 {
                    late.push((k, turning.excess));
                }
            }
        }
        let turned: Vec<(usize, Vector2<f64>)> = late
            .into_iter()
            .map(|(k, excess)| {
                let acceleration = self.impact.inverse_mass().row_times(k, &forces).yz();
                let slip = velocities[k].yz();
                // ω excess/|V_t| with ω = V_t × a/|V_t|².
                let lead = slip.perp(&acceleration) * excess / slip.norm().powi(3);
                let d = directions[k];
                (k, (d + Vector2::new(-d.y, d.x) * lead.clamp(-1.0, 1.0)).normalize())
            })
            .collect();
        for (k, d) in turned {
            let limit = self.elements[k].friction * forces[k].x;
            directions[k] = d;
            forces[k] = Vector3::new(forces[k].x, -d.x * limit, -d.y * limit);
        }
        Instant { velocities, forces, directions }
    }

    /// The speed at which the massless point of a slipping contact moves.
    fn slip(&self, k: usize, now: &Instant, y: &DVector<f64>) -> f64 {
        let (element, v) = (&self.elements[k], &now.velocities[k]);
        let acceleration = self.impact.inverse_mass().row_times(k, &now.forces).x;
        let growth = element.force_rate(y[compression(self.count(), k)], -v.x, -acceleration);
        now.directions[k].dot(&v.yz()) - element.friction * growth / element.tangential_stiffness
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
                    let turning = Turning::of(element, now.forces[k].x, v.norm());
                    if turning.followed > 0.0 {
                        Vector2::new(-x.y, x.x) * (x.perp(&v) / (x.norm() * turning.followed))
                    } else {
                        Vector2::zeros()
                    }
                }
                Tangent::Straight(_) | Tangent::Frictionless => Vector2::zeros(),
            };
            self.put_stretch(k, &mut rates, &rate);
        }
        rates
    }

    fn events(&self, _: f64, y: &DVector<f64>) -> [f64; 1] {
        [least_margin(self, y).1.min(1.0)]
    }
}

impl Process for Springs<'_> {
    fn margins(&self, y: &DVector<f64>, see: &mut dyn FnMut(usize, f64)) {
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

    fn switch(&mut self, ending: usize, y: &mut DVector<f64>) {
        let k = ending / KINDS;
        let now = self.instant(y);
        let (element, planar) = (self.elements[k], self.impact.is_planar());
        match (ending % KINDS, self.tangent[k]) {
            (NORMAL, _) => {
                self.closed[k] = !self.closed[k];
                self.touch(k, &now.velocities[k], y);
            }
            (_, Tangent::Sticking) => {
                let x = self.stretch(k, y);
                self.tangent[k] = Tangent::slipping(&x, planar);
            }
            _ => {
                let stretch = element.friction * now.forces[k].x / element.tangential_stiffness;
                self.put_stretch(k, y, &(now.directions[k] * stretch));
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

    fn press(&self, y: &DVector<f64>) -> f64 {
        let v = self.velocities(y);
        let press = |k: usize| self.normal(k, &v[k], y) / self.elements[k].scale.force;
        (0..v.len()).filter(|k| self.closed[*k]).map(press).fold(0.0, f64::max)
    }

    fn sticking(&self) -> Vec<bool> {
        (0..self.count()).map(|k| self.closed[k] && self.tangent[k] == Tangent::Sticking).collect()
    }
}
