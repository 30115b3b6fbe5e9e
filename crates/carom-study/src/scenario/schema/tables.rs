//! The tables of a scenario file. Keys that laws need come from the laws' own parameters.

use super::shape::{PART, SHAPE};
use super::simulation::{
    COLLIDE, FORCE, LINK_RESTITUTION, MATERIAL, MOTOR, OBSTACLE, PAIR, PASSING, SHARE, SIMULATION, SPRING, STRING,
    TORQUE, TORSION_SPRING, URDF, WALL,
};
use super::vibration::VIBRATION;
use super::{Bounds, Field, Form, Kind, Layout, Need, Table};
use carom::Dimension;
use carom::elastic::MATERIALS;
use carom::laws;
use std::borrow::Cow;
use std::sync::LazyLock;

use Dimension::{Planar, Spatial};
use Need::{Optional, Required};

/// The laws' parameters that belong to a pair of materials and therefore stand with the contact.
pub const MATERIAL_KEYS: [&str; 5] =
    ["restitution", "tangential_restitution", "friction", "static_friction", "kinetic_friction"];

/// The material of a body that does not deform.
pub(in crate::scenario) const RIGID: &str = "rigid";

/// Parameters that may be given for each of the two bodies, with their bounds there. A negative radius is a seat.
const FOR_EACH_BODY: [(&str, Bounds); 3] = [
    ("youngs_modulus", Bounds::POSITIVE),
    ("poisson_ratio", Bounds { least: -1.0, greatest: 0.5, above: true }),
    ("radius", Bounds::ANY),
];

pub(crate) const fn form(layout: Layout, bounds: Bounds, dimension: Option<Dimension>) -> Form {
    Form { layout, bounds, dimension }
}

pub(crate) const POSITIVE: &[Form] = &[form(Layout::Number, Bounds::POSITIVE, None)];
pub(crate) const NOT_NEGATIVE: &[Form] = &[form(Layout::Number, Bounds::NOT_NEGATIVE, None)];
pub(super) const ANY: &[Form] = &[form(Layout::Number, Bounds::ANY, None)];
pub(crate) const VECTOR: &[Form] =
    &[form(Layout::List(2), Bounds::ANY, Some(Planar)), form(Layout::List(3), Bounds::ANY, Some(Spatial))];
pub(super) const SPATIAL_VECTOR: &[Form] = &[form(Layout::List(3), Bounds::ANY, Some(Spatial))];
pub(super) const SPIN: &[Form] =
    &[form(Layout::Number, Bounds::ANY, Some(Planar)), form(Layout::List(3), Bounds::ANY, Some(Spatial))];
pub(super) const ORIENTATION: &[Form] = &[
    form(Layout::Number, Bounds::ANY, Some(Planar)),
    form(Layout::List(2), Bounds::ANY, Some(Planar)),
    form(Layout::List(4), Bounds::ANY, Some(Spatial)),
];
pub(super) const ORIENTATION_UNIT: &str = "rad, [cos, sin] of half of it, or a quaternion [w, x, y, z]";
/// A point on A and one on B.
pub(super) const ANCHORS: &[Form] =
    &[form(Layout::Matrix(2), Bounds::ANY, Some(Planar)), form(Layout::Rectangle(2, 3), Bounds::ANY, Some(Spatial))];
const QUATERNIONS: &[Form] = &[form(Layout::Rectangle(2, 4), Bounds::ANY, None)];
pub(super) const QUATERNION: &[Form] = &[form(Layout::List(4), Bounds::ANY, Some(Spatial))];
const INERTIA: &[Form] = &[
    form(Layout::Number, Bounds::POSITIVE, Some(Planar)),
    form(Layout::List(3), Bounds::POSITIVE, Some(Spatial)),
    form(Layout::Matrix(3), Bounds::ANY, Some(Spatial)),
];
const INVERSE_MASS: &[Form] =
    &[form(Layout::Matrix(2), Bounds::ANY, Some(Planar)), form(Layout::Matrix(3), Bounds::ANY, Some(Spatial))];

