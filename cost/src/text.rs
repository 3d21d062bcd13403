//! The report as text: aligned, Markdown, CSV.

use septic_chips::columns::Role;

use crate::Report;

/// Headings of the columns that hold words.
const WORDS: [&str; 6] = ["chip", "table", "layout", "operation", "system", "note"];

/// A table. Columns whose heading is in [`WORDS`] are flush left, the others flush right.
struct Table {
    title: &'static str,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new<'a>(title: &'static str, header: impl IntoIterator<Item = &'a str>) -> Self {
        Self { title, header: header.into_iter().map(str::to_owned).collect(), rows: Vec::new() }
    }

    fn is_left(&self, column: usize) -> bool {
        WORDS.contains(&self.header[column].as_str())
    }

    fn widths(&self) -> Vec<usize> {
        let width = |i: usize| {
            let cells = self.rows.iter().chain([&self.header]).filter_map(|row| row.get(i));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..self.header.len()).map(width).collect()
    }

    fn padded(&self, row: &[String]) -> Vec<String> {
        let pad = |(i, (cell, width)): (usize, (&String, usize))| {
            if self.is_left(i) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        };
        row.iter().zip(self.widths()).enumerate().map(pad).collect()
    }

    fn plain(&self) -> String {
        let rule: Vec<String> = self.widths().into_iter().map(|width| "-".repeat(width)).collect();
        let mut text = format!("{}\n\n", self.title);
        for row in [&self.header, &rule].into_iter().chain(&self.rows) {
            text.push_str(self.padded(row).join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let rule: Vec<String> = self.widths().into_iter().map(|width| "-".repeat(width.max(3))).collect();
        let mut text = format!("{}:\n\n", self.title);
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        text.push_str(&line(self.padded(&self.header)));
        let rule = rule
            .into_iter()
            .enumerate()
            .map(|(i, rule)| if self.is_left(i) { rule } else { format!("{}:", &rule[1..]) });
        text.push_str(&line(rule.collect()));
        for row in &self.rows {
            text.push_str(&line(self.padded(row)));
        }
        text
    }
}

/// A number with commas between groups of three digits.
fn grouped(n: usize) -> String {
    separated(n, ',')
}

/// A number with `separator` between groups of three digits.
pub(crate) fn separated(n: usize, separator: char) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// A ratio with two significant digits or more.
fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}×") } else { format!("{ratio:.0}×") }
}

fn tables(report: &Report) -> [Table; 4] {
    let mut chips = Table::new(
        "Cost of one event",
        [
            "chip",
            "layout",
            "rows",
            "columns",
            "cells",
            "constraints",
            "degree",
            "products/row",
            "messages",
            "SP1 gas",
        ],
    );
    let mut roles =
        Table::new("Columns by role", ["chip"].into_iter().chain(Role::ALL.map(Role::name)).chain(["all"]));
    for chip in &report.chips {
        chips.rows.push(vec![
            chip.name.clone(),
            chip.layout.to_owned(),
            grouped(chip.rows_per_event),
            grouped(chip.columns),
            grouped(chip.cells_per_event),
            grouped(chip.constraints),
            grouped(chip.max_degree),
            grouped(chip.multiplications_per_row),
            grouped(chip.messages_per_event),
            format!("{:.1}", chip.sp1_gas_per_event),
        ]);
        let mut row = vec![chip.name.clone()];
        row.extend(chip.columns_by_role.values().map(|&n| grouped(n)));
        row.push(grouped(chip.columns));
        roles.rows.push(row);
    }

    let mut machine = Table::new(
        "Tables of the machine, one event; a shared table once a proof",
        [
            "table",
            "operation",
            "layout",
            "rows",
            "columns",
            "permutation",
            "cells",
            "with buses",
            "constraints",
            "degree",
            "messages",
            "SP1 gas",
        ],
    );
    for table in &report.tables {
        machine.rows.push(vec![
            table.name.to_owned(),
            table.operation.clone(),
            table.layout.to_owned(),
            grouped(table.rows),
            grouped(table.columns),
            grouped(table.permutation_columns),
            grouped(table.cells),
            grouped(table.committed_cells),
            grouped(table.constraints),
            grouped(table.max_degree),
            grouped(table.messages),
            format!("{:.1}", table.sp1_gas),
        ]);
    }

    let mut references =
        Table::new("Beside others", ["operation", "system", "columns", "cells", "here", "ratio", "note"]);
    for reference in &report.references {
        let here = report.counterpart(reference).map(|chip| chip.cells_per_event);
        let none = || "–".to_owned();
        references.rows.push(vec![
            reference.operation.to_owned(),
            reference.name.to_owned(),
            reference.columns.map_or_else(none, grouped),
            grouped(reference.cells_per_event),
            here.map_or_else(none, grouped),
            here.map_or_else(none, |here| times(reference.cells_per_event as f64 / here as f64)),
            reference.note.to_owned(),
        ]);
    }
    [chips, machine, roles, references]
}

pub(crate) fn plain(report: &Report) -> String {
    tables(report).map(|table| table.plain()).join("\n")
}

pub(crate) fn markdown(report: &Report) -> String {
    tables(report).map(|table| table.markdown()).join("\n")
}

/// A value of a CSV line, quoted if need be.
fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

