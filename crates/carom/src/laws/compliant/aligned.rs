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
//! In space the state holds the angle φ of d instead of x_t while the contact slips without a dashpot:
//!
//! ```text
//! r dφ/dt = V_t·d',   d' = (−sin φ, cos φ)
//! ```
//!
//! so that d follows the direction of V_t with the time constant r/|V_t|. That is stiff in grazing contacts, and wherever N
//! is small: at first touch, where r = 0 and d is the direction of V_t, and at the end. At the end d need not be smooth;
//! contact ends where the normal force is so small that the rest of its impulse does not count.
//!
//! An element whose force drops where compression turns leaves a range of forces for a contact at rest along the normal. A
//! contact that sticks, whose tangential spring presses the bodies together by a force within that range, rests so
//! until the force leaves it.
//!
//! N does not depend on u, so there is one answer at every instant (8.5.2). If the static friction is the larger, the
//! massless point jumps where it breaks loose.

use super::follow::{Header, Model, Next};
use crate::collision::Collision;
use crate::course::{ContactHistory, Motion};
use crate::law::Inapplicable;
use crate::laws::compliant::branches::Friction;
use crate::ode::Turning;
use crate::outcome::ContactOutcome;
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
    /// Falls to zero where contact ends, N.
    fn left(&self, _compression: f64, force: f64) -> f64 {
        force
    }
    /// How long the bodies still touch without a force that counts when they part at this speed (m/s) from this
    /// compression (m), s.
    fn tail(&self, _compression: f64, _speed: f64) -> f64 {
        0.0
    }
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

/// A change of the normal force by more than this fraction is a jump and no rounding.
const JUMP: f64 = 1e-9;
/// Fraction of the force of the collision at which contact in space ends: what is left of the impulse is its square.
const NEARLY_OVER: f64 = 1e-7;

/// Behind the header: the tangential deformation x_t, or the angle of its direction and a number that is not used.
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
            // Both forces start at zero: the one that grows faster wins. The normal force may grow beyond all bounds.
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
    pub(in crate::laws) fn follow(self, history: Option<&mut ContactHistory>) -> Result<ContactOutcome, Inapplicable> {
        let time = self.time;
        let (collision, friction) = (self.collision, self.friction.sticking.max(self.friction.slipping));
        let distance = collision.velocity().norm() * time;
        let scale = State::from_fn(|i, _| if i < Header::LENGTH { 1.0 } else { distance });
        let mut state = State::zeros();
        if self.turns() {
            state[X] = angle(&collision.velocity().yz());
        }
        super::follow(collision, self, state, (time, scale), friction, history).map(|(outcome, _)| outcome)
    }

    /// Whether the contact slips and the slip may turn: then the state holds its angle.
    fn turns(&self) -> bool {
        !self.sticks && self.direction.is_none()
    }

    /// How far the tangential spring is stretched while it slips.
    fn stretch(&self, normal: &Normal) -> f64 {
        self.friction.slipping * normal.force / self.tangent.stiffness
    }

    /// The tangential deformation x_t.
    fn deformation(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        if self.turns() {
            return unit(y[X]) * self.stretch(&self.normal(v, y));
        }
        Vector2::new(y[X], y[X + 1])
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

    /// What the contact does while it slips.
    fn slipping(&self, v: &Vector3<f64>, y: &State, normal: &Normal) -> Slipping {
        let v_t = v.yz();
        let Tangent { stiffness, damping } = self.tangent;
        let limit = self.friction.slipping * normal.force;
        if damping > 0.0 {
            let x = Vector2::new(y[X], y[X + 1]);
            let pull = x * stiffness + v_t * damping;
            let size = pull.norm();
            let (force, ease) = (if size > 0.0 { pull * (-limit / size) } else { Vector2::zeros() }, damping.recip());
            return Slipping { force, rate: (force + x * stiffness) * -ease, speed: (size - limit) * ease };
        }
        let w = self.collision.inverse_mass();
        let d = self.direction.unwrap_or_else(|| unit(y[X]));
        let force = -d * limit;
        let acceleration = w[(0, 0)] * normal.force + w[(0, 1)] * force.x + w[(0, 2)] * force.y;
        let force_rate = -(normal.by_compression * v.x + normal.by_rate * acceleration);
        let stretch_rate = self.friction.slipping * force_rate / stiffness;
        let along = v_t.dot(&d);
        Slipping { force, rate: d * stretch_rate + (v_t - d * along), speed: along - stretch_rate }
    }

    fn sticking(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        -(self.deformation(v, y) * self.tangent.stiffness + v.yz() * self.tangent.damping)
    }

    /// Makes the friction fit a normal force that has jumped from `before`, where the deformation was x.
    fn settle(&mut self, before: f64, x: &Vector2<f64>, v: &Vector3<f64>, y: &mut State) {
        let now = self.normal(v, y).force;
        if self.friction.acts() && (now - before).abs() > JUMP * before {
            let pull = x * self.tangent.stiffness + v.yz() * self.tangent.damping;
            self.sticks = pull.norm() <= self.friction.sticking * now;
            self.place(x, v, y);
        }
    }

    /// Puts the tangential deformation into the state of the present mode. An undamped spring that slips holds just what
    /// friction can: the massless point jumps there.
    fn place(&mut self, x: &Vector2<f64>, v: &Vector3<f64>, y: &mut State) {
        let mut x = *x;
        if !self.sticks && self.tangent.damping == 0.0 {
            let d = if x == Vector2::zeros() { direction(&v.yz()) } else { direction(&x) };
            if self.turns() {
                (y[X], y[X + 1]) = (angle(&d), 0.0);
                return;
            }
            self.direction = Some(d);
            x = d * self.stretch(&self.normal(v, y));
        }
        (y[X], y[X + 1]) = (x.x, x.y);
    }
}

