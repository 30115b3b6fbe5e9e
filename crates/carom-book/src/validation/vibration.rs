//! Chatterjee 1997, chapter 9: bodies that vibrate. The digits are of an implementation independent of ours.

use super::Check;
use carom::vibration::{Chain, Contact, FlexibleCollision, FlexibleOutcome, SpringDashpot};
use nalgebra::Vector3;

fn chain(spring: f64) -> Option<FlexibleCollision> {
    let body = Chain::uniform(5, 0.2, spring).ok()?.body(0.0).ok()?;
    body.against_wall(&Vector3::new(-1.0, 0.0, 0.0)).ok()
}

fn through_spring(stiffness: f64) -> Option<FlexibleOutcome> {
    let spring = SpringDashpot::new(stiffness, 0.0).ok()?;
    chain(30.0)?.through(&Contact::smooth(&spring), false).ok()
}

pub fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    let modes = chain(30.0);
    let frequency = |k: usize| modes.as_ref().and_then(|c| c.modes().get(k)).map_or(f64::NAN, |mode| mode.frequency);
    for (k, printed) in ["7.569340", "14.397739", "19.816788", "23.296032"].into_iter().enumerate() {
        let what = format!("chain of five (m = 0.2, k = 30): frequency {}", k + 1);
        checks.push(Check::number("9.3", what, printed, frequency(k)));
    }
    for (stiffness, printed, touches) in
        [(1.0, "0.99899786", "1"), (50.0, "0.92930037", "1"), (5000.0, "0.79516947", "4")]
    {
        let result = through_spring(stiffness);
        let e = result.as_ref().map_or(f64::NAN, |r| r.outcome.velocity_after.x);
        let found = result.as_ref().map_or(f64::NAN, |r| r.touches.len() as f64);
        let case = format!("chain of five on a contact spring of {stiffness}");
        checks.push(Check::number("9.3.3", format!("{case}: e"), printed, e));
        checks.push(Check { tolerance: 0.0, ..Check::number("9.3.3", format!("{case}: touches"), touches, found) });
    }
    checks
}
