//! Pictures: the impulse-space diagram and the regions laws can reach, as SVG and PNG.
//!
//! Nothing here touches files: a picture is a `String` of SVG or a `Vec<u8>` of PNG.

mod closer;
mod diagram;
mod font;
mod frame;
mod heading;
mod key;
mod legend;
mod marker;
mod marks;
mod placer;
mod plane_panel;
mod png;
mod rectangle;
mod regions;
mod style;
mod svg;
mod tangent_panel;
mod text;
mod view;

pub use diagram::{Diagram, Entry};
pub use png::{NotDrawable, SCALE, png};
pub use regions::{Reach, Regions};
