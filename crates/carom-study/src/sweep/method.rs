//! How the rows of a plan are computed, and the columns that come of it.

use super::general::General;
use super::kernel::{self, Kernel};
use super::layout::Layout;
use super::output::{Leaves, Request};
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

/// Rows that are looked at for the columns of outputs, and simulations.
const PROBES: u64 = 64;
const PROBED_RUNS: u64 = 8;
/// So many times as many are looked at where none of them has an answer.
const PATIENCE: u64 = 16;

/// Shards of a plan, if they are neither very small nor very large.
const SHARDS: u64 = 32;

impl<'p> Method<'p> {
    /// Chooses how to compute a plan, and finds the columns of its results.
    pub(super) fn of(plan: &'p Plan) -> Result<(Method<'p>, Layout), ScenarioError> {
        let general = General::new(plan);
        if plan.command == Command::Collide {
            // Rows whose values no scenario can have say nothing about the others.
            let scenarios = spread_rows(plan, PROBES).find_map(|variables| general.by_law(&variables).ok());
            if let Some([scenario, ..]) = scenarios.as_deref()
                && scenario.law.is_none()
            {
                let fault = Fault::of_the_file("the scenario names no law")
                    .help("add an axis `\"law.id\" = [\"routh-poisson\", \"smith\"]`, or name one there");
                return Err(ScenarioError::new(&plan.name, &plan.text, fault));
            }
            if let Some(kernel) = scenarios.and_then(|scenarios| Kernel::of(plan, &scenarios)) {
                let layout = Layout::new(plan, kernel.columns());
                return Ok((Method::Kernel(Box::new(kernel)), layout));
            }
        }
        let layout = probe(plan, &general)?;
        Ok((Method::General(general), layout))
    }

    /// Rows of a shard, if the plan does not say: enough shards that several threads end together and little is lost with a run that is
    /// killed, and as few files as that allows. They depend on the plan alone.
    pub(super) fn rows_per_shard(&self, rows: u64) -> u64 {
        let (least, most) = match self {
            Method::Kernel(kernel) if kernel.is_fast() => (1 << 16, 1 << 20),
            Method::Kernel(_) => (1 << 12, 1 << 17),
            Method::General(general) if general.simulates() => (16, 4000),
            Method::General(_) => (1000, 20_000),
        };
        rows.div_ceil(SHARDS).clamp(least, most)
    }
}

/// The variables of rows that are spread over a plan, the first and the last among them.
fn spread_rows(plan: &Plan, count: u64) -> impl Iterator<Item = Vec<f64>> {
    let rows = plan.rows();
    let count = rows.min(count);
    (0..count).map(move |k| {
        let row = (u128::from(rows - 1) * u128::from(k) / u128::from(count.max(2) - 1)) as u64;
        let mut variables = Vec::new();
        plan.variables_of(row, &mut variables);
        variables
    })
}

/// Finds the columns of outputs from the JSON of rows that are spread over the plan: every leaf that one of them has. If none of these has an
/// answer, more are tried, and then the scenario as it stands; if that has none either, each output is a column.
fn probe(plan: &Plan, general: &General<'_>) -> Result<Layout, ScenarioError> {
    let probes = if general.simulates() { PROBED_RUNS } else { PROBES };
    let mut results: Vec<Value> =
        spread_rows(plan, probes).filter_map(|variables| general.answer(&variables).result).collect();
    if results.is_empty() {
        let more = spread_rows(plan, PATIENCE * probes).find_map(|variables| general.answer(&variables).result);
        results.extend(more.or_else(|| general.answer_of_base().result));
    }
    let mut found: Vec<Option<Leaves>> = vec![None; plan.outputs.len()];
    for result in &results {
        for (request, leaves) in plan.outputs.iter().zip(&mut found) {
            if let Some(value) = request.find(result) {
                leaves.get_or_insert_default().add(request, &value);
            }
        }
    }
    let refuse = |fault: Fault| Err(ScenarioError::new(&plan.name, &plan.text, fault));
    let Some(seen) = results.first() else {
        let alone = |request: &Request| vec![request.column()];
        return Ok(Layout::new(plan, plan.outputs.iter().map(alone).collect()));
    };
    let mut columns = Vec::new();
    for (request, found) in plan.outputs.iter().zip(found) {
        let Some(found) = found.map(|leaves| leaves.columns(request)).filter(|columns| !columns.is_empty()) else {
            let fault = Fault::at(request.span.clone(), format!("no result has {}", shown(&request.text)));
            let paths = leaves(seen);
            let others = paths.iter().map(String::as_str).filter(|path| *path != request.text);
            return refuse(match nearest(&request.text, others) {
                Some(near) => fault.label(format!("did you mean {}?", shown(near))),
                None => fault
                    .label("expected a path in the JSON of a result")
                    .help("`carom collide --format json` and `carom simulate --format json` print the JSON of one row"),
            });
        };
        columns.push(found);
    }
    let layout = Layout::new(plan, columns);
    let names: Vec<&str> = layout.columns.iter().map(|column| column.name.as_str()).collect();
    match names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
        Some((_, name)) => refuse(
            Fault::of_the_file(format!("two columns are called {}", shown(name)))
                .help("give outputs names of their own: NAME = PATH in `[outputs]`"),
        ),
        None => Ok(layout),
    }
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
