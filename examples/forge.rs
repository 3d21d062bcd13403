//! Forges a trace and is caught: by the row checker, which says why, and by the verifier.
//!
//! `cargo run --release --example forge`

#![allow(clippy::print_stdout, reason = "an example that shows what it does")]

use std::collections::BTreeSet;

use septic_air::chips::columns::ColumnSet;
use septic_air::curve::{Point, Scalar256};
use septic_air::prover::single::{prove_trace, verify};
use septic_air::{Chip, Claim, ConfigName, ScalarMulChip, ScalarMulEvent, TraceChip};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let g = Point::GENERATOR;
    let event = ScalarMulEvent { p: g, s: Scalar256::from(1_000_003) };
    let honest = ScalarMulChip::generate_trace(&[event])?;
    assert!(honest.violations().is_empty());

    // Another slope in the middle of the multiplication.
    let fields = <<ScalarMulChip as Chip>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let slope = fields.iter().find(|field| field.name.starts_with("lambda")).ok_or("no slope")?;
    let (row, width) = (128, <ScalarMulChip as Chip>::WIDTH);
    let mut forged = honest.clone();
    let cell = &mut forged.main.values[row * width + slope.offset];
    *cell += septic_air::curve::KoalaBear::new(1);
    println!("changed {} on row {row}; violated:", slope.name);
    let violated: BTreeSet<_> =
        forged.violations().into_iter().map(|violation| (violation.row, violation.label.0)).collect();
    for (row, label) in violated {
        println!("  row {row}: {label}");
    }

    // A proof of it can be made. It is not accepted.
    let claims = [Claim { event, out: honest.outputs[0] }];
    let prove = |trace| prove_trace(ConfigName::Testing, trace, &claims, &Default::default());
    verify::<ScalarMulChip>(ConfigName::Testing, &claims, &prove(honest)?)?;
    println!("the honest trace's proof: accepted");
    // Builds with debug assertions refuse to make it.
    if cfg!(not(debug_assertions)) {
        let error = verify::<ScalarMulChip>(ConfigName::Testing, &claims, &prove(forged)?);
        println!("the forged trace's proof: {}", error.expect_err("a violated constraint"));
    }
    Ok(())
}
