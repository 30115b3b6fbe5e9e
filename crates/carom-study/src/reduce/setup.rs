//! The setup of an experiment: camera, bodies with their marks, wall and forces, as a TOML file.

use super::outline::Outline;
use crate::scenario::{
    Bounds, Fault, Files, Form, Kind, Layout, NOT_NEGATIVE, Need, Numbers, POSITIVE, SHAPE, ScenarioError, Table,
    TableReader, VECTOR, field, form, numbers, parse_toml, read_matter, read_shape, read_text,
};
use carom::Dimension;
use carom::sim::{MaterialId, Matter};
use nalgebra::{Matrix3, Vector3};
use std::path::Path;
use std::sync::LazyLock;

use Need::{Optional, Required};

/// What is known of an experiment besides the tracks.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The file's name, as errors and results call it.
    pub name: String,
    /// What was measured.
    pub title: Option<String>,
    /// Whether the bodies move in a plane.
    pub dimension: Dimension,
    /// What was tracked, in the order of the file.
    pub bodies: Vec<Tracked>,
    /// What a body alone hits.
    pub wall: Option<Wall>,
    /// What changes velocities between collisions.
    pub forces: Forces,
    /// How positions were measured.
    pub camera: Camera,
}

/// A tracked body.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// Its name in the column `body`.
    pub name: String,
    /// kg.
    pub mass: f64,
    /// About the centre of mass, in the axes of the outline, kg m².
    pub inertia: Matrix3<f64>,
    /// Centre of mass in the axes of the outline, m.
    pub centre: Vector3<f64>,
    /// Its surface.
    pub outline: Outline,
    /// The marks, from the centre of mass in the axes of the outline, m.
    pub marks: Vec<Vector3<f64>>,
    /// No faster spin before the collision is possible, rad/s.
    pub largest_spin_before: Option<f64>,
}

/// An immovable wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Unit vector out of the wall; inferred from each collision where it is not known.
    pub normal: Option<Vector3<f64>>,
    /// A point of its surface, m.
    pub point: Option<Vector3<f64>>,
}

/// Accelerations of free flight: g − k v − q |v| v, and −k_s ω of the spin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// m/s².
    pub gravity: Vector3<f64>,
    /// k, 1/s.
    pub linear_drag: f64,
    /// q, 1/m.
    pub quadratic_drag: f64,
    /// k_s, 1/s.
    pub spin_drag: f64,
}

/// How positions became numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Exposures a second, for tables with the column `frame`.
    pub rate: Option<f64>,
    /// Units of the table's coordinates for each metre; 1 where it is in metres.
    pub scale: f64,
    /// The y axis of the table points down, as in pictures.
    pub is_y_down: bool,
    /// Standard deviation of a coordinate, m; measured from the tracks if unknown.
    pub deviation: Option<f64>,
    /// Standard deviation of an angle, rad.
    pub angle_deviation: Option<f64>,
    /// Largest possible error of a coordinate, m; three deviations if unknown.
    pub bound: Option<f64>,
    /// Largest possible error of an angle, rad.
    pub angle_bound: Option<f64>,
}

const POINTS: &[Form] = &[
    form(Layout::Rows(2), Bounds::ANY, Some(Dimension::Planar)),
    form(Layout::Rows(3), Bounds::ANY, Some(Dimension::Spatial)),
];

static TOP: LazyLock<Table> = LazyLock::new(|| Table {
    header: "",
    doc: "The setup of an experiment whose tracks `carom reduce` turns into collisions.",
    fields: vec![
        field("title", Kind::Text, "", Optional("none"), "What was measured, in a few words."),
        field("camera", Kind::Table(&CAMERA), "", Optional("metres and seconds"), "How positions were measured."),
        field("body", Kind::Tables(&BODY), "", Required, "The tracked bodies."),
        field("wall", Kind::Table(&WALL), "", Optional("two bodies collide"), "What a body alone hits."),
        field("force", Kind::Table(&FORCE), "", Optional("none"), "What changes velocities between collisions."),
    ],
    exactly_one: false,
});

