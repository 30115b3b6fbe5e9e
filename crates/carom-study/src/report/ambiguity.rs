//! How ambiguous an impact is, for people and for machines.

use super::INTEGRATED;
use super::heading::heading;
use crate::ambiguity::{Ambiguity, Kind, Variant};
use crate::scenario::Scenario;
use crate::terminal::number::number;
use crate::terminal::table::{self as layout, align_numbers};
use crate::terminal::{WIDTH, fit_lines};
use nalgebra::Vector3;
use serde_json::{Value, json};
use std::fmt::Write;

/// Characters of a velocity, and of the columns `varied`, `ΔE` and `audit` together, with the space after each.
const NUMBER: usize = 11;
const OTHERS: usize = 31;
/// Contacts of an order that are listed, and characters of a label: an order of 31 contacts is not readable.
const MOST_IN_ORDER: usize = 6;
const LABEL: usize = 26;
/// Outcomes of one kind that are listed; the rest is in the JSON.
const MOST_LISTED: usize = 12;
/// Outcomes closer than this are shown as one.
const SAME: f64 = 1e-6;

/// The spread, by kind of variation, then the outcomes, then the verdict.
pub fn ambiguity(scenario: &Scenario, found: &Ambiguity) -> String {
    let mut text = heading(scenario);
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
    let _ = writeln!(text, "\n{}", layout::fitted(&table, &[]));
    let _ = writeln!(text, "Spread {} of 2: {}", number(found.spread(), 1.0), found.verdict(scenario));
    if let Some((a, b)) = found.extremes() {
        let _ = writeln!(text, "Farthest apart: {} {} and {} {}.", a.kind, short(a), b.kind, short(b));
    }
    if let Some(total) = found.sampled_from {
        let _ = writeln!(text, "Of {} orders, a sample was tried.", number(total, 0.0));
    }
    let listed = listed(scenario, found);
    let shown = shown_contacts(scenario, found, &listed);
    let _ = writeln!(text, "\n{}", layout::fitted(&outcomes(scenario, found, &listed, &shown), &[]));
    let contacts = scenario.impact.contacts();
    if shown.len() == contacts {
        text.push_str(
            "V_n after the impact in m/s at each contact; ΔE in J; gaps in indentations δ of a contact alone.\n",
        );
    } else {
        let _ = writeln!(
            text,
            "V_n after the impact in m/s at the {} contacts of {contacts} where outcomes differ most (`--format json` has all); ΔE in J; \
             gaps in indentations δ of a contact alone.",
            shown.len()
        );
    }
    if !found.left_out.is_empty() {
        text.push_str("\nLeft out\n");
    }
    for (kind, why) in &found.left_out {
        let _ = writeln!(text, "  {kind:12}{why}");
    }
    fit_lines(&text)
}

