//! Assumptions that soundness of the tables with half-size scalars rests on, each with its forgery. The numbers are those
//! of `tests/soundness/assumptions.rs`, where the same is done for the row-per-bit chips.
//!
//! | no. | assumption | here |
//! |-----|------------|------|
//! | 1 | half-size scalars: s ≡ 0, ±1 have no row | test, and shown as other claims: test |
//! | 2 | operation ids on a bus are unique | not applicable: an operation is one row |
//! | 3 | messages of different kinds on a bus differ | not applicable: each lookup table has its bus |
//! | 4 | digit accumulators of the first row are pinned | not applicable: a row holds all its digits |
//! | 5 | rows that are not real send nothing | `rows` |
//! | 6 | bytes and windows at the interface are what they should be | test |
//! | 7 | rows with `real = 0` prove nothing; claimed rows have `real = 1` | test |
//! | 8 | the non-zero test is complete although t is one number | test |
//! | 9 | the last digits may meet an exceptional case | `scalar_mul`, `verify`: the other offset serves |

use septic_chips::half::DIGITS;
use septic_chips::relations::evaluate;
use septic_curve::lift_x;

use super::super::fill;
use super::super::integers::HalfPair;
use super::super::shown::{ShownScalarMul, ShownVerify};
use super::forgeries::settle_carries;
use super::prover::{Cheat, Follow, Sums, add, negated};
use super::*;
use p3_matrix::dense::RowMajorMatrix;

type Sm = HalfScalarMul;
type Vf = HalfVerify;

/// A small integer as a scalar.
fn small(k: i64) -> Scalar {
    let magnitude = Scalar::from(k.unsigned_abs());
    if k < 0 { -magnitude } else { magnitude }
}

/// k·G for a small integer k.
fn point_of(k: i64) -> Point {
    times(small(k), Point::GENERATOR)
}

/// s and s + r: scalars of one class.
fn forms(s: i64) -> [Scalar256; 2] {
    let s = small(s).to_uint();
    [s, s.wrapping_add(&params::ORDER)].map(Scalar256::from)
}

fn is_unit(s: Scalar) -> bool {
    s == Scalar::ONE || s == -Scalar::ONE
}

/// Claims s·P = R about small multiples of G, true and false ones: what is shown is as true.
#[test]
fn assumption_1_shown_scalar_muls_are_equivalent() {
    let (mut count, mut holding) = (0, 0);
    for (p, s, r) in (-3..=3).flat_map(|p| (-3..=3).flat_map(move |s| (-9..=9).map(move |r| (p, s, r)))) {
        for form in forms(s) {
            let event = ScalarMulEvent { p: point_of(p), s: form };
            let shown = ShownScalarMul::from(&Claim { event, out: point_of(r) });
            let is_true = s * p == r;
            assert_eq!(times(shown.s, shown.p.into()) == shown.r.into(), is_true, "{s}*{p} = {r}");
            assert!(!is_unit(shown.s) && shown.p.is_on_curve() && shown.r.is_on_curve());
            // 0·P = R is shown for false claims alone.
            assert!(shown.s != Scalar::ZERO || !is_true);
            count += 1;
            holding += usize::from(is_true);
        }
    }
    assert_eq!((count, holding), (2 * 7 * 7 * 19, 2 * 7 * 7));
}

/// The same for s·G + e·A = R.
#[test]
fn assumption_1_shown_verifies_are_equivalent() {
    let (mut count, mut holding) = (0, 0);
    let range = -3..=3i64;
    for (a, e) in range.clone().flat_map(|a| range.clone().map(move |e| (a, e))) {
        for (s, r) in range.clone().flat_map(|s| (-12..=12).map(move |r| (s, r))) {
            let form = usize::from((s + r) % 2 == 0);
            let event = VerifyEvent { a: point_of(a), s: forms(s)[form], e: forms(e)[1 - form] };
            let shown = ShownVerify::from(&Claim { event, out: point_of(r) });
            let is_true = s + e * a == r;
            let sum = times(shown.s, Point::GENERATOR) + times(shown.e, shown.a.into());
            assert_eq!(sum == shown.r.into(), is_true, "{s} + {e}*{a} = {r}");
            assert!(!is_unit(shown.e) && shown.e != Scalar::ZERO);
            assert!(shown.a.is_on_curve() && shown.r.is_on_curve());
            count += 1;
            holding += usize::from(is_true);
        }
    }
    assert_eq!((count, holding), (49 * 7 * 25, 49 * 7));
}

