//! The tables of columns, constraints and messages in the chips' module documentation, as data.
//!
//! The text is that of the source files: what a tool says of a constraint is what the documentation says. A test compares it with
//! the columns and constraints themselves.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// A row of a table of columns. A row that lists several columns is one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnDoc {
    /// Name of the field.
    pub name: String,
    /// Number of columns that the row lists.
    pub width: usize,
    /// Name of the role.
    pub role: String,
    /// The value that an honest prover writes.
    pub honest: String,
    /// Numbers of the constraints that fix it.
    pub constrained_by: String,
}

/// A row of a table of constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConstraintDoc {
    /// The label, perhaps without the chip's name in front.
    pub label: String,
    /// The formula.
    pub formula: String,
    /// Number of equations.
    pub count: usize,
    /// Degree, gates included.
    pub degree: usize,
    /// What it means; may be empty.
    pub means: String,
}

/// A row of a table of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageDoc {
    /// The label, perhaps without the table's name in front.
    pub label: String,
    /// How many a row sends.
    pub times: usize,
    /// The fields.
    pub fields: String,
}

/// What the documentation says of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Documentation {
    /// Columns.
    pub columns: Vec<ColumnDoc>,
    /// Constraints.
    pub constraints: Vec<ConstraintDoc>,
    /// Messages.
    pub messages: Vec<MessageDoc>,
}

const ADD: &str = include_str!("add.rs");
const DOUBLE: &str = include_str!("double.rs");
const SCALAR_MUL: &str = include_str!("scalar_mul.rs");
const VERIFY: &str = include_str!("verify.rs");
const HALF_SCALAR_MUL: &str = include_str!("half/scalar_mul.rs");
const HALF_VERIFY: &str = include_str!("half/verify.rs");

/// The names of the tables that [`Documentation::of`] knows.
pub const TABLES: [&str; 6] = ["add", "double", "scalar_mul", "verify", "scalar_mul.half", "verify.half"];

impl Documentation {
    /// What the documentation says of the table of this name; `None` for a table that is not among [`TABLES`].
    #[must_use]
    pub fn of(table: &str) -> Option<Self> {
        let source = match table {
            "add" => ADD,
            "double" => DOUBLE,
            "scalar_mul" => SCALAR_MUL,
            "verify" => VERIFY,
            "scalar_mul.half" => HALF_SCALAR_MUL,
            "verify.half" => HALF_VERIFY,
            _ => return None,
        };
        let mut documentation = Self::default();
        documentation.read(source);
        if table == "verify" {
            // The ladder's constraints are told there.
            let mut ladder = Self::default();
            ladder.read(SCALAR_MUL);
            documentation.constraints.append(&mut ladder.constraints);
        }
        Some(documentation)
    }

    /// The column's row, given its field's name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&ColumnDoc> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The constraint's row, given its label.
    #[must_use]
    pub fn constraint(&self, label: &str) -> Option<&ConstraintDoc> {
        self.constraints.iter().find(|constraint| is_named(label, &constraint.label))
    }

    /// The message's row, given its label.
    #[must_use]
    pub fn message(&self, label: &str) -> Option<&MessageDoc> {
        self.messages.iter().find(|message| is_named(label, &message.label))
    }

    /// Adds the rows of a source file's tables.
    fn read(&mut self, source: &str) {
        let mut section = "";
        for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
            let line = line.trim();
            if let Some(title) = line.strip_prefix("## ") {
                section = title.split_whitespace().next().unwrap_or_default();
            } else if let Some(row) = line.strip_prefix('|') {
                let cells = cells(row);
                match section {
                    "Columns" => self.read_column(&cells),
                    "Constraints" => self.constraints.extend(constraint(&cells)),
                    "Messages" => self.messages.extend(message(&cells)),
                    _ => {}
                }
            }
        }
    }

    fn read_column(&mut self, cells: &[String]) {
        let [_, names, width, role, honest, constrained_by] = cells else { return };
        let Ok(width) = width.parse() else { return };
        for name in names.split(", ") {
            self.columns.push(ColumnDoc {
                name: name.to_owned(),
                width,
                role: role.clone(),
                honest: honest.clone(),
                constrained_by: constrained_by.clone(),
            });
        }
    }
}

/// Whether `label` is `name`, with or without the chip's name in front.
fn is_named(label: &str, name: &str) -> bool {
    label == name || label.split_once('.').is_some_and(|(_, rest)| rest == name)
}

/// `None` for headers and rules, whose counts are no numbers.
fn constraint(cells: &[String]) -> Option<ConstraintDoc> {
    let [_, label, formula, count, degree, means] = cells else { return None };
    Some(ConstraintDoc {
        label: label.clone(),
        formula: formula.clone(),
        count: count.parse().ok()?,
        degree: degree.parse().ok()?,
        means: means.clone(),
    })
}

fn message(cells: &[String]) -> Option<MessageDoc> {
    let [_, label, _, _, times, fields] = cells else { return None };
    Some(MessageDoc { label: label.clone(), times: times.parse().ok()?, fields: fields.clone() })
}

/// The cells of a row, as plain text.
fn cells(row: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut characters = row.chars();
    while let Some(c) = characters.next() {
        match c {
            '|' => cells.push(plain(core::mem::take(&mut cell).trim())),
            '\\' => cell.extend(characters.next()),
            '`' => {}
            c => cell.push(c),
        }
    }
    cells
}

/// The text with `[a::b::c]` as c.
fn plain(text: &str) -> String {
    let link = text.split_once('[').and_then(|(before, rest)| {
        let (path, after) = rest.split_once(']')?;
        let (_, name) = path.rsplit_once("::")?;
        Some([before, name, after].concat())
    });
    link.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn cells_are_plain_text() {
        assert_eq!(
            cells(" `a` | b\\|c\\[0\\] | see [`super::product`] |  |"),
            vec!["a", "b|c[0]", "see product", ""]
        );
        assert_eq!(plain("s[w] and [x"), "s[w] and [x");
    }

    #[test]
    fn labels_have_a_chip_in_front() {
        assert!(is_named("verify.C1.slope_1", "C1.slope_1"));
        assert!(is_named("add.C1.is_real", "add.C1.is_real"));
        assert!(!is_named("verify.C1.slope_1", "slope_1"));
        assert!(!is_named("verify.C1.slope_1", "C1.slope_2"));
    }

    #[test]
    fn tables_are_known_by_name() {
        assert!(TABLES.iter().all(|table| Documentation::of(table).is_some()));
        assert_eq!(Documentation::of("range"), None);
    }
}
