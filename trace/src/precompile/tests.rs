//! The tables for a virtual machine: every constraint and message on every row, changed cells, forged cases.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use std::collections::BTreeSet;
use std::string::String;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::Matrix;
use septic_chips::bus::Bus;
use septic_chips::check::{CheckField, check_table_row, row_messages};
use septic_chips::columns::ColumnSet;
use septic_chips::precompile::points::Points;
use septic_chips::table::{Place, Table};
use septic_curve::p3_field::PrimeField32;
use septic_curve::{Point, Scalar, Scalar256, params};
use serde_json::Value;

use super::*;
use crate::{ScalarMulEvent, VerifyEvent};

type Sm = PrecompileScalarMul;
type Vf = PrecompileVerify;

const P: u32 = 0x7f00_0001;

fn cases(op: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().iter().filter(|c| c["op"] == op).cloned().collect()
}

fn point(v: &Value) -> Point {
    let limbs =
        |v: &Value| -> [u32; 7] { array::from_fn(|i| u32::try_from(v[i].as_u64().unwrap()).unwrap()) };
    Point::from_canonical((!v.is_null()).then(|| (limbs(&v["x"]), limbs(&v["y"])))).unwrap()
}

fn scalar(v: &Value) -> Scalar256 {
    Scalar256::from_hex(v.as_str().unwrap()).unwrap()
}

fn multiple(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&k.into())
}

fn times(k: Scalar, point: Point) -> Point {
    point.mul_vartime(&k.into())
}

/// A row of the table of `O`.
#[derive(Clone)]
struct Row<O> {
    cells: Vec<KoalaBear>,
    operation: PhantomData<O>,
}

impl<O: PrecompileOperation> Row<O> {
    fn all(claims: &[Claim<O::Event>]) -> Vec<Self> {
        let main = O::generate_claims(claims).unwrap();
        assert_eq!((main.height(), main.width()), (claims.len(), O::Table::WIDTH));
        main.row_slices().map(|cells| Self { cells: cells.to_vec(), operation: PhantomData }).collect()
    }

    fn honest(event: O::Event) -> Self {
        Self::all(&[Claim::of(event)]).swap_remove(0)
    }

    fn fields() -> &'static [Field] {
        <<O::Table as Table>::Cols<u32> as ColumnSet<u32>>::FIELDS
    }

    fn cell(&mut self, name: &str, i: usize) -> &mut KoalaBear {
        &mut self.cells[column(Self::fields(), name) + i]
    }

    fn set(&mut self, name: &str, values: &[KoalaBear]) {
        let at = column(Self::fields(), name);
        self.cells[at..][..values.len()].copy_from_slice(values);
    }

    fn point(&mut self, name: &str, point: Point) {
        let cells: Vec<KoalaBear> = coordinates(point).collect();
        self.set(name, &cells);
    }

    /// The labels of what fails: constraints, and messages that are not true.
    fn failing(&self) -> BTreeSet<&'static str> {
        let zero = KoalaBear::ZERO;
        let place = Place { is_first: zero, is_transition: zero };
        let failures = check_table_row::<O::Table, KoalaBear>(&self.cells, &self.cells, &[], &place, &[]);
        let untrue = row_messages::<O::Table, KoalaBear>(&self.cells).into_iter().filter(|message| {
            let number = |i: usize| message.fields[i].as_canonical_u32();
            !match message.bus {
                Bus::Bytes => number(0) < 256 && number(1) < 256,
                Bus::Range => number(1) <= 16 && number(0) < 1 << number(1),
                _ => panic!("these tables send nothing on {}", message.bus),
            }
        });
        let labels = failures.into_iter().map(|f| f.label).chain(untrue.map(|m| m.label));
        labels.map(|label| label.0.split_once('.').unwrap().1).collect()
    }
}

