//! A ball that meets another, or a half-space: when, and along which axes, in closed form.

use super::flight::Flight;
use super::pairs::Care;
use super::search::first_root;
use crate::contact::ContactFrame;
use crate::sim::in_time::SceneInTime;
use crate::sim::part::{Core, Part};
use crate::sim::spot::Spot;
use nalgebra::Vector3;

/// Parts whose touch is the root of a polynomial as long as they fly.
#[derive(Clone, Copy, Debug)]
pub(super) enum Round {
    /// A ball and a half-space: how far along the normal the ball's centre is when they touch.
    Wall { normal: Vector3<f64>, place: f64 },
    /// Two balls: how far apart their centres are then.
    Balls { distance: f64 },
}

impl Round {
    /// Balls about their centres only.
    pub(super) fn of([a, b]: [&Part; 2]) -> Option<Round> {
        let distance = a.radius + b.radius;
        match &b.core {
            _ if !a.is_ball() => None,
            Core::HalfSpace { normal, offset } => Some(Round::Wall { normal: *normal, place: offset + distance }),
            _ => b.is_ball().then_some(Round::Balls { distance }),
        }
    }

    /// The axes of the contact of two with these centres.
    pub(super) fn axes(&self, scene: &SceneInTime, [a, b]: [&Vector3<f64>; 2]) -> Option<ContactFrame> {
        match self {
            Round::Wall { normal, .. } => Spot::frame(scene, normal),
            Round::Balls { .. } => Spot::frame(scene, &(a - b)),
        }
    }

    /// When they touch: infinite for never. Nothing where one lies and the other flies.
    #[inline]
    pub(super) fn first_touch(&self, flights: [Option<&Flight>; 2], now: f64, care: Care) -> Option<f64> {
        let flight = flights[0]?;
        let [x, v] = flight.centre(now - flight.since);
        match self {
            Round::Wall { normal, place } => {
                Some(now + first_root(normal.dot(&x) - place, normal.dot(&v), normal.dot(&flight.acceleration)))
            }
            Round::Balls { distance } => {
                let other = flights[1].filter(|other| other.acceleration == flight.acceleration)?;
                let [y, w] = other.centre(now - other.since);
                let (apart, relative) = (x - y, v - w);
                let approach = -apart.dot(&relative);
                if approach <= 0.0 {
                    return Some(f64::INFINITY);
                }
                let length = apart.norm();
                let beyond = ((length - distance) * (length + distance)).max(0.0);
                let root = approach * approach - relative.norm_squared() * beyond;
                // Balls that fly on side by side after an impact without rebound.
                let together = length - distance <= care.slack && approach <= care.rest * length;
                if root < 0.0 || together {
                    return Some(f64::INFINITY);
                }
                Some(now + beyond / (approach + root.sqrt()))
            }
        }
    }
}
