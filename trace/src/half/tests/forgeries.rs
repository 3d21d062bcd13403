//! For each constraint and message of both tables a row that only they refuse: what follows from a lie is computed as an
//! honest prover would, and, but for a few rows, the claim is false.
//!
//! Lies about points are kept on the curve. A wrong slope that still leads to a point of E negates one of the points of its
//! chord; where a chord has no slope, as both points are the same, λ² = 3x leads to the negative, and in a doubling step
//! λ³ − 3xλ + y = 0 does. What the chain ends in is a linear form in B_j, D and P, and D is chosen so that it is right.
//!
//! These fall together with others:
//!
//! | label | with | because |
//! |-------|------|---------|
//! | `real` | curve equations, `product`, `end_x`, `end_y` | constants are multiplied by it |
//! | `p_curve`, `a_curve` | `end_x`, `end_y` | if N and M are on E, so is P, or N = M = −D and the chain shows 2u·D = 𝒪 |
//! | `offset` | `end_x`, `end_y`, M3 | no further point of the line through B_0 and B_1 is known to fit |
//! | `sign`, `swap` | `end_x`, `end_y` | no further multiple of N or point between N and M is known to be on E |
//!
//! On a curve of 37 points all of these but `real` are forged alone: `septic_chips`, `half::tests`.

use crypto_bigint::{NonZero, U256, U512};
use septic_chips::generator::{WINDOW_BITS, WINDOWS};
use septic_chips::half::product::{CARRIES, QUOTIENT_LIMBS, quotient_bits, quotient_exponent};
use septic_chips::half::{DIGITS, HalfVerifyTable, STEPS};
use septic_chips::params::{CurveParams, HalfParams, PointResidues, Residues, Septic as SepticParams};

use super::super::integers::{HalfPair, windows};
use super::super::shown::{ShownScalarMul, ShownVerify};
use super::prover::{At, Chain, Cheat, Follow, Form, Slope, Sums, Twist, add, negated, slope_to_order_two};
use super::*;

type Sm = HalfScalarMul;
type Vf = HalfVerify;

/// A row with something wrong.
pub(super) struct Forgery<O> {
    /// The constraint or message under attack, and those that fall with it.
    labels: Vec<&'static str>,
    row: Row<O>,
    /// Whether the row claims what is not so.
    is_false: bool,
    /// Its failing constraints.
    failing: fn(&Row<O>) -> BTreeSet<&'static str>,
}

/// A claim that can be looked at.
trait Claimed: Follow {
    /// Whether the claim holds: its points are on E and the result is right.
    fn holds(row: &Row<Self>) -> bool;

    /// A row for these D and P (or A), the second of which is a point of E.
    fn toward(d: Point, p: Point, scalar: Scalar, second: bool, cheat: &Cheat) -> Row<Self>;
}

fn number<O: Fill>(row: &Row<O>, name: &str, digits: usize) -> Scalar {
    (0..digits).rev().fold(Scalar::ZERO, |sum, i| {
        sum * Scalar::from(256) + Scalar::from(u64::from(row.get(name, i).as_canonical_u32()))
    })
}

impl Claimed for Sm {
    fn holds(row: &Row<Self>) -> bool {
        let points = (on_curve(row.point("x_p")), on_curve(row.point("x_r")));
        let (Some(p), Some(r)) = points else { return false };
        times(number(row, "s", 28), p) == r
    }

    fn toward(d: Point, p: Point, scalar: Scalar, second: bool, cheat: &Cheat) -> Row<Self> {
        let [r, p] = [d, p].map(|point| point.to_affine().unwrap());
        Row::claiming(&ShownScalarMul { p, s: scalar, r }, second).followed(cheat)
    }
}

impl Claimed for Vf {
    fn holds(row: &Row<Self>) -> bool {
        let points = (on_curve(row.point("x_a")), on_curve(row.point("x_r")));
        let (Some(a), Some(r)) = points else { return false };
        times(number(row, "s", WINDOWS), Point::GENERATOR) + times(number(row, "e", 28), a) == r
    }

