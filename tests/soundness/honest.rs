//! The forger's generator, used honestly, is the trace generator.

use septic_chips::{ScalarMulChip, VerifyChip};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{KoalaBear, Point, Scalar, Scalar256, params};
use septic_trace::{ScalarMulEvent, TraceChip, VerifyEvent};

use crate::block::{Block, LadderChip, Plan};
use crate::curves::{Curve, Subfield, Twin};
use crate::integer::{all_ones, combine, order, power_of_two, signed_wrap, to_scalar, unsigned_wrap};
use crate::judge::failures;
use crate::support::{Coordinates, Random, at_point, multiple};

/// Scalars that need every parity, every number of wraps and the extreme digits.
fn scalars() -> Vec<Scalar256> {
    let (q, q_unsigned, r) = (signed_wrap(), unsigned_wrap(), order());
    let (ones, one, top) = (all_ones(), power_of_two(0), power_of_two(255));
    let combinations: [&[(i64, &_)]; 12] = [
        &[(0, &one)],
        &[(1, &one)],
        &[(1, &r)],
        &[(2, &r)],
        &[(1, &r), (-1, &one)],
        &[(1, &q), (1, &ones)],
        &[(1, &q), (-1, &ones)],
        &[(2, &q), (-1, &ones), (1, &r)],
        &[(4, &q_unsigned)],
        &[(3, &q_unsigned), (1, &ones)],
        &[(1, &top)],
        &[(1, &ones), (1, &r)],
    ];
    let mut scalars: Vec<_> = combinations.iter().map(|terms| to_scalar(&combine(terms).unwrap())).collect();
    scalars.push(Scalar256::MAX);
    let mut random = Random::new(1);
    scalars.extend((0..3).map(|_| random.scalar()));
    scalars
}

/// Bases that meet no exceptional case, one that needs the second offset, and the identity.
fn bases() -> Vec<Point> {
    let mut random = Random::new(2);
    vec![
        Point::GENERATOR,
        multiple(-2),
        params::OFFSETS[0].into(),
        Point::Identity,
        params::HALF_GENERATOR.into(),
        random.point().into(),
    ]
}

fn base(point: Point) -> Option<Coordinates> {
    point.to_affine().map(Coordinates::from)
}

/// 1/6: G/6 = H/3 meets H on row 255, whatever the offset.
fn sixth() -> Scalar256 {
    Scalar::from(6_u64).invert().unwrap().into()
}

#[test]
fn scalar_mul_blocks_are_the_generators() {
    let mut events = Vec::new();
    for (i, s) in scalars().into_iter().enumerate() {
        for (k, p) in bases().into_iter().enumerate() {
            if (i + k) % 2 == 0 || s.is_zero() {
                events.push(ScalarMulEvent { p, s });
            }
        }
    }
    let trace = ScalarMulChip::generate_trace(&events).unwrap();
    assert!(!trace.second_offsets.is_empty());
    let cells: Vec<KoalaBear> = events
        .iter()
        .flat_map(|event| {
            let block = Block::<ScalarMulChip>::honest(base(event.p), &event.s, &Scalar256::ZERO);
            assert!(block.statement_holds(), "{event:?}");
            block.cells()
        })
        .collect();
    assert_eq!(trace.main.values[..cells.len()], cells);
}

#[test]
fn verify_blocks_are_the_generators() {
    let scalars = scalars();
    let mut events = Vec::new();
    for (i, &e) in scalars.iter().enumerate() {
        for (k, a) in bases().into_iter().enumerate() {
            if (i + k) % 2 == 0 || e.is_zero() {
                events.push(VerifyEvent { a, s: scalars[(5 * i + k) % scalars.len()], e });
            }
        }
    }
    events.push(VerifyEvent { a: multiple(4), s: sixth(), e: Scalar256::ZERO });
    events.push(VerifyEvent { a: multiple(4), s: Scalar256::ZERO, e: Scalar256::ZERO });
    let trace = at_point(VerifyChip::generate_trace(&events).unwrap(), KoalaBear::TWO);
    assert!(!trace.second_offsets.is_empty());
    let cells: Vec<KoalaBear> = events
        .iter()
        .flat_map(|event| {
            let block = Block::<VerifyChip>::honest(base(event.a), &event.e, &event.s);
            assert!(block.statement_holds(), "{event:?}");
            block.cells()
        })
        .collect();
    assert_eq!(trace.main.values[..cells.len()], cells);
}

/// On the other curves honest blocks are accepted from both offsets, and say what is true.
#[test]
fn other_curves_work() {
    fn run<C: LadderChip>() {
        for (e, s) in [(1_u64, 0_u64), (12_345, 67_890), (u64::MAX, u64::MAX)] {
            for j in [KoalaBear::ZERO, KoalaBear::ONE] {
                let plan = Plan::<C>::new(Some(C::Curve::sample()), &e.into(), &s.into()).with_offset(j);
                let block = plan.prove();
                let parameters = vec![block.evaluation_point; C::NUM_PARAMETERS];
                assert_eq!(failures::<C>(&block.cells(), &parameters), []);
                assert!(block.statement_holds());
            }
        }
    }
    run::<ScalarMulChip<Twin>>();
    run::<VerifyChip<Twin>>();
    run::<ScalarMulChip<Subfield>>();
    run::<VerifyChip<Subfield>>();
}

/// Every evaluation point serves.
#[test]
fn any_evaluation_point_works() {
    let mut random = Random::new(3);
    for t in [KoalaBear::ZERO, KoalaBear::ONE, KoalaBear::NEG_ONE, random.element()] {
        let base = Coordinates::from(random.point());
        let mut plan = Plan::<VerifyChip>::new(Some(base), &random.scalar(), &random.scalar());
        plan.evaluation_point = t;
        assert_eq!(failures::<VerifyChip>(&plan.prove().cells(), &[t]), []);
    }
}
