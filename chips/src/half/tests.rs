//! The relations on a curve of 37 points over F_31, for all points and all slopes.

use alloc::vec::Vec;
use core::ops::{Add, Mul, Neg, Sub};

use septic_curve::Septic;

use super::step::{
    AdditionColumns, AdditionLabels, Bases, StepColumns, StepLabels, assert_addition, assert_step, y_after,
};
use super::{End, chord, end};
use crate::params::{CurveParams, PointResidues, Residues};
use crate::sink::{ConstraintSink, Label};

const Q: u32 = 31;

/// A number modulo 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Toy(u32);

impl Add for Toy {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0) % Q)
    }
}
impl Sub for Toy {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self((self.0 + Q - other.0) % Q)
    }
}
impl Mul for Toy {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0 % Q)
    }
}
impl Neg for Toy {
    type Output = Self;
    fn neg(self) -> Self {
        Self((Q - self.0) % Q)
    }
}

impl Toy {
    fn inverse(self) -> Self {
        (1..Q).map(Self).find(|&x| x * self == Self(1)).expect("not 0")
    }
}

/// y² = x³ + 3x + b with 37 points.
#[derive(Clone, Copy, Debug, Default)]
struct Curve;

const A: u32 = 3;
const NONE: PointResidues = [[0; 7]; 2];

impl CurveParams for Curve {
    const A: u32 = A;
    const B: Residues = [0; 7];
    const OFFSETS: [PointResidues; 2] = [NONE; 2];
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = [NONE; 2];
    const VERIFY_CORRECTIONS: [PointResidues; 2] = [NONE; 2];
    const HALF_GENERATOR: PointResidues = NONE;
}

type Point = (Toy, Toy);

/// The points other than the identity of the first curve y² = x³ + 3x + b with a prime number of points.
fn points() -> Vec<Point> {
    let all = || (0..Q).map(Toy);
    (1..Q)
        .map(|b| {
            let on = |&(x, y): &Point| y * y == x * x * x + Toy(A) * x + Toy(b);
            all().flat_map(|x| all().map(move |y| (x, y))).filter(on).collect::<Vec<_>>()
        })
        .find(|points| points.len() + 1 == 37)
        .expect("there is one")
}

fn add(p: Option<Point>, q: Option<Point>) -> Option<Point> {
    let (Some((x_p, y_p)), Some((x_q, y_q))) = (p, q) else { return p.or(q) };
    let lambda = if x_p != x_q {
        (y_q - y_p) * (x_q - x_p).inverse()
    } else if y_p == y_q {
        (Toy(3) * x_p * x_p + Toy(A)) * (y_p + y_p).inverse()
    } else {
        return None;
    };
    let x = lambda * lambda - x_p - x_q;
    Some((x, lambda * (x_p - x) - y_p))
}

fn embed(x: Toy) -> Septic<Toy> {
    Septic::from_fn(|i| if i == 0 { x } else { Toy(0) })
}

fn is_zero(x: &Septic<Toy>) -> bool {
    x.0 == [Toy(0); 7]
}

/// Remembers whether all constraints vanish.
struct All(bool);

impl ConstraintSink for All {
    type Expr = Toy;
    fn constant(&self, c: u32) -> Toy {
        Toy(c % Q)
    }
    fn assert_zero(&mut self, _: Label, x: Toy) {
        self.0 &= x == Toy(0);
    }
    fn assert_septic(&mut self, _: Label, x: Septic<Toy>) {
        self.0 &= is_zero(&x);
    }
}

const LABELS: StepLabels = StepLabels {
    slope_1: Label(""),
    slope_2: Label(""),
    distinct: Label(""),
    sign: Label(""),
    swap: Label(""),
};

