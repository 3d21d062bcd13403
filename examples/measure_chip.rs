//! What a chip costs: counted from its constraints, and measured beside the commitment to its trace.
//!
//! `cargo run --release --example measure_chip`

#![allow(clippy::print_stdout, reason = "an example that shows what it does")]

use std::time::Instant;

use septic_air::chips::check::labels;
use septic_air::cost::ChipCost;
use septic_air::curve::{Point, Scalar256};
use septic_air::prover::single::{prove_trace, verify};
use septic_air::{Claim, ConfigName, TraceChip, VerifyChip, VerifyEvent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cost: ChipCost = ChipCost::of::<VerifyChip>();
    println!("{}, layout {}", cost.name, cost.layout);
    println!("{} rows of {} columns, {} cells", cost.rows_per_event, cost.columns, cost.cells_per_event);
    println!("{} constraints of degree {} at most", cost.constraints, cost.max_degree);
    for (label, count) in labels::<VerifyChip>().iter().take(3) {
        println!("  {} ({count})", label.0);
    }

    let events: Vec<VerifyEvent> = (1..=64_u64)
        .map(|i| VerifyEvent {
            a: Point::GENERATOR.double(),
            s: Scalar256::from(i),
            e: Scalar256::from(i * i),
        })
        .collect();
    let start = Instant::now();
    let trace = VerifyChip::generate_trace(&events)?;
    println!("trace of {} events: {:.1?}", events.len(), start.elapsed());

    let claims: Vec<_> =
        events.iter().zip(&trace.outputs).map(|(&event, &out)| Claim { event, out }).collect();
    let start = Instant::now();
    let proof = prove_trace(ConfigName::Benchmark, trace, &claims, &Default::default())?;
    println!("proof: {:.1?}", start.elapsed());
    let start = Instant::now();
    verify::<VerifyChip>(ConfigName::Benchmark, &claims, &proof)?;
    println!("verified: {:.1?}", start.elapsed());
    Ok(())
}
