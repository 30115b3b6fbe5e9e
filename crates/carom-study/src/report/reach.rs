//! The impulses that laws reach, in a few lines.

use super::heading::heading;
use crate::prediction::Refusal;
use crate::reach::{Reach, Set};
use crate::scenario::Scenario;
use crate::terminal::fit_lines;
use carom::laws::Law;
use std::fmt::Write;

/// One line per law: the parameters that ran and the share of the accessible region, or why there is none.
pub fn reach_summary(scenario: &Scenario, reaches: &[(&'static Law, Result<Reach, Refusal>)]) -> String {
    let mut text = format!("{}\n", heading(scenario));
    for (law, reach) in reaches {
        let _ = match reach {
            Ok(reach) => {
                let share = match (reach.coverage, reach.set) {
                    (Some(share), _) => format!("{:3.0} % of the accessible region", 100.0 * share),
                    (None, Set::Point) => "one impulse".to_owned(),
                    (None, Set::Curve) => "a curve".to_owned(),
                    (None, Set::Surface) => "a surface".to_owned(),
                    (None, Set::Unbounded) => "no share: the region is unbounded".to_owned(),
                    (None, Set::Part | Set::Flat) => "no share: the region is flat".to_owned(),
                };
                writeln!(text, "{:20} {share:36}{}", law.id, reach.free.join(", "))
            }
            Err(why) => writeln!(text, "{:20} {why}", law.id),
        };
    }
    fit_lines(&text)
}
