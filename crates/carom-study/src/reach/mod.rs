//! The impulses a law can reach as its parameters vary over their ranges, with friction held fixed (Chatterjee 1997,
//! chapter 7).

mod axis;
mod raster;
mod refine;

use crate::prediction::Refusal;
use crate::scenario::Scenario;
use axis::Axis;
use carom::impulse_space::{AccessibleRegion, EnergyEllipsoid, Extent};
use carom::laws::{self, Inapplicable, Law, ROUGH};
use carom::{BoundLaw, Clock, Collision, Error, Section};
use nalgebra::{Vector2, Vector3};
use raster::Raster;
use refine::{Accuracy, MOST_AXES, Sampler};

/// The impulses one law reaches.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The law.
    pub law: &'static Law,
    /// Keys of the parameters that varied, in the order of a sample's values.
    pub free: Vec<&'static str>,
    /// Every impulse computed: a grid over the parameters, refined where straight lines between impulses would be wrong.
    pub samples: Vec<Sample>,
    /// The kind of set, and its share of the accessible region.
    pub set: Set,
    /// Share of the accessible region that the law reaches, by area in the plane and by volume in space; `None` for sets that have
    /// none. Right to about 0.002 in the plane and 0.02 in space.
    pub coverage: Option<f64>,
    /// Segments, triangles or tetrahedra of neighbouring samples, as places in `samples`.
    pub(crate) simplices: Vec<Vec<usize>>,
}

/// The kind of set that the reached impulses make up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Set {
    /// The law has no parameters that vary.
    Point,
    /// One parameter.
    Curve,
    /// Two parameters of a collision in space.
    Surface,
    /// A part of the accessible region.
    Part,
    /// The accessible region is unbounded: it has no shares.
    Unbounded,
    /// The accessible region is a segment or a point: it has no shares.
    Flat,
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

/// Distance from a straight line that counts as bent, in cells of the raster.
const BENT_IN_PLANE: f64 = 0.2;
const BENT_IN_SPACE: f64 = 0.4;
/// Samples of a law at most, and of a law that is followed in time.
const MOST_SAMPLES: usize = 60_000;
const MOST_FOLLOWED: usize = 2_000;
/// Cells across the spread of the impulses where there is no raster.
const CELLS: f64 = 512.0;
/// Impulses this many times larger than the median are left out of the spread of the others.
const FAR: f64 = 50.0;
/// Samples closer than this share of the largest impulse are one point.
const SAME: f64 = 1e-6;

/// The laws whose parameters span a set worth drawing: laws followed in time have stiffnesses and radii without bounds.
pub fn laws_without_duration() -> Vec<&'static Law> {
    laws::ALL.iter().filter(|law| law.clock() != Some(Clock::Time)).collect()
}

/// How far the search for a reach has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Impulses computed.
    pub done: usize,
    /// About the most that are.
    pub most: usize,
}

/// The reach of a law for the collision and friction of a scenario of one contact.
pub fn reach(scenario: &Scenario, law: &'static Law) -> Result<Reach, Refusal> {
    reach_watched(scenario, law, &mut |_| {})
}

/// The same, with a report of every impulse: laws that are followed in time may take minutes.
pub fn reach_watched(
    scenario: &Scenario,
    law: &'static Law,
    watch: &mut dyn FnMut(Progress),
) -> Result<Reach, Refusal> {
    let collision = scenario.collision().ok_or(Refusal::Inapplicable(Inapplicable::SeveralContacts))?;
    let friction = scenario.friction(0).unwrap_or(0.0);
    let bind = |given: &dyn Fn(&str) -> Option<f64>| scenario.bind_with(law, |_, key| given(key));
    reach_of(&Question { collision, friction, fixed: &[], bind: &bind }, law, watch)
}

/// Binds a law with the values of some parameters by key.
pub type Bind<'a> = dyn Fn(&dyn Fn(&str) -> Option<f64>) -> Result<BoundLaw, Error> + Sync + 'a;

/// A collision whose outcomes are asked for.
pub struct Question<'a> {
    /// The collision.
    pub collision: &'a Collision,
    /// The coefficient of friction.
    pub friction: f64,
    /// Keys of parameters that do not vary.
    pub fixed: &'a [&'a str],
    /// Binds the law with the values of parameters that vary, and its own for the others.
    pub bind: &'a Bind<'a>,
}

