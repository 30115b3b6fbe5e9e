//! Findings of the audit and notes of the laws, a line each.

use crate::prediction::Prediction;
use crate::scenario::Scenario;
use carom::audit::{ContactAudit, Finding};

/// What the audit found, each as a sentence; of several contacts with the name of the contact.
pub(super) fn findings(scenario: &Scenario, prediction: &Prediction) -> Vec<String> {
    let audit = &prediction.audit;
    let whole = [audit.energy, audit.consistency].into_iter().filter(|finding| *finding != Finding::Ok);
    let mut lines: Vec<String> = whole.map(|finding| finding.to_string()).collect();
    for (k, contact) in audit.contacts.iter().enumerate() {
        let findings = [contact.friction, contact.penetration, contact.consistency].into_iter();
        let wrong = findings.filter(|finding| *finding != Finding::Ok);
        lines.extend(wrong.map(|finding| at_contact(scenario, k, &finding)));
    }
    lines
}

/// `ok`, or the first finding of a kind that is not.
pub(super) fn worst(scenario: &Scenario, prediction: &Prediction, of: fn(&ContactAudit) -> Finding) -> String {
    let contacts = prediction.audit.contacts.iter().map(of).enumerate();
    let bad = contacts.into_iter().find(|(_, finding)| *finding != Finding::Ok);
    bad.map_or_else(|| Finding::Ok.to_string(), |(k, finding)| at_contact(scenario, k, &finding))
}

/// What a law notes about its answer; of several contacts with the name of the contact.
pub(super) fn notes(scenario: &Scenario, prediction: &Prediction) -> Vec<String> {
    let outcome = &prediction.outcome;
    let of_contacts = outcome.contacts.iter().enumerate().flat_map(|(k, contact)| {
        let notes: Vec<String> = contact.notes.iter().map(|note| at_contact(scenario, k, note)).collect();
        notes
    });
    outcome.notes.iter().map(ToString::to_string).chain(of_contacts).collect()
}

fn at_contact(scenario: &Scenario, contact: usize, said: &impl ToString) -> String {
    match scenario.impact.contacts() {
        1 => said.to_string(),
        _ => format!("{}: {}", scenario.contact_name(contact), said.to_string()),
    }
}
