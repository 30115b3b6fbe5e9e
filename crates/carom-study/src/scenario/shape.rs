//! `shape` of a body.

use super::fault::Fault;
use super::numbers::Numbers;
use super::table::TableReader;
use carom::Shape;

/// The shape whose one key is given.
pub(super) fn read_shape(table: &TableReader<'_>) -> Result<Shape, Fault> {
    let unknown = || Fault::at(table.span.clone(), "`shape` is empty").label("expected one key");
    let key = table.entries().first().ok_or_else(unknown)?.field.key;
    let solid = table.table(key).ok_or_else(unknown)?;
    let number = |key: &str| solid.require(key).map(Numbers::first);
    match key {
        "ball" => Ok(Shape::Ball { radius: number("radius")? }),
        "disk" => Ok(Shape::Disk { radius: number("radius")? }),
        "rod" => Ok(Shape::Rod { length: number("length")? }),
        "box" => Ok(Shape::Box { size: solid.require("size")?.array() }),
        "cylinder" => Ok(Shape::Cylinder { radius: number("radius")?, length: number("length")? }),
        "ellipsoid" => Ok(Shape::Ellipsoid { semi_axes: solid.require("semi_axes")?.array() }),
        "shell" => Ok(Shape::Shell { radius: number("radius")? }),
        "hoop" => Ok(Shape::Hoop { radius: number("radius")? }),
        "capsule" => Ok(Shape::Capsule { radius: number("radius")?, length: number("length")? }),
        _ => Err(unknown()),
    }
}
