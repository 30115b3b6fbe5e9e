//! The parameters that run, and the grid they span.

use carom::laws::{Kind, Law};
use std::f64::consts::PI;

/// Steps along each free parameter of a law with at most two: the curved edges of a region then look curved.
const STEPS: usize = 24;
/// Steps along the first two free parameters of a law with more, and along each of the others.
const LAYERED_STEPS: usize = 12;
const LAYERS: usize = 3;
/// Steps of two degrees along an angle, which may sweep a narrow region.
const ANGLE_STEPS: usize = 180;

/// A parameter that runs.
pub struct Axis {
    pub key: &'static str,
    least: f64,
    greatest: f64,
    points: usize,
    /// A ratio without bounds of its own runs evenly in its angle, so that huge friction does not thin it out.
    by_angle: bool,
}

impl Axis {
    /// Every parameter of the law but friction and rules; what would leave the plane stays put in planar collisions.
    /// A restitution without bounds runs to the largest that energy allows.
    pub fn of(law: &Law, friction: f64, largest_restitution: f64, planar: bool) -> Vec<Axis> {
        let mut axes: Vec<Axis> = law
            .parameters
            .iter()
            .filter(|parameter| !matches!(parameter.key, "friction" | "static_friction" | "kinetic_friction"))
            .filter(|parameter| !(planar && parameter.leaves_plane))
            .filter_map(|parameter| match parameter.kind {
                Kind::Number { least, greatest } => Some(Axis {
                    key: parameter.key,
                    least: if least.is_finite() { least } else { -friction },
                    greatest: match parameter.key {
                        _ if greatest.is_finite() => greatest,
                        "restitution" => largest_restitution,
                        _ => friction,
                    },
                    points: STEPS + 1,
                    by_angle: least.is_infinite(),
                }),
                Kind::Choice(_) => None,
            })
            .collect();
        let layered = axes.len() > 2;
        for (place, axis) in axes.iter_mut().enumerate() {
            if layered {
                axis.points = if place < 2 { LAYERED_STEPS } else { LAYERS } + 1;
            } else if axis.greatest == PI {
                axis.points = ANGLE_STEPS + 1;
            }
        }
        axes
    }

    fn value(&self, step: usize) -> f64 {
        let share = step as f64 / (self.points - 1) as f64;
        let between = |least: f64, greatest: f64| least + (greatest - least) * share;
        if self.by_angle {
            between(self.least.atan(), self.greatest.atan()).tan()
        } else {
            between(self.least, self.greatest)
        }
    }
}

/// All combinations of the axes' values, numbered with the last axis running fastest.
pub struct Grid<'a> {
    axes: &'a [Axis],
    /// How far apart neighbours along each axis are numbered.
    strides: Vec<usize>,
}

impl<'a> Grid<'a> {
    pub fn new(axes: &'a [Axis]) -> Grid<'a> {
        let mut strides = vec![1; axes.len()];
        for place in (1..axes.len()).rev() {
            strides[place - 1] = strides[place] * axes[place].points;
        }
        Grid { axes, strides }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.points).product()
    }

    fn step(&self, node: usize, place: usize) -> usize {
        node / self.strides[place] % self.axes[place].points
    }

    /// The parameters at a node.
    pub fn values(&self, node: usize) -> Vec<f64> {
        self.axes.iter().enumerate().map(|(place, axis)| axis.value(self.step(node, place))).collect()
    }

    /// Every quadrilateral of neighbours along two axes.
    pub fn cells(&self) -> Vec<[usize; 4]> {
        let mut cells = Vec::new();
        for first in 0..self.axes.len() {
            for second in first + 1..self.axes.len() {
                let (a, b) = (self.strides[first], self.strides[second]);
                let has_both = |node: &usize| {
                    self.step(*node, first) + 1 < self.axes[first].points
                        && self.step(*node, second) + 1 < self.axes[second].points
                };
                cells.extend((0..self.len()).filter(has_both).map(|node| [node, node + a, node + a + b, node + b]));
            }
        }
        cells
    }
}
