//! How tables look: no lines at all, or rules above, below the head, and at the end, as in print.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use std::ops::RangeInclusive;

const RULE: LineStyle = LineStyle::none().fill('─').junction('─');
const RULED: TableStyle = TableStyle::new().top_border(RULE).header_separator(RULE).bottom_border(RULE);

/// A table without lines.
pub fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table
}

/// A table with three rules.
pub fn ruled() -> Table {
    let mut table = Table::new();
    table.load_style(RULED);
    table
}

/// Leaves one space between columns.
pub fn tighten(table: &mut Table) {
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
}

/// Numbers stand right.
pub fn align_numbers(table: &mut Table, columns: RangeInclusive<usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The columns of a table of bodies: a name, velocity and spin.
pub fn motion_header(planar: bool) -> &'static [&'static str] {
    if planar {
        &["", "v_x (m/s)", "v_y", "ω (rad/s)"]
    } else {
        &["", "v_x (m/s)", "v_y", "v_z", "ω_x (rad/s)", "ω_y", "ω_z"]
    }
}
