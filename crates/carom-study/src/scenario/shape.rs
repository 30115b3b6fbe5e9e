//! `shape` of a body or an obstacle.

use super::fault::Fault;
use super::files::Files;
use super::mesh::read_mesh;
use super::numbers::Numbers;
use super::pose::read_pose;
use super::table::TableReader;
use carom::Dimension;
use carom::sim::{Hull, Matter, Solid};
use carom::{Amount, Error, Shape};
use nalgebra::Vector3;

/// The shape whose one key is given. Files of meshes are among `files`.
pub(crate) fn read_shape(table: &TableReader<'_>, dimension: Dimension, files: &Files) -> Result<Solid, Fault> {
    let unknown = || Fault::at(table.span.clone(), "`shape` is empty").label("expected one key");
    let key = table.entries().first().ok_or_else(unknown)?.field.key;
    if key == "compound" {
        return read_compound(table, dimension, files);
    }
    let solid = table.table(key).ok_or_else(unknown)?;
    let number = |key: &str| solid.require(key).map(Numbers::first);
    let simple = match key {
        "ball" => Shape::Ball { radius: number("radius")? },
        "disk" => Shape::Disk { radius: number("radius")? },
        "rod" => Shape::Rod { length: number("length")? },
        "box" => {
            let size = solid.require("size")?;
            if size.dimension == Some(Dimension::Planar) {
                only_in(Dimension::Planar, dimension, solid, "a flat box", "3 edges")?;
                return Ok(Solid::Polygon(Hull::rectangle(size.array())));
            }
            Shape::Box { size: size.array() }
        }
        "cylinder" => Shape::Cylinder { radius: number("radius")?, length: number("length")? },
        "ellipsoid" => Shape::Ellipsoid { semi_axes: solid.require("semi_axes")?.array() },
        "shell" => Shape::Shell { radius: number("radius")? },
        "hoop" => Shape::Hoop { radius: number("radius")? },
        "capsule" => Shape::Capsule { radius: number("radius")?, length: number("length")? },
        "polygon" => {
            only_in(Dimension::Planar, dimension, solid, "a polygon", "`polyhedron`")?;
            let hull = Hull::polygon(&solid.require("vertices")?.rows());
            return hull.map(Solid::Polygon).map_err(|error| hollow(solid, "vertices", &error));
        }
        "polyhedron" => {
            only_in(Dimension::Spatial, dimension, solid, "a polyhedron", "`polygon`")?;
            let hull = Hull::polyhedron(&solid.require("vertices")?.rows());
            return hull.map(Solid::Polyhedron).map_err(|error| hollow(solid, "vertices", &error));
        }
        "mesh" => {
            only_in(Dimension::Spatial, dimension, solid, "a mesh", "`polygon`")?;
            return read_mesh(solid, files).map(|(hull, _)| Solid::Polyhedron(hull));
        }
        _ => return Err(unknown()),
    };
    Ok(Solid::Shape(simple))
}

/// Refuses a shape of the other kind of scene.
fn only_in(
    home: Dimension,
    dimension: Dimension,
    table: &TableReader<'_>,
    what: &str,
    instead: &str,
) -> Result<(), Fault> {
    if home == dimension {
        return Ok(());
    }
    Err(Fault::at(table.span.clone(), format!("{what} is {home}, but the rest is {dimension}"))
        .label(format!("expected {instead}")))
}

pub(super) fn hollow(table: &TableReader<'_>, key: &str, error: &Error) -> Fault {
    match error {
        Error::NoSolid { what, expected } => {
            Fault::at(table.span_of(key), format!("{what} encloses nothing")).label(format!("expected {expected}"))
        }
        other => Fault::at(table.span_of(key), other.to_string()),
    }
}

fn read_compound(table: &TableReader<'_>, dimension: Dimension, files: &Files) -> Result<Solid, Fault> {
    let pieces = table.tables("compound");
    if pieces.is_empty() {
        return Err(Fault::at(table.span_of("compound"), "`compound` is empty").label("expected at least one piece"));
    }
    let mut solids = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let Some(shape) = piece.table("shape") else {
            return Err(Fault::at(piece.span.clone(), "a piece has no `shape`"));
        };
        solids.push((read_shape(shape, dimension, files)?, read_pose(piece)?));
    }
    Ok(Solid::Compound(solids))
}

