//! Assumptions that the chips' soundness rests on, each with its forgery. Those of the tables with half-size scalars are in
//! `trace/src/half/tests/assumptions.rs`, under the same numbers.
//!
//! | no. | assumption | here |
//! |-----|------------|------|
//! | 1 | half-size scalars: s ≡ ±1 needs its own relations | not applicable: scalars are not halved |
//! | 2 | operation ids on a bus are unique | not applicable: no bus, rows of an event are consecutive |
//! | 3 | messages of different kinds on a bus differ | not applicable: no bus |
//! | 4 | the digit accumulators of row 0 are pinned by the row before it, wrap included | test |
//! | 5 | several steps a row: the end flag is boolean, rows that are not real send nothing | not applicable: one step a row |
//! | 6 | limbs at the interface are 16-bit numbers | test |
//! | 7 | rows with `is_real = 0` prove nothing; claimed rows have `is_real = 1` | test |
//! | 8 | the non-zero test is complete although its evaluation point is one number | test |
//! | 9 | 2·acc + σT may meet ±H on rows 254 and 255 | test |

use septic_chips::ladder::{CORRECTION_ROW, OUTPUT_ROW, ROWS};
use septic_chips::params::Septic;
use septic_chips::relations::evaluate;
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{PrimeCharacteristicRing, PrimeField32};
use septic_curve::{Fp7, KoalaBear, Point, Scalar, Scalar256, lift_x, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, Trace, TraceChip, VerifyEvent};

use crate::block::{Block, LadderChip, Plan, sign};
use crate::curves::Curve;
use crate::forgeries::{RealChip, base_hitting, horner_g_start_block, horner_start_block, random_plan};
use crate::judge::{failures, found_in, trace_of};
use crate::support::{Coordinates, Random, column_of, element, monomial, multiple, name_of, scalar, times};

/// A digit accumulator that starts from 1 instead of 0 on row 0 shows another top limb. Only the row before row 0 says
/// otherwise: the last row of the trace for the first event, the last row of the event before for the others. A
/// constraint that is switched off on the trace's last row would let the first event pass.
#[test]
fn assumption_4_digit_accumulators_are_pinned_by_the_row_before() {
    fn run<C: RealChip>(constraint: &str, forged: &Block<C>) {
        assert!(!forged.statement_holds());
        let honest: Block<C> = random_plan(&mut Random::new(1)).prove();
        let parameters = vec![KoalaBear::TWO; C::NUM_PARAMETERS];
        for place in 0..4 {
            let mut blocks = [&honest; 4];
            blocks[place] = forged;
            let cells: Vec<KoalaBear> = blocks.iter().flat_map(|block| block.cells()).collect();
            let found = failures::<C>(&cells, &parameters);
            let before = (place * ROWS + 4 * ROWS - 1) % (4 * ROWS);
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].0, name_of(found[0].1)), (before, constraint));
        }
        // In a trace of its own the row before is its own last one.
        let found = found_in(forged);
        assert_eq!(found.iter().map(|(row, _, _)| *row).collect::<Vec<_>>(), [OUTPUT_ROW]);
    }
    run::<ScalarMulChip>("horner", &horner_start_block());
    run::<VerifyChip>("horner", &horner_start_block());
    run::<VerifyChip>("horner_g", &horner_g_start_block());
}

