//! Takes down the pieces of an event and its contacts at rest.

use super::field::{Field, Motion, Rates};
use crate::impact::{AfterRest, EventPiece, EventRest, EventState};
use nalgebra::DVector;

/// What happened in an event; contacts by their places in it, normal impulse since its start.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) compression: Option<EventState>,
    pub(super) pieces: Vec<EventPiece>,
    pub(super) rests: Vec<EventRest>,
}

/// Shares that differ by less belong to the same piece.
const SAME: f64 = 1e-12;
/// A contact with a smaller share of the normal impulse has none.
const NO_SHARE: f64 = 1e-12;

impl Record {
    /// Compression has ended at this impulse, for the time being.
    pub(super) fn compressed(&mut self, field: &Field, impulse: &DVector<f64>, work: f64) {
        self.compression = Some(state(field, impulse, work));
    }

    /// A piece from one impulse to another that began with these rates.
    pub(super) fn piece(&mut self, field: &Field, from: &DVector<f64>, to: &DVector<f64>, rates: &Rates) {
        let (before, after) = (normals(field, from), normals(field, to));
        let (start, end) = (before.iter().sum::<f64>(), after.iter().sum::<f64>());
        if end <= start {
            return;
        }
        let shares: Vec<f64> = before.iter().zip(&after).map(|(from, to)| (to - from) / (end - start)).collect();
        let departure = field.ratios.departure(&rates.impulse);
        if let Some(last) = self.pieces.last_mut()
            && last.shares.iter().zip(&shares).all(|(a, b)| (a - b).abs() <= SAME)
        {
            last.to = end;
            last.departure = last.departure.max(departure);
        } else {
            self.pieces.push(EventPiece { from: start, to: end, shares, departure });
        }
    }

    /// A contact at rest, and what all contacts do next.
    pub(super) fn rest(&mut self, field: &Field, contact: usize, at: &DVector<f64>, last: &Motion, next: &[Motion]) {
        let mut held = next.to_vec();
        held[contact] = Motion::Stick;
        let rates = field.rates(&held, &field.hold(&held), None);
        let critical_friction = rates.filter(|rates| rates.normal[contact] > NO_SHARE).map(|rates| {
            let friction = field.tangential(&rates.impulse, contact).norm() / rates.normal[contact];
            if friction > NO_SHARE { friction } else { 0.0 }
        });
        let next = match (last, &next[contact]) {
            (_, Motion::Stick) => AfterRest::Sticks,
            (Motion::Slip(before), Motion::Slip(after)) if before.dot(after) < 0.0 => AfterRest::Reverses,
            _ => AfterRest::Slips,
        };
        let at = normals(field, at).iter().sum();
        self.rests.push(EventRest { contact, at, critical_friction, next });
    }
}

/// The normal impulses of the contacts of an event.
fn normals(field: &Field, impulse: &DVector<f64>) -> Vec<f64> {
    (0..field.contacts).map(|contact| impulse[field.components * contact]).collect()
}

/// The state after an impulse.
pub(super) fn state(field: &Field, impulse: &DVector<f64>, work: f64) -> EventState {
    EventState { normal_impulses: normals(field, impulse), work }
}
