//! The course of contacts that a law follows together: velocities, impulses and work.
//!
//! Against normal impulse, work and velocities are drawn as in Rodriguez 2014, figures 4.3 and 6.3; a contact whose slip stops gets its
//! no-slip region, figure 5.3: between the slips that all the static friction would lead to. It can stick if zero lies between.

use super::axis::Axis;
use super::chart::{Area, Chart, Dot, Guide, Span};
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use crate::prediction::Prediction;
use crate::scenario::Scenario;
use carom::laws::NoSlip;
use carom::{Clock, IslandHistory, IslandSample};
use nalgebra::{Vector2, Vector3};

/// Curves of more contacts than this are a tangle.
const MOST_CURVES: usize = 6;
/// No-slip regions of more contacts than this leave no room for the rest.
const MOST_REGIONS: usize = 3;
/// More turns of the work than this are waves, not events.
const MOST_TURNS: usize = 4;
/// Turns closer than this, relative to the whole course, are one place of the chart.
const CLOSE: f64 = 0.04;
/// The law whose regions are drawn: slips are straight in its clock, and contacts that stop are decided by them.
const STRAIGHT: &str = "rodriguez-bowling";
/// A slip below this fraction of the speeds is none.
const AT_REST: f64 = 1e-10;

/// The sheet of a course: normal velocities, impulses, slips, the no-slip regions of contacts that stop, and work of the normal
/// forces.
pub fn island_course(scenario: &Scenario, prediction: &Prediction, history: &IslandHistory) -> Sheet {
    let course = Course { scenario, history, events: event_starts(prediction, history), guides: turns(history) };
    let velocity = |name: &str| Axis::quantity(Text::symbol("V").subscript(name), "m/s");
    let mut charts = vec![
        course.chart("Normal velocity", velocity("n"), &|v, _| v.x),
        course.chart("Normal impulse", Axis::quantity(Text::symbol("P").subscript("n"), "N s"), &|_, p| p.x),
    ];
    let speed = scenario.impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
    let slips = history.samples.iter().flat_map(|s| &s.velocities).any(|v| v.yz().norm() > AT_REST * speed);
    if slips && scenario.impact.is_planar() {
        let chart = course.chart("Slip", velocity("t"), &|v, _| v.y);
        charts.push(Chart { spans: sticking(history), ..chart });
    } else if slips {
        let size = Text::plain("|").then_all(&Text::symbol("V").subscript("t")).then("|");
        let chart = course.chart("Slip", Axis::quantity(size, "m/s"), &|v, _| v.yz().norm());
        charts.push(Chart { spans: sticking(history), ..chart });
        charts.push(course.hodograph());
    }
    charts.push(course.work());
    charts.extend(course.no_slip(prediction));
    let charts = charts.into_iter().enumerate().map(|(index, chart)| {
        let letter = char::from(b'a' + index as u8);
        Chart { title: format!("({letter}) {}", chart.title), ..chart }
    });
    Sheet { title: scenario.title.clone(), subtitle: subtitle(prediction, history), charts: charts.collect() }
}

/// The law, and what of the impact is not shown.
fn subtitle(prediction: &Prediction, history: &IslandHistory) -> String {
    let (contacts, islands) = (history.contacts.len(), prediction.islands().count());
    let many = (contacts > MOST_CURVES).then(|| format!(", the first {MOST_CURVES} of {contacts} contacts"));
    let apart = (islands > 1).then(|| format!(", one of {islands} islands"));
    [Some(prediction.law.law().id.to_owned()), many, apart].into_iter().flatten().collect()
}

struct Course<'a> {
    scenario: &'a Scenario,
    history: &'a IslandHistory,
    /// Where impact events after the first begin.
    events: Vec<Guide>,
    guides: Vec<Guide>,
}

