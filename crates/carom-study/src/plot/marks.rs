//! Predictions grouped into marks, and marks drawn into a frame with their numbers.

use super::diagram::Entry;
use super::font::width;
use super::frame::Frame;
use super::marker::{Look, Marker, RADIUS, arrowhead};
use super::placer::{Placer, Spot};
use super::rectangle::Rectangle;
use super::style::{GREY, INK, SMALL, path};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::{Level, Text};
use nalgebra::{Vector2, Vector3};

/// Laws that predict the same impulse.
#[derive(Debug)]
pub struct Mark<'a> {
    /// The impulse, contact frame.
    pub impulse: Vector3<f64>,
    /// Whether physics allows it.
    pub admissible: bool,
    /// The laws.
    pub labels: Vec<&'a str>,
}

/// Length of the arrow to a mark outside the frame, from the mark's middle, pixels.
const ARROW: f64 = RADIUS + 15.0;
/// Predictions closer than this, relative to the largest admissible one, are one mark.
const SAME: f64 = 1e-6;

/// Groups predictions in the order they come.
pub fn group(entries: &[Entry]) -> Vec<Mark<'_>> {
    let scale = scale(entries);
    let mut marks: Vec<Mark> = Vec::new();
    for entry in entries {
        let same = |mark: &&mut Mark| {
            mark.admissible == entry.admissible && (mark.impulse - entry.impulse).amax() <= SAME * scale
        };
        match marks.iter_mut().find(same) {
            Some(mark) => mark.labels.push(&entry.label),
            None => {
                marks.push(Mark { impulse: entry.impulse, admissible: entry.admissible, labels: vec![&entry.label] });
            }
        }
    }
    marks
}

/// Size of the largest admissible prediction, or of the largest at all.
pub fn scale(entries: &[Entry]) -> f64 {
    let largest = |admissible: bool| {
        entries.iter().filter(|e| e.admissible || !admissible).map(|e| e.impulse.amax()).fold(0.0, f64::max)
    };
    match largest(true) {
        0.0 => largest(false),
        size => size,
    }
}

/// A mark at its place in the plane that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its place.
    pub at: Vector2<f64>,
    /// How it looks.
    pub marker: Marker,
    /// Whether its number stands beside it.
    pub numbered: bool,
}

/// Draws marks with their numbers; one that lies outside the frame becomes an arrow at its edge.
pub fn draw(canvas: &mut Canvas, frame: &Frame, placer: &mut Placer, marks: &[Placed]) {
    let size = Point::repeat(2.0 * RADIUS + 2.0);
    let places: Vec<_> = marks.iter().map(|mark| (edge_place(frame, &mark.at), mark)).collect();
    for ((place, outwards), _) in &places {
        placer.reserve(Rectangle::around(*place, size));
        if let Some(outwards) = outwards {
            placer.reserve(Rectangle::around(place + outwards * (0.7 * ARROW), size));
        }
    }
    // First marks last, so that they lie on top.
    for ((place, outwards), mark) in places.iter().rev() {
        canvas.open("mark");
        if let Some(outwards) = outwards {
            let tip = place + outwards * (ARROW - 1.0);
            canvas.line(place + outwards * RADIUS, tip - outwards * 5.0, &Style::line(INK, 1.2));
            arrowhead(canvas, tip, *outwards, 8.0, INK);
        }
        mark.marker.draw(canvas, *place);
        canvas.close();
    }
    for ((place, _), mark) in places.iter().filter(|(_, mark)| mark.numbered) {
        let number = Text::bold((mark.marker.index + 1).to_string());
        label(canvas, placer, *place, &number, &Lettering::new(SMALL + 0.5, mark.marker.colour()), RADIUS + 1.5);
    }
}

/// Writes a label near a place, joined to it by a thin line when it had to go far.
pub fn label(canvas: &mut Canvas, placer: &mut Placer, at: Point, text: &Text, lettering: &Lettering, clearance: f64) {
    label_along(canvas, placer, &[at], text, &Lettering { halo: true, ..*lettering }, clearance);
}

