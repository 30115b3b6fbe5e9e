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
//! In space d follows the direction of V_t with the time constant r/|V_t|. Where that is far below the times in which
//! anything else changes (grazing contacts) the equation is stiff and its solution known: d lags behind V_t by the angle
//! ω r/|V_t|, ω the rate at which V_t turns, up to the square of the ratio of the times. At the end of contact r
//! vanishes and d has no limit in general; contact ends where the normal force is so small that what is left of it does not
//! count.
//!
//! An element whose force drops where compression turns leaves a range of forces for a contact at rest along the normal. A
//! contact that sticks, whose tangential spring presses the bodies together by a force within that range, rests so
//! until the force leaves it.
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
    /// The time the normal motion takes.
    time: f64,
    sticks: bool,
    /// The normal forces between which the bodies rest against each other.
    held: Option<(f64, f64)>,
    /// The normal force at which contact is over.
    end_force: f64,
    /// Direction of the slip in a plane, where it does not turn.
    direction: Option<Vector2<f64>>,
}

/// Time constants of the spring's direction below this fraction of other times are not followed: the lag that replaces
/// them errs by the square.
const FOLLOWED: f64 = 3e-5;
/// A change of the normal force by more than this fraction is a jump and no rounding.
const JUMP: f64 = 1e-9;
/// Fraction of the force of the collision at which contact in space ends: what is left of the impulse is its square.
const NEARLY_OVER: f64 = 1e-7;

/// Behind the header: the tangential deformation x_t.
const LENGTH: usize = Header::LENGTH + 2;
type State = SVector<f64, LENGTH>;
/// Where x_t stands.
const X: usize = Header::LENGTH;

const FORCE: usize = 1;
const FRICTION: usize = 2;
const ELEMENT: usize = 3;

impl<'a, E: Element> Aligned<'a, E> {
    /// The contact at first touch; `time` is the time the normal motion takes.
    pub(in crate::laws) fn new(
        collision: &'a Collision,
        element: E,
        tangent: Tangent,
        friction: Friction,
        time: f64,
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
        let turns = friction.acts() && tangent.damping == 0.0 && collision.planar_section().is_none();
        let end_force = if turns { NEARLY_OVER * -v.x / (collision.inverse_mass()[(0, 0)] * time) } else { 0.0 };
        let direction = if turns { None } else { Some(direction(&v.yz())) };
        Aligned {
            collision,
            element,
            tangent,
            friction,
            time,
            sticks: sticks && friction.acts(),
            held: None,
            end_force,
            direction,
        }
    }

    /// Follows the contact to its end.
    pub(in crate::laws) fn follow(self, history: Option<&mut History>) -> Result<Outcome, Inapplicable> {
        let time = self.time;
        let (collision, friction) = (self.collision, self.friction.sticking.max(self.friction.slipping));
        let distance = collision.velocity().norm() * time;
        let scale = State::from_fn(|i, _| if i < Header::LENGTH { 1.0 } else { distance });
        super::follow(collision, self, State::zeros(), (time, scale), friction, history).map(|(outcome, _)| outcome)
    }

    fn normal(&self, v: &Vector3<f64>, y: &State) -> Normal {
        if self.held.is_some() {
            return Normal { force: self.resting_force(v, y), by_compression: 0.0, by_rate: 0.0 };
        }
        self.element.normal(Header::compression(y), -v.x)
    }

    /// The normal force that keeps a sticking contact at rest along the normal.
    fn resting_force(&self, v: &Vector3<f64>, y: &State) -> f64 {
        let (w, pull) = (self.collision.inverse_mass(), self.sticking(v, y));
        -(w[(0, 1)] * pull.x + w[(0, 2)] * pull.y) / w[(0, 0)]
    }

    /// Force while slipping, rate of x_t, and slip speed along its direction.
    fn slipping(&self, v: &Vector3<f64>, y: &State, normal: &Normal) -> (Vector2<f64>, Vector2<f64>, f64) {
        let (x, v_t) = (Vector2::new(y[X], y[X + 1]), v.yz());
        let Tangent { stiffness, damping } = self.tangent;
        let limit = self.friction.slipping * normal.force;
        if damping > 0.0 {
            let pull = x * stiffness + v_t * damping;
            let size = pull.norm();
            let (force, ease) = (if size > 0.0 { pull * (-limit / size) } else { Vector2::zeros() }, damping.recip());
            return (force, (force + x * stiffness) * -ease, (size - limit) * ease);
        }
        let w = self.collision.inverse_mass();
        let stretch = limit / stiffness;
        let (d, turning) = match self.direction {
            Some(direction) => (direction, None),
            None => self.turning_direction(v, &x, normal, stretch),
        };
        let force = -d * limit;
        let acceleration = w[(0, 0)] * normal.force + w[(0, 1)] * force.x + w[(0, 2)] * force.y;
        let force_rate = -(normal.by_compression * v.x + normal.by_rate * acceleration);
        let stretch_rate = self.friction.slipping * force_rate / stiffness;
        let along = v_t.dot(&d);
        let aside = turning.map_or_else(|| v_t - d * along, |rate| Vector2::new(-d.y, d.x) * (rate * stretch));
        (force, d * stretch_rate + aside, along - stretch_rate)
    }