/// For all acc, T and slopes: a step that satisfies the constraints is 2·acc + T, and there is one exactly if acc ≠ ±T and
/// 2·acc + T ≠ 𝒪.
#[test]
fn steps() {
    let points = points();
    // Another point in the place that is not selected.
    let other = points[5];
    let (mut found, mut none) = (0, 0);
    for &acc in &points {
        for &base in &points {
            for choice in 0..4 {
                let (sign, swap) = (Toy(choice % 2), Toy(choice / 2));
                let (n, m) = if swap == Toy(0) { (base, other) } else { (other, base) };
                let signed = (base.0, if sign == Toy(1) { base.1 } else { -base.1 });
                let once = add(Some(acc), Some(signed));
                let twice = add(once, Some(acc));
                let regular = acc.0 != base.0 && once.is_some() && twice.is_some();

                let [x_n, y_n, x_m, y_m] = [n.0, n.1, m.0, m.1].map(embed);
                let (x, y) = (embed(acc.0), embed(acc.1));
                let bases = Bases::new((&x_n, &y_n), (&x_m, &y_m), &Toy(1), &Toy(7));
                let run = base.0 - acc.0;
                let mut results = Vec::new();
                // (c) has a witness exactly if x_t ≠ x.
                let witness = if run == Toy(0) { Toy(0) } else { run.inverse() };
                for lambda_1 in (0..Q).map(|l| embed(Toy(l))) {
                    for lambda_2 in (0..Q).map(|l| embed(Toy(l))) {
                        let columns = StepColumns {
                            sign: &sign,
                            swap: &swap,
                            lambda_1: &lambda_1,
                            lambda_2: &lambda_2,
                            witness: &witness,
                        };
                        let mut sink = All(true);
                        let x_2 = assert_step(&mut sink, &LABELS, &bases, &x, &y, &columns);
                        if sink.0 {
                            let y_2 = y_after(&sink, &lambda_2, &x, &x_2, &y);
                            results.push((x_2.0[0], y_2.0[0]));
                        }
                    }
                }
                if regular {
                    assert_eq!(Some(results), twice.map(|point| Vec::from([point])));
                    found += 1;
                } else {
                    assert_eq!(results, []);
                    none += 1;
                }
            }
        }
    }
    assert_eq!(found + none, 36 * 36 * 4);
    // For each of the four choices: T = ±acc, and ±T = −2·acc with the sign of the choice.
    assert_eq!(none, 36 * 3 * 4);
}

const ADDITION_LABELS: AdditionLabels =
    AdditionLabels { line: Label(""), distinct: Label(""), x_out: Label("") };

/// For all 2·acc + T, F, third slopes and x of the sum: an addition that satisfies the constraints is the sum, and there is
/// one exactly if F ≠ ±(2·acc + T).
#[test]
fn additions() {
    let points = points();
    let (mut found, mut none) = (0, 0);
    for &twice in &points {
        for &f in &points {
            let run = twice.0 - f.0;
            // C8 has a witness exactly if x₂ ≠ x_f.
            let witness = if run == Toy(0) { Toy(0) } else { run.inverse() };
            let mut results = Vec::new();
            for lambda in (0..Q).map(|l| embed(Toy(l))) {
                for x_out in (0..Q).map(|x| embed(Toy(x))) {
                    let columns =
                        AdditionColumns { lambda: &lambda, witness: &witness, x_out: &x_out, real: &Toy(1) };
                    let mut sink = All(true);
                    let [twice, f] = [twice, f].map(|(x, y)| [embed(x), embed(y)]);
                    let y = assert_addition(&mut sink, &ADDITION_LABELS, &Toy(7), twice, f, &columns);
                    if sink.0 {
                        results.push((x_out.0[0], y.0[0]));
                    }
                }
            }
            if run == Toy(0) {
                assert_eq!(results, []);
                none += 1;
            } else {
                assert_eq!(Some(results), add(Some(twice), Some(f)).map(|point| Vec::from([point])));
                found += 1;
            }
        }
    }
    // F = ±(2·acc + T).
    assert_eq!((found, none), (36 * 36 - 36 * 2, 36 * 2));
}

