//! Chips over small curves, where every row can be tried.
//!
//! Elements of the septic extension have their first coordinate alone, so the chips work over a prime field of a few
//! elements; curves of prime order without a point (0, 0) satisfy their assumptions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, Mul, Neg, Sub};

use septic_chips::add::AddCols;
use septic_chips::check::{CheckField, check_row, labels};
use septic_chips::columns::ColumnSet;
use septic_chips::double::DoubleCols;
use septic_chips::params::{CurveParams, PointResidues, Residues};
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip};
use septic_curve::Septic;

use crate::support::name_of;

/// Integers modulo Q.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Small<const Q: u32>(u32);

impl<const Q: u32> Small<Q> {
    fn all() -> impl Iterator<Item = Self> + Clone {
        (0..Q).map(Self)
    }

    fn inverse(self) -> Self {
        (0..Q - 2).fold(Self(1), |power, _| power * self)
    }
}

impl<const Q: u32> Add for Small<Q> {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self((self.0 + rhs.0) % Q)
    }
}

impl<const Q: u32> Sub for Small<Q> {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self((self.0 + Q - rhs.0) % Q)
    }
}

impl<const Q: u32> Mul for Small<Q> {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        Self(self.0 * rhs.0 % Q)
    }
}

impl<const Q: u32> Neg for Small<Q> {
    type Output = Self;
    fn neg(self) -> Self {
        Self((Q - self.0) % Q)
    }
}

impl<const Q: u32> CheckField for Small<Q> {
    fn from_residue(c: u32) -> Self {
        Self(c % Q)
    }

    fn septic_mul(a: &Septic<Self>, b: &Septic<Self>) -> Septic<Self> {
        embed(a.0[0] * b.0[0])
    }
}

fn embed<const Q: u32>(x: Small<Q>) -> Septic<Small<Q>> {
    Septic::from_fn(|i| if i == 0 { x } else { Small(0) })
}

/// y² = x³ + Ax + B.
#[derive(Clone, Copy, Debug, Default)]
struct Weierstrass<const A: u32, const B: u32>;

impl<const A: u32, const B: u32> CurveParams for Weierstrass<A, B> {
    const A: u32 = A;
    const B: Residues = [B, 0, 0, 0, 0, 0, 0];
    const OFFSETS: [PointResidues; 2] = [[[0; 7]; 2]; 2];
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] = [[[0; 7]; 2]; 2];
    const VERIFY_CORRECTIONS: [PointResidues; 2] = [[[0; 7]; 2]; 2];
    const HALF_GENERATOR: PointResidues = [[0; 7]; 2];
}

type Element<const Q: u32> = Option<(Small<Q>, Small<Q>)>;

/// The group law, by the textbook.
struct Group<const Q: u32, const A: u32, const B: u32>;

impl<const Q: u32, const A: u32, const B: u32> Group<Q, A, B> {
    fn contains(x: Small<Q>, y: Small<Q>) -> bool {
        y * y == x * x * x + Small(A) * x + Small(B)
    }

    /// All points, the identity last.
    fn points() -> Vec<Element<Q>> {
        let pairs = Small::all().flat_map(|x| Small::all().map(move |y| (x, y)));
        pairs.filter(|&(x, y)| Self::contains(x, y)).map(Some).chain([None]).collect()
    }

    /// The point that a pair stands for in ADD and DOUBLE.
    fn decode(x: Small<Q>, y: Small<Q>) -> Option<Element<Q>> {
        if (x.0, y.0) == (0, 0) { Some(None) } else { Self::contains(x, y).then_some(Some((x, y))) }
    }

    fn add(p: Element<Q>, q: Element<Q>) -> Element<Q> {
        let ((x_p, y_p), (x_q, y_q)) = match (p, q) {
            (None, other) | (other, None) => return other,
            (Some(p), Some(q)) => (p, q),
        };
        let slope = if x_p != x_q {
            (y_q - y_p) * (x_q - x_p).inverse()
        } else if y_p == y_q {
            (Small(3) * x_p * x_p + Small(A)) * (y_p + y_p).inverse()
        } else {
            return None;
        };
        let x = slope * slope - x_p - x_q;
        Some((x, slope * (x_p - x) - y_p))
    }
}