/// Every row of true claims is valid.
fn all_valid<O: PrecompileOperation>(events: &[O::Event]) -> Vec<Row<O>> {
    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    let rows = Row::<O>::all(&claims);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.failing(), BTreeSet::new(), "row {i}");
    }
    rows
}

fn edge_scalars() -> Vec<Scalar256> {
    let order = params::ORDER;
    let one = crypto_bigint::U256::ONE;
    let numbers = [
        order.wrapping_sub(&one),
        order,
        order.wrapping_add(&one),
        order.wrapping_add(&one).wrapping_add(&one),
        order.shl_vartime(1),
        order.shl_vartime(1).wrapping_sub(&one),
        // The greatest multiple of r below 2^256, and its neighbours.
        order.wrapping_mul(&greatest_quotient()),
        order.wrapping_mul(&greatest_quotient()).wrapping_sub(&one),
        order.wrapping_mul(&greatest_quotient()).wrapping_add(&one),
        one.shl_vartime(255),
    ];
    let mut scalars: Vec<Scalar256> = [0, 1, 2, 3, 4].map(Scalar256::from).to_vec();
    scalars.extend(numbers.map(Scalar256::from));
    scalars.push(Scalar256::MAX);
    scalars
}

/// ⌊(2^256 − 1)/r⌋.
fn greatest_quotient() -> crypto_bigint::U256 {
    let order = crypto_bigint::NonZero::new(params::ORDER).unwrap();
    crypto_bigint::U256::MAX.div_rem_vartime(&order).0
}

fn edge_points() -> Vec<Point> {
    let g = Point::GENERATOR;
    let h = Point::from(params::HALF_GENERATOR);
    let b = Points::get().starts.map(Point::from);
    vec![g, -g, g.double(), -g.double(), h, -h, multiple(3), Point::Identity, b[0], -b[31]]
}

#[test]
fn scalar_mul_of_all_kinds() {
    let mut events: Vec<ScalarMulEvent> = edge_points()
        .into_iter()
        .flat_map(|p| edge_scalars().into_iter().map(move |s| ScalarMulEvent { p, s }))
        .collect();
    let edges = events.len();
    for case in cases("scalar_mul") {
        let event = ScalarMulEvent { p: point(&case["p"]), s: scalar(&case["s"]) };
        assert_eq!(event.execute(), point(&case["out"]));
        events.push(event);
    }
    let rows = all_valid::<Sm>(&events);
    assert!(edges == 160 && rows.len() > 230, "{edges} {}", rows.len());
    for (ScalarMulEvent { p, s }, row) in events.iter().zip(&rows) {
        assert_eq!(row.cells[0], KoalaBear::ONE);
        assert!(row.cells[1..15].iter().copied().eq(coordinates(*p)));
        assert!(row.cells[15..29].iter().copied().eq(coordinates(p.mul_vartime(s))));
        assert!(row.cells[29..45].iter().copied().eq(limbs(s)));
    }
}

#[test]
fn verify_of_all_kinds() {
    let mut events = Vec::new();
    let scalars = edge_scalars();
    for a in edge_points() {
        for (i, &s) in scalars.iter().enumerate() {
            for (j, &e) in scalars.iter().enumerate() {
                if (i + 3 * j) % 4 == 0 || i == j {
                    events.push(VerifyEvent { a, s, e });
                }
            }
        }
    }
    let edges = events.len();
    for case in cases("verify") {
        let event = VerifyEvent { a: point(&case["a"]), s: scalar(&case["s"]), e: scalar(&case["e"]) };
        assert_eq!(event.execute(), point(&case["out"]));
        events.push(event);
    }
    // Results that are the identity, with every kind of e.
    for e in scalars {
        let a = multiple(11);
        let s = -Scalar::from(11) * Scalar::from(e);
        events.push(VerifyEvent { a, s: s.into(), e });
        assert_eq!(events.last().unwrap().execute(), Point::Identity);
    }
    let rows = all_valid::<Vf>(&events);
    assert!(edges == 640 && rows.len() > edges + 150, "{edges} {}", rows.len());
    for (VerifyEvent { a, s, e }, row) in events.iter().zip(&rows) {
        assert_eq!(row.cells[0], KoalaBear::ONE);
        assert!(row.cells[1..15].iter().copied().eq(coordinates(*a)));
        assert!(row.cells[15..29].iter().copied().eq(coordinates(Point::mul_add_vartime(s, e, a))));
        assert!(row.cells[29..45].iter().copied().eq(limbs(s)));
        assert!(row.cells[45..61].iter().copied().eq(limbs(e)));
    }
}

