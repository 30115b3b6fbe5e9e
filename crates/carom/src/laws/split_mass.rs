//! `split-mass`: part of the mass hits dead, the rest bounces on springs behind it.
//!
//! Chatterjee 1997, 8.1 (in one dimension Mindlin's model of packaging). The mass M is split into M_A = α M, behind a
//! spring K, and M_B = (1 − α) M at the contact; α = e. M_B has a collision without restitution; then
//!
//! ```text
//! M_A dV_A/dt = −f,   M_B dV_B/dt = f + R,   f = K d,   dd/dt = V_A − V_B,   V_Bn = 0
//! slip   R = N (1, −μ t),  t = V_Bt/|V_Bt|,  N = −(W f)_n/(W (1, −μ t))_n
//! stick  V_B = 0,  R = −f,  |R_t| ≤ μ R_n
//! ```
//!
//! until N = 0, and V after = α V_A + (1 − α) V_B. The springs lose nothing: all loss besides friction is in the first
//! collision. In one dimension e = m_A/(m_A + m_B). Homogeneous in V and M. If M is not diagonal and K not proportional to
//! it, the restitution without friction is not α.
//!
//! In space the state holds the angle φ of t while M_B slips: with a the tangential acceleration of M_B and s its slip,
//!
//! ```text
//! s dφ/dt = a·t',   t' = (−sin φ, cos φ)
//! ```
//!
//! which is stiff where s is small: where slip begins, s grows with the square of the time, and t is the direction of f_t.
//! Where a contact at rest cannot stick from the start, t is a direction in which its acceleration (or, if f = 0, the rate
//! of that) points.
//!
//! Cases the source is silent on: where slip would jam, (W (1, −μ t))_n ≤ 0, M_B has a tangential impact that stops it.
//! Where M_B lifts off while the bodies still approach, it flies free and has another dead collision when it returns.
//! α = 1 leaves no mass at the contact: the contact point then is massless on the same springs.

use super::compliant::{Aligned, Element, Friction, Header, Model, Next, Normal, Tangent, follow};
use super::{Routh, Termination, Whittaker};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, Course, Motion};
use crate::law::parameter::{FRICTION, Fallback, Kind, Parameter, RESTITUTION, STIFFNESS, STIFFNESS_RATIO};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::ode::Turning;
use crate::outcome::ContactOutcome;
use nalgebra::{SVector, Vector2, Vector3};
use std::f64::consts::TAU;

/// The split-mass model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitMass {
    /// α = e, the share of the mass behind the springs, 0 to 1.
    pub restitution: f64,
    /// Normal stiffness, N/m.
    pub stiffness: f64,
    /// Tangential over normal stiffness.
    pub stiffness_ratio: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// What the mass at the contact does when it hits.
    pub dead_collision: DeadCollision,
}

/// A law for the collision without restitution of the mass at the contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadCollision {
    /// Routh's process.
    Routh,
    /// Kane & Levinson's (Whittaker's) law; without restitution it never gains energy.
    Whittaker,
}

impl DeadCollision {
    fn impulse(self, collision: &Collision, friction: f64) -> Result<Vector3<f64>, Inapplicable> {
        Ok(match self {
            DeadCollision::Routh => {
                Routh { restitution: 0.0, friction, termination: Termination::Poisson }.follow(collision, None)?.impulse
            }
            DeadCollision::Whittaker => {
                let law = Whittaker { restitution: 0.0, static_friction: friction, kinetic_friction: friction };
                law.compute(collision)?.impulse
            }
        })
    }
}

/// Behind the header: the stretch d of the springs, the impulse J = ∫f dt they passed on, and in space the angle of the
/// slip.
const LENGTH: usize = Header::LENGTH + 7;
type State = SVector<f64, LENGTH>;
const STRETCH: usize = Header::LENGTH;
const PASSED: usize = Header::LENGTH + 3;
const ANGLE: usize = Header::LENGTH + 6;

const FORCE: usize = 1;
const FRICTION_LIMIT: usize = 2;

/// A slip below this fraction of the speed of approach has no direction of its own yet.
const STARTING: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Sticks,
    Slips,
    Apart,
}

struct Pair<'a> {
    law: SplitMass,
    collision: &'a Collision,
    phase: Phase,
    /// Direction of the slip as last seen.
    direction: Vector2<f64>,
    /// Whether the slip may turn.
    turns: bool,
    /// Whether a further dead collision had no answer.
    failed: bool,
}

