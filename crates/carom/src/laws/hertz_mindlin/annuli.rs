//! The contact as concentric annuli of traction on elastic half-spaces, after Maw, Barber & Fawcett 1976.
//!
//! The traction is a sum of discs q_j √(1 − r²/b_j²) of radii b_j = jδ. Averaged around the contact, a traction along t
//! displaces the surfaces along t as a pressure would with G* in place of E* (Cerruti), so that a disc gives (Johnson 1985,
//! 3.41 and 3.42)
//!
//! ```text
//! u(r) = π q/(4 b G*) (2b² − r²)                                        r ≤ b
//! u(r) = q/(2 b G*) [(2b² − r²) asin(b/r) + r b √(1 − b²/r²)]           r > b
//! ```
//!
//! In the middle ρ_i of every annulus either the surfaces stick, Δu = Δ(shift), or |T| = μ p with the pressure of Hertz.
//! Slip comes in from the edge, so that the sticking annuli are the innermost ones. With C = L U the displacements by unit
//! tractions, L⁻¹ does not mix an annulus with those outside it, and
//!
//! ```text
//! Σ_{j ≥ i} U_ij ΔT_j = (L⁻¹ 1)_i Δ(shift)
//! ```
//!
//! gives the sticking tractions one by one from the edge inwards, whatever the annuli outside do: a factorisation serves the
//! whole collision.
//!
//! In space tractions are vectors, |T| ≤ μ p, and the direction of the slip Δs of an annulus depends on the slips within it:
//!
//! ```text
//! Σ_{j ≥ i} U_ij ΔT_j + Δs_i = (L⁻¹ (Δ(shift) − Δs))_i + Δs_i
//! ```
//!
//! where the right-hand side holds the slips within only, since L has a unit diagonal. Passes from the edge inwards with
//! those slips as they were converge. Each annulus by itself is a spring of stiffness 1/U_ii with the limit μ p and is followed
//! exactly along the straight motion of a step (`springs.rs`), which makes the steps second order. All annuli carry the
//! tractions of both tangents, because a rigid shift, the pressure and the averaged influence are the same in all directions.
//!
//! The normal force is Hertz's; the tangential one is its share ∫T/∫p, so that an area that slips all over
//! has |F_t| = μ F_n exactly.

use super::leap::{Bed, Edge};
use super::scaled::{Pose, Scaled};
use super::springs::{Drag, MOST};
use nalgebra::{Vector2, Vector3};
use std::f64::consts::{FRAC_2_PI, PI};

/// Annuli of traction; in a planar collision everything is along t1.
#[derive(Clone, Debug)]
pub(super) struct Annuli {
    count: usize,
    friction: f64,
    limit: f64,
    /// Middle of each annulus.
    middle: [f64; MOST],
    /// U of C = L U, and L below its unit diagonal.
    upper: [[f64; MOST]; MOST],
    /// L⁻¹ 1.
    rigid: [f64; MOST],
    /// ∫ over the contact is the sum with these weights.
    weight: [f64; MOST],
    traction: [Vector2<f64>; MOST],
    /// How far each annulus slid during the last step: where the next one's iteration starts.
    slid: [Vector2<f64>; MOST],
    /// Whether the slip may turn.
    turns: bool,
    touching: usize,
    slipping: usize,
    edge: Vector2<f64>,
}

impl Annuli {
    /// `count` annuli of equal width within the contact's radius at an indentation.
    #[expect(clippy::large_stack_arrays, reason = "laws do not allocate")]
    pub(super) fn new(scaled: &Scaled, count: usize, indentation: f64) -> Annuli {
        let count = count.min(MOST);
        let pitch = indentation.sqrt() / count as f64;
        let mut annuli = Annuli {
            count,
            friction: scaled.friction,
            limit: scaled.limit(),
            middle: std::array::from_fn(|i| (i as f64 + 0.5) * pitch),
            upper: [[0.0; MOST]; MOST],
            rigid: [1.0; MOST],
            weight: [0.0; MOST],
            traction: [Vector2::zeros(); MOST],
            slid: [Vector2::zeros(); MOST],
            turns: !scaled.is_planar(),
            touching: 0,
            slipping: 0,
            edge: Vector2::zeros(),
        };
        annuli.weigh(pitch);
        annuli.factor(pitch, scaled.ratio);
        annuli
    }

    /// The traction of a unit disc of radius b in the middle of annulus i; zero outside the disc.
    fn disc(&self, i: usize, b: f64) -> f64 {
        (1.0 - (self.middle[i] / b).powi(2)).sqrt()
    }

    /// A disc carries 2/3 π b² q, and the q follow from the tractions in the middles: Σ_j B_ij q_j = T_i, B upper
    /// triangular.
    fn weigh(&mut self, pitch: f64) {
        for j in 0..self.count {
            let b = (j + 1) as f64 * pitch;
            let inner: f64 = (0..j).map(|k| self.weight[k] * self.disc(k, b)).sum();
            self.weight[j] = (2.0 / 3.0 * PI * b * b - inner) / self.disc(j, b);
        }
    }

