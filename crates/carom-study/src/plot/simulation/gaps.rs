//! How far what met was apart.

use super::{MOST_CURVES, alone, time};
use crate::plot::axis::Axis;
use crate::plot::chart::Chart;
use crate::plot::curve::Curve;
use crate::plot::sheet::Sheet;
use crate::plot::text::Text;
use crate::scenario::SimulationScenario;
use crate::simulation::{Run, Track, against, contact_name, touching_distance};
use carom::format::Digits;
use carom::sim::{Anchor, Core, EventContact, Origin, Pose, State};
use nalgebra::{Vector2, Vector3};
use std::collections::HashMap;

/// Pairs that are looked at for some that part: a pile of blocks has thousands that never do.
const MOST_TRIED: usize = 6 * MOST_CURVES;

/// How far what met was apart: bodies, a body and a wall or obstacle, the ends of a string and its length; where nothing that met ever
/// parted, each corner from its wall. What is nearer than things that touch is drawn as zero. Nothing if none met,
/// or a ball only rolls.
pub fn gap_sheet(scenario: &SimulationScenario, run: &Run) -> Option<Sheet> {
    let pairs = pairs(scenario, run);
    let met = pairs.len();
    let mut curves = Vec::new();
    let mut together = Vec::new();
    for (contact, name) in pairs.iter().take(MOST_TRIED) {
        let points = course(scenario, run, contact, &|states| gap_at(scenario, contact, states));
        let parts = points.iter().any(|point| point.y != 0.0);
        if parts && curves.len() < MOST_CURVES {
            curves.push((name.clone(), points));
        } else if !parts {
            together.push((*contact, name));
        }
    }
    let mut said = Vec::new();
    if curves.is_empty() {
        said.push("what met never parts: each corner that met, from its wall".to_owned());
        curves = together.iter().flat_map(|(contact, name)| corners(scenario, run, contact, name)).collect();
        curves.truncate(MOST_CURVES);
    }
    if met > curves.len() && said.is_empty() {
        said.push(format!("{} of the {met} pairs that met, those that met most often", curves.len()));
        if !together.is_empty() {
            said.push("left out: what never parts".to_owned());
        }
    }
    if curves.is_empty() {
        return None;
    }
    let curves = curves.into_iter().enumerate().map(|(k, (name, points))| Curve::line(k, Text::plain(name), points));
    let chart = Chart {
        across: time(),
        up: Axis::quantity(Text::plain("gap"), "m"),
        curves: alone(curves.collect()),
        ..Chart::default()
    };
    Some(Sheet { title: format!("Gaps: {}", scenario.title), subtitle: said.join("; "), charts: vec![chart] })
}

/// What met, by name, the most frequent first.
fn pairs<'a>(scenario: &SimulationScenario, run: &'a Run) -> Vec<(&'a EventContact, String)> {
    let start: Vec<State> = scenario.scene.initial_states();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut pairs: Vec<(&EventContact, String, usize)> = Vec::new();
    for contact in run.events.iter().flat_map(|event| &event.contacts) {
        let name = contact_name(scenario, contact);
        let place = *places.entry(name.clone()).or_insert(pairs.len());
        if place == pairs.len() {
            pairs.push((contact, name, 0));
        }
        pairs[place].2 += 1;
    }
    pairs.retain(|(contact, ..)| gap_at(scenario, contact, &start).is_some());
    pairs.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    pairs.into_iter().map(|(contact, name, _)| (contact, name)).collect()
}

/// A distance between what a contact joins, m, at every frame and at every event of its bodies.
fn course(
    scenario: &SimulationScenario,
    run: &Run,
    contact: &EventContact,
    of: &dyn Fn(&[State]) -> Option<f64>,
) -> Vec<Vector2<f64>> {
    let touching = touching_distance(scenario);
    let bodies: Vec<usize> = contact.bodies.iter().flatten().map(|body| body.index()).collect();
    let tracks = run.tracks(&bodies);
    let mut times: Vec<f64> = tracks.iter().flat_map(|Track(states)| states.iter().map(|(time, _)| *time)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut states: Vec<State> = scenario.scene.initial_states();
    let mut points = Vec::with_capacity(times.len());
    for time in times {
        for (body, track) in bodies.iter().zip(&tracks) {
            states[*body] = track.at(time).unwrap_or(states[*body]);
        }
        let gap = of(&states).unwrap_or(f64::NAN);
        points.push(Vector2::new(time, if gap.abs() <= touching { 0.0 } else { gap }));
    }
    points
}

/// The gap at a contact, m: between two bodies, to all parts of the wall or obstacle that it is against, or of a string. A limit of a
/// joint has none.
fn gap_at(scenario: &SimulationScenario, contact: &EventContact, states: &[State]) -> Option<f64> {
    let scene = &scenario.scene;
    match (contact.origin, contact.bodies) {
        (Origin::Parts { .. }, [Some(body), None]) => {
            let hit = against(scenario, contact);
            let own = &scene.bodies()[body.index()].parts;
            let world = scene.world().iter().zip(&scenario.world_names).filter(|(_, name)| hit.as_ref() == Some(name));
            let gaps = world.flat_map(|(part, _)| {
                own.iter().filter_map(move |own| own.gap(&states[body.index()].pose, (part, &Pose::identity())))
            });
            gaps.reduce(f64::min)
        }
        (Origin::Parts { .. }, pair) => scene.nearest_parts(states, pair).map(|(_, gap)| gap),
        (Origin::String(string), _) => {
            let string = scene.strings().get(string)?;
            let place = |end: &Anchor| end.body.map_or(end.point, |body| states[body.index()].pose.point(&end.point));
            Some(string.length - (place(&string.a) - place(&string.b)).norm())
        }
        (Origin::Limit(_), _) => None,
    }
}

/// The corners of a body that came to a wall, with their gaps; none where it is not a wall or the body has no corners.
fn corners(
    scenario: &SimulationScenario,
    run: &Run,
    contact: &EventContact,
    name: &str,
) -> Vec<(String, Vec<Vector2<f64>>)> {
    let scene = &scenario.scene;
    let (Origin::Parts { parts, .. }, [Some(body), None]) = (contact.origin, contact.bodies) else { return Vec::new() };
    let Some(Core::HalfSpace { normal, offset }) = scene.world().get(parts[1]).map(|part| &part.core) else {
        return Vec::new();
    };
    let hulls = scene.bodies()[body.index()].parts.iter().filter_map(|part| match &part.core {
        Core::Hull(hull) if hull.vertices().len() > 1 => Some((part.radius, hull)),
        _ => None,
    });
    let mut found = Vec::new();
    for (radius, corner) in hulls.flat_map(|(radius, hull)| hull.vertices().iter().map(move |v| (radius, *v))) {
        let height = |states: &[State]| Some(normal.dot(&states[body.index()].pose.point(&corner)) - offset - radius);
        let points = course(scenario, run, contact, &height);
        let name = format!("{name} at {}", place(&corner, scene.is_planar()));
        if points.iter().any(|point| point.y == 0.0) && found.iter().all(|(known, _)| *known != name) {
            found.push((name, points));
        }
    }
    found
}

/// A place of a body, in its own axes.
fn place(p: &Vector3<f64>, planar: bool) -> String {
    // Three digits tell corners apart.
    let short = |x: f64| Digits(format!("{x:.2e}").parse().unwrap_or(x)).to_string().replace('-', "−");
    let shown: Vec<String> = p.iter().take(if planar { 2 } else { 3 }).map(|x| short(*x)).collect();
    format!("({}) m", shown.join(", "))
}
