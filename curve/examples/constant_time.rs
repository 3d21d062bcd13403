//! Does what an operation does depend on its secret? Two ways to see it:
//!
//! `cargo run --release -p septic-curve --example constant_time -- [MEASUREMENTS [OPERATION]]`: a statistical test of the time, in
//! the manner of dudect (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", DATE 2017). Each operation runs on inputs
//! of two classes in random order: one fixed secret with few bits set, and random secrets. Welch's t compares the means of both
//! classes, over all measurements and over those below some percentiles, which take off what interrupts add. |t| above 10 shows a
//! difference; below 4.5 none was found in so many measurements. Exits with 1 if a constant-time operation is above 10, or the
//! operation of variable time, the last, below: it has to be found, or the test sees nothing.
//!
//! `constant_time once OPERATION`: runs it once on the 32 secret bytes of standard input. `.ci/constant-time` runs this under a tool
//! that lists the address of every instruction and of every access to memory, for several secrets: the lists have to be equal.
//!
//! `constant_time list` prints the names of the operations.

#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "figures for whoever reads the output")]

use std::hint::black_box;
use std::io::Read;
use std::process::ExitCode;
use std::time::Instant;

use crypto_bigint::U512;
use septic_curve::multiply::{mul_constant_time, mul_generator_constant_time};
use septic_curve::schnorr::SigningKey;
use septic_curve::{Point, ProjectivePoint, Scalar, Scalar256};

/// Turns a secret into the operation on it. What it makes beforehand is not measured.
type Prepare = fn(Scalar) -> Box<dyn Fn() -> Output>;

/// What comes out, as bytes of a fixed number.
type Output = [u8; 57];

/// Name, preparation, and whether it takes the same time for every secret.
const OPERATIONS: [(&str, Prepare, bool); 14] = [
    ("add", |s| Box::new(move || scalar(black_box(s) + s)), true),
    ("multiply", |s| Box::new(move || scalar(black_box(s) * s)), true),
    ("square", |s| Box::new(move || scalar(black_box(s).square())), true),
    (
        "equal",
        |s| {
            Box::new(move || {
                let mut out = scalar(s);
                out[56] = u8::from(black_box(s) == Scalar::from(3));
                out
            })
        },
        true,
    ),
    (
        "reduce_wide",
        |s| {
            let wide = (s.to_uint(), (s + s).to_uint()).into();
            Box::new(move || scalar(Scalar::reduce_wide(&black_box(wide))))
        },
        true,
    ),
    (
        "batch_invert",
        |s| {
            Box::new(move || {
                let mut values = black_box([s, s + s, Scalar::ZERO, Scalar::ONE]);
                Scalar::batch_invert(&mut values);
                scalar(values[1])
            })
        },
        true,
    ),
    ("invert", |s| Box::new(move || black_box(s).invert().map_or([0; 57], scalar)), true),
    (
        "sqrt",
        |s| {
            let s = s.square();
            Box::new(move || black_box(s).try_sqrt().map_or([0; 57], scalar))
        },
        true,
    ),
    ("pow", |s| Box::new(move || scalar(Scalar::from(7).pow(&black_box(s).to_uint()))), true),
    ("mul_generator", |s| Box::new(move || affine(mul_generator_constant_time(&black_box(s)))), true),
    (
        "mul",
        |s| {
            let point = Point::GENERATOR.double();
            Box::new(move || affine(mul_constant_time(&black_box(s), &point)))
        },
        true,
    ),
    (
        "key",
        |s| {
            Box::new(move || {
                SigningKey::from_bytes(&black_box(s).to_bytes()).map_or([0; 57], |key| public(&key))
            })
        },
        true,
    ),
    (
        "sign",
        |s| {
            let key = SigningKey::from_scalar(s).expect("not zero");
            Box::new(move || {
                let signature = black_box(&key).sign(b"an order");
                let mut out = signature.r.to_uncompressed();
                out[..28].copy_from_slice(&Scalar::from(signature.s).to_bytes()[4..]);
                out
            })
        },
        true,
    ),
    (
        "mul_generator_vartime",
        |s| Box::new(move || Point::mul_generator_vartime(&Scalar256::from(black_box(s))).to_uncompressed()),
        false,
    ),
];

fn scalar(s: Scalar) -> Output {
    let mut out = [0; 57];
    out[..32].copy_from_slice(&s.to_bytes());
    out
}

fn affine(point: ProjectivePoint) -> Output {
    point.to_point().to_uncompressed()
}

fn public(key: &SigningKey) -> Output {
    key.verifying_key().0.to_uncompressed()
}

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
fn measure(count: usize, prepare: Prepare) -> (f64, f64) {
    let mut numbers = Numbers(7);
    let mut samples = [Vec::with_capacity(count), Vec::with_capacity(count)];
    for i in 0..count {
        let random = numbers.scalar();
        let class = (numbers.next() & 1) as usize;
        let operation = prepare([Scalar::from(3), random][class]);
        let start = Instant::now();
        black_box(operation());
        let time = start.elapsed().as_nanos() as f64;
        // The first ones warm up.
        if i > count / 20 {
            samples[class].push(time);
        }
    }
    greatest_t(&samples)
}

fn statistics(count: usize, only: Option<&str>) -> ExitCode {
    println!("{:<24}{:>12}{:>10}  verdict, of {count} measurements", "operation", "median ns", "|t|");
    let mut fine = true;
    for (name, prepare, constant) in
        OPERATIONS.into_iter().filter(|(name, ..)| only.is_none_or(|only| only == *name))
    {
        let (t, median) = measure(count, prepare);
        let verdict = match t {
            _ if t > 10.0 => "depends on the secret",
            _ if t > 4.5 => "unclear: measure again on an idle machine",
            _ => "no difference found",
        };
        fine &= constant == (t <= 10.0);
        println!("{name:<24}{median:>12.0}{t:>10.1}  {verdict}");
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Where the list of instructions of the operation begins and ends.
#[inline(never)]
fn begin() {
    black_box(0);
}

/// See [`begin`].
#[inline(never)]
fn end() {
    black_box(1);
}

/// Runs an operation on the secret of standard input. Prints the addresses of [`begin`] and [`end`], then what comes out.
fn once(name: &str) {
    let (_, prepare, _) =
        OPERATIONS.into_iter().find(|(found, ..)| *found == name).expect("the name of an operation");
    let mut secret = [0; 32];
    std::io::stdin().read_exact(&mut secret).expect("32 bytes");
    let operation = prepare(Scalar::from_bytes(&secret).expect("a number below r"));
    println!("{:08x} {:08x}", begin as *const () as usize, end as *const () as usize);
    black_box(begin as fn())();
    let output = black_box(operation());
    black_box(end as fn())();
    println!("{output:02x?}");
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => OPERATIONS.iter().for_each(|(name, ..)| println!("{name}")),
        ["once", name] => once(name),
        [] => return statistics(50_000, None),
        [count] => return statistics(count.parse().expect("a number"), None),
        [count, name, ..] => return statistics(count.parse().expect("a number"), Some(name)),
    }
    ExitCode::SUCCESS
}
