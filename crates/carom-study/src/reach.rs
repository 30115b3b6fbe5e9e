//! What a law can reach in impulse space as its parameters run over their ranges, friction held fixed (Chatterjee 1997,
//! chapter 7).

use crate::plot;
use crate::scenario::Scenario;
use carom::impulse_space::{AccessibleRegion, PlaneDiagram};
use carom::laws::{Kind, Law};
use carom::{Collision, Error, Section};
use nalgebra::{Vector2, Vector3};

/// The impulses one law reaches.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The law.
    pub law: &'static Law,
    /// Keys of the parameters that ran, in the order of a sample's values.
    pub free: Vec<&'static str>,
    /// Every impulse computed.
    pub samples: Vec<Sample>,
    /// Quadrilaterals of neighbouring samples, as places in `samples`, when two or more parameters ran.
    pub cells: Vec<[usize; 4]>,
    /// Samples in order along the curve, when one parameter ran.
    pub curve: Vec<usize>,
    /// Share of the accessible region's area that the law reaches; planar collisions only.
    pub coverage: Option<f64>,
}

/// One choice of the parameters and its outcome.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Values of the free parameters.
    pub values: Vec<f64>,
    /// The impulse, contact frame.
    pub impulse: Vector3<f64>,
    /// The relative velocity after, contact frame.
    pub velocity_after: Vector3<f64>,
    /// Change of kinetic energy, J.
    pub energy_change: f64,
}

/// Steps along each free parameter of a law with at most two: the curved edges of a region then look curved.
const STEPS: usize = 36;
/// Steps along the first two free parameters of a law with more, and along each of the others.
const LAYERED_STEPS: usize = 16;
const LAYERS: usize = 4;
/// Points across the region's window when its area is compared.
const RASTER: usize = 240;

/// The panels that show what laws reach: the plane the collision stays in, or else the one through its slip.
pub fn regions(scenario: &Scenario, reaches: &[Reach]) -> plot::Regions {
    let collision = &scenario.collision;
    let section = collision.planar_section().unwrap_or_else(|| {
        let slip = collision.velocity().yz();
        collision.section(&slip.try_normalize(0.0).unwrap_or_else(Vector2::x))
    });
    let friction = scenario.friction().unwrap_or(0.0);
    plot::Regions {
        title: scenario.title.clone(),
        subtitle: format!("What each law can reach as its parameters run over their ranges; μ = {friction}"),
        section,
        friction,
        reaches: reaches.iter().map(|reach| reach.panel(&section)).collect(),
    }
}

impl Reach {
    fn panel(&self, section: &Section) -> plot::Reach {
        let place = |sample: usize| section_point(section, &self.samples[sample].impulse);
        plot::Reach {
            label: self.law.id.to_owned(),
            coverage: self.coverage.filter(|_| !self.cells.is_empty()),
            cells: self.cells.iter().map(|cell| cell.map(place).to_vec()).collect(),
            curve: self.curve.iter().map(|sample| place(*sample)).collect(),
            points: if self.free.is_empty() { (0..self.samples.len()).map(place).collect() } else { Vec::new() },
        }
    }
}

fn section_point(section: &Section, impulse: &Vector3<f64>) -> Vector2<f64> {
    Vector2::new(impulse.x, impulse.yz().dot(&section.tangent))
}

/// The reach of a law for a scenario's collision and friction; `Ok(None)` if the law answers for no parameters at all.
pub fn reach(scenario: &Scenario, law: &'static Law) -> Result<Option<Reach>, Error> {
    let collision = &scenario.collision;
    let friction = scenario.friction().ok_or(Error::MissingParameter { law: law.id, key: "friction" })?;
    let planar = collision.planar_section();
    let axes = free_axes(law, friction, planar.is_some());
    let mut reach = Reach {
        law,
        free: axes.iter().map(|axis| axis.key).collect(),
        samples: Vec::new(),
        cells: Vec::new(),
        curve: Vec::new(),
        coverage: None,
    };
    let (rows, columns) = match axes.len() {
        0 => (1, 1),
        1 => (axes[0].points, 1),
        _ => (axes[0].points, axes[1].points),
    };
    for layer in layers(&axes) {
        let mut grid = vec![None; rows * columns];
        for row in 0..rows {
            for column in 0..columns {
                let mut values = layer.clone();
                for (place, step) in [row, column].into_iter().enumerate().take(axes.len()) {
                    values[place] = axes[place].value(step);
                }
                let bound = law.bind_from(|key| {
                    let place = axes.iter().position(|axis| axis.key == key);
                    place.map(|place| values[place]).or_else(|| scenario.parameter(key))
                });
                let outcome = match bound {
                    Ok(bound) => bound.resolve(collision).ok(),
                    // A corner of the grid may break a rule between parameters, such as shares above one.
                    Err(Error::InconsistentParameters { .. }) => None,
                    Err(error) => return Err(error),
                };
                if let Some(outcome) = outcome {
                    grid[row * columns + column] = Some(reach.samples.len());
                    reach.samples.push(Sample {
                        values,
                        impulse: outcome.impulse,
                        velocity_after: outcome.velocity_after,
                        energy_change: collision.energy_change(&outcome.impulse),
                    });
                }
            }
        }
        if axes.len() == 1 {
            reach.curve.extend(grid.iter().flatten());
        }
        for row in 1..rows {
            for column in 1..columns {
                let corner = |r: usize, c: usize| grid[r * columns + c];
                let corners = [
                    corner(row - 1, column - 1),
                    corner(row - 1, column),
                    corner(row, column),
                    corner(row, column - 1),
                ];
                if let [Some(a), Some(b), Some(c), Some(d)] = corners {
                    reach.cells.push([a, b, c, d]);
                }
            }
        }
    }
    if reach.samples.is_empty() {
        return Ok(None);
    }
    reach.coverage = planar.and_then(|section| coverage(collision, &section, friction, &reach));
    Ok(Some(reach))
}

