//! A prover in plain field arithmetic that can be told to cheat: [`Follow::follow`] computes what follows from a row's claim
//! and digits, whatever they are, with the slopes, points and factors that a [`Cheat`] wants to be other ones.
//!
//! What a cheat does to points is linear: [`Form`] says what a chain ends in, and for which D or P that is what it should be.

use core::ops::{Add, Mul, Neg, Sub};

use septic_chips::generator::WINDOWS;
use septic_chips::half::{DIGITS, STEPS};
use septic_chips::relations::evaluate;

use super::super::integers::{HalfPair, windows};
use super::super::shown::{ShownScalarMul, ShownVerify};
use super::*;

/// Where a slope is needed and a factor is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// VERIFY: R + Q_j.
    Y,
    /// VERIFY: entry w is added.
    Entry(usize),
    /// VERIFY: Y − X.
    D,
    /// B_j + T.
    First,
    /// acc + T.
    Step(usize),
    /// (acc + T) + acc; no factor.
    Twice(usize),
    /// C_j − N.
    End,
}

/// Another slope than that of the chord.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slope {
    /// Of the chord with one of the points negated: acc in acc + T, −N in C_j − N, −Y in X − Y, the partial sum before an
    /// entry, R in R + Q_j.
    Negated,
    /// A number.
    Free(Fp7),
}

/// N and M from D and P.
pub(super) type Sums = fn(Pair, Pair) -> [Pair; 2];

/// What is not as it should be. By default nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Cheat {
    pub(super) slope: Option<(At, Slope)>,
    /// A factor of the running product that is taken for 1.
    pub(super) hidden: Option<At>,
    /// N and M from D and P.
    pub(super) sums: Option<Sums>,
    /// D from X and Y.
    pub(super) difference: Option<fn(Pair, Pair) -> Pair>,
    /// Other points than Q_0, Q_1.
    pub(super) q: Option<[AffinePoint; 2]>,
}

impl Cheat {
    pub(super) fn slope(at: At, slope: Slope) -> Self {
        Self { slope: Some((at, slope)), ..Self::default() }
    }

    pub(super) fn sums(sums: Sums) -> Self {
        Self { sums: Some(sums), ..Self::default() }
    }

    pub(super) fn hiding(self, at: At) -> Self {
        Self { hidden: Some(at), ..self }
    }

    /// The slope of the line through two points, 0 if there is none. The first is the one that is negated.
    fn line(&self, at: At, first: Pair, second: Pair) -> Fp7 {
        match self.slope {
            Some((here, Slope::Free(lambda))) if here == at => lambda,
            Some((here, Slope::Negated)) if here == at => chord(negated(first), second),
            _ => chord(first, second),
        }
    }
}

/// The slope of a chord, 0 if both have the same x.
pub(super) fn chord(p: Pair, q: Pair) -> Fp7 {
    (q[1] - p[1]).dot_mul(&(q[0] - p[0]).inv0())
}

pub(super) fn negated([x, y]: Pair) -> Pair {
    [x, -y]
}

/// The sum as a slope makes it, y read off the line at `q`.
fn sum(p: Pair, q: Pair, lambda: Fp7) -> Pair {
    let x = lambda.dot_square() - p[0] - q[0];
    [x, lambda.dot_mul(&(q[0] - x)) - q[1]]
}

/// The sum of points with different x, of whichever curve y² = x³ + a′x + b′ they are.
pub(super) fn add(p: Pair, q: Pair) -> Pair {
    sum(p, q, chord(p, q))
}

pub(super) fn scale([x, y]: Pair, by: KoalaBear) -> Pair {
    [x.scale_const(by), y.scale_const(by)]
}

fn minus(p: Pair, q: Pair) -> Pair {
    [p[0] - q[0], p[1] - q[1]]
}

fn plus(p: Pair, q: Pair) -> Pair {
    [p[0] + q[0], p[1] + q[1]]
}

/// A running product of h.
struct Factors<'a> {
    cheat: &'a Cheat,
    t: KoalaBear,
    product: KoalaBear,
}