impl Pair<'_> {
    fn spring_force(&self, y: &State) -> Vector3<f64> {
        let k = self.law.stiffness;
        let k_t = k * self.law.stiffness_ratio;
        Vector3::new(k * y[STRETCH], k_t * y[STRETCH + 1], k_t * y[STRETCH + 2])
    }

    /// The springs' force, or its rate where they are not stretched yet: that decides whether friction holds M_B.
    fn pull(&self, y: &State) -> Vector3<f64> {
        let force = self.spring_force(y);
        if force != Vector3::zeros() {
            return force;
        }
        let ((v_a, v_b), k) = (self.velocities(y), self.law.stiffness);
        let (rate, k_t) = (v_a - v_b, k * self.law.stiffness_ratio);
        Vector3::new(k * rate.x, k_t * rate.y, k_t * rate.z)
    }

    /// Velocities of M_A and M_B.
    fn velocities(&self, y: &State) -> (Vector3<f64>, Vector3<f64>) {
        let (passed, contact) = (Vector3::new(y[PASSED], y[PASSED + 1], y[PASSED + 2]), Vector3::new(y[0], y[1], y[2]));
        let (alpha, w, v) = (self.law.restitution, self.collision.inverse_mass(), self.collision.velocity());
        (v - w * passed / alpha, v + w * (passed + contact) / (1.0 - alpha))
    }

    fn slip_direction(&self, y: &State, v_b: &Vector3<f64>) -> Vector2<f64> {
        if self.turns {
            return unit(y[ANGLE]);
        }
        let slip = v_b.yz();
        if slip.norm() > STARTING * self.collision.velocity().norm() { slip.normalize() } else { self.direction }
    }

    /// (W (1, −μ t))_n: how fast the normal velocity grows with normal impulse while slipping along t.
    fn normal_rate(&self, t: &Vector2<f64>) -> f64 {
        let w = self.collision.inverse_mass();
        w[(0, 0)] - self.law.friction * (w[(0, 1)] * t.x + w[(0, 2)] * t.y)
    }

    fn reaction(&self, y: &State) -> Vector3<f64> {
        let f = self.spring_force(y);
        match self.phase {
            Phase::Apart => Vector3::zeros(),
            Phase::Sticks => -f,
            Phase::Slips => self.slipping_reaction(&f, &self.slip_direction(y, &self.velocities(y).1)),
        }
    }

    /// N (1, −μ t) that keeps M_B on the surface while it slips along t under the springs' force.
    fn slipping_reaction(&self, f: &Vector3<f64>, t: &Vector2<f64>) -> Vector3<f64> {
        let normal = -(self.collision.inverse_mass() * f).x / self.normal_rate(t);
        Vector3::new(normal, -self.law.friction * normal * t.x, -self.law.friction * normal * t.y)
    }

    /// How the direction of a slip of some speed turns under a force of the springs. The unit of force does not matter to the
    /// directions in which slip from rest begins.
    fn turning_under(&self, f: &Vector3<f64>, angle: f64, speed: f64) -> Turning {
        let (t, w, mu) = (unit(angle), self.collision.inverse_mass(), self.law.friction);
        let aside = Vector2::new(-t.y, t.x);
        let reaction = self.slipping_reaction(f, &t);
        let coupling = Vector2::new(w[(0, 1)], w[(0, 2)]);
        // ∂N/∂φ, and with it ∂R/∂φ.
        let growth = mu * coupling.dot(&aside) / self.normal_rate(&t);
        let change = reaction * growth - Vector3::new(0.0, aside.x, aside.y) * (mu * reaction.x);
        let (acceleration, by_angle) = ((w * (f + reaction)).yz(), (w * change).yz());
        let share = 1.0 - self.law.restitution;
        Turning {
            inertia: speed * share,
            drive: acceleration.dot(&aside),
            drive_by_angle: by_angle.dot(&aside) - acceleration.dot(&t),
        }
    }

    /// The direction in which M_B begins to slip from rest under a force that friction cannot hold: one in which it
    /// accelerates, and to which other directions turn. The bodies' force lies outside the cone, so there is one.
    fn starting_direction(&self, f: &Vector3<f64>) -> Option<Vector2<f64>> {
        const LOOKS: usize = 90;
        let drive = |angle: f64| self.turning_under(f, angle, 0.0).drive;
        let forwards = |angle: f64| {
            let t = unit(angle);
            let reaction = self.slipping_reaction(f, &t);
            reaction.x > 0.0 && (self.collision.inverse_mass() * (f + reaction)).yz().dot(&t) > 0.0
        };
        let at = |k: usize| TAU * k as f64 / LOOKS as f64;
        (0..LOOKS).find_map(|k| {
            let (mut low, mut high) = (at(k), at(k + 1));
            if !(drive(low) > 0.0 && drive(high) <= 0.0) {
                return None;
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if drive(middle) > 0.0 { low = middle } else { high = middle }
            }
            forwards(high).then(|| unit(high))
        })
    }

    /// M_B rests on the surface and cannot stick: it slips from here on.
    fn start_slip(&mut self, y: &mut State) {
        let pull = self.pull(y);
        let along = pull.yz().try_normalize(0.0).unwrap_or(self.direction);
        let direction = if self.turns { self.starting_direction(&pull) } else { None };
        self.slip(direction.unwrap_or(along), y);
    }

    /// M_B slips along t.
    fn slip(&mut self, t: Vector2<f64>, y: &mut State) {
        self.direction = t;
        self.phase = Phase::Slips;
        y[ANGLE] = t.y.atan2(t.x);
    }

    /// A dead collision of M_B as it moves now.
    fn hit(&mut self, y: &mut State) {
        let v_b = self.velocities(y).1;
        let w = self.collision.inverse_mass() / (1.0 - self.law.restitution);
        let approach = v_b.x.min(0.0);
        let impulse = Collision::new(&w, &Vector3::new(approach, v_b.y, v_b.z))
            .map_err(|_| Inapplicable::NoConvergence)
            .and_then(|collision| self.law.dead_collision.impulse(&collision, self.law.friction));
        match impulse {
            Ok(impulse) => {
                for i in 0..3 {
                    y[i] += impulse[i];
                }
            }
            Err(_) => self.failed = true,
        }
        self.settle(y);
    }

    /// Chooses between stick and slip for M_B on the surface.
    fn settle(&mut self, y: &mut State) {
        let slip = self.velocities(y).1.yz();
        if slip.norm() > STARTING * self.collision.velocity().norm() {
            self.slip(slip.normalize(), y);
            return;
        }
        let f = self.pull(y);
        if f.yz().norm() <= self.law.friction * -f.x {
            self.phase = Phase::Sticks;
        } else {
            self.start_slip(y);
        }
    }
}

