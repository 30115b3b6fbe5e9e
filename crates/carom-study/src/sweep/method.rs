//! How the rows of a plan are computed, and the columns that come of it.

use super::general::General;
use super::kernel::{self, Kernel};
use super::layout::Layout;
use super::output::{Column, columns_of};
use super::plan::{Command, Plan};
use crate::scenario::{Fault, ScenarioError, nearest, shown};
use serde_json::Value;

/// How the rows of a plan are computed.
#[derive(Debug)]
pub(super) enum Method<'p> {
    /// All at once, from W, V and parameters.
    Kernel(Box<Kernel<'p>>),
    /// One by one, each by its scenario.
    General(General<'p>),
}

/// Rows that are looked at for the columns of outputs, spread over the plan.
const PROBES: u64 = 64;

impl<'p> Method<'p> {
    /// Chooses how to compute a plan, and finds the columns of its results.
    pub(super) fn of(plan: &'p Plan) -> Result<(Method<'p>, Layout), ScenarioError> {
        let general = General::new(plan);
        let mut first = Vec::new();
        plan.variables_of(0, &mut first);
        if plan.command == Command::Collide {
            let scenario = general.scenario(&first);
            if let Ok(scenario) = &scenario
                && scenario.law.is_none()
            {
                let fault = Fault::of_the_file("the scenario names no law")
                    .help("add an axis `\"law.id\" = [\"routh-poisson\", \"smith\"]`, or name one there");
                return Err(ScenarioError::new(&plan.name, &plan.text, fault));
            }
            if let Some(kernel) = scenario.ok().and_then(|scenario| Kernel::of(plan, scenario)) {
                let layout = Layout::new(plan, kernel.columns());
                return Ok((Method::Kernel(Box::new(kernel)), layout));
            }
        }
        let layout = probe(plan, &general)?;
        Ok((Method::General(general), layout))
    }

    /// Rows of a shard, if the plan does not say.
    pub(super) fn rows_per_shard(&self) -> u64 {
        match self {
            Method::Kernel(kernel) if kernel.is_fast() => 1_000_000,
            Method::Kernel(_) => 100_000,
            Method::General(general) if general.simulates() => 1000,
            Method::General(_) => 20_000,
        }
    }
}

/// Finds the columns of outputs from the JSON of some rows: the first that has a value decides.
fn probe(plan: &Plan, general: &General<'_>) -> Result<Layout, ScenarioError> {
    let mut found: Vec<Option<Vec<Column>>> = vec![None; plan.outputs.len()];
    let (rows, mut seen, mut variables) = (plan.rows(), None, Vec::new());
    let mut nulls = vec![false; plan.outputs.len()];
    let mut refusal = None;
    for k in 0..PROBES.min(rows) {
        // Spread over all rows; the first is among them.
        let row = (u128::from(rows) * u128::from(k) / u128::from(PROBES.min(rows))) as u64;
        plan.variables_of(row, &mut variables);
        let answer = general.answer(&variables);
        let Some(result) = answer.result else {
            refusal = refusal.or(answer.reason.map(|reason| (answer.status, reason)));
            continue;
        };
        for ((request, columns), null) in plan.outputs.iter().zip(&mut found).zip(&mut nulls) {
            match request.find(&result) {
                Some(Value::Null) => *null = true,
                Some(value) if columns.is_none() => {
                    let of = columns_of(request, &value);
                    if !of.is_empty() {
                        *columns = Some(of);
                    }
                }
                _ => {}
            }
        }
        seen = seen.or(Some(result));
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    let refuse = |fault: Fault| Err(ScenarioError::new(&plan.name, &plan.text, fault));
    let Some(seen) = seen else {
        let (status, reason) = refusal.unwrap_or_default();
        return refuse(
            Fault::of_the_file(format!("none of {} rows that were tried has an answer", PROBES.min(rows)))
                .help(format!("the first is {status}: {reason}")),
        );
    };
    let mut columns = Vec::new();
    for ((request, found), null) in plan.outputs.iter().zip(found).zip(nulls) {
        match found {
            Some(found) => columns.push(found),
            // A number that no row has, such as a restitution that the law does not define.
            None if null => columns.push(columns_of(request, &Value::from(0.0))),
            None => {
                let fault = Fault::at(request.span.clone(), format!("no result has {}", shown(&request.text)));
                let paths = leaves(&seen);
                return refuse(match nearest(&request.text, paths.iter().map(String::as_str)) {
                    Some(near) => fault.label(format!("did you mean {}?", shown(near))),
                    None => fault.label("expected a path in the JSON of a result").help(
                        "`carom collide --format json` and `carom simulate --format json` print the JSON of one row",
                    ),
                });
            }
        }
    }
    Ok(Layout::new(plan, columns))
}

/// The paths of all leaves of a result, and of the lists of numbers among them.
fn leaves(result: &Value) -> Vec<String> {
    fn walk(path: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    walk(&path, value, found);
                }
            }
            Value::Array(items) => {
                found.push(path.to_owned());
                for (k, value) in items.iter().enumerate().take(3) {
                    walk(&format!("{path}[{k}]"), value, found);
                }
            }
            _ => found.push(path.to_owned()),
        }
    }
    let mut found = kernel::NAMES.iter().map(|name| (*name).to_owned()).collect();
    walk("", result, &mut found);
    found
}
