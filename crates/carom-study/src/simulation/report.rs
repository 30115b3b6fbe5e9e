//! A run on the screen.

use super::engine::{law_label, remarks};
use super::failure::failure_text;
use super::mode::{event_status, mode};
use super::names::contact_name;
use super::overlap::overlap_text;
use super::record::kind_word;
use super::replay::state_json;
use super::run::{Run, Status};
use super::summary::{Identity, counts, summary};
use super::tables::{angles, events_table, joints_table};
use crate::report::{number, ruled_table};
use crate::scenario::SimulationScenario;
use carom::sim::{Event, EventContact, EventKind};
use std::fmt::Write;

/// Events shown of the first and of the last.
const FIRST: usize = 8;
const LAST: usize = 4;

/// The run for people.
pub fn simulation_text(scenario: &SimulationScenario, run: &Run) -> String {
    let failure = run.failure.as_ref().map(|failure| failure_text(scenario, failure));
    replayed_text(scenario, run, failure.as_deref())
}

/// The same of a run that was read from its record, which does not tell why it ended early.
pub fn replayed_text(scenario: &SimulationScenario, run: &Run, failure: Option<&str>) -> String {
    let mut text = format!("{}\n", scenario.title);
    let kind = if scenario.scene.planar { "planar" } else { "spatial" };
    let bodies = match scenario.body_names.len() {
        1 => "1 body".to_owned(),
        count => format!("{count} bodies"),
    };
    let engine = scenario.settings.engine.word();
    let _ = writeln!(text, "{kind}, {bodies}, engine {engine}, law {}\n", law_label(scenario));
    let _ = writeln!(text, "Status        {}", status_text(scenario, run, failure));
    let end = run.frames.last().map_or(0.0, |frame| frame.time);
    let _ = writeln!(text, "Time          {} s, {}", number(end, 0.0), plural(run.frames.len(), "stored state"));
    let counted: Vec<String> = counts(run).iter().map(|(word, count)| plural(*count, word)).collect();
    let counted = if counted.is_empty() { "none".to_owned() } else { counted.join(", ") };
    let _ = writeln!(text, "Events        {counted}");
    if !run.events.is_empty() {
        let _ = writeln!(text, "\n{}", event_list(scenario, run));
    }
    if let Some(frame) = run.frames.last() {
        let ledger = frame.ledger;
        let scale = run.energy_scale().max(ledger.start.abs());
        let shown = |value: f64| number(value, scale);
        let _ = writeln!(text, "\nEnergy (J)");
        for (word, value) in [
            ("at the start", ledger.start),
            ("supplied", ledger.supplied),
            ("lost to friction", ledger.friction),
            ("lost in impacts", ledger.impacts),
            ("kinetic at the end", ledger.kinetic),
            ("potential at the end", ledger.potential),
        ] {
            let _ = writeln!(text, "  {word:24}{}", shown(value));
        }
        let share = run.relative_residual();
        // A residual is rounding by nature; one digit says it all.
        let digit = |value: f64| if value == 0.0 { "0".to_owned() } else { format!("{value:.0e}").replace('-', "−") };
        let worst = digit(run.worst_residual.abs());
        let _ = writeln!(text, "  {:24}{worst} ({} of the largest energy)", "worst residual", digit(share));
    }
    for remark in remarks(scenario) {
        let _ = writeln!(text, "\nNote: {remark}");
    }
    text
}

/// So many of something whose plural ends in s.
fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn status_text(scenario: &SimulationScenario, run: &Run, failure: Option<&str>) -> String {
    if let Some(failure) = failure {
        return format!("failed: {failure}");
    }
    let mut words = match (run.status(scenario), &run.overlap) {
        (Status::Overlapping, Some(overlap)) => format!("overlapping: {}", overlap_text(scenario, overlap)),
        _ => "finished".to_owned(),
    };
    let created = run.created(scenario);
    if created.events > 0 {
        let events = plural(created.events, "event");
        let _ = write!(words, "; energy created in {events}, {} J in all", number(created.energy, 0.0));
    }
    if run.lowered() > 0 {
        let impacts = plural(run.lowered(), "impact");
        let _ = write!(words, "; restitution lowered in {impacts}, else energy would rise");
    }
    let of_kind = |is: fn(&EventKind) -> bool| -> Vec<f64> {
        run.events.iter().filter(|event| is(&event.kind)).map(|event| event.time).collect()
    };
    let jams = of_kind(|kind| *kind == EventKind::Jam);
    let cuts = of_kind(|kind| matches!(kind, EventKind::Accumulation { .. }));
    let first = |times: &[f64]| number(times.first().copied().unwrap_or_default(), 0.0);
    let _ = match (jams.len(), cuts.len()) {
        (0, 0) => Ok(()),
        (0, 1) => write!(words, "; Zeno cut: impacts without end completed at {} s", first(&cuts)),
        (0, count) => {
            write!(words, "; Zeno cut: {count} times impacts without end completed, first at {} s", first(&cuts))
        }
        (1, _) => write!(words, "; Painlevé: friction jammed at {} s", first(&jams)),
        (count, _) => write!(words, "; Painlevé: friction jammed {count} times, first at {} s", first(&jams)),
    };
    words
}

