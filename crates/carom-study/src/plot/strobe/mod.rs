//! The motion as a strobe shows it: bodies at equal intervals of time, their paths, and where events were.

mod bodies;
mod events;
mod key;
mod names;
mod stage;
mod world;

pub(crate) use bodies::hangs;
pub(crate) use events::is_on_a_body;

use super::body_look::{BodyLook, body_look, keeps_own_colours};
use super::frame::{BOTTOM_MARGIN, LEFT_MARGIN};
use super::heading::{draw_headings, width_of_headings};
use super::outline::View;
use super::placer::Placer;
use super::svg::{Canvas, Point};
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run, applied_law};
use carom::format::Digits;
use carom::sim::{Core, Scene};
use key::{Entry, Key};
use nalgebra::Vector3;
use stage::Stage;

const RIGHT_MARGIN: f64 = 16.0;

/// The motion as SVG.
pub fn strobe(scenario: &SimulationScenario, run: &Run) -> String {
    let scene = &scenario.scene;
    let view = view(scene);
    let count = scene.bodies().len();
    let flashes = flashes(run, count);
    let looks: Vec<BodyLook> = (0..count).map(|body| body_look(body, count)).collect();
    let stage = Stage::new(scenario, run, &view, &flashes);
    let rectangle = stage.rectangle;
    let failed = if run.failure.is_some() { "; the run failed there" } else { "" };
    let subtitle = format!("{}; law {}{failed}", when(&flashes), applied_law(scenario));
    let headings = LEFT_MARGIN + width_of_headings(&scenario.title, &subtitle);
    let width = (rectangle.greatest.x).max(headings) + RIGHT_MARGIN;
    let axes = if scene.is_planar() { BOTTOM_MARGIN } else { 10.0 };
    let mut canvas = Canvas::new(width, rectangle.greatest.y, &scenario.title);
    draw_headings(&mut canvas, &scenario.title, &subtitle);

    canvas.open_clipped("motion", rectangle.least, rectangle.greatest - rectangle.least);
    stage.draw_world(&mut canvas, scenario);
    stage.draw_paths(&mut canvas, run, &looks);
    for (k, frame) in flashes.iter().enumerate() {
        let age = 1.0 - (k as f64 + 1.0) / flashes.len() as f64;
        stage.draw_links(&mut canvas, scenario, frame, age);
        stage.draw_bodies(&mut canvas, scenario, frame, age, &looks);
    }
    let last = flashes.last().copied();
    let mut placer = Placer::new(rectangle.grown(-2.0));
    stage.reserve_bodies(&mut placer, scenario, last);
    let mut key = stage.draw_events(&mut canvas, &mut placer, scenario, run, last);
    canvas.close();
    if !scene.is_planar() {
        stage.draw_triad(&mut canvas, &mut placer, scenario, &flashes);
    }
    if let (Some(frame), true) = (last, count > 1) {
        if keeps_own_colours(count) {
            key.extend(stage.draw_names(&mut canvas, &mut placer, scenario, frame, &looks));
        } else {
            let name = |body: usize| scenario.body_names[body].clone();
            key.push(Entry::Row { first: name(0), last: name(count - 1) });
        }
    }
    if scene.is_planar() {
        stage.draw_wall_names(&mut canvas, &mut placer, scenario);
    }
    stage.draw_frame(&mut canvas, scene.is_planar());
    let below = rectangle.greatest.y + axes;
    let room = if scene.is_planar() { 0.0 } else { stage.draw_scale(&mut canvas, below + 12.0) };
    let key = Key::new(key, width - LEFT_MARGIN - RIGHT_MARGIN - room);
    key.draw(&mut canvas, Point::new(LEFT_MARGIN, below + 12.0));
    canvas.set_height(below + key.height());
    canvas.finish()
}

/// From where a scene is seen: in space, from where most of its walls show their faces.
pub(super) fn view(scene: &Scene) -> View {
    if scene.is_planar() {
        return View::planar();
    }
    let walls: Vec<Vector3<f64>> = scene
        .world()
        .iter()
        .filter_map(|part| match &part.core {
            Core::HalfSpace { normal, .. } => Some(*normal),
            _ => None,
        })
        .collect();
    View::spatial(&(-scene.gravity()).try_normalize(0.0).unwrap_or_else(Vector3::z), &walls)
}

/// The direction from a scene to who looks at it.
pub(crate) fn toward(scene: &Scene) -> Vector3<f64> {
    view(scene).toward
}

/// When there were flashes, in words.
fn when(flashes: &[&Frame]) -> String {
    // Without the rounding of a division.
    let shown = |time: f64| Digits((time * 1e6).round() / 1e6);
    match flashes {
        [first, last] => format!("at {} and {} s", shown(first.time), shown(last.time)),
        [first, second, .., last] => {
            format!("every {} s from {} to {} s", shown(second.time - first.time), shown(first.time), shown(last.time))
        }
        [only] => format!("at {} s", shown(only.time)),
        [] => "nothing was computed".to_owned(),
    }
}

/// Frames at equal intervals from the start to the end: more of few bodies, fewer of many, of very many only the start and the end.
pub(super) fn flashes(run: &Run, bodies: usize) -> Vec<&Frame> {
    let wanted = match bodies {
        0..=1 => 20,
        2..=4 => 12,
        _ if keeps_own_colours(bodies) => 8,
        _ => 1,
    };
    let last = run.frames.len().saturating_sub(1);
    // Equal to the frame, if any number of flashes near the wanted one makes it so.
    let even =
        (wanted..=wanted + wanted / 2).chain((wanted / 2..wanted).rev()).find(|count| last.is_multiple_of(*count));
    let count = even.unwrap_or(wanted).min(last).max(1);
    let mut flashes: Vec<&Frame> = (0..=count).filter_map(|k| run.frames.get(k * last / count)).collect();
    flashes.dedup_by(|a, b| a.time == b.time);
    flashes
}
