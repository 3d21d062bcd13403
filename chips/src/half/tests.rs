//! The relations on a curve of 37 points over F_31, for all points and all slopes.
//!
//! B_j, C_j and Q_j are real·A_0 + offset·(A_1 − A_0) in the constraints. With A_0 = (1, 0) and A_1 = (0, 1) that is
//! (real − offset, offset): any pair, for flags that are no bits.

use alloc::vec::Vec;
use core::ops::{Add, Mul, Neg, Sub};

use septic_curve::Septic;

use super::chain::{
    Chain, ChainLabels, Product, StepLabels, assert_addition, assert_chain, assert_step, u_bits, w_bits,
};
use super::verify::HalfVerifyCols;
use super::{DIGITS, HalfVerifyTable, STEPS, assert_sum_and_difference};
use crate::chip::NoFlags;
use crate::columns::{ColumnSet, column};
use crate::generator::WINDOWS;
use crate::params::{CurveParams, HalfParams, PointResidues, Residues};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

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
    /// 1/x, or 0 at 0.
    fn inv0(self) -> Self {
        elements().find(|&x| x * self == Self(1)).unwrap_or(Self(0))
    }
}

fn elements() -> impl Iterator<Item = Toy> + Clone {
    (0..Q).map(Toy)
}

/// y² = x³ + 3x + b with 37 points.
#[derive(Clone, Copy, Debug, Default)]
struct Curve;

const A: u32 = 3;
/// (1, 0) and (0, 1).
const UNITS: [PointResidues; 2] = [[[1, 0, 0, 0, 0, 0, 0], [0; 7]], [[0; 7], [1, 0, 0, 0, 0, 0, 0]]];

impl CurveParams for Curve {
    const A: u32 = A;
    const B: Residues = [0; 7];
    const OFFSETS: [PointResidues; 2] = UNITS;
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = UNITS;
    const VERIFY_CORRECTIONS: [PointResidues; 2] = UNITS;
    const HALF_GENERATOR: PointResidues = UNITS[0];
}

impl HalfParams for Curve {
    const HALF_CORRECTIONS: [PointResidues; 2] = UNITS;
    const GENERATOR_OFFSETS: [PointResidues; 2] = UNITS;
}

type Point = (Toy, Toy);

/// The points other than the identity of the first curve y² = x³ + 3x + b with a prime number of points.
fn points() -> Vec<Point> {
    (1..Q)
        .map(|b| {
            let on = |&(x, y): &Point| y * y == x * x * x + Toy(A) * x + Toy(b);
            elements().flat_map(|x| elements().map(move |y| (x, y))).filter(on).collect::<Vec<_>>()
        })
        .find(|points| points.len() + 1 == 37)
        .expect("there is one")
}

fn add(p: Option<Point>, q: Option<Point>) -> Option<Point> {
    let (Some((x_p, y_p)), Some((x_q, y_q))) = (p, q) else { return p.or(q) };
    let lambda = if x_p != x_q {
        (y_q - y_p) * (x_q - x_p).inv0()
    } else if y_p == y_q {
        (Toy(3) * x_p * x_p + Toy(A)) * (y_p + y_p).inv0()
    } else {
        return None;
    };
    let x = lambda * lambda - x_p - x_q;
    Some((x, lambda * (x_p - x) - y_p))
}

fn minus((x, y): Point) -> Point {
    (x, -y)
}

/// The slope of a chord.
fn chord(p: Point, q: Point) -> Toy {
    (q.1 - p.1) * (q.0 - p.0).inv0()
}

fn embed(x: Toy) -> Septic<Toy> {
    Septic::from_fn(|i| if i == 0 { x } else { Toy(0) })
}

fn pair((x, y): Point) -> [Septic<Toy>; 2] {
    [x, y].map(embed)
}

fn is_zero(x: &Septic<Toy>) -> bool {
    x.0 == [Toy(0); 7]
}

