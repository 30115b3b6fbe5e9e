//! The course of a collision by one law: how forces, displacements, velocities and works go while the bodies touch.
//!
//! Velocity and work against normal impulse are drawn as in Rodriguez 2017, figures 4.3 and 6.3; the slip of a spatial
//! collision as a hodograph, as in Keller 1986.

use super::axis::Axis;
use super::chart::{Chart, Dot, Guide, Measure, Span};
use super::curve::Curve;
use super::sheet::Sheet;
use super::style::WHITE;
use super::text::Text;
use crate::prediction::Prediction;
use crate::scenario::Scenario;
use carom::laws::ROUGH;
use carom::{Clock, Compression, ContactHistory, ContactSample, Motion, Section};
use nalgebra::{Vector2, Vector3};

/// What a sheet of a course shows.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// The course.
    pub history: &'a ContactHistory,
    /// The plane of the collision; `None` for a spatial one.
    pub section: Option<Section>,
    /// Coefficients of friction while sticking and while slipping.
    pub friction: [f64; 2],
    /// The end of compression, if there is one.
    pub compression: Option<Compression>,
}

/// What stays below this share of the quantity beside it is zero.
const ZERO: f64 = 1e-9;

impl<'a> Course<'a> {
    /// The course of a collision; `None` if there are several contacts, the law jumps or the bodies never touch.
    pub fn of(scenario: &Scenario, prediction: &'a Prediction) -> Option<Course<'a>> {
        let history = prediction.history(0).filter(|history| !history.samples.is_empty())?;
        let parameter = |key: &str| prediction.law.parameter(0, key);
        Some(Course {
            history,
            section: scenario.collision()?.planar_section(),
            friction: ["static_friction", "kinetic_friction"]
                .map(|key| parameter(key).or_else(|| parameter("friction")).unwrap_or(0.0).min(ROUGH)),
            compression: prediction.outcome.contacts[0].compression,
        })
    }

    /// The sheet: in time, forces, displacements and the force in the friction cone; always the slip, and velocity and
    /// work against normal impulse. What is zero throughout is left out. A course without samples has no charts.
    pub fn sheet(&self, title: String, subtitle: String) -> Sheet {
        let charts = match self.history.clock {
            _ if self.history.samples.is_empty() => Vec::new(),
            Clock::Time => vec![
                Some(self.forces()),
                Some(self.displacements()),
                self.cone(),
                self.slip(),
                Some(self.velocities()),
                self.works(),
            ],
            Clock::NormalImpulse => vec![self.cone(), self.hodograph(), Some(self.velocities()), self.works()],
        };
        let shown = charts.into_iter().flatten().filter(|chart| chart.curves.iter().any(Curve::is_data));
        let charts = shown.enumerate().map(|(index, chart)| {
            let letter = char::from(b'a' + index as u8);
            Chart { title: format!("({letter}) {}", chart.title), ..chart }
        });
        Sheet { title, subtitle, charts: charts.collect() }
    }

    fn forces(&self) -> Chart {
        Chart {
            title: "Force".to_owned(),
            up: Axis::quantity(Text::plain("force ").italic("F"), "N"),
            curves: self.components("F", |sample| sample.at, |sample| sample.force.unwrap_or_default()),
            ..self.in_time()
        }
    }

    fn displacements(&self) -> Chart {
        Chart {
            title: "Displacement".to_owned(),
            up: Axis::quantity(Text::plain("displacement ").italic("u"), "m"),
            curves: self.components("u", |sample| sample.at, |sample| sample.displacement.unwrap_or_default()),
            ..self.in_time()
        }
    }

    /// Normal against tangential force, or impulse where there is no force, with the edges of the friction cone.
    fn cone(&self) -> Option<Chart> {
        let (letter, unit, what, vector): (_, _, _, fn(&ContactSample) -> Vector3<f64>) = match self.history.clock {
            Clock::Time => ("F", "N", "force", |sample| sample.force.unwrap_or_default()),
            Clock::NormalImpulse => ("P", "N s", "impulse", |sample| sample.impulse),
        };
        let places: Vec<Vector2<f64>> = self.each(|sample| {
            let v = vector(sample);
            Vector2::new(self.section.map_or_else(|| v.yz().norm(), |section| v.yz().dot(&section.tangent)), v.x)
        });
        let (reach, height) = places.iter().fold((0.0_f64, 0.0_f64), |(x, y), p| (x.max(p.x.abs()), y.max(p.y)));
        if reach <= ZERO * height {
            return None;
        }
        let [sticking, slipping] = self.friction;
        let mut cones = vec![(sticking, if sticking == slipping { "" } else { "s" })];
        if sticking != slipping {
            cones.push((slipping, "k"));
        }
        let sides: &[f64] = if self.section.is_some() { &[1.0, -1.0] } else { &[1.0] };
        let edges = cones.iter().flat_map(|(friction, index)| {
            sides.iter().map(move |side| {
                let name = Text::symbol(if *side < 0.0 { "−μ" } else { "μ" });
                let name = if index.is_empty() { name } else { name.subscript(*index) };
                // Twice as high as the curve, it ends outside of the chart.
                let edge = vec![Vector2::zeros(), Vector2::new(side * friction, 1.0) * (2.0 * height)];
                Curve::reference(name.italic(letter).subscript("n"), edge)
            })
        });
        let tangential = Text::symbol(letter).subscript("t");
        let across = if self.section.is_some() { tangential } else { Text::plain("|").then_all(&tangential).then("|") };
        let curves = std::iter::once(Curve::path(Text::default(), places)).chain(edges);
        Some(Chart {
            title: format!("{}{} in the friction cone", what[..1].to_uppercase(), &what[1..]),
            across: Axis::quantity(Text::plain(format!("tangential {what} ")).then_all(&across), unit),
            up: Axis::quantity(Text::plain(format!("normal {what} ")).italic(letter).subscript("n"), unit),
            curves: curves.collect(),
            ..Chart::default()
        })
    }

    /// The slip: its path in the tangent plane, or its course in a planar collision.
    fn slip(&self) -> Option<Chart> {
        let Some(section) = self.section else { return self.hodograph() };
        let values: Vec<_> = self.each(|sample| Vector2::new(sample.impulse.x, sample.slip.dot(&section.tangent)));
        if values.iter().all(|p| p.y == 0.0) {
            return None;
        }
        Some(Chart {
            title: "Slip".to_owned(),
            up: Axis::quantity(Text::plain("slip ").italic("s"), "m/s"),
            curves: vec![Curve::line(1, Text::symbol("s"), values).solid()],
            ..self.in_impulse()
        })
    }

    /// The path of the slip in the tangent plane; `None` for a planar collision.
    fn hodograph(&self) -> Option<Chart> {
        if self.section.is_some() {
            return None;
        }
        let slips: Vec<Vector2<f64>> = self.each(|sample| sample.slip);
        let (first, last) = (*slips.first()?, *slips.last()?);
        let dot = |at, label: &str| Dot { at, label: Text::plain(label) };
        let axis = |index: usize| {
            Axis::quantity(Text::plain("slip ").italic("s").subscript("t").subscript_number(index), "m/s")
        };
        Some(Chart {
            title: "Hodograph of the slip".to_owned(),
            across: axis(1),
            up: axis(2),
            curves: vec![Curve::path(Text::default(), slips)],
            dots: vec![dot(first, "before"), dot(last, "after")],
            equal_scales: true,
            ..Chart::default()
        })
    }

    fn velocities(&self) -> Chart {
        Chart {
            title: "Velocity".to_owned(),
            up: Axis::quantity(Text::plain("velocity ").italic("V"), "m/s"),
            curves: self.components("V", |sample| sample.impulse.x, |sample| sample.velocity),
            ..self.in_impulse()
        }
    }

    fn works(&self) -> Option<Chart> {
        let curve = |index, name: &str, work: fn(&ContactSample) -> f64| {
            let points = self.each(|sample| Vector2::new(sample.impulse.x, work(sample)));
            Curve::line(index, Text::symbol("W").subscript(name), points)
        };
        let curves = [curve(0, "n", |sample| sample.normal_work), curve(1, "t", |sample| sample.tangential_work)];
        let mut measures = Vec::new();
        let last = self.history.samples.last()?;
        if let Some((compression, works)) = self.compression.and_then(|c| Some((c, c.works?))) {
            let measure = |at, between, name: &str| Measure { at, between, label: Text::symbol("W").subscript(name) };
            let lowest = last.normal_work - works.restitution;
            measures.push(measure(compression.impulse.x, [0.0, lowest], "c"));
            measures.push(measure(last.impulse.x, [lowest, last.normal_work], "r"));
        }
        Some(Chart {
            title: "Work".to_owned(),
            up: Axis::quantity(Text::plain("work ").italic("W"), "J"),
            curves: without_zeros(curves),
            guides: Vec::new(),
            measures,
            ..self.in_impulse()
        })
    }

    /// Normal and tangential parts of a vector as curves.
    fn components(
        &self,
        letter: &str,
        across: impl Fn(&ContactSample) -> f64,
        vector: impl Fn(&ContactSample) -> Vector3<f64>,
    ) -> Vec<Curve> {
        let curve = |index: usize, name: Text, part: &dyn Fn(&Vector3<f64>) -> f64| {
            Curve::line(index, name, self.each(|sample| Vector2::new(across(sample), part(&vector(sample)))))
        };
        let normal = curve(0, Text::symbol(letter).subscript("n"), &|v| v.x);
        let tangent = || Text::symbol(letter).subscript("t");
        match self.section {
            Some(section) => without_zeros([normal, curve(1, tangent(), &|v| v.yz().dot(&section.tangent))]),
            None => without_zeros([
                normal,
                curve(1, tangent().subscript_number(1), &|v| v.y),
                curve(2, tangent().subscript_number(2), &|v| v.z),
            ]),
        }
    }

    fn each(&self, place: impl Fn(&ContactSample) -> Vector2<f64>) -> Vec<Vector2<f64>> {
        self.history.samples.iter().map(place).collect()
    }

    /// What the contact does, along an axis.
    fn spans(&self, across: impl Fn(&ContactSample) -> f64) -> Vec<Span> {
        let mut spans: Vec<(Motion, Span)> = Vec::new();
        for sample in &self.history.samples {
            let at = across(sample);
            match spans.last_mut() {
                Some((motion, span)) if *motion == sample.motion => span.to = at,
                _ => {
                    let label = sample.motion.name().replace('-', " ");
                    spans.push((sample.motion, Span { from: at, to: at, tint: tint(sample.motion), label }));
                }
            }
        }
        spans.into_iter().map(|(_, span)| span).collect()
    }

    /// An empty chart over time, with what the contact does.
    fn in_time(&self) -> Chart {
        Chart {
            across: Axis::quantity(Text::plain("time ").italic("t"), "s"),
            spans: self.spans(|sample| sample.at),
            guides: self.compression_time().into_iter().map(compression_ends).collect(),
            ..Chart::default()
        }
    }

    /// An empty chart over normal impulse, with what the contact does.
    fn in_impulse(&self) -> Chart {
        let compression = self.compression.map(|compression| compression.impulse.x);
        Chart {
            across: Axis::quantity(Text::plain("normal impulse ").italic("P").subscript("n"), "N s"),
            spans: self.spans(|sample| sample.impulse.x),
            guides: compression.into_iter().map(compression_ends).collect(),
            ..Chart::default()
        }
    }

    /// The time at which compression ends: between the two samples around that impulse.
    fn compression_time(&self) -> Option<f64> {
        let target = self.compression?.impulse.x;
        let reached = |pair: &&[ContactSample]| pair[0].impulse.x < target && target <= pair[1].impulse.x;
        let pair = self.history.samples.windows(2).find(reached)?;
        let share = (target - pair[0].impulse.x) / (pair[1].impulse.x - pair[0].impulse.x);
        Some(pair[0].at + share * (pair[1].at - pair[0].at))
    }
}

fn compression_ends(at: f64) -> Guide {
    Guide { at, label: Text::plain("compression ends") }
}

/// Without curves that are zero beside the others.
fn without_zeros<const N: usize>(curves: [Curve; N]) -> Vec<Curve> {
    let height = |curve: &Curve| curve.points.iter().fold(0.0_f64, |height, p| height.max(p.y.abs()));
    let tallest = curves.iter().map(height).fold(0.0, f64::max);
    curves.into_iter().filter(|curve| height(curve) > ZERO * tallest).collect()
}

fn tint(motion: Motion) -> &'static str {
    match motion {
        Motion::Sticking => "#dce8f4",
        Motion::PartlySlipping => "#eef3f9",
        Motion::Apart => "#ececec",
        _ => WHITE,
    }
}