/// Mass, centre of mass and inertia of a body of homogeneous shape, or of pieces that have their own masses.
pub(crate) fn read_matter(body: &TableReader<'_>, shape: &TableReader<'_>, solid: &Solid) -> Result<Matter, Fault> {
    let pieces = shape.tables("compound");
    if let (Some(weighed), Solid::Compound(solids)) = (pieces.iter().find(|piece| piece.entry("mass").is_some()), solid)
    {
        if let Some(twice) = ["mass", "density"].iter().find_map(|key| body.entry(key)) {
            return Err(Fault::at(twice.key_span.clone(), format!("{} has a `{}`", body.title(), twice.field.key))
                .label("expected it here or in the pieces")
                .context(weighed.span_of("mass"), "this piece has its own mass"));
        }
        let mut matter = Vec::with_capacity(pieces.len());
        for (piece, (solid, pose)) in pieces.iter().zip(solids) {
            let Some(mass) = piece.numbers("mass") else {
                return Err(Fault::at(piece.span.clone(), "this piece has no `mass`")
                    .label("expected `mass` in all pieces or in none")
                    .context(weighed.span_of("mass"), "another one has"));
            };
            let own = solid.matter(Amount::Mass(mass.first())).map_err(|error| impossible(body, piece, &error))?;
            matter.push(own.moved(pose));
        }
        return Matter::sum(&matter).ok_or_else(|| Fault::at(shape.span.clone(), "`compound` is empty"));
    }
    let amount = read_amount(body)?;
    if solid.extent().is_none() {
        return Err(Fault::at(shape.span_of("compound"), "these pieces have no common measure of matter")
            .label("expected solids only, or flat shapes only, or `mass` in every piece")
            .help(
                "density is per volume for solids, per area for flat shapes and shells, per length for rods and hoops",
            ));
    }
    solid.matter(amount).map_err(|error| impossible(body, shape, &error))
}

/// Mass or density of a body with a shape.
pub(super) fn read_amount(table: &TableReader<'_>) -> Result<Amount, Fault> {
    match (table.numbers("mass"), table.entry("density")) {
        (Some(mass), None) => Ok(Amount::Mass(mass.first())),
        (None, Some(_)) => Ok(Amount::Density(table.require("density")?.first())),
        (Some(_), Some(density)) => {
            Err(Fault::at(density.key_span.clone(), format!("{} has both `mass` and `density`", table.title()))
                .label("expected one of them")
                .context(table.span_of("mass"), "the mass"))
        }
        (None, None) => {
            Err(Fault::at(table.span.clone(), format!("{} has neither `mass` nor `density`", table.title()))
                .label("expected one of them beside `shape`"))
        }
    }
}

/// The fault of a shape that is sound but whose matter is not.
pub(super) fn impossible(body: &TableReader<'_>, shape: &TableReader<'_>, error: &Error) -> Fault {
    match error {
        Error::NotPositive { .. } => Fault::at(shape.span.clone(), format!("{} is too thin", body.title()))
            .label("expected a thicker shape, or `rod`"),
        other => Fault::at(shape.span.clone(), format!("{} is no possible body: {other}", body.title()))
            .label("expected another size, mass or density"),
    }
}

/// Words for what is simplified where a shape touches, if anything is.
pub(super) fn simplification(table: &TableReader<'_>, dimension: Dimension, files: &Files) -> Vec<String> {
    let pieces = table.tables("compound").iter().filter_map(|piece| piece.table("shape"));
    let mut words = Vec::new();
    for shape in std::iter::once(table).chain(pieces) {
        if shape.entry("cylinder").is_some() && dimension == Dimension::Spatial {
            words.push(format!("a cylinder touches as a prism of {} sides", Solid::CYLINDER_SIDES));
        }
        if let Some(polygon) = shape.table("polygon")
            && is_dented(polygon)
        {
            words.push("the polygon has dents and is replaced by its convex hull".to_owned());
        }
        if let Some(mesh) = shape.table("mesh")
            && !read_mesh(mesh, files).is_ok_and(|(_, convex)| convex)
        {
            words.push(format!("the mesh {} is replaced by its convex hull", mesh.text("file").unwrap_or_default()));
        }
    }
    words.dedup();
    words
}

/// Whether some corner of a polygon lies inside the hull of all.
fn is_dented(table: &TableReader<'_>) -> bool {
    // Of the polygon's size, what rounding of its corners amounts to.
    const ROUNDING: f64 = 1e-9;
    let Some(corners) = table.numbers("vertices").map(Numbers::rows::<2>) else { return false };
    let Ok(hull) = Hull::polygon(&corners) else { return false };
    let outline = hull.vertices();
    let size = outline.iter().map(|a| (a - outline[0]).norm()).fold(0.0, f64::max);
    corners.iter().any(|[x, y]| {
        let corner = Vector3::new(*x, *y, 0.0);
        let to_edge = |k: usize| distance(&corner, &outline[k], &outline[(k + 1) % outline.len()]);
        (0..outline.len()).map(to_edge).fold(f64::INFINITY, f64::min) > ROUNDING * size
    })
}

/// From a point to a line segment.
fn distance(point: &Vector3<f64>, from: &Vector3<f64>, to: &Vector3<f64>) -> f64 {
    let along = to - from;
    let share = (point - from).dot(&along) / along.norm_squared();
    (point - from - along * share.clamp(0.0, 1.0)).norm()
}