impl Course<'_> {
    /// A curve for each contact against the clock.
    fn chart(&self, title: &str, up: Axis, of: &dyn Fn(&Vector3<f64>, &Vector3<f64>) -> f64) -> Chart {
        let shown = self.history.contacts.len().min(MOST_CURVES);
        // Dashes lie over the first, which is solid: equal lines both show.
        let curves =
            (0..shown).rev().map(|k| Curve::line(k, self.name(k), self.each(|s| of(&s.velocities[k], &s.impulses[k]))));
        Chart { title: title.to_owned(), up, curves: curves.collect(), ..self.empty() }
    }

    /// The paths of the slips in the tangent planes.
    fn hodograph(&self) -> Chart {
        let shown = self.history.contacts.len().min(MOST_CURVES);
        let curves = (0..shown).rev().map(|k| {
            let slips = self.history.samples.iter().map(|s| s.velocities[k].yz()).collect();
            Curve::line(k, self.name(k), slips)
        });
        let axis = |index: usize| Axis::quantity(Text::symbol("V").subscript("t").subscript_number(index), "m/s");
        Chart {
            title: "Hodograph of the slips".to_owned(),
            across: axis(1),
            up: axis(2),
            curves: curves.collect(),
            equal_scales: true,
            ..Chart::default()
        }
    }

    fn work(&self) -> Chart {
        Chart {
            title: "Work of the normal forces".to_owned(),
            up: Axis::quantity(Text::symbol("W").subscript("n"), "J"),
            curves: vec![Curve::line(0, Text::default(), self.each(|s| s.normal_work))],
            guides: self.events.iter().chain(&self.guides).cloned().collect(),
            ..self.empty()
        }
    }

    /// For each contact whose slip stops, its slip and its no-slip regions (5.13), (5.22).
    fn no_slip(&self, prediction: &Prediction) -> Vec<Chart> {
        if prediction.law.law().id != STRAIGHT {
            return Vec::new();
        }
        let impact = &self.scenario.impact;
        let friction = |contact: usize| prediction.law.parameter(contact, "static_friction");
        let friction: Vec<f64> = (0..impact.contacts()).filter_map(friction).collect();
        let regions = NoSlip::along(impact, self.history, &friction).unwrap_or_default();
        let chart = |(k, contact): (usize, &usize)| {
            let own: Vec<&NoSlip> = regions.iter().filter(|region| region.contact == *contact).collect();
            (!own.is_empty()).then(|| self.region(k, &own))
        };
        self.history.contacts.iter().enumerate().filter_map(chart).take(MOST_REGIONS).collect()
    }

    fn region(&self, k: usize, regions: &[&NoSlip]) -> Chart {
        let name = |side: &str| {
            let rate = |text: Text, part: &str| text.italic("P").subscript(part);
            let friction = Text::plain(format!(" = {side}")).italic("μ").subscript("s").then(" d");
            rate(Text::plain("d"), "t").then_all(&rate(friction, "n"))
        };
        let contact = self.scenario.contact_name(self.history.contacts[k]);
        let mut chart = Chart {
            title: format!("Rest of {contact}: {}", possible(regions)),
            up: Axis::quantity(Text::symbol("V").subscript("t"), "m/s"),
            curves: vec![Curve::line(k, Text::default(), self.each(|s| s.velocities[k].y)).solid()],
            ..self.empty()
        };
        let widest = regions.iter().map(|region| region.width()).fold(0.0, f64::max);
        for region in regions {
            let rest = Vector2::new(region.from, 0.0);
            let [lower, upper] = region.slopes.map(|slope| Vector2::new(region.to, slope * (region.to - region.from)));
            let named = region.width() == widest;
            let label = |text: Text| if named { text } else { Text::default() };
            if region.slopes[0] == region.slopes[1] {
                chart.curves.push(Curve::reference(label(Text::plain("no normal impulse")), vec![rest, upper]));
            } else {
                chart.curves.push(Curve::reference(label(name("")), vec![rest, upper]));
                chart.curves.push(Curve::reference(label(name("−")), vec![rest, lower]));
            }
            let label = label(Text::plain(if widest > 0.0 { "no slip" } else { "" }));
            chart.areas.push(Area { corners: vec![rest, upper, lower], label });
            chart.dots.push(Dot { at: rest, label: Text::default() });
        }
        chart
    }

    fn name(&self, k: usize) -> Text {
        Text::plain(self.scenario.contact_name(self.history.contacts[k]))
    }

    fn each(&self, of: impl Fn(&IslandSample) -> f64) -> Vec<Vector2<f64>> {
        self.history.samples.iter().map(|sample| Vector2::new(sample.at, of(sample))).collect()
    }

    /// An empty chart over the clock.
    fn empty(&self) -> Chart {
        let across = match self.history.clock {
            Clock::Time => Axis::quantity(Text::plain("time ").italic("t"), "s"),
            Clock::NormalImpulse => {
                Axis::quantity(Text::plain("normal impulse ").italic("P").then(" of all contacts"), "N s")
            }
        };
        let guides = self.events.clone();
        Chart { across, guides, ..Chart::default() }
    }
}

