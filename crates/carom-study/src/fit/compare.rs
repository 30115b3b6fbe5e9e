//! Laws beside each other: which describes the collisions best.

use super::bootstrap::members;
use super::measurements::Measurements;
use super::model::{Model, key_of};
use super::{Errors, Fit, FitError, Settings, fit, solve};
use carom::laws::{self, Law};
use std::fmt::Write;

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
    for (place, law) in laws.iter().enumerate() {
        if laws[..place].iter().any(|other| std::ptr::eq(*other, *law)) {
            return Err(FitError::Input(format!("`{}` is named twice among the laws", law.id)));
        }
    }
    let groups = members(data);
    // A group that is left out says nothing of a value of its own.
    let by_group = groups.len() > 1 && !more.iter().any(|name| name.ends_with("@group"));
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
        free.retain(|key| !own.clone().any(|other| key_of(other) == *key));
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
    // Laws that predict the same differ by rounding: they stay in the order of the request.
    let place = |candidate: &Candidate| laws.iter().position(|law| std::ptr::eq(*law, candidate.law));
    let mut begin = 0;
    while begin < candidates.len() {
        let first = criterion(&candidates[begin]);
        let equal = candidates[begin..].iter().take_while(|other| criterion(other) - first <= same(first)).count();
        let end = begin + equal.max(1);
        candidates[begin..end].sort_by_key(place);
        begin = end;
    }
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
        sum += (0..own.rows()).map(|row| own.relative_error(row, &predicted)).sum::<f64>();
    }
    Ok(sum / data.rows() as f64)
}

/// The difference of Akaike's criterion that rounding and the end of a descent make.
pub(super) fn same(criterion: f64) -> f64 {
    1e-6 * (1.0 + criterion.abs())
}

impl Comparison {
    /// The result in a few sentences.
    pub fn sentence(&self) -> String {
        let fitted: Vec<(&str, &Fit, f64)> = self
            .candidates
            .iter()
            .filter_map(|candidate| {
                let (fit, error) = candidate.result.as_ref().ok()?;
                Some((candidate.law.id, fit, *error))
            })
            .collect();
        let Some((best, fit, error)) = fitted.first() else {
            return "No law could be fitted to these collisions.".to_owned();
        };
        let gap = |other: &Fit| other.aicc() - fit.aicc();
        let mut text = format!(
            "`{best}` describes these {} collisions best: it predicts velocities of collisions left out to {:.1} % of the speed before.",
            fit.rows,
            100.0 * error
        );
        let same = same(fit.aicc());
        let (equal, others): (Vec<&(&str, &Fit, f64)>, Vec<_>) =
            fitted[1..].iter().partition(|(_, other, _)| gap(other) <= same);
        if !equal.is_empty() {
            let names: Vec<String> = equal.iter().map(|(id, ..)| format!("`{id}`")).collect();
            let verb = if names.len() == 1 { "fits" } else { "fit" };
            let _ = write!(text, " {} {verb} equally well.", listed(&names));
        }
        if let Some((next, other, _)) = others.first() {
            let verdict = match gap(other) {
                gap if !gap.is_finite() => {
                    let _ = write!(text, " There are too few collisions to compare `{next}` with it by AICc.");
                    return text;
                }
                gap if gap < 2.0 => "which these data cannot distinguish from it",
                gap if gap < 10.0 => "which these data leave possible",
                _ => "which these data rule out",
            };
            let _ = write!(text, " Next is `{next}`, {verdict} (AICc larger by {:.1}).", gap(other));
        }
        text
    }
}

/// Words with commas and an "and".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
