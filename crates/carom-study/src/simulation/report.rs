//! A run on the screen.

use super::engine::{law_label, remarks};
use super::failure::failure_text;
use super::mode::{event_status, mode};
use super::names::contact_name;
use super::overlap::overlap_text;
use super::record::kind_word;
use super::replay::state_json;
use super::run::{Run, Status};
use super::summary::{Identity, counts, summary_of};
use super::tables::{angles, events_table, joints_table};
use crate::scenario::{Engine, SimulationScenario};
use crate::table::Table;
use crate::terminal::table as layout;
use crate::terminal::{WIDTH, broken, fit_lines, number};
use carom::sim::{Event, EventContact, EventKind};
use serde_json::Value;
use std::fmt::Write;

/// Events shown of the first and of the last.
const FIRST: usize = 8;
const LAST: usize = 4;

/// The run for people.
pub fn simulation_text(scenario: &SimulationScenario, run: &Run) -> String {
    let failure = run.failure.as_ref().map(|failure| failure_text(scenario, failure));
    replayed_text(scenario, run, failure.as_deref())
}

/// The same of a run that was read from its record, which does not hold the reason for an early end.
pub fn replayed_text(scenario: &SimulationScenario, run: &Run, failure: Option<&str>) -> String {
    let mut text = format!("{}\n", broken(&scenario.title, WIDTH));
    let kind = if scenario.scene.is_planar() { "planar" } else { "spatial" };
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
    let counted = if counted.is_empty() { "no events".to_owned() } else { counted.join(", ") };
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
    fit_lines(&text)
}

