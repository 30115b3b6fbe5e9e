//! Pictures of impacts of several contacts: the outcomes of laws side by side, and the set of possible outcomes.

use super::axis::Axis;
use super::chart::{Chart, Dot};
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use crate::ambiguity::{Ambiguity, Kind, Variant};
use crate::prediction::Prediction;
use crate::scenario::Scenario;
use nalgebra::Vector2;

/// Lines connect the contacts of a chain up to this size; in a larger network, neighbours in the file need not touch.
const MOST_JOINED: usize = 8;
/// The part of a contact's place over which the marks of different laws spread, so that equal values all show.
const MARKS: f64 = 0.7;

/// Normal velocity and impulse at every contact by each law.
pub fn outcomes(scenario: &Scenario, predictions: &[&Prediction]) -> Sheet {
    let contacts = scenario.impact.contacts();
    let joined = contacts <= MOST_JOINED;
    let aside = |law: usize| match predictions.len() {
        many if many > 1 && !joined => MARKS * (law as f64 / (many - 1) as f64 - 0.5),
        _ => 0.0,
    };
    let profile = |title: &str, up: Axis, of: &dyn Fn(&Prediction, usize) -> f64| {
        let mut curves: Vec<Curve> = predictions
            .iter()
            .enumerate()
            .map(|(index, prediction)| {
                let place = |k: usize| Vector2::new(k as f64 + 1.0 + aside(index), of(prediction, k));
                let points = (0..contacts).map(place).collect();
                let name = Text::plain(prediction.law.law().id);
                if joined { Curve::line(index, name, points) } else { Curve::marks(index, name, points) }
            })
            .collect();
        if joined {
            // Dashes lie over the first, which is solid: equal lines both show.
            curves.reverse();
        }
        Chart {
            title: title.to_owned(),
            across: Axis::count(Text::plain("contact")).between(0.5, contacts as f64 + 0.5),
            up,
            curves,
            wide: !joined,
            ..Chart::default()
        }
    };
    let velocity = Axis::quantity(Text::symbol("V").subscript("n").then(" after"), "m/s");
    let impulse = Axis::quantity(Text::symbol("P").subscript("n"), "N s");
    Sheet {
        title: scenario.title.clone(),
        subtitle: format!("{} contacts", scenario.impact.contacts()),
        charts: vec![
            profile("Rebound", velocity, &|prediction, k| prediction.outcome.contacts[k].velocity_after.x),
            profile("Impulse", impulse, &|prediction, k| prediction.outcome.contacts[k].impulse.x),
        ],
    }
}

/// The set of outcomes in the plane of the two normal velocities that differ most.
pub fn ambiguity_sheet(scenario: &Scenario, found: &Ambiguity) -> Sheet {
    let (first, second) = widest_pair(&found.variants);
    let at = |variant: &Variant| {
        let contacts = &variant.outcome.contacts;
        Vector2::new(contacts[first].velocity_after.x, contacts[second].velocity_after.x)
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
    let contacts = variants.first().map_or(1, |variant| variant.outcome.contacts.len());
    let mut widths: Vec<(usize, f64)> = (0..contacts)
        .map(|k| {
            let values = variants.iter().map(|variant| variant.outcome.contacts[k].velocity_after.x);
            let (least, greatest) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
            (k, greatest - least)
        })
        .collect();
    widths.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (first, second) = (widths[0].0, widths.get(1).map_or(widths[0].0, |(k, _)| *k));
    (first.min(second), first.max(second))
}
