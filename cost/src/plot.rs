//! The report as a bar chart.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::text::separated;
use crate::{CostError, Report};

const WIDTH: u32 = 900;
/// Top of the first bar.
const TITLE: i32 = 78;
/// Left end of the bars: names stand to the left.
const LEFT: i32 = 236;
/// Right end of the axis: values stand to the right of bars.
const RIGHT: i32 = 816;
const BAR: i32 = 18;
const STEP: i32 = 24;
const GROUP_GAP: i32 = 16;
const AXIS: i32 = 40;

const OURS: RGBColor = RGBColor(0x1b, 0x6c, 0xa8);
const OTHER: RGBColor = RGBColor(0xb8, 0xbf, 0xc6);
const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xe9);
const TEXT: RGBColor = RGBColor(0x24, 0x29, 0x2e);
const FAINT: RGBColor = RGBColor(0x5f, 0x68, 0x70);

/// The axis goes from 10 to 10^`DECADES + 1`.
const DECADES: u32 = 6;

struct Bar {
    name: String,
    cells: usize,
    ours: bool,
    /// Top edge.
    top: i32,
}

/// The bars from top to bottom: for each operation the chip, then the references.
fn bars(report: &Report) -> Vec<Bar> {
    let mut bars = Vec::new();
    let mut top = TITLE;
    for chip in &report.chips {
        let mut push = |name: String, cells: usize, ours: bool| {
            bars.push(Bar { name, cells, ours, top });
            top += STEP;
        };
        push(format!("{} ({})", chip.name, chip.layout), chip.cells_per_event, true);
        for reference in report.references.iter().filter(|r| r.operation == chip.operation.name()) {
            push(reference.name.to_owned(), reference.cells_per_event, false);
        }
        top += GROUP_GAP;
    }
    bars
}

/// Where `cells` ends on the axis.
fn position(cells: f64) -> i32 {
    let share = (cells.max(1.0).log10() - 1.0) / f64::from(DECADES);
    let offset = (f64::from(RIGHT - LEFT) * share.clamp(0.0, 1.0)).round();
    // At most `RIGHT - LEFT`.
    #[allow(clippy::cast_possible_truncation)]
    let offset = offset as i32;
    LEFT + offset
}

fn style(size: u32, color: &RGBColor, anchor: HPos) -> TextStyle<'_> {
    TextStyle::from(("sans-serif", size)).color(color).pos(Pos::new(anchor, VPos::Center))
}

/// A number with thin spaces between groups of three digits.
fn spaced(n: usize) -> String {
    separated(n, '\u{2009}')
}

fn draw(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    bars: &[Bar],
    bottom: i32,
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    area.fill(&WHITE)?;
    area.draw(&Text::new("Cells per event, logarithmic axis", (24, 24), style(18, &TEXT, HPos::Left)))?;
    let legend = "Blue: these chips. Grey: others, some with wider cells.";
    area.draw(&Text::new(legend, (24, 46), style(13, &FAINT, HPos::Left)))?;
    for decade in 1..=DECADES + 1 {
        let x = position(10f64.powi(decade.cast_signed()));
        area.draw(&PathElement::new([(x, TITLE - 8), (x, bottom)], GRID))?;
        area.draw(&Text::new(
            spaced(10usize.pow(decade)),
            (x, bottom + 14),
            style(12, &FAINT, HPos::Center),
        ))?;
    }
    for bar in bars {
        let (color, middle) = (if bar.ours { OURS } else { OTHER }, bar.top + BAR / 2);
        let end = position(bar.cells as f64);
        area.draw(&Rectangle::new([(LEFT, bar.top), (end, bar.top + BAR)], color.filled()))?;
        let text = if bar.ours { TEXT } else { FAINT };
        area.draw(&Text::new(bar.name.clone(), (LEFT - 8, middle), style(13, &text, HPos::Right)))?;
        area.draw(&Text::new(spaced(bar.cells), (end + 6, middle), style(13, &text, HPos::Left)))?;
    }
    area.present()
}

pub(crate) fn svg(report: &Report) -> Result<String, CostError> {
    let bars = bars(report);
    let bottom = bars.last().map_or(TITLE, |bar| bar.top + STEP);
    let mut svg = String::new();
    {
        let height = (bottom + AXIS).unsigned_abs();
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area, &bars, bottom).map_err(|e| CostError::Plot { reason: e.to_string() })?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chart_names_everything_once() {
        let report = Report::new();
        let svg = svg(&report).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for bar in bars(&report) {
            assert_eq!(svg.matches(&bar.name).count(), 1, "{}", bar.name);
            assert!(svg.contains(&spaced(bar.cells)));
        }
    }

    #[test]
    fn axis_is_logarithmic_and_holds_everything() {
        assert_eq!((position(10.0), position(1e7)), (LEFT, RIGHT));
        assert_eq!(position(1e4) - LEFT, (RIGHT - LEFT) / 2);
        for bar in bars(&Report::new()) {
            assert!(bar.cells > 10 && bar.cells < 10_000_000);
        }
    }
}
