//! The columns of the results, which are the same whatever part of the rows is computed.

use super::output::{Column, Kind};
use super::plan::Plan;
use super::variable::Variable;

/// The columns: variables, outputs, status.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) columns: Vec<Column>,
    /// How many columns each output fills.
    pub(super) of_request: Vec<usize>,
}

impl Layout {
    pub(super) fn new(plan: &Plan, outputs: Vec<Vec<Column>>) -> Layout {
        let variable = |variable: &Variable| Column {
            name: variable.name.clone(),
            unit: variable.unit.clone(),
            kind: if variable.values.words().is_some() { Kind::Words } else { Kind::Numbers },
            optional: false,
        };
        let of_request = outputs.iter().map(Vec::len).collect();
        let status = Column { name: "status".to_owned(), unit: String::new(), kind: Kind::Words, optional: false };
        let columns =
            plan.variables.iter().map(variable).chain(outputs.into_iter().flatten()).chain([status]).collect();
        Layout { columns, of_request }
    }
}