/// Keeps the values of all constraints.
#[derive(Default)]
struct Values(Vec<(Label, Septic<Toy>)>);

impl Values {
    fn all_vanish(&self) -> bool {
        self.0.iter().all(|(_, x)| is_zero(x))
    }

    /// The only constraint with this label.
    fn value(&self, label: &str) -> Toy {
        let mut values = self.0.iter().filter(|(found, _)| found.0 == label).map(|(_, x)| x.0[0]);
        let value = values.next().expect("a constraint");
        assert!(values.next().is_none(), "one constraint");
        value
    }
}

impl ConstraintSink for Values {
    type Expr = Toy;
    fn constant(&self, c: u32) -> Toy {
        Toy(c % Q)
    }
    fn assert_zero(&mut self, label: Label, x: Toy) {
        self.0.push((label, embed(x)));
    }
    fn assert_septic(&mut self, label: Label, x: Septic<Toy>) {
        self.0.push((label, x));
    }
    /// All elements are of F_31.
    fn mul(&self, a: &Septic<Toy>, b: &Septic<Toy>) -> Septic<Toy> {
        debug_assert!(a.0[1..].iter().chain(&b.0[1..]).all(|&x| x == Toy(0)));
        embed(a.0[0] * b.0[0])
    }
    fn square(&self, a: &Septic<Toy>) -> Septic<Toy> {
        self.mul(a, a)
    }
}

const STEP: StepLabels = StepLabels { slope_1: Label("slope_1"), slope_2: Label("slope_2") };

/// For all acc, T and slopes: if x ≠ x_t, one slope passes, and leads to the sum. If acc = −T none does; if acc = T all do.
#[test]
fn additions() {
    let points = points();
    for &acc in &points {
        for &t in &points {
            let passes = |lambda: &Toy| {
                let mut sink = Values::default();
                let [x, y] = assert_addition(&mut sink, Label(""), &pair(acc), &pair(t), &embed(*lambda));
                sink.all_vanish().then_some((x.0[0], y.0[0]))
            };
            let results: Vec<Point> = elements().filter_map(|lambda| passes(&lambda)).collect();
            if acc == t {
                assert_eq!(results.len(), 31);
            } else {
                assert_eq!(results, add(Some(acc), Some(t)).into_iter().collect::<Vec<_>>());
            }
        }
    }
}

/// The results of a step for all slopes.
fn steps_of(acc: Point, t: Point) -> Vec<Point> {
    let mut results = Vec::new();
    for lambda_1 in elements().map(embed) {
        for lambda_2 in elements().map(embed) {
            let mut sink = Values::default();
            let ([x, y], run) = assert_step(&mut sink, STEP, &pair(acc), &pair(t), [&lambda_1, &lambda_2]);
            assert_eq!(run, embed(t.0 - acc.0));
            if sink.all_vanish() {
                results.push((x.0[0], y.0[0]));
            }
        }
    }
    results
}

/// For all acc, T with x ≠ x_t and all slopes: one pair passes and leads to 2·acc + T, or none does and 2·acc + T = 𝒪.
#[test]
fn steps() {
    let points = points();
    let (mut found, mut none) = (0, 0);
    for &acc in &points {
        for &t in points.iter().filter(|t| t.0 != acc.0) {
            let twice = add(add(Some(acc), Some(t)), Some(acc));
            assert_eq!(steps_of(acc, t), twice.into_iter().collect::<Vec<_>>());
            found += usize::from(twice.is_some());
            none += usize::from(twice.is_none());
        }
    }
    // T = −2·acc, which is not ±acc.
    assert_eq!((found, none), (36 * 33, 36));
}

