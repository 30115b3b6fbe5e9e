//! Elements along the normal and the tangents: any normal force, a tangential spring with or without a dashpot, Coulomb
//! friction at the massless contact point.
//!
//! With N the normal force and x_t the tangential deformation (Chatterjee 1997, 5.2.4 and 8.3):
//!
//! ```text
//! with a dashpot      T0 = −(k_t x_t + c_t V_t);  |T0| ≤ μ_s N sticks, T = T0;
//!                     otherwise T = μ_k N T0/|T0| and u = (T − T0)/c_t
//! without             T = −k_t x_t while sticking, |T| ≤ μ_s N;
//!                     slipping keeps k_t |x_t| = μ_k N: with d = x_t/|x_t| and r = μ_k N/k_t
//!                     dx_t/dt = r' d + V_t − (V_t·d) d,   u = (V_t·d − r') d
//! ```
//!
//! N does not depend on u, so there is one answer at every instant (8.5.2). If the static friction is the larger, the
//! massless point jumps where it breaks loose.

use super::follow::{Header, Model, Next};
use crate::collision::Collision;
use crate::course::{History, Motion};
use crate::laws::compliant::branches::Friction;
use crate::laws::law::Inapplicable;
use crate::outcome::Outcome;
use nalgebra::{SVector, Vector2, Vector3};

/// The normal force of an element, and how it changes with compression and its rate.
#[derive(Clone, Copy, Debug)]
pub(in crate::laws) struct Normal {
    /// N.
    pub force: f64,
    /// N/m.
    pub by_compression: f64,
    /// N s/m.
    pub by_rate: f64,
}

/// A normal contact element.
pub(in crate::laws) trait Element {
    /// The force at this compression (m) and rate of compression (m/s).
    fn normal(&self, compression: f64, rate: f64) -> Normal;
    /// The bodies began to part, or to approach again, at this compression.
    fn turn(&mut self, _parting: bool, _compression: f64) {}
    /// Positive while the present branch of the element holds.
    fn limit(&self, _compression: f64) -> f64 {
        1.0
    }
    /// That limit was reached.
    fn switch(&mut self) {}
}

/// The tangential side of a contact.
#[derive(Clone, Copy, Debug)]
pub(in crate::laws) struct Tangent {
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
}

/// A contact of one normal element and one tangential spring.
pub(in crate::laws) struct Aligned<'a, E> {
    collision: &'a Collision,
    element: E,
    tangent: Tangent,
    friction: Friction,
    sticks: bool,
}

/// Behind the header: the tangential deformation x_t.
const LENGTH: usize = Header::LENGTH + 2;
type State = SVector<f64, LENGTH>;
/// Where x_t stands.
const X: usize = Header::LENGTH;

const FORCE: usize = 1;
const FRICTION: usize = 2;
const ELEMENT: usize = 3;

