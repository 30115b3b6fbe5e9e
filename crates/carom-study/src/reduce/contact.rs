//! The collision between two flights: its time, contact and impulse, and all quantities that are reported.

use super::flight::Flight;
use super::setup::{Setup, Tracked};
use carom::ContactFrame;
use carom::sim::{Pose, State};
use nalgebra::{DVector, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

/// A body of a collision.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    /// Place in the setup.
    pub body: usize,
    /// Before the collision.
    pub before: Flight,
    /// After it.
    pub after: Flight,
    /// How much the flight after counts in the turn at the instant of the collision, from 0 to 1.
    pub share: f64,
}

/// A collision whose flights have parameters: two for each body, before and after.
#[derive(Clone, Debug)]
pub(super) struct Encounter<'a> {
    pub setup: &'a Setup,
    pub passages: Vec<Passage>,
    /// How angles are folded by the symmetry of the first body; found from the measured values and then held.
    pub fold: Fold,
}

/// What brings a collision of a symmetric body to an incidence that is not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fold {
    /// The other side: signs of angles are turned, α becomes π − α.
    pub mirrored: bool,
    /// Half a turn: α becomes α + π.
    pub turned: bool,
    /// Whether the approach is along −t.
    pub backward: bool,
}

/// The contact at its instant.
pub(super) struct Contact {
    pub time: f64,
    pub point: Vector3<f64>,
    pub normal: Vector3<f64>,
    pub frame: ContactFrame,
    pub before: Vec<State>,
    pub after: Vec<State>,
    /// Poses that both flights agree on.
    pub poses: Vec<Pose>,
}

/// Newton's steps for the instant; one is enough without forces.
const STEPS: usize = 30;

