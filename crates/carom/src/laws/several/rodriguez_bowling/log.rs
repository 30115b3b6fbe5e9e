//! Writes down the course of a collision, event by event.

use super::field::{Field, Motion, Rates};
use crate::course::{IslandHistory, IslandSample};
use crate::impact::Impact;
use nalgebra::{DVector, Vector3};
use std::cell::Cell;

/// Instants of a straight piece.
const PARTS: usize = 16;

/// The state before the present event, and where its course is written to.
pub(super) struct Log<'a> {
    pub(super) impact: &'a Impact,
    /// The contacts of the event.
    pub(super) active: &'a [usize],
    /// Contacts whose velocity stays as it is, whatever the impulses.
    pub(super) untouched: &'a [usize],
    pub(super) impulses: &'a [Vector3<f64>],
    pub(super) velocities: &'a [Vector3<f64>],
    pub(super) work: f64,
    /// The number of the present event, from 1.
    pub(super) event: usize,
    pub(super) history: Option<&'a mut IslandHistory>,
    /// The steps that the collision may still take along slips that turn, failed attempts included.
    pub(super) steps_left: &'a Cell<usize>,
}

impl Log<'_> {
    /// Counts a step along slips that turn; false if no step is left.
    pub(super) fn takes_step(&self) -> bool {
        let left = self.steps_left.get();
        self.steps_left.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.history.is_some()
    }

    /// The impulses at all contacts after more at those of the event.
    pub(super) fn impulses_after(&self, components: usize, more: &DVector<f64>) -> Vec<Vector3<f64>> {
        let mut impulses = self.impulses.to_vec();
        for (k, contact) in self.active.iter().enumerate() {
            for c in 0..components {
                impulses[*contact][c] += more[components * k + c];
            }
        }
        impulses
    }

    /// The velocities at all contacts after more impulse at those of the event.
    pub(super) fn velocities_after(&self, components: usize, more: &DVector<f64>) -> Vec<Vector3<f64>> {
        let mut velocities = self.velocities.to_vec();
        for (k, contact) in self.active.iter().enumerate() {
            let impulse = Vector3::from_fn(|c, _| if c < components { more[components * k + c] } else { 0.0 });
            for (other, block) in self.impact.inverse_mass().row(*contact) {
                if !self.untouched.contains(&other) {
                    velocities[other] += block.transpose() * impulse;
                }
            }
        }
        velocities
    }

    /// One instant of the event.
    pub(super) fn instant(&mut self, field: &Field, impulse: &DVector<f64>, work: f64, motions: &[Motion]) {
        if self.history.is_none() {
            return;
        }
        let impulses = self.impulses_after(field.components, impulse);
        let mut velocities = self.velocities_after(field.components, impulse);
        let mut sticking = vec![false; self.impulses.len()];
        for (contact, motion) in self.active.iter().zip(motions) {
            if *motion == Motion::Stick {
                sticking[*contact] = true;
                velocities[*contact] = Vector3::new(velocities[*contact].x, 0.0, 0.0);
            }
        }
        let at = impulses.iter().map(|p| p.x).sum();
        let sample =
            IslandSample { at, velocities, impulses, normal_work: self.work + work, sticking, event: self.event };
        if let Some(history) = self.history.as_deref_mut() {
            history.samples.push(sample);
        }
    }

    /// A straight piece from an impulse on, with work + b P + a P².
    pub(super) fn piece(
        &mut self,
        field: &Field,
        motions: &[Motion],
        from: &DVector<f64>,
        rates: &Rates,
        (work, b, a): (f64, f64, f64),
        length: f64,
    ) {
        if !self.is_wanted() {
            return;
        }
        for k in 0..=PARTS {
            let gone = length * (k as f64 / PARTS as f64);
            self.instant(field, &(from + &rates.impulse * gone), work + gone * (b + a * gone), motions);
        }
    }
}