pub(crate) fn csv(report: &Report) -> String {
    let mut header: Vec<String> =
        ["kind", "name", "operation", "layout", "columns"].map(str::to_owned).into();
    header.extend(Role::ALL.map(|role| format!("{role}_columns")));
    header.extend(
        [
            "rows_per_event",
            "cells_per_event",
            "constraints",
            "max_degree",
            "multiplications_per_row",
            "messages_per_event",
            "sp1_gas_per_event",
            "note",
            "source",
        ]
        .map(str::to_owned),
    );
    let mut lines = vec![header];
    for chip in &report.chips {
        let mut line =
            vec!["chip".to_owned(), chip.name.clone(), chip.operation.to_string(), chip.layout.to_owned()];
        line.push(chip.columns.to_string());
        line.extend(chip.columns_by_role.values().map(usize::to_string));
        line.extend(
            [
                chip.rows_per_event,
                chip.cells_per_event,
                chip.constraints,
                chip.max_degree,
                chip.multiplications_per_row,
                chip.messages_per_event,
            ]
            .map(|n| n.to_string()),
        );
        line.push(chip.sp1_gas_per_event.to_string());
        line.extend([String::new(), String::new()]);
        lines.push(line);
    }
    for table in &report.tables {
        let mut line = vec![
            "table".to_owned(),
            table.name.to_owned(),
            table.operation.to_lowercase(),
            table.layout.to_owned(),
        ];
        line.push(table.columns.to_string());
        line.extend(Role::ALL.map(|_| String::new()));
        line.extend([table.rows, table.cells, table.constraints, table.max_degree].map(|n| n.to_string()));
        line.extend([String::new(), (table.messages * table.rows).to_string(), table.sp1_gas.to_string()]);
        line.extend([format!("{} cells with buses", table.committed_cells), String::new()]);
        lines.push(line);
    }
    for reference in &report.references {
        let mut line = vec![
            "reference".to_owned(),
            reference.name.to_owned(),
            reference.operation.to_owned(),
            String::new(),
        ];
        line.push(reference.columns.map_or_else(String::new, |n| n.to_string()));
        line.extend(Role::ALL.map(|_| String::new()));
        line.extend([String::new(), reference.cells_per_event.to_string()]);
        line.extend([const { String::new() }; 5]);
        line.extend([reference.note.to_owned(), reference.source.to_owned()]);
        lines.push(line);
    }
    let mut text = String::new();
    for line in lines {
        let values: Vec<String> = line.iter().map(|value| quoted(value)).collect();
        text.push_str(&values.join(","));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a line, for texts without line breaks inside quotes.
    fn split(line: &str) -> Vec<String> {
        let mut values = vec![String::new()];
        let mut inside = false;
        for c in line.chars() {
            match c {
                '"' => inside = !inside,
                ',' if !inside => values.push(String::new()),
                c => values.last_mut().unwrap().push(c),
            }
        }
        values
    }

    #[test]
    fn csv_has_the_same_columns_on_every_line() {
        let report = Report::new();
        let text = csv(&report);
        let mut lines = text.lines().map(split);
        let header = lines.next().unwrap();
        assert_eq!(header.len(), 20);
        assert_eq!(header[..6], ["kind", "name", "operation", "layout", "columns", "state_columns"]);
        let value = |line: &[String], name: &str| {
            let at = header.iter().position(|h| h == name).unwrap();
            line[at].clone()
        };
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines.len(), report.chips.len() + report.tables.len() + report.references.len());
        for (line, chip) in lines.iter().zip(&report.chips) {
            assert_eq!(line.len(), header.len());
            assert_eq!(value(line, "kind"), "chip");
            assert_eq!(value(line, "cells_per_event"), chip.cells_per_event.to_string());
            assert_eq!(value(line, "max_degree"), chip.max_degree.to_string());
            let roles =
                Role::ALL.map(|role| value(line, &format!("{role}_columns")).parse::<usize>().unwrap());
            assert_eq!(roles.iter().sum::<usize>(), chip.columns);
        }
        let lines = &lines[report.chips.len()..];
        for (line, table) in lines.iter().zip(&report.tables) {
            assert_eq!(line.len(), header.len());
            assert_eq!(value(line, "kind"), "table");
            assert_eq!(value(line, "cells_per_event"), table.cells.to_string());
        }
        for (line, reference) in lines[report.tables.len()..].iter().zip(&report.references) {
            assert_eq!(line.len(), header.len());
            assert_eq!(value(line, "kind"), "reference");
            assert_eq!(value(line, "cells_per_event"), reference.cells_per_event.to_string());
            assert_eq!(value(line, "note"), reference.note);
            assert_eq!(value(line, "source"), reference.source);
        }
    }

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(
            [0, 12, 999, 1000, 519_792, 1_222_337].map(grouped).join(" "),
            "0 12 999 1,000 519,792 1,222,337"
        );
    }

    #[test]
    fn lines_of_a_table_are_aligned() {
        for table in tables(&Report::new()) {
            let widths: Vec<usize> =
                table.markdown().lines().skip(2).map(|line| line.chars().count()).collect();
            assert!(widths.iter().all(|&width| width == widths[0]), "{}", table.title);
            let text = table.plain();
            let rule = text.lines().nth(3).unwrap();
            assert!(text.lines().skip(2).all(|line| line.chars().count() <= rule.len()));
        }
    }

    #[test]
    fn tables_show_the_numbers() {
        let report = Report::new();
        for text in [plain(&report), markdown(&report)] {
            for chip in &report.chips {
                assert!(text.contains(&grouped(chip.cells_per_event)));
            }
            for reference in &report.references {
                assert!(text.contains(&grouped(reference.cells_per_event)));
            }
        }
    }
}