    /// With s = 12345 + 2^216 and R so that R − s·G = D.
    fn toward(d: Point, p: Point, scalar: Scalar, second: bool, cheat: &Cheat) -> Row<Self> {
        let s = s();
        let r = d + times(s, Point::GENERATOR);
        verify(p, scalar, r, second).followed(cheat)
    }
}

/// VERIFY's s, with a top window above 2^8.
fn s() -> Scalar {
    Scalar::reduce(&params::ORDER.wrapping_sub(&U256::from(12_345u32)))
}

/// A claim of VERIFY, with that s.
fn verify(a: Point, e: Scalar, r: Point, second: bool) -> Row<Vf> {
    verify_with(s(), a, e, r, second)
}

fn verify_with(s: Scalar, a: Point, e: Scalar, r: Point, second: bool) -> Row<Vf> {
    let [a, r] = [a, r].map(|point| point.to_affine().unwrap());
    Row::claiming(&ShownVerify { a, s, e, r }, second)
}

/// The curve with B_j for Q_j: 3·x(Q_j) is no square, 3·x of one of these is.
#[derive(Clone, Copy, Debug, Default)]
struct Twin;

impl CurveParams for Twin {
    const A: u32 = SepticParams::A;
    const B: Residues = SepticParams::B;
    const OFFSETS: [PointResidues; 2] = SepticParams::OFFSETS;
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = SepticParams::SCALAR_MUL_CORRECTIONS;
    const VERIFY_CORRECTIONS: [PointResidues; 2] = SepticParams::VERIFY_CORRECTIONS;
    const HALF_GENERATOR: PointResidues = SepticParams::HALF_GENERATOR;
}

impl HalfParams for Twin {
    const HALF_CORRECTIONS: [PointResidues; 2] = SepticParams::HALF_CORRECTIONS;
    const GENERATOR_OFFSETS: [PointResidues; 2] = SepticParams::OFFSETS;
}

/// A scalar without a pattern.
fn wide() -> Scalar {
    Random(9).scalar()
}

fn b(second: bool) -> Point {
    params::OFFSETS[usize::from(second)].into()
}

fn on(pair: super::Pair) -> Point {
    on_curve(pair).unwrap()
}

/// λ with λ² = 3x: the line through (x, y) twice leads to (x, −y) as their sum.
fn slope_to_opposite(p: Point) -> Option<Slope> {
    p.to_affine().unwrap().x().tripled().try_sqrt().map(Slope::Free)
}

/// The first of both offsets for which there is such a slope.
fn opposite(points: [AffinePoint; 2]) -> (bool, Slope) {
    let found = [false, true]
        .map(|second| slope_to_opposite(points[usize::from(second)].into()).map(|slope| (second, slope)));
    found.into_iter().flatten().next().unwrap()
}

/// Adds to each carry what C6 or C12 lacks of 0 at its position, modulo p.
pub(super) fn settle_carries<O: Fill>(row: &mut Row<O>) {
    struct Values(Vec<KoalaBear>);
    impl ConstraintSink for Values {
        type Expr = KoalaBear;
        fn constant(&self, c: u32) -> KoalaBear {
            KoalaBear::new(c)
        }
        fn assert_zero(&mut self, label: Label, x: KoalaBear) {
            if label.0.ends_with("product") {
                self.0.push(x);
            }
        }
        fn assert_septic(&mut self, _: Label, _: Septic<KoalaBear>) {}
    }
    let radix = p3_field::Field::inverse(&KoalaBear::from_u32(1 << 16));
    for k in 0..CARRIES {
        let mut values = Values(Vec::new());
        let cols = <O::Table as Table>::Cols::from_fn(|i| row.cells[i]);
        let flags = <O::Table as Table>::Flags::from_fn(|_| KoalaBear::ZERO);
        let place = Place { is_first: KoalaBear::ZERO, is_transition: KoalaBear::ZERO };
        O::Table::eval(&mut values, &cols, &cols, &flags, &place, &[row.t]);
        *row.cell("carry", k) += values.0[k] * radix;
    }
}