const LIMITS: &[Form] = &[form(Layout::List(2), Bounds::ANY, None)];
const SQUARE: &[Form] = &[form(Layout::Square, Bounds::ANY, None)];
const ROW: &[Form] = &[form(Layout::Row, Bounds::ANY, None)];
const COUNT: &[Form] = &[form(Layout::Number, Bounds { least: 1.0, greatest: 10_000.0, above: false }, None)];

pub(crate) const fn field(key: &'static str, kind: Kind, unit: &'static str, need: Need, doc: &'static str) -> Field {
    Field { key, kind, unit, need, doc: Cow::Borrowed(doc) }
}

pub(crate) const fn numbers(
    key: &'static str,
    forms: &'static [Form],
    unit: &'static str,
    need: Need,
    doc: &'static str,
) -> Field {
    field(key, Kind::Numbers(Cow::Borrowed(forms)), unit, need, doc)
}

/// The file itself.
pub(in crate::scenario) static TOP: LazyLock<Table> = LazyLock::new(|| Table {
    header: "",
    doc: "Either bodies, with contacts for `carom collide` and `[simulation]` for `carom simulate`, or `[collision]` (one \
          contact) or `[impact]` (several); `[law]` if the file is to choose one.",
    fields: vec![
        field(
            "title",
            Kind::Text,
            "",
            Optional("the file's name without its ending"),
            "What the scenario shows, in a few words.",
        ),
        field("description", Kind::Text, "", Optional("none"), "Where it comes from and what to look at."),
        field("body", Kind::Tables(&BODY), "", Optional("no bodies"), "The rigid bodies."),
        field("contact", Kind::Tables(&CONTACT), "", Optional("no contact"), "Where two bodies touch."),
        field("joint", Kind::Tables(&JOINT), "", Optional("no joint"), "What holds two bodies together."),
        field("collision", Kind::Table(&COLLISION), "", Optional("from the bodies"), "The same without bodies."),
        field("impact", Kind::Table(&IMPACT), "", Optional("from the bodies"), "Several contacts without bodies."),
        field(
            "vibration",
            Kind::Table(&VIBRATION),
            "",
            Optional("rigid bodies"),
            "How the bodies vibrate while they collide.",
        ),
        field("law", Kind::Table(&LAW), "", Optional("chosen elsewhere"), "The collision law and its own parameters."),
        field(
            "simulation",
            Kind::Table(&SIMULATION),
            "",
            Optional("no simulation"),
            "How the bodies move through time.",
        ),
        field("wall", Kind::Tables(&WALL), "", Optional("no wall"), "Immovable planes."),
        field("obstacle", Kind::Tables(&OBSTACLE), "", Optional("no obstacle"), "Immovable shapes."),
        field("material", Kind::Tables(&MATERIAL), "", Optional("from the contacts"), "What they are made of."),
        field("pair", Kind::Tables(&PAIR), "", Optional("from the materials"), "What two materials do to each other."),
        field("spring", Kind::Tables(&SPRING), "", Optional("none"), "Springs and dampers between points."),
        field("torsion_spring", Kind::Tables(&TORSION_SPRING), "", Optional("none"), "Springs and dampers of joints."),
        field("string", Kind::Tables(&STRING), "", Optional("none"), "Strings."),
        field("motor", Kind::Tables(&MOTOR), "", Optional("none"), "Motors of joints."),
        field("force", Kind::Tables(&FORCE), "", Optional("none"), "Forces on bodies."),
        field("torque", Kind::Tables(&TORQUE), "", Optional("none"), "Torques on bodies."),
        field("passing", Kind::Tables(&PASSING), "", Optional("none"), "What passes through each other."),
        field("urdf", Kind::Tables(&URDF), "", Optional("none"), "Robots from URDF files."),
    ],
    exactly_one: false,
});