/// Events whose sums meet equal points from the first offsets.
#[test]
fn colliding_events_start_elsewhere() {
    let starts = Points::get().starts.map(Point::from);
    let fraction = |k: u64, point: Point| times(Scalar::from(k).invert().unwrap(), point);
    // (s + 1)·P and (s − 1)·P are N and M; one of them is what the chain from B_0 adds first.
    let events: Vec<ScalarMulEvent> =
        [3, 5].map(|k| ScalarMulEvent { p: fraction(k, starts[0]), s: 4_u64.into() }).to_vec();
    let rows = all_valid::<Sm>(&events);
    let start = column(Row::<Sm>::fields(), "start");
    assert!(rows.iter().any(|row| row.cells[start..][..5].contains(&KoalaBear::ONE)));

    // R = s·G + e·A with x(R) = x(Q_0).
    let total = Point::from(Points::get().totals[0]);
    let event = VerifyEvent { a: fraction(7, total), s: Scalar256::ZERO, e: 7_u64.into() };
    assert_eq!(event.execute(), total);
    let rows = all_valid::<Vf>(&[event]);
    let start = column(Row::<Vf>::fields(), "start_g");
    assert!(rows[0].cells[start] == KoalaBear::ONE && rows[0].cells[start + 1] == KoalaBear::ZERO);
    // All chunks of lanes, with one that starts elsewhere among others.
    let mut events: Vec<VerifyEvent> =
        (0..40).map(|k| VerifyEvent { a: multiple(k), s: k.into(), e: (k * k).into() }).collect();
    events[23] = event;
    all_valid::<Vf>(&events);
}

#[test]
fn wrong_results_are_refused() {
    for (p, s) in [(multiple(5), 7_u64), (multiple(5), 0), (multiple(5), 1), (Point::Identity, 3)] {
        let event = ScalarMulEvent { p, s: s.into() };
        for out in [multiple(3), Point::Identity, multiple(5), -multiple(5)] {
            let refused = Sm::generate_claims(&[Claim::of(event), Claim { event, out }]);
            if out == event.execute() {
                assert!(refused.is_ok());
            } else {
                assert_eq!(refused.unwrap_err(), TraceError::WrongResult { event: 1 });
            }
        }
    }
    for (a, e) in [(multiple(5), 7_u64), (multiple(5), 0), (multiple(5), 1), (Point::Identity, 3)] {
        let event = VerifyEvent { a, s: 2_u64.into(), e: e.into() };
        for out in [multiple(3), Point::Identity, multiple(5), multiple(2)] {
            let refused = Vf::generate_claims(&[Claim::of(event), Claim { event, out }]);
            if out == event.execute() {
                assert!(refused.is_ok());
            } else {
                assert_eq!(refused.unwrap_err(), TraceError::WrongResult { event: 1 });
            }
        }
    }
    let off = Point::Affine(AffinePoint::new_unchecked(params::GENERATOR.y(), params::GENERATOR.x()));
    let event = ScalarMulEvent { p: off, s: 2_u64.into() };
    let refused = Sm::generate_claims(&[Claim { event, out: off }]).unwrap_err();
    assert_eq!(refused, TraceError::NotOnCurve { event: 0, field: "p" });
}

