//! The impulse-space diagram of one collision: what every law predicts, and what physics allows.
//!
//! Wang & Mason 1992, figures 2 and 7–10; Chatterjee 1997, figure 7.1. A planar collision has one panel. A spatial one
//! has two: the section through the normal and the slip, and the view along the normal.

use super::frame::{BOTTOM_MARGIN, Frame, LEFT_MARGIN};
use super::heading::{draw_headings, width_of_headings};
use super::legend;
use super::marker::Marker;
use super::marks::{self, Mark, Placed};
use super::plane_panel::PlanePanel;
use super::style::{INK, REGION, TEXT};
use super::svg::{Canvas, Lettering, Point};
use super::text::Text;
use super::{closer, key, plane_panel, tangent_panel, view};
use crate::plane::PlaneDiagram;
use crate::prediction::Answer;
use crate::scenario::Scenario;
use carom::format::Digits;
use carom::laws::ROUGH;
use carom::{Collision, Dimension, Section};
use nalgebra::{Vector2, Vector3};

/// What a diagram shows.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    /// Heading.
    pub title: String,
    /// Line below the heading; may be empty.
    pub subtitle: String,
    /// The collision.
    pub collision: &'a Collision,
    /// Coefficient of friction of the cone.
    pub friction: f64,
    /// Restitution of the line of termination, if it is to be drawn.
    pub restitution: Option<f64>,
    /// The predictions.
    pub entries: Vec<Entry>,
}

/// One law's prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The law's id.
    pub label: String,
    /// Its impulse, contact frame (n, t1, t2), kg m/s.
    pub impulse: Vector3<f64>,
    /// Corners of the path of the impulse; empty for a law without one.
    pub path: Vec<Vector3<f64>>,
    /// Whether physics allows the prediction.
    pub admissible: bool,
}

/// Largest size of a panel, alone and in a pair, pixels.
const PANEL: f64 = 500.0;
const PANEL_OF_TWO: f64 = 400.0;
/// A mark farther than this from the section, relative to the largest, lies beside it.
const BESIDE: f64 = 1e-6;
/// Room to the right of a panel for letters.
const RIGHT_MARGIN: f64 = 34.0;
/// Size of the closer view.
pub(super) const CLOSER: f64 = 205.0;
/// Room for the headings.
const HEAD: f64 = 74.0;