fn unit(angle: f64) -> Vector2<f64> {
    let (sin, cos) = angle.sin_cos();
    Vector2::new(cos, sin)
}

impl Model<LENGTH, 4> for Pair<'_> {
    fn force(&self, _: &Vector3<f64>, y: &State, rates: &mut State) -> Vector3<f64> {
        let ((v_a, v_b), f) = (self.velocities(y), self.spring_force(y));
        for i in 0..3 {
            rates[STRETCH + i] = v_a[i] - v_b[i];
            rates[PASSED + i] = f[i];
        }
        self.reaction(y)
    }

    fn limits(&self, _: &Vector3<f64>, y: &State) -> [f64; 4] {
        let (f, v_b) = (self.spring_force(y), self.velocities(y).1);
        match self.phase {
            Phase::Apart => [0.0, self.gap(y), 1.0, 1.0],
            Phase::Sticks => [0.0, -f.x, self.law.friction * -f.x - f.yz().norm(), 1.0],
            Phase::Slips => {
                let t = self.slip_direction(y, &v_b);
                let pressed = -(self.collision.inverse_mass() * f).x;
                let along = if self.turns { &t } else { &self.direction };
                let slip = if self.law.friction > 0.0 { v_b.yz().dot(along) } else { 1.0 };
                [0.0, pressed, slip, self.normal_rate(&t)]
            }
        }
    }

    fn switch(&mut self, limit: usize, v: &Vector3<f64>, y: &mut State) -> Next {
        match (self.phase, limit) {
            (Phase::Apart, _) => self.hit(y),
            (_, FORCE) if v.x >= 0.0 => return Next::Ends,
            (_, FORCE) => self.phase = Phase::Apart,
            (Phase::Sticks, _) => {
                // On the cone slip starts along the force that friction held.
                let along = self.spring_force(y).yz().try_normalize(0.0);
                self.slip(along.unwrap_or(self.direction), y);
            }
            (Phase::Slips, FRICTION_LIMIT) => {
                let f = self.spring_force(y);
                if f.yz().norm() <= self.law.friction * -f.x {
                    self.phase = Phase::Sticks;
                } else {
                    self.start_slip(y);
                }
            }
            // Slip that jams.
            (Phase::Slips, _) => self.hit(y),
        }
        if self.failed { Next::Ends } else { Next::GoesOn }
    }

    fn motion(&self) -> Motion {
        match self.phase {
            Phase::Apart => Motion::Apart,
            _ if self.law.friction == 0.0 => Motion::Frictionless,
            Phase::Sticks => Motion::Sticking,
            Phase::Slips => Motion::Slipping,
        }
    }

    fn slip(&self, _: &Vector3<f64>, y: &State) -> Vector2<f64> {
        self.velocities(y).1.yz()
    }

    fn watch(&mut self, _: &Vector3<f64>, y: &State) {
        if self.phase == Phase::Slips {
            self.direction = self.slip_direction(y, &self.velocities(y).1);
        }
    }

    fn angle(&self) -> Option<usize> {
        (self.turns && self.phase == Phase::Slips).then_some(ANGLE)
    }

    fn turning(&self, _: &Vector3<f64>, y: &State) -> Turning {
        let speed = self.velocities(y).1.yz().dot(&unit(y[ANGLE]));
        self.turning_under(&self.spring_force(y), y[ANGLE], speed)
    }
}

