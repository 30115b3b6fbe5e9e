//! The contact as a row of independent springs: the method of dimensionality reduction (Popov & Heß).
//!
//! Springs at x_i with stiffness E* δ along the normal and G* δ along the tangents, under a parabola x²/R. The spring at x
//! touches while ξ = x²/R < d; its force is E* δ (d − ξ), and its stretch s follows the shift of the bodies within the
//! circle |s| ≤ ℓ, ℓ = λ (d − ξ), and slips along it. Both halves of the bed are alike, so that one is kept.
//!
//! Within a step the bodies move along a straight line, and each spring is followed exactly: it sticks until it meets the
//! circle, and from there s = ℓ e slips with e turning towards the motion m. With ψ the angle between the two and f the part
//! of the step,
//!
//! ```text
//! ℓ dψ/df = −|m| sin ψ,   tan(ψ/2) ∝ exp(−∫|m|/ℓ df),   ∫|m|/ℓ df = |m| ln(ℓ₁/ℓ₀)/(ℓ₁ − ℓ₀)
//! ```
//!
//! Slip that has begun goes on to the end of the line, since e·m grows.

use super::leap::{Bed, Edge};
use super::scaled::{Pose, Scaled};
use nalgebra::{Vector2, Vector3};

/// The most elements of any bed; they stand on the stack.
pub(super) const MOST: usize = 200;

/// Half a bed of springs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Springs {
    count: usize,
    /// Distance δ between springs.
    pitch: f64,
    ratio: f64,
    limit: f64,
    stretch: [Vector2<f64>; MOST],
    touching: usize,
    slipping: usize,
    edge: Vector2<f64>,
}

impl Springs {
    /// Springs at the middles of `count` equal parts of the contact's radius at an indentation.
    pub(super) fn new(scaled: &Scaled, count: usize, indentation: f64) -> Springs {
        Springs {
            count: count.min(MOST),
            pitch: indentation.sqrt() / count as f64,
            ratio: scaled.ratio,
            limit: scaled.limit(),
            stretch: [Vector2::zeros(); MOST],
            touching: 0,
            slipping: 0,
            edge: Vector2::zeros(),
        }
    }
}

/// The motion of the bodies as one spring sees it: along a straight line, while its limit changes.
pub(super) struct Drag {
    pub(super) moved: Vector2<f64>,
    /// The longest stretch before and after.
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Drag {
    /// The stretch after the motion, and whether the spring slips at its end.
    pub(super) fn apply(&self, stretch: &Vector2<f64>) -> (Vector2<f64>, bool) {
        let growth = self.to - self.from;
        // |s + f m|² = (ℓ₀ + f Δℓ)²: a f² + 2 b f + c = 0.
        let a = self.moved.norm_squared() - growth * growth;
        let b = stretch.dot(&self.moved) - self.from * growth;
        let c = (stretch.norm_squared() - self.from * self.from).min(0.0);
        let root = (b * b - a * c).sqrt();
        let meets = if b < 0.0 {
            (a > 0.0).then(|| (root - b) / a)
        } else if b + root > 0.0 {
            Some(-c / (b + root))
        } else {
            // At its limit, which grows as the spring does but for the rest of the motion.
            (c == 0.0 && a > 0.0).then_some(0.0)
        };
        let Some(part) = meets.filter(|part| *part < 1.0) else {
            return (stretch + self.moved, false);
        };
        let start = stretch + self.moved * part;
        let rest = self.moved * (1.0 - part);
        (self.slip(&start, &rest, self.from + part * growth), true)
    }

    /// A stretch at its limit after a motion during which it slips.
    fn slip(&self, start: &Vector2<f64>, rest: &Vector2<f64>, limit: f64) -> Vector2<f64> {
        let length = rest.norm();
        let (Some(along), Some(e)) = (rest.try_normalize(0.0), start.try_normalize(0.0)) else {
            // A spring without stretch is drawn straight along.
            return rest.try_normalize(0.0).map_or_else(Vector2::zeros, |along| along * self.to);
        };
        let ratio = self.to / limit;
        let mean = if (ratio - 1.0).abs() < 1e-8 { limit.recip() } else { ratio.ln() / (self.to - limit) };
        let decay = (-length * mean).exp();
        let (cos, sin) = (along.dot(&e), along.perp(&e));
        // 1 + cos ψ without cancellation: a stretch against the motion keeps its direction.
        let (cos, sin) = (if cos < 0.0 { sin * sin / (1.0 - cos) } else { 1.0 + cos }, sin * decay);
        let size = cos * cos + sin * sin;
        if size == 0.0 {
            return e * self.to;
        }
        let (cos, sin) = ((cos * cos - sin * sin) / size, 2.0 * cos * sin / size);
        Vector2::new(along.x * cos - along.y * sin, along.y * cos + along.x * sin) * self.to
    }
}

impl Bed for Springs {
    fn reach(&mut self, from: &Pose, to: &Pose) -> Vector3<f64> {
        let moved = to.shift - from.shift;
        let stiffness = 2.0 * self.pitch;
        let (mut pressure, mut pull) = (0.0, Vector2::zeros());
        let before = self.touching;
        (self.touching, self.slipping, self.edge) = (0, 0, Vector2::zeros());
        for (i, stretch) in self.stretch.iter_mut().enumerate().take(self.count) {
            let depth = ((i as f64 + 0.5) * self.pitch).powi(2);
            let indentation = to.indentation - depth;
            if indentation <= 0.0 {
                if i >= before {
                    break;
                }
                *stretch = Vector2::zeros();
                continue;
            }
            // A spring that was touched on the way takes part in the rest of it only.
            let share = if i < before { 1.0 } else { (indentation / (to.indentation - from.indentation)).min(1.0) };
            let drag = Drag {
                moved: moved * share,
                from: self.limit * (from.indentation - depth).max(0.0),
                to: self.limit * indentation,
            };
            let (dragged, slips) = drag.apply(stretch);
            self.edge = *stretch + drag.moved - dragged;
            self.slipping += usize::from(slips);
            *stretch = dragged;
            self.touching = i + 1;
            pressure += indentation;
            pull += *stretch;
        }
        let pull = pull * (-stiffness * self.ratio);
        Vector3::new(stiffness * pressure, pull.x, pull.y)
    }

    fn edge(&self) -> Option<Edge> {
        Edge::of(self.touching, self.slipping, self.edge)
    }

    fn first(&self) -> f64 {
        (0.5 * self.pitch).powi(2)
    }
}