impl Encounter<'_> {
    pub fn tracked(&self, passage: &Passage) -> &Tracked {
        &self.setup.bodies[passage.body]
    }

    /// Which of the names of a body's quantity is meant.
    pub fn name_of(&self, place: usize) -> usize {
        if self.passages.len() == 1 { 0 } else { place + 1 }
    }

    /// Whether the normal of a wall has to be found from the collision itself.
    pub fn is_normal_inferred(&self) -> bool {
        self.passages.len() == 1 && self.normal_given().is_none()
    }

    fn normal_given(&self) -> Option<Vector3<f64>> {
        self.setup.wall.as_ref().and_then(|wall| wall.normal)
    }

    /// The instant at which the centres of mass before and after coincide best.
    fn instant(&self, parameters: &[DVector<f64>]) -> Result<f64, String> {
        let mut time = self.passages[0].before.time;
        for _ in 0..STEPS {
            let (mut along, mut square) = (0.0, 0.0);
            for (place, passage) in self.passages.iter().enumerate() {
                let before = passage.before.state(&parameters[2 * place], time);
                let after = passage.after.state(&parameters[2 * place + 1], time);
                let (gap, change) = (after.pose.position - before.pose.position, after.velocity - before.velocity);
                let mass = self.tracked(passage).mass;
                along += mass * gap.dot(&change);
                square += mass * change.norm_squared();
            }
            let step = -along / square;
            if !step.is_finite() {
                return Err("the velocity does not change: there is no collision".to_owned());
            }
            time += step;
            if step.abs() <= 1e-12 * (1.0 + time.abs()) {
                break;
            }
        }
        Ok(time)
    }

    pub fn contact(&self, parameters: &[DVector<f64>]) -> Result<Contact, String> {
        let time = self.instant(parameters)?;
        let states = |side: usize| -> Vec<State> {
            let of = |(place, passage): (usize, &Passage)| {
                let flight = if side == 0 { &passage.before } else { &passage.after };
                flight.state(&parameters[2 * place + side], time)
            };
            self.passages.iter().enumerate().map(of).collect()
        };
        let (before, after) = (states(0), states(1));
        let poses: Vec<Pose> = self
            .passages
            .iter()
            .zip(before.iter().zip(&after))
            .map(|(passage, (before, after))| {
                let turn = (after.pose.orientation * before.pose.orientation.inverse()).scaled_axis() * passage.share;
                Pose {
                    position: before.pose.position.lerp(&after.pose.position, 0.5),
                    orientation: UnitQuaternion::from_scaled_axis(turn) * before.pose.orientation,
                }
            })
            .collect();
        let mut contact = Contact {
            time,
            point: Vector3::zeros(),
            normal: Vector3::zeros(),
            frame: ContactFrame::of_axes(Vector3::x(), Vector3::y()).map_err(|error| error.to_string())?,
            before,
            after,
            poses,
        };
        (contact.normal, contact.point) = match (&self.passages[..], self.normal_given()) {
            ([_, _], _) => self.between(&contact.poses),
            (_, Some(normal)) => (normal, self.support(0, &contact.poses[0], &-normal)),
            (_, None) => self.inferred(&contact)?,
        };
        let normal = contact.normal;
        let frame = if self.setup.dimension.is_planar() {
            ContactFrame::planar([normal.x, normal.y])
        } else {
            ContactFrame::spatial(&normal, None)
        };
        contact.frame = frame.map_err(|error| error.to_string())?;
        Ok(contact)
    }

    /// The point of a body that reaches furthest in a direction, world axes.
    fn support(&self, place: usize, pose: &Pose, direction: &Vector3<f64>) -> Vector3<f64> {
        let tracked = self.tracked(&self.passages[place]);
        let own = pose.orientation.inverse_transform_vector(direction);
        pose.point(&(tracked.outline.support(&own) - tracked.centre))
    }

    /// The distance by which the point of contact moves on the body if the pose turns by `angle`.
    pub fn wander(&self, parameters: &[DVector<f64>], angle: f64) -> Result<f64, String> {
        let contact = self.contact(parameters)?;
        let in_body = contact.poses[0].orientation.inverse_transform_vector(&contact.normal);
        let [a, b] = [angle, -angle].map(|angle| {
            let turned = UnitQuaternion::from_scaled_axis(Vector3::z() * angle);
            self.support(0, &Pose::identity(), &-(turned * in_body))
        });
        Ok((a - b).norm())
    }

    /// Normal and point of a wall that is not known: the impulse changes the spin, so that its line is known; where it enters the outline,
    /// the outline gives the normal.
    fn inferred(&self, contact: &Contact) -> Result<(Vector3<f64>, Vector3<f64>), String> {
        let tracked = self.tracked(&self.passages[0]);
        let (before, after, pose) = (&contact.before[0], &contact.after[0], &contact.poses[0]);
        let impulse = (after.velocity - before.velocity) * tracked.mass;
        if let Some(radius) = tracked.outline.ball_radius().filter(|_| !self.setup.dimension.is_planar()) {
            return inferred_of_ball(tracked, contact, &impulse, radius);
        }
        let change = tracked.inertia[(2, 2)] * (after.angular_velocity.z - before.angular_velocity.z);
        let direction = impulse.normalize();
        let at = |angle: f64| {
            let normal = UnitQuaternion::from_scaled_axis(Vector3::z() * angle) * direction;
            (normal, self.support(0, pose, &-normal))
        };
        let moment = |angle: f64| (at(angle).1 - pose.position).cross(&impulse).z;
        let (mut low, mut high) = (-FRAC_PI_2, FRAC_PI_2);
        if !(moment(low)..=moment(high)).contains(&change) {
            let arm = change / impulse.norm();
            return Err(format!(
                "the impulse passes the centre of mass at {:.3e} m, by the change of spin, beside the outline: its normal cannot be \
                 inferred",
                arm.abs()
            ));
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if moment(middle) < change { low = middle } else { high = middle }
        }
        let jump = (at(low).1 - at(high).1).norm();
        if tracked.outline.has_corners_only() || jump > 1e-6 * tracked.outline.reach() {
            return Err(
                "the contact is at a side or a corner, which leaves the normal open; expected `normal` in `[wall]`"
                    .to_owned(),
            );
        }
        Ok(at(0.5 * (low + high)))
    }

    /// Normal and point between two bodies: the direction in which they are farthest apart, or overlap least.
    fn between(&self, poses: &[Pose]) -> (Vector3<f64>, Vector3<f64>) {
        let radii: Vec<Option<f64>> = self
            .passages
            .iter()
            .map(|passage| {
                let tracked = self.tracked(passage);
                tracked.outline.ball_radius().filter(|_| tracked.centre == Vector3::zeros())
            })
            .collect();
        let normal = if let [Some(_), Some(_)] = radii[..] {
            (poses[0].position - poses[1].position).normalize()
        } else {
            let towards = poses[0].position - poses[1].position;
            let start = towards.y.atan2(towards.x);
            let direction = |angle: f64| Vector3::new(angle.cos(), angle.sin(), 0.0);
            let apart = |angle: f64| {
                let n = direction(angle);
                n.dot(&(self.support(0, &poses[0], &-n) - self.support(1, &poses[1], &n)))
            };
            direction(highest(start, apart))
        };
        let at = |angle: f64| {
            let n = UnitQuaternion::from_scaled_axis(Vector3::z() * angle) * normal;
            [self.support(0, &poses[0], &-n), self.support(1, &poses[1], &n)]
        };
        // A side reaches as far at both ends; the corner on it is the contact.
        let ([a, b], [a_low, b_low], [a_high, b_high]) = (at(0.0), at(-SLIGHT), at(SLIGHT));
        let [long_a, long_b] = [(a_low - a_high).norm(), (b_low - b_high).norm()];
        let point = if long_a > SIDE * long_b && long_a > 0.0 {
            b
        } else if long_b > SIDE * long_a && long_b > 0.0 {
            a
        } else {
            a.lerp(&b, 0.5)
        };
        (normal, point)
    }

    /// The impulse on the first body, from linear momentum; of two bodies the mean, weighted for equal errors of velocities.
    pub fn impulse(&self, contact: &Contact) -> Vector3<f64> {
        let change = |place: usize| {
            let tracked = self.tracked(&self.passages[place]);
            ((contact.after[place].velocity - contact.before[place].velocity) * tracked.mass, tracked.mass)
        };
        let (first, mass) = change(0);
        if self.passages.len() == 1 {
            return first;
        }
        let (second, other) = change(1);
        (first * (other * other) - second * (mass * mass)) / (mass * mass + other * other)
    }
}