impl Pair<'_> {
    /// Height of M_B above the surface: the bodies' displacement is α x_A + (1 − α) x_B, and d = x_A − x_B.
    fn gap(&self, y: &State) -> f64 {
        Header::displacement(y).x - self.law.restitution * y[STRETCH]
    }
}

/// The spring of α = 1.
#[derive(Clone, Copy)]
struct Spring(f64);

impl Element for Spring {
    fn normal(&self, compression: f64, _: f64) -> Normal {
        Normal { force: self.0 * compression, by_compression: self.0, by_rate: 0.0 }
    }
}

impl SplitMass {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(
            &[
                self.restitution,
                self.stiffness,
                self.stiffness_ratio,
                self.friction,
                if self.dead_collision == DeadCollision::Routh { 0.0 } else { 1.0 },
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
        let alpha = self.restitution;
        let first = self.dead_collision;
        if alpha == 0.0 {
            let impulse = first.impulse(collision, self.friction)?;
            let mut outcome = ContactOutcome::jump(collision, impulse, self.friction);
            // All of the mass hits at once, with a force beyond all bounds.
            outcome.course = Some(Course {
                clock: Clock::Time,
                duration: Some(0.0),
                peak_force: None,
                peak_indentation: None,
                evaluations: 0,
            });
            return Ok(outcome);
        }
        let time = (alpha / (self.stiffness * collision.inverse_mass()[(0, 0)])).sqrt();
        if alpha == 1.0 {
            let tangent = Tangent { stiffness: self.stiffness * self.stiffness_ratio, damping: 0.0 };
            let friction = Friction { sticking: self.friction, slipping: self.friction };
            return Aligned::new(collision, Spring(self.stiffness), tangent, friction, time).follow(history);
        }
        let at_contact = Collision::new(&(collision.inverse_mass() / (1.0 - alpha)), collision.velocity())
            .map_err(|_| Inapplicable::NoConvergence)?;
        let impulse = first.impulse(&at_contact, self.friction)?;
        let mut state = State::zeros();
        for i in 0..3 {
            state[i] = impulse[i];
        }
        state[3] = 0.5 * impulse.x * (collision.velocity().x + collision.velocity_after(&impulse).x);
        let mut pair = Pair {
            law: *self,
            collision,
            phase: Phase::Sticks,
            direction: Vector2::x(),
            turns: self.friction > 0.0 && collision.planar_section().is_none(),
            failed: false,
        };
        pair.settle(&mut state);
        let speed = collision.velocity().norm();
        let (distance, momentum) = (speed * time, impulse.norm());
        let scale = State::from_fn(|i, _| match i {
            _ if i < PASSED => distance,
            ANGLE => speed,
            _ => momentum,
        });
        let (outcome, left) = follow(collision, pair, state, (time, scale), self.friction, history)?;
        if left.failed { Err(Inapplicable::NoConvergence) } else { Ok(outcome) }
    }
}

const DEAD: Parameter = Parameter {
    key: "dead_collision",
    symbol: "",
    meaning: "law of the first collision, of the mass at the contact",
    kind: Kind::Choice(&["routh", "whittaker"]),
    fallback: Fallback::Value(0.0),
    leaves_plane: false,
};

pub(super) const LAW: Law = Law {
    id: "split-mass",
    name: "Split mass",
    source: "A. Chatterjee, Rigid Body Collisions, PhD thesis, Cornell, 1997, 8.1",
    summary: "The share 1 − e of the mass hits without restitution; the rest bounces on springs behind it.",
    equations: "M_A = e M, M_B = (1 − e) M; M_B has a collision without restitution, then\n\
                M_A dV_A/dt = −K d, M_B dV_B/dt = K d + R, dd/dt = V_A − V_B, V_Bn = 0\n\
                R = N (1, −μ t) while M_B slips along t; R = −K d, |R_t| ≤ μ R_n while it sticks\n\
                contact ends where N = 0; V after = e V_A + (1 − e) V_B",
    caveats: "Restitution without friction is e only if the mass is not coupled or the springs are proportional to it.",
    parameters: &[RESTITUTION, STIFFNESS, STIFFNESS_RATIO, FRICTION.finite(), DEAD],
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
        SplitMass {
            restitution: p[0],
            stiffness: p[1],
            stiffness_ratio: p[2],
            friction: p[3],
            dead_collision: if p[4] == 0.0 { DeadCollision::Routh } else { DeadCollision::Whittaker },
        }
        .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