/// The reach of a law for a collision; `watch` is called with every impulse.
pub fn reach_of(question: &Question, law: &'static Law, watch: &mut dyn FnMut(Progress)) -> Result<Reach, Refusal> {
    let (collision, friction) = (question.collision, question.friction.min(ROUGH));
    let planar = collision.planar_section();
    let largest = EnergyEllipsoid::new(collision).largest_restitution().unwrap_or(1.0);
    let mut axes = Axis::of(law, question.fixed, friction, largest, planar.is_some());
    axes.truncate(MOST_AXES);
    let most = if law.clock() == Some(Clock::Time) { MOST_FOLLOWED } else { MOST_SAMPLES };
    let (mut refusal, mut fault, mut done) = (None, None, 0);
    let answer = |parts: &[f64]| {
        done += 1;
        watch(Progress { done, most });
        let values = Axis::values(&axes, parts);
        let given = |key: &str| axes.iter().position(|axis| axis.key == key).map(|place| values[place]);
        match (question.bind)(&given).map(|bound| bound.resolve_collision(collision)) {
            Ok(Ok(outcome)) => Some(Sample {
                impulse: outcome.impulse,
                velocity_after: outcome.velocity_after,
                energy_change: collision.energy_change(&outcome.impulse),
                values,
            }),
            Ok(Err(why)) => {
                refusal = Some(Refusal::Inapplicable(why));
                None
            }
            // A corner of the grid may break a rule between parameters.
            Err(Error::InconsistentParameters { .. }) => None,
            Err(error) => {
                fault = Some(Refusal::Parameters(error));
                None
            }
        }
    };
    let mut sampler = Sampler::new(axes.len(), answer);
    let spread = spread(sampler.begin());
    let accuracy =
        |tolerance: f64, extent: f64, dimension: usize| Accuracy { tolerance, samples: most, extent, dimension };
    let region = AccessibleRegion::new(collision, friction).map_err(Refusal::Parameters)?;
    let plane = planar.as_ref().and_then(|section| Raster::of_section(&region, section, friction));
    let space = if planar.is_none() { Raster::of_region(&region) } else { None };
    let refined = if let (Some(raster), Some(section)) = (&plane, &planar) {
        sampler.refine(&accuracy(BENT_IN_PLANE, raster.side() as f64, 2), |impulse| {
            let place = raster.place(&in_section(section, impulse));
            Vector3::new(place.x, place.y, 0.0)
        })
    } else if let Some(raster) = &space {
        sampler.refine(&accuracy(BENT_IN_SPACE, raster.side() as f64, 3), |impulse| raster.place(impulse))
    } else {
        let dimension = if planar.is_some() { 2 } else { 3 };
        let scale = if spread > 0.0 { CELLS / spread } else { 1.0 };
        sampler.refine(&accuracy(BENT_IN_PLANE, FAR * CELLS, dimension), |impulse| impulse * scale)
    };
    if let Some(fault) = fault {
        return Err(fault);
    }
    if refined.samples.is_empty() {
        return Err(refusal.unwrap_or(Refusal::Inapplicable(Inapplicable::NoSolution)));
    }
    let set = set(&region, axes.len(), planar.is_some());
    let mut reach = Reach {
        law,
        free: axes.iter().map(|axis| axis.key).collect(),
        samples: refined.samples,
        set,
        coverage: None,
        simplices: refined.simplices,
    };
    reach.fill(planar.as_ref(), plane, space);
    Ok(reach)
}

pub(crate) fn in_section(section: &Section, impulse: &Vector3<f64>) -> Vector2<f64> {
    Vector2::new(impulse.x, impulse.yz().dot(&section.tangent))
}

/// The kind of set that a number of parameters reaches.
fn set(region: &AccessibleRegion<'_>, parameters: usize, planar: bool) -> Set {
    match (parameters, region.extent()) {
        (0, _) => Set::Point,
        (1, _) => Set::Curve,
        (2, _) if !planar => Set::Surface,
        (_, Extent::Unbounded) => Set::Unbounded,
        (_, Extent::Point | Extent::Segment) => Set::Flat,
        (_, Extent::Solid) => Set::Part,
    }
}

/// The extent of the impulses, without those that run off to infinity under a singular inverse mass.
fn spread(samples: &[Sample]) -> f64 {
    let mut sizes: Vec<f64> = samples.iter().map(|sample| sample.impulse.norm()).collect();
    sizes.sort_by(f64::total_cmp);
    let far = FAR * sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let near = || samples.iter().map(|sample| sample.impulse).filter(|p| p.norm() <= far);
    let first = near().next().unwrap_or_default();
    let (low, high) = near().fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
    (high - low).norm()
}

impl Reach {
    /// Measures the set's share of the accessible region.
    fn fill(&mut self, section: Option<&Section>, plane: Option<Raster<2>>, space: Option<Raster<3>>) {
        if let (Some(mut raster), Some(section)) = (plane, section) {
            for simplex in self.simplices.iter().filter(|simplex| simplex.len() == 3) {
                let corners: Vec<_> =
                    simplex.iter().map(|sample| in_section(section, &self.samples[*sample].impulse)).collect();
                raster.fill(&corners);
            }
            self.coverage = (self.set == Set::Part).then(|| raster.share());
        } else if let Some(mut raster) = space {
            for simplex in self.simplices.iter().filter(|simplex| simplex.len() == 4) {
                let corners: Vec<_> = simplex.iter().map(|sample| self.samples[*sample].impulse).collect();
                raster.fill(&corners);
            }
            self.coverage = (self.set == Set::Part).then(|| raster.share());
        }
    }

    /// The samples, if they are only one or two points, as those of a tangential impact often are.
    pub(crate) fn lone_points(&self) -> Vec<usize> {
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
}
