//! Changes that carry on: the sweeps as the gradient of nonlinear conjugate gradients (Silcowitz, Niebe & Erleben 2010).
//!
//! With x the impulses of an island and the velocities they give, and g what a pair of sweeps changed in them, the next pair starts from
//!
//! ```text
//! x + β d,    d ← β d + g,    β = |r|²/|r before|², or 0 where that is above 1
//! ```
//!
//! where r are the residuals of the last sweep. Velocities are linear in the impulses, so both are carried on alike and stay together.
//! Impulses may leave their cones by this; the next sweep brings them back.

use super::island::Island;

/// Scratch: the bodies of an island, and what is carried on.
#[derive(Debug, Default)]
pub(super) struct Momentum {
    bodies: Vec<u32>,
    seen: Vec<bool>,
    /// Four numbers as they were before the last pair of sweeps, and the direction they carry on in.
    values: Vec<[[f64; 4]; 2]>,
    /// Sum of the squares of the residuals at the last pair.
    before: f64,
}

impl Momentum {
    /// Starts from where the island is.
    pub(super) fn begin(&mut self, island: &mut Island<'_>) {
        self.bodies.drain(..).for_each(|body| self.seen[body as usize] = false);
        self.seen.resize(island.bodies.len(), false);
        // The world, which comes last, stays.
        self.seen.last_mut().into_iter().for_each(|world| *world = true);
        for body in island.pairs().flatten() {
            if !std::mem::replace(&mut self.seen[body], true) {
                self.bodies.push(body as u32);
            }
        }
        self.values.clear();
        let values = &mut self.values;
        island.change(&self.bodies, |now| values.push([*now, [0.0; 4]]));
        self.before = f64::INFINITY;
    }

    /// Carries on after a pair of sweeps that left residuals with this sum of squares.
    pub(super) fn carry(&mut self, island: &mut Island<'_>, residuals: f64) {
        let share = if residuals <= self.before { residuals / self.before } else { 0.0 };
        self.before = residuals;
        let mut values = self.values.iter_mut();
        island.change(&self.bodies, |now| {
            if let Some([last, way]) = values.next() {
                for k in 0..4 {
                    let changed = now[k] - last[k];
                    now[k] += share * way[k];
                    way[k] = share * way[k] + changed;
                }
                *last = *now;
            }
        });
    }
}