impl Factors<'_> {
    fn multiply(&mut self, at: At, d: Fp7) {
        if self.cheat.hidden != Some(at) {
            self.product *= evaluate(&d, &self.t);
        }
    }

    fn store(&mut self, at: At, d: Fp7, column: &mut KoalaBear) {
        self.multiply(at, d);
        *column = self.product;
    }
}

/// What follows from a claim, digits and quotients.
pub(super) trait Follow: Fill {
    /// The entries of a claim.
    fn write_entries(row: &mut Row<Self>, shown: &Self::Shown);

    /// Fills everything but the instance columns, the offset, digits, quotient, carries and entries.
    fn follow(row: &mut Row<Self>, cheat: &Cheat);
}

impl<O: Follow> Row<O> {
    /// Claim, offset, digits and quotient, the rest is to follow.
    pub(super) fn claiming(shown: &O::Shown, second: bool) -> Self {
        let mut row = Self::padding();
        O::write_instance(shown, &mut row.cells);
        let s = O::scalar(shown);
        O::LAYOUT.write(second, &HalfPair::new(&s), &s, &mut row.cells);
        O::write_entries(&mut row, shown);
        row
    }

    pub(super) fn followed(mut self, cheat: &Cheat) -> Self {
        O::follow(&mut self, cheat);
        self
    }

    /// real·points[0] + offset·(points[1] − points[0]).
    fn selected(&self, points: &[AffinePoint; 2]) -> Pair {
        let [first, second] = points.map(|p| [p.x(), p.y()]);
        let (real, offset) = (self.get("real", 0), self.get("offset", 0));
        plus(scale(first, real), scale(minus(second, first), offset))
    }

    /// N, M, the chain from the digits that the row has, its end.
    fn chain(&mut self, cheat: &Cheat, mut factors: Factors<'_>, d: Pair, p: Pair) {
        let [n, m] = cheat.sums.map_or_else(|| [add(d, p), add(d, negated(p))], |sums| sums(d, p));
        self.set_point("x_n", n);
        self.set_point("x_m", m);
        let base = |swap: KoalaBear| plus(n, scale(minus(m, n), swap));

        let start = self.selected(&params::OFFSETS);
        let t = base(self.get("swap", 0));
        let lambda = cheat.line(At::First, start, t);
        self.set_element("lambda_0", 0, lambda);
        factors.store(At::First, t[0] - start[0], self.cell("product", 0));
        let mut acc = sum(start, t, lambda);
        for i in 0..STEPS {
            let [x_t, y_t] = base(self.get("swap", i + 1));
            let t = [x_t, y_t.scale_const(self.get("sign", i).double() - KoalaBear::ONE)];
            let run = t[0] - acc[0];
            let lambda_1 = cheat.line(At::Step(i), acc, t);
            acc = [acc[0], t[1] - lambda_1.dot_mul(&run)];
            let x = lambda_1.dot_square() - acc[0] - t[0];
            let once = [x, lambda_1.dot_mul(&(acc[0] - x)) - acc[1]];
            let lambda_2 = cheat.line(At::Twice(i), once, acc);
            self.set_element("lambda_1", i, lambda_1);
            self.set_element("lambda_2", i, lambda_2);
            factors.store(At::Step(i), run, self.cell("product", i + 1));
            acc = sum(once, acc, lambda_2);
        }
        let end = self.selected(&params::HALF_CORRECTIONS);
        let lambda = cheat.line(At::End, negated(n), end);
        self.set_element("lambda_e", 0, lambda);
        factors.multiply(At::End, end[0] - n[0]);
        let inverse = Fp7::from_base(factors.product).inv0().0[0];
        *self.cell("inverse", 0) = self.get("real", 0) * inverse;
    }
}

impl Follow for HalfScalarMul {
    fn write_entries(_: &mut Row<Self>, _: &ShownScalarMul) {}

    fn follow(row: &mut Row<Self>, cheat: &Cheat) {
        let factors = Factors { cheat, t: row.t, product: KoalaBear::ONE };
        row.chain(cheat, factors, row.point("x_r"), row.point("x_p"));
    }
}

impl Row<HalfVerify> {
    /// The entry of window `w`.
    pub(super) fn entry(&self, w: usize) -> Pair {
        [self.element("x_g", w), self.element("y_g", w)]
    }

