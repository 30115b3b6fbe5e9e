//! Charts of a run: where the energy went, how far bodies were apart, how fast they were.

use super::axis::Axis;
use super::chart::Chart;
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run, against, contact_name};
use carom::Digits;
use carom::sim::{Anchor, EventContact, Ledger, Origin, Pose, State, gap};
use nalgebra::Vector2;

/// Curves of more bodies than this are a tangle.
const MOST_CURVES: usize = 6;

fn time() -> Axis {
    Axis::quantity(Text::plain("time ").italic("t"), "s")
}

/// An entry of the ledger, J.
type Entry = fn(&Ledger) -> f64;

/// Where the energy is and where it went, and what is not accounted for.
pub fn energy_sheet(scenario: &SimulationScenario, run: &Run) -> Sheet {
    let entries: [(&str, Entry); 5] = [
        ("kinetic", |ledger| ledger.kinetic),
        ("potential", |ledger| ledger.potential),
        ("lost in impacts", |ledger| ledger.impacts),
        ("lost to friction", |ledger| ledger.friction),
        ("supplied", |ledger| ledger.supplied),
    ];
    let line = |index: usize, label: &str, of: &dyn Fn(&Ledger) -> f64| {
        let points = run.frames.iter().map(|frame| Vector2::new(frame.time, of(&frame.ledger))).collect();
        Curve::line(index, Text::plain(label), points)
    };
    let mut curves: Vec<Curve> = vec![line(4, "total", &Ledger::total).solid()];
    for (k, (label, of)) in entries.iter().enumerate() {
        if run.frames.iter().any(|frame| of(&frame.ledger) != 0.0) {
            curves.push(line([0, 1, 3, 2, 5][k], label, of));
        }
    }
    let residual = line(0, "", &Ledger::residual);
    let share = run.relative_residual();
    Sheet {
        title: format!("Energy: {}", scenario.title),
        subtitle: format!("worst residual {} J, {} of the largest energy", digits(run.worst_residual), digits(share)),
        charts: vec![
            Chart {
                title: "Ledger".to_owned(),
                across: time(),
                up: Axis::quantity(Text::symbol("E"), "J"),
                curves,
                ..Chart::default()
            },
            Chart {
                title: "Check function: what is not accounted for".to_owned(),
                across: time(),
                up: Axis::quantity(Text::plain("residual"), "J"),
                curves: vec![residual],
                ..Chart::default()
            },
        ],
    }
}

fn digits(value: f64) -> String {
    let value = value.abs();
    if value == 0.0 { "0".to_owned() } else { Digits(format!("{value:.1e}").parse().unwrap_or(value)).to_string() }
        .replace('-', "−")
}

