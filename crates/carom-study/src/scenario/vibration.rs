//! `[vibration]`: how the bodies vibrate at the contact.

use super::fault::Fault;
use super::numbers::Numbers;
use super::table::TableReader;
use carom::Dimension;
use carom::format::Exact;
use carom::vibration::{Bar, Beam, Chain, End, FlexibleBody, FlexibleCollision, Kept, Mode, Place, Theory};
use carom::{Collision, Error};
use std::f64::consts::PI;

/// The collision with the modes of a table `[vibration]`.
pub(super) fn read_vibration(
    table: &TableReader<'_>,
    collision: &Collision,
    dimension: Dimension,
) -> Result<FlexibleCollision, Fault> {
    let damping_ratio = number_or(table, "damping_ratio", 0.0);
    let mut modes = Vec::new();
    for mode in table.tables("mode") {
        modes.push(read_mode(mode, damping_ratio, dimension)?);
    }
    for (key, read) in [("chain", read_chain as Reader), ("bar", read_bar), ("beam", read_beam)] {
        if let Some(body) = table.table(key) {
            modes.extend(read(body, damping_ratio)?.modes);
        }
    }
    if modes.is_empty() {
        return Err(Fault::at(table.span.clone(), "`[vibration]` has no modes")
            .label("expected `mode`, `chain`, `bar` or `beam`")
            .help("leave the table out for rigid bodies"));
    }
    FlexibleCollision::new(*collision, modes)
        .map_err(|error| Fault::at(table.span.clone(), format!("no collision has these modes: {error}")))
}

type Reader = fn(&TableReader<'_>, f64) -> Result<FlexibleBody, Fault>;

fn read_mode(table: &TableReader<'_>, damping_ratio: f64, dimension: Dimension) -> Result<Mode, Fault> {
    let shape = table.require("shape")?;
    if let Some(other) = shape.dimension.filter(|other| *other != dimension) {
        return Err(Fault::at(table.span_of("shape"), format!("`shape` is {other}, but the collision is {dimension}"))
            .label("expected as many numbers as a velocity has"));
    }
    Ok(Mode {
        frequency: table.require("frequency")?.first(),
        damping_ratio: number_or(table, "damping_ratio", damping_ratio),
        shape: shape.vector(),
    })
}

fn read_chain(table: &TableReader<'_>, damping_ratio: f64) -> Result<FlexibleBody, Fault> {
    let row = |key| table.require(key).map(|numbers| numbers.values().to_vec());
    let (masses, springs) = (row("masses")?, row("springs")?);
    let (given, masses_given) = (springs.len(), masses.len());
    let chain = Chain::new(masses, springs).map_err(|_| {
        Fault::at(table.span_of("springs"), format!("the number of springs, {given}, does not fit the masses"))
            .label(format!("expected {}, or {masses_given} to fix the far end", masses_given - 1))
            .context(table.span_of("masses"), format!("the masses: {masses_given}"))
    })?;
    chain.body(damping_ratio).map_err(|error| refused(table, &error))
}

fn read_bar(table: &TableReader<'_>, damping_ratio: f64) -> Result<FlexibleBody, Fault> {
    let number = |key| table.require(key).map(Numbers::first);
    let bar = Bar {
        length: number("length")?,
        mass: number("mass")?,
        wave_speed: number("wave_speed")?,
        fixed: [false, table.word("far_end") == Some(1)],
    };
    let at = contact_at(table, bar.length)?;
    bar.body(at, count(table, "modes")?, damping_ratio).map_err(|error| refused(table, &error))
}

fn read_beam(table: &TableReader<'_>, damping_ratio: f64) -> Result<FlexibleBody, Fault> {
    let number = |key| table.require(key).map(Numbers::first);
    let length = number("length")?;
    let (area, second_moment) = read_section(table)?;
    let end = |key| match table.word(key) {
        Some(1) => End::Pinned,
        Some(2) => End::Clamped,
        _ => End::Free,
    };
    let beam = Beam {
        length,
        area,
        second_moment,
        density: number("mass")? / (area * length),
        youngs_modulus: number("youngs_modulus")?,
        ends: [end("first_end"), end("second_end")],
        theory: read_theory(table)?,
    };
    let place = Place {
        along: contact_at(table, length)?,
        angle: number("angle")?,
        arm: table.numbers("arm").map_or([0.0; 2], Numbers::array),
    };
    let axial = if table.entry("axial_modes").is_some() { count(table, "axial_modes")? } else { 0 };
    let kept = Kept { bending: count(table, "bending_modes")?, axial };
    beam.body(&place, kept, damping_ratio).map_err(|error| refused(table, &error))
}

/// Area and second moment of the beam's section.
fn read_section(table: &TableReader<'_>) -> Result<(f64, f64), Fault> {
    let given = ["area", "second_moment"].map(|key| table.entry(key));
    match (table.numbers("diameter"), given) {
        (Some(diameter), [None, None]) => {
            let d = diameter.first();
            Ok((PI / 4.0 * d.powi(2), PI / 64.0 * d.powi(4)))
        }
        (Some(_), [Some(other), _] | [None, Some(other)]) => {
            Err(Fault::at(other.key_span.clone(), format!("`{}` is given together with `diameter`", other.field.key))
                .label("expected `diameter` alone, or `area` and `second_moment`")
                .context(table.span_of("diameter"), "gives both for a round section"))
        }
        (None, [None, None]) => Err(Fault::at(table.span.clone(), format!("{} has no section", table.title()))
            .label("expected `diameter`, or `area` and `second_moment`")),
        (None, _) => Ok((table.require("area")?.first(), table.require("second_moment")?.first())),
    }
}

fn read_theory(table: &TableReader<'_>) -> Result<Theory, Fault> {
    match (table.numbers("shear_modulus"), table.entry("shear_coefficient")) {
        (Some(modulus), _) => Ok(Theory::Timoshenko {
            shear_modulus: modulus.first(),
            shear_coefficient: number_or(table, "shear_coefficient", 0.9),
        }),
        (None, Some(coefficient)) => {
            Err(Fault::at(coefficient.key_span.clone(), "`shear_coefficient` is given without `shear_modulus`")
                .label("expected `shear_modulus` too, or neither"))
        }
        (None, None) => Ok(Theory::EulerBernoulli),
    }
}

fn contact_at(table: &TableReader<'_>, length: f64) -> Result<f64, Fault> {
    let at = number_or(table, "contact_at", 0.0);
    if at <= length {
        return Ok(at);
    }
    Err(Fault::at(table.span_of("contact_at"), format!("`contact_at` is {}, beyond the second end", Exact(at)))
        .label(format!("expected {} at most", Exact(length)))
        .context(table.span_of("length"), "the length"))
}

fn count(table: &TableReader<'_>, key: &str) -> Result<usize, Fault> {
    let number = table.require(key)?.first();
    if number.fract() == 0.0 {
        return Ok(number as usize);
    }
    Err(Fault::at(table.span_of(key), format!("`{key}` is {}", Exact(number))).label("expected a whole number"))
}

fn number_or(table: &TableReader<'_>, key: &str, otherwise: f64) -> f64 {
    table.numbers(key).map_or(otherwise, Numbers::first)
}

fn refused(table: &TableReader<'_>, error: &Error) -> Fault {
    Fault::at(table.span.clone(), format!("{} is no possible body: {error}", table.title()))
        .label("expected other sizes")
}
