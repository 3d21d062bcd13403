//! The tables of the document: each between `<!-- begin: NAME -->` and `<!-- end: NAME -->`.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use septic_cost::{SplitChain, TableCost};
use septic_prover::machine::TableKind;

use crate::criterion::Median;
use crate::measure::{PHASES, Run};

/// A Markdown table; the first `words` columns are flush left.
fn table(header: &[&str], words: usize, rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|", header.join(" | "));
    for i in 0..header.len() {
        text.push_str(if i < words { " --- |" } else { " ---: |" });
    }
    text.push('\n');
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

/// A number with commas between groups of three digits.
fn grouped(n: usize) -> String {
    crate::plots::spaced(n).replace('\u{2009}', ",")
}

fn cells() -> String {
    let tables = TableCost::all();
    let mut rows = Vec::new();
    for (operation, layouts) in [
        ("ADD", &["row"][..]),
        ("DOUBLE", &["row"]),
        ("SCALAR_MUL", &["half-scalar", "row-per-bit"]),
        ("VERIFY", &["half-scalar", "row-per-bit"]),
    ] {
        for &layout in layouts {
            let of = || tables.iter().filter(|t| t.operation == operation && t.layout == layout);
            let sum = |part: fn(&TableCost) -> usize| grouped(of().map(part).sum());
            rows.push(vec![
                operation.to_owned(),
                layout.to_owned(),
                of().map(|t| format!("{} × {}", grouped(t.rows), grouped(t.columns)))
                    .collect::<Vec<_>>()
                    .join(" + "),
                sum(|t| t.cells),
                sum(|t| t.committed_cells),
                sum(|t| t.messages * t.rows),
                format!("{:.1}", of().map(|t| t.sp1_gas).sum::<f64>()),
            ]);
        }
    }
    for shared in tables.iter().filter(|t| t.operation == "shared") {
        rows.push(vec![
            format!("{} (once a proof)", shared.name),
            shared.layout.to_owned(),
            format!("{} × {}", grouped(shared.rows), shared.columns),
            grouped(shared.cells),
            grouped(shared.committed_cells),
            grouped(shared.messages * shared.rows),
            format!("{:.1}", shared.sp1_gas),
        ]);
    }
    let header = ["operation", "layout", "rows × columns", "main cells", "with buses", "messages", "SP1 gas"];
    table(&header, 2, &rows)
}

fn times(half: &[Run], bits: &[Run]) -> String {
    let seconds = |ms: f64| format!("{:.3} s", ms / 1e3);
    let rows: Vec<_> = half
        .iter()
        .chain(bits)
        .map(|run| {
            vec![
                run.layout.to_string(),
                grouped(run.events),
                seconds(run.execute),
                seconds(run.trace),
                seconds(run.commit),
                seconds(run.prove),
                format!("{:.2}", run.prove / run.commit),
                format!("{:.0} µs", 1e3 * run.prove / run.events as f64),
                format!("{:.0} ms", run.verify),
                format!("{} kB", run.proof_bytes / 1000),
                run.peak_memory.map_or_else(|| "–".to_owned(), |mb| format!("{mb:.0} MB")),
                format!("{:.1} M", run.main_cells as f64 / 1e6),
                format!("{:.1} M", run.cells as f64 / 1e6),
            ]
        })
        .collect();
    let header = [
        "layout",
        "VERIFYs",
        "execute",
        "trace",
        "commit",
        "prove",
        "prove ÷ commit",
        "prove, each",
        "verify",
        "proof",
        "peak memory",
        "main cells",
        "with buses",
    ];
    table(&header, 1, &rows)
}

fn shares(half: &[Run], bits: &[Run]) -> String {
    let rows: Vec<_> = half
        .iter()
        .chain(bits)
        .map(|run| {
            let sum: f64 = run.phases.iter().sum();
            let mut row = vec![run.layout.to_string(), grouped(run.events)];
            row.extend(run.phases.iter().map(|ms| format!("{ms:.0} ms ({:.0} %)", 100.0 * ms / sum)));
            row
        })
        .collect();
    let header: Vec<&str> = ["layout", "VERIFYs"].into_iter().chain(PHASES).collect();
    table(&header, 1, &rows)
}

fn sweep() -> String {
    let shared = |table| match table {
        TableKind::VerifyHalf => "VERIFY",
        _ => "SCALAR_MUL",
    };
    let mut rows = Vec::new();
    for kind in [TableKind::ScalarMulHalf, TableKind::VerifyHalf] {
        let sweep = SplitChain::sweep(kind);
        let built = sweep[sweep.len() - 1];
        for split in sweep {
            let all = split == built;
            rows.push(vec![
                shared(kind).to_owned(),
                if all { "all (built)".to_owned() } else { split.steps.to_string() },
                if all { "–".to_owned() } else { split.rows.to_string() },
                grouped(split.cells),
                grouped(split.committed_cells),
                format!("{:.2}", split.committed_cells as f64 / built.committed_cells as f64),
            ]);
        }
    }
    table(&["operation", "steps a row k", "chain rows", "main cells", "with buses", "÷ built"], 1, &rows)
}

fn medians(medians: &[Median], prefix: &str) -> Option<String> {
    let rows: Vec<_> = medians
        .iter()
        .filter(|median| median.group.starts_with(prefix))
        .map(|median| {
            vec![
                median.group.clone(),
                median.function.clone(),
                grouped_time(median.nanoseconds),
                grouped_time(median.nanoseconds / median.elements),
            ]
        })
        .collect();
    let element = if prefix.starts_with("quotient") { "a row" } else { "an event" };
    (!rows.is_empty()).then(|| table(&["group", "part", "median", element], 2, &rows))
}

/// The machine's groups, one a row, by operation, layout and number.
fn machine(medians: &[Median]) -> Option<String> {
    let mut groups: BTreeMap<(&str, &str, usize), BTreeMap<&str, f64>> = BTreeMap::new();
    for median in medians {
        if let ["machine", operation, layout, count] = median.group.split('/').collect::<Vec<_>>()[..] {
            let parts = groups.entry((operation, layout, count.parse().ok()?)).or_default();
            parts.insert(&median.function, median.nanoseconds);
        }
    }
    let rows: Vec<_> = groups
        .into_iter()
        .map(|((operation, layout, count), parts)| {
            let mut row = vec![operation.to_owned(), layout.to_owned(), grouped(count)];
            let of = |part: &str| parts.get(part).copied().unwrap_or(f64::NAN);
            row.extend(["trace", "commit", "prove", "verify"].map(|part| grouped_time(of(part))));
            row.push(format!("{:.2}", of("prove") / of("commit")));
            row.push(grouped_time(of("prove") / count as f64));
            row
        })
        .collect();
    let header = [
        "operation",
        "layout",
        "events",
        "trace",
        "commit",
        "prove",
        "verify",
        "prove ÷ commit",
        "prove, each",
    ];
    (!rows.is_empty()).then(|| table(&header, 2, &rows))
}

/// A time with three digits and a unit.
fn grouped_time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

/// Puts `block` between its marks.
fn replace(text: &str, name: &str, block: &str) -> Result<String, Box<dyn Error>> {
    let (begin, end) = (format!("<!-- begin: {name} -->\n"), format!("<!-- end: {name} -->"));
    let missing = || format!("benchmarks.md has no marks of {name}");
    let (before, rest) = text.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{block}\n{end}{after}"))
}

/// Replaces the tables of the document.
pub(crate) fn write(
    path: &Path,
    half: &[Run],
    bits: &[Run],
    criterion: &[Median],
) -> Result<(), Box<dyn Error>> {
    let mut text = std::fs::read_to_string(path)?;
    for (name, block) in [
        ("cells", Some(cells())),
        ("times", Some(times(half, bits))),
        ("shares", Some(shares(half, bits))),
        ("sweep", Some(sweep())),
        ("quotient", medians(criterion, "quotient/")),
        ("machine", machine(criterion)),
        ("traces", medians(criterion, "trace/")),
    ] {
        if let Some(block) = block {
            text = replace(&text, name, &block)?;
        }
    }
    std::fs::write(path, text)?;
    Ok(())
}