impl<'a> Diagram<'a> {
    /// The diagram of a scenario of one contact with the predictions of the laws that have one.
    pub fn of(scenario: &'a Scenario, answers: &[Answer]) -> Option<Diagram<'a>> {
        let collision = scenario.collision()?;
        let friction = scenario.friction(0).unwrap_or(0.0);
        let restitution = scenario.parameter(0, "restitution");
        let v = collision.velocity();
        let velocity = match scenario.dimension() {
            Dimension::Planar => format!("V = ({}, {}) m/s", Digits(v.x), Digits(v.y)),
            Dimension::Spatial => format!("V = ({}, {}, {}) m/s", Digits(v.x), Digits(v.y), Digits(v.z)),
        };
        let given = restitution.map_or_else(String::new, |e| format!(", e = {}", Digits(e)));
        let entries = answers.iter().filter_map(|(law, answer)| {
            let prediction = answer.as_ref().ok()?;
            let contact = &prediction.outcome.contacts[0];
            Some(Entry {
                label: law.id.to_owned(),
                impulse: contact.impulse,
                path: contact.path.corners().to_vec(),
                admissible: prediction.audit.is_ok(),
            })
        });
        Some(Diagram {
            title: scenario.title.clone(),
            subtitle: format!("{velocity}, μ = {}{given}", Digits(friction)).replace('-', "−"),
            collision,
            friction: friction.min(ROUGH),
            restitution,
            entries: entries.collect(),
        })
    }

    /// The diagram as SVG.
    ///
    /// ```
    /// # use carom::Collision;
    /// # use carom_study::plot::Diagram;
    /// let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    /// let diagram = Diagram {
    ///     title: "Falling rod".to_owned(),
    ///     subtitle: String::new(),
    ///     collision: &rod,
    ///     friction: 0.8,
    ///     restitution: Some(0.9),
    ///     entries: Vec::new(),
    /// };
    /// assert!(diagram.svg().starts_with("<svg"));
    /// ```
    pub fn svg(&self) -> String {
        let marks = marks::group(&self.entries);
        let section = section(self.collision);
        let is_spatial = self.collision.planar_section().is_none();
        let plane = PlaneDiagram::new(&section, self.friction);
        let places: Vec<_> = marks.iter().map(|mark| in_section(&section, &mark.impulse)).collect();
        let (admissible, stray) = self.split(&marks, &places, &section);
        let room = Point::repeat(if is_spatial { PANEL_OF_TWO } else { PANEL });
        let window = view::of_plane(&plane, &admissible, &stray);
        let frame = Frame::fit(window, Point::new(LEFT_MARGIN, HEAD), room);

        let second = is_spatial.then(|| {
            let corner = Point::new(frame.far_corner().x + RIGHT_MARGIN + LEFT_MARGIN, HEAD);
            tangent_panel::frame(self, &marks, &plane, corner, room)
        });
        let right = second.as_ref().map_or(frame.far_corner().x, |second| second.far_corner().x) + RIGHT_MARGIN;
        let lower =
            second.as_ref().map_or(frame.far_corner().y, |second| second.far_corner().y.max(frame.far_corner().y));

        let beside = |mark: &Mark| self.is_beside(&section, &mark.impulse);
        let mut drawn: Vec<_> = marks
            .iter()
            .enumerate()
            .map(|(index, mark)| Placed {
                at: places[index],
                marker: Marker { index, look: marks::look(mark.admissible, !beside(mark)) },
                numbered: true,
            })
            .collect();
        // The view along the normal already tells apart what the section does not.
        let closer = if is_spatial { None } else { closer::window(&frame, &drawn) };

        let heading = LEFT_MARGIN + width_of_headings(&self.title, &self.subtitle);
        let width = (right + legend::WIDTH).max(heading) + 14.0;
        let mut canvas = Canvas::new(width, 10.0, &self.title);
        let panel = PlanePanel {
            plane,
            lines: plane_panel::lines(&plane, self.restitution),
            paths: self.paths(&section),
            hatch: canvas.hatch(REGION[0], REGION[1]),
        };
        draw_headings(&mut canvas, &self.title, &self.subtitle);

        let any_beside = marks.iter().any(|mark| mark.admissible && beside(mark));
        let predictions = key::predictions(self, &marks, any_beside);
        let (lines, sets) = (key::lines(self, &panel, &frame, is_spatial), key::sets(&panel, &frame));
        let beside_plot = Point::new(right + 4.0, HEAD - 17.0);
        let below_plot = Point::new(LEFT_MARGIN, lower + BOTTOM_MARGIN - 8.0);
        let mut bottom = lower + BOTTOM_MARGIN;
        if let Some(window) = closer {
            // The closer view takes the place of the key, which moves below the plot.
            let corner = beside_plot + Point::new(40.0, predictions.height() + 48.0);
            let inset = Frame::fit(window, corner, Point::repeat(CLOSER));
            let caption = Point::new(beside_plot.x, corner.y - 26.0);
            canvas.text(caption, &Text::bold("Closer view of the square"), &Lettering::new(TEXT, INK));
            panel.draw(&mut canvas, &inset, &closer::inside(&drawn, &window), None);
            // Their numbers stand in the closer view, where there is room.
            for mark in drawn.iter_mut().filter(|mark| window.contains(&mark.at)) {
                mark.numbered = false;
            }
            let next = below_plot + Point::new(legend::WIDTH, 0.0);
            bottom =
                lines.draw(&mut canvas, below_plot).max(sets.draw(&mut canvas, next)).max(inset.far_corner().y + 16.0);
            predictions.draw(&mut canvas, beside_plot);
        } else {
            let mut y = beside_plot.y;
            for part in [&predictions, &lines, &sets] {
                y = part.draw(&mut canvas, Point::new(beside_plot.x, y));
            }
            bottom = bottom.max(y);
        }
        canvas.set_height(bottom + 12.0);

        let names = ["tangential", "normal"]
            .map(|name| Text::plain(format!("{name} impulse ")).italic("P").subscript(&name[..1]));
        panel.draw(&mut canvas, &frame, &drawn, Some([&names[0], &names[1]]));
        if let Some(window) = closer {
            closer::outline(&mut canvas, &frame, &window);
        }
        if let Some(second) = &second {
            tangent_panel::draw(self, &mut canvas, second, &marks, &plane, &section);
        }
        canvas.finish()
    }

    /// The paths of the impulse in the section.
    pub(super) fn paths(&self, section: &Section) -> Vec<Vec<Vector2<f64>>> {
        let entries = self.entries.iter().filter(|entry| entry.path.len() > 1);
        entries.map(|entry| entry.path.iter().map(|p| in_section(section, p)).collect()).collect()
    }

    /// Places in the section that the view must show, and those it may leave to an arrow.
    fn split(
        &self,
        marks: &[Mark],
        places: &[Vector2<f64>],
        section: &Section,
    ) -> (Vec<Vector2<f64>>, Vec<Vector2<f64>>) {
        let of = |admissible: bool| {
            marks.iter().zip(places).filter(move |(mark, _)| mark.admissible == admissible).map(|(_, place)| *place)
        };
        let paths = self.entries.iter().filter(|entry| entry.admissible).flat_map(|entry| &entry.path);
        (of(true).chain(paths.map(|p| in_section(section, p))).collect(), of(false).collect())
    }

    fn is_beside(&self, section: &Section, impulse: &Vector3<f64>) -> bool {
        let across = impulse.yz().perp(&section.tangent);
        across.abs() > BESIDE * marks::scale(&self.entries)
    }
}

/// The plane a diagram is drawn in: the collision's own, or through the slip, else through the direction in which the
/// normal impulse moves the contact, else t1.
pub(super) fn section(collision: &Collision) -> Section {
    collision.planar_section().unwrap_or_else(|| {
        let slip = collision.velocity().yz();
        let coupling = collision.inverse_mass().fixed_view::<2, 1>(1, 0).into_owned();
        let tangent = slip.try_normalize(0.0).or_else(|| coupling.try_normalize(0.0)).unwrap_or_else(Vector2::x);
        collision.section(&tangent)
    })
}

/// (P_n, P_t) of an impulse.
pub(super) fn in_section(section: &Section, impulse: &Vector3<f64>) -> Vector2<f64> {
    Vector2::new(impulse.x, impulse.yz().dot(&section.tangent))
}
