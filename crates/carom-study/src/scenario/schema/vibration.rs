//! `[vibration]` and the tables below it.

use super::tables::{ANY, NOT_NEGATIVE, POSITIVE, VECTOR, field, form, numbers};
use super::{Bounds, Field, Form, Kind, Layout, Need, Table};
use std::sync::LazyLock;

use Need::{Optional, Required};

const POSITIVE_ROW: &[Form] = &[form(Layout::Row, Bounds::POSITIVE, None)];
const PAIR: &[Form] = &[form(Layout::List(2), Bounds::ANY, None)];
/// A damping ratio of 1 ends vibration altogether.
const RATIO: &[Form] = &[form(Layout::Number, Bounds { least: 0.0, greatest: 0.99, above: false }, None)];
/// More modes than anybody has use for take minutes.
const COUNT: &[Form] = &[form(Layout::Number, Bounds { least: 0.0, greatest: 500.0, above: false }, None)];

/// How the bodies vibrate.
pub(super) static VIBRATION: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[vibration]",
    doc: "How the bodies vibrate at the contact. The modes of all that is given here are kept beside the rigid motion; laws \
          then resolve every contact that the vibrations lead to.",
    fields: vec![
        numbers("damping_ratio", RATIO, "", Optional("0"), "Damping of every mode as a share of the critical one."),
        field("mode", Kind::Tables(&MODE), "", Optional("none"), "Modes from a table or a measurement."),
        field("chain", Kind::Table(&CHAIN), "", Optional("none"), "Masses in a row along the normal."),
        field("bar", Kind::Table(&BAR), "", Optional("none"), "A bar along the normal that stretches."),
        field("beam", Kind::Table(&BEAM), "", Optional("none"), "A beam that bends and stretches."),
    ],
    exactly_one: false,
});

static MODE: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[[vibration.mode]]",
    doc: "One mode of vibration.",
    fields: vec![
        numbers("frequency", POSITIVE, "rad/s", Required, "Circular frequency."),
        numbers(
            "shape",
            VECTOR,
            "1/√kg",
            Required,
            "Mass-normalised displacement of A's contact point relative to B's, in (n, t) or (n, t1, t2).",
        ),
        numbers("damping_ratio", RATIO, "", Optional("that of `[vibration]`"), "Damping of this mode."),
    ],
    exactly_one: false,
});

static CHAIN: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[vibration.chain]",
    doc: "Masses in a row along the normal, joined by springs; the first touches.",
    fields: vec![
        numbers("masses", POSITIVE_ROW, "kg", Required, "The masses, from the one that touches."),
        numbers(
            "springs",
            POSITIVE_ROW,
            "N/m",
            Required,
            "Stiffnesses between neighbours: one less than masses, or as many to fix the far end by the last.",
        ),
    ],
    exactly_one: false,
});

static BAR: LazyLock<Table> = LazyLock::new(|| Table {
    header: "[vibration.bar]",
    doc: "A straight bar along the normal that stretches.",
    fields: vec![
        numbers("length", POSITIVE, "m", Required, "Length of the bar."),
        numbers("mass", POSITIVE, "kg", Required, "Mass of the bar."),
        numbers("wave_speed", POSITIVE, "m/s", Required, "Speed of longitudinal waves, √(E/ρ)."),
        numbers("modes", COUNT, "", Required, "How many modes to keep."),
        contact_at(),
        field("far_end", Kind::Word(vec!["free", "fixed"]), "", Optional("free"), "How the second end is held."),
    ],
    exactly_one: false,
});

static BEAM: LazyLock<Table> = LazyLock::new(|| {
    let end = |key| {
        let words = Kind::Word(vec!["free", "pinned", "clamped"]);
        field(key, words, "", Optional("free"), "How this end is held.")
    };
    Table {
        header: "[vibration.beam]",
        doc: "A straight uniform beam in the plane (n, t1) that bends and stretches.",
        fields: vec![
            numbers("length", POSITIVE, "m", Required, "Length of the beam."),
            numbers("mass", POSITIVE, "kg", Required, "Mass of the beam."),
            numbers("youngs_modulus", POSITIVE, "Pa", Required, "Young's modulus."),
            numbers("diameter", POSITIVE, "m", Optional("`area` and `second_moment`"), "Diameter of a round section."),
            numbers("area", POSITIVE, "m²", Optional("from `diameter`"), "Area of the section."),
            numbers(
                "second_moment",
                POSITIVE,
                "m⁴",
                Optional("from `diameter`"),
                "Second moment of area about the axis that the beam bends around.",
            ),
            numbers(
                "shear_modulus",
                POSITIVE,
                "Pa",
                Optional("Euler and Bernoulli's theory"),
                "Shear modulus; bends by Timoshenko's theory.",
            ),
            numbers(
                "shear_coefficient",
                POSITIVE,
                "",
                Optional("0.9"),
                "Share of the area that carries the shear, with `shear_modulus`.",
            ),
            numbers("bending_modes", COUNT, "", Required, "How many modes of bending to keep."),
            numbers("axial_modes", COUNT, "", Optional("0"), "How many modes of stretching to keep."),
            contact_at(),
            numbers(
                "angle",
                ANY,
                "rad",
                Required,
                "Angle of the axis, from first to second end, from the normal towards t1: 0 stands, π/2 lies flat.",
            ),
            numbers(
                "arm",
                PAIR,
                "m",
                Optional("on the axis"),
                "The contact point seen from the axis: along it, and across it (towards the normal at angle −π/2).",
            ),
            end("first_end"),
            end("second_end"),
        ],
        exactly_one: false,
    }
});

fn contact_at() -> Field {
    numbers("contact_at", NOT_NEGATIVE, "m", Optional("0"), "Distance of the contact from the first end.")
}