/// How far what met was apart: bodies, a body and a wall or obstacle, the ends of a string and its length. Nothing if none met.
pub fn gap_sheet(scenario: &SimulationScenario, run: &Run) -> Option<Sheet> {
    let mut pairs: Vec<((&EventContact, String), usize)> = Vec::new();
    for contact in run.events.iter().flat_map(|event| &event.contacts) {
        let name = contact_name(scenario, contact);
        match pairs.iter_mut().find(|((_, known), _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => pairs.push(((contact, name), 1)),
        }
    }
    let start: Vec<State> = scenario.scene.bodies.iter().map(|body| body.state).collect();
    pairs.retain(|((contact, _), _)| gap_at(scenario, contact, &start).is_some());
    let met = pairs.len();
    pairs.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    pairs.truncate(MOST_CURVES);
    if pairs.is_empty() {
        return None;
    }
    let instants = instants(run);
    let curves = pairs.iter().enumerate().map(|(index, ((contact, name), _))| {
        let points = instants
            .iter()
            .map(|(time, states)| Vector2::new(*time, gap_at(scenario, contact, states).unwrap_or(f64::NAN)));
        Curve::line(index, Text::plain(name), points.collect())
    });
    let subtitle = if met > MOST_CURVES {
        format!("{MOST_CURVES} of the {met} pairs that met, those that met most often")
    } else {
        String::new()
    };
    let chart = Chart {
        across: time(),
        up: Axis::quantity(Text::plain("gap"), "m"),
        curves: alone(curves.collect()),
        ..Chart::default()
    };
    Some(Sheet { title: format!("Gaps: {}", scenario.title), subtitle, charts: vec![chart] })
}

/// The gap at a contact, m: between two bodies, to all parts of the wall or obstacle that it is against, or of a string. A limit of a
/// joint has none.
fn gap_at(scenario: &SimulationScenario, contact: &EventContact, states: &[State]) -> Option<f64> {
    let scene = &scenario.scene;
    match (contact.origin, contact.bodies) {
        (Origin::Parts { .. }, [Some(body), None]) => {
            let hit = against(scenario, contact);
            let own = &scene.bodies[body].parts;
            let world = scene.world.iter().zip(&scenario.world_names).filter(|(_, name)| hit.as_ref() == Some(name));
            let gaps = world.flat_map(|(part, _)| {
                own.iter().filter_map(move |own| gap((own, &states[body].pose), (part, &Pose::identity())))
            });
            gaps.reduce(f64::min)
        }
        (Origin::Parts { .. }, pair) => scene.nearest_parts(states, pair).map(|(_, gap)| gap),
        (Origin::Cord(cord), _) => {
            let cord = scene.strings.get(cord)?;
            let place = |end: &Anchor| end.body.map_or(end.point, |body| states[body].pose.point(&end.point));
            Some(cord.length - (place(&cord.a) - place(&cord.b)).norm())
        }
        (Origin::Limit(_), _) => None,
    }
}

/// How fast the bodies were.
pub fn velocity_sheet(scenario: &SimulationScenario, run: &Run) -> Sheet {
    let planar = scenario.scene.planar;
    let instants = instants(run);
    let shown = scenario.body_names.len().min(MOST_CURVES);
    let chart = |title: &str, up: Axis, of: &dyn Fn(&State) -> f64| {
        let curves = (0..shown).map(|body| {
            let points = instants.iter().map(|(time, states)| Vector2::new(*time, of(&states[body]))).collect();
            Curve::line(body, Text::plain(&scenario.body_names[body]), points)
        });
        Chart { title: title.to_owned(), across: time(), up, curves: alone(curves.collect()), ..Chart::default() }
    };
    let velocity = |name: &str| Axis::quantity(Text::symbol("v").subscript(name), "m/s");
    let spin = |name: &str| Axis::number(Text::symbol("ω").subscript(name).then(" (rad/s)"));
    let mut charts =
        vec![chart("Along x", velocity("x"), &|s| s.velocity.x), chart("Along y", velocity("y"), &|s| s.velocity.y)];
    if planar {
        charts.push(chart("Turning", Axis::number(Text::symbol("ω").then(" (rad/s)")), &|s| s.angular_velocity.z));
    } else {
        charts.extend([
            chart("Along z", velocity("z"), &|s| s.velocity.z),
            chart("Turning about x", spin("x"), &|s| s.angular_velocity.x),
            chart("Turning about y", spin("y"), &|s| s.angular_velocity.y),
            chart("Turning about z", spin("z"), &|s| s.angular_velocity.z),
        ]);
    }
    let count = scenario.body_names.len();
    let subtitle = if count > shown { format!("the first {shown} of {count} bodies") } else { String::new() };
    Sheet { title: format!("Velocities: {}", scenario.title), subtitle, charts }
}

/// A curve alone needs neither a name nor dashes.
fn alone(curves: Vec<Curve>) -> Vec<Curve> {
    match <[Curve; 1]>::try_from(curves) {
        Ok([curve]) => vec![Curve::line(0, Text::default(), curve.points)],
        Err(curves) => curves,
    }
}

fn instants(run: &Run) -> Vec<(f64, Vec<State>)> {
    if run.events.len() < 4 * run.frames.len() {
        return run.instants();
    }
    run.frames.iter().map(|Frame { time, states, .. }| (*time, states.clone())).collect()
}
