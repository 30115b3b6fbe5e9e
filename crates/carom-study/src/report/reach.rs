//! What the laws reach, in a few lines.

use super::single::heading;
use crate::reach::Reach;
use crate::scenario::Scenario;
use carom::laws::Law;
use std::fmt::Write;

/// One line per law: the parameters that ran, how many impulses, the share of the accessible region.
pub fn reach_summary(scenario: &Scenario, asked: &[&'static Law], reaches: &[Reach]) -> String {
    let mut text = format!("{}\n", heading(scenario));
    for law in asked {
        let _ = match reaches.iter().find(|reach| reach.law.id == law.id) {
            Some(reach) => {
                let share = match reach.coverage {
                    Some(share) if !reach.cells.is_empty() => {
                        format!("{:3.0} % of the accessible region", 100.0 * share)
                    }
                    _ if reach.free.len() == 1 => "a curve".to_owned(),
                    _ => format!("{} impulses", reach.samples.len()),
                };
                writeln!(text, "{:20}{share:36}{}", law.id, reach.free.join(", "))
            }
            None => writeln!(text, "{:20}no answer for this collision", law.id),
        };
    }
    text
}
