//! The no-slip region of a contact that has come to rest (5.13), (5.22): what its slip would do with all its static friction.

use crate::course::{IslandHistory, IslandSample};
use crate::error::Error;
use crate::impact::Impact;
use nalgebra::Vector3;

/// The no-slip region of a contact after it came to rest, between two lines through the point of rest:
/// V_t = slope × (P − from). Rest, V_t = 0, lies between them if static friction can hold the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoSlip {
    /// The contact, by its place in the impact.
    pub contact: usize,
    /// Clock at rest, and at the next change of any slip, kg m/s.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// dV_t1/dP with friction at its static limit along −t1 and along +t1, 1/kg: the lower first.
    pub slopes: [f64; 2],
}

impl NoSlip {
    /// Whether static friction can hold the contact.
    pub fn holds(&self) -> bool {
        self.slopes[0] <= 0.0 && self.slopes[1] >= 0.0 && self.slopes[0] < self.slopes[1]
    }

    /// The difference of the slips at its end, m/s; none where there is no normal impulse, hence no friction.
    pub fn width(&self) -> f64 {
        (self.slopes[1] - self.slopes[0]) * (self.to - self.from)
    }

    /// The no-slip regions along the course of a planar impact, for the static friction of every contact. None in space, where the
    /// region is a cone.
    pub fn along(impact: &Impact, history: &IslandHistory, static_friction: &[f64]) -> Result<Vec<NoSlip>, Error> {
        let (n, island) = (impact.contacts(), history.contacts.len());
        let whole = |sample: &IslandSample| sample.velocities.len() == island && sample.impulses.len() == island;
        if static_friction.len() != n || history.contacts.iter().any(|k| *k >= n) || !history.samples.iter().all(whole)
        {
            return Err(Error::WrongSize { what: "history, coefficients of friction and contacts of an impact" });
        }
        let mut regions: Vec<NoSlip> = Vec::new();
        if !impact.is_planar() {
            return Ok(regions);
        }
        let speed = impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
        for (k, contact) in history.contacts.iter().copied().enumerate() {
            let own = impact.inverse_mass().block(contact, contact)[(1, 1)];
            let rests = |sample: &IslandSample| sample.velocities[k].y.abs() <= AT_REST * speed;
            for (place, (start, next)) in history.samples.iter().zip(history.samples.iter().skip(1)).enumerate() {
                let length = next.at - start.at;
                if length <= 0.0 || static_friction[contact] == 0.0 {
                    continue;
                }
                let rate = (next.impulses[k] - start.impulses[k]) / length;
                // Without impulse a contact has no part in the event, unless its slip has just stopped.
                let before = || history.samples[..place].iter().rev().find(|sample| sample.at < start.at);
                if rate.x == 0.0 && before().is_none_or(rests) {
                    continue;
                }
                let growth = (next.velocities[k].y - start.velocities[k].y) / length;
                let reach = own * static_friction[contact] * rate.x;
                let without = growth - own * rate.y;
                let slopes = [without - reach, without + reach];
                let same = |region: &&mut NoSlip| {
                    let close = region.slopes.iter().zip(slopes).all(|(a, b)| (a - b).abs() <= STRAIGHT * own);
                    region.contact == contact && region.to == start.at && close
                };
                if let Some(region) = regions.iter_mut().rev().find(same) {
                    region.to = next.at;
                } else if rests(start) {
                    regions.push(NoSlip { contact, from: start.at, to: next.at, slopes });
                }
            }
        }
        regions.sort_by(|a, b| a.from.total_cmp(&b.from));
        Ok(regions)
    }
}

/// Where all slips are straight, neighbouring samples differ by this much at most, relative to the rates.
const STRAIGHT: f64 = 1e-9;
/// A slip below this fraction of the speeds is none.
const AT_REST: f64 = 1e-10;
