//! What moves and what stands still.

use super::materials::MaterialTable;
use super::parts::read_parts;
use super::read_names;
use crate::scenario::body::{self, read_mover, untouchable};
use crate::scenario::fault::Fault;
use crate::scenario::files::Files;
use crate::scenario::misfit::misfit;
use crate::scenario::pose::read_pose;
use crate::scenario::shape::{read_shape, simplification};
use crate::scenario::table::TableReader;
use carom::Dimension;
use carom::Error;
use carom::sim::{BodyId, Core, MaterialId, Part, SceneBody, State};
use std::ops::Range;

/// Bodies and surroundings.
#[derive(Default)]
pub(super) struct Bodies {
    pub names: Vec<String>,
    pub movers: Vec<SceneBody>,
    pub world: Vec<Part>,
    pub world_names: Vec<String>,
    /// Where the tables of bodies, and of parts of the world, stand in the file; those of robots, which follow them, do not.
    pub spans: Vec<Range<usize>>,
    pub world_spans: Vec<Range<usize>>,
    /// What was simplified.
    pub remarks: Vec<String>,
}

impl Bodies {
    /// The state of a body, or of the world.
    pub fn state(&self, body: Option<BodyId>) -> State {
        body.and_then(|body| self.movers.get(body.index())).map_or_else(State::world, |mover| mover.state)
    }
}

pub(super) fn read_bodies(
    file: &TableReader<'_>,
    dimension: Dimension,
    files: &Files,
    materials: &MaterialTable,
) -> Result<Bodies, Fault> {
    let tables = file.tables("body");
    let mut bodies = Bodies { names: body::read_names(tables)?, ..Bodies::default() };
    for (place, table) in tables.iter().enumerate() {
        let material = materials.of_body(table, place)?;
        bodies.spans.push(table.span.clone());
        let mut mover = read_mover(table, dimension, files, material)?;
        if let Some(parts) = read_parts(table, dimension, materials, material)? {
            if parts.iter().any(|part| matches!(part.core, Core::HalfSpace { .. })) {
                return Err(Fault::at(table.span_of("parts"), "a body has a half-space")
                    .label("expected half-spaces of obstacles only"));
            }
            mover = mover.with_parts(parts);
        }
        bodies.movers.push(mover);
        bodies.remark(table, dimension, files);
    }
    let walls = file.tables("wall");
    for (wall, name) in walls.iter().zip(read_names(walls)?) {
        bodies.world.push(read_wall(wall, materials.of_surroundings(wall)?)?);
        bodies.world_names.push(name);
        bodies.world_spans.push(wall.span.clone());
    }
    let obstacles = file.tables("obstacle");
    for (obstacle, name) in obstacles.iter().zip(read_names(obstacles)?) {
        let material = materials.of_surroundings(obstacle)?;
        let parts = match read_parts(obstacle, dimension, materials, material)? {
            Some(parts) => parts,
            None => read_obstacle(obstacle, dimension, files, material)?,
        };
        for part in parts {
            bodies.world.push(part);
            bodies.world_names.push(name.clone());
            bodies.world_spans.push(obstacle.span.clone());
        }
        bodies.remark(obstacle, dimension, files);
    }
    Ok(bodies)
}

impl Bodies {
    fn remark(&mut self, table: &TableReader<'_>, dimension: Dimension, files: &Files) {
        let words = table.table("shape").map_or_else(Vec::new, |shape| simplification(shape, dimension, files));
        self.remarks.extend(words.into_iter().map(|words| format!("{}: {words}", table.title().replace('`', ""))));
    }
}

fn read_wall(table: &TableReader<'_>, material: MaterialId) -> Result<Part, Fault> {
    let normal = table.require("normal")?.vector();
    let normal =
        normal.try_normalize(0.0).ok_or_else(|| misfit(table, "normal", &Error::ZeroDirection { what: "normal" }))?;
    Ok(Part::half_space(normal, normal.dot(&table.require("point")?.vector()), material))
}

fn read_obstacle(
    table: &TableReader<'_>,
    dimension: Dimension,
    files: &Files,
    material: MaterialId,
) -> Result<Vec<Part>, Fault> {
    let Some(shape) = table.table("shape") else {
        return Err(Fault::at(table.span.clone(), format!("{} has no `shape`", table.title())));
    };
    let pose = read_pose(table)?;
    let solid = read_shape(shape, dimension, files)?;
    let parts = solid.parts(dimension, material).map_err(|error| untouchable(shape, &error))?;
    Ok(parts.into_iter().map(|part| part.moved(&pose)).collect())
}
