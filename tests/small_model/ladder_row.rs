//! Rows of the ladder by themselves: a digit row, and the correction row with the output row.

use std::collections::{BTreeMap, BTreeSet};

use septic_chips::Chip;
use septic_chips::scalar_mul::ScalarMulChip;
use septic_chips::verify::VerifyChip;

use crate::curve::{DIGITS, Point, Toy13, Toy19, ToyCurve, Weierstrass};
use crate::field::F;
use crate::search::{Counts, Plan, Row, Search, cell, empty};
use crate::short::Ladder;
use crate::{Enumerated, Model};

/// The accumulator: x, and y as the line through T gives it.
fn accumulator<C: Chip, const P: u32>(row: &Row<P>) -> [F<P>; 2] {
    let [x, slope, x_t, y_t, digit] =
        ["x", "lambda_1", "x_t", "y_t", "digit"].map(|name| cell::<C, P>(row, name));
    [x, (digit + digit - F::new(1)) * y_t - slope * (x_t - x)]
}

/// What a digit row does: 2·acc + T + H, given T and H with their signs. `None` in an exceptional case.
fn double_add(e: &Weierstrass, acc: Point, t: Point, h: Point) -> Point {
    let sum = e.add(acc, t);
    let twice = e.add(sum, acc);
    let exceptional = sum.is_none() || twice.is_none() || h.is_some() && [h, e.negate(h)].contains(&twice);
    if exceptional { None } else { e.add(twice, h) }
}

/// Inputs of a digit row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Input<const P: u32> {
    acc: [F<P>; 2],
    t: [F<P>; 2],
    digit: F<P>,
    digit_g: F<P>,
}

/// The other cells of a digit row, and the next accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Answer<const P: u32> {
    /// λ₁, λ₂; λ₃ and the witness in VERIFY.
    cells: [F<P>; 4],
    acc: [F<P>; 2],
}

/// Tries all cells of a digit row and the next accumulator over the whole field. The next accumulator is
/// 2·acc + σT (+ τH), every other cell is a function of acc, T and the digits, and the exceptional cases, no others, have
/// no solution.
fn digit_row<C: Ladder<P>, const P: u32>() -> Enumerated {
    let e = C::Curve::E;
    // The digit of the next row is boolean by that row's own constraints; its slope gives acc's y.
    let plan = Plan::<C>::new([C::short_flags(1)])
        .search(0, &["x", "x_t", "y_t", "digit", "lambda_1", "lambda_2"], 0..P)
        .search(0, C::MORE_POINTS, 0..P)
        .search(1, &["x_t", "y_t", "x"], 0..P)
        .search(1, &["digit"], 0..2)
        .search(1, &["lambda_1"], 0..P);
    let mut answers: BTreeMap<Input<P>, BTreeSet<Answer<P>>> = BTreeMap::new();
    let mut counts = Counts::default();
    Search::<C, P>::new(&plan).run([empty(); 2], &mut counts, |[row, next]| {
        let get = |name| cell::<C, P>(row, name);
        let more = |name| if C::IS_VERIFY { get(name) } else { F::ZERO };
        let input = Input {
            acc: accumulator::<C, P>(row),
            t: ["x_t", "y_t"].map(get),
            digit: get("digit"),
            digit_g: more("digit_g"),
        };
        let cells = [get("lambda_1"), get("lambda_2"), more("lambda_3"), more("witness")];
        answers.entry(input).or_default().insert(Answer { cells, acc: accumulator::<C, P>(next) });
    });

    // T is on the curve iff the accumulator is: no way leads off the curve, and none onto it.
    let on_curve = |xy| C::Curve::finite(xy).is_some();
    answers.retain(|input, _| {
        assert_eq!(on_curve(input.acc), on_curve(input.t), "{input:?}");
        on_curve(input.acc)
    });
    let statements = answers.len();
    let points: Vec<Point> = e.finite_points().map(Some).collect();
    for &acc in &points {
        for &t in &points {
            for (digit, digit_g) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if digit_g == 1 && !C::IS_VERIFY {
                    continue;
                }
                let signed = |digit: u32, p: Point| if digit == 1 { p } else { e.negate(p) };
                let next = double_add(&e, acc, signed(digit, t), signed(digit_g, C::H));
                let input = Input {
                    acc: acc.unwrap().map(F::new),
                    t: t.unwrap().map(F::new),
                    digit: F::new(digit),
                    digit_g: F::new(digit_g),
                };
                let found: Vec<[F<P>; 2]> =
                    answers.remove(&input).into_iter().flatten().map(|answer| answer.acc).collect();
                let expected: Vec<[F<P>; 2]> = next.into_iter().map(|xy| xy.map(F::new)).collect();
                assert_eq!(found, expected, "{input:?}");
            }
        }
    }
    // No digit is anything but 0 or 1.
    assert!(answers.is_empty(), "{answers:?}");
    counts.with(statements)
}

