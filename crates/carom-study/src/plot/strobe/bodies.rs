//! Bodies, their paths, and what holds them.

use super::stage::Stage;
use crate::plot::body_look::BodyLook;
use crate::plot::style::WHITE;
use crate::plot::svg::{Canvas, Point, Style};
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run, Track};
use carom::sim::{Anchor, Load, SceneBody, State};

/// Bodies smaller than this are drawn as dots of this radius, pixels.
const DOT: f64 = 1.5;

impl Stage<'_> {
    /// The ways of the bodies' centres of mass.
    pub fn draw_paths(&self, canvas: &mut Canvas, run: &Run, looks: &[BodyLook]) {
        let bodies: Vec<usize> = (0..looks.len()).collect();
        for (Track(states), look) in run.tracks(&bodies).iter().zip(looks) {
            let places = states.iter().map(|(_, state)| self.place(&state.pose.position));
            let mut way: Vec<Point> = Vec::new();
            for place in places {
                if way.last().is_none_or(|last| (place - last).norm() > 0.4) {
                    way.push(place);
                }
            }
            if way.len() > 1 {
                canvas.polyline(&way, false, &Style::line(&faded(&look.colour, 0.45), 0.8));
            }
        }
    }

    /// The bodies at an instant; `age` is 0 at the end and 1 long before.
    pub fn draw_bodies(
        &self,
        canvas: &mut Canvas,
        scenario: &SimulationScenario,
        frame: &Frame,
        age: f64,
        looks: &[BodyLook],
    ) {
        let mut order: Vec<usize> = (0..frame.states.len()).collect();
        let depth = |body: &usize| self.view.toward.dot(&frame.states[*body].pose.position);
        order.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        for body in order {
            let look = &looks[body];
            let colour = faded(&look.colour, 0.72 * age);
            let ground = faded(&look.colour, 0.80);
            let parts = &scenario.scene.bodies()[body].parts;
            for outline in parts.iter().filter_map(|part| self.view.outline(part, &frame.states[body].pose)) {
                let mut rim = Style::line(&colour, if age == 0.0 { 1.5 } else { 1.0 }).dashed(look.dash);
                if age == 0.0 || !scenario.scene.is_planar() {
                    rim = rim.filled(if age == 0.0 { &ground } else { WHITE });
                }
                self.draw_outline(canvas, &outline, &rim, &Style::line(&colour, 0.7));
            }
            let reach = scenario.scene.bodies()[body].reach() / self.across.resolution();
            if parts.is_empty() || reach < DOT {
                let place = self.place(&frame.states[body].pose.position);
                let radius = if parts.is_empty() { 3.0 } else { DOT };
                canvas.circle(place, radius, &Style::line(&colour, 1.0).filled(&colour));
            }
        }
    }

    /// Strings, springs and joints at an instant.
    pub fn draw_links(&self, canvas: &mut Canvas, scenario: &SimulationScenario, frame: &Frame, age: f64) {
        let scene = &scenario.scene;
        let colour = faded("#6b6b6b", 0.75 * age);
        let at = |anchor: &Anchor| {
            let state = anchor.body.map_or_else(State::world, |body| frame.states[body.index()]);
            self.place(&state.pose.point(&anchor.point))
        };
        let springs = scene.loads().iter().filter_map(|load| match load {
            Load::Spring { a, b, .. } => Some((a, b)),
            _ => None,
        });
        for (a, b) in springs {
            canvas.line(at(a), at(b), &Style::line(&colour, 1.0).dashed(&[4.0, 2.0]));
        }
        for string in scene.strings() {
            canvas.line(at(&string.a), at(&string.b), &Style::line(&colour, 0.7));
        }
        // From the joint to the bodies that it holds from outside.
        for joint in scene.joints() {
            for end in [joint.a(), joint.b()] {
                if let Some(body) = end.body.filter(|body| hangs(&scene.bodies()[body.index()], end)) {
                    let middle = self.place(&frame.states[body.index()].pose.position);
                    canvas.line(at(end), middle, &Style::line(&colour, 0.8));
                }
            }
            canvas.circle(at(joint.a()), 2.0, &Style::line(&colour, 0.8).filled(WHITE));
        }
    }
}

/// Whether a point that holds a body lies outside of it.
pub(crate) fn hangs(body: &SceneBody, end: &Anchor) -> bool {
    end.point.norm() > body.reach() * (1.0 + 1e-9)
}

/// A colour mixed with white.
fn faded(colour: &str, white: f64) -> String {
    let part = |k: usize| {
        let value = colour.get(1 + 2 * k..3 + 2 * k).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
        f64::from(value) + (255.0 - f64::from(value)) * white
    };
    format!("#{:02x}{:02x}{:02x}", part(0).round() as u8, part(1).round() as u8, part(2).round() as u8)
}
