//! The bed of springs without any grid, for collisions that stay in a plane.
//!
//! In the units of `scaled.rs`, with ξ = x² and z the place where a spring stands on the other body, s = u − z:
//!
//! ```text
//! |u − z(ξ)| ≤ λ (d − ξ)   means   u − λ d + λ ξ ≤ z(ξ) ≤ u + λ d − λ ξ
//! ```
//!
//! Springs put down at the edge while the bodies press on and the edge holds, |u'| < λ d', make z a curve of slope u'/d';
//! those that slip lie on a line of slope ±λ through the edge (d, u). So z is never steeper than λ, and the line leaves it at
//! one border ξ = c: the springs beyond slip, all at the same velocity u' ∓ λ d', those within hold. From that
//!
//! ```text
//! dF_t = −2κ [√c du ± λ (√d − √c) dd]
//! ```
//!
//! with c = d while nothing slips, and F_t = ∓μ F_n when c has come to 0. What the bed does changes where
//!
//! - the edge that held begins to slip, |u'| = λ d'; while the bodies part it always slips;
//! - slip stops, ±u' = λ d': all springs hold, and the line becomes part of the curve. If the bodies part, the edge slips the
//!   other way at once;
//! - the border meets a corner of the curve: the end of a line of former slip. A line of the same slope slips on all at once;
//! - the edge comes in faster than the border and overtakes it: then it slips the other way.
//!
//! The clock is dt = a ds with a = √d, in which the beginning and the end of the contact are as smooth as the rest. Towards
//! a corner or the middle the border moves like a root of the time left. While springs slip the clock is dt = a β ds instead,
//! where β² is how far the line still leads the corner, in which that is smooth as well: β' = −½ a (V_n ± V_t/λ).

use super::log::{Instant, Log};
use super::look::Look;
use super::memory::{Border, Jet, Memory};
use super::scaled::{Pose, Scaled};
use crate::course::Motion;
use crate::law::Inapplicable;
use crate::ode::{Integrator, Stuck, System};
use nalgebra::{SVector, Vector2, Vector3};

/// a, u, P_n, P_t, F_t, t, β.
type State = SVector<f64, 7>;

/// Error of a step, relative to the sizes of the collision. The velocities after then err by less than 1e-9 of the fastest,
/// unless the bodies swing dozens of times on the contact.
const TOLERANCE: f64 = 1e-11;
/// What a first look finds to be nothing may be this much of the rest.
const SOMETHING: f64 = 1e-6;
/// First step times the fastest angular frequency.
const FIRST_STEP: f64 = 0.02;
/// Places of a step at which springs are written down.
const FEET: usize = 2;
/// Samples of a history from each step.
const SAMPLES: usize = 8;
/// A slip zone narrower than minus this part of the indentation is no rounding: the edge has overtaken the border.
const OVERTAKEN: f64 = 1e-12;
/// Far more steps than any collision takes.
const MOST_STEPS: usize = 20_000;

/// Follows the collision, whose sizes a first look has told.
pub(super) fn follow(scaled: &Scaled, look: &Look, log: &mut Log) -> Result<Instant, Inapplicable> {
    let radius = look.depth.sqrt();
    let mut contact = Contact::new(scaled, radius);
    let scale = State::from([
        radius,
        look.shift.max(SOMETHING * look.depth),
        look.impulse.x,
        look.impulse.y.max(SOMETHING * look.impulse.x),
        look.force.max(SOMETHING * radius.powi(3)),
        look.time,
        radius,
    ]);
    let first = FIRST_STEP / (scaled.frequency(look.depth) * radius);
    let mut solution = Integrator::new(State::zeros(), scale, TOLERANCE, first);
    log.enter(&contact.instant(&solution.y));
    for _ in 0..MOST_STEPS {
        let (start, from) = (solution.t, solution.y[0]);
        let event = solution.advance(&contact).map_err(|Stuck| Inapplicable::NoConvergence)?;
        if event == Some(END) {
            solution.y[0] = 0.0;
        }
        log.worked(potential(from) - potential(solution.y[0]));
        log.evaluations = solution.evaluations;
        if log.is_watched() {
            solution.trace(SAMPLES).for_each(|(_, y)| log.record(&contact.instant(&y)));
        }
        log.note(&contact.instant(&solution.y));
        contact.remember(start, &solution);
        match event {
            None => {}
            Some(END) => return Ok(contact.instant(&solution.y)),
            Some(TURN) => {
                if contact.approaching {
                    log.compressed(Vector3::new(solution.y[2], solution.y[3], 0.0));
                }
                contact.approaching = !contact.approaching;
            }
            Some(event) => {
                contact.change(event, &mut solution.y);
                log.enter(&contact.instant(&solution.y));
            }
        }
    }
    Err(Inapplicable::NoConvergence)
}

