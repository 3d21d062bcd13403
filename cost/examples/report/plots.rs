//! The plots, as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use septic_cost::{TableCost, references};

use crate::measure::{PHASES, Run};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

const WIDTH: u32 = 900;
const LEFT: i32 = 236;
const RIGHT: i32 = 816;

const OURS: RGBColor = RGBColor(0x1b, 0x6c, 0xa8);
const BUSES: RGBColor = RGBColor(0x8a, 0xbb, 0xdd);
const OTHER: RGBColor = RGBColor(0xb8, 0xbf, 0xc6);
const SECOND: RGBColor = RGBColor(0xd9, 0x6b, 0x27);
const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xe9);
const TEXT: RGBColor = RGBColor(0x24, 0x29, 0x2e);
const FAINT: RGBColor = RGBColor(0x5f, 0x68, 0x70);

const PHASE_COLORS: [RGBColor; PHASES.len()] = [
    RGBColor(0xb8, 0xbf, 0xc6),
    RGBColor(0x7d, 0x87, 0x90),
    RGBColor(0x4d, 0x55, 0x5c),
    OURS,
    BUSES,
    SECOND,
    RGBColor(0xf0, 0xb2, 0x8a),
    RGBColor(0x4a, 0x9a, 0x6a),
];

fn style(size: u32, color: &RGBColor, anchor: HPos) -> TextStyle<'_> {
    TextStyle::from(("sans-serif", size)).color(color).pos(Pos::new(anchor, VPos::Center))
}

/// A length that is rounded to pixels.
#[allow(clippy::cast_possible_truncation, reason = "within the picture")]
fn pixels(length: f64) -> i32 {
    length.round() as i32
}

fn picture(height: i32, draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height.unsigned_abs())).into_drawing_area();
        area.fill(&WHITE).map_err(|e| e.to_string())?;
        draw(&area).and_then(|()| area.present()).map_err(|e| e.to_string())?;
    }
    Ok(svg)
}

fn title(area: &Area<'_>, title: &str, legend: &str) -> Drawn {
    area.draw(&Text::new(title.to_owned(), (24, 24), style(18, &TEXT, HPos::Left)))?;
    area.draw(&Text::new(legend.to_owned(), (24, 46), style(13, &FAINT, HPos::Left)))
}

fn text(area: &Area<'_>, text: String, at: (i32, i32), anchor: HPos) -> Drawn {
    area.draw(&Text::new(text, at, style(13, &TEXT, anchor)))
}

fn bar(area: &Area<'_>, from: i32, to: i32, top: i32, color: RGBColor) -> Drawn {
    area.draw(&Rectangle::new([(from, top), (to, top + 18)], color.filled()))
}

