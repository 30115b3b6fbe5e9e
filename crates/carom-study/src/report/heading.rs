//! The heading of every report.

use crate::quantities::classes;
use crate::scenario::Scenario;
use crate::terminal::{WIDTH, broken};
use carom::Collision;
use std::fmt::Write;

/// Title, and what kind of impact it is: the class of one contact in the words of Wang & Mason 1992, 3.4, or how many contacts
/// there are.
pub fn heading(scenario: &Scenario) -> String {
    let impact = &scenario.impact;
    let title = broken(&scenario.title, WIDTH);
    if let [class] = classes(scenario)[..] {
        let is_singular = scenario.collision().is_some_and(Collision::is_singular);
        let singular = if is_singular { ", singular inverse mass" } else { "" };
        return format!("{title}\n{} collision, {class}{singular}\n", scenario.dimension());
    }
    let (contacts, islands) = (impact.contacts(), impact.islands().len());
    let approaching = impact.velocity().iter().filter(|v| v.x < 0.0).count();
    let mut text = format!("{title}\n{} impact, {contacts} contacts, {approaching} approaching", scenario.dimension());
    if islands > 1 {
        let _ = write!(text, ", {islands} islands");
    }
    text.push('\n');
    text
}
