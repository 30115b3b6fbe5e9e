//! How ambiguous an impact is, for people and for machines.

use super::impact::{INTEGRATED, impact_heading};
use super::layout::{self, align_numbers};
use super::number::number;
use crate::ambiguity::{Ambiguity, Kind, Variant};
use crate::scenario::ImpactScenario;
use nalgebra::Vector3;
use serde_json::{Value, json};
use std::fmt::Write;

/// Contacts whose velocities are listed.
const MOST_CONTACTS: usize = 8;
/// Outcomes of one kind that are listed; the rest is in the JSON.
const MOST_LISTED: usize = 12;
/// Outcomes closer than this are shown as one.
const SAME: f64 = 1e-6;

/// The spread, by kind of variation, then the outcomes, then the verdict.
pub fn ambiguity(scenario: &ImpactScenario, found: &Ambiguity) -> String {
    let mut text = impact_heading(scenario);
    let mut table = layout::ruled();
    table.set_header(["varied", "outcomes", "admissible", "different", "spread"]);
    for kind in Kind::ALL {
        let all: Vec<&Variant> = found.variants.iter().filter(|variant| variant.kind == kind).collect();
        let admissible = all.iter().filter(|variant| variant.admissible).count();
        let row = [all.len(), admissible, distinct(scenario, &all, false).len()].map(|count| count.to_string());
        let mut cells = vec![kind.to_string()];
        cells.extend(row);
        cells.push(number(found.spread_of(kind), 1.0));
        table.add_row(cells);
    }
    align_numbers(&mut table, 1..=4);
    layout::tighten(&mut table);
    let _ = writeln!(text, "\n{}", table.trim_fmt());
    let _ = writeln!(text, "Spread {} of 2: {}", number(found.spread(), 1.0), found.verdict(scenario));
    if let Some((a, b)) = found.extremes() {
        let _ = writeln!(text, "Farthest apart: {} {} and {} {}.", a.kind, a.label, b.kind, b.label);
    }
    if let Some(total) = found.sampled_from {
        let _ = writeln!(text, "Of {} orders, a sample was tried.", number(total, 0.0));
    }
    let _ = writeln!(text, "\n{}", outcomes(scenario, found).trim_fmt());
    text.push_str("V_n after the impact in m/s at each contact; ΔE in J.\n");
    if !found.left_out.is_empty() {
        text.push_str("\nLeft out\n");
    }
    for (kind, why) in &found.left_out {
        let _ = writeln!(text, "  {kind:12}{why}");
    }
    text
}

/// The same as JSON, with every outcome.
pub fn ambiguity_json(scenario: &ImpactScenario, found: &Ambiguity) -> Value {
    let vectors =
        |list: &[Vector3<f64>]| -> Vec<[f64; 3]> { list.iter().map(|v| [v.x + 0.0, v.y + 0.0, v.z + 0.0]).collect() };
    let variants: Vec<Value> = found
        .variants
        .iter()
        .map(|variant| {
            json!({
                "varied": variant.kind.to_string(),
                "label": variant.label,
                "contact": variant.contact.map(|contact| contact + 1),
                "impulses": vectors(&variant.outcome.impulses),
                "velocities_after": vectors(&variant.outcome.velocities_after),
                "energy_change": variant.energy_change + 0.0,
                "admissible": variant.admissible,
            })
        })
        .collect();
    let spreads = Kind::ALL.map(|kind| (kind.to_string(), json!(found.spread_of(kind))));
    json!({
        "spread": found.spread(),
        "spreads": serde_json::Map::from_iter(spreads),
        "verdict": found.verdict(scenario),
        "energy_at_stake": found.energy_at_stake,
        "outcomes": variants,
        "left_out": found.left_out.iter().map(|(kind, why)| json!([kind.to_string(), why])).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn outcomes(scenario: &ImpactScenario, found: &Ambiguity) -> comfy_table::Table {
    let contacts = scenario.impact.contacts().min(MOST_CONTACTS);
    let mut table = layout::ruled();
    let mut header = vec!["varied".to_owned(), "outcome".to_owned()];
    header.extend((0..contacts).map(|contact| scenario.contact_name(contact)));
    header.extend(["ΔE", "audit"].map(str::to_owned));
    let numbers = 2..=header.len() - 2;
    table.set_header(header);
    for kind in Kind::ALL {
        let all: Vec<&Variant> = found.variants.iter().filter(|variant| variant.kind == kind).collect();
        // Every law keeps its own line.
        let different = distinct(scenario, &all, kind == Kind::Law);
        for (variant, count) in different.iter().take(MOST_LISTED) {
            let more = if *count > 1 { format!(" and {} more", count - 1) } else { String::new() };
            let after = &variant.outcome.velocities_after;
            let speed = after.iter().map(Vector3::norm).fold(0.0, f64::max);
            let mut row = vec![kind.to_string(), format!("{}{more}", variant.label)];
            row.extend(after.iter().take(contacts).map(|v| number(v.x, speed)));
            row.push(number(variant.energy_change, INTEGRATED * found.energy_at_stake));
            row.push(if variant.admissible { "ok" } else { "violated" }.to_owned());
            table.add_row(row);
        }
        if different.len() > MOST_LISTED {
            table.add_row(vec![kind.to_string(), format!("… {} more", different.len() - MOST_LISTED)]);
        }
    }
    align_numbers(&mut table, numbers);
    layout::tighten(&mut table);
    table
}

/// Outcomes that differ, each with how many are like it; or all of them, each for itself.
fn distinct<'a>(scenario: &ImpactScenario, variants: &[&'a Variant], each: bool) -> Vec<(&'a Variant, usize)> {
    let scale = scenario.impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
    let mut different: Vec<(&Variant, usize)> = Vec::new();
    for variant in variants {
        let same = |other: &Variant| {
            let pairs = variant.outcome.velocities_after.iter().zip(&other.outcome.velocities_after);
            pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) <= SAME * scale
        };
        match different.iter_mut().find(|(other, _)| !each && same(other)) {
            Some((_, count)) => *count += 1,
            None => different.push((variant, 1)),
        }
    }
    different
}
