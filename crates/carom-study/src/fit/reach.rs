//! How near a law can come to each collision by itself, and how near physics can.

use super::errors::Weights;
use super::measurements::Measurements;
use super::model::{Form, Free, Model, Prediction};
use super::solve::{Least, Objective};
use super::{Fit, FitError};
use carom::impulse_space::AccessibleRegion;
use carom::laws::Fallback;
use nalgebra::Vector3;

/// How near a law and the accessible region come to each collision.
#[derive(Clone, Debug)]
pub struct Reach {
    /// For each collision the least error of the law with parameters of its own, √(Δv·M Δv / V·M V).
    pub law: Vec<f64>,
    /// The same in standard deviations, if errors are measured.
    pub deviations: Option<Vec<f64>>,
    /// For each collision the error of the accessible impulse that is nearest to the measured one.
    pub region: Vec<f64>,
    /// The coefficient of friction of that region; infinity if the law has none that is the same for all collisions.
    pub friction: f64,
}

/// First points of the search, spread over the bounds.
const POINTS: usize = 64;
/// Those of them from which each collision's search descends, in every mode of the contact that they have: from a mode in which a parameter
/// has no influence, such as friction in sticking, no descent leads into another.
const DESCENTS: usize = 2;

/// Searches the law's parameters for each collision by itself.
pub fn reach(data: &Measurements, fit: &Fit, progress: &mut dyn FnMut(usize) -> bool) -> Result<Reach, FitError> {
    let free = fit.model.free.iter().map(|free| Free { form: Form::Constant, ..free.clone() }).collect();
    let model = Model { free, ..fit.model.clone() };
    let bounds = model.bounds(data);
    let slopes = if fit.errors.is_known() { Some(fit.model.slopes(data, &fit.values())?) } else { None };
    let weights = Weights::of(data, fit.errors, slopes.as_ref())?;
    let everywhere = Objective { model: &model, data, weights: &weights, held: None, bounds: &bounds };
    let points: Vec<Vec<f64>> = everywhere.spread(POINTS).collect();
    let mut samples = Vec::with_capacity(points.len());
    for point in &points {
        let Prediction { after, modes, .. } = model.predict(data, point)?;
        let residuals = weights.residuals(data, &after);
        let costs = residuals.chunks_exact(data.components()).map(|row| row.iter().map(|r| r * r).sum()).collect();
        samples.push(Sample { costs, modes });
    }
    let friction = coefficient_of_friction(fit);
    let mut found =
        Reach { law: Vec::new(), deviations: fit.errors.is_known().then(Vec::new), region: Vec::new(), friction };
    for row in 0..data.rows() {
        if !progress(row) {
            return Err(FitError::Stopped);
        }
        let own = data.select(&[row]);
        let weights = weights.of_row(row);
        let objective = Objective { model: &model, data: &own, weights: &weights, held: None, bounds: &bounds };
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| samples[*a].costs[row].total_cmp(&samples[*b].costs[row]));
        let mut best: Option<Least> = None;
        for (place, point) in order.iter().enumerate() {
            let mode = samples[*point].modes[row];
            if order[..place].iter().filter(|other| samples[**other].modes[row] == mode).count() >= DESCENTS {
                continue;
            }
            let least = objective.descend(&points[*point])?;
            if best.as_ref().is_none_or(|best| least.cost < best.cost) {
                best = Some(least);
            }
        }
        let Some(best) = best else { continue };
        let after = model.predict(&own, &best.theta)?.after;
        found.law.push(own.relative_error(0, &after));
        if let Some(deviations) = &mut found.deviations {
            deviations.push((2.0 * best.cost).sqrt());
        }
        found.region.push(of_region(data, row, friction)?);
    }
    Ok(found)
}

/// Answers of the law to all collisions with the same parameters.
struct Sample {
    /// The square of each collision's residual.
    costs: Vec<f64>,
    modes: Vec<u8>,
}

/// The error of the accessible impulse nearest to the measured one, √(Δv·M Δv / V·M V).
fn of_region(data: &Measurements, row: usize, friction: f64) -> Result<f64, FitError> {
    let collision = data.collision(row)?;
    let mass = data.inverse_mass_of(row).try_inverse().unwrap_or_default();
    let n = data.components();
    let change = data.after_of(row) - data.before_of(row);
    let impulse = &mass * change.rows(0, n);
    let impulse = Vector3::from_fn(|k, _| if k < n { impulse[k] } else { 0.0 });
    let nearest = AccessibleRegion::new(&collision, friction)?.nearest(&impulse)?;
    let missed = collision.inverse_mass() * (impulse - nearest);
    Ok(data.energy_norm(row, &missed) / data.energy_speed(row))
}

/// The coefficient of friction of a fit, if all collisions have the same; else infinity, which leaves energy and penetration.
fn coefficient_of_friction(fit: &Fit) -> f64 {
    const KEY: &str = "friction";
    let held = fit.model.fixed.iter().find(|(key, _)| key == KEY).map(|(_, value)| *value);
    let constant = fit.model.free.iter().any(|free| free.key == KEY && free.form == Form::Constant);
    let fitted = fit.estimates.iter().find(|estimate| constant && estimate.name == KEY).map(|estimate| estimate.value);
    let fallback = fit
        .model
        .law
        .parameters
        .iter()
        .find(|parameter| parameter.key == KEY)
        .and_then(|parameter| if let Fallback::Value(value) = parameter.fallback { Some(value) } else { None });
    let is_free = fit.model.free.iter().any(|free| free.key == KEY);
    held.or(fitted).or(fallback.filter(|_| !is_free)).unwrap_or(f64::INFINITY)
}
