//! Every law side by side.

use super::course::in_short;
use super::single::heading;
use crate::prediction::{Prediction, Refusal};
use crate::scenario::{Dimension, Scenario};
use crate::terminal::fit_lines;
use crate::terminal::number::{number, optional};
use crate::terminal::table::{self as layout, align_numbers};
use carom::audit::Finding;
use carom::laws::Law;
use std::fmt::Write;

/// Every law's prediction as one table, then the notes, then the laws that do not apply and why.
pub fn comparison(scenario: &Scenario, answers: &[(&'static Law, Result<Prediction, Refusal>)]) -> String {
    let components = match scenario.dimension() {
        Dimension::Planar => 2,
        Dimension::Spatial => 3,
    };
    let mut table = layout::ruled();
    let mut header = vec!["law", "mode", "P_n", "P_t1"];
    if components == 3 {
        header.push("P_t2");
    }
    header.extend(["V_n", "V_t1"]);
    if components == 3 {
        header.push("V_t2");
    }
    header.extend(["ΔE", "Newton", "Poisson", "Stronge", "Ivanov", "audit"]);
    let numbers = 2..=header.len() - 2;
    table.set_header(header);
    for (law, prediction) in answers.iter().filter_map(|(law, answer)| Some((law, answer.as_ref().ok()?))) {
        table.add_row(row(law, scenario, prediction, components));
    }
    align_numbers(&mut table, numbers);
    layout::tighten(&mut table);

    let mut text = heading(scenario);
    if !table.is_empty() {
        let _ = writeln!(text, "\n{}", layout::fitted(&table, &[2 + components, 2 + 2 * components]));
        text.push_str("P in N s and V after in m/s, contact frame; ΔE in J; restitution in four senses.\n");
    }
    let predictions = || answers.iter().filter_map(|(law, answer)| Some((law, answer.as_ref().ok()?)));
    if predictions().any(|(_, p)| !p.audit.is_ok() || p.outcome.notes.iter().next().is_some()) {
        text.push('\n');
    }
    for (law, prediction) in predictions() {
        let audit = prediction.audit;
        for (_, finding) in audit.findings().iter().filter(|(_, finding)| *finding != Finding::Ok) {
            let _ = writeln!(text, "{}: {finding}", law.id);
        }
        for note in prediction.outcome.notes.iter() {
            let _ = writeln!(text, "{}: {note}", law.id);
        }
    }
    let mut followed = predictions().filter_map(|(law, p)| Some((law, in_short(p)?))).peekable();
    if followed.peek().is_some() {
        text.push_str("\nFollowed in time\n");
    }
    for (law, course) in followed {
        let _ = writeln!(text, "  {:20}{course}", law.id);
    }
    let mut refusals = answers.iter().filter_map(|(law, answer)| Some((law, answer.as_ref().err()?))).peekable();
    if refusals.peek().is_some() {
        text.push_str("\nNot applicable\n");
    }
    for (law, why) in refusals {
        let _ = writeln!(text, "  {:20}{why}", law.id);
    }
    fit_lines(&text)
}

fn row(law: &Law, scenario: &Scenario, prediction: &Prediction, components: usize) -> Vec<String> {
    let outcome = &prediction.outcome;
    let (size, speed) =
        (outcome.impulse.norm(), scenario.impact.velocity()[0].norm().max(outcome.velocity_after.norm()));
    let r = prediction.restitution;
    let audit = prediction.audit;
    let failed: Vec<&str> =
        audit.findings().into_iter().filter(|(_, finding)| *finding != Finding::Ok).map(|(name, _)| name).collect();
    let mut row = vec![law.id.to_owned(), outcome.mode.to_string()];
    row.extend(outcome.impulse.iter().take(components).map(|x| number(*x, size)));
    row.extend(outcome.velocity_after.iter().take(components).map(|x| number(*x, speed)));
    row.push(number(prediction.energy.change, scenario.collision().map_or(0.0, carom::Collision::local_energy)));
    row.extend([r.newton, r.poisson, r.stronge, r.ivanov].map(optional));
    row.push(if failed.is_empty() { "ok".to_owned() } else { format!("violates {}", failed.join(", ")) });
    row
}
