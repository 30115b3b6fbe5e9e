//! Which outcomes each law can reach: small multiples over the same impulse plane.
//!
//! Chatterjee 1997, figures 7.2–7.11: the friction is held fixed, the law's other parameters run through their ranges.
//! One panel per law keeps overlapping regions legible.

use super::font::width;
use super::frame::{BOTTOM_MARGIN, Frame, LEFT_MARGIN};
use super::heading::{draw_headings, width_of_headings};
use super::plane_panel::{draw_line, draw_sets, lines};
use super::slice::{Slice, slice};
use super::style::{GREY, INK, Letter, SMALL, TEXT};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;
use super::union::outlines;
use super::view;
use crate::plane::PlaneDiagram;
use crate::reach::{Reach, in_section};
use crate::scenario::Scenario;
use carom::format::Digits;
use carom::laws::ROUGH;
use carom::{Collision, Section};
use nalgebra::{Vector2, Vector3};

/// What a region plot shows.
#[derive(Clone, Debug)]
pub struct Regions {
    /// Heading.
    pub title: String,
    /// Line below the heading; may be empty.
    pub subtitle: String,
    /// The plane of the collision.
    pub section: Section,
    /// Coefficient of friction, the same for every law.
    pub friction: f64,
    /// The laws.
    pub reaches: Vec<RegionPanel>,
}

/// The set of impulses one law can reach; points are (P_n, P_t) in the section, kg m/s.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionPanel {
    /// The law's id.
    pub label: String,
    /// Share of the accessible region that is reached, 0 to 1.
    pub coverage: Option<f64>,
    /// Convex cells of three or more corners that together fill the set; they may overlap.
    pub cells: Vec<Vec<Vector2<f64>>>,
    /// Lines of the set.
    pub curves: Vec<Vec<Vector2<f64>>>,
    /// Single points of the set.
    pub points: Vec<Vector2<f64>>,
}

/// Largest size of a panel, pixels.
const PANEL: f64 = 236.0;
/// Panels in a row at most.
const COLUMNS: usize = 4;
/// Space between panels.
const GAP: f64 = 16.0;
/// Room for a panel's title.
const TITLE: f64 = 22.0;
const HEAD: f64 = 58.0;
/// The key below the panels, and the height of its lines.
const KEY: [&str; 4] = [
    "light: accessible (the percentage is the share that the law reaches)",
    "dark: reached",
    "dashed: maximum compression",
    "ellipse: no loss of energy",
];
const KEY_LINE: f64 = 16.0;
/// Twice the area of a cell that no printer shows, square pixels: cells that friction flattened onto the cone.
const INVISIBLE: f64 = 0.05;
/// Ground of the accessible region, reached set and its outline.
const GROUND: &str = "#ececec";
const REACHED: &str = "#6fa3d0";
const CURVE: &str = "#0b4f8a";

impl Regions {
    /// The panels that show the impulses laws reach: in the plane of the collision, or in the section through its slip.
    /// `None` if there are several contacts.
    pub fn of(scenario: &Scenario, reaches: &[Reach]) -> Option<Regions> {
        let friction = scenario.friction(0).unwrap_or(0.0);
        Some(Regions::of_collision(&scenario.title, scenario.collision()?, friction, reaches))
    }

    /// The same for a collision and a coefficient of friction.
    pub fn of_collision(title: &str, collision: &Collision, friction: f64, reaches: &[Reach]) -> Regions {
        let planar = collision.planar_section();
        let section = planar.unwrap_or_else(|| {
            let slip = collision.velocity().yz();
            collision.section(&slip.try_normalize(0.0).unwrap_or_else(Vector2::x))
        });
        let cut = if planar.is_some() { "" } else { "; section through the slip, impulses off it are not shown" };
        Regions {
            title: title.to_owned(),
            subtitle: format!("Impulses that each law reaches as its parameters vary; μ = {}{cut}", Digits(friction)),
            section,
            friction,
            reaches: reaches.iter().map(|reach| RegionPanel::of(reach, &section, planar.is_some())).collect(),
        }
    }

