//! How fast the bodies were.

use super::{MOST_CURVES, alone, time};
use crate::plot::axis::Axis;
use crate::plot::body_look::keeps_own_colours;
use crate::plot::chart::Chart;
use crate::plot::curve::Curve;
use crate::plot::sheet::Sheet;
use crate::plot::text::Text;
use crate::scenario::SimulationScenario;
use crate::simulation::{Run, Track};
use carom::sim::{Scene, State};
use nalgebra::Vector2;

/// Speeds that are a smaller fraction of the largest are rounding of it.
const ROUNDING: f64 = 1e-12;

/// Curves drawn for a scene of hundreds of bodies: examples in front of the range of all.
const OF_VERY_MANY: usize = 3;

/// How fast the bodies were; of many the fastest, before the range of all.
pub fn velocity_sheet(scenario: &SimulationScenario, run: &Run) -> Sheet {
    let scene = &scenario.scene;
    let peaks = peaks(scene, run);
    let mut shown: Vec<usize> = (0..scene.bodies().len()).collect();
    shown.sort_by(|a, b| peaks[*b].total_cmp(&peaks[*a]));
    shown.truncate(if keeps_own_colours(shown.len()) { MOST_CURVES } else { OF_VERY_MANY });
    shown.sort_unstable();
    let (count, curves) = (scene.bodies().len(), shown.len());
    let mut said = Vec::new();
    if count > curves {
        said.push(format!("the {curves} fastest of {count} bodies; grey: from the least to the greatest of all"));
    }
    let tracks = run.tracks(&shown);
    let floor = ROUNDING * peaks.iter().copied().fold(0.0, f64::max);
    let turns = |body: usize, state: &State| state.angular_velocity.norm() * scene.bodies()[body].reach() > floor;
    let some_turn = states(run).any(|(body, state)| turns(body, state));
    if !some_turn {
        said.push("nothing turns".to_owned());
    }
    let chart = |title: &str, up: Axis, turns: bool, of: &dyn Fn(&State) -> f64| {
        let value = |body: usize, state: &State| {
            let reach = scene.bodies()[body].reach();
            let x = of(state);
            if x.abs() * if turns { reach } else { 1.0 } <= floor { 0.0 } else { x }
        };
        let lines = shown.iter().zip(&tracks).enumerate().map(|(rank, (body, Track(states)))| {
            let points = states.iter().map(|(time, state)| Vector2::new(*time, value(*body, state))).collect();
            let index = if keeps_own_colours(count) { *body } else { rank };
            Curve::line(index, Text::plain(&scenario.body_names[*body]), points)
        });
        let mut lines = alone(lines.collect());
        if count > curves {
            lines.push(Curve::band(range(run, &value)));
        }
        Chart { title: title.to_owned(), across: time(), up, curves: lines, ..Chart::default() }
    };
    let velocity = |name: &str| Axis::quantity(Text::symbol("v").subscript(name), "m/s");
    let spin = |name: &str| Axis::number(Text::symbol("ω").subscript(name).then(" (rad/s)"));
    let mut charts = vec![
        chart("Along x", velocity("x"), false, &|s| s.velocity.x),
        chart("Along y", velocity("y"), false, &|s| s.velocity.y),
    ];
    if !scene.is_planar() {
        charts.push(chart("Along z", velocity("z"), false, &|s| s.velocity.z));
    }
    if scene.is_planar() && some_turn {
        let spin = Axis::number(Text::symbol("ω").then(" (rad/s)"));
        charts.push(chart("Turning", spin, true, &|s| s.angular_velocity.z));
    } else if some_turn {
        charts.extend([
            chart("Turning about x", spin("x"), true, &|s| s.angular_velocity.x),
            chart("Turning about y", spin("y"), true, &|s| s.angular_velocity.y),
            chart("Turning about z", spin("z"), true, &|s| s.angular_velocity.z),
        ]);
    }
    Sheet { title: format!("Velocities: {}", scenario.title), subtitle: said.join("; "), charts }
}

/// All that is known of all bodies.
fn states(run: &Run) -> impl Iterator<Item = (usize, &State)> {
    let frames = run.frames.iter().flat_map(|frame| frame.states.iter().enumerate());
    let sides = run.events.iter().flat_map(|event| &event.bodies);
    frames.chain(sides.flat_map(|(body, sides)| sides.iter().map(|state| (body.index(), state))))
}

/// The greatest speed of any point of each body, m/s.
fn peaks(scene: &Scene, run: &Run) -> Vec<f64> {
    let mut peaks = vec![0.0_f64; scene.bodies().len()];
    for (body, state) in states(run) {
        let speed = state.velocity.norm() + state.angular_velocity.norm() * scene.bodies()[body].reach();
        peaks[body] = peaks[body].max(speed);
    }
    peaks
}

/// The outline of all that any body did, frame by frame with the events between them.
fn range(run: &Run, value: &dyn Fn(usize, &State) -> f64) -> Vec<Vector2<f64>> {
    let wider = |[least, greatest]: [f64; 2], x: f64| [least.min(x), greatest.max(x)];
    let of_frame = |k: usize| {
        let states = run.frames[k].states.iter().enumerate();
        states.map(|(body, state)| value(body, state)).fold([f64::INFINITY, f64::NEG_INFINITY], wider)
    };
    let mut events = run.events.iter().peekable();
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (k, ends) in run.frames.windows(2).enumerate() {
        let mut found = of_frame(k + 1).into_iter().fold(of_frame(k), wider);
        while let Some(event) = events.next_if(|event| event.time <= ends[1].time) {
            let states =
                event.bodies.iter().flat_map(|(body, sides)| sides.iter().map(|state| value(body.index(), state)));
            found = states.fold(found, wider);
        }
        for end in ends {
            lower.push(Vector2::new(end.time, found[0]));
            upper.push(Vector2::new(end.time, found[1]));
        }
    }
    upper.reverse();
    lower.extend(upper);
    lower
}