/// The names of the violated constraints of a row without successor.
fn violated<C: Chip, const Q: u32>(cols: &C::Cols<Small<Q>>) -> BTreeSet<&'static str>
where
    C::Cols<Small<Q>>: ColumnSet<Small<Q>>,
{
    let mut row = vec![Small(0); C::WIDTH];
    cols.write_to(&mut row);
    check_row::<C, Small<Q>>(&row, &row, &[], &[]).into_iter().map(|failure| name_of(failure.label)).collect()
}

fn names<C: Chip>() -> BTreeSet<&'static str> {
    labels::<C>().into_iter().map(|(label, _)| name_of(label)).collect()
}

/// Every row that is accepted is right, and every constraint is the only one that rejects some row, but for the boolean
/// constraints of P's and Q's flags: each of them follows from the other and the rest. Without both, rows pass that
/// show no points.
#[test]
fn every_add_row() {
    const Q: u32 = 5;
    const A: u32 = 3;
    const B: u32 = 2;
    type Curve = Group<Q, A, B>;
    type Chip = AddChip<Weierstrass<A, B>>;
    let zero = Small::<Q>(0);
    let all: Vec<Small<Q>> = Small::all().collect();
    let pairs: Vec<(Small<Q>, Small<Q>)> =
        all.iter().flat_map(|&x| all.iter().map(move |&y| (x, y))).collect();
    // Constraints that read neither R nor λ.
    let of_inputs = [
        "is_real",
        "p_identity",
        "q_identity",
        "p_curve",
        "q_curve",
        "p_zero",
        "q_zero",
        "x_equal",
        "y_opposed",
    ];
    let names = names::<Chip>();
    let pair: BTreeSet<_> =
        names.intersection(&BTreeSet::from(["p_identity", "q_identity"])).copied().collect();
    let (mut alone, mut false_without_pair) = (BTreeSet::new(), 0);
    let mut proven = BTreeSet::new();
    for &p in &pairs {
        for &q in &pairs {
            for flags in 0..Q.pow(4) {
                let flag = |i: u32| Small(flags / Q.pow(i) % Q);
                let mut cols = AddCols {
                    x_p: embed(p.0),
                    y_p: embed(p.1),
                    x_q: embed(q.0),
                    y_q: embed(q.1),
                    x_r: embed(zero),
                    y_r: embed(zero),
                    lambda: embed(zero),
                    is_real: flag(0),
                    p_identity: flag(1),
                    q_identity: flag(2),
                    opposite: flag(3),
                };
                let hopeless = violated::<Chip, Q>(&cols);
                if hopeless.iter().filter(|name| of_inputs.contains(name) && !pair.contains(*name)).count()
                    > 1
                {
                    continue;
                }
                for &(x_r, y_r) in &pairs {
                    for &lambda in &all {
                        (cols.x_r, cols.y_r, cols.lambda) = (embed(x_r), embed(y_r), embed(lambda));
                        let violated = violated::<Chip, Q>(&cols);
                        if violated.is_empty() && cols.is_real == Small(1) {
                            let inputs = [p, q].map(|(x, y)| Curve::decode(x, y).unwrap());
                            assert_eq!(Curve::decode(x_r, y_r), Some(Curve::add(inputs[0], inputs[1])));
                            proven.insert(inputs);
                        }
                        if violated == pair && cols.is_real == Small(1) {
                            false_without_pair += usize::from(Curve::decode(p.0, p.1).is_none());
                        }
                        if violated.len() == 1 {
                            alone.extend(violated);
                        }
                    }
                }
            }
        }
    }
    assert_eq!(proven.len(), Curve::points().len().pow(2), "every pair of points has its sum");
    let missing: BTreeSet<_> = names.difference(&alone).copied().collect();
    assert_eq!(missing, if pair.len() == 2 { pair } else { BTreeSet::new() });
    assert!(false_without_pair > 0);
}

