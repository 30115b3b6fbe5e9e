//! The contact as a row of independent springs: the method of dimensionality reduction (Popov & Heß).
//!
//! Springs at x_i with stiffness E* δ along the normal and G* δ along the tangents, under a parabola x²/R. The spring at x
//! touches while ξ = x²/R < d; its force is E* δ (d − ξ), and its stretch s follows the shift of the bodies and is drawn
//! back to the circle |s| ≤ λ (d − ξ) when it would leave it. Both halves of the bed are alike, so that one is kept.

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

impl Bed for Springs {
    fn reach(&mut self, from: &Pose, to: &Pose) -> Vector3<f64> {
        let moved = to.shift - from.shift;
        let stiffness = 2.0 * self.pitch;
        let (mut pressure, mut pull) = (0.0, Vector2::zeros());
        let before = self.touching;
        (self.touching, self.slipping, self.edge) = (0, 0, Vector2::zeros());
        for (i, stretch) in self.stretch.iter_mut().enumerate().take(self.count) {
            let indentation = to.indentation - ((i as f64 + 0.5) * self.pitch).powi(2);
            if indentation <= 0.0 {
                if i >= before {
                    break;
                }
                *stretch = Vector2::zeros();
                continue;
            }
            // A spring that was touched on the way takes part in the rest of it only.
            let share = if i < before { 1.0 } else { (indentation / (to.indentation - from.indentation)).min(1.0) };
            let held = *stretch + moved * share;
            let (length, most) = (held.norm(), self.limit * indentation);
            if length > most {
                *stretch = held * (most / length);
                self.slipping += 1;
                self.edge = held - *stretch;
            } else {
                *stretch = held;
                self.edge = Vector2::zeros();
            }
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