static BODY: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[body]]",
    doc: "A rigid body: `mass` and `inertia`, or `shape` and `mass` or `density`, or all three of `mass`, `inertia` and `shape`.",
    fields: vec![
        field(
            "name",
            Kind::Text,
            "",
            Required,
            "What contacts call it; \"ground\" is reserved for the immovable world.",
        ),
        numbers("mass", POSITIVE, "kg", Optional("from `shape` and `density`"), "Mass of the body."),
        numbers(
            "density",
            POSITIVE,
            "kg/m³",
            Optional("from `mass`"),
            "Density of the shape; per area (kg/m²) for `disk`, `shell`, `polygon` and a flat `box`, per length (kg/m) for `rod` and \
             `hoop`.",
        ),
        numbers(
            "inertia",
            INERTIA,
            "kg m²",
            Optional("from `shape`"),
            "Moment of inertia, principal moments or tensor about the centre of mass, in the body's own axes.",
        ),
        field(
            "shape",
            Kind::Table(&SHAPE),
            "",
            Optional("a body that touches nothing in a simulation"),
            "The shape that it touches with in a simulation; homogeneous, it gives the inertia.",
        ),
        field(
            "parts",
            Kind::Tables(&PART),
            "",
            Optional("from `shape`"),
            "What it touches with in a simulation, instead of `shape`; with `mass` and `inertia`.",
        ),
        numbers(
            "centre_of_mass",
            VECTOR,
            "m",
            Optional("that of the homogeneous shape"),
            "Where the centre of mass is in the axes of the shape, with `inertia`.",
        ),
        field("material", Kind::Text, "", Optional("the only one"), "The name of its `[[material]]`."),
        numbers("position", VECTOR, "m", Optional("the origin"), "Where the centre of mass is."),
        numbers(
            "orientation",
            ORIENTATION,
            ORIENTATION_UNIT,
            Optional("the world's axes"),
            "How the body's own axes are turned from the world's.",
        ),
        numbers("velocity", VECTOR, "m/s", Optional("zero"), "Velocity of the centre of mass."),
        numbers("angular_velocity", SPIN, "rad/s", Optional("zero"), "Angular velocity, in world axes."),
    ],
    exactly_one: false,
});

static CONTACT: LazyLock<Table> = LazyLock::new(|| {
    let place = [
        field("between", Kind::Pair, "", Required, "The bodies A and B that touch; the impulse acts on A."),
        numbers("point", VECTOR, "m", Required, "Where they touch."),
        numbers("normal", VECTOR, "", Required, "Direction of the common normal, from B into A, of any length."),
        numbers(
            "tangent",
            SPATIAL_VECTOR,
            "",
            Optional("a fixed function of `normal`"),
            "Direction whose projection on the tangent plane is t1; spatial scenes only.",
        ),
    ];
    Table {
        header: "[[contact]]",
        doc: "Where two bodies touch, and what the pair of materials does there.",
        fields: place.into_iter().chain(material_fields()).chain(contact_fields()).collect(),
        exactly_one: false,
    }
});

/// The kinds of joints, in the order of their words.
pub(in crate::scenario) const JOINT_KINDS: [&str; 6] =
    ["revolute", "spherical", "prismatic", "fixed", "universal", "planar"];