/// The same near the one of several places where it is least in the way; a white rim only where it covers something.
pub fn label_along(
    canvas: &mut Canvas,
    placer: &mut Placer,
    places: &[Point],
    text: &Text,
    lettering: &Lettering,
    clearance: f64,
) {
    let (size, below) = extent(text, lettering);
    let Some(spot) = placer.place_along(places, size, clearance) else { return };
    write_label(canvas, &spot, below, text, lettering, clearance);
}

/// The same, but only where it covers nothing; whether it was written.
pub fn label_if_free(
    canvas: &mut Canvas,
    placer: &mut Placer,
    places: &[Point],
    text: &Text,
    lettering: &Lettering,
    clearance: f64,
) -> bool {
    let (size, below) = extent(text, lettering);
    let spot = placer.place_if_free(places, size, clearance);
    spot.inspect(|spot| write_label(canvas, spot, below, text, lettering, clearance)).is_some()
}

/// Width and height of a label, and how much of it hangs below its line.
fn extent(text: &Text, lettering: &Lettering) -> (Point, f64) {
    let hangs = text
        .spans()
        .iter()
        .any(|span| span.level == Level::Sub || span.content.contains(['g', 'j', 'p', 'q', 'y', 'μ', ',']));
    let below = if hangs { 0.24 } else { 0.04 } * lettering.size;
    (Point::new(width(text, lettering.size) + 2.0, 0.74 * lettering.size + below), below)
}

fn write_label(
    canvas: &mut Canvas,
    &Spot { anchor, place, is_free }: &Spot,
    below: f64,
    text: &Text,
    lettering: &Lettering,
    clearance: f64,
) {
    let near = place.nearest(anchor);
    if (near - anchor).norm() > clearance + 9.0 {
        let start = anchor + (near - anchor).normalize() * clearance;
        canvas.line(start, near, &Style::line(GREY, 0.6));
    }
    let baseline = Point::new(place.centre().x, place.greatest.y - below);
    let halo = lettering.halo || !is_free;
    canvas.text(baseline, text, &Lettering { halo, ..lettering.anchored(Anchor::Middle) });
}

/// Where a mark is drawn; for one outside the frame, near the edge towards it, with the direction outwards.
fn edge_place(frame: &Frame, p: &Vector2<f64>) -> (Point, Option<Point>) {
    if frame.window.contains(p) {
        return (frame.place_of(p), None);
    }
    let middle = (frame.window.lower + frame.window.upper) * 0.5;
    let way = p - middle;
    let Some(outwards) = Point::new(way.y, -way.x).try_normalize(0.0) else {
        return (frame.place_of(&middle), None);
    };
    // The arrow ends at the edge.
    let half = frame.size * 0.5;
    let reach = (half.x / outwards.x.abs()).min(half.y / outwards.y.abs()) - ARROW;
    (frame.corner + frame.size * 0.5 + outwards * reach, Some(outwards))
}

/// Draws the paths of the impulse as far as they are seen, with an arrowhead on every piece that is long enough; pieces
/// that several laws share get one.
pub fn draw_paths(canvas: &mut Canvas, frame: &Frame, placer: &mut Placer, paths: &[Vec<Vector2<f64>>]) {
    let mut heads: Vec<Point> = Vec::new();
    let mut pieces: Vec<[Point; 2]> = Vec::new();
    for ends in paths.iter().flat_map(|path| path.windows(2)) {
        let ends = [frame.place_of(&ends[0]), frame.place_of(&ends[1])];
        let Some(piece) = frame.rectangle().clip(ends) else { continue };
        if pieces.contains(&piece) {
            continue;
        }
        pieces.push(piece);
        canvas.line(piece[0], piece[1], &path());
        placer.avoid(&piece);
        let way = piece[1] - piece[0];
        let tip = piece[0] + way * 0.55;
        if way.norm() > 26.0 && heads.iter().all(|head| (head - tip).norm() > 24.0) {
            arrowhead(canvas, tip, way, 9.0, INK);
            heads.push(tip);
        }
    }
}

/// How a mark looks in a plane it may stand beside.
pub fn look(admissible: bool, in_plane: bool) -> Look {
    match (admissible, in_plane) {
        (false, _) => Look::Crossed,
        (true, true) => Look::Solid,
        (true, false) => Look::Hollow,
    }
}
