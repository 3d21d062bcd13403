//! The report: all chips beside all references.

use septic_chips::{AddChip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use serde::Serialize;

use crate::{ChipCost, CostError, Reference, TableCost, plot, references, text};

/// The cost of every chip and of every table of the machine, and the references to compare with.
///
/// Serializes as `{"chips": […], "tables": […], "references": […]}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The chips, in the order of [`Operation::ALL`].
    pub chips: Vec<ChipCost>,
    /// The tables of the machine, in its order.
    pub tables: Vec<TableCost>,
    /// The references, ordered by operation.
    pub references: Vec<Reference>,
}

impl Default for Report {
    fn default() -> Self {
        Self::new()
    }
}

impl Report {
    /// Computes the cost of every chip and table.
    #[must_use]
    pub fn new() -> Self {
        let chips = Operation::ALL.map(|operation| match operation {
            Operation::Add => ChipCost::of::<AddChip>(),
            Operation::Double => ChipCost::of::<DoubleChip>(),
            Operation::ScalarMul => ChipCost::of::<ScalarMulChip>(),
            Operation::Verify => ChipCost::of::<VerifyChip>(),
        });
        Self { chips: chips.into(), tables: TableCost::all(), references: references().to_vec() }
    }

    /// The chip that a reference is comparable with.
    #[must_use]
    pub fn counterpart(&self, reference: &Reference) -> Option<&ChipCost> {
        self.chips.iter().find(|chip| chip.operation.name() == reference.operation)
    }

    /// Aligned plain text.
    #[must_use]
    pub fn to_table(&self) -> String {
        text::plain(self)
    }

    /// Markdown tables.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        text::markdown(self)
    }

    /// Comma-separated values: a header, then a line for each chip, each table of the machine and each reference. A
    /// cell that does not apply is empty.
    #[must_use]
    pub fn to_csv(&self) -> String {
        text::csv(self)
    }

    /// Indented JSON.
    ///
    /// # Panics
    /// Never: the report consists of finite numbers, strings, and maps with strings as keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers, strings and maps with string keys")
    }

    /// A bar chart of cells per event on a logarithmic axis, as SVG.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn to_svg(&self) -> Result<String, CostError> {
        plot::svg(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn json_has_the_documented_shape() {
        let json: Value = serde_json::from_str(&Report::new().to_json()).unwrap();
        assert_eq!(keys(&json), ["chips", "references", "tables"]);
        assert_eq!(json["tables"].as_array().unwrap().len(), 10);
        let chips = json["chips"].as_array().unwrap();
        let operations: Vec<_> = chips.iter().map(|c| c["operation"].as_str().unwrap()).collect();
        assert_eq!(operations, ["add", "double", "scalar_mul", "verify"]);
        for chip in chips {
            let mut expected = [
                "name",
                "operation",
                "layout",
                "columns",
                "columns_by_role",
                "next_columns_read",
                "rows_per_event",
                "cells_per_event",
                "constraints",
                "constraints_by_degree",
                "max_degree",
                "quotient_chunks",
                "multiplications_per_row",
                "messages_per_event",
                "sp1_gas_per_event",
            ];
            let mut found = keys(chip);
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            let number = |key: &str| chip[key].as_u64().unwrap();
            assert!(["row", "row-per-bit"].contains(&chip["layout"].as_str().unwrap()));
            let by_role = chip["columns_by_role"].as_object().unwrap();
            let sum: u64 = by_role.values().map(|n| n.as_u64().unwrap()).sum();
            assert_eq!(sum, number("columns"));
            assert_eq!(number("cells_per_event"), number("columns") * number("rows_per_event"));
            let gas =
                (3 * number("cells_per_event") + number("rows_per_event") * number("constraints")) as f64;
            assert!((chip["sp1_gas_per_event"].as_f64().unwrap() - gas / 191.0).abs() < 1e-9);
        }
        for reference in json["references"].as_array().unwrap() {
            let mut found = keys(reference);
            found.sort_unstable();
            assert_eq!(found, ["cells_per_event", "columns", "name", "note", "operation", "source"]);
            assert!(reference["cells_per_event"].as_u64().unwrap() > 0);
        }
    }

    #[test]
    fn json_keeps_the_declared_order() {
        let json = Report::new().to_json();
        let at = |key: &str| json.find(&format!("\"{key}\"")).unwrap();
        assert!(at("name") < at("operation") && at("columns") < at("columns_by_role"));
        assert!(at("state") < at("base") && at("base") < at("slope"));
    }

    #[test]
    fn every_operation_has_references() {
        let report = Report::new();
        for chip in &report.chips {
            let of_chip =
                report.references.iter().filter(|r| report.counterpart(r).is_some_and(|c| c == chip));
            assert!(of_chip.count() >= 2, "{}", chip.name);
        }
    }

    #[test]
    fn output_is_deterministic() {
        let (a, b) = (Report::new(), Report::default());
        assert_eq!(a, b);
        assert_eq!(a.to_json(), b.to_json());
        assert_eq!(a.to_svg(), b.to_svg());
    }
}
