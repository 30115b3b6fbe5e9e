//! Tables that only a simulation reads: settings, surroundings, materials and loads.

use super::shape::{PART, SHAPE};
use super::tables::{
    ANCHORS, ANY, NOT_NEGATIVE, ORIENTATION, ORIENTATION_UNIT, POSITIVE, QUATERNION, SPATIAL_VECTOR, SPIN, VECTOR,
    field, form, material_fields, numbers, parameter_field,
};
use super::{Bounds, Field, Form, Kind, Layout, Need, Table};
use std::sync::LazyLock;

use Need::{Optional, Required};

/// The engines, in the order of their words.
pub(in crate::scenario) const ENGINES: [&str; 2] = ["event", "stepping"];

/// Looser than 10⁻³ nothing is accurate, tighter than 10⁻¹⁴ rounding takes over.
const TOLERANCE: &[Form] = &[form(Layout::Number, Bounds { least: 1e-14, greatest: 1e-3, above: false }, None)];
pub(super) const SHARE: &[Form] = &[form(Layout::Number, Bounds { least: 0.0, greatest: 1.0, above: false }, None)];

/// The restitution of a string or limit that has none of its own.
pub(super) const LINK_RESTITUTION: &str = "0; for a law that takes none of 0, the least of the materials";
pub(super) const COLLIDE: &str = "Whether the two bodies that it connects touch each other in a simulation.";

pub(super) static SIMULATION: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[simulation]",
    doc: "How long the bodies move, under which gravity, and how that is computed. Only `carom simulate` reads this table.",
    fields: vec![
        numbers("duration", POSITIVE, "s", Required, "How long they move, from time 0."),
        numbers("gravity", VECTOR, "m/s²", Optional("none"), "Acceleration of free fall."),
        field(
            "engine",
            Kind::Word(ENGINES.to_vec()),
            "",
            Optional("event"),
            "Whether every impact is located in time, or time goes on in steps of `step`.",
        ),
        numbers("interval", POSITIVE, "s", Optional("a thousandth of `duration`"), "Time between stored states."),
        numbers("tolerance", TOLERANCE, "", Optional("that of the engine"), "Relative error of smooth motion."),
        numbers("step", POSITIVE, "s", Optional("that of the engine"), "The step of the engine `stepping`."),
    ],
    exactly_one: false,
});

pub(super) static WALL: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[wall]]",
    doc: "The immovable solid behind a plane. Joints, springs and strings call it \"ground\".",
    fields: vec![
        name("What results call it."),
        numbers("point", VECTOR, "m", Required, "Any point of its surface."),
        numbers("normal", VECTOR, "", Required, "Direction out of the solid, of any length."),
        material(),
    ],
    exactly_one: false,
});

pub(super) static OBSTACLE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[obstacle]]",
    doc: "An immovable shape. Joints, springs and strings call it \"ground\".",
    fields: vec![
        name("What results call it."),
        field("shape", Kind::Table(&SHAPE), "", Optional("from `parts`"), "The shape."),
        field(
            "parts",
            Kind::Tables(&PART),
            "",
            Optional("from `shape`"),
            "Its parts in world axes, instead of `shape`.",
        ),
        numbers("position", VECTOR, "m", Optional("the world's origin"), "Where the shape's own origin is."),
        numbers(
            "orientation",
            ORIENTATION,
            ORIENTATION_UNIT,
            Optional("the world's axes"),
            "How the shape's own axes are turned from the world's.",
        ),
        material(),
    ],
    exactly_one: false,
});

pub(super) static MATERIAL: LazyLock<Table> = LazyLock::new(|| {
    let name = field("name", Kind::Text, "", Required, "What bodies, walls and obstacles call it.");
    Table {
        header: "[[material]]",
        doc: "What bodies, walls and obstacles are made of. Where two touch, their `[[pair]]` holds; without one friction is the \
              geometric mean, stiffness that of both in a row, and every restitution the smaller. A single material is that of \
              everything. Without any, a simulation takes the parameters of the `[[contact]]` between the two bodies, or those \
              that all contacts share.",
        fields: std::iter::once(name).chain(pair_fields()).collect(),
        exactly_one: false,
    }
});

