//! Where the energy is and where it went, and what is not accounted for.

use super::time;
use crate::plot::axis::Axis;
use crate::plot::chart::Chart;
use crate::plot::curve::Curve;
use crate::plot::sheet::Sheet;
use crate::plot::text::Text;
use crate::scenario::SimulationScenario;
use crate::simulation::Run;
use carom::format::Digits;
use carom::sim::Ledger;
use nalgebra::Vector2;

/// The check function is shown from below rounding to a millionth of the largest energy, or to all of it if it comes near that: on the
/// same axis for every scene, so that a good run is low in the chart and a wrong one high.
const LEAST: f64 = 1e-18;
const USUAL: f64 = 1e-6;

/// Entries that are a smaller fraction of the largest energy are rounding of it.
const ROUNDING: f64 = 1e-12;

/// An entry of the ledger, J.
type Entry = fn(&Ledger) -> f64;

/// Where the energy is and where it went, and what is not accounted for.
pub fn energy_sheet(scenario: &SimulationScenario, run: &Run) -> Sheet {
    let share = run.relative_residual();
    let mut charts = vec![ledger(run)];
    let mut subtitle = "every joule is accounted for to the last bit".to_owned();
    if share > 0.0 {
        charts.push(check(run));
        let way = if run.worst_residual > 0.0 { "too much" } else { "missing" };
        subtitle =
            format!("worst residual {} J {way}, {} of the largest energy", digits(run.worst_residual), digits(share));
    }
    Sheet { title: format!("Energy: {}", scenario.title), subtitle, charts }
}

/// The ledger. Potential energy is known but for a constant: counted from its lowest, it leaves the room to what changes.
fn ledger(run: &Run) -> Chart {
    let entries: [(usize, &str, Entry); 5] = [
        (0, "kinetic", |ledger| ledger.kinetic),
        (1, "potential", |ledger| ledger.potential),
        (3, "lost in impacts", |ledger| ledger.impacts),
        (2, "lost to friction", |ledger| ledger.friction),
        (5, "supplied", |ledger| ledger.supplied),
    ];
    let least = ROUNDING * run.energy_scale();
    let lowest = run.frames.iter().map(|frame| frame.ledger.potential).fold(f64::INFINITY, f64::min);
    let line = |index: usize, label: &str, of: &dyn Fn(&Ledger) -> f64| {
        let points = run.frames.iter().map(|frame| {
            let ledger = Ledger { potential: frame.ledger.potential - lowest, ..frame.ledger };
            Vector2::new(frame.time, of(&ledger))
        });
        Curve::line(index, Text::plain(label), points.collect())
    };
    let mut curves: Vec<Curve> = vec![line(4, "total", &Ledger::total).solid()];
    for (index, label, of) in entries {
        if run.frames.iter().any(|frame| of(&frame.ledger).abs() > least) {
            curves.push(line(index, label, &of));
        }
    }
    let title = if lowest == 0.0 { "Ledger" } else { "Ledger, potential from its lowest" };
    Chart {
        title: title.to_owned(),
        across: time(),
        up: Axis::quantity(Text::plain("energy ").italic("E"), "J"),
        curves,
        ..Chart::default()
    }
}

/// The size of the check function at every frame, and the largest so far.
fn check(run: &Run) -> Chart {
    let scale = run.energy_scale();
    let most = if run.relative_residual() > 0.1 * USUAL { 1.0 } else { USUAL };
    let shares = run.frames.iter().map(|frame| Vector2::new(frame.time, frame.ledger.residual().abs() / scale));
    let mut worst = LEAST;
    let largest = shares.clone().map(|point| {
        worst = point.y.max(worst);
        Vector2::new(point.x, worst)
    });
    Chart {
        title: "Check function: what is not accounted for".to_owned(),
        across: time(),
        up: Axis::number(Text::plain("share of the largest energy")).logarithmic().between(LEAST, most),
        curves: vec![
            Curve::line(0, Text::plain("largest so far"), largest.collect()),
            Curve::line(6, Text::plain("now"), shares.collect()).solid(),
        ],
        ..Chart::default()
    }
}

fn digits(value: f64) -> String {
    let value = value.abs();
    if value == 0.0 { "0".to_owned() } else { Digits(format!("{value:.1e}").parse().unwrap_or(value)).to_string() }
        .replace('-', "−")
}
