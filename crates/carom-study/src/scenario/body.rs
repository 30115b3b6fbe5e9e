//! `[[body]]`.

use super::fault::Fault;
use super::files::Files;
use super::misfit::misfit;
use super::numbers::{LARGEST, Numbers, SMALLEST};
use super::pose::{read_orientation, read_pose};
use super::shape::{impossible, read_amount, read_matter, read_shape};
use super::table::TableReader;
use carom::Dimension;
use carom::sim::{MaterialId, Matter, Pose, SceneBody, Solid, State};
use carom::{Amount, Body, Error};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
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

/// A body of a planar or spatial scene. Files of meshes are among `files`.
pub(super) fn read_body(table: &TableReader<'_>, dimension: Dimension, files: &Files) -> Result<Body, Fault> {
    let orientation = read_orientation(table)?;
    let body = match table.table("shape") {
        Some(shape) if table.entry("inertia").is_none() => {
            let solid = read_shape(shape, dimension, files)?;
            from_shape(table, shape, &solid, dimension, &orientation)?
        }
        _ => from_inertia(table, dimension, &orientation)?,
    };
    let Motion { velocity, spin } = read_motion(table);
    let position = table.numbers("position").map_or_else(Vector3::zeros, Numbers::vector);
    Ok(body.at(position).moving(velocity, spin))
}

/// A body that moves through time, made of a material and in the state of the start.
pub(super) fn read_mover(
    table: &TableReader<'_>,
    dimension: Dimension,
    files: &Files,
    material: MaterialId,
) -> Result<SceneBody, Fault> {
    let pose = read_pose(table)?;
    let shape = table.table("shape");
    let solid = shape.map(|shape| read_shape(shape, dimension, files)).transpose()?;
    let matter = match (shape, &solid) {
        (Some(shape), Some(solid)) if table.entry("inertia").is_none() => {
            if let Some(centre) = table.entry("centre_of_mass") {
                return Err(Fault::at(centre.key_span.clone(), "`centre_of_mass` is given without `inertia`")
                    .label("expected `inertia` about it as well"));
            }
            from_shape(table, shape, solid, dimension, &pose.orientation)?;
            read_matter(table, shape, solid)?
        }
        _ => {
            from_inertia(table, dimension, &pose.orientation)?;
            read_given_matter(table, solid.as_ref(), dimension)?
        }
    };
    let refused = |error: Error| misfit(table, if solid.is_some() { "shape" } else { "inertia" }, &error);
    let mut mover = SceneBody::new(matter.mass, matter.inertia);
    mover.check(dimension).map_err(refused)?;
    if let (Some(solid), Some(shape)) = (&solid, shape) {
        let to_centre = Pose { position: -matter.centre, ..Pose::identity() };
        let parts = solid.parts(dimension, material).map_err(|error| untouchable(shape, &error))?;
        mover = mover.with_parts(parts.into_iter().map(|part| part.moved(&to_centre)).collect());
    }
    let Motion { velocity, spin } = read_motion(table);
    Ok(mover.at(pose, velocity, spin))
}

/// The state in which a body that moves through time starts.
pub(super) fn read_state(table: &TableReader<'_>) -> Result<State, Fault> {
    let Motion { velocity, spin } = read_motion(table);
    Ok(State { pose: read_pose(table)?, velocity, angular_velocity: spin })
}

/// The fault of a shape that has mass but nothing to touch with.
pub(super) fn untouchable(shape: &TableReader<'_>, error: &Error) -> Fault {
    match error {
        Error::NoSolid { what, expected } => {
            Fault::at(shape.span.clone(), format!("{what} touches nothing")).label(format!("expected {expected}"))
        }
        other => Fault::at(shape.span.clone(), other.to_string()),
    }
}

struct Motion {
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

fn read_motion(table: &TableReader<'_>) -> Motion {
    Motion {
        velocity: table.numbers("velocity").map_or_else(Vector3::zeros, Numbers::vector),
        spin: table.numbers("angular_velocity").map_or_else(Vector3::zeros, Numbers::spin),
    }
}

fn from_shape(
    table: &TableReader<'_>,
    shape: &TableReader<'_>,
    solid: &Solid,
    dimension: Dimension,
    orientation: &UnitQuaternion<f64>,
) -> Result<Body, Fault> {
    let refused = |error: Error| impossible(table, shape, &error);
    let matter = read_matter(table, shape, solid)?;
    for (what, value) in [("mass", matter.mass), ("moment of inertia", matter.inertia[(2, 2)])] {
        if !(SMALLEST..=LARGEST).contains(&value) {
            return Err(Fault::at(shape.span.clone(), format!("{} has the {what} {value:e}", table.title()))
                .label(format!("expected from {SMALLEST:e} to {LARGEST:e}")));
        }
    }
    match (dimension, solid) {
        (Dimension::Planar, _) => Body::planar(matter.mass, matter.inertia[(2, 2)]).map_err(refused),
        // A thin rod has no moment about its axis, which its own constructor knows.
        (Dimension::Spatial, Solid::Shape(simple)) => {
            simple.spatial_body(read_amount(table)?, orientation).map_err(refused)
        }
        (Dimension::Spatial, _) => {
            let turned = matter.moved(&Pose { orientation: *orientation, ..Pose::identity() });
            Body::new(turned.mass, &turned.inertia).map_err(refused)
        }
    }
}

fn from_inertia(
    table: &TableReader<'_>,
    dimension: Dimension,
    orientation: &UnitQuaternion<f64>,
) -> Result<Body, Fault> {
    if let Some(density) = table.entry("density") {
        let (message, label) = match table.entry("shape") {
            Some(_) => ("has both `density` and `inertia`", "expected `mass` with `inertia`, or no `inertia`"),
            None => ("has a `density` but no `shape`", "expected `mass` and `inertia`, or a `shape`"),
        };
        return Err(Fault::at(density.key_span.clone(), format!("{} {message}", table.title())).label(label));
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

/// Mass and inertia as the file gives them, about a centre of mass in the axes of the shape.
fn read_given_matter(table: &TableReader<'_>, solid: Option<&Solid>, dimension: Dimension) -> Result<Matter, Fault> {
    let (mass, inertia) = (table.require("mass")?.first(), table.require("inertia")?);
    let inertia = match dimension {
        Dimension::Planar => Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, inertia.first())),
        Dimension::Spatial => inertia.matrix(),
    };
    let centre = match (table.numbers("centre_of_mass"), solid) {
        (Some(given), Some(_)) => given.vector(),
        (Some(_), None) => {
            return Err(Fault::at(table.span_of("centre_of_mass"), "`centre_of_mass` is given without `shape`")
                .label("expected a `shape` in whose axes it is; `position` is where it is in the world"));
        }
        // Where pieces of different extent have no common centre, their own axes do.
        (None, Some(solid)) if solid.extent().is_some() => {
            solid.matter(Amount::Mass(1.0)).map_or_else(|_| Vector3::zeros(), |matter| matter.centre)
        }
        (None, _) => Vector3::zeros(),
    };
    Ok(Matter { mass, centre, inertia })
}
