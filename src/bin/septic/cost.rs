//! `septic cost`.

use septic_air::cost::Report;

use crate::args::{CostArgs, Format, Place};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{Access, Staged, check_outputs};

pub(crate) fn run(args: &CostArgs, console: &Console) -> Result<Outcome, Failure> {
    let format = match (console.json(), args.format) {
        (true, Some(Format::Table | Format::Csv | Format::Markdown)) => {
            return Err(Failure::unusable("error: --json and another --format exclude each other"));
        }
        (true, _) => Some(Format::Json),
        // A chart on standard output takes the table's place.
        (false, None) if args.svg == Some(Place::Standard) => None,
        (false, format) => Some(format.unwrap_or(Format::Table)),
    };
    if format.is_some() && args.svg == Some(Place::Standard) {
        return Err(Failure::unusable("error: the chart and the report both go to standard output"));
    }
    let report = Report::new();
    if let Some(place) = &args.svg {
        check_outputs(&[place], console)?;
        let svg = report.to_svg().map_err(Failure::unusable)?;
        Staged::new(place, Access::Usual, |writer| writer.write_all(svg.as_bytes()))?.commit(console)?;
    }
    let mut text = match format {
        None => return Ok(Outcome::Done),
        Some(Format::Table) => report.to_table(),
        Some(Format::Json) => report.to_json(),
        Some(Format::Csv) => report.to_csv(),
        Some(Format::Markdown) => report.to_markdown(),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    console.data(text.as_bytes())?;
    Ok(Outcome::Done)
}
