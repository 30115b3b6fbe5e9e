//! A small SVG writer. Numbers have fixed decimals, so that the same picture has the same bytes.

use super::font::FAMILY;
use super::text::{Face, Level, Text};
use nalgebra::Vector2;
use std::fmt::Write;

/// A place on the canvas, in pixels from the upper left corner, x to the right and y downwards.
pub type Point = Vector2<f64>;

/// A drawing in progress.
#[derive(Debug)]
pub struct Canvas {
    size: Point,
    title: String,
    definitions: String,
    body: String,
    ids: usize,
}

/// How a shape is filled and outlined. Nothing is drawn by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    /// Fill colour, or a reference made by [`Canvas::hatch`].
    pub fill: Option<&'a str>,
    /// Colour of the outline.
    pub stroke: Option<&'a str>,
    /// Width of the outline in pixels.
    pub width: f64,
    /// Lengths of dashes and gaps in pixels; empty for a solid line.
    pub dash: &'a [f64],
}

impl<'a> Style<'a> {
    /// A solid line.
    pub fn line(stroke: &'a str, width: f64) -> Style<'a> {
        Style { stroke: Some(stroke), width, ..Style::default() }
    }

    /// A filled shape without outline.
    pub fn fill(fill: &'a str) -> Style<'a> {
        Style { fill: Some(fill), ..Style::default() }
    }

    /// The same with dashes.
    #[must_use]
    pub fn dashed(self, dash: &'a [f64]) -> Style<'a> {
        Style { dash, ..self }
    }

    /// The same with a fill.
    #[must_use]
    pub fn filled(self, fill: &'a str) -> Style<'a> {
        Style { fill: Some(fill), ..self }
    }
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Centred on it.
    Middle,
    /// To the left of it.
    End,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct Lettering<'a> {
    /// Size in pixels.
    pub size: f64,
    /// Colour.
    pub colour: &'a str,
    /// Where it stands.
    pub anchor: Anchor,
    /// Whether a white rim keeps it legible over lines.
    pub halo: bool,
    /// Whether it reads upwards.
    pub upwards: bool,
}

impl<'a> Lettering<'a> {
    /// Text of this size and colour to the right of its place.
    pub fn new(size: f64, colour: &'a str) -> Lettering<'a> {
        Lettering { size, colour, anchor: Anchor::Start, halo: false, upwards: false }
    }

    /// The same, anchored otherwise.
    #[must_use]
    pub fn anchored(self, anchor: Anchor) -> Lettering<'a> {
        Lettering { anchor, ..self }
    }
}

impl Canvas {
    /// An empty white canvas; the title is what a screen reader says.
    pub fn new(width: f64, height: f64, title: &str) -> Canvas {
        Canvas {
            size: Point::new(width.ceil(), height.ceil()),
            title: escape(title),
            definitions: String::new(),
            body: String::new(),
            ids: 0,
        }
    }

    /// Sets the height, once the contents are drawn.
    pub fn set_height(&mut self, height: f64) {
        self.size.y = height.ceil();
    }

    /// A polygonal line through the points, closed or open.
    pub fn polyline(&mut self, points: &[Point], closed: bool, style: &Style) {
        if points.len() < 2 {
            return;
        }
        let data = path_data(points, closed);
        self.element(&format!("path d=\"{data}\"{}", attributes(style)));
    }

    /// Many polygons in one style, as one element.
    pub fn polygons(&mut self, polygons: &[Vec<Point>], style: &Style) {
        let data: String = polygons.iter().map(|points| path_data(points, true)).collect();
        if !data.is_empty() {
            self.element(&format!("path d=\"{data}\"{}", attributes(style)));
        }
    }

    /// Many rectangles of one fill, by opposite corners, as one element.
    pub fn rectangles(&mut self, rectangles: &[[Point; 2]], fill: &str) {
        let mut data = String::new();
        for [a, b] in rectangles {
            let [x, y, w, h] = [a.x, a.y, b.x - a.x, b.y - a.y].map(number);
            push(&mut data, format_args!("M{x} {y}h{w}v{h}H{x}z"));
        }
        if !data.is_empty() {
            self.element(&format!("path d=\"{data}\" fill=\"{fill}\""));
        }
    }

    /// Many dots of one size and colour, as one element.
    pub fn dots(&mut self, places: &[Point], diameter: f64, colour: &str) {
        let mut data = String::new();
        for place in places {
            push(&mut data, format_args!("M{} {}h0", number(place.x), number(place.y)));
        }
        if !data.is_empty() {
            let width = number(diameter);
            let stroke = format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"");
            self.element(&format!("path d=\"{data}\" fill=\"none\" {stroke}"));
        }
    }

    /// A straight line.
    pub fn line(&mut self, from: Point, to: Point, style: &Style) {
        self.polyline(&[from, to], false, style);
    }

    /// A circle.
    pub fn circle(&mut self, centre: Point, radius: f64, style: &Style) {
        let (x, y, r) = (number(centre.x), number(centre.y), number(radius));
        self.element(&format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{}", attributes(style)));
    }

    /// A rectangle.
    pub fn rectangle(&mut self, corner: Point, size: Point, style: &Style) {
        let [x, y, w, h] = [corner.x, corner.y, size.x, size.y].map(number);
        self.element(&format!("rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{}", attributes(style)));
    }

    /// A line of text whose baseline passes through `place`.
    pub fn text(&mut self, place: Point, text: &Text, lettering: &Lettering) {
        let (x, y) = (number(place.x), number(place.y));
        let mut head =
            format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"", number(lettering.size), lettering.colour);
        match lettering.anchor {
            Anchor::Start => {}
            Anchor::Middle => head.push_str(" text-anchor=\"middle\""),
            Anchor::End => head.push_str(" text-anchor=\"end\""),
        }
        if lettering.upwards {
            push(&mut head, format_args!(" transform=\"rotate(-90 {x} {y})\""));
        }
        if lettering.halo {
            head.push_str(" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"");
        }
        self.body.push_str(&head);
        self.body.push_str(" xml:space=\"preserve\">");
        let mut level = 0.0;
        for span in text.spans() {
            let drop = span.level.drop(lettering.size);
            self.body.push_str("<tspan");
            if drop != level {
                push(&mut self.body, format_args!(" dy=\"{}\"", number(drop - level)));
                level = drop;
            }
            if span.level != Level::Line {
                push(&mut self.body, format_args!(" font-size=\"{}\"", number(span.level.size(lettering.size))));
            }
            self.body.push_str(match span.face {
                Face::Regular => "",
                Face::Italic => " font-style=\"italic\"",
                Face::Bold => " font-weight=\"bold\"",
            });
            push(&mut self.body, format_args!(">{}</tspan>", escape(&span.content)));
        }
        self.body.push_str("</text>\n");
    }

    /// Opens a group with a class, so that a style sheet or a script can find it.
    pub fn open(&mut self, class: &str) {
        push(&mut self.body, format_args!("<g class=\"{}\">\n", escape(class)));
    }

    /// Opens a group of which only what lies in the rectangle shows.
    pub fn open_clipped(&mut self, class: &str, corner: Point, size: Point) {
        let id = self.id();
        let [x, y, w, h] = [corner.x, corner.y, size.x, size.y].map(number);
        push(
            &mut self.definitions,
            format_args!("<clipPath id=\"{id}\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/></clipPath>\n"),
        );
        push(&mut self.body, format_args!("<g class=\"{}\" clip-path=\"url(#{id})\">\n", escape(class)));
    }

    /// Closes the innermost group.
    pub fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// A fill of a colour with thin slanted lines over it, so that an area shows in print without colour.
    pub fn hatch(&mut self, ground: &str, lines: &str) -> String {
        let id = self.id();
        push(
            &mut self.definitions,
            format_args!(
                "<pattern id=\"{id}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"{ground}\"/>\
                 <path d=\"M0 0V6\" stroke=\"{lines}\" stroke-width=\"1\"/></pattern>\n"
            ),
        );
        format!("url(#{id})")
    }

    /// The finished document. Its ids carry a digest of what is drawn, so that several pictures can stand in one page.
    pub fn finish(self) -> String {
        let (w, h) = (number(self.size.x), number(self.size.y));
        let digest = fnv(self.definitions.bytes().chain(self.body.bytes()));
        let document = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" font-family=\"{FAMILY}\">\n<title>{}</title>\n<defs>\n{}</defs>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.title, self.definitions, self.body
        );
        document.replace(DIGEST, &format!("c{digest:08x}"))
    }

    fn id(&mut self) -> String {
        self.ids += 1;
        format!("{DIGEST}-{}", self.ids)
    }

    fn element(&mut self, element: &str) {
        push(&mut self.body, format_args!("<{element}/>\n"));
    }
}

/// Stands for the digest until it is known; no text contains it, because control characters are left out.
const DIGEST: char = '\u{1}';

/// Fowler, Noll & Vo's hash, 1a.
fn fnv(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn path_data(points: &[Point], closed: bool) -> String {
    let mut data = String::new();
    for (i, p) in points.iter().enumerate() {
        push(&mut data, format_args!("{}{} {}", if i == 0 { 'M' } else { 'L' }, number(p.x), number(p.y)));
    }
    if closed && !points.is_empty() {
        data.push('Z');
    }
    data
}

fn attributes(style: &Style) -> String {
    let mut out = format!(" fill=\"{}\"", style.fill.unwrap_or("none"));
    if let Some(stroke) = style.stroke {
        push(
            &mut out,
            format_args!(" stroke=\"{stroke}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", number(style.width)),
        );
        if !style.dash.is_empty() {
            let dash: Vec<String> = style.dash.iter().map(|length| number(*length)).collect();
            push(&mut out, format_args!(" stroke-dasharray=\"{}\" stroke-linecap=\"butt\"", dash.join(" ")));
        }
    }
    out
}

fn push(out: &mut String, piece: std::fmt::Arguments) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(piece);
}

/// Two decimals, none where they are zero. Far beyond any canvas a place is as good as at its limit, and what is not a
/// number never reaches the file.
fn number(x: f64) -> String {
    /// Renderers compute in single precision.
    const FAR: f64 = 1e5;
    let x = if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) };
    let digits = format!("{x:.2}");
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    if digits == "-0" { "0".to_owned() } else { digits.to_owned() }
}

fn escape(content: &str) -> String {
    let mut out = String::with_capacity(content.len());
    for c in content.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no way to write other control characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Canvas, escape, number};

    #[test]
    fn numbers_have_two_decimals_at_most() {
        let written = [1.0, -0.001, 0.125, 1e300, f64::NAN, 10.0].map(number);
        assert_eq!(written, ["1", "0", "0.12", "100000", "0", "10"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b & \"c\"\u{7}"), "a&lt;b &amp; &quot;c&quot; ");
        assert!(Canvas::new(10.0, 10.0, "<&>").finish().contains("<title>&lt;&amp;&gt;</title>"));
    }
}