/// For acc = −T no slopes pass. For acc = T a first slope is free, and other points than 3·acc pass: −acc among those of the
/// curve. The product is what forbids them.
#[test]
fn steps_with_equal_x() {
    let points = points();
    let mut opposite = 0;
    for &acc in &points {
        assert_eq!(steps_of(acc, minus(acc)), []);
        let results = steps_of(acc, acc);
        let thrice = add(add(Some(acc), Some(acc)), Some(acc)).expect("the order is 37");
        assert!(results.contains(&thrice));
        let others: Vec<_> =
            results.into_iter().filter(|point| *point != thrice && points.contains(point)).collect();
        assert!(others.iter().all(|&point| point == minus(acc)));
        opposite += usize::from(!others.is_empty());
    }
    assert!(opposite > 0);
}

/// For all D, P and all pairs of numbers as N or M, on the curve or not: D + P and D − P pass, and nothing for D = ±P.
#[test]
fn sums_and_differences() {
    let points = points();
    let labels = [Label("x"), Label("y")];
    for &d in &points {
        for &p in &points {
            let [x_d, y_d] = pair(d);
            let [x_p, y_p] = pair(p);
            // The equations of N come first, and read no M.
            let mut passing = [Vec::new(), Vec::new()];
            for candidate in elements().flat_map(|x| elements().map(move |y| (x, y))) {
                let [x, y] = pair(candidate);
                let mut sink = Values::default();
                assert_sum_and_difference(
                    &mut sink,
                    labels,
                    [&x_d, &y_d],
                    [&x_p, &y_p],
                    [[&x, &y], [&x, &y]],
                );
                let vanish: Vec<bool> = sink.0.iter().map(|(_, x)| is_zero(x)).collect();
                for (passing, own) in passing.iter_mut().zip(vanish.chunks_exact(2)) {
                    if own == [true, true] {
                        passing.push(candidate);
                    }
                }
            }
            let [n, m] = passing;
            if d.0 == p.0 {
                assert!(n.is_empty() || m.is_empty());
            } else {
                let sum = |p| add(Some(d), Some(p)).into_iter().collect::<Vec<_>>();
                assert_eq!((n, m), (sum(p), sum(minus(p))));
            }
        }
    }
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn bit(&mut self) -> bool {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        self.0 >> 40 & 1 == 1
    }
}

/// A chain's columns.
struct Columns {
    base: Point,
    n: Point,
    m: Point,
    sign: [Toy; STEPS],
    swap: [Toy; DIGITS],
    lambda_0: Septic<Toy>,
    lambda_1: [Septic<Toy>; STEPS],
    lambda_2: [Septic<Toy>; STEPS],
    product: [Toy; DIGITS],
    inverse: Toy,
    end: Point,
}

/// A digit of a step that may be no bit: the step, sign and swap.
type Digit = (usize, Option<Toy>, Option<Toy>);

