//! Does the time of an operation depend on its secret? A statistical test in the manner of dudect (Reparaz, Balasch,
//! Verbauwhede, "Dude, is my code constant time?", DATE 2017).
//!
//! Each operation runs on inputs of two classes in random order: one fixed secret with few bits set, and random secrets. Welch's
//! t compares the means of both classes, over all measurements and over those below some percentiles, which take off what
//! interrupts add. |t| above 10 shows a difference; below 4.5 none was found in so many measurements. The last operation takes
//! variable time by design: it has to be found, or the test sees nothing.
//!
//! `cargo run --release -p septic-curve --example constant_time -- MEASUREMENTS`. Exits with 1 if a constant-time operation is
//! above 10, or the other one below.

#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "figures for whoever reads the output")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use crypto_bigint::U512;
use septic_curve::multiply::{mul_constant_time, mul_generator_constant_time};
use septic_curve::schnorr::SigningKey;
use septic_curve::{Point, Scalar, Scalar256};

/// splitmix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn scalar(&mut self) -> Scalar {
        let mut bytes = [0; 64];
        for chunk in bytes.chunks_exact_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes());
        }
        Scalar::reduce_wide(&U512::from_be_slice(&bytes))
    }
}

/// Welch's t of two samples.
fn welch(a: &[f64], b: &[f64]) -> f64 {
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
    };
    let ((mean_a, error_a), (mean_b, error_b)) = (moments(a), moments(b));
    (mean_a - mean_b) / (error_a + error_b).sqrt()
}

/// The greatest |t| over cuts at percentiles of all measurements, and the median in nanoseconds.
fn greatest_t(samples: &[Vec<f64>; 2]) -> (f64, f64) {
    let mut all = samples.concat();
    all.sort_by(f64::total_cmp);
    let at = |per_mille: usize| all[(all.len() - 1) * per_mille / 1000];
    let greatest = [500, 750, 900, 950, 990, 1000]
        .map(|per_mille| {
            let cut = at(per_mille);
            let [a, b] =
                samples.each_ref().map(|x| x.iter().copied().filter(|&x| x <= cut).collect::<Vec<_>>());
            if a.len() < 100 || b.len() < 100 { 0.0 } else { welch(&a, &b).abs() }
        })
        .into_iter()
        .fold(0.0, f64::max);
    (greatest, at(500))
}

/// Times an operation on secrets of both classes.
fn measure<T, R>(count: usize, secret: impl Fn(Scalar) -> T, operation: impl Fn(&T) -> R) -> (f64, f64) {
    let mut numbers = Numbers(7);
    let mut samples = [Vec::with_capacity(count), Vec::with_capacity(count)];
    for i in 0..count {
        let random = numbers.scalar();
        let class = (numbers.next() & 1) as usize;
        let input = secret(if class == 0 { Scalar::from(3) } else { random });
        let start = Instant::now();
        black_box(operation(black_box(&input)));
        let time = start.elapsed().as_nanos() as f64;
        // The first ones warm up.
        if i > count / 20 {
            samples[class].push(time);
        }
    }
    greatest_t(&samples)
}

fn main() -> ExitCode {
    let count: usize = std::env::args().nth(1).map_or(50_000, |arg| arg.parse().expect("a number"));
    let key = |secret: Scalar| SigningKey::from_scalar(secret).expect("not zero");
    let point = Point::GENERATOR.double();
    let itself = |secret: Scalar| secret;
    let rows = [
        ("Scalar * Scalar", measure(count, itself, |s| *s * *s), true),
        ("Scalar::invert", measure(count, itself, Scalar::invert), true),
        ("Scalar::try_sqrt of a square", measure(count, |s| s.square(), Scalar::try_sqrt), true),
        ("mul_generator_constant_time", measure(count, itself, mul_generator_constant_time), true),
        ("mul_constant_time", measure(count, itself, |s| mul_constant_time(s, &point)), true),
        ("SigningKey::sign", measure(count, key, |key| key.sign(b"an order")), true),
        (
            "Point::mul_generator_vartime",
            measure(count, Scalar256::from, Point::mul_generator_vartime),
            false,
        ),
    ];
    println!("{:<32}{:>12}{:>10}  verdict, of {count} measurements", "operation", "median ns", "|t|");
    let mut fine = true;
    for (name, (t, median), constant) in rows {
        let verdict = match t {
            _ if t > 10.0 => "depends on the secret",
            _ if t > 4.5 => "unclear: measure again on an idle machine",
            _ => "no difference found",
        };
        fine &= constant == (t <= 10.0);
        println!("{name:<32}{median:>12.0}{t:>10.1}  {verdict}");
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