pub(super) static PAIR: LazyLock<Table> = LazyLock::new(|| {
    let doc = "The two materials; they may be the same.";
    Table {
        header: "[[pair]]",
        doc: "What happens between two materials, where it is not what `[[material]]` makes of them.",
        fields: std::iter::once(field("between", Kind::Pair, "", Required, doc)).chain(pair_fields()).collect(),
        exactly_one: false,
    }
});

fn pair_fields() -> impl Iterator<Item = Field> {
    // A scene that moves has no limit of infinite friction.
    let finite = |field: Field| match field.kind {
        Kind::Numbers(forms) => {
            let forms: Vec<Form> = forms.iter().map(|form| Form { bounds: form.bounds.finite(), ..*form }).collect();
            Field { kind: Kind::Numbers(forms.into()), ..field }
        }
        _ => field,
    };
    material_fields().into_iter().map(finite).chain(parameter_field("stiffness"))
}

pub(super) static SPRING: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[spring]]",
    doc: "A massless spring with a damper between two points.",
    fields: vec![
        between(),
        from(),
        to(),
        anchors(),
        numbers("stiffness", NOT_NEGATIVE, "N/m", Optional("0"), "Force over the change of length."),
        numbers("damping", NOT_NEGATIVE, "N s/m", Optional("0"), "Force over the rate of length."),
        numbers("rest_length", NOT_NEGATIVE, "m", Optional("that of the start"), "Length without force."),
    ],
    exactly_one: false,
});

pub(super) static TORSION_SPRING: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[torsion_spring]]",
    doc: "A massless spring with a damper about the axis of a revolute joint.",
    fields: vec![
        joint(),
        numbers("stiffness", NOT_NEGATIVE, "N m/rad", Optional("0"), "Torque over the angle."),
        numbers("damping", NOT_NEGATIVE, "N m s/rad", Optional("0"), "Torque over the rate of the angle."),
        numbers("rest_angle", ANY, "rad", Optional("0, that of the start"), "Angle without torque."),
    ],
    exactly_one: false,
});

pub(super) static STRING: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[string]]",
    doc: "A massless string: two points come no further apart than its length.",
    fields: vec![
        name("What results call it."),
        between(),
        from(),
        to(),
        anchors(),
        numbers("length", POSITIVE, "m", Optional("the distance at the start"), "Length of the string."),
        numbers(
            "restitution",
            SHARE,
            "",
            Optional(LINK_RESTITUTION),
            "How strongly it throws the ends back when it goes taut.",
        ),
    ],
    exactly_one: false,
});

pub(super) static MOTOR: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[motor]]",
    doc: "A given torque about the axis of a revolute joint, or force along that of a prismatic one, on its body A; the opposite \
          acts on B.",
    fields: vec![joint(), numbers("effort", ANY, "N m, or N", Required, "Torque or force."), signal()],
    exactly_one: false,
});

pub(super) static FORCE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[force]]",
    doc: "A force on a point of a body, in world axes.",
    fields: vec![
        body(),
        numbers("point", VECTOR, "m", Optional("the centre of mass"), "Where the point is at the start."),
        numbers(
            "anchor",
            VECTOR,
            "m",
            Optional("from `point`"),
            "The point from the centre of mass in the body's axes, to the last bit.",
        ),
        numbers("force", VECTOR, "N", Required, "The force."),
        signal(),
    ],
    exactly_one: false,
});

pub(super) static TORQUE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[torque]]",
    doc: "A torque on a body, in world axes.",
    fields: vec![body(), numbers("torque", SPIN, "N m", Required, "The torque."), signal()],
    exactly_one: false,
});