/// A count with a word whose plural ends in s.
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
    let penetrating = run.penetrating(scenario);
    if penetrating > 0 {
        let _ = write!(words, "; bodies still approach after {}", plural(penetrating, "impact"));
        if scenario.settings.engine == Engine::Stepping {
            words += ", whose contacts the solver left unsolved";
        }
    }
    if run.lowered() > 0 {
        let impacts = plural(run.lowered(), "impact");
        let reason = match scenario.settings.engine {
            Engine::Event => "energy would rise",
            Engine::Stepping => "energy would rise or contacts would jam",
        };
        let _ = write!(words, "; restitution lowered in {impacts}, else {reason}");
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
    let shown = shown_events(run);
    let strikes: Vec<&EventContact> = shown.iter().filter_map(|place| strike(&run.events[*place])).collect();
    let moments = strikes.iter().filter(|contact| contact.is_moment()).count();
    let mixed = moments > 0 && moments < strikes.len();
    let measured = if mixed {
        ["P n", "V n\nbefore", "V n\nafter", "ΔE (J)"]
    } else if moments > 0 {
        ["P n\n(N m s)", "V n\nbefore\n(rad/s)", "V n\nafter\n(rad/s)", "ΔE (J)"]
    } else {
        ["P n\n(N s)", "V n\nbefore\n(m/s)", "V n\nafter\n(m/s)", "ΔE (J)"]
    };
    let statuses: Vec<&str> = shown.iter().map(|place| event_status(scenario, &run.events[*place])).collect();
    let flagged = statuses.iter().any(|status| *status != "ok");
    let mut header = vec!["event", "time (s)", "kind", "contact", "mode"];
    header.extend(measured);
    header.extend(mixed.then_some("units"));
    header.extend(flagged.then_some("status"));
    let mut table = layout::ruled();
    table.set_header(header);
    let mut next = 0;
    for (place, status) in shown.into_iter().zip(statuses) {
        if place > next {
            table.add_row(["⋮", "⋮"]);
        }
        next = place + 1;
        let event = &run.events[place];
        let mut row = event_row(scenario, place + 1, event);
        if mixed {
            row.push(strike(event).map_or("", units).to_owned());
        }
        if flagged {
            row.push(status.to_owned());
        }
        table.add_row(row);
    }
    for column in [0, 1, MEASURED, MEASURED + 1, MEASURED + 2, MEASURED + 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    layout::tighten(&mut table);
    layout::fitted(&table, &[MEASURED])
}

/// The first column of measured quantities in the list of events.
const MEASURED: usize = 5;

/// The events of the list: all if they are few, else the first, the last, and of each kind the one that changes the energy most.
fn shown_events(run: &Run) -> Vec<usize> {
    let count = run.events.len();
    if count <= FIRST + LAST + 1 {
        return (0..count).collect();
    }
    let mut largest: Vec<usize> = Vec::new();
    for (place, event) in run.events.iter().enumerate() {
        let change = |event: &Event| (event.energy[1] - event.energy[0]).abs();
        let kind = |event: &Event| (kind_word(&event.kind), strike(event).map(EventContact::is_moment));
        match largest.iter_mut().find(|other| kind(&run.events[**other]) == kind(event)) {
            Some(other) if change(event) > change(&run.events[*other]) => *other = place,
            Some(_) => {}
            None => largest.push(place),
        }
    }
    let mut shown: Vec<usize> = (0..FIRST).chain(largest).chain(count - LAST..count).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// The contact that stands for all contacts of an event: the one that pushes most. Impulses of forces and of moments have different
/// units and are compared by the energy that goes through their contacts.
fn strongest(event: &Event) -> Option<&EventContact> {
    let moments = event.contacts.iter().filter(|contact| contact.is_moment()).count();
    let comparable = moments == 0 || moments == event.contacts.len();
    let size = |contact: &EventContact| {
        let change = if comparable { 1.0 } else { (contact.velocity_after.x - contact.velocity_before.x).abs() };
        contact.impulse.x * change
    };
    event.contacts.iter().max_by(|a, b| size(a).total_cmp(&size(b)))
}

/// The contact whose impulse and velocities are listed, if the event has an impulse.
fn strike(event: &Event) -> Option<&EventContact> {
    let strikes = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
    strongest(event).filter(|_| strikes)
}

/// Units of impulse and velocity at a contact; a limit of a revolute joint pushes by a moment.
fn units(contact: &EventContact) -> &'static str {
    if contact.is_moment() { "N m s, rad/s" } else { "N s, m/s" }
}

fn event_row(scenario: &SimulationScenario, place: usize, event: &Event) -> Vec<String> {
    let name = strongest(event).map_or_else(String::new, |contact| {
        let name = contact_name(scenario, contact);
        match event.contacts.len() {
            1 => name,
            count => format!("{name} +{}", count - 1),
        }
    });
    let struck = strike(event);
    let of = |value: fn(&EventContact) -> f64| {
        struck.map_or_else(String::new, |contact| number(value(contact), contact.velocity_before.norm()))
    };
    let [before, after] = event.energy;
    let change = struck.map(|_| number(after - before, 100.0 * before.abs().max(after.abs())));
    vec![
        place.to_string(),
        number(event.time, 0.0),
        kind_word(&event.kind).to_owned(),
        name,
        strongest(event).map_or("", |contact| mode(scenario, event, contact)).to_owned(),
        of(|contact| contact.impulse.x),
        of(|contact| contact.velocity_before.x),
        of(|contact| contact.velocity_after.x),
        change.unwrap_or_default(),
    ]
}

/// The run for machines: its summary, the states at the end, and the contacts and joints of every event.
pub fn simulation_json(scenario: &SimulationScenario, run: &Run, identity: &Identity) -> String {
    format!("{:#}\n", result_json(scenario, run, identity, &|_| true))
}

/// A table of a run.
type OfRun = fn(&SimulationScenario, &Run) -> Table;

/// Those keys that are wanted of the summary of a run, the states at the end, and the contacts and joints of every event.
pub(crate) fn result_json(
    scenario: &SimulationScenario,
    run: &Run,
    identity: &Identity,
    wanted: &dyn Fn(&str) -> bool,
) -> Value {
    let mut value = summary_of(scenario, run, identity, wanted);
    if wanted("end") {
        let states = run.frames.last().map_or(&[][..], |frame| &frame.states);
        // As in the trajectory, where angles count whole turns.
        let angles = if scenario.scene.is_planar() { angles(run) } else { Vec::new() };
        let last = angles.len().saturating_sub(states.len());
        let end = states.iter().zip(&scenario.body_names).enumerate();
        value["end"] = end.map(|(k, (state, name))| state_json(name, state, angles.get(last + k).copied())).collect();
    }
    for (key, table) in [("event_contacts", events_table as OfRun), ("event_joints", joints_table)] {
        if wanted(key) {
            let table = table(scenario, run);
            value[key] = (0..table.rows()).map(|row| table.row_json(row)).collect();
        }
    }
    value
}

/// The events as CSV.
pub fn simulation_csv(scenario: &SimulationScenario, run: &Run) -> String {
    events_table(scenario, run).csv()
}