impl<'a, E: Element> Aligned<'a, E> {
    /// The contact at first touch.
    pub(in crate::laws) fn new(
        collision: &'a Collision,
        element: E,
        tangent: Tangent,
        friction: Friction,
    ) -> Aligned<'a, E> {
        let v = collision.velocity();
        let first = element.normal(0.0, -v.x);
        let slip = v.yz().norm();
        let sticks = if tangent.damping > 0.0 {
            tangent.damping * slip <= friction.sticking * first.force
        } else if first.force > 0.0 {
            true
        } else {
            // Both forces start at zero: the one that grows faster wins.
            tangent.stiffness * slip <= friction.sticking * first.by_compression * -v.x
        };
        Aligned { collision, element, tangent, friction, sticks: sticks && friction.acts() }
    }

    /// Follows the contact; `time` is the time the normal motion takes.
    pub(in crate::laws) fn follow(self, time: f64, history: Option<&mut History>) -> Result<Outcome, Inapplicable> {
        let (collision, friction) = (self.collision, self.friction.sticking.max(self.friction.slipping));
        let distance = collision.velocity().norm() * time;
        let scale = State::from_fn(|i, _| if i < Header::LENGTH { 1.0 } else { distance });
        super::follow(collision, self, State::zeros(), (time, scale), friction, history).map(|(outcome, _)| outcome)
    }

    fn normal(&self, v: &Vector3<f64>, y: &State) -> Normal {
        self.element.normal(Header::compression(y), -v.x)
    }

    /// Force while slipping, rate of x_t, and slip speed along its direction.
    fn slipping(&self, v: &Vector3<f64>, y: &State, normal: &Normal) -> (Vector2<f64>, Vector2<f64>, f64) {
        let (x, v_t) = (Vector2::new(y[X], y[X + 1]), v.yz());
        let Tangent { stiffness, damping } = self.tangent;
        let limit = self.friction.slipping * normal.force;
        if damping > 0.0 {
            let pull = x * stiffness + v_t * damping;
            let force = -direction(&pull) * limit;
            return (force, -(force + x * stiffness) / damping, (pull.norm() - limit) / damping);
        }
        let d = x.try_normalize(0.0).unwrap_or_else(|| direction(&v_t));
        let force = -d * limit;
        let w = self.collision.inverse_mass();
        let acceleration = w[(0, 0)] * normal.force + w[(0, 1)] * force.x + w[(0, 2)] * force.y;
        let force_rate = -(normal.by_compression * v.x + normal.by_rate * acceleration);
        let stretch_rate = self.friction.slipping * force_rate / stiffness;
        let along = v_t.dot(&d);
        (force, d * stretch_rate + v_t - d * along, along - stretch_rate)
    }

    fn sticking(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        -(Vector2::new(y[X], y[X + 1]) * self.tangent.stiffness + v.yz() * self.tangent.damping)
    }

    /// Makes the friction fit a normal force that has jumped.
    fn settle(&mut self, v: &Vector3<f64>, y: &mut State) {
        let limit = self.friction.sticking * self.normal(v, y).force;
        if self.sticks && self.sticking(v, y).norm() > limit {
            self.sticks = false;
        }
        self.put_on_cone(v, y);
    }

    /// An undamped spring that slips holds just what friction can: the massless point jumps there.
    fn put_on_cone(&self, v: &Vector3<f64>, y: &mut State) {
        if !self.sticks && self.tangent.damping == 0.0 && self.friction.acts() {
            let d = direction(&Vector2::new(y[X], y[X + 1]));
            let stretch = self.friction.slipping * self.normal(v, y).force / self.tangent.stiffness;
            y[X] = d.x * stretch;
            y[X + 1] = d.y * stretch;
        }
    }
}

fn direction(v: &Vector2<f64>) -> Vector2<f64> {
    v.try_normalize(0.0).unwrap_or_else(Vector2::zeros)
}

impl<E: Element> Model<LENGTH, 4> for Aligned<'_, E> {
    fn force(&self, v: &Vector3<f64>, y: &State, rates: &mut State) -> Vector3<f64> {
        let normal = self.normal(v, y);
        let (tangential, rate) = if self.sticks {
            (self.sticking(v, y), v.yz())
        } else if self.friction.acts() {
            let (force, rate, _) = self.slipping(v, y, &normal);
            (force, rate)
        } else {
            (Vector2::zeros(), Vector2::zeros())
        };
        rates[X] = rate.x;
        rates[X + 1] = rate.y;
        Vector3::new(normal.force, tangential.x, tangential.y)
    }

    fn limits(&self, v: &Vector3<f64>, y: &State) -> [f64; 4] {
        let normal = self.normal(v, y);
        let friction = if !self.friction.acts() {
            1.0
        } else if self.sticks {
            self.friction.sticking * normal.force - self.sticking(v, y).norm()
        } else {
            self.slipping(v, y, &normal).2
        };
        [0.0, normal.force, friction, self.element.limit(Header::compression(y))]
    }

    fn switch(&mut self, limit: usize, v: &Vector3<f64>, y: &mut State) -> Next {
        match limit {
            FORCE => return Next::Ends,
            FRICTION => {
                self.sticks = !self.sticks;
                self.put_on_cone(v, y);
            }
            ELEMENT => {
                self.element.switch();
                self.settle(v, y);
            }
            _ => {}
        }
        Next::GoesOn
    }

    fn turn(&mut self, parting: bool, v: &Vector3<f64>, y: &mut State) -> Next {
        self.element.turn(parting, Header::compression(y));
        if self.normal(v, y).force <= 0.0 {
            return Next::Ends;
        }
        self.settle(v, y);
        Next::GoesOn
    }

    fn motion(&self) -> Motion {
        match (self.friction.acts(), self.sticks) {
            (false, _) => Motion::Frictionless,
            (true, true) => Motion::Sticking,
            (true, false) => Motion::Slipping,
        }
    }

    fn slip(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        let mut rates = State::zeros();
        self.force(v, y, &mut rates);
        v.yz() - Vector2::new(rates[X], rates[X + 1])
    }
}
