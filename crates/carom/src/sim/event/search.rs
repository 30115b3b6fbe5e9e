//! The first touch of two parts: certified, so that none is missed, however short.
//!
//! Along the direction n that separates two convex parts at some time, every corner of each has a place, a velocity and a bound on its
//! acceleration. As long as parabolas with these keep all corners of A above all of B, the parts cannot touch; the search leaps from
//! one such time to the next. The direction itself may turn meanwhile, n + ṅ t, with whichever ṅ leaps furthest: that of the nearest
//! features (edges that slide past each other), that of either body, or none. An ellipsoid has one corner, its lowest point, which
//! wanders over it as the direction turns in its eyes. The search sees gaps down to −[`Search::slack`] as open,
//! which lets it leave a touch and cross the next one; where the gap is found negative, the touch is between the last two looks. So no
//! overlap deeper than the slack is missed.

use crate::sim::part::{Core, Part};
use crate::sim::state::State;
use crate::sim::touch::detect::{Label, Touch, all_touches};
use crate::sim::touch::meeting::Meeting;
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

/// A normal and its rate, as they change with time.
pub(super) type HeldNormal<'a> = &'a dyn Fn(f64) -> [Vector3<f64>; 2];

/// Two parts that may touch.
pub(super) struct Search<'a> {
    pub(super) parts: [&'a Part; 2],
    pub(super) motions: [&'a Motion<'a>; 2],
    /// Features that touch already and are watched otherwise, with the normal there.
    pub(super) held: &'a [[Label; 2]],
    /// Normal of the held contact.
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
    normal: Vector3<f64>,
    /// Ways in which the normal may turn, 1/s.
    turns: Vec<Vector3<f64>>,
    /// The most that its rate changes, 1/s².
    curl: f64,
    /// Corners of A and B.
    corners: [Vec<Corner>; 2],
    /// For how long the balls around the parts stay apart.
    away: f64,
}

/// A corner and how it moves.
struct Corner {
    place: Vector3<f64>,
    velocity: Vector3<f64>,
    /// The known part of its acceleration now.
    acceleration: Vector3<f64>,
    /// The most that the rest of it can be.
    more: f64,
    /// How fast the known part can change, m/s³.
    jerk: f64,
    /// The most that all of it can be.
    most: f64,
    /// How far it wanders over the part for each radian that the direction turns there: the largest radius of curvature, m.
    round: f64,
    /// Angular velocity of its body now, rad/s.
    omega: Vector3<f64>,
    /// The most that this and its rate can be.
    spin: f64,
    spin_rate: f64,
    /// Whether it belongs to a feature that touches already.
    held: bool,
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
/// A direction turns by no more than this in one leap, rad.
const MOST_TURN: f64 = 0.5;

impl Search<'_> {
    /// The first time from `from` to `to` at which the parts touch and approach.
    pub(super) fn first(&self, from: f64, to: f64) -> Found {
        let mut time = from;
        let mut before: Option<(f64, f64)> = None;
        let mut left: Option<(f64, f64)> = None;
        // Parts that overlap by rounding when the search begins are open as long as they do not overlap more.
        let Some(Look { gap: start, .. }) = self.look(time, 0.0) else { return Found::Clear };
        let floor = start.min(0.0);
        for count in 0..MOST_LEAPS {
            // Parts that stay as near as the slack are given more of it, so that the search gets on.
            let slack = (self.slack * (1.0 + count as f64 / PATIENCE as f64)).min(0.5 * self.reach);
            let Some(look) = self.look(time, floor) else { return Found::Clear };
            if look.gap > 0.0 {
                before = Some((time, look.gap));
            } else if let Some(open) = before {
                return Found::Touch(self.between(open, (time, look.gap), floor));
            } else {
                let approach = self.approach(time);
                if approach > self.rest {
                    // Parts that left each other and come back made a hop too low to be seen: a parabola, from its velocities.
                    let hop = left.map(|(since, speed)| since + (time - since) * 2.0 * speed / (speed + approach));
                    let hop = hop.filter(|hop| *hop < time && self.approach(*hop) > self.rest);
                    return Found::Touch(hop.unwrap_or(time));
                }
                left = (approach < -self.rest).then_some((time, -approach));
            }
            let leap = self.leap(&look, floor, slack);
            if time >= to || leap == f64::INFINITY {
                return Found::Clear;
            }
            time = (time + leap.max(LEAST_LEAP * time)).min(to);
        }
        Found::ClearUntil(time)
    }

