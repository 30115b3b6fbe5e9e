//! `shape` and the tables below it.

use super::tables::{ANY, NOT_NEGATIVE, ORIENTATION, ORIENTATION_UNIT, POSITIVE, VECTOR, field, form, numbers};
use super::{Bounds, Field, Form, Kind, Layout, Need, Table};
use carom::Dimension::{Planar, Spatial};
use std::sync::LazyLock;

use Need::{Optional, Required};

const POSITIVE_TRIPLE: &[Form] = &[form(Layout::List(3), Bounds::POSITIVE, None)];
const SIZE: &[Form] =
    &[form(Layout::List(3), Bounds::POSITIVE, None), form(Layout::List(2), Bounds::POSITIVE, Some(Planar))];
const HULL_CORNERS: &[Form] =
    &[form(Layout::Rows(2), Bounds::ANY, Some(Planar)), form(Layout::Rows(3), Bounds::ANY, Some(Spatial))];
const PLACES: &[Form] = &[form(Layout::Row, Bounds { least: 0.0, greatest: LARGEST_PLACE, above: false }, None)];
const CORNERS: &[Form] = &[form(Layout::Rows(2), Bounds::ANY, None)];
const SPATIAL_CORNERS: &[Form] = &[form(Layout::Rows(3), Bounds::ANY, None)];

/// Corners of a hull are counted up to here.
const LARGEST_PLACE: f64 = 1e6;

/// A convex part as the engines see it.
pub(super) static PART: LazyLock<Table> = LazyLock::new(|| Table {
    header: "parts",
    doc: "A convex part to the last bit: the hull of some corners, rounded by a radius; an ellipsoid; or, of an obstacle, a half-space. \
          It is in the body's axes about its centre of mass, or in those of the world. Programs write it where no `shape` gives the \
          same bits.",
    fields: vec![
        numbers("vertices", HULL_CORNERS, "m", Optional("no hull"), "Corners of the hull."),
        field(
            "face",
            Kind::Tables(&FACE),
            "",
            Optional("a point, or a segment in space"),
            "Faces of the hull; in the plane its sides.",
        ),
        numbers("radius", NOT_NEGATIVE, "m", Optional("0"), "How far the part reaches beyond its hull."),
        field("ellipsoid", Kind::Table(&PLACED_ELLIPSOID), "", Optional("no ellipsoid"), "An ellipsoid."),
        field("half_space", Kind::Table(&HALF_SPACE), "", Optional("no half-space"), "The solid behind a plane."),
        field("material", Kind::Text, "", Optional("that of the table"), "The name of its `[[material]]`."),
    ],
    exactly_one: false,
});

static FACE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "face",
    doc: "A face of a hull.",
    fields: vec![
        numbers("normal", VECTOR, "", Required, "Unit vector out of the hull."),
        numbers(
            "corners",
            PLACES,
            "",
            Required,
            "Places of its corners among `vertices`, from 0, in order; counter-clockwise seen from outside.",
        ),
    ],
    exactly_one: false,
});

static PLACED_ELLIPSOID: LazyLock<Table> = LazyLock::new(|| Table {
    header: "ellipsoid",
    doc: "An ellipsoid anywhere.",
    fields: vec![
        numbers("semi_axes", POSITIVE_TRIPLE, "m", Required, "Half the diameters along its own axes."),
        numbers("position", VECTOR, "m", Optional("the origin"), "Its centre."),
        numbers("orientation", ORIENTATION, ORIENTATION_UNIT, Optional("not turned"), "How its own axes are turned."),
    ],
    exactly_one: false,
});

static HALF_SPACE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "half_space",
    doc: "All points r with normal · r ≤ offset.",
    fields: vec![
        numbers("normal", VECTOR, "", Required, "Unit vector out of the solid."),
        numbers("offset", ANY, "m", Required, "Distance of the plane from the origin along the normal."),
    ],
    exactly_one: false,
});

/// Any shape.
pub(crate) static SHAPE: LazyLock<Table> = LazyLock::new(|| {
    let doc = "Several shapes that move as one; where two overlap, both count.";
    let compound = field("compound", Kind::Tables(&PIECE), "", Optional(""), doc);
    Table {
        header: "shape",
        doc: "One of these, for instance `shape = { ball = { radius = 0.1 } }`; the axes are the body's own. In the plane a ball, \
              disk, cylinder, shell or hoop touches as a circle and a box as a rectangle. In space a cylinder touches as a prism \
              of 32 sides.",
        fields: simple().into_iter().chain([compound]).collect(),
        exactly_one: true,
    }
});

/// A shape that is no compound.
static SIMPLE_SHAPE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "shape",
    doc: "A shape without pieces of its own.",
    fields: simple(),
    exactly_one: true,
});

