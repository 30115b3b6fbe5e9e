//! Pictures: the impulse-space diagram, the regions laws can reach, and sheets of charts, as SVG and PNG.
//!
//! Nothing here touches files: a picture is a `String` of SVG or a `Vec<u8>` of PNG.

mod axis;
mod body_look;
mod chart;
mod closer;
mod course;
mod curve;
mod diagram;
mod font;
mod frame;
mod heading;
mod impact;
mod impact_course;
mod key;
mod legend;
mod marker;
mod marks;
mod measured_impacts;
mod outline;
mod placer;
mod plane_panel;
mod png;
mod rebound;
mod rectangle;
mod regions;
mod sheet;
mod simulation;
mod slender_rods;
mod stack;
mod strobe;
mod style;
mod svg;
mod tangent_panel;
mod text;
mod union;
mod view;

pub use axis::Axis;
pub use body_look::{BodyLook, body_look};
pub use chart::{Area, Chart, Dot, Guide, Measure, Span};
pub use course::Course;
pub use curve::Curve;
pub use diagram::{Diagram, Entry};
pub use impact::{ambiguity_sheet, impact_outcomes};
pub use impact_course::impact_course;
pub use measured_impacts::{Speeds, THREE_BALLS, TWO_CORNERS, measured_impacts, three_balls, two_corners};
pub use png::{NotDrawable, SCALE, png};
pub use rebound::ReboundCurves;
pub use regions::{Reach, Regions};
pub use sheet::Sheet;
pub use simulation::{energy_sheet, gap_sheet, velocity_sheet};
pub use slender_rods::{Refused, SlenderRods};
pub use stack::stack;
pub use strobe::strobe;
pub(crate) use strobe::{hangs, is_on_a_body, toward};
pub use text::Text;