/// What a slipping contact does.
struct Slipping {
    force: Vector2<f64>,
    /// Rate of x_t.
    rate: Vector2<f64>,
    /// Speed of the slip along its direction.
    speed: f64,
}

fn unit(angle: f64) -> Vector2<f64> {
    let (sin, cos) = angle.sin_cos();
    Vector2::new(cos, sin)
}

fn angle(v: &Vector2<f64>) -> f64 {
    v.y.atan2(v.x)
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
            let slipping = self.slipping(v, y, &normal);
            (slipping.force, if self.turns() { Vector2::zeros() } else { slipping.rate })
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
            self.slipping(v, y, &normal).speed
        };
        if let Some((least, greatest)) = self.held {
            return [0.0, normal.force - least, friction, greatest - normal.force];
        }
        let compression = Header::compression(y);
        let left = if v.x > 0.0 { self.end_force } else { 0.0 };
        [0.0, self.element.left(compression, normal.force) - left, friction, self.element.limit(compression)]
    }

    fn switch(&mut self, limit: usize, v: &Vector3<f64>, y: &mut State) -> Next {
        match (limit, self.held.take()) {
            // From rest along the normal: the force falls to where the element unloads, or rises to where it loads.
            (FORCE, Some(_)) => {}
            (ELEMENT, Some(_)) => self.element.switch(),
            (FRICTION, _) => {
                let x = self.deformation(v, y);
                self.sticks = !self.sticks;
                let left = self.element.left(Header::compression(y), self.normal(v, y).force);
                if v.x > 0.0 && left <= self.end_force {
                    return Next::Ends;
                }
                self.place(&x, v, y);
            }
            (ELEMENT, None) => {
                let (before, x) = (self.normal(v, y).force, self.deformation(v, y));
                self.element.switch();
                self.settle(before, &x, v, y);
            }
            _ => return Next::Ends,
        }
        Next::GoesOn
    }

    fn turn(&mut self, parting: bool, v: &Vector3<f64>, y: &mut State) -> Next {
        let (before, x) = (self.normal(v, y).force, self.deformation(v, y));
        self.element.turn(parting, Header::compression(y));
        let after = self.normal(v, y).force;
        if after <= 0.0 {
            return Next::Ends;
        }
        self.settle(before, &x, v, y);
        let resting = self.resting_force(v, y);
        if self.sticks && after < resting && resting < before {
            self.held = Some((after, before));
        }
        Next::GoesOn
    }

    fn holds(&self) -> bool {
        self.held.is_some()
    }

    fn tail(&self, v: &Vector3<f64>, y: &State) -> f64 {
        self.element.tail(Header::compression(y), v.x)
    }

    fn motion(&self) -> Motion {
        match (self.friction.acts(), self.sticks) {
            (false, _) => Motion::Frictionless,
            (true, true) => Motion::Sticking,
            (true, false) => Motion::Slipping,
        }
    }

    fn slip(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        if self.sticks {
            return Vector2::zeros();
        }
        if !self.friction.acts() {
            return v.yz();
        }
        v.yz() - self.slipping(v, y, &self.normal(v, y)).rate
    }

    fn angle(&self) -> Option<usize> {
        self.turns().then_some(X)
    }

    fn turning(&self, v: &Vector3<f64>, y: &State) -> Turning {
        let (d, v_t) = (unit(y[X]), v.yz());
        Turning { inertia: self.stretch(&self.normal(v, y)), drive: d.perp(&v_t), drive_by_angle: -d.dot(&v_t) }
    }
}