/// A parameter that runs.
struct Axis {
    key: &'static str,
    least: f64,
    greatest: f64,
    points: usize,
}

impl Axis {
    fn value(&self, step: usize) -> f64 {
        let share = step as f64 / (self.points - 1) as f64;
        self.least + (self.greatest - self.least) * share
    }
}

/// Every parameter of the law but friction and rules; what would leave the plane stays put in planar collisions.
fn free_axes(law: &Law, friction: f64, planar: bool) -> Vec<Axis> {
    let mut axes: Vec<Axis> = law
        .parameters
        .iter()
        .filter(|parameter| !parameter.key.ends_with("friction") || parameter.key == "stored_friction")
        .filter(|parameter| !(planar && matches!(parameter.key, "azimuth" | "lateral_impulse_ratio")))
        .filter_map(|parameter| match parameter.kind {
            // An impulse ratio has no bounds of its own; friction bounds it.
            Kind::Number { least, greatest } => Some(Axis {
                key: parameter.key,
                least: if least.is_finite() { least } else { -friction },
                greatest: if greatest.is_finite() { greatest } else { friction },
                points: STEPS + 1,
            }),
            Kind::Choice(_) => None,
        })
        .collect();
    if axes.len() > 2 {
        for (place, axis) in axes.iter_mut().enumerate() {
            axis.points = if place < 2 { LAYERED_STEPS } else { LAYERS } + 1;
        }
    }
    axes
}

/// All combinations of the third and further parameters, with room for the first two.
fn layers(axes: &[Axis]) -> Vec<Vec<f64>> {
    let mut layers = vec![axes.iter().map(|axis| axis.least).collect::<Vec<f64>>()];
    for (place, axis) in axes.iter().enumerate().skip(2) {
        layers = layers
            .iter()
            .flat_map(|layer| {
                (0..axis.points).map(move |step| {
                    let mut layer = layer.clone();
                    layer[place] = axis.value(step);
                    layer
                })
            })
            .collect();
    }
    layers
}

/// Share of a raster of admissible points that lie in one of the law's cells.
fn coverage(collision: &Collision, section: &Section, friction: f64, reach: &Reach) -> Option<f64> {
    let region = AccessibleRegion::new(collision, friction);
    let diagram = PlaneDiagram::new(section, friction);
    let outline = diagram.region(&diagram.ellipse_extent()?, 64);
    let (low, high) = bounds(&outline)?;
    let step = (high - low) / RASTER as f64;
    let point = |i: usize, j: usize| low + Vector2::new((i as f64 + 0.5) * step.x, (j as f64 + 0.5) * step.y);
    let mut reached = vec![false; RASTER * RASTER];
    let plane = |place: usize| section_point(section, &reach.samples[place].impulse);
    for cell in &reach.cells {
        let [a, b, c, d] = cell.map(plane);
        for triangle in [[a, b, c], [a, c, d]] {
            mark(&triangle, &low, &step, &mut reached);
        }
    }
    let (mut inside, mut hit) = (0_u32, 0_u32);
    for i in 0..RASTER {
        for j in 0..RASTER {
            let p = point(i, j);
            if region.contains(&section.to_contact(p.x, p.y)) {
                inside += 1;
                hit += u32::from(reached[i * RASTER + j]);
            }
        }
    }
    (inside > 0).then(|| f64::from(hit) / f64::from(inside))
}

fn bounds(points: &[Vector2<f64>]) -> Option<(Vector2<f64>, Vector2<f64>)> {
    let first = *points.first()?;
    let (low, high) = points.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    ((high - low).min() > 0.0).then_some((low, high))
}

/// Marks the raster points inside a triangle.
fn mark(triangle: &[Vector2<f64>; 3], low: &Vector2<f64>, step: &Vector2<f64>, reached: &mut [bool]) {
    let [a, b, c] = triangle;
    let (least, most) = (a.inf(b).inf(c), a.sup(b).sup(c));
    let range = |k: usize| {
        let first = ((least[k] - low[k]) / step[k] - 0.5).ceil().max(0.0) as usize;
        let last = ((most[k] - low[k]) / step[k] - 0.5).floor().min(RASTER as f64 - 1.0);
        first..(last + 1.0).max(0.0) as usize
    };
    let orientation = (b - a).perp(&(c - a));
    for i in range(0) {
        for j in range(1) {
            let p = low + Vector2::new((i as f64 + 0.5) * step.x, (j as f64 + 0.5) * step.y);
            let sides = [(b - a).perp(&(p - a)), (c - b).perp(&(p - b)), (a - c).perp(&(p - c))];
            if sides.iter().all(|side| side * orientation >= 0.0) {
                reached[i * RASTER + j] = true;
            }
        }
    }
}