static JOINT: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[joint]]",
    doc: "An ideal joint: it holds through the impact, takes any impulse and no energy. In a simulation the two bodies pass through \
          each other unless `collide` is true.",
    fields: vec![
        field("name", Kind::Text, "", Optional("a number"), "What motors, springs and results call it."),
        field("between", Kind::Pair, "", Required, "The bodies A and B that it holds together."),
        field(
            "kind",
            Kind::Word(JOINT_KINDS.to_vec()),
            "",
            Required,
            "What it leaves free: turning about an axis, all turning, sliding along an axis, nothing, turning about the axis and one \
             across it, or sliding across the axis and turning about it (in the plane a pin in a slot).",
        ),
        numbers("point", VECTOR, "m", Required, "Where it is."),
        numbers(
            "axis",
            VECTOR,
            "",
            Optional("z for a planar revolute joint"),
            "Direction of the axis of a revolute, prismatic, universal or planar joint, of any length. That of a universal joint is fixed \
             in A; its second, fixed in B, is where the shortest turn from x to this one brings y.",
        ),
        numbers(
            "limits",
            LIMITS,
            "rad, or m",
            Optional("none"),
            "Least and greatest displacement of a revolute or prismatic joint from where it is at the start, in a simulation.",
        ),
        numbers("restitution", SHARE, "", Optional(LINK_RESTITUTION), "How strongly it is thrown back at a limit."),
        field("collide", Kind::Flag, "", Optional("false"), COLLIDE),
        numbers(
            "anchors",
            ANCHORS,
            "m",
            Optional("from `point`"),
            "The point on A and on B, from their centres of mass in their axes, to the last bit; in a simulation.",
        ),
        numbers(
            "axes",
            QUATERNIONS,
            "quaternions [w, x, y, z]",
            Optional("from `axis`"),
            "How the joint's axes are turned from those of A and of B, to the last bit, with `anchors`; its axis is x.",
        ),
    ],
    exactly_one: false,
});

static IMPACT: LazyLock<Table> = LazyLock::new(|| {
    let frame = [
        numbers(
            "inverse_mass",
            SQUARE,
            "1/kg",
            Required,
            "Symmetric inverse mass W, contact by contact in (n, t) or (n, t1, t2).",
        ),
        numbers(
            "velocity",
            ROW,
            "m/s",
            Required,
            "Relative velocities before the impact, contact by contact; a negative normal one is approach.",
        ),
        numbers(
            "contacts",
            COUNT,
            "",
            Optional("from the sizes"),
            "The number of contacts, where 2 and 3 numbers for each would both fit.",
        ),
    ];
    let of_each = material_fields().into_iter().chain(contact_fields()).map(|field| match field.kind {
        Kind::Numbers(forms) => {
            let lists = forms.iter().map(|f| Form { layout: Layout::Row, ..*f });
            let forms: Vec<Form> = forms.iter().copied().chain(lists).collect();
            Field { kind: Kind::Numbers(forms.into()), ..field }
        }
        _ => field,
    });
    Table {
        header: "[impact]",
        doc: "Several contacts in their contact frames, without bodies. Materials are one number for all, or one per contact.",
        fields: frame.into_iter().chain(of_each).collect(),
        exactly_one: false,
    }
});

static COLLISION: LazyLock<Table> = LazyLock::new(|| {
    let frame = [
        numbers(
            "inverse_mass",
            INVERSE_MASS,
            "1/kg",
            Required,
            "Symmetric inverse mass W at the contact, in (n, t) or (n, t1, t2).",
        ),
        numbers(
            "velocity",
            VECTOR,
            "m/s",
            Required,
            "Relative velocity before the collision, in (n, t) or (n, t1, t2); a negative first number is approach.",
        ),
    ];
    Table {
        header: "[collision]",
        doc: "One collision in the contact frame, without bodies.",
        fields: frame.into_iter().chain(material_fields()).collect(),
        exactly_one: false,
    }
});

static LAW: LazyLock<Table> = LazyLock::new(|| {
    let ids = laws::every().map(|law| law.id).collect();
    let id = field("id", Kind::Word(ids), "", Optional("chosen elsewhere"), "The law.");
    let names = MATERIALS.iter().map(|material| material.name).chain([RIGID]).collect();
    let materials = field(
        "materials",
        Kind::Words(names),
        "",
        Optional("from `youngs_modulus` and `poisson_ratio`"),
        "What the two bodies are made of, for the elastic constants, and for `yield_stress` and `wave_speed` if they are \
         left out.",
    );
    Table {
        header: "[law]",
        doc: "The law, and the parameters of laws that are no property of the materials.",
        fields: std::iter::once(id).chain(law_fields()).chain([materials]).collect(),
        exactly_one: false,
    }
});