/// Energy of the normal springs, 8/15 d^{5/2}.
fn potential(radius: f64) -> f64 {
    8.0 / 15.0 * radius.powi(5)
}

/// What the bed does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    /// No spring slips, and new ones are put down.
    Holding,
    /// The springs beyond the border slip, in the direction of this sign.
    Yielding(f64),
    /// All springs slip.
    Sliding(f64),
}

/// The edge begins to slip forwards, or the slip stops.
const FORWARD: usize = 0;
/// The edge begins to slip backwards, or it overtakes the border.
const BACKWARD: usize = 1;
/// The border meets a corner.
const CORNER: usize = 2;
/// The approach ends, or begins again.
const TURN: usize = 3;
/// The bodies part.
const END: usize = 4;

struct Contact<'a> {
    scaled: &'a Scaled,
    /// λ.
    limit: f64,
    /// About the greatest radius of the contact.
    radius: f64,
    memory: Memory,
    doing: Doing,
    approaching: bool,
}

impl<'a> Contact<'a> {
    fn new(scaled: &'a Scaled, radius: f64) -> Contact<'a> {
        let (limit, slip) = (scaled.limit(), scaled.v.y);
        let doing = if slip.abs() < limit { Doing::Holding } else { Doing::Sliding(slip.signum()) };
        // The first spring is put down at the origin: d' = 0 = u' and d'' = 1/2, u'' = V_t/2 on the clock.
        let jet = Jet { bend: Vector2::new(0.5, 0.5 * slip), ..Jet::default() };
        Contact { scaled, limit, radius, memory: Memory::new(jet), doing, approaching: true }
    }

    /// V_n and V_t.
    fn velocity(&self, y: &State) -> (f64, f64) {
        let velocity = self.scaled.velocity(&Vector3::new(y[2], y[3], 0.0));
        (velocity.x, velocity.y)
    }

    fn force(&self, y: &State) -> Vector3<f64> {
        let normal = 4.0 / 3.0 * y[0].powi(3);
        let tangential = match self.doing {
            Doing::Sliding(sign) => -sign * self.scaled.friction * normal,
            _ => y[4],
        };
        Vector3::new(normal, tangential, 0.0)
    }

    /// The spring at the edge, with its derivatives along the clock dt = a ds.
    fn jet(&self, y: &State) -> Jet {
        let a = y[0];
        let (normal, tangential) = self.velocity(y);
        let push = self.scaled.w * self.force(y) * a;
        let a_rate = -0.5 * normal;
        Jet {
            place: Vector2::new(a * a, y[1]),
            rate: Vector2::new(2.0 * a * a_rate, tangential * a),
            bend: Vector2::new(2.0 * a_rate * a_rate - a * push.x, push.y * a + tangential * a_rate),
        }
    }

    fn border(&self, sign: f64, y: &State) -> Border {
        self.memory.border(sign, self.limit, y[6] * y[6])
    }

    /// Writes down what the last step, from a state of the clock on, did to the springs.
    fn remember(&mut self, mut start: f64, solution: &Integrator<State>) {
        match self.doing {
            Doing::Holding => {
                for (clock, y) in solution.trace(FEET) {
                    self.memory.put(clock - start, self.jet(&y));
                    start = clock;
                }
            }
            Doing::Yielding(sign) => self.memory.pass(&self.border(sign, &solution.y)),
            Doing::Sliding(_) => {}
        }
    }

    /// Slip of this sign comes in from the edge.
    fn yielding(&self, sign: f64, y: &mut State) -> Doing {
        if self.memory.is_empty() {
            return Doing::Sliding(sign);
        }
        let corner = self.memory.corner();
        let lead = sign * (corner.y - y[1]) / self.limit + (y[0] * y[0] - corner.x);
        y[6] = lead.max(0.0).sqrt();
        Doing::Yielding(sign)
    }

    /// What the bed does after an event.
    fn change(&mut self, event: usize, y: &mut State) {
        self.doing = match (self.doing, event) {
            (Doing::Holding, FORWARD) => self.yielding(1.0, y),
            (Doing::Holding, _) => self.yielding(-1.0, y),
            (Doing::Yielding(sign), BACKWARD) => {
                self.memory.shorten(&self.border(sign, y), -sign);
                self.yielding(-sign, y)
            }
            (Doing::Yielding(sign), CORNER) => {
                self.memory.forget(sign);
                self.yielding(sign, y)
            }
            (Doing::Yielding(sign) | Doing::Sliding(sign), _) => {
                y[4] = self.force(y).y;
                if let Doing::Sliding(_) = self.doing {
                    self.memory.restart(y[1] - sign * self.limit * y[0] * y[0]);
                }
                self.memory.draw(sign, &self.border(sign, y), self.jet(y));
                if self.velocity(y).0 < 0.0 { Doing::Holding } else { self.yielding(-sign, y) }
            }
        };
    }

    fn instant(&self, y: &State) -> Instant {
        let (normal, tangential) = self.velocity(y);
        let slip = |sign: f64| tangential + sign * self.limit * normal;
        let (slip, motion) = match self.doing {
            Doing::Holding => (0.0, Motion::Sticking),
            Doing::Yielding(sign) => (slip(sign), Motion::PartlySlipping),
            Doing::Sliding(sign) => (slip(sign), Motion::Slipping),
        };
        Instant {
            time: y[5],
            pose: Pose { indentation: y[0] * y[0], shift: Vector2::new(y[1], 0.0) },
            impulse: Vector3::new(y[2], y[3], 0.0),
            force: self.force(y),
            normal_work: -potential(y[0]),
            slip: Vector2::new(slip, 0.0),
            motion,
        }
    }
}

impl System<State, 5> for Contact<'_> {
    fn derivative(&self, _: f64, y: &State) -> State {
        let (a, u, beta) = (y[0], y[1], y[6]);
        let (normal, tangential) = self.velocity(y);
        let force = self.force(y);
        let a_rate = -0.5 * normal;
        let stiffness = -2.0 * self.scaled.ratio;
        let (force_rate, beta_rate, pace) = match self.doing {
            Doing::Holding => (stiffness * a * a * tangential, 0.0, 1.0),
            Doing::Sliding(sign) => (-4.0 * sign * self.scaled.friction * a * a * a_rate, 0.0, 1.0),
            Doing::Yielding(sign) => {
                let border = self.border(sign, y).place;
                // The middle is passed by a root that changes sign there.
                let c = if self.memory.corner().x > 0.0 { border.x.sqrt() } else { border.x.sqrt().copysign(beta) };
                // ±λ (d − c²) is the stretch at the border, which leaves no difference of large numbers.
                let slipping = (u - border.y) / (a + c);
                let beta_rate = -0.5 * a * (normal + sign * tangential / self.limit);
                (
                    stiffness * a * (c * tangential + slipping * 2.0 * a_rate),
                    beta_rate / self.radius,
                    beta / self.radius,
                )
            }
        };
        let mut rate = State::from([a_rate, tangential * a, force.x * a, force.y * a, force_rate, a, 0.0]) * pace;
        rate[6] = beta_rate;
        rate
    }

    fn events(&self, _: f64, y: &State) -> [f64; 5] {
        let (normal, tangential) = self.velocity(y);
        let spread = self.limit * -normal;
        let (forward, backward, corner) = match self.doing {
            Doing::Holding => (spread - tangential, spread + tangential, 1.0),
            Doing::Sliding(_) if self.limit == 0.0 => (1.0, 1.0, 1.0),
            Doing::Sliding(sign) => (sign * tangential - spread, 1.0, 1.0),
            Doing::Yielding(sign) => {
                let depth = y[0] * y[0];
                let width = depth - self.border(sign, y).place.x;
                (sign * tangential - spread, width + OVERTAKEN * depth, y[6])
            }
        };
        let turn = if self.approaching { -normal } else { normal };
        [forward, backward, corner, turn, y[0]]
    }
}
