//! How tables look: no lines at all, or rules above, below the head, and at the end, as in print.

use super::lines::WIDTH;
use comfy_table::{CellAlignment, ColumnConstraint, LineStyle, Table, TableStyle, Width};
use std::ops::Range;
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

/// Columns of the terminal that the first column of a divided table may take: it is repeated in every part.
const FIRST_COLUMN: usize = WIDTH / 3;

/// The table as text that fits [`WIDTH`] columns. A wider table is divided into several with the first column repeated, if possible
/// before one of the columns `breaks`. The words of the last column are wrapped if that keeps it with its neighbours, and so is a
/// column that is too wide for a table of its own.
pub fn fitted(table: &Table, breaks: &[usize]) -> String {
    let widths = widths_of(table);
    if widths.iter().sum::<usize>() <= WIDTH + 1 {
        return table.trim_fmt();
    }
    let mut table = table.clone();
    for column in table.column_iter_mut() {
        // Columns of a tightened table are apart without padding.
        let is_tight = column.padding_width() == 1;
        column.set_padding(if is_tight { (0, 0) } else { (0, 1) });
    }
    let widths = widths_of(&table);
    let first = widths.first().copied().unwrap_or(0).min(FIRST_COLUMN);
    let mut texts = Vec::new();
    let mut start = 1;
    while start < widths.len() {
        let mut end = start + 1;
        let mut width = first + widths[start];
        while end < widths.len() && width + widths[end] <= WIDTH + 1 {
            width += widths[end];
            end += 1;
        }
        let mut last = WIDTH - first;
        if end + 1 == widths.len() && width + longest_word(&table, end) <= WIDTH {
            last = WIDTH - width;
            end += 1;
        } else if end < widths.len() {
            end = breaks.iter().copied().filter(|place| (start + 1..=end).contains(place)).max().unwrap_or(end);
        }
        texts.push(part(&table, start..end, [first - 1, last]));
        start = end;
    }
    texts.join("\n\n")
}

/// The widths of the columns with the space between them.
fn widths_of(table: &Table) -> Vec<usize> {
    let widths = table.column_max_content_widths();
    let columns = widths.iter().zip(table.column_iter());
    columns.map(|(content, column)| usize::from(*content) + usize::from(column.padding_width()) + 1).collect()
}

/// Characters of the longest word in a column.
fn longest_word(table: &Table, column: usize) -> usize {
    let rows = table.header().into_iter().chain(table.row_iter());
    let words = rows.filter_map(|row| row.cell_iter().nth(column)).flat_map(|cell| {
        let lengths: Vec<usize> = cell.content().split_whitespace().map(|word| word.chars().count()).collect();
        lengths
    });
    words.max().unwrap_or(0)
}

/// The first column and some of the others, with the greatest widths of the first and the last of them.
fn part(table: &Table, columns: Range<usize>, [first, last]: [usize; 2]) -> String {
    let mut part = table.clone();
    for (place, column) in part.column_iter_mut().enumerate() {
        if place == 0 {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(first as u16)));
        } else if !columns.contains(&place) {
            column.set_constraint(ColumnConstraint::Hidden);
        } else if place + 1 == columns.end {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(last as u16)));
        }
    }
    part.trim_fmt()
}

/// The columns of a table of bodies: a name, velocity and spin.
pub fn motion_header(planar: bool) -> &'static [&'static str] {
    if planar {
        &["", "v_x (m/s)", "v_y", "ω (rad/s)"]
    } else {
        &["", "v_x (m/s)", "v_y", "v_z", "ω_x (rad/s)", "ω_y", "ω_z"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(columns: usize, cell: &str) -> Table {
        let mut table = ruled();
        table.set_header((0..columns).map(|k| format!("column {k}")));
        table.add_row((0..columns).map(|k| format!("{cell}{k}")));
        tighten(&mut table);
        table
    }

    fn widest(text: &str) -> usize {
        text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    #[test]
    fn a_wide_table_is_divided_and_keeps_every_cell() {
        let text = fitted(&wide(20, "−1.23456e−7"), &[]);
        assert!(widest(&text) <= WIDTH, "{text}");
        for k in 1..20 {
            assert_eq!(
                text.matches(&format!("−7{k} ")).count() + text.matches(&format!("−7{k}\n")).count(),
                1,
                "{text}"
            );
        }
        assert_eq!(text.matches("column 0").count(), text.split("\n\n").count(), "{text}");
    }

    #[test]
    fn a_table_is_divided_where_it_is_asked_to_be() {
        let parts = fitted(&wide(8, "−1.23456e−7"), &[4]);
        assert!(parts.split("\n\n").next().is_some_and(|part| !part.contains("column 4")), "{parts}");
        assert_eq!(parts.split("\n\n").count(), 2, "{parts}");
    }

    #[test]
    fn columns_of_a_divided_table_are_apart() {
        let mut table = plain();
        table.set_header((0..9).map(|k| format!("column {k}")));
        table.add_row((0..9).map(|k| format!("−1.23456e−{k}")));
        let text = fitted(&table, &[]);
        assert!(widest(&text) <= WIDTH, "{text}");
        let cells: Vec<&str> = text.split_whitespace().filter(|word| word.starts_with('−')).collect();
        assert!(cells.iter().all(|cell| cell.chars().count() == 11), "{text}");
    }

    #[test]
    fn long_cells_are_wrapped() {
        let text = fitted(&wide(3, &"word ".repeat(40)), &[]);
        assert!(widest(&text) <= WIDTH, "{text}");
        assert_eq!(text.matches("word").count(), 160, "the first column is repeated: {text}");
        let text = fitted(&wide(3, &"x".repeat(300)), &[]);
        assert!(widest(&text) <= WIDTH, "{text}");
    }

    #[test]
    fn a_narrow_table_stays_whole() {
        let table = wide(3, "1");
        assert_eq!(fitted(&table, &[1, 2]), table.trim_fmt());
    }
}
