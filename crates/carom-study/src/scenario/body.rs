//! `[[body]]`.

use super::dimension::Dimension;
use super::fault::Fault;
use super::misfit::misfit;
use super::numbers::{LARGEST, Numbers, SMALLEST};
use super::shape::read_shape;
use super::table::TableReader;
use carom::{Amount, Body, Error, MassProperties};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::collections::HashMap;

/// The immovable world's name.
pub(super) const GROUND: &str = "ground";

/// The names of all bodies, each given once.
pub(super) fn read_names(bodies: &[TableReader<'_>]) -> Result<Vec<String>, Fault> {
    let mut places = HashMap::with_capacity(bodies.len());
    for (place, body) in bodies.iter().enumerate() {
        let name = body.text("name").unwrap_or_default();
        let span = body.span_of("name");
        if name.trim().is_empty() {
            return Err(Fault::at(span, "the body's `name` is empty").label("expected a name, for instance \"rod\""));
        }
        if name.chars().any(char::is_control) {
            return Err(Fault::at(span, "the body's `name` has control characters in it")
                .label("expected characters that can be printed on one line"));
        }
        if name == GROUND {
            return Err(Fault::at(span, format!("`{GROUND}` is the name of the immovable world"))
                .label("expected another name")
                .help(format!("a contact may name \"{GROUND}\" without a `[[body]]` for it")));
        }
        if let Some(first) = places.insert(name, place) {
            return Err(Fault::at(span, "two bodies have the same `name`")
                .label("expected another name")
                .context(bodies[first].span_of("name"), "first used here"));
        }
    }
    Ok(bodies.iter().map(|body| body.text("name").unwrap_or_default().to_owned()).collect())
}

/// A body of a planar or spatial scene.
pub(super) fn read_body(table: &TableReader<'_>, dimension: Dimension) -> Result<Body, Fault> {
    let orientation = read_orientation(table)?;
    let body = match table.table("shape") {
        Some(shape) => from_shape(table, shape, dimension, &orientation)?,
        None => from_inertia(table, dimension, &orientation)?,
    };
    let vector = |key: &str| table.numbers(key).map_or_else(Vector3::zeros, Numbers::vector);
    let spin = table.numbers("angular_velocity").map_or_else(Vector3::zeros, Numbers::spin);
    Ok(body.at(vector("position")).moving(vector("velocity"), spin))
}

fn from_shape(
    table: &TableReader<'_>,
    shape: &TableReader<'_>,
    dimension: Dimension,
    orientation: &UnitQuaternion<f64>,
) -> Result<Body, Fault> {
    if let Some(inertia) = table.entry("inertia") {
        return Err(Fault::at(inertia.key_span.clone(), format!("{} has both `shape` and `inertia`", table.title()))
            .label("expected one of them")
            .context(shape.span.clone(), "the shape gives the inertia"));
    }
    let amount = match (table.numbers("mass"), table.entry("density")) {
        (Some(mass), None) => Amount::Mass(mass.first()),
        (None, Some(_)) => Amount::Density(table.require("density")?.first()),
        (Some(_), Some(density)) => {
            return Err(Fault::at(
                density.key_span.clone(),
                format!("{} has both `mass` and `density`", table.title()),
            )
            .label("expected one of them")
            .context(table.span_of("mass"), "the mass"));
        }
        (None, None) => {
            return Err(Fault::at(table.span.clone(), format!("{} has neither `mass` nor `density`", table.title()))
                .label("expected one of them beside `shape`"));
        }
    };
    let solid = read_shape(shape)?;
    let refused = |error: Error| match error {
        Error::NotPositive { .. } => Fault::at(shape.span.clone(), format!("{} is too thin", table.title()))
            .label("expected a thicker shape, or `rod`"),
        other => Fault::at(shape.span.clone(), format!("{} is no possible body: {other}", table.title()))
            .label("expected another size, mass or density"),
    };
    let MassProperties { mass, moments } = solid.mass_properties(amount).map_err(refused)?;
    for (what, value) in [("mass", mass), ("moment of inertia", moments[2])] {
        if !(SMALLEST..=LARGEST).contains(&value) {
            return Err(Fault::at(shape.span.clone(), format!("{} has the {what} {value:e}", table.title()))
                .label(format!("expected from {SMALLEST:e} to {LARGEST:e}")));
        }
    }
    match dimension {
        Dimension::Planar => solid.planar_body(amount).map_err(refused),
        Dimension::Spatial => solid.spatial_body(amount, orientation).map_err(refused),
    }
}

fn from_inertia(
    table: &TableReader<'_>,
    dimension: Dimension,
    orientation: &UnitQuaternion<f64>,
) -> Result<Body, Fault> {
    if let Some(density) = table.entry("density") {
        return Err(Fault::at(density.key_span.clone(), format!("{} has a `density` but no `shape`", table.title()))
            .label("expected `mass` and `inertia`, or a `shape`"));
    }
    let mass = table.require("mass")?.first();
    let inertia = table.require("inertia")?;
    let refused = |error: Error| misfit(table, "inertia", &error);
    match dimension {
        Dimension::Planar => Body::planar(mass, inertia.first()).map_err(refused),
        Dimension::Spatial => {
            let tensor = inertia.matrix();
            // The tensor as written is checked first, so that a fault names its own entries.
            let upright = Body::new(mass, &tensor).map_err(refused)?;
            if table.entry("orientation").is_none() {
                return Ok(upright);
            }
            let turn = orientation.to_rotation_matrix().into_inner();
            Body::new(mass, &(turn * tensor * turn.transpose())).map_err(refused)
        }
    }
}

/// How the body's axes are turned in space; a planar angle changes nothing that one collision depends on.
fn read_orientation(table: &TableReader<'_>) -> Result<UnitQuaternion<f64>, Fault> {
    match table.numbers("orientation") {
        Some(numbers) if numbers.dimension == Some(Dimension::Spatial) => {
            let [w, x, y, z] = numbers.array();
            UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0).ok_or_else(|| {
                Fault::at(table.span_of("orientation"), "the quaternion is zero")
                    .label("expected [w, x, y, z], not all zero; [1, 0, 0, 0] is no rotation")
            })
        }
        _ => Ok(UnitQuaternion::identity()),
    }
}
