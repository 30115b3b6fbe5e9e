//! Laws beside each other: which describes the collisions best.

use super::bootstrap::members;
use super::measurements::Measurements;
use super::model::Model;
use super::{Errors, Fit, FitError, Settings, fit, solve};
use carom::laws::{self, Law};
use nalgebra::Vector3;

/// A law in a comparison.
#[derive(Debug)]
pub struct Candidate {
    /// The law.
    pub law: &'static Law,
    /// Its fit, and the error of its prediction for collisions that it was not fitted to; or why there is none.
    pub result: Result<(Fit, f64), FitError>,
}

/// Laws from the best to the worst, by Akaike's criterion; those without a fit last.
#[derive(Debug)]
pub struct Comparison {
    /// The laws.
    pub candidates: Vec<Candidate>,
    /// The number of parts that were left out in turn.
    pub parts: usize,
    /// Whether the parts are the groups.
    pub by_group: bool,
}

/// Parts that are left out in turn where there are no groups.
const PARTS: usize = 5;

/// Fits the laws, each with the parameters that have no default and with those of `more` that it has.
pub fn compare(
    data: &Measurements,
    laws: &[&'static Law],
    more: &[&str],
    settings: &Settings,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Result<Comparison, FitError> {
    let groups = members(data);
    let by_group = groups.len() > 1;
    let parts: Vec<Vec<usize>> = if by_group {
        groups
    } else {
        let count = PARTS.min(data.rows());
        (0..count).map(|part| (part..data.rows()).step_by(count).collect()).collect()
    };
    let mut candidates = Vec::with_capacity(laws.len());
    for (done, law) in laws.iter().enumerate() {
        if !progress(done) {
            return Err(FitError::Stopped);
        }
        let settings = Settings { profiles: false, ..*settings };
        let mut free = Model::usual(law);
        let own = more.iter().copied().filter(|key| Model::takes(law, key));
        free.retain(|key| !own.clone().any(|other| other.strip_suffix("@group") == Some(key)));
        let named: Vec<&str> = own.filter(|key| !free.contains(key)).collect();
        free.extend(named);
        let result = Model::new(law, &free, &[], &[]).and_then(|model| {
            let found = fit(data, &model, &settings)?;
            if 2 * found.refused > found.rows {
                let fault = format!("it refuses {} of {} collisions", found.refused, found.rows);
                return Err(FitError::Input(fault));
            }
            let error = left_out_error(data, &found, settings.errors, &parts)?;
            Ok((found, error))
        });
        candidates.push(Candidate { law, result });
    }
    let criterion = |candidate: &Candidate| candidate.result.as_ref().map_or(f64::INFINITY, |(fit, _)| fit.aicc());
    candidates.sort_by(|a, b| criterion(a).total_cmp(&criterion(b)));
    Ok(Comparison { candidates, parts: parts.len(), by_group })
}

/// Laws for one contact that take no time.
pub fn algebraic() -> Vec<&'static Law> {
    laws::ALL
        .iter()
        .filter(|law| !law.is_simultaneous() && law.clock().is_none_or(|clock| clock != carom::Clock::Time))
        .collect()
}

/// The mean of √(Δv·M Δv / V·M V) over the collisions, each predicted by a fit without its part.
fn left_out_error(data: &Measurements, found: &Fit, errors: Errors, parts: &[Vec<usize>]) -> Result<f64, FitError> {
    let start = found.values();
    let bounds = found.model.bounds(data);
    let mut sum = 0.0;
    for (number, part) in parts.iter().enumerate() {
        let others: Vec<usize> =
            parts.iter().enumerate().filter(|(other, _)| *other != number).flat_map(|(_, rows)| rows.clone()).collect();
        if others.is_empty() {
            return Ok(f64::NAN);
        }
        let theta = solve(&data.select(&others), &found.model, errors, &bounds, Some(&start), 0)?.least.theta;
        let own = data.select(part);
        let predicted = found.model.predict(&own, &theta)?.after;
        for row in 0..own.rows() {
            let difference = Vector3::from_fn(|k, _| {
                if k < own.components() { own.after[k][row] - predicted[k * own.rows() + row] } else { 0.0 }
            });
            sum += own.energy_norm(row, &difference) / own.energy_speed(row);
        }
    }
    Ok(sum / data.rows() as f64)
}

impl Comparison {
    /// The result in a sentence.
    pub fn sentence(&self) -> String {
        let mut fitted =
            self.candidates.iter().filter_map(|candidate| Some((candidate, candidate.result.as_ref().ok()?)));
        let Some((best, (fit, error))) = fitted.next() else {
            return "No law could be fitted to these collisions.".to_owned();
        };
        let begin = format!(
            "`{}` describes these {} collisions best: it predicts velocities of collisions left out to {:.1} % of the speed before",
            best.law.id,
            fit.rows,
            100.0 * error
        );
        match fitted.next() {
            None => format!("{begin}."),
            Some((next, (other, _))) => {
                let gap = other.aicc() - fit.aicc();
                let verdict = match gap {
                    gap if gap < 2.0 => "which the data do not tell from it",
                    gap if gap < 10.0 => "which the data leave possible",
                    _ => "which the data rule out beside it",
                };
                format!("{begin}. Next is `{}`, {verdict} (AICc larger by {gap:.1}).", next.law.id)
            }
        }
    }
}
