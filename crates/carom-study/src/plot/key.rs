//! What the legend of a diagram says.

use super::diagram::Diagram;
use super::frame::Frame;
use super::legend::{Legend, Sample};
use super::marker::Marker;
use super::marks::{Mark, look};
use super::plane_panel::PlanePanel;
use super::style::{self, Letter};
use super::tangent_panel::trace_style;
use super::text::Text;

/// The marks and the laws they stand for.
pub fn predictions(diagram: &Diagram, marks: &[Mark], any_beside: bool) -> Legend {
    let mut legend = Legend::default();
    if !marks.is_empty() {
        legend.heading("Predictions");
    }
    for (index, mark) in marks.iter().enumerate() {
        let marker = Marker { index, look: look(mark.admissible, true) };
        let mut words: Vec<_> = mark.labels.iter().map(|label| format!("{label},")).collect();
        if let Some(last) = words.last_mut() {
            last.pop();
        }
        if !mark.admissible {
            words.push("(inadmissible)".to_owned());
        }
        legend.mark(marker, &words);
    }
    if diagram.entries.iter().any(|entry| entry.path.len() > 1) {
        legend.row(Sample::Arrow(style::path()), Text::plain("path of the accumulating impulse"));
    }
    if any_beside {
        legend.row(Sample::Open, Text::plain("open mark: lies beside the section"));
    }
    legend
}

/// The lines that the frame shows.
pub fn lines(diagram: &Diagram, panel: &PlanePanel, frame: &Frame, is_spatial: bool) -> Legend {
    let mut legend = Legend::default();
    legend.heading("Lines");
    for (letter, line) in &panel.lines {
        if line.clip(&frame.window).is_some() {
            legend.row(Sample::Line(letter.style()), meaning(*letter, diagram.restitution));
        }
    }
    let cone = Text::plain("friction cone, ").italic("μ").then(" = ").number(diagram.friction);
    legend.row(Sample::Line(style::cone()), cone);
    if is_spatial {
        legend.row(Sample::Line(trace_style()), Text::plain("the section, seen along the normal"));
    }
    legend
}

/// The sets and points that the frame shows.
pub fn sets(panel: &PlanePanel, frame: &Frame) -> Legend {
    let mut legend = Legend::default();
    legend.heading("Sets");
    legend.row(Sample::Area(panel.hatch.clone()), Text::plain("accessible: energy, friction, contact obeyed"));
    legend.row(Sample::Line(style::ellipse()), Text::plain("energy ellipse: nothing lost"));
    legend.row(Sample::Line(style::level()), Text::plain("25, 50, 75 % of ").italic("½V·MV").then(" lost"));
    if panel.plane.centre().is_some_and(|centre| frame.window.contains(&centre)) {
        legend.row(Sample::Centre, Text::plain("all lost, ").italic("P").then(" = −").italic("MV"));
    }
    if panel.plane.frictionless(0.0).x > 0.0 {
        legend.row(Sample::Dot, Text::plain("frictionless, ").italic("e").then(" = 0 and 1"));
    }
    legend
}

fn meaning(letter: Letter, restitution: Option<f64>) -> Text {
    let name = Text::symbol(letter.name());
    let normal = |text: Text| text.italic("V").subscript("n");
    match letter {
        Letter::C if restitution == Some(0.0) => normal(name.then("  compression and termination, ")).then(" = 0"),
        Letter::C => normal(name.then("  maximum compression, ")).then(" = 0"),
        Letter::S => name.then("  sticking, ").italic("V").subscript("t").then(" = 0"),
        Letter::T => {
            let after = normal(name.then("  termination, ")).then(" = −").number(restitution.unwrap_or_default());
            normal(after.then(" ")).then(" before")
        }
        Letter::L => name.then("  limiting friction"),
        Letter::Rf => name.then("  reversed limiting friction"),
    }
}
