//! Elastic contact: the functions behind `carom.elastic`.

use crate::errors::{self, InputError};
use carom::elastic::{Elasticity, Gap, HertzImpact, PointContact, Pressed, ReducedModuli, Surface, ThinDisk};
use pyo3::prelude::*;

/// Load, approach, semi-axes, peak pressure and stiffness of a contact.
type State = (f64, f64, (f64, f64), f64, f64);

#[pyfunction(name = "_reduced_moduli")]
pub(crate) fn reduced_moduli(first: (f64, f64), second: Option<(f64, f64)>) -> PyResult<(f64, f64)> {
    let body = |(youngs_modulus, poisson_ratio)| {
        Elasticity::new(youngs_modulus, poisson_ratio).map_err(|error| errors::input(&error))
    };
    let first = body(first)?;
    let moduli = match second {
        Some(second) => ReducedModuli::between(&first, &body(second)?),
        None => ReducedModuli::against_rigid(&first),
    };
    Ok((moduli.youngs_modulus, moduli.poisson_ratio))
}

#[pyfunction(name = "_relative_radii")]
pub(crate) fn relative_radii(first: (f64, f64), second: (f64, f64), angle: f64) -> PyResult<(f64, f64, f64)> {
    let surface =
        |radii: (f64, f64), direction| Surface::new(radii.into(), direction).map_err(|error| errors::input(&error));
    let gap = Gap::between(&surface(first, 0.0)?, &surface(second, angle)?).map_err(|error| errors::input(&error))?;
    let [least_curved, most_curved] = gap.relative_radii();
    Ok((least_curved, most_curved, gap.direction()))
}

#[pyfunction(name = "_hertz")]
pub(crate) fn hertz(radii: (f64, f64), modulus: f64, load: Option<f64>, approach: Option<f64>) -> PyResult<State> {
    let gap = Gap::of_radii(radii.into()).map_err(|error| errors::input(&error))?;
    let contact = PointContact::new(&gap, modulus).map_err(|error| errors::input(&error))?;
    state(load, approach, |load| contact.under(load), |approach| contact.at(approach))
}

#[pyfunction(name = "_thin_disk")]
pub(crate) fn thin_disk(
    radius: f64,
    edge_radius: f64,
    thickness: f64,
    modulus: f64,
    load: Option<f64>,
    approach: Option<f64>,
) -> PyResult<State> {
    let disk = ThinDisk::new(radius, edge_radius, thickness, modulus).map_err(|error| errors::input(&error))?;
    state(load, approach, |load| disk.under(load), |approach| disk.at(approach))
}

#[pyfunction(name = "_hertz_impact")]
pub(crate) fn hertz_impact(mass: f64, speed: f64, modulus: f64, radius: f64) -> PyResult<(f64, f64, f64)> {
    let impact = HertzImpact::new(mass, speed, modulus, radius).map_err(|error| errors::input(&error))?;
    Ok((impact.greatest_approach(), impact.peak_force(), impact.duration()))
}

/// The contact under a load or at an approach, of which one is given.
fn state(
    load: Option<f64>,
    approach: Option<f64>,
    under: impl Fn(f64) -> Result<Pressed, carom::Error>,
    at: impl Fn(f64) -> Result<Pressed, carom::Error>,
) -> PyResult<State> {
    let pressed = match (load, approach) {
        (Some(load), None) => under(load),
        (None, Some(approach)) => at(approach),
        _ => return Err(InputError::new_err("expected either load or approach")),
    };
    let Pressed { load, approach, semi_axes: [a, b], peak_pressure, stiffness } =
        pressed.map_err(|error| errors::input(&error))?;
    Ok((load, approach, (a, b), peak_pressure, stiffness))
}
