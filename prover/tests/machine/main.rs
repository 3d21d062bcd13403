//! The machine: honest lists of all kinds, and everything about a list that a proof binds.
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

use septic_prover::machine::{Layout, Machine, MachineProof, Record};
use septic_prover::{ConfigName, MixedClaim};
use septic_trace::septic_curve::{Point, Scalar256};
use septic_trace::{AddEvent, DoubleEvent, Event, ScalarMulEvent, VerifyEvent};

const CONFIG: ConfigName = ConfigName::Testing;

fn multiple(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k))
}

/// An event of each operation in turn.
fn event(i: u64) -> Event {
    match i % 4 {
        0 => VerifyEvent { a: multiple(i + 1), s: Scalar256::MAX, e: Scalar256::from(i) }.into(),
        1 => AddEvent { p: multiple(i), q: multiple(i + 3) }.into(),
        2 => ScalarMulEvent { p: multiple(i), s: Scalar256::from(7 * i) }.into(),
        _ => DoubleEvent { p: multiple(i) }.into(),
    }
}

fn proven(layout: Layout, events: &[Event]) -> (MachineProof, Vec<MixedClaim>) {
    Machine::new(CONFIG).with_layout(layout).prove(&Record::new(events)).unwrap()
}

#[test]
fn mixed_lists() {
    for &layout in Layout::ALL {
        for n in [0, 1, 2, 5, 9] {
            let events: Vec<Event> = (0..n).map(event).collect();
            let (proof, claims) = proven(layout, &events);
            Machine::new(CONFIG).verify(&claims, &proof).unwrap();
            let bytes = proof.to_bytes().unwrap();
            let read = MachineProof::from_bytes(&bytes).unwrap();
            Machine::new(CONFIG).verify(&claims, &read).unwrap();
        }
    }
}

#[test]
#[ignore = "timing"]
fn timing() {
    let config: ConfigName = std::env::var("CONFIG").map_or(ConfigName::Benchmark, |c| c.parse().unwrap());
    let n: u64 = std::env::var("N").map_or(2000, |c| c.parse().unwrap());
    let events: Vec<Event> = (0..n)
        .map(|i| VerifyEvent { a: multiple(i + 1), s: Scalar256::MAX, e: Scalar256::from(i) }.into())
        .collect();
    for &layout in Layout::ALL {
        let machine = Machine::new(config).with_layout(layout);
        for _ in 0..2 {
            let start = std::time::Instant::now();
            let (proof, claims) = machine.prove(&Record::new(&events)).unwrap();
            let prove = start.elapsed();
            let bytes = proof.to_bytes().unwrap().len();
            let start = std::time::Instant::now();
            machine.verify(&claims, &proof).unwrap();
            println!("{layout}: prove {prove:?}, verify {:?}, {bytes} bytes", start.elapsed());
        }
    }
}
