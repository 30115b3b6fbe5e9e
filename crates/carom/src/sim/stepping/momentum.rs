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
#[derive(Clone, Debug, Default)]
pub(super) struct Momentum {
    bodies: Vec<u32>,
    seen: Vec<bool>,
    /// Four numbers as they were before the last pair of sweeps, and the direction they carry on in.
    values: Vec<[[f64; 4]; 2]>,
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
        self.watch(island);
    }

    /// Starts from where the island is, with these bodies.
    pub(super) fn begin_with(&mut self, island: &mut Island<'_>, bodies: std::ops::Range<u32>) {
        self.bodies.clear();
        self.bodies.extend(bodies);
        self.watch(island);
    }

    fn watch(&mut self, island: &mut Island<'_>) {
        self.values.clear();
        let values = &mut self.values;
        island.change(&self.bodies, |now| values.push([*now, [0.0; 4]]));
    }

    /// Takes the island back to where it was watched last.
    pub(super) fn take_back(&self, island: &mut Island<'_>) {
        let mut values = self.values.iter();
        island.change(&self.bodies, |now| {
            if let Some([last, _]) = values.next() {
                *now = *last;
            }
        });
    }

    /// Carries on by a share of the last changes.
    pub(super) fn carry(&mut self, island: &mut Island<'_>, share: f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::stepping::body::Body;
    use crate::sim::stepping::meet_any::Shapes;
    use crate::sim::stepping::round::Round;
    use crate::sim::stepping::settle::Ending;

    #[test]
    fn a_tower_needs_sweeps_like_its_height_and_not_like_its_square() {
        const HEIGHT: u32 = 30;
        let falling = Body { v: [0.0, -1.0, 0.0, 1.0], w: [0.0, 0.0, 0.0, 2.0] };
        let mut bodies = vec![falling; HEIGHT as usize];
        bodies.push(Body::WORLD);
        // Every other contact first, so that a sweep alone carries weight no farther than two bodies.
        let order = (0..HEIGHT).step_by(2).chain((1..HEIGHT).step_by(2));
        let mut contacts: Vec<Round> = order
            .map(|a| {
                let (b, along) = if a == 0 { (HEIGHT, 1.0) } else { (a - 1, 2.0) };
                Round {
                    a,
                    b,
                    n: [0.0, 1.0, 0.0],
                    arm: [0.0; 2],
                    give: [along; 2],
                    mass: [1.0 / along; 2],
                    friction: 0.5,
                    bound: 0.0,
                    normal: 0.0,
                    across: [0.0; 3],
                }
            })
            .collect();
        let (mut shapes, group) = (Shapes::default(), Default::default());
        let mut island =
            Island { contacts: &mut contacts, shapes: &mut shapes, group: &group, bodies: &mut bodies, inverses: &[] };
        // Without momentum a tower of ten takes 1596.
        let ending = Ending { residual: 1e-9, sweeps: 30 * HEIGHT as usize, few: false };
        let solved = island.solve::<true>(ending, &mut Momentum::default(), None);
        assert!(solved.converged, "{solved:?}");
        for contact in &contacts {
            let above = f64::from(HEIGHT - contact.a);
            assert!((contact.normal - above).abs() < 1e-6, "{contact:?}");
        }
        for body in &bodies {
            assert!(body.v[1].abs() < 1e-6, "{body:?}");
        }
    }
}