    fn look(&self, time: f64, floor: f64) -> Option<Look> {
        let states = self.motions.map(|motion| (motion.state)(time));
        let (normal, turns, curl) = if let Some(held) = self.normal {
            // What touches already stays so along its own normal only.
            let [normal, rate] = held(time);
            let spin: f64 = self.motions.iter().map(|motion| motion.spin).sum();
            (normal, vec![rate], spin * spin + self.motions[0].spin_rate + self.motions[1].spin_rate)
        } else {
            let apart = Separation::of((self.parts[0], &states[0].pose), (self.parts[1], &states[1].pose))?;
            let spins = states.map(|state| state.angular_velocity.cross(&apart.normal));
            // Of what is endless there is one direction only.
            let endless = matches!(self.parts[1].core, Core::HalfSpace { .. });
            let turns = if endless { Vec::new() } else { vec![turning(&apart, &states), spins[0], spins[1]] };
            (apart.normal, [turns, vec![Vector3::zeros()]].concat(), 0.0)
        };
        let rounding = self.parts[0].radius + self.parts[1].radius;
        let corners = [0, 1].map(|side| {
            let held = |vertex: usize| self.held.iter().any(|held| has_vertex(self.parts[side], held[side], vertex));
            let up = if side == 0 { normal } else { -normal };
            corners(self.parts[side], &states[side], self.motions[side], &up, held)
        });
        let mut gap = f64::INFINITY;
        for (a, b) in open_pairs(&corners) {
            gap = gap.min(normal.dot(&(a.place - b.place)) - rounding - floor);
        }
        let away = self.around(&states, &normal, rounding);
        Some(Look { gap, normal, turns, curl, corners, away })
    }

    /// For how long no corner of A can cross over to B, but for the slack.
    fn leap(&self, look: &Look, floor: f64, slack: f64) -> f64 {
        let wide = self.parts[0].radius + self.parts[1].radius + floor;
        let mut longest: f64 = look.away;
        for turn in &look.turns {
            // A candidate that cannot leap further than another before is given up.
            let mut shortest = f64::INFINITY;
            for (a, b) in open_pairs(&look.corners) {
                shortest = shortest.min(crossing_time([&look.normal, turn], look.curl, (a, b), wide, slack));
                if shortest <= longest {
                    break;
                }
            }
            longest = longest.max(shortest);
        }
        longest
    }