/// True claims with s or e ≡ 0, ±1 have rows, as other claims.
#[test]
fn assumption_1_units_are_proved() {
    let mut events = Vec::new();
    let mut signatures = Vec::new();
    for p in [-3, -1, 0, 1, 7].map(point_of) {
        for s in (-2..=2).flat_map(forms) {
            events.push(ScalarMulEvent { p, s });
            signatures.extend((-2..=2).flat_map(forms).map(|e| VerifyEvent { a: p, s, e }));
        }
    }
    Row::<Sm>::all(&events);
    Row::<Vf>::all(&signatures);
}

/// No row shows s ≡ 0, ±1, whatever R is: an honest one with R = P or −P has no N or M, and without a constraint on them
/// any R would pass.
#[test]
fn assumption_1_units_have_no_row() {
    let p = pair(multiple(7));
    let others = [multiple(7), -multiple(7), multiple(14), multiple(12), params::OFFSETS[0].into()];
    for s in [Scalar::ZERO, Scalar::ONE, -Scalar::ONE] {
        for r in others.map(|r| r.to_affine().unwrap()) {
            for second in [false, true] {
                let shown = ShownScalarMul { p: multiple(7).to_affine().unwrap(), s, r };
                let row = Row::<Sm>::claiming(&shown, second).followed(&Cheat::default());
                assert!(!row.failing().is_empty());
                // N or M is 𝒪: no pair of coordinates serves.
                if r.x() == p[0] {
                    let sums: [Sums; 3] = [
                        |d, p| [negated(d), p],
                        |d, _| [pair(on_curve(d).unwrap().double()), [Fp7::ZERO; 2]],
                        |_, p| [[Fp7::ZERO; 2], pair(on_curve(p).unwrap().double())],
                    ];
                    for sums in sums {
                        let failing = row.clone().followed(&Cheat::sums(sums)).failing();
                        assert!(failing.contains("C5.sums_x"));
                    }
                }
            }
        }
    }
    // With s = 1, u = 1 and w = −1: u·R + w·P = 𝒪 for R = P only, but the chain never sees it.
    assert_eq!(HalfPair::new(&Scalar::ONE).u, 1);
}

/// VERIFY's D is ±A or 𝒪 for e ≡ 0, ±1.
#[test]
fn assumption_1_units_of_verify_have_no_row() {
    let a = multiple(7);
    for e in [Scalar::ZERO, Scalar::ONE, -Scalar::ONE] {
        for r in [times(e, a) + multiple(5), multiple(5) + a, multiple(5) - a, multiple(3)] {
            for second in [false, true] {
                let [a, r] = [a, r].map(|point| point.to_affine().unwrap());
                let shown = ShownVerify { a, s: Scalar::from(5), e, r };
                let row = Row::<Vf>::claiming(&shown, second).followed(&Cheat::default());
                assert!(!row.failing().is_empty());
            }
        }
    }
}

/// The instance columns in which a row differs from what a claim says.
fn wrong_columns<O: Fill>(row: &Row<O>, claim: Claim<O::Event>) -> Vec<usize> {
    let columns = O::instance_columns(&[claim], 1);
    let is_wrong = |(column, cells): &(&usize, Vec<KoalaBear>)| row.cells[**column] != cells[0];
    O::Table::INSTANCE_COLUMNS.iter().zip(columns).filter(is_wrong).map(|(column, _)| *column).collect()
}

/// 256 taken from the low byte of a scalar and 1 added to the next: the same number, carries follow. Only the claims notice.
#[test]
fn assumption_6_bytes_of_scalars() {
    fn run<O: Follow>(event: O::Event, scalar: &str) {
        let mut row = Row::<O>::honest(event);
        assert!(wrong_columns(&row, Claim::of(event)).is_empty());
        *row.cell(scalar, 0) -= KoalaBear::from_u32(256);
        *row.cell(scalar, 1) += KoalaBear::ONE;
        settle_carries(&mut row);
        assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()));
        let first = column(Row::<O>::fields(), scalar);
        assert_eq!(wrong_columns(&row, Claim::of(event)), [first, first + 1]);
    }
    let s = Scalar256::from(0x1234_5678_9abc_def0);
    run::<Sm>(ScalarMulEvent { p: multiple(11), s }, "s");
    run::<Vf>(VerifyEvent { a: multiple(11), s: 5u64.into(), e: s }, "e");
}

