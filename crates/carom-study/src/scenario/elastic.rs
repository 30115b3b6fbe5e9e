//! Elastic constants and radii in `[law]`: given for the pair, for each of the two bodies, or by the names of materials.

use super::fault::Fault;
use super::numbers::Numbers;
use super::schema::{Layout, RIGID};
use super::table::{Entry, TableReader};
use carom::elastic::{Elasticity, Gap, MATERIALS, Material, ReducedModuli, Surface};

/// The numbers of the pair that laws ask for, where the file gives them otherwise.
pub(super) fn read_elastic(table: &TableReader<'_>) -> Result<Vec<(&'static str, f64)>, Fault> {
    let mut parameters = match table.words("materials") {
        Some(places) => read_materials(table, places)?,
        None => read_moduli(table)?,
    };
    if let Some((entry, radii)) = given_for_each(table, "radius") {
        parameters.push(("radius", relative_radius(radii).ok_or_else(|| no_gap(entry))?));
    }
    Ok(parameters)
}

/// Two numbers under a key, one for each body.
fn given_for_each<'r, 'a>(table: &'r TableReader<'a>, key: &str) -> Option<(&'r Entry<'a>, [f64; 2])> {
    let entry = table.entry(key)?;
    let numbers = entry.numbers().filter(|numbers| numbers.layout == Layout::List(2))?;
    Some((entry, numbers.array()))
}

fn read_materials(table: &TableReader<'_>, places: [usize; 2]) -> Result<Vec<(&'static str, f64)>, Fault> {
    let Some(entry) = table.entry("materials") else { return Ok(Vec::new()) };
    if let Some(twice) = ["youngs_modulus", "poisson_ratio"].iter().find_map(|key| table.entry(key)) {
        let key = twice.field.key;
        return Err(Fault::at(twice.key_span.clone(), format!("`{key}` is given together with `materials`"))
            .label("expected one or the other")
            .context(entry.key_span.clone(), "gives it already"));
    }
    // The place after the last material is that of a rigid body.
    let bodies: Vec<&Material> = places.iter().filter_map(|place| MATERIALS.get(*place)).collect();
    let sound = |error: carom::Error| Fault::at(entry.span.clone(), error.to_string());
    let elasticities =
        bodies.iter().map(|material| material.elasticity()).collect::<Result<Vec<_>, _>>().map_err(sound)?;
    let pair = match &elasticities[..] {
        [first, second] => ReducedModuli::between(first, second),
        [only] => ReducedModuli::against_rigid(only),
        _ => {
            return Err(Fault::at(entry.span.clone(), "two rigid bodies have no elastic contact")
                .label(format!("expected at least one that is not \"{RIGID}\"")));
        }
    };
    let mut parameters = of_pair(&pair);
    let least = |values: Vec<f64>| values.into_iter().reduce(f64::min);
    let strength = least(bodies.iter().filter_map(|material| material.yield_stress).collect());
    let speed = least(bodies.iter().filter_map(|material| material.wave_speed().ok()).collect());
    for (key, value) in [("yield_stress", strength), ("wave_speed", speed)] {
        if let (Some(value), None) = (value, table.entry(key)) {
            parameters.push((key, value));
        }
    }
    Ok(parameters)
}

fn read_moduli(table: &TableReader<'_>) -> Result<Vec<(&'static str, f64)>, Fault> {
    let single = |key: &str| table.numbers(key).filter(|numbers| numbers.layout == Layout::Number).map(Numbers::first);
    let ratios = given_for_each(table, "poisson_ratio");
    let Some((entry, moduli)) = given_for_each(table, "youngs_modulus") else {
        return match ratios {
            Some((entry, _)) => Err(Fault::at(entry.span.clone(), "`poisson_ratio` is given for each body")
                .label("expected one number, or `youngs_modulus` for each body too")),
            None => Ok(Vec::new()),
        };
    };
    let Some(ratios) = ratios.map(|(_, ratios)| ratios).or(single("poisson_ratio").map(|ratio| [ratio; 2])) else {
        return Err(Fault::at(entry.span.clone(), "`youngs_modulus` is given for each body, `poisson_ratio` is not")
            .label("expected `poisson_ratio` too, or one number for the pair")
            .help("the modulus of the pair is 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂"));
    };
    let body = |place: usize| {
        Elasticity::new(moduli[place], ratios[place])
            .map_err(|error| Fault::at(table.span_of("poisson_ratio"), error.to_string()))
    };
    let mut parameters = of_pair(&ReducedModuli::between(&body(0)?, &body(1)?));
    // A ratio that both bodies share is that of the pair.
    parameters.retain(|(key, _)| single(key).is_none());
    Ok(parameters)
}

fn of_pair(pair: &ReducedModuli) -> Vec<(&'static str, f64)> {
    vec![("youngs_modulus", pair.youngs_modulus), ("poisson_ratio", pair.poisson_ratio)]
}

/// The relative radius of two spheres; a negative radius is a seat.
fn relative_radius(radii: [f64; 2]) -> Option<f64> {
    let [first, second] = radii.map(Surface::sphere);
    Some(Gap::between(&first.ok()?, &second.ok()?).ok()?.relative_radii()[0])
}

fn no_gap(entry: &Entry<'_>) -> Fault {
    Fault::at(entry.span.clone(), "bodies with these radii do not touch at a point")
        .label("expected 1/R₁ + 1/R₂ above 0")
        .help("a negative radius is a seat, which must be wider than the ball in it; give one number for a ball on a plane")
}
