//! PNG from our SVG, with the embedded font and no other.

use super::font::FILES;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::fmt;
use std::sync::Arc;

/// Pixels of the PNG per pixel of the SVG unless asked otherwise: sharp in print and on dense screens.
pub const SCALE: f32 = 2.0;

/// Why an SVG could not be turned into pixels.
#[derive(Debug)]
pub struct NotDrawable(String);

impl fmt::Display for NotDrawable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the drawing cannot be turned into pixels: {}", self.0)
    }
}

impl std::error::Error for NotDrawable {}

/// The drawing as a PNG file, `scale` pixels per pixel of the SVG.
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>"#;
/// let file = carom_study::plot::png(svg, carom_study::plot::SCALE).unwrap();
/// assert!(file.starts_with(b"\x89PNG"));
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, NotDrawable> {
    let mut fonts = fontdb::Database::new();
    for file in FILES {
        fonts.load_font_data(file.to_vec());
    }
    fonts.set_serif_family("Carom Serif");
    let options = Options { fontdb: Arc::new(fonts), font_family: "Carom Serif".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| NotDrawable(error.to_string()))?;
    let (width, height) = ((tree.size().width() * scale).ceil(), (tree.size().height() * scale).ceil());
    let mut pixels =
        Pixmap::new(width as u32, height as u32).ok_or_else(|| NotDrawable(format!("{width} × {height} pixels")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| NotDrawable(error.to_string()))
}
