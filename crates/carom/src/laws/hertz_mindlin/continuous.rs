//! The bed of springs without any grid, for collisions that stay in a plane.

use super::log::{Instant, Log};
use super::look::Look;
use super::memory::{Border, Jet, Memory};
use super::scaled::{Pose, Scaled};
use crate::course::Motion;
use crate::laws::law::Inapplicable;
use crate::ode::{Integrator, Stuck, System};
use nalgebra::{SVector, Vector2, Vector3};

/// a, u, P_n, P_t, F_t, t, β.
type State = SVector<f64, 7>;

/// Error of a step, relative to the sizes of the collision.
const TOLERANCE: f64 = 1e-12;
/// Places of a step at which the feet of the springs are written down.
const FEET: usize = 1;
/// Samples of a history from each step.
const SAMPLES: usize = 8;
/// A slip zone narrower than minus this part of the indentation is no rounding: the edge has overtaken it.
const CLOSED: f64 = 1e-12;
/// Far more steps than any collision takes.
const MOST_STEPS: usize = 300_000;

/// What the bed does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    /// No spring slips, and new ones are put down.
    Holding,
    /// The springs beyond a border slip, in the direction of this sign.
    Yielding(f64),
    /// All springs slip.
    Sliding(f64),
}

struct Contact<'a> {
    scaled: &'a Scaled,
    limit: f64,
    /// About the greatest radius of the contact.
    radius: f64,
    memory: Memory,
    doing: Doing,
    approaching: bool,
}

/// Follows the collision, whose sizes a first look has told.
pub(super) fn follow(scaled: &Scaled, look: &Look, log: &mut Log) -> Result<Instant, Inapplicable> {
    let radius = look.depth.sqrt();
    let mut contact = Contact::new(scaled, radius);
    // What a first look finds to be nothing may be something, but not much of the rest.
    let some = |size: f64, of: f64| size.max(1e-6 * of);
    let scale = State::from([
        radius,
        some(look.shift, look.depth),
        look.impulse.x,
        some(look.impulse.y, look.impulse.x),
        some(look.force, radius.powi(3)),
        look.time,
        radius,
    ]);
    let first = 0.02 / scaled.frequency(look.depth) / radius;
    let mut solution = Integrator::new(State::zeros(), scale, TOLERANCE, first);
    log.note(&contact.instant(&solution.y));
    for _ in 0..MOST_STEPS {
        let (start, from) = (solution.t, solution.y[0]);
        let event = solution.advance(&contact).map_err(|Stuck| Inapplicable::NoSolution)?;
        if std::env::var("DBG").is_ok() { println!("{:.9} {:?} {:?} {:?} ev {}", solution.t, contact.doing, event, solution.y.as_slice(), solution.evaluations);
 println!("   d {} V {:?} events {:?}", solution.y[0].powi(2), contact.velocity(&solution.y), contact.events(0.0, &solution.y)); }
        log.worked(potential(from) - potential(solution.y[0]));
        if contact.doing == Doing::Holding {
            let mut last = start;
            for (clock, y) in solution.trace(FEET) {
                contact.memory.put(clock - last, contact.jet(&y));
                last = clock;
            }
        }
        if log.is_watched() {
            for (_, y) in solution.trace(SAMPLES) {
                log.note(&contact.instant(&y));
            }
        } else {
            log.note(&contact.instant(&solution.y));
        }
        log.evaluations = solution.evaluations;
        match event {
            Some(END) => {
                return Ok(contact.instant(&solution.y));
            }
            Some(TURN) => {
                if contact.approaching {
                    log.compressed(Vector3::new(solution.y[2], solution.y[3], 0.0));
                }
                contact.approaching = !contact.approaching;
            }
            Some(event) => {
                contact.change(event, &mut solution.y);
                log.note(&contact.instant(&solution.y));
            }
            None => {
                if let Doing::Yielding(sign) = contact.doing {
                    let border = contact.border(sign, &solution.y);
                    contact.memory.pass(&border);
                }
            }
        }
    }
    Err(Inapplicable::NoSolution)
}

/// Energy of the normal springs, 8/15 d^{5/2}.
fn potential(radius: f64) -> f64 {
    8.0 / 15.0 * radius.powi(5)
}

const FORWARD: usize = 0;
const BACKWARD: usize = 1;
const CORNER: usize = 2;
const TURN: usize = 3;
const END: usize = 4;

impl<'a> Contact<'a> {
    fn new(scaled: &'a Scaled, radius: f64) -> Contact<'a> {
        let limit = scaled.limit();
        let slip = scaled.v.y;
        let doing = if slip.abs() < limit { Doing::Holding } else { Doing::Sliding(slip.signum()) };
        let mut contact = Contact { scaled, limit, radius, memory: Memory::new(Jet::default()), doing, approaching: true };
        contact.memory = Memory::new(contact.jet(&State::zeros()));
        contact
    }

    /// V_n and V_t.
    fn velocity(&self, y: &State) -> (f64, f64) {
        let velocity = self.scaled.velocity(&Vector3::new(y[2], y[3], 0.0));
        (velocity.x, velocity.y)
    }

    fn force(&self, y: &State) -> Vector2<f64> {
        let normal = 4.0 / 3.0 * y[0].powi(3);
        let tangential = match self.doing {
            Doing::Sliding(sign) => -sign * self.scaled.friction * normal,
            _ => y[4],
        };
        Vector2::new(normal, tangential)
    }

    /// The spring at the edge, with its derivatives along the clock dt = a ds.
    fn jet(&self, y: &State) -> Jet {
        let a = y[0];
        let (normal, tangential) = self.velocity(y);
        let force = self.force(y);
        let push = self.scaled.w * Vector3::new(force.x, force.y, 0.0) * a;
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
                let border = self.border(sign, y);
                self.memory.draw(sign, &border, self.jet(y));
                if self.velocity(y).0 < 0.0 { Doing::Holding } else { self.yielding(-sign, y) }
            }
        };
    }

    fn instant(&self, y: &State) -> Instant {
        let force = self.force(y);
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
            force: Vector3::new(force.x, force.y, 0.0),
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
        // Rates along the clock dt = a ds.
        let partial = |c: f64, foot: f64| {
            stiffness * a * (c * tangential + 2.0 * (u - foot) * a_rate / (a + c))
        };
        let (force_rate, beta_rate, pace) = match self.doing {
            Doing::Holding => (stiffness * a * a * tangential, 0.0, 1.0),
            Doing::Sliding(sign) => (-4.0 * sign * self.scaled.friction * a * a * a_rate, 0.0, 1.0),
            Doing::Yielding(sign) => {
                let place = self.border(sign, y).place;
                let c = if self.memory.corner().x > 0.0 { place.x.sqrt() } else { place.x.sqrt().copysign(beta) };
                (partial(c, place.y), -0.5 * a * (normal + sign * tangential / self.limit) / self.radius, beta / self.radius)
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
                let width = y[0] * y[0] - self.border(sign, y).place.x;
                (sign * tangential - spread, width + CLOSED * y[0] * y[0], y[6])
            }
        };
        let turn = if self.approaching { -normal } else { normal };
        [forward, backward, corner, turn, y[0]]
    }
}