    /// C B = A with A the displacements by unit discs; then C = L U without pivots, since C is nearly that of a half-space
    /// and positive definite.
    fn factor(&mut self, pitch: f64, ratio: f64) {
        for j in 0..self.count {
            let b = (j + 1) as f64 * pitch;
            let discs: [f64; MOST] = std::array::from_fn(|k| if k <= j { self.disc(k, b) } else { 0.0 });
            for i in 0..self.count {
                let r = self.middle[i];
                let displacement = if r <= b {
                    PI / (4.0 * b) * (2.0 * b * b - r * r)
                } else {
                    ((2.0 * b * b - r * r) * (b / r).asin() + b * (r * r - b * b).sqrt()) / (2.0 * b)
                };
                let row = &mut self.upper[i];
                let inner: f64 = row[..j].iter().zip(&discs).map(|(c, disc)| c * disc).sum();
                row[j] = (displacement / ratio - inner) / discs[j];
            }
        }
        for k in 0..self.count {
            let (done, rest) = self.upper.split_at_mut(k + 1);
            let pivot = &done[k][..self.count];
            for (i, row) in rest.iter_mut().enumerate().take(self.count - k - 1) {
                let factor = row[k] / pivot[k];
                for (entry, above) in row[k + 1..self.count].iter_mut().zip(&pivot[k + 1..]) {
                    *entry -= factor * above;
                }
                row[k] = factor;
                self.rigid[k + 1 + i] -= factor * self.rigid[k];
            }
        }
    }
}

/// Passes over the annuli that the iteration of a turning slip may take; far more than it needs.
const MOST_PASSES: usize = 200;
/// Slips that change by less than this part of the bodies' motion are settled.
const SETTLED: f64 = 1e-6;

impl Annuli {
    /// L⁻¹ of what slip takes away from the motion of the bodies: −L⁻¹ slid.
    fn taken_by_slip(&self) -> [Vector2<f64>; MOST] {
        let mut taken = [Vector2::zeros(); MOST];
        for i in 0..self.count {
            let inner: Vector2<f64> = self.upper[i][..i].iter().zip(&taken).map(|(l, taken)| taken * *l).sum();
            taken[i] = -self.slid[i] - inner;
        }
        taken
    }

    /// One pass over the annuli from the edge inwards, with the slips within each as they were; returns the largest change of
    /// a slip.
    fn pass(&mut self, before: &[Vector2<f64>; MOST], from: &Pose, to: &Pose) -> f64 {
        let moved = to.shift - from.shift;
        let taken = if self.turns { self.taken_by_slip() } else { [Vector2::zeros(); MOST] };
        (self.touching, self.slipping, self.edge) = (0, 0, Vector2::zeros());
        let mut change = [Vector2::zeros(); MOST];
        let mut largest = 0.0_f64;
        for i in (0..self.count).rev() {
            let depth = to.indentation - self.middle[i].powi(2);
            if depth <= 0.0 {
                change[i] = -before[i];
                self.traction[i] = Vector2::zeros();
                self.slid[i] = Vector2::zeros();
                continue;
            }
            let row = &self.upper[i][..self.count];
            let outer: Vector2<f64> = row[i + 1..].iter().zip(&change[i + 1..]).map(|(u, change)| change * *u).sum();
            // The slips within this annulus, without its own.
            let inner = if self.turns { taken[i] + self.slid[i] } else { Vector2::zeros() };
            let limit = |depth: f64| self.friction * FRAC_2_PI * depth.max(0.0).sqrt();
            let drag = Drag {
                moved: (moved * self.rigid[i] + inner - outer) / row[i],
                from: limit(from.indentation - self.middle[i].powi(2)),
                to: limit(depth),
            };
            let (traction, slips) = drag.apply(&before[i]);
            let slid = (before[i] + drag.moved - traction) * row[i];
            if slips {
                self.slipping += 1;
                if self.touching == 0 {
                    let limit = self.limit * (to.indentation - from.indentation);
                    self.edge = moved - traction.try_normalize(0.0).unwrap_or_else(Vector2::zeros) * limit;
                }
            }
            largest = largest.max((slid - self.slid[i]).norm());
            self.slid[i] = slid;
            change[i] = traction - before[i];
            self.traction[i] = traction;
            self.touching += 1;
        }
        largest
    }
}

impl Bed for Annuli {
    fn reach(&mut self, from: &Pose, to: &Pose) -> Vector3<f64> {
        let before = self.traction;
        let settled = SETTLED * (to.shift - from.shift).norm();
        for _ in 0..MOST_PASSES {
            let change = self.pass(&before, from, to);
            if !self.turns || change <= settled {
                break;
            }
        }
        let (mut pressed, mut pulled) = (0.0, Vector2::zeros());
        for i in 0..self.count {
            let depth = to.indentation - self.middle[i].powi(2);
            if depth > 0.0 {
                pressed += self.weight[i] * FRAC_2_PI * depth.sqrt();
                pulled += self.traction[i] * self.weight[i];
            }
        }
        let normal = 4.0 / 3.0 * to.indentation * to.indentation.sqrt();
        let pull = if self.touching == 0 { Vector2::zeros() } else { pulled * (-normal / pressed) };
        Vector3::new(normal, pull.x, pull.y)
    }

    fn edge(&self) -> Option<Edge> {
        Edge::of(self.touching, self.slipping, self.edge)
    }

    fn first(&self) -> f64 {
        0.0
    }

    fn step(&self) -> f64 {
        // The direction of an annulus lags by half a step where its stretch is short beside the motion of a step; the share of
        // such annuli grows with their number and the step, and the error with number and square of the step.
        if self.turns { 0.07 / (self.count as f64).sqrt() } else { 0.01 }
    }
}
