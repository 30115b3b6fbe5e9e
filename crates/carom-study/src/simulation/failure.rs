//! Why a run ended early, with the names of its scenario.

use crate::scenario::SimulationScenario;
use carom::format::Digits;
use carom::sim::{BodyId, Failure, JointId};

/// The failure in words: when, between which bodies, and why.
pub fn failure_text(scenario: &SimulationScenario, failure: &Failure) -> String {
    let (time, between, reason) = match failure {
        Failure::Law { time, between, reason } => (time, between, reason),
        Failure::Singular { time, joints } => return singular_text(scenario, *time, joints),
        other => return other.to_string(),
    };
    let name = |body: Option<BodyId>| body.map_or("ground", |body| &scenario.body_names[body.index()]);
    let mut pairs: Vec<String> = between.iter().map(|[a, b]| format!("{}–{}", name(*a), name(*b))).collect();
    pairs.dedup();
    let more = if pairs.len() > 1 { format!(" +{}", pairs.len() - 1) } else { String::new() };
    let first = pairs.first().map_or("", String::as_str);
    format!("at {} s, {first}{more}: {}: {reason}", Digits(*time), scenario.law.id)
}

/// Joints that no longer determine the motion: their names, and a remedy.
fn singular_text(scenario: &SimulationScenario, time: f64, joints: &[JointId]) -> String {
    let names: Vec<&str> = joints.iter().map(|joint| scenario.joint_names[joint.index()].as_str()).collect();
    format!(
        "at {} s the linkage is in a singular configuration (a change point): the joints {} do not determine how it goes on; \
         keep it away from there (by `limits`, or by one link that is a little longer), or take `--engine stepping`, which goes on by \
         one of the two ways",
        Digits(time),
        names.join(", ")
    )
}
