//! An inspection as text.

use std::fmt;

use super::view::{FieldView, Inspection, PointView, RowView};
use super::violations::Violation;
use crate::chips::columns::Role;
use crate::curve::DEGREE;

/// The greatest number of constraints whose first violation is explained.
const MAX_VIOLATIONS: usize = 12;

/// The greatest number of runs of cells of a violation, and of lines of a field, that are shown.
const MAX_LINES: usize = 12;

/// An inspection as text for a terminal, about 100 columns wide.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a Inspection);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inspection = self.0;
        head(f, inspection)?;
        for row in &inspection.rows {
            write_row(f, inspection, row)?;
        }
        writeln!(f)?;
        let first = first_of_each(&inspection.violations);
        for violation in first.iter().take(MAX_VIOLATIONS) {
            write_violation(f, inspection, violation)?;
        }
        let all: usize = inspection.constraints.iter().map(|constraint| constraint.equations).sum();
        match inspection.violations.len() {
            0 => write!(f, "satisfied: all {all} equations on each of {} rows", inspection.checked_rows),
            _ => write!(f, "violated: {}", labels(&inspection.violations).join(", ")),
        }
    }
}

/// The first violation of each label.
fn first_of_each(violations: &[Violation]) -> Vec<&Violation> {
    let is_first = |i: usize| violations[..i].iter().all(|earlier| earlier.label != violations[i].label);
    (0..violations.len()).filter(|&i| is_first(i)).map(|i| &violations[i]).collect()
}

/// Each violated label with the number of its rows, in order.
fn labels(violations: &[Violation]) -> Vec<String> {
    let mut labels: Vec<(&str, Vec<usize>)> = Vec::new();
    for violation in violations {
        match labels.iter_mut().find(|(label, _)| *label == violation.label) {
            Some((_, rows)) if rows.contains(&violation.row) => {}
            Some((_, rows)) => rows.push(violation.row),
            None => labels.push((violation.label, vec![violation.row])),
        }
    }
    let line = |(label, rows): (&str, Vec<usize>)| match rows[..] {
        [row] => format!("{label} (row {row})"),
        _ => format!("{label} ({} rows)", rows.len()),
    };
    labels.into_iter().map(line).collect()
}

fn head(f: &mut fmt::Formatter<'_>, inspection: &Inspection) -> fmt::Result {
    let Inspection { operation, layout, width, rows_per_event, height, .. } = inspection;
    let rows = if *rows_per_event == 1 { "1 row".to_owned() } else { format!("{rows_per_event} rows") };
    write!(f, "{operation}, layout {layout}: {rows} of {width} columns")?;
    match height - rows_per_event {
        0 => writeln!(f)?,
        padding => writeln!(f, ", then {padding} of padding")?,
    }
    inspection.points.iter().try_for_each(|point| write_point(f, point))?;
    for scalar in &inspection.scalars {
        writeln!(f, "  {:<14} {}", scalar.name, scalar.value)?;
    }
    for change in &inspection.changes {
        writeln!(
            f,
            "  changed        {} on row {}: {} instead of {}",
            change.name, change.row, change.new, change.old
        )?;
    }
    Ok(())
}

fn write_point(f: &mut fmt::Formatter<'_>, point: &PointView) -> fmt::Result {
    let known = point.is.as_deref().unwrap_or("");
    let off = if point.on_curve { "" } else { "  not on the curve" };
    if point.is.as_deref().is_some_and(|is| is.starts_with('𝒪')) {
        return writeln!(f, "  {:<14} {known}", point.name);
    }
    let equal = if known.is_empty() { "" } else { "= " };
    let short = |limbs: &[u32; DEGREE]| format!("({}, {}, …)", limbs[0], limbs[1]);
    let (x, y) = (short(&point.x), short(&point.y));
    let line =
        format!("  {:<14} #{}  x {x:<26} y {y:<26} {equal}{known}{off}", point.name, point.fingerprint);
    writeln!(f, "{}", line.trim_end())
}

