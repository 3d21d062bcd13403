//! The shape and help of `septic inspect`.

use std::ops::Range;

use septic_air::Layout;
use septic_air::inspect::NewCell;

use crate::args::{Place, layout_parser};

const HELP: &str = "\
Examples:
  septic inspect events.json                            the first event, its first rows
  septic inspect events.json --event 2 --rows 250..256
  septic inspect events.json --event 2 --set 'lambda_1[2]@17=5'
  septic inspect events.json --event 2 --layout half-scalar --html page.html

--set changes a cell before the check, so that one sees which constraints catch it. COLUMN is a name, with
an index if it has several columns (`septic inspect --json` lists them); ROW is 0 if it is not given. Cells
that follow from the changed one stay as they are.

Exit codes:
  0  every constraint holds
  1  a constraint is violated, or the event states a wrong result
  2  unusable input, or wrong usage";

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct InspectArgs {
    /// File of events
    #[arg(value_name = "EVENTS")]
    pub(crate) events: Place,
    /// Which event, from 0
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub(crate) event: usize,
    /// Rows that are shown [default: the first four rows of the event, and those that violate something]
    #[arg(long, value_name = "FROM..TO", value_parser = rows)]
    pub(crate) rows: Option<Range<usize>>,
    /// Show all rows
    #[arg(long, conflicts_with = "rows")]
    pub(crate) all: bool,
    /// How SCALAR_MUL and VERIFY are laid out
    #[arg(long, value_name = "NAME", value_parser = layout_parser(), default_value = Layout::RowPerBit.as_str())]
    pub(crate) layout: Layout,
    /// Change a cell before the check; may be given more than once
    #[arg(long, value_name = "COLUMN[@ROW]=VALUE")]
    pub(crate) set: Vec<NewCell>,
    /// Also write a page on which to look around in the trace
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<Place>,
}

/// `FROM..TO`, or one number.
fn rows(text: &str) -> Result<Range<usize>, String> {
    let range = match text.split_once("..") {
        Some((from, to)) => from.parse().ok().zip(to.parse().ok()).map(|(from, to)| from..to),
        None => text.parse().ok().and_then(|row: usize| Some(row..row.checked_add(1)?)),
    };
    range
        .filter(|rows| !rows.is_empty())
        .ok_or_else(|| "expected FROM..TO with FROM below TO, such as 0..8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_rows() {
        assert_eq!((rows("0..8"), rows("17")), (Ok(0..8), Ok(17..18)));
        for text in ["", "..", "8..8", "9..8", "0..", "-1..3", "0..8..9", "a", "18446744073709551615"] {
            assert!(rows(text).is_err(), "{text}");
        }
    }
}
