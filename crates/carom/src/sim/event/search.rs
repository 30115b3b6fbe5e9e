//! The first touch of two parts: certified, so that none is missed, however short.
//!
//! Along the direction n that separates two convex parts at some time, every corner of each has a place, a velocity and a bound on its
//! acceleration. As long as parabolas with these keep all corners of A above all of B, the parts cannot touch; the search leaps from
//! one such time to the next. It sees gaps down to −[`Search::slack`] as open, which lets it leave a touch and cross the next one;
//! where the gap is found negative, the touch is between the last two looks. So no overlap deeper than the slack is missed.

use crate::sim::part::{Core, Part};
use crate::sim::state::State;
use crate::sim::touch::detect::{Label, Touch, touches};
use crate::sim::touch::separation::Separation;
use nalgebra::Vector3;

/// The motion of a body over some time, and what bounds it.
pub(super) struct Motion<'a> {
    /// The state at a time.
    pub(super) state: &'a dyn Fn(f64) -> State,
    /// Known part of the acceleration of the centre of mass, m/s².
    pub(super) acceleration: Vector3<f64>,
    /// The most that the rest of it can be.
    pub(super) more: f64,
    /// The most that the angular velocity can be, rad/s.
    pub(super) spin: f64,
    /// And its rate, rad/s².
    pub(super) spin_rate: f64,
}

/// A normal as it changes with time, and whose face it belongs to: 0 for A, 1 for B.
pub(super) type HeldNormal<'a> = (&'a dyn Fn(f64) -> Vector3<f64>, Option<usize>);

/// Two parts that may touch.
pub(super) struct Search<'a> {
    pub(super) parts: [&'a Part; 2],
    pub(super) motions: [&'a Motion<'a>; 2],
    /// Features that touch already and are watched otherwise, with the normal there.
    pub(super) held: &'a [[Label; 2]],
    /// Normal of the held contact, and whose face it belongs to.
    pub(super) normal: Option<HeldNormal<'a>>,
    /// m.
    pub(super) slack: f64,
    /// Approach that is slower is none, m/s.
    pub(super) rest: f64,
    /// Features this near touch, m.
    pub(super) reach: f64,
}

/// What there is to see at a time.
struct Look {
    gap: f64,
    /// For how long no corner can cross over.
    exact: f64,
    /// The same, but for the slack.
    leap: f64,
}

/// A corner seen along a direction: place, velocity and bound of the acceleration.
struct Corner {
    vertex: usize,
    point: Vector3<f64>,
    place: f64,
    velocity: f64,
    acceleration: f64,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// They touch then.
    Touch(f64),
    /// They do not.
    Clear,
    /// They do not until then; later is still to be looked at.
    ClearUntil(f64),
}

/// A leap that is a smaller fraction of the time is lost in rounding.
const LEAST_LEAP: f64 = 1e-15;
/// Looks after which a search that hardly moves gets bolder.
const PATIENCE: usize = 20;
/// Leaps from one certified time to the next before a search makes a pause.
const MOST_LEAPS: usize = 1000;