static CAMERA: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[camera]",
    doc: "How positions were measured.",
    fields: vec![
        numbers("rate", POSITIVE, "1/s", Optional("the column `time`"), "Exposures a second, for the column `frame`."),
        numbers("scale", POSITIVE, "1/m", Optional("1"), "Units of the coordinates, such as pixels, for each metre."),
        field("y_down", Kind::Flag, "", Optional("false"), "Whether the y axis of the table points down."),
        numbers(
            "deviation",
            POSITIVE,
            "that of the coordinates",
            Optional("from the tracks"),
            "Standard deviation of a coordinate.",
        ),
        numbers("angle_deviation", POSITIVE, "rad", Optional("from the tracks"), "Standard deviation of an angle."),
        numbers(
            "bound",
            POSITIVE,
            "that of the coordinates",
            Optional("three deviations"),
            "Largest possible error of a coordinate.",
        ),
        numbers("angle_bound", POSITIVE, "rad", Optional("three deviations"), "Largest possible error of an angle."),
    ],
    exactly_one: false,
});

static BODY: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[body]]",
    doc: "A tracked body: its outline, mass and marks.",
    fields: vec![
        field("name", Kind::Text, "", Required, "Its name in the column `body`."),
        field("shape", Kind::Table(&SHAPE), "", Optional("`half_disk`"), "Its outline."),
        field(
            "half_disk",
            Kind::Table(&HALF_DISK),
            "",
            Optional("`shape`"),
            "The half y > 0 of a disk about the origin.",
        ),
        numbers("mass", POSITIVE, "kg", Optional("the sum of its pieces"), "Its mass."),
        numbers("density", POSITIVE, "kg/m²", Optional("from `mass`"), "Mass for each area of a flat shape."),
        numbers(
            "inertia",
            POSITIVE,
            "kg m²",
            Optional("that of the homogeneous shape"),
            "Moment of inertia about the centre of mass.",
        ),
        numbers(
            "centre_of_mass",
            VECTOR,
            "m",
            Optional("that of the homogeneous shape"),
            "Centre of mass in the axes of the shape.",
        ),
        numbers("marks", POINTS, "m", Optional("none"), "The tracked marks, in the axes of the shape."),
        numbers(
            "largest_spin_before",
            POSITIVE,
            "rad/s",
            Optional("unknown"),
            "The greatest possible spin before the collision; it excludes aliases of the spin.",
        ),
    ],
    exactly_one: false,
});

static HALF_DISK: LazyLock<Table> = LazyLock::new(|| Table {
    header: "half_disk",
    doc: "The half y > 0 of a disk about the origin.",
    fields: vec![numbers("radius", POSITIVE, "m", Required, "Its radius.")],
    exactly_one: false,
});

static WALL: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[wall]",
    doc: "An immovable wall.",
    fields: vec![
        numbers("normal", VECTOR, "", Optional("inferred from the outline"), "Direction out of the wall."),
        numbers("point", VECTOR, "m", Optional("unknown"), "A point of its surface, in metres."),
    ],
    exactly_one: false,
});

static FORCE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[force]",
    doc: "What changes velocities between collisions: g − k v − q |v| v, and −k ω of the spin.",
    fields: vec![
        numbers("gravity", VECTOR, "m/s²", Optional("none"), "Acceleration g."),
        numbers("linear_drag", NOT_NEGATIVE, "1/s", Optional("0"), "Drag k for each velocity, as of an air table."),
        numbers("quadratic_drag", NOT_NEGATIVE, "1/m", Optional("0"), "Drag q for each velocity squared, as of air."),
        numbers("spin_drag", NOT_NEGATIVE, "1/s", Optional("0"), "Drag k for each angular velocity."),
    ],
    exactly_one: false,
});