/// 5 = (5 − 2^16) + 1·2^16 satisfies every constraint, and low bits of the limbs spell another number. No claim has
/// such limbs: a [`Scalar256`] has 16-bit limbs, and the instance columns are computed from it.
#[test]
fn assumption_6_limbs_are_16_bit() {
    fn run<C: RealChip>(event: impl Fn(Scalar256) -> C::Event) {
        let base = params::DUMMY;
        let mut plan = Plan::<C>::new(Some(base.into()), &Scalar256::from(5_u64), &Scalar256::from(7_u64));
        (plan.e.shown[0], plan.e.shown[1]) = (5 - (1 << 16), 1);
        let block = plan.prove();
        assert_eq!(found_in(&block), []);
        assert_eq!(block.shown(), None);
        for claimed in [5, 5 + (1 << 16)] {
            let event = event(Scalar256::from(claimed));
            let trace = trace_of::<C>(block.cells(), &[event], &vec![KoalaBear::TWO; C::NUM_PARAMETERS]);
            let claim = Claim { event, out: trace_output(&block) };
            assert!(!trace.instance_violations(&[claim]).is_empty());
        }
        // Whatever is claimed, limbs are below 2^16.
        let columns = C::instance_columns(&[Claim::of(event(Scalar256::MAX))], &[], ROWS);
        let limbs = columns.last().unwrap();
        assert!(limbs.iter().all(|limb| limb.as_canonical_u32() < 1 << 16));
    }
    let base = Point::from(params::DUMMY);
    run::<ScalarMulChip>(|s| ScalarMulEvent { p: base, s });
    run::<VerifyChip>(|e| VerifyEvent { a: base, s: Scalar256::from(7_u64), e });
}

/// The point that an output row shows.
fn trace_output<C: LadderChip>(block: &Block<C>) -> Point {
    let row = &block.rows[OUTPUT_ROW];
    septic_curve::AffinePoint::new(row.x_t, row.y_t).unwrap().into()
}

/// A row with `is_real = 0` may show any R. It cannot be claimed, and it cannot stand where nothing is claimed.
#[test]
fn assumption_7_rows_that_are_not_real_prove_nothing() {
    fn result<C: Chip>() -> core::ops::Range<usize> {
        let first = column_of::<C>("x_r");
        first..first + 14
    }
    fn run<C: TraceChip>(event: C::Event) {
        let (result, is_real) = (result::<C>(), column_of::<C>("is_real"));
        let honest = C::generate_trace(&[event]).unwrap();
        let claims = [Claim::of(event)];
        assert_eq!(honest.instance_violations(&claims), []);
        let padded = |row: usize| {
            let mut trace: Trace<C> = honest.clone();
            let cells = &mut trace.main.values[row * C::WIDTH..][..C::WIDTH];
            cells.fill(KoalaBear::ZERO);
            for (i, column) in result.clone().enumerate() {
                cells[column] = element(i64::try_from(i).unwrap() + 1);
            }
            trace
        };
        // In the claimed row's place.
        let forged = padded(0);
        assert!(!forged.instance_violations(&claims).is_empty());
        let found = forged.instance_violations(&claims);
        assert!(found.iter().any(|violation| violation.row == 0 && violation.coordinate == Some(is_real)));
        // In the place of padding.
        let forged = padded(1);
        let found = forged.instance_violations(&claims);
        assert!(found.iter().all(|violation| violation.row == 1 && violation.event.is_none()));
        assert_eq!(found.len(), result.len());
    }
    run::<AddChip>(AddEvent { p: multiple(3), q: multiple(4) });
    run::<DoubleChip>(DoubleEvent { p: multiple(3) });
    // ADD's own constraints leave R free on padding; DOUBLE's do not.
    let mut cells = vec![KoalaBear::ZERO; AddChip::<Septic>::WIDTH];
    cells[result::<AddChip>()].fill(KoalaBear::ONE);
    assert_eq!(failures::<AddChip>(&cells, &[]), []);
    let mut cells = vec![KoalaBear::ZERO; DoubleChip::<Septic>::WIDTH];
    cells[result::<DoubleChip>()].fill(KoalaBear::ONE);
    assert_ne!(failures::<DoubleChip>(&cells, &[]), []);
}

/// A base for which 2·B_0 + σA on row 0 has x = x_H + u.
fn base_at_distance(plan: &Plan<VerifyChip>, u: Fp7) -> Option<Coordinates> {
    Some(base_hitting(plan, lift_x(Septic::half_generator().x + u)?.into()))
}