static PIECE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "compound",
    doc: "A piece of a compound.",
    fields: vec![
        field("shape", Kind::Table(&SIMPLE_SHAPE), "", Required, "Its shape."),
        numbers("position", VECTOR, "m", Optional("the compound's origin"), "Where the shape's own origin is."),
        numbers(
            "orientation",
            ORIENTATION,
            ORIENTATION_UNIT,
            Optional("the compound's axes"),
            "How the shape's own axes are turned from the compound's.",
        ),
        numbers(
            "mass",
            POSITIVE,
            "kg",
            Optional("from the body's `mass` or `density`"),
            "Mass of the piece; for all pieces or none.",
        ),
    ],
    exactly_one: false,
});

fn simple() -> Vec<Field> {
    let one = |key, table, doc| field(key, Kind::Table(table), "", Optional(""), doc);
    vec![
        one("ball", &BALL, "A solid ball."),
        one("disk", &DISK, "A flat disk with axis z."),
        one("rod", &ROD, "A thin rod along x."),
        one("box", &BOX, "A rectangular block, or a flat rectangle."),
        one("cylinder", &CYLINDER, "A solid cylinder with axis z."),
        one("ellipsoid", &ELLIPSOID, "A solid ellipsoid."),
        one("shell", &SHELL, "A thin spherical shell."),
        one("hoop", &HOOP, "A thin ring with axis z."),
        one("capsule", &CAPSULE, "A cylinder along x with half balls as ends."),
        one("polygon", &POLYGON, "A flat convex polygon; in the plane only."),
        one("polyhedron", &POLYHEDRON, "A convex polyhedron; in space only."),
        one("mesh", &MESH, "The convex hull of a mesh; in space only."),
    ]
}

static BALL: LazyLock<Table> = LazyLock::new(|| shape("ball", "A solid ball.", vec![radius()]));
static DISK: LazyLock<Table> = LazyLock::new(|| shape("disk", "A flat disk with axis z.", vec![radius()]));
static ROD: LazyLock<Table> = LazyLock::new(|| shape("rod", "A thin rod along x.", vec![length()]));
static BOX: LazyLock<Table> = LazyLock::new(|| {
    let size = numbers("size", SIZE, "m", Required, "Edges along x, y and, unless it is flat, z.");
    shape("box", "A rectangular block, or a flat rectangle.", vec![size])
});
static CYLINDER: LazyLock<Table> =
    LazyLock::new(|| shape("cylinder", "A solid cylinder with axis z.", vec![radius(), length()]));
static ELLIPSOID: LazyLock<Table> = LazyLock::new(|| {
    let semi_axes = numbers("semi_axes", POSITIVE_TRIPLE, "m", Required, "Half the diameters along x, y, z.");
    shape("ellipsoid", "A solid ellipsoid.", vec![semi_axes])
});
static SHELL: LazyLock<Table> = LazyLock::new(|| shape("shell", "A thin spherical shell.", vec![radius()]));
static HOOP: LazyLock<Table> = LazyLock::new(|| shape("hoop", "A thin ring with axis z.", vec![radius()]));
static CAPSULE: LazyLock<Table> = LazyLock::new(|| {
    let straight = numbers("length", NOT_NEGATIVE, "m", Required, "Length of the cylinder without the ends.");
    shape("capsule", "A cylinder along x with half balls as ends.", vec![radius(), straight])
});
static POLYGON: LazyLock<Table> = LazyLock::new(|| {
    let corners =
        numbers("vertices", CORNERS, "m", Required, "Corners in any order and axes; those inside are left out.");
    shape("polygon", "A flat convex polygon.", vec![corners])
});
static POLYHEDRON: LazyLock<Table> = LazyLock::new(|| {
    let doc = "Corners in any order and axes; those inside are left out.";
    shape("polyhedron", "A convex polyhedron.", vec![numbers("vertices", SPATIAL_CORNERS, "m", Required, doc)])
});
static MESH: LazyLock<Table> = LazyLock::new(|| {
    let doc = "An OBJ or STL file, relative to the folder of the scenario.";
    let file = field("file", Kind::Text, "", Required, doc);
    let scale = numbers("scale", POSITIVE, "m", Optional("1"), "Length of the file's unit.");
    shape("mesh", "The convex hull of a mesh.", vec![file, scale])
});

fn shape(header: &'static str, doc: &'static str, fields: Vec<Field>) -> Table {
    Table { header, doc, fields, exactly_one: false }
}

const fn radius() -> Field {
    numbers("radius", POSITIVE, "m", Required, "Radius of the shape.")
}

const fn length() -> Field {
    numbers("length", POSITIVE, "m", Required, "Length of the shape.")
}
