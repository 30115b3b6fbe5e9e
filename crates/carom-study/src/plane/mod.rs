//! The impulse plane of a planar collision as geometry: what the diagrams draw.

mod diagram;
mod line;
mod polygon;
mod window;

pub(crate) use diagram::PlaneDiagram;
pub(crate) use line::PlaneLine;
pub(crate) use window::Window;