/// The forgeries that both tables share, by the names of labels.
struct Shared<O> {
    found: Vec<Forgery<O>>,
    labels: [BTreeSet<&'static str>; 2],
}

impl<O: Claimed> Shared<O> {
    /// The label with this name, or with this number and name.
    fn label(&self, name: &str) -> &'static str {
        let is_named = |label: &&&str| **label == name || label.split_once('.').unwrap().1 == name;
        let mut labels = self.labels.iter().flatten().filter(is_named);
        let label = labels.next().unwrap();
        assert!(labels.next().is_none(), "{name}");
        label
    }

    fn push(&mut self, names: &[&str], row: Row<O>) {
        let labels = names.iter().map(|name| self.label(name)).collect();
        self.found.push(Forgery { labels, row, is_false: true, failing: Row::failing });
    }

    /// A chain with a twist that ends where it should not: D is chosen for it, given P.
    fn chain(&mut self, name: &str, chain: &Chain, end: Form, cheat: &Cheat) {
        let p = multiple(11);
        for second in [false, true] {
            let d = (chain.end() - end).solve_d(b(second), p);
            self.push(&[name], O::toward(d, p, wide(), second, cheat));
        }
    }

    /// N, M that are not D ± P.
    fn sums(&mut self) {
        let pair = HalfPair::new(&wide());
        let (honest_n, honest_m) = (Form::D + Form::P, Form::D - Form::P);
        let lies: [(&str, Form, Form, Sums); 4] = [
            ("sums_x", -Form::D, honest_m, |d, p| [negated(d), add(d, negated(p))]),
            ("sums_x", honest_n, Form::P, |d, p| [add(d, p), p]),
            ("sums_y", -honest_n, honest_m, |d, p| [negated(add(d, p)), add(d, negated(p))]),
            ("sums_y", honest_n, -honest_m, |d, p| [add(d, p), negated(add(d, negated(p)))]),
        ];
        for (name, n, m, sums) in lies {
            let chain = Chain { n, m, pair, twist: Twist::None };
            self.chain(name, &chain, Form::c() - n, &Cheat::sums(sums));
        }
    }

    /// Wrong slopes.
    fn slopes(&mut self) {
        let pair = HalfPair::new(&wide());
        let end = Form::c() - (Form::D + Form::P);
        let mut run = |name, twist, at| {
            self.chain(name, &Chain::new(pair, twist), end, &Cheat::slope(at, Slope::Negated));
        };
        run("first", Twist::Start, At::First);
        for i in [0, 1, 57, STEPS - 1] {
            run("slope_1", Twist::Negated(i), At::Step(i));
        }
        // −T comes before another T than ±T.
        let lost = |from: usize| (from..).find(|&i| pair.swap(i + 1) != pair.swap(i + 2)).unwrap();
        for i in [lost(0), lost(50), STEPS - 1] {
            run("slope_2", Twist::Lost(i), At::Twice(i));
        }
    }

    /// The chain ends elsewhere: in C_j + N, −C_j, N − C_j.
    fn ends(&mut self) {
        let chain = Chain::new(HalfPair::new(&wide()), Twist::None);
        let (n, c) = (Form::D + Form::P, Form::c());
        self.chain("end_line", &chain, c + n, &Cheat::slope(At::End, Slope::Negated));
        self.chain("end_x", &chain, -c, &Cheat::default());
        self.chain("end_y", &chain, n - c, &Cheat::default());
    }