#[test]
fn every_double_row() {
    const Q: u32 = 7;
    const A: u32 = 1;
    const B: u32 = 1;
    type Curve = Group<Q, A, B>;
    type Chip = DoubleChip<Weierstrass<A, B>>;
    let mut alone = BTreeSet::new();
    let mut proven = BTreeSet::new();
    for number in 0..Q.pow(7) {
        let cell = |i: u32| Small::<Q>(number / Q.pow(i) % Q);
        let cols = DoubleCols {
            x_p: embed(cell(0)),
            y_p: embed(cell(1)),
            x_r: embed(cell(2)),
            y_r: embed(cell(3)),
            lambda: embed(cell(4)),
            is_real: cell(5),
            p_identity: cell(6),
        };
        let violated = violated::<Chip, Q>(&cols);
        if violated.is_empty() && cols.is_real == Small(1) {
            let p = Curve::decode(cell(0), cell(1)).unwrap();
            assert_eq!(Curve::decode(cell(2), cell(3)), Some(Curve::add(p, p)));
            proven.insert(p);
        }
        if violated.len() == 1 {
            alone.extend(violated);
        }
    }
    assert_eq!(proven.len(), Curve::points().len());
    assert_eq!(alone, names::<Chip>());
}

/// The lemma of the ladder: slopes exist iff T is on the curve, acc ≠ −σT and 2·acc + σT ≠ 𝒪, are unique, and give
/// 2·acc + σT; acc on the curve, σ = ±1.
#[test]
fn every_step_of_the_ladder() {
    const Q: u32 = 11;
    const A: u32 = 1;
    const B: u32 = 6;
    type Curve = Group<Q, A, B>;
    type Chip = ScalarMulChip<Weierstrass<A, B>>;
    let fields = <<Chip as septic_chips::Chip>::Cols<u32> as ColumnSet<u32>>::FIELDS;
    let column = |name| septic_chips::columns::column(fields, name);
    let flags = vec![Small::<Q>(0); Chip::NUM_FLAGS];
    let next = vec![Small::<Q>(0); Chip::WIDTH];
    let slopes_hold = |cells: [(&'static str, Small<Q>); 6]| {
        let mut row = vec![Small::<Q>(0); Chip::WIDTH];
        for (name, value) in cells {
            row[column(name)] = value;
        }
        let failures = check_row::<Chip, Small<Q>>(&row, &next, &flags, &[]);
        !failures.iter().any(|failure| ["slope_1", "slope_2"].contains(&name_of(failure.label)))
    };
    let mut solutions: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for number in 0..Q.pow(5) {
        let [x, x_t, y_t, lambda_1, lambda_2] = [0, 1, 2, 3, 4].map(|i| Small::<Q>(number / Q.pow(i) % Q));
        for (digit, signed) in [(Small(1), y_t), (Small(0), -y_t)] {
            let y = signed - lambda_1 * (x_t - x);
            let cells = [
                ("x", x),
                ("x_t", x_t),
                ("y_t", y_t),
                ("lambda_1", lambda_1),
                ("lambda_2", lambda_2),
                ("digit", digit),
            ];
            if Curve::contains(x, y) && slopes_hold(cells) {
                assert!(Curve::contains(x_t, signed), "T is on the curve");
                let (acc, t) = (Some((x, y)), Some((x_t, signed)));
                let x_2 = lambda_2 * lambda_2 - lambda_1 * lambda_1 + x_t;
                let result = Some((x_2, lambda_2 * (x - x_2) - y));
                assert_eq!(result, Curve::add(Curve::add(acc, t), acc));
                let found = solutions.entry((acc, t, digit)).or_default();
                found.push((lambda_1, lambda_2));
                assert_eq!(found.len(), 1);
            }
        }
    }
    let mut expected = 0;
    let points = Curve::points();
    for &acc in &points[..points.len() - 1] {
        for &t in &points[..points.len() - 1] {
            let sum = Curve::add(acc, t);
            expected += usize::from(sum.is_some() && Curve::add(sum, acc).is_some());
        }
    }
    // Once for each sign.
    assert_eq!(solutions.len(), 2 * expected);
}
