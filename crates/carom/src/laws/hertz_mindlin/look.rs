//! A first look at a collision: how large things get.
//!
//! The contact is one spring of Hertz along the normal and one of Mindlin's along the tangents, whose stiffness 2κ√d is that
//! of a contact that sticks all over, drawn back to the friction cone. Rough, but without any grid, so that it finds its way
//! whatever the sizes are.

use super::scaled::Scaled;
use crate::law::Inapplicable;
use nalgebra::{Vector2, Vector3};

/// How large things get in a collision, within a few ten per cent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Greatest indentation.
    pub(super) depth: f64,
    /// Farthest shift along the tangents.
    pub(super) shift: f64,
    /// Greatest normal and tangential impulse.
    pub(super) impulse: Vector2<f64>,
    /// Greatest tangential force.
    pub(super) force: f64,
    /// Duration.
    pub(super) time: f64,
}

/// Step times the fastest rate.
const STEP: f64 = 0.1;
/// The indentation that the first step is chosen for.
const FIRST: f64 = 0.01;
/// With more friction than this the contact hardly slips.
const HOLDS: f64 = 10.0;
/// Far more steps than any collision takes.
const MOST_STEPS: usize = 10_000_000;

impl Look {
    /// Takes a look.
    pub(super) fn at(scaled: &Scaled) -> Result<Look, Inapplicable> {
        // Friction may drive the bodies together, faster than they swing; more than this it cannot before it holds.
        let drive = scaled.friction.min(HOLDS) * scaled.w.fixed_view::<2, 1>(1, 0).norm();
        let rate = scaled.frequency(1.0).hypot((2.0 * drive).sqrt());
        let mut look = Look { depth: 0.0, shift: 0.0, impulse: Vector2::zeros(), force: 0.0, time: 0.0 };
        let (mut depth, mut shift) = (0.0_f64, Vector2::zeros());
        let (mut impulse, mut force) = (Vector3::zeros(), Vector3::zeros());
        for _ in 0..MOST_STEPS {
            let step = STEP / (rate * (depth + FIRST).sqrt().sqrt());
            impulse += force * (0.5 * step);
            let velocity = scaled.velocity(&impulse);
            depth -= velocity.x * step;
            shift += velocity.yz() * step;
            look.time += step;
            if depth <= 0.0 {
                return Ok(look);
            }
            let normal = 4.0 / 3.0 * depth * depth.sqrt();
            let held = force.yz() - velocity.yz() * (2.0 * scaled.ratio * depth.sqrt() * step);
            let (pull, most) = (held.norm(), scaled.friction * normal);
            let tangential = if pull > most { held * (most / pull) } else { held };
            force = Vector3::new(normal, tangential.x, tangential.y);
            impulse += force * (0.5 * step);
            look.depth = look.depth.max(depth);
            look.shift = look.shift.max(shift.norm());
            look.impulse = look.impulse.sup(&Vector2::new(impulse.x, impulse.yz().norm()));
            look.force = look.force.max(tangential.norm());
        }
        Err(Inapplicable::NoConvergence)
    }
}