/// A number with thin spaces between groups of three digits.
pub(crate) fn spaced(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// Main and permutation cells of an operation by layout, beside the references.
pub(crate) fn cells() -> Result<String, Box<dyn std::error::Error>> {
    const TOP: i32 = 78;
    // Name, main cells, all cells.
    let mut bars: Vec<(String, usize, Option<usize>, i32)> = Vec::new();
    let mut top = TOP;
    let tables = TableCost::all();
    for operation in ["ADD", "DOUBLE", "SCALAR_MUL", "VERIFY"] {
        let own = tables.iter().filter(|table| table.operation == operation);
        let mut layouts: Vec<&str> = own.clone().map(|table| table.layout).collect();
        layouts.dedup();
        layouts.sort_unstable();
        for layout in layouts {
            let of = own.clone().filter(|table| table.layout == layout);
            let main = of.clone().map(|table| table.cells).sum();
            let all = of.map(|table| table.committed_cells).sum();
            bars.push((format!("{operation} ({layout})"), main, Some(all), top));
            top += 24;
        }
        for reference in references().iter().filter(|r| r.operation == operation.to_lowercase()) {
            bars.push((reference.name.to_owned(), reference.cells_per_event, None, top));
            top += 24;
        }
        top += 16;
    }
    let position = |cells: usize| {
        LEFT + pixels(f64::from(RIGHT - LEFT) * ((cells as f64).log10() - 1.0).clamp(0.0, 6.0) / 6.0)
    };
    picture(top + 40, |area| {
        title(
            area,
            "Cells per operation, logarithmic axis",
            "Blue: main columns; light blue: with permutation columns (shared tables aside). Grey: others, some with wider cells.",
        )?;
        for decade in 1..=7 {
            let x = position(10_usize.pow(decade));
            area.draw(&PathElement::new([(x, TOP - 8), (x, top)], GRID))?;
            let label = spaced(10_usize.pow(decade));
            area.draw(&Text::new(label, (x, top + 14), style(12, &FAINT, HPos::Center)))?;
        }
        for (name, main, all, top) in &bars {
            text(area, name.clone(), (LEFT - 8, top + 9), HPos::Right)?;
            let end = position(all.unwrap_or(*main));
            if all.is_some() {
                bar(area, LEFT, end, *top, BUSES)?;
            }
            bar(area, LEFT, position(*main), *top, if all.is_some() { OURS } else { OTHER })?;
            let label = match all {
                Some(all) if all != main => format!("{} / {}", spaced(*main), spaced(*all)),
                _ => spaced(*main),
            };
            text(area, label, (end + 6, top + 9), HPos::Left)?;
        }
        Ok(())
    })
}

/// Prove time by number of events, both axes logarithmic.
pub(crate) fn prove(half: &[Run], bits: &[Run]) -> Result<String, Box<dyn std::error::Error>> {
    const TOP: i32 = 70;
    const BOTTOM: i32 = 470;
    const START: i32 = 90;
    const END: i32 = 740;
    let all = || half.iter().chain(bits);
    let times = || all().map(|run| run.prove.log10());
    let (low, high) = (times().fold(f64::MAX, f64::min).floor(), times().fold(f64::MIN, f64::max).ceil());
    let counts = || all().map(|run| (run.events as f64).log2());
    let (first, last) = (counts().fold(f64::MAX, f64::min), counts().fold(f64::MIN, f64::max));
    let x = |events: usize| {
        START
            + 20
            + pixels(f64::from(END - START - 40) * ((events as f64).log2() - first) / (last - first).max(1.0))
    };
    let y = |milliseconds: f64| {
        BOTTOM - pixels(f64::from(BOTTOM - TOP) * (milliseconds.log10() - low) / (high - low).max(1.0))
    };
    picture(BOTTOM + 60, |area| {
        title(
            area,
            "Prove time by number of VERIFYs",
            "From traces to proof, in milliseconds; both axes logarithmic.",
        )?;
        for decade in pixels(low)..=pixels(high) {
            for multiple in [1.0, 2.0, 5.0] {
                let value = multiple * 10_f64.powi(decade);
                if value.log10() > high {
                    continue;
                }
                area.draw(&PathElement::new([(START, y(value)), (END, y(value))], GRID))?;
                let label = format!("{value}");
                area.draw(&Text::new(label, (START - 8, y(value)), style(12, &FAINT, HPos::Right)))?;
            }
        }
        for run in half {
            let at = x(run.events);
            area.draw(&PathElement::new([(at, TOP), (at, BOTTOM)], GRID))?;
            area.draw(&Text::new(spaced(run.events), (at, BOTTOM + 16), style(12, &FAINT, HPos::Center)))?;
        }
        for (runs, color) in [(half, OURS), (bits, SECOND)] {
            let points: Vec<(i32, i32)> = runs.iter().map(|run| (x(run.events), y(run.prove))).collect();
            area.draw(&PathElement::new(points.clone(), color.stroke_width(2)))?;
            for &point in &points {
                area.draw(&Circle::new(point, 4, color.filled()))?;
            }
            if let (Some(run), Some(&(x, y))) = (runs.last(), points.last()) {
                area.draw(&Text::new(run.layout.to_string(), (x + 10, y), style(13, &color, HPos::Left)))?;
            }
        }
        Ok(())
    })
}

/// Shares of the phases.
pub(crate) fn shares(half: &[Run], bits: &[Run]) -> Result<String, Box<dyn std::error::Error>> {
    const TOP: i32 = 100;
    let runs: Vec<&Run> = half.iter().chain(bits.last()).collect();
    let rows = i32::try_from(runs.len())?;
    picture(TOP + 30 * rows + 30, |area| {
        title(
            area,
            "Where the time goes",
            "Execution, traces and proof of VERIFYs; per cent of their sum, in seconds at the end.",
        )?;
        let mut x = 24;
        for (name, color) in PHASES.iter().zip(PHASE_COLORS) {
            area.draw(&Rectangle::new([(x, 66), (x + 12, 78)], color.filled()))?;
            text(area, (*name).to_owned(), (x + 16, 72), HPos::Left)?;
            x += 40 + 7 * i32::try_from(name.len()).unwrap_or(0);
        }
        for (row, run) in (0..).zip(&runs) {
            let top = TOP + 30 * row;
            let sum: f64 = run.phases.iter().sum();
            text(area, format!("{} ({})", spaced(run.events), run.layout), (LEFT - 8, top + 9), HPos::Right)?;
            let mut done = 0.0;
            for (phase, color) in run.phases.iter().zip(PHASE_COLORS) {
                let at = |part: f64| LEFT + pixels(f64::from(RIGHT - LEFT) * part / sum);
                let (from, to) = (at(done), at(done + phase));
                bar(area, from, to, top, color)?;
                if to - from > 30 {
                    let label = format!("{:.0}", 100.0 * phase / sum);
                    let place = (i32::midpoint(from, to), top + 9);
                    area.draw(&Text::new(label, place, style(12, &WHITE, HPos::Center)))?;
                }
                done += phase;
            }
            text(area, format!("{:.2} s", sum / 1e3), (RIGHT + 6, top + 9), HPos::Left)?;
        }
        Ok(())
    })
}
