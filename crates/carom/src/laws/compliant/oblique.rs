//! Elements along directions of their own, K = Σ k_i d_i d_iᵀ and C = Σ c_i d_i d_iᵀ: normal and tangential force are coupled
//! (Chatterjee 1997, 8.5).
//!
//! ```text
//! F = −(K x + C dx/dt),   dx/dt = V − (0, u)
//! ```
//!
//! With dashpots the slip u follows from the forces at the instant (`branches.rs`); without, from keeping the force on
//! the cone: with d = −F_t/|F_t|,
//!
//! ```text
//! u = λ d,   λ = (d·(K V)_t + μ (K V)_n)/(d·K_tt d + μ K_nt·d)
//! ```
//!
//! and at first touch, where both forces vanish, their rates obey the problem of `branches.rs` with K for C. The point may
//! lift off while the bodies still approach: its element then relaxes without force, C dx/dt = −K x, until it touches
//! again. Contact is over when V_n > 0 and the bodies are farther apart than the relaxing element can ever reach,
//! √((K⁻¹)_nn xᵀK x), since xᵀK x only falls.

use super::branches::{Branches, Friction, Slip, ambiguity};
use super::follow::{Header, Model, Next};
use crate::collision::Collision;
use crate::course::{ContactHistory, Motion};
use crate::law::Inapplicable;
use crate::outcome::{ContactNote, ContactOutcome};
use nalgebra::{Matrix3, SVector, Vector2, Vector3};

/// Behind the header: the deformation x.
const LENGTH: usize = Header::LENGTH + 3;
type State = SVector<f64, LENGTH>;
/// Where x stands.
const X: usize = Header::LENGTH;

const FORCE: usize = 1;
const FRICTION: usize = 2;

/// A slip slower than this fraction of the speeds is the end of the branch that the contact sticks on.
const AT_ONCE: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Sticks,
    Slips,
    Apart,
}

/// A contact whose stiffness and damping are any symmetric positive definite matrices, or without damping.
pub(in crate::laws) struct Oblique<'a> {
    collision: &'a Collision,
    stiffness: Matrix3<f64>,
    damping: Matrix3<f64>,
    relaxation: Option<Matrix3<f64>>,
    /// (K⁻¹)_nn.
    softness: f64,
    friction: Friction,
    mode: Mode,
    /// Direction of the slip, as last seen.
    direction: Vector2<f64>,
    /// How far below uniqueness the problem is: 1 or more is not.
    ambiguity: f64,
    /// The most ways to go on that were met.
    ways: usize,
}