    /// The accessible region in the plane, (P_n, P_t), with points on its arc; empty if it is unbounded.
    pub fn outline(&self, points: usize) -> Vec<Vector2<f64>> {
        let plane = PlaneDiagram::new(&self.section, self.friction.min(ROUGH));
        plane.ellipse_extent().map_or_else(Vec::new, |window| plane.region(&window, points))
    }

    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let plane = PlaneDiagram::new(&self.section, self.friction);
        let reached: Vec<_> = self.reaches.iter().flat_map(RegionPanel::all_points).collect();
        let window = view::of_plane(&plane, &[], &reached);
        let columns = columns(self.reaches.len());
        let rows = self.reaches.len().div_ceil(columns);
        let first = Frame::fit(window, Point::new(LEFT_MARGIN, HEAD + TITLE), Point::repeat(PANEL));
        let step = first.size + Point::new(GAP, GAP + TITLE);
        let heading = width_of_headings(&self.title, &self.subtitle);
        let widest_entry = KEY.iter().map(|entry| width(&Text::plain(*entry), SMALL)).fold(heading, f64::max);
        let width_of_picture = LEFT_MARGIN + (columns as f64 * step.x).max(widest_entry) + 8.0;
        let key = wrapped(&KEY, width_of_picture - LEFT_MARGIN - 8.0);
        let height = HEAD + rows as f64 * step.y + BOTTOM_MARGIN + 6.0 + KEY_LINE * key.len() as f64;

        let mut canvas = Canvas::new(width_of_picture, height, &self.title);
        draw_headings(&mut canvas, &self.title, &self.subtitle);
        for (index, reach) in self.reaches.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let corner = first.corner + Point::new(column as f64 * step.x, row as f64 * step.y);
            let frame = Frame { corner, ..first };
            draw_panel(&mut canvas, &frame, &plane, reach);
            let is_lowest = index + columns >= self.reaches.len();
            frame.draw_ticks(&mut canvas, [is_lowest, column == 0]);
        }
        let names = ["tangential", "normal"]
            .map(|name| Text::plain(format!("{name} impulse ")).italic("P").subscript(&name[..1]));
        let key_top = height - 10.0 - KEY_LINE * (key.len() as f64 - 1.0);
        let across = Point::new(LEFT_MARGIN + 0.5 * (columns as f64 * step.x - GAP), key_top - 22.0);
        let up = Point::new(LEFT_MARGIN - 42.0, HEAD + TITLE + 0.5 * (rows as f64 * step.y - GAP - TITLE));
        first.name_axes(&mut canvas, [&names[0], &names[1]], [across, up]);
        for (line, text) in key.iter().enumerate() {
            let place = Point::new(LEFT_MARGIN, key_top + KEY_LINE * line as f64);
            canvas.text(place, &Text::plain(text), &Lettering::new(SMALL, GREY));
        }
        canvas.finish()
    }
}

impl RegionPanel {
    fn of(reach: &Reach, section: &Section, planar: bool) -> RegionPanel {
        let mut panel =
            RegionPanel { label: reach.law.id.to_owned(), coverage: reach.coverage, ..RegionPanel::default() };
        let across = Vector3::new(0.0, -section.tangent.y, section.tangent.x);
        for simplex in &reach.simplices {
            let corners: Vec<Vector3<f64>> = simplex.iter().map(|sample| reach.samples[*sample].impulse).collect();
            let shown = if planar { Slice::whole(corners) } else { slice(&corners, &across) };
            match shown {
                Slice::Nothing => {}
                Slice::Point(p) => panel.points.push(in_section(section, &p)),
                Slice::Segment(ends) => add_segment(&mut panel.curves, ends.map(|p| in_section(section, &p))),
                Slice::Polygon(corners) => panel.cells.push(corners.iter().map(|p| in_section(section, p)).collect()),
            }
        }
        if planar {
            panel.points.extend(reach.lone_points().iter().map(|p| in_section(section, &reach.samples[*p].impulse)));
        }
        panel
    }

    fn all_points(&self) -> impl Iterator<Item = Vector2<f64>> {
        self.cells.iter().chain(&self.curves).flatten().chain(&self.points).copied()
    }
}