    /// How fast features that touch approach each other, at most.
    fn approach(&self, time: f64) -> f64 {
        let [a, b] = self.motions.map(|motion| (motion.state)(time));
        let touching = all_touches((self.parts[0], &a), (self.parts[1], &b), self.reach);
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

    /// Where the gap vanishes between a time when it is open and one when it is not.
    fn between(&self, (mut a, mut gap_a): (f64, f64), (mut b, mut gap_b): (f64, f64), floor: f64) -> f64 {
        for turn in 0..100 {
            if b - a <= f64::EPSILON * b.abs() {
                break;
            }
            let secant = a + (b - a) * gap_a / (gap_a - gap_b);
            let middle = if turn % 3 == 2 || !(secant > a && secant < b) { 0.5 * (a + b) } else { secant };
            let Some(Look { gap, .. }) = self.look(middle, floor) else { return middle };
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

/// How the normal between the nearest features turns.
fn turning(apart: &Separation, [a, b]: &[State; 2]) -> Vector3<f64> {
    let [of_a, of_b] = apart.features;
    let meeting = Meeting { a: of_a, b: of_b, radius: [0.0; 2], side: 1.0 };
    let Some(now) = meeting.at(a, b) else { return Vector3::zeros() };
    now.normal_rate * now.normal.dot(&apart.normal).signum()
}

/// Whether a corner belongs to a feature.
fn has_vertex(part: &Part, label: Label, vertex: usize) -> bool {
    match (label, &part.core) {
        (Label::Vertex(k), _) => k == vertex,
        (Label::Edge(k), Core::Hull(hull)) => hull.edges[k].contains(&vertex),
        (Label::Face(k), Core::Hull(hull)) => hull.faces[k].corners.contains(&vertex),
        _ => true,
    }
}

/// Corners of A and B, but for those where both belong to features that touch already.
fn open_pairs([above, below]: &[Vec<Corner>; 2]) -> impl Iterator<Item = (&Corner, &Corner)> {
    above.iter().flat_map(|a| below.iter().map(move |b| (a, b))).filter(|(a, b)| !(a.held && b.held))
}

/// The corners of a part that matter along a direction.
fn corners(
    part: &Part,
    state: &State,
    motion: &Motion<'_>,
    up: &Vector3<f64>,
    held: impl Fn(usize) -> bool,
) -> Vec<Corner> {
    let (spin, spin_rate) = (motion.spin, motion.spin_rate);
    let omega = state.angular_velocity;
    let corner = |vertex: usize, arm: Vector3<f64>, length: f64| {
        let place = state.pose.position + arm;
        let more = motion.more + spin_rate * length;
        Corner {
            place,
            velocity: state.point_velocity(&place),
            acceleration: motion.acceleration + omega.cross(&omega.cross(&arm)),
            more,
            jerk: (spin * spin + 2.0 * spin_rate) * spin * length,
            most: motion.acceleration.norm() + more + spin * spin * length,
            round: 0.0,
            omega,
            spin,
            spin_rate,
            held: held(vertex),
        }
    };
    let fixed = |vertex: usize, arm: Vector3<f64>| corner(vertex, arm, arm.norm());
    match &part.core {
        Core::HalfSpace { normal, offset } => vec![fixed(0, normal * *offset)],
        Core::Hull(hull) => hull.vertices.iter().enumerate().map(|(k, v)| fixed(k, state.pose.direction(v))).collect(),
        Core::Ellipsoid { centre, axes, semi_axes } => {
            let turn = state.pose.orientation * axes;
            let own = turn.inverse_transform_vector(up).component_mul(semi_axes);
            let lowest = turn * (-own.component_mul(semi_axes) / own.norm());
            let arm = state.pose.direction(centre) + lowest;
            let mut lowest = corner(0, arm, part.reach() - part.radius);
            lowest.round = semi_axes.amax().powi(2) / semi_axes.amin();
            lowest.most += spin * spin * lowest.round;
            vec![lowest]
        }
    }
}

/// For how long corner a surely stays above corner b by `wide` − `slack` along n + ṅ t, where ṅ is across n.
///
/// f(t) = (n + ṅ t)·(a − b) − wide √(1 + ṅ² t²) has f″ = 2 ṅ·(velocity) + (n + ṅ t)·(acceleration) − wide ṅ² or more, and `curl`
/// |a − b| less if ṅ itself changes by as much. Where a corner wanders over its part, with radius of curvature R, the height of that
/// falls off by R |ṅ − ω × n|² more, and its acceleration is that of other points of the part.
fn crossing_time([n, rate]: [&Vector3<f64>; 2], curl: f64, (a, b): (&Corner, &Corner), wide: f64, slack: f64) -> f64 {
    let (apart, velocity) = (a.place - b.place, a.velocity - b.velocity);
    let place = (n.dot(&apart) - wide).max(0.0) + slack;
    let fall = n.dot(&velocity) + rate.dot(&apart);
    let turn = rate.norm();
    let known = n.dot(&(a.acceleration - b.acceleration)) + 2.0 * rate.dot(&velocity);
    let bend = known - (a.more + b.more) - wide.max(0.0) * turn * turn - curl * apart.norm();
    // What is not known now grows with time. Over any horizon, what it can grow to bounds it.
    let growth = a.jerk + b.jerk + 3.0 * turn * (a.most + b.most);
    let wander = |horizon: f64| a.wander([n, rate], curl, horizon) + b.wander([n, rate], curl, horizon);
    let within = |horizon: f64| first_root(place, fall, bend - growth * horizon - wander(horizon)).min(horizon);
    let horizon = first_root(place, fall, bend - wander(0.0)).min(MOST_TURN / turn);
    if horizon < f64::INFINITY {
        let surely = within(horizon);
        return surely.max(within((surely * horizon).sqrt()));
    }
    if growth == 0.0 {
        f64::INFINITY
    } else {
        within(0.5 * bend / growth).max(first_root(place, fall, -a.most - b.most))
    }
}

impl Corner {
    /// How much less the height of what wanders can bend upwards than that of a fixed point, until a horizon.
    fn wander(&self, [n, rate]: [&Vector3<f64>; 2], curl: f64, horizon: f64) -> f64 {
        if self.round == 0.0 {
            return 0.0;
        }
        let (spin, spin_rate, turn) = (self.spin, self.spin_rate, rate.norm());
        let longest = MOST_TURN.hypot(1.0);
        let sweep = (rate - self.omega.cross(n)).norm() + horizon * (spin * turn + longest * spin_rate + curl);
        let bend = 2.0 * spin * turn + longest * (spin * spin + spin_rate);
        self.round * sweep * (sweep + bend * horizon)
    }
}

/// The time s ≥ 0 at which place + velocity s + ½ acceleration s² falls to zero. A place just below zero counts as zero, unless it
/// rises first; one that does not rise as far as zero falls again from where it is.
#[inline]
pub(super) fn first_root(place: f64, velocity: f64, acceleration: f64) -> f64 {
    if velocity > 0.0 && acceleration >= 0.0 {
        return f64::INFINITY;
    }
    // The two forms of the quadratic formula, each where it does not cancel.
    let square = velocity * velocity - 2.0 * acceleration * place;
    if square < 0.0 {
        return if place < 0.0 { (-2.0 * velocity / acceleration).max(0.0) } else { f64::INFINITY };
    }
    let root = square.sqrt();
    if velocity <= 0.0 {
        let bottom = root - velocity;
        // What rests where it touches falls at once, if it falls.
        let still = if acceleration < 0.0 { 0.0 } else { f64::INFINITY };
        return if bottom > 0.0 { (2.0 * place / bottom).max(0.0) } else { still };
    }
    (velocity + root) / -acceleration
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_and_falls_does_so_at_once() {
        assert_eq!([-1e-17, 0.0].map(|place| first_root(place, 0.0, -9.81)), [0.0; 2]);
        assert_eq!([1.0, 0.0].map(|acceleration| first_root(0.0, 0.0, acceleration)), [f64::INFINITY; 2]);
        assert_eq!(first_root(2.0, 0.0, -4.0), 1.0);
        assert_eq!(first_root(2.0, -1.0, 0.0), 2.0);
        assert_eq!(first_root(0.0, 2.0, -4.0), 1.0);
        assert_eq!(first_root(2.0, -1.0, 1.0), f64::INFINITY);
    }
}
