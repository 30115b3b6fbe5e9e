//! Numbers, lists, matrices and materials on the command line.

use super::bad_input;
use crate::failure::Failure;
use carom::elastic::{Elasticity, MATERIALS, Material, ReducedModuli};
use carom_study::scenario::{LARGEST, SMALLEST, nearest};
use clap::Args;
use nalgebra::Matrix3;

/// A length, load or modulus: a number above 0, within the range of a scenario's numbers. Powers of such numbers stay finite.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (SMALLEST..=LARGEST).contains(&value) => Ok(value),
        Ok(value) if value > 0.0 => Err(format!("expected a number from {SMALLEST:e} to {LARGEST:e}")),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// A number of at least 0, within the range of a scenario's numbers.
pub fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=LARGEST).contains(&value) => Ok(value),
        Ok(value) if value > 0.0 => Err(format!("expected a number of at most {LARGEST:e}")),
        _ => Err("expected a number of at least 0".to_owned()),
    }
}

/// A coefficient of friction.
pub fn friction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 => Ok(value),
        _ => Err("expected a number of at least 0, or inf".to_owned()),
    }
}

/// Numbers separated by commas, as many as one of `lengths` says.
pub fn list(option: &str, text: &str, lengths: &[usize]) -> Result<Vec<f64>, Failure> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let words: Vec<String> = lengths.iter().map(ToString::to_string).collect();
    numbers.filter(|numbers| lengths.contains(&numbers.len()) && numbers.iter().all(|x| !x.is_nan())).ok_or_else(|| {
        Failure::Usage(format!("`{option} {text}`: expected {} numbers with commas between", words.join(" or ")))
    })
}

/// A matrix of 2 or 3 rows, as in a scenario. Of a planar one nothing happens along t2: any positive entry will do there.
pub fn matrix(option: &str, text: &str) -> Result<Matrix3<f64>, Failure> {
    let expected =
        || Failure::Usage(format!("`{option} {text}`: expected rows of numbers, for instance [[2, 0.5], [0.5, 1]]"));
    let rows: Vec<Vec<f64>> = serde_json::from_str(text).map_err(|_| expected())?;
    let size = rows.len();
    if !(2..=3).contains(&size) || rows.iter().any(|row| row.len() != size) {
        return Err(expected());
    }
    let too_small = (0..size).map(|k| rows[k][k]).any(|x| x > 0.0 && x < SMALLEST);
    if too_small || rows.iter().flatten().any(|x| x.abs() > LARGEST) {
        return Err(Failure::Usage(format!(
            "`{option} {text}`: expected a diagonal from {SMALLEST:e} to {LARGEST:e} and no larger entry"
        )));
    }
    let mut matrix = Matrix3::from_fn(|i, j| rows.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0.0));
    if size == 2 {
        matrix[(2, 2)] = 0.5 * (matrix[(0, 0)] + matrix[(1, 1)]);
    }
    Ok(matrix)
}

/// Elastic constants of a pair.
#[derive(Args)]
pub struct Elastic {
    /// Reduced modulus E* of the two bodies, 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂, Pa
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = positive)]
    modulus: Option<f64>,
    /// The two bodies' materials instead; `rigid` for one that does not deform
    #[arg(long, value_name = "A,B", conflicts_with = "modulus")]
    materials: Option<String>,
}

impl Elastic {
    /// E* and ν of the pair; ν is that of `poisson_ratio` where only E* is given.
    pub fn moduli(&self, poisson_ratio: f64) -> Result<ReducedModuli, Failure> {
        match (self.modulus, &self.materials) {
            (Some(youngs_modulus), _) => Ok(ReducedModuli { youngs_modulus, poisson_ratio }),
            (None, Some(names)) => pair(names),
            (None, None) => {
                Err(Failure::Usage("the elastic constants are missing: expected --modulus or --materials".to_owned()))
            }
        }
    }
}

fn pair(text: &str) -> Result<ReducedModuli, Failure> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    let bodies: Vec<Elasticity> = names
        .iter()
        .filter(|name| **name != "rigid")
        .map(|name| {
            let material = Material::named(name).ok_or_else(|| unknown(name))?;
            material.elasticity().map_err(|error| bad_input(&error))
        })
        .collect::<Result<_, _>>()?;
    match (names.len(), &bodies[..]) {
        (2, [first, second]) => Ok(ReducedModuli::between(first, second)),
        (2, [only]) => Ok(ReducedModuli::against_rigid(only)),
        _ => Err(Failure::Usage(format!("`--materials {text}`: expected two materials, at most one of them `rigid`"))),
    }
}

fn unknown(name: &str) -> Failure {
    let known = || MATERIALS.iter().map(|material| material.name).chain(["rigid"]);
    let hint = nearest(name, known()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Failure::Usage(format!("there is no material `{name}`{hint} (known: {})", known().collect::<Vec<_>>().join(", ")))
}
