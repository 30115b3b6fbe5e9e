//! Meshes: the points of an OBJ or STL file.

use super::fault::{Fault, shown};
use super::file::read_limited;
use super::numbers::{LARGEST, Numbers};
use super::shape::hollow;
use super::table::TableReader;
use carom::sim::Hull;
use std::path::Path;

/// A part of a robot has some ten thousand triangles, at 50 bytes each.
const LARGEST_MESH: u64 = 1 << 25;

/// Points of one mesh beyond which its hull is no part of a simulation.
const MOST_POINTS: usize = 1_000_000;

/// The convex hull of the mesh that a table names.
pub(super) fn read_mesh(table: &TableReader<'_>, folder: Option<&Path>) -> Result<Hull, Fault> {
    let name = table.text("file").unwrap_or_default();
    let span = table.span_of("file");
    let scale = table.numbers("scale").map_or(1.0, Numbers::first);
    let Some(folder) = folder else {
        return Err(Fault::at(span, format!("{} cannot be found", shown(name)))
            .label("expected a scenario file whose folder it stands in, not standard input"));
    };
    let points = read_points(&folder.join(name))
        .map_err(|reason| Fault::at(span, format!("cannot read the mesh {}: {reason}", shown(name))))?;
    let scaled: Vec<[f64; 3]> = points.iter().map(|point| point.map(|x| x * scale)).collect();
    Hull::polyhedron(&scaled).map_err(|error| hollow(table, "file", &error))
}

/// The points of a mesh, by the ending of its name; or why there are none, in words.
pub(super) fn read_points(path: &Path) -> Result<Vec<[f64; 3]>, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let points = match ending.as_str() {
        "obj" => points_of_obj(&read_limited(path, LARGEST_MESH)?)?,
        "stl" => points_of_stl(&read_limited(path, LARGEST_MESH)?)?,
        _ => return Err("expected a name that ends in .obj or .stl".to_owned()),
    };
    if points.len() > MOST_POINTS {
        return Err(format!("it has {} points; expected {MOST_POINTS} at most", points.len()));
    }
    if points.iter().flatten().any(|x| x.abs() > LARGEST || x.is_nan()) {
        return Err(format!("a coordinate is no number or beyond {LARGEST:e}"));
    }
    Ok(points)
}

fn points_of_obj(bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let mut points = Vec::new();
    for (line, words) in text.lines().enumerate() {
        let mut words = words.split_whitespace();
        if words.next() == Some("v") {
            points.push(point(&mut words).ok_or_else(|| format!("line {}: expected `v x y z`", line + 1))?);
        }
    }
    if points.is_empty() { Err("it has no points; expected lines `v x y z`".to_owned()) } else { Ok(points) }
}

/// Binary if its length is what the count of triangles in it says, else text.
fn points_of_stl(bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    const HEADER: usize = 84;
    const TRIANGLE: usize = 50;
    if let Some(count) = bytes.get(80..HEADER).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes)
        && bytes.len() as u64 == HEADER as u64 + u64::from(count) * TRIANGLE as u64
    {
        let number = |four: &[u8]| four.try_into().map_or(f64::NAN, |four| f64::from(f32::from_le_bytes(four)));
        let corner = |twelve: &[u8]| [0, 4, 8].map(|at| number(&twelve[at..at + 4]));
        let triangles = bytes[HEADER..].chunks_exact(TRIANGLE);
        // The normal comes first, then three corners.
        return Ok(distinct(triangles.flat_map(|t| [12, 24, 36].map(|at| corner(&t[at..at + 12]))).collect()));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| "it is neither text nor a binary STL of its length".to_owned())?;
    let mut points = Vec::new();
    for (line, words) in text.lines().enumerate() {
        let mut words = words.split_whitespace();
        if words.next() == Some("vertex") {
            points.push(point(&mut words).ok_or_else(|| format!("line {}: expected `vertex x y z`", line + 1))?);
        }
    }
    if points.is_empty() {
        Err("it has no points; expected lines `vertex x y z`".to_owned())
    } else {
        Ok(distinct(points))
    }
}

/// Every triangle names its corners anew.
fn distinct(mut points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2])));
    points.dedup();
    points
}

fn point<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<[f64; 3]> {
    let mut next = || words.next()?.parse::<f64>().ok();
    Some([next()?, next()?, next()?])
}