fn write_row(f: &mut fmt::Formatter<'_>, inspection: &Inspection, row: &RowView) -> fmt::Result {
    writeln!(f, "\nrow {}: {}", row.row, row.kind)?;
    row.points.iter().take(MAX_LINES).try_for_each(|point| write_point(f, point))?;
    if row.points.len() > MAX_LINES {
        writeln!(f, "  … and {} points more", row.points.len() - MAX_LINES)?;
    }
    for number in &row.numbers {
        let line = format!("  {:<14} {:<8} {}", number.name, number.value, number.means);
        writeln!(f, "{}", line.trim_end())?;
    }
    if row.cells.iter().all(|&cell| cell == 0) {
        return writeln!(f, "  every cell is 0");
    }
    for role in Role::ALL {
        let fields: Vec<&FieldView> =
            inspection.fields.iter().filter(|field| field.role == role.name()).collect();
        if fields.is_empty() {
            continue;
        }
        writeln!(f, "  {role}")?;
        let (single, several): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| field.width == 1);
        for field in several {
            let cells = &row.cells[field.offset..][..field.width];
            write_cells(f, field.name, cells)?;
        }
        for fields in single.chunks(4) {
            let cells =
                fields.iter().map(|field| format!("{:<12} {:<10}", field.name, row.cells[field.offset]));
            writeln!(f, "    {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
    }
    Ok(())
}

/// The cells of a field: bits as one word, elements one a line.
fn write_cells(f: &mut fmt::Formatter<'_>, name: &str, cells: &[u32]) -> fmt::Result {
    if cells.len() > DEGREE && cells.iter().all(|&cell| cell <= 1) {
        let bits: String = cells.iter().map(|cell| cell.to_string()).collect();
        return writeln!(f, "    {name:<12} {bits}");
    }
    let lines = cells.chunks(DEGREE);
    let count = lines.len();
    // A field of many elements: the first and the last.
    let hidden = if count > MAX_LINES { 2..count - 1 } else { 0..0 };
    for (i, line) in lines.enumerate() {
        if hidden.contains(&i) {
            if i == hidden.start {
                writeln!(f, "    {:<12} … {} cells more", "", DEGREE * hidden.len())?;
            }
            continue;
        }
        let place = if i == 0 { name.to_owned() } else { format!("  [{}]", DEGREE * i) };
        let values: Vec<String> = line.iter().map(|cell| format!("{cell:>10}")).collect();
        writeln!(f, "    {place:<12} {}", values.join(" "))?;
    }
    Ok(())
}

fn write_violation(
    f: &mut fmt::Formatter<'_>,
    inspection: &Inspection,
    violation: &Violation,
) -> fmt::Result {
    let (formula, means) = inspection.explain(violation);
    writeln!(f, "row {}: {} is violated", violation.row, violation.label)?;
    let dash = if means.is_empty() { "" } else { "   " };
    writeln!(f, "    {formula}{dash}{means}")?;
    let residues: Vec<String> = violation
        .equations
        .iter()
        .map(|equation| match equation.coordinate {
            Some(i) => format!("{} at [{i}]", equation.residue),
            None => equation.residue.to_string(),
        })
        .collect();
    if !residues.is_empty() {
        writeln!(f, "    left over instead of 0: {}", residues.join(", "))?;
    }
    for run in violation.cells.iter().take(MAX_LINES) {
        let many = run.values.len() > DEGREE;
        let values: Vec<String> = run.values.iter().take(DEGREE).map(u32::to_string).collect();
        let more = if many { format!(" … {} more", run.values.len() - DEGREE) } else { String::new() };
        writeln!(f, "    row {:<3} {:<14} {}{more}", run.row, run.name(), values.join(" "))?;
    }
    if violation.cells.len() > MAX_LINES {
        writeln!(f, "    … and {} fields more", violation.cells.len() - MAX_LINES)?;
    }
    writeln!(f)
}
