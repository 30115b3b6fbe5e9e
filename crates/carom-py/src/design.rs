//! Contact elements: the functions behind `carom.design`.

use crate::errors::{self, InputError};
use carom::Error;
use carom::design::{BilinearSpring, GrowingDashpot, HertzSpring, Impact, LinearDashpot, SplitMass, Unloading};
use pyo3::prelude::*;

/// Restitution, duration, peak force and peak compression.
type Course = (f64, f64, f64, f64);

/// The element that lasts so long, or else meets this greatest force.
fn element<T>(
    speed: Option<f64>,
    duration: Option<f64>,
    peak_force: Option<f64>,
    lasting: impl Fn(f64) -> Result<T, Error>,
    pressing: impl Fn(f64, f64) -> Result<T, Error>,
) -> PyResult<T> {
    let element = match (duration, peak_force, speed) {
        (Some(duration), None, _) => lasting(duration),
        (None, Some(force), Some(speed)) => pressing(speed, force),
        (None, Some(_), None) => return Err(InputError::new_err("speed is not given; peak_force needs it")),
        _ => return Err(InputError::new_err("expected either duration or peak_force")),
    };
    element.map_err(|error| errors::input(&error))
}

fn course(impact: Result<Impact, Error>) -> PyResult<Course> {
    let Impact { restitution, duration, peak_force, peak_compression } =
        impact.map_err(|error| errors::input(&error))?;
    Ok((restitution, duration, peak_force, peak_compression))
}

fn unloading(name: &str) -> PyResult<Unloading> {
    match name {
        "steep" => Ok(Unloading::Steep),
        "shallow" => Ok(Unloading::Shallow),
        _ => Err(InputError::new_err(format!("unloading is \"{name}\"; expected steep or shallow"))),
    }
}

#[pyfunction(name = "_linear_dashpot")]
pub(crate) fn linear_dashpot(
    restitution: f64,
    mass: f64,
    speed: Option<f64>,
    duration: Option<f64>,
    peak_force: Option<f64>,
) -> PyResult<(f64, f64)> {
    let LinearDashpot { stiffness, damping } = element(
        speed,
        duration,
        peak_force,
        |duration| LinearDashpot::for_duration(restitution, mass, duration),
        |speed, force| LinearDashpot::for_peak_force(restitution, mass, speed, force),
    )?;
    Ok((stiffness, damping))
}

#[pyfunction(name = "_linear_dashpot_impact")]
pub(crate) fn linear_dashpot_impact(stiffness: f64, damping: f64, mass: f64, speed: f64) -> PyResult<Course> {
    course(LinearDashpot { stiffness, damping }.impact(mass, speed))
}

#[pyfunction(name = "_growing_dashpot")]
pub(crate) fn growing_dashpot(
    restitution: f64,
    mass: f64,
    speed: f64,
    duration: Option<f64>,
    peak_force: Option<f64>,
) -> PyResult<(f64, f64)> {
    let GrowingDashpot { stiffness, damping } = element(
        Some(speed),
        duration,
        peak_force,
        |duration| GrowingDashpot::for_duration(restitution, mass, speed, duration),
        |speed, force| GrowingDashpot::for_peak_force(restitution, mass, speed, force),
    )?;
    Ok((stiffness, damping))
}

#[pyfunction(name = "_growing_dashpot_impact")]
pub(crate) fn growing_dashpot_impact(stiffness: f64, damping: f64, mass: f64, speed: f64) -> PyResult<Course> {
    course(GrowingDashpot { stiffness, damping }.impact(mass, speed))
}

#[pyfunction(name = "_hertz_spring")]
pub(crate) fn hertz_spring(mass: f64, speed: f64, duration: Option<f64>, peak_force: Option<f64>) -> PyResult<f64> {
    let spring = element(
        Some(speed),
        duration,
        peak_force,
        |duration| HertzSpring::for_duration(mass, speed, duration),
        |speed, force| HertzSpring::for_peak_force(mass, speed, force),
    )?;
    Ok(spring.stiffness)
}

#[pyfunction(name = "_hertz_spring_impact")]
pub(crate) fn hertz_spring_impact(stiffness: f64, mass: f64, speed: f64) -> PyResult<Course> {
    course(HertzSpring { stiffness }.impact(mass, speed))
}

#[pyfunction(name = "_bilinear_spring")]
pub(crate) fn bilinear_spring(
    name: &str,
    restitution: f64,
    mass: f64,
    speed: Option<f64>,
    duration: Option<f64>,
    peak_force: Option<f64>,
) -> PyResult<f64> {
    let unloading = unloading(name)?;
    let spring = element(
        speed,
        duration,
        peak_force,
        |duration| BilinearSpring::for_duration(unloading, restitution, mass, duration),
        |speed, force| BilinearSpring::for_peak_force(unloading, restitution, mass, speed, force),
    )?;
    Ok(spring.stiffness)
}

#[pyfunction(name = "_bilinear_spring_impact")]
pub(crate) fn bilinear_spring_impact(
    name: &str,
    restitution: f64,
    stiffness: f64,
    mass: f64,
    speed: f64,
) -> PyResult<Course> {
    course(BilinearSpring { unloading: unloading(name)?, restitution, stiffness }.impact(mass, speed))
}

#[pyfunction(name = "_split_mass")]
pub(crate) fn split_mass(
    restitution: f64,
    mass: f64,
    speed: Option<f64>,
    duration: Option<f64>,
    peak_force: Option<f64>,
) -> PyResult<f64> {
    let split = element(
        speed,
        duration,
        peak_force,
        |duration| SplitMass::for_duration(restitution, mass, duration),
        |speed, force| SplitMass::for_peak_force(restitution, mass, speed, force),
    )?;
    Ok(split.stiffness)
}

#[pyfunction(name = "_split_mass_impact")]
pub(crate) fn split_mass_impact(restitution: f64, stiffness: f64, mass: f64, speed: f64) -> PyResult<Course> {
    course(SplitMass { restitution, stiffness }.impact(mass, speed))
}