pub(super) fn material_fields() -> Vec<Field> {
    MATERIAL_KEYS.into_iter().filter_map(parameter_field).collect()
}

/// Parameters that may differ from contact to contact though they also stand in `[law]`.
const CONTACT_KEYS: [&str; 2] = ["stiffness", "gap"];

fn contact_fields() -> Vec<Field> {
    CONTACT_KEYS.into_iter().filter_map(parameter_field).collect()
}

fn law_fields() -> Vec<Field> {
    let mut keys: Vec<&str> = Vec::new();
    for parameter in laws::every().flat_map(|law| law.parameters) {
        if !MATERIAL_KEYS.contains(&parameter.key) && !keys.contains(&parameter.key) {
            keys.push(parameter.key);
        }
    }
    keys.into_iter().filter_map(parameter_field).collect()
}

/// A key that laws declare. Laws may differ in bounds: the field takes what any of them takes, and the chosen law
/// checks its own.
pub(super) fn parameter_field(key: &'static str) -> Option<Field> {
    let declared = || {
        laws::every().flat_map(|law| law.parameters.iter().map(move |p| (law, p))).filter(move |(_, p)| p.key == key)
    };
    let (_, first) = declared().next()?;
    let for_each_body = FOR_EACH_BODY.iter().find(|(paired, _)| *paired == key);
    let kind = match first.kind {
        laws::Kind::Choice(words) => Kind::Word(words.to_vec()),
        laws::Kind::Number { .. } => {
            let bounds = declared().filter_map(|(_, parameter)| match parameter.kind {
                laws::Kind::Number { least: f64::MIN_POSITIVE, greatest } => {
                    Some(Bounds { greatest, ..Bounds::POSITIVE })
                }
                laws::Kind::Number { least, greatest } => Some(Bounds { least, greatest, above: false }),
                laws::Kind::Choice(_) => None,
            });
            let hull = bounds.reduce(|a, b| a.hull(&b)).unwrap_or(Bounds::ANY);
            let mut forms = vec![form(Layout::Number, hull, None)];
            forms.extend(for_each_body.map(|(_, bounds)| form(Layout::List(2), *bounds, None)));
            Kind::Numbers(Cow::Owned(forms))
        }
    };
    let ids = declared().map(|(law, _)| format!("`{}`", law.id)).collect::<Vec<_>>().join(", ");
    let doc = if MATERIAL_KEYS.contains(&key) {
        format!("{}.", first.meaning)
    } else {
        let each = if for_each_body.is_some() { "; two numbers are those of the two bodies" } else { "" };
        format!("{}{each} (of {ids}).", first.meaning)
    };
    Some(Field { key, kind, unit: "", need: Optional("as the law says"), doc: capitalised(&doc).into() })
}

fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn every_parameter_of_every_law_has_a_key() {
        let contact = TOP.with_descendants();
        for parameter in laws::every().flat_map(|law| law.parameters) {
            assert!(contact.iter().any(|table| table.field(parameter.key).is_some()), "{}", parameter.key);
        }
    }

    #[test]
    fn laws_that_share_a_choice_share_its_words() {
        // A choice is stored by its place in the list, which must mean the same for all of them.
        for parameter in laws::every().flat_map(|law| law.parameters) {
            let first = laws::every().flat_map(|law| law.parameters).find(|p| p.key == parameter.key).unwrap();
            match (first.kind, parameter.kind) {
                (laws::Kind::Number { .. }, laws::Kind::Number { .. }) => {}
                (a, b) => assert_eq!(a, b, "{}", parameter.key),
            }
        }
    }

    #[test]
    fn bounds_of_a_shared_key_hold_every_law_s() {
        let field = CONTACT.field("tangential_restitution").unwrap();
        assert_eq!(field.kind.words(), "a number from -1 to 1");
    }
}