impl Setup {
    /// Reads a setup file.
    pub fn read(path: &Path) -> Result<Setup, ScenarioError> {
        let name = path.display().to_string();
        let text = read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
        Setup::parse(&name, &text)
    }

    /// The same from a text; `name` is what errors call it.
    pub fn parse(name: &str, text: &str) -> Result<Setup, ScenarioError> {
        let read = || {
            let document = parse_toml(text, "expected `[[body]]`, and `[wall]` unless two bodies collide")?;
            read_setup(name, &TableReader::read(&TOP, 0..0, document.get_ref())?)
        };
        read().map_err(|fault| ScenarioError::new(name, text, fault))
    }
}

fn read_setup(name: &str, file: &TableReader<'_>) -> Result<Setup, Fault> {
    let tables = file.tables("body");
    let dimension = dimension_of(file)?;
    if let Some(third) = tables.get(2) {
        return Err(Fault::at(third.span.clone(), "there are more than two bodies").label("expected one or two"));
    }
    let mut bodies: Vec<Tracked> = Vec::new();
    for table in tables {
        let body = read_body(table, dimension)?;
        if let Some(place) = bodies.iter().position(|known| known.name == body.name) {
            return Err(Fault::at(table.span_of("name"), "two bodies have the same `name`")
                .label("expected another name")
                .context(tables[place].span_of("name"), "first used here"));
        }
        bodies.push(body);
    }
    let wall = file.table("wall").map(read_wall).transpose()?;
    if let (None, [_]) = (&wall, &bodies[..]) {
        return Err(Fault::of_the_file("there is one body and no `[wall]`").help(
            "expected `[wall]` with `normal`, or nothing below it if the normal is to be inferred, or a second `[[body]]`",
        ));
    }
    let force = file.table("force");
    let number = |key: &str| force.and_then(|table| table.numbers(key)).map_or(0.0, Numbers::first);
    let forces = Forces {
        gravity: force.and_then(|table| table.numbers("gravity")).map_or_else(Vector3::zeros, Numbers::vector),
        linear_drag: number("linear_drag"),
        quadratic_drag: number("quadratic_drag"),
        spin_drag: number("spin_drag"),
    };
    let camera = read_camera(file.table("camera"));
    if let (true, Dimension::Spatial, Some(table)) = (camera.is_y_down, dimension, file.table("camera")) {
        return Err(Fault::at(table.span_of("y_down"), "`y_down` is for pictures, but the rest is spatial")
            .label("expected a right-handed system in space"));
    }
    let title = file.text("title").map(str::to_owned);
    Ok(Setup { name: name.to_owned(), title, dimension, bodies, wall, forces, camera })
}

fn read_camera(table: Option<&TableReader<'_>>) -> Camera {
    let number = |key: &str| table.and_then(|table| table.numbers(key)).map(Numbers::first);
    let scale = number("scale").unwrap_or(1.0);
    Camera {
        rate: number("rate"),
        scale,
        is_y_down: table.and_then(|table| table.flag("y_down")).unwrap_or(false),
        deviation: number("deviation").map(|deviation| deviation / scale),
        angle_deviation: number("angle_deviation"),
        bound: number("bound").map(|bound| bound / scale),
        angle_bound: number("angle_bound"),
    }
}

/// Planar unless some vector has three components; all must agree.
fn dimension_of(file: &TableReader<'_>) -> Result<Dimension, Fault> {
    let tables = file.tables("body").iter().chain(file.table("wall")).chain(file.table("force"));
    let mut known: Option<(Dimension, std::ops::Range<usize>)> = None;
    for entry in tables.flat_map(TableReader::entries) {
        let Some(dimension) = entry.dimension() else { continue };
        match &known {
            Some((first, place)) if *first != dimension => {
                return Err(Fault::at(entry.span.clone(), format!("`{}` is {dimension}", entry.field.key))
                    .label(format!("expected it to be {first}, as the rest is"))
                    .context(place.clone(), format!("this is {first}")));
            }
            Some(_) => {}
            None => known = Some((dimension, entry.span.clone())),
        }
    }
    Ok(known.map_or(Dimension::Planar, |(dimension, _)| dimension))
}