/// A window of −1 where there is 0: another scalar with the same entry, that of 255 in the window below. Only the claims notice.
#[test]
fn assumption_6_windows_of_scalars() {
    let event = VerifyEvent { a: multiple(11), s: 5u64.into(), e: 7u64.into() };
    for w in 2..26 {
        let mut row = Row::<Vf>::honest(event);
        *row.cell("s", w) -= KoalaBear::ONE;
        assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()));
        assert_eq!(wrong_columns(&row, Claim::of(event)), [column(Row::<Vf>::fields(), "s") + w]);
    }
    // 512 + d in the top window: the entry B_1 + d·G, and a wrong result with it.
    let (a, e) = (multiple(11), Scalar::from(7));
    let shown = |r: Point| {
        let [a, r] = [a, r].map(|point| point.to_affine().unwrap());
        ShownVerify { a, s: Scalar::from(5), e, r }
    };
    let mut row = Row::<Vf>::claiming(&shown(a), false);
    *row.cell("s", 26) = KoalaBear::from_u32(512 + 3);
    row.set_entry(26, Point::from(params::OFFSETS[1]) + multiple(3));
    let [x, q] = [row.x(&Cheat::default()), row.q(&Cheat::default())];
    row.set_point("x_r", pair(times(e, a) + on_curve(x).unwrap() - on_curve(q).unwrap()));
    let row = row.followed(&Cheat::default());
    assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()));
    // Whatever is claimed, cells are windows and bytes.
    let order = Scalar256::from(params::ORDER);
    for (s, e) in [(Scalar256::MAX, Scalar256::MAX), (order, order), (Scalar256::from(-Scalar::ONE), s_max())]
    {
        let columns = Vf::instance_columns(&[Claim::of(VerifyEvent { s, e, ..event })], 4);
        let below = |columns: &[Vec<KoalaBear>], bound| {
            columns.iter().flatten().all(|cell| cell.as_canonical_u32() < bound)
        };
        assert!(below(&columns[29..55], 256) && below(&columns[55..56], 512) && below(&columns[56..84], 256));
        let columns = Sm::instance_columns(&[Claim::of(ScalarMulEvent { p: multiple(3), s: e })], 4);
        assert!(below(&columns[29..57], 256));
    }
}

fn s_max() -> Scalar256 {
    Scalar256::from(params::ORDER.wrapping_sub(&crypto_bigint::U256::from(2u32)))
}

/// Carries and limbs of the quotient out of their ranges for the same numbers: only the lookups notice.
#[test]
fn assumption_6_limbs_are_looked_up() {
    fn run<O: Fill>(event: O::Event) {
        let honest = Row::<O>::honest(event);
        for value in [1 << 13, P - 1, 1 << 20] {
            let mut row = honest.clone();
            *row.cell("carry", 7) = KoalaBear::new(value);
            assert_eq!(row.unmatched(), ["M2.carry"].into());
            for (i, least) in [(0, 128), (15, 64), (16, 128)] {
                let mut row = honest.clone();
                for value in [value.max(least), least] {
                    *row.cell("quotient", i) = KoalaBear::new(value);
                    assert_eq!(row.unmatched(), ["M1.quotient"].into());
                }
            }
        }
    }
    let s = Scalar256::MAX;
    run::<Sm>(ScalarMulEvent { p: multiple(11), s });
    run::<Vf>(VerifyEvent { a: multiple(11), s, e: s });
}

