//! Traces of 256 events of each operation.

#[path = "support/events.rs"]
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use septic_air::{AddChip, DoubleChip, ScalarMulChip, TraceChip, VerifyChip};
use support::{Sample, events};

const EVENTS: usize = 256;

fn trace<C: TraceChip<Event: Sample>>(c: &mut Criterion) {
    let events: Vec<C::Event> = events(EVENTS);
    let mut group = c.benchmark_group(format!("trace/{}", C::OPERATION));
    group.throughput(Throughput::Elements(EVENTS as u64));
    group.bench_function("generate", |bench| bench.iter(|| C::generate_trace(black_box(&events))));
    group.finish();
}

/// What a verifier computes from the claims instead of a trace.
fn instance<C: TraceChip<Event: Sample>>(c: &mut Criterion) {
    let claims: Vec<_> = events(EVENTS).into_iter().map(septic_air::Claim::<C::Event>::of).collect();
    let height = C::height(EVENTS).expect("a height that exists");
    let mut group = c.benchmark_group(format!("trace/{}", C::OPERATION));
    group.throughput(Throughput::Elements(EVENTS as u64));
    group.bench_function("instance_columns", |bench| {
        bench.iter(|| C::instance_columns(black_box(&claims), &[], height));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500));
    targets =
        trace::<AddChip>,
        trace::<DoubleChip>,
        trace::<ScalarMulChip>,
        trace::<VerifyChip>,
        instance::<VerifyChip>
}
criterion_main!(benches);
