//! ADD and DOUBLE: every row.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use septic_chips::Chip;
use septic_chips::add::AddChip;
use septic_chips::check::check_row;
use septic_chips::chip::NoFlags;
use septic_chips::double::DoubleChip;

use crate::curve::{Point, Toy7, Toy13, Toy19, ToyCurve};
use crate::field::F;
use crate::search::{Counts, Plan, Row, Search, cell, empty};
use crate::{Enumerated, Model};

/// All columns of ADD, `is_real` over these values and the others over the whole field.
pub(crate) fn add_plan<T: ToyCurve<P>, const P: u32>(is_real: Range<u32>) -> Plan<AddChip<T>> {
    Plan::new([NoFlags])
        .search(0, &["is_real"], is_real)
        .search(0, &["p_identity", "x_p", "y_p", "q_identity", "x_q", "y_q"], 0..P)
        .search(0, &["opposite", "lambda", "x_r", "y_r"], 0..P)
}

/// The same of DOUBLE.
pub(crate) fn double_plan<T: ToyCurve<P>, const P: u32>(is_real: Range<u32>) -> Plan<DoubleChip<T>> {
    Plan::new([NoFlags]).search(0, &["is_real"], is_real).search(
        0,
        &["p_identity", "x_p", "y_p", "lambda", "x_r", "y_r"],
        0..P,
    )
}

/// Calls `visit` with every accepted row that claims something. The others have `is_real = 0`; the zero row is one.
fn claims<C: Chip, const P: u32>(plan: &Plan<C>, mut visit: impl FnMut(&Row<P>)) -> Counts {
    let search = Search::<C, P>::new(plan);
    assert_eq!(search.unchecked, []);
    let mut counts = Counts::default();
    let mut zero_row = false;
    search.run([empty(); 2], &mut counts, |[row, _]| match cell::<C, P>(row, "is_real").residue() {
        0 => zero_row |= *row == empty(),
        1 => visit(row),
        other => panic!("is_real is {other}"),
    });
    assert!(zero_row, "no padding");
    counts
}

/// The point in two columns of a row; panics if there is none.
fn shown<C: Chip, T: ToyCurve<P>, const P: u32>(row: &Row<P>, xy: [&str; 2]) -> Point {
    T::decode(xy.map(|name| cell::<C, P>(row, name)))
        .unwrap_or_else(|_| panic!("{xy:?} shows no point in {row:?}"))
}

fn add<T: ToyCurve<P>, const P: u32>() -> Enumerated {
    let e = T::E;
    // For each pair of points the flags of its rows, with the number of slopes.
    let mut rows: BTreeMap<(Point, Point), BTreeMap<[F<P>; 3], u32>> = BTreeMap::new();
    let counts = claims(&add_plan::<T, P>(0..P), |row| {
        let point = |xy| shown::<AddChip<T>, T, P>(row, xy);
        let (p, q) = (point(["x_p", "y_p"]), point(["x_q", "y_q"]));
        assert_eq!(point(["x_r", "y_r"]), e.add(p, q), "{p:?} + {q:?}");
        let flags = ["p_identity", "q_identity", "opposite"].map(|name| cell::<AddChip<T>, P>(row, name));
        *rows.entry((p, q)).or_default().entry(flags).or_default() += 1;
    });
    let statements = rows.len();
    for p in e.points() {
        for q in e.points() {
            let opposite = match (p, q) {
                (None, None) => P - 1,
                (Some(_), Some(_)) if p == e.negate(q) => 1,
                _ => 0,
            };
            let flags = [p.is_none().into(), q.is_none().into(), opposite].map(F::new);
            // The slope is free where none is needed.
            let slopes = if flags == [F::ZERO; 3] { 1 } else { P };
            assert_eq!(rows.remove(&(p, q)), Some(BTreeMap::from([(flags, slopes)])), "{p:?} + {q:?}");
        }
    }
    assert!(rows.is_empty());
    counts.with(statements)
}

fn double<T: ToyCurve<P>, const P: u32>() -> Enumerated {
    let e = T::E;
    let mut rows: BTreeMap<Point, Vec<F<P>>> = BTreeMap::new();
    let counts = claims(&double_plan::<T, P>(0..P), |row| {
        let point = |xy| shown::<DoubleChip<T>, T, P>(row, xy);
        let p = point(["x_p", "y_p"]);
        assert_eq!(point(["x_r", "y_r"]), e.add(p, p), "2·{p:?}");
        rows.entry(p).or_default().push(cell::<DoubleChip<T>, P>(row, "p_identity"));
    });
    let expected = e.points().map(|p| (p, vec![F::new(p.is_none().into())]));
    assert_eq!(rows, expected.collect());
    counts.with(rows.len())
}

pub(crate) static ADD: [Model; 3] = [
    Model::new("ADD over 7 elements", add::<Toy7, _>, [29_085, 17_114, 121]),
    Model::new("ADD over 13 elements", add::<Toy13, _>, [165_685, 108_674, 361]),
    Model::new("ADD over 19 elements", add::<Toy19, _>, [2_690_191, 2_476_934, 169]),
];

pub(crate) static DOUBLE: [Model; 3] = [
    Model::new("DOUBLE over 7 elements", double::<Toy7, _>, [777, 24, 11]),
    Model::new("DOUBLE over 13 elements", double::<Toy13, _>, [2_353, 36, 19]),
    Model::new("DOUBLE over 19 elements", double::<Toy19, _>, [4_997, 52, 13]),
];

/// Every pair of points has its sum and no other result, and its flags are determined.
#[test]
fn add_has_one_result_and_it_is_the_sum() {
    ADD.iter().for_each(Model::check);
}

/// Every point has its double, by one row.
#[test]
fn double_has_one_result_and_it_is_the_double() {
    DOUBLE.iter().for_each(Model::check);
}

/// The search leaves nothing out: it finds the rows of DOUBLE that are accepted when all 7^7 are tried.
#[test]
fn search_finds_what_trying_all_rows_finds() {
    const P: u32 = 7;
    type C = DoubleChip<Toy7>;
    let columns = ["is_real", "p_identity", "x_p", "y_p", "lambda", "x_r", "y_r"];
    let mut searched = BTreeSet::new();
    let search = Search::<C, P>::new(&double_plan::<Toy7, P>(0..P));
    search.run([empty(); 2], &mut Counts::default(), |[row, _]| {
        searched.insert(*row);
    });
    let mut accepted = BTreeSet::new();
    for number in 0..P.pow(7) {
        let mut row = empty();
        for (name, i) in columns.into_iter().zip(0..) {
            row[crate::search::col::<C>(name)] = F::new(number / P.pow(i));
        }
        if check_row::<C, F<P>>(&row[..C::WIDTH], &row[..C::WIDTH], &[], &[]).is_empty() {
            accepted.insert(row);
        }
    }
    assert_eq!(searched, accepted);
}