    /// Two equal points where a slope is free. Both the product and its inverse refuse it.
    fn equal_points(&mut self) {
        // The digit after the equal points has another T, or there is none.
        let is_followed =
            |pair: &HalfPair, digit: usize| digit + 1 == DIGITS || pair.swap(digit) != pair.swap(digit + 1);
        let scalar = |digit: usize| {
            (0..).map(|k| wide() + Scalar::from(k)).find(|s| is_followed(&HalfPair::new(s), digit)).unwrap()
        };
        let n = Form::D + Form::P;
        let mut both = |at: At, s: Scalar, second: bool, [delta, pi]: [Scalar; 2], slope: Slope| {
            let [d, p] = [delta, pi].map(|k| times(k, b(second)));
            let cheat = Cheat::slope(at, slope);
            self.push(&["inverse"], O::toward(d, p, s, second, &cheat));
            if at != At::End {
                self.push(&["distinct"], O::toward(d, p, s, second, &cheat.hiding(at)));
            }
        };
        // B_j = T: the chain goes on from −B_j.
        let s = scalar(0);
        let chain = Chain::new(HalfPair::new(&s), Twist::Opposite);
        let (second, slope) = opposite(params::OFFSETS);
        let solution = (chain.end() - Form::c() + n).solve_both(chain.t(0) - Form::B).unwrap();
        both(At::First, s, second, solution, slope);
        // acc = T in a step: the chain goes on from −acc. Not every acc has such a slope.
        for step in [0, 30, STEPS - 1] {
            let found = (0..).find_map(|k| {
                let s = scalar(step + 1) + Scalar::from(k);
                let pair = HalfPair::new(&s);
                let chain = Chain::new(pair, Twist::Third(step));
                let t = chain.t(step + 1);
                let solution = (chain.end() - Form::c() + n).solve_both(chain.acc(step) - t)?;
                let acc = times(t.d * solution[0] + t.p * solution[1], b(false));
                let slope = slope_to_order_two(pair_of(acc))?;
                is_followed(&pair, step + 1).then_some((s, solution, Slope::Free(slope)))
            });
            let (s, solution, slope) = found.unwrap();
            both(At::Step(step), s, false, solution, slope);
        }
        // −N = C_j: E = −C_j passes for C_j − N. The last T is not ±N = ±E.
        let mut scalars = (0..).map(|k| wide() + Scalar::from(k));
        let s = scalars.find(|s| HalfPair::new(s).swap(STEPS)).unwrap();
        let chain = Chain::new(HalfPair::new(&s), Twist::None);
        let (second, slope) = opposite(params::HALF_CORRECTIONS);
        let solution = (chain.end() + Form::c()).solve_both(n + Form::c()).unwrap();
        both(At::End, s, second, solution, slope);
    }

    /// The result of another scalar.
    fn product(&mut self, scalar: &str) {
        let p = multiple(11);
        for i in [0, 13, 26] {
            let mut row = O::toward(times(wide(), p), p, wide(), false, &Cheat::default());
            *row.cell(scalar, i) += KoalaBear::ONE;
            self.push(&["product"], row);
        }
        // s + p: u·p vanishes modulo p. Only the carries' ranges tell it from s.
        let mut row = O::toward(times(wide(), p), p, wide(), false, &Cheat::default());
        let shifted = wide().to_uint().wrapping_add(&U256::from(super::P));
        for (i, byte) in shifted.to_le_bytes().as_ref()[..28].iter().enumerate() {
            *row.cell(scalar, i) = KoalaBear::from_u8(*byte);
        }
        settle_carries(&mut row);
        self.push(&["carry"], row);
        // 5·P for a scalar s with s − 5 = q·r − 2^320: the highest position alone notices.
        let mut row = O::toward(times(Scalar::from(5), p), p, Scalar::from(5), false, &Cheat::default());
        let order = NonZero::new(U512::from((params::ORDER, U256::ZERO))).unwrap();
        let (q, rest) = U512::ONE.shl_vartime(320).div_rem_vartime(&order);
        let q = low(&q.split().0) + 1;
        let s = params::ORDER.wrapping_sub(&rest.split().0).wrapping_add(&U256::from(5u32));
        for (i, byte) in s.to_le_bytes().as_ref()[..28].iter().enumerate() {
            *row.cell(scalar, i) = KoalaBear::from_u8(*byte);
        }
        for a in 0..QUOTIENT_LIMBS {
            let limb = q >> quotient_exponent(a) & ((1 << quotient_bits(a)) - 1);
            *row.cell("quotient", a) = KoalaBear::from_u128(limb);
        }
        settle_carries(&mut row);
        self.push(&["product"], row);
        // Another form of q: 128 moved from the second limb to the first.
        let mut row = O::toward(times(wide(), p), p, wide(), false, &Cheat::default());
        *row.cell("quotient", 0) += KoalaBear::from_u32(128);
        *row.cell("quotient", 1) -= KoalaBear::ONE;
        settle_carries(&mut row);
        self.push(&["quotient"], row);
        self.found.last_mut().unwrap().is_false = false;
    }

