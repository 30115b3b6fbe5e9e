//! Measured collisions that no law can have: those that gain energy, let the bodies approach, or pull.

use super::measurements::Measurements;
use nalgebra::{DMatrix, DVector};

/// A fault of a measured collision.
#[derive(Clone, Debug, PartialEq)]
pub struct Impossible {
    /// Its line.
    pub line: usize,
    /// What is wrong with it.
    pub fault: Fault,
    /// By how much: energy relative to that before, or a velocity relative to the speed of approach, or an impulse relative to the whole.
    pub amount: f64,
    /// The same in standard deviations, if errors are measured.
    pub deviations: Option<f64>,
}

/// What is wrong with a measured collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has more energy after than before.
    GainsEnergy,
    /// The bodies still approach.
    StillApproaches,
    /// The normal impulse pulls.
    Pulls,
}

impl Fault {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Fault::GainsEnergy => "gains energy",
            Fault::StillApproaches => "still approaches",
            Fault::Pulls => "pulls",
        }
    }
}

/// A violation larger than this, in standard deviations, is not an error of measurement.
pub(super) const BEYOND: f64 = 3.0;

/// The collisions that break a law of nature: beyond three standard deviations, or at all if errors are not measured.
pub fn impossible(data: &Measurements) -> Vec<Impossible> {
    let mut found = Vec::new();
    let n = data.components();
    for row in 0..data.rows() {
        let Some(mass) = data.inverse_mass_of(row).try_inverse() else { continue };
        let column = |values: &[Vec<f64>]| DVector::from_fn(n, |k, _| values[k][row]);
        let (before, after) = (column(&data.before), column(&data.after));
        let impulse = &mass * (&after - &before);
        let energy = 0.5 * before.dot(&(&mass * &before));
        let gain = 0.5 * after.dot(&(&mass * &after)) - energy;
        // Slopes by (V before, V after).
        let stacked =
            |a: DVector<f64>, b: DVector<f64>| DVector::from_fn(2 * n, |k, _| if k < n { a[k] } else { b[k - n] });
        let unit = DVector::from_fn(n, |k, _| f64::from(u8::from(k == 0)));
        let pull = mass.column(0).into_owned();
        let faults = [
            (Fault::GainsEnergy, gain, energy, stacked(-(&mass * &before), &mass * &after)),
            (Fault::StillApproaches, -after[0], -before[0], stacked(unit.clone() * 0.0, -unit)),
            (Fault::Pulls, -impulse[0], impulse.norm(), stacked(pull.clone(), -pull)),
        ];
        for (fault, size, scale, slopes) in faults {
            let deviation = data.covariance.as_ref().map(|all| spread(&all[row], &slopes));
            let is_beyond = match deviation {
                Some(deviation) => size > BEYOND * deviation,
                None => size > 0.0,
            };
            if is_beyond {
                let deviations = deviation.map(|deviation| size / deviation);
                found.push(Impossible { line: data.lines[row], fault, amount: size / scale, deviations });
            }
        }
    }
    found
}

/// The standard deviation of a number with these slopes.
fn spread(covariance: &DMatrix<f64>, slopes: &DVector<f64>) -> f64 {
    slopes.dot(&(covariance * slopes)).max(0.0).sqrt()
}