/// Where the impact events of a history begin, from the second on.
fn event_starts(prediction: &Prediction, history: &IslandHistory) -> Vec<Guide> {
    let events = prediction.outcome.events.iter();
    let own = events.filter(|event| event.contacts.iter().all(|contact| history.contacts.contains(contact)));
    let starts: Vec<Guide> = own
        .enumerate()
        .skip(1)
        .map(|(k, event)| Guide { at: event.from, label: Text::plain(format!("event {}", k + 1)) })
        .collect();
    if starts.len() > MOST_TURNS { Vec::new() } else { starts }
}

/// Whether friction can hold a contact at the instants at which it rests, in words.
fn possible(regions: &[&NoSlip]) -> &'static str {
    let mut holds: Vec<bool> = regions.iter().map(|region| region.holds()).collect();
    holds.dedup();
    match holds[..] {
        [true] => "possible",
        [false] => "not possible",
        [true, false] => "possible, then not",
        [false, true] => "not possible, then possible",
        _ => "possible at times",
    }
}

/// Where the normal forces stop taking energy and give it back, and where they take again.
fn turns(history: &IslandHistory) -> Vec<Guide> {
    if history.clock == Clock::Time {
        return Vec::new();
    }
    let depth = history.samples.iter().map(|s| s.normal_work.abs()).fold(0.0, f64::max);
    let mut guides: Vec<Guide> = Vec::new();
    let mut taking = None;
    for pair in history.samples.windows(2) {
        let change = pair[1].normal_work - pair[0].normal_work;
        if change.abs() <= AT_REST * depth {
            continue;
        }
        let word = match (taking, change < 0.0) {
            (Some(true), false) => Some("compression ends"),
            (Some(false), true) => Some("compression again"),
            _ => None,
        };
        guides.extend(word.map(|word| Guide { at: pair[0].at, label: Text::plain(word) }));
        taking = Some(change < 0.0);
    }
    // A turn and its counterpart that no eye tells apart.
    let length = history.samples.last().map_or(0.0, |sample| sample.at);
    let mut place = 1;
    while place < guides.len() {
        if guides[place].at - guides[place - 1].at < CLOSE * length {
            guides.drain(place - 1..=place);
            place = 1;
        } else {
            place += 1;
        }
    }
    if guides.len() > MOST_TURNS { Vec::new() } else { guides }
}

/// Where some of the contacts, or all of them, stick.
fn sticking(history: &IslandHistory) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for pair in history.samples.windows(2) {
        let count = pair[0].sticking.iter().zip(&pair[1].sticking).filter(|(a, b)| **a && **b).count();
        let (tint, label) = match count {
            0 => continue,
            1 if history.contacts.len() == 1 => ("#dce8f4", "it sticks"),
            _ if count == history.contacts.len() => ("#bcd3ea", "all stick"),
            _ if history.contacts.len() == 2 => ("#dce8f4", "one sticks"),
            _ => ("#dce8f4", "some stick"),
        };
        match spans.last_mut() {
            Some(span) if span.to == pair[0].at && span.label == label => span.to = pair[1].at,
            _ => spans.push(Span { from: pair[0].at, to: pair[1].at, tint, label: label.to_owned() }),
        }
    }
    spans
}
