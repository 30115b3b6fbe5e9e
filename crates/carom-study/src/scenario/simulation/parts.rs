//! `parts` of a body or an obstacle: the convex pieces of its surface, to the last bit.

use super::materials::MaterialTable;
use crate::scenario::fault::Fault;
use crate::scenario::numbers::Numbers;
use crate::scenario::pose::read_pose;
use crate::scenario::shape::hollow;
use crate::scenario::table::TableReader;
use carom::Dimension;
use carom::sim::{Core, Hull, MaterialId, Part};
use nalgebra::Vector3;

/// The parts that a table lists, of the table's material unless they say otherwise; nothing where it lists none.
pub(super) fn read_parts(
    table: &TableReader<'_>,
    dimension: Dimension,
    materials: &MaterialTable,
    material: MaterialId,
) -> Result<Option<Vec<Part>>, Fault> {
    let Some(entry) = table.entry("parts") else { return Ok(None) };
    if let Some(shape) = table.entry("shape") {
        return Err(Fault::at(entry.key_span.clone(), format!("{} has both `shape` and `parts`", table.title()))
            .label("expected one of them")
            .context(shape.key_span.clone(), "the shape"));
    }
    let part = |part: &TableReader<'_>| {
        let material = materials.of_part(part)?.unwrap_or(material);
        read_part(part, dimension, material)
    };
    table.tables("parts").iter().map(part).collect::<Result<_, _>>().map(Some)
}

fn read_part(table: &TableReader<'_>, dimension: Dimension, material: MaterialId) -> Result<Part, Fault> {
    let radius = table.numbers("radius").map_or(0.0, Numbers::first);
    match (table.numbers("vertices"), table.table("ellipsoid"), table.table("half_space")) {
        (Some(corners), None, None) if radius == 0.0 && corners.values().len() <= 3 => {
            Err(Fault::at(table.span_of("vertices"), "a single corner has no extent")
                .label("expected a `radius` above 0 beside it, or more corners"))
        }
        (Some(_), None, None) => Ok(Part { core: Core::Hull(read_hull(table, dimension)?), radius, material }),
        (None, Some(ellipsoid), None) => {
            let pose = read_pose(ellipsoid)?;
            let semi_axes = ellipsoid.require("semi_axes")?.vector();
            let core = Core::Ellipsoid { centre: pose.position, axes: pose.orientation, semi_axes };
            Ok(Part { core, radius, material })
        }
        (None, None, Some(half_space)) => {
            let normal = unit(half_space)?;
            let core = Core::HalfSpace { normal, offset: half_space.require("offset")?.first() };
            Ok(Part { core, radius, material })
        }
        _ => Err(Fault::at(table.span.clone(), "a part is one thing")
            .label("expected `vertices`, `ellipsoid` or `half_space`")),
    }
}

fn read_hull(table: &TableReader<'_>, dimension: Dimension) -> Result<Hull, Fault> {
    let corners = table.require("vertices")?;
    if corners.dimension != Some(dimension) {
        return Err(Fault::at(table.span_of("vertices"), format!("the corners of a {dimension} part"))
            .label(format!("expected rows of {} numbers", if dimension == Dimension::Planar { 2 } else { 3 })));
    }
    let vertices: Vec<Vector3<f64>> = match dimension {
        Dimension::Planar => corners.rows::<2>().into_iter().map(|[x, y]| Vector3::new(x, y, 0.0)).collect(),
        Dimension::Spatial => corners.rows::<3>().into_iter().map(Vector3::from).collect(),
    };
    let mut sorted: Vec<[f64; 3]> = vertices.iter().map(|vertex| (*vertex).into()).collect();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2])));
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Fault::at(table.span_of("vertices"), "two corners are at one place").label("expected each once"));
    }
    let face = |face: &TableReader<'_>| {
        let places = face.require("corners")?.values();
        if let Some(odd) = places.iter().find(|place| place.fract() != 0.0) {
            return Err(Fault::at(face.span_of("corners"), format!("{odd} is no place of a corner"))
                .label("expected whole numbers, from 0"));
        }
        Ok((unit(face)?, places.iter().map(|place| *place as usize).collect()))
    };
    let faces = table.tables("face").iter().map(face).collect::<Result<_, Fault>>()?;
    Hull::of_faces(vertices, faces, dimension).map_err(|error| hollow(table, "vertices", &error))
}

/// How far the length of a unit vector may be from 1: the rounding of numbers with twelve digits.
const ROUNDING: f64 = 1e-11;

/// The unit vector `normal`, as it is written.
fn unit(table: &TableReader<'_>) -> Result<Vector3<f64>, Fault> {
    let normal = table.require("normal")?.vector();
    if (normal.norm() - 1.0).abs() <= ROUNDING {
        return Ok(normal);
    }
    Err(Fault::at(table.span_of("normal"), format!("`normal` has the length {}", normal.norm()))
        .label("expected a vector of length 1"))
}
