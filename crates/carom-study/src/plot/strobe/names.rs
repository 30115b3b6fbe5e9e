//! Names of bodies and walls in the picture of the motion, where they cover nothing.

use super::key::Entry;
use super::stage::Stage;
use crate::plot::body_look::BodyLook;
use crate::plot::font::width;
use crate::plot::marks::label_if_free;
use crate::plot::outline::Outline;
use crate::plot::placer::Placer;
use crate::plot::rectangle::Rectangle;
use crate::plot::style::{GREY, SMALL};
use crate::plot::svg::{Anchor, Canvas, Lettering, Point};
use crate::plot::text::Text;
use crate::scenario::SimulationScenario;
use crate::simulation::Frame;
use carom::sim::{Core, Part, Pose};

/// Side of the squares that stand for a silhouette, pixels, and how many of them to a side at most.
const SQUARE: f64 = 7.0;
const MOST_SQUARES: f64 = 40.0;

impl Stage<'_> {
    /// Keeps labels off the bodies at an instant.
    pub fn reserve_bodies(&self, placer: &mut Placer, scenario: &SimulationScenario, frame: Option<&Frame>) {
        let Some(frame) = frame else { return };
        for (body, state) in scenario.scene.bodies().iter().zip(&frame.states) {
            for outline in self.outlines(&body.parts, &state.pose) {
                self.reserve(placer, &outline);
            }
        }
    }

    /// What is seen of parts at a pose.
    fn outlines(&self, parts: &[Part], pose: &Pose) -> Vec<Outline> {
        parts.iter().filter_map(|part| self.view.outline(part, pose)).collect()
    }

    fn reserve(&self, placer: &mut Placer, outline: &Outline) {
        let Rectangle { least, greatest } = self.bounds(outline);
        let size = greatest - least;
        let counts = size.map(|side| (side / SQUARE).clamp(1.0, MOST_SQUARES).ceil());
        let square = size.component_div(&counts);
        for i in 0..counts.x as usize {
            for j in 0..counts.y as usize {
                let corner = least + square.component_mul(&Point::new(i as f64, j as f64));
                let cell = Rectangle { least: corner, greatest: corner + square };
                if self.holds(outline, &cell.centre()) {
                    placer.reserve(cell);
                }
            }
        }
    }

    /// Whether a silhouette covers a place of the canvas.
    pub fn holds(&self, outline: &Outline, place: &Point) -> bool {
        match outline {
            Outline::Circle(centre, radius, _) => {
                (place - self.on_canvas(centre)).norm() * self.across.resolution() <= *radius
            }
            Outline::Polygon(rim, _) => {
                let rim: Vec<Point> = rim.iter().map(|p| self.on_canvas(p)).collect();
                let next = rim.iter().cycle().skip(1);
                // The sheet's ordinate grows upwards, the canvas's downwards: a rim that turns left turns right here.
                rim.len() > 2 && rim.iter().zip(next).all(|(a, b)| (b - a).perp(&(place - a)) <= 0.0)
            }
        }
    }

    /// Writes the name of every body into it where it fits, or beside it; those for which there is no room are for the key.
    pub fn draw_names(
        &self,
        canvas: &mut Canvas,
        placer: &mut Placer,
        scenario: &SimulationScenario,
        frame: &Frame,
        looks: &[BodyLook],
    ) -> Vec<Entry> {
        let outlines: Vec<Vec<Outline>> = scenario
            .scene
            .bodies()
            .iter()
            .zip(&frame.states)
            .map(|(body, state)| self.outlines(&body.parts, &state.pose))
            .collect();
        let mut left = Vec::new();
        for (body, state) in frame.states.iter().enumerate() {
            let (name, look) = (&scenario.body_names[body], &looks[body]);
            let (text, middle) = (Text::plain(name), self.place(&state.pose.position));
            // The line that shows how a ball turns is not to strike its name out.
            let within = match outlines[body][..] {
                [Outline::Circle(_, _, rim)] => middle - (self.on_canvas(&rim) - middle) * 0.45,
                _ => middle,
            };
            let room = Rectangle::around(within, Point::new(width(&text, SMALL) + 4.0, SMALL + 3.0));
            let inside = |outline: &Outline| room.corners().iter().all(|corner| self.holds(outline, corner));
            let others = outlines.iter().enumerate().filter(|(other, _)| *other != body).flat_map(|(_, all)| all);
            let hidden = others.map(|outline| self.bounds(outline)).any(|other| other.overlap(&room) > 0.0);
            let lettering = Lettering { halo: true, ..Lettering::new(SMALL, &look.colour) };
            if !hidden && !placer.is_marked(&room) && outlines[body].iter().any(inside) {
                let lettering = Lettering { halo: false, ..lettering.anchored(Anchor::Middle) };
                canvas.text(within + Point::new(0.0, 0.34 * SMALL), &text, &lettering);
            } else if !label_if_free(canvas, placer, &[middle], &text, &lettering, 9.0) {
                left.push(Entry::Body { name: name.clone(), look: look.clone() });
            }
        }
        left
    }

    /// Writes the names of walls and obstacles of the plane where there is room.
    pub fn draw_wall_names(&self, canvas: &mut Canvas, placer: &mut Placer, scenario: &SimulationScenario) {
        let mut written: Vec<&String> = Vec::new();
        for (part, name) in scenario.scene.world().iter().zip(&scenario.world_names) {
            if written.contains(&name) {
                continue;
            }
            let text = Text::plain(name);
            let size = Point::new(width(&text, SMALL) + 4.0, SMALL + 1.0);
            let places = match &part.core {
                Core::HalfSpace { normal, offset } => self.along_wall(normal, *offset, size),
                _ => self
                    .outlines(std::slice::from_ref(part), &Pose::identity())
                    .iter()
                    .map(|outline| self.bounds(outline).centre())
                    .collect(),
            };
            let rooms = places.into_iter().map(|place| Rectangle::around(place, size));
            let Some(room) = rooms.into_iter().find(|room| placer.is_free(room) && self.rectangle.holds(room)) else {
                continue;
            };
            placer.reserve(room);
            let lettering = Lettering { halo: true, ..Lettering::new(SMALL, GREY).anchored(Anchor::Middle) };
            canvas.text(room.centre() + Point::new(0.0, 0.34 * SMALL), &text, &lettering);
            written.push(name);
        }
    }
}