/// Changes every cell in several ways; the fields with a cell whose change nothing notices.
fn unnoticed<O: PrecompileOperation>(row: &Row<O>) -> BTreeSet<&'static str> {
    let mut row = row.clone();
    let mut found = BTreeSet::new();
    for field in Row::<O>::fields() {
        for cell in field.offset..field.offset + field.width {
            let honest = row.cells[cell];
            let numbers = [0, 1, 2, P - 1, 1 << 8, 1 << 14, 0x1234_5678].map(KoalaBear::from_residue);
            for changed in numbers.into_iter().chain([honest + KoalaBear::ONE, honest - KoalaBear::ONE]) {
                if changed == honest {
                    continue;
                }
                row.cells[cell] = changed;
                if row.failing().is_empty() {
                    found.insert(field.name);
                }
            }
            row.cells[cell] = honest;
        }
    }
    found
}

/// Fields of the chain that nothing asks for one by one where it does not run.
fn idle<O: PrecompileOperation>(events: &[O::Event]) -> BTreeSet<String> {
    all_valid::<O>(events).iter().flat_map(|row| unnoticed(row)).map(String::from).collect()
}

#[test]
fn changed_cells_are_noticed() {
    let a = multiple(9);
    let minus_one = Scalar256::from(-Scalar::ONE);
    let active = [2.into(), Scalar256::MAX].map(|s| ScalarMulEvent { p: multiple(5), s });
    assert_eq!(idle::<Sm>(&active), BTreeSet::new());
    let active = [
        VerifyEvent { a, s: Scalar256::MAX, e: Scalar256::MAX },
        VerifyEvent { a, s: minus_one, e: 2.into() },
        VerifyEvent { a, s: (-Scalar::from(27)).into(), e: 3.into() },
    ];
    assert_eq!(idle::<Vf>(&active), BTreeSet::new());

    // Without a chain its own witnesses may be changed, one by one: no input, no flag, no number.
    let free: BTreeSet<String> =
        ["inverse", "lambda_m", "lambda_n", "x_m", "y_m"].map(String::from).into_iter().collect();
    let cases = [0, 1].map(Scalar256::from).into_iter().chain([minus_one]);
    let mut special: Vec<ScalarMulEvent> = cases.clone().map(|s| ScalarMulEvent { p: a, s }).collect();
    assert_eq!(idle::<Sm>(&special), free);
    // s·𝒪 = 𝒪 whatever s is: memory says what s is.
    let with = |input: &str| free.iter().cloned().chain([String::from(input)]).collect::<BTreeSet<_>>();
    special = vec![ScalarMulEvent { p: Point::Identity, s: 5.into() }];
    assert_eq!(idle::<Sm>(&special), with("s"));
    let special: Vec<VerifyEvent> = cases.map(|e| VerifyEvent { a, s: 7.into(), e }).collect();
    assert_eq!(idle::<Vf>(&special), free);
    assert_eq!(idle::<Vf>(&[VerifyEvent { a: Point::Identity, s: 7.into(), e: 5.into() }]), with("e"));
}

