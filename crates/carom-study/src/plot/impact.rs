//! Pictures of impacts of several contacts: the outcomes of laws side by side, the set of possible outcomes, and the course
//! of an impact that a law follows.

use super::axis::Axis;
use super::chart::{Chart, Dot, Span};
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use crate::ambiguity::{Ambiguity, Kind, Variant};
use crate::impact_prediction::ImpactPrediction;
use crate::scenario::ImpactScenario;
use carom::Clock;
use carom::impact::ImpactHistory;
use nalgebra::{Vector2, Vector3};

/// Curves of more contacts than this are a tangle.
const MOST_CURVES: usize = 6;

/// Normal velocity and impulse at every contact by each law.
pub fn impact_outcomes(scenario: &ImpactScenario, predictions: &[&ImpactPrediction]) -> Sheet {
    let profile = |title: &str, up: Axis, of: &dyn Fn(&ImpactPrediction, usize) -> f64| {
        let contacts = scenario.impact.contacts();
        let curves = predictions.iter().enumerate().map(|(index, prediction)| {
            let points = (0..contacts).map(|k| Vector2::new(k as f64 + 1.0, of(prediction, k))).collect();
            Curve::line(index, Text::plain(prediction.law.law().id), points)
        });
        Chart {
            title: title.to_owned(),
            across: Axis::count(Text::plain("contact")),
            up,
            curves: curves.collect(),
            ..Chart::default()
        }
    };
    let velocity = Axis::quantity(Text::symbol("V").subscript("n").then(" after"), "m/s");
    let impulse = Axis::quantity(Text::symbol("P").subscript("n"), "N s");
    Sheet {
        title: scenario.title.clone(),
        subtitle: format!("{} contacts", scenario.impact.contacts()),
        charts: vec![
            profile("Rebound", velocity, &|prediction, k| prediction.outcome.velocities_after[k].x),
            profile("Impulse", impulse, &|prediction, k| prediction.outcome.impulses[k].x),
        ],
    }
}

/// The set of outcomes in the plane of the two normal velocities that differ most.
pub fn ambiguity_sheet(scenario: &ImpactScenario, found: &Ambiguity) -> Sheet {
    let (first, second) = widest_pair(&found.variants);
    let at = |variant: &Variant| {
        let after = &variant.outcome.velocities_after;
        Vector2::new(after[first].x, after[second].x)
    };
    let axis = |contact: usize| {
        let name = scenario.contact_name(contact);
        Axis::quantity(Text::symbol("V").subscript("n").then(format!(" after at {name}")), "m/s")
    };
    let kinds = [(Kind::Order, "orders"), (Kind::Stiffness, "stiffnesses"), (Kind::Gap, "gaps")];
    let curves = kinds.iter().enumerate().filter_map(|(index, (kind, name))| {
        let of_kind = found.variants.iter().filter(|variant| variant.kind == *kind && variant.admissible);
        let points: Vec<Vector2<f64>> = of_kind.map(at).collect();
        (!points.is_empty()).then(|| Curve::marks(index, Text::plain(*name), points))
    });
    let laws = found.variants.iter().filter(|variant| variant.kind == Kind::Law);
    let dots = laws.map(|variant| {
        let doubt = if variant.admissible { "" } else { " (inadmissible)" };
        Dot { at: at(variant), label: Text::plain(format!("{}{doubt}", variant.label)) }
    });
    Sheet {
        title: format!("What may happen: {}", scenario.title),
        subtitle: format!("spread {:.3} of 2", found.spread()),
        charts: vec![Chart {
            across: axis(first),
            up: axis(second),
            curves: curves.collect(),
            dots: dots.collect(),
            ..Chart::default()
        }],
    }
}

/// The two contacts whose normal velocities vary most over the outcomes.
fn widest_pair(variants: &[Variant]) -> (usize, usize) {
    let contacts = variants.first().map_or(1, |variant| variant.outcome.velocities_after.len());
    let mut widths: Vec<(usize, f64)> = (0..contacts)
        .map(|k| {
            let values = variants.iter().map(|variant| variant.outcome.velocities_after[k].x);
            let (least, greatest) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
            (k, greatest - least)
        })
        .collect();
    widths.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (first, second) = (widths[0].0, widths.get(1).map_or(widths[0].0, |(k, _)| *k));
    (first.min(second), first.max(second))
}

/// The course of an impact: normal velocities, slips, impulses and the work of the normal forces.
pub fn impact_course(scenario: &ImpactScenario, prediction: &ImpactPrediction, history: &ImpactHistory) -> Sheet {
    let across = || match history.clock {
        Clock::Time => Axis::quantity(Text::plain("time ").italic("t"), "s"),
        Clock::NormalImpulse => Axis::quantity(Text::plain("normal impulse ").italic("P"), "N s"),
    };
    let shown = history.contacts.len().min(MOST_CURVES);
    let chart = |title: &str, up: Axis, of: &dyn Fn(&Vector3<f64>, &Vector3<f64>) -> f64| {
        let curves = (0..shown).map(|k| {
            let samples = history.samples.iter();
            let points = samples.map(|s| Vector2::new(s.at, of(&s.velocities[k], &s.impulses[k]))).collect();
            Curve::line(k, Text::plain(scenario.contact_name(history.contacts[k])), points)
        });
        Chart { title: title.to_owned(), across: across(), up, curves: curves.collect(), ..Chart::default() }
    };
    let velocity = |name: &str| Axis::quantity(Text::symbol("V").subscript(name), "m/s");
    let mut charts = vec![
        chart("Normal velocity", velocity("n"), &|v, _| v.x),
        chart("Normal impulse", Axis::quantity(Text::symbol("P").subscript("n"), "N s"), &|_, p| p.x),
    ];
    let slips = history.samples.iter().flat_map(|s| &s.velocities).any(|v| v.yz().norm() > 0.0);
    if slips {
        let mut chart = chart("Slip", velocity("t"), &|v, _| if v.z == 0.0 { v.y } else { v.yz().norm() });
        chart.spans = sticking(scenario, history);
        charts.push(chart);
    }
    let work = history.samples.iter().map(|s| Vector2::new(s.at, s.normal_work)).collect();
    charts.push(Chart {
        title: "Work of the normal forces".to_owned(),
        across: across(),
        up: Axis::quantity(Text::symbol("W").subscript("n"), "J"),
        curves: vec![Curve::line(0, Text::default(), work)],
        ..Chart::default()
    });
    Sheet { title: scenario.title.clone(), subtitle: prediction.law.law().id.to_owned(), charts }
}

/// Where any contact sticks.
fn sticking(scenario: &ImpactScenario, history: &ImpactHistory) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (k, contact) in history.contacts.iter().enumerate().take(MOST_CURVES) {
        let mut since: Option<f64> = None;
        let mut end = |from: f64, to: f64| {
            let label = format!("{} sticks", scenario.contact_name(*contact));
            spans.push(Span { from, to, tint: "#dce8f4", label });
        };
        for sample in &history.samples {
            match (sample.sticking[k], since) {
                (true, None) => since = Some(sample.at),
                (false, Some(from)) => {
                    end(from, sample.at);
                    since = None;
                }
                _ => {}
            }
        }
        if let (Some(from), Some(last)) = (since, history.samples.last()) {
            end(from, last.at);
        }
    }
    spans
}