impl Search<'_> {
    /// The first time from `from` to `to` at which the parts touch and approach.
    pub(super) fn first(&self, from: f64, to: f64) -> Found {
        let mut time = from;
        let mut before: Option<(f64, f64)> = None;
        // Parts that overlap by rounding when the search begins are open as long as they do not overlap more.
        let Some(Look { gap: start, .. }) = self.look(time, 0.0, self.slack) else { return Found::Clear };
        let floor = start.min(0.0);
        for count in 0..MOST_LEAPS {
            // Parts that stay as near as the slack are given more of it, so that the search gets on.
            let slack = (self.slack * (1.0 + count as f64 / PATIENCE as f64)).min(0.5 * self.reach);
            let Some(Look { gap, exact, leap }) = self.look(time, floor, slack) else { return Found::Clear };
            let mut hops = false;
            if gap > 0.0 {
                before = Some((time, gap));
            } else if let Some(open) = before {
                return Found::Touch(self.between(open, (time, gap), floor));
            } else {
                let approach = self.approach(time);
                if approach > self.rest {
                    return Found::Touch(time);
                }
                hops = count < PATIENCE && approach < -self.rest && exact > 0.0;
            }
            if time >= to || leap == f64::INFINITY {
                return Found::Clear;
            }
            // Parts that leave each other may come back after a hop too low to be seen: look inside it.
            let leap = if hops { if count == 0 { 0.5 * exact } else { exact } } else { leap };
            time = (time + leap.max(LEAST_LEAP * time)).min(to);
        }
        Found::ClearUntil(time)
    }

    fn look(&self, time: f64, floor: f64, slack: f64) -> Option<Look> {
        let states = self.motions.map(|motion| (motion.state)(time));
        let rounding = self.parts[0].radius + self.parts[1].radius;
        let (normal, owner) = if let Some((normal, owner)) = self.normal {
            (normal(time), owner)
        } else {
            let apart = Separation::of((self.parts[0], &states[0].pose), (self.parts[1], &states[1].pose))?;
            (apart.normal, apart.owner)
        };
        if let Some(owner) = owner {
            return Some(self.look_from(owner, &states, &normal, floor, slack));
        }
        let above = corners(self.parts[0], &states[0], self.motions[0], &normal);
        let below = corners(self.parts[1], &states[1], self.motions[1], &-normal);
        let mut look = Look { gap: f64::INFINITY, exact: f64::INFINITY, leap: f64::INFINITY };
        let away = self.around(&states, &normal, rounding);
        for a in &above {
            for b in &below {
                if self.held.iter().any(|held| self.holds(held, a.vertex, b.vertex)) {
                    continue;
                }
                let (place, velocity) = (a.place + b.place - rounding - floor, a.velocity + b.velocity);
                look.gap = look.gap.min(place);
                let acceleration = a.acceleration + b.acceleration;
                look.exact = look.exact.min(first_root(place.max(0.0), velocity, acceleration));
                look.leap = look.leap.min(first_root(place.max(0.0) + slack, velocity, acceleration));
            }
        }
        look.leap = look.leap.max(away);
        Some(look)
    }

    /// As [`look`](Search::look), from a face of one part, which turns with it: the corners of the other above its plane.
    fn look_from(&self, owner: usize, states: &[State; 2], normal: &Vector3<f64>, floor: f64, slack: f64) -> Look {
        let other = 1 - owner;
        let up = if owner == 1 { *normal } else { -normal };
        let rounding = self.parts[0].radius + self.parts[1].radius;
        let plane = self.parts[owner].support(&states[owner].pose, &up) - self.parts[owner].radius;
        let (base, moving) = (self.motions[owner], self.motions[other]);
        let mut look = Look { gap: f64::INFINITY, exact: f64::INFINITY, leap: f64::INFINITY };
        for corner in corners(self.parts[other], &states[other], moving, &up) {
            let held = self.held.iter().any(|labels| touches_vertex(self.parts[other], labels[other], corner.vertex));
            if held {
                continue;
            }
            let place = corner.place - plane - rounding - floor;
            look.gap = look.gap.min(place);
            let arm = (corner.point - states[owner].pose.position).norm();
            let apart = states[other].point_velocity(&corner.point) - states[owner].point_velocity(&corner.point);
            let velocity = up.dot(&apart);
            let known = corner.acceleration - up.dot(&base.acceleration) - base.more;
            let turning = (base.spin_rate + base.spin * base.spin) * arm;
            // Coriolis: the relative speed itself may grow meanwhile.
            let fall = |speed: f64| known - turning - 2.0 * base.spin * speed;
            let time = |start: f64| {
                let first = first_root(start, velocity, fall(apart.norm()));
                let grown = apart.norm() + fall(apart.norm()).abs() * first.min(1.0 / (base.spin + f64::MIN_POSITIVE));
                first.min(first_root(start, velocity, fall(grown)))
            };
            look.exact = look.exact.min(time(place.max(0.0)));
            look.leap = look.leap.min(time(place.max(0.0) + slack));
        }
        look.leap = look.leap.max(self.around(states, normal, rounding));
        look
    }

    /// How fast features that touch approach each other, at most.
    fn approach(&self, time: f64) -> f64 {
        let [a, b] = self.motions.map(|motion| (motion.state)(time));
        let touching = touches((self.parts[0], &a), (self.parts[1], &b), self.reach);
        let fresh = touching.iter().filter(|touch| !self.held.contains(&touch.labels));
        let speed = |touch: &Touch| {
            let apart = a.point_velocity(&touch.now.point) - b.point_velocity(&touch.now.point);
            -touch.now.normal.dot(&apart)
        };
        fresh.map(speed).fold(f64::NEG_INFINITY, f64::max)
    }

    /// For how long the balls around the parts stay apart along the normal, however they turn.
    fn around(&self, states: &[State; 2], normal: &Vector3<f64>, rounding: f64) -> f64 {
        let centre = |side: usize, up: &Vector3<f64>| {
            if let Core::HalfSpace { offset, .. } = &self.parts[side].core {
                return (-offset, 0.0, 0.0);
            }
            let (state, motion) = (&states[side], self.motions[side]);
            let place = up.dot(&state.pose.position) - self.parts[side].reach() + self.parts[side].radius;
            (place, up.dot(&state.velocity), up.dot(&motion.acceleration) - motion.more)
        };
        let (a, b) = (centre(0, normal), centre(1, &-normal));
        let place = a.0 + b.0 - rounding;
        if place > 0.0 { first_root(place, a.1 + b.1, a.2 + b.2) } else { 0.0 }
    }

    /// Whether two corners belong to features that touch already.
    fn holds(&self, labels: &[Label; 2], a: usize, b: usize) -> bool {
        touches_vertex(self.parts[0], labels[0], a) && touches_vertex(self.parts[1], labels[1], b)
    }

    /// Where the gap vanishes between a time when it is open and one when it is not.
    fn between(&self, (mut a, mut gap_a): (f64, f64), (mut b, mut gap_b): (f64, f64), floor: f64) -> f64 {
        for turn in 0..100 {
            if b - a <= f64::EPSILON * b.abs() {
                break;
            }
            let secant = a + (b - a) * gap_a / (gap_a - gap_b);
            let middle = if turn % 3 == 2 || !(secant > a && secant < b) { 0.5 * (a + b) } else { secant };
            let Some(Look { gap, .. }) = self.look(middle, floor, self.slack) else { return middle };
            if gap > 0.0 {
                (a, gap_a) = (middle, gap);
            } else {
                (b, gap_b) = (middle, gap);
            }
            if gap == 0.0 {
                return middle;
            }
        }
        b
    }
}