fn read_wall(table: &TableReader<'_>) -> Result<Wall, Fault> {
    let normal = match table.numbers("normal").map(Numbers::vector) {
        None => None,
        Some(given) => Some(given.try_normalize(0.0).ok_or_else(|| {
            Fault::at(table.span_of("normal"), "`normal` has no direction").label("expected a vector other than zero")
        })?),
    };
    Ok(Wall { normal, point: table.numbers("point").map(Numbers::vector) })
}

fn read_body(table: &TableReader<'_>, dimension: Dimension) -> Result<Tracked, Fault> {
    let name = table.text("name").unwrap_or_default().to_owned();
    let (outline, homogeneous) = match (table.table("shape"), table.table("half_disk")) {
        (Some(shape), None) => read_outline(table, shape, dimension)?,
        (None, Some(half)) => {
            let radius = half.require("radius")?.first();
            (Outline::HalfDisk { radius }, half_disk(radius, table.require("mass")?.first()))
        }
        (Some(_), Some(half)) => {
            return Err(Fault::at(half.span.clone(), format!("{} has both `shape` and `half_disk`", table.title()))
                .label("expected one of them"));
        }
        (None, None) => {
            return Err(Fault::at(table.span.clone(), format!("{} has no `shape`", table.title()))
                .label("expected `shape` or `half_disk`"));
        }
    };
    let inertia = match (table.numbers("inertia"), dimension) {
        (None, _) => homogeneous.inertia,
        (Some(given), Dimension::Planar) => Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, given.first())),
        (Some(given), Dimension::Spatial) => Matrix3::identity() * given.first(),
    };
    let centre = table.numbers("centre_of_mass").map_or(homogeneous.centre, Numbers::vector);
    if dimension == Dimension::Spatial {
        let is_ball = outline.ball_radius().is_some() && centre == Vector3::zeros();
        let spread = inertia - Matrix3::identity() * inertia[(0, 0)];
        if !is_ball || spread.amax() > 1e-12 * inertia.amax() {
            return Err(Fault::at(table.span.clone(), format!("{} is no ball", table.title()))
                .label("expected a ball in space, or a body in the plane")
                .help("the free flight of other bodies in space is not followed"));
        }
    }
    let marks = table.numbers("marks").map_or_else(Vec::new, |given| match dimension {
        Dimension::Planar => given.rows::<2>().into_iter().map(|[x, y]| Vector3::new(x, y, 0.0)).collect(),
        Dimension::Spatial => given.rows::<3>().into_iter().map(Vector3::from).collect::<Vec<_>>(),
    });
    let marks = marks.into_iter().map(|mark| mark - centre).collect();
    let largest_spin_before = table.numbers("largest_spin_before").map(Numbers::first);
    Ok(Tracked { name, mass: homogeneous.mass, inertia, centre, outline, marks, largest_spin_before })
}

fn read_outline(
    body: &TableReader<'_>,
    shape: &TableReader<'_>,
    dimension: Dimension,
) -> Result<(Outline, Matter), Fault> {
    let solid = read_shape(shape, dimension, &Files::default())?;
    let matter = read_matter(body, shape, &solid)?;
    let parts = solid
        .parts(dimension, MaterialId::default())
        .map_err(|error| Fault::at(shape.span.clone(), error.to_string()).label("expected a shape with a surface"))?;
    Ok((Outline::Parts(parts), matter))
}

/// A homogeneous half disk.
fn half_disk(radius: f64, mass: f64) -> Matter {
    let centre = 4.0 * radius / (3.0 * std::f64::consts::PI);
    let moment = mass * (0.5 * radius * radius - centre * centre);
    let inertia = Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, moment));
    Matter { mass, centre: Vector3::y() * centre, inertia }
}