    /// Digits that are no bits, for the same u and w.
    fn digits(&mut self) {
        let p = multiple(11);
        let honest = O::toward(times(wide(), p), p, wide(), false, &Cheat::default());
        let two = KoalaBear::TWO;
        let is_number = |row: &Row<O>| !row.failing().iter().any(|label| label.ends_with("product"));
        // Signs 1, 0 as 0, 2.
        let mut rows = (0..STEPS - 1).filter_map(|i| {
            let mut row = honest.clone();
            if row.get("sign", i) != KoalaBear::ONE || row.get("sign", i + 1) != KoalaBear::ZERO {
                return None;
            }
            *row.cell("sign", i) = KoalaBear::ZERO;
            *row.cell("sign", i + 1) = two;
            (0..4).find_map(|swaps| {
                *row.cell("swap", i + 1) = KoalaBear::from_u32(swaps % 2);
                *row.cell("swap", i + 2) = KoalaBear::from_u32(swaps / 2);
                is_number(&row).then(|| row.clone())
            })
        });
        let sign = rows.next().unwrap();
        let mut rows = (1..DIGITS - 1).filter_map(|i| {
            let mut row = honest.clone();
            *row.cell("swap", i + 1) = two;
            (0..2).find_map(|swap| {
                *row.cell("swap", i) = KoalaBear::from_u32(swap);
                is_number(&row).then(|| row.clone())
            })
        });
        let swap = rows.next().unwrap();
        for (name, row) in [("sign", sign), ("swap", swap)] {
            self.push(&[name, "end_x", "end_y"], row.followed(&Cheat::default()));
            self.found.last_mut().unwrap().is_false = false;
        }
    }
}

fn pair_of(point: Point) -> super::Pair {
    pair(point)
}

fn shared<O: Claimed>(scalar: &str) -> Shared<O> {
    let mut shared = Shared { found: Vec::new(), labels: labels::<O::Table>() };
    shared.sums();
    shared.slopes();
    shared.ends();
    shared.equal_points();
    shared.product(scalar);
    shared.digits();
    shared
}

/// The low 128 bits.
fn low(x: &U256) -> u128 {
    u128::from_le_bytes(x.to_le_bytes().as_ref()[..16].try_into().unwrap())
}

/// A point off the curve.
fn off() -> super::Pair {
    [params::GENERATOR.x(), params::DUMMY.y()]
}