    /// Direction of x_t in space, and the rate at which it turns where it only lags behind V_t.
    fn turning_direction(
        &self,
        v: &Vector3<f64>,
        x: &Vector2<f64>,
        normal: &Normal,
        stretch: f64,
    ) -> (Vector2<f64>, Option<f64>) {
        let (v_t, limit) = (v.yz(), self.friction.slipping * normal.force);
        let speed = v_t.norm();
        // Beyond the end of contact, where a step may look, the stretch is negative and x_t points the other way.
        let pace = stretch.abs() / self.time
            + self.friction.slipping * (normal.by_compression * v.x).abs() / self.tangent.stiffness;
        if pace >= FOLLOWED * speed {
            return (x.try_normalize(0.0).unwrap_or_else(|| direction(&v_t)), None);
        }
        let backwards = x.dot(&v_t) * stretch < 0.0;
        let along = v_t / if backwards { -speed } else { speed };
        let force = Vector3::new(normal.force, -along.x * limit, -along.y * limit);
        let turning = along.perp(&(self.collision.inverse_mass() * force).yz()) / speed;
        let lag = turning * stretch / speed;
        ((along - Vector2::new(-along.y, along.x) * lag).normalize(), Some(turning))
    }

    fn sticking(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        -(Vector2::new(y[X], y[X + 1]) * self.tangent.stiffness + v.yz() * self.tangent.damping)
    }

    /// Makes the friction fit a normal force that has jumped.
    fn settle(&mut self, before: f64, v: &Vector3<f64>, y: &mut State) {
        let now = self.normal(v, y).force;
        if self.friction.acts() && (now - before).abs() > JUMP * before {
            self.sticks = self.sticking(v, y).norm() <= self.friction.sticking * now;
            self.put_on_cone(v, y);
        }
    }

    /// An undamped spring that slips holds just what friction can: the massless point jumps there.
    fn put_on_cone(&mut self, v: &Vector3<f64>, y: &mut State) {
        if !self.sticks && self.tangent.damping == 0.0 && self.friction.acts() {
            let d = direction(&Vector2::new(y[X], y[X + 1]));
            self.direction = self.direction.map(|_| d);
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
        if let Some((least, greatest)) = self.held {
            return [0.0, normal.force - least, friction, greatest - normal.force];
        }
        let left = if v.x > 0.0 { self.end_force } else { 0.0 };
        [0.0, normal.force - left, friction, self.element.limit(Header::compression(y))]
    }

    fn switch(&mut self, limit: usize, v: &Vector3<f64>, y: &mut State) -> Next {
        match (limit, self.held.take()) {
            // From rest along the normal: the force falls to where the element unloads, or rises to where it loads.
            (FORCE, Some(_)) => {}
            (ELEMENT, Some(_)) => self.element.switch(),
            (FRICTION, _) => {
                self.sticks = !self.sticks;
                if v.x > 0.0 && self.normal(v, y).force <= self.end_force {
                    return Next::Ends;
                }
                self.put_on_cone(v, y);
            }
            (ELEMENT, None) => {
                let before = self.normal(v, y).force;
                self.element.switch();
                self.settle(before, v, y);
            }
            _ => return Next::Ends,
        }
        Next::GoesOn
    }

    fn turn(&mut self, parting: bool, v: &Vector3<f64>, y: &mut State) -> Next {
        let before = self.normal(v, y).force;
        self.element.turn(parting, Header::compression(y));
        let after = self.normal(v, y).force;
        if after <= 0.0 {
            return Next::Ends;
        }
        self.settle(before, v, y);
        let resting = self.resting_force(v, y);
        if self.sticks && after < resting && resting < before {
            self.held = Some((after, before));
        }
        Next::GoesOn
    }

    fn holds(&self) -> bool {
        self.held.is_some()
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