impl Columns {
    /// A chain from `base` with digits that meet no exceptional case and otherwise are random, but for `given`; `None` if
    /// there are none.
    fn walk(base: Point, n: Point, m: Point, given: Option<Digit>, random: &mut Random) -> Option<Self> {
        let zero = embed(Toy(0));
        let mut columns = Self {
            base,
            n,
            m,
            sign: [Toy(0); STEPS],
            swap: [Toy(0); DIGITS],
            lambda_0: zero,
            lambda_1: [zero; STEPS],
            lambda_2: [zero; STEPS],
            product: [Toy(0); DIGITS],
            inverse: Toy(0),
            end: base,
        };
        let choices = |random: &mut Random| {
            let flips = (random.bit(), random.bit());
            [(false, false), (false, true), (true, false), (true, true)]
                .map(|(a, b)| [a ^ flips.0, b ^ flips.1].map(|bit| Toy(u32::from(bit))))
        };
        let t = |[swap, sign]: [Toy; 2]| -> Point {
            let y = n.1 + swap * (m.1 - n.1);
            (n.0 + swap * (m.0 - n.0), (sign + sign - Toy(1)) * y)
        };
        let mut starts = choices(random).into_iter().map(|[swap, _]| [swap, Toy(1)]);
        let start = starts.find(|&digits| t(digits).0 != base.0)?;
        columns.swap[0] = start[0];
        columns.lambda_0 = embed(chord(base, t(start)));
        columns.product[0] = t(start).0 - base.0;
        let mut acc = add(Some(base), Some(t(start)))?;
        for i in 0..STEPS {
            // x − x(acc + T), and both slopes, on the curve or not.
            let step = |digits: [Toy; 2]| {
                let t = t(digits);
                let lambda_1 = chord(acc, t);
                let gap = acc.0 + acc.0 + t.0 - lambda_1 * lambda_1;
                let lambda_2 = (acc.1 + acc.1) * gap.inv0() - lambda_1;
                (t.0 != acc.0 && gap != Toy(0)).then_some((digits, t, lambda_1, lambda_2))
            };
            let (sign, swap) =
                given.filter(|given| given.0 == i).map_or((None, None), |(_, sign, swap)| (sign, swap));
            let mut digits = choices(random).into_iter().map(|[a, b]| [swap.unwrap_or(a), sign.unwrap_or(b)]);
            let (digits, t, lambda_1, lambda_2) = digits.find_map(step)?;
            [columns.swap[i + 1], columns.sign[i]] = digits;
            columns.lambda_1[i] = embed(lambda_1);
            columns.lambda_2[i] = embed(lambda_2);
            columns.product[i + 1] = columns.product[i] * (t.0 - acc.0);
            let x = lambda_2 * lambda_2 - lambda_1 * lambda_1 + t.0;
            acc = (x, lambda_2 * (acc.0 - x) - acc.1);
        }
        columns.end = acc;
        // real is x + y of the base.
        columns.inverse = (base.0 + base.1) * (columns.product[STEPS] * (base.0 - n.0)).inv0();
        Some(columns)
    }

    /// What [`assert_chain`] asserts for a slope of the end.
    fn values(&self, lambda_e: Toy) -> Values {
        let mut sink = Values::default();
        let ([x_n, y_n], [x_m, y_m]) = (pair(self.n), pair(self.m));
        let chain = Chain {
            real: &(self.base.0 + self.base.1),
            offset: &self.base.1,
            n: [&x_n, &y_n],
            m: [&x_m, &y_m],
            sign: &self.sign,
            swap: &self.swap,
            lambda_0: &self.lambda_0,
            lambda_1: &self.lambda_1,
            lambda_2: &self.lambda_2,
            product: &self.product,
            inverse: &self.inverse,
            lambda_e: &embed(lambda_e),
        };
        assert_chain::<Curve, _>(&mut sink, &LABELS, &chain, Product::new(&Toy(7)));
        sink
    }
}

const LABELS: ChainLabels = ChainLabels {
    sign: Label("sign"),
    swap: Label("swap"),
    first: Label("first"),
    step: STEP,
    distinct: Label("distinct"),
    inverse: Label("inverse"),
    end_line: Label("end_line"),
    end_x: Label("end_x"),
    end_y: Label("end_y"),
};

/// Whole chains for all C = B and N, all slopes of the end: one passes exactly if the chain ends in C − N and x(C) ≠ x_n.
/// B is not C/2^109 here: what a chain starts from, its end does not ask.
#[test]
fn chains_and_ends() {
    let points = points();
    let mut random = Random(1);
    let (mut passed, mut refused) = (0, 0);
    // With real = 0 nothing is asked of the inverse.
    for &base in points.iter().filter(|(x, y)| *x + *y != Toy(0)) {
        for (i, &n) in points.iter().enumerate() {
            let m = points[(i + 10) % 36];
            let right = add(Some(base), Some(minus(n)));
            let mut walks = (0..1000).filter_map(|_| Columns::walk(base, n, m, None, &mut random));
            // Two chains that end elsewhere, and one that ends where it should, if there are any.
            let mut wrong = 0;
            for columns in walks.by_ref() {
                let is_right = Some(columns.end) == right && base.0 != n.0;
                if !is_right && wrong == 2 {
                    if base.0 == n.0 {
                        break;
                    }
                    continue;
                }
                let passing: Vec<Toy> =
                    elements().filter(|&lambda| columns.values(lambda).all_vanish()).collect();
                if is_right {
                    assert_eq!(passing, [chord(base, minus(n))]);
                    passed += 1;
                    break;
                }
                assert_eq!(passing, []);
                wrong += 1;
            }
            refused += wrong;
        }
    }
    assert_eq!((passed, refused), (1190, 2449));
}