impl<'a> Oblique<'a> {
    /// The contact at first touch.
    pub(in crate::laws) fn new(
        collision: &'a Collision,
        stiffness: Matrix3<f64>,
        damping: Matrix3<f64>,
        friction: Friction,
    ) -> Oblique<'a> {
        let damped = damping[(0, 0)] > 0.0;
        let relaxation = if damped { damping.cholesky().map(|factor| factor.solve(&stiffness)) } else { None };
        let resistance = if damped { &damping } else { &stiffness };
        let plane = collision.planar_section().map(|section| section.tangent);
        let mut contact = Oblique {
            collision,
            stiffness,
            damping,
            relaxation,
            softness: stiffness.cholesky().map_or(0.0, |factor| factor.inverse()[(0, 0)]),
            friction,
            mode: Mode::Sticks,
            direction: Vector2::x(),
            ambiguity: ambiguity(resistance, friction.slipping.max(friction.sticking), plane.as_ref()),
            ways: 1,
        };
        contact.decide(collision.velocity(), &State::zeros());
        contact
    }

    /// Follows the contact; `time` is the time its motion takes.
    pub(in crate::laws) fn follow(
        self,
        time: f64,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if self.relaxation.is_none() && self.ambiguity >= 1.0 {
            return Err(Inapplicable::Undetermined { ratio: self.ambiguity });
        }
        let (collision, friction) = (self.collision, self.friction.sticking.max(self.friction.slipping));
        let distance = collision.velocity().norm() * time;
        let scale = State::from_fn(|i, _| if i < Header::LENGTH { 1.0 } else { distance });
        let (outcome, left) = super::follow(collision, self, State::zeros(), (time, scale), friction, history)?;
        Ok(if left.ambiguity < 1.0 {
            outcome
        } else {
            outcome.with_note(ContactNote::AmbiguousContact { ratio: left.ambiguity, ways: left.ways })
        })
    }

    fn branches(&self, v: &Vector3<f64>, y: &State) -> Branches<'_> {
        let x = deformation(y);
        if self.relaxation.is_some() {
            let at_rest = -(self.stiffness * x + self.damping * v);
            Branches { at_rest, resistance: &self.damping, friction: self.friction }
        } else {
            // At first touch the forces vanish, and their rates decide.
            Branches { at_rest: -(self.stiffness * v), resistance: &self.stiffness, friction: self.friction }
        }
    }

    /// Chooses how the contact goes on: it rests if it can, else slips as slowly as it can, else lifts off.
    fn decide(&mut self, v: &Vector3<f64>, y: &State) {
        if !self.friction.acts() {
            self.mode = Mode::Slips;
            return;
        }
        let branches = self.branches(v, y);
        let (sticks, (slip, _), ways) = (branches.sticks(), branches.slips(), branches.count());
        self.ways = self.ways.max(ways);
        self.mode = match slip {
            _ if sticks => Mode::Sticks,
            Some(slip) => {
                self.direction = slip.direction;
                Mode::Slips
            }
            None => Mode::Apart,
        };
    }

    /// The slip of the present mode, whatever its sign.
    fn slipping(&self, v: &Vector3<f64>, y: &State) -> Slip {
        let force = -(self.stiffness * deformation(y));
        if !self.friction.acts() {
            return self.gliding(v, y);
        }
        if self.relaxation.is_some() || force == Vector3::zeros() {
            return self.branches(v, y).slip_near(&self.direction);
        }
        let d = (-force.yz()).try_normalize(0.0).unwrap_or(self.direction);
        let mu = self.friction.slipping;
        let pull = self.stiffness * v;
        let along = self.stiffness * Vector3::new(0.0, d.x, d.y);
        let resistance = d.dot(&along.yz()) + mu * along.x;
        let speed = (d.dot(&pull.yz()) + mu * pull.x) / resistance;
        Slip { direction: d, speed, force: Vector3::new(force.x, -mu * force.x * d.x, -mu * force.x * d.y) }
    }

    /// The slip that leaves no tangential force.
    fn gliding(&self, v: &Vector3<f64>, y: &State) -> Slip {
        let branches = self.branches(v, y);
        let tangential = branches.resistance.fixed_view::<2, 2>(1, 1).into_owned();
        let u = tangential.cholesky().map_or_else(Vector2::zeros, |factor| -factor.solve(&branches.at_rest.yz()));
        let normal = if self.relaxation.is_some() {
            branches.at_rest.x + branches.resistance.fixed_view::<2, 1>(1, 0).dot(&u)
        } else {
            -(self.stiffness * deformation(y)).x
        };
        let speed = u.norm();
        let direction = u.try_normalize(0.0).unwrap_or(self.direction);
        Slip { direction, speed, force: Vector3::new(normal, 0.0, 0.0) }
    }

    fn resting_force(&self, v: &Vector3<f64>, y: &State) -> Vector3<f64> {
        -(self.stiffness * deformation(y) + self.damping * v)
    }

    fn relaxing(&self, y: &State) -> Vector3<f64> {
        self.relaxation.map_or_else(Vector3::zeros, |rate| -(rate * deformation(y)))
    }

    /// Distance of the point from the surface while apart.
    fn gap(y: &State) -> f64 {
        y[4] - y[X]
    }

    /// How much the relaxing element may still reach beyond the bodies' distance.
    fn reach(&self, y: &State) -> f64 {
        let x = deformation(y);
        (self.softness * x.dot(&(self.stiffness * x))).sqrt() - y[4]
    }

    fn leave(&mut self, v: &Vector3<f64>, y: &mut State) -> Next {
        if self.relaxation.is_none() {
            for i in 0..3 {
                y[X + i] = 0.0;
            }
        }
        if v.x > 0.0 && self.reach(y) <= 0.0 {
            return Next::Ends;
        }
        self.mode = Mode::Apart;
        Next::GoesOn
    }
}