    pub(super) fn set_entry(&mut self, w: usize, entry: Point) {
        let [x, y] = pair(entry);
        self.set_element("x_g", w, x);
        self.set_element("y_g", w, y);
    }

    /// X, the sum of the entries.
    pub(super) fn x(&self, cheat: &Cheat) -> Pair {
        (1..WINDOWS).fold(self.entry(0), |acc, w| {
            let entry = self.entry(w);
            sum(acc, entry, cheat.line(At::Entry(w), acc, entry))
        })
    }

    /// Q_j.
    pub(super) fn q(&self, cheat: &Cheat) -> Pair {
        self.selected(&cheat.q.unwrap_or(params::GENERATOR_OFFSETS))
    }
}

impl Follow for HalfVerify {
    fn write_entries(row: &mut Row<Self>, shown: &ShownVerify) {
        for (w, digit) in windows(&shown.s).into_iter().enumerate() {
            let entry = generator::entries()[generator::entry(w, digit, row.is_second())];
            row.set_entry(w, entry.into());
        }
    }

    fn follow(row: &mut Row<Self>, cheat: &Cheat) {
        let mut factors = Factors { cheat, t: row.t, product: KoalaBear::ONE };
        let (q, r) = (row.q(cheat), row.point("x_r"));
        factors.multiply(At::Y, q[0] - r[0]);
        let mut acc = row.entry(0);
        for w in 1..WINDOWS {
            let entry = row.entry(w);
            let lambda = cheat.line(At::Entry(w), acc, entry);
            row.set_element("lambda_g", w - 1, lambda);
            factors.store(At::Entry(w), entry[0] - acc[0], row.cell("product_g", w - 1));
            acc = sum(acc, entry, lambda);
        }
        let x = acc;
        let lambda = cheat.line(At::Y, r, q);
        row.set_element("lambda_y", 0, lambda);
        let y = sum(r, q, lambda);
        let lambda = cheat.line(At::D, negated(y), x);
        row.set_element("lambda_d", 0, lambda);
        factors.store(At::D, x[0] - y[0], row.cell("product_d", 0));
        // The third point of the line through X and −Y.
        let third = lambda.dot_square() - x[0] - y[0];
        let third = [third, x[1] + lambda.dot_mul(&(third - x[0]))];
        let d = cheat.difference.map_or(third, |difference| difference(x, y));
        row.set_point("x_d", d);
        row.chain(cheat, factors, d, row.point("x_a"));
    }
}

/// b·B_j + d·D + p·P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) b: Scalar,
    pub(super) d: Scalar,
    pub(super) p: Scalar,
}

impl Form {
    pub(super) const B: Self = Self { b: Scalar::ONE, d: Scalar::ZERO, p: Scalar::ZERO };
    pub(super) const D: Self = Self { b: Scalar::ZERO, d: Scalar::ONE, p: Scalar::ZERO };
    pub(super) const P: Self = Self { b: Scalar::ZERO, d: Scalar::ZERO, p: Scalar::ONE };

    /// C_j.
    pub(super) fn c() -> Self {
        Self::B * (0..STEPS).fold(Scalar::ONE, |c, _| c + c)
    }

    /// The form for D = δ·P.
    pub(super) fn with_d(self, delta: Scalar) -> Self {
        Self { b: self.b, d: Scalar::ZERO, p: self.p + self.d * delta }
    }

    /// D for which this form is 𝒪, given B_j and P.
    pub(super) fn solve_d(self, b: Point, p: Point) -> Point {
        times(-inverse(self.d), times(self.b, b) + times(self.p, p))
    }

    /// P for which this form without D is 𝒪, given B_j.
    pub(super) fn solve_p(self, b: Point) -> Point {
        assert!(self.d == Scalar::ZERO);
        times(-self.b * inverse(self.p), b)
    }

    /// D and P for which two forms are 𝒪, as multiples of B_j.
    pub(super) fn solve_both(self, other: Self) -> Option<[Scalar; 2]> {
        let inverse = (self.d * other.p - self.p * other.d).invert()?;
        let d = (self.p * other.b - self.b * other.p) * inverse;
        Some([d, (self.b * other.d - self.d * other.b) * inverse])
    }
}

