//! Measuring: rounds over all cells of a table, medians of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one measurement of a cell takes, about.
const SLICE: Duration = Duration::from_millis(2);

/// Measurements of a cell.
const ROUNDS: usize = 15;

/// An operation, run a number of times.
type Operation = Box<dyn FnMut(u64)>;

/// What one cell measures.
pub(crate) struct Cell {
    run: Operation,
    /// Results of one run: times are given for one of them.
    results: u64,
}

/// A cell for an operation with one result.
pub(crate) fn cell<T>(mut operation: impl FnMut() -> T + 'static) -> Option<Cell> {
    let run = move |times| {
        for _ in 0..times {
            black_box(operation());
        }
    };
    Some(Cell { run: Box::new(run), results: 1 })
}

impl Cell {
    /// The cell of an operation on a list: times are given for one entry.
    pub(crate) fn each_of(self, results: usize) -> Self {
        Self { results: results as u64, ..self }
    }
}

/// A row: the name of an operation and its cells by column.
pub(crate) struct Row {
    name: &'static str,
    cells: Vec<Option<Cell>>,
}

/// A row whose first cell is ours.
pub(crate) fn row<const N: usize>(name: &'static str, cells: [Option<Cell>; N]) -> Row {
    Row { name, cells: cells.into() }
}

/// A table.
pub(crate) struct Table {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Row>,
    /// Whether a last column says how many times faster the last cell of a row is than its first.
    pub(crate) ratios: bool,
}

impl Table {
    /// Measures every cell and writes the table in Markdown.
    pub(crate) fn measure(mut self, name: &str) -> String {
        eprintln!("{name}");
        let allocations: Vec<Option<u64>> = self.rows.iter_mut().map(Row::allocations).collect();
        let mut times: Vec<u64> = Vec::new();
        for cell in self.cells() {
            times.push(cell.calibrate());
        }
        let mut samples = vec![Vec::new(); times.len()];
        for _ in 0..ROUNDS {
            for ((cell, &times), samples) in self.cells().zip(&times).zip(&mut samples) {
                samples.push(cell.time(times).as_nanos() as f64 / (times * cell.results) as f64);
            }
        }
        let mut medians = samples.into_iter().map(|mut samples| {
            samples.sort_by(f64::total_cmp);
            samples[samples.len() / 2]
        });

        let mut header = vec!["operation"];
        header.extend(&self.columns);
        header.push(if self.ratios { "ratio" } else { "allocations" });
        let mut text = format!("| {} |\n| --- |{}\n", header.join(" | "), " ---: |".repeat(header.len() - 1));
        for (row, allocations) in self.rows.iter().zip(allocations) {
            let nanoseconds: Vec<Option<f64>> =
                row.cells.iter().map(|cell| cell.as_ref().and_then(|_| medians.next())).collect();
            let last = match (self.ratios, nanoseconds.first(), nanoseconds.last()) {
                (true, Some(Some(first)), Some(Some(last))) => format!("{:.1} ×", first / last),
                (true, ..) => String::new(),
                (false, ..) => allocations.map_or_else(String::new, |count| count.to_string()),
            };
            let cells = nanoseconds.into_iter().map(|ns| ns.map_or_else(String::new, duration));
            let line: Vec<String> = [row.name.to_owned()].into_iter().chain(cells).chain([last]).collect();
            text.push_str(&format!("| {} |\n", line.join(" | ")));
        }
        text
    }

    /// All cells, row by row.
    fn cells(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.rows.iter_mut().flat_map(|row| row.cells.iter_mut().flatten())
    }
}

impl Row {
    /// Allocations of one run of the first cell.
    fn allocations(&mut self) -> Option<u64> {
        let cell = self.cells.first_mut()?.as_mut()?;
        // What is made once is made before.
        (cell.run)(1);
        Some(allocation_counter::measure(|| (cell.run)(1)).count_total)
    }
}

impl Cell {
    fn time(&mut self, times: u64) -> Duration {
        let start = Instant::now();
        (self.run)(times);
        start.elapsed()
    }

    /// The number of runs that take about a slice.
    fn calibrate(&mut self) -> u64 {
        let mut times = 1;
        loop {
            let time = self.time(times);
            if time > SLICE / 4 {
                let slices = SLICE.as_secs_f64() / time.as_secs_f64();
                return ((times as f64 * slices) as u64).max(1);
            }
            times *= 4;
        }
    }
}

/// A duration with two or three digits.
fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 10.0 => format!("{ns:.1} ns"),
        ns if ns < 1_000.0 => format!("{ns:.0} ns"),
        ns if ns < 100_000.0 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.0} µs", ns / 1e3),
    }
}