/// A turn, rad, by which a straight side is distinguished from a rounded one, and the factor by which the contact moves farther on a side.
const SLIGHT: f64 = 1e-4;
const SIDE: f64 = 10.0;

/// A ball's normal: P and the moment m = −R n × P are at right angles; the part of n along P follows from its length.
fn inferred_of_ball(
    tracked: &Tracked,
    contact: &Contact,
    impulse: &Vector3<f64>,
    radius: f64,
) -> Result<(Vector3<f64>, Vector3<f64>), String> {
    let change = tracked.inertia[(0, 0)] * (contact.after[0].angular_velocity - contact.before[0].angular_velocity);
    let square = impulse.norm_squared();
    // n = (P × m)/(R P²) + c P.
    let across = -impulse.cross(&change) / (radius * square);
    let rest = 1.0 - across.norm_squared();
    if rest <= 0.0 {
        return Err("the change of spin is larger than the impulse on the outline can make".to_owned());
    }
    let normal = (across + impulse * (rest / square).sqrt()).normalize();
    Ok((normal, contact.poses[0].position - normal * radius))
}

/// The angle at which a function of direction that has one maximum near `start` is highest.
fn highest(start: f64, value: impl Fn(f64) -> f64) -> f64 {
    const TRIED: u32 = 360;
    let step = 2.0 * PI / f64::from(TRIED);
    let tried = (0..TRIED).map(|k| start + f64::from(k) * step);
    let best = tried.fold((start, f64::NEG_INFINITY), |best, angle| {
        let value = value(angle);
        if value > best.1 { (angle, value) } else { best }
    });
    let (mut low, mut high) = (best.0 - step, best.0 + step);
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_a, mut at_b) = (value(a), value(b));
    for _ in 0..70 {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + ratio * (high - low);
            at_b = value(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - ratio * (high - low);
            at_a = value(a);
        }
    }
    0.5 * (low + high)
}