pub(super) static PASSING: LazyLock<Table> = LazyLock::new(|| {
    let doc = "Two bodies, or a body and a wall or an obstacle.";
    Table {
        header: "[[passing]]",
        doc: "Two things that pass through each other, besides bodies that a joint connects.",
        fields: vec![field("between", Kind::Pair, "", Required, doc)],
        exactly_one: false,
    }
});

static SIGNAL: LazyLock<Table> = LazyLock::new(|| Table {
    header: "signal",
    doc: "A factor that changes with time: offset + amplitude · sin(frequency · t + phase).",
    fields: vec![
        numbers("frequency", NOT_NEGATIVE, "rad/s", Required, "Circular frequency of the sine."),
        numbers("amplitude", ANY, "", Optional("1"), "Height of the sine."),
        numbers("phase", ANY, "rad", Optional("0"), "Phase at time 0."),
        numbers("offset", ANY, "", Optional("0"), "What the factor is without the sine."),
    ],
    exactly_one: false,
});

pub(super) static URDF: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[urdf]]",
    doc: "A robot of a URDF file. Links become bodies and joints joints; links that fixed joints hold together are one body. A note \
          lists the elements that are not read.",
    fields: vec![
        field("file", Kind::Text, "", Required, "The file, relative to the folder of the scenario."),
        field(
            "name",
            Kind::Text,
            "",
            Optional("no prefix"),
            "What stands, with a slash, before the names of its bodies and joints.",
        ),
        field(
            "base",
            Kind::Word(vec!["free", "fixed"]),
            "",
            Optional("free"),
            "Whether the root link moves; one without mass never does.",
        ),
        numbers("position", SPATIAL_VECTOR, "m", Optional("the world's origin"), "Where the root link is."),
        numbers(
            "orientation",
            QUATERNION,
            "quaternion [w, x, y, z]",
            Optional("the world's axes"),
            "How the root link is turned.",
        ),
        field("joint", Kind::Tables(&URDF_JOINT), "", Optional("all at 0"), "Where joints start, and how they behave."),
        field(
            "self_collision",
            Kind::Flag,
            "",
            Optional("true"),
            "Whether links of the robot touch each other. Links that a joint connects do not in any case, unless its `collide` is true.",
        ),
        material(),
    ],
    exactly_one: false,
});

static URDF_JOINT: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[urdf.joint]]",
    doc: "Where a joint of the robot starts, and how it behaves.",
    fields: vec![
        field("name", Kind::Text, "", Required, "The joint, as the file calls it."),
        numbers(
            "displacement",
            ANY,
            "rad, or m",
            Optional("0, or the limit next to it"),
            "How far it is turned or drawn out at the start.",
        ),
        numbers("restitution", SHARE, "", Optional(LINK_RESTITUTION), "How strongly it is thrown back at a limit."),
        field("collide", Kind::Flag, "", Optional("false"), COLLIDE),
    ],
    exactly_one: false,
});

fn name(doc: &'static str) -> Field {
    field("name", Kind::Text, "", Optional("a number"), doc)
}

fn material() -> Field {
    field("material", Kind::Text, "", Optional("the only one"), "The name of its `[[material]]`.")
}

fn between() -> Field {
    field("between", Kind::Pair, "", Required, "The bodies A and B; \"ground\" is the world.")
}

fn from() -> Field {
    numbers("from", VECTOR, "m", Optional("the centre of mass"), "Where its end on A is at the start.")
}

fn to() -> Field {
    numbers("to", VECTOR, "m", Optional("the centre of mass"), "Where its end on B is at the start.")
}

fn anchors() -> Field {
    numbers(
        "anchors",
        ANCHORS,
        "m",
        Optional("from `from` and `to`"),
        "Its ends on A and on B, from their centres of mass in their axes, to the last bit.",
    )
}

fn joint() -> Field {
    field("joint", Kind::Text, "", Required, "The `name` of the joint.")
}

fn body() -> Field {
    field("body", Kind::Text, "", Required, "The name of the body.")
}

fn signal() -> Field {
    field("signal", Kind::Table(&SIGNAL), "", Optional("1 at all times"), "A factor that changes with time.")
}
