//! What a law can reach in impulse space as its parameters run over their ranges, friction held fixed (Chatterjee 1997,
//! chapter 7).

mod axis;
mod raster;

use crate::plot;
use crate::prediction::Refusal;
use crate::scenario::Scenario;
use axis::{Axis, Grid};
use carom::impulse_space::EnergyEllipsoid;
use carom::laws::{Inapplicable, Law, ROUGH};
use carom::{Digits, Error, Section};
use nalgebra::{Vector2, Vector3};
use raster::Raster;

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
    /// Share of the accessible region's area that the law reaches; planar collisions with a bounded region only.
    pub coverage: Option<f64>,
    raster: Option<Raster>,
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

/// Neighbouring samples further apart than this share of all samples' spread lie on two sides of a jump of the law.
const JUMP: f64 = 0.35;
/// Impulses this many times larger than the middle one say nothing about the spread of the others.
const FAR: f64 = 50.0;
/// More cells than this are drawn by what they cover together.
const MANY: usize = 1000;
/// Samples closer than this share of the largest impulse are one point.
const SAME: f64 = 1e-6;

/// The reach of a law for a scenario's collision and friction.
pub fn reach(scenario: &Scenario, law: &'static Law) -> Result<Reach, Refusal> {
    let collision = &scenario.collision;
    let friction = scenario.friction().unwrap_or(0.0).min(ROUGH);
    let planar = collision.planar_section();
    let largest = EnergyEllipsoid::new(collision).largest_restitution().unwrap_or(1.0);
    let axes = Axis::of(law, friction, largest, planar.is_some());
    let grid = Grid::new(&axes);
    let (mut samples, mut refusal) = (Vec::new(), None);
    let mut places = vec![None; grid.len()];
    for (node, place) in places.iter_mut().enumerate() {
        let values = grid.values(node);
        let bound =
            scenario.bind_with(law, |key| axes.iter().position(|axis| axis.key == key).map(|place| values[place]));
        let answer = match bound {
            Ok(bound) => bound.resolve(collision),
            // A corner of the grid may break a rule between parameters, such as shares above one.
            Err(Error::InconsistentParameters { .. }) => continue,
            Err(error) => return Err(Refusal::Parameters(error)),
        };
        match answer {
            Ok(outcome) => {
                *place = Some(samples.len());
                samples.push(Sample {
                    values,
                    impulse: outcome.impulse,
                    velocity_after: outcome.velocity_after,
                    energy_change: collision.energy_change(&outcome.impulse),
                });
            }
            Err(why) => refusal = Some(Refusal::Inapplicable(why)),
        }
    }
    if samples.is_empty() {
        return Err(refusal.unwrap_or(Refusal::Inapplicable(Inapplicable::NoSolution)));
    }
    let corners = |cell: [usize; 4]| {
        let [a, b, c, d] = cell.map(|node| places[node]);
        Some([a?, b?, c?, d?])
    };
    let mut reach = Reach {
        law,
        free: axes.iter().map(|axis| axis.key).collect(),
        cells: grid.cells().into_iter().filter_map(corners).collect(),
        curve: if axes.len() == 1 { places.iter().flatten().copied().collect() } else { Vec::new() },
        samples,
        coverage: None,
        raster: None,
    };
    reach.drop_jumps();
    if let Some(section) = planar {
        let cells = reach.cells.iter().map(|cell| cell.map(|sample| reach.point(&section, sample)));
        reach.raster = Raster::of(collision, &section, friction, cells);
        reach.coverage = reach.raster.as_ref().map(Raster::coverage);
    }
    Ok(reach)
}

/// The panels that show what laws reach: the plane the collision stays in, or else the one through its slip.
pub fn regions(scenario: &Scenario, reaches: &[Reach]) -> plot::Regions {
    let collision = &scenario.collision;
    let section = collision.planar_section().unwrap_or_else(|| {
        let slip = collision.velocity().yz();
        collision.section(&slip.try_normalize(0.0).unwrap_or_else(Vector2::x))
    });
    let friction = scenario.friction().unwrap_or(0.0);
    let projected =
        if collision.planar_section().is_some() { "" } else { "; projected onto the section through the slip" };
    plot::Regions {
        title: scenario.title.clone(),
        subtitle: format!(
            "What each law can reach as its parameters run over their ranges; μ = {}{projected}",
            Digits(friction)
        ),
        section,
        friction,
        reaches: reaches.iter().map(|reach| reach.panel(&section)).collect(),
    }
}

impl Reach {
    /// Leaves out cells across which the law jumps, or that run off to infinity under a singular inverse mass: no
    /// impulse inside them is reached.
    fn drop_jumps(&mut self) {
        let impulse = |sample: usize| self.samples[sample].impulse;
        let mut sizes: Vec<f64> = self.samples.iter().map(|sample| sample.impulse.norm()).collect();
        sizes.sort_by(f64::total_cmp);
        let far = FAR * sizes[sizes.len() / 2];
        let near = || self.samples.iter().map(|sample| sample.impulse).filter(|p| p.norm() <= far);
        let first = near().next().unwrap_or_default();
        let (low, high) = near().fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
        let longest = JUMP * (high - low).norm();
        let keeps =
            |cell: &[usize; 4]| (0..4).all(|k| (impulse(cell[k]) - impulse(cell[(k + 1) % 4])).norm() <= longest);
        self.cells = self.cells.iter().filter(|cell| keeps(cell)).copied().collect();
    }

    /// The samples, if they are only one or two points, as those of a tangential impact often are.
    fn lone_points(&self) -> Vec<usize> {
        let largest = self.samples.iter().fold(0.0_f64, |most, sample| most.max(sample.impulse.norm()));
        let mut distinct: Vec<usize> = Vec::new();
        for (place, sample) in self.samples.iter().enumerate() {
            let known = |other: &usize| (self.samples[*other].impulse - sample.impulse).norm() <= SAME * largest;
            if !distinct.iter().any(known) {
                distinct.push(place);
            }
            if distinct.len() > 2 {
                return Vec::new();
            }
        }
        distinct
    }

    /// A sample in the section, (P_n, P_t).
    fn point(&self, section: &Section, sample: usize) -> Vector2<f64> {
        let impulse = &self.samples[sample].impulse;
        Vector2::new(impulse.x, impulse.yz().dot(&section.tangent))
    }

    fn panel(&self, section: &Section) -> plot::Reach {
        let place = |sample: usize| self.point(section, sample);
        let cells = match &self.raster {
            // Many cells cover the same ground over and over, or finely: draw what is covered, once.
            Some(raster) if self.cells.len() > MANY && raster.coverage() > 0.0 => raster.rows(),
            _ => self.cells.iter().map(|cell| cell.map(place).to_vec()).collect(),
        };
        plot::Reach {
            label: self.law.id.to_owned(),
            coverage: self.coverage.filter(|_| !self.cells.is_empty()),
            cells,
            curve: self.curve.iter().map(|sample| place(*sample)).collect(),
            points: self.lone_points().into_iter().map(place).collect(),
        }
    }
}