fn scalar_mul() -> Vec<Forgery<Sm>> {
    let mut shared = shared::<Sm>("s");
    let p = multiple(11);
    // 0·P = R for R = (x, 0), twice P on another curve: N = −P and M = P.
    let p_of_order_four = (1..).map(multiple).find(|&p| slope_to_order_two(pair(p)).is_some()).unwrap();
    let [x, y] = pair(p_of_order_four);
    let lambda = slope_to_order_two([x, y]).unwrap();
    let r = AffinePoint::new_unchecked(lambda.dot_square() - x.doubled(), Fp7::ZERO);
    let shown = ShownScalarMul { p: AffinePoint::new_unchecked(x, y), s: Scalar::ZERO, r };
    shared.push(&["r_curve"], Row::claiming(&shown, false).followed(&Cheat::default()));
    // P off the curve.
    let mut row = Sm::toward(times(wide(), p), p, wide(), false, &Cheat::default());
    row.set_point("x_p", off());
    shared.push(&["p_curve", "end_x", "end_y"], row.followed(&Cheat::default()));
    // An offset that is no bit.
    let mut row = Sm::toward(times(wide(), p), p, wide(), false, &Cheat::default());
    *row.cell("offset", 0) = KoalaBear::TWO;
    shared.push(&["offset", "end_x", "end_y"], row.followed(&Cheat::default()));
    shared.found.last_mut().unwrap().is_false = false;
    // A row that counts twice.
    let mut row = Sm::toward(times(wide(), p), p, wide(), false, &Cheat::default());
    *row.cell("real", 0) = KoalaBear::TWO;
    let names = ["real", "p_curve", "r_curve", "product", "end_x", "end_y"];
    shared.push(&names, row.followed(&Cheat::default()));
    shared.found.last_mut().unwrap().is_false = false;
    shared.found
}

/// VERIFY's forgeries on the way to D.
impl Shared<Vf> {
    /// R for this D by a cheat, given how R comes from D and X.
    fn difference(&mut self, names: &[&str], cheat: &Cheat, r: impl Fn(Point, Point, Point) -> Point) {
        let e = wide();
        let a = multiple(11);
        for second in [false, true] {
            let row = verify(a, e, a, second);
            let [x, q] = [row.x(cheat), row.q(cheat)].map(on);
            let row = verify(a, e, r(times(e, a), x, q), second).followed(cheat);
            self.push(names, row);
        }
    }

    /// A for a D that comes from given s and R.
    fn base(&mut self, names: &[&str], (s, second): (Scalar, bool), r: Point, d: Point, cheat: &Cheat) {
        let e = wide();
        let a = times(inverse(e), d);
        self.push(names, verify_with(s, a, e, r, second).followed(cheat));
    }

    fn partial_sums(&mut self) {
        for w in [1, 2, WINDOWS - 1] {
            let cheat = Cheat::slope(At::Entry(w), Slope::Negated);
            self.difference(&["sum_g"], &cheat, |d, x, q| d + x - q);
        }
        // Y = Q_j − R; D = −X − Y; D = X whatever R; D = X − Y.
        let cheat = Cheat::slope(At::Y, Slope::Negated);
        self.difference(&["y"], &cheat, |d, x, q| q - d - x);
        let cheat = Cheat::slope(At::D, Slope::Negated);
        self.difference(&["d_line"], &cheat, |d, x, q| -d - x - q);
        let negative = |x, y| pair(on(x) - on(y));
        let cheat = Cheat { difference: Some(negative), ..Cheat::default() };
        self.difference(&["d_y"], &cheat, |d, x, q| x - d - q);
        let cheat = Cheat { difference: Some(|x, _| x), ..Cheat::default() };
        let x = on(verify(multiple(1), wide(), multiple(1), false).x(&cheat));
        self.base(&["d_x"], (s(), false), multiple(99), x, &cheat);
    }

