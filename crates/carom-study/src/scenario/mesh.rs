//! Meshes: the points of an OBJ or STL file, and how much they enclose.

use super::fault::{Fault, shown};
use super::files::Files;
use super::numbers::{LARGEST, Numbers};
use super::shape::hollow;
use super::table::TableReader;
use carom::sim::{Hull, Solid};
use carom::{Amount, Error};
use nalgebra::Vector3;
use std::path::Path;
use std::sync::Arc;

/// A part of a robot has some ten thousand triangles, at 50 bytes each.
const LARGEST_MESH: u64 = 1 << 25;

/// Points of one mesh beyond which its hull is no part of a simulation.
const MOST_POINTS: usize = 1_000_000;

/// A relative difference of volumes that is rounding: STL files hold seven digits.
const ROUNDING: f64 = 1e-5;

/// The contents of a mesh file.
pub(super) struct Mesh {
    points: Vec<[f64; 3]>,
    /// That its triangles enclose, m³; 0 if it has none.
    volume: f64,
}

/// The convex hull of the mesh that a table names, and whether the mesh is that hull.
pub(super) fn read_mesh(table: &TableReader<'_>, files: &Files) -> Result<(Hull, bool), Fault> {
    let name = table.text("file").unwrap_or_default();
    let span = table.span_of("file");
    let scale = table.numbers("scale").map_or(1.0, Numbers::first);
    if !files.are_somewhere() {
        return Err(Fault::at(span, format!("{} cannot be found", shown(name)))
            .label("expected a scenario file whose folder it stands in, not standard input"));
    }
    let mesh = Mesh::read(name, |most| files.read(name, most))
        .map_err(|reason| Fault::at(span, format!("cannot read the mesh {}: {reason}", shown(name))))?;
    mesh.hull(&Vector3::repeat(scale)).map_err(|error| hollow(table, "file", &error))
}

impl Mesh {
    /// Reads a mesh by the ending of its name, its bytes by how many there may be; or why there is none, in words.
    pub fn read(name: &str, bytes: impl FnOnce(u64) -> Result<Arc<[u8]>, String>) -> Result<Mesh, String> {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let mesh = match ending.as_str() {
            "obj" => mesh_of_obj(&bytes(LARGEST_MESH)?)?,
            "stl" => mesh_of_stl(&bytes(LARGEST_MESH)?)?,
            _ => return Err("expected a name that ends in .obj or .stl".to_owned()),
        };
        if mesh.points.len() > MOST_POINTS {
            return Err(format!("it has {} points; expected {MOST_POINTS} at most", mesh.points.len()));
        }
        if mesh.points.iter().flatten().any(|x| x.abs() > LARGEST || x.is_nan()) {
            return Err(format!("a coordinate is no number or beyond {LARGEST:e}"));
        }
        Ok(mesh)
    }

    /// Its convex hull when it is stretched along the axes, and whether it fills that hull.
    pub fn hull(&self, scale: &Vector3<f64>) -> Result<(Hull, bool), Error> {
        let stretched = |point: &[f64; 3]| Vector3::from(*point).component_mul(scale).into();
        let hull = Hull::polyhedron(&self.points.iter().map(stretched).collect::<Vec<[f64; 3]>>())?;
        let filled = Solid::Polyhedron(hull.clone()).matter(Amount::Density(1.0))?.mass;
        let own = self.volume * scale.product().abs();
        Ok((hull, (filled - own).abs() <= ROUNDING * filled))
    }
}

fn mesh_of_obj(bytes: &[u8]) -> Result<Mesh, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for (line, words) in text.lines().enumerate() {
        let mut words = words.split_whitespace();
        match words.next() {
            Some("v") => {
                points.push(point(&mut words).ok_or_else(|| format!("line {}: expected `v x y z`", line + 1))?);
            }
            // Faces only decide whether the mesh is convex: one that cannot be read makes it hollow.
            Some("f") => {
                let corners: Vec<[f64; 3]> = words.filter_map(|word| corner(word, &points)).collect();
                triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
            }
            _ => {}
        }
    }
    if points.is_empty() {
        return Err("it has no points; expected lines `v x y z`".to_owned());
    }
    Ok(Mesh { volume: volume(&triangles), points })
}

/// A corner of a face in OBJ, `7`, `7/1` or `7/1/2`: from 1, or from the last point if negative.
fn corner(word: &str, points: &[[f64; 3]]) -> Option<[f64; 3]> {
    let place: isize = word.split('/').next()?.parse().ok()?;
    let place = if place < 0 { points.len().checked_add_signed(place)? } else { usize::try_from(place - 1).ok()? };
    points.get(place).copied()
}

/// Binary if its length is what the count of triangles in it says, else text.
fn mesh_of_stl(bytes: &[u8]) -> Result<Mesh, String> {
    const HEADER: usize = 84;
    const TRIANGLE: usize = 50;
    let of_corners = |corners: Vec<[f64; 3]>| {
        let triangles: Vec<_> = corners.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect();
        Mesh { volume: volume(&triangles), points: distinct(corners) }
    };
    if let Some(count) = bytes.get(80..HEADER).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes)
        && bytes.len() as u64 == HEADER as u64 + u64::from(count) * TRIANGLE as u64
    {
        let number = |four: &[u8]| four.try_into().map_or(f64::NAN, |four| f64::from(f32::from_le_bytes(four)));
        let corner = |twelve: &[u8]| [0, 4, 8].map(|at| number(&twelve[at..at + 4]));
        let triangles = bytes[HEADER..].chunks_exact(TRIANGLE);
        // The normal comes first, then three corners.
        return Ok(of_corners(triangles.flat_map(|t| [12, 24, 36].map(|at| corner(&t[at..at + 12]))).collect()));
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
        Ok(of_corners(points))
    }
}

/// The volume that triangles enclose: pyramids over them, whose tip is a corner of the first lest digits cancel.
fn volume(triangles: &[[[f64; 3]; 3]]) -> f64 {
    let Some(tip) = triangles.first().map(|triangle| Vector3::from(triangle[0])) else { return 0.0 };
    let pyramid = |corners: &[[f64; 3]; 3]| {
        let [a, b, c] = corners.map(|corner| Vector3::from(corner) - tip);
        a.dot(&b.cross(&c)) / 6.0
    };
    triangles.iter().map(pyramid).sum::<f64>().abs()
}

/// Every triangle lists its own corners.
fn distinct(mut points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2])));
    points.dedup();
    points
}

fn point<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<[f64; 3]> {
    let mut next = || words.next()?.parse::<f64>().ok();
    Some([next()?, next()?, next()?])
}