fn event_list(scenario: &SimulationScenario, run: &Run) -> String {
    let mut table = ruled_table();
    let measured = ["P n (N s)", "V n before\n(m/s)", "V n after\n(m/s)", "ΔE (J)", ""];
    table.set_header(["event", "time (s)", "kind", "contact", "mode"].into_iter().chain(measured));
    let cut = run.events.len() > FIRST + LAST + 1;
    for (k, event) in run.events.iter().enumerate() {
        if cut && (FIRST..run.events.len() - LAST).contains(&k) {
            if k == FIRST {
                let mut row = vec!["⋮".to_owned(), "⋮".to_owned()];
                row.resize(10, String::new());
                table.add_row(row);
            }
            continue;
        }
        table.add_row(event_row(scenario, k + 1, event));
    }
    for column in [0, 1, 5, 6, 7, 8] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    crate::report::tighten_table(&mut table);
    table.trim_fmt()
}

fn event_row(scenario: &SimulationScenario, place: usize, event: &Event) -> Vec<String> {
    // Of several contacts the one that pushes most speaks for all.
    let strongest = event.contacts.iter().max_by(|a, b| a.impulse.x.total_cmp(&b.impulse.x));
    let name = strongest.map_or_else(String::new, |contact| {
        let name = contact_name(scenario, contact);
        match event.contacts.len() {
            1 => name,
            count => format!("{name} +{}", count - 1),
        }
    });
    let strikes = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
    let of = |value: fn(&EventContact) -> f64, unit: &str| match strongest {
        // The units of the heading are those of forces.
        Some(contact) if strikes && contact.is_moment() => {
            format!("{} {unit}", number(value(contact), contact.velocity_before.x.abs()))
        }
        Some(contact) if strikes => number(value(contact), contact.velocity_before.norm()),
        _ => String::new(),
    };
    let [before, after] = event.energy;
    let status = event_status(scenario, event);
    vec![
        place.to_string(),
        number(event.time, 0.0),
        kind_word(&event.kind).to_owned(),
        name,
        strongest.map_or("", |contact| mode(scenario, event, contact)).to_owned(),
        of(|contact| contact.impulse.x, "N m s"),
        of(|contact| contact.velocity_before.x, "rad/s"),
        of(|contact| contact.velocity_after.x, "rad/s"),
        if strikes { number(after - before, 100.0 * before.abs().max(after.abs())) } else { String::new() },
        if status == "ok" { String::new() } else { status.to_owned() },
    ]
}

/// The run for machines: its [summary], the states at the end, and the contacts and joints of every event.
pub fn simulation_json(scenario: &SimulationScenario, run: &Run, identity: &Identity) -> String {
    let mut value = summary(scenario, run, identity);
    let states = run.frames.last().map_or(&[][..], |frame| &frame.states);
    // As in the trajectory, where angles count whole turns.
    let angles = if scenario.scene.planar { angles(run) } else { Vec::new() };
    let last = angles.len().saturating_sub(states.len());
    let end = states.iter().zip(&scenario.body_names).enumerate();
    value["end"] = end.map(|(k, (state, name))| state_json(name, state, angles.get(last + k).copied())).collect();
    for (key, table) in [("event_contacts", events_table(scenario, run)), ("event_joints", joints_table(scenario, run))]
    {
        value[key] = (0..table.rows()).map(|row| table.row_json(row)).collect();
    }
    format!("{value:#}\n")
}

/// The events as CSV.
pub fn simulation_csv(scenario: &SimulationScenario, run: &Run) -> String {
    events_table(scenario, run).csv()
}
