//! How near a law can come to each collision by itself, and how near physics can.

use super::errors::{Errors, Weights};
use super::measurements::Measurements;
use super::model::{Form, Free, Model, Prediction};
use super::solve::Objective;
use super::{Fit, FitError};
use carom::impulse_space::AccessibleRegion;
use carom::laws::Fallback;
use nalgebra::Vector3;

/// How near a law and the accessible region come to each collision.
#[derive(Clone, Debug)]
pub struct Reach {
    /// For each collision the least error of the law with parameters of its own, √(Δv·M Δv / V·M V).
    pub law: Vec<f64>,
    /// The least residual in standard deviations, if errors are measured.
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
    let energy = Weights::of(data, Errors::Energy, None)?;
    let known = if fit.errors.is_known() {
        Some(Weights::of(data, fit.errors, Some(&fit.model.slopes(data, &fit.values())?))?)
    } else {
        None
    };
    let friction = coefficient_of_friction(fit);
    let everywhere = Objective { model: &model, data, weights: &energy, held: None, bounds: &bounds };
    let points: Vec<Vec<f64>> = everywhere.spread(POINTS).collect();
    let samples = points.iter().map(|point| model.predict(data, point)).collect::<Result<Vec<_>, _>>()?;
    let mut found = Reach { law: Vec::new(), deviations: known.is_some().then(Vec::new), region: Vec::new(), friction };
    for row in 0..data.rows() {
        if !progress(row) {
            return Err(FitError::Stopped);
        }
        let own = data.select(&[row]);
        let least = |weights: &Weights| -> Result<f64, FitError> {
            let weights = weights.of_row(row);
            let objective = Objective { model: &model, data: &own, weights: &weights, held: None, bounds: &bounds };
            let modes: Vec<u8> = samples.iter().map(|sample| sample.modes[row]).collect();
            let after = |sample: &Prediction| -> Vec<f64> {
                sample.after.iter().copied().skip(row).step_by(data.rows()).collect()
            };
            let costs: Vec<f64> =
                samples.iter().map(|sample| super::errors::cost(&weights.residuals(&own, &after(sample)))).collect();
            let mut order: Vec<usize> = (0..points.len()).collect();
            order.sort_by(|a, b| costs[*a].total_cmp(&costs[*b]));
            let mut best = f64::INFINITY;
            for (place, point) in order.iter().enumerate() {
                if order[..place].iter().filter(|other| modes[**other] == modes[*point]).count() < DESCENTS {
                    best = best.min(objective.descend(&points[*point])?.cost);
                }
            }
            Ok((2.0 * best).sqrt())
        };
        found.law.push(least(&energy)?);
        if let (Some(deviations), Some(known)) = (&mut found.deviations, &known) {
            deviations.push(least(known)?);
        }
        found.region.push(of_region(data, row, friction)?);
    }
    Ok(found)
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
