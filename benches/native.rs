//! The extension field, the group and Schnorr signatures, without proofs.

#[path = "support/events.rs"]
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use septic_air::VerifyEvent;
use septic_air::curve::schnorr::SigningKey;
use septic_air::curve::{AffinePoint, Point, ProjectivePoint, Scalar256, mul_add_batch, params};
use support::{Fixture, events};

fn field(c: &mut Criterion) {
    let (a, b) = (params::GENERATOR.x(), params::GENERATOR.y());
    let mut group = c.benchmark_group("field");
    group.bench_function("mul", |bench| bench.iter(|| black_box(a) * black_box(b)));
    group.bench_function("dot_mul", |bench| bench.iter(|| black_box(a).dot_mul(&black_box(b))));
    group.bench_function("square", |bench| bench.iter(|| black_box(a).squared()));
    group.bench_function("dot_square", |bench| bench.iter(|| black_box(a).dot_square()));
    group.bench_function("inverse", |bench| bench.iter(|| black_box(a).inverse()));
    group.finish();
}

fn point(c: &mut Criterion) {
    let mut fixture = Fixture::new(2);
    let (p, q) = (fixture.point(), fixture.point());
    let affine: AffinePoint = params::GENERATOR;
    let (projective_p, projective_q) = (ProjectivePoint::from(p), ProjectivePoint::from(q));
    let (s, e) = (fixture.scalar(), fixture.scalar());
    let mut group = c.benchmark_group("point");
    group.bench_function("affine_add", |bench| bench.iter(|| black_box(p) + black_box(q)));
    group.bench_function("affine_double", |bench| bench.iter(|| black_box(affine).double()));
    group.bench_function("projective_add", |bench| {
        bench.iter(|| black_box(projective_p) + black_box(projective_q));
    });
    group.bench_function("projective_double", |bench| bench.iter(|| black_box(projective_p).double()));
    group.bench_function("mul_vartime", |bench| bench.iter(|| black_box(p).mul_vartime(black_box(&s))));
    group.bench_function("mul_add_vartime", |bench| {
        bench.iter(|| Point::mul_add_vartime(black_box(&s), black_box(&e), black_box(&p)));
    });

    let batch: Vec<(Scalar256, Scalar256, Point)> =
        events::<VerifyEvent>(256).into_iter().map(|VerifyEvent { a, s, e }| (s, e, a)).collect();
    group.throughput(Throughput::Elements(256));
    group.sample_size(20);
    group.bench_function("mul_add_batch/256", |bench| bench.iter(|| mul_add_batch(black_box(&batch))));
    group.finish();
}

fn schnorr(c: &mut Criterion) {
    let key = SigningKey::from_uniform_bytes(&[7; 64]).expect("a secret key that is not zero");
    let message = b"BUY 12 @ 3400";
    let signature = key.sign(message);
    let public = key.verifying_key();
    let mut group = c.benchmark_group("schnorr");
    group.bench_function("sign", |bench| bench.iter(|| key.sign(black_box(message))));
    group.bench_function("verify", |bench| {
        bench.iter(|| public.verify(black_box(message), black_box(&signature)));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = field, point, schnorr
}
criterion_main!(benches);