/// Whether a corner belongs to a feature.
fn touches_vertex(part: &Part, label: Label, vertex: usize) -> bool {
    match (label, &part.core) {
        (Label::Vertex(k), _) => k == vertex,
        (Label::Edge(k), Core::Hull(hull)) => hull.edges[k].contains(&vertex),
        (Label::Face(k), Core::Hull(hull)) => hull.faces[k].corners.contains(&vertex),
        _ => true,
    }
}

/// The corners of a part along a direction: at least where they are, and at most how they accelerate downwards.
fn corners(part: &Part, state: &State, motion: &Motion<'_>, up: &Vector3<f64>) -> Vec<Corner> {
    let turning = motion.spin_rate + motion.spin * motion.spin;
    let corner = |vertex: usize, arm: Vector3<f64>, extra: f64| {
        let point = state.pose.position + arm;
        Corner {
            vertex,
            point,
            place: up.dot(&point),
            velocity: up.dot(&state.point_velocity(&point)),
            acceleration: up.dot(&motion.acceleration) - motion.more - turning * (arm.norm() + extra),
        }
    };
    match &part.core {
        Core::HalfSpace { normal, offset } => vec![corner(0, normal * *offset, 0.0)],
        Core::Hull(hull) => {
            hull.vertices.iter().enumerate().map(|(k, v)| corner(k, state.pose.direction(v), 0.0)).collect()
        }
        Core::Ellipsoid { centre, axes, semi_axes } => {
            let turn = state.pose.orientation * axes;
            let own = turn.inverse_transform_vector(up).component_mul(semi_axes);
            let lowest = turn * (-own.component_mul(semi_axes) / own.norm());
            // As it turns, its lowest point wanders over it by no more than the largest radius of curvature for each radian.
            let roundest = semi_axes.amax().powi(2) / semi_axes.amin();
            vec![corner(0, state.pose.direction(centre) + lowest, roundest)]
        }
    }
}

/// The time s ≥ 0 at which place + velocity s + ½ acceleration s² falls to zero. A place just below zero counts as zero, unless it
/// rises first.
pub(super) fn first_root(place: f64, velocity: f64, acceleration: f64) -> f64 {
    // The two forms of the quadratic formula, each where it does not cancel.
    let square = velocity * velocity - 2.0 * acceleration * place;
    if square < 0.0 {
        return f64::INFINITY;
    }
    let root = square.sqrt();
    if velocity <= 0.0 {
        let bottom = root - velocity;
        return if bottom > 0.0 { (2.0 * place / bottom).max(0.0) } else { f64::INFINITY };
    }
    if acceleration < 0.0 { (velocity + root) / -acceleration } else { f64::INFINITY }
}