/// The same as JSON, with every outcome.
pub fn ambiguity_json(scenario: &Scenario, found: &Ambiguity) -> Value {
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
                "impulses": vectors(&variant.outcome.impulses()),
                "velocities_after": vectors(&variant.outcome.velocities_after()),
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

/// The contacts whose velocities fit into a line: those where outcomes differ most, in their order.
fn shown_contacts(scenario: &Scenario, found: &Ambiguity, listed: &[Listed]) -> Vec<usize> {
    let range = |contact: usize| {
        let values = found.variants.iter().map(|variant| variant.outcome.contacts[contact].velocity_after.x);
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        most - least
    };
    let mut order: Vec<(usize, f64)> = (0..scenario.impact.contacts()).map(|k| (k, range(k))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let labels = listed.iter().map(|line| line.name.chars().count() + 1).max().unwrap_or(0);
    let mut room = WIDTH.saturating_sub(OTHERS + labels);
    let mut shown = Vec::new();
    for (contact, _) in order {
        let width = NUMBER.max(scenario.contact_name(contact).chars().count() + 1);
        if width > room && !shown.is_empty() {
            break;
        }
        room = room.saturating_sub(width);
        shown.push(contact);
    }
    shown.sort_unstable();
    shown
}

/// The label of an outcome, cut where it is long.
fn short(variant: &Variant) -> String {
    let words: Vec<&str> = variant.label.split(' ').collect();
    if variant.kind == Kind::Order && words.len() > MOST_IN_ORDER {
        return format!("{} …", words[..MOST_IN_ORDER].join(" "));
    }
    let label = match variant.kind {
        Kind::Gap => variant.label.replace(" apart by ", " + ").replace(" indentations", " δ"),
        _ => variant.label.clone(),
    };
    if label.chars().count() <= LABEL {
        return label;
    }
    let head: String = label.chars().take(LABEL / 2).collect();
    let tail: Vec<char> = label.chars().rev().take(LABEL / 2).collect();
    format!("{head}…{}", tail.into_iter().rev().collect::<String>())
}

/// A line of the table of outcomes; without an outcome it stands for more of them.
struct Listed<'a> {
    kind: Kind,
    name: String,
    variant: Option<&'a Variant>,
}

/// The outcomes that are listed: those that differ, but every law.
fn listed<'a>(scenario: &Scenario, found: &'a Ambiguity) -> Vec<Listed<'a>> {
    let mut lines = Vec::new();
    for kind in Kind::ALL {
        let all: Vec<&Variant> = found.variants.iter().filter(|variant| variant.kind == kind).collect();
        // Every law keeps its own line.
        let different = distinct(scenario, &all, kind == Kind::Law);
        for (variant, count) in different.iter().take(MOST_LISTED) {
            let more = if *count > 1 { format!(" and {} more", count - 1) } else { String::new() };
            lines.push(Listed { kind, name: format!("{}{more}", short(variant)), variant: Some(variant) });
        }
        if different.len() > MOST_LISTED {
            lines.push(Listed { kind, name: format!("… {} more", different.len() - MOST_LISTED), variant: None });
        }
    }
    lines
}

fn outcomes(scenario: &Scenario, found: &Ambiguity, listed: &[Listed], shown: &[usize]) -> comfy_table::Table {
    let mut table = layout::ruled();
    let mut header = vec!["varied".to_owned(), "outcome".to_owned()];
    header.extend(shown.iter().map(|contact| scenario.contact_name(*contact)));
    header.extend(["ΔE", "audit"].map(str::to_owned));
    let numbers = 2..=header.len() - 2;
    table.set_header(header);
    for line in listed {
        let mut row = vec![line.kind.to_string(), line.name.clone()];
        if let Some(variant) = line.variant {
            let after = variant.outcome.velocities_after();
            let speed = after.iter().map(Vector3::norm).fold(0.0, f64::max);
            row.extend(shown.iter().map(|contact| number(after[*contact].x, speed)));
            row.push(number(variant.energy_change, INTEGRATED * found.energy_at_stake));
            row.push(if variant.admissible { "ok" } else { "violated" }.to_owned());
        }
        table.add_row(row);
    }
    align_numbers(&mut table, numbers);
    layout::tighten(&mut table);
    table
}

/// Outcomes that differ, each with how many are like it; or all of them, each for itself.
fn distinct<'a>(scenario: &Scenario, variants: &[&'a Variant], each: bool) -> Vec<(&'a Variant, usize)> {
    let scale = scenario.impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
    let mut different: Vec<(&Variant, usize)> = Vec::new();
    for variant in variants {
        let same = |other: &Variant| {
            let pairs = variant.outcome.contacts.iter().zip(&other.outcome.contacts);
            pairs.map(|(a, b)| (a.velocity_after - b.velocity_after).norm()).fold(0.0, f64::max) <= SAME * scale
        };
        match different.iter_mut().find(|(other, _)| !each && same(other)) {
            Some((_, count)) => *count += 1,
            None => different.push((variant, 1)),
        }
    }
    different
}
