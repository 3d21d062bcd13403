//! The extension field, the group and Schnorr signatures, without proofs; other curves in the same run.
//!
//! `cargo bench -p septic-air --bench native`. One thread. Batches count signatures a second.

#[path = "support/events.rs"]
mod support;

#[path = "support/naive.rs"]
mod naive;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use septic_air::VerifyEvent;
use septic_air::curve::schnorr::{Signature, SigningKey, VerifyingKey, verify_batch};
use septic_air::curve::{AffinePoint, Point, ProjectivePoint, Scalar, Scalar256, mul_add_batch, params};
use support::{Fixture, events};

const MESSAGE: &[u8] = b"BUY 12 @ 3400";

fn field(c: &mut Criterion) {
    let (a, b) = (params::GENERATOR.x(), params::GENERATOR.y());
    let square = a.squared();
    let mut group = c.benchmark_group("field");
    group.bench_function("mul", |bench| bench.iter(|| black_box(a) * black_box(b)));
    group.bench_function("dot_mul", |bench| bench.iter(|| black_box(a).dot_mul(&black_box(b))));
    group.bench_function("square", |bench| bench.iter(|| black_box(a).squared()));
    group.bench_function("dot_square", |bench| bench.iter(|| black_box(a).dot_square()));
    group.bench_function("inverse", |bench| bench.iter(|| black_box(a).inverse()));
    group.bench_function("sqrt", |bench| bench.iter(|| black_box(square).try_sqrt()));
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
    group.bench_function("mul_generator_vartime", |bench| {
        bench.iter(|| Point::mul_generator_vartime(black_box(&s)));
    });
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

/// Signatures of different messages under the keys in turn.
fn signatures(count: usize, keys: u64) -> Vec<(VerifyingKey, String, Signature)> {
    let keys: Vec<SigningKey> = (1..=keys)
        .map(|secret| SigningKey::from_scalar(Scalar::from(secret)).expect("a secret key that is not zero"))
        .collect();
    let sign = |(i, key): (usize, &SigningKey)| {
        let message = format!("BUY {i} @ 3400");
        let signature = key.sign(message.as_bytes());
        (key.verifying_key(), message, signature)
    };
    keys.iter().cycle().take(count).enumerate().map(|(i, key)| sign((i, key))).collect()
}

fn schnorr(c: &mut Criterion) {
    let key = SigningKey::from_uniform_bytes(&[7; 64]).expect("a secret key that is not zero");
    let signature = key.sign(MESSAGE);
    let public = key.verifying_key();
    let mut group = c.benchmark_group("schnorr");
    group.bench_function("sign", |bench| bench.iter(|| key.sign(black_box(MESSAGE))));
    group.throughput(Throughput::Elements(1));
    group.bench_function("verify", |bench| {
        bench.iter(|| public.verify(black_box(MESSAGE), black_box(&signature)).expect("valid"));
    });

    group.sample_size(20);
    for (count, keys) in [(16, 16), (200, 200), (2000, 2000), (2000, 200)] {
        let batch = signatures(count, keys);
        group.throughput(Throughput::Elements(count as u64));
        let id = BenchmarkId::new("verify_batch", format!("{count} of {keys} keys"));
        group.bench_function(id, |bench| bench.iter(|| verify_batch(black_box(&batch)).expect("valid")));
    }
    group.finish();
}

/// Other implementations and the naive baseline, each checking one signature.
fn reference(c: &mut Criterion) {
    use k256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};

    let hash = [0x5a; 32];
    let mut group = c.benchmark_group("reference");
    group.throughput(Throughput::Elements(1));

    let key = k256::ecdsa::SigningKey::from_slice(&[7; 32]).expect("a secret key");
    let signature: k256::ecdsa::Signature = key.sign_prehash(&hash).expect("a signature");
    let public = *key.verifying_key();
    group.bench_function("k256/ecdsa_verify", |bench| {
        bench.iter(|| public.verify_prehash(black_box(&hash), black_box(&signature)).expect("valid"));
    });

    let key = k256::schnorr::SigningKey::from_slice(&[7; 32]).expect("a secret key");
    let signature = key.sign_raw(&hash, &[1; 32]).expect("a signature");
    let public = *key.verifying_key();
    group.bench_function("k256/schnorr_verify", |bench| {
        bench.iter(|| public.verify_raw(black_box(&hash), black_box(&signature)).expect("valid"));
    });

    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let signature = ed25519_dalek::Signer::sign(&key, &hash);
    let public = key.verifying_key();
    group.bench_function("ed25519_dalek/verify", |bench| {
        bench.iter(|| {
            ed25519_dalek::Verifier::verify(&public, black_box(&hash), black_box(&signature)).expect("valid");
        });
    });

    let mut fixture = Fixture::new(3);
    let [s, e] = [(); 2].map(|()| Scalar256::from(Scalar::from(fixture.scalar())));
    let a = fixture.point();
    let naive_a = naive::from_point(&a);
    let expected = naive::from_point(&Point::mul_add_vartime(&s, &e, &a));
    assert_eq!(naive::mul_add(&s, &e, &naive_a), expected);
    let (x, y) = naive_a.expect("not the identity");
    group.bench_function("naive/mul", |bench| bench.iter(|| naive::mul(black_box(&x), black_box(&y))));
    group.sample_size(10);
    group.bench_function("naive/mul_add", |bench| {
        bench.iter(|| naive::mul_add(black_box(&s), black_box(&e), black_box(&naive_a)));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = field, point, schnorr, reference
}
criterion_main!(benches);