fn deformation(y: &State) -> Vector3<f64> {
    Vector3::new(y[X], y[X + 1], y[X + 2])
}

impl Model<LENGTH, 3> for Oblique<'_> {
    fn force(&self, v: &Vector3<f64>, y: &State, rates: &mut State) -> Vector3<f64> {
        let (force, rate) = match self.mode {
            Mode::Sticks => (self.resting_force(v, y), *v),
            Mode::Slips => {
                let slip = self.slipping(v, y);
                let u = slip.direction * slip.speed;
                (slip.force, v - Vector3::new(0.0, u.x, u.y))
            }
            Mode::Apart => (Vector3::zeros(), self.relaxing(y)),
        };
        for i in 0..3 {
            rates[X + i] = rate[i];
        }
        force
    }

    fn limits(&self, v: &Vector3<f64>, y: &State) -> [f64; 3] {
        match self.mode {
            Mode::Sticks => {
                let force = self.resting_force(v, y);
                [0.0, force.x, self.friction.sticking * force.x - force.yz().norm()]
            }
            Mode::Slips => {
                let slip = self.slipping(v, y);
                [0.0, slip.force.x, if self.friction.acts() { slip.speed } else { 1.0 }]
            }
            Mode::Apart => [0.0, Self::gap(y), if v.x > 0.0 { self.reach(y) } else { 1.0 }],
        }
    }

    fn switch(&mut self, limit: usize, v: &Vector3<f64>, y: &mut State) -> Next {
        match (self.mode, limit) {
            (Mode::Apart, FRICTION) => return Next::Ends,
            (Mode::Apart, _) => {
                // Back on the surface: the point has not moved along the normal since.
                y[X] = y[4];
                self.decide(v, y);
            }
            (_, FORCE) => return self.leave(v, y),
            (Mode::Sticks, _) => {
                let d = (-self.resting_force(v, y).yz()).try_normalize(0.0).unwrap_or(self.direction);
                let branches = self.branches(v, y);
                // Where slip in this direction meets resistance it starts slowly; elsewhere the contact jumps to
                // another branch, or off.
                let starts = if branches.resistance_to(&d) > 0.0 {
                    Some(d)
                } else {
                    branches.slips().0.filter(|slip| slip.speed > AT_ONCE * v.norm()).map(|slip| slip.direction)
                };
                match starts {
                    Some(direction) => (self.direction, self.mode) = (direction, Mode::Slips),
                    None => return self.leave(v, y),
                }
            }
            (Mode::Slips, _) => self.mode = Mode::Sticks,
        }
        Next::GoesOn
    }

    fn motion(&self) -> Motion {
        match self.mode {
            Mode::Apart => Motion::Apart,
            _ if !self.friction.acts() => Motion::Frictionless,
            Mode::Sticks => Motion::Sticking,
            Mode::Slips => Motion::Slipping,
        }
    }

    fn slip(&self, v: &Vector3<f64>, y: &State) -> Vector2<f64> {
        let mut rates = State::zeros();
        self.force(v, y, &mut rates);
        v.yz() - Vector2::new(rates[X + 1], rates[X + 2])
    }

    fn watch(&mut self, v: &Vector3<f64>, y: &State) {
        if self.mode == Mode::Slips {
            self.direction = self.slipping(v, y).direction;
        }
        if self.ambiguity >= 1.0 && self.mode != Mode::Apart && self.relaxation.is_some() {
            self.ways = self.ways.max(self.branches(v, y).count());
        }
    }
}
