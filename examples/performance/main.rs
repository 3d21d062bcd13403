//! Measures the arithmetic and the signatures beside other libraries', in one run, and prints `docs/performance.md`:
//!
//! ```sh
//! cargo run --release --example performance > docs/performance.md
//! ```
//!
//! Run it on an otherwise idle machine: it takes about a minute. `cargo run --release --example performance -- TABLE` prints one
//! table: `scalars`, `field`, `points`, `signatures` or `ways`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times as numbers"
)]

mod bench;
mod field;
mod points;
mod scalars;
mod signatures;

use bench::Table;
use septic_air::curve::KoalaBear;
use septic_air::curve::p3_field::{Field, PackedValue};

/// The document; `{NAME}` stands for a table.
const TEMPLATE: &str = include_str!("template.md");

/// What makes a table.
type Make = fn() -> Table;

/// The tables by name.
const TABLES: [(&str, Make); 5] = [
    ("scalars", scalars::table),
    ("field", field::table),
    ("points", points::table),
    ("signatures", signatures::table),
    ("ways", points::ways),
];

fn main() -> Result<(), String> {
    if let Some(only) = std::env::args().nth(1) {
        let (name, table) =
            TABLES.into_iter().find(|(name, _)| *name == only).ok_or(format!("no table {only}"))?;
        print!("{}", table().measure(name));
        return Ok(());
    }
    let lanes = <KoalaBear as Field>::Packing::WIDTH.to_string();
    let mut document = TEMPLATE.replace("{lanes}", &lanes);
    for (name, table) in TABLES {
        document = document.replace(&format!("{{{name}}}"), &table().measure(name));
    }
    print!("{document}");
    Ok(())
}
