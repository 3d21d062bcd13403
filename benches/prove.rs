//! Each chip at a small size: trace, one commitment to the main trace, proof, verification.
//!
//! The commitment is the yardstick: a proof cannot be faster than it. All under the configuration `benchmark`.

#[path = "support/events.rs"]
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use septic_air::prover::claims::Digest;
use septic_air::prover::single::{ProvableChip, claims_of, prove_trace, verify};
use septic_air::{AddChip, ConfigName, DoubleChip, ScalarMulChip, VerifyChip};
use support::{Sample, events};

const CONFIG: ConfigName = ConfigName::Benchmark;

fn chip<C: ProvableChip<Event: Sample>>(c: &mut Criterion, count: usize) {
    let events: Vec<C::Event> = events(count);
    let trace = C::generate_trace(&events).expect("points on the curve");
    let claims = claims_of(&trace, &events);
    let context = Digest::default();

    let mut group = c.benchmark_group(format!("prove/{}/{count}", C::OPERATION));
    group.throughput(Throughput::Elements(count as u64)).sampling_mode(SamplingMode::Flat);
    group.bench_function("trace", |bench| bench.iter(|| C::generate_trace(black_box(&events))));
    group.bench_function("commit", |bench| {
        bench.iter_custom(|iterations| {
            let commit = |_| CONFIG.commit_time(trace.main.clone()).expect("a supported height");
            (0..iterations).map(commit).sum()
        });
    });
    group.bench_function("prove", |bench| {
        bench.iter_batched(
            || trace.clone(),
            |trace| prove_trace(CONFIG, trace, &claims, &context),
            BatchSize::PerIteration,
        );
    });
    let proof = prove_trace(CONFIG, trace, &claims, &context).expect("a supported height");
    verify::<C>(CONFIG, &claims, &proof).expect("a valid proof");
    group.bench_function("verify", |bench| {
        bench.iter(|| verify::<C>(CONFIG, black_box(&claims), black_box(&proof)));
    });
    group.finish();
}

fn add(c: &mut Criterion) {
    chip::<AddChip>(c, 4096);
}

fn double(c: &mut Criterion) {
    chip::<DoubleChip>(c, 4096);
}

fn scalar_mul(c: &mut Criterion) {
    chip::<ScalarMulChip>(c, 64);
}

fn verify_chip(c: &mut Criterion) {
    chip::<VerifyChip>(c, 64);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500));
    targets = add, double, scalar_mul, verify_chip
}
criterion_main!(benches);