    /// Two equal points: R = Q_j, and X = −Y.
    fn equal_partial_sums(&mut self) {
        let (second, slope) = opposite(params::OFFSETS);
        let cheat = Cheat { q: Some(params::OFFSETS), ..Cheat::slope(At::Y, slope) };
        let row = verify(multiple(1), wide(), multiple(1), second);
        let [x, q] = [row.x(&cheat), row.q(&cheat)].map(on);
        // Y = −Q_j
        let first = self.found.len();
        self.base(&["inverse"], (s(), second), q, -q - x, &cheat);
        self.base(&["distinct_g"], (s(), second), q, -q - x, &cheat.hiding(At::Y));
        for forgery in &mut self.found[first..] {
            forgery.failing = Row::failing_in::<HalfVerifyTable<Twin>>;
        }
        // The sum so far as the next entry, which no entry of the table is: the sum goes on from its negative.
        let (e, a) = (wide(), multiple(11));
        let mut row = verify(a, e, a, false);
        let mut sum = on(row.entry(0));
        let (w, slope) = (1..WINDOWS)
            .find_map(|w| match slope_to_opposite(sum) {
                Some(slope) => Some((w, slope)),
                None => {
                    sum += on(row.entry(w));
                    None
                }
            })
            .unwrap();
        row.set_entry(w, sum);
        let cheat = Cheat::slope(At::Entry(w), slope);
        let [x, q] = [row.x(&cheat), row.q(&cheat)].map(on);
        row.set_point("x_r", pair(times(e, a) + x - q));
        self.push(&["inverse", "entry"], row.clone().followed(&cheat));
        self.push(&["distinct_g", "entry"], row.followed(&cheat.hiding(At::Entry(w))));
        // D = X for 2·Y, with an s whose X has such a slope.
        let found = (0..).find_map(|k| {
            let s = s() - Scalar::from(k);
            let row = verify_with(s, multiple(1), wide(), multiple(1), false);
            let [x, q] = [row.x(&Cheat::default()), row.q(&Cheat::default())].map(on);
            Some((s, x, q, slope_to_opposite(x)?))
        });
        let (s, x, q, slope) = found.unwrap();
        let cheat = Cheat::slope(At::D, slope);
        self.base(&["inverse"], (s, false), -x - q, x, &cheat);
        self.base(&["distinct_d"], (s, false), -x - q, x, &cheat.hiding(At::D));
    }

    /// Entries that are not those of s.
    fn entries(&mut self) {
        let e = wide();
        let a = multiple(11);
        let table = generator::entries();
        let digits = windows(&s());
        let index = |w: usize, digit: u16, second: bool| generator::entry(w, digit, second);
        let mut lies = Vec::new();
        for second in [false, true] {
            // The next digit, the digit's entry in the next window, the other start, an entry of another window's last row.
            for w in [0, 1, 25, 26] {
                lies.push((second, w, table[index(w, digits[w] ^ 1, second)].into()));
            }
            lies.push((second, 3, table[index(4, digits[3], second)].into()));
            lies.push((second, 0, table[index(0, digits[0], !second)].into()));
            lies.push((second, 26, table[(WINDOWS << WINDOW_BITS) + 255].into()));
            // A point of E that is no entry.
            lies.push((second, 5, multiple(3)));
        }
        for (second, w, entry) in lies {
            let mut row = verify(a, e, a, second);
            row.set_entry(w, entry);
            let [x, q] = [row.x(&Cheat::default()), row.q(&Cheat::default())].map(on);
            let r = times(e, a) + x - q;
            row.set_point("x_r", pair(r));
            self.push(&["entry"], row.followed(&Cheat::default()));
        }
        // Another s than that of the entries: in each window, and a top window of more than 9 bits.
        for (w, step) in [(0, 1), (1, 256), (25, 1), (26, 512)] {
            let d = times(e, a);
            let mut row = Vf::toward(d, a, e, false, &Cheat::default());
            *row.cell("s", w) += KoalaBear::from_u32(step);
            self.push(&["entry"], row);
        }
    }
}