/// Tries all cells of the correction row and the output row over the whole field: the result is acc − C_j.
fn last_rows<C: Ladder<P>, const P: u32>() -> Enumerated {
    let e = C::Curve::E;
    let plan = Plan::<C>::new([DIGITS, DIGITS + 1].map(C::short_flags))
        .search(0, &["offset", "x_t", "y_t", "x", "digit", "lambda_1", "lambda_2", "identity"], 0..P)
        .search(0, C::MORE_POINTS, 0..P)
        .search(1, &["offset", "digit", "identity", "x", "x_t", "y_t", "lambda_1", "lambda_2"], 0..P)
        .search(1, C::MORE_POINTS, 0..P);
    let mut results: BTreeMap<([F<P>; 2], u32), BTreeSet<Point>> = BTreeMap::new();
    let mut counts = Counts::default();
    Search::<C, P>::new(&plan).run([empty(); 2], &mut counts, |[row, next]| {
        let result = match cell::<C, P>(next, "identity").residue() {
            0 => Some(["x_t", "y_t"].map(|name| cell::<C, P>(next, name).residue())),
            1 => None,
            other => panic!("{other} is no flag"),
        };
        let offset = cell::<C, P>(row, "offset").residue();
        results.entry((accumulator::<C, P>(row), offset)).or_default().insert(result);
    });
    let statements = results.len();
    for acc in e.finite_points() {
        for offset in 0..2 {
            let correction = C::correction(usize::try_from(offset).unwrap());
            let result = e.add(Some(acc), e.negate(correction));
            // For 2·acc = C_j the second slope does not exist.
            let possible = e.add(result, Some(acc)).is_some();
            let expected = possible.then(|| BTreeSet::from([result]));
            assert_eq!(results.remove(&(acc.map(F::new), offset)), expected, "{acc:?} − C_{offset}");
        }
    }
    assert!(results.is_empty(), "accumulators off the curve, or other offsets: {results:?}");
    counts.with(statements)
}

pub(crate) static DIGIT_ROWS: [Model; 4] = [
    Model::new(
        "SCALAR_MUL digit row over 13 elements",
        digit_row::<ScalarMulChip<Toy13>, _>,
        [458_406, 17_520, 576],
    ),
    Model::new(
        "SCALAR_MUL digit row over 19 elements",
        digit_row::<ScalarMulChip<Toy19>, _>,
        [1_918_734, 49_320, 240],
    ),
    Model::new(
        "VERIFY digit row over 13 elements",
        digit_row::<VerifyChip<Toy13>, _>,
        [1_028_422, 18_952, 1_024],
    ),
    Model::new(
        "VERIFY digit row over 19 elements",
        digit_row::<VerifyChip<Toy19>, _>,
        [4_278_070, 50_432, 400],
    ),
];

pub(crate) static LAST_ROWS: [Model; 4] = [
    Model::new(
        "SCALAR_MUL last rows over 13 elements",
        last_rows::<ScalarMulChip<Toy13>, _>,
        [15_327, 64, 34],
    ),
    Model::new(
        "SCALAR_MUL last rows over 19 elements",
        last_rows::<ScalarMulChip<Toy19>, _>,
        [27_417, 40, 22],
    ),
    Model::new("VERIFY last rows over 13 elements", last_rows::<VerifyChip<Toy13>, _>, [259_441, 4_264, 34]),
    Model::new(
        "VERIFY last rows over 19 elements",
        last_rows::<VerifyChip<Toy19>, _>,
        [1_028_964, 136_221, 22],
    ),
];

/// 2·acc + σT (+ τH), or an exceptional case and no row.
#[test]
fn digit_rows_double_and_add() {
    DIGIT_ROWS.iter().for_each(Model::check);
}

/// acc − C_j, or 2·acc = C_j and no rows.
#[test]
fn last_rows_show_the_result() {
    LAST_ROWS.iter().for_each(Model::check);
}