/// N = −C: without the inverse a slope of the end may be free, and E = −C passes for C − N.
#[test]
fn ends_with_equal_x() {
    let points = points();
    let mut random = Random(2);
    let mut found = 0;
    for &base in points.iter().filter(|(x, y)| *x + *y != Toy(0)) {
        let n = minus(base);
        let right = add(Some(base), Some(base)).expect("the order is odd");
        for _ in 0..60 {
            let Some(columns) = Columns::walk(base, n, points[3], None, &mut random) else { continue };
            for lambda in elements() {
                let failing: Vec<_> =
                    columns.values(lambda).0.into_iter().filter(|(_, x)| !is_zero(x)).collect();
                assert!(failing.iter().any(|(label, _)| label.0 == "inverse"));
                if failing.len() == 1 && columns.end != right {
                    assert_eq!(columns.end, n);
                    found += 1;
                }
            }
        }
    }
    assert!(found > 0);
}

/// A sign or a swap that is no bit leads off the curve and back to where the chain should end, and nothing but the boolean
/// constraint notices: for each number but 0 and 1, somewhere.
#[test]
fn digits_that_are_no_bits() {
    let points = points();
    let mut random = Random(4);
    let (base, n, m) = (points[0], points[6], points[16]);
    assert!(base.0 + base.1 != Toy(0) && base.0 != n.0);
    let lambda = chord(base, minus(n));
    for value in elements().skip(2) {
        for (label, sign, swap) in [("sign", Some(value), None), ("swap", None, Some(value))] {
            let passing = (0..200_000).find_map(|k| {
                let given = (STEPS - 1 - k % 40, sign, swap);
                let columns = Columns::walk(base, n, m, Some(given), &mut random)?;
                (Some(columns.end) == add(Some(base), Some(minus(n)))).then_some(columns)
            });
            let failing: Vec<_> =
                passing.expect("a chain").values(lambda).0.into_iter().filter(|(_, x)| !is_zero(x)).collect();
            assert_eq!(failing.len(), 1);
            assert_eq!(failing[0].0.0, label);
        }
    }
}

/// The sum by its chord, of whichever points; `None` for the same x.
fn chord_sum(p: Point, q: Point) -> Option<Point> {
    let lambda = chord(p, q);
    let x = lambda * lambda - p.0 - q.0;
    (p.0 != q.0).then_some((x, lambda * (q.0 - x) - q.1))
}

/// Pairs of numbers off the curve in the place of P, of D, or of B and C: with some digits sums, chain and end let them pass.
/// Curve equations and the boolean constraint on the offset are what forbids them.
#[test]
fn pairs_off_the_curve() {
    let points = points();
    let mut random = Random(5);
    let off: Vec<Point> = elements()
        .flat_map(|x| elements().map(move |y| (x, y)))
        .filter(|pair| !points.contains(pair) && pair.1 != Toy(0))
        .collect();
    let mut found = [0; 3];
    for (i, &off) in off.iter().enumerate().step_by(17) {
        let [first, second] = [points[i % 36], points[(i + 11) % 36]];
        let places = [(first, second, off), (first, off, second), (off, first, second)];
        for (place, (base, d, p)) in places.into_iter().enumerate() {
            let (Some(n), Some(m)) = (chord_sum(d, p), chord_sum(d, minus(p))) else { continue };
            let Some(end) = chord_sum(base, minus(n)).filter(|_| base.0 + base.1 != Toy(0)) else { continue };
            if n.0 == m.0 {
                continue;
            }
            let mut walks = (0..3_000).filter_map(|_| Columns::walk(base, n, m, None, &mut random));
            let Some(columns) = walks.find(|columns| columns.end == end) else { continue };
            found[place] += 1;
            assert!(columns.values(chord(base, minus(n))).all_vanish());
            let mut sink = Values::default();
            let ([x_d, y_d], [x_p, y_p]) = (pair(d), pair(p));
            let ([x_n, y_n], [x_m, y_m]) = (pair(n), pair(m));
            let sums = [[&x_n, &y_n], [&x_m, &y_m]];
            assert_sum_and_difference(&mut sink, [Label(""); 2], [&x_d, &y_d], [&x_p, &y_p], sums);
            assert!(sink.all_vanish());
        }
    }
    assert_eq!(found, [2; 3]);
}