/// Adds a segment to the curve that it continues, or begins another.
fn add_segment(curves: &mut Vec<Vec<Vector2<f64>>>, [from, to]: [Vector2<f64>; 2]) {
    match curves.last_mut() {
        Some(curve) if curve.last() == Some(&from) => curve.push(to),
        _ => curves.push(vec![from, to]),
    }
}

fn draw_panel(canvas: &mut Canvas, frame: &Frame, plane: &PlaneDiagram, reach: &RegionPanel) {
    canvas.open("reach");
    let title = Point::new(frame.corner.x, frame.corner.y - 7.0);
    canvas.text(title, &Text::bold(&reach.label), &Lettering::new(TEXT, INK));
    if let Some(coverage) = reach.coverage {
        let place = Point::new(frame.far_corner().x, title.y);
        let lettering = Lettering::new(TEXT, GREY).anchored(Anchor::End);
        canvas.text(place, &Text::plain(percentage(coverage)), &lettering);
    }
    canvas.open_clipped("impulse-plane", frame.corner, frame.size);
    frame.draw_ground(canvas);
    draw_sets(canvas, frame, plane, GROUND, &[]);
    // Impossible predictions may lie so far away that only their visible part can be drawn.
    let seen = frame.rectangle().grown(10.0);
    let cells: Vec<_> = reach.cells.iter().map(|cell| seen.clip_polygon(frame.places_of(cell))).collect();
    let style = if cells.iter().any(|cell| doubled_area(cell).abs() > INVISIBLE) {
        Style::line(REACHED, 0.35).filled(REACHED)
    } else {
        // The two parameters reach a line only, as in a tangential collision.
        Style::line(CURVE, 2.4).filled(CURVE)
    };
    canvas.polygons(&outlines(&cells, &seen), &style);
    for (letter, line) in lines(plane, None).iter().filter(|(letter, _)| *letter == Letter::C) {
        draw_line(canvas, frame, line, &frame.window, &letter.style());
    }
    let region = plane.region(&frame.window, 120);
    canvas.polyline(&frame.places_of(&region), true, &Style::line(INK, 1.0));
    for part in reach.curves.iter().flat_map(|curve| seen.clip_polyline(&frame.places_of(curve))) {
        canvas.polyline(&part, false, &Style::line(CURVE, 2.6));
    }
    for p in reach.points.iter().filter(|p| frame.window.contains(p)) {
        canvas.circle(frame.place_of(p), 3.6, &Style::line(INK, 0.8).filled(CURVE));
    }
    canvas.circle(frame.place_of(&Vector2::zeros()), 2.0, &Style::fill(INK));
    canvas.close();
    canvas.close();
}

/// The entries of a key in lines that are not wider than this, pixels, if each entry alone is not.
fn wrapped(entries: &[&str], widest: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if width(&Text::plain(format!("{line};  {entry}")), SMALL) <= widest => {
                line.push_str(";  ");
                line.push_str(entry);
            }
            _ => lines.push((*entry).to_owned()),
        }
    }
    lines
}

/// Rows of equal length, as far as the number of panels allows.
fn columns(panels: usize) -> usize {
    let rows = panels.div_ceil(COLUMNS).max(1);
    panels.div_ceil(rows).max(1)
}

fn percentage(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 1.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// Twice the area in square pixels, positive counterclockwise.
fn doubled_area(cell: &[Point]) -> f64 {
    let first = cell.first().copied().unwrap_or_default();
    cell.windows(2).map(|edge| (edge[0] - first).perp(&(edge[1] - first))).sum()
}

#[cfg(test)]
mod tests {
    use super::{columns, percentage};

    #[test]
    fn panels_stand_in_a_grid() {
        assert_eq!([0, 1, 2, 4, 5, 7, 9, 14].map(columns), [1, 1, 2, 4, 3, 4, 3, 4]);
    }

    #[test]
    fn small_shares_keep_a_decimal() {
        assert_eq!([0.0, 0.0086, 0.909, 1.0].map(percentage), ["0 %", "0.9 %", "91 %", "100 %"]);
    }
}
