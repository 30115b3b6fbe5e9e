//! The impulse plane of a diagram as data, for programs that draw it themselves.

use super::diagram::{Diagram, in_section, section};
use super::plane_panel::{LEVELS, SAMPLES, lines};
use super::{marks, view};
use crate::plane::{PlaneDiagram, PlaneLine};
use nalgebra::Vector2;

/// The contents of a diagram in its section of impulse space: points are (P_n, P_t), kg m/s.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPlane {
    /// The least and the greatest impulses in view.
    pub window: [Vector2<f64>; 2],
    /// The accessible region: a polygon, a segment or a point.
    pub region: Vec<Vector2<f64>>,
    /// The energy ellipse, as far as it is in view.
    pub ellipse: Vec<Vector2<f64>>,
    /// Where these shares of the energy are lost, as far as that is in view.
    pub levels: Vec<(f64, Vec<Vector2<f64>>)>,
    /// The edges of the friction cone that are in view.
    pub cone: Vec<[Vector2<f64>; 2]>,
    /// The lines of the impact process that are in view.
    pub lines: Vec<ShownLine>,
    /// The impulse of greatest loss, if there is one.
    pub centre: Option<Vector2<f64>>,
    /// The predictions; laws with the same answer are one.
    pub marks: Vec<ShownMark>,
    /// Paths of impulses.
    pub paths: Vec<Vec<Vector2<f64>>>,
}

/// A line of the impact process.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownLine {
    /// C, S, T, L or RF, after Wang & Mason.
    pub name: &'static str,
    /// Where it enters and leaves the view.
    pub ends: [Vector2<f64>; 2],
}

/// Predictions at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMark {
    /// Where.
    pub at: Vector2<f64>,
    /// The ids of the laws.
    pub laws: Vec<String>,
    /// Whether physics allows them.
    pub admissible: bool,
}

impl Diagram<'_> {
    /// The first panel of the diagram as data: the plane of a planar collision, or the section through the normal and the slip.
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
    /// let shown = diagram.shown();
    /// assert_eq!(shown.lines.iter().map(|line| line.name).collect::<Vec<_>>(), ["C", "S", "T", "L", "RF"]);
    /// ```
    pub fn shown(&self) -> ShownPlane {
        let section = section(self.collision);
        let plane = PlaneDiagram::new(&section, self.friction);
        let groups = marks::group(&self.entries);
        let marks: Vec<ShownMark> = groups
            .iter()
            .map(|mark| ShownMark {
                at: in_section(&section, &mark.impulse),
                laws: mark.labels.iter().map(|label| (*label).to_owned()).collect(),
                admissible: mark.admissible,
            })
            .collect();
        let paths = self.paths(&section);
        let places = |admissible: bool| marks.iter().filter(move |m| m.admissible == admissible).map(|m| m.at);
        let shown: Vec<Vector2<f64>> = places(true).chain(paths.iter().flatten().copied()).collect();
        let window = view::of_plane(&plane, &shown, &places(false).collect::<Vec<_>>());
        let ends = |line: &PlaneLine| line.clip(&window);
        // Curves that leave the view are closed outside of it, where that does not show.
        let beyond = window.grown(0.02 * window.size().max());
        ShownPlane {
            window: [window.lower, window.upper],
            region: plane.region(&beyond, SAMPLES),
            ellipse: plane.level_set(1.0, &beyond, SAMPLES),
            levels: LEVELS.map(|kept| (1.0 - kept, plane.level_set(kept, &beyond, SAMPLES))).to_vec(),
            cone: plane.cone().iter().filter_map(ends).collect(),
            lines: lines(&plane, self.restitution)
                .iter()
                .filter_map(|(letter, line)| Some(ShownLine { name: letter.name(), ends: ends(line)? }))
                .collect(),
            centre: plane.centre(),
            marks,
            paths,
        }
    }
}
