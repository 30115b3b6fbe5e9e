//! Takes down the pieces of an event and its contacts at rest.

use super::field::{Field, Motion, Rates};
use crate::outcome::{AfterRest, EventPiece, EventRest, EventState};
use nalgebra::DVector;

/// The result of an event; contacts by their places in it, normal impulse since its start.
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

    /// Contacts that came to rest after an impulse: `before` are the motions of all contacts until then, `next` from then on.
    pub(super) fn rests(
        &mut self,
        field: &Field,
        contacts: impl IntoIterator<Item = usize>,
        at: &DVector<f64>,
        before: &[Motion],
        next: &[Motion],
    ) {
        let at = normals(field, at).iter().sum();
        let rates = |held: &[Motion]| field.rates(held, &field.hold(held), None);
        // The same for all contacts that stick.
        let mut stuck = None;
        for contact in contacts {
            let critical_friction = if next[contact] == Motion::Stick {
                stuck.get_or_insert_with(|| rates(next)).as_ref().and_then(|rates| needed(field, rates, contact))
            } else {
                let mut held = next.to_vec();
                held[contact] = Motion::Stick;
                rates(&held).and_then(|rates| needed(field, &rates, contact))
            };
            let after = match (&before[contact], &next[contact]) {
                (_, Motion::Stick) => AfterRest::Sticks,
                (Motion::Slip(before), Motion::Slip(after)) if before.dot(after) < 0.0 => AfterRest::Reverses,
                _ => AfterRest::Slips,
            };
            self.rests.push(EventRest { contact, at, critical_friction, next: after });
        }
    }
}

/// The friction coefficient that holds a contact at these rates; `None` if it carries nothing.
fn needed(field: &Field, rates: &Rates, contact: usize) -> Option<f64> {
    let normal = rates.normal[contact];
    let friction = field.tangential(&rates.impulse, contact).norm() / normal;
    (normal > NO_SHARE).then_some(if friction > NO_SHARE { friction } else { 0.0 })
}

/// The normal impulses of the contacts of an event.
fn normals(field: &Field, impulse: &DVector<f64>) -> Vec<f64> {
    (0..field.contacts).map(|contact| impulse[field.components * contact]).collect()
}

/// The state after an impulse.
pub(super) fn state(field: &Field, impulse: &DVector<f64>, work: f64) -> EventState {
    EventState { normal_impulses: normals(field, impulse), work }
}