fn verify_forgeries() -> Vec<Forgery<Vf>> {
    let mut shared = shared::<Vf>("e");
    shared.partial_sums();
    shared.equal_partial_sums();
    shared.entries();
    let (e, a) = (wide(), multiple(11));
    // R off the curve, on a line through Q_j: R + Q_j passes for −Q_j.
    let mut row = verify(a, e, a, false);
    let [x, q] = [row.x(&Cheat::default()), row.q(&Cheat::default())];
    let lambda = Fp7::from_u32s([3, 1, 4, 1, 5, 9, 2]);
    let x_r = lambda.dot_square() - q[0].doubled();
    let y_r = q[1] - lambda.dot_mul(&(q[0] - x_r));
    row.set_point("x_a", pair(times(inverse(e), -on(q) - on(x))));
    row.set_point("x_r", [x_r, y_r]);
    shared.push(&["r_curve"], row.followed(&Cheat::default()));
    // A off the curve.
    let mut row = Vf::toward(times(e, a), a, e, false, &Cheat::default());
    row.set_point("x_a", off());
    shared.push(&["a_curve", "end_x", "end_y"], row.followed(&Cheat::default()));
    // An offset that is no bit.
    let mut row = Vf::toward(times(e, a), a, e, false, &Cheat::default());
    *row.cell("offset", 0) = KoalaBear::TWO;
    shared.push(&["offset", "end_x", "end_y", "entry"], row.followed(&Cheat::default()));
    shared.found.last_mut().unwrap().is_false = false;
    // A row that counts twice.
    let mut row = Vf::toward(times(e, a), a, e, false, &Cheat::default());
    *row.cell("real", 0) = KoalaBear::TWO;
    let names = ["real", "a_curve", "r_curve", "product", "end_x", "end_y", "entry"];
    shared.push(&names, row.followed(&Cheat::default()));
    shared.found.last_mut().unwrap().is_false = false;
    shared.found
}

/// Each row is refused by what it attacks and nothing else, its claim is false, and every label has its attack. Returns the
/// number of rows.
fn refused<O: Claimed>(forgeries: &[Forgery<O>]) -> usize {
    let [constraints, messages] = labels::<O::Table>();
    let mut attacked = BTreeSet::new();
    for (i, Forgery { labels, row, is_false, failing }) in forgeries.iter().enumerate() {
        let expected: BTreeSet<_> = labels.iter().copied().collect();
        let refused: BTreeSet<_> = failing(row).union(&row.unmatched()).copied().collect();
        assert_eq!(refused, expected, "{i}: {labels:?}");
        assert_eq!(O::holds(row), !is_false, "{i}: {labels:?}");
        attacked.insert(labels[0]);
    }
    assert_eq!(attacked, constraints.union(&messages).copied().collect());
    forgeries.len()
}

#[test]
fn every_label_of_scalar_mul_refuses_a_forgery() {
    assert_eq!(refused(&scalar_mul()), 51);
}

#[test]
fn every_label_of_verify_refuses_a_forgery() {
    assert_eq!(refused(&verify_forgeries()), 90);
}

/// The prover of these forgeries, not told to cheat, makes the rows of the generator.
#[test]
fn without_a_cheat_rows_are_honest() {
    let p = multiple(11);
    for second in [false, true] {
        let row = Sm::toward(times(wide(), p), p, wide(), second, &Cheat::default());
        assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()));
        let row = Vf::toward(times(wide(), p), p, wide(), second, &Cheat::default());
        assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()));
    }
    let row = Row::<Sm>::honest(ScalarMulEvent { p, s: wide().into() });
    let mut own = Sm::toward(times(wide(), p), p, wide(), false, &Cheat::default());
    own.t = row.t;
    assert_eq!(own.followed(&Cheat::default()).cells, row.cells);
    let row = Row::<Vf>::honest(VerifyEvent { a: p, s: s().into(), e: wide().into() });
    let mut own = Vf::toward(times(wide(), p), p, wide(), false, &Cheat::default());
    own.t = row.t;
    assert_eq!(own.followed(&Cheat::default()).cells, row.cells);
}
