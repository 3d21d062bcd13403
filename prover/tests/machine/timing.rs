//! Times, printed: `cargo test --profile soundness -p septic-prover --test machine timing -- --ignored --nocapture`.
#![allow(clippy::print_stdout, reason = "a measurement")]

use std::time::Instant;

use septic_prover::ConfigName;
use septic_prover::machine::{Layout, Machine, Record};
use septic_prover::septic_trace::septic_curve::Scalar256;
use septic_prover::septic_trace::{Event, VerifyEvent};

use crate::cases::multiple;

#[test]
#[ignore = "a measurement"]
fn timing() {
    let config: ConfigName = std::env::var("CONFIG").map_or(ConfigName::Benchmark, |c| c.parse().unwrap());
    let n: u64 = std::env::var("N").map_or(2000, |c| c.parse().unwrap());
    let events: Vec<Event> = (0..n)
        .map(|i| VerifyEvent { a: multiple(i + 1), s: Scalar256::MAX, e: Scalar256::from(i) }.into())
        .collect();
    for &layout in Layout::ALL {
        let machine = Machine::new(config).with_layout(layout);
        for _ in 0..3 {
            let record = Record::new(&events);
            let start = Instant::now();
            let (traces, claims) = machine.traces(&record, &mut ()).unwrap();
            let trace = start.elapsed();
            let start = Instant::now();
            let proof = machine.prove_traces(&traces, &claims, &mut ()).unwrap();
            let prove = start.elapsed();
            let bytes = proof.to_bytes().unwrap().len();
            let start = Instant::now();
            machine.verify(&claims, &proof).unwrap();
            let verify = start.elapsed();
            println!("{layout}: trace {trace:?}, prove {prove:?}, verify {verify:?}, {bytes} bytes");
        }
    }
}