/// A caller who knows the first evaluation point can make its test fail on row 0; the generator takes another. One who
/// makes coordinates agree, but not all of them, achieves nothing.
#[test]
fn assumption_8_the_non_zero_test_is_complete() {
    let mut random = Random::new(2);
    let plan = random_plan::<VerifyChip>(&mut random);
    let event = |base: Coordinates| VerifyEvent {
        a: septic_curve::AffinePoint::new(base.x, base.y).unwrap().into(),
        s: crate::integer::to_scalar(&plan.s.shown),
        e: crate::integer::to_scalar(&plan.e.shown),
    };
    let honest = |event: VerifyEvent| {
        let trace = VerifyChip::generate_trace(&[event]).unwrap();
        assert_eq!(trace.violations(), []);
        assert_eq!(trace.instance_violations(&[Claim::of(event)]), []);
        trace
    };
    // f(u) = Σ 2^k·u_k = 0.
    let base = (0..)
        .find_map(|_| {
            let mut u = random.septic();
            u.0[0] -= evaluate(&u, &KoalaBear::TWO);
            base_at_distance(&plan, u)
        })
        .unwrap();
    let trace = honest(event(base));
    assert_ne!(trace.parameters, [KoalaBear::TWO]);
    // With the point 2 the row has no witness.
    let forged = trace_of::<VerifyChip>(trace.main.values.clone(), &[event(base)], &[KoalaBear::TWO]);
    let on_row_0 = forged.violations_on(&[0]);
    assert_eq!(on_row_0.iter().map(|v| name_of(v.label)).collect::<Vec<_>>(), ["distinct"]);
    // Any number of coordinates agree: the others tell.
    for differing in 0..7 {
        let base = (1..).find_map(|d| base_at_distance(&plan, monomial(element(d), differing))).unwrap();
        honest(event(base));
    }
}

/// On the last two rows nothing depends on ±H being added; a result chosen to meet it there is provable.
#[test]
fn assumption_9_meeting_h_on_the_last_rows() {
    let mut random = Random::new(3);
    let h = Point::from(params::HALF_GENERATOR);
    let half = scalar(2).invert().unwrap();
    let mut events = Vec::new();
    let mut meets = Vec::new();
    for target in [h, -h] {
        for j in 0..2 {
            // Row 254: 2·acc − C_j = ±H for acc = C_j + R.
            let c = Point::from(params::VERIFY_CORRECTIONS[j]);
            meets.push((CORRECTION_ROW, j, times(half, target - c)));
        }
        // Row 255: 3·R = ±H, whatever the offset.
        meets.push((OUTPUT_ROW, 0, times(scalar(3).invert().unwrap(), target)));
    }
    for (row, j, result) in meets {
        let (e, s) = (random.scalar(), random.scalar());
        let inverse = Scalar::from(e).invert().unwrap();
        let a = times(inverse, result - Point::GENERATOR.mul_vartime(&s));
        let block = Plan::<VerifyChip>::new(a.to_affine().map(Coordinates::from), &e, &s)
            .with_offset(KoalaBear::from_usize(j))
            .prove();
        assert_eq!(block.doubled(row).x, params::HALF_GENERATOR.x(), "row {row}");
        assert_eq!(found_in(&block), []);
        assert!(block.statement_holds());
        // The other sign of ±H has no slope there.
        let mut other = block.clone();
        let cell = &mut other.rows[row].digit_g;
        *cell = KoalaBear::ONE - *cell;
        assert_eq!(sign(other.rows[row].digit_g), -sign(block.rows[row].digit_g));
        assert!(found_in(&other).iter().any(|(_, label, _)| name_of(*label) == "line"));
        events.push(VerifyEvent { a, s, e });
    }
    let trace = VerifyChip::generate_trace(&events).unwrap();
    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    assert_eq!(trace.violations(), []);
    assert_eq!(trace.instance_violations(&claims), []);
}
