//! The font of every picture: Carom Serif, a subset of STIX that travels inside the program.
//!
//! Its widths are those of Times, so that a viewer without it falls back to a face of the same measure.

use super::text::{Face, Text};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// What an SVG asks for, in order of preference.
pub const FAMILY: &str =
    "Carom Serif, STIX Two Text, STIX, STIXGeneral, Times New Roman, Times, Liberation Serif, serif";

const REGULAR: &[u8] = include_bytes!("../../assets/CaromSerif-Regular.otf");
const ITALIC: &[u8] = include_bytes!("../../assets/CaromSerif-Italic.otf");
const BOLD: &[u8] = include_bytes!("../../assets/CaromSerif-Bold.otf");

/// The embedded font files.
pub const FILES: [&[u8]; 3] = [REGULAR, ITALIC, BOLD];

/// Width of a character the font lacks, in ems.
const UNKNOWN: f64 = 0.5;

/// Width of a text set in `size` pixels.
pub fn width(text: &Text, size: f64) -> f64 {
    text.spans()
        .iter()
        .map(|span| {
            let file = match span.face {
                Face::Regular => REGULAR,
                Face::Italic => ITALIC,
                Face::Bold => BOLD,
            };
            ems(file, &span.content) * span.level.size(size)
        })
        .sum()
}

fn ems(file: &[u8], content: &str) -> f64 {
    let Ok(font) = FontRef::new(file) else { return UNKNOWN * content.chars().count() as f64 };
    let (characters, metrics) = (font.charmap(), font.glyph_metrics(Size::new(1.0), LocationRef::default()));
    content
        .chars()
        .map(|c| characters.map(c).and_then(|glyph| metrics.advance_width(glyph)).map_or(UNKNOWN, f64::from))
        .sum()
}
