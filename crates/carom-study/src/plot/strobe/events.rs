//! Where events were.

use super::key::Entry;
use super::stage::Stage;
use crate::plot::body_look::keeps_own_colours;
use crate::plot::placer::Placer;
use crate::plot::rectangle::Rectangle;
use crate::plot::style::{FAINT, INK, WHITE};
use crate::plot::svg::{Canvas, Point, Style};
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run};
use carom::sim::{BodyId, Event, EventContact, EventKind, Scene, State};
use nalgebra::Vector3;

/// More marks than this hide what they mark.
const MOST_MARKS: usize = 200;

impl Stage<'_> {
    /// Marks impacts and other events where they were, pale where a body hides them at the end, and keeps labels off them; what the key
    /// has to say of it. Among very many bodies marks are lost.
    pub fn draw_events(
        &self,
        canvas: &mut Canvas,
        placer: &mut Placer,
        scenario: &SimulationScenario,
        run: &Run,
        last: Option<&Frame>,
    ) -> Vec<Entry> {
        let (scene, count) = (&scenario.scene, run.events.len());
        if !keeps_own_colours(scene.bodies().len()) && count > 0 {
            return vec![Entry::Note(format!("{count} events, not marked"))];
        }
        let step = count.div_ceil(MOST_MARKS).max(1);
        let mut marks: Vec<(Point, bool, bool)> = Vec::new();
        for event in run.events.iter().step_by(step) {
            let is_impact = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
            for contact in event.contacts.iter().filter(|contact| is_on_a_body(scene, event, contact)) {
                let place = self.place(&contact.point);
                let pale = last.is_some_and(|frame| self.is_hidden(scene, frame, &contact.point));
                marks.push((place, is_impact, pale));
            }
        }
        // Those in sight lie on top.
        marks.sort_by_key(|(_, _, pale)| !pale);
        for (place, is_impact, pale) in &marks {
            draw_mark(canvas, *place, *is_impact, *pale);
            placer.mark(Rectangle::around(*place, Point::repeat(6.0)));
        }
        let entry = |(words, is_impact): (&str, bool)| {
            let some = marks.iter().any(|(_, impact, _)| *impact == is_impact);
            let words = if step > 1 { format!("{words} (of one event in {step})") } else { words.to_owned() };
            some.then_some(Entry::Mark { words, is_impact })
        };
        [("impacts", true), ("other events", false)].into_iter().filter_map(entry).collect()
    }

    /// Whether a point of space is behind a body.
    fn is_hidden(&self, scene: &Scene, frame: &Frame, point: &Vector3<f64>) -> bool {
        let (toward, place) = (self.view.toward, self.place(point));
        let behind = |state: &State| toward.dot(&(point - state.pose.position)) < 0.0;
        !scene.is_planar()
            && scene.bodies().iter().zip(&frame.states).any(|(body, state)| {
                let mut outlines = body.parts.iter().filter_map(|part| self.view.outline(part, &state.pose));
                behind(state) && outlines.any(|outline| self.holds(&outline, &place))
            })
    }
}

/// Whether a contact is at one of the bodies that it moved. A joint at its limit acts at a lever, which may be elsewhere.
pub(crate) fn is_on_a_body(scene: &Scene, event: &Event, contact: &EventContact) -> bool {
    let on = |(body, [before, _]): &(BodyId, [State; 2])| {
        let ends =
            scene.strings().iter().flat_map(|string| [&string.a, &string.b]).filter(|end| end.body == Some(*body));
        let reach = ends.map(|end| end.point.norm()).fold(scene.bodies()[body.index()].reach(), f64::max);
        contact.bodies.contains(&Some(*body)) && (contact.point - before.pose.position).norm() <= reach * (1.0 + 1e-6)
    };
    event.bodies.is_empty() || event.bodies.iter().any(on)
}

/// A ring for an impact, a cross for anything else.
pub fn draw_mark(canvas: &mut Canvas, place: Point, is_impact: bool, pale: bool) {
    let colour = if pale { FAINT } else { INK };
    if is_impact {
        let ring = Style::line(colour, 0.9);
        canvas.circle(place, 2.6, &if pale { ring } else { ring.filled(WHITE) });
    } else {
        let (a, b) = (Point::new(2.2, 2.2), Point::new(2.2, -2.2));
        for arm in [a, b] {
            canvas.line(place - arm, place + arm, &Style::line(colour, 1.0));
        }
    }
}
