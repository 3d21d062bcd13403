//! The machine, lists of one operation in both layouts: traces, one commitment to each trace, proof, verification.
//!
//! The commitments are the yardstick: a proof cannot be faster than them. They are in the group of the proof, so that the
//! ratio is one run's. All under the configuration `benchmark`.

#[path = "support/events.rs"]
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use septic_air::{
    AddEvent, ConfigName, DoubleEvent, Event, Layout, Machine, Record, ScalarMulEvent, VerifyEvent,
};
use support::{Sample, events};

const CONFIG: ConfigName = ConfigName::Benchmark;

fn list<E: Sample + Into<Event>>(c: &mut Criterion, layout: Layout, count: usize) {
    let events: Vec<Event> = events::<E>(count).into_iter().map(Into::into).collect();
    let record = Record::new(&events);
    let machine = Machine::new(CONFIG).with_layout(layout);
    let (traces, claims) = machine.traces(&record, &mut ()).expect("points on the curve");

    let mut group = c.benchmark_group(format!("machine/{}/{layout}/{count}", events[0].operation()));
    group.throughput(Throughput::Elements(count as u64)).sampling_mode(SamplingMode::Flat);
    group.bench_function("trace", |bench| bench.iter(|| machine.traces(black_box(&record), &mut ())));
    group.bench_function("commit", |bench| {
        bench.iter_custom(|iterations| {
            let commit = |_| -> Duration {
                let times = traces.tables().map(|(_, trace)| CONFIG.commit_time(trace.clone()));
                times.map(|time| time.expect("a supported height")).sum()
            };
            (0..iterations).map(commit).sum()
        });
    });
    group.bench_function("prove", |bench| {
        bench.iter(|| machine.prove_traces(black_box(&traces), &claims, &mut ()));
    });
    let proof = machine.prove_traces(&traces, &claims, &mut ()).expect("supported heights");
    machine.verify(&claims, &proof).expect("a valid proof");
    group.bench_function("verify", |bench| {
        bench.iter(|| machine.verify(black_box(&claims), black_box(&proof)));
    });
    group.finish();
}

fn rows(c: &mut Criterion) {
    list::<AddEvent>(c, Layout::HalfScalar, 4096);
    list::<DoubleEvent>(c, Layout::HalfScalar, 4096);
}

fn ladders<E: Sample + Into<Event>>(c: &mut Criterion) {
    for count in [256, 512, 1024, 2048] {
        list::<E>(c, Layout::HalfScalar, count);
    }
    for count in [64, 256] {
        list::<E>(c, Layout::RowPerBit, count);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(200));
    targets = rows, ladders::<ScalarMulEvent>, ladders::<VerifyEvent>
}
criterion_main!(benches);
