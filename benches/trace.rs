//! Traces of 256 events of each operation; tables with half-size scalars of 2,000.

#[path = "support/events.rs"]
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use septic_air::chips::table::Table;
use septic_air::trace::half::{HalfOperation, HalfScalarMul, HalfVerify};
use septic_air::{AddChip, Claim, DoubleChip, ScalarMulChip, TraceChip, VerifyChip};
use support::{Sample, events};

const EVENTS: usize = 256;

const HALF_EVENTS: usize = 2000;

fn trace<C: TraceChip<Event: Sample>>(c: &mut Criterion) {
    let events: Vec<C::Event> = events(EVENTS);
    let mut group = c.benchmark_group(format!("trace/{}", C::OPERATION));
    group.throughput(Throughput::Elements(EVENTS as u64));
    group.bench_function("generate", |bench| bench.iter(|| C::generate_trace(black_box(&events))));
    group.finish();
}

/// What a verifier computes from the claims instead of a trace.
fn instance<C: TraceChip<Event: Sample>>(c: &mut Criterion) {
    let claims: Vec<_> = events(EVENTS).into_iter().map(Claim::<C::Event>::of).collect();
    let height = C::height(EVENTS).expect("a height that exists");
    let mut group = c.benchmark_group(format!("trace/{}", C::OPERATION));
    group.throughput(Throughput::Elements(EVENTS as u64));
    group.bench_function("instance_columns", |bench| {
        bench.iter(|| C::instance_columns(black_box(&claims), &[], height));
    });
    group.finish();
}

/// Results of events, as an executor makes them, and the trace of events whose results are known.
fn half<O: HalfOperation<Event: Sample>>(c: &mut Criterion) {
    let events: Vec<O::Event> = events(HALF_EVENTS);
    let outputs = O::execute(&events);
    let claims: Vec<_> = events.iter().zip(outputs).map(|(&event, out)| Claim { event, out }).collect();
    let mut group = c.benchmark_group(format!("trace/{}", <O::Table as Table>::NAME));
    group.throughput(Throughput::Elements(HALF_EVENTS as u64)).sample_size(10);
    group.bench_function("execute", |bench| bench.iter(|| O::execute(black_box(&events))));
    group.bench_function("generate_claims", |bench| bench.iter(|| O::generate_claims(black_box(&claims))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500));
    targets =
        trace::<AddChip>,
        trace::<DoubleChip>,
        trace::<ScalarMulChip>,
        trace::<VerifyChip>,
        instance::<VerifyChip>,
        half::<HalfScalarMul>,
        half::<HalfVerify>
}
criterion_main!(benches);