/// VERIFY's whole step, for all acc, T and F and all three slopes that satisfy the constraints: 2·acc + T + F, and there is
/// one exactly if acc ≠ ±T and 2·acc + T ≠ 𝒪, ±F.
#[test]
fn steps_with_an_addition() {
    let points = points();
    let (mut found, mut none) = (0, 0);
    for &acc in &points {
        for &base in &points {
            let [x_t, y_t, x, y] = [base.0, base.1, acc.0, acc.1].map(embed);
            let bases = Bases::new((&x_t, &y_t), (&x_t, &y_t), &Toy(1), &Toy(7));
            let run = base.0 - acc.0;
            let witness = if run == Toy(0) { Toy(0) } else { run.inverse() };
            let mut doubled = Vec::new();
            for lambda_1 in (0..Q).map(|l| embed(Toy(l))) {
                for lambda_2 in (0..Q).map(|l| embed(Toy(l))) {
                    let columns = StepColumns {
                        sign: &Toy(1),
                        swap: &Toy(0),
                        lambda_1: &lambda_1,
                        lambda_2: &lambda_2,
                        witness: &witness,
                    };
                    let mut sink = All(true);
                    let x_2 = assert_step(&mut sink, &LABELS, &bases, &x, &y, &columns);
                    if sink.0 {
                        let y_2 = y_after(&sink, &lambda_2, &x, &x_2, &y);
                        doubled.push([x_2, y_2]);
                    }
                }
            }
            let twice = add(add(Some(acc), Some(base)), Some(acc));
            for &f in &points {
                let mut results = Vec::new();
                for [x_2, y_2] in &doubled {
                    let run = x_2.0[0] - f.0;
                    let witness = if run == Toy(0) { Toy(0) } else { run.inverse() };
                    for lambda in (0..Q).map(Toy) {
                        // C9 leaves one x for each slope.
                        let x_out = embed(lambda * lambda - x_2.0[0] - f.0);
                        let columns = AdditionColumns {
                            lambda: &embed(lambda),
                            witness: &witness,
                            x_out: &x_out,
                            real: &Toy(1),
                        };
                        let mut sink = All(true);
                        let sum = [*x_2, *y_2];
                        let f = [embed(f.0), embed(f.1)];
                        let y = assert_addition(&mut sink, &ADDITION_LABELS, &Toy(7), sum, f, &columns);
                        if sink.0 {
                            results.push((x_out.0[0], y.0[0]));
                        }
                    }
                }
                let regular = acc.0 != base.0 && twice.is_some_and(|twice| twice.0 != f.0);
                if regular {
                    assert_eq!(Some(results), add(twice, Some(f)).map(|point| Vec::from([point])));
                    found += 1;
                } else {
                    assert_eq!(results, []);
                    none += 1;
                }
            }
        }
    }
    // T = ±acc or T = −2·acc: no F; otherwise F = ±(2·acc + T).
    assert_eq!(none, 36 * (3 * 36 + 33 * 2));
    assert_eq!(found + none, 36 * 36 * 36);
}

/// For all E, N, sums and slopes: E + N = C exactly if the constraints have a solution; E = N is no exception.
#[test]
fn ends_and_chords() {
    let points = points();
    for &e in &points {
        for &n in &points {
            let [x_e, y_e, x_n, y_n] = [e.0, e.1, n.0, n.1].map(embed);
            let (mut ends, mut chords) = (Vec::new(), Vec::new());
            for lambda in (0..Q).map(Toy) {
                // x and y leave one candidate for each slope.
                let x = lambda * lambda - e.0 - n.0;
                let y = lambda * (n.0 - x) - n.1;
                let (x_c, y_c, slope) = (embed(x), embed(y), embed(lambda));
                let sink = All(true);
                let columns =
                    End { e: (&x_e, &y_e), n: (&x_n, &y_n), lambda: &slope, sum: (&x_c, &y_c), act: &Toy(1) };
                if end::<Curve, _>(&sink, &columns).iter().all(is_zero) {
                    ends.push((x, y));
                }
                if e.0 != n.0
                    && chord(&sink, (&x_e, &y_e), (&x_n, &y_n), &slope, (&x_c, &y_c)).iter().all(is_zero)
                {
                    chords.push((x, y));
                }
            }
            let sum = add(Some(e), Some(n));
            assert_eq!(ends, sum.into_iter().collect::<Vec<_>>());
            if e.0 != n.0 {
                assert_eq!(chords, ends);
            }
        }
    }
}