/// u and w of a chain's bits: Σ σ_i·2^(109 − i) = 2u − 1 and Σ σ′_i·2^(109 − i) = 2w − 1 modulo 31, where 2^109 = 2^4.
#[test]
fn bits_are_digits() {
    let points = points();
    let mut random = Random(3);
    for &base in points.iter().filter(|(x, y)| *x + *y == Toy(1)) {
        let columns = Columns::walk(base, points[9], points[20], None, &mut random).expect("digits");
        let zero = embed(Toy(0));
        let chain = Chain {
            real: &Toy(1),
            offset: &Toy(0),
            n: [&zero; 2],
            m: [&zero; 2],
            sign: &columns.sign,
            swap: &columns.swap,
            lambda_0: &zero,
            lambda_1: &columns.lambda_1,
            lambda_2: &columns.lambda_2,
            product: &columns.product,
            inverse: &Toy(0),
            lambda_e: &zero,
        };
        let number = |bits: &[Toy]| bits.iter().fold(Toy(0), |sum, &bit| sum + sum + bit);
        let u = number(u_bits(&chain)) + Toy(1);
        let w = number(&w_bits(&chain)) - Toy(16) + Toy(1);
        // T of a digit is σ·D + σ′·P, σ′ = σ for N and −σ for M.
        let (mut sum_d, mut sum_p) = (Toy(0), Toy(0));
        for i in 0..DIGITS {
            let sigma = if i == 0 || columns.sign[i - 1] == Toy(1) { Toy(1) } else { -Toy(1) };
            let other = if columns.swap[i] == Toy(1) { -sigma } else { sigma };
            (sum_d, sum_p) = (sum_d + sum_d + sigma, sum_p + sum_p + other);
        }
        assert_eq!((sum_d, sum_p), (u + u - Toy(1), w + w - Toy(1)));
    }
}

/// A row of VERIFY with X as the sum of its entries and Y = R + Q; λ_d and D are to be set.
struct Difference {
    cells: Vec<Toy>,
}

impl Difference {
    fn new(points: &[Point], x: Point, y: Point) -> Self {
        let mut row = Self { cells: alloc::vec![Toy(0); HalfVerifyTable::<Curve>::WIDTH] };
        // From some point on, the last entry leads to X without an exceptional case, as no other does.
        let is_regular = |&entry: &Point, sum: Point| entry.0 != sum.0;
        let walk = |start: Point| {
            let mut entries = Vec::from([start]);
            let mut sums = Vec::from([start]);
            while entries.len() < WINDOWS - 1 {
                let sum = sums[sums.len() - 1];
                let entry = *points.iter().find(|entry| is_regular(entry, sum))?;
                entries.push(entry);
                sums.push(add(Some(sum), Some(entry))?);
            }
            let sum = sums[sums.len() - 1];
            let last = add(Some(x), Some(minus(sum))).filter(|last| is_regular(last, sum))?;
            entries.push(last);
            Some((entries, sums))
        };
        let (entries, sums) = points.iter().find_map(|&start| walk(start)).expect("37 points");
        for (w, &entry) in entries.iter().enumerate() {
            row.set("x_g", w, entry.0);
            row.set("y_g", w, entry.1);
            if w > 0 {
                row.set("lambda_g", w - 1, chord(sums[w - 1], entry));
            }
        }
        let sum_to_y = |&q: &Point| Some((q, add(Some(y), Some(minus(q))).filter(|r| is_regular(r, q))?));
        let (q, r) = points.iter().find_map(sum_to_y).expect("37 points");
        row.set("x_r", 0, r.0);
        row.set("y_r", 0, r.1);
        row.set("lambda_y", 0, chord(r, q));
        row.set("offset", 0, q.1);
        row.set("real", 0, q.0 + q.1);
        row
    }