/// Flags that lie, with everything recomputed: one constraint each refuses them.
#[test]
fn flags_cannot_lie() {
    let p = multiple(5);
    // 7·P is said to be what a flag says of 0·P, P and −P: the product is no multiple of r.
    let lies = [("zero", 0_u64, Point::Identity), ("one", 1, p), ("minus_one", 0, -p)];
    for (flag, s, out) in lies {
        let s = if flag == "minus_one" { Scalar256::from(-Scalar::ONE) } else { s.into() };
        let mut row = Row::<Sm>::honest(ScalarMulEvent { p, s });
        row.point("x_r", out);
        assert_eq!(row.failing(), BTreeSet::new());
        let low: Vec<KoalaBear> = limbs(&7_u64.into()).collect();
        row.set("s", &low);
        row.set("low", &low);
        row.set("quotient", &[KoalaBear::ZERO; 19]);
        row.set("carry", &[KoalaBear::new(1 << 13); 22]);
        assert_eq!(row.failing(), ["C8.product"].into(), "{flag}");
    }
    // The other way: s is as the flag says, the point is not.
    for (s, flag) in [(0_u64, "C6.r_zero"), (1, "C7.unit_x")] {
        let mut row = Row::<Sm>::honest(ScalarMulEvent { p, s: s.into() });
        row.point("x_r", multiple(3));
        assert!(row.failing().contains(flag));
    }
    // −P for P: y alone.
    let mut row = Row::<Sm>::honest(ScalarMulEvent { p, s: Scalar256::ONE });
    row.point("x_r", -p);
    assert_eq!(row.failing(), ["C7.unit_y"].into());
    // No flag, no chain: u = 0 shows nothing of s.
    let mut row = Row::<Sm>::honest(ScalarMulEvent { p: Point::Identity, s: 7_u64.into() });
    row.point("x_p", p);
    row.point("x_r", multiple(3));
    *row.cell("p_identity", 0) = KoalaBear::ZERO;
    assert!(row.failing().is_superset(&["C8.product", "C16.inverse"].into()));
    // P is the identity with a flag besides.
    let mut row = Row::<Sm>::honest(ScalarMulEvent { p: Point::Identity, s: Scalar256::ZERO });
    *row.cell("zero", 0) = KoalaBear::ONE;
    assert!(row.failing().contains("C4.flags"));
}

/// s·G + e·A = R with R*, n and D of another case.
#[test]
fn results_cannot_be_hidden() {
    let a = multiple(5);
    // e·A = 0·A is hidden by A = 𝒪 and the other way.
    let mut row = Row::<Vf>::honest(VerifyEvent { a, s: 3.into(), e: Scalar256::ZERO });
    *row.cell("zero", 0) = KoalaBear::ZERO;
    *row.cell("a_identity", 0) = KoalaBear::ONE;
    assert!(row.failing().is_superset(&["C2.a_curve", "C3.a_zero"].into()));
    // R = 𝒪 is shown for R = G: without C6 the row would be valid for both.
    let mut row = Row::<Vf>::honest(VerifyEvent { a, s: (-Scalar::from(35)).into(), e: 7.into() });
    row.point("x_r", Point::GENERATOR);
    *row.cell("r_identity", 0) = KoalaBear::ZERO;
    // s is one less than the row's n.
    assert_eq!(row.failing(), ["C7.reduction"].into());
    // D is ±A for e = ±1: of the other sign.
    let mut row = Row::<Vf>::honest(VerifyEvent { a, s: 7.into(), e: Scalar256::ONE });
    *row.cell("one", 0) = KoalaBear::ZERO;
    *row.cell("minus_one", 0) = KoalaBear::ONE;
    assert_eq!(row.failing(), ["C17.unit_y", "C18.product"].into());
    // n of another s.
    let honest = Row::<Vf>::honest(VerifyEvent { a, s: 7.into(), e: 9.into() });
    let mut row = honest.clone();
    *row.cell("s", 0) = KoalaBear::new(8);
    assert_eq!(row.failing(), ["C7.reduction"].into());
    let mut row = honest;
    *row.cell("e", 0) = KoalaBear::new(8);
    *row.cell("low", 0) = KoalaBear::new(8);
    assert_eq!(row.failing(), ["C18.product"].into());
}

/// Rows do not depend on how events are grouped.
#[test]
fn rows_are_those_of_single_events() {
    let events: Vec<VerifyEvent> = (0..35_u64)
        .map(|k| VerifyEvent { a: multiple(k % 6), s: (k % 3).into(), e: (k % 5).into() })
        .collect();
    for (event, row) in events.iter().zip(all_valid::<Vf>(&events)) {
        assert_eq!(Row::<Vf>::honest(*event).cells, row.cells);
    }
    assert_eq!(Vf::generate_claims(&[]).unwrap().values, []);
}