impl Add for Form {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { b: self.b + other.b, d: self.d + other.d, p: self.p + other.p }
    }
}
impl Neg for Form {
    type Output = Self;
    fn neg(self) -> Self {
        self * -Scalar::ONE
    }
}
impl Sub for Form {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
impl Mul<Scalar> for Form {
    type Output = Self;
    fn mul(self, k: Scalar) -> Self {
        Self { b: self.b * k, d: self.d * k, p: self.p * k }
    }
}

/// What a cheat makes of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    None,
    /// −B_j + T first.
    Start,
    /// −B_j for B_j + B_j first.
    Opposite,
    /// −2·acc + T in a step.
    Negated(usize),
    /// −T in a step.
    Lost(usize),
    /// −acc for 2·acc + acc in a step.
    Third(usize),
}

/// A chain in forms.
pub(super) struct Chain {
    pub(super) n: Form,
    pub(super) m: Form,
    pub(super) pair: HalfPair,
    pub(super) twist: Twist,
}

impl Chain {
    pub(super) fn new(pair: HalfPair, twist: Twist) -> Self {
        Self { n: Form::D + Form::P, m: Form::D - Form::P, pair, twist }
    }

    /// T of a digit.
    pub(super) fn t(&self, digit: usize) -> Form {
        let base = if self.pair.swap(digit) { self.m } else { self.n };
        if digit == 0 || self.pair.sign(digit - 1) { base } else { -base }
    }

    /// acc after this many steps.
    pub(super) fn acc(&self, steps: usize) -> Form {
        let mut acc = match self.twist {
            Twist::Start => self.t(0) - Form::B,
            Twist::Opposite => -Form::B,
            _ => self.t(0) + Form::B,
        };
        for i in 0..steps {
            let (twice, t) = (acc + acc, self.t(i + 1));
            acc = match self.twist {
                Twist::Negated(step) if step == i => t - twice,
                Twist::Lost(step) if step == i => -t,
                Twist::Third(step) if step == i => -acc,
                _ => twice + t,
            };
        }
        acc
    }

    /// E.
    pub(super) fn end(&self) -> Form {
        debug_assert_eq!(DIGITS, STEPS + 1);
        self.acc(STEPS)
    }
}

/// A root λ of λ³ − 3xλ + y, if Cardano's formula finds one. A line of this slope through (x, y) leads to a point with y = 0:
/// (x, y) + (x, y) on the curve y² = x³ + a′x + b′ that it touches there.
pub(super) fn slope_to_order_two([x, y]: Pair) -> Option<Fp7> {
    let half = Fp7::from_base(KoalaBear::TWO).inverse();
    let root =
        (y.dot_square() - x.dot_square().dot_mul(&x).scale_const(KoalaBear::from_u32(4))).try_sqrt()?;
    let u = cube_root((root - y).dot_mul(&half));
    let lambda = u + x.dot_mul(&u.inv0());
    let value = lambda.dot_square().dot_mul(&lambda) - x.tripled().dot_mul(&lambda) + y;
    assert!(value.is_zero());
    Some(lambda)
}

/// The cube root: 3 does not divide p⁷ − 1.
fn cube_root(x: Fp7) -> Fp7 {
    // (2p⁷ − 1)/3
    let p = crypto_bigint::U256::from(P);
    let power = (0..7).fold(crypto_bigint::U256::from(2u32), |power, _| power.wrapping_mul(&p));
    let three = crypto_bigint::NonZero::new(crypto_bigint::U256::from(3u32)).unwrap();
    let (exponent, rest) = power.wrapping_sub(&crypto_bigint::U256::ONE).div_rem_vartime(&three);
    assert_eq!(rest, crypto_bigint::U256::ZERO);
    let bytes = exponent.to_le_bytes();
    let mut root = Fp7::ONE;
    for byte in bytes.as_ref().iter().rev() {
        for bit in (0..8).rev() {
            root = root.dot_square();
            if byte >> bit & 1 == 1 {
                root = root.dot_mul(&x);
            }
        }
    }
    assert_eq!(root.dot_square().dot_mul(&root), x);
    root
}