/// Claims determine `real`: 1 on their rows, 0 after them. A padding row that satisfies everything with any scalar and any M
/// shows no claim, and cannot stand where none is.
#[test]
fn assumption_7_rows_that_are_not_real_prove_nothing() {
    fn run<O: Fill>(event: O::Event, scalar: &str) {
        let claim = Claim::of(event);
        let columns = O::instance_columns(&[claim; 3], 8);
        let real: Vec<u32> = columns[0].iter().map(|cell| cell.as_canonical_u32()).collect();
        assert_eq!(real, [1, 1, 1, 0, 0, 0, 0, 0]);
        assert!(columns.iter().all(|column| column[3..].iter().all(|&cell| cell == KoalaBear::ZERO)));
        let mut row = Row::<O>::padding();
        *row.cell(scalar, 0) = KoalaBear::from_u32(5);
        row.set_point("x_m", pair(multiple(3)));
        assert_eq!((row.failing(), row.unmatched()), (BTreeSet::new(), BTreeSet::new()));
        assert!(wrong_columns(&row, claim).contains(&0));
        // An honest row is none of a padding row's, nor with real = 0 valid.
        let mut row = Row::<O>::honest(event);
        *row.cell("real", 0) = KoalaBear::ZERO;
        assert!(!row.failing().is_empty());
    }
    run::<Sm>(ScalarMulEvent { p: multiple(11), s: 99u64.into() }, "s");
    run::<Vf>(VerifyEvent { a: multiple(11), s: 5u64.into(), e: 99u64.into() }, "e");
}

/// Differences of x: each of the 7 coordinates alone, and one that vanishes at `t`.
fn distances(t: KoalaBear) -> Vec<Fp7> {
    let mut distances: Vec<Fp7> = (0..7)
        .map(|k| Fp7::from_fn(|i| if i == k { KoalaBear::from_u32(5) } else { KoalaBear::ZERO }))
        .collect();
    let mut root = Fp7::from_u32s([0, 1, 2, 3, 4, 5, 6]);
    root.0[0] = -evaluate(&root, &t);
    distances.push(root);
    distances
}

/// A point with x = `x` + k·`distance`, k = 1, 2, …
fn point_at(x: Fp7, distance: Fp7) -> Point {
    (1..).find_map(|k| lift_x(x + distance.scale_const(KoalaBear::from_u32(k)))).unwrap().into()
}

/// Events with a difference of x that is small or vanishes at t: provable, though not with that t.
fn non_zero_test<O: Fill>(event: impl Fn(Fp7) -> O::Event) {
    let t = KoalaBear::from_u32(123_456_789);
    let mut main = RowMajorMatrix::new(vec![KoalaBear::ZERO; 512 * O::Table::WIDTH], O::Table::WIDTH);
    for (i, distance) in distances(t).into_iter().enumerate() {
        // Beside events that t fits.
        let events = [event(distances(t + KoalaBear::TWO)[7]), event(distance)];
        let claims = events.map(Claim::of);
        let mut fits = |t| fill::<O>(&claims, t, &mut main).unwrap();
        assert_eq!(fits(t), i < 7);
        assert!(fits(t + KoalaBear::ONE));
        assert!(!fits(t + KoalaBear::TWO));
        let rows = Row::<O>::all(&events);
        assert!(rows.iter().all(|row| !row.is_second() && row.t != t));
    }
}

#[test]
fn assumption_8_the_non_zero_test_is_complete() {
    let [start, end] = [params::OFFSETS[0].x(), params::HALF_CORRECTIONS[0].x()];
    let [quarter, sixth] = [4, 6].map(|k| inverse(Scalar::from(k)));
    // s = 5: u = 1, w = −5, and the chain begins with M = 4·P and ends with N = 6·P.
    let pair = HalfPair::new(&Scalar::from(5));
    assert!(pair.u == 1 && pair.swap(0) && DIGITS == 110);
    let mul = |p| ScalarMulEvent { p, s: 5u64.into() };
    non_zero_test::<Sm>(|distance| mul(times(quarter, point_at(start, distance))));
    non_zero_test::<Sm>(|distance| mul(times(sixth, point_at(end, distance))));
    let verify = |a| VerifyEvent { a, s: 9u64.into(), e: 5u64.into() };
    non_zero_test::<Vf>(|distance| verify(times(quarter, point_at(start, distance))));
    non_zero_test::<Vf>(|distance| verify(times(sixth, point_at(end, distance))));
    // R has nearly the x of Q_0.
    let q = params::GENERATOR_OFFSETS[0];
    let fifth = inverse(Scalar::from(5));
    non_zero_test::<Vf>(|distance| verify(times(fifth, point_at(q.x(), distance) - multiple(9))));
    // Y = R + Q_0 has nearly the x of X = 9·G + Q_0.
    let x = add([q.x(), q.y()], super::pair(multiple(9)))[0];
    non_zero_test::<Vf>(|distance| {
        verify(times(fifth, point_at(x, distance) - Point::from(q) - multiple(9)))
    });
}