    /// Sets element `i` of a field.
    fn set(&mut self, name: &str, i: usize, value: Toy) {
        self.cells[column(<HalfVerifyCols<u32> as ColumnSet<u32>>::FIELDS, name) + 7 * i] = value;
    }

    fn values(&self) -> Values {
        let mut sink = Values::default();
        let cols = HalfVerifyCols::from_fn(|i| self.cells[i]);
        let place = Place { is_first: Toy(0), is_transition: Toy(1) };
        HalfVerifyTable::<Curve>::eval(&mut sink, &cols, &cols, &NoFlags, &place, &[Toy(7)]);
        let sums = sink.0.iter().filter(|(label, _)| label.0.ends_with("sum_g") || label.0.ends_with("C7.y"));
        assert!(sums.into_iter().all(|(_, x)| is_zero(x)));
        sink
    }

    /// The slopes with which C8 holds.
    fn slopes(&mut self) -> Vec<Toy> {
        elements()
            .filter(|&lambda| {
                self.set("lambda_d", 0, lambda);
                self.values().value("verify_half.C8.d_line") == Toy(0)
            })
            .collect()
    }

    /// Whether C10 holds for these coordinates of D.
    fn leads_to(&mut self, d: Point) -> bool {
        self.set("x_d", 0, d.0);
        self.set("y_d", 0, d.1);
        let values = self.values();
        ["verify_half.C10.d_x", "verify_half.C10.d_y"].iter().all(|label| values.value(label) == Toy(0))
    }
}

/// For all X, Y and all λ_d: if x_X ≠ x_Y, one passes, and Y − X with it; nothing passes for X = Y; every λ_d passes for
/// X = −Y, and then C9 makes the product 0.
#[test]
fn differences() {
    let points = points();
    for &x in &points {
        for &y in &points {
            let mut row = Difference::new(&points, x, y);
            let slopes = row.slopes();
            if x.0 != y.0 {
                assert_eq!(slopes, [chord(x, minus(y))]);
                row.set("lambda_d", 0, slopes[0]);
                let d = add(Some(y), Some(minus(x))).expect("another point");
                assert!(row.leads_to(d));
                let others = [minus(d), x, y, minus(x), minus(y)];
                assert!(others.into_iter().filter(|&other| other != d).all(|other| !row.leads_to(other)));
            } else if x == y {
                assert_eq!(slopes, []);
            } else {
                assert_eq!(slopes.len(), 31);
                for product in elements() {
                    row.set("product_d", 0, product);
                    assert_eq!(row.values().value("verify_half.C9.distinct_d"), product);
                }
            }
        }
    }
}

/// For some X, Y all pairs of numbers as D, on the curve or not: Y − X alone passes.
#[test]
fn differences_among_all_pairs() {
    let points = points();
    for (i, j) in [(0, 2), (3, 17), (20, 35), (34, 8), (12, 15)] {
        let (x, y) = (points[i], points[j]);
        assert_ne!(x.0, y.0);
        let mut row = Difference::new(&points, x, y);
        row.set("lambda_d", 0, chord(x, minus(y)));
        let pairs = elements().flat_map(|x| elements().map(move |y| (x, y)));
        let passing: Vec<_> = pairs.filter(|&d| row.leads_to(d)).collect();
        assert_eq!(passing, [add(Some(y), Some(minus(x))).expect("another point")]);
    }
}
