//! Charts of a run: where the energy went, how far bodies were apart, how fast they were.

mod energy;
mod gaps;
mod velocities;

pub use energy::energy_sheet;
pub use gaps::gap_sheet;
pub use velocities::velocity_sheet;

use super::axis::Axis;
use super::curve::Curve;
use super::text::Text;

/// More curves than the palette has colours are a tangle.
const MOST_CURVES: usize = super::style::PALETTE.len();

fn time() -> Axis {
    Axis::quantity(Text::plain("time ").italic("t"), "s")
}

/// A curve alone needs neither a name nor dashes.
fn alone(curves: Vec<Curve>) -> Vec<Curve> {
    match <[Curve; 1]>::try_from(curves) {
        Ok([curve]) => vec![Curve::line(0, Text::default(), curve.points)],
        Err(curves) => curves,
    }
}
